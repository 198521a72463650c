//! What is asked: words and phrases of Debian's dictionaries, from frequent to rare.

/// Words in 12,000 documents down to 10, at even distances on a scale of logarithms.
const WORDS: [&str; 30] = [
    "genus",
    "called",
    "person",
    "system",
    "water",
    "language",
    "america",
    "species",
    "central",
    "similar",
    "chiefly",
    "includes",
    "solid",
    "command",
    "hundred",
    "appointed",
    "foundation",
    "margin",
    "colony",
    "assignment",
    "absorb",
    "acetic",
    "artifact",
    "baroque",
    "adverbs",
    "acetylene",
    "abbess",
    "abacus",
    "absorber",
    "aachen",
];

/// Phrases in 2,300 documents down to 5.
const PHRASES: [&str; 30] = [
    "north america",
    "jargon file",
    "type genus",
    "white flowers",
    "operating system",
    "tropical american",
    "south american",
    "programming language",
    "small genus",
    "eastern united",
    "white crystalline",
    "flower heads",
    "central america",
    "closely related",
    "large genus",
    "english writer",
    "assembly language",
    "mailing list",
    "data structure",
    "french revolution",
    "computer network",
    "angular distance",
    "angina pectoris",
    "alimentary tract",
    "ancient egyptian",
    "abdominal aorta",
    "abstract idea",
    "aaron burr",
    "united states writer",
    "southeastern united states",
];

/// What is asked of what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// How many.
    Count,
    /// The ten best.
    Best,
}

/// One of the things a user asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Words: all are looked for, any of them is enough; of a phrase, one after the other.
    pub words: Vec<&'static str>,
    /// They must follow each other.
    pub phrase: bool,
    /// What is wanted.
    pub answer: Answer,
}

impl Question {
    /// The statement.
    #[must_use]
    pub fn sql(&self) -> String {
        let text = self.words.join(" ");
        let search = match self.phrase {
            true => format!("MATCH(content) AGAINST('\"{text}\"' IN BOOLEAN MODE)"),
            false => format!("MATCH(content) AGAINST('{text}')"),
        };
        match self.answer {
            Answer::Count => format!("SELECT count(*) FROM docs WHERE {search}"),
            Answer::Best => {
                format!("SELECT id, {search} AS score FROM docs WHERE {search} ORDER BY score DESC LIMIT 10")
            }
        }
    }
}

/// A group of questions that are asked in turn.
#[derive(Debug)]
pub struct Case {
    /// Its name in tables.
    pub name: &'static str,
    /// Asked one after the other.
    pub questions: Vec<Question>,
    /// Measured with every number of users, and beside a connection that inserts.
    pub scaled: bool,
}

/// All cases.
#[must_use]
pub fn cases() -> Vec<Case> {
    let words = |answer, of: fn(usize) -> Vec<&'static str>| {
        (0..WORDS.len()).map(|i| Question { words: of(i), phrase: false, answer }).collect::<Vec<_>>()
    };
    let one = |i: usize| vec![WORDS[i]];
    let two = |i: usize| vec![WORDS[i], WORDS[(i + 11) % WORDS.len()]];
    let phrase =
        |p: &&'static str| Question { words: p.split(' ').collect(), phrase: true, answer: Answer::Count };
    vec![
        Case { name: "count(*), one word", questions: words(Answer::Count, one), scaled: true },
        Case { name: "count(*), two words", questions: words(Answer::Count, two), scaled: false },
        Case { name: "top 10, one word", questions: words(Answer::Best, one), scaled: false },
        Case { name: "top 10, two words", questions: words(Answer::Best, two), scaled: false },
        Case { name: "count(*), phrase", questions: PHRASES.iter().map(phrase).collect(), scaled: false },
    ]
}
