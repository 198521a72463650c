//! The functions.

use std::fmt;

/// A function bound into an expression.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its definition.
    pub def: &'static Definition,
}

/// A function's definition.
pub struct Definition {
    /// Name in lower case.
    pub name: &'static str,
    /// Same arguments, same value, within one statement.
    pub pure: bool,
    /// Same arguments, same value, always: may be computed when the statement is bound.
    pub immutable: bool,
}

impl Function {
    /// Same arguments, same value, within one statement.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.def.pure
    }

    /// Same arguments, same value, always.
    #[must_use]
    pub fn is_immutable(&self) -> bool {
        self.def.immutable
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.def.name)
    }
}
