//! Typed arrays into the buffer: vertex attributes, indices, matrices, keys
//! and sparse morph targets, each with an accessor that describes it.
//!
//! All of them check what no reader could make sense of: numbers that are
//! not finite, arrays without elements, indices past the last vertex. They
//! take the name of the mesh (or skin, or animation) and of the attribute
//! only to say where such a fault is.

use std::borrow::Cow;

use bytemuck::NoUninit;

use super::accessors::{
    Accessor, AccessorType, Bounds, ComponentType, Sparse, SparseIndices, SparseValues, Target,
};
use super::bounds::{check_finite, min_max, start_at_zero, widen};
use super::buffers::{BufferPlan, Payload, ViewOptions};
use super::index::Index;
use crate::{Error, Result};

/// Whether an accessor gets `min` and `max`.
///
/// The format asks for them on `POSITION`, also of morph targets
/// (section 3.7.2), and on animation times (section 3.11). Elsewhere they
/// only take room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MinMax {
    /// The exact bounds of the stored numbers are written.
    Write,
    /// No bounds are written.
    Omit,
}

/// How narrow the indices of triangles may become.
///
/// The greatest value of the type is never used as an index, since it would
/// mean to restart the primitive (section 3.7.2.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IndexWidth {
    /// 16 bits up to 65535 vertices, else 32. Graphics cards have no 8-bit
    /// indices any more, so loaders would have to widen them.
    #[default]
    AtLeast16,
    /// 8 bits up to 255 vertices, else as [`IndexWidth::AtLeast16`].
    AtLeast8,
}

/// A view of vertex attributes.
const VERTEX: ViewOptions =
    ViewOptions { align: 4, target: Some(Target::ArrayBuffer), byte_stride: None };

/// A view of vertex indices.
const ELEMENT: ViewOptions =
    ViewOptions { align: 4, target: Some(Target::ElementArrayBuffer), byte_stride: None };

/// A view that no graphics card draws from as it is.
const PLAIN: ViewOptions = ViewOptions { align: 4, target: None, byte_stride: None };

