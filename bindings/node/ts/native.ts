/** The native module: private, not a part of the API. */

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { Diagnostic, RawAudio, RawChunk } from "./audio.js";
import { type RawError, errorOf } from "./errors.js";
import type { RawRequest } from "./request.js";

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
  cache: number;
}

export interface NativeCancel {
  cancel(): void;
}

/** The members common to all streams. */
export interface NativeChunks {
  next(): Promise<RawChunk | null | RawError>;
  close(): void;
  readonly requestId: string;
  readonly diagnostics: Diagnostic[];
}

export interface NativeStream extends NativeChunks {
  readonly sentences: number;
}

export interface NativeLiveStream extends NativeChunks {
  push(piece: string): undefined | RawError;
  flush(): void;
  finish(): void;
  heardAt(seconds: number): number;
  readonly isFull: boolean;
}

export interface NativeEngine {
  cancel(): NativeCancel;
  synthesize(request: RawRequest, cancel: NativeCancel): Promise<RawAudio | RawError>;
  stream(request: RawRequest): NativeStream | RawError;
  live(request: RawRequest): NativeLiveStream | RawError;
  streamLong(request: RawRequest): NativeLiveStream | RawError;
  qualities(voice: string, language: string): string[] | RawError;
  warmUp(): Promise<void | RawError>;
  trim(): undefined | RawError;
  close(): void;
  readonly threads: number;
  readonly kernels: string;
  readonly precision: string;
}

export interface NativeLexicon {
  readonly size: number;
}

export interface NativeSegmenter {
  push(piece: string): RawSegment[] | RawError;
  finish(): RawSegment[];
}

export interface Native {
  Engine: { load(options: NativeOptions): Promise<NativeEngine | RawError> };
  Segmenter: new () => NativeSegmenter;
  errorKinds(): { code: string; retryable: boolean; httpStatus?: number }[];
  requestId(): string;
  errorDetails(): string[];
  errorAdvice(): string[];
  checkJson(json: Uint8Array): undefined | RawError;
  checkDelivery(request: RawRequest, format: string): undefined | RawError;
  parseLexicon(text: string): Promise<NativeLexicon | RawError>;
  parsePls(document: string): Promise<NativeLexicon | RawError>;
  nearestName(name: string, known: string[]): string | null;
  splitText(text: string, maxCharacters: number): string[] | RawError;
  voices(): string;
  tierTable(): { name: string; attContextSize: number[]; rateMicros: number; latencyMs: number }[];
  tiers(contexts: number[]): string;
  resolveTier(contexts: number[], name: string): string | RawError;
  rankTiers(contexts: number[], useCase: string): string[];
  charge(tier: string, seconds: bigint, nanoseconds: number): bigint;
  chargeSamples(tier: string, samples: bigint, sampleRate: number): bigint;
}

const nodeRequire = createRequire(__filename);

/** The C library of a Linux system, as in the names of platform packages. */
function libc(): string {
  if (process.platform !== "linux") return "";
  const report = process.report.getReport() as unknown as {
    header: { glibcVersionRuntime?: string };
  };
  return report.header.glibcVersionRuntime === undefined ? "-musl" : "-gnu";
}

function load(): Native {
  const platform = `${process.platform}-${process.arch}${libc()}`;
  // In a development tree, the module is in the package's own folder.
  const local = join(__dirname, "..", `libspeech.${platform}.node`);
  try {
    return nodeRequire(existsSync(local) ? local : `libspeech-sdk-${platform}`) as Native;
  } catch (cause) {
    const message = `libspeech-sdk has no working module for ${platform}: is the package libspeech-sdk-${platform} installed? (npm leaves it out with --omit=optional)`;
    throw new Error(message, { cause });
  }
}

export const native: Native = load();

/** The value of a call of the native module. Throws its error. */
export function unwrap<T>(result: T | RawError): T {
  if (!isError(result)) return result;
  // The core knows no package manager, so the package adds what to install.
  const isMissing = result.detail === "bundle_not_found";
  throw errorOf(isMissing ? { ...result, message: NO_BUNDLE } : result);
}

const NO_BUNDLE =
  "no voice bundle: run `npm install libspeech-sdk-voices`, pass the directory of a bundle, or set SPEECH_BUNDLE";

function isError(value: unknown): value is RawError {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}
