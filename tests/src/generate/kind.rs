//! The column types that random tables have, and values for them.

use super::Generator;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    TinyInt,
    SmallUnsigned,
    Int,
    BigInt,
    BigUnsigned,
    Decimal,
    Double,
    VarcharUtf8,
    VarcharLatin1,
    Char,
    Varbinary,
    Text,
    Date,
    DateTime,
    Time,
    Enum,
    Year,
    TinyZerofill,
    MediumInt,
    Float,
    LongDecimal,
    Bit,
    Set,
    Timestamp,
    DateTime6,
    Time3,
    VarcharUcs2,
    VarcharBin,
    VarcharUca,
    Binary,
    Blob,
    LongText,
    Uuid,
    Inet6,
    Time6,
    VarcharGeneral,
}

/// How many of [`KINDS`] the plain run has.
pub(super) const PLAIN_KINDS: usize = 17;

pub(super) const KINDS: [Kind; 32] = [
    Kind::TinyInt,
    Kind::SmallUnsigned,
    Kind::Int,
    Kind::BigInt,
    Kind::BigUnsigned,
    Kind::Decimal,
    Kind::Double,
    Kind::VarcharUtf8,
    Kind::VarcharLatin1,
    Kind::Char,
    Kind::Varbinary,
    Kind::Text,
    Kind::Date,
    Kind::DateTime,
    Kind::Time,
    Kind::Enum,
    Kind::Year,
    Kind::TinyZerofill,
    Kind::MediumInt,
    Kind::Float,
    Kind::LongDecimal,
    Kind::Bit,
    Kind::Set,
    Kind::Timestamp,
    Kind::DateTime6,
    Kind::Time3,
    Kind::VarcharUcs2,
    Kind::VarcharBin,
    Kind::VarcharUca,
    Kind::Binary,
    Kind::Blob,
    Kind::LongText,
];

impl Kind {
    pub fn sql(self) -> &'static str {
        match self {
            Kind::TinyInt => "tinyint",
            Kind::SmallUnsigned => "smallint unsigned",
            Kind::Int => "int",
            Kind::BigInt => "bigint",
            Kind::BigUnsigned => "bigint unsigned",
            Kind::Decimal => "decimal(10,2)",
            Kind::Double => "double",
            Kind::VarcharUtf8 => "varchar(24) character set utf8mb4 collate utf8mb4_general_ci",
            Kind::VarcharLatin1 => "varchar(12) character set latin1",
            Kind::Char => "char(10) character set utf8mb4 collate utf8mb4_general_ci",
            Kind::Varbinary => "varbinary(16)",
            Kind::Text => "text character set utf8mb4 collate utf8mb4_general_ci",
            Kind::Date => "date",
            Kind::DateTime => "datetime",
            Kind::Time => "time",
            Kind::Enum => "enum('red','green','blue')",
            Kind::Year => "year",
            Kind::TinyZerofill => "tinyint(3) unsigned zerofill",
            Kind::MediumInt => "mediumint",
            Kind::Float => "float",
            Kind::LongDecimal => "decimal(30,12)",
            Kind::Bit => "bit(9)",
            Kind::Set => "set('x','y','z')",
            Kind::Timestamp => "timestamp",
            Kind::DateTime6 => "datetime(6)",
            Kind::Time3 => "time(3)",
            Kind::VarcharUcs2 => "varchar(10) character set ucs2",
            Kind::VarcharBin => "varchar(12) character set utf8mb4 collate utf8mb4_bin",
            Kind::VarcharUca => "varchar(12) character set utf8mb4 collate utf8mb4_unicode_ci",
            Kind::Binary => "binary(5)",
            Kind::Blob => "blob",
            Kind::LongText => "longtext character set latin1",
            Kind::Uuid => "uuid",
            Kind::Inet6 => "inet6",
            Kind::Time6 => "time(6)",
            Kind::VarcharGeneral => "varchar(30) character set latin1 collate latin1_general_ci",
        }
    }

    pub fn number(self) -> bool {
        matches!(
            self,
            Kind::TinyInt
                | Kind::SmallUnsigned
                | Kind::Int
                | Kind::BigInt
                | Kind::BigUnsigned
                | Kind::Decimal
                | Kind::MediumInt
                | Kind::TinyZerofill
                | Kind::LongDecimal
        )
    }

    pub fn text(self) -> bool {
        matches!(
            self,
            Kind::VarcharUtf8
                | Kind::VarcharLatin1
                | Kind::Char
                | Kind::Text
                | Kind::Enum
                | Kind::VarcharUcs2
                | Kind::VarcharBin
                | Kind::VarcharUca
                | Kind::VarcharGeneral
                | Kind::LongText
        )
    }

    pub fn bytes(self) -> bool {
        matches!(self, Kind::Varbinary | Kind::Binary | Kind::Blob)
    }

    /// Whether a key takes only a prefix of it.
    pub fn long(self) -> bool {
        matches!(self, Kind::Text | Kind::Blob | Kind::LongText)
    }

    pub fn dated(self) -> bool {
        matches!(self, Kind::Date | Kind::DateTime | Kind::DateTime6 | Kind::Timestamp)
    }
}

