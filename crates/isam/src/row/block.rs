//! Blocks of a dynamic data file: reading their headers, and rows made of them.

use super::pack::unpack;
use super::view::{RowLayout, RowScratch, RowView, Span};
use crate::error::{Error, Result};
use crate::source::PageSource;

/// Longest header, and shortest block.
pub(crate) const MIN_BLOCK: u64 = 20;
/// Longest block.
pub(crate) const MAX_BLOCK: u64 = (1 << 24) - 4;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Deleted; `next` and `prev` link the chain.
    Deleted { prev: u64 },
    /// A whole row.
    Row,
    /// The beginning of a row that goes on at `next`.
    First,
    /// A part that goes on at `next`.
    Middle,
    /// The last part of a row.
    Last,
}

/// A block's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub kind: BlockKind,
    /// Bytes of the header.
    pub header: u64,
    /// Bytes of the whole row (first part only).
    pub row: u64,
    /// Bytes of the row in this block.
    pub data: u64,
    /// Bytes of the block.
    pub total: u64,
    /// Next part, or next deleted block.
    pub next: u64,
}

#[inline]
fn be(b: &[u8]) -> u64 {
    b.iter().fold(0, |n, &x| n << 8 | u64::from(x))
}

/// Reads the header of the block at `offset` from at least its bytes; `bytes` may be cut at the end of the file.
#[inline]
pub(crate) fn parse(bytes: &[u8], offset: u64) -> Result<Block> {
    let bad = || Error::row(offset, "wrong bytes at the start of a block");
    let kind = *bytes.first().ok_or_else(bad)?;
    let header = match kind {
        0 => 20,
        1 | 7 => 3,
        2 | 3 | 8 | 9 => 4,
        4 | 10 => 5,
        5 => 13,
        6 => 15,
        11 => 11,
        12 => 12,
        13 => 16,
        _ => return Err(bad()),
    };
    let b = bytes.get(..header).ok_or_else(bad)?;
    let (row, data, unused, next, kind) = match kind {
        0 => {
            let total = be(&b[1..4]);
            if total < MIN_BLOCK || !total.is_multiple_of(4) {
                return Err(bad());
            }
            (0, 0, total - 20, be(&b[4..12]), BlockKind::Deleted { prev: be(&b[12..20]) })
        }
        1 => (be(&b[1..3]), be(&b[1..3]), 0, 0, BlockKind::Row),
        2 => (be(&b[1..4]), be(&b[1..4]), 0, 0, BlockKind::Row),
        3 => (be(&b[1..3]), be(&b[1..3]), u64::from(b[3]), 0, BlockKind::Row),
        4 => (be(&b[1..4]), be(&b[1..4]), u64::from(b[4]), 0, BlockKind::Row),
        5 => (be(&b[1..3]), be(&b[3..5]), 0, be(&b[5..13]), BlockKind::First),
        6 => (be(&b[1..4]), be(&b[4..7]), 0, be(&b[7..15]), BlockKind::First),
        7 => (0, be(&b[1..3]), 0, 0, BlockKind::Last),
        8 => (0, be(&b[1..4]), 0, 0, BlockKind::Last),
        9 => (0, be(&b[1..3]), u64::from(b[3]), 0, BlockKind::Last),
        10 => (0, be(&b[1..4]), u64::from(b[4]), 0, BlockKind::Last),
        11 => (0, be(&b[1..3]), 0, be(&b[3..11]), BlockKind::Middle),
        12 => (0, be(&b[1..4]), 0, be(&b[4..12]), BlockKind::Middle),
        _ => (be(&b[1..5]), be(&b[5..8]), 0, be(&b[8..16]), BlockKind::First),
    };
    let header = header as u64;
    Ok(Block { kind, header, row, data, total: header + data + unused, next })
}

