//! The order of joins. What the planner takes first is greedy: the table whose rows cost least, again and again. Where that makes a
//! statement expensive, all orders are compared: the best way to each set of tables is the best way to a smaller set and one more table.
//!
//! Costs count rows that are scanned: such a row takes about 30 ns, and is the unit.

use super::Access;
use super::access::{Candidate, Chooser, Path, has_subquery};
use super::factor::Factoring;
use super::from::JoinTree;
use super::sarg;
use crate::expr::{CompareOp, Expr, Node, SubqueryKind};

/// Units of a join whose orders are all compared; of more, `optimizer_search_depth` or not, the greedy order is taken.
const MOST_UNITS: usize = 12;

/// The greedy order is kept where it costs no more than this: it is found at once, and it is the reference server's more often.
const CHEAP: f64 = 10_000.0;

/// Another order is taken where it is better by so much: estimates are no more exact.
const BETTER: f64 = 1.5;

/// A look-up by key in a table that is larger than the processor's caches, and in one that is not.
pub(super) const LOOK_UP: f64 = 36.0;
const LOOK_UP_SMALL: f64 = 5.0;

/// A row found by key, likewise.
const FOUND: f64 = 4.0;
const FOUND_SMALL: f64 = 2.0;

/// Rows up to which a table is small.
const SMALL: f64 = 20_000.0;

/// A row that is put into a hash table.
const HASHED: f64 = 6.0;

/// A row that looks for its partners in one.
const PROBED: f64 = 2.0;

/// A row of a buffer whose conditions are computed.
const BUFFERED: f64 = 0.4;

/// The share of a cost that is left where several threads share the work, two at least.
pub(super) const SHARED: f64 = 0.6;

/// Rows of a first table from which on threads may share a join.
const MANY: f64 = 50_000.0;

/// Bytes that a row of a hash table takes, about.
const HASHED_BYTES: f64 = 100.0;

/// Reading and writing a row of a hash table that does not fit into memory.
const SPILLED: f64 = 12.0;

/// Rows of one value of a key that nobody counted, at most.
const NOT_COUNTED: f64 = 10.0;

/// What a table costs behind others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Rows for each row before.
    rows: f64,
    /// Once.
    once: f64,
    /// For each row before.
    each: f64,
    /// The same by a hash table, where there can be one.
    hash: Option<(f64, f64)>,
    /// What the greedy order goes by.
    greedy: f64,
    /// The table is read from its beginning to its end.
    scanned: bool,
}

/// An order.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// The units.
    pub units: Vec<usize>,
    /// Tables that are found by hash tables whatever keys they have.
    pub hashed: u64,
}

/// A table, or the inner side of an outer join, to be put in order.
pub(super) enum Unit {
    Table(usize),
    Left { inner: Vec<Unit>, on: Vec<Expr>, inner_conditions: Vec<Expr>, after: u64 },
}

/// Takes the inner joins apart; their conditions join the pool.
pub(super) fn flatten(tree: JoinTree, factoring: &Factoring<'_>, pool: &mut Vec<Expr>, out: &mut Vec<Unit>) {
    match tree {
        JoinTree::Table(t) => out.push(Unit::Table(t)),
        JoinTree::Inner(list, conditions) => {
            for t in list {
                flatten(t, factoring, pool, out);
            }
            conditions.into_iter().for_each(|c| factoring.split(c, pool));
        }
        JoinTree::Straight(left, right, conditions) => {
            flatten(*left, factoring, pool, out);
            flatten(*right, factoring, pool, out);
            conditions.into_iter().for_each(|c| factoring.split(c, pool));
        }
        JoinTree::Left(left, right, conditions) => {
            let mut before = Vec::new();
            left.tables(&mut before);
            flatten(*left, factoring, pool, out);
            let (mut inner, mut inner_conditions, mut on) = (Vec::new(), Vec::new(), Vec::new());
            flatten(*right, factoring, &mut inner_conditions, &mut inner);
            conditions.into_iter().for_each(|c| factoring.split(c, &mut on));
            let after = before.iter().fold(0, |m, t| m | 1 << t);
            out.push(Unit::Left { inner, on, inner_conditions, after });
        }
    }
}

impl Unit {
    /// The table that it is.
    pub(super) fn table(&self) -> Option<usize> {
        match self {
            Unit::Table(t) => Some(*t),
            Unit::Left { .. } => None,
        }
    }

    pub(super) fn mask(&self) -> u64 {
        match self {
            Unit::Table(t) => 1 << t,
            Unit::Left { inner, .. } => inner.iter().fold(0, |m, u| m | u.mask()),
        }
    }
}

