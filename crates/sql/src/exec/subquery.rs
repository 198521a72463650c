//! Subqueries of expressions.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use super::Exec;
use super::groups::Groups;
use super::rows::RowStore;
use super::sortkey;
use crate::error::{ER_OPERAND_COLUMNS, ER_SUBQUERY_NO_1_ROW, SqlError, SqlResult};
use crate::expr::{CompareOp, Comparison, EvalContext, SubqueryKind, SubqueryNode, SubqueryRunner};
use crate::plan::{QueryPlan, SubqueryPlan};
use crate::types::{Class, FieldType, Value, ValueRef, Vector, convert};

/// What independent subqueries gave, by the address of their plan.
#[derive(Default)]
pub struct Memory {
    rows: HashMap<usize, Rc<Kept>>,
    /// FOUND_ROWS of SQL_CALC_FOUND_ROWS.
    pub found_rows: Option<u64>,
}

struct Kept {
    rows: RowStore,
    /// For IN: the keys of rows without NULL, and whether a row had one.
    set: Option<(Groups, bool)>,
}

/// Runs the subqueries of one plan.
pub struct Runner<'r, 'e> {
    /// The execution.
    pub exec: &'r Exec<'e>,
    /// The plan whose expressions are evaluated.
    pub plan: &'r QueryPlan,
}

