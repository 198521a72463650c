//! FLUSH.

use std::sync::Arc;

use crate::ast::Flush;
use crate::error::{self, SqlError, SqlResult};
use crate::failure::no_such_table;
use crate::locks::names::Mode;
use crate::session::Session;
use crate::session::locked::{LockedTable, TableHold, TableLocks};
use crate::session::tables::Access;
use crate::status::consumption::Consumer;
use crate::table::OpenTable;

/// FLUSH.
///
/// # Errors
/// 1099 and 1192 under LOCK TABLES, 1146 for WITH READ LOCK of a missing table.
pub(super) fn flush(session: &mut Session, f: &Flush) -> SqlResult<()> {
    match f {
        Flush::Tables { tables, read_lock, export } => {
            session.engine.catalog.forget_views(None);
            let mut paths = Vec::new();
            for t in tables {
                paths.push(session.table_path(t)?);
            }
            if *export {
                for (db, name) in &paths {
                    let engine = session.engine.catalog.engine(db, name)?;
                    if !engine.can().durable {
                        return Err(SqlError::new(error::ER_ILLEGAL_HA, &[&engine.info().name, db, name]));
                    }
                }
            }
            if *read_lock || *export {
                return with_read_lock(session, &paths);
            }
            check_locked(session, &paths)?;
            let engine = Arc::clone(&session.engine);
            for t in engine.catalog.open_tables() {
                // Without names the tables that others have locked or opened by HANDLER are left to them, as the reference server does.
                let wanted = match paths.is_empty() {
                    true => {
                        let names = &engine.catalog.names;
                        let name = (Arc::clone(&t.db), Arc::clone(&t.name));
                        (session.locks.active || names.lock_tables_owners(&t.db, &t.name).is_empty())
                            && !names.is_held_by_other_handlers(&name, session.owner())
                    }
                    false => paths.iter().any(|(d, n)| *d == t.db && *n == t.name),
                };
                if wanted {
                    close(session, &t)?;
                }
            }
            Ok(())
        }
        Flush::Options(words) => {
            let engine = Arc::clone(&session.engine);
            for word in words {
                match &**word {
                    "PRIVILEGES" => {
                        session.forbid_without_lock("db")?;
                        engine.accounts.reload(&engine)?;
                        engine.accounts.failures.forget_all();
                        engine.usages.reset();
                    }
                    "USER_STATISTICS" => engine.consumers.forget(Consumer::User),
                    "CLIENT_STATISTICS" => engine.consumers.forget(Consumer::Client),
                    "USER_RESOURCES" => engine.usages.reset(),
                    "STATUS" => {
                        engine.connections.fold(&session.connection);
                        engine.caches.flush_status(engine.store());
                    }
                    "GLOBAL STATUS" => engine.flush_status(),
                    "SSL" => engine.encryption.reload()?,
                    "LOGS" | "GENERAL LOGS" | "SLOW LOGS" => {
                        engine.logs.apply(&engine.variables, engine.file_access(), true);
                    }
                    // There are no host caches and query caches to flush.
                    _ => {}
                }
            }
            Ok(())
        }
    }
}

impl Session {
    /// What COM_REFRESH asks for, a bit for each thing: accounts 1, logs 2, tables 4, hosts 8, counters 16.
    ///
    /// # Errors
    /// Those of the FLUSH statements it stands for.
    pub fn refresh(&mut self, what: u8) -> SqlResult<()> {
        for (bit, sql) in [
            (1, "FLUSH PRIVILEGES"),
            (2, "FLUSH LOGS"),
            (4, "FLUSH TABLES"),
            (8, "FLUSH HOSTS"),
            (16, "FLUSH STATUS"),
        ] {
            if what & bit != 0 {
                super::bootstrap::run(self, sql)?;
            }
        }
        Ok(())
    }
}

/// Whether LOCK TABLES lets the session flush tables that it names.
///
/// # Errors
/// 1100 for those that are not locked, 1099 for those that are not locked for writing alone.
fn check_locked(session: &mut Session, paths: &[(Arc<str>, Arc<str>)]) -> SqlResult<()> {
    for (db, name) in paths {
        if session.temporary(db, name).is_some() {
            continue;
        }
        session.split(b"").0.check_locked(db, name, name, Access::Write)?;
        if session.locks.is_fixed(db, name) {
            return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED_FOR_WRITE, &[name]));
        }
    }
    Ok(())
}

