//! EXISTS asks whether there are rows, not which.

use super::{Expr, ExprKind, Literal, Query, QueryTerm, Select, SelectItem, SetOpKind, Span};

impl Query {
    /// As the query of EXISTS: a `*` without tables stands for one value. The lists of the other terms of a UNION count as
    /// little then.
    pub(crate) fn made_for_existence(&mut self) {
        if self.rest.iter().any(|(op, _)| op.kind != SetOpKind::Union) {
            return;
        }
        let mut terms: Vec<&mut Select> = std::iter::once(&mut self.first)
            .chain(self.rest.iter_mut().map(|(_, term)| term))
            .filter_map(|term| match term {
                QueryTerm::Select(select) => Some(&mut **select),
                _ => None,
            })
            .collect();
        let all = |item: &SelectItem| !matches!(item, SelectItem::Expr { .. });
        if !terms.iter().any(|s| s.from.is_empty() && s.items.iter().any(all)) {
            return;
        }
        // in no order, without LIMIT
        if self.limit.is_none() {
            self.order_by.clear();
        }
        for select in &mut terms {
            if select.items.iter().any(all) {
                let one = Expr::new(ExprKind::Literal(Literal::Int(1)), Span::default());
                select.items = vec![SelectItem::Expr { expr: one, alias: None, text: Span::default() }];
            }
        }
    }
}
