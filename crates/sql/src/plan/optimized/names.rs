//! Names become columns of tables: those of lists, conditions and orders, here and in the queries around.

use super::{Facts, Join, Source, SourceColumn};
use crate::ast::{self, Expr, ExprKind, Field, JoinCondition, JoinKind, Name, Query, Span, TableRef};
use crate::catalog::view::StoredView;
use crate::error::{ER_BAD_FIELD_ERROR, SqlError, SqlResult};
use crate::plan::json_table;
use crate::plan::{BlockPlan, Named, PlanTable, Relation};
use crate::types::FieldType;
use schema::definition::Visibility;
use std::ops::Range;

/// The names of one SELECT.
#[derive(Default)]
pub(super) struct Frame {
    /// The SELECT's number.
    pub number: u32,
    /// The tables of FROM.
    pub sources: Vec<Source>,
    /// What USING and NATURAL joined: the name, the column that answers, those it hides.
    merged: Vec<(Name, Place, Vec<Place>)>,
    /// The columns that `*` names.
    pub star: Vec<Place>,
    /// ON sees the tables from here on.
    pub visible_from: usize,
    /// The select list by its names, with whether an alias was written.
    pub aliases: Vec<(Name, Expr, bool)>,
    /// Where names of the list count.
    pub aliases_count: Aliases,
    /// Its columns that a subquery uses.
    pub used_below: Vec<Field>,
    /// JSON_TABLEs that depend on the right side of a RIGHT JOIN.
    waiting: Vec<usize>,
}

/// A select list: names, expressions, whether an alias was written.
type Items = Vec<(Name, Expr, bool)>;

/// A table and a column of it.
pub(super) type Place = (usize, usize);

/// How names of the select list are looked up.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Aliases {
    /// Not at all.
    #[default]
    No,
    /// Where there is no such column; the expression is meant.
    Expression,
    /// Names of columns first, that of the list before them where it stands alone (ORDER BY).
    Listed,
    /// Before columns; the name itself is printed (HAVING).
    Named,
}

/// Names of all SELECTs from the outermost to the present one.
pub(super) struct Names<'f> {
    pub facts: &'f mut dyn Facts,
    pub frames: Vec<Frame>,
    /// Common tables: name, columns, the SELECT as it was written.
    pub ctes: Vec<(Name, Vec<Name>, Option<ast::Select>)>,
    /// Common tables that were merged, by their names.
    pub merged_ctes: Vec<Name>,
    /// The SELECTs of the plan whose tables were not met yet.
    pub blocks: Vec<&'f BlockPlan>,
    /// Notes about names found in queries around.
    pub notes: Vec<(u16, String)>,
    /// How many SELECTs became an expression, or part of the one around.
    pub reduced: u32,
    /// Columns of SELECTs that are done with, which cannot be NULL.
    pub not_null: Vec<(u32, usize, usize)>,
    /// What is looked at is a condition of WHERE, or one of several joined by AND.
    pub top: bool,
    /// What the next SELECT's column is compared with.
    pub inject: Option<Expr>,
    /// The next SELECT is that of a change of one table, whose conditions stay as they were written.
    pub as_written: bool,
    /// The subquery that becomes an expression, while its names are looked up.
    pub reducing: Option<u32>,
    /// Subqueries have the marks of how they are run.
    pub marks: bool,
    /// A view's text is made: names become columns, and nothing is optimized.
    pub view: Option<super::canonical::ViewColumns>,
}

fn same(a: &str, b: &str) -> bool {
    charset::identifier::fold(a) == charset::identifier::fold(b)
}

/// An expression without a place in the text.
pub(super) fn made(kind: ExprKind) -> Expr {
    Expr::new(kind, Span::default())
}

fn unknown(c: &ast::ColumnRef) -> SqlError {
    SqlError::new(ER_BAD_FIELD_ERROR, &[&c.full_name(), &"SELECT"])
}

impl Frame {
    pub fn of(number: u32) -> Frame {
        Frame { number, ..Frame::default() }
    }

