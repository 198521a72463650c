//! CREATE, ALTER and DROP SEQUENCE; what SHOW CREATE SEQUENCE says.

use crate::ast::{
    AlterSequence, CreateSequence, CreateTable, DropTables, PrintStyle, SequenceOptions, Statement, TypeName,
    quote_identifier, quote_string,
};
use crate::dml::sequence::{change, open};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::parse::{self, Options};
use crate::result::Done;
use crate::session::Session;
use crate::session::tables::Access;
use crate::table::OpenTable;
use crate::table::numbers::{COLUMNS, Settings};
use crate::warning::Level;

/// The columns as CREATE TABLE has them.
const DEFINITIONS: &str = "(`next_not_cached_value` bigint(21) NOT NULL,`minimum_value` bigint(21) NOT NULL,\
     `maximum_value` bigint(21) NOT NULL,\
     `start_value` bigint(21) NOT NULL COMMENT 'start value when sequences is created or value if RESTART is used',\
     `increment` bigint(21) NOT NULL COMMENT 'increment value',`cache_size` bigint(21) unsigned NOT NULL,\
     `cycle_option` tinyint(1) unsigned NOT NULL COMMENT '0 if no cycles are allowed, 1 if the sequence should begin a new \
     cycle when maximum_value is passed',`cycle_count` bigint(21) NOT NULL COMMENT 'How many cycles have been done')";

/// Numbers that are reserved at a time, where nothing is said.
const CACHE: i64 = 1000;

fn invalid(db: &str, name: &str) -> SqlError {
    SqlError::new(codes::ER_SEQUENCE_INVALID_DATA, &[&db, &name])
}

/// A new sequence with these options.
fn new(o: &SequenceOptions) -> Settings {
    let increment = o.increment.unwrap_or(1);
    let (least, most) = if increment < 0 { (i64::MIN + 1, -1) } else { (1, i64::MAX - 1) };
    let (min, max) = (o.min.flatten().unwrap_or(least), o.max.flatten().unwrap_or(most));
    let start = o.start.unwrap_or(if increment < 0 { max } else { min });
    Settings {
        next: start,
        min,
        max,
        start,
        increment,
        cache: o.cache.unwrap_or(CACHE),
        cycle: o.cycle.unwrap_or(false),
        round: 0,
    }
}

/// CREATE SEQUENCE.
///
/// # Errors
/// 1050, 1478, 4085; those of making a table.
pub(super) fn create(session: &mut Session, c: &CreateSequence) -> SqlResult<Done> {
    let (db, name) = session.table_path(&c.name)?;
    let values = new(&c.options);
    if !values.is_valid() {
        return Err(invalid(&db, &name));
    }
    make(session, c, values)
}

/// CREATE TABLE ... SEQUENCE = 1, which `mydumper` writes: the columns are those that sequences have, and the settings those of
/// CREATE SEQUENCE without any.
///
/// # Errors
/// 4086; 1235 with a query; those of making a table.
pub(super) fn create_as_table(session: &mut Session, c: &CreateTable) -> SqlResult<Done> {
    if c.query.is_some() || c.partition.is_some() || c.like.is_some() {
        return Err(SqlError::not_supported("CREATE TABLE ... SEQUENCE = 1 with more than columns"));
    }
    let (db, name) = session.table_path(&c.name)?;
    let wrong =
        |what: &str| Err(SqlError::new(codes::ER_SEQUENCE_INVALID_TABLE_STRUCTURE, &[&db, &name, &what]));
    if c.columns.len() != COLUMNS.len() {
        return wrong("Wrong number of columns");
    }
    for (column, named) in c.columns.iter().zip(COLUMNS) {
        let (ty, unsigned) = match named {
            "cache_size" => (TypeName::BigInt, true),
            "cycle_option" => (TypeName::TinyInt, true),
            _ => (TypeName::BigInt, false),
        };
        let same = column.name.eq_ignore_ascii_case(named)
            && column.ty.name == ty
            && column.ty.unsigned == unsigned
            && column.nullable == Some(false);
        if !same {
            return wrong(&column.name);
        }
    }
    if !c.indexes.is_empty() {
        return wrong("Sequence tables cannot have any keys");
    }
    let options = SequenceOptions::default();
    let settings = new(&options);
    let sequence = CreateSequence {
        or_replace: c.or_replace,
        temporary: c.temporary,
        if_not_exists: c.if_not_exists,
        name: c.name.clone(),
        options,
        table: c.options.clone(),
    };
    make(session, &sequence, settings)
}

