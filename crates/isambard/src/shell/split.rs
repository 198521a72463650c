//! From lines to statements: quotes, comments, delimiters and the shell's own commands.

/// What the shell has to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A statement, without its delimiter.
    Statement {
        /// Its text.
        sql: String,
        /// Whether it ended in `\G`.
        vertical: bool,
        /// Number of the line it began on, from 1.
        line: usize,
    },
    /// A command of the shell's own.
    Command {
        /// Its letter, as in `\s`.
        letter: char,
        /// The rest of its line.
        argument: String,
    },
}

/// The shell's commands: letter, name, whether the name alone is enough, help.
pub const COMMANDS: &[(char, &str, &str)] = &[
    ('?', "?", "Synonym for `help'."),
    ('c', "clear", "Clear the current input statement."),
    ('r', "connect", "Begin a new session. Optional argument is db."),
    ('d', "delimiter", "Set statement delimiter."),
    ('e', "edit", "Edit the statement with $EDITOR."),
    ('G', "ego", "Send the statement, display result vertically."),
    ('q', "exit", "Leave. Same as quit."),
    ('g', "go", "Send the statement."),
    ('h', "help", "Display this help."),
    ('n', "nopager", "Disable pager, print to stdout."),
    ('t', "notee", "Don't write into outfile."),
    ('P', "pager", "Set PAGER [to_pager]. Print the query results via PAGER."),
    ('p', "print", "Print current statement."),
    ('q', "quit", "Leave."),
    ('#', "rehash", "Rebuild completion hash."),
    ('.', "source", "Execute an SQL script file. Takes a file name as an argument."),
    ('s', "status", "Get status information."),
    ('!', "system", "Execute a system shell command."),
    ('T', "tee", "Set outfile [to_outfile]. Append everything into given outfile."),
    ('u', "use", "Use another database. Takes database name as argument."),
    ('W', "warnings", "Show warnings after every statement."),
    ('w', "nowarning", "Don't show warnings after every statement."),
];

/// Collects lines until a statement is whole.
#[derive(Debug)]
pub struct Splitter {
    delimiter: String,
    text: String,
    state: Within,
    line: usize,
    began: usize,
    /// Whether commands by name are taken: in scripts only `delimiter`, `source` and `use` make sense, but all are.
    ready: Vec<Input>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Plain,
    Quoted(u8),
    Comment,
}

impl Default for Splitter {
    fn default() -> Self {
        Self {
            delimiter: ";".into(),
            text: String::new(),
            state: Within::Plain,
            line: 0,
            began: 1,
            ready: Vec::new(),
        }
    }
}