/// The header of the block at `offset`, which must lie inside the data file of `len` bytes.
#[inline]
pub(crate) fn read<S: PageSource>(src: &S, offset: u64, len: u64, scratch: &mut Vec<u8>) -> Result<Block> {
    if !offset.is_multiple_of(4) || offset.checked_add(MIN_BLOCK).is_none_or(|end| end > len) {
        return Err(Error::row(offset, "link points outside the data file"));
    }
    let run = src.data_run(offset)?;
    let block = if run.len() >= MIN_BLOCK as usize {
        parse(run, offset)?
    } else {
        parse(src.data(offset, MIN_BLOCK as usize, scratch)?, offset)?
    };
    if offset + block.total > len {
        return Err(Error::row(offset, "block reaches beyond the data file"));
    }
    Ok(block)
}

/// The row that starts with `block` at `offset`.
#[inline]
pub(crate) fn row<'a, S: PageSource>(
    layout: &'a RowLayout,
    src: &'a S,
    offset: u64,
    block: &Block,
    len: u64,
    scratch: &'a mut RowScratch,
) -> Result<RowView<'a>> {
    let RowScratch { row, part, spans, extra } = scratch;
    if block.row > layout.max_pack_length || block.row > len {
        return Err(Error::row(offset, "row is too long"));
    }
    let bytes: &'a [u8] = match block.kind {
        BlockKind::Row => {
            let start = offset + block.header;
            let run = src.data_run(start)?;
            match run.get(..block.row as usize) {
                Some(bytes) => bytes,
                None => src.data(start, block.row as usize, row)?,
            }
        }
        BlockKind::First => {
            assemble(src, offset, block, len, row, part)?;
            row
        }
        BlockKind::Deleted { .. } => return Err(Error::Deleted { pos: offset }),
        _ => return Err(Error::row(offset, "no row starts here")),
    };
    unpacked(layout, bytes, offset, spans, extra)
}

/// The row whose packed bytes these are.
#[inline]
pub(crate) fn unpacked<'a>(
    layout: &'a RowLayout,
    bytes: &'a [u8],
    offset: u64,
    spans: &'a mut Vec<Span>,
    extra: &'a mut Vec<u8>,
) -> Result<RowView<'a>> {
    unpack(layout, bytes, spans, extra).map_err(|e| match e {
        Error::Row { what, .. } => Error::row(offset, what),
        e => e,
    })?;
    let nulls = bytes.get(layout.pack_bits..layout.pack_bits + layout.null_bytes).unwrap_or(&[]);
    Ok(RowView { layout, bytes, spans, extra, nulls })
}

/// What to do after a row.
pub(crate) enum After {
    /// Go on.
    More,
    /// Stop behind it.
    Enough,
    /// Stop before it.
    Back,
}

/// Of a block that is a whole row of less than 64 KB, as nearly all are: bytes of the header, of the row and of the block. There are at
/// least [`MIN_BLOCK`] bytes.
#[inline]
fn short_row(block: &[u8]) -> Option<(usize, u64, u64)> {
    let row = u64::from(u16::from_be_bytes([block[1], block[2]]));
    match block[0] {
        1 => Some((3, row, row + 3)),
        3 => Some((4, row, row + 4 + u64::from(block[3]))),
        _ => None,
    }
}

