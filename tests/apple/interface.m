// The module as Objective-C sees it: compiled with all warnings as errors.

@import LibSpeech;

// Enumerations are distinct 32-bit types.
_Static_assert(sizeof(speech_status) == 4 && sizeof(speech_tier) == 4, "an enumeration has 32 bits");

// A nullable pointer is not a nonnull one.
static const char *_Nullable message_of(speech_error *_Nullable error) {
  return error == NULL ? NULL : speech_error_message(error);
}

// An unknown status of a newer library is not undefined behavior. A switch needs a default.
static bool is_retryable(speech_status status) {
  switch (status) {
    case SPEECH_OVERLOADED:
      return true;
    case SPEECH_OK:
    case SPEECH_EMPTY_TEXT:
    case SPEECH_TEXT_TOO_LONG:
    case SPEECH_INVALID_REQUEST:
    case SPEECH_INVALID_TIER:
    case SPEECH_UNAUTHORIZED:
    case SPEECH_NOT_FOUND:
    case SPEECH_METHOD_NOT_ALLOWED:
    case SPEECH_REQUEST_TOO_LARGE:
    case SPEECH_UNSUPPORTED_MEDIA_TYPE:
    case SPEECH_MODEL_ERROR:
    case SPEECH_INTERNAL:
    case SPEECH_CANCELLED:
    case SPEECH_END:
      return false;
  }
  return false;
}

#ifdef NULL_FOR_A_TEXT
#define TEXT NULL
#else
#define TEXT "Hello, world."
#endif

// An array may be NULL, and a structure may contain an enumeration.
static speech_diagnostic_kind first_kind(const speech_audio *audio) {
  size_t count = 0;
  const speech_diagnostic *_Nullable all = speech_audio_diagnostics(audio, &count);
  return all != NULL ? all->kind : SPEECH_DIAGNOSTIC_SKIPPED;
}

bool speak(const speech_engine *engine, const char *_Nullable *_Nonnull message);

bool speak(const speech_engine *engine, const char *_Nullable *_Nonnull message) {
  speech_error *error = NULL;
  speech_request *request = NULL;
  speech_audio *audio = NULL;
  speech_status status = speech_request_new(TEXT, SPEECH_NUL_TERMINATED, &request, &error);
  if (status == SPEECH_OK) {
    // Without a token and an error output.
    status = speech_engine_synthesize(engine, request, NULL, &audio, NULL);
  }
  if (audio != NULL && first_kind(audio) != SPEECH_DIAGNOSTIC_SKIPPED) {
    status = SPEECH_INTERNAL;
  }
  *message = message_of(error);
  speech_audio_free(audio);
  speech_request_free(request);
  speech_error_free(error);
  return status == SPEECH_OK || is_retryable(status);
}
