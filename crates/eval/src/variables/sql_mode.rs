//! The bits of `sql_mode`.

use super::definition::VarDef;
use super::value::VarValue;
use syntax::lex::{ClientBytes, LexMode};

/// The members of `sql_mode` that are in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SqlMode(pub u64);

impl SqlMode {
    /// How texts are read in this mode that a client with such characters has sent.
    #[must_use]
    pub fn lexing(self, client: ClientBytes) -> LexMode {
        LexMode {
            ansi_quotes: self.has(SqlMode::ANSI_QUOTES),
            pipes_as_concat: self.has(SqlMode::PIPES_AS_CONCAT),
            no_backslash_escapes: self.has(SqlMode::NO_BACKSLASH_ESCAPES),
            high_not_precedence: self.has(SqlMode::HIGH_NOT_PRECEDENCE),
            empty_is_null: self.has(SqlMode::EMPTY_STRING_IS_NULL),
            oracle: self.has(SqlMode::ORACLE),
            ignore_space: self.has(SqlMode::IGNORE_SPACE),
            client,
        }
    }
}

macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident = $bit:expr;)*) => {
        impl SqlMode {
            $($(#[$doc])* pub const $name: SqlMode = SqlMode(1 << $bit);)*
        }
    };
}

bits! {
    /// REAL is FLOAT.
    REAL_AS_FLOAT = 0;
    /// `||` concatenates.
    PIPES_AS_CONCAT = 1;
    /// `"` quotes identifiers.
    ANSI_QUOTES = 2;
    /// A space may stand between a function's name and its parenthesis.
    IGNORE_SPACE = 3;
    /// Unknown table options are warnings.
    IGNORE_BAD_TABLE_OPTIONS = 4;
    /// Selected columns must be grouped.
    ONLY_FULL_GROUP_BY = 5;
    /// Unsigned subtraction gives signed results.
    NO_UNSIGNED_SUBTRACTION = 6;
    /// DATA and INDEX DIRECTORY are ignored.
    NO_DIR_IN_CREATE = 7;
    /// The words of Oracle.
    ORACLE = 9;
    /// SHOW CREATE prints no key options.
    NO_KEY_OPTIONS = 13;
    /// SHOW CREATE prints no table options.
    NO_TABLE_OPTIONS = 14;
    /// SHOW CREATE prints no column options.
    NO_FIELD_OPTIONS = 15;
    /// SHOW CREATE prints for a server of version 3.23.
    MYSQL323 = 16;
    /// SHOW CREATE prints for a server of version 4.0.
    MYSQL40 = 17;
    /// ANSI.
    ANSI = 18;
    /// Only NULL makes an AUTO_INCREMENT value.
    NO_AUTO_VALUE_ON_ZERO = 19;
    /// Backslash is an ordinary character.
    NO_BACKSLASH_ESCAPES = 20;
    /// Bad values are errors (for tables without transactions: in the first row).
    STRICT_TRANS_TABLES = 21;
    /// Bad values are errors in every row.
    STRICT_ALL_TABLES = 22;
    /// Dates with zero month or day are refused.
    NO_ZERO_IN_DATE = 23;
    /// The zero date is refused.
    NO_ZERO_DATE = 24;
    /// Days up to 31 in every month.
    ALLOW_INVALID_DATES = 25;
    /// Division by zero is an error or a warning.
    ERROR_FOR_DIVISION_BY_ZERO = 26;
    /// TRADITIONAL.
    TRADITIONAL = 27;
    /// GRANT makes no accounts.
    NO_AUTO_CREATE_USER = 28;
    /// NOT binds tighter.
    HIGH_NOT_PRECEDENCE = 29;
    /// An unknown engine is an error.
    NO_ENGINE_SUBSTITUTION = 30;
    /// CHAR values keep their padding.
    PAD_CHAR_TO_FULL_LENGTH = 31;
    /// An empty string is NULL.
    EMPTY_STRING_IS_NULL = 32;
    /// UPDATE reads only old values.
    SIMULTANEOUS_ASSIGNMENT = 33;
    /// Fractions of seconds are rounded.
    TIME_ROUND_FRACTIONAL = 34;
}

impl SqlMode {
    /// Whether SHOW CREATE writes for another kind of server: POSTGRESQL, ORACLE, MSSQL, DB2, MAXDB, ANSI.
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        self.0 & (0b1_1111 << 8 | 1 << 18) != 0
    }

    /// Whether any of `other`'s members is in force.
    pub fn has(self, other: SqlMode) -> bool {
        self.0 & other.0 != 0
    }

    /// The mode with none of `other`'s members.
    pub fn without(self, other: SqlMode) -> SqlMode {
        SqlMode(self.0 & !other.0)
    }

    /// Whether bad values are errors at all.
    pub fn strict(self) -> bool {
        self.has(SqlMode::STRICT_TRANS_TABLES) || self.has(SqlMode::STRICT_ALL_TABLES)
    }

    /// Adds the members that combination modes stand for.
    pub fn expanded(self) -> SqlMode {
        let mut m = self.0;
        let bit = |b: u32| 1u64 << b;
        let pipes_ansi_space = bit(1) | bit(2) | bit(3);
        let no_options = bit(13) | bit(14) | bit(15);
        if m & bit(18) != 0 {
            m |= bit(0) | pipes_ansi_space;
        }
        if m & bit(9) != 0 {
            m |= bit(1) | bit(2) | bit(3) | no_options | bit(28) | bit(33);
        }
        for foreign in [8, 10, 11] {
            if m & bit(foreign) != 0 {
                m |= pipes_ansi_space | no_options;
            }
        }
        if m & bit(12) != 0 {
            m |= pipes_ansi_space | no_options | bit(28);
        }
        if m & (bit(16) | bit(17)) != 0 {
            m |= bit(29);
        }
        if m & bit(27) != 0 {
            m |= bit(21) | bit(22) | bit(23) | bit(24) | bit(26) | bit(28) | bit(30);
        }
        SqlMode(m)
    }
}

/// Expands the value when the variable is `sql_mode`.
pub fn expand(def: &VarDef, value: VarValue) -> VarValue {
    match value {
        VarValue::Bits(b) if def.name == "sql_mode" => VarValue::Bits(SqlMode(b).expanded().0),
        other => other,
    }
}
