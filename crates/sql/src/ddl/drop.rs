//! DROP, RENAME and TRUNCATE TABLE.

use std::collections::HashMap;
use std::sync::Arc;

use crate::table::myisam::Emptying;
use pages::{ExclusiveGuard, FilePlan};

use super::repair::is_about_files;
use super::trigger::{drop_triggers, move_triggers};
use crate::ast::{DropTables, RenameTable, TableName};
use crate::catalog::database::fits_file;
use crate::catalog::engines::Stored;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::failure::{from_pages, no_such_table};
use crate::locks::names::{MetadataLockGuard, Mode};
use crate::names::INFORMATION_SCHEMA;
use crate::names::check_new_table_name;
use crate::result::Done;
use crate::session::Session;
use crate::session::locked::{LockedTable, TableHold};
use crate::session::tables::Access;
use crate::table::OpenTable;
use crate::table::engine::{self, PARTITION, drop_files, rename_definition};
use crate::table::partition;
use crate::table::{EngineError, from_engine};
use crate::warning::Level;

/// A table locked exclusively for a DDL statement: by an earlier LOCK TABLES, or by the statement itself.
pub(super) struct ExclusiveTable {
    pub table: Arc<OpenTable>,
    pub guard: ExclusiveGuard,
    /// Its partitions, which are held with it.
    pub parts: Vec<(Arc<OpenTable>, ExclusiveGuard)>,
    /// It is held by LOCK TABLES and stays so when the statement fails.
    pub locked: bool,
}

impl Session {
    /// Holds a table alone.
    ///
    /// # Errors
    /// 1146, 1205, 1099 and 1100 under LOCK TABLES.
    pub(super) fn exclusive_table(&mut self, db: &str, name: &str) -> SqlResult<ExclusiveTable> {
        self.check_defined_here(db, name)?;
        self.split(b"").0.check_locked(db, name, name, Access::Write)?;
        if self.locks.active
            && let Some(guard) = self.locks.take(db, name)
        {
            let table = self.engine.catalog.table(db, name, &|| self.waiter())?;
            let parts = self.locked_parts(&table);
            return Ok(ExclusiveTable { table, guard, parts, locked: true });
        }
        self.retry_if_stale(|session| {
            let table = session.engine.catalog.open_now(db, name)?;
            let guard = session.exclusive(&table)?;
            let parts = session.exclusive_parts(&table)?;
            Ok(ExclusiveTable { table, guard, parts, locked: false })
        })
    }

    /// Holds the partitions of a table alone.
    fn exclusive_parts(&mut self, table: &OpenTable) -> SqlResult<Vec<(Arc<OpenTable>, ExclusiveGuard)>> {
        let Some(children) = table.children().filter(|c| c.are_partitions()) else { return Ok(Vec::new()) };
        let mut held = Vec::with_capacity(children.tables().len());
        for n in children.in_order_of_names() {
            let part = &children.tables()[n];
            held.push((n, Arc::clone(part), self.exclusive(part)?));
        }
        held.sort_by_key(|(n, ..)| *n);
        Ok(held.into_iter().map(|(_, part, guard)| (part, guard)).collect())
    }

    /// The partitions of a table that LOCK TABLES holds.
    fn locked_parts(&mut self, table: &OpenTable) -> Vec<(Arc<OpenTable>, ExclusiveGuard)> {
        let mut held = Vec::new();
        for part in table.children().filter(|c| c.are_partitions()).iter().flat_map(|c| c.tables()) {
            if let Some(guard) = self.locks.take(&part.db, &part.name) {
                held.push((Arc::clone(part), guard));
            }
        }
        held
    }

    /// Under LOCK TABLES a table that is held for a MERGE table alone keeps its definition.
    ///
    /// # Errors
    /// 1099.
    fn check_defined_here(&self, db: &str, name: &str) -> SqlResult<()> {
        match self.locks.is_fixed(db, name) {
            true => Err(SqlError::new(error::ER_TABLE_NOT_LOCKED_FOR_WRITE, &[&name])),
            false => Ok(()),
        }
    }

