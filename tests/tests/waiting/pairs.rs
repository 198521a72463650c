//! Sessions side by side, a statement at a time: which waits, as what, and what comes of it, on both servers.

use std::fmt::Write as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use isambard_tests::peers::{Peer, oracle_present};
use mysql::prelude::Queryable;

/// Who has not answered by then may wait.
const WAITS: Duration = Duration::from_millis(400);
/// No statement works for so long.
const WORKS: Duration = Duration::from_secs(5);
/// The longest that a wait goes on which another session's statement has ended.
const FREED: Duration = Duration::from_secs(3);

type Answer = Result<String, u16>;

/// A session with a thread of its own.
struct Session {
    ask: Sender<String>,
    answers: Receiver<Answer>,
    id: u32,
}

impl Session {
    fn new(peer: &Peer) -> Session {
        let mut conn = peer.connect("w");
        conn.query_drop("SET lock_wait_timeout = 20").expect("set");
        let id = conn.connection_id();
        let (ask, asked) = channel::<String>();
        let (answer, answers) = channel();
        std::thread::spawn(move || {
            for sql in asked {
                let rows: Result<Vec<mysql::Row>, _> = conn.query(&sql);
                let found = match rows {
                    Ok(rows) => Ok(rows.iter().map(|r| format!("{:?}", r.clone().unwrap())).collect()),
                    Err(mysql::Error::MySqlError(e)) => Err(e.code),
                    Err(e) => panic!("{sql}: {e}"),
                };
                if answer.send(found).is_err() {
                    return;
                }
            }
        });
        Session { ask, answers, id }
    }
}

/// The answer of a statement, or what the list of processes says it waits for. One that works on, on a busy machine, does not wait.
fn answer_or_state(session: &Session, root: &mut mysql::Conn) -> Result<Answer, String> {
    let begun = Instant::now();
    loop {
        match session.answers.recv_timeout(WAITS) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {}
            Err(e @ RecvTimeoutError::Disconnected) => panic!("{e}"),
        }
        let asked = format!("SELECT STATE FROM information_schema.PROCESSLIST WHERE ID = {}", session.id);
        let state: Option<String> = root.query_first(asked).expect("a state");
        let state = state.unwrap_or_default();
        if state.starts_with("Waiting") || state.starts_with("User") || begun.elapsed() > WORKS {
            return Err(state);
        }
    }
}

/// What one server does: a line for each step; `states`: with what the list of processes shows of those who wait.
fn play(peer: &Peer, steps: &[(char, &str)], states: bool) -> String {
    let mut root = peer.connect("");
    for sql in [
        "DROP DATABASE IF EXISTS w",
        "CREATE DATABASE w",
        "CREATE TABLE w.t (a INT PRIMARY KEY, b INT) ENGINE=MyISAM",
        "INSERT INTO w.t VALUES (1, 1), (2, 2)",
        "CREATE TABLE w.u (a INT PRIMARY KEY, b INT) ENGINE=MyISAM",
        "INSERT INTO w.u VALUES (1, 1)",
    ] {
        root.query_drop(sql).expect("setup");
    }
    let mut sessions: Vec<(char, Session)> = Vec::new();
    let mut waiting: Vec<char> = Vec::new();
    let mut told = String::new();
    for (who, sql) in steps {
        if !sessions.iter().any(|(name, _)| name == who) {
            sessions.push((*who, Session::new(peer)));
        }
        let session = &sessions.iter().find(|(name, _)| name == who).expect("there").1;
        session.ask.send((*sql).to_owned()).expect("a session");
        match answer_or_state(session, &mut root) {
            Ok(answer) => writeln!(told, "{who} {sql}: {answer:?}").expect("a line"),
            Err(state) => {
                waiting.push(*who);
                let state = if states { &state[..] } else { "" };
                writeln!(told, "{who} {sql}: waits {state}").expect("a line");
            }
        }
        // Those whom the statement let go on.
        std::thread::sleep(Duration::from_millis(150));
        freed(&sessions, &mut waiting, Duration::ZERO, &mut told);
    }
    // The others, whose sessions end now.
    sessions.retain(|(name, _)| waiting.contains(name));
    freed(&sessions, &mut waiting, FREED, &mut told);
    for who in waiting {
        writeln!(told, "{who} waits still").expect("a line");
        let session = &sessions.iter().find(|(name, _)| *name == who).expect("there").1;
        let _ = root.query_drop(format!("KILL {}", session.id));
    }
    told
}

