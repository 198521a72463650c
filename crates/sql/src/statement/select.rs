//! SELECT and EXPLAIN as statements, and what statements answer with.

use std::sync::Arc;
use std::time::Instant;

use crate::ast::{self, Query, Statement};
use crate::error::{SqlError, SqlResult, codes};
use crate::exec::{Exec, join, shortcut};
use crate::expr::EvalContext;
use crate::expr::measured::Measuring;
use crate::plan::explain::Question;
use crate::plan::explain_json::{self, Explained};
use crate::plan::{self, QueryPlan};
use crate::result::{Done, ResultSchema, ResultSink};
use crate::session::Session;
use crate::session::select::CachedPlan;
use crate::types::FieldType;

/// Looks up what EXPLAIN asks for: it is a part of the plan. A statement that changes rows reads them all the same.
fn answer(
    exec: &Exec<'_>,
    asked: Question<'_>,
    change: bool,
    ctx: &mut EvalContext,
) -> SqlResult<Option<&'static str>> {
    match asked {
        Question::Ends(b, list) => shortcut::remark(exec, b, list, ctx),
        Question::Constants(..) if change => Ok(None),
        Question::Constants(plan, b, count) => {
            let none = !join::has_row(exec, plan, b, count, ctx)?;
            Ok(none.then_some("Impossible WHERE noticed after reading const tables"))
        }
    }
}

impl Session {
    /// Runs SELECT and EXPLAIN.
    ///
    /// # Errors
    /// Those of the query.
    pub(crate) fn run_query(
        &mut self,
        statement: &Statement,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        match statement {
            Statement::Select(q) => self.select(q, text, sink),
            Statement::Explain(e) => {
                self.ctx.max_join_size = u64::MAX;
                let done = self.explain(e, text, sink);
                self.ctx.max_join_size = self.vars.settings.max_join_size;
                done
            }
            _ => Err(SqlError::not_supported("statement")),
        }
    }

    /// Tries again when a table was defined anew between planning and reading.
    fn select(&mut self, q: &Query, text: &[u8], sink: &mut dyn ResultSink) -> SqlResult<Done> {
        if let Some(into) = &q.into {
            // what stands in a routine was told of when that was made
            if q.into_last && self.statement.locals.is_none() {
                self.warn_of_late_into();
            }
            return self.retry_if_stale(|session| super::into::run(session, q, into, text));
        }
        self.retry_if_stale(|session| {
            let notes = session.vars.settings.note_unusable_keys;
            session.ctx.statement.explained |= notes;
            let plan = session.plan(q, text)?;
            if notes {
                session.note_unusable_keys(&plan);
            }
            session.run_plan(&plan, sink)
        })
    }

    /// 1287 for INTO behind FROM.
    fn warn_of_late_into(&mut self) {
        let old = "<select expression> INTO <destination>;";
        let new = "'SELECT <select list> INTO <destination> FROM...'";
        self.ctx.warnings.warn(crate::error::codes::ER_WARN_DEPRECATED_SYNTAX, &[&old, &new]);
    }

    /// The same for each statement of a program that is made or that runs at once.
    pub(crate) fn warn_of_late_intos(&mut self, program: &crate::ast::program::Program) {
        for instruction in &program.code {
            if let crate::ast::program::Instruction::Statement(s) = instruction
                && let Statement::Select(q) = &**s
                && q.into.is_some()
                && q.into_last
            {
                self.warn_of_late_into();
            }
        }
    }

