package speech_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
	"unsafe"

	"libspeech.io/speech"
)

var background = context.Background()

func stream(t testing.TB, engine *speech.Engine, text string) *speech.Stream {
	t.Helper()
	stream := must(engine.Stream(background, speech.Request{Text: text}))(t)
	t.Cleanup(func() { stream.Close() })
	return stream
}

func TestStream(t *testing.T) {
	engine := fake(t)
	for _, text := range []string{three, mixed} {
		whole := speak(t, engine, speech.Request{Text: text})
		stream := stream(t, engine, text)
		if !uuid.MatchString(stream.RequestID()) || stream.Characters() != whole.Characters {
			t.Error(stream.RequestID(), stream.Characters())
		}
		if !slices.Equal(stream.Diagnostics(), whole.Diagnostics) {
			t.Error(stream.Diagnostics())
		}
		all := chunks(t, stream)
		var words []speech.Word
		for i, chunk := range all {
			words = append(words, chunk.Words...)
			if chunk.Sentences[0].Span != whole.Sentences[i].Span || chunk.RequestID != stream.RequestID() {
				t.Errorf("%+v", chunk.Sentences)
			}
		}
		if len(all) != 3 || pcm(all) != string(whole.PCM()) || len(words) != len(whole.Words) {
			t.Errorf("%d chunks", len(all))
		}
		for i, word := range words {
			if word.Span != whole.Words[i].Span || (word.Start-whole.Words[i].Start).Abs() > time.Microsecond {
				t.Errorf("%+v, not %+v", word, whole.Words[i])
			}
		}
		for range 2 {
			if _, err := stream.Next(); err != io.EOF {
				t.Error(err)
			}
		}
		if len(chunks(t, stream)) != 0 {
			t.Error("it goes on after its end")
		}
	}
}

func TestReader(t *testing.T) {
	engine := fake(t)
	expected := speak(t, engine, speech.Request{Text: three}).PCM()
	if err := iotest.TestReader(stream(t, engine, three), expected); err != nil {
		t.Error(err)
	}
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"a byte": iotest.OneByteReader, "a half": iotest.HalfReader, "whole": func(r io.Reader) io.Reader { return r },
	} {
		read, err := io.ReadAll(reader(stream(t, engine, three)))
		if err != nil || string(read) != string(expected) {
			t.Errorf("%s: %d bytes, %v", name, len(read), err)
		}
	}
	closed := stream(t, engine, three)
	if n, err := closed.Read(nil); n != 0 || err != nil {
		t.Error(n, err)
	}
	closed.Close()
	_, err := io.ReadAll(closed)
	refused(t, err, speech.ErrCancelled, "closed")
	// In the middle of a chunk.
	begun := stream(t, engine, three)
	must(begun.Read(make([]byte, 2)))(t)
	begun.Close()
	n, err := begun.Read(make([]byte, 2))
	refused(t, err, speech.ErrCancelled, "closed")
	if n != 0 {
		t.Error(n)
	}
}

func TestStreamLong(t *testing.T) {
	text := strings.Repeat("It is so. ", 300)
	long := must(fake(t).StreamLong(background, speech.Request{Text: text}))(t)
	defer long.Close()
	all := chunks(t, long)
	if len(all) != 300 || all[299].Span.End != len(text)-1 || long.Characters() != len(text) {
		t.Errorf("%d chunks, %d characters", len(all), long.Characters())
	}
	if heard := long.HeardAt(all[0].Duration()); heard != len("It is so") {
		t.Error(heard)
	}
	_, err := fake(t).StreamLong(background, speech.Request{Text: " "})
	refused(t, err, speech.ErrEmptyText, "")
}

func TestClosedEarly(t *testing.T) {
	stream := stream(t, fake(t), three)
	for chunk, err := range stream.All() {
		if err != nil || chunk.Span.End != len("First this, of 25 words.") {
			t.Error(chunk, err)
		}
		break
	}
	_, err := stream.Next()
	refused(t, err, speech.ErrCancelled, "")
	if errors.Is(err, context.Canceled) {
		t.Error("no context was cancelled")
	}
	for range 2 {
		if stream.Close() != nil {
			t.Error("it cannot be closed")
		}
	}
	_, err = stream.Next()
	refused(t, err, speech.ErrCancelled, "closed")
	if stream.RequestID() != "" || stream.Characters() != 0 || stream.HeardAt(time.Hour) != 0 {
		t.Error("it is not closed")
	}
	stream.Cancel()
}

