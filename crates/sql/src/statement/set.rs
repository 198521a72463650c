//! SET.

use std::sync::Arc;

use charset::{Charset, Collation};

use super::set_checks::has_default;
use crate::ast::{self, ExprKind, IsolationLevel, SetItem, SystemVariable, VariableScope};
use crate::error::{self, SqlError, SqlResult};
use crate::session::{Session, Tracked};
use crate::types::collations::{charset_named, combine, default_collation};
use crate::types::{FieldType, Value};
use crate::variables::key_caches::{is_component, is_default};
use crate::variables::value::{Fitted, fit};
use crate::variables::{Assigned, SqlMode, VarDef, VarId, VarScope, VarValue, definitions, sql_mode};
use crate::warning::Level;

/// The other name of a variable that has two.
fn alias(name: &str) -> Option<&'static str> {
    Some(match name {
        "tmp_table_size" => "tmp_memory_table_size",
        "tmp_memory_table_size" => "tmp_table_size",
        "storage_engine" => "default_storage_engine",
        "default_storage_engine" => "storage_engine",
        "long_query_time" => "log_slow_query_time",
        "log_slow_query_time" => "long_query_time",
        "slow_query_log" => "log_slow_query",
        "log_slow_query" => "slow_query_log",
        "slow_query_log_file" => "log_slow_query_file",
        "log_slow_query_file" => "slow_query_log_file",
        "min_examined_row_limit" => "log_slow_min_examined_row_limit",
        "log_slow_min_examined_row_limit" => "min_examined_row_limit",
        "max_delayed_threads" => "max_insert_delayed_threads",
        "max_insert_delayed_threads" => "max_delayed_threads",
        _ => return None,
    })
}

/// Variables whose SET warns that they are going.
const DEPRECATED: &[(&str, &str)] = &[
    ("storage_engine", "'@@default_storage_engine'"),
    ("big_tables", ""),
    ("old_alter_table", "'@@alter_algorithm'"),
    ("old", "'@@old_mode'"),
    ("max_tmp_tables", ""),
    ("date_format", ""),
    ("datetime_format", ""),
    ("time_format", ""),
    ("large_page_size", ""),
    ("secure_auth", ""),
];

