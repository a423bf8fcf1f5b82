// The names that the export profile fixes: the skeleton, the face units and
// the parts of a character. The harness keeps its own copy of them, apart from
// the writer's tables, so that a slip in one of the two shows up here.

// One row per joint, in the order of `skin.joints`: the UE name, the UE name of
// the parent (null for the root), and the Mixamo name.
export const JOINTS = [
  ['root', null, 'root'],
  ['pelvis', 'root', 'mixamorig:Hips'],
  ['spine_01', 'pelvis', 'mixamorig:Spine'],
  ['spine_02', 'spine_01', 'mixamorig:Spine1'],
  ['spine_03', 'spine_02', 'mixamorig:Spine2'],
  ['neck_01', 'spine_03', 'mixamorig:Neck'],
  ['Head', 'neck_01', 'mixamorig:Head'],
  ['clavicle_l', 'spine_03', 'mixamorig:LeftShoulder'],
  ['upperarm_l', 'clavicle_l', 'mixamorig:LeftArm'],
  ['lowerarm_l', 'upperarm_l', 'mixamorig:LeftForeArm'],
  ['hand_l', 'lowerarm_l', 'mixamorig:LeftHand'],
  ['thumb_01_l', 'hand_l', 'mixamorig:LeftHandThumb1'],
  ['thumb_02_l', 'thumb_01_l', 'mixamorig:LeftHandThumb2'],
  ['thumb_03_l', 'thumb_02_l', 'mixamorig:LeftHandThumb3'],
  ['thumb_04_leaf_l', 'thumb_03_l', 'mixamorig:LeftHandThumb4'],
  ['index_01_l', 'hand_l', 'mixamorig:LeftHandIndex1'],
  ['index_02_l', 'index_01_l', 'mixamorig:LeftHandIndex2'],
  ['index_03_l', 'index_02_l', 'mixamorig:LeftHandIndex3'],
  ['index_04_leaf_l', 'index_03_l', 'mixamorig:LeftHandIndex4'],
  ['middle_01_l', 'hand_l', 'mixamorig:LeftHandMiddle1'],
  ['middle_02_l', 'middle_01_l', 'mixamorig:LeftHandMiddle2'],
  ['middle_03_l', 'middle_02_l', 'mixamorig:LeftHandMiddle3'],
  ['middle_04_leaf_l', 'middle_03_l', 'mixamorig:LeftHandMiddle4'],
  ['ring_01_l', 'hand_l', 'mixamorig:LeftHandRing1'],
  ['ring_02_l', 'ring_01_l', 'mixamorig:LeftHandRing2'],
  ['ring_03_l', 'ring_02_l', 'mixamorig:LeftHandRing3'],
  ['ring_04_leaf_l', 'ring_03_l', 'mixamorig:LeftHandRing4'],
  ['pinky_01_l', 'hand_l', 'mixamorig:LeftHandPinky1'],
  ['pinky_02_l', 'pinky_01_l', 'mixamorig:LeftHandPinky2'],
  ['pinky_03_l', 'pinky_02_l', 'mixamorig:LeftHandPinky3'],
  ['pinky_04_leaf_l', 'pinky_03_l', 'mixamorig:LeftHandPinky4'],
  ['thigh_l', 'pelvis', 'mixamorig:LeftUpLeg'],
  ['calf_l', 'thigh_l', 'mixamorig:LeftLeg'],
  ['foot_l', 'calf_l', 'mixamorig:LeftFoot'],
  ['ball_l', 'foot_l', 'mixamorig:LeftToeBase'],
  ['ball_leaf_l', 'ball_l', 'mixamorig:LeftToe_End'],
  ['clavicle_r', 'spine_03', 'mixamorig:RightShoulder'],
  ['upperarm_r', 'clavicle_r', 'mixamorig:RightArm'],
  ['lowerarm_r', 'upperarm_r', 'mixamorig:RightForeArm'],
  ['hand_r', 'lowerarm_r', 'mixamorig:RightHand'],
  ['thumb_01_r', 'hand_r', 'mixamorig:RightHandThumb1'],
  ['thumb_02_r', 'thumb_01_r', 'mixamorig:RightHandThumb2'],
  ['thumb_03_r', 'thumb_02_r', 'mixamorig:RightHandThumb3'],
  ['thumb_04_leaf_r', 'thumb_03_r', 'mixamorig:RightHandThumb4'],
  ['index_01_r', 'hand_r', 'mixamorig:RightHandIndex1'],
  ['index_02_r', 'index_01_r', 'mixamorig:RightHandIndex2'],
  ['index_03_r', 'index_02_r', 'mixamorig:RightHandIndex3'],
  ['index_04_leaf_r', 'index_03_r', 'mixamorig:RightHandIndex4'],
  ['middle_01_r', 'hand_r', 'mixamorig:RightHandMiddle1'],
  ['middle_02_r', 'middle_01_r', 'mixamorig:RightHandMiddle2'],
  ['middle_03_r', 'middle_02_r', 'mixamorig:RightHandMiddle3'],
  ['middle_04_leaf_r', 'middle_03_r', 'mixamorig:RightHandMiddle4'],
  ['ring_01_r', 'hand_r', 'mixamorig:RightHandRing1'],
  ['ring_02_r', 'ring_01_r', 'mixamorig:RightHandRing2'],
  ['ring_03_r', 'ring_02_r', 'mixamorig:RightHandRing3'],
  ['ring_04_leaf_r', 'ring_03_r', 'mixamorig:RightHandRing4'],
  ['pinky_01_r', 'hand_r', 'mixamorig:RightHandPinky1'],
  ['pinky_02_r', 'pinky_01_r', 'mixamorig:RightHandPinky2'],
  ['pinky_03_r', 'pinky_02_r', 'mixamorig:RightHandPinky3'],
  ['pinky_04_leaf_r', 'pinky_03_r', 'mixamorig:RightHandPinky4'],
  ['thigh_r', 'pelvis', 'mixamorig:RightUpLeg'],
  ['calf_r', 'thigh_r', 'mixamorig:RightLeg'],
  ['foot_r', 'calf_r', 'mixamorig:RightFoot'],
  ['ball_r', 'foot_r', 'mixamorig:RightToeBase'],
  ['ball_leaf_r', 'ball_r', 'mixamorig:RightToe_End'],
].map(([ue, parent, mixamo]) => ({ ue, parent, mixamo }));

