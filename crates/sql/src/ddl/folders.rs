//! DATA DIRECTORY and INDEX DIRECTORY: what may be asked for, and where files may be made.

use std::path::Path;
use std::sync::Arc;

use schema::definition::{TableDef, TableOptions};

use super::DefinitionBuilder;
use crate::ast::{self, PartitionBy, PartitionOptions};
use crate::error::{self, SqlError, SqlResult};
use crate::session::Session;
use crate::table::engine;
use crate::table::partition::clause_of;
use crate::types::convert::text_of;
use crate::variables::SqlMode;

const DATA: &str = "DATA DIRECTORY";
const INDEX: &str = "INDEX DIRECTORY";

/// Longest path of a file, in bytes.
const MAX_PATH: usize = 511;

impl DefinitionBuilder<'_> {
    /// Those of CREATE TABLE.
    ///
    /// # Errors
    /// 1103 for a path that does not begin at the root.
    pub(super) fn folders(&mut self, o: &ast::TableOptions, to: &mut TableOptions) -> SqlResult<()> {
        let text = |path: &Option<Box<[u8]>>| path.as_ref().map(|p| text_of(p, self.settings.client));
        let (data, index) = (text(&o.data_directory), text(&o.index_directory));
        if let Some(path) = [&data, &index].into_iter().flatten().find(|path| !path.starts_with('/')) {
            return Err(SqlError::new(error::ER_WRONG_TABLE_NAME, &[path]));
        }
        match self.settings.sql_mode.has(SqlMode::NO_DIR_IN_CREATE) {
            true => self.ignore_folders(o),
            false => {
                let clean = |path: Option<String>| path.map(|path| clean(&path));
                (to.data_directory, to.index_directory) = (clean(data), clean(index));
            }
        }
        Ok(())
    }

    /// Those of ALTER TABLE, which moves no files, and of CREATE TABLE under NO_DIR_IN_CREATE.
    pub(super) fn ignore_folders(&mut self, o: &ast::TableOptions) {
        for (given, name) in [(&o.data_directory, DATA), (&o.index_directory, INDEX)] {
            if given.is_some() {
                self.ctx.warnings.warn(error::WARN_OPTION_IGNORED, &[&name]);
            }
        }
    }

    /// Those of partitions: as the definition has them.
    ///
    /// # Errors
    /// 1210 for a path that does not begin at the root.
    pub(super) fn folders_of_parts(&mut self, by: &mut PartitionBy) -> SqlResult<()> {
        let ignores = self.settings.sql_mode.has(SqlMode::NO_DIR_IN_CREATE);
        for partition in &mut by.partitions {
            let own = partition.options.clone();
            for sub in &mut partition.subpartitions {
                let o = &mut sub.options;
                o.data_directory = o.data_directory.take().or_else(|| own.data_directory.clone());
                o.index_directory = o.index_directory.take().or_else(|| own.index_directory.clone());
                self.folders_of_part(o, ignores)?;
            }
            match partition.subpartitions.is_empty() {
                true => self.folders_of_part(&mut partition.options, ignores)?,
                false => forget(&mut partition.options),
            }
        }
        Ok(())
    }

    fn folders_of_part(&mut self, o: &mut PartitionOptions, ignores: bool) -> SqlResult<()> {
        for (path, name) in [(&mut o.data_directory, DATA), (&mut o.index_directory, INDEX)] {
            let Some(given) = path else { continue };
            if ignores {
                self.ctx.warnings.warn(error::WARN_OPTION_IGNORED, &[&name]);
                *path = None;
                continue;
            }
            let text = text_of(given, self.settings.client);
            if !text.starts_with('/') {
                return Err(SqlError::new(error::ER_WRONG_ARGUMENTS, &[&name]));
            }
            *given = clean(&text).into_bytes().into();
        }
        Ok(())
    }
}

/// A path as MariaDB keeps it: without what leads back, or nowhere, by the names alone, and without a slash at the end.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The definition as SHOW CREATE TABLE has it under NO_DIR_IN_CREATE.
pub(crate) fn without(def: Arc<TableDef>) -> Arc<TableDef> {
    if folders_of(&def).next().is_none() {
        return def;
    }
    let mut def = TableDef::clone(&def);
    (def.options.data_directory, def.options.index_directory) = (None, None);
    if let Some(partition) = &mut def.partition {
        for file in &partition.files {
            for (path, name) in [(&file.data_directory, DATA), (&file.index_directory, INDEX)] {
                // other texts of the clause have their quotes behind backslashes
                let Some(path) = path else { continue };
                let said = format!(" {name} = {}", super::partition::text::quote(path));
                partition.clause = partition.clause.replace(&said, "");
            }
        }
    }
    Arc::new(def)
}

fn forget(o: &mut PartitionOptions) {
    (o.data_directory, o.index_directory) = (None, None);
}

