//! From a syntax tree of a query to a plan: names bound, access paths and join order chosen.

pub mod access;
mod block;
pub mod by_row;
pub(crate) mod change;
pub mod changed_view;
mod const_tables;
mod ctes;
pub(crate) mod definition;
mod derived;
mod eliminate;
mod equalities;
mod estimate;
mod examined;
pub mod explain;
pub mod explain_json;
mod explained_step;
mod factor;
mod fixed;
pub mod from;
pub mod full_text;
mod group_order;
mod grouped;
mod grouping;
pub mod handler;
pub mod hints;
mod is_null;
pub mod json_table;
pub mod key_end;
mod key_order;
pub mod keyed;
mod lifted;
mod loose;
pub mod metadata;
pub(crate) mod naming;
mod negation;
pub mod optimized;
mod order;
mod outer;
mod partition_tests;
mod printed;
pub mod pruning;
mod pushed;
pub mod query;
pub mod recursive;
pub mod sarg;
pub mod scope;
mod semijoin;
pub mod shortcut;
pub mod slots;
pub mod spatial;
pub mod stored;
pub(crate) mod temporary;
pub(crate) mod union;
pub mod unusable;
pub(crate) mod view;
pub mod window;
pub mod workings;

use std::sync::{Arc, OnceLock};

use crate::ast;
use crate::catalog::view::StoredView;
use crate::error::SqlResult;
use crate::expr::{AggregateCall, Expr, Node};
use crate::result::ResultSchema;
use crate::rights::Rights;
use crate::table::OpenTable;
use crate::types::{Class, FieldType, Value};

pub use query::{Asked, Change, ReturningList, plan_change, plan_query};

pub use crate::catalog::readable::Unreadable;
pub use crate::table::virtual_table::VirtualTable;

/// What a FROM item resolves to.
#[derive(Clone)]
pub enum Relation {
    /// A table with files.
    Base(Arc<OpenTable>),
    /// A computed table.
    Virtual(Arc<dyn VirtualTable>),
    /// A subquery in FROM, a CTE or a view: its plan.
    Derived(Arc<QueryPlan>),
    /// A JSON_TABLE.
    JsonTable(Arc<json_table::JsonTable>),
    /// A view whose tables stand among those of the query: it has no rows of its own.
    Merged,
}

/// What a name of FROM stands for.
pub enum Named {
    /// Something with rows.
    Relation(Relation),
    /// A view.
    View(Arc<StoredView>),
}

/// The view that names a table whose rows a statement changes, and who must be allowed to.
pub struct Through {
    /// The innermost view.
    pub view: Arc<StoredView>,
    /// The rights that count there; none for those of the session.
    pub(crate) rights: Option<Arc<Rights>>,
}

/// What a table in FROM is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// Its rows are read.
    Read,
    /// Its rows are read FOR UPDATE.
    Lock,
    /// It stands in the outermost FROM of a statement that changes rows.
    Change,
}