    /// As [`Session::exclusive_table`] for a MERGE table that is to go or to move, whatever lies under it.
    fn exclusive_bare(&mut self, db: &str, name: &str) -> SqlResult<ExclusiveTable> {
        self.retry_if_stale(|session| {
            let table = session.engine.catalog.open_bare(db, name)?;
            let guard = session.exclusive(&table)?;
            Ok(ExclusiveTable { table, guard, parts: Vec::new(), locked: false })
        })
    }

    /// Gives a table that LOCK TABLES holds back to it, after a statement that failed.
    pub(super) fn give_back(&mut self, alone: ExclusiveTable) {
        if !alone.locked {
            return;
        }
        for (part, guard) in alone.parts {
            self.locks.give(&part.db, &part.name, guard);
        }
        self.locks.give(&alone.table.db, &alone.table.name, alone.guard);
    }

    /// Holds a table again that LOCK TABLES held before a statement made it anew.
    pub(super) fn relock(&mut self, db: &str, name: &str) -> SqlResult<()> {
        let alone = self.retry_if_stale(|session| {
            let table = session.engine.catalog.table(db, name, &|| session.waiter())?;
            let guard = session.exclusive(&table)?;
            let parts = session.exclusive_parts(&table)?;
            Ok(ExclusiveTable { table, guard, parts, locked: true })
        })?;
        self.note_locked_parts(&alone);
        self.give_back(alone);
        Ok(())
    }

    /// Makes the list of what LOCK TABLES holds that of the partitions that a table has now.
    fn note_locked_parts(&mut self, alone: &ExclusiveTable) {
        let (db, name) = (&alone.table.db, &alone.table.name);
        let of_table = |t: &LockedTable| t.db == *db && partition::table_of_part(&t.name) == Some(name);
        self.locks.tables.retain(|t| !of_table(t));
        let entries = alone.parts.iter().map(|(part, _)| LockedTable {
            hold: Some(TableHold::Write(Arc::default())),
            ..LockedTable::implicit(db, &part.name, true)
        });
        self.locks.tables.extend(entries);
    }

    /// Holds names against other definition statements.
    ///
    /// # Errors
    /// 1205, 1213, 1317.
    pub(crate) fn lock_names(&self, names: &[(&str, &str)]) -> SqlResult<MetadataLockGuard> {
        let catalog = &self.engine.catalog;
        // before others who read it are waited for
        for (db, name) in names {
            if self.locks.concurrent(db, name).is_some() {
                return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED_FOR_WRITE, &[name]));
            }
        }
        let mut all: Vec<_> =
            names.iter().map(|(db, name)| ((Arc::from(*db), Arc::from(*name)), Mode::Ddl)).collect();
        // what lies under a MERGE table is opened with it
        let under = names.iter().flat_map(|(db, name)| catalog.children(db, name));
        all.extend(under.map(|child| (child, Mode::Open)));
        self.engine.catalog.names.hold(all, self.owner(), || self.waiter())
    }
}

/// Several tables held alone by one statement.
#[derive(Default)]
pub(super) struct ExclusiveTables {
    tables: Vec<ExclusiveTable>,
    /// Those that cannot be opened, and why.
    refused: Vec<(QualifiedName, SqlError)>,
}

impl ExclusiveTables {
    /// Takes the tables in the order of their names, so that two statements never wait for each other. Damaged tables cannot
    /// be opened, and need not be held: the caller has their names.
    ///
    /// # Errors
    /// 1205, 1317, 1099 and 1100; no table is held then.
    pub fn take(session: &mut Session, mut paths: Vec<QualifiedName>) -> SqlResult<ExclusiveTables> {
        paths.sort();
        paths.dedup();
        let mut held = ExclusiveTables::default();
        for (db, name) in &paths {
            match session.exclusive_table(db, name) {
                Ok(alone) => held.tables.push(alone),
                Err(e) if is_lock_error(&e) => {
                    held.give_back(session);
                    return Err(e);
                }
                Err(e) if matches!(e.code, codes::ER_WRONG_MRG_TABLE | codes::ER_ADMIN_WRONG_MRG_TABLE) => {
                    held.tables.push(session.exclusive_bare(db, name)?);
                }
                Err(e) => {
                    tracing::warn!("{db}.{name}: {}", e.message);
                    held.refused.push(((Arc::clone(db), Arc::clone(name)), e));
                }
            }
        }
        Ok(held)
    }

