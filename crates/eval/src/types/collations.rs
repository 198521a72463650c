//! Character sets and collations by name.

use charset::{Charset, Collation};

use crate::error::{self, SqlError, SqlResult};

/// A character set by name.
///
/// # Errors
/// 1115 when unknown.
pub fn charset_named(name: &str) -> SqlResult<&'static Charset> {
    Charset::by_name(name).ok_or_else(|| SqlError::new(error::ER_UNKNOWN_CHARACTER_SET, &[&name]))
}

/// The collation that COLLATE names for text of a character set: a full name, or a short one (`uca1400_ai_ci`),
/// which is completed with the set.
///
/// # Errors
/// 1273 when unknown, 1253 when it is not one of this set's.
pub fn collation_in(name: &str, cs: &'static Charset) -> SqlResult<&'static Collation> {
    let mismatch = |c: &str| SqlError::new(error::ER_COLLATION_CHARSET_MISMATCH, &[&c, &cs.name]);
    match Collation::by_name_in(name, cs) {
        Some(c) if c.charset.name == cs.name => Ok(c),
        Some(c) => Err(mismatch(c.name)),
        // A short name that another set completes.
        None if Collation::by_name(&format!("utf8mb4_{name}")).is_some() => Err(mismatch(name)),
        None => Err(SqlError::new(error::ER_UNKNOWN_COLLATION, &[&name])),
    }
}

/// The default collation of a character set.
pub fn default_collation(cs: &'static Charset) -> &'static Collation {
    Collation::by_id(cs.default_collation_id).unwrap_or_else(charset::system)
}

/// The collation that CHARACTER SET and COLLATE name; `default` when neither is given.
///
/// # Errors
/// 1115, 1273 for unknown names, 1253 when they do not belong together.
pub fn combine(
    charset: Option<&str>,
    collation: Option<&str>,
    default: &'static Collation,
) -> SqlResult<&'static Collation> {
    let is_default = |n: &&str| n.eq_ignore_ascii_case("default");
    let charset = charset.filter(|n| !is_default(n)).map(charset_named).transpose()?;
    match (charset, collation.filter(|n| !is_default(n))) {
        (None, None) => Ok(default),
        (Some(cs), None) => Ok(default_collation(cs)),
        // A full name brings its set.
        (None, Some(name)) => {
            Collation::by_name(name).map_or_else(|| collation_in(name, default.charset), Ok)
        }
        (Some(cs), Some(name)) => collation_in(name, cs),
    }
}
