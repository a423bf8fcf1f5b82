//! What the benches share: inputs with a fixed seed, and ratios.

pub mod character;

pub mod ratio;

pub mod random;
