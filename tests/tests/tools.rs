//! The tools on files without a server: dump, describe, check, repair.

use isambard_tests::peers::{Peer, isambard_binary, oracle_present, scratch};
use mysql::prelude::Queryable;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Names and types of columns that rows of any format have; `x` marks binary ones, `b` bits, `g` generated ones.
const FIXED: &[(&str, &str, char)] = &[
    ("t", "tinyint", ' '),
    ("tu", "tinyint(4) unsigned zerofill", ' '),
    ("s", "smallint", ' '),
    ("m", "mediumint unsigned", ' '),
    ("b", "bigint", ' '),
    ("bu", "bigint unsigned", ' '),
    ("f", "float", ' '),
    ("f2", "float(7,3)", ' '),
    ("d", "double", ' '),
    ("d2", "double(10,4)", ' '),
    ("de", "decimal(20,6)", ' '),
    ("de65", "decimal(65,30)", ' '),
    ("y", "year", ' '),
    ("da", "date", ' '),
    ("ti", "time", ' '),
    ("ti6", "time(6)", ' '),
    ("dt", "datetime", ' '),
    ("dt3", "datetime(3)", ' '),
    ("ts", "timestamp null", ' '),
    ("ts6", "timestamp(6) null", ' '),
    ("bit1", "bit(1)", 'b'),
    ("bit33", "bit(33)", 'b'),
    ("c", "char(10) character set latin1", ' '),
    ("cu", "char(5) character set utf8mb4", ' '),
    ("bi", "binary(7)", 'x'),
    ("e", "enum('a','b,c','d''e')", ' '),
    ("st", "set('x','y','z')", ' '),
    ("u", "uuid", ' '),
    ("i6", "inet6", ' '),
    ("inv", "int invisible", ' '),
    ("gp", "int as (t + 1) persistent", 'g'),
    ("gv", "bigint as (s + 1) virtual", 'g'),
];

/// And those that only dynamic rows have.
const DYNAMIC: &[(&str, &str, char)] = &[
    ("v", "varchar(300) character set utf8mb4", ' '),
    ("v8", "varchar(40) character set cp1250", ' '),
    ("vb", "varbinary(50)", 'x'),
    ("tt", "tinytext character set latin2", ' '),
    ("tx", "text character set utf8mb3", ' '),
    ("bl", "blob", 'x'),
    ("ml", "mediumblob", 'x'),
    ("js", "json", ' '),
    ("g", "point", 'x'),
];

/// Values for columns of each kind, as literals: the least, the most, odd ones.
fn literals(name: &str) -> &'static [&'static str] {
    match name {
        "t" => &["-128", "127", "0", "5"],
        "tu" => &["255", "0", "7"],
        "s" => &["-32768", "32767", "12"],
        "m" => &["16777215", "0", "99"],
        "b" => &["-9223372036854775808", "9223372036854775807", "0"],
        "bu" => &["18446744073709551615", "0", "9223372036854775808"],
        "f" => &["16777216", "0.1", "-3.4e38", "1.17549e-38", "33554434"],
        "f2" => &["1234.567", "-0.001", "0"],
        "d" => &["0.1", "-1.7976931348623157e308", "2.2250738585072014e-308", "123456789.123456789"],
        "d2" => &["999999.9999", "-0.0001"],
        "de" => &["-99999999999999.999999", "0.000001", "12.5"],
        "de65" => &["12345678901234567890123456789012345.123456789012345678901234567890", "-0.5"],
        "y" => &["1901", "2155", "0"],
        "da" => &["'1000-01-01'", "'9999-12-31'", "'0000-00-00'", "'2024-02-29'"],
        "ti" => &["'-838:59:59'", "'838:59:59'", "'00:00:00'"],
        "ti6" => &["'12:34:56.123456'", "'-00:00:00.000001'"],
        "dt" => &["'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'", "'2026-03-29 02:30:00'"],
        "dt3" => &["'2020-05-06 07:08:09.123'", "'1969-12-31 23:59:59.999'"],
        "ts" => &["'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'"],
        "ts6" => &["'2001-02-03 04:05:06.789012'"],
        "bit1" => &["b'1'", "b'0'"],
        "bit33" => &["b'100000000000000000000000000000001'", "b'0'", "b'1111'"],
        "c" => &["'plain'", "'\u{fc}\u{e9}'", "''", "'it''s'"],
        "cu" => &["'a\u{1f600}b'", "'\\\\'", "'\"q\"'"],
        "bi" => &["0x00FF0A0D22275C", "'abc'", "0x0000"],
        "e" => &["'a'", "'b,c'", "'d''e'"],
        "st" => &["'x,z'", "''", "'y'"],
        "u" => &["'123e4567-e89b-12d3-a456-426655440000'"],
        "i6" => &["'::1'", "'2001:db8::ff00:42:8329'"],
        "inv" => &["77", "-1"],
        "v" => {
            &["'line\\nbreak, \"quote\" and \\\\'", "'NULL'", "''", "REPEAT('\u{20ac}', 250)", "'\\0\\Z\\t'"]
        }
        "v8" => &["'\u{159}e\u{10d}'", "''"],
        "vb" => &["0x00112233FF", "''"],
        "tt" => &["'\u{17b}\u{f3}\u{142}'"],
        "tx" => &["REPEAT('text ', 700)", "''"],
        "bl" => &["REPEAT(0x00FF27, 500)", "''"],
        "ml" => &["REPEAT('m', 70000)", "0x5C27"],
        "js" => &["'{\"a\": [1, 2]}'"],
        "g" => &["POINT(1.5, -2)"],
        _ => &[],
    }
}

