//! Writing files so that nothing that was there before is lost.

use std::io::Write;
use std::path::Path;

use crate::{Error, Result};

/// Writes a file by way of a temporary one in the same folder, which is
/// renamed into place when it is whole. The folder is made if it is missing.
///
/// # Errors
/// [`Error::Io`]; the old file, if there was one, is then still there.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(Error::io(folder, "create the folder"))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dramatis-").suffix(".part");
    #[cfg(unix)]
    {
        // Temporary files are private by default; these become ordinary
        // files, so the user's own mask decides.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(Error::io(folder, "write into"))?;
    file.write_all(bytes).map_err(Error::io(path, "write"))?;
    file.persist(path).map_err(|e| Error::io(path, "write")(e.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_no_part_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/a.bin");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_in_the_way_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.glb");
        std::fs::create_dir(&path).unwrap();
        let e = write_atomically(&path, b"one").unwrap_err().to_string();
        assert!(e.contains("a.glb: cannot write"), "{e}");
        assert!(path.is_dir());
    }
}
