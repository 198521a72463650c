//! VIEWS, and what other tables tell of views.

use std::sync::Arc;

use super::by_table::Rows;
use super::{InfoSchemaContext, s};
use crate::ast;
use crate::catalog::view::{Algorithm, CheckOption, StoredView, simple};
use crate::error::SqlResult;
use crate::rights::privilege::SHOW_VIEW;
use crate::session::Session;
use crate::types::Value;

/// Whether rows are changed through a view, as MariaDB tells it: by what its own query looks like, whatever lies below.
fn is_updatable(view: &StoredView) -> bool {
    let Some(select) = simple(&view.query).filter(|_| view.algorithm() != Algorithm::TempTable) else {
        return false;
    };
    let column = |i: &ast::SelectItem| match i {
        ast::SelectItem::Expr { expr, .. } => matches!(expr.kind, ast::ExprKind::Column(_)),
        _ => false,
    };
    select.items.iter().any(column)
}

impl InfoSchemaContext {
    /// The view of a name.
    ///
    /// # Errors
    /// The statement is killed.
    pub(super) fn view(&self, db: &str, name: &str) -> SqlResult<Option<Arc<StoredView>>> {
        let view = self.engine.catalog.view(db, name, &|| self.waiter.clone());
        self.waiter.check_killed()?;
        Ok(view.unwrap_or_default())
    }

    /// A session that binds views, with the rights of who asks.
    ///
    /// # Errors
    /// When no more can be had.
    pub(super) fn session(&self) -> SqlResult<Session> {
        let mut session = crate::admin::bootstrap::own_session(&self.engine)?;
        session.rights = self.rights.clone();
        Ok(session)
    }

    /// Keeps what such a session was warned of, for SHOW.
    pub(super) fn take_warnings(&self, session: &Session) {
        self.warnings.lock().tell_again(session.ctx.warnings.entries());
    }

    /// What TABLES says in place of a comment: that it is a view, or why it cannot be read.
    ///
    /// # Errors
    /// When no session can be had.
    pub(super) fn view_comment(&self, db: &str, name: &str) -> SqlResult<String> {
        let Some(view) = self.view(db, name)? else { return Ok("VIEW".into()) };
        let mut session = self.session()?;
        let wrong = session.look_at_view(&view);
        self.take_warnings(&session);
        Ok(wrong.last().map_or_else(|| "VIEW".into(), |e| e.message.clone()))
    }

    /// The row of VIEWS.
    pub(super) fn view_row(&self, db: &str, name: &str, rows: &mut Rows) -> SqlResult<()> {
        if !self.engine.catalog.is_view(db, name) {
            return Ok(());
        }
        let Some(view) = self.view(db, name)? else { return Ok(()) };
        let def = &view.def;
        let own = def.definer_user == self.rights.user && def.definer_host == self.rights.host;
        let shown = own || self.rights.unlimited() || self.rights.has_any(db, name, SHOW_VIEW);
        let mut session = self.session()?;
        let readable = session.look_at_view(&view).is_empty();
        self.take_warnings(&session);
        let updatable = match (readable, is_updatable(&view)) {
            (false, _) => "",
            (_, true) => "YES",
            (_, false) => "NO",
        };
        let check = match view.check_option() {
            CheckOption::None => "NONE",
            CheckOption::Local => "LOCAL",
            CheckOption::Cascaded => "CASCADED",
        };
        rows.push(vec![
            s("def"),
            s(db),
            s(name),
            if shown { s(&def.body_utf8) } else { Value::Bytes(Vec::new()) },
            s(check),
            s(updatable),
            s(format!("{}@{}", def.definer_user, def.definer_host)),
            s(if view.is_invoker() { "INVOKER" } else { "DEFINER" }),
            s(&def.client_charset),
            s(&def.connection_collation),
            s(view.algorithm().word()),
        ]);
        Ok(())
    }
}
