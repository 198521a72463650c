//! INSERT and REPLACE.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::delete::delete_row;
use super::target::{Shape, Target, lacks_default, require_default};
use super::update::{Assigned, Finished, change_row, row_query, stop_at_null, value_or_raise};
use crate::ast::{self, ExprKind, Insert, InsertSource, TableRef};
use crate::catalog::OpenTable;
use crate::error::{
    ER_BAD_FIELD_ERROR, ER_FIELD_SPECIFIED_TWICE, ER_WRONG_VALUE_COUNT_ON_ROW, SqlError, SqlResult,
};
use crate::expr::{EvalContext, Expr, Frame};
use crate::lex::LexMode;
use crate::plan::{self, Change, QueryPlan};
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::session::select::{Planning, STALE};
use crate::session::tables::Access;
use crate::shape::{LiteralKind, LiteralToken, RowItem, ValuesReader, string_value};
use crate::types::store;
use crate::types::{Batch, Decimal, FieldType, Kind, Value, ValueRef};
use crate::variables::SqlMode;
use isam::RowPos;

/// Where the values of a row come from.
pub(crate) enum Source {
    /// Bound expressions, row by row; `None` is DEFAULT.
    Exprs(Vec<Vec<Option<Expr>>>),
    /// Rows in the statement's text, and the values among them that are expressions.
    Text(ast::TextRows, Vec<Expr>),
    /// A query.
    Query(Arc<QueryPlan>),
}

/// An INSERT ready to run.
pub(crate) struct InsertPlan {
    pub table: Arc<OpenTable>,
    pub shape: Arc<Shape>,
    /// The columns given, in the order of the values.
    pub columns: Vec<usize>,
    /// The others.
    pub missing: Vec<usize>,
    pub source: Source,
    /// ON DUPLICATE KEY UPDATE.
    pub on_duplicate: Vec<(usize, Assigned)>,
    /// Holds the subqueries of expressions.
    pub holder: Arc<QueryPlan>,
    /// The statement names its columns.
    pub named: bool,
    pub replace: bool,
    pub ignore: bool,
    pub cacheable: bool,
}

/// Runs the statement.
///
/// # Errors
/// Those of the statement.
pub(crate) fn run(
    session: &mut Session,
    i: &Insert,
    text: &[u8],
    _sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    loop {
        let plan = prepare(session, i, text)?;
        match execute(session, &plan, text) {
            Err(e) if e.code == STALE => {
                session.engine.catalog.forget_stale(&plan.table);
            }
            other => return other,
        }
    }
}

