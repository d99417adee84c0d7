package speech

// #include <speech.h>
import "C"

import (
	"context"
	"errors"
)

// Kind is the kind of an error. Compare it with errors.Is(err, speech.ErrTextTooLong). A newer
// library may have kinds that this package does not name.
type Kind string

// The kinds of errors.
const (
	// ErrEmptyText means that the text is empty or only whitespace.
	ErrEmptyText Kind = "empty_text"
	// ErrTextTooLong means that the text has more than MaxCharacters characters.
	ErrTextTooLong Kind = "text_too_long"
	// ErrInvalidRequest means an unsupported language or voice, a setting out of range, text that is
	// not UTF-8, or a closed object.
	ErrInvalidRequest Kind = "invalid_request"
	// ErrInvalidTier means a latency tier that is unknown or not available.
	ErrInvalidTier Kind = "invalid_tier"
	// ErrUnauthorized is for services: a missing or wrong API key.
	ErrUnauthorized Kind = "unauthorized"
	// ErrNotFound is for services: no such resource.
	ErrNotFound Kind = "not_found"
	// ErrMethodNotAllowed is for services: the resource does not support this method.
	ErrMethodNotAllowed Kind = "method_not_allowed"
	// ErrRequestTooLarge is for services: the body is over the limit.
	ErrRequestTooLarge Kind = "request_too_large"
	// ErrUnsupportedMediaType is for services: the media type of the body is not supported.
	ErrUnsupportedMediaType Kind = "unsupported_media_type"
	// ErrOverloaded is for services: a queue is full, try again later.
	ErrOverloaded Kind = "overloaded"
	// ErrModel means that the voice bundle is missing, damaged or of the wrong version.
	ErrModel Kind = "model_error"
	// ErrInternal means a fault of the library.
	ErrInternal Kind = "internal"
	// ErrCancelled means that the context was done, or that the stream was cancelled or closed.
	ErrCancelled Kind = "cancelled"
)

// Error makes a Kind a target of [errors.Is].
func (k Kind) Error() string { return string(k) }

// Error is an error of the library.
type Error struct {
	Kind Kind
	// Message is for people: one line, in English, without any of the request's text.
	Message string
	// Detail is the exact cause, as a key such as "bundle_not_found", "file_damaged" or
	// "latency_needs_stream"; or "".
	Detail string
	// Path is the file of the voice bundle at fault, or "".
	Path string
	// Advice is for the user, as a key such as "install_voices", "use_stream" or "split_text"; or "".
	Advice string
	// RequestID identifies the failed request, for the log: a UUID, or "" if there is no request.
	RequestID string
	// Retryable says whether the same request may succeed later, as after ErrOverloaded.
	Retryable bool
	// JSON is the body of a service's response: {"error": {"type": ..., "message": ..., "request_id":
	// ...}}; or "".
	JSON string

	cause error
}

// Error returns the kind and the message.
func (e *Error) Error() string { return "speech: " + string(e.Kind) + ": " + e.Message }

// Is reports whether target is the kind of the error.
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// Unwrap returns the error and the cause of the context that ended the call, if one did.
func (e *Error) Unwrap() error { return e.cause }

// failure takes over an error object of the C library. It returns nil for SPEECH_OK.
func failure(status C.speech_status, object *C.speech_error) error {
	if status == C.SPEECH_OK {
		return nil
	}
	defer C.speech_error_free(object)
	return &Error{
		Kind:      Kind(C.GoString(C.speech_error_type(object))),
		Message:   C.GoString(C.speech_error_message(object)),
		Detail:    C.GoString(C.speech_error_detail(object)),
		Path:      C.GoString(C.speech_error_path(object)),
		Advice:    C.GoString(C.speech_error_advice(object)),
		RequestID: C.GoString(C.speech_error_request_id(object)),
		Retryable: bool(C.speech_error_is_retryable(object)),
		JSON:      C.GoString(C.speech_error_json(object)),
	}
}

// failureIn is failure, with the cause of the context if that stopped the call.
func failureIn(ctx context.Context, status C.speech_status, object *C.speech_error) error {
	err := failure(status, object)
	if found, ok := err.(*Error); ok && found.Kind == ErrCancelled {
		found.cause = ended(ctx)
	}
	return err
}

// ended returns why a context is done: its error, and its cause if that differs. It returns nil if
// the context is not done.
func ended(ctx context.Context) error { return errors.Join(ctx.Err(), context.Cause(ctx)) }

// refused is an error that this package detects itself.
func refused(kind Kind, message string) error { return &Error{Kind: kind, Message: message} }
