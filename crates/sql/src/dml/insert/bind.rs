//! Binding an INSERT: columns, values, ON DUPLICATE KEY UPDATE.

use std::sync::Arc;

use super::super::returning::refuse_target;
use super::super::target::require_default;
use super::super::update::scope_query;
use super::super::view::{InsertTarget, InsertView, Refused, Told, bits, insert_target};
use crate::ast::{self, ExprKind, Insert, InsertSource, Priority};
use crate::error::{
    ER_BAD_FIELD_ERROR, ER_FIELD_SPECIFIED_TWICE, ER_WRONG_OBJECT, ER_WRONG_VALUE_COUNT_ON_ROW, SqlError,
    SqlResult, codes,
};
use crate::expr::{EvalContext, Expr};
use crate::plan::change::{Assigned, InsertPlan, Source, WriteSchema};
use crate::plan::{self, Change, QueryPlan};
use crate::rights::privilege::{INSERT, SELECT, UPDATE};
use crate::session::Session;
use crate::session::select::Planning;
use crate::session::tables::{Access, opens_no_table};
use crate::table::OpenTable;
use crate::types::FieldType;
use crate::types::casts::Casts;

/// Binds an INSERT.
///
/// # Errors
/// Unknown names, wrong numbers of values.
pub(crate) fn prepare(session: &mut Session, i: &Insert, text: &[u8]) -> SqlResult<InsertPlan> {
    if i.priority == Priority::Delayed && session.locks.active {
        session.forbid_delayed(&i.table)?;
    }
    let (InsertTarget { table, view }, schema) = match target(session, i) {
        Ok(found) => found,
        Err(refused) => return Err(told_before(session, i, refused, text)),
    };
    check_delayed(i, view.as_ref())?;
    super::super::target::refuse_taken(session, &table)?;
    table.check_insertable()?;
    let def = Arc::clone(table.def());
    let columns = target_columns(session, i, (&table, view.as_ref()), &def, text)?;
    let missing = (0..def.columns.len()).filter(|c| !columns.contains(c)).collect();
    let values = value_list(i, columns.len())?;
    let count = values.len();
    let readers = session.ctx.statement.bound_readers;
    let BoundValues { mut exprs, holder, places, cacheable, returning, asked_for } =
        bind_all(session, i, values, (&table, view.as_ref()), text)?;
    // what differs by row counts as reading it, as in the reference
    let mut reads_row = exprs[..count].iter().any(Expr::differs_by_row);
    exprs[..count].iter().for_each(|e| e.columns(&mut |_| reads_row = true));
    if let (Some(list), false) = (&returning, matches!(i.source, InsertSource::Query(_))) {
        list.exprs.iter().for_each(|e| e.columns(&mut |_| reads_row = true));
    }
    // what is written out has another type
    let given: Vec<FieldType> = match exprs.iter().any(|e| e.ty.is_special()) {
        true => exprs.iter().map(|e| e.ty.clone()).collect(),
        false => Vec::new(),
    };
    for e in &mut exprs {
        crate::expr::typing::written_out(e, &mut session.ctx)?;
    }
    let type_of = |n: usize| given.get(n).unwrap_or(&exprs[n].ty).clone();
    let (mut casts, updating) = casts_of(i, &schema, &columns, &places, &type_of, count);
    let mut exprs = exprs.into_iter();
    let mut next = || exprs.next().ok_or_else(|| SqlError::internal("values"));
    // a view has the columns that it names
    let named = i.columns.is_some() || view.is_some();
    let source = match &i.source {
        InsertSource::Values(rows) => {
            let mut value = |e: &ast::Expr| if is_default(e) { Ok(None) } else { next().map(Some) };
            let rows = rows.iter().map(|row| row.iter().map(&mut value).collect());
            Source::Exprs(rows.collect::<SqlResult<_>>()?)
        }
        InsertSource::Rows(r) => {
            let list = r.exprs.iter().map(|_| next()).collect::<SqlResult<_>>()?;
            Source::Text(r.clone(), list)
        }
        InsertSource::Query(q) => {
            let mut plan = plan_source(session, i, q, &asked_for, text)?;
            columns.iter().zip(&plan.types).for_each(|(c, ty)| casts.add(&schema.columns[*c], ty));
            write_out(&mut plan, &mut session.ctx)?;
            if plan.types.len() != columns.len() + asked_for.len() {
                return Err(wrong_count(1));
            }
            note_stored(&mut plan, &table, named);
            Source::Query(plan)
        }
    };
    let on_duplicate = new_values(session, i, (&table, view.as_ref()), &places, &mut next)?;
    casts.append(updating);
    // rows of the table itself are found before the first is written, and what functions give for them
    let itself = |t: &Arc<OpenTable>| t.db == table.db && t.name == table.name;
    let functions_read = session.ctx.statement.bound_readers > readers
        && !matches!(&source, Source::Query(q) if q.tables.iter().any(itself));
    Ok(InsertPlan {
        table,
        schema,
        casts,
        given,
        columns,
        missing,
        source,
        on_duplicate,
        holder,
        returning,
        named,
        replace: i.replace,
        reads_row,
        ignore: i.ignore,
        skips_duplicates: i.priority == Priority::Delayed && !matches!(i.source, InsertSource::Query(_)),
        functions_read,
        cacheable: cacheable && view.is_none(),
    })
}