/// Binds an INSERT.
///
/// # Errors
/// Unknown names, wrong numbers of values.
pub(crate) fn prepare(session: &mut Session, i: &Insert, text: &[u8]) -> SqlResult<InsertPlan> {
    if !i.returning.is_empty() {
        return Err(SqlError::not_supported("INSERT ... RETURNING"));
    }
    let table = session.base(&i.table, &i.table.name, Access::Write)?;
    let shape = Arc::new(Shape::new(&table, &mut session.ctx)?);
    let def = Arc::clone(table.def());
    let mut columns = Vec::new();
    match &i.columns {
        None => columns.extend(
            (0..def.columns.len())
                .filter(|c| def.columns[*c].visibility == isam::definition::Visibility::Visible),
        ),
        Some(list) => {
            for c in list {
                let at = def.columns.iter().position(|d| crate::ddl::columns::same_name(&d.name, &c.name));
                let Some(at) = at else {
                    return Err(SqlError::new(
                        ER_BAD_FIELD_ERROR,
                        &[&plan::scope::full_name(c), &"INSERT INTO"],
                    ));
                };
                if columns.contains(&at) {
                    return Err(SqlError::new(ER_FIELD_SPECIFIED_TWICE, &[&def.columns[at].name]));
                }
                columns.push(at);
            }
        }
    }
    // `VALUES ()` and an empty list take every default
    let no_values = match &i.source {
        InsertSource::Values(rows) => rows.iter().all(Vec::is_empty),
        InsertSource::Rows(r) => r.columns == 0,
        InsertSource::Query(_) => false,
    };
    if no_values && (i.columns.is_none() || columns.is_empty()) {
        columns.clear();
    }
    let missing = (0..def.columns.len()).filter(|c| !columns.contains(c)).collect();
    let span = ast::Span::default();
    let factor = ast::TableFactor {
        name: i.table.clone(),
        alias: None,
        partitions: Vec::new(),
        hints: Vec::new(),
        system_time: false,
    };
    let never = ast::Expr::new(ExprKind::Literal(ast::Literal::Int(0)), span);
    let query = row_query(vec![TableRef::Table(Box::new(factor))], Some(&never), &[], None);

    let mut values: Vec<&ast::Expr> = Vec::new();
    let wrong_count = |row: u64| SqlError::new(ER_WRONG_VALUE_COUNT_ON_ROW, &[&row]);
    match &i.source {
        InsertSource::Values(rows) => {
            for (n, row) in rows.iter().enumerate() {
                if row.len() != columns.len() {
                    return Err(wrong_count(n as u64 + 1));
                }
                values.extend(row.iter().filter(|e| !matches!(e.kind, ExprKind::Default(None))));
            }
        }
        InsertSource::Rows(r) => {
            if let Some(n) = r.uneven_row {
                return Err(wrong_count(n));
            }
            if r.columns as usize != columns.len() {
                return Err(wrong_count(1));
            }
            values.extend(r.exprs.iter().map(|e| &e.expr));
        }
        InsertSource::Query(_) => {}
    }
    let updates: Vec<&ast::Expr> = i
        .on_duplicate
        .iter()
        .map(|a| &a.value)
        .filter(|e| !matches!(e.kind, ExprKind::Default(None)))
        .collect();
    let plain_values = values.iter().all(|e| is_plain(e)) && i.on_duplicate.is_empty();
    let count = values.len();
    values.extend(updates);
    let targets: Vec<&ast::ColumnRef> = i.on_duplicate.iter().map(|a| &a.column).collect();
    let (exprs, holder, places, cacheable) =
        if plain_values && count > 0 || values.is_empty() && i.on_duplicate.is_empty() {
            let bound = bind_plain(session, &values, text)?;
            (bound.0, empty_holder(), Vec::new(), bound.1)
        } else {
            let c = bind_values(session, &query, &values, count, &targets, text)?;
            let cacheable = c.holder.cacheable;
            (c.exprs, c.holder, c.columns, cacheable)
        };
    let mut exprs = exprs.into_iter();
    let mut next = || exprs.next().ok_or_else(|| SqlError::internal("values"));
    let source = match &i.source {
        InsertSource::Values(rows) => {
            let mut out = Vec::with_capacity(rows.len());
            for row in rows {
                let mut list = Vec::with_capacity(row.len());
                for e in row {
                    list.push(if matches!(e.kind, ExprKind::Default(None)) { None } else { Some(next()?) });
                }
                out.push(list);
            }
            Source::Exprs(out)
        }
        InsertSource::Rows(r) => {
            let mut list = Vec::new();
            for _ in &r.exprs {
                list.push(next()?);
            }
            Source::Text(r.clone(), list)
        }
        InsertSource::Query(q) => {
            session.ctx.set_strict(session.ctx.sql_mode.strict() && !i.ignore);
            let plan = session.plan(q, text);
            session.ctx.set_strict(false);
            let plan = plan?;
            session.ctx.check_failed()?;
            if plan.types.len() != columns.len() {
                return Err(wrong_count(1));
            }
            Source::Query(plan)
        }
    };
    let mut on_duplicate = Vec::new();
    for (a, (_, column)) in i.on_duplicate.iter().zip(&places) {
        let value = if matches!(a.value.kind, ExprKind::Default(None)) {
            require_default(&table, *column)?;
            Assigned::Default
        } else {
            Assigned::Expr(next()?)
        };
        on_duplicate.push((*column, value));
    }
    Ok(InsertPlan {
        table,
        shape,
        columns,
        missing,
        source,
        on_duplicate,
        holder,
        named: i.columns.is_some(),
        replace: i.replace,
        ignore: i.ignore,
        cacheable,
    })
}

impl InsertPlan {
    /// Takes other rows of the text.
    ///
    /// # Errors
    /// 1136 when they have another number of values.
    pub(crate) fn set_rows(&mut self, rows: &ast::TextRows) -> SqlResult<()> {
        if rows.columns as usize != self.columns.len() {
            return Err(SqlError::new(ER_WRONG_VALUE_COUNT_ON_ROW, &[&1]));
        }
        if let Source::Text(r, _) = &mut self.source {
            *r = rows.clone();
        }
        Ok(())
    }
}

/// An expression that needs no names at all.
fn is_plain(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Lifted(..) | ExprKind::Param(_) => true,
        ExprKind::Unary(_, inner) => is_plain(inner),
        _ => false,
    }
}

