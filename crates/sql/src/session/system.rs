//! Reading system variables in expressions.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use charset::Collation;
use charset::derivation::Derivation;

use crate::ast::{SystemVariable, VariableScope};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::information_schema::InfoSchemaContext;
use crate::session::{Session, SessionState};
use crate::types::temporal::TimeZone;
use crate::types::{FieldType, Value};
use crate::variables::key_caches::{is_component, is_default};
use crate::variables::{VarDef, VarKind, VarScope, VarValue, definitions};

/// The session as the planning of a statement sees it, beside the expression context: tables by
/// name, system variables. Values that change with every statement are as of when the view was
/// made.
pub struct View<'a> {
    state: &'a SessionState,
    /// How long the statement waits for others.
    pub(crate) timeout: Duration,
    /// The text of the statement.
    pub(crate) text: &'a [u8],
    /// Types of the parameters it runs with.
    pub(crate) params: &'a [FieldType],
    last_insert_id: u64,
    /// Bytes that the expression context keeps.
    kept: usize,
    warnings: u64,
    errors: u64,
    timestamp: (i64, u32),
}

impl Deref for View<'_> {
    type Target = SessionState;

    #[inline]
    fn deref(&self) -> &SessionState {
        self.state
    }
}

impl Session {
    /// The session without its expression context, and the context: so that both can be used at
    /// once. `text` is the text of the statement.
    pub(crate) fn split<'a>(&'a mut self, text: &'a [u8]) -> (View<'a>, &'a mut EvalContext) {
        let timestamp = self.ctx.now_utc();
        let w = &self.ctx.warnings;
        let counts = if w.count_all() > 0 { (w.count_all(), w.count_errors()) } else { self.previous_counts };
        let view = View {
            state: &self.state,
            timeout: self.lock_timeout(),
            text,
            params: &self.statement.param_types,
            last_insert_id: self.ctx.connection.last_insert_id,
            kept: self.ctx.held_bytes(),
            warnings: counts.0,
            errors: counts.1,
            timestamp,
        };
        (view, &mut self.ctx)
    }
}

impl View<'_> {
    /// What information_schema shows this session.
    pub(crate) fn info_schema_context(&self, name: &str) -> InfoSchemaContext {
        let shown = ["SESSION_VARIABLES", "SYSTEM_VARIABLES"].iter().any(|n| name.eq_ignore_ascii_case(n));
        self.connection.memory.set_state(self.state.bytes() + self.kept);
        let variables = shown.then(|| Arc::new(self.all(false)));
        InfoSchemaContext {
            engine: Arc::clone(&self.engine),
            zone: TimeZone::parse(&self.vars.settings.time_zone).unwrap_or_default(),
            variables,
            connection: self.connection.id,
            rights: self.rights.clone(),
            // Who holds tables waits for no definition statement, which may wait for these.
            waiter: match self.locks.active || self.connection.targets.load(Ordering::Relaxed) > 0 {
                true => self.waiter().with_timeout(Duration::ZERO),
                false => self.waiter(),
            },
            warnings: Arc::default(),
        }
    }
}

fn unknown(name: &str) -> SqlError {
    SqlError::new(error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&name])
}

impl View<'_> {
    /// The value of a variable at this moment, and its type.
    ///
    /// # Errors
    /// 1193 unknown, 1238 wrong scope, 1272 no component of a structured variable.
    pub fn read(&self, v: &SystemVariable) -> SqlResult<(Value, FieldType)> {
        let id = definitions().find(&v.name).ok_or_else(|| unknown(&v.name))?;
        let def = definitions().get(id);
        if v.base.is_some() && !is_component(def.name) {
            return Err(SqlError::new(error::ER_VARIABLE_IS_NOT_STRUCT, &[&def.name]));
        }
        if v.scope == VariableScope::Global && def.scope == VarScope::Session {
            return Err(SqlError::new(error::ER_INCORRECT_GLOBAL_LOCAL_VAR, &[&def.spelled, &"SESSION"]));
        }
        if v.scope == VariableScope::Session && def.scope == VarScope::Global {
            return Err(SqlError::new(error::ER_INCORRECT_GLOBAL_LOCAL_VAR, &[&def.spelled, &"GLOBAL"]));
        }
        if let Some(cache) = v.base.as_ref().filter(|base| !is_default(base)) {
            let value = self.engine.variables.key_caches.get(cache, def.name);
            return Ok(typed(def, &VarValue::UInt(value)));
        }
        if v.scope == VariableScope::Global || def.scope == VarScope::Global {
            return Ok(typed(def, &self.engine.variables.get(id)));
        }
        Ok(typed(def, &self.session_value(def)))
    }

    /// The session's value of a variable.
    pub fn session_value(&self, def: &'static VarDef) -> VarValue {
        match def.name {
            "last_insert_id" | "identity" => VarValue::UInt(self.last_insert_id),
            "insert_id" => VarValue::UInt(self.insert_id),
            "warning_count" => VarValue::UInt(self.warnings),
            "error_count" => VarValue::UInt(self.errors),
            "timestamp" => {
                VarValue::Double(self.timestamp.0 as f64 + f64::from(self.timestamp.1) / 1_000_000.0)
            }
            "in_transaction" => VarValue::UInt(u64::from(self.transaction.open)),
            "pseudo_thread_id" => VarValue::UInt(self.connection.id),
            "external_user" | "proxy_user" => VarValue::Null,
            "last_gtid" => VarValue::Text("".into()),
            name => match definitions().find(name) {
                Some(id) => self.vars.get(id).clone(),
                None => VarValue::Null,
            },
        }
    }

    /// All rows of SHOW VARIABLES: name and value.
    pub fn all(&self, global: bool) -> Vec<(&'static str, String)> {
        let mut rows = Vec::with_capacity(700);
        for (id, def) in definitions().all() {
            let value = match (global, def.scope) {
                (true, VarScope::Session) => continue,
                (true, _) | (_, VarScope::Global) => self.engine.variables.get(id),
                _ => self.session_value(def),
            };
            // Values of one statement only are no settings.
            rows.push((def.name, value.show(&def.kind).unwrap_or_default()));
        }
        rows
    }
}

fn text_type(chars: usize) -> FieldType {
    FieldType::string(chars as u64, charset::system(), Derivation::SystemConstant)
}

/// A value of a variable as expressions see it.
fn typed(def: &VarDef, value: &VarValue) -> (Value, FieldType) {
    let ty = match &def.kind {
        VarKind::Bool => FieldType { length: 1, ..FieldType::bigint(false) },
        VarKind::Int { .. } => FieldType::bigint(false),
        VarKind::UInt { .. } => FieldType { length: 21, ..FieldType::bigint(true) },
        VarKind::Double { .. } => FieldType { decimals: 6, ..FieldType::double() },
        _ => {
            let text = value.show(&def.kind).unwrap_or_default();
            let ty = text_type(text.chars().count());
            let value = match value {
                VarValue::Null => Value::Null,
                _ => Value::Bytes(text.into_bytes()),
            };
            return (value, ty);
        }
    };
    let v = match value {
        VarValue::Null => Value::Null,
        VarValue::Bool(b) => Value::Int(i64::from(*b)),
        VarValue::Int(i) => Value::Int(*i),
        VarValue::UInt(u) => Value::UInt(*u),
        VarValue::Double(d) => Value::Double(*d),
        other => Value::UInt(other.as_u64()),
    };
    (v, ty)
}

/// A collation by name, or the default.
pub(crate) fn collation_or(name: &str, default: &'static Collation) -> &'static Collation {
    Collation::by_name(name).unwrap_or(default)
}
