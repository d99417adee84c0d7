/** The audio processor, which plays samples on the audio thread. */

declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** A message to the processor: begin a speech with this number, add samples, end it, or stop. */
export type ToProcessor = { begin: number } | { samples: Float32Array<ArrayBuffer> } | { end: true } | { stop: true };

/** A message from the processor. */
export interface Report {
  /** The number of the speech. */
  number: number;
  /** The number of its samples played so far. */
  played: number;
  /** Whether all samples were played. */
  isEnd: boolean;
}

/** The number of blocks of 128 frames between two reports: about 50 ms at 22,050 Hz. */
const BLOCKS_PER_REPORT = 8;

class SpeechProcessor extends AudioWorkletProcessor {
  readonly #queue: Float32Array[] = [];
  /** The position in the first buffer of the queue. */
  #at = 0;
  /** The number of samples played, without the silence inserted when the queue was empty. */
  #played = 0;
  #blocks = 0;
  #number = 0;
  /** Whether all samples were received. */
  #isComplete = false;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToProcessor>) => {
      if ("samples" in data) this.#queue.push(data.samples);
      else if ("end" in data) this.#isComplete = true;
      else {
        this.#queue.length = this.#at = 0;
        this.#isComplete = false;
        if ("begin" in data) {
          this.#number = data.begin;
          this.#played = 0;
        }
      }
    };
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const output = outputs[0]![0]!;
    let filled = 0;
    while (filled < output.length && this.#queue.length > 0) {
      const samples = this.#queue[0]!;
      const count = Math.min(samples.length - this.#at, output.length - filled);
      output.set(samples.subarray(this.#at, this.#at + count), filled);
      filled += count;
      this.#at += count;
      if (this.#at === samples.length) {
        this.#queue.shift();
        this.#at = 0;
      }
    }
    this.#played += filled;
    const isEnd = this.#isComplete && this.#queue.length === 0;
    this.#blocks = (this.#blocks + 1) % BLOCKS_PER_REPORT;
    if (isEnd || (this.#blocks === 0 && filled > 0)) this.#report(isEnd);
    if (isEnd) this.#isComplete = false;
    return true;
  }

  #report(isEnd: boolean): void {
    const report: Report = { number: this.#number, played: this.#played, isEnd };
    this.port.postMessage(report);
  }
}

registerProcessor("libspeech", SpeechProcessor);