pub(crate) fn empty_holder() -> Arc<QueryPlan> {
    Arc::new(QueryPlan {
        shape: Arc::new(crate::result::ResultShape::new(Vec::new())),
        types: Vec::new(),
        names: Vec::new(),
        body: plan::Body::Values(Vec::new()),
        subqueries: Vec::new(),
        tables: Vec::new(),
        cacheable: true,
        calc_found_rows: false,
    })
}

fn bind_plain(session: &mut Session, values: &[&ast::Expr], text: &[u8]) -> SqlResult<(Vec<Expr>, bool)> {
    let (view, ctx) = session.split(text);
    let mut scope = crate::session::scope::TableScope { view, table: None, values: false };
    let mut out = Vec::with_capacity(values.len());
    let mut cacheable = true;
    for e in values {
        let mut b = crate::bind::ExprBinder::new(&mut scope, ctx);
        b.allow_aggregates = false;
        out.push(b.bind(e)?);
        cacheable &= b.cacheable;
    }
    Ok((out, cacheable))
}

fn bind_values(
    session: &mut Session,
    query: &ast::Query,
    values: &[&ast::Expr],
    count: usize,
    columns: &[&ast::ColumnRef],
    text: &[u8],
) -> SqlResult<Change> {
    let reader = session.take_reader();
    let (view, ctx) = session.split(text);
    let mut env = Planning { view, reader: &reader };
    ctx.changes_data = true;
    let change = plan::plan_change(query, values, columns, Some(count), &mut env, ctx);
    session.give_reader(reader);
    change
}

/// What a running INSERT counts.
#[derive(Default)]
pub(crate) struct Progress {
    /// Rows read from the source.
    pub records: u64,
    /// Rows written, deleted or updated.
    pub affected: u64,
    /// Duplicates ignored, replaced or updated.
    pub duplicates: u64,
    /// Rows inserted.
    pub copied: u64,
    /// Rows that a constraint kept out.
    pub left_out: u64,
    first_generated: u64,
    generated: u64,
    last_explicit: u64,
    updated_id: u64,
}

impl Progress {
    /// The first number that was made, 0 for none.
    pub fn first_generated(&self) -> u64 {
        self.first_generated
    }
}

/// Runs a bound INSERT; `text` is the statement's text, where its rows may stand.
///
/// # Errors
/// Those of the statement; the internal one of a stale table.
pub(crate) fn execute(session: &mut Session, plan: &InsertPlan, text: &[u8]) -> SqlResult<Done> {
    if plan.table.is_stale() {
        return Err(crate::session::select::stale());
    }
    let mut target = Target::lock(session, &plan.table, &plan.shape)?;
    session.ctx.changes_data = true;
    let mut progress = Progress::default();
    let result =
        check_missing(session, plan).and_then(|()| rows(session, plan, text, &mut target, &mut progress));
    let many = match &plan.source {
        Source::Exprs(rows) => rows.len() > 1,
        Source::Text(r, _) => r.rows > 1,
        Source::Query(_) => true,
    };
    finish_ids(session, &progress);
    let ended = target.end(session, result);
    session.ctx.row = 0;
    ended?;
    let info = if many {
        format!(
            "Records: {}  Duplicates: {}  Warnings: {}",
            progress.records - progress.left_out,
            progress.duplicates,
            session.ctx.warnings.wire_count()
        )
    } else {
        String::new()
    };
    let last_insert_id = if progress.first_generated != 0 {
        progress.first_generated
    } else if session.ctx.connection.last_insert_id_set {
        session.ctx.connection.last_insert_id
    } else if progress.copied > 0 {
        progress.last_explicit
    } else {
        progress.updated_id
    };
    Ok(Done { affected: progress.affected, last_insert_id, info, ..Done::default() })
}

/// LAST_INSERT_ID() is the first number the statement made.
pub(crate) fn finish_ids(session: &mut Session, progress: &Progress) {
    if progress.first_generated != 0 {
        session.last_insert_id = progress.first_generated;
        session.ctx.connection.last_insert_id = progress.first_generated;
    }
    session.insert_id = 0;
}

