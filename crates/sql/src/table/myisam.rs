//! What is MyISAM's alone: its files, and the statements that look after them (CHECK, REPAIR, OPTIMIZE, bulk loads).

pub use isam::fulltext::set_rules as set_word_rules;
pub use isam::maintain::check::is_data_sound;
pub use isam::maintain::index_file::{Target, write_index};
pub use isam::maintain::repair::{Copied, CopyMode, CopyOptions, Note, NoteKind, copy_rows, look_over};
pub use isam::maintain::salvage::RawData;
pub use isam::maintain::{Check, CheckOptions, Complete, Depth, Severity, check};
pub use isam::myi::{Header, NIL, StateMut, changed};
pub use isam::row::checksum::checksum_extended;
pub use isam::row::view::trim_spaces;
pub use isam::table::{Emptying, base_path};
pub use isam::{CrashMarks, CreateSettings, ManyRows, SortSettings, StatsMethod};
