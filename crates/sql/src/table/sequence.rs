//! SEQUENCE: tables whose names say their rows, `seq_1_to_10`, `seq_1_to_100_step_3`, `seq_10_to_1`. They are in every
//! database and have one column `seq`, their primary key.

use schema::definition::{ColumnDef, ColumnType, DefaultValue, KeyDef, KeyKind, TableDef};

use super::reader::{Reader, Reading};
use super::virtual_table::{KnownRange, Limit, ScanRequest, VirtualTable};
use crate::error::{self, SqlError, SqlResult};
use crate::types::{Batch, FieldType, Value, Vector};

/// A table of equidistant numbers.
#[derive(Clone, Debug)]
pub struct Sequence {
    name: String,
    columns: Vec<(String, FieldType)>,
    numbers: Numbers,
}

/// Equidistant numbers: `least`, `least + step`, ... `greatest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    least: u64,
    greatest: u64,
    step: u64,
    /// From the greatest to the least.
    falling: bool,
}

/// `seq_1_to_10`, `seq_1_to_10_step_2`: the three numbers. Numbers beyond 64 bits are the greatest of them.
fn parse(name: &str) -> Option<(u64, u64, u64)> {
    let (first, rest) = name.strip_prefix("seq_")?.split_once("_to_")?;
    let (last, step) = match rest.split_once("_step_") {
        Some((last, step)) => (last, step),
        None => (rest, "1"),
    };
    let number = |digits: &str| {
        let digital = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        digital.then(|| digits.parse().unwrap_or(u64::MAX))
    };
    Some((number(first)?, number(last)?, number(step)?))
}

/// Whether a name is that of a sequence.
#[must_use]
pub fn is_sequence(name: &str) -> bool {
    parse(name).is_some()
}

impl Sequence {
    /// The sequence of that name, if it is one.
    ///
    /// # Errors
    /// 1030 for a step of 0.
    pub fn open(name: &str) -> SqlResult<Option<Sequence>> {
        let Some((first, last, step)) = parse(name) else { return Ok(None) };
        if step == 0 {
            return Err(SqlError::new(error::ER_GET_ERRNO, &[&"140 \"Wrong create options\"", &"SEQUENCE"]));
        }
        let (least, most) = (first.min(last), first.max(last));
        // A falling sequence holds the numbers of the rising one.
        let greatest = most - (most - least) % step;
        let mut ty = FieldType::bigint(true).with_nullable(false);
        ty.length = 20;
        let numbers = Numbers { least, greatest, step, falling: first > last };
        Ok(Some(Sequence { name: name.to_owned(), columns: vec![("seq".to_owned(), ty)], numbers }))
    }
}

/// The definition of a sequence, to be shown.
#[must_use]
pub fn definition(collation: &'static charset::Collation) -> TableDef {
    let mut def = TableDef::new("SEQUENCE", collation);
    let mut seq = ColumnDef::new("seq", ColumnType::LongLong, collation);
    seq.nullable = false;
    seq.unsigned = true;
    seq.width = 20;
    seq.default = DefaultValue::None;
    def.columns.push(seq);
    def.keys.push(KeyDef::new("PRIMARY", KeyKind::Primary, &[0]));
    def
}

impl VirtualTable for Sequence {
    fn columns(&self) -> &[(String, FieldType)] {
        &self.columns
    }

    fn own_name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn estimate(&self) -> f64 {
        self.numbers.count() as f64
    }

    fn primary(&self) -> Option<usize> {
        Some(0)
    }

    fn ends(&self) -> Option<KnownRange> {
        let Numbers { least, greatest, .. } = self.numbers;
        Some(KnownRange { rows: self.numbers.count(), least, greatest })
    }

    fn rows(&self, asked: &ScanRequest) -> SqlResult<Box<dyn Reader>> {
        Ok(Box::new(self.numbers_of(asked)))
    }
}

impl Sequence {
    /// The numbers that are asked for.
    fn numbers_of(&self, asked: &ScanRequest) -> Stream {
        let mut numbers = Some(self.numbers);
        for (_, limit) in &asked.limits {
            let (low, high) = match limit {
                Limit::Equal(v) => (floor(v), ceiling(v)),
                Limit::Between(low, high) => (low.as_ref().and_then(floor), high.as_ref().and_then(ceiling)),
                Limit::OneOf(list) => {
                    let lows: Option<Vec<i128>> = list.iter().map(floor).collect();
                    let highs: Option<Vec<i128>> = list.iter().map(ceiling).collect();
                    (lows.and_then(|l| l.into_iter().min()), highs.and_then(|h| h.into_iter().max()))
                }
            };
            // Rows of a range come in rising order, as by the key.
            numbers = numbers.and_then(|n| n.within(low, high)).map(|n| Numbers { falling: false, ..n });
        }
        Stream { numbers, next: None, over: false }
    }
}

/// The greatest whole number not above a value, if it is a number.
fn floor(v: &Value) -> Option<i128> {
    match v {
        Value::Int(x) => Some(i128::from(*x)),
        Value::UInt(x) => Some(i128::from(*x)),
        // As far as doubles are exact; beyond, the whole is read.
        Value::Double(x) if x.abs() < 9e15 => Some(x.floor() as i128),
        _ => None,
    }
}

