//! Layers, read from a file of weights.
//!
//! A file is in safetensors format, and its layout is described in the README of `tools/bundle`: matrices of
//! convolutions as [taps, inputs, outputs], channels padded with zeros to multiples of 32.

use std::ops::Range;

use safetensors::{Dtype, SafeTensors};

use crate::acoustic::kernels::filter::{Filter, Values};
use crate::acoustic::kernels::{RecurrentMatrix, Shape};
use crate::{Error, Result};

/// The values of a tensor of 32-bit floats; `None` if there is none of this name or type.
pub(crate) fn floats(file: &SafeTensors<'_>, name: &str) -> Option<Vec<f32>> {
    let tensor = file.tensor(name).ok()?;
    let words = tensor.data().as_chunks().0;
    (tensor.dtype() == Dtype::F32).then(|| words.iter().copied().map(f32::from_le_bytes).collect())
}

/// Numbers of half a style vector.
pub(crate) const STYLE_HALF: usize = 128;

/// Added to a variance before its root is divided by.
const EPSILON: f64 = 1e-5;

/// The file of weights while its layers are read.
pub(crate) struct WeightFile<'a> {
    bytes: &'a [u8],
    tensors: SafeTensors<'a>,
    rounded: bool,
}

/// A matrix of weights in the file, or a rearranged copy of one.
#[derive(Debug)]
struct Matrix {
    columns: usize,
    format: Format,
    place: Place,
    /// Of bytes only: one for all, or one a column.
    scale: Vec<f32>,
    zero_point: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    F32,
    F16,
    U8,
}

#[derive(Debug)]
enum Place {
    /// Bytes of the file.
    File(Range<usize>),
    Memory(Vec<u8>),
}

/// A convolution over time, "same" but for its step.
#[derive(Debug)]
pub(crate) struct Convolution {
    pub(crate) shape: Shape,
    pub(crate) bias: Vec<f32>,
    /// Rows of zeros before the input.
    pub(crate) before: usize,
    /// Input rows from one output row to the next.
    pub(crate) step: usize,
    /// Whether the input may be rounded to 16 bits.
    pub(crate) rounded: bool,
    matrix: Matrix,
}

/// A transposed convolution of twice as many taps as its stride: each input row gives `stride` output rows, the first
/// half of them from it and the row before, the second from it and the row after.
#[derive(Debug)]
pub(crate) struct Upsampling {
    pub(crate) stride: usize,
    pub(crate) halves: [Convolution; 2],
}

/// Rows of numbers, one for each symbol or place.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    matrix: Matrix,
}

/// The layer that turns a style into the scale and the shift of an adaptive instance normalization.
#[derive(Debug)]
pub(crate) struct Normalization {
    pub(crate) channels: usize,
    /// Where its statistics stand in a voice's averages.
    pub(crate) place: usize,
    bias: Vec<f32>,
    matrix: Matrix,
}

/// What an adaptive instance normalization does to each channel: x becomes scale x + shift.
#[derive(Clone, Debug, Default)]
pub(crate) struct Affine {
    pub(crate) scale: Vec<f32>,
    pub(crate) shift: Vec<f32>,
}

/// The mean and the variance of each channel of a signal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) mean: Vec<f64>,
    pub(crate) variance: Vec<f64>,
}

impl Matrix {
    fn bytes<'a>(&'a self, file: &'a [u8]) -> &'a [u8] {
        match &self.place {
            Place::File(range) => &file[range.clone()],
            Place::Memory(bytes) => bytes,
        }
    }

    fn filter<'a>(&'a self, file: &'a [u8]) -> Filter<'a> {
        let bytes = self.bytes(file);
        let values = match self.format {
            Format::F32 => Values::F32(bytes.as_chunks().0),
            Format::F16 => Values::F16(bytes.as_chunks().0),
            Format::U8 => {
                Values::U8 { codes: bytes, scale: &self.scale, zero_point: &self.zero_point }
            }
        };
        Filter::new(self.columns, values)
    }

