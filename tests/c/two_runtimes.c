// Two ONNX Runtimes in one process: the host's own, of another version, and that of the library. Called as
// `two_runtimes BUNDLE HUM RUNTIME`; the host's is loaded first, and with its symbols global, as a program
// that is linked with it has them.
#include "check.h"

#include <dlfcn.h>

// The start of onnxruntime_c_api.h, as far as it is needed; its order is fixed for ever.
typedef struct ort_status ort_status;
typedef struct ort_env ort_env;

typedef struct ort_api {
  void *create_status;
  void *get_error_code;
  void *get_error_message;
  ort_status *(*create_env)(int level, const char *id, ort_env **env);
  // More follows.
} ort_api;

typedef struct ort_api_base {
  const ort_api *(*get_api)(uint32_t version);
  const char *(*get_version_string)(void);
} ort_api_base;

static const ort_api_base *api_base(void *library) {
  // A function pointer through a union: C has no cast from an object pointer.
  union {
    void *object;
    const ort_api_base *(*function)(void);
  } symbol = {.object = dlsym(library, "OrtGetApiBase")};
  CHECK(symbol.object != NULL);
  return symbol.function();
}

static size_t speak(speech_engine *engine) {
  speech_request *request = request_for("Two runtimes.");
  speech_audio *audio = NULL;
  const int16_t *samples = NULL;
  size_t count = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  OK(speech_audio_samples(audio, &samples, &count, &error));
  speech_audio_free(audio);
  speech_request_free(request);
  return count;
}

int main(int argc, char **argv) {
  CHECK(argc == 4);
  void *runtime = dlopen(argv[3], RTLD_NOW | RTLD_GLOBAL);
  if (runtime == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const ort_api_base *base = api_base(runtime);
  const ort_api *api = base->get_api(16);
  ort_env *env = NULL;
  CHECK(api != NULL && api->create_env(3, "host", &env) == NULL && env != NULL);

  speech_engine *engine = load(argv[2]);
  size_t count = speak(engine);
  CHECK(count > 10000);

  // The host's still answers, and makes environments, beside the library's.
  ort_env *another = NULL;
  CHECK(api->create_env(3, "host again", &another) == NULL && another != NULL);
  CHECK(api_base(RTLD_DEFAULT) == base);
  // Read by the test: the version of the host's.
  printf("%s\n", base->get_version_string());
  CHECK(speak(engine) == count);
  speech_engine_free(engine);
  return finish();
}
