//! Definition files against MariaDB: it makes tables, we read their `.frm`
//! files, print and rewrite them, and it opens what we wrote.

#[path = "common/frm_tables.rs"]
mod generator;
#[path = "common/mariadb.rs"]
#[allow(dead_code)]
mod mariadb;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use mariadb::MariaDb;
use schema::definition::{DefaultValue, InsertMethod, TableDef};
use schema::frm;
use schema::layout::engine;
use schema::show_create::{ShowOptions, show_create};

const TABLES: &str = include_str!("../fixtures/tables.sql");

/// Between the answers in one client's output.
const MARK: &str = "=====";

/// Name and statements of each table.
fn tables() -> Vec<(String, String)> {
    TABLES
        .lines()
        .filter(|line| line.starts_with("CREATE"))
        .map(|line| {
            let name = line.split_whitespace().nth(2).unwrap().to_owned();
            let sql = line.trim_end_matches(" -- keep").to_owned();
            (name, sql)
        })
        .collect()
}

/// Runs `sql` for each name and gives the answers by name.
fn ask(server: &MariaDb, names: &[String], sql: impl Fn(&str) -> String) -> HashMap<String, Vec<u8>> {
    let mut script = "SET NAMES utf8mb4; USE d;\n".to_owned();
    for name in names {
        script += &format!("SELECT '{MARK}{name}{MARK}';\n{};\n", sql(name));
    }
    let out = server.sql_force(&script);
    let mut answers = HashMap::new();
    let mut rest = out.as_bytes();
    while let Some(at) = find(rest, MARK.as_bytes()) {
        rest = &rest[at + MARK.len()..];
        let end = find(rest, MARK.as_bytes()).unwrap();
        let name = String::from_utf8(rest[..end].to_vec()).unwrap();
        rest = &rest[end + MARK.len() + 1..];
        let end = find(rest, MARK.as_bytes()).unwrap_or(rest.len());
        answers.insert(name, rest[..end].strip_suffix(b"\n").unwrap_or(&rest[..end]).to_vec());
    }
    answers
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

/// SHOW CREATE TABLE answers without the leading name column.
fn show(server: &MariaDb, names: &[String]) -> HashMap<String, Vec<u8>> {
    show_with(server, names, "")
}

/// The same under a setting.
fn show_with(server: &MariaDb, names: &[String], setting: &str) -> HashMap<String, Vec<u8>> {
    let mut answers = ask(server, names, |name| format!("{setting}SHOW CREATE TABLE `{name}`"));
    for (name, answer) in &mut answers {
        let skip = name.len() + 1;
        if answer.len() > skip {
            answer.drain(..skip);
        }
    }
    answers
}

/// What the engine's own files add to a definition.
fn add_engine_facts(def: &mut TableDef, text: &[u8], base: &Path) -> u64 {
    if let Ok(mrg) = fs::read_to_string(base.with_extension("MRG")) {
        for line in mrg.lines() {
            match line.strip_prefix("#INSERT_METHOD=") {
                Some("LAST") => def.options.insert_method = InsertMethod::Last,
                Some("FIRST") => def.options.insert_method = InsertMethod::First,
                Some(_) => {}
                None => def.options.union.push((String::new(), line.to_owned())),
            }
        }
    }
    let text = String::from_utf8_lossy(text);
    let Some((_, options)) = text.rsplit_once("\n)") else {
        return 0;
    };
    options
        .split_once(" AUTO_INCREMENT=")
        .and_then(|(_, rest)| rest.split(' ').next())
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

/// The text under the sql_modes and variables that change it.
fn modes_equal_the_servers(server: &MariaDb) {
    let names: Vec<String> = tables().into_iter().map(|(name, _)| name).filter(|n| n != "aria").collect();
    let plain = ShowOptions::default();
    // Which names are keywords is not the matter here: quotes are compared apart.
    let bare = |name: &str| !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let variants: [(&str, ShowOptions<'_>); 7] = [
        ("sql_mode='ANSI_QUOTES'", ShowOptions { quote: b'"', ..plain }),
        ("sql_mode='NO_FIELD_OPTIONS'", ShowOptions { no_field_options: true, ..plain }),
        ("sql_mode='NO_KEY_OPTIONS'", ShowOptions { no_key_options: true, ..plain }),
        ("sql_mode='NO_TABLE_OPTIONS'", ShowOptions { no_table_options: true, ..plain }),
        ("sql_mode='IGNORE_BAD_TABLE_OPTIONS'", ShowOptions { bad_options_plain: true, ..plain }),
        ("time_zone='+03:30'", ShowOptions { utc_offset: &|_| 12_600, ..plain }),
        ("sql_quote_show_create=0", ShowOptions { needs_quotes: Some(&bare), ..plain }),
    ];
    for (setting, options) in variants {
        let texts = show_with(server, &names, &format!("SET {setting};"));
        let mut faults = Vec::new();
        for name in &names {
            let base = server.dir().join(name);
            let mut def = frm::read_table(&fs::read(base.with_extension("frm")).unwrap()).unwrap();
            let auto_increment = add_engine_facts(&mut def, &texts[name], &base);
            let options = ShowOptions { auto_increment, ..options };
            let ours = show_create(&def, name, &options);
            let ours = String::from_utf8_lossy(&ours);
            let theirs = String::from_utf8_lossy(&texts[name]);
            let unquoted = |text: &str| text.replace('`', "");
            let alike = if options.needs_quotes.is_some() {
                unquoted(&ours) == unquoted(&theirs)
            } else {
                ours == theirs
            };
            if !alike {
                faults.push(format!("{name}:\n{ours}\n--- theirs\n{theirs}"));
            }
        }
        assert!(faults.is_empty(), "{setting}: {} faults\n{}", faults.len(), faults.join("\n\n"));
    }
}

/// Where two files differ first, in words.
fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let at = ours.iter().zip(theirs).position(|(a, b)| a != b).unwrap_or(ours.len().min(theirs.len()));
    let around = |b: &[u8]| {
        b[at.saturating_sub(8).min(b.len())..(at + 24).min(b.len())]
            .iter()
            .map(|b| format!("{b:02x} "))
            .collect::<String>()
    };
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([theirs[at], theirs[at + 1]]));
    let form = u32::from_le_bytes(theirs[64 + u16_at(4)..][..4].try_into().unwrap()) as usize;
    let record = u16_at(6) + u16_at(14);
    format!(
        "at {at} of {} and {} (keys {}, record {record}, form {form}, entries {})\n  ours   {}\n  theirs {}",
        ours.len(),
        theirs.len(),
        u16_at(6),
        form + 288,
        around(ours),
        around(theirs)
    )
}

#[test]
fn definition_files_against_mariadb() {
    let server = match MariaDb::start("frm") {
        Ok(server) => server,
        Err(why) => {
            eprintln!("skipped: {why}");
            return;
        }
    };
    definitions_equal_the_servers(&server);
    modes_equal_the_servers(&server);
    views_and_names_equal_the_servers(&server);
    old_definitions_equal_the_servers(&server);
}

/// Makes the fixtures of the unit tests anew: files of the tables marked
/// `-- keep` and what the server shows for them.
#[test]
#[ignore = "writes into the source tree"]
fn make_fixtures() {
    let server = MariaDb::start("fixtures").expect("a server");
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/frm");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let tables = tables();
    make(&server, &tables);
    let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    let texts = show(&server, &names);
    for line in TABLES.lines().filter(|line| line.ends_with("-- keep")) {
        let name = line.split_whitespace().nth(2).unwrap();
        let frm = server.dir().join(name).with_extension("frm");
        fs::copy(frm, dir.join(format!("{name}.frm"))).unwrap();
        fs::write(dir.join(format!("{name}.sql")), &texts[name]).unwrap();
    }
    for view in ["v1", "v2"] {
        server.sql_force(
            "USE d; CREATE OR REPLACE VIEW v1 AS SELECT a, 'it''s' AS `x y` FROM one WHERE a > 1; \
             CREATE OR REPLACE ALGORITHM=MERGE DEFINER=`u`@`%` SQL SECURITY INVOKER VIEW v2 AS \
             SELECT a FROM one WITH LOCAL CHECK OPTION",
        );
        let frm = server.dir().join(view).with_extension("frm");
        fs::copy(frm, dir.join(format!("{view}.frm"))).unwrap();
    }
}

fn definitions_equal_the_servers(server: &MariaDb) {
    let mut tables = tables();
    tables.extend(generator::tables(server_tables()));
    make(server, &tables);
    let names: Vec<String> = tables.iter().map(|(name, _)| name.clone()).collect();
    let texts = show(server, &names);

    let mut faults = Vec::new();
    let mut read = 0;
    let mut copies = Vec::new();
    for (name, sql) in &tables {
        let base = server.dir().join(name);
        let Ok(bytes) = fs::read(base.with_extension("frm")) else {
            // The generator's statements may be refused; the list's may not.
            if !name.starts_with("random_") {
                faults.push(format!("{name}: the server refused: {sql}"));
            }
            continue;
        };
        read += 1;
        let mut def = match frm::read_table(&bytes) {
            Ok(def) => def,
            Err(error) => {
                faults.push(format!("{name}: {error}\n{sql}"));
                continue;
            }
        };
        let theirs = &texts[name];
        let auto_increment = add_engine_facts(&mut def, theirs, &base);
        let options = ShowOptions { auto_increment, ..ShowOptions::default() };
        let ours = show_create(&def, name, &options);
        // Aria adds what its own file says.
        let theirs = String::from_utf8_lossy(theirs).replace(" PAGE_CHECKSUM=1 TRANS", " TRANS");
        if String::from_utf8_lossy(&ours) != theirs {
            faults.push(format!(
                "{name}: SHOW CREATE TABLE\n{}\n--- theirs\n{}",
                String::from_utf8_lossy(&ours),
                theirs
            ));
        }
        if def.stored_layout.is_some() {
            faults.push(format!("{name}: the layout is not the computed one"));
        }
        match frm::write(&def) {
            Ok(ours) if masked(&def, &ours) == masked(&def, &bytes) => {}
            Ok(ours) => {
                faults.push(format!("{name}: written file differs {}\n{sql}", difference(&ours, &bytes)))
            }
            Err(error) => faults.push(format!("{name}: {error}")),
        }
        if let Ok(index) = fs::read(base.with_extension("MYI")) {
            if let Err(fault) = compare_index(&def, &index) {
                faults.push(format!("{name}: {fault}\n{sql}"));
            }
            copies.push(name.clone());
        }
        let mut sorted = def.clone();
        sorted.sort_keys();
        if sorted.keys != def.keys {
            faults.push(format!("{name}: keys would be sorted otherwise\n{sql}"));
        }
    }
    eprintln!("{read} tables read, {} copied", copies.len());
    copy_and_use(server, &copies, &texts, &mut faults);
    assert!(read >= 150, "only {read} tables");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n\n"));
}

/// A file without what readers ignore and only the server's own course of
/// events decides: in key heads a block size that was not asked for, in key
/// parts the flags NO_DEFAULT and MAYBE_NULL, in the default record the values of expressions.
fn masked(def: &TableDef, file: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let u16_at = |file: &[u8], at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
    let keys = u16_at(&file, 6);
    let record = keys + u32::from_le_bytes(file[47..51].try_into().unwrap()) as usize;
    let mut at = keys + 6;
    for key in &def.keys {
        if file[at + 1] & 0x80 == 0 {
            file[at + 6..at + 8].fill(0);
        }
        // The mark of a nullable part stays when a primary key makes it NOT NULL.
        file[at] &= !0x40;
        at += 8;
        for _ in &key.parts {
            file[at + 6] &= !0xc0;
            at += 9;
        }
    }
    for (column, place) in def.columns.iter().zip(&def.layout().columns) {
        if matches!(&column.default, DefaultValue::Expression(computed) if computed.value.is_none()) {
            let at = record + place.offset as usize;
            file[at..at + place.width as usize].fill(0);
            if let Some(null) = place.null {
                file[record + null.byte as usize] |= null.mask;
            }
            if let Some(odd) = place.odd_bits {
                odd.set(&mut file[record..], 0);
            }
        }
    }
    file
}

/// Runs the statements of the tables.
fn make(server: &MariaDb, tables: &[(String, String)]) {
    let mut script = "SET NAMES utf8mb4; USE d;\n".to_owned();
    for (name, sql) in tables {
        let old = name.starts_with("old_");
        if old {
            script += "SET GLOBAL mysql56_temporal_format=OFF;\n";
        }
        if name.starts_with("options_") {
            script += "SET sql_mode='IGNORE_BAD_TABLE_OPTIONS';\n";
        }
        script += &format!("{sql}\n");
        if old {
            script += "SET GLOBAL mysql56_temporal_format=ON;\n";
        }
        script += "SET sql_mode='';\n";
    }
    server.sql_force(&script);
}

/// How many random tables: more when asked for long runs.
fn server_tables() -> usize {
    if std::env::var_os("ISAMBARD_SOAK").is_some() { 3000 } else { 150 }
}

/// The server opens the file we write, shows the same, and takes and gives rows.
fn copy_and_use(
    server: &MariaDb,
    names: &[String],
    texts: &HashMap<String, Vec<u8>>,
    faults: &mut Vec<String>,
) {
    server.sql_force("FLUSH TABLES");
    let database = server.dir();
    let mut copies = Vec::new();
    for name in names {
        let mut def = frm::read_table(&fs::read(database.join(name).with_extension("frm")).unwrap()).unwrap();
        // The smallest difference: an identity of our own.
        def.uuid = schema::definition::new_uuid();
        let copy = format!("w_{name}");
        fs::write(database.join(&copy).with_extension("frm"), frm::write(&def).unwrap()).unwrap();
        for extension in ["MYI", "MYD"] {
            fs::copy(
                database.join(name).with_extension(extension),
                database.join(&copy).with_extension(extension),
            )
            .unwrap();
        }
        copies.push(copy);
    }
    server.sql_force("FLUSH TABLES");
    for (copy, ours) in show(server, &copies) {
        let name = &copy[2..];
        let expected = String::from_utf8_lossy(&texts[name]).replacen(name, &copy, 1);
        if String::from_utf8_lossy(&ours) != expected {
            faults.push(format!(
                "{copy}: the server shows our file as\n{}\n--- not\n{expected}",
                String::from_utf8_lossy(&ours)
            ));
        }
    }
    // The same statements on both: whether a row goes in is the definition's affair.
    let use_it = |name: &str| {
        format!(
            "INSERT IGNORE INTO `{name}` () VALUES (); SELECT COUNT(*) FROM `{name}`; \
             CHECK TABLE `{name}` EXTENDED"
        )
    };
    let original = ask(server, names, use_it);
    for (copy, ours) in ask(server, &copies, use_it) {
        let name = &copy[2..];
        let ours = String::from_utf8_lossy(&ours).replace("d.w_", "d.");
        let expected = String::from_utf8_lossy(&original[name]);
        if ours != expected || !(ours.contains("OK") || name == "sequence") {
            faults.push(format!("{copy}: in use\n{ours}\n--- not\n{expected}"));
        }
    }
}

/// Column descriptors and key segments against those in the `.MYI`, but for
/// what MyISAM's own create step decides.
#[expect(clippy::too_many_lines, reason = "one scenario, told in order")]
fn compare_index(def: &TableDef, index: &[u8]) -> Result<(), String> {
    let u8_at = |at: usize| index[at];
    let u16_at = |at: usize| u16::from_be_bytes([index[at], index[at + 1]]);
    let u32_at = |at: usize| u32::from_be_bytes(index[at..at + 4].try_into().unwrap());
    let base = usize::from(u16_at(12));
    let layout = def.layout();
    let keys = engine::keys(def, &layout);
    if keys.len() != usize::from(u8_at(18)) {
        return Err(format!("{} keys, not {}", keys.len(), u8_at(18)));
    }
    let auto_key = keys.iter().position(|k| k.flags & engine::key_flag::AUTO_KEY != 0);
    let leading = auto_key.filter(|&k| def.columns[keys[k].segments[0].column].auto_increment);
    if leading.map_or(0, |k| k + 1) != usize::from(u8_at(base + 75)) {
        return Err(format!("auto_key {leading:?}, not {}", u8_at(base + 75)));
    }
    let mut at = base + 100;
    for (number, key) in keys.iter().enumerate() {
        let spatial = key.flags & engine::key_flag::SPATIAL != 0;
        let fulltext = key.flags & engine::key_flag::FULLTEXT != 0;
        let parts = usize::from(u8_at(at));
        let flags = u16_at(at + 2);
        let expected = if spatial { 5 } else { key.segments.len() };
        if parts != expected || u8_at(at + 1) != key.algorithm {
            return Err(format!(
                "key {number}: {expected} parts of algorithm {}, not {parts} of {}",
                key.algorithm,
                u8_at(at + 1)
            ));
        }
        // UNIQUE, AUTO_KEY, FULLTEXT and SPATIAL go through unchanged; of the
        // packing flags create may turn PACK_KEY into BINARY_PACK_KEY.
        let kept = 1 | 16 | 128 | 1024;
        let packed = |f: u16| f & (2 | 32) != 0;
        if flags & kept != key.flags & kept || (!fulltext && packed(flags) != packed(key.flags)) {
            return Err(format!("key {number}: flags {}, not {flags}", key.flags));
        }
        at += 12;
        for (j, segment) in key.segments.iter().enumerate() {
            let own = 1 | 4 | 8 | 16 | 32 | 128 | 1024;
            let theirs = (
                u8_at(at),
                u16::from(u8_at(at + 1)) | u16::from(u8_at(at + 4)) << 8,
                u8_at(at + 2),
                u8_at(at + 3),
                u8_at(at + 5),
                u16_at(at + 6) & own,
                u16_at(at + 8),
                u32_at(at + 10),
                u32_at(at + 14),
            );
            let ours = (
                segment.kind,
                segment.collation,
                segment.null_bit,
                segment.bit_start,
                segment.bit_length,
                segment.flags & own,
                segment.length,
                segment.start,
                segment.null_pos,
            );
            if !spatial && ours != theirs {
                return Err(format!(
                    "key {number} part {j}: {ours:?}, not {theirs:?} (type, collation, null bit, \
                     bit start, bit length, flags, length, start, null position)"
                ));
            }
            at += 18;
        }
        if spatial {
            at += 18 * 4;
        }
    }
    let ours = engine::columns(def, &layout);
    let count = u32_at(base + 64) as usize;
    if count != ours.len() {
        return Err(format!("{} columns, not {count}", ours.len()));
    }
    if ours.iter().map(|c| c.length).sum::<u32>() != u32_at(base + 44) {
        return Err(format!("record of another length, not {}", u32_at(base + 44)));
    }
    for (number, column) in ours.iter().enumerate() {
        let at = at + 7 * number;
        let kind = u16_at(at) as i16;
        // Create may demote one SKIP_ZERO column of a byte.
        let demoted = column.kind as i16 == 3 && kind == 0 && column.length == 1;
        let theirs = (u16_at(at + 2), u8_at(at + 4), u16_at(at + 5));
        let mine = (column.length as u16, column.null_bit, column.null_pos);
        if mine != theirs || (column.kind as i16 != kind && !demoted) {
            return Err(format!("column {number}: {:?} {mine:?}, not {kind} {theirs:?}", column.kind));
        }
    }
    Ok(())
}

/// Files of old servers that come with MariaDB's own tests, where installed.
fn old_definitions_equal_the_servers(server: &MariaDb) {
    let roots = [
        "/usr/share/mysql/mysql-test/std_data",
        "/usr/share/mysql/mysql-test/plugin",
        "/usr/lib/mysql-test/std_data",
    ];
    let mut files = Vec::new();
    for root in roots {
        collect(Path::new(root), &mut files);
    }
    files.sort();
    if files.is_empty() {
        eprintln!("skipped: no old definition files on this machine");
        return;
    }
    let mut names = Vec::new();
    for (n, file) in files.iter().enumerate() {
        let name = format!("old{n}");
        let base = server.dir().join(&name);
        for extension in ["frm", "MYI", "MYD", "MRG", "CSM", "CSV", "MAI", "MAD", "ARZ"] {
            let _ = fs::copy(file.with_extension(extension), base.with_extension(extension));
        }
        names.push(name);
    }
    let texts = show(server, &names);
    let mut faults = Vec::new();
    let (mut equal, mut refused, mut unread) = (0, 0, Vec::new());
    for (name, file) in names.iter().zip(&files) {
        let bytes = fs::read(file).unwrap();
        let theirs = String::from_utf8_lossy(texts.get(name).map_or(&[][..], |t| t));
        let read = frm::read(&bytes);
        if theirs.is_empty() {
            refused += 1;
        }
        match read {
            Ok(frm::Frm::Table(mut def)) => {
                if let Err(error) = frm::write(&def) {
                    faults.push(format!("{}: {error}", file.display()));
                }
                if theirs.is_empty() {
                    continue;
                }
                let auto_increment = add_engine_facts(&mut def, theirs.as_bytes(), &server.dir().join(name));
                let options = ShowOptions { auto_increment, ..ShowOptions::default() };
                let ours = show_create(&def, name, &options);
                let ours = String::from_utf8_lossy(&ours);
                // Aria adds what its own file says; expressions of old files are
                // parsed and printed anew by the server.
                let plain = |text: &str| text.replace(" PAGE_CHECKSUM=1", "").replace('`', "");
                if plain(&ours) == plain(&theirs) {
                    equal += 1;
                } else {
                    faults.push(format!("{}:\n{ours}\n--- theirs\n{theirs}", file.display()));
                }
            }
            Ok(frm::Frm::View(_)) => {}
            Err(error) if theirs.is_empty() => unread.push(format!("{}: {error}", file.display())),
            Err(error) => faults.push(format!("{}: {error}\n{theirs}", file.display())),
        }
    }
    eprintln!(
        "{} files, {equal} shown alike, {refused} refused by the server; not read:\n{}",
        files.len(),
        unread.join("\n")
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n\n"));
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "frm") {
            files.push(path);
        }
    }
}

