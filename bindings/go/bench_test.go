package speech_test

import (
	"context"
	"testing"

	"libspeech.io/speech"
	"libspeech.io/speech/internal/baseline"
)

const short = "Good morning."

// texts are one that the fake model speaks, and one with nothing to say, which shows what a call itself costs.
var texts = map[string]string{"spoken": short, "silent": "...!?"}

// BenchmarkGo and BenchmarkC do the same.
func BenchmarkGo(b *testing.B) {
	cancellable, cancel := context.WithCancel(background)
	defer cancel()
	engine := fake(b)
	for name, ctx := range map[string]context.Context{"": background, "-cancellable": cancellable} {
		for kind, text := range texts {
			b.Run(kind+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					must(engine.Synthesize(ctx, speech.Request{Text: text}))(b)
				}
			})
		}
	}
}

func BenchmarkC(b *testing.B) {
	for kind, text := range texts {
		b.Run(kind, func(b *testing.B) {
			engine := baseline.Load(variable(b, "SPEECH_FAKE_MODEL"), text)
			defer engine.Close()
			b.ResetTimer()
			if !engine.Speak(b.N) {
				b.Fatal("it does not speak")
			}
		})
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
