/** What plays in the thread of the audio. */

declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** A message to the processor: something of this number begins, the samples of it, that there are no more, or that it is to stop. */
export type ToProcessor = { begin: number } | { samples: Float32Array<ArrayBuffer> } | { end: true } | { stop: true };

/** A message of the processor. */
export interface Report {
  /** Of what is played. */
  number: number;
  /** Samples of it that were played. */
  played: number;
  /** Whether those were all of it. */
  isEnd: boolean;
}

/** Blocks of 128 frames between two reports: some 50 ms at 22,050 Hz. */
const BLOCKS_PER_REPORT = 8;

class SpeechProcessor extends AudioWorkletProcessor {
  readonly #queue: Float32Array[] = [];
  /** Samples of the first of the queue that were played. */
  #at = 0;
  /** Samples that were played in all, those of silence for want of others not among them. */
  #played = 0;
  #blocks = 0;
  #number = 0;
  /** Whether no more samples will come. */
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
