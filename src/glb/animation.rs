//! Animations (glTF 2.0, section 3.11).

use serde::Serialize;

use super::accessors::Accessor;
use super::document::{Extras, Node, is_default, no_extras};
use super::index::Index;

/// Keyed motion of some nodes (section 5.5).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Animation {
    /// The animation's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What moves, at least one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<Channel>,
    /// How it moves, at least one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samplers: Vec<AnimationSampler>,
    /// Application data.
    #[serde(skip_serializing_if = "no_extras")]
    pub extras: Extras,
}

impl Animation {
    /// Appends a sampler and a channel that plays it on one property of one
    /// node. A node's property can have one channel in an animation
    /// (section 3.11).
    pub fn push(&mut self, node: Index<Node>, path: Path, sampler: AnimationSampler) {
        let index = Index::after(self.samplers.len());
        self.samplers.push(sampler);
        self.channels
            .push(Channel { sampler: index, target: ChannelTarget { node: Some(node), path } });
    }
}

/// A sampler at work on a property (section 5.6). The sampler's index
/// counts within the same animation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Channel {
    /// The sampler.
    pub sampler: Index<AnimationSampler>,
    /// The property.
    pub target: ChannelTarget,
}

/// A property of a node (section 5.7).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelTarget {
    /// The node; absent only where an extension says what moves instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<Index<Node>>,
    /// Which of its properties.
    pub path: Path,
}

/// The properties that can be animated (section 3.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// The node's translation.
    Translation,
    /// The node's rotation.
    Rotation,
    /// The node's scale.
    Scale,
    /// The weights of the morph targets of the node's mesh.
    Weights,
}

/// Times and the values at them (section 5.8).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnimationSampler {
    /// The times in seconds, strictly increasing, with `min` and `max`.
    pub input: Index<Accessor>,
    /// What is between two keys.
    #[serde(skip_serializing_if = "is_default")]
    pub interpolation: Interpolation,
    /// The values.
    pub output: Index<Accessor>,
}

/// What is between two keys (appendix C).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Interpolation {
    /// A straight line, or the shortest arc for rotations.
    #[default]
    Linear,
    /// The earlier key.
    Step,
    /// A cubic curve through keys with tangents.
    CubicSpline,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_channel_finds_its_sampler() {
        let mut animation = Animation { name: "nod".into(), ..Animation::default() };
        for interpolation in [Interpolation::Linear, Interpolation::CubicSpline] {
            let sampler =
                AnimationSampler { input: Index::new(0), interpolation, output: Index::new(1) };
            animation.push(Index::new(5), Path::Rotation, sampler);
        }
        assert_eq!(
            serde_json::to_string(&animation).unwrap(),
            concat!(
                r#"{"name":"nod","channels":["#,
                r#"{"sampler":0,"target":{"node":5,"path":"rotation"}},"#,
                r#"{"sampler":1,"target":{"node":5,"path":"rotation"}}],"samplers":["#,
                r#"{"input":0,"output":1},"#,
                r#"{"input":0,"interpolation":"CUBICSPLINE","output":1}]}"#
            )
        );
    }
}
