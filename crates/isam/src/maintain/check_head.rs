//! CHECK TABLE: what the head of a `.MYI` says of lengths, beside what follows from its own columns and keys.

use super::Check;
use crate::TableFormat;
use crate::myi::key_flag;
use crate::row::block::MIN_BLOCK;

/// Segment types that words of a FULLTEXT key are taken from: TEXT, and VARTEXT with one and with two bytes of length.
const WORD_TYPES: [u8; 3] = [1, 15, 17];

/// Finds what no CREATE TABLE writes. Rows and keys are read all the same, but other programs may not.
pub(super) fn check_head(format: &TableFormat, check: &mut Check) {
    let header = &format.header;
    let base = &header.base;
    let columns: u64 = header.columns.iter().map(|c| u64::from(c.length)).sum();
    if columns != u64::from(base.reclength) {
        check.warning(format!("Record length is: {:>8}            Should be: {columns}", base.reclength));
    }
    if !header.is_fixed() && !header.is_compressed() {
        let least = header.least_pack();
        if least != u64::from(base.min_pack_length) {
            check.warning(format!(
                "Least packed length is: {:>4}          Should be: {least}",
                base.min_pack_length
            ));
        }
        if u64::from(base.min_block_length) > MIN_BLOCK {
            check.warning(format!(
                "Least block length is: {:>6}         Should be: {MIN_BLOCK}",
                base.min_block_length
            ));
        }
    }
    let fulltext = header.keys.iter().filter(|key| key.flag & key_flag::FULLTEXT != 0).count();
    if fulltext != usize::from(header.fulltext_keys) {
        check.warning(format!(
            "Number of FULLTEXT keys is: {}       Should be: {fulltext}",
            header.fulltext_keys
        ));
    }
    for (number, key) in header.keys.iter().enumerate() {
        let fulltext = key.flag & key_flag::FULLTEXT != 0;
        let spatial = key.flag & key_flag::SPATIAL != 0;
        let words = |ty: u8| WORD_TYPES.contains(&ty);
        let wrong = key.maxlength < key.minlength
            || fulltext && key.segments.iter().any(|s| !words(s.ty))
            || !fulltext && !spatial && key.segments.iter().any(crate::myi::SegmentDefinition::packs_twice);
        if wrong {
            check.warning(format!("Definition of key {:>2} is not correct", number + 1));
        }
    }
}
