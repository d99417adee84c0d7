// A program of the binary interface 1.0: options, text in pieces, whole and streamed speech, low latency, cancelling,
// details of errors, and the lists.
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

static speech_flow count(void *userdata, const speech_audio *chunk) {
  const int16_t *samples = NULL;
  size_t length = 0;
  if (speech_audio_samples(chunk, &samples, &length, NULL) != SPEECH_OK) {
    return SPEECH_STOP;
  }
  *(size_t *)userdata += length;
  return SPEECH_CONTINUE;
}

// Sentences of a text that arrives in pieces; the caller frees them.
static speech_text_parts *sentences(speech_error *error) {
  speech_segmenter *segmenter = NULL;
  speech_text_parts *parts = NULL;
  size_t count = 0;
  check(speech_segmenter_new(&segmenter, &error), error);
  check(speech_segmenter_push(segmenter, "Run kubectl \xf0\x9f\x98\x80 no", SPEECH_NUL_TERMINATED, &parts, &error),
        error);
  check(speech_text_parts_count(parts, &count, &error), error);
  speech_text_parts_free(parts);
  if (count != 0) {
    exit(1);
  }
  check(speech_segmenter_push(segmenter, "w. Stop", 7, &parts, &error), error);
  speech_segmenter_free(segmenter);
  return parts;
}

// The chunks of a stream with low latency.
static size_t early(const speech_engine *engine, speech_error *error) {
  const char *text = "This is a sentence that takes some seconds to say.";
  speech_request *request = NULL;
  speech_stream *stream = NULL;
  speech_audio *chunk = NULL;
  size_t chunks = 0;
  check(speech_request_new(text, SPEECH_NUL_TERMINATED, &request, &error), error);
  check(speech_request_set_latency(request, "low", &error), error);
  check(speech_engine_stream(engine, request, NULL, &stream, &error), error);
  for (;; chunks++) {
    check(speech_stream_next(stream, &chunk, &error), error);
    if (chunk == NULL) {
      break;
    }
    speech_audio_free(chunk);
  }
  speech_stream_free(stream);
  speech_request_free(request);
  return chunks;
}

int main(void) {
  speech_error *error = NULL;
  speech_engine_options *options = NULL;
  speech_engine *engine = NULL;
  speech_request *request = NULL;
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  speech_cancel_token *token = NULL;
  speech_tiers *tiers = NULL;
  const int16_t *samples = NULL;
  const char *json = NULL;
  size_t length = 0;
  size_t streamed = 0;
  const uint32_t contexts[] = {70, 6};

  check(SPEECH_ABI_CHECK(&error), error);
  check(speech_engine_options_new(&options, &error), error);
  check(speech_engine_options_set_bundle_path(options, "/nonexistent", &error), error);
  if (speech_engine_load(options, &engine, &error) != SPEECH_MODEL_ERROR ||
      strcmp(speech_error_detail(error), "file_missing") != 0) {
    return 1;
  }
  speech_error_free(error);
  error = NULL;
  speech_engine_options_free(options);
  check(speech_engine_options_new(&options, &error), error);
  check(speech_engine_options_add_pronunciation(options, "kubectl", "cube control", &error), error);
  check(speech_engine_options_set_kernels(options, "auto", &error), error);
  check(speech_engine_options_set_precision(options, "fp32", &error), error);
  check(speech_engine_options_set_max_concurrency(options, 2, &error), error);
  check(speech_engine_load(options, &engine, &error), error);
  speech_engine_options_free(options);
  check(speech_engine_warm_up(engine, &error), error);

  speech_text_parts *parts = sentences(error);
  const char *sentence = NULL;
  const char *precision = NULL;
  size_t words = 0;
  check(speech_text_parts_get(parts, 0, &sentence, &error), error);
  check(speech_request_new(sentence, SPEECH_NUL_TERMINATED, &request, &error), error);
  check(speech_request_set_read_emoji(request, true, &error), error);
  check(speech_request_set_read_romanized_hindi(request, false, &error), error);
  check(speech_engine_synthesize(engine, request, NULL, &audio, &error), error);
  check(speech_audio_word_count(audio, &words, &error), error);
  check(speech_audio_precision(audio, &precision, &error), error);
  speech_audio_free(audio);
  speech_request_free(request);
  speech_text_parts_free(parts);
  if (words != 4 || strcmp(precision, "fp32") != 0 || early(engine, error) < 2) {
    return 1;
  }

  check(speech_request_new("One. Two.", SPEECH_NUL_TERMINATED, &request, &error), error);
  check(speech_request_set_voice(request, "john", &error), error);
  check(speech_cancel_token_new(&token, &error), error);
  check(speech_engine_synthesize(engine, request, token, &audio, &error), error);
  check(speech_audio_samples(audio, &samples, &length, &error), error);
  check(speech_engine_stream(engine, request, token, &stream, &error), error);
  check(speech_stream_for_each(stream, count, &streamed, &error), error);
  check(speech_tiers_new(contexts, 1, &tiers, &error), error);
  check(speech_tiers_json(tiers, &json, &error), error);
  if (streamed != length || length < 10000 || strstr(json, "\"standard\"") == NULL) {
    fprintf(stderr, "%zu samples whole, %zu streamed, %s\n", length, streamed, json);
    return 1;
  }
  check(speech_cancel_token_cancel(token, &error), error);
  if (speech_engine_synthesize(engine, request, token, &audio, &error) != SPEECH_CANCELLED) {
    return 1;
  }
  speech_error_free(error);
  speech_tiers_free(tiers);
  speech_stream_free(stream);
  speech_audio_free(audio);
  speech_cancel_token_free(token);
  speech_request_free(request);
  speech_engine_free(engine);
  return speech_object_count() == 0 ? 0 : 1;
}
