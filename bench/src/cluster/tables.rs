//! Tables parted by hash over the shards: sysbench's, one to join it with, and those that the proof writes.

use std::io;
use std::thread;

use mysql::Conn;

use super::{Cluster, Shard, ask, rows};

/// Database of all tables, on the front as on the shards.
pub const DATABASE: &str = "sbtest";

/// Rows of a statement that loads.
const BATCH: u64 = 500;

/// The columns of a table, and the one by which its rows are parted.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    columns: &'static str,
    key: &'static str,
}

/// sysbench's table.
pub const SYSBENCH: Table = Table {
    name: "sbtest1",
    columns: "id INT NOT NULL, k INT NOT NULL DEFAULT 0, c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', \
              PRIMARY KEY (id), KEY k_1 (k)",
    key: "id",
};

/// A hundredth of its rows, to be joined with it.
pub const GROUPS: Table = Table {
    name: "parts",
    columns: "id INT NOT NULL, name VARCHAR(20) NOT NULL, weight DECIMAL(8,2) NOT NULL, PRIMARY KEY (id)",
    key: "id",
};

/// What the proof inserts: the number that a writer gave its row.
pub const NOTES: Table = Table {
    name: "notes",
    columns: "id BIGINT NOT NULL, writer INT NOT NULL, said VARCHAR(200) NOT NULL, PRIMARY KEY (id), KEY writer (writer)",
    key: "id",
};

/// What the proof updates: a counter a writer.
pub const COUNTERS: Table =
    Table { name: "counters", columns: "id INT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (id)", key: "id" };

/// Questions whose answers must be those of one server. All rows come in an order.
pub const QUESTIONS: [&str; 7] = [
    "SELECT COUNT(*), SUM(k), MIN(c), MAX(pad) FROM {sbtest1}",
    "SELECT k % 7 g, COUNT(*), SUM(id), MAX(c) FROM {sbtest1} GROUP BY g ORDER BY g",
    "SELECT id, k, c FROM {sbtest1} WHERE id BETWEEN 90 AND 140 ORDER BY id",
    "SELECT id, c FROM {sbtest1} WHERE k BETWEEN 100 AND 120 ORDER BY id LIMIT 20",
    "SELECT p.name, COUNT(*), SUM(p.weight) FROM {sbtest1} s JOIN {parts} p ON p.id = s.id % 100 + 1 WHERE s.k < 500 \
     GROUP BY p.name ORDER BY p.name",
    "SELECT s.id, p.name FROM {parts} p LEFT JOIN {sbtest1} s ON s.id = p.id * 50 WHERE p.id <= 40 ORDER BY p.id",
    "SELECT COUNT(*) FROM {sbtest1} WHERE id IN (SELECT id FROM {parts} WHERE weight > 40)",
];

impl Table {
    /// Makes the table on the shards, as `stored` there, and on the front.
    ///
    /// # Errors
    /// What the servers say.
    pub fn create(self, front: &mut Conn, shards: &[Shard], stored: &str) -> io::Result<()> {
        for shard in shards {
            let sql = format!("CREATE TABLE {DATABASE}.{stored} ({}) ENGINE=MyISAM", self.columns);
            ask(&mut shard.connect()?, &sql)?;
        }
        let parts: Vec<String> =
            shards.iter().map(|s| format!("PARTITION {0} COMMENT = 'srv \"{0}\"'", s.name)).collect();
        let sql = format!(
            "CREATE TABLE {DATABASE}.{stored} ({}) ENGINE=SPIDER COMMENT='wrapper \"mysql\", table \"{stored}\"' \
             PARTITION BY HASH ({}) ({})",
            self.columns,
            self.key,
            parts.join(", ")
        );
        ask(front, &sql)
    }

    /// Copies the table into one of the front's own, for comparisons.
    ///
    /// # Errors
    /// What the servers say.
    pub fn copy_to_front(self, front: &mut Conn) -> io::Result<()> {
        let name = self.name;
        ask(front, &format!("CREATE TABLE {DATABASE}.{name}_whole ({}) ENGINE=MyISAM", self.columns))?;
        ask(front, &format!("INSERT INTO {DATABASE}.{name}_whole SELECT * FROM {DATABASE}.{name}"))
    }

