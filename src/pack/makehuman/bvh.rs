//! Motion files (BVH): a hierarchy of joints and their channels per frame.

use crate::{Error, Result};

use super::obj::{at_line, lines, parse_finite, words};

/// A hierarchy and its frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Bvh {
    /// Joints, parents first, in the order of the file. End sites are not
    /// joints.
    pub joints: Vec<BvhJoint>,
    /// Seconds per frame.
    pub frame_time: f64,
    /// One list of channel values per frame, joint after joint.
    pub frames: Vec<Vec<f64>>,
}

/// A joint of the hierarchy.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhJoint {
    /// Its name.
    pub name: String,
    /// The place of its parent in the list.
    pub parent: Option<usize>,
    /// From the parent, in the file's units.
    pub offset: [f64; 3],
    /// Its channels, in the order in which they apply.
    pub channels: Vec<Channel>,
    /// Where its values begin in a frame.
    pub first_value: usize,
}

/// What a channel's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// A translation along an axis (0 to 2), in the file's units.
    Position(usize),
    /// A rotation about an axis (0 to 2), in degrees.
    Rotation(usize),
}

/// Reads a BVH file.
///
/// # Errors
/// [`Error::Input`] with the line of the first fault.
pub fn parse_bvh(label: &str, bytes: &[u8]) -> Result<Bvh> {
    let mut lines = lines(bytes).filter(|(_, line)| words(line).next().is_some());
    let mut joints: Vec<BvhJoint> = Vec::new();
    // The open braces: a joint's place, or none for an end site.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut next: Option<Option<usize>> = None;
    let mut n_values = 0;
    loop {
        let (number, line) = lines.next().ok_or_else(|| end(label, "the word MOTION"))?;
        let fault = |expected: &str| at_line(label, number, line, expected);
        let mut words = words(line);
        match words.next().unwrap_or_default() {
            b"HIERARCHY" => {}
            b"MOTION" => break,
            b"ROOT" | b"JOINT" => {
                let name = words.next().and_then(|w| std::str::from_utf8(w).ok());
                let name = name.ok_or_else(|| fault("a joint's name"))?.to_owned();
                let parent = open.last().copied().flatten();
                next = Some(Some(joints.len()));
                joints.push(BvhJoint {
                    name,
                    parent,
                    offset: [0.0; 3],
                    channels: Vec::new(),
                    first_value: n_values,
                });
            }
            b"End" => next = Some(None),
            b"{" => open.push(next.take().ok_or_else(|| fault("a joint before its brace"))?),
            b"}" => {
                open.pop().ok_or_else(|| fault("as many closing braces as opening ones"))?;
            }
            b"OFFSET" => {
                let mut number = || words.next().and_then(parse_finite);
                let offset = [number(), number(), number()];
                let [Some(x), Some(y), Some(z)] = offset else {
                    return Err(fault("three numbers"));
                };
                if let Some(Some(joint)) = open.last() {
                    joints[*joint].offset = [x, y, z];
                }
            }
            b"CHANNELS" => {
                words.next();
                let channels: Option<Vec<Channel>> = words.map(channel).collect();
                let channels = channels.ok_or_else(|| fault("channels like Xrotation"))?;
                let Some(Some(joint)) = open.last() else {
                    return Err(fault("a joint to have channels"));
                };
                n_values += channels.len();
                joints[*joint].channels = channels;
            }
            _ => return Err(fault("a word of the hierarchy")),
        }
    }
    read_motion(label, lines, joints, n_values)
}

fn read_motion<'a>(
    label: &str,
    mut lines: impl Iterator<Item = (usize, &'a [u8])>,
    joints: Vec<BvhJoint>,
    n_values: usize,
) -> Result<Bvh> {
    let mut last_number = |expected: &str| -> Result<f64> {
        let (number, line) = lines.next().ok_or_else(|| end(label, expected))?;
        let value = words(line).last().and_then(parse_finite);
        value.ok_or_else(|| at_line(label, number, line, expected))
    };
    let n_frames = last_number("the number of frames")?;
    let frame_time = last_number("the time of a frame")?;
    let mut frames = Vec::new();
    for (number, line) in lines {
        let values: Option<Vec<f64>> = words(line).map(parse_finite).collect();
        let values = values.filter(|v| v.len() == n_values).ok_or_else(|| {
            at_line(label, number, line, &format!("{n_values} numbers, one per channel"))
        })?;
        frames.push(values);
    }
    if frames.len() as f64 != n_frames {
        let found = format!("{} frames", frames.len());
        return Err(Error::input(label, "end of file", found, format!("{n_frames} frames")));
    }
    Ok(Bvh { joints, frame_time, frames })
}

fn channel(word: &[u8]) -> Option<Channel> {
    let axis = usize::from(word.first()?.checked_sub(b'X')?);
    match &word[1..] {
        b"position" if axis < 3 => Some(Channel::Position(axis)),
        b"rotation" if axis < 3 => Some(Channel::Rotation(axis)),
        _ => None,
    }
}

fn end(label: &str, expected: &str) -> Error {
    Error::input(label, "end of file", "nothing", expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "HIERARCHY\nROOT hip\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition \
        Zposition Xrotation Yrotation Zrotation\n JOINT knee\n {\n  OFFSET 0 -.5 0\n  CHANNELS 3 \
        Xrotation Yrotation Zrotation\n  End Site\n  {\n   OFFSET 0 -1 0\n  }\n }\n}\nMOTION\n\
        Frames: 2\nFrame Time: 0.04\n0 0 0 0 0 0 10 0 0\n1 2 3 4 5 6 7 8 -9\n";

    #[test]
    fn a_hierarchy_and_its_frames_are_read() {
        let bvh = parse_bvh("a.bvh", SMALL.as_bytes()).unwrap();
        assert_eq!(bvh.joints.len(), 2);
        assert_eq!(bvh.joints[1].parent, Some(0));
        assert_eq!(bvh.joints[1].offset, [0.0, -0.5, 0.0]);
        assert_eq!(bvh.joints[1].first_value, 6);
        assert_eq!(bvh.joints[1].channels[2], Channel::Rotation(2));
        assert_eq!((bvh.frame_time, bvh.frames.len()), (0.04, 2));
        assert_eq!(bvh.frames[1][8], -9.0);
    }

    #[test]
    fn faults_name_their_line() {
        for (from, to, place) in [
            ("Xrotation Yrotation Zrotation\n  End", "Wrotation\n  End", "line 9"),
            ("Frames: 2", "Frames: 3", "end of file"),
            ("0 0 0 0 0 0 10 0 0", "0 0 0 0 0 0 10 0", "line 19"),
            ("-9", "nan", "line 20"),
            ("HIERARCHY", "HIERARCHIE", "line 1"),
            ("ROOT hip\n", "", "line 2"),
        ] {
            let text = SMALL.replace(from, to);
            let e = parse_bvh("a.bvh", text.as_bytes()).unwrap_err().to_string();
            assert!(e.starts_with(&format!("a.bvh: {place}: ")), "{e}");
        }
        for n in 0..SMALL.len() - 2 {
            assert!(parse_bvh("a.bvh", &SMALL.as_bytes()[..n]).is_err(), "{n}");
        }
    }
}
