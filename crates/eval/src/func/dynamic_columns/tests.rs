use super::format::{Columns, Fault, Key, create, update};
use super::value::{Kind, Stored};
use super::*;
use crate::types::temporal::Time;

fn name(s: &str) -> Key<'_> {
    Key::Name(Cow::Borrowed(s.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02X}")).collect()
}

fn one(key: Key<'_>, value: &Stored<'_>) -> String {
    let named = matches!(key, Key::Name(_));
    hex(&create(vec![(key, Some((value.kind(), value.write(named))))], named).unwrap())
}

/// The bytes that MariaDB has.
#[test]
fn values_as_mariadb_writes_them() {
    assert_eq!(one(name("a"), &Stored::Int(1)), "0401000100000000006102");
    assert_eq!(one(name("a"), &Stored::Int(-128)), "04010001000000000061FF");
    assert_eq!(one(name("a"), &Stored::UInt(0)), "04010001000000010061");
    assert_eq!(one(Key::Number(300), &Stored::Int(1)), "0001002C010002");
    let decimal = |text: &str| Decimal::parse(text.as_bytes()).value;
    assert_eq!(one(name("a"), &Stored::Decimal(decimal("-1.5"), 1)), "0401000100000004006101017EFA");
    assert_eq!(one(name("a"), &Stored::Decimal(decimal("0.00"), 1)), "04010001000000040061");
    let long = Stored::Decimal(decimal("123456789012345.123456789"), 15);
    assert_eq!(one(name("a"), &long), "040100010000000400610F0981E2402F075F79075BCD15");
    assert_eq!(one(name("a"), &Stored::Text(246, b"x"[..].into())), "04010001000000030061F60178");
    let time = Time { negative: true, hours: 10, minute: 11, second: 12, micros: 0 };
    assert_eq!(one(name("a"), &Stored::Time(time)), "04010001000000070061CCA280");
    assert_eq!(one(Key::Number(1), &Stored::Time(time)), "0001000100070000C02C0A04");
    let date = DateTime::date(2020, 1, 2);
    assert_eq!(one(name("a"), &Stored::Date(date)), "0401000100000006006122C80F");
}

#[test]
fn names_and_numbers_in_order() {
    let int = |n: i64| Some((Kind::Int, Stored::Int(n).write(true)));
    let made = create(vec![(name("bb"), int(1)), (name("a"), int(2)), (name("ccc"), int(3))], true).unwrap();
    assert_eq!(hex(&made), "0403000600000000000100100003002000616262636363040206");
    // a number beside names is one
    let changed = update(&made, vec![(Key::Number(7), int(4)), (name("bb"), None)], false).unwrap();
    let columns = Columns::read(&changed).unwrap();
    let names: Vec<_> = columns.checked().unwrap().iter().map(|c| c.key.name().into_owned()).collect();
    assert_eq!(names, [&b"7"[..], b"a", b"ccc"]);
    assert_eq!(columns.find(&Key::Number(7)), Ok(Some(0)));
    assert_eq!(columns.find(&name("bb")), Ok(None));
    assert_eq!(create(vec![(name("a"), int(1)), (name("a"), None)], true), Err(Fault::Data));
    assert_eq!(update(b"\x07\0\0\0\0\0\0", vec![(name("a"), None)], true), Ok(b"\x07\0\0\0\0\0\0".to_vec()));
}

#[test]
fn offsets_grow_with_the_values() {
    fn of(len: usize, key: Key<'_>) -> Result<u8, Fault> {
        let named = matches!(key, Key::Name(_));
        create(vec![(key, Some((Kind::Text, vec![0; len])))], named).map(|made| made[0] & 3)
    }
    for (len, width) in [(30, 0), (31, 1), (8190, 1), (8191, 2), (2_097_150, 2)] {
        assert_eq!(of(len, Key::Number(1)), Ok(width), "{len}");
    }
    assert_eq!(of(2_097_151, Key::Number(1)), Err(Fault::Limit));
    for (len, width) in [(4094, 0), (4095, 1), (1_048_574, 1), (1_048_575, 2)] {
        assert_eq!(of(len, name("a")), Ok(width), "{len}");
    }
    assert_eq!(of(1, name(&"n".repeat(16_383))), Ok(0));
    assert_eq!(of(1, name(&"n".repeat(16_384))), Err(Fault::Data));
}

/// A small generator (xorshift), so that a failure comes again.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

