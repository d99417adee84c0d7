// A program of the binary interface 1.1: pronunciations, emoji, and sentences of a text in pieces.
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
  speech_segmenter *segmenter = NULL;
  speech_text_parts *sentences = NULL;
  const char *sentence = NULL;
  size_t count = 0;

  check(SPEECH_ABI_CHECK(&error), error);
  check(speech_engine_options_new(&options, &error), error);
  check(speech_engine_options_add_pronunciation(options, "kubectl", "cube control", &error), error);
  check(speech_engine_load(options, &engine, &error), error);
  speech_engine_options_free(options);

  check(speech_segmenter_new(&segmenter, &error), error);
  check(speech_segmenter_push(segmenter, "Run kubectl \xf0\x9f\x98\x80 no", SPEECH_NUL_TERMINATED, &sentences,
                              &error),
        error);
  check(speech_text_parts_count(sentences, &count, &error), error);
  speech_text_parts_free(sentences);
  if (count != 0) {
    return 1;
  }
  check(speech_segmenter_push(segmenter, "w. Stop", 7, &sentences, &error), error);
  check(speech_text_parts_get(sentences, 0, &sentence, &error), error);

  speech_request *request = NULL;
  speech_audio *audio = NULL;
  check(speech_request_new(sentence, SPEECH_NUL_TERMINATED, &request, &error), error);
  check(speech_request_set_read_emoji(request, true, &error), error);
  check(speech_engine_synthesize(engine, request, NULL, &audio, &error), error);
  check(speech_audio_word_count(audio, &count, &error), error);
  speech_text_parts_free(sentences);
  speech_audio_free(audio);
  speech_request_free(request);

  check(speech_segmenter_finish(segmenter, &sentences, &error), error);
  check(speech_text_parts_get(sentences, 0, &sentence, &error), error);
  int ends = strcmp(sentence, "Stop");
  speech_text_parts_free(sentences);
  speech_segmenter_free(segmenter);
  speech_engine_free(engine);
  printf("%zu words, %zu objects\n", count, speech_object_count());
  return count == 4 && ends == 0 && speech_object_count() == 0 ? 0 : 1;
}
