//! ALTER TABLE, CREATE INDEX, DROP INDEX.

mod change;
mod copy;
mod order;
mod rekey;
mod temporary;

use std::sync::Arc;

use crate::table::Writer;
use crate::table::engine::{
    definition_bytes, definition_file, drop_files, engine_of, exchange_files, merge_file, new_files,
    rename_files,
};
use pages::FilePlan;
use schema::definition::TableDef;

use change::{AlterBuilder, Change, stored_alike};
pub(super) use copy::duplicate as duplicate_error;

use super::drop::{ExclusiveTable, ExclusiveTables, QualifiedName, Renames};
use super::partition::fill;
use super::trigger::move_triggers;
use crate::ast::{self, AlterOp, AlterTable, LockWait, TableName};
use crate::dml::target::Held;
use crate::error::{self, SqlError, SqlResult};
use crate::failure::{from_pages, no_such_table};
use crate::names::INFORMATION_SCHEMA;
use crate::result::Done;
use crate::session::Session;
use crate::table::OpenTable;
use crate::table::from_engine;
use crate::table::merge::is_merge;
use crate::table::rules::with_completer;
use crate::variables::definitions;

/// What became of the rows.
#[derive(Clone, Copy, Debug, Default)]
struct Copied {
    rows: u64,
    duplicates: u64,
}

/// CREATE INDEX.
pub(super) fn create_index(session: &mut Session, c: &ast::CreateIndex, text: &[u8]) -> SqlResult<Done> {
    let mut ops = Vec::new();
    if c.or_replace
        && let Some(name) = &c.index.name
    {
        ops.push(AlterOp::DropIndex { if_exists: true, name: name.clone() });
    }
    ops.push(AlterOp::AddIndex(Box::new(c.index.clone())));
    ops.extend(c.algorithm.clone().map(AlterOp::Algorithm));
    ops.extend(c.lock.clone().map(AlterOp::Lock));
    let quiet = c.or_replace;
    let before = session.ctx.warnings.clone();
    let result = alter(session, &statement(&c.table, c.wait, ops), text);
    if quiet && result.is_ok() {
        session.ctx.warnings = before;
    }
    result
}

/// DROP INDEX.
pub(super) fn drop_index(session: &mut Session, d: &ast::DropIndex, text: &[u8]) -> SqlResult<Done> {
    let op = if d.name.eq_ignore_ascii_case("PRIMARY") {
        AlterOp::DropPrimaryKey { if_exists: d.if_exists }
    } else {
        AlterOp::DropIndex { if_exists: d.if_exists, name: d.name.clone() }
    };
    alter(session, &statement(&d.table, d.wait, vec![op]), text)
}

fn statement(table: &ast::TableName, wait: LockWait, ops: Vec<AlterOp>) -> AlterTable {
    AlterTable { ignore: false, online: false, if_exists: false, name: table.clone(), wait, ops }
}

/// mariadb-upgrade widens the columns of account tables, whose keys have Aria's length in MariaDB: here they stay as they are, with a
/// warning.
///
/// # Errors
/// All others.
fn too_long_for_accounts(
    session: &mut Session,
    (db, name): &(Arc<str>, Arc<str>),
    e: SqlError,
) -> SqlResult<Done> {
    let accounts = ["columns_priv", "db", "global_priv", "procs_priv", "tables_priv"];
    if e.code != error::ER_TOO_LONG_KEY || &**db != "mysql" || !accounts.contains(&&**name) {
        return Err(e);
    }
    session.ctx.warnings.push_text(crate::warning::Level::Warning, e.code, e.message);
    Ok(Done::default())
}

/// The new name of RENAME TO and that of the table that partitions are exchanged with; the own name where there are none.
fn other_names(
    session: &mut Session,
    a: &AlterTable,
    own: &(Arc<str>, Arc<str>),
) -> SqlResult<[(Arc<str>, Arc<str>); 2]> {
    let renamed = a.ops.iter().rev().find_map(|op| match op {
        AlterOp::Rename(to) => Some(to),
        _ => None,
    });
    let mut path = |name: Option<&TableName>| name.map_or_else(|| Ok(own.clone()), |n| session.table_path(n));
    Ok([path(renamed)?, path(super::partition::exchange::other_table(a))?])
}

