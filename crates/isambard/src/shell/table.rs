//! Result sets as the mariadb client prints them: aligned, vertical, tab-separated.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use server::value;
use sql::SqlError;
use sql::number;
use sql::result::{ColumnMeta, DateTime, Done, ResultSchema, ResultSink, Time, flag, wire};

/// How rows are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// In a box.
    Aligned,
    /// One column per line.
    Vertical,
    /// Tab-separated.
    Tabs,
}

/// A result set as text.
#[derive(Debug, Default)]
pub struct TextResult {
    /// Its columns; none for a statement without rows.
    pub columns: Vec<ColumnMeta>,
    text: Vec<u8>,
    /// Where each cell ends in `text`, and whether it is NULL.
    cells: Vec<(usize, bool)>,
    /// How it ended.
    pub done: Done,
}

impl TextResult {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len().checked_div(self.columns.len()).unwrap_or(0)
    }

    /// A cell's text, or nothing for NULL.
    pub fn cell(&self, row: usize, column: usize) -> Option<&[u8]> {
        let index = row * self.columns.len() + column;
        let (end, null) = self.cells[index];
        let start = if index == 0 { 0 } else { self.cells[index - 1].0 };
        (!null).then(|| &self.text[start..end])
    }
}

/// The sink of the shell: keeps every result set of a statement.
#[derive(Debug, Default)]
pub struct TextSink {
    /// Finished result sets.
    pub results: Vec<TextResult>,
    current: TextResult,
    column: usize,
    /// Rows so far, for whoever shows progress.
    pub count: Arc<AtomicU64>,
}

impl TextSink {
    fn cell(&mut self, put: impl FnOnce(&mut Vec<u8>)) {
        let start = self.current.text.len();
        put(&mut self.current.text);
        self.zerofill(start);
        self.current.cells.push((self.current.text.len(), false));
        self.column += 1;
    }

    /// Numbers of ZEROFILL columns are as wide as their display width.
    fn zerofill(&mut self, start: usize) {
        let Some(meta) = self.current.columns.get(self.column) else { return };
        if meta.flags & flag::ZEROFILL != 0 {
            let missing = (meta.length as usize).min(255).saturating_sub(self.current.text.len() - start);
            self.current.text.splice(start..start, std::iter::repeat_n(b'0', missing));
        }
    }
}

impl ResultSink for TextSink {
    fn start(&mut self, schema: &Arc<ResultSchema>) -> Result<(), SqlError> {
        self.current = TextResult { columns: schema.columns.clone(), ..TextResult::default() };
        Ok(())
    }

    fn begin_row(&mut self) {
        self.column = 0;
    }

    fn end_row(&mut self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn put_null(&mut self) {
        self.current.cells.push((self.current.text.len(), true));
        self.column += 1;
    }

    fn put_int(&mut self, v: i64) {
        self.cell(|out| number::put_int(out, v));
    }

    fn put_uint(&mut self, v: u64) {
        self.cell(|out| number::put_uint(out, v));
    }

    fn put_double(&mut self, v: f64, decimals: u8) {
        self.cell(|out| number::put_double(out, v, decimals));
    }

    fn put_float(&mut self, v: f32, decimals: u8) {
        self.cell(|out| number::put_float(out, v, decimals));
    }

    fn put_bytes(&mut self, v: &[u8]) {
        self.current.text.extend_from_slice(v);
        self.current.cells.push((self.current.text.len(), false));
        self.column += 1;
    }

    fn put_date(&mut self, year: u16, month: u8, day: u8) {
        self.cell(|out| value::put_date(out, &DateTime { year, month, day, ..DateTime::default() }));
    }

    fn put_time(&mut self, t: Time, dec: u8) {
        self.cell(|out| value::put_time(out, &t, dec));
    }

    fn put_datetime(&mut self, d: DateTime, dec: u8) {
        self.cell(|out| value::put_datetime(out, &d, dec));
    }

    fn wants_flush(&self) -> bool {
        false
    }

    fn flush(&mut self) -> Result<(), SqlError> {
        Ok(())
    }

    fn finish(&mut self, done: &Done) -> Result<(), SqlError> {
        let mut result = std::mem::take(&mut self.current);
        if !done.had_rows {
            result = TextResult::default();
        }
        result.done = done.clone();
        self.results.push(result);
        Ok(())
    }

    fn local_infile(&mut self, name: &str) -> Result<Box<dyn Read + '_>, SqlError> {
        match std::fs::File::open(name) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or(2);
                Err(SqlError::new(sql::error::ER_FILE_NOT_FOUND, &[&name, &errno]))
            }
        }
    }
}

/// Prints the rows.
///
/// # Errors
/// Those of writing.
pub fn print(
    out: &mut dyn Write,
    result: &TextResult,
    style: Style,
    headings: bool,
    raw: bool,
) -> io::Result<()> {
    match style {
        Style::Aligned if result.rows() > 0 => print_aligned(out, result, headings),
        Style::Vertical => print_vertical(out, result),
        Style::Tabs if result.rows() > 0 => print_tabs(out, result, headings, raw),
        _ => Ok(()),
    }
}

/// Columns on the screen: characters, those of East Asian scripts and emoji two.
fn width(text: &[u8]) -> usize {
    String::from_utf8_lossy(text)
        .chars()
        .map(|c| match c as u32 {
            0x0300..=0x036f | 0x200b..=0x200f => 0,
            0x1100..=0x115f
            | 0x2e80..=0xa4cf
            | 0xac00..=0xd7a3
            | 0xf900..=0xfaff
            | 0xfe30..=0xfe6f
            | 0xff00..=0xff60
            | 0xffe0..=0xffe6
            | 0x1f300..=0x1f64f
            | 0x1f900..=0x1f9ff
            | 0x20000..=0x3fffd => 2,
            _ => 1,
        })
        .sum()
}

