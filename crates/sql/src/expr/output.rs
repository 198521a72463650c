//! Values into a result sink, as the type shows them.

use super::EvalContext;
use crate::result::ResultSink;
use crate::types::{FieldType, ValueRef};

/// Puts one value of type `ty` into the sink: text is converted to `character_set_results`, ENUM
/// and SET become their words, BIT its bytes, ZEROFILL is applied.
pub fn put(_value: ValueRef<'_>, _ty: &FieldType, _sink: &mut dyn ResultSink, _ctx: &mut EvalContext) {
    todo!()
}
