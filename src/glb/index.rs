//! Indices that remember which array they point into.
//!
//! A glTF file links its parts by position (glTF 2.0, section 3.3). A plain
//! number would let a mesh's index be used where a node's is meant, and no
//! compiler would say so; the type parameter makes that mistake impossible.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::{Serialize, Serializer};

/// The position of a `T` in the document's array of `T`s.
///
/// In JSON it is the bare number.
pub struct Index<T>(u32, PhantomData<fn() -> T>);

impl<T> Index<T> {
    /// The index with this value. Nothing checks that the array is so long;
    /// [`Root::push`](super::Root::push) and the methods of
    /// [`BufferPlan`](super::BufferPlan) give indices that are right.
    pub const fn new(value: u32) -> Index<T> {
        Index(value, PhantomData)
    }

    /// The index of the item that will be pushed onto an array of `length`
    /// items.
    ///
    /// # Panics
    ///
    /// When the array already has 2^32 items, which no computer's memory
    /// holds, since each takes tens of bytes.
    pub(super) fn after(length: usize) -> Index<T> {
        Index::new(u32::try_from(length).expect("a glTF array has fewer than 2^32 items"))
    }

    /// The number that stands in the JSON.
    pub const fn value(self) -> u32 {
        self.0
    }

    /// The same number for indexing a slice.
    pub const fn as_usize(self) -> usize {
        self.0 as usize
    }
}

// The traits are written by hand because deriving them would ask them of
// `T` as well, which is never stored.

impl<T> Clone for Index<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Index<T> {}

impl<T> PartialEq for Index<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Index<T> {}

impl<T> PartialOrd for Index<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Index<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<T> Hash for Index<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T> fmt::Debug for Index<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl<T> Serialize for Index<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A type without a single trait, as an index must not ask for any.
    struct Opaque;

    #[test]
    fn is_its_number_in_json_and_in_order() {
        let (one, two) = (Index::<Opaque>::new(1), Index::<Opaque>::new(2));
        assert!(one < two);
        assert_eq!(serde_json::to_string(&[two, one]).unwrap(), "[2,1]");
        assert_eq!(format!("{one:?}"), "#1");
        assert_eq!(Index::<Opaque>::after(7).value(), 7);
        assert_eq!(two.as_usize(), 2);
    }
}
