//! What an evaluation needs of the session and the statement.

use super::UserVariable;
use super::calls::{Calls, FunctionHost};
use crate::error::{SqlError, SqlResult};
use crate::status::connection::check_kill_flag;
use crate::types::context::ConversionContext;
use crate::types::{Class, Value, Vector};
use charset::{Charset, Collation};
use foldhash::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What an evaluation reads and writes: settings and values of the session (user variables, the connection, locks), the
/// warnings and the clock of what the client sent, and the [`Execution`] of the running statement.
pub struct EvalContext {
    /// What conversions need, which all the rest of the code reads and writes through this context.
    pub conversion: ConversionContext,
    /// What lives as long as the execution of one statement.
    pub statement: Execution,
    /// `div_precision_increment`.
    pub div_precision_increment: u8,
    /// `collation_connection`.
    pub collation: &'static Collation,
    /// `character_set_client`: the texts of statements are written in it.
    pub client: &'static Charset,
    /// `max_allowed_packet`: longest string a function may return, in bytes.
    pub max_allowed_packet: usize,
    /// `max_session_mem_used`: what the session may hold, in bytes.
    pub session_memory: u64,
    /// `max_join_size`: what a SELECT may have to examine; no limit with `sql_big_selects`.
    pub max_join_size: u64,
    /// `max_recursive_iterations`.
    pub max_recursive_iterations: u64,
    /// `standard_compliant_cte`: recursive references are restricted to what the standard allows.
    pub standard_compliant_cte: bool,
    /// `group_concat_max_len` in bytes.
    pub group_concat_max_len: usize,
    /// What the statement may hold in memory.
    pub budget: crate::memory::Budget,
    /// `isambard_threads`: threads that a statement may run on; 0 for the cores of the machine.
    pub threads: usize,
    /// `optimizer_search_depth`: tables of a join whose orders are compared.
    pub search_depth: usize,
    /// `derived_merge` of `optimizer_switch`.
    pub derived_merge: bool,
    /// `subquery_cache` of `optimizer_switch`.
    pub subquery_cache: bool,
    /// `table_elimination` of `optimizer_switch`.
    pub table_elimination: bool,
    /// `index_merge_union` and `index_merge_sort_union` of `optimizer_switch`, neither without `index_merge`.
    pub index_merge: (bool, bool),
    /// `condition_pushdown_for_derived` of `optimizer_switch`.
    pub push_into_derived: bool,
    /// `condition_pushdown_from_having` of `optimizer_switch`.
    pub push_from_having: bool,
    /// `default_week_format`.
    pub default_week_format: u32,
    /// `old_passwords`.
    pub old_passwords: bool,
    /// `default_regex_flags` as patterns begin with them.
    pub regex_flags: Arc<str>,
    /// Whether EXTRA is among them, of which patterns warn.
    pub regex_extra: bool,
    /// `lc_time_names`.
    pub lc_time_names: Arc<str>,
    /// `sql_auto_is_null`.
    pub auto_is_null: bool,
    /// Settings of full text.
    pub words: Arc<super::full_text::WordSettings>,
    /// User variables by folded name.
    pub variables: HashMap<Box<str>, UserVariable>,
    /// The connection, for the information functions.
    pub connection: ConnectionState,
    /// State of RAND() without argument.
    pub rand: (u32, u32),
    /// GET_LOCK and its kin.
    pub locks: Option<Arc<crate::locks::user::SessionLocks>>,
    /// Files of the machine, for LOAD_FILE().
    pub files: Option<Arc<crate::file_access::FileAccess>>,
    /// Whether the account has FILE; known at the begin of each statement.
    pub may_use_files: bool,
    /// Whether DES_DECRYPT may use keys that have a number.
    pub may_use_keys: bool,
    /// What runs the stored functions that expressions call.
    pub host: Option<Box<dyn FunctionHost>>,
    /// The routines that run.
    pub calls: Calls,
    /// 0 run, 1 stop the statement, 2 close the connection.
    pub kill: Arc<AtomicU32>,
    pool: [Vec<Vector>; KINDS],
    /// Bytes of the vectors in the pool.
    pooled: usize,
    /// Bytes that functions have made so far.
    pub made: usize,
    /// Lists of rows, to be used again.
    pub row_lists: Vec<Vec<u32>>,
}

