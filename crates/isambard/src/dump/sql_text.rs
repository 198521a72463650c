//! CREATE TABLE and INSERT statements, which load the same rows into an empty database.

use std::io::{self, Write};

use isambard::ValueRef;
use schema::show_create::{ShowOptions, show_create};

use super::Writer;
use super::source::Prepared;
use super::value::{Column, Kind, put_hex, put_text};

/// Bytes of an INSERT statement, about.
const STATEMENT: usize = 1 << 20;

pub struct SqlText<W> {
    out: W,
    create: bool,
    insert: Vec<u8>,
    line: Vec<u8>,
    table: String,
}

impl<W: Write> SqlText<W> {
    /// `create`: with CREATE TABLE.
    pub fn new(out: W, create: bool) -> SqlText<W> {
        SqlText { out, create, insert: Vec::new(), line: Vec::new(), table: String::new() }
    }

    fn send(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.line.extend_from_slice(b";\n");
            self.out.write_all(&self.line)?;
            self.line.clear();
        }
        Ok(())
    }
}

/// A text as a literal, whatever sql_mode says of backslashes: the session's is set.
fn quote(line: &mut Vec<u8>, text: &[u8]) {
    line.push(b'\'');
    for b in text {
        match b {
            b'\'' => line.extend_from_slice(b"''"),
            b'\\' => line.extend_from_slice(b"\\\\"),
            0 => line.extend_from_slice(b"\\0"),
            b'\n' => line.extend_from_slice(b"\\n"),
            b'\r' => line.extend_from_slice(b"\\r"),
            0x1A => line.extend_from_slice(b"\\Z"),
            b => line.push(*b),
        }
    }
    line.push(b'\'');
}

impl<W: Write> Writer for SqlText<W> {
    fn begin(&mut self, table: &Prepared, columns: &[Column]) -> io::Result<()> {
        self.table = format!("`{}`", table.name.replace('`', "``"));
        writeln!(
            self.out,
            "SET NAMES utf8mb4;\nSET SESSION time_zone = '+00:00', sql_mode = 'NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0, \
             unique_checks = 0, check_constraint_checks = 0;"
        )?;
        if self.create {
            let options = ShowOptions { auto_increment: table.auto_increment, ..ShowOptions::default() };
            self.out.write_all(&show_create(&table.def, &table.name, &options))?;
            self.out.write_all(b";\n")?;
        }
        let names: Vec<String> = columns.iter().map(Column::quoted).collect();
        self.insert = format!("INSERT INTO {} ({}) VALUES\n", self.table, names.join(", ")).into_bytes();
        writeln!(self.out, "ALTER TABLE {} DISABLE KEYS;", self.table)
    }

    fn row(&mut self, columns: &[Column], values: &[ValueRef<'_>]) -> io::Result<()> {
        match self.line.is_empty() {
            true => self.line.extend_from_slice(&self.insert),
            false => self.line.extend_from_slice(b",\n"),
        }
        let mut text = Vec::new();
        for (n, (column, value)) in columns.iter().zip(values).enumerate() {
            self.line.push(if n == 0 { b'(' } else { b',' });
            text.clear();
            match (column.kind, value) {
                (_, ValueRef::Null) => self.line.extend_from_slice(b"NULL"),
                (Kind::Binary, ValueRef::Bytes(bytes)) if !bytes.is_empty() => {
                    self.line.extend_from_slice(b"0x");
                    put_hex(&mut self.line, bytes);
                }
                _ => {
                    put_text(&mut text, column, *value);
                    match column.is_number() {
                        true => self.line.extend_from_slice(&text),
                        false => quote(&mut self.line, &text),
                    }
                }
            }
        }
        self.line.push(b')');
        if self.line.len() > STATEMENT { self.send() } else { Ok(()) }
    }

    fn end(&mut self) -> io::Result<u64> {
        self.send()?;
        writeln!(self.out, "ALTER TABLE {} ENABLE KEYS;", self.table)?;
        self.out.flush().map(|()| 0)
    }
}
