//! EXPLAIN FORMAT=JSON and ANALYZE FORMAT=JSON: the plan as the tree that MariaDB prints, and what was measured.

use std::fmt::Write as _;
use std::time::Duration;

use foldhash::HashMap;

use super::KeyRange;
use super::explain::{self, Remarks};
use super::explained_step;
use super::printed::Printed;
use super::recursive::RecursivePlan;
use super::window::WindowPlan;
use super::workings;
use super::{Access, BlockPlan, Body, QueryPlan, Relation, SetPlan, Step};
use crate::error::SqlResult;
use crate::expr::measured::{Measured, MeasuredSort, Measuring, Part};

/// A value of JSON.
enum Json {
    Text(String),
    Bare(String),
    /// In one line.
    Names(Vec<String>),
    List(Vec<Json>),
    Object(Object),
}

/// An object's members in order.
#[derive(Default)]
struct Object(Vec<(&'static str, Json)>);

impl Object {
    fn text(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.push((name, Json::Text(value.into())));
    }

    fn bare(&mut self, name: &'static str, value: impl ToString) {
        self.0.push((name, Json::Bare(value.to_string())));
    }

    fn time(&mut self, name: &'static str, value: Duration) {
        self.bare(name, number(value.as_secs_f64() * 1e3));
    }

    fn object(&mut self, name: &'static str, value: Object) {
        self.0.push((name, Json::Object(value)));
    }

    fn list(&mut self, name: &'static str, value: Vec<Object>) {
        self.0.push((name, Json::List(value.into_iter().map(Json::Object).collect())));
    }

    fn maybe(&mut self, name: &'static str, value: Option<&String>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }
}

/// An object with one member.
fn only(name: &'static str, value: Object) -> Object {
    Object(vec![(name, Json::Object(value))])
}

impl Json {
    fn write(&self, depth: usize, out: &mut String) {
        let line = |depth: usize, out: &mut String| {
            out.push('\n');
            (0..depth).for_each(|_| out.push_str("  "));
        };
        match self {
            Json::Text(s) => string(s, out),
            Json::Bare(s) => out.push_str(s),
            Json::Names(list) => {
                out.push('[');
                for (i, name) in list.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    string(name, out);
                }
                out.push(']');
            }
            Json::List(list) => {
                out.push('[');
                for (i, item) in list.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    line(depth + 1, out);
                    item.write(depth + 1, out);
                }
                line(depth, out);
                out.push(']');
            }
            Json::Object(o) if o.0.is_empty() => out.push_str("{}"),
            Json::Object(o) => {
                out.push('{');
                for (i, (name, value)) in o.0.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    line(depth + 1, out);
                    let _ = write!(out, "\"{name}\": ");
                    value.write(depth + 1, out);
                }
                line(depth, out);
                out.push('}');
            }
        }
    }
}

fn string(s: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(s).to_string());
}

/// A measured number with at most nine digits behind the point.
fn number(n: f64) -> String {
    let text = format!("{n:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Bytes as MariaDB's JSON writes them: whole KiB or MiB of larger sizes.
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => bytes.to_string(),
        1024..0x10_0000 => format!("{}KiB", bytes >> 10),
        _ => format!("{}MiB", bytes >> 20),
    }
}

/// What is explained.
pub struct Explained<'a> {
    /// What was measured, for ANALYZE.
    pub measuring: Option<&'a Measuring>,
    /// The time of planning, for ANALYZE.
    pub planning: Duration,
    /// update or delete, of one table.
    pub change: Option<&'static str>,
    /// Bytes that the buffers of joins may hold.
    pub buffers: usize,
}

/// The text of EXPLAIN FORMAT=JSON.
///
/// # Errors
/// Those of `ask`.
pub fn explain(plan: &QueryPlan, of: &Explained<'_>, ask: Remarks<'_>) -> SqlResult<String> {
    let mut ids = HashMap::default();
    explain::places(plan, &mut |address, (id, part)| {
        if !matches!(part, Part::Step(_)) {
            ids.entry(address).or_insert(id);
        }
    });
    let mut tree = Tree { of, ids, ask };
    let mut whole = tree.head();
    let block = tree.query(plan, None)?;
    whole.object("query_block", block);
    Ok(written(whole))
}

/// The text for an INSERT of rows.
#[must_use]
pub fn explain_rows(table: &str, of: &Explained<'_>) -> String {
    let mut whole = head(of);
    let mut t = Object::default();
    t.text("table_name", table);
    let mut block = Object::default();
    block.bare("select_id", 1);
    block.object("table", t);
    whole.object("query_block", block);
    written(whole)
}

