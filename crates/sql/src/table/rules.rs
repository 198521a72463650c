//! What a table's definition computes and demands of its rows: generated columns, defaults that are expressions,
//! CHECK constraints. They are compiled once for each opening of a table; tables without them have none of this.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::table::RowBuf;
use schema::definition::{DefaultValue, TableDef};

use super::OpenTable;
use crate::ast;
use crate::bind::{BoundSubquery, ExprBinder, Resolved, Scope};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Frame, Rows, SubqueryKind};
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{Batch, FieldType, Value, Vector, load};
use crate::warning::{Level, Warning};

/// A generated column.
pub(crate) struct Computed {
    /// Its number.
    pub column: usize,
    /// Over the columns of the row: slots are their numbers.
    pub expr: Expr,
    /// Its value lies in the row.
    pub stored: bool,
    /// It must be known when a row is written: it is stored, or something else that is needs it.
    pub on_write: bool,
}

/// A CHECK constraint.
pub(crate) struct Check {
    /// Its name in messages: that of a column's constraint is `table.column`.
    pub name: String,
    /// What must not be false.
    pub expr: Expr,
    /// What was wrong with constants that stand beside columns. It is told with the first row that is compared
    /// with them, and again until a row passes.
    constants: Vec<Warning>,
    told: AtomicBool,
}

impl Check {
    /// Tells what is wrong with the constants, unless it has been told.
    fn tell_constants(&self, row: &RowBuf, ctx: &mut EvalContext) {
        if self.constants.is_empty() || self.told.load(Ordering::Relaxed) {
            return;
        }
        let mut compared = false;
        let view = row.as_view();
        self.expr.columns(&mut |c| compared |= view.column(c.column as usize).is_some());
        if !compared {
            return;
        }
        for w in &self.constants {
            ctx.warnings.push_text(w.level, w.code, w.message.clone());
            if ctx.warnings.has_failed() {
                return;
            }
        }
        self.told.store(true, Ordering::Relaxed);
    }
}

/// The compiled expressions of a definition.
pub(crate) struct Rules {
    /// Generated columns in the order in which they are computed.
    pub generated: Vec<Computed>,
    /// Defaults that are expressions, by column.
    pub defaults: Vec<(usize, Expr)>,
    /// What defaults that read nothing gave when the table was defined, as stored bytes, by column.
    settled: Vec<(usize, Box<[u8]>)>,
    /// CHECK constraints: those of columns first.
    pub checks: Vec<Check>,
    /// The columns as values are stored in them.
    pub columns: Vec<Column>,
    /// Columns that the expressions read, by number.
    reads: Vec<bool>,
    is_generated: Vec<bool>,
    /// Some column is not stored.
    pub has_virtual: bool,
    /// Some virtual column is part of a key.
    pub virtual_keys: bool,
}

/// Room for the expressions of one row.
#[derive(Default)]
pub(crate) struct RuleScratch {
    /// What becomes of computed values that do not fit.
    pub mode: StoreMode,
    pub(crate) batch: Batch,
    bytes: Vec<u8>,
    /// Of values that do not fit nothing is told: rows are read.
    silent: bool,
}

impl RuleScratch {
    /// For rows that are stored so.
    pub fn new(mode: StoreMode) -> RuleScratch {
        RuleScratch { mode, ..RuleScratch::default() }
    }
}

/// Which generated columns are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GeneratedSet {
    /// Those a row cannot be written without.
    Written,
    /// Those that are not stored.
    Virtual,
    /// Virtual ones that keys need.
    Keyed,
    /// The other virtual ones.
    Unkeyed,
    /// All, as ALTER TABLE does.
    All,
}

/// Whether a definition has expressions at all.
pub(crate) fn has_rules(def: &TableDef) -> bool {
    !def.checks.is_empty()
        || def.columns.iter().any(|c| {
            c.generated.is_some() || c.check.is_some() || matches!(c.default, DefaultValue::Expression(_))
        })
}

/// The columns of a table as the names of its own expressions.
pub(crate) struct DefinitionScope<'a> {
    db: &'a str,
    table: &'a str,
    columns: &'a [Column],
    def: &'a TableDef,
    /// Columns whose defaults are bound at this moment.
    within: Vec<usize>,
    /// What was bound for DEFAULT(column) holds for other statements, too.
    lasting: bool,
}