/** The number of a joint in `JOINTS`, by its UE name. */
export const JOINT_INDEX = new Map(JOINTS.map((joint, index) => [joint.ue, index]));

/** For each joint the number of its parent, -1 for the root. */
export const PARENTS = JOINTS.map(({ parent }) => (parent === null ? -1 : JOINT_INDEX.get(parent)));

/** The joints' names, in order, in the naming that a file declares. */
export function jointNames(naming) {
  return JOINTS.map((joint) => joint[naming]);
}

/** Whether a joint must carry no skin weight: the root and the `_leaf` tips. */
export function carriesNoWeight(index) {
  return index === 0 || JOINTS[index].ue.includes('_leaf');
}

/** The 59 face units, in the order in which every list of them is written. */
export const FACE_UNITS = [
  'LeftBrowDown', 'RightBrowDown', 'LeftOuterBrowUp', 'RightOuterBrowUp', 'LeftInnerBrowUp',
  'RightInnerBrowUp', 'NoseWrinkler', 'LeftUpperLidOpen', 'RightUpperLidOpen',
  'LeftUpperLidClosed', 'RightUpperLidClosed', 'LeftLowerLidUp', 'RightLowerLidUp', 'LeftEyeDown',
  'RightEyeDown', 'LeftEyeUp', 'RightEyeUp', 'LeftEyeturnRight', 'RightEyeturnRight',
  'LeftEyeturnLeft', 'RightEyeturnLeft', 'LeftCheekUp', 'RightCheekUp', 'CheeksPump',
  'CheeksSuck', 'NasolabialDeepener', 'ChinLeft', 'ChinRight', 'ChinDown', 'ChinForward',
  'lowerLipUp', 'lowerLipDown', 'lowerLipBackward', 'lowerLipForward', 'UpperLipUp',
  'UpperLipBackward', 'UpperLipForward', 'UpperLipStretched', 'JawDrop', 'JawDropStretched',
  'LipsKiss', 'MouthMoveLeft', 'MouthMoveRight', 'MouthLeftPullUp', 'MouthRightPullUp',
  'MouthLeftPullSide', 'MouthRightPullSide', 'MouthLeftPullDown', 'MouthRightPullDown',
  'MouthLeftPlatysma', 'MouthRightPlatysma', 'TongueOut', 'TongueUshape', 'TongueUp',
  'TongueDown', 'TongueLeft', 'TongueRight', 'TonguePointUp', 'TonguePointDown',
];

