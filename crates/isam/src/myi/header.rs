//! Reading and writing the `.MYI` head: file header, base info, key, segment and column definitions.

use super::{NIL, StateMut, StateOffsets, key_flag, option, seg_flag};
use crate::error::{Error, Result};

const MAGIC: [u8; 4] = [0xFE, 0xFE, 0x07, 0x01];
const STATE_INFO: u16 = 176;
const BASE_INFO: u16 = 100;
const KEYDEF: usize = 12;
const SEGDEF: usize = 18;
const COLDEF: usize = 7;

/// Most keys a table opened here may have.
pub const MAX_KEYS: usize = 64;
/// Most segments of a key (a SPATIAL key stores one more column than it has).
pub const MAX_SEGMENTS: usize = 32;
/// Largest index block.
pub const MAX_BLOCK: u16 = 16384;
/// Largest `max_key_length` that is opened. MyISAM's own keys stay below 1208; those of tables in memory may have 3072 bytes.
pub const MAX_KEY_BUFFER: u16 = 3400;

/// Base info: what CREATE fixed about sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the fields carry the names of the format description, 2.6
pub struct Base {
    pub keystart: u64,
    pub max_data_file_length: u64,
    pub max_key_file_length: u64,
    pub records: u64,
    pub reloc: u64,
    pub mean_row_length: u32,
    pub reclength: u32,
    pub pack_reclength: u32,
    pub min_pack_length: u32,
    pub max_pack_length: u32,
    pub min_block_length: u32,
    pub fields: u32,
    pub pack_fields: u32,
    pub rec_reflength: u8,
    pub key_reflength: u8,
    pub keys: u8,
    pub auto_key: u8,
    pub pack_bits: u16,
    pub blobs: u16,
    pub max_key_block_length: u16,
    pub max_key_length: u16,
}

/// How a column lies in the row image and in a dynamic row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ColumnKind {
    /// Bytes as they are.
    Normal = 0,
    /// Trailing spaces removed when that is shorter.
    SkipEndSpace = 1,
    /// Leading spaces removed when that is shorter.
    SkipPreSpace = 2,
    /// Nothing stored when all bytes are 0.
    SkipZero = 3,
    /// Length and data; nothing when empty.
    Blob = 4,
    /// Compressed tables only.
    Constant = 5,
    /// Compressed tables only.
    Interval = 6,
    /// Compressed tables only.
    Zero = 7,
    /// Length and data.
    Varchar = 8,
    /// Obsolete; as [`ColumnKind::Normal`].
    Check = 9,
}

impl ColumnKind {
    /// The kind with this number.
    #[must_use]
    pub fn from_number(n: u16) -> Option<ColumnKind> {
        use ColumnKind::*;
        Some(match n {
            0 => Normal,
            1 => SkipEndSpace,
            2 => SkipPreSpace,
            3 => SkipZero,
            4 => Blob,
            5 => Constant,
            6 => Interval,
            7 => Zero,
            8 => Varchar,
            9 => Check,
            _ => return None,
        })
    }

    /// Does a column of this kind own a pack bit?
    #[inline]
    #[must_use]
    pub fn has_pack_bit(self) -> bool {
        matches!(
            self,
            ColumnKind::SkipEndSpace | ColumnKind::SkipPreSpace | ColumnKind::SkipZero | ColumnKind::Blob
        )
    }
}

/// A column definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnDefinition {
    /// Kind.
    pub kind: ColumnKind,
    /// Bytes in the row image.
    pub length: u16,
    /// Mask in the NULL byte; 0 = NOT NULL.
    pub null_bit: u8,
    /// Offset of the NULL byte.
    pub null_pos: u16,
}

/// A key segment as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // format description, 2.7
pub struct SegmentDefinition {
    pub ty: u8,
    pub collation: u16,
    pub null_bit: u8,
    pub bit_start: u8,
    pub bit_length: u8,
    pub flag: u16,
    pub length: u16,
    pub start: u32,
    /// NULL byte (nullable) or position of the odd bits (BIT NOT NULL).
    pub null_pos: u32,
}

/// A key definition as stored, with its segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // format description, 2.7
pub struct KeyDefinition {
    pub alg: u8,
    pub flag: u16,
    pub block_length: u16,
    pub keylength: u16,
    pub minlength: u16,
    pub maxlength: u16,
    pub segments: Vec<SegmentDefinition>,
}