fn written(whole: Object) -> String {
    let mut out = String::new();
    Json::Object(whole).write(0, &mut out);
    out
}

fn head(of: &Explained<'_>) -> Object {
    let mut whole = Object::default();
    if of.measuring.is_some() {
        let mut planning = Object::default();
        planning.time("r_total_time_ms", of.planning);
        whole.object("query_optimization", planning);
    }
    whole
}

struct Tree<'t, 'a> {
    of: &'t Explained<'t>,
    /// The numbers of blocks and set operations by their addresses.
    ids: HashMap<usize, u64>,
    ask: Remarks<'a>,
}

impl Tree<'_, '_> {
    fn head(&self) -> Object {
        head(self.of)
    }

    fn id<T>(&self, part: &T) -> u64 {
        self.ids.get(&(std::ptr::from_ref(part).cast::<u8>() as usize)).copied().unwrap_or(1)
    }

    fn measured(&self, id: u64, part: Part) -> Option<&Measured> {
        self.of.measuring.and_then(|m| m.get((id, part)))
    }

    fn query(&mut self, plan: &QueryPlan, operation: Option<&'static str>) -> SqlResult<Object> {
        match &plan.body {
            Body::Values(_) => Ok(message(1, operation, "No tables used")),
            Body::Set(set) => self.union(set),
            Body::Recursive(r) => self.recursive(r),
            Body::Working(_) => Ok(Object::default()),
            Body::Block(b) => self.block(plan, b, operation),
        }
    }

    fn union(&mut self, set: &SetPlan) -> SqlResult<Object> {
        let id = self.id(set);
        let mut result = Object::default();
        let ids: Vec<u64> = set.terms.iter().map(|(_, t)| self.id_of(t)).collect();
        result.text("table_name", explain::result_name(set, &ids));
        result.text("access_type", "ALL");
        if self.of.measuring.is_some() {
            let m = self.measured(id, Part::Union).cloned().unwrap_or_default();
            result.bare("r_loops", m.loops);
            result.bare("r_rows", rows_of(&m));
        }
        let mut terms = Vec::new();
        for (op, term) in &set.terms {
            let operation = op.map(|o| explain::operation(o.kind));
            terms.push(only("query_block", self.query(term, operation)?));
        }
        result.list("query_specifications", terms);
        Ok(only("union_result", result))
    }

    fn recursive(&mut self, r: &RecursivePlan) -> SqlResult<Object> {
        let member = &r.group.members[r.result];
        let all = || member.anchors.iter().chain(&member.steps);
        let ids: Vec<String> = all().map(|p| self.id_of(p).to_string()).collect();
        let mut result = Object::default();
        result.text("table_name", format!("<union{}>", ids.join(",")));
        result.text("access_type", "ALL");
        let mut terms = Vec::new();
        for (n, term) in all().enumerate() {
            let operation = (n > 0).then_some("UNION");
            terms.push(only("query_block", self.query(term, operation)?));
        }
        result.list("query_specifications", terms);
        Ok(only("recursive_union", result))
    }

    fn id_of(&self, plan: &QueryPlan) -> u64 {
        match &plan.body {
            Body::Block(b) => self.id(&**b),
            Body::Set(s) => self.id(&**s),
            Body::Recursive(r) => r.group.members[r.result].anchors.first().map_or(1, |p| self.id_of(p)),
            Body::Working(w) => w.number,
            Body::Values(v) => self.id(v),
        }
    }

    fn block(
        &mut self,
        plan: &QueryPlan,
        b: &BlockPlan,
        operation: Option<&'static str>,
    ) -> SqlResult<Object> {
        let id = self.id(b);
        let ids: Vec<u64> = plan.subqueries.iter().map(|s| self.id_of(&s.plan)).collect();
        let subquery = |n: u32| ids.get(n as usize).copied().unwrap_or(0);
        let printed = Printed { block: b, subquery: &subquery, quotes_all: false };
        let mut block = match explain::reason(plan, b, operation.unwrap_or("SIMPLE"), &mut *self.ask)? {
            Some(reason) => message(id, operation, reason),
            None => {
                let mut block = Object::default();
                block.bare("select_id", id);
                if let Some(operation) = operation {
                    block.text("operation", operation);
                }
                self.block_times(id, &mut block);
                if let Some(having) = &b.having {
                    block.text("having_condition", printed.text(having));
                }
                self.steps(b, id, &printed, &mut block)?;
                block
            }
        };
        let mut subqueries = Vec::new();
        for s in plan.subqueries.iter().filter(|s| !s.joined) {
            subqueries.push(only("query_block", self.query(&s.plan, None)?));
        }
        if !subqueries.is_empty() {
            block.list("subqueries", subqueries);
        }
        Ok(block)
    }

