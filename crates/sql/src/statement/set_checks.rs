//! What SET refuses beyond a variable's type and range.

use std::net::IpAddr;

use crate::error::{self, SqlError, SqlResult};
use crate::session::Session;
use crate::types::temporal::TimeZone;
use crate::variables::{VarDef, VarValue, definitions};
use charset::Charset;

/// Variables of text that take no NULL.
const NEVER_NULL: &[&str] = &[
    "default_master_connection",
    "ft_boolean_syntax",
    "general_log_file",
    "gtid_pos_auto_engines",
    "gtid_slave_pos",
    "log_slow_query_file",
    "session_track_system_variables",
    "slow_query_log_file",
    "system_versioning_asof",
    "time_zone",
    "wsrep_cluster_address",
    "wsrep_cluster_name",
    "wsrep_node_address",
    "wsrep_node_name",
    "wsrep_sst_donor",
    "wsrep_sst_method",
    "wsrep_start_position",
];

/// Variables that SET x = DEFAULT does not know a value for.
const WITHOUT_DEFAULT: &[&str] =
    &["gtid_binlog_state", "gtid_slave_pos", "identity", "last_insert_id", "rand_seed1", "rand_seed2"];

fn wrong_value(def: &VarDef, value: &str) -> SqlError {
    SqlError::new(error::ER_WRONG_VALUE_FOR_VAR, &[&def.spelled, &value])
}

/// Whether SET x = DEFAULT has a value to give.
///
/// # Errors
/// 1230 when there is none.
pub(super) fn has_default(def: &VarDef) -> SqlResult<()> {
    if WITHOUT_DEFAULT.contains(&def.name) {
        return Err(SqlError::new(error::codes::ER_NO_DEFAULT, &[&def.spelled]));
    }
    Ok(())
}

impl Session {
    /// Whether a variable may be set where it is set: some have a value in both places, but
    /// change in one alone. A value of the wrong type is told before.
    pub(super) fn check_place(&self, def: &VarDef, global: bool) -> SqlResult<()> {
        match def.name {
            "max_allowed_packet" | "max_user_connections" | "net_buffer_length" if !global => {
                Err(SqlError::new(error::ER_VARIABLE_IS_READONLY, &[&"SESSION", &def.spelled, &"GLOBAL"]))
            }
            "sql_log_bin" | "tcp_nodelay" if global => {
                Err(SqlError::new(error::ER_INCORRECT_GLOBAL_LOCAL_VAR, &[&def.spelled, &"SESSION"]))
            }
            // what begins without limits never counts
            "max_user_connections" if !self.engine.variables.counts_connections() => {
                let option = "--max-user-connections=0";
                Err(SqlError::new(error::codes::ER_OPTION_PREVENTS_STATEMENT, &[&option]))
            }
            // there is no binary log whose state could be set
            "gtid_binlog_state" => Err(SqlError::new(error::codes::ER_FLUSH_MASTER_BINLOG_CLOSED, &[])),
            _ => Ok(()),
        }
    }

    /// Packets should have room for a buffer of the network.
    pub(super) fn warn_small_packet(&mut self, def: &VarDef, value: &VarValue) {
        let other = |name| self.engine.variables.named(name).as_u64();
        let small = match def.name {
            "max_allowed_packet" => value.as_u64() < other("net_buffer_length"),
            "net_buffer_length" => value.as_u64() > other("max_allowed_packet"),
            _ => return,
        };
        if small {
            let names = [&"max_allowed_packet" as &dyn std::fmt::Display, &"net_buffer_length"];
            self.ctx.warnings.warn(error::codes::WARN_OPTION_BELOW_LIMIT, &names);
        }
    }