/// Writes a table to its files and closes it; the next use opens it again.
fn close(session: &mut Session, t: &Arc<OpenTable>) -> SqlResult<()> {
    if session.locks.active {
        let own = session
            .locks
            .tables
            .iter()
            .find(|l| l.db == t.db && l.name == t.name)
            .map(|l| l.write && !l.local);
        return match own {
            Some(false) => Err(SqlError::new(error::ER_TABLE_NOT_LOCKED_FOR_WRITE, &[&t.name])),
            // Held for writing by this session: its next FLUSH without a lock writes it.
            _ => Ok(()),
        };
    }
    let _names = session.lock_names(&[(&t.db, &t.name)])?;
    // partitions are closed with their table
    let children = t.children().filter(|c| c.are_partitions());
    let parts = children.iter().flat_map(|c| c.in_order_of_names().into_iter().map(|n| &c.tables()[n]));
    let mut guards = Vec::new();
    for table in std::iter::once(t).chain(parts) {
        match session.exclusive(table) {
            Ok(guard) => guards.push(guard),
            Err(e) if e.is_stale() => return Ok(()),
            Err(e) => return Err(e),
        }
    }
    t.set_flushed();
    session.engine.catalog.forget(&t.db, &t.name);
    for guard in guards {
        session.with_wait_limit(&t.name, |wait_limit| guard.detach(wait_limit))?;
    }
    Ok(())
}

/// FLUSH TABLES ... WITH READ LOCK: tables complete on disk and held for reading.
fn with_read_lock(session: &mut Session, paths: &[(Arc<str>, Arc<str>)]) -> SqlResult<()> {
    session.forbid_locked()?;
    let engine = Arc::clone(&session.engine);
    if paths.is_empty() {
        session.lock_all_for_reading()?;
        // Nobody writes: every table becomes whole on disk, and stays so.
        let done =
            session.with_wait_limit("", |wait_limit| engine.store().checkpoint_clean_within(wait_limit));
        if done.is_err() {
            session.global_read_hold = None;
        }
        return done;
    }
    // In the order of names, so that two statements never wait for each other.
    let mut all = paths.to_vec();
    all.sort();
    if let Some(twice) = all.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(SqlError::new(error::ER_NONUNIQ_TABLE, &[&twice[0].1]));
    }
    let named = all;
    let with_children = || {
        let mut all = named.clone();
        all.extend(named.iter().flat_map(|(db, name)| engine.catalog.children(db, name)));
        all.extend(named.iter().flat_map(|(db, name)| engine.catalog.partitions(db, name)));
        all.sort();
        all.dedup();
        all
    };
    let (all, names) = loop {
        let all = with_children();
        let names = all.iter().map(|path| (path.clone(), Mode::Read)).collect();
        let names = engine.catalog.names.hold(names, session.owner(), || session.waiter())?;
        // once the names are held they stay those of the same tables
        if all == with_children() {
            break (all, names);
        }
        session.connection.check_killed()?;
    };
    let mut held = Vec::new();
    for (db, name) in all {
        let part = crate::table::partition::table_of_part(&name).is_some();
        if !part && !engine.catalog.table_exists(&db, &name) {
            return Err(no_such_table(&db, &name));
        }
        let hold = session.retry_if_stale(|session| {
            let t = engine.catalog.table(&db, &name, &|| session.waiter())?;
            session.hold_for_reading(&t)
        })?;
        // Under the lock: from here to UNLOCK TABLES the files are a table for every program.
        session.with_wait_limit(&name, |wait_limit| hold.flush_and_unguard(engine.store(), wait_limit))?;
        let (alias, implicit) = (Box::from(&*name), !named.iter().any(|n| (&n.0, &n.1) == (&db, &name)));
        let hold = Some(TableHold::Read(hold));
        held.push(LockedTable {
            db,
            name,
            alias,
            write: false,
            hold,
            implicit,
            view: false,
            fires: false,
            local: false,
        });
    }
    session.locks = TableLocks { active: true, tables: held, mark: None, names: Some(names) };
    Ok(())
}
