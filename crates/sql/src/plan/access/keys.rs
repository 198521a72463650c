//! What a key offers: a look-up by the parts that equal values, or the intervals that conditions leave.

use super::or_null::{EqualOrNull, as_range};
use super::{Candidate, Chooser, Path, has_subquery};
use crate::expr::{CompareOp, Expr, Node};
use crate::plan::estimate::range_rows;
use crate::plan::sarg::{self, ColumnTest, MAX_INTERVALS, RangeCondition};
use crate::plan::{Access, KeyPartValue};
use crate::table::engine::{HASHED_ROWS, KeyOrder};
use crate::table::{KeyInfo, OpenTable, Segment};
use crate::types::{Class, FieldType, Kind, Value};

/// What conditions ask of a table's columns.
#[derive(Default)]
pub(super) struct Tests {
    pub(super) all: Vec<ColumnTest>,
    /// Of columns that equal a value or are NULL.
    pub(super) or_null: Vec<EqualOrNull>,
    /// The share of the rows that meet the conditions on this table alone; told where `or_null` has any.
    pub(super) kept: f64,
    /// A hash table could find the rows.
    pub(super) hashes: bool,
}

/// Leading parts of a key that equal values.
struct Equal {
    parts: Vec<KeyPartValue>,
    condition: RangeCondition,
    answers: Answers,
}

impl Equal {
    fn add(&mut self, part: KeyPartValue) {
        self.condition.parts.extend(as_range(std::slice::from_ref(&part)).parts);
        self.parts.push(part);
    }
}

