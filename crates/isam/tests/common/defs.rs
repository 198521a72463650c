//! Definitions made in code, for tests that need no server.

use std::sync::Arc;

use charset::Collation;
use isam::myi::Header;
use isam::plain::PlainPages;
use isam::{CreateSettings, TableFormat};
use schema::definition::{ColumnDef, ColumnType, KeyAlgorithm, KeyDef, KeyKind, KeyPart, TableDef};

pub fn collation(name: &str) -> &'static Collation {
    Collation::by_name(name).unwrap_or_else(|| panic!("{name}"))
}

/// A table of latin1.
pub fn table() -> TableDef {
    TableDef::new("MyISAM", collation("latin1_swedish_ci"))
}

/// A column of latin1.
pub fn column(name: &str, ty: ColumnType, nullable: bool) -> ColumnDef {
    let mut c = ColumnDef::new(name, ty, collation("latin1_swedish_ci"));
    c.nullable = nullable;
    c
}

/// A key over whole columns, or over prefixes of so many bytes.
pub fn key(kind: KeyKind, columns: &[usize], prefix: Option<u16>) -> KeyDef {
    KeyDef {
        name: if kind == KeyKind::Primary { "PRIMARY".into() } else { format!("k{columns:?}") },
        kind,
        parts: columns.iter().map(|&column| KeyPart { column, prefix, descending: false }).collect(),
        algorithm: KeyAlgorithm::Default,
        block_size: 0,
        comment: String::new(),
        parser: None,
        ignored: false,
        generated: false,
        engine_options: Vec::new(),
    }
}

/// Empty files for a definition.
pub fn empty(def: &TableDef) -> (Arc<TableFormat>, PlainPages) {
    let header = Header::for_definition(def, &def.layout(), CreateSettings::default()).unwrap();
    let bytes = header.write_new(1, 0);
    assert_eq!(Header::parse(&bytes).unwrap(), header, "what was written is read");
    let format = TableFormat::new(def, header).unwrap();
    let pages = PlainPages::new(bytes, Vec::new(), format.offsets.len()).with_pages(4096);
    (Arc::new(format), pages)
}
