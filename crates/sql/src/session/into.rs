//! SELECT ... INTO variables, OUTFILE and DUMPFILE.

use std::io::Write;

use super::Session;
use crate::ast::{self, Into, IntoTarget};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::UserVariable;
use crate::result::Done;

/// Most rows that are held in memory on the way to a file.
const MOST_ROWS: usize = usize::MAX;

/// Runs a query whose rows do not go to the client.
///
/// # Errors
/// Those of the query; 1172 for several rows into variables, 1222 for a wrong number of columns,
/// 1086 when the file exists.
pub(super) fn run(session: &mut Session, q: &ast::Query, into: &Into, text: &[u8]) -> SqlResult<Done> {
    let plan = session.plan(q, text)?;
    let most = if matches!(into, Into::Variables(_)) { 2 } else { MOST_ROWS };
    let rows =
        session.with_snapshot(&plan.tables, |session, exec| exec.collect(&plan, &mut session.ctx, most))?;
    match into {
        Into::Variables(targets) => {
            if targets.len() != plan.types.len() {
                return Err(SqlError::new(error::ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[]));
            }
            if rows.len() > 1 {
                return Err(SqlError::new(error::ER_TOO_MANY_ROWS, &[]));
            }
            if rows.is_empty() {
                session.ctx.warnings.warn(error::ER_SP_FETCH_NO_DATA, &[]);
                return Ok(Done::default());
            }
            for (i, target) in targets.iter().enumerate() {
                let IntoTarget::User(name) = target else {
                    return Err(SqlError::not_supported("SELECT ... INTO local variable"));
                };
                let variable = UserVariable { value: rows.value(0, i), ty: plan.types[i].clone() };
                session.ctx.variables.insert(name.to_lowercase().into(), variable);
            }
            Ok(Done { affected: 1, ..Done::default() })
        }
        Into::Outfile(format) => {
            let mut out = Vec::new();
            for row in 0..rows.len() {
                super::outfile::write_row(session, format, &plan.types, &rows, row, &mut out);
            }
            create(session, &format.file, &out)?;
            Ok(Done { affected: rows.len() as u64, ..Done::default() })
        }
        Into::Dumpfile(name) => {
            let mut out = Vec::new();
            for row in 0..rows.len() {
                for (i, ty) in plan.types.iter().enumerate() {
                    super::outfile::value_text(&rows.value(row, i), ty, &mut out);
                }
            }
            create(session, name, &out)?;
            Ok(Done { affected: rows.len() as u64, ..Done::default() })
        }
    }
}

/// Writes a new file; relative names are in the current database's directory.
fn create(session: &mut Session, name: &[u8], bytes: &[u8]) -> SqlResult<()> {
    let name = session.client_text(name);
    let path = std::path::Path::new(&name);
    let path = if path.is_absolute() {
        path.to_path_buf()
    } else {
        match session.database() {
            Some(db) => session.engine.catalog.directory(db).join(path),
            None => session.engine.datadir().join(path),
        }
    };
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(&path);
    let mut file = match file {
        Ok(f) => f,
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(SqlError::new(error::ER_FILE_EXISTS_ERROR, &[&name]));
        }
        Err(e) => {
            return Err(SqlError::with_message(
                1,
                error::message(1, &[]).replace(
                    "Unknown error 1",
                    &format!(
                        "Can't create/write to file '{name}' (Errcode: {} \"{}\")",
                        e.raw_os_error().unwrap_or(5),
                        error::os_error_text(e.raw_os_error().unwrap_or(5))
                    ),
                ),
            ));
        }
    };
    file.write_all(bytes).map_err(|e| crate::catalog::database::io_error(&e))
}
