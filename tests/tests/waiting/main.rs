//! Nothing waits for ever: who waits for whom, what ends a wait, and a stress of statements that wait for each other.

mod client;
mod composed;
mod killed;
mod pairs;
mod stress;
