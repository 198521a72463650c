//! CREATE, ALTER and DROP VIEW: files of views are written and removed.

use std::fmt::Write;
use std::sync::Arc;

use md5::{Digest, Md5};
use pages::FilePlan;
use schema::frm::ViewDef;

use crate::ast::tables::{any_query, any_select, each_subquery, names_table};
use crate::ast::{self, Account, CreateView, DropTables, ExprKind, Query, TableRef};
use crate::catalog::view::{Algorithm, StoredView, mergeable, simple};
use crate::error::{self, SqlError, SqlResult, codes};
use crate::failure::{from_pages, no_such_table};
use crate::names::INFORMATION_SCHEMA;
use crate::plan::optimized::{Canonical, canonical};
use crate::result::Done;
use crate::rights::privilege::{DELETE, INSERT, SELECT, SUPER, UPDATE};
use crate::session::Session;
use crate::session::facts::Asked;
use crate::session::tables::{Access, TableSource};
use crate::table::engine::definition_file;

/// The version that files of views name.
const VERSION: u32 = 101_119;

/// CREATE VIEW, ALTER VIEW.
///
/// # Errors
/// 1050, 1146, 1347, those of the query, 1350 to 1353, 1368, 1448.
pub(super) fn create(session: &mut Session, c: &CreateView, text: &[u8]) -> SqlResult<Done> {
    let (db, name) = session.table_path(&c.name)?;
    if &*db == INFORMATION_SCHEMA {
        return Err(session.rights.denied_database(&db));
    }
    let engine = Arc::clone(&session.engine);
    engine.catalog.database(&db)?;
    crate::names::check_new_table_name(&name)?;
    session.forbid_locked()?;
    refuse_parts(&c.query)?;
    let names = session.lock_names(&[(&db, &name)])?;
    let old = engine.catalog.view_now(&db, &name)?;
    let taken = engine.catalog.is_taken(&db, &name);
    if c.alter && !taken {
        return Err(no_such_table(&db, &name));
    }
    if taken && old.is_none() && (c.alter || c.or_replace) {
        return Err(SqlError::new(error::ER_WRONG_OBJECT, &[&db, &name, &"VIEW"]));
    }
    if taken && !c.alter && !c.or_replace {
        if c.if_not_exists {
            session.ctx.warnings.note(error::ER_TABLE_EXISTS_ERROR, &[&name]);
            return Ok(Done::default());
        }
        return Err(SqlError::new(error::ER_TABLE_EXISTS_ERROR, &[&name]));
    }
    refuse_itself(session, &c.query, (&db, &name))?;
    let definer = definer(session, c, old.as_deref())?;
    let def = define(session, c, text, (&db, &name), definer, old.as_deref())?;
    let plan = FilePlan::new().create(definition_file(&db, &name), def.write());
    engine.store().apply(plan).map_err(|e| from_pages(&e, &name))?;
    engine.catalog.forget_view(&db, &name);
    drop(names);
    Ok(Done::default())
}

