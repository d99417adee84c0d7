/** What the page and its worker say to each other. */

import type { Diagnostic, RawAudio, RawChunk } from "./audio.js";
import type { RawError } from "./errors.js";
import type { Pcm, RawLexicon } from "./platform.js";
import type { RawRequest } from "./request.js";
import type { VoicesFile } from "./voices-file.js";

/** How the worker loads the engine. */
export interface LoadOptions {
  /** Where the voices are, or their bytes. */
  voices: string | Blob;
  /** What the file is to be; unknown if there is none. */
  file: VoicesFile | undefined;
  /** Whether the voices are kept for the next visit. */
  store: boolean;
  /** Where the modules are, by their kind. */
  modules: Record<ModuleKind, string>;
  /** 0 for as many as are of use. */
  threads: number;
  kernels: string;
  pronunciations: [string, string][];
  cache: number;
  /** The flags that cancel requests, in a page that may share memory. */
  cancelled: SharedArrayBuffer | undefined;
}

/** The builds of the module: for any browser with SIMD, with relaxed SIMD, and with threads too. */
export type ModuleKind = "simd" | "relaxed" | "threads";

/** What is known of a stream so far. */
export interface Known {
  /** 0 of a live text. */
  sentences: number;
  /** Whether so much text waits to be spoken that a source of pieces is to wait too. */
  isFull: boolean;
  diagnostics: Diagnostic[];
}

/** A chunk or a whole speech, whose samples are beside it. */
export type WithoutPcm = Omit<RawChunk, "pcm"> | Omit<RawAudio, "pcm">;

/** The engine that was loaded. */
export interface RawEngine {
  threads: number;
  kernels: string;
  precision: string;
  module: ModuleKind;
  /** Whether the voices were kept for the next visit, or had been. */
  stored: boolean;
}

/** How far loading is. */
export interface LoadProgress {
  /** `download` of the voices, or `prepare`: they are checked and unpacked. */
  phase: "download" | "prepare";
  /** Bytes that are there. */
  loaded: number;
  /** Bytes of the whole; undefined while that is not known. */
  total: number | undefined;
}

/** What the page asks for, and is answered. `number` is that of a request, which the page chooses. */
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
  /** So many chunks more may be computed. */
  | { credit: number; number: number }
  /** Nothing more of a request is wanted. */
  | { close: number }
  /** A lexicon is not wanted any more. */
  | { free: RawLexicon };

/** A message of the worker. */
export type FromWorker =
  | { id: number; value: unknown }
  | { id: number; error: RawError }
  | { progress: LoadProgress }
  | { number: number; chunk: WithoutPcm; pcm: Pcm }
  | { number: number; live: Known }
  | { number: number; ended: true; error?: RawError }
  /** The module failed, and can do nothing more. */
  | { failed: RawError };
