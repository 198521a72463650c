//! FROM: names come into sight, joins become a tree.

use super::hints::Hints;
use super::scope::{Coalesced, Names, ScopeTable, Stack};
use super::view::ViewPart;
use super::{Named, QueryPlan, Relation};
use crate::ast::{self, JoinCondition, JoinKind, TableRef};
use crate::bind::ExprBinder;
use crate::error::{ER_BAD_FIELD_ERROR, ER_NONUNIQ_TABLE, SqlError, SqlResult, codes};
use crate::expr::{CompareOp, Comparison, EvalContext, Expr, Node, Test};
use crate::types::{FieldType, Source, SourceTable, Value};
use schema::definition::Visibility;
use std::ops::Range;
use std::sync::Arc;

/// The joins of a FROM clause.
#[derive(Clone)]
pub enum JoinTree {
    /// One table.
    Table(usize),
    /// Inner joined, in any order, with their conditions.
    Inner(Vec<JoinTree>, Vec<Expr>),
    /// STRAIGHT_JOIN: inner joined, the left side before the right one.
    Straight(Box<JoinTree>, Box<JoinTree>, Vec<Expr>),
    /// The right side may be missing.
    Left(Box<JoinTree>, Box<JoinTree>, Vec<Expr>),
}

impl JoinTree {
    /// The numbers of all tables below.
    pub fn tables(&self, out: &mut Vec<usize>) {
        match self {
            JoinTree::Table(t) => out.push(*t),
            JoinTree::Inner(list, _) => list.iter().for_each(|j| j.tables(out)),
            JoinTree::Left(a, b, _) | JoinTree::Straight(a, b, _) => {
                a.tables(out);
                b.tables(out);
            }
        }
    }

    /// Calls `f` for the conditions of all joins.
    pub fn conditions(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            JoinTree::Table(_) => {}
            JoinTree::Inner(list, on) => {
                list.iter().for_each(|j| j.conditions(f));
                on.iter().for_each(f);
            }
            JoinTree::Left(a, b, on) | JoinTree::Straight(a, b, on) => {
                a.conditions(f);
                b.conditions(f);
                on.iter().for_each(f);
            }
        }
    }

    /// Notes for each table the tables that STRAIGHT_JOIN puts before it; the list stays empty where there is none.
    pub fn straight(&self, before: &mut Vec<u64>) {
        match self {
            JoinTree::Table(_) => {}
            JoinTree::Inner(list, _) => list.iter().for_each(|j| j.straight(before)),
            JoinTree::Left(a, b, _) => {
                a.straight(before);
                b.straight(before);
            }
            JoinTree::Straight(a, b, _) => {
                a.straight(before);
                b.straight(before);
                let (mut left, mut right) = (Vec::new(), Vec::new());
                a.tables(&mut left);
                b.tables(&mut right);
                before.resize(MOST_TABLES, 0);
                let left = left.iter().fold(0, |m, t| m | 1 << t);
                right.iter().for_each(|t| before[*t] |= left);
            }
        }
    }
}

/// Tables a join can hold.
pub(super) const MOST_TABLES: usize = 61;

/// Binds the references of FROM; the tables are appended to the present level's names.
///
/// # Errors
/// Unknown tables, equal aliases (1066), and those of ON.
pub fn bind_from(
    stack: &mut Stack<'_>,
    from: &[TableRef],
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    let mut list = Vec::new();
    for r in from {
        list.push(bind_ref(stack, r, ctx, cacheable)?);
    }
    stack.here().visible_from = 0;
    Ok(if list.len() == 1 { list.remove(0) } else { JoinTree::Inner(list, Vec::new()) })
}

