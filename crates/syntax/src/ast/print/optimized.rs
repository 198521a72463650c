//! What stands in statements that were optimized only, and literals in notes.

use super::{Precedence, Printer, quote_string};
use crate::ast::*;

impl Printer<'_> {
    pub(super) fn field(&mut self, f: &Field) {
        match &f.value {
            None => self.column(&f.name),
            // values of rows have their quotes doubled
            Some(Literal::String(s)) => quote_string(&s.bytes, self.out),
            Some(value) => self.literal(value),
        }
    }

    pub(super) fn mark(&mut self, mark: Mark, list: &[Expr]) {
        match (mark, list) {
            (Mark::ExprCache, [keys @ .., inner]) => {
                self.text("<expr_cache><");
                self.comma_list(keys);
                self.text(">(");
                self.expr(inner, false, Precedence::Or);
                self.text(")");
            }
            // the subquery has its own parentheses
            (Mark::Exists | Mark::Max | Mark::Min, [subquery]) => {
                self.text(match mark {
                    Mark::Exists => "<exists>",
                    Mark::Max => "<max>",
                    _ => "<min>",
                });
                self.expr(subquery, false, Precedence::Or);
            }
            (Mark::Nop, _) => self.call("<nop>", list),
            (Mark::Not, _) => self.call("<not>", list),
            (Mark::Cache, _) => self.call("<cache>", list),
            (Mark::InOptimizer, _) => self.call("<in_optimizer>", list),
            (Mark::MultipleEqual, _) => {
                self.text("multiple equal(");
                for (i, e) in list.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.expr(e, false, Precedence::Or);
                }
                self.text(")");
            }
            _ => self.comma_list(list),
        }
    }

    /// A string with its introducer.
    pub(super) fn literal_string(&mut self, s: &StringLiteral) {
        match s.charset {
            Some(charset) if matches!(self.style.view, Some(ViewText::Shown)) => {
                return match charset::Charset::by_name(charset) {
                    Some(from) if charset != "binary" => self.string(&in_utf8(&s.bytes, from)),
                    _ => {
                        self.text(&format!("_{charset}"));
                        self.string(&s.bytes);
                    }
                };
            }
            // what the text around cannot say
            Some(charset) if !s.bytes.is_ascii() && self.style.note.is_some() => {
                self.text(&format!("_{charset}'"));
                for &b in &*s.bytes {
                    match b {
                        0x80.. => self.text(&format!("\\x{b:02X}")),
                        b'\'' => self.text("\\'"),
                        _ => self.out.push(b),
                    }
                }
                return self.text("'");
            }
            Some(charset) => self.text(&format!("_{charset}")),
            None => {
                if let Some(client) = self.style.client
                    && !s.bytes.is_ascii()
                {
                    return self.string(&in_utf8(&s.bytes, client));
                }
            }
        }
        self.string(&s.bytes);
    }
}

/// A text of a character set in UTF-8.
fn in_utf8(text: &[u8], from: &charset::Charset) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 2);
    match charset::Charset::by_name("utf8mb4") {
        Some(to) => {
            from.convert(text, to, &mut out);
        }
        None => out.extend_from_slice(text),
    }
    out
}