struct Made {
    name: &'static str,
    columns: Vec<(&'static str, &'static str, char)>,
}

/// Makes tables of all types: fixed, dynamic and compressed.
fn make_tables(peer: &Peer) -> Vec<Made> {
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE a").expect("database");
    conn.query_drop("USE a").expect("use");
    conn.query_drop("SET NAMES utf8mb4, sql_mode = '', time_zone = '+00:00'").expect("settings");
    let mut all = Vec::new();
    for (name, dynamic, options) in [
        ("fixed", false, "ROW_FORMAT=FIXED"),
        ("dynamic", true, "CHECKSUM=1"),
        ("packed", true, ""),
        ("packed_fixed", false, "ROW_FORMAT=FIXED"),
    ] {
        let mut columns = FIXED.to_vec();
        if dynamic {
            columns.extend_from_slice(DYNAMIC);
        }
        let list: Vec<String> = columns.iter().map(|(name, ty, _)| format!("{name} {ty}")).collect();
        conn.query_drop(format!(
            "CREATE TABLE {name} (id int AUTO_INCREMENT PRIMARY KEY, {}, KEY (b), KEY (c, de)) ENGINE=MyISAM {options}",
            list.join(", ")
        ))
        .expect("table");
        let stored: Vec<&(&str, &str, char)> = columns.iter().filter(|c| c.2 != 'g').collect();
        let names: Vec<&str> = stored.iter().map(|c| c.0).collect();
        for row in 0..60 {
            let values: Vec<&str> = stored
                .iter()
                .enumerate()
                .map(|(n, column)| {
                    let known = literals(column.0);
                    // rows of nothing but NULL, and of some
                    if row == 0 || (row + n) % 7 == 0 { "NULL" } else { known[(row * 3 + n) % known.len()] }
                })
                .collect();
            let sql = format!("INSERT INTO {name} ({}) VALUES ({})", names.join(", "), values.join(", "));
            conn.query_drop(&sql).unwrap_or_else(|e| panic!("{e}: {sql}"));
        }
        if name.starts_with("packed") {
            conn.query_drop(format!("FLUSH TABLES {name}")).expect("flush");
            let base = peer.datadir.join("a").join(name);
            for (program, options) in [("myisampack", "-sf"), ("myisamchk", "-srq")] {
                let done = Command::new(program).arg(options).arg(&base).output().expect("run");
                assert!(done.status.success(), "{program}: {done:?}");
            }
        } else {
            conn.query_drop(format!("DELETE FROM {name} WHERE id % 9 = 4")).expect("delete");
        }
        all.push(Made { name, columns });
    }
    conn.query_drop("FLUSH TABLES").expect("flush");
    all
}

