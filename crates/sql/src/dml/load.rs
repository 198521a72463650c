//! LOAD DATA [LOCAL] INFILE.

use std::io::Read;
use std::sync::Arc;

use schema::definition::{ColumnType, DefaultValue};

use super::insert::{InsertCounters, finish_ids, write_row};
use super::plain_fields::PlainField;
use super::target::Target;
use super::text::{Fields, Format};
use super::update::scope_query;
use super::view::{InsertTarget, InsertView, bits, load_target, with_checked};
use crate::ast::{self, ExprKind, LoadData, LoadTarget, OnDuplicate};
use crate::error::{
    ER_BAD_FIELD_ERROR, ER_BLOBS_AND_NO_TERMINATED, ER_LOAD_FROM_FIXED_SIZE_ROWS_TO_VAR,
    ER_WARN_NULL_TO_NOTNULL, ER_WARN_TOO_FEW_RECORDS, ER_WARN_TOO_MANY_RECORDS, SqlError, SqlResult,
};
use crate::exec::Exec;
use crate::expr::{EvalContext, Expr, Frame, UserVariable};
use crate::file_access::RowFile;
use crate::plan::change::{InsertPlan, Source, WriteSchema};
use crate::plan::{self, QueryPlan};
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::session::select::Planning;
use crate::session::tables::Access;
use crate::table::OpenTable;
use crate::types::{Derivation, FieldType, Kind, Value, ValueRef};
use crate::variables::SqlMode;

/// Where a field goes.
enum To {
    Column(usize),
    Variable(Box<str>),
}

/// Runs the statement.
///
/// # Errors
/// Those of the file and of its rows.
pub(crate) fn run(
    session: &mut Session,
    l: &LoadData,
    text: &[u8],
    sink: &mut dyn ResultSink,
) -> SqlResult<Done> {
    if l.xml {
        return Err(SqlError::not_supported("LOAD XML"));
    }
    let set = charset_of_file(session, l)?;
    check_separators(session, &l.format)?;
    let mut to = target_of(session, l)?;
    to.choose_partitions(&l.partitions)?;
    let InsertTarget { table, view } = to;
    table.check_insertable()?;
    let mut schema = WriteSchema::new(&table, &mut session.ctx)?;
    if let Some(v) = &view {
        schema.check.clone_from(&v.check);
        schema.view = Some(Arc::clone(&v.view));
    }
    let schema = Arc::new(schema);
    let def = Arc::clone(table.def());
    let targets = targets(session, l, &def, view.as_ref())?;
    let widths = widths(&targets, &schema, &l.format)?;
    let readers = session.ctx.statement.bound_readers;
    let collation = charset::Collation::by_id(set.default_collation_id).unwrap_or_else(charset::system);
    let (sets, holder) = bound_assignments(session, l, text, &targets, collation)?;
    let given = |c: &usize| {
        targets.iter().any(|t| matches!(t, To::Column(n) if n == c)) || sets.iter().any(|(n, _)| n == c)
    };
    need_written(session, &table, view.as_ref(), &given)?;
    let missing = (0..def.columns.len()).filter(|c| !given(c)).collect();
    let plan = InsertPlan {
        casts: crate::types::casts::Casts::default(),
        given: Vec::new(),
        columns: Vec::new(),
        missing,
        source: Source::Exprs(Vec::new()),
        on_duplicate: Vec::new(),
        holder: Arc::new(QueryPlan::without_rows()),
        returning: None,
        named: true,
        replace: l.on_duplicate == OnDuplicate::Replace,
        reads_row: false,
        ignore: l.on_duplicate == OnDuplicate::Ignore || l.local && l.on_duplicate == OnDuplicate::Error,
        skips_duplicates: false,
        functions_read: session.ctx.statement.bound_readers > readers,
        cacheable: false,
        table: Arc::clone(&table),
        schema: Arc::clone(&schema),
    };
    let name = String::from_utf8_lossy(&l.format.file).into_owned();
    if l.local && !(session.info.local_files && session.engine().variables.named("local_infile").as_bool()) {
        return Err(SqlError::new(crate::error::ER_LOAD_INFILE_CAPABILITY_DISABLED, &[]));
    }
    warn_of_missing(session, &plan, &def);
    // a file of the server is opened before anything is locked
    let server_file = if l.local { None } else { Some(open_server_file(session, &table.db, &name)?) };
    let mut target = Target::lock(session, &table, &schema)?;
    target.show_to_functions(plan.functions_read, &mut session.ctx);
    session.count_table_locks(std::slice::from_ref(&table));
    let mut progress = InsertCounters::new(session);
    let format = Format::of(&l.format, set, widths.into_iter());
    target.bulk_begin(session, &plan, None);
    let job = Job {
        plan: &plan,
        targets: &targets,
        sets: &sets,
        holder: &holder,
        skip: l.ignore_lines,
        fixed: Format::is_fixed(&l.format),
        collation,
        plain: targets.iter().map(|to| to.plain(&schema, collation)).collect(),
    };
    let result = with_checked(session, schema.checked_tables(), |session, exec| match server_file {
        Some(mut file) => job.rows(session, exec, Fields::new(&mut file, format), &mut target, &mut progress),
        None => sink.local_infile(&name).and_then(|mut file| {
            job.rows(session, exec, Fields::new(&mut *file, format), &mut target, &mut progress)
        }),
    });
    finish_ids(session, &progress);
    let ended = target.end(session, result);
    session.ctx.row = 0;
    ended?;
    Ok(summary(session, &plan, &progress))
}

