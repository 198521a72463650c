//! Damaged FULLTEXT keys of a small table, whose frequent words have trees of their own: everything that searches them, changes
//! them or checks them must end, with a typed error or what is left.
#![no_main]

use std::sync::Arc;

use charset::Collation;
use fulltext::boolean::{Query, count};
use fulltext::{Natural, Syntax};
use isam::maintain::{CheckOptions, Depth, check};
use isam::myi::Header;
use isam::plain::PlainPages;
use isam::{CreateSettings, FulltextIndex, RowBuf, RowPos, RowScratch, SortSettings, TableFormat, Writer};
use libfuzzer_sys::fuzz_target;
use schema::definition::{ColumnDef, ColumnType, KeyAlgorithm, KeyDef, KeyKind, KeyPart, TableDef};

const WORDS: [&str; 8] = ["common", "server", "table", "index", "tables", "zebra", "weights", "rare"];
const QUERIES: [&str; 6] = [
    "server zebra table",
    "+common server* tabl*",
    "(+zebra common) (+rare server) index",
    "\"common server\" c* -w*",
    "+(+common +server) -(table index) >c*",
    "common",
];

fn definition() -> Option<TableDef> {
    let latin1 = Collation::by_name("latin1_swedish_ci")?;
    let mut def = TableDef::new("MyISAM", latin1);
    def.columns.push(ColumnDef::new("a", ColumnType::Varchar { bytes: 120 }, latin1));
    def.keys.push(KeyDef {
        name: "a".into(),
        kind: KeyKind::Fulltext,
        parts: vec![KeyPart { column: 0, prefix: None, descending: false }],
        algorithm: KeyAlgorithm::Default,
        block_size: 0,
        comment: String::new(),
        parser: None,
        ignored: false,
        generated: false,
        engine_options: Vec::new(),
    });
    Some(def)
}

fn search(format: &TableFormat, pages: &PlainPages) {
    let Some(fulltext) = &format.keys[0].fulltext else { return };
    let Ok(index) = FulltextIndex::new(format, pages, 0) else { return };
    let index = &index;
    let mut texts = |row: u64, take: &mut dyn FnMut(&[u8])| {
        let mut scratch = RowScratch::new();
        let row = format.row(pages, RowPos(row), &mut scratch)?;
        fulltext.texts(&row).for_each(take);
        Ok(())
    };
    for query in QUERIES {
        let query = query.as_bytes();
        let natural = Natural { collation: fulltext.collation, rules: &fulltext.rules, query };
        let _ = natural.count(&index, &|| false);
        let _ = natural
            .search(&index, &|| false)
            .and_then(|hits| natural.expand(&index, &hits, 20, &mut texts, &|| false));
        let boolean = Query::new(fulltext.collation, &fulltext.rules, &Syntax::default(), query);
        let _ = count(boolean, &index, &mut texts, &|| false);
    }
    let _ = index.rows_with(b"common");
}

fuzz_target!(|data: &[u8]| {
    let Some(def) = definition() else { return };
    let Ok(header) = Header::for_definition(&def, &def.layout(), CreateSettings::default()) else { return };
    let head = header.write_new(1, 0);
    let Ok(format) = TableFormat::new(&def, header) else { return };
    let format = Arc::new(format);
    let mut writer = Writer::new(format.clone(), PlainPages::new(head, Vec::new(), format.offsets.len()));
    let mut row = RowBuf::new(&format.layout);
    let mut places = Vec::new();
    for i in 0..260usize {
        let text = format!("{} {} word{i} {}", WORDS[0], WORDS[i % 3], WORDS[i * i % 8]);
        row.clear();
        row.set(0, text.as_bytes());
        if let Ok(pos) = writer.insert(&row.as_view()) {
            places.push((pos, text));
        }
    }
    writer.disable_keys();
    let settings = SortSettings { buffer: 0, ..SortSettings::default() };
    let _ = writer.enable_keys(&settings, &|| false);
    let pages = writer.into_store();
    // Four bytes each: how, where, and what to put there.
    let (mut index, file) = (pages.index().to_vec(), pages.data_file().to_vec());
    let pages_of_keys = index.len().saturating_sub(1024) / 1024;
    for d in data.chunks_exact(4) {
        let at = 1024 + (usize::from(d[1]) << 8 | usize::from(d[2]));
        match d[0] % 4 {
            0 => {
                let (from, to) = (usize::from(d[3]) % pages_of_keys, usize::from(d[1]) % pages_of_keys);
                index.copy_within(1024 + from * 1024..2048 + from * 1024, 1024 + to * 1024);
            }
            1 if at + 20 < index.len() => index.copy_within(at..at + 10, at + 10),
            _ => {
                if let Some(b) = index.get_mut(at) {
                    *b = d[3];
                }
            }
        }
    }
    let pages = PlainPages::new(index, file, format.offsets.len()).with_pages(512);
    search(&format, &pages);
    let _ = check(&format, &pages, &CheckOptions { depth: Depth::Extended, ..CheckOptions::default() });
    let mut writer = Writer::new(format.clone(), pages);
    for (pos, text) in places.iter().step_by(9) {
        row.clear();
        row.set(0, text.as_bytes());
        let _ = writer.delete(*pos, &row.as_view());
        let _ = writer.insert(&row.as_view());
    }
    search(&format, writer.store());
});