/// Makes the table with its row, all at once.
fn make(session: &mut Session, c: &CreateSequence, s: Settings) -> SqlResult<Done> {
    let (db, name) = session.table_path(&c.name)?;
    let engine = match &c.table.engine {
        Some(engine) => engine.to_string(),
        None => session.vars.named("default_storage_engine").as_text().to_string(),
    };
    if engine.eq_ignore_ascii_case("MEMORY") || engine.eq_ignore_ascii_case("HEAP") {
        return Err(SqlError::new(codes::ER_ILLEGAL_HA_CREATE_OPTION, &[&"MEMORY", &"SEQUENCE"]));
    }
    let mut text = String::from("CREATE ");
    for (said, word) in [(c.or_replace, "OR REPLACE "), (c.temporary, "TEMPORARY ")] {
        text.push_str(if said { word } else { "" });
    }
    text.push_str(if c.if_not_exists { "TABLE IF NOT EXISTS " } else { "TABLE " });
    quote_identifier(&db, PrintStyle::default(), &mut text);
    text.push('.');
    quote_identifier(&name, PrintStyle::default(), &mut text);
    text.push_str(DEFINITIONS);
    let values = [s.next, s.min, s.max, s.start, s.increment, s.cache, i64::from(s.cycle), s.round];
    for (i, (column, value)) in COLUMNS.iter().zip(values).enumerate() {
        text.push_str(if i == 0 { " SELECT " } else { "," });
        text.push_str(&format!("{value} AS {column}"));
    }
    let Some(Statement::CreateTable(mut table)) =
        parse::parse(text.as_bytes(), &Options::default())?.statement
    else {
        return Err(SqlError::internal("no CREATE TABLE"));
    };
    table.options = c.table.clone();
    table.options.sequence = true;
    super::create::create_table(session, &table, text.as_bytes())?;
    Ok(Done::default())
}

/// CREATE TABLE ... LIKE a sequence: another one, of which nothing is said.
///
/// # Errors
/// As [`create`].
pub(super) fn like(session: &mut Session, c: &crate::ast::CreateTable) -> SqlResult<Done> {
    let c = CreateSequence {
        or_replace: c.or_replace,
        temporary: c.temporary,
        if_not_exists: c.if_not_exists,
        name: c.name.clone(),
        options: SequenceOptions::default(),
        table: crate::ast::TableOptions::default(),
    };
    create(session, &c)
}

/// ALTER SEQUENCE.
///
/// # Errors
/// 4085, 4089, 4091; those of the table.
pub(super) fn alter(session: &mut Session, a: &AlterSequence) -> SqlResult<Done> {
    let (db, name) = session.table_path(&a.name)?;
    session.retry_if_stale(|session| {
        let mark = session.ctx.warnings.mark();
        let table = match open(session, &db, &name) {
            Err(e) if e.code == codes::ER_UNKNOWN_SEQUENCES && a.if_exists => {
                session.ctx.warnings.rollback_to(mark);
                let full = format!("{db}.{name}");
                let e = SqlError::new(codes::ER_UNKNOWN_SEQUENCES, &[&full]);
                session.ctx.warnings.push_error(Level::Note, &e);
                return Ok(Done::default());
            }
            table => table?,
        };
        change(session, &table, |old| {
            let changed = altered(old, &a.options);
            if !changed.is_valid() || !changed.has_place() {
                return Err(invalid(&db, &name));
            }
            Ok((Some((changed, None)), Done::default()))
        })
    })
}

fn altered(mut s: Settings, o: &SequenceOptions) -> Settings {
    s.increment = o.increment.unwrap_or(s.increment);
    let (least, most) = if s.increment < 0 { (i64::MIN + 1, -1) } else { (1, i64::MAX - 1) };
    if let Some(min) = o.min {
        s.min = min.unwrap_or(least);
    }
    if let Some(max) = o.max {
        s.max = max.unwrap_or(most);
    }
    s.start = o.start.unwrap_or(s.start);
    s.cache = o.cache.unwrap_or(s.cache);
    s.cycle = o.cycle.unwrap_or(s.cycle);
    if let Some(restart) = o.restart {
        s.next = restart.unwrap_or(s.start);
    }
    s
}

