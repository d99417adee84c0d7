import * as checks from "./checks.js";
import { invalidRequest } from "./errors.js";
import { native, unwrap } from "./native.js";
import { SETTINGS, type SpeechOptions } from "./request.js";

/** A request as a service receives it: a text, its settings, and the format of the audio. */
export interface ServiceRequest extends Omit<SpeechOptions, "lexicons" | "signal"> {
  /** 1 to 1,000 characters, none of them NUL. */
  text: string;
  /** `wav`, one complete file, or `pcm`, streamed. By default `wav`. */
  format: "wav" | "pcm";
}

/** The names of all fields of a request. */
const FIELDS = ["text", "format", ...SETTINGS];

/**
 * Parses a request in JSON, as a service receives it. Unknown fields are ignored.
 *
 * ```ts
 * const { text, format, ...options } = parseRequest(body);
 * const audio = await engine.synthesize(text, options);
 * ```
 *
 * @throws {SpeechError} `invalid_request` for malformed JSON, a missing `text`, a field of the
 * wrong type and an unsupported value; `empty_text` or `text_too_long`.
 */
export function parseRequest(json: string | Uint8Array): ServiceRequest {
  if (typeof json !== "string" && !(json instanceof Uint8Array)) {
    throw invalidRequest("the body must be a string or bytes");
  }
  // Encoding would replace half a surrogate pair by another character.
  const bytes = Buffer.from(typeof json === "string" ? checks.string("the body", json) : json);
  unwrap(native.checkJson(bytes));
  const fields = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const known = FIELDS.map((name) => [name, fields[jsonName(name)]] as const);
  const given = Object.fromEntries(known.filter(([, value]) => value !== undefined));
  return { format: "wav", ...given } as unknown as ServiceRequest;
}

/** The name of a field in JSON. */
function jsonName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
