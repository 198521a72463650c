//! EXPLAIN: the plan as MariaDB's table of steps.

use std::cmp::Reverse;

use super::const_tables::{self, known_rows};
use super::explained_step::{as_known, as_seek, extra, step};
use super::pruning;
use super::recursive::RecursivePlan;
use super::sarg::{ColumnTest, Sarg};
use super::shortcut::Shortcut;
use super::{Access, BlockPlan, Body, QueryPlan, Relation, SetPlan, Step, SubqueryPlan};
use crate::ast::SetOpKind;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::expr::measured::{Measuring, Part, Place};
use crate::expr::{CompareOp, Expr, Node};
use crate::table::OpenTable;
use crate::types::Value;
use schema::definition::PartitionFile;
use std::sync::Arc;

/// One row of EXPLAIN.
#[derive(Clone, Debug, Default)]
pub struct ExplainRow {
    /// Number of the SELECT.
    pub id: Option<u64>,
    /// SIMPLE, PRIMARY, SUBQUERY ...
    pub select_type: &'static str,
    /// Alias of the table.
    pub table: Option<String>,
    /// const, eq_ref, ref, range, index, ALL ...
    pub access: Option<&'static str>,
    /// Keys that could serve.
    pub possible_keys: Option<String>,
    /// The key used.
    pub key: Option<String>,
    /// Bytes of the key used.
    pub key_len: Option<String>,
    /// What the key is compared with.
    pub reference: Option<String>,
    /// Estimated rows.
    pub rows: Option<u64>,
    /// Remarks.
    pub extra: String,
    /// The part of the plan that was measured for it.
    pub place: Option<Place>,
    /// The partitioned table that is read.
    pub partitions: Option<Partitions>,
}

/// A partitioned table, and what constants ask of it.
#[derive(Clone)]
pub struct Partitions {
    pub(super) table: Arc<OpenTable>,
    pub(super) tests: Vec<ColumnTest>,
    pub(super) choices: Vec<Vec<Vec<ColumnTest>>>,
}

impl std::fmt::Debug for Partitions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Partitions").field("table", &self.table.name).finish_non_exhaustive()
    }
}

impl Partitions {
    /// The names of those that are read.
    ///
    /// # Errors
    /// Those of constants and of the partitioning function.
    pub(crate) fn names(&self, ctx: &mut EvalContext) -> SqlResult<Option<String>> {
        let pruned =
            pruning::prune(&self.table, (&self.tests, &self.choices), &mut |e, ctx| e.value(ctx), ctx)?;
        let files = self.table.def().partition.as_ref().map_or(&[][..], |p| &p.files);
        let is_read = |n: usize| {
            self.table.children().is_some_and(|c| c.is_read(n))
                && pruned.as_ref().is_none_or(|p| p.binary_search(&n).is_ok())
        };
        let read = files.iter().enumerate().filter(|(n, _)| is_read(*n));
        let name = |f: &PartitionFile| match &f.subpartition {
            Some(sub) => format!("{}_{sub}", f.partition),
            None => f.partition.clone(),
        };
        let names: Vec<String> = read.map(|(_, f)| name(f)).collect();
        Ok((!names.is_empty()).then(|| names.join(",")))
    }
}

impl ExplainRow {
    /// The columns in MariaDB's order; with `filtered` for EXTENDED and ANALYZE, and what was measured.
    #[must_use]
    pub fn values(&self, filtered: bool, measuring: Option<&Measuring>) -> Vec<Value> {
        let text = |s: &str| Value::Bytes(s.as_bytes().to_vec());
        let maybe = |s: &Option<String>| s.as_deref().map_or(Value::Null, text);
        let hundredths = |n: Option<f64>| n.map_or(Value::Null, |n| text(&format!("{n:.2}")));
        let share = |n: Option<f64>| n.map_or(Value::Null, Value::Double);
        let mut list = vec![
            self.id.map_or(Value::Null, Value::UInt),
            text(self.select_type),
            maybe(&self.table),
            self.access.map_or(Value::Null, text),
            maybe(&self.possible_keys),
            maybe(&self.key),
            maybe(&self.key_len),
            maybe(&self.reference),
            self.rows.map_or(Value::Null, |n| text(&n.to_string())),
        ];
        let measured = self.place.and_then(|place| measuring?.get(place)).filter(|m| m.loops > 0);
        if measuring.is_some() {
            list.push(hundredths(measured.map(|m| m.rows as f64 / m.loops as f64)));
        }
        let inserts = self.select_type == "INSERT";
        let table = self.rows.is_some() || inserts;
        if filtered {
            let none = self.rows == Some(0);
            list.push(share(table.then_some(if none { 0.0 } else { 100.0 })));
        }
        if measuring.is_some() {
            let rows = measured.and_then(super::explain_json::filtered).filter(|_| table);
            list.push(share(if inserts { Some(100.0) } else { rows }));
        }
        // an INSERT of rows has no remarks at all
        list.push(if inserts { Value::Null } else { text(&self.extra) });
        list
    }
}