    /// After a statement that failed.
    pub fn give_back(self, session: &mut Session) {
        for alone in self.tables {
            session.give_back(alone);
        }
    }

    /// Warns of those whose files are gone, as DROP does.
    fn warn_of_missing_files(&self, session: &mut Session) {
        for ((db, name), e) in &self.refused {
            if e.code == codes::ER_FAILED_READ_FROM_PAR_FILE {
                let path = format!("./{}", engine::partition_file(db, name).display());
                let missing = SqlError::new(error::ER_FILE_NOT_FOUND, &[&path, &2]);
                session.ctx.warnings.push_text(Level::Warning, missing.code, missing.message);
            }
            if matches!(e.code, MISSING_ROWS | error::ER_FILE_NOT_FOUND) {
                let (keys, _) = engine::row_files(engine::default(), (db, name));
                let full = session.engine.datadir().join(&keys);
                // a link that leads nowhere is a file all the same
                if session.engine.store().storage().read_link(&full).is_ok_and(|link| link.is_some()) {
                    continue;
                }
                let missing = from_engine(&EngineError::MissingFile { path: keys }, db, name);
                session.ctx.warnings.push_text(Level::Warning, missing.code, missing.message);
            }
        }
    }

    /// Refuses to move tables that have no file of keys.
    fn check_movable(&self, moves: &[(QualifiedName, QualifiedName)]) -> SqlResult<()> {
        for ((db, name), e) in &self.refused {
            let to = moves.iter().find(|(from, _)| *from.0 == **db && *from.1 == **name);
            if let (codes::ER_FAILED_READ_FROM_PAR_FILE, Some((_, to))) = (e.code, to) {
                let path = |db: &str, name: &str| {
                    format!("./{}", crate::table::myisam::base_path(db, name).display())
                };
                let args: [&dyn std::fmt::Display; 3] = [&path(db, name), &path(&to.0, &to.1), &2];
                return Err(SqlError::new(codes::ER_ERROR_ON_RENAME, &args));
            }
            if let (error::ER_FILE_NOT_FOUND, Some((_, to))) = (e.code, to) {
                let file = |db: &str, name: &str| {
                    engine::row_files(engine::default(), (db, name)).0.display().to_string()
                };
                let text = format!(
                    "Error on rename of './{}' to './{}' (Errcode: 2 \"No such file or directory\")",
                    file(db, name),
                    file(&to.0, &to.1)
                );
                return Err(SqlError::with_message(7, text));
            }
        }
        Ok(())
    }

    /// Closes the tables for good and carries out `plan`, at once or not at all.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn discard(self, session: &mut Session, plan: FilePlan) -> SqlResult<()> {
        let name = self.tables.first().map(|a| Arc::clone(&a.table.name)).unwrap_or_default();
        let tables: Vec<Arc<OpenTable>> = self.tables.iter().map(|a| Arc::clone(&a.table)).collect();
        let all = |a: ExclusiveTable| std::iter::once(a.guard).chain(a.parts.into_iter().map(|(_, g)| g));
        let guards = self.tables.into_iter().flat_map(all).collect();
        let result = session.engine.store().discard_all(guards, plan);
        for table in &tables {
            session.engine.catalog.forget(&table.db, &table.name);
        }
        result.map_err(|e| from_pages(&e, &name))
    }

    /// Writes the tables to their files, closes them, and carries out `plan`, which moves the files.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn detach(self, session: &mut Session, plan: FilePlan) -> SqlResult<()> {
        let mut last: Arc<str> = Arc::default();
        for alone in self.tables {
            last = Arc::clone(&alone.table.name);
            alone.detach(session)?;
        }
        session.engine.store().apply(plan).map_err(|e| from_pages(&e, &last))
    }
}

