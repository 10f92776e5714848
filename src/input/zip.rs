//! Members of a `.zip`, one by one, as streams.
//!
//! The members are found by the directory at the end of the file, or, where that is missing or damaged (a download broken
//! off), by the headers that stand before each member. A member is unpacked while it is read; its checksum is compared at
//! its end.

use super::archive::{Budget, Bytes, Limits};
use crate::diag::{Code, codes};
use ::zip::CompressionMethod;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};

/// An open archive with the members that were not read yet.
#[derive(Debug)]
pub(super) struct Zip {
    source: Shared,
    members: std::vec::IntoIter<Member>,
    budget: Budget,
}

#[derive(Clone, Debug)]
struct Member {
    name: String,
    /// Where its local header begins.
    header: u64,
    packed: u64,
    method: CompressionMethod,
    encrypted: bool,
    /// Checksum of its content, if it is known.
    crc: Option<u32>,
}

/// What cannot be read, and why.
pub(super) type Trouble = (Code, String);

impl Zip {
    /// Finds the members of an archive. Trouble with the archive as a whole goes to `tell`.
    pub fn open(file: File, budget: &Budget, limits: &Limits, tell: &mut dyn FnMut(Trouble)) -> io::Result<Zip> {
        let length = file.metadata()?.len();
        let source = Shared { file: Arc::new(Mutex::new(file)), at: 0, length };
        let mut members = match ::zip::ZipArchive::new(BufReader::with_capacity(1 << 16, source.clone())) {
            Ok(archive) => {
                if archive.len() > limits.members {
                    let message = format!("only the first {} members are read", limits.members);
                    tell((codes::ARCHIVE_TOO_LARGE, message));
                }
                listed(&archive, limits.members, tell)
            }
            Err(error) => {
                let members = recovered(&source, limits.members)?;
                let message =
                    format!("not a whole zip: {error}; {} members were found by their headers", members.len());
                tell((codes::DAMAGED_ARCHIVE, message));
                members
            }
        };
        if members.iter().any(|member| is_office_member(&member.name)) {
            tell((codes::NO_GAME, "an office document, not a collection of games".into()));
            members.clear();
        }
        Ok(Zip { source, members: members.into_iter(), budget: budget.clone() })
    }

    /// The next member: its name, and its content or why it cannot be read.
    pub fn next(&mut self) -> Option<(String, Result<Bytes, Trouble>)> {
        let member = self.members.next()?;
        let content = self.content(&member);
        Some((member.name, content))
    }

    fn content(&self, member: &Member) -> Result<Bytes, Trouble> {
        if member.encrypted {
            return Err((codes::DAMAGED_ARCHIVE, "it is encrypted".into()));
        }
        let damaged = |error: io::Error| (codes::DAMAGED_ARCHIVE, error.to_string());
        let mut source = self.source.clone();
        source.at = member.header;
        let local = LocalHeader::read(&mut source).map_err(damaged)?;
        source.at = member.header + local.length();
        let packed = BufReader::with_capacity(1 << 16, source.take(member.packed));
        Ok(match member.method {
            CompressionMethod::Stored => self.budget.unpacked(Proved::new(packed, member.crc)),
            CompressionMethod::Deflated => {
                self.budget.unpacked(Proved::new(flate2::bufread::DeflateDecoder::new(packed), member.crc))
            }
            other => return Err((codes::DAMAGED_ARCHIVE, format!("packed in a way that is not read ({other})"))),
        })
    }
}

fn listed<R: Read + Seek>(archive: &::zip::ZipArchive<R>, most: usize, tell: &mut dyn FnMut(Trouble)) -> Vec<Member> {
    let mut members = Vec::new();
    for index in 0..archive.len().min(most) {
        match archive.by_index_data(index) {
            Ok(entry) if entry.is_dir() => {}
            Ok(entry) => members.push(Member {
                name: member_name(entry.name_raw()),
                header: entry.header_start(),
                packed: entry.compressed_size(),
                method: entry.compression(),
                encrypted: entry.encrypted(),
                crc: Some(entry.crc32()),
            }),
            Err(error) => tell((codes::DAMAGED_ARCHIVE, format!("member {}: {error}", index + 1))),
        }
    }
    members
}

/// The header before a member.
struct LocalHeader {
    flags: u16,
    method: u16,
    crc: u32,
    packed: u32,
    name: Vec<u8>,
    extra: u64,
}

