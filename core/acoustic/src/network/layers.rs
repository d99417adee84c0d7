//! Reads layers from a weight file.
//!
//! A weight file is in safetensors format; the README of `tools/bundle` describes its layout. The
//! matrix of a convolution has the axes [taps, inputs, outputs], with channels zero-padded to
//! multiples of 32.

use std::ops::Range;

use safetensors::{Dtype, SafeTensors};
use speech_base::error::{Error, Result};
use speech_kernels::filter::{Filter, Values};
use speech_kernels::{RecurrentMatrix, Shape};

/// The values of a 32-bit float tensor; `None` if no tensor has this name and type.
pub(crate) fn read_floats(file: &SafeTensors<'_>, name: &str) -> Option<Vec<f32>> {
    let tensor = file.tensor(name).ok()?;
    let words = tensor.data().as_chunks().0;
    (tensor.dtype() == Dtype::F32).then(|| words.iter().copied().map(f32::from_le_bytes).collect())
}

/// The number of elements in one part of a style vector.
pub(crate) const STYLE_PART: usize = 128;

/// Added to a variance before the division by its square root.
const EPSILON: f64 = 1e-5;

/// A weight file from which layers are read.
pub(crate) struct WeightFile<'a> {
    pub(crate) bytes: &'a [u8],
    tensors: SafeTensors<'a>,
    /// Whether its convolutions may quantize their input to 16-bit integers.
    int16: bool,
}

/// A weight matrix.
#[derive(Debug)]
struct Matrix {
    columns: usize,
    format: Format,
    storage: Storage,
    /// For [`Format::U8`], one for all columns or one per column; for [`Format::I16`], one per
    /// column.
    scale: Vec<f32>,
    /// For [`Format::U8`], as many as there are scales.
    zero_point: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    F32,
    F16,
    I16,
    U8,
}

#[derive(Debug)]
enum Storage {
    /// A range of bytes of the file.
    File(Range<usize>),
    Memory(Vec<u8>),
}

/// A convolution over time, with zero padding.
#[derive(Debug)]
pub(crate) struct Convolution {
    pub(crate) shape: Shape,
    pub(crate) bias: Vec<f32>,
    /// The zero time steps before the input.
    pub(crate) padding: usize,
    /// The input time steps from one output time step to the next.
    pub(crate) stride: usize,
    /// Whether the input may be quantized to 16-bit integers.
    pub(crate) int16: bool,
    matrix: Matrix,
}

/// A transposed convolution with twice as many taps as its stride. Each input time step gives
/// `stride` output time steps: the first half from it and the previous one, the second half from it
/// and the next one.
#[derive(Debug)]
pub(crate) struct Upsampling {
    pub(crate) stride: usize,
    pub(crate) halves: [Convolution; 2],
}

/// An embedding table: one row per symbol or position.
#[derive(Debug)]
pub(crate) struct Embedding {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    matrix: Matrix,
}

/// The linear layer that maps a style to the scale and the shift of an adaptive instance
/// normalization.
#[derive(Debug)]
pub(crate) struct Normalization {
    pub(crate) channels: usize,
    /// The index of its first channel in a voice's average statistics.
    pub(crate) statistics_offset: usize,
    bias: Vec<f32>,
    matrix: Matrix,
}

/// A normalization with its statistics applied: x becomes scale x + shift, per channel.
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
        match &self.storage {
            Storage::File(range) => &file[range.clone()],
            Storage::Memory(bytes) => bytes,
        }
    }

    fn filter<'a>(&'a self, file: &'a [u8]) -> Filter<'a> {
        let bytes = self.bytes(file);
        let values = match self.format {
            Format::F32 => Values::F32(bytes.as_chunks().0),
            Format::F16 => Values::F16(bytes.as_chunks().0),
            Format::I16 => Values::I16 { codes: bytes.as_chunks().0, scale: &self.scale },
            Format::U8 => {
                Values::U8 { codes: bytes, scale: &self.scale, zero_point: &self.zero_point }
            }
        };
        Filter::new(self.columns, values)
    }
}

