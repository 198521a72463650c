//! Expressions of definitions: what generated columns, defaults and constraints may use.

use schema::definition::{DefaultValue, KeyKind, TableDef};

use crate::ast::{self, ExprKind};
use crate::error::{self, SqlError, SqlResult};
use crate::expr::EvalContext;
use crate::names::same_name;
use crate::parse::{Options, parse_expression_at};
use crate::warning::Level;

/// Functions that no definition may use.
const NEVER: &[&str] = &[
    "benchmark",
    "found_rows",
    "get_lock",
    "is_free_lock",
    "is_used_lock",
    "last_insert_id",
    "load_file",
    "master_pos_wait",
    "release_all_locks",
    "release_lock",
    "row_count",
    "rownum",
    "sleep",
];

/// Functions that give another value each time, which may be no more than a default.
const ONLY_DEFAULTS: &[&str] = &["random_bytes"];

/// Functions whose value depends on the moment, the session or the server's version: only for defaults and for virtual columns without keys.
const OF_THE_SESSION: &[&str] = &[
    "connection_id",
    "curdate",
    "current_role",
    "current_timestamp",
    "current_user",
    "curtime",
    "database",
    "dayname",
    "from_unixtime",
    "monthname",
    "natural_sort_key",
    "rand",
    "sys_guid",
    "sysdate",
    "to_char",
    "user",
    "utc_date",
    "utc_time",
    "utc_timestamp",
    "uuid",
    "uuid_short",
    "version",
];

/// Where an expression stands.
struct Place<'a> {
    /// As messages name it.
    clause: &'static str,
    /// The column or constraint it belongs to.
    owner: &'a str,
    /// The value must be the same whenever and for whomever it is computed.
    lasting: bool,
    /// Database and table.
    names: (&'a str, &'a str),
}

impl Place<'_> {
    fn refuse(&self, what: &str) -> SqlError {
        SqlError::new(error::ER_GENERATED_COLUMN_FUNCTION_IS_NOT_ALLOWED, &[&what, &self.clause, &self.owner])
    }

    /// Whether a function of the session is called here.
    fn of_session(f: &ast::FunctionCall) -> bool {
        let one_argument = ["unix_timestamp", "week", "date_format"];
        if one_argument.iter().any(|n| f.name.eq_ignore_ascii_case(n)) {
            // with the last argument given the session has no say
            let full = match f.name.to_ascii_lowercase().as_str() {
                "unix_timestamp" => 1,
                "week" => 2,
                _ => 3,
            };
            return f.args.len() < full;
        }
        OF_THE_SESSION.iter().any(|n| f.name.eq_ignore_ascii_case(n))
    }

    fn subquery(&self) -> SqlError {
        if self.clause == "CHECK" {
            return SqlError::new(error::ER_SUBQUERIES_NOT_SUPPORTED, &[&"CHECK"]);
        }
        self.refuse("select ...")
    }

    fn check(&self, e: &ast::Expr) -> SqlResult<()> {
        match &e.kind {
            ExprKind::Subquery(_)
            | ExprKind::Exists(_)
            | ExprKind::InSubquery { .. }
            | ExprKind::Quantified { .. } => return Err(self.subquery()),
            ExprKind::Sequence(..) if self.clause == "CHECK" => return Err(self.subquery()),
            ExprKind::Column(c)
                if c.table.as_deref().is_some_and(|t| t != self.names.1)
                    || c.db.as_deref().is_some_and(|d| d != self.names.0) =>
            {
                return Err(self.refuse(&c.full_name()));
            }
            ExprKind::Values(_) => return Err(self.refuse("select ...")),
            ExprKind::Match(_) => return Err(self.refuse("match ... against()")),
            ExprKind::Aggregate(_) | ExprKind::Window(_) => return Err(self.refuse(&called(e))),
            ExprKind::UserVariable(name) if self.lasting => return Err(self.refuse(&format!("@{name}"))),
            ExprKind::SystemVariable(_) if self.lasting => {
                return Err(self.refuse(&printed(e).replace('`', "")));
            }
            ExprKind::Function(f) => {
                let is_of = |list: &[&str]| list.iter().any(|n| f.name.eq_ignore_ascii_case(n));
                let never = is_of(NEVER) || self.clause != "DEFAULT" && is_of(ONLY_DEFAULTS);
                if never || self.lasting && Place::of_session(f) {
                    return Err(self.refuse(&called(e)));
                }
                if f.db.is_some() {
                    return Err(self.refuse(&called(e)));
                }
            }
            _ => {}
        }
        let mut result = Ok(());
        e.kind.for_children(&mut |child| {
            if result.is_ok() {
                result = self.check(child);
            }
        });
        result
    }
}

