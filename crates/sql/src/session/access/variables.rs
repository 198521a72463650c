//! What SET of a system variable needs.

use crate::rights::privilege::*;

const BINLOG: &[&str] = &[
    "binlog_annotate_row_events",
    "binlog_cache_size",
    "binlog_commit_wait_count",
    "binlog_commit_wait_usec",
    "binlog_direct_non_transactional_updates",
    "binlog_expire_logs_seconds",
    "binlog_file_cache_size",
    "binlog_format",
    "binlog_row_image",
    "binlog_row_metadata",
    "binlog_stmt_cache_size",
    "expire_logs_days",
    "log_bin_compress",
    "log_bin_compress_min_len",
    "log_bin_trust_function_creators",
    "max_binlog_cache_size",
    "max_binlog_size",
    "max_binlog_stmt_cache_size",
    "sql_log_bin",
    "sync_binlog",
];

const CONNECTION: &[&str] = &[
    "connect_timeout",
    "disconnect_on_expired_password",
    "extra_max_connections",
    "init_connect",
    "max_connections",
    "max_connect_errors",
    "max_password_errors",
    "proxy_protocol_networks",
    "secure_auth",
    "slow_launch_time",
];

const MASTER: &[&str] = &["gtid_binlog_state", "gtid_domain_id", "master_verify_checksum", "server_id"];

const SLAVE: &[&str] = &[
    "gtid_cleanup_batch_size",
    "gtid_ignore_duplicates",
    "gtid_pos_auto_engines",
    "gtid_slave_pos",
    "gtid_strict_mode",
    "init_slave",
    "read_binlog_speed_limit",
    "relay_log_purge",
    "relay_log_recovery",
    "sync_master_info",
    "sync_relay_log",
    "sync_relay_log_info",
];

/// The global privileges of which SET of a variable needs one; 0: none.
pub(crate) fn of_variable(name: &str, global: bool) -> u64 {
    if !global {
        return match name {
            "enforce_storage_engine" | "log_disabled_statements" | "sql_log_off" | "wsrep_on" => SUPER,
            "binlog_annotate_row_events"
            | "binlog_direct_non_transactional_updates"
            | "binlog_format"
            | "binlog_row_image"
            | "sql_log_bin" => SUPER | BINLOG_ADMIN,
            "gtid_domain_id" | "gtid_seq_no" | "pseudo_thread_id" | "server_id" => SUPER | BINLOG_REPLAY,
            _ => 0,
        };
    }
    match name {
        "read_only" => READ_ONLY_ADMIN,
        "slave_max_statement_time" => REPLICATION_SLAVE_ADMIN,
        _ if BINLOG.contains(&name) => SUPER | BINLOG_ADMIN,
        _ if CONNECTION.contains(&name) || name.starts_with("thread_pool_") => SUPER | CONNECTION_ADMIN,
        _ if MASTER.contains(&name) || name.starts_with("rpl_semi_sync_master_") => {
            SUPER | REPLICATION_MASTER_ADMIN
        }
        _ if SLAVE.contains(&name)
            || ["replicate_", "rpl_semi_sync_slave_", "slave_"].iter().any(|p| name.starts_with(p)) =>
        {
            SUPER | REPLICATION_SLAVE_ADMIN
        }
        _ => SUPER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_need_what_they_are_about() {
        assert_eq!(of_variable("key_buffer_size", true), SUPER);
        assert_eq!(of_variable("read_only", true), READ_ONLY_ADMIN);
        assert_eq!(of_variable("slave_exec_mode", true), SUPER | REPLICATION_SLAVE_ADMIN);
        assert_eq!(of_variable("sql_mode", false), 0);
        assert_eq!(of_variable("sql_log_bin", false), SUPER | BINLOG_ADMIN);
    }
}
