// A program compiled for the binary interface 1.0. Uses options, text in pieces, whole, streamed
// and live speech, low latency, SSML, timestamps, cancellation, error details, and the lists.
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

static void expect(bool holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
  }
}

#define EXPECT(condition) expect((condition), #condition)

static speech_request *request_for(const char *text, speech_error *error) {
  speech_request *request = NULL;
  check(speech_request_new(text, SPEECH_NUL_TERMINATED, &request, &error), error);
  return request;
}

// Reads the rest of a stream; returns the number of its samples and of its chunks.
static size_t samples_of(speech_stream *stream, size_t *chunks, speech_error *error) {
  speech_audio *chunk = NULL;
  speech_status status = SPEECH_OK;
  size_t all = 0;
  *chunks = 0;
  while ((status = speech_stream_next(stream, &chunk, &error)) == SPEECH_OK) {
    size_t count = 0;
    EXPECT(speech_audio_samples(chunk, &count) != NULL);
    all += count;
    ++*chunks;
    speech_audio_free(chunk);
  }
  EXPECT(status == SPEECH_END && error == NULL);
  return all;
}

static speech_engine *loaded(speech_error *error) {
  speech_engine_options *options = speech_engine_options_new();
  speech_engine *engine = NULL;
  check(speech_engine_options_set_bundle_path(options, "/nonexistent", &error), error);
  EXPECT(speech_engine_load(options, &engine, &error) == SPEECH_MODEL_ERROR);
  EXPECT(strcmp(speech_error_detail(error), "file_missing") == 0);
  speech_error_free(error);
  error = NULL;
  speech_engine_options_free(options);
  options = speech_engine_options_new();
  check(speech_engine_options_add_pronunciation(options, "kubectl", "cube control", &error), error);
  check(speech_engine_options_set_kernels(options, "auto", &error), error);
  check(speech_engine_options_set_precision(options, "fp32", &error), error);
  check(speech_engine_options_set_max_concurrency(options, 2, &error), error);
  check(speech_engine_load(options, &engine, &error), error);
  speech_engine_options_free(options);
  check(speech_engine_warm_up(engine, &error), error);
  EXPECT(strcmp(speech_engine_precision(engine), "fp32") == 0 && speech_engine_threads(engine) > 0);
  return engine;
}

// A sentence of a text that arrives in pieces.
static void pieces(const speech_engine *engine, speech_error *error) {
  speech_segmenter *segmenter = speech_segmenter_new();
  speech_text_parts *parts = NULL;
  speech_audio *audio = NULL;
  size_t count = 9;
  check(speech_segmenter_push(segmenter, "Run kubectl \xf0\x9f\x98\x80 no", SPEECH_NUL_TERMINATED, &parts, &error),
        error);
  EXPECT(speech_text_parts_strings(parts, &count) == NULL && count == 0);
  speech_text_parts_free(parts);
  check(speech_segmenter_push(segmenter, "w. Stop", 7, &parts, &error), error);
  speech_segmenter_free(segmenter);
  speech_request *request = request_for(speech_text_parts_strings(parts, &count)[0], error);
  speech_text_parts_free(parts);
  check(speech_request_set_read_emoji(request, true, &error), error);
  check(speech_request_set_read_romanized_hindi(request, false, &error), error);
  check(speech_engine_synthesize(engine, request, NULL, &audio, &error), error);
  EXPECT(count == 1 && speech_audio_words(audio, &count)[1].span.begin == 4 && count == 4);
  EXPECT(speech_audio_diagnostics(audio, &count) == NULL);
  speech_audio_free(audio);
  speech_request_free(request);
}

// The timestamps of an SSML document.
static void events(const speech_engine *engine, speech_error *error) {
  speech_request *request = request_for("<speak>A <mark name='here'/>bee.</speak>", error);
  speech_audio *audio = NULL;
  size_t count = 0;
  check(speech_request_set_ssml(request, true, &error), error);
  check(speech_request_set_rate(request, 0.8, &error), error);
  check(speech_request_set_pitch(request, -2, &error), error);
  check(speech_request_set_volume(request, -6, &error), error);
  check(speech_request_set_read_pauses(request, false, &error), error);
  check(speech_engine_synthesize(engine, request, NULL, &audio, &error), error);
  EXPECT(strcmp(speech_audio_phonemes(audio, &count)[1].ipa, "b") == 0 && count == 3);
  EXPECT(strcmp(speech_audio_visemes(audio, &count)[0].name, "sil") == 0 && count >= 3);
  EXPECT(speech_audio_sentences(audio, &count)[0].end_seconds > 0 && count == 1);
  EXPECT(strcmp(speech_audio_marks(audio, &count)[0].name, "here") == 0 && count == 1);
  speech_audio_free(audio);
  speech_request_free(request);
}

