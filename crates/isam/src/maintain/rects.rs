//! SPATIAL keys: built from all rows, and checked.

use super::Complete;
use super::check::{Check, CheckOptions, bad_bytes};
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::myi::NIL;
use crate::row::{RowScratch, RowView};
use crate::sorting::SortSettings;
use crate::source::{PageSource, PageStore};
use crate::tree::edit::{TreeEdit, TreeScratch};
use crate::tree::page::MAX_DEPTH;
use crate::tree::spatial::build::RectBuild;
use crate::tree::spatial::node::Node;
use crate::tree::spatial::{Rect, is_found};
use crate::{RowBuf, RowPos, Scan, TableFormat, Writer};

/// Rows whose rectangles are collected before they go into the tree: no page of the file is borrowed then.
const AT_ONCE: usize = 1 << 16;

impl<S: PageStore> Writer<S> {
    /// Builds a SPATIAL key, whose tree is empty, from the rows.
    pub(super) fn build_rects(
        &mut self,
        key: &KeyInfo,
        settings: &SortSettings,
        complete: Option<Complete<'_>>,
        kill: &dyn Fn() -> bool,
    ) -> Result<()> {
        let format = self.format().clone();
        let mut build = RectBuild::new(settings.buffer);
        let (mut scan, mut scratch) = (Scan::new(), TreeScratch::default());
        let mut whole = RowBuf::new(&format.layout);
        let mut rows: Vec<(Rect, RowPos)> = Vec::new();
        loop {
            rows.clear();
            let (mut failed, mut killed) = (None, false);
            let ended = scan.each(&format, self.store(), &mut RowScratch::new(), |pos, row| {
                let rect = match complete {
                    Some(complete) => {
                        complete(&row, &mut whole);
                        key.rect(&whole.as_view())
                    }
                    None => key.rect(&row),
                };
                match rect {
                    Ok(rect) => rows.push((rect, pos)),
                    Err(e) => failed = Some(e),
                }
                killed = rows.len().is_multiple_of(4096) && kill();
                failed.is_none() && !killed && rows.len() < AT_ONCE
            });
            ended?;
            if let Some(e) = failed {
                return Err(e);
            }
            if killed {
                return Err(Error::Pages(pages::ErrorKind::Killed.into()));
            }
            let store = self.store_mut();
            let mut edit = TreeEdit::new(key, format.offsets, store, &mut scratch);
            for (rect, pos) in &rows {
                build.push(&mut edit, *rect, pos.0)?;
            }
            if rows.len() < AT_ONCE {
                return build.finish(&mut edit);
            }
        }
    }
}

/// What was met in a tree.
#[derive(Default)]
pub(super) struct RectTotals {
    pub entries: u64,
    /// Sum of the row positions in bytes, modulo 2^64.
    pub positions: u64,
}

struct Walk<'a, S> {
    format: &'a TableFormat,
    key: &'a KeyInfo,
    src: &'a S,
    options: &'a CheckOptions<'a>,
    totals: RectTotals,
    pages_left: u64,
}

/// Checks the tree of a SPATIAL key; none when that cannot be gone on with.
pub(super) fn check_rects<S: PageSource>(
    format: &TableFormat,
    src: &S,
    key: &KeyInfo,
    options: &CheckOptions<'_>,
    check: &mut Check,
) -> Result<Option<RectTotals>> {
    let state = format.state(src);
    let (root, records) = (state.key_root(key.number), state.records());
    let pages_left = state.key_file_length() / 1024 + 1;
    let mut walk = Walk { format, key, src, options, totals: RectTotals::default(), pages_left };
    if (root != NIL || records > 0) && !walk.page(root, 0, None, check)? {
        return Ok(None);
    }
    if walk.totals.entries != records {
        check.error(format!("Found {} keys of {records}", walk.totals.entries));
        return Ok(None);
    }
    Ok(Some(walk.totals))
}

impl<S: PageSource> Walk<'_, S> {
    /// Checks a page and all below it, which lies within `around`. False = not to be gone on with.
    fn page(&mut self, offset: u64, depth: usize, around: Option<Rect>, check: &mut Check) -> Result<bool> {
        if (self.options.kill)() {
            check.killed = true;
            return Ok(false);
        }
        let possible = depth < MAX_DEPTH && self.pages_left > 0 && offset >= self.format.header.base.keystart;
        let read = || Node::read(self.key, self.src, offset).and_then(|node| Ok((node.leaf, node.all()?)));
        let page = if possible { bad_bytes(read())? } else { None };
        let Some((leaf, slots)) = page else {
            let what = if depth == 0 { "indexpage" } else { "key" };
            check.error(format!("Can't read {what} from filepos: {}", offset as i64));
            return Ok(false);
        };
        self.pages_left -= 1;
        let state = self.format.state(self.src);
        let unit = if self.format.layout.fixed { self.format.layout.pack_reclength as u64 } else { 1 };
        for slot in slots {
            if around.is_some_and(|around| !around.contains(&slot.rect)) {
                check.error(format!("Key in wrong position at page {offset}"));
                return Ok(false);
            }
            if !leaf {
                if !self.page(slot.to, depth + 1, Some(slot.rect), check)? {
                    return Ok(false);
                }
                continue;
            }
            let position = slot.to.checked_mul(unit).filter(|&p| p < state.data_file_length());
            let Some(position) = position else {
                check.error(format!("Found key at page {offset} that points to record outside datafile"));
                return Ok(false);
            };
            self.totals.positions = self.totals.positions.wrapping_add(position);
            self.totals.entries += 1;
        }
        Ok(true)
    }
}

/// Whether a SPATIAL key has the row.
pub(super) fn has_row<S: PageSource>(
    format: &TableFormat,
    src: &S,
    key: &KeyInfo,
    row: &RowView<'_>,
    pos: RowPos,
) -> Result<bool> {
    let Ok(rect) = key.rect(row) else { return Ok(false) };
    Ok(bad_bytes(is_found(format, src, key.number, rect, pos.0))?.unwrap_or(false))
}
