//! Fields of a text file that go into their columns as they are: short numbers, and texts that need no conversion. What is not of this kind goes
//! the long way ([`Target::set`]), which knows all rules and warnings.

use charset::Collation;

use super::target::Target;
use crate::plan::change::WriteSchema;
use crate::types::Kind;
use crate::types::store;
use schema::definition::ColumnType;

/// How a column takes such fields.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlainField {
    /// Not at all.
    No,
    /// Digits.
    Integer,
    /// Texts of so many bytes at most, each of which may be a character.
    Text {
        /// Those.
        most: usize,
        /// ASCII is the same in the file and in the column.
        ascii: bool,
        /// The file has the column's character set, of one byte a character or UTF-8.
        same: bool,
    },
}

impl PlainField {
    /// Fields of a file with this collation in a column.
    pub fn of(schema: &WriteSchema, column: usize, file: &'static Collation) -> PlainField {
        let to = &schema.columns[column];
        if schema.rules.as_ref().is_some_and(|r| r.is_generated(column)) {
            return PlainField::No;
        }
        let own = to.ty.collation;
        match (to.ty.kind, &to.stored) {
            (Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong, _)
                if file.charset.is_ascii_compatible() =>
            {
                PlainField::Integer
            }
            (kind, ColumnType::Char { bytes } | ColumnType::Varchar { bytes })
                if own.id != 63 && to.ty.is_string() && kind != Kind::Bit =>
            {
                let both = |test: fn(&Collation) -> bool| test(own) && test(file);
                PlainField::Text {
                    most: *bytes as usize / usize::from(own.charset.mbmaxlen.max(1)),
                    ascii: both(|c| c.charset.is_ascii_compatible() && c.charset.mbminlen == 1),
                    same: own.charset.name == file.charset.name,
                }
            }
            _ => PlainField::No,
        }
    }

    /// Puts a field into the column of the new row, if it is plain.
    #[inline]
    pub fn set(self, column: usize, bytes: &[u8], target: &mut Target) -> bool {
        match self {
            PlainField::No => false,
            PlainField::Integer => {
                let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
                let negative = digits.len() < bytes.len();
                !digits.is_empty()
                    && digits.iter().all(u8::is_ascii_digit)
                    && target.set_stored(column, |to, out| store::store_digits(digits, negative, to, out))
            }
            PlainField::Text { most, ascii, same } => {
                bytes.len() <= most
                    && target.set_stored(column, |to, out| {
                        let plain = ascii && bytes.is_ascii()
                            || same && to.ty.collation.charset.well_formed_len(bytes) == bytes.len();
                        if plain {
                            out.extend_from_slice(bytes);
                        }
                        plain
                    })
            }
        }
    }
}