    fn block_times(&self, id: u64, block: &mut Object) {
        if self.of.measuring.is_none() {
            return;
        }
        let m = self.measured(id, Part::Block).cloned().unwrap_or_default();
        if self.of.change.is_none() {
            block.bare("r_loops", m.loops);
        }
        block.time("r_total_time_ms", m.time);
        if let Some(groups) = m.groups {
            block.bare("r_groups", groups);
        }
        if m.spilled > 0 {
            block.bare("r_spilled_bytes", m.spilled);
        }
    }

    fn steps(&mut self, b: &BlockPlan, id: u64, printed: &Printed<'_>, into: &mut Object) -> SqlResult<()> {
        let w = workings::of(b);
        let first_sorted = w.filesort() && !w.temporary();
        let mut loops = Vec::new();
        let mut before = Duration::ZERO;
        for (n, s) in b.steps.iter().enumerate() {
            let m = self.measured(id, Part::Step(n)).cloned();
            let own = m.as_ref().map_or(Duration::ZERO, |m| m.time.saturating_sub(before));
            before = m.as_ref().map_or(before, |m| m.time);
            let step = self.step(b, s, n, (m.as_ref(), own), printed)?;
            if self.of.change.is_some() {
                let table = only("table", step);
                if first_sorted {
                    let mut sort = self.sort(id);
                    sort.0.extend(table.0);
                    into.object("filesort", sort);
                } else {
                    into.0.extend(table.0);
                }
                return Ok(());
            }
            let mut item = self.around(b, s, n, step, m.as_ref(), printed);
            if n == 0 && first_sorted {
                let mut sort = Object::default();
                sort.text("sort_key", sort_key(b, printed));
                sort.0.extend(self.sort(id).0);
                sort.0.extend(item.0);
                let mut read = Object::default();
                if let Some(m) = self.measured(id, Part::Block) {
                    read.bare("r_rows", m.passed);
                }
                read.object("filesort", sort);
                item = only("read_sorted_file", read);
            }
            loops.push(item);
        }
        let mut inner = Object::default();
        inner.list("nested_loop", loops);
        if w.temporary() {
            inner = only("temporary_table", inner);
            if let Some(windows) = &b.windows {
                inner = window_functions(b, windows, inner, printed);
            }
            if w.filesort() {
                let mut sort = Object::default();
                sort.text("sort_key", sort_key(b, printed));
                sort.0.extend(self.sort(id).0);
                sort.0.extend(inner.0);
                inner = only("filesort", sort);
            }
        }
        into.0.extend(inner.0);
        Ok(())
    }

    /// What was measured of a block's sort.
    fn sort(&self, id: u64) -> Object {
        let mut o = Object::default();
        let Some(m) = self.measured(id, Part::Block) else { return o };
        let Some(MeasuredSort { rows, most, memory, spilled, time }) = m.sort else {
            // groups come in order from where they are kept: their sort is no step of its own
            if let Some(groups) = m.groups {
                o.bare("r_loops", m.loops);
                o.bare("r_output_rows", groups);
            }
            return o;
        };
        o.bare("r_loops", m.loops);
        o.time("r_total_time_ms", time);
        if most != u64::MAX {
            o.bare("r_limit", most);
        }
        o.bare("r_used_priority_queue", most.saturating_mul(3) < rows);
        o.bare("r_output_rows", rows.min(most));
        o.text("r_buffer_size", size(memory));
        o.text("r_sort_mode", "sort_key,addon_fields");
        if spilled {
            o.bare("r_sort_passes", 1);
        }
        o
    }

