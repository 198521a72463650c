//! A row seen through its columns.
//!
//! A row of a fixed table is a slice of the page: columns lie at known offsets. A row of a dynamic table is packed; one pass
//! over it notes where each column's bytes lie ([`Span`]). In both cases a column is a borrowed slice.

use charset::Collation;

use crate::error::{Error, Result};
use crate::myi::{ColumnKind, Header, option};
use schema::definition::{ColumnType, TableDef};
use schema::layout::{Layout, encode_value, engine, zero_value};

/// How trailing padding of a CHAR column is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pad {
    /// 0x20 (all character sets but the wide ones).
    Space,
    /// `00 20` (ucs2, utf16).
    Utf16Be,
    /// `20 00` (utf16le).
    Utf16Le,
    /// `00 00 00 20`.
    Utf32,
}

impl Pad {
    /// Padding of CHAR values of a collation.
    #[must_use]
    pub fn of(collation: &Collation) -> Pad {
        match (collation.charset.mbminlen, collation.charset.name) {
            (4, _) => Pad::Utf32,
            (2, "utf16le") => Pad::Utf16Le,
            (2, _) => Pad::Utf16Be,
            _ => Pad::Space,
        }
    }

    /// The bytes of one space.
    #[must_use]
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Pad::Space => b" ",
            Pad::Utf16Be => b"\0 ",
            Pad::Utf16Le => b" \0",
            Pad::Utf32 => b"\0\0\0 ",
        }
    }

    /// `value` without trailing spaces.
    #[inline]
    #[must_use]
    pub fn trim(self, mut value: &[u8]) -> &[u8] {
        if self == Pad::Space {
            return trim_spaces(value);
        }
        let pad = self.bytes();
        while let Some(rest) = value.strip_suffix(pad) {
            value = rest;
        }
        value
    }
}

/// `value` without trailing 0x20 bytes.
#[inline]
#[must_use]
pub fn trim_spaces(value: &[u8]) -> &[u8] {
    if value.last() == Some(&b' ') { trim_run(value) } else { value }
}

fn trim_run(mut value: &[u8]) -> &[u8] {
    const EIGHT: [u8; 8] = [b' '; 8];
    while let Some(rest) = value.strip_suffix(&EIGHT) {
        value = rest;
    }
    while let Some(rest) = value.strip_suffix(b" ") {
        value = rest;
    }
    value
}

/// What the bytes of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnForm {
    /// A value of fixed length: number, temporal value, DECIMAL, ENUM, BINARY, BIT of whole bytes ...
    Plain,
    /// CHAR, padded.
    Char(Pad),
    /// VARCHAR or VARBINARY with this many length bytes in the image.
    Varchar(u8),
    /// BLOB, TEXT, GEOMETRY with this many length bytes in the image.
    Blob(u8),
    /// BIT(n) with odd bits in the NULL area: position of the first of them (counted in bits from the start of the row) and
    /// their number; the remaining whole bytes lie at the column's offset.
    Bit {
        /// First odd bit.
        at: u32,
        /// Number of odd bits, 1 to 7.
        count: u8,
    },
    /// Not stored (a virtual generated column): NULL in rows that were read, until it is computed. Values of CHAR
    /// columns lose this padding.
    Virtual(Option<Pad>),
}

/// Where a column lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnLayout {
    /// Offset in the row image.
    pub offset: u32,
    /// Bytes in the row image (with length bytes and the BLOB's pointer).
    pub length: u32,
    /// Offset of the NULL byte.
    pub null_pos: u32,
    /// Mask in the NULL byte; 0 = NOT NULL.
    pub null_mask: u8,
    /// Form of the value.
    pub form: ColumnForm,
    /// BIT with odd bits: where its assembled value lies in the scratch.
    pub(crate) bit_at: u32,
}

/// A column definition of the `.MYI` and the column of the table it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredColumn {
    /// Kind of storage in a dynamic row.
    pub kind: ColumnKind,
    /// Offset in the row image.
    pub offset: u32,
    /// Bytes in the row image.
    pub length: u32,
    /// NULL byte.
    pub null_pos: u32,
    /// NULL bit; 0 = NOT NULL.
    pub null_mask: u8,
    /// Number of the column in the table; none for the NULL bytes and other gaps.
    pub column: Option<u32>,
    /// The form of that column.
    pub(crate) form: ColumnForm,
}

