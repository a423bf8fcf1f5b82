//! Cutting a vertex's weights to four that sum to one.

use crate::kernels::skin::Influences;
use crate::pack::{FitPoint, WeightsView};
use crate::profile::N_JOINTS;

/// Weights are whole multiples of 2^-20, so that any sum of them is exact in
/// f32 and four of them add up to 1 in every order.
const STEPS: u32 = 1 << 20;

/// The four largest weights, divided by their sum, as exact f32.
///
/// Each weight is rounded down to a step and the steps that are missing to 1
/// go to those that lost most (largest remainder); ties go to the larger
/// weight. Equal weights are ordered by joint. With nothing to cut from, the
/// vertex is bound to joint 0; packs are checked against that when opened.
pub fn cut_to_four(weights: impl IntoIterator<Item = (u16, f32)>) -> Influences {
    let kept = largest_four(weights);
    let sum: f64 = kept.iter().map(|(_, w)| f64::from(*w)).sum();
    if sum <= 0.0 {
        return Influences { joints: [0; 4], weights: [1.0, 0.0, 0.0, 0.0] };
    }
    let mut steps = [0u32; 4];
    let mut lost = [0.0f64; 4];
    for (i, (_, w)) in kept.iter().enumerate() {
        let exact = f64::from(*w) / sum * f64::from(STEPS);
        steps[i] = exact as u32;
        lost[i] = exact - f64::from(steps[i]);
    }
    for _ in 0..STEPS.saturating_sub(steps.iter().sum()) {
        let most = (0..4).rev().max_by(|a, b| lost[*a].total_cmp(&lost[*b])).expect("four");
        steps[most] += 1;
        lost[most] -= 1.0;
    }
    let mut out = Influences::default();
    let mut slot = 0;
    // A weight below half a step is gone; what is left moves up, so that used
    // slots come first.
    for ((joint, _), step) in kept.into_iter().zip(steps) {
        if step > 0 {
            out.joints[slot] = joint as u8;
            out.weights[slot] = step as f32 / STEPS as f32;
            slot += 1;
        }
    }
    out
}

/// The four largest weights, largest first and by joint where they are equal;
/// what is not positive is left out.
fn largest_four(weights: impl IntoIterator<Item = (u16, f32)>) -> [(u16, f32); 4] {
    let mut kept = [(0u16, 0.0f32); 4];
    for mut new in weights {
        for old in &mut kept {
            let before = new.1 > old.1 || (new.1 == old.1 && new.1 > 0.0 && new.0 < old.0);
            if before {
                std::mem::swap(old, &mut new);
            }
        }
    }
    kept
}

/// The weights of a point that follows three base vertices: the weighted sum
/// of theirs. A negative share takes away; what is not positive is dropped.
pub fn fit_weights(
    view: WeightsView<'_>,
    point: &FitPoint,
) -> impl Iterator<Item = (u16, f32)> + use<> {
    let mut sums = [0.0f32; N_JOINTS];
    for (&vertex, &share) in point.base.iter().zip(&point.weights) {
        for (joint, weight) in view.of(vertex as usize) {
            sums[usize::from(joint)] += share * weight;
        }
    }
    sums.into_iter().enumerate().filter(|(_, w)| *w > 1e-4).map(|(j, w)| (j as u16, w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_four_largest_are_kept_and_renormalised() {
        let cut = cut_to_four([(3, 0.1), (7, 0.4), (2, 0.2), (9, 0.2), (1, 0.1)]);
        assert_eq!(cut.joints, [7, 2, 9, 1]);
        let expected = [0.4 / 0.9, 0.2 / 0.9, 0.2 / 0.9, 0.1 / 0.9];
        for (w, e) in cut.weights.iter().zip(expected) {
            assert!((f64::from(*w) - e).abs() < 1e-6, "{cut:?}");
        }
    }

    #[test]
    fn unused_slots_are_zero() {
        let cut = cut_to_four([(5, 1.0), (6, 1e-9)]);
        assert_eq!(cut, Influences { joints: [5, 0, 0, 0], weights: [1., 0., 0., 0.] });
        let none = cut_to_four([]);
        assert_eq!(none, Influences { joints: [0; 4], weights: [1., 0., 0., 0.] });
    }

    proptest! {
        #[test]
        fn written_weights_sum_to_one_in_any_order(
            weights in prop::collection::vec((0u16..65, 1e-6f32..1.0), 1..9),
        ) {
            let cut = cut_to_four(weights);
            let [a, b, c, d] = cut.weights;
            prop_assert_eq!(a + b + c + d, 1.0);
            prop_assert_eq!(d + c + b + a, 1.0);
            prop_assert_eq!((a + c) + (b + d), 1.0);
            for (j, w) in cut.joints.iter().zip(cut.weights) {
                prop_assert!(w > 0.0 || (w == 0.0 && *j == 0));
            }
            prop_assert!(a >= b && b >= c && c >= d);
        }
    }
}