/// The folders of a definition, with what they are for.
fn folders_of(def: &TableDef) -> impl Iterator<Item = (&str, &'static str)> {
    let own = std::iter::once((&def.options.data_directory, &def.options.index_directory));
    let parts = def.partition.iter().flat_map(|p| &p.files);
    own.chain(parts.map(|f| (&f.data_directory, &f.index_directory)))
        .flat_map(|(data, index)| [(data, DATA), (index, INDEX)])
        .filter_map(|(path, name)| path.as_deref().map(|path| (path, name)))
}

/// Whether the folders of a new table are outside of the data directory, whose files are other tables'. Engines without files take no
/// notice of them beyond that.
///
/// # Errors
/// 1210.
pub(super) fn check_outside(session: &Session, def: &mut TableDef) -> SqlResult<()> {
    let storage = session.engine.store().storage();
    for (path, name) in folders_of(def) {
        // also below it, where nothing is yet
        let known = Path::new(path).ancestors().find_map(|path| storage.canonical(path).ok());
        let inside = known.map(|known| pages::is_inside(&**storage, session.engine.datadir(), &known));
        if inside.is_some_and(|inside| inside.unwrap_or(true)) {
            return Err(SqlError::new(error::ER_WRONG_ARGUMENTS, &[&name]));
        }
    }
    if engine::engine_of(def).info().name != engine::default().info().name {
        (def.options.data_directory, def.options.index_directory) = (None, None);
    }
    Ok(())
}

/// Whether files of this name can be made in the folders of a new table: before its rows are looked for.
///
/// # Errors
/// 1 when a folder is not there, or a file of the name is; with `keep_files_on_create` also when one is in the data directory.
pub(super) fn check_free(session: &Session, def: &TableDef, (db, name): (&str, &str)) -> SqlResult<()> {
    let storage = session.engine.store().storage();
    let (index, data) = engine::row_files(engine::engine_of(def), (db, name));
    if session.vars.named("keep_files_on_create").as_bool() {
        for path in [&index, &data] {
            let full = session.engine.datadir().join(path);
            if storage.identity(&full).is_ok_and(|found| found.is_some())
                && !session.engine.catalog.table_exists(db, name)
            {
                let shown = Path::new(".").join(path);
                return Err(from_create(&shown, std::io::Error::from_raw_os_error(17), name));
            }
        }
    }
    for (folder, link) in [(&def.options.index_directory, index), (&def.options.data_directory, data)] {
        let (Some(folder), Some(file)) = (folder, link.file_name()) else { continue };
        let path = Path::new(folder).join(file);
        let failed = |e| from_create(&path, e, name);
        let real = storage.canonical(Path::new(folder)).map_err(failed)?.join(file);
        // the one that OR REPLACE replaces goes
        let own = storage.canonical(&session.engine.datadir().join(&link)).is_ok_and(|own| own == real);
        if !storage.is_dir(Path::new(folder)).map_err(failed)? {
            return Err(failed(std::io::Error::from_raw_os_error(20)));
        }
        if !own && storage.identity(&real).map_err(failed)?.is_some() {
            return Err(failed(std::io::Error::from_raw_os_error(17)));
        }
    }
    Ok(())
}

fn from_create(path: &Path, e: std::io::Error, table: &str) -> SqlError {
    crate::failure::from_pages(&pages::Error::io(path, "create", e), table)
}

/// Whether the paths of files in the folders of a new table are short enough for MariaDB.
///
/// # Errors
/// 1005 with 36.
pub(super) fn check_lengths(def: &TableDef, (db, name): (&str, &str)) -> SqlResult<()> {
    let file = schema::file_name::encode(name).len() + "/.MYI".len();
    match folders_of(def).any(|(path, _)| path.trim_end_matches('/').len() + file > MAX_PATH) {
        true => Err(SqlError::new(error::ER_CANT_CREATE_TABLE, &[&db, &name, &36])),
        false => Ok(()),
    }
}

/// Takes the folders of its partitions out of the definition that CREATE TABLE ... LIKE copies.
///
/// # Errors
/// Those of the clause.
pub(super) fn forget_parts(session: &mut Session, path: (&str, &str), def: &mut TableDef) -> SqlResult<()> {
    if folders_of(def).next().is_none() {
        return Ok(());
    }
    let Some(partition) = &def.partition else { return Ok(()) };
    let mut by = clause_of(partition)?;
    for partition in &mut by.partitions {
        forget(&mut partition.options);
        partition.subpartitions.iter_mut().for_each(|sub| forget(&mut sub.options));
    }
    *def = super::partition::alter::redefined(session, &[], path, def, (by, None))?;
    Ok(())
}

/// Whether two folders are one, by their paths.
pub(super) fn same(a: &Option<String>, b: &Option<String>) -> bool {
    let path = |path: &Option<String>| path.as_ref().map(|path| path.trim_end_matches('/').to_owned());
    path(a) == path(b)
}
