//! Key definitions: from syntax to what is stored.

use schema::definition::{
    ColumnDef, ColumnType, GeometryKind, KeyAlgorithm, KeyDef, KeyKind, KeyPart, TableDef, Visibility,
};
use schema::layout::key_length;

use super::DefinitionBuilder;
use crate::ast::{self, IndexAlgorithm, IndexDef, IndexKind};
use crate::error::{self, SqlError, SqlResult};
use crate::names::MAX_NAME;
use crate::names::same_name;
use crate::table::engine::{self, KeyOrder, engine_of};
use crate::warning::Level;

/// Most keys of a table.
pub const MAX_KEYS: usize = 64;

/// Most parts of a key.
pub const MAX_PARTS: usize = 32;

/// Bytes of a point in a key.
const POINT_LENGTH: u32 = 25;

/// Longest comment of a key, in characters.
const MAX_COMMENT: usize = 1024;

fn bytes_a_character(column: &ColumnDef) -> u32 {
    match column.ty {
        ColumnType::Geometry { .. } => 1,
        _ => u32::from(column.collation.charset.mbmaxlen.max(1)),
    }
}

/// A part of a long unique key: so many bytes of a column, or all of it.
///
/// # Errors
/// 4159.
fn long_part(column: usize, bytes: u32, full: u32) -> SqlResult<(KeyPart, u32)> {
    if bytes > u32::from(u16::MAX) {
        return Err(SqlError::new(error::codes::ER_TOO_LONG_KEYPART, &[&u16::MAX]));
    }
    let prefix = (bytes != full).then_some(bytes as u16);
    Ok((KeyPart { column, prefix, descending: false }, bytes))
}

/// Whether a part of a key may be the beginning of a column.
fn takes_prefix(column: &ColumnDef) -> bool {
    use ColumnType as T;
    matches!(column.ty, T::Char { .. } | T::Varchar { .. } | T::Blob { .. } | T::Geometry { .. })
}

/// Whether a length names all bytes of a column that takes no prefix: then it is none.
fn is_whole(column: &ColumnDef, bytes: u32, full: u32) -> bool {
    let of_text = matches!(column.ty, ColumnType::Enum { .. } | ColumnType::Set { .. });
    let unit = if of_text { 1 } else { bytes_a_character(column) };
    !takes_prefix(column) && bytes / unit == full
}

fn wrong_prefix() -> SqlError {
    SqlError::new(error::ER_WRONG_SUB_KEY, &[])
}

/// Checks a key's name.
///
/// # Errors
/// 1059, 1280.
pub fn check_key_name(name: &str) -> SqlResult<()> {
    if name.chars().count() > MAX_NAME {
        return Err(SqlError::new(error::ER_TOO_LONG_IDENT, &[&name]));
    }
    if name.is_empty() || name.ends_with(' ') || name.eq_ignore_ascii_case("PRIMARY") {
        return Err(SqlError::new(error::ER_WRONG_NAME_FOR_INDEX, &[&name]));
    }
    Ok(())
}

/// The foreign keys of a table make plain keys, as nothing checks them here.
pub fn of_foreign_key(f: &ast::ForeignKey) -> IndexDef {
    IndexDef {
        name: f.name.clone().or_else(|| f.constraint.clone()),
        parts: f.columns.clone(),
        ..IndexDef::new(IndexKind::Plain)
    }
}

