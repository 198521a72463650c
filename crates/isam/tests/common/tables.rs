//! The tables the tests are made with: columns, keys, options. Every table begins with `rid INT NOT NULL`.

/// A table definition.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Columns behind `rid`: types; they are named c0, c1, ...
    pub columns: &'static [&'static str],
    /// Keys, as in CREATE TABLE.
    pub keys: &'static [&'static str],
    /// Table options.
    pub options: &'static str,
}

impl Spec {
    /// CREATE TABLE.
    pub fn create(&self, name: &str) -> String {
        let mut parts = vec!["rid int not null".to_owned()];
        parts.extend(self.columns.iter().enumerate().map(|(i, ty)| format!("c{i} {ty}")));
        parts.extend(self.keys.iter().map(|k| (*k).to_owned()));
        format!("CREATE TABLE {name} ({}) ENGINE=MyISAM {}", parts.join(", "), self.options)
    }

    /// Types of all columns, `rid` included.
    pub fn types(&self) -> Vec<&'static str> {
        std::iter::once("int not null").chain(self.columns.iter().copied()).collect()
    }
}

const fn t(columns: &'static [&'static str], keys: &'static [&'static str], options: &'static str) -> Spec {
    Spec { columns, keys, options }
}

/// All of them.
pub const SPECS: &[Spec] = &[
    // Fixed rows, fixed keys.
    t(&[], &["primary key (rid)"], ""),
    t(&["int not null"], &["primary key (rid)", "key (c0)"], ""),
    t(&["bigint not null", "int unsigned not null"], &["key (c0)", "key (c1)"], ""),
    t(
        &["tinyint not null", "smallint not null", "mediumint not null", "bigint unsigned not null"],
        &["key (c0)", "key (c1)", "key (c2)", "key (c3)", "key (c0, c1, c2)"],
        "",
    ),
    t(
        &["tinyint unsigned not null", "smallint unsigned not null", "mediumint unsigned not null"],
        &["key (c0)", "key (c1)", "key (c2)", "primary key (rid)"],
        "CHECKSUM=1",
    ),
    t(&["float not null", "double not null"], &["key (c0)", "key (c1)", "key (c1, c0)"], ""),
    t(&["date not null", "year not null", "time not null"], &["key (c0)", "key (c1)", "key (c2)"], ""),
    t(
        &["datetime not null", "datetime(3) not null", "time(6) not null", "timestamp(2) not null"],
        &["key (c0)", "key (c1)", "key (c2)", "key (c3)"],
        "",
    ),
    t(&["decimal(10,2) not null", "decimal(30,3) not null"], &["key (c0)", "key (c1)"], ""),
    t(&["enum('a','b','c') not null", "set('x','y','z') not null"], &["key (c0)", "key (c1)"], ""),
    t(&["bit(1) not null", "bit(9) not null", "bit(32) not null"], &["key (c0)", "key (c1)", "key (c2)"], ""),
    t(&["char(7) not null"], &["key (c0)"], ""),
    t(&["char(100) not null"], &["key (c0)"], "PACK_KEYS=0"),
    t(&["binary(16) not null"], &["key (c0)", "unique (rid)"], "PACK_KEYS=0"),
    t(&["char(3) not null"], &[], "CHECKSUM=1"),
    t(&["tinyint not null"], &["key (c0)"], "ROW_FORMAT=FIXED"),
    t(&["int"], &["primary key (rid)"], "CHECKSUM=1"),
    t(&["bigint not null"], &["key (c0)"], "KEY_BLOCK_SIZE=4096"),
    t(
        &["bigint not null", "char(120) not null"],
        &["key (c0)", "key (c1) key_block_size=8192"],
        "PACK_KEYS=0",
    ),
    // Fixed rows, nullable and variable keys.
    t(&["int"], &["key (c0)"], ""),
    t(&["int", "smallint"], &["unique (c0, rid)", "key (c1, c0)"], ""),
    t(&["char(20)", "date"], &["key (c0)", "key (c1)"], ""),
    t(&["char(5)"], &["key (c0)", "key (c0 desc, rid)"], ""),
    t(&["bit(5)", "bit(17)", "tinyint"], &["key (c0)", "key (c1)", "key (c2)"], ""),
    // String pack.
    t(&["char(20) not null"], &["key (c0)"], ""),
    t(&["char(60) not null"], &["key (c0)", "primary key (rid)"], ""),
    t(&["char(200) not null"], &["key (c0)"], ""),
    t(&["char(30)"], &["key (c0, rid)"], ""),
    t(&["char(255)"], &["key (c0)"], "PACK_KEYS=1"),
    t(&["binary(20) not null"], &["key (c0)"], ""),
    t(&["decimal(30,3) not null", "int not null"], &["key (c0)", "key (c1)"], "PACK_KEYS=1"),
    t(&["char(40) character set utf8mb4 not null"], &["key (c0)"], ""),
    t(&["char(20) not null", "char(12) not null"], &["unique (c0, c1, rid)", "key (c1, c0)"], ""),
    // Binary pack.
    t(&["int not null", "int not null"], &["key (c0)", "key (c0, c1)", "key (c1)"], "PACK_KEYS=1"),
    t(&["char(8) not null"], &["key (c0)"], ""),
    t(&["varchar(20) not null"], &["key (c0)"], ""),
    t(&["varchar(20) not null", "char(20) not null"], &["key ka (c0)", "key kb (c1)"], "PACK_KEYS=1"),
    t(&["varchar(100)"], &["key (c0)"], ""),
    t(&["varchar(300)"], &["key (c0)", "key (c0(10))"], ""),
    t(&["varchar(300) not null", "int"], &["key (c0, c1)", "key (c1, c0)"], "CHECKSUM=1"),
    t(&["uuid not null", "inet6"], &["key (c0)", "key (c1)"], ""),
    // Variable, not packed.
    t(&["varchar(10)", "int"], &["unique ab (c1, c0, rid)"], "PACK_KEYS=0"),
    t(&["varchar(7) not null"], &["key (c0)"], ""),
    t(&["varchar(50) not null", "int"], &["key (c0)", "key (c1)"], "PACK_KEYS=0"),
    t(&["varbinary(30)", "varbinary(400)"], &["key (c0)", "key (c1(40))"], "PACK_KEYS=0"),
    // Dynamic rows of many types.
    t(&["varchar(60) not null"], &["key (rid)"], ""),
    t(&["text", "int not null", "char(10)"], &["primary key (rid)"], "CHECKSUM=1"),
    t(&["blob", "tinyblob", "mediumblob"], &["key (c0(20))", "key (c1(9), rid)"], ""),
    t(&["text", "longtext"], &["key (c0(30))", "key (c1(100), c0(3))"], ""),
    t(
        &["char(30)", "binary(10)", "decimal(20,4)", "timestamp not null"],
        &["key (c0)", "key (c2)"],
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
        ],
        &["key (c0, c1)", "key (c9)"],
        "ROW_FORMAT=DYNAMIC CHECKSUM=1",
    ),
    t(
        &["bit(3)", "bit(20)", "set('a','b','c')", "enum('u','v','w')", "varchar(5)"],
        &["key (c0)", "key (c1, c2)"],
        "",
    ),
    t(
        &["char(200) character set utf8mb4", "varchar(100) character set utf8mb4"],
        &["key (c0(20))", "key (c1)"],
        "",
    ),
    t(&["char(20) character set ucs2", "varchar(20) character set utf16"], &["key (c0)", "key (c1)"], ""),
    t(
        &["char(4)", "char(3)", "char(2) not null", "char(1)", "binary(3)", "binary(4)"],
        &["key (c0)", "key (c4)"],
        "ROW_FORMAT=DYNAMIC",
    ),
    t(
        &["varchar(30) character set utf8mb3 collate utf8mb3_bin", "varchar(30) collate latin1_general_cs"],
        &["unique (c0, rid)", "key (c1)"],
        "",
    ),
    t(
        &["varchar(20) collate latin1_swedish_nopad_ci", "char(20) collate latin1_swedish_nopad_ci"],
        &["key (c0)", "key (c1)"],
        "",
    ),
    t(&["varchar(40) character set utf8mb4 collate utf8mb4_unicode_ci"], &["key (c0)", "key (c0(5))"], ""),
    // Unique keys that refuse.
    t(&["tinyint not null"], &["unique (c0)"], ""),
    t(&["smallint", "varchar(10) not null"], &["unique (c0)", "unique (c1)"], ""),
    t(&["char(9) not null", "tinyint"], &["unique (c0)", "key (c1)", "unique (c1, c0)"], ""),
    // Options, pointer sizes, fixed rows with VARCHAR.
    t(&["varchar(20)", "int"], &["key (c0)"], "ROW_FORMAT=FIXED"),
    t(&["varchar(20)", "int"], &["key (c0)"], "ROW_FORMAT=FIXED CHECKSUM=1"),
    t(&["int not null"], &["key (c0)", "key (rid)"], "MAX_ROWS=1000"),
    t(&["varchar(30)"], &["key (c0)"], "MAX_ROWS=5000 AVG_ROW_LENGTH=500 MIN_ROWS=10"),
    t(&["varchar(30)"], &["key (rid, c0)"], "MAX_ROWS=1000000000 DELAY_KEY_WRITE=1"),
    t(&["longblob", "varchar(600)"], &["key (c1(255))", "key (c1(300))"], ""),
    t(&["varchar(250) not null", "varchar(250) not null"], &["key (c0, c1)", "key (c1)"], ""),
];
