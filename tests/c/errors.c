// Error objects, and every wrong argument: NULL; handles that were freed, have another type or
// never existed; lengths out of range; text that is not UTF-8.
#include "check.h"

static void error_objects(void) {
  speech_request *request = NULL;
  CHECK(speech_request_new(NULL, 5, &request, NULL) == SPEECH_INVALID_REQUEST);
  CHECK(request == NULL);

  speech_status status = speech_request_new("a\xff", 2, &request, &error);
  CHECK(status == SPEECH_INVALID_REQUEST && request == NULL && error != NULL);
  CHECK(speech_error_status(error) == SPEECH_INVALID_REQUEST);
  CHECK(strcmp(speech_error_type(error), "invalid_request") == 0);
  CHECK(strcmp(speech_error_message(error), "text is not UTF-8 at byte 1") == 0);
  CHECK(strlen(speech_error_request_id(error)) == 36);
  CHECK(!speech_error_is_retryable(error));
  char json[256];
  snprintf(json, sizeof json,
           "{\"error\":{\"type\":\"invalid_request\",\"message\":\"text is not UTF-8 at byte 1\","
           "\"request_id\":\"%s\"}}",
           speech_error_request_id(error));
  CHECK(strcmp(speech_error_json(error), json) == 0);

  // A second free, and a read after it.
  speech_error *freed = error;
  speech_error_free(error);
  speech_error_free(error);
  error = NULL;
  speech_error *none[] = {NULL, freed, (speech_error *)(uintptr_t)0x1234};
  for (size_t i = 0; i < 3; i++) {
    CHECK(speech_error_status(none[i]) == SPEECH_OK);
    CHECK(strcmp(speech_error_type(none[i]), "") == 0);
    CHECK(strcmp(speech_error_message(none[i]), "") == 0);
    CHECK(strcmp(speech_error_request_id(none[i]), "") == 0);
    CHECK(strcmp(speech_error_json(none[i]), "") == 0);
    CHECK(strcmp(speech_error_detail(none[i]), "") == 0);
    CHECK(strcmp(speech_error_advice(none[i]), "") == 0);
    CHECK(strcmp(speech_error_path(none[i]), "") == 0);
    CHECK(!speech_error_is_retryable(none[i]));
    speech_error_free(none[i]);
  }
}

