//! What EXPLAIN says of one table: how it is read, by which keys, and what is remarked of it.

use std::borrow::Cow;

use super::const_tables::{self, known_rows};
use super::explain::ExplainRow;
use super::{Access, BlockPlan, Body, Relation, Step, StepKind, full_text, workings};
use crate::expr::{ColumnRef, CompareOp, Expr, Node};
use crate::types::{FieldType, Kind, Value};
use schema::definition::{KeyDef, KeyPart, TableDef};

/// A look-up of a value of IN has names of its own.
pub(super) fn as_seek(row: &mut ExplainRow) {
    let word = match row.access {
        Some("const" | "eq_ref") => "unique_subquery",
        Some("ref" | "ref_or_null") => "index_subquery",
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
        Relation::JsonTable(j) => &j.defs[column].name,
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

/// Whether a step tests conditions on the entries of its key, and whether its filter is one of them.
pub(super) fn pushed(b: &BlockPlan, s: &Step) -> (bool, bool) {
    pushes(&b.tables[s.table].relation, s).map_or((false, false), |(key, _)| {
        let within = s.filter.as_ref().is_some_and(|f| within_key(f, s.table, key));
        (tests_again(&s.access) || within, within)
    })
}

/// The key that a derived table gets for a join, by the reference server's name. Ours is a hash table.
const DERIVED_KEY: &str = "key0";

/// Whether step `n` joins through a buffer in the reference server; where rows are found to be changed, none does.
pub(super) fn is_buffered(b: &BlockPlan, s: &Step, n: usize) -> bool {
    if n <= const_tables::count(b) || b.finds_changes() {
        return false;
    }
    match s.access {
        Access::Hash { .. } => looked_up(b, s).is_none(),
        Access::JsonTable(ref document) => document.tables() == 0,
        Access::IndexMerge(_) => true,
        Access::Scan | Access::KeyScan { .. } => known_rows(b, s).is_none() && !asks_for_scores(b),
        _ => false,
    }
}

/// The buffer through which step `n` joins, if it does: one for itself, or one that holds only what is behind that of the step before.
/// The reference server compares each of its rows unless `join_cache_level` lets it hash them, and names it by that; ours always does.
pub(super) fn join_buffer(b: &BlockPlan, s: &Step, n: usize) -> Option<&'static str> {
    if !is_buffered(b, s, n) {
        return None;
    }
    let further = n.checked_sub(1).is_some_and(|before| is_buffered(b, &b.steps[before], before));
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
    let (key, parts) = match &s.access {
        Access::KeyScan { key, .. } | Access::Range { key, .. } if s.loose.is_some() => {
            (*key, s.loose.map_or(0, |w| loose_parts(&w)))
        }
        Access::KeyScan { key, .. } => (*key, usize::MAX),
        Access::Lookup { key, parts, .. } => (*key, parts.len()),
        Access::Range { key, condition, .. } => (*key, condition.parts.len()),
        Access::Spatial(search) => (search.key, 1),
        _ => return None,
    };
    parts_named(b, s, key, parts)
}

/// The parts of a key that a loose scan uses: to find the least value, the one behind those of the group, too.
fn loose_parts(wanted: &crate::table::loose::Wanted) -> usize {
    wanted.parts + usize::from(wanted.first_value)
}

/// The columns of so many parts of a key.
pub(super) fn parts_named(b: &BlockPlan, s: &Step, key: usize, parts: usize) -> Option<Vec<String>> {
    let Relation::Base(open) = &b.tables[s.table].relation else { return None };
    let def = open.def();
    let name = |p: &KeyPart| def.columns[p.column].name.clone();
    Some(def.keys[key].parts.iter().take(parts).map(name).collect())
}

/// What is said of a table that has one row at most.
pub(super) fn as_known(row: &mut ExplainRow, rows: u64, pruned: bool) {
    row.access = Some("system");
    // keys were looked at before partitions were left out
    row.possible_keys = row.possible_keys.take().filter(|_| pruned);
    (row.key, row.key_len, row.reference) = (None, None, None);
    row.rows = Some(rows);
    row.extra = if rows == 0 { "Const row not found".into() } else { String::new() };
}

/// What is said of step `n` in the column Extra; of the `first` that is read row by row, how its rows are put in order.
pub(super) fn extra(b: &BlockPlan, s: &Step, n: usize, first: bool) -> Vec<Cow<'static, str>> {
    let mut extra = Vec::new();
    if matches!(s.access, Access::JsonTable(_)) {
        extra.push("Table function: json_table");
    }
    let merged = merged(b, s);
    let merged = merged.map(|(how, keys)| format!("Using {how}({})", keys.join(",")));
    let again = tests_again(&s.access);
    let filter = s.filter.as_ref().filter(|f| !is_looked_up_by(b, s, f));
    let pushed = pushes(&b.tables[s.table].relation, s).map(|(key, part)| {
        let all: Vec<&Expr> = filter.map_or_else(Vec::new, |f| match &f.node {
            Node::And(list) => list.iter().collect(),
            _ => vec![f],
        });
        let within = all.iter().filter(|f| within_key(f, s.table, key)).count();
        (again || within > 0, part || within < all.len())
    });
    let (in_key, beside) = pushed.unwrap_or((false, filter.is_some() || again));
    if in_key {
        extra.push("Using index condition");
    }
    if beside || s.on.is_some() || asked_not_null(b, s, n) {
        extra.push("Using where");
    }
    match s.loose {
        Some(_) => extra.push("Using index for group-by"),
        None if s.covering => extra.push("Using index"),
        None => {}
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
    merged.into_iter().map(Cow::Owned).chain(extra.into_iter().map(Cow::Borrowed)).collect()
}

/// How several keys find the rows of a step together, in the words of the reference server, and their names.
pub(super) fn merged<'b>(b: &'b BlockPlan, s: &'b Step) -> Option<(&'static str, Vec<&'b str>)> {
    let (Access::IndexMerge(keys), Relation::Base(open)) = (&s.access, &b.tables[s.table].relation) else {
        return None;
    };
    let in_order = keys.iter().all(|k| k.is_point(&open.keys()[k.key]));
    let names = keys.iter().map(|k| &*open.def().keys[k.key].name).collect();
    Some((if in_order { "union" } else { "sort_union" }, names))
}

