//! Pixels to a PNG file: eight bits a channel, no transparency.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// The file for a picture of three bytes a pixel.
pub(super) fn encode(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits, RGB, the usual compression and filters, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    let mut data = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in pixels.chunks_exact(width as usize * 3) {
        // Filter "sub": each byte less the one of the pixel before it.
        let before = std::iter::repeat_n(&0, 3).chain(row);
        let line: Vec<u8> = std::iter::once(1).chain(row.iter().zip(before).map(|(a, b)| a.wrapping_sub(*b))).collect();
        // Writing to memory does not fail.
        let _ = data.write_all(&line);
    }
    chunk(&mut file, b"IDAT", &data.finish().unwrap_or_default());
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let begin = file.len();
    file.extend(kind);
    file.extend(data);
    let crc = crc32fast::hash(&file[begin..]);
    file.extend(crc.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn a_picture_unpacks_to_its_pixels() {
        let pixels: Vec<u8> = (0..2 * 3 * 3).map(|i| (i * 37 % 256) as u8).collect();
        let file = encode(3, 2, &pixels);
        assert_eq!(file[..8], *b"\x89PNG\r\n\x1a\n");
        let at = file.windows(4).position(|window| window == b"IDAT").unwrap() + 4;
        let mut lines = Vec::new();
        flate2::read::ZlibDecoder::new(&file[at..]).read_to_end(&mut lines).unwrap();
        let mut back = Vec::new();
        for line in lines.chunks(10) {
            let begin = back.len();
            for (i, byte) in line[1..].iter().enumerate() {
                let before = if i < 3 { 0 } else { back[begin + i - 3] };
                back.push(byte.wrapping_add(before));
            }
        }
        assert_eq!(back, pixels);
    }
}
