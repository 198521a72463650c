//! Names that ignore letter case (columns, aliases, indexes, user variables, prepared statements,
//! savepoints, CTEs): compared by the lower case of their characters, accents distinct.

use crate::case::general_lower;

/// Whether two names are the same.
#[must_use]
pub fn eq(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return a.eq_ignore_ascii_case(b);
    }
    a.chars().map(general_lower).eq(b.chars().map(general_lower))
}

/// The form under which a name is looked up: equal for equal names.
#[must_use]
pub fn fold(name: &str) -> String {
    if name.is_ascii() { name.to_ascii_lowercase() } else { name.chars().map(general_lower).collect() }
}

#[cfg(test)]
mod tests {
    use super::{eq, fold};

    #[test]
    fn letter_case_is_ignored_and_accents_are_not() {
        assert!(eq("Id", "iD") && eq("é", "É") && eq("i", "İ") && eq("Straße", "strAße"));
        assert!(!eq("é", "e") && !eq("ß", "s") && !eq("a", "a ") && !eq("ab", "a"));
        assert_eq!(fold("ÄB"), "äb");
        assert_eq!(fold("İ"), "i");
    }
}
