// Writes one sentence by a real voice to a file of samples.
// Usage: `sample BUNDLE KERNELS TEXT OUT`.
#include "check.h"

int main(int argc, char **argv) {
  CHECK(argc == 5);
  speech_engine *engine = NULL;
  speech_engine_options *options = speech_engine_options_new();
  OK(speech_engine_options_set_bundle_path(options, argv[1], &error));
  OK(speech_engine_options_set_kernels(options, argv[2], &error));
  OK(speech_engine_load(options, &engine, &error));
  speech_engine_options_free(options);
  speech_request *request = request_for(argv[3]);
  speech_audio *audio = NULL;
  size_t count = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  const int16_t *samples = speech_audio_samples(audio, &count);
  FILE *out = fopen(argv[4], "wb");
  CHECK(out != NULL && fwrite(samples, sizeof *samples, count, out) == count && fclose(out) == 0);
  const char *kernels = speech_audio_kernels(audio);
  printf("%s\n", kernels);
  speech_audio_free(audio);
  speech_request_free(request);
  speech_engine_free(engine);
  return finish();
}
