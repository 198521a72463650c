//! What the actions of ALTER TABLE make of a definition.

use std::cell::Cell;

use charset::{Charset, Collation};
use schema::definition::{
    CheckDef, ColumnDef, ColumnType, DefaultValue, KeyAlgorithm, KeyDef, KeyKind, TableDef, TableOptions,
    new_uuid,
};
use schema::layout::key_length;

use crate::ast::{self, AlterOp, ColumnPlace, OrderItem};
use crate::ddl::expressions::{renamed, validate};
use crate::ddl::keys::{check_table, of_foreign_key, one_counter};
use crate::ddl::{DefinitionBuilder, defaults};
use crate::error::{self, SqlError, SqlResult};
use crate::names::same_name;
use crate::types::collations::combine;
use crate::types::declared::varchar;

/// How much of a table a change touches, in rising order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Neither definition nor rows.
    #[default]
    Nothing,
    /// The definition; the rows and keys stay as they are stored.
    Definition,
    /// The keys are others; the rows stay as they are stored.
    Keys,
    /// Rows and keys must be written anew.
    Rebuild,
}

/// A column of the new definition.
struct WorkColumn {
    def: ColumnDef,
    /// The old column whose values it takes.
    from: Option<usize>,
}

/// Whether the key that a foreign key made gives way to a new one, which begins with its columns.
fn gives_way(columns: &[String], new_keys: &[(ast::IndexDef, bool)]) -> bool {
    new_keys.iter().any(|(index, generated)| {
        let parts = &index.parts;
        // even to one of full text, as in the reference server
        !generated
            && index.kind != ast::IndexKind::Spatial
            && parts.len() >= columns.len()
            && columns.iter().zip(parts).all(|(c, p)| p.length.is_none() && same_name(&p.column, c))
    })
}

/// A definition being changed. Keys name their columns, as columns move about.
pub(super) struct AlterBuilder {
    columns: Vec<WorkColumn>,
    keys: Vec<(KeyDef, Vec<String>)>,
    new_keys: Vec<(ast::IndexDef, bool)>,
    foreign_keys: Vec<ast::ForeignKey>,
    /// Unique keys of several columns that lost one, and that column: such keys must go as a whole.
    keys_missing_column: Vec<(String, String)>,
    /// Those of the table that stay, with its columns' new names.
    checks: Vec<CheckDef>,
    /// Those that are added, by the names that columns have at the end.
    new_checks: Vec<ast::CheckDef>,
    /// Columns that go.
    dropped: Vec<String>,
    options: TableOptions,
    /// A clause of its own says the set or collation of the table: CONVERT TO is for the columns then.
    own_collation: bool,
    /// What must be done.
    pub change: Change,
    /// The answer tells of rows (all but RENAME and ENABLE/DISABLE KEYS alone).
    pub tells: bool,
    /// The primary key goes, in whatever order the changes are written: its columns may become nullable.
    pub drops_primary: bool,
    /// ORDER BY.
    pub order: Vec<OrderItem>,
    /// ENABLE KEYS (true), DISABLE KEYS (false).
    pub keys_enabled: Option<bool>,
    /// Where the values of each new column come from.
    pub from: Vec<Option<usize>>,
    /// Rows left out by ALTER IGNORE.
    pub duplicates: Cell<u64>,
    /// ALGORITHM, or what `alter_algorithm` says.
    pub algorithm: Option<String>,
    lock: Option<String>,
    /// The table gets another name.
    pub renames: bool,
    /// RENAME: the name that the table gets.
    pub renamed: Option<crate::ast::Name>,
}

fn cannot_drop(kind: &str, name: &str) -> SqlError {
    SqlError::new(error::ER_CANT_DROP_FIELD_OR_KEY, &[&kind, &name])
}

