//! Definition files of the server kept under `fixtures/frm`, each with the
//! text the server shows for it.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use super::*;
use crate::definition::ColumnType;
use crate::layout::engine;
use crate::show_create::{ShowOptions, show_create};

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/frm");
    let mut files: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "frm"))
        .collect();
    files.sort();
    assert!(files.len() > 50);
    files
        .iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

/// The server's text, without what does not come from the definition file.
fn shown(name: &str) -> String {
    let path = format!("{}/fixtures/frm/{name}.sql", env!("CARGO_MANIFEST_DIR"));
    let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let text = text.split_once(" INSERT_METHOD=").map_or(text.clone(), |(head, _)| head.to_owned());
    match text.split_once(" AUTO_INCREMENT=") {
        Some((head, tail)) => head.to_owned() + tail.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => text,
    }
}

fn show(def: &TableDef, name: &str) -> String {
    String::from_utf8_lossy(&show_create(def, name, &ShowOptions::default())).into_owned()
}

#[test]
fn fixtures_are_shown_as_the_server_shows_them() {
    for (name, bytes) in fixtures() {
        match read(&bytes).unwrap() {
            Frm::Table(def) => assert_eq!(show(&def, &name), shown(&name)),
            Frm::View(view) => assert_eq!(view.write(), bytes),
        }
    }
}

#[test]
fn fixtures_are_written_as_they_were() {
    let mut identical = 0;
    for (name, bytes) in fixtures() {
        let Ok(def) = read_table(&bytes) else {
            continue;
        };
        let written = write(&def).unwrap();
        assert_eq!(written.len(), bytes.len(), "{name}");
        identical += usize::from(written == bytes);
        let again = read_table(&written).unwrap();
        assert_eq!(show(&again, &name), shown(&name));
        assert_eq!(write(&again).unwrap(), written, "{name}");
    }
    // The others differ in what depends on the course of the CREATE statement.
    assert!(identical > 50, "{identical}");
}

#[test]
fn a_definition_from_nothing() {
    use crate::definition::{ColumnDef, DefaultValue, KeyDef, KeyKind, TableDef};
    let latin1 = charset::Collation::by_name("latin1_swedish_ci").unwrap();
    let binary = charset::binary();
    let mut def = TableDef::new("MyISAM", latin1);
    let mut column = |name: &str, ty: ColumnType, default: DefaultValue| {
        let collation = if ty.is_string() { latin1 } else { binary };
        let mut column = ColumnDef::new(name, ty, collation);
        column.nullable = false;
        column.default = default;
        def.columns.push(column);
    };
    let value = |bytes: &[u8]| DefaultValue::Value(bytes.into());
    column("id", ColumnType::Long, DefaultValue::None);
    column("k", ColumnType::Long, value(&[0; 4]));
    column("c", ColumnType::Char { bytes: 120 }, value(b""));
    column("pad", ColumnType::Char { bytes: 60 }, value(b""));
    def.columns[0].auto_increment = true;
    def.keys.push(KeyDef::new("k_1", KeyKind::Plain, &[1]));
    def.keys.push(KeyDef::new("PRIMARY", KeyKind::Primary, &[0]));
    def.sort_keys();
    let (_, fixture) = fixtures().into_iter().find(|(name, _)| name == "sysbench").unwrap();
    let theirs = read_table(&fixture).unwrap();
    def.uuid = theirs.uuid;
    def.server_version = theirs.server_version;
    assert_eq!(write(&def).unwrap(), fixture);
}

/// The same definition in the form of MySQL 5.0 to 5.7: sections at multiples
/// of 4096, form names in place of extra2, screens before the columns.
fn old_form(bytes: &[u8]) -> Option<Vec<u8>> {
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let extra2 = u16_at(4);
    let form = u32_at(64 + extra2);
    let (keys, keys_len, reclength) = (u16_at(6), u32_at(47), u16_at(16));
    let extra = &bytes[keys + keys_len + reclength..][..u32_at(55)];
    if bytes[2] != 10 || bytes[form + 46] == 255 || bytes[64 + 18..64 + extra2].contains(&130) {
        return None;
    }
    let mut out = bytes[..64].to_vec();
    out[4] = 3;
    out[5] = 0;
    out[6..8].copy_from_slice(&4096u16.to_le_bytes());
    out[10..14].copy_from_slice(&0x7000u32.to_le_bytes());
    out[51..55].copy_from_slice(&50_100u32.to_le_bytes());
    out.extend_from_slice(b"//\0");
    let form_at = (4096 + keys_len + reclength + extra.len()).next_multiple_of(4096);
    out.extend_from_slice(&(form_at as u32).to_le_bytes());
    out.resize(4096, 0);
    out.extend_from_slice(&bytes[keys..keys + keys_len + reclength]);
    // No flag for automatic partitions before 5.1.10.
    out.extend_from_slice(&extra[..extra.len() - 1]);
    out[55..59].copy_from_slice(&(extra.len() as u32 - 1).to_le_bytes());
    out.resize(form_at, 0);
    out.extend_from_slice(&bytes[form..form + 288]);
    let screens = 77u16;
    out[form_at + 260..form_at + 262].copy_from_slice(&screens.to_le_bytes());
    out.extend(std::iter::repeat_n(b'x', usize::from(screens)));
    out.extend_from_slice(&bytes[form + 288..]);
    Some(out)
}

