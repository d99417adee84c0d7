// A program of the binary interface 1.1: settings of a request, SSML, what is heard when, live text, what was heard, and texts
// of any length.
#include <speech.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(speech_status status, speech_error *error) {
  if (status != SPEECH_OK) {
    fprintf(stderr, "%s: %s\n", speech_error_type(error), speech_error_message(error));
    exit(1);
  }
}

static speech_request *request_for(const char *text, speech_error *error) {
  speech_request *request = NULL;
  check(speech_request_new(text, SPEECH_NUL_TERMINATED, &request, &error), error);
  return request;
}

// What is heard when in a document: counts that must be there.
static void events(const speech_engine *engine, speech_error *error) {
  speech_request *request = request_for("<speak>A <mark name='here'/>bee.</speak>", error);
  speech_audio *audio = NULL;
  size_t phonemes = 0;
  size_t visemes = 0;
  size_t sentences = 0;
  size_t marks = 0;
  size_t begin = 0;
  size_t end = 0;
  uint32_t azure = 0;
  double from = 0;
  double to = 0;
  const char *ipa = NULL;
  const char *shape = NULL;
  const char *name = NULL;
  check(speech_request_set_ssml(request, true, &error), error);
  check(speech_request_set_rate(request, 0.8, &error), error);
  check(speech_request_set_pitch(request, -2, &error), error);
  check(speech_request_set_volume(request, -6, &error), error);
  check(speech_request_set_read_pauses(request, false, &error), error);
  check(speech_engine_synthesize(engine, request, NULL, &audio, &error), error);
  check(speech_audio_phoneme_count(audio, &phonemes, &error), error);
  check(speech_audio_viseme_count(audio, &visemes, &error), error);
  check(speech_audio_sentence_count(audio, &sentences, &error), error);
  check(speech_audio_mark_count(audio, &marks, &error), error);
  if (phonemes != 3 || visemes < 3 || sentences != 1 || marks != 1) {
    fprintf(stderr, "%zu sounds, %zu shapes, %zu sentences, %zu marks\n", phonemes, visemes, sentences, marks);
    exit(1);
  }
  check(speech_audio_phoneme(audio, 1, &ipa, &begin, &end, &from, &to, &error), error);
  check(speech_audio_viseme(audio, 0, &shape, &azure, &from, &to, &error), error);
  check(speech_audio_sentence(audio, 0, &begin, &end, &from, &to, &error), error);
  check(speech_audio_mark(audio, 0, &name, &from, &error), error);
  if (strcmp(ipa, "b") != 0 || strcmp(shape, "sil") != 0 || azure != 0 || strcmp(name, "here") != 0 || from > to) {
    exit(1);
  }
  speech_audio_free(audio);
  speech_request_free(request);
}

static size_t samples_of(speech_stream *stream, speech_error *error) {
  size_t all = 0;
  for (;;) {
    speech_audio *chunk = NULL;
    const int16_t *samples = NULL;
    size_t count = 0;
    check(speech_stream_next(stream, &chunk, &error), error);
    if (chunk == NULL) {
      return all;
    }
    check(speech_audio_samples(chunk, &samples, &count, &error), error);
    all += count;
    speech_audio_free(chunk);
  }
}

int main(void) {
  speech_error *error = NULL;
  speech_engine *engine = NULL;
  speech_stream *stream = NULL;
  size_t heard = 0;

  check(SPEECH_ABI_CHECK(&error), error);
  check(speech_engine_load(NULL, &engine, &error), error);
  events(engine, error);

  speech_request *request = request_for("", error);
  check(speech_engine_live(engine, request, NULL, &stream, &error), error);
  check(speech_stream_push(stream, "Yes. N", 6, &error), error);
  check(speech_stream_push(stream, "o", SPEECH_NUL_TERMINATED, &error), error);
  check(speech_stream_flush(stream, &error), error);
  check(speech_stream_finish(stream, &error), error);
  const size_t live = samples_of(stream, error);
  check(speech_stream_heard(stream, 60, &heard, &error), error);
  speech_stream_free(stream);
  speech_request_free(request);

  request = request_for("Yes. No", error);
  check(speech_engine_stream_long(engine, request, NULL, &stream, &error), error);
  const size_t whole = samples_of(stream, error);
  speech_stream_free(stream);
  if (live != whole || live < 10000 || heard != strlen("Yes. No")) {
    fprintf(stderr, "%zu samples live, %zu whole, %zu bytes heard\n", live, whole, heard);
    return 1;
  }

  check(speech_engine_stream_long(engine, request, NULL, &stream, &error), error);
  check(speech_stream_cancel(stream, &error), error);
  speech_audio *chunk = NULL;
  if (speech_stream_next(stream, &chunk, &error) != SPEECH_CANCELLED) {
    return 1;
  }
  speech_error_free(error);
  speech_stream_free(stream);
  speech_request_free(request);
  speech_engine_free(engine);
  return speech_object_count() == 0 ? 0 : 1;
}
