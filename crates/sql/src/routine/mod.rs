//! Stored procedures and functions: their bodies as programs, where they are kept, and how they run.
//!
//! `parse::routine` reads a body into a [`Program`](crate::ast::program::Program); [`store`] keeps the routines of
//! `mysql.proc`, [`define`] changes them, [`text`] prints them. [`call`] runs one: [`run`] goes from instruction to
//! instruction, [`function`] is a function in an expression, [`condition`] is about SIGNAL, GET DIAGNOSTICS and handlers, [`cursor`] about cursors, [`locals`] about
//! the types of variables, [`rows`] about ROW variables, [`aggregate`] about aggregate functions, [`frame`] is what a call has and what a session keeps. [`event`] runs bodies by the clock.

mod aggregate;
pub(crate) mod call;
pub(crate) mod condition;
pub(crate) mod cursor;
pub(crate) mod define;
pub(crate) mod event;
pub(crate) mod frame;
pub(crate) mod function;
pub(crate) mod locals;
pub(crate) mod prelock;
mod rows;
mod run;
pub(crate) mod store;
pub(crate) mod text;
mod trigger;
pub(crate) mod uses;
