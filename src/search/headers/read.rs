//! Asking the index.

use super::date::DateRange;
use super::rows::Rows;
use super::schema::{DATE, ECCO, Fields, GAME, PLIES, RESULT, Role, TEXT_NUMBER, VERSION, schema, tokenizers};
use super::tokens::{SOUND, decided, written};
use super::write::stored_text;
use crate::game::GameResult;
use crate::names::{Needle, Place, sound_terms};
use crate::opening::Ecco;
use crate::search::GameSet;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::OnceLock;
use tantivy::directory::Directory;
use tantivy::schema::{Field, IndexRecordOption, Term};
use tantivy::{DocId, DocSet, Index, Searcher, SegmentReader, TERMINATED, TantivyDocument, TantivyError};

/// Texts whose games a thread looks up at once.
const TEXTS: usize = 256;
const STORE_BLOCKS: usize = 64;
/// Rows of a column asked for at once.
const ROWS: u32 = 1 << 17;

/// Games, and whether it is certain that they are the ones asked for.
#[derive(Clone, Debug)]
pub struct Found {
    /// The games: all that were asked for, and perhaps more.
    pub games: GameSet,
    /// Whether there are no more.
    pub decided: bool,
}

/// A text of the index with the games it appears in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEntry {
    /// The text as written.
    pub text: String,
    /// Games it appears in, in the roles asked for.
    pub games: u64,
}

/// What the columns say of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Columns {
    /// `yyyymmdd` ([`super::date_number`]), 0 if unknown.
    pub date: u32,
    /// Plies of the main line.
    pub plies: u32,
    /// Opening code.
    pub ecco: Option<Ecco>,
}

/// One committed state of the index.
pub struct HeaderReader {
    searcher: Searcher,
    fields: Fields,
    bound: u32,
    /// By segment, once they are asked for.
    rows: OnceLock<Vec<Rows>>,
}

impl std::fmt::Debug for HeaderReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HeaderReader({} documents)", self.searcher.num_docs())
    }
}

impl HeaderReader {
    /// Opens the index in a directory. Game numbers are below `bound`.
    ///
    /// # Errors
    ///
    /// What tantivy says, or that the index was made by another version.
    pub fn open(directory: impl Into<Box<dyn Directory>>, bound: u32) -> Result<HeaderReader, TantivyError> {
        let (wanted, fields) = schema();
        let mut index = Index::open(directory)?;
        let version = index.load_metas()?.payload.unwrap_or_default();
        if index.schema() != wanted || version != VERSION.to_string() {
            return Err(TantivyError::SchemaError(format!(
                "the header index has version {version:?}, this program reads version {VERSION}: build the database anew"
            )));
        }
        index.set_tokenizers(tokenizers());
        let reader = index.reader_builder().reload_policy(tantivy::ReloadPolicy::Manual).try_into()?;
        Ok(HeaderReader { searcher: reader.searcher(), fields, bound, rows: OnceLock::new() })
    }

    /// Number of games in it.
    pub fn games(&self) -> Result<u64, TantivyError> {
        Ok(self.all()?.len() as u64)
    }

    /// Every game.
    pub fn all(&self) -> Result<GameSet, TantivyError> {
        let mut games = GameSet::empty(self.bound);
        self.rows()?.iter().for_each(|rows| rows.docs.all(&mut games));
        Ok(games)
    }

    /// Which games the documents and rows of the segments are.
    fn rows(&self) -> Result<&[Rows], TantivyError> {
        if let Some(rows) = self.rows.get() {
            return Ok(rows);
        }
        let rows = self.searcher.segment_readers().par_iter().map(Rows::new).collect::<Result<_, _>>()?;
        Ok(self.rows.get_or_init(|| rows))
    }

    /// Games with one of the needles in a text of one of the roles.
    pub fn text(&self, roles: &[Role], needles: &[Needle]) -> Result<GameSet, TantivyError> {
        let name = |role: &Role| matches!(role, Role::Red | Role::Black);
        let mut games = GameSet::empty(self.bound);
        for (place, roles) in [
            (Place::Name, roles.iter().copied().filter(|role| name(role)).collect::<Vec<_>>()),
            (Place::Text, roles.iter().copied().filter(|role| !name(role)).collect::<Vec<_>>()),
        ] {
            if !roles.is_empty() {
                let mut texts = HashSet::new();
                for needle in needles {
                    self.texts_with(needle, place, &mut texts)?;
                }
                self.games_with(&texts, &roles, &mut games)?;
            }
        }
        Ok(games)
    }

