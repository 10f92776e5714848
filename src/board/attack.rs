//! How pieces reach points: line arithmetic for rook, cannon and facing generals, step tables for the others.
//!
//! A *line* is a rank (nine points) or a file (ten points) seen as the low bits of a `u16`, one bit a point, set where
//! a piece stands.

use super::square::Square;

/// Points a rook on `at` sees along a line with these pieces: empty ones and the first piece each way.
pub(super) const fn rook_line(at: u32, occupied: u16, length: u32) -> u16 {
    let all = (1u16 << length) - 1;
    let above = occupied & !((2u16 << at) - 1);
    // Everything from above `at` up to and including the lowest piece there (or the end of the line).
    let up = (above ^ above.wrapping_sub(1)) & all & !((2u16 << at) - 1);
    let below = occupied & ((1u16 << at) - 1);
    let down =
        if below == 0 { (1u16 << at) - 1 } else { ((1u16 << at) - 1) & !((1u16 << (15 - below.leading_zeros())) - 1) };
    up | down
}

/// Points a cannon on `at` could capture on: the second piece each way.
pub(super) const fn cannon_line(at: u32, occupied: u16) -> u16 {
    let above = occupied & !((2u16 << at) - 1);
    let beyond = above & above.wrapping_sub(1);
    let up = beyond & beyond.wrapping_neg();
    let mut below = occupied & ((1u16 << at) - 1);
    let mut down = 0;
    if below != 0 {
        below &= !(1u16 << (15 - below.leading_zeros()));
        if below != 0 {
            down = 1u16 << (15 - below.leading_zeros());
        }
    }
    up | down
}

/// The first pieces seen from `at` each way along a line, and the second ones.
#[inline]
pub(super) const fn seen_from(at: u32, occupied: u16) -> (u16, u16) {
    let above = occupied & !((2u16 << at) - 1);
    let up = above & above.wrapping_neg();
    let above = above ^ up;
    let beyond = above & above.wrapping_neg();
    let below = occupied & ((1u16 << at) - 1);
    let down = highest(below);
    (up | down, beyond | highest(below ^ down))
}

/// The highest bit set, alone.
#[inline]
const fn highest(bits: u16) -> u16 {
    if bits == 0 { 0 } else { 1 << (15 - bits.leading_zeros()) }
}

/// A point reached in one step, and the point that must be empty for it (leg of a horse, eye of an elephant).
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub to: Square,
    pub over: Square,
}

/// Up to eight steps from one point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    steps: [Step; 8],
    count: u8,
}

impl Steps {
    const NONE: Steps = Steps { steps: [Step { to: Square::known(0), over: Square::known(0) }; 8], count: 0 };

    pub(super) fn as_slice(&self) -> &[Step] {
        &self.steps[..self.count as usize]
    }

    const fn push(&mut self, to: Square, over: Square) {
        self.steps[self.count as usize] = Step { to, over };
        self.count += 1;
    }
}

type Table = [Steps; Square::COUNT];

const HORSE_JUMPS: [(i8, i8); 8] = [(1, 2), (-1, 2), (2, 1), (-2, 1), (2, -1), (-2, -1), (1, -2), (-1, -2)];
const DIAGONALS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const ORTHOGONALS: [(i8, i8); 4] = [(0, 1), (1, 0), (-1, 0), (0, -1)];

/// The leg of a horse that jumps by (`files`, `ranks`) is one step from where it stands, along the longer side.
const fn leg(files: i8, ranks: i8) -> (i8, i8) {
    if files == 2 || files == -2 { (files / 2, 0) } else { (0, ranks / 2) }
}