impl AlterBuilder {
    /// Nothing changed yet.
    pub fn new(old: &TableDef) -> AlterBuilder {
        let columns = old
            .columns
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_hash())
            .map(|(i, c)| WorkColumn { def: ColumnDef { ty: c.ty.renewed(), ..c.clone() }, from: Some(i) })
            .collect();
        let keys = old
            .keys
            .iter()
            .map(|k| (k.clone(), k.parts.iter().map(|p| old.columns[p.column].name.clone()).collect()))
            .collect();
        AlterBuilder {
            columns,
            keys,
            new_keys: Vec::new(),
            foreign_keys: Vec::new(),
            keys_missing_column: Vec::new(),
            checks: old.checks.clone(),
            new_checks: Vec::new(),
            dropped: Vec::new(),
            options: old.options.clone(),
            own_collation: false,
            change: Change::Nothing,
            tells: false,
            drops_primary: false,
            order: Vec::new(),
            keys_enabled: None,
            from: Vec::new(),
            duplicates: Cell::new(0),
            algorithm: None,
            lock: None,
            renames: false,
            renamed: None,
        }
    }

    fn needs(&mut self, change: Change) {
        self.change = self.change.max(change);
        self.tells = true;
    }

    /// Columns that stand in another order than before make another row; `FIRST` and `AFTER` may say where they are.
    pub fn notice_order(&mut self) {
        let kept = self.columns.iter().filter_map(|c| c.from);
        if !kept.is_sorted() {
            self.needs(Change::Rebuild);
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| same_name(&c.def.name, name))
    }

    /// Actions that MariaDB does not take together, wherever they stand: a key is IGNORED and dropped, a column that
    /// is renamed to its own name is changed.
    ///
    /// # Errors
    /// 1176, 1054.
    pub fn check_together(&self, ops: &[AlterOp], table: &str) -> SqlResult<()> {
        for op in ops {
            let other = |same: &dyn Fn(&AlterOp) -> bool| ops.iter().any(same);
            match op {
                AlterOp::AlterIndex { name, if_exists: false, .. } => {
                    let drops = |op: &AlterOp| match op {
                        AlterOp::DropIndex { name: n, .. } | AlterOp::RenameIndex { old: n, .. } => {
                            same_name(n, name)
                        }
                        _ => false,
                    };
                    if self.find_key(name).is_some() && other(&drops) {
                        return Err(SqlError::new(error::ER_KEY_DOES_NOT_EXISTS, &[name, &table]));
                    }
                }
                AlterOp::RenameColumn { old, new, .. } if same_name(old, new) && self.find(old).is_some() => {
                    let changes = |op: &AlterOp| match op {
                        AlterOp::AlterDefault { column: n, if_exists: false, .. }
                        | AlterOp::ChangeColumn { old: n, if_exists: false, .. }
                        | AlterOp::DropColumn { name: n, if_exists: false } => same_name(n, old),
                        _ => false,
                    };
                    if other(&changes) {
                        return Err(AlterBuilder::unknown(old, table));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn find_key(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|(k, _)| same_name(&k.name, name))
    }

    /// Whether the statement itself adds a key of this name.
    fn adds_key(&self, name: &str) -> bool {
        self.new_keys.iter().any(|(k, _)| key_name(k).is_some_and(|n| same_name(n, name)))
    }

    fn unknown(name: &str, table: &str) -> SqlError {
        SqlError::new(error::ER_BAD_FIELD_ERROR, &[&name, &table])
    }

    /// Puts a column where the statement wants it.
    fn place(
        &mut self,
        column: WorkColumn,
        place: &ColumnPlace,
        stay: Option<usize>,
        table: &str,
    ) -> SqlResult<()> {
        let at = match place {
            ColumnPlace::First => 0,
            ColumnPlace::After(name) => match self.find(name) {
                Some(i) => i + 1,
                None => return Err(AlterBuilder::unknown(name, table)),
            },
            ColumnPlace::Unsaid => stay.unwrap_or(self.columns.len()),
        };
        self.columns.insert(at, column);
        Ok(())
    }

    /// Carries out one action.
    ///
    /// # Errors
    /// 1060, 1061, 1054, 1091, 1176 and those of definitions.
    #[expect(clippy::too_many_lines, reason = "an arm for each action")]
    pub fn apply(&mut self, d: &mut DefinitionBuilder<'_>, op: &AlterOp) -> SqlResult<()> {
        let table = d.table;
        match op {
            AlterOp::AddColumn { if_not_exists, column, place } => {
                self.add_column(d, *if_not_exists, column, place)?;
            }
            AlterOp::ChangeColumn { if_exists, old, column, place } => {
                self.change_column(d, *if_exists, old, column, place)?;
            }
            AlterOp::RenameColumn { if_exists, old, new } => {
                self.rename_column_to(d, *if_exists, old, new)?;
            }
            AlterOp::DropColumn { if_exists, name } => {
                self.drop_column(d, *if_exists, name)?;
            }
            AlterOp::AlterDefault { if_exists, column, default } => {
                let Some(i) = self.find(column) else {
                    return self.absent(d, *if_exists, AlterBuilder::unknown(column, table));
                };
                self.set_default(d, i, default.as_ref())?;
                self.needs(Change::Definition);
            }
            AlterOp::AddIndex(index) => {
                self.add_index(d, index)?;
            }
            AlterOp::AddForeignKey(f) => {
                self.new_keys.push((of_foreign_key(f), true));
                self.foreign_keys.push(ast::ForeignKey::clone(f));
                self.needs(Change::Keys);
            }
            AlterOp::DropIndex { if_exists, name } => {
                let Some(i) = self.find_key(name) else {
                    return self.absent(d, *if_exists, cannot_drop("INDEX", name));
                };
                self.keys.remove(i);
                self.needs(Change::Keys);
            }
            AlterOp::DropPrimaryKey { if_exists } => {
                let Some(i) = self.keys.iter().position(|(k, _)| k.kind == KeyKind::Primary) else {
                    return self.absent(d, *if_exists, cannot_drop("INDEX", "PRIMARY"));
                };
                self.keys.remove(i);
                self.needs(Change::Keys);
            }
            AlterOp::DropForeignKey { if_exists, name } => {
                return self.absent(d, *if_exists, cannot_drop("FOREIGN KEY", name));
            }
            AlterOp::DropConstraint { if_exists, name } => {
                self.drop_constraint(d, *if_exists, name)?;
            }
            AlterOp::AddCheck(check) => {
                self.add_check(d, check);
            }
            AlterOp::RenameIndex { if_exists, old, new } => {
                self.rename_index(d, *if_exists, old, new)?;
            }
            AlterOp::AlterIndex { if_exists, name, ignored } => {
                self.alter_index(d, *if_exists, name, *ignored)?;
            }
            AlterOp::Rename(_) => {}
            AlterOp::DisableKeys | AlterOp::EnableKeys if !d.engine.can().maintenance => {
                if self.keys.iter().any(|(k, _)| !k.is_unique()) {
                    d.ctx.warnings.note(error::ER_ILLEGAL_HA, &[&d.engine.info().name, &d.db, &d.table]);
                }
            }
            AlterOp::DisableKeys => self.keys_enabled = Some(false),
            AlterOp::EnableKeys => self.keys_enabled = Some(true),
            AlterOp::OrderBy(order) => {
                self.order = order.clone();
                self.needs(Change::Rebuild);
            }
            AlterOp::ConvertTo(charset, collation) => {
                let collation = combine(charset.as_deref(), collation.as_deref(), d.database_collation)?;
                self.convert(d, collation)?;
                self.needs(Change::Rebuild);
            }
            AlterOp::Options(o) => self.set_options(d, o)?,
            AlterOp::Force => self.needs(Change::Rebuild),
            AlterOp::Algorithm(word) if &**word == "DEFAULT" => {}
            AlterOp::Algorithm(word) => self.algorithm = Some(word.to_string()),
            AlterOp::Lock(word) => self.lock = Some(word.to_string()),
            AlterOp::Tablespace(_) => {
                return Err(SqlError::new(error::ER_ILLEGAL_HA, &[&d.engine.info().name, &d.db, &table]));
            }
            // the clause comes last
            AlterOp::Partition(_) => {}
            AlterOp::Versioning(_) => return Err(SqlError::not_supported("system versioning")),
        }
        Ok(())
    }

    fn add_column(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        if_not_exists: bool,
        column: &ast::ColumnDef,
        place: &ColumnPlace,
    ) -> SqlResult<()> {
        let table = d.table;
        self.tells = true;
        if self.find(&column.name).is_some() {
            if if_not_exists {
                d.ctx.warnings.note(error::ER_DUP_FIELDNAME, &[&column.name]);
                return Ok(());
            }
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[&column.name]));
        }
        d.collation = self.options.collation;
        let def = d.column(column)?;
        self.place(WorkColumn { def, from: None }, place, None, table)?;
        self.needs(Change::Rebuild);
        Ok(())
    }

    fn rename_column_to(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        if_exists: bool,
        old: &str,
        new: &str,
    ) -> SqlResult<()> {
        let table = d.table;
        let Some(i) = self.find(old) else {
            return self.absent(d, if_exists, AlterBuilder::unknown(old, table));
        };
        if self.find(new).is_some_and(|n| n != i) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[&new]));
        }
        crate::names::check_column_name(new)?;
        self.rename_column(i, new);
        self.needs(Change::Definition);
        Ok(())
    }

    fn drop_column(&mut self, d: &mut DefinitionBuilder<'_>, if_exists: bool, name: &str) -> SqlResult<()> {
        let Some(i) = self.find(name) else {
            return self.absent(d, if_exists, cannot_drop("COLUMN", name));
        };
        self.dropped.push(self.columns.remove(i).def.name);
        for (key, names) in &mut self.keys {
            while let Some(p) = names.iter().position(|n| same_name(n, name)) {
                names.remove(p);
                key.parts.remove(p);
                if matches!(key.kind, KeyKind::Primary | KeyKind::Unique) && !names.is_empty() {
                    self.keys_missing_column.push((key.name.clone(), name.to_string()));
                }
            }
        }
        self.keys.retain(|(_, names)| !names.is_empty());
        self.needs(Change::Rebuild);
        Ok(())
    }

    fn add_index(&mut self, d: &mut DefinitionBuilder<'_>, index: &ast::IndexDef) -> SqlResult<()> {
        self.tells = true;
        if index.if_not_exists
            && let Some(name) = key_name(index)
            && (self.find_key(name).is_some() || self.adds_key(name))
        {
            d.ctx.warnings.note(error::ER_DUP_KEYNAME, &[&name]);
            return Ok(());
        }
        self.new_keys.push((ast::IndexDef::clone(index), false));
        self.needs(Change::Keys);
        Ok(())
    }

    fn drop_constraint(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        if_exists: bool,
        name: &str,
    ) -> SqlResult<()> {
        if let Some(i) = self.checks.iter().position(|c| same_name(&c.name, name)) {
            self.checks.remove(i);
            self.needs(Change::Definition);
        } else if let Some(i) = self.find_key(name).filter(|i| self.keys[*i].0.is_unique()) {
            self.keys.remove(i);
            self.needs(Change::Keys);
        } else {
            return self.absent(d, if_exists, cannot_drop("CONSTRAINT", name));
        }
        Ok(())
    }

    fn add_check(&mut self, d: &mut DefinitionBuilder<'_>, check: &ast::CheckDef) {
        self.tells = true;
        let of_table = |c: &CheckDef| check.name.as_ref().is_some_and(|n| same_name(n, &c.name));
        if check.if_not_exists && self.checks.iter().any(of_table) {
            let name = check.name.as_deref().unwrap_or_default();
            d.ctx.warnings.push_error(crate::warning::Level::Note, &crate::ddl::checks::duplicate(name));
            return;
        }
        self.new_checks.push(ast::CheckDef::clone(check));
        self.needs(Change::Rebuild);
    }

    fn rename_index(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        if_exists: bool,
        old: &str,
        new: &str,
    ) -> SqlResult<()> {
        let table = d.table;
        let Some(i) = self.find_key(old) else {
            return self.absent(d, if_exists, SqlError::new(error::ER_KEY_DOES_NOT_EXISTS, &[&old, &table]));
        };
        if self.find_key(new).is_some_and(|n| n != i) {
            return Err(SqlError::new(error::ER_DUP_KEYNAME, &[&new]));
        }
        crate::ddl::keys::check_key_name(new)?;
        self.keys[i].0.name = new.to_string();
        self.needs(Change::Definition);
        Ok(())
    }

    fn alter_index(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        if_exists: bool,
        name: &str,
        ignored: bool,
    ) -> SqlResult<()> {
        let table = d.table;
        let Some(i) = self.find_key(name) else {
            return self.absent(d, if_exists, SqlError::new(error::ER_KEY_DOES_NOT_EXISTS, &[&name, &table]));
        };
        self.keys[i].0.ignored = ignored;
        self.needs(Change::Definition);
        Ok(())
    }

    /// What an action names is not there: a note with IF EXISTS.
    fn absent(&mut self, d: &mut DefinitionBuilder<'_>, if_exists: bool, e: SqlError) -> SqlResult<()> {
        if !if_exists {
            return Err(e);
        }
        self.tells = true;
        d.ctx.warnings.push_error(crate::warning::Level::Note, &e);
        Ok(())
    }

    fn change_column(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        if_exists: bool,
        old: &str,
        column: &ast::ColumnDef,
        place: &ColumnPlace,
    ) -> SqlResult<()> {
        let Some(i) = self.find(old) else {
            return self.absent(d, if_exists, AlterBuilder::unknown(old, d.table));
        };
        if self.find(&column.name).is_some_and(|n| n != i) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[&column.name]));
        }
        d.collation = self.options.collation;
        let mut def = d.column(column)?;
        let before = self.columns.remove(i);
        if before.def.is_virtual() != def.is_virtual() {
            return Err(SqlError::new(error::ER_UNSUPPORTED_ACTION_ON_GENERATED_COLUMN, &[]));
        }
        let in_primary = !self.drops_primary
            && self.keys.iter().any(|(k, names)| {
                k.kind == KeyKind::Primary && names.iter().any(|n| same_name(n, &before.def.name))
            });
        if in_primary {
            def.nullable = false;
            if def.default == DefaultValue::Null {
                def.default = DefaultValue::None;
            }
        }
        let change = if stored_alike(&before.def, &def) { Change::Definition } else { Change::Rebuild };
        // a virtual column without keys may be computed otherwise: no row has it
        let keyed = self.keys.iter().any(|(_, names)| names.iter().any(|n| same_name(n, &before.def.name)));
        let change = if before.def.is_virtual() && !keyed {
            let mut other = before.def.clone();
            other.generated.clone_from(&def.generated);
            if stored_alike(&other, &def) { Change::Definition } else { change }
        } else {
            change
        };
        let (before_is_text, before_set) = (before.def.is_string(), before.def.collation.charset);
        let (from, name) = (before.from, before.def.name);
        if !same_name(&name, &def.name) {
            self.rename_in_expressions(&name, &def.name);
        }
        for (key, names) in &mut self.keys {
            for (part, n) in key.parts.iter_mut().zip(names.iter_mut()) {
                if !same_name(n, &name) {
                    continue;
                }
                n.clone_from(&def.name);
                // part of a text stays so many characters
                if before_is_text && def.is_string() {
                    part.prefix = part.prefix.map(|p| {
                        let bytes = u32::from(p) / mb(before_set) * mb(def.collation.charset);
                        u16::try_from(bytes).unwrap_or(u16::MAX)
                    });
                }
                // A prefix that is not shorter than the column any more is the whole column.
                let whole = key_length(&def);
                let strings = matches!(def.ty, ColumnType::Char { .. } | ColumnType::Varchar { .. });
                if let Some(bytes) = part.prefix
                    && !def.ty.is_blob()
                    && (!strings || u32::from(bytes) >= whole)
                {
                    part.prefix = None;
                }
            }
        }
        self.place(WorkColumn { def, from }, place, Some(i), d.table)?;
        self.needs(change);
        Ok(())
    }

    fn rename_column(&mut self, i: usize, new: &str) {
        let old = std::mem::replace(&mut self.columns[i].def.name, new.to_string());
        self.rename_in_expressions(&old, new);
        for (_, names) in &mut self.keys {
            for n in names.iter_mut().filter(|n| same_name(n, &old)) {
                *n = new.to_string();
            }
        }
    }

    /// Expressions follow a column's new name.
    fn rename_in_expressions(&mut self, old: &str, new: &str) {
        let rename = |text: &mut String| *text = renamed(text, old, new);
        for c in &mut self.columns {
            if let Some(g) = &mut c.def.generated {
                rename(&mut g.expression);
            }
            if let Some(check) = &mut c.def.check {
                rename(check);
            }
            if let DefaultValue::Expression(computed) = &mut c.def.default {
                rename(&mut computed.text);
            }
        }
        self.checks.iter_mut().for_each(|c| rename(&mut c.expression));
    }

    fn set_default(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        i: usize,
        default: Option<&ast::Expr>,
    ) -> SqlResult<()> {
        let column = &mut self.columns[i].def;
        if column.generated.is_some() {
            return Ok(());
        }
        let invalid = || SqlError::new(error::ER_INVALID_DEFAULT, &[&column.name]);
        column.default = match default {
            None if column.nullable => DefaultValue::Null,
            None => DefaultValue::None,
            Some(_) if column.auto_increment => return Err(invalid()),
            Some(e) => match defaults::kind_of(e) {
                defaults::DefaultKind::Null if column.nullable => DefaultValue::Null,
                defaults::DefaultKind::Null => return Err(invalid()),
                defaults::DefaultKind::Constant if !column.ty.is_blob() => {
                    let bytes = defaults::constant_bytes(d, e, column)?;
                    DefaultValue::Value(bytes.into())
                }
                defaults::DefaultKind::Now
                    if matches!(column.ty, ColumnType::DateTime { .. } | ColumnType::Timestamp { .. })
                        && !defaults::is_coarser(e, &column.ty) =>
                {
                    DefaultValue::Now
                }
                _ => {
                    let mut e = e.clone();
                    let db = d.ctx.connection.database.clone();
                    crate::ddl::sequence::qualify(&mut e, db.as_deref().unwrap_or(d.db));
                    let value = defaults::computed(d, &e, column)?;
                    DefaultValue::Expression(schema::definition::Computed { text: d.print(&e), value })
                }
            },
        };
        Ok(())
    }

    fn set_options(&mut self, d: &mut DefinitionBuilder<'_>, o: &ast::TableOptions) -> SqlResult<()> {
        // files are not moved
        let folders = o.data_directory.is_some() || o.index_directory.is_some();
        let words = ast::TableOptions {
            comment: None,
            row_format: None,
            data_directory: None,
            index_directory: None,
            // a table without a column for it counts from 1 as it is
            auto_increment: o
                .auto_increment
                .filter(|n| *n != 1 || self.columns.iter().any(|c| c.def.auto_increment)),
            ..o.clone()
        };
        let only_words = words.is_empty()
            && (folders || o.comment.is_some() || o.row_format.is_some() || o.auto_increment.is_some());
        let format = self.options.row_format;
        if let Some(engine) = &o.engine {
            let table = self.renamed.clone();
            d.change_engine(engine, table.as_deref().unwrap_or(d.table))?;
            d.engine.info().name.clone_into(&mut self.options.engine);
            if d.engine.info().name != crate::table::engine::default().info().name {
                (self.options.data_directory, self.options.index_directory) = (None, None);
            }
        }
        let counter = o.auto_increment;
        d.options(o, &mut self.options)?;
        d.ignore_folders(o);
        self.own_collation |= o.charset.is_some() || o.collation.is_some();
        d.attributes(&o.other, &mut self.options.engine_options)?;
        if let Some(n) = counter {
            self.options.auto_increment = n;
        }
        // a format that the table has already changes no row
        let same = only_words && self.options.row_format == format;
        self.needs(if same { Change::Definition } else { Change::Rebuild });
        Ok(())
    }

    /// CONVERT TO CHARACTER SET: every text column takes the collation.
    ///
    /// # Errors
    /// 1074.
    fn convert(&mut self, d: &mut DefinitionBuilder<'_>, to: &'static Collation) -> SqlResult<()> {
        if !self.own_collation {
            self.options.collation = to;
        }
        for c in &mut self.columns {
            let def = &mut c.def;
            if !def.is_string() || def.is_binary_string() {
                continue;
            }
            let (from_max, to_max) = (mb(def.collation.charset), mb(to.charset));
            def.ty = match def.ty.clone() {
                ColumnType::Char { bytes } => {
                    ColumnType::Char { bytes: (u32::from(bytes) / from_max * to_max) as u16 }
                }
                ColumnType::Varchar { bytes } => {
                    let chars = u64::from(u32::from(bytes) / from_max);
                    let (mode, warnings) = (d.settings.sql_mode, &mut d.ctx.warnings);
                    varchar(&def.name, (chars, u64::from(to_max)), false, mode, warnings)?
                }
                // A text that may not fit any more takes the next size.
                ColumnType::Blob { length_bytes } if to_max > from_max => {
                    ColumnType::Blob { length_bytes: (length_bytes + 1).min(4) }
                }
                ColumnType::Enum { values } => {
                    ColumnType::Enum { values: convert_members(&values, def.collation.charset, to.charset) }
                }
                ColumnType::Set { values } => {
                    ColumnType::Set { values: convert_members(&values, def.collation.charset, to.charset) }
                }
                other => other,
            };
            if let DefaultValue::Value(v) = &def.default
                && !matches!(def.ty, ColumnType::Enum { .. } | ColumnType::Set { .. })
            {
                let mut out = Vec::new();
                def.collation.charset.convert(v, to.charset, &mut out);
                def.default = DefaultValue::Value(out.into());
            }
            for (key, names) in &mut self.keys {
                for (part, n) in key.parts.iter_mut().zip(names.iter()) {
                    if same_name(n, &def.name) {
                        part.prefix = part.prefix.map(|p| {
                            let bytes = u32::from(p) / from_max * to_max;
                            u16::try_from(bytes).unwrap_or(u16::MAX)
                        });
                    }
                }
            }
            def.collation = to;
        }
        Ok(())
    }

    /// The new definition, checked as a whole.
    ///
    /// # Errors
    /// 1090 without columns, and those of keys. A temporary table is always made anew.
    pub fn finish(
        &mut self,
        d: &mut DefinitionBuilder<'_>,
        old: &TableDef,
        temporary: bool,
    ) -> SqlResult<TableDef> {
        let changes = self.change > Change::Nothing;
        // hashes are computed anew, whatever changes
        if changes && old.keys.iter().any(|k| k.algorithm == KeyAlgorithm::LongHash) {
            self.needs(Change::Rebuild);
        }
        // so is a VARCHAR of 4.1
        if changes && old.columns.iter().any(|c| c.ty.renewed() != c.ty) {
            self.needs(Change::Rebuild);
        }
        if temporary && changes || self.asks_for_copy() && (changes || self.renames) {
            self.needs(Change::Rebuild);
        }
        if self.columns.is_empty() {
            return Err(SqlError::new(error::ER_CANT_REMOVE_ALL_FIELDS, &[]));
        }
        if let Some((_, column)) =
            self.keys_missing_column.iter().find(|(name, _)| self.keys.iter().any(|(k, _)| k.name == *name))
        {
            return Err(SqlError::new(error::ER_KEY_COLUMN_DOES_NOT_EXIST, &[column]));
        }
        let mut def = old.clone();
        def.server_version = schema::definition::FRM_VERSION;
        def.uuid = new_uuid();
        // by the text before columns got other names
        let gone = |c: &CheckDef| {
            let before = old.checks.iter().find(|o| same_name(&o.name, &c.name));
            before.is_some_and(|o| crate::ddl::checks::goes_with(&o.expression, old, &self.dropped))
        };
        self.checks.retain(|c| !gone(c));
        def.checks = self.checks.clone();
        def.options = self.options.clone();
        def.columns = self.columns.iter().map(|c| c.def.clone()).collect();
        self.from = self.columns.iter().map(|c| c.from).collect();
        one_counter(&def)?;
        let new_keys = std::mem::take(&mut self.new_keys);
        self.keys.retain(|(key, columns)| !(key.generated && gives_way(columns, &new_keys)));
        def.keys = Vec::with_capacity(self.keys.len() + new_keys.len());
        for (key, names) in &self.keys {
            let mut key = key.clone();
            for (part, name) in key.parts.iter_mut().zip(names) {
                part.column = def
                    .columns
                    .iter()
                    .position(|c| same_name(&c.name, name))
                    .ok_or_else(|| SqlError::new(error::ER_KEY_COLUMN_DOES_NOT_EXIST, &[name]))?;
            }
            def.keys.push(key);
        }
        if self.change >= Change::Keys {
            d.rebuild_key_parts(&mut def)?;
        }
        d.foreign_keys(&def, self.foreign_keys.iter())?;
        d.new_keys_from = def.keys.len();
        d.keys(&mut def, &new_keys)?;
        if changes {
            d.checks(&self.new_checks, self.foreign_keys.iter(), &mut def)?;
        }
        if self.change >= Change::Keys {
            def.stored_layout = None;
        }
        if def.keys.iter().any(|k| k.kind == KeyKind::Fulltext) && !d.engine.can().fulltext {
            return Err(SqlError::new(error::ER_TABLE_CANT_HANDLE_FT, &[&d.engine.info().name]));
        }
        crate::ddl::merge::check(&mut def)?;
        check_table(&def)?;
        validate(&mut def, ("", d.table), d.ctx)?;
        if self.change >= Change::Keys {
            def.sort_keys();
        }
        def.renew_hash_columns();
        self.from.resize(def.columns.len(), None);
        self.check_algorithm()?;
        Ok(def)
    }

    fn asks_for_copy(&self) -> bool {
        self.algorithm.as_deref() == Some("COPY")
    }

    /// ALGORITHM and LOCK that the change cannot keep.
    fn check_algorithm(&self) -> SqlResult<()> {
        let refuse = |what: &str, instead: &str| {
            Err(SqlError::new(error::ER_ALTER_OPERATION_NOT_SUPPORTED, &[&what, &instead]))
        };
        let lock = self.lock.as_deref();
        if self.change < Change::Keys {
            let only_moves = self.change == Change::Nothing && (self.renames || self.keys_enabled.is_some());
            if only_moves && matches!(lock, Some("NONE" | "SHARED")) {
                return refuse("LOCK=NONE/SHARED", "LOCK=EXCLUSIVE");
            }
            return Ok(());
        }
        if let Some(word) = self.algorithm.as_deref().filter(|w| !matches!(*w, "DEFAULT" | "COPY")) {
            return refuse(&format!("ALGORITHM={word}"), "ALGORITHM=COPY");
        }
        if lock == Some("NONE") && self.asks_for_copy() {
            let reason = "COPY algorithm requires a lock";
            return Err(SqlError::new(
                error::ER_ALTER_OPERATION_NOT_SUPPORTED_REASON,
                &[&"LOCK=NONE", &reason, &"LOCK=SHARED"],
            ));
        }
        if lock == Some("NONE") { refuse("LOCK=NONE", "LOCK=SHARED") } else { Ok(()) }
    }
}

