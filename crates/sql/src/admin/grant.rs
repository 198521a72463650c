//! GRANT and REVOKE of privileges, and of proxies.

use std::sync::Arc;

use super::users;
use crate::ast::{self, Grant, GrantTarget, GrantWhat, UserSpec};
use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;
use crate::rights::accounts::Account;
use crate::rights::privilege::{self, ALL, COLUMN, CREATE, CREATE_USER, GRANT_OPTION, UPDATE};
use crate::rights::privileges::TableGrant;
use crate::session::Session;
use crate::variables::SqlMode;

/// On what privileges are granted.
enum Object {
    Global,
    Database(String),
    Table(String, String),
}

/// Privileges by column, and those on the whole object.
#[derive(Default)]
struct Wanted {
    bits: u64,
    columns: Vec<(String, u64)>,
}

pub(super) fn illegal() -> SqlError {
    SqlError::new(error::ER_ILLEGAL_GRANT_FOR_TABLE, &[])
}

impl Session {
    /// GRANT and REVOKE.
    pub(super) fn grant(&mut self, g: &Grant) -> SqlResult<()> {
        let engine = Arc::clone(&self.engine);
        let _changes = engine.accounts.lock_changes(self.lock_timeout(), &self.connection)?;
        match &g.what {
            GrantWhat::Privileges { privileges, object, target } => {
                if &**object != "TABLE" {
                    return self.grant_routine(g, privileges, (object, target));
                }
                let object = self.grant_object(target)?;
                let wanted = self.wanted(g, privileges, &object)?;
                self.may_grant(&object, &wanted)?;
                self.check_object(g, &object, &wanted)?;
                let of_table = matches!(object, Object::Table(..));
                self.forbid_without_lock(if of_table { "tables_priv" } else { "db" })?;
                for spec in &g.users {
                    self.may_identify(spec)?;
                    let mut a = self.grantee(g, spec)?;
                    users::identify(&mut a, spec, self.settings().old_passwords)?;
                    a.take_options(&g.options)?;
                    a.keep_plugin();
                    let grantor = format!("{}@{}", self.rights.user, self.rights.host);
                    change(&mut a, g.revoke, &object, &wanted, &grantor)?;
                    engine.accounts.write(&engine, a)?;
                }
                Ok(())
            }
            GrantWhat::Everything => self.revoke_everything(g),
            GrantWhat::Roles(roles) => self.grant_roles(g, roles),
            GrantWhat::Proxy(of) => self.grant_proxy(g, of),
        }
    }

    fn grant_object(&mut self, target: &GrantTarget) -> SqlResult<Object> {
        Ok(match target {
            GrantTarget::Global => Object::Global,
            GrantTarget::CurrentDatabase => Object::Database(self.current_database()?.to_string()),
            GrantTarget::Database(db) => Object::Database(db.to_string()),
            GrantTarget::Table(t) => {
                let (db, name) = self.table_path(t)?;
                Object::Table(db.to_string(), name.to_string())
            }
        })
    }

    /// The privileges of the statement as bits.
    fn wanted(
        &self,
        g: &Grant,
        privileges: &[(ast::Name, Vec<ast::Name>)],
        object: &Object,
    ) -> SqlResult<Wanted> {
        let (all, allowed) = match object {
            Object::Global => (ALL, ALL | GRANT_OPTION),
            Object::Database(_) => {
                (privilege::all_of_database(), privilege::all_of_database() | GRANT_OPTION)
            }
            Object::Table(..) => (privilege::all_of_table(), privilege::all_of_table() | GRANT_OPTION),
        };
        let mut wanted = Wanted::default();
        for (name, columns) in privileges {
            let bits = match &**name {
                "ALL" | "ALL PRIVILEGES" => all,
                "USAGE" => 0,
                other => privilege::bit(other)
                    .ok_or_else(|| SqlError::not_supported(format!("privilege {other}")))?,
            };
            if columns.is_empty() {
                wanted.bits |= bits;
                continue;
            }
            if !matches!(object, Object::Table(..)) || bits & !COLUMN != 0 {
                return Err(illegal());
            }
            for c in columns {
                match wanted.columns.iter_mut().find(|(n, _)| n.eq_ignore_ascii_case(c)) {
                    Some((_, have)) => *have |= bits,
                    None => wanted.columns.push((c.to_string(), bits)),
                }
            }
        }
        if wanted.bits & !allowed != 0 {
            return Err(match object {
                Object::Database(_) => {
                    SqlError::new(error::ER_WRONG_USAGE, &[&"DB GRANT", &"GLOBAL PRIVILEGES"])
                }
                _ => illegal(),
            });
        }
        if g.with_grant {
            wanted.bits |= GRANT_OPTION;
        }
        Ok(wanted)
    }