fn bind_ref(
    stack: &mut Stack<'_>,
    r: &TableRef,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    match r {
        TableRef::Table(t) => {
            let alias = t.alias.as_deref().unwrap_or(&t.name.name).to_string();
            let cte = t
                .name
                .db
                .is_none()
                .then(|| stack.ctes.iter().rposition(|c| c.name.eq_ignore_ascii_case(&t.name.name)));
            if let Some(Some(number)) = cte {
                return super::ctes::named(stack, number, alias, ctx, cacheable);
            }
            let relation = match stack.env.table(&t.name, &alias, stack.usage)? {
                Named::Relation(Relation::Base(table)) if !t.partitions.is_empty() => {
                    Relation::Base(table.of_partitions(&t.partitions)?)
                }
                Named::Relation(relation) if t.partitions.is_empty() => relation,
                Named::Relation(_) => {
                    return Err(SqlError::new(codes::ER_PARTITION_CLAUSE_ON_NONPARTITIONED, &[]));
                }
                // PARTITION (...) means nothing for a view
                Named::View(view) => return super::view::bind(stack, &view, t, alias, ctx, cacheable),
            };
            let hints = Hints::resolve(&t.hints, &relation, &alias)?;
            let mut table = describe(stack, relation, alias, t.name.db.as_deref());
            table.hints = hints;
            add(stack, table)
        }
        TableRef::Derived(d) => super::derived::bind(stack, d, ctx, cacheable),
        TableRef::Nested(list) => {
            let mut trees = Vec::new();
            for r in list {
                trees.push(bind_ref(stack, r, ctx, cacheable)?);
            }
            Ok(if trees.len() == 1 { trees.remove(0) } else { JoinTree::Inner(trees, Vec::new()) })
        }
        TableRef::Join(j) => bind_join(stack, j, ctx, cacheable),
        TableRef::JsonTable(j) => super::json_table::bind(stack, j, ctx, cacheable),
    }
}

fn bind_join(
    stack: &mut Stack<'_>,
    j: &ast::Join,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    let first = stack.here().tables.len();
    let star = stack.here().star.len();
    let turned = j.kind == JoinKind::Right;
    let around = stack.here().inside_outer;
    stack.here().inside_outer = around || turned;
    stack.here().defers += u32::from(turned);
    let left = bind_ref(stack, &j.left, ctx, cacheable);
    stack.here().defers -= u32::from(turned);
    let left = left?;
    let middle = stack.here().tables.len();
    let star_middle = stack.here().star.len();
    stack.here().inside_outer = around || j.kind == JoinKind::Left;
    let right = match turned {
        true => bind_turned(stack, &j.right, first..middle, ctx, cacheable)?,
        false => bind_ref(stack, &j.right, ctx, cacheable)?,
    };
    stack.here().inside_outer = around;
    let end = stack.here().tables.len();
    // the inner side of an outer join may be missing: its columns can be NULL
    match j.kind {
        JoinKind::Left => nullable(stack, middle..end),
        JoinKind::Right => nullable(stack, first..middle),
        _ => {}
    }
    let mut conditions = Vec::new();
    match &j.condition {
        JoinCondition::On(e) => {
            let before = std::mem::replace(&mut stack.here().visible_from, first);
            let mut binder = ExprBinder::new(stack, ctx);
            binder.clause = "ON";
            binder.allow_aggregates = false;
            let bound = binder.bind_condition(e);
            *cacheable &= binder.cacheable;
            stack.here().visible_from = before;
            match bound {
                Ok(mut bound) => {
                    if !matches!(j.kind, JoinKind::Left | JoinKind::Right) && !around {
                        super::is_null::zero_dates(stack.here(), &mut bound, ctx)?;
                    }
                    conditions.push(bound);
                }
                Err(e) => {
                    stack.here().late.get_or_insert(e);
                }
            }
        }
        JoinCondition::Using(names) => {
            for name in names {
                let pair = common(stack, name, (first, middle, end), false)?;
                let Some((a, b)) = pair else {
                    return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&&**name, &"FROM"]));
                };
                conditions.push(join_columns(stack, name, a, b, j.kind, ctx)?);
            }
        }
        JoinCondition::None if j.natural => {
            for name in names_of(stack.here(), first..middle) {
                let pair = common(stack, &name, (first, middle, end), true)?;
                let Some((a, b)) = pair else { continue };
                conditions.push(join_columns(stack, &name, a, b, j.kind, ctx)?);
            }
        }
        JoinCondition::None => {}
    }
    if j.natural || matches!(j.condition, JoinCondition::Using(_)) {
        order_star(stack.here(), star..star_middle, j.kind, (first..middle, middle..end));
    }
    Ok(match j.kind {
        JoinKind::Left => left_join(left, right, conditions),
        JoinKind::Right => left_join(right, left, conditions),
        JoinKind::Straight => JoinTree::Straight(Box::new(left), Box::new(right), conditions),
        _ => JoinTree::Inner(vec![left, right], conditions),
    })
}

