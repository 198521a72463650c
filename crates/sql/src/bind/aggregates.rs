//! Binding of aggregate functions.

use super::expr::ExprBinder;
use super::types::{coerce, common_collation, digits, text_type};
use crate::ast::{self, AggregateFunction as F, ExprKind, Literal};
use crate::error::codes;
use crate::error::{ER_BAD_FIELD_ERROR, ER_INVALID_GROUP_FUNC_USE, SqlError, SqlResult};
use crate::expr::{AggregateCall, Expr, Node};
use crate::func::number_class;
use crate::result::NOT_FIXED_DEC;
use crate::types::{Class, FieldType, Kind};
use charset::derivation::Purpose;

impl ExprBinder<'_> {
    pub(super) fn aggregate(&mut self, a: &ast::AggregateCall) -> SqlResult<Expr> {
        if a.over.is_some() {
            return Err(SqlError::not_supported("window functions"));
        }
        if self.in_aggregate {
            return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
        }
        let call = self.outer_call(a)?;
        if let Some(e) = self.scope.lift(a, &call, self.ctx)? {
            return Ok(e);
        }
        if !self.allow_aggregates {
            return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
        }
        let ty = call.ty.clone();
        let same = self.aggregates.iter().position(|c| same_call(c, &call));
        let n = same.unwrap_or_else(|| {
            self.aggregates.push(call);
            self.aggregates.len() - 1
        });
        Ok(Expr::new(Node::Aggregate(n as u32), ty))
    }

    /// Binds an aggregate's arguments.
    ///
    /// # Errors
    /// Those of the arguments; an aggregate among them.
    pub(crate) fn outer_call(&mut self, a: &ast::AggregateCall) -> SqlResult<AggregateCall> {
        let inside = std::mem::replace(&mut self.in_aggregate, true);
        self.scope.enter_aggregate(true);
        let call = self.aggregate_call(a);
        self.in_aggregate = inside;
        self.scope.enter_aggregate(inside);
        call
    }

    fn aggregate_call(&mut self, a: &ast::AggregateCall) -> SqlResult<AggregateCall> {
        let mut args = Vec::with_capacity(a.args.len());
        for e in &a.args {
            args.push(self.bind(e)?);
        }
        let mut call = AggregateCall {
            function: a.function,
            distinct: a.distinct && !matches!(a.function, F::Min | F::Max),
            args,
            order_by: Vec::new(),
            separator: Box::default(),
            limit: None,
            ty: FieldType::bigint(false).with_nullable(false),
        };
        match a.function {
            F::Count => {
                call.ty = FieldType::bigint(false).with_nullable(false);
            }
            F::Sum | F::Avg => {
                let Some(arg) = call.args.first_mut() else {
                    return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
                };
                if arg.ty.is_address() {
                    let name = if a.function == F::Sum { "sum(" } else { "avg(" };
                    return Err(SqlError::with_message(
                        codes::ER_ILLEGAL_PARAMETER_DATA_TYPE_FOR_OPERATION,
                        format!("Illegal parameter data type {} for operation '{name}'", arg.ty.sql_name()),
                    ));
                }
                let class = match arg.ty.kind {
                    Kind::Enum | Kind::Set => Class::Double,
                    _ => number_class(&arg.ty),
                };
                if matches!(class, Class::Double | Class::Null) {
                    let dec = if arg.ty.is_number() { arg.ty.decimals } else { NOT_FIXED_DEC };
                    coerce(arg, FieldType::double(), self.ctx)?;
                    call.ty = FieldType::double();
                    if dec < 31 {
                        let extra = if a.function == F::Avg { self.ctx.div_precision_increment } else { 0 };
                        call.ty.decimals = (dec + extra).min(30);
                        call.ty.length = 17 + u32::from(call.ty.decimals);
                    }
                } else {
                    let (int, scale) = digits(&arg.ty);
                    if !class.is_integer() || !arg.ty.class().is_integer() {
                        let mut to = FieldType::decimal(65, 38);
                        to.decimals = NOT_FIXED_DEC;
                        coerce(arg, to, self.ctx)?;
                    }
                    call.ty = if a.function == F::Sum {
                        FieldType::decimal(int.saturating_add(scale).saturating_add(22).min(65), scale)
                    } else {
                        let inc = self.ctx.div_precision_increment;
                        let s = scale.saturating_add(inc).min(38);
                        FieldType::decimal(int.saturating_add(scale).saturating_add(inc).min(65), s)
                    };
                }
                call.ty.nullable = true;
            }
            F::Min | F::Max => {
                let Some(arg) = call.args.first_mut() else {
                    return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
                };
                if matches!(arg.ty.kind, Kind::Enum | Kind::Set) {
                    let t = text_type(&arg.ty, self.ctx.collation);
                    coerce(arg, t, self.ctx)?;
                }
                call.ty = arg.ty.clone().with_nullable(true);
                call.ty.hex = false;
                call.ty.zerofill = false;
            }
            F::Std | F::StdSamp | F::Variance | F::VarSamp => {
                let Some(arg) = call.args.first_mut() else {
                    return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
                };
                let dec = match number_class(&arg.ty) {
                    Class::Double | Class::Null => NOT_FIXED_DEC,
                    _ => digits(&arg.ty).1.saturating_add(self.ctx.div_precision_increment),
                };
                coerce(arg, FieldType::double(), self.ctx)?;
                call.ty = FieldType::double();
                if dec < 31 {
                    call.ty.decimals = dec;
                    call.ty.length = 17 + u32::from(dec);
                }
                call.ty.nullable = true;
            }
            F::BitAnd | F::BitOr | F::BitXor => {
                let Some(arg) = call.args.first_mut() else {
                    return Err(SqlError::new(ER_INVALID_GROUP_FUNC_USE, &[]));
                };
                super::operators::bit_operand(arg, self.ctx)?;
                call.ty = super::operators::bits_type().with_nullable(false);
            }
            F::GroupConcat => self.group_concat(a, &mut call)?,
            F::JsonArrayAgg | F::JsonObjectAgg => return Err(SqlError::not_supported("JSON aggregates")),
        }
        Ok(call)
    }

    fn group_concat(&mut self, a: &ast::AggregateCall, call: &mut AggregateCall) -> SqlResult<()> {
        for e in &mut call.args {
            let t = text_type(&e.ty, self.ctx.collation);
            coerce(e, t, self.ctx)?;
        }
        let d = common_collation(&mut call.args, Purpose::Value, "group_concat", self.ctx)?;
        let max = self.ctx.group_concat_max_len as u64;
        let chars = max / u64::from(d.collation.charset.mbminlen.max(1));
        call.ty = FieldType::string(chars, d.collation, d.derivation).with_nullable(true);
        call.ty.length = u32::try_from(max).unwrap_or(u32::MAX).saturating_mul(1);
        call.ty.kind = if max > 65535 * 256 {
            Kind::LongBlob
        } else if max > 65535 {
            Kind::MediumBlob
        } else {
            Kind::Blob
        };
        let separator = match &a.separator {
            Some(s) => s.bytes.to_vec(),
            None => b",".to_vec(),
        };
        let from = a
            .separator
            .as_ref()
            .and_then(|s| s.charset)
            .and_then(charset::Charset::by_name)
            .unwrap_or(self.ctx.collation.charset);
        let mut out = Vec::new();
        if d.collation.id == 63 || from.name == d.collation.charset.name {
            out = separator;
        } else {
            from.convert(&separator, d.collation.charset, &mut out);
        }
        call.separator = out.into();
        for o in &a.order_by {
            // An integer names an argument.
            let e = match &o.expr.kind {
                ExprKind::Literal(Literal::Int(n)) => {
                    let at = usize::try_from(*n).ok().and_then(|n| n.checked_sub(1));
                    let Some(arg) = at.and_then(|at| call.args.get(at)) else {
                        return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[n, &"ORDER BY"]));
                    };
                    arg.clone()
                }
                _ => self.bind(&o.expr)?,
            };
            call.order_by.push((e, o.descending));
        }
        if let Some(l) = &a.limit {
            let number = |e: &Option<ast::Expr>, binder: &mut Self| -> SqlResult<Option<u64>> {
                let Some(e) = e else { return Ok(None) };
                match binder.bind(e)?.as_literal() {
                    Some(crate::types::Value::Int(v)) => Ok(Some((*v).max(0) as u64)),
                    Some(crate::types::Value::UInt(v)) => Ok(Some(*v)),
                    _ => Err(SqlError::not_supported("LIMIT of GROUP_CONCAT")),
                }
            };
            let count = number(&l.count, self)?.unwrap_or(u64::MAX);
            let offset = number(&l.offset, self)?.unwrap_or(0);
            call.limit = Some((offset, count));
        }
        Ok(())
    }
}

/// Whether two calls are the same, so that they are computed once.
fn same_call(a: &AggregateCall, b: &AggregateCall) -> bool {
    a.function == b.function
        && a.distinct == b.distinct
        && a.separator == b.separator
        && a.limit == b.limit
        && a.order_by.is_empty()
        && b.order_by.is_empty()
        && a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(|(x, y)| match (&x.node, &y.node) {
            (Node::Column(c), Node::Column(d)) => c.table == d.table && c.column == d.column,
            (Node::Literal(v), Node::Literal(w)) => v == w,
            (Node::Convert(c), Node::Convert(d)) => {
                matches!((&c.node, &d.node), (Node::Column(c), Node::Column(d)) if c.table == d.table && c.column == d.column)
                    && x.ty.kind == y.ty.kind
            }
            _ => false,
        })
}
