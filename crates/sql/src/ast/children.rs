//! The direct parts of expressions, to change them.

use super::{Expr, ExprKind, FrameBound, Over, WindowSpec};

impl ExprKind {
    /// As [`ExprKind::for_children`], to change them.
    pub fn for_children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        use ExprKind::*;
        match self {
            Literal(_) | Lifted(..) | Param(_) | Column(_) | Field(_) | UserVariable(_)
            | SystemVariable(_) | Subquery(_) | Exists(_) | Default(_) | Values(_) | Sequence(..) => {}
            Assign(_, e)
            | Unary(_, e)
            | Cast(e, _)
            | ConvertUsing(e, _)
            | Collate(e, _)
            | Extract(_, e)
            | GetFormat(_, e) => f(e),
            Is { expr, .. }
            | InSubquery { expr, .. }
            | Quantified { expr, .. }
            | WeightString { expr, .. } => f(expr),
            Binary(_, a, b) | TimestampAdd(_, a, b) | TimestampDiff(_, a, b) => {
                f(a);
                f(b);
            }
            And(v) | Or(v) | Row(v) | CharUsing(v, _) | IntervalFunction(v) | Mark(_, v) => {
                v.iter_mut().for_each(f);
            }
            Between { expr, low, high, .. } => {
                f(expr);
                f(low);
                f(high);
            }
            InList { expr, list, .. } => {
                f(expr);
                list.iter_mut().for_each(f);
            }
            Like { expr, pattern, escape, .. } => {
                f(expr);
                f(pattern);
                if let Some(e) = escape {
                    f(e);
                }
            }
            Regexp { expr, pattern, .. } => {
                f(expr);
                f(pattern);
            }
            Case { operand, branches, otherwise } => {
                if let Some(e) = operand {
                    f(e);
                }
                for (a, b) in branches {
                    f(a);
                    f(b);
                }
                if let Some(e) = otherwise {
                    f(e);
                }
            }
            DateArith { expr, interval, .. } => {
                f(expr);
                f(interval);
            }
            Trim { remove, expr, .. } => {
                if let Some(e) = remove {
                    f(e);
                }
                f(expr);
            }
            Function(_) | Aggregate(_) | Window(_) | Match(_) => self.for_arguments_mut(f),
        }
    }

    /// The same for calls.
    fn for_arguments_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        use ExprKind::*;
        match self {
            Function(c) => c.args.iter_mut().for_each(f),
            Aggregate(c) => {
                c.args.iter_mut().for_each(&mut *f);
                c.order_by.iter_mut().for_each(|o| f(&mut o.expr));
                if let Some(Over::Spec(w)) = &mut c.over {
                    w.for_children_mut(f);
                }
            }
            Window(c) => {
                c.args.iter_mut().for_each(&mut *f);
                c.within_group.iter_mut().for_each(|o| f(&mut o.expr));
                if let Over::Spec(w) = &mut c.over {
                    w.for_children_mut(f);
                }
            }
            Match(m) => {
                m.columns.iter_mut().for_each(&mut *f);
                f(&mut m.against);
            }
            _ => {}
        }
    }
}

impl WindowSpec {
    fn for_children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.partition_by.iter_mut().for_each(&mut *f);
        self.order_by.iter_mut().for_each(|o| f(&mut o.expr));
        if let Some(frame) = &mut self.frame {
            for bound in [Some(&mut frame.start), frame.end.as_mut()].into_iter().flatten() {
                if let FrameBound::Preceding(e) | FrameBound::Following(e) = bound {
                    f(e);
                }
            }
        }
    }
}