/// What evaluation keeps of one execution of a statement. A statement within another one has its own.
#[derive(Default)]
pub struct Execution {
    /// Parameters of a prepared statement and lifted literals.
    pub params: Vec<Value>,
    /// What the variables of the routine that runs are stored as.
    pub columns: Option<std::sync::Arc<Vec<Option<std::sync::Arc<crate::types::store::Column>>>>>,
    /// The ROW variables of the routine that runs.
    pub rows: Option<std::sync::Arc<super::rows::RowVariables>>,
    /// The variables of the routine that the XPath of the call names which is bound.
    pub path_variables: Vec<(Box<str>, super::Expr)>,
    /// Values of the outer row, inside a correlated subquery.
    pub outer: Vec<Value>,
    /// The statement assigns user variables: rows go one by one, so that each sees what the one before assigned.
    pub by_row: bool,
    /// User variables bound so far in this statement, read or assigned.
    pub bound_variables: u32,
    /// Calls bound so far whose values change within the statement, or that have effects.
    pub bound_volatile: u32,
    /// Stored functions bound so far that may read tables.
    pub bound_readers: u32,
    /// Values of parameters looked at so far while the statement was bound: its plan serves them alone.
    pub bound_values: u32,
    /// The collations of the texts that this statement assigns to user variables, as far as it is bound.
    pub bound_texts: Vec<(Box<str>, &'static charset::Collation)>,
    /// EXECUTE: the text was read by PREPARE, whose `sql_mode` its literals were good for.
    pub prepared: bool,
    /// EXPLAIN: constants that no key can be asked for stay as they were written, for the notes about them.
    pub explained: bool,
    /// Constants that are compared warn when there is a row, not when they are bound.
    pub constants_wait: bool,
    /// IGNORE: a subquery of several rows is NULL, with a warning.
    pub ignore: bool,
    /// LIMIT ROWS EXAMINED: rows that may be read, and those that were.
    pub examined: Option<(u64, u64)>,
    /// A user variable was assigned in this execution: what depends on it is no constant.
    pub assigned: bool,
    /// Constants that were computed in this execution ([`crate::expr::Node::Once`]).
    pub once: Vec<(u32, Value)>,
    /// Bytes of the long ones among them.
    pub once_bytes: usize,
    /// The operands of each CASE that is being computed, the innermost last.
    pub operands: Vec<super::case::Operands>,
    /// The subqueries run once whose warnings are in the list.
    pub told: Vec<usize>,
    /// Lists of IN that were put in order in this execution; none for those that cannot be.
    pub in_sets: Vec<(u32, Option<Arc<super::eval::InSet>>)>,
    /// Rows of GROUP_CONCAT, for the warnings of those that are cut.
    pub concat_cuts: ConcatCuts,
    /// Full-text searches of this execution.
    pub searches: Vec<super::full_text::Search>,
    /// Where the row lies that is changed now.
    pub position: Option<u64>,
    /// What is measured of the statement, when ANALYZE asks for it.
    pub measuring: Option<Box<super::measured::Measuring>>,
}

/// What warning 1260 counts: rows through all groups of a statement.
#[derive(Default)]
pub struct ConcatCuts {
    /// How many rows each call, by its address in the plan, has put together.
    pub counted: Vec<(usize, u64)>,
    /// Rows that were too much, of the group that is being finished.
    pub untold: Vec<u64>,
}

/// Bytes of long constants that an execution keeps; what does not fit is made whenever it is needed, a value at a time.
pub(super) const CONSTANT_BYTES: usize = 16 << 20;

impl Execution {
    /// Whether a constant may be kept for the rest of the execution.
    pub fn has_room_for(&mut self, value: &Value) -> bool {
        let bytes = match value {
            Value::Bytes(b) if b.len() > 1 << 10 => b.len(),
            _ => return true,
        };
        let room = self.once_bytes + bytes <= CONSTANT_BYTES;
        self.once_bytes += if room { bytes } else { 0 };
        room
    }

