//! The bytes of dynamic columns: a header, a directory in the order of the columns, their names, their values.
//!
//! The first byte tells whether columns have names (else numbers), and how wide the offsets of the directory are. Then
//! their count, with names the bytes of all names, and for each column where its name begins (or its number), and in one
//! number where its value begins and its type. The value of one ends where that of the next begins.

use super::value::Kind;
use std::borrow::Cow;
use std::cmp::Ordering;

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The bytes are none of dynamic columns.
    Format,
    /// There is no room for so much.
    Limit,
    /// No such name or number can be.
    Data,
    /// The character set of a text is unknown.
    Charset,
}

pub(super) type Outcome<T> = Result<T, Fault>;

/// The bits of the first byte: the width of offsets, and that columns have names.
const WIDTH: u8 = 0x03;
const NAMED: u8 = 0x04;

/// Bytes of a number or of the beginning of a name in the directory.
const KEY: usize = 2;

/// The longest name.
const LONGEST_NAME: usize = 16_383;

/// What a column is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key<'a> {
    /// A number.
    Number(u16),
    /// A name, in UTF-8.
    Name(Cow<'a, [u8]>),
}

impl Key<'_> {
    /// Columns are in the order of their numbers, or of the lengths of their names and then of the names.
    fn order(&self, other: &Key<'_>) -> Ordering {
        match (self, other) {
            (Key::Number(a), Key::Number(b)) => a.cmp(b),
            (Key::Name(a), Key::Name(b)) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
            (Key::Number(_), Key::Name(_)) => Ordering::Less,
            (Key::Name(_), Key::Number(_)) => Ordering::Greater,
        }
    }

    /// The name; that of a number is its digits.
    pub(super) fn name(&self) -> Cow<'_, [u8]> {
        match self {
            Key::Number(n) => Cow::Owned(n.to_string().into_bytes()),
            Key::Name(name) => Cow::Borrowed(name),
        }
    }

    fn into_name<'b>(self) -> Key<'b>
    where
        Self: 'b,
    {
        match self {
            Key::Number(n) => Key::Name(Cow::Owned(n.to_string().into_bytes())),
            Key::Name(name) => Key::Name(Cow::Owned(name.into_owned())),
        }
    }
}

/// A column: what it is called, the type and the bytes of its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column<'a> {
    pub(super) key: Key<'a>,
    pub(super) kind: Kind,
    pub(super) data: Cow<'a, [u8]>,
}

/// What a column is called, and its new value; without one it is taken away.
pub(super) type Change<'a> = (Key<'a>, Option<(Kind, Vec<u8>)>);

/// Dynamic columns whose header was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns<'a> {
    named: bool,
    count: usize,
    /// Bytes of an offset.
    width: usize,
    directory: &'a [u8],
    names: &'a [u8],
    values: &'a [u8],
}

impl<'a> Columns<'a> {
    /// Reads the header; nothing at all has no columns.
    ///
    /// # Errors
    /// Bytes that are none of dynamic columns.
    pub(super) fn read(blob: &'a [u8]) -> Outcome<Columns<'a>> {
        let Some(&flags) = blob.first() else {
            return Ok(Columns { named: false, count: 0, width: 1, directory: &[], names: &[], values: &[] });
        };
        if flags & !(WIDTH | NAMED) != 0 {
            return Err(Fault::Format);
        }
        let named = flags & NAMED != 0;
        let count = usize::from(word(blob, 1)?);
        let (header, names) = if named { (5, usize::from(word(blob, 3)?)) } else { (3, 0) };
        let width = usize::from(flags & WIDTH) + 1 + usize::from(named);
        let split = |bytes: &'a [u8], at: usize| bytes.split_at_checked(at).ok_or(Fault::Format);
        let (_, rest) = split(blob, header)?;
        let (directory, rest) = split(rest, count * (KEY + width))?;
        let (names, values) = split(rest, names)?;
        Ok(Columns { named, count, width, directory, names, values })
    }

    /// Whether the columns have names.
    pub(super) fn named(&self) -> bool {
        self.named
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    fn entry(&self, i: usize) -> Outcome<&'a [u8]> {
        let size = KEY + self.width;
        self.directory.get(i * size..(i + 1) * size).ok_or(Fault::Format)
    }

    /// What column `i` is called.
    pub(super) fn key(&self, i: usize) -> Outcome<Key<'a>> {
        let at = word(self.entry(i)?, 0)?;
        if !self.named {
            return Ok(Key::Number(at));
        }
        let end = match i + 1 < self.count {
            true => usize::from(word(self.entry(i + 1)?, 0)?),
            false => self.names.len(),
        };
        let name = self.names.get(usize::from(at)..end).ok_or(Fault::Format)?;
        Ok(Key::Name(Cow::Borrowed(name)))
    }