impl<'a> DefinitionScope<'a> {
    fn new((db, table): (&'a str, &'a str), columns: &'a [Column], def: &'a TableDef) -> DefinitionScope<'a> {
        DefinitionScope { db, table, columns, def, within: Vec::new(), lasting: true }
    }

    /// DEFAULT(column) of a default that is computed, over the columns of the same row.
    fn computed_default(&mut self, column: usize, text: &str, ctx: &mut EvalContext) -> SqlResult<Expr> {
        if self.within.contains(&column) {
            let name = &self.def.columns[column].name;
            return Err(SqlError::new(error::ER_EXPRESSION_REFERS_TO_UNINIT_FIELD, &[name, name]));
        }
        let options = crate::parse::Options::default();
        let (parsed, _) = crate::parse::parse_expression_at(text.as_bytes(), 0, &options)?;
        let ty = self.columns[column].ty.clone();
        self.within.push(column);
        let mut binder = ExprBinder::new(self, ctx);
        binder.allow_aggregates = false;
        binder.clause = "DEFAULT";
        let bound = binder.bind(&parsed);
        let lasting = binder.cacheable;
        self.within.pop();
        self.lasting &= lasting;
        let mut e = bound?;
        if ty.is_temporal() && e.ty.decimals != ty.decimals {
            crate::expr::typing::force(&mut e, ty, ctx)?;
        } else {
            crate::expr::typing::coerce(&mut e, ty, ctx)?;
        }
        Ok(e)
    }

    fn place(&self, name: &ast::ColumnRef) -> Option<usize> {
        if name.table.as_deref().is_some_and(|t| t != self.table)
            || name.db.as_deref().is_some_and(|d| d != self.db)
        {
            return None;
        }
        self.columns.iter().position(|c| crate::names::same_name(&c.name, &name.name))
    }
}

impl Scope for DefinitionScope<'_> {
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved> {
        match self.place(name) {
            Some(i) => Ok(Resolved::Column { table: 0, column: i as u32, ty: self.columns[i].ty.clone() }),
            None => Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name.full_name(), &clause])),
        }
    }

    fn system_variable(&mut self, v: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        Err(SqlError::new(error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&v.name]))
    }

    fn subquery(&mut self, _: &ast::Query, _: SubqueryKind, _: &mut EvalContext) -> SqlResult<BoundSubquery> {
        Err(SqlError::not_supported("subquery in a definition"))
    }

    fn default_of(&mut self, name: &ast::ColumnRef, ctx: &mut EvalContext) -> SqlResult<Expr> {
        let unknown = || SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name.name, &"DEFAULT"]);
        let column = self.place(name).ok_or_else(unknown)?;
        let ty = self.columns[column].ty.clone();
        let def = &self.def.columns[column];
        match &def.default {
            DefaultValue::Value(bytes) => Ok(Expr::literal(load::value(Some(bytes), &ty, ctx), ty)),
            DefaultValue::Null => Ok(Expr::literal(Value::Null, ty)),
            DefaultValue::None if def.nullable => Ok(Expr::literal(Value::Null, ty)),
            DefaultValue::None => Err(SqlError::new(error::ER_NO_DEFAULT_FOR_FIELD, &[&def.name])),
            DefaultValue::Now => {
                self.computed_default(column, &format!("current_timestamp({})", ty.decimals), ctx)
            }
            DefaultValue::Expression(computed) => self.computed_default(column, &computed.text, ctx),
        }
    }

    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr> {
        Err(SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name.name, &"VALUES"]))
    }
}

/// Compiles the texts of a definition.
pub(crate) struct Compiler<'a> {
    scope: DefinitionScope<'a>,
    /// Where it is done.
    pub ctx: &'a mut EvalContext,
    /// Everything compiled so far holds for other statements, too.
    lasting: bool,
}

impl Compiler<'_> {
    fn text(&mut self, text: &str, clause: &'static str) -> SqlResult<Expr> {
        let options = crate::parse::Options::default();
        let (parsed, _) = crate::parse::parse_expression_at(text.as_bytes(), 0, &options)?;
        self.tree(&parsed, clause)
    }

    /// An expression over the columns of the row: slots are their numbers.
    ///
    /// # Errors
    /// Those of binding.
    pub fn tree(&mut self, e: &ast::Expr, clause: &'static str) -> SqlResult<Expr> {
        let mut binder = ExprBinder::new(&mut self.scope, self.ctx);
        binder.allow_aggregates = false;
        binder.clause = clause;
        let mut bound = binder.bind(e)?;
        self.lasting &= binder.cacheable;
        self.lasting &= self.scope.lasting;
        bound.columns_mut(&mut |c| c.slot = c.column);
        Ok(bound)
    }
}

