import { writeFile } from "node:fs/promises";
import type { PathLike } from "node:fs";

import { type RawAudio, type RawChunk, type Span } from "./native.js";

/** Samples a second of all audio, in hertz. */
export const SAMPLE_RATE = 22_050;

const HEADER = 44;

/** An array of numbers in memory of its own: `Float32Array<ArrayBuffer>` to compilers that tell that apart. */
type Floats = ReturnType<typeof Float32Array.from>;

/** When a word is heard. */
export interface Word {
  /** Where the text has it: `text.slice(span.start, span.end)`. */
  readonly span: Span;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly start: number;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly end: number;
}

/** What a caller may want to know about how a text was read. */
export interface Diagnostic {
  /** `skipped`: these characters were not said. */
  readonly kind: string;
  /** Where the text has them. */
  readonly span: Span;
}

/** 16-bit mono samples at 22,050 Hz: what {@link Audio} and {@link Chunk} have in common. */
export abstract class Samples {
  /** The samples. They are in the library's own memory, not in a copy, where the runtime allows that. */
  readonly pcm: Int16Array;
  /** When each word is heard. */
  readonly words: readonly Word[];

  /** @internal */
  protected constructor(raw: RawAudio | RawChunk) {
    this.pcm = raw.pcm;
    this.words = raw.words;
  }

  /** Samples a second, in hertz: always 22050. */
  get sampleRate(): number {
    return SAMPLE_RATE;
  }

  /** How long it sounds, in seconds. */
  get duration(): number {
    return this.pcm.length / SAMPLE_RATE;
  }

  /** The samples as bytes, 16-bit little-endian: the same memory. */
  get bytes(): Buffer {
    return Buffer.from(this.pcm.buffer, this.pcm.byteOffset, this.pcm.byteLength);
  }

  /** The samples as numbers from -1 to 1, as Web Audio takes them; a copy. */
  get float32(): Floats {
    return Float32Array.from(this.pcm, (sample) => sample / 32_768);
  }

  /** The samples as a RIFF/WAVE file; a copy. */
  get wav(): Buffer {
    return riff([this.bytes]);
  }

  /** Writes a RIFF/WAVE file. */
  async save(path: PathLike): Promise<void> {
    await writeFile(path, this.wav);
  }
}

/** A whole text, spoken. */
export class Audio extends Samples {
  /** The metered quantity: the characters (Unicode scalar values) of the text as it was given. */
  readonly characters: number;
  /** The identifier of the request, a UUID. */
  readonly requestId: string;
  /** What was not said. */
  readonly diagnostics: readonly Diagnostic[];
  /** The instructions that it was computed with, such as `avx512`. */
  readonly kernels: string;
  /** What the products were computed in: `fp32` or `bf16`. */
  readonly precision: string;
  /** The seconds that it took to compute, waiting for its turn included. */
  readonly elapsed: number;

  private constructor(raw: RawAudio) {
    super(raw);
    this.characters = raw.characters;
    this.requestId = raw.requestId;
    this.diagnostics = raw.diagnostics;
    this.kernels = raw.kernels;
    this.precision = raw.precision;
    this.elapsed = raw.elapsed;
  }

  /** @internal */
  static of(raw: RawAudio): Audio {
    return new Audio(raw);
  }
}

/** A sentence of a stream, with the pause after it; with low latency the first sentence may come as three. */
export class Chunk extends Samples {
  /** Where the text has the sentence: `text.slice(span.start, span.end)`. */
  readonly span: Span;

  private constructor(raw: RawChunk) {
    super(raw);
    this.span = raw.span;
  }

  /** @internal */
  static of(raw: RawChunk): Chunk {
    return new Chunk(raw);
  }
}

/** Samples, in parts, as one RIFF/WAVE file. */
export function riff(parts: readonly Buffer[]): Buffer {
  const bytes = parts.reduce((length, part) => length + part.length, 0);
  return Buffer.concat([header(bytes), ...parts]);
}

/** The header of a RIFF/WAVE file with so many bytes of samples. */
function header(bytes: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write("RIFF", 0);
  header.writeUInt32LE(HEADER - 8 + bytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // whole numbers
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32); // bytes of a frame
  header.writeUInt16LE(16, 34); // bits of a sample
  header.write("data", 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}
