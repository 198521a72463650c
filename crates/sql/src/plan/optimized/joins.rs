//! FROM and WHERE of a SELECT: inner joins are one list with one condition, tables with one row that is known are that row.

use super::conditions::{Conjunction, behead, flatten, row_value, whole};
use super::constants::{decided, fill, plain};
use super::names::{Names, made};
use super::{Join, Source, truth};
use crate::ast::{
    self, Expr, ExprKind, Field, JoinCondition, JoinKind, Literal, Select, Span, TableFactor, TableName,
    TableRef,
};
use crate::error::SqlResult;
use crate::plan::{Access, BlockPlan, Relation, Step, StepKind};
use schema::definition::KeyKind;

/// A table or several, and how they are joined to what stands before.
struct Part {
    kind: JoinKind,
    tables: Vec<Part>,
    table: Option<usize>,
    on: Vec<Expr>,
}

/// What the plan says of the tables.
#[derive(Default)]
struct Order {
    /// Their places in the order in which they are read.
    places: Vec<usize>,
    /// Those that may be missing.
    outer: Vec<usize>,
    /// Those that stand for a query whose tables are among them.
    merged: Vec<usize>,
}

impl Order {
    fn of(block: Option<&BlockPlan>, count: usize, tree: &Join) -> Order {
        let mut order = Order { places: vec![usize::MAX; count], ..Order::default() };
        let Some(block) = block.filter(|b| b.impossible.is_none()) else {
            order.places = (0..count).collect();
            inner_sides(tree, &mut order.outer);
            return order;
        };
        let mut next = 0;
        order.add(&block.steps, false, &mut next);
        order
    }

    /// Whether a table is not read, as it changes nothing.
    fn is_left_out(&self, table: usize) -> bool {
        self.places.get(table) == Some(&usize::MAX) && !self.merged.contains(&table)
    }

    fn add(&mut self, steps: &[Step], outer: bool, next: &mut usize) {
        for s in steps {
            let outer = outer || s.kind == StepKind::Left;
            if let Access::Nest { steps } = &s.access {
                self.add(steps, outer, next);
                continue;
            }
            if let Some(place) = self.places.get_mut(s.table) {
                *place = *next;
            }
            *next += 1;
            if outer {
                self.outer.push(s.table);
            }
        }
    }
}

fn tables(tree: &Join, out: &mut Vec<usize>) {
    match tree {
        Join::Table(t) => out.push(*t),
        Join::Inner(list, _) => list.iter().for_each(|j| tables(j, out)),
        Join::Straight(a, b, _) | Join::Left(a, b, _) => {
            tables(a, out);
            tables(b, out);
        }
    }
}

/// The tables that outer joins may leave out.
fn inner_sides(tree: &Join, out: &mut Vec<usize>) {
    match tree {
        Join::Table(_) => {}
        Join::Inner(list, _) => list.iter().for_each(|j| inner_sides(j, out)),
        Join::Straight(a, b, _) => {
            inner_sides(a, out);
            inner_sides(b, out);
        }
        Join::Left(a, b, _) => {
            inner_sides(a, out);
            tables(b, out);
        }
    }
}

/// Makes one list of inner joins; their conditions go to the list, those of the last join first.
fn unite(tree: Join, kind: JoinKind, order: &Order, conditions: &mut Vec<Expr>) -> Vec<Part> {
    match tree {
        Join::Table(t) => vec![Part { kind, tables: Vec::new(), table: Some(t), on: Vec::new() }],
        Join::Inner(list, on) => {
            on.into_iter().for_each(|e| flatten(e, conditions));
            let mut lists: Vec<Vec<Part>> = Vec::new();
            for (i, j) in list.into_iter().enumerate().rev() {
                let kind = if i == 0 { kind } else { JoinKind::Inner };
                lists.push(unite(j, kind, order, conditions));
            }
            lists.into_iter().rev().flatten().collect()
        }
        Join::Straight(a, b, on) => {
            on.into_iter().for_each(|e| flatten(e, conditions));
            let right = unite(*b, JoinKind::Straight, order, conditions);
            let mut all = unite(*a, kind, order, conditions);
            all.extend(right);
            all
        }
        Join::Left(a, b, on) => {
            let mut inner = Vec::new();
            tables(&b, &mut inner);
            let gone = |t: &&usize| order.is_left_out(**t);
            if inner.iter().any(|t| gone(&t)) && inner.iter().all(|t| gone(&t) || order.merged.contains(t)) {
                return unite(*a, kind, order, conditions);
            }
            if inner.iter().all(|t| !order.outer.contains(t)) {
                return unite(Join::Inner(vec![*a, *b], on), kind, order, conditions);
            }
            let mut all = unite(*a, kind, order, conditions);
            let mut own = Vec::new();
            on.into_iter().for_each(|e| flatten(e, &mut own));
            let mut right = unite(*b, JoinKind::Inner, order, &mut own);
            let part = match right.pop() {
                Some(Part { table, tables, .. }) if right.is_empty() => {
                    Part { kind: JoinKind::Left, table, tables, on: own }
                }
                last => {
                    right.extend(last);
                    Part { kind: JoinKind::Left, table: None, tables: right, on: own }
                }
            };
            all.push(part);
            all
        }
    }
}

