//! The rows of a JSON_TABLE, made as they are asked for: a walk for each level of the table, each within the value that the one around
//! it stands at. What is kept is the document and the ways of the walks.

use crate::error::{SqlError, SqlResult, codes};
use crate::expr::EvalContext;
use crate::func::json;
use crate::func::json::rows::{self, Matches, Met, Scalar, Step, fault};
use crate::memory::BATCH_BYTES;
use crate::plan::json_table::{ColumnKind, JsonTable, Level, LevelColumn, Response};
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{Batch, Derivation, FieldType, Kind, Value, ValueRef, load};
use charset::Collation;

/// A table's rows.
pub struct JsonRows<'p> {
    table: &'p JsonTable,
    root: Walk<'p>,
    text: Vec<u8>,
    /// Rows of the document so far, for warnings.
    row: u64,
    /// The types of texts in documents and of what counts and truth values are.
    texts: FieldType,
    integers: FieldType,
    stored: Vec<u8>,
}

/// A level of a table and where it stands.
struct Walk<'p> {
    path: Vec<Step<'p>>,
    columns: Vec<Cell<'p>>,
    nested: Vec<Walk<'p>>,
    matches: Matches,
    /// The value of its path that the row is of; none where another level gives the row.
    at: Option<usize>,
    /// Values of its path so far.
    ordinal: i64,
    /// The nested level whose rows come, and whether `at` had a row.
    turn: usize,
    given: bool,
}

/// A column with its path read.
struct Cell<'p> {
    of: &'p LevelColumn,
    /// Where its value goes, if it is read.
    slot: Option<usize>,
    path: Vec<Step<'p>>,
    several: bool,
    matches: Matches,
}

/// What comes of asking for a row.
enum Next {
    Row,
    /// Ask again.
    Nothing,
    End,
}

impl<'p> JsonRows<'p> {
    /// Of no document yet. `columns` are those that are read, by number, with their slots.
    ///
    /// # Errors
    /// Those of paths.
    pub fn new(table: &'p JsonTable, columns: &[(usize, usize, FieldType)]) -> SqlResult<JsonRows<'p>> {
        let collation = Collation::by_name("utf8mb4_bin").unwrap_or_else(charset::system);
        Ok(JsonRows {
            table,
            root: Walk::new(&table.root, columns)?,
            text: Vec::new(),
            row: 0,
            integers: FieldType::bigint(false),
            texts: FieldType::string(u64::from(u32::MAX / 4), collation, Derivation::Implicit),
            stored: Vec::new(),
        })
    }

    /// Begins with this document; false for NULL, which has no rows.
    pub fn begin(&mut self, document: ValueRef<'_>, ty: &FieldType) -> bool {
        self.text.clear();
        match document {
            ValueRef::Null => return false,
            ValueRef::Bytes(bytes) => {
                self.text.extend_from_slice(&json::utf8_of(bytes, ty.collation.charset));
            }
            other => crate::types::convert::write_text(other, ty, &mut self.text),
        }
        self.row = 0;
        self.root.begin(0, true);
        true
    }

    /// Appends rows until there are `most`, or so many bytes that fewer are enough; false when there are no more.
    ///
    /// # Errors
    /// Those of the document, 4176 and its kin, KILL.
    pub fn fill(&mut self, out: &mut Batch, most: usize, ctx: &mut EvalContext) -> SqlResult<bool> {
        while out.len < most {
            match self.root.next(&self.text)? {
                Next::End => return Ok(false),
                Next::Nothing => ctx.check_killed()?,
                Next::Row => {
                    self.row += 1;
                    let row = std::mem::replace(&mut ctx.conversion.row, self.row);
                    // what is wrong with a document's value is no error of rows that are written
                    let strict = std::mem::take(&mut ctx.conversion.warnings.escalate);
                    let cells = &mut Cells {
                        alias: &self.table.alias,
                        text: &self.text,
                        texts: &self.texts,
                        integers: &self.integers,
                        stored: &mut self.stored,
                        out,
                        ctx,
                    };
                    let put = cells.level(&mut self.root);
                    ctx.conversion.row = row;
                    ctx.conversion.warnings.escalate = strict;
                    put?;
                    out.len += 1;
                    if out.byte_len() >= BATCH_BYTES {
                        break;
                    }
                }
            }
        }
        Ok(true)
    }
}

impl<'p> Walk<'p> {
    fn new(level: &'p Level, columns: &[(usize, usize, FieldType)]) -> SqlResult<Walk<'p>> {
        let cell = |of: &'p LevelColumn| {
            let path = match &of.kind {
                ColumnKind::Ordinality => Vec::new(),
                ColumnKind::Exists(path) => rows::path(path)?,
                ColumnKind::Path(column) => rows::path(&column.path)?,
            };
            let slot = columns.iter().find(|c| c.0 == of.number).map(|c| c.1);
            Ok(Cell { of, slot, several: rows::is_wild(&path), path, matches: Matches::default() })
        };
        Ok(Walk {
            path: rows::row_path(&level.path)?,
            columns: level.columns.iter().map(cell).collect::<SqlResult<_>>()?,
            nested: level.nested.iter().map(|n| Walk::new(n, columns)).collect::<SqlResult<_>>()?,
            matches: Matches::default(),
            at: None,
            ordinal: 0,
            turn: 0,
            given: false,
        })
    }

