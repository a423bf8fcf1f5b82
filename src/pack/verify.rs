//! Checking a pack's large sections while its user already works with it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;

use super::format::{Section, check_section};
use crate::error::PackFault;

/// A check that runs on a thread of its own, from the opening of a pack on.
///
/// Reading 40 MB takes several milliseconds, which a service should not wait
/// for before it takes its first request. Nothing made from the pack leaves
/// the library before the check has come to its end: whoever builds a
/// character asks for the outcome last, when it is nearly always there.
#[derive(Debug)]
pub(super) struct Verification {
    thread: Mutex<Option<JoinHandle<Result<(), PackFault>>>>,
    outcome: OnceLock<Result<(), PackFault>>,
    stop: Arc<AtomicBool>,
}

impl Verification {
    /// Starts to check some sections of `bytes`.
    pub fn start<B>(bytes: &Arc<B>, sections: Vec<(Section, u64)>) -> Verification
    where
        B: AsRef<[u8]> + Send + Sync + 'static,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let outcome = OnceLock::new();
        if sections.is_empty() {
            let _ = outcome.set(Ok(()));
            return Verification { thread: Mutex::new(None), outcome, stop };
        }
        let (bytes, stopped) = (Arc::clone(bytes), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let stop = || stopped.load(Ordering::Relaxed);
            let bytes = (*bytes).as_ref();
            sections.iter().try_for_each(|(s, hash)| check_section(bytes, s, *hash, &stop))
        });
        Verification { thread: Mutex::new(Some(thread)), outcome, stop }
    }

    /// The outcome; waits for it.
    pub fn outcome(&self) -> Result<(), PackFault> {
        self.outcome
            .get_or_init(|| {
                let thread = self.thread.lock().unwrap_or_else(|e| e.into_inner()).take();
                let joined = thread.expect("the outcome is asked for once").join();
                joined.expect("hashing does not panic")
            })
            .clone()
    }
}

impl Drop for Verification {
    /// Nobody will ask any more, so the thread may end early.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