fn freed(sessions: &[(char, Session)], waiting: &mut Vec<char>, patience: Duration, told: &mut String) {
    let end = Instant::now() + patience;
    waiting.sort_unstable();
    waiting.retain(|who| {
        let session = &sessions.iter().find(|(name, _)| name == who).expect("there").1;
        match session.answers.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(answer) => {
                writeln!(told, "{who} goes on: {answer:?}").expect("a line");
                false
            }
            Err(_) => true,
        }
    });
}

/// Statements of B that want the whole table, and of A, which has locked it.
const WANT: &[&str] = &[
    "FLUSH TABLES",
    "FLUSH TABLES t",
    "ALTER TABLE t ADD d INT",
    "TRUNCATE TABLE t",
    "OPTIMIZE TABLE t",
    "REPAIR TABLE t",
    "DROP TABLE t",
    "RENAME TABLE t TO t2",
    "CREATE OR REPLACE TABLE t (z INT)",
    "DROP DATABASE w",
];
const HAVE: &[&str] = &[
    "ALTER TABLE t ADD c INT",
    "ALTER TABLE t DISABLE KEYS",
    "ALTER TABLE t COMMENT 'x'",
    "OPTIMIZE TABLE t",
    "REPAIR TABLE t",
    "CHECK TABLE t",
    "TRUNCATE TABLE t",
    "DROP TABLE t",
    "INSERT INTO t (a) VALUES (9)",
];

fn compare(scripts: &[Vec<(char, &str)>], states: bool) {
    if !oracle_present() {
        return;
    }
    let workers = 4;
    let differences: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers)
            .map(|n| {
                scope.spawn(move || {
                    let (oracle, ours) = (Peer::mariadb(&[]), Peer::isambard(&[]));
                    let mut differences = Vec::new();
                    for script in scripts.iter().skip(n).step_by(workers) {
                        let (want, have) = std::thread::scope(|both| {
                            let want = both.spawn(|| play(&oracle, script, states));
                            (play(&ours, script, states), want.join().expect("plays"))
                        });
                        if want != have {
                            differences.push(format!("MariaDB:\n{have}Isambard:\n{want}"));
                        }
                    }
                    differences
                })
            })
            .collect();
        threads.into_iter().flat_map(|t| t.join().expect("compares")).collect()
    });
    assert!(differences.is_empty(), "{} differ\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn who_has_locked_a_table_is_not_kept_from_it_by_those_who_wait_for_it() {
    let mut scripts = Vec::new();
    for want in WANT {
        for have in HAVE {
            scripts.push(vec![
                ('A', "LOCK TABLES t WRITE"),
                ('B', *want),
                ('A', *have),
                ('A', "UNLOCK TABLES"),
            ]);
        }
    }
    compare(&scripts, false);
}

/// Statements of B with a limit of their own, beside a LOCK TABLES of A.
const LIMITED: &[&str] = &[
    "ALTER TABLE t NOWAIT ADD z INT",
    "CREATE INDEX i ON t (b) WAIT 0",
    "DROP INDEX `PRIMARY` ON t NOWAIT",
    "DROP TABLE t NOWAIT",
    "RENAME TABLE t NOWAIT TO t3",
    "TRUNCATE TABLE t NOWAIT",
    "LOCK TABLES t WRITE NOWAIT",
    "OPTIMIZE TABLE t NOWAIT",
    "FLUSH TABLES t NOWAIT",
];

