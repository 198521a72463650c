//! The column of a table that holds the values of a type.

use std::sync::Arc;

use schema::definition::{ColumnDef, ColumnType, DefaultValue, NOT_FIXED_DECIMALS};

use super::{FieldType, Kind};
use crate::result::NOT_FIXED_DEC;

/// Most bytes of a VARCHAR.
pub const MAX_VARCHAR: u64 = 65532;

/// A column that holds the values of an expression.
#[must_use]
pub fn column_of(name: &str, ty: &FieldType) -> ColumnDef {
    let ty = &ty.fixed();
    let stored = match ty.kind {
        Kind::Null => ColumnType::Char { bytes: 0 },
        Kind::Tiny => ColumnType::Tiny,
        Kind::Short => ColumnType::Short,
        Kind::Int24 => ColumnType::Int24,
        Kind::Long => ColumnType::Long,
        Kind::LongLong => ColumnType::LongLong,
        Kind::Float | Kind::Double => {
            let decimals = if ty.decimals == NOT_FIXED_DEC { NOT_FIXED_DECIMALS } else { ty.decimals };
            if ty.kind == Kind::Float {
                ColumnType::Float { decimals }
            } else {
                ColumnType::Double { decimals }
            }
        }
        Kind::Decimal => ColumnType::Decimal { precision: ty.precision(), scale: ty.decimals },
        Kind::Year => ColumnType::Year,
        Kind::Bit => ColumnType::Bit { bits: ty.length.clamp(1, 64) as u8, as_char: false },
        Kind::Date => ColumnType::Date,
        Kind::Time => ColumnType::Time { decimals: ty.decimals.min(6) },
        Kind::DateTime => ColumnType::DateTime { decimals: ty.decimals.min(6) },
        Kind::Timestamp => ColumnType::Timestamp { decimals: ty.decimals.min(6) },
        Kind::Char => ColumnType::Char { bytes: ty.length.min(65535) as u16 },
        Kind::Varchar if ty.length == 0 => ColumnType::Char { bytes: 0 },
        Kind::Varchar if u64::from(ty.length) <= MAX_VARCHAR => {
            ColumnType::Varchar { bytes: ty.length as u16 }
        }
        Kind::Enum | Kind::Set => match (&ty.values, ty.kind) {
            (Some(v), Kind::Enum) => ColumnType::Enum { values: Arc::clone(v) },
            (Some(v), _) => ColumnType::Set { values: Arc::clone(v) },
            (None, _) => ColumnType::Varchar { bytes: ty.length.min(65532) as u16 },
        },
        Kind::TinyBlob => ColumnType::Blob { length_bytes: 1 },
        Kind::Varchar | Kind::Blob => {
            ColumnType::Blob { length_bytes: if ty.length > 65535 { 3 } else { 2 } }
        }
        Kind::MediumBlob => ColumnType::Blob { length_bytes: 3 },
        // a parameter tells how long it is
        Kind::LongBlob => ColumnType::Blob {
            length_bytes: match ty.length {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                0x1_0000..=0xff_fffe => 3,
                _ => 4,
            },
        },
        Kind::Geometry => ColumnType::Geometry { kind: ty.geometry_kind(), srid: 0 },
        Kind::Uuid => ColumnType::Uuid,
        Kind::Inet4 => ColumnType::Inet4,
        Kind::Inet6 => ColumnType::Inet6,
    };
    let mut c = ColumnDef::new(name, stored, ty.collation);
    c.unsigned = ty.unsigned;
    c.zerofill = ty.zerofill;
    if c.ty.is_integer() || matches!(c.ty, ColumnType::Float { .. } | ColumnType::Double { .. }) {
        c.width = if ty.zerofill { u16::from(ty.zeros) } else { ty.length.min(255) as u16 };
    }
    if c.ty == ColumnType::Year && ty.length == 2 {
        c.width = 2;
    }
    c.nullable = ty.nullable;
    c.default = if ty.nullable { DefaultValue::Null } else { DefaultValue::None };
    c
}