/// What the planner asks of the session.
pub trait PlanEnv {
    /// The table behind a name.
    ///
    /// # Errors
    /// 1146 when there is none, 1046 without a database, 1100 under LOCK TABLES, 1142 without a privilege.
    fn table(&mut self, name: &ast::TableName, alias: &str, usage: TableUse) -> SqlResult<Named>;
    /// What is asked from here on is asked by a view.
    ///
    /// # Errors
    /// 1462 when it lies in itself, 1449 when there is no such definer.
    fn enter_view(&mut self, view: &Arc<StoredView>) -> SqlResult<()>;
    /// The view is bound.
    fn leave_view(&mut self);
    /// The view that asks now.
    fn through(&self) -> Option<Arc<Through>> {
        None
    }
    /// A number that differs when a view may have been defined anew; not 0.
    fn view_stamp(&self) -> u64 {
        1
    }
    /// The columns of a view that may not be read, when there are such.
    fn unreadable_columns(&self, _db: &str, _name: &str, _columns: &[String]) -> Option<Unreadable> {
        None
    }
    /// The columns of a table that the session may not read, when there are such.
    fn unreadable(&self, _table: &OpenTable) -> Option<Unreadable> {
        None
    }
    /// A system variable's value.
    ///
    /// # Errors
    /// 1193 unknown, 1238 wrong scope.
    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)>;
    /// The session's place in the page store's registry; no snapshot is open while planning.
    fn reader(&self) -> &pages::ReaderSlot;
    /// The text of the statement, for the names of columns without alias.
    fn text(&self) -> &[u8];
    /// The type of parameter `n`, when the statement is planned for its execution.
    fn param(&self, n: u32) -> Option<FieldType>;
    /// What a sequence answers.
    ///
    /// # Errors
    /// 1046, 4089, 4091.
    fn sequence(
        &mut self,
        name: &ast::TableName,
        action: crate::expr::sequences::Action,
        ctx: &mut crate::expr::EvalContext,
    ) -> SqlResult<Expr> {
        let _ = (name, action, ctx);
        Err(crate::error::SqlError::not_supported("a sequence here"))
    }
    /// The call of a stored function, if there is one of the name.
    ///
    /// # Errors
    /// Those of binding it.
    fn stored_function(
        &mut self,
        call: &ast::FunctionCall,
        args: Vec<Expr>,
        ctx: &mut crate::expr::EvalContext,
    ) -> SqlResult<Option<Expr>> {
        let _ = (call, args, ctx);
        Ok(None)
    }
    /// The number and type of a stored aggregate function, if there is one of the name.
    ///
    /// # Errors
    /// Those of binding it.
    fn stored_aggregate(
        &mut self,
        call: &ast::FunctionCall,
        ctx: &mut crate::expr::EvalContext,
    ) -> SqlResult<Option<(u64, FieldType)>> {
        let _ = (call, ctx);
        Ok(None)
    }
    /// The current database.
    fn database(&self) -> Option<&str>;
}

/// A planned query: one block, or several combined.
pub struct QueryPlan {
    /// The columns of the result.
    pub schema: Arc<ResultSchema>,
    /// Types of the columns.
    pub types: Vec<FieldType>,
    /// Names of the columns.
    pub names: Vec<String>,
    /// What is done.
    pub body: Body,
    /// Subqueries of this query's expressions, by their number.
    pub subqueries: Vec<Arc<SubqueryPlan>>,
    /// Every base table of the query and of what is below it.
    pub tables: Vec<Arc<OpenTable>>,
    /// The state of all views as of which it was made; 0 where it reads none.
    pub views: u64,
    /// Whether the plan may be kept for other executions.
    pub cacheable: bool,
    /// SQL_CALC_FOUND_ROWS: when enough rows were sent, the others are counted.
    pub calc_found_rows: bool,
}

/// The body of a query.
pub enum Body {
    /// One SELECT.
    Block(Box<BlockPlan>),
    /// VALUES rows.
    Values(Vec<Vec<Expr>>),
    /// Set operations.
    Set(Box<SetPlan>),
    /// A recursive common table expression.
    Recursive(recursive::RecursivePlan),
    /// The rows of such a one, for its own terms.
    Working(recursive::Working),
}

/// Set operations from left to right.
pub struct SetPlan {
    /// The operands; the operator stands before each but the first.
    pub terms: Vec<(Option<ast::SetOp>, Arc<QueryPlan>)>,
    /// ORDER BY of the whole: over the result columns.
    pub order: Vec<(Expr, bool)>,
    /// LIMIT of the whole.
    pub limit: LimitPlan,
    /// Rows past the LIMIT are counted, for FOUND_ROWS.
    pub counts: bool,
}

/// LIMIT and OFFSET.
#[derive(Default, Clone)]
pub struct LimitPlan {
    /// Rows wanted.
    pub count: Option<Expr>,
    /// Rows skipped.
    pub offset: Option<Expr>,
    /// Rows that tie with the last one come as well.
    pub with_ties: bool,
    /// ROWS EXAMINED.
    pub examined: Option<Expr>,
}