fn printed(e: &ast::Expr) -> String {
    let mut bytes = Vec::new();
    e.print(ast::PrintStyle::default(), &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A call as messages name it: `name()`.
fn called(e: &ast::Expr) -> String {
    let text = printed(e);
    format!("{}()", text.split('(').next().unwrap_or(&text))
}

/// The first function that is none of the server's, as messages name it.
fn unknown_function(e: &ast::Expr) -> Option<String> {
    let mut found = None;
    e.kind.for_children(&mut |child| found = found.take().or_else(|| unknown_function(child)));
    match &e.kind {
        ExprKind::Function(f) if found.is_none() && crate::func::find(&f.name).is_none() => {
            Some(format!("`{}`()", f.name))
        }
        _ => found,
    }
}

/// The columns that an expression names, by number.
fn columns_of(e: &ast::Expr, def: &TableDef, out: &mut Vec<usize>) {
    // the default of a column is read from the row, too, where it is computed
    let default = |c: &ast::ColumnRef| {
        def.columns
            .iter()
            .any(|d| same_name(&d.name, &c.name) && matches!(d.default, DefaultValue::Expression(_)))
    };
    if let ExprKind::Column(c) = &e.kind {
        out.extend(def.columns.iter().position(|d| same_name(&d.name, &c.name)));
    } else if let ExprKind::Default(Some(c)) = &e.kind
        && default(c)
    {
        out.extend(def.columns.iter().position(|d| same_name(&d.name, &c.name)));
    }
    e.kind.for_children(&mut |child| columns_of(child, def, out));
}

/// Checks the expressions of a definition that is being made.
///
/// # Errors
/// 1054, 1901, 1903, 1970, 4029 and those of binding.
pub(super) fn validate(def: &mut TableDef, names: (&str, &str), ctx: &mut EvalContext) -> SqlResult<()> {
    if !crate::table::rules::has_rules(def) {
        return Ok(());
    }
    let values = check_all(def, names, ctx)?;
    check_padding(def, names, ctx)?;
    for (column, value) in values {
        if let DefaultValue::Expression(computed) = &mut def.columns[column].default
            && computed.value.is_none()
        {
            computed.value = value;
        }
    }
    Ok(())
}

/// Literals have the character set of the table.
fn literals_fit(e: &ast::Expr, def: &TableDef) -> SqlResult<()> {
    if let ExprKind::Literal(ast::Literal::String(s)) = &e.kind
        && s.charset.is_none()
        && let Ok(text) = std::str::from_utf8(&s.bytes)
    {
        let set = def.options.collation.charset;
        let mut room = Vec::new();
        if text.chars().any(|c| !set.encode(u32::from(c), &mut room)) {
            return Err(SqlError::new(error::ER_BAD_DATA, &[&text, &set.name]));
        }
    }
    let mut result = Ok(());
    e.kind.for_children(&mut |child| {
        if result.is_ok() {
            result = literals_fit(child, def);
        }
    });
    result
}

/// Refuses generated columns that are kept, in rows or in keys, and depend on PAD_CHAR_TO_FULL_LENGTH.
fn check_padding(def: &TableDef, names: (&str, &str), ctx: &mut EvalContext) -> SqlResult<()> {
    let clause = "GENERATED ALWAYS AS";
    for (i, column) in def.columns.iter().enumerate() {
        let Some(g) = &column.generated else { continue };
        if !g.stored && !def.keys.iter().any(|k| k.parts.iter().any(|p| p.column == i)) {
            continue;
        }
        let (e, _) = parse_expression_at(g.expression.as_bytes(), 0, &Options::default())?;
        let mut type_of = |part: &ast::Expr| {
            crate::table::rules::try_bind(part, clause, def, names, ctx).ok().map(|e| e.ty)
        };
        if super::padding::depends(&e, column, def, &mut type_of) {
            let place = Place { clause, owner: &column.name, lasting: true, names };
            let refused = place.refuse(&g.expression);
            ctx.warnings.push_error(Level::Error, &refused);
            let text = "Expression depends on the @@sql_mode value PAD_CHAR_TO_FULL_LENGTH";
            ctx.warnings.push_text(Level::Warning, error::ER_UNKNOWN_ERROR, text.to_string());
            return Err(refused);
        }
    }
    Ok(())
}

/// The stored value of a column's default; `None` for NULL.
type StoredDefault = (usize, Option<Box<[u8]>>);

/// Checks all; gives the values of defaults that read nothing, by column.
fn check_all(def: &TableDef, names: (&str, &str), ctx: &mut EvalContext) -> SqlResult<Vec<StoredDefault>> {
    let mut defaults = Vec::new();
    for key in def.keys.iter().filter(|k| k.kind == KeyKind::Primary) {
        if key.parts.iter().any(|p| def.columns[p.column].generated.is_some()) {
            return Err(SqlError::new(error::ER_PRIMARY_KEY_BASED_ON_GENERATED_COLUMN, &[]));
        }
    }
    let mut one = |text: &str, place: &Place<'_>, reads: &dyn Fn(usize) -> SqlResult<()>| {
        let (e, _) = parse_expression_at(text.as_bytes(), 0, &Options::default())?;
        place.check(&e)?;
        literals_fit(&e, def)?;
        let mut columns = Vec::new();
        columns_of(&e, def, &mut columns);
        let bound = crate::table::rules::try_bind(&e, place.clause, def, names, ctx).map_err(|failed| {
            match unknown_function(&e) {
                Some(name) if failed.code == error::ER_SP_DOES_NOT_EXIST => place.refuse(&name),
                _ => failed,
            }
        })?;
        for column in columns {
            // what the column will count to is not known in time
            if def.columns[column].auto_increment && (place.lasting || place.clause == "DEFAULT") {
                let place = Place { owner: &def.columns[column].name, ..*place };
                return Err(place.refuse("AUTO_INCREMENT"));
            }
            reads(column)?;
        }
        Ok(bound)
    };
    let computed = |i: usize| matches!(def.columns[i].default, DefaultValue::Expression(_));
    for (i, column) in def.columns.iter().enumerate() {
        let early = |j: usize| {
            let parts: [&dyn std::fmt::Display; 2] = [&column.name, &def.columns[j].name];
            Err(SqlError::new(error::ER_EXPRESSION_REFERS_TO_UNINIT_FIELD, &parts))
        };
        if let Some(g) = &column.generated {
            let keyed = def.keys.iter().any(|k| k.parts.iter().any(|p| p.column == i));
            let place = Place {
                clause: "GENERATED ALWAYS AS",
                owner: &column.name,
                lasting: g.stored || keyed,
                names,
            };
            one(&g.expression, &place, &|j| {
                if def.columns[j].generated.is_some() && j >= i { early(j) } else { Ok(()) }
            })?;
        }
        if let DefaultValue::Expression(schema::definition::Computed { text, .. }) = &column.default {
            let place = Place { clause: "DEFAULT", owner: &column.name, lasting: false, names };
            let bound = one(text, &place, &|j| {
                if def.columns[j].generated.is_some() || computed(j) && j >= i { early(j) } else { Ok(()) }
            })?;
            defaults.push((i, bound));
        }
        if let Some(text) = &column.check {
            let place = Place { clause: "CHECK", owner: &column.name, lasting: true, names };
            one(text, &place, &|_| Ok(()))?;
        }
    }
    for check in &def.checks {
        let place = Place { clause: "CHECK", owner: &check.name, lasting: true, names };
        one(&check.expression, &place, &|_| Ok(()))?;
    }
    let mut values = Vec::new();
    for (i, bound) in defaults {
        values.push((i, super::defaults::value_now(&bound, &def.columns[i], names.1, ctx).unwrap_or(None)));
    }
    Ok(values)
}

/// The text of an expression without the table's own name before columns.
pub(super) fn unqualified(text: &str, table: &str) -> String {
    let mut own = String::new();
    ast::quote_identifier(table, ast::PrintStyle::default(), &mut own);
    own.push('.');
    if !text.contains(&own) {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '`', '"']) {
        out.push_str(&rest[..at]);
        let behind_dot = out.ends_with('.');
        rest = &rest[at..];
        match rest.strip_prefix(own.as_str()) {
            Some(shorter) if !behind_dot && shorter.starts_with('`') => rest = shorter,
            _ => {
                let end = quoted_end(rest);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// The text of an expression in which column `old` is called `new`.
pub(super) fn renamed(text: &str, old: &str, new: &str) -> String {
    let mut out = String::with_capacity(text.len() + new.len());
    let mut rest = text;
    let mut before = '\0';
    while let Some(at) = rest.find(['\'', '`', '"']) {
        out.push_str(&rest[..at]);
        before = rest[..at].chars().next_back().unwrap_or(before);
        let quote = rest[at..].chars().next().unwrap_or('`');
        let end = quoted_end(&rest[at..]);
        let part = &rest[at..at + end];
        let name = part.get(1..part.len().saturating_sub(1)).unwrap_or("").replace("``", "`");
        if quote == '`' && before != '@' && same_name(&name, old) {
            ast::quote_identifier(new, ast::PrintStyle::default(), &mut out);
        } else {
            out.push_str(part);
        }
        before = quote;
        rest = &rest[at + end..];
    }
    out.push_str(rest);
    out
}

/// Where the quoted text at the beginning of `text` ends.
fn quoted_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes[0];
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote != b'`' => at += 2,
            b if b == quote && bytes.get(at + 1) == Some(&quote) => at += 2,
            b if b == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{renamed, unqualified};

    #[test]
    fn names_change_and_texts_do_not() {
        assert_eq!(renamed("`a` + `ab` + `A`", "a", "x"), "`x` + `ab` + `x`");
        assert_eq!(
            renamed("concat('`a`',`a`,'it''s \\' `a`')", "a", "x"),
            "concat('`a`',`x`,'it''s \\' `a`')"
        );
        assert_eq!(renamed("@`a` + `a`", "a", "we`ird"), "@`a` + `we``ird`");
        assert_eq!(renamed("1", "a", "b"), "1");
    }

    #[test]
    fn the_own_table_is_not_named() {
        assert_eq!(
            unqualified("`t`.`a` + `t` + '`t`.`a`' + `u`.`t`", "t"),
            "`a` + `t` + '`t`.`a`' + `u`.`t`"
        );
        assert_eq!(unqualified("`d`.`t`.`a`", "t"), "`d`.`t`.`a`");
    }
}
