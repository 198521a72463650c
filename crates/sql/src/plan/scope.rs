//! What names mean inside one SELECT: tables of FROM, aliases of the list, tables of the queries around.

use std::sync::Arc;

use super::by_row::ByRow;
use super::keyed::{Keyed, Membership};
use super::view::ViewPart;
use super::{PlanEnv, QueryPlan, Relation, SubqueryPlan, TableUse};
use crate::ast;
use crate::bind::{BoundSubquery, Resolved, Scope};
use crate::catalog::view::StoredView;
use crate::error::{
    ER_BAD_FIELD_ERROR, ER_NO_DEFAULT_FOR_FIELD, ER_NON_UNIQ_ERROR, SqlError, SqlResult, codes,
};
use crate::expr::{AggregateCall, CompareOp, EvalContext, Expr, Node, SubqueryKind};
use crate::types::{FieldType, Value, load};
use schema::definition::{ColumnDef, DefaultValue};

/// A table as the names of one SELECT see it.
pub struct ScopeTable {
    /// What it is.
    pub relation: Relation,
    /// The name it goes by.
    pub alias: String,
    /// Its database, empty for derived tables.
    pub db: String,
    /// Its own name.
    pub name: String,
    /// Column names and types.
    pub columns: Vec<(String, FieldType)>,
    /// Columns not named by `*`.
    pub invisible: Vec<bool>,
    /// USE, FORCE, IGNORE INDEX.
    pub hints: super::hints::Hints,
    /// A base table's state while it was planned, for estimates; else empty.
    pub state: Vec<u8>,
    /// Columns that may not be read.
    pub unreadable: Option<Box<super::Unreadable>>,
    /// The distinct rows of a subquery of WHERE, and how many there are about.
    pub semijoin: Option<f64>,
    /// What it has to do with views.
    pub view: ViewPart,
}

/// A common table expression.
pub struct CommonTable {
    /// Its name.
    pub name: String,
    /// Its plan.
    pub plan: Arc<QueryPlan>,
    /// The query, of one that is not recursive, and the names that WITH gives its columns.
    pub query: Option<(Arc<ast::Query>, Vec<ast::Name>)>,
}

impl CommonTable {
    /// One whose rows are made first.
    pub fn made(name: &str, plan: QueryPlan) -> CommonTable {
        CommonTable { name: name.to_string(), plan: Arc::new(plan), query: None }
    }
}

/// A view, or a subquery of FROM, whose tables stand among those of the query.
pub struct MergedView {
    /// The view; none of a subquery.
    pub view: Option<Arc<StoredView>>,
    /// Its columns, over the tables below it.
    pub exprs: Vec<Expr>,
    /// The first table below it.
    pub first: usize,
    /// A table below it that has a row whenever the view has one.
    pub anchor: usize,
    /// Its own WHERE.
    pub conditions: Vec<Expr>,
    /// The same as a CHECK OPTION asks it.
    pub asked: Vec<Expr>,
    /// Its ORDER BY.
    pub order: Vec<(Expr, bool)>,
}

impl ScopeTable {
    /// One whose rows the query itself makes: it has no database, and no name but its alias.
    pub fn made(alias: String, relation: Relation, columns: Vec<(String, FieldType)>) -> ScopeTable {
        ScopeTable {
            relation,
            name: alias.clone(),
            alias,
            db: String::new(),
            invisible: vec![false; columns.len()],
            columns,
            hints: super::hints::Hints::default(),
            state: Vec::new(),
            unreadable: None,
            semijoin: None,
            view: ViewPart::default(),
        }
    }
    /// The columns that `*` names.
    pub fn visible(&self) -> impl Iterator<Item = usize> + '_ {
        self.invisible.iter().enumerate().filter(|(_, hidden)| !**hidden).map(|(c, _)| c)
    }
}

impl ScopeTable {
    /// Whether it is a view, or a subquery of FROM, whose tables stand among those of the query. `mysql.user` is one of MariaDB's.
    pub(super) fn is_merged(&self) -> bool {
        self.view.merged.is_some() || matches!(self.relation, Relation::Virtual(_)) && self.db == "mysql"
    }

    /// The column that `_rowid` means: the primary key, or the first unique key that cannot be NULL, when that is one
    /// column of integers.
    fn row_id(&self) -> Option<usize> {
        use schema::definition::KeyKind;
        let Relation::Base(open) = &self.relation else { return None };
        let def = open.def();
        let whole = |k: &schema::definition::KeyDef| k.parts.iter().all(|p| !def.columns[p.column].nullable);
        let key = def
            .keys
            .iter()
            .find(|k| k.kind == KeyKind::Primary)
            .or_else(|| def.keys.iter().find(|k| k.kind == KeyKind::Unique && whole(k)))?;
        let [part] = &key.parts[..] else { return None };
        self.columns[part.column].1.class().is_integer().then_some(part.column)
    }
}

