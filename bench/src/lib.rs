//! Measurements of Isambard beside other systems.
//!
//! | module | subject |
//! |---|---|
//! | [`ceiling`] | a server that does no work but answer: what the protocol, the kernel and the load generator leave |
//! | [`process`] | servers started and watched: CPU time and memory from /proc |
//! | [`recovery`] | a journal filled, read and recovered |
//! | [`sysbench`] | the load generator's scripts and its report |
//! | [`report`] | medians, ratios, markdown |

pub mod ceiling;
pub mod process;
pub mod recovery;
pub mod report;
pub mod sysbench;
