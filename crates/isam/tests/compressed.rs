//! Compressed tables without a server: what is compressed is read back, and no damage ends in anything but an error.

mod common;

use std::path::Path;
use std::sync::Arc;

use common::Random;
use common::defs::{collation, column, empty, key, table};
use isam::maintain::compress::{Packed, compress};
use isam::maintain::{CheckOptions, Depth, check};
use isam::myi::{Header, StateMut, option};
use isam::plain::PlainPages;
use isam::{CreateSettings, RowBuf, RowPos, RowScratch, Scan, TableFormat, Writer};
use schema::definition::{ColumnDef, ColumnType, KeyKind, RowFormat, TableDef};

type Row = Vec<Option<Vec<u8>>>;

/// Tables of all forms of columns; `fixed` has none that differ in length.
fn definition(fixed: bool) -> TableDef {
    let mut def = table();
    let wide = collation("ucs2_general_ci");
    def.columns = vec![
        column("id", ColumnType::Long, false),
        column("few", ColumnType::Char { bytes: 30 }, false),
        column("text", ColumnType::Char { bytes: 20 }, true),
        ColumnDef::new("wide", ColumnType::Char { bytes: 20 }, wide),
        column("bits", ColumnType::Bit { bits: 11, as_char: false }, true),
        column("bit", ColumnType::Bit { bits: 3, as_char: false }, true),
        column("number", ColumnType::Decimal { precision: 20, scale: 4 }, false),
        column("zero", ColumnType::LongLong, false),
        column("large", ColumnType::LongLong, false),
        column("void", ColumnType::Char { bytes: 10 }, true),
    ];
    if !fixed {
        def.columns.extend([
            column("varchar", ColumnType::Varchar { bytes: 40 }, true),
            column("long", ColumnType::Varchar { bytes: 700 }, false),
            column("blob", ColumnType::Blob { length_bytes: 3 }, true),
        ]);
    }
    def.options.row_format = if fixed { RowFormat::Fixed } else { RowFormat::Dynamic };
    def.keys = vec![key(KeyKind::Plain, &[0], None), key(KeyKind::Plain, &[2], None)];
    def
}

/// A row of a table like that.
fn row(r: &mut Random, n: u32, columns: usize) -> Row {
    let text = |r: &mut Random, most: u64| -> Vec<u8> {
        let n = r.below(most + 1);
        (0..n).map(|_| b" abcdefgh XYZ"[r.below(13) as usize]).collect()
    };
    let few: [&[u8]; 4] = [b"one value", b"another", b"", b"  led by spaces"];
    let mut row: Row = vec![
        Some(n.to_le_bytes().to_vec()),
        Some(few[r.below(4) as usize].to_vec()),
        (!r.once_in(5)).then(|| text(r, 20)),
        Some((0..r.below(10)).flat_map(|_| [4, 0x10 + r.below(40) as u8]).collect()),
        (!r.once_in(4)).then(|| vec![r.below(8) as u8, r.below(256) as u8]),
        Some(vec![r.below(8) as u8]),
        Some([0x80, 0, 0, 0, 0, r.below(2) as u8, r.below(256) as u8, 0, r.below(200) as u8, 7].to_vec()),
        Some(vec![0; 8]),
        Some(if r.once_in(3) { (r.next() >> 20).to_le_bytes() } else { [0; 8] }.to_vec()),
        None,
    ];
    if columns > row.len() {
        row.push((!r.once_in(6)).then(|| text(r, 40)));
        row.push(Some(if r.once_in(9) { text(r, 700) } else { Vec::new() }));
        let most = if r.once_in(20) { 70_000 } else { 300 };
        row.push((!r.once_in(3)).then(|| text(r, most)));
    }
    row.into_iter()
        .enumerate()
        .map(|(i, value)| value.map(|v| if i == 6 { v[..9].to_vec() } else { v }))
        .collect()
}

fn filled(def: &TableDef, rows: u32, seed: u64) -> (Arc<TableFormat>, PlainPages) {
    let (format, pages) = empty(def);
    let mut writer = Writer::new(Arc::clone(&format), pages);
    let (mut random, mut buf) = (Random(seed), RowBuf::new(&format.layout));
    for n in 0..rows {
        buf.clear();
        for (i, value) in row(&mut random, n, def.columns.len()).iter().enumerate() {
            match value {
                Some(value) => buf.set(i, value),
                None => buf.set_null(i),
            }
        }
        writer.insert(&buf.as_view()).expect("a row");
    }
    (format, writer.into_store())
}

fn compressed(format: &TableFormat, pages: &PlainPages) -> (Packed, Vec<u8>) {
    let mut out = Vec::new();
    let packed = compress(format, pages, &mut out, Path::new("t.MYD"), &mut |_| true).expect("compressed");
    out[..packed.head.len()].copy_from_slice(&packed.head);
    assert_eq!(out.len() as u64, packed.length + 7);
    (packed, out)
}

