//! Digest texts: what monitoring tools show for all statements of one kind.

use crate::lex::{Kw, LexMode, Lexer, T};

/// A digest is cut here, in bytes.
const LIMIT: usize = 1024;

/// The statement's digest as monitoring tools print it: `SELECT c FROM sbtest1 WHERE id = ?`.
///
/// Literals become `?`, lists of them `...`, further rows `/* , ... */`; comments and the manner of writing
/// (blanks, case of keywords) vanish.
pub fn digest_text(sql: &[u8], mode: LexMode) -> String {
    let mut lexer = Lexer::new(sql, 0, mode);
    let mut digest = Digest::default();
    loop {
        let token = lexer.next_token();
        let text = &sql[token.start as usize..(token.end as usize).min(sql.len())];
        match token.kind {
            T::Eof | T::Semi | T::Bad => break,
            T::Int
            | T::Decimal
            | T::Float
            | T::Str
            | T::NStr
            | T::HexNum
            | T::HexStr
            | T::BitNum
            | T::BitStr
            | T::BackslashN
            | T::Param
            | T::Kw(Kw::NULL | Kw::TRUE | Kw::FALSE) => digest.value(),
            T::Introducer(_) => {}
            T::Kw(kw) if kw.is_reserved() => digest.word(kw.word(), true),
            T::Kw(_) | T::Ident | T::Quoted => digest.word(&String::from_utf8_lossy(text), false),
            T::UserVar => digest.word(&String::from_utf8_lossy(text), false),
            kind => digest.symbol(kind, &String::from_utf8_lossy(text)),
        }
        if digest.out.len() > LIMIT {
            break;
        }
    }
    let mut out = digest.out;
    if out.len() > LIMIT {
        let mut cut = LIMIT;
        while !out.is_char_boundary(cut) {
            cut -= 1;
        }
        out.truncate(cut);
        out.push_str("...");
    }
    out
}

#[derive(Default)]
struct Digest {
    out: String,
    /// What was written last.
    last: Last,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    Word,
    Name,
    Value,
    /// `(`, `.`, `@`: nothing is put between it and what follows.
    Open,
    Close,
    Comma,
    /// `-` or `+` behind which a value may take the sign in.
    Sign,
    Operator,
}

impl Digest {
    fn space(&mut self) {
        if !matches!(self.last, Last::Nothing | Last::Open) {
            self.out.push(' ');
        }
    }

    fn word(&mut self, text: &str, keyword: bool) {
        self.space();
        self.out.push_str(text);
        self.last = if keyword { Last::Word } else { Last::Name };
    }

    fn value(&mut self) {
        if self.last == Last::Sign {
            // A sign behind an operator belongs to the value.
            self.out.truncate(self.out.len() - 1);
            if self.out.ends_with(' ') {
                self.out.pop();
                self.last = Last::Operator;
            } else {
                self.last = Last::Open;
            }
        }
        if self.last == Last::Comma && self.out.ends_with("?,") {
            // A second value makes a list of the first.
            self.out.truncate(self.out.len() - 2);
            self.out.push_str("...");
            self.last = Last::Value;
            return;
        }
        if self.last == Last::Comma && self.out.ends_with("...,") {
            self.out.truncate(self.out.len() - 1);
            self.last = Last::Value;
            return;
        }
        self.space();
        self.out.push('?');
        self.last = Last::Value;
    }

    fn symbol(&mut self, kind: T, text: &str) {
        match kind {
            T::LParen => {
                if self.last != Last::Name {
                    self.space();
                }
                self.out.push('(');
                self.last = Last::Open;
            }
            T::RParen => {
                self.out.push(')');
                self.last = Last::Close;
                self.fold_rows();
            }
            T::Comma => {
                self.out.push(',');
                self.last = Last::Comma;
            }
            T::Dot => {
                self.out.push('.');
                self.last = Last::Open;
            }
            T::At | T::AtAt => {
                self.space();
                self.out.push_str(text);
                self.last = Last::Open;
            }
            T::Minus | T::Plus
                if matches!(
                    self.last,
                    Last::Operator | Last::Word | Last::Open | Last::Comma | Last::Sign
                ) =>
            {
                self.space();
                self.out.push_str(text);
                self.last = Last::Sign;
            }
            _ => {
                self.space();
                self.out.push_str(text);
                self.last = Last::Operator;
            }
        }
    }

    /// Rows of values behind the first become a remark.
    fn fold_rows(&mut self) {
        for row in ["(...)", "(?)"] {
            let both = [format!("{row}, {row}"), format!("{row} /* , ... */, {row}")];
            for both in &both {
                if self.out.ends_with(both) {
                    self.out.truncate(self.out.len() - both.len());
                    self.out.push_str(row);
                    self.out.push_str(" /* , ... */");
                    return;
                }
            }
        }
    }
}
