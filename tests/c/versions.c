// Versions, the check of the header, and the table of statuses.
#include "check.h"

int main(void) {
  CHECK(strcmp(speech_version(), SPEECH_VERSION) == 0);
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", SPEECH_VERSION_MAJOR, SPEECH_VERSION_MINOR,
           SPEECH_VERSION_PATCH);
  CHECK(strcmp(version, SPEECH_VERSION) == 0);
  CHECK(speech_abi_version() == (SPEECH_ABI_MAJOR << 16 | SPEECH_ABI_MINOR));
  CHECK(speech_bundle_format_version() == 7);

  OK(SPEECH_ABI_CHECK(&error));
  OK(speech_abi_check(SPEECH_ABI_MAJOR, 0, &error));
  FAILS(speech_abi_check(SPEECH_ABI_MAJOR, SPEECH_ABI_MINOR + 1, &error), SPEECH_INVALID_REQUEST,
        "update the library");
  FAILS(speech_abi_check(SPEECH_ABI_MAJOR + 1, 0, &error), SPEECH_INVALID_REQUEST,
        "update the library");
  FAILS(speech_abi_check(SPEECH_ABI_MAJOR - 1, 99, &error), SPEECH_INVALID_REQUEST,
        "update the header");

  static const struct {
    speech_status status;
    const char *type;
  } rows[] = {
      {SPEECH_OK, "ok"},
      {SPEECH_EMPTY_TEXT, "empty_text"},
      {SPEECH_TEXT_TOO_LONG, "text_too_long"},
      {SPEECH_INVALID_REQUEST, "invalid_request"},
      {SPEECH_INVALID_TIER, "invalid_tier"},
      {SPEECH_UNAUTHORIZED, "unauthorized"},
      {SPEECH_NOT_FOUND, "not_found"},
      {SPEECH_METHOD_NOT_ALLOWED, "method_not_allowed"},
      {SPEECH_REQUEST_TOO_LARGE, "request_too_large"},
      {SPEECH_UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"},
      {SPEECH_OVERLOADED, "overloaded"},
      {SPEECH_MODEL_ERROR, "model_error"},
      {SPEECH_INTERNAL, "internal"},
      {SPEECH_CANCELLED, "cancelled"},
      {SPEECH_END, "end"},
  };
  // The test compares these rows with the core's table.
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK(strcmp(speech_status_type(rows[i].status), rows[i].type) == 0);
    printf("%d %s\n", (int)rows[i].status, rows[i].type);
  }
  CHECK(speech_status_type(5) == NULL && speech_status_type(-1) == NULL);
  return finish();
}
