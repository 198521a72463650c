//! Searching an R-tree.

use std::sync::Arc;

use super::Rect;
use super::node::Node;
use crate::error::{Error, Result};
use crate::key::KeyInfo;
use crate::myi::{NIL, StateOffsets, StateView};
use crate::source::PageSource;
use crate::tree::page::MAX_DEPTH;
use crate::{RowPos, TableFormat};

/// How the rectangles of the rows that are sought relate to the one that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They have all of it.
    Contains,
    /// They are in it.
    Within,
    /// They have something of it.
    Intersects,
    /// They have nothing of it.
    Disjoint,
    /// They are the same.
    Equals,
}

impl Relation {
    /// Whether a row with this rectangle is sought.
    #[must_use]
    pub fn holds(self, rect: &Rect, asked: &Rect) -> bool {
        match self {
            Relation::Contains => rect.contains(asked),
            Relation::Within => asked.contains(rect),
            Relation::Intersects => rect.intersects(asked),
            Relation::Disjoint => !rect.intersects(asked),
            Relation::Equals => rect == asked,
        }
    }

    /// Whether such a row may be in a page with this around it.
    fn may_hold(self, around: &Rect, asked: &Rect) -> bool {
        match self {
            Relation::Contains | Relation::Equals => around.contains(asked),
            Relation::Intersects | Relation::Within => around.intersects(asked),
            Relation::Disjoint => true,
        }
    }
}

/// A search. It borrows nothing: a leaf can be read under each pin of one snapshot.
#[derive(Debug)]
pub struct SpatialWalk {
    key: Arc<KeyInfo>,
    offsets: StateOffsets,
    relation: Relation,
    asked: Rect,
    /// Pages on the way down, and the entry of each that comes next; empty: not begun, or ended.
    path: Vec<(u64, usize)>,
    /// Pages that may still be read: a damaged tree may lead back into itself.
    left: Option<u64>,
}

impl SpatialWalk {
    /// Before the first row of a SPATIAL key.
    #[must_use]
    pub fn new(format: &TableFormat, key: usize, relation: Relation, asked: Rect) -> SpatialWalk {
        let (key, offsets) = (Arc::clone(&format.keys[key]), format.offsets);
        SpatialWalk { key, offsets, relation, asked, path: Vec::new(), left: None }
    }

    /// Begins anew.
    pub fn rewind(&mut self) {
        self.path.clear();
        self.left = None;
    }

    fn enter(&mut self, page: u64) -> Result<()> {
        let loops = || Error::index(page, "the tree leads back into itself");
        self.left = Some(self.left.and_then(|n| n.checked_sub(1)).ok_or_else(loops)?);
        if self.path.len() >= MAX_DEPTH {
            return Err(loops());
        }
        self.path.push((page, 0));
        Ok(())
    }

    /// Appends the rows found in the next leaf, perhaps none; false at the end.
    ///
    /// # Errors
    /// 126 if a page is damaged, 124 if the key is disabled.
    pub fn next_leaf<S: PageSource>(&mut self, src: &S, out: &mut Vec<RowPos>) -> Result<bool> {
        if self.left.is_none() {
            let state = StateView::new(src.state(), self.offsets);
            if !state.key_active(self.key.number) {
                return Err(Error::KeyDisabled { key: self.key.number });
            }
            let root = state.key_root(self.key.number);
            self.left = Some(state.key_file_length() / 1024 + 1);
            if root != NIL {
                self.enter(root)?;
            }
        }
        while let Some((offset, from)) = self.path.last().copied() {
            let key = Arc::clone(&self.key);
            let page = Node::read(&key, src, offset)?;
            if page.leaf {
                for slot in page.slots() {
                    let slot = slot?;
                    if self.relation.holds(&slot.rect, &self.asked) {
                        out.push(RowPos(slot.to));
                    }
                }
                self.path.pop();
                return Ok(true);
            }
            let mut child = None;
            for n in from..page.len() {
                let slot = page.slot(n)?;
                if self.relation.may_hold(&slot.rect, &self.asked) {
                    child = Some((n, slot.to));
                    break;
                }
            }
            match (child, self.path.last_mut()) {
                (Some((n, to)), Some((_, next))) => {
                    *next = n + 1;
                    self.enter(to)?;
                }
                _ => {
                    self.path.pop();
                }
            }
        }
        Ok(false)
    }
}

/// Whether the row is in the tree with this rectangle.
pub(crate) fn is_found<S: PageSource>(
    format: &TableFormat,
    src: &S,
    key: usize,
    rect: Rect,
    row: u64,
) -> Result<bool> {
    let mut walk = SpatialWalk::new(format, key, Relation::Equals, rect);
    let mut rows = Vec::new();
    while walk.next_leaf(src, &mut rows)? {
        if rows.contains(&RowPos(row)) {
            return Ok(true);
        }
        rows.clear();
    }
    Ok(false)
}

impl TableFormat {
    /// About how many rows relate so to a rectangle: by what the root of a SPATIAL key says.
    ///
    /// # Errors
    /// 126 if the page is damaged.
    pub fn rows_related<S: PageSource>(
        &self,
        src: &S,
        key: usize,
        relation: Relation,
        asked: &Rect,
    ) -> Result<f64> {
        let (info, state) = (&*self.keys[key], self.state(src));
        let (root, records) = (state.key_root(key), state.records() as f64);
        if root == NIL {
            return Ok(0.0);
        }
        let page = Node::read(info, src, root)?;
        let mut share = 0.0;
        for slot in page.slots() {
            let rect = slot?.rect;
            share += match relation {
                _ if page.leaf => f64::from(u8::from(relation.holds(&rect, asked))),
                Relation::Disjoint => 1.0,
                _ if !relation.may_hold(&rect, asked) => 0.0,
                Relation::Contains | Relation::Equals => asked.area() / rect.area().max(f64::MIN_POSITIVE),
                _ if rect.area() == 0.0 => 1.0,
                _ => rect.common(asked).area() / rect.area(),
            };
        }
        let rows = if page.leaf { share } else { records * share / page.len() as f64 };
        Ok(if rows.is_finite() { rows.floor().clamp(1.0, records.max(1.0)) } else { records })
    }
}
