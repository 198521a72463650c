//! Boolean queries: words that must, may or must not be there, in groups.
//!
//! A query is asked in two ways, which share the state of its groups, as MariaDB's do: from the index ([`Search`]), and of one row
//! with its texts ([`Query::score`]). Both feed *events*, "this term occurs in that row", to the tree of groups. Where groups
//! are nested the answers depend on the order of the events; it is MariaDB's here, results that look like mistakes included.

use std::collections::HashSet;

use charset::Collation;

pub use crate::Stopped;
use crate::merge::Blocks;
use crate::patience::Patience;
use crate::phrase::{Found, Phrase};
use crate::rank::sort;
use crate::split::{Word, Words};
use crate::syntax::{Group, Sign, Term, Tree, parse};
use crate::{Failure, Index, ReadTexts, Rules, Syntax, stopped};

/// Row of a term that has no more entries, and of groups that have seen none.
const NONE: u64 = u64::MAX;

/// The way an event comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Index = 0,
    Row = 1,
}

/// What a group has seen of the row it belongs to.
#[derive(Clone, Copy, Debug)]
struct Seen {
    value: f32,
    yes: u32,
    no: u32,
    /// The row, for each way of its own.
    row: [u64; 2],
    /// Members that must be there but are not looked up in the index.
    slack: u32,
    /// No earlier row can match any more.
    low: u64,
    /// A truncated term below it is looked up.
    truncated_below: bool,
}

impl Seen {
    const NOTHING: Seen =
        Seen { value: 0.0, yes: 0, no: 0, row: [NONE; 2], slack: 0, low: 0, truncated_below: false };
}

/// A boolean query and what it has seen so far.
#[derive(Clone, Debug)]
pub struct Query {
    collation: &'static Collation,
    rules: Rules,
    tree: Tree,
    seen: Vec<Seen>,
    /// Terms in the order of the heap before anything is looked up, from place 0.
    heap: Vec<usize>,
    /// Terms by word, then depth, once a row was asked of.
    sorted: Vec<usize>,
    /// Places in `sorted` of truncated terms.
    truncated: Vec<usize>,
    /// Phrases of the groups that are quoted, ready to be looked for.
    phrases: Vec<Option<Phrase>>,
    /// Which evaluation each term was last met in.
    met: Vec<u64>,
    /// Number of the evaluation of a row.
    evaluation: u64,
    patience: Patience,
}

impl Query {
    /// Reads a query. Its texts are in the collation's character set.
    #[must_use]
    pub fn new(collation: &'static Collation, rules: &Rules, syntax: &Syntax, query: &[u8]) -> Query {
        let tree = parse(collation.charset, rules, syntax, query);
        let terms = &tree.terms;
        // No term has a row yet, so the deepest come first.
        let mut heap: Vec<usize> = Vec::with_capacity(terms.len());
        for term in (0..terms.len()).rev() {
            let mut at = heap.len();
            heap.push(term);
            while at > 0 {
                let parent = (at - 1) / 2;
                if terms[heap[at]].depth <= terms[heap[parent]].depth {
                    break;
                }
                heap.swap(at, parent);
                at = parent;
            }
        }
        let phrase = |g: &Group| g.phrase.as_deref().map(|words| Phrase::new(collation, words));
        let phrases = tree.groups.iter().map(phrase).collect();
        let (seen, met) = (vec![Seen::NOTHING; tree.groups.len()], vec![0; terms.len()]);
        let (rules, patience) = (rules.clone(), Patience::default());
        let (sorted, truncated) = (Vec::new(), Vec::new());
        Query { collation, rules, tree, seen, heap, sorted, truncated, phrases, met, evaluation: 0, patience }
    }

    /// Puts the terms in the order in which words of rows are looked up among them.
    fn sort_terms(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let (collation, terms) = (self.collation, &self.tree.terms);
        let mut sorted = self.heap.clone();
        let order = |&a: &usize, &b: &usize| {
            let (a, b) = (&terms[a], &terms[b]);
            collation.compare(&a.word, &b.word).then(a.depth.cmp(&b.depth))
        };
        sort(&mut sorted, usize::MAX, order, stop)?;
        self.truncated = (0..sorted.len()).filter(|&i| terms[sorted[i]].truncated).collect();
        self.sorted = sorted;
        Ok(())
    }

    /// Yes-events a group waits for.
    fn threshold(&self, group: usize, way: Way) -> i64 {
        let slack = if way == Way::Index { self.seen[group].slack } else { 0 };
        i64::from(self.tree.groups[group].need) - i64::from(slack)
    }

