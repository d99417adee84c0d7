//! The weights of the acoustic model: read as they are stored, expanded to 32-bit floats.
//!
//! A tensor is stored as `F32`, `F16`, `BF16`, or as `U8` beside `<name>.scale` (`F32`) and
//! `<name>.zero_point` (`U8`), which have the tensor's rank and at most one axis longer than 1:
//! value = (q - zero point) * scale.

use std::sync::Arc;

use half::{bf16, f16};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::{Error, Result};

const SCALE: &str = ".scale";
const ZERO_POINT: &str = ".zero_point";

/// Tensors that only fill up to the next multiple of 64 bytes.
const PADDING: &str = "padding.";

/// Expands every tensor of a safetensors file, in the order of their names: the bytes of 32-bit floats, one tensor
/// after the other. `model_error` says which one is wrong.
pub(super) fn expand(file: &SafeTensors<'_>) -> Result<Arc<[u8]>> {
    let mut names = file.names();
    names.retain(|name| {
        !name.ends_with(SCALE) && !name.ends_with(ZERO_POINT) && !name.starts_with(PADDING)
    });
    names.sort_unstable();
    let numbers =
        |name: &str| file.tensor(name).map_or(0, |tensor| tensor.shape().iter().product::<usize>());
    let size = 4 * names.iter().map(|name| numbers(name)).sum::<usize>();
    // In place: a second copy of it would be the most that the library ever needs.
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, size).collect();
    let mut words =
        Arc::get_mut(&mut bytes).expect("it has one owner").as_chunks_mut().0.iter_mut();
    for name in names {
        let values = values(file, name).ok_or_else(|| {
            Error::model(format!("the tensor {name:?} of the voice bundle is damaged"))
        })?;
        for (value, word) in values.into_iter().zip(words.by_ref()) {
            *word = value.to_le_bytes();
        }
    }
    Ok(bytes)
}

/// The values of a tensor of 32-bit floats; `None` if there is none of this name or type.
pub(crate) fn floats(file: &SafeTensors<'_>, name: &str) -> Option<Vec<f32>> {
    let tensor = file.tensor(name).ok()?;
    (tensor.dtype() == Dtype::F32).then(|| words(tensor.data(), f32::from_le_bytes))
}

fn values(file: &SafeTensors<'_>, name: &str) -> Option<Vec<f32>> {
    let tensor = file.tensor(name).ok()?;
    Some(match tensor.dtype() {
        Dtype::F32 => words(tensor.data(), f32::from_le_bytes),
        Dtype::F16 => words(tensor.data(), |bytes| f16::from_le_bytes(bytes).to_f32()),
        Dtype::BF16 => words(tensor.data(), |bytes| bf16::from_le_bytes(bytes).to_f32()),
        Dtype::U8 => {
            let scale = floats(file, &format!("{name}{SCALE}"))?;
            let zero_point = file.tensor(&format!("{name}{ZERO_POINT}")).ok()?;
            dequantize(&tensor, &scale, &zero_point)?
        }
        _ => return None,
    })
}

fn words<const N: usize>(bytes: &[u8], read: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.as_chunks::<N>().0.iter().map(|word| read(*word)).collect()
}

fn dequantize(
    tensor: &TensorView<'_>,
    scale: &[f32],
    zero_point: &TensorView<'_>,
) -> Option<Vec<f32>> {
    let shape = zero_point.shape();
    let axis = shape.iter().position(|length| *length > 1);
    let length = axis.map_or(1, |axis| shape[axis]);
    let fits = shape.len() == tensor.shape().len()
        && zero_point.dtype() == Dtype::U8
        && zero_point.data().len() == length
        && scale.len() == length
        && axis.is_none_or(|axis| tensor.shape()[axis] == length);
    if !fits {
        return None;
    }
    // How many neighbours share one scale.
    let run = axis.map_or(tensor.data().len(), |axis| tensor.shape()[axis + 1..].iter().product());
    let runs = tensor.data().chunks(run.max(1));
    let scales = scale.iter().zip(zero_point.data()).cycle();
    let mut values = Vec::with_capacity(tensor.data().len());
    for (run, (scale, zero)) in runs.zip(scales) {
        let zero = f32::from(*zero);
        values.extend(run.iter().map(|q| (f32::from(*q) - zero) * scale));
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn file(tensors: &[(&str, Dtype, &[usize], &[u8])]) -> Vec<u8> {
        let tensors: BTreeMap<_, _> = tensors
            .iter()
            .map(|(name, dtype, shape, data)| {
                (*name, TensorView::new(*dtype, shape.to_vec(), data).unwrap())
            })
            .collect();
        safetensors::serialize(tensors, None).unwrap()
    }

    fn expanded(tensors: &[(&str, Dtype, &[usize], &[u8])]) -> Result<Vec<f32>> {
        expand(&SafeTensors::deserialize(&file(tensors)).unwrap())
            .map(|bytes| words(&bytes, f32::from_le_bytes))
    }

    #[test]
    fn bytes_expand_by_tensor_and_along_either_axis() {
        let q = [0, 10, 20, 30, 40, 50];
        let two = [1.0_f32, 0.5].map(f32::to_le_bytes).concat();
        let three = [1.0_f32, 0.5, 2.0].map(f32::to_le_bytes).concat();
        let rows = [
            ([1, 1], &two[4..], &[10][..], [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]),
            ([2, 1], &two, &[0, 30], [0.0, 10.0, 20.0, 0.0, 5.0, 10.0]),
            ([1, 3], &three, &[0, 10, 20], [0.0, 0.0, 0.0, 30.0, 15.0, 60.0]),
        ];
        for (shape, scale, zero_point, expected) in rows {
            let weights = expanded(&[
                ("w", Dtype::U8, &[2, 3], &q),
                ("w.scale", Dtype::F32, &shape, scale),
                ("w.zero_point", Dtype::U8, &shape, zero_point),
            ])
            .unwrap();
            assert_eq!(weights, expected);
        }
    }

    #[test]
    fn narrow_floats_expand_exactly() {
        let halves = [f16::from_f32(-1.5), f16::from_f32(0.25)].map(f16::to_le_bytes).concat();
        let brains = [bf16::from_f32(-1.5), bf16::from_f32(0.25)].map(bf16::to_le_bytes).concat();
        let weights =
            expanded(&[("a", Dtype::F16, &[2], &halves), ("b", Dtype::BF16, &[2], &brains)])
                .unwrap();
        assert_eq!(weights, [-1.5, 0.25, -1.5, 0.25]);
    }

    #[test]
    fn a_tensor_that_does_not_fit_is_named() {
        let one = 1.0_f32.to_le_bytes();
        for tensors in [
            vec![("w", Dtype::U8, &[2][..], &[1, 2][..])],
            vec![
                ("w", Dtype::U8, &[2], &[1, 2]),
                ("w.scale", Dtype::F32, &[1, 1], &one),
                ("w.zero_point", Dtype::U8, &[1, 1], &[0]),
            ],
            vec![("w", Dtype::I16, &[1], &[1, 2])],
        ] {
            let error = expanded(&tensors).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::ModelError);
            assert!(error.message().contains("\"w\""), "{}", error.message());
        }
    }
}
