//! Functions that tell about the session, identifiers and network addresses.

use super::{Call, Definition, Resolve};
use super::{pure, statement, volatile};
use crate::error::{
    ER_QUERY_INTERRUPTED, ER_STATEMENT_TIMEOUT, ER_USER_LOCK_WRONG_NAME, SqlError, SqlResult,
};
use crate::types::{Class, Derivation, FieldType, Kind, ValueRef, load};

pub(super) const LIST: &[Definition] = &[
    statement(
        "database",
        0,
        0,
        |r| Ok(system_text(64, r.ctx.connection.database.as_deref())),
        |c| {
            let v = c.ctx.connection.database.clone();
            opt_text(c, v)
        },
    ),
    statement(
        "user",
        0,
        0,
        |r| Ok(system_text(384, Some(&*r.ctx.connection.user))),
        |c| {
            let v = c.ctx.connection.user.clone();
            c.put_utf8(&v)
        },
    ),
    statement(
        "current_user",
        0,
        0,
        |r| Ok(system_text(384, Some(&*r.ctx.connection.current_user))),
        |c| {
            let v = c.ctx.connection.current_user.clone();
            c.put_utf8(&v)
        },
    ),
    statement(
        "current_role",
        0,
        0,
        |r| Ok(system_text(384, r.ctx.connection.current_role.as_deref())),
        |c| {
            let v = c.ctx.connection.current_role.clone();
            opt_text(c, v)
        },
    ),
    statement("version", 0, 0, version_type, |c| {
        let v = c.ctx.connection.version.clone();
        c.put_utf8(&v)
    }),
    statement(
        "connection_id",
        0,
        0,
        |_| Ok(FieldType { kind: Kind::Long, ..unsigned(10) }),
        |c| {
            let v = c.ctx.connection.id;
            c.put_int(v as i64)
        },
    ),
    volatile("last_insert_id", 0, 1, last_insert_id_type, last_insert_id),
    statement(
        "row_count",
        0,
        0,
        |_| Ok(FieldType::bigint(false).with_nullable(false)),
        |c| {
            let v = c.ctx.connection.row_count;
            c.put_int(v)
        },
    ),
    statement(
        "found_rows",
        0,
        0,
        |_| Ok(FieldType::bigint(false).with_nullable(false)),
        |c| {
            let v = c.ctx.connection.found_rows;
            c.put_int(v as i64)
        },
    ),
    pure(
        "charset",
        1,
        1,
        |_| Ok(FieldType { derivation: Derivation::Coercible, ..system_text(64, None) }),
        |c| {
            let name = collation_of(c.ty(0)).charset.name;
            c.put_utf8(name)
        },
    ),
    pure(
        "collation",
        1,
        1,
        |_| Ok(FieldType { derivation: Derivation::Coercible, ..system_text(64, None) }),
        |c| {
            let name = collation_of(c.ty(0)).name;
            c.put_utf8(name)
        },
    ),
    pure(
        "coercibility",
        1,
        1,
        |r| Ok(r.long_of(10).with_nullable(false)),
        |c| {
            let d = c.ty(0).derivation;
            let own = is_text(c.ty(0)) || matches!(c.ty(0).kind, Kind::Null | Kind::Bit) && !c.ty(0).digits;
            let d = if own { d } else { Derivation::Numeric };
            c.put_int(d as i64)
        },
    ),
    volatile("uuid", 0, 0, uuid_type, |c| {
        let u = load::uuid_text(new_uuid());
        c.put_ascii(u.as_bytes())
    }),
    volatile("uuid_short", 0, 0, |_| Ok(unsigned(21)), uuid_short),
    volatile("sys_guid", 0, 0, sys_guid_type, |c| {
        let u = load::uuid_text(new_uuid()).replace('-', "");
        c.put_ascii(u.as_bytes())
    }),
    volatile("random_bytes", 1, 1, random_bytes_type, random_bytes),
    volatile("get_lock", 2, 2, get_lock_type, get_lock),
    volatile("release_lock", 1, 1, lock_type, |c| {
        with_lock(c, |c, name| {
            let v = c.ctx.locks.as_ref().and_then(|l| l.release(name));
            c.put_opt_int(v)
        })
    }),
    volatile(
        "release_all_locks",
        0,
        0,
        |_| Ok(unsigned(10)),
        |c| {
            let v = c.ctx.locks.as_ref().map_or(0, |l| l.release_all());
            c.put_int(v)
        },
    ),
    volatile("is_free_lock", 1, 1, lock_type, |c| {
        with_lock(c, |c, name| {
            let held = c.ctx.locks.as_ref().and_then(|l| l.holder(name)).is_some();
            c.put_int(i64::from(!held))
        })
    }),
    volatile("is_used_lock", 1, 1, lock_type, |c| {
        with_lock(c, |c, name| {
            let holder = c.ctx.locks.as_ref().and_then(|l| l.holder(name));
            c.put_opt_int(holder.map(|h| h as i64))
        })
    }),
    pure("inet_aton", 1, 1, inet_aton_type, inet_aton),
    pure("inet_ntoa", 1, 1, inet_ntoa_type, inet_ntoa),
    pure("inet6_aton", 1, 1, inet6_aton_type, inet6_aton),
    pure(
        "inet6_ntoa",
        1,
        1,
        |r| {
            r.text(0)?;
            Ok(r.ascii_text(39).with_nullable(true))
        },
        inet6_ntoa,
    ),
    pure("is_ipv4", 1, 1, bool_of_text, |c| test_text(c, |b| parse_ipv4(b).is_some())),
    pure("is_ipv6", 1, 1, bool_of_text, |c| test_text(c, |b| parse_ipv6(b).is_some())),
    pure("is_ipv4_compat", 1, 1, bool_of_text, |c| {
        test_text(c, |b| b.len() == 16 && b[..12].iter().all(|x| *x == 0) && b[12..] > [0, 0, 0, 1][..])
    }),
    pure("is_ipv4_mapped", 1, 1, bool_of_text, |c| {
        test_text(c, |b| b.len() == 16 && b[..10].iter().all(|x| *x == 0) && b[10..12] == [255, 255])
    }),
];