    /// Where the value of column `i` begins, and its type.
    fn place(&self, i: usize) -> Outcome<(usize, Kind)> {
        self.offset(i)
            .and_then(|(at, kind)| if at > self.values.len() { Err(Fault::Format) } else { Ok((at, kind)) })
    }

    /// What the directory has of the value of column `i`.
    fn offset(&self, i: usize) -> Outcome<(usize, Kind)> {
        let entry = self.entry(i)?;
        let number = entry[KEY..].iter().rev().fold(0u64, |n, b| n << 8 | u64::from(*b));
        let bits = type_bits(self.named);
        let kind = Kind::from_code((number & ((1 << bits) - 1)) as u8).ok_or(Fault::Format)?;
        let at = usize::try_from(number >> bits).map_err(|_| Fault::Format)?;
        Ok((at, kind))
    }

    /// The type and the bytes of the value of column `i`.
    pub(super) fn value(&self, i: usize) -> Outcome<(Kind, &'a [u8])> {
        let (at, kind) = self.place(i)?;
        let end = if i + 1 < self.count { self.place(i + 1)?.0 } else { self.values.len() };
        Ok((kind, self.values.get(at..end).ok_or(Fault::Format)?))
    }

    /// The type of the value of column `i`, and as many of its bytes as there are: the blob may have been cut.
    fn rest_of_value(&self, i: usize) -> Outcome<(Kind, &'a [u8])> {
        let (at, kind) = self.offset(i)?;
        let all = self.values.len();
        let end = if i + 1 < self.count { self.offset(i + 1)?.0.min(all) } else { all };
        Ok((kind, self.values.get(at.min(end)..end).unwrap_or_default()))
    }