impl ExclusiveTable {
    /// Writes the table to its files and closes it for good.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn detach(self, session: &mut Session) -> SqlResult<()> {
        let name = Arc::clone(&self.table.name);
        session.engine.catalog.forget(&self.table.db, &name);
        for guard in std::iter::once(self.guard).chain(self.parts.into_iter().map(|(_, guard)| guard)) {
            session.with_wait_limit(&name, |wait_limit| guard.detach(wait_limit))?;
        }
        Ok(())
    }

    /// Closes the table for good and carries out `plan`, at once or not at all.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn discard(self, session: &mut Session, plan: FilePlan) -> SqlResult<()> {
        ExclusiveTables { tables: vec![self], refused: Vec::new() }.discard(session, plan)
    }
}

/// The error of a file of rows that is missing.
const MISSING_ROWS: u16 = 29;

/// Errors that say that a table is there but cannot be had.
fn is_lock_error(e: &SqlError) -> bool {
    matches!(
        e.code,
        error::ER_TABLE_NOT_LOCKED
            | error::ER_TABLE_NOT_LOCKED_FOR_WRITE
            | error::ER_LOCK_WAIT_TIMEOUT
            | error::ER_QUERY_INTERRUPTED
            | error::ER_STATEMENT_TIMEOUT
            | error::ER_CONNECTION_KILLED
            | error::ER_LOCK_DEADLOCK
    )
}

/// Database and name.
pub(super) type QualifiedName = (Arc<str>, Arc<str>);

/// DROP TABLE: every table that is there goes, all at once; those that are not are told of at the end.
///
/// # Errors
/// 1965 for a view; 1051 with the names of those that are not there.
pub(super) fn drop_tables(session: &mut Session, d: &DropTables) -> SqlResult<Done> {
    let mut missing: Vec<String> = Vec::new();
    let mut paths = Vec::new();
    for t in &d.names {
        let path = session.table_path(t)?;
        if paths.contains(&path) {
            return Err(SqlError::new(error::ER_NONUNIQ_TABLE, &[&t.name]));
        }
        paths.push(path);
    }
    if session.locks.active {
        let lasting = |path: &&QualifiedName| !d.temporary && session.temporary(&path.0, &path.1).is_none();
        let lasting: Vec<&QualifiedName> = paths.iter().filter(lasting).collect();
        for (db, name) in lasting {
            session.split(b"").0.check_locked(db, name, name, Access::Write)?;
            session.check_defined_here(db, name)?;
        }
    }
    let mut present = Vec::new();
    for (db, name) in &paths {
        if &**db == INFORMATION_SCHEMA {
            let host = session.connection.account().1;
            return Err(SqlError::new(
                error::ER_DBACCESS_DENIED_ERROR,
                &[&session.info.user, &host, &INFORMATION_SCHEMA],
            ));
        }
        if !session.drop_temporary(db, name)? {
            present.push((Arc::clone(db), Arc::clone(name)));
        }
    }
    if d.temporary {
        missing.extend(present.drain(..).map(|(db, name)| format!("{db}.{name}")));
    }
    let engine = Arc::clone(&session.engine);
    let names: Vec<(&str, &str)> = present.iter().map(|(db, name)| (&**db, &**name)).collect();
    let names = session.lock_names(&names)?;
    let mut plan = FilePlan::new();
    let (mut going, mut views) = (Vec::new(), Vec::new());
    for (db, name) in &present {
        let exists = engine.catalog.table_exists(db, name);
        if exists && matches!(engine.catalog.stored(db, name), Stored::Foreign(e) if e == PARTITION) {
            // the engine of its parts cannot say which files there are
            return Err(SqlError::new(error::ER_GET_ERRNO, &[&175, &PARTITION]));
        }
        if exists && engine.catalog.writable(db, name)? == Stored::View {
            views.push(format!("{db}.{name}"));
        } else if exists {
            plan = drop_triggers(drop_files(plan, engine.store(), db, name), engine.store(), (db, name));
            going.push((Arc::clone(db), Arc::clone(name)));
        } else {
            missing.push(format!("{db}.{name}"));
        }
    }
    if !going.is_empty() {
        let held = ExclusiveTables::take(session, going.clone())?;
        held.warn_of_missing_files(session);
        held.discard(session, plan)?;
        let gone = |t: &LockedTable| going.iter().any(|(db, name)| t.db == *db && t.name == *name);
        session.locks.tables.retain(|t| !gone(t));
        if let Some(names) = &session.locks.names {
            going.iter().for_each(|(db, name)| names.give_up(db, name));
        }
        if session.locks.active && session.locks.tables.iter().all(|t| t.view) {
            // nothing is locked any more
            session.unlock_tables();
        }
    }
    drop(names);
    let unknown = (!missing.is_empty()).then(|| missing.join(","));
    let views = views.iter().map(|name| SqlError::new(codes::ER_IT_IS_A_VIEW, &[name]));
    let mut left = views.chain(unknown.map(|names| SqlError::new(error::ER_BAD_TABLE_ERROR, &[&names])));
    if d.if_exists {
        left.for_each(|e| session.ctx.warnings.push_error(Level::Note, &e));
        return Ok(Done::default());
    }
    left.next().map_or_else(|| Ok(Done::default()), Err)
}

