//! What reads files of which nothing is known to be sound: salvaging rows of each format, and describing both files.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use charset::Collation;
use schema::definition::{ColumnDef, ColumnType, KeyAlgorithm, KeyDef, KeyKind, KeyPart, TableDef};
use isam::maintain::compress::repair::PackedSalvage;
use isam::maintain::compress::compress;
use isam::maintain::describe::{IndexBlocks, each_data_block};
use isam::maintain::salvage::{RawData, Salvage};
use isam::myi::{Header, option};
use isam::plain::PlainPages;
use isam::{CreateSettings, RowBuf, TableFormat, Writer};
use libfuzzer_sys::fuzz_target;
use pages::storage::{MemoryStorage, OpenMode, Storage, StorageFile};

fn definition(kind: u8) -> Option<TableDef> {
    let latin1 = Collation::by_name("latin1_swedish_ci")?;
    let mut def = TableDef::new("MyISAM", latin1);
    let text = if kind & 1 == 0 { ColumnType::Char { bytes: 20 } } else { ColumnType::Varchar { bytes: 200 } };
    let mut types = vec![ColumnType::Long, text];
    if kind & 3 == 3 {
        types.push(ColumnType::Blob { length_bytes: 2 });
    }
    for (i, ty) in types.into_iter().enumerate() {
        def.columns.push(ColumnDef::new(&format!("c{i}"), ty, latin1));
    }
    def.keys.push(KeyDef {
        name: "k".into(),
        kind: KeyKind::Plain,
        parts: vec![KeyPart { column: 1, prefix: None, descending: false }],
        algorithm: KeyAlgorithm::Default,
        block_size: 0,
        comment: String::new(),
        parser: None,
        ignored: false,
        generated: false,
        engine_options: Vec::new(),
    });
    def.options.checksum = kind & 4 != 0;
    Some(def)
}

/// A file in memory.
fn file(storage: &MemoryStorage, name: &str, bytes: &[u8]) -> Option<Arc<dyn StorageFile>> {
    let file = storage.open(Path::new(name), OpenMode::CreateNew).ok()?;
    file.write_all_at(bytes, 0).ok()?;
    Some(file)
}

/// A few rows, some of them deleted.
fn rows(format: &Arc<TableFormat>, head: Vec<u8>, n: u32) -> PlainPages {
    let mut writer = Writer::new(Arc::clone(format), PlainPages::new(head, Vec::new(), format.offsets.len()));
    let mut row = RowBuf::new(&format.layout);
    let mut all = Vec::new();
    for i in 0..n {
        row.clear();
        row.set(0, &(i * 7919 % 101).to_le_bytes());
        row.set(1, &b"abcdefghijklmnopqrst"[..(i % 20) as usize]);
        all.extend(writer.insert(&row.as_view()));
        if i % 5 == 4
            && let Some(pos) = all.pop()
        {
            let _ = writer.delete(pos, &row.as_view());
        }
    }
    writer.into_store()
}

fn look(format: &TableFormat, index: &[u8], data: &[u8]) {
    let storage = MemoryStorage::new();
    let (Some(index_file), Some(data_file)) = (file(&storage, "t.MYI", index), file(&storage, "t.MYD", data))
    else {
        return;
    };
    let path = Path::new("t.MYI");
    let mut blocks = 0;
    let reader = IndexBlocks { format, head: index, file: &*index_file, path };
    let _ = reader.each(&mut |_| blocks += 1);
    assert!(blocks <= index.len() / 1024, "a block is met twice");
    let Ok(raw) = RawData::new(data_file, Path::new("t.MYD")) else { return };
    let mut end = 0;
    let _ = each_data_block(format, &raw, &mut |block| {
        assert!(block.offset >= end && block.offset + block.length <= data.len() as u64);
        end = block.offset + block.length;
        true
    });
    if format.header.is_compressed() {
        let Ok(salvage) = PackedSalvage::new(format, &raw, raw.len(), 0) else { return };
        let mut end = 0;
        let _ = salvage.each(
            &mut |met| {
                assert!(met.place.0 >= end && met.place.2 <= data.len() as u64);
                end = met.place.2;
                (0..met.row.len()).for_each(|i| _ = met.row.column(i));
                Ok(true)
            },
            &mut |_| true,
        );
    } else {
        let _ = Salvage { format, data: &raw, rows: None, kill: &|| false }.each(
            &mut |_, _, row| {
                (0..row.len()).for_each(|i| _ = row.column(i));
                Ok(true)
            },
            &mut |_| true,
        );
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&kind, damage)) = data.split_first() else { return };
    let Some(def) = definition(kind) else { return };
    let Ok(mut header) = Header::for_definition(&def, &def.layout(), CreateSettings::default()) else { return };
    let head = header.write_new(1, 0);
    let Ok(format) = TableFormat::new(&def, header.clone()) else { return };
    let format = Arc::new(format);
    let pages = rows(&format, head, 90);
    let (mut index, mut file) = (pages.index().to_vec(), pages.data_file().to_vec());
    if kind & 8 != 0 {
        let mut out = Vec::new();
        let Ok(packed) = compress(&format, &pages, &mut out, Path::new("t.MYD"), &mut |_| true) else { return };
        out[..packed.head.len()].copy_from_slice(&packed.head);
        file = out;
        header.options |= option::COMPRESS_RECORD;
    }
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
    let begin = |most: u64| Ok(file[..file.len().min(most as usize)].to_vec());
    let Ok(format) = TableFormat::with_data(&def, header, begin) else { return };
    look(&format, &index, &file);
});