/// The table of a list of units that comes first.
pub(super) fn first_table(units: &[Unit]) -> usize {
    match units.first() {
        Some(Unit::Table(t)) => *t,
        Some(Unit::Left { inner, .. }) => first_table(inner),
        None => 0,
    }
}

/// What a whole table costs for which FORCE INDEX names keys.
pub(super) const LAST_RESORT: f64 = 1e30;

/// The best way to a set of units.
#[derive(Clone, Copy)]
struct Way {
    cost: f64,
    rows: f64,
    last: usize,
    hashed: bool,
    /// What a cost counts: threads may share it.
    factor: f64,
}

impl Reach {
    /// The cost for so many rows before, and whether by a hash table.
    fn cost(&self, rows: f64) -> (f64, bool) {
        let plain = self.once + self.each * rows;
        let out = self.rows * rows;
        match self.hash {
            Some((once, each)) if once + each * rows < plain => (once + each * rows + out, true),
            _ => (plain + out, false),
        }
    }
}

impl Chooser<'_> {
    /// Whether a unit may come behind the tables that are done.
    pub(super) fn may_come(&self, unit: &Unit, done: u64) -> bool {
        let after = if let Unit::Left { after, .. } = unit { *after } else { 0 };
        (after | self.straight_before(unit.mask())) & !done == 0
    }

    /// The tables that STRAIGHT_JOIN puts before these, other than these.
    pub(super) fn straight_before(&self, tables: u64) -> u64 {
        let theirs = self.before.iter().enumerate().filter(|(t, _)| tables >> t & 1 == 1);
        theirs.fold(0, |m, (_, before)| m | before) & !tables
    }

    /// The order of these units; none where the greedy one is good enough.
    pub(super) fn order(&mut self, units: &[Unit]) -> Option<Order> {
        let most = self.depth.min(MOST_UNITS);
        if self.straight
            || self.leader.is_some()
            || units.len() < 2
            || units.len() > most
            || !self.finders.is_empty()
            || self.first_rows
        {
            return None;
        }
        let outer = |c: &Expr| {
            let mut found = false;
            c.walk(&mut |e| found |= matches!(e.node, Node::Outer(_)));
            found
        };
        // a subquery that runs for each outer row would make its hash tables again and again
        if self.pool.iter().flatten().any(outer) {
            return None;
        }
        let mut known = Known::new(self, units);
        let greedy = self.greedy(units, &mut known)?;
        if greedy <= CHEAP {
            return None;
        }
        let (cost, order) = self.best(units, &mut known)?;
        (cost * BETTER < greedy).then_some(order)
    }

    /// What these units cost in the greedy order.
    pub(super) fn price(&mut self, units: &[Unit]) -> f64 {
        let mut known = Known::new(self, units);
        self.greedy(units, &mut known).unwrap_or(0.0)
    }

    /// What the greedy order costs.
    fn greedy(&mut self, units: &[Unit], known: &mut Known) -> Option<f64> {
        let mut left: Vec<usize> = (0..units.len()).collect();
        let (mut done, mut rows, mut cost) = (0, 1.0, 0.0);
        while !left.is_empty() {
            let mut best: Option<(usize, f64)> = None;
            for (at, n) in left.iter().enumerate() {
                if !self.may_come(&units[*n], done) {
                    continue;
                }
                match &units[*n] {
                    Unit::Table(_) => {
                        let reach = known.reach(self, units, *n, done);
                        if best.is_none_or(|(_, b)| reach.greedy < b) {
                            best = Some((at, reach.greedy));
                        }
                    }
                    Unit::Left { .. } if best.is_none() => best = Some((at, 0.0)),
                    Unit::Left { .. } => {}
                }
            }
            let n = left.remove(best?.0);
            let reach = known.reach(self, units, n, done);
            cost += reach.once + reach.each * rows + reach.rows * rows;
            rows *= reach.rows;
            done |= units[n].mask();
        }
        Some(cost)
    }

    /// The best of all orders.
    fn best(&mut self, units: &[Unit], known: &mut Known) -> Option<(f64, Order)> {
        let count = units.len();
        let mut ways: Vec<Option<Way>> = vec![None; 1 << count];
        ways[0] = Some(Way { cost: 0.0, rows: 1.0, last: 0, hashed: false, factor: 1.0 });
        for set in 0..ways.len() - 1 {
            let Some(way) = ways[set] else { continue };
            let done = (0..count).filter(|n| set >> n & 1 == 1).fold(0, |m, n| m | units[n].mask());
            for n in (0..count).filter(|n| set >> n & 1 == 0) {
                if !self.may_come(&units[n], done) {
                    continue;
                }
                let reach = known.reach(self, units, n, done);
                let factor = match set {
                    0 if reach.scanned && reach.once > MANY => self.shared,
                    _ => way.factor,
                };
                let (more, hashed) = reach.cost(way.rows);
                let next = Way {
                    cost: way.cost + more * factor,
                    rows: (way.rows * reach.rows).max(1.0),
                    last: n,
                    hashed,
                    factor,
                };
                let there = &mut ways[set | 1 << n];
                if there.is_none_or(|t| next.cost < t.cost) {
                    *there = Some(next);
                }
            }
        }
        let mut set = ways.len() - 1;
        let cost = ways[set]?.cost;
        let mut order = Order::default();
        while set != 0 {
            let way = ways[set]?;
            order.units.push(way.last);
            if way.hashed {
                order.hashed |= units[way.last].mask();
            }
            set &= !(1 << way.last);
        }
        order.units.reverse();
        Some((cost, order))
    }

    /// What a unit costs behind the tables that are done.
    fn reach(&mut self, unit: &Unit, done: u64) -> Reach {
        let before = std::mem::replace(&mut self.done, done);
        let reach = match unit {
            Unit::Table(t) => self.reach_table(*t, &self.pool),
            Unit::Left { inner, on, inner_conditions, .. } => match inner.as_slice() {
                [Unit::Table(t)] => {
                    let all = on.iter().chain(inner_conditions).cloned().map(Some);
                    let reach = self.reach_table(*t, &all.collect::<Vec<_>>());
                    Reach { rows: reach.rows.max(1.0), ..reach }
                }
                _ => {
                    let rows: f64 = inner.iter().map(|u| self.rows_of(u)).sum();
                    Reach {
                        rows: 1.0,
                        once: rows * FOUND,
                        each: rows.sqrt() * BUFFERED,
                        hash: None,
                        greedy: 0.0,
                        scanned: false,
                    }
                }
            },
        };
        self.done = before;
        reach
    }

    fn rows_of(&self, unit: &Unit) -> f64 {
        match unit {
            Unit::Table(t) => self.candidates[*t].rows,
            Unit::Left { inner, .. } => inner.iter().map(|u| self.rows_of(u)).sum(),
        }
    }

    /// Whether a key of a table would find its rows behind other tables.
    fn may_be_looked_up(&self, t: usize, conditions: &[Option<Expr>]) -> bool {
        let c = &self.candidates[t];
        let Some(open) = c.open else { return false };
        let of_others = |e: &Expr| e.tables() & 1 << t == 0 && !has_subquery(e);
        conditions.iter().flatten().any(|cond| {
            let test = sarg::read(cond, t, &|column| c.types[column].clone(), &of_others);
            test.is_some_and(|(column, test, _)| {
                let begins = |k: &usize| open.keys()[*k].segments.first().is_some_and(|s| s.column == column);
                test.only_points() && c.allowed.iter().any(begins)
            })
        })
    }

    fn reach_table(&self, t: usize, conditions: &[Option<Expr>]) -> Reach {
        let c = &self.candidates[t];
        let path = self.path(t, conditions);
        let me = 1u64 << t;
        let used = columns_of(&path, c);
        let (mut alone, mut together, mut equal) = (1.0, 1.0, false);
        for cond in conditions.iter().flatten() {
            let tables = cond.tables();
            if tables & me == 0 {
                continue;
            }
            if tables & !(self.done | me) != 0 {
                alone *= implied(cond, me).map_or(1.0, |e| share(&e, t, c));
            } else if has_subquery(cond) {
                together *= share_of_subquery(cond);
            } else if tables == me {
                if !tests(cond, t, c, &used) {
                    alone *= share(cond, t, c);
                }
            } else if self.hash_pair(cond, t).is_some() {
                equal = true;
                if !tests(cond, t, c, &used) {
                    together *= 0.1;
                }
            } else if !tests(cond, t, c, &used) {
                together *= share(cond, t, c);
            }
        }
        let rows = c.rows.max(1.0);
        let small = rows < SMALL;
        let (look_up, found) = if small { (LOOK_UP_SMALL, FOUND_SMALL) } else { (LOOK_UP, FOUND) };
        let first = self.done == 0;
        let (mut out, once, each) = match &path.access {
            Access::Lookup { unique: true, .. } => (1.0, 0.0, look_up),
            Access::Lookup { key, parts, .. } => {
                let constant = parts.iter().all(|p| p.value.tables() == 0);
                let counted = constant || counted(c, *key, parts.len()) > 0;
                let found_rows = path.rows.max(1.0).min(if counted { f64::INFINITY } else { NOT_COUNTED });
                let cost = look_up + found_rows * found;
                if constant && !first {
                    (found_rows, cost, found_rows * alone * BUFFERED)
                } else {
                    (found_rows, 0.0, cost)
                }
            }
            Access::Range { .. } | Access::Spatial(_) | Access::IndexMerge(_) => {
                let found_rows = path.rows.max(1.0);
                let again = if first { 0.0 } else { found_rows * alone * BUFFERED };
                (found_rows, look_up + found_rows * found, again)
            }
            Access::Scan if c.hints.rows.force && self.may_be_looked_up(t, conditions) => {
                (rows, LAST_RESORT, 0.0)
            }
            _ => (rows, rows, if first { 0.0 } else { rows * alone * BUFFERED }),
        };
        out *= alone;
        let mut hash = None;
        // FORCE INDEX: where a key finds the rows, nothing else does
        let forced = c.hints.rows.force && !matches!(path.access, Access::Scan | Access::Hash { .. });
        if equal && !first && !forced {
            let partners = partners(self, t, conditions, rows);
            let kept = rows * share_of_all(self, t, conditions);
            let mut built = rows + kept * HASHED;
            let mut probed = PROBED;
            if kept * HASHED_BYTES > self.memory as f64 {
                (built, probed) = (built + kept * SPILLED, probed + SPILLED);
            }
            hash = Some((built, probed + partners * kept / rows));
            if matches!(path.access, Access::Scan | Access::Hash { .. }) {
                out = partners * kept / rows;
                together = 1.0;
            }
        }
        Reach {
            rows: out * together,
            once,
            each,
            hash,
            greedy: path.cost,
            scanned: matches!(path.access, Access::Scan),
        }
    }
}