/// The headings of EXPLAIN; those that EXTENDED and ANALYZE add.
#[must_use]
pub fn columns(filtered: bool, measured: bool) -> Vec<&'static str> {
    let mut list =
        vec!["id", "select_type", "table", "type", "possible_keys", "key", "key_len", "ref", "rows"];
    list.extend(measured.then_some("r_rows"));
    list.extend(filtered.then_some("filtered"));
    list.extend(measured.then_some("r_filtered"));
    list.push("Extra");
    list
}

/// What is asked while a plan is explained.
#[derive(Clone, Copy)]
pub enum Question<'p> {
    /// What is said of a block whose aggregates come without reading rows.
    Ends(&'p BlockPlan, &'p [Shortcut]),
    /// What is said when the block's first tables, so many, have no row that meets their conditions.
    Constants(&'p QueryPlan, &'p BlockPlan, usize),
}

/// Gives the answers.
pub type Remarks<'a> = &'a mut dyn FnMut(Question<'_>) -> SqlResult<Option<&'static str>>;

/// The rows of EXPLAIN for a plan, or of ANALYZE, which runs subqueries as they are written.
///
/// # Errors
/// Those of `remarks`.
pub fn explain(plan: &QueryPlan, analyze: bool, remarks: Remarks<'_>) -> SqlResult<Vec<ExplainRow>> {
    let mut rows = Vec::new();
    let mut numbers = Numbers { next: 1, analyze, evaluated: false };
    query(plan, if is_simple(plan) { "SIMPLE" } else { "PRIMARY" }, &mut numbers, remarks, &mut rows)?;
    Ok(rows)
}

/// The type of a SELECT whose rows are joined.
const SEMIJOIN: &str = "MATERIALIZED";

/// A SELECT within another one, or below it.
struct Below<'p> {
    kind: &'static str,
    plan: &'p QueryPlan,
    /// It looks for values by a key.
    seeks: bool,
    /// The row of its table, where it is one.
    at: Option<usize>,
}

/// The number of a plan's first SELECT, where they have numbers.
pub(super) fn first_number(plan: &QueryPlan) -> Option<u64> {
    match &plan.body {
        Body::Block(b) => (b.number != 0).then_some(u64::from(b.number)),
        Body::Set(set) => set.terms.first().and_then(|(_, term)| first_number(term)),
        Body::Recursive(r) => r.group.members[r.result].anchors.first().and_then(|p| first_number(p)),
        Body::Working(w) => (w.number != 0).then_some(w.number),
        Body::Values(_) => None,
    }
}

/// The numbers that SELECTs get.
struct Numbers {
    next: u64,
    /// They are those of what was measured.
    analyze: bool,
    /// The SELECT is of a union that is a constant: the reference server has evaluated it.
    evaluated: bool,
}

/// Whether there is one SELECT, in brackets or not.
fn is_simple(plan: &QueryPlan) -> bool {
    let one = match &plan.body {
        Body::Set(set) => set.terms.len() == 1 && is_simple(&set.terms[0].1),
        _ => true,
    };
    one && plan.subqueries.is_empty() && !has_derived(plan)
}

fn has_derived(plan: &QueryPlan) -> bool {
    match &plan.body {
        Body::Block(b) => b.tables.iter().any(|t| matches!(t.relation, Relation::Derived(_))),
        _ => false,
    }
}