fn ceiling(v: &Value) -> Option<i128> {
    match v {
        Value::Double(x) if x.abs() < 9e15 => Some(x.ceil() as i128),
        v => floor(v),
    }
}

impl Numbers {
    /// How many; one too few when they are all of 64 bits.
    fn count(self) -> u64 {
        ((self.greatest - self.least) / self.step).saturating_add(1)
    }

    /// Those between two bounds.
    fn within(self, low: Option<i128>, high: Option<i128>) -> Option<Numbers> {
        let (least, greatest, step) =
            (i128::from(self.least), i128::from(self.greatest), i128::from(self.step));
        let low = low.map_or(least, |low| least + ((low - least).max(0) + step - 1) / step * step);
        let high = high.map_or(greatest, |high| greatest.min(high));
        if low > high {
            return None;
        }
        let high = low + (high - low) / step * step;
        Some(Numbers { least: u64::try_from(low).ok()?, greatest: u64::try_from(high).ok()?, ..self })
    }
}

/// A position in a sequence.
struct Stream {
    /// None when no row is asked for.
    numbers: Option<Numbers>,
    next: Option<u64>,
    over: bool,
}

impl Stream {
    fn one(&mut self) -> Option<u64> {
        let numbers = self.numbers.filter(|_| !self.over)?;
        let (first, last) = match numbers.falling {
            true => (numbers.greatest, numbers.least),
            false => (numbers.least, numbers.greatest),
        };
        let value = self.next.unwrap_or(first);
        self.over = value == last;
        if !self.over {
            self.next = Some(if numbers.falling { value - numbers.step } else { value + numbers.step });
        }
        Some(value)
    }
}

impl Reader for Stream {
    fn fill(&mut self, reading: &Reading<'_>, out: &mut Batch, most: usize) -> SqlResult<bool> {
        while out.len < most {
            let Some(value) = self.one() else { return Ok(false) };
            for (_, slot, _) in reading.columns {
                let column: &mut Vector = &mut out.columns[*slot];
                column.push_i64(value.cast_signed());
            }
            out.len += 1;
        }
        Ok(true)
    }

    fn rewind(&mut self) {
        self.next = None;
        self.over = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(name: &str, limits: Vec<Limit>) -> Vec<u64> {
        let table = Sequence::open(name).expect("a step").expect("a sequence");
        let asked = ScanRequest { columns: vec![0], limits: limits.into_iter().map(|l| (0, l)).collect() };
        let mut rows = table.numbers_of(&asked);
        let mut pulled = Vec::new();
        for _ in 0..2 {
            pulled.push(std::iter::from_fn(|| rows.one()).collect::<Vec<u64>>());
            rows.rewind();
        }
        assert_eq!(pulled[0], pulled[1], "after going back");
        pulled.remove(0)
    }

    #[test]
    fn names_say_the_rows() {
        assert_eq!(all("seq_1_to_5", vec![]), [1, 2, 3, 4, 5]);
        assert_eq!(all("seq_5_to_1", vec![]), [5, 4, 3, 2, 1]);
        assert_eq!(all("seq_1_to_10_step_3", vec![]), [1, 4, 7, 10]);
        assert_eq!(all("seq_10_to_1_step_4", vec![]), [9, 5, 1]);
        assert_eq!(all("seq_7_to_7_step_9", vec![]), [7]);
        let top = format!("seq_{}_to_{}_step_2", u64::MAX - 3, u64::MAX);
        assert_eq!(all(&top, vec![]), [u64::MAX - 3, u64::MAX - 1]);
        for other in
            ["seq_1_to_", "seq_a_to_3", "SEQ_1_TO_2", "seq_1_to_2_step_", "seq_-1_to_2", "xseq_1_to_2"]
        {
            assert!(!is_sequence(other), "{other}");
        }
        assert!(Sequence::open("seq_1_to_2_step_0").is_err());
    }

    #[test]
    fn limits_leave_out_rows() {
        let int = Value::Int;
        let between = |a, b| Limit::Between(Some(Value::Int(a)), Some(Value::Int(b)));
        assert_eq!(all("seq_1_to_100_step_3", vec![between(8, 20)]), [10, 13, 16, 19]);
        assert_eq!(all("seq_10_to_1", vec![between(8, 20)]), [8, 9, 10]);
        assert_eq!(all("seq_1_to_9", vec![between(-5, 2), Limit::Equal(int(2))]), [2]);
        assert_eq!(all("seq_1_to_9", vec![Limit::Equal(int(10))]), [0; 0]);
        assert_eq!(all("seq_1_to_9", vec![between(-9, -1)]), [0; 0]);
        assert_eq!(all("seq_1_to_9", vec![Limit::OneOf(vec![int(3), int(5)])]), [3, 4, 5]);
        assert_eq!(all("seq_1_to_9", vec![Limit::Equal(Value::Double(3.5))]), [3, 4]);
        assert_eq!(all("seq_1_to_9", vec![Limit::OneOf(vec![])]), all("seq_1_to_9", vec![]));
    }
}
