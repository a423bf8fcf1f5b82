//! `meta.thumbnailImage`: a square picture in the file.

use crate::glb::picture::{jpeg_has_end, jpeg_size, media_type};
use crate::glb::{BufferPlan, Image, MimeType, Root, ViewOptions};
use crate::{Error, Result};

/// A square PNG or JPEG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thumbnail {
    bytes: Vec<u8>,
    mime_type: MimeType,
    side: u32,
}

impl Thumbnail {
    /// A picture from the bytes of a PNG or JPEG file. `file` is the name
    /// that errors give.
    ///
    /// # Errors
    /// [`Error::Input`] for other bytes, for a damaged picture, and for one
    /// that is not square.
    pub fn from_bytes(file: &str, bytes: Vec<u8>) -> Result<Thumbnail> {
        let bad = |found: String, expected: &str| Error::input(file, "picture", found, expected);
        let (mime_type, size) = match media_type(&bytes) {
            Some("image/png") => (MimeType::Png, png_size(&bytes)),
            Some("image/jpeg") => {
                (MimeType::Jpeg, jpeg_size(&bytes).filter(|_| jpeg_has_end(&bytes)))
            }
            _ => return Err(bad("bytes of another kind".into(), "a PNG or JPEG file")),
        };
        match size {
            Some((width, height)) if width == height && width > 0 => {
                Ok(Thumbnail { bytes, mime_type, side: width })
            }
            Some((width, height)) => {
                Err(bad(format!("{width} x {height} pixels"), "as many pixels wide as high"))
            }
            None => Err(bad("a picture that breaks off".into(), "a whole PNG or JPEG file")),
        }
    }

    /// How many pixels it is wide and high.
    pub fn side(&self) -> u32 {
        self.side
    }

    /// Adds the picture to a document; the answer is the image's index.
    pub(super) fn add(&self, root: &mut Root, plan: &mut BufferPlan<'_>) -> Result<usize> {
        let buffer_view = plan.add_view(self.bytes.clone(), ViewOptions::default())?;
        let mime_type = self.mime_type;
        let image = root.push(Image { buffer_view, mime_type, name: "thumbnail".into() });
        Ok(image.as_usize())
    }
}

fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    // All of it is decoded: a picture that is cut off looks whole from its
    // header.
    reader.next_frame(&mut pixels).ok()?;
    let info = reader.info();
    Some((info.width, info.height))
}
