// Loads the bundles at the paths on standard input, one per line, in UTF-8. Usage: `paths`, or
// `paths locked` on Windows, which locks the manifest of each bundle during loading.
#include "check.h"

#ifdef _WIN32
#include <windows.h>

static HANDLE lock(const char *bundle) {
  wchar_t path[1024];
  CHECK(MultiByteToWideChar(CP_UTF8, 0, bundle, -1, path, 900) > 0);
  wcscat(path, L"\\bundle.json");
  HANDLE file = CreateFileW(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
  CHECK(file != INVALID_HANDLE_VALUE);
  return file;
}
#endif

static void speak(const char *path) {
  speech_engine *engine = NULL;
  speech_engine_options *options = speech_engine_options_new();
  OK(speech_engine_options_set_bundle_path(options, path, &error));
  if (speech_engine_load(options, &engine, &error) != SPEECH_OK) {
    printf("%s %s\n", speech_error_type(error), speech_error_detail(error));
    speech_error_free(error);
    error = NULL;
  } else {
    speech_request *request = request_for("Hello.");
    speech_audio *audio = NULL;
    OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
    double seconds = speech_audio_duration(audio);
    CHECK(seconds > 0);
    printf("spoken\n");
    speech_audio_free(audio);
    speech_request_free(request);
    speech_engine_free(engine);
  }
  speech_engine_options_free(options);
}

int main(int argc, char **argv) {
  char path[900];
  int is_locked = argc == 2 && strcmp(argv[1], "locked") == 0;
  while (fgets(path, sizeof path, stdin) != NULL) {
    path[strcspn(path, "\r\n")] = '\0';
#ifdef _WIN32
    HANDLE file = is_locked ? lock(path) : NULL;
    speak(path);
    CHECK(!is_locked || CloseHandle(file));
#else
    CHECK(!is_locked);
    speak(path);
#endif
  }
  return finish();
}
