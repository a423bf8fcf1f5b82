//! How targets that were made on the base mesh are fitted to another face.

use glam::{DVec3, Mat3, Vec3};

/// The part of the face that a shape of ARKit's belongs to. All shapes of one
/// part are fitted alike, so those that undo each other (`mouthClose` what
/// `jawOpen` does to the lips) still do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    LeftEye,
    RightEye,
    Brows,
    Cheeks,
    Nose,
    /// Jaw, lips, teeth and tongue.
    Mouth,
}

impl Region {
    pub const ALL: [Region; 6] = [
        Region::LeftEye,
        Region::RightEye,
        Region::Brows,
        Region::Cheeks,
        Region::Nose,
        Region::Mouth,
    ];

    /// The region of a shape, by ARKit's name for it.
    pub fn of(shape: &str) -> Region {
        match shape {
            s if s.starts_with("eye") && s.ends_with("Left") => Region::LeftEye,
            s if s.starts_with("eye") => Region::RightEye,
            s if s.starts_with("brow") => Region::Brows,
            s if s.starts_with("cheek") => Region::Cheeks,
            s if s.starts_with("nose") => Region::Nose,
            _ => Region::Mouth,
        }
    }

    /// The shape that closes the region's lids, if it is an eye.
    pub fn blink(self) -> Option<&'static str> {
        match self {
            Region::LeftEye => Some("eyeBlinkLeft"),
            Region::RightEye => Some("eyeBlinkRight"),
            _ => None,
        }
    }
}

/// How much larger a face's region is than the base mesh's along each axis:
/// the slope of the line that fits its vertices' places best, each counted by
/// how far the region's shapes move it. Two landmarks would measure the same
/// on plain faces, but two vertices are also what a single slider displaces.
#[derive(Debug, Default)]
pub(super) struct Measure {
    weight: f64,
    base: DVec3,
    face: DVec3,
    base_base: DVec3,
    base_face: DVec3,
}

impl Measure {
    /// Counts a vertex that stands at `base` on the base mesh and at `face`
    /// on the face.
    pub fn add(&mut self, weight: f32, base: [f32; 3], face: [f32; 3]) {
        let weight = f64::from(weight);
        let [base, face] = [base, face].map(|p| DVec3::from_array(p.map(f64::from)));
        self.weight += weight;
        self.base += weight * base;
        self.face += weight * face;
        self.base_base += weight * base * base;
        self.base_face += weight * base * face;
    }

    /// The scale per axis; exactly 1 on the base mesh, and where nothing was
    /// counted or all of it stands in one plane.
    pub fn scale(&self) -> Vec3 {
        let slope = |axis: usize| {
            let mean = self.base[axis] / self.weight;
            let spread = self.base_base[axis] - mean * self.base[axis];
            let slope = (self.base_face[axis] - mean * self.face[axis]) / spread;
            // A square of a tenth of a millimetre, far below any face's.
            let is_spread = spread > 1e-8 * self.weight;
            if is_spread && slope.is_finite() { slope as f32 } else { 1.0 }
        };
        Vec3::new(slope(0), slope(1), slope(2))
    }
}

/// Two places of an eye's lids that a blink brings together.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LidPair {
    /// Where they stand on the base mesh, the one that moves first.
    base: [Vec3; 2],
    /// The way between them on the base mesh, divided by the square of its
    /// length: times a delta, the share of the way that the delta goes.
    share: Vec3,
    /// What the way on the face has more than the scaled one.
    excess: Vec3,
}

/// Where an eye's lids meet. Scaling alone would not close them: sliders open
/// an eye wider, or one corner of it, while its surroundings stay.
#[derive(Debug, Default)]
pub(super) struct Lids {
    pairs: Vec<LidPair>,
}

/// A skin vertex near an eye, as a blink moves it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LidVertex {
    /// Where it stands on the base mesh and on the face.
    pub base: Vec3,
    pub face: Vec3,
    /// How far the blink's target moves it.
    pub blink: Vec3,
}

impl Lids {
    /// What a blink moves less than this does not meet the other lid, in metres.
    const LEAST_WAY: f32 = 1e-3;
    /// How near to each other vertices of both lids count as met, in metres.
    const MET: f32 = 1e-3;

