//! CHECK, ANALYZE, OPTIMIZE and REPAIR of MERGE tables: nothing of them can be damaged but the list of the tables under them.

use super::maintain::{Found, error_rows, open};
use crate::ast::{Maintain, MaintainKind, TableName};
use crate::error::{SqlError, codes};
use crate::session::Session;
use crate::session::tables::Access;
use crate::table::engine::read_definition;
use crate::table::merge;
use schema::frm::Frm;

/// What is told of a MERGE table; nothing when it is another table.
pub(super) fn of_merge(session: &mut Session, m: &Maintain, t: &TableName) -> Option<Found> {
    let (db, name) = session.table_path(t).ok()?;
    let def = match session.temporary(&db, &name) {
        Some(table) => TableDefinition::clone(table.def()),
        None => match read_definition(session.engine.store(), &db, &name).ok()? {
            Frm::Table(def) => *def,
            Frm::View(_) => return None,
        },
    };
    if !merge::is_merge(&def) {
        return None;
    }
    let temporary = session.temporary(&db, &name).is_some();
    if matches!(m.kind, MaintainKind::Repair | MaintainKind::Optimize)
        && !temporary
        && let Err(e) = session.split(b"").0.check_locked(&db, &name, &name, Access::Write)
    {
        return Some(error_rows(&e));
    }
    let unsupported =
        |what: &str| Some(vec![("note", format!("The storage engine for the table doesn't support {what}"))]);
    let e = match (open(session, t), m.kind) {
        (Ok(_), MaintainKind::Check) => return Some(vec![("status", "OK".into())]),
        (Ok(_), MaintainKind::Analyze) => return unsupported("analyze"),
        (Ok(_), MaintainKind::Optimize) => return unsupported("optimize"),
        (Ok(_), _) => return unsupported("repair"),
        (Err(e), _) => e,
    };
    if !matches!(e.code, codes::ER_WRONG_MRG_TABLE | codes::ER_ADMIN_WRONG_MRG_TABLE) {
        return Some(error_rows(&e));
    }
    let mut found = Found::new();
    if m.kind == MaintainKind::Repair && m.use_frm {
        // as in MariaDB, which looks for files of the table itself
        found.push(match temporary {
            true => ("Error", crate::failure::no_such_table(&db, &name).message),
            false => ("Warning", "Can't open table".into()),
        });
        found.push(("error", "Corrupt".into()));
        return Some(found);
    }
    if let (MaintainKind::Analyze | MaintainKind::Optimize, Some(before)) = (m.kind, &e.before) {
        found.push(("Error", before.message.clone()));
    }
    if matches!(m.kind, MaintainKind::Check | MaintainKind::Repair) && e.code == codes::ER_WRONG_MRG_TABLE {
        let length = def.layout().reclength;
        for (db, name) in merge::names(&def, &db) {
            if !fits(session, (db, name), length) {
                let path = format!("{db}.{name}");
                found.push(("Error", SqlError::new(codes::ER_ADMIN_WRONG_MRG_TABLE, &[&path]).message));
            }
        }
    }
    found.push(("Error", e.message));
    found.push(("error", "Corrupt".into()));
    Some(found)
}

type TableDefinition = schema::definition::TableDef;

/// Whether there is such a table of MyISAM with rows of this length.
fn fits(session: &Session, (db, name): (&str, &str), length: u32) -> bool {
    let def = match session.temporary(db, name) {
        Some(table) => TableDefinition::clone(table.def()),
        None => match read_definition(session.engine.store(), db, name) {
            Ok(Frm::Table(def)) => *def,
            _ => return false,
        },
    };
    let own = crate::table::engine::default().info().name;
    def.options.engine.eq_ignore_ascii_case(own) && def.layout().reclength == length
}
