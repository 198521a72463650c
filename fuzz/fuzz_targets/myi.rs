//! Damaged files of a small table: everything that reads or writes them must end in a typed error.
#![no_main]

use std::sync::Arc;

use charset::Collation;
use schema::definition::{ColumnDef, ColumnType, KeyAlgorithm, KeyDef, KeyKind, KeyPart, TableDef};
use isam::maintain::{CheckOptions, Depth, check};
use isam::myi::Header;
use isam::plain::PlainPages;
use isam::{CreateSettings, KeyCursor, RowBuf, RowScratch, Scan, SeekMode, TableFormat, Writer};
use libfuzzer_sys::fuzz_target;

fn definition(kind: u8) -> Option<TableDef> {
    let latin1 = Collation::by_name("latin1_swedish_ci")?;
    let mut def = TableDef::new("MyISAM", latin1);
    let text = if kind & 1 == 0 { ColumnType::Char { bytes: 20 } } else { ColumnType::Varchar { bytes: 20 } };
    for (name, ty, nullable) in [("a", ColumnType::Long, false), ("b", text, kind & 2 != 0)] {
        let mut column = ColumnDef::new(name, ty, latin1);
        column.nullable = nullable;
        def.columns.push(column);
    }
    for (name, column) in [("a", 0), ("b", 1)] {
        def.keys.push(KeyDef {
            name: name.into(),
            kind: KeyKind::Plain,
            parts: vec![KeyPart { column, prefix: None, descending: false }],
            algorithm: KeyAlgorithm::Default,
            block_size: 0,
            comment: String::new(),
            parser: None,
            ignored: false,
            generated: false,
            engine_options: Vec::new(),
        });
    }
    def.options.checksum = kind & 4 != 0;
    def.options.pack_keys = match kind & 24 {
        0 => None,
        8 => Some(true),
        _ => Some(false),
    };
    Some(def)
}

fuzz_target!(|data: &[u8]| {
    // A header of any bytes.
    let _ = Header::parse(data);
    let Some((&kind, damage)) = data.split_first() else { return };
    let Some(def) = definition(kind) else { return };
    let Ok(header) = Header::for_definition(&def, &def.layout(), CreateSettings::default()) else { return };
    let head = header.write_new(1, 0);
    let Ok(format) = TableFormat::new(&def, header) else { return };
    let format = Arc::new(format);
    let mut writer = Writer::new(format.clone(), PlainPages::new(head, Vec::new(), format.offsets.len()));
    let mut row = RowBuf::new(&format.layout);
    for i in 0..120u32 {
        row.clear();
        row.set(0, &(i * 7919 % 101).to_le_bytes());
        row.set(1, &b"abcdefghijklmnopqrst"[..(i % 20) as usize]);
        let _ = writer.insert(&row.as_view());
    }
    let pages = writer.into_store();
    // Three bytes each: where (the state is hit often), and what to put there.
    let (mut index, mut file) = (pages.index().to_vec(), pages.data_file().to_vec());
    for d in damage.chunks_exact(4) {
        let at = usize::from(d[1]) << 8 | usize::from(d[2]);
        let target = match d[0] % 3 {
            0 => index.get_mut(24 + at % 140),
            1 => index.get_mut(1024 + at),
            _ => file.get_mut(at),
        };
        if let Some(b) = target {
            *b = d[3];
        }
    }
    let pages = PlainPages::new(index, file, format.offsets.len()).with_pages(512);
    for depth in [Depth::Medium, Depth::Extended] {
        let _ = check(&format, &pages, &CheckOptions { depth, ..CheckOptions::default() });
    }
    let mut scratch = RowScratch::new();
    for key in 0..format.keys.len() {
        let mut cursor = KeyCursor::new(&format, key);
        for (start, forward) in [(SeekMode::First, true), (SeekMode::Last, false)] {
            let mut more = cursor.seek(&pages, &[], 0, start).unwrap_or(false);
            while more {
                let _ = format.row(&pages, cursor.pos(), &mut scratch);
                more = if forward { cursor.next(&pages) } else { cursor.prev(&pages) }.unwrap_or(false);
            }
        }
    }
    let mut scan = Scan::new();
    let mut found = Vec::new();
    while let Ok(Some((pos, view))) = scan.next(&format, &pages, &mut scratch) {
        let mut copy = RowBuf::new(&format.layout);
        copy.copy_from(&view);
        found.push((pos, copy));
    }
    let mut writer = Writer::new(format, pages);
    for (pos, old) in found.iter().step_by(2) {
        let _ = writer.delete(*pos, &old.as_view());
    }
    for _ in 0..8 {
        let _ = writer.insert(&row.as_view());
    }
    for (pos, old) in found.iter().skip(1).step_by(2) {
        let _ = writer.update(*pos, &old.as_view(), &row.as_view());
    }
});