    /// Of a statement with these parameters.
    #[must_use]
    pub fn with_params(params: Vec<Value>) -> Execution {
        Execution { params, ..Execution::default() }
    }

    /// Begins another one of the same routine: its variables stay.
    pub fn next_in_routine(&mut self) {
        let (params, rows) = (std::mem::take(&mut self.params), self.rows.take());
        let columns = self.columns.take();
        self.begin();
        (self.params, self.rows, self.columns) = (params, rows, columns);
    }

    /// Begins another one, with the memory of this.
    fn begin(&mut self) {
        // all of them: what is forgotten here is found by the next statement
        let Execution {
            params,
            columns,
            rows,
            path_variables,
            outer,
            by_row,
            bound_variables,
            bound_volatile,
            bound_readers,
            bound_values,
            bound_texts,
            prepared,
            explained,
            constants_wait,
            ignore,
            examined,
            assigned,
            once,
            once_bytes,
            operands,
            told,
            in_sets,
            concat_cuts,
            searches,
            position,
            measuring: _,
        } = self;
        params.clear();
        (*columns, *rows) = (None, None);
        path_variables.clear();
        outer.clear();
        once.clear();
        operands.clear();
        told.clear();
        in_sets.clear();
        searches.clear();
        bound_texts.clear();
        concat_cuts.clear();
        (*position, *examined) = (None, None);
        (*assigned, *by_row, *ignore) = (false, false, false);
        (*prepared, *explained, *constants_wait) = (false, false, false);
        (*bound_variables, *bound_volatile, *bound_values, *once_bytes) = (0, 0, 0, 0);
        *bound_readers = 0;
    }
}

impl ConcatCuts {
    /// Begins to count anew.
    pub fn clear(&mut self) {
        self.counted.clear();
        self.untold.clear();
    }
}

/// Bytes of vectors that are kept to be used again.
const POOL: usize = 2 << 20;

/// See [`EvalContext::mark`].
#[derive(PartialEq, Eq)]
pub struct Mark {
    warnings: (usize, u64, u64),
    once: usize,
    told: usize,
    in_sets: usize,
}

/// What the information functions tell.
#[derive(Clone, Debug, Default)]
pub struct ConnectionState {
    /// CONNECTION_ID().
    pub id: u64,
    /// USER(): `name@host` as the client gave it.
    pub user: String,
    /// CURRENT_USER(): the account.
    pub current_user: String,
    /// CURRENT_ROLE().
    pub current_role: Option<String>,
    /// DATABASE().
    pub database: Option<String>,
    /// VERSION().
    pub version: String,
    /// LAST_INSERT_ID().
    pub last_insert_id: u64,
    /// Set by LAST_INSERT_ID(expr): the statement's OK reports it.
    pub last_insert_id_set: bool,
    /// ROW_COUNT().
    pub row_count: i64,
    /// FOUND_ROWS().
    pub found_rows: u64,
    /// The last number of each sequence by its table's number; none where the last try failed.
    numbers: Vec<([u8; 16], Option<i64>)>,
    /// LAST_INSERT_ID() is new: `sql_auto_is_null` finds its row once.
    pub fresh_id: bool,
}

impl ConnectionState {
    /// The number that the connection got last of a sequence.
    pub fn last_number(&self, sequence: [u8; 16]) -> Option<i64> {
        self.numbers.iter().find(|(id, _)| *id == sequence).and_then(|(_, number)| *number)
    }