/// Views, directories and file names as the server makes them.
fn views_and_names_equal_the_servers(server: &MariaDb) {
    let names = [
        "plain",
        "with space",
        "a-b",
        "a.b",
        "a$b",
        "ä",
        "Ä",
        "日本",
        "Ω",
        "ⓐ",
        "con",
        "LPT1",
        "x#y",
        "a@b",
        "it's",
        "ñandú",
        "ﾊ",
        "Ⅷ",
        "`",
        "\"",
        "%",
        "é\u{301}",
        "ｘ",
    ];
    let mut script = "SET NAMES utf8mb4;\n".to_owned();
    for name in names {
        let quoted = name.replace('`', "``");
        script += &format!("CREATE TABLE d.`{quoted}` (a INT);\nCREATE DATABASE `d{quoted}`;\n");
    }
    script += "CREATE DATABASE opt CHARACTER SET utf8mb4 COLLATE utf8mb4_bin COMMENT 'a=b %c';\n";
    script += "USE d; CREATE VIEW v1 AS SELECT a, 'it''s\\n\\\\' AS `x y` FROM plain WHERE a > 1;\n";
    script += "CREATE ALGORITHM=MERGE DEFINER=`u`@`%` SQL SECURITY INVOKER VIEW v2 AS SELECT a FROM plain WITH LOCAL CHECK OPTION;\n";
    script += "CREATE ALGORITHM=TEMPTABLE VIEW v3 AS SELECT count(*), 'ä' FROM plain;\n";
    server.sql_force(&script);
    for name in names {
        let file = schema::file_name::encode(name);
        let frm = server.dir().join(format!("{file}.frm"));
        assert!(frm.exists(), "{name}: no {file}.frm");
        assert_eq!(schema::file_name::decode(&file).as_deref(), Some(name));
        let dir = schema::file_name::encode(&format!("d{name}"));
        assert!(server.dir().with_file_name(&dir).is_dir(), "{name}: no {dir}");
    }
    let opt = fs::read(server.dir().with_file_name("opt").join("db.opt")).unwrap();
    let options = schema::db_opt::read(&opt, charset::binary());
    assert_eq!(options.collation.name, "utf8mb4_bin");
    assert_eq!(options.comment, "a=b %c");
    assert_eq!(schema::db_opt::write(&options), opt);
    for (name, algorithm, security, check) in [("v1", 0, 2, 0), ("v2", 1, 0, 1), ("v3", 2, 2, 0)] {
        let bytes = fs::read(server.dir().join(format!("{name}.frm"))).unwrap();
        let Ok(frm::Frm::View(view)) = frm::read(&bytes) else {
            panic!("{name} is no view");
        };
        assert_eq!(view.write(), bytes, "{}", String::from_utf8_lossy(&bytes));
        assert_eq!(
            (view.algorithm, view.security, view.check_option),
            (algorithm, security, check),
            "{name}"
        );
        assert!(view.query.starts_with(b"select "), "{}", String::from_utf8_lossy(&view.query));
    }
    // A view of our own making is taken by the server.
    let bytes = fs::read(server.dir().join("v1.frm")).unwrap();
    fs::write(server.dir().join("v4.frm"), bytes).unwrap();
    let shown = server.sql_force("INSERT INTO d.plain VALUES (5); SELECT a FROM d.v4");
    assert_eq!(shown, "5\n");
}
