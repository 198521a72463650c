//! The tables that are damaged, and the damages: each a few bytes of one file that are other than they should be.

use isambard_tests::peers::Peer;
use mysql::prelude::Queryable;
use std::path::Path;
use std::process::Command;

use crate::{data_file, header, index_pages};

/// One of the two files that are damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Index,
    Data,
}

/// One change of a file.
#[derive(Clone, Debug)]
pub enum Edit {
    /// These bytes at this place.
    Put(Part, usize, Vec<u8>),
    /// The file ends here.
    Cut(Part, usize),
    /// These bytes behind its end.
    Append(Part, Vec<u8>),
}

/// A damage.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The kind, a row of the report.
    pub kind: &'static str,
    /// What was done, for people.
    pub what: String,
    pub edits: Vec<Edit>,
}

impl Damage {
    pub fn put(kind: &'static str, part: Part, what: String, at: usize, bytes: Vec<u8>) -> Damage {
        Damage { kind, what, edits: vec![Edit::Put(part, at, bytes)] }
    }
}

/// A sound table.
pub struct Sound {
    pub name: &'static str,
    pub frm: Vec<u8>,
    pub index: Vec<u8>,
    pub data: Vec<u8>,
}

impl Sound {
    /// The damaged files.
    pub fn with(&self, damage: &Damage) -> (Vec<u8>, Vec<u8>) {
        let (mut index, mut data) = (self.index.clone(), self.data.clone());
        for edit in &damage.edits {
            let mut of = |part: &Part| match part {
                Part::Index => std::mem::take(&mut index),
                Part::Data => std::mem::take(&mut data),
            };
            let (part, bytes) = match edit {
                Edit::Put(part, at, new) => {
                    let mut bytes = of(part);
                    if bytes.len() < at + new.len() {
                        bytes.resize(at + new.len(), 0);
                    }
                    bytes[*at..at + new.len()].copy_from_slice(new);
                    (part, bytes)
                }
                Edit::Cut(part, to) => {
                    let mut bytes = of(part);
                    bytes.truncate(*to);
                    (part, bytes)
                }
                Edit::Append(part, more) => {
                    let mut bytes = of(part);
                    bytes.extend_from_slice(more);
                    (part, bytes)
                }
            };
            match part {
                Part::Index => index = bytes,
                Part::Data => data = bytes,
            }
        }
        (index, data)
    }

    /// All damages of this table.
    pub fn damages(&self) -> Vec<Damage> {
        let mut all = header::damages(&self.index);
        all.extend(index_pages::damages(&self.index));
        let options = self.index[5];
        all.extend(match (options & 4 != 0, options & 1 != 0) {
            (true, _) => data_file::packed(&self.index, &self.data),
            (_, true) => data_file::dynamic(&self.index, &self.data),
            _ => data_file::fixed(&self.index, &self.data),
        });
        for (part, bytes) in [(Part::Index, &self.index), (Part::Data, &self.data)] {
            all.extend(cuts(part, bytes.len()));
        }
        all
    }
}

/// The file ends too early, at each of its blocks and inside, or too late.
fn cuts(part: Part, len: usize) -> Vec<Damage> {
    let name = if part == Part::Index { "MYI" } else { "MYD" };
    let step = if part == Part::Index { 1024 } else { 2048 };
    let kind = if part == Part::Index { "index file cut or longer" } else { "data file cut or longer" };
    let places =
        (0..len).step_by(step).chain((0..len).step_by(step * 3 + 512)).chain([1, 3, 23, len - 1, len - 8]);
    let mut all: Vec<Damage> = places
        .filter(|at| *at < len)
        .map(|at| Damage {
            kind,
            what: format!("{name} cut at {at} of {len}"),
            edits: vec![Edit::Cut(part, at)],
        })
        .collect();
    for more in [1, 20, 1024, 5000] {
        for byte in [0, 0xFF, 1] {
            all.push(Damage {
                kind,
                what: format!("{name} with {more} bytes of {byte} behind its end"),
                edits: vec![Edit::Append(part, vec![byte; more])],
            });
        }
    }
    all
}