    fn explain(&mut self, e: &ast::Explain, text: &[u8], sink: &mut dyn ResultSink) -> SqlResult<Done> {
        let ast::ExplainTarget::Statement(statement, _) = &e.target else {
            return Err(SqlError::not_supported("EXPLAIN FOR CONNECTION"));
        };
        let numbered = match &**statement {
            Statement::Select(q) => Some(Box::new(Statement::Select(Box::new(plan::optimized::numbered(q))))),
            _ => None,
        };
        let statement = numbered.as_ref().unwrap_or(statement);
        let begun = Instant::now();
        let settings = &self.vars.settings;
        let notes = settings.explain_notes && !e.analyze || settings.note_unusable_keys;
        self.ctx.statement.explained = notes;
        let plan = match &**statement {
            Statement::Select(q) => self.plan(q, text)?,
            Statement::Update(u) => self.plan_update(u, text)?,
            Statement::Delete(d) => self.plan_delete(d, text)?,
            Statement::Insert(i) => return self.explain_insert(e, i, statement, text, sink),
            _ => return Err(SqlError::not_supported("EXPLAIN of this statement")),
        };
        let planning = begun.elapsed();
        let single = matches!(&plan.body, plan::Body::Block(b) if b.tables.len() == 1);
        let change = match **statement {
            Statement::Update(_) if single => Some("update"),
            Statement::Delete(_) if single => Some("delete"),
            _ => None,
        };
        let rows = self.explain_plan(&plan, !matches!(**statement, Statement::Select(_)), e.analyze)?;
        if notes {
            self.note_unusable_keys(&plan);
        }
        let measuring = self.measured(e, statement, text)?;
        if e.is_json() {
            let buffers = self.ctx.budget.table;
            let of = Explained { measuring: measuring.as_deref(), planning, change, buffers };
            let text = self.explain_json(&plan, &of)?;
            return self.send_json(&text, e, sink);
        }
        let done = self.send_explain(&rows, e, measuring.as_deref(), sink)?;
        if e.extended {
            self.note_optimized(statement, Some(&*plan), text);
        }
        Ok(done)
    }

    /// 1105 for the conditions of a plan that keys cannot answer.
    fn note_unusable_keys(&mut self, plan: &QueryPlan) {
        for text in plan::unusable::notes(plan) {
            self.ctx.warnings.push_text(
                crate::warning::Level::Note,
                crate::error::codes::ER_UNKNOWN_ERROR,
                text,
            );
        }
    }

    /// Runs the statement for ANALYZE; gives what was measured.
    fn measured(
        &mut self,
        e: &ast::Explain,
        statement: &Statement,
        text: &[u8],
    ) -> SqlResult<Option<Box<Measuring>>> {
        if !e.analyze {
            return Ok(None);
        }
        self.ctx.statement.measuring = Some(Box::default());
        let result = self.run_discarding_rows(statement, text);
        let measuring = self.ctx.statement.measuring.take();
        result.map(|()| measuring)
    }

    fn explain_json(&mut self, plan: &QueryPlan, of: &Explained<'_>) -> SqlResult<String> {
        self.with_snapshot(&plan.tables, |session, exec| {
            let mut remarks =
                |asked: Question<'_>| answer(exec, asked, of.change.is_some(), &mut session.ctx);
            explain_json::explain(plan, of, &mut remarks)
        })
    }

    /// The one column of FORMAT=JSON.
    fn send_json(&mut self, text: &str, e: &ast::Explain, sink: &mut dyn ResultSink) -> SqlResult<Done> {
        let name = if e.analyze { "ANALYZE" } else { "EXPLAIN" };
        let ty = FieldType::string(78, charset::system(), crate::types::Derivation::Implicit);
        let columns = vec![ty.meta(name, self.ctx.results)];
        sink.start(&Arc::new(ResultSchema::new(columns, self.ctx.results)))?;
        sink.begin_row();
        crate::types::output::put(crate::types::ValueRef::Bytes(text.as_bytes()), &ty, sink, &mut self.ctx);
        sink.end_row();
        Ok(Done { had_rows: true, ..Done::default() })
    }

    /// The rows of EXPLAIN. What the ends of keys have is looked up, as it is a part of the plan.
    fn explain_plan(
        &mut self,
        plan: &QueryPlan,
        change: bool,
        analyze: bool,
    ) -> SqlResult<Vec<plan::explain::ExplainRow>> {
        self.with_snapshot(&plan.tables, |session, exec| {
            let mut remarks = |asked: Question<'_>| answer(exec, asked, change, &mut session.ctx);
            match change {
                false => plan::explain::explain(plan, analyze, &mut remarks),
                true => plan::explain::explain_change(plan, analyze, &mut remarks),
            }
        })
    }

