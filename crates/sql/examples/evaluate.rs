//! Evaluates expressions without tables, one a line, and prints value, type and warnings:
//! what `SELECT expr` with `SHOW WARNINGS` and column metadata shows. For comparisons with the
//! reference server.

use sql::bind::{BoundSubquery, ExprBinder, Resolved, Scope};
use sql::error::{ER_BAD_FIELD_ERROR, ER_UNKNOWN_SYSTEM_VARIABLE, SqlError, SqlResult};
use sql::expr::{EvalContext, Expr, SubqueryKind};
use sql::types::{FieldType, Value, convert};
use sql::variables::SqlMode;
use sql::{ast, parse};
use std::io::{BufRead, Write};

struct Nothing;

impl Scope for Nothing {
    fn column(&mut self, name: &ast::ColumnRef, clause: &str) -> SqlResult<Resolved> {
        Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&name.name, &clause]))
    }
    fn system_variable(&mut self, v: &ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        Err(SqlError::new(ER_UNKNOWN_SYSTEM_VARIABLE, &[&v.name]))
    }
    fn subquery(&mut self, _: &ast::Query, _: SubqueryKind, _: &mut EvalContext) -> SqlResult<BoundSubquery> {
        Err(SqlError::not_supported("subquery"))
    }
    fn default_of(&mut self, name: &ast::ColumnRef, _: &mut EvalContext) -> SqlResult<Expr> {
        Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&name.name, &"field list"]))
    }
    fn values_of(&mut self, name: &ast::ColumnRef) -> SqlResult<Expr> {
        Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&name.name, &"field list"]))
    }
}

fn main() {
    let stdin = std::io::stdin();
    let mut out = std::io::stdout().lock();
    let mut ctx = EvalContext::default();
    ctx.collation = charset::Collation::by_name("utf8mb4_general_ci").expect("collation");
    ctx.results = charset::Collation::by_name("utf8mb4_general_ci");
    ctx.sql_mode = SqlMode(SqlMode::STRICT_TRANS_TABLES.0 | SqlMode::ERROR_FOR_DIVISION_BY_ZERO.0);
    ctx.time_zone = sql::types::temporal::TimeZone::parse("+00:00").expect("zone");
    ctx.set_timestamp(Some((1_700_000_000, 123_456)));
    let types = std::env::args().any(|a| a == "--types");
    for line in stdin.lock().split(b'\n') {
        let Ok(line) = line else { break };
        ctx.warnings.clear();
        let mut text = Vec::new();
        match run(&line, &mut ctx) {
            Ok((v, ty)) => {
                if v.is_null() {
                    text.extend_from_slice(b"NULL");
                } else {
                    let mut raw = Vec::new();
                    convert::write_text_in(v.as_ref(), &ty, &utf8(), &mut raw);
                    for b in raw {
                        match b {
                            b'\n' => text.extend_from_slice(b"\\n"),
                            b'\t' => text.extend_from_slice(b"\\t"),
                            b'\\' => text.extend_from_slice(b"\\\\"),
                            0 => text.extend_from_slice(b"\\0"),
                            b => text.push(b),
                        }
                    }
                }
                if types {
                    let m = ty.meta("x", ctx.results);
                    let _ =
                        write!(text, "\t{} {} {} {} {:#x}", m.ty, m.collation, m.length, m.decimals, m.flags);
                }
            }
            Err(e) => {
                let _ = write!(text, "ERROR {} {}", e.code, e.message);
            }
        }
        for w in ctx.warnings.entries() {
            let _ = write!(text, "\t{} {} {}", w.level.name(), w.code, w.message);
        }
        text.push(b'\n');
        let _ = out.write_all(&text);
    }
}

fn utf8() -> FieldType {
    FieldType::string(
        0,
        charset::Collation::by_name("utf8mb4_general_ci").expect("collation"),
        sql::types::Derivation::Coercible,
    )
}

fn run(text: &[u8], ctx: &mut EvalContext) -> SqlResult<(Value, FieldType)> {
    ctx.begin_statement();
    let (e, _) = parse::parse_expression_at(text, 0, &parse::Options::default())?;
    let mut scope = Nothing;
    let bound = {
        let mut b = ExprBinder::new(&mut scope, ctx);
        b.bind(&e)?
    };
    let v = bound.value(ctx)?;
    Ok((v, bound.ty))
}