/// The SELECT of the plan that reads the tables of the present one.
fn take_block<'f>(names: &mut Names<'f>) -> Option<&'f BlockPlan> {
    let sources = &names.frames.last()?.sources;
    let fits = |b: &&BlockPlan| {
        b.tables.len() == sources.len() && b.tables.iter().zip(sources).all(|(t, s)| *t.alias == *s.alias)
    };
    let at = names.blocks.iter().position(fits)?;
    Some(names.blocks.remove(at))
}

/// Rewrites FROM and WHERE.
pub(super) fn optimize(names: &mut Names<'_>, s: &mut Select, tree: Join, as_written: bool) -> SqlResult<()> {
    let mut conditions = Vec::new();
    if as_written {
        let rows = names.here().sources.iter_mut().filter(|s| s.exprs.is_none());
        s.from = rows.map(table).collect();
        return Ok(());
    }
    let asked = s.filter.is_some();
    s.filter.take().into_iter().for_each(|e| flatten(e, &mut conditions));
    let count = names.here().sources.len();
    let mut order = Order::of(take_block(names), count, &tree);
    order.merged = (0..count).filter(|t| names.here().sources[*t].exprs.is_some()).collect();
    order.outer.iter().for_each(|t| names.here().sources[*t].missing = true);
    let left_out = (0..count).any(|t| order.is_left_out(t));
    let mut parts = match count {
        0 => Vec::new(),
        _ => unite(tree, JoinKind::Inner, &order, &mut conditions),
    };
    let asked = asked || !conditions.is_empty();
    let mut all = Conjunction::new(names, conditions, &[]);
    let read = read_rows(names, &mut all, &parts, s.number)?;
    place_on(names, &mut parts, &all, &order);
    let above = all.never;
    let list = all.print(names, &|f| order.places.get(f.table).copied().unwrap_or(0));
    let empty = read == Read::Nothing;
    s.filter = match (above || empty && asked, list.is_empty()) {
        (true, _) => Some(truth(false)),
        (false, true) if asked => Some(truth(true)),
        (false, true) => {
            let outer = |p: &Part| {
                p.kind == JoinKind::Left && !is_gone(p, &names.frames[names.frames.len() - 1].sources)
            };
            (left_out || parts.iter().any(outer)).then(|| truth(true))
        }
        (false, false) => Some(whole(list)),
    };
    if let Some(f) = &mut s.filter {
        fill(f, names.here());
    }
    let frame = names.here();
    s.from_dual = count > 0;
    s.from = Vec::new();
    for part in parts {
        if !is_gone(&part, &frame.sources) {
            append(&mut s.from, part, &mut frame.sources);
        }
    }
    Ok(())
}

fn is_gone(part: &Part, sources: &[Source]) -> bool {
    part.table.is_some_and(|t| sources[t].gone)
}

/// The conditions of outer joins.
fn place_on(names: &mut Names<'_>, parts: &mut [Part], all: &Conjunction, order: &Order) {
    for part in parts {
        place_on(names, &mut part.tables, all, order);
        if part.kind != JoinKind::Left {
            continue;
        }
        let heads = all.heads(&|f| order.places.get(f.table).copied().unwrap_or(0));
        for e in &mut part.on {
            fill(e, names.here());
            behead(names, e, &heads);
        }
        let on = Conjunction::of_outer_join(names, std::mem::take(&mut part.on), &all.equalities);
        part.on = match on.never {
            true => vec![truth(false)],
            false => on.print(names, &|f| order.places.get(f.table).copied().unwrap_or(0)),
        };
    }
}

/// What reading tables of one row gave.
#[derive(PartialEq, Eq)]
enum Read {
    /// Rows, where there are such tables.
    Rows,
    /// One of them has no row.
    Nothing,
}

/// Reads the rows of tables that have one at most, and those that constants find by a unique key.
fn read_rows(names: &mut Names<'_>, all: &mut Conjunction, parts: &[Part], number: u32) -> SqlResult<Read> {
    let mut read = Read::Rows;
    for p in parts.iter().filter(|p| p.kind == JoinKind::Left) {
        drop_missing(names, p);
    }
    loop {
        let mut found = false;
        for t in parts.iter().filter(|p| p.kind != JoinKind::Left).filter_map(|p| p.table) {
            let source = &names.here().sources[t];
            if all.never || source.row.is_some() {
                continue;
            }
            let Some(Relation::Base(open)) = source.relation.clone() else { continue };
            let name =
                TableName { db: Some(source.db.clone()), name: source.name.clone(), span: Span::default() };
            let single = names.facts.count(&open) <= 1;
            let key = if single { Some(Vec::new()) } else { unique_key(names, all, &open, t) };
            let Some(key) = key else { continue };
            found = true;
            let columns: Vec<ast::Name> = open.def().columns.iter().map(|c| c.name.as_str().into()).collect();
            let filter = (!key.is_empty()).then(|| whole(key));
            let row = names.facts.row(&name, &columns, filter)?;
            let width = columns.len();
            let source = &mut names.here().sources[t];
            source.gone = single && row.is_some();
            if row.is_none() {
                read = Read::Nothing;
                all.never |= !single;
            }
            source.row = Some(row.unwrap_or_else(|| vec![Literal::Null; width]));
            know(names, all, number, t);
        }
        if !found {
            return Ok(read);
        }
    }
}