    /// A matrix whose row r is the given rows of this one beside each other.
    fn rows_beside(&self, file: &[u8], rows: &[Vec<usize>]) -> Self {
        let bytes = self.bytes(file);
        let width = self.columns * self.format.size();
        let row = |row: &usize| &bytes[row * width..(row + 1) * width];
        let beside = rows.first().map_or(0, Vec::len);
        let tiled = |values: &[f32]| match values.len() {
            0 | 1 => values.to_vec(),
            _ => values.repeat(beside),
        };
        Self {
            columns: self.columns * beside,
            format: self.format,
            place: Place::Memory(rows.iter().flatten().flat_map(row).copied().collect()),
            scale: tiled(&self.scale),
            zero_point: tiled(&self.zero_point),
        }
    }
}

impl Format {
    fn size(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 => 2,
            Self::U8 => 1,
        }
    }
}

impl<'a> WeightFile<'a> {
    /// Reads the head of the file of that name.
    ///
    /// # Errors
    ///
    /// `model_error` if it is no such file; so are all the errors of the layers that are read from it, and they name
    /// the tensor.
    pub(crate) fn open(name: &str, bytes: &'a [u8]) -> Result<Self> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|e| {
            Error::model(format!("{name} of the voice bundle is damaged")).with_source(e)
        })?;
        Ok(Self { bytes, tensors, rounded: false })
    }

    /// The same file, whose convolutions may round what they read to 16 bits.
    pub(crate) fn rounded(self) -> Self {
        Self { rounded: true, ..self }
    }

    /// The bias of a layer, as long as its outputs are many.
    pub(crate) fn bias(&self, name: &str) -> Result<Vec<f32>> {
        let bias = format!("{name}.bias");
        floats(&self.tensors, &bias).ok_or_else(|| damaged(&bias))
    }

    /// The numbers of a small tensor of 32-bit floats.
    pub(crate) fn floats(&self, name: &str, length: usize) -> Result<Vec<f32>> {
        floats(&self.tensors, name)
            .filter(|values| values.len() == length)
            .ok_or_else(|| damaged(name))
    }

    /// The numbers of a tensor of three axes, whatever it is stored as.
    pub(crate) fn numbers(&self, name: &str, length: usize) -> Result<Vec<f32>> {
        let (matrix, shape) = self.matrix::<3>(name, 2)?;
        if shape.iter().product::<usize>() != length {
            return Err(damaged(name));
        }
        let mut numbers = vec![0.0; length];
        let filter = matrix.filter(self.bytes);
        for (row, numbers) in numbers.chunks_mut(matrix.columns.max(1)).enumerate() {
            filter.decode(row, 0, numbers);
        }
        Ok(numbers)
    }

    /// A convolution whose output has as many rows as its input.
    pub(crate) fn convolution(&self, name: &str, dilation: usize) -> Result<Convolution> {
        let weight = format!("{name}.weight");
        let (matrix, [taps, inputs, outputs]) = self.matrix(&weight, 2)?;
        let shape = Shape { taps, inputs, outputs, dilation };
        if ![1, 3, 7, 11].contains(&taps) || outputs % 32 != 0 || (taps > 1 && inputs % 32 != 0) {
            return Err(damaged(&weight));
        }
        let bias = self.floats(&format!("{name}.bias"), outputs)?;
        let before = (taps - 1) / 2 * dilation;
        Ok(Convolution { shape, bias, before, step: 1, rounded: self.rounded, matrix })
    }

    /// A convolution whose output has as many rows as its input, as a product of overlapping windows: for few rows.
    pub(crate) fn windowed(&self, name: &str) -> Result<Convolution> {
        self.windows(name, |taps| (!taps.is_multiple_of(2)).then_some((taps / 2, 1)))
    }

    /// Rows of numbers.
    pub(crate) fn table(&self, name: &str) -> Result<Table> {
        let (matrix, [rows, columns]) = self.matrix(name, 1)?;
        Ok(Table { rows, columns, matrix })
    }

    /// The matrix of a recurrent layer of so many states.
    pub(crate) fn recurrent(&self, name: &str, states: usize) -> Result<RecurrentMatrix> {
        let (matrix, shape) = self.matrix(name, 1)?;
        if shape != [states, 4 * states] || !states.is_multiple_of(32) {
            return Err(damaged(name));
        }
        Ok(RecurrentMatrix::new(&matrix.filter(self.bytes), states, 4 * states))
    }

    /// A convolution of twice as many taps as its step, as a product of overlapping windows.
    pub(crate) fn strided(&self, name: &str) -> Result<Convolution> {
        self.windows(name, |taps| taps.is_multiple_of(4).then_some((taps / 4, taps / 2)))
    }

    /// A convolution as a product of windows; its taps say how many rows of zeros are before it, and its step.
    fn windows(
        &self,
        name: &str,
        place: impl Fn(usize) -> Option<(usize, usize)>,
    ) -> Result<Convolution> {
        let weight = format!("{name}.weight");
        let (matrix, [taps, inputs, outputs]) = self.matrix(&weight, 2)?;
        let (before, step) =
            place(taps).filter(|_| outputs % 32 == 0).ok_or_else(|| damaged(&weight))?;
        let shape = Shape { taps, inputs, outputs, dilation: 1 }.of_windows();
        let bias = self.floats(&format!("{name}.bias"), outputs)?;
        Ok(Convolution { shape, bias, before, step, rounded: self.rounded, matrix })
    }

    /// A transposed convolution.
    pub(crate) fn upsampling(&self, name: &str) -> Result<Upsampling> {
        let weight = format!("{name}.weight");
        let (matrix, [taps, inputs, outputs]) = self.matrix(&weight, 2)?;
        let stride = taps / 2;
        if !taps.is_multiple_of(4) || inputs % 32 != 0 || outputs % 32 != 0 {
            return Err(damaged(&weight));
        }
        let bias = self.floats(&format!("{name}.bias"), outputs)?;
        let (half, padding) = (stride / 2, stride / 2);
        // The taps that an input row and the next one meet, for each output row of the half.
        let halves = [
            (0..half).map(|o| [o + padding + stride, o + padding]).collect::<Vec<_>>(),
            (half..stride).map(|o| [o + padding, o + padding - stride]).collect(),
        ];
        let [first, second] = halves.map(|taps| {
            let row = |j: usize, input| taps.iter().map(|taps| taps[j] * inputs + input).collect();
            let rows: Vec<_> = (0..2)
                .flat_map(|j| (0..inputs).map(move |i| (j, i)))
                .map(|(j, i)| row(j, i))
                .collect();
            matrix.rows_beside(self.bytes, &rows)
        });
        let convolution = |matrix: Matrix, before| Convolution {
            shape: Shape { taps: 1, inputs: 2 * inputs, outputs: matrix.columns, dilation: 1 },
            bias: bias.repeat(half),
            before,
            step: 1,
            rounded: self.rounded,
            matrix,
        };
        Ok(Upsampling { stride, halves: [convolution(first, 1), convolution(second, 0)] })
    }

    /// The style layer of a normalization; `place` is where its statistics begin in a voice's averages, and moves on to
    /// those of the next.
    pub(crate) fn normalization(&self, name: &str, place: &mut usize) -> Result<Normalization> {
        let weight = format!("{name}.weight");
        // Scales and shifts beside each other in one row.
        let (matrix, [inputs, two, channels]) = self.matrix(&weight, 1)?;
        if inputs != STYLE_HALF || two != 2 {
            return Err(damaged(&weight));
        }
        let bias = self.floats(&format!("{name}.bias"), 2 * channels)?;
        let first = *place;
        *place += channels;
        Ok(Normalization { channels, place: first, bias, matrix })
    }

    /// A tensor as a matrix whose columns are the axes from this one on.
    fn matrix<const N: usize>(&self, name: &str, axis: usize) -> Result<(Matrix, [usize; N])> {
        self.read(name, axis).ok_or_else(|| damaged(name))
    }

    fn read<const N: usize>(&self, name: &str, axis: usize) -> Option<(Matrix, [usize; N])> {
        let tensor = self.tensors.tensor(name).ok()?;
        let shape: [usize; N] = tensor.shape().try_into().ok()?;
        let format = match tensor.dtype() {
            Dtype::F32 => Format::F32,
            Dtype::F16 => Format::F16,
            Dtype::U8 => Format::U8,
            _ => return None,
        };
        let columns = shape[axis..].iter().product();
        let (mut scale, mut zero_point) = (Vec::new(), Vec::new());
        if matches!(format, Format::U8) {
            scale = floats(&self.tensors, &format!("{name}.scale"))?;
            let zeros = self.tensors.tensor(&format!("{name}.zero_point")).ok()?;
            zero_point = zeros.data().iter().map(|zero| f32::from(*zero)).collect();
            let fits = scale.len() == zero_point.len()
                && (scale.len() == 1 || scale.len() == columns)
                && zeros.dtype() == Dtype::U8;
            if !fits {
                return None;
            }
        }
        let start = tensor.data().as_ptr().addr() - self.bytes.as_ptr().addr();
        let place = Place::File(start..start + tensor.data().len());
        Some((Matrix { columns, format, place, scale, zero_point }, shape))
    }
}