/// Whether a table behind step `n` is looked up by a column of its table that may be NULL: the reference server leaves out rows that find
/// nothing at once.
fn asked_not_null(b: &BlockPlan, s: &Step, n: usize) -> bool {
    let ours = |e: &Expr| e.ty.nullable && column_of(e).is_some_and(|c| c.table as usize == s.table);
    if s.kind == StepKind::Left
        && let Access::Lookup { parts, .. } = &s.access
        && parts
            .iter()
            .any(|p| !p.null_safe && !p.or_null && p.value.ty.nullable && column_of(&p.value).is_some())
    {
        // behind an outer join it leaves out nothing but the look-up
        return true;
    }
    b.steps.iter().skip(n + 1).filter(|next| next.kind == StepKind::Inner).any(|next| match &next.access {
        Access::Lookup { parts, .. } => parts.iter().any(|p| !p.null_safe && !p.or_null && ours(&p.value)),
        Access::Hash { probe, null_safe, .. } if looked_up(b, next).is_some() => {
            probe.iter().enumerate().any(|(i, e)| null_safe >> i & 1 == 0 && ours(e))
        }
        _ => false,
    })
}

/// Whether a condition says no more than by what the rows of a derived table are looked up.
fn is_looked_up_by(b: &BlockPlan, s: &Step, filter: &Expr) -> bool {
    let Some((build, probe)) = looked_up(b, s) else { return false };
    let one = |e: &Expr| match &e.node {
        Node::Compare(CompareOp::Eq | CompareOp::NullSafeEq, _, sides) => build
            .iter()
            .zip(probe)
            .any(|(a, b)| (sides[0] == *a && sides[1] == *b) || (sides[0] == *b && sides[1] == *a)),
        _ => false,
    };
    match &filter.node {
        Node::And(list) => list.iter().all(one),
        _ => one(filter),
    }
}