/// ALTER TABLE.
///
/// # Errors
/// Those of the new definition and of the rows that do not fit it; the table is as it was then.
pub(super) fn alter(session: &mut Session, a: &AlterTable, text: &[u8]) -> SqlResult<Done> {
    let (db, name) = session.table_path(&a.name)?;
    if &*db == INFORMATION_SCHEMA {
        let host = session.connection.account().1;
        return Err(SqlError::new(
            error::ER_DBACCESS_DENIED_ERROR,
            &[&session.info.user, &host, &INFORMATION_SCHEMA],
        ));
    }
    if let Some(table) = session.temporary(&db, &name) {
        return temporary::alter(session, a, text, table);
    }
    let engine = Arc::clone(&session.engine);
    if !exists(session, a, &db, &name)? {
        return Ok(Done::default());
    }
    let from = (Arc::clone(&db), Arc::clone(&name));
    let [to, other] = other_names(session, a, &from)?;
    let names = session.lock_names(&[(&db, &name), (&to.0, &to.1), (&other.0, &other.1)])?;
    // it may have gone while its name was waited for
    if !exists(session, a, &db, &name)? {
        return Ok(Done::default());
    }
    engine.catalog.writable(&db, &name)?;
    if let Some(done) = super::partition::alter::run(session, a, text, (&db, &name))? {
        return Ok(done);
    }
    let alone = session.exclusive_table(&db, &name)?;
    let locked = alone.locked;
    let table = Arc::clone(&alone.table);
    let planned = forbid_other_list(session, a)
        .and_then(|()| plan(session, a, text, &table, to != from))
        .and_then(|planned| check_new_name(session, &table, (&from, &to), &planned.0).map(|()| planned));
    let (work, def) = match planned {
        Ok(p) => p,
        Err(e) => {
            session.give_back(alone);
            return too_long_for_accounts(session, &from, e);
        }
    };
    let mut done = Done::default();
    let told = super::partition::alter::rows_told(&table, a);
    let changed = match work.change {
        Change::Nothing => {
            let result = match work.keys_enabled {
                Some(on) => switch_keys(session, alone, on),
                None => {
                    session.give_back(alone);
                    Ok(())
                }
            };
            match result {
                Ok(()) if to != from => rename(session, &from, &to).map(|()| Some(Copied::default())),
                other => other.map(|()| None),
            }
        }
        _ if is_merge(&def) => make_merge(session, alone, &def, &to).map(|()| Some(Copied::default())),
        Change::Definition => redefine(session, alone, &def, &to).map(|()| Some(Copied::default())),
        Change::Keys => match rekey::rekey(session, a, alone, (&work, &def), &to)? {
            rekey::Outcome::Done(copied) => Ok(Some(copied)),
            rekey::Outcome::RowsMove(exclusive) => rebuild(session, a, *exclusive, &work, def, &to).map(Some),
        },
        Change::Rebuild => rebuild(session, a, alone, &work, def, &to).map(Some),
    };
    if let Some(copied) = changed? {
        done.affected = told.unwrap_or(copied.rows);
        if locked {
            keep_lock(session, &from, &to)?;
        }
    }
    drop(names);
    set_row_info(session, &work, &mut done);
    Ok(done)
}

/// Whether there is a table of this name; with IF EXISTS a warning tells that there is none.
///
/// # Errors
/// 1049, 1100, 1146.
fn exists(session: &mut Session, a: &AlterTable, db: &str, name: &str) -> SqlResult<bool> {
    let catalog = &session.engine.catalog;
    if catalog.table_exists(db, name) {
        return Ok(true);
    }
    if session.locks.active {
        // a table that is not there is not locked either
        return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&name]));
    }
    catalog.database(db)?;
    if !a.if_exists {
        return Err(no_such_table(db, name));
    }
    session.ctx.warnings.push_error(crate::warning::Level::Error, &no_such_table(db, name));
    Ok(false)
}

/// Whether a table may have the name that it is given.
///
/// # Errors
/// 1050, 1049; 1435 for another database when it has triggers.
fn check_new_name(
    session: &Session,
    table: &OpenTable,
    (from, to): (&QualifiedName, &QualifiedName),
    work: &AlterBuilder,
) -> SqlResult<()> {
    let catalog = &session.engine.catalog;
    if to != from && catalog.table_exists(&to.0, &to.1) {
        return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[&to.1]));
    }
    match catalog.database(&to.0) {
        Err(_) if work.change == Change::Nothing => return Err(crate::ddl::drop::nowhere(from, to)),
        other => other?,
    };
    crate::table::partition::check_moved_files(table.def(), from, to)?;
    if to.0 != from.0 && table.triggers.is_some() {
        return Err(SqlError::new(error::codes::ER_TRG_IN_WRONG_SCHEMA, &[]));
    }
    Ok(())
}

/// Lets a lock of LOCK TABLES go over to the table as it is now; one that has another name is locked no more.
fn keep_lock(session: &mut Session, from: &QualifiedName, to: &QualifiedName) -> SqlResult<()> {
    if to == from {
        return match session.relock(&to.0, &to.1) {
            // which no longer is like the tables under it, as statements that use it are told
            Err(e) if e.code == error::codes::ER_WRONG_MRG_TABLE => Ok(()),
            other => other,
        };
    }
    session.locks.forget(&from.0, &from.1);
    if let Some(held) = &session.locks.names {
        held.give_up(&from.0, &from.1);
    }
    Ok(())
}

