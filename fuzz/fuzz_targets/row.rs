//! Any bytes as the data file of a table with dynamic rows of many column types.
#![no_main]

use charset::Collation;
use schema::definition::{ColumnDef, ColumnType, TableDef};
use isam::maintain::{CheckOptions, Depth, check};
use isam::myi::{Header, StateMut};
use isam::plain::PlainPages;
use isam::row::checksum;
use isam::{CreateSettings, RowPos, RowScratch, Scan, TableFormat};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(latin1) = Collation::by_name("latin1_swedish_ci") else { return };
    let mut def = TableDef::new("MyISAM", latin1);
    let types = [
        ColumnType::Long,
        ColumnType::Bit { bits: 11, as_char: false },
        ColumnType::Char { bytes: 10 },
        ColumnType::Char { bytes: 255 },
        ColumnType::Varchar { bytes: 20 },
        ColumnType::Varchar { bytes: 400 },
        ColumnType::Blob { length_bytes: 1 },
        ColumnType::Blob { length_bytes: 4 },
        ColumnType::Decimal { precision: 20, scale: 4 },
        ColumnType::Timestamp { decimals: 0 },
    ];
    for (i, ty) in types.into_iter().enumerate() {
        def.columns.push(ColumnDef::new(&format!("c{i}"), ty, latin1));
    }
    let Ok(header) = Header::for_definition(&def, &def.layout(), CreateSettings::default()) else { return };
    let mut head = header.write_new(1, 0);
    let Ok(format) = TableFormat::new(&def, header) else { return };
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
    for at in (0..data.len() as u64).step_by(4) {
        let _ = format.row(&pages, RowPos(at), &mut scratch);
    }
    let _ = check(&format, &pages, &CheckOptions { depth: Depth::Extended, ..CheckOptions::default() });
});
