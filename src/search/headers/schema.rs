//! What the index holds.
//!
//! Two kinds of documents live side by side:
//!
//! * a **text** document for every different header text (a name, an event, a file), once: the text itself, the terms it
//!   is filed under, and its number, a hash;
//! * a **game** document for every game: its number, and for every header the number of the text with the role it
//!   plays; date, plies, result and ECCO code as columns; the terms of its comments.
//!
//! So the costly part, cutting a text into terms, is done once for each name and not once for each game, and a game takes
//! few bytes.

use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};

/// Raised whenever the meaning of a field changes; an index of another version is refused.
pub(super) const VERSION: u64 = 1;

/// The part a text plays in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// Red's name.
    Red = 0,
    /// Black's name.
    Black = 1,
    /// A team of either side.
    Team = 2,
    /// The event.
    Event = 3,
    /// The site.
    Site = 4,
    /// The round.
    Round = 5,
    /// Name of the opening, by the record or by us.
    Opening = 6,
    /// The file the game came from.
    Source = 7,
    /// Any other header.
    Other = 8,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 9] = [
        Role::Red,
        Role::Black,
        Role::Team,
        Role::Event,
        Role::Site,
        Role::Round,
        Role::Opening,
        Role::Source,
        Role::Other,
    ];

    /// Where a bare word looks: everything but the source.
    pub const ANYWHERE: [Role; 8] =
        [Role::Red, Role::Black, Role::Team, Role::Event, Role::Site, Role::Round, Role::Opening, Role::Other];
}

/// Number of a text: a hash with the low four bits left free for the role.
pub(super) fn text_number(text: &str) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..8]);
    u64::from_le_bytes(number) & !15
}

pub(super) const GAME: &str = "game";
pub(super) const DATE: &str = "date";
pub(super) const PLIES: &str = "plies";
pub(super) const RESULT: &str = "result";
pub(super) const ECCO: &str = "ecco";
pub(super) const TEXT_NUMBER: &str = "text_number";

const HEADER_TERMS: &str = "yipu_header";
const COMMENT_TERMS: &str = "yipu_comment";

/// The fields by name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// Number of the game.
    pub game: Field,
    /// Text number and role, one for every header.
    pub key: Field,
    pub date: Field,
    pub plies: Field,
    pub result: Field,
    pub ecco: Field,
    pub comment: Field,
    /// Of a text document.
    pub text_number: Field,
    pub text: Field,
}

pub(super) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let terms = |tokenizer: &str| {
        TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_fieldnorms(false)
                .set_index_option(IndexRecordOption::Basic),
        )
    };
    let fields = Fields {
        game: schema.add_u64_field(GAME, FAST),
        key: schema.add_u64_field("key", INDEXED),
        date: schema.add_u64_field(DATE, FAST),
        plies: schema.add_u64_field(PLIES, FAST),
        result: schema.add_u64_field(RESULT, FAST),
        ecco: schema.add_u64_field(ECCO, FAST),
        comment: schema.add_text_field("comment", terms(COMMENT_TERMS)),
        text_number: schema.add_u64_field(TEXT_NUMBER, FAST),
        text: schema.add_text_field("text", terms(HEADER_TERMS) | STORED),
    };
    (schema.build(), fields)
}

pub(super) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(HEADER_TERMS, TextAnalyzer::from(super::tokens::Terms::new(true)));
    manager.register(COMMENT_TERMS, TextAnalyzer::from(super::tokens::Terms::new(false)));
    manager
}
