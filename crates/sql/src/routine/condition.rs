//! SIGNAL, RESIGNAL and GET DIAGNOSTICS.

use super::frame::{Frame, Raised};
use crate::ast::program::{Diagnosed, Signal, Target};
use crate::ast::{Expr, SignalItem};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::session::Session;
use crate::types::{FieldType, Value, convert};
use crate::warning::Level;

/// Longest MESSAGE_TEXT, and longest of the other items, in characters.
const MESSAGE: usize = 128;
const ITEM: usize = 64;

/// What SIGNAL raises, before its items.
fn raised_by(state: [u8; 5]) -> Raised {
    let (code, level) = match &state[..2] {
        b"01" => (codes::ER_SIGNAL_WARN, Level::Warning),
        b"02" => (codes::ER_SIGNAL_NOT_FOUND, Level::Error),
        _ => (codes::ER_SIGNAL_EXCEPTION, Level::Error),
    };
    let mut e = SqlError::new(code, &[]);
    e.state = state;
    Raised { level, error: e, items: None }
}

/// SIGNAL.
///
/// # Errors
/// The one it raises; those of its items.
pub(crate) fn signal(session: &mut Session, s: &Signal) -> SqlResult<()> {
    if s.again {
        return Err(SqlError::new(codes::ER_RESIGNAL_WITHOUT_ACTIVE_HANDLER, &[]));
    }
    let Some(state) = s.state else { return Err(SqlError::internal("SIGNAL without a state")) };
    let mut raised = raised_by(state);
    fill(session, s, &mut raised)?;
    raise(session, raised)
}

/// RESIGNAL, in the body of a handler.
///
/// # Errors
/// 1645 outside of one; the one it raises.
pub(super) fn resignal(session: &mut Session, frame: &Frame<'_, '_>, s: &Signal) -> SqlResult<()> {
    let Some(active) = frame.active.last() else {
        return Err(SqlError::new(codes::ER_RESIGNAL_WITHOUT_ACTIVE_HANDLER, &[]));
    };
    let before = active.condition.clone();
    let mut raised = match s.state {
        None => before.clone(),
        Some(state) => {
            let mut raised = raised_by(state);
            raised.error.message.clone_from(&before.error.message);
            raised
        }
    };
    fill(session, s, &mut raised)?;
    session.ctx.warnings.clear();
    for w in &active.entries {
        let own = w.code == before.error.code && w.message == before.error.message;
        // the same condition has come from nowhere else
        let way = w.code == codes::ER_SP_STACK_TRACE;
        if !(own || way) || s.state.is_some() {
            session.ctx.warnings.tell_again(std::slice::from_ref(w));
        }
    }
    raise(session, raised)
}

fn raise(session: &mut Session, raised: Raised) -> SqlResult<()> {
    let mut items = raised.items.unwrap_or_default();
    items.state = raised.error.state;
    if raised.level == Level::Error {
        session.ctx.warnings.make_room();
    }
    session.ctx.warnings.push_signal(raised.level, &raised.error, Some(items));
    match raised.level {
        Level::Error => Err(raised.error),
        Level::Warning | Level::Note => {
            session.ctx.connection.row_count = 0;
            Ok(())
        }
    }
}

/// Computes the items.
fn fill(session: &mut Session, s: &Signal, raised: &mut Raised) -> SqlResult<()> {
    for (item, e) in &s.items {
        let (value, ty) = session.constant(e, "SELECT")?;
        if matches!(value, Value::Null) {
            return Err(SqlError::new(error::ER_WRONG_VALUE_FOR_VAR, &[&item.word(), &"NULL"]));
        }
        if *item == SignalItem::MysqlErrno {
            let n = convert::to_i64(value.as_ref(), &ty, false, &mut session.ctx.conversion);
            match u16::try_from(n) {
                Ok(code) if code > 0 && n <= 65_534 => raised.error.code = code,
                _ => {
                    let shown = n.to_string();
                    return Err(SqlError::new(error::ER_WRONG_VALUE_FOR_VAR, &[&item.word(), &shown]));
                }
            }
            continue;
        }
        let text = text_of(&value, &ty);
        let most = if *item == SignalItem::MessageText { MESSAGE } else { ITEM };
        let text = cut(session, *item, text, most)?;
        if *item == SignalItem::MessageText {
            raised.error.message = text;
        } else {
            let items = raised.items.get_or_insert_default();
            items.texts.retain(|(word, _)| *word != item.word());
            items.texts.push((item.word(), text));
        }
    }
    Ok(())
}

