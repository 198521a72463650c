//! What the parser keeps of a body while it reads it: names in sight, labels whose end is not known, the program so far.

use crate::ast::Name;
use crate::ast::program::{
    Condition, Cursor, Handler, Instruction, Parameter, Place, Program, RecordType, Scope, Slot, Variable,
    VariableType,
};

/// What kind of body is read: what may stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A procedure.
    Procedure,
    /// A function.
    Function,
    /// A trigger.
    Trigger,
    /// BEGIN NOT ATOMIC and the statements of flow outside of routines.
    Anonymous,
}

/// A label in sight.
struct Label {
    name: Name,
    /// Where ITERATE goes; none for blocks.
    begin: Option<Place>,
    /// LEAVEs to be told where it ends.
    leaves: Vec<Place>,
    /// The first cursor declared in it.
    cursors: u32,
    /// It hides those around: the body of a handler.
    wall: bool,
}

/// A named condition, or a cursor, or a variable of a block.
#[derive(Default)]
struct Names {
    variables: Vec<(Name, Slot)>,
    conditions: Vec<(Name, Condition)>,
    cursors: Vec<(Name, u32)>,
}

/// See the module.
pub(crate) struct Builder {
    pub kind: Kind,
    pub program: Program,
    names: Vec<Names>,
    labels: Vec<Label>,
    /// The block that instructions belong to.
    pub scope: u32,
    /// How many bodies of handlers are around.
    pub depth: u32,
    /// A RETURN was met.
    pub returned: bool,
    /// FETCH GROUP NEXT ROW was met.
    pub fetches_group: bool,
    /// Where the statement began.
    pub begin: u32,
    /// Where the parser stands.
    pub place: u32,
    /// NEW may be assigned, NEW may be read, OLD may be read.
    pub row: (bool, bool, bool),
}

fn same(a: &str, b: &str) -> bool {
    crate::names::same_name(a, b)
}

impl Builder {
    pub fn new(kind: Kind) -> Builder {
        let program = Program { scopes: vec![Scope::default()], ..Program::default() };
        Builder {
            kind,
            program,
            names: vec![Names::default()],
            labels: Vec::new(),
            scope: 0,
            depth: 0,
            returned: false,
            fetches_group: false,
            begin: 0,
            place: 0,
            row: (false, false, false),
        }
    }

    /// The place of the next instruction.
    pub fn here(&self) -> Place {
        self.program.code.len() as Place
    }

    pub fn emit(&mut self, instruction: Instruction) -> Place {
        let at = self.here();
        self.program.code.push(instruction);
        self.program.scope_of.push(self.scope);
        self.program.starts.push(self.begin);
        self.program.ends.push(self.place);
        at
    }

    /// Sets where a jump goes.
    pub fn patch(&mut self, at: Place, to: Place) {
        match self.program.code.get_mut(at as usize) {
            Some(
                Instruction::Jump(p)
                | Instruction::JumpUnless(_, p, _)
                | Instruction::JumpUnlessFound(_, p)
                | Instruction::Exit(_, p),
            ) => *p = to,
            _ => debug_assert!(false, "no jump"),
        }
    }

    /// Sets where CONTINUE handlers go on after a condition that failed.
    pub fn patch_after(&mut self, at: Place, to: Place) {
        let failed = self.program.code.get_mut(at as usize);
        if let Some(Instruction::JumpUnless(_, _, p) | Instruction::Operand(_, _, p)) = failed {
            *p = to;
        }
    }

    pub fn begin_names(&mut self) {
        self.names.push(Names::default());
    }

    pub fn end_names(&mut self) {
        self.names.pop();
    }

    fn innermost(&mut self) -> &mut Names {
        if self.names.is_empty() {
            self.names.push(Names::default());
        }
        let last = self.names.len() - 1;
        &mut self.names[last]
    }

    /// A new slot.
    pub fn slot(&mut self, name: Name, ty: VariableType) -> Slot {
        self.program.variables.push(Variable { name, ty });
        self.program.variables.len() as Slot - 1
    }

