//! EXPLAIN: the plan as MariaDB's table of steps.

use std::cmp::Reverse;

use super::full_text;
use super::pruning;
use super::recursive::RecursivePlan;
use super::sarg::ColumnTest;
use super::shortcut::Shortcut;
use super::{Access, BlockPlan, Body, QueryPlan, Relation, SetPlan, Step, StepKind, SubqueryPlan, workings};
use crate::ast::SetOpKind;
use crate::error::SqlResult;
use crate::expr::EvalContext;
use crate::expr::measured::{Measuring, Part, Place};
use crate::expr::{ColumnRef, CompareOp, Expr, Node};
use crate::table::OpenTable;
use crate::types::{FieldType, Kind, Value};
use schema::definition::{KeyDef, KeyPart, PartitionFile};
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
    table: Arc<OpenTable>,
    tests: Vec<ColumnTest>,
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
        let pruned = pruning::prune(&self.table, &self.tests, &mut |e, ctx| e.value(ctx), ctx)?;
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
            list.push(hundredths(table.then_some(if none { 0.0 } else { 100.0 })));
        }
        if measuring.is_some() {
            let rows = measured.and_then(super::explain_json::filtered).filter(|_| table);
            list.push(hundredths(if inserts { Some(100.0) } else { rows }));
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

/// What is said of a block whose aggregates come without reading rows.
pub type Remarks<'a> = &'a mut dyn FnMut(&BlockPlan, &[Shortcut]) -> SqlResult<Option<&'static str>>;

/// The rows of EXPLAIN for a plan, or of ANALYZE, which runs subqueries as they are written.
///
/// # Errors
/// Those of `remarks`.
pub fn explain(plan: &QueryPlan, analyze: bool, remarks: Remarks<'_>) -> SqlResult<Vec<ExplainRow>> {
    let mut rows = Vec::new();
    let mut numbers = Numbers { next: 1, analyze };
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
            let reason = reason(b, &mut *remarks)?;
            if let Some(reason) = reason {
                out.push(ExplainRow {
                    id: Some(id),
                    select_type: kind,
                    extra: reason.into(),
                    ..ExplainRow::default()
                });
            }
            let mut below = Vec::new();
            let first = b.steps.iter().position(|s| known_rows(b, s).is_none()).unwrap_or(usize::MAX);
            for (n, s) in b.steps.iter().enumerate().filter(|_| reason.is_none()) {
                let mut row = step(b, s, n);
                row.id = Some(id);
                row.place = Some((id, Part::Step(n)));
                row.select_type = kind;
                match known_rows(b, s) {
                    Some(rows) => as_known(&mut row, rows),
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
    let usual = if s.independent { "SUBQUERY" } else { "DEPENDENT SUBQUERY" };
    let Some(_) = s.membership.filter(|_| !analyze) else { return (usual, &s.plan, false) };
    let asked: f64 = around.steps.iter().map(|s| s.rows.max(1.0)).product();
    match (&s.by_row, &s.keyed) {
        (Some(by_row), _) if asked * by_row.each < by_row.all => ("DEPENDENT SUBQUERY", &by_row.found, true),
        (_, Some(keyed)) if asked * s.plan.rows_read() >= keyed.rows => ("MATERIALIZED", &keyed.plan, false),
        _ if s.independent => ("MATERIALIZED", &s.plan, false),
        _ => (usual, &s.plan, false),
    }
}

/// A look-up of a value of IN has names of its own.
fn as_seek(row: &mut ExplainRow) {
    let word = match row.access {
        Some("const" | "eq_ref") => "unique_subquery",
        Some("ref") => "index_subquery",
        _ => return,
    };
    row.access = Some(word);
    row.reference = row.reference.as_ref().map(|r| r.replace("const", "func"));
}

/// A column by its database, table and name; of a subquery that is joined the column it stands for.
fn column_name(b: &BlockPlan, c: ColumnRef) -> String {
    let from = &b.tables[c.table as usize];
    let column = c.column as usize;
    let name = match &from.relation {
        Relation::Base(o) => o.def().columns[column].name.as_str(),
        Relation::Virtual(v) => &v.columns()[column].0,
        Relation::Merged => "",
        Relation::Derived(p) => {
            if let Body::Block(inner) = &p.body
                && from.semijoin
                && let Some(c) = inner.output[column].as_column().filter(|_| inner.group.is_none())
            {
                return column_name(inner, c);
            }
            &p.names[column]
        }
    };
    format!("{}.{}.{name}", from.db, from.alias)
}

/// Why a block's tables are not read.
///
/// # Errors
/// Those of `remarks`.
pub(super) fn reason(b: &BlockPlan, remarks: Remarks<'_>) -> SqlResult<Option<&'static str>> {
    let found = |s: &Shortcut| matches!(s, Shortcut::Found);
    let shortcut = b.group.as_ref().and_then(|g| g.shortcut.as_ref()).filter(|s| !s.iter().any(found));
    if b.steps
        .iter()
        .any(|s| known_rows(b, s) == Some(0) && s.filter.as_ref().is_some_and(|f| needs_value(f, s.table)))
    {
        return Ok(Some("Impossible WHERE noticed after reading const tables"));
    }
    match (b.impossible, shortcut) {
        (Some(reason), _) => Ok(Some(reason)),
        (None, _) if b.steps.is_empty() => Ok(Some("No tables used")),
        (None, Some(list)) => remarks(b, list),
        (None, None) => Ok(None),
    }
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

/// Whether a step tests conditions on the entries of its key, and whether its filter is one of them.
pub(super) fn pushed(b: &BlockPlan, s: &Step) -> (bool, bool) {
    pushes(&b.tables[s.table].relation, s).map_or((false, false), |key| {
        let within = s.filter.as_ref().is_some_and(|f| within_key(f, s.table, key));
        (tests_again(&s.access) || within, within)
    })
}

/// The key that a derived table gets for a join, by the reference server's name. Ours is a hash table.
const DERIVED_KEY: &str = "key0";

/// The buffer through which step `n` joins, if it does: one for itself, or one that holds only what is behind that of the step before.
/// The reference server compares each of its rows unless `join_cache_level` lets it hash them, and names it by that; ours always does.
pub(super) fn join_buffer(b: &BlockPlan, s: &Step, n: usize) -> Option<&'static str> {
    let buffered = |s: &Step, n: usize| match s.access {
        Access::Hash { .. } => looked_up(b, s).is_none(),
        Access::Scan | Access::KeyScan { .. } => n > 0 && known_rows(b, s).is_none() && !asks_for_scores(b),
        _ => false,
    };
    if !buffered(s, n) || b.steps[..n].iter().all(|s| known_rows(b, s).is_some()) {
        return None;
    }
    let before = n.checked_sub(1).map(|i| (&b.steps[i], i));
    let further = before.is_some_and(|(s, i)| join_buffer(b, s, i).is_some());
    Some(if further { "incremental" } else { "flat" })
}

/// The columns of a derived table by which a join finds its rows, and what they are compared with.
fn looked_up<'b>(b: &'b BlockPlan, s: &'b Step) -> Option<(&'b [Expr], &'b [Expr])> {
    let Access::Hash { build, probe, .. } = &s.access else { return None };
    let derived =
        matches!(&b.tables[s.table].relation, Relation::Derived(p) if !matches!(p.body, Body::Working(_)));
    (derived && build.iter().all(|e| e.as_column().is_some())).then_some((build, probe))
}

/// The columns of a step's key that are used.
pub(super) fn key_parts(b: &BlockPlan, s: &Step) -> Option<Vec<String>> {
    let Relation::Base(open) = &b.tables[s.table].relation else { return None };
    let (key, parts) = match &s.access {
        Access::KeyScan { key, .. } => (*key, usize::MAX),
        Access::Lookup { key, parts, .. } => (*key, parts.len()),
        Access::Range { key, condition, .. } => (*key, condition.parts.len()),
        _ => return None,
    };
    let def = open.def();
    let name = |p: &KeyPart| def.columns[p.column].name.clone();
    Some(def.keys[key].parts.iter().take(parts).map(name).collect())
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

/// The rows of a table that has one at most, which the reference server reads before it plans the others.
fn known_rows(b: &BlockPlan, s: &Step) -> Option<u64> {
    let found = matches!(s.access, Access::Scan | Access::KeyScan { .. } | Access::Hash { .. });
    let records = b.tables[s.table].records?;
    (found && records <= 1 && s.kind == StepKind::Inner).then_some(records)
}

/// What is said of such a table.
fn as_known(row: &mut ExplainRow, rows: u64) {
    row.access = Some("system");
    (row.possible_keys, row.key, row.key_len, row.reference) = (None, None, None, None);
    row.rows = Some(rows);
    row.extra = if rows == 0 { "Const row not found".into() } else { String::new() };
}

/// What is said of step `n` in the column Extra; of the `first` that is read row by row, how its rows are put in order.
fn extra(b: &BlockPlan, s: &Step, n: usize, first: bool) -> Vec<&'static str> {
    let mut extra = Vec::new();
    let again = tests_again(&s.access);
    let pushed = pushes(&b.tables[s.table].relation, s).map(|key| {
        let within = s.filter.as_ref().is_some_and(|f| within_key(f, s.table, key));
        (again || within, s.filter.is_some() && !within)
    });
    let (in_key, beside) = pushed.unwrap_or((false, s.filter.is_some() || again));
    if in_key {
        extra.push("Using index condition");
    }
    if beside || s.on.is_some() {
        extra.push("Using where");
    }
    if s.covering {
        extra.push("Using index");
    }
    if first {
        let workings = workings::of(b);
        if workings.temporary() {
            extra.push("Using temporary");
        }
        if workings.filesort() {
            extra.push("Using filesort");
        }
    }
    match join_buffer(b, s, n) {
        Some("flat") => extra.push("Using join buffer (flat, BNL join)"),
        Some(_) => extra.push("Using join buffer (incremental, BNL join)"),
        None => {}
    }
    extra
}

/// Whether a block has a MATCH: the reference server joins without a buffer then.
fn asks_for_scores(b: &BlockPlan) -> bool {
    let mut found = false;
    super::slots::for_each_expr(b, &mut |e| found |= full_text::has_match(e));
    found
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
    for (i, (op, term)) in set.terms.iter().enumerate() {
        if i > 0 {
            ids.push(first_number(term).unwrap_or(numbers.next));
        } else {
            numbers.next = id;
            ids.push(id);
        }
        query(term, op.map_or(kind, |op| operation(op.kind)), numbers, remarks, out)?;
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

/// Whether the reference server tests the conditions again on the entries that a key gives: those of ranges, of texts, of NULL.
fn tests_again(access: &Access) -> bool {
    match access {
        Access::Range { .. } => true,
        Access::Lookup { parts, unique, .. } => {
            let texts = parts.iter().any(|p| p.ty.is_string());
            let nulls = parts.iter().any(|p| p.null_safe && p.value.is_constant());
            !unique && (texts || nulls) && parts.iter().all(|p| p.value.is_constant())
        }
        _ => false,
    }
}

/// The key on whose entries the reference server tests conditions before it reads the rows.
fn pushes<'a>(relation: &'a Relation, s: &Step) -> Option<&'a KeyDef> {
    let Relation::Base(open) = relation else { return None };
    let (key, parts) = match &s.access {
        Access::Range { key, condition, .. } => (*key, condition.parts.len()),
        Access::Lookup { key, parts, unique: false, .. } => (*key, parts.len()),
        _ => return None,
    };
    let key = &open.def().keys[key];
    // the beginning of a value does not tell whether the whole fits
    let whole = key.parts.iter().take(parts).all(|p| p.prefix.is_none());
    (!s.covering && whole && open.engine().can().reads_from_keys).then_some(key)
}

/// Whether a condition needs no more of the row than a key holds.
fn within_key(filter: &Expr, table: usize, key: &KeyDef) -> bool {
    let mut within = true;
    filter.walk(&mut |e| match &e.node {
        Node::Column(c) => {
            let held = |p: &KeyPart| p.column == c.column as usize && p.prefix.is_none();
            within &= c.table as usize == table && key.parts.iter().any(held);
        }
        Node::Subquery(_) => within = false,
        _ => {}
    });
    within
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
        } else if row.access == Some("system") {
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

/// What is said of a step's access; of one that finds the rows of a change, as [`explain_change`] has it.
pub(super) fn row(b: &BlockPlan, s: &Step, n: usize, change: bool) -> ExplainRow {
    let mut row = step(b, s, n);
    if change && matches!(s.access, Access::Lookup { .. } | Access::Range { .. }) {
        row.access = Some("range");
        row.reference = None;
    }
    row
}

/// What a key is compared with.
fn references<'e>(b: &BlockPlan, values: impl Iterator<Item = &'e Expr>) -> String {
    let one = |value: &Expr| match value.as_column() {
        Some(c) if (c.table as usize) < b.tables.len() => column_name(b, c),
        _ if value.tables() == 0 => "const".to_string(),
        _ => "func".to_string(),
    };
    values.map(one).collect::<Vec<_>>().join(",")
}

/// Bytes of a value of this type in a key: as stored, with one for NULL and two for a length.
fn key_bytes(ty: &FieldType) -> usize {
    let fraction = usize::from(ty.decimals.min(6)).div_ceil(2);
    let value = match ty.kind {
        Kind::Tiny | Kind::Year => 1,
        Kind::Short => 2,
        Kind::Int24 | Kind::Date => 3,
        Kind::Long | Kind::Float => 4,
        Kind::LongLong | Kind::Double => 8,
        Kind::Time => 3 + fraction,
        Kind::Timestamp => 4 + fraction,
        Kind::DateTime => 5 + fraction,
        Kind::Decimal => {
            let signs = u32::from(!ty.unsigned) + u32::from(ty.decimals > 0);
            let digits = ty.length.saturating_sub(signs).min(65) as u8;
            schema::layout::decimal_bytes(digits, ty.decimals) as usize
        }
        Kind::Bit => (ty.length as usize).div_ceil(8),
        Kind::Enum | Kind::Set => match (ty.kind, ty.values.as_ref().map_or(0, |v| v.len())) {
            (Kind::Enum, n) => 1 + usize::from(n > 255),
            (_, n) => [1, 2, 3, 4, 8].into_iter().find(|bytes| n <= 8 * bytes).unwrap_or(8),
        },
        Kind::Varchar => ty.length as usize + 2,
        _ => ty.length as usize,
    };
    value + usize::from(ty.nullable)
}

/// What is said of a derived table whose rows are looked up.
fn as_looked_up(b: &BlockPlan, row: &mut ExplainRow, build: &[Expr], probe: &[Expr]) {
    row.access = Some("ref");
    row.possible_keys = Some(DERIVED_KEY.into());
    row.key = Some(DERIVED_KEY.into());
    let bytes: usize = build.iter().map(|e| key_bytes(&e.ty)).sum();
    row.key_len = Some(bytes.to_string());
    row.reference = Some(references(b, probe.iter()));
    row.rows = row.rows.map(|n| n.max(2));
}

fn step(b: &super::BlockPlan, s: &Step, n: usize) -> ExplainRow {
    let t = &b.tables[s.table];
    let mut row = ExplainRow {
        table: Some(t.alias.clone()),
        rows: Some((s.rows.round() as u64).max(1)),
        ..ExplainRow::default()
    };
    let Relation::Base(open) = &t.relation else {
        row.access = Some("ALL");
        match (looked_up(b, s), &t.relation) {
            (Some((build, probe)), _) => as_looked_up(b, &mut row, build, probe),
            (None, Relation::Derived(p)) if matches!(s.access, Access::Hash { .. }) => {
                row.rows = Some((p.rows_given().round() as u64).max(1));
            }
            _ => {}
        }
        return row;
    };
    let def = open.def();
    if def.partition.is_some() {
        row.partitions = Some(Partitions { table: Arc::clone(open), tests: t.tests.clone() });
    }
    if let (Access::Hash { .. }, Some(records)) = (&s.access, t.records) {
        // all of it is read, once
        row.rows = Some(records.max(1));
    }
    if !s.possible.is_empty() {
        row.possible_keys =
            Some(s.possible.iter().map(|k| def.keys[*k].name.as_str()).collect::<Vec<_>>().join(","));
    }
    let key_len = |key: usize, parts: usize| -> String {
        let info = &open.keys()[key];
        let bytes: usize = info
            .segments
            .iter()
            .take(parts)
            .map(|seg| seg.length + usize::from(seg.nullable) + if seg.is_counted() { 2 } else { 0 })
            .sum();
        bytes.to_string()
    };
    match &s.access {
        Access::Scan | Access::Hash { .. } | Access::Nest { .. } => row.access = Some("ALL"),
        Access::KeyScan { key, .. } => {
            row.access = Some("index");
            row.key = Some(def.keys[*key].name.clone());
            row.key_len = Some(key_len(*key, usize::MAX));
        }
        Access::Lookup { key, parts, unique, .. } => {
            let constant = parts.iter().all(|p| p.value.tables() == 0);
            row.access = Some(match (unique, constant) {
                (true, true) if n == 0 || s.kind == StepKind::Left => "const",
                (true, _) => "eq_ref",
                _ => "ref",
            });
            row.key = Some(def.keys[*key].name.clone());
            row.key_len = Some(key_len(*key, parts.len()));
            row.reference = Some(references(b, parts.iter().map(|p| &p.value)));
        }
        Access::FullText(search) => {
            row.access = Some("fulltext");
            row.key = search.call.key.as_ref().map(|k| def.keys[k.key].name.clone());
            row.key_len = Some("0".into());
            row.reference = Some(String::new());
        }
        Access::Range { key, condition, .. } => {
            row.access = Some("range");
            row.key = Some(def.keys[*key].name.clone());
            row.key_len = Some(key_len(*key, condition.parts.len()));
        }
    }
    row
}
