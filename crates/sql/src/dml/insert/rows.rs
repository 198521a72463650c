//! The rows of an INSERT: from bound expressions, from the statement's text, from a query.

use std::sync::Arc;

use super::super::each_batch;
use super::super::target::{Target, lacks_default};
use super::super::update::{both, stop_at_null, tables_of};
use super::{InsertCounters, copied, write_row};
use crate::ast;
use crate::error::{ER_WRONG_VALUE_COUNT_ON_ROW, SqlError, SqlResult, codes};
use crate::expr::{EvalContext, Expr, Frame};
use crate::fingerprint::{LiteralKind, LiteralToken, RowItem, ValuesReader, string_value};
use crate::lex::LexMode;
use crate::plan::QueryPlan;
use crate::plan::change::{InsertPlan, Source};
use crate::session::Session;
use crate::types::casts::Casts;
use crate::types::literal::{digits_of, is_too_large, literal};
use crate::types::store::{self, StoreMode};
use crate::types::{Batch, FieldType, Kind, Value, ValueRef, Vector};
use crate::variables::SqlMode;

pub(super) fn rows(
    session: &mut Session,
    plan: &InsertPlan,
    text: &[u8],
    target: &mut Target,
    progress: &mut InsertCounters,
) -> SqlResult<()> {
    match &plan.source {
        Source::Exprs(rows) => {
            let null_is_zero = rows.len() != 1 || plan.ignore;
            target.bulk_begin(session, plan, Some(rows.len() as u64));
            let work = |ctx: &mut EvalContext,
                        exec: Option<&crate::exec::Exec<'_>>,
                        target: &mut Target,
                        progress: &mut InsertCounters| {
                let mut batch = Target::batch(&plan.schema, 2);
                for row in rows {
                    ctx.check_killed()?;
                    begin_row(ctx, plan, target, progress);
                    fresh(ctx, plan, target)?;
                    let mut loaded = false;
                    for (column, e) in plan.columns.iter().zip(row) {
                        let Some(e) = e else {
                            let set = target.put_default(*column, makes_rows_anew(plan), null_is_zero, ctx);
                            settle(plan, set, ctx)?;
                            continue;
                        };
                        if let Some(v) = simple(e, ctx) {
                            let v = v.clone();
                            let set = target.set(*column, v.as_ref(), &e.ty, null_is_zero, ctx);
                            settle(plan, set, ctx)?;
                            continue;
                        }
                        if !loaded || e.tables() != 0 {
                            Target::load(&plan.schema, &target.new, 0, &mut batch, ctx);
                            target.show_nulls(&mut batch);
                            loaded = true;
                        }
                        let v = evaluate(e, &batch, exec, &plan.holder, ctx);
                        let set = match ctx.warnings.value_or_raise(v, Value::Null)? {
                            Some(v) => target.set(*column, v.as_ref(), &e.ty, null_is_zero, ctx),
                            None => Ok(()),
                        };
                        settle(plan, set, ctx)?;
                    }
                    write_row(ctx, plan, target, progress, &mut batch, exec)?;
                    target.show_row()?;
                }
                Ok(())
            };
            with_holder(session, plan, target, progress, work)
        }
        Source::Text(r, exprs) => {
            let mode = session.lex_mode();
            target.bulk_begin(session, plan, Some(r.rows));
            let work = |ctx: &mut EvalContext,
                        exec: Option<&crate::exec::Exec<'_>>,
                        target: &mut Target,
                        progress: &mut InsertCounters| {
                {
                    let source = RowsOfText { rows: r, exprs, text, mode };
                    text_rows(ctx, plan, &source, target, progress, exec)
                }
            };
            with_holder(session, plan, target, progress, work)
        }
        Source::Query(q) => query_rows(session, plan, q, target, progress),
    }
}

