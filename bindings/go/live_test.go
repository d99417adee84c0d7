package speech_test

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"libspeech.io/speech"
)

func live(t testing.TB, engine *speech.Engine, request speech.Request) (*speech.LiveText, *speech.Stream) {
	t.Helper()
	text, stream, err := engine.Live(background, request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Close() })
	return text, stream
}

// source yields pieces, and then an error if there is one.
func source(pieces []string, failure error) func(func(string, error) bool) {
	return func(yield func(string, error) bool) {
		for _, piece := range pieces {
			if !yield(piece, nil) {
				return
			}
		}
		if failure != nil {
			yield("", failure)
		}
	}
}

// A live text gives the stream of the text, however it is divided.
func TestPieces(t *testing.T) {
	engine := fake(t)
	for _, text := range []string{three, mixed} {
		expected := string(speak(t, engine, speech.Request{Text: text, Voice: speech.Leo}).PCM())
		for _, length := range []int{1, 2, 3, 7, len(text)} {
			writer, stream := live(t, engine, speech.Request{Voice: speech.Leo})
			go func() {
				for _, piece := range pieces(text, length) {
					if n, err := writer.Write([]byte(piece)); n != len(piece) || err != nil {
						t.Error(n, err)
					}
				}
				if err := writer.Close(); err != nil {
					t.Error(err)
				}
			}()
			if got := bytesOf(t, stream); got != expected {
				t.Errorf("pieces of %d bytes: %d bytes, not %d", length, len(got), len(expected))
			}
			spoken := must(engine.SpeakLive(background, source(pieces(text, length), nil), speech.Request{Voice: speech.Leo}))(t)
			if bytesOf(t, spoken) != expected {
				t.Errorf("a source of %d bytes", length)
			}
			spoken.Close()
		}
	}
	// The text of the request is its beginning, and io.Copy writes it.
	writer, stream := live(t, engine, speech.Request{Text: "First this, ", Voice: speech.Leo})
	must(io.Copy(writer, strings.NewReader(strings.TrimPrefix(three, "First this, "))))(t)
	writer.Close()
	if bytesOf(t, stream) != string(speak(t, engine, speech.Request{Text: three, Voice: speech.Leo}).PCM()) {
		t.Error("another beginning")
	}
}

func TestDecidedSentences(t *testing.T) {
	text, stream := live(t, fake(t), speech.Request{})
	next := func(begin, end int) {
		t.Helper()
		if span := must(stream.Next())(t).Span; span != (speech.Span{Begin: begin, End: end}) {
			t.Errorf("%+v", span)
		}
	}
	must(text.WriteString("One is here. Two"))(t)
	next(0, 12)
	must(text.WriteString(" follows. And"))(t)
	next(13, 25)
	if err := text.Flush(); err != nil {
		t.Error(err)
	}
	next(26, 29)
	must(text.WriteString(" then more."))(t)
	for range 2 {
		if err := text.Close(); err != nil {
			t.Error(err)
		}
	}
	next(30, 40)
	if _, err := stream.Next(); err != io.EOF || stream.Characters() != 40 {
		t.Error(err, stream.Characters())
	}
	_, err := text.WriteString("More.")
	refused(t, err, speech.ErrInvalidRequest, "finished")
}

func TestRefusedPieces(t *testing.T) {
	text, stream := live(t, fake(t), speech.Request{})
	must(text.WriteString("One "))(t)
	for _, piece := range []string{"a\x00", "\xff", "a\xc3("} {
		n, err := text.WriteString(piece)
		refused(t, err, speech.ErrInvalidRequest, "")
		if n != 0 {
			t.Error(n)
		}
	}
	must(text.WriteString("two."))(t)
	must(text.Write([]byte("\xf0\x9f")))(t)
	refused(t, text.Close(), speech.ErrInvalidRequest, "inside a character")
	if all := chunks(t, stream); len(all) != 1 || stream.Characters() != 8 {
		t.Error(len(all), stream.Characters())
	}
	_, _, err := fake(t).Live(background, speech.Request{SSML: true})
	refused(t, err, speech.ErrInvalidRequest, "SSML")
	stream.Close()
	_, err = text.WriteString("a")
	refused(t, err, speech.ErrCancelled, "closed")
	refused(t, text.Flush(), speech.ErrCancelled, "closed")
	refused(t, text.Close(), speech.ErrCancelled, "closed")
}

func TestLiveDiagnostics(t *testing.T) {
	text, stream := live(t, fake(t), speech.Request{})
	must(text.WriteString("One 😀 is. Two"))(t)
	first := must(stream.Next())(t)
	must(text.WriteString(" 😀 are."))(t)
	text.Close()
	chunks(t, stream)
	if len(first.Diagnostics) != 1 || len(stream.Diagnostics()) != 2 || stream.Diagnostics()[1].Span.Begin != 17 {
		t.Errorf("%+v, %+v", first.Diagnostics, stream.Diagnostics())
	}
}

// A writer learns that the stream is closed during the write.
func TestClosedWhileWriting(t *testing.T) {
	engine := fake(t)
	var group sync.WaitGroup
	for range 100 {
		text, stream := live(t, engine, speech.Request{})
		for range 8 {
			group.Add(1)
			go func() {
				defer group.Done()
				var err error
				for err == nil {
					_, err = text.WriteString("It is. ")
				}
				if !errors.Is(err, speech.ErrCancelled) {
					t.Error(err)
				}
			}()
		}
		runtime.Gosched()
		stream.Close()
		group.Wait()
	}
}

