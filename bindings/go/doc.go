// Package speech is libspeech for Go: it turns text into natural speech inside the process, on the CPU and offline, in
// English and Hindi, with five voices.
//
// [Load] loads an [Engine], which any number of goroutines share. [Engine.Synthesize] speaks a whole text,
// [Engine.Stream] gives it a sentence at a time, and [Engine.Live] and [Engine.SpeakLive] speak a text that is still being
// written, such as the answer of a language model.
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
// [Options] and [Request] are structures whose zero values are the defaults. A service can decode them from its
// configuration; [ParseRequest] reads the JSON of a request that it gets.
//
// # Audio
//
// Samples are mono, 16 bits, 22,050 a second or as many as the request names. [Audio] is plain Go memory: it needs no Close, and what holds it may
// outlive the engine. Spans are bytes of the text, so text[span.Begin:span.End] is what they mean.
//
// # Cancellation
//
// When the context of a call is done, the computation stops within milliseconds. The error matches both [ErrCancelled]
// and the context: [context.Canceled] or [context.DeadlineExceeded], and the cause if it has one. The context of a stream
// counts until the stream is closed.
//
// # Errors
//
// Errors of the library are of type *[Error]: [errors.As] gives the details, and [errors.Is] compares with a [Kind] such as
// [ErrTextTooLong]. No part of a text is in a message.
//
// # Linking
//
// The package uses the C package of libspeech by cgo, which pkg-config finds: set PKG_CONFIG_PATH to its folder lib/pkgconfig.
// With the build tag libspeech_static the library becomes a part of the program. The voices are found beside the
// library, or where SPEECH_BUNDLE or [Options] say.
package speech
