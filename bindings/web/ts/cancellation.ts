/**
 * Cancels a running computation, which cannot receive messages, through memory shared by the page
 * and its workers. Each request uses one of the flags; the flag holds the request's number once it
 * is cancelled.
 */

import { sharesMemory } from "./features.js";

/** The number of flags. */
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