/// DROP VIEW: those that are there go, the others are told of at the end.
///
/// # Errors
/// 4092 with the names of those that are no views.
pub(super) fn drop_views(session: &mut Session, d: &DropTables) -> SqlResult<Done> {
    session.forbid_locked()?;
    let engine = Arc::clone(&session.engine);
    let mut paths = Vec::new();
    for t in &d.names {
        let path = session.table_path(t)?;
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let names: Vec<(&str, &str)> = paths.iter().map(|(db, name)| (&**db, &**name)).collect();
    let names = session.lock_names(&names)?;
    let (mut missing, mut plan, mut going) = (Vec::new(), FilePlan::new(), Vec::new());
    for (db, name) in &paths {
        if engine.catalog.is_view(db, name) {
            plan = plan.remove(definition_file(db, name));
            going.push((db, name));
            continue;
        }
        let full = format!("{db}.{name}");
        if engine.catalog.is_taken(db, name) {
            let e = SqlError::new(error::ER_WRONG_OBJECT, &[db, name, &"VIEW"]);
            session.ctx.warnings.push_error(crate::warning::Level::Warning, &e);
        }
        missing.push(full);
    }
    if !going.is_empty() {
        engine.store().apply(plan).map_err(|e| from_pages(&e, going[0].1))?;
        going.iter().for_each(|(db, name)| engine.catalog.forget_view(db, name));
    }
    drop(names);
    if missing.is_empty() {
        return Ok(Done::default());
    }
    let missing = missing.join(",");
    if d.if_exists {
        session.ctx.warnings.note(codes::ER_UNKNOWN_VIEW, &[&missing]);
        return Ok(Done::default());
    }
    Err(SqlError::new(codes::ER_UNKNOWN_VIEW, &[&missing]))
}

/// Who defines the view.
fn definer(session: &mut Session, c: &CreateView, old: Option<&StoredView>) -> SqlResult<(String, String)> {
    let own = (session.rights.user.clone(), session.rights.host.clone());
    let (user, host) = match (&c.definer, old) {
        (None, Some(old)) if c.alter => (old.def.definer_user.clone(), old.def.definer_host.clone()),
        (None | Some(Account::CurrentUser | Account::Public), _) => own.clone(),
        (Some(Account::CurrentRole), _) => match session.rights.role() {
            Some(role) => (role.to_string(), String::new()),
            None => return Err(SqlError::new(codes::ER_INVALID_CURRENT_USER, &[])),
        },
        (Some(Account::Named { user, host }), _) => match host {
            Some(host) => (user.to_string(), host.to_string()),
            None if session.engine.accounts.has_role_named(user) => (user.to_string(), String::new()),
            None => (user.to_string(), "%".to_string()),
        },
    };
    let of_role = host.is_empty() && session.rights.role() == Some(&user);
    if (&user, &host) != (&own.0, &own.1) && !of_role {
        if session.rights.global() & (SUPER | crate::rights::privilege::SET_USER) == 0 {
            let all = crate::rights::privilege::names(SUPER | crate::rights::privilege::SET_USER);
            return Err(SqlError::new(error::ER_SPECIFIC_ACCESS_DENIED_ERROR, &[&all]));
        }
        let accounts = &session.engine.accounts;
        if accounts.find(&user, &host).is_none() && !(host.is_empty() && accounts.has_role_named(&user)) {
            session.ctx.warnings.note(codes::ER_NO_SUCH_USER, &[&user, &host]);
        }
    }
    Ok((user, host))
}

/// What a view's file says.
fn define(
    session: &mut Session,
    c: &CreateView,
    text: &[u8],
    (db, name): (&str, &str),
    (definer_user, definer_host): (String, String),
    old: Option<&StoredView>,
) -> SqlResult<ViewDef> {
    need_any_privilege(session, &c.query)?;
    let plan = session.plan(&c.query, text)?;
    if !c.columns.is_empty() && c.columns.len() != plan.types.len() {
        return Err(SqlError::new(codes::ER_VIEW_WRONG_LIST, &[]));
    }
    let database = session.database().unwrap_or_default().to_string();
    let made = canonical(&c.query, &c.columns, &mut Asked { session, database, text })?;
    let algorithm = match (c.algorithm.as_deref(), old) {
        (Some("MERGE"), _) => Algorithm::Merge,
        (Some("TEMPTABLE"), _) => Algorithm::TempTable,
        (None, Some(old)) if c.alter => old.algorithm(),
        _ => Algorithm::Undefined,
    };
    let algorithm = match algorithm {
        Algorithm::Merge if mergeable(&made.query).is_none() => {
            session.ctx.warnings.warn(codes::ER_WARN_VIEW_MERGE, &[]);
            Algorithm::Undefined
        }
        other => other,
    };
    let updatable = algorithm != Algorithm::TempTable && is_updatable(session, &made)?;
    if c.check_option.is_some() && !updatable {
        return Err(SqlError::new(codes::ER_VIEW_NONUPD_CHECK, &[&db, &name]));
    }
    let settings = session.settings().clone();
    let style = ast::PrintStyle {
        charset: settings.connection.charset.name,
        view: Some(ast::ViewText::Stored(settings.client)),
        ..ast::PrintStyle::default()
    };
    let mut query = Vec::new();
    made.query.print(style, &mut query);
    let mut shown = Vec::new();
    let style = ast::PrintStyle { view: Some(ast::ViewText::Shown), client: Some(settings.client), ..style };
    made.query.print(style, &mut shown);
    let mut md5 = String::with_capacity(32);
    for byte in Md5::digest(&query) {
        let _ = write!(md5, "{byte:02x}");
    }
    Ok(ViewDef {
        md5,
        query,
        updatable,
        algorithm: algorithm as u8,
        definer_user,
        definer_host,
        security: match (c.invoker, old) {
            (Some(true), _) => 0,
            (Some(false), _) => 1,
            (None, Some(old)) if c.alter => old.def.security,
            (None, _) => 2,
        },
        check_option: match c.check_option {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        },
        timestamp: format!("{:019}", schema::clock::now().as_micros()),
        create_version: 2,
        source: c.body.of(text).trim_ascii_end().to_vec(),
        client_charset: settings.client.name.to_string(),
        connection_collation: settings.connection.name.to_string(),
        body_utf8: String::from_utf8_lossy(&shown).into_owned(),
        mariadb_version: Some(VERSION),
    })
}

/// Who defines a view must be allowed something on each table of its FROM.
fn need_any_privilege(session: &mut Session, q: &Query) -> SqlResult<()> {
    let mut names = Vec::new();
    any_select(q, &mut |s| {
        for r in &s.from {
            names_table(r, &|_| false, &mut |t| names.push(t.clone()));
        }
        false
    });
    for t in names.iter().filter(|t| t.db.is_some()) {
        let (db, name) = session.table_path(t)?;
        let bits = SELECT | INSERT | UPDATE | DELETE;
        if &*db != INFORMATION_SCHEMA && !session.rights.has_any(&db, &name, bits) {
            return Err(session.rights.denied_statement(&db, &name, "ANY"));
        }
    }
    Ok(())
}

/// Whether rows may be changed through a view of this query.
fn is_updatable(session: &mut Session, made: &Canonical) -> SqlResult<bool> {
    let Some(select) = simple(&made.query) else { return Ok(false) };
    let mut tables = Vec::new();
    for r in &select.from {
        if !inner_tables(r, &mut tables) {
            return Ok(false);
        }
    }
    for t in &tables {
        let fits = match session.split(b"").0.source(&t.name, &t.name.name, Access::Shown)? {
            TableSource::Base(_) => true,
            TableSource::Virtual(_) => t.name.db.as_deref() != Some(INFORMATION_SCHEMA),
            TableSource::View(view) => view.def.updatable,
        };
        if !fits {
            return Ok(false);
        }
    }
    // a query of the table that would change
    if let ([TableRef::Table(t)], [_]) = (&select.from[..], &tables[..]) {
        let mut again = false;
        each_subquery(select, &mut |q| again |= reads(q, &t.name));
        return Ok(!again);
    }
    Ok(true)
}

/// The tables of a reference; false when one of them may be missing.
fn inner_tables<'a>(r: &'a TableRef, out: &mut Vec<&'a ast::TableFactor>) -> bool {
    match r {
        TableRef::Table(t) => {
            // a common table has no database
            if t.name.db.is_some() {
                out.push(t);
            }
            true
        }
        TableRef::Derived(_) | TableRef::JsonTable(_) => true,
        TableRef::Nested(list) => list.iter().all(|r| inner_tables(r, out)),
        TableRef::Join(j) => {
            !matches!(j.kind, ast::JoinKind::Left | ast::JoinKind::Right)
                && inner_tables(&j.left, out)
                && inner_tables(&j.right, out)
        }
    }
}

