//! Copies the rows of a table into its new form.

use std::sync::Arc;

use crate::table::myisam::{StateMut, changed, trim_spaces};
use crate::table::{EngineError as Error, PageStore, RowBuf, RowScratch, RowView, Scan, StoredTable, Writer};
use pages::TableWriter;
use schema::definition::{ColumnDef, ColumnType, DefaultValue, TableDef};

use super::change::{AlterBuilder, stored_alike};
use super::order::Ordered;
use super::{Copied, ExclusiveTable};
use crate::ast::AlterTable;
use crate::ddl::partition::fill::NewRows;
use crate::dml::target::Held;
use crate::error::{self, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::failure::from_pages;
use crate::session::Session;
use crate::table::OpenTable;
use crate::table::from_engine;
use crate::table::rules::{GeneratedSet, RuleScratch, Rules, with_completer};
use crate::types::convert::{self, column_to_i64, push_converted, write_text};
use crate::types::store::{self, Column, StoreMode, Stored};
use crate::types::{Class, FieldType, Kind, Source, SourceTable, Value, Vector, load};
use crate::variables::SqlMode;
use crate::warning::Level;

/// What is done for one column of the new table.
enum Action {
    /// The stored bytes are taken over from this old column.
    Take(usize),
    /// The value is taken over and stored anew.
    Convert(usize, FieldType, Column),
    /// So is that of a VARBINARY of 4.1, without the spaces that it is filled up with: others are read without them.
    Renew(usize, FieldType, Column),
    /// A constant; `None` is NULL.
    Constant(Option<Vec<u8>>),
    /// The statement's time.
    Now(Column),
    /// Nothing is stored, or it is computed from the other columns.
    Skip,
}

/// Copies all rows.
///
/// # Errors
/// 1062 for duplicates (but for ALTER IGNORE), 1265 for NULLs where there may be none, those of
/// values that do not fit.
pub(super) fn copy(
    session: &mut Session,
    a: &AlterTable,
    alone: &mut ExclusiveTable,
    work: &AlterBuilder,
    new: (&Arc<StoredTable>, &str),
) -> SqlResult<Copied> {
    if !alone.parts.is_empty() {
        // partitions are held with the table
        let own = std::mem::take(&mut alone.parts);
        let parts: Vec<_> = own.into_iter().map(|(t, guard)| (t, Held::Locked(guard))).collect();
        let copied = copy_from(session, a, alone, &parts, work, new);
        let back = parts.into_iter().filter_map(|(t, held)| match held {
            Held::Locked(guard) => Some((t, guard)),
            Held::Own(_) | Held::Shared(_) => None,
        });
        alone.parts = back.collect();
        return copied;
    }
    let parts = crate::ddl::merge::hold_children(session, &alone.table)?;
    let copied = copy_from(session, a, alone, &parts, work, new);
    crate::ddl::merge::give_back(session, parts);
    copied
}

/// Copies the rows of the table, or those of the tables under it.
fn copy_from(
    session: &mut Session,
    a: &AlterTable,
    alone: &mut ExclusiveTable,
    parts: &[(Arc<OpenTable>, Held)],
    work: &AlterBuilder,
    (new, beside): (&Arc<StoredTable>, &str),
) -> SqlResult<Copied> {
    let old = Arc::clone(&alone.table);
    let actions = actions(&old, work, &new.def, session.ctx.sql_mode);
    let source = &*alone.guard.writer();
    let mut rows = Rows { table: &old, source, parts, part: 0, order: None, scan: Scan::new() };
    let records = rows.count();
    if records > 0 {
        refuse_zero_dates(&old, work, new, session.ctx.sql_mode)?;
    }
    let strict = session.settings().sql_mode.strict() && !a.ignore;
    let connection = Arc::clone(&session.connection);
    let mut to = NewRows::open(session, new, (&old.db, beside), (&old.db, &old.name))?;
    let counted_anew = |op: &crate::ast::AlterOp| matches!(op, crate::ast::AlterOp::Options(o) if o.auto_increment.is_some());
    // numbers of a MERGE table are those of the tables under it
    let partitioned = old.def().partition.is_some();
    if (parts.is_empty() || partitioned) && !a.ops.iter().any(counted_anew) {
        let of_parts = parts.iter().map(|(table, held)| table.state_in(held).auto_increment()).max();
        let own = of_parts.unwrap_or_else(|| old.state_in(source).auto_increment());
        let counter = own.max(old.counter());
        to.writers.iter_mut().for_each(|w| w.raise_auto_increment(counter));
    }
    begin_keys(session, &mut to.writers, records, a.ignore);
    let mut copied = Copied::default();
    let mut row = RowBuf::new(&new.format.layout);
    let mut scratch = RowScratch::new();
    let mut bytes = Vec::new();
    warn_casts(&actions, strict, &mut session.ctx)?;
    let mode = StoreMode::of(strict);
    if parts.is_empty() {
        rows.order = Ordered::of(session, &old, source, work)?;
    }
    let rules = match crate::table::rules::has_rules(&new.def) {
        true => Some(Rules::compile(&new.def, &old.db, &old.name, &mut session.ctx)?.0),
        false => None,
    };
    let mut room = RuleScratch::new(mode);
    let auto = new.def.columns.iter().position(|c| c.auto_increment);
    let was_auto = auto
        .and_then(|i| work.from.get(i).copied().flatten())
        .is_some_and(|from| old.def().columns[from].auto_increment);
    let keeps_zeros = was_auto || session.ctx.sql_mode.has(SqlMode::NO_AUTO_VALUE_ON_ZERO);
    let checks = session.settings().check_constraint_checks;
    loop {
        connection.check_killed()?;
        let Some(view) = rows.next(&mut scratch)? else {
            match rows.next_part() {
                true => continue,
                false => break,
            }
        };
        session.ctx.row = copied.rows + 1;
        fill_row(session, &actions, &view, new, &mut row, &mut bytes, mode)?;
        session.ctx.check_failed()?;
        number(&mut row, &new.def.columns, work, &to, &new.def, keeps_zeros);
        if let Some(rules) = &rules
            && !follow(rules, checks, a.ignore, work, &mut row, &mut room, &mut session.ctx)?
        {
            continue;
        }
        to.route(&row, &mut session.ctx)?;
        insert(to.writer(), &row, a.ignore, &old, new, work, &session.ctx)?;
        copied.rows += 1;
    }
    let disabled = (0..old.def().keys.len()).any(|k| !old.state_in(source).key_active(k));
    for writer in &mut to.writers {
        match end_keys(session, writer, rules.as_ref(), work, disabled) {
            Err(Error::Duplicate { key, existing }) => {
                let found = new.format.row(writer.store(), existing, &mut scratch);
                return Err(duplicate(&session.ctx, new, key, &found.map_err(|e| old.error(&e))?));
            }
            other => other.map_err(|e| old.error(&e))?,
        }
    }
    to.commit().map_err(|e| from_pages(&e, &old.name))?;
    session.ctx.row = 0;
    copied.duplicates = work.duplicates.get();
    Ok(copied)
}

/// The rows that are copied: those of the table, or of the tables under it, one after the other and as they lie.
struct Rows<'s> {
    table: &'s OpenTable,
    source: &'s TableWriter,
    parts: &'s [(Arc<OpenTable>, Held)],
    part: usize,
    order: Option<Ordered>,
    scan: Scan,
}

