//! Functions that Oracle has otherwise: `concat` of `sql_mode=ORACLE` and of `oracle_schema` is `concat_operator_oracle`.

use super::{Parser, error};
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{T, function_names};

/// How many arguments a function that has another name here takes: errors name it as it was called.
fn takes(full: &str, arguments: usize) -> bool {
    match full {
        "concat_operator_oracle" => arguments >= 1,
        "decode_oracle" => arguments >= 3,
        "replace_oracle" => arguments == 3,
        "ltrim_oracle" | "rtrim_oracle" | "char_length" => arguments == 1,
        _ => (2..=3).contains(&arguments),
    }
}

/// What a name that is given without a schema, or with that of Oracle, means to Oracle.
fn meant(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "substring" => Some("substr_oracle"),
        "length" => Some("char_length"),
        plain => function_names::oracle_name(plain),
    }
}

/// Whether a database is none, but names the server's own functions; `Some(true)` for those of Oracle.
pub(crate) fn own_schema(name: &str) -> Option<bool> {
    match name {
        "oracle_schema" => Some(true),
        "mariadb_schema" | "maxdb_schema" => Some(false),
        _ => None,
    }
}

/// Whether a schema of the server's own has a function of this name.
fn is_function(name: &str) -> bool {
    let geometric =
        name.get(..3).is_some_and(|s| s.eq_ignore_ascii_case("st_") || s.eq_ignore_ascii_case("mbr"));
    geometric
        || name.eq_ignore_ascii_case("replace")
        || function_names::OF_SERVER.iter().any(|f| f.eq_ignore_ascii_case(name))
}

/// 1582 for a wrong number of arguments.
fn counted(full: &'static str, name: &str, arguments: usize) -> SqlResult<&'static str> {
    match takes(full, arguments) {
        true => Ok(full),
        false => Err(SqlError::new(error::ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT, &[&name])),
    }
}

impl Parser<'_> {
    /// The name that a call without a schema means.
    ///
    /// # Errors
    /// 1582.
    pub(super) fn name_in_mode(&self, name: Name, arguments: usize) -> SqlResult<Name> {
        if !self.options.mode.oracle {
            return Ok(name);
        }
        let full = if name.eq_ignore_ascii_case("mid") { Some("substr_oracle") } else { meant(&name) };
        match full {
            Some(full) => counted(full, &name, arguments).map(Name::from),
            None => Ok(name),
        }
    }

    /// `mariadb_schema.name(...)`, `oracle_schema.name(...)`, at `(`.
    pub(super) fn schema_call(&mut self, name: Name, oracle: bool, start: u32) -> SqlResult<Expr> {
        match name.to_ascii_lowercase().as_str() {
            "trim" => return self.trim(start, oracle),
            plain @ ("substr" | "substring") => {
                let args = self.substring_arguments()?;
                return self.function(if oracle { "substr_oracle" } else { plain }, args, start);
            }
            _ => {}
        }
        self.expect(T::LParen)?;
        let args = if self.at(T::RParen) { Vec::new() } else { self.comma_list(Self::expr)? };
        self.expect(T::RParen)?;
        match meant(&name).filter(|_| oracle) {
            Some(full) => self.function(counted(full, &name, args.len())?, args, start),
            None if is_function(&name) => self.function(&name, args, start),
            None => Err(SqlError::new(error::ER_FUNCTION_NOT_DEFINED, &[&name])),
        }
    }
}