fn query(
    plan: &QueryPlan,
    kind: &'static str,
    numbers: &mut Numbers,
    remarks: Remarks<'_>,
    out: &mut Vec<ExplainRow>,
) -> SqlResult<()> {
    let id = first_number(plan).unwrap_or(numbers.next);
    numbers.next += 1;
    match &plan.body {
        Body::Values(_) => out.push(ExplainRow {
            id: Some(id),
            select_type: kind,
            extra: "No tables used".into(),
            ..ExplainRow::default()
        }),
        Body::Set(set) => {
            set_operation(set, kind, id, numbers, remarks, out)?;
        }
        Body::Recursive(r) => recursive(r, kind, id, numbers, remarks, out)?,
        Body::Working(_) => numbers.next -= 1,
        Body::Block(b) => {
            let reason = match reason(plan, b, kind, &mut *remarks)? {
                None if numbers.evaluated && is_empty(b) => Some("no matching row in const table"),
                reason => reason,
            };
            if let Some(reason) = reason {
                out.push(ExplainRow {
                    id: Some(id),
                    select_type: kind,
                    extra: reason.into(),
                    ..ExplainRow::default()
                });
            }
            let mut below = Vec::new();
            let constants = const_tables::count(b);
            let read = |(n, s): (usize, &Step)| n >= constants && known_rows(b, s).is_none();
            let first = b.steps.iter().enumerate().position(read).unwrap_or(usize::MAX);
            for (n, s) in b.steps.iter().enumerate().filter(|_| reason.is_none()) {
                let mut row = step(b, s, n);
                row.id = Some(id);
                row.place = Some((id, Part::Step(n)));
                row.select_type = kind;
                match known_rows(b, s) {
                    Some(rows) => as_known(&mut row, rows, b.tables[s.table].pruned),
                    None if n < constants => {
                        row.access = Some("const");
                        row.extra = if s.covering { "Using index".into() } else { String::new() };
                    }
                    // that the rows of a semi-join are distinct goes without saying
                    None => row.extra = extra(b, s, n, n == first && kind != SEMIJOIN).join("; "),
                }
                let table = &b.tables[s.table];
                if let Relation::Derived(p) = &table.relation {
                    let kind = if table.semijoin { SEMIJOIN } else { "DERIVED" };
                    below.push(Below { kind, plan: p, seeks: false, at: Some(out.len()) });
                }
                out.push(row);
            }
            for s in plan.subqueries.iter().filter(|s| !s.joined) {
                let (kind, plan, seeks) = way(s, b, numbers.analyze);
                below.push(Below { kind, plan, seeks, at: None });
            }
            // the reference server has the last SELECT of the text first, behind those that are joined
            below.sort_by_key(|child| {
                let joined = child.kind == SEMIJOIN && child.at.is_some();
                (!joined, if joined { None } else { first_number(child.plan).map(Reverse) })
            });
            for child in below {
                if let Some(at) = child.at {
                    let word = if child.kind == SEMIJOIN { "subquery" } else { "derived" };
                    let number = first_number(child.plan).unwrap_or(numbers.next);
                    out[at].table = Some(format!("<{word}{number}>"));
                }
                let from = out.len();
                query(child.plan, child.kind, numbers, remarks, out)?;
                out[from..].iter_mut().filter(|_| child.seeks).for_each(as_seek);
            }
        }
    }
    Ok(())
}

/// What is said of a subquery, the plan that is shown, and whether it looks for single values by a key. The executor begins row by row and
/// changes its mind (`exec::keyed`); here estimates tell where it will end.
fn way<'p>(s: &'p SubqueryPlan, around: &BlockPlan, analyze: bool) -> (&'static str, &'p QueryPlan, bool) {
    // what depends on nothing outside depends on user variables
    let outside = |s: &SubqueryPlan| refers_outside(&s.plan);
    let usual = match s.independent {
        true if asked_anew(&s.plan) => "UNCACHEABLE SUBQUERY",
        true => "SUBQUERY",
        false if !outside(s) && !s.plan.subqueries.iter().any(|s| outside(s)) => "UNCACHEABLE SUBQUERY",
        false => "DEPENDENT SUBQUERY",
    };
    let Some(_) = s.membership.filter(|_| !analyze) else { return (usual, &s.plan, false) };
    let asked: f64 = around.steps.iter().map(|s| s.rows.max(1.0)).product();
    match (&s.by_row, &s.keyed) {
        (Some(by_row), _) if asked * by_row.each < by_row.all => ("DEPENDENT SUBQUERY", &by_row.found, true),
        (_, Some(keyed)) if asked * s.plan.rows_read() >= keyed.rows => ("MATERIALIZED", &keyed.plan, false),
        _ if s.independent => ("MATERIALIZED", &s.plan, false),
        _ => (usual, &s.plan, false),
    }
}

