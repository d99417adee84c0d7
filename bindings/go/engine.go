package speech

// #include <speech.h>
import "C"

import (
	"cmp"
	"context"
	"iter"
	"runtime"
)

// Engine is a loaded voice bundle. Any number of goroutines may use one concurrently; the samples
// do not depend on their number.
type Engine struct {
	handle  *C.speech_engine
	logger  loggerID
	cleanup runtime.Cleanup
}

// Load loads an engine, which takes 0.05 to 0.2 s on an idle server that has cached the voices. Load
// one, and close it at the end of the program.
//
// It fails with [ErrModel] if the voice bundle is missing, damaged or of the wrong version, and
// with [ErrInvalidRequest] if an option is out of range.
func Load(options Options) (*Engine, error) {
	if err := checkABI(); err != nil {
		return nil, err
	}
	native, logger, err := options.native()
	if err != nil {
		return nil, err
	}
	defer C.speech_engine_options_free(native)
	engine := &Engine{logger: logger}
	var object *C.speech_error
	if err := failure(C.speech_engine_load(native, &engine.handle, &object), object); err != nil {
		logger.remove()
		return nil, err
	}
	engine.cleanup = runtime.AddCleanup(engine, func(e Engine) { e.free() }, *engine)
	return engine, nil
}

// free frees the engine. After that, the library does not log to its logger.
func (e Engine) free() {
	C.speech_engine_free(e.handle)
	e.logger.remove()
}

// Close frees the engine. Calls inside it finish, and its streams continue; later calls fail with
// [ErrInvalidRequest]. It returns nil, and may be called again.
func (e *Engine) Close() error {
	e.cleanup.Stop()
	e.free()
	return nil
}

// Synthesize speaks a whole text. A text with nothing speakable in it, such as an emoji alone,
// gives a short silence.
//
// It fails with [ErrEmptyText], [ErrTextTooLong], [ErrInvalidRequest], [ErrCancelled] or
// [ErrInternal].
func (e *Engine) Synthesize(ctx context.Context, request Request) (*Audio, error) {
	native, err := request.native()
	if err != nil {
		return nil, err
	}
	defer C.speech_request_free(native)
	cancel := watch(ctx)
	defer cancel.release()
	var audio *C.speech_audio
	var object *C.speech_error
	status := C.speech_engine_synthesize(e.handle, native, cancel.token, &audio, &object)
	runtime.KeepAlive(e)
	if err := failureIn(ctx, status, object); err != nil {
		return nil, err
	}
	return takeAudio(audio), nil
}

// Stream speaks a text one sentence at a time, so that the first can be played while the next is
// computed. Nothing is computed before the first chunk is requested. Close the stream when you are
// done with it.
//
// It fails as [Request.Validate] does, and for a quality that the voice bundle lacks.
func (e *Engine) Stream(ctx context.Context, request Request) (*Stream, error) {
	return e.open(ctx, request, nil, func(
		request *C.speech_request, token *C.speech_cancel_token, stream **C.speech_stream, object **C.speech_error,
	) C.speech_status {
		return C.speech_engine_stream(e.handle, request, token, stream, object)
	})
}

// StreamLong is Stream for a text of any length. [Stream.HeardAt] returns how much was heard, and a
// chunk's span end divided by the length of the text is the progress.
func (e *Engine) StreamLong(ctx context.Context, request Request) (*Stream, error) {
	return e.open(ctx, request, nil, func(
		request *C.speech_request, token *C.speech_cancel_token, stream **C.speech_stream, object **C.speech_error,
	) C.speech_status {
		return C.speech_engine_stream_long(e.handle, request, token, stream, object)
	})
}

// opener is one of the C library's functions that start a stream.
type opener func(*C.speech_request, *C.speech_cancel_token, **C.speech_stream, **C.speech_error) C.speech_status

func (e *Engine) open(
	ctx context.Context, request Request, pieces iter.Seq2[string, error], open opener,
) (*Stream, error) {
	native, err := request.native()
	if err != nil {
		return nil, err
	}
	defer C.speech_request_free(native)
	cancel := watch(ctx)
	var handle *C.speech_stream
	var object *C.speech_error
	status := open(native, cancel.token, &handle, &object)
	runtime.KeepAlive(e)
	if err := failureIn(ctx, status, object); err != nil {
		cancel.release()
		return nil, err
	}
	opened := nativeStream{handle: handle, cancel: cancel}
	if pieces != nil {
		opened.source = &source{pieces: pieces, writer: pieceWriter{handle: handle}}
		opened.source.ctx, opened.source.end = context.WithCancel(ctx)
	}
	return newStream(ctx, opened), nil
}

// WarmUp speaks a few words and discards them, so that the first request finds everything in
// memory. It computes nothing if the engine's cache has these words.
func (e *Engine) WarmUp() error {
	defer runtime.KeepAlive(e)
	var object *C.speech_error
	return failure(C.speech_engine_warm_up(e.handle, &object), object)
}

// Trim frees the scratch memory kept for the next request (up to about 64 MB), and empties the
// cache.
func (e *Engine) Trim() error {
	defer runtime.KeepAlive(e)
	var object *C.speech_error
	return failure(C.speech_engine_trim(e.handle, &object), object)
}

// Qualities lists the voice bundle's qualities for a voice in a language, the best first; none if
// it lacks the voice in the language.
func (e *Engine) Qualities(voice Voice, language Language) ([]Quality, error) {
	var found []Quality
	for _, quality := range []Quality{QualityFull, QualityFast, QualityLight} {
		has, err := e.hasQuality(voice, language, quality)
		if err != nil {
			return nil, err
		}
		if has {
			found = append(found, quality)
		}
	}
	return found, nil
}

func (e *Engine) hasQuality(voice Voice, language Language, quality Quality) (bool, error) {
	defer runtime.KeepAlive(e)
	var has C.bool
	id, tag := string(cmp.Or(voice, Aria)), string(cmp.Or(language, EnglishUS))
	err := withNames("the voice or the language", id, tag, func(id, tag *C.char, object **C.speech_error) C.speech_status {
		return C.speech_engine_has_quality(e.handle, id, tag, qualities[quality], &has, object)
	})
	return bool(has), err
}

// Threads returns the number of threads that compute one sentence; 0 after Close.
func (e *Engine) Threads() int {
	defer runtime.KeepAlive(e)
	return int(C.speech_engine_threads(e.handle))
}

// Kernels returns the instruction set in use, such as "avx2"; "" after Close.
func (e *Engine) Kernels() string {
	defer runtime.KeepAlive(e)
	return C.GoString(C.speech_engine_kernels(e.handle))
}

// Precision returns the precision of the vocoder's products: "fp32", "int16" or "bf16"; "" after
// Close.
func (e *Engine) Precision() string {
	defer runtime.KeepAlive(e)
	return C.GoString(C.speech_engine_precision(e.handle))
}

// canceller cancels a token of the C library when a context is done.
type canceller struct {
	token *C.speech_cancel_token
	stop  func() bool
}

// watch makes a canceller, without a token if the context is never done.
func watch(ctx context.Context) canceller {
	if ctx.Done() == nil {
		return canceller{}
	}
	token := C.speech_cancel_token_new()
	if ctx.Err() != nil {
		C.speech_cancel_token_cancel(token, nil)
	}
	// The library tolerates that the token is freed meanwhile.
	return canceller{token, context.AfterFunc(ctx, func() { C.speech_cancel_token_cancel(token, nil) })}
}

func (c canceller) release() {
	if c.stop != nil {
		c.stop()
		C.speech_cancel_token_free(c.token)
	}
}