/// Everything of the head but the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Option bits ([`option`]), without the store's guard.
    pub options: u16,
    /// `state_info_length` of the file.
    pub state_info_length: u16,
    /// Bytes of all definitions.
    pub header_length: u16,
    /// Low byte of the default collation.
    pub language: u8,
    /// Largest block size / 1024.
    pub max_block_size_index: u8,
    /// Number of FULLTEXT keys.
    pub fulltext_keys: u8,
    /// Base info.
    pub base: Base,
    /// Keys.
    pub keys: Vec<KeyDefinition>,
    /// Columns of the row image, gapless.
    pub columns: Vec<ColumnDefinition>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let end = self.at + N;
        let s = self.bytes.get(self.at..end).ok_or(Error::Format { what: "header is cut off" })?;
        self.at = end;
        let mut out = [0; N];
        out.copy_from_slice(s);
        Ok(out)
    }

    fn u8(&mut self) -> Result<u8> {
        Ok(self.take::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.take()?))
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.take()?))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_be_bytes(self.take()?))
    }
}

fn require(ok: bool, what: &'static str) -> Result<()> {
    if ok { Ok(()) } else { Err(Error::Format { what }) }
}

impl Header {
    /// Length of the header and definitions (`header_length`), read from the first 24 bytes, so that a caller knows
    /// how much to read; fails when these are not the head of a MyISAM index file.
    pub fn length(start: &[u8]) -> Result<usize> {
        require(start.len() >= 24 && start[..4] == MAGIC, "magic number")?;
        Ok(usize::from(u16::from_be_bytes([start[6], start[7]])))
    }

    /// Where the state's fields lie.
    #[must_use]
    pub fn state_offsets(&self) -> StateOffsets {
        let parts: usize = self.keys.iter().map(|k| k.segments.len()).sum();
        StateOffsets::new(
            self.state_info_length,
            self.keys.len() as u8,
            self.max_block_size_index,
            parts as u16,
        )
    }

    /// Parses the head. Every length, count and relation of the format is checked; the state's own values are not.
    pub fn parse(bytes: &[u8]) -> Result<Header> {
        let header_length = Header::length(bytes)?;
        require(bytes.len() >= header_length, "header is cut off")?;
        let mut r = Reader { bytes: &bytes[..header_length], at: 4 };
        let options = r.u16()?;
        require(options & !option::KNOWN == 0, "unknown options")?;
        let options = options & !option::GUARD;
        r.at = 8;
        let state_info_length = r.u16()?;
        let base_info_length = r.u16()?;
        let base_pos = usize::from(r.u16()?);
        let key_parts = r.u16()?;
        let unique_key_parts = r.u16()?;
        let key_count = r.u8()?;
        let uniques = r.u8()?;
        let language = r.u8()?;
        let max_block_size_index = r.u8()?;
        let fulltext_keys = r.u8()?;
        require(state_info_length >= STATE_INFO, "state length")?;
        require(base_info_length >= BASE_INFO, "base info length")?;
        require(usize::from(key_count) <= MAX_KEYS, "too many keys")?;
        require(max_block_size_index <= 16, "block size")?;
        require(uniques == 0 && unique_key_parts == 0, "unique constraints are for internal tables")?;
        let offsets = StateOffsets::new(state_info_length, key_count, max_block_size_index, key_parts);
        require(base_pos == offsets.len(), "position of the base info")?;

        r.at = base_pos;
        let base = Base::read(&mut r)?;
        r.at = base_pos + usize::from(base_info_length);
        require(base.keys == key_count, "number of keys")?;
        require(base.auto_key <= key_count, "AUTO_INCREMENT key")?;
        require((1..=8).contains(&base.rec_reflength), "row pointer size")?;
        require((1..=7).contains(&base.key_reflength), "page pointer size")?;
        require(base.keystart <= 65535 && base.keystart >= header_length as u64, "start of the keys")?;
        require(base.max_key_length <= MAX_KEY_BUFFER, "key length")?;
        let columns_len = base.fields as usize * COLDEF;
        require(base.fields <= 65535 / COLDEF as u32, "number of columns")?;
        let expected = base_pos
            + usize::from(base_info_length)
            + KEYDEF * usize::from(key_count)
            + SEGDEF * usize::from(key_parts)
            + columns_len;
        require(expected <= header_length, "header length")?;

        let mut keys = Vec::with_capacity(usize::from(key_count));
        let mut parts = 0usize;
        for _ in 0..key_count {
            let key = read_key(&mut r)?;
            parts += key.segments.len();
            require(parts <= usize::from(key_parts), "number of key segments")?;
            keys.push(key);
        }
        require(parts == usize::from(key_parts), "number of key segments")?;
        let mut columns = Vec::with_capacity(base.fields as usize);
        for _ in 0..base.fields {
            let kind = ColumnKind::from_number(r.u16()?).ok_or(Error::Format { what: "column type" })?;
            columns.push(ColumnDefinition { kind, length: r.u16()?, null_bit: r.u8()?, null_pos: r.u16()? });
        }
        let header = Header {
            options,
            state_info_length,
            header_length: header_length as u16,
            language,
            max_block_size_index,
            fulltext_keys,
            base,
            keys,
            columns,
        };
        header.check_columns()?;
        header.check_keys()?;
        Ok(header)
    }

