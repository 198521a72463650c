//! The tables made by the build step.

use crate::collation::{Collation, Rules};
use crate::set::{Charset, Encoding};
use east_asian::*;
use single_byte::*;

use crate::collation::Levels;

include!(concat!(env!("OUT_DIR"), "/collations.rs"));

pub(crate) mod single_byte {
    use crate::byte_set::ByteSet;
    include!(concat!(env!("OUT_DIR"), "/single_byte.rs"));
}

pub(crate) mod east_asian {
    use crate::cjk_set::CjkSet;
    use std::sync::OnceLock;
    include!(concat!(env!("OUT_DIR"), "/east_asian.rs"));
}

pub(crate) mod unicode {
    use crate::case::Deltas;
    include!(concat!(env!("OUT_DIR"), "/unicode.rs"));
}

pub(crate) mod uca {
    use crate::collation::uca::{Base, Tailoring, Version};
    use std::sync::OnceLock;
    include!(concat!(env!("OUT_DIR"), "/uca.rs"));
}