/// Columns without a value and a default are told, in strict mode, too.
fn warn_of_missing(session: &mut Session, plan: &InsertPlan, def: &schema::definition::TableDef) {
    for c in plan.missing.iter().map(|c| &def.columns[*c]).filter(|c| super::target::lacks_default(c)) {
        session.ctx.warnings.warn(crate::error::ER_NO_DEFAULT_FOR_FIELD, &[&c.name]);
    }
}

fn summary(session: &Session, plan: &InsertPlan, progress: &InsertCounters) -> Done {
    let deleted = if plan.replace { progress.duplicates } else { 0 };
    let skipped = if plan.replace { 0 } else { progress.duplicates };
    let info = format!(
        "Records: {}  Deleted: {deleted}  Skipped: {skipped}  Warnings: {}",
        progress.records - progress.left_out,
        session.ctx.warnings.wire_count()
    );
    // what rows were numbered is told by LAST_INSERT_ID() alone
    Done { affected: progress.affected, info, ..Done::default() }
}

/// Asks for INSERT on the columns that are `given`, those of the view where there is one.
fn need_written(
    session: &Session,
    table: &OpenTable,
    view: Option<&InsertView>,
    given: &dyn Fn(&usize) -> bool,
) -> SqlResult<()> {
    use crate::rights::privilege::INSERT;
    let columns = &table.def().columns;
    match view {
        None => {
            let written = (0..columns.len()).filter(given).map(|c| columns[c].name.as_str());
            session.rights.need_columns(table, written, INSERT)
        }
        Some(v) => {
            for (name, _) in v.columns.iter().filter(|(_, c)| c.is_some_and(|c| given(&c))) {
                session.rights.need_column(&v.view.db, &v.view.name, name, INSERT)?;
            }
            Ok(())
        }
    }
}

/// The table that lines go to, if need be through a view.
fn target_of(session: &mut Session, l: &LoadData) -> SqlResult<InsertTarget> {
    let listed = l.targets.iter().filter_map(|t| match t {
        LoadTarget::Column(c) => Some(c),
        LoadTarget::Variable(_) => None,
    });
    let named: Vec<&ast::ColumnRef> = listed.chain(l.assignments.iter().map(|a| &a.column)).collect();
    let named = if l.targets.is_empty() { &[] } else { &named[..] };
    load_target(session, &l.table, named, bits(l.on_duplicate == OnDuplicate::Replace, false))
}

/// Where the fields of a line go.
fn targets(
    session: &mut Session,
    l: &LoadData,
    def: &schema::definition::TableDef,
    view: Option<&InsertView>,
) -> SqlResult<Vec<To>> {
    let find = |name: &str| match view {
        Some(v) => v.find(name),
        None => def.columns.iter().position(|c| crate::names::same_name(&c.name, name) && !c.is_hash()),
    };
    let mut targets = Vec::new();
    if let (true, Some(v)) = (l.targets.is_empty(), view) {
        targets.extend(v.columns.iter().filter_map(|c| c.1).map(To::Column));
    } else if l.targets.is_empty() {
        let visible =
            |c: &schema::definition::ColumnDef| c.visibility == schema::definition::Visibility::Visible;
        targets.extend((0..def.columns.len()).filter(|c| visible(&def.columns[*c])).map(To::Column));
    }
    for t in &l.targets {
        targets.push(match t {
            LoadTarget::Variable(name) => To::Variable(name.to_lowercase().into()),
            LoadTarget::Column(c) => match find(&c.name) {
                Some(i) => To::Column(i),
                None => return Err(SqlError::new(ER_BAD_FIELD_ERROR, &[&c.name, &"SELECT"])),
            },
        });
    }
    for t in &targets {
        if let To::Variable(name) = t {
            // what SET reads of it exists before it is bound
            session.ctx.variables.entry(name.clone()).or_insert_with(UserVariable::unset);
        }
    }
    Ok(targets)
}

