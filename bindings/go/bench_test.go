package speech_test

import (
	"context"
	"testing"

	"libspeech.io/speech"
	"libspeech.io/speech/internal/baseline"
)

const short = "Good morning."

// texts are a text that the fake model speaks, and one with nothing speakable, which shows the
// overhead of a call.
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

// BenchmarkStream opens a stream, reads it once and closes it.
func BenchmarkStream(b *testing.B) {
	engine := fake(b)
	for b.Loop() {
		stream := must(engine.Stream(background, speech.Request{Text: short}))(b)
		must(stream.Next())(b)
		stream.Close()
	}
}

// BenchmarkRefused makes a request that the library rejects before it computes anything.
func BenchmarkRefused(b *testing.B) {
	engine := fake(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Synthesize(background, speech.Request{Voice: speech.Leo}); err == nil {
			b.Fatal("it is not refused")
		}
	}
}

// BenchmarkValidate makes a request with its setters.
func BenchmarkValidate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		must(speech.Request{Text: short, Voice: speech.Leo, Rate: 1.1}.Validate())(b)
	}
}