/// A subquery of an expression.
pub struct SubqueryPlan {
    /// Its plan.
    pub plan: Arc<QueryPlan>,
    /// Whether it refers to nothing outside, and to no user variables, so that it runs once.
    pub independent: bool,
    /// Whether outer rows that are alike in what it refers to have the same answer (`subquery_cache` of `optimizer_switch`).
    pub repeats: bool,
    /// The same for all outer rows at once, where that is possible.
    pub keyed: Option<Box<keyed::Keyed>>,
    /// What is asked of it, where the answer may come from a set of its rows.
    pub membership: Option<keyed::Membership>,
    /// The same for one value that IN looks for.
    pub by_row: Option<Box<by_row::ByRow>>,
    /// It is joined to the tables of its query instead of being asked for their rows ([`semijoin`]).
    pub joined: bool,
}

/// One SELECT.
pub struct BlockPlan {
    /// The tables in the order of FROM.
    pub tables: Vec<PlanTable>,
    /// Number of slots that tables fill.
    pub slots: usize,
    /// The classes of their values, found when the plan runs first.
    pub classes: OnceLock<Box<[Class]>>,
    /// The tables in join order.
    pub steps: Vec<Step>,
    /// Conditions that need no table: when one is not true there are no rows.
    pub constant: Option<Expr>,
    /// Texts that conditions say to be equal to dates, and that may be none: they warn though there are no rows.
    pub dated: Vec<Expr>,
    /// GROUP BY and aggregates.
    pub group: Option<GroupPlan>,
    /// Window functions: their values are behind the aggregates.
    pub windows: Option<Box<window::WindowPlan>>,
    /// HAVING, over the slots and the aggregates behind them.
    pub having: Option<Expr>,
    /// The select list, then hidden expressions for ORDER BY.
    pub output: Vec<Expr>,
    /// How many of `output` are shown.
    pub visible: usize,
    /// DISTINCT.
    pub distinct: bool,
    /// ORDER BY: number in `output`, descending.
    pub order: Vec<(usize, bool)>,
    /// The first table's access path delivers this order already.
    pub ordered_by_access: bool,
    /// All columns that the list asks for, where they are read by place of the rows that LIMIT leaves of a sort of one table: number,
    /// slot, type.
    pub by_place: Vec<(usize, usize, FieldType)>,
    /// LIMIT.
    pub limit: LimitPlan,
    /// Known to be empty, and why (the text of EXPLAIN).
    pub impossible: Option<&'static str>,
    /// EXISTS: nobody reads on behind the first row.
    pub only_existence: bool,
    /// The number of the SELECT in its statement, where it is planned for EXPLAIN; else 0.
    pub number: u32,
    /// One table, plain columns, a key look-up or range that says all: rows go from the page
    /// into the sink.
    pub direct: Option<Direct>,
}

/// A table in a block.
pub struct PlanTable {
    /// What it is.
    pub relation: Relation,
    /// The name it goes by.
    pub alias: String,
    /// Database of a base table.
    pub db: String,
    /// Own name.
    pub name: String,
    /// The columns read: column number, slot, type.
    pub columns: Vec<(usize, usize, FieldType)>,
    /// Virtual columns that are read, in the order in which they are computed.
    pub computed: Vec<crate::table::rules::VirtualColumn>,
    /// The slot that takes the rows' positions, for statements that change rows.
    pub position: Option<usize>,
    /// The slot that takes the rows' scores, where a full-text search finds them.
    pub score: Option<usize>,
    /// What constants ask of single columns, for a table that makes its rows.
    pub tests: Vec<sarg::ColumnTest>,
    /// What ORs of such conditions ask, for partitioned tables: of each one its branches.
    pub choices: Vec<Vec<Vec<sarg::ColumnTest>>>,
    /// `records` are those of the partitions that are left.
    pub pruned: bool,
    /// How many rows a base table had when it was planned.
    pub records: Option<u64>,
    /// The slot that takes the rows' numbers in the order in which they are read, for warnings ([`number_rows`]).
    pub number: Option<usize>,
    /// A subquery of WHERE that is joined: its distinct rows ([`semijoin`]).
    pub semijoin: bool,
}

impl QueryPlan {
    /// One that gives nothing: it holds subqueries of expressions that no query computes.
    pub(crate) fn without_rows() -> QueryPlan {
        QueryPlan {
            schema: Arc::default(),
            types: Vec::new(),
            names: Vec::new(),
            body: Body::Values(Vec::new()),
            subqueries: Vec::new(),
            tables: Vec::new(),
            views: 0,
            cacheable: true,
            calc_found_rows: false,
        }
    }

