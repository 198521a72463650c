//! The triggers of a table, read with it from its `.TRG` file.

use std::path::PathBuf;
use std::sync::Arc;

use charset::Collation;
use pages::Store;
use schema::definition::TableDef;
use schema::trg::{self, TriggerDef};

use super::OpenTable;
use super::engine::definition_file;
use crate::ast::program::Program;
use crate::ast::{CreateTrigger, Statement, TriggerEvent};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::lex::LexMode;
use crate::parse::{Options, parse};
use crate::variables::SqlMode;

/// A trigger of a table that is open.
pub struct StoredTrigger {
    /// As its file has it.
    pub def: TriggerDef,
    /// Its statement as it was read; what is wrong with the body of one that cannot run.
    pub create: Result<Arc<CreateTrigger>, SqlError>,
    /// The columns of NEW and OLD that it uses.
    pub fields: Vec<RowField>,
    /// The variables of those that are not there any more, and 1054, which the statements of the body that use them give.
    pub gone: Vec<(u32, SqlError)>,
    /// Whether it looks at tables, found out at its first run.
    pub reads: std::sync::OnceLock<bool>,
    /// The statement without its body when that is wrong.
    head: Option<Arc<CreateTrigger>>,
}

/// A column of NEW or OLD in a trigger's body.
#[derive(Clone, Copy, Debug)]
pub struct RowField {
    /// The number of its variable.
    pub slot: usize,
    /// Of NEW; else of OLD.
    pub new: bool,
    /// The column.
    pub column: usize,
    /// Its value is asked for.
    pub read: bool,
    /// It is assigned.
    pub assigned: bool,
}

/// The columns of a table that a trigger's body uses, and those that are not there: variable and 1054.
pub fn fields_of(create: &CreateTrigger, table: &TableDef) -> (Vec<RowField>, Vec<(u32, SqlError)>) {
    let (mut fields, mut gone) = (Vec::new(), Vec::new());
    for (slot, (new, name, (read, assigned))) in create.fields() {
        match table.columns.iter().position(|c| crate::names::same_name(&c.name, name)) {
            Some(column) => fields.push(RowField { slot, new, column, read, assigned }),
            None => {
                let row = if new { "NEW" } else { "OLD" };
                gone.push((slot as u32, SqlError::new(error::ER_BAD_FIELD_ERROR, &[name, &row])));
            }
        }
    }
    (fields, gone)
}

/// Programs: their database, themselves.
pub(crate) type Programs = Vec<(Arc<str>, Arc<Program>)>;

/// What programs read of tables, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reading {
    /// Nothing: they only insert rows, and what fails in them fails the statement around.
    #[default]
    Nothing,
    /// The tables that they change, each by a statement of its own.
    Changed,
    /// Any table.
    Any,
}

/// What the triggers of a statement do, and what these call and fire.
#[derive(Default)]
pub(crate) struct OfTriggers {
    /// The tables that they write, but for those of the statement.
    pub tables: Vec<Arc<OpenTable>>,
    /// What they read.
    pub reading: Reading,
    /// All of them.
    pub programs: Programs,
}

/// The triggers of a table, in the order in which they run: by event, those before first.
#[derive(Default)]
pub struct Triggers {
    /// All of them.
    pub list: Vec<Arc<StoredTrigger>>,
    /// The body of one of them is wrong: no row can be changed.
    pub broken: Option<SqlError>,
}

/// `table.TRG`, relative to the data directory.
#[must_use]
pub fn triggers_file(db: &str, table: &str) -> PathBuf {
    definition_file(db, table).with_extension("TRG")
}

/// `trigger.TRN`, relative to the data directory.
#[must_use]
pub fn trigger_name_file(db: &str, trigger: &str) -> PathBuf {
    // a name with dots is encoded: there is one dot
    definition_file(db, trigger).with_extension("TRN")
}

/// What `sql_mode` says of reading texts.
fn lex_mode(mode: SqlMode, client: &str) -> LexMode {
    let client = charset::Charset::by_name(client).unwrap_or_else(|| charset::system().charset);
    mode.lexing(crate::lex::ClientBytes::of(client.name))
}

fn read_statement(text: &[u8], mode: LexMode) -> SqlResult<Arc<CreateTrigger>> {
    match parse(text, &Options { mode, multi: true, ..Options::default() })?.statement {
        Some(Statement::CreateTrigger(c)) => Ok(Arc::from(c)),
        _ => Err(SqlError::new(codes::ER_TRG_CORRUPTED_FILE, &[&"", &""])),
    }
}

impl StoredTrigger {
    /// Reads the statement of a trigger.
    #[must_use]
    pub fn new(def: TriggerDef, table: &TableDef) -> StoredTrigger {
        let mode = lex_mode(SqlMode(def.sql_mode), &def.client);
        let create = read_statement(&def.statement, mode);
        let head = if create.is_err() { head_of(&def.statement, mode) } else { None };
        let create = create.map_err(|e| {
            let name = head.as_ref().map_or("", |h| &h.name.name);
            let of =
                if name.is_empty() { "Unknown trigger".to_string() } else { format!("Trigger '{name}'") };
            let text = format!("{of} has an error in its body: '{}'", e.message);
            SqlError::with_message(error::ER_PARSE_ERROR, text)
        });
        let (fields, gone) = create.as_ref().map_or_else(|_| Default::default(), |c| fields_of(c, table));
        StoredTrigger { def, create, fields, gone, reads: std::sync::OnceLock::new(), head }
    }

