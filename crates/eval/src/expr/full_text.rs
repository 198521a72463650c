//! `MATCH ... AGAINST`: what is looked for, what a statement has found of it, and the scores of rows.
//!
//! A MATCH that ranks (natural language) is searched for once in an execution, and rows are looked up in what was found. A boolean one
//! is asked of each row's texts. Where a search is a table's access path, its rows bring their scores along and nothing is
//! evaluated here (`plan::full_text`).

use std::any::Any;
use std::sync::Arc;

use charset::Collation;
use fulltext::{Hit, Rules, Syntax, boolean};

use super::eval::{Frame, Rows, VecRef};
use super::{EvalContext, Expr};
use crate::error::{SqlError, SqlResult};
use crate::types::{Batch, Class, ValueRef};
use crate::variables::GlobalVariables;

/// What the server's settings say of full text.
#[derive(Default)]
pub struct WordSettings {
    /// Which words count.
    pub rules: Rules,
    variables: Option<Arc<GlobalVariables>>,
}

impl WordSettings {
    /// Of a server with these rules and variables.
    #[must_use]
    pub fn new(rules: Rules, variables: &Arc<GlobalVariables>) -> WordSettings {
        WordSettings { rules, variables: Some(Arc::clone(variables)) }
    }

    /// `ft_boolean_syntax`, as of now.
    #[must_use]
    pub fn syntax(&self) -> Syntax {
        let Some(v) = &self.variables else { return Syntax::default() };
        let server =
            Collation::by_name(v.named("collation_server").as_text()).unwrap_or_else(charset::system);
        Syntax::new(v.named("ft_boolean_syntax").as_text().as_bytes(), server.charset).unwrap_or_default()
    }

    /// `ft_query_expansion_limit`.
    #[must_use]
    pub fn expansion(&self) -> usize {
        self.variables.as_ref().map_or(20, |v| v.named("ft_query_expansion_limit").as_u64() as usize)
    }
}

/// How rows are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// IN NATURAL LANGUAGE MODE.
    Natural,
    /// WITH QUERY EXPANSION.
    Expansion,
    /// IN BOOLEAN MODE.
    Boolean,
}

/// The FULLTEXT key a MATCH belongs to.
#[derive(Clone)]
pub struct MatchKey {
    /// The table's number in its SELECT.
    pub number: u32,
    /// The open table; expressions know none, `table::full_text::table_of` looks inside.
    pub table: Arc<dyn Any + Send + Sync>,
    /// The key.
    pub key: usize,
}

/// A bound `MATCH ... AGAINST`.
#[derive(Clone)]
pub struct MatchCall {
    /// Searches of a statement that are the same have the same number.
    pub number: u32,
    /// How.
    pub mode: SearchMode,
    /// The key; none for a boolean search of columns that have none.
    pub key: Option<MatchKey>,
    /// The collation that words are compared in.
    pub collation: &'static Collation,
    /// What is looked for, then what is asked: the columns; in a plan for searches that rank, the row's position instead, and nothing
    /// where rows are changed one by one ([`super::Execution::position`]).
    pub args: Vec<Expr>,
    /// A boolean search has found the rows, and they were sorted since: what is asked is the score that each was found with.
    pub again: bool,
}

impl PartialEq for MatchCall {
    fn eq(&self, other: &MatchCall) -> bool {
        self.number == other.number
    }
}

impl std::fmt::Debug for MatchCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MatchCall({}, {:?}, {:?})", self.number, self.mode, self.args)
    }
}

/// Rows that a search found.
pub trait HitList: Send + Sync {
    /// The weight of a row, where the list is in the order of the rows; none: it was not found.
    ///
    /// # Errors
    /// Those of a temporary file.
    fn weight(&self, row: u64) -> SqlResult<Option<f64>>;

    /// Appends some of the rows from the `from`th on, none behind the last.
    ///
    /// # Errors
    /// Those of a temporary file.
    fn read(&self, from: u64, out: &mut Vec<Hit>) -> SqlResult<()>;

    /// All rows, when they are in memory.
    fn in_memory(&self) -> Option<&[Hit]> {
        None
    }
}

impl HitList for Vec<Hit> {
    fn weight(&self, row: u64) -> SqlResult<Option<f64>> {
        Ok(self.binary_search_by_key(&row, |hit| hit.row).ok().map(|at| self[at].weight))
    }

    fn read(&self, from: u64, out: &mut Vec<Hit>) -> SqlResult<()> {
        /// Rows that are copied at once.
        const AT_ONCE: usize = 1024;
        let from = usize::try_from(from).map_or(self.len(), |from| from.min(self.len()));
        out.extend_from_slice(&self[from..self.len().min(from + AT_ONCE)]);
        Ok(())
    }

    fn in_memory(&self) -> Option<&[Hit]> {
        Some(self)
    }
}

/// A search of an execution.
pub struct Search {
    number: u32,
    query: Vec<u8>,
    found: Found,
}

enum Found {
    /// Rows in the order of their positions.
    Hits(Arc<dyn HitList>),
    /// The query, to be asked of rows.
    Query(Box<boolean::Query>),
}

impl MatchCall {
    /// The text that is looked for, in the character set of the texts. NULL is no text.
    ///
    /// # Errors
    /// Those of evaluating it.
    pub fn query(&self, frame: Frame<'_>, ctx: &mut EvalContext) -> SqlResult<Vec<u8>> {
        let Some(against) = self.args.first() else { return Ok(Vec::new()) };
        let one = Batch::one_row();
        let v = against.eval(Frame { batch: &one, subqueries: frame.subqueries }, Rows::All(1), ctx)?;
        let mut query = Vec::new();
        if let ValueRef::Bytes(b) = v.get(0) {
            against.ty.collation.charset.convert(b, self.collation.charset, &mut query);
        }
        ctx.done(v);
        Ok(query)
    }

