// A program of the binary interface 1.2: kernels and precision by name, a warm-up, and low latency.
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

int main(void) {
  speech_error *error = NULL;
  speech_engine_options *options = NULL;
  speech_engine *engine = NULL;
  speech_request *request = NULL;
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  speech_chunk *chunk = NULL;
  const char *names[6] = {NULL, NULL, NULL, NULL, NULL, NULL};
  size_t chunks = 0;

  check(SPEECH_ABI_CHECK(&error), error);
  check(speech_engine_options_new(&options, &error), error);
  if (speech_engine_options_set_kernels(options, "none of them", NULL) != SPEECH_INVALID_REQUEST) {
    return 1;
  }
  check(speech_engine_options_set_kernels(options, "auto", &error), error);
  check(speech_engine_options_set_precision(options, "fp32", &error), error);
  check(speech_engine_load(options, &engine, &error), error);
  speech_engine_options_free(options);
  check(speech_engine_warm_up(engine, &error), error);

  check(speech_request_new("This is a sentence that takes some seconds to say.", SPEECH_NUL_TERMINATED, &request,
                           &error),
        error);
  check(speech_request_set_format(request, "pcm", &error), error);
  check(speech_request_set_latency(request, "low", &error), error);
  check(speech_engine_synthesize(engine, request, NULL, &audio, &error), error);
  check(speech_engine_stream(engine, request, NULL, &stream, &error), error);
  check(speech_engine_kernels(engine, &names[0], &error), error);
  check(speech_audio_kernels(audio, &names[1], &error), error);
  check(speech_stream_kernels(stream, &names[2], &error), error);
  check(speech_engine_precision(engine, &names[3], &error), error);
  check(speech_audio_precision(audio, &names[4], &error), error);
  check(speech_stream_precision(stream, &names[5], &error), error);
  for (;; chunks++) {
    check(speech_stream_next(stream, &chunk, &error), error);
    if (chunk == NULL) {
      break;
    }
    speech_chunk_free(chunk);
  }
  speech_stream_free(stream);
  speech_audio_free(audio);
  speech_request_free(request);
  speech_engine_free(engine);

  printf("%s, %s: %zu chunks, %zu objects\n", names[0], names[3], chunks, speech_object_count());
  for (int i = 0; i < 6; i++) {
    if (strcmp(names[i], i < 3 ? names[0] : "fp32") != 0) {
      return 1;
    }
  }
  return chunks > 1 && speech_object_count() == 0 ? 0 : 1;
}
