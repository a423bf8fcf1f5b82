//! Hot loops over plain slices, and the only `unsafe` of the crate.
//!
//! Every function here is safe to call, knows no character, and gives the
//! same bits on every machine: no fused multiply-add, no reciprocal
//! estimates, no order of summation that depends on the number of threads.

pub mod map;

pub mod morph;

pub mod normals;

pub mod skin;