export const NAMINGS = ['ue', 'mixamo'];
export const REST_POSES = ['t-pose', 'source'];

/** The kinds of a licence entry. */
export const LICENCE_KINDS = [
  'base', 'eyes', 'eyelashes', 'teeth', 'tongue', 'brows', 'beard', 'hair', 'garment', 'texture',
  'animation', 'skin-tone', 'other',
];

// The meshes in the order in which a file lists them; garments come after
// these, by code units.
const PARTS = ['body', 'eyes', 'eyelashes', 'teeth', 'tongue', 'brows', 'beard', 'hair'];
const GARMENT = /^garment_[A-Za-z0-9_]+$/;

/** Whether the profile allows a mesh of this name. */
export function isMeshName(name) {
  return PARTS.includes(name) || GARMENT.test(name);
}

// A string comparison in JavaScript is by code units, which is the order the
// profile asks of garments.
function compareMeshNames(a, b) {
  const rank = (name) => (PARTS.includes(name) ? PARTS.indexOf(name) : PARTS.length);
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Mesh names in the order in which a file must list them. */
export function inMeshOrder(names) {
  return [...names].sort(compareMeshNames);
}

// What `dramatis.faceNames` may say, and the morph targets it allows beside or
// instead of the face units: ARKit's 52 shapes, the 15 Oculus visemes.
const ARKIT_SHAPES = [
  'eyeBlinkLeft', 'eyeLookDownLeft', 'eyeLookInLeft', 'eyeLookOutLeft', 'eyeLookUpLeft',
  'eyeSquintLeft', 'eyeWideLeft', 'eyeBlinkRight', 'eyeLookDownRight', 'eyeLookInRight',
  'eyeLookOutRight', 'eyeLookUpRight', 'eyeSquintRight', 'eyeWideRight', 'jawForward', 'jawLeft',
  'jawRight', 'jawOpen', 'mouthClose', 'mouthFunnel', 'mouthPucker', 'mouthLeft', 'mouthRight',
  'mouthSmileLeft', 'mouthSmileRight', 'mouthFrownLeft', 'mouthFrownRight', 'mouthDimpleLeft',
  'mouthDimpleRight', 'mouthStretchLeft', 'mouthStretchRight', 'mouthRollLower', 'mouthRollUpper',
  'mouthShrugLower', 'mouthShrugUpper', 'mouthPressLeft', 'mouthPressRight', 'mouthLowerDownLeft',
  'mouthLowerDownRight', 'mouthUpperUpLeft', 'mouthUpperUpRight', 'browDownLeft', 'browDownRight',
  'browInnerUp', 'browOuterUpLeft', 'browOuterUpRight', 'cheekPuff', 'cheekSquintLeft',
  'cheekSquintRight', 'noseSneerLeft', 'noseSneerRight', 'tongueOut',
];
const VISEMES = [
  'sil', 'PP', 'FF', 'TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR', 'aa', 'E', 'I', 'O', 'U',
];
export const OTHER_FACE_NAMES = new Map([
  ['arkit', ARKIT_SHAPES],
  ['both', ARKIT_SHAPES],
  ['oculus', VISEMES],
]);
