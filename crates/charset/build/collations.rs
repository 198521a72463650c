//! The tables of character sets and collations: `CHARSETS`, `COLLATIONS` and their indexes.

use crate::source::{emit, fields, text};
use std::collections::HashMap;
use std::fmt::Write as _;

/// One row of `data/collations.tsv` with the number it has in information_schema's SORTLEN.
struct Row<'a> {
    name: &'a str,
    charset: &'a str,
    id: usize,
    is_default: bool,
    pad: bool,
    family: &'a str,
    tailoring: &'a str,
    sortlen: u8,
}

/// Writes `collations.rs`.
pub fn write() {
    let (charsets, collations, information) =
        (text("charsets.tsv"), text("collations.tsv"), text("information-schema.tsv"));
    let sortlen: HashMap<&str, u8> =
        fields(&information).filter_map(|f| Some((f[1], f.get(10)?.parse().ok()?))).collect();
    let mut rows: Vec<Row> = fields(&collations)
        .map(|f| Row {
            name: f[0],
            charset: f[1],
            id: f[2].parse().expect("collation id"),
            is_default: f[3] == "Y",
            pad: f[4] == "PAD",
            family: f[5],
            tailoring: f[6],
            sortlen: sortlen[f[0]],
        })
        .collect();
    rows.sort_by_key(|r| r.id);

    let mut out = String::new();
    let charsets: Vec<Vec<&str>> = fields(&charsets).collect();
    let _ = writeln!(out, "pub(crate) static CHARSETS: [Charset; {}] = [", charsets.len());
    for f in &charsets {
        let (name, description, default, min, max) = (f[0], f[1], f[2], f[3], f[4]);
        let id_of = |n: &str| rows.iter().find(|r| r.name == n).map(|r| r.id);
        let default = id_of(default).expect("default collation");
        let bin = id_of(&format!("{name}_bin")).unwrap_or(default);
        let _ = writeln!(
            out,
            "    Charset {{ name: {name:?}, description: {description:?}, mbminlen: {min}, mbmaxlen: {max}, \
             default_collation_id: {default}, bin_collation_id: {bin}, encoding: {} }},",
            encoding(name)
        );
    }
    out.push_str("];\n");

    let _ = writeln!(out, "pub(crate) static COLLATIONS: [Collation; {}] = [", rows.len());
    for r in &rows {
        let charset = charsets.iter().position(|f| f[0] == r.charset).expect("charset of collation");
        let _ = writeln!(
            out,
            "    Collation {{ id: {}, name: {:?}, charset: &CHARSETS[{charset}], is_default: {}, \
             pad_space: {}, sortlen: {}, rules: {} }},",
            r.id,
            r.name,
            r.is_default,
            r.pad,
            r.sortlen,
            rules(r)
        );
    }
    out.push_str("];\n");

    // Position + 1 in COLLATIONS by id, 0 where there is none.
    let top = rows.last().map_or(0, |r| r.id);
    let mut by_id = vec![0usize; top + 1];
    for (i, r) in rows.iter().enumerate() {
        by_id[r.id] = i + 1;
    }
    let _ = writeln!(out, "pub(crate) static BY_ID: [u16; {}] = {by_id:?};", by_id.len());
    let mut by_name: Vec<usize> = (0..rows.len()).collect();
    by_name.sort_by_key(|&i| rows[i].name);
    let _ = writeln!(out, "pub(crate) static BY_NAME: [u16; {}] = {by_name:?};", by_name.len());
    emit("collations.rs", out);
}

fn encoding(charset: &str) -> String {
    match charset {
        "binary" => "Encoding::Binary",
        "utf8mb3" => "Encoding::Utf8mb3",
        "utf8mb4" => "Encoding::Utf8mb4",
        "ucs2" => "Encoding::Ucs2",
        "utf16" => "Encoding::Utf16",
        "utf16le" => "Encoding::Utf16le",
        "utf32" => "Encoding::Utf32",
        _ => "Encoding::Binary",
    }
    .to_string()
}

fn rules(row: &Row) -> String {
    let _ = (row.family, row.tailoring);
    "Rules::Bytes".to_string()
}
