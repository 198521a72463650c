//! What a session notes in the general log and in the log of slow statements.

use crate::logs::SlowEntry;
use crate::result::ResultSink;
use crate::session::Session;
use crate::status::Counter;
use crate::types::context::clock;
use crate::variables::definitions;

/// What is counted of a statement for the log of slow ones.
const COUNTED: [Counter; 12] = [
    Counter::RowsSent,
    Counter::RowsRead,
    Counter::RowsTmpRead,
    Counter::SelectScan,
    Counter::SelectFullJoin,
    Counter::SortScan,
    Counter::SortRange,
    Counter::SortRows,
    Counter::SortMergePasses,
    Counter::SortPriorityQueueSorts,
    Counter::CreatedTmpTables,
    Counter::CreatedTmpDiskTables,
];

/// What a session keeps for its logs.
#[derive(Default)]
pub(crate) struct Logged {
    /// The counters when the statement began, if slow ones are noted.
    before: Option<[u64; COUNTED.len()]>,
    /// Bytes of answers then.
    produced: u64,
    /// Microseconds of waits for locks then.
    waited: u64,
    /// Rows that the statement changed.
    pub(crate) affected: u64,
    /// The list of warnings is that of a statement before.
    pub(crate) others_warnings: bool,
    /// What EXECUTE executed, with the values of its parameters.
    pub(crate) executed: Option<Vec<u8>>,
    /// Slow statements so far, for `log_slow_rate_limit`.
    slow: u64,
    /// Writes to the tables of the logs.
    pub(crate) writer: Option<Box<Session>>,
}

/// A command as the logs have it.
pub(crate) struct Noted<'a> {
    /// Seconds and microseconds since 1970.
    pub(crate) now: (i64, u32),
    /// The word of the general log; of a slow statement none.
    pub(crate) command: &'a str,
    pub(crate) text: &'a [u8],
}

impl Session {
    /// Whether what this session does is noted in the general log.
    #[inline]
    pub fn notes_commands(&self) -> bool {
        self.engine.logs.is_general() && !self.is_own() && !self.vars.settings.sql_log_off
    }

    /// A session of the engine's own, of which nothing is noted.
    fn is_own(&self) -> bool {
        self.internal || self.info.internal || self.child
    }

    /// Who does it: `user[user] @ host [address]`.
    pub(crate) fn user_host(&self) -> String {
        let info = &self.info;
        let current = &self.ctx.connection.current_user;
        let account = current.rsplit_once('@').map_or(current.as_str(), |(user, _)| user);
        let address = info.address.as_deref().unwrap_or_default();
        format!("{}[{account}] @ {} [{address}]", info.user, info.host)
    }

    /// A statement begins, whose answer goes to `sink`.
    #[inline]
    pub(crate) fn begin_logged(&mut self, sink: &dyn ResultSink) {
        if self.engine.logs.is_slow() {
            self.count_for_log(sink);
        }
    }

    #[cold]
    fn count_for_log(&mut self, sink: &dyn ResultSink) {
        let counters = &self.connection.counters;
        let before = COUNTED.map(|c| counters.get(c));
        let waited = self.connection.waited();
        let logged = &mut self.state.logged;
        (logged.before, logged.produced, logged.waited) = (Some(before), sink.produced(), waited);
        logged.affected = 0;
        logged.others_warnings = false;
    }

    /// Whether a statement that took so long counts as slow (`long_query_time`), or may be noted for another reason.
    #[inline]
    pub(crate) fn may_be_slow(&self, took: u64) -> bool {
        took > self.vars.settings.long_query_time || self.state.logged.before.is_some()
    }

