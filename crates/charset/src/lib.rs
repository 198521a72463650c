//! Character sets and collations as MariaDB 10.11 knows them: how many characters a string has,
//! how two strings compare, hash and sort, what LIKE finds, what upper case is, and how text goes
//! from one set to another. All tables come from observation (see `data/README.md`) and are made
//! by the build step.
//!
//! It does not know SQL values, columns or connections; it works on bytes and a collation. It is
//! not a Unicode library: where the server differs from Unicode, the server is right.
//!
//! ```
//! use charset::Collation;
//! let ci = Collation::by_name("utf8mb4_general_ci").unwrap();
//! assert!(ci.compare("Ärger  ".as_bytes(), "arger".as_bytes()).is_eq());
//! assert_eq!(ci.charset.char_len("Ärger".as_bytes()), 5);
//! ```

mod byte_set;
mod case;
mod cjk_set;
mod collation;
pub mod derivation;
mod encoding;
pub mod identifier;
mod set;
mod tables;

pub use collation::{ByteOrder, Collation, KeyPad, LikeRange, SortHash, Stopped, WeightFormat};
pub use set::{Charset, is_ascii_word};

/// The collation of names and other system strings: utf8mb3_general_ci.
#[must_use]
pub fn system() -> &'static Collation {
    Collation::by_id(33).expect("utf8mb3_general_ci is always there")
}

/// The collation of binary strings and of numbers: id 63.
#[must_use]
pub fn binary() -> &'static Collation {
    Collation::by_id(63).expect("binary is always there")
}
