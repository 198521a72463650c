//! Which statements may stand in the bodies of routines.

use crate::ast::{SetItem, Statement};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::parse::builder::Kind;

/// Whether a function (or a trigger) may run a statement, that of a procedure which it calls as well.
///
/// # Errors
/// 1314, 1336, 1415, 1422.
pub fn check_called(statement: &Statement, trigger: bool) -> SqlResult<()> {
    check(statement, if trigger { Kind::Trigger } else { Kind::Function })
}

/// Whether a statement may stand in a body.
///
/// # Errors
/// 1314 in any; in functions and triggers 1336, 1415, 1422 and 1314.
pub(super) fn check(statement: &Statement, kind: Kind) -> SqlResult<()> {
    use Statement as S;
    let bad = |what: &str| Err(SqlError::new(error::ER_SP_BADSTATEMENT, &[&what]));
    match statement {
        S::Use(_) if kind != Kind::Anonymous => return bad("USE"),
        S::LockTables(_) => return bad("LOCK"),
        S::UnlockTables => return bad("UNLOCK"),
        S::LoadData(_) => return bad("LOAD DATA"),
        S::CreateView(v) if v.alter => return bad("ALTER VIEW"),
        _ => {}
    }
    if !matches!(kind, Kind::Function | Kind::Trigger) {
        return Ok(());
    }
    match statement {
        S::Select(q) if q.into.is_none() => return no_rows(kind),
        S::Explain(_) | S::Describe(..) | S::Show(_) | S::Help(_) => return no_rows(kind),
        S::Maintain(_) | S::CacheIndex(_) | S::LoadIndex(_) => return no_rows(kind),
        S::Insert(i) if !i.returning.is_empty() => return no_rows(kind),
        S::Delete(d) if !d.returning.is_empty() => return no_rows(kind),
        S::Handler(_) => return bad("HANDLER"),
        S::Prepare(..) | S::Execute(..) | S::ExecuteImmediate(..) | S::Deallocate(_) => {
            return Err(SqlError::new(error::ER_STMT_NOT_ALLOWED_IN_SF_OR_TRG, &[&"Dynamic SQL"]));
        }
        S::Set(items) => {
            let autocommit =
                |i: &SetItem| matches!(i, SetItem::System(v, _) if v.name.eq_ignore_ascii_case("autocommit"));
            if items.iter().any(autocommit) {
                return Err(SqlError::new(codes::ER_SP_CANT_SET_AUTOCOMMIT, &[]));
            }
            return Ok(());
        }
        S::Flush(_) | S::Reset(_) => {
            let what = if matches!(statement, S::Flush(_)) { "FLUSH" } else { "RESET" };
            return Err(SqlError::new(error::ER_STMT_NOT_ALLOWED_IN_SF_OR_TRG, &[&what]));
        }
        S::CreateTable(c) if c.temporary => return Ok(()),
        S::DropTable(d) if d.temporary => return Ok(()),
        _ => {}
    }
    if commits(statement) {
        return Err(SqlError::new(codes::ER_COMMIT_NOT_ALLOWED_IN_SF_OR_TRG, &[]));
    }
    Ok(())
}

fn no_rows(kind: Kind) -> SqlResult<()> {
    let what = if kind == Kind::Trigger { "trigger" } else { "function" };
    Err(SqlError::new(codes::ER_SP_NO_RETSET, &[&what]))
}

/// Whether a statement ends the transaction.
fn commits(statement: &Statement) -> bool {
    use Statement as S;
    matches!(statement, S::Begin(_) | S::Commit(_) | S::Rollback(_) | S::OtherObject(_))
        || statement.defines()
        || statement.defines_events()
        || statement.changes_accounts()
}