    /// A statement has ended: what of it goes into the log of slow statements, if it is one of them.
    #[cold]
    pub(crate) fn slow_entry(&mut self, took: u64, text: &[u8], sink: &dyn ResultSink) -> Option<Slow> {
        let before = self.state.logged.before.take();
        if self.is_own() {
            return None;
        }
        let late = took > self.vars.settings.long_query_time;
        if late {
            self.count(Counter::SlowQueries);
        }
        let before = before?;
        let now = COUNTED.map(|c| self.connection.counters.get(c));
        let mut of = before;
        of.iter_mut().zip(now).for_each(|(was, is)| *was = is.saturating_sub(*was));
        let [sent, read, tmp_read, scan, full_join, sort_scan, sort_range, sorted, passes, queue, tmp, disk] =
            of;
        let first = first_words(text);
        let is_admin = is_admin(&first);
        let plan = Plan {
            admin: is_admin,
            full_scan: scan > 0,
            full_join: full_join > 0,
            sort: sort_scan + sort_range > 0,
            passes,
            queue: queue > 0,
            tmp,
            disk,
        };
        let without_key = (plan.full_scan || plan.full_join)
            && first[0] != "SHOW"
            && self.vars.named("log_queries_not_using_indexes").as_bool();
        // what is sorted out of a temporary table was read from it
        let examined = read + tmp_read + if tmp == 0 { sorted } else { 0 };
        if !self.vars.settings.slow_query_log
            || !(late || without_key)
            || !self.is_wanted(&first, &plan, examined)
        {
            return None;
        }
        let logged = &mut self.state.logged;
        logged.slow += 1;
        let each = self.state.vars.named("log_slow_rate_limit").as_u64().max(1);
        if !self.state.logged.slow.is_multiple_of(each) {
            return None;
        }
        Some(Slow {
            more: self.more_of(&plan),
            rows_sent: sent,
            rows_examined: examined,
            bytes_sent: sink.produced().saturating_sub(self.state.logged.produced),
            lock_time: self.connection.waited().saturating_sub(self.state.logged.waited),
            begun: self
                .ctx
                .known_time()
                .map_or_else(|| clock().0 - (took / 1_000_000).cast_signed(), |t| t.0),
            took,
        })
    }

    /// Whether the settings ask for a slow statement of this kind.
    fn is_wanted(&self, first: &[String; 2], plan: &Plan, examined: u64) -> bool {
        let has = |name: &'static str, word| {
            let value = self.vars.named(name);
            definitions().get(definitions().named(name)).has_flag(value, word)
        };
        if plan.admin
            && (!self.vars.named("log_slow_admin_statements").as_bool()
                || has("log_slow_disabled_statements", "admin"))
            || first[0] == "CALL" && has("log_slow_disabled_statements", "call")
            || examined < self.vars.named("min_examined_row_limit").as_u64()
        {
            return false;
        }
        let def = definitions().get(definitions().named("log_slow_filter"));
        let filter = self.vars.named("log_slow_filter");
        // all that there is, or nothing: no filter
        if *filter == def.default || filter.as_u64() == 0 {
            return true;
        }
        plan.words().iter().any(|(word, is)| *is && has("log_slow_filter", word))
    }

    /// What `log_slow_verbosity` asks for.
    fn more_of(&self, plan: &Plan) -> String {
        let def = definitions().get(definitions().named("log_slow_verbosity"));
        let verbosity = self.vars.named("log_slow_verbosity");
        let has = |word| def.has_flag(verbosity, word) || def.has_flag(verbosity, "full");
        let mut more = String::new();
        if has("query_plan") && plan.words()[1..].iter().any(|(_, is)| *is) {
            plan.print(&mut more);
        }
        let warnings = self.ctx.warnings.entries();
        if has("warnings") && !self.logged.others_warnings && !warnings.is_empty() {
            more.push_str("# Warnings\n");
            let most = self.vars.named("log_slow_max_warnings").as_u64();
            for w in warnings.iter().take(usize::try_from(most).unwrap_or(usize::MAX)) {
                let text = w.message.replace('\n', " ");
                more.push_str(&format!("# {} {} {text}\n", w.level.name(), w.code));
            }
        }
        more
    }

    /// The entry of the file.
    pub(crate) fn entry_of<'a>(&'a self, slow: &Slow, noted: &Noted<'a>) -> SlowEntry<'a> {
        let micros = |(s, us): (i64, u32)| u64::try_from(s).unwrap_or(0) * 1_000_000 + u64::from(us);
        SlowEntry {
            now: micros(noted.now),
            user_host: self.user_host(),
            thread: self.connection.id,
            db: self.db.as_deref().unwrap_or_default(),
            query_time: slow.took,
            lock_time: slow.lock_time,
            rows_sent: slow.rows_sent,
            rows_examined: slow.rows_examined,
            rows_affected: self.logged.affected,
            bytes_sent: slow.bytes_sent,
            more: slow.more.clone(),
            timestamp: slow.begun,
            text: noted.text,
        }
    }
}

