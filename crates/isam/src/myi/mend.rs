//! A head of a `.MYI` beside the one that the definition of the table would make: where a few bytes are damaged.

use super::{Header, SegmentDefinition, seg_flag};

impl Header {
    /// Fields of columns, keys and rows in which two heads differ: what depends on how a table was made (pointers, blocks, options)
    /// does not count.
    #[must_use]
    pub fn differences(&self, other: &Header) -> usize {
        let (a, b) = (&self.base, &other.base);
        let mut n = usize::from(a.reclength != b.reclength)
            + usize::from(a.pack_bits != b.pack_bits)
            + usize::from(a.blobs != b.blobs);
        n += 4 * self.columns.len().abs_diff(other.columns.len());
        for (a, b) in self.columns.iter().zip(&other.columns) {
            n += usize::from(a.kind != b.kind)
                + usize::from(a.length != b.length)
                + usize::from(a.null_bit != b.null_bit)
                + usize::from(a.null_pos != b.null_pos);
        }
        n += 4 * self.keys.len().abs_diff(other.keys.len());
        for (a, b) in self.keys.iter().zip(&other.keys) {
            n += usize::from(a.flag != b.flag) + 4 * a.segments.len().abs_diff(b.segments.len());
            for (a, b) in a.segments.iter().zip(&b.segments) {
                n += usize::from(a.ty != b.ty)
                    + usize::from(a.length != b.length)
                    + usize::from(a.start != b.start)
                    + usize::from(a.null_bit != b.null_bit)
                    + usize::from(a.null_pos != b.null_pos && b.null_bit != 0)
                    + usize::from(a.collation != b.collation)
                    + usize::from(a.flag != b.flag);
            }
        }
        n
    }

    /// Takes the lengths of rows from the head that the definition would make, where the columns of both are the same and the lengths
    /// here are not those of the columns; so with flags of parts of keys that exclude each other. Says whether it was so.
    pub fn mend_lengths(&mut self, by: &Header) -> bool {
        let columns: u64 = self.columns.iter().map(|c| u64::from(c.length)).sum();
        let mut wrong = columns != u64::from(self.base.reclength) && self.columns == by.columns;
        if wrong {
            self.base.reclength = by.base.reclength;
            if !self.is_fixed() {
                self.base.pack_reclength = by.base.pack_reclength;
            }
        }
        if !self.is_fixed() && !self.is_compressed() {
            let least = u32::try_from(self.least_pack()).unwrap_or(u32::MAX);
            let base = &mut self.base;
            wrong |= base.min_pack_length != least || base.min_block_length > by.base.min_block_length;
            base.min_pack_length = least;
            base.min_block_length = base.min_block_length.min(by.base.min_block_length);
        }
        let parts =
            self.keys.iter_mut().zip(&by.keys).flat_map(|(a, b)| a.segments.iter_mut().zip(&b.segments));
        for (part, by) in parts {
            let one = SegmentDefinition { flag: by.flag, ..*part };
            if part.packs_twice() && one == *by {
                *part = one;
                wrong = true;
            }
        }
        wrong
    }
}

impl SegmentDefinition {
    /// Whether spaces are dropped of what has a length anyhow: no CREATE TABLE makes such a part.
    #[must_use]
    pub fn packs_twice(&self) -> bool {
        let counted = self.flag & (seg_flag::VAR_LENGTH_PART | seg_flag::BLOB_PART) != 0;
        counted && self.flag & seg_flag::SPACE_PACK != 0
    }
}

#[cfg(test)]
mod tests {
    use crate::myi::{ColumnDefinition, ColumnKind, Header};

    fn head() -> Header {
        let column = |length| ColumnDefinition { kind: ColumnKind::Normal, length, null_bit: 0, null_pos: 0 };
        Header {
            options: 0,
            state_info_length: 176,
            header_length: 0,
            language: 8,
            max_block_size_index: 1,
            fulltext_keys: 0,
            base: super::super::Base { reclength: 9, fields: 2, ..Default::default() },
            keys: Vec::new(),
            columns: vec![column(1), column(8)],
        }
    }

    #[test]
    fn wrong_lengths_are_mended_and_other_tables_are_far_away() {
        let (sound, mut wrong) = (head(), head());
        assert_eq!(sound.differences(&wrong), 0);
        assert!(!wrong.mend_lengths(&sound));
        wrong.base.reclength = 10;
        assert_eq!(sound.differences(&wrong), 1);
        assert!(wrong.mend_lengths(&sound) && wrong == sound);
        wrong.columns.truncate(1);
        assert!(sound.differences(&wrong) > 2);
    }
}
