//! The second pass: the head, and the codes of all rows.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use super::choose::{Choice, Symbols};
use super::huffman::{Code, CodeTree, bits_of};
use super::{Pass, ROWS_A_TURN, each, stored_value};
use crate::TableFormat;
use crate::error::{Error, Result};
use crate::myi::ColumnKind;
use crate::row::RowView;
use crate::row::compressed::bits::BitWriter;
use crate::row::compressed::{Base, FLAG_SELECTED, FLAG_SPACES, FLAG_ZERO_FILL, HEAD, MAGIC, TRAILER};
use crate::source::PageSource;

/// Bytes of the longest row that is written: its length has four.
const LONGEST_ROW: u64 = u32::MAX as u64;

/// The compressed data file.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    /// The first bytes of the file, which are known when all rows are written: they belong to its beginning.
    pub head: Vec<u8>,
    /// Rows.
    pub rows: u64,
    /// Bytes of the head and the rows, without what follows them.
    pub length: u64,
    /// Sum of the rows' checksums.
    pub checksum: u32,
    /// Bytes of the shortest row and of the longest.
    pub row_lengths: (u64, u64),
    /// Trees of the columns, and those that are left when columns share them.
    pub trees: (usize, usize),
}

struct Coder<'a> {
    choices: &'a [Choice],
    numbers: Vec<HashMap<&'a [u8], usize>>,
    trees: &'a [CodeTree],
    bits: BitWriter,
    /// Bytes of the BLOBs of the row.
    blobs: u64,
}

/// Writes the file; [`Packed::head`] stands for zeros at its beginning.
pub(super) fn write<S: PageSource>(
    format: &TableFormat,
    rows: &S,
    (choices, symbols): (&[Choice], &[Symbols]),
    (out, path): (&mut dyn Write, &Path),
    progress: &mut dyn FnMut(Pass) -> bool,
) -> Result<Packed> {
    let layout = &*format.layout;
    let has_blobs = layout.stored.iter().any(|s| s.kind == ColumnKind::Blob);
    let trees: Vec<CodeTree> = symbols
        .iter()
        .map(|symbols| match symbols {
            Symbols::Bytes(counts) => CodeTree::of_bytes(&counts[..]),
            Symbols::Values(n) => {
                let counts: Vec<u64> = choices[*n].values.iter().map(|(_, n)| *n).collect();
                CodeTree::new(&counts)
            }
        })
        .collect();
    let mut head = head(choices, symbols, &trees);
    let put = |out: &mut dyn Write, bytes: &[u8]| {
        out.write_all(bytes).map_err(|e| Error::Pages(pages::Error::io(path, "write", e)))
    };
    put(out, &head)?;
    let numbers = choices.iter().map(Choice::numbers).collect();
    let mut coder = Coder { choices, numbers, trees: &trees, bits: BitWriter::default(), blobs: 0 };
    let mut packed = Packed { length: head.len() as u64, ..Packed::default() };
    packed.row_lengths = (u64::MAX, 0);
    packed.trees = (choices.len(), trees.len());
    let (mut prefix, mut longest_prefix) = (Vec::new(), 0);
    each(format, rows, |row, scratch| {
        let checksum = coder.row(row, layout.null_fields, scratch)?;
        packed.checksum = packed.checksum.wrapping_add(checksum);
        let len = coder.bits.bytes.len() as u64;
        prefix.clear();
        put_length(len, &mut prefix);
        if has_blobs {
            put_length(coder.blobs, &mut prefix);
        }
        if len.max(coder.blobs) > LONGEST_ROW {
            return Err(Error::RowTooBig);
        }
        put(out, &prefix)?;
        put(out, &coder.bits.bytes)?;
        longest_prefix = longest_prefix.max(prefix.len());
        packed.length += prefix.len() as u64 + len;
        packed.row_lengths = (packed.row_lengths.0.min(len), packed.row_lengths.1.max(len));
        packed.rows += 1;
        Ok(!packed.rows.is_multiple_of(ROWS_A_TURN) || progress(Pass::Write(packed.rows)))
    })?;
    put(out, &[0; TRAILER as usize])?;
    if packed.rows == 0 {
        packed.row_lengths = (0, 0);
    }
    head[8..12].copy_from_slice(&(packed.row_lengths.0 as u32).to_le_bytes());
    head[12..16].copy_from_slice(&(packed.row_lengths.1 as u32).to_le_bytes());
    head[26] = longest_prefix.max(1) as u8;
    head[27] = pointer_bytes(packed.length + TRAILER);
    packed.head = head;
    Ok(packed)
}

/// Bytes of row pointers into a file of this length.
fn pointer_bytes(length: u64) -> u8 {
    bits_of(length + 1).div_ceil(8).max(2) as u8
}

