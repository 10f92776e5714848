//! DhtmlXQ, the "UBB" records of dpxq.com, in all the homes they are found in.
//!
//! Comes in: text with tags `[DhtmlXQ_NAME]value[/DhtmlXQ_NAME]`, alone, in a page, in the script of a page
//! (`[0_1_0]7747…[/0_1_0]`), or nothing but the digits of a main line. Goes out: one game a block.
//!
//! What the reader forgives:
//!
//! - no wrapper, other wrappers, names in any case, a closing tag with another name, `\/` of scripts;
//! - a tag repeated: the first one that says something counts, another value is reported;
//! - an empty main line tag beside a full script variable;
//! - a short or odd start position: what is missing is filled from the normal one;
//! - side lines in any order, one that repeats its parent's ply (merged), one without a parent (kept as text);
//! - HTML tags and entities in header values, `||` and `\uXXXX` in comments, odd digits at the end of a line.
//!
//! The relative `DHJHtmlXQ`, which has numbers for names, is read too.
//! A block of the hidden-piece variant (揭棋) is refused by name.
//!
//! ```text
//! [DhtmlXQ_red]甲[/DhtmlXQ_red]
//! [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]        炮二平五 马8进7
//! [DhtmlXQ_move_0_2_1]7242[/DhtmlXQ_move_0_2_1]        line 1 leaves line 0 and replaces ply 2: 炮8平5
//! [DhtmlXQ_comment1_2]第一行||第二行[/DhtmlXQ_comment1_2]
//! ```

mod dhj;
mod lines;
mod read;
mod tags;
mod write;

pub use read::DhtmlxqReader;
pub use write::DhtmlxqWriter;

use crate::game::Name;

/// Tags that become headers, and the headers.
const HEADERS: [(&str, &str); 28] = [
    ("title", Name::Title.tag()),
    ("event", Name::Event.tag()),
    ("class", "EventClass"),
    ("round", Name::Round.tag()),
    ("group", "Group"),
    ("table", "Table"),
    ("date", Name::Date.tag()),
    ("place", Name::Site.tag()),
    ("timerule", Name::TimeControl.tag()),
    ("redteam", Name::RedTeam.tag()),
    ("redeng", "RedEngine"),
    ("redlevel", "RedTitle"),
    ("redrating", Name::RedElo.tag()),
    ("redtime", Name::RedTime.tag()),
    ("blackteam", Name::BlackTeam.tag()),
    ("blackeng", "BlackEngine"),
    ("blacklevel", "BlackTitle"),
    ("blackrating", Name::BlackElo.tag()),
    ("blacktime", Name::BlackTime.tag()),
    ("type", "Type"),
    ("gametype", "GameType"),
    ("endtype", "Termination"),
    ("judge", "Referee"),
    ("record", "Recorder"),
    ("remark", Name::Annotator.tag()),
    ("author", Name::Author.tag()),
    ("refer", "References"),
    ("other", Name::Remark.tag()),
];

/// Headers made of tags that mean something to the site alone carry this in front.
const SITE: &str = "dpxq_";

/// The start position as the site writes it.
const NORMAL: &str = "8979695949392919097717866646260600102030405060708012720323436383";