    fn check_columns(&self) -> Result<()> {
        let base = &self.base;
        let mut total = 0u64;
        let (mut packed, mut blobs) = (0u32, 0u32);
        for c in &self.columns {
            if c.kind.has_pack_bit() {
                packed += 1;
            }
            match c.kind {
                ColumnKind::Blob => {
                    blobs += 1;
                    require(
                        (9..=12).contains(&c.length) || (5..=8).contains(&c.length),
                        "length of a BLOB column",
                    )?;
                }
                ColumnKind::Varchar => require(c.length >= 1, "length of a VARCHAR column")?,
                ColumnKind::Constant | ColumnKind::Interval | ColumnKind::Zero => {
                    return Err(Error::Format { what: "column type" });
                }
                _ => {}
            }
            if c.null_bit != 0 {
                require(u32::from(c.null_pos) < base.reclength && c.null_bit.is_power_of_two(), "NULL bit")?;
            }
            total += u64::from(c.length);
        }
        require(total <= u64::from(base.reclength), "column lengths")?;
        require(base.reclength <= 1 << 24, "row length")?;
        // MySQL has the number of bytes here that their bits take
        require([packed, packed.div_ceil(8)].contains(&base.pack_fields), "number of packed columns")?;
        require(blobs == u32::from(base.blobs), "number of BLOB columns")?;
        if self.is_fixed() {
            require(base.pack_reclength >= base.reclength && base.pack_reclength <= 1 << 24, "row length")?;
            require(base.pack_reclength > u32::from(base.rec_reflength), "row length")?;
            require(blobs == 0, "BLOB in a table with fixed rows")?;
        } else {
            require(u32::from(base.pack_bits) == packed.div_ceil(8), "bytes of pack bits")?;
        }
        Ok(())
    }

    fn check_keys(&self) -> Result<()> {
        let reclength = self.base.reclength;
        for key in &self.keys {
            let b = key.block_length;
            require((1024..=MAX_BLOCK).contains(&b) && b % 1024 == 0, "key block length")?;
            require(b / 1024 <= u16::from(self.max_block_size_index), "key block length")?;
            require(b <= self.base.max_key_block_length, "key block length")?;
            // Room for at least two entries and the page pointers, else no split can succeed.
            require(
                key.maxlength < MAX_KEY_BUFFER && u32::from(key.maxlength) * 2 + 32 <= u32::from(b),
                "key length",
            )?;
            require(key.keylength <= MAX_KEY_BUFFER, "key length")?;
            if key.flag & (key_flag::FULLTEXT | key_flag::SPATIAL) != 0 {
                continue;
            }
            let mut sum = u32::from(self.base.rec_reflength);
            for s in &key.segments {
                require(s.ty >= 1 && s.ty <= 19, "key segment type")?;
                require(charset::Collation::by_id(s.collation).is_some(), "collation of a key segment")?;
                // of a CHAR(0) that may be NULL only that is in the key
                require(s.length >= 1 || s.null_bit != 0, "key segment length")?;
                sum += u32::from(s.length) + u32::from(s.null_bit != 0);
                if s.null_bit != 0 {
                    require(s.null_pos < reclength, "NULL position of a key segment")?;
                }
                let blob = s.flag & seg_flag::BLOB_PART != 0;
                let var = s.flag & seg_flag::VAR_LENGTH_PART != 0;
                // a virtual column is no part of the row
                let elsewhere = self.options & option::RELIES_ON_SQL_LAYER != 0;
                require(elsewhere || !(blob && self.is_fixed()), "BLOB key in a table with fixed rows")?;
                let bytes = match (blob, var) {
                    (true, _) => {
                        require((1..=4).contains(&s.bit_start), "length bytes of a key segment")?;
                        u32::from(s.bit_start)
                    }
                    (_, true) => {
                        require((1..=2).contains(&s.bit_start), "length bytes of a key segment")?;
                        u32::from(s.bit_start) + u32::from(s.length)
                    }
                    _ if s.flag & seg_flag::BIT_PART != 0 => {
                        require(s.bit_length < 8 && s.bit_start < 8, "bits of a key segment")?;
                        u32::from(s.length) - u32::from(s.bit_length != 0)
                    }
                    _ => u32::from(s.length),
                };
                require(
                    s.start.checked_add(bytes).is_some_and(|e| e <= reclength || elsewhere && e <= 1 << 24),
                    "key segment outside the row",
                )?;
                if s.flag & seg_flag::SWAP_KEY != 0 {
                    require(s.length <= 8, "length of a number in a key")?;
                }
            }
            let fixed = key.flag & (key_flag::VAR_LENGTH_KEY | key_flag::BINARY_PACK_KEY) == 0;
            require(sum == u32::from(key.keylength), "key length")?;
            require(!fixed || key.keylength == key.maxlength, "key length")?;
        }
        Ok(())
    }

