//! Parameters of COM_STMT_EXECUTE and COM_STMT_BULK_EXECUTE, parsed in place.

use sql::result::Param;

use crate::protocol::column_type as ty;
use crate::wire::{Fields, Malformed};

/// Set in the second byte of a parameter's type.
const UNSIGNED: u8 = 0x80;

/// The fixed part of COM_STMT_EXECUTE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Execute<'a> {
    /// The statement; 0xffffffff = the one prepared last.
    pub statement: u32,
    /// Whether rows are to be kept for COM_STMT_FETCH.
    pub cursor: bool,
    /// Null bitmap, types and values.
    pub rest: &'a [u8],
}

impl<'a> Execute<'a> {
    /// Parses the payload behind the command byte.
    ///
    /// # Errors
    /// [`Malformed`] when it is shorter than 9 bytes.
    pub fn parse(payload: &'a [u8]) -> Result<Self, Malformed> {
        let mut fields = Fields::new(payload);
        let statement = fields.u32()?;
        let flags = fields.u8()?;
        // The iteration count is 1 always.
        fields.u32()?;
        Ok(Self { statement, cursor: flags & 1 != 0, rest: fields.rest() })
    }
}

/// Parses `count` values. `types` are those of the last execution and are replaced when the client sends new ones.
/// A parameter that has `long` data takes no value from the payload.
///
/// # Errors
/// [`Malformed`] when the payload ends early, or the client never sent types.
pub fn parse_values<'a>(
    rest: &'a [u8],
    count: usize,
    types: &mut Vec<[u8; 2]>,
    long: &'a [Option<Vec<u8>>],
    values: &mut Vec<Param<'a>>,
) -> Result<(), Malformed> {
    values.clear();
    if count == 0 {
        return Ok(());
    }
    let mut fields = Fields::new(rest);
    let nulls = fields.bytes(count.div_ceil(8))?;
    if fields.u8()? != 0 {
        let sent = fields.bytes(count * 2)?;
        types.clear();
        types.extend(sent.chunks_exact(2).map(|t| [t[0], t[1]]));
    }
    if types.len() != count {
        return Err(Malformed);
    }
    for (i, &kind) in types.iter().enumerate() {
        let value = if let Some(Some(data)) = long.get(i) {
            bytes_of(kind, data)
        } else if nulls[i / 8] & (1 << (i % 8)) != 0 {
            Param::Null
        } else {
            parse_value(&mut fields, kind)?
        };
        values.push(value);
    }
    Ok(())
}

/// One value of the type the client declared.
#[inline]
fn parse_value<'a>(fields: &mut Fields<'a>, [kind, flags]: [u8; 2]) -> Result<Param<'a>, Malformed> {
    let unsigned = flags & UNSIGNED != 0;
    Ok(match kind {
        ty::LONGLONG if unsigned => Param::UInt(fields.u64()?),
        ty::LONGLONG => Param::Int(fields.u64()? as i64),
        ty::LONG | ty::INT24 if unsigned => Param::UInt(u64::from(fields.u32()?)),
        ty::LONG | ty::INT24 => Param::Int(i64::from(fields.u32()? as i32)),
        ty::SHORT | ty::YEAR if unsigned => Param::UInt(u64::from(fields.u16()?)),
        ty::SHORT | ty::YEAR => Param::Int(i64::from(fields.u16()? as i16)),
        ty::TINY if unsigned => Param::UInt(u64::from(fields.u8()?)),
        ty::TINY => Param::Int(i64::from(fields.u8()? as i8)),
        ty::DOUBLE => Param::Double(f64::from_bits(fields.u64()?)),
        ty::FLOAT => Param::Float(f32::from_bits(fields.u32()?)),
        ty::DATE | ty::DATETIME | ty::TIMESTAMP | ty::NEWDATE | ty::TIMESTAMP2 | ty::DATETIME2 => {
            parse_moment(fields, kind)?
        }
        ty::TIME | ty::TIME2 => parse_time(fields)?,
        ty::NULL => Param::Null,
        ty::DECIMAL | ty::NEWDECIMAL => Param::Decimal(fields.lenenc_bytes()?),
        _ => bytes_of([kind, flags], fields.lenenc_bytes()?),
    })
}