impl<'a> WeightFile<'a> {
    /// Reads the header of a weight file with this name.
    ///
    /// # Errors
    ///
    /// `model_error` if the header is damaged. Errors of reading a layer are `model_error` too, and
    /// name the tensor.
    pub(crate) fn open(name: &str, bytes: &'a [u8]) -> Result<Self> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|e| {
            Error::damaged(format!("{name} of the voice bundle is damaged")).with_source(e)
        })?;
        Ok(Self { bytes, tensors, int16: false })
    }

    /// The same file; its convolutions may quantize their input to 16-bit integers.
    pub(crate) fn allowing_int16(self) -> Self {
        Self { int16: true, ..self }
    }

    /// Whether a tensor's name begins with `prefix`.
    pub(crate) fn has(&self, prefix: &str) -> bool {
        self.tensors.names().iter().any(|name| name.starts_with(prefix))
    }

    /// The bias of a layer, one element per output.
    pub(crate) fn bias(&self, name: &str) -> Result<Vec<f32>> {
        self.any_floats(&format!("{name}.bias"))
    }

    /// The elements of a small 32-bit float tensor of any length.
    pub(crate) fn any_floats(&self, name: &str) -> Result<Vec<f32>> {
        read_floats(&self.tensors, name).ok_or_else(|| damaged(name))
    }

    /// The elements of a small 32-bit float tensor.
    pub(crate) fn floats(&self, name: &str, length: usize) -> Result<Vec<f32>> {
        self.any_floats(name)
            .and_then(|values| if values.len() == length { Ok(values) } else { Err(damaged(name)) })
    }

    /// The elements of a three-axis tensor of any format.
    pub(crate) fn decoded(&self, name: &str, length: usize) -> Result<Vec<f32>> {
        let (matrix, shape) = self.matrix::<3>(name, 2)?;
        if shape.iter().product::<usize>() != length {
            return Err(damaged(name));
        }
        let mut values = vec![0.0; length];
        let filter = matrix.filter(self.bytes);
        for (row, values) in values.chunks_mut(matrix.columns.max(1)).enumerate() {
            filter.decode(row, 0, values);
        }
        Ok(values)
    }

    /// A convolution whose output has as many time steps as its input.
    pub(crate) fn convolution(&self, name: &str, dilation: usize) -> Result<Convolution> {
        let weight = format!("{name}.weight");
        let (matrix, [taps, inputs, outputs]) = self.matrix(&weight, 2)?;
        let shape = Shape { taps, inputs, outputs, dilation };
        if ![1, 3, 7, 11].contains(&taps) || outputs % 32 != 0 || (taps > 1 && inputs % 32 != 0) {
            return Err(damaged(&weight));
        }
        let bias = self.floats(&format!("{name}.bias"), outputs)?;
        let padding = (taps - 1) / 2 * dilation;
        Ok(Convolution { shape, bias, padding, stride: 1, int16: self.int16, matrix })
    }

    /// A linear layer of this size, applied to each time step.
    pub(crate) fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Convolution> {
        let layer = self.convolution(name, 1)?;
        let shape = Shape { taps: 1, inputs, outputs, dilation: 1 };
        if layer.shape == shape { Ok(layer) } else { Err(damaged(&format!("{name}.weight"))) }
    }

    /// A convolution whose output has as many time steps as its input, as one im2col product: for
    /// few time steps.
    pub(crate) fn im2col_convolution(&self, name: &str) -> Result<Convolution> {
        self.im2col(name, |taps| (!taps.is_multiple_of(2)).then_some((taps / 2, 1)))
    }

    /// An embedding table.
    pub(crate) fn embedding(&self, name: &str) -> Result<Embedding> {
        let (matrix, [rows, columns]) = self.matrix(name, 1)?;
        Ok(Embedding { rows, columns, matrix })
    }

    /// The recurrent matrix of an LSTM with this many states.
    pub(crate) fn recurrent(&self, name: &str, states: usize) -> Result<RecurrentMatrix> {
        let (matrix, shape) = self.matrix(name, 1)?;
        if shape != [states, 4 * states] || !states.is_multiple_of(32) {
            return Err(damaged(name));
        }
        Ok(RecurrentMatrix::new(&matrix.filter(self.bytes), states, 4 * states))
    }

    /// A convolution with twice as many taps as its stride, as one im2col product.
    pub(crate) fn strided_convolution(&self, name: &str) -> Result<Convolution> {
        self.im2col(name, |taps| taps.is_multiple_of(4).then_some((taps / 4, taps / 2)))
    }

    /// A convolution as one im2col product. `geometry` gives the padding and the stride for a
    /// number of taps, or none for an invalid number.
    fn im2col(
        &self,
        name: &str,
        geometry: impl Fn(usize) -> Option<(usize, usize)>,
    ) -> Result<Convolution> {
        let weight = format!("{name}.weight");
        let (matrix, [taps, inputs, outputs]) = self.matrix(&weight, 2)?;
        let (padding, stride) =
            geometry(taps).filter(|_| outputs % 32 == 0).ok_or_else(|| damaged(&weight))?;
        let shape = Shape { taps, inputs, outputs, dilation: 1 }.as_im2col();
        let bias = self.floats(&format!("{name}.bias"), outputs)?;
        Ok(Convolution { shape, bias, padding, stride, int16: self.int16, matrix })
    }

    /// A transposed convolution whose input has this many channels.
    pub(crate) fn upsampling(&self, name: &str, inputs: usize) -> Result<Upsampling> {
        let bias = read_floats(&self.tensors, &format!("{name}.bias"))
            .filter(|bias| !bias.is_empty())
            .ok_or_else(|| damaged(&format!("{name}.bias")))?;
        let half = |half, padding| {
            let weight = format!("{name}.halves.{half}.weight");
            let (matrix, [taps, two_steps, outputs]) = self.matrix(&weight, 2)?;
            let shape = Shape { taps, inputs: two_steps, outputs, dilation: 1 };
            if taps != 1
                || two_steps != 2 * inputs
                || outputs % bias.len() != 0
                || outputs % 32 != 0
            {
                return Err(damaged(&weight));
            }
            let bias = bias.repeat(outputs / bias.len());
            Ok(Convolution { shape, bias, padding, stride: 1, int16: self.int16, matrix })
        };
        let halves = [half(0, 1)?, half(1, 0)?];
        let [first, second] = halves.each_ref().map(|half| half.shape.outputs);
        if first != second {
            return Err(damaged(name));
        }
        Ok(Upsampling { stride: 2 * first / bias.len(), halves })
    }

    /// The style layer of a normalization. `statistics_offset` is the index of its first channel in
    /// a voice's average statistics, and is advanced to that of the next normalization.
    pub(crate) fn normalization(
        &self,
        name: &str,
        statistics_offset: &mut usize,
    ) -> Result<Normalization> {
        let weight = format!("{name}.weight");
        // A row holds the weights of all scales, then those of all shifts.
        let (matrix, [inputs, two, channels]) = self.matrix(&weight, 1)?;
        if inputs != STYLE_PART || two != 2 {
            return Err(damaged(&weight));
        }
        let bias = self.floats(&format!("{name}.bias"), 2 * channels)?;
        let first = *statistics_offset;
        *statistics_offset += channels;
        Ok(Normalization { channels, statistics_offset: first, bias, matrix })
    }

    /// A tensor as a matrix: the axes from `axis` on form a row.
    fn matrix<const N: usize>(&self, name: &str, axis: usize) -> Result<(Matrix, [usize; N])> {
        self.read(name, axis).ok_or_else(|| damaged(name))
    }

    fn read<const N: usize>(&self, name: &str, axis: usize) -> Option<(Matrix, [usize; N])> {
        let tensor = self.tensors.tensor(name).ok()?;
        let shape: [usize; N] = tensor.shape().try_into().ok()?;
        let format = match tensor.dtype() {
            Dtype::F32 => Format::F32,
            Dtype::F16 => Format::F16,
            Dtype::I16 => Format::I16,
            Dtype::U8 => Format::U8,
            _ => return None,
        };
        let columns = shape[axis..].iter().product();
        let (mut scale, mut zero_point) = (Vec::new(), Vec::new());
        if matches!(format, Format::I16) {
            scale = read_floats(&self.tensors, &format!("{name}.scale"))?;
            if scale.len() != columns {
                return None;
            }
        }
        if matches!(format, Format::U8) {
            scale = read_floats(&self.tensors, &format!("{name}.scale"))?;
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
        let storage = Storage::File(start..start + tensor.data().len());
        Some((Matrix { columns, format, storage, scale, zero_point }, shape))
    }
}