/// Columns that USING or NATURAL made one: the one that answers, and those it hides.
pub struct Coalesced {
    /// Name.
    pub name: String,
    /// (table, column) that answers for the bare name.
    pub shown: (usize, usize),
    /// The other ones.
    pub hidden: Vec<(usize, usize)>,
}

/// The names of one SELECT.
#[derive(Default)]
pub struct Names {
    /// Tables in the order of FROM.
    pub tables: Vec<ScopeTable>,
    /// Window functions met so far.
    pub windows: crate::bind::Windows,
    /// Full-text searches met so far.
    pub searches: Vec<crate::expr::full_text::MatchCall>,
    /// Only whether there is a row is asked of the SELECT: EXISTS.
    pub only_existence: bool,
    /// Nobody sees in which order the SELECT gives its rows: EXISTS, IN, ANY, ALL.
    pub unordered: bool,
    /// What is asked of the SELECT, where it is a subquery that may be answered for many outer rows at once.
    pub in_subquery: Option<Membership>,
    /// The plan for that.
    pub keyed: Option<Box<Keyed>>,
    /// The type of the one value that IN looks for.
    pub sought: Option<FieldType>,
    /// The plan that looks for one value.
    pub by_row: Option<Box<ByRow>>,
    /// The columns are those of a UNION, whose ORDER BY names no tables.
    pub of_union: bool,
    /// Searches were taken for the same by the values of parameters.
    pub bound_searches: bool,
    /// Columns joined by USING and NATURAL.
    pub coalesced: Vec<Coalesced>,
    /// The columns that `*` names, as (table, column) in their order.
    pub star: Vec<(usize, usize)>,
    /// The select list by name, for GROUP BY, HAVING and ORDER BY.
    pub aliases: Vec<(String, Expr)>,
    /// Names of the elements of the list that come after those of `aliases`.
    pub coming: Vec<String>,
    /// The columns of GROUP BY.
    pub group_columns: Vec<GroupColumn>,
    /// Aggregates of this SELECT's rows that stand in subqueries, by what [`LIFTED`] is added to.
    pub lifted: Vec<AggregateCall>,
    /// Whether aggregates may stand in the clause that is bound now.
    pub takes_aggregates: bool,
    /// HAVING is bound, and is about groups.
    pub has_groups: bool,
    /// Whether aliases may be used now; and whether they go before columns.
    pub alias_use: AliasUse,
    /// What is bound now stands on the inner side of an outer join.
    pub inside_outer: bool,
    /// Only tables from this one on are in sight (ON sees the tables of its own join).
    pub visible_from: usize,
    /// The left side of so many RIGHT JOINs is bound: what its JSON_TABLEs depend on may come later.
    pub defers: u32,
    /// Those JSON_TABLEs.
    pub waiting: Vec<super::json_table::Waiting>,
    /// References to the query around, in the order of their outer numbers.
    pub outer: Vec<(OuterReference, FieldType)>,
    /// What is wrong in ON: names of the list and of WHERE are looked for before.
    pub late: Option<SqlError>,
}

/// A column of GROUP BY.
pub struct GroupColumn {
    /// Table and column.
    pub place: (usize, usize),
    /// What the list calls it, when it is an element of the list.
    pub name: Option<String>,
}

/// From this number on aggregates are those of [`Names::lifted`], until the SELECT knows all of its own.
pub const LIFTED: u32 = 1 << 30;

/// Whether aliases of the select list are visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AliasUse {
    /// They are not.
    #[default]
    No,
    /// To subqueries, after the columns of FROM (the list itself).
    Below,
    /// After the columns of FROM (GROUP BY, and inside expressions of ORDER BY).
    AfterColumns,
    /// Only the list, the columns of GROUP BY, and columns inside aggregates (HAVING).
    Having,
}

/// A column of the query around.
#[derive(Clone, Debug)]
pub struct OuterReference {
    /// What it is called; nothing for VALUES(col) and for aggregates.
    pub(super) name: Option<ast::ColumnRef>,
    /// It is an element of the list there.
    pub(super) alias: bool,
    pub(super) expr: Expr,
}