    /// A variable of the innermost block; none when it has one of that name.
    pub fn declare(&mut self, name: &Name, ty: VariableType) -> Option<Slot> {
        if self.innermost().variables.iter().any(|(n, _)| same(n, name)) {
            return None;
        }
        let slot = self.slot(name.clone(), ty);
        self.innermost().variables.push((name.clone(), slot));
        Some(slot)
    }

    /// A variable that has its slot already.
    pub fn alias(&mut self, name: &Name, slot: Slot) {
        self.innermost().variables.push((name.clone(), slot));
    }

    /// A parameter of the routine; false when there is one of that name.
    pub fn parameter(&mut self, p: Parameter) -> bool {
        let there = self.declare(&p.name, p.ty.clone()).is_some();
        self.program.parameters.push(p);
        there
    }

    /// The variable that a name means.
    pub fn variable(&self, name: &str) -> Option<Slot> {
        let find = |n: &Names| n.variables.iter().rev().find(|(v, _)| same(v, name)).map(|(_, s)| *s);
        self.names.iter().rev().find_map(find)
    }

    /// A field of a record, or a column of the row of a trigger.
    pub fn field(&mut self, record: &str, name: &Name) -> Option<Slot> {
        let ty = match self.variable(record) {
            Some(slot) if self.record_of(slot).is_some() => VariableType::Field(slot, name.clone()),
            _ if self.kind == Kind::Trigger && record.eq_ignore_ascii_case("new") => {
                VariableType::Row { new: true, column: name.clone(), read: false, assigned: false }
            }
            _ if self.kind == Kind::Trigger && record.eq_ignore_ascii_case("old") => {
                VariableType::Row { new: false, column: name.clone(), read: false, assigned: false }
            }
            _ => return None,
        };
        let meant = |v: &Variable| match (&v.ty, &ty) {
            (VariableType::Field(a, n), VariableType::Field(b, m)) => a == b && same(n, m),
            (VariableType::Row { new: a, column: n, .. }, VariableType::Row { new: b, column: m, .. }) => {
                a == b && same(n, m)
            }
            _ => false,
        };
        if let Some(at) = self.program.variables.iter().position(meant) {
            return Some(at as Slot);
        }
        Some(self.slot(name.clone(), ty))
    }

    /// Notes what is done with a column of the row of a trigger.
    pub fn use_field(&mut self, slot: Slot, assigns: bool) {
        let variable = self.program.variables.get_mut(slot as usize);
        if let Some(VariableType::Row { read, assigned, .. }) = variable.map(|v| &mut v.ty) {
            *(if assigns { assigned } else { read }) = true;
        }
    }

    /// Which variables are columns of a trigger's row that are read.
    pub fn fields_read(&self) -> Vec<bool> {
        let read = |v: &Variable| matches!(v.ty, VariableType::Row { read: true, .. });
        self.program.variables.iter().map(read).collect()
    }

    /// A column of the row of a trigger was an argument only.
    pub fn pass_field(&mut self, slot: Slot) {
        let variable = self.program.variables.get_mut(slot as usize);
        if let Some(VariableType::Row { read, .. }) = variable.map(|v| &mut v.ty) {
            *read = false;
        }
    }

    /// What a ROW variable has its fields from.
    pub fn record_of(&self, slot: Slot) -> Option<&RecordType> {
        match self.program.variables.get(slot as usize).map(|v| &v.ty) {
            Some(VariableType::Record(r)) => Some(r),
            _ => None,
        }
    }

    /// A condition's name; false when the block has it already.
    pub fn condition(&mut self, name: Name, c: Condition) -> bool {
        let list = &mut self.innermost().conditions;
        let new = !list.iter().any(|(n, _)| same(n, &name));
        list.push((name, c));
        new
    }

    pub fn find_condition(&self, name: &str) -> Option<Condition> {
        let find = |n: &Names| n.conditions.iter().rev().find(|(v, _)| same(v, name)).map(|(_, c)| *c);
        self.names.iter().rev().find_map(find)
    }