fn is_number(meta: &ColumnMeta) -> bool {
    match meta.ty {
        wire::TIMESTAMP => false,
        0..=wire::INT24 | wire::YEAR | wire::NEWDECIMAL => true,
        _ => false,
    }
}

fn print_aligned(out: &mut dyn Write, result: &TextResult, headings: bool) -> io::Result<()> {
    let columns = &result.columns;
    let rows = result.rows();
    let mut widths: Vec<usize> = columns
        .iter()
        .map(|c| {
            let name = if headings { width(c.name.as_bytes()) } else { 0 };
            // Room for NULL.
            if c.flags & flag::NOT_NULL == 0 { name.max(4) } else { name }
        })
        .collect();
    for row in 0..rows {
        for (column, widest) in widths.iter_mut().enumerate() {
            *widest = (*widest).max(result.cell(row, column).map_or(4, width));
        }
    }
    let rule: String = std::iter::once("+".to_owned())
        .chain(widths.iter().map(|&w| format!("{}+", "-".repeat(w + 2))))
        .collect();
    writeln!(out, "{rule}")?;
    if headings {
        for (column, &wide) in columns.iter().zip(&widths) {
            pad(out, column.name.as_bytes(), wide, false)?;
        }
        writeln!(out, "|")?;
        writeln!(out, "{rule}")?;
    }
    for row in 0..rows {
        for (column, (meta, &wide)) in columns.iter().zip(&widths).enumerate() {
            let cell = result.cell(row, column);
            pad(out, cell.unwrap_or(b"NULL"), wide, is_number(meta))?;
        }
        writeln!(out, "|")?;
    }
    writeln!(out, "{rule}")
}

fn pad(out: &mut dyn Write, text: &[u8], wide: usize, right: bool) -> io::Result<()> {
    let missing = wide.saturating_sub(width(text));
    out.write_all(b"| ")?;
    if right {
        write!(out, "{:missing$}", "")?;
    }
    // A terminal would stop at NUL bytes.
    for &b in text {
        out.write_all(&[if b == 0 { b' ' } else { b }])?;
    }
    if !right {
        write!(out, "{:missing$}", "")?;
    }
    out.write_all(b" ")
}

fn print_vertical(out: &mut dyn Write, result: &TextResult) -> io::Result<()> {
    let wide = result.columns.iter().map(|c| width(c.name.as_bytes())).max().unwrap_or(0);
    for row in 0..result.rows() {
        let stars = "*".repeat(27);
        writeln!(out, "{stars} {}. row {stars}", row + 1)?;
        for (column, meta) in result.columns.iter().enumerate() {
            let missing = wide - width(meta.name.as_bytes());
            write!(out, "{:missing$}{}: ", "", meta.name)?;
            out.write_all(result.cell(row, column).unwrap_or(b"NULL"))?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn print_tabs(out: &mut dyn Write, result: &TextResult, headings: bool, raw: bool) -> io::Result<()> {
    if headings {
        let names: Vec<&str> = result.columns.iter().map(|c| c.name.as_str()).collect();
        writeln!(out, "{}", names.join("\t"))?;
    }
    let mut line = Vec::new();
    for row in 0..result.rows() {
        line.clear();
        for column in 0..result.columns.len() {
            if column > 0 {
                line.push(b'\t');
            }
            match result.cell(row, column) {
                None => line.extend_from_slice(b"NULL"),
                Some(text) if raw => line.extend_from_slice(text),
                Some(text) => {
                    for &b in text {
                        match b {
                            b'\n' => line.extend_from_slice(b"\\n"),
                            b'\t' => line.extend_from_slice(b"\\t"),
                            0 => line.extend_from_slice(b"\\0"),
                            b'\\' => line.extend_from_slice(b"\\\\"),
                            _ => line.push(b),
                        }
                    }
                }
            }
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TextResult {
        let column =
            |name: &str, ty, flags| ColumnMeta { name: name.into(), ty, flags, ..ColumnMeta::default() };
        let columns = vec![column("id", wire::LONG, flag::NOT_NULL), column("größe", wire::VAR_STRING, 0)];
        let schema = ResultSchema::new(columns, None);
        let mut sink = TextSink::default();
        sink.start(&Arc::new(schema)).expect("start");
        sink.begin_row();
        sink.put_int(1);
        sink.put_bytes("日\t本".as_bytes());
        sink.end_row();
        sink.begin_row();
        sink.put_int(20);
        sink.put_null();
        sink.end_row();
        sink.finish(&Done { had_rows: true, ..Done::default() }).expect("finish");
        sink.results.remove(0)
    }

    fn printed(style: Style) -> String {
        let mut out = Vec::new();
        print(&mut out, &sample(), style, true, false).expect("print");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn three_styles() {
        let aligned = [
            "+----+-------+",
            "| id | größe |",
            "+----+-------+",
            "|  1 | 日\t本 |",
            "| 20 | NULL  |",
            "+----+-------+",
        ];
        assert_eq!(printed(Style::Aligned).lines().collect::<Vec<_>>(), aligned);
        assert_eq!(printed(Style::Tabs), "id\tgröße\n1\t日\\t本\n20\tNULL\n");
        assert_eq!(
            printed(Style::Vertical),
            format!(
                "{s} 1. row {s}\n   id: 1\ngröße: 日\t本\n{s} 2. row {s}\n   id: 20\ngröße: NULL\n",
                s = "*".repeat(27)
            )
        );
    }
}