/// How rows of a table are laid out.
#[derive(Clone, Debug)]
pub struct RowLayout {
    /// One for each column of the table, in its order.
    pub columns: Vec<ColumnLayout>,
    /// One for each column definition of the `.MYI`.
    pub stored: Vec<StoredColumn>,
    /// Fixed rows (else dynamic or compressed).
    pub fixed: bool,
    /// Bytes of the row image.
    pub reclength: usize,
    /// Distance of fixed rows; room a packed row takes at most.
    pub pack_reclength: usize,
    /// Shortest and longest packed row.
    pub min_pack_length: usize,
    /// See `min_pack_length`.
    pub max_pack_length: u64,
    /// Bytes of pack bits at the start of a packed row.
    pub pack_bits: usize,
    /// CHECKSUM=1.
    pub checksum: bool,
    /// The checksum is made column by column and skips NULL columns.
    pub null_fields: bool,
    /// Bytes of the NULL area.
    pub null_bytes: usize,
    /// Row image whose columns hold the empty values that go with NULL; NULL bits clear, unused bits set.
    pub empty: Vec<u8>,
    /// Bytes of scratch for assembled BIT values.
    pub(crate) bit_bytes: usize,
    /// Columns that have no bytes of their own in a row: BIT of odd bits alone, CHAR(0), BINARY(0).
    pub(crate) bare: Vec<u32>,
    /// Each column has bytes of its own in a row.
    pub(crate) all_stored: bool,
}

/// Where the bytes of a column of a packed row lie.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub start: u32,
    pub len: u32,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Source {
    #[default]
    Null,
    /// In the row's bytes.
    Row,
    /// In the scratch.
    Extra,
    /// `len` zero bytes.
    Zero,
}

/// As many zero bytes as a column of a fixed length may have.
pub(crate) static ZEROS: [u8; 65536] = [0; 65536];

/// Room a row needs while it is looked at; keep one for each table of a statement and reuse it.
#[derive(Debug, Default)]
pub struct RowScratch {
    /// Rows that do not lie together are assembled here.
    pub(crate) row: Vec<u8>,
    /// Room for the page store to assemble a part that crosses pages.
    pub(crate) part: Vec<u8>,
    pub(crate) spans: Vec<Span>,
    pub(crate) extra: Vec<u8>,
}

impl RowScratch {
    /// Bytes it holds.
    #[must_use]
    pub fn size(&self) -> usize {
        let bytes = self.row.capacity() + self.part.capacity() + self.extra.capacity();
        bytes + self.spans.capacity() * size_of::<Span>()
    }

    /// Empty scratch; it grows to the size of the longest row met.
    #[must_use]
    pub fn new() -> RowScratch {
        RowScratch::default()
    }
}

/// A row. `column(i)` are the stored bytes of the column:
/// integers little-endian, temporal types and DECIMAL as in the row image, CHAR without trailing pad spaces,
/// VARCHAR and BLOB data without length, BIT(n) as (n + 7) / 8 big-endian bytes.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    pub(crate) layout: &'a RowLayout,
    pub(crate) bytes: &'a [u8],
    /// Empty for a row image.
    pub(crate) spans: &'a [Span],
    pub(crate) extra: &'a [u8],
    /// The NULL bytes as the file has them; empty for a row that is being made.
    pub(crate) nulls: &'a [u8],
}

impl<'a> RowView<'a> {
    /// A row image (`reclength` bytes). `extra` holds the assembled BIT values ([`assemble_bits`]).
    #[inline]
    pub(crate) fn image(layout: &'a RowLayout, bytes: &'a [u8], extra: &'a [u8]) -> RowView<'a> {
        debug_assert!(bytes.len() >= layout.reclength);
        RowView { layout, bytes, spans: &[], extra, nulls: &bytes[..layout.null_bytes] }
    }

    /// Of a row that was read, its bytes as the data file has them: the image of a fixed row, a packed one with its checksum.
    #[inline]
    #[must_use]
    pub fn stored(&self) -> &'a [u8] {
        if self.layout.fixed { &self.bytes[..self.layout.reclength] } else { self.bytes }
    }

