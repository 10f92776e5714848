//! Diagrams: a position as text for a terminal, as SVG, as PNG; and boards typed by people, read.
//!
//! Comes in: a position, perhaps a last move and arrows. Goes out: a picture in the look of printed books: red pieces
//! outlined, black ones filled, river, palace, Red's file numbers 九 to 一 and Black's 1 to 9. The characters are outlines
//! (see `OFL.txt`), so that a picture looks the same on every machine and needs no font.
//!
//! Turning the board is a half turn, as if one walked round the table; it is never a mirror image.
//!
//! ```
//! use yipu::{board::Position, diagram::Diagram};
//! let m = "h2e2".parse().unwrap();
//! let mut position = Position::start();
//! position.play(m);
//! let svg = Diagram::new(&position).last_move(m).to_svg(600);
//! assert_eq!(svg.matches("class=\"piece").count(), 32);
//! ```

mod glyph;
mod png;
mod raster;
mod read;
mod scene;
mod svg;
mod text;

pub use read::{BoardFault, BoardNote, Given, PositionFault, ReadBoard, is_board_row, read_board, read_position};

use crate::board::{Color, Kind, Move, Piece, Position, Square};
use crate::notation::Script;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Diagram {
    position: Position,
    flipped: bool,
    last: Option<Move>,
    arrows: Vec<Move>,
    script: Script,
}

impl Diagram {
    /// The position seen from Red's side, without marks.
    pub fn new(position: &Position) -> Diagram {
        Diagram { position: *position, flipped: false, last: None, arrows: Vec::new(), script: Script::Simplified }
    }

    /// Seen from Black's side: the board turned by half.
    #[must_use]
    pub fn flipped(mut self, flipped: bool) -> Diagram {
        self.flipped = flipped;
        self
    }

    /// Marks the two points of the move that led here.
    #[must_use]
    pub fn last_move(mut self, m: Move) -> Diagram {
        self.last = Some(m);
        self
    }

    /// Adds an arrow.
    #[must_use]
    pub fn arrow(mut self, m: Move) -> Diagram {
        self.arrows.push(m);
        self
    }

    /// Which characters stand on the pieces.
    #[must_use]
    pub fn script(mut self, script: Script) -> Diagram {
        self.script = script;
        self
    }

    /// For a terminal: ten lines of pieces, `(炮)` Red's and `[炮]` Black's, with numbers around.
    pub fn to_text(&self) -> String {
        text::draw(self)
    }

    /// A self-contained SVG picture of this width in pixels.
    pub fn to_svg(&self, width: u32) -> String {
        svg::draw(&scene::Scene::of(self), width, true)
    }

    /// The same picture without the outlines of its characters, for a page that holds [`svg_glyphs`].
    pub fn to_shared_svg(&self, width: u32) -> String {
        svg::draw(&scene::Scene::of(self), width, false)
    }

    /// A PNG picture of this width in pixels (clamped to 40 to 8,000).
    pub fn to_png(&self, width: u32) -> Vec<u8> {
        let scene = scene::Scene::of(self);
        let canvas = raster::draw(&scene, width.clamp(40, 8000));
        png::encode(canvas.width, canvas.height, &canvas.pixels)
    }

    /// Column and row of a point, from the top left, as the board lies.
    fn place(&self, square: Square) -> (u8, u8) {
        let square = if self.flipped { square.turn() } else { square };
        (square.file(), 9 - square.rank())
    }
}

/// The outlines of all characters of diagrams, as an SVG element that shows nothing by itself.
pub fn svg_glyphs() -> String {
    svg::glyphs()
}

/// The character on a piece.
fn character(piece: Piece, script: Script) -> char {
    match (script, piece.color(), piece.kind()) {
        (Script::Simplified, ..) => piece.hanzi(),
        (_, Color::Red, Kind::King) => '帥',
        (_, Color::Red, Kind::Rook) => '俥',
        (_, Color::Red, Kind::Horse) => '傌',
        (_, Color::Black, Kind::King) => '將',
        (_, Color::Black, Kind::Rook) => '車',
        (_, Color::Black, Kind::Horse) => '馬',
        (_, Color::Black, Kind::Cannon) => '砲',
        _ => piece.hanzi(),
    }
}
