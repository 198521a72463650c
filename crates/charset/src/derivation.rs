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

/// Why there is no common collation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Errors 1267 (two operands), 1270 (three) and 1271 (more): "Illegal mix of collations".
    Collations {
        /// The error number.
        code: u16,
        /// Collation name and derivation of the operands to be named: two for 1267, three for 1270, none for 1271.
        operands: Vec<(&'static str, Derivation)>,
    },
    /// Error 1300: a binary constant is not a string of the set it is used as.
    Invalid {
        /// Name of the set.
        charset: &'static str,
        /// The bytes from the first ill-formed one on.
        bytes: Vec<u8>,
    },
}

/// The common collation of `operands`. When all are numbers the result is `binary` with derivation `Numeric`: the
/// caller then takes the connection's collation. Operands of another set than the result's are to be converted to it.
///
/// # Errors
/// [`Mix`] when there is none.
pub fn aggregate(operands: &[Operand<'_>], purpose: Purpose) -> Result<Derived, Mix> {
    let Some((first, rest)) = operands.split_first() else {
        return Ok(Derived { collation: crate::binary(), derivation: Derivation::Ignorable, ascii: true });
    };
    let mut result = first.derived;
    // A mix of different sets may still be settled by a stronger operand after it.
    let mut mixed = false;
    for operand in rest {
        let (left, right) = (result, operand.derived);
        let ascii = left.ascii && right.ascii;
        result = match combine(left, right) {
            Some(kept) => {
                mixed = mixed && kept.derivation == Derivation::None;
                // Text that takes the place of binary bytes is what it is.
                let replaced = left.collation.is_binary() && kept == right;
                let ascii = if replaced { right.ascii } else { ascii };
                Derived { ascii, ..kept }
            }
            // nothing is stronger than two that were named
            None if left.derivation.max(right.derivation) == Derivation::Explicit => {
                return Err(mix(operands));
            }
            None => {
                mixed = true;
                Derived { collation: crate::binary(), derivation: Derivation::None, ascii }
            }
        };
    }
    if mixed || purpose == Purpose::Comparison && result.derivation == Derivation::None {
        return Err(mix(operands));
    }
    for operand in operands {
        convertible(operand, result).map_err(|e| e.unwrap_or_else(|| mix(operands)))?;
    }
    Ok(result)
}

/// The error that no collation serves all operands.
fn mix(operands: &[Operand<'_>]) -> Mix {
    let (code, named) = match operands.len() {
        0..=2 => (1267, operands),
        3 => (1270, operands),
        _ => (1271, &[][..]),
    };
    let name = |o: &Operand<'_>| match o.derived.derivation {
        // Numbers are named as if they were text of the server's own set.
        Derivation::Numeric => "latin1_swedish_ci",
        _ => o.derived.collation.name,
    };
    Mix::Collations { code, operands: named.iter().map(|o| (name(o), o.derived.derivation)).collect() }
}

/// Whether characters of `right` can be written in the set of `left` by what is known of both.
fn includes(left: &Derived, right: &Derived) -> bool {
    let (l, r) = (left.collation.charset, right.collation.charset);
    let stronger = left.derivation < right.derivation;
    let equal = left.derivation == right.derivation;
    let unicode = l.is_unicode()
        && (stronger || equal && (!r.is_unicode() || l.name == "utf8mb4" && r.name == "utf8mb3"));
    let ascii = right.ascii && (stronger || equal && !left.ascii);
    unicode || ascii
}

/// The winner of two. None: there is none.
fn combine(left: Derived, right: Derived) -> Option<Derived> {
    let (l, r) = (left.collation, right.collation);
    if left.derivation == Derivation::Ignorable || right.derivation == Derivation::Ignorable {
        return Some(if left.derivation <= right.derivation { left } else { right });
    }
    if l.charset == r.charset {
        return match left.derivation.cmp(&right.derivation) {
            _ if l == r => Some(if left.derivation <= right.derivation { left } else { right }),
            std::cmp::Ordering::Less => Some(left),
            std::cmp::Ordering::Greater => Some(right),
            std::cmp::Ordering::Equal => match (left.derivation, l.is_bin(), r.is_bin()) {
                (Derivation::Explicit, ..) => None,
                (_, true, _) => Some(left),
                (_, _, true) => Some(right),
                _ => Some(Derived {
                    collation: l.charset.bin_collation(),
                    derivation: Derivation::None,
                    ..left
                }),
            },
        };
    }
    if l.is_binary() || r.is_binary() {
        // The stronger one; of equal ones the binary one.
        return Some(match left.derivation.cmp(&right.derivation) {
            std::cmp::Ordering::Less => left,
            std::cmp::Ordering::Greater => right,
            std::cmp::Ordering::Equal if l.is_binary() => left,
            std::cmp::Ordering::Equal => right,
        });
    }
    if includes(&left, &right) {
        Some(left)
    } else if includes(&right, &left) {
        Some(right)
    } else if left.derivation < right.derivation && right.derivation >= Derivation::SystemConstant {
        // It will be seen whether the weaker one can be converted.
        Some(left)
    } else if right.derivation < left.derivation && left.derivation >= Derivation::SystemConstant {
        Some(right)
    } else {
        None
    }
}

/// Whether an operand can be converted to the set of the result. Err(None): the mix error.
fn convertible(operand: &Operand<'_>, result: Derived) -> Result<(), Option<Mix>> {
    let (from, to) = (operand.derived.collation.charset, result.collation.charset);
    if from == to || to.is_binary() || operand.derived.derivation >= Derivation::Numeric {
        return Ok(());
    }
    if from.is_binary() {
        let Some(bytes) = operand.constant else { return Ok(()) };
        // A constant of ucs2, utf16 or utf32 is filled up with zeros on its left.
        let unit = usize::from(to.mbminlen);
        let mut filled = vec![0; (unit - bytes.len() % unit) % unit];
        filled.extend_from_slice(bytes);
        let bytes = filled.as_slice();
        let good = to.well_formed_len(bytes);
        return match bytes.get(good..) {
            Some(bad) if !bad.is_empty() => Err(Some(Mix::Invalid { charset: to.name, bytes: bad.to_vec() })),
            _ => Ok(()),
        };
    }
    match operand.constant {
        _ if operand.derived.ascii => Ok(()),
        Some(bytes) => match from.convert(bytes, to, &mut Vec::new()) {
            0 => Ok(()),
            _ => Err(None),
        },
        None if to.is_unicode() => Ok(()),
        None => Err(None),
    }
}
