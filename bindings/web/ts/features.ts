/** Detects the features of the browser. */

import { SpeechError } from "./errors.js";
import type { ModuleKind } from "./protocol.js";

/** A module with one SIMD instruction: `i8x16.splat`, whose result is dropped. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11];

/**
 * A module with one relaxed SIMD instruction: `i8x16.relaxed_swizzle` of two splats, whose result
 * is dropped.
 */
const RELAXED = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 16, 1, 14, 0, 65, 0, 253, 15, 65, 0, 253, 15, 253,
  128, 2, 26, 11,
];

/** The largest useful number of threads for one sentence. */
const MAX_THREADS = 4;

/** The error for a browser that lacks a feature. */
export function unsupportedBrowser(message: string): SpeechError {
  return new SpeechError("model_error", message, { detail: "unsupported_browser", advice: "update_browser" });
}

/** Chooses the build of the module, and its number of additional threads. */
export function choose(threads: number): { kind: ModuleKind; threads: number } {
  if (typeof WebAssembly !== "object" || !validates(SIMD)) {
    throw unsupportedBrowser("this browser has no WebAssembly with SIMD");
  }
  if (!validates(RELAXED)) return { kind: "simd", threads: 1 };
  const wanted = threads === 0 ? Math.min(navigator.hardwareConcurrency ?? 1, MAX_THREADS) : threads;
  return sharesMemory() && wanted > 1 ? { kind: "threads", threads: wanted } : { kind: "relaxed", threads: 1 };
}

/** Whether the page may share memory with its workers: whether it is cross-origin isolated. */
export function sharesMemory(): boolean {
  return typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated === true;
}

function validates(bytes: number[]): boolean {
  return WebAssembly.validate(new Uint8Array(bytes));
}
