//! The scene as pixels: every shape becomes polygons, polygons are filled by scan lines with smooth edges.

use super::glyph;
use super::scene::{Rgb, Scene, Shape};

/// Lines looked at in each row of pixels.
const SUBROWS: usize = 5;

/// A picture, three bytes a pixel.
#[derive(Debug)]
pub(super) struct Canvas {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u8>,
}

type Contour = Vec<(f32, f32)>;

pub(super) fn draw(scene: &Scene, width: u32) -> Canvas {
    let scale = width as f32 / scene.width;
    let height = (scene.height * scale).round() as u32;
    let mut canvas = Canvas { width, height, pixels: scene.background.repeat((width * height) as usize) };
    for shape in &scene.shapes {
        let (contours, color, opacity) = match shape {
            Shape::Line { from, to, width, color } => (vec![line(*from, *to, *width)], *color, 1.0),
            Shape::Disc { at, radius, color } => (vec![circle(*at, *radius, false)], *color, 1.0),
            Shape::Ring { at, radius, width, color } => {
                let ring = vec![circle(*at, radius + width / 2.0, false), circle(*at, radius - width / 2.0, true)];
                (ring, *color, 1.0)
            }
            Shape::Glyph { c, at, size, color } => {
                let place = |(x, y): (f32, f32)| (at.0 + x * size / 1000.0, at.1 + y * size / 1000.0);
                let contours = glyph::contours(*c);
                (contours.into_iter().map(|c| c.into_iter().map(place).collect()).collect(), *color, 1.0)
            }
            Shape::Polygon { points, color, opacity } => (vec![points.clone()], *color, *opacity),
            Shape::Begin { .. } | Shape::End => continue,
        };
        let contours: Vec<Contour> =
            contours.into_iter().map(|c| c.into_iter().map(|(x, y)| (x * scale, y * scale)).collect()).collect();
        canvas.fill(&contours, color, opacity);
    }
    canvas
}

fn line(from: (f32, f32), to: (f32, f32), width: f32) -> Contour {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(f32::EPSILON);
    let (x, y) = (-dy / length * width / 2.0, dx / length * width / 2.0);
    vec![(from.0 + x, from.1 + y), (to.0 + x, to.1 + y), (to.0 - x, to.1 - y), (from.0 - x, from.1 - y)]
}

/// A circle; the inner edge of a ring runs the other way round.
fn circle(at: (f32, f32), radius: f32, reverse: bool) -> Contour {
    const SIDES: usize = 96;
    let points = (0..SIDES).map(|i| {
        let angle = i as f32 / SIDES as f32 * std::f32::consts::TAU * if reverse { -1.0 } else { 1.0 };
        (at.0 + radius * angle.cos(), at.1 + radius * angle.sin())
    });
    points.collect()
}

/// An edge that crosses scan lines, its top first, and which way it runs.
struct Edge {
    top: (f32, f32),
    bottom: (f32, f32),
    down: i32,
}

impl Canvas {
    /// Fills what the contours wind around.
    fn fill(&mut self, contours: &[Contour], color: Rgb, opacity: f32) {
        let mut edges = Vec::new();
        for contour in contours {
            let next = contour.iter().cycle().skip(1);
            for (&a, &b) in contour.iter().zip(next) {
                if a.1 < b.1 {
                    edges.push(Edge { top: a, bottom: b, down: 1 });
                } else if b.1 < a.1 {
                    edges.push(Edge { top: b, bottom: a, down: -1 });
                }
            }
        }
        let top = edges.iter().map(|e| e.top.1).fold(f32::INFINITY, f32::min).floor().max(0.0) as u32;
        let bottom = edges.iter().map(|e| e.bottom.1).fold(0.0, f32::max).ceil().min(self.height as f32) as u32;
        let mut cover = vec![0.0f32; self.width as usize];
        let mut crossings: Vec<(f32, i32)> = Vec::new();
        for row in top..bottom {
            let near: Vec<&Edge> =
                edges.iter().filter(|e| e.top.1 < (row + 1) as f32 && e.bottom.1 > row as f32).collect();
            for sub in 0..SUBROWS {
                let y = row as f32 + (sub as f32 + 0.5) / SUBROWS as f32;
                crossings.clear();
                for edge in near.iter().filter(|e| e.top.1 <= y && y < e.bottom.1) {
                    let t = (y - edge.top.1) / (edge.bottom.1 - edge.top.1);
                    crossings.push((edge.top.0 + t * (edge.bottom.0 - edge.top.0), edge.down));
                }
                crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut winding = 0;
                let mut begin = 0.0;
                for &(x, down) in &crossings {
                    if winding == 0 {
                        begin = x;
                    }
                    winding += down;
                    if winding == 0 {
                        add_span(&mut cover, begin, x, 1.0 / SUBROWS as f32);
                    }
                }
            }
            self.blend(row, &mut cover, color, opacity);
        }
    }

    /// Lays the colour over a row and empties the cover.
    fn blend(&mut self, row: u32, cover: &mut [f32], color: Rgb, opacity: f32) {
        let begin = (row * self.width) as usize * 3;
        let pixels = &mut self.pixels[begin..begin + cover.len() * 3];
        for (pixel, cover) in pixels.chunks_exact_mut(3).zip(cover) {
            if *cover > 0.0 {
                let alpha = (*cover * opacity).min(1.0);
                for (channel, ink) in pixel.iter_mut().zip(color) {
                    *channel = (f32::from(*channel) * (1.0 - alpha) + f32::from(ink) * alpha).round() as u8;
                }
                *cover = 0.0;
            }
        }
    }
}

/// Adds a span to the cover; pixels at its ends are covered in part.
fn add_span(cover: &mut [f32], begin: f32, end: f32, weight: f32) {
    let (begin, end) = (begin.clamp(0.0, cover.len() as f32), end.clamp(0.0, cover.len() as f32));
    let mut x = begin;
    while x < end {
        let next = (x.floor() + 1.0).min(end);
        if let Some(pixel) = cover.get_mut(x as usize) {
            *pixel += (next - x) * weight;
        }
        x = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_covered_pixels_are_half_as_dark() {
        let mut canvas = Canvas { width: 4, height: 1, pixels: vec![255; 12] };
        canvas.fill(&[vec![(0.5, 0.0), (2.0, 0.0), (2.0, 1.0), (0.5, 1.0)]], [0, 0, 0], 1.0);
        assert_eq!([0, 3, 6, 9].map(|i| canvas.pixels[i]), [128, 0, 255, 255]);
    }

    #[test]
    fn a_ring_is_empty_inside() {
        let mut canvas = Canvas { width: 40, height: 40, pixels: vec![255; 40 * 40 * 3] };
        canvas.fill(&[circle((20.0, 20.0), 15.0, false), circle((20.0, 20.0), 10.0, true)], [0, 0, 0], 1.0);
        let pixel = |x: usize, y: usize| canvas.pixels[(y * 40 + x) * 3];
        assert_eq!((pixel(20, 20), pixel(32, 20), pixel(0, 0)), (255, 0, 255));
    }
}