/// Runs `work` with a snapshot when the values have subqueries.
fn with_holder(
    session: &mut Session,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut InsertCounters,
    work: impl FnOnce(
        &mut EvalContext,
        Option<&crate::exec::Exec<'_>>,
        &mut Target,
        &mut InsertCounters,
    ) -> SqlResult<()>,
) -> SqlResult<()> {
    let checked = plan.schema.checked_tables();
    if plan.holder.subqueries.is_empty() && checked.is_empty() {
        return work(&mut session.ctx, None, target, progress);
    }
    session.with_snapshot(&both(&plan.holder.tables, checked), |session, exec| {
        work(&mut session.ctx, Some(exec), target, progress)
    })
}

/// The value of an expression that is only a constant or a parameter.
pub(super) fn simple<'a>(e: &'a Expr, ctx: &'a EvalContext) -> Option<&'a Value> {
    match &e.node {
        crate::expr::Node::Literal(v) => Some(v),
        crate::expr::Node::Param(n) => {
            ctx.statement.params.get(*n as usize).filter(|v| v.is_null() || v.class() == e.ty.class())
        }
        _ => None,
    }
}

fn evaluate(
    e: &Expr,
    batch: &Batch,
    exec: Option<&crate::exec::Exec<'_>>,
    holder: &QueryPlan,
    ctx: &mut EvalContext,
) -> SqlResult<Value> {
    match exec {
        None => e.value_in(Frame::new(batch), ctx),
        Some(exec) => {
            let runner = crate::exec::subquery::Runner::new(exec, holder);
            e.value_in(Frame { batch, subqueries: Some(&runner) }, ctx)
        }
    }
}

pub(super) fn begin_row(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut InsertCounters,
) {
    progress.records += 1;
    let mode = ctx.sql_mode;
    ctx.row = progress.records;
    target.begin_row(mode.strict() && !plan.ignore, target.changed, ctx);
}

/// What is told once, before any row.
pub(super) fn before_rows(session: &mut Session, plan: &InsertPlan, text: &[u8]) -> SqlResult<()> {
    let strict = session.ctx.sql_mode.strict() && !plan.ignore;
    if let Source::Text(rows, exprs) = &plan.source
        && (plan.columns.iter().any(|c| plan.schema.columns[*c].ty.is_special()) || !plan.given.is_empty())
    {
        first_row_of_text(session, plan, rows, exprs, text).tell(strict, &mut session.ctx)?;
    }
    plan.casts.tell(strict, &mut session.ctx)?;
    check_missing(session, plan)
}

/// The assignments of the first row of the text that cannot be.
fn first_row_of_text(
    session: &Session,
    plan: &InsertPlan,
    rows: &ast::TextRows,
    exprs: &[Expr],
    text: &[u8],
) -> Casts {
    let mut casts = Casts::default();
    let mut reader = ValuesReader::new(text, rows, session.lex_mode());
    if !reader.next_row() {
        return casts;
    }
    for column in &plan.columns {
        let to = &plan.schema.columns[*column];
        match reader.next_value() {
            RowItem::EndOfRow => break,
            RowItem::Expr(n) => {
                let n = n as usize;
                casts.add(to, plan.given.get(n).unwrap_or(&exprs[n].ty));
            }
            RowItem::Literal(token) if !matches!(token.kind, LiteralKind::String | LiteralKind::Default) => {
                casts.add(to, &literal(&token, text).1);
            }
            RowItem::Literal(_) => {}
        }
    }
    casts
}

/// Whether columns may lack a value until triggers have run.
fn judges_nulls(plan: &InsertPlan) -> bool {
    plan.schema.triggers.as_ref().is_some_and(|t| t.judge_nulls())
}