/// Binds the assignments of SET, to which the variables that fields go into are texts of the file.
fn bound_assignments(
    session: &mut Session,
    l: &LoadData,
    text: &[u8],
    targets: &[To],
    collation: &'static charset::Collation,
) -> SqlResult<(Sets, Arc<plan::QueryPlan>)> {
    let ty = FieldType::string(0, collation, Derivation::Implicit).with_nullable(true);
    let mut before = Vec::new();
    for t in targets {
        if let To::Variable(name) = t
            && let Some(slot) = session.ctx.variables.get_mut(name)
        {
            let typed = UserVariable { value: Value::Null, ty: ty.clone() };
            before.push((name.clone(), std::mem::replace(slot, typed)));
        }
    }
    let bound = assignments(session, l, text);
    // one that is named twice has its first value
    session.ctx.variables.extend(before.into_iter().rev());
    bound
}

/// # Errors
/// 1083 for several bytes that enclose or escape. Others than ASCII are told: 1638.
fn check_separators(session: &mut Session, f: &ast::FileFormat) -> SqlResult<()> {
    if [&f.enclosed, &f.escaped].into_iter().flatten().any(|one| one.len() > 1) {
        return Err(SqlError::new(crate::error::ER_WRONG_FIELD_TERMINATORS, &[]));
    }
    let all = [&f.enclosed, &f.escaped, &f.field_terminator, &f.line_start, &f.line_terminator];
    if !all.into_iter().flatten().all(|s| s.is_ascii()) {
        session.ctx.warnings.warn(crate::error::WARN_NON_ASCII_SEPARATOR_NOT_IMPLEMENTED, &[]);
    }
    Ok(())
}

fn charset_of_file(session: &Session, l: &LoadData) -> SqlResult<&'static charset::Charset> {
    Ok(match &l.format.charset {
        Some(name) => charset::Charset::by_name(name)
            .ok_or_else(|| SqlError::new(crate::error::ER_UNKNOWN_CHARACTER_SET, &[name]))?,
        None => {
            let name = session.vars.named("character_set_database").as_text().to_string();
            charset::Charset::by_name(&name).unwrap_or(charset::system().charset)
        }
    })
}

/// Relative names are in the folder of the current database, or else of the table's.
fn open_server_file(session: &Session, db: &str, name: &str) -> SqlResult<RowFile> {
    let folder = session.engine().catalog.directory(session.database().unwrap_or(db));
    session.engine().file_access().open(name, Some(&folder), &session.ctx.kill)
}

type Sets = Vec<(usize, Option<Expr>)>;

/// Binds the assignments of SET.
fn assignments(session: &mut Session, l: &LoadData, text: &[u8]) -> SqlResult<(Sets, Arc<plan::QueryPlan>)> {
    if l.assignments.is_empty() {
        return Ok((Vec::new(), Arc::new(QueryPlan::without_rows())));
    }
    let query = scope_query(&l.table);
    let values: Vec<&ast::Expr> = l
        .assignments
        .iter()
        .map(|a| &a.value)
        .filter(|e| !matches!(e.kind, ExprKind::Default(None)))
        .collect();
    let columns: Vec<&ast::ColumnRef> = l.assignments.iter().map(|a| &a.column).collect();
    let reader = session.take_reader();
    let (view, ctx) = session.split(text);
    let mut env = Planning::new(view, &reader, Access::Given);
    let change = plan::plan_change(
        &query,
        &plan::Asked { exprs: &values, columns: &columns, clause: Some("SELECT"), ..Default::default() },
        &mut env,
        ctx,
    );
    session.give_reader(reader);
    let change = change?;
    let mut exprs = change.exprs.into_iter();
    let mut sets = Vec::new();
    for (a, (_, column)) in l.assignments.iter().zip(&change.columns) {
        let e = if matches!(a.value.kind, ExprKind::Default(None)) { None } else { exprs.next() };
        sets.push((*column, e));
    }
    Ok((sets, change.holder))
}

