//! The pack file: a header, a table of contents, aligned sections.
//!
//! ```text
//! 0    magic "DRAMPACK"                      8 bytes
//! 8    format version                        u32
//! 12   number of sections                    u32
//! 16   length of the whole file in bytes     u64
//! 24   content hash (XXH3-128 of the table)  u128
//! 40   zero                                  16 bytes
//! 56   XXH3-64 of bytes 0..56                u64
//! 64   table: one 64-byte entry per section
//!        name, padded with zeros             32 bytes
//!        offset from the file's start        u64
//!        length in bytes                     u64
//!        XXH3-64 of the section              u64
//!        zero                                8 bytes
//! ...  sections, each at a multiple of 64, zeros between them
//! ```
//!
//! All numbers are little-endian. The table holds every section's hash and
//! the header holds the table's, so the content hash names the whole content
//! and any flipped bit is found. Sections are plain arrays that are used
//! where they lie, in the mapped file, without a copy.

use std::borrow::Cow;
use std::ops::Range;

use twox_hash::{XxHash3_64, XxHash3_128};

use crate::error::PackFault;

#[cfg(target_endian = "big")]
compile_error!("packs are little-endian and used without conversion");

/// The version this program writes and reads.
pub const VERSION: u32 = 2;

const MAGIC: &[u8; 8] = b"DRAMPACK";
const HEADER: usize = 64;
const ENTRY: usize = 64;
const NAME: usize = 32;
const ALIGN: usize = 64;

/// A section's name and where it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The section's name.
    pub name: String,
    /// Its bytes in the file.
    pub range: Range<usize>,
}

/// A checked table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// All sections in file order.
    pub sections: Vec<Section>,
    /// Names the whole content; equal packs have equal hashes.
    pub content_hash: u128,
    /// Large sections, whose content is still to be compared with its hash.
    pub unchecked: Vec<(Section, u64)>,
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn checksum(what: &str) -> PackFault {
    PackFault::Checksum { what: what.to_owned() }
}

/// Reads and checks everything but the meaning of the sections: every byte of
/// the file is covered by a checksum or has to be zero. Sections of more than
/// [`BLOCK`] bytes are left to [`check_section`], since reading them takes
/// longer than a caller wants to wait for a pack to open.
///
/// # Errors
/// The first fault found, in the order a person would want to hear of it: not
/// a pack, another version, a wrong length, damage.
pub fn read_table(bytes: &[u8]) -> Result<Table, PackFault> {
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if magic.is_empty() || !MAGIC.starts_with(magic) {
        return Err(PackFault::Foreign);
    }
    if bytes.len() < HEADER {
        return Err(PackFault::Length { found: bytes.len() as u64, expected: HEADER as u64 });
    }
    let version = u32_at(bytes, 8);
    if version > VERSION {
        return Err(PackFault::Newer { found: version, supported: VERSION });
    }
    if version < VERSION {
        return Err(PackFault::Older { found: version, supported: VERSION });
    }
    if XxHash3_64::oneshot(&bytes[..56]) != u64_at(bytes, 56) {
        return Err(checksum("the header"));
    }
    let length = u64_at(bytes, 16);
    if length != bytes.len() as u64 {
        return Err(PackFault::Length { found: bytes.len() as u64, expected: length });
    }
    let count = u32_at(bytes, 12) as usize;
    let table_end = count
        .checked_mul(ENTRY)
        .and_then(|n| n.checked_add(HEADER))
        .filter(|end| *end <= bytes.len())
        .ok_or_else(|| content("the table of contents is longer than the file"))?;
    let table = &bytes[HEADER..table_end];
    let content_hash = u128::from_le_bytes(bytes[24..40].try_into().expect("sixteen bytes"));
    if XxHash3_128::oneshot(table) != content_hash {
        return Err(checksum("the table of contents"));
    }
    let mut sections = Vec::with_capacity(count);
    let mut hashes = Vec::with_capacity(count);
    let mut end = table_end;
    for entry in table.chunks_exact(ENTRY) {
        let (section, hash) = read_entry(entry, bytes.len())?;
        if section.range.start < end || section.range.start - end >= ALIGN {
            return Err(content(&format!("section `{}` is out of place", section.name)));
        }
        if bytes[end..section.range.start].iter().any(|b| *b != 0) {
            return Err(checksum("the space between sections"));
        }
        end = section.range.end;
        sections.push(section);
        hashes.push(hash);
    }
    if end != bytes.len() {
        return Err(content("there are bytes after the last section"));
    }
    let mut unchecked = Vec::new();
    for (section, hash) in sections.iter().zip(hashes) {
        if section.range.len() > BLOCK {
            unchecked.push((section.clone(), hash));
        } else {
            check_section(bytes, section, hash, &|| false)?;
        }
    }
    Ok(Table { sections, content_hash, unchecked })
}

