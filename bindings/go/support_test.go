package speech_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"libspeech.io/speech"
)

const three = "First this, of 25 words. Then that! And it ends here."

// mixed is a text with different numbers of UTF-16 units, characters and bytes.
const mixed = "😀 Café noir. यह दूसरा है! The 🎉 end, and the 😀 last."

// variable is an environment variable set by `cargo xtask test`.
func variable(t testing.TB, name string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		t.Fatalf("%s is not set: run `cargo xtask test go-tests`, or see its source for what to set", name)
	}
	return value
}

// fake loads an engine with the fake model, which is fast and outputs a tone.
func fake(t testing.TB) *speech.Engine {
	t.Helper()
	return load(t, speech.Options{Bundle: variable(t, "SPEECH_FAKE_MODEL"), Threads: 1})
}

func load(t testing.TB, options speech.Options) *speech.Engine {
	t.Helper()
	engine, err := speech.Load(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

// refused checks the kind of an error, and a part of its message.
func refused(t testing.TB, err error, kind speech.Kind, message string) *speech.Error {
	t.Helper()
	var found *speech.Error
	if !errors.As(err, &found) || !errors.Is(err, kind) || !strings.Contains(found.Message, message) {
		t.Fatalf("%v is no %s about %q", err, kind, message)
	}
	return found
}

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// chunks reads the rest of a stream.
func chunks(t testing.TB, stream *speech.Stream) []*speech.Audio {
	t.Helper()
	var all []*speech.Audio
	for chunk, err := range stream.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, chunk)
	}
	return all
}

func pcm(chunks []*speech.Audio) string {
	var all strings.Builder
	for _, chunk := range chunks {
		all.Write(chunk.PCM())
	}
	return all.String()
}

// bytesOf reads a stream to its end.
func bytesOf(t testing.TB, stream *speech.Stream) string {
	t.Helper()
	return string(must(io.ReadAll(stream))(t))
}

// pieces cuts a text into pieces of some bytes, also inside characters.
func pieces(text string, length int) []string {
	var all []string
	for len(text) > length {
		all, text = append(all, text[:length]), text[length:]
	}
	return append(all, text)
}

// until waits for a condition.
func until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after 30 s: %s", what)
		}
	}
}

// rows reads a table of the cases shared by every language.
func rows[Row any](t testing.TB, table string) []Row {
	t.Helper()
	var tables map[string]json.RawMessage
	if err := json.Unmarshal(must(os.ReadFile(variable(t, "SPEECH_CASES")))(t), &tables); err != nil {
		t.Fatal(err)
	}
	var all []Row
	if err := json.Unmarshal(tables[table], &all); err != nil || len(all) == 0 {
		t.Fatalf("%s: %v", table, err)
	}
	return all
}
