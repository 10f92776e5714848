//! Outlines of characters.

use std::collections::HashMap;
use std::sync::LazyLock;

static PATHS: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    include_str!("glyphs.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(name, path)| Some((name.chars().next()?, path)))
        .collect()
});

/// SVG path data in thousandths of the em, y downwards, the ink centred on 0 0; empty for an unknown character.
pub(super) fn path(c: char) -> &'static str {
    PATHS.get(&c).copied().unwrap_or_default()
}

/// Every character that has an outline.
pub(super) fn all() -> Vec<char> {
    PATHS.keys().copied().collect()
}

/// The outline as closed polygons; curves are cut into short lines.
pub(super) fn contours(c: char) -> Vec<Vec<(f32, f32)>> {
    let mut contours: Vec<Vec<(f32, f32)>> = Vec::new();
    let mut at = (0.0, 0.0);
    for (command, n) in commands(path(c)) {
        let point = |i: usize| (n.get(i * 2).copied().unwrap_or(0.0), n.get(i * 2 + 1).copied().unwrap_or(0.0));
        let end = match command {
            'M' => {
                contours.push(Vec::new());
                point(0)
            }
            'L' => point(0),
            'H' => (point(0).0, at.1),
            'V' => (at.0, point(0).0),
            'Q' => point(1),
            'C' => point(2),
            _ => continue,
        };
        let Some(contour) = contours.last_mut() else { continue };
        const STEPS: usize = 8;
        for step in 1..STEPS {
            let t = step as f32 / STEPS as f32;
            let u = 1.0 - t;
            let mix = |weights: &[(f32, (f32, f32))]| {
                weights.iter().fold((0.0, 0.0), |sum, (w, p)| (sum.0 + w * p.0, sum.1 + w * p.1))
            };
            match command {
                'Q' => contour.push(mix(&[(u * u, at), (2.0 * u * t, point(0)), (t * t, end)])),
                'C' => contour.push(mix(&[
                    (u * u * u, at),
                    (3.0 * u * u * t, point(0)),
                    (3.0 * u * t * t, point(1)),
                    (t * t * t, end),
                ])),
                _ => break,
            }
        }
        contour.push(end);
        at = end;
    }
    contours
}

/// Commands with their numbers; a command repeated without its letter is written out.
fn commands(path: &str) -> Vec<(char, Vec<f32>)> {
    let mut list = Vec::new();
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        let numbers = numbers(&rest[1..end]);
        let each = match command {
            'M' | 'L' => 2,
            'H' | 'V' => 1,
            'Q' => 4,
            'C' => 6,
            _ => 0,
        };
        if each > 0 {
            // Points behind the one of `M` are ends of lines.
            let repeated = if command == 'M' { 'L' } else { command };
            let names = std::iter::once(command).chain(std::iter::repeat(repeated));
            list.extend(names.zip(numbers.chunks(each)).map(|(name, chunk)| (name, chunk.to_vec())));
        }
        rest = &rest[end..];
    }
    list
}

fn numbers(text: &str) -> Vec<f32> {
    let spaced = text.replace('-', " -");
    spaced.split([' ', ',']).filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Piece;
    use crate::notation::Script;

    #[test]
    fn every_character_of_a_diagram_has_an_outline_within_its_em() {
        let pieces = Piece::all().flat_map(|piece| {
            [Script::Simplified, Script::Traditional].map(|script| super::super::character(piece, script))
        });
        for c in pieces.chain("楚河汉漢界一二三四五六七八九123456789".chars()) {
            let contours = contours(c);
            assert!(!contours.is_empty() && contours.iter().all(|contour| contour.len() > 2), "{c}");
            for (x, y) in contours.into_iter().flatten() {
                assert!(x.abs() <= 520.0 && y.abs() <= 520.0, "{c}: {x} {y}");
            }
        }
    }

    #[test]
    fn numbers_may_touch_their_signs() {
        assert_eq!(numbers("10-20,3 -4"), [10.0, -20.0, 3.0, -4.0]);
        let square = [('M', vec![1.0, 2.0]), ('L', vec![3.0, 4.0]), ('L', vec![5.0, 6.0])];
        assert_eq!(commands("M1 2 3 4 5 6Z"), square);
        assert_eq!(commands("M1 2L3 4 5 6Z"), square);
    }
}
