/** The native module: private, and no part of the API. */

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** An error of the core, as the native module returns it. */
export interface NativeError {
  code: string;
  message: string;
  requestId: string;
  detail?: string;
  path?: string;
  advice?: string;
  cause?: string;
}

/** A part of a text, in UTF-16 code units: `text.slice(span.start, span.end)`. */
export interface Span {
  start: number;
  end: number;
}

export interface RawRequest {
  text: string;
  language: string;
  voice: string;
  format: string;
  latency: string;
  quality: string;
  rate: number;
  pitch: number;
  volume: number;
  ssml: boolean;
  readPauses: boolean;
  readEmoji: boolean;
  readRomanizedHindi: boolean;
}

export interface RawWord {
  span: Span;
  start: number;
  end: number;
}

export interface RawSentence {
  span: Span;
  start: number;
  end: number;
}

export interface RawPhoneme {
  ipa: string;
  span: Span;
  start: number;
  end: number;
}

export interface RawMark {
  name: string;
  time: number;
}

export interface RawViseme {
  viseme: string;
  azure: number;
  start: number;
  end: number;
}

/** What is heard when. */
export interface RawEvents {
  words: RawWord[];
  sentences: RawSentence[];
  phonemes: RawPhoneme[];
  marks: RawMark[];
  visemes: RawViseme[];
}

export interface RawDiagnostic {
  kind: string;
  span: Span;
}

export interface RawAudio extends RawEvents {
  pcm: Int16Array;
  characters: number;
  requestId: string;
  diagnostics: RawDiagnostic[];
  kernels: string;
  precision: string;
  elapsed: number;
}

export interface RawChunk extends RawEvents {
  pcm: Int16Array;
  span: Span;
}

export interface RawSegment {
  text: string;
  start: number;
  end: number;
  endsParagraph: boolean;
}

export interface NativeOptions {
  bundle?: string | Buffer;
  mapBundle?: boolean;
  threads?: number;
  maxConcurrency?: number;
  kernels?: string;
  precision?: string;
  pronunciations: string[];
}

export interface NativeCancel {
  cancel(): void;
}

/** What all streams have in common. */
export interface NativeChunks {
  next(): Promise<RawChunk | null | NativeError>;
  close(): void;
  readonly requestId: string;
  readonly characters: number;
  readonly diagnostics: RawDiagnostic[];
}

export interface NativeStream extends NativeChunks {
  readonly sentences: number;
}

export interface NativeLiveStream extends NativeChunks {
  push(piece: string): undefined | NativeError;
  flush(): void;
  finish(): void;
  heardAt(seconds: number): number;
  readonly isFull: boolean;
}

export interface NativeEngine {
  cancel(): NativeCancel;
  synthesize(request: RawRequest, cancel: NativeCancel): Promise<RawAudio | NativeError>;
  stream(request: RawRequest, cancel: NativeCancel): NativeStream | NativeError;
  live(request: RawRequest, cancel: NativeCancel): NativeLiveStream | NativeError;
  streamLong(request: RawRequest, cancel: NativeCancel): NativeLiveStream | NativeError;
  qualities(voice: string, language: string): string[] | NativeError;
  warmUp(): Promise<void | NativeError>;
  trim(): undefined | NativeError;
  close(): void;
  readonly threads: number;
  readonly kernels: string;
  readonly precision: string;
}

export interface NativeSegmenter {
  push(piece: string): RawSegment[] | NativeError;
  finish(): RawSegment[];
}

export interface Native {
  Engine: { load(options: NativeOptions): Promise<NativeEngine | NativeError> };
  Segmenter: new () => NativeSegmenter;
  errorKinds(): { code: string; retryable: boolean; httpStatus?: number }[];
  requestId(): string;
  errorDetails(): string[];
  errorAdvice(): string[];
  checkJson(json: Uint8Array): undefined | NativeError;
  checkDelivery(request: RawRequest): undefined | NativeError;
  nearestName(name: string, known: string[]): string | null;
  splitText(text: string, maxCharacters: number): string[] | NativeError;
  voices(): string;
  tierTable(): { name: string; attContextSize: number[]; rateMicros: number; latencyMs: number }[];
  tiers(contexts: number[]): string;
  resolveTier(contexts: number[], name: string): string | NativeError;
  rankTiers(contexts: number[], useCase: string): string[];
  charge(tier: string, seconds: bigint, nanoseconds: number): bigint;
  chargeSamples(tier: string, samples: bigint, sampleRate: number): bigint;
}

const nodeRequire = createRequire(__filename);

/** The C library of a Linux system, as the names of platform packages end. */
function libc(): string {
  if (process.platform !== "linux") return "";
  const report = process.report.getReport() as unknown as {
    header: { glibcVersionRuntime?: string };
  };
  return report.header.glibcVersionRuntime === undefined ? "-musl" : "-gnu";
}

function load(): Native {
  const platform = `${process.platform}-${process.arch}${libc()}`;
  // Where the package is developed, the module is in its own folder.
  const local = join(__dirname, "..", `libspeech.${platform}.node`);
  try {
    return nodeRequire(existsSync(local) ? local : `libspeech-sdk-${platform}`) as Native;
  } catch (cause) {
    const message = `libspeech-sdk has no working module for ${platform}: is the package libspeech-sdk-${platform} installed? (npm leaves it out with --omit=optional)`;
    throw new Error(message, { cause });
  }
}

export const native: Native = load();

/** Whether a value is an error of the core. */
export function isNativeError(value: unknown): value is NativeError {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}
