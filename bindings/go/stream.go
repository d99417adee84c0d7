package speech

// #include <speech.h>
import "C"

import (
	"context"
	"io"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Stream is the speech of a text, one sentence at a time. Read it once: with [Stream.All], with
// [Stream.Next], or as bytes with [Stream.Read]. At most one sentence is computed ahead of the last
// one taken.
//
// Close a stream when you are done with it. The garbage collector closes an unreferenced stream
// some time later.
type Stream struct {
	ctx     context.Context
	native  nativeStream
	cleanup runtime.Cleanup
	// The format of the request.
	sampleRate int
	encoding   Encoding
	// Whether the stream was cancelled, and whether it was closed.
	cancelled, closed atomic.Bool
	// taking is held by a running call of Next. Close cancels that call, and waits for it before it
	// frees anything.
	taking sync.Mutex
	// The error with which Next failed; later calls return it too.
	failed      error
	diagnostics atomic.Pointer[[]Diagnostic]
	// The rest of the last chunk, for Read.
	rest []byte
}

// nativeStream is the part that must be freed. It does not refer to the stream, which can be
// collected while its source runs.
type nativeStream struct {
	handle *C.speech_stream
	cancel canceller
	// source is nil except for streams of SpeakLive.
	source *source
}

func (n nativeStream) free() {
	if n.source != nil {
		n.source.end()
	}
	C.speech_stream_free(n.handle)
	n.cancel.release()
}

func newStream(ctx context.Context, native nativeStream) *Stream {
	stream := &Stream{
		ctx: ctx, native: native,
		sampleRate: int(C.speech_stream_sample_rate(native.handle)), encoding: encodingOf(C.speech_stream_encoding(native.handle)),
	}
	stream.cleanup = runtime.AddCleanup(stream, nativeStream.free, native)
	stream.readDiagnostics()
	return stream
}

// Next returns the next chunk as soon as it is computed, and [io.EOF] at the end. After any other
// error every later call fails the same way. A sentence that lasts over 16 s comes in parts, and so
// does the first one with [LatencyLow].
//
// It fails with [ErrCancelled] when the context is done or the stream is cancelled or closed, with
// [ErrInvalidRequest] once it is known that the speech (in a live or a long text, one sentence)
// would be longer than [MaxSeconds], and with the error of the source of [Engine.SpeakLive].
func (s *Stream) Next() (*Audio, error) {
	s.taking.Lock()
	defer s.taking.Unlock()
	if s.closed.Load() {
		return nil, errClosed
	}
	if s.failed != nil {
		return nil, s.failed
	}
	s.native.source.begin()
	var audio *C.speech_audio
	var object *C.speech_error
	status := C.speech_stream_next(s.native.handle, &audio, &object)
	s.readDiagnostics()
	if status == C.SPEECH_END {
		return nil, io.EOF
	}
	if err := failureIn(s.ctx, status, object); err != nil {
		if failed := s.native.source.failure(); failed != nil && s.ctx.Err() == nil {
			err = failed
		}
		s.failed = err
		return nil, err
	}
	return takeAudio(audio), nil
}

// errClosed is the error of a closed stream and its text.
var errClosed = refused(ErrCancelled, "the stream is closed")

// stopped returns the reason why text written to the stream would never be spoken, or nil.
func (s *Stream) stopped() error {
	switch {
	case s.closed.Load():
		return errClosed
	case s.cancelled.Load() || s.ctx.Err() != nil:
		return &Error{Kind: ErrCancelled, Message: "the stream is cancelled", cause: ended(s.ctx)}
	}
	return nil
}

// readDiagnostics copies the data that the next call of speech_stream_next() invalidates.
func (s *Stream) readDiagnostics() {
	var count C.size_t
	array := C.speech_stream_diagnostics(s.native.handle, &count)
	diagnostics := converted(array, count, diagnostic)
	s.diagnostics.Store(&diagnostics)
	runtime.KeepAlive(s)
}

// Diagnostics list the skipped text of the whole text. For a live or a long text they are those so
// far, at most 10,000; they may include a sentence that is computed ahead.
func (s *Stream) Diagnostics() []Diagnostic { return *s.diagnostics.Load() }

// All iterates over the chunks. An error is the last of them. Leaving the loop early cancels the
// stream; [Stream.HeardAt] still returns how much was heard.
func (s *Stream) All() iter.Seq2[*Audio, error] {
	return func(yield func(*Audio, error) bool) {
		for {
			audio, err := s.Next()
			if err == io.EOF {
				return
			}
			if !yield(audio, err) || err != nil {
				s.Cancel()
				return
			}
		}
	}
}

// Read returns the samples as bytes in the encoding of the request, little-endian. A stream is an
// [io.Reader] for one goroutine at a time.
func (s *Stream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if s.closed.Load() {
		return 0, errClosed
	}
	for len(s.rest) == 0 {
		audio, err := s.Next()
		if err != nil {
			return 0, err
		}
		s.rest = audio.Bytes()
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// HeardAt returns the position in the text, in bytes, up to which words have been heard when
// playback is at a time from the start of the stream: for example, when the user interrupts an
// agent. It is 0 for a stream of [Engine.Stream], and after Close.
func (s *Stream) HeardAt(played time.Duration) int {
	defer runtime.KeepAlive(s)
	return int(C.speech_stream_heard_at(s.native.handle, C.double(played.Seconds())))
}

// Cancel stops the stream at once: Next, including a running call, fails with [ErrCancelled].
// HeardAt still returns how much was heard.
func (s *Stream) Cancel() {
	defer runtime.KeepAlive(s)
	s.cancelled.Store(true)
	if s.native.source != nil {
		s.native.source.end()
	}
	C.speech_stream_cancel(s.native.handle, nil)
}

// Close stops the stream and frees it. It returns nil, and may be called again.
func (s *Stream) Close() error {
	if s.closed.CompareAndSwap(false, true) {
		s.Cancel()
		s.taking.Lock()
		defer s.taking.Unlock()
		s.cleanup.Stop()
		s.native.free()
	}
	return nil
}

// RequestID identifies the request: a UUID; "" after Close.
func (s *Stream) RequestID() string {
	defer runtime.KeepAlive(s)
	return C.GoString(C.speech_stream_request_id(s.native.handle))
}

// SampleRate is the sample rate of the audio in hertz, as set by the request; [SampleRate] by
// default.
func (s *Stream) SampleRate() int { return s.sampleRate }

// Encoding is the format of the bytes that Read returns, and Bytes and WAV of the audio, as set by
// the request; [EncodingPCM16] by default.
func (s *Stream) Encoding() Encoding { return s.encoding }

// Characters is the metered quantity: the number of characters in the whole text; in a live text,
// those so far. It is 0 after Close.
func (s *Stream) Characters() int {
	defer runtime.KeepAlive(s)
	return int(C.speech_stream_characters(s.native.handle))
}
