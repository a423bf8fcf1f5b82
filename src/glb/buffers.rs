//! The plan of the binary buffer: one layout pass, one fill pass.
//!
//! Views are placed as they are added, so their offsets are known at once
//! and the JSON can be written before a byte of the buffer is. The bytes
//! stay where the caller has them until the container copies each of them
//! once, into an allocation of the file's exact size.
//!
//! Every attribute has a view of its own. Interleaving would save nothing in
//! the file, and separate views are what all loaders take.

use std::borrow::Cow;

use bytemuck::NoUninit;

use super::accessors::{Accessor, Buffer, BufferView, Target};
use super::document::Extensions;
use super::index::Index;
use crate::{Error, Result};

// Slices are reinterpreted as bytes, and glTF's numbers are little-endian
// (section 3.6.1.1). We refuse to build rather than to write a wrong file;
// no machine that exports avatars is big-endian today.
#[cfg(target_endian = "big")]
compile_error!(
    "the GLB writer copies numbers as they are in memory, so it needs a little-endian target"
);

/// The index of the buffer that is the GLB's binary chunk.
const BIN: Index<Buffer> = Index::new(0);

/// The least alignment of a view: that of the widest component, so that
/// every accessor may start at its view's start (section 3.6.2.4).
const MIN_ALIGN: u32 = 4;

/// The binary buffer as it will be: its views, its accessors, and where
/// their bytes come from.
///
/// After an [`Error::Limit`] a plan may hold a view that nothing uses; it is
/// best dropped, since what it lacks does not fit.
///
/// ```
/// use dramatis::glb::{Attributes, BufferPlan, IndexWidth, MinMax, Primitive};
///
/// # fn main() -> dramatis::Result<()> {
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mut plan = BufferPlan::new();
/// let triangle = Primitive {
///     attributes: Attributes {
///         position: Some(plan.vec3_f32("a", "POSITION", &positions, MinMax::Write)?),
///         ..Attributes::default()
///     },
///     indices: Some(plan.indices("a", vec![0, 1, 2], 3, IndexWidth::default())?),
///     ..Primitive::default()
/// };
/// assert_eq!(plan.byte_length(), 3 * 12 + 3 * 2);
/// # Ok(())
/// # }
/// ```
pub struct BufferPlan<'a> {
    accessors: Vec<Accessor>,
    views: Vec<BufferView>,
    /// The bytes of each view.
    payloads: Vec<Payload<'a>>,
    /// The length of the buffer so far.
    length: u32,
    /// The greatest length allowed.
    limit: u32,
}

/// How [`BufferPlan::add_view`] places and describes a view.
#[derive(Debug, Clone, Copy, Default)]
pub struct ViewOptions {
    /// The view starts at a multiple of this in the buffer; it is raised to
    /// 4 and to a power of two. The file itself only aligns the buffer to 4
    /// (section 4.4.3.3). Default: 4.
    pub align: u32,
    /// What a graphics card uses the view for. Default: nothing, which is
    /// right for images, matrices, animations and sparse data.
    pub target: Option<Target>,
    /// The distance of two elements' starts, for vertex attributes that are
    /// not packed. Default: packed.
    pub byte_stride: Option<u32>,
}

impl Default for BufferPlan<'_> {
    fn default() -> Self {
        BufferPlan::new()
    }
}