/// Every column that is not given must have a default: told once, before any row.
fn check_missing(session: &mut Session, plan: &InsertPlan) -> SqlResult<()> {
    let columns = &plan.table.def().columns;
    if judges_nulls(plan) && !matches!(plan.source, Source::Query(_)) {
        // triggers may give the values
        return Ok(());
    }
    // what ON DUPLICATE KEY UPDATE gives a value is not asked for, but of the rows of a query
    let query = matches!(plan.source, Source::Query(_));
    let given = |c: &usize| !query && plan.on_duplicate.iter().any(|(to, _)| to == c);
    let lacks = |c: &&usize| lacks_default(&columns[**c]) && !given(c);
    if plan.missing.iter().any(|c| lacks(&c)) {
        let strict = session.ctx.sql_mode.strict() && !plan.ignore;
        session.ctx.set_strict(strict);
        for c in plan.missing.iter().filter(lacks) {
            let warnings = &mut session.ctx.warnings;
            match &plan.schema.view {
                Some(v) => warnings.warn(codes::ER_NO_DEFAULT_FOR_VIEW_FIELD, &[&v.db, &v.name]),
                None => warnings.warn(crate::error::ER_NO_DEFAULT_FOR_FIELD, &[&columns[*c].name]),
            }
        }
        session.ctx.check_failed()?;
    }
    Ok(())
}

/// After a column of a row was set: without a list of columns the first mistake ends the row, with one all
/// columns are looked at first, as the reference server does.
fn settle(plan: &InsertPlan, set: SqlResult<()>, ctx: &mut EvalContext) -> SqlResult<()> {
    if plan.named {
        if judges_nulls(plan) {
            // NULLs are judged at another place then, without the second error, when all columns were looked at
            set.unwrap_or_else(|e| ctx.warnings.raise(e));
            return Ok(());
        }
        return stop_at_null(set, ctx);
    }
    if let Err(e) = set {
        ctx.warnings.raise(e);
    }
    ctx.check_failed()
}

/// Whether each row begins with the defaults, as in the reference: others are made over the row before.
fn makes_rows_anew(plan: &InsertPlan) -> bool {
    plan.named || plan.reads_row || !plan.on_duplicate.is_empty()
}

/// A new row: defaults for the columns that are not given, and, where a column may keep what it had, for the
/// others.
pub(crate) fn fresh(ctx: &mut EvalContext, plan: &InsertPlan, target: &mut Target) -> SqlResult<()> {
    let first = ctx.row <= 1;
    // rows without a list of columns, and those of a query, are made over the row before
    target.explicit_auto_increment = false;
    target.defer_nulls(ast::TriggerEvent::Insert);
    let anew = first
        || makes_rows_anew(plan) && !matches!(plan.source, Source::Query(_))
        || !plan.on_duplicate.is_empty();
    if anew {
        target.new.clear();
    }
    if anew && target.mode() != StoreMode::Lenient && !first {
        for column in &plan.columns {
            if plan.schema.columns[*column].ty.kind != Kind::Decimal {
                continue;
            }
            if lacks_default(&plan.table.def().columns[*column]) {
                target.set_zero(*column);
            } else {
                target.set_default(*column, false, ctx)?;
            }
        }
    }
    let rules = plan.schema.rules.as_ref();
    if plan.reads_row || rules.is_some_and(|r| !r.defaults.is_empty()) {
        // expressions see the constant defaults of columns that come later, zeros of those that have none
        for column in 0..plan.schema.columns.len() {
            if lacks_default(&plan.table.def().columns[column]) {
                target.set_zero(column);
            } else if rules.is_none_or(|r| r.default(column).is_none()) {
                target.set_default(column, false, ctx)?;
            }
        }
    }
    // what the first row of a query lacks was told before the rows, and counts as given
    let judged = target.pending.on && first && matches!(plan.source, Source::Query(_));
    target.pending.on &= !judged;
    for column in &plan.missing {
        if plan.schema.rules.as_ref().is_none_or(|r| r.default(*column).is_none()) {
            target.set_default(*column, false, ctx)?;
        }
    }
    target.pending.on |= judged;
    Ok(())
}

/// Rows that stand in the text of a statement.
struct RowsOfText<'a> {
    rows: &'a ast::TextRows,
    /// Those of their values that are no literals.
    exprs: &'a [Expr],
    text: &'a [u8],
    mode: LexMode,
}