    /// Begins within the value at a place.
    fn begin(&mut self, at: usize, whole: bool) {
        self.matches.begin(at, whole);
        (self.at, self.ordinal) = (None, 0);
        self.nested.iter_mut().for_each(|n| n.at = None);
    }

    /// Goes on to the next row: those of each nested level in turn, or one without them.
    fn next(&mut self, text: &[u8]) -> SqlResult<Next> {
        if let Some(at) = self.at {
            while let Some(nested) = self.nested.get_mut(self.turn) {
                match nested.next(text)? {
                    Next::Row => {
                        self.given = true;
                        return Ok(Next::Row);
                    }
                    Next::Nothing => return Ok(Next::Nothing),
                    Next::End => {}
                }
                self.turn += 1;
                if let Some(next) = self.nested.get_mut(self.turn) {
                    next.begin(at, false);
                }
            }
            if !std::mem::replace(&mut self.given, true) {
                return Ok(Next::Row);
            }
        }
        self.at = None;
        match self.matches.next(text, &self.path).map_err(fault)? {
            Met::Value(at) => {
                self.at = Some(at);
                self.ordinal += 1;
                (self.turn, self.given) = (0, false);
                match self.nested.first_mut() {
                    Some(first) => {
                        first.begin(at, false);
                        Ok(Next::Nothing)
                    }
                    None => {
                        self.given = true;
                        Ok(Next::Row)
                    }
                }
            }
            Met::Nothing => Ok(Next::Nothing),
            Met::End => Ok(Next::End),
        }
    }
}

/// A row that is being made.
struct Cells<'r> {
    alias: &'r str,
    text: &'r [u8],
    texts: &'r FieldType,
    integers: &'r FieldType,
    stored: &'r mut Vec<u8>,
    out: &'r mut Batch,
    ctx: &'r mut EvalContext,
}

