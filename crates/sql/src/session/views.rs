//! Views as a session sees them: what they give, and whether they can be read.

use std::sync::Arc;

use schema::definition::{ColumnDef, TableDef};

use super::Session;
use super::select::Planning;
use super::tables::Access;
use crate::ast::TableName;
use crate::catalog::view::StoredView;
use crate::error::{SqlError, SqlResult, codes};
use crate::plan::{self, PlanEnv, QueryPlan};
use crate::rights::Rights;
use crate::warning::Level;

impl Session {
    /// The view behind a name; none where it is another's.
    ///
    /// # Errors
    /// 1046, those of the view's file.
    pub(crate) fn view_of(&mut self, t: &TableName) -> SqlResult<Option<Arc<StoredView>>> {
        let (db, name) = self.table_path(t)?;
        if self.temporary(&db, &name).is_some() || db.eq_ignore_ascii_case("information_schema") {
            return Ok(None);
        }
        self.engine.catalog.view(&db, &name, &|| self.waiter())
    }

    /// Plans the query of a view, with the rights that count in it.
    ///
    /// # Errors
    /// Those of binding it, as they are.
    pub(crate) fn plan_view(&mut self, view: &Arc<StoredView>) -> SqlResult<Arc<QueryPlan>> {
        let reader = self.take_reader();
        let (session, ctx) = self.split(b"");
        let mut env = Planning::new(session, &reader, Access::Read);
        let (client, collation) = (ctx.client, ctx.collation);
        let planned = env.enter_view(view).and_then(|()| {
            ctx.client = view.client;
            ctx.collation = view.connection;
            plan::plan_query(&view.query, &mut env, ctx)
        });
        ctx.client = client;
        ctx.collation = collation;
        self.give_reader(reader);
        planned
    }

    /// The columns of a view, as those of a table.
    ///
    /// # Errors
    /// 1356 when it cannot be read.
    pub(crate) fn view_columns(&mut self, view: &Arc<StoredView>) -> SqlResult<Vec<ColumnDef>> {
        match self.describe_view(view) {
            Ok(plan) => crate::plan::definition::view_columns(&plan),
            Err(e) if e.code == codes::ER_VIEW_RECURSIVE || e.is_stale() => Err(e),
            Err(e) if e.code == codes::ER_NO_SUCH_USER => Err(e),
            Err(_) => Err(view.invalid()),
        }
    }

    /// Plans a view to tell of it; who may do everything is told of a definer that is missing, and sees it all the same.
    fn describe_view(&mut self, view: &Arc<StoredView>) -> SqlResult<Arc<QueryPlan>> {
        let mark = self.ctx.warnings.mark();
        self.describes = true;
        let plan = self.plan_view(view);
        self.describes = false;
        self.ctx.warnings.rollback_to(mark);
        let (user, host) = (&view.def.definer_user, &view.def.definer_host);
        let denied = matches!(&plan, Err(e) if e.code == codes::ER_NO_SUCH_USER);
        if !view.is_invoker() && !denied && Rights::of_definer(&self.engine.accounts, user, host).is_none() {
            self.ctx.warnings.note(codes::ER_NO_SUCH_USER, &[user, host]);
        }
        plan
    }

    /// A view as the definition of a table.
    ///
    /// # Errors
    /// As [`Session::view_columns`].
    pub(crate) fn view_definition(&mut self, view: &Arc<StoredView>) -> SqlResult<TableDef> {
        let mut def = TableDef::new("MyISAM", view.connection);
        def.columns = self.retry_if_stale(|session| session.view_columns(view))?;
        Ok(def)
    }

    /// What is wrong with a view: first what is, then that it is invalid; nothing when it can be read.
    pub(crate) fn check_view(&mut self, view: &Arc<StoredView>) -> Vec<SqlError> {
        let mark = self.ctx.warnings.mark();
        let told = self.ctx.warnings.entries().len();
        let plan = self.plan_view(view);
        let mut reasons: Vec<SqlError> = Vec::new();
        for w in self.ctx.warnings.entries().iter().skip(told).filter(|w| w.level == Level::Error) {
            reasons.push(SqlError { message: w.message.clone(), ..SqlError::new(w.code, &[]) });
        }
        self.ctx.warnings.rollback_to(mark);
        reasons.extend(wrong(view, plan));
        reasons
    }

    /// As [`Session::check_view`], for who looks at a list of tables.
    pub(crate) fn look_at_view(&mut self, view: &Arc<StoredView>) -> Vec<SqlError> {
        let plan = self.describe_view(view);
        wrong(view, plan)
    }
}

fn wrong(view: &StoredView, plan: SqlResult<Arc<QueryPlan>>) -> Vec<SqlError> {
    match plan {
        Ok(_) => Vec::new(),
        Err(e) if e.code == codes::ER_VIEW_INVALID => vec![view.invalid()],
        Err(e) => vec![e, view.invalid()],
    }
}
