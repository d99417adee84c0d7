/** What plays in the thread of the audio. */

declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** A message to the processor: samples, or what is to happen. */
export type ToProcessor = { samples: Float32Array<ArrayBuffer> } | { clear: true };

/** Blocks of 128 frames between two reports: some 50 ms at 22,050 Hz. */
const BLOCKS_PER_REPORT = 8;

class SpeechProcessor extends AudioWorkletProcessor {
  readonly #queue: Float32Array[] = [];
  /** Samples of the first of the queue that were played. */
  #at = 0;
  /** Samples that were played in all, those of silence for want of others not among them. */
  #played = 0;
  #blocks = 0;
  #wasEmpty = true;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToProcessor>) => {
      if ("samples" in data) this.#queue.push(data.samples);
      else this.#clear();
    };
  }

  #clear(): void {
    this.#queue.length = 0;
    this.#at = 0;
    this.#played = 0;
    this.#wasEmpty = true;
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
    const isEmpty = this.#queue.length === 0;
    this.#blocks = (this.#blocks + 1) % BLOCKS_PER_REPORT;
    if (isEmpty !== this.#wasEmpty || (this.#blocks === 0 && !isEmpty)) {
      this.port.postMessage({ played: this.#played, isEmpty });
    }
    this.#wasEmpty = isEmpty;
    return true;
  }
}

registerProcessor("libspeech", SpeechProcessor);
