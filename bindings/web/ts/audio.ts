/** Samples a second, in hertz, of all audio. */
export const SAMPLE_RATE = 22_050;

/** The bytes of the header of a RIFF/WAVE file. */
const HEADER = 44;

/** A part of a text, in UTF-16 code units: `text.slice(span.start, span.end)`. */
export interface Span {
  start: number;
  end: number;
}

/** When a word is heard, in seconds. */
export interface Word {
  span: Span;
  start: number;
  end: number;
}

/** When a sentence is heard, in seconds. */
export interface Sentence {
  span: Span;
  start: number;
  end: number;
}

/** When a sound is heard, in seconds. */
export interface Phoneme {
  ipa: string;
  span: Span;
  start: number;
  end: number;
}

/** When a mark of SSML is reached, in seconds. */
export interface Mark {
  name: string;
  time: number;
}

/** The shape of the mouth, in seconds. */
export interface Viseme {
  viseme: string;
  /** The number of the viseme in Azure's table. */
  azure: number;
  start: number;
  end: number;
}

/** A note on how the text was read. */
export interface Diagnostic {
  /** `skipped`: a part of the text that was not spoken. */
  kind: "skipped" | (string & {});
  span: Span;
}

/** What is heard when. */
export interface RawEvents {
  words: Word[];
  sentences: Sentence[];
  phonemes: Phoneme[];
  marks: Mark[];
  visemes: Viseme[];
}

/** The speech of a whole text, without its samples. */
export interface RawAudio extends RawEvents {
  characters: number;
  requestId: string;
  diagnostics: Diagnostic[];
  kernels: string;
  precision: string;
  elapsed: number;
}

/** A chunk of a stream, without its samples. */
export interface RawChunk extends RawEvents {
  span: Span;
}

/** Samples, and what is heard when. */
export abstract class Samples {
  /** The samples: 16-bit, mono, {@link SAMPLE_RATE} of them a second. */
  readonly pcm: Int16Array<ArrayBuffer>;
  /** When each word is heard; of a stream, from the start of the stream. */
  readonly words: readonly Word[];
  /** When each sentence is heard; of a stream, in the last chunk of the sentence. */
  readonly sentences: readonly Sentence[];
  /** When each sound is heard. */
  readonly phonemes: readonly Phoneme[];
  /** When each mark of SSML is reached. */
  readonly marks: readonly Mark[];
  /** The shapes of the mouth. */
  readonly visemes: readonly Viseme[];

  /** @internal */
  protected constructor(raw: RawEvents, pcm: Int16Array<ArrayBuffer>) {
    this.pcm = pcm;
    this.words = raw.words;
    this.sentences = raw.sentences;
    this.phonemes = raw.phonemes;
    this.marks = raw.marks;
    this.visemes = raw.visemes;
  }

  /** Samples a second, in hertz: always 22050. */
  get sampleRate(): number {
    return SAMPLE_RATE;
  }

  /** How long it sounds, in seconds. */
  get duration(): number {
    return this.pcm.length / SAMPLE_RATE;
  }

  /** The samples as 16-bit little-endian bytes: the same memory. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.pcm.buffer, this.pcm.byteOffset, this.pcm.byteLength);
  }

  /** The samples as floats from -1 to 1, as Web Audio takes them; a copy. */
  get float32(): Float32Array<ArrayBuffer> {
    return Float32Array.from(this.pcm, (sample) => sample / 32_768);
  }

  /** The samples as a RIFF/WAVE file, for an `<audio>` element or a download. */
  toBlob(): Blob {
    return new Blob([header(this.pcm.byteLength), this.bytes], { type: "audio/wav" });
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
  /** The kernels that it was computed with: `simd128`. */
  readonly kernels: string;
  /** The precision that the matrix products were computed in: `fp32`. */
  readonly precision: string;
  /** The seconds that it took to compute, waiting for its turn included. */
  readonly elapsed: number;

  /** @internal */
  constructor(raw: RawAudio, pcm: Int16Array<ArrayBuffer>) {
    super(raw, pcm);
    this.characters = raw.characters;
    this.requestId = raw.requestId;
    this.diagnostics = raw.diagnostics;
    this.kernels = raw.kernels;
    this.precision = raw.precision;
    this.elapsed = raw.elapsed;
  }
}

/** A sentence of a stream, with the pause after it; with low latency the first sentence may come as three. */
export class Chunk extends Samples {
  /** Where the text has the sentence: `text.slice(span.start, span.end)`. */
  readonly span: Span;

  /** @internal */
  constructor(raw: RawChunk, pcm: Int16Array<ArrayBuffer>) {
    super(raw, pcm);
    this.span = raw.span;
  }
}

/** The header of a RIFF/WAVE file with `bytes` bytes of samples. */
function header(bytes: number): ArrayBuffer {
  const header = new DataView(new ArrayBuffer(HEADER));
  const tag = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) header.setUint8(at + i, text.charCodeAt(i));
  };
  tag(0, "RIFF");
  header.setUint32(4, HEADER - 8 + bytes, true);
  tag(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true); // format: integer PCM
  header.setUint16(22, 1, true); // channels
  header.setUint32(24, SAMPLE_RATE, true);
  header.setUint32(28, SAMPLE_RATE * 2, true);
  header.setUint16(32, 2, true); // bytes per frame
  header.setUint16(34, 16, true); // bits per sample
  tag(36, "data");
  header.setUint32(40, bytes, true);
  return header.buffer;
}
