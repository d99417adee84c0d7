//! Writes a file of weights in the layout of a voice bundle: [taps, inputs, outputs].

use std::io;

use safetensors::Dtype;
use safetensors::tensor::TensorView;

/// The elements of one half of a style vector.
const STYLE: usize = 128;

/// Tensors by name.
#[derive(Default)]
pub(super) struct Weights(Vec<(String, Dtype, Vec<usize>, Vec<u8>)>);

impl Weights {
    /// A tensor of 32-bit floats.
    pub(super) fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        let data = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.0.push((name.to_owned(), Dtype::F32, shape.to_vec(), data));
    }

    /// A tensor of zeros, stored as bytes with scale and zero point.
    pub(super) fn zeros(&mut self, name: &str, shape: &[usize]) {
        let one = vec![1; shape.len()];
        self.floats(&format!("{name}.scale"), &one, &[1.0]);
        self.0.push((format!("{name}.zero_point"), Dtype::U8, one, vec![0]));
        self.0.push((name.to_owned(), Dtype::U8, shape.to_vec(), vec![0; shape.iter().product()]));
    }

    /// A convolution that always outputs its bias.
    pub(super) fn deaf(&mut self, name: &str, taps: usize, inputs: usize, bias: &[f32]) {
        self.zeros(&format!("{name}.weight"), &[taps, inputs, bias.len()]);
        self.floats(&format!("{name}.bias"), &[bias.len()], bias);
    }

    /// A convolution that outputs zeros.
    pub(super) fn nothing(&mut self, name: &str, taps: usize, inputs: usize, outputs: usize) {
        self.deaf(name, taps, inputs, &vec![0.0; outputs]);
    }

    /// A one-tap convolution with some nonzero weights: input, output and weight.
    pub(super) fn product(
        &mut self,
        name: &str,
        inputs: usize,
        weights: &[(usize, usize, f32)],
        bias: &[f32],
    ) {
        let mut values = vec![0.0; inputs * bias.len()];
        for (input, output, weight) in weights {
            values[input * bias.len() + output] = *weight;
        }
        self.floats(&format!("{name}.weight"), &[1, inputs, bias.len()], &values);
        self.floats(&format!("{name}.bias"), &[bias.len()], bias);
    }

    /// A transposed convolution that outputs zeros in as many channels as before, stored as the
    /// halves of its time steps.
    pub(super) fn upsampling(&mut self, name: &str, stride: usize, channels: usize) {
        for half in 0..2 {
            let shape = [1, 2 * channels, stride / 2 * channels];
            self.zeros(&format!("{name}.halves.{half}.weight"), &shape);
        }
        self.floats(&format!("{name}.bias"), &[channels], &vec![0.0; channels]);
    }

    /// A depthwise transposed convolution that outputs zeros.
    pub(super) fn pool(&mut self, name: &str, channels: usize) {
        self.floats(&format!("{name}.weight"), &[3, channels], &vec![0.0; 3 * channels]);
        self.floats(&format!("{name}.bias"), &[channels], &vec![0.0; channels]);
    }

    /// A normalization with this scale and shift for every style.
    pub(super) fn adaptive_norm(&mut self, name: &str, channels: usize, scale: f32, shift: f32) {
        self.zeros(&format!("{name}.weight"), &[STYLE, 2, channels]);
        let bias = [vec![scale; channels], vec![shift; channels]].concat();
        self.floats(&format!("{name}.bias"), &[2, channels], &bias);
    }

    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// None are known.
    pub(super) fn into_file(self) -> io::Result<Vec<u8>> {
        let views = self.0.iter().map(|(name, dtype, shape, data)| {
            let view = TensorView::new(*dtype, shape.clone(), data).map_err(io::Error::other)?;
            Ok((name, view))
        });
        let views: Vec<_> = views.collect::<io::Result<_>>()?;
        safetensors::serialize(views, None).map_err(io::Error::other)
    }
}