    /// A term occurs in a row. `texts`: the row's, for phrases, in [`Way::Row`].
    fn event(
        &mut self,
        term: usize,
        row: u64,
        way: Way,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        let term = &self.tree.terms[term];
        let (mut value, mut group) = (term.factor, term.group);
        // None: it counts for the value only.
        let mut sign = Some(term.sign);
        loop {
            self.patience.step(stop)?;
            let threshold = self.threshold(group, way);
            let Query { tree, seen, .. } = self;
            let (g, s) = (&tree.groups[group], &mut seen[group]);
            if s.row[way as usize] != row {
                (s.value, s.yes, s.no) = (0.0, 0, 0);
                s.row[way as usize] = row;
            }
            if s.no > 0 {
                return Ok(());
            }
            match sign {
                Some(Sign::Must) => {
                    value /= g.need as f32;
                    s.value += value;
                    s.yes += 1;
                    if i64::from(s.yes) != threshold {
                        return Ok(());
                    }
                    value = s.value * g.factor;
                    sign = Some(g.sign);
                    if way == Way::Row && g.phrase.is_some() && !self.has_phrase(group, texts, stop)? {
                        return Ok(());
                    }
                }
                Some(Sign::Not) => {
                    s.no += 1;
                    return Ok(());
                }
                Some(Sign::Optional) | None => {
                    if g.need > 0 {
                        value /= 3.0;
                    }
                    s.value += value;
                    let yes = i64::from(s.yes);
                    if yes < threshold {
                        return Ok(());
                    }
                    if sign.is_some() {
                        sign = (yes == threshold).then_some(g.sign);
                        s.yes += 1;
                    }
                    value *= g.factor;
                }
            }
            match self.tree.groups[group].parent {
                Some(parent) => group = parent,
                None => return Ok(()),
            }
        }
    }