impl<'s> Rows<'s> {
    fn count(&self) -> u64 {
        match self.parts {
            [] => self.table.state_in(self.source).records(),
            parts => parts.iter().map(|(table, held)| table.state_in(held).records()).sum(),
        }
    }

    /// The next row of the part.
    fn next<'r>(&mut self, scratch: &'r mut RowScratch) -> SqlResult<Option<RowView<'r>>>
    where
        's: 'r,
    {
        let error = |e: Error| self.table.error(&e);
        if let Some(list) = &mut self.order {
            let Some(pos) = list.next()? else { return Ok(None) };
            return self.table.row(self.source, pos, scratch).map(Some).map_err(error);
        }
        let next = match self.parts.get(self.part) {
            Some((table, held)) => self.scan.next(table.format(), held, scratch),
            None => self.scan.next(self.table.format(), self.source, scratch),
        };
        Ok(next.map_err(error)?.map(|(_, row)| row))
    }

    /// Goes on with the next table; false when there is none.
    fn next_part(&mut self) -> bool {
        self.part += 1;
        self.scan = Scan::new();
        self.part < self.parts.len()
    }
}

/// Warns of columns that are cast into another type.
fn warn_casts(actions: &[Action], strict: bool, ctx: &mut EvalContext) -> SqlResult<()> {
    let mut casts = crate::types::casts::Casts::default();
    for action in actions {
        if let Action::Convert(_, from, to) = action {
            casts.add(to, from);
        }
    }
    casts.tell(strict, ctx)
}