impl<'a> BufferPlan<'a> {
    /// A vertex attribute of two floats: texture coordinates.
    pub fn vec2_f32(
        &mut self,
        mesh: &str,
        attribute: &'static str,
        data: impl Into<Cow<'a, [[f32; 2]]>>,
        bounds: MinMax,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: mesh, attribute };
        self.floats::<_, 2>(place, AccessorType::Vec2, data.into(), bounds, VERTEX)
    }

    /// A vertex attribute of three floats: positions, normals, and the
    /// differences of either in a dense morph target.
    pub fn vec3_f32(
        &mut self,
        mesh: &str,
        attribute: &'static str,
        data: impl Into<Cow<'a, [[f32; 3]]>>,
        bounds: MinMax,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: mesh, attribute };
        self.floats::<_, 3>(place, AccessorType::Vec3, data.into(), bounds, VERTEX)
    }

    /// A vertex attribute of four floats: weights, tangents, colours.
    pub fn vec4_f32(
        &mut self,
        mesh: &str,
        attribute: &'static str,
        data: impl Into<Cow<'a, [[f32; 4]]>>,
        bounds: MinMax,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: mesh, attribute };
        self.floats::<_, 4>(place, AccessorType::Vec4, data.into(), bounds, VERTEX)
    }

    /// Matrices of four columns of four: a skin's inverse bind matrices.
    pub fn mat4_f32(
        &mut self,
        skin: &str,
        attribute: &'static str,
        data: impl Into<Cow<'a, [[f32; 16]]>>,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: skin, attribute };
        self.floats::<_, 16>(place, AccessorType::Mat4, data.into(), MinMax::Omit, PLAIN)
    }

    /// Single floats: an animation's times (with bounds) or the weights of
    /// morph targets over time (without).
    pub fn scalar_f32(
        &mut self,
        animation: &str,
        attribute: &'static str,
        data: impl Into<Cow<'a, [f32]>>,
        bounds: MinMax,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: animation, attribute };
        self.floats::<_, 1>(place, AccessorType::Scalar, data.into(), bounds, PLAIN)
    }

    /// An animation's keys of three floats: translations and scales.
    pub fn keys_vec3_f32(
        &mut self,
        animation: &str,
        attribute: &'static str,
        data: impl Into<Cow<'a, [[f32; 3]]>>,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: animation, attribute };
        self.floats::<_, 3>(place, AccessorType::Vec3, data.into(), MinMax::Omit, PLAIN)
    }

    /// An animation's keys of four floats: rotations.
    pub fn keys_vec4_f32(
        &mut self,
        animation: &str,
        attribute: &'static str,
        data: impl Into<Cow<'a, [[f32; 4]]>>,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: animation, attribute };
        self.floats::<_, 4>(place, AccessorType::Vec4, data.into(), MinMax::Omit, PLAIN)
    }

    /// `JOINTS_0` for skins of up to 256 joints.
    pub fn joints_u8(
        &mut self,
        mesh: &str,
        data: impl Into<Cow<'a, [[u8; 4]]>>,
    ) -> Result<Index<Accessor>> {
        self.joints(mesh, ComponentType::U8, data.into())
    }

    /// `JOINTS_0` for larger skins.
    pub fn joints_u16(
        &mut self,
        mesh: &str,
        data: impl Into<Cow<'a, [[u16; 4]]>>,
    ) -> Result<Index<Accessor>> {
        self.joints(mesh, ComponentType::U16, data.into())
    }

    /// The corners of a primitive of `n_vertices` vertices, as narrow as
    /// `width` and the number of vertices allow.
    pub fn indices(
        &mut self,
        mesh: &str,
        indices: impl Into<Cow<'a, [u32]>>,
        n_vertices: usize,
        width: IndexWidth,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: mesh, attribute: "indices" };
        let indices = indices.into();
        let count = place.count(indices.len())?;
        // All are checked without an early exit, which lets the compiler check
        // many at once; which one is too great, is only looked for when there
        // may be one.
        let fit = fit_below(&indices, n_vertices);
        if !fit && let Some(at) = indices.iter().position(|&index| index as usize >= n_vertices) {
            return Err(place.fault(
                format!("{} at position {at}", indices[at]),
                format!("indices below the number of vertices, {n_vertices}"),
            ));
        }
        // With n vertices the greatest index is n - 1, so these limits leave
        // the restart value out.
        let component_type = match (width, n_vertices) {
            (IndexWidth::AtLeast8, ..=0xff) => ComponentType::U8,
            (_, ..=0xffff) => ComponentType::U16,
            (_, n) if u32::try_from(n).is_ok() => ComponentType::U32,
            (_, n) => {
                let what = format!("the number of vertices of mesh `{mesh}`");
                let limit = u64::from(u32::MAX);
                return Err(Error::Limit { what, found: n as u64, limit });
            }
        };
        let view = self.place(narrow(indices, component_type), ELEMENT)?;
        Ok(self.add_accessor(Accessor {
            buffer_view: Some(view),
            ..Accessor::new(component_type, AccessorType::Scalar, count)
        }))
    }

    /// A morph target's attribute that is zero except at the vertices
    /// `indices`, where it is `values`.
    ///
    /// There is no base view: without one, what is not listed is zero
    /// (section 3.6.2.3). The bounds are those of the whole array, the
    /// zeros included. The indices must be strictly increasing, and there
    /// must be at least one.
    pub fn sparse_vec3_f32(
        &mut self,
        mesh: &str,
        attribute: &'static str,
        n_vertices: usize,
        indices: impl Into<Cow<'a, [u32]>>,
        values: impl Into<Cow<'a, [[f32; 3]]>>,
        bounds: MinMax,
    ) -> Result<Index<Accessor>> {
        let place = Place { owner: mesh, attribute };
        let (indices, values) = (indices.into(), values.into());
        let count = place.count(n_vertices)?;
        let sparse_count = place.count(indices.len())?;
        let last = place.check_sparse(n_vertices, &indices, values.len())?;
        check_finite::<3>(values.as_flattened())
            .map_err(|at| place.not_finite(indices[at] as usize))?;
        let (min, max) = match bounds {
            MinMax::Omit => (None, None),
            MinMax::Write => {
                let start = if indices.len() < n_vertices { start_at_zero() } else { min_max(&[]) };
                as_bounds(widen(start, &values))
            }
        };
        let component_type = match last {
            0..=0xfe => ComponentType::U8,
            0xff..=0xfffe => ComponentType::U16,
            _ => ComponentType::U32,
        };
        let sparse = Sparse {
            count: sparse_count,
            indices: SparseIndices {
                buffer_view: self.place(narrow(indices, component_type), PLAIN)?,
                byte_offset: 0,
                component_type,
            },
            values: SparseValues {
                buffer_view: self.place(Payload::new(values), PLAIN)?,
                byte_offset: 0,
            },
        };
        Ok(self.add_accessor(Accessor {
            min,
            max,
            sparse: Some(sparse),
            ..Accessor::new(ComponentType::F32, AccessorType::Vec3, count)
        }))
    }

    /// An accessor of `T`s, each of `N` floats.
    fn floats<T, const N: usize>(
        &mut self,
        place: Place<'_>,
        kind: AccessorType,
        data: Cow<'a, [T]>,
        bounds: MinMax,
        options: ViewOptions,
    ) -> Result<Index<Accessor>>
    where
        T: NoUninit + Send + Sync,
    {
        let count = place.count(data.len())?;
        let flat: &[f32] = bytemuck::cast_slice(&data);
        check_finite::<N>(flat).map_err(|vertex| place.not_finite(vertex))?;
        let (min, max) = match bounds {
            MinMax::Omit => (None, None),
            MinMax::Write => as_bounds(min_max::<N>(flat.as_chunks().0)),
        };
        let view = self.place(Payload::new(data), options)?;
        Ok(self.add_accessor(Accessor {
            buffer_view: Some(view),
            min,
            max,
            ..Accessor::new(ComponentType::F32, kind, count)
        }))
    }

    /// An accessor of four joints per vertex.
    fn joints<T: NoUninit + Send + Sync>(
        &mut self,
        mesh: &str,
        component_type: ComponentType,
        data: Cow<'a, [T]>,
    ) -> Result<Index<Accessor>> {
        let count = Place { owner: mesh, attribute: "JOINTS_0" }.count(data.len())?;
        let view = self.place(Payload::new(data), VERTEX)?;
        Ok(self.add_accessor(Accessor {
            buffer_view: Some(view),
            ..Accessor::new(component_type, AccessorType::Vec4, count)
        }))
    }
}