/// Opens a compressed table, whose index has no keys.
fn open(
    def: &TableDef,
    packed: &Packed,
    data: &[u8],
    page: usize,
) -> isam::Result<(TableFormat, PlainPages)> {
    let mut header = Header::for_definition(def, &def.layout(), CreateSettings::default())?;
    header.options |= option::COMPRESS_RECORD;
    let mut head = header.write_new(1, 0);
    let format =
        TableFormat::with_data(def, header, |most| Ok(data[..data.len().min(most as usize)].to_vec()))?;
    let mut state = StateMut::new(&mut head, format.offsets);
    state.set_records(packed.rows);
    state.set_split(packed.rows);
    state.set_data_file_length(packed.length);
    state.set_checksum(u64::from(packed.checksum));
    state.set_key_map(0);
    let pages = PlainPages::new(head, data.to_vec(), format.offsets.len()).with_pages(page);
    Ok((format, pages))
}

fn rows(format: &TableFormat, pages: &PlainPages) -> isam::Result<Vec<(RowPos, Row)>> {
    let (mut scan, mut scratch, mut out) = (Scan::new(), RowScratch::new(), Vec::new());
    while let Some((pos, row)) = scan.next(format, pages, &mut scratch)? {
        out.push((pos, (0..row.len()).map(|i| row.column(i).map(<[u8]>::to_vec)).collect()));
    }
    Ok(out)
}

#[test]
fn rows_come_back() {
    for (fixed, count, seed) in
        [(true, 900, 1), (false, 900, 2), (false, 0, 3), (true, 0, 4), (true, 1, 5), (false, 1, 6)]
    {
        let def = definition(fixed);
        let (format, pages) = filled(&def, count, seed);
        let before: Vec<Row> = rows(&format, &pages).expect("rows").into_iter().map(|(_, row)| row).collect();
        assert_eq!(before.len(), count as usize);
        let (packed, data) = compressed(&format, &pages);
        assert!(count < 100 || data.len() * 3 < pages.data_file().len() * 2, "{} bytes", data.len());
        for page in [0, 4096, 7] {
            let (format, pages) = open(&def, &packed, &data, page).expect("a table");
            let after = rows(&format, &pages).expect("rows");
            assert!(after.iter().map(|(_, row)| row).eq(&before), "fixed {fixed}, pages of {page}");
            // by position, backwards
            let mut scratch = RowScratch::new();
            for (pos, row) in after.iter().rev() {
                let found = format.row(&pages, *pos, &mut scratch).expect("a row");
                assert!((0..found.len()).all(|i| found.column(i) == row[i].as_deref()));
            }
            // in parts, as several threads read it
            let (mut at, mut parts) = (0, Vec::new());
            while at < packed.length {
                let mut next = Scan::part(at..packed.length);
                let _ = next.skip(&format, &pages, &mut scratch, 500).expect("a place");
                let mut part = Scan::part(at..next.offset());
                let more = part.each(&format, &pages, &mut scratch, |pos, _| {
                    parts.push(pos);
                    true
                });
                assert!(!more.expect("rows"));
                at = next.offset();
            }
            assert!(parts.iter().eq(after.iter().map(|(pos, _)| pos)), "fixed {fixed}, pages of {page}");
            let found =
                check(&format, &pages, &CheckOptions { depth: Depth::Extended, ..CheckOptions::default() });
            assert_eq!(found.expect("a check").findings, []);
        }
    }
}

/// Reads all there is of a table; nothing but an error may come of damage.
fn exercise(def: &TableDef, packed: &Packed, data: &[u8]) -> bool {
    let Ok((format, pages)) = open(def, packed, data, 64) else { return true };
    let whole = rows(&format, &pages);
    let mut scratch = RowScratch::new();
    for at in 0..data.len() as u64 {
        let _ = format.row(&pages, RowPos(at), &mut scratch);
    }
    let found = check(&format, &pages, &CheckOptions { depth: Depth::Extended, ..CheckOptions::default() });
    whole.is_err() || !found.expect("a check").findings.is_empty()
}

#[test]
fn damage_is_an_error() {
    for fixed in [true, false] {
        let def = definition(fixed);
        let (format, pages) = filled(&def, 5, 7);
        let (packed, data) = compressed(&format, &pages);
        assert!(!exercise(&def, &packed, &data));
        let (mut noticed, mut changed) = (0, 0);
        for at in 0..data.len() - 7 {
            for bits in [0xFF, 0x01, 0x80] {
                let mut damaged = data.clone();
                damaged[at] ^= bits;
                noticed += u32::from(exercise(&def, &packed, &damaged));
                changed += 1;
            }
            // the rest of the file is gone
            let cut = exercise(&def, &packed, &data[..at]);
            assert!(cut, "cut at {at}");
        }
        // some bytes mean nothing: counts in the head that are there for others, bits that fill a byte up
        assert!(noticed * 5 > changed * 4, "{noticed} of {changed}");
    }
}
