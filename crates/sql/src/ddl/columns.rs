//! Column definitions: from syntax to what is stored.

use schema::definition::{ColumnDef, ColumnType, Computed, DefaultValue, Generated, Visibility};

use super::DefinitionBuilder;
use crate::ast::{self, TypeName};
use crate::error::{self, SqlError, SqlResult};
use crate::names::check_column_name;
use crate::types::declared::{self, TypeContext};

/// Most columns of a table.
pub const MAX_COLUMNS: usize = 4096;

/// Longest comment of a column, in characters.
const MAX_COMMENT: usize = 1024;

impl DefinitionBuilder<'_> {
    /// One column. Keys given with it are for the caller.
    ///
    /// # Errors
    /// Those of the type, the default and the attributes.
    pub fn column(&mut self, c: &ast::ColumnDef) -> SqlResult<ColumnDef> {
        check_column_name(&c.name)?;
        if let Some(table) = c.table.as_deref().filter(|t| *t != self.table) {
            return Err(SqlError::new(error::ER_WRONG_TABLE_NAME, &[&table]));
        }
        if let Some(db) = c.db.as_deref().filter(|d| *d != self.db) {
            return Err(SqlError::new(error::ER_WRONG_DB_NAME, &[&db]));
        }
        let mut engine_options = Vec::new();
        self.attributes(&c.attributes, &mut engine_options)?;
        let mut cx = TypeContext {
            mode: self.settings.sql_mode,
            collation: self.collation,
            literals: self.settings.connection,
            warnings: &mut self.ctx.warnings,
        };
        let r = declared::resolve(&c.name, &c.ty, &mut cx)?;
        let mut column = ColumnDef::new(&c.name, r.ty, r.collation);
        column.width = r.width;
        column.unsigned = r.unsigned;
        column.zerofill = r.zerofill;
        column.nullable = c.nullable != Some(false);
        column.auto_increment = c.auto_increment || c.ty.name == TypeName::Serial;
        column.engine_options = engine_options;
        column.compressed = c.compressed;
        if c.compressed {
            return Err(SqlError::not_supported("COMPRESSED columns"));
        }
        if c.invisible {
            column.visibility = Visibility::Invisible;
        }
        if let Some(comment) = &c.comment {
            column.comment = self.comment(comment, MAX_COMMENT, || {
                SqlError::new(error::ER_TOO_LONG_FIELD_COMMENT, &[&c.name, &MAX_COMMENT])
            })?;
        }
        if column.auto_increment {
            if !may_count(&column.ty) {
                return Err(SqlError::new(error::ER_WRONG_FIELD_SPEC, &[&c.name]));
            }
            column.nullable = false;
        }
        if let Some(g) = &c.generated {
            if c.default.is_some() || column.auto_increment {
                return Err(SqlError::new(error::ER_PARSE_ERROR, &[&"", &"DEFAULT", &1]));
            }
            column.default = DefaultValue::None;
            column.generated = Some(Generated { expression: self.print(&g.expr), stored: g.stored });
            column.check = self.check(c, r.json);
            return Ok(column);
        }
        self.default(c, &mut column)?;
        if let Some(digits) = c.on_update {
            let decimals = match column.ty {
                ColumnType::DateTime { decimals } | ColumnType::Timestamp { decimals } => Some(decimals),
                _ => None,
            };
            // without digits it has those of the column
            if decimals.is_none_or(|d| digits != 0 && d > digits) {
                return Err(SqlError::new(error::ER_INVALID_ON_UPDATE, &[&c.name]));
            }
            column.on_update_now = true;
        }
        column.check = self.check(c, r.json);
        Ok(column)
    }

    /// The constraint of a column: that of JSON has one of its own.
    fn check(&self, c: &ast::ColumnDef, json: bool) -> Option<String> {
        if let Some(check) = &c.check {
            return Some(self.print(&check.expr));
        }
        json.then(|| {
            let mut name = String::new();
            ast::quote_identifier(&c.name, ast::PrintStyle::default(), &mut name);
            format!("json_valid({name})")
        })
    }

    /// A comment in UTF-8, not longer than `max` characters: too long is an error in strict mode.
    pub fn comment(
        &mut self,
        text: &[u8],
        max: usize,
        too_long: impl FnOnce() -> SqlError,
    ) -> SqlResult<String> {
        super::must_be_well_formed(text, self.settings.client)?;
        let mut text = crate::types::convert::words_of(text, self.settings.client);
        if let Some((at, _)) = text.char_indices().nth(max) {
            let e = too_long();
            if self.settings.sql_mode.strict() {
                return Err(e);
            }
            self.ctx.warnings.push_error(crate::warning::Level::Warning, &e);
            text.truncate(at);
        }
        Ok(text)
    }

    /// The default of a column.
    fn default(&mut self, c: &ast::ColumnDef, column: &mut ColumnDef) -> SqlResult<()> {
        let invalid = || SqlError::new(error::ER_INVALID_DEFAULT, &[&c.name]);
        let Some(e) = &c.default else {
            column.default = if column.nullable && !column.auto_increment {
                DefaultValue::Null
            } else {
                DefaultValue::None
            };
            if matches!(column.ty, ColumnType::Timestamp { .. })
                && !self.settings.explicit_timestamp
                && c.nullable != Some(true)
                && column.nullable
            {
                self.implicit_timestamp(c, column);
            }
            return Ok(());
        };
        if column.auto_increment {
            return Err(invalid());
        }
        column.default = match super::defaults::kind_of(e) {
            super::defaults::DefaultKind::Null => {
                if !column.nullable {
                    return Err(invalid());
                }
                DefaultValue::Null
            }
            super::defaults::DefaultKind::Now
                if matches!(column.ty, ColumnType::DateTime { .. } | ColumnType::Timestamp { .. })
                    && !super::defaults::is_coarser(e, &column.ty) =>
            {
                DefaultValue::Now
            }
            super::defaults::DefaultKind::Constant if column.ty.is_blob() => {
                DefaultValue::Expression(self.print(e).into())
            }
            super::defaults::DefaultKind::Constant => {
                let bytes = super::defaults::constant_bytes(self, e, column)?;
                DefaultValue::Value(bytes.into())
            }
            _ => {
                let mut e = e.clone();
                let db = self.ctx.connection.database.clone();
                super::sequence::qualify(&mut e, db.as_deref().unwrap_or(self.db));
                let Ok(value) = super::defaults::computed(self, &e, column) else {
                    return Err(invalid());
                };
                DefaultValue::Expression(Computed { text: self.print(&e), value })
            }
        };
        Ok(())
    }

    /// explicit_defaults_for_timestamp=OFF: the first TIMESTAMP counts changes, others are zero.
    fn implicit_timestamp(&mut self, c: &ast::ColumnDef, column: &mut ColumnDef) {
        column.nullable = false;
        if !self.timestamp_seen && c.on_update.is_none() {
            column.default = DefaultValue::Now;
            column.on_update_now = true;
        } else {
            let len = schema::layout::column_width(column) as usize;
            column.default = DefaultValue::Value(vec![0; len].into());
        }
        self.timestamp_seen = true;
    }
}

/// Types that may count up.
fn may_count(ty: &ColumnType) -> bool {
    ty.is_integer() || matches!(ty, ColumnType::Float { .. } | ColumnType::Double { .. })
}
