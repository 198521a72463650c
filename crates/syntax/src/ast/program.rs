//! What a routine's body becomes when it is read: a flat list of instructions with jumps, and the variables they use.
//!
//! A variable is a slot of the frame that a call has. In the statements of the body it is a parameter of that number
//! ([`crate::ast::ExprKind::Local`]), so that a statement is bound and planned once and runs with the frame's values.

use std::sync::Arc;

use crate::ast::{DataType, Expr, Name, Query, SignalItem, Statement, TableName};

/// The number of a variable.
pub type Slot = u32;

/// A place in the program.
pub type Place = u32;

/// What a variable is.
#[derive(Clone, Debug, PartialEq)]
pub enum VariableType {
    /// As declared.
    Declared(Box<DataType>),
    /// TYPE OF table.column.
    Like(TableName, Name),
    /// Whatever is put there: the operand of CASE.
    Any,
    /// ROW: fields, each with a slot of its own.
    Record(RecordType),
    /// A field of the ROW variable in a slot.
    Field(Slot, Name),
    /// A column of the row that a trigger is called for.
    Row {
        /// NEW; else OLD.
        new: bool,
        /// The column.
        column: Name,
        /// Its value is asked for.
        read: bool,
        /// It is assigned.
        assigned: bool,
    },
}

/// Where a ROW variable has its fields from.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordType {
    /// ROW(name type, ...).
    Fields(Vec<(Name, DataType)>),
    /// ROW TYPE OF table.
    Table(TableName),
    /// ROW TYPE OF cursor; the record of FOR.
    Cursor(u32),
}

/// A variable of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name as declared.
    pub name: Name,
    /// Its type.
    pub ty: VariableType,
}

impl Variable {
    /// The column of NEW (true) or OLD that it is, and whether it is read and assigned.
    #[must_use]
    pub fn row_column(&self) -> Option<(bool, &Name, (bool, bool))> {
        match &self.ty {
            VariableType::Row { new, column, read, assigned } => Some((*new, column, (*read, *assigned))),
            _ => None,
        }
    }
}

/// IN, OUT or INOUT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The routine gets a value.
    #[default]
    In,
    /// The caller gets a value.
    Out,
    /// Both.
    InOut,
}

impl Mode {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Mode::In => "IN",
            Mode::Out => "OUT",
            Mode::InOut => "INOUT",
        }
    }
}

/// What a handler waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An error number.
    Code(u16),
    /// An SQLSTATE.
    State([u8; 5]),
    /// SQLWARNING.
    Warning,
    /// NOT FOUND.
    NotFound,
    /// SQLEXCEPTION.
    Exception,
}

/// DECLARE ... HANDLER.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handler {
    /// EXIT; else CONTINUE.
    pub exit: bool,
    /// What it waits for.
    pub conditions: Vec<Condition>,
    /// Where its body begins.
    pub entry: Place,
    /// How many bodies of handlers its block stands in.
    pub depth: u32,
}

/// A block as handlers see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// The block around; the outermost has none.
    pub parent: Option<u32>,
    /// Its handlers.
    pub handlers: Vec<u32>,
}

/// DECLARE ... CURSOR FOR.
#[derive(Clone, Debug, PartialEq)]
pub struct Cursor {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Slot>,
    /// What it reads.
    pub query: Arc<Query>,
}

/// A target of FETCH and of INTO.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `@name`
    User(Name),
    /// A variable of the routine.
    Local(Slot),
}

/// SIGNAL and RESIGNAL.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// RESIGNAL.
    pub again: bool,
    /// The SQLSTATE, which RESIGNAL may leave out.
    pub state: Option<[u8; 5]>,
    /// SET item = value, ...
    pub items: Vec<(SignalItem, Expr)>,
}

/// Where GET DIAGNOSTICS puts something.
#[derive(Clone, Debug, PartialEq)]
pub enum Diagnosed {
    /// NUMBER and ROW_COUNT (true) of the statement.
    Statement(Vec<(Target, bool)>),
    /// Of a condition.
    Condition(Expr, Vec<(Target, SignalItem)>),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    /// A statement.
    Statement(Arc<Statement>),
    /// SET of a variable; DECLARE ... DEFAULT.
    Set(Slot, Expr),
    /// The operand of CASE; CONTINUE handlers go on at the place.
    Operand(Slot, Expr, Place),
    /// A variable without a default.
    Clear(Slot),
    /// Goes on elsewhere.
    Jump(Place),
    /// Goes on elsewhere unless the condition holds; CONTINUE handlers go on at the second place.
    JumpUnless(Expr, Place, Place),
    /// No WHEN of CASE was met.
    NoCase,
    /// OPEN.
    Open(u32, Vec<Expr>),
    /// FETCH.
    Fetch(u32, Vec<Target>),
    /// A ROW variable gets the fields that a cursor finds.
    Shape(Slot, u32),
    /// FETCH GROUP NEXT ROW.
    FetchGroup,
    /// FETCH into the record of FOR.
    FetchRecord(u32, Slot),
    /// Goes on elsewhere, as CONTINUE handlers do, unless the last FETCH of a cursor found a row.
    JumpUnlessFound(u32, Place),
    /// CLOSE.
    Close(u32),
    /// The cursors of a block go: those of these numbers.
    Forget(u32, u32),
    /// RETURN.
    Return(Expr),
    /// The end of a CONTINUE handler, by its depth.
    Resume(u32),
    /// The end of an EXIT handler: where its block ends.
    Exit(u32, Place),
    /// SIGNAL, RESIGNAL.
    Signal(Arc<Signal>),
    /// GET DIAGNOSTICS.
    Diagnose(Arc<Diagnosed>),
}