    /// The scores of rows.
    pub(super) fn eval<'a>(
        &self,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let query = self.query(frame, ctx)?;
        let mut search = self.begin(query, frame, ctx)?;
        let scores = match &mut search.found {
            Found::Hits(hits) => self.look_up(&**hits, frame, rows, ctx),
            Found::Query(query) if self.again => self.ask_again(query, frame, rows, ctx),
            Found::Query(query) => self.ask(query, frame, rows, ctx),
        };
        ctx.statement.searches.push(search);
        scores
    }

    /// Takes the search out of those of the execution, or begins it.
    fn begin(&self, query: Vec<u8>, frame: Frame<'_>, ctx: &mut EvalContext) -> SqlResult<Search> {
        let searches = &mut ctx.statement.searches;
        if let Some(at) = searches.iter().position(|s| s.number == self.number) {
            let search = searches.swap_remove(at);
            if search.query == query {
                return Ok(search);
            }
        }
        let found = if self.mode == SearchMode::Boolean {
            Found::Query(Box::new(self.boolean(&query, ctx)))
        } else {
            let Some(runner) = frame.subqueries else {
                return Err(SqlError::internal("nobody searches here"));
            };
            Found::Hits(runner.search(self, &query, ctx)?)
        };
        Ok(Search { number: self.number, query, found })
    }

    /// The boolean query.
    pub fn boolean(&self, query: &[u8], ctx: &EvalContext) -> boolean::Query {
        boolean::Query::new(self.collation, &ctx.words.rules, &ctx.words.syntax(), query)
    }

    /// The rows that a search which ranks has found, in the order of their positions; the search stays for others of the execution.
    ///
    /// # Errors
    /// As [`MatchCall::query`]; those of searching.
    pub fn hits(&self, frame: Frame<'_>, ctx: &mut EvalContext) -> SqlResult<Arc<dyn HitList>> {
        let query = self.query(frame, ctx)?;
        let search = self.begin(query, frame, ctx)?;
        let hits = match &search.found {
            Found::Hits(hits) => Arc::clone(hits),
            Found::Query(_) => Arc::new(Vec::new()),
        };
        ctx.statement.searches.push(search);
        Ok(hits)
    }

    fn look_up<'a>(
        &self,
        hits: &dyn HitList,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let score = |row: u64| {
            let score = |weight| f64::from(Hit { row, weight }.score());
            SqlResult::Ok(hits.weight(row)?.map_or(0.0, score))
        };
        let Some(position) = self.args.get(1) else {
            let score = ctx.statement.position.map_or(Ok(0.0), score)?;
            return Ok(ctx.constant(ValueRef::Double(score), Class::Double));
        };
        let positions = position.eval(frame, rows, ctx)?;
        let mut out = ctx.take(Class::Double);
        for i in 0..positions.len() {
            // a row that an outer join made up
            let null = positions.is_null(i);
            out.push_f64(if null { 0.0 } else { score(positions.i64(i).cast_unsigned())? });
        }
        out.set_constant(positions.is_constant());
        ctx.done(positions);
        Ok(VecRef::Owned(out))
    }

    /// The scores of rows that the query has found, were it asked of their texts.
    fn ask_again<'a>(
        &self,
        query: &mut boolean::Query,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let stop = ctx.killed_now();
        match query.score_of_beginning(&stop).map_err(|_| ctx.killed())? {
            Some(score) => Ok(ctx.constant(ValueRef::Double(f64::from(score)), Class::Double)),
            None => match self.args.get(1) {
                Some(found) => found.eval(frame, rows, ctx),
                None => Err(SqlError::internal("a search without its score")),
            },
        }
    }

    /// Asks a boolean query of each row's texts.
    fn ask<'a>(
        &self,
        query: &mut boolean::Query,
        frame: Frame<'a>,
        rows: Rows<'_>,
        ctx: &mut EvalContext,
    ) -> SqlResult<VecRef<'a>> {
        let mut columns = Vec::with_capacity(self.args.len());
        for e in self.args.iter().skip(1) {
            columns.push(e.eval(frame, rows, ctx)?);
        }
        let constant = columns.iter().all(|v| v.is_constant());
        let rows = if constant { rows.len().min(1) } else { rows.len() };
        let mut out = ctx.take(Class::Double);
        let stop = ctx.killed_now();
        let mut space = Vec::new();
        charset::system().charset.convert(b" ", self.collation.charset, &mut space);
        let mut joined = Vec::new();
        for row in 0..rows {
            let texts = columns.iter().filter_map(|v| match v.get(row) {
                ValueRef::Bytes(b) => Some(b),
                _ => None,
            });
            let score = if self.key.is_some() {
                let texts: Vec<&[u8]> = texts.collect();
                query.score(&texts, &stop)
            } else {
                joined.clear();
                for (n, text) in texts.enumerate() {
                    if n > 0 {
                        joined.extend_from_slice(&space);
                    }
                    joined.extend_from_slice(text);
                }
                query.score(&[&joined], &stop)
            };
            out.push_f64(f64::from(score.map_err(|_| ctx.killed())?));
        }
        out.set_constant(constant);
        columns.into_iter().for_each(|v| ctx.done(v));
        Ok(VecRef::Owned(out))
    }
}