    /// Games with exactly this text in one of the roles.
    pub fn exact_text(&self, roles: &[Role], text: &str) -> Result<GameSet, TantivyError> {
        let mut games = GameSet::empty(self.bound);
        self.games_with(&HashSet::from([super::schema::text_number(text)]), roles, &mut games)?;
        Ok(games)
    }

    /// Games with the needle in a comment or in text that could not be read as moves.
    pub fn comment(&self, needle: &Needle) -> Result<Found, TantivyError> {
        let mut games = GameSet::empty(self.bound);
        for (segment, rows) in self.searcher.segment_readers().iter().zip(self.rows()?) {
            rows.docs.add(&self.with_all(segment, self.fields.comment, &written(needle.as_str()))?, &mut games);
        }
        Ok(Found { games, decided: needle.as_str().chars().count() <= 2 })
    }

    /// Games played surely within the span.
    pub fn date(&self, range: DateRange) -> Result<GameSet, TantivyError> {
        self.scan(DATE, range.numbers().map(|numbers| u64::from(*numbers.start())..=u64::from(*numbers.end())))
    }

    /// Games without any date.
    pub fn undated(&self) -> Result<GameSet, TantivyError> {
        self.scan(DATE, [0..=0])
    }

    /// Games with so many plies.
    pub fn plies(&self, range: RangeInclusive<u32>) -> Result<GameSet, TantivyError> {
        self.scan(PLIES, [u64::from(*range.start())..=u64::from(*range.end())])
    }

    /// Games with this result.
    pub fn result(&self, result: GameResult) -> Result<GameSet, TantivyError> {
        self.scan(RESULT, [result as u64..=result as u64])
    }

    /// Games with a code in the range.
    pub fn ecco(&self, range: RangeInclusive<Ecco>) -> Result<GameSet, TantivyError> {
        let range = u64::from(range.start().number()) + 1..=u64::from(range.end().number()) + 1;
        self.scan(ECCO, [range])
    }

    /// What the columns say of every game, by game number.
    pub fn columns(&self) -> Result<Vec<Columns>, TantivyError> {
        let mut columns = vec![Columns::default(); self.bound as usize];
        for segment in self.searcher.segment_readers() {
            let fast = segment.fast_fields();
            let (numbers, dates, plies, eccos) = (fast.u64(GAME)?, fast.u64(DATE)?, fast.u64(PLIES)?, fast.u64(ECCO)?);
            for doc in segment.doc_ids_alive() {
                let Some(number) = numbers.first(doc) else { continue };
                if let Some(slot) = columns.get_mut(number as usize) {
                    let ecco = eccos.first(doc).unwrap_or(0);
                    *slot = Columns {
                        date: dates.first(doc).unwrap_or(0) as u32,
                        plies: plies.first(doc).unwrap_or(0) as u32,
                        ecco: ecco.checked_sub(1).and_then(|n| Ecco::from_number(n as u16)),
                    };
                }
            }
        }
        Ok(columns)
    }

