//! Position keys in tables that know only signed numbers.

/// The key of a position as a signed number in the same order: `key XOR 2^63`.
///
/// ```
/// use yipu::export::{signed_key, unsigned_key};
/// assert_eq!(signed_key(0), i64::MIN);
/// assert_eq!(signed_key(u64::MAX), i64::MAX);
/// assert!(signed_key(7) < signed_key(1 << 63));
/// assert_eq!(unsigned_key(signed_key(12_345)), 12_345);
/// ```
pub const fn signed_key(key: u64) -> i64 {
    (key ^ 1 << 63) as i64
}

/// The inverse of [`signed_key`].
pub const fn unsigned_key(signed: i64) -> u64 {
    signed as u64 ^ 1 << 63
}

/// The bucket of a key among so many (a power of two): equal ranges of keys, in order.
pub const fn bucket_of(key: u64, buckets: usize) -> usize {
    if buckets < 2 { 0 } else { (key >> (64 - buckets.trailing_zeros())) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_keys_and_buckets_keep_the_order_of_the_keys() {
        let mut keys: Vec<u64> = (0..2000u64).map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        keys.extend([0, 1, u64::MAX, 1 << 63, (1 << 63) - 1]);
        keys.sort_unstable();
        assert!(keys.iter().map(|&key| signed_key(key)).is_sorted());
        assert!(keys.iter().all(|&key| unsigned_key(signed_key(key)) == key));
        for buckets in [1usize, 2, 16, 1024] {
            assert!(keys.iter().map(|&key| bucket_of(key, buckets)).is_sorted());
            assert!(keys.iter().all(|&key| bucket_of(key, buckets) < buckets));
        }
        assert_eq!((bucket_of(u64::MAX, 16), bucket_of(1 << 63, 2)), (15, 1));
    }
}
