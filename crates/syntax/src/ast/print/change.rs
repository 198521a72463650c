//! Statements that change rows, back to text.

use super::{Precedence, PrintStyle, Printer};
use crate::ast::*;

impl Update {
    /// Appends the statement's text.
    pub fn print(&self, style: PrintStyle, out: &mut Vec<u8>) {
        let mut p = Printer { style, out };
        p.number(1);
        p.text("update ");
        p.tables(&self.tables);
        p.text(" set ");
        p.assignments(&self.assignments);
        p.rest(self.filter.as_ref(), &self.order_by, self.limit.as_deref());
    }
}

impl Delete {
    /// Appends the statement's text.
    pub fn print(&self, style: PrintStyle, out: &mut Vec<u8>) {
        let mut p = Printer { style, out };
        p.number(1);
        p.text("delete  from ");
        match &self.target {
            DeleteTarget::Single(t) => p.factor(t),
            DeleteTarget::Multi { targets, from } => {
                for (i, t) in targets.iter().enumerate() {
                    if i > 0 {
                        p.text(",");
                    }
                    p.table_name(t);
                }
                p.text(" using ");
                p.tables(from);
            }
        }
        p.rest(self.filter.as_ref(), &self.order_by, self.limit.as_deref());
    }
}

impl Insert {
    /// Appends the statement's text.
    pub fn print(&self, style: PrintStyle, out: &mut Vec<u8>) {
        let mut p = Printer { style, out };
        p.text(if self.replace { "replace into " } else { "insert into " });
        p.table_name(&self.table);
        if let Some(columns) = self.columns.as_ref().filter(|c| !c.is_empty()) {
            let names: Vec<&str> = columns.iter().map(|c| &*c.name).collect();
            p.text(&format!("({})", names.join(",")));
        }
        p.text(" ");
        match &self.source {
            InsertSource::Query(query) => p.query(query),
            InsertSource::Values(rows) => {
                p.text("values ");
                for (i, row) in rows.iter().enumerate() {
                    if i > 0 {
                        p.text(",");
                    }
                    p.call("", row);
                }
            }
            InsertSource::Rows(_) => {}
        }
        if !self.on_duplicate.is_empty() {
            p.text(" on duplicate key update ");
            p.assignments(&self.on_duplicate);
        }
    }
}

impl Printer<'_> {
    fn assignments(&mut self, list: &[Assignment]) {
        for (i, a) in list.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            self.column(&a.column);
            self.text(" = ");
            self.expr(&a.value, false, Precedence::Or);
        }
    }

    fn rest(&mut self, filter: Option<&Expr>, order_by: &[OrderItem], limit: Option<&Limit>) {
        if let Some(filter) = filter {
            self.text(" where ");
            self.condition(filter, false, Precedence::Or);
        }
        if !order_by.is_empty() {
            self.text(" ");
            self.order_by(order_by);
        }
        if let Some(limit) = limit {
            self.limit(limit);
        }
    }
}