/// A table without rows that may be missing is missing.
fn drop_missing(names: &mut Names<'_>, part: &Part) {
    let Some(t) = part.table else { return };
    let Some(Relation::Base(open)) = names.here().sources[t].relation.clone() else { return };
    if names.facts.count(&open) == 0 {
        let source = &mut names.here().sources[t];
        source.row = Some(vec![Literal::Null; source.columns.len()]);
        source.gone = true;
    }
}

/// Equalities of the columns of a unique key, when constants are equal to all of them.
fn unique_key(
    names: &mut Names<'_>,
    all: &Conjunction,
    open: &crate::table::OpenTable,
    table: usize,
) -> Option<Vec<Expr>> {
    let number = names.here().number;
    let value = |column: usize| {
        let is = |f: &Field| (f.select, f.table, f.column) == (number, table, column);
        let equality = all.equalities.iter().find(|e| e.fields.iter().any(is))?;
        let name = open.def().columns[column].name.as_str().into();
        let name = ast::ColumnRef { db: None, table: None, name };
        let (column, value) = (made(ExprKind::Column(Box::new(name))), equality.value.clone()?);
        Some(made(ExprKind::Binary(ast::BinaryOp::Eq, Box::new(column), Box::new(plain(value)))))
    };
    let unique = |k: &&schema::definition::KeyDef| matches!(k.kind, KeyKind::Primary | KeyKind::Unique);
    open.def().keys.iter().filter(unique).find_map(|k| {
        let whole = k.parts.iter().all(|p| p.prefix.is_none());
        k.parts.iter().map(|p| value(p.column)).collect::<Option<Vec<_>>>().filter(|_| whole)
    })
}

/// Puts the values of a row that became known into the conditions.
fn know(names: &mut Names<'_>, all: &mut Conjunction, number: u32, table: usize) {
    for i in 0..all.equalities.len() {
        let of_row = |f: &Field| (f.select, f.table) == (number, table);
        let (known, rest): (Vec<Field>, Vec<Field>) =
            std::mem::take(&mut all.equalities[i].fields).into_iter().partition(of_row);
        all.equalities[i].fields = rest;
        for f in known {
            let Some(v) = names.here().sources[table].row.as_ref().and_then(|r| r.get(f.column)).cloned()
            else {
                continue;
            };
            all.never |= v == Literal::Null;
            let v = row_value(&f, &v);
            all.give_value(names, i, v.clone(), Some(v));
        }
    }
    all.equalities.retain(|e| !e.fields.is_empty());
    let mut rest = Vec::new();
    for mut e in std::mem::take(&mut all.rest) {
        fill(&mut e, names.here());
        match decided(names, &e) {
            Some(true) => {}
            Some(false) => all.never = true,
            None => rest.push(e),
        }
    }
    all.rest = rest;
    all.settle(names, &[]);
}

fn append(out: &mut Vec<TableRef>, part: Part, sources: &mut [Source]) {
    let right = match part.table {
        Some(t) => table(&mut sources[t]),
        None => {
            let mut list = Vec::new();
            part.tables.into_iter().for_each(|p| append(&mut list, p, sources));
            TableRef::Nested(list)
        }
    };
    match (part.kind, out.pop()) {
        (JoinKind::Inner, left) => {
            out.extend(left);
            out.push(right);
        }
        (_, None) => out.push(right),
        (kind, Some(left)) => {
            let condition = match kind {
                JoinKind::Left => JoinCondition::On(whole(part.on)),
                _ => JoinCondition::None,
            };
            out.push(TableRef::Join(Box::new(ast::Join { left, right, kind, natural: false, condition })));
        }
    }
}

/// A table as it is printed.
fn table(source: &mut Source) -> TableRef {
    if let Some(json) = source.json.take() {
        return TableRef::JsonTable(json);
    }
    if let Some(query) = source.query.take() {
        let (alias, columns) = (source.alias.clone(), Vec::new());
        return TableRef::Derived(Box::new(ast::DerivedTable {
            query: query.into(),
            alias,
            columns,
            lateral: false,
        }));
    }
    let name = TableName {
        db: Some(source.db.clone()).filter(|db| !db.is_empty()),
        name: source.name.clone(),
        span: Span::default(),
    };
    TableRef::Table(Box::new(TableFactor {
        name,
        alias: Some(source.alias.clone()).filter(|a| *a != source.name),
        partitions: Vec::new(),
        hints: std::mem::take(&mut source.hints),
        system_time: false,
    }))
}
