//! Building an R-tree from many rows: sorted into tiles, pages are filled from the leaves upwards.

use super::Rect;
use super::node::{self, Slot, around};
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::myi::NIL;
use crate::source::PageStore;
use crate::tree::edit::TreeEdit;
use crate::tree::page::MAX_DEPTH;

/// Collects rows and makes leaves of them whenever there is no room for more.
pub(crate) struct RectBuild {
    rows: Vec<Slot>,
    most: usize,
    leaves: Vec<Slot>,
}

/// Entries of a page that is full.
fn capacity(key: &KeyInfo, leaf: bool) -> usize {
    let each = node::each(key, leaf);
    (0..).take_while(|n| node::has_room(key, 2 + n * each)).count().max(2)
}

/// Sorts entries so that those of a page lie together: into stripes by x, and within those by y.
fn tile(slots: &mut [Slot], each: usize) {
    let pages = slots.len().div_ceil(each);
    if pages < 2 {
        return;
    }
    let middle = |(from, to): (f64, f64)| from / 2.0 + to / 2.0;
    let stripes = (pages as f64).sqrt().ceil() as usize;
    slots.sort_by(|a, b| middle(a.rect.x).total_cmp(&middle(b.rect.x)));
    for stripe in slots.chunks_mut(pages.div_ceil(stripes) * each) {
        stripe.sort_by(|a, b| middle(a.rect.y).total_cmp(&middle(b.rect.y)));
    }
}

impl RectBuild {
    /// With so many bytes of memory for rows.
    pub fn new(memory: usize) -> RectBuild {
        let most = (memory / size_of::<Slot>()).max(1024);
        RectBuild { rows: Vec::new(), most, leaves: Vec::new() }
    }

    /// Takes a row.
    pub fn push<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, rect: Rect, row: u64) -> Result<()> {
        self.rows.push(Slot { rect, to: row });
        if self.rows.len() == self.most { self.flush(edit) } else { Ok(()) }
    }

    /// Makes leaves of the rows collected.
    fn flush<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        Self::level(edit, true, &mut self.rows, &mut self.leaves)?;
        self.rows.clear();
        Ok(())
    }

    /// Makes pages of these entries; `out` gets theirs.
    fn level<S: PageStore>(
        edit: &mut TreeEdit<'_, S>,
        leaf: bool,
        slots: &mut [Slot],
        out: &mut Vec<Slot>,
    ) -> Result<()> {
        let each = capacity(edit.key, leaf);
        tile(slots, each);
        // shares of equal size: no page is nearly empty
        let pages = slots.len().div_ceil(each);
        let (mut rest, mut left) = (&*slots, pages);
        while left > 0 {
            let (page, others) = rest.split_at(rest.len().div_ceil(left));
            let offset = edit.allocate()?;
            edit.save_new(offset, &node::content(edit.key, leaf, page))?;
            out.push(Slot { rect: around(page), to: offset });
            (rest, left) = (others, left - 1);
        }
        Ok(())
    }

    /// Stores what is left, and the levels above.
    pub fn finish<S: PageStore>(mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        self.flush(edit)?;
        let mut below = self.leaves;
        for _ in 0..MAX_DEPTH {
            if let [] | [_] = &below[..] {
                edit.set_root(below.first().map_or(NIL, |root| root.to));
                return Ok(());
            }
            let mut above = Vec::new();
            Self::level(edit, false, &mut below, &mut above)?;
            below = above;
        }
        Err(Error::IndexFull)
    }
}
