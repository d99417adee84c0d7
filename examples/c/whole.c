// Writes the speech of a whole text to a WAV file.
//
//     whole [--language TAG] [--voice ID] [--output FILE] [TEXT]

#include <speech.h>
#include <stdio.h>
#include <string.h>

struct arguments {
  const char *language;
  const char *voice;
  const char *output;
  const char *text;
};

static bool parse(int argc, char **argv, struct arguments *arguments) {
  for (int i = 1; i < argc; i++) {
    const char **option = strcmp(argv[i], "--language") == 0 ? &arguments->language
                          : strcmp(argv[i], "--voice") == 0  ? &arguments->voice
                          : strcmp(argv[i], "--output") == 0 ? &arguments->output
                                                             : NULL;
    if (option != NULL && i + 1 < argc) {
      *option = argv[++i];
    } else if (option == NULL && argv[i][0] != '-' && i + 1 == argc) {
      arguments->text = argv[i];
    } else {
      return false;
    }
  }
  return true;
}

static bool write_file(const char *path, const uint8_t *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    perror(path);
    return false;
  }
  bool written = fwrite(bytes, 1, length, file) == length;
  if (fclose(file) != 0 || !written) {
    perror(path);
    return false;
  }
  return true;
}

// The results of the getters belong to the audio, and are valid until it is freed.
static void report(const speech_audio *audio, const char *text) {
  printf("request %s: %zu characters, %.2f s\n", speech_audio_request_id(audio), speech_audio_characters(audio),
         speech_audio_duration(audio));
  size_t count = 0;
  const speech_diagnostic *diagnostics = speech_audio_diagnostics(audio, &count);
  for (size_t i = 0; i < count; i++) {
    const speech_span span = diagnostics[i].span;
    printf("not said: bytes %zu to %zu, \"%.*s\"\n", span.begin, span.end, (int)(span.end - span.begin),
           text + span.begin);
  }
}

int main(int argc, char **argv) {
  struct arguments arguments = {
      .language = "en-US", .voice = "aria", .output = "whole.wav", .text = "Hello, world."};
  if (!parse(argc, argv, &arguments)) {
    fprintf(stderr, "usage: whole [--language TAG] [--voice ID] [--output FILE] [TEXT]\n");
    return 2;
  }

  speech_engine *engine = NULL;
  speech_request *request = NULL;
  speech_audio *audio = NULL;
  speech_error *error = NULL;
  int code = 1;

  // The first failing call ends the chain and sets `error`.
  if (SPEECH_ABI_CHECK(&error) == SPEECH_OK && speech_engine_load(NULL, &engine, &error) == SPEECH_OK &&
      speech_request_new(arguments.text, SPEECH_NUL_TERMINATED, &request, &error) == SPEECH_OK &&
      speech_request_set_language(request, arguments.language, &error) == SPEECH_OK &&
      speech_request_set_voice(request, arguments.voice, &error) == SPEECH_OK &&
      speech_engine_synthesize(engine, request, NULL, &audio, &error) == SPEECH_OK) {
    report(audio, arguments.text);
    size_t length = 0;
    const uint8_t *wav = speech_audio_wav(audio, &length);
    code = write_file(arguments.output, wav, length) ? 0 : 1;
  } else {
    fprintf(stderr, "%s: %s (request %s)\n", speech_error_type(error), speech_error_message(error),
            speech_error_request_id(error));
  }

  // Objects that were not created are NULL; freeing NULL has no effect.
  speech_error_free(error);
  speech_audio_free(audio);
  speech_request_free(request);
  speech_engine_free(engine);
  return code;
}
