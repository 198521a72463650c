//! How many rows a range of a key has, estimated by going down twice.

use super::page::{MAX_DEPTH, Page};
use crate::TableFormat;
use crate::error::{Error, Result};
use crate::key::pack::Entry;
use crate::key::{KeyInfo, Packing, Tie};
use crate::myi::NIL;
use crate::source::PageSource;

/// An end of a range over a key.
#[derive(Clone, Copy, Debug)]
pub struct RangeEnd<'a> {
    /// Flat bytes of the leading parts.
    pub flat: &'a [u8],
    /// Number of parts.
    pub parts: usize,
    /// Entries equal to it belong to the range.
    pub inclusive: bool,
}

/// Where a search value lies in a tree.
#[derive(Clone, Copy, Debug)]
struct Spot {
    leaf: u64,
    /// Entries of the leaf in front of it.
    index: usize,
    /// Share of the tree in front of it, 0 to 1.
    share: f64,
}

impl TableFormat {
    /// Estimate of the rows whose key lies between two ends (`None` = open). Exact when both ends fall into one leaf; at least 1 if
    /// the range may have rows.
    ///
    /// # Errors
    /// 126 if a page is damaged, 124 if the key is disabled.
    pub fn records_in_range<S: PageSource>(
        &self,
        src: &S,
        key_no: usize,
        min: Option<RangeEnd<'_>>,
        max: Option<RangeEnd<'_>>,
    ) -> Result<u64> {
        let state = self.state(src);
        let key = &*self.keys[key_no];
        if !key.is_btree() || !state.key_active(key_no) {
            return Err(Error::KeyDisabled { key: key_no });
        }
        let (root, records) = (state.key_root(key_no), state.records());
        if root == NIL || records == 0 {
            return Ok(0);
        }
        let mut entry = Entry::default();
        let mut at = |end: Option<RangeEnd<'_>>, tie| match end {
            Some(end) => spot(key, src, root, end.flat, end.parts, tie, &mut entry).map(Some),
            None => Ok(None),
        };
        let low = at(min, if min.is_some_and(|m| m.inclusive) { Tie::Before } else { Tie::Behind })?;
        let high = at(max, if max.is_some_and(|m| m.inclusive) { Tie::Behind } else { Tie::Before })?;
        if let (Some(low), Some(high)) = (low, high)
            && low.leaf == high.leaf
        {
            return Ok((high.index.saturating_sub(low.index) as u64).min(records));
        }
        let share = high.map_or(1.0, |h| h.share) - low.map_or(0.0, |l| l.share);
        // Two leaves have an entry of a node between them, unless the ends are the wrong way round.
        if share < -1e-9 {
            return Ok(0);
        }
        Ok(((share * records as f64).round() as u64).clamp(1, records))
    }
}

fn spot<S: PageSource>(
    key: &KeyInfo,
    src: &S,
    root: u64,
    flat: &[u8],
    parts: usize,
    tie: Tie<'_>,
    entry: &mut Entry,
) -> Result<Spot> {
    let (mut offset, mut from, mut width) = (root, 0.0, 1.0);
    for _ in 0..MAX_DEPTH {
        let page = Page::read(key, src, offset)?;
        let (index, count, place) = position(key, &page, flat, parts, tie, entry)?;
        if page.is_leaf() {
            let share = from + width * index as f64 / count.max(1) as f64;
            return Ok(Spot { leaf: offset, index, share });
        }
        width /= (count + 1) as f64;
        from += width * index as f64;
        offset = page.child(place);
    }
    Err(Error::index(offset, "tree is too deep"))
}

/// Entries in front of the search value, entries of the page, and the place.
fn position(
    key: &KeyInfo,
    page: &Page<'_>,
    flat: &[u8],
    parts: usize,
    tie: Tie<'_>,
    entry: &mut Entry,
) -> Result<(usize, usize, usize)> {
    if key.packing == Packing::Fixed {
        let place = page.search_fixed(key, flat, parts, tie)?;
        return Ok(((place - page.first()) / (key.keylength + page.nod), page.count(key)?, place));
    }
    let (place, _) = page.search(key, flat, parts, tie, entry)?;
    let (mut at, mut index, mut count) = (page.first(), 0, 0);
    entry.clear();
    while at < page.end() {
        if at < place {
            index += 1;
        }
        count += 1;
        at = entry.read(key, page.bytes, at, page.nod).ok_or_else(|| page.corrupt())?;
    }
    Ok((index, count, place))
}