    /// Only what one has, with GRANT OPTION, can be given or taken.
    fn may_grant(&self, object: &Object, wanted: &Wanted) -> SqlResult<()> {
        let rights = &self.rights;
        match object {
            Object::Global => {
                let need = wanted.bits | GRANT_OPTION;
                if rights.global() & need == need { Ok(()) } else { Err(rights.denied()) }
            }
            Object::Database(db) => {
                let need = wanted.bits | GRANT_OPTION;
                if rights.unlimited() && rights.global() & GRANT_OPTION != 0
                    || rights.privileges().on_pattern(db) & need == need
                {
                    return Ok(());
                }
                Err(rights.denied_database(db))
            }
            Object::Table(db, table) => {
                if db == INFORMATION_SCHEMA {
                    return Err(rights.denied_database(db));
                }
                let need = wanted.columns.iter().fold(wanted.bits | GRANT_OPTION, |m, (_, b)| m | b);
                rights.need_table(db, table, need)?;
                for (c, bits) in &wanted.columns {
                    rights.need_column(db, table, c, *bits)?;
                }
                let privileges = rights.privileges();
                if rights.unlimited() {
                    // All privileges are not the one to give them on.
                    let have = privileges.on_table(db, table) | privileges.on_pattern(db);
                    return match have & GRANT_OPTION {
                        0 => Err(rights.denied_table(db, table, GRANT_OPTION)),
                        _ => Ok(()),
                    };
                }
                // The whole table is not for who has a column of it.
                let have = privileges.on_table(db, table);
                if wanted.bits & !have == 0 {
                    return Ok(());
                }
                Err(rights.denied_table(db, table, wanted.bits & !have))
            }
        }
    }

    /// Whether the table and its columns are there: only CREATE can be granted on what is not.
    fn check_object(&mut self, g: &Grant, object: &Object, wanted: &Wanted) -> SqlResult<()> {
        let Object::Table(db, table) = object else { return Ok(()) };
        if g.revoke {
            return Ok(());
        }
        if wanted.columns.is_empty() && (wanted.bits & CREATE != 0 || self.engine.catalog.is_view(db, table))
        {
            return Ok(());
        }
        if db == "mysql" && table == "user" {
            return Ok(());
        }
        if let Some(view) = self.engine.catalog.view(db, table, &|| self.waiter())? {
            let columns = view.columns();
            for (c, _) in &wanted.columns {
                if !columns.iter().any(|d| crate::names::same_name(d, c)) {
                    return Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[c, &table]));
                }
            }
            return Ok(());
        }
        let open = self.engine.catalog.table(db, table, &|| self.waiter())?;
        let is_locked = self.locks.tables.iter().any(|l| *l.db == **db && *l.name == **table);
        if self.locks.active && !wanted.columns.is_empty() && !is_locked {
            return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[table]));
        }
        for (c, _) in &wanted.columns {
            if !open.def().columns.iter().any(|d| crate::names::same_name(&d.name, c)) {
                return Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[c, table]));
            }
        }
        Ok(())
    }

    /// IDENTIFIED of another account sets its password: that is for who may change accounts.
    pub(super) fn may_identify(&self, spec: &UserSpec) -> SqlResult<()> {
        if spec.identified.is_none() {
            return Ok(());
        }
        let (user, host) = self.account_name(Some(&spec.account))?;
        // Who may make the account is asked when it is made.
        if self.engine.accounts.find(&user, &host).is_none() {
            return Ok(());
        }
        let own = user == self.rights.user && host.eq_ignore_ascii_case(&self.rights.host);
        if own || self.rights.privileges().on("mysql") & UPDATE != 0 {
            return Ok(());
        }
        Err(self.rights.denied_database("mysql"))
    }

    /// The account or role that gets or loses something.
    pub(super) fn grantee(&mut self, g: &Grant, spec: &UserSpec) -> SqlResult<Account> {
        let engine = Arc::clone(&self.engine);
        if let Some(role) = self.named_role(&spec.account)?
            && spec.identified.is_none()
        {
            if let Some(a) = engine.accounts.find_role(&role) {
                return Ok(a);
            }
            if role == crate::rights::privileges::PUBLIC && !g.revoke {
                return Ok(Account::role(&role));
            }
        }
        let (user, host) = self.account_name(Some(&spec.account))?;
        if let Some(a) = engine.accounts.find(&user, &host) {
            return Ok(a);
        }
        if g.revoke {
            return Err(SqlError::new(error::ER_NONEXISTING_GRANT, &[&user, &host]));
        }
        let no_auto = self.settings().sql_mode.has(SqlMode::NO_AUTO_CREATE_USER);
        if spec.identified.is_none() && no_auto {
            return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
        }
        let may_create = self.rights.global() & CREATE_USER != 0
            || self.rights.privileges().on("mysql") & privilege::INSERT != 0;
        if !may_create {
            return Err(SqlError::new(error::ER_CANT_CREATE_USER_WITH_GRANT, &[]));
        }
        users::check_name(&user, &host)?;
        let mut a = Account::new(&user, &host);
        a.begin_password();
        Ok(a)
    }

    /// REVOKE ALL PRIVILEGES, GRANT OPTION.
    fn revoke_everything(&mut self, g: &Grant) -> SqlResult<()> {
        self.may_change_accounts(UPDATE)?;
        self.forbid_without_lock("db")?;
        let engine = Arc::clone(&self.engine);
        let mut failed = false;
        for spec in &g.users {
            let role = self.named_role(&spec.account)?.and_then(|r| engine.accounts.find_role(&r));
            let found = match role {
                Some(a) => Some(a),
                None => {
                    let (user, host) = self.account_name(Some(&spec.account))?;
                    engine.accounts.find(&user, &host)
                }
            };
            let Some(mut a) = found else {
                failed = true;
                continue;
            };
            a.access = 0;
            a.databases.clear();
            a.tables.clear();
            a.routines.clear();
            a.roles.clear();
            a.json.remove("default_role");
            engine.accounts.write(&engine, a)?;
        }
        if failed { Err(SqlError::new(error::ER_REVOKE_GRANTS, &[])) } else { Ok(()) }
    }

    /// GRANT PROXY: kept and shown; no plug-in maps users here.
    fn grant_proxy(&mut self, g: &Grant, of: &ast::Account) -> SqlResult<()> {
        self.forbid_without_lock("proxies_priv")?;
        let engine = Arc::clone(&self.engine);
        let of = self.account_name(Some(of))?;
        for spec in &g.users {
            let (user, host) = self.account_name(Some(&spec.account))?;
            let Some(mut a) = engine.accounts.find(&user, &host) else {
                return Err(SqlError::new(error::ER_PASSWORD_NO_MATCH, &[]));
            };
            let own = self.engine.accounts.find(&self.rights.user, &self.rights.host);
            let may = self.rights.unlimited()
                || own.is_some_and(|o| o.proxies.iter().any(|p| p.with_grant && p.covers(&of.0, &of.1)));
            if !may {
                return Err(self.denied_login_without_password());
            }
            let there = a.proxies.iter().position(|p| p.user == of.0 && p.host == of.1);
            match (g.revoke, there) {
                (true, Some(i)) => {
                    a.proxies.remove(i);
                }
                (true, None) => return Err(SqlError::new(error::ER_NONEXISTING_GRANT, &[&user, &host])),
                (false, Some(i)) => a.proxies[i].with_grant |= g.with_grant,
                (false, None) => a.proxies.push(crate::rights::accounts::Proxy {
                    user: of.0.clone(),
                    host: of.1.clone(),
                    with_grant: g.with_grant,
                    grantor: format!("{}@{}", self.rights.user, self.rights.host),
                }),
            }
            engine.accounts.write(&engine, a)?;
        }
        Ok(())
    }

    /// 1698.
    pub(super) fn denied_login_without_password(&self) -> SqlError {
        let (user, host) = (&self.rights.user, &self.rights.host);
        SqlError::new(error::ER_ACCESS_DENIED_NO_PASSWORD_ERROR, &[user, host])
    }
}