    /// Notes a number of a sequence.
    pub fn remember_number(&mut self, sequence: [u8; 16], number: Option<i64>) {
        match self.numbers.iter_mut().find(|(id, _)| *id == sequence) {
            Some((_, last)) => *last = number,
            None => self.numbers.push((sequence, number)),
        }
    }
}

impl Default for EvalContext {
    fn default() -> Self {
        EvalContext {
            conversion: ConversionContext::default(),
            statement: Execution::default(),
            div_precision_increment: 4,
            collation: charset::system(),
            client: charset::system().charset,
            max_allowed_packet: 16 * 1024 * 1024,
            session_memory: u64::MAX,
            max_join_size: u64::MAX,
            max_recursive_iterations: 1000,
            standard_compliant_cte: true,
            group_concat_max_len: 1024 * 1024,
            budget: crate::memory::Budget::default(),
            threads: 1,
            search_depth: usize::MAX,
            derived_merge: true,
            subquery_cache: true,
            table_elimination: true,
            index_merge: (true, true),
            push_into_derived: true,
            push_from_having: true,
            default_week_format: 0,
            old_passwords: false,
            regex_flags: Arc::from(""),
            regex_extra: false,
            lc_time_names: "en_US".into(),
            auto_is_null: false,
            words: Arc::default(),
            variables: HashMap::default(),
            connection: ConnectionState::default(),
            rand: (0x2545_f491, 0x1b87_3593),
            locks: None,
            files: None,
            may_use_files: false,
            may_use_keys: false,
            host: None,
            calls: Calls::default(),
            kill: Arc::new(AtomicU32::new(0)),
            pool: Default::default(),
            pooled: 0,
            made: 0,
            row_lists: Vec::new(),
        }
    }
}

impl Deref for EvalContext {
    type Target = ConversionContext;

    #[inline]
    fn deref(&self) -> &ConversionContext {
        &self.conversion
    }
}

impl DerefMut for EvalContext {
    #[inline]
    fn deref_mut(&mut self) -> &mut ConversionContext {
        &mut self.conversion
    }
}

impl EvalContext {
    /// Begins a statement of the client: the clock is read anew at the first use.
    /// Warnings are left: their life is the session's affair.
    pub fn begin_statement(&mut self) {
        self.conversion.forget_time();
        self.statement.begin();
        self.row = 0;
        self.set_strict(false);
        let _ = self.warnings.take_failed();
        self.connection.last_insert_id_set = false;
    }

    /// The value that an expression without columns has now, while it is bound; none where a parameter has no value yet. What is bound by
    /// the value of a parameter serves this execution alone ([`Execution::bound_values`]).
    pub(crate) fn value_while_bound(&mut self, e: &super::Expr) -> Option<Value> {
        let (mut asked, mut there) = (false, true);
        e.walk(&mut |e| {
            if let super::Node::Param(n) = e.node {
                asked = true;
                there &= (n as usize) < self.statement.params.len();
            }
        });
        if !there {
            return None;
        }
        self.statement.bound_values += u32::from(asked);
        let mark = self.warnings.mark();
        let value = e.value(self).ok();
        // computed when the statement is executed, it warns again
        self.warnings.rollback_to(mark);
        value
    }

    /// A context for another thread that evaluates a part of this statement's rows: its settings, parameters and clock. What the
    /// session alone has (user variables, locks, the state of RAND()) is not in it, nor what this one has warned of.
    #[must_use]
    pub fn of_worker(&mut self) -> EvalContext {
        EvalContext {
            conversion: self.conversion.of_worker(),
            statement: Execution::with_params(self.statement.params.clone()),
            div_precision_increment: self.div_precision_increment,
            collation: self.collation,
            client: self.client,
            max_allowed_packet: self.max_allowed_packet,
            session_memory: self.session_memory,
            max_join_size: self.max_join_size,
            max_recursive_iterations: self.max_recursive_iterations,
            standard_compliant_cte: self.standard_compliant_cte,
            group_concat_max_len: self.group_concat_max_len,
            budget: self.budget.clone(),
            default_week_format: self.default_week_format,
            old_passwords: self.old_passwords,
            regex_flags: Arc::clone(&self.regex_flags),
            regex_extra: self.regex_extra,
            lc_time_names: self.lc_time_names.clone(),
            auto_is_null: self.auto_is_null,
            words: Arc::clone(&self.words),
            connection: self.connection.clone(),
            kill: Arc::clone(&self.kill),
            may_use_keys: self.may_use_keys,
            ..EvalContext::default()
        }
    }

