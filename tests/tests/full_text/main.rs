//! Full text on real documents, beside MariaDB's MyISAM: the same rows with the same scores, to the last digit, of random searches in
//! tables built in bulk, beside random changes and after them; then each server goes on with the other's files.
//!
//! `ISAMBARD_DOCUMENTS` sets how many documents (all 285,556 with `ISAMBARD_SOAK=1`), `ISAMBARD_STATEMENTS` the searches,
//! `ISAMBARD_CHANGES` the changes, `ISAMBARD_SEED` which of them, `ISAMBARD_COLLATION` the texts' collation,
//! `ISAMBARD_SLOW` after how many milliseconds a statement is printed. The whole run:
//!
//! `ISAMBARD_SOAK=1 cargo test --release -p isambard-tests --test full_text -- --nocapture`

mod changes;
mod corpus;
mod questions;

use changes::Changes;
use corpus::Corpus;
use fastrand::Rng;
use isambard_tests::peers::{Peer, oracle_present, scratch};
use mysql::Conn;
use mysql::prelude::Queryable;
use questions::{Compared, Questions};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn number(name: &str, usual: usize, soak: usize) -> usize {
    let soaked = std::env::var("ISAMBARD_SOAK").is_ok_and(|v| v == "1");
    let told = std::env::var(name).ok().and_then(|v| v.parse().ok());
    told.unwrap_or(if soaked { soak } else { usual })
}

type Row = Vec<mysql::Value>;
/// Rows and how many were changed, or the number of the error.
type Answer = Result<(Vec<Row>, u64), u16>;

fn ask(conn: &mut Conn, sql: &str) -> Answer {
    let mut ask = || -> Result<(Vec<Row>, u64), mysql::Error> {
        let mut answer = conn.query_iter(sql)?;
        let mut rows = Vec::new();
        for row in answer.by_ref() {
            rows.push(row?.unwrap());
        }
        Ok((rows, answer.affected_rows()))
    };
    match ask() {
        Ok(answer) => Ok(answer),
        Err(mysql::Error::MySqlError(e)) => Err(e.code),
        Err(e) => panic!("{sql}: the connection broke: {e}"),
    }
}

fn timed(conn: &mut Conn, sql: &str) -> (Answer, Duration) {
    let begun = Instant::now();
    (ask(conn, sql), begun.elapsed())
}

/// Two connections that are told the same.
struct Pair {
    ours: Conn,
    theirs: Conn,
    /// Time that each took.
    spent: [Duration; 2],
    /// What takes longer is told.
    slow: Duration,
    searches: usize,
    rows: usize,
    changes: usize,
    wrong: Vec<String>,
}

impl Pair {
    fn new(ours: Conn, theirs: Conn) -> Pair {
        let spent = [Duration::ZERO; 2];
        let slow = Duration::from_millis(number("ISAMBARD_SLOW", 600_000, 600_000) as u64);
        let mut pair =
            Pair { ours, theirs, spent, slow, searches: 0, rows: 0, changes: 0, wrong: Vec::new() };
        pair.change("SET NAMES utf8mb4");
        pair.change("SET sql_mode = ''");
        pair.changes = 0;
        pair
    }

    fn both(&mut self, sql: &str) -> (Answer, Answer) {
        let (ours, theirs) = (&mut self.ours, &mut self.theirs);
        let (a, b) = std::thread::scope(|scope| {
            let a = scope.spawn(|| timed(ours, sql));
            let b = timed(theirs, sql);
            (a.join().expect("our answer"), b)
        });
        if a.1.max(b.1) > self.slow {
            eprintln!("{:.1} s here, {:.1} s there: {sql}", a.1.as_secs_f64(), b.1.as_secs_f64());
        }
        self.spent[0] += a.1;
        self.spent[1] += b.1;
        (a.0, b.0)
    }

    fn differs(&mut self, what: String) {
        eprintln!("{what}");
        self.wrong.push(what);
        assert!(self.wrong.len() < 20, "too many differences");
    }

    /// A search, compared.
    fn search(&mut self, sql: &str, compared: Compared) {
        self.searches += 1;
        self.rows += self.compare(sql, compared);
    }

    /// How many rows a query has on our side.
    fn compare(&mut self, sql: &str, compared: Compared) -> usize {
        let (mut a, mut b) = self.both(sql);
        let rows = a.as_ref().map_or(0, |(rows, _)| rows.len());
        if compared == Compared::Scores {
            for (rows, _) in [&mut a, &mut b].into_iter().flatten() {
                rows.iter_mut().for_each(|row| row.drain(..row.len() - 1).for_each(drop));
            }
        }
        if a != b {
            self.differs(format!("{sql}\n    {}", first_difference(&a, &b)));
        }
        rows
    }