    pub fn field(&self, (table, column): Place) -> Field {
        let source = &self.sources[table];
        let text = |s: &str| Some(Name::from(s)).filter(|n| !n.is_empty());
        Field {
            select: self.number,
            table,
            column,
            name: ast::ColumnRef {
                db: if source.bare { None } else { text(&source.db) },
                table: text(&source.alias),
                name: source.columns[column].name.clone(),
            },
            value: None,
        }
    }

    /// The columns that cannot be NULL.
    pub fn not_null(&self) -> impl Iterator<Item = (u32, usize, usize)> + '_ {
        self.sources.iter().enumerate().filter(|(_, s)| !s.missing).flat_map(move |(t, s)| {
            let whole = |c: &SourceColumn| c.ty.as_ref().is_some_and(|ty| !ty.nullable);
            s.columns.iter().enumerate().filter(move |(_, c)| whole(c)).map(move |(c, _)| (self.number, t, c))
        })
    }

    pub fn column(&self, place: Place) -> Expr {
        if let Some(e) = self.sources[place.0].exprs.as_ref().and_then(|list| list.get(place.1)) {
            return e.clone();
        }
        made(ExprKind::Field(Box::new(self.field(place))))
    }

    fn find(&self, c: &ast::ColumnRef) -> Option<Place> {
        if c.table.is_none()
            && let Some((_, shown, _)) = self.merged.iter().rev().find(|m| same(&m.0, &c.name))
        {
            return Some(*shown);
        }
        let fits = |s: &Source| {
            !s.below
                && c.table.as_deref().is_none_or(|t| same(t, &s.alias))
                && c.db.as_deref().is_none_or(|db| db == &*s.db)
        };
        let sources = self.sources.iter().enumerate().skip(self.visible_from);
        sources.filter(|(_, s)| fits(s)).find_map(|(t, s)| {
            let column = s.columns.iter().position(|x| same(&x.name, &c.name))?;
            Some((t, column))
        })
    }

    /// What a name of the list means; subqueries `below` see those that stand before them.
    fn alias(&self, c: &ast::ColumnRef, below: bool, by_name: bool) -> Option<Expr> {
        if self.aliases_count == Aliases::No && !below || c.table.is_some() {
            return None;
        }
        let (name, e, written) = self.aliases.iter().find(|(n, ..)| same(n, &c.name))?;
        let is_column = matches!(e.kind, ExprKind::Field(_));
        if self.aliases_count == Aliases::Named && *written && (by_name || !is_column) {
            let name = ast::ColumnRef { db: None, table: None, name: name.clone() };
            return Some(made(ExprKind::Column(Box::new(name))));
        }
        Some(e.clone())
    }

    /// The columns called `name` on both sides of a join, whose tables are those up to the second and the third number.
    fn common(
        &self,
        name: &str,
        (first, middle, end): (usize, usize, usize),
        natural: bool,
    ) -> Option<(Place, Place)> {
        let seen = |p: &Place| !natural || !self.sources[p.0].columns[p.1].hidden;
        let find = |tables: std::ops::Range<usize>| -> Option<Place> {
            let merged = self.merged.iter().rev().find(|m| same(&m.0, name) && tables.contains(&m.1.0));
            if let Some((_, shown, _)) = merged
                && seen(shown)
            {
                return Some(*shown);
            }
            tables.into_iter().find_map(|t| {
                let columns = &self.sources[t].columns[..];
                let column = columns.iter().position(|x| same(&x.name, name))?;
                (!self.sources[t].below && seen(&(t, column))).then_some((t, column))
            })
        };
        Some((find(first..middle)?, find(middle..end)?))
    }

    /// Joins two columns of one name; gives the condition.
    fn merge(&mut self, name: &Name, (a, b): (Place, Place), right: bool) -> Expr {
        let equal = ExprKind::Binary(ast::BinaryOp::Eq, Box::new(self.column(a)), Box::new(self.column(b)));
        let (shown, hidden) = if right { (b, a) } else { (a, b) };
        let mut all = vec![hidden];
        if let Some(i) = self.merged.iter().position(|m| m.1 == hidden) {
            all.extend(self.merged.remove(i).2);
        }
        match self.merged.iter_mut().find(|m| m.1 == shown) {
            Some(m) => m.2.extend(all),
            None => self.merged.push((name.clone(), shown, all)),
        }
        made(equal)
    }

    /// The order of `*` after USING and NATURAL: the common columns first, as the side has them that may not be missing.
    /// `star` are the places in the list where the sides begin, `tables` those of the sides.
    fn order_star(&mut self, star: (usize, usize), mut tables: (Range<usize>, Range<usize>), right: bool) {
        let mut other = self.star.split_off(star.1);
        let mut main = self.star.split_off(star.0);
        if right {
            std::mem::swap(&mut main, &mut other);
            std::mem::swap(&mut tables.0, &mut tables.1);
        }
        let joined = |p: &Place| self.merged.iter().find(|m| m.1 == *p || m.2.contains(p));
        let with = |p: &Place, others: &Range<usize>| {
            joined(p).is_some_and(|m| m.2.iter().chain([&m.1]).any(|o| others.contains(&o.0)))
        };
        let (common, rest): (Vec<Place>, Vec<Place>) = main.iter().partition(|p| with(p, &tables.1));
        let others = other.iter().filter(|p| !with(p, &tables.0));
        let list: Vec<Place> = common.iter().chain(&rest).chain(others).copied().collect();
        self.star.extend(list);
    }
}