impl Compiler<'_> {
    fn check(&mut self, name: String, text: &str) -> SqlResult<Check> {
        let mark = self.ctx.warnings.mark();
        let lasting = self.lasting;
        let expr = self.text(text, "CHECK")?;
        let mut constants = self.ctx.warnings.since(mark).to_vec();
        constants.retain(|w| w.level == Level::Warning);
        if !constants.is_empty() {
            // the binder has seen warnings, which are kept here
            self.lasting = lasting && self.scope.lasting;
        }
        Ok(Check { name, expr, constants, told: AtomicBool::new(false) })
    }

    /// The value of a constant, and its type.
    ///
    /// # Errors
    /// Those of binding and evaluation.
    pub fn constant(&mut self, e: &ast::Expr) -> SqlResult<(Value, FieldType)> {
        let bound = self.tree(e, "partition function")?;
        let value = bound.value(self.ctx)?;
        Ok((value, bound.ty))
    }
}

/// Compiles what else a definition has; tells also whether it holds for other statements.
///
/// # Errors
/// Those of `f`.
pub(crate) fn compile_with<T>(
    def: &TableDef,
    (db, table): (&str, &str),
    columns: &[Column],
    ctx: &mut EvalContext,
    f: impl FnOnce(&mut Compiler<'_>) -> SqlResult<T>,
) -> SqlResult<(T, bool)> {
    with_definition_settings(def, ctx, |ctx| {
        let scope = DefinitionScope::new((db, table), columns, def);
        let mut c = Compiler { scope, ctx, lasting: true };
        let made = f(&mut c)?;
        Ok((made, c.lasting))
    })
}

/// Binds with the settings that definitions are written in: texts are UTF-8, literals have the table's collation,
/// modes of the session say nothing.
fn with_definition_settings<T>(
    def: &TableDef,
    ctx: &mut EvalContext,
    f: impl FnOnce(&mut EvalContext) -> T,
) -> T {
    let texts = charset::Collation::by_name("utf8mb4_general_ci").unwrap_or_else(charset::system);
    let client = std::mem::replace(&mut ctx.client, texts.charset);
    let collation = std::mem::replace(&mut ctx.collation, def.options.collation);
    let mode = std::mem::take(&mut ctx.sql_mode);
    let warnings = std::mem::take(&mut ctx.warnings);
    let result = f(ctx);
    ctx.warnings = warnings;
    ctx.sql_mode = mode;
    ctx.collation = collation;
    ctx.client = client;
    result
}

/// Binds one expression of a definition that is being made, to see whether it can be.
///
/// # Errors
/// Those of binding: unknown names, wrong numbers of arguments.
pub(crate) fn try_bind(
    e: &ast::Expr,
    clause: &'static str,
    def: &TableDef,
    (db, table): (&str, &str),
    ctx: &mut EvalContext,
) -> SqlResult<Expr> {
    let (shared_db, shared_table): (Arc<str>, Arc<str>) = (Arc::from(db), Arc::from(table));
    let columns: Vec<Column> =
        def.columns.iter().map(|c| Column::new(c, &shared_db, &shared_table)).collect();
    with_definition_settings(def, ctx, |ctx| {
        let scope = DefinitionScope::new((db, table), &columns, def);
        let mut c = Compiler { scope, ctx, lasting: true };
        c.tree(e, clause)
    })
}

/// Binds an expression with the settings of the session.
///
/// # Errors
/// Those of binding.
pub(crate) fn try_bind_here(
    e: &ast::Expr,
    clause: &'static str,
    def: &TableDef,
    ctx: &mut EvalContext,
) -> SqlResult<Expr> {
    let scope = DefinitionScope::new(("", ""), &[], def);
    Compiler { scope, ctx, lasting: true }.tree(e, clause)
}

impl Rules {
    /// Compiles the expressions of a definition; tells also whether they hold for other statements.
    ///
    /// # Errors
    /// Those of parsing and binding: functions that are not there, damaged definitions.
    pub fn compile(
        def: &TableDef,
        db: &Arc<str>,
        name: &Arc<str>,
        ctx: &mut EvalContext,
    ) -> SqlResult<(Rules, bool)> {
        let columns: Vec<Column> = def.columns.iter().map(|c| Column::new(c, db, name)).collect();
        let mut settled = Vec::new();
        let (generated, defaults, checks, lasting) = with_definition_settings(def, ctx, |ctx| {
            let scope = DefinitionScope::new((db, name), &columns, def);
            let mut c = Compiler { scope, ctx, lasting: true };
            let (mut generated, mut defaults, mut checks) = (Vec::new(), Vec::new(), Vec::new());
            for (i, column) in def.columns.iter().enumerate() {
                if let Some(g) = &column.generated {
                    let expr = c.text(&g.expression, "GENERATED ALWAYS AS")?;
                    generated.push(Computed { column: i, expr, stored: g.stored, on_write: g.stored });
                }
                if let DefaultValue::Expression(computed) = &column.default {
                    let expr = c.text(&computed.text, "DEFAULT")?;
                    settled.extend(computed.value.clone().filter(|_| expr.is_foldable()).map(|v| (i, v)));
                    defaults.push((i, expr));
                }
                if let Some(text) = &column.check {
                    checks.push(c.check(format!("{name}.{}", column.name), text)?);
                }
            }
            for check in &def.checks {
                checks.push(c.check(check.name.clone(), &check.expression)?);
            }
            Ok::<_, SqlError>((generated, defaults, checks, c.lasting))
        })?;
        let mut rules = Rules {
            has_virtual: generated.iter().any(|g| !g.stored),
            virtual_keys: false,
            reads: vec![false; columns.len()],
            is_generated: def.columns.iter().map(|c| c.generated.is_some()).collect(),
            generated,
            defaults,
            settled,
            checks,
            columns,
        };
        rules.note_uses(def);
        Ok((rules, lasting))
    }

    /// Finds out which columns are read, and which virtual ones a write needs.
    fn note_uses(&mut self, def: &TableDef) {
        let mut needed = vec![false; self.columns.len()];
        for check in &self.checks {
            check.expr.columns(&mut |c| needed[c.column as usize] = true);
        }
        for part in def.keys.iter().flat_map(|k| &k.parts) {
            needed[part.column] = true;
            self.virtual_keys |= def.columns[part.column].is_virtual();
        }
        // a column reads only columns that are computed before it
        for g in self.generated.iter_mut().rev() {
            g.on_write |= needed[g.column];
            if g.on_write {
                g.expr.columns(&mut |c| needed[c.column as usize] = true);
            }
        }
        let all = self.generated.iter().map(|g| &g.expr);
        let all = all.chain(self.checks.iter().map(|c| &c.expr)).chain(self.defaults.iter().map(|d| &d.1));
        for e in all {
            e.columns(&mut |c| self.reads[c.column as usize] = true);
        }
    }

    /// Whether a column is generated.
    #[inline]
    pub fn is_generated(&self, column: usize) -> bool {
        self.is_generated[column]
    }

    /// The default of a column when it is an expression.
    pub fn default(&self, column: usize) -> Option<&Expr> {
        self.defaults.iter().find(|d| d.0 == column).map(|d| &d.1)
    }

    /// Whether a virtual column is among some columns.
    pub fn has_virtual_among(&self, wanted: impl Fn(usize) -> bool) -> bool {
        self.generated.iter().any(|g| !g.stored && wanted(g.column))
    }

    /// The columns that a generated column is computed from, directly.
    pub fn inputs(&self, column: usize) -> Vec<usize> {
        let mut list = Vec::new();
        if let Some(g) = self.generated.iter().find(|g| g.column == column) {
            g.expr.columns(&mut |c| {
                if !list.contains(&(c.column as usize)) {
                    list.push(c.column as usize);
                }
            });
        }
        list
    }

    /// Loads the columns that expressions read.
    fn load(&self, row: &RowBuf, room: &mut RuleScratch, ctx: &EvalContext) {
        if room.batch.columns.len() != self.columns.len() {
            room.batch.columns = self.columns.iter().map(|c| Vector::new(c.ty.class())).collect();
            room.batch.len = 1;
        }
        let view = row.as_view();
        for (i, c) in self.columns.iter().enumerate() {
            if self.reads[i] {
                let v = &mut room.batch.columns[i];
                v.reset(c.ty.class());
                load::push(view.column(i), &c.ty, v, ctx);
            }
        }
    }

    /// Sets a column of `row` to the value of an expression over it. What is wrong with the value is raised in
    /// the warnings.
    ///
    /// # Errors
    /// Those of the evaluation that stop at once.
    fn assign(
        &self,
        column: usize,
        e: &Expr,
        row: &mut RowBuf,
        room: &mut RuleScratch,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        let to = &self.columns[column];
        let value = e.value_in(Frame::new(&room.batch), ctx);
        let Some(value) = ctx.warnings.value_or_raise(value, Value::Null)? else { return Ok(()) };
        room.bytes.clear();
        let mark = ctx.warnings.mark();
        let stored = store::store(value.as_ref(), &e.ty, to, room.mode, &mut room.bytes, ctx);
        if room.silent {
            ctx.warnings.rollback_to(mark);
        }
        match stored {
            Ok(Stored::Value) => row.set(column, &room.bytes),
            Ok(Stored::Kept) => {}
            Ok(Stored::Null) if !to.not_null => row.set_null(column),
            Ok(Stored::Null) => {
                ctx.warnings.warn(error::ER_BAD_NULL_ERROR, &[&to.name]);
                store::zero(to, &mut room.bytes);
                row.set(column, &room.bytes);
            }
            Err(e) => ctx.warnings.raise(e),
        }
        if self.reads[column] {
            let v = &mut room.batch.columns[column];
            v.reset(to.ty.class());
            load::push(row.as_view().column(column), &to.ty, v, ctx);
        }
        Ok(())
    }

    /// Computes generated columns of `row`.
    ///
    /// # Errors
    /// Those of the evaluation; values that do not fit are raised in the warnings.
    pub fn compute(
        &self,
        which: GeneratedSet,
        row: &mut RowBuf,
        room: &mut RuleScratch,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        self.compute_with(which, &[], row, room, ctx)
    }

    /// As [`Rules::compute`], and `also` these columns.
    ///
    /// # Errors
    /// As there.
    pub fn compute_with(
        &self,
        which: GeneratedSet,
        also: &[usize],
        row: &mut RowBuf,
        room: &mut RuleScratch,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if self.generated.is_empty()
            || !matches!(which, GeneratedSet::Written | GeneratedSet::All) && !self.has_virtual
        {
            return Ok(());
        }
        self.load(row, room, ctx);
        for g in &self.generated {
            let wanted = match which {
                GeneratedSet::Written => g.on_write,
                GeneratedSet::Virtual => !g.stored,
                GeneratedSet::Keyed => !g.stored && g.on_write,
                GeneratedSet::Unkeyed => !g.stored && !g.on_write,
                GeneratedSet::All => true,
            };
            if wanted || also.contains(&g.column) {
                self.assign(g.column, &g.expr, row, room, ctx)?;
            }
        }
        Ok(())
    }

    /// Computes virtual columns of a row that was read: values that do not fit are warnings where they are `told`.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn complete(
        &self,
        (which, told): (GeneratedSet, bool),
        row: &mut RowBuf,
        room: &mut RuleScratch,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if !self.has_virtual {
            return Ok(());
        }
        let mode = std::mem::take(&mut room.mode);
        let strict = std::mem::take(&mut ctx.warnings.escalate);
        room.silent = !told;
        let result = self.compute(which, row, room, ctx);
        room.silent = false;
        ctx.set_strict(strict);
        room.mode = mode;
        result
    }

    /// Sets a column of `row` to its default, which is an expression.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn set_default(
        &self,
        column: usize,
        row: &mut RowBuf,
        room: &mut RuleScratch,
        ctx: &mut EvalContext,
    ) -> SqlResult<()> {
        if let Some((_, value)) = self.settled.iter().find(|s| s.0 == column) {
            row.set(column, value);
            return Ok(());
        }
        let Some(e) = self.default(column) else { return Ok(()) };
        self.load(row, room, ctx);
        self.assign(column, e, row, room, ctx)
    }

    /// The first constraint that the row breaks; its columns must be computed.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn broken(
        &self,
        row: &RowBuf,
        room: &mut RuleScratch,
        ctx: &mut EvalContext,
    ) -> SqlResult<Option<&Check>> {
        if self.checks.is_empty() {
            return Ok(None);
        }
        self.load(row, room, ctx);
        for check in &self.checks {
            check.tell_constants(row, ctx);
            let v = check.expr.eval(Frame::new(&room.batch), Rows::All(1), ctx)?;
            let holds = crate::expr::truth(&v, 0, &check.expr.ty, ctx);
            ctx.done(v);
            // what cannot be computed without an error does not hold
            if holds == Some(false) || ctx.warnings.has_failed() {
                return Ok(Some(check));
            }
        }
        Ok(None)
    }

    /// 4025 for a constraint of this table.
    pub fn failed(&self, check: &Check) -> SqlError {
        let (db, table) = self.columns.first().map_or(("", ""), |c| (&*c.db, &*c.table));
        SqlError::new(error::ER_CONSTRAINT_FAILED, &[&check.name, &db, &table])
    }
}

