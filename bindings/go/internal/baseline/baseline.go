// Package baseline is the C counterpart of the benchmarks of package speech.
package baseline

/*
#cgo !libspeech_static pkg-config: libspeech
#cgo libspeech_static pkg-config: libspeech-static
#include <speech.h>
#include <stdlib.h>

// Speaks a text some times with one engine, and returns the number of samples, or -1.
static long speak(const speech_engine *engine, const char *text, long times) {
  long samples = 0;
  for (long i = 0; i < times; i++) {
    speech_request *request = NULL;
    speech_audio *audio = NULL;
    size_t count = 0;
    if (speech_request_new(text, SPEECH_NUL_TERMINATED, &request, NULL) != SPEECH_OK ||
        speech_engine_synthesize(engine, request, NULL, &audio, NULL) != SPEECH_OK) {
      return -1;
    }
    samples += speech_audio_samples(audio, &count) != NULL;
    samples += (long)count;
    speech_audio_free(audio);
    speech_request_free(request);
  }
  return samples;
}

static speech_engine *load(const char *bundle) {
  speech_engine *engine = NULL;
  speech_engine_options *options = speech_engine_options_new();
  if (speech_engine_options_set_bundle_path(options, bundle, NULL) == SPEECH_OK &&
      speech_engine_options_set_threads(options, 1, NULL) == SPEECH_OK) {
    speech_engine_load(options, &engine, NULL);
  }
  speech_engine_options_free(options);
  return engine;
}
*/
import "C"

import "unsafe"

// Engine is an engine with one thread.
type Engine struct {
	engine *C.speech_engine
	text   *C.char
}

// Load loads an engine that speaks a text.
func Load(bundle, text string) Engine {
	path := C.CString(bundle)
	defer C.free(unsafe.Pointer(path))
	return Engine{C.load(path), C.CString(text)}
}

// Speak speaks the text some times, and reports success.
func (e Engine) Speak(times int) bool { return C.speak(e.engine, e.text, C.long(times)) > 0 }

// Close frees the engine.
func (e Engine) Close() {
	C.speech_engine_free(e.engine)
	C.free(unsafe.Pointer(e.text))
}