impl Names<'_> {
    pub fn here(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The tables of FROM and how they are joined.
    pub fn from(&mut self, from: &[TableRef]) -> SqlResult<Join> {
        let mut list = Vec::new();
        for r in from {
            list.push(self.table_ref(r)?);
        }
        self.here().visible_from = 0;
        Ok(if list.len() == 1 { list.remove(0) } else { Join::Inner(list, Vec::new()) })
    }

    fn table_ref(&mut self, r: &TableRef) -> SqlResult<Join> {
        match r {
            TableRef::Table(t) => {
                let alias = t.alias.as_deref().unwrap_or(&t.name.name);
                let cte = self.ctes.iter().rev().find(|c| t.name.db.is_none() && same(&c.0, &t.name.name));
                if let Some((name, columns, select)) = cte {
                    if let Some(select) = select.clone().filter(|_| self.is_merged(alias)) {
                        let name = name.clone();
                        if !self.merged_ctes.contains(&name) {
                            self.merged_ctes.push(name);
                            self.reduced += 1;
                        }
                        return self.merged(alias, &select, None);
                    }
                    let source = derived(alias, name, columns);
                    return Ok(self.add(source));
                }
                if self.is_merged(alias)
                    && let Named::View(view) = self.facts.table(&t.name, alias)?
                    && let Some(select) = view.mergeable()
                {
                    return self.merged(alias, select, Some(&view.columns()));
                }
                let source = self.base(t, alias)?;
                Ok(self.add(source))
            }
            TableRef::Derived(d) if self.is_merged(&d.alias) => match &d.query.first {
                ast::QueryTerm::Select(select) => {
                    self.reduced += 1;
                    self.merged(&d.alias, select, None)
                }
                _ => Err(SqlError::internal("a SELECT was merged")),
            },
            TableRef::Derived(d) => {
                let mut query = (*d.query).clone();
                let outer = std::mem::take(&mut self.frames);
                let names = self.query(&mut query, super::Place::Derived);
                self.frames = outer;
                let names = names?;
                let columns = if d.columns.is_empty() { &names } else { &d.columns };
                let mut source = derived(&d.alias, "", columns);
                source.query = Some(query);
                Ok(self.add(source))
            }
            TableRef::Nested(list) => {
                let mut joins = Vec::new();
                for r in list {
                    joins.push(self.table_ref(r)?);
                }
                Ok(if joins.len() == 1 { joins.remove(0) } else { Join::Inner(joins, Vec::new()) })
            }
            TableRef::Join(j) => self.join(j),
            TableRef::JsonTable(j) => self.json_table(j),
        }
    }

    /// A JSON_TABLE: its argument sees what stands before it.
    fn json_table(&mut self, written: &ast::JsonTable) -> SqlResult<Join> {
        let mut json = Box::new(written.clone());
        let mut expr = written.expr.clone();
        match self.expr(&mut expr) {
            Ok(()) => json.expr = expr,
            // the statement is right: what it names comes later
            Err(_) => {
                let here = self.here();
                here.waiting.push(here.sources.len());
            }
        }
        json_table::show_types(&mut json);
        let mut names: Vec<Name> = Vec::new();
        json.columns.iter_mut().for_each(|c| {
            c.each_mut(&mut |c| match c {
                ast::JsonColumn::Ordinality(name) | ast::JsonColumn::Path { name, .. } => {
                    names.push(name.clone())
                }
                ast::JsonColumn::Nested(..) => {}
            });
        });
        let mut source = derived(&json.alias, "", &names);
        source.json = Some(json);
        Ok(self.add(source))
    }

    /// Looks again for what JSON_TABLEs name.
    fn settle_json_tables(&mut self) {
        for n in std::mem::take(&mut self.here().waiting) {
            let Some(mut json) = self.here().sources[n].json.take() else { continue };
            let mut expr = json.expr.clone();
            match self.expr(&mut expr) {
                Ok(()) => json.expr = expr,
                Err(_) => self.here().waiting.push(n),
            }
            self.here().sources[n].json = Some(json);
        }
    }

    /// Whether the plan has a view or a subquery of this name merged.
    fn is_merged(&self, alias: &str) -> bool {
        let merged = |t: &PlanTable| matches!(t.relation, Relation::Merged) && t.alias == alias;
        self.view.is_none() && self.blocks.iter().any(|b| b.tables.iter().any(merged))
    }

    /// The tables of a merged SELECT, and behind them one that stands for it.
    fn merged(&mut self, alias: &str, select: &ast::Select, columns: Option<&[String]>) -> SqlResult<Join> {
        let mut outer = std::mem::take(&mut self.frames);
        let mut here = outer.pop().unwrap_or_default();
        let first = here.sources.len();
        let (star, aliases) = (std::mem::take(&mut here.star), std::mem::take(&mut here.aliases));
        let (joined, visible_from) = (here.merged.len(), std::mem::replace(&mut here.visible_from, first));
        self.frames.push(here);
        let bound = self.merged_parts(select, first);
        let mut here = self.frames.pop().unwrap_or_default();
        (here.star, here.aliases, here.visible_from) = (star, aliases, visible_from);
        here.merged.truncate(joined);
        here.sources[first..].iter_mut().for_each(|s| s.below = true);
        self.frames = outer;
        self.frames.push(here);
        let (tree, items, conditions) = bound?;
        let names: Vec<Name> = match columns {
            Some(columns) => columns.iter().map(|c| c.as_str().into()).collect(),
            None => items.iter().map(|(name, ..)| name.clone()).collect(),
        };
        let mut source = derived(alias, "", &names);
        source.exprs = Some(items.into_iter().map(|(_, e, _)| e).collect());
        self.add(source);
        Ok(if conditions.is_empty() { tree } else { Join::Inner(vec![tree], conditions) })
    }

    fn merged_parts(&mut self, select: &ast::Select, first: usize) -> SqlResult<(Join, Items, Vec<Expr>)> {
        let mut list = Vec::new();
        for r in &select.from {
            list.push(self.table_ref(r)?);
        }
        self.here().visible_from = first;
        let tree = if list.len() == 1 { list.remove(0) } else { Join::Inner(list, Vec::new()) };
        let mut items = Vec::new();
        for item in &select.items {
            super::list_item(self, item.clone(), &mut items)?;
        }
        let mut conditions = Vec::new();
        if let Some(filter) = &select.filter {
            let mut filter = filter.clone();
            self.top = true;
            self.expr(&mut filter)?;
            self.top = false;
            conditions.push(filter);
        }
        Ok((tree, items, conditions))
    }

    fn base(&mut self, t: &ast::TableFactor, alias: &str) -> SqlResult<Source> {
        let relation = match self.facts.table(&t.name, alias)? {
            Named::Relation(relation) => relation,
            Named::View(view) => return self.of_view(t, alias, &view),
        };
        if let (Relation::Base(open), true) = (&relation, self.view.is_some())
            && open.temporary
        {
            return Err(SqlError::new(crate::error::codes::ER_VIEW_SELECT_TMPTABLE, &[&open.name]));
        }
        let bare = self.view.is_some() && *alias != *t.name.name;
        let (columns, db, name) = match &relation {
            Relation::Base(open) => {
                let column = |c: &schema::definition::ColumnDef| SourceColumn {
                    name: c.name.as_str().into(),
                    ty: Some(FieldType::from_column(c).as_operand()),
                    hidden: c.visibility != Visibility::Visible,
                };
                (open.def().columns.iter().map(column).collect(), open.db.to_string(), open.name.to_string())
            }
            Relation::Virtual(v) => {
                let column = |(name, ty): &(String, FieldType)| SourceColumn {
                    name: name.as_str().into(),
                    ty: Some(ty.clone()),
                    hidden: false,
                };
                let db = t.name.db.as_deref().unwrap_or(self.facts.database()).to_string();
                (v.columns().iter().map(column).collect(), db, t.name.name.to_string())
            }
            Relation::Derived(_) | Relation::JsonTable(_) | Relation::Merged => {
                return Err(SqlError::internal("a table expected"));
            }
        };
        let hints = t.hints.clone();
        Ok(Source {
            alias: alias.into(),
            db: db.into(),
            name: name.into(),
            columns,
            relation: Some(relation),
            hints,
            bare,
            ..Source::default()
        })
    }

    /// A view: only texts of views name one, notes have its tables.
    fn of_view(&self, t: &ast::TableFactor, alias: &str, view: &StoredView) -> SqlResult<Source> {
        if self.view.is_none() {
            return Err(SqlError::not_supported("views"));
        }
        let columns: Vec<Name> = view.columns().iter().map(|c| c.as_str().into()).collect();
        let source = derived(alias, &t.name.name, &columns);
        Ok(Source { db: (&*view.db).into(), bare: true, ..source })
    }

    fn add(&mut self, source: Source) -> Join {
        let here = self.here();
        let number = here.sources.len();
        let shown = source.columns.iter().enumerate().filter(|(_, c)| !c.hidden).map(|(c, _)| (number, c));
        here.star.extend(shown);
        here.sources.push(source);
        Join::Table(number)
    }

    fn join(&mut self, j: &ast::Join) -> SqlResult<Join> {
        let (first, star) = (self.here().sources.len(), self.here().star.len());
        let left = self.table_ref(&j.left)?;
        let (middle, star_middle) = (self.here().sources.len(), self.here().star.len());
        let right = self.table_ref(&j.right)?;
        let end = self.here().sources.len();
        let is_right = j.kind == JoinKind::Right;
        if is_right {
            self.settle_json_tables();
        }
        let mut conditions = Vec::new();
        let names: Vec<Name> = match &j.condition {
            JoinCondition::On(e) => {
                let before = std::mem::replace(&mut self.here().visible_from, first);
                let mut e = e.clone();
                self.expr(&mut e)?;
                self.here().visible_from = before;
                conditions.push(e);
                Vec::new()
            }
            JoinCondition::Using(names) => names.clone(),
            JoinCondition::None if j.natural => self.here().sources[first..middle]
                .iter()
                .filter(|s| !s.below)
                .flat_map(|s| s.columns.iter().filter(|c| !c.hidden).map(|c| c.name.clone()))
                .collect(),
            JoinCondition::None => Vec::new(),
        };
        let mut done: Vec<Name> = Vec::new();
        for name in names {
            if done.iter().any(|d| same(d, &name)) {
                continue;
            }
            let here = self.here();
            if let Some(pair) = here.common(&name, (first, middle, end), j.natural) {
                conditions.push(here.merge(&name, pair, is_right));
            }
            done.push(name);
        }
        if j.natural || matches!(j.condition, JoinCondition::Using(_)) {
            self.here().order_star((star, star_middle), (first..middle, middle..end), is_right);
        }
        Ok(match j.kind {
            JoinKind::Left => Join::Left(Box::new(left), Box::new(right), conditions),
            JoinKind::Right => Join::Left(Box::new(right), Box::new(left), conditions),
            JoinKind::Straight => Join::Straight(Box::new(left), Box::new(right), conditions),
            JoinKind::Inner | JoinKind::Cross => Join::Inner(vec![left, right], conditions),
        })
    }

    /// Resolves the names in an expression, and optimizes its subqueries.
    pub fn expr(&mut self, e: &mut Expr) -> SqlResult<()> {
        match &mut e.kind {
            ExprKind::Column(c) => {
                let found = self.column(c)?;
                *e = found;
                return Ok(());
            }
            ExprKind::Param(_) => {
                if let Some((v, ty)) = self.facts.constant(e) {
                    *e = super::constants::signed(super::literal(&v, &ty));
                }
                return Ok(());
            }
            ExprKind::Local(slot, name) => {
                if let Some(place) = self.facts.variable(*slot) {
                    *name = format!("{name}{place}").into();
                }
                return Ok(());
            }
            ExprKind::Sequence(name, _) => {
                name.db.get_or_insert_with(|| self.facts.database().into());
                return Ok(());
            }
            ExprKind::SetSequence(s) => {
                s.name.db.get_or_insert_with(|| self.facts.database().into());
                return Ok(());
            }
            ExprKind::Default(Some(c)) => {
                if let Some(place) = self.here().find(c) {
                    **c = self.here().field(place).name;
                }
            }
            ExprKind::Subquery(_)
            | ExprKind::Exists(_)
            | ExprKind::InSubquery { .. }
            | ExprKind::Quantified { .. } => return super::subquery::optimize(self, e),
            _ => {}
        }
        let top = self.top;
        self.top &= matches!(e.kind, ExprKind::And(_));
        let inside = self.top;
        let mut result = Ok(());
        e.kind.for_children_mut(&mut |child| {
            if result.is_ok() {
                self.top = inside;
                result = self.expr(child);
            }
        });
        self.top = top;
        result
    }

    fn column(&mut self, c: &ast::ColumnRef) -> SqlResult<Expr> {
        let last = self.frames.len() - 1;
        for level in (0..=last).rev() {
            let frame = &self.frames[level];
            let below = level < last || self.reducing.is_some();
            let by_name = self.view.is_some();
            let named = matches!(frame.aliases_count, Aliases::Named | Aliases::Listed) && level == last;
            let column = |frame: &Frame| frame.find(c).map(|p| frame.column(p));
            let found = match named {
                true => frame.alias(c, below, by_name).or_else(|| column(frame)),
                false => column(frame).or_else(|| frame.alias(c, below, by_name)),
            };
            let Some(found) = found else { continue };
            if below {
                self.found_outside(level, c, &found);
            }
            return Ok(found);
        }
        Err(unknown(c))
    }

    /// A name that a query around has: noted, and known to all queries in between.
    fn found_outside(&mut self, level: usize, c: &ast::ColumnRef, found: &Expr) {
        let from = self.reducing.unwrap_or(self.frames[self.frames.len() - 1].number);
        let to = self.frames[level].number;
        let name = match &found.kind {
            ExprKind::Field(f) => {
                super::subquery::add_field(&mut self.frames[level].used_below, f);
                f.name.full_name()
            }
            _ => c.full_name(),
        };
        let text = format!("Field or reference '{name}' of SELECT #{from} was resolved in SELECT #{to}");
        self.notes.push((crate::error::codes::ER_WARN_FIELD_RESOLVED, text));
    }

    /// Names of a query's own clauses; gives the names of its columns.
    pub fn query(&mut self, query: &mut Query, place: super::Place) -> SqlResult<Vec<Name>> {
        super::query(self, query, place)
    }
}

fn derived(alias: &str, name: &str, columns: &[Name]) -> Source {
    let column = |name: &Name| SourceColumn { name: name.clone(), ty: None, hidden: false };
    Source {
        alias: alias.into(),
        name: name.into(),
        columns: columns.iter().map(column).collect(),
        ..Source::default()
    }
}
