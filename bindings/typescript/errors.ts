import { requestId } from "./platform.js";

/** The codes of the errors that the library raises. */
export type LibraryErrorCode =
  | "empty_text"
  | "text_too_long"
  | "invalid_request"
  | "invalid_tier"
  | "model_error"
  | "internal"
  | "cancelled";

/** The codes that the library never raises: they are for the errors of services that are built on it. */
export type ServiceErrorCode =
  | "unauthorized"
  | "not_found"
  | "method_not_allowed"
  | "request_too_large"
  | "unsupported_media_type"
  | "overloaded";

/** The machine-readable types of errors. */
export type ErrorCode = LibraryErrorCode | ServiceErrorCode;

/** What exactly went wrong, where a program may want to tell it apart within an {@link ErrorCode}. */
export type ErrorDetail =
  /** No voice bundle was given, and none is where the library looks for one. */
  | "bundle_not_found"
  /** A file of the voice bundle is missing; the bundle itself, if it is the manifest. */
  | "file_missing"
  /** A file of the voice bundle is truncated or altered, or not what it should be. */
  | "file_damaged"
  /** The system refuses to read a file of the voice bundle. */
  | "file_unreadable"
  /** The voice bundle is of an older format than this library reads. */
  | "bundle_too_old"
  /** The voice bundle is of a newer format than this library reads. */
  | "bundle_too_new"
  /** The voice bundle is for another acoustic model. */
  | "incompatible_model"
  /** The processor cannot compute with the kernels or the precision that were asked for. */
  | "unsupported_backend"
  /** Low latency was asked of `synthesize`, which gives the speech as a whole. */
  | "latency_needs_stream"
  /** The voice bundle lacks the quality that was asked for, for this voice in this language. */
  | "quality_not_in_bundle"
  /** The browser lacks WebAssembly with SIMD, or workers. */
  | "unsupported_browser"
  /** The browser could not fetch the voices: there is no connection, or the server has no such file. */
  | "download_failed"
  | (string & {});

/** What the user of an application may do about an error: a key, for which the application has its own words. */
export type Advice =
  /** Install a voice bundle, or say where one is. */
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

/** What a {@link SpeechError} may have besides its code and message. */
export interface SpeechErrorOptions {
  /** The identifier of the request that failed. By default a new UUID. */
  requestId?: string | undefined;
  detail?: ErrorDetail | undefined;
  path?: string | undefined;
  advice?: Advice | undefined;
  /** The error behind it. */
  cause?: unknown;
}

/** The HTTP status of each code; what is cancelled never reaches HTTP. The order is that of the library's table. */
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

/** Every code, in the order of the library's table: {@link LibraryErrorCode} and {@link ServiceErrorCode}. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(STATUSES) as ErrorCode[];

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
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The HTTP status that a service answers with; undefined for what never reaches one. */
  readonly httpStatus: number | undefined;
  /** What exactly went wrong, such as `bundle_not_found`; undefined where the code says it all. */
  readonly detail: ErrorDetail | undefined;
  /** The file that it is about; undefined if it is about none. */
  readonly path: string | undefined;
  /** The key of what the user may do about it, such as `install_voices`; undefined if there is nothing. */
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

  /** The error as a service sends it: `{"error": {"type", "message", "request_id"}}`. */
  toJSON(): { error: { type: ErrorCode; message: string; request_id: string } } {
    return { error: { type: this.code, message: this.message, request_id: this.requestId } };
  }
}

SpeechError.prototype.name = "SpeechError";

/** The error for a request or an option that is not valid. */
export function invalidRequest(message: string): SpeechError {
  return new SpeechError("invalid_request", message);
}

/** Throws the error of a signal that was aborted. */
export function throwIfAborted(signal: AbortSignal | undefined, request?: { requestId?: string }): void {
  if (signal?.aborted === true) throw abortError(signal, request);
}

/** The error for a signal that was aborted: its name is `AbortError`, and its cause the signal's reason. */
export function abortError(signal: AbortSignal, request: { requestId?: string } = {}): SpeechError {
  const error = cancelledError({ requestId: request.requestId, cause: signal.reason });
  Object.defineProperty(error, "name", { value: "AbortError", configurable: true });
  return error;
}

/** The error for a synthesis that was cancelled in any way. */
export function cancelledError(options: SpeechErrorOptions = {}): SpeechError {
  return new SpeechError("cancelled", "the synthesis was cancelled", options);
}

/** An error as the native module or the worker tells it. */
export interface RawError {
  code: string;
  message: string;
  requestId?: string;
  detail?: string;
  path?: string;
  advice?: string;
  cause?: string;
}

/** The error that was told. */
export function errorOf({ code, message, cause, ...options }: RawError): SpeechError {
  const source = cause === undefined ? {} : { cause: new Error(cause) };
  return new SpeechError(code as ErrorCode, message, { ...options, ...source });
}