    /// The statement as far as it can be read.
    fn known(&self) -> Option<&CreateTrigger> {
        self.create.as_ref().ok().or(self.head.as_ref()).map(|c| &**c)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.known().map_or("", |c| &c.name.name)
    }

    /// What it waits for, and whether it runs after that.
    #[must_use]
    pub fn moment(&self) -> Option<(TriggerEvent, bool)> {
        self.known().map(|c| (c.event, c.after))
    }

    /// `sql_mode` of its making.
    #[must_use]
    pub fn sql_mode(&self) -> SqlMode {
        SqlMode(self.def.sql_mode)
    }

    /// User and host of the definer.
    #[must_use]
    pub fn definer(&self) -> (&str, &str) {
        match self.def.definer.rsplit_once('@') {
            // a name alone is one of every host
            Some((user, "")) if !user.is_empty() => (user, "%"),
            Some(both) => both,
            None => (&self.def.definer, ""),
        }
    }

    /// The definer in one text, as lists of triggers show it.
    #[must_use]
    pub fn shown_definer(&self) -> String {
        match self.def.definer.contains('@') {
            true => {
                let (user, host) = self.definer();
                format!("{user}@{host}")
            }
            false => self.def.definer.clone(),
        }
    }

    /// The character set of its texts.
    #[must_use]
    pub fn client(&self) -> &'static charset::Charset {
        charset::Charset::by_name(&self.def.client).unwrap_or_else(|| charset::system().charset)
    }

    /// `collation_connection` of its making.
    #[must_use]
    pub fn connection(&self) -> &'static Collation {
        Collation::by_name(&self.def.connection).unwrap_or_else(charset::system)
    }

    /// The collation of the database at its making.
    #[must_use]
    pub fn database(&self) -> &'static Collation {
        Collation::by_name(&self.def.database).unwrap_or_else(charset::system)
    }

    /// The statement in UTF-8.
    #[must_use]
    pub fn statement(&self) -> String {
        crate::types::convert::text_of(&self.def.statement, self.client())
    }

    /// The body in UTF-8.
    #[must_use]
    pub fn body(&self) -> String {
        match &self.create {
            Ok(c) => crate::types::convert::text_of(c.body.of(&self.def.statement), self.client()),
            Err(_) => self.statement(),
        }
    }
}

/// The statement with another body in place of one that is wrong.
fn head_of(text: &[u8], mode: LexMode) -> Option<Arc<CreateTrigger>> {
    const END: &[u8] = b"FOR EACH ROW";
    let at = text.windows(END.len()).position(|w| w.eq_ignore_ascii_case(END))?;
    let mut plain = text[..at + END.len()].to_vec();
    plain.extend_from_slice(b" BEGIN END");
    read_statement(&plain, mode).ok()
}

fn read_file(store: &Store, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    let file = store.storage().open(path, pages::storage::OpenMode::Read)?;
    let mut bytes = vec![0; file.len()? as usize];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// The table that a trigger of this name belongs to, as its file says.
#[must_use]
pub fn table_of(store: &Store, db: &str, trigger: &str) -> Option<String> {
    let path = store.datadir().join(trigger_name_file(db, trigger));
    trg::read_name(&read_file(store, &path).ok()?)
}

impl Triggers {
    /// The triggers of a table; none without a file of them.
    ///
    /// # Errors
    /// 1602 for a damaged file; those of the file system.
    pub fn read(store: &Store, db: &str, table: &str, def: &TableDef) -> SqlResult<Option<Arc<Triggers>>> {
        let path = store.datadir().join(triggers_file(db, table));
        let corrupt = || SqlError::new(codes::ER_TRG_CORRUPTED_FILE, &[&db, &table]);
        if !store.storage().identity(&path).is_ok_and(|f| f.is_some()) {
            return Ok(None);
        }
        let bytes = read_file(store, &path).map_err(|_| corrupt())?;
        let list = trg::read(&bytes).ok_or_else(corrupt)?;
        let mut list: Vec<_> = list.into_iter().map(|t| Arc::new(StoredTrigger::new(t, def))).collect();
        let broken = list.iter().find_map(|t| t.create.as_ref().err().cloned());
        list.sort_by_key(|t| t.moment());
        Ok(Some(Arc::new(Triggers { list, broken })))
    }

    /// Those of an event.
    pub fn of(&self, event: TriggerEvent, after: bool) -> impl Iterator<Item = &Arc<StoredTrigger>> {
        self.list.iter().filter(move |t| t.moment() == Some((event, after)))
    }

    /// Whether columns may hold NULLs until the row is whole: triggers before INSERT or UPDATE are there.
    #[must_use]
    pub fn judge_nulls(&self) -> bool {
        let before = [Some((TriggerEvent::Insert, false)), Some((TriggerEvent::Update, false))];
        self.list.iter().any(|t| before.contains(&t.moment()))
    }

    /// The trigger of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Arc<StoredTrigger>> {
        self.list.iter().find(|t| t.name() == name)
    }
}