/// Whether something in a query has another value each time it is asked for.
fn asked_anew(plan: &QueryPlan) -> bool {
    let own = any_expr(plan, &|e| match &e.node {
        Node::UserVariable(_) | Node::Assign(..) => true,
        Node::Call(f, _) => ASKED_ANEW.contains(&f.def.name),
        _ => false,
    });
    own || plan.subqueries.iter().any(|s| asked_anew(&s.plan))
}

/// Functions whose subqueries are asked again each time.
const ASKED_ANEW: &[&str] = &[
    "benchmark",
    "encrypt",
    "get_lock",
    "is_free_lock",
    "is_used_lock",
    "last_insert_id",
    "load_file",
    "rand",
    "release_all_locks",
    "release_lock",
    "sleep",
    "uuid",
    "uuid_short",
];

/// Whether a query refers to the rows of the one around it.
fn refers_outside(plan: &QueryPlan) -> bool {
    any_expr(plan, &|e| matches!(e.node, Node::Outer(_)))
}

/// Whether an expression of the query's own SELECTs is such.
fn any_expr(plan: &QueryPlan, is: &dyn Fn(&Expr) -> bool) -> bool {
    match &plan.body {
        Body::Block(b) => {
            let mut found = false;
            super::slots::for_each_expr(b, &mut |e| e.walk(&mut |e| found |= is(e)));
            found
        }
        Body::Set(set) => set.terms.iter().any(|(_, term)| any_expr(term, is)),
        _ => false,
    }
}

/// Why a block's tables are not read.
///
/// # Errors
/// Those of `remarks`.
pub(super) fn reason(
    plan: &QueryPlan,
    b: &BlockPlan,
    kind: &str,
    remarks: Remarks<'_>,
) -> SqlResult<Option<&'static str>> {
    if matches!(b.limit.count.as_ref().map(|e| &e.node), Some(Node::Literal(Value::Int(0) | Value::UInt(0))))
    {
        return Ok(Some("Zero limit"));
    }
    let found = |s: &Shortcut| matches!(s, Shortcut::Found);
    let shortcut = b.group.as_ref().and_then(|g| g.shortcut.as_ref()).filter(|s| !s.iter().any(found));
    let left_out = |s: &Step| {
        known_rows(b, s) == Some(0)
            && (s.filter.as_ref().is_some_and(|f| needs_value(f, s.table)) || found_by_values(b, s))
    };
    if b.steps.iter().any(left_out) {
        return Ok(Some("Impossible WHERE noticed after reading const tables"));
    }
    let constants = const_tables::count(b);
    if b.impossible.is_none()
        && constants > 0
        && const_tables::can_be_asked(b, constants)
        && let Some(reason) = remarks(Question::Constants(plan, b, constants))?
    {
        let first = &b.steps[0];
        let alone = b.tables.len() == 1 && first.filter.is_none() && known_rows(b, first).is_none();
        let below = matches!(kind, "SUBQUERY" | "DERIVED" | "MATERIALIZED");
        return Ok(Some(if alone && below { "no matching row in const table" } else { reason }));
    }
    match (b.impossible, shortcut) {
        (Some(reason), _) => Ok(Some(reason)),
        (None, _) if b.steps.is_empty() => Ok(Some("No tables used")),
        (None, Some(list)) => remarks(Question::Ends(b, list)),
        (None, None) => Ok(None),
    }
}

/// Whether a SELECT reads one table, which has no row.
fn is_empty(b: &BlockPlan) -> bool {
    matches!(&b.steps[..], [only] if known_rows(b, only) == Some(0)) && b.group.is_none()
}