fn bytes_of([kind, _]: [u8; 2], value: &[u8]) -> Param<'_> {
    let binary =
        matches!(kind, ty::TINY_BLOB | ty::MEDIUM_BLOB | ty::LONG_BLOB | ty::BLOB | ty::BIT | ty::GEOMETRY);
    Param::Bytes { value, binary }
}

/// Length 0, 4, 7 or 11; what is missing is zero. Longer ones are read as far as known.
fn parse_moment<'a>(fields: &mut Fields<'a>, kind: u8) -> Result<Param<'a>, Malformed> {
    let mut parts = Fields::new(fields.lenenc_bytes()?);
    let (mut year, mut month, mut day, mut hour, mut minute, mut second, mut micros) = (0, 0, 0, 0, 0, 0, 0);
    if !parts.is_empty() {
        (year, month, day) = (parts.u16()?, parts.u8()?, parts.u8()?);
    }
    if kind == ty::DATE || kind == ty::NEWDATE {
        return Ok(Param::Date { year, month, day });
    }
    if !parts.is_empty() {
        (hour, minute, second) = (parts.u8()?, parts.u8()?, parts.u8()?);
    }
    if !parts.is_empty() {
        micros = parts.u32()?;
    }
    Ok(Param::DateTime { year, month, day, hour, minute, second, micros })
}

/// Length 0, 8 or 12.
fn parse_time<'a>(fields: &mut Fields<'a>) -> Result<Param<'a>, Malformed> {
    let mut parts = Fields::new(fields.lenenc_bytes()?);
    if parts.is_empty() {
        return Ok(Param::Time { negative: false, hours: 0, minutes: 0, seconds: 0, micros: 0 });
    }
    let negative = parts.u8()? != 0;
    let days = parts.u32()?;
    let (hours, minutes, seconds) = (parts.u8()?, parts.u8()?, parts.u8()?);
    let micros = if parts.is_empty() { 0 } else { parts.u32()? };
    let hours = days.saturating_mul(24).saturating_add(u32::from(hours));
    Ok(Param::Time { negative, hours, minutes, seconds, micros })
}

/// COM_STMT_BULK_EXECUTE: one statement, many sets of parameters.
#[derive(Debug, Clone, Copy)]
pub struct Bulk<'a> {
    /// The statement; 0xffffffff = the one prepared last.
    pub statement: u32,
    /// Whether types follow.
    types: bool,
    rest: Fields<'a>,
}

impl<'a> Bulk<'a> {
    /// Parses the payload behind the command byte.
    ///
    /// # Errors
    /// [`Malformed`] when it is shorter than 6 bytes.
    pub fn parse(payload: &'a [u8]) -> Result<Self, Malformed> {
        let mut rest = Fields::new(payload);
        let statement = rest.u32()?;
        let flags = rest.u16()?;
        Ok(Self { statement, types: flags & 0x80 != 0, rest })
    }

    /// Reads the types, when they were sent.
    ///
    /// # Errors
    /// [`Malformed`] when the payload ends early.
    pub fn read_types(&mut self, count: usize, types: &mut Vec<[u8; 2]>) -> Result<(), Malformed> {
        if self.types {
            types.clear();
            types.extend(self.rest.bytes(count * 2)?.chunks_exact(2).map(|t| [t[0], t[1]]));
        }
        if types.len() == count { Ok(()) } else { Err(Malformed) }
    }

