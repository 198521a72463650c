//! Calls of COLUMN_CREATE, COLUMN_ADD and COLUMN_GET.

use super::expr::ExprBinder;
use crate::ast::{self, CastType, ColumnValueType, ExprKind};
use crate::error::{ER_OPERAND_COLUMNS, SqlError, SqlResult};
use crate::expr::{Expr, Node};
use crate::func;
use crate::types::{Derivation, FieldType, Kind};

/// Characters of a CHAR for each byte that one of its character set may have.
const LONGEST_TEXT: u64 = 16_777_216;

impl ExprBinder<'_> {
    /// COLUMN_CREATE and COLUMN_ADD: how a value is stored is told to them with it. `None` for another function.
    pub(super) fn column_create(&mut self, f: &ast::FunctionCall) -> SqlResult<Option<Expr>> {
        let first = match &f.name {
            _ if f.db.is_some() => return Ok(None),
            name if name.eq_ignore_ascii_case("column_create") => 0,
            name if name.eq_ignore_ascii_case("column_add") => 1,
            _ => return Ok(None),
        };
        let (blob, columns) = f.args.split_at(first.min(f.args.len()));
        let mut args = Vec::with_capacity(first + columns.len() * 2);
        for e in blob {
            args.push(self.bind(e)?);
        }
        for column in columns.chunks_exact(2) {
            args.push(self.bind(&column[0])?);
            let (value, explicit) = match &column[1].kind {
                ExprKind::ColumnValue(value, ty) => (value.as_ref(), Some(self.value_type(ty)?)),
                _ => (&column[1], None),
            };
            let value = self.bind_unfolded(value)?;
            if matches!(value.node, Node::Row(_)) {
                return Err(SqlError::new(ER_OPERAND_COLUMNS, &[&1]));
            }
            let typed = func::dynamic_columns::typed(&value, explicit);
            args.push(self.fold(value));
            args.extend(typed);
        }
        let name = f.name.to_ascii_lowercase();
        func::call(func::named(&name)?, &f.name, args, self.ctx).map(Some)
    }

    /// The type of a value as it is given, and whether it is an integer without sign.
    fn value_type(&self, ty: &ColumnValueType) -> SqlResult<(FieldType, bool)> {
        let unsigned = *ty == ColumnValueType::Unsigned;
        let ty = match ty {
            ColumnValueType::Int | ColumnValueType::Unsigned => FieldType::bigint(unsigned),
            ColumnValueType::Double => FieldType::double(),
            ColumnValueType::Decimal => FieldType::decimal(10, 0),
            ColumnValueType::Date => FieldType::date(),
            ColumnValueType::Time => FieldType::time(0),
            ColumnValueType::DateTime => FieldType::datetime(0),
            ColumnValueType::Char { charset, collation, binary } => {
                let charset = charset.as_ref().map(|name| self.charset(name)).transpose()?;
                let collation = match (collation, charset) {
                    (Some(name), Some(cs)) => crate::types::collations::collation_in(name, cs)?,
                    (Some(name), None) => match charset::Collation::by_name(name) {
                        Some(collation) => collation,
                        None => crate::types::collations::collation_in(name, self.ctx.collation.charset)?,
                    },
                    (None, charset) => {
                        let plain = charset.map_or(self.ctx.collation, charset::Charset::default_collation);
                        if *binary { plain.charset.bin_collation() } else { plain }
                    }
                };
                FieldType::string(1, collation, Derivation::Implicit)
            }
        };
        Ok((ty, unsigned))
    }

    /// COLUMN_GET(... AS t): the value is asked for as what the cast makes of it. `None` for a cast of something else.
    pub(super) fn column_get(&mut self, e: &ast::Expr, t: &CastType) -> SqlResult<Option<Expr>> {
        let ExprKind::Function(f) = &e.kind else { return Ok(None) };
        let [blob, name] = &f.args[..] else { return Ok(None) };
        if !super::casts::is_column_get(e) {
            return Ok(None);
        }
        let args = vec![self.bind(blob)?, self.bind(name)?];
        let mut call = func::call(func::named("column_get")?, "column_get", args, self.ctx)?;
        let (ty, cast) = match t {
            CastType::Signed => (FieldType::int(21), false),
            CastType::Unsigned | CastType::Year => {
                (FieldType { unsigned: true, ..FieldType::int(20) }, *t == CastType::Year)
            }
            CastType::Decimal(m, d) => {
                let m = if *m == 0 && *d == 0 { 10 } else { *m };
                (FieldType::decimal(m as u8, *d as u8), false)
            }
            CastType::Double(_) | CastType::Float => (FieldType::double(), true),
            CastType::Date => (FieldType::date(), false),
            CastType::Time(d) => (FieldType::time(*d), false),
            CastType::DateTime(d) => (FieldType::datetime(*d), false),
            CastType::Char { length, charset, binary } => {
                let plain = match charset {
                    Some(cs) => self.charset(cs)?.default_collation(),
                    None => self.ctx.collation,
                };
                let collation = if *binary { plain.charset.bin_collation() } else { plain };
                (column_text(collation), length.is_some())
            }
            CastType::Binary(length) => (column_text(charset::binary()), length.is_some()),
            CastType::DaySecond(_) | CastType::Other(_) => (column_text(self.ctx.collation), true),
        };
        call.ty = ty.with_nullable(true);
        if cast {
            call = self.cast(call, t)?;
            call.ty.nullable = true;
        }
        Ok(Some(call))
    }
}

fn column_text(collation: &'static charset::Collation) -> FieldType {
    let chars = LONGEST_TEXT * u64::from(collation.charset.mbmaxlen);
    let mut ty = FieldType::string(chars, collation, Derivation::Implicit);
    (ty.kind, ty.decimals) = (Kind::LongBlob, 0);
    ty
}