fn same_column(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b) || (!a.is_ascii() || !b.is_ascii()) && a.to_lowercase() == b.to_lowercase()
}

impl Names {
    fn table_matches(t: &ScopeTable, c: &ast::ColumnRef) -> bool {
        match (&c.db, &c.table) {
            (_, None) => true,
            (None, Some(name)) => *t.alias == **name,
            (Some(db), Some(name)) => *t.alias == **name && *t.db == **db,
        }
    }

    /// The column of FROM that a name means, if any.
    ///
    /// # Errors
    /// 1052 when several fit.
    pub fn find(&self, c: &ast::ColumnRef, clause: &str) -> SqlResult<Option<(usize, usize)>> {
        // of columns that a join made one, one is there
        let hidden =
            |p: &(usize, usize)| c.table.is_none() && self.coalesced.iter().any(|j| j.hidden.contains(p));
        let mut found = None;
        for (ti, t) in self.tables.iter().enumerate().skip(self.visible_from) {
            if t.view.hidden || t.view.unseen > 0 || !Names::table_matches(t, c) {
                continue;
            }
            for (ci, (name, _)) in t.columns.iter().enumerate() {
                if same_column(name, &c.name) && !hidden(&(ti, ci)) {
                    if found.is_some() {
                        return Err(SqlError::new(ER_NON_UNIQ_ERROR, &[&c.full_name(), &clause]));
                    }
                    found = Some((ti, ci));
                }
            }
        }
        if found.is_none()
            && c.table.is_none()
            && let Some(j) = self.coalesced.iter().rev().find(|j| same_column(&j.name, &c.name))
        {
            return Ok(Some(j.shown));
        }
        if found.is_none() && c.name.eq_ignore_ascii_case("_rowid") {
            let tables = self.tables.iter().enumerate().skip(self.visible_from);
            let mut fits = tables.filter(|(_, t)| !t.view.hidden && Names::table_matches(t, c));
            let only = fits.next().filter(|_| fits.next().is_none());
            return Ok(only.and_then(|(ti, t)| Some((ti, t.row_id()?))));
        }
        Ok(found)
    }

    /// The type of a column.
    #[must_use]
    pub fn column_type(&self, table: usize, column: usize) -> FieldType {
        self.tables[table].columns[column].1.clone()
    }

    /// How many tables there are up to the last that has rows of its own.
    pub fn with_rows(&self) -> usize {
        self.tables.iter().rposition(|t| t.view.merged.is_none()).map_or(0, |last| last + 1)
    }

    /// A column as an expression: of a merged view what it is made of.
    #[must_use]
    pub fn column_expr(&self, table: usize, column: usize) -> Expr {
        match &self.tables[table].view.merged {
            Some(m) => m.exprs[column].clone(),
            None => Expr::column(table as u32, column as u32, self.column_type(table, column)),
        }
    }

    /// A column as an expression names it: of a merged view that of a table below it, where it is nothing else.
    fn field(&self, (table, column): (usize, usize)) -> Option<(u32, u32)> {
        match &self.tables[table].view.merged {
            Some(m) => m.exprs[column].as_column().map(|c| (c.table, c.column)),
            None => Some((table as u32, column as u32)),
        }
    }

    /// Whether a column may be read.
    ///
    /// # Errors
    /// 1143.
    pub fn check_read(&self, table: usize, column: usize) -> SqlResult<()> {
        match &self.tables[table].unreadable {
            None => Ok(()),
            Some(u) => u.check(column, &self.tables[table].columns[column].0),
        }
    }

    /// 1143 for a column that is of no table, where a table may have it that the session reads in part.
    fn hidden_from(&self, c: &ast::ColumnRef) -> Option<SqlError> {
        let meant = |t: &&ScopeTable| c.table.as_deref().is_none_or(|alias| *t.alias == *alias);
        self.tables.iter().filter(meant).find_map(|t| t.unreadable.as_ref()?.unknown(&c.name))
    }

    /// The element of the select list that a name means: by its own name, else by its column's.
    ///
    /// # Errors
    /// 1052 when several different ones fit.
    pub fn alias(&self, c: &ast::ColumnRef, clause: &str) -> SqlResult<Option<usize>> {
        let field = self.find(c, clause).ok().flatten().and_then(|place| self.field(place));
        let column = |e: &Expr| match &e.node {
            Node::Column(c) => Some((c.table, c.column)),
            _ => None,
        };
        let mut found: Option<usize> = None;
        for (i, (name, e)) in self.aliases.iter().enumerate() {
            let named =
                same_column(name, &c.name) && (c.table.is_none() || column(e) == field && field.is_some());
            if !named {
                continue;
            }
            // the name of an expression is taken at once; only columns can be ambiguous
            if column(e).is_none() {
                return Ok(Some(i));
            }
            match found {
                Some(f) if column(&self.aliases[f].1) != column(e) => {
                    return Err(SqlError::new(ER_NON_UNIQ_ERROR, &[&c.full_name(), &clause]));
                }
                Some(_) => {}
                None => found = Some(i),
            }
        }
        Ok(found.or_else(|| self.aliases.iter().position(|(_, e)| field.is_some() && column(e) == field)))
    }
}

