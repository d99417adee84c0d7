// Streams: read, cancelled and freed in every order.
#include "check.h"

#include <pthread.h>
#include <unistd.h>

#define TEXT "One. Two, and more. Three!"

static speech_stream *start(speech_engine *engine, const char *text, speech_cancel_token *token) {
  speech_request *request = request_for(text);
  speech_stream *stream = NULL;
  OK(speech_engine_stream(engine, request, token, &stream, &error));
  speech_request_free(request);
  return stream;
}

static void pulled(speech_engine *engine) {
  speech_request *request = request_for(TEXT);
  speech_audio *audio = NULL;
  size_t whole_count = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  const int16_t *whole = speech_audio_samples(audio, &whole_count);
  speech_request_free(request);

  speech_stream *stream = start(engine, TEXT, NULL);
  const char *id = speech_stream_request_id(stream);
  CHECK(strlen(id) == 36);
  size_t count = speech_stream_characters(stream);
  CHECK(count == strlen(TEXT));
  speech_stream_diagnostics(stream, &count);
  CHECK(count == 0);

  static const char *const sentences[] = {"One.", "Two, and more.", "Three!"};
  size_t at = 0;
  size_t spoken = 0;
  speech_audio *chunk = NULL;
  speech_status status = SPEECH_OK;
  for (; (status = speech_stream_next(stream, &chunk, &error)) == SPEECH_OK; spoken++) {
    CHECK(spoken < 3);
    const int16_t *samples = speech_audio_samples(chunk, &count);
    CHECK(at + count <= whole_count && memcmp(whole + at, samples, 2 * count) == 0);
    const float *floats = speech_audio_samples_f32(chunk, &count);
    CHECK(floats[count / 2] == (float)samples[count / 2] / 32768.0F);
    const speech_span span = speech_audio_span(chunk);
    CHECK(strncmp(&TEXT[span.begin], sentences[spoken], span.end - span.begin) == 0);
    CHECK(strcmp(speech_audio_request_id(chunk), id) == 0 && speech_audio_characters(chunk) == strlen(TEXT));
    size_t words_count = 0;
    const speech_word *words = speech_audio_words(chunk, &words_count);
    CHECK(words_count == (spoken == 1 ? 3 : 1) && words[0].span.begin == span.begin);
    // Times are relative to the start of the stream.
    CHECK(words[0].start_seconds >= (double)at / 22050.0);
    at += count;
    speech_audio_free(chunk);
    speech_audio_free(chunk);
  }
  CHECK(status == SPEECH_END && error == NULL && spoken == 3 && at == whole_count);
  // A finished stream stays finished, and returns no chunk.
  chunk = NULL;
  CHECK(speech_stream_next(stream, &chunk, &error) == SPEECH_END && chunk == NULL && error == NULL);
  CHECK(speech_stream_next(stream, NULL, NULL) == SPEECH_INVALID_REQUEST);
  speech_stream_free(stream);
  speech_stream_free(stream);
  speech_audio_free(audio);

  stream = start(engine, "\xf0\x9f\x98\x80 Hi.", NULL);
  const speech_diagnostic *diagnostics = speech_stream_diagnostics(stream, &count);
  CHECK(count == 1 && diagnostics[0].kind == SPEECH_DIAGNOSTIC_SKIPPED);
  CHECK(diagnostics[0].span.begin == 0 && diagnostics[0].span.end == 4);
  speech_stream_free(stream);
}

// The samples of a stream, which the caller frees, and the number of leading chunks with the span
// of the first.
static int16_t *joined(speech_engine *engine, speech_request *request, size_t *count, size_t *first) {
  speech_stream *stream = NULL;
  int16_t *all = NULL;
  size_t span = 0;
  *count = 0;
  *first = 0;
  OK(speech_engine_stream(engine, request, NULL, &stream, &error));
  speech_audio *chunk = NULL;
  speech_status status = SPEECH_OK;
  while ((status = speech_stream_next(stream, &chunk, &error)) == SPEECH_OK) {
    size_t length = 0;
    const int16_t *samples = speech_audio_samples(chunk, &length);
    const size_t end = speech_audio_span(chunk).end;
    span = *count == 0 ? end : span;
    *first += end == span;
    all = realloc(all, (*count + length) * sizeof *all);
    CHECK(all != NULL);
    memcpy(all + *count, samples, length * sizeof *all);
    *count += length;
    speech_audio_free(chunk);
  }
  CHECK(status == SPEECH_END);
  speech_stream_free(stream);
  return all;
}

