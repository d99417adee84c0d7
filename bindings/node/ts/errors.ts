import { type Failure, isFailure, native } from "./native.js";

/** The machine-readable types of errors. */
export type ErrorCode =
  | "empty_text"
  | "text_too_long"
  | "invalid_request"
  | "invalid_tier"
  | "unauthorized"
  | "not_found"
  | "method_not_allowed"
  | "request_too_large"
  | "unsupported_media_type"
  | "overloaded"
  | "model_error"
  | "internal"
  | "cancelled";

const kinds = new Map(native.errorKinds().map((kind) => [kind.code, kind]));

/** Every code, in the order of the library's table. */
export const ERROR_CODES: readonly ErrorCode[] = [...kinds.keys()] as ErrorCode[];

/**
 * What went wrong. Every failure of the library is one; the text that was to be spoken is never whole in its message.
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
  /** The status that a service answers with; undefined for what never reaches one. */
  readonly httpStatus: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { requestId?: string; cause?: unknown } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    const kind = kinds.get(code);
    this.code = code;
    this.requestId = options.requestId ?? native.requestId();
    this.retryable = kind?.retryable ?? false;
    this.httpStatus = kind?.httpStatus;
  }

  /** The error as a service sends it: `{"error": {"type", "message", "request_id"}}`. */
  toJSON(): { error: { type: ErrorCode; message: string; request_id: string } } {
    return { error: { type: this.code, message: this.message, request_id: this.requestId } };
  }
}

SpeechError.prototype.name = "SpeechError";

/** A request that is not one. */
export function invalid(message: string): SpeechError {
  return new SpeechError("invalid_request", message);
}

/** The error for a signal that was aborted: its name is `AbortError`, and its cause the signal's reason. */
export function aborted(signal: AbortSignal, request: { requestId?: string } = {}): SpeechError {
  const error = cancelled({ ...request, cause: signal.reason });
  Object.defineProperty(error, "name", { value: "AbortError", configurable: true });
  return error;
}

/** The error for what was stopped in any way. */
export function cancelled(options: { requestId?: string; cause?: unknown }): SpeechError {
  return new SpeechError("cancelled", "the synthesis was cancelled", options);
}

/** The value, or the failure as an error. */
export function unwrap<T>(outcome: T | Failure): T {
  if (!isFailure(outcome)) return outcome;
  const { code, message, requestId, reason } = outcome;
  const cause = reason === undefined ? {} : { cause: new Error(reason) };
  throw new SpeechError(code as ErrorCode, message, { requestId, ...cause });
}