/// The list of a MERGE table stays as it is under LOCK TABLES.
///
/// # Errors
/// 1192.
fn forbid_other_list(session: &Session, a: &AlterTable) -> SqlResult<()> {
    match a.ops.iter().any(|op| matches!(op, AlterOp::Options(o) if o.union.is_some())) {
        true => session.forbid_locked(),
        false => Ok(()),
    }
}

/// What the answer says of the rows.
fn set_row_info(session: &Session, work: &AlterBuilder, done: &mut Done) {
    if work.tells {
        done.info = format!(
            "Records: {}  Duplicates: {}  Warnings: {}",
            done.affected,
            work.duplicates.get(),
            session.ctx.warnings.count_all()
        );
    }
}

/// ENABLE KEYS and DISABLE KEYS.
fn switch_keys(session: &mut Session, alone: ExclusiveTable, on: bool) -> SqlResult<()> {
    let ExclusiveTable { table, guard, parts, locked } = alone;
    let settings = crate::dml::bulk::sort_settings(session);
    let connection = Arc::clone(&session.connection);
    let mut writer = Writer::new(Arc::clone(table.format()), Held::Locked(guard));
    let result = if on {
        table.rules(&mut session.ctx).and_then(|rules| {
            with_completer(rules.as_deref(), &mut session.ctx, |complete| {
                writer.enable_keys_of(&settings, complete, &|| connection.killed())
            })
            .map_err(|e| table.error(&e))
        })
    } else {
        writer.disable_keys();
        Ok(())
    };
    let mut held = writer.into_store();
    let result = match result {
        Ok(()) => held
            .get_mut()
            .commit_unless(&|| connection.killed())
            .map(|_| ())
            .map_err(|e| from_pages(&e, &table.name)),
        Err(e) => {
            held.get_mut().rollback();
            Err(e)
        }
    };
    if result.is_ok() && !table.temporary {
        // Plans that use a key which is disabled now are no good; the files are the same.
        session.engine.catalog.forget(&table.db, &table.name);
    }
    if let Held::Locked(guard) = held {
        session.give_back(ExclusiveTable { table, guard, parts, locked });
    }
    result
}

/// The new definition, and what must be done for it.
fn plan(
    session: &mut Session,
    a: &AlterTable,
    text: &[u8],
    table: &OpenTable,
    renames: bool,
) -> SqlResult<(AlterBuilder, TableDef)> {
    let db = &*table.db;
    let database = session.engine.catalog.database(db)?.collation;
    let usual = definitions().named("alter_algorithm");
    let usual = session.vars.get(usual).show(&definitions().get(usual).kind);
    let settings = session.settings().clone();
    let whole = Arc::clone(table.def());
    let old = match whole.partition {
        Some(_) => Arc::new(super::partition::alter::unpartitioned(&whole)),
        None => Arc::clone(&whole),
    };
    let enforced = super::options::enforced_engine(session);
    let mut definer = super::DefinitionBuilder {
        enforced,
        engine: engine_of(&old),
        ctx: &mut session.ctx,
        settings: &settings,
        text,
        table: &table.name,
        db,
        collation: old.options.collation,
        database_collation: database,
        timestamp_seen: true,
        new_keys_from: 0,
    };
    let mut work = AlterBuilder::new(&old);
    let how = |op: &AlterOp| matches!(op, AlterOp::Algorithm(_) | AlterOp::Lock(_));
    work.tells = a.ops.is_empty() || a.ops.iter().any(how) && !renames;
    work.renames = renames;
    work.renamed = a.ops.iter().rev().find_map(|op| match op {
        AlterOp::Rename(name) => Some(name.name.clone()),
        _ => None,
    });
    work.algorithm = usual.filter(|word| word != "DEFAULT");
    work.drops_primary = a.ops.iter().any(|op| match op {
        AlterOp::DropPrimaryKey { .. } => true,
        AlterOp::DropIndex { name, .. } => name.eq_ignore_ascii_case("PRIMARY"),
        _ => false,
    });
    work.check_together(&a.ops, definer.table)?;
    for op in &a.ops {
        work.apply(&mut definer, op)?;
    }
    work.notice_order();
    let mut def = work.finish(&mut definer, &old, table.temporary)?;
    if work.change > Change::Nothing {
        super::defaults::check_kept(definer.ctx, &def)?;
    }
    if super::partition::alter::settle(&mut definer, &whole, a, (&mut def, &work.from))?
        || whole.partition.is_some() && work.change == Change::Keys
    {
        work.change = Change::Rebuild;
        work.tells = true;
    }
    if !a.ops.iter().all(|op| matches!(op, AlterOp::Rename { .. })) {
        let written = |name: &str| {
            a.ops.iter().any(|op| match op {
                AlterOp::AddColumn { column, .. } | AlterOp::ChangeColumn { column, .. } => {
                    crate::names::same_name(&column.name, name)
                }
                _ => false,
            })
        };
        let kept = |c: &&_| crate::types::declared::is_short_year(c) && !written(&c.name);
        let kept = def.columns.iter().filter(kept).count();
        crate::types::declared::warn_short_years(kept, &mut session.ctx.warnings);
    }
    Ok((work, def))
}