/// The columns of tables by name, each name once.
fn names_of(names: &Names, tables: Range<usize>) -> Vec<String> {
    let seen = names.tables[tables].iter().filter(|t| !t.view.hidden);
    let mut list: Vec<String> = Vec::new();
    for (name, _) in seen.flat_map(|t| t.columns.iter()) {
        if !list.iter().any(|n| n.eq_ignore_ascii_case(name)) {
            list.push(name.clone());
        }
    }
    list
}

/// The right side of a RIGHT JOIN, which stands before the left one: a JSON_TABLE does not depend on rows that may be missing, and those
/// of the left side may depend on this one.
fn bind_turned(
    stack: &mut Stack<'_>,
    right: &TableRef,
    left: Range<usize>,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    stack.here().tables[left.clone()].iter_mut().for_each(|t| t.view.unseen += 1);
    let bound = bind_ref(stack, right, ctx, cacheable);
    stack.here().tables[left.clone()].iter_mut().for_each(|t| t.view.unseen -= 1);
    let bound = bound?;
    super::json_table::settle(stack, left, ctx, cacheable)?;
    Ok(bound)
}

/// An outer join. The conditions of a view of one table are conditions of the join.
fn left_join(left: JoinTree, mut right: JoinTree, mut conditions: Vec<Expr>) -> JoinTree {
    while let JoinTree::Inner(list, on) = &mut right
        && list.len() == 1
    {
        conditions.append(on);
        right = list.remove(0);
    }
    JoinTree::Left(Box::new(left), Box::new(right), conditions)
}

/// `*` after USING and NATURAL: the common columns in the order of the side that may not be missing, the others of
/// that side, then those of the other; a common one is there as the first side shows it, which may be INVISIBLE. `left`
/// are the places that the left side has in the list so far, `tables` the tables of both sides.
fn order_star(
    names: &mut Names,
    left: Range<usize>,
    kind: JoinKind,
    mut tables: (Range<usize>, Range<usize>),
) {
    let mut right = names.star.split_off(left.end);
    let mut main = names.star.split_off(left.start);
    if kind == JoinKind::Right {
        std::mem::swap(&mut main, &mut right);
        std::mem::swap(&mut tables.0, &mut tables.1);
    }
    debug_assert!(main.iter().all(|p| tables.0.contains(&p.0)));
    let joined = |p: &Place| names.coalesced.iter().find(|j| j.shown == *p || j.hidden.contains(p));
    let with = |p: &Place, other: &Range<usize>| {
        joined(p).is_some_and(|j| j.hidden.iter().chain([&j.shown]).any(|o| other.contains(&o.0)))
    };
    let (common, rest): (Vec<Place>, Vec<Place>) = main.iter().partition(|p| with(p, &tables.1));
    let other = right.iter().filter(|p| !with(p, &tables.0));
    let list: Vec<Place> = common.iter().chain(&rest).chain(other).copied().collect();
    names.star.extend(list);
}

fn nullable(stack: &mut Stack<'_>, range: std::ops::Range<usize>) {
    let names = stack.here();
    for t in &mut names.tables[range.clone()] {
        for (_, ty) in &mut t.columns {
            ty.nullable = true;
        }
    }
    for t in range {
        let Some(mut merged) = names.tables[t].view.merged.take() else { continue };
        let missing = matches!(names.tables[merged.anchor].relation, Relation::Base(_));
        for e in &mut merged.exprs {
            if e.as_column().is_none() && missing {
                only_beside(e, merged.anchor);
            }
            e.ty.nullable = true;
        }
        names.tables[t].view.merged = Some(merged);
    }
}

/// What a view computes is NULL where its row is missing.
fn only_beside(e: &mut Expr, anchor: usize) {
    let ty = e.ty.clone().with_nullable(true);
    let position = Expr::column(anchor as u32, super::POSITION, FieldType::bigint(true).with_nullable(true));
    let missing = Node::Is(Box::new(position), Test::Null, false);
    let missing = Expr::new(missing, FieldType::boolean());
    let null = Expr::literal(Value::Null, ty.clone());
    let inner = std::mem::replace(e, null.clone());
    *e = Expr::new(Node::If(Box::new([missing, null, inner])), ty);
}

type Place = (usize, usize);

