//! Subqueries back to text.

use super::{Precedence, Printer};
use crate::ast::*;

impl Query {
    /// Appends the query's text.
    pub fn print(&self, style: super::PrintStyle, out: &mut Vec<u8>) {
        Printer { style, out }.query(self);
    }
}

impl Printer<'_> {
    /// A subquery in its parentheses: lists and conditions as typed, joins without their structure of ON are
    /// left to those who print bound queries.
    pub(super) fn subquery(&mut self, query: &Query) {
        self.text("(");
        self.query(query);
        self.text(")");
    }

    pub(super) fn query(&mut self, query: &Query) {
        if let Some(with) = &query.with {
            self.with(with);
        }
        self.term(&query.first);
        for (op, term) in &query.rest {
            self.text(match op.kind {
                SetOpKind::Union => " union ",
                SetOpKind::Except => " except ",
                SetOpKind::Intersect => " intersect ",
            });
            if op.all {
                self.text("all ");
            }
            self.term(term);
        }
        if !query.order_by.is_empty() {
            self.text(" ");
            self.order_by(&query.order_by);
        }
        if let Some(limit) = &query.limit {
            self.limit(limit);
        }
        if let (Some(lock), Some(_)) = (query.lock, self.style.view) {
            self.text(if lock.update { " for update" } else { " lock in share mode" });
        }
    }

    fn with(&mut self, with: &With) {
        self.text(if with.recursive { "with recursive " } else { "with " });
        for (i, t) in with.tables.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.text(&t.name);
            if !t.columns.is_empty() {
                self.text("(");
                self.name_list(&t.columns);
                self.text(")");
            }
            self.text(" as ");
            self.subquery(&t.query);
        }
    }

    fn name_list(&mut self, names: &[Name]) {
        for (i, n) in names.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            self.name(n);
        }
    }

    /// The number of a SELECT, where they are shown.
    pub(super) fn number(&mut self, number: u32) {
        if self.style.note == Some(super::Numbers::Shown) {
            self.text(&format!("/* select#{number} */ "));
        }
    }

    /// The list of FROM.
    pub(super) fn tables(&mut self, list: &[TableRef]) {
        for (i, table) in list.iter().enumerate() {
            if i > 0 {
                self.text(" join ");
            }
            self.table(table);
        }
    }

    pub(super) fn table_name(&mut self, name: &TableName) {
        if let Some(db) = &name.db {
            self.name(db);
            self.text(".");
        }
        self.name(&name.name);
    }

    pub(super) fn factor(&mut self, t: &TableFactor) {
        self.table_name(&t.name);
        if let Some(alias) = &t.alias {
            self.text(" ");
            self.name(alias);
        }
        t.hints.iter().for_each(|h| self.hint(h));
    }

    fn options(&mut self, options: &SelectOptions) {
        let cache = options.cache.map(|c| if c { "sql_cache " } else { "sql_no_cache " });
        let words = [
            (options.straight_join, "straight_join "),
            (options.high_priority, "high_priority "),
            (options.distinct, "distinct "),
            (options.small_result, "sql_small_result "),
            (options.big_result, "sql_big_result "),
            (options.buffer_result, "sql_buffer_result "),
            (options.calc_found_rows, "sql_calc_found_rows "),
            (cache.is_some(), cache.unwrap_or_default()),
        ];
        words.iter().filter(|w| w.0).for_each(|w| self.text(w.1));
    }

    fn term(&mut self, term: &QueryTerm) {
        match term {
            QueryTerm::Nested(query) => self.subquery(query),
            QueryTerm::Values(rows) => {
                self.text("values ");
                for (i, row) in rows.iter().enumerate() {
                    if i > 0 {
                        self.text(",");
                    }
                    self.call("", row);
                }
            }
            QueryTerm::Select(select) => self.select(select),
        }
    }

    fn select(&mut self, select: &Select) {
        self.number(select.number);
        self.text("select ");
        self.options(&select.options);
        for (i, item) in select.items.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            match item {
                SelectItem::Star => self.text("*"),
                SelectItem::TableStar(db, table) => {
                    if let Some(db) = db {
                        self.name(db);
                        self.text(".");
                    }
                    self.name(table);
                    self.text(".*");
                }
                SelectItem::Expr { expr, alias, .. } => {
                    self.expr(expr, false, Precedence::Or);
                    if let Some(alias) = alias {
                        self.text(" AS ");
                        self.name(alias);
                    }
                }
            }
        }
        if !select.from.is_empty() {
            self.text(" from ");
            self.tables(&select.from);
        }
        if self.style.view.is_some() && select.from.is_empty() {
            if select.filter.is_some() {
                self.text(" from DUAL ");
            }
        } else if select.from_dual && select.from.is_empty() {
            self.text(" from dual");
        }
        if let Some(filter) = &select.filter {
            self.text(" where ");
            self.condition(filter, false, Precedence::Or);
        }
        if !select.group_by.is_empty() {
            self.text(" group by ");
            self.order_items(&select.group_by);
            if select.rollup {
                self.text(" with rollup");
            }
        }
        if let Some(having) = &select.having {
            self.text(" having ");
            self.condition(having, false, Precedence::Or);
        }
    }

    fn hint(&mut self, hint: &IndexHint) {
        self.text(match hint.kind {
            IndexHintKind::Use => " USE INDEX ",
            IndexHintKind::Ignore => " IGNORE INDEX ",
            IndexHintKind::Force => " FORCE INDEX ",
        });
        match hint.scope {
            None => {}
            Some(IndexHintScope::Join) => self.text("FOR JOIN "),
            Some(IndexHintScope::OrderBy) => self.text("FOR ORDER BY "),
            Some(IndexHintScope::GroupBy) => self.text("FOR GROUP BY "),
        }
        self.text("(");
        for (i, name) in hint.indexes.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            match name.eq_ignore_ascii_case("PRIMARY") {
                true => self.text("PRIMARY"),
                false => self.name(name),
            }
        }
        self.text(")");
    }

    fn table(&mut self, table: &TableRef) {
        match table {
            TableRef::Table(t) => {
                self.factor(t);
            }
            TableRef::Derived(d) => {
                self.subquery(&d.query);
                self.text(" ");
                self.name(&d.alias);
            }
            TableRef::Nested(list) => {
                self.text("(");
                self.tables(list);
                self.text(")");
            }
            TableRef::Join(j) => {
                self.table(&j.left);
                if j.natural {
                    self.text(" natural");
                }
                self.text(match j.kind {
                    JoinKind::Inner | JoinKind::Cross => " join ",
                    JoinKind::Straight => " straight_join ",
                    JoinKind::Left => " left join ",
                    JoinKind::Right => " right join ",
                });
                self.table(&j.right);
                match &j.condition {
                    JoinCondition::None => {}
                    JoinCondition::On(e) => {
                        self.text(" on(");
                        self.condition(e, false, Precedence::Or);
                        self.text(")");
                    }
                    JoinCondition::Using(names) => {
                        self.text(" using (");
                        self.name_list(names);
                        self.text(")");
                    }
                }
            }
            TableRef::JsonTable(j) => {
                self.text("JSON_TABLE(");
                self.expr(&j.expr, false, Precedence::Or);
                self.text(", ");
                self.string(&j.path);
                self.json_columns(&j.columns);
                self.text(") ");
                self.name(&j.alias);
            }
        }
    }

    fn json_columns(&mut self, columns: &[JsonColumn]) {
        self.text(" COLUMNS (");
        for (i, c) in columns.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            match c {
                JsonColumn::Ordinality(name) => {
                    self.name(name);
                    self.text(" FOR ORDINALITY");
                }
                JsonColumn::Nested(path, columns) => {
                    self.text("NESTED PATH ");
                    self.string(path);
                    self.json_columns(columns);
                }
                JsonColumn::Path { name, shown, path, exists, on_empty, on_error, .. } => {
                    self.name(name);
                    self.text(" ");
                    self.text(shown);
                    self.text(if *exists { " EXISTS PATH " } else { " PATH " });
                    self.string(path);
                    self.json_response(on_empty.as_ref(), "EMPTY");
                    self.json_response(on_error.as_ref(), "ERROR");
                }
            }
        }
        self.text(")");
    }

    fn json_response(&mut self, response: Option<&JsonResponse>, on: &str) {
        match response {
            None => return,
            Some(JsonResponse::Error) => self.text(" ERROR"),
            Some(JsonResponse::Null) => self.text(" NULL"),
            Some(JsonResponse::Default(e)) => {
                self.text(" DEFAULT ");
                match &e.kind {
                    ExprKind::Literal(Literal::String(text)) => self.string(&text.bytes),
                    ExprKind::Literal(Literal::Temporal(_, text)) => self.string(text),
                    _ => self.expr(e, false, Precedence::Unary),
                }
            }
        }
        self.text(" ON ");
        self.text(on);
    }
}