/// Adds or takes away.
fn change(a: &mut Account, revoke: bool, object: &Object, wanted: &Wanted, grantor: &str) -> SqlResult<()> {
    match object {
        Object::Global => {
            a.access = if revoke { a.access & !wanted.bits } else { a.access | wanted.bits };
            Ok(())
        }
        Object::Database(db) => change_database(a, revoke, db, wanted.bits),
        Object::Table(db, table) => change_table(a, revoke, (db, table), wanted, grantor),
    }
}

fn change_database(a: &mut Account, revoke: bool, db: &str, bits: u64) -> SqlResult<()> {
    match a.databases.iter().position(|(d, _)| d == db) {
        Some(i) if revoke => {
            a.databases[i].1 &= !bits;
            if a.databases[i].1 == 0 {
                a.databases.remove(i);
            }
        }
        Some(i) => a.databases[i].1 |= bits,
        None if revoke => return Err(SqlError::new(error::ER_NONEXISTING_GRANT, &[&a.user, &a.host])),
        None if bits != 0 => a.databases.push((db.to_string(), bits)),
        None => {}
    }
    Ok(())
}

fn change_table(
    a: &mut Account,
    revoke: bool,
    (db, table): (&String, &String),
    wanted: &Wanted,
    grantor: &str,
) -> SqlResult<()> {
    let none = SqlError::new(error::ER_NONEXISTING_TABLE_GRANT, &[&a.user, &a.host, table]);
    let at = a.tables.iter().position(|t| t.db == *db && t.table == *table);
    let at = match at {
        Some(at) => at,
        None if revoke => return Err(none),
        None => {
            a.tables.push(TableGrant { db: db.clone(), table: table.clone(), ..TableGrant::default() });
            a.tables.len() - 1
        }
    };
    let t = &mut a.tables[at];
    t.grantor = grantor.to_owned();
    if !revoke {
        t.access |= wanted.bits;
    }
    for (name, bits) in &wanted.columns {
        match t.columns.iter_mut().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
            Some((_, have)) if revoke => *have &= !bits,
            Some((_, have)) => *have |= bits,
            None if revoke => return Err(none),
            None => t.columns.push((name.clone(), *bits)),
        }
    }
    if revoke {
        t.access &= !wanted.bits;
        // What is taken from the table is taken from its columns.
        for (_, have) in &mut t.columns {
            *have &= !wanted.bits;
        }
        t.columns.retain(|(_, bits)| *bits != 0);
    }
    if t.access == 0 && t.columns.is_empty() {
        a.tables.remove(at);
    }
    Ok(())
}