impl Generator {
    pub(super) fn literal(&mut self, kind: Kind, nullable: bool) -> String {
        if nullable && self.rng.u8(0..7) == 0 {
            return "NULL".into();
        }
        let words = [
            "a", "A", "abc", "ABC ", "b", "bob", "Bär", "baz", "", " ", "zz", "hello", "Hello", "x y", "ß",
            "ss", "10", "2x", "a%b", "x_y", "5!%",
        ];
        match kind {
            Kind::TinyInt => self.rng.i32(-20..20).to_string(),
            Kind::SmallUnsigned => self.rng.i32(0..300).to_string(),
            Kind::Int | Kind::BigInt => self.rng.i32(-60..60).to_string(),
            Kind::BigUnsigned => match self.rng.u8(0..12) {
                0 => "18446744073709551615".into(),
                1 => "9223372036854775808".into(),
                _ => self.rng.u32(0..100).to_string(),
            },
            Kind::Decimal => format!("{}.{:02}", self.rng.i32(-300..300), self.rng.u8(0..100)),
            Kind::Double => {
                ["0", "1.5", "-2.25", "1e10", "3.125", "-0.5", "100", "1e-3"][self.rng.usize(0..8)].into()
            }
            Kind::TinyZerofill => self.rng.u8(0..90).to_string(),
            Kind::MediumInt => self.rng.i32(-9000..9000).to_string(),
            Kind::Float => ["0", "1.5", "-2.25", "64", "0.125", "-0.5", "100"][self.rng.usize(0..7)].into(),
            Kind::LongDecimal => {
                format!("{}.{:06}", self.rng.i64(-4_000_000_000..4_000_000_000), self.rng.u32(0..1_000_000))
            }
            Kind::Bit => format!("b'{:b}'", self.rng.u16(0..512)),
            Kind::Set => ["''", "'x'", "'x,y'", "'z'", "'x,y,z'", "'y,z'"][self.rng.usize(0..6)].into(),
            Kind::VarcharUtf8
            | Kind::VarcharLatin1
            | Kind::Char
            | Kind::Text
            | Kind::Varbinary
            | Kind::VarcharUcs2
            | Kind::VarcharBin
            | Kind::VarcharUca
            | Kind::Binary
            | Kind::Blob
            | Kind::VarcharGeneral
            | Kind::LongText => {
                format!("'{}'", words[self.rng.usize(0..words.len())])
            }
            Kind::Date => {
                format!("'20{:02}-{:02}-{:02}'", self.rng.u8(0..30), self.rng.u8(1..13), self.rng.u8(1..29))
            }
            Kind::DateTime | Kind::DateTime6 | Kind::Timestamp => format!(
                "'20{:02}-{:02}-{:02} {:02}:{:02}:{:02}'",
                self.rng.u8(0..30),
                self.rng.u8(1..13),
                self.rng.u8(1..29),
                self.rng.u8(0..24),
                self.rng.u8(0..60),
                self.rng.u8(0..60)
            ),
            Kind::Time | Kind::Time3 | Kind::Time6 => {
                format!("'{:02}:{:02}:{:02}'", self.rng.u8(0..30), self.rng.u8(0..60), self.rng.u8(0..60))
            }
            Kind::Enum => ["'red'", "'green'", "'blue'"][self.rng.usize(0..3)].into(),
            Kind::Year => (1990 + self.rng.u32(0..60)).to_string(),
            Kind::Uuid => format!("'6ccd780c-baba-1026-9564-5b8c6560{:04x}'", self.rng.u16(0..200)),
            Kind::Inet6 => format!("'::{:x}'", self.rng.u16(0..200)),
        }
    }

    /// A literal that may not fit: too long, too large, of another type.
    pub(super) fn odd_literal(&mut self, kind: Kind) -> String {
        let odd = [
            "300",
            "-1",
            "'abc'",
            "'12abc'",
            "99999999999",
            "'2020-02-30'",
            "1.005",
            "'purple'",
            "'a very long string indeed, longer than any column'",
            "''",
            "NULL",
            "1e40",
            "'0000-00-00'",
            "x'4142'",
            "'-5'",
            "1/3",
        ];
        match odd[self.rng.usize(0..odd.len())] {
            // 300 is the date 2000-03-00, which MariaDB's temporary tables make 0000-00-00 under NO_ZERO_IN_DATE:
            // SET sql_mode = ''; INSERT INTO t (d) VALUES (300); SET sql_mode = 'NO_ZERO_IN_DATE';
            // SELECT d FROM t and SELECT DISTINCT d FROM t give different dates
            "300" if kind.dated() => "'2000-03-05'".into(),
            // 1/3 is the zero date with a fraction, which is gone from MariaDB's temporary tables (SELECT DISTINCT)
            "1/3" if kind.dated() => "'2000-03-05'".into(),
            odd => odd.into(),
        }
    }
}
