//! XA: branches of transactions that an outside coordinator commits.
//!
//! MyISAM tables have no transactions: what a branch changes is there at once, and no rollback takes it away (1196 tells
//! so). What is kept is the order of statements that a coordinator relies on, as MariaDB keeps it with such tables.
//! Branches live in memory: a prepared one whose connection ended can only be told rolled back, and none outlives the
//! server.

use crate::ast::tables::{any_select, names_table};
use crate::ast::{Query, SetItem, Show, Statement, TableName, Xa, XaStart, Xid};
use crate::error::{SqlError, SqlResult, codes};
use crate::locks::branches::{Branch, Place, State, invalid, no_branch, unknown};
use crate::names::INFORMATION_SCHEMA;
use crate::result::{Done, ResultSink};
use crate::session::Session;
use crate::show::rows::{Rows, big, s, text};
use crate::types::{FieldType, Value};

impl Session {
    /// Runs an XA statement.
    ///
    /// # Errors
    /// 1397 to 1400, 1402, 1440.
    pub(super) fn xa(&mut self, statement: &Xa, sink: &mut dyn ResultSink) -> SqlResult<Done> {
        match statement {
            Xa::Start(xid, how) => self.xa_start(xid, *how)?,
            Xa::End(xid, suspend) => {
                if *suspend {
                    return Err(invalid());
                }
                let branch = self.xa.as_mut().ok_or_else(no_branch)?;
                branch.must_be(xid, State::Active)?;
                branch.state = State::Idle;
            }
            Xa::Prepare(xid) => {
                let branch = self.xa.as_mut().ok_or_else(no_branch)?;
                branch.must_be(xid, State::Idle)?;
                branch.state = State::Prepared;
                self.engine.xa.list.lock().insert(xid.clone(), Place::Prepared);
            }
            Xa::Commit(xid, one_phase) => {
                let Some(branch) = self.xa.as_ref().filter(|b| b.xid == *xid) else {
                    return self.end_left(xid);
                };
                match (branch.state, one_phase) {
                    (State::Idle, true) | (State::Prepared, false) => self.leave_branch(),
                    (State::Prepared, true) => return Err(invalid()),
                    _ => return Err(branch.busy()),
                }
            }
            Xa::Rollback(xid) => {
                let Some(branch) = self.xa.as_ref().filter(|b| b.xid == *xid) else {
                    return self.end_left(xid);
                };
                if branch.state == State::Active {
                    return Err(branch.busy());
                }
                self.warn_not_rolled_back();
                self.leave_branch();
            }
            Xa::Recover(sql) => return self.xa_recover(*sql, sink),
        }
        Ok(Done::default())
    }

    fn xa_start(&mut self, xid: &Xid, how: XaStart) -> SqlResult<()> {
        if let Some(branch) = self.xa.as_mut().filter(|b| how == XaStart::Resume && b.state == State::Idle) {
            branch.must_be(xid, State::Idle)?;
            branch.state = State::Active;
            return Ok(());
        }
        if how != XaStart::New || xid.global.is_empty() {
            return Err(invalid());
        }
        if let Some(branch) = &self.xa {
            return Err(branch.busy());
        }
        // functions and triggers are within a statement
        if self.child || self.transaction.open || self.locks.active {
            return Err(SqlError::new(codes::ER_XAER_OUTSIDE, &[]));
        }
        match self.engine.xa.list.lock().entry(xid.clone()) {
            std::collections::hash_map::Entry::Occupied(_) => {
                return Err(SqlError::new(codes::ER_XAER_DUPID, &[]));
            }
            std::collections::hash_map::Entry::Vacant(place) => place.insert(Place::Working),
        };
        self.xa = Some(Box::new(Branch { xid: xid.clone(), state: State::Active }));
        self.transaction.open = true;
        self.transaction.changed = false;
        Ok(())
    }

    /// Ends a branch that is not the connection's own: one that was left behind is gone, with 1402.
    fn end_left(&mut self, xid: &Xid) -> SqlResult<Done> {
        if self.transaction.open {
            return Err(SqlError::new(codes::ER_XAER_OUTSIDE, &[]));
        }
        let mut list = self.engine.xa.list.lock();
        if list.get(xid) != Some(&Place::Left) {
            return Err(unknown());
        }
        list.remove(xid);
        Err(SqlError::new(codes::ER_XA_RBROLLBACK, &[]))
    }