    /// EXPLAIN of INSERT and REPLACE: of the query that gives the rows, or of the table alone.
    fn explain_insert(
        &mut self,
        e: &ast::Explain,
        i: &ast::Insert,
        statement: &Statement,
        text: &[u8],
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        let begun = Instant::now();
        let bound = crate::dml::insert::prepare(self, i, text)?;
        let planning = begun.elapsed();
        let query = match &bound.source {
            plan::change::Source::Query(q) => Some(Arc::clone(q)),
            _ => None,
        };
        let table = bound.table.name.to_string();
        drop(bound);
        let rows = match &query {
            Some(q) => self.explain_plan(q, false, e.analyze)?,
            None => vec![plan::explain::ExplainRow {
                id: Some(1),
                select_type: "INSERT",
                table: Some(table.clone()),
                access: Some("ALL"),
                ..Default::default()
            }],
        };
        let measuring = self.measured(e, statement, text)?;
        if e.is_json() {
            let buffers = self.ctx.budget.table;
            let of = Explained { measuring: measuring.as_deref(), planning, change: None, buffers };
            let text = match &query {
                Some(q) => self.explain_json(q, &of)?,
                None => explain_json::explain_rows(&table, &of),
            };
            return self.send_json(&text, e, sink);
        }
        let done = self.send_explain(&rows, e, measuring.as_deref(), sink)?;
        if e.extended {
            self.note_optimized(statement, query.as_deref(), text);
        }
        Ok(done)
    }

    /// ANALYZE runs the statement; nobody sees its rows.
    fn run_discarding_rows(&mut self, statement: &Statement, text: &[u8]) -> SqlResult<()> {
        let mut nobody = NullSink;
        match statement {
            Statement::Select(q) => self.select(q, text, &mut nobody)?,
            _ => {
                self.forbid_in_transaction(statement)?;
                let done = crate::dml::run(self, statement, text, &mut nobody)?;
                self.transaction.changed = true;
                done
            }
        };
        Ok(())
    }

    fn send_explain(
        &mut self,
        rows: &[plan::explain::ExplainRow],
        e: &ast::Explain,
        measuring: Option<&Measuring>,
        sink: &mut dyn ResultSink,
    ) -> SqlResult<Done> {
        let text = |chars| FieldType::string(chars, charset::system(), crate::types::Derivation::Implicit);
        let filtered = e.extended || e.analyze;
        let mut names = plan::explain::columns(filtered, e.analyze);
        let mut types: Vec<FieldType> = [3u64, 19, 64, 10, 4096, 64, 4096, 2048, 64].map(text).into();
        types[0] = FieldType { length: 3, ..FieldType::bigint(true) };
        types[1].nullable = false;
        types.resize(names.len() - 1, text(64));
        for (name, ty) in names.iter().zip(&mut types) {
            if name.ends_with("filtered") {
                *ty = FieldType { length: 4, decimals: 2, ..FieldType::double() };
            }
        }
        types.push(FieldType { nullable: false, ..text(255) });
        if e.partitions {
            // those that are read, behind the table
            names.insert(3, "partitions");
            types.insert(3, text(255));
        }
        let columns = names.iter().zip(&types).map(|(n, t)| t.meta(n, self.ctx.results)).collect();
        sink.start(&Arc::new(ResultSchema::new(columns, self.ctx.results)))?;
        for row in rows {
            sink.begin_row();
            let mut values = row.values(filtered, measuring);
            if e.partitions {
                let names = match &row.partitions {
                    Some(partitions) => partitions.names(&mut self.ctx)?,
                    None => None,
                };
                let text = |names: String| crate::types::Value::Bytes(names.into_bytes());
                values.insert(3, names.map_or(crate::types::Value::Null, text));
            }
            for (v, ty) in values.iter().zip(&types) {
                crate::types::output::put(v.as_ref(), ty, sink, &mut self.ctx);
            }
            sink.end_row();
        }
        Ok(Done { had_rows: true, ..Done::default() })
    }