    /// Every text that appears in one of the roles, in the order of their characters, with the number of games.
    pub fn texts(&self, roles: &[Role]) -> Result<Vec<TextEntry>, TantivyError> {
        let wanted = roles.iter().fold(0u16, |set, role| set | 1 << *role as u8);
        let mut games: BTreeMap<u64, u64> = BTreeMap::new();
        let mut texts: BTreeMap<u64, String> = BTreeMap::new();
        for segment in self.searcher.segment_readers() {
            let keys = segment.inverted_index(self.fields.key)?;
            let mut stream = keys.terms().stream()?;
            while stream.advance() {
                let key = key_of(stream.key());
                if wanted >> (key & 15) & 1 == 1 {
                    *games.entry(key & !15).or_default() += u64::from(stream.value().doc_freq);
                }
            }
        }
        for segment in self.searcher.segment_readers() {
            let numbers = segment.fast_fields().u64(TEXT_NUMBER)?;
            let store = segment.get_store_reader(STORE_BLOCKS)?;
            for doc in segment.doc_ids_alive() {
                if let Some(number) = numbers.first(doc).filter(|number| games.contains_key(number))
                    && let Some(text) = stored_text(&store.get::<TantivyDocument>(doc)?, &self.fields)
                {
                    texts.insert(number, text);
                }
            }
        }
        let mut entries: Vec<TextEntry> = texts
            .into_iter()
            .filter_map(|(number, text)| Some(TextEntry { text, games: *games.get(&number)? }))
            .collect();
        entries.sort_by(|a, b| a.text.cmp(&b.text));
        Ok(entries)
    }

    /// Collects the games for which the column's value lies in one of the ranges, which do not overlap.
    fn scan(
        &self,
        column: &str,
        ranges: impl IntoIterator<Item = RangeInclusive<u64>>,
    ) -> Result<GameSet, TantivyError> {
        let ranges: Vec<RangeInclusive<u64>> = ranges.into_iter().collect();
        let mut shares = Vec::new();
        for (segment, rows) in self.searcher.segment_readers().iter().zip(self.rows()?) {
            let values = segment.fast_fields().u64(column)?.values;
            if values.num_vals() != rows.count {
                return Err(TantivyError::InternalError(format!("column {column} has not a value for every game")));
            }
            for range in &ranges {
                // The bounds of a column are asked first: far outside of them it may answer wrongly.
                let (least, most) = (values.min_value().max(*range.start()), values.max_value().min(*range.end()));
                if least > most || rows.count == 0 {
                    continue;
                }
                for start in (0..rows.count).step_by(ROWS as usize) {
                    let stretch = start..rows.count.min(start + ROWS);
                    shares.push((values.clone(), rows, least..=most, stretch));
                }
            }
        }
        let found = shares.into_par_iter().fold(
            || (GameSet::empty(self.bound), Vec::new()),
            |(mut games, mut hits), (values, rows, range, stretch)| {
                hits.clear();
                values.get_row_ids_for_value_range(range, stretch, &mut hits);
                rows.rows.add(&hits, &mut games);
                (games, hits)
            },
        );
        Ok(found.map(|(games, _)| games).reduce(
            || GameSet::empty(self.bound),
            |mut all, games| {
                all.or(&games);
                all
            },
        ))
    }

    /// Adds the numbers of the texts that have the needle.
    fn texts_with(&self, needle: &Needle, place: Place, texts: &mut HashSet<u64>) -> Result<(), TantivyError> {
        let segments = self.searcher.segment_readers();
        let found: Vec<Vec<u64>> = segments
            .par_iter()
            .map(|segment| self.texts_of_segment(segment, needle, place))
            .collect::<Result<_, TantivyError>>()?;
        texts.extend(found.into_iter().flatten());
        Ok(())
    }

    fn texts_of_segment(
        &self,
        segment: &SegmentReader,
        needle: &Needle,
        place: Place,
    ) -> Result<Vec<u64>, TantivyError> {
        let decided = decided(needle);
        let docs = if needle.words().is_empty() {
            self.with_all(segment, self.fields.text, &written(needle.as_str()))?
        } else {
            let mut docs: Option<Vec<DocId>> = None;
            for word in needle.words() {
                let found = self.with_word(segment, word)?;
                docs = Some(match docs {
                    None => found,
                    Some(docs) => docs.into_iter().filter(|doc| found.binary_search(doc).is_ok()).collect(),
                });
            }
            docs.unwrap_or_default()
        };
        let numbers = segment.fast_fields().u64(TEXT_NUMBER)?;
        let store = segment.get_store_reader(STORE_BLOCKS)?;
        let mut texts = Vec::new();
        for doc in docs {
            let Some(number) = numbers.first(doc) else { continue };
            let has = decided
                || stored_text(&store.get::<TantivyDocument>(doc)?, &self.fields)
                    .is_some_and(|text| needle.is_in(&text, place));
            if has {
                texts.push(number);
            }
        }
        Ok(texts)
    }

