//! Rows and fields of a text file, as LOAD DATA reads them.

use std::io::Read;

use charset::Charset;

use crate::ast::FileFormat;

/// How fields and lines are written.
pub struct Format {
    terminator: Vec<u8>,
    enclosed: Option<u8>,
    escaped: Option<u8>,
    line_start: Vec<u8>,
    line_terminator: Vec<u8>,
    /// The file's character set, where bytes inside of its characters may look like separators.
    charset: Option<&'static Charset>,
    /// The widths of fields that nothing divides, in bytes.
    widths: Option<Vec<usize>>,
}

/// Character sets with ASCII among the bytes behind a character's first one.
const ASCII_INSIDE: &[&str] = &["sjis", "cp932", "gbk", "big5"];

impl Format {
    /// The format of a statement; what it does not say has the defaults. `widths` are those of the columns.
    pub fn of(f: &FileFormat, charset: &'static Charset, widths: impl Iterator<Item = usize>) -> Format {
        let or = |v: &Option<Box<[u8]>>, default: &[u8]| v.as_deref().unwrap_or(default).to_vec();
        Format {
            terminator: or(&f.field_terminator, b"\t"),
            enclosed: f.enclosed.as_deref().and_then(|e| e.first().copied()),
            escaped: match &f.escaped {
                None => Some(b'\\'),
                Some(e) => e.first().copied(),
            },
            line_start: or(&f.line_start, b""),
            line_terminator: or(&f.line_terminator, b"\n"),
            charset: Some(charset).filter(|c| ASCII_INSIDE.contains(&c.name)),
            widths: None,
        }
        .divided(Format::is_fixed(f), widths)
    }

    /// Whether nothing divides fields: each has the width of its column.
    pub fn is_fixed(f: &FileFormat) -> bool {
        f.field_terminator.as_deref() == Some(b"") && f.enclosed.as_deref().is_none_or(<[u8]>::is_empty)
    }

    fn divided(mut self, fixed: bool, widths: impl Iterator<Item = usize>) -> Format {
        if fixed {
            self.widths = Some(widths.collect());
        }
        if self.line_terminator.is_empty() {
            self.line_terminator.clone_from(&self.terminator);
        }
        self
    }
}

/// One field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its bytes, unescaped.
    pub bytes: Vec<u8>,
    /// `\N`, or the bare word NULL where fields are enclosed.
    pub null: bool,
}

/// What ended a field.
#[derive(PartialEq, Eq, Clone, Copy)]
enum End {
    Field,
    Line,
    File,
}

/// A field that lies in the file as it is.
#[derive(Clone, Copy)]
struct Plain {
    start: u32,
    len: u32,
    null: bool,
}

/// Reads rows from a file, piece by piece.
pub struct Fields<'r, R: Read + ?Sized> {
    input: &'r mut R,
    format: Format,
    buffer: Vec<u8>,
    at: usize,
    /// Where the bytes end that were read.
    end: usize,
    ended: bool,
    extra: bool,
    /// The file's last field ended with its quote.
    closed: bool,
    /// Bytes that may be more than themselves.
    special: Box<[bool; 256]>,
    /// What ends fields and lines, where that is a byte each and nothing else makes it hard.
    ends: Option<(u8, u8)>,
    /// Fields of the row, where all of them are plain.
    plain: Vec<Plain>,
    /// The fields of other rows.
    row: Vec<Field>,
    /// Buffers of fields of rows before.
    spare: Vec<Vec<u8>>,
}

const PIECE: usize = 128 * 1024;

/// Longer rows are read byte by byte: they would be looked at again for each piece.
const LONG_ROW: usize = 256 * 1024;