    /// How many rows a SELECT looks at, as estimated.
    pub(crate) fn rows_read(&self) -> f64 {
        match &self.body {
            Body::Block(b) => b.steps.iter().map(|s| s.rows.max(1.0)).product(),
            _ => 1.0,
        }
    }
}

impl QueryPlan {
    /// How many rows it gives, as estimated: those it looks at, and of one that is not known to give none or one, two at least.
    pub(crate) fn rows_given(&self) -> f64 {
        match &self.body {
            Body::Values(rows) => rows.len() as f64,
            Body::Set(set) => set.terms.iter().map(|(_, term)| term.rows_given()).sum(),
            Body::Recursive(r) => {
                let anchors = r.group.members[r.result].anchors.iter();
                anchors.map(|p| p.rows_given()).sum::<f64>().max(2.0)
            }
            Body::Working(_) => 2.0,
            Body::Block(b) if b.steps.is_empty() => 1.0,
            Body::Block(b) if b.group.as_ref().is_some_and(|g| g.keys.is_empty()) => 1.0,
            Body::Block(b) => {
                let limit = match b.limit.count.as_ref().map(|e| &e.node) {
                    Some(Node::Literal(Value::Int(n))) => *n as f64,
                    Some(Node::Literal(Value::UInt(n))) => *n as f64,
                    _ => f64::INFINITY,
                };
                self.rows_read().max(2.0).min(limit)
            }
        }
    }
}

impl PlanTable {
    /// The slots that its rows fill.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.columns
            .iter()
            .map(|c| c.1)
            .chain(self.computed.iter().map(|c| c.slot))
            .chain(self.position)
            .chain(self.score)
    }
}

impl BlockPlan {
    /// Whether it finds places of rows that are to be changed.
    pub fn finds_changes(&self) -> bool {
        self.by_place.is_empty() && self.tables.iter().any(|t| t.position.is_some())
    }

    /// How many tables it reads: views that were merged are none.
    pub(crate) fn count_tables(&self) -> usize {
        self.tables.iter().filter(|t| !matches!(t.relation, Relation::Merged)).count()
    }

    /// Whether what comes behind the groups needs more of them than LIMIT leaves.
    pub(crate) fn asks_for_all_groups(&self) -> bool {
        let more = self.windows.is_some() || self.distinct || self.having.is_some();
        more || !self.order.is_empty() || self.limit.with_ties
    }

    /// Whether it is a sum, a deviation or a variance of doubles: temporary tables have all digits of those.
    fn has_all_digits(&self, e: &Expr) -> bool {
        use ast::AggregateFunction::{Std, StdSamp, Sum, VarSamp, Variance};
        let Some(n) = e.as_column().and_then(|c| (c.slot as usize).checked_sub(self.slots)) else {
            return false;
        };
        let call = self.group.as_ref().and_then(|g| g.aggregates.get(n));
        call.is_some_and(|a| matches!(a.function, Sum | Std | StdSamp | Variance | VarSamp))
    }

    /// The slot of the first window function: behind what is computed of groups.
    pub(crate) fn window_slot(&self) -> usize {
        let rolled = |g: &GroupPlan| if g.rollup { g.keys.len() } else { 0 };
        self.slots + self.group.as_ref().map_or(0, |g| g.aggregates.len() + g.items.len() + rolled(g))
    }

    /// Whether its row comes without reading any: there is no table, or the tables' states say it all.
    pub(crate) fn reads_nothing(&self) -> bool {
        match &self.group {
            Some(g) => g.shortcut.is_some() || self.tables.is_empty() && g.aggregates.is_empty(),
            None => self.tables.is_empty(),
        }
    }
}

