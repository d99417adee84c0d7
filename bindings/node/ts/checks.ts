/** Values as callers give them, before the library reads them. */

import { invalid } from "./errors.js";

const HALF_PAIR = /\p{Surrogate}/u;

/** A string that is valid Unicode. */
export function string(name: string, value: unknown): string {
  if (typeof value !== "string") throw invalid(`${name} must be a string`);
  const place = value.search(HALF_PAIR);
  if (place >= 0) throw invalid(`${name} has half a surrogate pair at index ${place}`);
  return value;
}

/** True or false. */
export function flag(name: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw invalid(`${name} must be true or false`);
  return value;
}

/** A whole number in a range. */
export function count(name: string, value: unknown, low: number, high: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < low || value > high) {
    throw invalid(`${name} must be a whole number from ${low} to ${high}`);
  }
  return value;
}

/** A value that may be left out. */
export function optional<T>(value: unknown, check: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : check(value);
}

/** An object with options. */
export function options(name: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`${name} must be an object`);
  }
  return value as Record<string, unknown>;
}

/** A signal to stop by. */
export function signal(value: unknown): AbortSignal | undefined {
  return optional(value, (value) => {
    if (value instanceof AbortSignal) return value;
    throw invalid("signal must be an AbortSignal");
  });
}
