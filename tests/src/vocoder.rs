//! The vocoder of the hum: as few channels as there may be, and no work for most of its layers.
//!
//! All weights of the residual blocks are zeros, so they hand on what comes in. Nothing comes of the decoder. The first
//! channel of the source goes through the last stage of the generator as it is, and out as the logarithm of the lowest
//! bin; the others are silent.

use std::io;

use safetensors::Dtype;
use safetensors::tensor::TensorView;

/// The channels of all that the real one has 128 to 1,090 of.
const CHANNELS: usize = 32;

/// Those of the text features and of what the decoder keeps of them, of the style, and of the source.
const TEXT: usize = 512;
const KEPT_TEXT: usize = 64;
const STYLE: usize = 128;
const SOURCE: usize = 22;

/// The slope of the leaky rectifier before the last convolution.
const SLOPE: f32 = 0.01;

/// The logarithm of the magnitude of a bin that is silent, and the bins.
const SILENT: f32 = -20.0;
const BINS: usize = 11;

/// The layers as they are written.
#[derive(Default)]
struct Layers(Vec<(String, Dtype, Vec<usize>, Vec<u8>)>);

/// The file of weights.
///
/// # Errors
///
/// None that is known of.
pub(crate) fn weights() -> io::Result<Vec<u8>> {
    let mut layers = Layers::default();
    layers.decoder();
    layers.generator();
    let views = layers.0.iter().map(|(name, dtype, shape, data)| {
        let view = TensorView::new(*dtype, shape.clone(), data).map_err(io::Error::other)?;
        Ok((name.clone(), view))
    });
    let views: Vec<_> = views.collect::<io::Result<_>>()?;
    safetensors::serialize(views, None).map_err(io::Error::other)
}

/// For how many channels there are normalizations: two in each block of the decoder, and six in each of the generator.
pub(crate) const STATISTICS: usize = (5 * 2 + 8 * 6) * CHANNELS;

impl Layers {
    fn floats(&mut self, name: String, shape: &[usize], values: &[f32]) {
        let data = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.0.push((name, Dtype::F32, shape.to_vec(), data));
    }

    /// A matrix of zeros, as bytes.
    fn zeros(&mut self, name: &str, shape: [usize; 3]) {
        let weight = format!("{name}.weight");
        self.floats(format!("{weight}.scale"), &[1], &[1.0]);
        self.0.push((format!("{weight}.zero_point"), Dtype::U8, vec![1], vec![0]));
        self.0.push((weight, Dtype::U8, shape.to_vec(), vec![0; shape.iter().product()]));
    }

    /// A convolution to silence.
    fn nothing(&mut self, name: &str, taps: usize, inputs: usize, outputs: usize) {
        self.zeros(name, [taps, inputs, outputs]);
        self.floats(format!("{name}.bias"), &[outputs], &vec![0.0; outputs]);
    }

    /// A convolution of one tap with some weights that are not zero: input, output and weight.
    fn product(
        &mut self,
        name: &str,
        inputs: usize,
        weights: &[(usize, usize, f32)],
        bias: &[f32; CHANNELS],
    ) {
        let mut values = vec![0.0; inputs * CHANNELS];
        for (input, output, weight) in weights {
            values[input * CHANNELS + output] = *weight;
        }
        self.floats(format!("{name}.weight"), &[1, inputs, CHANNELS], &values);
        self.floats(format!("{name}.bias"), &[CHANNELS], bias);
    }

    /// A normalization to zero.
    fn norm(&mut self, name: &str) {
        self.zeros(name, [STYLE, 2, CHANNELS]);
        self.floats(format!("{name}.bias"), &[2, CHANNELS], &[0.0; 2 * CHANNELS]);
    }

    fn decoder(&mut self) {
        for curve in ["pitch", "energy"] {
            self.nothing(&format!("decoder.{curve}"), 3, 1, 1);
        }
        self.nothing("decoder.text", 1, TEXT, KEPT_TEXT);
        let blocks = (0..4).map(|i| format!("decoder.blocks.{i}"));
        for block in blocks.chain(["decoder.encode".to_owned()]) {
            for layer in ["norm1", "norm2"] {
                self.norm(&format!("{block}.{layer}"));
            }
            for layer in ["conv1", "conv2", "shortcut"] {
                self.nothing(&format!("{block}.{layer}"), 1, CHANNELS, CHANNELS);
            }
        }
        let pool = "decoder.blocks.3.pool";
        self.floats(format!("{pool}.weight"), &[3, CHANNELS], &[0.0; 3 * CHANNELS]);
        self.floats(format!("{pool}.bias"), &[CHANNELS], &[0.0; CHANNELS]);
    }

    fn generator(&mut self) {
        for (stage, stride) in [10, 6].into_iter().enumerate() {
            self.nothing(&format!("generator.upsample.{stage}"), 2 * stride, CHANNELS, CHANNELS);
            self.residual(&format!("generator.noise.{stage}.block"));
        }
        (0..6).for_each(|i| self.residual(&format!("generator.blocks.{i}")));
        self.nothing("generator.noise.0.conv", 12, SOURCE, CHANNELS);
        // Both signs, of which the rectifier hands on one, and a little of the other.
        let signs = [(0, 0, 1.0), (0, 1, -1.0)];
        self.product("generator.noise.1.conv", SOURCE, &signs, &[0.0; CHANNELS]);
        let weight = 1.0 / (1.0 + SLOPE);
        let mut bias = [0.0; CHANNELS];
        bias[1..BINS].fill(SILENT);
        self.product("generator.out", CHANNELS, &[(0, 0, weight), (1, 0, -weight)], &bias);
    }

    /// A block of the generator that hands on what comes in.
    fn residual(&mut self, name: &str) {
        for (number, pair) in (1..=2).flat_map(|number| (0..3).map(move |pair| (number, pair))) {
            self.norm(&format!("{name}.norm{number}.{pair}"));
            self.floats(format!("{name}.alpha{number}.{pair}"), &[CHANNELS], &[1.0; CHANNELS]);
            self.nothing(&format!("{name}.conv{number}.{pair}"), 1, CHANNELS, CHANNELS);
        }
    }
}
