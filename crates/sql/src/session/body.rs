//! What is asked of the body of a routine or trigger before it is kept or run.

use crate::ast::program::{Instruction, Program};
use crate::ast::{SetItem, Statement};
use crate::error::{self, SqlError, SqlResult};
use crate::variables::definitions;

/// Whether the system variables that a body sets are there.
///
/// # Errors
/// 1193.
pub(crate) fn known_variables(program: &Program) -> SqlResult<()> {
    for i in &program.code {
        let Instruction::Statement(s) = i else { continue };
        let Statement::Set(items) = &**s else { continue };
        for item in items {
            if let SetItem::System(v, _) = item
                && v.base.is_none()
                && definitions().find(&v.name).is_none()
            {
                return Err(SqlError::new(error::ER_UNKNOWN_SYSTEM_VARIABLE, &[&v.name]));
            }
        }
    }
    Ok(())
}