    /// The columns a statement answers with, and its plan when it can be kept.
    ///
    /// # Errors
    /// Those of binding.
    pub(crate) fn prepare_plan(
        &mut self,
        statement: &Statement,
        text: &[u8],
    ) -> SqlResult<(Arc<ResultSchema>, Option<CachedPlan>)> {
        match statement {
            Statement::Select(q) if q.into.is_none() => {
                let plan = self.plan(q, text)?;
                let kept = self.keep(&plan);
                Ok((Arc::clone(&plan.schema), kept))
            }
            Statement::Insert(i) if !i.returning.is_empty() => {
                let list = crate::dml::insert::prepare(self, i, text)?.returning;
                Ok((list.map_or_else(Arc::default, |l| l.schema), None))
            }
            Statement::Delete(d) if !d.returning.is_empty() => {
                let list = crate::dml::delete::prepare(self, d, text)?.change.returning;
                Ok((list.map_or_else(Arc::default, |l| l.schema), None))
            }
            Statement::Handler(h) if matches!(**h, ast::Handler::Read { .. }) => {
                self.prepare_read(h, text).map(|schema| (schema, None))
            }
            Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => {
                self.check_names(statement, text)?;
                Ok((Arc::new(ResultSchema::default()), None))
            }
            _ => Ok((Arc::new(ResultSchema::default()), None)),
        }
    }

    /// Binds a change that is prepared: what it names must be there. What depends on the values of parameters, which it has none
    /// of yet, is told when it is executed.
    ///
    /// # Errors
    /// 1054, 1100, 1109, 1136, 1146, 1305.
    fn check_names(&mut self, statement: &Statement, text: &[u8]) -> SqlResult<()> {
        const OF_NAMES: [u16; 6] = [
            codes::ER_BAD_FIELD_ERROR,
            codes::ER_TABLE_NOT_LOCKED,
            codes::ER_UNKNOWN_TABLE,
            codes::ER_WRONG_VALUE_COUNT_ON_ROW,
            codes::ER_NO_SUCH_TABLE,
            codes::ER_SP_DOES_NOT_EXIST,
        ];
        let mark = self.ctx.warnings.mark();
        let bound = self.retry_if_stale(|session| match statement {
            Statement::Insert(i) => crate::dml::insert::prepare(session, i, text).map(drop),
            Statement::Update(u) => crate::dml::update::prepare(session, u, text).map(drop),
            Statement::Delete(d) => crate::dml::delete::prepare(session, d, text).map(drop),
            _ => Ok(()),
        });
        match bound {
            Err(e) if OF_NAMES.contains(&e.code) => Err(e),
            _ => {
                self.ctx.warnings.rollback_to(mark);
                Ok(())
            }
        }
    }
}

/// Takes rows for nobody.
pub(crate) struct NullSink;

impl ResultSink for NullSink {
    fn start(&mut self, _: &Arc<ResultSchema>) -> SqlResult<()> {
        Ok(())
    }
    fn begin_row(&mut self) {}
    fn end_row(&mut self) {}
    fn put_null(&mut self) {}
    fn put_int(&mut self, _: i64) {}
    fn put_uint(&mut self, _: u64) {}
    fn put_double(&mut self, _: f64, _: u8) {}
    fn put_float(&mut self, _: f32, _: u8) {}
    fn put_bytes(&mut self, _: &[u8]) {}
    fn put_date(&mut self, _: u16, _: u8, _: u8) {}
    fn put_time(&mut self, _: crate::result::Time, _: u8) {}
    fn put_datetime(&mut self, _: crate::result::DateTime, _: u8) {}
    fn wants_flush(&self) -> bool {
        false
    }
    fn flush(&mut self) -> SqlResult<()> {
        Ok(())
    }
    fn finish(&mut self, _: &Done) -> SqlResult<()> {
        Ok(())
    }
    fn local_infile(&mut self, _: &str) -> SqlResult<Box<dyn std::io::Read + '_>> {
        Err(SqlError::internal("no client"))
    }
}
