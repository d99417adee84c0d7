/** Checks of the types, names and ranges of the values that callers pass. */

import { invalidRequest } from "./errors.js";
import { nearestName } from "./platform.js";

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

/** A number. The library itself rejects `NaN` and out-of-range values. */
export function number(name: string, value: unknown): number {
  if (typeof value !== "number") throw invalidRequest(`${name} must be a number`);
  return value;
}

/** An integer in a range. */
export function integer(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw invalidRequest(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** An optional value. `null` is a value of the wrong type, as in a request's JSON. */
export function optional<T>(value: unknown, check: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : check(value);
}

/**
 * Whether a value is a plain object with fields, and not an array, a `Map` or an `AbortSignal`, for
 * example.
 */
export function hasFields(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** An object with known options only, because unknown ones would be ignored silently. */
export function options(name: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  if (value === undefined) return {};
  if (!hasFields(value)) throw invalidRequest(`${name} must be an object`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return value;
  const nearest = nearestName(unknown, known);
  const advice = nearest === null ? `use ${known.join(", ")}` : `did you mean ${nearest}?`;
  throw invalidRequest(`unknown option ${JSON.stringify(unknown.slice(0, 40))}; ${advice}`);
}

/** A signal for cancellation. */
export function signal(value: unknown): AbortSignal | undefined {
  return optional(value, (value) => {
    if (value instanceof AbortSignal) return value;
    throw invalidRequest("signal must be an AbortSignal");
  });
}

/** Words and their readings. */
export function pronunciations(value: unknown): [string, string][] {
  if (value !== undefined && !(value instanceof Map) && !hasFields(value)) {
    throw invalidRequest("pronunciations must be an object or a Map of strings");
  }
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value ?? {});
  return [...entries].map(([words, reading]) => [
    string("the words of a pronunciation", words),
    string("a pronunciation", reading),
  ]);
}
