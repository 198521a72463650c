//! sysbench's OLTP scripts on several servers side by side.
fn main() {}