/// Whether a key finds the rows of a table in partitions, by conditions that no NULL meets.
fn found_by_values(b: &BlockPlan, s: &Step) -> bool {
    let asks_for_null = |t: &ColumnTest| {
        let null_safe = |t: &Sarg| matches!(t, Sarg::IsNull | Sarg::Compare(CompareOp::NullSafeEq, _));
        null_safe(&t.test)
            || matches!(&t.test, Sarg::Or(list) | Sarg::And(list) if list.iter().any(null_safe))
    };
    b.tables[s.table].pruned
        && matches!(s.access, Access::Lookup { .. } | Access::Range { .. })
        && !b.tables[s.table].tests.iter().any(asks_for_null)
}

/// Whether a condition compares a column of a table, so that it is not true of NULL.
fn needs_value(filter: &Expr, table: usize) -> bool {
    let column = |e: &Expr| e.as_column().is_some_and(|c| c.table as usize == table);
    match &filter.node {
        Node::And(list) => list.iter().any(|e| needs_value(e, table)),
        Node::Compare(op, _, args) => *op != CompareOp::NullSafeEq && args.iter().any(column),
        Node::Between { args, .. } => column(&args[0]),
        Node::In { expr, .. } => column(expr),
        Node::Like { args, .. } => column(&args[0]),
        _ => false,
    }
}

/// Tells where the parts of a plan lie in memory, with the numbers that [`explain`] gives them.
pub fn places(plan: &QueryPlan, f: &mut dyn FnMut(usize, Place)) {
    number(plan, &mut 1, f);
}

fn address<T>(part: &T) -> usize {
    std::ptr::from_ref(part).cast::<u8>() as usize
}

fn number(plan: &QueryPlan, next: &mut u64, f: &mut dyn FnMut(usize, Place)) {
    let id = first_number(plan).unwrap_or(*next);
    *next += 1;
    match &plan.body {
        Body::Values(v) => f(address(v), (id, Part::Block)),
        Body::Working(_) => *next -= 1,
        Body::Recursive(r) => {
            f(address(r), (id, Part::Union));
            *next = id;
            r.plans().for_each(|term| number(term, next, f));
        }
        Body::Set(set) => {
            f(address(&**set), (id, Part::Union));
            *next = id;
            set.terms.iter().for_each(|(_, term)| number(term, next, f));
        }
        Body::Block(b) => {
            f(address(&**b), (id, Part::Block));
            for (n, s) in b.steps.iter().enumerate() {
                f(address(s), (id, Part::Step(n)));
            }
            for s in b.steps.iter().filter(|_| b.impossible.is_none()) {
                if let Relation::Derived(p) = &b.tables[s.table].relation {
                    number(p, next, f);
                }
            }
            plan.subqueries.iter().filter(|s| !s.joined).for_each(|s| number(&s.plan, next, f));
        }
    }
}

/// The word of a set operation.
pub(super) fn operation(kind: SetOpKind) -> &'static str {
    match kind {
        SetOpKind::Union => "UNION",
        SetOpKind::Except => "EXCEPT",
        SetOpKind::Intersect => "INTERSECT",
    }
}

/// The name of a set operation's result: by the one operation that all its arms have, else a unit.
pub(super) fn result_name(set: &SetPlan, ids: &[u64]) -> String {
    let list: Vec<String> = ids.iter().map(u64::to_string).collect();
    format!("<{}{}>", result_word(set).to_lowercase(), list.join(","))
}

fn result_word(set: &SetPlan) -> &'static str {
    let mut kinds = set.terms.iter().filter_map(|(op, _)| op.map(|o| o.kind));
    let first = kinds.next().unwrap_or(SetOpKind::Union);
    if kinds.all(|k| k == first) { operation(first) } else { "UNIT" }
}

