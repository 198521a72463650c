//! ROW variables and their fields.

use super::Parser;
use crate::ast::program::{RecordType, Target, VariableType};
use crate::ast::*;
use crate::error::{self, SqlError, SqlResult, codes};
use crate::lex::{Kw, T};
use crate::names::same_name;

impl Parser<'_> {
    /// ROW(name type, ...) or ROW TYPE OF, at the word.
    pub(super) fn record_type(&mut self) -> SqlResult<RecordType> {
        if self.peek() == T::Kw(Kw::TYPE) {
            self.advance();
            self.advance();
            self.expect_kw(Kw::OF)?;
            return self.record_anchor();
        }
        self.advance();
        self.expect(T::LParen)?;
        let mut fields: Vec<(Name, DataType)> = Vec::new();
        loop {
            let name = self.ident()?;
            if self.at_kw(Kw::ROW) {
                return Err(self.error());
            }
            let ty = self.declared_type()?;
            if fields.iter().any(|(n, _)| same_name(n, &name)) {
                return Err(SqlError::new(error::ER_DUP_FIELDNAME, &[&name]));
            }
            fields.push((name, ty));
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::RParen)?;
        Ok(RecordType::Fields(fields))
    }

    /// A cursor in sight, or a table.
    fn record_anchor(&mut self) -> SqlResult<RecordType> {
        let first = self.ident()?;
        if self.eat(T::Dot) {
            let name = self.ident_after_dot()?;
            return Ok(RecordType::Table(TableName { db: Some(first), name, span: Span::default() }));
        }
        Ok(match self.body().find_cursor(&first) {
            Some(cursor) => RecordType::Cursor(cursor),
            None => RecordType::Table(TableName { db: None, name: first, span: Span::default() }),
        })
    }

    /// What the ROW variable of a name has its fields from.
    pub(super) fn record_named(&self, name: &str) -> Option<&RecordType> {
        let body = self.routine.as_ref()?;
        body.record_of(body.variable(name)?)
    }

    /// Whether a ROW variable may have a field, as far as that is known.
    ///
    /// # Errors
    /// 4082.
    pub(super) fn check_field(&self, record: &Name, field: &Name) -> SqlResult<()> {
        match self.record_named(record) {
            Some(RecordType::Fields(list)) if !list.iter().any(|(n, _)| same_name(n, field)) => {
                Err(SqlError::new(codes::ER_ROW_VARIABLE_DOES_NOT_HAVE_FIELD, &[record, field]))
            }
            _ => Ok(()),
        }
    }

    /// Whether INTO may name a field of a variable: its fields must be known.
    ///
    /// # Errors
    /// 1105.
    pub(super) fn check_target(&self, record: &Name) -> SqlResult<()> {
        match self.record_named(record) {
            Some(RecordType::Table(_) | RecordType::Cursor(_)) => {
                let message = format!("'{record}' is not a row variable");
                Err(SqlError::with_message(error::ER_UNKNOWN_ERROR, message))
            }
            _ => Ok(()),
        }
    }

    /// A target of GET DIAGNOSTICS, which may be no field.
    pub(super) fn diagnosed_target(&mut self) -> SqlResult<Target> {
        if self.at_ident() && self.peek() == T::Dot && self.record_named(&self.name_of(self.tok)?).is_some() {
            self.advance();
            return Err(self.error());
        }
        self.target()
    }

    /// 1691 unless a variable has an integer type that is known.
    pub(super) fn check_limit(&self, slot: u32) -> SqlResult<()> {
        let Some(body) = self.routine.as_ref() else { return Ok(()) };
        let ty = body.program.variables.get(slot as usize).map(|v| &v.ty);
        let ty = match ty {
            Some(VariableType::Field(row, name)) => match body.record_of(*row) {
                Some(RecordType::Fields(list)) => {
                    list.iter().find(|(n, _)| same_name(n, name)).map(|(_, t)| t)
                }
                _ => None,
            },
            Some(VariableType::Declared(ty)) => Some(&**ty),
            _ => None,
        };
        if ty.is_some_and(is_integer) {
            return Ok(());
        }
        Err(SqlError::new(codes::ER_WRONG_SPVAR_TYPE_IN_LIMIT, &[]))
    }
}

fn is_integer(ty: &DataType) -> bool {
    use TypeName as N;
    matches!(
        ty.name,
        N::TinyInt | N::SmallInt | N::MediumInt | N::Int | N::BigInt | N::Bit | N::Bool | N::Year
    )
}