// Passes an invalid handle as every type.
static void handles(void *handle, const char *why) {
  size_t size = 7;
  bool flag = true;
  speech_tier tier = SPEECH_TIER_ULTRA;
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  speech_text_parts *parts = NULL;
  speech_request *request = request_for("Hello.");
#define NONE(call) FAILS(call, SPEECH_INVALID_REQUEST, why)
  NONE(speech_engine_options_set_bundle_path(handle, "x", &error));
  NONE(speech_engine_options_set_bundle_memory(handle, (const uint8_t *)"x", 1, NULL, NULL, &error));
  NONE(speech_engine_options_set_bundle_fd(handle, 0, 0, 0, &error));
  NONE(speech_engine_options_set_threads(handle, 1, &error));
  NONE(speech_engine_options_set_max_concurrency(handle, 1, &error));
  NONE(speech_engine_options_add_pronunciation(handle, "x", "y", &error));
  NONE(speech_engine_options_set_cache(handle, 0, &error));
  NONE(speech_engine_options_set_kernels(handle, "auto", &error));
  NONE(speech_engine_options_set_map_bundle(handle, true, &error));
  NONE(speech_engine_options_set_precision(handle, "auto", &error));
  NONE(speech_engine_options_set_log_callback(handle, NULL, NULL, SPEECH_LOG_INFO, &error));
  NONE(speech_engine_warm_up(handle, &error));
  NONE(speech_engine_trim(handle, &error));
  NONE(speech_engine_has_quality(handle, "aria", "en-US", SPEECH_QUALITY_FULL, &flag, &error));
  NONE(speech_engine_synthesize(handle, request, NULL, &audio, &error));
  NONE(speech_engine_stream(handle, request, NULL, &stream, &error));
  NONE(speech_engine_live(handle, request, NULL, &stream, &error));
  NONE(speech_engine_stream_long(handle, request, NULL, &stream, &error));
  NONE(speech_cancel_token_cancel(handle, &error));
  NONE(speech_request_set_language(handle, "x", &error));
  NONE(speech_request_set_voice(handle, "x", &error));
  NONE(speech_request_set_read_emoji(handle, true, &error));
  NONE(speech_request_set_read_romanized_hindi(handle, true, &error));
  NONE(speech_request_set_latency(handle, SPEECH_LATENCY_LOW, &error));
  NONE(speech_request_set_quality(handle, SPEECH_QUALITY_FULL, &error));
  NONE(speech_request_set_sample_rate(handle, 8000, &error));
  NONE(speech_request_set_encoding(handle, SPEECH_ENCODING_MULAW, &error));
  NONE(speech_request_set_rate(handle, 1, &error));
  NONE(speech_request_set_pitch(handle, 0, &error));
  NONE(speech_request_set_volume(handle, 0, &error));
  NONE(speech_request_set_ssml(handle, true, &error));
  NONE(speech_request_set_read_pauses(handle, true, &error));
  NONE(speech_request_add_pronunciation(handle, "x", "y", &error));
  NONE(speech_request_add_lexicon(request, handle, &error));
  NONE(speech_request_validate(handle, &size, &error));
  NONE(speech_stream_next(handle, &audio, &error));
  NONE(speech_stream_push(handle, "x", 1, &error));
  NONE(speech_stream_flush(handle, &error));
  NONE(speech_stream_finish(handle, &error));
  NONE(speech_stream_cancel(handle, &error));
  NONE(speech_segmenter_push(handle, "x", 1, &parts, &error));
  NONE(speech_segmenter_finish(handle, &parts, &error));
  NONE(speech_tiers_resolve(handle, "ultra", &tier, &error));
#undef NONE
  // The outputs were not written.
  CHECK(audio == NULL && stream == NULL && parts == NULL && size == 7 && flag && tier == SPEECH_TIER_ULTRA);
  // Getters return empty values.
#define EMPTY(call) \
  size = 7;         \
  CHECK((call) == NULL && size == 0)
  EMPTY(speech_audio_samples(handle, &size));
  EMPTY(speech_audio_samples_f32(handle, &size));
  EMPTY(speech_audio_bytes(handle, &size));
  EMPTY(speech_audio_wav(handle, &size));
  EMPTY(speech_audio_words(handle, &size));
  EMPTY(speech_audio_phonemes(handle, &size));
  EMPTY(speech_audio_visemes(handle, &size));
  EMPTY(speech_audio_sentences(handle, &size));
  EMPTY(speech_audio_marks(handle, &size));
  EMPTY(speech_audio_diagnostics(handle, &size));
  EMPTY(speech_stream_diagnostics(handle, &size));
  EMPTY(speech_text_parts_strings(handle, &size));
  EMPTY(speech_tiers_entries(handle, &size));
  EMPTY(speech_tiers_ranked(handle, SPEECH_USE_CASE_OTHER, &size));
#undef EMPTY
  const char *const strings[] = {
      speech_engine_kernels(handle),   speech_engine_precision(handle), speech_audio_kernels(handle),
      speech_audio_precision(handle),  speech_audio_request_id(handle), speech_stream_request_id(handle),
      speech_tiers_json(handle),
  };
  for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
    CHECK(strcmp(strings[i], "") == 0);
  }
  CHECK(speech_engine_threads(handle) == 0 && !speech_cancel_token_is_cancelled(handle));
  CHECK(speech_audio_sample_rate(handle) == 0 && speech_audio_characters(handle) == 0);
  CHECK(speech_audio_encoding(handle) == SPEECH_ENCODING_PCM16);
  CHECK(speech_stream_sample_rate(handle) == 0 && speech_stream_encoding(handle) == SPEECH_ENCODING_PCM16);
  CHECK(!(speech_audio_duration(handle) > 0) && speech_audio_span(handle).end == 0);
  CHECK(speech_stream_characters(handle) == 0 && speech_stream_heard_at(handle, 1) == 0);
  CHECK(!speech_stream_is_full(handle));
  // Freeing an invalid handle does nothing.
  speech_engine_options_free(handle);
  speech_engine_free(handle);
  speech_cancel_token_free(handle);
  speech_request_free(handle);
  speech_audio_free(handle);
  speech_stream_free(handle);
  speech_text_parts_free(handle);
  speech_segmenter_free(handle);
  speech_tiers_free(handle);
  speech_lexicon_free(handle);
  CHECK(speech_lexicon_entries(handle) == 0);
  speech_request_free(request);
}

// Optional handles: NULL is allowed, and an invalid handle is still rejected.
static void optional_handles(speech_engine *engine) {
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  speech_engine *other = NULL;
  speech_request *request = request_for("Hello.");
  FAILS(speech_engine_synthesize(engine, request, (speech_cancel_token *)engine, &audio, &error),
        SPEECH_INVALID_REQUEST, "not a live cancel token");
  FAILS(speech_engine_stream(engine, request, (speech_cancel_token *)request, &stream, &error),
        SPEECH_INVALID_REQUEST, "not a live cancel token");
  FAILS(speech_engine_synthesize(engine, NULL, NULL, &audio, &error), SPEECH_INVALID_REQUEST,
        "the request is NULL");
  FAILS(speech_engine_stream(engine, NULL, NULL, &stream, &error), SPEECH_INVALID_REQUEST,
        "the request is NULL");
  FAILS(speech_engine_load((speech_engine_options *)request, &other, &error),
        SPEECH_INVALID_REQUEST, "not a live options object");
  CHECK(audio == NULL && stream == NULL && other == NULL);
  speech_request_free(request);
}