impl Convolution {
    /// Its weights, of the file that it was read from.
    pub(crate) fn filter<'a>(&'a self, file: &'a [u8]) -> Filter<'a> {
        self.matrix.filter(file)
    }

    /// The same convolution with its output channels in another order, and its weights in memory.
    pub(crate) fn with_outputs(&self, file: &[u8], order: &[Option<usize>]) -> Self {
        let rows = self.shape.taps * self.shape.inputs;
        let filter = self.filter(file);
        let mut row = vec![0.0; self.shape.outputs];
        let mut bytes = Vec::with_capacity(rows * order.len() * 4);
        for index in 0..rows {
            filter.decode(index, 0, &mut row);
            for output in order {
                bytes.extend(output.map_or(0.0, |output| row[output]).to_le_bytes());
            }
        }
        Self::in_memory(
            Shape { outputs: order.len(), ..self.shape },
            bytes,
            order.iter().map(|output| output.map_or(0.0, |output| self.bias[output])).collect(),
            self.before,
        )
    }

    /// A product of windows, so many numbers from one to the next, with these 32-bit weights.
    pub(crate) fn strided_in_memory(shape: Shape, bytes: Vec<u8>, step: usize) -> Self {
        let bias = vec![0.0; shape.outputs];
        Self { step, ..Self::in_memory(shape, bytes, bias, 0) }
    }