/// Large sections are hashed in blocks of this many bytes, and then the
/// blocks' hashes are.
pub const BLOCK: usize = 1 << 20;

/// Compares a section's content with its hash. `stop` is asked between blocks
/// whether nobody wants to know any more; the section then counts as whole.
///
/// # Errors
/// [`PackFault::Checksum`].
pub fn check_section(
    bytes: &[u8],
    section: &Section,
    hash: u64,
    stop: &dyn Fn() -> bool,
) -> Result<(), PackFault> {
    match section_hash(&bytes[section.range.clone()], stop) {
        Some(found) if found != hash => Err(checksum(&format!("section `{}`", section.name))),
        _ => Ok(()),
    }
}

/// The hash of a section, or none when `stop` said so.
fn section_hash(bytes: &[u8], stop: &dyn Fn() -> bool) -> Option<u64> {
    if bytes.len() <= BLOCK {
        return Some(XxHash3_64::oneshot(bytes));
    }
    let mut hashes = Vec::new();
    for block in bytes.chunks(BLOCK) {
        if stop() {
            return None;
        }
        hashes.extend(XxHash3_64::oneshot(block).to_le_bytes());
    }
    Some(XxHash3_64::oneshot(&hashes))
}

fn content(what: &str) -> PackFault {
    PackFault::Content { what: what.to_owned() }
}

fn read_entry(entry: &[u8], file_length: usize) -> Result<(Section, u64), PackFault> {
    let bad = || content("an entry of the table of contents is malformed");
    let name_length = entry[..NAME].iter().position(|b| *b == 0).unwrap_or(NAME);
    let name = std::str::from_utf8(&entry[..name_length]).map_err(|_| bad())?;
    if name.is_empty() || entry[name_length..NAME].iter().any(|b| *b != 0) {
        return Err(bad());
    }
    let start = usize::try_from(u64_at(entry, NAME)).map_err(|_| bad())?;
    let length = usize::try_from(u64_at(entry, NAME + 8)).map_err(|_| bad())?;
    let end = start.checked_add(length).filter(|end| *end <= file_length).ok_or_else(bad)?;
    if start % ALIGN != 0 || u64_at(entry, NAME + 24) != 0 {
        return Err(bad());
    }
    Ok((Section { name: name.to_owned(), range: start..end }, u64_at(entry, NAME + 16)))
}

/// Sections on their way into a file.
#[derive(Debug, Default)]
pub struct SectionWriter<'a> {
    sections: Vec<(String, Cow<'a, [u8]>)>,
}

impl<'a> SectionWriter<'a> {
    /// Adds a section; they are written in the order in which they are added.
    ///
    /// # Panics
    /// When the name is empty, longer than 32 bytes or already there.
    pub fn add(&mut self, name: &str, bytes: impl Into<Cow<'a, [u8]>>) {
        assert!(!name.is_empty() && name.len() <= NAME && !name.contains('\0'), "{name:?}");
        assert!(self.sections.iter().all(|(n, _)| n != name), "section {name} is there twice");
        self.sections.push((name.to_owned(), bytes.into()));
    }

    /// Adds an array as a section.
    pub fn add_array<T: bytemuck::NoUninit>(&mut self, name: &str, items: &[T]) {
        self.add(name, bytemuck::cast_slice::<T, u8>(items).to_vec());
    }

