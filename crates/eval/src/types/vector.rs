//! Column vectors: many values of one class, with a null mask. Buffers are reused between
//! batches, so that a steady state allocates nothing.

use super::decimal::Decimal;
use super::decimals::Decimals;
use super::temporal::{DateTime, Time};
use super::value::{Class, Value, ValueRef};
use std::cmp::Ordering;

/// The values of a vector; which variant is used follows from the class.
#[derive(Clone, Debug)]
pub enum Data {
    /// Int, UInt (bit pattern) and the packed temporal classes.
    I64(Vec<i64>),
    /// Double.
    F64(Vec<f64>),
    /// Decimal; in a box, as most vectors have none and all are moved.
    Dec(Box<Decimals>),
    /// Bytes: all values in one buffer; value `i` ends at `ends[i]`.
    Bytes {
        /// The end of each value in `buf`.
        ends: Vec<u32>,
        /// The bytes of all values.
        buf: Vec<u8>,
    },
}

/// Values of one class. A *constant* vector holds one value that stands for every row.
#[derive(Clone, Debug)]
pub struct Vector {
    class: Class,
    data: Data,
    /// One byte a row, 1 = NULL; may be shorter than the data: missing entries are not NULL.
    nulls: Vec<u8>,
    any_null: bool,
    constant: bool,
    len: usize,
}

impl Default for Vector {
    fn default() -> Self {
        Vector::new(Class::Int)
    }
}

impl Vector {
    /// An empty vector of this class.
    #[must_use]
    pub fn new(class: Class) -> Vector {
        Vector { class, data: empty(class), nulls: Vec::new(), any_null: false, constant: false, len: 0 }
    }

    /// A constant vector of one value.
    #[must_use]
    pub fn constant_of(value: ValueRef<'_>) -> Vector {
        let mut v = Vector::new(if value.is_null() { Class::Int } else { value.class() });
        v.push(value);
        v.constant = true;
        v
    }

    /// Empties the vector, keeps its buffers where the class allows, and sets the class.
    pub fn reset(&mut self, class: Class) {
        match (&mut self.data, class) {
            (Data::F64(v), Class::Double) => v.clear(),
            (Data::Dec(v), Class::Decimal) => v.clear(),
            (Data::Bytes { ends, buf }, Class::Bytes) => {
                ends.clear();
                buf.clear();
            }
            (Data::I64(v), c) if !matches!(c, Class::Double | Class::Decimal | Class::Bytes) => v.clear(),
            (d, c) => *d = empty(c),
        }
        self.class = class;
        self.nulls.clear();
        self.any_null = false;
        self.constant = false;
        self.len = 0;
    }

    /// Makes the vector one of this class when it holds nothing but NULLs.
    #[inline]
    pub fn adopt(&mut self, class: Class) {
        if self.class != class && (0..self.len).all(|n| self.is_null(n)) {
            let len = self.len;
            self.reset(class);
            (0..len).for_each(|_| self.push_null());
        }
    }