const LOCAL: [u8; 4] = *b"PK\x03\x04";

impl LocalHeader {
    fn read(source: &mut Shared) -> io::Result<LocalHeader> {
        let mut fixed = [0; 30];
        source.read_exact(&mut fixed)?;
        if fixed[..4] != LOCAL {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no member begins where the directory says"));
        }
        let short = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]);
        let mut name = vec![0; usize::from(short(26))];
        source.read_exact(&mut name)?;
        Ok(LocalHeader {
            flags: short(6),
            method: short(8),
            crc: long(14),
            packed: long(18),
            name,
            extra: u64::from(short(28)),
        })
    }

    fn length(&self) -> u64 {
        30 + self.name.len() as u64 + self.extra
    }
}

/// Members found without the directory.
fn recovered(source: &Shared, most: usize) -> io::Result<Vec<Member>> {
    let mut members = Vec::new();
    let mut next = find(source, 0, &[&LOCAL])?;
    while let Some(header) = next
        && members.len() < most
    {
        let mut at = Shared { at: header, ..source.clone() };
        let Ok(local) = LocalHeader::read(&mut at) else {
            next = find(source, header + 4, &[&LOCAL])?;
            continue;
        };
        let begin = header + local.length();
        // Sizes that come behind the member leave their fields empty; 64-bit sizes stand elsewhere.
        let known = local.flags & 8 == 0 && local.packed != u32::MAX;
        let end = if known {
            begin + u64::from(local.packed)
        } else {
            find(source, begin, &[&LOCAL, b"PK\x07\x08", b"PK\x01\x02"])?.unwrap_or(source.length)
        };
        let name = member_name(&local.name);
        if !name.ends_with('/') {
            members.push(Member {
                name,
                header,
                packed: end.saturating_sub(begin),
                method: match local.method {
                    0 => CompressionMethod::Stored,
                    8 => CompressionMethod::Deflated,
                    _ => CompressionMethod::default(),
                },
                encrypted: local.flags & 1 != 0,
                crc: known.then_some(local.crc),
            });
        }
        next = find(source, end, &[&LOCAL])?;
    }
    Ok(members)
}

/// The first place at or behind `from` where one of the signatures stands.
fn find(source: &Shared, from: u64, signatures: &[&[u8; 4]]) -> io::Result<Option<u64>> {
    let mut at = Shared { at: from, ..source.clone() };
    let mut window = Vec::with_capacity((1 << 16) + 4);
    loop {
        let begin = at.at - window.len() as u64;
        if at.by_ref().take(1 << 16).read_to_end(&mut window)? == 0 {
            return Ok(None);
        }
        let found = memchr::memmem::find_iter(&window, b"PK")
            .find(|&found| signatures.iter().any(|signature| window[found..].starts_with(*signature)));
        if let Some(found) = found {
            return Ok(Some(begin + found as u64));
        }
        window.drain(..window.len().saturating_sub(3));
    }
}

/// Whether a zip holds an office document, which is no collection of games.
fn is_office_member(name: &str) -> bool {
    name == "[Content_Types].xml" || name == "mimetype" || name.starts_with("META-INF/")
}

/// Names in zips made in China are often GBK without saying so.
fn member_name(raw: &[u8]) -> String {
    match std::str::from_utf8(raw) {
        Ok(name) => name.to_string(),
        Err(_) => encoding_rs::GB18030.decode_without_bom_handling(raw).0.into_owned(),
    }
}

/// A file that several readers share, each with its own place in it.
#[derive(Clone, Debug)]
struct Shared {
    file: Arc<Mutex<File>>,
    at: u64,
    length: u64,
}

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a place before the file"))?;
        Ok(self.at)
    }
}

/// Content whose checksum is compared when it ends.
struct Proved<R> {
    inner: R,
    hasher: crc32fast::Hasher,
    crc: Option<u32>,
}

impl<R> Proved<R> {
    fn new(inner: R, crc: Option<u32>) -> Proved<R> {
        Proved { inner, hasher: crc32fast::Hasher::new(), crc }
    }
}

impl<R: Read> Read for Proved<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() && self.crc.take().is_some_and(|crc| crc != self.hasher.clone().finalize()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum of its content does not fit"));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_gbk_are_read() {
        assert_eq!(member_name(&[0xBC, 0xD7, b'.', b'p']), "甲.p");
    }
}
