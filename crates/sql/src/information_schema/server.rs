//! The server: character sets, variables, counters, connections.

use charset::{Charset, Collation};

use super::{InfoSchemaContext, opt, s};
use crate::bind::forms::is_known;
use crate::caches::{CacheStatus, DEFAULT};
use crate::lex::function_names::{OF_GRAMMAR, OF_SERVER};
use crate::rights::{accounts, caching_sha2, ed25519};
use crate::status::connection::now_micros;
use crate::status::variables::{Gauges, KeyCacheGauges, rows as status_rows};
use crate::status::{Command, Counter, Sums};
use crate::table::engine::{ENGINES, EngineInfo};
use crate::types::{Decimal, Value};
use crate::variables::key_caches::KeyCache;

pub(super) fn engines() -> Vec<Vec<Value>> {
    let yes = |is| s(if is { "YES" } else { "NO" });
    let row = |e: &EngineInfo| {
        vec![s(e.name), s(e.support), s(e.comment), yes(e.transactions), s("NO"), yes(e.transactions)]
    };
    let sequence = EngineInfo {
        name: "SEQUENCE",
        support: "YES",
        comment: "Generated tables filled with sequential values",
        transactions: true,
    };
    let stored = ENGINES.iter().rev().map(|engine| row(engine.info()));
    stored.chain([row(&sequence)]).collect()
}

pub(super) fn plugins() -> Vec<Vec<Value>> {
    let logins = [
        (accounts::NATIVE, "Native MySQL authentication"),
        (accounts::OLD, "Old MySQL-4.0 authentication"),
        ("unix_socket", "Unix Socket based authentication"),
        (ed25519::PLUGIN, "Elliptic curve ED25519 based authentication"),
        (caching_sha2::PLUGIN, "SHA-256 authentication as MySQL 8 has it"),
    ];
    logins
        .into_iter()
        .map(|(name, what)| (name, "AUTHENTICATION", what, "2.2"))
        .chain(ENGINES.iter().map(|e| (e.info().name, "STORAGE ENGINE", e.info().comment, "101119.0")))
        .map(|(name, kind, description, version)| {
            vec![
                s(name),
                s("1.0"),
                s("ACTIVE"),
                s(kind),
                s(version),
                Value::Null,
                Value::Null,
                s("MySQL AB"),
                s(description),
                s("GPL"),
                s("FORCE"),
                s("Stable"),
                s("1.0"),
            ]
        })
        .collect()
}

pub(super) fn character_sets() -> Vec<Vec<Value>> {
    Charset::all()
        .map(|cs| {
            let default = Collation::by_id(cs.default_collation_id).map_or("", |c| c.name);
            vec![s(cs.name), s(default), s(cs.description), Value::Int(i64::from(cs.mbmaxlen))]
        })
        .collect()
}

/// Collations in MariaDB's order: by character set, then by number.
fn ordered() -> Vec<&'static Collation> {
    let mut list: Vec<_> = Collation::all().collect();
    list.sort_by_key(|c| (c.charset.default_collation_id, c.id));
    list
}

/// The name of a collation that several character sets have, without theirs.
fn shared_name(c: &Collation) -> Option<&'static str> {
    let name = c.name.strip_prefix(c.charset.name)?.strip_prefix('_')?;
    name.starts_with("uca1400_").then_some(name)
}

/// What several character sets have stands there once, without one, in the place of utf8mb4's.
pub(super) fn collations() -> Vec<Vec<Value>> {
    let row = |c: &'static Collation| {
        let shared = shared_name(c);
        if shared.is_some() && c.charset.name != "utf8mb4" {
            return None;
        }
        let own = |v| if shared.is_some() { Value::Null } else { v };
        Some(vec![
            s(shared.unwrap_or(c.name)),
            own(s(c.charset.name)),
            own(Value::Int(i64::from(c.id))),
            own(s(if c.is_default { "Yes" } else { "" })),
            s("Yes"),
            Value::Int(i64::from(c.sortlen)),
        ])
    };
    ordered().into_iter().filter_map(row).collect()
}

