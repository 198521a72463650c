//! The settings that statements read all the time, as plain fields.

use std::sync::Arc;

use charset::{Charset, Collation};

use super::NamedCollations;
use super::definition::{VarId, definitions};
use super::sql_mode::SqlMode;
use super::value::VarValue;
use super::values::Values;

/// A session's settings in the form that statements use; derived from its variables after
/// every SET.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `sql_mode`.
    pub sql_mode: SqlMode,
    /// `autocommit`.
    pub autocommit: bool,
    /// `character_set_client`: of statement texts.
    pub client: &'static Charset,
    /// The collation of texts that the protocol passes to `?`, where they are in the connection's character set.
    pub parameters: &'static Collation,
    /// `collation_connection`: of literals.
    pub connection: &'static Collation,
    /// The collation of results, of `character_set_results`: of result sets; `None` sends values as they are stored.
    pub results: Option<&'static Collation>,
    /// `collation_server`.
    pub server: &'static Collation,
    /// `character_set_filesystem`.
    pub filesystem: &'static Charset,
    /// `max_session_mem_used` in bytes.
    pub max_session_mem_used: u64,
    /// `max_allowed_packet` in bytes.
    pub max_allowed_packet: u64,
    /// `group_concat_max_len` in bytes.
    pub group_concat_max_len: u64,
    /// `div_precision_increment` in digits.
    pub div_precision_increment: u8,
    /// `old_passwords`: PASSWORD() would make what servers before 4.1 made, and is refused.
    pub old_passwords: bool,
    /// `default_week_format`, 0 to 7.
    pub default_week_format: u8,
    /// `isambard_threads`: threads of one statement; 0 for the cores of the machine.
    pub threads: usize,
    /// `isambard_follow_clients`: the connection's thread moves to the processor of a client of this machine.
    pub follow_clients: bool,
    /// `optimizer_search_depth`: tables of a join whose orders are compared; 0 is for the server to choose.
    pub search_depth: usize,
    /// `derived_merge` of `optimizer_switch`: subqueries in FROM may become part of the query around.
    pub derived_merge: bool,
    /// `subquery_cache` of `optimizer_switch`: what a subquery answered is kept for outer rows that are alike.
    pub subquery_cache: bool,
    /// `table_elimination` of `optimizer_switch`: tables of outer joins that change nothing are not read.
    pub table_elimination: bool,
    /// `index_merge_union` and `index_merge_sort_union` of `optimizer_switch`, neither without `index_merge`: several keys may find a table's
    /// rows together.
    pub index_merge: (bool, bool),
    /// `condition_pushdown_for_derived` of `optimizer_switch`: conditions on the rows of a subquery in FROM become its own.
    pub push_into_derived: bool,
    /// `condition_pushdown_from_having` of `optimizer_switch`: conditions of HAVING on the columns of GROUP BY choose rows.
    pub push_from_having: bool,
    /// `unusable_keys` of `note_verbosity`: SELECT tells which keys cannot answer its conditions.
    pub note_unusable_keys: bool,
    /// `explain` of `note_verbosity`: EXPLAIN does.
    pub explain_notes: bool,
    /// `sql_select_limit` in rows.
    pub sql_select_limit: u64,
    /// `lock_wait_timeout` in seconds.
    pub lock_wait_timeout: u64,
    /// `durability`: what this session's changes survive when they are acknowledged.
    pub durability: pages::Durability,
    /// `wait_timeout` in seconds.
    pub wait_timeout: u64,
    /// `net_write_timeout` in seconds.
    pub net_write_timeout: u64,
    /// `profiling`: statements are noted for SHOW PROFILES, `profiling_history_size` of them.
    pub profiling: bool,
    /// `profiling_history_size`.
    pub profiles: usize,
    /// `max_error_count`.
    pub max_error_count: usize,
    /// `sql_notes`.
    pub sql_notes: bool,
    /// `auto_increment_increment`.
    pub auto_increment_increment: u64,
    /// `auto_increment_offset`.
    pub auto_increment_offset: u64,
    /// `sql_auto_is_null`.
    pub sql_auto_is_null: bool,
    /// `tx_read_only`.
    pub tx_read_only: bool,
    /// `sql_safe_updates`.
    pub sql_safe_updates: bool,
    /// `sql_big_selects` and `max_join_size`: most rows a SELECT may examine.
    pub max_join_size: u64,
    /// `max_recursive_iterations`.
    pub max_recursive_iterations: u64,
    /// `standard_compliant_cte`.
    pub standard_compliant_cte: bool,
    /// `sql_quote_show_create`.
    pub sql_quote_show_create: bool,
    /// `check_constraint_checks`.
    pub check_constraint_checks: bool,
    /// `explicit_defaults_for_timestamp`.
    pub explicit_timestamp: bool,
    /// `time_zone` as it was set.
    pub time_zone: Arc<str>,
    /// `lc_time_names`.
    pub lc_time_names: Arc<str>,
    /// `default_regex_flags` as a regular expression begins with them.
    pub regex_flags: Arc<str>,
    /// Whether EXTRA is among them, which means nothing any more.
    pub regex_extra: bool,
    /// `sort_buffer_size` in bytes.
    pub sort_buffer_size: u64,
    /// `join_buffer_size` in bytes.
    pub join_buffer_size: u64,
    /// The smaller of `tmp_memory_table_size` and `max_heap_table_size`, in bytes.
    pub tmp_table_size: u64,
    /// `max_statement_time` in seconds; 0 is unlimited.
    pub max_statement_time: f64,
    /// `long_query_time` in microseconds.
    pub long_query_time: u64,
    /// `slow_query_log` of the session.
    pub slow_query_log: bool,
    /// `sql_log_off`: nothing goes into the general log.
    pub sql_log_off: bool,
    /// A hash of all settings that a plan may depend on.
    pub plan_key: u64,
}

