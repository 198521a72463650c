use super::*;

fn kinds(sql: &str, mode: LexMode) -> Vec<T> {
    let mut lexer = Lexer::new(sql.as_bytes(), 0, mode);
    let mut out = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == T::Eof {
            return out;
        }
        out.push(token.kind);
        if token.kind == T::Bad {
            return out;
        }
    }
}

#[test]
fn numbers_and_names_that_begin_with_digits() {
    let one = |s: &str| {
        let k = kinds(s, LexMode::default());
        assert_eq!(k.len(), 1, "{s}: {k:?}");
        k[0]
    };
    assert_eq!(one("123"), T::Int);
    assert_eq!(one("1."), T::Decimal);
    assert_eq!(one(".5"), T::Decimal);
    assert_eq!(one("1e5"), T::Float);
    assert_eq!(one("1e+5"), T::Float);
    assert_eq!(one("1.5E-3"), T::Float);
    assert_eq!(one("1e"), T::Ident);
    assert_eq!(kinds("1e5x 1.5abc", LexMode::default()), [T::Float, T::Ident, T::Decimal, T::Ident]);
    assert_eq!(one("1abc"), T::Ident);
    assert_eq!(one("0x1F"), T::HexNum);
    assert_eq!(one("0xZ"), T::Ident);
    assert_eq!(one("0b101"), T::BitNum);
    assert_eq!(one("0b12"), T::Ident);
    assert_eq!(one("x'4d'"), T::HexStr);
    assert_eq!(one("x'4'"), T::Bad);
    assert_eq!(one("b'01'"), T::BitStr);
    assert_eq!(one("n'a'"), T::NStr);
    assert_eq!(one("_utf8mb4"), T::Introducer(39));
    assert_eq!(one("_nosuch"), T::Ident);
    assert_eq!(kinds("a.1b.select", LexMode::default()), [T::Ident, T::Dot, T::Ident, T::Dot, T::Ident]);
    assert_eq!(kinds("select .5", LexMode::default()), [T::Kw(Kw::SELECT), T::Decimal]);
}

#[test]
fn comments() {
    let plain = |s: &str| kinds(s, LexMode::default());
    assert_eq!(plain("1 -- x\n2"), [T::Int, T::Int]);
    assert_eq!(plain("1 --2"), [T::Int, T::Minus, T::Minus, T::Int]);
    assert_eq!(plain("1 # x"), [T::Int]);
    assert_eq!(plain("1 /* x */ 2"), [T::Int, T::Int]);
    assert_eq!(plain("1 /* x"), [T::Int, T::Bad]);
    assert_eq!(plain("1 /*! 2 */ 3"), [T::Int, T::Int, T::Int]);
    assert_eq!(plain("1 /*!50701 2 */ 3"), [T::Int, T::Int]);
    assert_eq!(plain("1 /*!50699 2 */ 3"), [T::Int, T::Int, T::Int]);
    assert_eq!(plain("1 /*!99999 2 */ 3"), [T::Int, T::Int]);
    assert_eq!(plain("1 /*!100100 2 */ 3"), [T::Int, T::Int, T::Int]);
    assert_eq!(plain("1 /*!101200 2 /* 7 */ 8 */ 3"), [T::Int, T::Int]);
    assert_eq!(plain("/*M!100100 2 */ /*M!999999\\- enable the sandbox mode */"), [T::Int]);
    assert_eq!(plain("1 /*! 2 /*! 3 */ 4"), [T::Int; 4]);
    assert_eq!(plain("1 /*! 2 /*!999999 3 /* 4 */ 5 */ 6 */ 7"), [T::Int; 4]);
    assert_eq!(plain("/*! 1"), [T::Int, T::Bad]);
}

#[test]
fn strings_and_modes() {
    assert_eq!(kinds(r"'a\'b'", LexMode::default()), [T::Str]);
    let raw = LexMode { no_backslash_escapes: true, ..LexMode::default() };
    assert_eq!(kinds(r"'a\' 'b'", raw), [T::Str, T::Str]);
    assert_eq!(kinds("\"a\"", LexMode::default()), [T::Str]);
    let ansi = LexMode { ansi_quotes: true, ..LexMode::default() };
    assert_eq!(kinds("\"a\"", ansi), [T::Quoted]);
    assert_eq!(kinds("'open", LexMode::default()), [T::Bad]);
    assert_eq!(
        kinds("@a.b @`c d` @@x", LexMode::default()),
        [T::UserVar, T::At, T::Quoted, T::AtAt, T::Ident]
    );
    // The second byte of a gbk character may be a backslash.
    let gbk = LexMode { client: ClientBytes::Double("gbk"), ..LexMode::default() };
    let mut lexer = Lexer::new(b"'\x81\\' 1", 0, gbk);
    assert_eq!(lexer.next_token().kind, T::Str);
    assert_eq!(lexer.next_token().kind, T::Int);
    let mut out = Vec::new();
    literal::unescape(br"'a''b\n\%\q'", LexMode::default(), &mut out);
    assert_eq!(out, b"a'b\n\\%q");
    let long = format!("'{}''{}\\''", "x".repeat(40), "y".repeat(40));
    let scan = literal::string_end(long.as_bytes(), 0, LexMode::default()).unwrap();
    assert_eq!((scan.end, scan.escaped), (long.len(), true));
    assert_eq!(*literal::hex_bytes(b"abc"), [0x0a, 0xbc]);
    assert_eq!(*literal::bit_bytes(b"100000001"), [1, 1]);
    assert_eq!(literal::parse_u64(b"18446744073709551615"), Some(u64::MAX));
    assert_eq!(literal::parse_u64(b"18446744073709551616"), None);
}