/// A view takes no rows later.
fn check_delayed(i: &Insert, view: Option<&crate::dml::view::InsertView>) -> SqlResult<()> {
    match view {
        Some(v) if i.priority == Priority::Delayed && !matches!(i.source, InsertSource::Query(_)) => {
            Err(SqlError::new(ER_WRONG_OBJECT, &[&v.view.db, &v.view.name, &"BASE TABLE"]))
        }
        _ => Ok(()),
    }
}

/// Has an INSERT's query number its rows as they are read, and be quiet about its list where the statement names its columns (`named`).
/// Neither where it reads the table itself: those rows are all found before the first is written.
fn note_stored(plan: &mut Arc<QueryPlan>, table: &OpenTable, named: bool) {
    let itself = plan.tables.iter().any(|t| t.db == table.db && t.name == table.name);
    if let Some(plan) = Arc::get_mut(plan).filter(|_| !itself) {
        plan::number_rows(plan);
        if named {
            plan::quiet_list(plan);
        }
    }
}

/// What rows go into, with what a view asks of them.
fn target(session: &mut Session, i: &Insert) -> Result<(InsertTarget, Arc<WriteSchema>), Refused> {
    let named: Option<Vec<&ast::ColumnRef>> = i.columns.as_ref().map(|list| list.iter().collect());
    let bits = bits(i.replace, !i.on_duplicate.is_empty());
    let mut to = insert_target(session, &i.table, named.as_deref(), bits)?;
    to.choose_partitions(&i.partitions)?;
    let mut schema = WriteSchema::new(&to.table, &mut session.ctx)?;
    if let Some(v) = &to.view {
        schema.check.clone_from(&v.check);
        schema.view = Some(Arc::clone(&v.view));
    }
    Ok((to, Arc::new(schema)))
}

/// The columns that values are given for.
fn target_columns(
    session: &mut Session,
    i: &Insert,
    (table, view): (&OpenTable, Option<&InsertView>),
    def: &schema::definition::TableDef,
    text: &[u8],
) -> SqlResult<Vec<usize>> {
    let mut columns = match named_columns(i, def, view) {
        Ok(columns) => columns,
        Err((e, wanted)) => return Err(earlier_error(session, i, (wanted, &[]), text)?.unwrap_or(e)),
    };
    // `VALUES ()` takes every default of a table; a view has columns all the same
    let no_values = match &i.source {
        InsertSource::Values(rows) => rows.iter().all(Vec::is_empty),
        InsertSource::Rows(r) => r.columns == 0,
        InsertSource::Query(_) => false,
    };
    if no_values && i.columns.is_none() && view.is_none() {
        columns.clear();
    }
    if let Some(v) = view {
        for (name, _) in v.columns.iter().filter(|(_, c)| c.is_some_and(|c| columns.contains(&c))) {
            session.rights.need_column(&v.view.db, &v.view.name, name, INSERT)?;
        }
        return Ok(columns);
    }
    let names = columns.iter().map(|c| def.columns[*c].name.as_str());
    session.rights.need_columns(table, names, INSERT).map_err(|e| match i.columns {
        Some(_) => e,
        // Who names no columns names the table.
        None => session.rights.denied_table(&table.db, &table.name, INSERT),
    })?;
    Ok(columns)
}

