//! The scene as SVG.

use super::glyph;
use super::scene::{Rgb, Scene, Shape};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The picture, with the outlines it uses or without them.
pub(super) fn draw(scene: &Scene, width: u32, outlines: bool) -> String {
    let height = (f64::from(width) * f64::from(scene.height / scene.width)).round();
    let (w, h) = (scene.width, scene.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {w} {h}\">\n"
    );
    if outlines {
        let used: BTreeSet<char> = scene
            .shapes
            .iter()
            .filter_map(|shape| if let Shape::Glyph { c, .. } = shape { Some(*c) } else { None })
            .collect();
        svg.push_str(&definitions(used));
    }
    let _ = writeln!(svg, "<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>", hex(scene.background));
    for shape in &scene.shapes {
        let _ = match shape {
            Shape::Line { from, to, width, color } => writeln!(
                svg,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{}\" stroke-width=\"{width}\"/>",
                from.0,
                from.1,
                to.0,
                to.1,
                hex(*color)
            ),
            Shape::Disc { at, radius, color } => {
                writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{}\"/>", at.0, at.1, hex(*color))
            }
            Shape::Ring { at, radius, width, color } => writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>",
                at.0,
                at.1,
                hex(*color)
            ),
            Shape::Glyph { c, at, size, color } => writeln!(
                svg,
                "<use href=\"#g{:x}\" transform=\"translate({:.1} {:.1}) scale({})\" fill=\"{}\"/>",
                u32::from(*c),
                at.0,
                at.1,
                size / 1000.0,
                hex(*color)
            ),
            Shape::Polygon { points, color, opacity } => {
                let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let points = points.join(" ");
                writeln!(svg, "<polygon points=\"{points}\" fill=\"{}\" fill-opacity=\"{opacity}\"/>", hex(*color))
            }
            Shape::Begin { class, square } => writeln!(svg, "<g class=\"{class}\" data-square=\"{square}\">"),
            Shape::End => writeln!(svg, "</g>"),
        };
    }
    svg.push_str("</svg>\n");
    svg
}

/// An element of no size with the outlines of all characters.
pub(super) fn glyphs() -> String {
    let defs = definitions(glyph::all().into_iter().collect());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" style=\"position:absolute\" \
         aria-hidden=\"true\">\n{defs}</svg>\n"
    )
}

fn definitions(characters: BTreeSet<char>) -> String {
    let mut defs = String::from("<defs>\n");
    for c in characters {
        let _ = writeln!(defs, "<path id=\"g{:x}\" d=\"{}\"/>", u32::from(c), glyph::path(c));
    }
    defs + "</defs>\n"
}

fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::diagram::Diagram;

    /// Where the piece on a square is drawn.
    fn place(svg: &str, square: &str) -> (f32, f32) {
        let piece =
            svg.split("<g class=\"piece").find(|part| part.contains(&format!("data-square=\"{square}\""))).unwrap();
        let number = |name: &str| piece.split_once(name).unwrap().1.split('"').next().unwrap().parse().unwrap();
        (number("cx=\""), number("cy=\""))
    }

    #[test]
    fn the_other_side_is_a_half_turn_and_no_mirror_image() {
        // OUT-1
        let diagram = Diagram::new(&Position::start());
        let svg = diagram.to_svg(600);
        let turned = diagram.flipped(true).to_svg(600);
        assert_eq!(place(&turned, "i0"), place(&svg, "a9"));
        assert_eq!(place(&turned, "a9"), place(&svg, "i0"));
        assert_eq!(place(&turned, "b0"), place(&svg, "h9"));
    }

    #[test]
    fn the_last_move_is_marked_on_both_points() {
        // OUT-4
        let m = "h2e2".parse().unwrap();
        let mut position = Position::start();
        position.play(m);
        let svg = Diagram::new(&position).last_move(m).to_svg(600);
        assert_eq!(svg.matches("class=\"piece").count(), 32);
        for square in ["h2", "e2"] {
            assert!(svg.contains(&format!("class=\"mark\" data-square=\"{square}\"")));
        }
        // Opens offline: nothing is fetched but the name of the format itself.
        assert_eq!(svg.matches("http").count(), 1);
        // Nine numbers of each side.
        let glyphs = |c: char| svg.matches(&format!("#g{:x}\"", u32::from(c))).count();
        assert!("一二三四五六七八九123456789".chars().all(|c| glyphs(c) == 1));
    }
}