/// A parameter of the routine; its number is its slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// IN, OUT, INOUT.
    pub mode: Mode,
    /// Name.
    pub name: Name,
    /// Type.
    pub ty: VariableType,
}

/// A body that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The text it stands in: places of names are meant in it.
    pub text: Arc<[u8]>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The type of a function's result.
    pub returns: Option<Box<DataType>>,
    /// An aggregate function.
    pub aggregate: bool,
    /// The variables; parameters first.
    pub variables: Vec<Variable>,
    /// The instructions.
    pub code: Vec<Instruction>,
    /// Where the statement of each instruction begins.
    pub starts: Vec<u32>,
    /// Where the text of each instruction ends.
    pub ends: Vec<u32>,
    /// The block of each instruction.
    pub scope_of: Vec<u32>,
    /// The blocks.
    pub scopes: Vec<Scope>,
    /// The handlers.
    pub handlers: Vec<Handler>,
    /// The cursors.
    pub cursors: Vec<Cursor>,
}

impl Program {
    /// Which variable is in a slot, as notes about a statement say it behind the name as it is written.
    #[must_use]
    pub fn place_of(&self, slot: Slot) -> Option<String> {
        let own = |v: &&Variable| {
            use VariableType::{Any, Declared, Field, Like, Record, Row};
            match v.ty {
                Declared(_) | Like(..) | Record(_) => true,
                Any | Field(..) | Row { .. } => false,
            }
        };
        let number = |slot: Slot| self.variables.iter().take(slot as usize).filter(own).count();
        match &self.variables.get(slot as usize)?.ty {
            VariableType::Field(row, name) => match &self.variables.get(*row as usize)?.ty {
                VariableType::Record(RecordType::Fields(list)) => {
                    let at = list.iter().position(|(field, _)| crate::names::same_name(field, name))?;
                    Some(format!("@{}[{at}]", number(*row)))
                }
                VariableType::Record(_) => Some(format!("@{}[\"{name}\"]", number(*row))),
                _ => None,
            },
            VariableType::Any | VariableType::Row { .. } => None,
            _ => Some(format!("@{}", number(slot))),
        }
    }

    /// The line of the text at which an instruction stands.
    #[must_use]
    pub fn line_of(&self, at: Place) -> usize {
        let end = self.ends.get(at as usize).copied().unwrap_or(0) as usize;
        1 + memchr::memchr_iter(b'\n', &self.text[..end.min(self.text.len())]).count()
    }

    /// The handler that a condition calls at a place: the most precise one of the innermost block that has any.
    #[must_use]
    pub fn handler(&self, at: Place, code: u16, state: [u8; 5], level: crate::warning::Level) -> Option<u32> {
        let mut scope = self.scope_of.get(at as usize).copied();
        while let Some(s) = scope.and_then(|s| self.scopes.get(s as usize)) {
            let rank = |h: &u32| {
                let list = &self.handlers.get(*h as usize)?.conditions;
                list.iter().filter_map(|c| c.rank(code, state, level)).min()
            };
            let best = s.handlers.iter().filter_map(|h| Some((rank(h)?, *h))).min();
            if let Some((_, h)) = best {
                // one that is declared further on hides those of the blocks around, and is not there yet
                return (self.handlers[h as usize].entry <= at).then_some(h);
            }
            scope = s.parent;
        }
        None
    }
}

impl Condition {
    /// How precisely it names a condition; none when it does not.
    fn rank(self, code: u16, state: [u8; 5], level: crate::warning::Level) -> Option<u8> {
        use crate::warning::Level;
        let class = &state[..2];
        let meets = match self {
            Condition::Code(c) => return (c == code).then_some(0),
            Condition::State(s) => return (s == state).then_some(1),
            Condition::Warning => class == b"01" || level == Level::Warning,
            Condition::NotFound => class == b"02",
            Condition::Exception => level == Level::Error && !matches!(class, b"00" | b"01" | b"02"),
        };
        meets.then_some(2)
    }
}
