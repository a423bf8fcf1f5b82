//! Ratios of times that were measured beside each other.
//!
//! Criterion measures one case after the other, so that a machine that gets
//! busy in between makes one of them look slow. Here the cases of a group take
//! turns, and the least time of each is taken: what others do on the machine
//! can only add.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;

/// A piece of work with a name.
pub struct Case<'a> {
    name: &'static str,
    work: Box<dyn FnMut() + 'a>,
}

impl<'a> Case<'a> {
    /// Work whose result nothing needs; the compiler does not learn that.
    pub fn new<T>(name: &'static str, mut work: impl FnMut() -> T + 'a) -> Case<'a> {
        Case { name, work: Box::new(move || drop(black_box(work()))) }
    }
}

/// Gives all cases to criterion, then runs them in turns and prints the time
/// of the first as a ratio of each other's. `goals` are the ratios hoped for,
/// in the order of those others.
pub fn compare(c: &mut Criterion, group: &str, mut cases: Vec<Case<'_>>, goals: &[Option<f64>]) {
    // Criterion runs everything once, as a test, when it is told this.
    let once = std::env::args().any(|arg| arg == "--test");
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    if only.is_some_and(|only| !group.contains(&only)) {
        return;
    }
    let mut of_criterion = c.benchmark_group(group);
    for case in &mut cases {
        of_criterion.bench_function(case.name, |b| b.iter(&mut case.work));
    }
    of_criterion.finish();
    let least = least_times(&mut cases, if once { 1 } else { 60 });
    for (i, case) in cases.iter().enumerate().skip(1) {
        let ratio = least[0].as_secs_f64() / least[i].as_secs_f64();
        let goal = goals.get(i - 1).copied().flatten();
        let goal = goal.map_or(String::new(), |goal| format!(" (goal: at most {goal:.2})"));
        println!(
            "ratio {group}: {} {:.1} us / {} {:.1} us = {ratio:.2}{goal}",
            cases[0].name,
            least[0].as_secs_f64() * 1e6,
            case.name,
            least[i].as_secs_f64() * 1e6,
        );
    }
}

/// The least time of each case over `rounds` rounds. Work is repeated
/// until a turn takes half a millisecond, so that the clock's own grain and
/// what the case before left in the caches do not count.
fn least_times(cases: &mut [Case<'_>], rounds: usize) -> Vec<Duration> {
    const TURN: Duration = Duration::from_micros(500);
    let mut least = vec![Duration::MAX; cases.len()];
    for _ in 0..rounds {
        for (case, least) in cases.iter_mut().zip(&mut least) {
            (case.work)();
            let turn = Instant::now();
            let mut last = Duration::ZERO;
            while last < TURN {
                (case.work)();
                let now = turn.elapsed();
                *least = (*least).min(now - last);
                last = now;
            }
        }
    }
    least
}