impl DefinitionBuilder<'_> {
    /// Longest key of the engine, in bytes.
    fn max_key_length(&self) -> u32 {
        self.engine.can().max_key_length
    }

    fn too_long(&self) -> SqlError {
        SqlError::new(error::ER_TOO_LONG_KEY, &[&self.max_key_length()])
    }

    /// Adds keys to a definition whose columns are complete, and checks all rules that need
    /// columns and keys together. `generated` marks those made for foreign keys.
    ///
    /// # Errors
    /// 1060, 1061, 1068 to 1072, 1075, 1089, 1170, 1252, 1280, 1283, 1391.
    pub fn keys(&mut self, def: &mut TableDef, indexes: &[(IndexDef, bool)]) -> SqlResult<()> {
        for (index, generated) in indexes {
            if *generated && covered(def, index, indexes) {
                continue;
            }
            if def.keys.len() >= MAX_KEYS {
                return Err(SqlError::new(error::ER_TOO_MANY_KEYS, &[&MAX_KEYS]));
            }
            let key = self.key(def, index, *generated)?;
            def.keys.push(key);
        }
        self.note_duplicates(def);
        Ok(())
    }

    fn key(&mut self, def: &mut TableDef, index: &IndexDef, generated: bool) -> SqlResult<KeyDef> {
        if index.parts.len() > MAX_PARTS {
            return Err(SqlError::new(error::ER_TOO_MANY_KEY_PARTS, &[&MAX_PARTS]));
        }
        let name = self.key_name(def, index)?;
        let kind = match index.kind {
            IndexKind::Primary => KeyKind::Primary,
            IndexKind::Unique => KeyKind::Unique,
            IndexKind::Plain => KeyKind::Plain,
            IndexKind::Fulltext => KeyKind::Fulltext,
            IndexKind::Spatial => KeyKind::Spatial,
        };
        if kind == KeyKind::Spatial && index.parts.len() != 1 {
            return Err(SqlError::new(error::ER_WRONG_ARGUMENTS, &[&"SPATIAL INDEX"]));
        }
        let mut key = KeyDef::new(&name, kind, &[]);
        key.generated = generated;
        key.algorithm = match index.algorithm {
            _ if kind == KeyKind::Fulltext => KeyAlgorithm::Fulltext,
            None => KeyAlgorithm::Default,
            Some(IndexAlgorithm::BTree) => KeyAlgorithm::Btree,
            Some(IndexAlgorithm::Hash) => KeyAlgorithm::Hash,
            Some(IndexAlgorithm::RTree) => KeyAlgorithm::Rtree,
        };
        if kind == KeyKind::Spatial && key.algorithm == KeyAlgorithm::Default {
            key.algorithm = KeyAlgorithm::Rtree;
        }
        key.block_size = match index.key_block_size {
            Some(n) if n > 65535 => 0,
            Some(n) => n as u16,
            None => def.options.key_block_size,
        };
        if let Some(c) = &index.comment {
            key.comment = self.comment(c, MAX_COMMENT, || {
                SqlError::new(error::ER_TOO_LONG_INDEX_COMMENT, &[&name, &MAX_COMMENT])
            })?;
        }
        self.attributes(&index.attributes, &mut key.engine_options)?;
        if let Some(parser) = &index.parser {
            // there are no plugins
            return Err(SqlError::new(error::ER_FUNCTION_NOT_DEFINED, &[parser]));
        }
        key.ignored = index.ignored == Some(true);
        if key.ignored && kind == KeyKind::Primary {
            return Err(SqlError::new(error::ER_PK_INDEX_CANT_BE_IGNORED, &[]));
        }
        self.parts(def, &mut key, &index.parts)?;
        self.settle_long(def, &mut key)?;
        let (can, engine) = (self.engine.can(), self.engine.info().name);
        if kind == KeyKind::Fulltext && !can.fulltext {
            return Err(SqlError::new(error::ER_TABLE_CANT_HANDLE_FT, &[&engine]));
        }
        if kind == KeyKind::Spatial && !can.geometry {
            return Err(SqlError::new(error::ER_CHECK_NOT_IMPLEMENTED, &[&"GEOMETRY"]));
        }
        Ok(key)
    }

    /// Gives a key its parts.
    fn parts(&mut self, def: &mut TableDef, key: &mut KeyDef, parts: &[ast::IndexPart]) -> SqlResult<()> {
        let mut length = 0;
        for part in parts {
            let (part, bytes) = self.part(def, key, part, parts.len())?;
            length += bytes;
            key.parts.push(part);
        }
        let too_long = length > self.max_key_length() && key.algorithm != KeyAlgorithm::LongHash;
        if too_long && !matches!(key.kind, KeyKind::Fulltext | KeyKind::Spatial) && !self.becomes_long(key) {
            return Err(self.too_long());
        }
        Ok(())
    }

    /// Makes a unique key one over a hash of its values, where the engine has such keys and no other order is asked for.
    fn becomes_long(&self, key: &mut KeyDef) -> bool {
        let free =
            matches!(key.algorithm, KeyAlgorithm::Default | KeyAlgorithm::Hash | KeyAlgorithm::LongHash);
        let becomes = free && key.kind == KeyKind::Unique && self.engine.can().long_unique;
        if becomes {
            key.algorithm = KeyAlgorithm::LongHash;
        }
        becomes
    }

    /// UNIQUE ... USING HASH is such a key as well. Its parts have no order.
    ///
    /// # Errors
    /// 1910 for MERGE tables, 4169 over an AUTO_INCREMENT column, 1235 where it is not known how values are hashed.
    fn settle_long(&self, def: &TableDef, key: &mut KeyDef) -> SqlResult<()> {
        if key.algorithm == KeyAlgorithm::Hash {
            self.becomes_long(key);
        }
        if key.algorithm != KeyAlgorithm::LongHash {
            return Ok(());
        }
        key.parts.iter_mut().for_each(|part| part.descending = false);
        if self.engine.info().name != engine::default().info().name {
            let args: [&dyn std::fmt::Display; 1] = [&self.engine.info().name];
            return Err(SqlError::new(error::codes::ER_UNSUPPORTED_ENGINE_FOR_GENERATED_COLUMNS, &args));
        }
        let mut columns = key.parts.iter().map(|part| &def.columns[part.column]);
        if let Some(counted) = columns.find(|c| c.auto_increment) {
            return Err(SqlError::new(
                error::codes::ER_NO_AUTOINCREMENT_WITH_UNIQUE,
                &[&counted.name, &key.name],
            ));
        }
        match engine::can_store_hash(def, key) {
            true => Ok(()),
            false => Err(SqlError::not_supported("a long unique key of this type or collation")),
        }
    }

    /// Gives the keys that a definition has their parts anew: the columns below them may be others than before. Part of a text
    /// column stays so many characters.
    ///
    /// # Errors
    /// Those of a new key.
    pub(super) fn rebuild_key_parts(&mut self, def: &mut TableDef) -> SqlResult<()> {
        for n in 0..def.keys.len() {
            let mut key = def.keys[n].clone();
            let hidden = |p: &KeyPart| def.columns[p.column].visibility >= Visibility::Hidden;
            if key.parts.iter().any(hidden) {
                continue;
            }
            let part = |p: &KeyPart| {
                let column = &def.columns[p.column];
                let mbmaxlen = bytes_a_character(column);
                ast::IndexPart {
                    column: column.name.as_str().into(),
                    length: p.prefix.map(|n| u64::from(u32::from(n) / mbmaxlen)),
                    descending: p.descending,
                }
            };
            let parts: Vec<ast::IndexPart> = key.parts.iter().map(part).collect();
            key.parts.clear();
            if key.algorithm == KeyAlgorithm::LongHash {
                key.algorithm = KeyAlgorithm::Default;
            }
            self.parts(def, &mut key, &parts)?;
            self.settle_long(def, &mut key)?;
            def.keys[n] = key;
        }
        Ok(())
    }

    /// Foreign keys are not kept, but what none may be is refused.
    ///
    /// # Errors
    /// 1239, 1905.
    pub fn foreign_keys<'k>(
        &self,
        def: &TableDef,
        keys: impl Iterator<Item = &'k ast::ForeignKey>,
    ) -> SqlResult<()> {
        for key in keys {
            if !key.references.is_empty() && key.references.len() != key.columns.len() {
                let name = key.name.as_ref().or(key.constraint.as_ref());
                let name = name.map_or("foreign key without name", |n| &**n);
                let why = "Key reference and table reference don't match";
                return Err(SqlError::new(error::ER_WRONG_FK_DEF, &[&name, &why]));
            }
            let generated = |p: &ast::IndexPart| {
                def.columns.iter().any(|c| c.generated.is_some() && same_name(&c.name, &p.column))
            };
            if !key.columns.iter().any(generated) {
                continue;
            }
            let update = key.on_update.as_deref().filter(|a| matches!(*a, "CASCADE" | "SET NULL"));
            let delete = key.on_delete.as_deref().filter(|a| *a == "SET NULL");
            let clause = match (update, delete) {
                (Some(action), _) => format!("ON UPDATE {action}"),
                (None, Some(action)) => format!("ON DELETE {action}"),
                (None, None) => continue,
            };
            return Err(SqlError::new(error::ER_WRONG_FK_OPTION_FOR_GENERATED_COLUMN, &[&clause]));
        }
        Ok(())
    }

    /// One part of a key, and the bytes it takes in the key.
    fn part(
        &mut self,
        def: &mut TableDef,
        key: &mut KeyDef,
        part: &ast::IndexPart,
        parts: usize,
    ) -> SqlResult<(KeyPart, u32)> {
        let place = def
            .columns
            .iter()
            .position(|c| c.visibility < Visibility::Hidden && same_name(&c.name, &part.column));
        let Some(place) = place else {
            return Err(SqlError::new(error::ER_KEY_COLUMN_DOES_NOT_EXIST, &[&part.column]));
        };
        if key.parts.iter().any(|p| p.column == place) {
            return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[&part.column]));
        }
        let column = &mut def.columns[place];
        match key.kind {
            KeyKind::Fulltext => {
                check_fulltext(def, key, place, part)?;
                return Ok((KeyPart::whole(place), 0));
            }
            KeyKind::Spatial => {
                if !matches!(column.ty, ColumnType::Geometry { .. }) {
                    return Err(SqlError::new(error::ER_WRONG_ARGUMENTS, &[&"SPATIAL INDEX"]));
                }
                if column.nullable {
                    return Err(SqlError::new(error::ER_SPATIAL_CANT_HAVE_NULL, &[]));
                }
                return Ok((KeyPart::whole(place), 0));
            }
            KeyKind::Primary => {
                column.nullable = false;
                if column.default == schema::definition::DefaultValue::Null {
                    column.default = schema::definition::DefaultValue::None;
                }
            }
            _ => {}
        }
        let column = &def.columns[place];
        if part.length == Some(0) {
            return Err(SqlError::new(error::ER_KEY_PART_0, &[&part.column]));
        }
        let mbmaxlen = bytes_a_character(column);
        let full = key_length(column);
        let asked = part.length.map(|n| u32::try_from(n).unwrap_or(u32::MAX).saturating_mul(mbmaxlen));
        let asked = asked.filter(|n| !is_whole(column, *n, full));
        let bytes = match asked {
            Some(n) => {
                if !takes_prefix(column) || (!column.ty.is_blob() && n > full) {
                    return Err(wrong_prefix());
                }
                match column.ty {
                    ColumnType::Geometry { kind: GeometryKind::Point, .. } => POINT_LENGTH,
                    ColumnType::Blob { length_bytes: 1 } => n.min(255 / mbmaxlen * mbmaxlen),
                    _ => n,
                }
            }
            None => self.whole_part(column, key, full, mbmaxlen, parts)?,
        };
        let bytes = if bytes > self.max_key_length() {
            if self.becomes_long(key) {
                return long_part(place, bytes, full);
            }
            if key.is_unique() || parts > 1 {
                return Err(self.too_long());
            }
            let most = self.max_key_length();
            self.ctx.warnings.note(error::ER_TOO_LONG_KEY, &[&most]);
            self.max_key_length() / mbmaxlen * mbmaxlen
        } else {
            bytes
        };
        if bytes == 0 && !column.nullable && key.algorithm != KeyAlgorithm::LongHash {
            return Err(SqlError::new(error::ER_WRONG_KEY_COLUMN, &[&self.engine.info().name, &column.name]));
        }
        let prefix = (bytes != full).then_some(bytes as u16);
        // Hashed entries have no order.
        let ordered = key.algorithm != KeyAlgorithm::Hash && self.engine.key_order(key) == KeyOrder::Ordered;
        Ok((KeyPart { column: place, prefix, descending: part.descending && ordered }, bytes))
    }

    /// The bytes of a part without a length.
    fn whole_part(
        &mut self,
        column: &ColumnDef,
        key: &mut KeyDef,
        full: u32,
        mbmaxlen: u32,
        parts: usize,
    ) -> SqlResult<u32> {
        match column.ty {
            ColumnType::Geometry { kind: GeometryKind::Point, .. } => Ok(POINT_LENGTH),
            ColumnType::Blob { .. } | ColumnType::Geometry { .. } => {
                if self.becomes_long(key) {
                    return Ok(full);
                }
                if key.kind == KeyKind::Unique && self.engine.can().long_unique {
                    return Err(self.too_long());
                }
                if key.is_unique() {
                    return Err(SqlError::new(error::ER_BLOB_KEY_WITHOUT_LENGTH, &[&column.name]));
                }
                if matches!(column.ty, ColumnType::Blob { length_bytes: 1 }) {
                    return Ok(255 / mbmaxlen * mbmaxlen);
                }
                let most = self.max_key_length();
                self.ctx.warnings.note(error::ER_TOO_LONG_KEY, &[&most]);
                if parts > 1 {
                    return Err(self.too_long());
                }
                Ok(self.max_key_length() / mbmaxlen * mbmaxlen)
            }
            _ => Ok(full),
        }
    }

    fn key_name(&mut self, def: &TableDef, index: &IndexDef) -> SqlResult<String> {
        if index.kind == IndexKind::Primary {
            if def.keys.iter().any(|k| k.kind == KeyKind::Primary) {
                return Err(SqlError::new(error::ER_MULTIPLE_PRI_KEY, &[]));
            }
            if let Some(name) = index.name.as_ref().filter(|n| !n.eq_ignore_ascii_case("PRIMARY")) {
                let text = format!("Name '{name}' ignored for PRIMARY key.");
                self.ctx.warnings.push_text(Level::Warning, error::ER_WRONG_NAME_FOR_INDEX, text);
            }
            return Ok("PRIMARY".into());
        }
        let taken = |name: &str| def.keys.iter().any(|k| same_name(&k.name, name));
        if let Some(name) = &index.name {
            check_key_name(name)?;
            if taken(name) {
                return Err(SqlError::new(error::ER_DUP_KEYNAME, &[name]));
            }
            return Ok(name.to_string());
        }
        let Some(first) = index.parts.first() else {
            return Err(SqlError::new(error::ER_WRONG_NAME_FOR_INDEX, &[&""]));
        };
        // The name of the column as it was defined, whatever the case here.
        let base = def
            .columns
            .iter()
            .find(|c| same_name(&c.name, &first.column))
            .map_or(&*first.column, |c| c.name.as_str());
        if !taken(base) && !base.eq_ignore_ascii_case("PRIMARY") {
            return Ok(base.into());
        }
        (2..)
            .map(|n| format!("{base}_{n}"))
            .find(|n| !taken(n))
            .ok_or_else(|| SqlError::internal("no key name"))
    }

    /// 1831 for every key that repeats an earlier one.
    fn note_duplicates(&mut self, def: &TableDef) {
        for (i, key) in def.keys.iter().enumerate() {
            let same = |k: &KeyDef| {
                k.kind == key.kind && k.parts == key.parts && k.algorithm == key.algorithm && !k.generated
            };
            if !key.generated && self.new_keys_from <= i && def.keys[..i].iter().any(same) {
                self.ctx.warnings.note(error::ER_DUP_INDEX, &[&key.name]);
            }
        }
    }
}