/// Moves a table and nothing else.
fn rename(session: &mut Session, from: &QualifiedName, to: &QualifiedName) -> SqlResult<()> {
    let mut renames = Renames::default();
    renames.add(session, from, to)?;
    let held = ExclusiveTables::take(session, renames.tables)?;
    held.detach(session, renames.plan)
}

/// Writes a new definition for the same data, under a new name if there is one.
fn redefine(
    session: &mut Session,
    alone: ExclusiveTable,
    def: &TableDef,
    to: &QualifiedName,
) -> SqlResult<()> {
    let engine = Arc::clone(&session.engine);
    let (db, name) = (Arc::clone(&alone.table.db), Arc::clone(&alone.table.name));
    let bytes = match definition_bytes(def) {
        Ok(b) => b,
        Err(e) => {
            tracing::warn!("{db}.{name}: {e}");
            session.give_back(alone);
            return Err(from_engine(&e, &db, &name));
        }
    };
    let mut plan = FilePlan::new();
    if (&*to.0, &*to.1) != (&*db, &*name) {
        let from = (Arc::clone(&db), Arc::clone(&name));
        plan = move_triggers(plan, engine.store(), &from, &from, to)?;
        plan = rename_files(plan, alone.table.def(), (&db, &name), (&to.0, &to.1));
    }
    if is_merge(def) {
        plan = plan.create(merge_file(&to.0, &to.1), schema::mrg::write(&def.options));
    }
    let path = definition_file(&to.0, &to.1);
    alone.detach(session)?;
    engine.store().apply(plan.create(path, bytes)).map_err(|e| from_pages(&e, &name))
}

/// Writes what a MERGE table is from now on. A table of another engine goes with its rows.
fn make_merge(
    session: &mut Session,
    alone: ExclusiveTable,
    def: &TableDef,
    to: &QualifiedName,
) -> SqlResult<()> {
    if is_merge(alone.table.def()) {
        return redefine(session, alone, def, to);
    }
    let (db, name) = (Arc::clone(&alone.table.db), Arc::clone(&alone.table.name));
    let plan = drop_files(FilePlan::new(), session.engine.store(), &db, &name);
    let plan = match new_files(plan, def, super::create_settings(session), (&to.0, &to.1)) {
        Ok(plan) => plan,
        Err(e) => {
            session.give_back(alone);
            return Err(from_engine(&e, &db, &name));
        }
    };
    alone.discard(session, plan)
}

/// Builds the new table beside the old one and puts it in its place, or under the new name.
fn rebuild(
    session: &mut Session,
    a: &AlterTable,
    mut alone: ExclusiveTable,
    work: &AlterBuilder,
    def: TableDef,
    to: &QualifiedName,
) -> SqlResult<Copied> {
    let engine = Arc::clone(&session.engine);
    let (db, name) = (Arc::clone(&alone.table.db), Arc::clone(&alone.table.name));
    let beside = super::scratch_table();
    let result = (|| {
        let new =
            super::create_scratch(session, &db, &beside, &def).map_err(|e| from_engine(&e, &db, &name))?;
        let copied = copy::copy(session, a, &mut alone, work, (&new, &beside))?;
        let files = fill::files_of(session, &new, (&db, &beside))?;
        fill::detach(session, &new, &files, &name)?;
        Ok(copied)
    })();
    let copied = match result {
        Ok(c) => c,
        Err(e) => {
            super::discard(session, &db, &beside);
            session.give_back(alone);
            return Err(e);
        }
    };
    let mut plan = exchange_files(FilePlan::new(), engine.store(), &def, (&db, &beside), (&to.0, &to.1));
    if (&*to.0, &*to.1) != (&*db, &*name) {
        let from = (Arc::clone(&db), Arc::clone(&name));
        plan = move_triggers(drop_files(plan, engine.store(), &db, &name), engine.store(), &from, &from, to)?;
    }
    let result = alone.discard(session, plan);
    if result.is_err() {
        super::discard(session, &db, &beside);
    }
    result.map(|()| copied)
}

/// Whether files of rows and keys of one definition are not those of the other.
pub(super) fn definitions_differ(a: &TableDef, b: &TableDef) -> bool {
    let columns = a.columns.len() == b.columns.len()
        && a.columns.iter().zip(&b.columns).all(|(x, y)| x.name == y.name && stored_alike(x, y));
    !columns || a.keys != b.keys
}
