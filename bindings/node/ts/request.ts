import * as checks from "./checks.js";
import { invalid, unwrap } from "./errors.js";
import { type Fields, native } from "./native.js";

/** The languages that can be spoken. */
export type Language = "en-US" | "hi-IN";

/** The voices. */
export type VoiceId = "aria" | "jason" | "john" | "leo" | "sofia";

/** A text to speak and how to speak it. */
export interface SpeechRequest {
  /** 1 to 1,000 characters; `splitText` cuts what is longer. */
  text: string;
  /** By default `en-US`. */
  language?: Language | (string & {});
  /** By default `aria`. */
  voice?: VoiceId | (string & {});
  /** What a service is asked for. By default `wav`; a stream is `pcm`. */
  format?: "wav" | "pcm" | (string & {});
  /** `standard`, the default, or `low`: then the first half second of a long first sentence comes before the rest. */
  latency?: "standard" | "low" | (string & {});
  /** Whether emoji are read by their names. By default they are skipped, and listed in the diagnostics. */
  readEmoji?: boolean;
}

/**
 * Reads a request from the JSON that a service is sent. Fields that it does not know are ignored.
 *
 * @throws {SpeechError} `invalid_request` for malformed JSON, a missing `text` and a field that is no string.
 */
export function parseRequest(json: string | Uint8Array): SpeechRequest {
  if (typeof json !== "string" && !(json instanceof Uint8Array)) {
    throw invalid("the body must be a string or bytes");
  }
  const bytes = Buffer.from(json as string);
  unwrap(native.checkRequest(bytes));
  const { text, language, voice, format, latency } = JSON.parse(bytes.toString()) as SpeechRequest;
  const fields = { language, voice, format, latency };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { text, ...Object.fromEntries(given) };
}

/** The fields of a request, which may be the text alone. */
export function fields(request: string | SpeechRequest, format: "wav" | "pcm"): Fields {
  const given = typeof request === "string" ? { text: request } : whole(request);
  if (!("text" in given) || given["text"] === undefined) throw invalid("text is missing");
  const string = (name: string, otherwise: string) =>
    checks.optional(given[name], (value) => checks.string(name, value)) ?? otherwise;
  return {
    text: checks.string("text", given["text"]),
    language: string("language", "en-US"),
    voice: string("voice", "aria"),
    format: string("format", format),
    latency: string("latency", "standard"),
    readEmoji: checks.optional(given["readEmoji"], (value) => checks.flag("readEmoji", value)) ?? false,
  };
}

function whole(request: unknown): Record<string, unknown> {
  if (typeof request === "object" && request !== null) return checks.options("request", request);
  throw invalid("text must be a string, or a request with one");
}
