//! Skin weights: which bones move a vertex, and how much.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use crate::{Error, Result};

use super::groups::from_json;

/// Weights up to this one are dropped, as MakeHuman does.
const SMALLEST_WEIGHT: f64 = 1e-4;

/// The weights of every vertex of the base mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneWeights {
    /// The bones' names; the numbers in `per_vertex` are indices into them.
    /// A bone may have no weight at all.
    pub bones: Vec<String>,
    /// For each vertex its bones, ascending, each once, with their weights.
    pub per_vertex: Vec<Vec<(u16, f64)>>,
}

#[derive(Deserialize)]
struct RawWeights {
    weights: BTreeMap<String, Vec<(u32, f64)>>,
}

/// Reads a weight file, `weights.*.json` or `.mhw`: an object whose
/// `weights` has a list of `[vertex, weight]` for each bone. The weights are
/// as written; those of a vertex need not sum to 1.
pub fn parse_weights(label: &str, bytes: &[u8], n_vertices: usize) -> Result<BoneWeights> {
    let expected = "`weights` with a list of `[vertex, weight]` for each bone";
    let raw: RawWeights = from_json(label, bytes, expected)?;
    let n_bones = raw.weights.len();
    if n_bones > 1 << 16 {
        let what = format!("the number of bones in {label}");
        return Err(Error::Limit { what, found: n_bones as u64, limit: 1 << 16 });
    }
    let mut bones = Vec::with_capacity(n_bones);
    let mut per_vertex: Vec<Vec<(u16, f64)>> = vec![Vec::new(); n_vertices];
    for (name, list) in raw.weights {
        let bone = bones.len() as u16;
        for (i, (vertex, weight)) in list.into_iter().enumerate() {
            let fault = |found: String, expected: String| {
                Error::input(label, format!("$.weights[{name:?}][{i}]"), found, expected)
            };
            let Some(of_vertex) = per_vertex.get_mut(vertex as usize) else {
                let expected = format!("a vertex below {n_vertices}");
                return Err(fault(format!("vertex {vertex}"), expected));
            };
            // JSON has no infinite numbers, but a check costs nothing.
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(fault(format!("weight {weight}"), "0 or more".to_owned()));
            }
            if of_vertex.last().is_some_and(|(last, _)| *last == bone) {
                return Err(fault(format!("vertex {vertex} again"), "each vertex once".to_owned()));
            }
            of_vertex.push((bone, weight));
        }
        bones.push(name);
    }
    Ok(BoneWeights { bones, per_vertex })
}

impl BoneWeights {
    /// Makes the weights symmetric, with the left side (+x) as the model. A
    /// vertex on the right gets its partner's weights with `.L` and `.R`
    /// exchanged at the end of the bones' names. A vertex in the middle gets
    /// the mean of its weights and their mirror image.
    ///
    /// # Panics
    ///
    /// If `mirror` or `positions` is not as long as `per_vertex`.
    pub fn mirror_left_to_right(&mut self, mirror: &[u32], positions: &[[f64; 3]]) {
        assert_eq!(mirror.len(), self.per_vertex.len(), "one partner per vertex");
        assert_eq!(positions.len(), self.per_vertex.len(), "one place per vertex");
        let swapped = self.swapped_bones();
        for (vertex, &partner) in mirror.iter().enumerate() {
            let partner = partner as usize;
            let source = &self.per_vertex[partner];
            let mirrored = source.iter().map(|&(bone, w)| (swapped[usize::from(bone)], w));
            if partner == vertex {
                let both = source.iter().copied().chain(mirrored);
                self.per_vertex[vertex] = summed(both.map(|(bone, w)| (bone, 0.5 * w)));
            } else if positions[vertex][0] < positions[partner][0] {
                self.per_vertex[vertex] = summed(mirrored);
            }
        }
    }

