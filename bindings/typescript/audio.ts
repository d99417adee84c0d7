import { type Encoding, type FloatSamples, type Output, floats } from "./encoding.js";
import { INTERNAL, checkInternal } from "./internal.js";
import { type Pcm, PlatformSamples } from "./platform.js";

/** A part of a text, in UTF-16 code units: `text.slice(span.start, span.end)`. */
export interface Span {
  start: number;
  end: number;
}

/** When a word is heard. In a stream it is in the chunk in which it begins. */
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

/** When a sound is heard. In a stream it is in the chunk in which it begins. */
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

/** What is heard when. */
interface RawEvents {
  pcm: Pcm;
  words: Word[];
  sentences: Sentence[];
  phonemes: Phoneme[];
  marks: Mark[];
  visemes: Viseme[];
}

/** The speech of a whole text. */
export interface RawAudio extends RawEvents {
  characters: number;
  requestId: string;
  diagnostics: Diagnostic[];
  kernels: string;
  precision: string;
  elapsed: number;
}

/** A chunk of a stream. */
export interface RawChunk extends RawEvents {
  span: Span;
}

/** Mono samples: what {@link Audio} and {@link Chunk} have in common. */
export abstract class Samples extends PlatformSamples {
  readonly #output: Output;
  /** The samples, of 16 bits. They are in the library's own memory, not in a copy, where the runtime allows that. */
  readonly samples: Pcm;
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
  protected constructor(raw: RawEvents, output: Output) {
    super();
    this.#output = output;
    this.samples = raw.pcm;
    this.words = raw.words;
    this.sentences = raw.sentences;
    this.phonemes = raw.phonemes;
    this.marks = raw.marks;
    this.visemes = raw.visemes;
  }

  /** Samples a second, in hertz. */
  get sampleRate(): number {
    return this.#output.sampleRate;
  }

  /** What a sample is in the bytes and in the file. */
  get encoding(): Encoding {
    return this.#output.encoding;
  }

  /** How long it sounds, in seconds. */
  get duration(): number {
    return this.samples.length / this.sampleRate;
  }

  /** The samples as floats from -1 to 1, as Web Audio takes them; a copy. */
  get float32(): FloatSamples {
    return floats(this.samples);
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

  private constructor(key: symbol, raw: RawAudio, output: Output) {
    checkInternal(key, "Engine.synthesize gives audio");
    super(raw, output);
    this.characters = raw.characters;
    this.requestId = raw.requestId;
    this.diagnostics = raw.diagnostics;
    this.kernels = raw.kernels;
    this.precision = raw.precision;
    this.elapsed = raw.elapsed;
  }

  /** @internal */
  static of(raw: RawAudio, output: Output): Audio {
    return new Audio(INTERNAL, raw, output);
  }
}

/** A sentence of a stream, with the pause after it; with low latency the first sentence may come as three. */
export class Chunk extends Samples {
  /** Where the text has the sentence: `text.slice(span.start, span.end)`. */
  readonly span: Span;

  private constructor(key: symbol, raw: RawChunk, output: Output) {
    checkInternal(key, "streams give chunks");
    super(raw, output);
    this.span = raw.span;
  }

  /** @internal */
  static of(raw: RawChunk, output: Output): Chunk {
    return new Chunk(INTERNAL, raw, output);
  }
}
