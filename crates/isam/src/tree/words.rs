//! Entries of FULLTEXT keys: a word, its weight in a row, the row. A frequent word may have a tree of its own, ordered by rows; the
//! first tree then holds, in the place of the weight, the negative number of its rows, and in the place of the row its root.

use std::cmp::Ordering;

use super::bulk::TreeBuild;
use super::edit::TreeEdit;
use super::page::{MAX_DEPTH, Page};
use crate::error::{Error, Result};
use crate::key::compare::compare;
use crate::key::{KeyInfo, Tie, WEIGHT_BYTES};
use crate::myi::NIL;
use crate::pointer::{pointer, put_pointer};
use crate::source::{PageEdit, PageStore};

/// What an entry has behind its word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Payload {
    /// A row and the weight of the word in it.
    Row(f32, u64),
    /// A tree of the word's own: rows in it, and its root.
    Tree(u64, u64),
}

impl Payload {
    /// Takes the last bytes of a flat key (its weight) and the row pointer apart.
    pub fn read(flat: &[u8], row: &[u8]) -> Payload {
        let bits = flat.last_chunk::<WEIGHT_BYTES>().map_or(0, |b| u32::from_be_bytes(*b));
        match bits.cast_signed() {
            count @ ..0 => Payload::Tree(u64::from(count.unsigned_abs()), pointer(row)),
            _ => Payload::Row(f32::from_bits(bits), pointer(row)),
        }
    }

    fn bytes(self, rec_ref: usize) -> Result<Vec<u8>> {
        let (weight, at) = match self {
            Payload::Row(weight, row) => (weight.to_bits(), row),
            Payload::Tree(rows, root) => {
                let rows = i32::try_from(rows).map_err(|_| Error::IndexFull)?;
                ((-rows).cast_unsigned(), root)
            }
        };
        let mut out = weight.to_be_bytes().to_vec();
        put_pointer(at, rec_ref, &mut out);
        Ok(out)
    }
}

/// An entry of the first tree: flat key and pointer. Returns the length of the flat key.
pub(crate) fn word_entry(word: &[u8], payload: Payload, rec_ref: usize, out: &mut Vec<u8>) -> Result<usize> {
    out.clear();
    out.push(word.len() as u8);
    out.extend_from_slice(word);
    out.extend_from_slice(&payload.bytes(rec_ref)?);
    Ok(out.len() - rec_ref)
}

/// Where the payload of an entry lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    page: u64,
    at: usize,
    payload: Payload,
}

impl<S: PageStore> TreeEdit<'_, S> {
    /// The first entry with this word (in a word's own tree: any) that `tie` does not put behind the search value.
    fn locate(&mut self, flat: &[u8], tie: Tie<'_>) -> Result<Option<Place>> {
        let (key, mut offset) = (self.key, self.root());
        let parts = key.segments.len();
        if offset == NIL {
            return Ok(None);
        }
        let mut best = None;
        for _ in 0..MAX_DEPTH {
            let page = Page::read(key, &*self.store, offset)?;
            let found = &mut self.scratch.found;
            let (place, next) = page.search(key, flat, parts, tie, found)?;
            if place < page.end() {
                let same = compare(key, found.key(), flat, parts) == Ordering::Equal
                    && !matches!(tie, Tie::Pointer(row) if row != found.pointer(key));
                best = same.then(|| Place {
                    page: offset,
                    at: next - page.nod - key.rec_ref - WEIGHT_BYTES,
                    payload: Payload::read(found.key(), found.pointer(key)),
                });
            }
            if page.is_leaf() {
                return Ok(best);
            }
            offset = page.child(place);
        }
        Err(Error::index(offset, "tree is too deep"))
    }

    fn overwrite(&mut self, place: Place, payload: Payload) -> Result<()> {
        let bytes = payload.bytes(self.key.rec_ref)?;
        self.store.index_page_mut(place.page, self.key.block_length)?.write(place.at, &bytes);
        Ok(())
    }

    /// The word's own tree, if it has one.
    fn own_tree(&mut self, flat: &[u8]) -> Result<Option<(Place, u64, u64)>> {
        let found = self.locate(flat, Tie::Before)?;
        Ok(found.and_then(|place| match place.payload {
            Payload::Tree(rows, root) => Some((place, rows, root)),
            Payload::Row(..) => None,
        }))
    }

    fn below<'a>(&'a mut self, second: &'a KeyInfo, root: u64) -> TreeEdit<'a, S> {
        let below = TreeEdit::new(second, self.offsets, &mut *self.store, &mut *self.scratch);
        TreeEdit { held_root: Some(root), ..below }
    }

    /// Inserts an entry of a row.
    pub fn insert_word(&mut self, second: Option<&KeyInfo>, entry: &[u8], flat: usize) -> Result<()> {
        if let Some(second) = second
            && let Some((place, rows, root)) = self.own_tree(&entry[..flat])?
        {
            let mut own = self.below(second, root);
            own.insert(&entry[flat - WEIGHT_BYTES..], WEIGHT_BYTES, false)?;
            let root = own.root();
            return self.overwrite(place, Payload::Tree(rows + 1, root));
        }
        self.insert(entry, flat, false).map(|_| ())
    }

    /// Removes an entry of a row, whatever its weight. False = it is not there.
    pub fn delete_word(&mut self, second: Option<&KeyInfo>, entry: &[u8], flat: usize) -> Result<bool> {
        let Some(second) = second else { return self.delete(entry, flat) };
        let Some((place, rows, root)) = self.own_tree(&entry[..flat])? else {
            return self.delete(entry, flat);
        };
        let mut own = self.below(second, root);
        if !own.delete(&entry[flat - WEIGHT_BYTES..], WEIGHT_BYTES)? {
            return Ok(false);
        }
        let left = own.root();
        if (left == NIL) != (rows == 1) {
            return Err(Error::index(place.page, "rows of a word"));
        }
        if left != NIL {
            self.overwrite(place, Payload::Tree(rows - 1, left))?;
            return Ok(true);
        }
        let mut entry = entry[..flat].to_vec();
        put_pointer(root, self.key.rec_ref, &mut entry);
        self.delete(&entry, flat)
    }

    /// Gives a row's entry, which stays where it is, its weight in `entry`. False = it is not there.
    pub fn reweigh_word(&mut self, second: Option<&KeyInfo>, entry: &[u8], flat: usize) -> Result<bool> {
        let (key, row) = entry.split_at(flat);
        let payload = Payload::read(key, row);
        if let Some(second) = second
            && let Some((_, _, root)) = self.own_tree(key)?
        {
            let mut own = self.below(second, root);
            let found = own.locate(&key[flat - WEIGHT_BYTES..], Tie::Pointer(row))?;
            return found.map_or(Ok(false), |place| own.overwrite(place, payload).map(|()| true));
        }
        let found = self.locate(key, Tie::Pointer(row))?;
        found.map_or(Ok(false), |place| self.overwrite(place, payload).map(|()| true))
    }
}