    /// For each bone the number of its partner on the other side, which is
    /// added if it has no weights yet; itself for a bone without a side.
    fn swapped_bones(&mut self) -> Vec<u16> {
        let mut numbers: HashMap<String, u16> =
            self.bones.iter().cloned().zip(0..=u16::MAX).collect();
        let mut swapped: Vec<u16> = Vec::with_capacity(self.bones.len());
        // The list may grow while it is walked; an added bone finds the
        // bone it was added for.
        let mut i = 0;
        while i < self.bones.len() {
            let name = &self.bones[i];
            let other = match (name.strip_suffix(".L"), name.strip_suffix(".R")) {
                (Some(stem), _) => format!("{stem}.R"),
                (_, Some(stem)) => format!("{stem}.L"),
                _ => name.clone(),
            };
            let number = *numbers.entry(other).or_insert_with_key(|other| {
                self.bones.push(other.clone());
                (self.bones.len() - 1) as u16
            });
            swapped.push(number);
            i += 1;
        }
        swapped
    }

    /// Drops weights of 0.0001 and less, then divides each vertex's weights
    /// by their sum. A vertex that has no weight then stays without.
    pub fn normalise(&mut self) {
        for list in &mut self.per_vertex {
            list.retain(|(_, weight)| *weight > SMALLEST_WEIGHT);
            let sum: f64 = list.iter().map(|(_, weight)| weight).sum();
            for (_, weight) in list {
                *weight /= sum;
            }
        }
    }

    /// Sums the weights of the bones that `map` sends to the same joint. For
    /// each vertex the joints come with the largest weight first; equal ones
    /// are sorted by joint. A bone that `map` does not know is an error if
    /// it has any weight.
    pub fn fold(
        &self,
        map: &dyn Fn(&str) -> Option<u8>,
        n_joints: usize,
    ) -> Result<Vec<Vec<(u8, f64)>>> {
        let joints: Vec<Option<u8>> = self.bones.iter().map(|name| map(name)).collect();
        for (name, joint) in self.bones.iter().zip(&joints) {
            if joint.is_some_and(|joint| usize::from(joint) >= n_joints) {
                return Err(fold_error(name, "a joint out of range", n_joints));
            }
        }
        let mut folded = Vec::with_capacity(self.per_vertex.len());
        for list in &self.per_vertex {
            let mut sums: Vec<(u8, f64)> = Vec::with_capacity(list.len());
            for &(bone, weight) in list.iter().filter(|(_, weight)| *weight > 0.0) {
                let Some(joint) = joints[usize::from(bone)] else {
                    let name = &self.bones[usize::from(bone)];
                    return Err(fold_error(name, "weights but no joint", n_joints));
                };
                match sums.iter_mut().find(|(j, _)| *j == joint) {
                    Some((_, sum)) => *sum += weight,
                    None => sums.push((joint, weight)),
                }
            }
            sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            folded.push(sums);
        }
        Ok(folded)
    }
}

/// Adds up the weights of each bone, sorted by bone.
fn summed(weights: impl Iterator<Item = (u16, f64)>) -> Vec<(u16, f64)> {
    let mut list: Vec<(u16, f64)> = weights.collect();
    list.sort_by_key(|(bone, _)| *bone);
    list.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    list
}