/// A slow statement that is to be noted.
pub(crate) struct Slow {
    /// Seconds since 1970.
    pub(crate) begun: i64,
    pub(crate) took: u64,
    pub(crate) lock_time: u64,
    pub(crate) rows_sent: u64,
    pub(crate) rows_examined: u64,
    pub(crate) bytes_sent: u64,
    more: String,
}

/// What the plan of a statement was like, by what it counted.
struct Plan {
    admin: bool,
    full_scan: bool,
    full_join: bool,
    sort: bool,
    passes: u64,
    queue: bool,
    tmp: u64,
    disk: u64,
}

impl Plan {
    /// The words of `log_slow_filter`, and whether they are true of it.
    fn words(&self) -> [(&'static str, bool); 9] {
        [
            ("admin", self.admin),
            ("filesort", self.sort),
            ("filesort_on_disk", self.passes > 0),
            ("filesort_priority_queue", self.queue),
            ("full_join", self.full_join),
            ("full_scan", self.full_scan),
            ("not_using_index", self.full_scan || self.full_join),
            ("tmp_table", self.tmp > 0),
            ("tmp_table_on_disk", self.disk > 0),
        ]
    }

    fn print(&self, out: &mut String) {
        let word = |is: bool| if is { "Yes" } else { "No" };
        if self.tmp > 0 {
            out.push_str(&format!("# Tmp_tables: {}  Tmp_disk_tables: {}\n", self.tmp, self.disk));
        }
        out.push_str(&format!(
            "# Full_scan: {}  Full_join: {}  Tmp_table: {}  Tmp_table_on_disk: {}\n\
             # Filesort: {}  Filesort_on_disk: {}  Merge_passes: {}  Priority_queue: {}\n",
            word(self.full_scan),
            word(self.full_join),
            word(self.tmp > 0),
            word(self.disk > 0),
            word(self.sort),
            word(self.passes > 0),
            self.passes,
            word(self.queue)
        ));
    }
}

/// The first two words of a statement, in capitals.
fn first_words(text: &[u8]) -> [String; 2] {
    let mut words = text
        .split(|b| !b.is_ascii_alphanumeric() && *b != b'_')
        .filter(|w| !w.is_empty())
        .map(|w| String::from_utf8_lossy(&w[..w.len().min(64)]).to_ascii_uppercase());
    [words.next().unwrap_or_default(), words.next().unwrap_or_default()]
}

/// Statements of administration, as `log_slow_admin_statements` means them.
fn is_admin([first, second]: &[String; 2]) -> bool {
    match first.as_str() {
        "ANALYZE" | "CHECK" | "OPTIMIZE" | "REPAIR" => second != "FORMAT",
        "ALTER" => second == "TABLE",
        "CREATE" | "DROP" => second == "INDEX",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_administration() {
        for (text, admin) in [
            ("alter table t add b int", true),
            ("  CREATE INDEX a ON t (a)", true),
            ("create table t (a int)", false),
            ("select 1", false),
            ("", false),
        ] {
            assert_eq!(is_admin(&first_words(text.as_bytes())), admin, "{text}");
        }
    }
}
