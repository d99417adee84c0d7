//! The numeric kernels: one set per instruction set, chosen at run time.
//!
//! A signal is a row-major matrix: a row is a time step, a column a channel. A kernel works on a
//! block of rows that fits the caches. The caller divides the signal among threads, so a set needs
//! no threads of its own. [`Scalar`], which only tests use, is the specification: the textbook
//! loops. [`Portable`] runs on every processor, and is the reference with which [`self_check`]
//! compares the others when a model is loaded.

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod bf16_tiles;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod byte_factors;
mod byte_matrix;
#[cfg(target_arch = "aarch64")]
mod byte_products;
mod compiled;
mod convolution;
mod dot;
mod elementwise;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod emulation;
mod epilogue;
#[cfg(target_arch = "aarch64")]
mod fast_bf16;
mod fast_convolution;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod fast_int16;
pub mod filter;
mod gemm;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod int16;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod int16_set;
#[cfg(target_arch = "x86_64")]
mod int8;
#[cfg(target_arch = "x86_64")]
mod integer_products;
mod kernels;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "aarch64")]
mod neon_bf16;
#[cfg(target_arch = "aarch64")]
mod neon_int8;
#[cfg(target_arch = "aarch64")]
mod neon_rows;
mod plan;
mod portable;
#[cfg(any(
    target_arch = "aarch64",
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod quantization;
mod recurrent;
mod scalar;
pub mod self_check;
mod simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "aarch64")]
mod split_int16;
#[cfg(test)]
mod tests;
mod winograd;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
pub use amx::Amx;
#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use byte_matrix::ByteMatrix;
pub use dot::dot;
pub use elementwise::Activation;
pub use epilogue::Epilogue;
#[cfg(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
pub use int16_set::Int16;
pub use kernels::{Elementwise, Kernels, Operands};
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
#[cfg(target_arch = "aarch64")]
pub use neon_bf16::NeonBf16;
pub use plan::{Plan, Precision, Quantization, Shape};
pub use portable::Portable;
pub use recurrent::RecurrentMatrix;
pub use scalar::Scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Simd128;
