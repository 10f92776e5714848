//! An independent slow count of the natural limit, compared with the audit over real games.
//!
//! `cargo run --profile quick --example slow_limit -- FOLDER` counts every game with a stretch of sixty rounds without a
//! capture, for both sides, at every ply of the stretch's second half, by a board of letters and a check test that walks
//! from the king outwards. It shares no code with the audit or the board of the library.

mod games;

use yipu::audit::limit::{Claim, Verdict, audit};
use yipu::board::{Color, Move, Position};

/// Letters by rank and file, space where nothing stands.
type Board = [[char; 9]; 10];

fn start() -> Board {
    let mut board = [[' '; 9]; 10];
    for (file, letter) in "RNBAKABNR".chars().enumerate() {
        board[0][file] = letter;
        board[9][file] = letter.to_ascii_lowercase();
    }
    for file in [1, 7] {
        board[2][file] = 'C';
        board[7][file] = 'c';
    }
    for file in [0, 2, 4, 6, 8] {
        board[3][file] = 'P';
        board[6][file] = 'p';
    }
    board
}

/// Whether the king of the side (red: upper case) is attacked.
fn attacked(board: &Board, red: bool) -> bool {
    let king = if red { 'K' } else { 'k' };
    let Some((r, f)) = (0..10).flat_map(|r| (0..9).map(move |f| (r, f))).find(|&(r, f)| board[r][f] == king) else {
        return false;
    };
    let at = |r: i32, f: i32| {
        if (0..10).contains(&r) && (0..9).contains(&f) { Some(board[r as usize][f as usize]) } else { None }
    };
    let theirs = |c: char| if red { c.is_ascii_lowercase() } else { c.is_ascii_uppercase() };
    let (r, f) = (r as i32, f as i32);
    for (dr, df) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let mut between = 0;
        let (mut nr, mut nf) = (r + dr, f + df);
        while let Some(c) = at(nr, nf) {
            if c != ' ' {
                let kind = c.to_ascii_lowercase();
                if between == 0 && theirs(c) && (kind == 'r' || kind == 'k' && df == 0) {
                    return true;
                }
                if between == 1 && theirs(c) && kind == 'c' {
                    return true;
                }
                between += 1;
            }
            (nr, nf) = (nr + dr, nf + df);
        }
    }
    for (dr, df) in [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)] {
        if let Some(c) = at(r + dr, f + df)
            && theirs(c)
            && c.eq_ignore_ascii_case(&'n')
        {
            // The horse's leg is beside the horse, on the longer side.
            let (lr, lf) = if dr.abs() == 2 { (r + dr / 2, f + df) } else { (r + dr, f + df / 2) };
            if at(lr, lf) == Some(' ') {
                return true;
            }
        }
    }
    let ahead = if red { 1 } else { -1 };
    [(ahead, 0), (0, 1), (0, -1)]
        .into_iter()
        .any(|(dr, df)| at(r + dr, f + df).is_some_and(|c| theirs(c) && c.eq_ignore_ascii_case(&'p')))
}

/// The slow count at the end of the moves: last capture, claimant's moves, checks, opponent's moves.
fn slow(moves: &[Move], claimant_red: bool) -> (usize, usize, usize, usize) {
    let mut board = start();
    let mut count = (0, 0, 0, 0);
    for (index, m) in moves.iter().enumerate() {
        let text = m.to_string().into_bytes();
        let square = |at: usize| ((text[at + 1] - b'0') as usize, (text[at] - b'a') as usize);
        let ((fr, ff), (tr, tf)) = (square(0), square(2));
        let captured = board[tr][tf] != ' ';
        board[tr][tf] = board[fr][ff];
        board[fr][ff] = ' ';
        let red = index % 2 == 0;
        if captured {
            count = (index + 1, 0, 0, 0);
        } else if red == claimant_red {
            count.1 += 1;
            count.2 += usize::from(attacked(&board, !red));
        } else {
            count.3 += 1;
        }
    }
    count
}

fn main() {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: slow_limit FOLDER");
        std::process::exit(2);
    };
    let (mut long, mut compared, mut wrong) = (0, 0, 0);
    for game in games::load(folder.as_ref(), false) {
        let mut quiet = 0;
        let mut longest = 0;
        let mut position = Position::start();
        for &m in &game {
            quiet = if position.play(m).captured().is_some() { 0 } else { quiet + 1 };
            longest = longest.max(quiet);
        }
        if longest < 120 {
            continue;
        }
        long += 1;
        for ply in (100..=game.len()).filter(|ply| ply % 3 == 0 || *ply == game.len()) {
            for side in Color::ALL {
                let claim = Claim { claimant: Some(side), at: Some(ply as u32), ..Claim::default() };
                let fast = audit(&Position::start(), &game, &[], &claim);
                let (capture, mine, checks, theirs) = slow(&game[..fast.at as usize], side == Color::Red);
                let counted = mine - checks.saturating_sub(10);
                let draw = counted.min(theirs) >= 60 && fast.over.is_none();
                let same = (fast.last_capture_ply, fast.claimant_moves, fast.claimant_checks, fast.opponent_moves)
                    == (capture as u32, mine as u32, checks as u32, theirs as u32)
                    && (fast.verdict == Verdict::Draw) == draw;
                compared += 1;
                if !same {
                    wrong += 1;
                    println!("differs: ply {ply}, {side}: {fast:?}");
                }
            }
        }
    }
    println!("{long} games with sixty quiet rounds, {compared} claims compared, {wrong} differ");
    std::process::exit(i32::from(wrong > 0));
}