/// The columns called `name` on both sides of a join, whose tables are those up to the second and the third number. NATURAL
/// does not see INVISIBLE columns, USING may name them.
fn common(
    stack: &mut Stack<'_>,
    name: &str,
    (first, middle, end): (usize, usize, usize),
    natural: bool,
) -> SqlResult<Option<(Place, Place)>> {
    let names = stack.here();
    let find = |range: std::ops::Range<usize>| -> Vec<Place> {
        // of columns that a join made one, one is there
        let hidden = |p: &Place| {
            natural && names.tables[p.0].invisible[p.1]
                || names.coalesced.iter().any(|j| j.hidden.contains(p))
        };
        let mut found = Vec::new();
        for t in range.filter(|t| !names.tables[*t].view.hidden) {
            for (c, (n, _)) in names.tables[t].columns.iter().enumerate() {
                if n.eq_ignore_ascii_case(name) && !hidden(&(t, c)) {
                    found.push((t, c));
                }
            }
        }
        found
    };
    match (&find(first..middle)[..], &find(middle..end)[..]) {
        // a name that one side has twice is no trouble where the other does not have it
        ([], _) | (_, []) => Ok(None),
        ([a], [b]) => Ok(Some((*a, *b))),
        _ => Err(SqlError::new(crate::error::ER_NON_UNIQ_ERROR, &[&name, &"FROM"])),
    }
}

fn join_columns(
    stack: &mut Stack<'_>,
    name: &str,
    a: Place,
    b: Place,
    kind: JoinKind,
    ctx: &mut EvalContext,
) -> SqlResult<Expr> {
    let names = stack.here();
    let column = |p: Place| {
        let t = &names.tables[p.0];
        ast::ColumnRef {
            db: None,
            table: Some(t.alias.as_str().into()),
            name: t.columns[p.1].0.as_str().into(),
        }
    };
    let span = ast::Span::default();
    let side = |p| Box::new(ast::Expr::new(ast::ExprKind::Column(Box::new(column(p))), span));
    let equal = ast::Expr::new(ast::ExprKind::Binary(ast::BinaryOp::Eq, side(a), side(b)), span);
    let (shown, hidden) = if kind == JoinKind::Right { (b, a) } else { (a, b) };
    let mut all = vec![hidden];
    if let Some(i) = names.coalesced.iter().position(|j| j.shown == hidden) {
        all.extend(names.coalesced.remove(i).hidden);
    }
    match names.coalesced.iter_mut().find(|j| j.shown == shown) {
        Some(j) => j.hidden.extend(all),
        None => names.coalesced.push(Coalesced { name: name.to_string(), shown, hidden: all }),
    }
    let before = std::mem::take(&mut names.visible_from);
    let bound = ExprBinder::new(stack, ctx).bind_condition(&equal);
    stack.here().visible_from = before;
    bound
}

pub(super) fn add(stack: &mut Stack<'_>, table: ScopeTable) -> SqlResult<JoinTree> {
    if let Relation::Base(open) = &table.relation
        && !stack.tables.iter().any(|t| Arc::ptr_eq(t, open))
    {
        stack.tables.push(Arc::clone(open));
    }
    let names = stack.here();
    let mut seen = names.tables.iter().skip(names.visible_from);
    // a JSON_TABLE is of no database
    let json = |t: &ScopeTable| matches!(t.relation, Relation::JsonTable(_));
    let anywhere = json(&table);
    let twice = |t: &ScopeTable| t.alias == table.alias && (t.db == table.db || anywhere || json(t));
    if seen.any(|t| !t.view.hidden && twice(t)) {
        return Err(SqlError::new(ER_NONUNIQ_TABLE, &[&table.alias]));
    }
    if names.tables.len() >= MOST_TABLES {
        return Err(SqlError::new(crate::error::ER_TOO_MANY_TABLES, &[&MOST_TABLES]));
    }
    let number = names.tables.len();
    names.star.extend(table.visible().map(|c| (number, c)));
    names.tables.push(table);
    Ok(JoinTree::Table(number))
}

