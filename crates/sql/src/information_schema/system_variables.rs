//! SYSTEM_VARIABLES: what variables are, beside their values. What they are for is not told.

use super::{InfoSchemaContext, s};
use crate::types::Value;
use crate::variables::{VarScope, definition, definitions};

fn text_or_null(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { s(text) }
}

impl InfoSchemaContext {
    pub(super) fn system_variables(&self) -> Vec<Vec<Value>> {
        let globals = self.engine.variables.snapshot();
        let mine = self.variables.iter().flat_map(|v| v.iter());
        let session: std::collections::HashMap<&str, &str> =
            mine.map(|(name, value)| (*name, value.as_str())).collect();
        let described = definition::described();
        let mut rows = Vec::with_capacity(700);
        for (id, d) in definitions().all() {
            let Some(of) = described.get(d.name) else { continue };
            let global = &globals[id];
            let is_default = *global == d.default;
            let shown = |v: &crate::variables::VarValue| v.show(&d.kind).map_or(Value::Null, s);
            let own = || session.get(d.name).map_or(Value::Null, |v| s(*v));
            let choices =
                !matches!(of.kind, "BIGINT UNSIGNED" | "BIGINT" | "INT" | "INT UNSIGNED" | "DOUBLE");
            rows.push(vec![
                s(d.name.to_ascii_uppercase()),
                if d.scope == VarScope::Global { Value::Null } else { own() },
                if d.scope == VarScope::Session { Value::Null } else { shown(global) },
                s(if is_default || d.scope == VarScope::Session { "COMPILE-TIME" } else { "SQL" }),
                match shown(&d.default) {
                    Value::Bytes(text) if text.is_empty() && of.argument == "not an option" => Value::Null,
                    default => default,
                },
                s(match d.scope {
                    VarScope::Global => "GLOBAL",
                    VarScope::Both => "SESSION",
                    VarScope::Session => "SESSION ONLY",
                }),
                s(of.kind),
                s(""),
                if choices { Value::Null } else { text_or_null(of.min) },
                if choices { Value::Null } else { text_or_null(of.max) },
                if choices { Value::Null } else { text_or_null(of.block) },
                text_or_null(of.choices),
                s(if d.dynamic { "NO" } else { "YES" }),
                match of.argument {
                    "not an option" | "" => Value::Null,
                    argument => s(argument),
                },
                Value::Null,
            ]);
        }
        rows
    }
}
