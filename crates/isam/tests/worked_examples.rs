//! The worked examples of the format description, byte for byte: files as MariaDB 10.11 wrote them.

mod common;

use common::defs::{column, empty, key, table};
use isam::myi::StateView;
use isam::plain::PlainPages;
use isam::{RowBuf, RowPos, TableFormat, Writer};
use schema::definition::{ColumnType, KeyKind, TableDef};
use std::sync::Arc;

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|d| u8::from_str_radix(std::str::from_utf8(d).unwrap(), 16).unwrap()).collect()
}

type Row<'a> = &'a [Option<&'a [u8]>];

fn buf(format: &TableFormat, row: Row<'_>) -> RowBuf {
    let mut buf = RowBuf::new(&format.layout);
    for (i, c) in row.iter().enumerate() {
        match c {
            Some(v) => buf.set(i, v),
            None => buf.set_null(i),
        }
    }
    buf
}

struct Table {
    format: Arc<TableFormat>,
    writer: Writer<PlainPages>,
}

impl Table {
    fn new(def: &TableDef) -> Table {
        let (format, pages) = empty(def);
        Table { writer: Writer::new(format.clone(), pages), format }
    }

    fn insert(&mut self, row: Row<'_>) -> RowPos {
        self.writer.insert(&buf(&self.format, row).as_view()).unwrap()
    }

    fn delete(&mut self, pos: u64, row: Row<'_>) {
        self.writer.delete(RowPos(pos), &buf(&self.format, row).as_view()).unwrap();
    }

    fn update(&mut self, pos: u64, old: Row<'_>, new: Row<'_>) {
        let (old, new) = (buf(&self.format, old), buf(&self.format, new));
        self.writer.update(RowPos(pos), &old.as_view(), &new.as_view()).unwrap();
    }

    fn data(&self) -> &[u8] {
        self.writer.store().data_file()
    }

    /// The used part of the page at `offset`.
    fn page(&self, offset: usize) -> &[u8] {
        let page = &self.writer.store().index()[offset..];
        &page[..usize::from(u16::from_be_bytes([page[0], page[1]]) & 0x7FFF)]
    }

    fn state(&self) -> StateView<'_> {
        StateView::new(self.writer.store().index(), self.format.offsets)
    }
}

#[test]
fn fixed_rows_and_the_whole_header() {
    let mut def = table();
    def.columns.push(column("id", ColumnType::Long, false));
    def.columns.push(column("a", ColumnType::Char { bytes: 5 }, true));
    def.columns.push(column("n", ColumnType::Short, false));
    def.keys.push(key(KeyKind::Primary, &[0], None));
    def.keys.push(key(KeyKind::Plain, &[2], None));
    let mut t = Table::new(&def);
    t.insert(&[Some(&[1, 0, 0, 0]), Some(b"ab"), Some(&(-2i16).to_le_bytes())]);
    t.insert(&[Some(&[2, 0, 0, 0]), None, Some(&300i16.to_le_bytes())]);
    t.insert(&[Some(&[3, 0, 0, 0]), Some(b"hello"), Some(&(-2i16).to_le_bytes())]);
    assert_eq!(
        t.data(),
        hex("fd 01000000 6162202020 feff  ff 02000000 2020202020 2c01  fd 03000000 68656c6c6f feff")
    );
    assert_eq!(t.page(0x400), hex("0020 00000001 000000000000 00000002 000000000001 00000003 000000000002"));
    assert_eq!(t.page(0x800), hex("001a fffe 000000000000 fffe 000000000002 012c 000000000001"));
    let head = t.writer.store().index();
    assert_eq!(head[..24], hex("fefe0701 0000 018c 00b0 0064 00d0 0002 0000 02 00 08 01 00 00"));
    assert_eq!(head[24..28], hex("0000 39 ff"));
    let state = "0000000000000003 0000000000000000 0000000000000003 ffffffffffffffff \
                 0000000000000c00 0000000000000024";
    assert_eq!(head[28..76], hex(state));
    assert_eq!(head[0x7c..0x94], hex("0000000000000400 0000000000000800 ffffffffffffffff"));
    assert_eq!(head[0xc8..0xd0], hex("00000001 00000000"));
    let base = "0000000000000400 0000000000000000 0000000000000000 0000000000000000 0000000000000000 \
                00000000 0000000c 0000000c 0000000c 0000000c 00000014 00000004 00000000 06 05 02 00 \
                0000 0000 0400 0010 0000 00 00000000000000000000000000";
    assert_eq!(head[0xd0..0x134], hex(base));
    let keys = "01 01 0001 0400 000a 000a 000a 04 3f 00 00 00 00 0040 0004 00000001 00000000 \
                01 01 0000 0400 0008 0008 0008 03 3f 00 00 00 00 0040 0002 0000000a 00000000 \
                0000 0001 00 0000 0000 0004 00 0000 0000 0005 02 0000 0000 0002 00 0000";
    assert_eq!(head[0x134..0x18c], hex(keys));
    assert!(head[0x18c..0x400].iter().all(|&b| b == 0));
}

