//! Columns that are read many rows at a time have the values that rows read one by one have: all types, NULL, zeros, rows of fixed and of
//! variable length, in pieces, deleted and in memory; read at once, and after a condition was looked at.

mod common;

use common::Database;

/// The same numbers in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A type, and literals of its values.
type Column = (&'static str, &'static [&'static str]);

/// Which rows meet a condition, by their numbers.
type Meets = fn(u64) -> bool;

/// What all tables have.
const COLUMNS: &[Column] = &[
    ("tinyint", &["0", "1", "-1", "127", "-128"]),
    ("tinyint unsigned", &["0", "255", "128"]),
    ("smallint", &["0", "-32768", "32767", "300"]),
    ("smallint unsigned zerofill", &["0", "65535", "7"]),
    ("mediumint", &["0", "-8388608", "8388607", "-1"]),
    ("mediumint unsigned", &["0", "16777215", "70000"]),
    ("int", &["0", "-2147483648", "2147483647", "-5"]),
    ("int unsigned", &["0", "4294967295", "2147483648"]),
    ("bigint", &["0", "-9223372036854775808", "9223372036854775807"]),
    ("bigint unsigned", &["0", "18446744073709551615", "9"]),
    ("float", &["0", "-1.5", "3.25e10"]),
    ("double", &["0", "-1.5e-300", "3.25e10", "1e308"]),
    ("float(7,2)", &["0", "12.25", "-99999.99"]),
    ("decimal(1,0)", &["0", "-9", "9"]),
    ("decimal(12,2)", &["0", "-0.01", "9999999999.99", "-1234567.8"]),
    ("decimal(9,9)", &["0", "0.000000001", "-0.999999999"]),
    ("decimal(18,9) unsigned", &["0", "999999999.999999999", "1"]),
    ("decimal(27,13)", &["0", "-12345678901234.0000000000001", "1.5"]),
    ("decimal(65,30)", &["0", "-99999999999999999999999999999999999.999999999999999999999999999999", "0.5"]),
    ("year", &["0", "1901", "2155"]),
    ("bit(1)", &["0", "1"]),
    ("bit(13)", &["0", "8191", "4097"]),
    ("bit(16)", &["0", "65535", "258"]),
    ("date", &["'0000-00-00'", "'9999-12-31'", "'2024-02-29'", "'2024-00-00'"]),
    ("time", &["0", "'-838:59:59'", "'838:59:59'", "'-00:00:01'"]),
    ("time(3)", &["0", "'-838:59:59.999'", "'00:00:00.001'"]),
    ("datetime", &["0", "'9999-12-31 23:59:59'", "'2024-02-29 01:02:03'"]),
    ("datetime(6)", &["0", "'9999-12-31 23:59:59.999999'", "'2024-02-29 01:02:03.000001'"]),
    ("timestamp null", &["0", "'2038-01-19 03:14:07'", "'1970-01-02 00:00:01'", "'1987-01-01 01:01:01'"]),
    ("timestamp(2) null", &["0", "'2038-01-19 03:14:07.99'", "'2001-02-03 04:05:06.07'"]),
    ("char(0)", &["''"]),
    ("char(3)", &["''", "'a'", "'abc'", "' x'"]),
    ("char(20) character set latin1", &["''", "'a'", "'twenty characters in '", "'a  b'"]),
    ("char(40) character set utf8mb4", &["''", "'é'", "'日本語'", "repeat('x', 40)"]),
    ("char(10) character set utf16", &["''", "'é'", "'ten chars.'"]),
    ("binary(5)", &["''", "'a'", "'a    '", "x'2020202020'", "x'00ff00ff00'"]),
    ("binary(2)", &["''", "x'0000'", "'ab'"]),
    ("varchar(10) character set utf8mb4", &["''", "'é'", "'a  '", "'ten chars.'"]),
    ("varchar(200) character set latin1", &["''", "'a'", "repeat('y', 200)"]),
    (
        "varbinary(400)",
        &["''", "repeat('z', 254)", "repeat('z', 255)", "repeat('z', 256)", "repeat('z', 400)"],
    ),
    ("enum('a','b','c')", &["'a'", "'c'", "''"]),
    ("set('a','b','c','d','e','f','g','h','i')", &["''", "'a'", "'b,i'"]),
    ("uuid", &["'123e4567-e89b-12d3-a456-426655440000'", "'00000000-0000-0000-0000-000000000000'"]),
    ("inet4", &["'0.0.0.0'", "'255.1.2.3'"]),
    ("inet6", &["'::'", "'2001:db8::ff00:42:8329'", "'::1.2.3.4'"]),
];

/// What only rows of variable length have, and tables on the disk.
const LONG: &[Column] = &[
    ("tinytext character set utf8mb4", &["''", "'é'", "repeat('t', 255)"]),
    ("tinyblob", &["''", "x'00'", "repeat('t', 255)"]),
];

const ROWS: u64 = 2600;

/// A table of these columns, `c0` and so on behind the number `id`, of which every third is NOT NULL.
fn fill(db: &mut Database, name: &str, columns: &[Column], options: &str, random: &mut Random) {
    let list: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(n, (ty, _))| {
            format!("c{n} {ty}{}", if n % 3 == 2 && !ty.contains("null") { " not null" } else { "" })
        })
        .collect();
    db.run(&format!("create table {name} (id int, {}) {options}", list.join(", ")));
    // most rows are alike, as those of tables are
    let mut id = 0;
    while id < ROWS {
        let mut rows = Vec::new();
        for _ in 0..200.min(ROWS - id) {
            let usual = random.below(3) > 0;
            let values = columns.iter().enumerate().map(|(n, (ty, values))| {
                let nullable = n % 3 != 2 || ty.contains("null");
                let which =
                    if usual { values.len() - 1 } else { random.below(values.len() as u64 + 1) as usize };
                match values.get(which) {
                    Some(value) => *value,
                    None if nullable => "null",
                    None => values[0],
                }
            });
            rows.push(format!("({id}, {})", values.collect::<Vec<_>>().join(", ")));
            id += 1;
        }
        db.run(&format!("insert into {name} values {}", rows.join(", ")));
    }
    db.run(&format!("delete from {name} where id % 23 = 7"));
    db.run(&format!(
        "alter table {name} add key by_id (id){}",
        if name == "kept" { " using btree" } else { "" }
    ));
}

/// Reads columns row by row and many at once.
fn compare(db: &mut Database, table: &str, columns: &[usize]) {
    let list: Vec<String> = columns.iter().map(|n| format!("c{n}")).collect();
    let list = list.join(", ");
    let by_row = db.run(&format!("select id, {list} from {table} ignore index (by_id)")).rows;
    let id = |row: &Vec<String>| row[0].parse::<u64>().unwrap();

    let conditions: [(&str, Meets); 5] = [
        ("id >= 0", |_| true),
        ("id % 7 = 3", |id| id % 7 == 3),
        ("id < 900 or id > 2500", |id| !(900..=2500).contains(&id)),
        ("id % 1300 = 1299", |id| id % 1300 == 1299),
        ("id in (5, 1700, 2599)", |id| [5, 1700, 2599].contains(&id)),
    ];
    for (condition, meets) in conditions {
        let expected: Vec<_> = by_row.iter().filter(|row| meets(id(row))).collect();
        for (index, more) in [("ignore", ""), ("force", ""), ("force", " and id + 1 > 0")] {
            let from = format!("{table} {index} index (by_id) where {condition}{more}");
            let at_once = db.run(&format!("select id, {list} from {from}")).rows;
            assert_eq!(at_once.len(), expected.len(), "{list} from {from}");
            for (found, expected) in at_once.iter().zip(&expected) {
                assert_eq!(found, *expected, "{list} from {from}");
            }
        }
    }
    // the condition is on what was read first, and the rest has no number
    let first = columns[0];
    let with = db.run(&format!("select c{first}, {list} from {table} where c{first} is not null")).rows;
    let expected = by_row.iter().filter(|row| row[1] != "NULL").count();
    assert_eq!(with.len(), expected, "{table}: {list}");
    assert!(with.iter().all(|row| row[0] == row[1]));
}

#[test]
fn values_are_those_of_single_rows() {
    let mut db = Database::new();
    let mut random = Random(11);
    db.run("set sql_mode = '', time_zone = '+00:00'");
    let fixed: Vec<_> = COLUMNS.iter().filter(|(ty, _)| !ty.starts_with("var")).copied().collect();
    let all: Vec<_> = COLUMNS.iter().chain(LONG).copied().collect();
    let few: Vec<_> =
        all.iter().filter(|c| c.0.starts_with("int") || c.0.starts_with("dec")).copied().collect();
    let tables: [(&str, &[Column], &str); 6] = [
        ("fixed", &fixed, "engine=myisam"),
        ("packed", &all, "engine=myisam"),
        ("checked", &all, "engine=myisam checksum=1"),
        ("dynamic", &few, "engine=myisam row_format=dynamic"),
        ("kept", COLUMNS, "engine=memory"),
        ("pieces", &all, "engine=myisam"),
    ];
    for (name, columns, options) in tables {
        fill(&mut db, name, columns, options, &mut random);
    }
    // rows that outgrow their places lie in pieces
    let long = all.iter().position(|c| c.0.starts_with("varbinary")).unwrap();
    db.run(&format!("update pieces set c{long} = repeat('p', 390) where id % 5 = 1"));
    for mode in ["", "PAD_CHAR_TO_FULL_LENGTH"] {
        db.run(&format!("set sql_mode = '{mode}'"));
        for (name, columns, _) in tables {
            for n in (0..columns.len()).filter(|_| mode.is_empty()) {
                compare(&mut db, name, &[n]);
            }
            for _ in 0..6 {
                let some: Vec<usize> = (0..3).map(|_| random.below(columns.len() as u64) as usize).collect();
                compare(&mut db, name, &some);
            }
        }
    }
}
