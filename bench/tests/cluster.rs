//! Two shards of Isambard behind a Spider front, small: answers are those of one server, nothing acknowledged is lost to kills, and a
//! third shard takes its part. `cargo xtask cluster` is the large one.

use std::time::Duration;

use bench::cluster::tables::{self, COUNTERS, GROUPS, NOTES, SYSBENCH};
use bench::cluster::{Cluster, Engine, Shard, ask, proof, rows};
use isambard_tests::peers::{isambard_binary, oracle_present, scratch};

/// Whether MariaDB has the engine; prints a notice when it has not.
fn spider_present() -> bool {
    let folders = ["/usr/lib/mysql/plugin", "/usr/lib64/mysql/plugin"];
    let here = folders.iter().any(|f| std::path::Path::new(f).join("ha_spider.so").exists());
    if !here {
        eprintln!(
            "NOTICE: mariadb-plugin-spider is not installed, no cluster was made (cargo xtask test installs it)"
        );
    }
    here
}

#[test]
fn shards_answer_as_one_server_survive_kills_and_grow() {
    if !oracle_present() || !spider_present() {
        return;
    }
    let (folder, binary) = (scratch("cluster"), isambard_binary());
    let mut cluster = Cluster::start(Engine::Isambard, &binary, &folder, 2).expect("a cluster");
    let mut front = cluster.connect().expect("the front");
    for table in [SYSBENCH, GROUPS] {
        table.create(&mut front, &cluster.shards, table.name).expect("tables");
    }
    tables::load(&cluster, 2000, 2).expect("rows");
    for shard in &cluster.shards {
        let sql = format!("SELECT COUNT(*) FROM {}.{}", tables::DATABASE, SYSBENCH.name);
        let found = rows(&mut shard.connect().expect("a shard"), &sql).expect("an answer");
        assert_eq!(found, ["1000"], "{}", shard.name);
    }
    for table in [SYSBENCH, GROUPS] {
        table.copy_to_front(&mut front).expect("copies");
    }
    tables::compare(&mut front).expect("the answers of one server");

    let outcome = proof::kill_under_load(&mut cluster, 3, 2, Duration::from_millis(400)).expect("a proof");
    assert_eq!((outcome.lost, outcome.damaged, outcome.wrong_counters), (0, 0, 0), "{outcome:?}");
    assert!(outcome.acknowledged > 10, "{outcome:?}");
    // what this session of the front has kept of connections to shards died with them
    let mut front = cluster.connect().expect("the front");

    let third = Shard::start(Engine::Isambard, &binary, &folder, 3).expect("a third shard");
    cluster.introduce(&mut front, &third).expect("a known shard");
    cluster.shards.push(third);
    for table in [SYSBENCH, GROUPS, NOTES, COUNTERS] {
        table.spread(&mut front, &cluster.shards).expect("a part for each");
    }
    tables::compare(&mut front).expect("the answers of one server, still");
    ask(&mut front, &format!("UPDATE {}.{} SET n = -1", tables::DATABASE, COUNTERS.name)).expect("a change");
    let sql = format!("SELECT MIN(n), MAX(n), COUNT(*) FROM {}.{}", tables::DATABASE, COUNTERS.name);
    assert_eq!(rows(&mut front, &sql).expect("an answer"), ["-1 -1 3"]);
    drop((front, cluster));
    std::fs::remove_dir_all(folder).expect("nothing in use");
}
