//! Rows of compressed tables, as `myisampack` and `isambard pack` write them: columns are bits, most of them symbols of Huffman
//! trees that stand in the head of the data file. Such tables never change. docs/format/compressed.md has the bytes.

pub(crate) mod bits;
mod head;
mod read;
pub(crate) mod tree;

pub(crate) use head::{Base, FLAG_SELECTED, FLAG_SPACES, FLAG_ZERO_FILL, MAGIC};
pub use head::{Compression, HEAD, head_length};
pub(crate) use read::Place;

/// Bytes that a column takes in the head at most: a table of values, and a tree of as many as there can be.
pub(crate) const MOST_HEAD: u64 = 65_535 + 2 * 32_767 * 4 + 64;

/// Bytes behind the last row, so that programs which map the file may read whole words.
pub const TRAILER: u64 = 7;