fn head(choices: &[Choice], symbols: &[Symbols], trees: &[CodeTree]) -> Vec<u8> {
    let mut bits = BitWriter::default();
    bits.bytes.resize(HEAD, 0);
    let tree_bits = bits_of(trees.len().saturating_sub(1) as u64).max(1);
    for choice in choices {
        bits.put(choice.base as u64, 5);
        bits.put(u64::from(choice.flags), 6);
        bits.put(u64::from(choice.length_bits), 5);
        bits.put(choice.tree as u64, tree_bits);
    }
    bits.align();
    let (mut elements, mut table_bytes) = (0, 0);
    for (tree, symbols) in trees.iter().zip(symbols) {
        let table: Option<Vec<u8>> = match symbols {
            Symbols::Bytes(_) => None,
            Symbols::Values(n) => {
                Some(choices[*n].values.iter().flat_map(|(value, _)| value.iter().copied()).collect())
            }
        };
        tree.write(table.as_deref(), &mut bits);
        elements += tree.elements;
        table_bytes += table.map_or(0, |t| t.len());
    }
    let mut head = bits.bytes;
    let length = head.len() as u32;
    head[..3].copy_from_slice(&MAGIC);
    head[3] = 2;
    head[4..8].copy_from_slice(&length.to_le_bytes());
    head[16..20].copy_from_slice(&(elements as u32).to_le_bytes());
    head[20..24].copy_from_slice(&(table_bytes as u32).to_le_bytes());
    head[24..26].copy_from_slice(&(trees.len() as u16).to_le_bytes());
    head
}

pub(super) fn put_length(n: u64, out: &mut Vec<u8>) {
    match n {
        0..=253 => out.push(n as u8),
        254..=65535 => {
            out.push(254);
            out.extend_from_slice(&(n as u16).to_le_bytes());
        }
        _ => {
            out.push(255);
            out.extend_from_slice(&(n as u32).to_le_bytes());
        }
    }
}

impl Coder<'_> {
    /// Codes a row into `bits`, and gives its checksum.
    fn row(&mut self, row: &RowView<'_>, null_fields: bool, scratch: &mut Vec<u8>) -> Result<u32> {
        self.bits.bytes.clear();
        self.blobs = 0;
        let mut checksum = crc32fast::Hasher::new();
        for (n, stored) in row.layout.stored.iter().enumerate() {
            let value = stored_value(row, stored, scratch);
            let skipped = null_fields
                && stored.null_mask != 0
                && stored.column.is_some_and(|c| row.is_null(c as usize));
            if !skipped {
                checksum.update(value);
            }
            self.value(n, value).ok_or_else(|| Error::row(0, "the table changed while it was compressed"))?;
        }
        self.bits.align();
        Ok(checksum.finalize())
    }

    fn bytes(&mut self, tree: usize, value: &[u8]) -> Option<()> {
        let codes = &self.trees[tree].codes;
        for b in value {
            let Code { bits, length } = *codes.get(usize::from(*b))?;
            if length == 0 {
                return None;
            }
            self.bits.put(bits, length);
        }
        Some(())
    }

    fn value(&mut self, n: usize, value: &[u8]) -> Option<()> {
        let choice = &self.choices[n];
        let has = |flag: u8| choice.flags & flag != 0;
        match choice.base {
            Base::Constant | Base::Zero => return Some(()),
            Base::Interval => {
                let number = *self.numbers[n].get(value)?;
                let code = self.trees[choice.tree].codes[number];
                self.bits.put(code.bits, code.length);
                return Some(());
            }
            Base::Blob | Base::Varchar => {
                self.bits.put(u64::from(value.is_empty()), 1);
                if !value.is_empty() {
                    self.bits.put(value.len() as u64, choice.length_bits);
                }
                if choice.base == Base::Blob {
                    self.blobs += value.len() as u64;
                }
                return self.bytes(choice.tree, value);
            }
            _ => {}
        }
        let told = match choice.base {
            Base::SkipZero => Some(value.iter().all(|b| *b == 0)),
            _ if has(FLAG_SPACES) => Some(value.iter().all(|b| *b == b' ')),
            _ => None,
        };
        if let Some(told) = told {
            self.bits.put(u64::from(told), 1);
            if told {
                return Some(());
            }
        }
        let at_end = choice.base == Base::EndSpace;
        if at_end || choice.base == Base::PreSpace {
            let spaces = match at_end {
                true => value.iter().rev().take_while(|b| **b == b' ').count(),
                false => value.iter().take_while(|b| **b == b' ').count(),
            };
            if has(FLAG_SELECTED) {
                self.bits.put(u64::from(spaces >= choice.enough), 1);
                if spaces < choice.enough {
                    return self.bytes(choice.tree, value);
                }
            }
            self.bits.put(spaces as u64, choice.length_bits);
            let rest = if at_end { &value[..value.len() - spaces] } else { &value[spaces..] };
            return self.bytes(choice.tree, rest);
        }
        let zeros = if has(FLAG_ZERO_FILL) { choice.length_bits as usize } else { 0 };
        self.bytes(choice.tree, value.get(..value.len() - zeros)?)
    }
}
