//! Privileges on routines: GRANT and REVOKE, and those that come and go with a routine.

use std::sync::Arc;

use super::grant::illegal;
use super::users;
use crate::ast::{self, Grant, GrantTarget};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::rights::accounts::Account;
use crate::rights::privilege::{ALTER_ROUTINE, EXECUTE, GRANT_OPTION};
use crate::rights::privileges::RoutineGrant;
use crate::session::Session;
use crate::variables::VarValue;

/// All privileges on a routine.
const ALL: u64 = EXECUTE | ALTER_ROUTINE;

impl Session {
    /// GRANT and REVOKE ON PROCEDURE and FUNCTION.
    ///
    /// # Errors
    /// 1144, 1305, 1370, 1403; those of accounts.
    pub(super) fn grant_routine(
        &mut self,
        g: &Grant,
        privileges: &[(ast::Name, Vec<ast::Name>)],
        (object, target): (&str, &GrantTarget),
    ) -> SqlResult<()> {
        let GrantTarget::Table(t) = target else { return Err(illegal()) };
        let (db, name) = self.table_path(t)?;
        let mut bits = 0;
        for (privilege, columns) in privileges {
            if !columns.is_empty() {
                return Err(illegal());
            }
            bits |= match &**privilege {
                "ALL" | "ALL PRIVILEGES" => ALL,
                "USAGE" => 0,
                "EXECUTE" => EXECUTE,
                "ALTER ROUTINE" => ALTER_ROUTINE,
                "GRANT OPTION" => GRANT_OPTION,
                _ => return Err(illegal()),
            };
        }
        if g.with_grant {
            bits |= GRANT_OPTION;
        }
        let function = match object {
            "PROCEDURE" => false,
            "FUNCTION" => true,
            other => return Err(SqlError::not_supported(format!("privileges on {other}"))),
        };
        let need = bits | GRANT_OPTION;
        let missing = need & !self.rights.privileges().on_routine(&db, &name, function);
        if missing != 0 {
            let full = format!("{db}.{name}");
            let (user, host) = (&self.rights.user, &self.rights.host);
            let what = match missing {
                m if m & EXECUTE != 0 => "execute",
                m if m & ALTER_ROUTINE != 0 => "alter routine",
                _ => "grant",
            };
            return Err(SqlError::new(error::ER_PROCACCESS_DENIED_ERROR, &[&what, user, host, &full]));
        }
        let engine = Arc::clone(&self.engine);
        if !g.revoke && engine.routines.find(&engine, &db, &name, function)?.is_none() {
            return Err(SqlError::new(error::ER_SP_DOES_NOT_EXIST, &[&"FUNCTION or PROCEDURE", &name]));
        }
        self.forbid_without_lock("procs_priv")?;
        let grantor = format!("{}@{}", self.rights.user, self.rights.host);
        for spec in &g.users {
            self.may_identify(spec)?;
            let mut a = self.grantee(g, spec)?;
            users::identify(&mut a, spec, self.settings().old_passwords)?;
            a.take_options(&g.options)?;
            change(&mut a, g.revoke, (&db, &name, function), bits, &grantor)?;
            engine.accounts.write(&engine, a)?;
        }
        Ok(())
    }

    fn automatic_privileges(&self) -> bool {
        self.engine.variables.named("automatic_sp_privileges") == VarValue::Bool(true)
    }

    /// Who made a routine may call, change and drop it.
    ///
    /// # Errors
    /// Those of writing the privileges.
    pub(crate) fn own_routine(&mut self, db: &str, name: &str, function: bool) -> SqlResult<()> {
        let have = self.rights.privileges().on_routine(db, name, function);
        if have & ALL == ALL || !self.automatic_privileges() {
            return Ok(());
        }
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        let (user, host) = (self.rights.user.clone(), self.rights.host.clone());
        let Some(mut a) = engine.accounts.find(&user, &host) else { return Ok(()) };
        change(&mut a, false, (db, name, function), ALL, &format!("{user}@{host}"))?;
        engine.accounts.write(&engine, a)
    }

    /// A routine is no more: nobody has a privilege on it.
    ///
    /// # Errors
    /// Those of writing the privileges.
    pub(crate) fn forget_routine(&mut self, db: &str, name: &str, function: bool) -> SqlResult<()> {
        let engine = Arc::clone(&self.engine);
        let has = |a: &Account| a.routines.iter().any(|r| r.is(db, name, function));
        if !self.automatic_privileges() || !engine.accounts.list().iter().any(has) {
            return Ok(());
        }
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        let list = engine.accounts.list();
        for a in list.iter().filter(|a| has(a)) {
            let mut a = a.clone();
            a.routines.retain(|r| !r.is(db, name, function));
            engine.accounts.write(&engine, a)?;
        }
        Ok(())
    }
}

/// Adds or takes away.
fn change(
    a: &mut Account,
    revoke: bool,
    (db, name, function): (&str, &str, bool),
    bits: u64,
    grantor: &str,
) -> SqlResult<()> {
    let at = match a.routines.iter().position(|r| r.is(db, name, function)) {
        Some(at) => at,
        None if revoke => {
            return Err(SqlError::new(codes::ER_NONEXISTING_PROC_GRANT, &[&a.user, &a.host, &name]));
        }
        None => {
            let (db, name) = (db.to_owned(), name.to_lowercase());
            a.routines.push(RoutineGrant { db, name, function, access: 0, grantor: String::new() });
            a.routines.len() - 1
        }
    };
    let r = &mut a.routines[at];
    grantor.clone_into(&mut r.grantor);
    r.access = if revoke { r.access & !bits } else { r.access | bits };
    if revoke && r.access == 0 {
        a.routines.remove(at);
    }
    Ok(())
}
