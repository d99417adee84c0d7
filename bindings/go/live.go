package speech

// #include <speech.h>
import "C"

import (
	"cmp"
	"context"
	"io"
	"iter"
	"runtime"
	"sync"
	"time"
	"unicode/utf8"
)

// Live speaks a text that is still being written: one goroutine writes it, and another reads the
// speech. The text of the request, which may be empty, is its beginning. Close the text to end it,
// and the stream when you are done.
//
// It fails with [ErrInvalidRequest] for settings out of range, for a quality that the voice bundle
// lacks, and for SSML, which must be complete.
func (e *Engine) Live(ctx context.Context, request Request) (*LiveText, *Stream, error) {
	stream, err := e.open(ctx, request, nil, e.openLive)
	if err != nil {
		return nil, nil, err
	}
	return &LiveText{stream: stream, writer: pieceWriter{handle: stream.native.handle}}, stream, nil
}

// SpeakLive is Live with a source of text, such as the tokens of a language model. It takes a piece
// when the last one is queued, and waits while 16 KiB of text are ahead of the speech, so the
// source may be endless. The first call of [Stream.Next] starts the source, in its own goroutine.
// An error of the source stops the stream, whose Next returns it; a panic of the source ends the
// program. A source that waits for its next piece should end when the context is done.
// [Stream.Cancel] and [Stream.Close] do not wake it: cancel the context too.
func (e *Engine) SpeakLive(ctx context.Context, pieces iter.Seq2[string, error], request Request) (*Stream, error) {
	if pieces == nil {
		return nil, refused(ErrInvalidRequest, "the source of the text is nil")
	}
	return e.open(ctx, request, pieces, e.openLive)
}

func (e *Engine) openLive(
	request *C.speech_request, token *C.speech_cancel_token, stream **C.speech_stream, object **C.speech_error,
) C.speech_status {
	return C.speech_engine_live(e.handle, request, token, stream, object)
}

// LiveText takes the text of a stream of [Engine.Live] in pieces: a token, half a word, a page. A
// sentence is spoken once it is decided: later text never changes how it is read. Writes do not
// wait for the speech, and any number of goroutines may write.
type LiveText struct {
	stream *Stream
	writer pieceWriter
}

var (
	_ io.WriteCloser  = (*LiveText)(nil)
	_ io.StringWriter = (*LiveText)(nil)
)

// Write adds a piece, which may end inside a character. It fails with [ErrInvalidRequest] after
// Close and for invalid UTF-8 or a NUL, and then adds nothing; and with [ErrCancelled] when the
// context is done or the stream was cancelled or closed.
func (t *LiveText) Write(piece []byte) (int, error) { return t.WriteString(string(piece)) }

// WriteString is Write for a string.
func (t *LiveText) WriteString(piece string) (int, error) {
	if err := t.unlessStopped(func() error { return t.writer.write(piece) }); err != nil {
		return 0, err
	}
	return len(piece), nil
}

// unlessStopped calls the library with the stream. It fails with the reason if the stream is
// stopped before or during the call.
func (t *LiveText) unlessStopped(call func() error) error {
	defer runtime.KeepAlive(t.stream)
	if err := t.stream.stopped(); err != nil {
		return err
	}
	if err := call(); err != nil {
		return cmp.Or(t.stream.stopped(), err)
	}
	return nil
}

// Flush speaks everything written so far, as if a sentence ended there. More text may follow.
func (t *LiveText) Flush() error {
	return t.unlessStopped(func() error {
		var object *C.speech_error
		return failure(C.speech_stream_flush(t.writer.handle, &object), object)
	})
}

// Full reports whether 16 KiB of text are ahead of the speech. A source that is faster than speech
// should wait.
func (t *LiveText) Full() bool {
	defer runtime.KeepAlive(t.stream)
	return bool(C.speech_stream_is_full(t.writer.handle))
}

// Close ends the text: the rest is spoken, and then the stream ends. It may be called again. It
// fails as Write does, and with [ErrInvalidRequest] if the text ends inside a character, but ends
// it nevertheless.
func (t *LiveText) Close() error {
	return t.unlessStopped(t.writer.finish)
}

// pieceWriter pushes pieces of text, and keeps a partial character until the rest of it arrives.
type pieceWriter struct {
	handle *C.speech_stream
	mutex  sync.Mutex
	begun  string
}

func (w *pieceWriter) write(piece string) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	piece = w.begun + piece
	end := wholeCharacters(piece)
	data, length := text(piece[:end])
	var object *C.speech_error
	if err := failure(C.speech_stream_push(w.handle, data, length, &object), object); err != nil {
		return err
	}
	w.begun = piece[end:]
	return nil
}

func (w *pieceWriter) finish() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	begun := w.begun
	w.begun = ""
	var object *C.speech_error
	if err := failure(C.speech_stream_finish(w.handle, &object), object); err != nil {
		return err
	}
	if begun != "" {
		return refused(ErrInvalidRequest, "the text ends inside a character")
	}
	return nil
}

// wholeCharacters returns the length of a text without a partial character at its end.
func wholeCharacters(text string) int {
	for start := len(text) - 1; start >= max(0, len(text)-utf8.UTFMax); start-- {
		if utf8.RuneStart(text[start]) {
			if utf8.FullRuneInString(text[start:]) {
				break
			}
			return start
		}
	}
	return len(text)
}

// pollFull is how often a source ahead of the speech checks whether it may go on.
const pollFull = 20 * time.Millisecond

// source writes the pieces of a stream of SpeakLive. A nil source does nothing.
type source struct {
	pieces iter.Seq2[string, error]
	writer pieceWriter
	// The context of the stream, which ends with the stream too.
	ctx    context.Context
	end    context.CancelFunc
	start  sync.Once
	mutex  sync.Mutex
	failed error
}

// begin starts taking pieces, once.
func (s *source) begin() {
	if s != nil {
		s.start.Do(func() { go s.run() })
	}
}

func (s *source) run() {
	var err error = refused(ErrInvalidRequest, "the source of the text has ended its goroutine")
	defer func() { s.fail(err) }()
	err = s.write()
}

// write writes the pieces, and returns the error of one.
func (s *source) write() error {
	for piece, err := range s.pieces {
		if err == nil {
			err = s.writer.write(piece)
		}
		if err != nil {
			return err
		}
		for s.ctx.Err() == nil && bool(C.speech_stream_is_full(s.writer.handle)) {
			select {
			case <-s.ctx.Done():
			case <-time.After(pollFull):
			}
		}
		if s.ctx.Err() != nil {
			return nil
		}
	}
	return s.writer.finish()
}

// fail stops the stream with an error, if there is one and the stream was not stopped before.
func (s *source) fail(err error) {
	if err == nil || s.ctx.Err() != nil {
		return
	}
	s.mutex.Lock()
	s.failed = err
	s.mutex.Unlock()
	C.speech_stream_cancel(s.writer.handle, nil)
}

// failure returns the error that stopped the stream, or nil.
func (s *source) failure() error {
	if s == nil {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.failed
}