/// DROP SEQUENCE.
///
/// # Errors
/// 1965, 4090, 4091; those of dropping tables.
pub(super) fn drop(session: &mut Session, d: &DropTables) -> SqlResult<Done> {
    let (mut there, mut missing) = (Vec::new(), Vec::new());
    for t in &d.names {
        let (db, name) = session.table_path(t)?;
        let full = format!("{db}.{name}");
        match session.base(t, &name, Access::Shown) {
            Ok(table) if table.is_sequence() && (table.temporary || !d.temporary) => there.push(t.clone()),
            Ok(table) if table.temporary == d.temporary => {
                leave(session, d, &SqlError::new(codes::ER_NOT_SEQUENCE2, &[&full]))?;
            }
            Ok(_) => missing.push(full),
            Err(e) if e.code == error::ER_NO_SUCH_TABLE => missing.push(full),
            Err(e) if e.code == error::ER_WRONG_OBJECT => {
                let view = session.engine.catalog.is_view(&db, &name);
                let code = if view { codes::ER_IT_IS_A_VIEW } else { codes::ER_NOT_SEQUENCE2 };
                leave(session, d, &SqlError::new(code, &[&full]))?;
            }
            Err(e) => return Err(e),
        }
    }
    if !there.is_empty() {
        let tables = DropTables { names: there, ..d.clone() };
        super::run(session, &Statement::DropTable(tables), b"")?;
    }
    if missing.is_empty() {
        return Ok(Done::default());
    }
    let e = SqlError::new(codes::ER_UNKNOWN_SEQUENCES, &[&missing.join(",")]);
    if !d.if_exists {
        return Err(e);
    }
    session.ctx.warnings.push_error(Level::Note, &e);
    Ok(Done::default())
}

/// What is no sequence stays, and is told of.
///
/// # Errors
/// `why`, without IF EXISTS.
fn leave(session: &mut Session, d: &DropTables, why: &SqlError) -> SqlResult<()> {
    if !d.if_exists {
        return Err(why.clone());
    }
    session.ctx.warnings.push_error(Level::Note, why);
    Ok(())
}

/// The statement that makes a sequence.
pub(crate) fn statement(table: &OpenTable, s: &Settings, style: PrintStyle) -> String {
    let mut out = String::from("CREATE SEQUENCE ");
    quote_identifier(&table.name, style, &mut out);
    out.push_str(&format!(
        " start with {} minvalue {} maxvalue {} increment by {} {} {} ENGINE={}",
        s.start,
        s.min,
        s.max,
        s.increment,
        if s.cache == 0 { "nocache".into() } else { format!("cache {}", s.cache) },
        if s.cycle { "cycle" } else { "nocycle" },
        table.def().options.engine,
    ));
    let comment = &table.def().options.comment;
    if !comment.is_empty() {
        let mut quoted = Vec::new();
        quote_string(comment.as_bytes(), &mut quoted);
        out.push_str(" COMMENT=");
        out.push_str(&String::from_utf8_lossy(&quoted));
    }
    out
}

/// ALTER TABLE of a sequence renames it, and no more; no table becomes one.
///
/// # Errors
/// 1031, 1235.
pub(super) fn refuse(session: &mut Session, a: &crate::ast::AlterTable) -> SqlResult<()> {
    use crate::ast::AlterOp;
    if a.ops.iter().any(|op| matches!(op, AlterOp::Options(o) if o.sequence)) {
        return Err(SqlError::not_supported("ALTER TABLE ... SEQUENCE = 1"));
    }
    if a.ops.iter().all(|op| matches!(op, AlterOp::Rename(_))) {
        return Ok(());
    }
    refuse_table(session, &a.name)
}

/// Whether a table is none that is a sequence; one that is missing is missed elsewhere.
///
/// # Errors
/// 1031.
pub(super) fn refuse_table(session: &mut Session, name: &crate::ast::TableName) -> SqlResult<()> {
    match session.base(name, &name.name, Access::Shown) {
        Ok(table) if table.is_sequence() => table.check_writable(),
        _ => Ok(()),
    }
}

/// Gives sequences of an expression their database.
pub(super) fn qualify(e: &mut crate::ast::Expr, db: &str) {
    use crate::ast::ExprKind;
    let name = match &mut e.kind {
        ExprKind::Sequence(name, _) => Some(name),
        ExprKind::SetSequence(s) => Some(&mut s.name),
        _ => None,
    };
    if let Some(name) = name {
        name.db.get_or_insert_with(|| db.into());
    }
    e.kind.for_children_mut(&mut |child| qualify(child, db));
}