    /// Static (fixed length) rows?
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.options & (option::PACK_RECORD | option::COMPRESS_RECORD) == 0
    }

    /// Compressed rows?
    #[must_use]
    pub fn is_compressed(&self) -> bool {
        self.options & option::COMPRESS_RECORD != 0
    }

    /// Makes row pointers in keys so many bytes long: those of a compressed table that had fixed rows are not as the file's head says.
    ///
    /// # Errors
    /// 130 if the keys get too long for their blocks.
    pub fn set_row_pointer(&mut self, bytes: u8) -> Result<()> {
        let old = u16::from(self.base.rec_reflength);
        for key in &mut self.keys {
            for length in [&mut key.keylength, &mut key.minlength, &mut key.maxlength] {
                *length = length
                    .checked_add(u16::from(bytes))
                    .and_then(|length| length.checked_sub(old))
                    .ok_or(Error::Format { what: "key length" })?;
            }
        }
        self.base.rec_reflength = bytes;
        self.check_keys()
    }

    /// The head of a new, empty table, `keystart` bytes long: header, zeroed counters, definitions, padding.
    #[must_use]
    pub fn write_new(&self, version: u32, auto_increment: u64) -> Vec<u8> {
        let offsets = self.state_offsets();
        let mut out = vec![0u8; offsets.len()];
        let parts: usize = self.keys.iter().map(|k| k.segments.len()).sum();
        out[..4].copy_from_slice(&MAGIC);
        out[4..6].copy_from_slice(&self.options.to_be_bytes());
        out[6..8].copy_from_slice(&self.header_length.to_be_bytes());
        out[8..10].copy_from_slice(&STATE_INFO.to_be_bytes());
        out[10..12].copy_from_slice(&BASE_INFO.to_be_bytes());
        out[12..14].copy_from_slice(&(offsets.len() as u16).to_be_bytes());
        out[14..16].copy_from_slice(&(parts as u16).to_be_bytes());
        out[18] = self.keys.len() as u8;
        out[20] = self.language;
        out[21] = self.max_block_size_index;
        out[22] = self.fulltext_keys;
        out[27] = 0xFF;
        let mut state = StateMut::new(&mut out, offsets);
        state.set_dellink(NIL);
        state.set_key_file_length(self.base.keystart);
        state.set_auto_increment(auto_increment);
        let mut part = 0;
        for (i, key) in self.keys.iter().enumerate() {
            state.set_key_root(i, NIL);
            part += key.segments.len();
            if key.flag & key_flag::UNIQUE != 0 && key.flag & key_flag::NULL_PART_KEY == 0 {
                state.set_rec_per_key(part - 1, 1);
            }
        }
        for i in 0..usize::from(self.max_block_size_index) {
            state.set_key_del(i, NIL);
        }
        state.set_version(version);
        state.set_create_time(u64::from(version));
        state.set_key_map(all_keys(self.keys.len()));
        self.write_definitions(&mut out);
        out.resize(self.base.keystart as usize, 0);
        out
    }

    fn write_definitions(&self, out: &mut Vec<u8>) {
        let b = &self.base;
        for v in [b.keystart, b.max_data_file_length, b.max_key_file_length, b.records, b.reloc] {
            out.extend_from_slice(&v.to_be_bytes());
        }
        for v in [
            b.mean_row_length,
            b.reclength,
            b.pack_reclength,
            b.min_pack_length,
            b.max_pack_length,
            b.min_block_length,
            b.fields,
            b.pack_fields,
        ] {
            out.extend_from_slice(&v.to_be_bytes());
        }
        out.extend_from_slice(&[b.rec_reflength, b.key_reflength, b.keys, b.auto_key]);
        for v in [b.pack_bits, b.blobs, b.max_key_block_length, b.max_key_length] {
            out.extend_from_slice(&v.to_be_bytes());
        }
        out.extend_from_slice(&[0; 16]);
        for key in &self.keys {
            out.extend_from_slice(&[key.segments.len() as u8, key.alg]);
            for v in [key.flag, key.block_length, key.keylength, key.minlength, key.maxlength] {
                out.extend_from_slice(&v.to_be_bytes());
            }
            for s in &key.segments {
                let [high, low] = s.collation.to_be_bytes();
                out.extend_from_slice(&[s.ty, low, s.null_bit, s.bit_start, high, s.bit_length]);
                out.extend_from_slice(&s.flag.to_be_bytes());
                out.extend_from_slice(&s.length.to_be_bytes());
                out.extend_from_slice(&s.start.to_be_bytes());
                out.extend_from_slice(&s.null_pos.to_be_bytes());
            }
        }
        for c in &self.columns {
            out.extend_from_slice(&(c.kind as u16).to_be_bytes());
            out.extend_from_slice(&c.length.to_be_bytes());
            out.push(c.null_bit);
            out.extend_from_slice(&c.null_pos.to_be_bytes());
        }
    }

    /// `header_length` these definitions need.
    #[must_use]
    pub fn definitions_length(&self) -> usize {
        let parts: usize = self.keys.iter().map(|k| k.segments.len()).sum();
        self.state_offsets().len()
            + usize::from(BASE_INFO)
            + KEYDEF * self.keys.len()
            + SEGDEF * parts
            + COLDEF * self.columns.len()
    }
}