/// Whether another key of the statement begins with the columns of a foreign key's, so that
/// none needs to be made for it.
fn covered(def: &TableDef, index: &IndexDef, all: &[(IndexDef, bool)]) -> bool {
    let begins = |parts: &[ast::IndexPart]| {
        parts.len() >= index.parts.len()
            && index
                .parts
                .iter()
                .zip(parts)
                .all(|(a, b)| same_name(&a.column, &b.column) && b.length.is_none())
    };
    all.iter().any(|(i, generated)| {
        !generated && begins(&i.parts) && !matches!(i.kind, IndexKind::Fulltext | IndexKind::Spatial)
    }) || def.keys.iter().any(|k| {
        k.parts.len() >= index.parts.len()
            && index
                .parts
                .iter()
                .zip(&k.parts)
                .all(|(a, b)| b.prefix.is_none() && same_name(&a.column, &def.columns[b.column].name))
    })
}

/// A table has at most one AUTO_INCREMENT column, which is asked before its keys are looked at.
///
/// # Errors
/// 1075.
pub fn one_counter(def: &TableDef) -> SqlResult<()> {
    if def.columns.iter().filter(|c| c.auto_increment).count() > 1 {
        return Err(SqlError::new(error::ER_WRONG_AUTO_KEY, &[]));
    }
    Ok(())
}

