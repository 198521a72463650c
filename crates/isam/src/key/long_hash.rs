//! Long unique keys (UNIQUE over BLOB, TEXT and columns longer than a key): the tree holds a hash of the values, and equal hashes are
//! looked at.

use charset::{Collation, SortHash};
use schema::definition::{ColumnDef, ColumnType, KeyDef, TableDef};

use crate::row::RowView;

/// How a column's value goes into the hash.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// The bytes as they are stored.
    Bytes,
    /// Numbers, which are hashed as if their bytes were text of this collation.
    Number(&'static Collation),
    /// Text of this collation.
    Text(&'static Collation),
}

/// A column of a long unique key.
#[derive(Clone, Debug)]
struct Part {
    column: usize,
    form: Form,
    /// Most bytes of the value that count, by characters in text.
    most: Option<usize>,
    /// What is missing of a value of fixed length is filled up to so many bytes with this one.
    fill: Option<(usize, u8)>,
}

/// What a long unique key makes of a row.
#[derive(Clone, Debug)]
pub struct LongHash {
    parts: Vec<Part>,
    /// It is known how MariaDB hashes the values.
    is_known: bool,
}

impl LongHash {
    /// Of a key of a table.
    #[must_use]
    pub fn new(def: &TableDef, key: &KeyDef) -> LongHash {
        let mut is_known = true;
        let mut parts = Vec::with_capacity(key.parts.len());
        for part in &key.parts {
            let (part, known) = Part::new(&def.columns[part.column], part.column, part.prefix);
            is_known &= known;
            parts.push(part);
        }
        LongHash { parts, is_known }
    }

    /// Whether it is known how MariaDB hashes the values.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.is_known
    }

    /// The hash of a row's values; none when one of them is NULL: such rows are in nobody's way.
    #[must_use]
    pub fn of(&self, row: &RowView<'_>) -> Option<u32> {
        let mut hash = SortHash::default();
        for part in &self.parts {
            let value = part.value(row)?;
            part.add(value, &mut hash);
        }
        Some(hash.value())
    }

    /// Whether two rows have equal values, none of them NULL.
    #[must_use]
    pub fn same(&self, a: &RowView<'_>, b: &RowView<'_>) -> bool {
        self.parts.iter().all(|part| match (part.value(a), part.value(b), part.form) {
            (Some(a), Some(b), Form::Text(collation)) => collation.compare(a, b).is_eq(),
            (Some(a), Some(b), _) => a == b,
            _ => false,
        })
    }
}

/// What partitioning by KEY makes of a row.
#[derive(Clone, Debug)]
pub struct PartitionHash {
    parts: Vec<Part>,
}

impl PartitionHash {
    /// Of these columns; `old` is ALGORITHM = 1, where numbers and ENUM are bytes.
    #[must_use]
    pub fn new(def: &TableDef, columns: &[usize], old: bool) -> PartitionHash {
        let part = |n: &usize| {
            let (part, _) = Part::new(&def.columns[*n], *n, None);
            let form = if old && matches!(part.form, Form::Number(_)) { Form::Bytes } else { part.form };
            Part { form, ..part }
        };
        PartitionHash { parts: columns.iter().map(part).collect() }
    }

    /// The columns, by their numbers.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().map(|p| p.column)
    }

    /// The hash of a row's values.
    #[must_use]
    pub fn of(&self, row: &RowView<'_>) -> u64 {
        let mut hash = SortHash::default();
        for part in &self.parts {
            match row.column(part.column) {
                Some(value) => part.add(value, &mut hash),
                None => hash.null(),
            }
        }
        u64::from(hash.value())
    }
}

impl Part {
    /// A column, and whether it is known how its values are hashed.
    fn new(column: &ColumnDef, number: usize, prefix: Option<u16>) -> (Part, bool) {
        let numbers = Collation::by_id(8);
        let mut is_known = numbers.is_some();
        let text = column.collation;
        let form = match &column.ty {
            ColumnType::Tiny
            | ColumnType::Short
            | ColumnType::Int24
            | ColumnType::Long
            | ColumnType::LongLong
            | ColumnType::Float { .. }
            | ColumnType::Double { .. }
            | ColumnType::Decimal { .. }
            | ColumnType::Year => numbers.map_or(Form::Bytes, Form::Number),
            ColumnType::Date
            | ColumnType::Time { .. }
            | ColumnType::DateTime { .. }
            | ColumnType::Timestamp { .. }
            | ColumnType::Enum { .. }
            | ColumnType::Set { .. } => Form::Bytes,
            ColumnType::Char { .. } | ColumnType::Varchar { .. } | ColumnType::Blob { .. } => {
                is_known &= text.has_sort_hash();
                Form::Text(text)
            }
            _ => {
                is_known = false;
                Form::Bytes
            }
        };
        let fill = match column.ty {
            ColumnType::Char { bytes } if text.is_binary() => Some((usize::from(bytes), 0)),
            ColumnType::Char { bytes } if !text.pad_space => Some((usize::from(bytes), b' ')),
            _ => None,
        };
        // two bytes are no space of these sets
        is_known &= fill.is_none_or(|(_, byte)| byte == 0 || text.charset.mbminlen == 1);
        (Part { column: number, form, most: prefix.map(usize::from), fill }, is_known)
    }

    /// Adds a value to a hash.
    fn add(&self, value: &[u8], hash: &mut SortHash) {
        match self.form {
            Form::Bytes => hash.bytes(value),
            Form::Number(collation) => collation.add_to_hash(value, hash),
            Form::Text(collation) => match self.fill.filter(|(length, _)| value.len() < *length) {
                Some((length, byte)) => {
                    let mut filled = value.to_vec();
                    filled.resize(length, byte);
                    collation.add_to_hash(&filled, hash);
                }
                None => collation.add_to_hash(value, hash),
            },
        }
    }

    /// As much of the column's value as counts.
    fn value<'r>(&self, row: &'r RowView<'_>) -> Option<&'r [u8]> {
        let value = row.column(self.column)?;
        let Some(most) = self.most.filter(|most| *most < value.len()) else { return Some(value) };
        let end = match self.form {
            Form::Text(collation) => {
                let chars = most / usize::from(collation.charset.mbmaxlen.max(1));
                collation.charset.prefix(value, chars).min(value.len())
            }
            _ => most,
        };
        Some(&value[..end])
    }
}
