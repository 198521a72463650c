//! Values of system variables: how SET takes them and how SHOW prints them.

use std::fmt::Write as _;
use std::sync::Arc;

use charset::{Charset, Collation};

use super::definition::{VarDef, VarKind};
use crate::error::{self, SqlError};

/// The value of a system variable.
#[derive(Clone, Debug, PartialEq)]
pub enum VarValue {
    /// NULL.
    Null,
    /// ON or OFF.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A floating-point number.
    Double(f64),
    /// A text.
    Text(Arc<str>),
    /// The place of the word in the list of an enumeration.
    Word(u16),
    /// The members of a set or the switches that are on.
    Bits(u64),
}

/// A value on the right side of SET, before it is fitted to a variable.
#[derive(Clone, Debug)]
pub enum Assigned<'a> {
    /// NULL.
    Null,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    UInt(u64),
    /// A decimal or floating-point number with its text.
    Real(f64, &'a str),
    /// A text or a bare word.
    Text(&'a str),
}

impl Assigned<'_> {
    /// The text that error messages name.
    pub fn text(&self) -> String {
        match self {
            Assigned::Null => "NULL".into(),
            Assigned::Int(v) => v.to_string(),
            Assigned::UInt(v) => v.to_string(),
            Assigned::Real(_, t) => (*t).into(),
            Assigned::Text(t) => (*t).into(),
        }
    }
}

impl VarValue {
    /// The value as `SHOW VARIABLES` prints it; `None` is NULL.
    pub fn show(&self, kind: &VarKind) -> Option<String> {
        Some(match self {
            VarValue::Null => return None,
            VarValue::Bool(v) => (if *v { "ON" } else { "OFF" }).into(),
            VarValue::Int(v) => v.to_string(),
            VarValue::UInt(v) => v.to_string(),
            VarValue::Double(v) => format!("{v:.6}"),
            VarValue::Text(t) => t.to_string(),
            VarValue::Word(i) => match kind {
                VarKind::Enum(words) => words.get(usize::from(*i)).copied().unwrap_or("").into(),
                _ => String::new(),
            },
            VarValue::Bits(bits) => match kind {
                VarKind::Set(words) => set_text(words, *bits),
                VarKind::Flags(words) => flag_text(words, *bits),
                _ => String::new(),
            },
        })
    }

    /// As an unsigned integer; 0 when it is none.
    pub fn as_u64(&self) -> u64 {
        match self {
            VarValue::UInt(v) | VarValue::Bits(v) => *v,
            VarValue::Int(v) => (*v).max(0) as u64,
            VarValue::Bool(v) => u64::from(*v),
            VarValue::Word(v) => u64::from(*v),
            VarValue::Double(v) => *v as u64,
            _ => 0,
        }
    }

    /// As a truth value.
    pub fn as_bool(&self) -> bool {
        match self {
            VarValue::Bool(v) => *v,
            other => other.as_u64() != 0,
        }
    }

    /// As text; empty when it is none.
    pub fn as_text(&self) -> &str {
        match self {
            VarValue::Text(t) => t,
            _ => "",
        }
    }

    /// As a floating-point number.
    pub fn as_f64(&self) -> f64 {
        match self {
            VarValue::Double(v) => *v,
            other => other.as_u64() as f64,
        }
    }
}

/// What became of an assigned value.
pub struct Fitted {
    /// The value to store.
    pub value: VarValue,
    /// Whether it was cut to the variable's range: warning 1292 is due.
    pub clipped: bool,
}

fn exact(value: VarValue) -> Result<Fitted, SqlError> {
    Ok(Fitted { value, clipped: false })
}

fn wrong_type(def: &VarDef) -> SqlError {
    SqlError::new(error::ER_WRONG_TYPE_FOR_VAR, &[&def.spelled])
}

fn wrong_value(def: &VarDef, v: &Assigned<'_>) -> SqlError {
    SqlError::new(error::ER_WRONG_VALUE_FOR_VAR, &[&def.spelled, &v.text()])
}

