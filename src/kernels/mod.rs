//! Hot loops over plain slices, and the only `unsafe` of the crate.
//!
//! Every function here is safe to call, knows no character, and gives the
//! same bits on every machine: no fused multiply-add, no reciprocal
//! estimates, no order of summation that depends on the number of threads.
//! (Which NaN comes out where one went in is the one thing left open, as it
//! is in Rust itself.)
//!
//! Each loop that has vector code of its own, AVX2 on x86-64 and NEON on
//! aarch64, has a scalar twin beside it, which runs where that code cannot and
//! which tests compare it with. What was tried and measured is in `NOTES.md`.

pub mod map;

pub mod morph;

pub mod normals;

pub mod skin;

pub mod sparse;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod joints;

// One name for the vector code, so that each kernel calls it in one place.
#[cfg(target_arch = "x86_64")]
#[path = "avx2.rs"]
mod vector;

#[cfg(target_arch = "aarch64")]
#[path = "neon.rs"]
mod vector;

#[cfg(test)]
mod tests;
