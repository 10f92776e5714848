//! Writing documents.

use super::date::date_number;
use super::recent::Recent;
use super::schema::{Fields, Role, TEXT_NUMBER, VERSION, schema, tokenizers};
use crate::game::{GameResult, Headers, Name, PartialDate};
use crate::names::split_team;
use crate::opening::Ecco;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Bound;
use tantivy::directory::Directory;
use tantivy::indexer::NoMergePolicy;
use tantivy::query::RangeQuery;
use tantivy::schema::{OwnedValue, Term};
use tantivy::{Index, IndexWriter, TantivyDocument, TantivyError};

/// Memory of tantivy's writing thread. A segment is written out when it is full or when a commit comes.
const MEMORY: usize = 48 << 20;
/// Bytes of a text that can be searched; what is longer is no name and no remark, and cutting it into terms takes
/// thirty times its size.
pub const LONGEST_TEXT: usize = 1 << 20;
/// So many segments of about the same size are merged.
const FAN: usize = 8;
/// Headers that say nothing worth searching: they are columns, or boards.
const NOT_TEXT: [&str; 8] = ["Game", "Result", "FEN", "SetUp", "Format", "ECCO", "ECO", "PlyCount"];

/// Text numbers are hashes already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// What the index learns of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameHeaders<'a> {
    /// Headers as written.
    pub headers: &'a Headers,
    /// The result as understood.
    pub result: GameResult,
    /// Plies of the main line.
    pub plies: u32,
    /// Opening code by our own table.
    pub ecco: Option<Ecco>,
    /// All comments and unread text.
    pub comments: &'a str,
    /// The file the game came from.
    pub file: &'a str,
}

impl GameHeaders<'_> {
    /// Every text with the role it plays, as it is indexed. The same pair may come twice.
    pub fn texts(&self, mut each: impl FnMut(Role, &str)) {
        let mut player = |role, name| {
            let Some(name) = self.headers.get(name) else { return };
            each(role, name);
            if let (Some(team), _) = split_team(name) {
                each(Role::Team, team);
            }
        };
        player(Role::Red, Name::Red);
        player(Role::Black, Name::Black);
        for (name, value) in self.headers.iter() {
            let value = value.trim();
            if value.is_empty() || value.chars().all(|c| c == '?') {
                continue;
            }
            let role = match role_of(name) {
                Some(role) => role,
                None => continue,
            };
            each(role, value);
        }
        if let Some(opening) = self.ecco.and_then(Ecco::name) {
            each(Role::Opening, opening);
        }
        if !self.file.is_empty() {
            each(Role::Source, self.file);
        }
    }
}

/// The role of a header other than the players' names; `None` if it is not indexed as a text.
fn role_of(name: &str) -> Option<Role> {
    let is = |meaning: Name| name.eq_ignore_ascii_case(meaning.tag());
    if is(Name::Red) || is(Name::Black) || name.eq_ignore_ascii_case("White") {
        return None;
    }
    if NOT_TEXT.iter().any(|not| name.eq_ignore_ascii_case(not)) {
        return None;
    }
    Some(if is(Name::Event) {
        Role::Event
    } else if is(Name::Site) {
        Role::Site
    } else if is(Name::Round) {
        Role::Round
    } else if is(Name::RedTeam) || is(Name::BlackTeam) || name.eq_ignore_ascii_case("WhiteTeam") {
        Role::Team
    } else if is(Name::Opening) || is(Name::Variation) {
        Role::Opening
    } else {
        Role::Other
    })
}

/// Adds documents to the index.
pub struct HeaderWriter {
    index: Index,
    writer: IndexWriter,
    fields: Fields,
    /// Numbers of the texts that have a document.
    known: HashSet<u64, BuildHasherDefault<AsIs>>,
    recent: Recent,
    keys: Vec<u64>,
    removed: Vec<u32>,
}

impl std::fmt::Debug for HeaderWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HeaderWriter({} texts)", self.known.len())
    }
}

impl HeaderWriter {
    /// Opens the index in a directory for writing, or makes a new one there.
    ///
    /// # Errors
    ///
    /// What tantivy says, or that the index was made by another version.
    pub fn open(directory: impl Into<Box<dyn Directory>>) -> Result<HeaderWriter, TantivyError> {
        let directory = directory.into();
        let (schema, fields) = schema();
        let index = Index::builder().schema(schema).tokenizers(tokenizers()).open_or_create(directory)?;
        let writer: IndexWriter = index.writer_with_num_threads(1, MEMORY)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let mut known = HashSet::default();
        let reader = index.reader()?;
        for segment in reader.searcher().segment_readers() {
            let numbers = segment.fast_fields().u64(TEXT_NUMBER)?;
            known.extend((0..segment.max_doc()).filter_map(|doc| numbers.first(doc)));
        }
        Ok(HeaderWriter { index, writer, fields, known, recent: Recent::new(), keys: Vec::new(), removed: Vec::new() })
    }