    /// Checks of a value that has the variable's type and range.
    pub(super) fn check_value(&mut self, def: &VarDef, value: &VarValue) -> SqlResult<()> {
        if *value == VarValue::Null && NEVER_NULL.contains(&def.name) {
            return Err(wrong_value(def, "NULL"));
        }
        let text = value.as_text();
        match def.name {
            "time_zone" if TimeZone::parse(text).is_none() => {
                Err(SqlError::new(error::ER_UNKNOWN_TIME_ZONE, &[&text]))
            }
            "character_set_client" => match Charset::by_name(text) {
                Some(cs) => self.check_client_charset(cs),
                None => Ok(()),
            },
            "ft_boolean_syntax" => {
                match fulltext::Syntax::new(text.as_bytes(), self.vars.settings.server.charset) {
                    Ok(_) => Ok(()),
                    Err(_) => Err(wrong_value(def, text)),
                }
            }
            // a table of InnoDB is asked for, and there is none
            "innodb_ft_aux_table" | "innodb_ft_server_stopword_table" | "innodb_ft_user_stopword_table"
                if *value != VarValue::Null =>
            {
                Err(wrong_value(def, text))
            }
            "optimizer_switch"
                if !def.has_flag(value, "materialization") && !def.has_flag(value, "in_to_exists") =>
            {
                Err(SqlError::new(error::ER_ILLEGAL_SUBQUERY_OPTIMIZER_SWITCHES, &[]))
            }
            "general_log_file" | "log_slow_query_file" | "slow_query_log_file"
                if self.engine.file_access().place_of_log(text).is_none() =>
            {
                Err(wrong_value(def, text))
            }
            "session_track_system_variables" => check_tracked(text),
            "gtid_slave_pos" => check_gtids(text),
            "gtid_pos_auto_engines" => check_engines(text),
            "proxy_protocol_networks" => check_networks(text),
            "replicate_do_table"
            | "replicate_ignore_table"
            | "replicate_wild_do_table"
            | "replicate_wild_ignore_table" => check_list(text, "."),
            "replicate_rewrite_db" => check_list(text, "->"),
            _ => Ok(()),
        }
    }
}

/// A list whose parts each have something between two names.
fn check_list(text: &str, between: &str) -> SqlResult<()> {
    let whole = |part: &str| part.split_once(between).is_some_and(|(a, _)| !a.trim().is_empty());
    if text.is_empty() || text.split(',').all(|part| whole(part.trim())) {
        return Ok(());
    }
    Err(SqlError::new(error::codes::ER_WRONG_ARGUMENTS, &[&"SET"]))
}

/// Names of variables, or `*` for all.
fn check_tracked(text: &str) -> SqlResult<()> {
    let names = text.split(',').map(str::trim).filter(|n| !n.is_empty() && *n != "*");
    for name in names {
        if definitions().find(name).is_none() {
            return Err(SqlError::new(error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&name]));
        }
    }
    Ok(())
}

fn check_engines(text: &str) -> SqlResult<()> {
    for name in text.split(',').map(str::trim).filter(|n| !n.is_empty()) {
        if crate::names::canonical_engine(name).is_none() {
            return Err(SqlError::new(error::ER_UNKNOWN_STORAGE_ENGINE, &[&name]));
        }
    }
    Ok(())
}

/// A list of `domain-server-sequence`, each domain once.
fn check_gtids(text: &str) -> SqlResult<()> {
    let unreadable = || SqlError::new(error::codes::ER_INCORRECT_GTID_STATE, &[]);
    let mut seen: Vec<(u32, u32, u64)> = Vec::new();
    for gtid in text.split(',').filter(|_| !text.is_empty()) {
        let mut parts = gtid.split('-');
        let mut digits =
            || parts.next().filter(|p| p.bytes().all(|b| b.is_ascii_digit())).ok_or_else(unreadable);
        let domain: u32 = digits()?.parse().map_err(|_| unreadable())?;
        let server: u32 = digits()?.parse().map_err(|_| unreadable())?;
        let number: u64 = digits()?.parse().map_err(|_| unreadable())?;
        if parts.next().is_some() {
            return Err(unreadable());
        }
        if let Some((_, s, n)) = seen.iter().find(|(d, ..)| *d == domain) {
            let args: [&dyn std::fmt::Display; 7] = [&domain, &server, &number, &domain, s, n, &domain];
            return Err(SqlError::new(error::codes::ER_DUPLICATE_GTID_DOMAIN, &args));
        }
        seen.push((domain, server, number));
    }
    Ok(())
}

/// Addresses, each with the length of its network; `*`, or `localhost`.
fn check_networks(text: &str) -> SqlResult<()> {
    for network in text.split([',', ' ']).filter(|n| !n.is_empty() && *n != "*" && *n != "localhost") {
        let (address, bits) = network.split_once('/').map_or((network, None), |(a, b)| (a, Some(b)));
        let fits = address.parse::<IpAddr>().is_ok_and(|ip| {
            let most = if ip.is_ipv4() { 32 } else { 128 };
            bits.is_none_or(|b| b.parse::<u32>().is_ok_and(|b| b <= most))
        });
        if !fits {
            let text = format!("Error parsing proxy_protocol_networks parameter, near '{address}'");
            return Err(SqlError::with_message(error::ER_PARSE_ERROR, text));
        }
    }
    Ok(())
}
