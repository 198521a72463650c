//! Scripts of statements with MATCH ... AGAINST, made of what is put together with what.

/// Character sets that take full text.
const SETS: [&str; 35] = [
    "armscii8",
    "ascii",
    "big5",
    "cp1250",
    "cp1251",
    "cp1256",
    "cp1257",
    "cp850",
    "cp852",
    "cp866",
    "cp932",
    "dec8",
    "eucjpms",
    "euckr",
    "gb2312",
    "gbk",
    "geostd8",
    "greek",
    "hebrew",
    "hp8",
    "keybcs2",
    "koi8r",
    "koi8u",
    "latin1",
    "latin2",
    "latin5",
    "latin7",
    "macce",
    "macroman",
    "sjis",
    "swe7",
    "ujis",
    "utf8mb3",
    "utf8mb4",
    "utf8mb4 collate utf8mb4_bin",
];
/// Texts of the rows.
const WORDS: [&str; 8] = [
    "alpha beta gamma",
    "naïve Straße ÉCOLE",
    "яблоко груша ЯБЛОКО",
    "μήλο αχλάδι",
    "žluťoučký kůň",
    "りんご 日本語 東京都市",
    "שלום עולם",
    "alpha under_score don't beta-max",
];
/// What is looked for.
const QUERIES: [&str; 5] =
    ["alpha straße", "яблоко αχλάδι", "日本語 žluťoučký", "école beta gamma", "שלום under_score"];
/// How.
const MODES: [&str; 3] = ["", " with query expansion", " in boolean mode"];

/// MATCH in every place of a statement, in every mode, over columns of every character set that takes full text.
pub fn in_all_character_sets() -> String {
    let mut text = String::new();
    for set in SETS {
        text.push_str(&format!(
            "create table t (id int primary key, a varchar(80), b text, fulltext key ab (a, b)) engine=myisam charset {set};\n"
        ));
        for (n, words) in WORDS.iter().enumerate() {
            let other = WORDS[(n + 3) % WORDS.len()].replace('\'', "''");
            let words = words.replace('\'', "''");
            text.push_str(&format!("insert ignore into t values ({n}, '{words}', '{other} word{n}');\n"));
        }
        text.push_str("insert into t values (20, 'other', null),(21, null, 'else'),(22, 'row', 'more'),(23, 'filling', 'text'),(24, 'filling', 'text');\n");
        for query in QUERIES {
            for mode in MODES {
                let m = format!("match(a,b) against ('{query}'{mode})");
                for place in [
                    format!("select id, {m} from t"),
                    format!("select id, {m} from t where {m}"),
                    format!("select id from t where {m} or id = 22"),
                    format!("select count(*), {m} > 0 x from t group by x"),
                    format!("select id, {m} s from t having s > 0 order by s desc, id"),
                    format!(
                        "select t.id, u.id from t left join t u on t.id = u.id and match(u.a,u.b) against ('{query}'{mode})"
                    ),
                ] {
                    text.push_str(&place);
                    text.push_str(";\n");
                }
            }
            text.push_str(&format!("select id, match(b) against ('{query} wor*' in boolean mode) from t;\n"));
            text.push_str(&format!(
                "select id from t where match(a,b) against ('\"{query}\"' in boolean mode);\n"
            ));
        }
        text.push_str("drop table t;\n");
    }
    text
}

/// Types of columns, those among them that take no full text, and collations of one set that order letters otherwise.
const COLUMNS: [&str; 34] = [
    "char(60)",
    "char(60) not null default 'plain words'",
    "varchar(60)",
    "varchar(300) not null default ''",
    "tinytext",
    "text",
    "mediumtext",
    "longtext",
    "json",
    "varchar(60) collate utf8mb4_bin",
    "varchar(60) collate utf8mb4_unicode_ci",
    "varchar(60) collate utf8mb4_unicode_520_nopad_ci",
    "varchar(60) collate utf8mb4_german2_ci",
    "varchar(60) collate utf8mb4_uca1400_as_cs",
    "varchar(60) character set latin1 collate latin1_general_cs",
    "varchar(60) character set latin1 collate latin1_german2_ci",
    "varchar(60) character set ucs2",
    "varchar(60) character set utf16le",
    "varchar(60) as (concat(w, ' computed')) persistent",
    "varchar(60) as (concat(w, ' computed')) virtual",
    "binary(60)",
    "varbinary(60)",
    "blob",
    "enum('alpha beta','gamma')",
    "set('alpha','beta')",
    "int",
    "decimal(10,2)",
    "double",
    "date",
    "timestamp null",
    "bit(16)",
    "uuid",
    "inet6",
    "year",
];