impl QueryPlan {
    /// The columns of decimals and doubles whose values may have more digits than their types tell.
    pub(crate) fn hidden_digits(&self) -> Vec<usize> {
        let Body::Block(b) = &self.body else { return Vec::new() };
        let called = |a: &AggregateCall| {
            a.function == ast::AggregateFunction::Avg || a.args.iter().any(Expr::has_hidden_digits)
        };
        let computed = b.group.iter().flat_map(|g| &g.aggregates).any(called);
        let computed = computed || b.windows.is_some();
        let of_table = |e: &Expr| e.as_column().is_some_and(|c| (c.table as usize) < b.tables.len());
        let hidden = |e: &Expr| {
            let decimal = e.ty.class() == crate::types::Class::Decimal;
            let known = of_table(e) || !computed && !access::has_subquery(e);
            let fixed = e.ty.is_fixed_double() && !of_table(e) && !b.has_all_digits(e);
            e.has_hidden_digits() || decimal && !known || fixed
        };
        (0..b.visible).filter(|i| b.output.get(*i).is_some_and(hidden)).collect()
    }

    /// Whether its one table is read whole.
    pub(crate) fn scans(&self) -> bool {
        let Body::Block(b) = &self.body else { return false };
        let whole = |s: &Step| matches!(s.access, Access::Scan | Access::KeyScan { .. });
        b.impossible.is_none() && b.steps.first().is_some_and(whole)
    }

    /// Whether a unique key finds what the last of several tables has for each row of those before.
    pub(crate) fn ends_by_unique_key(&self) -> bool {
        let Body::Block(b) = &self.body else { return false };
        b.steps.last().is_some_and(|s| matches!(s.access, Access::Lookup { unique: true, .. }))
    }

    /// The number of the table whose rows are read first.
    pub(crate) fn first_table(&self) -> Option<usize> {
        let Body::Block(b) = &self.body else { return None };
        b.steps.first().map(|s| s.table)
    }

    /// Whether no condition leaves out a row of its one table, neither of the statement's own nor of a view.
    pub(crate) fn takes_all(&self) -> bool {
        let Body::Block(b) = &self.body else { return false };
        let all = |s: &Step| {
            matches!(s.access, Access::Scan | Access::KeyScan { .. }) && s.conditions().next().is_none()
        };
        let shape = b.impossible.is_none() && b.constant.is_none() && b.having.is_none() && b.group.is_none();
        shape && matches!(&b.steps[..], [only] if all(only))
    }

    /// Whether it is a set operation whose rows are kept before the first one is given: MariaDB computes those for CREATE ...
    /// SELECT as if no mode was strict.
    pub(crate) fn is_kept_set(&self) -> bool {
        matches!(&self.body, Body::Set(set) if !set.streams())
    }

    /// Whether its rows come in an order that was asked for.
    pub(crate) fn is_ordered(&self) -> bool {
        matches!(&self.body, Body::Block(b) if !b.order.is_empty())
    }

    /// Whether FOUND_ROWS tells rows past the last one sent as well.
    pub(crate) fn counts_all(&self) -> bool {
        match &self.body {
            Body::Set(set) => set.counts || !set.streams(),
            _ => self.calc_found_rows,
        }
    }

    /// Whether it is a VALUES statement, which leaves FOUND_ROWS as it was.
    pub(crate) fn only_values(&self) -> bool {
        match &self.body {
            Body::Values(_) => true,
            Body::Set(set) => set.terms.len() == 1 && set.streams() && set.terms[0].1.only_values(),
            Body::Block(_) | Body::Recursive(_) | Body::Working(_) => false,
        }
    }

    /// Makes the arms of a UNION ALL at the top count their rows when enough were sent: FOUND_ROWS tells all of them.
    pub(crate) fn count_arms(&mut self) {
        let Body::Set(set) = &mut self.body else { return };
        set.counts = set.streams() && set.terms.len() > 1;
        if !set.counts {
            return;
        }
        for (_, term) in &mut set.terms {
            if let Some(term) = Arc::get_mut(term) {
                let whole = match &term.body {
                    Body::Block(b) => b.limit.count.is_none() && !b.reads_nothing(),
                    _ => false,
                };
                term.calc_found_rows = whole;
            }
        }
    }
}

impl SetPlan {
    /// Whether rows are sent as the terms give them.
    pub(crate) fn streams(&self) -> bool {
        self.order.is_empty()
            && self.terms.iter().all(|(op, _)| op.is_none_or(|o| o.kind == ast::SetOpKind::Union && o.all))
    }
}