/// Whether a block has a MATCH: the reference server joins without a buffer then.
fn asks_for_scores(b: &BlockPlan) -> bool {
    let mut found = false;
    super::slots::for_each_expr(b, &mut |e| found |= full_text::has_match(e));
    found
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

/// The key on whose entries the reference server tests conditions before it reads the rows; whether it tests some of them on the
/// row only, for keys that hold the beginning of a value.
fn pushes<'a>(relation: &'a Relation, s: &Step) -> Option<(&'a KeyDef, bool)> {
    let Relation::Base(open) = relation else { return None };
    let (key, parts, ranges) = match &s.access {
        // subqueries are not asked while keys are read
        Access::Range { condition, .. } if condition.asks_subqueries() => return None,
        Access::Range { key, condition, .. } => (*key, condition.parts.len(), true),
        Access::Lookup { key, parts, unique: false, .. } => (*key, parts.len(), false),
        _ => return None,
    };
    let def = open.def();
    let key = &def.keys[key];
    if s.covering
        || !open.engine().can().reads_from_keys
        || crate::table::merge::is_merge(def)
        || def.partition.is_some()
        || key.parts.iter().any(|p| def.columns[p.column].ty.is_blob())
    {
        return None;
    }
    let whole = key.parts.iter().take(parts).filter(|p| p.prefix.is_none()).count();
    (whole == parts || ranges && whole > 0).then_some((key, whole < parts))
}