// open are the calls that open a stream and take a chunk of it.
var open = map[string]func(context.Context, *speech.Engine, string) (*speech.Stream, error){
	"stream": func(ctx context.Context, engine *speech.Engine, text string) (*speech.Stream, error) {
		return engine.Stream(ctx, speech.Request{Text: text})
	},
	"long": func(ctx context.Context, engine *speech.Engine, text string) (*speech.Stream, error) {
		return engine.StreamLong(ctx, speech.Request{Text: text})
	},
	"live": func(ctx context.Context, engine *speech.Engine, text string) (*speech.Stream, error) {
		live, stream, err := engine.Live(ctx, speech.Request{})
		if err == nil {
			_, err = live.WriteString(text)
		}
		return stream, err
	},
	"speak": func(ctx context.Context, engine *speech.Engine, text string) (*speech.Stream, error) {
		return engine.SpeakLive(ctx, func(yield func(string, error) bool) {
			yield(text, nil)
			<-ctx.Done()
		}, speech.Request{})
	},
}

func TestCancelled(t *testing.T) {
	engine := fake(t)
	cause := errors.New("the call has ended")
	cancelled := func(err error, causes ...error) {
		t.Helper()
		refused(t, err, speech.ErrCancelled, "")
		for _, cause := range causes {
			if !errors.Is(err, cause) {
				t.Errorf("%v is not caused by %v", err, cause)
			}
		}
	}
	before, cancel := context.WithCancelCause(background)
	cancel(cause)
	_, err := engine.Synthesize(before, speech.Request{Text: "a"})
	cancelled(err, cause, context.Canceled)
	passed, stop := context.WithTimeout(background, -1)
	defer stop()
	_, err = engine.Synthesize(passed, speech.Request{Text: "a"})
	cancelled(err, context.DeadlineExceeded)
	for name, open := range open {
		t.Run(name, func(t *testing.T) {
			stream, err := open(before, engine, three)
			if err == nil {
				defer stream.Close()
				_, err = stream.Next()
			}
			cancelled(err, cause, context.Canceled)

			ctx, cancel := context.WithCancel(background)
			stream = must(open(ctx, engine, three))(t)
			defer stream.Close()
			must(stream.Next())(t)
			cancel()
			until(t, "it goes on", func() bool { _, err = stream.Next(); return err != nil })
			cancelled(err, context.Canceled)
			_, err = stream.Next()
			cancelled(err, context.Canceled)

			// After the end a context changes nothing.
			ctx, cancel = context.WithCancel(background)
			if name == "stream" || name == "long" {
				stream = must(open(ctx, engine, three))(t)
				defer stream.Close()
				chunks(t, stream)
				cancel()
				if _, err = stream.Next(); err != io.EOF {
					t.Error(err)
				}
			}
			cancel()
		})
	}
	after, cancelAfter := context.WithCancel(background)
	must(engine.Synthesize(after, speech.Request{Text: "a"}))(t)
	cancelAfter()
}

// A sentence of the real voices takes seconds: it is stopped in the middle.
func TestCancelledInside(t *testing.T) {
	engine := load(t, speech.Options{Bundle: variable(t, "SPEECH_REFERENCE_BUNDLE"), Threads: 1})
	text := strings.Repeat("It was a bright cold day in April, and the clocks were striking thirteen. ", 13)
	ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
	defer cancel()
	_, err := engine.Synthesize(ctx, speech.Request{Text: text})
	refused(t, err, speech.ErrCancelled, "")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	for name, stop := range stops {
		stream := stream(t, engine, text)
		time.AfterFunc(20*time.Millisecond, func() { stop(stream) })
		_, err = stream.Next()
		if found := refused(t, err, speech.ErrCancelled, ""); errors.Is(found, context.Canceled) {
			t.Error(name, err)
		}
	}
}

// stops are the methods that stop a stream.
var stops = map[string]func(*speech.Stream){
	"cancelled": (*speech.Stream).Cancel, "closed": func(stream *speech.Stream) { stream.Close() },
}

func TestConcurrentUse(t *testing.T) {
	engine := load(t, speech.Options{Bundle: variable(t, "SPEECH_FAKE_MODEL"), Threads: 2, MaxConcurrency: 3})
	expected := string(speak(t, engine, speech.Request{Text: three}).PCM())
	shared := speech.NewSegmenter()
	var group sync.WaitGroup
	for range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 3 {
				audio, err := engine.Synthesize(background, speech.Request{Text: three})
				if err != nil || string(audio.PCM()) != expected {
					t.Error(err)
				}
				stream, err := engine.Stream(background, speech.Request{Text: three})
				if err != nil {
					t.Error(err)
					return
				}
				if read, err := io.ReadAll(stream); err != nil || string(read) != expected {
					t.Error(len(read), err)
				}
				stream.Close()
				if _, err := shared.Push("It is. "); err != nil {
					t.Error(err)
				}
				if _, err = engine.Synthesize(background, speech.Request{}); !errors.Is(err, speech.ErrEmptyText) {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	// One stream with many readers: each chunk is returned once.
	stream := stream(t, engine, strings.Repeat("It is. ", 100))
	var taken sync.Map
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for chunk, err := stream.Next(); err == nil; chunk, err = stream.Next() {
				if _, found := taken.LoadOrStore(chunk.Span, true); found {
					t.Errorf("%+v was given twice", chunk.Span)
				}
				_ = stream.Diagnostics()
			}
		}()
	}
	group.Wait()
	spans := 0
	taken.Range(func(any, any) bool { spans++; return true })
	if spans != 100 {
		t.Errorf("%d chunks", spans)
	}
	// Engines and streams that are closed during calls.
	for range 20 {
		engine := load(t, speech.Options{Bundle: variable(t, "SPEECH_FAKE_MODEL"), Threads: 1})
		text, stream, err := engine.Live(background, speech.Request{Text: three})
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []func() error{
			func() error { _, err := engine.Synthesize(background, speech.Request{Text: three}); return err },
			func() error {
				for {
					if _, err := stream.Next(); err != nil {
						return err
					}
				}
			},
			func() error { _, err := text.WriteString("It is. "); return err },
			func() error { stream.HeardAt(time.Second); return stream.Close() },
			engine.Close,
		} {
			group.Add(1)
			go func() {
				defer group.Done()
				err := call()
				if err != nil && !errors.Is(err, speech.ErrInvalidRequest) && !errors.Is(err, speech.ErrCancelled) {
					t.Error(err)
				}
			}()
		}
		group.Wait()
	}
}