pub(super) fn applicability() -> Vec<Vec<Value>> {
    ordered()
        .into_iter()
        .map(|c| {
            vec![
                s(shared_name(c).unwrap_or(c.name)),
                s(c.charset.name),
                s(c.name),
                Value::Int(i64::from(c.id)),
                s(if c.is_default { "Yes" } else { "" }),
            ]
        })
        .collect()
}

/// The functions, in MariaDB's order; of those that it has and we do not nothing is told.
pub(super) fn functions() -> Vec<Vec<Value>> {
    let others = OF_SERVER.iter().filter(|name| is_known(name));
    OF_GRAMMAR.iter().chain(others).map(|name| vec![s(name)]).collect()
}

pub(super) fn keywords() -> Vec<Vec<Value>> {
    Vec::new()
}

/// The words that InnoDB leaves out of its keys, as MariaDB shows them: one stands there twice.
const INNODB_STOPWORDS: &str = "a about an are as at be by com de en for from how i in is it la of on or that the this to was what \
     when where who will with und the www";

pub(super) fn innodb_stopwords() -> Vec<Vec<Value>> {
    INNODB_STOPWORDS.split(' ').map(|word| vec![s(word)]).collect()
}

impl InfoSchemaContext {
    pub(super) fn global_variables(&self) -> Vec<Vec<Value>> {
        let snapshot = self.engine.variables.snapshot();
        crate::variables::definitions()
            .all()
            .filter(|(_, d)| d.scope != crate::variables::VarScope::Session)
            .map(|(id, d)| {
                let value = snapshot[id].show(&d.kind).unwrap_or_default();
                vec![s(d.name.to_ascii_uppercase()), s(value)]
            })
            .collect()
    }

    pub(super) fn session_variables(&self) -> Vec<Vec<Value>> {
        self.variables
            .iter()
            .flat_map(|v| v.iter())
            .map(|(name, value)| vec![s(name.to_ascii_uppercase()), s(value)])
            .collect()
    }

    /// The rows of SHOW STATUS, names as they are spelled there.
    pub(crate) fn status_values(&self, global: bool) -> Vec<(&'static str, String)> {
        let engine = &self.engine;
        let mut sums = Sums::default();
        if global {
            sums = engine.status_sums();
        } else if let Some(c) = engine.connections.find(self.connection) {
            c.counters.add_to(&mut sums);
            // events have connections of their own
            sums.add(Counter::ExecutedEvents, engine.status_sums().get(Counter::ExecutedEvents));
        }
        let all = engine.connections.all();
        let now = now_micros();
        let idle = Command::Sleep.name();
        let (blocks, keys) = self.default_key_cache();
        let keys = KeyCacheGauges {
            unused: blocks.saturating_sub(keys.usage.blocks),
            used: keys.usage.most_blocks,
            dirty: keys.dirty,
            counts: keys.counts,
        };
        let gauges = Gauges {
            keys,
            rows: engine.caches.of_rows(),
            uptime: engine.uptime().as_secs(),
            uptime_since_flush: engine.time_since_flush().as_secs(),
            versions: engine.store().version_usage(),
            connections: all.len() as u64,
            accepted: engine.connections.accepted(),
            most: engine.connections.most(),
            running: all.iter().filter(|c| c.describe(now).command != idle).count() as u64,
            open_tables: engine.catalog.open_tables().len() as u64,
            prepared: engine.prepared.load(std::sync::atomic::Ordering::Relaxed),
            users: engine.accounts.len() as u64,
        };
        let mut rows = status_rows(&sums, &gauges);
        let (own, compressed) =
            engine.connections.find(self.connection).map(|c| c.channel()).unwrap_or_default();
        let held = match global {
            true => (all.iter().map(|c| c.memory.now()).sum(), None),
            false => engine
                .connections
                .find(self.connection)
                .map_or((0, Some(0)), |c| (c.memory.now(), Some(c.memory.most()))),
        };
        for (name, value) in &mut rows {
            match *name {
                "Memory_used" => *value = u64::to_string(&held.0),
                // the most of all of them together is not known
                "Max_memory_used" => *value = held.1.map_or_else(|| "NULL".into(), |n| u64::to_string(&n)),
                _ => {}
            }
            if *name == "Compression" && compressed {
                *value = "ON".into();
            }
            if name.starts_with("Ssl_")
                && let Some(known) = engine.encryption.status(name, own.as_deref())
            {
                *value = known;
            }
        }
        rows
    }