#[test]
fn limits_cycles_and_states_are_those_of_the_oracle() {
    let mut scripts: Vec<Vec<(char, &str)>> = LIMITED
        .iter()
        .flat_map(|limited| {
            ["LOCK TABLES t WRITE", "LOCK TABLES t READ"]
                .map(|lock| vec![('A', lock), ('B', *limited), ('A', "UNLOCK TABLES")])
        })
        .collect();
    scripts.push(vec![
        ('A', "LOCK TABLES t WRITE"),
        ('B', "SELECT * FROM t FOR UPDATE NOWAIT"),
        ('A', "UNLOCK TABLES"),
    ]);
    scripts.push(vec![
        ('A', "FLUSH TABLES WITH READ LOCK"),
        ('B', "TRUNCATE TABLE t NOWAIT"),
        ('A', "UNLOCK TABLES"),
    ]);
    for waits in [
        "INSERT INTO t VALUES (7, 7)",
        "ALTER TABLE t ADD z INT",
        "SELECT * FROM t",
        "LOCK TABLES t READ",
        "DROP TABLE t",
    ] {
        let held = [('A', "SELECT GET_LOCK('x', 1)"), ('B', "LOCK TABLES t WRITE")];
        let (want, get) = (('A', waits), ('B', "SELECT GET_LOCK('x', 9)"));
        scripts.push([held[0], held[1], want, get, ('B', "UNLOCK TABLES")].to_vec());
        scripts.push([held[0], held[1], get, want].to_vec());
    }
    scripts.push(vec![
        ('A', "SELECT GET_LOCK('x', 1)"),
        ('B', "SELECT GET_LOCK('y', 1)"),
        ('A', "SELECT GET_LOCK('y', 9)"),
        ('B', "SELECT GET_LOCK('x', 9)"),
    ]);
    for turn in [[0, 1], [1, 0]] {
        let last = [('A', "INSERT INTO t VALUES (7, 7)"), ('B', "SELECT GET_LOCK('x', 9)")];
        let first = [('A', "SELECT GET_LOCK('x', 1)"), ('B', "FLUSH TABLES WITH READ LOCK")];
        scripts.push([first[0], first[1], last[turn[0]], last[turn[1]]].to_vec());
    }
    scripts.extend([
        // Who waits for one of its tables keeps others from none.
        vec![
            ('A', "LOCK TABLES u WRITE"),
            ('B', "INSERT INTO t SELECT a + 100, b FROM u"),
            ('C', "UPDATE t SET b = b + 1"),
            ('A', "UNLOCK TABLES"),
            ('C', "SELECT * FROM t"),
        ],
        vec![
            ('A', "LOCK TABLES t READ, u WRITE"),
            ('B', "LOCK TABLES u READ, t WRITE"),
            ('A', "UNLOCK TABLES"),
            ('B', "UNLOCK TABLES"),
        ],
        vec![
            ('A', "LOCK TABLES t WRITE"),
            ('B', "SELECT TABLE_NAME, TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'w' ORDER BY 1"),
            ('B', "CHECKSUM TABLE u"),
            ('B', "INSERT INTO t VALUES (7, 7)"),
            ('A', "UNLOCK TABLES"),
        ],
        vec![('A', "SELECT SLEEP(1) FROM t"), ('B', "ALTER TABLE t ADD z INT"), ('C', "SELECT * FROM t")],
        vec![('A', "SELECT SLEEP(2)")],
        // A table of two names is written once.
        vec![
            ('A', "UPDATE t x JOIN t y ON x.a = y.a SET x.b = 5, y.b = 6"),
            ('A', "SELECT * FROM t"),
            ('A', "UPDATE t x JOIN t y ON x.a = y.a + 1 SET x.b = x.b + y.b, y.b = y.b + x.a"),
            ('A', "SELECT * FROM t ORDER BY a"),
        ],
    ]);
    compare(&scripts, true);
}
