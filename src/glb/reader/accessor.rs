//! Accessors read in place (glTF 2.0, section 3.6.2).

use super::{Glb, Json};
use crate::glb::{AccessorType, ComponentType};
use crate::{Error, Result};

/// The most components an element has, those of a `MAT4`.
const MAX_COMPONENTS: usize = 16;
/// Columns of matrices start at multiples of this (section 3.6.2.4).
const COLUMN_ALIGN: usize = 4;

/// An accessor whose every element is known to lie inside the file.
#[derive(Debug, Clone)]
pub struct AccessorReader<'a> {
    /// The type of one component.
    pub component: ComponentType,
    /// How many components an element has.
    pub kind: AccessorType,
    /// Whether integers stand for the range 0 to 1 or -1 to 1.
    pub normalized: bool,
    /// The number of elements.
    pub count: usize,
    layout: Layout,
    /// The elements before substitution; without them, all are zero.
    base: Option<Strided<'a>>,
    sparse: Option<Sparse<'a>>,
}

/// Elements in bytes that are known to hold all of them.
#[derive(Debug, Clone)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// The elements that differ from the base.
#[derive(Debug, Clone)]
struct Sparse<'a> {
    indices: &'a [u8],
    index_type: ComponentType,
    values: &'a [u8],
    count: usize,
}

/// How an element's components lie in its bytes.
#[derive(Debug, Clone, Copy)]
struct Layout {
    columns: usize,
    rows: usize,
    column_bytes: usize,
}

impl Layout {
    fn of(kind: AccessorType, component: ComponentType) -> Layout {
        let (columns, rows) = match kind {
            AccessorType::Mat2 => (2, 2),
            AccessorType::Mat3 => (3, 3),
            AccessorType::Mat4 => (4, 4),
            _ => (1, kind.components()),
        };
        let packed = rows * component.size();
        let column_bytes =
            if columns == 1 { packed } else { packed.next_multiple_of(COLUMN_ALIGN) };
        Layout { columns, rows, column_bytes }
    }

    fn element_bytes(self) -> usize {
        self.columns * self.column_bytes
    }
}