    /// A step's object, in that of the join buffer it is read through.
    fn around(
        &self,
        b: &BlockPlan,
        s: &Step,
        n: usize,
        mut table: Object,
        m: Option<&Measured>,
        printed: &Printed<'_>,
    ) -> Object {
        let Some(kind) = explained_step::join_buffer(b, s, n) else { return only("table", table) };
        let condition = table.0.iter().position(|(name, _)| *name == "attached_condition");
        let condition = condition.map(|at| table.0.remove(at));
        let mut join = only("table", table);
        join.text("buffer_type", kind);
        join.text("buffer_size", size(self.of.buffers / b.steps.len().max(1)));
        join.text("join_type", "BNL");
        let rest = match condition {
            Some((_, Json::Text(rest))) => rest,
            _ => String::new(),
        };
        let mut all = Vec::new();
        if let Access::Hash { build, probe, null_safe } = &s.access {
            for (n, (a, b)) in build.iter().zip(probe).enumerate() {
                let (a, b) = (printed.text(a), printed.text(b));
                let op = if null_safe >> n & 1 == 1 { "<=>" } else { "=" };
                // where hashes alone do not say it, the condition is tested again
                if !rest.contains(&format!("{a} {op} {b}")) && !rest.contains(&format!("{b} {op} {a}")) {
                    all.push(format!("{a} {op} {b}"));
                }
            }
        }
        all.extend((!rest.is_empty()).then_some(rest));
        if !all.is_empty() {
            join.text("attached_condition", all.join(" and "));
        }
        if let Some(m) = m {
            join.bare("r_filtered", number(filtered_of(m)));
        }
        only("block-nl-join", join)
    }

    fn step(
        &mut self,
        b: &BlockPlan,
        s: &Step,
        n: usize,
        (m, own): (Option<&Measured>, Duration),
        printed: &Printed<'_>,
    ) -> SqlResult<Object> {
        let row = explained_step::row(b, s, n, self.of.change.is_some());
        let mut o = Object::default();
        if let Some(change) = self.of.change {
            o.bare(change, 1);
        }
        let derived = match &b.tables[s.table].relation {
            Relation::Derived(p) => Some(p),
            _ => None,
        };
        match derived {
            Some(p) => {
                let word = if b.tables[s.table].semijoin { "subquery" } else { "derived" };
                o.text("table_name", format!("<{word}{}>", self.id_of(p)));
            }
            None => o.text("table_name", b.tables[s.table].alias.as_str()),
        }
        o.text("access_type", row.access.unwrap_or("ALL"));
        let names = |list: &str| Json::Names(list.split(',').map(str::to_string).collect());
        if let Some(keys) = &row.possible_keys {
            o.0.push(("possible_keys", names(keys)));
        }
        let merged = explained_step::merged(b, s);
        o.maybe("key", row.key.as_ref().filter(|_| merged.is_none()));
        o.maybe("key_length", row.key_len.as_ref());
        if let (Some((how, names)), Access::IndexMerge(keys)) = (merged, &s.access) {
            o.0.push(("index_merge", Json::Object(merged_keys(b, s, how, (keys, &names)))));
        }
        if let Some(parts) = explained_step::key_parts(b, s) {
            o.0.push(("used_key_parts", Json::Names(parts)));
        }
        if let Some(reference) = row.reference.as_ref() {
            o.0.push(("ref", names(reference)));
        }
        let measures = self.of.measuring.is_some();
        let none = Measured::default();
        let m = m.unwrap_or(&none);
        if measures && self.of.change.is_none() {
            o.bare("r_loops", m.loops);
        }
        o.bare("rows", row.rows.unwrap_or(1));
        if measures {
            o.bare("r_rows", rows_of(m));
            if self.of.change.is_some() {
                o.bare("r_filtered", shown(filtered(m)));
            }
            o.time("r_table_time_ms", m.reading.min(own));
            o.time("r_other_time_ms", own.saturating_sub(m.reading));
            o.object("r_engine_stats", Object::default());
        }
        if self.of.change.is_none() {
            o.bare("filtered", 100);
            if measures {
                o.bare("r_filtered", shown(filtered(m)));
            }
        }
        if matches!(s.access, Access::JsonTable(_)) {
            o.text("table_function", "json_table");
        }
        conditions(b, s, self.of.change.is_some(), printed, &mut o);
        if s.covering && self.of.change.is_none() {
            o.bare(if s.loose.is_some() { "using_index_for_group_by" } else { "using_index" }, true);
        }
        if let Some(p) = derived.filter(|p| !matches!(p.body, Body::Working(_))) {
            let mut made = Object::default();
            if b.tables[s.table].semijoin {
                made.bare("unique", 1);
            }
            made.object("query_block", self.query(p, None)?);
            o.object("materialized", made);
        }
        Ok(o)
    }
}

