//! Reading the key section.

use super::FrmError;
use super::bytes::{Bytes, Cursor, text};
use super::codes::key as flag;
use crate::definition::{KeyAlgorithm, KeyDef, KeyKind, KeyPart, TableDef};
use crate::layout::{engine, key_length};

/// A key as the file has it; parts not yet tied to columns.
pub(super) struct RawKey {
    flags: u16,
    algorithm: u8,
    block_size: u16,
    parts: Vec<RawPart>,
    name: String,
    comment: String,
}

struct RawPart {
    /// 1-based number of the column.
    column: u16,
    descending: bool,
    length: u16,
}

impl RawKey {
    pub(super) fn has_parser(&self) -> bool {
        self.flags & flag::PARSER != 0
    }
}

pub(super) fn read(section: Bytes<'_>, level: u8) -> Result<Vec<RawKey>, FrmError> {
    let mut at = Cursor::new(section);
    let (first, second) = (at.u8()?, at.u8()?);
    let count = if first & 0x80 != 0 {
        usize::from(first & 0x7f) | usize::from(second) << 7
    } else {
        usize::from(first)
    };
    at.slice(4)?;
    // A key takes 4 bytes and more: check before anything is reserved for it.
    if count > section.len() / 4 {
        return Err(section.corrupt(0, "more keys than the section can hold"));
    }
    let mut keys = Vec::with_capacity(count);
    for _ in 0..count {
        let (flags, parts, algorithm, block_size) = if level >= 3 {
            let flags = at.u16()? ^ flag::UNIQUE;
            at.u16()?;
            (flags, usize::from(at.u8()?), at.u8()?, at.u16()?)
        } else {
            let flags = u16::from(at.u8()?) ^ flag::UNIQUE;
            at.u16()?;
            (flags, usize::from(at.u8()?), 0, 0)
        };
        let mut key = RawKey {
            flags,
            algorithm,
            block_size,
            parts: Vec::with_capacity(parts.min(32)),
            name: String::new(),
            comment: String::new(),
        };
        for _ in 0..parts {
            let column = at.u16()? & 0x3fff;
            at.u16()?;
            let (descending, length) = if level >= 1 {
                let descending = at.u8()? & 0x80 != 0;
                at.u16()?;
                (descending, at.u16()?)
            } else {
                let length = at.u8()?;
                at.u16()?;
                (length > 128, u16::from(length & 0x7f))
            };
            key.parts.push(RawPart { column, descending, length });
        }
        keys.push(key);
    }
    if count > 0 {
        let names = at.zero_terminated()?;
        let names = names
            .strip_prefix(b"\xff")
            .and_then(|n| n.strip_suffix(b"\xff"))
            .ok_or_else(|| at.corrupt("key names not between their marks"))?;
        let mut names = names.split(|&b| b == 0xff);
        for key in &mut keys {
            let name = names.next().ok_or_else(|| at.corrupt("fewer key names than keys"))?;
            key.name = text(name);
        }
        if names.next().is_some() {
            return Err(at.corrupt("more key names than keys"));
        }
        for key in &mut keys {
            if key.flags & flag::COMMENT != 0 {
                let len = at.u16()?;
                key.comment = text(at.slice(usize::from(len))?);
            }
        }
    }
    Ok(keys)
}

/// Ties the parts to the columns of `def`.
pub(super) fn resolve(
    def: &TableDef,
    raw: Vec<RawKey>,
    parsers: &[String],
    index_flags: Option<&[u8]>,
) -> Result<Vec<KeyDef>, FrmError> {
    let corrupt = |what| FrmError::Corrupt { offset: 6, what };
    if index_flags.is_some_and(|flags| flags.len() != raw.len()) {
        return Err(corrupt("index flags for another number of keys"));
    }
    let mut parsers = parsers.iter();
    let mut keys = Vec::with_capacity(raw.len());
    for (number, raw) in raw.into_iter().enumerate() {
        let kind = if raw.flags & flag::FULLTEXT != 0 {
            KeyKind::Fulltext
        } else if raw.flags & flag::SPATIAL != 0 {
            KeyKind::Spatial
        } else if raw.flags & flag::UNIQUE == 0 {
            KeyKind::Plain
        } else if number == 0 && raw.name.eq_ignore_ascii_case("PRIMARY") {
            KeyKind::Primary
        } else {
            KeyKind::Unique
        };
        let mut key = KeyDef {
            kind,
            parts: Vec::with_capacity(raw.parts.len()),
            algorithm: match raw.algorithm {
                _ if kind == KeyKind::Fulltext => KeyAlgorithm::Fulltext,
                1 => KeyAlgorithm::Btree,
                2 => KeyAlgorithm::Rtree,
                3 => KeyAlgorithm::Hash,
                5 => KeyAlgorithm::LongHash,
                _ => KeyAlgorithm::Default,
            },
            // Without the flag the field may hold what the engine chose.
            block_size: match raw.flags & flag::BLOCK_SIZE {
                0 => 0,
                _ => raw.block_size,
            },
            comment: raw.comment,
            parser: None,
            ignored: index_flags.is_some_and(|flags| flags[number] & 1 != 0),
            generated: raw.flags & flag::GENERATED != 0,
            engine_options: Vec::new(),
            name: raw.name,
        };
        if raw.flags & flag::PARSER != 0 {
            key.parser = parsers.next().cloned();
        }
        if raw.parts.is_empty() {
            return Err(corrupt("a key without parts"));
        }
        for (j, part) in raw.parts.iter().enumerate() {
            let column = usize::from(part.column).wrapping_sub(1);
            let Some(found) = def.columns.get(column) else {
                return Err(corrupt("a key over a column that is not there"));
            };
            key.parts.push(KeyPart { column, prefix: None, descending: part.descending });
            if kind == KeyKind::Spatial {
                continue;
            }
            let length = u32::from(part.length);
            if length == engine::part_length(def, &key, j) {
                continue;
            }
            if !found.ty.is_blob() && length > key_length(found) {
                return Err(corrupt("a key part longer than its column"));
            }
            key.parts[j].prefix = Some(part.length);
        }
        keys.push(key);
    }
    let hash_keys = keys.iter().filter(|k| k.algorithm == KeyAlgorithm::LongHash).count();
    if hash_keys != def.columns.iter().filter(|c| c.is_hash()).count() {
        return Err(corrupt("hash columns and long unique keys differ in number"));
    }
    Ok(keys)
}