impl<'a> AccessorReader<'a> {
    /// Opens accessor `index`. `file` is the name that errors give.
    ///
    /// # Errors
    /// [`Error::Input`] at the JSON path of whatever is missing, of the wrong
    /// type, out of range or past the end of its bytes. An accessor without
    /// any bytes may not have more elements than the binary chunk has bytes (or
    /// than 65535, if that is more), since nobody could have meant it.
    pub fn open(glb: &Glb<'a>, file: &str, index: usize) -> Result<AccessorReader<'a>> {
        let at = format!("$.accessors[{index}]");
        let place = Place { glb, file };
        let Some(accessor) = glb.json.list("accessors").get(index) else {
            let found = format!("{} accessors", glb.json.list("accessors").len());
            return Err(Error::input(file, at, found, "an accessor"));
        };
        let component = place.component(accessor, &at, &ALL_COMPONENTS)?;
        let kind = place.kind(accessor, &at)?;
        let count = place.number(accessor, &at, "count", None)?;
        if count == 0 {
            return Err(Error::input(file, format!("{at}.count"), "0", "at least 1"));
        }
        let layout = Layout::of(kind, component);
        let element = layout.element_bytes();
        let base = match accessor.get("bufferView") {
            None => {
                let most = glb.bin.len().max(u16::MAX.into());
                if count > most {
                    let expected = format!("at most {most} elements where no bytes are given");
                    let at = format!("{at}.count");
                    return Err(Error::input(file, at, count.to_string(), expected));
                }
                None
            }
            Some(view) => {
                let (view, stride) = place.view(view, &format!("{at}.bufferView"))?;
                let offset = place.number(accessor, &at, "byteOffset", Some(0))?;
                let stride = stride.unwrap_or(element);
                let bytes = place.part(view, offset, count, stride, element, &at)?;
                Some(Strided { bytes, stride })
            }
        };
        let sparse = match accessor.get("sparse") {
            None => None,
            Some(sparse) => Some(place.sparse(sparse, &format!("{at}.sparse"), count, element)?),
        };
        let normalized = accessor.get("normalized") == Some(&Json::Bool(true));
        Ok(AccessorReader { component, kind, normalized, count, layout, base, sparse })
    }

    /// Calls `f` with the number and the components of every element, in
    /// order, as they are stored: integers are not normalised. Matrices come
    /// column by column.
    pub fn for_each(&self, mut f: impl FnMut(usize, &[f64])) {
        let mut rows = self.rows();
        let mut i = 0;
        while let Some(row) = rows.next_row() {
            f(i, row);
            i += 1;
        }
    }

    /// The elements one after the other, for reading several accessors in
    /// step; the rows are those of [`AccessorReader::for_each`].
    pub fn rows(&self) -> Rows<'_, 'a> {
        Rows { reader: self, next: 0, overrides: self.overrides(), row: [0.0; MAX_COMPONENTS] }
    }

    /// The bytes of the elements and the step from one to the next, when they
    /// are all stored: nothing for sparse accessors and those without bytes.
    pub fn stored(&self) -> Option<(&'a [u8], usize)> {
        let base = self.base.as_ref().filter(|_| self.sparse.is_none())?;
        Some((base.bytes, base.stride))
    }

    /// The elements that `sparse` substitutes, when all others are zeros:
    /// their bytes, packed, and their number.
    pub fn stored_among_zeros(&self) -> Option<(&'a [u8], usize)> {
        let sparse = self.sparse.as_ref().filter(|_| self.base.is_none())?;
        Some((sparse.values, sparse.count))
    }

    /// Whether no bytes stand for the elements, which are all zeros then.
    pub fn is_all_zeros(&self) -> bool {
        self.base.is_none() && self.sparse.is_none()
    }

    /// The numbers of the elements that `sparse` substitutes, as they stand in
    /// the file; whether they rise is not known.
    pub fn sparse_indices(&self) -> impl Iterator<Item = usize> {
        self.overrides().map(|(index, _)| index)
    }

    /// The elements that `sparse` substitutes, with their numbers, as they
    /// stand in the file.
    fn overrides(&self) -> Overrides<'_, 'a> {
        Overrides { sparse: self.sparse.as_ref(), k: 0, element: self.layout.element_bytes() }
    }

    fn decode(&self, bytes: &[u8], row: &mut [f64]) {
        let Layout { columns, rows, column_bytes } = self.layout;
        let size = self.component.size();
        for column in 0..columns {
            for r in 0..rows {
                row[column * rows + r] =
                    component_at(&bytes[column * column_bytes + r * size..], self.component);
            }
        }
    }
}

/// The elements of an accessor, one at a time.
#[derive(Debug)]
pub struct Rows<'r, 'a> {
    reader: &'r AccessorReader<'a>,
    next: usize,
    overrides: Overrides<'r, 'a>,
    row: [f64; MAX_COMPONENTS],
}

impl Rows<'_, '_> {
    /// The components of the next element.
    pub fn next_row(&mut self) -> Option<&[f64]> {
        let Rows { reader, next: i, overrides, row } = self;
        if *i >= reader.count {
            return None;
        }
        // Of numbers that come again or fall back, which no valid file has,
        // the last one before the next element counts.
        let mut chosen = None;
        while let Some((_, bytes)) = overrides.peek().filter(|(at, _)| at <= i) {
            chosen = Some(bytes);
            overrides.k += 1;
        }
        let bytes = chosen.or_else(|| {
            let Strided { bytes, stride } = reader.base.as_ref()?;
            Some(&bytes[*i * stride..*i * stride + reader.layout.element_bytes()])
        });
        let row = &mut row[..reader.kind.components()];
        match bytes {
            Some(bytes) => reader.decode(bytes, row),
            None => row.fill(0.0),
        }
        *i += 1;
        Some(row)
    }
}

/// The substituted elements of a sparse accessor.
#[derive(Debug)]
struct Overrides<'r, 'a> {
    sparse: Option<&'r Sparse<'a>>,
    k: usize,
    element: usize,
}

impl<'a> Overrides<'_, 'a> {
    fn peek(&self) -> Option<(usize, &'a [u8])> {
        let sparse = self.sparse.filter(|sparse| self.k < sparse.count)?;
        let size = sparse.index_type.size();
        let index = component_at(&sparse.indices[self.k * size..], sparse.index_type) as usize;
        Some((index, &sparse.values[self.k * self.element..(self.k + 1) * self.element]))
    }
}