// With low latency a long first sentence comes as three chunks, which differ from the standard
// audio only at the beginning.
static void early(speech_engine *engine) {
  speech_request *request = request_for("This is a sentence that takes some seconds to say. And this is another.");
  int16_t *all[2] = {NULL, NULL};
  size_t counts[2] = {0, 0};
  size_t chunks = 0;
  all[0] = joined(engine, request, &counts[0], &chunks);
  CHECK(chunks == 1);
  OK(speech_request_set_latency(request, SPEECH_LATENCY_LOW, &error));
  all[1] = joined(engine, request, &counts[1], &chunks);
  CHECK(chunks == 3);
  CHECK(counts[0] == counts[1] && counts[0] > 44100);
  CHECK(memcmp(all[0] + 22050, all[1] + 22050, (counts[0] - 22050) * sizeof **all) == 0);
  free(all[0]);
  free(all[1]);
  speech_audio *audio = NULL;
  FAILS(speech_engine_synthesize(engine, request, NULL, &audio, &error), SPEECH_INVALID_REQUEST,
        "latency low is for streams");
  speech_request_free(request);
}

static void stopped(speech_engine *engine) {
  // A chunk outlives its stream.
  speech_stream *stream = start(engine, TEXT, NULL);
  speech_audio *chunk = NULL;
  size_t count = 0;
  OK(speech_stream_next(stream, &chunk, &error));
  speech_stream_free(stream);
  CHECK(speech_audio_samples(chunk, &count) != NULL && count > 500);
  speech_audio_free(chunk);

  // Cancelled between two chunks; a later call fails in the same way.
  speech_cancel_token *token = speech_cancel_token_new();
  CHECK(!speech_cancel_token_is_cancelled(token));
  stream = start(engine, TEXT, token);
  OK(speech_stream_next(stream, &chunk, &error));
  speech_audio_free(chunk);
  OK(speech_cancel_token_cancel(token, &error));
  CHECK(speech_cancel_token_is_cancelled(token));
  chunk = NULL;
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "cancelled");
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "cancelled");
  CHECK(chunk == NULL);
  speech_stream_free(stream);

  // A cancelled token stops later calls.
  speech_audio *audio = NULL;
  speech_request *request = request_for("Hi.");
  FAILS(speech_engine_synthesize(engine, request, token, &audio, &error), SPEECH_CANCELLED, "");
  stream = start(engine, "Hi.", token);
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "");
  speech_stream_free(stream);
  speech_cancel_token_free(token);
  speech_cancel_token_free(token);
  CHECK(audio == NULL);

  // Freeing a stream stops only that stream, not others with the same token.
  token = speech_cancel_token_new();
  stream = start(engine, TEXT, token);
  speech_stream *other = start(engine, TEXT, token);
  speech_stream_free(stream);
  CHECK(!speech_cancel_token_is_cancelled(token));
  OK(speech_stream_next(other, &chunk, &error));
  speech_audio_free(chunk);
  // Freeing a token stops nothing.
  speech_cancel_token_free(token);
  OK(speech_stream_next(other, &chunk, &error));
  speech_audio_free(chunk);
  speech_stream_free(other);
  speech_request_free(request);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  speech_engine *engine = load(argv[1]);
  pulled(engine);
  stopped(engine);
  // A stream outlives its engine.
  speech_stream *stream = start(engine, TEXT, NULL);
  speech_engine_free(engine);
  speech_audio *chunk = NULL;
  size_t chunks = 0;
  for (; speech_stream_next(stream, &chunk, &error) == SPEECH_OK; chunks++) {
    speech_audio_free(chunk);
  }
  CHECK(chunks == 3 && error == NULL);
  speech_stream_free(stream);
  // The fake model's early chunk equals its standard audio, so samples can be compared.
  engine = load(argv[2]);
  early(engine);
  speech_engine_free(engine);
  return finish();
}