/// What a statement computes, bound.
struct BoundValues {
    /// The values, then those of ON DUPLICATE KEY UPDATE.
    exprs: Vec<Expr>,
    holder: Arc<QueryPlan>,
    /// The columns that ON DUPLICATE KEY UPDATE assigns to.
    places: Vec<(usize, usize)>,
    cacheable: bool,
    returning: Option<plan::ReturningList>,
    /// Columns that the query gives for ON DUPLICATE KEY UPDATE.
    asked_for: Vec<(ast::ColumnRef, FieldType)>,
}

fn bind_all<'i>(
    session: &mut Session,
    i: &'i Insert,
    mut values: Vec<&'i ast::Expr>,
    (table, view): (&OpenTable, Option<&InsertView>),
    text: &[u8],
) -> SqlResult<BoundValues> {
    let updates: Vec<&ast::Expr> =
        i.on_duplicate.iter().map(|a| &a.value).filter(|e| !is_default(e)).collect();
    let nameless = i.on_duplicate.is_empty() && i.returning.is_empty();
    let plain_values = values.iter().all(|e| is_plain(e)) && nameless;
    let count = values.len();
    values.extend(updates);
    let targets: Vec<&ast::ColumnRef> = i.on_duplicate.iter().map(|a| &a.column).collect();
    if plain_values && count > 0 || values.is_empty() && nameless {
        let bound = bind_plain(session, &values, text)?;
        let (exprs, cacheable) = bound;
        return Ok(BoundValues {
            exprs,
            holder: Arc::new(QueryPlan::without_rows()),
            places: Vec::new(),
            cacheable,
            returning: None,
            asked_for: Vec::new(),
        });
    }
    let source = match &i.source {
        InsertSource::Query(q) if !i.on_duplicate.is_empty() => nameable(q),
        _ => None,
    };
    let asked = plan::Asked {
        exprs: &values,
        columns: &targets,
        values: Some(count),
        returning: &i.returning,
        source,
        clause: None,
    };
    let mut c = bind_values(session, &scope_query(&i.table), &asked, text)?;
    if let Some((v, joined)) = view.and_then(|v| Some((v, v.joined?))) {
        if c.columns.iter().any(|place| place.0 != joined.number) {
            return Err(SqlError::new(codes::ER_VIEW_MULTIUPDATE, &[&v.view.db, &v.view.name]));
        }
        c.exprs.iter_mut().try_for_each(|e| joined.narrow(&v.view, e))?;
        // what the other tables' columns would be is nothing
        let mut returned = c.returning.iter().flat_map(|list| &list.exprs);
        if returned.any(|e| e.tables() & !(1 << joined.number) != 0) {
            return Err(SqlError::not_supported("RETURNING of columns of other tables of a view"));
        }
    }
    let cacheable = c.holder.cacheable;
    // the rows of a query are found before: what is returned with them may read the table
    if let Some(list) = &c.returning
        && !matches!(i.source, InsertSource::Query(_))
    {
        refuse_target(list, &c.holder, table)?;
    }
    Ok(BoundValues {
        exprs: c.exprs,
        holder: c.holder,
        places: c.columns,
        cacheable,
        returning: c.returning,
        asked_for: c.source,
    })
}

/// What ON DUPLICATE KEY UPDATE assigns.
fn new_values(
    session: &Session,
    i: &Insert,
    (table, view): (&OpenTable, Option<&InsertView>),
    places: &[(usize, usize)],
    next: &mut dyn FnMut() -> SqlResult<Expr>,
) -> SqlResult<Vec<(usize, Assigned)>> {
    let def = table.def();
    let updated = places.iter().map(|(_, c)| def.columns[*c].name.as_str());
    match view {
        Some(v) => {
            let updated = |c: usize| places.iter().any(|p| p.1 == c);
            for (name, _) in v.columns.iter().filter(|(_, c)| c.is_some_and(updated)) {
                session.rights.need_column(&v.view.db, &v.view.name, name, UPDATE | SELECT)?;
            }
        }
        None => {
            session.rights.need_columns(table, updated.clone(), UPDATE)?;
            // The present value is looked at, too.
            session.rights.need_columns(table, updated, SELECT)?;
        }
    }
    let mut on_duplicate = Vec::new();
    for (a, (_, column)) in i.on_duplicate.iter().zip(places) {
        let value = if is_default(&a.value) {
            require_default(table, *column)?;
            Assigned::Default
        } else {
            Assigned::Expr(next()?)
        };
        on_duplicate.push((*column, value));
    }
    Ok(on_duplicate)
}

fn is_default(e: &ast::Expr) -> bool {
    matches!(e.kind, ExprKind::Default(None))
}