fn text_of(value: &Value, ty: &FieldType) -> String {
    let mut bytes = Vec::new();
    convert::write_text(value.as_ref(), ty, &mut bytes);
    convert::text_of(&bytes, ty.collation.charset)
}

/// Items that are too long: cut with a warning, in strict mode refused.
fn cut(session: &mut Session, item: SignalItem, text: String, most: usize) -> SqlResult<String> {
    if text.chars().count() <= most {
        return Ok(text);
    }
    if session.vars.settings.sql_mode.strict() {
        return Err(SqlError::new(codes::ER_COND_ITEM_TOO_LONG, &[&item.word()]));
    }
    session.ctx.warnings.warn(codes::WARN_COND_ITEM_TRUNCATED, &[&item.word()]);
    Ok(text.chars().take(most).collect())
}

/// GET DIAGNOSTICS.
///
/// # Errors
/// Those of the assignments.
pub(crate) fn diagnose(session: &mut Session, what: &Diagnosed) -> SqlResult<()> {
    match what {
        Diagnosed::Statement(items) => {
            for (target, rows) in items {
                let n = match rows {
                    true => session.ctx.connection.row_count,
                    false => session.ctx.warnings.count_all() as i64,
                };
                assign(session, target, Value::Int(n), &FieldType::bigint(false))?;
            }
        }
        Diagnosed::Condition(number, items) => {
            let n = condition_number(session, number)?;
            let found = usize::try_from(n - 1).ok();
            let Some(w) = found.and_then(|i| session.ctx.warnings.entries().get(i).cloned()) else {
                // told, but the statement goes well
                let e = SqlError::new(codes::ER_DA_INVALID_CONDITION_NUMBER, &[]);
                session.ctx.warnings.push_error(Level::Error, &e);
                session.ctx.connection.row_count = -1;
                return Ok(());
            };
            let utf8 = charset::system();
            for (target, item) in items {
                if *item == SignalItem::MysqlErrno || *item == SignalItem::RowNumber {
                    let n = if *item == SignalItem::RowNumber { 0 } else { i64::from(w.code) };
                    assign(session, target, Value::Int(n), &FieldType::bigint(false))?;
                    continue;
                }
                let text = match item {
                    SignalItem::MessageText => w.message.clone(),
                    SignalItem::ReturnedSqlstate => {
                        let state = w.items.as_ref().map_or_else(|| error::sqlstate(w.code), |i| i.state);
                        String::from_utf8_lossy(&state).into_owned()
                    }
                    _ => {
                        let texts = w.items.as_ref().map(|i| &i.texts[..]).unwrap_or_default();
                        texts
                            .iter()
                            .find(|(word, _)| *word == item.word())
                            .map(|(_, t)| t.clone())
                            .unwrap_or_default()
                    }
                };
                let chars = text.chars().count() as u64;
                let ty = FieldType::string(chars, utf8, charset::derivation::Derivation::Implicit);
                assign(session, target, Value::Bytes(text.into_bytes()), &ty)?;
            }
        }
    }
    Ok(())
}

fn condition_number(session: &mut Session, e: &Expr) -> SqlResult<i64> {
    let (value, ty) = session.constant(e, "SELECT")?;
    Ok(match value {
        Value::Null => 0,
        v => convert::to_i64(v.as_ref(), &ty, false, &mut session.ctx.conversion),
    })
}

fn assign(session: &mut Session, target: &Target, value: Value, ty: &FieldType) -> SqlResult<()> {
    match target {
        Target::User(name) => session.ctx.set_user_variable(&name.to_lowercase(), value, ty),
        Target::Local(slot) => session.assign_local(*slot, value, ty),
    }
}

impl Session {
    /// What is raised from now on is another statement's.
    pub(super) fn statement_is_new(&mut self) {
        self.state.previous_warnings = None;
    }
}
