//! `.gz`, `.zst` and `.zip` read through, recognised by content, with limits against bombs.

use super::Piece;
use crate::diag::{Finding, codes};
use std::io::{Cursor, Read};

/// How much one file may become in memory.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes one file or archive member may hold; a longer one is cut or refused with a finding.
    pub member_bytes: u64,
    /// Most bytes all members of one archive may hold together.
    pub archive_bytes: u64,
    /// Most members of one archive that are read.
    pub members: usize,
    /// Most times larger than its packed size a member may be (beyond the first MiB).
    pub ratio: u64,
}

impl Default for Limits {
    /// 256 MiB a member, 4 GiB an archive, a million members, ratio 200.
    fn default() -> Limits {
        Limits { member_bytes: 256 << 20, archive_bytes: 4 << 30, members: 1_000_000, ratio: 200 }
    }
}

/// What packs a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    Zip,
}

pub(super) fn packing(head: &[u8]) -> Option<Packing> {
    match head {
        [0x1F, 0x8B, 8, ..] => Some(Packing::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Packing::Zstd),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
        _ => None,
    }
}

/// Whether a zip holds an office document, which is no collection of games.
fn is_office_member(name: &str) -> bool {
    name == "[Content_Types].xml" || name == "mimetype" || name.starts_with("META-INF/")
}

/// Unpacks a stream that holds one file. Returns what could be unpacked, and a finding if that is not all.
pub(super) fn unpack_stream(bytes: &[u8], kind: Packing, limits: &Limits) -> (Vec<u8>, Option<Finding>) {
    let most = limits.member_bytes.min((1 << 20) + (bytes.len() as u64).saturating_mul(limits.ratio));
    let mut out = Vec::new();
    let read = match kind {
        Packing::Gzip => flate2::read::MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut out),
        _ => zstd::Decoder::new(bytes).and_then(|d| d.take(most + 1).read_to_end(&mut out)),
    };
    let fault = match read {
        Err(error) => Some(Finding::new(codes::DAMAGED_ARCHIVE, format!("cannot be unpacked to its end: {error}"))),
        Ok(_) if out.len() as u64 > most => {
            out.truncate(most as usize);
            Some(Finding::new(
                codes::ARCHIVE_TOO_LARGE,
                format!("unpacks to more than {most} bytes; the rest is not read"),
            ))
        }
        Ok(_) => None,
    };
    (out, fault)
}

/// Reads the members of a zip one by one, in their order, handing each to `piece`.
pub(super) fn unpack_zip(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    piece: &mut dyn FnMut(Piece),
    fault: &mut dyn FnMut(Finding),
) {
    let mut tell = |code, member: Option<&str>, message: String| {
        let mut finding = Finding::new(code, message);
        finding.locate(&member.map_or_else(|| name.to_string(), |m| format!("{name}!{m}")), None);
        fault(finding);
    };
    let mut archive = match zip::ZipArchive::new(Cursor::new(bytes)) {
        Ok(archive) => archive,
        Err(error) => return tell(codes::DAMAGED_ARCHIVE, None, format!("not a readable zip: {error}")),
    };
    if archive.file_names().any(|name| name.is_ok_and(|name| is_office_member(&name))) {
        return tell(codes::NO_GAME, None, "an office document, not a collection of games".into());
    }
    if archive.len() > limits.members {
        tell(codes::ARCHIVE_TOO_LARGE, None, format!("only the first {} members are read", limits.members));
    }
    let mut left = limits.archive_bytes;
    for index in 0..archive.len().min(limits.members) {
        let mut member = match archive.by_index(index) {
            Ok(member) => member,
            Err(error) => {
                tell(codes::DAMAGED_ARCHIVE, None, format!("member {}: {error}", index + 1));
                continue;
            }
        };
        if member.is_dir() {
            continue;
        }
        let member_name = member_name(member.name_raw());
        let allowed = (1 << 20) + member.compressed_size().saturating_mul(limits.ratio);
        let most = limits.member_bytes.min(allowed).min(left);
        let mut content = Vec::new();
        let read = (&mut member).take(most + 1).read_to_end(&mut content);
        if let Err(error) = read {
            tell(codes::DAMAGED_ARCHIVE, Some(&member_name), format!("cannot be unpacked to its end: {error}"));
        } else if content.len() as u64 > most {
            content.truncate(most as usize);
            tell(
                codes::ARCHIVE_TOO_LARGE,
                Some(&member_name),
                format!("unpacks to more than {most} bytes; the rest is not read"),
            );
        }
        left = left.saturating_sub(content.len() as u64);
        piece(Piece::whole(format!("{name}!{member_name}"), content));
    }
}

/// Names in zips made in China are often GBK without saying so.
fn member_name(raw: &[u8]) -> String {
    match std::str::from_utf8(raw) {
        Ok(name) => name.to_string(),
        Err(_) => encoding_rs::GB18030.decode_without_bom_handling(raw).0.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_packed_file_is_read_and_a_cut_one_keeps_its_head() {
        let content = b"1. h2e2 h9g7 *".repeat(50);
        let packed = gzip(&content);
        assert_eq!(unpack_stream(&packed, Packing::Gzip, &Limits::default()), (content, None));
        let (_, fault) = unpack_stream(&packed[..packed.len() - 9], Packing::Gzip, &Limits::default());
        assert_eq!(fault.unwrap().code, codes::DAMAGED_ARCHIVE);
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let packed = gzip(&vec![0; 8 << 20]);
        let (content, fault) = unpack_stream(&packed, Packing::Gzip, &Limits { ratio: 10, ..Limits::default() });
        assert!(content.len() < 2 << 20);
        assert_eq!(fault.unwrap().code, codes::ARCHIVE_TOO_LARGE);
    }

    #[test]
    fn members_of_a_zip_come_in_order_and_names_in_gbk_are_read() {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["b.pgn", "a/乙.xqf"] {
            writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(name.as_bytes()).unwrap();
        }
        let bytes = writer.finish().unwrap().into_inner();
        let mut names = Vec::new();
        unpack_zip(&bytes, "x.zip", &Limits::default(), &mut |p| names.push(p.name), &mut |f| panic!("{f}"));
        assert_eq!(names, ["x.zip!b.pgn", "x.zip!a/乙.xqf"]);
        assert_eq!(member_name(&[0xBC, 0xD7, b'.', b'p']), "甲.p");
    }
}