/// Whether rows that do not name the column have no value for it.
fn lacks_default(c: &ColumnDef) -> bool {
    let none = c.default == schema::definition::DefaultValue::None;
    !c.nullable && !c.auto_increment && c.generated.is_none() && none
}

/// Rules that need the whole definition: the AUTO_INCREMENT column, the length of rows, the
/// number of columns.
///
/// # Errors
/// 1075, 1113, 1117, 1118, 4108.
pub fn check_table(def: &TableDef) -> SqlResult<()> {
    let shown = def.columns.iter().filter(|c| c.visibility == Visibility::Visible).count();
    if shown == 0 {
        return Err(SqlError::new(error::ER_TABLE_MUST_HAVE_COLUMNS, &[]));
    }
    // asked here, as a PRIMARY KEY makes columns NOT NULL
    let lacks = def.columns.iter().find(|c| c.visibility == Visibility::Invisible && lacks_default(c));
    if let Some(c) = lacks {
        return Err(SqlError::new(error::ER_INVISIBLE_NOT_NULL_WITHOUT_DEFAULT, &[&c.name]));
    }
    if def.columns.len() > super::columns::MAX_COLUMNS {
        return Err(SqlError::new(error::ER_TOO_MANY_FIELDS, &[]));
    }
    let mut counters = def.columns.iter().enumerate().filter(|(_, c)| c.auto_increment);
    let can = engine_of(def).can();
    if let Some((place, _)) = counters.next() {
        let parts = if can.auto_increment_in_groups { MAX_PARTS } else { 1 };
        let keyed = def.keys.iter().any(|k| {
            !matches!(k.kind, KeyKind::Fulltext | KeyKind::Spatial)
                && k.parts.iter().take(parts).any(|p| p.column == place)
        });
        if !keyed || counters.next().is_some() {
            return Err(SqlError::new(error::ER_WRONG_AUTO_KEY, &[]));
        }
    }
    if !can.geometry && def.columns.iter().any(|c| matches!(c.ty, ColumnType::Geometry { .. })) {
        return Err(SqlError::new(error::ER_CHECK_NOT_IMPLEMENTED, &[&"GEOMETRY"]));
    }
    let layout = def.layout();
    let blobs = def.columns.iter().filter(|c| c.ty.is_blob()).count() as u32;
    // The pointers of BLOBs are not part of the limit's bytes.
    if layout.reclength.saturating_sub(blobs * 8) > 65535 {
        return Err(SqlError::new(error::ER_TOO_BIG_ROWSIZE, &[&65535]));
    }
    Ok(())
}

fn check_fulltext(def: &TableDef, key: &KeyDef, place: usize, part: &ast::IndexPart) -> SqlResult<()> {
    let column = &def.columns[place];
    let text =
        matches!(column.ty, ColumnType::Char { .. } | ColumnType::Varchar { .. } | ColumnType::Blob { .. })
            && !column.is_binary_string()
            && column.collation.charset.mbminlen == 1;
    let other = key.parts.first().map(|p| p.column);
    let collation = column.collation.id;
    if !text || other.is_some_and(|o| def.columns[o].collation.id != collation) {
        return Err(SqlError::new(error::ER_BAD_FT_COLUMN, &[&part.column]));
    }
    Ok(())
}
