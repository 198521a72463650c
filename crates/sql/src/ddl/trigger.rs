//! CREATE and DROP TRIGGER, and what becomes of triggers when their table moves or goes: `.TRG` and `.TRN` files.

use std::sync::Arc;

use pages::{FilePlan, Store};
use schema::definition::TableDef;
use schema::trg::{self, TriggerDef};

use super::drop::{ExclusiveTable, QualifiedName};
use crate::ast::{Account, CreateTrigger, DropTrigger};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::failure::{from_pages, no_such_table};
use crate::names::INFORMATION_SCHEMA;
use crate::result::Done;
use crate::rights::privilege::{SET_USER, SUPER, TRIGGER};
use crate::session::Session;
use crate::table::triggers::{
    StoredTrigger, Triggers, fields_of, table_of, trigger_name_file, triggers_file,
};
use crate::variables::SqlMode;
use crate::warning::Level;

/// CREATE TRIGGER.
///
/// # Errors
/// 1054, 1146, 1227, 1347, 1359, 1360, 1361, 1435, 1465, 4031; 1142 without TRIGGER.
pub(super) fn create(session: &mut Session, c: &CreateTrigger, text: &[u8]) -> SqlResult<Done> {
    crate::session::body::known_variables(&c.program)?;
    let db: Arc<str> = match c.table.db.as_ref().or(c.name.db.as_ref()) {
        Some(db) => Arc::from(&**db),
        None => session.current_database()?,
    };
    let table: Arc<str> = Arc::from(&*c.table.name);
    if db.eq_ignore_ascii_case(INFORMATION_SCHEMA) {
        return Err(session.rights.denied_database(INFORMATION_SCHEMA));
    }
    if matches!(&*db, "mysql" | "performance_schema") {
        return Err(SqlError::new(codes::ER_NO_TRIGGERS_ON_SYSTEM_SCHEMA, &[]));
    }
    session.close_handlers_of_table(&db, &table);
    let engine = Arc::clone(&session.engine);
    if session.temporary(&db, &table).is_some() || engine.catalog.is_sequence(&db, &table) {
        return Err(SqlError::new(codes::ER_TRG_ON_VIEW_OR_TEMP_TABLE, &[&table]));
    }
    session.rights.need_table(&db, &table, TRIGGER)?;
    let definer = definer(session, c)?;
    session.warn_of_late_intos(&c.program);
    let names = session.lock_names(&[(&db, &table)])?;
    session.locks.note_trigger(&db, &table);
    if engine.catalog.is_view(&db, &table) {
        return Err(SqlError::new(error::ER_WRONG_OBJECT, &[&db, &table, &"BASE TABLE"]));
    }
    if !engine.catalog.table_exists(&db, &table) {
        return Err(no_such_table(&db, &table));
    }
    if c.name.db.as_deref().is_some_and(|own| *own != *db) {
        return Err(SqlError::new(codes::ER_TRG_IN_WRONG_SCHEMA, &[]));
    }
    check_order(session, c, (&db, &table))?;
    if taken(session, c, (&db, &table))? {
        return Ok(Done::default());
    }
    let alone = session.exclusive_table(&db, &table)?;
    let made = make(session, c, text, definer, &alone.table);
    let list = match made {
        Ok(list) => list,
        Err(e) => {
            session.give_back(alone);
            return Err(e);
        }
    };
    let plan = FilePlan::new()
        .create(triggers_file(&db, &table), trg::write(&list))
        .create(trigger_name_file(&db, &c.name.name), trg::write_name(&table));
    change(session, alone, plan)?;
    drop_names(names);
    Ok(Done::default())
}

/// FOLLOWS and PRECEDES name a trigger of the same moment.
///
/// # Errors
/// 4031.
fn check_order(session: &Session, c: &CreateTrigger, (db, table): (&str, &str)) -> SqlResult<()> {
    let Some((_, other)) = &c.order else { return Ok(()) };
    let triggers = triggers_of(session.engine.store(), (db, table))?;
    let moment = Some((c.event, c.after));
    let there = |t: &Arc<Triggers>| t.find(other).is_some_and(|t| t.moment() == moment);
    match triggers.as_ref().is_some_and(there) {
        true => Ok(()),
        false => Err(SqlError::new(codes::ER_REFERENCED_TRG_DOES_NOT_EXIST, &[other])),
    }
}

fn drop_names(names: crate::locks::names::MetadataLockGuard) {
    std::mem::drop(names);
}

/// Whether there is a trigger of the name already, and nothing to do.
///
/// # Errors
/// 1359; 1360 for one of another table that is to be replaced.
fn taken(session: &mut Session, c: &CreateTrigger, (db, table): (&str, &str)) -> SqlResult<bool> {
    let Some(of) = table_of(session.engine.store(), db, &c.name.name) else { return Ok(false) };
    if c.or_replace {
        return match of == table {
            true => Ok(false),
            false => Err(SqlError::new(error::ER_TRG_DOES_NOT_EXIST, &[])),
        };
    }
    let full = format!("{db}.{}", c.name.name);
    let e = SqlError::new(codes::ER_TRG_ALREADY_EXISTS, &[&full]);
    if c.if_not_exists {
        session.ctx.warnings.push_error(Level::Note, &e);
        return Ok(true);
    }
    Err(e)
}

