//! Binding of window functions. PARTITION BY and ORDER BY of their windows are bound when the whole SELECT is known
//! (`plan::window`).

use super::expr::ExprBinder;
use crate::ast::{self, ExprKind, Literal, Over};
use crate::error::{SqlError, SqlResult, codes};
use crate::expr::typing::{coerce, text_type};
use crate::expr::window::{Bound, FrameSpec, Offset, WindowCall, WindowFunction as W};
use crate::expr::{AggregateCall, Expr, Node};
use crate::types::{Class, FieldType, Kind, Value};

/// The window functions of a SELECT as they are met.
#[derive(Default)]
pub struct Windows {
    /// The clause that is bound now takes them.
    pub allowed: bool,
    /// The functions; what their windows are is not bound yet.
    pub calls: Vec<WindowCall>,
    /// The windows as they were written.
    pub overs: Vec<Over>,
}

impl ExprBinder<'_> {
    /// An aggregate with OVER.
    pub(super) fn window_aggregate(&mut self, a: &ast::AggregateCall, over: &Over) -> SqlResult<Expr> {
        use ast::AggregateFunction as F;
        let opening = a.function.opening();
        let name = opening.trim_end_matches('(').to_ascii_uppercase();
        if a.distinct && !matches!(a.function, F::Min | F::Max) {
            return Err(SqlError::not_supported(format!("{name}(DISTINCT) aggregate as window function")));
        }
        if matches!(a.function, F::GroupConcat | F::JsonArrayAgg | F::JsonObjectAgg) {
            return Err(SqlError::not_supported(format!("{name}() aggregate as window function")));
        }
        self.placed()?;
        let inside = std::mem::take(&mut self.in_aggregate);
        let call = self.aggregate_call(a);
        self.in_aggregate = inside;
        let call = call?;
        let (ty, args) = (call.ty.clone(), call.args.clone());
        self.collect(W::Aggregate, Some(call), (args, Vec::new()), ty, over)
    }

    /// A function that is nothing without OVER.
    pub(super) fn window(&mut self, c: &ast::WindowCall) -> SqlResult<Expr> {
        let function = W::by_name(&c.function).ok_or_else(|| SqlError::internal("window function"))?;
        if let Over::Spec(ast::WindowSpec { frame: Some(_), .. }) = &c.over
            && !function.takes_frame()
        {
            return Err(SqlError::new(codes::ER_NOT_ALLOWED_WINDOW_FRAME, &[&c.function]));
        }
        self.placed()?;
        if let Over::Spec(spec) = &c.over
            && function.needs_order()
            && spec.base.is_none()
            && spec.order_by.is_empty()
            && c.within_group.is_empty()
        {
            // before names in it and in what follows are looked for
            return Err(SqlError::new(codes::ER_NO_ORDER_LIST_IN_WINDOW_SPEC, &[&function.word()]));
        }
        let mut args = Vec::with_capacity(c.args.len() + 1);
        for e in &c.args {
            args.push(self.bind(e)?);
        }
        for o in &c.within_group {
            args.push(self.bind(&o.expr)?);
        }
        // MEDIAN and its like look at the rows of a partition in the order of a value of theirs
        let mut order = Vec::new();
        if matches!(function, W::PercentileCont | W::PercentileDisc) {
            let descending = c.within_group.first().is_some_and(|o| o.descending);
            order.extend(args.last().map(|value| (value.clone(), descending)));
        }
        let name = if &*c.function == "median" { "percentile_cont" } else { &c.function };
        let ty = self.window_type(function, name, &mut args)?;
        self.collect(function, None, (args, order), ty, &c.over)
    }

    /// The type of a function, and of its arguments.
    fn window_type(&mut self, function: W, name: &str, args: &mut [Expr]) -> SqlResult<FieldType> {
        let share = || {
            let mut ty = FieldType::double();
            (ty.decimals, ty.length) = (10, 17);
            ty.with_nullable(true)
        };
        Ok(match function {
            W::RowNumber | W::Rank | W::DenseRank => FieldType::bigint(false).with_nullable(false),
            W::Ntile => {
                coerce(&mut args[0], FieldType::bigint(false), self.ctx)?;
                FieldType::bigint(false).with_nullable(false)
            }
            W::PercentRank | W::CumeDist => share(),
            W::Lag | W::Lead | W::FirstValue | W::LastValue | W::NthValue => {
                if let Some(n) = args.get_mut(1) {
                    coerce(n, FieldType::bigint(false), self.ctx)?;
                }
                // BIT stays bytes and ENUM is ordered as text, other than under MIN and MAX
                let digits = args[0].ty.digits;
                FieldType { digits, values: None, ..self.extreme_type(&mut args[0])? }
            }
            W::PercentileCont | W::PercentileDisc => {
                let (share_at, value_at) = if args.len() == 2 { (Some(0), 1) } else { (None, 0) };
                if let Some(at) = share_at {
                    let of = &args[at];
                    if !of.ty.is_number() || of.ty.class() == Class::Null {
                        return Err(SqlError::new(codes::ER_WRONG_TYPE_OF_ARGUMENT, &[&name]));
                    }
                    coerce(&mut args[at], FieldType::double(), self.ctx)?;
                }
                let value = &mut args[value_at];
                if function == W::PercentileCont {
                    if value.ty.is_string() || matches!(value.ty.kind, Kind::Null) {
                        return Err(SqlError::new(codes::ER_WRONG_TYPE_FOR_PERCENTILE_FUNC, &[&name]));
                    }
                    coerce(value, FieldType::double(), self.ctx)?;
                    FieldType { length: 18, ..share() }
                } else if matches!(value.ty.kind, Kind::Enum | Kind::Set) {
                    let text = text_type(&value.ty, self.ctx.collation);
                    coerce(value, text, self.ctx)?;
                    value.ty.clone().with_nullable(true)
                } else {
                    value.ty.fixed().with_nullable(true)
                }
            }
            W::Aggregate => return Err(SqlError::internal("aggregate")),
        })
    }

    /// Whether a window function may stand here.
    fn placed(&mut self) -> SqlResult<()> {
        if self.in_aggregate {
            return Err(SqlError::new(codes::ER_SUM_FUNC_WITH_WINDOW_FUNC_AS_ARG, &[]));
        }
        match self.scope.windows() {
            Some(w) if w.allowed => Ok(()),
            _ => Err(SqlError::new(codes::ER_WRONG_PLACEMENT_OF_WINDOW_FUNCTION, &[])),
        }
    }

    fn collect(
        &mut self,
        function: W,
        aggregate: Option<AggregateCall>,
        (args, order): (Vec<Expr>, Vec<(Expr, bool)>),
        ty: FieldType,
        over: &Over,
    ) -> SqlResult<Expr> {
        for e in &args {
            no_window(e, codes::ER_WINDOW_FUNCTION_IN_WINDOW_SPEC)?;
        }
        let frame = FrameSpec { rows: false, start: Bound::Unbounded, end: Bound::Current };
        let partition = Vec::new();
        let call = WindowCall { function, aggregate, args, partition, order, frame, ty: ty.clone() };
        let Some(w) = self.scope.windows() else { return Err(SqlError::internal("windows")) };
        w.calls.push(call);
        w.overs.push(over.clone());
        Ok(Expr::new(Node::Window(w.calls.len() as u32 - 1), ty))
    }

    /// The frame of a window.
    ///
    /// # Errors
    /// 4014, 4019 to 4022.
    pub fn frame(
        &mut self,
        frame: Option<&ast::WindowFrame>,
        order: &[(Expr, bool)],
    ) -> SqlResult<FrameSpec> {
        let Some(f) = frame else {
            let end = if order.is_empty() { Bound::Unbounded } else { Bound::Current };
            return Ok(FrameSpec { rows: false, start: Bound::Unbounded, end });
        };
        if f.exclude.as_ref().is_some_and(|e| &**e != "NO OTHERS") {
            return Err(SqlError::new(codes::ER_FRAME_EXCLUSION_NOT_SUPPORTED, &[]));
        }
        use ast::FrameBound as B;
        let end = f.end.as_ref().unwrap_or(&B::CurrentRow);
        let wrong = matches!(
            (&f.start, end),
            (B::UnboundedFollowing, _)
                | (_, B::UnboundedPreceding)
                | (B::CurrentRow, B::Preceding(_))
                | (B::Following(_), B::CurrentRow)
        );
        if wrong {
            return Err(SqlError::new(codes::ER_BAD_COMBINATION_OF_WINDOW_FRAME_BOUND_SPECS, &[]));
        }
        let offsets = |b: &B| matches!(b, B::Preceding(_) | B::Following(_));
        if f.range && (offsets(&f.start) || offsets(end)) {
            let [(key, _)] = order else {
                return Err(SqlError::new(codes::ER_RANGE_FRAME_NEEDS_SIMPLE_ORDERBY, &[]));
            };
            if !key.ty.is_number() {
                return Err(SqlError::new(codes::ER_WRONG_TYPE_FOR_RANGE_FRAME, &[]));
            }
        }
        let (start, end) = (self.bound(&f.start, f.range)?, self.bound(end, f.range)?);
        Ok(FrameSpec { rows: !f.range, start, end })
    }

    fn bound(&mut self, bound: &ast::FrameBound, range: bool) -> SqlResult<Bound> {
        use ast::FrameBound as B;
        Ok(match bound {
            B::UnboundedPreceding | B::UnboundedFollowing => Bound::Unbounded,
            B::CurrentRow => Bound::Current,
            B::Preceding(e) => Bound::Preceding(self.offset(e, range)?),
            B::Following(e) => Bound::Following(self.offset(e, range)?),
        })
    }

    fn offset(&mut self, e: &ast::Expr, range: bool) -> SqlResult<Offset> {
        let literal = match &e.kind {
            ExprKind::Lifted(_, l) => {
                self.cacheable = false;
                l
            }
            ExprKind::Literal(l) => l,
            _ => return Err(SqlError::internal("bound of a frame")),
        };
        let number = match literal {
            Literal::Int(_) | Literal::Bool(_) => true,
            Literal::Decimal(_) | Literal::Float(_) => range,
            _ => false,
        };
        let wrong = match range {
            true => codes::ER_WRONG_TYPE_FOR_RANGE_FRAME,
            false => codes::ER_WRONG_TYPE_FOR_ROWS_FRAME,
        };
        if !number {
            return Err(SqlError::new(wrong, &[]));
        }
        match self.literal(literal)?.as_literal() {
            Some(Value::Int(n)) => Ok(Offset::Int(n.unsigned_abs())),
            Some(Value::UInt(n)) => Ok(Offset::Int(*n)),
            Some(Value::Decimal(d)) if range => Ok(Offset::Decimal(*d)),
            Some(Value::Double(d)) if range => Ok(Offset::Double(*d)),
            _ => Err(SqlError::new(wrong, &[])),
        }
    }
}

/// Refuses window functions in an expression.
///
/// # Errors
/// The error of this number.
pub fn no_window(e: &Expr, code: u16) -> SqlResult<()> {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.node, Node::Window(_)));
    if found { Err(SqlError::new(code, &[])) } else { Ok(()) }
}
