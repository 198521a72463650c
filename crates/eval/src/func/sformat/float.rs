//! Floating-point numbers in SFORMAT.

use super::Outcome;
use super::spec::{Align, Spec};
use super::write::{grouped, padded, sign};

/// Digits of a number, and how many of them stand before the point.
struct Digits {
    digits: Vec<u8>,
    before: i32,
}

/// What the text of a number is, without its sign.
struct Body {
    text: Vec<u8>,
    /// What is taken for its length where it is padded.
    width: usize,
}

/// Writes `v`; `narrow` is the same number where it is a FLOAT.
pub(super) fn write(v: f64, narrow: Option<f32>, spec: &Spec<'_>, out: &mut Vec<u8>) -> Outcome<()> {
    let upper = spec.kind.is_ascii_uppercase();
    let size = v.abs();
    let mut body = match spec.kind.to_ascii_lowercase() {
        b'a' => {
            let text = hexadecimal(size, spec);
            Body { width: text.len(), text }
        }
        b'e' => {
            let precision = spec.precision.unwrap_or(6);
            exponential(&exact(size, precision + 1), precision, spec)
        }
        b'f' => plain(&fixed(size, spec.precision.unwrap_or(6)), spec.precision.unwrap_or(6), true, spec),
        b'g' => general(size, spec.precision.unwrap_or(6).max(1), spec),
        0 => match spec.precision {
            Some(p) => general(size, p.max(1), spec),
            None => shortest(size, narrow.map(f32::abs), spec),
        },
        _ => return Err("invalid type specifier".into()),
    };
    if upper {
        body.text.make_ascii_uppercase();
    }
    let sign = sign(v.is_sign_negative(), spec);
    if spec.align == Align::Numeric {
        out.extend_from_slice(sign);
        let rest = Spec { width: spec.width.saturating_sub(sign.len()), ..spec.clone() };
        padded(&body.text, body.width, Align::Right, &rest, out);
        return Ok(());
    }
    let text = [sign, &body.text].concat();
    padded(&text, body.width + sign.len(), Align::Right, spec, out);
    Ok(())
}

/// A double has no digits but 0 behind so many.
const DIGITS: usize = 1100;

/// So many significant digits.
fn exact(v: f64, significant: usize) -> Digits {
    let mut d = split(&format!("{:.*e}", (significant - 1).min(DIGITS), v));
    d.digits.resize(significant.max(d.digits.len()), b'0');
    d
}

/// The digits of a number in Rust's form with an exponent.
fn split(text: &str) -> Digits {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    Digits { digits, before: exponent.parse::<i32>().unwrap_or(0) + 1 }
}

/// All digits up to so many behind the point.
fn fixed(v: f64, decimals: usize) -> Digits {
    let text = format!("{v:.*}", decimals.min(DIGITS));
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let mut digits = format!("{whole}{part}").into_bytes();
    digits.resize(digits.len() + decimals.saturating_sub(DIGITS), b'0');
    let zeros = digits.iter().take_while(|b| **b == b'0').count();
    digits.drain(..zeros);
    Digits { before: whole.len() as i32 - zeros as i32, digits }
}

fn general(v: f64, precision: usize, spec: &Spec<'_>) -> Body {
    let mut d = exact(v, precision);
    if !spec.alternate || v == 0.0 {
        trim(&mut d);
    }
    let exponent = d.before - 1;
    if v != 0.0 && (exponent < -4 || exponent >= precision as i32) {
        exponential(&d, precision - 1, spec)
    } else {
        plain(&d, precision, false, spec)
    }
}

/// As few digits as tell the number from its neighbours.
fn shortest(v: f64, narrow: Option<f32>, spec: &Spec<'_>) -> Body {
    let mut d = split(&narrow.map_or_else(|| format!("{v:e}"), |v| format!("{v:e}")));
    trim(&mut d);
    let exponent = d.before - 1;
    if v != 0.0 && !(-4..16).contains(&exponent) {
        exponential(&d, 0, spec)
    } else {
        plain(&d, 0, false, spec)
    }
}

fn trim(d: &mut Digits) {
    while d.digits.len() > 1 && d.digits.last() == Some(&b'0') {
        d.digits.pop();
    }
}

