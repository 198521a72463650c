//! CREATE TABLE.

use std::sync::Arc;

use pages::FilePlan;
use schema::definition::{ColumnType, TableDef, new_uuid};

use super::drop::ExclusiveTables;
use super::keys::{check_table, of_foreign_key, one_counter};
use super::{DefinitionBuilder, create_settings, options};
use crate::ast::{self, CreateTable, IndexDef};
use crate::catalog::engines::Stored;
use crate::error::{self, SqlError, SqlResult};
use crate::names::INFORMATION_SCHEMA;
use crate::names::same_name;
use crate::result::Done;
use crate::session::Session;
use crate::session::tables::Access;
use crate::table::engine::{self, drop_files, new_files};
use crate::table::from_engine;

/// CREATE TABLE.
///
/// # Errors
/// 1050 when it exists, and those of the definition.
pub(super) fn create_table(session: &mut Session, c: &CreateTable, text: &[u8]) -> SqlResult<Done> {
    let (db, name) = session.table_path(&c.name)?;
    if &*db == INFORMATION_SCHEMA {
        let host = session.connection.account().1;
        return Err(SqlError::new(
            error::ER_DBACCESS_DENIED_ERROR,
            &[&session.info.user, &host, &INFORMATION_SCHEMA],
        ));
    }
    let engine = Arc::clone(&session.engine);
    let database = engine.catalog.database(&db)?;
    if !c.temporary && session.locks.active && !engine.catalog.table_exists(&db, &name) {
        return Err(SqlError::new(error::ER_TABLE_NOT_LOCKED, &[&name]));
    }
    if c.partition.is_some() && c.temporary {
        let what = "CREATE TEMPORARY TABLE";
        return Err(SqlError::new(error::codes::ER_FEATURE_NOT_SUPPORTED_WITH_PARTITIONING, &[&what]));
    }
    if c.versioned || c.options.versioned {
        return Err(SqlError::not_supported("WITH SYSTEM VERSIONING"));
    }
    let exists = if c.temporary {
        session.temporary(&db, &name).is_some()
    } else {
        engine.catalog.is_taken(&db, &name)
    };
    let replaces = c.or_replace && (c.temporary || !engine.catalog.is_sequence(&db, &name));
    if exists && !c.temporary {
        session.split(b"").0.check_locked(&db, &name, &name, Access::Write)?;
    }
    if exists && !replaces {
        if let Some(engine) = &c.options.engine {
            options::tell_of_engine(engine, &name, session)?;
        }
        if c.if_not_exists {
            session.ctx.warnings.note(error::ER_TABLE_EXISTS_ERROR, &[&name]);
            return Ok(Done::default());
        }
        return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[&name]));
    }
    crate::names::check_new_table_name(&name)?;
    if !c.temporary && !crate::catalog::database::fits_file(&name) {
        return Err(SqlError::new(error::ER_CANT_CREATE_TABLE, &[&db, &name, &36]));
    }
    if let Some(like) = &c.like {
        let source = session.base(like, &like.name, Access::Shown)?;
        if source.is_sequence() {
            return super::sequence::like(session, c);
        }
        let def = like_definition(session, like, &name)?;
        return make(session, c, &db, &name, def).map(|()| Done::default());
    }
    let mut def = define(session, c, text, (&db, &name), database.collation)?;
    super::merge::check(&mut def)?;
    super::folders::check_outside(session, &mut def)?;
    super::folders::check_lengths(&def, (&db, &name))?;
    if let Some(query) = &c.query {
        if crate::table::merge::is_merge(&def) {
            return Err(match def.options.union.is_empty() {
                true => SqlError::new(error::ER_OPEN_AS_READONLY, &[&name]),
                false => SqlError::new(error::ER_WRONG_OBJECT, &[&db, &name, &"BASE TABLE"]),
            });
        }
        return super::create_select::create_select(session, c, query, text, (&db, &name), def);
    }
    finish(&mut def)?;
    make(session, c, &db, &name, def)?;
    Ok(Done::default())
}

/// The definition that the statement spells out.
fn define(
    session: &mut Session,
    c: &CreateTable,
    text: &[u8],
    (db, name): (&str, &str),
    database: &'static charset::Collation,
) -> SqlResult<TableDef> {
    let settings = session.settings().clone();
    let engine_name = match &c.options.engine {
        Some(e) => e.to_string(),
        None => session.vars.named("default_storage_engine").as_text().to_string(),
    };
    let enforced = options::enforced_engine(session);
    let mut d = DefinitionBuilder {
        enforced,
        engine: engine::default(),
        ctx: &mut session.ctx,
        settings: &settings,
        text,
        table: name,
        db,
        collation: database,
        database_collation: database,
        timestamp_seen: false,
        new_keys_from: 0,
    };
    d.choose_engine(&engine_name, name, c.temporary)?;
    let mut def = TableDef::new(d.engine.info().name, database);
    d.options(&c.options, &mut def.options)?;
    d.folders(&c.options, &mut def.options)?;
    d.collation = def.options.collation;
    if let Some(by) = &c.partition {
        d.shape(&mut by.clone())?;
        if !c.foreign_keys.is_empty() || c.columns.iter().any(|c| c.references.is_some()) {
            return Err(super::partition::foreign_key());
        }
    }
    for column in &c.columns {
        let column_def = d.column(column)?;
        if def.columns.iter().any(|o| same_name(&o.name, &column_def.name)) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[&column.name]));
        }
        def.columns.push(column_def);
    }
    one_counter(&def)?;
    if c.query.is_none() {
        d.foreign_keys(&def, c.foreign_keys.iter())?;
        let indexes = all_indexes(c);
        d.keys(&mut def, &indexes)?;
        d.checks(&c.checks, c.foreign_keys.iter(), &mut def)?;
        super::expressions::validate(&mut def, ("", name), d.ctx)?;
    }
    d.attributes(&c.options.other, &mut def.options.engine_options)?;
    if let (Some(by), None) = (&c.partition, &c.query) {
        d.partition(&mut def, by, c.options.engine.as_deref())?;
    }
    Ok(def)
}

