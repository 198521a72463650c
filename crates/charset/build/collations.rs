//! The tables of character sets and collations: `CHARSETS`, `COLLATIONS` and their indexes.

use crate::source::{emit, fields, text};
use crate::uca::tailoring_index;
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
        "binary" => "Encoding::Binary".into(),
        "utf8mb3" => "Encoding::Utf8mb3".into(),
        "utf8mb4" => "Encoding::Utf8mb4".into(),
        "ucs2" => "Encoding::Ucs2".into(),
        "utf16" => "Encoding::Utf16".into(),
        "utf16le" => "Encoding::Utf16le".into(),
        "utf32" => "Encoding::Utf32".into(),
        "big5" | "gbk" | "gb2312" | "sjis" | "cp932" | "ujis" | "eucjpms" | "euckr" => {
            format!("Encoding::Cjk(&SET_{})", charset.to_uppercase())
        }
        _ => format!("Encoding::Byte(&SET_{})", charset.to_uppercase()),
    }
}

fn rules(row: &Row) -> String {
    let uca = |levels: &str| {
        let index = tailoring_index(row.family, row.tailoring);
        format!(
            "Rules::Uca {{ tailoring: {index}, levels: {levels}, turkish: {} }}",
            row.tailoring == "turkish"
        )
    };
    match row.family {
        "bytes" => "Rules::Binary".into(),
        "byte_bin" => "Rules::ByteBin".into(),
        "byte_table" => format!("Rules::Table(WEIGHTS_{})", row.name.to_uppercase()),
        "latin1_german2_ci" => "Rules::German2".into(),
        "cp1250_czech_cs" => "Rules::Cp1250Czech".into(),
        "latin2_czech_cs" => "Rules::Latin2Czech".into(),
        "tis620_thai_ci" => "Rules::Thai".into(),
        "codepoint" => "Rules::CodePoint".into(),
        "general_ci" => "Rules::General { mysql500: false }".into(),
        "general_mysql500_ci" => "Rules::General { mysql500: true }".into(),
        "uca400" | "uca520" | "uca1400_ai_ci" => uca("Levels::FIRST"),
        "uca520_2level" | "uca1400_as_ci" => uca("Levels::FIRST_SECOND"),
        "uca1400_ai_cs" => uca("Levels::FIRST_THIRD"),
        "uca1400_as_cs" => uca("Levels::ALL"),
        "cjk_bin" => "Rules::CjkBin".into(),
        "cjk_ci" => "Rules::Cjk".into(),
        other => panic!("family {other}"),
    }
}