impl Names {
    /// The column of GROUP BY that a name means: by the column's own name, or by that of the element of the list
    /// that is grouped.
    ///
    /// # Errors
    /// 1052 when several different ones fit.
    fn grouped(&self, c: &ast::ColumnRef, clause: &str) -> SqlResult<Option<(usize, usize)>> {
        let mut found = None;
        for g in &self.group_columns {
            let Some(t) = self.tables.get(g.place.0) else { continue };
            let own = same_column(&t.columns[g.place.1].0, &c.name) && Names::table_matches(t, c);
            let named = c.table.is_none() && g.name.as_ref().is_some_and(|n| same_column(n, &c.name));
            if !own && !named {
                continue;
            }
            if found.is_some_and(|f| f != g.place) {
                return Err(SqlError::new(ER_NON_UNIQ_ERROR, &[&c.full_name(), &clause]));
            }
            found = Some(g.place);
        }
        Ok(found)
    }
}

/// An alias that may be no aggregate where it stands.
fn refuse_aggregate(e: &Expr, c: &ast::ColumnRef) -> SqlResult<()> {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Aggregate(_)));
    let why = "reference to group function";
    if found { Err(SqlError::new(codes::ER_ILLEGAL_REFERENCE, &[&c.name, &why])) } else { Ok(()) }
}

/// The chain of names while a query is planned: the innermost SELECT is last.
pub struct Stack<'e> {
    /// The session.
    pub env: &'e mut dyn PlanEnv,
    /// Names of the SELECTs around, outermost first, then the present one's.
    pub levels: Vec<Names>,
    /// Subqueries of each level, in step with `levels`.
    pub subqueries: Vec<Vec<Arc<SubqueryPlan>>>,
    /// Base tables met anywhere in the statement.
    pub tables: Vec<Arc<crate::table::OpenTable>>,
    /// Common table expressions in sight.
    pub ctes: Vec<CommonTable>,
    /// The outermost block gives the positions of its tables' rows instead of its list.
    pub positions: bool,
    /// Inside the argument of an aggregate.
    pub in_aggregate: bool,
    /// What was before the arguments of each aggregate at hand.
    pub before_aggregates: Vec<super::lifted::BeforeAggregate>,
    /// How many outer values each level had before the arguments of the aggregate that was bound last.
    pub outer_before: Vec<usize>,
    /// Names of HAVING that meant a column of GROUP BY beside another element of the list: a warning each.
    pub ambiguous: Vec<String>,
    /// What the tables now bound are there for.
    pub usage: TableUse,
    /// The statement changes the rows that are selected: triggers may change what its subqueries read.
    pub changes: bool,
    /// The query planned next is one FOR UPDATE.
    pub locks_next: bool,
    /// What `VALUES(col)` refers to: the number of the first table's row that was to be inserted; those of the other
    /// tables follow.
    pub values_table: Option<u32>,
    /// The tables of the query that INSERT ... ON DUPLICATE KEY UPDATE takes its rows from.
    pub source: Option<SourceNames>,
    /// The type of the one value that the next subquery is compared with.
    pub sought: Option<FieldType>,
    /// What it is compared with is the same for all rows.
    pub sought_constant: bool,
    /// How many views the one that is bound lies in.
    pub depth: usize,
    /// The state of all views as of which some were bound; 0 where none was.
    pub views: u64,
    /// Conditions on the columns of the query that is planned next, which it may check itself.
    pub pushed: Vec<Expr>,
    /// So many queries may be planned again for such conditions.
    pub again: u32,
}

/// The names of an INSERT's query, and the columns of it that ON DUPLICATE KEY UPDATE asks for.
#[derive(Default)]
pub struct SourceNames {
    /// The number of the table that its columns are bound as.
    pub table: u32,
    /// The names of its FROM.
    pub names: Names,
    /// The columns asked for, each once, with their types.
    pub used: Vec<(ast::ColumnRef, FieldType)>,
}