fn exponential(d: &Digits, precision: usize, spec: &Spec<'_>) -> Body {
    let mut text = vec![d.digits[0]];
    if d.digits.len() > 1 || spec.alternate {
        text.push(b'.');
        text.extend_from_slice(&d.digits[1..]);
        if spec.alternate {
            text.resize(text.len() + (precision + 1).saturating_sub(d.digits.len()), b'0');
        }
    }
    let zero = d.digits.iter().all(|b| *b == b'0');
    let exponent = if zero { 0 } else { d.before - 1 };
    let mark = if exponent < 0 { '-' } else { '+' };
    text.extend_from_slice(format!("e{mark}{:02}", exponent.abs()).as_bytes());
    Body { width: text.len(), text }
}

/// Digits around a point. `precision` counts those behind it where it is `exact`, else all.
fn plain(d: &Digits, precision: usize, exact: bool, spec: &Spec<'_>) -> Body {
    let n = d.digits.len() as i32;
    let group = |digits: &[u8]| if spec.localized { grouped(digits) } else { digits.to_vec() };
    let separators = |digits: usize| if spec.localized { digits.saturating_sub(1) / 3 } else { 0 };
    if d.before > 0 && n > d.before {
        let whole = group(&d.digits[..d.before as usize]);
        let mut text = whole;
        text.push(b'.');
        text.extend_from_slice(&d.digits[d.before as usize..]);
        if spec.alternate && !exact {
            text.resize(text.len() + precision.saturating_sub(n as usize), b'0');
        }
        // all digits are counted as if there were a separator after each third of them
        let over = separators(n as usize) - separators(d.before as usize);
        return Body { width: text.len() + over, text };
    }
    if d.before > 0 {
        let mut whole = d.digits.clone();
        whole.resize(d.before as usize, b'0');
        let mut text = group(&whole);
        if spec.alternate {
            text.push(b'.');
            if !exact {
                text.resize(text.len() + precision.saturating_sub(d.before as usize).max(1), b'0');
            }
        }
        return Body { width: text.len(), text };
    }
    let mut text = b"0".to_vec();
    let zeros = (-d.before) as usize;
    let zeros = if d.digits.is_empty() { precision.min(zeros.max(precision)) } else { zeros };
    if zeros != 0 || !d.digits.is_empty() || spec.alternate {
        text.push(b'.');
        text.resize(text.len() + zeros, b'0');
        text.extend_from_slice(&d.digits);
        if spec.alternate && !exact {
            text.resize(text.len() + precision.saturating_sub(d.digits.len()), b'0');
        }
    }
    Body { width: text.len(), text }
}

/// As `printf` writes it: digits that are left out round to the nearest, the leading one stays a digit of its own.
fn hexadecimal(v: f64, spec: &Spec<'_>) -> Vec<u8> {
    const BITS: usize = 52;
    let bits = v.to_bits();
    let mut mantissa = bits & ((1 << BITS) - 1);
    let field = (bits >> BITS & 0x7ff) as i32;
    let mut exponent = if v == 0.0 { 0 } else { field.max(1) - 1023 };
    if field != 0 {
        mantissa |= 1 << BITS;
    } else if v == 0.0 {
        exponent = 0;
    }
    let most = BITS / 4;
    let wanted = match spec.precision {
        Some(p) => p,
        None => most - (mantissa.trailing_zeros() as usize / 4).min(most),
    };
    if wanted < most {
        let cut = (most - wanted) * 4;
        let half = 1u64 << (cut - 1);
        let rest = mantissa & ((1 << cut) - 1);
        mantissa >>= cut;
        mantissa += u64::from(rest > half || (rest == half && mantissa & 1 == 1));
        mantissa <<= cut;
    }
    let lead = mantissa >> BITS;
    let digits = format!("{:013x}", mantissa & ((1 << BITS) - 1));
    let mut text = format!("0x{lead}").into_bytes();
    if wanted > 0 || spec.alternate {
        text.push(b'.');
        text.extend_from_slice(&digits.as_bytes()[..wanted.min(most)]);
        text.resize(text.len() + wanted.saturating_sub(most), b'0');
    }
    text.extend_from_slice(format!("p{exponent:+}").as_bytes());
    text
}