fn insert(
    to: &mut Writer<TableWriter>,
    row: &RowBuf,
    ignore: bool,
    old: &OpenTable,
    new: &StoredTable,
    work: &AlterBuilder,
    ctx: &EvalContext,
) -> SqlResult<()> {
    match to.insert(&row.as_view()) {
        Ok(_) => Ok(()),
        Err(Error::Duplicate { .. }) if ignore => {
            work.duplicates.set(work.duplicates.get() + 1);
            Ok(())
        }
        Err(Error::Duplicate { key, .. }) => Err(duplicate(ctx, new, key, &row.as_view())),
        Err(e) => Err(from_engine(&e, &old.db, &old.name)),
    }
}

/// Makes a row of the new table of one of the old.
fn fill_row(
    session: &mut Session,
    actions: &[Action],
    view: &RowView<'_>,
    new: &StoredTable,
    row: &mut RowBuf,
    bytes: &mut Vec<u8>,
    mode: StoreMode,
) -> SqlResult<()> {
    row.clear();
    for (i, action) in actions.iter().enumerate() {
        let column = &new.def.columns[i];
        match action {
            Action::Skip => {}
            Action::Take(from) => match view.column(*from) {
                Some(v) => row.set(i, v),
                None => null(session, mode, row, i, column)?,
            },
            Action::Convert(from, ty, target) => {
                let value = load::value(view.column(*from), ty, &session.ctx);
                convert_column(session, (value, ty), (i, column, target), row, bytes, mode)?;
            }
            Action::Renew(from, ty, target) => {
                let stored = view.column(*from).map(trim_spaces);
                let value = load::value(stored, ty, &session.ctx);
                convert_column(session, (value, ty), (i, column, target), row, bytes, mode)?;
            }
            Action::Constant(Some(v)) => row.set(i, v),
            Action::Constant(None) => row.set_null(i),
            Action::Now(target) => {
                bytes.clear();
                store::put_now(target, bytes, &mut session.ctx);
                row.set(i, bytes);
            }
        }
    }
    Ok(())
}

/// Leaves keys of new files for the end, all of them but where rows that repeat a value are left out.
fn begin_keys(session: &Session, to: &mut [Writer<TableWriter>], records: u64, ignore: bool) {
    let settings = crate::dml::bulk::sort_settings(session).share(to.len());
    for writer in to {
        if ignore {
            writer.bulk_begin(Some(records))
        } else {
            writer.bulk_begin_all(records)
        };
        writer.gather_keys(&settings);
    }
}

/// Builds the keys that were left for the end, and leaves those disabled that are to be.
fn end_keys(
    session: &mut Session,
    to: &mut Writer<TableWriter>,
    rules: Option<&Rules>,
    work: &AlterBuilder,
    disabled: bool,
) -> Result<(), Error> {
    let connection = Arc::clone(&session.connection);
    if to.format().state(to.store()).records() == 0 && !to.format().keys.is_empty() {
        // the reference server builds the keys of an empty copy, too, which OPTIMIZE finds unsorted
        let offsets = to.format().offsets;
        StateMut::new(PageStore::state_mut(to.store_mut()), offsets).add_changed(changed::NOT_SORTED_PAGES);
    }
    if to.is_bulk() {
        let settings = crate::dml::bulk::sort_settings(session);
        with_completer(rules, &mut session.ctx, |complete| {
            to.bulk_end_of(&settings, complete, &|| connection.killed())
        })?;
    }
    to.end_waiting(&|| connection.killed())?;
    // Keys that were disabled stay so.
    match work.keys_enabled {
        Some(false) => to.disable_keys(),
        None if disabled => to.disable_keys(),
        _ => {}
    }
    Ok(())
}