    /// All of column `i`.
    pub(super) fn column(&self, i: usize) -> Outcome<Column<'a>> {
        let (kind, data) = self.value(i)?;
        Ok(Column { key: self.key(i)?, kind, data: Cow::Borrowed(data) })
    }

    /// All columns, which are in order, each once.
    ///
    /// # Errors
    /// Bytes that are none of dynamic columns.
    pub(super) fn checked(&self) -> Outcome<Vec<Column<'a>>> {
        let mut columns: Vec<Column<'a>> = Vec::with_capacity(self.count);
        for i in 0..self.count {
            let column = self.column(i)?;
            if columns.last().is_some_and(|last| last.key.order(&column.key) != Ordering::Less) {
                return Err(Fault::Format);
            }
            columns.push(column);
        }
        Ok(columns)
    }

    /// The place of a column of this name or number, which is sought as the other kind where columns have that.
    pub(super) fn find(&self, key: &Key<'_>) -> Outcome<Option<usize>> {
        let sought = match key {
            Key::Number(_) if self.named => Key::Name(key.name()),
            Key::Name(name) if !self.named => match number_of(name) {
                Some(n) => Key::Number(n),
                None => return Ok(None),
            },
            key => key.clone(),
        };
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.key(middle)?.order(&sought) {
                Ordering::Equal => return Ok(Some(middle)),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}

/// The number that a text is, as C reads one: blanks and a sign may be before its digits, nothing behind them.
fn number_of(text: &[u8]) -> Option<u16> {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    let mut value = 0u64;
    for b in digits {
        if !b.is_ascii_digit() {
            return None;
        }
        value = value.saturating_mul(10).saturating_add(u64::from(b - b'0'));
    }
    let value = if negative { value.wrapping_neg() } else { value };
    Some(value as u16)
}

fn word(bytes: &[u8], at: usize) -> Outcome<u16> {
    match bytes.get(at..at + 2) {
        Some([a, b]) => Ok(u16::from_le_bytes([*a, *b])),
        _ => Err(Fault::Format),
    }
}

fn type_bits(named: bool) -> u32 {
    if named { 4 } else { 3 }
}

/// Bytes of the offsets of so many bytes of values; the greatest offset of each width is not used.
fn width_for(values: usize, named: bool) -> Outcome<usize> {
    let widths = if named { 2..=5 } else { 1..=3 };
    let bits = type_bits(named);
    widths.into_iter().find(|w| (values as u64) < (1u64 << (8 * *w as u32 - bits)) - 1).ok_or(Fault::Limit)
}

/// The bytes of dynamic columns.
///
/// # Errors
/// A name or number that is there twice, a name that is too long, more than there is room for.
pub(super) fn write(mut columns: Vec<Column<'_>>, named: bool) -> Outcome<Vec<u8>> {
    if named {
        for column in &mut columns {
            let key = std::mem::replace(&mut column.key, Key::Number(0));
            column.key = key.into_name();
        }
    }
    columns.sort_by(|a, b| a.key.order(&b.key));
    if columns.windows(2).any(|pair| pair[0].key == pair[1].key) {
        return Err(Fault::Data);
    }
    let name_len = |key: &Key<'_>| if let Key::Name(name) = key { name.len() } else { 0 };
    if columns.iter().any(|c| name_len(&c.key) > LONGEST_NAME) {
        return Err(Fault::Data);
    }
    let count = u16::try_from(columns.len()).map_err(|_| Fault::Limit)?;
    let names = u16::try_from(columns.iter().map(|c| name_len(&c.key)).sum::<usize>());
    let names = names.map_err(|_| Fault::Limit)?;
    let values: usize = columns.iter().map(|c| c.data.len()).sum();
    let width = width_for(values, named)?;

    let size = 5 + columns.len() * (KEY + width) + usize::from(names) + values;
    let mut out = Vec::with_capacity(size);
    out.push((width - 1 - usize::from(named)) as u8 | if named { NAMED } else { 0 });
    out.extend_from_slice(&count.to_le_bytes());
    if named {
        out.extend_from_slice(&names.to_le_bytes());
    }
    let (mut name_at, mut value_at) = (0u16, 0u64);
    for column in &columns {
        let key = if let Key::Number(n) = column.key { n } else { name_at };
        out.extend_from_slice(&key.to_le_bytes());
        let place = value_at << type_bits(named) | u64::from(column.kind.code());
        out.extend_from_slice(&place.to_le_bytes()[..width]);
        // no more than all names have
        name_at = name_at.wrapping_add(name_len(&column.key) as u16);
        value_at += column.data.len() as u64;
    }
    for column in &columns {
        if let Key::Name(name) = &column.key {
            out.extend_from_slice(name);
        }
    }
    for column in &columns {
        out.extend_from_slice(&column.data);
    }
    Ok(out)
}

/// The keys of changes in their order.
///
/// # Errors
/// One that is there twice.
fn once<'a>(changes: &[Change<'a>], named: bool) -> Outcome<Vec<Key<'a>>> {
    let key = |key: &Key<'a>| if named { key.clone().into_name() } else { key.clone() };
    let mut keys: Vec<Key<'a>> = changes.iter().map(|c| key(&c.0)).collect();
    keys.sort_by(Key::order);
    match keys.windows(2).any(|pair| pair[0] == pair[1]) {
        true => Err(Fault::Data),
        false => Ok(keys),
    }
}

fn values_of(changes: Vec<Change<'_>>) -> impl Iterator<Item = Column<'_>> {
    changes
        .into_iter()
        .filter_map(|(key, value)| value.map(|(kind, data)| Column { key, kind, data: Cow::Owned(data) }))
}

/// The columns of `blob` with others in their place or besides them; what has no value is taken away. The bytes stay as
/// they are when there is nothing to take away from.
///
/// # Errors
/// As [`Columns::checked`] and [`write`].
pub(super) fn update(blob: &[u8], changes: Vec<Change<'_>>, named: bool) -> Outcome<Vec<u8>> {
    let columns = Columns::read(blob)?;
    let named = named || columns.named();
    let keys = once(&changes, named)?;
    if columns.len() == 0 && changes.iter().all(|(_, value)| value.is_none()) {
        return Ok(blob.to_vec());
    }
    let mut result = Vec::with_capacity(columns.len() + changes.len());
    for i in 0..columns.len() {
        let key = columns.key(i)?;
        let key = if named { key.into_name() } else { key };
        if keys.binary_search_by(|k| k.order(&key)).is_ok() {
            columns.value(i)?;
            continue;
        }
        let (kind, data) = columns.rest_of_value(i)?;
        result.push(Column { key, kind, data: Cow::Borrowed(data) });
    }
    result.extend(values_of(changes));
    write(result, named)
}

/// Dynamic columns of these names and values; what has no value is left out, though its name counts.
///
/// # Errors
/// As [`write`].
pub(super) fn create(changes: Vec<Change<'_>>, named: bool) -> Outcome<Vec<u8>> {
    once(&changes, named)?;
    write(values_of(changes).collect(), named)
}