    /// The index written to.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Adds the document of a game. Of texts longer than [`LONGEST_TEXT`] the beginning can be searched.
    pub fn add(&mut self, number: u32, game: &GameHeaders<'_>) -> Result<(), TantivyError> {
        let fields = self.fields;
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let mut failed = None;
        game.texts(|role, text| {
            let text = beginning(text);
            let (text_number, met) = self.recent.number(text);
            keys.push(text_number | role as u64);
            if !met && self.known.insert(text_number) {
                let mut doc = TantivyDocument::new();
                doc.add_u64(fields.text_number, text_number);
                doc.add_text(fields.text, text);
                failed = self.writer.add_document(doc).err().or(failed.take());
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        keys.sort_unstable();
        keys.dedup();
        let mut doc = TantivyDocument::new();
        doc.add_u64(fields.game, number.into());
        for &key in &keys {
            doc.add_u64(fields.key, key);
        }
        doc.add_u64(
            fields.date,
            game.headers.get(Name::Date).and_then(PartialDate::read).map_or(0, date_number).into(),
        );
        doc.add_u64(fields.plies, game.plies.into());
        doc.add_u64(fields.result, game.result as u64);
        doc.add_u64(fields.ecco, game.ecco.map_or(0, |ecco| u64::from(ecco.number()) + 1));
        if !game.comments.is_empty() {
            doc.add_text(fields.comment, beginning(game.comments));
        }
        self.keys = keys;
        self.writer.add_document(doc)?;
        Ok(())
    }

    /// Takes the document of a game away with the next commit.
    pub fn remove(&mut self, number: u32) {
        self.removed.push(number);
    }

    /// Forgets everything: with the next commit only what is added from now on is there.
    pub fn clear(&mut self) -> Result<(), TantivyError> {
        self.writer.delete_all_documents()?;
        self.known.clear();
        self.removed.clear();
        Ok(())
    }

    /// Makes everything since the last commit part of the index and merges what has grown. Nothing is written after it
    /// has returned.
    pub fn commit(&mut self) -> Result<(), TantivyError> {
        self.removed.sort_unstable();
        for run in self.removed.chunk_by(|a, b| a + 1 >= *b) {
            if let (Some(first), Some(last)) = (run.first(), run.last()) {
                let term = |number: u32| Term::from_field_u64(self.fields.game, number.into());
                let range = RangeQuery::new(Bound::Included(term(*first)), Bound::Included(term(*last)));
                self.writer.delete_query(Box::new(range))?;
            }
        }
        self.removed.clear();
        let mut prepared = self.writer.prepare_commit()?;
        prepared.set_payload(&VERSION.to_string());
        prepared.commit()?;
        while let Some(segments) = self.grown()? {
            self.writer.merge(&segments).wait()?;
        }
        Ok(())
    }

    /// Merges all segments into one.
    pub fn compact(&mut self) -> Result<(), TantivyError> {
        let segments = self.index.searchable_segment_ids()?;
        if segments.len() > 1 {
            self.writer.merge(&segments).wait()?;
        }
        Ok(())
    }

    /// Segments to merge next: the smallest ones, if there are [`FAN`] of which the largest is not much larger than
    /// all the others together. So a document is rewritten only as often as the number of its neighbours grows by a factor.
    fn grown(&self) -> Result<Option<Vec<tantivy::index::SegmentId>>, TantivyError> {
        let mut segments: Vec<_> =
            self.index.searchable_segment_metas()?.iter().map(|meta| (meta.num_docs(), meta.id())).collect();
        segments.sort_unstable();
        for most in (FAN..=segments.len()).rev() {
            let (largest, _) = segments[most - 1];
            let others: u64 = segments[..most - 1].iter().map(|(docs, _)| u64::from(*docs)).sum();
            if u64::from(largest) * 3 <= others {
                return Ok(Some(segments[..most].iter().map(|(_, id)| *id).collect()));
            }
        }
        Ok(None)
    }
}

fn beginning(text: &str) -> &str {
    let mut end = text.len().min(LONGEST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A stored text as tantivy hands it out.
pub(super) fn stored_text(doc: &TantivyDocument, fields: &Fields) -> Option<String> {
    match doc.get_first(fields.text).map(OwnedValue::from) {
        Some(OwnedValue::Str(text)) => Some(text),
        _ => None,
    }
}
