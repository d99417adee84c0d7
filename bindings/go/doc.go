// Package speech is libspeech for Go: it turns text into natural speech inside the process, on the
// CPU and offline, in English and Hindi, in five voices.
//
// [Load] loads an [Engine], which any number of goroutines share. [Engine.Synthesize] speaks a
// whole text, [Engine.Stream] speaks it one sentence at a time, and [Engine.Live] and
// [Engine.SpeakLive] speak a text that is still being written, such as the answer of a language
// model.
//
//	engine, err := speech.Load(speech.Options{})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//	audio, err := engine.Synthesize(ctx, speech.Request{Text: "Hello, world.", Voice: speech.Leo})
//	if err != nil {
//		return err
//	}
//	return os.WriteFile("hello.wav", audio.WAV(), 0o644)
//
// # Settings
//
// [Options] and [Request] are structures whose zero values are the defaults. A service can decode
// them from its configuration; [ParseRequest] parses the JSON of an incoming request.
//
// # Audio
//
// Samples are mono, 16-bit, at 22,050 Hz or the rate set in the request. [Audio] is plain Go
// memory: it needs no Close, and may outlive the engine. Spans are byte ranges of the text:
// text[span.Begin:span.End].
//
// # Cancellation
//
// When the context of a call is done, the computation stops within milliseconds. The error matches
// both [ErrCancelled] and the context's error: [context.Canceled] or [context.DeadlineExceeded],
// and its cause, if any. The context of a stream applies until the stream is closed.
//
// # Errors
//
// Errors of the library have the type *[Error]: [errors.As] gives the details, and [errors.Is]
// compares with a [Kind] such as [ErrTextTooLong]. Messages contain no part of a text.
//
// # Linking
//
// The package uses libspeech's C package through cgo, which finds it with pkg-config: set
// PKG_CONFIG_PATH to its folder lib/pkgconfig. The build tag libspeech_static links the library
// statically. The voices are found next to the library, or at the path in SPEECH_BUNDLE or
// [Options].
package speech
