//! The direct parts of expressions, to look at and to change them.

use super::{Expr, ExprKind, FrameBound, Over, WindowSpec};

/// Calls `$f` for each direct part; `$iter` goes through lists, `$window` through windows, and `$mut` is there where parts are changed.
macro_rules! each_part {
    ($kind:expr, $f:ident, $iter:ident, $window:ident, [$($mut:tt)?]) => {{
        use ExprKind::*;
        match $kind {
            Literal(_) | Lifted(..) | Param(_) | Local(..) | Column(_) | Field(_) | UserVariable(_)
            | SystemVariable(_) | Subquery(_) | Exists(_) | Default(_) | Values(_) | Sequence(..)
            | SetSequence(_) => {}
            Assign(_, e)
            | Unary(_, e)
            | Cast(e, _)
            | ColumnValue(e, _)
            | ConvertUsing(e, _)
            | Collate(e, _)
            | Extract(_, e)
            | GetFormat(_, e) => $f(e),
            Is { expr, .. }
            | InSubquery { expr, .. }
            | Quantified { expr, .. }
            | WeightString { expr, .. } => $f(expr),
            Binary(_, a, b) | TimestampAdd(_, a, b) | TimestampDiff(_, a, b) => {
                $f(a);
                $f(b);
            }
            And(v) | Or(v) | Row(v) | CharUsing(v, _) | IntervalFunction(v) | Mark(_, v) => {
                v.$iter().for_each($f);
            }
            Between { expr, low, high, .. } => {
                $f(expr);
                $f(low);
                $f(high);
            }
            InList { expr, list, .. } => {
                $f(expr);
                list.$iter().for_each($f);
            }
            Like { expr, pattern, escape, .. } => {
                $f(expr);
                $f(pattern);
                if let Some(e) = escape {
                    $f(e);
                }
            }
            Regexp { expr, pattern, .. } => {
                $f(expr);
                $f(pattern);
            }
            Case { operand, branches, otherwise } => {
                if let Some(e) = operand {
                    $f(e);
                }
                for (a, b) in branches {
                    $f(a);
                    $f(b);
                }
                if let Some(e) = otherwise {
                    $f(e);
                }
            }
            DateArith { expr, interval, .. } => {
                $f(expr);
                $f(interval);
            }
            Trim { remove, expr, .. } => {
                if let Some(e) = remove {
                    $f(e);
                }
                $f(expr);
            }
            Function(c) => c.args.$iter().for_each($f),
            Aggregate(c) => {
                c.args.$iter().for_each(&mut *$f);
                c.order_by.$iter().for_each(|o| $f(&$($mut)? o.expr));
                if let Some(Over::Spec(w)) = &$($mut)? c.over {
                    w.$window($f);
                }
            }
            Window(c) => {
                c.args.$iter().for_each(&mut *$f);
                c.within_group.$iter().for_each(|o| $f(&$($mut)? o.expr));
                if let Over::Spec(w) = &$($mut)? c.over {
                    w.$window($f);
                }
            }
            Match(m) => {
                m.columns.$iter().for_each(&mut *$f);
                $f(&$($mut)? m.against);
            }
        }
    }};
}

/// The same for a window.
macro_rules! each_part_of_window {
    ($window:expr, $f:ident, $iter:ident, [$($mut:tt)?]) => {{
        let WindowSpec { partition_by, order_by, frame, .. } = $window;
        partition_by.$iter().for_each(&mut *$f);
        order_by.$iter().for_each(|o| $f(&$($mut)? o.expr));
        if let Some(frame) = frame {
            let ends = frame.end.$iter();
            for bound in std::iter::once(&$($mut)? frame.start).chain(ends) {
                if let FrameBound::Preceding(e) | FrameBound::Following(e) = bound {
                    $f(e);
                }
            }
        }
    }};
}

impl ExprKind {
    /// Calls `f` for each direct child expression (not into subqueries).
    pub fn for_children<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        each_part!(self, f, iter, for_children, []);
    }

    /// As [`ExprKind::for_children`], to change them.
    pub fn for_children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        each_part!(self, f, iter_mut, for_children_mut, [mut]);
    }
}

impl WindowSpec {
    fn for_children<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        each_part_of_window!(self, f, iter, []);
    }

    fn for_children_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        each_part_of_window!(self, f, iter_mut, [mut]);
    }
}