    /// Texts that may have a Latin word: written out, as syllables, or as initials. In order.
    fn with_word(&self, segment: &SegmentReader, word: &str) -> Result<Vec<DocId>, TantivyError> {
        let field = self.fields.text;
        let mut docs = self.with_all(segment, field, &written(word))?;
        let sounds = sound_terms(word);
        let index = segment.inverted_index(field)?;
        for reading in sounds.readings {
            let term = Term::from_field_text(field, &format!("{SOUND}{reading}"));
            if let Some(mut postings) = index.read_postings(&term, IndexRecordOption::Basic)? {
                drain(&mut postings, &mut docs);
            }
        }
        if !sounds.pairs.is_empty() {
            let pairs: Vec<String> = sounds.pairs.iter().map(|pair| format!("{SOUND}{pair}")).collect();
            docs.extend(self.with_all(segment, field, &pairs)?);
        }
        docs.sort_unstable();
        docs.dedup();
        Ok(docs)
    }

    /// Documents that have all of the terms, in order; none if there are no terms.
    fn with_all(&self, segment: &SegmentReader, field: Field, terms: &[String]) -> Result<Vec<DocId>, TantivyError> {
        let index = segment.inverted_index(field)?;
        let mut lists = Vec::with_capacity(terms.len());
        for term in terms {
            match index.read_postings(&Term::from_field_text(field, term), IndexRecordOption::Basic)? {
                Some(postings) => lists.push(postings),
                None => return Ok(Vec::new()),
            }
        }
        lists.sort_by_key(|list| list.doc_freq());
        let mut docs = Vec::new();
        let mut lists = lists.into_iter();
        if let Some(mut first) = lists.next() {
            drain(&mut first, &mut docs);
        }
        for mut list in lists {
            docs.retain(|&doc| {
                let at = list.doc();
                if at < doc { list.seek(doc) == doc } else { at == doc }
            });
        }
        Ok(docs)
    }

    /// Adds the games that have one of the texts in one of the roles.
    fn games_with(&self, texts: &HashSet<u64>, roles: &[Role], games: &mut GameSet) -> Result<(), TantivyError> {
        let mut texts: Vec<u64> = texts.iter().copied().collect();
        texts.sort_unstable();
        let rows = self.rows()?;
        // Each thread takes a share of the texts of a segment.
        let shares: Vec<(&SegmentReader, &Rows, &[u64])> = self
            .searcher
            .segment_readers()
            .iter()
            .zip(rows)
            .flat_map(|(segment, rows)| texts.chunks(TEXTS).map(move |texts| (segment, rows, texts)))
            .collect();
        if let [_] | [] = shares.as_slice() {
            return shares.iter().try_for_each(|(segment, rows, texts)| self.share(segment, rows, texts, roles, games));
        }
        let empty = || GameSet::empty(self.bound);
        let found = shares
            .into_par_iter()
            .try_fold(empty, |mut games, (segment, rows, texts)| {
                self.share(segment, rows, texts, roles, &mut games).map(|()| games)
            })
            .try_reduce(empty, |mut all, games| {
                all.or(&games);
                Ok(all)
            })?;
        games.or(&found);
        Ok(())
    }

    fn share(
        &self,
        segment: &SegmentReader,
        rows: &Rows,
        texts: &[u64],
        roles: &[Role],
        games: &mut GameSet,
    ) -> Result<(), TantivyError> {
        let keys = segment.inverted_index(self.fields.key)?;
        for text in texts {
            for role in roles {
                let term = Term::from_field_u64(self.fields.key, text | *role as u64);
                let Some(info) = keys.get_term_info(&term)? else { continue };
                let mut postings = keys.read_block_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
                while !postings.docs().is_empty() {
                    rows.docs.add(postings.docs(), games);
                    postings.advance();
                }
            }
        }
        Ok(())
    }
}

fn key_of(bytes: &[u8]) -> u64 {
    bytes.first_chunk::<8>().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

fn drain(postings: &mut impl DocSet, docs: &mut Vec<DocId>) {
    while postings.doc() != TERMINATED {
        docs.push(postings.doc());
        postings.advance();
    }
}