fn set_operation(
    set: &SetPlan,
    kind: &'static str,
    id: u64,
    numbers: &mut Numbers,
    remarks: Remarks<'_>,
    out: &mut Vec<ExplainRow>,
) -> SqlResult<()> {
    let mut ids = Vec::new();
    let dependent = kind == "DEPENDENT SUBQUERY" && set.terms.iter().any(|(_, term)| refers_outside(term));
    for (i, (op, term)) in set.terms.iter().enumerate() {
        if i > 0 {
            ids.push(first_number(term).unwrap_or(numbers.next));
        } else {
            numbers.next = id;
            ids.push(id);
        }
        let word = match op.map(|op| op.kind) {
            Some(SetOpKind::Union) if dependent && refers_outside(term) => "DEPENDENT UNION",
            Some(SetOpKind::Union) if dependent || kind == "UNCACHEABLE SUBQUERY" && asked_anew(term) => {
                "UNCACHEABLE UNION"
            }
            Some(op) => operation(op),
            None if dependent && !refers_outside(term) => "UNCACHEABLE SUBQUERY",
            None => kind,
        };
        let around = std::mem::replace(&mut numbers.evaluated, kind == "SUBQUERY" && !numbers.analyze);
        query(term, word, numbers, remarks, out)?;
        numbers.evaluated = around;
    }
    // rows of UNION ALL are sent as they come
    if ids.len() > 1 && !set.streams() {
        out.push(ExplainRow {
            select_type: match result_word(set) {
                "EXCEPT" => "EXCEPT RESULT",
                "INTERSECT" => "INTERSECT RESULT",
                "UNIT" => "UNIT RESULT",
                _ => "UNION RESULT",
            },
            table: Some(result_name(set, &ids)),
            access: Some("ALL"),
            extra: if set.order.is_empty() { String::new() } else { "Using filesort".into() },
            place: Some((id, Part::Union)),
            ..ExplainRow::default()
        });
    }
    Ok(())
}

/// The terms of a recursive expression, the anchors first.
fn recursive(
    r: &RecursivePlan,
    kind: &'static str,
    id: u64,
    numbers: &mut Numbers,
    remarks: Remarks<'_>,
    out: &mut Vec<ExplainRow>,
) -> SqlResult<()> {
    numbers.next = id;
    let member = &r.group.members[r.result];
    let mut ids = Vec::new();
    let anchors = member.anchors.iter().map(|p| (p, false));
    for (p, step) in anchors.chain(member.steps.iter().map(|p| (p, true))) {
        let word = match (step, ids.is_empty()) {
            (true, _) => "RECURSIVE UNION",
            (false, true) => kind,
            (false, false) => "UNION",
        };
        ids.push(first_number(p).unwrap_or(numbers.next));
        query(p, word, numbers, &mut *remarks, out)?;
    }
    let list: Vec<String> = ids.iter().map(u64::to_string).collect();
    out.push(ExplainRow {
        select_type: "UNION RESULT",
        table: Some(format!("<union{}>", list.join(","))),
        access: Some("ALL"),
        place: Some((id, Part::Union)),
        ..ExplainRow::default()
    });
    Ok(())
}

/// Whether a subquery reads the table that a statement changes: it is read as in a SELECT then.
fn is_read_below(plan: &QueryPlan, b: &BlockPlan, s: &Step) -> bool {
    let Relation::Base(own) = &b.tables[s.table].relation else { return false };
    let same = |t: &Arc<OpenTable>| t.db == own.db && t.name == own.name;
    plan.subqueries.iter().any(|s| s.plan.tables.iter().any(same))
}

/// The rows of EXPLAIN of an UPDATE or DELETE: what it finds by one key value, the reference server calls a range, and it reads the
/// rows themselves.
///
/// # Errors
/// Those of `remarks`.
pub fn explain_change(plan: &QueryPlan, analyze: bool, remarks: Remarks<'_>) -> SqlResult<Vec<ExplainRow>> {
    let mut rows = explain(plan, analyze, remarks)?;
    if let (Body::Block(b), [row, ..]) = (&plan.body, &mut rows[..])
        && let [only] = &b.steps[..]
        && row.access.is_some()
    {
        if matches!(only.access, Access::Lookup { .. } | Access::Range { .. }) {
            row.access = Some("range");
            row.reference = None;
            row.extra = "Using where".into();
        } else if row.access == Some("system") && !is_read_below(plan, b, only) {
            // the table that is changed is read as any other
            let extra = extra(b, only, 0, true).join("; ");
            *row = ExplainRow {
                id: row.id,
                select_type: row.select_type,
                place: row.place,
                extra,
                ..step(b, only, 0)
            };
        }
    }
    Ok(rows)
}
