//! JSON_VALID, which the constraint of JSON columns asks.

use super::{Arguments, Call, Definition, Purity, Resolve, Stops, text};
use crate::error::SqlResult;
use crate::types::FieldType;
use crate::warning::Level;

pub(super) const LIST: &[Definition] = &[Definition {
    name: "json_valid",
    min: 1,
    max: 1,
    purity: Purity::Immutable,
    resolve: valid_type,
    eval: json_valid,
    arguments: Arguments::All,
    stops: Stops::Never,
}];

fn valid_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    let mut ty = FieldType::int(1);
    ty.boolean = true;
    Ok(ty)
}

fn json_valid(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(text) = super::utf8(c, 0) else { return c.null() };
    match text::check(&text) {
        Ok(()) => c.put_int(1),
        Err(trouble) => {
            super::tell(c, trouble, 0, Level::Note);
            c.put_int(0)
        }
    }
}
