//! Building a tree from entries in ascending order: every page but the last of each level is as full as it gets.

use super::edit::{Content, TreeEdit, put_head};
use super::page::MAX_DEPTH;
use crate::error::{Error, Result};
use crate::key::pack::put;
use crate::myi::NIL;
use crate::pointer::put_pointer;
use crate::source::PageStore;

/// A page of one level being filled.
#[derive(Debug, Default)]
struct Level {
    content: Content,
    /// The last entry put (flat key and row pointer).
    last: Vec<u8>,
    /// Where the last entry begins; on nodes its left child pointer lies before that.
    last_at: usize,
    entries: usize,
}

/// Builds one tree. Feed entries in ascending order, then finish.
#[derive(Debug, Default)]
pub(crate) struct TreeBuild {
    levels: Vec<Level>,
}

impl TreeBuild {
    /// Takes the next entry: flat key and row pointer.
    pub fn push<S: PageStore>(&mut self, edit: &mut TreeEdit<'_, S>, entry: &[u8]) -> Result<()> {
        self.put(edit, 0, entry, None)
    }

    fn put<S: PageStore>(
        &mut self,
        edit: &mut TreeEdit<'_, S>,
        level: usize,
        entry: &[u8],
        left: Option<u64>,
    ) -> Result<()> {
        if level >= MAX_DEPTH {
            return Err(Error::IndexFull);
        }
        if self.levels.len() == level {
            self.levels.push(Level { content: vec![0, 0], ..Level::default() });
        }
        let (key, block) = (edit.key, edit.key.block_length);
        let l = &mut self.levels[level];
        let nod = if left.is_some() { key.key_ref } else { 0 };
        let before_len = l.content.len();
        if let Some(page) = left {
            put_pointer(page / 1024, key.key_ref, &mut l.content);
        }
        let at = l.content.len();
        let before = (l.entries > 0).then_some(l.last.as_slice());
        put(key, entry, before, &mut l.content);
        if l.content.len() + nod <= block || l.entries == 0 {
            l.entries += 1;
            l.last_at = at;
            l.last.clear();
            l.last.extend_from_slice(entry);
            return Ok(());
        }
        // Full: the entry before goes up, this one begins the next page.
        l.content.truncate(before_len);
        let rising = std::mem::take(&mut l.last);
        l.content.truncate(l.last_at);
        let page = Self::flush(edit, &mut l.content, nod)?;
        l.content.clear();
        l.content.extend_from_slice(&[0, 0]);
        l.entries = 0;
        l.last_at = 2 + nod;
        self.put(edit, level + 1, &rising, Some(page))?;
        self.put(edit, level, entry, left)
    }

    fn flush<S: PageStore>(edit: &mut TreeEdit<'_, S>, content: &mut [u8], nod: usize) -> Result<u64> {
        put_head(content, nod);
        let page = edit.allocate()?;
        edit.save_new(page, content)?;
        Ok(page)
    }

    /// Stores what is left; the last page is the root.
    pub fn finish<S: PageStore>(self, edit: &mut TreeEdit<'_, S>) -> Result<()> {
        let mut root = NIL;
        for (i, mut level) in self.levels.into_iter().enumerate() {
            let nod = if i > 0 { edit.key.key_ref } else { 0 };
            if i > 0 {
                put_pointer(root / 1024, edit.key.key_ref, &mut level.content);
            }
            root = Self::flush(edit, &mut level.content, nod)?;
        }
        edit.set_root(root);
        Ok(())
    }
}