/// The sorts of window functions, around where their rows come from.
fn window_functions(b: &BlockPlan, w: &WindowPlan, inner: Object, printed: &Printed<'_>) -> Object {
    let mut sorts = Vec::new();
    for sort in &w.sorts {
        let key = |(at, desc): &(usize, bool)| {
            let text = printed.text(&w.exprs[*at]);
            if *desc { format!("{text} desc") } else { text }
        };
        let keys = match sort.keys.is_empty() {
            // the reference sorts by the first column of its temporary table
            true => printed.text(&b.output[0]),
            false => sort.keys.iter().map(key).collect::<Vec<_>>().join(", "),
        };
        let mut file = Object::default();
        file.text("sort_key", keys);
        sorts.push(only("filesort", file));
    }
    let mut o = Object::default();
    o.list("sorts", sorts);
    o.0.extend(inner.0);
    let computed = only("window_functions_computation", o);
    if b.distinct { only("duplicate_removal", computed) } else { computed }
}

/// Keys that find the rows of a step together.
fn merged_keys(b: &BlockPlan, s: &Step, how: &'static str, (keys, names): (&[KeyRange], &[&str])) -> Object {
    let one = |(k, name): (&KeyRange, &&str)| {
        let mut range = Object::default();
        range.text("key", *name);
        let parts = explained_step::parts_named(b, s, k.key, k.condition.parts.len());
        range.0.push(("used_key_parts", Json::Names(parts.unwrap_or_default())));
        let mut o = Object::default();
        o.0.push(("range", Json::Object(range)));
        Json::Object(o)
    };
    let mut o = Object::default();
    o.0.push((how, Json::List(keys.iter().zip(names).map(one).collect())));
    o
}

/// The conditions of a step: those that need no more than the key, and the others.
fn conditions(b: &BlockPlan, s: &Step, change: bool, printed: &Printed<'_>, o: &mut Object) {
    let columns: Vec<usize>;
    if let (true, Access::Lookup { key, parts, .. }, Relation::Base(open)) =
        (change, &s.access, &b.tables[s.table].relation)
    {
        // rows that are changed are found by a range of one value
        let columns: Vec<usize> = open.def().keys[*key].parts.iter().map(|p| p.column).collect();
        let mut text = printed.look_up(s.table, &columns, parts);
        if s.filter.is_some() {
            text = format!("{text} and {}", printed.conditions(None, s.filter.as_ref()));
        }
        o.text("attached_condition", text);
        return;
    }
    let range = match (&s.access, &b.tables[s.table].relation) {
        (Access::Range { key, condition, .. }, Relation::Base(open)) => {
            columns = open.def().keys[*key].parts.iter().map(|p| p.column).collect();
            Some((s.table, &columns[..], condition))
        }
        _ => None,
    };
    let filter = match (&s.on, &s.filter) {
        (Some(on), None) => Some(on),
        (_, filter) => filter.as_ref(),
    };
    let (in_key, within) = explained_step::pushed(b, s);
    if !change && in_key && (range.is_some() || within) {
        let rest = filter.filter(|_| within);
        o.text("index_condition", printed.conditions(range, rest));
        if let Some(rest) = filter.filter(|_| !within) {
            o.text("attached_condition", printed.text(rest));
        }
        return;
    }
    let text = printed.conditions(range, filter);
    if !text.is_empty() {
        o.text("attached_condition", text);
    }
}

fn message(id: u64, operation: Option<&'static str>, message: &str) -> Object {
    let mut block = Object::default();
    block.bare("select_id", id);
    if let Some(operation) = operation {
        block.text("operation", operation);
    }
    let mut table = Object::default();
    table.text("message", message);
    block.object("table", table);
    block
}

/// What a block is sorted by.
fn sort_key(b: &BlockPlan, printed: &Printed<'_>) -> String {
    let order = |(at, desc): &(usize, bool)| {
        let text = printed.text(&b.output[*at]);
        if *desc { format!("{text} desc") } else { text }
    };
    if !b.order.is_empty() {
        return b.order.iter().map(order).collect::<Vec<_>>().join(", ");
    }
    let keys = b.group.as_ref().map_or(&[][..], |g| &g.keys[..]);
    keys.iter().map(|k| printed.text(k)).collect::<Vec<_>>().join(", ")
}

/// Rows read each time, as a number of JSON.
fn rows_of(m: &Measured) -> String {
    if m.loops == 0 { "null".into() } else { number(m.rows as f64 / m.loops as f64) }
}

/// Of a hundred rows, those that met the conditions.
fn filtered_of(m: &Measured) -> f64 {
    if m.met == 0 { 100.0 } else { (100.0 * m.passed as f64 / m.met as f64).min(100.0) }
}

/// As [`filtered_of`]; nothing when no row was looked for.
#[must_use]
pub fn filtered(m: &Measured) -> Option<f64> {
    (m.loops > 0).then(|| filtered_of(m))
}

fn shown(n: Option<f64>) -> String {
    n.map_or_else(|| "null".into(), number)
}