fn random_value(r: &mut Random) -> Stored<'static> {
    let n = (r.0 >> r.below(64)) as i64;
    match r.below(8) {
        0 => Stored::Int(n.wrapping_neg()),
        1 => Stored::UInt(n as u64),
        2 => Stored::Double(n as f64 / 8.0),
        3 => Stored::Text(45, Cow::Owned(vec![b'x'; r.below(600)])),
        4 => {
            let d = Decimal::parse(format!("{}.{}", n, r.below(1_000_000_000)).as_bytes()).value;
            // zero has no digits
            if d.is_zero() { Stored::Int(0) } else { Stored::Decimal(d, d.int_digits() + r.below(3) as u8) }
        }
        5 => Stored::Date(DateTime::date(r.below(10_000) as u16, r.below(13) as u8, r.below(32) as u8)),
        6 => Stored::Time(Time {
            negative: r.below(2) == 1,
            hours: r.below(839) as u32,
            minute: r.below(60) as u8,
            second: r.below(60) as u8,
            micros: (r.below(2) * r.below(1_000_000)) as u32,
        }),
        _ => Stored::DateTime(DateTime {
            hour: r.below(24) as u8,
            micros: (r.below(2) * r.below(1_000_000)) as u32,
            ..DateTime::date(r.below(10_000) as u16, r.below(13) as u8, r.below(32) as u8)
        }),
    }
}

/// What is written is read again; what is changed has the other columns as they were.
#[test]
fn random_columns_come_back() {
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2000 {
        let named = r.below(2) == 1;
        let mut expected: Vec<(Key<'_>, Stored<'_>)> = Vec::new();
        for n in 0..r.below(40) {
            let key = match named {
                true => Key::Name(Cow::Owned(format!("{}{n}", "k".repeat(r.below(5))).into_bytes())),
                false => Key::Number((n * 1601) as u16),
            };
            expected.push((key, random_value(&mut r)));
        }
        let change = |(key, v): &(Key<'static>, Stored<'_>)| (key.clone(), Some((v.kind(), v.write(named))));
        let mut blob = create(expected.iter().map(change).collect(), named).unwrap();
        if !expected.is_empty() {
            let gone = r.below(expected.len());
            let (key, _) = expected.swap_remove(gone);
            blob = update(&blob, vec![(key, None)], named).unwrap();
        }
        assert!(is_good(&blob), "{}", hex(&blob));
        let columns = Columns::read(&blob).unwrap();
        assert_eq!(columns.len(), expected.len());
        for (key, value) in &expected {
            let i = columns.find(key).unwrap().unwrap();
            let (kind, data) = columns.value(i).unwrap();
            assert_eq!(Stored::read(kind, data).as_ref(), Ok(value));
        }
    }
}

/// No bytes make a panic, and what is good can be changed and is good again.
#[test]
fn any_bytes() {
    let mut r = Random(0xdead_beef_0bad_cafe);
    let mut good = 0;
    for round in 0..60_000 {
        let value = random_value(&mut r);
        let named = r.below(2) == 1;
        let key = if named { name("key") } else { Key::Number(3) };
        let other = if named { name("kind") } else { Key::Number(9) };
        let second = random_value(&mut r);
        let changes =
            [(key.clone(), value), (other, second)].map(|(k, v)| (k, Some((v.kind(), v.write(named)))));
        let mut blob = create(changes.into(), named).unwrap();
        if round % 3 == 0 {
            blob = (0..r.below(40))
                .map(|_| r.below(256) as u8 & if r.below(3) == 0 { 255 } else { 7 })
                .collect();
        }
        for _ in 0..1 + r.below(4) {
            if !blob.is_empty() {
                let at = r.below(blob.len());
                blob[at] = r.below(256) as u8;
            }
        }
        blob.truncate(r.below(blob.len() + 1).max(blob.len() * usize::from(r.below(2) == 1)));
        let readable = is_good(&blob);
        good += usize::from(readable);
        if let Ok(columns) = Columns::read(&blob) {
            for i in 0..columns.len() {
                if let Ok(column) = columns.column(i) {
                    let _ = Stored::read(column.kind, &column.data);
                }
            }
            let _ = columns.find(&key);
        }
        let changed = update(&blob, vec![(key, Some((Kind::Int, vec![1])))], named);
        if readable {
            assert!(is_good(&changed.unwrap()), "{}", hex(&blob));
        }
    }
    assert!(good > 1000, "{good}");
}