    /// The class of the values.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class
    }

    /// The number of values held (1 for a constant vector).
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no value is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the one value held stands for every row.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.constant
    }

    /// Makes the one value held stand for every row (or only for itself).
    pub fn set_constant(&mut self, constant: bool) {
        debug_assert!(!constant || self.len == 1);
        self.constant = constant;
    }

    /// Whether any value may be NULL.
    #[must_use]
    pub fn any_null(&self) -> bool {
        self.any_null
    }

    /// Whether value `row` is NULL.
    #[inline]
    #[must_use]
    pub fn is_null(&self, row: usize) -> bool {
        self.any_null && self.nulls.get(self.at(row)).is_some_and(|n| *n != 0)
    }

    #[inline]
    fn at(&self, row: usize) -> usize {
        if self.constant { 0 } else { row }
    }

    /// The data, for loops over whole vectors.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The integers (or packed temporals, or bit patterns of unsigned ones); empty for other classes.
    #[inline]
    #[must_use]
    pub fn i64s(&self) -> &[i64] {
        match &self.data {
            Data::I64(v) => v,
            _ => &[],
        }
    }

    /// The doubles; empty for other classes.
    #[inline]
    #[must_use]
    pub fn f64s(&self) -> &[f64] {
        match &self.data {
            Data::F64(v) => v,
            _ => &[],
        }
    }

    /// The decimals; empty for other classes.
    #[inline]
    #[must_use]
    pub fn decimals(&self) -> &[Decimal] {
        match &self.data {
            Data::Dec(v) => v.all(),
            _ => &[],
        }
    }

    /// The decimals as numbers of one scale, times ten for each of its digits; `None` where they are not short, and for other classes.
    #[inline]
    #[must_use]
    pub fn short_decimals(&self) -> Option<(&[i64], u8)> {
        match &self.data {
            Data::Dec(v) => v.as_short(),
            _ => None,
        }
    }

    /// The number of a short decimal that is not NULL, and its digits after the point; `None` for all others.
    #[inline]
    #[must_use]
    pub fn short_decimal(&self, row: usize) -> Option<(i64, u8)> {
        let (numbers, scale) = self.short_decimals()?;
        (!self.is_null(row)).then(|| (numbers[self.at(row)], scale))
    }

    /// The order of value `i` and value `j` of another vector, both decimals that are not NULL.
    #[inline]
    #[must_use]
    pub fn order_decimals(&self, i: usize, other: &Vector, j: usize) -> Ordering {
        match (&self.data, &other.data) {
            (Data::Dec(a), Data::Dec(b)) => a.order(self.at(i), b, other.at(j)),
            _ => Ordering::Equal,
        }
    }

    /// The bytes of value `row`; empty for NULL and for other classes.
    #[inline]
    #[must_use]
    pub fn bytes(&self, row: usize) -> &[u8] {
        match &self.data {
            Data::Bytes { ends, buf } => {
                let row = self.at(row);
                let start = if row == 0 { 0 } else { ends[row - 1] as usize };
                &buf[start..ends[row] as usize]
            }
            _ => &[],
        }
    }

    /// The `i64` of value `row` (its bit pattern for unsigned and temporal classes).
    #[inline]
    #[must_use]
    pub fn i64(&self, row: usize) -> i64 {
        match &self.data {
            Data::I64(v) => v[self.at(row)],
            _ => 0,
        }
    }

    /// The `f64` of value `row`.
    #[inline]
    #[must_use]
    pub fn f64(&self, row: usize) -> f64 {
        match &self.data {
            Data::F64(v) => v[self.at(row)],
            _ => 0.0,
        }
    }

    /// Value `row`.
    #[inline]
    #[must_use]
    pub fn get(&self, row: usize) -> ValueRef<'_> {
        if self.is_null(row) {
            return ValueRef::Null;
        }
        let i = self.at(row);
        match &self.data {
            Data::I64(v) => {
                let x = v[i];
                match self.class {
                    Class::Int => ValueRef::Int(x),
                    #[allow(clippy::cast_sign_loss)]
                    Class::UInt => ValueRef::UInt(x as u64),
                    Class::Date => ValueRef::Date(DateTime::from_packed(x)),
                    Class::Time => ValueRef::Time(Time::from_packed(x)),
                    Class::DateTime => ValueRef::DateTime(DateTime::from_packed(x)),
                    _ => ValueRef::Null,
                }
            }
            Data::F64(v) => ValueRef::Double(v[i]),
            Data::Dec(v) => ValueRef::Decimal(&v.all()[i]),
            Data::Bytes { .. } => ValueRef::Bytes(self.bytes(row)),
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        let data = match &self.data {
            Data::I64(v) => v.capacity() * 8,
            Data::F64(v) => v.capacity() * 8,
            Data::Dec(v) => v.memory(),
            Data::Bytes { ends, buf } => ends.capacity() * 4 + buf.capacity(),
        };
        data + self.nulls.capacity()
    }

    /// Appends NULL.
    #[inline]
    pub fn push_null(&mut self) {
        if self.nulls.len() < self.len {
            self.nulls.resize(self.len, 0);
        }
        self.nulls.push(1);
        self.any_null = true;
        self.len += 1;
        match &mut self.data {
            Data::I64(v) => v.push(0),
            Data::F64(v) => v.push(0.0),
            Data::Dec(v) => v.push_null(),
            Data::Bytes { ends, buf } => ends.push(offset(buf.len())),
        }
    }

    /// Appends an integer, an unsigned one's bit pattern, or a packed temporal.
    #[inline]
    pub fn push_i64(&mut self, x: i64) {
        if let Data::I64(v) = &mut self.data {
            v.push(x);
            self.len += 1;
        } else {
            debug_assert!(false, "vector of {:?} given an integer", self.class);
            self.push_null();
        }
    }

    /// Appends a double.
    #[inline]
    pub fn push_f64(&mut self, x: f64) {
        if let Data::F64(v) = &mut self.data {
            v.push(x);
            self.len += 1;
        } else {
            debug_assert!(false, "vector of {:?} given a double", self.class);
            self.push_null();
        }
    }

    /// Appends a decimal.
    #[inline]
    pub fn push_decimal(&mut self, x: &Decimal) {
        if let Data::Dec(v) = &mut self.data {
            v.push(x);
            self.len += 1;
        } else {
            debug_assert!(false, "vector of {:?} given a decimal", self.class);
            self.push_null();
        }
    }

    /// Appends a decimal, as the number of a short one and its digits after the point.
    #[inline]
    pub fn push_short_decimal(&mut self, number: i64, scale: u8) {
        match self.short_decimals_mut(scale) {
            Some(numbers) => {
                numbers.push(number);
                self.len += 1;
            }
            None => self.push_decimal(&Decimal::from_short(number, scale)),
        }
    }

    /// Makes room for so many values of so many bytes together.
    pub fn reserve_bytes(&mut self, values: usize, bytes: usize) {
        if let Data::Bytes { ends, buf } = &mut self.data {
            ends.reserve(values);
            buf.reserve(bytes);
        }
    }

    /// Appends bytes.
    #[inline]
    pub fn push_bytes(&mut self, x: &[u8]) {
        if let Data::Bytes { ends, buf } = &mut self.data {
            buf.extend_from_slice(x);
            ends.push(offset(buf.len()));
            self.len += 1;
        } else {
            debug_assert!(false, "vector of {:?} given bytes", self.class);
            self.push_null();
        }
    }

    /// Appends bytes that `write` puts at the end of the buffer it is given; what stands before
    /// must stay. `write` returns false for NULL.
    #[inline]
    pub fn push_bytes_with<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<bool, E>,
    ) -> Result<(), E> {
        let Data::Bytes { ends, buf } = &mut self.data else {
            debug_assert!(false, "vector of {:?} given bytes", self.class);
            self.push_null();
            return Ok(());
        };
        let start = buf.len();
        match write(buf) {
            Ok(true) => {
                ends.push(offset(buf.len()));
                self.len += 1;
                Ok(())
            }
            other => {
                buf.truncate(start);
                self.push_null();
                other.map(|_| ())
            }
        }
    }

    /// Bytes of the values with bytes of their own.
    #[inline]
    #[must_use]
    pub fn byte_len(&self) -> usize {
        match &self.data {
            Data::Bytes { buf, .. } => buf.len(),
            _ => 0,
        }
    }

    /// Appends rows of `from`, a vector of the same class.
    pub fn gather(&mut self, from: &Vector, rows: &[u32]) {
        if let (Data::I64(to), Data::I64(v), false, false) =
            (&mut self.data, &from.data, from.any_null, from.constant)
        {
            to.extend(rows.iter().map(|r| v[*r as usize]));
            self.len += rows.len();
            return;
        }
        if !from.any_null && !from.constant {
            match (&mut self.data, &from.data) {
                (Data::F64(to), Data::F64(v)) => to.extend(rows.iter().map(|r| v[*r as usize])),
                (Data::Dec(to), Data::Dec(v)) => to.gather(v, rows),
                (Data::Bytes { ends, buf }, Data::Bytes { ends: other, buf: bytes }) => {
                    ends.reserve(rows.len());
                    for r in rows {
                        let r = *r as usize;
                        let start = if r == 0 { 0 } else { other[r - 1] as usize };
                        buf.extend_from_slice(&bytes[start..other[r] as usize]);
                        ends.push(offset(buf.len()));
                    }
                }
                _ => return rows.iter().for_each(|r| self.push_from(from, *r as usize)),
            }
            self.len += rows.len();
            return;
        }
        for r in rows {
            self.push_from(from, *r as usize);
        }
    }

    /// Appends rows of several vectors, each given by the vector's number and its own; they lie anywhere in memory.
    pub fn gather_from<'v>(&mut self, from: &[&'v Vector], rows: &[(u32, u32)]) {
        if from.iter().any(|v| v.class != self.class || v.constant) || self.constant {
            return rows.iter().for_each(|(v, r)| self.push_from(from[*v as usize], *r as usize));
        }
        if matches!(self.data, Data::I64(_) | Data::Bytes { .. }) && from.iter().any(|v| v.any_null) {
            self.nulls.resize(self.len, 0);
            self.nulls.extend(rows.iter().map(|(v, r)| u8::from(from[*v as usize].is_null(*r as usize))));
            self.any_null |= self.nulls[self.len..].contains(&1);
        }
        match &mut self.data {
            Data::I64(to) => {
                let lists: Vec<&[i64]> = from.iter().map(|v| v.i64s()).collect();
                to.extend(rows.iter().map(|(v, r)| lists[*v as usize][*r as usize]));
            }
            Data::Bytes { ends, buf } => {
                let lists: Vec<(&[u32], &'v [u8])> = from.iter().map(|v| v.byte_parts()).collect();
                let value = |(v, r): &(u32, u32)| {
                    let (ends, bytes) = lists[*v as usize];
                    let start = if *r == 0 { 0 } else { ends[*r as usize - 1] as usize };
                    &bytes[start..ends[*r as usize] as usize]
                };
                let values: Vec<&[u8]> = rows.iter().map(value).collect();
                // they are looked at before they are copied: so the processor waits for many of them at once
                let looked_at = values
                    .iter()
                    .fold(0, |all, v| all ^ v.first().copied().unwrap_or(0) ^ v.last().copied().unwrap_or(0));
                std::hint::black_box(looked_at);
                buf.reserve(values.iter().map(|v| v.len()).sum());
                ends.reserve(values.len());
                for v in values {
                    buf.extend_from_slice(v);
                    ends.push(offset(buf.len()));
                }
            }
            _ => return rows.iter().for_each(|(v, r)| self.push_from(from[*v as usize], *r as usize)),
        }
        self.len += rows.len();
    }

    /// Where values of bytes end, and the bytes; empty for other classes.
    #[inline]
    fn byte_parts(&self) -> (&[u32], &[u8]) {
        match &self.data {
            Data::Bytes { ends, buf } => (ends, buf),
            _ => (&[], &[]),
        }
    }

    /// Appends a run of rows of `from`.
    pub fn append(&mut self, from: &Vector, rows: std::ops::Range<usize>) {
        if from.constant || self.constant || self.class != from.class {
            return rows.for_each(|r| self.push_from(from, r));
        }
        match (&mut self.data, &from.data) {
            (Data::I64(to), Data::I64(v)) => to.extend_from_slice(&v[rows.clone()]),
            (Data::F64(to), Data::F64(v)) => to.extend_from_slice(&v[rows.clone()]),
            (Data::Dec(to), Data::Dec(v)) => to.append(v, rows.clone()),
            (Data::Bytes { ends, buf }, Data::Bytes { ends: other, buf: bytes }) => {
                let start = if rows.start == 0 { 0 } else { other[rows.start - 1] as usize };
                let end = if rows.is_empty() { start } else { other[rows.end - 1] as usize };
                let base = buf.len();
                buf.extend_from_slice(&bytes[start..end]);
                ends.extend(other[rows.clone()].iter().map(|e| offset(*e as usize - start + base)));
            }
            _ => return rows.for_each(|r| self.push_from(from, r)),
        }
        if from.any_null {
            let marked = from.nulls.get(rows.start.min(from.nulls.len())..rows.end.min(from.nulls.len()));
            let marked = marked.unwrap_or_default();
            if marked.iter().any(|n| *n != 0) {
                self.nulls.resize(self.len, 0);
                self.nulls.extend_from_slice(marked);
                self.any_null = true;
            }
        }
        self.len += rows.len();
    }

    /// Appends a value of the vector's class, or NULL.
    pub fn push(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => self.push_null(),
            ValueRef::Int(v) => self.push_i64(v),
            #[allow(clippy::cast_possible_wrap)]
            ValueRef::UInt(v) => self.push_i64(v as i64),
            ValueRef::Double(v) => self.push_f64(v),
            ValueRef::Decimal(v) => self.push_decimal(v),
            ValueRef::Bytes(v) => self.push_bytes(v),
            ValueRef::Date(v) | ValueRef::DateTime(v) => self.push_i64(v.packed()),
            ValueRef::Time(v) => self.push_i64(v.packed()),
        }
    }

    /// Value `row`, owned.
    #[must_use]
    pub fn value(&self, row: usize) -> Value {
        self.get(row).to_owned()
    }

    /// Appends row `row` of `from`, a vector of the same class.
    #[inline]
    pub fn push_from(&mut self, from: &Vector, row: usize) {
        if from.is_null(row) {
            self.push_null();
            return;
        }
        match (&mut self.data, &from.data) {
            (Data::I64(to), Data::I64(v)) => {
                to.push(v[from.at(row)]);
                self.len += 1;
            }
            (Data::Dec(to), Data::Dec(v)) => {
                to.push_from(v, from.at(row));
                self.len += 1;
            }
            (Data::Bytes { ends, buf }, Data::Bytes { .. }) => {
                buf.extend_from_slice(from.bytes(row));
                ends.push(offset(buf.len()));
                self.len += 1;
            }
            _ => self.push(from.get(row)),
        }
    }

    /// Mutable integers, for loops that fill a whole vector; finish with [`Vector::set_len`].
    pub fn i64s_mut(&mut self) -> &mut Vec<i64> {
        if !matches!(self.data, Data::I64(_)) {
            self.data = Data::I64(Vec::new());
        }
        match &mut self.data {
            Data::I64(v) => v,
            _ => unreachable!("just set"),
        }
    }

    /// Mutable doubles, as [`Vector::i64s_mut`].
    pub fn f64s_mut(&mut self) -> &mut Vec<f64> {
        if !matches!(self.data, Data::F64(_)) {
            self.data = Data::F64(Vec::new());
        }
        match &mut self.data {
            Data::F64(v) => v,
            _ => unreachable!("just set"),
        }
    }

    /// Mutable decimals, as [`Vector::i64s_mut`].
    pub fn decimals_mut(&mut self) -> &mut Vec<Decimal> {
        self.decimal_column().wide_mut()
    }

    /// Mutable decimals as numbers of one scale, where all that the vector has are such; as [`Vector::i64s_mut`].
    pub fn short_decimals_mut(&mut self, scale: u8) -> Option<&mut Vec<i64>> {
        self.decimal_column().short_mut(scale)
    }

    fn decimal_column(&mut self) -> &mut Decimals {
        if !matches!(self.data, Data::Dec(_)) {
            self.data = Data::Dec(Box::default());
        }
        match &mut self.data {
            Data::Dec(v) => v,
            _ => unreachable!("just set"),
        }
    }

    /// States how many values the data holds after it was filled directly.
    pub fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Marks value `row` (already pushed) as NULL.
    pub fn set_null(&mut self, row: usize) {
        if self.nulls.len() <= row {
            self.nulls.resize(row + 1, 0);
        }
        self.nulls[row] = 1;
        self.any_null = true;
    }

    /// The null mask: one byte a row, 1 = NULL; rows past its end are not NULL.
    #[must_use]
    pub fn nulls(&self) -> &[u8] {
        if self.any_null { &self.nulls } else { &[] }
    }
}

