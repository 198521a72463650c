//! Values of types that a column does not take (4078): told once for a statement, before any of its rows.

use super::field::FieldType;
use super::store::Column;
use crate::error::{SqlError, SqlResult};
use crate::types::context::ConversionContext;
use crate::warning::Level;

/// What is to be told of the assignments of a statement.
#[derive(Default)]
pub struct Casts(Vec<SqlError>);

impl Casts {
    /// Looks at one assignment more.
    pub fn add(&mut self, to: &Column, from: &FieldType) {
        self.0.extend(to.takes(from).err());
    }

    /// Others are told after these.
    pub fn append(&mut self, others: Casts) {
        self.0.extend(others.0);
    }

    /// Tells it: as warnings, or the first as the error of a strict statement.
    ///
    /// # Errors
    /// 4078.
    pub fn tell(&self, strict: bool, ctx: &mut ConversionContext) -> SqlResult<()> {
        for e in &self.0 {
            if strict {
                return Err(e.clone());
            }
            ctx.warnings.push_error(Level::Warning, e);
        }
        Ok(())
    }
}