    /// Moves the table onto other shards, which it has all to itself: its rows are copied through the front, then both change names.
    /// Nobody may write to it meanwhile.
    ///
    /// # Errors
    /// What the servers say; rows that got lost.
    pub fn spread(self, front: &mut Conn, shards: &[Shard]) -> io::Result<()> {
        let (old, new) = (format!("{DATABASE}.{}", self.name), format!("{}_spread", self.name));
        self.create(front, shards, &new)?;
        ask(front, &format!("INSERT INTO {DATABASE}.{new} SELECT * FROM {old}"))?;
        let count = |front: &mut Conn, table: &str| rows(front, &format!("SELECT COUNT(*) FROM {table}"));
        let (before, after) = (count(front, &old)?, count(front, &format!("{DATABASE}.{new}"))?);
        if before != after {
            return Err(io::Error::other(format!("{old} had {before:?} rows, {after:?} were copied")));
        }
        ask(front, &format!("RENAME TABLE {old} TO {old}_before, {DATABASE}.{new} TO {old}"))
    }
}

/// The row of a number in sysbench's table.
fn sysbench_row(id: u64, total: u64) -> String {
    let mix = id.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let text = |n: u64, groups: u32| {
        (0..groups).map(move |g| format!("{:011}", (n.rotate_left(g * 7) ^ u64::from(g)) % 100_000_000_000))
    };
    let (c, pad): (Vec<_>, Vec<_>) = (text(mix, 10).collect(), text(!mix, 5).collect());
    format!("({id}, {}, '{}', '{}')", 1 + mix % total, c.join("-"), pad.join("-"))
}

/// Fills sysbench's table with `count` rows over several connections, and the one it is joined with.
///
/// # Errors
/// What the servers say.
pub fn load(cluster: &Cluster, count: u64, connections: u64) -> io::Result<()> {
    thread::scope(|scope| {
        let one = |worker: u64| {
            let mut conn = cluster.connect()?;
            for first in (worker * BATCH..count).step_by((BATCH * connections) as usize) {
                let batch: Vec<String> =
                    (first..(first + BATCH).min(count)).map(|n| sysbench_row(n + 1, count)).collect();
                ask(
                    &mut conn,
                    &format!("INSERT INTO {DATABASE}.{} VALUES {}", SYSBENCH.name, batch.join(",")),
                )?;
            }
            Ok(())
        };
        let workers: Vec<_> = (0..connections).map(|worker| scope.spawn(move || one(worker))).collect();
        workers.into_iter().try_for_each(|w| {
            w.join().unwrap_or_else(|_| Err(io::Error::other("a connection that loads has panicked")))
        })
    })?;
    let parts: Vec<String> = (1..=count / 100)
        .map(|n| format!("({n}, 'part {}', {}.{:02})", n % 17, n * 13 % 90, n % 100))
        .collect();
    let mut conn = cluster.connect()?;
    let batches = parts.chunks(BATCH as usize);
    let sql = |batch: &[String]| format!("INSERT INTO {DATABASE}.{} VALUES {}", GROUPS.name, batch.join(","));
    batches.into_iter().try_for_each(|batch| ask(&mut conn, &sql(batch)))
}

/// Asks all questions of the shards and of the front's own copies.
///
/// # Errors
/// What the servers say; an answer that differs.
pub fn compare(front: &mut Conn) -> io::Result<usize> {
    let over = |question: &str, suffix: &str| {
        [SYSBENCH, GROUPS].iter().fold(question.to_owned(), |sql, t| {
            sql.replace(&format!("{{{}}}", t.name), &format!("{DATABASE}.{}{suffix}", t.name))
        })
    };
    for question in QUESTIONS {
        let (spread, whole) = (rows(front, &over(question, ""))?, rows(front, &over(question, "_whole"))?);
        if spread != whole || whole.is_empty() {
            return Err(io::Error::other(format!(
                "{question}: the shards say {spread:.3?}, one server says {whole:.3?}"
            )));
        }
    }
    Ok(QUESTIONS.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_of_sysbenchs_shape() {
        let row = sysbench_row(7, 1000);
        let parts: Vec<&str> = row.trim_matches(['(', ')']).split(", ").collect();
        assert_eq!(parts[0], "7");
        let k: u64 = parts[1].parse().expect("a number");
        assert!((1..=1000).contains(&k));
        assert_eq!((parts[2].len() - 2, parts[3].len() - 2), (119, 59));
        assert_ne!(row, sysbench_row(8, 1000));
    }
}