impl Chooser<'_> {
    /// The best that a key has to offer.
    pub(super) fn key_path(
        &self,
        c: &Candidate<'_>,
        open: &OpenTable,
        k: usize,
        tests: &Tests,
    ) -> Option<Path> {
        let key = &open.keys()[k];
        let equal = self.equal(c, key, tests, true);
        let mut best = self.look_up_path(c, open, k, equal, tests);
        if let Some(found) = best.as_ref().filter(|p| p.is_or_null()) {
            // without NULL: by fewer parts, or by what the intervals leave
            let plain = self.equal(c, key, tests, false);
            let plain = self.look_up_path(c, open, k, plain, tests);
            let other = plain.or_else(|| self.range_path(c, k, key, &tests.all));
            best = other.filter(|other| other.is_better_than_or_null(found, c.rows)).or(best);
        }
        best.or_else(|| self.range_path(c, k, key, &tests.all))
    }

    /// The leading parts of a key that equal one value, one of them or NULL.
    fn equal(&self, c: &Candidate<'_>, key: &KeyInfo, tests: &Tests, or_null: bool) -> Equal {
        let mut equal = Equal {
            parts: Vec::new(),
            condition: RangeCondition { parts: Vec::new() },
            answers: Answers::new(self.settles),
        };
        for seg in &key.segments {
            let found = tests.all.iter().find_map(|t| match &t.test {
                sarg::Sarg::Compare(op, value) if t.column == seg.column => match op {
                    CompareOp::Eq => Some((t, value, false)),
                    CompareOp::NullSafeEq => Some((t, value, true)),
                    _ => None,
                },
                _ => None,
            });
            let is_null =
                tests.all.iter().find(|t| t.column == seg.column && matches!(t.test, sarg::Sarg::IsNull));
            let or_null = || {
                let may = or_null && !(seg.nullable && equal.parts.iter().any(|p| p.or_null));
                tests.or_null.iter().find(|t| may && t.column == seg.column)
            };
            let ty = c.types[seg.column].clone();
            match (found, is_null) {
                (Some((t, value, null_safe)), _) => {
                    let number = !null_safe && is_number_of_text(&ty, value);
                    equal.add(KeyPartValue { value: value.clone(), null_safe, or_null: false, ty });
                    equal.answers.sure &= t.exact && seg.covers();
                    equal.answers.enough &= (t.exact || number) && seg.covers();
                    equal.answers.note(t.condition);
                    if has_subquery(value) {
                        equal.answers.asked.push(t.condition);
                    }
                }
                (None, Some(t)) => {
                    let value = Expr::literal(Value::Null, FieldType::null());
                    equal.add(KeyPartValue { value, null_safe: true, or_null: false, ty });
                    equal.answers.note(t.condition);
                }
                (None, None) => {
                    let Some(t) = or_null() else { break };
                    let sarg::Sarg::Compare(_, value) = &t.test else { break };
                    // the condition is tested again, whatever it is
                    equal.add(KeyPartValue {
                        value: value.clone(),
                        null_safe: false,
                        or_null: seg.nullable,
                        ty,
                    });
                    equal.answers.sure &= t.exact && seg.covers();
                    equal.answers.enough &= t.exact && seg.covers();
                }
            }
            if !seg.covers() {
                break;
            }
        }
        equal
    }

    /// A look-up by the parts of a key that equal values; where a range on the next part reads less, that.
    fn look_up_path(
        &self,
        c: &Candidate<'_>,
        open: &OpenTable,
        k: usize,
        equal: Equal,
        tests: &Tests,
    ) -> Option<Path> {
        let key = &open.keys()[k];
        let Equal { parts, condition, answers } = equal;
        if parts.is_empty() || !self.has_few_nulls(c, open, k, &parts, tests) {
            return None;
        }
        let or_null = parts.iter().any(|p| p.or_null);
        let whole = parts.len() == key.segments.len() && key.segments.iter().all(Segment::covers);
        let unique = whole && key.is_unique() && parts.iter().all(|p| !p.null_safe) && !or_null;
        // a further range on the next part reads less than the lookup alone; intervals know nothing of other tables' rows
        let next = key.segments.get(parts.len());
        let constant = parts.iter().all(|p| p.value.tables() == 0);
        let more = next.is_some_and(|s| tests.all.iter().any(|t| t.column == s.column && constant_test(t)));
        if !unique && !or_null && more && constant {
            return None;
        }
        let looked = if constant && !unique { self.estimated(c, k, &condition, or_null) } else { None };
        let hashed = open.key_order(k) == KeyOrder::Hashed;
        let looked = looked.map(|rows| if hashed { rows.max(HASHED_ROWS as f64) } else { rows });
        let usual = || {
            let of_value = self.lookup_rows(c, open, k, parts.len(), c.rows.max(1.0));
            if or_null { of_value * 2.0 } else { of_value }
        };
        let estimate = if unique { 1.0 } else { looked.unwrap_or_else(usual) };
        // MEMORY never rather reads a whole table.
        let of_row = if hashed { 0.9 } else { 1.2 };
        let mut cost = if unique { 0.5 } else { 1.0 + estimate * of_row };
        if or_null && constant {
            cost = cost.max(self.least_cost(c, estimate));
        }
        // Rows of one hashed value come as in MEMORY: the newest first, which has the last place.
        let descending = hashed && !unique;
        let looked = Path {
            access: Access::Lookup { key: k, parts, unique, descending },
            rows: estimate,
            cost,
            answered: answers.of(unique),
            possible: Vec::new(),
            ranged: None,
        };
        let range = if more && !unique && !or_null { self.range_path(c, k, key, &tests.all) } else { None };
        Some(range.filter(|range| range.cost < looked.cost).unwrap_or(looked))
    }

    /// The rows of a look-up by constants.
    fn estimated(
        &self,
        c: &Candidate<'_>,
        k: usize,
        condition: &RangeCondition,
        or_null: bool,
    ) -> Option<f64> {
        if or_null {
            self.dive.and_then(|dive| dive(c, k, condition))
        } else {
            (self.estimate)(c, k, condition, false)
        }
    }

    /// The key read by the intervals that the conditions leave.
    pub(super) fn range_path(
        &self,
        c: &Candidate<'_>,
        k: usize,
        key: &KeyInfo,
        tests: &[ColumnTest],
    ) -> Option<Path> {
        let (condition, answered) = range_condition(c, key, tests)?;
        let estimate = (self.estimate)(c, k, &condition, true)
            .unwrap_or_else(|| range_rows(&condition, c.rows.max(1.0)));
        Some(Path {
            access: Access::Range { key: k, condition, descending: false },
            rows: estimate,
            cost: 1.0 + estimate * 1.2,
            answered,
            possible: Vec::new(),
            ranged: None,
        })
    }

    fn lookup_rows(&self, c: &Candidate<'_>, open: &OpenTable, k: usize, parts: usize, rows: f64) -> f64 {
        let per_key = c.state.as_ref().map(|s| s.rec_per_key(open.keys()[k].first_part + parts - 1));
        match per_key {
            _ if open.key_order(k) == KeyOrder::Hashed => HASHED_ROWS as f64,
            Some(n) if n > 0 => f64::from(n),
            // no statistics yet: a guess that prefers longer matches
            _ => (rows / 10f64.powi(parts as i32)).clamp(1.0, 100.0).min(rows),
        }
    }
}

