//! Hot loops over plain slices, and the only `unsafe` of the crate.
//!
//! Every function here is safe to call, knows no character, and gives the
//! same bits on every machine: no fused multiply-add, no reciprocal
//! estimates, no order of summation that depends on the number of threads.
//! (Which NaN comes out where one went in is the one thing left open, as it
//! is in Rust itself.)
//!
//! Each loop that has vector code of its own has a scalar twin beside it,
//! which runs where that code cannot and which tests compare it with. What
//! was tried and measured is in `NOTES.md`.

pub mod map;

pub mod morph;

pub mod normals;

pub mod skin;

pub mod sparse;

#[cfg(target_arch = "x86_64")]
mod avx2;

#[cfg(test)]
mod tests;