impl<'a> BufferPlan<'a> {
    /// An empty plan, limited only by the format's 32-bit lengths.
    pub fn new() -> BufferPlan<'a> {
        BufferPlan::with_limit(u32::MAX)
    }

    /// An empty plan whose buffer may not become longer than `limit` bytes.
    pub fn with_limit(limit: u32) -> BufferPlan<'a> {
        BufferPlan {
            accessors: Vec::new(),
            views: Vec::new(),
            payloads: Vec::new(),
            length: 0,
            limit,
        }
    }

    /// Adds bytes to the buffer and a view of them.
    ///
    /// Fails with [`Error::Limit`] when the buffer would become too long,
    /// and with [`Error::Input`] for a view that the format has no words
    /// for: an empty one, or one whose stride is not a multiple of 4 from 4
    /// to 252 (section 5.11.4).
    pub fn add_view(
        &mut self,
        bytes: impl Into<Cow<'a, [u8]>>,
        options: ViewOptions,
    ) -> Result<Index<BufferView>> {
        self.place(Payload::new(bytes.into()), options)
    }

    /// Adds an accessor that was made by hand.
    pub fn add_accessor(&mut self, accessor: Accessor) -> Index<Accessor> {
        let index = Index::after(self.accessors.len());
        self.accessors.push(accessor);
        index
    }

    /// All accessors, in the order of their indices.
    pub fn accessors(&self) -> &[Accessor] {
        &self.accessors
    }

    /// An accessor, to be changed; for instance to name it.
    pub fn accessor_mut(&mut self, index: Index<Accessor>) -> Option<&mut Accessor> {
        self.accessors.get_mut(index.as_usize())
    }

    /// All views, in the order of their indices.
    pub fn views(&self) -> &[BufferView] {
        &self.views
    }

    /// The bytes of a view.
    pub fn view_bytes(&self, index: Index<BufferView>) -> Option<&[u8]> {
        self.payloads.get(index.as_usize()).map(Payload::bytes)
    }

    /// The length of the buffer, without the padding of the file's chunk.
    pub fn byte_length(&self) -> u32 {
        self.length
    }

    /// Places a payload after the last one.
    pub(super) fn place(
        &mut self,
        payload: Payload<'a>,
        options: ViewOptions,
    ) -> Result<Index<BufferView>> {
        let index = Index::after(self.views.len());
        let at = || format!("$.bufferViews[{}]", index.value());
        let length = payload.bytes().len();
        if length == 0 {
            return Err(Error::input(DOCUMENT, at(), "no bytes", "at least one byte"));
        }
        if let Some(stride) = options.byte_stride
            && !(stride.is_multiple_of(4) && (4..=252).contains(&stride))
        {
            let found = format!("a byteStride of {stride}");
            return Err(Error::input(DOCUMENT, at(), found, "a multiple of 4 from 4 to 252"));
        }
        let span = Span::after(self.length, length, options.align, self.limit)?;
        self.views.push(BufferView {
            buffer: BIN,
            byte_offset: span.offset,
            byte_length: span.length,
            byte_stride: options.byte_stride,
            target: options.target,
            extensions: Extensions::new(),
        });
        self.payloads.push(payload);
        self.length = span.end();
        Ok(index)
    }

    /// The document's `buffers`: none when there are no bytes, since an
    /// empty buffer is not valid (section 5.10.2).
    pub(super) fn buffers(&self) -> Vec<Buffer> {
        match self.length {
            0 => Vec::new(),
            byte_length => vec![Buffer { byte_length, ..Buffer::default() }],
        }
    }

    /// The fill pass: appends the whole buffer to `dst`.
    pub(super) fn fill(&self, dst: &mut Vec<u8>) {
        let start = dst.len();
        for (view, payload) in self.views.iter().zip(&self.payloads) {
            // Zeros in the gaps keep the file the same for the same input.
            dst.resize(start + view.byte_offset as usize, 0);
            dst.extend_from_slice(payload.bytes());
        }
        debug_assert_eq!(dst.len() - start, self.length as usize);
    }
}

/// How error messages call the document that is being written.
pub(super) const DOCUMENT: &str = "glTF document";

/// A view's place in the buffer.
#[derive(Debug, PartialEq, Eq)]
struct Span {
    offset: u32,
    length: u32,
}

impl Span {
    /// The place of `length` bytes after a buffer's present end.
    fn after(end: u32, length: usize, align: u32, limit: u32) -> Result<Span> {
        // The sums are made in 64 bits, where they cannot overflow: an
        // offset is less than 2^33 and memory is less than 2^63 bytes.
        let align = u64::from(align.clamp(MIN_ALIGN, 1 << 31).next_power_of_two());
        let offset = u64::from(end).next_multiple_of(align);
        let found = offset + length as u64;
        if found > u64::from(limit) {
            let what = "the length in bytes of the GLB's binary buffer".to_owned();
            return Err(Error::Limit { what, found, limit: u64::from(limit) });
        }
        // Both are no more than `found`, which fits.
        Ok(Span { offset: offset as u32, length: length as u32 })
    }

    /// Where the next view may begin.
    fn end(&self) -> u32 {
        self.offset + self.length
    }
}

/// Bytes that are the caller's, or a vector of any plain type that was made
/// for this file. A `Cow<[u8]>` alone would not do: a vector of floats
/// cannot become a vector of bytes without being copied.
pub(super) enum Payload<'a> {
    Borrowed(&'a [u8]),
    Owned(Box<dyn AsBytes>),
}