/// The list of an INSERT's query that names its columns: what is computed of a column's text as it is stored says nothing where the text is
/// no number, and is no error in a strict mode. CAST AS SIGNED does.
pub(crate) fn quiet_list(plan: &mut QueryPlan) {
    fn quiet(e: &mut Expr) {
        let integer = matches!(&e.node, Node::Call(f, _) if matches!(f.def.name, "cast_as_signed" | "cast_as_unsigned"));
        e.for_children_mut(&mut |child| {
            if !integer || child.as_column().is_none() {
                quiet(child);
            }
        });
        if e.as_column().is_some() {
            e.ty.source.set_quiet();
        }
    }
    match &mut plan.body {
        Body::Block(b) if !b.distinct && b.group.is_none() && b.windows.is_none() => {
            b.output[..b.visible].iter_mut().for_each(quiet);
        }
        // one in parentheses
        Body::Set(set) if set.terms.len() == 1 => {
            set.terms.iter_mut().filter_map(|(_, term)| Arc::get_mut(term)).for_each(quiet_list);
        }
        _ => {}
    }
}

/// Warnings about the rows that a statement writes number them as they are read, those that its conditions leave out too: the number
/// becomes a last column of such a plan. Rows that are sorted or put together before are numbered as they come, and so is all that a
/// plan without conditions gives.
pub(crate) fn number_rows(plan: &mut QueryPlan) {
    let Body::Block(b) = &mut plan.body else { return };
    let [step] = &b.steps[..] else { return };
    let sorted = !b.order.is_empty() && !b.ordered_by_access;
    let table = &mut b.tables[step.table];
    let numbered = matches!(table.relation, Relation::Base(_)) && step.filter.is_some();
    if !numbered || sorted || b.distinct || b.group.is_some() || b.windows.is_some() || plan.calc_found_rows {
        return;
    }
    table.number = Some(b.slots);
    b.output.insert(b.visible, Expr::row_column(b.slots as u32, FieldType::bigint(true)));
    b.order.iter_mut().filter(|(at, _)| *at >= b.visible).for_each(|(at, _)| *at += 1);
    b.slots += 1;
    b.visible += 1;
}

/// The column number that stands for a row's position.
pub const POSITION: u32 = u32::MAX - 1;

/// The column number that stands for a row's score in the search that finds it.
pub const SCORE: u32 = u32::MAX - 2;

/// How a step joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Rows that match.
    Inner,
    /// Rows that match, else NULLs.
    Left,
}

/// One table in join order.
pub struct Step {
    /// Its number in [`BlockPlan::tables`].
    pub table: usize,
    /// How it joins.
    pub kind: StepKind,
    /// How its rows are found.
    pub access: Access,
    /// ON of an outer join.
    pub on: Option<Expr>,
    /// Conditions that can be checked from here on.
    pub filter: Option<Expr>,
    /// Estimated rows per row of the steps before.
    pub rows: f64,
    /// Only columns of the key are read.
    pub covering: bool,
    /// Of each group of the key's entries only these are.
    pub loose: Option<crate::table::loose::Wanted>,
    /// Possible keys, for EXPLAIN.
    pub possible: Vec<usize>,
    /// Keys by which rows could be found behind tables that come later, for EXPLAIN.
    pub joining: Vec<usize>,
    /// Keys that hints allow and that are not disabled.
    pub usable: Vec<usize>,
    /// Of the first step, keys that give the order of ORDER BY, and whether read backwards.
    pub orders: Vec<(usize, bool)>,
    /// Where all rows are read: the shortest part of a key that they could be found in.
    pub ranged: Option<Box<Ranged>>,
}

/// A part of a key in which rows can be found.
#[derive(Clone)]
pub struct Ranged {
    /// The key.
    pub key: usize,
    /// Which entries.
    pub condition: sarg::RangeCondition,
    /// How many rows, about.
    pub rows: f64,
}

impl Step {
    /// ON and what else is checked.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        self.filter.iter().chain(&self.on)
    }
}

