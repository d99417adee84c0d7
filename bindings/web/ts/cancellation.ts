/**
 * What cancels a computation that runs, and cannot see a message: memory that the page shares with its workers. Each request has one
 * of the flags, which is the number of the request once that is cancelled.
 */

import { sharesMemory } from "./features.js";

/** How many requests are told apart. */
const FLAGS = 256;

/** Flags for the requests of an engine, if the page may share memory. */
export function cancelFlags(): SharedArrayBuffer | undefined {
  return sharesMemory() ? new SharedArrayBuffer(FLAGS * Int32Array.BYTES_PER_ELEMENT) : undefined;
}

/** Cancels a request. */
export function cancel(flags: SharedArrayBuffer | undefined, number: number): void {
  if (flags !== undefined) Atomics.store(new Int32Array(flags), number % FLAGS, number);
}

/** Whether a request was cancelled. */
export function isCancelled(flags: SharedArrayBuffer | undefined, number: number): boolean {
  return flags !== undefined && Atomics.load(new Int32Array(flags), number % FLAGS) === number;
}