/// The collation a value is said to have: addresses that of the text that stands for them.
fn collation_of(t: &FieldType) -> &'static charset::Collation {
    let latin1 = || charset::Collation::by_name("latin1_swedish_ci");
    match t.kind {
        Kind::Uuid | Kind::Inet4 | Kind::Inet6 => latin1().unwrap_or_else(charset::system),
        _ if is_text(t) => t.collation,
        _ => charset::binary(),
    }
}

fn is_text(t: &FieldType) -> bool {
    t.is_string()
}

/// A text of the session, with the value that it has: beside a column of another set it is a constant.
fn system_text(chars: u64, value: Option<&str>) -> FieldType {
    let mut t = FieldType::string(chars, charset::system(), Derivation::SystemConstant).with_nullable(true);
    t.ascii = value.is_none_or(str::is_ascii);
    t
}

fn version_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let version = &r.ctx.connection.version;
    Ok(system_text(version.len() as u64, Some(version)).with_nullable(false))
}

fn opt_text(c: &mut Call<'_, '_>, v: Option<String>) -> SqlResult<()> {
    match v {
        Some(v) => c.put_utf8(&v),
        None => c.null(),
    }
}

fn unsigned(length: u32) -> FieldType {
    let mut t = FieldType::new(Kind::LongLong, length, 0);
    t.unsigned = true;
    t.with_nullable(false)
}

fn last_insert_id_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let nullable = r.nullable();
    let width = r.args.first().map_or(21, |a| a.ty.length);
    if r.len() == 1 {
        r.int(0)?;
    }
    let mut t = FieldType::bigint(true).with_nullable(nullable);
    t.length = width;
    Ok(t)
}

fn last_insert_id(c: &mut Call<'_, '_>) -> SqlResult<()> {
    if c.len() == 0 {
        let v = c.ctx.connection.last_insert_id;
        return c.put_int(v as i64);
    }
    let v = match c.value(0) {
        ValueRef::Int(v) => v as u64,
        ValueRef::UInt(v) => v,
        _ => {
            c.ctx.connection.last_insert_id = 0;
            c.ctx.connection.last_insert_id_set = true;
            return c.null();
        }
    };
    c.ctx.connection.last_insert_id = v;
    c.ctx.connection.last_insert_id_set = true;
    c.put_int(v as i64)
}

