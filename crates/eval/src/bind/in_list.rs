//! `value IN (list)`.

use super::comparison;
use super::expr::{ExprBinder, chain, not};
use crate::ast;
use crate::error::{SqlError, SqlResult};
use crate::expr::eval::InLookup;
use crate::expr::{CompareOp, Comparison, EvalContext, Expr, Node, Test};
use crate::func;
use crate::types::{FieldType, Kind, Value};

/// Lists of so many items may be written with one value in all of them; in longer ones it is not looked for, item by item.
const FEW: usize = 16;

impl ExprBinder<'_> {
    pub(super) fn in_list(&mut self, v: &ast::Expr, list: &[ast::Expr], negated: bool) -> SqlResult<Expr> {
        let mut v = self.bind_row(v)?;
        let mut items = Vec::with_capacity(list.len());
        for e in list {
            items.push(self.bind_row(e)?);
        }
        if matches!(v.node, Node::Row(_)) || items.iter().any(|e| matches!(e.node, Node::Row(_))) {
            let mut parts = self.rows_in(&v, items)?;
            let any = if parts.len() == 1 { parts.remove(0) } else { chain(parts, false) };
            return Ok(if negated { not(any) } else { any });
        }
        if matches!(v.node, Node::Literal(Value::Null)) {
            return Ok(Expr::literal(Value::Null, FieldType::boolean()));
        }
        for item in &items {
            let operation = if items.len() == 1 { "=" } else { "in" };
            func::wrapped::meet(&v.ty, &item.ty, operation)?;
        }
        if items.len() == 1 {
            // a list of one is an equality
            let op = if negated { CompareOp::Ne } else { CompareOp::Eq };
            return comparison::compare(op, v, items.remove(0), self.ctx);
        }
        let first = (items.len() <= FEW).then(|| items[0].clone());
        // as they are written
        let mut pairs =
            items.iter().filter(|i| i.ty.kind != Kind::Null).map(|i| comparison::pair(&v.ty, &i.ty));
        let one_type = pairs.next().is_none_or(|first| pairs.all(|other| other == first));
        self.prepared(one_type, |ctx| comparison::simplify_list(&v, &mut items, ctx))?;
        comparison::sought_address(&mut v, &items, self.ctx)?;
        comparison::words_beside_texts(&mut v, &items, self.ctx)?;
        let nullable = v.ty.nullable || items.iter().any(|e| e.ty.nullable);
        let ty = FieldType::boolean().with_nullable(nullable);
        // All items of one comparison class with the value: one look-up.
        let mut classes: Vec<comparison::By> = Vec::new();
        for item in items.iter().filter(|i| i.ty.kind != Kind::Null) {
            let p = comparison::pair(&v.ty, &item.ty);
            if !classes.contains(&p) {
                classes.push(p);
            }
        }
        if classes.len() > 1 {
            let any = self.in_each_class(&v, &items, (&classes, one_type), &ty)?;
            return Ok(if negated { not(any) } else { any });
        }
        // beside nothing but NULL the value stays what it is
        let by = classes.first().copied().unwrap_or_else(|| comparison::pair(&v.ty, &v.ty));
        let rewritten = self.rewrites && matches!(self.clause, "WHERE" | "ON");
        // a BIGINT column is compared with integers in both
        let same = v.ty.kind == Kind::LongLong && v.as_column().is_some();
        let equality = match first.filter(|_| rewritten && !same) {
            Some(first) => self.scratch_equality(&v, first)?,
            None => None,
        };
        let mut all = Vec::with_capacity(items.len() + 1);
        all.push(v);
        all.append(&mut items);
        self.look_up(by, all, equality, (negated, one_type), ty)
    }

    /// The first of `all` is looked for in the others, which are all of one class with it; `one_type`: all items of the list were written as one type.
    fn look_up(
        &mut self,
        by: comparison::By,
        mut all: Vec<Expr>,
        equality: Option<Expr>,
        (negated, one_type): (bool, bool),
        ty: FieldType,
    ) -> SqlResult<Expr> {
        let by = self.prepared(one_type, |ctx| comparison::unify_as(by, &mut all, "in", ctx))?;
        let mut list: Vec<Expr> = all.split_off(1).into_iter().map(Expr::once).collect();
        let Some(expr) = all.pop() else { return Err(SqlError::internal("IN without a value")) };
        if let Some(operand) = equality.filter(|_| !matches!(by, Comparison::Text(_))) {
            told_as_equality(&mut list, operand, by);
        }
        let lookup = InLookup::new(by, &list, one_type);
        Ok(Expr::new(Node::In { expr: Box::new(expr), list, by, negated, lookup }, ty))
    }

    /// Converts the constants of a list; in one of items of one type this fails no strict statement.
    fn prepared<T>(
        &mut self,
        one_type: bool,
        f: impl FnOnce(&mut EvalContext) -> SqlResult<T>,
    ) -> SqlResult<T> {
        if one_type { self.ctx.leniently(f) } else { f(self.ctx) }
    }

    /// Items of several classes: a look-up for each.
    fn in_each_class(
        &mut self,
        v: &Expr,
        items: &[Expr],
        (classes, one_type): (&[comparison::By], bool),
        ty: &FieldType,
    ) -> SqlResult<Expr> {
        let mut parts = Vec::with_capacity(classes.len());
        for class in classes {
            let mut group = vec![v.clone()];
            group.extend(
                items
                    .iter()
                    .filter(|i| i.ty.kind == Kind::Null || comparison::pair(&v.ty, &i.ty) == *class)
                    .cloned(),
            );
            comparison::dated_later(*class, &mut group, self.ctx)?;
            parts.push(self.look_up(*class, group, None, (false, one_type), ty.clone())?);
        }
        Ok(chain(parts, false))
    }

    /// What `value = constant` would compare with the value, where that is converted in each execution.
    fn scratch_equality(&mut self, value: &Expr, constant: Expr) -> SqlResult<Option<Expr>> {
        if !comparison::is_known(&constant) || constant.ty.kind == Kind::Null {
            return Ok(None);
        }
        let mark = self.ctx.warnings.mark();
        let equal = comparison::compare(CompareOp::Eq, value.clone(), constant, self.ctx)?;
        self.ctx.warnings.rollback_to(mark);
        Ok(match equal.node {
            Node::Compare(_, _, args) => args.into_iter().nth(1).filter(|e| matches!(e.node, Node::Once(..))),
            _ => None,
        })
    }
}

/// A condition on a list whose constants are all one value is an equality: what its constant warns of, as it is compared
/// there, is told beside what those of the list warn of.
fn told_as_equality(list: &mut [Expr], operand: Expr, by: Comparison) {
    if !list.iter().all(|e| matches!(e.node, Node::Once(..))) {
        return;
    }
    let boolean = || FieldType::boolean().with_nullable(false);
    let first = list[0].clone();
    let same = |e: &Expr| {
        Expr::new(Node::Compare(CompareOp::NullSafeEq, by, Box::new([first.clone(), e.clone()])), boolean())
    };
    let same = chain(list[1..].iter().map(same).collect(), true);
    let ty = first.ty.clone();
    let choice = |c: Expr, a: Expr| Expr::new(Node::If(Box::new([c, a, first.clone()])), ty.clone());
    let looked_at = Expr::new(Node::Is(Box::new(operand), Test::Null, false), boolean());
    let told = choice(looked_at, first.clone());
    list[0] = choice(same, told).once();
}
