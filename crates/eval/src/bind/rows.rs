//! Rows of values as operands.

use super::comparison;
use super::expr::{ExprBinder, chain, not};
use crate::ast;
use crate::error::{ER_OPERAND_COLUMNS, SqlError, SqlResult};
use crate::expr::{CompareOp, Expr, Node};
use crate::types::FieldType;

impl ExprBinder<'_> {
    /// A comparison of scalars or of rows, which are compared column by column.
    pub(super) fn compare_rows(&mut self, op: CompareOp, a: Expr, b: Expr) -> SqlResult<Expr> {
        match (a.node, b.node) {
            (Node::Row(x), Node::Row(y)) => {
                same_shape(&x, &y)?;
                match op {
                    CompareOp::Eq | CompareOp::NullSafeEq => {
                        let mut parts = Vec::with_capacity(x.len());
                        for (a, b) in x.into_iter().zip(y) {
                            parts.push(self.compare_rows(op, a, b)?);
                        }
                        Ok(chain(parts, true))
                    }
                    CompareOp::Ne => {
                        let equal = self.compare_rows(
                            CompareOp::Eq,
                            Expr::new(Node::Row(x), a.ty),
                            Expr::new(Node::Row(y), b.ty),
                        )?;
                        Ok(not(equal))
                    }
                    _ => {
                        // a1 < b1 OR (a1 = b1 AND (a2 < b2 OR ...))
                        let strict = match op {
                            CompareOp::Le => CompareOp::Lt,
                            CompareOp::Ge => CompareOp::Gt,
                            op => op,
                        };
                        let mut pairs: Vec<(Expr, Expr)> = x.into_iter().zip(y).collect();
                        let Some((a, b)) = pairs.pop() else {
                            return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
                        };
                        let mut result = self.compare_rows(op, a, b)?;
                        while let Some((a, b)) = pairs.pop() {
                            let less = self.compare_rows(strict, a.clone(), b.clone())?;
                            let equal = self.compare_rows(CompareOp::Eq, a, b)?;
                            result = chain(vec![less, chain(vec![equal, result], true)], false);
                        }
                        Ok(result)
                    }
                }
            }
            (x @ Node::Row(_), y) | (x, y @ Node::Row(_)) => {
                Err(no_rows(&Expr::new(x, a.ty), &Expr::new(y, b.ty), op.sign()))
            }
            (x, y) => {
                let e = self.compare(op, Expr::new(x, a.ty), Expr::new(y, b.ty))?;
                Ok(self.fold(e))
            }
        }
    }

    /// A comparison of scalars. In a list of values, but not in a condition, its constants are looked at when there is a row.
    pub(super) fn compare(&mut self, op: CompareOp, a: Expr, b: Expr) -> SqlResult<Expr> {
        self.ctx.statement.constants_wait = matches!(self.clause, "SELECT" | "GROUP BY" | "ORDER BY");
        let compared = comparison::compare(op, a, b, self.ctx);
        self.ctx.statement.constants_wait = false;
        compared
    }

    /// Binds the operands of an operator that knows no rows: error 4078.
    pub(super) fn bind_pair(&mut self, sign: &str, a: &ast::Expr, b: &ast::Expr) -> SqlResult<[Expr; 2]> {
        let pair = [self.bind_row(a)?, self.bind_row(b)?];
        if pair.iter().any(|e| matches!(e.node, Node::Row(_))) {
            return Err(no_rows(&pair[0], &pair[1], sign));
        }
        Ok(pair)
    }

    /// Binds the operands of an operator on bits: error 4079 for rows.
    pub(super) fn bind_bits(&mut self, sign: &str, a: &ast::Expr, b: &ast::Expr) -> SqlResult<[Expr; 2]> {
        Ok([self.bind_no_row(sign, a)?, self.bind_no_row(sign, b)?])
    }

    /// Binds the operand of an operator on bits: error 4079 for a row.
    pub(super) fn bind_no_row(&mut self, sign: &str, e: &ast::Expr) -> SqlResult<Expr> {
        let e = self.bind_row(e)?;
        if is_row(&e) {
            return Err(SqlError::new(
                crate::error::codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION,
                &[&"row", &sign],
            ));
        }
        Ok(e)
    }

    /// `v = item` for each row of a list. Column by column the values of all rows are compared in one class.
    pub(super) fn rows_in(&mut self, v: &Expr, items: Vec<Expr>) -> SqlResult<Vec<Expr>> {
        if let Some(other) = items.iter().find(|i| is_row(i) != is_row(v)) {
            return Err(no_rows(v, other, if items.len() == 1 { "=" } else { "in" }));
        }
        let mut rows: Vec<&[Expr]> = Vec::with_capacity(items.len() + 1);
        for e in std::iter::once(v).chain(&items) {
            if let Node::Row(list) = &e.node {
                rows.push(list);
            }
        }
        let width = rows.first().map_or(0, |r| r.len());
        for row in rows.iter().skip(1) {
            same_shape(rows[0], row)?;
        }
        if rows.iter().any(|r| r.iter().any(is_row)) {
            return items.into_iter().map(|i| self.compare_rows(CompareOp::Eq, v.clone(), i)).collect();
        }
        let mut parts: Vec<Vec<Expr>> = vec![Vec::with_capacity(width); items.len()];
        for n in 0..width {
            let value = rows[0][n].clone();
            let mut column: Vec<Expr> = rows[1..].iter().map(|r| r[n].clone()).collect();
            let operation = if items.len() == 1 { "=" } else { "in" };
            column.iter().try_for_each(|e| crate::func::wrapped::meet(&value.ty, &e.ty, operation))?;
            comparison::simplify_list(&value, &mut column, self.ctx)?;
            column.insert(0, value);
            let by = comparison::unify(&mut column, "in", self.ctx)?;
            let value = column.remove(0);
            for (part, item) in parts.iter_mut().zip(column) {
                let ty = FieldType::boolean().with_nullable(value.ty.nullable || item.ty.nullable);
                let equal = Node::Compare(CompareOp::Eq, by, Box::new([value.clone(), item.once()]));
                part.push(Expr::new(equal, ty));
            }
        }
        Ok(parts.into_iter().map(|p| chain(p, true)).collect())
    }
}

