//! Commands over a real socket, well-formed and not. What is expected was seen from MariaDB 10.11.

mod support;

use std::time::{Duration, Instant};

use mysql::prelude::Queryable;
use mysql::{Params, Row, Value};
use support::{ALL, RawClient, TestServer, error};

use server::protocol::{capability, command, status};

#[test]
fn clients_see_a_mariadb() {
    let server = TestServer::start();
    let (_, greeting) = RawClient::connect(&server);
    assert!(greeting.version.starts_with("5.5.5-10.11.") && greeting.version.contains("-MariaDB"));
    let mut client = server.client();
    let version: String = client.query_first("SELECT VERSION()").expect("query").expect("row");
    assert_eq!(format!("5.5.5-{version}"), greeting.version);
}

#[test]
fn simple_commands_answer_as_mariadb_does() {
    let server = TestServer::start();
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    assert_eq!(client.command(&[command::PING]), [0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(client.command(&[command::DEBUG]), [0xfe, 0, 0, 2, 0]);
    assert_eq!(client.command(&[command::RESET_CONNECTION]), [0, 0, 0, 2, 0, 0, 0]);
    for option in 0..2 {
        assert_eq!(client.command(&[command::SET_OPTION, option, 0]), [0xfe, 0, 0, 2, 0]);
    }
    assert_eq!(error(&client.command(&[command::SET_OPTION, 5, 0])), 1047);
    assert_eq!(error(&client.command(&[0x77])), 1047);
    assert_eq!(error(&client.command(&[])), 1047);
    let statistics = String::from_utf8(client.command(&[command::STATISTICS])).expect("text");
    assert!(
        statistics.starts_with("Uptime: ") && statistics.contains("Queries per second avg: "),
        "{statistics}"
    );
    assert_eq!(error(&client.command(b"\x02no such database")), 1049);
    assert_eq!(error(&client.command(b"\x03select 1 from")), 1064);
    // Client libraries that count the NUL of their string.
    assert_eq!(client.result_set(b"\x03select 1\0").len(), 5);
    // QUIT has no answer.
    client.sequence = 0;
    client.send(&[command::QUIT]);
    assert!(client.closed());
}

#[test]
fn comments_behind_a_statement_are_one_and_nothing_between_two_is_not() {
    let server = TestServer::start();
    let mut client = server.client();
    let mut ends = |sql: &str| -> (usize, Option<u16>) {
        let mut results = client.query_iter(sql).expect("the first answer");
        let mut count = 0;
        while let Some(mut set) = results.iter() {
            count += 1;
            if let Some(Err(mysql::Error::MySqlError(e))) = set.find(Result::is_err) {
                return (count, Some(e.code));
            }
        }
        (count, None)
    };
    for sql in ["SELECT 1; /* c */", "SELECT 1; # c", "SELECT 1;/*c*/ ;", "SELECT 1; -- c\n"] {
        assert_eq!(ends(sql), (2, None), "{sql}");
    }
    assert_eq!(ends("SELECT 1;"), (1, None));
    assert_eq!(ends("SELECT 1;;SELECT 2").1, Some(1064));
    assert_eq!(ends("SELECT 1;/*c*/;/*d*/").1, Some(1064));
}

#[test]
fn init_db_tells_trackers_the_database() {
    let server = TestServer::start();
    server.client().query_drop("CREATE DATABASE d1").expect("create");
    let mut client = RawClient::login(&server, ALL);
    assert_eq!(client.command(b"\x02d1"), b"\0\0\0\x02\x40\0\0\0\x05\x01\x03\x02d1");
    let mut plain = RawClient::login(&server, ALL & !capability::SESSION_TRACK);
    assert_eq!(plain.command(b"\x02d1"), [0, 0, 0, 2, 0, 0, 0]);
}

#[test]
fn text_result_set_is_byte_for_byte_mariadbs() {
    let server = TestServer::start();
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    let packets = client.result_set(b"\x03select 1");
    assert_eq!(packets[0], [1]);
    assert_eq!(packets[1], b"\x03def\0\0\0\x011\0\x0c\x3f\0\x01\0\0\0\x03\x81\0\0\0\0");
    assert_eq!(packets[2], [0xfe, 0, 0, 2, 0]);
    assert_eq!(packets[3], b"\x011");
    assert_eq!(packets[4], [0xfe, 0, 0, 2, 0]);
    // The same shape again, then in the middle of several results: numbering goes on.
    assert_eq!(client.result_set(b"\x03select 1"), packets);
    let first = client.result_set(b"\x03select 1; select 1");
    assert_eq!(first[4], [0xfe, 0, 0, 0x0a, 0]);
    assert_eq!(client.sequence, 6);
    assert_eq!(client.read().expect("count"), [1]);
    for _ in 0..4 {
        client.read().expect("second result set");
    }
    let mut modern = RawClient::login(&server, ALL);
    modern.command(b"\x03select 1");
    modern.read().expect("definition");
    assert_eq!(modern.read().expect("row"), b"\x011");
    assert_eq!(modern.read().expect("end"), [0xfe, 0, 0, 2, 0, 0, 0]);
}

#[test]
fn names_and_messages_are_sent_in_the_character_set_of_results() {
    let server = TestServer::start();
    server.client().query_drop("CREATE DATABASE d; CREATE TABLE d.`tß` (`cß` int)").expect("table");
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    client.command(b"\x02d");
    client.command(b"\x03SET character_set_results = latin1");
    let select = "\x03select `cß`, 1 as `日ß` from `tß` as `ü`".as_bytes();
    let names = |packets: &[Vec<u8>]| (packets[1].clone(), packets[2].clone());
    let (stored, computed) = names(&client.result_set(select));
    assert!(stored.starts_with(b"\x03def\x01d\x01\xfc\x02t\xdf\x02c\xdf\x02c\xdf\x0c"), "{stored:?}");
    assert!(computed.starts_with(b"\x03def\0\0\0\x02?\xdf\0\x0c"), "{computed:?}");
    let error = client.command("\x03select * from `日ß`".as_bytes());
    assert!(error.ends_with(b"Table 'd.\\65E5\xdf' doesn't exist"), "{error:?}");
    // the same plan for another client, and after a change
    for results in ["utf8mb4", "NULL", "binary"] {
        client.command(format!("\x03SET character_set_results = {results}").as_bytes());
        let (stored, _) = names(&client.result_set(select));
        let expected = "\x03def\x01d\x02ü\x03tß\x03cß\x03cß\x0c";
        assert!(stored.starts_with(expected.as_bytes()), "{results}: {stored:?}");
        let error = client.command("\x03select * from `日ß`".as_bytes());
        assert!(error.ends_with("Table 'd.日ß' doesn't exist".as_bytes()), "{results}: {error:?}");
    }
}

#[test]
fn wrong_sequence_is_told_and_closed() {
    let server = TestServer::start();
    let mut client = RawClient::login(&server, ALL);
    client.sequence = 1;
    client.send(b"\x03select 1");
    client.sequence = 0;
    assert_eq!(error(&client.read().expect("error")), 1156);
    assert!(client.closed());
    server.assert_alive();
}

#[test]
fn prepared_statements_and_their_errors() {
    let server = TestServer::start();
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    let prepared = client.command(b"\x16select ?");
    assert_eq!(prepared[0], 0);
    assert_eq!(prepared[5..9], [1, 0, 1, 0]);
    for _ in 0..4 {
        client.read().expect("definitions");
    }
    let id = &prepared[1..5];
    let send = |rest: &[u8]| [&[command::STMT_EXECUTE], id, &[0, 1, 0, 0, 0], rest].concat();
    // Cut in every place.
    let whole = send(b"\0\x01\xfd\0\x02hi");
    for end in 1..whole.len() {
        assert_eq!(error(&client.command(&whole[..end])), 1835, "{end} bytes");
    }
    let packets = client.result_set(&whole);
    assert_eq!(packets[3], b"\0\0\x02hi");
    // Types are remembered.
    let packets = client.result_set(&send(b"\0\0\x03abc"));
    assert_eq!(packets[3], b"\0\0\x03abc");
    // NULL sits in the bitmap.
    let packets = client.result_set(&send(b"\x01\0"));
    assert_eq!(packets[3], b"\0\x04");
    // Long data replaces the value, for one execution.
    for part in [&b"long "[..], b"data"] {
        client.sequence = 0;
        client.send(&[&[command::STMT_SEND_LONG_DATA], id, &[0, 0], part].concat());
    }
    let packets = client.result_set(&send(b"\0\x01\xfd\0"));
    assert_eq!(packets[3], b"\0\0\x09long data");
    assert_eq!(error(&client.command(&send(b"\0\x01\xfd\0"))), 1835);
    assert_eq!(client.command(&[&[command::STMT_RESET], id].concat())[0], 0);
    // No cursor, no such statement.
    assert_eq!(error(&client.command(&[&[command::STMT_FETCH], id, &[1, 0, 0, 0]].concat())), 1421);
    for request in [&b"\x17\x63\0\0\0\0\x01\0\0\0"[..], b"\x1c\x63\0\0\0\x01\0\0\0", b"\x1a\x63\0\0\0"] {
        assert_eq!(error(&client.command(request)), 1243);
    }
    client.sequence = 0;
    client.send(&[&[command::STMT_CLOSE], id].concat());
    assert_eq!(error(&client.command(&whole)), 1243);
    assert_eq!(error(&client.command(b"\x16select from")), 1064);
}

#[test]
fn cursors_hand_out_rows_in_portions() {
    let server = TestServer::start();
    let mut admin = server.client();
    admin.query_drop("CREATE DATABASE d; CREATE TABLE d.t (a INT)").expect("create");
    admin.query_drop("INSERT INTO d.t VALUES (1),(2),(3)").expect("insert");
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    let prepared = client.command(b"\x16select a from d.t");
    client.read().expect("definition");
    client.read().expect("EOF");
    let id = &prepared[1..5];
    let packets_of = |client: &mut RawClient, request: &[u8]| {
        let mut packets = vec![client.command(request)];
        while packets.last().is_some_and(|p| p[0] != 0xfe && p[0] != 0xff) {
            packets.push(client.read().expect("packet"));
        }
        packets
    };
    let opened = packets_of(&mut client, &[&[command::STMT_EXECUTE], id, &[1, 1, 0, 0, 0]].concat());
    assert_eq!(opened.len(), 3);
    assert_eq!(opened[2][3] & 0x40, 0x40);
    let fetch = [&[command::STMT_FETCH], id, &[2, 0, 0, 0]].concat();
    let two = packets_of(&mut client, &fetch);
    assert_eq!(two[..2], [[0, 0, 1, 0, 0, 0], [0, 0, 2, 0, 0, 0]]);
    assert_eq!(two[2][3] & 0xc0, 0x40);
    let last = packets_of(&mut client, &fetch);
    assert_eq!((&last[0][..], last[1][3] & 0xc0), (&[0, 0, 3, 0, 0, 0][..], 0x80));
    assert_eq!(error(&client.command(&fetch)), 1421);
}

#[test]
fn values_of_all_kinds_go_both_ways() {
    let server = TestServer::start();
    let mut client = server.client();
    client.query_drop("CREATE DATABASE d; USE d").expect("create");
    client
        .query_drop(
            "CREATE TABLE t (id INT PRIMARY KEY, ti TINYINT, su SMALLINT UNSIGNED, mi MEDIUMINT, bi BIGINT UNSIGNED, \
             f FLOAT, d DOUBLE, n DECIMAL(20,4), c CHAR(10), v VARCHAR(50) CHARACTER SET utf8mb4, b BLOB, \
             da DATE, t TIME(3), dt DATETIME(6), y YEAR, z INT(6) ZEROFILL)",
        )
        .expect("create");
    let row = vec![
        Value::Int(1),
        Value::Int(-128),
        Value::UInt(65535),
        Value::Int(-8_388_608),
        Value::UInt(u64::MAX),
        Value::Float(1.5),
        Value::Double(-2.25e100),
        Value::from("12345.6789"),
        Value::from("text"),
        Value::from("größe 日本"),
        Value::Bytes(vec![0, 1, 255]),
        Value::Date(2024, 2, 29, 0, 0, 0, 0),
        Value::Time(true, 1, 10, 59, 58, 500_000),
        Value::Date(2024, 12, 31, 23, 59, 59, 123_456),
        Value::Int(1999),
        Value::Int(42),
    ];
    let marks = vec!["?"; row.len()].join(",");
    client
        .exec_drop(format!("INSERT INTO t VALUES ({marks})"), Params::Positional(row.clone()))
        .expect("insert");
    client.exec_drop("INSERT INTO t (id) VALUES (?)", (2,)).expect("insert");
    let binary: Vec<Row> = client.exec("SELECT * FROM t ORDER BY id", ()).expect("select");
    for (column, value) in row.iter().enumerate() {
        let got: Value = binary[0].get(column).expect("column");
        // The client takes every unsigned number that fits as a signed one.
        let same =
            got == *value || matches!((&got, value), (Value::UInt(a), Value::Int(b)) if *a as i64 == *b);
        let same = same || matches!((&got, value), (Value::Int(a), Value::UInt(b)) if *a as u64 == *b);
        assert!(same, "column {column}: {got:?}, not {value:?}");
        if column > 0 {
            assert_eq!(binary[1].get::<Value, _>(column), Some(Value::NULL));
        }
    }
    let text: Vec<Row> = client.query("SELECT * FROM t ORDER BY id").expect("select");
    let texts: Vec<String> = (0..row.len())
        .filter(|&c| c != 10)
        .map(|c| String::from_utf8(text[0].get::<Vec<u8>, _>(c).expect("text")).expect("UTF-8"))
        .collect();
    assert_eq!(
        texts,
        [
            "1",
            "-128",
            "65535",
            "-8388608",
            "18446744073709551615",
            "1.5",
            "-2.25e100",
            "12345.6789",
            "text",
            "größe 日本",
            "2024-02-29",
            "-34:59:58.500",
            "2024-12-31 23:59:59.123456",
            "1999",
            "000042"
        ]
    );
}

#[test]
fn statements_and_rows_beyond_16_megabytes() {
    let server = TestServer::with(&[("max_allowed_packet", "67108864")]);
    let mut client = server.client();
    for length in [(1 << 24) - 20, (1 << 24) + 5, 40_000_000] {
        let text = "x".repeat(length);
        let got: String = client.query_first(format!("SELECT '{text}'")).expect("query").expect("row");
        assert!(got == text);
        let got: u64 = client.exec_first("SELECT LENGTH(?)", (text.as_bytes(),)).expect("exec").expect("row");
        assert_eq!(got, length as u64);
    }
}

#[test]
fn too_large_statements_are_refused() {
    let server = TestServer::with(&[("max_allowed_packet", "1048576")]);
    let mut client = RawClient::login(&server, ALL);
    let mut request = b"\x03select '".to_vec();
    request.resize(1_200_000, b'a');
    request.push(b'\'');
    assert_eq!(error(&client.command(&request)), 1153);
    assert!(client.closed());
    server.assert_alive();
}

#[test]
fn logins_that_are_none_are_refused() {
    let server = TestServer::start();
    let mut prefix = (ALL | capability::PLUGIN_AUTH_LENENC).to_le_bytes().to_vec();
    prefix.extend_from_slice(&[0; 28]);
    let long_auth = [&prefix[..], b"root\0\xfe\xff\xff\xff\xff\xff\xff\xff\xff"].concat();
    let requests: [&[u8]; 5] = [b"", b"\x8d\xa2", &[0; 31], &[b'a'; 50], &long_auth];
    for request in requests {
        let (mut client, _) = RawClient::connect(&server);
        client.send(request);
        let answer = client.read().expect("answer");
        assert!(matches!(error(&answer), 1043 | 1045), "{request:?}");
        assert!(client.closed());
    }
    // Half-open: gone at any moment of the login.
    let (client, _) = RawClient::connect(&server);
    client.stream.send(&[0x20]).expect("send");
    drop(client);
    let (client, _) = RawClient::connect(&server);
    client.stream.send(&[0x20, 0, 0, 1, 0, 0]).expect("send");
    drop(client);
    drop(RawClient::connect(&server));
    server.assert_alive();
}

#[test]
fn passwords() {
    let server = TestServer::start();
    let mut admin = server.client();
    admin.query_drop("CREATE USER tu@localhost IDENTIFIED BY 'secret'").expect("create");
    let as_user = |password: &str, plugin: &[u8]| {
        let (mut client, greeting) = RawClient::connect(&server);
        (client.log_in(&greeting, ALL, "tu", password, plugin), client, greeting)
    };
    assert_eq!(as_user("secret", b"mysql_native_password").0[0], 0);
    for wrong in ["Secret", ""] {
        let (answer, mut client, _) = as_user(wrong, b"mysql_native_password");
        assert_eq!(error(&answer), 1045);
        let text = String::from_utf8_lossy(&answer[9..]).into_owned();
        let using = if wrong.is_empty() { "NO" } else { "YES" };
        assert_eq!(text, format!("Access denied for user 'tu'@'localhost' (using password: {using})"));
        assert!(client.closed());
    }
    // A client of MySQL 8 answers for another plugin first.
    let (switch, mut client, _) = as_user("secret", b"caching_sha2_password");
    assert!(switch.starts_with(b"\xfemysql_native_password\0"));
    let scramble: [u8; 20] = switch[23..43].try_into().expect("scramble");
    client.send(&server::auth::response(&scramble, b"secret"));
    assert_eq!(client.read().expect("answer")[0], 0);
    assert_eq!(client.command(&[command::PING])[0], 0);
    // COM_CHANGE_USER, with and without a new answer.
    let mut changed = RawClient::login(&server, ALL);
    let switch = changed.command(b"\x11tu\0\x01x\0\x2d\0other\0");
    let scramble: [u8; 20] = switch[23..43].try_into().expect("scramble");
    changed.send(&server::auth::response(&scramble, b"secret"));
    assert_eq!(changed.read().expect("answer")[0], 0);
    assert_eq!(error(&changed.command(b"\x11tu\0\0\0\x2d\0mysql_native_password\0")), 1045);
    // A change that failed leaves the connection as it was.
    assert_eq!(changed.command(&[command::PING])[0], 0);
    // Three failures and no more, whatever lies between them.
    let refused = b"\x11tu\0\0\0\x2d\0mysql_native_password\0";
    assert_eq!(error(&changed.command(refused)), 1045);
    assert_eq!(changed.command(b"\x11root\0\0\0\x2d\0mysql_native_password\0")[0], 0);
    assert_eq!(error(&changed.command(refused)), 1045);
    assert_eq!(error(&changed.command(refused)), 1047);
    assert_eq!(error(&changed.command(b"\x11root\0\0\0\x2d\0mysql_native_password\0")), 1047);
    assert_eq!(changed.command(&[command::PING])[0], 0);
    let unknown = RawClient::connect(&server);
    let (mut client, greeting) = unknown;
    assert_eq!(error(&client.log_in(&greeting, ALL, "nobody", "x", b"mysql_native_password")), 1045);
}

#[test]
fn passwords_of_servers_before_4_1() {
    let server = TestServer::start();
    let mut admin = server.client();
    admin.query_drop("SET GLOBAL secure_auth = 0").expect("set");
    admin.query_drop("CREATE USER tu@localhost IDENTIFIED BY PASSWORD '378b243e220ca493'").expect("create");
    let hash = sql::old_password::hash;
    let proof = |password: &[u8], scramble: &[u8]| {
        let first = *scramble.first_chunk().expect("eight bytes");
        [&sql::old_password::answer(hash(password), first)[..], &[0]].concat()
    };
    let begin = || {
        let (mut client, greeting) = RawClient::connect(&server);
        let asked = client.log_in(&greeting, ALL, "tu", "test", b"mysql_native_password");
        (asked, client, greeting)
    };
    // The client is asked again, for an answer to the first bytes of what it has.
    let (asked, mut client, greeting) = begin();
    assert_eq!(asked, b"\xfe");
    client.send(&proof(b"test", &greeting.scramble));
    assert_eq!(client.read().expect("answer")[0], 0);
    assert_eq!(client.command(&[command::PING])[0], 0);
    for wrong in [proof(b"tset", &greeting.scramble), vec![], vec![0], vec![7; 3]] {
        let (_, mut client, _) = begin();
        client.send(&wrong);
        assert_eq!(error(&client.read().expect("answer")), 1045);
    }
    admin.query_drop("SET GLOBAL secure_auth = 1").expect("set");
    let (refused, _, _) = begin();
    assert_eq!(error(&refused), 1275);
    assert_eq!(
        String::from_utf8_lossy(&refused[9..]),
        "Server is running in --secure-auth mode, but 'tu'@'localhost' has a password in the old format; please change the password to the new format"
    );
}

#[test]
fn kill_ends_statements_and_idle_connections() {
    let server = TestServer::start();
    let mut admin = server.client();
    let mut idle = server.client();
    admin.query_drop(format!("KILL {}", idle.connection_id())).expect("kill");
    assert!(idle.query_drop("SELECT 1").is_err());
    let mut busy = server.client();
    let id = busy.connection_id();
    let begun = Instant::now();
    let sleeper = std::thread::spawn(move || busy.query_first::<i64, _>("SELECT SLEEP(30)").map(|_| busy));
    std::thread::sleep(Duration::from_millis(200));
    admin.query_drop(format!("KILL QUERY {id}")).expect("kill query");
    // SLEEP gives 1 when it is interrupted, and the connection lives on.
    if let Ok(mut busy) = sleeper.join().expect("thread") {
        assert_eq!(busy.query_first::<i64, _>("SELECT 7").expect("query"), Some(7));
    }
    let mut busy = server.client();
    let id = busy.connection_id();
    let sleeper = std::thread::spawn(move || busy.query_first::<i64, _>("SELECT SLEEP(30)").is_err());
    std::thread::sleep(Duration::from_millis(200));
    admin.query_drop(format!("KILL {id}")).expect("kill");
    assert!(sleeper.join().expect("thread"));
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(admin.query_drop("KILL 999999").is_err());
    server.assert_alive();
}

#[test]
fn connections_have_a_limit() {
    let server = TestServer::with(&[("max_connections", "10")]);
    let clients: Vec<_> = (0..10).map(|_| server.client()).collect();
    // One more is kept for root.
    let reserved = server.client();
    match mysql::Conn::new(server.options()) {
        Err(mysql::Error::MySqlError(error)) => assert_eq!(error.code, 1040),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("connected"),
    }
    drop((clients, reserved));
    // Their threads end a moment later.
    std::thread::sleep(Duration::from_millis(200));
    server.assert_alive();
}

#[test]
fn idle_connections_time_out() {
    let server = TestServer::start();
    let mut client = RawClient::login(&server, ALL & !capability::INTERACTIVE);
    client.command(b"\x03set session wait_timeout = 1");
    let begun = Instant::now();
    assert!(client.closed());
    assert!((Duration::from_millis(800)..Duration::from_secs(5)).contains(&begun.elapsed()));
}

#[test]
fn local_files_are_asked_of_the_client() {
    let server = TestServer::start();
    let mut client = server.client();
    client.query_drop("CREATE DATABASE d; USE d; CREATE TABLE t (a INT, b VARCHAR(20))").expect("create");
    let mut file = RawClient::login(&server, ALL);
    let asked = file.command(b"\x03load data local infile 'my file' into table d.t");
    assert_eq!(asked, b"\xfbmy file");
    file.send(b"1\tone\n2\t");
    file.send(b"two\n");
    file.send(b"");
    let answer = file.read().expect("answer");
    assert_eq!(answer[..2], [0, 2]);
    assert!(String::from_utf8_lossy(&answer).contains("Records: 2  Deleted: 0  Skipped: 0  Warnings: 0"));
    let rows: Vec<(i64, String)> = client.query("SELECT a, b FROM t ORDER BY a").expect("select");
    assert_eq!(rows, [(1, "one".into()), (2, "two".into())]);
    // An error before the end of the file: the rest is read and dropped.
    client.query_drop("CREATE TABLE u (a INT PRIMARY KEY)").expect("create");
    let mut client = RawClient::login(&server, ALL);
    assert_eq!(error(&client.command(b"\x03load data local infile 'x' into table d.none")), 1146);
    assert_eq!(client.command(&[command::PING])[0], 0);
}

/// The ends of results of CALL say that more follow, those behind column definitions too: clients look at either.
#[test]
fn results_of_call_tell_that_more_follow() {
    let server = TestServer::start();
    let mut admin = server.client();
    admin
        .query_drop("CREATE DATABASE d; CREATE PROCEDURE d.p (OUT x INT) BEGIN SELECT 1; SET x = 4; END")
        .expect("create");
    let flags = |packet: &[u8]| u16::from_le_bytes([packet[3], packet[4]]) & !status::AUTOCOMMIT;
    let out_of_call = status::MORE_RESULTS | status::PS_OUT_PARAMS;
    for multi in [capability::PS_MULTI_RESULTS, 0] {
        let plain = ALL & !capability::DEPRECATE_EOF & !capability::PS_MULTI_RESULTS;
        let mut client = RawClient::login(&server, plain | multi);
        for text in [&b"\x03call d.p(@x)"[..], b"\x03execute immediate 'call d.p(@x)'"] {
            let packets = client.result_set(text);
            assert_eq!([flags(&packets[2]), flags(&packets[4])], [status::MORE_RESULTS; 2]);
            assert_eq!(flags(&client.read().expect("the end of CALL")), 0);
        }
        client.command(b"\x16call d.p(?)");
        for _ in 0..2 {
            client.read().expect("definitions");
        }
        let execute = b"\x17\xff\xff\xff\xff\0\x01\0\0\0\x01\x01\x06\0";
        let packets = client.result_set(execute);
        assert_eq!([flags(&packets[2]), flags(&packets[4])], [status::MORE_RESULTS; 2]);
        if multi != 0 {
            assert_eq!(client.read().expect("count"), [1]);
            client.read().expect("definition");
            assert_eq!(flags(&client.read().expect("end of definitions")), out_of_call);
            assert_eq!(client.read().expect("row"), [0, 0, 4, 0, 0, 0]);
            assert_eq!(flags(&client.read().expect("end of rows")), out_of_call);
        }
        assert_eq!(flags(&client.read().expect("the end of CALL")), 0);
    }
}

/// The columns of a merged view are its own to clients; rows of a view that were made first tell the table below.
#[test]
fn where_columns_of_views_come_from() {
    let server = TestServer::start();
    let mut client = server.client();
    client
        .query_drop(
            "CREATE DATABASE d; USE d; CREATE TABLE t (a INT, c VARCHAR(5)); INSERT INTO t VALUES (1, 'x'), (2, 'y');
             CREATE VIEW v AS SELECT a AS x, UPPER(c) AS u FROM t;
             CREATE ALGORITHM=TEMPTABLE VIEW m AS SELECT a, c FROM t",
        )
        .expect("create");
    let mut columns = |sql: &str| -> Vec<[String; 4]> {
        let result = client.query_iter(sql).expect("query");
        let of = |c: &mysql::Column| {
            [c.schema_str(), c.table_str(), c.org_table_str(), c.org_name_str()].map(|s| s.into_owned())
        };
        result.columns().as_ref().iter().map(of).collect()
    };
    assert_eq!(columns("SELECT * FROM v ORDER BY x"), [["d", "v", "v", "x"], ["", "v", "v", "u"]]);
    assert_eq!(columns("SELECT q.x FROM v q JOIN t ON x = a"), [["d", "q", "q", "x"]]);
    assert_eq!(columns("SELECT a FROM m"), [["", "m", "t", "a"]]);
}

/// What shows the warnings of the statement before does so prepared, too.
#[test]
fn prepared_show_warnings() {
    let server = TestServer::start();
    let mut admin = server.client();
    admin.query_drop("CREATE DATABASE d; CREATE TABLE d.t (a TINYINT)").expect("create");
    admin.query_drop("INSERT IGNORE INTO d.t VALUES (1000)").expect("insert");
    for _ in 0..2 {
        let rows: Vec<(String, u16, String)> = admin.exec("SHOW WARNINGS", ()).expect("show");
        assert_eq!(rows, [("Warning".into(), 1264, "Out of range value for column 'a' at row 1".into())]);
    }
}

#[test]
fn bulk_execution_runs_every_set() {
    let server = TestServer::start();
    let mut admin = server.client();
    admin.query_drop("CREATE DATABASE d; CREATE TABLE d.t (a INT, b VARCHAR(5))").expect("create");
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    client.command(b"\x16insert into d.t values (?, ?)");
    for _ in 0..3 {
        client.read().expect("definitions");
    }
    let sets = [&b"\0\x01\0\0\0\0\x01a"[..], b"\0\x02\0\0\0\x01"].concat();
    let request = [&[0xfa, 0xff, 0xff, 0xff, 0xff, 0x80, 0, 3, 0, 0xfd, 0][..], &sets].concat();
    assert_eq!(client.command(&request)[..2], [0, 2]);
    let rows: Vec<(i64, Option<String>)> = admin.query("SELECT a, b FROM d.t ORDER BY a").expect("select");
    assert_eq!(rows, [(1, Some("a".into())), (2, None)]);
    // RETURNING: one result set has the rows of all sets
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    client.command(b"\x16insert into d.t values (?, ?) returning a");
    for _ in 0..5 {
        client.read().expect("definitions");
    }
    assert_eq!(client.command(&request), [1]);
    for _ in 0..2 {
        client.read().expect("the definition and its end");
    }
    assert_eq!(client.read().expect("a row"), [0, 0, 1, 0, 0, 0]);
    assert_eq!(client.read().expect("a row"), [0, 0, 2, 0, 0, 0]);
    assert_eq!(client.read().expect("the end")[0], 0xfe);
    // rows that are only read, and results of several shapes, are not for bulks
    admin
        .query_drop("CREATE PROCEDURE d.p (x INT, y VARCHAR(5)) BEGIN SELECT x; SELECT x, y; END")
        .expect("create");
    for sql in [&b"\x16select ?, ?"[..], b"\x16call d.p(?, ?)"] {
        let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
        assert_eq!(client.command(sql)[0], 0);
        let packets = if sql.starts_with(b"\x16select") { 6 } else { 3 };
        for _ in 0..packets {
            client.read().expect("definitions");
        }
        assert_eq!(error(&client.command(&request)), 1295);
    }
}

/// Garbage after the login, in every command: an answer or a closed connection, and the server goes on.
#[test]
fn garbage_does_no_harm() {
    let server = TestServer::start();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let rounds = if std::env::var_os("ISAMBARD_SOAK").is_some() { 20_000 } else { 300 };
    for _ in 0..rounds {
        let mut client = RawClient::login(&server, ALL);
        for _ in 0..8 {
            let length = (random() % 40) as usize;
            let mut payload: Vec<u8> = (0..length).map(|_| random() as u8).collect();
            if let Some(first) = payload.first_mut() {
                // Known commands mostly; none that waits for more from us.
                *first = (random() % 0x20) as u8;
                if *first == command::CHANGE_USER {
                    *first = command::PING;
                }
            }
            let mut packet = vec![length as u8, 0, 0, 0];
            packet.extend_from_slice(&payload);
            // The server may have closed already.
            let _ = client.stream.send(&packet);
        }
        client.stream.shutdown(std::net::Shutdown::Write);
        while client.reader.read(&client.stream, &mut client.sequence, usize::MAX).is_ok() {
            client.sequence = client.reader.buffered().get(3).copied().unwrap_or(0);
        }
    }
    server.assert_alive();
}

/// Statements nested without end: an error or an answer, never the end of the stack, which would end the process.
#[test]
fn nesting_is_bounded() {
    let server = TestServer::start();
    let mut client = RawClient::login(&server, ALL & !capability::DEPRECATE_EOF);
    for depth in [190, 2_000, 50_000] {
        for (open, core, close) in [
            ("(", "1", ")"),
            ("1+", "1", ""),
            ("not ", "1", ""),
            ("abs(", "1", ")"),
            ("case when 1 then ", "1", " end"),
            ("(select ", "1", ")"),
            ("1 in (select 1 where ", "1", ")"),
            ("@a:=", "1", ""),
        ] {
            let sql = format!("\x03select {}{core}{}", open.repeat(depth), close.repeat(depth));
            let packets = client.result_set(sql.as_bytes());
            let last = packets.last().expect("answer");
            assert!(depth < 1000 || last[0] == 0xff, "{open} {depth} times: {last:?}");
        }
    }
    server.assert_alive();
}

#[test]
fn stop_ends_everybody() {
    let server = TestServer::start();
    let mut idle = server.client();
    let mut busy = server.client();
    // The rows are asked for: what follows the columns may be the error, sent before the socket is closed.
    let sleeper = std::thread::spawn(move || busy.query::<u64, _>("SELECT SLEEP(30)").is_err());
    std::thread::sleep(Duration::from_millis(100));
    let begun = Instant::now();
    let socket = server.socket.clone();
    drop(server);
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(idle.query_drop("SELECT 1").is_err());
    assert!(sleeper.join().expect("thread"));
    assert!(!socket.exists());
}

#[test]
fn what_users_have_used() {
    let server = TestServer::start();
    let mut admin = server.client();
    admin.query_drop("CREATE USER tu@localhost IDENTIFIED BY 'secret'").expect("create");
    admin.query_drop("SET GLOBAL userstat = 1").expect("set");
    let (mut client, greeting) = RawClient::connect(&server);
    assert_eq!(client.log_in(&greeting, ALL, "tu", "secret", b"mysql_native_password")[0], 0);
    client.command(b"\x03select 1");
    for _ in 0..3 {
        // the column, the row, the end
        client.read().expect("the rest of the answer");
    }
    client.sequence = 0;
    client.send(b"\x01");
    assert!(client.closed());
    let (mut refused, greeting) = RawClient::connect(&server);
    assert_eq!(error(&refused.log_in(&greeting, ALL, "tu", "wrong", b"mysql_native_password")), 1045);
    let ask = "SELECT CONCAT_WS(' ', TOTAL_CONNECTIONS, CONCURRENT_CONNECTIONS, BYTES_RECEIVED, ROWS_SENT, SELECT_COMMANDS, \
        OTHER_COMMANDS, DENIED_CONNECTIONS) FROM information_schema.user_statistics WHERE user = 'tu'";
    // The connection is gone some time after its last word.
    let mut found = String::new();
    for _ in 0..200 {
        found = admin.query_first(ask).expect("ask").unwrap_or_default();
        if found.starts_with("1 0 ") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(found, "1 0 18 1 1 0 1");
    let clients: Option<u64> = admin
        .query_first(
            "SELECT TOTAL_CONNECTIONS FROM information_schema.client_statistics WHERE client = 'localhost'",
        )
        .expect("ask");
    assert!(clients.is_some_and(|n| n >= 2), "{clients:?}");
    admin.query_drop("FLUSH USER_STATISTICS").expect("flush");
    let left: Option<String> = admin.query_first(ask).expect("ask");
    assert_eq!(left, None);
    admin.query_drop("SET GLOBAL userstat = 0").expect("set");
}