/// Where a value ends among the bytes of its vector.
///
/// # Panics
/// Beyond 4 GB, where a smaller number would lead to bytes of other values. The executor begins a new batch long before.
#[inline]
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("a vector of less than 4 GB")
}

fn empty(class: Class) -> Data {
    match class {
        Class::Double => Data::F64(Vec::new()),
        Class::Decimal => Data::Dec(Box::default()),
        Class::Bytes => Data::Bytes { ends: Vec::new(), buf: Vec::new() },
        _ => Data::I64(Vec::new()),
    }
}

/// Rows side by side: one vector per slot, each `len` long (or constant).
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The vectors; an expression's column references name one by its slot.
    pub columns: Vec<Vector>,
    /// The number of rows.
    pub len: usize,
}

impl Batch {
    /// Bytes held.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.columns.iter().map(Vector::memory).sum()
    }

    /// Bytes of the values with bytes of their own.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        self.columns.iter().map(Vector::byte_len).sum()
    }

    /// A batch without columns and with one row: what `SELECT 1+1` is evaluated over.
    #[must_use]
    pub fn one_row() -> Batch {
        Batch { columns: Vec::new(), len: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows taken from several vectors, with and without NULLs, are those pushed one by one.
    #[test]
    fn gathered_rows_are_those_pushed() {
        let text = |n: usize| format!("{:>1$}", n, n % 9);
        for class in [Class::Int, Class::Double, Class::Bytes] {
            for every in [0, 3, 70] {
                let fill = |first: usize| {
                    let mut v = Vector::new(class);
                    for n in first..first + 100 {
                        match class {
                            _ if every > 0 && n % every == 1 => v.push_null(),
                            Class::Int => v.push_i64(n as i64),
                            Class::Double => v.push(ValueRef::Double(n as f64 / 4.0)),
                            _ => v.push_bytes(text(n).as_bytes()),
                        }
                    }
                    v
                };
                let from = [fill(0), fill(100), fill(71)];
                let lists: Vec<&Vector> = from.iter().collect();
                let places: Vec<(u32, u32)> = (0..500).map(|n| (n % 3, n * 31 % 100)).collect();
                let (mut found, mut expected) = (fill(5), fill(5));
                found.gather_from(&lists, &places);
                places.iter().for_each(|(v, row)| expected.push_from(&from[*v as usize], *row as usize));
                assert_eq!(found.len(), expected.len());
                assert!((0..found.len()).all(|row| found.get(row) == expected.get(row)), "{class:?} {every}");
            }
        }
    }
}