pub(super) fn add_derived(
    stack: &mut Stack<'_>,
    plan: Arc<QueryPlan>,
    alias: String,
    columns: &[ast::Name],
) -> SqlResult<JoinTree> {
    for t in &plan.tables {
        if !stack.tables.iter().any(|o| Arc::ptr_eq(t, o)) {
            stack.tables.push(Arc::clone(t));
        }
    }
    if !columns.is_empty() && columns.len() != plan.types.len() {
        return Err(SqlError::new(crate::error::ER_WITH_COL_WRONG_LIST, &[]));
    }
    let names: Vec<String> =
        if columns.is_empty() { plan.names.clone() } else { columns.iter().map(|c| c.to_string()).collect() };
    super::ctes::different(names.iter())?;
    let own = SourceTable::made(names.clone());
    let column = |(n, (name, ty)): (usize, (String, &FieldType))| {
        (name, FieldType { source: Source::of(&own, n), ..ty.fixed() })
    };
    let columns: Vec<(String, FieldType)> =
        names.into_iter().zip(&plan.types).enumerate().map(column).collect();
    add(stack, ScopeTable::made(alias, Relation::Derived(plan), columns))
}

/// How a relation looks to names.
fn describe(stack: &Stack<'_>, relation: Relation, alias: String, db: Option<&str>) -> ScopeTable {
    let (columns, invisible, db, name) = match &relation {
        Relation::Base(t) => {
            let def = t.def();
            let own = SourceTable::stored(&t.db, &t.name, def);
            let columns = def
                .columns
                .iter()
                .enumerate()
                .map(|(n, c)| {
                    // what the server made for itself has no name
                    let hidden = c.visibility == Visibility::Hidden;
                    let name = if hidden { String::new() } else { c.name.clone() };
                    let mut ty = FieldType::from_column(c).as_operand();
                    ty.source = Source::of(&own, n);
                    (name, ty)
                })
                .collect();
            let invisible = def.columns.iter().map(|c| c.visibility != Visibility::Visible).collect();
            (columns, invisible, t.db.to_string(), t.name.to_string())
        }
        Relation::Virtual(v) => {
            let columns = v.columns().to_vec();
            let db = db.or(stack.env.database()).unwrap_or_default().to_string();
            let name = v.own_name().map_or_else(|| alias.clone(), str::to_owned);
            (columns.clone(), vec![false; columns.len()], db, name)
        }
        Relation::Derived(p) => {
            let columns: Vec<_> = p.names.iter().cloned().zip(p.types.iter().cloned()).collect();
            (columns.clone(), vec![false; columns.len()], String::new(), alias.clone())
        }
        Relation::JsonTable(_) | Relation::Merged => (Vec::new(), Vec::new(), String::new(), alias.clone()),
    };
    let state = match &relation {
        Relation::Base(t) => state_of(stack, t),
        _ => Vec::new(),
    };
    let unreadable = match &relation {
        Relation::Base(t) => stack.env.unreadable(t).map(Box::new),
        _ => None,
    };
    let through = stack.env.through();
    ScopeTable {
        view: ViewPart { through, ..ViewPart::default() },
        relation,
        alias,
        db,
        name,
        columns,
        invisible,
        state,
        unreadable,
        hints: Hints::default(),
        semijoin: None,
    }
}

/// A copy of a table's state, for estimates; as at CREATE when the table cannot be read now.
fn state_of(stack: &Stack<'_>, t: &crate::table::OpenTable) -> Vec<u8> {
    let pages: Vec<_> = t.all_pages().collect();
    if let Ok(snapshot) = stack.env.reader().begin(&pages)
        && let Ok(state) = t.state_at(&snapshot)
    {
        return state;
    }
    vec![0; t.format().offsets.len()]
}

/// Splits a condition at its ANDs.
pub fn conjuncts(e: Expr, out: &mut Vec<Expr>) {
    match e.node {
        Node::And(list) => list.into_iter().for_each(|e| conjuncts(e, out)),
        _ => out.push(e),
    }
}

/// Joins conditions with AND; nothing for none.
#[must_use]
pub fn conjunction(mut list: Vec<Expr>) -> Option<Expr> {
    match list.len() {
        0 => None,
        1 => list.pop(),
        _ => {
            let nullable = list.iter().any(|e| e.ty.nullable);
            Some(Expr::new(Node::And(list), FieldType::boolean().with_nullable(nullable)))
        }
    }
}

/// The sides of `a = b` (or `a <=> b`) and how they compare.
#[must_use]
pub fn equality(e: &Expr) -> Option<(&Expr, &Expr, Comparison, bool)> {
    match &e.node {
        Node::Compare(CompareOp::Eq, by, sides) => Some((&sides[0], &sides[1], *by, false)),
        Node::Compare(CompareOp::NullSafeEq, by, sides) => Some((&sides[0], &sides[1], *by, true)),
        _ => None,
    }
}