impl<'r, R: Read + ?Sized> Fields<'r, R> {
    /// Reads from `input`.
    pub fn new(input: &'r mut R, format: Format) -> Fields<'r, R> {
        let mut special = Box::new([false; 256]);
        let first = [&format.terminator, &format.line_terminator].map(|t| t.first().copied());
        for b in first.into_iter().chain([format.enclosed, format.escaped]).flatten() {
            special[usize::from(b)] = true;
        }
        if format.charset.is_some() {
            special[0x80..].fill(true);
        }
        let ends = match (&format.terminator[..], &format.line_terminator[..]) {
            ([field], [line]) if field != line => Some((*field, *line)),
            _ => None,
        };
        let easy = format.line_start.is_empty() && format.widths.is_none() && format.charset.is_none();
        Fields {
            input,
            format,
            buffer: Vec::new(),
            at: 0,
            end: 0,
            ended: false,
            extra: false,
            closed: false,
            special,
            ends: ends.filter(|_| easy),
            plain: Vec::new(),
            row: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// A field of the row: its bytes, none for NULL. Nothing where the row has fewer.
    #[inline]
    pub fn get(&self, n: usize) -> Option<Option<&[u8]>> {
        if let Some(p) = self.plain.get(n) {
            let (start, len) = (p.start as usize, p.len as usize);
            return Some((!p.null).then(|| &self.buffer[start..start + len]));
        }
        self.row.get(n).map(|field| (!field.null).then_some(&field.bytes[..]))
    }

    /// How many fields the row has, of those that were wanted.
    #[inline]
    pub fn count(&self) -> usize {
        self.plain.len() + self.row.len()
    }

    /// Whether the last row had more fields than were wanted.
    pub fn extra(&self) -> bool {
        self.extra
    }

    /// Makes `n` bytes readable at `at`, if there are so many.
    #[inline]
    fn need(&mut self, n: usize) -> std::io::Result<bool> {
        if self.end - self.at < n && !self.ended {
            self.read(n)?;
        }
        Ok(self.end - self.at >= n)
    }

    fn read(&mut self, n: usize) -> std::io::Result<()> {
        while self.end - self.at < n && !self.ended {
            self.buffer.copy_within(self.at..self.end, 0);
            self.end -= self.at;
            self.at = 0;
            if self.buffer.len() < self.end + PIECE {
                self.buffer.resize(self.end + 2 * PIECE, 0);
            }
            let got = self.input.read(&mut self.buffer[self.end..])?;
            self.end += got;
            self.ended = got == 0;
        }
        Ok(())
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    fn looking_at(&mut self, what: u8) -> std::io::Result<bool> {
        Ok(self.need(1)? && self.buffer[self.at] == what)
    }

    fn starts(&mut self, line: bool) -> std::io::Result<bool> {
        let n = if line { self.format.line_terminator.len() } else { self.format.terminator.len() };
        if n == 0 || !self.need(n)? {
            return Ok(false);
        }
        let what = if line { &self.format.line_terminator } else { &self.format.terminator };
        Ok(self.rest().starts_with(what))
    }

    /// Passes over one line, whose end counts in quotes, too, but not behind the escape character; false where the
    /// file ends first.
    pub fn skip_line(&mut self) -> std::io::Result<bool> {
        Ok(self.skip_to_line_end()?.is_some())
    }

    /// Reads a row of up to `wanted` fields; false at the end of the file.
    pub fn next_row(&mut self, wanted: usize) -> std::io::Result<bool> {
        self.extra = false;
        self.spare.extend(self.row.drain(..).map(|f| f.bytes));
        self.plain.clear();
        if let Some(ends) = self.ends {
            loop {
                let before = self.end - self.at;
                match self.plain_row(ends, wanted) {
                    Some(true) => return Ok(true),
                    None if !self.ended && before < LONG_ROW => {
                        self.need(before + 1)?;
                    }
                    _ => break,
                }
            }
            self.plain.clear();
        }
        let mut row = std::mem::take(&mut self.row);
        let more = self.any_row(wanted, &mut row);
        self.row = row;
        more
    }

    /// Reads a row whose fields are bytes that stand for themselves. False when it is of another kind; nothing when it does not end in what
    /// was read so far.
    #[inline]
    fn plain_row(&mut self, (field, line): (u8, u8), wanted: usize) -> Option<bool> {
        self.plain.clear();
        let buffer = &self.buffer[..self.end];
        let mut start = self.at;
        loop {
            let mut at = start;
            let mut place = Plain { start: start as u32, len: 0, null: false };
            if let Some(quote) = self.format.enclosed.filter(|quote| buffer.get(at) == Some(quote)) {
                at += 1 + self.run(buffer.get(at + 1..)?)?;
                if buffer[at] != quote {
                    return Some(false);
                }
                place = Plain { start: start as u32 + 1, len: (at - start - 1) as u32, null: false };
                at += 1;
            } else {
                at += self.run(&buffer[at..])?;
                place.len = (at - start) as u32;
                if at == start && self.format.escaped == Some(buffer[at]) {
                    // \N
                    if *buffer.get(at + 1)? != b'N' {
                        return Some(false);
                    }
                    at += 2;
                    place.null = true;
                } else if self.format.enclosed.is_some() {
                    place.null = &buffer[start..at] == b"NULL";
                }
            }
            let end = *buffer.get(at)?;
            if end != field && end != line || self.plain.len() == wanted {
                return Some(false);
            }
            self.plain.push(place);
            start = at + 1;
            if end == line {
                self.at = start;
                return Some(true);
            }
        }
    }

    /// Bytes in front of one that may be more than itself, if there is such.
    #[inline]
    fn run(&self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|b| self.special[usize::from(*b)])
    }

    /// Reads a row of any kind into `row`.
    fn any_row(&mut self, wanted: usize, row: &mut Vec<Field>) -> std::io::Result<bool> {
        if !self.need(1)? {
            return Ok(false);
        }
        if !self.format.line_start.is_empty() {
            loop {
                let n = self.format.line_start.len();
                if !self.need(n)? {
                    return Ok(false);
                }
                if self.rest().starts_with(&self.format.line_start) {
                    self.at += n;
                    break;
                }
                self.at += 1;
            }
        }
        if let Some(widths) = self.format.widths.take() {
            self.cut(&widths, row)?;
            self.format.widths = Some(widths);
            return Ok(true);
        }
        loop {
            let mut field = Field { bytes: self.spare.pop().unwrap_or_default(), null: false };
            field.bytes.clear();
            let end = self.field(&mut field)?;
            // what ends with the file before it has a byte is no field
            if end == End::File && field.bytes.is_empty() && !field.null && !self.closed {
                self.spare.push(field.bytes);
                return Ok(!row.is_empty());
            }
            row.push(field);
            if end != End::Field {
                return Ok(true);
            }
            if row.len() >= wanted {
                // Lines that end as fields do end with their last field.
                if self.format.line_terminator != self.format.terminator {
                    self.extra = self.skip_to_line_end()? == Some(true);
                }
                return Ok(true);
            }
        }
    }

    /// Passes over the rest of a line; whether there was anything (a separator before the line's end is no field more).
    /// None where the file ends first: the reference server tells nothing of what such a line has too much.
    fn skip_to_line_end(&mut self) -> std::io::Result<Option<bool>> {
        let mut any = false;
        loop {
            if self.starts(true)? {
                self.at += self.format.line_terminator.len();
                return Ok(Some(any));
            }
            if !self.need(1)? {
                return Ok(None);
            }
            any = true;
            if self.format.escaped == Some(self.buffer[self.at]) && self.need(2)? {
                self.at += 2;
                continue;
            }
            self.at += self.character()?.unwrap_or(1);
        }
    }

    /// A row of fields that nothing divides.
    fn cut(&mut self, widths: &[usize], row: &mut Vec<Field>) -> std::io::Result<()> {
        let mut line = Vec::new();
        let mut ended = false;
        while line.len() < widths.iter().sum() {
            if !self.need(1)? {
                ended = true;
                break;
            }
            if self.starts(true)? {
                self.at += self.format.line_terminator.len();
                ended = true;
                break;
            }
            let mut b = self.buffer[self.at];
            self.at += 1;
            if self.format.escaped == Some(b) && self.need(1)? {
                b = unescaped(self.buffer[self.at]);
                self.at += 1;
            }
            line.push(b);
        }
        if !ended && !self.format.line_terminator.is_empty() {
            // what stands behind the last field belongs to none
            let more = self.need(1)? && !self.starts(true)?;
            self.extra = self.skip_line()? && more;
        }
        let mut rest = &line[..];
        for width in widths {
            let (bytes, behind) = rest.split_at((*width).min(rest.len()));
            if bytes.is_empty() {
                break;
            }
            row.push(Field { bytes: bytes.to_vec(), null: false });
            rest = behind;
        }
        Ok(())
    }

    /// The bytes of the character that begins at `at`, if it is of several.
    fn character(&mut self) -> std::io::Result<Option<usize>> {
        let Some(charset) = self.format.charset.filter(|_| self.buffer[self.at] >= 0x80) else {
            return Ok(None);
        };
        self.need(usize::from(charset.mbmaxlen))?;
        Ok(Some(charset.first_char(self.rest())).filter(|len| *len > 1))
    }

    /// Tells NULL from text when a field without quotes is complete.
    fn settle(&self, field: &mut Field, escaped_null: bool) {
        let bare_word = self.format.enclosed.is_some() && field.bytes == b"NULL";
        if escaped_null && field.bytes == b"N" || bare_word {
            field.null = true;
            field.bytes.clear();
        }
    }

    fn field(&mut self, field: &mut Field) -> std::io::Result<End> {
        let quote = self.format.enclosed;
        let enclosed = match quote {
            Some(q) if self.looking_at(q)? => {
                self.at += 1;
                Some(q)
            }
            _ => None,
        };
        let mut escaped_null = false;
        loop {
            if !self.need(1)? {
                match enclosed {
                    None => self.settle(field, escaped_null),
                    // a quote that nothing closes is one of the text
                    Some(q) => field.bytes.insert(0, q),
                }
                return Ok(End::File);
            }
            let rest = &self.buffer[self.at..self.end];
            let plain = rest.iter().position(|b| self.special[usize::from(*b)]).unwrap_or(rest.len());
            if plain > 0 {
                field.bytes.extend_from_slice(&rest[..plain]);
                self.at += plain;
                continue;
            }
            if let Some(len) = self.character()? {
                field.bytes.extend_from_slice(&self.buffer[self.at..self.at + len]);
                self.at += len;
                continue;
            }
            let b = self.buffer[self.at];
            if let Some(q) = enclosed
                && b == q
            {
                self.at += 1;
                match self.behind_quote(q, field)? {
                    Some(end) => {
                        if escaped_null && field.bytes == b"N" {
                            field.null = true;
                            field.bytes.clear();
                        }
                        return Ok(end);
                    }
                    None => continue,
                }
            }
            if self.format.escaped == Some(b) {
                self.at += 1;
                if !self.need(1)? {
                    field.bytes.push(b);
                    if let Some(q) = enclosed {
                        field.bytes.insert(0, q);
                    }
                    return Ok(End::File);
                }
                let c = self.buffer[self.at];
                self.at += 1;
                if c == b'N' && field.bytes.is_empty() {
                    escaped_null = true;
                    field.bytes.push(c);
                    continue;
                }
                field.bytes.push(unescaped(c));
                continue;
            }
            if enclosed.is_none()
                && let Some(end) = self.end()?
            {
                self.settle(field, escaped_null);
                return Ok(end);
            }
            field.bytes.push(b);
            self.at += 1;
        }
    }

    /// Passes over what ends a field, if it stands here; the end of a line is looked for first.
    fn end(&mut self) -> std::io::Result<Option<End>> {
        if self.format.line_terminator != self.format.terminator && self.starts(true)? {
            self.at += self.format.line_terminator.len();
            return Ok(Some(End::Line));
        }
        if self.starts(false)? {
            self.at += self.format.terminator.len();
            return Ok(Some(End::Field));
        }
        Ok(None)
    }

    /// What stands behind the quote that may close a field: None when it goes on.
    fn behind_quote(&mut self, q: u8, field: &mut Field) -> std::io::Result<Option<End>> {
        if self.looking_at(q)? {
            field.bytes.push(q);
            self.at += 1;
            return Ok(None);
        }
        if let Some(end) = self.end()? {
            return Ok(Some(end));
        }
        if !self.need(1)? {
            self.closed = true;
            return Ok(Some(End::File));
        }
        // a quote inside
        field.bytes.push(q);
        Ok(None)
    }
}

/// What a character behind the escape character stands for.
fn unescaped(c: u8) -> u8 {
    match c {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'0' => 0,
        b'b' => 8,
        b'Z' => 26,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], format: FileFormat, wanted: usize) -> Vec<Vec<Option<String>>> {
        let mut input = text;
        let mut fields =
            Fields::new(&mut input, Format::of(&format, charset::system().charset, std::iter::empty()));
        let mut rows = Vec::new();
        while fields.next_row(wanted).unwrap() {
            let field = |n| fields.get(n).unwrap().map(|b| String::from_utf8_lossy(b).into_owned());
            rows.push((0..fields.count()).map(field).collect());
        }
        rows
    }

    fn some(list: &[&str]) -> Vec<Option<String>> {
        list.iter().map(|s| Some((*s).to_string())).collect()
    }

    #[test]
    fn tabs_and_escapes() {
        let rows = read(b"1\ta\\tb\n2\t\\N\n3\tx", FileFormat::default(), 2);
        assert_eq!(rows, [some(&["1", "a\tb"]), vec![Some("2".into()), None], some(&["3", "x"])]);
    }

    #[test]
    fn comma_separated_with_quotes() {
        let format = FileFormat {
            field_terminator: Some(b",".to_vec().into()),
            enclosed: Some(b"\"".to_vec().into()),
            line_terminator: Some(b"\r\n".to_vec().into()),
            ..FileFormat::default()
        };
        let rows = read(b"1,\"a,\"\"b\"\"\"\r\n2,NULL\r\n3,\"NULL\"\r\n", format, 2);
        assert_eq!(rows, [some(&["1", "a,\"b\""]), vec![Some("2".into()), None], some(&["3", "NULL"])]);
    }

    #[test]
    fn fields_too_many_are_told() {
        let mut input: &[u8] = b"1\t2\t3\n";
        let mut fields = Fields::new(
            &mut input,
            Format::of(&FileFormat::default(), charset::system().charset, std::iter::empty()),
        );
        assert!(fields.next_row(2).unwrap());
        assert!(fields.extra());
        assert_eq!(fields.count(), 2);
    }

    #[test]
    fn fields_beyond_the_wanted_ones_are_passed_over_as_bytes() {
        let quoted = || FileFormat {
            field_terminator: Some(b",".as_slice().into()),
            enclosed: Some(b"\"".as_slice().into()),
            ..FileFormat::default()
        };
        let list = |text: &[u8]| read(text, quoted(), 2);
        assert_eq!(
            list(b"\"1\",\"t1\"\r\n\"2\",\"t2\"\r\n\"3\",\"t3\""),
            [some(&["1", "t1\"\r\n\"2"]), some(&["3", "t3"])]
        );
        assert_eq!(
            list(b"1,a,\"x\ny\",5\n2,b\n"),
            [some(&["1", "a"]), some(&["y\"", "5"]), some(&["2", "b"])]
        );
        assert_eq!(list(b"1,a,b\\\ne\n2,b"), [some(&["1", "a"]), some(&["2", "b"])]);
        assert_eq!(list(b"1,\"a\n2,\"b"), [some(&["1", "\"a\n2,\"b"])]);
        assert_eq!(list(b"1,\"a\\"), [some(&["1", "\"a\\"])]);
    }

    /// Gives a few bytes at a time.
    struct Slow<'t>(&'t [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(self.0.len()).min(to.len());
            to[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    #[test]
    fn plain_rows_are_those_of_any_kind() {
        let mut seed = 7u64;
        let mut next = move |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let pieces: [&[u8]; 12] =
            [b"a", b"bc", b",", b",", b"\n", b"\"", b"\\", b"N", b"\\N", b"NULL", b"\"x\"", b"\"\"q\""];
        for _ in 0..3000 {
            let text: Vec<u8> = (0..next(40)).flat_map(|_| pieces[next(12)].to_vec()).collect();
            let format = FileFormat {
                field_terminator: Some(b",".to_vec().into()),
                enclosed: (next(2) == 0).then(|| b"\"".to_vec().into()),
                ..FileFormat::default()
            };
            let all = |quick: bool, step: usize| {
                let mut input = Slow(&text, step);
                let format = Format::of(&format, charset::system().charset, std::iter::empty());
                let mut fields = Fields::new(&mut input, format);
                fields.ends = fields.ends.filter(|_| quick);
                let mut rows = Vec::new();
                while fields.next_row(3).unwrap() {
                    let row: Vec<_> =
                        (0..fields.count()).map(|n| fields.get(n).unwrap().map(<[u8]>::to_vec)).collect();
                    rows.push((row, fields.extra()));
                }
                rows
            };
            let expected = all(false, 1000);
            assert_eq!(all(true, 1000), expected, "{}", text.escape_ascii());
            assert_eq!(all(true, 1 + next(5)), expected, "{}", text.escape_ascii());
        }
    }
}
