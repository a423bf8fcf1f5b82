// VRM 1.0's names and what the profile makes of them. The harness keeps its own
// copy, apart from the writer's, so that a slip in one of the two shows up.

export const EXTENSION = 'VRMC_vrm';
export const LICENSE_URL = 'https://vrm.dev/licenses/1.0/';

const FINGERS = [
  ['Thumb', ['Metacarpal', 'Proximal', 'Distal'], 'thumb'],
  ['Index', ['Proximal', 'Intermediate', 'Distal'], 'index'],
  ['Middle', ['Proximal', 'Intermediate', 'Distal'], 'middle'],
  ['Ring', ['Proximal', 'Intermediate', 'Distal'], 'ring'],
  ['Little', ['Proximal', 'Intermediate', 'Distal'], 'pinky'],
];
// Of one side: the bone without its side, the bone above it, and the joint.
const LIMBS = [
  ['Shoulder', 'upperChest', 'clavicle'],
  ['UpperArm', 'Shoulder', 'upperarm'],
  ['LowerArm', 'UpperArm', 'lowerarm'],
  ['Hand', 'LowerArm', 'hand'],
  ...FINGERS.flatMap(([finger, bones, joint]) => bones.map((bone, index) => [
    `${finger}${bone}`, index === 0 ? 'Hand' : `${finger}${bones[index - 1]}`, `${joint}_0${index + 1}`,
  ])),
  ['UpperLeg', 'hips', 'thigh'],
  ['LowerLeg', 'UpperLeg', 'calf'],
  ['Foot', 'LowerLeg', 'foot'],
  ['Toes', 'Foot', 'ball'],
];
const TRUNK = [
  ['hips', null, 'pelvis'],
  ['spine', 'hips', 'spine_01'],
  ['chest', 'spine', 'spine_02'],
  ['upperChest', 'chest', 'spine_03'],
  ['neck', 'upperChest', 'neck_01'],
  ['head', 'neck', 'Head'],
];

const sided = (side) => LIMBS.map(([bone, above, joint]) => [
  `${side}${bone}`, /^[A-Z]/.test(above) ? `${side}${above}` : above, `${joint}_${side[0]}`,
]);

/** The 52 human bones: the bone, the bone above it (null for the hips), the joint. */
export const HUMAN_BONES = [...TRUNK, ...sided('left'), ...sided('right')]
  .map(([bone, above, joint]) => ({ bone, above, joint }));

/** The bones without which there is no humanoid. */
export const REQUIRED_BONES = [
  'hips', 'spine', 'head',
  ...['left', 'right'].flatMap((side) =>
    ['UpperLeg', 'LowerLeg', 'Foot', 'UpperArm', 'LowerArm', 'Hand'].map((bone) => `${side}${bone}`)),
];

/** Bones that may be there only with the bone above them. */
export const NEEDS_ABOVE = HUMAN_BONES
  .filter(({ bone, above }) => bone === 'upperChest' || /(Thumb|Index|Middle|Ring|Little)/.test(above ?? ''))
  .map(({ bone }) => bone);

export const VOWELS = ['aa', 'ih', 'ou', 'ee', 'oh'];
export const MOODS = ['happy', 'angry', 'sad', 'relaxed', 'surprised'];
export const LOOKS = ['lookUp', 'lookDown', 'lookLeft', 'lookRight'];
export const BLINKS = ['blink', 'blinkLeft', 'blinkRight'];
/** The 18 names of presets. */
export const PRESETS = [...MOODS, ...VOWELS, ...BLINKS, ...LOOKS, 'neutral'];

/**
 * The presets that the profile settles to the letter: what each is made of, all
 * at weight 1, as face units and, in files that carry those instead, as ARKit's
 * shapes.
 */
export const SETTLED = {
  blink: [['LeftUpperLidClosed', 'RightUpperLidClosed'], ['eyeBlinkLeft', 'eyeBlinkRight']],
  blinkLeft: [['LeftUpperLidClosed'], ['eyeBlinkLeft']],
  blinkRight: [['RightUpperLidClosed'], ['eyeBlinkRight']],
  lookUp: [['LeftEyeUp', 'RightEyeUp'], ['eyeLookUpLeft', 'eyeLookUpRight']],
  lookDown: [['LeftEyeDown', 'RightEyeDown'], ['eyeLookDownLeft', 'eyeLookDownRight']],
  lookLeft: [['LeftEyeturnLeft', 'RightEyeturnLeft'], ['eyeLookOutLeft', 'eyeLookInRight']],
  lookRight: [['LeftEyeturnRight', 'RightEyeturnRight'], ['eyeLookInLeft', 'eyeLookOutRight']],
  neutral: [[], []],
};

/** A name with its sides exchanged: `LeftEyeturnRight` and `RightEyeturnLeft`. */
export const mirrored = (name) =>
  name.replace(/Left|Right/g, (side) => (side === 'Left' ? 'Right' : 'Left'));

export const OVERRIDES = ['none', 'block', 'blend'];
export const FIRST_PERSON_TYPES = ['auto', 'both', 'thirdPersonOnly', 'firstPersonOnly'];
export const RANGE_MAPS = [
  'rangeMapHorizontalInner', 'rangeMapHorizontalOuter', 'rangeMapVerticalDown', 'rangeMapVerticalUp',
];

/** What a file grants whose assets are all CC0. */
export const WIDEST = {
  avatarPermission: 'everyone',
  allowExcessivelyViolentUsage: true,
  allowExcessivelySexualUsage: true,
  commercialUsage: 'corporation',
  allowPoliticalOrReligiousUsage: true,
  allowAntisocialOrHateUsage: true,
  creditNotation: 'unnecessary',
  allowRedistribution: true,
  modification: 'allowModificationRedistribution',
};
/** What VRM takes a file to grant that says nothing. */
export const NARROWEST = {
  avatarPermission: 'onlyAuthor',
  allowExcessivelyViolentUsage: false,
  allowExcessivelySexualUsage: false,
  commercialUsage: 'personalNonProfit',
  allowPoliticalOrReligiousUsage: false,
  allowAntisocialOrHateUsage: false,
  creditNotation: 'required',
  allowRedistribution: false,
  modification: 'prohibited',
};