/// Places of the variables that [`Settings::derive`] reads, found once.
struct Places {
    ids: Vec<(&'static str, VarId)>,
}

impl Places {
    fn get(&self, name: &'static str) -> VarId {
        self.ids.iter().find(|(n, _)| *n == name).map_or_else(|| definitions().named(name), |(_, id)| *id)
    }
}

static PLACES: std::sync::LazyLock<Places> = std::sync::LazyLock::new(|| Places {
    ids: ["sql_mode", "autocommit", "character_set_client", "collation_connection", "character_set_results"]
        .into_iter()
        .map(|n| (n, definitions().named(n)))
        .collect(),
});

/// The value of the variable `durability`.
pub fn durability(value: &VarValue) -> pages::Durability {
    match value.as_u64() {
        0 => pages::Durability::Commit,
        1 => pages::Durability::Second,
        _ => pages::Durability::None,
    }
}

/// `index_merge_union` and `index_merge_sort_union` where `index_merge` is on.
fn index_merge(switch: &dyn Fn(&str) -> bool) -> (bool, bool) {
    let may = switch("index_merge");
    (may && switch("index_merge_union"), may && switch("index_merge_sort_union"))
}

/// `max_join_size` where `sql_big_selects` is off.
fn max_join_size<'v>(get: &impl Fn(&'static str) -> &'v VarValue) -> u64 {
    if get("sql_big_selects").as_bool() { u64::MAX } else { get("max_join_size").as_u64() }
}

impl Settings {
    /// Reads the settings out of a list of all values; `named` are the collations that SET NAMES gave.
    #[must_use]
    pub fn derive(values: &Values, named: NamedCollations) -> Settings {
        let get = |name: &'static str| -> &VarValue { &values[PLACES.get(name)] };
        let switch = |flag: &str| {
            let switches = "optimizer_switch";
            definitions().get(PLACES.get(switches)).has_flag(get(switches), flag)
        };
        let notes = |flag: &str| {
            let verbosity = "note_verbosity";
            definitions().get(PLACES.get(verbosity)).has_flag(get(verbosity), flag)
        };
        let system = charset::system();
        let charset_of = |name| Charset::by_name(get(name).as_text()).unwrap_or(system.charset);
        let collation_of = |name| Collation::by_name(get(name).as_text()).unwrap_or(system);
        let client = charset_of("character_set_client");
        let mut s = Settings {
            sql_mode: SqlMode(get("sql_mode").as_u64()),
            autocommit: get("autocommit").as_bool(),
            client,
            parameters: named.client.unwrap_or_else(|| client.default_collation()),
            connection: collation_of("collation_connection"),
            results: results_in(get("character_set_results"), named.results),
            server: collation_of("collation_server"),
            filesystem: charset_of("character_set_filesystem"),
            max_session_mem_used: get("max_session_mem_used").as_u64(),
            max_allowed_packet: get("max_allowed_packet").as_u64(),
            group_concat_max_len: get("group_concat_max_len").as_u64(),
            div_precision_increment: get("div_precision_increment").as_u64() as u8,
            old_passwords: get("old_passwords").as_u64() != 0,
            default_week_format: get("default_week_format").as_u64() as u8,
            threads: get("isambard_threads").as_u64() as usize,
            follow_clients: get("isambard_follow_clients").as_bool(),
            search_depth: match get("optimizer_search_depth").as_u64() as usize {
                0 => usize::MAX,
                depth => depth,
            },
            derived_merge: switch("derived_merge"),
            subquery_cache: switch("subquery_cache"),
            table_elimination: switch("table_elimination"),
            index_merge: index_merge(&switch),
            push_into_derived: switch("condition_pushdown_for_derived"),
            push_from_having: switch("condition_pushdown_from_having"),
            note_unusable_keys: notes("unusable_keys"),
            explain_notes: notes("explain"),
            sql_select_limit: get("sql_select_limit").as_u64(),
            lock_wait_timeout: get("lock_wait_timeout").as_u64(),
            durability: durability(get("durability")),
            wait_timeout: get("wait_timeout").as_u64(),
            net_write_timeout: get("net_write_timeout").as_u64(),
            profiling: get("profiling").as_bool(),
            profiles: get("profiling_history_size").as_u64() as usize,
            max_error_count: get("max_error_count").as_u64() as usize,
            sql_notes: get("sql_notes").as_bool(),
            auto_increment_increment: get("auto_increment_increment").as_u64(),
            auto_increment_offset: get("auto_increment_offset").as_u64(),
            sql_auto_is_null: get("sql_auto_is_null").as_bool(),
            tx_read_only: get("tx_read_only").as_bool(),
            sql_safe_updates: get("sql_safe_updates").as_bool(),
            max_join_size: max_join_size(&get),
            max_recursive_iterations: get("max_recursive_iterations").as_u64(),
            standard_compliant_cte: get("standard_compliant_cte").as_bool(),
            sql_quote_show_create: get("sql_quote_show_create").as_bool(),
            check_constraint_checks: get("check_constraint_checks").as_bool(),
            explicit_timestamp: get("explicit_defaults_for_timestamp").as_bool(),
            time_zone: text_or(get("time_zone"), "SYSTEM"),
            lc_time_names: text_or(get("lc_time_names"), "en_US"),
            regex_flags: regex_flags(get("default_regex_flags")),
            regex_extra: matches!(get("default_regex_flags"), VarValue::Bits(bits) if bits >> REGEX_EXTRA & 1 == 1),
            sort_buffer_size: get("sort_buffer_size").as_u64(),
            join_buffer_size: get("join_buffer_size").as_u64(),
            tmp_table_size: get("tmp_memory_table_size").as_u64().min(get("max_heap_table_size").as_u64()),
            max_statement_time: get("max_statement_time").as_f64(),
            long_query_time: (get("long_query_time").as_f64() * 1e6) as u64,
            slow_query_log: get("slow_query_log").as_bool(),
            sql_log_off: get("sql_log_off").as_bool(),
            plan_key: 0,
        };
        s.plan_key = s.hash();
        s
    }

