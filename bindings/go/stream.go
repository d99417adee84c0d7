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

// Stream is the speech of a text a sentence at a time. Take it once: with [Stream.All], with [Stream.Next], or as bytes with
// [Stream.Read]. One sentence is computed ahead of the one that was taken last, and no more.
//
// Close a stream when you are done with it. One that is let go is closed by the garbage collector, some time later.
type Stream struct {
	ctx     context.Context
	native  nativeStream
	cleanup runtime.Cleanup
	// Those of the request.
	sampleRate int
	encoding   Encoding
	// What the stream was stopped by, if it was.
	cancelled, closed atomic.Bool
	// taking is held by the call of Next that runs. Close cancels that call, and waits for it before it frees anything.
	taking sync.Mutex
	// What Next failed with.
	failed      error
	diagnostics atomic.Pointer[[]Diagnostic]
	// What Read has left of the last chunk.
	rest []byte
}

// nativeStream is what a stream frees. It does not refer to the stream, which can be collected while its source runs.
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

// Next gives the next chunk as soon as it is computed, and [io.EOF] at the end. After any other error every later call fails
// in the same way. A sentence that takes over 16 s to say comes in parts, and so does the first one with
// [LatencyLow].
//
// It fails with [ErrCancelled] when the context is done or the stream is cancelled or closed, with [ErrInvalidRequest] once it
// is known that the speech would be longer than [MaxSeconds] (in a live or a long text, that of one sentence), and with an error
// that the source of [Engine.SpeakLive] gives.
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

// errClosed is what Next and the text of a closed stream fail with.
var errClosed = refused(ErrCancelled, "the stream is closed")

// stopped says why text that is written would never be spoken; nil if it would.
func (s *Stream) stopped() error {
	switch {
	case s.closed.Load():
		return errClosed
	case s.cancelled.Load() || s.ctx.Err() != nil:
		return &Error{Kind: ErrCancelled, Message: "the stream is cancelled", cause: ended(s.ctx)}
	}
	return nil
}

// readDiagnostics copies what the next call of speech_stream_next() makes invalid.
func (s *Stream) readDiagnostics() {
	var count C.size_t
	array := C.speech_stream_diagnostics(s.native.handle, &count)
	diagnostics := converted(array, count, diagnostic)
	s.diagnostics.Store(&diagnostics)
	runtime.KeepAlive(s)
}

// Diagnostics are what is not said of the whole text. Of a live or a long text they are those so far, 10,000 at most; a sentence
// that is computed ahead may be among them.
func (s *Stream) Diagnostics() []Diagnostic { return *s.diagnostics.Load() }

// All is the chunks for a loop. An error is the last of them. A loop that is left early cancels the stream, of which
// [Stream.HeardAt] still tells what was heard.
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

// Read gives the samples as bytes in the encoding of the request, little-endian. A stream is an [io.Reader] for one goroutine at a time.
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

// HeardAt gives the byte of the text up to which words have been said when playback is at a time from the start of the stream:
// what the user of an agent has heard when he interrupts it. It is 0 for a stream of [Engine.Stream], and after Close.
func (s *Stream) HeardAt(played time.Duration) int {
	defer runtime.KeepAlive(s)
	return int(C.speech_stream_heard_at(s.native.handle, C.double(played.Seconds())))
}

// Cancel stops the stream at once: Next, also a call that runs, fails with [ErrCancelled]. HeardAt still tells what
// was heard.
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

// SampleRate is the samples of a second of its audio: those of the request, [SampleRate] by default.
func (s *Stream) SampleRate() int { return s.sampleRate }

// Encoding is what Read gives, and Bytes and WAV of its audio: that of the request, [EncodingPCM16] by default.
func (s *Stream) Encoding() Encoding { return s.encoding }

// Characters is the metered quantity: the characters of the whole text; of a live text, those so far. It is 0 after Close.
func (s *Stream) Characters() int {
	defer runtime.KeepAlive(s)
	return int(C.speech_stream_characters(s.native.handle))
}
