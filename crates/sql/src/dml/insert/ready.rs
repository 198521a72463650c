//! Rows of an INSERT that are made before its table is locked: those whose values are constants that fit their columns as they are. What needs
//! a warning, an error or the row around it is left to the way that writes row by row.

use super::super::target::lacks_default;
use super::rows::{TextLiterals, before_rows, simple};
use crate::ast::TextRows;
use crate::expr::EvalContext;
use crate::fingerprint::{LiteralKind, LiteralToken, RowItem, ValuesReader};
use crate::plan::change::{InsertPlan, Source};
use crate::session::Session;
use crate::table::{RowBuf, RowList};
use crate::types::literal::{digits_of, is_too_large, literal};
use crate::types::store::{self, StoreMode, Stored};
use crate::types::{FieldType, ValueRef};
use crate::variables::SqlMode;
use schema::definition::DefaultValue;

/// A statement with more text is not read ahead: what is made of it would be kept twice.
const MOST_TEXT: usize = 1 << 20;

/// Rows that are made take no more bytes.
const MOST_BYTES: usize = 4 << 20;

/// The rows of a statement, if all are of this kind. They have no value in an AUTO_INCREMENT column that asks for a number. Nothing is told of them: where
/// there was something to tell it is forgotten, as the statement goes the other way then.
pub(super) fn ready_rows(session: &mut Session, plan: &InsertPlan, text: &[u8]) -> Option<RowList> {
    let mark = session.ctx.warnings.mark();
    let made = make(session, plan, text).filter(|_| session.ctx.warnings.mark() == mark);
    session.ctx.row = 0;
    if made.is_none() {
        session.ctx.warnings.rollback_to(mark);
    }
    made
}

fn make(session: &mut Session, plan: &InsertPlan, text: &[u8]) -> Option<RowList> {
    before_rows(session, plan, text).ok()?;
    let lex_mode = session.lex_mode();
    let ctx = &mut session.ctx;
    let strict = ctx.sql_mode.strict();
    ctx.set_strict(strict);
    let mut rows = Maker {
        plan,
        list: RowList::new(&plan.table.format().layout),
        row: plan.table.new_row(),
        bytes: Vec::new(),
        mode: StoreMode::of(strict),
        zero_asks: !ctx.sql_mode.has(SqlMode::NO_AUTO_VALUE_ON_ZERO),
    };
    match &plan.source {
        Source::Exprs(values) => {
            for row in values {
                rows.begin(ctx)?;
                for (column, e) in plan.columns.iter().zip(row) {
                    match e {
                        None => rows.set_default(*column, ctx)?,
                        Some(e) => {
                            let value = simple(e, ctx)?.clone();
                            rows.set(*column, (value.as_ref(), &e.ty), ctx)?;
                        }
                    }
                }
                rows.end(ctx)?;
            }
        }
        Source::Text(values, exprs) if exprs.is_empty() && text.len() <= MOST_TEXT => {
            rows.of_text(values, text, lex_mode, ctx)?;
        }
        _ => return None,
    }
    Some(rows.list)
}

struct Maker<'p> {
    plan: &'p InsertPlan,
    list: RowList,
    row: RowBuf,
    bytes: Vec<u8>,
    mode: StoreMode,
    zero_asks: bool,
}

impl Maker<'_> {
    fn of_text(
        &mut self,
        values: &TextRows,
        text: &[u8],
        mode: crate::lex::LexMode,
        ctx: &mut EvalContext,
    ) -> Option<()> {
        let mut reader = ValuesReader::new(text, values, mode);
        let mut strings = TextLiterals::new(text, mode, ctx);
        let plan = self.plan;
        while reader.next_row() {
            self.begin(ctx)?;
            for column in &plan.columns {
                let RowItem::Literal(token) = reader.next_value() else { return None };
                self.set_literal(*column, &token, text, &mut strings, ctx)?;
            }
            self.end(ctx)?;
        }
        Some(())
    }

    /// A new row, with defaults in the columns that are not given.
    fn begin(&mut self, ctx: &mut EvalContext) -> Option<()> {
        ctx.row += 1;
        self.row.clear();
        self.plan.missing.iter().try_for_each(|column| self.set_default(*column, ctx))
    }

    fn end(&mut self, ctx: &EvalContext) -> Option<()> {
        (self.list.push(&self.row)
            && self.list.size() <= MOST_BYTES
            && !ctx.warnings.has_failed()
            && ctx.check_killed().is_ok())
        .then_some(())
    }

    fn set_literal(
        &mut self,
        column: usize,
        token: &LiteralToken,
        text: &[u8],
        strings: &mut TextLiterals<'_>,
        ctx: &mut EvalContext,
    ) -> Option<()> {
        match token.kind {
            LiteralKind::Default => self.set_default(column, ctx),
            LiteralKind::Null => self.set(column, (ValueRef::Null, &FieldType::null()), ctx),
            LiteralKind::String => self.set(column, strings.value(token, ctx), ctx),
            LiteralKind::Int if self.plan.schema.auto != Some(column) => {
                self.bytes.clear();
                let to = &self.plan.schema.columns[column];
                if store::store_digits(digits_of(token, text), token.negative, to, &mut self.bytes) {
                    self.row.set(column, &self.bytes);
                    return Some(());
                }
                let (value, ty) = literal(token, text);
                self.set(column, (value.as_ref(), &ty), ctx)
            }
            // this is warned of
            _ if is_too_large(token, text) => None,
            _ => {
                let (value, ty) = literal(token, text);
                self.set(column, (value.as_ref(), &ty), ctx)
            }
        }
    }

    fn set(
        &mut self,
        column: usize,
        (value, ty): (ValueRef<'_>, &FieldType),
        ctx: &mut EvalContext,
    ) -> Option<()> {
        let to = &self.plan.schema.columns[column];
        let numbers = self.plan.schema.auto == Some(column);
        if value.is_null() {
            if to.not_null && !numbers {
                return None;
            }
            self.row.set_null(column);
            return Some(());
        }
        self.bytes.clear();
        let stored = store::store(value, ty, to, self.mode, &mut self.bytes, ctx).ok()?;
        if stored != Stored::Value {
            return None;
        }
        if numbers && self.zero_asks && self.bytes.iter().all(|b| *b == 0) {
            self.row.set_null(column);
        } else {
            self.row.set(column, &self.bytes);
        }
        Some(())
    }

    fn set_default(&mut self, column: usize, ctx: &mut EvalContext) -> Option<()> {
        let plan = self.plan;
        let def = &plan.table.def().columns[column];
        if plan.schema.auto == Some(column) {
            self.row.set_null(column);
            return Some(());
        }
        if lacks_default(def) {
            return None;
        }
        match &def.default {
            DefaultValue::Value(bytes) => self.row.set(column, bytes),
            DefaultValue::Null => self.row.set_null(column),
            DefaultValue::Now => {
                self.bytes.clear();
                store::put_now(&plan.schema.columns[column], &mut self.bytes, ctx);
                self.row.set(column, &self.bytes);
            }
            DefaultValue::None if def.nullable => self.row.set_null(column),
            DefaultValue::None | DefaultValue::Expression(_) => return None,
        }
        Some(())
    }
}
