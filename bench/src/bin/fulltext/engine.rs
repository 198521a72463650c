//! Tantivy in this process: what a search engine does with the same documents and words.

use std::io;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TEXT};
use tantivy::{Index, IndexReader, IndexWriter, TantivyDocument, Term};

use bench::fulltext::cases::{Answer, Question};
use bench::fulltext::{Document, Load, Sample};

/// Memory of the writer before it makes a segment.
const WRITER_MEMORY: usize = 256 << 20;

/// An index on disk, open.
pub struct Engine {
    reader: IndexReader,
    content: Field,
}

fn failed(e: tantivy::TantivyError) -> io::Error {
    io::Error::other(e)
}

impl Engine {
    /// Builds an index of the documents in a folder. Returns how long that took, segments merged into one, and its bytes.
    pub fn build(folder: &Path, documents: &[Document]) -> io::Result<(Engine, Duration, u64)> {
        std::fs::create_dir_all(folder)?;
        let mut schema = Schema::builder();
        let id = schema.add_u64_field("id", STORED);
        let content = schema.add_text_field("content", TEXT);
        let begun = Instant::now();
        let index = Index::create_in_dir(folder, schema.build()).map_err(failed)?;
        let mut writer: IndexWriter = index.writer(WRITER_MEMORY).map_err(failed)?;
        for (n, document) in documents.iter().enumerate() {
            let mut row = TantivyDocument::default();
            row.add_u64(id, n as u64 + 1);
            row.add_text(content, &document.text);
            writer.add_document(row).map_err(failed)?;
        }
        writer.commit().map_err(failed)?;
        let segments = index.searchable_segment_ids().map_err(failed)?;
        if segments.len() > 1 {
            writer.merge(&segments).wait().map_err(failed)?;
        }
        writer.wait_merging_threads().map_err(failed)?;
        let time = begun.elapsed();
        let reader = index.reader().map_err(failed)?;
        let mut bytes = 0;
        for entry in std::fs::read_dir(folder)? {
            bytes += entry?.metadata()?.len();
        }
        Ok((Engine { reader, content }, time, bytes))
    }

    fn query(&self, question: &Question) -> Box<dyn Query> {
        let mut terms: Vec<Term> =
            question.words.iter().map(|w| Term::from_field_text(self.content, w)).collect();
        let word =
            |term: Term| Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) as Box<dyn Query>;
        match (question.phrase, terms.len()) {
            (true, _) => Box::new(PhraseQuery::new(terms)),
            (false, 1) => word(terms.remove(0)),
            (false, _) => Box::new(BooleanQuery::union(terms.into_iter().map(word).collect())),
        }
    }

    fn answer(&self, query: &dyn Query, answer: Answer) -> tantivy::Result<u64> {
        let searcher = self.reader.searcher();
        Ok(match answer {
            Answer::Count => searcher.search(query, &Count)? as u64,
            Answer::Best => {
                let best = searcher.search(query, &TopDocs::with_limit(10).order_by_score())?;
                let mut found = 0;
                for (_, address) in best {
                    // Its number is read, as SQL's answer has it.
                    let _: TantivyDocument = searcher.doc(address)?;
                    found += 1;
                }
                found
            }
        })
    }

    /// Sum of what all questions count.
    pub fn sum(&self, questions: &[Question]) -> io::Result<u64> {
        let mut sum = 0;
        for question in questions {
            sum += self.answer(&*self.query(question), question.answer).map_err(failed)?;
        }
        Ok(sum)
    }

    /// Threads ask the questions in turn for some time.
    pub fn ask(&self, questions: &[Question], load: &Load) -> io::Result<Sample> {
        let (stop, ready) = (AtomicBool::new(false), Barrier::new(load.users as usize + 1));
        let (stop, ready) = (&stop, &ready);
        thread::scope(|scope| {
            let asking: Vec<_> = (0..load.users as usize)
                .map(|n| {
                    scope.spawn(move || {
                        let (mut latencies, mut at) = (Vec::new(), n * 7);
                        ready.wait();
                        while !stop.load(Ordering::Relaxed) {
                            let begun = Instant::now();
                            let question = &questions[at % questions.len()];
                            self.answer(&*self.query(question), question.answer)?;
                            latencies.push(u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX));
                            at += 1;
                        }
                        Ok(latencies)
                    })
                })
                .collect();
            ready.wait();
            let begun = Instant::now();
            thread::sleep(load.time);
            stop.store(true, Ordering::Relaxed);
            let wall = begun.elapsed().as_secs_f64();
            let mut latencies = Vec::new();
            for user in asking {
                let more = user.join().map_err(|_| io::Error::other("a user panicked"))?;
                latencies.append(&mut more.map_err(failed)?);
            }
            Ok(Sample::of(latencies, wall, f64::NAN, 0.0))
        })
    }
}
