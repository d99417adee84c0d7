/** Checks of the types and ranges of the values that callers pass. */

import { invalidRequest } from "./errors.js";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** A string that is valid Unicode. */
export function string(name: string, value: unknown): string {
  if (typeof value !== "string") throw invalidRequest(`${name} must be a string`);
  const index = value.search(LONE_SURROGATE);
  if (index >= 0) throw invalidRequest(`${name} has half a surrogate pair at index ${index}`);
  return value;
}

/** A boolean. */
export function boolean(name: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw invalidRequest(`${name} must be true or false`);
  return value;
}

/** An integer in a range. */
export function integer(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw invalidRequest(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** A value that may be undefined or null. */
export function optional<T>(value: unknown, check: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : check(value);
}

/** An object of options. */
export function options(name: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidRequest(`${name} must be an object`);
  }
  return value as Record<string, unknown>;
}

/** A signal to cancel by. */
export function signal(value: unknown): AbortSignal | undefined {
  return optional(value, (value) => {
    if (value instanceof AbortSignal) return value;
    throw invalidRequest("signal must be an AbortSignal");
  });
}
