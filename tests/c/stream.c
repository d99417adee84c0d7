// Streams: pulled and called back, cancelled, stopped and freed in every order.
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
  const int16_t *whole = NULL;
  size_t whole_count = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  OK(speech_audio_samples(audio, &whole, &whole_count, &error));
  speech_request_free(request);

  speech_stream *stream = start(engine, TEXT, NULL);
  const char *id = NULL;
  size_t count = 0;
  OK(speech_stream_request_id(stream, &id, &error));
  CHECK(strlen(id) == 36);
  OK(speech_stream_characters(stream, &count, &error));
  CHECK(count == strlen(TEXT));
  OK(speech_stream_diagnostic_count(stream, &count, &error));
  CHECK(count == 0);

  static const char *const sentences[] = {"One.", "Two, and more.", "Three!"};
  size_t at = 0;
  size_t spoken = 0;
  speech_audio *chunk = NULL;
  OK(speech_stream_next(stream, &chunk, &error));
  for (; chunk != NULL; spoken++) {
    const int16_t *samples = NULL;
    const float *floats = NULL;
    size_t begin = 0;
    size_t end = 0;
    double start_seconds = 0;
    CHECK(spoken < 3);
    OK(speech_audio_samples(chunk, &samples, &count, &error));
    CHECK(at + count <= whole_count && memcmp(whole + at, samples, 2 * count) == 0);
    OK(speech_audio_samples_f32(chunk, &floats, &count, &error));
    CHECK(floats[count / 2] == (float)samples[count / 2] / 32768.0F);
    OK(speech_audio_span(chunk, &begin, &end, &error));
    CHECK(strncmp(&TEXT[begin], sentences[spoken], end - begin) == 0);
    OK(speech_audio_span(chunk, NULL, NULL, &error));
    const char *chunk_id = NULL;
    size_t characters = 0;
    OK(speech_audio_request_id(chunk, &chunk_id, &error));
    OK(speech_audio_characters(chunk, &characters, &error));
    CHECK(strcmp(chunk_id, id) == 0 && characters == strlen(TEXT));
    size_t words = 0;
    OK(speech_audio_word_count(chunk, &words, &error));
    CHECK(words == (spoken == 1 ? 3 : 1));
    OK(speech_audio_word(chunk, 0, &begin, NULL, &start_seconds, NULL, &error));
    // Times go from the start of the stream.
    CHECK(start_seconds >= (double)at / 22050.0);
    at += count;
    speech_audio_free(chunk);
    speech_audio_free(chunk);
    OK(speech_stream_next(stream, &chunk, &error));
  }
  CHECK(spoken == 3 && at == whole_count);
  // The end stays the end.
  OK(speech_stream_next(stream, &chunk, &error));
  CHECK(chunk == NULL);
  speech_stream_free(stream);
  speech_stream_free(stream);
  speech_audio_free(audio);

  stream = start(engine, "\xf0\x9f\x98\x80 Hi.", NULL);
  speech_diagnostic_kind kind = 0;
  size_t begin = 9;
  size_t end = 9;
  OK(speech_stream_diagnostic_count(stream, &count, &error));
  CHECK(count == 1);
  OK(speech_stream_diagnostic(stream, 0, &kind, &begin, &end, &error));
  CHECK(kind == SPEECH_DIAGNOSTIC_SKIPPED && begin == 0 && end == 4);
  speech_stream_free(stream);
}

// The samples of a stream, which the caller frees, and how many of its first chunks have the span of the first.
static int16_t *joined(speech_engine *engine, speech_request *request, size_t *count, size_t *first) {
  speech_stream *stream = NULL;
  int16_t *all = NULL;
  size_t span = 0;
  *count = 0;
  *first = 0;
  OK(speech_engine_stream(engine, request, NULL, &stream, &error));
  for (;;) {
    speech_audio *chunk = NULL;
    const int16_t *samples = NULL;
    size_t length = 0;
    size_t end = 0;
    OK(speech_stream_next(stream, &chunk, &error));
    if (chunk == NULL) {
      break;
    }
    OK(speech_audio_samples(chunk, &samples, &length, &error));
    OK(speech_audio_span(chunk, NULL, &end, &error));
    span = *count == 0 ? end : span;
    *first += end == span;
    all = realloc(all, (*count + length) * sizeof *all);
    CHECK(all != NULL);
    memcpy(all + *count, samples, length * sizeof *all);
    *count += length;
    speech_audio_free(chunk);
  }
  speech_stream_free(stream);
  return all;
}

// With low latency a long first sentence comes as three chunks, which differ from the standard ones at the beginning only.
static void early(speech_engine *engine) {
  speech_request *request = request_for("This is a sentence that takes some seconds to say. And this is another.");
  int16_t *all[3] = {NULL, NULL, NULL};
  size_t counts[3] = {0, 0, 0};
  size_t chunks = 0;
  OK(speech_request_set_format(request, "pcm", &error));
  all[0] = joined(engine, request, &counts[0], &chunks);
  CHECK(chunks == 1);
  OK(speech_request_set_latency(request, "low", &error));
  all[1] = joined(engine, request, &counts[1], &chunks);
  CHECK(chunks == 3);
  // A stream is pcm, whatever the format says.
  OK(speech_request_set_format(request, "wav", &error));
  all[2] = joined(engine, request, &counts[2], &chunks);
  CHECK(chunks == 3);
  CHECK(counts[0] == counts[1] && counts[0] == counts[2] && counts[0] > 44100);
  CHECK(memcmp(all[0] + 22050, all[1] + 22050, (counts[0] - 22050) * sizeof **all) == 0);
  CHECK(memcmp(all[1], all[2], counts[1] * sizeof **all) == 0);
  for (int i = 0; i < 3; i++) {
    free(all[i]);
  }
  speech_audio *audio = NULL;
  FAILS(speech_engine_synthesize(engine, request, NULL, &audio, &error), SPEECH_INVALID_REQUEST,
        "latency low is for streams");
  speech_request_free(request);
}

