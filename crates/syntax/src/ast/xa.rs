//! Transactions of an outside coordinator (XA).

/// What a coordinator calls a branch of its transaction. Two are the same when their parts are: the format only stands
/// beside them.
#[derive(Clone, Debug)]
pub struct Xid {
    /// The format's number, 0 to 2147483647; 1 when none is written.
    pub format: u32,
    /// The global part, at most 64 bytes.
    pub global: Box<[u8]>,
    /// The part of the branch, at most 64 bytes.
    pub branch: Box<[u8]>,
}

impl PartialEq for Xid {
    fn eq(&self, other: &Self) -> bool {
        (&self.global, &self.branch) == (&other.global, &other.branch)
    }
}

impl Eq for Xid {}

impl std::hash::Hash for Xid {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.global, &self.branch).hash(state);
    }
}

/// An XA statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Xa {
    /// XA {START | BEGIN} xid [JOIN | RESUME].
    Start(Xid, XaStart),
    /// XA END xid; whether with SUSPEND [FOR MIGRATE].
    End(Xid, bool),
    /// XA PREPARE xid.
    Prepare(Xid),
    /// XA COMMIT xid; whether with ONE PHASE.
    Commit(Xid, bool),
    /// XA ROLLBACK xid.
    Rollback(Xid),
    /// XA RECOVER [FORMAT = {RAW | SQL}]; whether as SQL.
    Recover(bool),
}

/// How XA START takes up a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XaStart {
    /// A new one.
    New,
    /// JOIN.
    Join,
    /// RESUME.
    Resume,
}
