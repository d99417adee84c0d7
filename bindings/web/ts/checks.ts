/** Checks of the types, names and ranges of the values that callers pass. */

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

/** A number; the library refuses one that is out of range, or `NaN`. */
export function number(name: string, value: unknown): number {
  if (typeof value !== "number") throw invalidRequest(`${name} must be a number`);
  return value;
}

/** A whole number in a range. */
export function integer(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw invalidRequest(`${name} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** A value that may be undefined. */
export function optional<T>(value: unknown, check: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : check(value);
}

/** The fields of an object, which has no others than these. */
export function fields(name: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  if (Object.prototype.toString.call(value) !== "[object Object]") throw invalidRequest(`${name} must be an object`);
  const unknown = Object.keys(value as object).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw invalidRequest(`${name} has no field ${JSON.stringify(unknown.slice(0, 40))}; there are ${known.join(", ")}`);
  }
  return value as Record<string, unknown>;
}

/** The options of a function, which may be left out. */
export function options(name: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  return value === undefined ? {} : fields(name, value, known);
}

/** A signal that may be left out. */
export function signal(value: unknown): AbortSignal | undefined {
  if (value !== undefined && !(value instanceof AbortSignal)) throw invalidRequest("signal must be an AbortSignal");
  return value;
}