struct calls {
  int count;
  int stop_after;
  speech_stream *free_after;
  speech_cancel_token *cancel_after;
  const speech_audio *last;
};

static speech_flow called(void *userdata, const speech_audio *chunk) {
  struct calls *calls = userdata;
  const int16_t *samples = NULL;
  size_t count = 0;
  OK(speech_audio_samples(chunk, &samples, &count, &error));
  CHECK(count > 500 && samples[count / 2] == samples[count / 2]);
  calls->last = chunk;
  calls->count++;
  if (calls->count != calls->stop_after) {
    return SPEECH_CONTINUE;
  }
  if (calls->free_after != NULL) {
    speech_stream_free(calls->free_after);
    return SPEECH_CONTINUE;
  }
  if (calls->cancel_after != NULL) {
    OK(speech_cancel_token_cancel(calls->cancel_after, &error));
    return SPEECH_CONTINUE;
  }
  return SPEECH_STOP;
}

static void called_back(speech_engine *engine) {
  speech_stream *stream = start(engine, TEXT, NULL);
  struct calls calls = {0};
  OK(speech_stream_for_each(stream, called, &calls, &error));
  CHECK(calls.count == 3);
  // A chunk is valid during the callback only.
  size_t count = 0;
  FAILS(speech_audio_word_count(calls.last, &count, &error), SPEECH_INVALID_REQUEST, "not a live audio object");
  OK(speech_stream_for_each(stream, called, &calls, &error));
  CHECK(calls.count == 3);
  speech_stream_free(stream);

  // Stopped: the rest can still be pulled.
  stream = start(engine, TEXT, NULL);
  calls = (struct calls){.stop_after = 2};
  FAILS(speech_stream_for_each(stream, called, &calls, &error), SPEECH_CANCELLED, "callback stopped");
  CHECK(calls.count == 2);
  speech_audio *chunk = NULL;
  OK(speech_stream_next(stream, &chunk, &error));
  CHECK(chunk != NULL);
  // A chunk stays when its stream and its engine do not.
  speech_stream_free(stream);
  const int16_t *samples = NULL;
  OK(speech_audio_samples(chunk, &samples, &count, &error));
  speech_audio_free(chunk);

  // Freed inside its own callback.
  stream = start(engine, TEXT, NULL);
  calls = (struct calls){.stop_after = 1, .free_after = stream};
  FAILS(speech_stream_for_each(stream, called, &calls, &error), SPEECH_CANCELLED, "cancelled");
  CHECK(calls.count == 1);

  // Cancelled inside its own callback; it fails in the same way when it is asked again.
  speech_cancel_token *token = NULL;
  bool cancelled = true;
  OK(speech_cancel_token_new(&token, &error));
  OK(speech_cancel_token_is_cancelled(token, &cancelled, &error));
  CHECK(!cancelled);
  stream = start(engine, TEXT, token);
  calls = (struct calls){.stop_after = 2, .cancel_after = token};
  FAILS(speech_stream_for_each(stream, called, &calls, &error), SPEECH_CANCELLED, "cancelled");
  CHECK(calls.count == 2);
  OK(speech_cancel_token_is_cancelled(token, &cancelled, &error));
  CHECK(cancelled);
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "cancelled");
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "cancelled");
  speech_stream_free(stream);

  // A token that was cancelled stops what starts later.
  speech_audio *audio = NULL;
  speech_request *request = request_for("Hi.");
  FAILS(speech_engine_synthesize(engine, request, token, &audio, &error), SPEECH_CANCELLED, "");
  stream = start(engine, "Hi.", token);
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "");
  speech_stream_free(stream);
  speech_cancel_token_free(token);
  speech_cancel_token_free(token);
  CHECK(audio == NULL);

  // Freeing a stream cancels that stream and nothing else of its token.
  OK(speech_cancel_token_new(&token, &error));
  stream = start(engine, TEXT, token);
  speech_stream *other = start(engine, TEXT, token);
  speech_stream_free(stream);
  OK(speech_cancel_token_is_cancelled(token, &cancelled, &error));
  CHECK(!cancelled);
  OK(speech_stream_next(other, &chunk, &error));
  speech_audio_free(chunk);
  // A token that is freed stops nothing.
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
  called_back(engine);
  // A stream outlives its engine.
  speech_stream *stream = start(engine, TEXT, NULL);
  speech_engine_free(engine);
  struct calls calls = {0};
  OK(speech_stream_for_each(stream, called, &calls, &error));
  CHECK(calls.count == 3);
  speech_stream_free(stream);
  // The fake model begins as it goes on, so that samples can be compared.
  engine = load(argv[2]);
  early(engine);
  speech_engine_free(engine);
  return finish();
}
