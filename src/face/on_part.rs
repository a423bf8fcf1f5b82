//! A base mesh's shapes on the points of a part.

use glam::Vec3;

use super::{SMALLEST_MOVE_M, Shape};
use crate::pack::Binding;

/// A shape of a part: the points it moves, in increasing order, and how far
/// each moves at full weight, in metres.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PartShape {
    /// Its name.
    pub name: &'static str,
    /// Points of the part.
    pub points: Vec<u32>,
    /// One delta per point.
    pub deltas: Vec<[f32; 3]>,
}

/// The shapes that move anything on a part, in the order given. A point moves
/// as its base vertices do, by the weights by which it follows them at rest.
pub fn shapes_on_part(shapes: &[Shape], binding: &Binding, n_base: usize) -> Vec<PartShape> {
    let followers = Followers::new(binding, n_base);
    let mut sums = vec![Vec3::ZERO; binding.n_points()];
    let mut touched = Vec::new();
    let mut out = Vec::new();
    for shape in shapes {
        let start = shape.vertices.partition_point(|v| *v < followers.first);
        let end = shape.vertices.partition_point(|v| *v <= followers.last);
        let moves = shape.vertices[start..end].iter().zip(&shape.deltas[start..end]);
        for (&vertex, delta) in moves {
            for &(point, weight) in followers.of(vertex) {
                touched.push(point);
                sums[point as usize] += Vec3::from_array(*delta) * weight;
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let mut on_part = PartShape { name: shape.name, ..PartShape::default() };
        for &point in &touched {
            let delta = std::mem::take(&mut sums[point as usize]);
            if delta.length() > SMALLEST_MOVE_M {
                on_part.points.push(point);
                on_part.deltas.push(delta.to_array());
            }
        }
        touched.clear();
        if !on_part.points.is_empty() {
            out.push(on_part);
        }
    }
    out
}

/// For each base vertex the points that follow it, with their weights.
struct Followers {
    /// The first and the last base vertex that any point follows.
    first: u32,
    last: u32,
    starts: Vec<u32>,
    points: Vec<(u32, f32)>,
}

impl Followers {
    fn new(binding: &Binding, n_base: usize) -> Followers {
        let mut pairs: Vec<(u32, u32, f32)> = match binding {
            Binding::Base(base) => (0..).zip(base).map(|(point, &v)| (v, point, 1.0)).collect(),
            Binding::Fit(fits) => (0..)
                .zip(fits)
                .flat_map(|(point, fit)| {
                    let pair = move |(v, w): (u32, f32)| (v, point, w);
                    fit.base.into_iter().zip(fit.weights).map(pair)
                })
                .filter(|(_, _, w)| *w != 0.0)
                .collect(),
        };
        if !pairs.is_sorted_by_key(|(v, ..)| *v) {
            pairs.sort_by_key(|(v, point, _)| (*v, *point));
        }
        let mut starts = vec![0u32; n_base + 1];
        pairs.iter().for_each(|(v, ..)| starts[*v as usize + 1] += 1);
        for i in 0..n_base {
            starts[i + 1] += starts[i];
        }
        Followers {
            first: pairs.first().map_or(0, |(v, ..)| *v),
            last: pairs.last().map_or(0, |(v, ..)| *v),
            starts,
            points: pairs.into_iter().map(|(_, point, w)| (point, w)).collect(),
        }
    }

    fn of(&self, vertex: u32) -> &[(u32, f32)] {
        let v = vertex as usize;
        &self.points[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::FitPoint;

    fn shape(name: &'static str, moves: &[(u32, f32)]) -> Shape {
        Shape {
            name,
            vertices: moves.iter().map(|m| m.0).collect(),
            deltas: moves.iter().map(|m| [m.1, 0.0, 0.0]).collect(),
        }
    }

    #[test]
    fn points_follow_by_their_weights_and_still_shapes_are_left_out() {
        let shapes = [shape("a", &[(1, 0.1), (2, 0.2)]), shape("b", &[(0, 0.5)])];
        let on_base = shapes_on_part(&shapes, &Binding::Base(vec![1, 2, 4]), 5);
        assert_eq!(on_base.len(), 1);
        assert_eq!(on_base[0].points, [0, 1]);
        assert_eq!(on_base[0].deltas, [[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]]);
        let fit = FitPoint { base: [2, 1, 3], weights: [0.5, -0.5, 1.0], offset: [1.0; 3] };
        let still = FitPoint { base: [3, 3, 3], weights: [1.0, 0.0, 0.0], offset: [0.0; 3] };
        let on_fit = shapes_on_part(&shapes, &Binding::Fit(vec![still, fit]), 5);
        assert_eq!(on_fit.len(), 1);
        assert_eq!(on_fit[0].points, [1]);
        assert!((on_fit[0].deltas[0][0] - 0.05).abs() < 1e-7);
    }
}
