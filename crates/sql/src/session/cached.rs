//! What a session keeps of statements: prepared ones, fingerprints it has met, and their plans.

use std::collections::HashMap;
use std::sync::Arc;

use super::params::ParamTypes;
use super::select::CachedPlan;
use crate::ast::Statement;
use crate::fingerprint::Fingerprint;
use crate::plan::change::BoundChange;
use crate::plan::handler::HandlerPlan;
use crate::table::OpenTable;

/// What is kept of a prepared statement.
pub(crate) struct PreparedStatement {
    pub(crate) text: Arc<[u8]>,
    /// The text as others may see it.
    pub(crate) shown: Arc<[u8]>,
    pub(crate) statement: Arc<Statement>,
    /// The database that was the current one: its names mean the tables there, whatever is current later.
    pub(crate) db: Option<Arc<str>>,
    pub(crate) params: u32,
    pub(crate) plan: Option<(CachedPlan, ParamTypes)>,
    pub(crate) change: Option<CachedDml>,
    /// HANDLER ... READ.
    pub(crate) read: Option<KeptRead>,
    /// What its names meant, of one that PREPARE made.
    pub(crate) meant: Vec<(crate::ast::TableName, Meaning)>,
}

/// A bound statement, and what must be as it was for it to serve again.
pub(crate) struct CachedDml {
    pub(crate) bound: BoundChange,
    pub(crate) params: ParamTypes,
    pub(crate) settings: u64,
    /// The rights it was bound with.
    pub(crate) rights: u64,
}

/// A bound HANDLER ... READ, and what must be as it was for it to serve again.
pub(crate) struct KeptRead {
    pub(crate) plan: Arc<HandlerPlan>,
    pub(crate) params: ParamTypes,
    pub(crate) settings: u64,
    /// The rights it was bound with.
    pub(crate) rights: u64,
}

/// A statement by its fingerprint.
pub(crate) struct Entry {
    pub(crate) key: Box<[u8]>,
    pub(crate) db: Option<Arc<str>>,
    /// The settings it was parsed with.
    pub(crate) settings: u64,
    pub(crate) statement: Arc<Statement>,
    pub(crate) text: Arc<[u8]>,
    pub(crate) plan: Option<(CachedPlan, ParamTypes)>,
    pub(crate) change: Option<CachedDml>,
    pub(crate) read: Option<KeptRead>,
}

/// The fingerprints a connection has met.
#[derive(Default)]
pub(crate) struct FingerprintCache {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) entries: HashMap<u64, Entry>,
    pub(crate) scratch: Vec<u8>,
}

impl FingerprintCache {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

/// What a name in a statement means.
#[derive(PartialEq)]
pub(crate) enum Meaning {
    Nothing,
    /// The number that each definition gets, whether the table is a TEMPORARY one, and what its triggers are.
    Table([u8; 16], bool, Vec<(u64, Vec<u8>)>),
    /// When the view was made, and its query.
    View(String, Vec<u8>),
}

impl Meaning {
    /// That of a table's name.
    pub(crate) fn of(table: &OpenTable) -> Meaning {
        let triggers = table.triggers.iter().flat_map(|t| &t.list);
        let triggers = triggers.map(|t| (t.def.created, t.def.statement.clone())).collect();
        Meaning::Table(table.def().uuid, table.temporary, triggers)
    }
}
