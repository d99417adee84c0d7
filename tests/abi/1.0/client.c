// A program of the first binary interface: whole, streamed, cancelled, and the lists.
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

static speech_flow count(void *userdata, const speech_chunk *chunk) {
  const int16_t *samples = NULL;
  size_t length = 0;
  if (speech_chunk_samples(chunk, &samples, &length, NULL) != SPEECH_OK) {
    return SPEECH_STOP;
  }
  *(size_t *)userdata += length;
  return SPEECH_CONTINUE;
}

int main(void) {
  speech_error *error = NULL;
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
  check(speech_engine_load(NULL, &engine, &error), error);
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
