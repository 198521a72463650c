//! CREATE, ALTER and DROP of routines.

use std::sync::Arc;

use super::locals::{definition_of, settings_of};
use super::store::Routine;
use crate::ast::program::{RecordType, VariableType};
use crate::ast::{Account, AlterRoutine, CreateRoutine, DropRoutine, TableName, routine_word};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::result::Done;
use crate::session::{self, Session};
use crate::types::convert::text_of;
use crate::warning::{Level, Warnings};

/// Database and name of a routine.
pub(crate) fn path(session: &Session, name: &TableName) -> SqlResult<(String, String)> {
    let db = match &name.db {
        Some(db) => db.to_string(),
        None => session.current_database()?.to_string(),
    };
    Ok((db, name.name.to_string()))
}

fn moment(session: &mut Session) -> i64 {
    session.ctx.now_utc().0
}

fn definer(session: &Session, c: &CreateRoutine) -> SqlResult<(String, String)> {
    match &c.definer {
        Some(Account::Named { user, host }) => {
            Ok((user.to_string(), host.as_deref().unwrap_or("%").to_string()))
        }
        None | Some(Account::CurrentUser) => {
            let own = (session.rights.user.clone(), session.rights.host.clone());
            if !own.0.is_empty() || !own.1.is_empty() {
                return Ok(own);
            }
            let current = &session.ctx.connection.current_user;
            let (user, host) = current.rsplit_once('@').unwrap_or((current, ""));
            Ok((user.to_string(), host.to_string()))
        }
        Some(Account::CurrentRole | Account::Public) => Err(SqlError::not_supported("a role as definer")),
    }
}

/// CREATE PROCEDURE, CREATE FUNCTION.
///
/// # Errors
/// 1046, 1049, 1304; those of types.
pub(crate) fn create(session: &mut Session, c: &CreateRoutine, text: &[u8]) -> SqlResult<Done> {
    session::body::known_variables(&c.program)?;
    let (db, name) = path(session, &c.name)?;
    let database = session.engine.catalog.database(&db).map_err(|_| crate::failure::no_such_database(&db))?;
    if c.function && !c.returned {
        let full = format!("{db}.{name}");
        return Err(SqlError::new(codes::ER_SP_NORETURN, &[&full]));
    }
    if c.program.aggregate && !c.fetches_group {
        return Err(SqlError::new(codes::ER_INVALID_AGGREGATE_FUNCTION, &[]));
    }
    session.forbid_locked()?;
    let _mark = session.begin_write()?;
    let engine = Arc::clone(&session.engine);
    let old = engine.routines.find(&engine, &db, &name, c.function)?;
    let word = routine_word(c.function);
    if old.is_some() && !c.or_replace {
        if c.if_not_exists {
            session.ctx.warnings.note(codes::ER_SP_ALREADY_EXISTS, &[&word, &name]);
            return Ok(Done::default());
        }
        return Err(SqlError::new(codes::ER_SP_ALREADY_EXISTS, &[&word, &name]));
    }
    let definer = definer(session, c)?;
    if c.definer.is_some() && session.engine.accounts.find(&definer.0, &definer.1).is_none() {
        session.ctx.warnings.note(error::ER_NO_SUCH_USER, &[&definer.0, &definer.1]);
    }
    let mut warnings = Warnings::new(64);
    for v in &c.program.variables {
        let declared: Vec<(&str, &crate::ast::DataType)> = match &v.ty {
            VariableType::Declared(ty) => vec![(&*v.name, &**ty)],
            VariableType::Record(RecordType::Fields(list)) => list.iter().map(|(n, ty)| (&**n, ty)).collect(),
            _ => Vec::new(),
        };
        for (name, ty) in declared {
            definition_of(settings_of(session), name, ty, database.collation, &mut warnings)?;
        }
    }
    let returns = match &c.returns {
        Some(ty) => super::text::type_with_charset(&definition_of(
            settings_of(session),
            "",
            ty,
            database.collation,
            &mut warnings,
        )?),
        None => String::new(),
    };
    session.ctx.warnings.tell_again(warnings.entries());
    session.warn_of_late_intos(&c.program);
    let client = session.vars.settings.client;
    let now = moment(session);
    let parameters = text_of(c.parameters.of(text), client);
    let body = text_of(c.body.of(text).trim_ascii_end(), client);
    let routine = Routine::new(
        (db, name, c.function),
        definer,
        now,
        (parameters, returns, body),
        session.vars.settings.sql_mode,
        [client.name, session.vars.settings.connection.name, database.collation.name],
    );
    let mut routine = Routine::changed(&routine, &c.characteristics, client);
    routine.aggregate = c.program.aggregate;
    engine.routines.write(&engine, &routine)?;
    session.own_routine(&routine.db, &routine.name, c.function)?;
    Ok(Done::default())
}

fn unknown(session: &Session, name: &TableName, function: bool) -> SqlResult<SqlError> {
    let (db, routine) = path(session, name)?;
    let full = format!("{db}.{routine}");
    Ok(SqlError::new(error::ER_SP_DOES_NOT_EXIST, &[&routine_word(function), &full]))
}

/// ALTER PROCEDURE, ALTER FUNCTION.
///
/// # Errors
/// 1305.
pub(crate) fn alter(session: &mut Session, a: &AlterRoutine) -> SqlResult<Done> {
    let (db, name) = path(session, &a.name)?;
    session.forbid_locked()?;
    let _mark = session.begin_write()?;
    let engine = Arc::clone(&session.engine);
    let Some(old) = engine.routines.find(&engine, &db, &name, a.function)? else {
        return Err(unknown(session, &a.name, a.function)?);
    };
    let mut changed = Routine::changed(&old, &a.characteristics, session.vars.settings.client);
    changed.modified = moment(session);
    engine.routines.write(&engine, &changed)?;
    Ok(Done::default())
}

/// DROP PROCEDURE, DROP FUNCTION.
///
/// # Errors
/// 1305.
pub(crate) fn drop(session: &mut Session, d: &DropRoutine) -> SqlResult<Done> {
    let (db, name) = path(session, &d.name)?;
    session.forbid_locked()?;
    let _mark = session.begin_write()?;
    let engine = Arc::clone(&session.engine);
    match engine.routines.find(&engine, &db, &name, d.function)? {
        Some(r) => {
            engine.routines.remove(&engine, &r)?;
            session.forget_routine(&r.db, &r.name, d.function)?;
        }
        None => {
            let e = unknown(session, &d.name, d.function)?;
            if !d.if_exists {
                return Err(e);
            }
            session.ctx.warnings.push_error(Level::Note, &e);
        }
    }
    Ok(Done::default())
}
