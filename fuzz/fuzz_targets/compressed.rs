//! Compressed data files: any bytes behind a sound beginning, and a sound file with damage.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use charset::Collation;
use schema::definition::{ColumnDef, ColumnType, TableDef};
use isam::maintain::compress::compress;
use isam::maintain::{CheckOptions, Depth, check};
use isam::myi::{Header, StateMut, option};
use isam::plain::PlainPages;
use isam::row::checksum;
use isam::{CreateSettings, RowBuf, RowPos, RowScratch, Scan, TableFormat, Writer};
use libfuzzer_sys::fuzz_target;

fn definition(kind: u8) -> Option<TableDef> {
    let latin1 = Collation::by_name("latin1_swedish_ci")?;
    let mut def = TableDef::new("MyISAM", latin1);
    let mut types = vec![
        ColumnType::Long,
        ColumnType::Bit { bits: 11, as_char: false },
        ColumnType::Char { bytes: 10 },
        ColumnType::Decimal { precision: 20, scale: 4 },
    ];
    if kind & 1 != 0 {
        types.extend([
            ColumnType::Varchar { bytes: 20 },
            ColumnType::Varchar { bytes: 400 },
            ColumnType::Blob { length_bytes: 1 },
            ColumnType::Blob { length_bytes: 4 },
        ]);
    }
    for (i, ty) in types.into_iter().enumerate() {
        let mut column = ColumnDef::new(&format!("c{i}"), ty, latin1);
        column.nullable = kind >> 1 & 1 != i as u8 & 1;
        def.columns.push(column);
    }
    Some(def)
}

/// A sound file of a few rows.
fn sound(def: &TableDef, header: &Header) -> Option<Vec<u8>> {
    let head = header.write_new(1, 0);
    let format = Arc::new(TableFormat::new(def, header.clone()).ok()?);
    let mut writer =
        Writer::new(Arc::clone(&format), PlainPages::new(head, Vec::new(), format.offsets.len()));
    let mut row = RowBuf::new(&format.layout);
    for i in 0..20u32 {
        row.clear();
        row.set(0, &(i * 7919 % 101).to_le_bytes());
        for c in 2..def.columns.len() {
            row.set(c, if c == 3 { &[0x80; 9] } else { &b"abcdefghij"[..(i as usize + c) % 10] });
        }
        let _ = writer.insert(&row.as_view());
    }
    let mut out = Vec::new();
    let packed = compress(&format, writer.store(), &mut out, Path::new("t.MYD"), &mut |_| true).ok()?;
    out[..packed.head.len()].copy_from_slice(&packed.head);
    Some(out)
}

fn read(def: &TableDef, mut header: Header, data: &[u8]) {
    header.options |= option::COMPRESS_RECORD;
    let mut head = header.write_new(1, 0);
    let begin = |most: u64| Ok(data[..data.len().min(most as usize)].to_vec());
    let Ok(format) = TableFormat::with_data(def, header, begin) else { return };
    StateMut::new(&mut head, format.offsets).set_data_file_length(data.len() as u64);
    let pages = PlainPages::new(head, data.to_vec(), format.offsets.len()).with_pages(64);
    let (mut scratch, mut crc) = (RowScratch::new(), Vec::new());
    let mut scan = Scan::new();
    while let Ok(Some((_, row))) = scan.next(&format, &pages, &mut scratch) {
        for i in 0..row.len() {
            let _ = row.column(i);
        }
        let _ = checksum::checksum(&row, &mut crc);
    }
    for at in 0..data.len() as u64 {
        let _ = format.row(&pages, RowPos(at), &mut scratch);
    }
    let _ = check(&format, &pages, &CheckOptions { depth: Depth::Extended, ..CheckOptions::default() });
}

fuzz_target!(|data: &[u8]| {
    let Some((&kind, rest)) = data.split_first() else { return };
    let Some(def) = definition(kind) else { return };
    let Ok(header) = Header::for_definition(&def, &def.layout(), CreateSettings::default()) else { return };
    if kind & 4 != 0 {
        // any bytes, whose head has the length that they say
        let mut file = rest.to_vec();
        if let Some(start) = file.get_mut(..4) {
            start.copy_from_slice(&[0xFE, 0xFE, 8, 2]);
        }
        return read(&def, header, &file);
    }
    let Some(mut file) = sound(&def, &header) else { return };
    for d in rest.chunks_exact(3) {
        let at = (usize::from(d[0]) << 8 | usize::from(d[1])) % file.len();
        file[at] = d[2];
    }
    read(&def, header, &file);
});