func TestInterrupted(t *testing.T) {
	text, stream := live(t, fake(t), speech.Request{})
	must(text.WriteString("One is here. Two is there. Three is"))(t)
	chunk := must(stream.Next())(t)
	for range 2 {
		stream.Cancel()
	}
	if heard := stream.HeardAt(chunk.Duration()); heard != len("One is here") {
		t.Error(heard)
	}
	if stream.HeardAt(-1) != 0 || stream.HeardAt(0) != 0 {
		t.Error("it was heard before it began")
	}
	_, err := stream.Next()
	refused(t, err, speech.ErrCancelled, "")
	_, err = text.WriteString(" nowhere.")
	refused(t, err, speech.ErrCancelled, "")

	// While it waits for text.
	for name, stop := range stops {
		_, stream := live(t, fake(t), speech.Request{})
		time.AfterFunc(20*time.Millisecond, func() { stop(stream) })
		_, err := stream.Next()
		if found := refused(t, err, speech.ErrCancelled, ""); errors.Is(found, context.Canceled) {
			t.Error(name, found)
		}
	}
	ctx, cancel := context.WithCancel(background)
	_, waiting, err := fake(t).Live(ctx, speech.Request{})
	must(waiting, err)(t)
	defer waiting.Close()
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = waiting.Next()
	refused(t, err, speech.ErrCancelled, "")
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestEndlessSource(t *testing.T) {
	var taken atomic.Int64
	piece := strings.Repeat("Hello there. ", 100)
	stream := must(fake(t).SpeakLive(background, func(yield func(string, error) bool) {
		for yield(piece, nil) {
			taken.Add(1)
		}
		taken.Store(-1)
	}, speech.Request{}))(t)
	defer stream.Close()
	time.Sleep(20 * time.Millisecond)
	if taken.Load() != 0 {
		t.Error("it begins before a chunk is asked for")
	}
	must(stream.Next())(t)
	time.Sleep(300 * time.Millisecond)
	ahead := taken.Load()
	if ahead < 10 || ahead > 20 {
		t.Errorf("%d pieces were taken", ahead)
	}
	for range 200 {
		must(stream.Next())(t)
	}
	until(t, "none was taken later", func() bool { return taken.Load() > ahead })
	stream.Close()
	until(t, "the source goes on", func() bool { return taken.Load() == -1 })
}

func TestFull(t *testing.T) {
	text, stream := live(t, fake(t), speech.Request{})
	for !text.Full() {
		must(text.WriteString("It is so. "))(t)
	}
	if characters := stream.Characters(); characters < 16_384 || characters > 16_500 {
		t.Error(characters)
	}
	for text.Full() {
		must(stream.Next())(t)
	}
}

func TestFailingSource(t *testing.T) {
	failure := errors.New("the model is gone")
	later, stop := context.WithCancel(background)
	stream := must(fake(t).SpeakLive(later, source([]string{"One is here. Two"}, failure), speech.Request{}))(t)
	defer stream.Close()
	var err error
	for err == nil {
		_, err = stream.Next()
	}
	stop()
	_, again := stream.Next()
	if err != failure || again != failure {
		t.Error(err, again)
	}
	bad := must(fake(t).SpeakLive(background, source([]string{"One.", "\x00"}, nil), speech.Request{}))(t)
	defer bad.Close()
	for err = nil; err == nil; {
		_, err = bad.Next()
	}
	refused(t, err, speech.ErrInvalidRequest, "NUL")
	ended := must(fake(t).SpeakLive(background, func(func(string, error) bool) { runtime.Goexit() }, speech.Request{}))(t)
	defer ended.Close()
	_, err = ended.Next()
	refused(t, err, speech.ErrInvalidRequest, "ended its goroutine")
	_, err = fake(t).SpeakLive(background, nil, speech.Request{})
	refused(t, err, speech.ErrInvalidRequest, "nil")
	// A source that returns the error of its context ends like the context.
	ctx, cancel := context.WithCancel(background)
	cancelled := must(fake(t).SpeakLive(ctx, func(yield func(string, error) bool) {
		cancel()
		yield("", ctx.Err())
	}, speech.Request{}))(t)
	defer cancelled.Close()
	_, err = cancelled.Next()
	refused(t, err, speech.ErrCancelled, "")
	unread := must(fake(t).SpeakLive(background, source(nil, failure), speech.Request{}))(t)
	if err := unread.Close(); err != nil {
		t.Error(err)
	}
}

func TestLowLatency(t *testing.T) {
	engine := fake(t)
	text := "It was a bright cold day in April, and the clocks were striking thirteen, as they did."
	stream := must(engine.Stream(background, speech.Request{Text: text, Latency: speech.LatencyLow}))(t)
	defer stream.Close()
	all := chunks(t, stream)
	spans := func(chunk *speech.Audio) bool { return chunk.Span != all[0].Span }
	if len(all) != 3 || slices.ContainsFunc(all, spans) || all[0].Duration() >= time.Second {
		t.Errorf("%d chunks", len(all))
	}
	_, err := engine.Synthesize(background, speech.Request{Text: text, Latency: speech.LatencyLow})
	refused(t, err, speech.ErrInvalidRequest, "streams")
}
