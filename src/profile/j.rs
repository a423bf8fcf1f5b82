//! The index of every joint that is not a `_leaf` tip, by its `ue` name, for
//! code that speaks of one joint: `j::HAND_L` is `hand_l`.

// Each constant is the joint of its own name, which is all there is to say.
#![allow(missing_docs)]

pub const ROOT: usize = 0;
pub const PELVIS: usize = 1;
pub const SPINE_01: usize = 2;
pub const SPINE_02: usize = 3;
pub const SPINE_03: usize = 4;
pub const NECK_01: usize = 5;
pub const HEAD: usize = 6;
pub const CLAVICLE_L: usize = 7;
pub const UPPERARM_L: usize = 8;
pub const LOWERARM_L: usize = 9;
pub const HAND_L: usize = 10;
pub const THUMB_01_L: usize = 11;
pub const THUMB_02_L: usize = 12;
pub const THUMB_03_L: usize = 13;
pub const INDEX_01_L: usize = 15;
pub const INDEX_02_L: usize = 16;
pub const INDEX_03_L: usize = 17;
pub const MIDDLE_01_L: usize = 19;
pub const MIDDLE_02_L: usize = 20;
pub const MIDDLE_03_L: usize = 21;
pub const RING_01_L: usize = 23;
pub const RING_02_L: usize = 24;
pub const RING_03_L: usize = 25;
pub const PINKY_01_L: usize = 27;
pub const PINKY_02_L: usize = 28;
pub const PINKY_03_L: usize = 29;
pub const THIGH_L: usize = 31;
pub const CALF_L: usize = 32;
pub const FOOT_L: usize = 33;
pub const BALL_L: usize = 34;
pub const CLAVICLE_R: usize = 36;
pub const UPPERARM_R: usize = 37;
pub const LOWERARM_R: usize = 38;
pub const HAND_R: usize = 39;
pub const THUMB_01_R: usize = 40;
pub const THUMB_02_R: usize = 41;
pub const THUMB_03_R: usize = 42;
pub const INDEX_01_R: usize = 44;
pub const INDEX_02_R: usize = 45;
pub const INDEX_03_R: usize = 46;
pub const MIDDLE_01_R: usize = 48;
pub const MIDDLE_02_R: usize = 49;
pub const MIDDLE_03_R: usize = 50;
pub const RING_01_R: usize = 52;
pub const RING_02_R: usize = 53;
pub const RING_03_R: usize = 54;
pub const PINKY_01_R: usize = 56;
pub const PINKY_02_R: usize = 57;
pub const PINKY_03_R: usize = 58;
pub const THIGH_R: usize = 60;
pub const CALF_R: usize = 61;
pub const FOOT_R: usize = 62;
pub const BALL_R: usize = 63;

#[cfg(test)]
mod tests {
    use super::super::joints::UE_JOINTS;

    #[test]
    fn each_constant_is_the_joint_of_its_name() {
        for (i, name) in [
            (super::ROOT, "ROOT"),
            (super::PELVIS, "PELVIS"),
            (super::SPINE_01, "SPINE_01"),
            (super::SPINE_02, "SPINE_02"),
            (super::SPINE_03, "SPINE_03"),
            (super::NECK_01, "NECK_01"),
            (super::HEAD, "HEAD"),
            (super::CLAVICLE_L, "CLAVICLE_L"),
            (super::UPPERARM_L, "UPPERARM_L"),
            (super::LOWERARM_L, "LOWERARM_L"),
            (super::HAND_L, "HAND_L"),
            (super::THUMB_01_L, "THUMB_01_L"),
            (super::THUMB_02_L, "THUMB_02_L"),
            (super::THUMB_03_L, "THUMB_03_L"),
            (super::INDEX_01_L, "INDEX_01_L"),
            (super::INDEX_02_L, "INDEX_02_L"),
            (super::INDEX_03_L, "INDEX_03_L"),
            (super::MIDDLE_01_L, "MIDDLE_01_L"),
            (super::MIDDLE_02_L, "MIDDLE_02_L"),
            (super::MIDDLE_03_L, "MIDDLE_03_L"),
            (super::RING_01_L, "RING_01_L"),
            (super::RING_02_L, "RING_02_L"),
            (super::RING_03_L, "RING_03_L"),
            (super::PINKY_01_L, "PINKY_01_L"),
            (super::PINKY_02_L, "PINKY_02_L"),
            (super::PINKY_03_L, "PINKY_03_L"),
            (super::THIGH_L, "THIGH_L"),
            (super::CALF_L, "CALF_L"),
            (super::FOOT_L, "FOOT_L"),
            (super::BALL_L, "BALL_L"),
            (super::CLAVICLE_R, "CLAVICLE_R"),
            (super::UPPERARM_R, "UPPERARM_R"),
            (super::LOWERARM_R, "LOWERARM_R"),
            (super::HAND_R, "HAND_R"),
            (super::THUMB_01_R, "THUMB_01_R"),
            (super::THUMB_02_R, "THUMB_02_R"),
            (super::THUMB_03_R, "THUMB_03_R"),
            (super::INDEX_01_R, "INDEX_01_R"),
            (super::INDEX_02_R, "INDEX_02_R"),
            (super::INDEX_03_R, "INDEX_03_R"),
            (super::MIDDLE_01_R, "MIDDLE_01_R"),
            (super::MIDDLE_02_R, "MIDDLE_02_R"),
            (super::MIDDLE_03_R, "MIDDLE_03_R"),
            (super::RING_01_R, "RING_01_R"),
            (super::RING_02_R, "RING_02_R"),
            (super::RING_03_R, "RING_03_R"),
            (super::PINKY_01_R, "PINKY_01_R"),
            (super::PINKY_02_R, "PINKY_02_R"),
            (super::PINKY_03_R, "PINKY_03_R"),
            (super::THIGH_R, "THIGH_R"),
            (super::CALF_R, "CALF_R"),
            (super::FOOT_R, "FOOT_R"),
            (super::BALL_R, "BALL_R"),
        ] {
            assert_eq!(UE_JOINTS[i].to_uppercase(), name);
        }
    }
}