    /// The whole file.
    ///
    /// # Errors
    /// When there are more sections than a `u32` counts.
    pub fn finish(self) -> crate::Result<Vec<u8>> {
        let count = u32::try_from(self.sections.len()).map_err(|_| crate::Error::Limit {
            what: "the number of pack sections".into(),
            found: self.sections.len() as u64,
            limit: u64::from(u32::MAX),
        })?;
        let mut out = vec![0u8; HEADER + ENTRY * self.sections.len()];
        for (i, (name, bytes)) in self.sections.iter().enumerate() {
            out.resize(out.len().next_multiple_of(ALIGN), 0);
            let start = out.len();
            let hash = section_hash(bytes, &|| false).expect("nothing stops it");
            out.extend_from_slice(bytes);
            let entry = &mut out[HEADER + ENTRY * i..HEADER + ENTRY * (i + 1)];
            entry[..name.len()].copy_from_slice(name.as_bytes());
            entry[NAME..NAME + 8].copy_from_slice(&(start as u64).to_le_bytes());
            entry[NAME + 8..NAME + 16].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
            entry[NAME + 16..NAME + 24].copy_from_slice(&hash.to_le_bytes());
        }
        let length = out.len() as u64;
        let hash = XxHash3_128::oneshot(&out[HEADER..HEADER + ENTRY * self.sections.len()]);
        out[..8].copy_from_slice(MAGIC);
        out[8..12].copy_from_slice(&VERSION.to_le_bytes());
        out[12..16].copy_from_slice(&count.to_le_bytes());
        out[16..24].copy_from_slice(&length.to_le_bytes());
        out[24..40].copy_from_slice(&hash.to_le_bytes());
        let header_hash = XxHash3_64::oneshot(&out[..56]);
        out[56..64].copy_from_slice(&header_hash.to_le_bytes());
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Vec<u8> {
        let mut w = SectionWriter::default();
        w.add("one", vec![1u8, 2, 3]);
        w.add_array("two", &[[1.5f32, 2.5, 3.5]]);
        w.add("empty", Vec::new());
        w.finish().unwrap()
    }

    #[test]
    fn a_table_reads_back() {
        let bytes = small();
        let table = read_table(&bytes).unwrap();
        let names: Vec<_> = table.sections.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["one", "two", "empty"]);
        assert_eq!(bytes[table.sections[0].range.clone()], [1, 2, 3]);
        assert_eq!(table.sections[1].range.start % 64, 0);
        assert_eq!(table.sections[1].range.len(), 12);
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = small();
        for n in 0..bytes.len() {
            let fault = read_table(&bytes[..n]).unwrap_err();
            match n {
                0 => assert_eq!(fault, PackFault::Foreign),
                _ => assert!(matches!(fault, PackFault::Length { .. }), "{n}: {fault}"),
            }
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(matches!(read_table(&longer), Err(PackFault::Length { .. })));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let bytes = small();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bad = bytes.clone();
                bad[at] ^= 1 << bit;
                assert!(read_table(&bad).is_err(), "byte {at} bit {bit}");
            }
        }
    }

    #[test]
    fn other_files_and_versions_are_told_apart() {
        assert_eq!(read_table(b"PK\x03\x04 a zip file"), Err(PackFault::Foreign));
        let mut newer = small();
        newer[8] = 9;
        assert_eq!(read_table(&newer), Err(PackFault::Newer { found: 9, supported: VERSION }));
        let mut older = small();
        older[8] = 0;
        assert_eq!(read_table(&older), Err(PackFault::Older { found: 0, supported: VERSION }));
    }

    #[test]
    fn large_sections_are_hashed_in_blocks() {
        let mut w = SectionWriter::default();
        w.add("big", vec![7u8; (1 << 20) + 5]);
        let mut bytes = w.finish().unwrap();
        let (section, hash) = read_table(&bytes).unwrap().unchecked.remove(0);
        let check = |bytes: &[u8]| check_section(bytes, &section, hash, &|| false);
        assert_eq!(check(&bytes), Ok(()));
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert_eq!(check(&bytes), Err(PackFault::Checksum { what: "section `big`".into() }));
    }
}
