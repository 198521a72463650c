//! Measurements of Isambard beside other systems.
//!
//! | module | subject |
//! |---|---|
//! | [`ceiling`] | a server that does no work but answer: what the protocol, the kernel and the load generator leave |
//! | [`cluster`] | several servers as shards behind MariaDB's Spider: load, kills, backup, a shard more |
//! | [`fulltext`] | documents, words, and servers that are asked for them |
//! | [`options`] | what every measurement beside other servers is told |
//! | [`process`] | servers started and watched: CPU time and memory from /proc |
//! | [`recovery`] | a journal filled, read and recovered |
//! | [`sysbench`] | the load generator's scripts and its report |
//! | [`report`] | medians, ratios, markdown |
//! | [`reports`] | the five field reports, measured, and the page that shows them |
//! | [`tpch`] | tables and questions of TPC-H, and a star join |

pub mod ceiling;
pub mod cluster;
pub mod fulltext;
pub mod options;
pub mod process;
pub mod recovery;
pub mod report;
pub mod reports;
pub mod sysbench;
pub mod tpch;