/// The share of a table's rows that meet its own conditions.
pub(super) fn share_of_all(chooser: &Chooser<'_>, t: usize, conditions: &[Option<Expr>]) -> f64 {
    let own = conditions.iter().flatten().filter(|c| c.tables() == 1 << t && !has_subquery(c));
    own.map(|c| share(c, t, &chooser.candidates[t])).product()
}

/// The rows of a table that equal one of the rows before in what both are joined by.
fn partners(chooser: &Chooser<'_>, t: usize, conditions: &[Option<Expr>], rows: f64) -> f64 {
    let c = &chooser.candidates[t];
    let pairs = conditions.iter().flatten().filter_map(|cond| chooser.hash_pair(cond, t));
    let columns: Vec<usize> =
        pairs.filter_map(|(build, ..)| Some(build.as_column()?.column as usize)).collect();
    let mut best = rows.powf(0.3);
    let Some(open) = c.open else { return best };
    for (number, key) in open.keys().iter().enumerate() {
        let parts = key.segments.iter().take_while(|s| s.covers() && columns.contains(&s.column)).count();
        if parts == 0 {
            continue;
        }
        let each = match counted(c, number, parts) {
            _ if parts == key.segments.len() && key.is_unique() => 1.0,
            0 => (rows / 10f64.powi(parts as i32)).clamp(1.0, NOT_COUNTED),
            n => f64::from(n),
        };
        best = best.min(each);
    }
    best
}