// Speaks the same text as a live text, as a long text, and with low latency.
static void streams(const speech_engine *engine, speech_error *error) {
  speech_request *request = request_for("", error);
  speech_stream *stream = NULL;
  size_t chunks = 0;
  check(speech_engine_live(engine, request, NULL, &stream, &error), error);
  check(speech_stream_push(stream, "Yes. N", 6, &error), error);
  check(speech_stream_push(stream, "o", SPEECH_NUL_TERMINATED, &error), error);
  check(speech_stream_flush(stream, &error), error);
  check(speech_stream_finish(stream, &error), error);
  const size_t live = samples_of(stream, &chunks, error);
  EXPECT(speech_stream_heard_at(stream, 60) == strlen("Yes. No"));
  EXPECT(!speech_stream_is_full(stream));
  speech_stream_free(stream);
  speech_request_free(request);

  request = request_for("Yes. No", error);
  check(speech_engine_stream_long(engine, request, NULL, &stream, &error), error);
  EXPECT(samples_of(stream, &chunks, error) == live && live > 10000);
  speech_stream_free(stream);
  check(speech_engine_stream_long(engine, request, NULL, &stream, &error), error);
  check(speech_stream_cancel(stream, &error), error);
  speech_audio *chunk = NULL;
  EXPECT(speech_stream_next(stream, &chunk, &error) == SPEECH_CANCELLED && chunk == NULL);
  speech_error_free(error);
  error = NULL;
  speech_stream_free(stream);
  speech_request_free(request);

  request = request_for("This is a sentence that takes some seconds to say.", error);
  check(speech_request_set_latency(request, SPEECH_LATENCY_LOW, &error), error);
  check(speech_request_set_quality(request, SPEECH_QUALITY_FULL, &error), error);
  check(speech_engine_stream(engine, request, NULL, &stream, &error), error);
  EXPECT(samples_of(stream, &chunks, error) > 10000 && chunks > 1);
  speech_stream_free(stream);
  speech_request_free(request);
}

static void lists(speech_error *error) {
  const uint32_t contexts[] = {70, 6};
  speech_tiers *tiers = NULL;
  speech_tier tier = SPEECH_TIER_ULTRA;
  size_t count = 0;
  check(speech_tiers_new(contexts, 1, &tiers, &error), error);
  check(speech_tiers_resolve(tiers, "standard", &tier, &error), error);
  EXPECT(tier == speech_tier_default() && speech_tiers_entries(tiers, &count)[2].available && count == 4);
  EXPECT(strstr(speech_tiers_json(tiers), "\"standard\"") != NULL);
  speech_tiers_free(tiers);
  EXPECT(strcmp(speech_voices_list(&count)[0].id, speech_voices_default()) == 0 && count == 5);
}

int main(void) {
  speech_error *error = NULL;
  check(SPEECH_ABI_CHECK(&error), error);
  speech_engine *engine = loaded(error);
  pieces(engine, error);
  events(engine, error);
  streams(engine, error);
  lists(error);

  speech_request *request = request_for("One. Two.", error);
  speech_cancel_token *token = speech_cancel_token_new();
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  size_t whole = 0;
  size_t chunks = 0;
  check(speech_request_set_voice(request, "john", &error), error);
  check(speech_engine_synthesize(engine, request, token, &audio, &error), error);
  check(speech_engine_stream(engine, request, token, &stream, &error), error);
  EXPECT(speech_audio_samples(audio, &whole) != NULL);
  EXPECT(samples_of(stream, &chunks, error) == whole && chunks == 2);
  check(speech_cancel_token_cancel(token, &error), error);
  speech_audio_free(audio);
  EXPECT(speech_engine_synthesize(engine, request, token, &audio, &error) == SPEECH_CANCELLED);
  speech_error_free(error);
  speech_stream_free(stream);
  speech_cancel_token_free(token);
  speech_request_free(request);
  speech_engine_free(engine);
  return speech_object_count() == 0 ? 0 : 1;
}