    fn leave_branch(&mut self) {
        if let Some(branch) = self.state.xa.take() {
            self.engine.xa.list.lock().remove(&branch.xid);
        }
        self.end_transaction(false);
        self.savepoints.clear();
    }

    /// The connection ends: what it has prepared stays in the list.
    pub(crate) fn abandon_branch(&mut self) {
        let Some(branch) = self.state.xa.take() else { return };
        let mut list = self.engine.xa.list.lock();
        match branch.state {
            State::Prepared => list.insert(branch.xid, Place::Left),
            State::Active | State::Idle => list.remove(&branch.xid),
        };
    }

    /// XA RECOVER: what is prepared.
    fn xa_recover(&mut self, sql: bool, sink: &mut dyn ResultSink) -> SqlResult<Done> {
        let data = match sql {
            true => text(285),
            false => FieldType { collation: charset::binary(), length: 128, ..text(128) },
        };
        let heads = ["formatID", "gtrid_length", "bqual_length"].map(|name| (name, big(11)));
        let mut rows = Rows::new(heads.into_iter().chain([("data", data)]).collect());
        for (xid, place) in self.engine.xa.list.lock().iter() {
            if *place == Place::Working {
                continue;
            }
            let data =
                if sql { s(written(xid)) } else { Value::Bytes([&*xid.global, &*xid.branch].concat()) };
            let numbers = [xid.format as usize, xid.global.len(), xid.branch.len()];
            let mut row: Vec<Value> = numbers.into_iter().map(|n| Value::Int(n as i64)).collect();
            row.push(data);
            rows.push(row);
        }
        rows.send(self, sink)
    }

    /// Refuses what a branch does not let run: what ends transactions, and all that reads tables once its work is done.
    ///
    /// # Errors
    /// 1399.
    pub(super) fn forbid_in_branch(&self, branch: &Branch, statement: &Statement) -> SqlResult<()> {
        use Statement as S;
        let ends = matches!(statement, S::Begin(_) | S::Commit(_) | S::Rollback(_) | S::Reset(_))
            || matches!(statement, S::Set(items) if items.iter().any(|i| matches!(i, SetItem::Password(..))))
            || super::read_only::commits(statement);
        let works = match statement {
            S::Xa(_) | S::UnlockTables | S::RollbackTo(_) | S::ReleaseSavepoint(_) => false,
            S::Savepoint(_) => true,
            S::Show(s) => matches!(**s, Show::CreateTable(_) | Show::CreateView(_)),
            S::Select(q) => self.reads_stored(q),
            s => super::diagnostics::names_tables(s),
        };
        if ends || works && branch.state != State::Active {
            return Err(branch.busy());
        }
        Ok(())
    }

    /// Whether a query names other tables than those of information_schema.
    fn reads_stored(&self, q: &Query) -> bool {
        let stored = |t: &TableName| {
            let db = t.db.as_deref().or(self.db.as_deref()).unwrap_or_default();
            !db.eq_ignore_ascii_case(INFORMATION_SCHEMA)
        };
        any_select(q, &mut |s| s.from.iter().any(|r| names_table(r, &stored, &mut |_| ())))
    }

    /// Refuses `autocommit` to be switched on within a branch.
    ///
    /// # Errors
    /// 1399.
    pub(super) fn forbid_autocommit(&self, on: bool) -> SqlResult<()> {
        match &self.xa {
            Some(branch) if on && !self.vars.settings.autocommit => Err(branch.busy()),
            _ => Ok(()),
        }
    }
}

/// An xid as XA statements take it: quoted, or in hex where a byte of it would need more than quotes.
fn written(xid: &Xid) -> String {
    let plain = |part: &[u8]| part.iter().all(|b| (b' '..=b'~').contains(b) && !matches!(b, b'\'' | b'\\'));
    let quoted = plain(&xid.global) && plain(&xid.branch);
    let part = |part: &[u8]| match quoted {
        true => format!("'{}'", String::from_utf8_lossy(part)),
        false => format!("X'{}'", part.iter().map(|b| format!("{b:02x}")).collect::<String>()),
    };
    let mut out = part(&xid.global);
    if !xid.branch.is_empty() || xid.format != 1 {
        out = format!("{out},{}", part(&xid.branch));
    }
    if xid.format != 1 {
        out = format!("{out},{}", xid.format);
    }
    out
}