/// So much of a page stays free when the entries of a word are still kept in the first tree.
const FREE_BYTES: usize = 32;

/// Builds a FULLTEXT key from entries in ascending order. Words whose entries would fill a page get a tree of their own.
#[derive(Debug)]
pub(crate) struct WordsBuild<'k> {
    second: Option<&'k KeyInfo>,
    first: TreeBuild,
    /// The entries of one word that wait, one behind the other, and how many there are.
    waiting: Vec<u8>,
    count: u64,
    /// Flat key of the first of them.
    flat: Vec<u8>,
    /// The word's own tree, once it has one.
    own: Option<TreeBuild>,
}

impl<'k> WordsBuild<'k> {
    pub fn new(second: Option<&'k KeyInfo>) -> WordsBuild<'k> {
        WordsBuild {
            second,
            first: TreeBuild::default(),
            waiting: Vec::new(),
            count: 0,
            flat: Vec::new(),
            own: None,
        }
    }

    /// Takes the next entry.
    pub fn push<S: PageStore>(
        &mut self,
        edit: &mut TreeEdit<'_, S>,
        entry: &[u8],
        flat: usize,
    ) -> Result<()> {
        let Some(second) = self.second else { return self.first.push(edit, entry) };
        let same = self.count > 0 && compare(edit.key, &self.flat, &entry[..flat], 1) == Ordering::Equal;
        if !same {
            self.end_word(edit)?;
            self.flat.clear();
            self.flat.extend_from_slice(&entry[..flat]);
        }
        self.count += 1;
        let short = &entry[flat - WEIGHT_BYTES..];
        if let Some(own) = &mut self.own {
            return own.push(&mut edit.below(second, NIL), short);
        }
        self.waiting.extend_from_slice(short);
        let word = self.flat.len() - WEIGHT_BYTES;
        if word + self.waiting.len() >= edit.key.block_length - FREE_BYTES {
            let mut own = TreeBuild::default();
            for entry in self.waiting.chunks_exact(short.len()) {
                own.push(&mut edit.below(second, NIL), entry)?;
            }
            self.waiting.clear();
            self.own = Some(own);
        }
        Ok(())
    }

    fn end_word<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        let rec_ref = edit.key.rec_ref;
        let word = self.flat.len().saturating_sub(WEIGHT_BYTES);
        let mut entry = self.flat[..word].to_vec();
        if let (Some(own), Some(second)) = (self.own.take(), self.second) {
            let mut below = edit.below(second, NIL);
            own.finish(&mut below)?;
            let root = below.root();
            entry.extend_from_slice(&Payload::Tree(self.count, root).bytes(rec_ref)?);
            self.first.push(edit, &entry)?;
        }
        for payload in self.waiting.chunks_exact(WEIGHT_BYTES + rec_ref) {
            entry.truncate(word);
            entry.extend_from_slice(payload);
            self.first.push(edit, &entry)?;
        }
        self.waiting.clear();
        self.count = 0;
        Ok(())
    }

    /// Stores what is left.
    pub fn finish<S: PageStore>(mut self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        self.end_word(edit)?;
        self.first.finish(edit)
    }
}

/// Entries of a page that lead to trees of their own: where their pointers lie in the page, and the roots.
pub(crate) fn own_trees(key: &KeyInfo, page: &Page<'_>) -> Result<Vec<(usize, u64)>> {
    let mut entry = crate::key::pack::Entry::default();
    let (mut place, mut out) = (page.first(), Vec::new());
    while place < page.end() {
        place = entry.read(key, page.bytes, place, page.nod).ok_or_else(|| page.corrupt())?;
        if let Payload::Tree(_, root) = Payload::read(entry.key(), entry.pointer(key)) {
            out.push((place - page.nod - key.rec_ref, root));
        }
    }
    Ok(out)
}
