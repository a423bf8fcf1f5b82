//! Exact bounds of arrays of floats, and the check that they are finite.

/// The least and the greatest value per component.
pub(super) type Extent<const N: usize> = ([f32; N], [f32; N]);

/// The exact bounds of the rows (section 3.6.2.5): numbers that are stored,
/// never rounded. All rows must be finite.
pub(super) fn min_max<const N: usize>(rows: &[[f32; N]]) -> Extent<N> {
    widen(([f32::INFINITY; N], [f32::NEG_INFINITY; N]), rows)
}

/// The bounds of an array of which at least one row is all zeros.
pub(super) fn start_at_zero<const N: usize>() -> Extent<N> {
    ([0.0; N], [0.0; N])
}

/// Bounds widened to hold the rows as well.
pub(super) fn widen<const N: usize>((mut min, mut max): Extent<N>, rows: &[[f32; N]]) -> Extent<N> {
    for row in rows {
        for i in 0..N {
            min[i] = min[i].min(row[i]);
            max[i] = max[i].max(row[i]);
        }
    }
    // Which of 0 and -0 `min` and `max` give is up to the processor. Adding
    // 0 makes both 0, so that every machine writes the same bytes.
    (min.map(|value| value + 0.0), max.map(|value| value + 0.0))
}

/// Fails with the index of the first row of `N` numbers that has one which
/// is not finite.
pub(super) fn check_finite<const N: usize>(flat: &[f32]) -> Result<(), usize> {
    // Without an early exit the compiler checks many numbers at once; where
    // the fault is, is only looked for when there is one.
    if flat.iter().fold(true, |finite, number| finite & number.is_finite()) {
        return Ok(());
    }
    let at = flat.iter().position(|number| !number.is_finite());
    Err(at.unwrap_or_default() / N)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_the_stored_numbers() {
        let rows = [[-0.1, 5.0, 1e-30], [-0.3, 4.0, 2e-30], [-0.2, 6.0, 0.0]];
        assert_eq!(min_max(&rows), ([-0.3, 4.0, 0.0], [-0.1, 6.0, 2e-30]));
        assert_eq!(widen(start_at_zero(), &rows), ([-0.3, 0.0, 0.0], [0.0, 6.0, 2e-30]));
    }

    #[test]
    fn there_is_no_negative_zero_in_bounds() {
        let (min, max) = min_max(&[[-0.0f32], [0.0], [-0.0]]);
        assert!(min[0].is_sign_positive() && max[0].is_sign_positive());
    }

    #[test]
    fn the_first_row_with_a_fault_is_found() {
        assert_eq!(check_finite::<3>(&[0.0; 30]), Ok(()));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut flat = [1.0f32; 30];
            flat[29] = bad;
            flat[17] = bad;
            assert_eq!(check_finite::<3>(&flat), Err(5));
        }
    }
}