/// Whether a condition needs no more of the row than a key holds, beside the rows of tables before.
fn within_key(filter: &Expr, table: usize, key: &KeyDef) -> bool {
    let mut within = true;
    filter.walk(&mut |e| match &e.node {
        Node::Column(c) => {
            let held = |p: &KeyPart| p.column == c.column as usize && p.prefix.is_none();
            within &= c.table as usize != table || key.parts.iter().any(held);
        }
        Node::Subquery(_) => within = false,
        _ => {}
    });
    within
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

/// How many rows of a table that is read in the order wanted are looked at, about, until LIMIT has its own; `records` is what it has.
fn first_few(b: &BlockPlan, s: &Step, records: u64) -> u64 {
    let number = |e: Option<&Expr>| match e.map(|e| &e.node) {
        None => Some(0),
        Some(Node::Literal(Value::Int(n))) => Some(n.unsigned_abs()),
        Some(Node::Literal(Value::UInt(n))) => Some(*n),
        Some(_) => None,
    };
    let asked = number(b.limit.count.as_ref()).zip(number(b.limit.offset.as_ref()));
    let Some((count, offset)) = asked.filter(|_| b.ordered_by_access && b.limit.count.is_some()) else {
        return u64::MAX;
    };
    if s.rows < records as f64 {
        return s.rows as u64;
    }
    let found = s.ranged.as_ref().map_or(records as f64, |r| r.rows).max(1.0);
    (count.saturating_add(offset) as f64 * (records as f64 / found).max(1.0)) as u64
}

/// The column that a value is: an ENUM is compared by its text.
fn column_of(value: &Expr) -> Option<ColumnRef> {
    match &value.node {
        Node::Convert(inner) if inner.ty.kind == Kind::Enum => inner.as_column(),
        _ => value.as_column(),
    }
}

/// What a key is compared with.
fn references<'e>(b: &BlockPlan, values: impl Iterator<Item = &'e Expr>) -> String {
    let constants = const_tables::mask(b, const_tables::count(b));
    let one = |value: &Expr| match column_of(value) {
        Some(c) if c.table < 64 && constants >> c.table & 1 == 1 => "const".to_string(),
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

/// What is said of a table whose rows are made.
fn made_rows(b: &BlockPlan, s: &Step, row: &mut ExplainRow) {
    row.access = Some("ALL");
    match (looked_up(b, s), &b.tables[s.table].relation) {
        (Some((build, probe)), _) => as_looked_up(b, row, build, probe),
        (None, Relation::Derived(p)) if matches!(s.access, Access::Hash { .. }) => {
            row.rows = Some((p.rows_given().round() as u64).max(1));
        }
        _ => {}
    }
}

/// The keys by which the rows of a step could be found.
fn possible_keys(b: &BlockPlan, s: &Step, def: &TableDef) -> Option<String> {
    let unlike = super::unusable::keys(b, s);
    let named = |k: &usize| s.possible.contains(k) || s.joining.contains(k) || unlike.contains(k);
    let possible: Vec<&str> = (0..def.keys.len()).filter(named).map(|k| def.keys[k].name.as_str()).collect();
    (!possible.is_empty()).then(|| possible.join(","))
}

pub(super) fn step(b: &super::BlockPlan, s: &Step, n: usize) -> ExplainRow {
    let t = &b.tables[s.table];
    let mut row = ExplainRow {
        table: Some(t.alias.clone()),
        rows: Some((s.rows.round() as u64).max(1)),
        ..ExplainRow::default()
    };
    let Relation::Base(open) = &t.relation else {
        made_rows(b, s, &mut row);
        return row;
    };
    let def = open.def();
    row.partitions = def.partition.as_ref().map(|_| super::explain::Partitions {
        table: std::sync::Arc::clone(open),
        tests: t.tests.clone(),
        choices: t.choices.clone(),
    });
    if let (Access::Hash { .. }, Some(records)) = (&s.access, t.records) {
        // all of it is read, once
        row.rows = Some(records.max(1));
    }
    row.possible_keys = possible_keys(b, s, def);
    let key_len = |key: usize, parts: usize| -> String {
        let segments = open.keys()[key].segments.iter().take(parts);
        let lengths =
            segments.map(|seg| seg.length + usize::from(seg.nullable) + if seg.is_counted() { 2 } else { 0 });
        lengths.sum::<usize>().to_string()
    };
    match &s.access {
        Access::Scan | Access::Hash { .. } | Access::Nest { .. } | Access::JsonTable(_) => {
            row.access = Some("ALL")
        }
        Access::KeyScan { key, .. } | Access::Range { key, .. } if s.loose.is_some() => {
            row.access = Some("range");
            row.key = Some(def.keys[*key].name.clone());
            row.key_len = s.loose.map(|w| key_len(*key, loose_parts(&w)));
        }
        Access::KeyScan { key, .. } => {
            row.rows = row.rows.map(|records| records.min(first_few(b, s, records)));
            row.access = Some("index");
            row.key = Some(def.keys[*key].name.clone());
            row.key_len = Some(key_len(*key, usize::MAX));
        }
        Access::Lookup { key, parts, unique, .. } => {
            let constant = parts.iter().all(|p| p.value.tables() == 0);
            row.access = Some(match (unique, constant) {
                (true, true) if n == 0 || s.kind == StepKind::Left => "const",
                (true, _) => "eq_ref",
                _ if parts.iter().any(|p| p.or_null) => "ref_or_null",
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
        Access::Spatial(search) => {
            row.access = Some("range");
            row.key = Some(def.keys[search.key].name.clone());
            // the four numbers of a rectangle, as the reference server counts them
            row.key_len = Some("34".into());
        }
        Access::Range { key, condition, .. } => {
            row.access = Some("range");
            row.key = Some(def.keys[*key].name.clone());
            row.key_len = Some(key_len(*key, condition.parts.len()));
        }
        Access::IndexMerge(keys) => {
            row.access = Some("index_merge");
            row.key = merged(b, s).map(|(_, names)| names.join(","));
            let lengths = keys.iter().map(|k| key_len(k.key, k.condition.parts.len()));
            row.key_len = Some(lengths.collect::<Vec<String>>().join(","));
        }
    }
    row
}