/// Hands the packed rows that lie in one piece in `run`, the data file's bytes from `offset` on, to `f` until it does not want more.
/// `next` moves behind what was passed; it stays before a block that reaches beyond the run, lies in parts or is damaged.
///
/// # Errors
/// Those of `f`; `next` stays before its row.
#[inline]
pub(crate) fn each_in_run<'a>(
    layout: &RowLayout,
    run: &'a [u8],
    next: &mut u64,
    len: u64,
    mut f: impl FnMut(u64, &'a [u8]) -> Result<After>,
) -> Result<bool> {
    let offset = *next;
    while let Some(rest) = run.get((*next - offset) as usize..).filter(|r| r.len() >= MIN_BLOCK as usize) {
        let at = *next;
        if let Some((header, row, total)) = short_row(rest)
            && at.is_multiple_of(4)
            && at + total <= len
            && row <= layout.max_pack_length
        {
            let Some(bytes) = rest.get(header..header + row as usize) else { break };
            let after = f(at, bytes)?;
            if !matches!(after, After::Back) {
                *next = at + total;
            }
            if !matches!(after, After::More) {
                return Ok(false);
            }
            continue;
        }
        let Ok(block) = parse(rest, at) else { break };
        let after = at + block.total;
        if !at.is_multiple_of(4) || after > len {
            break;
        }
        match block.kind {
            BlockKind::Row => {
                let whole = rest.get(block.header as usize..(block.header + block.row) as usize);
                let Some(bytes) = whole.filter(|_| block.row <= layout.max_pack_length) else { break };
                let then = f(at, bytes)?;
                if !matches!(then, After::Back) {
                    *next = after;
                }
                if !matches!(then, After::More) {
                    return Ok(false);
                }
            }
            BlockKind::First => break,
            _ => *next = after,
        }
    }
    Ok(true)
}

/// The packed row at `offset` of the data file, whose bytes from there on are `run`, when it lies there in one piece.
#[inline]
pub(crate) fn whole_row<'a>(layout: &RowLayout, run: &'a [u8], offset: u64, len: u64) -> Option<&'a [u8]> {
    if run.len() < MIN_BLOCK as usize || !offset.is_multiple_of(4) {
        return None;
    }
    let block = parse(run, offset).ok()?;
    let sound = block.kind == BlockKind::Row && block.row <= layout.max_pack_length;
    let sound = sound && offset + block.total <= len;
    run.get(block.header as usize..(block.header + block.row) as usize).filter(|_| sound)
}

/// Moves `next` behind the blocks of `run`, the data file's bytes from there on, until it is at `to` or behind; before a block whose
/// header the run does not have, and before a damaged one.
pub(crate) fn skip_in_run(run: &[u8], next: &mut u64, to: u64, len: u64) {
    let offset = *next;
    fetch(&run[..run.len().min(to.saturating_sub(offset) as usize)]);
    while *next < to
        && let Some(rest) = run.get((*next - offset) as usize..).filter(|r| r.len() >= MIN_BLOCK as usize)
        && let Some(total) = short_row(rest).map(|row| row.2).or_else(|| Some(parse(rest, *next).ok()?.total))
        && next.is_multiple_of(4)
        && *next + total <= len
    {
        *next += total;
    }
}

/// Bytes that come into the processor's cache together.
const LINE: usize = 64;

/// Has bytes fetched that are read next. Each header tells where the next one is, so that without this the processor waits for one after
/// the other.
fn fetch(bytes: &[u8]) {
    std::hint::black_box(bytes.iter().step_by(LINE).fold(0, |all, b| all ^ b));
}

/// Puts the parts of a row together.
fn assemble<S: PageSource>(
    src: &S,
    offset: u64,
    first: &Block,
    len: u64,
    row: &mut Vec<u8>,
    part: &mut Vec<u8>,
) -> Result<()> {
    let bad = |what| Err(Error::row(offset, what));
    row.clear();
    row.reserve(first.row as usize);
    let (mut at, mut block) = (offset, *first);
    loop {
        // Every part holds something, so the loop ends with the row's length.
        if block.data == 0 || row.len() as u64 + block.data > first.row {
            return bad("parts of a row do not add up");
        }
        row.extend_from_slice(src.data(at + block.header, block.data as usize, part)?);
        if block.kind == BlockKind::Last {
            break;
        }
        at = block.next;
        block = read(src, at, len, part)?;
        if !matches!(block.kind, BlockKind::Middle | BlockKind::Last) {
            return bad("a part of a row is missing");
        }
    }
    if row.len() as u64 == first.row { Ok(()) } else { bad("parts of a row do not add up") }
}
