/** The codes of the errors that the library raises. */
export type ErrorCode =
  | "empty_text"
  | "text_too_long"
  | "invalid_request"
  | "invalid_tier"
  | "model_error"
  | "internal"
  | "cancelled";

/** What exactly went wrong, where a program may want to tell it apart within an {@link ErrorCode}. */
export type ErrorDetail =
  /** The browser lacks WebAssembly with SIMD, or workers. */
  | "unsupported_browser"
  /** The voices could not be fetched: there is no connection, or the server has no such file. */
  | "download_failed"
  /** The voices are truncated or altered. */
  | "file_damaged"
  /** A file of the voice bundle is missing; the bundle itself, if it is the manifest. */
  | "file_missing"
  /** The voice bundle is of an older format than this library reads. */
  | "bundle_too_old"
  /** The voice bundle is of a newer format than this library reads. */
  | "bundle_too_new"
  /** The voice bundle is for another acoustic model. */
  | "incompatible_model"
  /** The browser cannot compute with the kernels that were asked for. */
  | "unsupported_backend"
  /** Low latency was asked of `synthesize`, which gives the speech as a whole. */
  | "latency_needs_stream"
  /** The voice bundle lacks the quality that was asked for, for this voice in this language. */
  | "quality_not_in_bundle"
  | (string & {});

/** What the user of an application may do about an error: a key, for which the application has its own words. */
export type Advice =
  | "check_connection"
  | "update_browser"
  | "install_voices"
  | "reinstall_voices"
  | "update_voices"
  | "update_library"
  | "split_text"
  | "use_stream"
  | (string & {});

/** What a {@link SpeechError} may have besides its code and message. */
export interface SpeechErrorOptions {
  /** The identifier of the request that failed. By default a new UUID. */
  requestId?: string | undefined;
  detail?: ErrorDetail | undefined;
  advice?: Advice | undefined;
  /** The error behind it. */
  cause?: unknown;
}

/**
 * The error of every function of the library. No part of the text that was to be spoken is in its message.
 *
 * ```ts
 * try {
 *   await engine.synthesize("");
 * } catch (error) {
 *   if (error instanceof SpeechError) console.error(error.code, error.message); // empty_text text is empty
 * }
 * ```
 */
export class SpeechError extends Error {
  /** What to act on, such as `text_too_long`. */
  readonly code: ErrorCode;
  /** The identifier of the request that failed, a UUID. */
  readonly requestId: string;
  /** What exactly went wrong, such as `download_failed`; undefined where the code says it all. */
  readonly detail: ErrorDetail | undefined;
  /** The key of what the user may do about it, such as `check_connection`; undefined if there is nothing. */
  readonly advice: Advice | undefined;

  constructor(code: ErrorCode, message: string, options: SpeechErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.requestId = options.requestId ?? requestId();
    this.detail = options.detail;
    this.advice = options.advice;
  }
}

SpeechError.prototype.name = "SpeechError";

/** An error as one side of a worker tells it the other. */
export interface RawError {
  code: string;
  message: string;
  requestId?: string;
  detail?: string;
  advice?: string;
  cause?: string;
}

/** The error that the worker told. */
export function errorOf(raw: RawError): SpeechError {
  const { code, message, cause, ...options } = raw;
  const source = cause === undefined ? {} : { cause: new Error(cause) };
  return new SpeechError(code as ErrorCode, message, { ...options, ...source });
}

/** What the worker tells of an error; one of no kind of its own is internal. */
export function rawError(error: unknown): RawError {
  if (!(error instanceof SpeechError)) {
    return { code: "internal", message: "the library failed in its worker", cause: String(error) };
  }
  const { code, message, requestId, detail, advice, cause } = error;
  return {
    code,
    message,
    requestId,
    ...(detail === undefined ? {} : { detail }),
    ...(advice === undefined ? {} : { advice }),
    ...(cause === undefined ? {} : { cause: String(cause) }),
  };
}

/** The error for a request or an option that is not valid. */
export function invalidRequest(message: string, options: SpeechErrorOptions = {}): SpeechError {
  return new SpeechError("invalid_request", message, options);
}

/** The error for a synthesis that was cancelled in any way. */
export function cancelledError(options: SpeechErrorOptions = {}): SpeechError {
  return new SpeechError("cancelled", "the synthesis was cancelled", options);
}

/** The error for a signal that was aborted: its name is `AbortError`, and its cause the signal's reason. */
export function abortError(signal: AbortSignal, requestId?: string): SpeechError {
  const error = cancelledError({ requestId, cause: signal.reason });
  Object.defineProperty(error, "name", { value: "AbortError", configurable: true });
  return error;
}

/** Throws the error of a signal that is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

/** A UUID. `crypto.randomUUID` is only there in pages that came by HTTPS. */
function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