    /// Finds the pairs among an eye's skin vertices: apart at rest, together
    /// when the base mesh's eye is closed.
    pub fn new(vertices: &[LidVertex], scale: Vec3) -> Lids {
        let closed = |v: &LidVertex| v.base + v.blink;
        let mut by_x = vertices.to_vec();
        by_x.sort_by(|a, b| closed(a).x.total_cmp(&closed(b).x));
        let mut pairs = Vec::new();
        for moving in vertices.iter().filter(|v| v.blink.length() > Lids::LEAST_WAY) {
            let (way, end) = (moving.blink.length(), closed(moving));
            let first = by_x.partition_point(|v| closed(v).x < end.x - Lids::MET);
            let last = by_x.partition_point(|v| closed(v).x <= end.x + Lids::MET);
            for still in &by_x[first..last] {
                let gap = still.base - moving.base;
                // Neighbours on one lid move together and are near at rest.
                if end.distance(closed(still)) < Lids::MET
                    && still.blink.length() < 0.5 * way
                    && gap.length() > 0.7 * way
                {
                    pairs.push(LidPair {
                        base: [moving.base, still.base],
                        // In the corners the way is too short to tell its
                        // direction; there the scale alone serves.
                        share: gap / (gap.length_squared() + Lids::LEAST_WAY * Lids::LEAST_WAY),
                        excess: still.face - moving.face - scale * gap,
                    });
                }
            }
        }
        Lids { pairs }
    }

    /// The linear map from the target's delta to the face's at a place of the
    /// base mesh: the scale, and what the nearest pairs' ways have more than
    /// it for the share of the way that the delta goes.
    pub fn map_at(&self, place: Vec3, scale: Vec3) -> Mat3 {
        let mut sum = Mat3::ZERO;
        let mut weights = 0.0;
        for pair in &self.pairs {
            let [a, b] = pair.base.map(|p| p.distance_squared(place));
            let near = 1.0 / (a.min(b) + Lids::MET * Lids::MET);
            let weight = near * near;
            weights += weight;
            let excess = pair.excess * weight;
            let share = pair.share;
            sum += Mat3::from_cols(excess * share.x, excess * share.y, excess * share.z);
        }
        let scaled = Mat3::from_diagonal(scale);
        if weights > 0.0 { scaled + sum * (1.0 / weights) } else { scaled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_and_moved_face_is_measured_exactly() {
        let base = [[0.0, 0.0, 0.0], [0.2, 0.1, 0.0], [0.1, 0.3, 0.0], [-0.1, 0.2, 0.0]];
        let mut same = Measure::default();
        let mut scaled = Measure::default();
        for (p, weight) in base.into_iter().zip([0.1, 0.7, 0.3, 0.2]) {
            same.add(weight, p, p);
            scaled.add(weight, p, [0.5 * p[0] + 3.0, 2.0 * p[1] - 7.0, 0.4]);
        }
        assert_eq!(same.scale(), Vec3::ONE);
        // All stand at one depth, which says nothing about depths.
        assert!(scaled.scale().distance(Vec3::new(0.5, 2.0, 1.0)) < 1e-5, "{scaled:?}");
        assert_eq!(Measure::default().scale(), Vec3::ONE);
    }

    #[test]
    fn a_blink_closes_an_eye_that_was_opened_wider() {
        let blink = Vec3::new(0.0, -0.01, 0.0);
        let lid = |base: Vec3, face: Vec3, blink: Vec3| LidVertex { base, face, blink };
        let columns = [-0.01f32, 0.0, 0.01].map(|x| {
            let (up, low) = (Vec3::new(x, 0.01, 0.0), Vec3::new(x, 0.0, 0.0));
            // On the face the lids stand apart twice as far, and lower.
            let of_face = |p: Vec3, y: f32| Vec3::new(0.8 * p.x, y, 0.0);
            [
                lid(up, of_face(up, 0.018), blink),
                lid(low, of_face(low, -0.002), Vec3::ZERO),
                // The skin above the margin goes half the way.
                lid(up + Vec3::Y * 0.005, of_face(up, 0.023), 0.5 * blink),
            ]
        });
        let scale = Vec3::new(0.8, 1.0, 1.0);
        let lids = Lids::new(columns.as_flattened(), scale);
        assert_eq!(lids.pairs.len(), 3);
        for [up, low, above] in columns {
            let closed = up.face + lids.map_at(up.base, scale) * up.blink;
            // The share of very short ways that the scale keeps.
            assert!(closed.distance(low.face) < 2e-4, "{closed} {}", low.face);
            let halfway = lids.map_at(above.base, scale) * above.blink;
            assert!((halfway.y + 0.01).abs() < 2e-4, "{halfway}");
            let aside = lids.map_at(up.base, scale) * Vec3::X;
            assert!(aside.distance(Vec3::X * 0.8) < 1e-6, "{aside}");
        }
        assert!(Lids::new(&[], scale).map_at(Vec3::ZERO, scale) == Mat3::from_diagonal(scale));
    }
}