impl SourceNames {
    /// The place of a column among those asked for; none when the query has no such column.
    fn find(&mut self, c: &ast::ColumnRef, clause: &str) -> SqlResult<Option<Resolved>> {
        let Some((t, column)) = self.names.find(c, clause)? else { return Ok(None) };
        self.names.check_read(t, column)?;
        let place = self.used.iter().position(|(known, _)| known == c).unwrap_or_else(|| {
            self.used.push((c.clone(), self.names.column_type(t, column)));
            self.used.len() - 1
        });
        let ty = self.used[place].1.clone();
        Ok(Some(Resolved::Column { table: self.table, column: place as u32, ty }))
    }
}

impl Names {
    /// The column whose default is asked for: 1364 for an element of the list that computes something.
    fn default_place(&self, name: &ast::ColumnRef) -> SqlResult<(usize, usize)> {
        let field = match self.find(name, "SELECT")? {
            Some(place) => self.field(place).or(Some((place.0 as u32, place.1 as u32))),
            None if self.alias_use == AliasUse::No => None,
            None => match self.alias(name, "SELECT")? {
                Some(i) => match self.aliases[i].1.as_column() {
                    Some(c) => Some((c.table, c.column)),
                    None => return Err(SqlError::new(ER_NO_DEFAULT_FOR_FIELD, &[&name.name])),
                },
                None => None,
            },
        };
        let (t, c) =
            field.ok_or_else(|| SqlError::new(ER_BAD_FIELD_ERROR, &[&name.full_name(), &"SELECT"]))?;
        Ok((t as usize, c as usize))
    }
}

/// The column of a table that a column of a query whose rows are made is nothing but.
fn default_within(plan: &QueryPlan, column: usize) -> Option<(&crate::table::OpenTable, usize)> {
    let told = plan.schema.columns.get(column)?;
    let open = plan.tables.iter().find(|t| *t.db == *told.db && *t.name == *told.org_table)?;
    let place = open.def().columns.iter().position(|c| same_column(&c.name, &told.org_name))?;
    Some((open, place))
}

/// A default that depends on no other column; `None` for one that is an expression.
fn plain_default(c: &ColumnDef, ty: FieldType, ctx: &mut EvalContext) -> SqlResult<Option<Expr>> {
    Ok(Some(match &c.default {
        DefaultValue::Value(bytes) => {
            Expr::literal(load::value(Some(bytes), &ty, &EvalContext::default()), ty)
        }
        DefaultValue::Null => Expr::literal(Value::Null, ty),
        DefaultValue::None if c.nullable => Expr::literal(Value::Null, ty),
        DefaultValue::None if c.auto_increment => {
            let mut zero = Expr::literal(Value::Int(0), FieldType::bigint(false));
            crate::expr::typing::coerce(&mut zero, ty, ctx)?;
            zero
        }
        DefaultValue::None => return Err(SqlError::new(ER_NO_DEFAULT_FOR_FIELD, &[&c.name])),
        DefaultValue::Now => {
            let digits = Expr::literal(Value::Int(ty.decimals.min(6).into()), FieldType::bigint(false));
            let mut now = crate::func::call(crate::func::named("now")?, "now", vec![digits], ctx)?;
            crate::expr::typing::coerce(&mut now, ty, ctx)?;
            now
        }
        DefaultValue::Expression(_) => return Ok(None),
    }))
}