    /// Bytes that it keeps between statements, beside its own.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let names: usize = self.variables.keys().map(|name| name.len()).sum();
        let heap = |v: &UserVariable| match &v.value {
            crate::types::Value::Bytes(b) => b.capacity(),
            _ => 0,
        };
        let values: usize =
            self.variables.values().map(|v| size_of::<(Box<str>, UserVariable)>() + heap(v)).sum();
        let lists: usize = self.row_lists.iter().map(|l| l.capacity() * size_of::<u32>()).sum();
        self.pooled + lists + names + values
    }

    /// Gives up the vectors that are kept for later.
    pub fn forget_pool(&mut self) {
        (self.pool, self.pooled, self.row_lists) = Default::default();
    }

    /// How many rows go together from one step to the next.
    #[must_use]
    pub fn batch_rows(&self) -> usize {
        if self.statement.by_row || self.statement.examined.is_some() { 1 } else { crate::memory::BATCH_ROWS }
    }

    /// Counts rows read against LIMIT ROWS EXAMINED: whether that is too many.
    pub fn examine(&mut self, rows: usize) -> bool {
        let Some((most, seen)) = &mut self.statement.examined else { return false };
        *seen += rows as u64;
        *seen > *most
    }

    /// Whether LIMIT ROWS EXAMINED has stopped the statement.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.statement.examined.is_some_and(|(most, seen)| seen > most)
    }

    /// A point to which [`EvalContext::rollback_to`] can go back.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark {
            warnings: self.warnings.mark(),
            once: self.statement.once.len(),
            told: self.statement.told.len(),
            in_sets: self.statement.in_sets.len(),
        }
    }

    /// Whether something was wrong since `mark`, and can be told again in the order of the rows.
    #[must_use]
    pub fn warned_since(&self, mark: &Mark) -> bool {
        self.warnings.told_since(mark.warnings)
    }

    /// Forgets the warnings since `mark` and the constants computed since then: they will warn again.
    pub fn rollback_to(&mut self, mark: &Mark) {
        self.warnings.rollback_to(mark.warnings);
        self.statement.once.truncate(mark.once);
        self.statement.told.truncate(mark.told);
        self.statement.in_sets.truncate(mark.in_sets);
    }

    /// Fails when the statement or the connection was killed.
    ///
    /// # Errors
    /// 1317, 1927 or 1969.
    #[inline]
    pub fn check_killed(&self) -> SqlResult<()> {
        check_kill_flag(self.kill.load(Ordering::Relaxed))
    }

    /// Asks whether the statement or the connection was killed, without the context.
    pub fn killed_now(&self) -> impl Fn() -> bool + use<> {
        let kill = Arc::clone(&self.kill);
        move || kill.load(Ordering::Relaxed) != 0
    }

    /// Whether the statement or the connection was killed.
    #[inline]
    #[must_use]
    pub fn is_killed(&self) -> bool {
        self.kill.load(Ordering::Relaxed) != 0
    }

    /// The error of a statement that was killed.
    #[cold]
    #[must_use]
    pub fn killed(&self) -> SqlError {
        self.check_killed().err().unwrap_or_else(|| SqlError::internal("nobody has killed the statement"))
    }

    /// A vector from the pool, empty and of this class.
    #[inline]
    pub fn take(&mut self, class: Class) -> Vector {
        // the last one of its kind, so that buffers keep their use
        match self.pool[kind(class)].pop() {
            Some(mut v) => {
                self.pooled = self.pooled.saturating_sub(v.memory());
                v.reset(class);
                v
            }
            None => Vector::new(class),
        }
    }

    /// Gives a vector back to the pool.
    #[inline]
    pub fn recycle(&mut self, v: Vector) {
        let bytes = v.memory();
        let pool = &mut self.pool[kind(v.class())];
        if pool.len() < POOLED && self.pooled + bytes <= POOL {
            self.pooled += bytes;
            pool.push(v);
        }
    }
}

/// Kinds of vectors by what their values lie in.
const KINDS: usize = 4;

/// Vectors of a kind that are kept.
const POOLED: usize = 32;

/// The kind of the vectors of a class.
#[inline]
fn kind(class: Class) -> usize {
    match class {
        Class::Double => 1,
        Class::Decimal => 2,
        Class::Bytes => 3,
        _ => 0,
    }
}