impl SubqueryRunner for Runner<'_, '_> {
    fn run(
        &self,
        node: &SubqueryNode,
        outer: &[Value],
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Value> {
        let sub = Arc::clone(&self.plan.subqueries[node.id as usize]);
        if sub.independent {
            let kept = self.kept(&sub, node, ctx)?;
            return answer(node, &kept.rows, kept.set.as_ref(), left);
        }
        let saved = std::mem::replace(&mut ctx.outer, outer.to_vec());
        let rows = self.compared(&sub.plan, node, ctx);
        ctx.outer = saved;
        answer(node, &rows?, None, left)
    }
}

impl Runner<'_, '_> {
    fn rows(&self, plan: &QueryPlan, kind: SubqueryKind, ctx: &mut EvalContext) -> SqlResult<RowStore> {
        let most = match kind {
            SubqueryKind::Exists => 1,
            SubqueryKind::Scalar => 2,
            _ => usize::MAX,
        };
        let mut store = RowStore::default();
        self.exec.run(plan, ctx, &mut |batch, _| {
            for row in 0..batch.len {
                store.push(&batch.columns, row);
                if store.len() >= most {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(store)
    }

    /// The rows of a subquery, its columns in the class in which they are compared.
    fn compared(&self, plan: &QueryPlan, node: &SubqueryNode, ctx: &mut EvalContext) -> SqlResult<RowStore> {
        let rows = self.rows(plan, node.kind, ctx)?;
        let fits = |(from, to): (&FieldType, &FieldType)| {
            from.class() == to.class() && from.class() != Class::Decimal && !from.is_string()
        };
        if rows.is_empty() || plan.types.iter().zip(&node.compare_as).all(fits) {
            return Ok(rows);
        }
        let mut store = RowStore::default();
        for n in 0..rows.len() {
            let (batch, row) = rows.at(n);
            let mut columns = Vec::with_capacity(batch.columns.len());
            for (v, (from, to)) in batch.columns.iter().zip(plan.types.iter().zip(&node.compare_as)) {
                let mut column = Vector::new(to.class());
                convert::push_converted(v.get(row), from, to, &mut column, ctx)?;
                columns.push(column);
            }
            store.push(&columns, 0);
        }
        Ok(store)
    }

    fn kept(
        &self,
        sub: &Arc<SubqueryPlan>,
        node: &SubqueryNode,
        ctx: &mut EvalContext,
    ) -> SqlResult<Rc<Kept>> {
        let at = Arc::as_ptr(sub) as usize;
        if let Some(k) = self.exec.memory.borrow().rows.get(&at) {
            return Ok(Rc::clone(k));
        }
        let saved = std::mem::take(&mut ctx.outer);
        let rows = self.compared(&sub.plan, node, ctx);
        ctx.outer = saved;
        let rows = rows?;
        let set = matches!(node.kind, SubqueryKind::In { .. }).then(|| {
            let (mut groups, mut null) = (Groups::default(), false);
            let (mut key, mut scratch) = (Vec::new(), Vec::new());
            for n in 0..rows.len() {
                let (batch, row) = rows.at(n);
                key.clear();
                let mut whole = true;
                for (i, v) in batch.columns.iter().enumerate() {
                    whole &= !v.is_null(row);
                    encode(v.get(row), node, i, &mut key, &mut scratch);
                }
                if whole {
                    groups.insert(&key);
                } else {
                    null = true;
                }
            }
            (groups, null)
        });
        let kept = Rc::new(Kept { rows, set });
        self.exec.memory.borrow_mut().rows.insert(at, Rc::clone(&kept));
        Ok(kept)
    }
}

fn encode(v: ValueRef<'_>, node: &SubqueryNode, i: usize, key: &mut Vec<u8>, scratch: &mut Vec<u8>) {
    let collation = match node.by.get(i) {
        Some(Comparison::Text(c)) => *c,
        _ => charset::binary(),
    };
    sortkey::encode_value(v, collation, key, scratch);
}

fn answer(
    node: &SubqueryNode,
    rows: &RowStore,
    set: Option<&(Groups, bool)>,
    left: &[Value],
) -> SqlResult<Value> {
    match node.kind {
        SubqueryKind::Scalar => {
            if rows.len() > 1 {
                return Err(SqlError::new(ER_SUBQUERY_NO_1_ROW, &[]));
            }
            if rows.is_empty() {
                return Ok(Value::Null);
            }
            let (batch, row) = rows.at(0);
            if batch.columns.len() != 1 {
                return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
            }
            Ok(batch.columns[0].value(row))
        }
        SubqueryKind::Exists => Ok(Value::Int(i64::from(!rows.is_empty()))),
        SubqueryKind::In { negated } => {
            let truth = member(node, rows, set, left);
            Ok(truth.map_or(Value::Null, |t| Value::Int(i64::from(t != negated))))
        }
        SubqueryKind::Quantified { op, all } => {
            let mut unknown = false;
            for n in 0..rows.len() {
                let (batch, row) = rows.at(n);
                match holds(op, compare(left[0].as_ref(), batch.columns[0].get(row), node.by.first())) {
                    None => unknown = true,
                    Some(t) if t != all => return Ok(Value::Int(i64::from(t))),
                    Some(_) => {}
                }
            }
            Ok(if unknown { Value::Null } else { Value::Int(i64::from(all)) })
        }
    }
}

fn holds(op: CompareOp, o: Option<Ordering>) -> Option<bool> {
    let o = o?;
    Some(match op {
        CompareOp::Eq | CompareOp::NullSafeEq => o.is_eq(),
        CompareOp::Ne => o.is_ne(),
        CompareOp::Lt => o.is_lt(),
        CompareOp::Le => o.is_le(),
        CompareOp::Gt => o.is_gt(),
        CompareOp::Ge => o.is_ge(),
    })
}

/// `left IN rows`: true, false, or unknown because of NULLs.
fn member(
    node: &SubqueryNode,
    rows: &RowStore,
    set: Option<&(Groups, bool)>,
    left: &[Value],
) -> Option<bool> {
    if rows.is_empty() {
        return Some(false);
    }
    if let Some((groups, null)) = set
        && left.iter().all(|v| !v.is_null())
        && left.len() == 1
    {
        let (mut key, mut scratch) = (Vec::new(), Vec::new());
        encode(left[0].as_ref(), node, 0, &mut key, &mut scratch);
        return if groups.find(&key).is_some() {
            Some(true)
        } else if *null {
            None
        } else {
            Some(false)
        };
    }
    let mut unknown = false;
    for n in 0..rows.len() {
        let (batch, row) = rows.at(n);
        let mut truth = Some(true);
        for (i, l) in left.iter().enumerate() {
            match compare(l.as_ref(), batch.columns[i].get(row), node.by.get(i)) {
                None => {
                    if truth == Some(true) {
                        truth = None;
                    }
                }
                Some(o) if o.is_ne() => truth = Some(false),
                Some(_) => {}
            }
        }
        match truth {
            Some(true) => return Some(true),
            None => unknown = true,
            Some(false) => {}
        }
    }
    if unknown { None } else { Some(false) }
}

/// Order of two values of one class; nothing when one is NULL.
#[must_use]
pub fn compare(a: ValueRef<'_>, b: ValueRef<'_>, by: Option<&Comparison>) -> Option<Ordering> {
    if a.is_null() || b.is_null() {
        return None;
    }
    let collation = match by {
        Some(Comparison::Text(c)) => *c,
        _ => charset::binary(),
    };
    if let (ValueRef::Bytes(x), ValueRef::Bytes(y)) = (a, b) {
        return Some(collation.compare(x, y));
    }
    if let (ValueRef::Int(x), ValueRef::UInt(y)) = (a, b) {
        return Some(i128::from(x).cmp(&i128::from(y)));
    }
    if let (ValueRef::UInt(x), ValueRef::Int(y)) = (a, b) {
        return Some(i128::from(x).cmp(&i128::from(y)));
    }
    let (mut x, mut y, mut scratch) = (Vec::new(), Vec::new(), Vec::new());
    sortkey::encode_value(a, collation, &mut x, &mut scratch);
    sortkey::encode_value(b, collation, &mut y, &mut scratch);
    Some(x.cmp(&y))
}
