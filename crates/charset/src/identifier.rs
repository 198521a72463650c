//! Names that ignore letter case (columns, aliases, indexes, user variables, prepared statements,
//! savepoints, CTEs): compared by the lower case of their characters, accents distinct.

/// Whether two names are the same.
#[must_use]
pub fn eq(_a: &str, _b: &str) -> bool {
    todo!()
}

/// The form under which a name is looked up: equal for equal names.
#[must_use]
pub fn fold(_name: &str) -> String {
    todo!()
}