fn text_rows(
    ctx: &mut EvalContext,
    plan: &InsertPlan,
    &RowsOfText { rows, exprs, text, mode }: &RowsOfText<'_>,
    target: &mut Target,
    progress: &mut InsertCounters,
    exec: Option<&crate::exec::Exec<'_>>,
) -> SqlResult<()> {
    let mut reader = ValuesReader::new(text, rows, mode);
    let mut literals = Literals::new(text, mode, rows.rows != 1 || plan.ignore, ctx);
    let mut batch = Target::batch(&plan.schema, 2);
    let null_is_zero = literals.null_is_zero;
    while reader.next_row() {
        ctx.check_killed()?;
        begin_row(ctx, plan, target, progress);
        fresh(ctx, plan, target)?;
        for column in &plan.columns {
            match reader.next_value() {
                RowItem::EndOfRow => {
                    return Err(SqlError::new(ER_WRONG_VALUE_COUNT_ON_ROW, &[&progress.records]));
                }
                RowItem::Expr(n) => {
                    let e = &exprs[n as usize];
                    Target::load(&plan.schema, &target.new, 0, &mut batch, ctx);
                    target.show_nulls(&mut batch);
                    let v = evaluate(e, &batch, exec, &plan.holder, ctx);
                    let set = match ctx.warnings.value_or_raise(v, Value::Null)? {
                        Some(v) => target.set(*column, v.as_ref(), &e.ty, null_is_zero, ctx),
                        None => Ok(()),
                    };
                    settle(plan, set, ctx)?;
                }
                RowItem::Literal(token) => literals.set(&token, *column, plan, target, ctx)?,
            }
        }
        write_row(ctx, plan, target, progress, &mut batch, exec)?;
        target.show_row()?;
    }
    Ok(())
}

/// The strings of a text.
pub(super) struct TextLiterals<'a> {
    text: &'a [u8],
    mode: LexMode,
    /// Their type.
    pub ty: FieldType,
    /// The text is in the character set of the connection.
    same_set: bool,
    ascii_set: bool,
    unescaped: Vec<u8>,
    converted: Vec<u8>,
}

impl<'a> TextLiterals<'a> {
    pub fn new(text: &'a [u8], mode: LexMode, ctx: &EvalContext) -> TextLiterals<'a> {
        TextLiterals {
            text,
            mode,
            ty: FieldType::string(0, ctx.collation, crate::types::Derivation::Coercible),
            same_set: std::ptr::eq(ctx.client, ctx.collation.charset),
            ascii_set: ctx.collation.charset.is_ascii_compatible(),
            unescaped: Vec::new(),
            converted: Vec::new(),
        }
    }

    /// The bytes of one and its type.
    #[inline]
    pub fn value(&mut self, token: &LiteralToken, ctx: &EvalContext) -> (ValueRef<'_>, &FieldType) {
        let mut value = string_value(token, self.text, self.mode, &mut self.unescaped);
        if !(self.same_set || token.ascii && self.ascii_set) {
            self.converted.clear();
            ctx.client.convert(value, ctx.collation.charset, &mut self.converted);
            value = &self.converted;
        }
        (ValueRef::Bytes(value), &self.ty)
    }
}

/// Sets columns to literals of a text.
struct Literals<'a> {
    strings: TextLiterals<'a>,
    text: &'a [u8],
    null_is_zero: bool,
    bytes: Vec<u8>,
}