/// The same as a UUID without hyphens: a text that takes any character set, as those of numbers do.
fn uuid_type(_: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let uuid = FieldType::new(Kind::Uuid, 36, 0).with_nullable(false);
    Ok(FieldType { decimals: crate::result::NOT_FIXED_DEC, unsigned: false, ..uuid })
}

fn sys_guid_type(_: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let latin1 = charset::Collation::by_name("latin1_swedish_ci").unwrap_or_else(charset::system);
    Ok(FieldType { ascii: true, ..FieldType::string(32, latin1, Derivation::Numeric) }.with_nullable(false))
}

/// A UUID of version 1: time, a clock sequence and a node that stand for this process.
fn new_uuid() -> [u8; 16] {
    use std::sync::atomic::{AtomicU64, Ordering};
    static LAST: AtomicU64 = AtomicU64::new(0);
    static NODE: std::sync::OnceLock<[u8; 8]> = std::sync::OnceLock::new();
    let node = NODE.get_or_init(|| {
        use std::hash::{BuildHasher, Hasher};
        let mut h = foldhash::fast::RandomState::default().build_hasher();
        h.write_u32(std::process::id());
        h.write_u128(schema::clock::now().as_nanos());
        h.finish().to_be_bytes()
    });
    let (s, us) = crate::types::context::clock();
    // 100 ns since 1582-10-15.
    let now = ((s as u64).wrapping_add(12_219_292_800)).wrapping_mul(10_000_000) + u64::from(us) * 10;
    let mut t = now;
    let _ = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| {
        t = now.max(last + 1);
        Some(t)
    });
    let mut u = [0u8; 16];
    u[..4].copy_from_slice(&(t as u32).to_be_bytes());
    u[4..6].copy_from_slice(&((t >> 32) as u16).to_be_bytes());
    u[6..8].copy_from_slice(&((t >> 48) as u16 & 0x0fff | 0x1000).to_be_bytes());
    u[8] = node[0] & 0x3f | 0x80;
    u[9..16].copy_from_slice(&node[1..8]);
    // A random node has the multicast bit.
    u[10] |= 1;
    u
}

fn uuid_short(c: &mut Call<'_, '_>) -> SqlResult<()> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let (s, _) = crate::types::context::clock();
    let _ = NEXT.compare_exchange(
        0,
        (1 << 56) | (s as u64 & 0xffff_ffff) << 24,
        Ordering::Relaxed,
        Ordering::Relaxed,
    );
    let v = NEXT.fetch_add(1, Ordering::Relaxed);
    c.put_int(v as i64)
}

/// The most bytes that RANDOM_BYTES gives.
const MOST_RANDOM: i64 = 1024;

fn random_bytes_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    let null = r.args[0].ty.class() == Class::Null;
    r.int(0)?;
    let bytes = if null { 0 } else { r.known_int(0).map_or(MOST_RANDOM, |n| n.clamp(0, MOST_RANDOM)) };
    Ok(FieldType::string(bytes.cast_unsigned(), charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn random_bytes(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let n = c.int(0).filter(|n| (0..=MOST_RANDOM).contains(n)).and_then(|n| usize::try_from(n).ok());
    let Some(n) = n else { return c.null() };
    let mut bytes = vec![0; n];
    let mut filled = 0;
    while filled < n {
        match rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty()) {
            Ok(some) => filled += some,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return c.null(),
        }
    }
    c.put_bytes(&bytes)
}

// ---- locks by name

fn lock_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    Ok(FieldType::int(1).with_nullable(true))
}

fn get_lock_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.text(0)?;
    r.double(1)?;
    Ok(FieldType::int(1).with_nullable(true))
}

fn lock_name(c: &Call<'_, '_>) -> SqlResult<Option<String>> {
    let Some(b) = c.bytes(0) else { return Ok(None) };
    let mut utf8 = Vec::new();
    if let Some(to) = charset::Charset::by_name("utf8mb4") {
        c.ty(0).collation.charset.convert(b, to, &mut utf8);
    }
    let name = String::from_utf8_lossy(&utf8).into_owned();
    if name.is_empty() || name.chars().count() > 64 {
        return Err(SqlError::new(ER_USER_LOCK_WRONG_NAME, &[&name]));
    }
    Ok(Some(name))
}

fn with_lock(c: &mut Call<'_, '_>, f: fn(&mut Call<'_, '_>, &str) -> SqlResult<()>) -> SqlResult<()> {
    match lock_name(c) {
        Ok(Some(name)) => f(c, &name),
        _ => c.null(),
    }
}

