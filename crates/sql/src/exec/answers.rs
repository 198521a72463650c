//! What correlated subqueries answered before. Outer rows that are alike in all that a subquery refers to have one answer, so it is run
//! for the first of them (`subquery_cache` of `optimizer_switch`).

use super::groups::Groups;
use super::spool::put_value;
use super::subquery::Runner;
use crate::error::SqlResult;
use crate::expr::{EvalContext, SubqueryKind, SubqueryNode};
use crate::memory::Budget;
use crate::plan::SubqueryPlan;
use crate::types::{Class, Value};

/// After so many runs it is looked whether the answers are found again.
const FIRST_LOOK: u64 = 200;

/// From then on one of so many rows must have found its answer.
const WORTH: u64 = 5;

/// The answers of one subquery.
pub(super) struct Answers {
    /// What the outer rows were, byte by byte: texts that a collation takes for equal are not.
    rows: Groups,
    answers: Vec<Value>,
    /// Bytes of the texts among them.
    texts: usize,
    found: u64,
    missed: u64,
    /// Room for what an outer row is.
    key: Vec<u8>,
    budget: Budget,
    /// No row looks for an answer any more.
    given_up: bool,
}

impl Answers {
    fn new(budget: &Budget) -> Answers {
        Answers {
            rows: Groups::default(),
            answers: Vec::new(),
            texts: 0,
            found: 0,
            missed: 0,
            key: Vec::new(),
            budget: budget.clone(),
            given_up: false,
        }
    }

    fn find<'v>(&mut self, values: impl Iterator<Item = &'v Value>) -> Option<&Value> {
        if self.missed >= FIRST_LOOK && self.found * (WORTH - 1) < self.missed {
            // what is held goes back to the budget
            *self = Answers { given_up: true, ..Answers::new(&self.budget) };
            return None;
        }
        self.key.clear();
        for value in values {
            put_value(value.as_ref(), Class::Null, &mut self.key);
        }
        let found = self.rows.find(&self.key);
        *(if found.is_some() { &mut self.found } else { &mut self.missed }) += 1;
        found.map(|n| &self.answers[n])
    }

    /// Keeps the answer for the row that was looked for last, if there is room.
    fn keep(&mut self, answer: &Value) {
        let held = self.rows.memory() + self.answers.capacity() * size_of::<Value>() + self.texts;
        if self.given_up || self.budget.exceeds_table(held + self.key.len()) {
            return;
        }
        if self.rows.insert(&self.key).1 {
            self.texts += if let Value::Bytes(b) = answer { b.len() } else { 0 };
            self.answers.push(answer.clone());
        }
    }
}

impl<'p> Runner<'_, 'p, '_> {
    /// The answer for the outer row whose values are in `ctx`: that of a row before which was alike, or of a run.
    pub(super) fn found_or_known(
        &self,
        sub: &'p SubqueryPlan,
        node: &SubqueryNode,
        left: &[Value],
        ctx: &mut EvalContext,
    ) -> SqlResult<Value> {
        if !sub.repeats || !self.is_for_many() || ctx.measures() {
            return self.found(&sub.plan, node, left, ctx);
        }
        let exec = self.exec();
        // of a row of values each has answers of its own
        let column = if let SubqueryKind::Column(n) = node.kind { n } else { 0 };
        let at = (std::ptr::from_ref(sub).addr(), column);
        {
            let memory = &mut *exec.memory.borrow_mut();
            let answers = memory.answers.entry(at).or_insert_with(|| Answers::new(&ctx.budget));
            if !answers.given_up {
                let known = answers.find(ctx.statement.outer.iter().chain(left)).cloned();
                let mut counters = exec.counters.borrow_mut();
                *(if known.is_some() {
                    &mut counters.answers_found
                } else {
                    &mut counters.answers_missed
                }) += 1;
                if let Some(known) = known {
                    return Ok(known);
                }
            }
        }
        let answer = self.found(&sub.plan, node, left, ctx)?;
        if let Some(answers) = exec.memory.borrow_mut().answers.get_mut(&at) {
            answers.keep(&answer);
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(answers: &mut Answers, row: i64) -> Option<Value> {
        let found = answers.find([Value::Int(row)].iter()).cloned();
        if found.is_none() {
            answers.keep(&Value::Bytes(row.to_string().into()));
        }
        found
    }

    #[test]
    fn answers_are_those_of_equal_rows() {
        let mut answers = Answers::new(&Budget::default());
        for round in 0..3 {
            for row in 0..100 {
                let known = look(&mut answers, row);
                assert_eq!(known, (round > 0).then(|| Value::Bytes(row.to_string().into())));
            }
        }
        for (a, b) in [
            (Value::Bytes(b"a".to_vec()), Value::Bytes(b"A".to_vec())),
            (Value::Int(1), Value::UInt(1)),
            (Value::Double(0.0), Value::Double(-0.0)),
            (Value::Null, Value::Int(0)),
        ] {
            let mut answers = Answers::new(&Budget::default());
            assert!(answers.find([a].iter()).is_none());
            answers.keep(&Value::Int(7));
            assert!(answers.find([b].iter()).is_none());
        }
    }

    #[test]
    fn answers_that_nobody_finds_are_given_up() {
        let mut answers = Answers::new(&Budget::default());
        assert!((0..10_000).all(|row| look(&mut answers, row).is_none()));
        assert!(answers.given_up && answers.answers.is_empty());
    }

    #[test]
    fn no_more_are_kept_than_there_is_room() {
        let budget = Budget { table: 4096, ..Budget::default() };
        let mut answers = Answers::new(&budget);
        // each row twice: half of them are found as long as there is room
        for row in 0..10_000 {
            look(&mut answers, row / 2);
        }
        assert!(answers.answers.len() < 200, "{}", answers.answers.len());
    }
}