/// What is looked for.
const AGAINST: [&str; 40] = [
    "'alpha'",
    "'alpha gamma'",
    "\"delta\"",
    "_latin1'alpha'",
    "_utf8mb4'Alpha' collate utf8mb4_bin",
    "_binary'alpha'",
    "binary 'alpha'",
    "x'616C706861'",
    "0x616C706861",
    "_ucs2 x'0061006C007000680061'",
    "n'alpha'",
    "1234",
    "-1234",
    "1234.5",
    "1.5e3",
    "b'0110000101101100'",
    "true",
    "null",
    "date '2024-02-29'",
    "timestamp '2024-02-29 10:11:12'",
    "@text",
    "@number",
    "@decimal",
    "@double",
    "@bytes",
    "@nothing",
    "@latin",
    "concat('alp', 'ha')",
    "cast('alpha' as char character set latin1)",
    "cast('alpha' as binary)",
    "cast(1234 as char)",
    "if(1, 'alpha', 5)",
    "coalesce(null, 'gamma')",
    "replace('blpha', 'b', 'a')",
    "(select 'alpha')",
    "(select max(w) from t)",
    "(select 'alpha' from t where 0)",
    "id",
    "w",
    "user()",
];

/// Every type of column with every search, and every type of what is looked for.
pub fn of_all_types() -> String {
    let mut text = String::from(
        "set names utf8mb4;\nset @text = 'alpha', @number = 1234, @decimal = 12345.25, @double = 1.5e10, @bytes = x'616C706861', @nothing = null, @latin = _latin1'alpha';\n",
    );
    let rows = "(1, 'alpha beta'), (2, 'gamma delta alpha'), (3, null), (4, '1234 epsilon'), (5, '2024-02-29 zeta'), (6, 'Straße strasse'), (7, 'ALPHA eta'), (8, ''), (9, 'theta'), (10, 'iota'), (11, '12345 kappa')";
    for (n, column) in COLUMNS.iter().enumerate() {
        let format = ["", " row_format=fixed", " row_format=dynamic checksum=1"][n % 3];
        let table = |key: &str| {
            format!(
                "create table t (id int primary key, w varchar(60), c {column}{key}) engine=myisam charset utf8mb4{format};\n"
            )
        };
        text.push_str(&table(", fulltext key f (c)"));
        text.push_str("drop table if exists t;\n");
        text.push_str(&table(", fulltext key f (c, w)"));
        text.push_str("drop table if exists t;\n");
        text.push_str(&table(", fulltext key w (w)"));
        text.push_str(&format!("insert into t (id, w) values {rows};\n"));
        let value = if *column == "json" {
            "concat('\"', w, ' ', id + 2000, '\"')"
        } else {
            "if(id % 2, w, concat(w, ' ', id + 2000))"
        };
        text.push_str(&format!("update ignore t set c = {value};\n"));
        text.push_str("alter table t add fulltext key c (c), add fulltext key cw (c, w);\n");
        text.push_str("insert into t (id, w) values (12, 'lambda alpha');\n");
        for query in ["alpha", "1234 gamma 2024", "strasse"] {
            for mode in MODES {
                for columns in ["c", "w", "c, w", "w, c"] {
                    let m = format!("match({columns}) against ('{query}'{mode})");
                    text.push_str(&format!("select id, {m} from t order by id;\n"));
                    text.push_str(&format!("select id from t where {m} order by id;\n"));
                }
            }
        }
        // MariaDB asks columns that are not stored for texts and gets none, and finds no phrase in utf16le
        if !column.ends_with("virtual") && !column.ends_with("utf16le") {
            text.push_str("select id from t where match(c) against ('alp* +gam*' in boolean mode);\n");
            text.push_str("select id, match(c) against ('\"gamma delta\"' in boolean mode) from t;\n");
        }
        text.push_str("delete from t where id in (2, 7);\n");
        if *column != "json" {
            text.push_str("update ignore t set c = 'gamma alpha' where id = 1;\n");
        }
        text.push_str(
            "select id from t where match(c) against ('alpha gamma') order by id;\ncheck table t extended;\n",
        );
        text.push_str("drop table t;\n");
    }
    for set in ["utf8mb4", "latin1", "latin1 collate latin1_bin"] {
        text.push_str(&format!(
            "create table t (id int primary key, w varchar(60), fulltext key w (w)) engine=myisam charset {set};\ninsert into t values {rows};\n"
        ));
        for against in AGAINST {
            for mode in MODES {
                let m = format!("match(w) against ({against}{mode})");
                for place in [
                    format!("select id, {m} from t order by id"),
                    format!("select id from t where {m} order by id"),
                    format!("select count(*) from t where {m}"),
                    format!("select id from t where not {m} order by id"),
                    format!("select id, {m} s from t order by s desc, id limit 3"),
                ] {
                    text.push_str(&place);
                    text.push_str(";\n");
                }
            }
        }
        for value in ["'alpha'", "1234", "12345.25", "1.5e10", "null", "x'616C706861'", "date '2024-02-29'"] {
            for mode in MODES {
                text.push_str(&format!(
                    "execute immediate 'select id, match(w) against (?{mode}) from t where match(w) against (?{mode}) order by id' using {value}, {value};\n"
                ));
            }
        }
        text.push_str("drop table t;\n");
    }
    text
}
