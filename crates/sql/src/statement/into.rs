//! SELECT ... INTO variables, OUTFILE and DUMPFILE.

use std::io::Write;

use crate::ast::{self, Into, IntoTarget};
use crate::error::{self, SqlError, SqlResult};
use crate::exec::materialize::{MaterializedRows, Materializer};
use crate::plan::QueryPlan;
use crate::result::Done;
use crate::session::Session;
use crate::types::Batch;
use crate::warning::Level;

/// Bytes that are written to a file at once.
const BLOCK: usize = 1 << 20;

/// Runs a query whose rows do not go to the client.
///
/// # Errors
/// Those of the query; 1172 for several rows into variables, 1222 for a wrong number of columns,
/// 1086 when the file exists, 1290 where `secure_file_priv` forbids it.
pub(super) fn run(session: &mut Session, q: &ast::Query, into: &Into, text: &[u8]) -> SqlResult<Done> {
    let plan = session.plan(q, text)?;
    match into {
        Into::Variables(targets) => to_variables(session, &plan, targets),
        Into::Outfile(format) => {
            let form = match super::outfile::Format::of(format, session.vars.settings.client) {
                Ok(form) => form,
                Err(e) => {
                    // as in MariaDB there is a file then, which is empty
                    create(session, &format.file)?;
                    return Err(e);
                }
            };
            if !form.is_ascii() {
                session.ctx.warnings.warn(error::WARN_NON_ASCII_SEPARATOR_NOT_IMPLEMENTED, &[]);
            }
            if form.is_unsafe(&plan.types) {
                session.ctx.warnings.warn(error::ER_AMBIGUOUS_FIELD_TERM, &[]);
            }
            let rows = kept(session, &plan)?;
            let file = create(session, &format.file)?;
            let mut number = 0u64;
            let write = |batch: &Batch, row: usize, out: &mut Vec<u8>| {
                number += 1;
                form.write_row(&plan.types, batch, row, out, &mut |column| {
                    let text = error::message(error::WARN_DATA_TRUNCATED, &[&plan.names[column], &number]);
                    let code = error::ER_TRUNCATED_WRONG_VALUE_FOR_FIELD;
                    session.ctx.warnings.push_text(Level::Warning, code, text);
                });
            };
            fill(file, &rows, write)?;
            Ok(Done { affected: rows.len(), ..Done::default() })
        }
        Into::Dumpfile(name) => {
            let rows = kept(session, &plan)?;
            let write = |batch: &Batch, row: usize, out: &mut Vec<u8>| {
                for (v, ty) in batch.columns.iter().zip(&plan.types) {
                    super::outfile::value_text(v.get(row), ty, out);
                }
            };
            fill(create(session, name)?, &rows, write)?;
            Ok(Done { affected: rows.len(), ..Done::default() })
        }
    }
}

/// INTO variables: they have the first row's values even where there are several rows.
///
/// # Errors
/// Those of the query; 1172 for several rows, 1222 for a wrong number of columns.
pub(super) fn to_variables(
    session: &mut Session,
    plan: &QueryPlan,
    targets: &[IntoTarget],
) -> SqlResult<Done> {
    // what a variable of a routine takes is computed as strictly as it is stored
    let strict = session.vars.settings.sql_mode.strict();
    let is_strict = |t: &IntoTarget| strict && matches!(t, IntoTarget::Local(_));
    let columns = match targets {
        [one] => vec![is_strict(one); plan.types.len()],
        several => several.iter().map(is_strict).collect(),
    };
    let rows = session.with_snapshot(&plan.tables, |session, exec| {
        let rows = exec.open_strict(plan, columns, &mut session.ctx)?.collect(&mut session.ctx, 2);
        session.found_by(exec, plan);
        rows
    })?;
    session.ctx.check_failed()?;
    let row = match targets {
        [IntoTarget::Local(slot)] => session.row_variable(*slot),
        _ => None,
    };
    let wanted = row.as_ref().map_or(targets.len(), |row| row.fields.len());
    if wanted != plan.types.len() {
        return Err(SqlError::new(error::ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT, &[]));
    }
    if rows.is_empty() {
        session.ctx.warnings.warn(error::ER_SP_FETCH_NO_DATA, &[]);
        return Ok(Done::default());
    }
    if let Some(row) = row {
        let values = plan.types.iter().enumerate().map(|(i, ty)| (rows.value(0, i), ty.clone()));
        session.assign_row(&row, values.collect())?;
    } else {
        for (i, target) in targets.iter().enumerate() {
            match target {
                IntoTarget::User(name) => {
                    let name = name.to_lowercase();
                    session.ctx.set_user_variable(&name, rows.value(0, i), &plan.types[i])?;
                }
                IntoTarget::Local(slot) => {
                    // the row that warnings name
                    session.ctx.calls.rows = 1;
                    session.assign_local(*slot, rows.value(0, i), &plan.types[i])?;
                }
            }
        }
    }
    if rows.len() > 1 {
        return Err(SqlError::new(error::ER_TOO_MANY_ROWS, &[]));
    }
    Ok(Done { affected: 1, ..Done::default() })
}

/// The rows of a query whose file is made when they are complete.
fn kept(session: &mut Session, plan: &QueryPlan) -> SqlResult<MaterializedRows> {
    session.with_snapshot(&plan.tables, |session, exec| {
        let mut keeper = Materializer::new(&session.ctx.budget);
        let mut running = exec.open(plan, &mut session.ctx)?;
        while let Some(batch) = running.next(&mut session.ctx)? {
            keeper.push_batch(batch)?;
        }
        running.finish(&mut session.ctx)?;
        session.found_by(exec, plan);
        keeper.finish()
    })
}

/// Writes rows into a new file.
fn fill(
    mut file: std::fs::File,
    rows: &MaterializedRows,
    mut write: impl FnMut(&Batch, usize, &mut Vec<u8>),
) -> SqlResult<()> {
    let failed = |e: std::io::Error| crate::catalog::database::io_error(&e);
    let mut out = Vec::new();
    let mut rows = rows.read();
    while let Some((batch, run)) = rows.next_run(usize::MAX)? {
        for row in run {
            write(batch, row, &mut out);
            if out.len() >= BLOCK {
                file.write_all(&out).map_err(failed)?;
                out.clear();
            }
        }
    }
    file.write_all(&out).map_err(failed)
}

/// Makes a new file; relative names are in the current database's directory.
fn create(session: &mut Session, name: &[u8]) -> SqlResult<std::fs::File> {
    let name = session.client_text(name);
    let folder = session.database().map(|db| session.engine.catalog.directory(db));
    session.engine.file_access().create(&name, folder.as_deref())
}
