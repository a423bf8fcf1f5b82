//! A file as a byte slice, mapped into memory and never copied.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a whole file for reading.
///
/// The mapping stays valid after `file` is dropped. Packs are written to a
/// temporary file and renamed into place, so a pack that is mapped is never
/// written to again by this program; the old content lives on until the last
/// mapping of it goes.
///
/// # Errors
/// What the operating system says; an empty file is an error on some systems.
#[allow(unsafe_code)]
pub fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only and private to this process. What
    // remains is that another program truncates the file while it is mapped,
    // which would end this process with a signal, not with wrong output: the
    // content is checked against its checksums when the pack is opened, and
    // our own writers only ever replace a pack by a rename.
    unsafe { Mmap::map(file) }
}