/// RENAME TABLE: all pairs from left to right, or none of them.
///
/// # Errors
/// 1050 when a target exists, 1146 when a source does not.
pub(super) fn rename_tables(session: &mut Session, r: &RenameTable) -> SqlResult<Done> {
    session.forbid_locked()?;
    let mut pairs: Vec<(QualifiedName, QualifiedName)> = Vec::with_capacity(r.pairs.len());
    for (from, to) in &r.pairs {
        pairs.push((session.table_path(from)?, session.table_path(to)?));
    }
    let mut temporary = TemporaryMoves::new(session);
    let mut files = Vec::with_capacity(pairs.len());
    for (from, to) in pairs {
        if !temporary.add(&from, &to)? {
            files.push((from, to));
        }
    }
    rename_files(session, &files, r.if_exists)?;
    temporary.carry_out(session);
    Ok(Done::default())
}

/// Temporary tables that RENAME TABLE names: they go before others of their name.
struct TemporaryMoves(Vec<(Arc<OpenTable>, QualifiedName)>);

impl TemporaryMoves {
    fn new(session: &Session) -> TemporaryMoves {
        let now = |t: &Arc<OpenTable>| (Arc::clone(t), (Arc::clone(&t.db), Arc::clone(&t.name)));
        TemporaryMoves(session.temporary.iter().map(now).collect())
    }

    /// Adds one; false when there is no such temporary table.
    ///
    /// # Errors
    /// 1050 when another one has the new name, 1103.
    fn add(&mut self, from: &QualifiedName, to: &QualifiedName) -> SqlResult<bool> {
        let Some(place) = self.0.iter().position(|(_, path)| path == from) else { return Ok(false) };
        check_new_table_name(&to.1)?;
        if self.0.iter().any(|(_, path)| path == to) {
            return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[&to.1]));
        }
        self.0[place].1 = to.clone();
        Ok(true)
    }

    fn carry_out(self, session: &mut Session) {
        for (table, (db, name)) in self.0 {
            if (&*table.db, &*table.name) != (&*db, &*name) {
                session.rename_temporary(&table, db, name);
            }
        }
    }
}