impl<'a> Literals<'a> {
    fn new(text: &'a [u8], mode: LexMode, null_is_zero: bool, ctx: &EvalContext) -> Literals<'a> {
        Literals { strings: TextLiterals::new(text, mode, ctx), text, null_is_zero, bytes: Vec::new() }
    }

    #[inline]
    fn set(
        &mut self,
        token: &LiteralToken,
        column: usize,
        plan: &InsertPlan,
        target: &mut Target,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        match token.kind {
            LiteralKind::Default => {
                let set = target.put_default(column, makes_rows_anew(plan), self.null_is_zero, ctx);
                settle(plan, set, ctx)?;
            }
            LiteralKind::Null => {
                let set = target.set(column, ValueRef::Null, &FieldType::null(), self.null_is_zero, ctx);
                settle(plan, set, ctx)?;
            }
            LiteralKind::String => {
                let (value, ty) = self.strings.value(token, ctx);
                let set = target.set(column, value, ty, self.null_is_zero, ctx);
                settle(plan, set, ctx)?;
            }
            LiteralKind::Int => {
                let digits = digits_of(token, self.text);
                self.bytes.clear();
                if plan.schema.rules.as_ref().is_none_or(|r| !r.is_generated(column))
                    && store::store_digits(
                        digits,
                        token.negative,
                        &plan.schema.columns[column],
                        &mut self.bytes,
                    )
                {
                    target.new.set(column, &self.bytes);
                    target.explicit_auto_increment |= plan.schema.auto == Some(column);
                } else {
                    let (v, ty) = literal(token, self.text);
                    let set = target.set(column, v.as_ref(), &ty, self.null_is_zero, ctx);
                    settle(plan, set, ctx)?;
                }
            }
            _ => {
                if is_too_large(token, self.text) {
                    ctx.warnings.remark(crate::error::ER_DATA_OVERFLOW, &[&"", &"DECIMAL"]);
                }
                let (v, ty) = literal(token, self.text);
                let set = target.set(column, v.as_ref(), &ty, self.null_is_zero, ctx);
                settle(plan, set, ctx)?;
            }
        }
        Ok(())
    }
}

fn query_rows(
    session: &mut Session,
    plan: &InsertPlan,
    q: &Arc<QueryPlan>,
    target: &mut Target,
    progress: &mut InsertCounters,
) -> SqlResult<()> {
    if q.tables.iter().any(|t| t.is_stale()) {
        return Err(SqlError::stale());
    }
    target.bulk_begin(session, plan, None);
    let q = Arc::clone(q);
    if let Some(from) = copied::source(plan, &q, target, &session.ctx) {
        return session.with_snapshot(&tables_of(&q, &plan.holder), |session, exec| {
            copied::rows(session, exec, (plan, &q), from, target, progress)?;
            session.found_by(exec, &q);
            Ok(())
        });
    }
    let mut batch = Target::batch(&plan.schema, 2);
    // what ON DUPLICATE KEY UPDATE takes from the query stands behind
    let given = plan.columns.len();
    let behind = batch.columns.len();
    batch.columns.extend(q.types.iter().skip(given).map(|ty| Vector::new(ty.class())));
    // as in MariaDB, which keeps the rows of a set operation before it stores the first one
    let set = matches!(q.body, crate::plan::Body::Set(_));
    let strict = session.ctx.sql_mode.strict() && !plan.ignore && !set;
    session.with_snapshot(
        &both(&tables_of(&q, &plan.holder), plan.schema.checked_tables()),
        |session, exec| {
            // rows of the table itself are those of before the statement
            each_batch(exec, &q, &mut session.ctx, strict, &mut |ctx, rows| {
                for row in 0..rows.len {
                    ctx.check_killed()?;
                    begin_row(ctx, plan, target, progress);
                    fresh(ctx, plan, target)?;
                    if let Some(number) = rows.columns.get(q.types.len()) {
                        ctx.row = number.i64(row).cast_unsigned();
                    }
                    for ((column, v), ty) in plan.columns.iter().zip(&rows.columns).zip(&q.types) {
                        let set = target.set(*column, v.get(row), ty, true, ctx);
                        settle(plan, set, ctx)?;
                    }
                    for (to, from) in batch.columns[behind..].iter_mut().zip(rows.columns.iter().skip(given))
                    {
                        to.reset(from.class());
                        to.push_from(from, row);
                    }
                    write_row(ctx, plan, target, progress, &mut batch, Some(exec))?;
                    target.show_row()?;
                }
                // the rows that follow are computed as strictly as the next one is stored
                Ok(strict && (target.changed == 0 || ctx.sql_mode.has(SqlMode::STRICT_ALL_TABLES)))
            })?;
            session.found_by(exec, &q);
            Ok(())
        },
    )
}
