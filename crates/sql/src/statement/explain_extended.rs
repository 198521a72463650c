//! EXPLAIN EXTENDED: the statement as it was optimized becomes note 1003.

use crate::ast::{self, Statement};
use crate::error::{SqlResult, codes};
use crate::parse::{Options, parse};
use crate::plan::QueryPlan;
use crate::plan::optimized;
use crate::session::Session;
use crate::session::facts::Asked;
use crate::variables::SqlMode;
use crate::warning::Level;

impl Session {
    /// Notes a statement as it was optimized, and which names it found in queries around.
    pub(super) fn note_optimized(&mut self, statement: &Statement, plan: Option<&QueryPlan>, text: &[u8]) {
        let style = ast::PrintStyle {
            charset: self.vars.settings.connection.charset.name,
            client: Some(self.vars.settings.client),
            ansi_quotes: self.vars.settings.sql_mode.has(SqlMode::ANSI_QUOTES),
            ..ast::PrintStyle::default()
        };
        let whole;
        let statement = match statement {
            // values that were left in the text
            Statement::Insert(i) if matches!(i.source, ast::InsertSource::Rows(_)) => {
                whole = self.parsed_whole(text).ok().flatten();
                match &whole {
                    Some(Statement::Explain(e)) => match &e.target {
                        ast::ExplainTarget::Statement(inner, _) => &**inner,
                        ast::ExplainTarget::Connection(_) => statement,
                    },
                    _ => statement,
                }
            }
            _ => statement,
        };
        let database = self.database().unwrap_or_default().to_string();
        let mut facts = Asked { session: self, database, text };
        let found = match (statement, plan) {
            (Statement::Select(query), Some(plan)) => {
                optimized::optimized(query, plan, &mut facts, style).map(Some)
            }
            _ => optimized::changed(statement, plan, &mut facts, style),
        };
        // what cannot be said is left out: the plan was sent
        let Ok(Some(found)) = found else { return };
        for (code, note) in found.notes {
            self.ctx.warnings.push_text(Level::Note, code, note);
        }
        self.ctx.warnings.push_text(Level::Note, codes::ER_YES, found.text);
    }
}

impl Session {
    /// A statement with all of its values in its tree.
    fn parsed_whole(&self, text: &[u8]) -> SqlResult<Option<Statement>> {
        let options = Options { mode: self.lex_mode(), multi: true, ..Options::default() };
        Ok(parse(text, &options)?.statement)
    }
}