    /// A change: both change as many rows, or refuse it for the same reason.
    fn change(&mut self, sql: &str) {
        let (a, b) = self.both(sql);
        self.changes += 1;
        if a != b {
            self.differs(format!("{sql}\n    {}", first_difference(&a, &b)));
        }
    }

    /// Both find their table whole.
    fn check(&mut self) {
        let (a, b) = self.both("CHECK TABLE t EXTENDED");
        let ok = |a: &Answer| {
            a.as_ref().is_ok_and(|(rows, _)| rows.iter().all(|r| r[3] == mysql::Value::from("OK")))
        };
        assert!(ok(&a), "our CHECK TABLE: {a:?}");
        assert!(ok(&b), "MariaDB's CHECK TABLE: {b:?}");
        // Rows lie at the same places: what hangs on those can be compared.
        for sql in ["CHECKSUM TABLE t EXTENDED", "SELECT id FROM t USE INDEX ()"] {
            self.compare(sql, Compared::Scores);
        }
    }

    fn told(&mut self, what: &str, begun: Instant) {
        assert!(self.rows >= self.searches, "{what}: searches find next to nothing");
        println!(
            "{what}: {} searches ({} rows), {} changes, {} differences, {:.0} s (Isambard {:.1} s, MariaDB {:.1} s)",
            self.searches,
            self.rows,
            self.changes,
            self.wrong.len(),
            begun.elapsed().as_secs_f64(),
            self.spent[0].as_secs_f64(),
            self.spent[1].as_secs_f64()
        );
        (self.searches, self.rows, self.changes, self.spent) = (0, 0, 0, [Duration::ZERO; 2]);
    }
}

fn first_difference(a: &Answer, b: &Answer) -> String {
    let (Ok((a, changed)), Ok((b, there))) = (a, b) else { return format!("ours {a:?}, theirs {b:?}") };
    let at = a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    format!(
        "{} and {} rows, {changed} and {there} changed; row {at}: ours {:?}, theirs {:?}",
        a.len(),
        b.len(),
        a.get(at),
        b.get(at)
    )
}

fn create(pair: &mut Pair, collation: &str, file: &Path) {
    let set = collation.split('_').next().unwrap_or(collation);
    let set = if set == "uca1400" { "utf8mb4" } else { set };
    for sql in [
        format!(
            "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, word VARCHAR(200), body MEDIUMTEXT, FULLTEXT KEY both_ (word, body), \
             FULLTEXT KEY body (body)) ENGINE=MyISAM CHARACTER SET {set} COLLATE {collation}"
        ),
        format!("LOAD DATA INFILE '{}' INTO TABLE t CHARACTER SET utf8mb4", file.display()),
    ] {
        let (a, b) = pair.both(&sql);
        assert!(a.is_ok() && a == b, "{sql}: {}", first_difference(&a, &b));
    }
}

/// `myisamchk -e` has nothing to say.
fn myisamchk(datadir: &Path, db: &str, what: &str) {
    let table = datadir.join(db).join("t.MYI");
    let out = Command::new("myisamchk").args(["-e", "--silent"]).arg(&table).output().expect("run myisamchk");
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(said.is_empty() && out.status.success(), "{what}: myisamchk -e: {said}");
}

fn copy(from: &Path, to: &Path) {
    for extension in ["frm", "MYI", "MYD"] {
        let file = format!("t.{extension}");
        std::fs::copy(from.join(&file), to.join(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    }
}

/// Statements of a run.
struct Run<'c> {
    rng: Rng,
    questions: Questions<'c>,
    changes: Changes<'c>,
}

impl Run<'_> {
    fn search(&mut self, pair: &mut Pair, n: usize) {
        let begun = Instant::now();
        for at in 0..n {
            if at > 0 && at % 1000 == 0 {
                eprintln!(
                    "{at} searches, {:.0} s, {} differences",
                    begun.elapsed().as_secs_f64(),
                    pair.wrong.len()
                );
            }
            let (sql, compared) = self.questions.next(&mut self.rng);
            pair.search(&sql, compared);
        }
    }

    /// Changes of all `pairs` alike, each beside the searches of that one.
    fn change(&mut self, pairs: &mut [&mut Pair], n: usize, searches: usize) {
        let every = n.div_ceil(searches.max(1)).max(1);
        let begun = Instant::now();
        for at in 0..n {
            if at > 0 && at % 5000 == 0 {
                eprintln!("{at} changes, {:.0} s", begun.elapsed().as_secs_f64());
            }
            let sql = self.changes.next(&mut self.rng);
            for pair in &mut *pairs {
                pair.change(&sql);
                if at % every == 0 {
                    self.search(pair, 1);
                }
            }
        }
    }
}

