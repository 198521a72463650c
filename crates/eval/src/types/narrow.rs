//! Doubles in texts of few characters: with as many digits as there is room for, plain or with an exponent.

/// What became of a number.
pub struct Narrow {
    /// The text, not longer than there is room for.
    pub text: Vec<u8>,
    /// Whether there was too little room for one digit and what belongs to it.
    pub cut: bool,
}

/// The digits of a number that is not zero, without point and trailing zeros, and where its point is: behind so many of
/// them.
struct Digits {
    text: Vec<u8>,
    point: i32,
}

impl Digits {
    /// Of `{:e}` text.
    fn of(text: &str) -> Digits {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        while digits.len() > 1 && digits.last() == Some(&b'0') {
            digits.pop();
        }
        Digits { text: digits, point: exponent.parse::<i32>().unwrap_or(0) + 1 }
    }

    /// All digits that tell the number from others, or as many as asked for when there are more.
    fn first(v: f64, count: usize) -> Digits {
        let all = Digits::of(&format!("{v:e}"));
        if all.text.len() <= count { all } else { Digits::of(&format!("{v:.*e}", count.max(1) - 1)) }
    }
}

/// The text of a double that has room for `width` characters.
#[must_use]
pub fn narrow(v: f64, width: usize) -> Narrow {
    if v == 0.0 || !v.is_finite() {
        return Narrow { text: vec![b'0'], cut: false };
    }
    let (sign, v) = (v < 0.0, v.abs());
    let room = width as i32 - i32::from(sign);
    let digits = Digits::first(v, room.clamp(1, 17) as usize);
    let mut text = Vec::with_capacity(width + 8);
    if sign {
        text.push(b'-');
    }
    let point = digits.point;
    let plain = if point > 0 {
        point <= room.min(15)
    } else {
        // as many digits as with an exponent, or all
        let plain = room - 2 + point;
        let count = digits.text.len() as i32;
        let exponent = if point > -9 { 3 } else { 4 };
        let scientific = if (exponent + 1..=exponent + 2).contains(&room) { 1 } else { room - exponent - 1 };
        point >= -14 && (plain >= count || plain >= scientific)
    };
    if plain { write_plain(v, digits, room, text) } else { write_scientific(v, digits, room, text) }
}

fn write_plain(v: f64, mut digits: Digits, room: i32, mut text: Vec<u8>) -> Narrow {
    let behind = digits.text.len() as i32 - digits.point;
    let possible = if digits.point > 0 { room - digits.point - 1 } else { room - 2 };
    if behind > possible.max(0) {
        let rounded = format!("{v:.*}", possible.max(0) as usize);
        if rounded.bytes().all(|b| matches!(b, b'0' | b'.')) {
            return Narrow { text: vec![b'0'], cut: possible < 0 };
        }
        let (whole, fraction) = rounded.split_once('.').unwrap_or((&rounded, ""));
        let fraction = fraction.trim_end_matches('0');
        text.extend_from_slice(whole.as_bytes());
        if !fraction.is_empty() {
            text.push(b'.');
            text.extend_from_slice(fraction.as_bytes());
        }
        return Narrow { text, cut: false };
    }
    if digits.point <= 0 {
        text.extend_from_slice(b"0.");
        text.resize(text.len() + digits.point.unsigned_abs() as usize, b'0');
        text.extend_from_slice(&digits.text);
    } else {
        let point = digits.point as usize;
        if digits.text.len() < point {
            digits.text.resize(point, b'0');
        }
        text.extend_from_slice(&digits.text[..point]);
        if digits.text.len() > point {
            text.push(b'.');
            text.extend_from_slice(&digits.text[point..]);
        }
    }
    Narrow { text, cut: false }
}

fn write_scientific(v: f64, mut digits: Digits, room: i32, mut text: Vec<u8>) -> Narrow {
    let start = text.len();
    let length = |point: i32| 1 + i32::from(point < 1) + (point - 1).abs().to_string().len() as i32;
    let left = room - length(digits.point) - i32::from(digits.text.len() > 1);
    let possible = left.max(1) as usize;
    if digits.text.len() > possible {
        digits = Digits::first(v, possible);
    }
    text.push(digits.text[0]);
    if digits.text.len() > 1 {
        text.push(b'.');
        text.extend_from_slice(&digits.text[1..]);
    }
    text.extend_from_slice(format!("e{}", digits.point - 1).as_bytes());
    text.truncate(start + room.max(0) as usize);
    Narrow { text, cut: left <= 0 }
}

#[cfg(test)]
mod tests {
    use super::narrow;

    #[test]
    fn as_many_digits_as_there_is_room_for() {
        let all: &[(f64, &[(usize, &str)])] = &[
            (1234.567, &[(3, "1e3"), (4, "1235"), (5, "1235"), (6, "1234.6"), (8, "1234.567")]),
            (123_456_789.0, &[(3, "1e8"), (5, "1.2e8"), (8, "1.2346e8"), (9, "123456789")]),
            (0.1, &[(1, "0"), (2, "0"), (3, "0.1"), (20, "0.1")]),
            (0.00123, &[(3, "0"), (4, "1e-3"), (5, "0.001"), (6, "0.0012"), (7, "0.00123")]),
            (0.000123456, &[(4, "1e-4"), (6, "1.2e-4"), (10, "1.23456e-4"), (11, "0.000123456")]),
            (-0.000099996, &[(9, "-1e-4"), (10, "-9.9996e-5"), (12, "-0.000099996")]),
            (99.5, &[(2, "1e"), (3, "100"), (4, "99.5")]),
            (99999.5, &[(5, "1e5"), (6, "100000"), (7, "99999.5")]),
            (9.996e99, &[(7, "1e100"), (8, "9.996e99")]),
            (1e15, &[(20, "1e15")]),
            (1e14, &[(14, "1e14"), (15, "100000000000000")]),
            (-0.004, &[(3, "0"), (5, "-4e-3"), (6, "-0.004")]),
            (f64::from(0.1f32), &[(3, "0.1"), (20, "0.10000000149011612")]),
            (0.0, &[(1, "0")]),
        ];
        for (v, list) in all {
            for (width, text) in *list {
                let found = narrow(*v, *width);
                assert_eq!(String::from_utf8_lossy(&found.text), *text, "{v} in {width}");
            }
        }
    }
}
