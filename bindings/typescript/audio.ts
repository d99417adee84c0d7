import { type Encoding, type FloatSamples, type Output, floats } from "./encoding.js";
import { INTERNAL, checkInternal } from "./internal.js";
import { type Pcm, PlatformSamples } from "./platform.js";

/** A range of a text, in UTF-16 code units: `text.slice(span.start, span.end)`. */
export interface Span {
  start: number;
  end: number;
}

/** The timestamp of a word. A stream has it in the chunk in which the word begins. */
export interface Word {
  /** The word in the text: `text.slice(span.start, span.end)`. */
  readonly span: Span;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly start: number;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly end: number;
}

/** The timestamp of a sentence. A stream has it in the last chunk of the sentence. */
export interface Sentence {
  /** The sentence in the text: `text.slice(span.start, span.end)`. */
  readonly span: Span;
  /** The start of its first word, in seconds from the start of the audio or the stream. */
  readonly start: number;
  /** The end of its last word, in seconds from the start of the audio or the stream. */
  readonly end: number;
}

/** The timestamp of a phoneme. A stream has it in the chunk in which the phoneme begins. */
export interface Phoneme {
  /** The phoneme in IPA; a stressed vowel begins with the stress mark: `ˈoʊ`, `tʃ`. */
  readonly ipa: string;
  /** Its word in the text: the span of a {@link Word}. */
  readonly span: Span;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly start: number;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly end: number;
}

/** The timestamp of an SSML `<mark>`. */
export interface Mark {
  readonly name: string;
  /** Seconds from the start of the audio; in a stream, from the start of the stream. */
  readonly time: number;
}

/** The visemes of OVR LipSync. */
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

/** The timestamp of a viseme. */
export interface Viseme {
  /** The viseme, one of the 15 of OVR LipSync. */
  readonly viseme: VisemeName;
  /** The viseme ID, 0 to 21, of Azure Speech. */
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
  /** The characters in the text. */
  readonly span: Span;
}

/** The timestamps of some audio. */
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

/** Mono samples: the common part of {@link Audio} and {@link Chunk}. */
export abstract class Samples extends PlatformSamples {
  readonly #output: Output;
  /**
   * The 16-bit samples. They are in the library's own memory, without a copy, if the runtime allows
   * that.
   */
  readonly samples: Pcm;
  /** The timestamps of the words. */
  readonly words: readonly Word[];
  /** The timestamps of the sentences. */
  readonly sentences: readonly Sentence[];
  /** The timestamps of the phonemes. */
  readonly phonemes: readonly Phoneme[];
  /** The timestamps of SSML marks. */
  readonly marks: readonly Mark[];
  /** The visemes, from the first sample to the last; closed lips in silence. */
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

  /** The sample rate, in hertz. */
  get sampleRate(): number {
    return this.#output.sampleRate;
  }

  /** The encoding of the bytes and of the file. */
  get encoding(): Encoding {
    return this.#output.encoding;
  }

  /** The duration, in seconds. */
  get duration(): number {
    return this.samples.length / this.sampleRate;
  }

  /** The samples as floats from -1 to 1, as for Web Audio; a copy. */
  get float32(): FloatSamples {
    return floats(this.samples);
  }
}

/** The speech of a whole text. */
export class Audio extends Samples {
  /**
   * The metered quantity: the number of characters (Unicode scalar values) of the text as given.
   */
  readonly characters: number;
  /** The identifier of the request, a UUID. */
  readonly requestId: string;
  /** Notes on how the text was read: skipped text. */
  readonly diagnostics: readonly Diagnostic[];
  /** The kernels that computed it, such as `avx512`. */
  readonly kernels: string;
  /** The precision of the matrix products: `fp32`, `int16` or `bf16`. */
  readonly precision: string;
  /** The seconds of computation, including the wait for its turn. */
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

/**
 * A sentence of a stream, with the pause after it; with low latency the first sentence may come as
 * three chunks.
 */
export class Chunk extends Samples {
  /** The sentence in the text: `text.slice(span.start, span.end)`. */
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
