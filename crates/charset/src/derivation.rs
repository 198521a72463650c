//! Which collation an expression of several strings has: derivation (coercibility) and its rules.

use crate::Collation;

/// Coercibility; the lower value wins. The numbers are those of COERCIBILITY().
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Derivation {
    /// A COLLATE clause.
    Explicit = 0,
    /// A mix of two implicit collations.
    None = 1,
    /// Columns, user variables, CONVERT, CAST and functions of them.
    Implicit = 2,
    /// USER(), DATABASE(), system variables.
    SystemConstant = 3,
    /// Literals.
    Coercible = 4,
    /// Numbers and temporal values.
    Numeric = 5,
    /// NULL.
    Ignorable = 6,
}

impl Derivation {
    /// As messages 1267 and 1270 write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicit => "EXPLICIT",
            Self::None => "NONE",
            Self::Implicit => "IMPLICIT",
            Self::SystemConstant => "SYSCONST",
            Self::Coercible => "COERCIBLE",
            Self::Numeric => "NUMERIC",
            Self::Ignorable => "IGNORABLE",
        }
    }
}

/// The collation and derivation of a string expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Its collation.
    pub collation: &'static Collation,
    /// How it came by it.
    pub derivation: Derivation,
    /// Whether all its characters are known to be ASCII.
    pub ascii: bool,
}

/// One argument of a function or operator.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    /// What is known of it.
    pub derived: Derived,
    /// The bytes of a constant, in the set of its collation: it may be converted when nothing is lost.
    pub constant: Option<&'a [u8]>,
}

/// What the result is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A value (CONCAT, IF, COALESCE, UNION ..): a mix without a winner gives derivation `None`.
    Value,
    /// A comparison (`=`, LIKE, IN, STRCMP ..): it needs one collation.
    Comparison,
}

/// The data of errors 1267 (two operands), 1270 (three) and 1271 (more).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix {
    /// The error number.
    pub code: u16,
    /// Collation name and derivation of the operands to be named: two for 1267, three for 1270, none for 1271.
    pub operands: Vec<(&'static str, Derivation)>,
}

/// The common collation of `operands`.
///
/// # Errors
/// [`Mix`] when there is none: "Illegal mix of collations".
pub fn aggregate(_operands: &[Operand<'_>], _purpose: Purpose) -> Result<Derived, Mix> {
    todo!()
}