impl Stack<'_> {
    /// The present SELECT's names.
    pub fn here(&mut self) -> &mut Names {
        let n = self.levels.len() - 1;
        &mut self.levels[n]
    }

    /// Resolves a column at `level`, making outer references on the way down; tells whether it is an element of the list there.
    fn resolve(
        &mut self,
        level: usize,
        c: &ast::ColumnRef,
        clause: &str,
    ) -> SqlResult<Option<(Resolved, bool)>> {
        let names = &self.levels[level];
        if level == 0
            && let Some(source) = &mut self.source
            && let Some(found) = source.find(c, clause)?
        {
            if names.find(c, clause)?.is_some() {
                return Err(SqlError::new(ER_NON_UNIQ_ERROR, &[&c.full_name(), &clause]));
            }
            let element = matches!(found, Resolved::Expr(_));
            return Ok(Some((found, element)));
        }
        let here = level + 1 == self.levels.len();
        let column_of = |names: &Names, (table, column): (usize, usize)| {
            if names.tables[table].view.merged.is_some() {
                return Resolved::Expr(names.column_expr(table, column));
            }
            let ty = names.column_type(table, column);
            Resolved::Column { table: table as u32, column: column as u32, ty }
        };
        let having = names.alias_use == AliasUse::Having && !self.in_aggregate;
        if having {
            let alias = names.alias(c, clause)?;
            if let Some(place) = names.grouped(c, clause)? {
                names.check_read(place.0, place.1)?;
                let same = |i: usize| {
                    let of = names.aliases[i].1.as_column();
                    of.is_some_and(|c| (c.table as usize, c.column as usize) == place)
                };
                let found = column_of(names, place);
                if alias.is_some_and(|i| !same(i)) {
                    self.ambiguous.push(c.full_name());
                }
                return Ok(Some((found, false)));
            }
            if let Some(i) = alias {
                return Ok(Some((Resolved::Expr(names.aliases[i].1.clone()), true)));
            }
            // its subqueries see the columns of each row, where there are no groups
            if !here && let Some(place) = names.find(c, clause)? {
                names.check_read(place.0, place.1)?;
                if names.has_groups {
                    let table = &names.tables[place.0];
                    let name = [&*table.db, &*table.alias, &*table.columns[place.1].0].join(".");
                    return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&name, &clause]));
                }
                return Ok(Some((column_of(names, place), false)));
            }
        } else if let Some(place) = names.find(c, clause)? {
            names.check_read(place.0, place.1)?;
            return Ok(Some((column_of(names, place), false)));
        }
        let below = names.alias_use == AliasUse::Below && !here;
        if !having && (below || !matches!(names.alias_use, AliasUse::No | AliasUse::Below)) {
            if let Some(i) = names.alias(c, clause)? {
                let e = &names.aliases[i].1;
                // ORDER BY and GROUP BY take one by its bare name only, which is not looked up here
                refuse_aggregate(e, c)?;
                return Ok(Some((Resolved::Expr(e.clone()), true)));
            }
            if below && c.table.is_none() && names.coming.iter().any(|n| same_column(n, &c.name)) {
                let why = "forward reference in item list";
                return Err(SqlError::new(codes::ER_ILLEGAL_REFERENCE, &[&c.name, &why]));
            }
        }
        if level == 0 {
            return Ok(None);
        }
        if let Some(n) = names.outer.iter().position(|(o, _)| o.name.as_ref() == Some(c)) {
            let ty = names.outer[n].1.clone();
            return Ok(Some((Resolved::Outer { index: n as u32, ty }, false)));
        }
        let Some((found, alias)) = self.resolve(level - 1, c, clause)? else { return Ok(None) };
        let expr = match found {
            Resolved::Column { table, column, ty } => Expr::column(table, column, ty),
            Resolved::Outer { index, ty } => Expr::new(crate::expr::Node::Outer(index), ty),
            Resolved::Expr(e) => e,
        };
        let ty = expr.ty.clone();
        let index = self.hand_down(level, Some(c.clone()), expr);
        self.levels[level].outer[index as usize].0.alias = alias;
        Ok(Some((Resolved::Outer { index, ty }, false)))
    }

    /// Makes a value of the level above known at `level`: its number among the outer values there.
    pub(super) fn hand_down(&mut self, level: usize, name: Option<ast::ColumnRef>, expr: Expr) -> u32 {
        let outer = &mut self.levels[level].outer;
        let ty = expr.ty.clone();
        outer.push((OuterReference { name, alias: false, expr }, ty));
        outer.len() as u32 - 1
    }

    /// VALUES(col): a column of the row that was to be inserted where the names are those of ON DUPLICATE KEY UPDATE,
    /// NULL where they are others.
    fn values_at(&mut self, level: usize, name: &ast::ColumnRef) -> SqlResult<Option<Expr>> {
        let names = &self.levels[level];
        if let Some((t, c)) = names.find(name, "SELECT")? {
            let ty = names.column_type(t, c);
            return Ok(Some(match self.values_table.filter(|_| level == 0) {
                Some(n) if names.tables[t].view.merged.is_some() => {
                    let mut e = names.column_expr(t, c);
                    e.columns_mut(&mut |c| c.table += n);
                    e
                }
                Some(n) => Expr::column(n + t as u32, c as u32, ty),
                None => Expr::literal(Value::Null, ty),
            }));
        }
        if level == 0 {
            return Ok(None);
        }
        let Some(found) = self.values_at(level - 1, name)? else { return Ok(None) };
        if matches!(found.node, Node::Literal(_)) {
            return Ok(Some(found));
        }
        let ty = found.ty.clone();
        let index = self.hand_down(level, None, found);
        Ok(Some(Expr::new(Node::Outer(index), ty)))
    }
}