fn isambard(arguments: &[&str], tables: &[&Path]) -> Output {
    Command::new(isambard_binary()).args(arguments).args(tables).output().expect("run")
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

fn dump(arguments: &[&str], table: &Path) -> Vec<u8> {
    let output = isambard(&[&["dump"], arguments].concat(), &[table]);
    assert!(output.status.success(), "dump {arguments:?} {}: {}", table.display(), words(&output));
    output.stdout
}

/// Copies a table's files to a folder, those with these extensions.
fn copy(from: &Path, to: &Path, extensions: &[&str]) -> PathBuf {
    std::fs::create_dir_all(to).expect("folder");
    let base = to.join(from.file_name().expect("name"));
    for extension in extensions {
        std::fs::copy(from.with_extension(extension), base.with_extension(extension)).expect("copy");
    }
    base
}

#[test]
fn dumps_load_the_same_rows() {
    if !oracle_present() {
        return;
    }
    let peer = Peer::mariadb(&["--secure-file-priv=", "--local-infile=1"]);
    let tables = make_tables(&peer);
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE s").expect("database");
    conn.query_drop("CREATE DATABASE l").expect("database");
    conn.query_drop("SET NAMES utf8mb4, sql_mode = '', time_zone = '+00:00'").expect("settings");
    let work = scratch("dump");
    for table in &tables {
        let name = table.name;
        let base = peer.datadir.join("a").join(name);
        let sum = |conn: &mut mysql::Conn, db: &str| -> Option<u64> {
            let row: Option<(String, Option<u64>)> =
                conn.query_first(format!("CHECKSUM TABLE {db}.{name} EXTENDED")).expect("checksum");
            row.and_then(|r| r.1)
        };
        let before = sum(&mut conn, "a");
        assert!(before.is_some());
        // SQL, by the client as an administrator would
        let text = dump(&["-f", "sql"], &base);
        let file = work.join("dump.sql");
        std::fs::write(&file, &text).expect("file");
        let done = Command::new("mariadb")
            .args(["--no-defaults", "-uroot", "s", "-e"])
            .arg(format!("source {}", file.display()))
            .arg(format!("--socket={}", peer.socket.display()))
            .output()
            .expect("client");
        assert!(done.status.success(), "{name}: {}", words(&done));
        assert_eq!(sum(&mut conn, "s"), before, "{name}: rows loaded from SQL");
        // the definition is the same, too
        let show = |conn: &mut mysql::Conn, db: &str| -> String {
            let row: Option<(String, String)> =
                conn.query_first(format!("SHOW CREATE TABLE {db}.{name}")).expect("show");
            row.expect("row").1
        };
        assert_eq!(show(&mut conn, "s"), show(&mut conn, "a"), "{name}");
        // CSV, by LOAD DATA
        let csv = work.join("dump.csv");
        let path = csv.display().to_string();
        dump(&["-f", "csv", "-o", &path], &base);
        conn.query_drop(format!("CREATE TABLE l.{name} LIKE s.{name}")).expect("table");
        let mut list = vec!["id".to_owned()];
        let mut set = Vec::new();
        for (column, _, kind) in &table.columns {
            match kind {
                ' ' => list.push((*column).to_owned()),
                _ => list.push(format!("@{column}")),
            }
            match kind {
                'x' => set.push(format!("{column} = UNHEX(@{column})")),
                'b' => set.push(format!("{column} = CAST(@{column} AS UNSIGNED)")),
                _ => {}
            }
        }
        conn.query_drop(format!(
            "LOAD DATA INFILE '{path}' INTO TABLE l.{name} CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY '\"' \
             ESCAPED BY '' LINES TERMINATED BY '\\n' IGNORE 1 LINES ({}) SET {}",
            list.join(", "),
            set.join(", ")
        ))
        .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(sum(&mut conn, "l"), before, "{name}: rows loaded from CSV");
        // the definition and the rows alone give the same
        let alone = copy(&base, &work.join("alone"), &["frm", "MYD"]);
        assert!(
            dump(&["-f", "csv"], &alone) == std::fs::read(&csv).expect("file"),
            "{name}: without the MYI"
        );
        assert!(
            dump(&["-f", "csv", "--salvage"], &alone) == std::fs::read(&csv).expect("file"),
            "{name}: salvaged"
        );
        json_is_as_the_server_prints(&mut conn, table, &base);
        parquet_has_the_values(&mut conn, table, &base, &work.join("dump.parquet"));
    }
    let _ = std::fs::remove_dir_all(&work);
}

/// Rows of the server beside lines of JSON.
fn json_is_as_the_server_prints(conn: &mut mysql::Conn, table: &Made, base: &Path) {
    let text = String::from_utf8(dump(&["-f", "json"], base)).expect("UTF-8");
    let name = table.name;
    type Asked = (i64, Option<String>, Option<String>, Option<String>);
    let rows: Vec<Asked> = conn
        .query(format!("SELECT id, CAST(de AS CHAR), CAST(dt3 AS CHAR), HEX(bi) FROM a.{name} ORDER BY id"))
        .expect("rows");
    assert_eq!(text.lines().count(), rows.len(), "{name}");
    let quoted = |v: &Option<String>| v.as_ref().map_or_else(|| "null".to_owned(), |v| format!("\"{v}\""));
    for (id, de, dt3, bi) in rows {
        let line = text.lines().find(|l| l.starts_with(&format!("{{\"id\":{id},"))).expect("row");
        let de = de.unwrap_or_else(|| "null".into());
        for part in
            [format!("\"de\":{de}"), format!("\"dt3\":{}", quoted(&dt3)), format!("\"bi\":{}", quoted(&bi))]
        {
            assert!(line.contains(&part), "{name}: {part} in {line}");
        }
    }
}

fn text_of(field: &Field) -> Option<String> {
    Some(match field {
        Field::Null => return None,
        Field::Byte(v) => v.to_string(),
        Field::UByte(v) => v.to_string(),
        Field::Short(v) => v.to_string(),
        Field::UShort(v) => v.to_string(),
        Field::Int(v) => v.to_string(),
        Field::UInt(v) => v.to_string(),
        Field::Long(v) | Field::TimestampMicros(v) => v.to_string(),
        Field::ULong(v) => v.to_string(),
        Field::Date(v) => v.to_string(),
        Field::Str(v) => v.clone(),
        Field::Bytes(v) => v.data().iter().map(|b| format!("{b:02X}")).collect(),
        Field::Decimal(v) => {
            // the digits as they are, without the point
            let mut n = i128::from(i8::from_be_bytes([v.data()[0]]));
            for b in &v.data()[1..] {
                n = n << 8 | i128::from(*b);
            }
            n.to_string()
        }
        other => format!("{other}"),
    })
}

/// What a reader of Parquet finds, beside what the server says.
fn parquet_has_the_values(conn: &mut mysql::Conn, table: &Made, base: &Path, path: &Path) {
    let out = path.display().to_string();
    dump(&["-f", "parquet", "-o", &out], base);
    let reader = SerializedFileReader::new(std::fs::File::open(path).expect("file")).expect("Parquet");
    let micros = |c: &str| format!("TIMESTAMPDIFF(MICROSECOND, '1970-01-01', {c})");
    let expected: Vec<(&str, String)> = vec![
        ("t", "t".into()),
        ("m", "m".into()),
        ("b", "b".into()),
        ("bu", "bu".into()),
        ("de", "CAST(de * 1000000 AS DECIMAL(30,0))".into()),
        ("de65", "de65".into()),
        ("y", "y + 0".into()),
        ("da", "IF(da = 0, NULL, DATEDIFF(da, '1970-01-01'))".into()),
        ("ti6", "ti6".into()),
        ("dt", micros("dt")),
        ("ts6", micros("ts6")),
        ("bit33", "bit33 + 0".into()),
        ("c", "c".into()),
        ("cu", "cu".into()),
        ("bi", "HEX(bi)".into()),
        ("e", "e".into()),
        ("gv", "gv".into()),
    ];
    let list: Vec<String> = expected.iter().map(|(_, sql)| format!("CAST({sql} AS CHAR)")).collect();
    let rows: Vec<mysql::Row> =
        conn.query(format!("SELECT {} FROM a.{} ORDER BY id", list.join(", "), table.name)).expect("rows");
    let mut found: Vec<parquet::record::Row> =
        reader.get_row_iter(None).expect("rows").collect::<Result<_, _>>().expect("rows");
    found.sort_by_key(|row| match row.get_column_iter().next() {
        Some((_, Field::Int(id))) => *id,
        other => panic!("id: {other:?}"),
    });
    assert_eq!(found.len(), rows.len(), "{}", table.name);
    for (row, theirs) in found.iter().zip(rows) {
        let theirs: Vec<Option<String>> = theirs.unwrap().into_iter().map(mysql::from_value).collect();
        for ((name, _), theirs) in expected.iter().zip(theirs) {
            let ours =
                row.get_column_iter().find(|(n, _)| n == name).map(|(_, f)| text_of(f)).expect("column");
            assert_eq!(ours, theirs, "{}: {name}", table.name);
        }
    }
}

#[test]
fn exit_codes_tell_damage_from_wrong_options() {
    if !oracle_present() {
        return;
    }
    let peer = Peer::mariadb(&[]);
    make_tables(&peer);
    let work = scratch("codes");
    let base = copy(&peer.datadir.join("a/dynamic"), &work, &["frm", "MYI", "MYD"]);
    let code = |arguments: &[&str], base: &Path| {
        let output = isambard(arguments, &[&base.with_extension("MYI")]);
        (output.status.code(), words(&output))
    };
    for command in [&["check", "-e"][..], &["repair"], &["describe"], &["dump"]] {
        assert_eq!(code(command, &base).0, Some(0), "{command:?}");
        assert_eq!(code(command, &work.join("none")).0, Some(1), "{command:?} of a table that is none");
        assert_eq!(code(&[command[0], "--nonsense"], &base).0, Some(2), "{command:?} with a wrong option");
    }
    let mut data = std::fs::read(base.with_extension("MYD")).expect("file");
    let cut = data.len() * 2 / 3;
    data.truncate(cut);
    std::fs::write(base.with_extension("MYD"), &data).expect("file");
    let sizes = |base: &Path| ["MYI", "MYD"].map(|e| std::fs::read(base.with_extension(e)).expect("file"));
    let before = sizes(&base);
    assert_eq!(code(&["check"], &base).0, Some(1));
    // theirs is 1 or 255
    assert!(!Command::new("myisamchk").arg("-s").arg(&base).output().expect("run").status.success());
    // what can be read of it, and nothing of it is changed
    let (plain, said) = code(&["dump", "-f", "csv"], &base);
    assert_eq!(plain, Some(1), "{said}");
    let salvaged = isambard(&["dump", "-f", "csv", "--rows-only", "--salvage"], &[&base]);
    assert!(salvaged.status.success(), "{}", words(&salvaged));
    let rows = String::from_utf8_lossy(&salvaged.stdout).matches("\n").count();
    assert!(rows > 10, "{rows}");
    let map = work.join("map.svg");
    let (described, said) = code(&["describe", "--svg", &map.display().to_string()], &base);
    assert_eq!(described, Some(1), "{said}");
    let picture = std::fs::read_to_string(&map).expect("picture");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n") && picture.contains("#d01c1c"));
    assert!(said.contains("Blocks of keys") && said.contains("rows in parts"), "{said}");
    assert!(sizes(&base) == before, "tools that read have changed files");
    let (repaired, said) = code(&["repair", "--keep-backup"], &base);
    assert_eq!(repaired, Some(0), "{said}");
    assert_eq!(code(&["check", "-e"], &base), (Some(0), format!("{}: status: OK\n", base.display())));
    let kept: Vec<PathBuf> = std::fs::read_dir(&work)
        .expect("folder")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "BAK"))
        .collect();
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept.iter().any(|p| std::fs::read(p).expect("file") == data));
    let left: Vec<_> = std::fs::read_dir(&work).expect("folder").filter_map(Result::ok).collect();
    assert!(left.iter().all(|e| !e.file_name().to_string_lossy().contains('#')), "a private folder was left");
    let _ = std::fs::remove_dir_all(&work);
}
