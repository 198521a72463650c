//! HANDLER as a statement.

use std::sync::Arc;

use crate::ast::{Handler, HandlerRead};
use crate::catalog::view::StoredView;
use crate::error::{SqlError, SqlResult};
use crate::exec::handler;
use crate::expr::EvalContext;
use crate::plan::handler::{HandlerPlan, plan_read};
use crate::plan::{Named, PlanEnv, Relation, TableUse, Unreadable};
use crate::result::{Done, ResultSchema, ResultSink};
use crate::rights::privilege::SELECT;
use crate::session::Session;
use crate::session::cached::KeptRead;
use crate::session::params::ParamTypes;
use crate::session::select::Planning;
use crate::session::tables::Access;
use crate::table::OpenTable;
use crate::types::{FieldType, Value};

/// The session as the planner sees it, with the handler's table as the only one.
struct OfHandler<'a> {
    session: Planning<'a>,
    table: Arc<OpenTable>,
}

impl PlanEnv for OfHandler<'_> {
    fn table(&mut self, _: &crate::ast::TableName, _: &str, _: TableUse) -> SqlResult<Named> {
        Ok(Named::Relation(Relation::Base(Arc::clone(&self.table))))
    }

    fn enter_view(&mut self, view: &Arc<StoredView>) -> SqlResult<()> {
        Err(view.invalid())
    }

    fn leave_view(&mut self) {}

    fn unreadable(&self, table: &OpenTable) -> Option<Unreadable> {
        self.session.unreadable(table)
    }

    fn system_variable(&mut self, variable: &crate::ast::SystemVariable) -> SqlResult<(Value, FieldType)> {
        self.session.system_variable(variable)
    }

    fn reader(&self) -> &pages::ReaderSlot {
        self.session.reader()
    }

    fn text(&self) -> &[u8] {
        self.session.text()
    }

    fn param(&self, n: u32) -> Option<FieldType> {
        self.session.param(n)
    }

    fn stored_function(
        &mut self,
        _: &crate::ast::FunctionCall,
        _: Vec<crate::expr::Expr>,
        _: &mut EvalContext,
    ) -> SqlResult<Option<crate::expr::Expr>> {
        // whether there is one or not
        Err(SqlError::not_supported("stored functions in HANDLER ... READ"))
    }

    fn database(&self) -> Option<&str> {
        self.session.database()
    }
}

impl Session {
    /// HANDLER.
    ///
    /// # Errors
    /// Those of the handlers and of reading.
    pub(super) fn handler(&mut self, h: &Handler, text: &[u8], sink: &mut dyn ResultSink) -> SqlResult<Done> {
        match h {
            Handler::Open(table, alias) => self.open_handler(table, alias.as_ref()).map(|()| Done::default()),
            Handler::Close(table) => self.close_handler(&table.name).map(|()| Done::default()),
            Handler::Read { .. } => self.read_handler(&mut None, h, text, sink),
        }
    }

    /// HANDLER ... READ: as it was bound before, when that still fits.
    ///
    /// # Errors
    /// As [`Session::handler`].
    pub(super) fn read_handler(
        &mut self,
        slot: &mut Option<KeptRead>,
        read: &Handler,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        let (at, how) = self.handler_of(read)?;
        self.renew_rights();
        self.retry_if_stale(|session| {
            let table = session.handler_table(at)?;
            let fits = slot.as_ref().is_some_and(|kept| {
                Arc::ptr_eq(&kept.plan.table, &table)
                    && kept.settings == session.plan_settings()
                    && kept.rights == session.rights.stamp()
                    && kept.params.fit(session)
            });
            if !fits {
                *slot = None;
                let plan = Arc::new(session.bind_read(at, &table, read, text)?);
                *slot = Some(KeptRead {
                    params: ParamTypes::of(session, false),
                    settings: session.plan_settings(),
                    rights: session.rights.stamp(),
                    plan,
                });
            }
            let Some(kept) = slot.as_ref() else { return Err(SqlError::internal("HANDLER without a plan")) };
            let plan = Arc::clone(&kept.plan);
            if !plan.rows.cacheable {
                *slot = None;
            }
            session.run_read(at, &plan, how, sink)
        })
    }

    /// The handler that is read, and how.
    fn handler_of<'h>(&self, read: &'h Handler) -> SqlResult<(usize, &'h HandlerRead)> {
        match read {
            Handler::Read { table, how, .. } => Ok((self.find_handler(&table.name)?, how)),
            _ => Err(SqlError::internal("HANDLER that reads nothing")),
        }
    }

    /// Binds a READ with the names of the handler's table.
    fn bind_read(
        &mut self,
        at: usize,
        table: &Arc<OpenTable>,
        read: &Handler,
        text: &[u8],
    ) -> SqlResult<HandlerPlan> {
        if !table.temporary {
            self.rights.need_table(&table.db, &table.name, SELECT)?;
        }
        let alias = self.handlers[at].alias.clone();
        let reader = self.take_reader();
        let (view, ctx) = self.split(text);
        let planning = Planning::new(view, &reader, Access::Read);
        let mut env = OfHandler { session: planning, table: Arc::clone(table) };
        // it reads no more rows than it is told to
        let most = std::mem::replace(&mut ctx.max_join_size, u64::MAX);
        let plan = plan_read(read, (&alias, table), &mut env, ctx);
        ctx.max_join_size = most;
        self.give_reader(reader);
        let plan = plan?;
        if let Handler::Read { how, .. } = read {
            handler::check_key(&plan, how)?;
        }
        Ok(plan)
    }

    /// The columns of a READ that is prepared.
    ///
    /// # Errors
    /// Those of binding.
    pub(super) fn prepare_read(&mut self, read: &Handler, text: &[u8]) -> SqlResult<Arc<ResultSchema>> {
        let (at, _) = self.handler_of(read)?;
        self.renew_rights();
        let table = self.handler_table(at)?;
        Ok(Arc::clone(&self.bind_read(at, &table, read, text)?.rows.schema))
    }

    fn run_read(
        &mut self,
        at: usize,
        plan: &Arc<HandlerPlan>,
        how: &HandlerRead,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        let mut cursor = self.handlers[at].cursor.take().unwrap_or_default();
        let mark = self.ctx.mark();
        let wanted = match how {
            HandlerRead::Key(..) => handler::want(plan, &mut cursor, &mut self.ctx),
            _ => Ok(true),
        };
        let result = match wanted {
            Ok(true) => self.with_snapshot(std::slice::from_ref(&plan.table), |session, exec| {
                let ctx: &mut EvalContext = &mut session.ctx;
                sink.start(&plan.rows.schema)?;
                handler::send(exec, plan, how, &mut cursor, ctx, sink).map(Some)
            }),
            Ok(false) => {
                self.ctx.rollback_to(&mark);
                Ok(None)
            }
            Err(e) => Err(e),
        };
        let handler = &mut self.handlers[at];
        handler.cursor = Some(cursor);
        let Some(looked_at) = result? else { return Ok(Done::default()) };
        handler.rows_read += looked_at;
        Ok(Done { had_rows: true, ..Done::default() })
    }
}