#[test]
fn dynamic_rows_with_checksum() {
    let mut def = table();
    let mut id = column("id", ColumnType::Long, false);
    id.auto_increment = true;
    def.columns.push(id);
    def.columns.push(column("v", ColumnType::Varchar { bytes: 300 }, true));
    def.columns.push(column("t", ColumnType::Blob { length_bytes: 2 }, true));
    def.columns.push(column("n", ColumnType::Long, false));
    def.columns.push(column("c", ColumnType::Char { bytes: 10 }, true));
    def.keys.push(key(KeyKind::Primary, &[0], None));
    def.options.checksum = true;
    let mut t = Table::new(&def);
    let base = &t.format.header.base;
    assert_eq!((base.reclength, base.pack_reclength, base.min_pack_length), (331, 333, 5));
    assert_eq!((base.max_pack_length, t.format.header.options), (0x10154, 0x0421));
    t.insert(&[Some(&[1, 0, 0, 0]), Some(b"abc"), Some(b"Hello, world"), Some(&[7, 0, 0, 0]), Some(b"xy")]);
    t.insert(&[Some(&[2, 0, 0, 0]), None, None, Some(&[0; 4]), None]);
    t.insert(&[Some(&[3, 0, 0, 0]), Some(b""), Some(b""), Some(&[2, 1, 0, 0]), Some(b"0123456789")]);
    let expected = "03 0020 00 08 f8 01000000 03 616263 0c00 48656c6c6f2c20776f726c64 07000000 02 7879 70 \
                    03 0009 07 0e ff 02000000 00 00 98 00000000000000 \
                    03 0016 02 02 f8 03000000 00 02010000 30313233343536373839 76 0000";
    assert_eq!(t.data(), hex(expected));
    assert_eq!(t.state().checksum(), 0x7b5e_c67e);
    assert_eq!(t.state().auto_increment(), 3);
}

#[test]
fn packed_keys() {
    let mut def = table();
    def.columns.push(column("a", ColumnType::Varchar { bytes: 20 }, false));
    def.columns.push(column("b", ColumnType::Char { bytes: 20 }, false));
    def.keys.push(key(KeyKind::Plain, &[0], None));
    def.keys.push(key(KeyKind::Plain, &[1], None));
    def.options.pack_keys = Some(true);
    let mut t = Table::new(&def);
    let rows: [(&[u8], &[u8]); 5] = [
        (b"apple", b"zebra"),
        (b"apple pie", b"zebra"),
        (b"applet", b"zeb"),
        (b"banana", b"apple"),
        (b"apple", b"zebra fish"),
    ];
    for (a, b) in rows {
        t.insert(&[Some(a), Some(b)]);
    }
    assert_eq!(
        t.page(0x400),
        hex("003d 00 05 6170706c65 000000000000 0b 50 00 09 6170706c6520706965 000000000014 \
             00 06 6170706c6574 000000000028 01 62616e616e61 00000000003c")
    );
    assert_eq!(
        t.page(0x800),
        hex("0036 05 6170706c65 00000000003c 03 7a6562 000000000028 83 02 7261 000000000000 \
             80 000000000014 85 05 2066697368 000000000050")
    );
}

#[test]
fn nulls_in_a_unique_key() {
    let mut def = table();
    def.columns.push(column("a", ColumnType::Long, true));
    def.columns.push(column("b", ColumnType::Varchar { bytes: 10 }, true));
    def.keys.push(key(KeyKind::Unique, &[0, 1], None));
    def.options.pack_keys = Some(false);
    let mut t = Table::new(&def);
    let five: &[u8] = &[5, 0, 0, 0];
    let minus: &[u8] = &[255; 4];
    let rows: [[Option<&[u8]>; 2]; 7] = [
        [Some(five), Some(b"x")],
        [None, Some(b"x")],
        [None, Some(b"x")],
        [Some(five), None],
        [Some(five), None],
        [Some(five), Some(b"")],
        [Some(minus), Some(b"y")],
    ];
    for row in &rows {
        t.insert(row);
    }
    assert_eq!(
        t.page(0x400),
        hex("0057 00 01 01 78 000000000014 00 01 01 78 000000000028 01 ffffffff 01 01 79 000000000078 \
             01 00000005 00 00000000003c 01 00000005 00 000000000050 01 00000005 01 00 000000000064 \
             01 00000005 01 01 78 000000000000")
    );
    assert!(t.writer.insert(&buf(&t.format, &rows[0]).as_view()).is_err());
}

