//! What a diagram consists of, in units of a hundredth of a square; SVG and PNG draw the same list.

use super::{Diagram, character};
use crate::board::{Color, Move, Square};
use crate::notation::Script;

/// A colour, red green blue.
pub(super) type Rgb = [u8; 3];

const PAPER: Rgb = [255, 253, 246];
const INK: Rgb = [26, 26, 26];
const RED: Rgb = [176, 0, 32];
const MARK: Rgb = [0, 110, 200];

/// Distance between two lines.
const CELL: f32 = 100.0;
/// From the edge of the picture to the first line.
const MARGIN: f32 = 115.0;
/// Of a piece.
const RADIUS: f32 = 45.0;
/// Points nearer than this are neighbours.
const NEAR: f32 = 1.3 * CELL;
/// From the line in the middle of an arrow to the points of its head.
const ARROW: f32 = 19.0;

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Line {
        from: (f32, f32),
        to: (f32, f32),
        width: f32,
        color: Rgb,
    },
    Disc {
        at: (f32, f32),
        radius: f32,
        color: Rgb,
    },
    Ring {
        at: (f32, f32),
        radius: f32,
        width: f32,
        color: Rgb,
    },
    Glyph {
        c: char,
        at: (f32, f32),
        size: f32,
        color: Rgb,
    },
    Polygon {
        points: Vec<(f32, f32)>,
        color: Rgb,
        opacity: f32,
    },
    /// What follows, up to `End`, is one thing: its class and what it stands on.
    Begin {
        class: &'static str,
        square: Square,
    },
    End,
}

/// All shapes, first to last.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub width: f32,
    pub height: f32,
    pub background: Rgb,
    pub shapes: Vec<Shape>,
}

impl Scene {
    pub fn of(diagram: &Diagram) -> Scene {
        let mut scene = Scene {
            width: 8.0 * CELL + 2.0 * MARGIN,
            height: 9.0 * CELL + 2.0 * MARGIN,
            background: PAPER,
            shapes: Vec::new(),
        };
        scene.board();
        scene.numbers(diagram);
        scene.river(diagram);
        if let Some(m) = diagram.last {
            scene.marks(diagram, m);
        }
        // Pieces that an arrow passes over stay readable: it lies below them. Between neighbours nothing of it would be
        // seen then.
        let (short, long): (Vec<Move>, Vec<Move>) = diagram.arrows.iter().partition(|&&m| span(diagram, m) < NEAR);
        scene.arrows(diagram, &long);
        scene.pieces(diagram);
        scene.arrows(diagram, &short);
        scene
    }

    fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, color: Rgb) {
        self.shapes.push(Shape::Line { from, to, width, color });
    }

    fn board(&mut self) {
        for row in 0..10 {
            self.line(at(0.0, row as f32), at(8.0, row as f32), 2.5, INK);
        }
        for file in 0..9 {
            let x = file as f32;
            let middle = if file == 0 || file == 8 { [(0.0, 9.0), (0.0, 0.0)] } else { [(0.0, 4.0), (5.0, 9.0)] };
            for (top, bottom) in middle.into_iter().filter(|(top, bottom)| top != bottom) {
                self.line(at(x, top), at(x, bottom), 2.5, INK);
            }
        }
        for top in [0.0, 7.0] {
            self.line(at(3.0, top), at(5.0, top + 2.0), 2.0, INK);
            self.line(at(5.0, top), at(3.0, top + 2.0), 2.0, INK);
        }
        // The frame, outside of the outermost lines.
        let (out, near, far) = (0.1, -0.1, 8.1);
        for (from, to) in [
            ((near, -out), (far, -out)),
            ((near, 9.0 + out), (far, 9.0 + out)),
            ((near, -out), (near, 9.0 + out)),
            ((far, -out), (far, 9.0 + out)),
        ] {
            // Square ends: each line is longer by half its width.
            let longer = |a: f32, b: f32| if a == b { 0.0 } else { 3.0 * (b - a).signum() };
            let ((x0, y0), (x1, y1)) = (at(from.0, from.1), at(to.0, to.1));
            let (dx, dy) = (longer(x0, x1), longer(y0, y1));
            self.line((x0 - dx, y0 - dy), (x1 + dx, y1 + dy), 6.0, INK);
        }
        for (file, row) in
            [(1, 2), (7, 2), (1, 7), (7, 7)].into_iter().chain((0..5).flat_map(|i| [(i * 2, 3), (i * 2, 6)]))
        {
            self.corners(file as f32, row as f32);
        }
    }

    /// The little angles around the points of cannons and pawns.
    fn corners(&mut self, file: f32, row: f32) {
        let (near, length) = (7.0, 15.0);
        for (dx, dy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            if (file == 0.0 && dx < 0.0) || (file == 8.0 && dx > 0.0) {
                continue;
            }
            let (x, y) = at(file, row);
            let corner = (x + near * dx, y + near * dy);
            self.line((corner.0 + length * dx, corner.1), corner, 2.0, INK);
            self.line(corner, (corner.0, corner.1 + length * dy), 2.0, INK);
        }
    }

    fn numbers(&mut self, diagram: &Diagram) {
        for file in 0..9u8 {
            for (color, rank, ink) in [(Color::Red, 0, RED), (Color::Black, 9, INK)] {
                let Some(square) = Square::new(file, rank) else { continue };
                let number = square.file_for(color);
                let c = match color {
                    Color::Red => ['一', '二', '三', '四', '五', '六', '七', '八', '九'][usize::from(number) - 1],
                    Color::Black => char::from(b'0' + number),
                };
                let (x, y) = point(diagram, square);
                let y = if y < self.height / 2.0 { y - 80.0 } else { y + 80.0 };
                self.shapes.push(Shape::Glyph { c, at: (x, y), size: 38.0, color: ink });
            }
        }
    }

    /// The words on the river, each character in the middle of its square; small where pieces stand around it. Beside
    /// the marks of a last move and under an arrow there is no room: then that half goes without.
    fn river(&mut self, diagram: &Diagram) {
        let border = if diagram.script == Script::Simplified { '汉' } else { '漢' };
        for (first, words) in [(1u8, ['楚', '河']), (5, [border, '界'])] {
            let first = if diagram.flipped { 6 - first } else { first };
            let marked = diagram.last.into_iter().flat_map(|m| [m.from(), m.to()]).any(|square| {
                let (column, row) = diagram.place(square);
                (row == 4 || row == 5) && (first..=first + 2).contains(&column)
            });
            let crossed = diagram.arrows.iter().any(|&m| crosses_words(diagram, m, f32::from(first)));
            if marked || crossed {
                continue;
            }
            // Where no piece is near they are as large as in a book.
            let crowded = diagram.position.pieces().any(|(square, _)| {
                let (column, row) = diagram.place(square);
                (row == 4 || row == 5) && (first..=first + 2).contains(&column)
            });
            let size = if crowded { 36.0 } else { 58.0 };
            let [left, right] = if diagram.flipped { [words[1], words[0]] } else { words };
            for (c, column) in [(left, first), (right, first + 1)] {
                let at = at(f32::from(column) + 0.5, 4.5);
                self.shapes.push(Shape::Glyph { c, at, size, color: INK });
            }
        }
    }

    fn marks(&mut self, diagram: &Diagram, m: Move) {
        for square in [m.from(), m.to()] {
            self.shapes.push(Shape::Begin { class: "mark", square });
            let (x, y) = point(diagram, square);
            let (half, length) = (RADIUS + 3.0, 18.0);
            for (dx, dy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                let corner = (x + half * dx, y + half * dy);
                self.line((corner.0 - length * dx, corner.1), (corner.0 + 2.5 * dx, corner.1), 5.0, MARK);
                self.line(corner, (corner.0, corner.1 - length * dy), 5.0, MARK);
            }
            self.shapes.push(Shape::End);
        }
    }

    fn pieces(&mut self, diagram: &Diagram) {
        for (square, piece) in diagram.position.pieces() {
            let at = point(diagram, square);
            let red = piece.color() == Color::Red;
            self.shapes.push(Shape::Begin { class: if red { "piece red" } else { "piece black" }, square });
            let (body, line) = if red { (PAPER, RED) } else { (INK, PAPER) };
            self.shapes.push(Shape::Disc { at, radius: RADIUS, color: body });
            if red {
                self.shapes.push(Shape::Ring { at, radius: RADIUS - 1.5, width: 3.0, color: line });
            }
            self.shapes.push(Shape::Ring { at, radius: RADIUS - 6.0, width: 1.5, color: line });
            let c = character(piece, diagram.script);
            self.shapes.push(Shape::Glyph { c, at, size: 55.0, color: line });
            self.shapes.push(Shape::End);
        }
    }

    fn arrows(&mut self, diagram: &Diagram, arrows: &[Move]) {
        for &m in arrows {
            let taken = |square| diagram.position.piece_at(square).is_some();
            self.arrow(point(diagram, m.from()), point(diagram, m.to()), [taken(m.from()), taken(m.to())]);
        }
    }

    /// An arrow from point to point; `taken` tells where a piece stands, whose character it leaves free.
    fn arrow(&mut self, from: (f32, f32), to: (f32, f32), taken: [bool; 2]) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length < 1.0 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        // Between neighbours there is little room: there the arrow reaches over their edges.
        let edge = if length < NEAR { 24.0 } else { RADIUS };
        let [tail, tip] = taken.map(|taken| if taken { edge } else { 4.0 });
        let tip = length - tip;
        let neck = (tip - 32.0).max(tail);
        // A point so far along the arrow and so far to its side.
        let place = |along: f32, side: f32| (from.0 + ux * along - uy * side, from.1 + uy * along + ux * side);
        let points = vec![
            place(tail, -6.0),
            place(neck, -6.0),
            place(neck, -ARROW),
            place(tip, 0.0),
            place(neck, ARROW),
            place(neck, 6.0),
            place(tail, 6.0),
        ];
        self.shapes.push(Shape::Polygon { points, color: MARK, opacity: 0.7 });
    }
}