/// Runs `f` with what computes virtual columns that keys need, when there are such.
pub(crate) fn with_completer<T>(
    rules: Option<&Rules>,
    ctx: &mut EvalContext,
    f: impl FnOnce(Option<crate::table::myisam::Complete<'_>>) -> T,
) -> T {
    let Some(rules) = rules.filter(|r| r.virtual_keys) else { return f(None) };
    let work = std::cell::RefCell::new((RuleScratch::default(), ctx));
    let complete = |row: &crate::table::RowView<'_>, out: &mut RowBuf| {
        out.copy_from(row);
        let (room, ctx) = &mut *work.borrow_mut();
        let mark = ctx.warnings.mark();
        // what cannot be computed is NULL, as it was when the row was written
        let _ = rules.complete((GeneratedSet::Keyed, false), out, room, ctx);
        ctx.warnings.rollback_to(mark);
    };
    f(Some(&complete))
}

/// A virtual column in the slots of a plan.
#[derive(Clone)]
pub struct VirtualColumn {
    /// Over slots of the same table.
    pub expr: Expr,
    /// Where its values go.
    pub slot: usize,
    /// How values are stored in it.
    pub to: Column,
}

impl VirtualColumn {
    /// Appends the values for rows `from..to` of the batch, whose other columns are there.
    ///
    /// # Errors
    /// Those of the evaluation.
    pub fn append(&self, out: &mut Batch, from: usize, to: usize, ctx: &mut EvalContext) -> SqlResult<()> {
        let mut column = std::mem::take(&mut out.columns[self.slot]);
        let rows: Vec<u32> = (from as u32..to as u32).collect();
        let strict = std::mem::take(&mut ctx.warnings.escalate);
        let result = self.expr.eval(Frame::new(out), Rows::Some(&rows), ctx).map(|v| {
            let mut bytes = Vec::new();
            for i in 0..rows.len() {
                bytes.clear();
                // reading does not warn of values that do not fit
                let mark = ctx.warnings.mark();
                let lenient = StoreMode::Lenient;
                let stored = store::store(v.get(i), &self.expr.ty, &self.to, lenient, &mut bytes, ctx);
                ctx.warnings.rollback_to(mark);
                let stored = matches!(stored, Ok(Stored::Value)).then_some(&bytes[..]);
                load::push(stored, &self.to.ty, &mut column, ctx);
            }
            ctx.done(v);
        });
        ctx.set_strict(strict);
        out.columns[self.slot] = column;
        result
    }
}

impl OpenTable {
    /// The compiled expressions of the table's definition; nothing for most tables.
    ///
    /// # Errors
    /// Those of compiling them.
    pub(crate) fn rules(&self, ctx: &mut EvalContext) -> SqlResult<Option<Arc<Rules>>> {
        if !self.has_rules {
            return Ok(None);
        }
        if let Some(rules) = self.rules.get() {
            return Ok(Some(Arc::clone(rules)));
        }
        let (rules, lasting) = Rules::compile(self.def(), &self.db, &self.name, ctx)?;
        let rules = Arc::new(rules);
        if lasting {
            let _ = self.rules.set(Arc::clone(&rules));
        }
        Ok(Some(rules))
    }

    /// Whether the compiled expressions hold for other statements.
    pub(crate) fn keeps_rules(&self) -> bool {
        !self.has_rules || self.rules.get().is_some()
    }
}
