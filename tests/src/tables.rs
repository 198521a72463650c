//! Table definitions for files that go to and fro: all types, all kinds of keys and rows, many character sets.

use std::fmt::Write as _;

/// A table: its columns behind `rid INT NOT NULL`, its keys, its options.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Types of `c0`, `c1` and so on, as in CREATE TABLE.
    pub columns: &'static [&'static str],
    /// Keys: `primary`, `unique`, `key` or `fulltext`, then the parts.
    pub keys: &'static [&'static str],
    /// Options of the table.
    pub options: &'static str,
}

/// A key as the tests ask for it.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its name in the table.
    pub name: String,
    /// Whether it refuses doubled values.
    pub unique: bool,
    /// Whether it has the words of its columns instead of their values.
    pub fulltext: bool,
    /// Column, prefix length, descending.
    pub parts: Vec<(String, Option<u32>, bool)>,
}

impl Key {
    /// Whether some part is a prefix: such a key gives no order of whole values.
    #[must_use]
    pub fn has_prefix(&self) -> bool {
        self.parts.iter().any(|p| p.1.is_some())
    }

    /// The ORDER BY list that follows the key, forwards or backwards.
    #[must_use]
    pub fn order(&self, backwards: bool) -> String {
        let parts = self.parts.iter().map(|(column, _, descending)| {
            format!("{column}{}", if *descending == backwards { "" } else { " DESC" })
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl Definition {
    /// The statement that makes the table.
    #[must_use]
    pub fn create(&self, name: &str) -> String {
        let mut sql = format!("CREATE TABLE {name} (rid int not null");
        if self.options.contains("AUTO_INCREMENT") {
            sql.push_str(" auto_increment");
        }
        for (i, ty) in self.columns.iter().enumerate() {
            let _ = write!(sql, ", c{i} {ty}");
        }
        for (key, text) in self.keys().iter().zip(self.keys) {
            let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
            let _ = match kind {
                "primary" => write!(sql, ", PRIMARY KEY ({rest})"),
                "unique" => write!(sql, ", UNIQUE KEY {} ({rest})", key.name),
                "fulltext" => write!(sql, ", FULLTEXT KEY {} ({rest})", key.name),
                _ => write!(sql, ", KEY {} ({rest})", key.name),
            };
        }
        let _ = write!(sql, ") ENGINE=MyISAM {}", self.options);
        sql
    }

    /// Its keys.
    #[must_use]
    pub fn keys(&self) -> Vec<Key> {
        let mut keys = Vec::new();
        for (i, text) in self.keys.iter().enumerate() {
            let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
            let parts = rest.split(',').map(|part| {
                let part = part.trim();
                let (part, descending) = part.strip_suffix(" desc").map_or((part, false), |p| (p, true));
                match part.split_once('(') {
                    Some((column, n)) => {
                        (column.to_owned(), n.trim_end_matches(')').parse().ok(), descending)
                    }
                    None => (part.to_owned(), None, descending),
                }
            });
            keys.push(Key {
                name: if kind == "primary" { "PRIMARY".into() } else { format!("k{i}") },
                unique: matches!(kind, "primary" | "unique"),
                fulltext: kind == "fulltext",
                parts: parts.collect(),
            });
        }
        keys
    }

    /// Whether it has keys of words.
    #[must_use]
    pub fn has_fulltext(&self) -> bool {
        self.keys.iter().any(|k| k.starts_with("fulltext"))
    }

    /// Whether two rows of different or of the same `rid` may be refused for their other values.
    #[must_use]
    pub fn has_unique_values(&self) -> bool {
        let keys = self.keys();
        let one_row_a_rid = keys.iter().any(|k| k.unique && k.parts.len() == 1 && k.parts[0].0 == "rid");
        keys.iter().any(|k| k.unique && !(one_row_a_rid && k.parts.iter().any(|p| p.0 == "rid")))
    }
}

const fn t(
    columns: &'static [&'static str],
    keys: &'static [&'static str],
    options: &'static str,
) -> Definition {
    Definition { columns, keys, options }
}

/// All of them.
pub const DEFINITIONS: &[Definition] = &[
    // Fixed rows; keys of fixed length.
    t(&[], &["primary rid"], ""),
    t(&["int"], &["primary rid", "key c0"], "CHECKSUM=1"),
    t(&["varchar(30)", "int"], &["primary rid", "key c0"], "AUTO_INCREMENT=100"),
    t(
        &["tinyint not null", "smallint not null", "mediumint not null", "bigint not null"],
        &["key c0", "key c1", "key c2", "key c3", "key c0, c1, c2", "key c3 desc, c0"],
        "",
    ),
    t(
        &["tinyint unsigned not null", "smallint unsigned", "mediumint unsigned", "bigint unsigned not null"],
        &["primary rid", "key c0", "key c1, c2", "key c2 desc", "key c3"],
        "CHECKSUM=1",
    ),
    t(&["int unsigned zerofill", "tinyint(3) zerofill"], &["key c0", "key c1, rid"], ""),
    t(&["float not null", "double", "float unsigned"], &["key c0", "key c1", "key c2, c1"], ""),
    t(&["decimal(10,2)", "decimal(65,30)", "decimal(5,0) unsigned"], &["key c0", "key c1", "key c2, c0"], ""),
    t(&["date", "year", "time", "year(4) not null"], &["key c0", "key c1, c0", "key c2"], ""),
    t(
        &[
            "datetime",
            "datetime(3) not null",
            "time(6)",
            "timestamp(2) not null",
            "timestamp null",
            "time(1)",
        ],
        &["key c0", "key c1", "key c2 desc", "key c3", "key c4, c0"],
        "CHECKSUM=1",
    ),
    t(&["enum('a','b','c')", "set('x','y','z') not null"], &["key c0", "key c1, c0", "unique c0, rid"], ""),
    t(
        &["bit(1)", "bit(9) not null", "bit(32)", "bit(64)"],
        &["key c0, c1", "key c1", "key c2", "key c3"],
        "",
    ),
    t(&["char(7) not null", "char(1)"], &["key c0", "key c1, c0"], ""),
    t(&["char(100) not null", "int"], &["key c0", "key c1"], "PACK_KEYS=0"),
    t(&["binary(16) not null", "binary(3)"], &["key c0", "unique rid", "key c1"], "PACK_KEYS=0"),
    t(&["char(3) not null"], &[], "CHECKSUM=1"),
    t(&["bigint not null", "char(120) not null"], &["key c0", "key c1"], "KEY_BLOCK_SIZE=4096 PACK_KEYS=0"),
    t(&["int", "char(30)"], &["unique c0, rid", "key c1(5)", "key c1(5) desc, c0"], "ROW_FORMAT=FIXED"),
    t(&["varchar(20)", "int"], &["key c0", "key c1"], "ROW_FORMAT=FIXED CHECKSUM=1"),
    t(&["varbinary(20) not null", "varchar(3)"], &["key c0, c1", "primary rid"], "ROW_FORMAT=FIXED"),
    // Keys with string packing.
    t(&["char(20) not null"], &["key c0"], ""),
    t(&["char(60)", "char(60) not null"], &["key c0", "key c1, c0", "primary rid"], "CHECKSUM=1"),
    t(&["char(255)"], &["key c0", "key c0(30)"], "PACK_KEYS=1"),
    t(&["binary(20) not null", "binary(200)"], &["key c0", "key c1"], "PACK_KEYS=1"),
    t(&["decimal(30,3) not null", "int not null"], &["key c0", "key c1"], "PACK_KEYS=1"),
    t(&["char(20) not null", "char(12) not null"], &["unique c0, c1, rid", "key c1, c0"], ""),
    t(&["char(40)", "char(40)"], &["key c0 desc", "key c1(8) desc, rid", "unique rid desc"], "PACK_KEYS=1"),
    // Keys with binary packing.
    t(&["int not null", "int"], &["key c0", "key c0, c1", "key c1", "unique rid, c0"], "PACK_KEYS=1"),
    t(&["bigint", "datetime(6)"], &["key c0, c1", "key c1 desc"], "PACK_KEYS=1"),
    t(&["varchar(20) not null", "char(20) not null"], &["key c0", "key c1", "key c0, c1"], "PACK_KEYS=1"),
    t(&["varchar(100)"], &["key c0"], ""),
    t(&["varchar(300)"], &["key c0", "key c0(10)"], "CHECKSUM=1"),
    t(&["varchar(300) not null", "int"], &["key c0, c1", "key c1, c0(20)"], ""),
    t(&["uuid not null", "inet6"], &["key c0", "key c1"], ""),
    t(&["varchar(250) not null", "varchar(250) not null"], &["key c0, c1", "key c1"], ""),
    // Variable keys that are not packed.
    t(&["varchar(10)", "int"], &["unique c1, c0, rid"], "PACK_KEYS=0"),
    t(&["varchar(50) not null", "int"], &["key c0", "key c1, c0(4)"], "PACK_KEYS=0 CHECKSUM=1"),
    t(&["varbinary(30)", "varbinary(400)"], &["key c0", "key c1(40)"], "PACK_KEYS=0"),
    // Dynamic rows of many types.
    t(&["varchar(60) not null"], &["key rid"], ""),
    t(&["text", "int not null", "char(10)"], &["primary rid", "key c0(12), c1"], "CHECKSUM=1"),
    t(&["blob", "tinyblob", "mediumblob"], &["key c0(20)", "key c1(9), rid"], ""),
    t(
        &["text", "longtext", "tinytext", "mediumtext"],
        &["key c0(30)", "key c1(100), c0(3)", "key c2(5)"],
        "",
    ),
    t(&["longblob", "varchar(600)"], &["key c1(255)", "key c1(300)", "primary rid"], ""),
    t(
        &["char(30)", "binary(10)", "decimal(20,4)", "timestamp not null"],
        &["key c0", "key c2", "key c3, rid"],
        "ROW_FORMAT=DYNAMIC",
    ),
    t(
        &[
            "tinyint",
            "smallint",
            "mediumint",
            "int",
            "bigint",
            "float",
            "double",
            "date",
            "time",
            "datetime",
            "year",
            "bit(7)",
            "decimal(9,3)",
            "char(4)",
            "varchar(9)",
            "binary(2)",
            "blob",
            "enum('p','q','r')",
            "set('x','y','z')",
            "timestamp(4) null",
        ],
        &["key c0, c1", "key c9", "key c3, c14(4), c7", "key c17, c18", "primary rid"],
        "ROW_FORMAT=DYNAMIC CHECKSUM=1",
    ),
    t(
        &["bit(3)", "bit(20)", "set('a','b','c')", "enum('u','v','w')", "varchar(5)"],
        &["key c0", "key c1, c2", "key c3 desc, c4"],
        "",
    ),
    t(
        &["char(4)", "char(3)", "char(2) not null", "char(1)", "binary(3)", "binary(4)"],
        &["key c0", "key c4"],
        "ROW_FORMAT=DYNAMIC",
    ),
    t(
        &["int", "int", "int", "int", "int", "int", "int", "int", "int"],
        &["key c0", "key c1", "key c2", "key c3", "key c4", "key c5", "key c6", "key c0, c1, c2, c3, c4, c5"],
        "",
    ),
    // Unique keys that refuse.
    t(&["tinyint not null"], &["unique c0"], ""),
    t(&["smallint", "varchar(10) not null"], &["unique c0", "unique c1"], "CHECKSUM=1"),
    t(&["char(9) not null", "tinyint"], &["unique c0", "key c1", "unique c1, c0"], ""),
    t(&["varchar(40)", "int"], &["primary rid", "unique c0(3), c1"], "PACK_KEYS=1"),
    t(&["mediumint", "bit(6) not null"], &["primary rid, c1", "unique c1 desc, c0"], ""),
    // Sizes of pointers, options.
    t(&["int not null"], &["key c0", "key rid"], "MAX_ROWS=1000"),
    t(&["varchar(30)"], &["key c0"], "MAX_ROWS=5000 AVG_ROW_LENGTH=500 MIN_ROWS=10"),
    t(&["varchar(30)"], &["key rid, c0"], "MAX_ROWS=1000000000 DELAY_KEY_WRITE=1 COMMENT='big'"),
    // Character sets and collations.
    t(
        &["char(40) character set utf8mb4 not null", "varchar(60) character set utf8mb4"],
        &["key c0", "key c1", "key c1(7), c0(3)"],
        "",
    ),
    t(
        &["char(20) character set ucs2", "varchar(20) character set utf16", "text character set utf32"],
        &["key c0", "key c1", "key c2(6)"],
        "",
    ),
    t(
        &[
            "varchar(30) character set utf8mb3 collate utf8mb3_bin",
            "varchar(30) character set latin1 collate latin1_general_cs",
            "char(20) character set utf16le",
        ],
        &["unique c0, rid", "key c1", "key c2"],
        "CHECKSUM=1",
    ),
    t(
        &[
            "varchar(20) character set latin1 collate latin1_swedish_nopad_ci",
            "char(20) character set utf8mb4 collate utf8mb4_nopad_bin",
            "varchar(20) character set utf8mb3 collate utf8mb3_general_nopad_ci",
        ],
        &["key c0", "key c1", "key c2, c0"],
        "",
    ),
    t(
        &[
            "varchar(40) character set utf8mb4 collate utf8mb4_unicode_ci",
            "varchar(40) character set utf8mb4 collate utf8mb4_unicode_520_ci",
            "varchar(40) character set utf8mb4 collate uca1400_ai_ci",
        ],
        &["key c0", "key c1", "key c0(5)", "key c2, c0"],
        "",
    ),
    t(
        &[
            "varchar(30) character set utf8mb4 collate utf8mb4_czech_ci",
            "char(30) character set utf8mb3 collate utf8mb3_swedish_ci",
            "varchar(30) character set utf8mb4 collate utf8mb4_german2_ci",
        ],
        &["key c0", "key c1", "key c2 desc"],
        "PACK_KEYS=1",
    ),
    t(
        &["varchar(30) character set sjis", "char(10) character set cp932", "text character set ujis"],
        &["key c0", "key c1, c0(3)", "key c2(8)"],
        "",
    ),
    t(
        &["varchar(30) character set gbk", "char(10) character set gb2312", "varchar(20) character set big5"],
        &["key c0", "key c1", "key c2, c1", "primary rid"],
        "CHECKSUM=1",
    ),
    t(
        &["varchar(30) character set euckr", "char(12) character set eucjpms collate eucjpms_bin"],
        &["key c0", "key c1", "unique c0(2), rid"],
        "",
    ),
    t(
        &[
            "varchar(30) character set cp1251",
            "char(20) character set koi8r",
            "varchar(9) character set koi8u",
        ],
        &["key c0", "key c1", "key c2"],
        "",
    ),
    t(
        &["char(15) character set cp866", "varchar(25) character set cp1251 collate cp1251_bin"],
        &["key c0", "key c1 desc, c0"],
        "ROW_FORMAT=FIXED",
    ),
    t(
        &[
            "varchar(30) character set latin2",
            "varchar(30) character set cp1250 collate cp1250_czech_cs",
            "char(30) character set latin2 collate latin2_czech_cs",
            "varchar(30) character set cp852",
        ],
        &["key c0", "key c1", "key c2", "key c3"],
        "",
    ),
    t(
        &[
            "varchar(30) character set latin1 collate latin1_german1_ci",
            "char(25) character set latin1 collate latin1_german2_ci",
            "varchar(12) character set latin1 collate latin1_bin",
        ],
        &["key c0", "key c1", "key c2(5), c1"],
        "",
    ),
    t(
        &[
            "varchar(30) character set greek",
            "char(20) character set hebrew",
            "varchar(20) character set cp1256",
        ],
        &["key c0", "key c1", "key c2"],
        "CHECKSUM=1",
    ),
    t(
        &[
            "varchar(30) character set tis620",
            "char(20) character set latin5",
            "char(8) character set latin7",
        ],
        &["key c0", "key c1", "key c2"],
        "",
    ),
    t(
        &[
            "varchar(30) character set ascii",
            "char(20) character set cp850",
            "varchar(20) character set macroman",
            "char(9) character set hp8",
            "varchar(9) character set swe7",
            "varchar(9) character set dec8",
        ],
        &["key c0", "key c1", "key c2", "key c3, c4", "key c5"],
        "",
    ),
    t(
        &[
            "varchar(20) character set armscii8",
            "varchar(20) character set geostd8",
            "char(12) character set keybcs2",
            "char(12) character set macce",
            "varchar(12) character set cp1257",
        ],
        &["key c0", "key c1", "key c2", "key c3", "key c4, c0"],
        "PACK_KEYS=1",
    ),
    t(&["point", "int not null"], &["primary rid", "key c1"], ""),
    // Words.
    t(
        &["varchar(200) comment 'words'", "text comment 'words'", "int"],
        &["key c2", "fulltext c0, c1", "fulltext c1"],
        "",
    ),
    t(
        &[
            "text character set utf8mb4 comment 'words'",
            "varchar(90) character set utf8mb4 collate utf8mb4_unicode_ci comment 'words'",
        ],
        &["primary rid", "fulltext c0", "fulltext c1"],
        "CHECKSUM=1",
    ),
    t(&["char(120) comment 'words'"], &["key rid", "fulltext c0"], "ROW_FORMAT=FIXED"),
    t(
        &["longtext not null comment 'words'", "varchar(40) comment 'words'"],
        &["unique c1(20), rid", "fulltext c0, c1"],
        "MAX_ROWS=1000000000 AVG_ROW_LENGTH=1000",
    ),
];