/// The bytes that each target takes of a line whose fields nothing divides.
///
/// # Errors
/// 1084 for BLOB and TEXT when lines end with nothing either, 1409 for variables.
fn widths(targets: &[To], schema: &WriteSchema, format: &ast::FileFormat) -> SqlResult<Vec<usize>> {
    if !Format::is_fixed(format) {
        return Ok(Vec::new());
    }
    let endless = format.line_terminator.as_deref() == Some(b"");
    let width = |to: &To| match to {
        To::Variable(_) => Err(SqlError::new(ER_LOAD_FROM_FIXED_SIZE_ROWS_TO_VAR, &[])),
        To::Column(c) => match &schema.columns[*c].ty {
            t if t.is_blob() && endless => Err(SqlError::new(ER_BLOBS_AND_NO_TERMINATED, &[])),
            t => Ok(t.length as usize),
        },
    };
    targets.iter().map(width).collect()
}

struct Job<'a> {
    plan: &'a InsertPlan,
    targets: &'a [To],
    sets: &'a [(usize, Option<Expr>)],
    holder: &'a Arc<plan::QueryPlan>,
    skip: u64,
    /// Nothing divides the fields.
    fixed: bool,
    collation: &'static charset::Collation,
    /// How each target takes fields that are plain.
    plain: Vec<PlainField>,
}

impl To {
    fn plain(&self, schema: &WriteSchema, collation: &'static charset::Collation) -> PlainField {
        match self {
            To::Column(c) => PlainField::of(schema, *c, collation),
            To::Variable(_) => PlainField::No,
        }
    }
}