/// Keys and those that foreign keys need.
pub(super) fn all_indexes(c: &CreateTable) -> Vec<(IndexDef, bool)> {
    let mut all: Vec<(IndexDef, bool)> = Vec::with_capacity(c.indexes.len() + c.foreign_keys.len());
    all.extend(c.indexes.iter().map(|i| (i.clone(), false)));
    all.extend(c.foreign_keys.iter().map(|f| (of_foreign_key(f), true)));
    all
}

/// Brings a definition into the form of the files and checks it as a whole.
pub(super) fn finish(def: &mut TableDef) -> SqlResult<()> {
    check_table(def)?;
    def.sort_keys();
    def.renew_hash_columns();
    Ok(())
}

/// The definition of CREATE TABLE ... LIKE.
fn like_definition(session: &mut Session, like: &ast::TableName, name: &str) -> SqlResult<TableDef> {
    let source = session.base(like, &like.name, Access::Shown)?;
    let mut def = TableDef::clone(source.def());
    def.uuid = new_uuid();
    def.server_version = schema::definition::FRM_VERSION;
    def.stored_layout = None;
    def.options.auto_increment = 0;
    for column in &mut def.columns {
        if let ColumnType::OldVarchar { bytes } = column.ty {
            // as the reference does, which makes CHAR of it
            column.ty = ColumnType::Char { bytes };
        }
    }
    def.options.data_directory = None;
    def.options.index_directory = None;
    let db = session.table_path(like)?.0;
    super::folders::forget_parts(session, (&db, name), &mut def)?;
    if let Some(engine) = options::enforced_engine(session) {
        let mode = session.settings().sql_mode;
        if options::replaced_by(engine, &def.options.engine, name, mode, &mut session.ctx)? {
            engine.info().name.clone_into(&mut def.options.engine);
        }
    }
    let years = def.columns.iter().filter(|c| crate::types::declared::is_short_year(c)).count();
    crate::types::declared::warn_short_years(years, &mut session.ctx.warnings);
    super::defaults::check_kept(&mut session.ctx, &def)?;
    Ok(def)
}

/// Makes the files of a new table; with OR REPLACE they take the place of the old one's at once.
pub(super) fn make(
    session: &mut Session,
    c: &CreateTable,
    db: &Arc<str>,
    name: &Arc<str>,
    def: TableDef,
) -> SqlResult<()> {
    if c.temporary {
        return session.create_temporary(db, name, def, super::create_settings(session));
    }
    super::folders::check_free(session, &def, (db, name))?;
    let settings = create_settings(session);
    // An old table, which may be of another engine, goes in the same step.
    let plan = if c.or_replace {
        drop_files(FilePlan::new(), session.engine.store(), db, name)
    } else {
        FilePlan::new()
    };
    let plan = new_files(plan, &def, settings, (db, name)).map_err(|e| from_engine(&e, db, name))?;
    let names = session.lock_names(&[(db, name)])?;
    put_in_place(session, c, db, name, plan)?;
    drop(names);
    if session.locks.active {
        session.relock(db, name)?;
    }
    Ok(())
}

/// Carries out the plan that makes a table, whose name the caller holds; an old one goes in the same step.
///
/// # Errors
/// 1050 when there is a table of the name and no OR REPLACE, 1286 when its engine is unknown.
pub(super) fn put_in_place(
    session: &mut Session,
    c: &CreateTable,
    db: &Arc<str>,
    name: &Arc<str>,
    plan: FilePlan,
) -> SqlResult<()> {
    let engine = Arc::clone(&session.engine);
    engine.catalog.database(db)?;
    let mut old = ExclusiveTables::default();
    if engine.catalog.table_exists(db, name) {
        if !c.or_replace {
            return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[name]));
        }
        if engine.catalog.writable(db, name)? == Stored::View {
            return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[name]));
        }
        old = ExclusiveTables::take(session, vec![(Arc::clone(db), Arc::clone(name))])?;
    }
    let plan = match c.or_replace {
        true => super::trigger::drop_triggers(plan, engine.store(), (db, name)),
        false => plan,
    };
    old.discard(session, plan)?;
    engine.catalog.forget(db, name);
    Ok(())
}
