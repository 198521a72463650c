//! JSON_TABLE in FROM: what its columns are, and how it is bound.
//!
//! # Contract
//!
//! A JSON_TABLE is a table source of its own, [`Relation::JsonTable`]. What is written down in the statement is a [`JsonTable`]: a tree
//! of [`Level`]s, one for the path of the table and one for each NESTED PATH, with the columns of each; and the argument, bound among
//! the tables that stand before it in FROM and those of the queries around. Paths stay texts here: who runs the plan reads them once
//! (`exec::json_table`), and keeps only places in the document, so that rows are made as they are asked for.
//!
//! * The argument is bound when the table is met in FROM ([`bind`]): tables behind it are unknown (1054 in 'JSON_TABLE'), and so are
//!   those on the other side of a RIGHT JOIN, which may be missing. On the left side of one it may name those of the right side: it waits
//!   for them ([`settle`]).
//! * The tables that the argument names come before it in every join order: [`note_order`] adds them to what STRAIGHT_JOIN asks for.
//! * It has one way of access, `Access::JsonTable`, which carries the argument: it is evaluated for each row of the tables before it, so
//!   that nothing is hashed, buffered or shared between threads. Inside of an outer join's nest that names tables outside of it, the nest is
//!   made anew for each of their rows.
//! * A SELECT whose JSON_TABLE names a query around it is run for each of its rows, never for all at once ([`refers_out`]).
//! * Columns are columns of a table whose definitions are [`JsonTable::defs`]: CREATE ... SELECT makes such ones. It belongs to no
//!   database, asks for no right beside those of the argument's columns, and cannot be changed.

use std::ops::Range;
use std::sync::Arc;

use super::Relation;
use super::from::{JoinTree, MOST_TABLES, add};
use super::scope::{ScopeTable, Stack};
use crate::ast::{self, DataType, JsonColumn, JsonResponse, TypeName};
use crate::bind::ExprBinder;
use crate::error::{ER_DUP_FIELDNAME, SqlError, SqlResult};
use crate::expr::{EvalContext, Expr, Node};
use crate::func::json::{self, rows};
use crate::types::declared::{TypeContext, resolve};
use crate::types::store::Column;
use crate::types::{FieldType, Source, SourceTable, Value};
use crate::variables::SqlMode;
use crate::warning::Warnings;
use charset::Collation;
use schema::definition::{ColumnDef, ColumnType};

/// Rows that one is taken to have, as the reference server tells.
pub const ROWS: f64 = 40.0;

/// A JSON_TABLE of a FROM.
pub struct JsonTable {
    /// The document.
    pub argument: Expr,
    /// The path of the table, its columns, and what is nested.
    pub root: Level,
    /// Its columns.
    pub defs: Vec<ColumnDef>,
    /// Its alias, for messages.
    pub alias: String,
}

/// A path with its columns.
pub struct Level {
    /// The path, in UTF-8.
    pub path: Box<[u8]>,
    /// Its own columns.
    pub columns: Vec<LevelColumn>,
    /// The paths nested in it, one after the other.
    pub nested: Vec<Level>,
}

/// A column of a level.
pub struct LevelColumn {
    /// Its number in the table.
    pub number: usize,
    /// Where its values come from.
    pub kind: ColumnKind,
    /// What its values are stored as.
    pub column: Column,
}

/// Where values come from.
pub enum ColumnKind {
    /// FOR ORDINALITY
    Ordinality,
    /// EXISTS PATH
    Exists(Box<[u8]>),
    /// PATH
    Path(Box<PathColumn>),
}

/// A column with PATH.
pub struct PathColumn {
    /// The path, in UTF-8.
    pub path: Box<[u8]>,
    /// It takes arrays and objects, and every value as it is written.
    pub json: bool,
    /// Without a value.
    pub on_empty: Response,
    /// With several values, or one that is no scalar.
    pub on_error: Response,
}

/// What stands for a value that there is not.
pub enum Response {
    /// NULL
    Null,
    /// The error.
    Error,
    /// A literal.
    Default(Value, FieldType),
}