fn fold_error(bone: &str, found: &str, n_joints: usize) -> Error {
    let expected = format!("one of the {n_joints} joints to fold it into");
    Error::input("bone weights", format!("bone `{bone}`"), found, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, n_vertices: usize) -> BoneWeights {
        parse_weights("w.json", text.as_bytes(), n_vertices).unwrap()
    }

    #[test]
    fn weights_are_read_by_vertex() {
        let text =
            r#"{"name": "x", "weights": {"b": [[2, 0.5], [0, 1]], "a": [[2, 0.25]], "c": []}}"#;
        let weights = parse(text, 3);
        assert_eq!(weights.bones, ["a", "b", "c"]);
        assert_eq!(weights.per_vertex, [vec![(1, 1.0)], vec![], vec![(0, 0.25), (1, 0.5)]]);
    }

    #[test]
    fn malformed_weights_are_errors() {
        let message = |list: &str| {
            let text = format!(r#"{{"weights": {{"a": {list}}}}}"#);
            parse_weights("w.json", text.as_bytes(), 3).unwrap_err().to_string()
        };
        assert_eq!(
            message("[[0, 1], [1, -0.5]]"),
            "w.json: $.weights[\"a\"][1]: found weight -0.5, expected 0 or more"
        );
        assert!(message("[[3, 1]]").contains("found vertex 3, expected a vertex below 3"));
        assert!(message("[[1, 1], [1, 1]]").contains("found vertex 1 again"));
        for bad in ["[[0, 1e999]]", "[[0, NaN]]", "[[0]]", "[[0.5, 1]]", "[[-1, 1]]", "{}"] {
            let found = message(bad);
            assert!(found.starts_with("w.json: line 1, column "), "{found}");
        }
        assert!(parse_weights("w.json", br#"{"bones": {}}"#, 3).is_err());
    }

    #[test]
    fn the_left_side_is_the_model() {
        // Vertex 0 lies on the right, 1 on the left, 2 in the middle.
        let text = r#"{"weights": {
            "arm.L": [[1, 0.75], [2, 0.5]],
            "arm.R": [[0, 0.125]],
            "leg.L": [[1, 0.25]],
            "spine": [[0, 0.875], [2, 0.5]]
        }}"#;
        let mut weights = parse(text, 3);
        let positions = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]];
        weights.mirror_left_to_right(&[1, 0, 2], &positions);
        assert_eq!(weights.bones, ["arm.L", "arm.R", "leg.L", "spine", "leg.R"]);
        assert_eq!(weights.per_vertex[0], [(1, 0.75), (4, 0.25)]);
        assert_eq!(weights.per_vertex[1], [(0, 0.75), (2, 0.25)], "the left side is unchanged");
        assert_eq!(weights.per_vertex[2], [(0, 0.25), (1, 0.25), (3, 0.5)]);

        let once = weights.clone();
        weights.mirror_left_to_right(&[1, 0, 2], &positions);
        assert_eq!(weights, once, "symmetric weights stay as they are");
    }

    #[test]
    fn normalising_drops_traces_first() {
        let text =
            r#"{"weights": {"a": [[0, 0.6], [1, 0.0001]], "b": [[0, 0.00005]], "c": [[0, 0.2]]}}"#;
        let mut weights = parse(text, 2);
        weights.normalise();
        let [(0, a), (2, c)] = weights.per_vertex[0][..] else { panic!("two bones are left") };
        assert!((a - 0.75).abs() < 1e-12 && (c - 0.25).abs() < 1e-12);
        assert!(weights.per_vertex[1].is_empty());
    }

    #[test]
    fn folding_sums_and_sorts() {
        let text = r#"{"weights": {
            "a": [[0, 0.25], [1, 0.5]], "b": [[0, 0.25]], "c": [[0, 0.375], [1, 0.5]],
            "d": [[0, 0]], "e": []
        }}"#;
        let weights = parse(text, 2);
        let map = |name: &str| match name {
            "a" | "b" => Some(4),
            "c" => Some(2),
            _ => None,
        };
        let folded = weights.fold(&map, 5).unwrap();
        assert_eq!(folded[0], [(4, 0.5), (2, 0.375)]);
        assert_eq!(folded[1], [(2, 0.5), (4, 0.5)], "equal weights are sorted by joint");

        let message = weights.fold(&|_| Some(5), 5).unwrap_err().to_string();
        assert!(message.starts_with("bone weights: bone `a`: found a joint out of range"));
        let message = weights.fold(&|name| map(name).filter(|j| *j == 4), 5).unwrap_err();
        assert!(message.to_string().contains("bone `c`: found weights but no joint"));
    }
}