/// Where the crossing of a column and a row is.
fn at(column: f32, row: f32) -> (f32, f32) {
    (MARGIN + column * CELL, MARGIN + row * CELL)
}

/// How long an arrow is.
fn span(diagram: &Diagram, m: Move) -> f32 {
    let (from, to) = (point(diagram, m.from()), point(diagram, m.to()));
    (to.0 - from.0).hypot(to.1 - from.1)
}

/// Whether an arrow goes over one of the two words on the river that begin at this column.
fn crosses_words(diagram: &Diagram, m: Move, first: f32) -> bool {
    let (from, to) = (point(diagram, m.from()), point(diagram, m.to()));
    let (top, bottom) = (at(0.0, 4.2).1, at(0.0, 4.8).1);
    if from.1.max(to.1) < bottom || from.1.min(to.1) > top {
        return false;
    }
    let column = |y: f32| from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1);
    let (a, b) = (column(top), column(bottom));
    [first, first + 1.0]
        .into_iter()
        .any(|word| a.max(b) + ARROW > at(word + 0.2, 0.0).0 && a.min(b) - ARROW < at(word + 0.8, 0.0).0)
}

fn point(diagram: &Diagram, square: Square) -> (f32, f32) {
    let (column, row) = diagram.place(square);
    at(f32::from(column), f32::from(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Kind, Piece, Position};

    /// Boxes around every character of a scene.
    fn boxes(scene: &Scene) -> Vec<(char, [f32; 4])> {
        let glyphs = scene.shapes.iter().filter_map(|shape| match shape {
            Shape::Glyph { c, at, size, .. } => Some((*c, *at, *size)),
            _ => None,
        });
        glyphs
            .map(|(c, (x, y), size)| {
                let mut ink = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
                for (dx, dy) in super::super::glyph::contours(c).into_iter().flatten() {
                    let (px, py) = (x + dx * size / 1000.0, y + dy * size / 1000.0);
                    ink = [ink[0].min(px), ink[1].min(py), ink[2].max(px), ink[3].max(py)];
                }
                (c, ink)
            })
            .collect()
    }

    #[test]
    fn no_character_is_cut_off_or_touches_another_even_on_a_full_board() {
        let mut position = Position::empty(Color::Red);
        for file in 0..9 {
            for rank in 0..10 {
                let (color, kind) =
                    if (file + rank) % 2 == 0 { (Color::Red, Kind::Rook) } else { (Color::Black, Kind::King) };
                position.put(Square::new(file, rank).unwrap(), Some(Piece::new(color, kind)));
            }
        }
        for script in [Script::Simplified, Script::Traditional] {
            for flipped in [false, true] {
                let scene = Scene::of(&Diagram::new(&position).script(script).flipped(flipped));
                let boxes = boxes(&scene);
                assert_eq!(boxes.len(), 90 + 18 + 4);
                for (index, (c, a)) in boxes.iter().enumerate() {
                    assert!(
                        a[0] > 2.0 && a[1] > 2.0 && a[2] < scene.width - 2.0 && a[3] < scene.height - 2.0,
                        "{c} {a:?}"
                    );
                    for (other, b) in &boxes[index + 1..] {
                        let apart = a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
                        assert!(apart, "{c} {a:?} touches {other} {b:?}");
                    }
                    // Nor does a character stand on a piece it does not belong to.
                    let discs = scene.shapes.iter().filter_map(|shape| match shape {
                        Shape::Disc { at, radius, .. } => Some((*at, *radius)),
                        _ => None,
                    });
                    let middle = ((a[0] + a[2]) / 2.0, (a[1] + a[3]) / 2.0);
                    for ((x, y), radius) in discs {
                        let own = (middle.0 - x).hypot(middle.1 - y) < 10.0;
                        let near = (x.clamp(a[0], a[2]) - x).hypot(y.clamp(a[1], a[3]) - y);
                        assert!(own || near > radius, "{c} {a:?} on the piece at {x} {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn arrows_cover_neither_words_nor_pieces() {
        let words = |arrow: &str, flipped: bool| {
            let diagram = Diagram::new(&Position::start()).flipped(flipped).arrow(arrow.parse().unwrap());
            boxes(&Scene::of(&diagram))
                .into_iter()
                .map(|(c, _)| c)
                .filter(|c| "楚河汉界".contains(*c))
                .collect::<String>()
        };
        // Along a file there is room between the words.
        assert_eq!(words("c3c6", false), "楚河汉界");
        assert_eq!(words("c4d6", false), "汉界");
        assert_eq!(words("c4d6", true), "界汉");
        assert_eq!(words("h4g6", false), "楚河");
        let scene = Scene::of(&Diagram::new(&Position::start()).arrow("a0a9".parse().unwrap()));
        let arrow = scene.shapes.iter().position(|shape| matches!(shape, Shape::Polygon { .. }));
        let piece = scene.shapes.iter().position(|shape| matches!(shape, Shape::Disc { .. }));
        assert!(arrow < piece, "the pieces it passes lie above it");
    }

    #[test]
    fn the_marks_of_a_last_move_touch_no_word_of_the_river() {
        let m: Move = "c4c5".parse().unwrap();
        let scene = Scene::of(&Diagram::new(&Position::start()).last_move(m));
        let words: Vec<char> = boxes(&scene).into_iter().map(|(c, _)| c).filter(|c| "楚河汉界".contains(*c)).collect();
        assert_eq!(words, ['汉', '界']);
    }
}