/// Sets what the new definition computes and tests its constraints. False when ALTER IGNORE leaves the row out.
fn follow(
    rules: &Rules,
    checks: bool,
    ignore: bool,
    work: &AlterBuilder,
    row: &mut RowBuf,
    room: &mut RuleScratch,
    ctx: &mut EvalContext,
) -> SqlResult<bool> {
    for (column, _) in &rules.defaults {
        if work.from.get(*column).is_none_or(Option::is_none) {
            rules.set_default(*column, row, room, ctx)?;
        }
    }
    rules.compute(GeneratedSet::All, row, room, ctx)?;
    ctx.check_failed()?;
    if !checks {
        return Ok(true);
    }
    let before = ctx.warnings.escalate;
    ctx.set_strict(room.mode == StoreMode::Strict);
    let broken = rules.broken(row, room, ctx);
    ctx.set_strict(before);
    match broken? {
        Some(broken) if ctx.warnings.has_failed() => {
            ctx.warnings.raise(rules.failed(broken));
            ctx.check_failed()?;
            Ok(false)
        }
        Some(broken) if ignore => {
            ctx.warnings.push_error(Level::Warning, &rules.failed(broken));
            Ok(false)
        }
        Some(broken) => Err(rules.failed(broken)),
        None => Ok(true),
    }
}

/// Puts a value of an old column into column `i` of a row, which is of another type.
fn convert_column(
    session: &mut Session,
    (value, ty): (Value, &FieldType),
    (i, column, target): (usize, &ColumnDef, &Column),
    row: &mut RowBuf,
    bytes: &mut Vec<u8>,
    mode: StoreMode,
) -> SqlResult<()> {
    let number = session.ctx.row;
    let strict = mode == StoreMode::Strict;
    let parts: [&dyn std::fmt::Display; 2] = [&column.name, &number];
    let is_cut = cut(&value, ty, target);
    if strict && is_cut {
        session.ctx.warnings.raise(SqlError::new(error::WARN_DATA_TRUNCATED, &parts));
        return Ok(());
    }
    bytes.clear();
    let (value, ty) = match as_moment(&value, ty, target, strict, &mut session.ctx) {
        None => (value, std::borrow::Cow::Borrowed(ty)),
        Some(Some((value, ty))) => (value, std::borrow::Cow::Owned(ty)),
        Some(None) => {
            row.set(i, &schema::layout::zero_value(column));
            return Ok(());
        }
    };
    let ty = &*ty;
    // a column that changes its type keeps the zeros of its years
    let zeros = FieldType { kind: Kind::Short, ..ty.clone() };
    let from = if ty.kind == Kind::Year && target.ty.is_string() { &zeros } else { ty };
    let number = as_number(&value, from, target, strict, &mut session.ctx)?;
    let shown = shown_as(from);
    let (value, from) = match &number {
        Some((number, ty)) => (number.clone(), ty),
        // and the digits that a double shows, and those of ZEROFILL
        None if (matches!(value, Value::Double(_)) || from.zerofill) && target.ty.is_string() => {
            (text_of(&value, from), &shown)
        }
        None => (value, from),
    };
    let mark = session.ctx.warnings.mark();
    match store::store(value.as_ref(), from, target, mode, bytes, &mut session.ctx) {
        // what is no address is NULL, where INSERT has the zero for what is no text
        Ok(Stored::Value)
            if target.ty.is_address() && column.nullable && session.ctx.warnings.told_since(mark) =>
        {
            row.set_null(i);
        }
        Ok(Stored::Value) => {
            row.set(i, bytes);
            if is_cut {
                session.ctx.warnings.rollback_to(mark);
                session.ctx.warnings.warn(error::WARN_DATA_TRUNCATED, &parts);
            }
        }
        Ok(Stored::Null | Stored::Kept) => null(session, mode, row, i, column)?,
        // the columns that follow are looked at, too
        Err(e) => session.ctx.warnings.raise(e),
    }
    Ok(())
}

/// The type of the text that a number is shown as.
fn shown_as(ty: &FieldType) -> FieldType {
    FieldType { kind: Kind::Varchar, ascii: true, ..ty.clone() }
}

