//! Casts back to text, and the types of dynamic columns.

use super::{Precedence, Printer};
use crate::ast::*;
use charset::{Charset, Collation};

impl Printer<'_> {
    pub(super) fn cast(&mut self, inner: &Expr, ty: &CastType) {
        // without a cast around it there is no COLUMN_GET
        match &inner.kind {
            ExprKind::Function(f) if f.db.is_none() && f.name.eq_ignore_ascii_case("column_get") => {
                self.text("column_get(");
                self.comma_list(&f.args);
            }
            _ => {
                self.text("cast(");
                self.expr(inner, false, Precedence::Or);
            }
        }
        self.text(" as ");
        self.cast_type(ty);
        self.text(")");
    }

    fn cast_type(&mut self, ty: &CastType) {
        let length = |n: &Option<u64>| n.map_or(String::new(), |n| format!("({n})"));
        let digits = |n: u8| if n == 0 { String::new() } else { format!("({n})") };
        let text = match ty {
            CastType::Signed => "signed".into(),
            CastType::Unsigned => "unsigned".into(),
            CastType::Decimal(m, d) => format!("decimal({m},{d})"),
            CastType::Double(None) => "double".into(),
            CastType::Double(Some((m, d))) => format!("double({m},{d})"),
            CastType::Float => "float".into(),
            CastType::Char { length: n, charset, binary } => {
                let charset = charset.as_deref().unwrap_or(self.style.charset);
                let name = Charset::by_name(charset).map_or(charset, |known| known.name);
                let attribute = if *binary { " binary" } else { "" };
                format!("char{} charset {}{attribute}", length(n), name.to_ascii_lowercase())
            }
            CastType::Binary(n) => format!("char{} charset binary", length(n)),
            CastType::Date => "date".into(),
            CastType::Time(n) => format!("time{}", digits(*n)),
            CastType::DateTime(n) => format!("datetime{}", digits(*n)),
            CastType::Year => "year".into(),
            CastType::DaySecond(n) => {
                let width = DAY_SECOND + if *n == 0 { 0 } else { u32::from(*n) + 1 };
                format!("char({width}) charset latin1")
            }
            CastType::Other(name) => name.to_ascii_lowercase(),
        };
        self.text(&text);
    }

    /// `value AS type` of COLUMN_CREATE; a CHAR has a blank behind its collation.
    pub(super) fn column_value(&mut self, inner: &Expr, ty: &ColumnValueType) {
        self.expr(inner, false, Precedence::Or);
        self.text(" AS ");
        let text = match ty {
            ColumnValueType::Int => "int",
            ColumnValueType::Unsigned => "unsigned int",
            ColumnValueType::Double => "double",
            ColumnValueType::Decimal => "decimal",
            ColumnValueType::Date => "date",
            ColumnValueType::Time => "time",
            ColumnValueType::DateTime => "datetime",
            ColumnValueType::Char { charset, collation, binary } => {
                let named = match collation {
                    Some(name) => Collation::by_name(name),
                    None => Charset::by_name(charset.as_deref().unwrap_or(self.style.charset))
                        .map(|c| if *binary { c.bin_collation() } else { c.default_collation() }),
                };
                match named {
                    Some(c) if c.id != 63 => {
                        self.text(&format!("char charset {} collate {} ", c.charset.name, c.name));
                    }
                    _ => self.text("char charset binary "),
                }
                return;
            }
        };
        self.text(text);
    }

    /// The functions of dynamic columns that are printed as what they mean; false for another.
    pub(super) fn dynamic_column(&mut self, name: &str, args: &[Expr]) -> bool {
        let ("column_delete", [blob, names @ ..]) = (name, args) else { return false };
        // what is set to NULL is gone
        self.text("column_add(");
        self.expr(blob, false, Precedence::Or);
        for name in names {
            self.text(",");
            self.expr(name, false, Precedence::Or);
            self.text(",NULL AS int");
        }
        self.text(")");
        true
    }
}