/// Names and definitions of the sound tables.
const TABLES: [(&str, &str); 8] = [
    ("fixed", "(id int PRIMARY KEY, v int, c char(20), KEY (v), KEY (c)) ROW_FORMAT=FIXED CHARSET=latin1"),
    (
        "fixed_sum",
        "(id int PRIMARY KEY, v int, c char(20), UNIQUE KEY (v, id)) ROW_FORMAT=FIXED CHECKSUM=1 CHARSET=latin1",
    ),
    ("dynamic", "(id int PRIMARY KEY, v int, c varchar(200), KEY (v), KEY (c(30))) CHARSET=utf8mb4"),
    (
        "dynamic_sum",
        "(id int PRIMARY KEY, v int, c text, KEY (v, id), UNIQUE (id, v), KEY (c(10))) CHECKSUM=1 CHARSET=latin1",
    ),
    (
        "pack_keys",
        "(id int PRIMARY KEY, v int, c varchar(100), KEY (c), KEY (v)) PACK_KEYS=1 CHARSET=utf8mb3",
    ),
    ("words", "(id int PRIMARY KEY, v int, c text, KEY (v), FULLTEXT KEY w (c)) CHARSET=latin1"),
    (
        "packed_fixed",
        "(id int PRIMARY KEY, v int, c char(20), KEY (v), KEY (c)) ROW_FORMAT=FIXED CHARSET=latin1",
    ),
    ("packed", "(id int PRIMARY KEY, v int, c text, KEY (v), KEY (c(10))) CHARSET=latin1"),
];

/// Makes the sound tables by MariaDB; rows were deleted and grew, so that there are chains and rows in parts.
pub fn sound_tables() -> Vec<Sound> {
    let mut peer = Peer::mariadb(&[]);
    let mut conn = peer.connect("");
    conn.query_drop("CREATE DATABASE b").expect("database");
    conn.query_drop("USE b").expect("use");
    for (name, definition) in TABLES {
        conn.query_drop(format!("CREATE TABLE {name} {definition} ENGINE=MyISAM")).expect("table");
        let mut rows = Vec::new();
        for i in 0..400 {
            let text = match i % 11 {
                0 => "NULL".to_owned(),
                _ if name == "words" => {
                    format!("CONCAT('common words ', REPEAT('word{} ', {}))", i % 9, i % 20)
                }
                _ => format!("LEFT(REPEAT('{}', {}), IF('{name}' LIKE '%fixed%', 20, 60))", i % 9, i % 40),
            };
            rows.push(format!("({i}, {}, {text})", i % 50));
        }
        conn.query_drop(format!("INSERT INTO {name} VALUES {}", rows.join(", "))).expect("rows");
        if name.starts_with("packed") {
            continue;
        }
        conn.query_drop(format!("DELETE FROM {name} WHERE id % 5 = 0")).expect("delete");
        if !name.starts_with("fixed") {
            conn.query_drop(format!("UPDATE {name} SET c = REPEAT('long', 12) WHERE id % 7 = 0"))
                .expect("update");
        }
        // pages of keys that are free
        conn.query_drop(format!("DELETE FROM {name} WHERE id BETWEEN 300 AND 360")).expect("delete");
    }
    conn.query_drop("FLUSH TABLES").expect("flush");
    peer.stop();
    let folder = peer.datadir.join("b");
    for name in ["packed_fixed", "packed"] {
        run("myisampack", &["-s", "-f"], &folder.join(name));
        run("myisamchk", &["-s", "-rq"], &folder.join(name));
    }
    // frequent words get trees of their own
    run("myisamchk", &["-s", "-rq"], &folder.join("words"));
    let read = |name: &str, e: &str| std::fs::read(folder.join(format!("{name}.{e}"))).expect("file");
    TABLES
        .iter()
        .map(|(name, _)| Sound {
            name,
            frm: read(name, "frm"),
            index: read(name, "MYI"),
            data: read(name, "MYD"),
        })
        .collect()
}

fn run(program: &str, arguments: &[&str], table: &Path) {
    let done = Command::new(program).args(arguments).arg(table).output().expect("run it");
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
}
