//! Adding weighted sparse targets to a shape.

/// A run of consecutive vertices that a target moves: the first vertex and
/// how many follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Run {
    /// The first vertex of the run.
    pub start: u32,
    /// The number of vertices.
    pub count: u32,
}

/// Adds `weight` times a target to `positions`.
///
/// `deltas` holds one entry per vertex of all runs, run after run, in units
/// of `unit` metres; a vertex that no run names does not move. Runs make the
/// loop one multiply and add over consecutive numbers, which the compiler
/// turns into vector code.
///
/// # Panics
/// When a run reaches past `positions`, or the runs' counts do not add up to
/// `deltas.len()`. A pack is checked for both when it is opened.
pub fn add_target(
    positions: &mut [[f32; 3]],
    runs: &[Run],
    deltas: &[[i16; 3]],
    unit: f32,
    weight: f32,
) {
    let scale = unit * weight;
    let mut rest = deltas;
    for run in runs {
        let (these, others) = rest.split_at(run.count as usize);
        rest = others;
        let start = run.start as usize;
        let moved = &mut positions[start..start + these.len()];
        for (p, d) in moved.as_flattened_mut().iter_mut().zip(these.as_flattened()) {
            *p += f32::from(*d) * scale;
        }
    }
    assert!(rest.is_empty(), "a target's runs must cover its deltas");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_moves_only_its_runs() {
        let mut positions = [[1.0f32; 3]; 5];
        let runs = [Run { start: 1, count: 2 }, Run { start: 4, count: 1 }];
        let deltas = [[10, 0, -10], [20, 0, 0], [0, 30, 0]];
        add_target(&mut positions, &runs, &deltas, 0.1, 0.5);
        assert_eq!(positions[0], [1.0; 3]);
        assert_eq!(positions[1], [1.5, 1.0, 0.5]);
        assert_eq!(positions[2], [2.0, 1.0, 1.0]);
        assert_eq!(positions[3], [1.0; 3]);
        assert_eq!(positions[4], [1.0, 2.5, 1.0]);
    }

    #[test]
    #[should_panic(expected = "cover its deltas")]
    fn runs_that_do_not_cover_the_deltas_are_a_bug() {
        add_target(&mut [[0.0; 3]; 4], &[Run { start: 0, count: 1 }], &[[0; 3]; 2], 1.0, 1.0);
    }
}