/// One variable to be set, checked and ready.
enum Change {
    Variable { id: VarId, global: bool, value: VarValue },
    KeyCache { cache: ast::Name, component: &'static str, value: u64 },
    Collation { names: [&'static str; 2], collation: &'static Collation, global: bool },
    Names(&'static Collation),
    CharacterSet(&'static Charset),
    User(Box<str>, Value, FieldType),
    Timestamp(Option<(i64, u32)>),
    InsertId(u64),
    LastInsertId(u64),
    Rand(u8, u64),
    Isolation(VariableScope, Option<IsolationLevel>, Option<bool>),
    Nothing,
}

impl Session {
    /// SET: all values are computed and checked from left to right, then stored.
    ///
    /// # Errors
    /// 1193, 1231, 1232, 1238, 1227 and those of the values; nothing is set then.
    pub(crate) fn set(&mut self, items: &[SetItem]) -> SqlResult<()> {
        let mut changes = Vec::with_capacity(items.len());
        for item in items {
            let change = self.prepare_change(item)?;
            changes.push(change);
        }
        for change in changes {
            self.apply(change)?;
        }
        self.apply_settings();
        Ok(())
    }

    fn prepare_change(&mut self, item: &SetItem) -> SqlResult<Change> {
        match item {
            SetItem::User(name, expr) => {
                let (value, mut ty) = self.constant(expr, "SET")?;
                ty.nullable = true;
                let name = name.to_lowercase().into_boxed_str();
                Ok(Change::User(name, value, ty))
            }
            SetItem::Local(..) => Err(SqlError::internal("a variable outside of its routine")),
            SetItem::System(variable, expr) => self.system_change(variable, expr.as_ref()),
            SetItem::Names(cs, collation) => {
                let Some(cs) = cs else {
                    let g = self.engine.variables.snapshot();
                    let name = &g[definitions().named("collation_connection")];
                    let c = crate::session::system::collation_or(name.as_text(), self.vars.settings.server);
                    return Ok(Change::Names(c));
                };
                let c = combine(Some(cs), collation.as_deref(), charset::system())?;
                self.check_client_charset(c.charset)?;
                Ok(Change::Names(c))
            }
            SetItem::CharacterSet(cs) => {
                let cs = match cs {
                    Some(name) => charset_named(name)?,
                    None => self.vars.settings.server.charset,
                };
                self.check_client_charset(cs)?;
                Ok(Change::CharacterSet(cs))
            }
            SetItem::Password(account, password) => {
                self.set_password(account.as_ref(), password)?;
                Ok(Change::Nothing)
            }
            SetItem::Transaction { scope, isolation, read_only } => {
                if *scope == VariableScope::Implicit && self.transaction.open {
                    return Err(SqlError::new(error::codes::ER_CANT_CHANGE_TX_CHARACTERISTICS, &[]));
                }
                if *scope == VariableScope::Global {
                    self.rights.need_one_of(crate::rights::privilege::SUPER)?;
                }
                Ok(Change::Isolation(*scope, *isolation, *read_only))
            }
            SetItem::Role(role) => {
                self.set_role(role.as_deref())?;
                Ok(Change::Nothing)
            }
            SetItem::DefaultRole(role, account) => {
                self.set_default_role(role.as_deref(), account.as_ref())?;
                Ok(Change::Nothing)
            }
        }
    }

    /// Character sets whose characters are no ASCII cannot carry statements.
    pub(super) fn check_client_charset(&self, cs: &'static Charset) -> SqlResult<()> {
        if cs.mbminlen > 1 {
            return Err(SqlError::new(error::ER_WRONG_VALUE_FOR_VAR, &[&"character_set_client", &cs.name]));
        }
        Ok(())
    }

    fn system_change(&mut self, v: &SystemVariable, expr: Option<&ast::Expr>) -> SqlResult<Change> {
        let Some(id) = definitions().find(&v.name) else {
            if let Some(base) = &v.base {
                return Err(SqlError::new(error::ER_UNKNOWN_STRUCTURED_VARIABLE, &[base]));
            }
            return Err(SqlError::new(error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&v.name]));
        };
        let def = definitions().get(id);
        let global = v.scope == VariableScope::Global;
        if v.base.is_some() && !is_component(def.name) {
            return Err(SqlError::new(error::ER_VARIABLE_IS_NOT_STRUCT, &[&def.spelled]));
        }
        if let Some((_, instead)) = DEPRECATED.iter().find(|(n, _)| *n == def.name) {
            let name = format!("@@{}", def.name);
            if instead.is_empty() {
                let text = error::message(error::ER_WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, &[&name]);
                self.ctx.warnings.push_text(Level::Warning, error::ER_WARN_DEPRECATED_SYNTAX, text);
            } else {
                self.ctx.warnings.warn(error::ER_WARN_DEPRECATED_SYNTAX, &[&name, instead]);
            }
        }
        if !def.dynamic {
            return Err(SqlError::new(error::ER_INCORRECT_GLOBAL_LOCAL_VAR, &[&def.spelled, &"read only"]));
        }
        if global && def.scope == VarScope::Session {
            return Err(SqlError::new(error::ER_LOCAL_VARIABLE, &[&def.spelled]));
        }
        if !global && def.scope == VarScope::Global {
            return Err(SqlError::new(error::ER_GLOBAL_VARIABLE, &[&def.spelled]));
        }
        let need = crate::session::access::of_variable(def.name, global);
        if need != 0 {
            self.rights.need_one_of(need)?;
        }
        let value = match expr {
            None => self.default_of(id, def, global)?,
            Some(expr) => self.assigned_value(id, def, global, expr)?,
        };
        self.check_place(def, global)?;
        if def.name == "autocommit" && !global {
            self.forbid_autocommit(value.as_bool())?;
        }
        if let Some(cache) = v.base.as_ref().filter(|base| !is_default(base)) {
            return Ok(Change::KeyCache { cache: cache.clone(), component: def.name, value: value.as_u64() });
        }
        if def.name == "key_buffer_size" && value.as_u64() == 0 {
            return Err(SqlError::new(error::ER_WARN_CANT_DROP_DEFAULT_KEYCACHE, &[]));
        }
        self.change_of(id, def, global, value, expr.is_none())
    }

    /// The value of an expression, as the variable takes it.
    fn assigned_value(
        &mut self,
        id: VarId,
        def: &'static VarDef,
        global: bool,
        expr: &ast::Expr,
    ) -> SqlResult<VarValue> {
        let now = if global { self.engine.variables.get(id) } else { self.vars.get(id).clone() };
        let mode = self.vars.settings.sql_mode;
        let strict = mode.has(SqlMode::STRICT_ALL_TABLES);
        let (value, ty) = match bare_word(expr, def) {
            Some(word) => (Value::Bytes(word.into_bytes()), FieldType::null()),
            None if matches!(expr.kind, ExprKind::Column(_)) => {
                return Err(SqlError::new(error::ER_WRONG_TYPE_FOR_VAR, &[&def.spelled]));
            }
            None => self.constant(expr, "SET")?,
        };
        let text;
        let real;
        let assigned = match &value {
            // an empty text is NULL in this mode, and NULL an empty text for variables
            Value::Null if mode.has(SqlMode::EMPTY_STRING_IS_NULL) => Assigned::Text(""),
            Value::Null => Assigned::Null,
            Value::Int(i) => Assigned::Int(*i),
            Value::UInt(u) => Assigned::UInt(*u),
            Value::Double(d) => {
                real = d.to_string();
                Assigned::Real(*d, &real)
            }
            Value::Decimal(d) => {
                real = d.to_string();
                Assigned::Real(real.parse().unwrap_or(0.0), &real)
            }
            Value::Bytes(b) => {
                text = crate::types::convert::text_of(b, ty.collation.charset);
                let text: &str = if ty.collation.id == 63 {
                    // A bare word, or binary bytes: taken as they are.
                    real = String::from_utf8_lossy(b).into_owned();
                    &real
                } else {
                    &text
                };
                Assigned::Text(text)
            }
            _ => return Err(SqlError::new(error::ER_WRONG_TYPE_FOR_VAR, &[&def.spelled])),
        };
        let Fitted { value, clipped } = fit(def, &assigned, &now, strict)?;
        if clipped {
            self.ctx.warnings.warn(error::ER_TRUNCATED_WRONG_VALUE, &[&def.name, &assigned.text()]);
        }
        if def.name == "event_scheduler" {
            self.engine.scheduler.check(def, &value, &assigned.text())?;
        }
        self.check_value(def, &value)?;
        self.warn_small_packet(def, &value);
        if def.name == "optimizer_switch" && def.has_flag(&value, "engine_condition_pushdown") {
            let what = "engine_condition_pushdown=on";
            self.ctx.warnings.warn(error::ER_WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, &[&what]);
        }
        Ok(sql_mode::expand(def, value))
    }

    /// SET x = DEFAULT: the global value in a session, the compiled-in one globally.
    fn default_of(&self, id: VarId, def: &VarDef, global: bool) -> SqlResult<VarValue> {
        has_default(def)?;
        match def.name {
            "timestamp" | "insert_id" => Ok(VarValue::UInt(0)),
            name if global => Ok(match crate::logs::file_ending(name) {
                Some(ending) => {
                    let host = self.engine.variables.named("hostname");
                    VarValue::Text(Arc::from(format!("{}{ending}", host.as_text())))
                }
                None => def.default.clone(),
            }),
            _ if def.scope == VarScope::Session => Ok(def.default.clone()),
            "collation_database" | "character_set_database" => {
                let db = self.db.as_deref().and_then(|d| self.engine.catalog.database(d).ok());
                let c = db.map_or(self.vars.settings.server, |d| d.collation);
                let name = if def.name.starts_with("coll") { c.name } else { c.charset.name };
                Ok(VarValue::Text(Arc::from(name)))
            }
            _ => Ok(self.engine.variables.get(id)),
        }
    }

    fn change_of(
        &self,
        id: VarId,
        def: &'static VarDef,
        global: bool,
        value: VarValue,
        default: bool,
    ) -> SqlResult<Change> {
        Ok(match def.name {
            "timestamp" => {
                let t = value.as_f64();
                let at = (t.trunc() as i64, ((t.fract() * 1e6).round() as u32).min(999_999));
                Change::Timestamp(if default || t == 0.0 { None } else { Some(at) })
            }
            "insert_id" => Change::InsertId(value.as_u64()),
            "last_insert_id" | "identity" => Change::LastInsertId(value.as_u64()),
            "rand_seed1" => Change::Rand(1, value.as_u64()),
            "rand_seed2" => Change::Rand(2, value.as_u64()),
            "collation_connection" | "collation_database" | "collation_server" => {
                let c = crate::session::system::collation_or(value.as_text(), charset::system());
                Change::Collation { names: charset_pair(def.name), collation: c, global }
            }
            "character_set_connection" | "character_set_database" | "character_set_server" => {
                let cs = charset_named(value.as_text())?;
                Change::Collation { names: charset_pair(def.name), collation: default_collation(cs), global }
            }
            _ => Change::Variable { id, global, value },
        })
    }

    fn apply(&mut self, change: Change) -> SqlResult<()> {
        match change {
            Change::Nothing => {}
            Change::KeyCache { cache, component, value } => {
                self.engine.variables.key_caches.set(&cache, component, value);
                self.engine.caches_changed();
            }
            Change::User(name, value, ty) => {
                self.ctx.set_user_variable(&name, value, &ty)?;
            }
            Change::Names(c) => {
                self.set_names(c);
                for name in ["character_set_client", "character_set_connection", "character_set_results"] {
                    self.tracked.push(Tracked::Variable(name, c.charset.name.into()));
                }
            }
            Change::CharacterSet(cs) => {
                let db = self.vars.named("collation_database").as_text().to_string();
                let db = crate::session::system::collation_or(&db, self.vars.settings.server);
                let text = |t: &str| VarValue::Text(Arc::from(t));
                self.vars.set_many(&[
                    ("character_set_client", text(cs.name)),
                    ("character_set_results", text(cs.name)),
                    ("character_set_connection", text(db.charset.name)),
                    ("collation_connection", text(db.name)),
                ]);
            }
            Change::Collation { names, collation, global } => {
                let text = |t: &str| VarValue::Text(Arc::from(t));
                let values = [(names[0], text(collation.charset.name)), (names[1], text(collation.name))];
                if global {
                    for (name, value) in values {
                        self.engine.variables.set_named(name, value);
                    }
                } else {
                    self.vars.set_many(&values);
                    if names[0] == "character_set_connection" {
                        self.tracked.push(Tracked::Variable(names[0], collation.charset.name.into()));
                    }
                }
            }
            Change::Timestamp(at) => self.ctx.set_timestamp(at),
            Change::InsertId(id) => self.insert_id = id,
            Change::LastInsertId(id) => {
                self.last_insert_id = id;
                self.ctx.connection.last_insert_id = id;
            }
            Change::Rand(1, seed) => self.ctx.rand.0 = seed as u32,
            Change::Rand(_, seed) => self.ctx.rand.1 = seed as u32,
            Change::Isolation(scope, isolation, read_only) => {
                self.apply_isolation(scope, isolation, read_only)
            }
            Change::Variable { id, value, .. } if definitions().get(id).name == "event_scheduler" => {
                let engine = Arc::clone(&self.engine);
                let value = engine.scheduler.set(&engine, &value)?;
                engine.variables.set(id, value);
            }
            Change::Variable { id, global, value } => self.apply_variable(id, global, value),
        }
        Ok(())
    }

    fn apply_variable(&mut self, id: VarId, global: bool, value: VarValue) {
        let def = definitions().get(id);
        let other = alias(def.name);
        if global {
            self.engine.variables.set(id, value.clone());
            if let Some(other) = other {
                self.engine.variables.set_named(other, value.clone());
            }
            if def.name == "max_join_size" {
                let none = VarValue::Bool(value.as_u64() == u64::MAX);
                self.engine.variables.set_named("sql_big_selects", none);
            }
            self.engine.global_changed(def.name);
            return;
        }
        if matches!(def.name, "autocommit" | "character_set_client" | "character_set_results" | "time_zone") {
            self.tracked.push(Tracked::Variable(def.name, value.show(&def.kind).unwrap_or_default()));
        }
        if def.name == "autocommit" {
            let before = self.vars.settings.autocommit;
            if !before && value.as_bool() {
                self.end_transaction(false);
            }
        }
        self.vars.set(id, value.clone());
        if def.name == "max_join_size" {
            let none = value.as_u64() == u64::MAX;
            self.vars.set_many(&[("sql_big_selects", VarValue::Bool(none))]);
        }
        if def.name == "tx_read_only" && !self.transaction.open {
            self.transaction.read_only = self.vars.settings.tx_read_only;
        }
        if let Some(other) = other {
            self.vars.set_many(&[(other, value)]);
        }
    }

    fn apply_isolation(
        &mut self,
        scope: VariableScope,
        isolation: Option<IsolationLevel>,
        read_only: Option<bool>,
    ) {
        let mut values = Vec::new();
        if let Some(level) = isolation {
            let place = match level {
                IsolationLevel::ReadUncommitted => 0,
                IsolationLevel::ReadCommitted => 1,
                IsolationLevel::RepeatableRead => 2,
                IsolationLevel::Serializable => 3,
            };
            values.push(("tx_isolation", VarValue::Word(place)));
        }
        if let Some(ro) = read_only {
            values.push(("tx_read_only", VarValue::Bool(ro)));
        }
        match scope {
            // For the next transaction only. Tables without transactions have no use for a level.
            VariableScope::Implicit => {
                if let Some(read_only) = read_only {
                    self.transaction.read_only = read_only;
                }
            }
            VariableScope::Global => {
                for (name, value) in values {
                    self.engine.variables.set_named(name, value);
                }
            }
            VariableScope::Session => {
                self.vars.set_many(&values);
                if !self.transaction.open {
                    self.transaction.read_only = self.vars.settings.tx_read_only;
                }
            }
        }
    }
}

/// The character set and collation variables that go together.
fn charset_pair(name: &str) -> [&'static str; 2] {
    match name.rsplit('_').next() {
        Some("connection") => ["character_set_connection", "collation_connection"],
        Some("database") => ["character_set_database", "collation_database"],
        _ => ["character_set_server", "collation_server"],
    }
}

/// A bare word on the right side of SET (`ON`, `utf8mb4`, `ALL`) stands for its own text.
fn bare_word(expr: &ast::Expr, _def: &VarDef) -> Option<String> {
    match &expr.kind {
        ExprKind::Column(c) if c.db.is_none() && c.table.is_none() => Some(c.name.to_string()),
        ExprKind::Default(None) => None,
        _ => None,
    }
}