/// Rows of one value of a key's leading parts; 0 where they were not counted.
pub(super) fn counted(c: &Candidate<'_>, key: usize, parts: usize) -> u32 {
    let Some((open, state)) = c.open.zip(c.state.as_ref()) else { return 0 };
    state.rec_per_key(open.keys()[key].first_part + parts - 1)
}

/// The columns whose values an access path finds rows by.
fn columns_of(path: &Path, c: &Candidate<'_>) -> Vec<usize> {
    let Some(open) = c.open else { return Vec::new() };
    let (key, parts) = match &path.access {
        Access::Lookup { key, parts, .. } => (*key, parts.len()),
        Access::Range { key, condition, .. } => (*key, condition.parts.len()),
        _ => return Vec::new(),
    };
    open.keys()[key].segments.iter().take(parts).map(|s| s.column).collect()
}

/// Whether a condition tests one of these columns: the rows found meet it already.
fn tests(cond: &Expr, t: usize, c: &Candidate<'_>, used: &[usize]) -> bool {
    let read = sarg::read(cond, t, &|column| c.types[column].clone(), &|_| true);
    read.is_some_and(|(column, _, _)| used.contains(&column))
}

/// The share of rows that meet a condition, by its form: there are no statistics of values.
fn share(e: &Expr, t: usize, c: &Candidate<'_>) -> f64 {
    match &e.node {
        Node::Compare(CompareOp::Eq | CompareOp::NullSafeEq, _, sides) => {
            let column = sides.iter().filter_map(Expr::as_column).find(|col| col.table as usize == t);
            let unique = c.open.zip(column).is_some_and(|(open, col)| {
                let whole = |s: &[crate::table::Segment]| matches!(s, [s] if s.column == col.column as usize && s.covers());
                open.keys().iter().any(|k| k.is_unique() && whole(&k.segments))
            });
            if unique { 1.0 / c.rows.max(1.0) } else { 0.1 }
        }
        Node::Compare(CompareOp::Ne, ..) => 0.9,
        Node::Compare(..) => 0.33,
        Node::Between { negated, .. } => {
            if *negated {
                0.8
            } else {
                0.2
            }
        }
        Node::In { list, negated, .. } => {
            let found = (list.len() as f64 * 0.1).min(0.5);
            if *negated { 1.0 - found } else { found }
        }
        Node::Like { negated, .. } => {
            if *negated {
                0.9
            } else {
                0.1
            }
        }
        Node::Is(_, _, negated) => {
            if *negated {
                0.9
            } else {
                0.1
            }
        }
        Node::Not(e) => 1.0 - share(e, t, c),
        Node::And(list) => list.iter().map(|e| share(e, t, c)).product(),
        Node::Or(list) => list.iter().map(|e| share(e, t, c)).sum::<f64>().min(1.0),
        _ => 0.5,
    }
}