impl Scope for Stack<'_> {
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved> {
        let level = self.levels.len() - 1;
        if self.levels[level].of_union
            && let Some(table) = name.table.as_deref()
        {
            let args: [&dyn std::fmt::Display; 2] = [&table, &clause];
            return Err(SqlError::new(crate::error::codes::ER_TABLENAME_NOT_ALLOWED_HERE, &args));
        }
        self.resolve(level, name, clause)?.map(|(found, _)| found).ok_or_else(|| {
            let unknown = || SqlError::new(ER_BAD_FIELD_ERROR, &[&name.full_name(), &clause]);
            // as in the reference, which tells of subqueries' columns and those of HAVING that they are unknown
            let hidden = (level == 0 && clause != "HAVING").then(|| self.levels[level].hidden_from(name));
            hidden.flatten().unwrap_or_else(unknown)
        })
    }

    fn display(&mut self, name: &ast::ColumnRef) -> String {
        let found = self.levels.iter().rev().find_map(|names| {
            let place = names.find(name, "").ok().flatten()?;
            // a column of a view is the one below it; where rows are made first, they belong to no database
            let (t, c) = names.field(place).map_or(place, |(t, c)| (t as usize, c as usize));
            let table = &names.tables[t];
            let made = matches!(table.relation, Relation::Derived(_));
            let db = if made { String::new() } else { table.db.clone() };
            Some([db, table.alias.clone(), table.columns[c].0.clone()])
        });
        let own = || [&name.db, &name.table].map(|n| n.as_deref().unwrap_or("").to_string());
        let parts = found.unwrap_or_else(|| {
            let [db, table] = own();
            [db, table, name.name.to_string()]
        });
        let mut out = String::new();
        for part in parts.iter().filter(|p| !p.is_empty()) {
            if !out.is_empty() {
                out.push('.');
            }
            ast::quote_identifier(part, ast::PrintStyle::default(), &mut out);
        }
        out
    }

    fn enter_aggregate(&mut self) {
        self.begin_aggregate();
    }

    fn leave_aggregate(&mut self) {
        self.end_aggregate();
    }

    fn lift(
        &mut self,
        a: &ast::AggregateCall,
        call: &AggregateCall,
        here: bool,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Expr>> {
        self.lifted(a, call, here, ctx)
    }

    fn windows(&mut self) -> Option<&mut crate::bind::Windows> {
        Some(&mut self.here().windows)
    }

    fn system_variable(&mut self, variable: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        self.env.system_variable(variable)
    }

    fn sought(&mut self, left: &[Expr]) {
        self.sought = if let [e] = left { Some(e.ty.clone()) } else { None };
        self.sought_constant = left.iter().all(Expr::is_constant);
    }

    fn subquery(
        &mut self,
        query: &ast::Query,
        kind: SubqueryKind,
        ctx: &mut EvalContext,
    ) -> SqlResult<BoundSubquery> {
        let sought = self.sought.take();
        let constant = std::mem::take(&mut self.sought_constant);
        let one = query.rest.is_empty() && matches!(query.first, ast::QueryTerm::Select(_));
        let only_existence = kind == SubqueryKind::Exists && one;
        let in_subquery = match kind {
            SubqueryKind::Exists if one => Some(Membership::Exists),
            SubqueryKind::In { .. } | SubqueryKind::Quantified { op: CompareOp::Eq, all: false } if one => {
                Some(Membership::In)
            }
            _ => None,
        };
        let unordered =
            matches!(kind, SubqueryKind::Exists | SubqueryKind::In { .. } | SubqueryKind::Quantified { .. });
        let inside = std::mem::take(&mut self.in_aggregate);
        let uses = self.here().alias_use;
        if inside && uses == AliasUse::Having {
            // as the aggregate's own columns, those in it are of the rows
            self.here().alias_use = AliasUse::No;
        }
        self.levels.push(Names { only_existence, unordered, in_subquery, sought, ..Names::default() });
        let variables = ctx.statement.bound_variables;
        let volatile = ctx.statement.bound_volatile;
        let planned = super::query::plan_nested(self, query, ctx);
        let settled = ctx.statement.bound_variables == variables;
        let same = settled && ctx.statement.bound_volatile == volatile;
        self.in_aggregate = inside;
        let names = self.levels.pop().unwrap_or_default();
        self.here().alias_use = uses;
        let plan = planned?;
        let outer: Vec<Expr> = names.outer.into_iter().map(|(o, _)| o.expr).collect();
        let columns = plan.types.clone();
        // of EXISTS it is found out by whoever binds WHERE
        let membership = match in_subquery {
            Some(Membership::In) if !constant => in_subquery,
            _ => None,
        };
        let keyed = names.keyed.filter(|_| settled && (columns.len() == 1 || kind == SubqueryKind::Exists));
        let list = self.subqueries.last_mut().expect("a level");
        let independent = outer.is_empty() && settled;
        // what may be asked for all rows at once is answered from a set when its runs cost too much
        let repeats = same && keyed.is_none() && !self.changes && ctx.subquery_cache;
        let by_row = names.by_row.filter(|_| independent).and_then(|b| b.beside(&plan));
        list.push(Arc::new(SubqueryPlan {
            plan,
            independent,
            repeats,
            keyed,
            by_row,
            membership,
            joined: false,
        }));
        let constant = independent && same;
        Ok(BoundSubquery { id: list.len() as u32 - 1, columns, outer, constant })
    }

    fn stored_aggregate(
        &mut self,
        call: &ast::FunctionCall,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<(u64, FieldType)>> {
        self.env.stored_aggregate(call, ctx)
    }

    fn stored_function(
        &mut self,
        call: &ast::FunctionCall,
        args: Vec<Expr>,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<Expr>> {
        self.env.stored_function(call, args, ctx)
    }

    fn sequence(
        &mut self,
        name: &ast::TableName,
        action: crate::expr::sequences::Action,
        ctx: &mut EvalContext,
    ) -> SqlResult<Expr> {
        self.env.sequence(name, action, ctx)
    }

    fn param(&mut self, n: u32) -> Option<FieldType> {
        self.env.param(n)
    }

    fn default_of(&mut self, name: &ast::ColumnRef, ctx: &mut EvalContext) -> SqlResult<Expr> {
        let names = &self.levels[self.levels.len() - 1];
        let (table, column) = names.default_place(name)?;
        let t = &names.tables[table];
        let ty = t.columns[column].1.clone();
        let open = match &t.relation {
            Relation::Base(open) => open,
            Relation::Derived(plan) => {
                let Some((open, place)) = default_within(plan, column) else {
                    // what is computed has none but NULL
                    return match ty.nullable {
                        true => Ok(Expr::literal(Value::Null, ty)),
                        false => Err(SqlError::new(ER_NO_DEFAULT_FOR_FIELD, &[&t.columns[column].0])),
                    };
                };
                if let Some(e) = plain_default(&open.def().columns[place], ty.clone(), ctx)? {
                    return Ok(e);
                }
                let rules = open.rules(ctx)?;
                let same = rules.as_ref().and_then(|r| r.default(place)).filter(|e| e.tables() == 0);
                let Some(mut e) = same.cloned() else {
                    return Err(SqlError::not_supported("DEFAULT(expression)"));
                };
                crate::expr::typing::coerce(&mut e, ty, ctx)?;
                return Ok(e);
            }
            Relation::JsonTable(_) => return Ok(Expr::literal(Value::Null, ty)),
            Relation::Merged => {
                return Err(SqlError::new(ER_NO_DEFAULT_FOR_FIELD, &[&t.columns[column].0]));
            }
            Relation::Virtual(_) => {
                return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&name.full_name(), &"SELECT"]));
            }
        };
        if let Some(e) = plain_default(&open.def().columns[column], ty.clone(), ctx)? {
            return Ok(e);
        }
        // over the columns of the same row
        let rules = open.rules(ctx)?;
        let Some(e) = rules.as_ref().and_then(|r| r.default(column)) else {
            return Err(SqlError::internal("default"));
        };
        let mut e = e.clone();
        e.columns_mut(&mut |c| c.table = table as u32);
        if ty.is_temporal() && e.ty.decimals != ty.decimals {
            // shown with the digits of the column
            crate::expr::typing::force(&mut e, ty, ctx)?;
        } else {
            crate::expr::typing::coerce(&mut e, ty, ctx)?;
        }
        Ok(e)
    }

    fn full_text(&mut self, asked: crate::bind::full_text::Asked, ctx: &mut EvalContext) -> SqlResult<Expr> {
        self.match_at(self.levels.len() - 1, asked, ctx)
    }

    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr> {
        let level = self.levels.len() - 1;
        self.values_at(level, name)?
            .ok_or_else(|| SqlError::new(ER_BAD_FIELD_ERROR, &[&name.full_name(), &"SELECT"]))
    }
}