fn mb(cs: &Charset) -> u32 {
    u32::from(cs.mbmaxlen.max(1))
}

fn convert_members(values: &[Box<[u8]>], from: &Charset, to: &Charset) -> std::sync::Arc<[Box<[u8]>]> {
    values
        .iter()
        .map(|v| {
            let mut out = Vec::new();
            from.convert(v, to, &mut out);
            out.into_boxed_slice()
        })
        .collect()
}

/// Whether two columns store the same values in the same bytes and order, so that a change from
/// one to the other leaves files as they are.
pub(super) fn stored_alike(a: &ColumnDef, b: &ColumnDef) -> bool {
    a.ty == b.ty
        && a.nullable == b.nullable
        && a.unsigned == b.unsigned
        && a.auto_increment == b.auto_increment
        && (!a.is_string() || a.collation.id == b.collation.id)
        && a.generated == b.generated
        && a.check == b.check
        && a.zerofill == b.zerofill
}

/// The name that IF NOT EXISTS looks for: one that is not given is that of the first column.
fn key_name(index: &ast::IndexDef) -> Option<&str> {
    match (&index.name, index.kind) {
        (_, ast::IndexKind::Primary) => Some("PRIMARY"),
        (Some(name), _) => Some(name),
        (None, _) => index.parts.first().map(|p| &*p.column),
    }
}