/// Functions that tell the type of a row in their arguments, sorted; others say how many columns they take.
const TELL_TYPE: &[&str] = &[
    "acos",
    "ascii",
    "asin",
    "atan",
    "benchmark",
    "bit_count",
    "char_length",
    "coercibility",
    "convert_tz",
    "cos",
    "cot",
    "crc32",
    "crc32c",
    "date_format",
    "dayofmonth",
    "dayofyear",
    "degrees",
    "exp",
    "find_in_set",
    "from_days",
    "from_unixtime",
    "get_lock",
    "hour",
    "inet_aton",
    "is_free_lock",
    "is_used_lock",
    "json_depth",
    "json_length",
    "last_day",
    "last_insert_id",
    "ln",
    "locate",
    "log",
    "log10",
    "log2",
    "makedate",
    "maketime",
    "microsecond",
    "minute",
    "octet_length",
    "ord",
    "period_add",
    "period_diff",
    "pow",
    "quarter",
    "radians",
    "rand",
    "regexp_instr",
    "release_lock",
    "sec_to_time",
    "second",
    "sign",
    "sin",
    "sleep",
    "sqrt",
    "strcmp",
    "tan",
    "time_format",
    "timediff",
    "timestamp",
    "timestampdiff",
    "to_char",
    "to_days",
    "to_seconds",
    "uncompressed_length",
    "week",
    "year",
    "yearweek",
];

/// Whether a function of MariaDB tells the type of a row in its arguments, though it may be missing here.
pub(super) fn tells_type(name: &str) -> bool {
    TELL_TYPE.binary_search(&name).is_ok()
}

/// 4079 where one of these arguments is a row.
pub(super) fn no_row_in<const N: usize>(args: [&ast::Expr; N], operation: &str) -> SqlResult<()> {
    if args.iter().any(|a| matches!(a.kind, ast::ExprKind::Row(_))) {
        let code = crate::error::codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION;
        return Err(SqlError::new(code, &[&"row", &operation]));
    }
    Ok(())
}

/// The error of a row among a function's arguments: 1582 where they are too few or too many, 4078, 4079, or 1241. `before` is
/// the argument before the row; `after` the second one, when the row is the first.
pub(super) fn row_argument(
    f: &ast::FunctionCall,
    name: &str,
    before: Option<&Expr>,
    after: Option<&Expr>,
) -> SqlError {
    let count = f.args.len();
    let wrong = |d: &crate::expr::function::Definition| {
        count < usize::from(d.min) || d.max != u8::MAX && count > usize::from(d.max)
    };
    if crate::func::find(name).is_some_and(|found| wrong(found.def)) {
        return SqlError::new(crate::error::ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&f.name]);
    }
    if let "least" | "greatest" | "mod" = name {
        let name_of = |e: Option<&Expr>| e.map_or("row", |e| e.ty.sql_name());
        let operation = if name == "mod" { "MOD" } else { name };
        return illegal_pair(name_of(before), name_of(after), operation);
    }
    // The count of BENCHMARK, not what it repeats.
    if name == "benchmark" && before.is_some() {
        return SqlError::new(ER_OPERAND_COLUMNS, &[&1]);
    }
    let told = match name {
        "atan2" => "atan",
        "character_length" => "char_length",
        "datediff" => "to_days",
        "day" => "dayofmonth",
        "instr" => "locate",
        "length" => "octet_length",
        "weekofyear" => "week",
        "power" => "pow",
        name => name,
    };
    if tells_type(told) {
        let code = crate::error::codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION;
        return SqlError::new(code, &[&"row", &told]);
    }
    SqlError::new(ER_OPERAND_COLUMNS, &[&1])
}

/// 1241 unless both rows have the same columns, those inside of them too.
pub(super) fn same_shape(x: &[Expr], y: &[Expr]) -> SqlResult<()> {
    if x.len() != y.len() {
        return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&x.len()]));
    }
    for (a, b) in x.iter().zip(y) {
        match (a.as_row(), b.as_row()) {
            (Some(a), Some(b)) => same_shape(a, b)?,
            (None, None) => {}
            (a, _) => return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&a.map_or(1, <[Expr]>::len)])),
        }
    }
    Ok(())
}

fn is_row(e: &Expr) -> bool {
    matches!(e.node, Node::Row(_))
}

/// 4078 where one of two operands is a row.
pub(super) fn no_rows(a: &Expr, b: &Expr, operation: &str) -> SqlError {
    let name = |e: &Expr| if is_row(e) { "row" } else { e.ty.sql_name() };
    illegal_pair(name(a), name(b), operation)
}

fn illegal_pair(a: &str, b: &str, operation: &str) -> SqlError {
    let code = crate::error::codes::ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION;
    SqlError::new(code, &[&a, &b, &operation])
}