/// Fits an assigned value to a variable.
///
/// # Errors
/// 1231 for a value that is not allowed, 1232 for a wrong type, 1115, 1273 and 1286 for
/// unknown character sets, collations and engines, 1649 for unknown locales.
pub fn fit(def: &VarDef, v: &Assigned<'_>, now: &VarValue, strict: bool) -> Result<Fitted, SqlError> {
    match &def.kind {
        VarKind::Bool => fit_bool(def, v),
        VarKind::Int { min, max, block, .. } => {
            let range = (i128::from(*min), i128::from(*max), i128::from(*block));
            let (got, clipped) = clip(def, v, integer(def, v)?, range, strict)?;
            Ok(Fitted { value: VarValue::Int(got as i64), clipped })
        }
        VarKind::UInt { min, max, block, .. } => {
            let range = (i128::from(*min), i128::from(*max), i128::from(*block));
            let (got, clipped) = clip(def, v, integer(def, v)?, range, strict)?;
            Ok(Fitted { value: VarValue::UInt(got as u64), clipped })
        }
        VarKind::Double { min, max } => {
            let asked = match v {
                Assigned::Int(i) => *i as f64,
                Assigned::UInt(u) => *u as f64,
                Assigned::Real(d, _) => *d,
                _ => return Err(wrong_type(def)),
            };
            let got = asked.clamp(*min, *max);
            if got != asked && strict {
                return Err(wrong_value(def, v));
            }
            Ok(Fitted { value: VarValue::Double(got), clipped: got != asked })
        }
        VarKind::Text => match v {
            Assigned::Text(t) => exact(VarValue::Text(Arc::from(*t))),
            Assigned::Null => exact(VarValue::Null),
            _ => Err(wrong_type(def)),
        },
        VarKind::Enum(words) => fit_enum(def, words, v),
        VarKind::Set(words) => match v {
            Assigned::Text(t) if t.eq_ignore_ascii_case("all") && def.name == "log_slow_filter" => {
                exact(VarValue::Bits((1 << words.len()) - 1))
            }
            Assigned::Text(t) => bits(def, set_bits(words, t)),
            _ => fit_bits(def, words, v),
        },
        VarKind::Flags(words) => match v {
            Assigned::Text(t) => bits(def, flag_bits(words, t, now.as_u64(), def.default.as_u64())),
            _ => fit_bits(def, words, v),
        },
        VarKind::Charset { nullable } => fit_charset(def, *nullable, v),
        VarKind::Collation => fit_collation(def, v),
        VarKind::Engine { nullable } => fit_engine(def, *nullable, v),
        VarKind::Locale => match v {
            Assigned::Text(t) => match super::locale::canonical(t) {
                Some(name) => exact(VarValue::Text(Arc::from(name))),
                None => Err(SqlError::new(error::ER_UNKNOWN_LOCALE, &[t])),
            },
            Assigned::Int(_) | Assigned::UInt(_) => {
                let number = match v {
                    Assigned::Int(n) => i128::from(*n),
                    Assigned::UInt(n) => i128::from(*n),
                    _ => -1,
                };
                match super::locale::numbered(number) {
                    Some(name) => exact(VarValue::Text(Arc::from(name))),
                    None => Err(SqlError::new(error::ER_UNKNOWN_LOCALE, &[&v.text()])),
                }
            }
            Assigned::Null => Err(wrong_value(def, v)),
            Assigned::Real(..) => Err(wrong_type(def)),
        },
    }
}

fn integer(def: &VarDef, v: &Assigned<'_>) -> Result<i128, SqlError> {
    match v {
        Assigned::Int(i) => Ok(i128::from(*i)),
        Assigned::UInt(u) => Ok(i128::from(*u)),
        _ => Err(wrong_type(def)),
    }
}

fn bits<W: std::fmt::Display>(def: &VarDef, bits: Result<u64, W>) -> Result<Fitted, SqlError> {
    match bits {
        Ok(bits) => exact(VarValue::Bits(bits)),
        Err(word) => Err(SqlError::new(error::ER_WRONG_VALUE_FOR_VAR, &[&def.spelled, &word])),
    }
}

/// The number of a set of words.
fn fit_bits(def: &VarDef, words: &[&str], v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    match v {
        Assigned::Int(i) if *i >= 0 && fits_bits(words, *i as u64) => exact(VarValue::Bits(*i as u64)),
        Assigned::UInt(u) if fits_bits(words, *u) => exact(VarValue::Bits(*u)),
        Assigned::Real(..) => Err(wrong_type(def)),
        _ => Err(wrong_value(def, v)),
    }
}

fn fit_charset(def: &VarDef, nullable: bool, v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    match v {
        Assigned::Text(t) => match Charset::by_name(t) {
            Some(cs) => exact(VarValue::Text(Arc::from(cs.name))),
            None => Err(SqlError::new(error::ER_UNKNOWN_CHARACTER_SET, &[t])),
        },
        Assigned::Null if nullable => exact(VarValue::Null),
        Assigned::Null => Err(wrong_value(def, v)),
        Assigned::Int(i) => charset_by_number(u16::try_from(*i).unwrap_or(0), v),
        Assigned::UInt(u) => charset_by_number(u16::try_from(*u).unwrap_or(0), v),
        Assigned::Real(..) => Err(wrong_type(def)),
    }
}

fn fit_collation(def: &VarDef, v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    match v {
        Assigned::Text(t) => match Collation::by_name(t) {
            Some(c) => exact(VarValue::Text(Arc::from(c.name))),
            None => Err(SqlError::new(error::ER_UNKNOWN_COLLATION, &[t])),
        },
        Assigned::Null => Err(wrong_value(def, v)),
        Assigned::Int(i) => collation_by_number(u16::try_from(*i).unwrap_or(0), v),
        Assigned::UInt(u) => collation_by_number(u16::try_from(*u).unwrap_or(0), v),
        Assigned::Real(..) => Err(wrong_type(def)),
    }
}

