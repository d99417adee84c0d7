package speech_test

import (
	"context"
	"testing"

	"libspeech.io/speech"
	"libspeech.io/speech/internal/baseline"
)

const short = "Good morning."

// BenchmarkGo and BenchmarkC do the same with the fake model: the difference is what a call of Go costs.
func BenchmarkGo(b *testing.B) {
	engine := fake(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Synthesize(background, speech.Request{Text: short}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGoCancellable is the same with a context that may be cancelled.
func BenchmarkGoCancellable(b *testing.B) {
	engine := fake(b)
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Synthesize(ctx, speech.Request{Text: short}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkC(b *testing.B) {
	engine := baseline.Load(variable(b, "SPEECH_FAKE_MODEL"), short)
	defer engine.Close()
	b.ResetTimer()
	if !engine.Speak(b.N) {
		b.Fatal("it does not speak")
	}
}

// BenchmarkStream is a stream that is opened, read once and closed.
func BenchmarkStream(b *testing.B) {
	engine := fake(b)
	for b.Loop() {
		stream := must(engine.Stream(background, speech.Request{Text: short}))(b)
		must(stream.Next())(b)
		stream.Close()
	}
}

// BenchmarkRefused is a request that the library refuses before it computes anything.
func BenchmarkRefused(b *testing.B) {
	engine := fake(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Synthesize(background, speech.Request{Voice: speech.Leo}); err == nil {
			b.Fatal("it is not refused")
		}
	}
}

// BenchmarkValidate is a request and its setters, and nothing else.
func BenchmarkValidate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		must(speech.Request{Text: short, Voice: speech.Leo, Rate: 1.1}.Validate())(b)
	}
}