/// Writes the files of a table's triggers; the table is opened anew.
fn change(session: &mut Session, alone: ExclusiveTable, plan: FilePlan) -> SqlResult<()> {
    let (db, name, locked) = (Arc::clone(&alone.table.db), Arc::clone(&alone.table.name), alone.locked);
    session.engine.catalog.forget(&db, &name);
    session.with_wait_limit(&name, |wait_limit| alone.guard.detach(wait_limit))?;
    session.engine.store().apply(plan).map_err(|e| from_pages(&e, &name))?;
    if locked {
        session.relock(&db, &name)?;
    }
    Ok(())
}

/// Who defines the trigger.
fn definer(session: &mut Session, c: &CreateTrigger) -> SqlResult<String> {
    let mut own = (session.rights.user.clone(), session.rights.host.clone());
    if own.0.is_empty() && own.1.is_empty() {
        let current = &session.ctx.connection.current_user;
        let (user, host) = current.rsplit_once('@').unwrap_or((current, ""));
        own = (user.to_string(), host.to_string());
    }
    let (user, host) = match &c.definer {
        None | Some(Account::CurrentUser) => own.clone(),
        Some(Account::Named { user, host }) => (user.to_string(), host.as_deref().unwrap_or("%").to_string()),
        Some(Account::CurrentRole | Account::Public) => {
            return Err(SqlError::not_supported("a role as definer"));
        }
    };
    if (&user, &host) != (&own.0, &own.1) {
        if session.rights.global() & (SUPER | SET_USER) == 0 {
            let all = crate::rights::privilege::names(SUPER | SET_USER);
            return Err(SqlError::new(error::ER_SPECIFIC_ACCESS_DENIED_ERROR, &[&all]));
        }
        if session.engine.accounts.find(&user, &host).is_none() {
            session.ctx.warnings.note(codes::ER_NO_SUCH_USER, &[&user, &host]);
        }
    }
    Ok(format!("{user}@{host}"))
}

/// An identifier in the quotes that a `sql_mode` has.
fn quoted(name: &str, mode: u64) -> String {
    let quote = if SqlMode(mode).has(SqlMode::ANSI_QUOTES) { "\"" } else { "`" };
    format!("{quote}{}{quote}", name.replace(quote, &quote.repeat(2)))
}

/// The triggers of the table with the new one among them.
fn make(
    session: &mut Session,
    c: &CreateTrigger,
    text: &[u8],
    definer: String,
    table: &crate::table::OpenTable,
) -> SqlResult<Vec<TriggerDef>> {
    let none = Triggers::default();
    let old = table.triggers.as_deref().unwrap_or(&none);
    for t in &old.list {
        t.create.as_ref().map_err(Clone::clone)?;
    }
    let mut list: Vec<&Arc<StoredTrigger>> = old.list.iter().filter(|t| t.name() != &*c.name.name).collect();
    let moment = (c.event, c.after);
    let at = match &c.order {
        None => list.iter().position(|t| t.moment() > Some(moment)).unwrap_or(list.len()),
        Some((follows, other)) => {
            let found = list.iter().position(|t| t.name() == &**other && t.moment() == Some(moment));
            let missing = || SqlError::new(codes::ER_REFERENCED_TRG_DOES_NOT_EXIST, &[other]);
            found.ok_or_else(missing)? + usize::from(*follows)
        }
    };
    if let Some((_, e)) = fields_of(c, table.def()).1.into_iter().next() {
        return Err(e);
    }
    let settings = session.settings();
    let mode = settings.sql_mode.0;
    let (user, host) = definer.rsplit_once('@').unwrap_or((&definer, ""));
    let client = settings.client;
    let mut head = Vec::new();
    let who = format!("CREATE DEFINER={}@{} ", quoted(user, mode), quoted(host, mode));
    charset::system().charset.convert(who.as_bytes(), client, &mut head);
    head.extend_from_slice(c.head.of(text));
    head.extend_from_slice(c.tail.of(text));
    let database = session.engine.catalog.database(&table.db)?.collation.name;
    let new = TriggerDef {
        statement: head,
        sql_mode: mode,
        client: client.name.to_string(),
        connection: settings.connection.name.to_string(),
        definer,
        database: database.to_string(),
        created: schema::clock::now().as_micros() as u64,
    };
    let mut all: Vec<TriggerDef> = list.drain(..).map(|t| t.def.clone()).collect();
    all.insert(at, new);
    Ok(all)
}