/// Key map with the lowest `n` bits set.
#[must_use]
pub fn all_keys(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

impl Base {
    fn read(r: &mut Reader<'_>) -> Result<Base> {
        Ok(Base {
            keystart: r.u64()?,
            max_data_file_length: r.u64()?,
            max_key_file_length: r.u64()?,
            records: r.u64()?,
            reloc: r.u64()?,
            mean_row_length: r.u32()?,
            reclength: r.u32()?,
            pack_reclength: r.u32()?,
            min_pack_length: r.u32()?,
            max_pack_length: r.u32()?,
            min_block_length: r.u32()?,
            fields: r.u32()?,
            pack_fields: r.u32()?,
            rec_reflength: r.u8()?,
            key_reflength: r.u8()?,
            keys: r.u8()?,
            auto_key: r.u8()?,
            pack_bits: r.u16()?,
            blobs: r.u16()?,
            max_key_block_length: r.u16()?,
            max_key_length: r.u16()?,
        })
    }
}

fn read_key(r: &mut Reader<'_>) -> Result<KeyDefinition> {
    let count = r.u8()?;
    let mut key = KeyDefinition {
        alg: r.u8()?,
        flag: r.u16()?,
        block_length: r.u16()?,
        keylength: r.u16()?,
        minlength: r.u16()?,
        maxlength: r.u16()?,
        segments: Vec::with_capacity(usize::from(count)),
    };
    require(count >= 1 && usize::from(count) <= MAX_SEGMENTS, "number of key segments")?;
    for _ in 0..count {
        let ty = r.u8()?;
        let low = r.u8()?;
        let null_bit = r.u8()?;
        let bit_start = r.u8()?;
        let high = r.u8()?;
        let bit_length = r.u8()?;
        key.segments.push(SegmentDefinition {
            ty,
            collation: u16::from(high) << 8 | u16::from(low),
            null_bit,
            bit_start,
            bit_length,
            flag: r.u16()?,
            length: r.u16()?,
            start: r.u32()?,
            null_pos: r.u32()?,
        });
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of MySQL 5.0 to 5.7 with two packed columns or more were refused with error 130.
    #[test]
    fn packed_columns_may_be_counted_in_bytes() {
        let column = |kind, length| ColumnDefinition { kind, length, null_bit: 0, null_pos: 0 };
        let mut header = Header {
            options: option::PACK_RECORD,
            state_info_length: STATE_INFO,
            header_length: 0,
            language: 8,
            max_block_size_index: 0,
            fulltext_keys: 0,
            base: Base {
                reclength: 13,
                fields: 3,
                pack_fields: 2,
                pack_bits: 1,
                rec_reflength: 6,
                key_reflength: 4,
                keystart: 1024,
                ..Base::default()
            },
            keys: Vec::new(),
            columns: vec![
                column(ColumnKind::Normal, 1),
                column(ColumnKind::SkipZero, 4),
                column(ColumnKind::SkipEndSpace, 8),
            ],
        };
        header.header_length = header.definitions_length() as u16;
        for (told, fine) in [(2, true), (1, true), (3, false), (0, false)] {
            header.base.pack_fields = told;
            assert_eq!(Header::parse(&header.write_new(1, 0)).is_ok(), fine, "{told}");
        }
    }
}