/// Where an array belongs, for messages.
#[derive(Clone, Copy)]
struct Place<'n> {
    /// The mesh, skin or animation.
    owner: &'n str,
    /// The attribute's name in the format.
    attribute: &'static str,
}

impl Place<'_> {
    /// An array's length as the JSON has it: from 1 (section 5.1.4) to what
    /// 32 bits hold.
    fn count(self, length: usize) -> Result<u32> {
        if length == 0 {
            return Err(self.fault("no elements".into(), "at least one element".into()));
        }
        u32::try_from(length).map_err(|_| Error::Limit {
            what: format!("the number of elements of {} of `{}`", self.attribute, self.owner),
            found: length as u64,
            limit: u64::from(u32::MAX),
        })
    }

    /// Checks a sparse array's indices and gives the last of them. There is
    /// at least one.
    fn check_sparse(self, n_vertices: usize, indices: &[u32], n_values: usize) -> Result<u32> {
        if indices.len() != n_values {
            return Err(self.fault(
                format!("{} sparse indices with {n_values} values", indices.len()),
                "as many values as indices".into(),
            ));
        }
        // Checked many at once first, as in `indices`.
        let next = indices.iter().skip(1);
        let increasing = indices.iter().zip(next).fold(true, |so_far, (a, b)| so_far & (a < b));
        if !increasing && let Some(pair) = indices.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(self.fault(
                format!("sparse index {} after {}", pair[1], pair[0]),
                "strictly increasing sparse indices".into(),
            ));
        }
        let last = indices[indices.len() - 1];
        if last as usize >= n_vertices {
            return Err(self.fault(
                format!("sparse index {last}"),
                format!("indices below the number of vertices, {n_vertices}"),
            ));
        }
        Ok(last)
    }

    /// An array that does not say what it must.
    fn fault(self, found: String, expected: String) -> Error {
        Error::input(format!("mesh `{}`", self.owner), self.attribute, found, expected)
    }

    /// A number that no file can carry.
    fn not_finite(self, vertex: usize) -> Error {
        Error::NotFinite { mesh: self.owner.to_owned(), attribute: self.attribute, vertex }
    }
}

/// Bounds as the JSON has them.
fn as_bounds<const N: usize>((min, max): ([f32; N], [f32; N])) -> (Option<Bounds>, Option<Bounds>) {
    (Some(Bounds::Float(min.to_vec())), Some(Bounds::Float(max.to_vec())))
}

/// Whether all indices are surely below `n`.
fn fit_below(indices: &[u32], n: usize) -> bool {
    match u32::try_from(n) {
        // Below 2^31 an index is too great when it has the highest bit or its
        // distance from the last has.
        Ok(n @ 1..=0x8000_0000) => {
            let bits = |index: u32| index | (n - 1).wrapping_sub(index);
            indices.iter().fold(0, |all, &index| all | bits(index)) >> 31 == 0
        }
        _ => false,
    }
}

/// Indices that are known to fit, in the type they are stored as.
fn narrow(indices: Cow<'_, [u32]>, component_type: ComponentType) -> Payload<'_> {
    match component_type {
        ComponentType::U8 => {
            Payload::new(Cow::Owned(indices.iter().map(|&index| index as u8).collect()))
        }
        ComponentType::U16 => {
            Payload::new(Cow::Owned(indices.iter().map(|&index| index as u16).collect()))
        }
        _ => Payload::new(indices),
    }
}