fn fit_engine(def: &VarDef, nullable: bool, v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    match v {
        Assigned::Text(t) => match crate::names::canonical_engine(t) {
            Some(name) => exact(VarValue::Text(Arc::from(name))),
            None if nullable && t.is_empty() => exact(VarValue::Text(Arc::from(""))),
            None => Err(SqlError::new(error::ER_UNKNOWN_STORAGE_ENGINE, &[t])),
        },
        Assigned::Null if nullable => exact(VarValue::Text(Arc::from(""))),
        Assigned::Null => Err(wrong_value(def, v)),
        _ => Err(wrong_type(def)),
    }
}

fn charset_by_number(id: u16, v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    match Collation::by_id(id) {
        Some(c) => exact(VarValue::Text(Arc::from(c.charset.name))),
        None => Err(SqlError::new(error::ER_UNKNOWN_CHARACTER_SET, &[&v.text()])),
    }
}

fn collation_by_number(id: u16, v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    match Collation::by_id(id) {
        Some(c) => exact(VarValue::Text(Arc::from(c.name))),
        None => Err(SqlError::new(error::ER_UNKNOWN_COLLATION, &[&v.text()])),
    }
}

fn fit_bool(def: &VarDef, v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    match v {
        Assigned::Int(0) | Assigned::UInt(0) => exact(VarValue::Bool(false)),
        Assigned::Int(1) | Assigned::UInt(1) => exact(VarValue::Bool(true)),
        Assigned::Text(t) if t.eq_ignore_ascii_case("on") => exact(VarValue::Bool(true)),
        Assigned::Text(t) if t.eq_ignore_ascii_case("off") => exact(VarValue::Bool(false)),
        Assigned::Real(..) => Err(wrong_type(def)),
        _ => Err(wrong_value(def, v)),
    }
}

fn fit_enum(def: &VarDef, words: &[&'static str], v: &Assigned<'_>) -> Result<Fitted, SqlError> {
    let place = match v {
        Assigned::Text(t) => words.iter().position(|w| w.eq_ignore_ascii_case(t)),
        Assigned::Int(i) => usize::try_from(*i).ok().filter(|i| *i < words.len()),
        Assigned::UInt(u) => usize::try_from(*u).ok().filter(|i| *i < words.len()),
        Assigned::Real(..) => return Err(wrong_type(def)),
        Assigned::Null => None,
    };
    match place {
        Some(i) => exact(VarValue::Word(i as u16)),
        None => Err(wrong_value(def, v)),
    }
}

fn clip(
    def: &VarDef,
    v: &Assigned<'_>,
    asked: i128,
    (min, max, block): (i128, i128, i128),
    strict: bool,
) -> Result<(i128, bool), SqlError> {
    let mut got = asked.min(max);
    if block > 1 {
        got -= got.rem_euclid(block);
    }
    got = got.max(min);
    if got != asked && strict {
        return Err(wrong_value(def, v));
    }
    Ok((got, got != asked))
}

fn fits_bits(words: &[&str], bits: u64) -> bool {
    words.len() >= 64 || bits < 1 << words.len()
}

/// The bits of a list of set members; the offending word when one is unknown.
pub fn set_bits(words: &[&str], text: &str) -> Result<u64, String> {
    let mut bits = 0;
    for word in text.split(',') {
        let word = word.trim_end_matches(' ');
        if word.is_empty() {
            continue;
        }
        match words.iter().position(|w| w.eq_ignore_ascii_case(word)) {
            Some(i) => bits |= 1 << i,
            None => return Err(word.to_string()),
        }
    }
    Ok(bits)
}

fn set_text(words: &[&str], bits: u64) -> String {
    let mut out = String::new();
    for (i, w) in words.iter().enumerate().take(64) {
        if bits & (1 << i) != 0 {
            if !out.is_empty() {
                out.push(',');
            }
            out.push_str(w);
        }
    }
    out
}

/// Applies `name=on,other=off,default` to switches; the offending part when one is wrong.
pub fn flag_bits(words: &[&str], text: &str, now: u64, default: u64) -> Result<u64, String> {
    let mut bits = now;
    for part in text.split(',') {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        if part.eq_ignore_ascii_case("default") {
            bits = default;
            continue;
        }
        let (name, state) = part.split_once('=').ok_or_else(|| part.to_string())?;
        let place =
            words.iter().position(|w| w.eq_ignore_ascii_case(name.trim())).ok_or_else(|| part.to_string())?;
        let on = match state.trim() {
            s if s.eq_ignore_ascii_case("on") => true,
            s if s.eq_ignore_ascii_case("off") => false,
            s if s.eq_ignore_ascii_case("default") => default & (1 << place) != 0,
            _ => return Err(part.to_string()),
        };
        if on {
            bits |= 1 << place;
        } else {
            bits &= !(1 << place);
        }
    }
    Ok(bits)
}

fn flag_text(words: &[&str], bits: u64) -> String {
    let mut out = String::new();
    for (i, w) in words.iter().enumerate() {
        // The list of words ends in the word `default`, which is no switch.
        if *w == "default" {
            continue;
        }
        if !out.is_empty() {
            out.push(',');
        }
        let _ = write!(out, "{w}={}", if bits & (1 << i) != 0 { "on" } else { "off" });
    }
    out
}