impl Cells<'_> {
    fn level(&mut self, walk: &mut Walk<'_>) -> SqlResult<()> {
        for cell in &mut walk.columns {
            let value = match walk.at {
                None => Value::Null,
                // errors that were asked for come whether the column is or not
                Some(_) if cell.slot.is_none() && !asks_for_errors(cell.of) => continue,
                Some(at) => self.value(cell, at, walk.ordinal)?,
            };
            if let Some(slot) = cell.slot {
                self.out.columns[slot].push(value.as_ref());
            }
        }
        walk.nested.iter_mut().try_for_each(|nested| self.level(nested))
    }

    fn value(&mut self, cell: &mut Cell<'_>, at: usize, ordinal: i64) -> SqlResult<Value> {
        let (of, wanted) = (cell.of, cell.slot.is_some());
        let (to, integer) = (&of.column, self.integers);
        let (json, on_empty, on_error) = match &of.kind {
            ColumnKind::Ordinality => return Ok(Value::Int(ordinal)),
            ColumnKind::Exists(_) => {
                let there = self.find(cell, at, true)?.is_some();
                return self.stored(ValueRef::Int(i64::from(there)), integer, to);
            }
            ColumnKind::Path(column) => (column.json, &column.on_empty, &column.on_error),
        };
        let Some(found) = self.find(cell, at, true)? else {
            return self.instead(on_empty, to, codes::ER_JSON_TABLE_ERROR_ON_FIELD, wanted);
        };
        if cell.several && self.find(cell, at, false)?.is_some() {
            return self.instead(on_error, to, codes::ER_JSON_TABLE_MULTIPLE_MATCHES, wanted);
        }
        let text = self.text;
        if json {
            let written = rows::written(text, found).map_err(fault)?;
            return if wanted {
                self.stored(ValueRef::Bytes(written), self.texts, to)
            } else {
                Ok(Value::Null)
            };
        }
        let scalar = rows::scalar(text, found).map_err(fault)?;
        if scalar == Scalar::Container {
            return self.instead(on_error, to, codes::ER_JSON_TABLE_SCALAR_EXPECTED, wanted);
        }
        if !wanted {
            return Ok(Value::Null);
        }
        let number = to.ty.is_number() || matches!(to.ty.kind, Kind::Bit | Kind::Year);
        match scalar {
            Scalar::Null | Scalar::Container => Ok(Value::Null),
            Scalar::Bool(b) if number => self.stored(ValueRef::Int(i64::from(b)), integer, to),
            Scalar::Bool(b) => {
                let word: &[u8] = if b { b"true" } else { b"false" };
                self.stored(ValueRef::Bytes(word), self.texts, to)
            }
            Scalar::Number(n) => self.stored(ValueRef::Bytes(n), self.texts, to),
            Scalar::Text(raw) if raw.contains(&b'\\') => {
                self.stored(ValueRef::Bytes(&rows::unescaped(raw)), self.texts, to)
            }
            Scalar::Text(raw) => self.stored(ValueRef::Bytes(raw), self.texts, to),
        }
    }

    /// The first value that a column's path leads to, or the next one.
    fn find(&mut self, cell: &mut Cell<'_>, at: usize, first: bool) -> SqlResult<Option<usize>> {
        if first {
            cell.matches.begin(at, false);
        }
        loop {
            match cell.matches.next(self.text, &cell.path).map_err(fault)? {
                Met::Value(at) => return Ok(Some(at)),
                Met::Nothing => self.ctx.check_killed()?,
                Met::End => return Ok(None),
            }
        }
    }

    /// What stands for a value that there is not.
    fn instead(&mut self, response: &Response, to: &Column, error: u16, wanted: bool) -> SqlResult<Value> {
        match response {
            Response::Error => Err(SqlError::new(error, &[&to.name, &self.alias])),
            Response::Default(value, ty) if wanted => self.stored(value.as_ref(), ty, to),
            Response::Default(..) | Response::Null => Ok(Value::Null),
        }
    }

    /// A value as the column holds it.
    fn stored(&mut self, value: ValueRef<'_>, from: &FieldType, to: &Column) -> SqlResult<Value> {
        self.stored.clear();
        let ctx = &mut self.ctx.conversion;
        let stored = store::store(value, from, to, StoreMode::Lenient, self.stored, ctx)?;
        let bytes: &[u8] = self.stored;
        Ok(match stored {
            // spaces that fill up a CHAR are no part of its value, as in a table
            Stored::Value if to.ty.kind == Kind::Char && !to.ty.collation.charset.is_binary() => {
                Value::Bytes(to.ty.collation.charset.trim_spaces(bytes).to_vec())
            }
            Stored::Value => load::value(Some(bytes), &to.ty, ctx),
            Stored::Null | Stored::Kept => Value::Null,
        })
    }
}

fn asks_for_errors(column: &LevelColumn) -> bool {
    let ColumnKind::Path(column) = &column.kind else { return false };
    matches!(column.on_empty, Response::Error) || matches!(column.on_error, Response::Error)
}