// held returns the process's resources after garbage collection.
func held(t testing.TB) (goroutines, objects, threads int) {
	t.Helper()
	last, same := "", 0
	until(t, "it does not come to rest", func() bool {
		runtime.GC()
		goroutines, objects = runtime.NumGoroutine(), speech.ObjectCount()
		if tasks, err := os.ReadDir("/proc/self/task"); err == nil {
			threads = len(tasks)
		}
		now := strings.Join([]string{string(rune(goroutines)), string(rune(objects)), string(rune(threads))}, " ")
		if now != last {
			last, same = now, 0
		}
		same++
		return same > 20
	})
	return
}

func TestNothingIsLeft(t *testing.T) {
	engine := fake(t)
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	const few = "One. Two. Three."
	endless := func(yield func(string, error) bool) {
		for yield("It is so, and it goes on. ", nil) {
		}
	}
	uses := map[string]func(){
		"unread": func() { must(engine.Stream(ctx, speech.Request{Text: few}))(t) },
		"let go": func() { must(must(engine.Stream(ctx, speech.Request{Text: few}))(t).Next())(t) },
		"a loop that is left": func() {
			for range must(engine.StreamLong(ctx, speech.Request{Text: few}))(t).All() {
				break
			}
		},
		"live": func() {
			text, stream, err := engine.Live(ctx, speech.Request{Text: few})
			must(stream, err)(t)
			must(text.WriteString("More of it. "))(t)
			must(stream.Next())(t)
		},
		"an endless source": func() {
			must(must(engine.SpeakLive(ctx, endless, speech.Request{}))(t).Next())(t)
		},
		"closed": func() {
			stream := must(engine.Stream(ctx, speech.Request{Text: few}))(t)
			must(stream.Next())(t)
			stream.Close()
		},
		"refused": func() {
			if _, err := engine.Stream(ctx, speech.Request{Text: "a", Voice: "none"}); err == nil {
				t.Error("it is not refused")
			}
			if _, err := engine.Synthesize(ctx, speech.Request{Text: "a", Latency: speech.LatencyLow}); err == nil {
				t.Error("it is not refused")
			}
		},
		"whole":     func() { must(engine.Synthesize(ctx, speech.Request{Text: few}))(t) },
		"segmenter": func() { must(speech.NewSegmenter().Push(few))(t); must(speech.NewTiers())(t) },
	}
	for name, use := range uses {
		use()
		goroutines, objects, threads := held(t)
		for range 200 {
			use()
		}
		after, objectsAfter, threadsAfter := held(t)
		if after > goroutines || objectsAfter > objects || threadsAfter > threads+8 {
			t.Errorf("%s: from %d goroutines, %d objects, %d threads to %d, %d, %d",
				name, goroutines, objects, threads, after, objectsAfter, threadsAfter)
		}
	}
}

func TestLetGo(t *testing.T) {
	_, before, _ := held(t)
	func() {
		engine, err := speech.Load(speech.Options{Bundle: variable(t, "SPEECH_FAKE_MODEL"), Threads: 1})
		must(engine, err)(t)
		must(engine.Synthesize(background, speech.Request{Text: "a"}))(t)
	}()
	if _, after, _ := held(t); after != before {
		t.Errorf("%d objects, then %d", before, after)
	}
	// Smaller objects may share memory with a live one, and then their cleanup waits for that.
	if min(unsafe.Sizeof(speech.Segmenter{}), unsafe.Sizeof(speech.Tiers{})) < 16 {
		t.Error("a tiny object")
	}
}

var _ iter.Seq2[*speech.Audio, error] = (*speech.Stream)(nil).All()