impl Splitter {
    /// The prompt of a continuation: what is open.
    pub fn prompt(&self) -> Option<&'static str> {
        match self.state {
            _ if self.is_empty() => None,
            Within::Plain => Some("    -> "),
            Within::Quoted(b'\'') => Some("    '> "),
            Within::Quoted(b'"') => Some("    \"> "),
            Within::Quoted(_) => Some("    `> "),
            Within::Comment => Some("   /*> "),
        }
    }

    /// Whether no statement has begun.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.state == Within::Plain
    }

    /// What was typed of the current statement.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Forgets the current statement.
    pub fn clear(&mut self) {
        self.text.clear();
        self.state = Within::Plain;
    }

    pub fn delimiter(&self) -> &str {
        &self.delimiter
    }

    pub fn set_delimiter(&mut self, delimiter: &str) {
        delimiter.clone_into(&mut self.delimiter);
    }

    /// Takes a line, without its end; gives what it completed.
    pub fn line(&mut self, line: &str) -> Vec<Input> {
        self.line += 1;
        if self.is_empty() {
            self.text.clear();
            if let Some(command) = self.named_command(line) {
                return vec![command];
            }
        }
        let bytes = line.as_bytes();
        let mut at = 0;
        // Everything before `copied` is in `text` already.
        let mut copied = 0;
        while at < bytes.len() {
            let rest = &line[at..];
            match self.state {
                Within::Quoted(quote) => {
                    if bytes[at] == b'\\' && quote != b'`' {
                        at += 1;
                    } else if bytes[at] == quote {
                        self.state = Within::Plain;
                    }
                    at += char_len(bytes, at);
                }
                Within::Comment => {
                    if rest.starts_with("*/") {
                        self.state = Within::Plain;
                        at += 2;
                    } else {
                        at += char_len(bytes, at);
                    }
                }
                Within::Plain if rest.starts_with(&self.delimiter) => {
                    self.text.push_str(&line[copied..at]);
                    self.finish(false);
                    at += self.delimiter.len();
                    copied = at;
                    if let Some(command) = self.delimiter_command(&line[at..]) {
                        self.ready.push(command);
                        return std::mem::take(&mut self.ready);
                    }
                }
                Within::Plain => match bytes[at] {
                    b'\\' if rest.len() > 1 => {
                        self.text.push_str(&line[copied..at]);
                        let letter = char::from(bytes[at + 1]);
                        at += 1 + char_len(bytes, at + 1);
                        copied = at;
                        match letter {
                            'g' => self.finish(false),
                            'G' => self.finish(true),
                            'c' => self.clear(),
                            // Those with an argument take the rest of the line.
                            'u' | '.' | '!' | 'T' | 'P' | 'r' | 'd' => {
                                let argument = argument(&line[at..], &self.delimiter);
                                self.ready.push(Input::Command { letter, argument });
                                return std::mem::take(&mut self.ready);
                            }
                            _ => self.ready.push(Input::Command { letter, argument: String::new() }),
                        }
                    }
                    quote @ (b'\'' | b'"' | b'`') => {
                        self.state = Within::Quoted(quote);
                        self.begin();
                        at += 1;
                    }
                    b'/' if rest.starts_with("/*") => {
                        self.state = Within::Comment;
                        self.begin();
                        at += 2;
                    }
                    b'#' => break,
                    b'-' if rest.starts_with("--")
                        && bytes
                            .get(at + 2)
                            .is_none_or(|b| b.is_ascii_whitespace() || b.is_ascii_control()) =>
                    {
                        break;
                    }
                    b => {
                        if !b.is_ascii_whitespace() {
                            self.begin();
                        }
                        at += char_len(bytes, at);
                    }
                },
            }
        }
        // A comment to the end of the line is dropped; quoted text keeps everything.
        let end = at.min(line.len());
        self.text.push_str(&line[copied.min(end)..end]);
        self.text.push('\n');
        std::mem::take(&mut self.ready)
    }

    /// At the end of the input a statement needs no delimiter.
    pub fn end(&mut self) -> Option<Input> {
        self.finish(false);
        self.ready.pop()
    }

    fn begin(&mut self) {
        if self.text.trim().is_empty() {
            self.began = self.line;
        }
    }

    fn finish(&mut self, vertical: bool) {
        let sql = self.text.trim().to_owned();
        self.clear();
        if !sql.is_empty() {
            self.ready.push(Input::Statement { sql, vertical, line: self.began });
        }
    }

    /// A command by its name at the start of a line: `use test`, `source file`, `delimiter //`.
    fn named_command(&self, line: &str) -> Option<Input> {
        let line = line.trim();
        let end = line.find(|c: char| c.is_whitespace()).unwrap_or(line.len());
        let word = line[..end].trim_end_matches(';');
        let (letter, ..) = COMMANDS.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(word))?;
        let rest = &line[end..];
        // "help" and the like are commands only when alone: `status` may be a column, `clear` too.
        let takes_argument = matches!(letter, 'u' | '.' | '!' | 'T' | 'P' | 'r' | 'd' | 'h' | '?');
        if !takes_argument && !rest.trim().trim_end_matches(self.delimiter.as_str()).trim().is_empty() {
            return None;
        }
        let argument = if *letter == 'd' { rest.trim().to_owned() } else { argument(rest, &self.delimiter) };
        Some(Input::Command { letter: *letter, argument })
    }

    /// `delimiter` may follow a statement on its line: `drop procedure p; delimiter //`.
    fn delimiter_command(&self, rest: &str) -> Option<Input> {
        let trimmed = rest.trim_start();
        let word = trimmed.get(..9)?;
        (word.eq_ignore_ascii_case("delimiter") && trimmed[9..].starts_with(' '))
            .then(|| Input::Command { letter: 'd', argument: trimmed[9..].trim().to_owned() })
    }
}

