//! Numbers and texts as bytes, and numbers as bits.

/// Appends a number, seven bits a byte, low bits first.
#[inline]
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a text with its length before it.
pub(super) fn put_str(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Takes numbers and texts from bytes; everything answers `None` when the bytes do not hold it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes.
    #[inline]
    pub fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    /// The next two bytes as a number.
    #[inline]
    pub fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    /// The next four bytes as a number.
    #[inline]
    pub fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// The next eight bytes as a number.
    #[inline]
    pub fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// What [`put_varint`] wrote.
    #[inline]
    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A [`Bytes::varint`] that counts things of at least `size` bytes still to come: never more than there is room for.
    pub fn count(&mut self, size: usize) -> Option<usize> {
        let count = usize::try_from(self.varint()?).ok()?;
        (count.checked_mul(size.max(1))? <= self.0.len()).then_some(count)
    }

    /// What [`put_str`] wrote.
    pub fn str(&mut self) -> Option<&'a str> {
        let length = self.count(1)?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

/// Writes numbers of any width up to 57 bits, low bits first.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    /// Whole bytes written.
    pub bytes: Vec<u8>,
    pending: u64,
    used: u32,
}

impl BitWriter {
    /// Appends the low `bits` of `value`; the bits above must be zero.
    #[inline]
    pub fn put(&mut self, value: u64, bits: u32) {
        debug_assert!(bits <= 57 && (bits == 64 || value >> bits == 0), "{value} in {bits} bits");
        self.pending |= value << self.used;
        self.used += bits;
        if self.used >= 64 {
            self.bytes.extend_from_slice(&self.pending.to_le_bytes());
            self.used -= 64;
            self.pending = if self.used == 0 { 0 } else { value >> (bits - self.used) };
        }
    }

    /// Fills the last byte with zeros, so that the next number starts a byte.
    pub fn align(&mut self) {
        let bytes = self.pending.to_le_bytes();
        self.bytes.extend_from_slice(&bytes[..self.used.div_ceil(8) as usize]);
        self.pending = 0;
        self.used = 0;
    }
}

/// Reads what [`BitWriter`] wrote.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> BitReader<'a> {
    /// Reads `bytes[start..end]`; bytes behind the end may be looked at but are never answered.
    #[inline]
    pub fn new(bytes: &'a [u8], start: usize, end: usize) -> BitReader<'a> {
        BitReader { bytes, at: start.saturating_mul(8), end: end.min(bytes.len()).saturating_mul(8) }
    }

    /// Bits left.
    #[inline]
    pub fn left(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// The next number of up to 57 bits; `None` when fewer are left.
    #[inline]
    pub fn get(&mut self, bits: u32) -> Option<u64> {
        if self.left() < bits as usize {
            return None;
        }
        let from = self.at >> 3;
        let word = match self.bytes.get(from..from + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().ok()?),
            None => {
                let mut eight = [0; 8];
                let rest = self.bytes.get(from..).unwrap_or_default();
                eight[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(eight)
            }
        };
        let value = word >> (self.at & 7) & ((1 << bits) - 1);
        self.at += bits as usize;
        Some(value)
    }

    /// Passes over bits; `None` when fewer are left.
    #[inline]
    pub fn skip(&mut self, bits: usize) -> Option<()> {
        if self.left() < bits {
            return None;
        }
        self.at += bits;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_come_back() {
        let mut numbers = Vec::new();
        let mut x = 0x9E37_79B9_7F4A_7C15u64;
        for n in 0..5000u32 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let bits = n % 58;
            numbers.push((x & ((1 << bits) - 1), bits));
        }
        let mut writer = BitWriter::default();
        writer.bytes.push(7);
        for &(value, bits) in &numbers {
            writer.put(value, bits);
        }
        writer.align();
        let end = writer.bytes.len();
        let mut reader = BitReader::new(&writer.bytes, 1, end);
        for &(value, bits) in &numbers {
            assert_eq!(reader.get(bits), Some(value), "{bits} bits");
        }
        assert!(reader.left() < 8 && reader.get(8).is_none());
    }

    #[test]
    fn varints_and_texts_come_back_and_cut_ones_are_refused() {
        let mut out = Vec::new();
        for value in [0, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            put_varint(&mut out, value);
        }
        put_str(&mut out, "炮二平五");
        let mut bytes = Bytes(&out);
        for value in [0, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(bytes.varint(), Some(value));
        }
        assert_eq!(bytes.str(), Some("炮二平五"));
        assert_eq!(bytes.byte(), None);
        assert_eq!(Bytes(&out[out.len() - 13..out.len() - 1]).str(), None);
        assert_eq!(Bytes(&[0xFF; 12]).varint(), None);
    }
}