/// DROP TRIGGER.
///
/// # Errors
/// 1360; 1142 without TRIGGER.
pub(super) fn drop(session: &mut Session, d: &DropTrigger) -> SqlResult<Done> {
    let db: Arc<str> = match &d.name.db {
        Some(db) => Arc::from(&**db),
        None => session.current_database()?,
    };
    let store = Arc::clone(session.engine.store());
    let Some(table) = table_of(&store, &db, &d.name.name) else {
        let e = SqlError::new(error::ER_TRG_DOES_NOT_EXIST, &[]);
        if d.if_exists {
            session.ctx.warnings.push_error(Level::Note, &e);
            return Ok(Done::default());
        }
        return Err(e);
    };
    session.rights.need_table(&db, &table, TRIGGER)?;
    session.close_handlers_of_table(&db, &table);
    let names = session.lock_names(&[(&db, &table)])?;
    if !session.engine.catalog.table_exists(&db, &table) {
        return Err(no_such_table(&db, &table));
    }
    let alone = session.exclusive_table(&db, &table)?;
    let rest: Vec<TriggerDef> = match &alone.table.triggers {
        Some(t) => t.list.iter().filter(|t| t.name() != &*d.name.name).map(|t| t.def.clone()).collect(),
        None => Vec::new(),
    };
    let mut plan = FilePlan::new().remove(trigger_name_file(&db, &d.name.name));
    plan = match rest.is_empty() {
        true => plan.remove(triggers_file(&db, &table)),
        false => plan.create(triggers_file(&db, &table), trg::write(&rest)),
    };
    change(session, alone, plan)?;
    drop_names(names);
    Ok(Done::default())
}

/// The triggers of a table whose name the caller holds, for moving and dropping them.
fn triggers_of(store: &Store, (db, table): (&str, &str)) -> SqlResult<Option<Arc<Triggers>>> {
    // their bodies are not asked for columns
    let none = TableDef::new("MyISAM", charset::system());
    Triggers::read(store, db, table, &none)
}

/// Removes the files of a table's triggers; what a damaged file named stays.
pub(super) fn drop_triggers(plan: FilePlan, store: &Store, (db, table): (&str, &str)) -> FilePlan {
    let names = match triggers_of(store, (db, table)) {
        Ok(None) => return plan,
        Ok(Some(t)) => t.list.iter().map(|t| t.name().to_string()).collect(),
        Err(_) => Vec::new(),
    };
    let plan = plan.remove(triggers_file(db, table));
    names.iter().fold(plan, |plan, name| plan.remove(trigger_name_file(db, name)))
}

/// Moves the triggers of the table `origin`, which is called `from` after the moves before, to the name `to`.
///
/// # Errors
/// 1435 for another database; 1602.
pub(super) fn move_triggers(
    plan: FilePlan,
    store: &Store,
    origin: &QualifiedName,
    from: &QualifiedName,
    to: &QualifiedName,
) -> SqlResult<FilePlan> {
    let Some(triggers) = triggers_of(store, (&origin.0, &origin.1))? else { return Ok(plan) };
    if from.0 != to.0 {
        return Err(SqlError::new(codes::ER_TRG_IN_WRONG_SCHEMA, &[]));
    }
    let list = named(&triggers, &to.1)?;
    let mut plan = plan.remove(triggers_file(&from.0, &from.1));
    plan = plan.create(triggers_file(&to.0, &to.1), trg::write(&list));
    Ok(triggers
        .list
        .iter()
        .fold(plan, |plan, t| plan.create(trigger_name_file(&to.0, t.name()), trg::write_name(&to.1))))
}

/// The triggers of a table that a RENAME would have moved before it failed: moved and moved back they name their table in quotes.
///
/// # Errors
/// Those of waiting for the table and of writing the file.
pub(super) fn name_anew(session: &mut Session, (db, table): &QualifiedName) -> SqlResult<()> {
    let store = Arc::clone(session.engine.store());
    let Some(triggers) = triggers_of(&store, (db, table))? else { return Ok(()) };
    let list = named(&triggers, table)?;
    if list.iter().zip(&triggers.list).all(|(new, old)| new.statement == old.def.statement) {
        return Ok(());
    }
    let alone = session.exclusive_table(db, table)?;
    change(session, alone, FilePlan::new().create(triggers_file(db, table), trg::write(&list)))
}

/// Triggers as those of a table of this name.
fn named(triggers: &Triggers, table: &str) -> SqlResult<Vec<TriggerDef>> {
    let mut list = Vec::with_capacity(triggers.list.len());
    for t in &triggers.list {
        let create = t.create.as_ref().map_err(Clone::clone)?;
        let mut def = t.def.clone();
        let mut text = def.statement[..create.on.start as usize].to_vec();
        let on = format!("ON {}", quoted(table, def.sql_mode));
        charset::system().charset.convert(on.as_bytes(), t.client(), &mut text);
        text.extend_from_slice(&def.statement[create.on.end as usize..]);
        def.statement = text;
        list.push(def);
    }
    Ok(list)
}
