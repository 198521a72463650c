//! Both files as a picture: a cell for so many bytes, coloured by what lies there.

use std::fmt::Write as _;

use schema::definition::TableDef;

use super::shape::{DataCell, DataShape, IndexCell, IndexShape};

/// Cells of a line.
const COLUMNS: usize = 80;
/// Pixels of a cell.
const CELL: usize = 10;
const MARGIN: usize = 20;
const WIDTH: usize = COLUMNS * CELL + 2 * MARGIN;

const FREE: &str = "#d9d9d9";
const DAMAGED: &str = "#d01c1c";
const NOTHING: &str = "#ffffff";
const ROWS: (f64, f64) = (212.0, 60.0);
const PARTS: (f64, f64) = (32.0, 85.0);

/// The colour of a key: hues far apart, light where blocks are empty.
fn shade((hue, saturation): (f64, f64), full: f64) -> String {
    format!("hsl({hue:.0},{saturation:.0}%,{:.0}%)", 90.0 - 50.0 * full.clamp(0.0, 1.0))
}

fn of_key(key: usize) -> (f64, f64) {
    ((key as f64 * 137.5 + 140.0) % 360.0, 55.0)
}

fn index_colour(cell: &IndexCell) -> String {
    match cell.key {
        Some(key) => shade(of_key(key), cell.used as f64 / cell.bytes.max(1) as f64),
        None if cell.bytes > 0 => FREE.into(),
        None => NOTHING.into(),
    }
}

fn data_colour(cell: &DataCell) -> String {
    let all = cell.rows + cell.parts + cell.free + cell.damaged;
    if cell.damaged > 0 {
        return DAMAGED.into();
    }
    if all == 0 {
        return NOTHING.into();
    }
    if cell.free == all {
        return FREE.into();
    }
    let kind = if cell.parts > cell.rows { PARTS } else { ROWS };
    shade(kind, (cell.rows + cell.parts) as f64 / all as f64)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Draws cells from `top` on; gives where it ends.
fn cells(out: &mut String, top: usize, colours: impl Iterator<Item = String>) -> usize {
    let mut last = 0;
    for (n, colour) in colours.enumerate() {
        let (x, y) = (MARGIN + n % COLUMNS * CELL, top + n / COLUMNS * CELL);
        let size = CELL - 1;
        let _ =
            writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" fill=\"{colour}\"/>");
        last = n / COLUMNS + 1;
    }
    top + last * CELL
}

fn text(out: &mut String, (x, y): (usize, usize), class: &str, text: &str) {
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>", escaped(text));
}

/// A list of colours and what they mean; gives where it ends.
fn legend(out: &mut String, top: usize, entries: &[(String, String)]) -> usize {
    let (mut x, mut y) = (MARGIN, top + 14);
    for (colour, meaning) in entries {
        let width = 26 + meaning.chars().count() * 7;
        if x + width > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + 18);
        }
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{}\" width=\"9\" height=\"9\" fill=\"{colour}\" stroke=\"#999\" stroke-width=\"0.5\"/>",
            y - 9
        );
        text(out, (x + 14, y), "small", meaning);
        x += width;
    }
    y + 8
}

/// The picture.
pub fn map(name: &str, def: &TableDef, index: &IndexShape, data: &DataShape) -> String {
    let mut out = String::new();
    let title = |out: &mut String, top: usize, what: &str, each: u64| {
        text(out, (MARGIN, top + 24), "title", what);
        text(out, (WIDTH - MARGIN - 190, top + 24), "small", &format!("a cell: {each} bytes"));
        top + 34
    };
    let mut y = title(&mut out, 0, &format!("{name}.MYI"), index.each);
    y = cells(&mut out, y, index.cells.iter().map(index_colour));
    let mut entries: Vec<(String, String)> =
        def.keys.iter().enumerate().map(|(n, key)| (shade(of_key(n), 0.9), key.name.clone())).collect();
    entries.push((FREE.into(), "free".into()));
    entries.push((NOTHING.into(), "head, or in no tree".into()));
    y = legend(&mut out, y, &entries);
    y = title(&mut out, y + 6, &format!("{name}.MYD"), data.each);
    y = cells(&mut out, y, data.cells.iter().map(data_colour));
    let entries = [
        (shade(ROWS, 1.0), "rows".into()),
        (shade(PARTS, 1.0), "parts of rows".into()),
        (FREE.into(), "free".into()),
        (DAMAGED.into(), "no row".into()),
    ];
    y = legend(&mut out, y, &entries) + 10;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{y}\" viewBox=\"0 0 {WIDTH} {y}\">\n\
         <style>text{{font-family:sans-serif;fill:#222}}.title{{font-size:15px;font-weight:bold}}.small{{font-size:11px}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fafafa\"/>\n{out}</svg>\n"
    )
}