const fn horse_table(reverse: bool) -> Table {
    let mut table = [Steps::NONE; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::known(index as u8);
        let mut jump = 0;
        while jump < 8 {
            let (files, ranks) = HORSE_JUMPS[jump];
            if let Some(other) = square.step(files, ranks) {
                // Reversed: the horse stands on `other` and jumps back to `square`.
                let over = if reverse {
                    let (x, y) = leg(-files, -ranks);
                    other.step(x, y)
                } else {
                    let (x, y) = leg(files, ranks);
                    square.step(x, y)
                };
                if let Some(over) = over {
                    table[index].push(other, over);
                }
            }
            jump += 1;
        }
        index += 1;
    }
    table
}

/// Which palace-and-river piece a step table is for.
#[derive(Clone, Copy)]
enum Homebody {
    King,
    Advisor,
    Elephant,
}

const fn home_table(piece: Homebody) -> Table {
    let mut table = [Steps::NONE; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::known(index as u8);
        let mut direction = 0;
        while direction < 4 {
            let (x, y) = match piece {
                Homebody::King => ORTHOGONALS[direction],
                Homebody::Advisor | Homebody::Elephant => DIAGONALS[direction],
            };
            if let Some(near) = square.step(x, y) {
                match piece {
                    Homebody::Elephant => {
                        if let Some(to) = near.step(x, y)
                            && (square.rank() <= 4) == (to.rank() <= 4)
                        {
                            table[index].push(to, near);
                        }
                    }
                    Homebody::King | Homebody::Advisor => {
                        let palace = near.file() >= 3 && near.file() <= 5 && (near.rank() <= 2 || near.rank() >= 7);
                        // From outside the palace (a faulty diagram) there is no way in or about.
                        let inside =
                            square.file() >= 3 && square.file() <= 5 && (square.rank() <= 2 || square.rank() >= 7);
                        if palace && inside {
                            table[index].push(near, near);
                        }
                    }
                }
            }
            direction += 1;
        }
        index += 1;
    }
    table
}

/// Horse jumps from a point, with the leg.
pub(super) static HORSE: Table = horse_table(false);
/// Where a horse that reaches this point stands, with its leg.
pub(super) static HORSE_TO: Table = horse_table(true);
/// Elephant steps with the eye; never across the river.
pub(super) static ELEPHANT: Table = home_table(Homebody::Elephant);
/// Advisor steps inside a palace (`over` = `to`, no meaning).
pub(super) static ADVISOR: Table = home_table(Homebody::Advisor);
/// King steps inside a palace (`over` = `to`, no meaning).
pub(super) static KING: Table = home_table(Homebody::King);

/// For each point the set of points from which a horse or a pawn could attack it: if none of the enemy's pieces stands
/// there, neither has to be looked for.
pub(super) static NEAR: [u128; Square::COUNT] = {
    let mut table = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::known(index as u8);
        let mut step = 0;
        while step < 8 {
            if let Some(other) = square.step(HORSE_JUMPS[step].0, HORSE_JUMPS[step].1) {
                table[index] |= other.bit();
            }
            if step < 4
                && let Some(other) = square.step(ORTHOGONALS[step].0, ORTHOGONALS[step].1)
            {
                table[index] |= other.bit();
            }
            step += 1;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_arithmetic_agrees_with_walking_the_line() {
        for length in [9u32, 10] {
            for at in 0..length {
                for occupied in 0..1u16 << length {
                    let (mut rook, mut cannon) = (0, 0);
                    for direction in [-1i32, 1] {
                        let mut seen = 0;
                        let mut point = at as i32 + direction;
                        while (0..length as i32).contains(&point) {
                            let piece = occupied >> point & 1 == 1;
                            if seen == 0 {
                                rook |= 1 << point;
                            }
                            if piece && seen == 1 {
                                cannon |= 1 << point;
                            }
                            seen += i32::from(piece);
                            point += direction;
                        }
                    }
                    assert_eq!(rook_line(at, occupied, length), rook, "{at} {occupied:b}");
                    assert_eq!(cannon_line(at, occupied), cannon, "{at} {occupied:b}");
                    assert_eq!(seen_from(at, occupied), (rook & occupied, cannon), "{at} {occupied:b}");
                }
            }
        }
    }
}