    /// Everything that may change how a statement is bound or planned.
    fn hash(&self) -> u64 {
        use std::hash::{BuildHasher, Hash, Hasher};
        let mut h = foldhash::fast::FixedState::with_seed(1).build_hasher();
        self.sql_mode.hash(&mut h);
        (std::ptr::from_ref(self.client) as usize).hash(&mut h);
        self.connection.id.hash(&mut h);
        self.results.map(|c| c.id).hash(&mut h);
        self.div_precision_increment.hash(&mut h);
        self.default_week_format.hash(&mut h);
        self.old_passwords.hash(&mut h);
        self.group_concat_max_len.hash(&mut h);
        self.sql_select_limit.hash(&mut h);
        self.sql_auto_is_null.hash(&mut h);
        self.sql_safe_updates.hash(&mut h);
        self.max_allowed_packet.hash(&mut h);
        self.max_join_size.hash(&mut h);
        self.standard_compliant_cte.hash(&mut h);
        self.search_depth.hash(&mut h);
        [self.derived_merge, self.push_into_derived, self.push_from_having].hash(&mut h);
        [self.subquery_cache, self.table_elimination].hash(&mut h);
        self.index_merge.hash(&mut h);
        self.time_zone.hash(&mut h);
        self.lc_time_names.hash(&mut h);
        (&self.regex_flags, self.regex_extra).hash(&mut h);
        h.finish()
    }
}

/// The collation of results: the one of SET NAMES while its character set is the one of `character_set_results`.
fn results_in(set: &VarValue, names: Option<&'static Collation>) -> Option<&'static Collation> {
    let cs = match set {
        VarValue::Null => None,
        other => Charset::by_name(other.as_text()),
    }?;
    let names = names.filter(|c| std::ptr::eq(c.charset, cs));
    Some(names.or_else(|| Collation::by_id(cs.default_collation_id)).unwrap_or_else(charset::system))
}

fn text_or(value: &VarValue, otherwise: &str) -> Arc<str> {
    match value {
        VarValue::Text(t) => Arc::clone(t),
        _ => Arc::from(otherwise),
    }
}

/// The bit of EXTRA in `default_regex_flags`.
const REGEX_EXTRA: u32 = 4;

/// The flags of `default_regex_flags` as options within a pattern, in the order of their bits; EXTRA has been the
/// rule since PCRE2.
fn regex_flags(value: &VarValue) -> Arc<str> {
    let VarValue::Bits(bits) = value else { return Arc::from("") };
    let letters: String = ["s", "J", "x", "xx", "", "m", "U"]
        .iter()
        .enumerate()
        .filter(|(bit, _)| bits >> bit & 1 == 1)
        .map(|(_, letter)| *letter)
        .collect();
    if letters.is_empty() { Arc::from("") } else { Arc::from(format!("(?{letters})")) }
}