impl<'a> Iterator for Overrides<'_, 'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let item = self.peek();
        self.k += 1;
        item
    }
}

const ALL_COMPONENTS: [ComponentType; 6] = [
    ComponentType::I8,
    ComponentType::U8,
    ComponentType::I16,
    ComponentType::U16,
    ComponentType::U32,
    ComponentType::F32,
];
const INDEX_COMPONENTS: [ComponentType; 3] =
    [ComponentType::U8, ComponentType::U16, ComponentType::U32];
const KINDS: [(&str, AccessorType); 7] = [
    ("SCALAR", AccessorType::Scalar),
    ("VEC2", AccessorType::Vec2),
    ("VEC3", AccessorType::Vec3),
    ("VEC4", AccessorType::Vec4),
    ("MAT2", AccessorType::Mat2),
    ("MAT3", AccessorType::Mat3),
    ("MAT4", AccessorType::Mat4),
];

/// The number that the first bytes hold.
fn component_at(bytes: &[u8], component: ComponentType) -> f64 {
    match component {
        ComponentType::I8 => f64::from(bytes[0] as i8),
        ComponentType::U8 => f64::from(bytes[0]),
        ComponentType::I16 => f64::from(i16::from_le_bytes([bytes[0], bytes[1]])),
        ComponentType::U16 => f64::from(u16::from_le_bytes([bytes[0], bytes[1]])),
        ComponentType::U32 => {
            f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        }
        ComponentType::F32 => {
            f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        }
    }
}

/// The file that is read, for looking things up with errors that say where.
struct Place<'g, 'a> {
    glb: &'g Glb<'a>,
    file: &'g str,
}

