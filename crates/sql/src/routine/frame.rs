//! A call of a routine while it runs, and what a session keeps of programs between their calls.

use std::sync::Arc;

use foldhash::HashMap;

use super::aggregate::Group;
use super::locals::Locals;
use crate::ast::program::{Place, Program};
use crate::error::SqlError;
use crate::exec::materialize::MaterializedReader;
use crate::expr::Expr;
use crate::session::cached::CachedDml;
use crate::session::params::ParamTypes;
use crate::session::select::CachedPlan;
use crate::types::FieldType;
use crate::warning::{Level, Warning};

/// Programs whose plans a session keeps.
const PROGRAMS: usize = 64;

/// What is kept of an instruction.
#[derive(Default)]
#[expect(
    clippy::large_enum_variant,
    reason = "taken out and put back at each execution: boxes would be allocated there"
)]
pub(crate) enum Kept {
    /// Nothing.
    #[default]
    None,
    /// The plan of a query, or of an expression with one in it.
    Plan(Option<(CachedPlan, ParamTypes)>),
    /// A statement that changes rows.
    Change(Option<CachedDml>),
    /// An expression, and the settings it was bound under.
    Expr(u64, Arc<Expr>),
}

/// What is kept of a program.
pub(crate) struct KeptProgram {
    /// It stays where it is as long as this is kept: its address is the key.
    program: Arc<Program>,
    /// The types of its variables.
    pub locals: Option<Arc<Locals>>,
    /// The variables that what is kept was bound with.
    pub bound: Option<Arc<Locals>>,
    /// What is asked of the trigger whose body it is.
    pub trigger: Option<Arc<super::store::Routine>>,
    /// Of each instruction.
    pub kept: Vec<Kept>,
}

/// What a session keeps of routines.
#[derive(Default)]
pub(crate) struct RoutineState {
    programs: HashMap<usize, KeptProgram>,
}

impl RoutineState {
    /// What is kept of a program.
    pub fn of(&mut self, program: &Arc<Program>) -> &mut KeptProgram {
        let key = Arc::as_ptr(program) as usize;
        if self.programs.len() >= PROGRAMS && !self.programs.contains_key(&key) {
            self.programs.clear();
        }
        self.programs.entry(key).or_insert_with(|| KeptProgram {
            program: Arc::clone(program),
            locals: None,
            bound: None,
            trigger: None,
            kept: (0..program.code.len()).map(|_| Kept::None).collect(),
        })
    }

    /// Takes what is kept of an instruction.
    pub fn take(&mut self, program: &Arc<Program>, at: Place) -> Kept {
        let kept = self.of(program);
        debug_assert!(Arc::ptr_eq(&kept.program, program), "the address is the key");
        kept.kept.get_mut(at as usize).map(std::mem::take).unwrap_or_default()
    }

    /// Keeps something of an instruction.
    pub fn put(&mut self, program: &Arc<Program>, at: Place, what: Kept) {
        if let Some(place) = self.of(program).kept.get_mut(at as usize) {
            *place = what;
        }
    }

    /// Forgets what is kept of a program: types of its variables changed.
    pub fn forget(&mut self, program: &Arc<Program>) {
        self.of(program).kept.iter_mut().for_each(|k| *k = Kept::None);
    }
}

/// An open cursor.
pub(crate) struct OpenCursor {
    pub rows: MaterializedReader,
    pub types: Vec<FieldType>,
    /// The last FETCH into a record found a row.
    pub found: bool,
}

/// A handler that runs.
pub(crate) struct Active {
    /// Where a CONTINUE handler goes on.
    pub resume: Place,
    /// What it was called for.
    pub condition: Raised,
    /// The entries that the list of warnings had.
    pub entries: Vec<Warning>,
    /// Which list that was.
    pub list: u64,
}

/// A condition that was raised.
#[derive(Clone)]
pub(crate) struct Raised {
    pub level: Level,
    pub error: SqlError,
    pub items: Option<Box<crate::warning::Items>>,
}

/// A call while it runs. The values of its variables are the parameters of the running statement.
pub(crate) struct Frame<'g, 'r> {
    /// The rows of the group that an aggregate function runs over.
    pub group: Option<&'g mut Group<'r>>,
    pub program: Arc<Program>,
    pub at: Place,
    pub cursors: Vec<Option<OpenCursor>>,
    pub active: Vec<Active>,
    /// Rows that its statements changed.
    pub affected: u64,
    /// The value of RETURN.
    pub returned: Option<crate::types::Value>,
    /// Whether a handler was called.
    pub handled: bool,
}

impl<'g, 'r> Frame<'g, 'r> {
    pub fn new(program: Arc<Program>, group: Option<&'g mut Group<'r>>) -> Frame<'g, 'r> {
        let cursors = program.cursors.iter().map(|_| None).collect();
        Frame {
            group,
            program,
            at: 0,
            cursors,
            active: Vec::new(),
            affected: 0,
            returned: None,
            handled: false,
        }
    }
}
