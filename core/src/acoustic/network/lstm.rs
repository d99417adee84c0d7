//! Long short-term memory in both directions (Hochreiter and Schmidhuber 1997, Schuster and Paliwal 1997).

use super::convolve::{Convolver, Source};
use super::layers::{Convolution, WeightFile, damaged};
use super::signal::Signal;
use crate::Result;
use crate::acoustic::kernels::{Kernels, RecurrentMatrix};

/// One layer, whose output rows are the states of both directions beside each other.
#[derive(Debug)]
pub(crate) struct Lstm {
    /// States of a direction.
    states: usize,
    directions: [Direction; 2],
}

/// From the first row to the last, or from the last to the first.
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
            Ok::<_, crate::Error>(Direction { input, recurrent })
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

    /// The states after each row.
    ///
    /// # Errors
    ///
    /// `cancelled`.
    pub(crate) fn run<K: Kernels>(
        &self,
        convolver: &Convolver<'_, K>,
        input: &Source<'_>,
    ) -> Result<Signal> {
        let rows = input.signal.rows();
        let mut states = convolver.signal(2 * rows, self.states);
        let mut gates = Vec::new();
        for direction in &self.directions {
            gates.push(convolver.apply(&direction.input, input)?);
        }
        // Each direction by itself: a step needs the one before.
        convolver.threads.for_each_chunk(&mut states.values, rows * self.states, |d, states| {
            self.directions[d].run(convolver.kernels, &gates[d], d == 1, states);
        });
        gates.into_iter().for_each(|sums| convolver.free(sums));
        let mut output = convolver.signal(rows, self.outputs());
        for (t, row) in output.values.chunks_exact_mut(self.outputs()).enumerate() {
            let (forward, backward) = row.split_at_mut(self.states);
            forward.copy_from_slice(states.row(t));
            backward.copy_from_slice(states.row(rows + t));
        }
        convolver.free(states);
        Ok(output)
    }
}

impl Direction {
    /// The states after each row, from the gates' sums of the input.
    fn run<K: Kernels>(&self, kernels: K, sums: &Signal, backward: bool, states: &mut [f32]) {
        let rows = sums.rows();
        let count = states.len() / rows;
        let (mut state, mut cell) = (vec![0.0; count], vec![0.0; count]);
        let mut gates = vec![0.0; 4 * count];
        for step in 0..rows {
            let t = if backward { rows - 1 - step } else { step };
            kernels.multiply_recurrent(&self.recurrent, &state, &mut gates);
            for (gate, sum) in gates.iter_mut().zip(sums.row(t)) {
                *gate += sum;
            }
            kernels.lstm_step(&gates, &mut cell, &mut state);
            states[t * count..][..count].copy_from_slice(&state);
        }
    }
}
