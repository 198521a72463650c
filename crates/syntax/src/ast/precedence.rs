//! How tightly operators bind.

/// Binding strength of operators, from loose to tight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Precedence {
    Or,
    Xor,
    And,
    Not,
    Comparison,
    Predicate,
    BitOr,
    BitAnd,
    Shift,
    Additive,
    Multiplicative,
    BitXor,
    Concat,
    Unary,
    Collate,
    /// What needs no parentheses anywhere.
    Highest,
}

impl Precedence {
    /// The next tighter one.
    #[must_use]
    pub fn tighter(self) -> Precedence {
        use Precedence::*;
        match self {
            Or => Xor,
            Xor => And,
            And => Not,
            Not => Comparison,
            Comparison => Predicate,
            Predicate => BitOr,
            BitOr => BitAnd,
            BitAnd => Shift,
            Shift => Additive,
            Additive => Multiplicative,
            Multiplicative => BitXor,
            BitXor => Concat,
            Concat => Unary,
            Unary => Collate,
            Collate | Highest => Highest,
        }
    }
}
