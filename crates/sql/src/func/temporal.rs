//! Functions.

use super::Definition;

pub(super) const LIST: &[Definition] = &[];
