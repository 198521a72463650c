//! What a table is, whatever engine keeps its rows: its definition, the layout of its record, and how both are written
//! down in `.frm`, `db.opt`, file names and SHOW CREATE TABLE. See docs/ARCHITECTURE.md.

pub mod clock;
pub mod db_opt;
pub mod definition;
mod expression;
pub mod file_name;
pub mod frm;
pub mod layout;
pub mod mrg;
pub mod par;
mod record;
pub mod show_create;
pub mod trg;
pub mod wkb;
