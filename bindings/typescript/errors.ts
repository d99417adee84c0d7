import { requestId } from "./platform.js";

/** The error codes that the library raises. */
export type LibraryErrorCode =
  | "empty_text"
  | "text_too_long"
  | "invalid_request"
  | "invalid_tier"
  | "model_error"
  | "internal"
  | "cancelled";

/** The error codes that the library never raises; they are for services built on it. */
export type ServiceErrorCode =
  | "unauthorized"
  | "not_found"
  | "method_not_allowed"
  | "request_too_large"
  | "unsupported_media_type"
  | "overloaded";

/** The error codes. */
export type ErrorCode = LibraryErrorCode | ServiceErrorCode;

/**
 * The exact cause of an error, where a program may want to tell apart errors of one {@link
 * ErrorCode}.
 */
export type ErrorDetail =
  /** No voice bundle was given, and none was found in the default locations. */
  | "bundle_not_found"
  /** A file of the voice bundle is missing. If it is the manifest, the whole bundle is. */
  | "file_missing"
  /** A file of the voice bundle is truncated, altered or of the wrong kind. */
  | "file_damaged"
  /** The operating system refuses to read a file of the voice bundle. */
  | "file_unreadable"
  /** The voice bundle is of an older format than this library reads. */
  | "bundle_too_old"
  /** The voice bundle is of a newer format than this library reads. */
  | "bundle_too_new"
  /** The voice bundle is for another acoustic model. */
  | "incompatible_model"
  /** The processor does not support the requested kernels or precision. */
  | "unsupported_backend"
  /** Low latency was requested of `synthesize`, which does not stream. */
  | "latency_needs_stream"
  /** The voice bundle lacks the requested quality for this voice and language. */
  | "quality_not_in_bundle"
  /** The browser lacks WebAssembly with SIMD, or workers. */
  | "unsupported_browser"
  /**
   * The browser could not fetch the voices: there is no connection, or the server has no such file.
   */
  | "download_failed"
  | (string & {});

/** Advice for the user of an application: a key, which the application words itself. */
export type Advice =
  /** Install a voice bundle, or give the path of one. */
  | "install_voices"
  /** Check the path of the voice bundle and the permissions of its files. */
  | "check_bundle_path"
  /** Install the voice bundle again. */
  | "reinstall_voices"
  /** Install the voice bundle of this version of the library. */
  | "update_voices"
  /** Install a newer version of the library. */
  | "update_library"
  /** Split the text with `splitText`. */
  | "split_text"
  /** Stream the speech. */
  | "use_stream"
  /** Use a newer browser. */
  | "update_browser"
  /** Check the connection to the internet. */
  | "check_connection"
  | (string & {});

/** The optional properties of a {@link SpeechError}. */
export interface SpeechErrorOptions {
  /** The identifier of the failed request. By default a new UUID. */
  requestId?: string | undefined;
  detail?: ErrorDetail | undefined;
  path?: string | undefined;
  advice?: Advice | undefined;
  /** The cause. */
  cause?: unknown;
}

/**
 * The HTTP status of each code; `cancelled` never reaches HTTP. In the order of the library's
 * table.
 */
const STATUSES: Readonly<Record<ErrorCode, number | undefined>> = {
  empty_text: 400,
  text_too_long: 400,
  invalid_request: 400,
  invalid_tier: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  request_too_large: 413,
  unsupported_media_type: 415,
  overloaded: 503,
  model_error: 500,
  internal: 500,
  cancelled: undefined,
};

/**
 * Every code, in the order of the library's table: {@link LibraryErrorCode} and
 * {@link ServiceErrorCode}.
 */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(STATUSES) as ErrorCode[];

/**
 * The error of every function of the library. Its message contains no part of the text.
 *
 * ```ts
 * try {
 *   await engine.synthesize("");
 * } catch (error) {
 *   // Prints "empty_text text is empty".
 *   if (error instanceof SpeechError) console.error(error.code, error.message);
 * }
 * ```
 */
export class SpeechError extends Error {
  /** The code to act on, such as `text_too_long`. */
  readonly code: ErrorCode;
  /** The identifier of the failed request, a UUID. */
  readonly requestId: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The HTTP status for a service's response; undefined for errors that never reach HTTP. */
  readonly httpStatus: number | undefined;
  /**
   * The exact cause, such as `bundle_not_found`; undefined if there is no detail beyond the code.
   */
  readonly detail: ErrorDetail | undefined;
  /** The file at fault, if any. */
  readonly path: string | undefined;
  /** Advice for the user, as a key such as `install_voices`; undefined if there is none. */
  readonly advice: Advice | undefined;

  constructor(code: ErrorCode, message: string, options: SpeechErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.requestId = options.requestId ?? requestId();
    this.retryable = code === "overloaded";
    this.httpStatus = STATUSES[code];
    this.detail = options.detail;
    this.path = options.path;
    this.advice = options.advice;
  }

  /** The error as JSON for a service's response: `{"error": {"type", "message", "request_id"}}`. */
  toJSON(): { error: { type: ErrorCode; message: string; request_id: string } } {
    return { error: { type: this.code, message: this.message, request_id: this.requestId } };
  }
}

SpeechError.prototype.name = "SpeechError";

/** The error for an invalid request or option. */
export function invalidRequest(message: string): SpeechError {
  return new SpeechError("invalid_request", message);
}

/** Throws if a signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined, request?: { requestId?: string }): void {
  if (signal?.aborted === true) throw abortError(signal, request);
}

/** The error for an aborted signal: its name is `AbortError`, and its cause the signal's reason. */
export function abortError(signal: AbortSignal, request: { requestId?: string } = {}): SpeechError {
  const error = cancelledError({ requestId: request.requestId, cause: signal.reason });
  Object.defineProperty(error, "name", { value: "AbortError", configurable: true });
  return error;
}

/** The error for a synthesis that was cancelled in any way. */
export function cancelledError(options: SpeechErrorOptions = {}): SpeechError {
  return new SpeechError("cancelled", "the synthesis was cancelled", options);
}

/** An error as sent by the native module or the worker. */
export interface RawError {
  code: string;
  message: string;
  requestId?: string;
  detail?: string;
  path?: string;
  advice?: string;
  cause?: string;
}

/** The error object for it. */
export function errorOf({ code, message, cause, ...options }: RawError): SpeechError {
  const source = cause === undefined ? {} : { cause: new Error(cause) };
  return new SpeechError(code as ErrorCode, message, { ...options, ...source });
}