    /// A convolution with these 32-bit weights.
    pub(crate) fn in_memory(shape: Shape, bytes: Vec<u8>, bias: Vec<f32>, before: usize) -> Self {
        let matrix = Matrix {
            columns: shape.outputs,
            format: Format::F32,
            place: Place::Memory(bytes),
            scale: Vec::new(),
            zero_point: Vec::new(),
        };
        Self { shape, bias, before, step: 1, rounded: false, matrix }
    }
}

impl Normalization {
    /// What it does to a signal with these statistics, in this style.
    pub(crate) fn affine(&self, file: &[u8], style: &[f32], statistics: &Statistics) -> Affine {
        let Affine { scale, shift } = self.of_style(file, style);
        let numbers = statistics.mean.iter().zip(&statistics.variance);
        let (scale, shift) = scale
            .iter()
            .zip(&shift)
            .zip(numbers)
            .map(|((gain, offset), (mean, variance))| {
                let scale = f64::from(*gain) / (variance + EPSILON).sqrt();
                (scale as f32, (f64::from(*offset) - mean * scale) as f32)
            })
            .unzip();
        Affine { scale, shift }
    }

    /// What it does in this style to a signal of mean 0 and variance 1.
    pub(crate) fn of_style(&self, file: &[u8], style: &[f32]) -> Affine {
        let filter = self.matrix.filter(file);
        let mut scale = self.bias.clone();
        let mut row = vec![0.0; scale.len()];
        for (input, x) in style.iter().enumerate() {
            filter.decode(input, 0, &mut row);
            for (sum, weight) in scale.iter_mut().zip(&row) {
                *sum += x * weight;
            }
        }
        let shift = scale.split_off(self.channels);
        Affine { scale, shift }
    }
}

impl Table {
    /// Adds the numbers of a row.
    pub(crate) fn add(&self, file: &[u8], row: usize, sums: &mut [f32]) {
        let mut numbers = vec![0.0; sums.len()];
        self.matrix.filter(file).decode(row, 0, &mut numbers);
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
}

/// The error for a tensor, or for layers whose channels do not fit each other.
pub(crate) fn damaged(name: &str) -> Error {
    Error::model(format!("the tensor {name:?} of the voice bundle is missing or damaged"))
}
