//! Answers under `durability = commit`: sent by whoever syncs the journal, in order, to those who read them.

mod support;

use std::time::{Duration, Instant};

use mysql::prelude::Queryable;
use server::packet::PacketWriter;
use support::{ALL, RawClient, TestServer};

fn server() -> TestServer {
    let server = TestServer::with(&[("durability", "commit")]);
    server
        .client()
        .query_drop("CREATE DATABASE d; CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, k INT, KEY (k))")
        .expect("table");
    server
}

fn count(server: &TestServer) -> u64 {
    server.client().query_first("SELECT COUNT(*) FROM d.t").expect("count").expect("row")
}

#[test]
fn many_connections_share_the_disk() {
    let server = server();
    std::thread::scope(|scope| {
        for number in 0..16 {
            let mut client = server.client();
            scope.spawn(move || {
                let insert = client.prep("INSERT INTO d.t (k) VALUES (?)").expect("prepared");
                for round in 0..50 {
                    client.exec_drop(&insert, (number * 1000 + round,)).expect("insert");
                    let own = client.last_insert_id();
                    // What was acknowledged is seen, by this connection as by others.
                    let seen: Option<i32> =
                        client.query_first(format!("SELECT k FROM d.t WHERE id = {own}")).expect("select");
                    assert_eq!(seen, Some(number * 1000 + round));
                }
            });
        }
    });
    assert_eq!(count(&server), 800);
}

fn queries(texts: impl Iterator<Item = String>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in texts {
        let mut writer = PacketWriter::new();
        let out = writer.begin();
        out.push(3);
        out.extend_from_slice(text.as_bytes());
        writer.end();
        bytes.extend_from_slice(writer.bytes());
    }
    bytes
}

/// The id in an OK packet.
fn inserted(packet: &[u8]) -> u64 {
    assert_eq!(packet[..2], [0, 1], "{packet:?}");
    match packet[2] {
        0xfc => u64::from(u16::from_le_bytes([packet[3], packet[4]])),
        id => u64::from(id),
    }
}

#[test]
fn clients_that_send_ahead_get_their_answers_in_order() {
    let server = server();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let server = &server;
            scope.spawn(move || {
                let mut client = RawClient::login(server, ALL);
                for ahead in [1, 2, 5, 40] {
                    let texts = (0..ahead)
                        .flat_map(|_| ["INSERT INTO d.t (k) VALUES (1)".to_owned(), "SET @x = 1".to_owned()]);
                    client.stream.send(&queries(texts)).expect("send");
                    let mut last = 0;
                    for number in 0..2 * ahead {
                        client.sequence = 1;
                        let packet = client.read().expect("answer");
                        if number % 2 == 1 {
                            assert_eq!(packet[..3], [0, 0, 0], "{packet:?}");
                            continue;
                        }
                        let id = inserted(&packet);
                        assert!(id > last);
                        last = id;
                    }
                }
            });
        }
    });
    assert_eq!(count(&server), 8 * 48);
}

#[test]
fn who_does_not_read_holds_up_nobody() {
    let server = server();
    const AHEAD: u64 = 3000;
    let RawClient { stream, mut reader, .. } = RawClient::login(&server, ALL);
    std::thread::scope(|scope| {
        let stream = &stream;
        scope.spawn(move || {
            // One by one, so that the server has read all there is each time.
            for _ in 0..AHEAD {
                stream
                    .send(&queries(std::iter::once("INSERT INTO d.t (k) VALUES (2)".to_owned())))
                    .expect("send");
            }
        });
        let others: Vec<_> = (0..4)
            .map(|_| {
                let mut client = server.client();
                scope.spawn(move || {
                    for _ in 0..200 {
                        client.query_drop("INSERT INTO d.t (k) VALUES (3)").expect("insert");
                    }
                })
            })
            .collect();
        let begun = Instant::now();
        while others.iter().any(|other| !other.is_finished()) {
            assert!(begun.elapsed() < Duration::from_secs(60), "held up");
            std::thread::sleep(Duration::from_millis(5));
        }
        let before = count(&server);
        assert!(before < AHEAD + 800, "the client did not fill its socket");
        for _ in 0..AHEAD {
            let packet = reader.read(stream, &mut 1, usize::MAX).expect("answer");
            assert_eq!(packet[..2], [0, 1], "{packet:?}");
        }
    });
    assert_eq!(count(&server), AHEAD + 800);
}