#[test]
fn deleted_fixed_rows_are_used_again() {
    let mut def = table();
    def.columns.push(column("id", ColumnType::Long, false));
    def.columns.push(column("v", ColumnType::Char { bytes: 6 }, false));
    let mut t = Table::new(&def);
    let rows: [[Option<&[u8]>; 2]; 4] = [
        [Some(&[1, 0, 0, 0]), Some(b"eins")],
        [Some(&[2, 0, 0, 0]), Some(b"two")],
        [Some(&[3, 0, 0, 0]), Some(b"three")],
        [Some(&[4, 0, 0, 0]), Some(b"four")],
    ];
    for row in &rows {
        t.insert(row);
    }
    t.delete(1, &rows[1]);
    t.delete(3, &rows[3]);
    t.delete(0, &rows[0]);
    t.insert(&[Some(&[9, 0, 0, 0]), Some(b"nine")]);
    assert_eq!(
        t.data(),
        hex(
            "ff 09000000 6e696e652020 00 ffffffffffff 6f202020 ff 03000000 746872656520 00 000000000001 75722020"
        )
    );
    let s = t.state();
    assert_eq!((s.records(), s.del(), s.split(), s.dellink(), s.empty()), (2, 2, 4, 0x21, 22));
}

#[test]
fn deleted_blocks_are_used_joined_and_cut() {
    let mut def = table();
    def.columns.push(column("id", ColumnType::Long, false));
    def.columns.push(column("v", ColumnType::Varchar { bytes: 60 }, true));
    def.keys.push(key(KeyKind::Plain, &[0], None));
    let mut t = Table::new(&def);
    let id = |n: u8| [n, 0, 0, 0];
    let ids: Vec<[u8; 4]> = (0..8).map(id).collect();
    let values: Vec<Vec<u8>> = [3, 50, 5, 30, 4].iter().zip(b'a'..).map(|(&n, c)| vec![c; n]).collect();
    let mut at = Vec::new();
    for i in 0..5 {
        at.push(t.insert(&[Some(&ids[i + 1]), Some(&values[i])]).0);
    }
    for i in [1, 3, 2] {
        t.delete(at[i], &[Some(&ids[i + 1]), Some(&values[i])]);
    }
    assert_eq!(t.insert(&[Some(&ids[6]), Some(b"six")]).0, 0x50);
    assert_eq!(t.insert(&[Some(&ids[7]), Some(&[b'g'; 60])]).0, 0x6c);
    t.update(at[0], &[Some(&ids[1]), Some(&values[0])], &[Some(&ids[1]), Some(&[b'F'; 40])]);
    t.delete(at[4], &[Some(&ids[5]), Some(&values[4])]);
    let d = t.data();
    assert_eq!(d.len(), 0xcc);
    assert_eq!(d[..0x14], hex("05 002f 0007 00000000000000a0 00 fe 01000000 28"));
    assert_eq!(d[0x14..0x18], hex("09 0030 08"));
    assert!(d[0x18..0x48].iter().all(|&b| b == b'g') && d[0x48..0x50].iter().all(|&b| b == 0));
    assert_eq!(d[0x50..0x6c], hex("03 000a 0e 00 fe 06000000 03 736978 0000000000000000000000000000"));
    assert_eq!(d[0x6c..0x80], hex("05 0043 0013 0000000000000014 00 fe 07000000 3c"));
    assert_eq!(d[0x8c..0xa0], hex("00 000014 ffffffffffffffff ffffffffffffffff"));
    assert_eq!(d[0xa0..0xa4], hex("09 0028 00"));
    let s = t.state();
    assert_eq!((s.records(), s.del(), s.split(), s.dellink(), s.empty()), (3, 1, 6, 0x8c, 20));
    assert_eq!(t.page(0x400), hex("0020 00000001 000000000000 00000006 000000000050 00000007 00000000006c"));
}