fn rename_files(
    session: &mut Session,
    pairs: &[(QualifiedName, QualifiedName)],
    if_exists: bool,
) -> SqlResult<()> {
    if pairs.is_empty() {
        return Ok(());
    }
    let names: Vec<(&str, &str)> = pairs.iter().flat_map(|(f, t)| [(&*f.0, &*f.1), (&*t.0, &*t.1)]).collect();
    let names = session.lock_names(&names)?;
    let mut renames = Renames::default();
    for (from, to) in pairs {
        let before = renames.tables.len();
        match renames.add(session, from, to) {
            Err(e) if if_exists && e.code == error::ER_NO_SUCH_TABLE => {
                session.ctx.warnings.note(error::ER_NO_SUCH_TABLE, &[&from.0, &from.1]);
            }
            Err(e) => {
                for origin in renames.tables.iter().take(before) {
                    // why the statement fails is the answer
                    let _ = super::trigger::name_anew(session, origin);
                }
                return Err(e);
            }
            Ok(()) => {}
        }
    }
    let held = ExclusiveTables::take(session, renames.tables)?;
    if let Err(e) = held.check_movable(pairs) {
        held.give_back(session);
        return Err(e);
    }
    held.detach(session, renames.plan)?;
    session.engine.catalog.forget_views(None);
    drop(names);
    Ok(())
}

/// What is said of a table that moves into a database that is not there.
pub(super) fn nowhere(from: &QualifiedName, to: &QualifiedName) -> SqlError {
    let file = |path: &QualifiedName| crate::table::myisam::base_path(&path.0, &path.1).display().to_string();
    let text = format!(
        "Error on rename of './{}.MYI' to './{}.MYI' (Errcode: 20 \"Not a directory\")",
        file(from),
        file(to)
    );
    SqlError::with_message(7, text)
}

/// Renamings, each of which sees what the ones before it did.
#[derive(Default)]
pub(super) struct Renames {
    /// What the files must do.
    pub plan: FilePlan,
    /// The tables, by their names of now, that move.
    pub tables: Vec<QualifiedName>,
    /// Where names lead after the moves so far: to a table of now, or nowhere.
    now: HashMap<QualifiedName, Option<QualifiedName>>,
}

impl Renames {
    fn find(&self, session: &Session, path: &QualifiedName) -> Option<QualifiedName> {
        match self.now.get(path) {
            Some(known) => known.clone(),
            None => session.engine.catalog.table_exists(&path.0, &path.1).then(|| path.clone()),
        }
    }

    /// Adds one.
    ///
    /// # Errors
    /// 1146 without a table to move, 1050 when the new name is taken, 7 for a database that is not there, 1103, 1286.
    pub fn add(&mut self, session: &Session, from: &QualifiedName, to: &QualifiedName) -> SqlResult<()> {
        check_new_table_name(&to.1)?;
        let catalog = &session.engine.catalog;
        let Some(origin) = self.find(session, from) else {
            return Err(no_such_table(&from.0, &from.1));
        };
        if catalog.database(&to.0).is_err() && catalog.writable(&origin.0, &origin.1)? != Stored::View {
            return Err(nowhere(from, to));
        }
        if !fits_file(&to.1) {
            let file = |path: &QualifiedName| {
                crate::table::myisam::base_path(&path.0, &path.1).display().to_string()
            };
            let text = format!(
                "Error on rename of './{}.MYI' to './{}' (Errcode: 36 \"File name too long\")",
                file(from),
                file(to)
            );
            return Err(SqlError::with_message(7, text));
        }
        if self.find(session, to).is_some() || catalog.is_sequence(&to.0, &to.1) {
            return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[&to.1]));
        }
        let plan = std::mem::take(&mut self.plan);
        if matches!(catalog.stored(&origin.0, &origin.1), Stored::Foreign(engine) if engine == PARTITION) {
            let path = |(db, name): &(Arc<str>, Arc<str>)| {
                format!("./{}/{}", schema::file_name::encode(db), schema::file_name::encode(name))
            };
            return Err(SqlError::new(error::codes::ER_ERROR_ON_RENAME, &[&path(from), &path(to), &175]));
        }
        let view = catalog.writable(&origin.0, &origin.1)? == Stored::View;
        if view && from.0 != to.0 {
            return Err(SqlError::new(error::codes::ER_FORBID_SCHEMA_CHANGE, &[&from.0, &to.0]));
        }
        self.plan = if view {
            rename_definition(plan, (&from.0, &from.1), (&to.0, &to.1))
        } else {
            self.tables.push(origin.clone());
            let plan = move_triggers(plan, session.engine.store(), &origin, from, to)?;
            let def = catalog.definition(&origin.0, &origin.1)?;
            partition::check_moved_files(&def, from, to)?;
            engine::rename_files(plan, &def, (&from.0, &from.1), (&to.0, &to.1))
        };
        self.now.insert(from.clone(), None);
        self.now.insert(to.clone(), Some(origin));
        Ok(())
    }
}