    /// Whether some text has the words of the phrase one after the other.
    fn has_phrase(
        &mut self,
        group: usize,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, Stopped> {
        let Query { tree, phrases, patience, collation, .. } = self;
        let (Some(words), Some(phrase)) = (&tree.groups[group].phrase, &phrases[group]) else {
            return Ok(true);
        };
        for text in texts {
            if phrase.find(collation, words, text, None, patience, stop)? != Found::Nowhere {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The group of the phrase, if a row that has all terms matches just when it has the phrase.
    fn only_phrase(&self) -> Option<usize> {
        let [root, group] = self.tree.groups.as_slice() else { return None };
        let plain = |t: &Term| t.group == 1 && t.sign == Sign::Must && !t.truncated;
        let only = group.phrase.is_some()
            && root.phrase.is_none()
            && group.sign != Sign::Not
            && self.tree.terms.iter().all(plain);
        only.then_some(1)
    }

    /// Whether a row found from the index matches when its texts are looked at.
    fn holds(
        &mut self,
        phrase: Option<usize>,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, Stopped> {
        if let Some(group) = phrase {
            let Query { tree, phrases, patience, collation, rules, .. } = self;
            if let (Some(words), Some(phrase)) = (&tree.groups[group].phrase, &phrases[group]) {
                let mut found = Found::Nowhere;
                for text in texts {
                    found = phrase.find(collation, words, text, Some(rules), patience, stop)?;
                    if found != Found::Nowhere {
                        break;
                    }
                }
                match found {
                    Found::Nowhere => return Ok(false),
                    Found::Here => return Ok(true),
                    Found::OddWords => {}
                }
            }
        }
        Ok(self.score(texts, stop)? != 0.0)
    }

    /// Whether the row is one that was asked for, as far as the root has seen.
    fn matches(&self, row: u64, way: Way) -> bool {
        let root = &self.seen[0];
        root.row[way as usize] == row
            && root.value > 0.0
            && root.no == 0
            && i64::from(root.yes) >= self.threshold(0, way)
    }

    /// Score of one row; 0 = it does not match. `texts` are the columns of the key from the last to the first; without a key, one
    /// text.
    ///
    /// # Errors
    /// [`Stopped`] when `stop` says so.
    pub fn score(&mut self, texts: &[&[u8]], stop: &dyn Fn() -> bool) -> Result<f32, Stopped> {
        if self.tree.terms.is_empty() {
            return Ok(0.0);
        }
        if self.sorted.is_empty() {
            self.sort_terms(stop)?;
        }
        self.evaluation += 1;
        let row = self.evaluation;
        let collation = self.collation;
        for text in texts {
            for word in Words::new(collation.charset, text) {
                self.patience.step(stop)?;
                self.fire(&word, row, texts, stop)?;
            }
        }
        Ok(if self.matches(row, Way::Row) { self.seen[0].value } else { 0.0 })
    }

    /// What every row scores that has the query's only term, if that is truncated: from the index a row may come once for each of its words
    /// that begin so, and be worth more.
    ///
    /// # Errors
    /// [`Stopped`] when `stop` says so.
    pub fn score_of_beginning(&mut self, stop: &dyn Fn() -> bool) -> Result<Option<f32>, Stopped> {
        match self.tree.terms.as_slice() {
            [t] if t.truncated && self.phrases.iter().all(Option::is_none) => {}
            _ => return Ok(None),
        }
        self.evaluation += 1;
        self.event(0, self.evaluation, Way::Row, &[], stop)?;
        Ok(Some(if self.matches(self.evaluation, Way::Row) { self.seen[0].value } else { 0.0 }))
    }

    /// Feeds the events of a word of a row, if it is one of the index: of all terms it is or begins with, the last of the list first.
    fn fire(
        &mut self,
        found: &Word<'_>,
        row: u64,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        let (collation, word) = (self.collation, found.bytes);
        // Few words of a text are terms: whether the index has the word is asked of those alone.
        let mut taken = None;
        let term_at = |query: &Query, i: usize| query.sorted[i];
        let behind =
            self.sorted.partition_point(|&t| collation.compare(&self.tree.terms[t].word, word).is_le());
        // Beginnings of the word stand before it; those that are no longer in the list's order are none.
        let mut equal = behind;
        // The word came before in this row, and all that it is with it.
        let before = |t: usize| self.met[t] == row && !self.tree.terms[t].truncated;
        if equal.checked_sub(1).is_some_and(|i| before(self.sorted[i])) {
            equal = 0;
        }
        let mut beginnings = self.truncated.partition_point(|&i| i < behind);
        loop {
            let plain = equal
                .checked_sub(1)
                .filter(|&i| collation.compare(&self.tree.terms[term_at(self, i)].word, word).is_eq());
            let cut = beginnings.checked_sub(1).map(|n| self.truncated[n]);
            let place = match (plain, cut) {
                (None, None) => return Ok(()),
                (a, b) => a.max(b).unwrap_or(0),
            };
            if plain == Some(place) {
                equal -= 1;
            }
            let mut fires = plain == Some(place);
            if cut == Some(place) {
                beginnings -= 1;
                fires |= collation.begins_with(word, &self.tree.terms[term_at(self, place)].word);
            }
            self.patience.step(stop)?;
            let term = term_at(self, place);
            if fires && self.met[term] != row {
                if !*taken.get_or_insert_with(|| self.rules.takes(found)) {
                    return Ok(());
                }
                self.met[term] = row;
                self.event(term, row, Way::Row, texts, stop)?;
            }
        }
    }

    /// Whether rows found from the index must be looked at: for phrases, and where truncated words do not stand alone.
    fn needs_rows(&self) -> bool {
        let terms = &self.tree.terms;
        self.phrases.iter().any(Option::is_some) || (terms.len() > 1 && terms.iter().any(|t| t.truncated))
    }

    /// The word, if the rows that match are just those that have it.
    fn only_word(&self) -> Option<&[u8]> {
        match self.tree.terms.as_slice() {
            [t] if self.tree.groups.len() == 1 && !t.truncated && t.sign != Sign::Not && t.factor > 0.0 => {
                Some(&t.word)
            }
            _ => None,
        }
    }
}

/// With more terms none keeps entries at hand.
const BLOCKS: usize = 1024;

/// Terms whose entries are walked over side by side: some hundred megabytes of positions.
const MAX_WALKS: usize = 1 << 17;

/// A walk over the entries of a term.
#[derive(Debug)]
enum Walk<P> {
    /// Of a word.
    Word(Blocks<P>),
    /// Of all words that begin with it, or of one of very many words: entry by entry.
    Steps(P),
}

impl<P> Walk<P> {
    fn next<I: Index<Postings = P>>(&mut self, index: &I) -> Result<Option<u64>, I::Error> {
        let next = match self {
            Walk::Word(blocks) => blocks.next(index)?,
            Walk::Steps(postings) => index.next(postings)?,
        };
        Ok(next.map(|p| p.row))
    }

    fn seek<I: Index<Postings = P>>(&mut self, index: &I, row: u64) -> Result<Option<u64>, I::Error> {
        let next = match self {
            Walk::Word(blocks) => blocks.seek(index, row)?,
            Walk::Steps(postings) => index.seek(postings, row)?,
        };
        Ok(next.map(|p| p.row))
    }
}

/// A walk over the rows that a query finds in an index. It borrows nothing of the index: any over the same entries will do for the
/// next step.
#[derive(Debug)]
pub struct Search<P> {
    query: Query,
    /// Entries of each term that is looked up.
    postings: Vec<Option<Walk<P>>>,
    /// How many that are.
    walks: usize,
    /// Current row of each term.
    rows: Vec<u64>,
    /// The group that gets the lower bound of each term.
    anchors: Vec<usize>,
    heap: Vec<usize>,
    recheck: bool,
    /// See [`Query::only_phrase`].
    phrase: Option<usize>,
    /// Texts of the row that is looked at.
    texts: Vec<u8>,
    /// Where each text ends.
    ends: Vec<usize>,
    /// Rows given before, where they may come twice.
    given: Option<HashSet<u64>>,
    done: bool,
}

impl<P> Search<P> {
    /// Begins a search.
    ///
    /// # Errors
    /// Those of the index; `Stopped` when `stop` says so.
    pub fn new<I: Index<Postings = P>>(
        mut query: Query,
        index: &I,
        stop: &dyn Fn() -> bool,
    ) -> Result<Search<P>, Failure<I::Error>> {
        query.seen.fill(Seen::NOTHING);
        let terms = query.tree.terms.len();
        // Parents stand before their groups.
        let mut anchor: Vec<usize> = Vec::with_capacity(query.tree.groups.len());
        for (number, group) in query.tree.groups.iter().enumerate() {
            anchor.push(match (group.sign, group.parent) {
                (Sign::Must, Some(parent)) => anchor[parent],
                _ => number,
            });
        }
        let anchors = query.tree.terms.iter().map(|t| anchor[t.group]).collect();
        let (heap, recheck) = (query.heap.clone(), query.needs_rows());
        let phrase = query.only_phrase();
        let mut search = Search {
            query,
            postings: (0..terms).map(|_| None).collect(),
            walks: 0,
            rows: vec![NONE; terms],
            anchors,
            heap,
            recheck,
            phrase,
            texts: Vec::new(),
            ends: Vec::new(),
            given: None,
            done: false,
        };
        for place in (0..terms).rev() {
            search.query.patience.step(stop).map_err(stopped)?;
            let term = search.heap[place];
            if search.query.tree.terms[term].truncated && !search.needs_index(term) {
                continue;
            }
            search.start(term, index)?;
            if search.done {
                return Ok(search);
            }
        }
        for place in (0..terms / 2).rev() {
            search.sift_down(place, None);
        }
        Ok(search)
    }

    /// Whether a truncated term must be looked up. If not, its groups wait for less.
    fn needs_index(&mut self, term: usize) -> bool {
        let Search { query: Query { tree, seen, .. }, .. } = self;
        let (mut sign, mut parent) = (tree.terms[term].sign, Some(tree.terms[term].group));
        while let Some(group) = parent {
            let needed = i64::from(tree.groups[group].need) - i64::from(seen[group].slack);
            if seen[group].truncated_below {
                break;
            }
            if sign == Sign::Not || needed > i64::from(sign == Sign::Must) {
                let (mut sign, mut at) = (tree.terms[term].sign, tree.terms[term].group);
                while sign != Sign::Not {
                    seen[at].slack += 1;
                    if at == group {
                        break;
                    }
                    sign = tree.groups[at].sign;
                    at = tree.groups[at].parent.unwrap_or(group);
                }
                return false;
            }
            seen[group].truncated_below = true;
            (sign, parent) = (tree.groups[group].sign, tree.groups[group].parent);
        }
        self.given.get_or_insert_default();
        true
    }

    fn start<I: Index<Postings = P>>(&mut self, term: usize, index: &I) -> Result<(), Failure<I::Error>> {
        let t = &self.query.tree.terms[term];
        let postings = index.postings(&t.word, t.truncated)?;
        let mut walk = match t.truncated || self.rows.len() > BLOCKS {
            true => Walk::Steps(postings),
            false => Walk::Word(Blocks::new(postings)),
        };
        let first = walk.next(index)?;
        if first.is_some() {
            self.walks += 1;
            if self.walks > MAX_WALKS {
                return Err(Failure::TooManyWords);
            }
            self.postings[term] = Some(walk);
        }
        self.position(term, first);
        Ok(())
    }

    /// A term stands on a row now, or has no more.
    fn position(&mut self, term: usize, row: Option<u64>) {
        let t = &self.query.tree.terms[term];
        match row {
            Some(row) => {
                self.rows[term] = row;
                if !t.truncated && t.sign == Sign::Must {
                    self.query.seen[self.anchors[term]].low = row;
                }
            }
            None => {
                self.rows[term] = NONE;
                // Without a word that must be there nothing else can match.
                self.done |= t.sign == Sign::Must && t.group == 0;
            }
        }
    }

    fn advance<I: Index<Postings = P>>(
        &mut self,
        term: usize,
        index: &I,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Failure<I::Error>> {
        let mut low = 0;
        let mut group = Some(self.anchors[term]);
        while let Some(g) = group {
            self.query.patience.step(stop).map_err(stopped)?;
            low = low.max(self.query.seen[g].low);
            group = self.query.tree.groups[g].parent;
        }
        let next = match &mut self.postings[term] {
            Some(walk) if self.rows[term] < low => walk.seek(index, low)?,
            Some(walk) => walk.next(index)?,
            None => None,
        };
        self.position(term, next);
        Ok(())
    }

    /// Whether the term at the left goes before the other one: a smaller row, then a greater depth. Terms on row `now` always do.
    fn order(&self, a: usize, b: usize, now: Option<u64>) -> std::cmp::Ordering {
        if now == Some(self.rows[a]) {
            return std::cmp::Ordering::Less;
        }
        let depth = |t: usize| self.query.tree.terms[t].depth;
        self.rows[a].cmp(&self.rows[b]).then(depth(b).cmp(&depth(a)))
    }

    fn sift_down(&mut self, mut place: usize, now: Option<u64>) {
        let term = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.order(self.heap[child], self.heap[child + 1], now).is_gt()
            {
                child += 1;
            }
            if self.order(self.heap[child], term, now).is_ge() {
                break;
            }
            self.heap[place] = self.heap[child];
            place = child;
        }
        self.heap[place] = term;
    }

    /// The next row, in the order the index gives them, and its score.
    ///
    /// # Errors
    /// Those of the index and of `texts`; `Stopped` when `stop` says so.
    pub fn next<I: Index<Postings = P>>(
        &mut self,
        index: &I,
        texts: ReadTexts<'_, I::Error>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<(u64, f32)>, Failure<I::Error>> {
        while !self.done {
            let Some(&top) = self.heap.first() else { return Ok(None) };
            let row = self.rows[top];
            if row == NONE {
                self.done = true;
                break;
            }
            while let Some(&term) = self.heap.first().filter(|&&t| self.rows[t] == row) {
                self.query.event(term, row, Way::Index, &[], stop).map_err(stopped)?;
                self.advance(term, index, stop)?;
                self.sift_down(0, Some(row));
            }
            if !self.query.matches(row, Way::Index) {
                continue;
            }
            if self.given.as_mut().is_some_and(|given| !given.insert(row)) {
                continue;
            }
            if self.recheck {
                let Search { texts: bytes, ends, query, phrase, .. } = self;
                bytes.clear();
                ends.clear();
                texts(row, &mut |text| {
                    bytes.extend_from_slice(text);
                    ends.push(bytes.len());
                })?;
                let starts = std::iter::once(&0).chain(ends.iter());
                let texts: Vec<&[u8]> = starts.zip(ends.iter()).map(|(a, b)| &bytes[*a..*b]).collect();
                if !query.holds(*phrase, &texts, stop).map_err(stopped)? {
                    continue;
                }
            }
            return Ok(Some((row, self.query.seen[0].value)));
        }
        Ok(None)
    }
}

/// Number of rows that a query finds in an index. Rows are read where the index does not tell all (phrases, truncated words).
///
/// # Errors
/// Those of the index and of `texts`; `Stopped` when `stop` says so.
pub fn count<I: Index>(
    query: Query,
    index: &I,
    texts: ReadTexts<'_, I::Error>,
    stop: &dyn Fn() -> bool,
) -> Result<u64, Failure<I::Error>> {
    if let Some(word) = query.only_word()
        && let Some(rows) = index.known(&mut index.postings(word, false)?)?
    {
        return Ok(rows);
    }
    let (mut search, mut rows) = (Search::new(query, index, stop)?, 0);
    while search.next(index, texts, stop)?.is_some() {
        rows += 1;
    }
    Ok(rows)
}