// Missing outputs. The library must not create an object that nobody can free.
static void places(speech_engine *engine) {
  size_t before = speech_object_count();
  speech_request *request = request_for("Hello.");
  speech_audio *audio = NULL;
  speech_audio *chunk = NULL;
  speech_stream *stream = NULL;
  speech_tiers *tiers = NULL;
  speech_text_parts *parts = NULL;
  bool has = false;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  OK(speech_engine_stream(engine, request, NULL, &stream, &error));
  OK(speech_stream_next(stream, &chunk, &error));
  OK(speech_tiers_new(NULL, 0, &tiers, &error));
  OK(speech_text_split("One. Two.", SPEECH_NUL_TERMINATED, 5, &parts, &error));
  speech_cancel_token *token = speech_cancel_token_new();
#define NULL_(call) FAILS(call, SPEECH_INVALID_REQUEST, " is NULL")
  NULL_(speech_engine_load(NULL, NULL, &error));
  NULL_(speech_engine_has_quality(engine, NULL, "en-US", SPEECH_QUALITY_FULL, &has, &error));
  NULL_(speech_engine_has_quality(engine, "aria", NULL, SPEECH_QUALITY_FULL, &has, &error));
  NULL_(speech_engine_has_quality(engine, "aria", "en-US", SPEECH_QUALITY_FULL, NULL, &error));
  NULL_(speech_engine_synthesize(engine, request, NULL, NULL, &error));
  NULL_(speech_engine_stream(engine, request, NULL, NULL, &error));
  NULL_(speech_request_new("a", 1, NULL, &error));
  NULL_(speech_request_from_json("{}", 2, NULL, &error));
  NULL_(speech_stream_next(stream, NULL, &error));
  NULL_(speech_text_characters("a", 1, NULL, &error));
  NULL_(speech_text_split("a", 1, 5, NULL, &error));
  speech_segmenter *segmenter = speech_segmenter_new();
  NULL_(speech_segmenter_push(segmenter, "x", 1, NULL, &error));
  NULL_(speech_segmenter_push(segmenter, NULL, 1, &parts, &error));
  NULL_(speech_segmenter_finish(segmenter, NULL, &error));
  speech_segmenter_free(segmenter);
  NULL_(speech_tiers_new(NULL, 0, NULL, &error));
  NULL_(speech_tiers_new(NULL, 1, &tiers, &error));
  NULL_(speech_tiers_resolve(tiers, "ultra", NULL, &error));
  NULL_(speech_tiers_resolve(tiers, NULL, (speech_tier[]){SPEECH_TIER_ULTRA}, &error));
  NULL_(speech_tier_charge(SPEECH_TIER_ULTRA, 1, NULL, &error));
  NULL_(speech_tier_charge_samples(SPEECH_TIER_ULTRA, 1, 1, NULL, &error));
  NULL_(speech_engine_live(engine, request, NULL, NULL, &error));
  NULL_(speech_engine_stream_long(engine, request, NULL, NULL, &error));
  NULL_(speech_request_set_voice(request, NULL, &error));
  NULL_(speech_request_set_language(request, NULL, &error));
#undef NULL_
  // Every error output is optional.
  CHECK(speech_engine_load((speech_engine_options *)engine, NULL, NULL) == SPEECH_INVALID_REQUEST);
  speech_cancel_token_free(token);
  speech_text_parts_free(parts);
  speech_tiers_free(tiers);
  speech_audio_free(chunk);
  speech_stream_free(stream);
  speech_audio_free(audio);
  speech_request_free(request);
  CHECK(speech_object_count() == before);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  error_objects();

  handles(NULL, "is NULL");
  speech_error *freed = NULL;
  CHECK(speech_request_new(NULL, 1, (speech_request *[]){NULL}, &freed) == SPEECH_INVALID_REQUEST);
  // A live handle of a type that none of these functions accepts.
  handles(freed, "it was freed or never existed");
  speech_error_free(freed);
  handles(freed, "it was freed or never existed");
  // Addresses of a variable and of a function, and an arbitrary one.
  handles(&argc, "it was freed or never existed");
  handles((void *)(uintptr_t)1, "it was freed or never existed");
  handles((void *)UINTPTR_MAX, "it was freed or never existed");

  speech_engine *engine = load(argv[2]);
  optional_handles(engine);
  places(engine);
  speech_engine_free(engine);
  speech_engine_free(engine);
  return finish();
}
