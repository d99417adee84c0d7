package speech_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"libspeech.io/speech"
)

func Example() {
	engine, err := speech.Load(speech.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	request := speech.Request{Text: "Hello, world.", Voice: speech.Leo, Rate: 1.1}
	audio, err := engine.Synthesize(context.Background(), request)
	if err != nil {
		log.Fatal(err)
	}
	for _, word := range audio.Words {
		fmt.Println(request.Text[word.Span.Begin:word.Span.End])
	}
	fmt.Println(string(audio.WAV()[:4]))
	// Output:
	// Hello
	// world
	// RIFF
}

func ExampleEngine_Stream() {
	engine, err := speech.Load(speech.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	stream, err := engine.Stream(ctx, speech.Request{Text: "First this. Then that."})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for chunk, err := range stream.All() {
		if err != nil {
			log.Fatal(err)
		}
		// Play chunk.Samples here, while the next sentence is computed.
		fmt.Println(chunk.Span)
	}
	// Output:
	// {0 11}
	// {12 22}
}

func ExampleStream_Read() {
	engine, err := speech.Load(speech.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	stream, err := engine.Stream(context.Background(), speech.Request{Text: "First this. Then that."})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	// A stream is an io.Reader of 16-bit samples: copy it to a connection, or into a player.
	written, err := io.Copy(io.Discard, stream)
	fmt.Println(written > 0, err)
	// Output:
	// true <nil>
}

func ExampleEngine_Live() {
	engine, err := speech.Load(speech.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	text, stream, err := engine.Live(context.Background(), speech.Request{Latency: speech.LatencyLow})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	go func() {
		defer text.Close()
		for _, token := range []string{"It cost $3", ".5", "0. Dr", ". No paid", " it."} {
			text.WriteString(token)
		}
	}()
	var played time.Duration
	for chunk, err := range stream.All() {
		if err != nil {
			log.Fatal(err)
		}
		played += chunk.Duration()
	}
	// When somebody interrupts, this is the text heard so far.
	fmt.Println("It cost $3.50. Dr. No paid it."[:stream.HeardAt(played)])
	// Output:
	// It cost $3.50. Dr. No paid it
}

func ExampleEngine_SpeakLive() {
	engine, err := speech.Load(speech.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	// The output of a language model, while it is written.
	tokens := func(yield func(string, error) bool) {
		for _, token := range []string{"One is", " here. Two is", " there."} {
			if !yield(token, nil) {
				return
			}
		}
	}
	stream, err := engine.SpeakLive(context.Background(), tokens, speech.Request{})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for chunk, err := range stream.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(chunk.Span)
	}
	// Output:
	// {0 12}
	// {13 26}
}

func ExampleError() {
	engine, err := speech.Load(speech.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	_, err = engine.Synthesize(context.Background(), speech.Request{Text: "Hello.", Voice: "nobody"})
	var failure *speech.Error
	if errors.As(err, &failure) {
		fmt.Println(failure.Kind)
	}
	fmt.Println(errors.Is(err, speech.ErrInvalidRequest))
	// Output:
	// invalid_request
	// true
}

func ExampleNewTiers() {
	tiers, err := speech.NewTiers(speech.AttentionContext{Left: 70, Right: 6}, speech.AttentionContext{Left: 70, Right: 13})
	if err != nil {
		log.Fatal(err)
	}
	tier, err := tiers.Resolve("standard")
	if err != nil {
		log.Fatal(err)
	}
	charge, err := tier.Charge(time.Hour)
	fmt.Println(tier, charge, err)
	// Output:
	// standard 219600 <nil>
}