fn wrong_count(row: u64) -> SqlError {
    SqlError::new(ER_WRONG_VALUE_COUNT_ON_ROW, &[&row])
}

/// The values of all rows that are expressions; each row has as many as there are columns.
fn value_list(i: &Insert, columns: usize) -> SqlResult<Vec<&ast::Expr>> {
    let mut values: Vec<&ast::Expr> = Vec::new();
    match &i.source {
        InsertSource::Values(rows) => {
            for (n, row) in rows.iter().enumerate() {
                if row.len() != columns {
                    return Err(wrong_count(n as u64 + 1));
                }
                values.extend(row.iter().filter(|e| !matches!(e.kind, ExprKind::Default(None))));
            }
        }
        InsertSource::Rows(r) => {
            if r.columns as usize != columns {
                return Err(wrong_count(1));
            }
            if let Some(n) = r.uneven_row {
                return Err(wrong_count(n));
            }
            values.extend(r.exprs.iter().map(|e| &e.expr));
        }
        InsertSource::Query(_) => {}
    }
    Ok(values)
}

/// What is cast: values of the first row, and new values of ON DUPLICATE KEY UPDATE, whose types stand behind
/// those of the `count` values.
fn casts_of(
    i: &Insert,
    schema: &WriteSchema,
    columns: &[usize],
    places: &[(usize, usize)],
    type_of: &dyn Fn(usize) -> FieldType,
    count: usize,
) -> (Casts, Casts) {
    let mut casts = Casts::default();
    if let InsertSource::Values(rows) = &i.source {
        let first = columns.iter().zip(rows.first().into_iter().flatten());
        let computed = first.filter(|(_, e)| !is_default(e));
        for (n, (c, _)) in computed.enumerate() {
            casts.add(&schema.columns[*c], &type_of(n));
        }
    }
    let updates = i.on_duplicate.iter().zip(places);
    let computed = updates.filter(|(a, _)| !is_default(&a.value));
    let mut updating = Casts::default();
    for (n, (_, (_, column))) in computed.enumerate() {
        updating.add(&schema.columns[*column], &type_of(count + n));
    }
    (casts, updating)
}

/// Plans the query that gives the rows, with the columns that ON DUPLICATE KEY UPDATE names behind its own.
fn plan_source(
    session: &mut Session,
    i: &Insert,
    q: &ast::Query,
    asked_for: &[(ast::ColumnRef, FieldType)],
    text: &[u8],
) -> SqlResult<Arc<QueryPlan>> {
    let strict = session.ctx.sql_mode.strict() && !i.ignore;
    session.ctx.set_strict(strict);
    let plan = match with_columns(q, asked_for) {
        Some(longer) => session.plan(&longer, text),
        None => session.plan(q, text),
    };
    session.ctx.set_strict(false);
    let plan = plan?;
    session.ctx.check_failed()?;
    Ok(plan)
}

/// Has the columns of a query written out where the engine stores another type.
fn write_out(plan: &mut Arc<QueryPlan>, ctx: &mut EvalContext) -> SqlResult<()> {
    if let Some(p) = Arc::get_mut(plan)
        && let plan::Body::Block(b) = &mut p.body
    {
        for (e, ty) in b.output.iter_mut().zip(&mut p.types) {
            crate::expr::typing::written_out(e, ctx)?;
            ty.clone_from(&e.ty);
        }
    }
    Ok(())
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

/// The SELECT of an INSERT whose tables ON DUPLICATE KEY UPDATE may name: each of its rows is one of theirs.
fn nameable(q: &ast::Query) -> Option<&ast::Select> {
    let select = q.only_select().filter(|s| s.group_by.is_empty() && !s.options.distinct)?;
    q.with.is_none().then_some(select)
}

/// The query with these columns behind its list; none when there are none.
fn with_columns(q: &ast::Query, columns: &[(ast::ColumnRef, FieldType)]) -> Option<ast::Query> {
    if columns.is_empty() {
        return None;
    }
    let mut longer = q.clone();
    let mut term = &mut longer.first;
    while let ast::QueryTerm::Nested(inner) = term {
        term = &mut inner.first;
    }
    if let ast::QueryTerm::Select(s) = term {
        s.items.extend(columns.iter().map(|(c, _)| ast::SelectItem::Expr {
            expr: ast::Expr::new(ExprKind::Column(Box::new(c.clone())), ast::Span::default()),
            alias: None,
            text: ast::Span::default(),
        }));
    }
    Some(longer)
}

/// An expression that needs no names at all.
fn is_plain(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Lifted(..) | ExprKind::Param(_) | ExprKind::Local(..) => true,
        ExprKind::Unary(_, inner) => is_plain(inner),
        _ => false,
    }
}

