//! Dates of which only part may be known.

use std::fmt;

/// A year, perhaps a month, perhaps a day. Ordered by what is known; an unknown part comes before any known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartialDate {
    /// Year, 1–9999.
    pub year: u16,
    /// Month 1–12, if known.
    pub month: Option<u8>,
    /// Day 1–31, if known; never without a month.
    pub day: Option<u8>,
}

impl fmt::Display for PartialDate {
    /// The PGN form, `1978.??.??`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month, self.day] {
            match part {
                Some(part) => write!(f, ".{part:02}")?,
                None => f.write_str(".??")?,
            }
        }
        Ok(())
    }
}
