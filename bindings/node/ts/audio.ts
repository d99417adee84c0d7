import { writeFile } from "node:fs/promises";
import type { PathLike } from "node:fs";

import { INTERNAL, checkInternal } from "./internal.js";
import { type RawAudio, type RawChunk, type Span } from "./native.js";

/** Samples a second of all audio, in hertz. */
export const SAMPLE_RATE = 22_050;

/** The length of the header of a RIFF/WAVE file, in bytes. */
const HEADER = 44;

/** `Float32Array<ArrayBuffer>` for compilers since TypeScript 5.7, `Float32Array` for those before. */
type FloatSamples = ReturnType<typeof Float32Array.from>;

/** When a word is heard. */
export interface Word {
  /** Where the text has it: `text.slice(span.start, span.end)`. */
  readonly span: Span;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly start: number;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly end: number;
}

/** When a sentence is heard. In a stream it is in the last chunk of the sentence. */
export interface Sentence {
  /** Where the text has it: `text.slice(span.start, span.end)`. */
  readonly span: Span;
  /** Seconds from the start of the audio to its first word; in a stream, from the start of the stream. */
  readonly start: number;
  /** Seconds from the start of the audio to the end of its last word; in a stream, from the start of the stream. */
  readonly end: number;
}

/** When a sound is heard. */
export interface Phoneme {
  /** The sound in IPA, with the mark of stress before a vowel that has it: `ˈoʊ`, `tʃ`. */
  readonly ipa: string;
  /** Where the text has its word: the span of a {@link Word}. */
  readonly span: Span;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly start: number;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly end: number;
}

/** When a `<mark>` of SSML is reached. */
export interface Mark {
  readonly name: string;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly time: number;
}

/** The shapes of the mouth, the visemes of OVR LipSync. */
export type VisemeName =
  | "sil"
  | "PP"
  | "FF"
  | "TH"
  | "DD"
  | "kk"
  | "CH"
  | "SS"
  | "nn"
  | "RR"
  | "aa"
  | "E"
  | "ih"
  | "oh"
  | "ou";

/** When the mouth has a shape. */
export interface Viseme {
  /** The shape, of the 15 of OVR LipSync. */
  readonly viseme: VisemeName;
  /** The shape, of the 22 of Azure's table: 0 to 21. */
  readonly azure: number;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly start: number;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly end: number;
}

/** A note on how the text was read. */
export interface Diagnostic {
  /** `skipped`: these characters were not spoken. */
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
  /** When each sentence is heard. */
  readonly sentences: readonly Sentence[];
  /** When each sound is heard. */
  readonly phonemes: readonly Phoneme[];
  /** When each mark of SSML is reached. */
  readonly marks: readonly Mark[];
  /** The shapes of the mouth, from the first sample to the last: closed where nothing is said. */
  readonly visemes: readonly Viseme[];

  /** @internal */
  protected constructor(raw: RawAudio | RawChunk) {
    this.pcm = raw.pcm;
    this.words = raw.words;
    this.sentences = raw.sentences;
    this.phonemes = raw.phonemes;
    this.marks = raw.marks;
    this.visemes = raw.visemes as Viseme[];
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

  /** The samples as floats from -1 to 1, as Web Audio takes them; a copy. */
  get float32(): FloatSamples {
    return Float32Array.from(this.pcm, (sample) => sample / 32_768);
  }

  /** The samples as a RIFF/WAVE file; a copy. */
  get wav(): Buffer {
    return wavFile([this.bytes]);
  }

  /** Writes a RIFF/WAVE file. */
  async save(path: PathLike): Promise<void> {
    await writeFile(path, this.wav);
  }
}

/** The speech of a whole text. */
export class Audio extends Samples {
  /** The metered quantity: the characters (Unicode scalar values) of the text as it was given. */
  readonly characters: number;
  /** The identifier of the request, a UUID. */
  readonly requestId: string;
  /** Notes on how the text was read: what was not spoken. */
  readonly diagnostics: readonly Diagnostic[];
  /** The kernels that it was computed with, such as `avx512`. */
  readonly kernels: string;
  /** The precision that the matrix products were computed in: `fp32`, `int16` or `bf16`. */
  readonly precision: string;
  /** The seconds that it took to compute, waiting for its turn included. */
  readonly elapsed: number;

  private constructor(key: symbol, raw: RawAudio) {
    checkInternal(key, "Engine.synthesize gives audio");
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
    return new Audio(INTERNAL, raw);
  }
}

/** A sentence of a stream, with the pause after it; with low latency the first sentence may come as three. */
export class Chunk extends Samples {
  /** Where the text has the sentence: `text.slice(span.start, span.end)`. */
  readonly span: Span;

  private constructor(key: symbol, raw: RawChunk) {
    checkInternal(key, "streams give chunks");
    super(raw);
    this.span = raw.span;
  }

  /** @internal */
  static of(raw: RawChunk): Chunk {
    return new Chunk(INTERNAL, raw);
  }
}

/** One RIFF/WAVE file of samples that come in parts. */
export function wavFile(parts: readonly Buffer[]): Buffer {
  const bytes = parts.reduce((length, part) => length + part.length, 0);
  return Buffer.concat([header(bytes), ...parts]);
}

/** The header of a RIFF/WAVE file with `bytes` bytes of samples. */
function header(bytes: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write("RIFF", 0);
  header.writeUInt32LE(HEADER - 8 + bytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // format: integer PCM
  header.writeUInt16LE(1, 22); // channels
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32); // bytes per frame
  header.writeUInt16LE(16, 34); // bits per sample
  header.write("data", 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}
