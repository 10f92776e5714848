//! A second generator of legal moves, slow and obvious, that shares nothing with the library: it knows a board of
//! letters, walks it point by point, and finds out whether a move is legal by playing it and looking whether any enemy
//! piece could then take the general. The fast generator is compared with it (`tests/it/board.rs`, `tools/compare.rs`).

/// Ten rows of nine letters, row 0 is Red's back rank; `.` is empty, upper case Red.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The letters.
    pub points: [[char; 9]; 10],
    /// Whether Red is to move.
    pub red: bool,
}

impl Board {
    /// Reads a strict FEN.
    pub fn from_fen(fen: &str) -> Board {
        let mut fields = fen.split(' ');
        let mut points = [['.'; 9]; 10];
        for (row, text) in fields.next().unwrap_or("").split('/').enumerate() {
            let mut x = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(run) => x += run as usize,
                    None => {
                        points[9 - row][x] = letter;
                        x += 1;
                    }
                }
            }
        }
        Board { points, red: fields.next() != Some("b") }
    }

    fn at(&self, x: i32, y: i32) -> char {
        self.points[y as usize][x as usize]
    }

    fn is_own(&self, piece: char, red: bool) -> bool {
        piece != '.' && piece.is_ascii_uppercase() == red
    }

    /// Points the piece on (x, y) may go to by its own way of moving.
    fn reach(&self, x: i32, y: i32) -> Vec<(i32, i32)> {
        let piece = self.at(x, y);
        let red = piece.is_ascii_uppercase();
        let on_board = |x: i32, y: i32| (0..9).contains(&x) && (0..10).contains(&y);
        let palace =
            |x: i32, y: i32| (3..=5).contains(&x) && if red { (0..=2).contains(&y) } else { (7..=9).contains(&y) };
        let home = |y: i32| if red { y <= 4 } else { y >= 5 };
        let mut to = Vec::new();
        match piece.to_ascii_uppercase() {
            'K' => {
                for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    if palace(x + dx, y + dy) {
                        to.push((x + dx, y + dy));
                    }
                }
                // The general "flies" at the other one along an open file; this makes facing generals an attack.
                let step = if red { 1 } else { -1 };
                let mut other = y + step;
                while on_board(x, other) && self.at(x, other) == '.' {
                    other += step;
                }
                if on_board(x, other) && self.at(x, other).eq_ignore_ascii_case(&'K') {
                    to.push((x, other));
                }
            }
            'A' => {
                for (dx, dy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    if palace(x + dx, y + dy) {
                        to.push((x + dx, y + dy));
                    }
                }
            }
            'B' => {
                for (dx, dy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    let (tx, ty) = (x + 2 * dx, y + 2 * dy);
                    if on_board(tx, ty) && home(ty) && self.at(x + dx, y + dy) == '.' {
                        to.push((tx, ty));
                    }
                }
            }
            'N' => {
                for (lx, ly) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    if !on_board(x + lx, y + ly) || self.at(x + lx, y + ly) != '.' {
                        continue;
                    }
                    for side in [-1, 1] {
                        let (tx, ty) = if lx == 0 { (x + side, y + 2 * ly) } else { (x + 2 * lx, y + side) };
                        if on_board(tx, ty) {
                            to.push((tx, ty));
                        }
                    }
                }
            }
            'R' | 'C' => {
                for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let (mut tx, mut ty) = (x + dx, y + dy);
                    let mut screens = 0;
                    while on_board(tx, ty) {
                        let cannon = piece.eq_ignore_ascii_case(&'C');
                        let empty = self.at(tx, ty) == '.';
                        if (empty && screens == 0) || (!empty && screens == i32::from(cannon)) {
                            to.push((tx, ty));
                        }
                        screens += i32::from(!empty);
                        tx += dx;
                        ty += dy;
                    }
                }
            }
            'P' => {
                let step = if red { 1 } else { -1 };
                if on_board(x, y + step) {
                    to.push((x, y + step));
                }
                if !home(y) {
                    for dx in [-1, 1] {
                        if on_board(x + dx, y) {
                            to.push((x + dx, y));
                        }
                    }
                }
            }
            _ => {}
        }
        to.retain(|&(tx, ty)| !self.is_own(self.at(tx, ty), red));
        to
    }

    /// Whether any piece of the other side could take this side's general.
    fn in_danger(&self, red: bool) -> bool {
        let king = if red { 'K' } else { 'k' };
        (0..10).any(|y| {
            (0..9).any(|x| {
                self.is_own(self.at(x, y), !red) && self.reach(x, y).iter().any(|&(tx, ty)| self.at(tx, ty) == king)
            })
        })
    }

    /// The board after a move.
    pub fn after(&self, (x, y): (i32, i32), (tx, ty): (i32, i32)) -> Board {
        let mut next = self.clone();
        next.points[ty as usize][tx as usize] = self.at(x, y);
        next.points[y as usize][x as usize] = '.';
        next.red = !self.red;
        next
    }

    /// All legal moves as `h2e2`, sorted by rank and file of the from-point, then of the to-point.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for y in 0..10 {
            for x in 0..9 {
                if !self.is_own(self.at(x, y), self.red) {
                    continue;
                }
                let general = self.at(x, y).eq_ignore_ascii_case(&'K');
                let mut to = self.reach(x, y);
                // The general's flight is an attack, not a move of its own.
                to.retain(|&(tx, ty)| !(general && self.at(tx, ty).eq_ignore_ascii_case(&'K')));
                to.sort_by_key(|&(tx, ty)| (ty, tx));
                for (tx, ty) in to {
                    if !self.after((x, y), (tx, ty)).in_danger(self.red) {
                        let file = |x: i32| (b'a' + x as u8) as char;
                        moves.push(format!("{}{y}{}{ty}", file(x), file(tx)));
                    }
                }
            }
        }
        moves
    }
}