impl Convolution {
    /// The weights. `file` is the content of the file they come from.
    pub(crate) fn filter<'a>(&'a self, file: &'a [u8]) -> Filter<'a> {
        self.matrix.filter(file)
    }

    /// The same convolution with its output channels in this order; `None` is a channel of zeros.
    /// Its weights are in memory.
    pub(crate) fn reorder_outputs(&self, file: &[u8], order: &[Option<usize>]) -> Self {
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
            self.padding,
        )
    }

    /// An im2col product without bias, with this stride and these 32-bit weights.
    pub(crate) fn strided_in_memory(shape: Shape, bytes: Vec<u8>, stride: usize) -> Self {
        let bias = vec![0.0; shape.outputs];
        Self { stride, ..Self::in_memory(shape, bytes, bias, 0) }
    }

    /// A convolution with these 32-bit weights.
    pub(crate) fn in_memory(shape: Shape, bytes: Vec<u8>, bias: Vec<f32>, padding: usize) -> Self {
        let matrix = Matrix {
            columns: shape.outputs,
            format: Format::F32,
            storage: Storage::Memory(bytes),
            scale: Vec::new(),
            zero_point: Vec::new(),
        };
        Self { shape, bias, padding, stride: 1, int16: false, matrix }
    }
}

impl Normalization {
    /// The normalization of a signal with these statistics in a style.
    pub(crate) fn affine(&self, file: &[u8], style: &[f32], statistics: &Statistics) -> Affine {
        let Affine { scale, shift } = self.style_affine(file, style);
        let moments = statistics.mean.iter().zip(&statistics.variance);
        let (scale, shift) = scale
            .iter()
            .zip(&shift)
            .zip(moments)
            .map(|((gain, offset), (mean, variance))| {
                let scale = f64::from(*gain) / (variance + EPSILON).sqrt();
                (scale as f32, (f64::from(*offset) - mean * scale) as f32)
            })
            .unzip();
        Affine { scale, shift }
    }

    /// The scale and the shift of a style, for a signal of mean 0 and variance 1.
    pub(crate) fn style_affine(&self, file: &[u8], style: &[f32]) -> Affine {
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

impl Embedding {
    /// Adds a row to `sums`.
    pub(crate) fn add(&self, file: &[u8], row: usize, sums: &mut [f32]) {
        let mut values = vec![0.0; sums.len()];
        self.matrix.filter(file).decode(row, 0, &mut values);
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += value;
        }
    }
}

/// The error for an unusable tensor, or for layers whose channel counts do not match.
pub(crate) fn damaged(name: &str) -> Error {
    Error::damaged(format!("the tensor {name:?} of the voice bundle is missing or damaged"))
}