    /// Number of columns.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.columns.len()
    }

    /// A table without columns has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.columns.is_empty()
    }

    /// Layout of the row's table.
    #[must_use]
    pub fn layout(&self) -> &'a RowLayout {
        self.layout
    }

    /// The stored bytes of column `i`, or `None` for NULL.
    #[inline]
    #[must_use]
    pub fn column(&self, i: usize) -> Option<&'a [u8]> {
        if let Some(span) = self.spans.get(i) {
            let (start, len) = (span.start as usize, span.len as usize);
            return match span.source {
                Source::Null => None,
                Source::Row => Some(&self.bytes[start..start + len]),
                Source::Extra => Some(&self.extra[start..start + len]),
                Source::Zero => Some(&ZEROS[..len]),
            };
        }
        let c = &self.layout.columns[i];
        if c.null_mask != 0 && self.bytes[c.null_pos as usize] & c.null_mask != 0 {
            return None;
        }
        let value = &self.bytes[c.offset as usize..(c.offset + c.length) as usize];
        match c.form {
            ColumnForm::Plain => Some(value),
            ColumnForm::Char(pad) => Some(pad.trim(value)),
            ColumnForm::Varchar(1) => {
                let n = usize::from(value[0]);
                Some(&value[1..(1 + n).min(value.len())])
            }
            ColumnForm::Varchar(_) => {
                let n = usize::from(u16::from_le_bytes([value[0], value[1]]));
                Some(&value[2..(2 + n).min(value.len())])
            }
            ColumnForm::Bit { .. } => {
                let at = c.bit_at as usize;
                Some(&self.extra[at..at + 1 + c.length as usize])
            }
            // A row image holds no BLOB data; such tables have packed rows only.
            ColumnForm::Blob(_) | ColumnForm::Virtual(_) => None,
        }
    }

    /// Is column `i` NULL?
    #[inline]
    #[must_use]
    pub fn is_null(&self, i: usize) -> bool {
        if let Some(span) = self.spans.get(i) {
            return span.source == Source::Null;
        }
        let c = &self.layout.columns[i];
        matches!(c.form, ColumnForm::Virtual(_))
            || c.null_mask != 0 && self.bytes[c.null_pos as usize] & c.null_mask != 0
    }
}

impl RowLayout {
    /// Whether rows of this layout and of another one are stored in the same bytes. What these mean is another question: the character sets
    /// of columns, for one, are not looked at.
    #[must_use]
    pub fn is_alike(&self, other: &RowLayout) -> bool {
        let numbers = |l: &RowLayout| {
            (l.fixed, l.checksum, l.null_fields, l.reclength, l.pack_reclength, l.pack_bits, l.null_bytes)
        };
        let lengths = |l: &RowLayout| (l.min_pack_length, l.max_pack_length);
        std::ptr::eq(self, other)
            || numbers(self) == numbers(other)
                && lengths(self) == lengths(other)
                && self.columns == other.columns
                && self.stored == other.stored
    }

    /// The layout of the rows of a table, from its definition and the head of its `.MYI`, which must agree.
    ///
    /// # Errors
    /// 190 if they do not.
    pub fn new(def: &TableDef, layout: &Layout, header: &Header) -> Result<RowLayout> {
        let disagree = |what| Err(Error::Definition { what });
        let mut stored = stored_columns(def, layout, header)?;
        let base = &header.base;
        let fixed = header.is_fixed();
        let reclength = base.reclength as usize;
        if layout.stored_length as usize > reclength || (fixed && layout.dynamic) {
            return disagree("row length");
        }
        let mut empty = vec![0u8; reclength.max(layout.reclength as usize)];
        empty[..layout.null_bytes as usize].fill(0xFF);
        let mut columns = Vec::with_capacity(def.columns.len());
        let mut bit_bytes = 0;
        for (c, place) in def.columns.iter().zip(&layout.columns) {
            if let Some(null) = place.null {
                empty[null.byte as usize] &= !null.mask;
            }
            encode_value(c, place, &zero_value(c), &mut empty);
            let form = column_form(c, place);
            let bit_at = bit_bytes;
            if let ColumnForm::Bit { .. } = form {
                bit_bytes += 1 + place.width;
            }
            let (null_pos, null_mask) = place.null.map_or((0, 0), |n| (n.byte, n.mask));
            columns.push(ColumnLayout {
                offset: if place.stored { place.offset } else { 0 },
                length: if place.stored { place.width } else { 0 },
                null_pos,
                null_mask,
                form,
                bit_at,
            });
        }
        empty.truncate(reclength);
        let null_bytes = layout.null_bytes as usize;
        if null_bytes > reclength {
            return disagree("NULL bytes");
        }
        for s in &mut stored {
            if let Some(c) = s.column {
                s.form = columns[c as usize].form;
            }
        }
        let is_stored = |i: usize| stored.iter().any(|s: &StoredColumn| s.column == Some(i as u32));
        let all_stored = (0..columns.len()).all(is_stored);
        let bare = (0..columns.len())
            .filter(|&i| !matches!(columns[i].form, ColumnForm::Virtual(_)) && !is_stored(i))
            .map(|i| i as u32)
            .collect();
        Ok(RowLayout {
            columns,
            fixed,
            reclength,
            pack_reclength: base.pack_reclength as usize,
            min_pack_length: base.min_pack_length as usize,
            max_pack_length: u64::from(base.max_pack_length),
            pack_bits: usize::from(base.pack_bits),
            checksum: header.options & option::CHECKSUM != 0,
            null_fields: header.options & option::NULL_FIELDS != 0,
            null_bytes,
            empty,
            bit_bytes: bit_bytes as usize,
            bare,
            all_stored,
            stored,
        })
    }