/// Binds a JSON_TABLE.
///
/// # Errors
/// 1060, those of types, 4041 and its kin for paths, those of the argument, 1066.
pub(super) fn bind(
    stack: &mut Stack<'_>,
    written: &ast::JsonTable,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<JoinTree> {
    let mut types = Types {
        mode: ctx.conversion.sql_mode,
        collation: default_collation(stack),
        literals: ctx.collation,
        warnings: Warnings::new(0),
    };
    let mut defs = Vec::new();
    let root = level(stack, &mut types, (&written.path, &written.columns), &mut defs, ctx)?;
    for (i, c) in defs.iter().enumerate() {
        if defs[..i].iter().any(|d| crate::names::same_name(&d.name, &c.name)) {
            return Err(SqlError::new(ER_DUP_FIELDNAME, &[&c.name]));
        }
    }
    let argument = if stack.here().defers > 0 {
        let table = stack.here().tables.len();
        let unseen = |(n, t): (usize, &ScopeTable)| (t.view.unseen > 0).then_some(n);
        let blind = stack.here().tables.iter().enumerate().filter_map(unseen).collect();
        let expr = Box::new(written.expr.clone());
        stack.here().waiting.push(Waiting { table, until: None, blind, expr });
        Expr::literal(Value::Null, FieldType::null())
    } else {
        argument(stack, &written.expr, ctx, cacheable)?
    };
    let alias = written.alias.to_string();
    let own = SourceTable::made(defs.iter().map(|d| d.name.clone()).collect());
    let column = |(n, d): (usize, &ColumnDef)| {
        let mut ty = FieldType::from_column(d).as_operand();
        ty.source = Source::of(&own, n);
        (d.name.clone(), ty)
    };
    let columns: Vec<(String, FieldType)> = defs.iter().enumerate().map(column).collect();
    let relation = Relation::JsonTable(Arc::new(JsonTable { argument, root, defs, alias: alias.clone() }));
    add(stack, ScopeTable::made(alias, relation, columns))
}

fn argument(
    stack: &mut Stack<'_>,
    written: &ast::Expr,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<Expr> {
    let mut binder = ExprBinder::new(stack, ctx);
    binder.clause = "JSON_TABLE";
    binder.allow_aggregates = false;
    let argument = binder.bind(written)?;
    *cacheable &= binder.cacheable;
    Ok(argument)
}

/// A JSON_TABLE on the left side of a RIGHT JOIN, which stands behind the right side: it may depend on that.
pub struct Waiting {
    table: usize,
    /// The left side ends before this table.
    until: Option<usize>,
    /// Tables that it does not see.
    blind: Vec<usize>,
    expr: Box<ast::Expr>,
}

/// Binds the arguments that waited for the right side of a RIGHT JOIN, when no other one is around it.
///
/// # Errors
/// Those of the arguments.
pub(super) fn settle(
    stack: &mut Stack<'_>,
    left: Range<usize>,
    ctx: &mut EvalContext,
    cacheable: &mut bool,
) -> SqlResult<()> {
    let names = stack.here();
    for w in names.waiting.iter_mut().filter(|w| left.contains(&w.table)) {
        w.until.get_or_insert(left.end);
    }
    if names.defers > 0 {
        return Ok(());
    }
    let (ours, others) =
        std::mem::take(&mut names.waiting).into_iter().partition::<Vec<_>, _>(|w| w.table >= left.start);
    names.waiting = others;
    for Waiting { table, until, mut blind, expr } in ours {
        blind.extend(table..until.unwrap_or(left.end));
        blind.iter().for_each(|n| stack.here().tables[*n].view.unseen += 1);
        let bound = argument(stack, &expr, ctx, cacheable);
        blind.iter().for_each(|n| stack.here().tables[*n].view.unseen -= 1);
        let bound = bound?;
        if let Relation::JsonTable(json) = &mut stack.here().tables[table].relation
            && let Some(json) = Arc::get_mut(json)
        {
            json.argument = bound;
        }
    }
    Ok(())
}

/// What the types of columns depend on.
struct Types {
    mode: SqlMode,
    collation: &'static Collation,
    literals: &'static Collation,
    warnings: Warnings,
}

impl Types {
    fn definition(&mut self, name: &str, ty: &DataType) -> SqlResult<ColumnDef> {
        let mut cx = TypeContext {
            mode: self.mode,
            collation: self.collation,
            literals: self.literals,
            warnings: &mut self.warnings,
        };
        let r = resolve(name, ty, &mut cx)?;
        let mut column = ColumnDef::new(name, r.ty, r.collation);
        (column.width, column.unsigned, column.zerofill) = (r.width, r.unsigned, r.zerofill);
        column.nullable = true;
        Ok(column)
    }

    /// A text of the statement in UTF-8.
    fn utf8(&self, text: &[u8]) -> Box<[u8]> {
        if text.is_ascii() {
            return text.into();
        }
        json::utf8_of(text, self.literals.charset).into()
    }
}

/// The collation of columns that name none: the database's.
fn default_collation(stack: &mut Stack<'_>) -> &'static Collation {
    let variable = ast::SystemVariable {
        scope: ast::VariableScope::Session,
        base: None,
        name: "collation_database".into(),
    };
    let name = match stack.env.system_variable(&variable) {
        Ok((Value::Bytes(name), _)) => String::from_utf8_lossy(&name).into_owned(),
        _ => String::new(),
    };
    Collation::by_name(&name).unwrap_or_else(charset::system)
}

fn level(
    stack: &mut Stack<'_>,
    types: &mut Types,
    (path, columns): (&[u8], &[JsonColumn]),
    defs: &mut Vec<ColumnDef>,
    ctx: &mut EvalContext,
) -> SqlResult<Level> {
    let mut level = Level { path: checked(types, path)?, columns: Vec::new(), nested: Vec::new() };
    for c in columns {
        let (def, kind) = match c {
            JsonColumn::Nested(path, columns) => {
                level.nested.push(self::level(stack, types, (path, columns), defs, ctx)?);
                continue;
            }
            JsonColumn::Ordinality(name) => {
                let mut def = ColumnDef::new(name, ColumnType::Long, charset::system());
                (def.width, def.nullable) = (ColumnType::Long.default_width(false), true);
                (def, ColumnKind::Ordinality)
            }
            JsonColumn::Path { name, ty, path, exists: true, .. } => {
                (types.definition(name, ty)?, ColumnKind::Exists(checked(types, path)?))
            }
            JsonColumn::Path { name, ty, path, on_empty, on_error, .. } => {
                let def = types.definition(name, ty)?;
                let column = PathColumn {
                    path: checked(types, path)?,
                    json: ty.name == TypeName::Json,
                    on_empty: response(stack, on_empty.as_ref(), ctx)?,
                    on_error: response(stack, on_error.as_ref(), ctx)?,
                };
                (def, ColumnKind::Path(Box::new(column)))
            }
        };
        // as the reference server names the table in warnings
        let mut column = Column::new(&def, &Arc::from("*any*"), &Arc::from("json_table"));
        column.ty = column.ty.with_nullable(true);
        level.columns.push(LevelColumn { number: defs.len(), kind, column });
        defs.push(def);
    }
    Ok(level)
}

fn checked(types: &Types, path: &[u8]) -> SqlResult<Box<[u8]>> {
    let path = types.utf8(path);
    rows::path(&path)?;
    Ok(path)
}

fn response(
    stack: &mut Stack<'_>,
    written: Option<&JsonResponse>,
    ctx: &mut EvalContext,
) -> SqlResult<Response> {
    Ok(match written {
        None | Some(JsonResponse::Null) => Response::Null,
        Some(JsonResponse::Error) => Response::Error,
        Some(JsonResponse::Default(e)) => {
            let e = ExprBinder::new(stack, ctx).bind(e)?;
            Response::Default(e.value(ctx)?, e.ty.clone())
        }
    })
}

/// Notes for each JSON_TABLE the tables that its argument names: they come before it.
pub(super) fn note_order(tables: &[ScopeTable], before: &mut Vec<u64>) {
    for (n, t) in tables.iter().enumerate() {
        let Relation::JsonTable(json) = &t.relation else { continue };
        let named = json.argument.tables();
        if named != 0 {
            before.resize(MOST_TABLES.max(before.len()), 0);
            before[n] |= named;
        }
    }
}

/// Whether the document of one of these tables is a value of a query around, or may be another one each time.
pub(super) fn refers_out(tables: &[ScopeTable]) -> bool {
    tables.iter().any(|t| match &t.relation {
        Relation::JsonTable(json) => {
            let mut found = !json.argument.is_repeatable();
            json.argument.walk(&mut |e| {
                found |= matches!(e.node, Node::Outer(_) | Node::Subquery(_) | Node::Assign(..))
            });
            found
        }
        _ => false,
    })
}

/// Writes down what the types of columns come to, for those who print them.
pub(super) fn show_types(written: &mut ast::JsonTable) {
    let utf8 = Collation::by_name("utf8mb4_general_ci").unwrap_or_else(charset::system);
    let mut types =
        Types { mode: SqlMode::default(), collation: utf8, literals: utf8, warnings: Warnings::new(0) };
    let mut show = |c: &mut JsonColumn| {
        let JsonColumn::Path { name, ty, shown, .. } = c else { return };
        if ty.name == TypeName::Json {
            *shown = " JSON ".into();
            return;
        }
        let Ok(def) = types.definition(name, ty) else { return };
        let mut text = String::from_utf8_lossy(&schema::show_create::type_text(&def)).into_owned();
        let named = ty.charset.is_some() || ty.collation.is_some() || ty.binary;
        if named && def.collation.charset.name != "binary" {
            text += &format!(" CHARSET {} COLLATE {}", def.collation.charset.name, def.collation.name);
        }
        *shown = text.into();
    };
    written.columns.iter_mut().for_each(|c| c.each_mut(&mut show));
}