/// Whether a query reads a table, which is named with its database.
fn reads(q: &Query, table: &ast::TableName) -> bool {
    let same = |t: &ast::TableName| t.db == table.db && t.name == table.name;
    any_select(q, &mut |s| s.from.iter().any(|r| names_table(r, &same, &mut |_| {})))
}

/// A view that names itself: it is not there while it is made.
fn refuse_itself(session: &Session, q: &Query, (db, name): (&str, &str)) -> SqlResult<()> {
    let current = session.database();
    let itself = |t: &ast::TableName| *t.name == *name && t.db.as_deref().or(current) == Some(db);
    match any_select(q, &mut |s| s.from.iter().any(|r| names_table(r, &itself, &mut |_| {}))) {
        true => Err(no_such_table(db, name)),
        false => Ok(()),
    }
}

/// Variables, parameters and INTO are not for views.
fn refuse_parts(q: &Query) -> SqlResult<()> {
    if q.into.is_some() {
        return Err(SqlError::new(codes::ER_VIEW_SELECT_CLAUSE, &[&"INTO"]));
    }
    if q.procedure.is_some() {
        return Err(SqlError::new(codes::ER_VIEW_SELECT_CLAUSE, &[&"PROCEDURE"]));
    }
    if any_query(q, &mut |q| q.limit.as_ref().is_some_and(|l| l.examined.is_some())) {
        return Err(SqlError::not_supported("LIMIT ROWS EXAMINED inside views"));
    }
    fn of_expr(e: &ast::Expr) -> bool {
        let mut found = matches!(
            e.kind,
            ExprKind::UserVariable(_)
                | ExprKind::SystemVariable(_)
                | ExprKind::Param(_)
                | ExprKind::Assign(..)
        );
        e.kind.for_children(&mut |c| found = found || of_expr(c));
        found
    }
    fn of_from(r: &TableRef) -> bool {
        match r {
            TableRef::Join(j) => {
                let on = matches!(&j.condition, ast::JoinCondition::On(e) if of_expr(e));
                on || of_from(&j.left) || of_from(&j.right)
            }
            TableRef::Nested(list) => list.iter().any(of_from),
            TableRef::JsonTable(j) => of_expr(&j.expr),
            _ => false,
        }
    }
    let variables = any_select(q, &mut |s| {
        let list = s.items.iter().any(|i| matches!(i, ast::SelectItem::Expr { expr, .. } if of_expr(expr)));
        list || s.filter.iter().chain(&s.having).any(of_expr)
            || s.group_by.iter().any(|o| of_expr(&o.expr))
            || s.from.iter().any(of_from)
    });
    match variables || q.order_by.iter().any(|o| of_expr(&o.expr)) {
        true => Err(SqlError::new(codes::ER_VIEW_SELECT_VARIABLE, &[])),
        false => Ok(()),
    }
}