/// A number as it is shown.
fn text_of(value: &Value, ty: &FieldType) -> Value {
    let mut text = Vec::new();
    write_text(value.as_ref(), ty, &mut text);
    Value::Bytes(text)
}

/// Whether a value loses its end, spaces too, in a shorter column of the same type and collation, whose values keep their
/// lengths in as many bytes: 1265 here, not INSERT's 1406. Into other columns it goes as INSERT puts it there.
fn cut(value: &Value, from: &FieldType, to: &Column) -> bool {
    let (a, b) = (from.collation, to.ty.collation);
    let Value::Bytes(text) = value else { return false };
    let one_byte = |t: &FieldType| t.kind == Kind::Char || t.length < 256;
    from.kind == to.ty.kind
        && matches!(from.kind, Kind::Char | Kind::Varchar)
        && a.id == b.id
        && one_byte(from) == one_byte(&to.ty)
        && a.charset.char_len(text) > (to.ty.length / u32::from(b.charset.mbmaxlen.max(1))) as usize
}

/// A date or time is made of a text or number by the rules of the column that has it; what is none is the zero value.
fn as_moment(
    value: &Value,
    from: &FieldType,
    to: &Column,
    strict: bool,
    ctx: &mut EvalContext,
) -> Option<Option<(Value, FieldType)>> {
    let dated = matches!(to.ty.kind, Kind::Date | Kind::DateTime | Kind::Timestamp | Kind::Time);
    if !dated || from.is_temporal() || *value == Value::Null {
        return None;
    }
    if from.class() == Class::Double || from.kind == Kind::Year {
        return Some(Some((text_of(value, from), shown_as(from))));
    }
    if from.kind == Kind::Bit {
        let number = convert::to_i64(value.as_ref(), &FieldType { digits: true, ..from.clone() }, false, ctx);
        return Some(Some((Value::Int(number), FieldType::bigint(false))));
    }
    let mark = ctx.warnings.mark();
    let made = convert::column_as_moment(value.as_ref(), from, to.ty.kind, ctx);
    let wrong = ctx.warnings.since(mark).iter().find(|w| w.level == Level::Warning);
    if let (true, Some(w)) = (strict, wrong) {
        let e = SqlError::with_message(w.code, w.message.clone());
        ctx.warnings.rollback_to(mark);
        ctx.warnings.raise(e);
    }
    Some(made)
}

/// A number is read of a text, and a whole one of a double, by the rules of the column that has it, where INSERT goes by those
/// of the column that gets it; ENUM and SET take a number as that of a member.
fn as_number(
    value: &Value,
    from: &FieldType,
    to: &Column,
    strict: bool,
    ctx: &mut EvalContext,
) -> SqlResult<Option<(Value, FieldType)>> {
    let Some(wanted) = number_for(from, to.ty.kind).filter(|_| *value != Value::Null) else {
        return Ok(None);
    };
    let mark = ctx.warnings.mark();
    let number = match value {
        // an empty TEXT is 0 without a word
        Value::Bytes(b) if b.is_empty() && from.is_blob() && wanted.class() == Class::Int => Value::Int(0),
        Value::Double(_) | Value::Bytes(_) if wanted.class() == Class::Int => {
            Value::Int(column_to_i64(value.as_ref(), from, ctx))
        }
        _ => {
            let mut out = Vector::new(wanted.class());
            push_converted(value.as_ref(), from, &wanted, &mut out, ctx)?;
            out.value(0)
        }
    };
    let wrong = ctx.warnings.since(mark).iter().find(|w| w.level == Level::Warning);
    if let (true, Some(w)) = (strict, wrong) {
        let e = SqlError::with_message(w.code, w.message.clone());
        ctx.warnings.rollback_to(mark);
        ctx.warnings.raise(e);
    }
    Ok(Some((number, wanted)))
}