#[test]
fn the_form_of_old_servers() {
    let mut count = 0;
    for (name, bytes) in fixtures() {
        let Ok(def) = read_table(&bytes) else {
            continue;
        };
        // What came after 5.1 has no place in the old form.
        let late = def.partition.is_some()
            || def.options.stats_sample_pages != 0
            || def.keys.iter().any(|k| k.ignored)
            || def
                .columns
                .iter()
                .any(|c| c.visibility as u8 != 0 || matches!(c.ty, ColumnType::Decimal { scale: 31.., .. }))
            || !def.options.engine_options.is_empty();
        if late {
            continue;
        }
        let Some(old) = old_form(&bytes) else {
            continue;
        };
        let text = show(&read_table(&old).unwrap(), &name);
        assert_eq!(text, shown(&name));
        count += 1;
    }
    assert!(count > 25, "{count}");
}

/// All that is done with a definition must bear whatever a file says.
fn use_all(bytes: &[u8]) -> bool {
    match read(bytes) {
        Ok(Frm::Table(def)) => {
            let layout = def.layout();
            black_box((
                show(&def, "t"),
                layout.default_record(&def),
                engine::columns(&def, &layout),
                engine::keys(&def, &layout),
            ));
            if let Ok(written) = write(&def) {
                assert!(read_table(&written).is_ok(), "{:?}", read_table(&written));
            }
            true
        }
        Ok(Frm::View(view)) => {
            black_box(view.write());
            true
        }
        Err(_) => false,
    }
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    for (name, bytes) in fixtures() {
        // The last byte of a table's file may be part of a text of no fixed length.
        let view = bytes.starts_with(view::SIGNATURE);
        let step = 1 + bytes.len() / 500;
        for len in (0..bytes.len() - 1).step_by(step) {
            assert!(!use_all(&bytes[..len]) || view, "{name}: {len}");
        }
    }
}

#[test]
fn damaged_files_do_no_harm() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % n
    };
    let rounds = if std::env::var_os("ISAMBARD_SOAK").is_some() { 50_000 } else { 150 };
    let (mut taken, mut refused) = (0, 0);
    for (_, bytes) in fixtures() {
        let form = read_table(&bytes).map_or(0, |_| {
            let len = usize::from(u16::from_le_bytes([bytes[4], bytes[5]]));
            u32::from_le_bytes(bytes[64 + len..68 + len].try_into().unwrap()) as usize
        });
        for _ in 0..rounds {
            let mut damaged = bytes.clone();
            for _ in 0..1 + random(3) {
                let at = match random(4) {
                    0 => random(128.min(bytes.len())),
                    1 => (form + random(700)).min(bytes.len() - 1),
                    _ => random(bytes.len()),
                };
                damaged[at] = match random(4) {
                    0 => 0,
                    1 => 0xff,
                    2 => damaged[at] ^ (1 << random(8)),
                    _ => random(256) as u8,
                };
            }
            match random(20) {
                0 => damaged.truncate(random(bytes.len())),
                1 => damaged.extend_from_slice(&bytes[random(bytes.len())..]),
                _ => {}
            }
            if use_all(&damaged) {
                taken += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(taken > 0 && refused > 0);
}

/// Files that once did harm, found by the fuzz target.
#[test]
fn what_the_fuzzer_found() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fuzz/frm");
    let files: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty());
    for path in files {
        println!("{}", path.display());
        use_all(&fs::read(path).unwrap());
    }
}

#[test]
fn foreign_files() {
    assert_eq!(read(b"").unwrap_err(), FrmError::Foreign);
    assert_eq!(read(&[0xfe; 100]).unwrap_err(), FrmError::Foreign);
    assert!(matches!(read(&vec![0; MAX_FILE + 1]), Err(FrmError::TooLarge(_))));
    assert!(matches!(read(b"TYPE=VIEW\nnonsense"), Err(FrmError::Corrupt { .. })));
}