/// The same of a condition with a subquery: who asks for what is in a list asks for few rows, who asks for what is not in it for most.
fn share_of_subquery(e: &Expr) -> f64 {
    match &e.node {
        Node::Subquery(node)
            if matches!(node.kind, SubqueryKind::Exists | SubqueryKind::In { negated: false }) =>
        {
            0.1
        }
        Node::Compare(CompareOp::Eq, ..) => 0.1,
        _ => 0.8,
    }
}

/// What was found out of units behind sets of tables. Only tables that share a condition matter.
struct Known {
    near: Vec<u64>,
    found: Vec<(usize, u64, Reach)>,
}

impl Known {
    fn new(chooser: &Chooser<'_>, units: &[Unit]) -> Known {
        let near = |unit: &Unit| {
            let mine = unit.mask();
            let own: Vec<&Expr> = match unit {
                Unit::Left { on, inner_conditions, .. } => on.iter().chain(inner_conditions).collect(),
                Unit::Table(_) => Vec::new(),
            };
            let all = chooser.pool.iter().flatten().chain(own);
            all.map(Expr::tables).filter(|m| m & mine != 0).fold(0, |m, tables| m | tables)
        };
        Known { near: units.iter().map(near).collect(), found: Vec::new() }
    }

    fn reach(&mut self, chooser: &mut Chooser<'_>, units: &[Unit], n: usize, done: u64) -> Reach {
        // a table that is first is read once, whatever it is near to
        let first = u64::from(done == 0) << 63;
        let at = done & self.near[n] | first;
        if let Some((_, _, reach)) = self.found.iter().find(|(unit, set, _)| (*unit, *set) == (n, at)) {
            return *reach;
        }
        let reach = chooser.reach(&units[n], done);
        self.found.push((n, at, reach));
        reach
    }
}

/// What the parts of an OR say of one table alone, where each says something: `(t.a = 1 AND u.b = 2) OR t.a = 3` says of `t` that
/// `t.a = 1 OR t.a = 3`. Only what can neither warn nor fail.
pub(super) fn implied(e: &Expr, tables: u64) -> Option<Expr> {
    let Node::Or(arms) = &e.node else { return None };
    let mut out = Vec::with_capacity(arms.len());
    for arm in arms {
        let list = match &arm.node {
            Node::And(list) => list.as_slice(),
            _ => std::slice::from_ref(arm),
        };
        let own: Vec<Expr> = list
            .iter()
            .filter(|c| c.tables() != 0 && c.tables() & !tables == 0 && is_quiet(c))
            .cloned()
            .collect();
        out.push(super::from::conjunction(own)?);
    }
    let nullable = out.iter().any(|e| e.ty.nullable);
    Some(Expr::new(Node::Or(out), crate::types::FieldType::boolean().with_nullable(nullable)))
}

/// Whether a condition compares columns and constants as they are.
fn is_quiet(e: &Expr) -> bool {
    let mut quiet = true;
    e.walk(&mut |e| {
        quiet &= matches!(
            e.node,
            Node::Column(_)
                | Node::Literal(_)
                | Node::Param(_)
                | Node::Compare(..)
                | Node::Between { .. }
                | Node::In { .. }
                | Node::Like { .. }
                | Node::And(_)
                | Node::Or(_)
        );
    });
    quiet
}