    /// Reads the next set; whether there was one. An indicator stands before each value: 0 for one that follows.
    ///
    /// # Errors
    /// [`Malformed`] when the payload ends early or holds an unknown indicator.
    pub fn next_set(&mut self, types: &[[u8; 2]], values: &mut Vec<Param<'a>>) -> Result<bool, Malformed> {
        values.clear();
        if self.rest.is_empty() || types.is_empty() {
            return Ok(false);
        }
        for &kind in types {
            let value = match self.rest.u8()? {
                0 => parse_value(&mut self.rest, kind)?,
                1 => Param::Null,
                2 => Param::Default,
                3 => Param::Ignore,
                _ => return Err(Malformed),
            };
            values.push(value);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sysbench_execute_parses_with_and_without_types() {
        let first = b"\x01\0\0\0\0\x01\0\0\0\0\x01\x08\0\xf4\x01\0\0\0\0\0\0";
        let execute = Execute::parse(first).expect("execute");
        assert_eq!((execute.statement, execute.cursor), (1, false));
        let (mut types, mut values) = (Vec::new(), Vec::new());
        parse_values(execute.rest, 1, &mut types, &[], &mut values).expect("values");
        assert_eq!(values, [Param::Int(500)]);
        let again = Execute::parse(b"\x01\0\0\0\0\x01\0\0\0\0\0\xf7\x01\0\0\0\0\0\0").expect("execute");
        parse_values(again.rest, 1, &mut types, &[], &mut values).expect("values");
        assert_eq!(values, [Param::Int(503)]);
        // Types were never sent.
        assert_eq!(parse_values(again.rest, 1, &mut Vec::new(), &[], &mut values), Err(Malformed));
    }

    #[test]
    fn all_types_parse() {
        let mut rest = vec![0b0000_0010, 0, 1];
        let kinds: [[u8; 2]; 9] = [
            [ty::TINY, UNSIGNED],
            [ty::LONG, 0],
            [ty::SHORT, 0],
            [ty::DOUBLE, 0],
            [ty::VAR_STRING, 0],
            [ty::BLOB, 0],
            [ty::DATE, 0],
            [ty::DATETIME, 0],
            [ty::TIME, 0],
        ];
        kinds.iter().for_each(|k| rest.extend_from_slice(k));
        rest.push(255);
        rest.extend_from_slice(&(-2i16).to_le_bytes());
        rest.extend_from_slice(&1.5f64.to_le_bytes());
        rest.extend_from_slice(b"\x03abc");
        rest.extend_from_slice(&[4, 0xe8, 7, 1, 2]);
        rest.extend_from_slice(&[7, 0xe8, 7, 1, 2, 3, 4, 5]);
        rest.extend_from_slice(&[8, 1, 2, 0, 0, 0, 1, 2, 3]);
        let long = [None, None, None, None, None, Some(b"long".to_vec())];
        let mut values = Vec::new();
        parse_values(&rest, 9, &mut Vec::new(), &long, &mut values).expect("values");
        assert_eq!(
            values,
            [
                Param::UInt(255),
                Param::Null,
                Param::Int(-2),
                Param::Double(1.5),
                Param::Bytes { value: b"abc", binary: false },
                Param::Bytes { value: b"long", binary: true },
                Param::Date { year: 2024, month: 1, day: 2 },
                Param::DateTime { year: 2024, month: 1, day: 2, hour: 3, minute: 4, second: 5, micros: 0 },
                Param::Time { negative: true, hours: 49, minutes: 2, seconds: 3, micros: 0 },
            ]
        );
        for end in 0..rest.len() {
            assert_eq!(parse_values(&rest[..end], 9, &mut Vec::new(), &long, &mut values), Err(Malformed));
        }
    }

    proptest::proptest! {
        #[test]
        fn any_parameters_are_parsed_or_refused(
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..100),
            count in 0usize..20,
        ) {
            let long = [None, Some(vec![1])];
            let (mut types, mut values) = (Vec::new(), Vec::new());
            let _ = parse_values(&bytes, count, &mut types, &long, &mut values);
            if let Ok(mut bulk) = Bulk::parse(&bytes) && bulk.read_types(count, &mut types).is_ok() {
                while let Ok(true) = bulk.next_set(&types, &mut values) {}
            }
            let _ = Execute::parse(&bytes);
        }
    }
}
