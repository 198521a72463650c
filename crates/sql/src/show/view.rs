//! SHOW CREATE VIEW.

use std::sync::Arc;

use super::rows::{Rows, s, text};
use crate::ast::{self, Expr, ExprKind, Query, QueryTerm, TableRef, ViewText};
use crate::catalog::view::StoredView;
use crate::error::SqlResult;
use crate::result::{Done, ResultSink};
use crate::rights::privilege::{SELECT, SHOW_VIEW};
use crate::session::Session;
use crate::types::Value;
use crate::variables::SqlMode;

/// Sends the statement that makes a view.
pub(super) fn create(session: &mut Session, view: &StoredView, sink: &mut dyn ResultSink) -> SqlResult<Done> {
    session.rights.need_table(&view.db, &view.name, SELECT)?;
    session.rights.need_table(&view.db, &view.name, SHOW_VIEW)?;
    let settings = session.settings();
    let style = ast::PrintStyle {
        ansi_quotes: settings.sql_mode.has(SqlMode::ANSI_QUOTES),
        charset: view.connection.charset.name,
        client: Some(view.client),
        view: Some(ViewText::Statement),
        ..ast::PrintStyle::default()
    };
    let mut query = view.query.clone();
    let here = session.database() == Some(&*view.db) && !any_other_database(&mut query, &view.db);
    if here {
        each_name(&mut query, &mut |db| *db = None);
    }
    bracket_joins(&mut query);
    let quoted = |name: &str| {
        let mut out = String::new();
        ast::quote_identifier(name, style, &mut out);
        out
    };
    let mut definer = quoted(&view.def.definer_user);
    if !view.def.definer_host.is_empty() {
        definer = format!("{definer}@{}", quoted(&view.def.definer_host));
    }
    let name = match here || session.database() == Some(&*view.db) {
        true => quoted(&view.name),
        false => format!("{}.{}", quoted(&view.db), quoted(&view.name)),
    };
    let mut sql = match session.settings().sql_mode.is_foreign() {
        true => format!("CREATE VIEW {name} AS "),
        false => format!(
            "CREATE ALGORITHM={} DEFINER={definer} SQL SECURITY {} VIEW {name} AS ",
            view.algorithm().word(),
            if view.is_invoker() { "INVOKER" } else { "DEFINER" },
        ),
    }
    .into_bytes();
    query.print(style, &mut sql);
    match view.def.check_option {
        1 => sql.extend_from_slice(b" WITH LOCAL CHECK OPTION"),
        2 => sql.extend_from_slice(b" WITH CASCADED CHECK OPTION"),
        _ => {}
    }
    let mut rows = Rows::new(vec![
        ("View", text(64)),
        ("Create View", text(1024)),
        ("character_set_client", text(32)),
        ("collation_connection", text(32)),
    ]);
    rows.push(vec![s(&view.name), Value::Bytes(sql), s(view.client.name), s(view.connection.name)]);
    rows.send(session, sink)
}

/// Puts every join in brackets, in all of FROM.
fn bracket_joins(query: &mut Query) {
    for t in query.with.iter_mut().flat_map(|w| &mut w.tables) {
        bracket_joins(Arc::make_mut(&mut t.query));
    }
    let rest = query.rest.iter_mut().map(|(_, t)| t);
    for term in std::iter::once(&mut query.first).chain(rest) {
        match term {
            QueryTerm::Nested(q) => bracket_joins(q),
            QueryTerm::Select(select) => select.from.iter_mut().for_each(bracketed),
            QueryTerm::Values(_) => {}
        }
    }
}

fn bracketed(r: &mut TableRef) {
    match r {
        TableRef::Nested(list) if list.len() == 1 => {
            let mut inner = list.remove(0);
            bracketed(&mut inner);
            *r = inner;
        }
        TableRef::Nested(list) => list.iter_mut().for_each(bracketed),
        TableRef::Derived(d) => bracket_joins(Arc::make_mut(&mut d.query)),
        TableRef::Join(j) => {
            bracketed(&mut j.left);
            bracketed(&mut j.right);
            let join = std::mem::replace(r, TableRef::Nested(Vec::new()));
            *r = TableRef::Nested(vec![join]);
        }
        TableRef::Table(_) | TableRef::JsonTable(_) => {}
    }
}

/// Whether a query names another database than that of its view.
fn any_other_database(query: &mut Query, db: &str) -> bool {
    let mut other = false;
    each_name(query, &mut |name| other |= name.as_deref().is_some_and(|n| n != db));
    other
}

/// Calls `f` for the database of every name in a query.
fn each_name(query: &mut Query, f: &mut dyn FnMut(&mut Option<ast::Name>)) {
    for t in query.with.iter_mut().flat_map(|w| &mut w.tables) {
        each_name(Arc::make_mut(&mut t.query), f);
    }
    let rest = query.rest.iter_mut().map(|(_, t)| t);
    for term in std::iter::once(&mut query.first).chain(rest) {
        match term {
            QueryTerm::Nested(q) => each_name(q, f),
            QueryTerm::Values(rows) => rows.iter_mut().flatten().for_each(|e| of_expr(e, f)),
            QueryTerm::Select(select) => {
                for item in &mut select.items {
                    if let ast::SelectItem::Expr { expr, .. } = item {
                        of_expr(expr, f);
                    }
                }
                select.from.iter_mut().for_each(|r| of_table(r, f));
                select.filter.iter_mut().chain(&mut select.having).for_each(|e| of_expr(e, f));
                select.group_by.iter_mut().for_each(|o| of_expr(&mut o.expr, f));
            }
        }
    }
    query.order_by.iter_mut().for_each(|o| of_expr(&mut o.expr, f));
}

fn of_table(r: &mut TableRef, f: &mut dyn FnMut(&mut Option<ast::Name>)) {
    match r {
        TableRef::Table(t) => f(&mut t.name.db),
        TableRef::Derived(d) => each_name(Arc::make_mut(&mut d.query), f),
        TableRef::Nested(list) => list.iter_mut().for_each(|r| of_table(r, f)),
        TableRef::Join(j) => {
            of_table(&mut j.left, f);
            of_table(&mut j.right, f);
            if let ast::JoinCondition::On(e) = &mut j.condition {
                of_expr(e, f);
            }
        }
        TableRef::JsonTable(j) => {
            // it is of no database, which is another one than the view's
            f(&mut Some("".into()));
            of_expr(&mut j.expr, f);
        }
    }
}

fn of_expr(e: &mut Expr, f: &mut dyn FnMut(&mut Option<ast::Name>)) {
    match &mut e.kind {
        ExprKind::Column(c) => f(&mut c.db),
        ExprKind::Default(Some(c)) => f(&mut c.db),
        ExprKind::Subquery(q)
        | ExprKind::Exists(q)
        | ExprKind::InSubquery { query: q, .. }
        | ExprKind::Quantified { query: q, .. } => each_name(q, f),
        _ => {}
    }
    e.kind.for_children_mut(&mut |c| of_expr(c, f));
}