fn get_lock(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let (Ok(Some(name)), Some(timeout)) = (lock_name(c), c.double(1)) else { return c.null() };
    let Some(locks) = c.ctx.locks.clone() else { return c.null() };
    match locks.get(&name, timeout) {
        Ok(v) => c.put_int(v),
        // No error of its own: the statement ends where it looks next, after this row.
        Err(e) if matches!(e.code, ER_QUERY_INTERRUPTED | ER_STATEMENT_TIMEOUT) => c.null(),
        Err(e) => Err(e),
    }
}

// ---- addresses

/// Dotted decimal numbers, strictly.
fn parse_ipv4(b: &[u8]) -> Option<std::net::Ipv4Addr> {
    std::str::from_utf8(b).ok()?.parse().ok()
}

fn parse_ipv6(b: &[u8]) -> Option<std::net::Ipv6Addr> {
    std::str::from_utf8(b).ok()?.parse().ok()
}

fn inet_aton_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.plain_text(0)?;
    let mut t = FieldType::bigint(false).with_nullable(true);
    t.unsigned = true;
    t.length = 21;
    Ok(t)
}

fn inet_aton(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    // Short forms are taken: `127.1` is 127.0.0.1. A group without digits is 0, but for the last one.
    if b.last().is_none_or(|x| *x == b'.') {
        return c.null();
    }
    let mut parts = Vec::with_capacity(4);
    for p in b.split(|x| *x == b'.') {
        if !p.iter().all(u8::is_ascii_digit) {
            return c.null();
        }
        let v = p.iter().fold(0u32, |v, d| v.saturating_mul(10).saturating_add(u32::from(d - b'0')));
        if v > 255 {
            return c.null();
        }
        parts.push(u64::from(v));
    }
    if parts.len() > 8 {
        return c.null();
    }
    let mut v = parts[0];
    let n = parts.len();
    for (i, p) in parts.iter().enumerate().skip(1) {
        let last = i == n - 1;
        let shift = if last && n < 4 { 8 * (4 - n + 1) as u32 } else { 8 };
        v = (v << shift) + p;
    }
    c.put_int(v as i64)
}

fn inet_ntoa_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.int(0)?;
    Ok(r.ascii_text(31).with_nullable(true))
}

fn inet_ntoa(c: &mut Call<'_, '_>) -> SqlResult<()> {
    match c.value(0) {
        ValueRef::Int(v) if (0..=0xffff_ffff).contains(&v) => {
            let t = std::net::Ipv4Addr::from(v as u32).to_string();
            c.put_ascii(t.as_bytes())
        }
        ValueRef::UInt(v) if v <= 0xffff_ffff => {
            let t = std::net::Ipv4Addr::from(v as u32).to_string();
            c.put_ascii(t.as_bytes())
        }
        _ => c.null(),
    }
}

fn inet6_aton_type(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.plain_text(0)?;
    Ok(FieldType::string(16, charset::binary(), Derivation::Coercible).with_nullable(true))
}

fn inet6_aton(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    if let Some(a) = parse_ipv4(b) {
        return c.put_bytes(&a.octets());
    }
    match parse_ipv6(b) {
        Some(a) => c.put_bytes(&a.octets()),
        None => c.null(),
    }
}

fn inet6_ntoa(c: &mut Call<'_, '_>) -> SqlResult<()> {
    let Some(b) = c.bytes(0) else { return c.null() };
    if c.ty(0).collation.id != 63 {
        return c.null();
    }
    if let Ok(a) = <[u8; 4]>::try_from(b) {
        let t = std::net::Ipv4Addr::from(a).to_string();
        return c.put_ascii(t.as_bytes());
    }
    match <[u8; 16]>::try_from(b) {
        Ok(a) => c.put_ascii(load::inet6_text(a).as_bytes()),
        Err(_) => c.null(),
    }
}

fn bool_of_text(r: &mut Resolve<'_>) -> SqlResult<FieldType> {
    r.plain_text(0)?;
    Ok(FieldType::int(1))
}

fn test_text(c: &mut Call<'_, '_>, f: fn(&[u8]) -> bool) -> SqlResult<()> {
    let yes = c.bytes(0).is_some_and(f);
    c.put_int(i64::from(yes))
}