    pub(super) fn status(&self, global: bool) -> Vec<Vec<Value>> {
        self.status_values(global)
            .into_iter()
            .map(|(name, value)| vec![s(name.to_ascii_uppercase()), s(value)])
            .collect()
    }

    pub(super) fn processes(&self) -> Vec<Vec<Value>> {
        let now = now_micros();
        self.engine
            .connections
            .all()
            .iter()
            .filter(|c| self.rights.sees_connection(c))
            .map(|c| {
                let p = c.describe(now);
                let millis = Decimal::parse(format!("{:.3}", p.micros as f64 / 1000.0).as_bytes()).value;
                let zero = Decimal::parse(b"0.000").value;
                let info = p.info.map_or(Value::Null, Value::Bytes);
                vec![
                    Value::Int(p.id as i64),
                    s(&p.user),
                    s(&p.host),
                    opt(p.db.as_ref()),
                    s(p.command),
                    Value::Int((p.micros / 1_000_000) as i64),
                    s(if c.id == self.connection && p.state.is_empty() {
                        "Filling schema table"
                    } else {
                        p.state
                    }),
                    info.clone(),
                    Value::Decimal(millis),
                    Value::Int(0),
                    Value::Int(0),
                    Value::Decimal(zero),
                    Value::Int(c.memory.now().cast_signed()),
                    Value::Int(c.memory.most().cast_signed()),
                    Value::Int(0),
                    Value::Int(i64::try_from(c.query_id()).unwrap_or(0)),
                    info,
                    Value::Int(0),
                ]
            })
            .collect()
    }

    /// How many blocks the default key cache has room for, and what it holds.
    fn default_key_cache(&self) -> (u64, CacheStatus) {
        let engine = &self.engine;
        let settings = KeyCache::new(DEFAULT, |component| engine.variables.named(component).as_u64());
        let blocks = settings.whole().map_or(0, |(_, blocks)| blocks);
        (blocks, engine.caches.status(engine.store(), DEFAULT).unwrap_or_default())
    }

    /// Each cache with a size: its segments, if it has any, then the whole. One cache serves all cores: what it holds and counts
    /// stands in the row of the whole.
    pub(super) fn key_caches(&self) -> Vec<Vec<Value>> {
        let v = &self.engine.variables;
        let mut rows = Vec::new();
        let default = KeyCache::new(DEFAULT, |component| v.named(component).as_u64());
        for cache in std::iter::once(default).chain(v.key_caches.all()) {
            let Some((size, blocks)) = cache.whole() else { continue };
            let status = self.engine.caches.status(self.engine.store(), cache.name()).unwrap_or_default();
            let mut push = |segments: Value, number: Value, size: u64, blocks: u64, status: CacheStatus| {
                let CacheStatus { usage, counts, dirty } = status;
                let mut row = vec![s(cache.name()), segments, number];
                let unused = blocks.saturating_sub(usage.blocks);
                row.extend([size, cache.block_size(), usage.most_blocks, unused, dirty].map(Value::UInt));
                let asked = [counts.requests, counts.reads, counts.changed, counts.written];
                row.extend(asked.map(Value::UInt));
                rows.push(row);
            };
            let segments = cache.segments();
            if let Some((count, size, blocks)) = segments {
                for number in 1..=count {
                    push(Value::UInt(count), Value::UInt(number), size, blocks, CacheStatus::default());
                }
            }
            push(
                segments.map_or(Value::Null, |(count, ..)| Value::UInt(count)),
                Value::Null,
                size,
                blocks,
                status,
            );
        }
        rows
    }
}
