//! The branches of XA: which are there, and in which state.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::ast::Xid;
use crate::error::{SqlError, SqlResult, codes};

/// The branches of all connections.
#[derive(Default)]
pub struct Branches {
    /// Each with where it is.
    pub list: Mutex<HashMap<Xid, Place>>,
}

/// Where a branch of the list is.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// Its connection works in it.
    Working,
    /// Its connection has prepared it.
    Prepared,
    /// It was prepared, and its connection is gone.
    Left,
}

/// The branch that a connection works in.
pub struct Branch {
    /// What its coordinator calls it.
    pub xid: Xid,
    /// How far it is.
    pub state: State,
}

/// How far a branch is.
#[derive(Clone, Copy, PartialEq)]
pub enum State {
    /// Behind XA START: statements work in it.
    Active,
    /// Behind XA END.
    Idle,
    /// Behind XA PREPARE.
    Prepared,
}

/// 1399 with the state of no branch.
#[must_use]
pub fn no_branch() -> SqlError {
    SqlError::new(codes::ER_XAER_RMFAIL, &[&"NON-EXISTING"])
}

impl Branch {
    /// 1399 with its state.
    #[must_use]
    pub fn busy(&self) -> SqlError {
        let state = match self.state {
            State::Active => "ACTIVE",
            State::Idle => "IDLE",
            State::Prepared => "PREPARED",
        };
        SqlError::new(codes::ER_XAER_RMFAIL, &[&state])
    }

    /// The branch must be `xid` in `state`.
    ///
    /// # Errors
    /// 1397, 1399.
    pub fn must_be(&self, xid: &Xid, state: State) -> SqlResult<()> {
        if self.state != state {
            return Err(self.busy());
        }
        if self.xid != *xid {
            return Err(unknown());
        }
        Ok(())
    }
}

/// 1397.
#[must_use]
pub fn unknown() -> SqlError {
    SqlError::new(codes::ER_XAER_NOTA, &[])
}

/// 1398.
#[must_use]
pub fn invalid() -> SqlError {
    SqlError::new(codes::ER_XAER_INVAL, &[])
}