/// The intervals of a key that tests of constants leave, and the conditions that they answer.
pub(super) fn range_condition(
    c: &Candidate<'_>,
    key: &KeyInfo,
    tests: &[ColumnTest],
) -> Option<(RangeCondition, Vec<usize>)> {
    let mut condition = RangeCondition { parts: Vec::new() };
    let mut answered = Vec::new();
    let mut sure = true;
    let mut product = 1usize;
    for seg in &key.segments {
        let mine: Vec<&ColumnTest> =
            tests.iter().filter(|t| t.column == seg.column && constant_test(t)).collect();
        if mine.is_empty() {
            break;
        }
        let points = mine.iter().any(|t| t.test.only_points());
        let count = mine.iter().map(|t| t.test.count()).min().unwrap_or(1);
        if !condition.parts.is_empty() && product.saturating_mul(count) > MAX_INTERVALS {
            break;
        }
        product = product.saturating_mul(count);
        if seg.covers() && sure {
            let known = |t: &&&ColumnTest| !t.test.values().into_iter().any(has_subquery);
            answered.extend(mine.iter().filter(|t| t.exact).filter(known).map(|t| t.condition));
        }
        sure &= mine.iter().any(|t| t.exact && t.test.only_points());
        condition.parts.push((c.types[seg.column].clone(), mine.iter().map(|t| t.test.clone()).collect()));
        if !points || !seg.covers() {
            break;
        }
    }
    if condition.parts.is_empty() {
        return None;
    }
    Some((condition, answered))
}

impl Path {
    /// Whether the path gives one value or several for each part of the key.
    pub(super) fn names_all_parts(&self, key: &KeyInfo) -> bool {
        match &self.access {
            Access::Lookup { parts, .. } => parts.len() == key.segments.len(),
            Access::Range { condition, .. } => {
                condition.parts.len() == key.segments.len()
                    && condition.parts.iter().all(|(_, tests)| tests.iter().any(sarg::Sarg::only_points))
            }
            _ => false,
        }
    }
}

/// The conditions that a look-up answers while the parts of its key are gone through.
struct Answers {
    exact: Vec<usize>,
    settled: Vec<usize>,
    /// Those with a value that a subquery answers: tested again, but for a unique key, as in the reference.
    asked: Vec<usize>,
    /// Behind a part whose value may turn out to have no image, the key may say nothing.
    sure: bool,
    /// The same where numbers given as texts count as what they are.
    enough: bool,
}

impl Answers {
    fn new(settles: bool) -> Answers {
        Answers { exact: Vec::new(), settled: Vec::new(), asked: Vec::new(), sure: true, enough: settles }
    }

    fn note(&mut self, condition: usize) {
        if self.sure {
            self.exact.push(condition);
        }
        if self.enough {
            self.settled.push(condition);
        }
    }

    /// Those that need not be looked at again. A row of a unique key is read while it is planned, and looked at then.
    fn of(self, unique: bool) -> Vec<usize> {
        if unique {
            return self.exact;
        }
        let mut all = if self.settled.len() < self.exact.len() { self.exact } else { self.settled };
        all.retain(|condition| !self.asked.contains(condition));
        all
    }
}

/// Whether a value is the number that a text constant is: a key of the column finds those equal to it, and no other. MariaDB
/// looks at a BIGINT again.
fn is_number_of_text(column: &FieldType, value: &Expr) -> bool {
    let class = match column.kind {
        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::Decimal => Class::Decimal,
        Kind::Double => Class::Double,
        _ => return false,
    };
    matches!(value.node, Node::Once(..)) && value.ty.class() == class
}

/// Whether a test's values are constants of the statement (not of tables before).
pub(super) fn constant_test(t: &ColumnTest) -> bool {
    fn constant(s: &sarg::Sarg) -> bool {
        let known = |e: &Expr| e.tables() == 0;
        match s {
            sarg::Sarg::Compare(_, e) | sarg::Sarg::Like(e, _) => known(e),
            sarg::Sarg::Between(a, b) | sarg::Sarg::NotBetween(a, b) => known(a) && known(b),
            sarg::Sarg::In(list) | sarg::Sarg::NotIn(list) => list.iter().all(known),
            sarg::Sarg::IsNull | sarg::Sarg::IsNotNull => true,
            sarg::Sarg::Or(list) | sarg::Sarg::And(list) => list.iter().all(constant),
        }
    }
    constant(&t.test)
}
