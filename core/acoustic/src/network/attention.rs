//! Multi-head attention (Vaswani et al. 2017).

use speech_base::error::Result;
use speech_kernels::filter::{Filter, Values};
use speech_kernels::{Elementwise, Epilogue, Kernels, Operands, Shape};

use super::convolve::Convolver;
use super::signal::Signal;

/// Self-attention; the outputs of all heads are concatenated. The channels of `inputs` are `width`
/// queries, `width` keys and `width` values; each head uses `size` of each.
pub(crate) fn attention<K: Kernels<Element = f32>>(
    convolver: &Convolver<'_, K>,
    inputs: &Signal,
    width: usize,
    size: usize,
) -> Result<Signal> {
    let rows = inputs.time_steps();
    let mut heads = convolver.signal(width / size * rows, size)?;
    convolver.threads.try_for_each_chunk(&mut heads.values, rows * size, |head, output| {
        let parts = [0, width, 2 * width].map(|first| first + head * size);
        attend(convolver, inputs, parts, size, output)
    })?;
    let mut output = convolver.signal(rows, width)?;
    for (t, row) in output.values.chunks_exact_mut(width).enumerate() {
        for (head, row) in row.chunks_exact_mut(size).enumerate() {
            row.copy_from_slice(heads.frame(head * rows + t));
        }
    }
    convolver.release(heads);
    Ok(output)
}

/// Scaled dot-product attention of one head, whose queries, keys and values start at these
/// channels.
fn attend<K: Kernels<Element = f32>>(
    convolver: &Convolver<'_, K>,
    inputs: &Signal,
    [queries, keys, values]: [usize; 3],
    size: usize,
    output: &mut [f32],
) -> Result<()> {
    let (rows, channels) = (inputs.time_steps(), inputs.channels);
    let columns = rows.next_multiple_of(32);
    let mut transposed = convolver.signal(size, columns)?;
    for (channel, row) in transposed.values.chunks_exact_mut(columns).enumerate() {
        for (t, key) in row.iter_mut().enumerate() {
            *key = if t < rows { inputs.frame(t)[keys + channel] } else { 0.0 };
        }
    }
    let mut scores = convolver.signal(rows, columns)?;
    let filter = Filter::new(columns, Values::of(&transposed.values));
    let shape = Shape { taps: 1, inputs: size, outputs: columns, dilation: 1 };
    let scale = (size as f32).sqrt().recip();
    multiply(
        convolver,
        shape,
        &filter,
        &inputs.values[queries..],
        channels,
        scale,
        &mut scores.values,
    )?;
    for row in scores.values.chunks_exact_mut(columns) {
        row[rows..].fill(f32::NEG_INFINITY);
    }
    convolver.kernels.fp32().softmax(&mut scores.values, columns);
    // Kernels write multiples of 32 columns.
    let width = size.next_multiple_of(32);
    let mut padded = convolver.signal(rows, width)?;
    for (t, row) in padded.values.chunks_exact_mut(width).enumerate() {
        let (row, padding) = row.split_at_mut(size);
        row.copy_from_slice(&inputs.frame(t)[values..values + size]);
        padding.fill(0.0);
    }
    let filter = Filter::new(width, Values::of(&padded.values));
    let shape = Shape { taps: 1, inputs: rows, outputs: width, dilation: 1 };
    let mut sums = convolver.signal(rows, width)?;
    multiply(convolver, shape, &filter, &scores.values, columns, 1.0, &mut sums.values)?;
    for (row, sums) in output.chunks_exact_mut(size).zip(sums.values.chunks_exact(width)) {
        row.copy_from_slice(&sums[..size]);
    }
    [sums, padded, scores, transposed].into_iter().for_each(|signal| convolver.release(signal));
    Ok(())
}

/// Multiplies rows by a computed matrix, which is packed here: only weights of layers are packed in
/// advance.
fn multiply<K: Kernels<Element = f32>>(
    convolver: &Convolver<'_, K>,
    shape: Shape,
    filter: &Filter<'_>,
    rows: &[f32],
    stride: usize,
    scale: f32,
    output: &mut [f32],
) -> Result<()> {
    let plan = convolver.kernels.plan(shape);
    let mut packed = convolver.signal(1, plan.packed_len())?;
    for (panel, packed) in packed.values.chunks_exact_mut(plan.panel_len).enumerate() {
        convolver.kernels.pack(filter, &plan, panel, packed);
    }
    let bias = vec![0.0; shape.outputs];
    let epilogue = Epilogue { scale, ..Epilogue::plain(&bias) };
    let operands = Operands { plan: &plan, packed: &packed.values, input: rows, stride, epilogue };
    convolver.kernels.convolve(&operands, output, &mut Vec::new());
    convolver.release(packed);
    Ok(())
}
