//! What a session keeps of statements: prepared ones, shapes it has met, and their plans.

use std::collections::HashMap;
use std::sync::Arc;

use super::select::KeptPlan;
use crate::ast::Statement;
use crate::plan::change::BoundChange;
use crate::shape::Shape;
use crate::types::{Class, Value};

/// What is kept of a prepared statement.
pub(crate) struct PreparedStatement {
    pub(crate) text: Arc<[u8]>,
    /// The text as others may see it.
    pub(crate) shown: Arc<[u8]>,
    pub(crate) statement: Arc<Statement>,
    /// The database that was the current one: its names mean the tables there, whatever is current later.
    pub(crate) db: Option<Arc<str>>,
    pub(crate) params: u32,
    pub(crate) plan: Option<(KeptPlan, Vec<Form>)>,
    pub(crate) change: Option<KeptChange>,
}

/// What of a parameter a plan depends on: its class, and whether it is text of other characters than ASCII.
pub(crate) type Form = (Class, bool);

/// See [`Form`].
pub(crate) fn form(v: &Value) -> Form {
    (v.class(), matches!(v, Value::Bytes(b) if !b.is_ascii()))
}

/// A bound statement, and what must be as it was for it to serve again.
pub(crate) struct KeptChange {
    pub(crate) bound: BoundChange,
    pub(crate) classes: Vec<Form>,
    pub(crate) settings: u64,
    /// The rights it was bound with.
    pub(crate) rights: u64,
}

/// A statement by its shape.
pub(crate) struct Entry {
    pub(crate) key: Box<[u8]>,
    pub(crate) db: Option<Arc<str>>,
    /// The settings it was parsed with.
    pub(crate) settings: u64,
    pub(crate) statement: Arc<Statement>,
    pub(crate) text: Arc<[u8]>,
    pub(crate) plan: Option<(KeptPlan, Vec<Form>)>,
    pub(crate) change: Option<KeptChange>,
}

/// The shapes a connection has met.
#[derive(Default)]
pub(crate) struct Shapes {
    pub(crate) shape: Shape,
    pub(crate) entries: HashMap<u64, Entry>,
    pub(crate) scratch: Vec<u8>,
}

impl Shapes {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}
