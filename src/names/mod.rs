//! Names of people, teams, events and places: how they sound, and what in them is a team.
//!
//! * [`Sounds`]: a text as a row of syllables, so that `hu ronghua`, `huronghua` and `hrh` find 胡荣华;
//! * [`Needle`]: what a user looks for, and whether a text has it;
//! * [`Aliases`]: one person under several names;
//! * [`suggest`]: which names may belong to one person;
//! * [`split_team`]: 广东吕钦 is 吕钦 of 广东.

mod alias;
mod needle;
mod sound;
mod suggest;
mod team;

pub use alias::{AliasFault, Aliases};
pub use needle::{Needle, Place, squeeze};
pub use sound::Sounds;
pub(crate) use sound::sound_terms;
pub use suggest::{Likeness, NameGroup, suggest};
pub use team::split_team;