    /// Puts the values of BIT columns with odd bits together; `nulls` are the NULL bytes, `column` gives the whole bytes.
    pub(crate) fn assemble_bits(&self, image: &[u8], extra: &mut Vec<u8>) {
        if self.bit_bytes == 0 {
            return;
        }
        extra.clear();
        for c in &self.columns {
            if let ColumnForm::Bit { at, count } = c.form {
                extra.push(odd_bits(image, at, count));
                extra.extend_from_slice(&image[c.offset as usize..(c.offset + c.length) as usize]);
            }
        }
    }
}

/// `count` bits from bit `at` of the NULL area.
pub(crate) fn odd_bits(nulls: &[u8], at: u32, count: u8) -> u8 {
    let (byte, shift) = ((at / 8) as usize, at % 8);
    let low = u32::from(nulls.get(byte).copied().unwrap_or(0));
    let high = u32::from(nulls.get(byte + 1).copied().unwrap_or(0));
    ((low | high << 8) >> shift) as u8 & ((1u16 << count) - 1) as u8
}

/// Sets `count` bits from bit `at` of the NULL area.
pub(crate) fn set_odd_bits(nulls: &mut [u8], at: u32, count: u8, value: u8) {
    for i in 0..u32::from(count) {
        let bit = at + i;
        if let Some(b) = nulls.get_mut((bit / 8) as usize) {
            let mask = 1u8 << (bit % 8);
            if value >> i & 1 == 1 { *b |= mask } else { *b &= !mask }
        }
    }
}

/// The columns as the head of the `.MYI` describes them.
fn stored_columns(def: &TableDef, layout: &Layout, header: &Header) -> Result<Vec<StoredColumn>> {
    let disagree = |what| Err(Error::Definition { what });
    let described = engine::columns(def, layout);
    if described.len() != header.columns.len() {
        return disagree("number of columns");
    }
    let mut stored = Vec::with_capacity(described.len());
    for (ours, file) in described.iter().zip(&header.columns) {
        let null_ok =
            ours.null_bit == file.null_bit && (file.null_bit == 0 || ours.null_pos == file.null_pos);
        if ours.length != u32::from(file.length) || !null_ok {
            return disagree("columns");
        }
        let same = ours.kind as u16 == file.kind as u16;
        let counted = |k: ColumnKind| matches!(k, ColumnKind::Blob | ColumnKind::Varchar);
        if !same && (counted(file.kind) || matches!(ours.kind as u16, 4 | 8)) {
            return disagree("column types");
        }
        stored.push(StoredColumn {
            kind: file.kind,
            offset: ours.offset,
            length: ours.length,
            null_pos: u32::from(ours.null_pos),
            null_mask: ours.null_bit,
            column: ours.column.map(|c| c as u32),
            form: ColumnForm::Plain,
        });
    }
    Ok(stored)
}

fn column_form(c: &schema::definition::ColumnDef, place: &schema::layout::ColumnLayout) -> ColumnForm {
    let padded =
        matches!(c.ty, ColumnType::Char { .. } | ColumnType::OldVarchar { .. }) && !c.is_binary_string();
    let pad = padded.then(|| Pad::of(c.collation));
    if !place.stored {
        ColumnForm::Virtual(pad)
    } else {
        match c.ty {
            ColumnType::Char { .. } | ColumnType::OldVarchar { .. } if padded => {
                ColumnForm::Char(Pad::of(c.collation))
            }
            ColumnType::Varchar { .. } => ColumnForm::Varchar(place.length_bytes),
            ColumnType::Blob { .. } | ColumnType::Geometry { .. } => ColumnForm::Blob(place.length_bytes),
            _ => match place.odd_bits {
                Some(odd) => ColumnForm::Bit { at: odd.byte * 8 + u32::from(odd.shift), count: odd.count },
                None => ColumnForm::Plain,
            },
        }
    }
}