fn bind_plain(session: &mut Session, values: &[&ast::Expr], text: &[u8]) -> SqlResult<(Vec<Expr>, bool)> {
    let (view, ctx) = session.split(text);
    let mut scope = crate::session::scope::TableScope { view, table: None, values: false };
    let mut out = Vec::with_capacity(values.len());
    let mut cacheable = true;
    for e in values {
        let mut b = crate::bind::ExprBinder::new(&mut scope, ctx);
        b.clause = "VALUES";
        b.allow_aggregates = false;
        out.push(b.bind(e)?);
        cacheable &= b.cacheable;
    }
    Ok((out, cacheable))
}

fn bind_values(
    session: &mut Session,
    query: &ast::Query,
    asked: &plan::Asked<'_>,
    text: &[u8],
) -> SqlResult<Change> {
    let reader = session.take_reader();
    let (view, ctx) = session.split(text);
    let mut env = Planning::new(view, &reader, Access::Given);
    let change = plan::plan_change(query, asked, &mut env, ctx);
    session.give_reader(reader);
    change
}

/// The columns that are given values; with an error, how many are named.
fn named_columns(
    i: &Insert,
    def: &schema::definition::TableDef,
    view: Option<&InsertView>,
) -> Result<Vec<usize>, (SqlError, usize)> {
    let Some(list) = &i.columns else {
        if let Some(v) = view {
            return Ok(v.columns.iter().filter_map(|c| c.1).collect());
        }
        let visible = |c: &usize| def.columns[*c].visibility == schema::definition::Visibility::Visible;
        return Ok((0..def.columns.len()).filter(visible).collect());
    };
    let mut columns = Vec::new();
    for c in list {
        let at = match view {
            Some(v) => v.find(&c.name),
            None => {
                def.columns.iter().position(|d| crate::names::same_name(&d.name, &c.name) && !d.is_hash())
            }
        };
        let Some(at) = at else {
            let e = SqlError::new(ER_BAD_FIELD_ERROR, &[&c.full_name(), &"INSERT INTO"]);
            return Err((e, list.len()));
        };
        if columns.contains(&at) {
            let e = SqlError::new(ER_FIELD_SPECIFIED_TWICE, &[&def.columns[at].name]);
            return Err((e, list.len()));
        }
        columns.push(at);
    }
    Ok(columns)
}

/// The error of a target that rows cannot be written to, or one of the values that is told before.
fn told_before(session: &mut Session, i: &Insert, refused: Refused, text: &[u8]) -> SqlError {
    let wanted = (i.columns.as_ref().map_or(0, Vec::len), &i.returning[..]);
    let of_values = match refused.told {
        Told::First => None,
        Told::Opened => earlier_error(session, i, wanted, text).err().filter(opens_no_table),
        Told::Bound => earlier_error(session, i, wanted, text).unwrap_or_else(Some),
    };
    of_values.unwrap_or(refused.error)
}

/// An error in the first row or the query of an INSERT takes precedence over an error in its column list, of `wanted` columns.
fn earlier_error(
    session: &mut Session,
    i: &Insert,
    (wanted, returning): (usize, &[ast::SelectItem]),
    text: &[u8],
) -> SqlResult<Option<SqlError>> {
    let (found, exprs): (usize, Vec<&ast::Expr>) = match &i.source {
        InsertSource::Values(rows) => {
            let first = rows.first().map_or(&[][..], Vec::as_slice);
            (first.len(), first.iter().filter(|e| !is_default(e)).collect())
        }
        InsertSource::Rows(r) => {
            let one = if r.rows == 1 { &r.exprs[..] } else { &[] };
            (r.columns as usize, one.iter().map(|e| &e.expr).collect())
        }
        InsertSource::Query(q) => (session.plan(q, text)?.types.len(), Vec::new()),
    };
    let asked = plan::Asked { exprs: &exprs, values: Some(exprs.len()), returning, ..Default::default() };
    bind_values(session, &scope_query(&i.table), &asked, text)?;
    Ok((found != wanted).then(|| SqlError::new(ER_WRONG_VALUE_COUNT_ON_ROW, &[&1])))
}