/// An access path.
pub enum Access {
    /// Every row in file order.
    Scan,
    /// Every row in key order.
    KeyScan {
        /// The key.
        key: usize,
        /// Backwards.
        descending: bool,
    },
    /// Rows whose leading key parts equal values.
    Lookup {
        /// The key.
        key: usize,
        /// One value a part.
        parts: Vec<KeyPartValue>,
        /// At most one row.
        unique: bool,
        /// Entries are walked backwards.
        descending: bool,
    },
    /// Rows in intervals of a key.
    Range {
        /// The key.
        key: usize,
        /// The conditions that give the intervals.
        condition: sarg::RangeCondition,
        /// Backwards.
        descending: bool,
    },
    /// The rows of a JSON_TABLE, whose document this is.
    JsonTable(Box<Expr>),
    /// Rows that a full-text search finds.
    FullText(full_text::FullText),
    /// Rows that a SPATIAL key finds.
    Spatial(Box<spatial::Search>),
    /// Rows in intervals of any of several keys, in file order.
    IndexMerge(Vec<KeyRange>),
    /// The joined rows of several tables, made once: the inner side of an outer join over more
    /// than one table.
    Nest {
        /// Their steps.
        steps: Vec<Step>,
    },
    /// Rows whose expressions equal those of the rows before, by a hash table of this table's rows.
    Hash {
        /// Over this table.
        build: Vec<Expr>,
        /// Over the tables before.
        probe: Vec<Expr>,
        /// The numbers of those that equal by `<=>`, as bits: NULL is a value among others.
        null_safe: u64,
    },
}

/// Intervals of a key.
#[derive(Clone)]
pub struct KeyRange {
    /// The key.
    pub key: usize,
    /// The conditions that give the intervals.
    pub condition: sarg::RangeCondition,
}

impl KeyRange {
    /// Whether one value is given for each part of the key: its rows come in file order then.
    #[must_use]
    pub fn is_point(&self, info: &crate::table::KeyInfo) -> bool {
        use crate::expr::CompareOp::{Eq, NullSafeEq};
        let point =
            |s: &sarg::Sarg| matches!(s, sarg::Sarg::Compare(Eq | NullSafeEq, _) | sarg::Sarg::IsNull);
        let parts = &self.condition.parts;
        let covers = info.segments.iter().all(crate::table::Segment::covers);
        covers && parts.len() == info.segments.len() && parts.iter().all(|(_, tests)| tests.iter().any(point))
    }
}

/// The value a key part is compared with.
#[derive(Clone)]
pub struct KeyPartValue {
    /// Constant, or over tables before.
    pub value: Expr,
    /// `<=>`: NULL finds NULLs; else NULL finds nothing.
    pub null_safe: bool,
    /// NULL is looked up as well, behind the rows of the value: of one part at most.
    pub or_null: bool,
    /// The type of the part's column.
    pub ty: FieldType,
}

/// Grouping.
pub struct GroupPlan {
    /// GROUP BY expressions; none for one group of everything.
    pub keys: Vec<Expr>,
    /// Descending order asked for per key (an old dialect), kept for ROLLUP order.
    pub descending: Vec<bool>,
    /// The aggregates.
    pub aggregates: Vec<AggregateCall>,
    /// Expressions of the list without aggregates: computed when a group begins. They stand behind the aggregates.
    pub items: Vec<Expr>,
    /// WITH ROLLUP.
    pub rollup: bool,
    /// ORDER BY asks for no order (ORDER BY NULL): groups come as they began.
    pub unordered: bool,
    /// The rows are equal in all keys: there is one group, or none.
    pub one: bool,
    /// The rows come in the order of the keys, those of a group one after the other.
    pub in_order: bool,
    /// COUNT(*), MIN or MAX come from the table's state or a key's ends: no rows are read.
    pub shortcut: Option<Vec<shortcut::Shortcut>>,
    /// The slots of a group's first row that are read when it is finished, found when the plan runs first.
    pub read: OnceLock<Box<[bool]>>,
}

impl GroupPlan {
    /// [`GroupPlan::read`], once that was found out.
    #[must_use]
    pub fn read_slots(&self) -> Option<&[bool]> {
        self.read.get().map(|read| &**read)
    }
}

/// Rows straight from pages to the sink.
pub struct Direct {
    /// Columns of the table in output order.
    pub columns: Vec<usize>,
    /// The parts of the key that have them, where no row is read.
    pub parts: Option<Vec<usize>>,
    /// Their types.
    pub types: Vec<FieldType>,
}