    /// A cursor of the innermost block; none when it has one of that name.
    pub fn cursor(&mut self, cursor: Cursor) -> Option<u32> {
        let number = self.program.cursors.len() as u32;
        let list = &mut self.innermost().cursors;
        if !cursor.name.is_empty() && list.iter().any(|(n, _)| same(n, &cursor.name)) {
            return None;
        }
        list.push((cursor.name.clone(), number));
        self.program.cursors.push(cursor);
        Some(number)
    }

    pub fn find_cursor(&self, name: &str) -> Option<u32> {
        let find = |n: &Names| n.cursors.iter().rev().find(|(v, _)| same(v, name)).map(|(_, c)| *c);
        self.names.iter().rev().find_map(find)
    }

    pub fn cursor_count(&self) -> u32 {
        self.program.cursors.len() as u32
    }

    /// A handler of the block whose declarations are read.
    pub fn handler(&mut self, handler: Handler) -> u32 {
        self.program.handlers.push(handler);
        self.program.handlers.len() as u32 - 1
    }

    /// A block with these handlers begins: instructions belong to it, and so do the declarations before the handlers, which
    /// begin at a place.
    pub fn enter_scope(&mut self, handlers: Vec<u32>, begin: Place) -> u32 {
        let outer = self.scope;
        let entries = handlers.iter().filter_map(|h| self.program.handlers.get(*h as usize));
        if let Some(first) = entries.map(|h| h.entry).min() {
            self.program.scopes.push(Scope { parent: Some(outer), handlers });
            self.scope = self.program.scopes.len() as u32 - 1;
            if let Some(declared) = self.program.scope_of.get_mut(begin as usize..first as usize) {
                declared.fill(self.scope);
            }
        }
        outer
    }

    /// A label begins; false when one in sight has the name.
    pub fn begin_label(&mut self, name: Option<Name>, begin: Option<Place>) -> bool {
        let name = name.unwrap_or_default();
        let new = name.is_empty() || self.labels_in_sight().all(|l| !same(&l.name, &name));
        let cursors = self.cursor_count();
        self.labels.push(Label { name, begin, leaves: Vec::new(), cursors, wall: false });
        new
    }

    /// The body of a handler begins: labels around are out of sight.
    pub fn begin_wall(&mut self) {
        self.labels.push(Label {
            name: Name::default(),
            begin: None,
            leaves: Vec::new(),
            cursors: 0,
            wall: true,
        });
    }

    /// A label, or the body of a handler, ends here.
    pub fn end_label(&mut self) {
        let here = self.here();
        if let Some(label) = self.labels.pop() {
            for at in label.leaves {
                self.patch(at, here);
            }
        }
    }

    fn labels_in_sight(&self) -> impl Iterator<Item = &Label> {
        self.labels.iter().rev().take_while(|l| !l.wall)
    }

    /// LEAVE: false when there is no such label.
    pub fn leave(&mut self, name: &str) -> bool {
        let Some(from) = self.labels_in_sight().find(|l| same(&l.name, name)).map(|l| l.cursors) else {
            return false;
        };
        self.forget_from(from);
        let at = self.emit(Instruction::Jump(0));
        let open = self.labels.iter_mut().rev().find(|l| same(&l.name, name));
        if let Some(label) = open {
            label.leaves.push(at);
        }
        true
    }

    /// ITERATE: false when there is no such loop.
    pub fn iterate(&mut self, name: &str) -> bool {
        let found = self.labels_in_sight().find(|l| same(&l.name, name) && l.begin.is_some());
        let Some((begin, from)) = found.and_then(|l| Some((l.begin?, l.cursors))) else { return false };
        self.forget_from(from);
        self.emit(Instruction::Jump(begin));
        true
    }

    /// The cursors declared since are closed.
    pub fn forget_from(&mut self, first: u32) {
        let end = self.cursor_count();
        if end > first {
            self.emit(Instruction::Forget(first, end));
        }
    }
}