/// TRUNCATE TABLE: new, empty files.
///
/// # Errors
/// 1146, and those of locks.
pub(super) fn truncate(session: &mut Session, t: &TableName) -> SqlResult<Done> {
    let (db, name) = session.table_path(t)?;
    if super::merge::is_merge(session, &db, &name) {
        return super::merge::truncate(session, &db, &name);
    }
    if let Some(temporary) = session.temporary(&db, &name) {
        session.check_not_taken(&db, &name)?;
        let writer = temporary
            .pages()
            .write_lock(session.owner(), session.lock_timeout(), &|| false)
            .map_err(|e| from_pages(&e, &name))?;
        let table =
            temporary.stored().empty(writer, Emptying::Truncate).map_err(|e| from_engine(&e, &db, &name))?;
        session.replace_temporary(&temporary, table);
        return Ok(Done::default());
    }
    let engine = Arc::clone(&session.engine);
    if engine.catalog.is_view(&db, &name) {
        return Err(match session.locks.active {
            true => SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&name]),
            false => no_such_table(&db, &name),
        });
    }
    let names = session.lock_names(&[(&db, &name)])?;
    // it may have been made anew while its name was waited for
    if super::merge::is_merge(session, &db, &name) {
        return super::merge::truncate(session, &db, &name);
    }
    if engine::has_partition_file(engine.store(), &db, &name) {
        return super::partition::truncate(session, (&db, &name), None);
    }
    let alone = match session.exclusive_table(&db, &name) {
        Ok(alone) => alone,
        Err(e) if is_about_files(&e) => return empty_anew(session, &db, &name, e),
        Err(e) => return Err(e),
    };
    if alone.table.check_writable().is_err() {
        // new files are those of a plain table
        engine.catalog.forget(&db, &name);
        session.with_wait_limit(&name, |wait_limit| alone.guard.detach(wait_limit))?;
        return new_files(session, &db, &name);
    }
    let locked = alone.locked;
    // The guard keeps new readers out while the files change hands; it is taken up again as a
    // writer, which the new generation replaces.
    let writer = alone.guard.downgrade();
    let result = alone.table.stored().empty(writer, Emptying::Truncate);
    engine.catalog.forget(&db, &name);
    drop(names);
    result.map_err(|e| from_engine(&e, &db, &name))?;
    if locked {
        session.relock(&db, &name)?;
    }
    Ok(Done::default())
}

/// TRUNCATE of a table whose files are gone or spoilt: the definition says what new ones look like. The caller holds the name.
fn empty_anew(session: &mut Session, db: &str, name: &str, refused: SqlError) -> SqlResult<Done> {
    tracing::warn!("{db}.{name}: {}; TRUNCATE makes new files", refused.message);
    new_files(session, db, name)
}

/// Puts new, empty files in the place of those of a table that is closed. The caller holds the name.
fn new_files(session: &mut Session, db: &str, name: &str) -> SqlResult<Done> {
    let store = Arc::clone(session.engine.store());
    let failed = |e| from_engine(&e, db, name);
    let schema::frm::Frm::Table(def) = engine::read_definition(&store, db, name).map_err(failed)? else {
        return Err(crate::failure::no_such_table(db, name));
    };
    let settings = super::create_settings(session);
    let plan = engine::empty_files(FilePlan::new(), &def, settings, (db, name)).map_err(failed)?;
    let result = store.apply(plan).map_err(|e| from_pages(&e, name));
    session.engine.catalog.forget(db, name);
    result.map(|()| Done::default())
}
