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

/// Bounds widened to hold the rows as well. All rows must be finite.
pub(super) fn widen<const N: usize>((min, max): Extent<N>, rows: &[[f32; N]]) -> Extent<N> {
    // Four rows have bounds of their own, so that they are compared at once
    // and none waits for the one before. Which row a bound comes from does not
    // matter, and a comparison that knows no NaN is a single instruction.
    let (fours, rest) = rows.as_chunks::<4>();
    let (mut mins, mut maxs) = ([min; 4], [max; 4]);
    for four in fours {
        let values = four.as_flattened();
        for (min, &value) in mins.as_flattened_mut().iter_mut().zip(values) {
            *min = if value < *min { value } else { *min };
        }
        for (max, &value) in maxs.as_flattened_mut().iter_mut().zip(values) {
            *max = if value > *max { value } else { *max };
        }
    }
    let (mut min, mut max) = (min, max);
    for row in mins.iter().chain(rest) {
        min = std::array::from_fn(|i| min[i].min(row[i]));
    }
    for row in maxs.iter().chain(rest) {
        max = std::array::from_fn(|i| max[i].max(row[i]));
    }
    // Which of 0 and -0 this gives depends on the order of rows and on the
    // processor. Adding 0 makes both 0, so that every machine writes the same
    // bytes.
    (min.map(|value| value + 0.0), max.map(|value| value + 0.0))
}

/// Fails with the index of the first row of `N` numbers that has one which
/// is not finite.
pub(super) fn check_finite<const N: usize>(flat: &[f32]) -> Result<(), usize> {
    // All bits of the exponent are set in numbers that are not finite, and
    // only then one more carries into the sign. Without an early exit the
    // compiler checks many numbers at once; where the fault is, is only looked
    // for when there is one.
    const EXPONENT: u32 = 0x7f80_0000;
    const LOWEST_BIT: u32 = 0x0080_0000;
    let carry = |number: &f32| (number.to_bits() & EXPONENT) + LOWEST_BIT;
    if flat.iter().fold(0, |signs, number| signs | carry(number)) >> 31 == 0 {
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
    fn every_row_counts_whatever_the_number_of_rows() {
        for n in 1..20 {
            for at in 0..n {
                let mut rows = vec![[1.0f32, -1.0, 0.5]; n];
                rows[at] = [2.0, -2.0, 0.25];
                let other = if n == 1 { rows[0] } else { [1.0, -1.0, 0.5] };
                let expected = ([other[0], -2.0, 0.25], [2.0, other[1], other[2]]);
                assert_eq!(min_max(&rows), expected, "{at} of {n}");
            }
        }
    }

    #[test]
    fn the_first_row_with_a_fault_is_found() {
        let fine = [0.0, -0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45, -1.0];
        assert_eq!(check_finite::<1>(&fine), Ok(()));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut flat = [1.0f32; 30];
            flat[29] = bad;
            flat[17] = bad;
            assert_eq!(check_finite::<3>(&flat), Err(5));
        }
    }
}
