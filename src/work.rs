//! Counts of work, for the tests that prove that it grows no faster than the input.
//!
//! Times prove nothing on a busy machine, so the inner loops say how often they ran: boards played, texts looked at,
//! bytes walked. Release builds count nothing.

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Moves played on a board, and taken back.
    Played,
    /// Texts looked at as moves.
    Tokens,
    /// Tokens resolved on a board.
    Resolved,
    /// Live boards of records with several readings.
    Boards,
    /// Bytes walked by scanners, decoders and searches within a text.
    Bytes,
    /// Items of lists that were looked through.
    Items,
}

/// Notes work done.
#[inline(always)]
pub(crate) fn note(what: Work, amount: usize) {
    #[cfg(debug_assertions)]
    counts::note(what, amount);
    #[cfg(not(debug_assertions))]
    let _ = (what, amount);
}

#[cfg(debug_assertions)]
mod counts {
    use super::Work;
    use std::cell::Cell;

    pub(super) const KINDS: usize = 6;

    thread_local! {
        static COUNTS: Cell<[u64; KINDS]> = const { Cell::new([0; KINDS]) };
    }

    pub(super) fn note(what: Work, amount: usize) {
        COUNTS.with(|counts| {
            let mut now = counts.get();
            now[what as usize] = now[what as usize].wrapping_add(amount as u64);
            counts.set(now);
        });
    }

    /// What a function does on this thread.
    #[cfg(test)]
    pub(super) fn of(run: impl FnOnce()) -> [u64; KINDS] {
        let before = COUNTS.with(Cell::get);
        run();
        let after = COUNTS.with(Cell::get);
        std::array::from_fn(|kind| after[kind].wrapping_sub(before[kind]))
    }
}

#[cfg(all(test, debug_assertions))]
mod tests;