/// Each server's table `f.t` goes to the other as `g.t`. Gives the pairs of those that are of the same file.
fn exchange(ours: Peer, theirs: &Peer) -> (Peer, Pair, Pair) {
    let mut ours = ours;
    ours.connect("").query_drop("CREATE DATABASE g").expect("a database");
    let mut conn = theirs.connect("");
    conn.query_drop("CREATE DATABASE g").expect("a database");
    conn.query_drop("FLUSH TABLES").expect("flush");
    let datadir = ours.datadir.clone();
    ours.keep();
    ours.stop();
    myisamchk(&datadir, "f", "written by Isambard");
    myisamchk(&theirs.datadir, "f", "written by MariaDB");
    copy(&datadir.join("f"), &theirs.datadir.join("g"));
    copy(&theirs.datadir.join("f"), &datadir.join("g"));
    let mut ours = Peer::isambard_on(&datadir, &[]);
    ours.keep();
    let mine = Pair::new(ours.connect("f"), theirs.connect("g"));
    let its = Pair::new(ours.connect("g"), theirs.connect("f"));
    (ours, mine, its)
}

#[test]
fn documents_are_found_alike() {
    if !oracle_present() {
        return;
    }
    let folder = scratch("documents");
    let documents = number("ISAMBARD_DOCUMENTS", 4_000, usize::MAX);
    let (searches, changes) =
        (number("ISAMBARD_STATEMENTS", 400, 20_000), number("ISAMBARD_CHANGES", 1_500, 50_000));
    let seed = number("ISAMBARD_SEED", 1, 1) as u64;
    let collation = std::env::var("ISAMBARD_COLLATION").unwrap_or_else(|_| "utf8mb4_general_ci".to_owned());
    let Some(lines) = corpus::unpack(&folder, documents) else { return };
    let file = folder.join("documents.tsv");
    std::fs::write(&file, &lines).expect("write the documents");
    let corpus = Corpus::new(&lines);
    drop(lines);
    let mut run =
        Run { rng: Rng::with_seed(seed), questions: Questions::new(&corpus), changes: Changes::new(&corpus) };
    let mut ours = Peer::isambard(&[]);
    ours.keep();
    let theirs = Peer::mariadb(&["--key-buffer-size=256M", "--myisam-sort-buffer-size=256M"]);
    for peer in [&ours, &theirs] {
        peer.connect("").query_drop("CREATE DATABASE f").expect("a database");
    }
    let mut pair = Pair::new(ours.connect("f"), theirs.connect("f"));
    let begun = Instant::now();
    create(&mut pair, &collation, &file);
    pair.told(&format!("{} documents, {collation}: built", corpus.documents.len()), begun);
    let begun = Instant::now();
    run.search(&mut pair, searches / 2);
    pair.told("built in bulk", begun);
    let begun = Instant::now();
    run.change(&mut [&mut pair], changes, searches / 10);
    pair.told("changed", begun);
    let begun = Instant::now();
    pair.check();
    run.search(&mut pair, searches / 5);
    pair.told("searched again", begun);
    let mut wrong = std::mem::take(&mut pair.wrong);
    drop(pair);
    let begun = Instant::now();
    let (ours, mut mine, mut its) = exchange(ours, &theirs);
    for pair in [&mut mine, &mut its] {
        pair.check();
        run.search(pair, searches / 25);
    }
    run.change(&mut [&mut mine, &mut its], changes / 5, searches / 50);
    for (pair, what) in [(&mut mine, "Isambard's file"), (&mut its, "MariaDB's file")] {
        run.search(pair, searches / 25);
        pair.check();
        pair.told(what, begun);
        wrong.append(&mut pair.wrong);
    }
    drop((mine, its));
    theirs.connect("").query_drop("FLUSH TABLES").expect("flush");
    let datadir = ours.datadir.clone();
    let mut ours = ours;
    ours.stop();
    for db in ["f", "g"] {
        myisamchk(&datadir, db, "written on by Isambard");
        myisamchk(&theirs.datadir, db, "written on by MariaDB");
    }
    assert!(wrong.is_empty(), "{} differences", wrong.len());
    for folder in [folder.as_path(), datadir.parent().expect("a parent")] {
        let _ = std::fs::remove_dir_all(folder);
    }
}