impl Job<'_> {
    fn rows<R: Read + ?Sized>(
        &self,
        session: &mut Session,
        exec: Option<&Exec<'_>>,
        mut fields: Fields<'_, R>,
        target: &mut Target,
        progress: &mut InsertCounters,
    ) -> SqlResult<()> {
        let failed = |e: std::io::Error| {
            SqlError::new(crate::error::ER_ERROR_ON_READ, &[&"LOAD DATA", &e.raw_os_error().unwrap_or(5), &e])
        };
        for _ in 0..self.skip {
            if !fields.skip_line().map_err(failed)? {
                return Ok(());
            }
        }
        let ty = FieldType::string(0, self.collation, Derivation::Implicit);
        let mut batch = Target::batch(&self.plan.schema, 2);
        loop {
            let more = fields.next_row(self.targets.len());
            session.ctx.check_killed()?;
            if !more.map_err(failed)? {
                break;
            }
            progress.records += 1;
            let mode = session.ctx.sql_mode;
            session.ctx.row = progress.records;
            let strict = mode.strict() && !self.plan.ignore;
            target.begin_row(strict, target.changed, &mut session.ctx);
            super::insert::fresh(&mut session.ctx, self.plan, target)?;
            for (i, to) in self.targets.iter().enumerate() {
                if i == fields.count() {
                    // columns without a field are looked at only when those before them went well
                    session.ctx.check_failed()?;
                }
                let field = fields.get(i);
                if let (To::Column(c), Some(Some(bytes))) = (to, field)
                    && self.plain[i].set(*c, bytes, target)
                {
                    continue;
                }
                self.field(session, target, to, field, &ty)?;
            }
            if !self.sets.is_empty() {
                self.set_columns(session, target, &mut batch)?;
            }
            write_row(&mut session.ctx, self.plan, target, progress, &mut batch, exec)?;
            target.show_row()?;
            if fields.extra() {
                let all = mode.has(SqlMode::STRICT_ALL_TABLES);
                session.ctx.set_strict(strict && (target.changed == 0 || all));
                // where that is an error, the values of the next row are looked at before it ends the statement
                self.complain(session, ER_WARN_TOO_MANY_RECORDS);
            }
        }
        session.ctx.check_failed()?;
        Ok(())
    }

    /// A row of another number of fields: in strict mode an error that ends it when all columns were looked at.
    fn complain(&self, session: &mut Session, code: u16) {
        let row = session.ctx.row;
        session.ctx.warnings.warn(code, &[&row]);
    }

    fn field(
        &self,
        session: &mut Session,
        target: &mut Target,
        to: &To,
        field: Option<Option<&[u8]>>,
        ty: &FieldType,
    ) -> SqlResult<()> {
        match (to, field) {
            (To::Column(c), Some(value)) if self.plan.schema.is_generated(*c) => {
                if let Some(bytes) = value {
                    target.judge(*c, ValueRef::Bytes(bytes), ty, &mut session.ctx);
                }
                Ok(())
            }
            (To::Column(c), Some(Some(bytes))) => {
                target.set(*c, ValueRef::Bytes(bytes), ty, true, &mut session.ctx)
            }
            (To::Column(c), Some(None)) => {
                let column = &self.plan.schema.columns[*c];
                // a TIMESTAMP takes the time of the statement, as in INSERT
                let now = column.ty.kind == Kind::Timestamp;
                if column.not_null && !now && !target.pending.on && self.plan.schema.auto != Some(*c) {
                    let row = session.ctx.row;
                    session.ctx.warnings.warn(ER_WARN_NULL_TO_NOTNULL, &[&column.name, &row]);
                    empty(target, *c);
                    return Ok(());
                }
                target.set(*c, ValueRef::Null, ty, true, &mut session.ctx)
            }
            (To::Column(c), None) => {
                self.complain(session, ER_WARN_TOO_FEW_RECORDS);
                // MariaDB takes the row's fields for there, and empty, where they have no separators.
                if self.fixed {
                    empty(target, *c);
                } else {
                    left_out(target, *c, &mut session.ctx);
                }
                Ok(())
            }
            (To::Variable(name), field) => {
                let value = field.flatten().map_or(Value::Null, |bytes| Value::Bytes(bytes.to_vec()));
                session.ctx.set_user_variable(name, value, ty)
            }
        }
    }

    fn set_columns(
        &self,
        session: &mut Session,
        target: &mut Target,
        batch: &mut crate::types::Batch,
    ) -> SqlResult<()> {
        for (column, e) in self.sets {
            let Some(e) = e else {
                target.set_default(*column, true, &mut session.ctx)?;
                if target.pending.on && super::target::lacks_default(&self.plan.table.def().columns[*column])
                {
                    target.pending.add(*column, super::triggers::Lack::Given);
                }
                continue;
            };
            Target::load(&self.plan.schema, &target.new, 0, batch, &session.ctx);
            let v = if self.holder.subqueries.is_empty() {
                e.value_in(Frame::new(batch), &mut session.ctx)?
            } else {
                let holder = Arc::clone(self.holder);
                let value = session.with_snapshot(&self.holder.tables, |session, exec| {
                    let runner = crate::exec::subquery::Runner::new(exec, &holder);
                    e.value_in(Frame { batch, subqueries: Some(&runner) }, &mut session.ctx)
                });
                // What was read of the client's file cannot be read again.
                let changed = || SqlError::internal("the table was changed meanwhile");
                value.map_err(|e| if e.is_stale() { changed() } else { e })?
            };
            target.set(*column, v.as_ref(), &e.ty, true, &mut session.ctx)?;
        }
        Ok(())
    }
}

/// A column for which its line has no field, as in MariaDB: not its default, but NULL where that is what it has
/// without a constant, the time of the statement for a TIMESTAMP that takes no NULL, and else the zero of its type.
fn left_out(target: &mut Target, column: usize, ctx: &mut EvalContext) {
    let table = Arc::clone(&target.table);
    let def = &table.def().columns[column];
    if def.generated.is_some() {
        return;
    }
    let unset = matches!(def.default, DefaultValue::None | DefaultValue::Null | DefaultValue::Now);
    if def.nullable && unset {
        target.new.set_null(column);
    } else if target.pending.on {
        // triggers may give it a value: else one that has no default is told, and a TIMESTAMP has not the time
        let without =
            def.default == DefaultValue::None && !def.nullable && target.schema.auto != Some(column);
        if without {
            // of an ENUM its first member
            target.set_zero(column);
            target.pending.add(column, super::triggers::Lack::Given);
        } else {
            empty(target, column);
        }
    } else if !def.nullable && matches!(def.ty, ColumnType::Timestamp { .. }) {
        let mut now = Vec::new();
        crate::types::store::put_now(&target.schema.columns[column], &mut now, ctx);
        target.new.set(column, &now);
    } else {
        empty(target, column);
    }
}

/// The zero of a column; of an ENUM that is no member of it.
fn empty(target: &mut Target, column: usize) {
    let to = &target.schema.columns[column];
    let mut zero = Vec::new();
    crate::types::store::zero(to, &mut zero);
    if to.ty.kind == crate::types::Kind::Enum {
        zero.fill(0);
    }
    target.new.set(column, &zero);
}
