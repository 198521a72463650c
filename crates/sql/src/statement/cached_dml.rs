//! Statements that change rows, kept bound between their executions.

use crate::ast::Statement;
use crate::dml::{delete, insert, update};
use crate::error::{self, SqlError, SqlResult};
use crate::parse::{self, Options};
use crate::plan::QueryPlan;
use crate::plan::change::{BoundChange, Source};
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::session::cached::CachedDml;
use crate::session::params::ParamTypes;

fn fresh(plan: &QueryPlan) -> bool {
    plan.cacheable && plan.views == 0 && !plan.tables.iter().any(|t| t.is_stale())
}

impl BoundChange {
    /// Binds a statement.
    fn new(session: &mut Session, statement: &Statement, text: &[u8]) -> SqlResult<BoundChange> {
        Ok(match statement {
            Statement::Insert(i) => BoundChange::Insert(insert::prepare(session, i, text)?),
            Statement::Update(u) => BoundChange::Update(update::prepare(session, u, text)?),
            Statement::Delete(d) => BoundChange::Delete(delete::prepare(session, d, text)?),
            _ => return Err(SqlError::internal("not a change of rows")),
        })
    }

    fn run(&self, session: &mut Session, text: &[u8], sink: &mut dyn ResultSink) -> SqlResult<Done> {
        match self {
            BoundChange::Insert(p) => insert::execute(session, p, text, sink),
            BoundChange::Update(p) => update::execute(session, p),
            BoundChange::Delete(p) => delete::execute(session, p, sink),
        }
    }

    /// Whether it may run again with other parameters.
    fn reusable(&self) -> bool {
        match self {
            BoundChange::Insert(p) => {
                let rows = match &p.source {
                    Source::Query(q) => fresh(q),
                    _ => true,
                };
                p.cacheable && rows && !p.table.is_stale() && fresh(&p.holder)
            }
            BoundChange::Update(p) => fresh(&p.change.rows) && fresh(&p.change.holder),
            BoundChange::Delete(p) => fresh(&p.change.rows) && fresh(&p.change.holder),
        }
    }
}

impl Session {
    /// Runs a statement that changes rows: as it was kept in `slot` when that still fits, else bound anew
    /// and kept. `rows` are the rows of an INSERT and the text they stand in, when they are not those of the
    /// statement's tree and of its text.
    ///
    /// # Errors
    /// Those of the statement.
    pub(crate) fn run_change(
        &mut self,
        slot: &mut Option<CachedDml>,
        statement: &Statement,
        text: &[u8],
        rows: Option<(&crate::ast::TextRows, &[u8])>,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        self.renew_rights();
        if self.limits.is_some() {
            self.count_update(statement)?;
        }
        self.ctx.statement.ignore = super::run::ignores(statement);
        let same = slot.as_ref().is_some_and(|k| {
            k.settings == self.plan_settings()
                && k.rights == self.rights.stamp()
                && !self.locks.active
                && k.params.fit(self)
                && k.bound.reusable()
        });
        if !same {
            *slot = None;
            self.authorize(statement)?;
        }
        let result = self.retry_if_stale(|session| {
            let mut kept = match slot.take() {
                Some(k) => k,
                None => CachedDml {
                    bound: BoundChange::new(session, statement, text)?,
                    params: ParamTypes::of(session, false),
                    settings: session.plan_settings(),
                    rights: session.rights.stamp(),
                },
            };
            if let (BoundChange::Insert(p), Some((rows, _))) = (&mut kept.bound, rows) {
                p.set_rows(rows)?;
            }
            let result = kept.bound.run(session, rows.map_or(text, |r| r.1), sink);
            let again = result.as_ref().is_err_and(SqlError::is_stale);
            if !again && !session.locks.active && kept.bound.reusable() {
                *slot = Some(kept);
            }
            result
        });
        match (result, statement) {
            (Err(e), Statement::Insert(i)) if e.code == error::ER_ILLEGAL_HA && !i.replace => {
                self.insert_into_sequence(rows.map_or(text, |r| r.1), e)
            }
            (result, _) => result,
        }
    }

    /// An INSERT that its table does not take: a sequence takes it as its settings.
    #[cold]
    fn insert_into_sequence(&mut self, text: &[u8], refused: SqlError) -> SqlResult<Done> {
        let options = Options { rows_as_text: false, params: true, ..self.parse_options() };
        let parsed = parse::parse(text, &options)?;
        let Some(Statement::Insert(i)) = &parsed.statement else { return Err(refused) };
        let plain =
            i.on_duplicate.is_empty() && i.returning.is_empty() && i.partitions.is_empty() && !i.ignore;
        let (db, name) = self.table_path(&i.table)?;
        if !plain || crate::dml::sequence::open(self, &db, &name).is_err() {
            return Err(refused);
        }
        self.retry_if_stale(|session| crate::dml::sequence::insert(session, i))
    }
}