impl<'a> Place<'_, 'a> {
    fn fault<T>(&self, at: String, found: String, expected: &str) -> Result<T> {
        Err(Error::input(self.file, at, found, expected))
    }

    /// A number that is not negative; `default` stands for one left out.
    fn number(
        &self,
        owner: &Json<'a>,
        at: &str,
        key: &str,
        default: Option<usize>,
    ) -> Result<usize> {
        let expected = "a whole number that is not negative";
        match (owner.get(key), default) {
            (None, Some(default)) => Ok(default),
            (None, None) => self.fault(format!("{at}.{key}"), "nothing".into(), expected),
            (Some(value), _) => match value.as_index() {
                Some(number) => Ok(number),
                None => self.fault(format!("{at}.{key}"), value.describe(), expected),
            },
        }
    }

    fn component(
        &self,
        owner: &Json<'a>,
        at: &str,
        known: &[ComponentType],
    ) -> Result<ComponentType> {
        let number = self.number(owner, at, "componentType", None)?;
        match known.iter().find(|c| **c as usize == number) {
            Some(component) => Ok(*component),
            None => {
                let names: Vec<String> = known.iter().map(|c| (*c as u32).to_string()).collect();
                let expected = format!("one of {}", names.join(", "));
                self.fault(format!("{at}.componentType"), number.to_string(), &expected)
            }
        }
    }

    fn kind(&self, accessor: &Json<'a>, at: &str) -> Result<AccessorType> {
        let found = accessor.get("type");
        let text = found.and_then(Json::as_str).unwrap_or_default();
        match KINDS.iter().find(|(name, _)| *name == text) {
            Some((_, kind)) => Ok(*kind),
            None => {
                let found = found.map_or("nothing".into(), Json::describe);
                self.fault(format!("{at}.type"), found, "SCALAR, VEC2 to VEC4 or MAT2 to MAT4")
            }
        }
    }

    /// The bytes of a buffer view, and its stride where it has one.
    fn view(&self, index: &Json<'a>, at: &str) -> Result<(&'a [u8], Option<usize>)> {
        let views = self.glb.json.list("bufferViews");
        let Some((i, view)) = index.as_index().and_then(|i| Some((i, views.get(i)?))) else {
            let expected = format!("the number of one of the {} buffer views", views.len());
            return self.fault(at.into(), index.describe(), &expected);
        };
        let at = format!("$.bufferViews[{i}]");
        let buffer = self.number(view, &at, "buffer", None)?;
        let in_file = self.glb.json.list("buffers").first();
        if buffer != 0 || in_file.is_none_or(|b| b.get("uri").is_some()) {
            let expected = "buffer 0, the file's own binary chunk";
            return self.fault(format!("{at}.buffer"), format!("buffer {buffer}"), expected);
        }
        let offset = self.number(view, &at, "byteOffset", Some(0))?;
        let length = self.number(view, &at, "byteLength", None)?;
        let bytes = offset.checked_add(length).and_then(|end| self.glb.bin.get(offset..end));
        let Some(bytes) = bytes else {
            let expected = format!("an end within the {} bytes of the chunk", self.glb.bin.len());
            return self.fault(at, format!("{length} bytes from {offset}"), &expected);
        };
        let stride = match view.get("byteStride") {
            None => None,
            Some(_) => Some(self.number(view, &at, "byteStride", None)?),
        };
        Ok((bytes, stride))
    }

    /// The bytes of `count` elements from `offset` on in a view.
    fn part(
        &self,
        view: &'a [u8],
        offset: usize,
        count: usize,
        stride: usize,
        element: usize,
        at: &str,
    ) -> Result<&'a [u8]> {
        if stride < element {
            let expected = format!("at least the element's {element} bytes");
            return self.fault(at.into(), format!("a stride of {stride}"), &expected);
        }
        let length = (count - 1).checked_mul(stride).and_then(|n| n.checked_add(element));
        let end = length.and_then(|n| offset.checked_add(n));
        match end.and_then(|end| view.get(offset..end)) {
            Some(bytes) => Ok(bytes),
            None => {
                let found = format!("{count} elements of {element} bytes from {offset}");
                self.fault(at.into(), found, &format!("an end within its {} bytes", view.len()))
            }
        }
    }

    fn sparse(
        &self,
        sparse: &Json<'a>,
        at: &str,
        count: usize,
        element: usize,
    ) -> Result<Sparse<'a>> {
        let n = self.number(sparse, at, "count", None)?;
        if n == 0 || n > count {
            let expected = format!("1 to {count}, the accessor's count");
            return self.fault(format!("{at}.count"), n.to_string(), &expected);
        }
        let array = |key: &str| -> Result<(&Json<'a>, String, &'a [u8], usize)> {
            let at = format!("{at}.{key}");
            let Some(part) = sparse.get(key) else {
                return self.fault(at, "nothing".into(), "an object");
            };
            let Some(view) = part.get("bufferView") else {
                return self.fault(format!("{at}.bufferView"), "nothing".into(), "a buffer view");
            };
            let (view, _) = self.view(view, &format!("{at}.bufferView"))?;
            let offset = self.number(part, &at, "byteOffset", Some(0))?;
            Ok((part, at, view, offset))
        };
        let (part, place, view, offset) = array("indices")?;
        let index_type = self.component(part, &place, &INDEX_COMPONENTS)?;
        let size = index_type.size();
        let indices = self.part(view, offset, n, size, size, &place)?;
        let (_, place, view, offset) = array("values")?;
        let values = self.part(view, offset, n, element, element, &place)?;
        for k in 0..n {
            let index = component_at(&indices[k * size..], index_type);
            if index >= count as f64 {
                let expected = format!("less than the accessor's count, {count}");
                return self.fault(
                    format!("{at}.indices element {k}"),
                    index.to_string(),
                    &expected,
                );
            }
        }
        Ok(Sparse { indices, index_type, values, count: n })
    }
}
