//! Bidirectional long short-term memory (Hochreiter and Schmidhuber 1997, Schuster and Paliwal
//! 1997).

use speech_base::error::Result;
use speech_kernels::{Elementwise, Kernels, RecurrentMatrix};

use super::convolve::{Convolver, Input};
use super::layers::{Convolution, WeightFile, damaged};
use super::signal::Signal;

/// One layer. Its output at a time step is the concatenated states of both directions.
#[derive(Debug)]
pub(crate) struct Lstm {
    /// The number of states per direction.
    states: usize,
    directions: [Direction; 2],
}

/// The weights of one direction.
#[derive(Debug)]
struct Direction {
    input: Convolution,
    recurrent: RecurrentMatrix,
}

impl Lstm {
    pub(crate) fn read(file: &WeightFile<'_>, name: &str) -> Result<Self> {
        let direction = |d| {
            let input = file.convolution(&format!("{name}.input.{d}"), 1)?;
            let states = input.shape.outputs / 4;
            let recurrent = file.recurrent(&format!("{name}.recurrent.{d}.weight"), states)?;
            Ok::<_, speech_base::error::Error>(Direction { input, recurrent })
        };
        let directions = [direction(0)?, direction(1)?];
        if directions[0].input.shape != directions[1].input.shape {
            return Err(damaged(name));
        }
        Ok(Self { states: directions[0].input.shape.outputs / 4, directions })
    }

    /// Channels of the input.
    pub(crate) fn inputs(&self) -> usize {
        self.directions[0].input.shape.inputs
    }

    /// Channels of the output.
    pub(crate) fn outputs(&self) -> usize {
        2 * self.states
    }

    /// The states at each time step.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        input: &Input<'_>,
    ) -> Result<Signal> {
        let time_steps = input.signal.time_steps();
        let mut states = convolver.signal(2 * time_steps, self.states)?;
        let mut gates = Vec::new();
        for direction in &self.directions {
            gates.push(convolver.apply(&direction.input, input)?);
        }
        // Only the two directions run in parallel: each step depends on the one before.
        convolver.threads.for_each_chunk(
            &mut states.values,
            time_steps * self.states,
            |d, states| {
                self.directions[d].run(convolver.kernels.fp32(), &gates[d], d == 1, states);
            },
        );
        gates.into_iter().for_each(|sums| convolver.release(sums));
        let mut output = convolver.signal(time_steps, self.outputs())?;
        for (t, row) in output.values.chunks_exact_mut(self.outputs()).enumerate() {
            let (forward, backward) = row.split_at_mut(self.states);
            forward.copy_from_slice(states.frame(t));
            backward.copy_from_slice(states.frame(time_steps + t));
        }
        convolver.release(states);
        Ok(output)
    }
}

impl Direction {
    /// The states at each time step. `sums` is the input's contribution to the gates.
    fn run(&self, kernels: impl Elementwise, sums: &Signal, backward: bool, states: &mut [f32]) {
        let time_steps = sums.time_steps();
        let count = states.len() / time_steps;
        let (mut state, mut cell) = (vec![0.0; count], vec![0.0; count]);
        let mut gates = vec![0.0; 4 * count];
        for step in 0..time_steps {
            let t = if backward { time_steps - 1 - step } else { step };
            kernels.multiply_recurrent(&self.recurrent, &state, &mut gates);
            for (gate, sum) in gates.iter_mut().zip(sums.frame(t)) {
                *gate += sum;
            }
            kernels.lstm_step(&gates, &mut cell, &mut state);
            states[t * count..][..count].copy_from_slice(&state);
        }
    }
}
