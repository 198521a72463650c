//! Rows as text in a file: the form of SELECT ... INTO OUTFILE.

use crate::ast::FileFormat;
use crate::number;
use crate::types::temporal::format::{write_date, write_datetime, write_time};
use crate::types::{Batch, FieldType, Kind, Value};

/// The text of a value as a file or DUMPFILE holds it.
pub(super) fn value_text(v: &Value, ty: &FieldType, out: &mut Vec<u8>) {
    let digits = if ty.decimals > 6 { 6 } else { ty.decimals };
    match v {
        Value::Null => {}
        Value::Int(i) => number::put_int(out, *i),
        Value::UInt(n) => match (&ty.values, ty.kind) {
            (Some(members), Kind::Enum) => {
                if let Some(m) = n.checked_sub(1).and_then(|i| members.get(i as usize)) {
                    out.extend_from_slice(m);
                }
            }
            (Some(members), Kind::Set) => {
                let mut first = true;
                for (i, m) in members.iter().enumerate() {
                    if n & (1 << i) != 0 {
                        if !first {
                            out.push(b',');
                        }
                        first = false;
                        out.extend_from_slice(m);
                    }
                }
            }
            (_, Kind::Bit) => {
                let bytes = (ty.length as usize).div_ceil(8).min(8);
                out.extend_from_slice(&n.to_be_bytes()[8 - bytes..]);
            }
            _ => number::put_uint(out, *n),
        },
        Value::Double(d) if ty.kind == Kind::Float => number::put_float(out, *d as f32, ty.decimals),
        Value::Double(d) => number::put_double(out, *d, ty.decimals),
        Value::Decimal(d) => out.extend_from_slice(d.to_string().as_bytes()),
        Value::Bytes(b) => out.extend_from_slice(b),
        Value::Date(d) => write_date(*d, out),
        Value::Time(t) => write_time(*t, digits, out),
        Value::DateTime(d) => write_datetime(*d, digits, out),
    }
}

/// Writes one row.
pub(super) fn write_row(f: &FileFormat, types: &[FieldType], rows: &Batch, row: usize, out: &mut Vec<u8>) {
    let terminator: &[u8] = f.field_terminator.as_deref().unwrap_or(b"\t");
    let line_end: &[u8] = f.line_terminator.as_deref().unwrap_or(b"\n");
    let escape = f.escaped.as_deref().map_or(Some(b'\\'), |e| e.first().copied());
    let quote = f.enclosed.as_deref().and_then(|e| e.first().copied());
    out.extend_from_slice(f.line_start.as_deref().unwrap_or(b""));
    let mut text = Vec::new();
    for (i, ty) in types.iter().enumerate() {
        if i > 0 {
            out.extend_from_slice(terminator);
        }
        let value = rows.columns[i].value(row);
        let enclosed = quote.filter(|_| !f.optionally || ty.is_string() || ty.is_temporal());
        if value.is_null() {
            match escape {
                Some(e) => out.extend_from_slice(&[e, b'N']),
                None => out.extend_from_slice(b"NULL"),
            }
            continue;
        }
        text.clear();
        value_text(&value, ty, &mut text);
        if let Some(q) = enclosed {
            out.push(q);
        }
        for &b in &text {
            let special = match escape {
                None => false,
                Some(e) => {
                    b == e
                        || b == 0
                        || match enclosed {
                            Some(q) => b == q,
                            None => {
                                terminator.first() == Some(&b)
                                    || line_end.first() == Some(&b)
                                    || quote == Some(b)
                            }
                        }
                }
            };
            if special && let Some(e) = escape {
                out.push(e);
                out.push(if b == 0 { b'0' } else { b });
            } else {
                out.push(b);
            }
        }
        if let Some(q) = enclosed {
            out.push(q);
        }
    }
    out.extend_from_slice(line_end);
}