fn rows(
    session: &mut Session,
    plan: &InsertPlan,
    text: &[u8],
    target: &mut Target,
    progress: &mut Progress,
) -> SqlResult<()> {
    match &plan.source {
        Source::Exprs(rows) => {
            let null_is_zero = rows.len() != 1 || plan.ignore;
            let work = |session: &mut Session,
                        exec: Option<&crate::exec::Exec<'_>>,
                        target: &mut Target,
                        progress: &mut Progress| {
                let mut batch = Target::batch(&plan.shape, 2);
                for row in rows {
                    session.ctx.check_killed()?;
                    begin_row(session, plan, target, progress);
                    fresh(session, plan, target)?;
                    let mut loaded = false;
                    for (column, e) in plan.columns.iter().zip(row) {
                        let Some(e) = e else {
                            target.set_default(*column, true, &mut session.ctx)?;
                            settle(plan, Ok(()), &mut session.ctx)?;
                            continue;
                        };
                        if let Some(v) = simple(e, &session.ctx) {
                            let v = v.clone();
                            let set = target.set(*column, v.as_ref(), &e.ty, null_is_zero, &mut session.ctx);
                            settle(plan, set, &mut session.ctx)?;
                            continue;
                        }
                        if !loaded || e.tables() != 0 {
                            Target::load(&plan.shape, &target.new, 0, &mut batch, &session.ctx);
                            loaded = true;
                        }
                        let v = evaluate(e, &batch, exec, &plan.holder, &mut session.ctx);
                        let set = match value_or_raise(v, &mut session.ctx)? {
                            Some(v) => target.set(*column, v.as_ref(), &e.ty, null_is_zero, &mut session.ctx),
                            None => Ok(()),
                        };
                        settle(plan, set, &mut session.ctx)?;
                    }
                    write_row(session, plan, target, progress, &mut batch, exec)?;
                }
                Ok(())
            };
            with_holder(session, plan, target, progress, work)
        }
        Source::Text(r, exprs) => {
            let mode = session.lex_mode();
            let work = |session: &mut Session,
                        exec: Option<&crate::exec::Exec<'_>>,
                        target: &mut Target,
                        progress: &mut Progress| {
                text_rows(session, plan, r, exprs, text, mode, target, progress, exec)
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
    progress: &mut Progress,
    work: impl FnOnce(&mut Session, Option<&crate::exec::Exec<'_>>, &mut Target, &mut Progress) -> SqlResult<()>,
) -> SqlResult<()> {
    if plan.holder.subqueries.is_empty() {
        return work(session, None, target, progress);
    }
    let holder = Arc::clone(&plan.holder);
    session.with_snapshot(&holder.tables, |session, exec| work(session, Some(exec), target, progress))
}

/// The value of an expression that is only a constant or a parameter.
fn simple<'a>(e: &'a Expr, ctx: &'a EvalContext) -> Option<&'a Value> {
    match &e.node {
        crate::expr::Node::Literal(v) => Some(v),
        crate::expr::Node::Param(n) => {
            ctx.params.get(*n as usize).filter(|v| v.is_null() || v.class() == e.ty.class())
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
            let runner = crate::exec::subquery::Runner { exec, plan: holder };
            e.value_in(Frame { batch, subqueries: Some(&runner) }, ctx)
        }
    }
}

fn begin_row(session: &mut Session, plan: &InsertPlan, target: &Target, progress: &mut Progress) {
    progress.records += 1;
    let mode = session.ctx.sql_mode;
    session.ctx.row = progress.records;
    let strict = mode.strict() && !plan.ignore;
    session.ctx.careful = strict;
    session.ctx.set_strict(strict && (target.changed == 0 || mode.has(SqlMode::STRICT_ALL_TABLES)));
}

/// Every column that is not given must have a default: told once, before any row.
fn check_missing(session: &mut Session, plan: &InsertPlan) -> SqlResult<()> {
    let columns = &plan.table.def().columns;
    if plan.missing.iter().any(|c| lacks_default(&columns[*c])) {
        session.ctx.set_strict(session.ctx.sql_mode.strict() && !plan.ignore);
        for c in &plan.missing {
            if lacks_default(&columns[*c]) {
                session.ctx.warnings.warn(crate::error::ER_NO_DEFAULT_FOR_FIELD, &[&columns[*c].name]);
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
        return stop_at_null(set, ctx);
    }
    if let Err(e) = set {
        ctx.warnings.raise(e);
    }
    ctx.check_failed()
}

/// A new row: defaults for the columns that are not given, and, where a column may keep what it had, for the
/// others.
pub(crate) fn fresh(session: &mut Session, plan: &InsertPlan, target: &mut Target) -> SqlResult<()> {
    let first = session.ctx.row <= 1;
    // rows without a list of columns, and those of a query, are made over the row before
    let listed = plan.named && !matches!(plan.source, Source::Query(_));
    target.numbered = false;
    let anew = first || listed || !plan.on_duplicate.is_empty();
    if anew {
        target.new.clear();
    }
    if anew && session.ctx.careful && !first {
        for column in &plan.columns {
            if plan.shape.columns[*column].ty.kind == Kind::Decimal {
                target.set_default(*column, false, &mut session.ctx)?;
            }
        }
    }
    if let Some(rules) = &plan.shape.rules
        && !rules.defaults.is_empty()
    {
        // expressions see the constant defaults of columns that come later
        for column in 0..plan.shape.columns.len() {
            if rules.default(column).is_none() && !lacks_default(&plan.table.def().columns[column]) {
                target.set_default(column, false, &mut session.ctx)?;
            }
        }
    }
    for column in &plan.missing {
        if plan.shape.rules.as_ref().is_none_or(|r| r.default(*column).is_none()) {
            target.set_default(*column, false, &mut session.ctx)?;
        }
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn text_rows(
    session: &mut Session,
    plan: &InsertPlan,
    rows: &ast::TextRows,
    exprs: &[Expr],
    text: &[u8],
    mode: LexMode,
    target: &mut Target,
    progress: &mut Progress,
    exec: Option<&crate::exec::Exec<'_>>,
) -> SqlResult<()> {
    let mut reader = ValuesReader::new(text, rows, mode);
    let mut batch = Target::batch(&plan.shape, 2);
    let null_is_zero = rows.rows != 1 || plan.ignore;
    let (client, connection) = (session.settings().client, session.settings().connection);
    let text_type = FieldType::string(0, connection, crate::types::Derivation::Coercible);
    let same_set = std::ptr::eq(client, connection.charset);
    let (mut unescaped, mut converted, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    while reader.next_row() {
        session.ctx.check_killed()?;
        begin_row(session, plan, target, progress);
        fresh(session, plan, target)?;
        for column in &plan.columns {
            match reader.next_value() {
                RowItem::EndOfRow => {
                    return Err(SqlError::new(ER_WRONG_VALUE_COUNT_ON_ROW, &[&progress.records]));
                }
                RowItem::Expr(n) => {
                    let e = &exprs[n as usize];
                    Target::load(&plan.shape, &target.new, 0, &mut batch, &session.ctx);
                    let v = evaluate(e, &batch, exec, &plan.holder, &mut session.ctx);
                    let set = match value_or_raise(v, &mut session.ctx)? {
                        Some(v) => target.set(*column, v.as_ref(), &e.ty, null_is_zero, &mut session.ctx),
                        None => Ok(()),
                    };
                    settle(plan, set, &mut session.ctx)?;
                }
                RowItem::Literal(token) => match token.kind {
                    LiteralKind::Default => {
                        target.set_default(*column, true, &mut session.ctx)?;
                        settle(plan, Ok(()), &mut session.ctx)?;
                    }
                    LiteralKind::Null => {
                        let set = target.set(
                            *column,
                            ValueRef::Null,
                            &FieldType::null(),
                            null_is_zero,
                            &mut session.ctx,
                        );
                        settle(plan, set, &mut session.ctx)?;
                    }
                    LiteralKind::String => {
                        let mut value = string_value(&token, text, mode, &mut unescaped);
                        if !same_set && !token.ascii {
                            converted.clear();
                            client.convert(value, connection.charset, &mut converted);
                            value = &converted;
                        }
                        let set = target.set(
                            *column,
                            ValueRef::Bytes(value),
                            &text_type,
                            null_is_zero,
                            &mut session.ctx,
                        );
                        settle(plan, set, &mut session.ctx)?;
                    }
                    LiteralKind::Int => {
                        let digits = digits_of(&token, text);
                        bytes.clear();
                        if plan.shape.rules.as_ref().is_none_or(|r| !r.is_generated(*column))
                            && store::store_digits(
                                digits,
                                token.negative,
                                &plan.shape.columns[*column],
                                &mut bytes,
                            )
                        {
                            target.new.set(*column, &bytes);
                            target.numbered |= plan.shape.auto == Some(*column);
                        } else {
                            let (v, ty) = literal(&token, text);
                            let set = target.set(*column, v.as_ref(), &ty, null_is_zero, &mut session.ctx);
                            settle(plan, set, &mut session.ctx)?;
                        }
                    }
                    _ => {
                        let (v, ty) = literal(&token, text);
                        let set = target.set(*column, v.as_ref(), &ty, null_is_zero, &mut session.ctx);
                        settle(plan, set, &mut session.ctx)?;
                    }
                },
            }
        }
        write_row(session, plan, target, progress, &mut batch, exec)?;
    }
    Ok(())
}

fn digits_of<'a>(token: &LiteralToken, text: &'a [u8]) -> &'a [u8] {
    let t = token.text(text);
    let t = if token.negative { t.get(1..).unwrap_or_default() } else { t };
    t.trim_ascii()
}

/// The value of a literal of the text that is no string.
pub(crate) fn literal(token: &LiteralToken, text: &[u8]) -> (Value, FieldType) {
    let digits = digits_of(token, text);
    let number = || std::str::from_utf8(digits).unwrap_or("0");
    match token.kind {
        LiteralKind::Int | LiteralKind::UInt => {
            let n: u64 = number().parse().unwrap_or(u64::MAX);
            if token.negative {
                match i64::try_from(n) {
                    Ok(n) => (Value::Int(-n), FieldType::bigint(false)),
                    Err(_) => decimal(digits, true),
                }
            } else if let Ok(n) = i64::try_from(n) {
                (Value::Int(n), FieldType::bigint(false))
            } else {
                (Value::UInt(n), FieldType::bigint(true))
            }
        }
        LiteralKind::Decimal => decimal(digits, token.negative),
        LiteralKind::Float => {
            let x: f64 = number().parse().unwrap_or(0.0);
            (Value::Double(if token.negative { -x } else { x }), FieldType::double())
        }
        LiteralKind::Bool => {
            let yes = token.text(text).first().is_some_and(|b| b.eq_ignore_ascii_case(&b't'));
            (Value::Int(i64::from(yes)), FieldType::int(1))
        }
        LiteralKind::HexNumber | LiteralKind::HexString => {
            let t = token.text(text);
            let t = if token.kind == LiteralKind::HexNumber { &t[2..] } else { &t[2..t.len() - 1] };
            (
                Value::Bytes(unhex(t)),
                FieldType { hex: token.kind == LiteralKind::HexNumber, ..hex_type(t.len()) },
            )
        }
        LiteralKind::Bit => {
            let t: Vec<u8> = token.text(text).iter().copied().filter(|b| matches!(b, b'0' | b'1')).collect();
            // the 0 of `0b` is no digit
            let t = if token.text(text).first() == Some(&b'0') { &t[1..] } else { &t[..] };
            let mut out = vec![0u8; t.len().div_ceil(8)];
            for (i, b) in t.iter().rev().enumerate() {
                if *b == b'1' {
                    let at = out.len() - 1 - i / 8;
                    out[at] |= 1 << (i % 8);
                }
            }
            let n = out.len();
            (Value::Bytes(out), hex_type(n * 2))
        }
        LiteralKind::String | LiteralKind::Null | LiteralKind::Default => (Value::Null, FieldType::null()),
    }
}

fn hex_type(digits: usize) -> FieldType {
    let mut ty =
        FieldType::string(digits as u64 / 2 + 1, charset::binary(), crate::types::Derivation::Coercible);
    ty.hex = true;
    ty
}

fn unhex(digits: &[u8]) -> Vec<u8> {
    let nibble = |b: u8| char::from(b).to_digit(16).unwrap_or(0) as u8;
    let (odd, rest) = digits.split_at(digits.len() % 2);
    odd.iter().map(|b| nibble(*b)).chain(rest.chunks(2).map(|p| nibble(p[0]) << 4 | nibble(p[1]))).collect()
}

fn decimal(digits: &[u8], negative: bool) -> (Value, FieldType) {
    let d = Decimal::parse(digits).value;
    let d = if negative { d.negated() } else { d };
    (Value::Decimal(d), FieldType::decimal(d.precision(), d.scale()))
}

fn query_rows(
    session: &mut Session,
    plan: &InsertPlan,
    q: &Arc<QueryPlan>,
    target: &mut Target,
    progress: &mut Progress,
) -> SqlResult<()> {
    if q.tables.iter().any(|t| t.is_stale()) {
        return Err(crate::session::select::stale());
    }
    let q = Arc::clone(q);
    let mut batch = Target::batch(&plan.shape, 2);
    let strict = session.ctx.sql_mode.strict() && !plan.ignore;
    // the rows that follow are computed as strictly as the next one is stored
    let searching = Cell::new(strict);
    session.with_snapshot(&q.tables, |session, exec| {
        // rows of the table itself are those of before the statement
        session.each_batch(exec, &q, &searching, &mut |session, rows| {
            for row in 0..rows.len {
                session.ctx.check_killed()?;
                begin_row(session, plan, target, progress);
                fresh(session, plan, target)?;
                for ((column, v), ty) in plan.columns.iter().zip(&rows.columns).zip(&q.types) {
                    let set = target.set(*column, v.get(row), ty, true, &mut session.ctx);
                    settle(plan, set, &mut session.ctx)?;
                }
                write_row(session, plan, target, progress, &mut batch, Some(exec))?;
            }
            let all = session.ctx.sql_mode.has(SqlMode::STRICT_ALL_TABLES);
            searching.set(strict && (target.changed == 0 || all));
            Ok(ControlFlow::Continue(()))
        })
    })
}

/// Gives the row its number when it asks for one. True when it was made here.
fn number(session: &mut Session, plan: &InsertPlan, target: &mut Target) -> SqlResult<Option<u64>> {
    let Some(column) = plan.shape.auto else { return Ok(None) };
    let to = &plan.shape.columns[column];
    let value =
        target.new.as_view().column(column).map(|b| crate::types::load::value(Some(b), &to.ty, &session.ctx));
    // NULL, DEFAULT and no value at all ask for a number in any mode
    let zero_asks = !target.numbered || !session.ctx.sql_mode.has(SqlMode::NO_AUTO_VALUE_ON_ZERO);
    let asks = match value {
        None => true,
        Some(Value::Int(0) | Value::UInt(0)) => zero_asks,
        Some(Value::Double(0.0)) => zero_asks,
        _ => false,
    };
    if !asks {
        return Ok(None);
    }
    let next = if session.insert_id != 0 {
        std::mem::take(&mut session.insert_id)
    } else if plan.table.table.format.auto_column == Some(column) {
        target.writer.auto_increment().saturating_add(1)
    } else {
        next_in_group(plan, target, column)?
    };
    let (increment, offset) =
        (session.settings().auto_increment_increment.max(1), session.settings().auto_increment_offset.max(1));
    let next = if increment == 1 && offset == 1 {
        next
    } else {
        let base = if offset > increment { 1 } else { offset };
        if next <= base { base } else { base + (next - base).div_ceil(increment) * increment }
    };
    let mut bytes = Vec::new();
    let v = ValueRef::UInt(next);
    let strict = std::mem::replace(&mut session.ctx.strict, true);
    let stored = store::store(v, &FieldType::bigint(true), to, &mut bytes, &mut session.ctx);
    session.ctx.strict = strict;
    if stored.is_err() {
        return Err(if matches!(to.ty.kind, Kind::LongLong) {
            SqlError::new(crate::error::ER_AUTOINC_READ_FAILED, &[])
        } else {
            // the handler's own number of the error
            let mut e = SqlError::new(crate::error::ER_WARN_DATA_OUT_OF_RANGE, &[&to.name, &session.ctx.row]);
            e.code = 167;
            e
        });
    }
    target.new.set(column, &bytes);
    Ok(Some(next))
}

/// The next number when the column is not first in its key: one more than the largest with the same
/// values before it.
fn next_in_group(plan: &InsertPlan, target: &Target, column: usize) -> SqlResult<u64> {
    let format = &plan.table.table.format;
    let place = format
        .keys
        .iter()
        .enumerate()
        .find_map(|(k, key)| key.segments.iter().position(|s| s.column == column).map(|at| (k, at)));
    let Some((k, at)) = place else { return Ok(1) };
    let view = target.new.as_view();
    let values: Vec<Option<&[u8]>> =
        format.keys[k].segments[..at].iter().map(|s| view.column(s.column)).collect();
    let mut flat = Vec::new();
    format.encode_key(k, &values, &mut flat);
    let mut cursor = isam::KeyCursor::new(format, k);
    let found = cursor
        .seek(target.writer.store(), &flat, at, isam::SeekMode::ExactLast)
        .map_err(|e| target.error(&e))?;
    if !found {
        return Ok(1);
    }
    let mut scratch = [0u8; 8];
    let last = cursor.part(at, &mut scratch).map_or(0, little);
    Ok(last + 1)
}

/// Writes the row in `target.new`, and settles duplicates as the statement asks.
pub(crate) fn write_row(
    session: &mut Session,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut Progress,
    batch: &mut Batch,
    exec: Option<&crate::exec::Exec<'_>>,
) -> SqlResult<()> {
    if plan.shape.rules.is_some() {
        target.late_defaults(&plan.missing, &mut session.ctx)?;
    }
    session.ctx.check_failed()?;
    let generated = match number(session, plan, target) {
        Err(e) if plan.ignore => {
            session.ctx.warnings.push_error(crate::warning::Level::Warning, &e);
            return Ok(());
        }
        other => other?,
    };
    if plan.shape.rules.is_some() {
        target.compute(&plan.columns, &mut session.ctx)?;
        // with IGNORE a row alone is refused still
        let alone = match &plan.source {
            Source::Exprs(rows) => rows.len() == 1,
            Source::Text(rows, _) => rows.rows == 1,
            Source::Query(_) => false,
        };
        if !target.check(plan.ignore && !alone, &mut session.ctx)? {
            progress.left_out += 1;
            return Ok(());
        }
    }
    loop {
        let Target { writer, new, .. } = target;
        match writer.insert(&new.as_view()) {
            Ok(_) => {
                target.changed += 1;
                progress.copied += 1;
                progress.affected += 1;
                note_number(plan, target, progress, generated, &session.ctx);
                return Ok(());
            }
            Err(isam::Error::Duplicate { key, existing }) => {
                if plan.replace {
                    if !target.read(existing, &mut session.ctx)? {
                        return Err(SqlError::internal("the row in the way is gone"));
                    }
                    progress.affected += 1;
                    progress.duplicates += 1;
                    if plan.table.table.keys[key + 1..].iter().any(|k| k.is_unique()) {
                        delete_row(target, existing)?;
                        continue;
                    }
                    // nothing else can be in the way: the row is changed where it lies
                    let Target { writer, old, new, .. } = target;
                    if let Err(e) = writer.update(existing, &old.as_view(), &new.as_view()) {
                        return Err(target.error(&e));
                    }
                    target.changed += 1;
                    progress.copied += 1;
                    progress.affected += 1;
                    note_number(plan, target, progress, generated, &session.ctx);
                    return Ok(());
                }
                if !plan.on_duplicate.is_empty() {
                    return on_duplicate(session, plan, target, progress, batch, exec, existing);
                }
                let e = target.duplicate(key, &mut session.ctx);
                if plan.ignore {
                    progress.duplicates += 1;
                    session.ctx.warnings.push_error(crate::warning::Level::Warning, &e);
                    return Ok(());
                }
                return Err(e);
            }
            Err(e) => return Err(target.error(&e)),
        }
    }
}

fn note_number(
    plan: &InsertPlan,
    target: &Target,
    progress: &mut Progress,
    generated: Option<u64>,
    ctx: &EvalContext,
) {
    if let Some(n) = generated {
        progress.generated = n;
        if progress.first_generated == 0 {
            progress.first_generated = n;
        }
        return;
    }
    if let Some(c) = plan.shape.auto {
        let v = target
            .new
            .as_view()
            .column(c)
            .map(|b| crate::types::load::value(Some(b), &plan.shape.columns[c].ty, ctx));
        progress.last_explicit = match v {
            Some(Value::Int(n)) => n.cast_unsigned(),
            Some(Value::UInt(n)) => n,
            _ => 0,
        };
    }
}

/// A little-endian integer.
fn little(b: &[u8]) -> u64 {
    b.iter().take(8).rev().fold(0, |n, x| n << 8 | u64::from(*x))
}

fn on_duplicate(
    session: &mut Session,
    plan: &InsertPlan,
    target: &mut Target,
    progress: &mut Progress,
    batch: &mut Batch,
    exec: Option<&crate::exec::Exec<'_>>,
    existing: RowPos,
) -> SqlResult<()> {
    // VALUES(col) is the row that was to be inserted
    target.complete_new(&mut session.ctx)?;
    Target::load(&plan.shape, &target.new, plan.shape.columns.len(), batch, &session.ctx);
    if !target.read(existing, &mut session.ctx)? {
        return Err(SqlError::internal("the row in the way is gone"));
    }
    let changed = {
        let null_is_zero = plan.ignore
            || match &plan.source {
                Source::Exprs(rows) => rows.len() != 1,
                Source::Text(rows, _) => rows.rows != 1,
                Source::Query(_) => true,
            };
        let sets = &plan.on_duplicate;
        change_row(session, plan.ignore, null_is_zero, sets, target, existing, batch, exec, &plan.holder)?
    };
    progress.duplicates += 1;
    if changed == Finished::Changed {
        progress.affected += 2;
    } else if session.info.found_rows {
        progress.affected += 1;
    }
    if let Some(c) = plan.shape.auto {
        let v = target.new.as_view().column(c).map_or(0, little);
        progress.updated_id = v;
    }
    Ok(())
}