/// A command's argument: without the delimiter at its end, and without quotes around it.
fn argument(text: &str, delimiter: &str) -> String {
    let text = text.trim();
    let text = text.strip_suffix(delimiter).unwrap_or(text).trim();
    for quote in ['`', '\'', '"'] {
        if text.len() > 1 && text.starts_with(quote) && text.ends_with(quote) {
            return text[1..text.len() - 1].to_owned();
        }
    }
    text.to_owned()
}

/// Length of the UTF-8 character at `at`.
fn char_len(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(0xf0..) => 4,
        Some(0xe0..) => 3,
        Some(0xc0..) => 2,
        _ => 1,
    }
    .min(bytes.len().saturating_sub(at).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(lines: &str) -> Vec<(String, bool)> {
        let mut splitter = Splitter::default();
        let mut found: Vec<_> = lines.lines().flat_map(|l| splitter.line(l)).collect();
        found.extend(splitter.end());
        found
            .into_iter()
            .filter_map(|i| match i {
                Input::Statement { sql, vertical, .. } => Some((sql, vertical)),
                Input::Command { letter, argument } => {
                    if letter == 'd' {
                        splitter.set_delimiter(&argument);
                    }
                    None
                }
            })
            .collect()
    }

    #[test]
    fn delimiters_inside_quotes_and_comments_end_nothing() {
        let text = "select 'a;b', \"c\\\";\", `d;`; select 2 /* ; ' */;\nselect 3 -- no; end\n;select 4 # ;\n\\G select 'é;'";
        let expected = [
            ("select 'a;b', \"c\\\";\", `d;`", false),
            ("select 2 /* ; ' */", false),
            ("select 3 \n", false),
            ("select 4 \n", true),
            ("select 'é;'", false),
        ];
        let found = statements(text);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((sql, vertical), (text, flag)) in found.iter().zip(expected) {
            assert_eq!((sql.as_str(), *vertical), (text.trim(), flag));
        }
    }

    #[test]
    fn commands_by_name_and_letter() {
        let mut splitter = Splitter::default();
        let command = |letter, argument: &str| vec![Input::Command { letter, argument: argument.into() }];
        assert_eq!(splitter.line("use `my db`;"), command('u', "my db"));
        assert_eq!(splitter.line("\\u test"), command('u', "test"));
        assert_eq!(splitter.line("source /a b.sql"), command('.', "/a b.sql"));
        assert_eq!(splitter.line("delimiter //"), command('d', "//"));
        splitter.set_delimiter("//");
        assert_eq!(splitter.line("create procedure p() begin select 1; end//").len(), 1);
        assert_eq!(splitter.line("status"), command('s', ""));
        // Not at the start of a statement.
        assert!(splitter.line("select 1 as").is_empty());
        assert!(splitter.line("status").is_empty());
        assert_eq!(splitter.prompt(), Some("    -> "));
        assert_eq!(splitter.line("from t\\c"), []);
        assert!(splitter.is_empty());
    }

    #[test]
    fn line_numbers_are_those_of_the_statement() {
        let mut splitter = Splitter::default();
        assert!(splitter.line("").is_empty());
        assert!(splitter.line("select").is_empty());
        let found = splitter.line("1; select 2;");
        assert!(matches!(found[0], Input::Statement { line: 2, .. }));
        assert!(matches!(found[1], Input::Statement { line: 3, .. }));
    }
}
