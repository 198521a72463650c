//! The rows of `SHOW STATUS`.

use super::counters::{Counter, Sums};

const TABLE: &str = include_str!("../../data/status-variables.tsv");

/// Values that are no counters.
pub struct Gauges {
    /// Seconds since the start.
    pub uptime: u64,
    /// Seconds since FLUSH STATUS.
    pub uptime_since_flush: u64,
    /// Connections now.
    pub connections: u64,
    /// Connections ever accepted.
    pub accepted: u64,
    /// Most connections at a time.
    pub most: u64,
    /// Connections that run a statement.
    pub running: u64,
    /// Tables that are open.
    pub open_tables: u64,
    /// Prepared statements.
    pub prepared: u64,
    /// Accounts.
    pub users: u64,
    /// Old versions of pages.
    pub versions: pages::VersionUsage,
    /// The default key cache.
    pub keys: KeyCacheGauges,
    /// The cache of rows.
    pub rows: pages::BlockUsage,
}

/// What the default key cache holds and was asked for.
#[derive(Default)]
pub struct KeyCacheGauges {
    /// Blocks that are free.
    pub unused: u64,
    /// The most that were in use.
    pub used: u64,
    /// Index pages that are changed and not in their files yet.
    pub dirty: u64,
    /// Requests, reads, changes and writes of index pages.
    pub counts: pages::PageCounts,
}

/// All rows: name and value, sorted as MariaDB lists them.
#[must_use]
pub fn rows(counts: &Sums, g: &Gauges) -> Vec<(&'static str, String)> {
    let mut out: Vec<(&'static str, String)> = Vec::with_capacity(600);
    for line in TABLE.lines().skip(1) {
        let mut f = line.split('\t');
        let (Some(name), Some(kind)) = (f.next(), f.next()) else { continue };
        if name.is_empty() || name.starts_with("Innodb_") || name.starts_with("wsrep_") {
            continue;
        }
        let value = match name {
            "Uptime" => g.uptime.to_string(),
            "Uptime_since_flush_status" => g.uptime_since_flush.to_string(),
            "Threads_connected" => g.connections.to_string(),
            "Threads_running" => g.running.to_string(),
            "Threads_created" | "Connections" => g.accepted.to_string(),
            "Max_used_connections" => g.most.to_string(),
            "Open_tables" | "Open_table_definitions" => g.open_tables.to_string(),
            "Open_files" => (g.open_tables * 2).to_string(),
            "Prepared_stmt_count" => g.prepared.to_string(),
            "Key_blocks_not_flushed" => g.keys.dirty.to_string(),
            "Key_blocks_unused" => g.keys.unused.to_string(),
            "Key_blocks_used" => g.keys.used.to_string(),
            "Key_read_requests" => g.keys.counts.requests.to_string(),
            "Key_reads" => g.keys.counts.reads.to_string(),
            "Key_write_requests" => g.keys.counts.changed.to_string(),
            "Key_writes" => g.keys.counts.written.to_string(),
            "Acl_users" => g.users.to_string(),
            "Table_open_cache_active_instances" => "1".into(),
            _ => match Counter::find(name) {
                Some(c) => counts.get(c).to_string(),
                None => match kind {
                    "integer" => "0".into(),
                    "decimal" => "0.000000".into(),
                    _ => match name {
                        "Compression"
                        | "Slave_running"
                        | "Rpl_semi_sync_master_status"
                        | "Rpl_semi_sync_slave_status" => "OFF".into(),
                        _ => String::new(),
                    },
                },
            },
        };
        out.push((name, value));
    }
    // Our own.
    out.push(("Isambard_row_cache_bytes", g.rows.bytes.to_string()));
    out.push(("Isambard_row_cache_reads", g.rows.reads.to_string()));
    out.push(("Isambard_threads_begun", counts.get(Counter::ThreadsBegun).to_string()));
    out.push(("Version_cache_used", g.versions.memory.to_string()));
    out.push(("Version_snapshots_given_up", g.versions.evicted.to_string()));
    out.push(("Version_spill_used", g.versions.spilled.to_string()));
    out.push(("Version_spill_written", g.versions.written.to_string()));
    out
}