/// The type by way of which values go into a column of this kind, where they do not go as they are.
fn number_for(from: &FieldType, to: Kind) -> Option<FieldType> {
    let text = from.class() == Class::Bytes && !from.is_address();
    let double = from.class() == Class::Double;
    let whole = FieldType::bigint(false);
    match to {
        Kind::Bit if !from.class().is_integer() && (double || !from.is_number()) => Some(whole),
        Kind::Tiny | Kind::Short | Kind::Int24 | Kind::Long | Kind::LongLong if text || double => Some(whole),
        Kind::Enum | Kind::Set if double || from.class() == Class::Decimal => Some(whole),
        Kind::Enum if from.kind == Kind::Year => Some(whole),
        Kind::Decimal if text || double => Some(crate::expr::typing::wide_decimal()),
        Kind::Float | Kind::Double if text => Some(FieldType::double()),
        _ => None,
    }
}

/// NULL in a column: where there may be none, an error in strict mode, else the type's zero.
fn null(
    session: &mut Session,
    mode: StoreMode,
    row: &mut RowBuf,
    i: usize,
    column: &ColumnDef,
) -> SqlResult<()> {
    let number = session.ctx.row;
    if column.nullable {
        row.set_null(i);
        return Ok(());
    }
    if column.auto_increment {
        // Numbered below.
        row.set_null(i);
        return Ok(());
    }
    if mode == StoreMode::Strict {
        return Err(SqlError::new(error::WARN_DATA_TRUNCATED, &[&column.name, &number]));
    }
    session.ctx.warnings.warn(error::WARN_DATA_TRUNCATED, &[&column.name, &number]);
    row.set(i, &schema::layout::zero_value(column));
    Ok(())
}

/// A new AUTO_INCREMENT column numbers the rows.
fn number(
    row: &mut RowBuf,
    columns: &[ColumnDef],
    work: &AlterBuilder,
    to: &NewRows,
    def: &TableDef,
    keeps_zeros: bool,
) {
    let Some(i) = columns.iter().position(|c| c.auto_increment) else { return };
    let fresh = work.from.get(i).is_none_or(Option::is_none);
    let view = row.as_view();
    let zero = view.column(i).is_none_or(|v| v.iter().all(|b| *b == 0));
    if !zero || !fresh && keeps_zeros {
        return;
    }
    let next = to.auto_increment() + 1;
    let bytes = counted(next, &def.columns[i]);
    row.set(i, &bytes);
}

/// A counter's value as stored.
fn counted(n: u64, column: &ColumnDef) -> Vec<u8> {
    match column.ty {
        ColumnType::Float { .. } => (n as f32).to_le_bytes().to_vec(),
        ColumnType::Double { .. } => (n as f64).to_le_bytes().to_vec(),
        _ => n.to_le_bytes()[..schema::layout::column_width(column) as usize].to_vec(),
    }
}

/// 1062 with the values of the key.
pub(in crate::ddl) fn duplicate(
    ctx: &EvalContext,
    new: &StoredTable,
    key: usize,
    row: &RowView<'_>,
) -> SqlError {
    let def = &new.def.keys[key];
    let parts = def.parts.iter().map(|part| {
        let column = &new.def.columns[part.column];
        (row.column(part.column), FieldType::from_column(column), &column.ty, part.prefix.map(usize::from))
    });
    let text = load::key_text(parts, ctx);
    let numbered = def.parts.first().is_some_and(|p| new.def.columns[p.column].auto_increment);
    let words = if numbered {
        error::codes::ER_DUP_ENTRY_AUTOINCREMENT_CASE
    } else {
        error::ER_DUP_ENTRY_WITH_KEY_NAME
    };
    SqlError::with_text_of(error::ER_DUP_ENTRY, words, &[&text, &def.name])
}

/// A new DATE or DATETIME that may not be NULL and has no default would be the zero date in every row, which the mode
/// forbids whether it is strict or not. TIMESTAMP is let through, as by MariaDB.
fn refuse_zero_dates(
    old: &OpenTable,
    work: &AlterBuilder,
    new: &StoredTable,
    mode: SqlMode,
) -> SqlResult<()> {
    if !mode.has(SqlMode::NO_ZERO_DATE) {
        return Ok(());
    }
    for (i, column) in new.def.columns.iter().enumerate() {
        let (kind, zero) = match column.ty {
            ColumnType::Date => ("date", "0000-00-00"),
            ColumnType::DateTime { .. } => ("datetime", "0000-00-00 00:00:00"),
            _ => continue,
        };
        let added = work.from.get(i).is_none_or(Option::is_none);
        if added
            && !column.nullable
            && column.generated.is_none()
            && matches!(column.default, DefaultValue::None)
        {
            return Err(Column::new(column, &old.db, &old.name).refuse_zero_date(kind, zero));
        }
    }
    Ok(())
}