impl<'a> Payload<'a> {
    /// The bytes of a slice, or of a vector that the payload keeps.
    pub(super) fn new<T: NoUninit + Send + Sync>(data: Cow<'a, [T]>) -> Payload<'a> {
        match data {
            Cow::Borrowed(slice) => Payload::Borrowed(bytemuck::cast_slice(slice)),
            Cow::Owned(vector) => Payload::Owned(Box::new(vector)),
        }
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Payload::Borrowed(bytes) => bytes,
            Payload::Owned(vector) => vector.as_bytes(),
        }
    }
}

/// A vector whose element type is forgotten.
pub(super) trait AsBytes: Send + Sync {
    /// The elements as they are in memory.
    fn as_bytes(&self) -> &[u8];
}

impl<T: NoUninit + Send + Sync> AsBytes for Vec<T> {
    fn as_bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(plan: &BufferPlan) -> Vec<u8> {
        let mut bytes = vec![];
        plan.fill(&mut bytes);
        bytes
    }

    #[test]
    fn views_are_aligned_and_gaps_are_zeros() {
        let mut plan = BufferPlan::new();
        let one = plan.add_view(&[1u8, 2, 3, 4, 5][..], ViewOptions::default()).unwrap();
        let two = plan.add_view(vec![6u8], ViewOptions::default()).unwrap();
        let wide = ViewOptions { align: 16, ..ViewOptions::default() };
        plan.add_view(vec![7u8, 8], wide).unwrap();
        let offsets: Vec<u32> = plan.views().iter().map(|view| view.byte_offset).collect();
        assert_eq!(offsets, [0, 8, 16]);
        assert_eq!(plan.byte_length(), 18);
        assert_eq!(filled(&plan), [1, 2, 3, 4, 5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 8]);
        assert_eq!(plan.view_bytes(one).unwrap().len(), 5);
        assert_eq!(plan.view_bytes(two).unwrap(), [6]);
    }

    #[test]
    fn owned_vectors_of_wide_types_are_not_copied() {
        let floats = vec![[1.0f32, 2.0, 3.0]];
        let address = floats.as_ptr() as usize;
        let payload = Payload::new(Cow::Owned(floats));
        assert_eq!(payload.bytes().as_ptr() as usize, address);
        assert_eq!(payload.bytes().len(), 12);
    }

    #[test]
    fn a_span_ends_exactly_at_the_limit() {
        let max = u32::MAX;
        let span = Span::after(max - 7, 7, 4, max).unwrap();
        assert_eq!(span, Span { offset: max - 7, length: 7 });
        assert_eq!(span.end(), max);
    }

    #[test]
    fn lengths_past_32_bits_are_an_error() {
        let max = u32::MAX;
        let error = Span::after(max - 7, 9, 4, max).unwrap_err();
        assert!(matches!(error, Error::Limit { found, limit, .. }
            if found == u64::from(max) + 2 && limit == u64::from(max)));
        // The alignment alone can pass the limit.
        assert!(Span::after(max - 1, 1, 4, max).is_err());
        assert!(Span::after(max, 1, u32::MAX, max).is_err());
    }

    #[test]
    fn a_limit_is_named_in_the_message_and_changes_nothing() {
        let mut plan = BufferPlan::with_limit(10);
        plan.add_view(vec![0u8; 7], ViewOptions::default()).unwrap();
        let error = plan.add_view(vec![0u8; 3], ViewOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the length in bytes of the GLB's binary buffer is 11, more than the limit of 10"
        );
        assert_eq!((plan.views().len(), plan.byte_length()), (1, 7));
        plan.add_view(vec![0u8; 2], ViewOptions::default()).unwrap();
    }

    #[test]
    fn views_that_cannot_be_written_are_refused() {
        let mut plan = BufferPlan::new();
        let error = plan.add_view(vec![], ViewOptions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "glTF document: $.bufferViews[0]: found no bytes, expected at least one byte"
        );
        for stride in [0, 2, 6, 256] {
            let options = ViewOptions { byte_stride: Some(stride), ..ViewOptions::default() };
            assert!(plan.add_view(vec![0u8; 8], options).is_err(), "{stride}");
        }
    }
}
