//! JSON_ARRAYAGG and JSON_OBJECTAGG.

use super::expr::ExprBinder;
use crate::ast::{self, AggregateFunction as F, ExprKind};
use crate::error::{ER_INVALID_GROUP_FUNC_USE, ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, SqlError, SqlResult};
use crate::expr::Expr;

impl ExprBinder<'_> {
    /// JSON_ARRAYAGG and JSON_OBJECTAGG: a GROUP_CONCAT of values as they stand in documents, in brackets.
    pub(super) fn json_aggregate(&mut self, a: &ast::AggregateCall) -> SqlResult<Expr> {
        let Some(span) = a.args.first().map(|e| e.span) else {
            return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
        };
        if a.function == F::JsonArrayAgg && a.args.len() != 1 {
            return Err(SqlError::new(ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&"JSON_ARRAYAGG"]));
        }
        let call = |name: &str, args: Vec<ast::Expr>| {
            let call =
                ast::FunctionCall { db: None, name: name.into(), args, spaced: false, locals: Vec::new() };
            ast::Expr::new(ExprKind::Function(Box::new(call)), span)
        };
        let (part, whole, comma) = match a.function {
            F::JsonArrayAgg => (call("json_ element", a.args[..1].to_vec()), "json_ array", &b","[..]),
            _ => (call("json_ member", a.args.clone()), "json_ object", &b", "[..]),
        };
        let list = ast::AggregateCall {
            function: F::GroupConcat,
            args: vec![part],
            separator: Some(ast::StringLiteral { bytes: comma.into(), charset: Some("utf8mb4") }),
            ..a.clone()
        };
        let list = ast::Expr::new(ExprKind::Aggregate(Box::new(list)), span);
        self.bind(&call(whole, vec![list]))
    }
}