/// Whether every row of the new table is the row of the old one, byte for byte, and nothing of it need be looked at.
pub(super) fn keeps_rows(old: &OpenTable, work: &AlterBuilder, new: &TableDef, mode: SqlMode) -> bool {
    let same = |(i, action): (usize, &Action)| matches!(action, Action::Take(from) if *from == i);
    let columns = old.def().columns.iter().zip(&new.columns);
    old.def().columns.len() == new.columns.len()
        && columns.into_iter().all(|(a, b)| stored_alike(a, b))
        && actions(old, work, new, mode).iter().enumerate().all(same)
        && !crate::table::rules::has_rules(new)
}

fn actions(old: &OpenTable, work: &AlterBuilder, new: &TableDef, mode: SqlMode) -> Vec<Action> {
    // dates that the mode forbids are looked for
    let no_zero = mode.has(SqlMode::NO_ZERO_DATE) || mode.has(SqlMode::NO_ZERO_IN_DATE);
    let dated = |t: &ColumnType| {
        matches!(t, ColumnType::Date | ColumnType::DateTime { .. } | ColumnType::Timestamp { .. })
    };
    let forbidden = |c: &ColumnDef| no_zero && dated(&c.ty);
    let table = SourceTable::stored(&old.db, &old.name, old.def());
    let mut actions = Vec::with_capacity(new.columns.len());
    for (i, column) in new.columns.iter().enumerate() {
        let target = Column::new(column, &old.db, &old.name);
        let action = match work.from.get(i).copied().flatten() {
            _ if column.generated.is_some() || column.is_hash() => Action::Skip,
            Some(from) if same_bytes(&old.def().columns[from], column) && !forbidden(column) => {
                Action::Take(from)
            }
            Some(from) => {
                let column = &old.def().columns[from];
                let source = Source::of(&table, from);
                let ty = FieldType { source, ..FieldType::from_column(column) };
                match column.ty {
                    ColumnType::OldVarchar { .. } if column.is_binary_string() => {
                        Action::Renew(from, ty, target)
                    }
                    _ => Action::Convert(from, ty, target),
                }
            }
            None => match &column.default {
                DefaultValue::Now => Action::Now(target),
                DefaultValue::Value(v) => Action::Constant(Some(v.to_vec())),
                DefaultValue::Null => Action::Constant(None),
                DefaultValue::None if column.nullable => Action::Constant(None),
                DefaultValue::None => Action::Constant(Some(schema::layout::zero_value(column))),
                DefaultValue::Expression(_) => Action::Skip,
            },
        };
        actions.push(action);
    }
    actions
}

/// Whether the stored bytes of one column are those of the other for every value.
fn same_bytes(a: &ColumnDef, b: &ColumnDef) -> bool {
    let types = match (&a.ty, &b.ty) {
        // More members behind the old ones leave their numbers.
        (ColumnType::Enum { values: x }, ColumnType::Enum { values: y }) => {
            y.starts_with(x) && schema::layout::enum_bytes(x.len()) == schema::layout::enum_bytes(y.len())
        }
        (ColumnType::Set { values: x }, ColumnType::Set { values: y }) => {
            y.starts_with(x) && schema::layout::set_bytes(x.len()) == schema::layout::set_bytes(y.len())
        }
        (ColumnType::Varchar { bytes: x }, ColumnType::Varchar { bytes: y }) => x <= y,
        (ColumnType::Char { bytes: x }, ColumnType::Char { bytes: y }) => {
            x == y || (x < y && !a.is_binary_string())
        }
        (ColumnType::Blob { length_bytes: x }, ColumnType::Blob { length_bytes: y }) => x <= y,
        (x, y) => x == y,
    };
    types
        && a.unsigned == b.unsigned
        && (!a.is_string() || a.collation.charset.name == b.collation.charset.name)
        && a.generated.is_none()
}
