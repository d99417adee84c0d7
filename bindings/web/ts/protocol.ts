/** The messages between the page and its worker. */

import type { Diagnostic, RawAudio, RawChunk } from "./audio.js";
import type { RawError } from "./errors.js";
import type { Pcm, RawLexicon } from "./platform.js";
import type { RawRequest } from "./request.js";
import type { VoicesFile } from "./voices-file.js";

/** The options for loading the engine in the worker. */
export interface LoadOptions {
  /** The address of the voices, or their bytes. */
  voices: string | Blob;
  /** The expected file; `undefined` if any is accepted. */
  file: VoicesFile | undefined;
  /** Whether the voices are stored for the next visit. */
  store: boolean;
  /** The addresses of the modules, by kind. */
  modules: Record<ModuleKind, string>;
  /** The number of threads; 0 for the default. */
  threads: number;
  kernels: string;
  pronunciations: [string, string][];
  cache: number;
  /** The flags that cancel requests, if the page may share memory. */
  cancelled: SharedArrayBuffer | undefined;
}

/**
 * The builds of the module: for any browser with SIMD, with relaxed SIMD, and with relaxed SIMD and
 * threads.
 */
export type ModuleKind = "simd" | "relaxed" | "threads";

/** The state of a stream. */
export interface Known {
  /** The number of sentences; 0 for a live text. */
  sentences: number;
  /** Whether so much text waits to be spoken that the source should pause. */
  isFull: boolean;
  diagnostics: Diagnostic[];
}

/** A chunk or a whole speech; its samples are sent beside it. */
export type WithoutPcm = Omit<RawChunk, "pcm"> | Omit<RawAudio, "pcm">;

/** The properties of the loaded engine. */
export interface RawEngine {
  threads: number;
  kernels: string;
  precision: string;
  module: ModuleKind;
  /** Whether the voices are stored for the next visit. */
  stored: boolean;
}

/** The progress of loading. */
export interface LoadProgress {
  /** `download` of the voices, or `prepare`, which checks and unpacks them. */
  phase: "download" | "prepare";
  /** The number of bytes so far. */
  loaded: number;
  /** The total number of bytes; `undefined` while unknown. */
  total: number | undefined;
}

/** A call of the page that the worker answers. `number` is the request's, chosen by the page. */
export type Ask =
  | { ask: "load"; options: LoadOptions }
  | { ask: "synthesize" | "stream" | "live" | "streamLong"; number: number; request: RawRequest }
  | { ask: "push"; number: number; piece: string }
  | { ask: "flush" | "finish"; number: number }
  | { ask: "qualities"; voice: string; language: string }
  | { ask: "warmUp" }
  | { ask: "parseLexicon" | "parsePls"; lexicon: RawLexicon; text: string }
  | { ask: "splitText"; text: string; maxCharacters: number };

/** A message to the worker. */
export type ToWorker =
  | { id: number; ask: Ask }
  /** Allows `credit` more chunks. */
  | { credit: number; number: number }
  /** Ends a request. */
  | { close: number }
  /** Frees a lexicon. */
  | { free: RawLexicon };

/** A message from the worker. */
export type FromWorker =
  | { id: number; value: unknown }
  | { id: number; error: RawError }
  | { progress: LoadProgress }
  | { number: number; chunk: WithoutPcm; pcm: Pcm }
  | { number: number; live: Known }
  | { number: number; ended: true; error?: RawError }
  /** The module failed and is unusable. */
  | { failed: RawError };
