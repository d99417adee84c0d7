// Many syntheses of mixed lengths: memory must stay flat. Called as `soak BUNDLE COUNT`; prints what the
// process has resident along the way, and fails if that grows.
#include "check.h"

#include <pthread.h>
#include <unistd.h>

static const char *const sentences[] = {
    "Yes.",
    "The next train leaves at 10:45 from platform 3.",
    "Please bring \xe2\x82\xb9" "250, two pens and a notebook.",
    "It rained all morning, and by noon the river had risen over the lower path, so we took the bridge.",
    "Nobody answered.",
    "She wrote the letter twice, tore it up, and then sent a postcard with a picture of the sea on it.",
    "Why not?",
};

#define SENTENCES (sizeof sentences / sizeof *sentences)

static double resident_mb(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
  fclose(file);
  return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static void *cancel_soon(void *token) {
  usleep(20000);
  speech_cancel_token_cancel(token, NULL);
  return NULL;
}

static void whole(speech_engine *engine, const speech_request *request) {
  speech_audio *audio = NULL;
  const float *floats = NULL;
  const uint8_t *wav = NULL;
  size_t count = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  OK(speech_audio_samples_f32(audio, &floats, &count, &error));
  OK(speech_audio_wav(audio, &wav, &count, &error));
  CHECK(count > 2000);
  speech_audio_free(audio);
}

static void streamed(speech_engine *engine, const speech_request *request) {
  speech_stream *stream = NULL;
  speech_audio *chunk = NULL;
  OK(speech_engine_stream(engine, request, NULL, &stream, &error));
  do {
    OK(speech_stream_next(stream, &chunk, &error));
    speech_audio_free(chunk);
  } while (chunk != NULL);
  speech_stream_free(stream);
}

static void cancelled(speech_engine *engine, const speech_request *request) {
  speech_cancel_token *token = NULL;
  speech_audio *audio = NULL;
  pthread_t thread;
  OK(speech_cancel_token_new(&token, &error));
  CHECK(pthread_create(&thread, NULL, cancel_soon, token) == 0);
  speech_status status = speech_engine_synthesize(engine, request, token, &audio, &error);
  CHECK(status == SPEECH_OK || status == SPEECH_CANCELLED);
  CHECK(pthread_join(thread, NULL) == 0);
  speech_error_free(error);
  error = NULL;
  speech_audio_free(audio);
  speech_cancel_token_free(token);
}

static void refused(speech_engine *engine) {
  speech_request *request = request_for(" ");
  speech_audio *audio = NULL;
  FAILS(speech_engine_synthesize(engine, request, NULL, &audio, &error), SPEECH_EMPTY_TEXT, "");
  speech_request_free(request);
}

// One to three sentences, by another voice each time.
static speech_request *mixed_request(int i) {
  static const char *const voices[] = {"aria", "jason", "john", "leo", "sofia"};
  char text[1000] = "";
  for (int part = 0; part < (i % 5 == 4 ? 3 : 1); part++) {
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s ", sentences[(size_t)(i * 5 + part * 3) % SENTENCES]);
  }
  speech_request *request = request_for(text);
  OK(speech_request_set_voice(request, voices[i % 5], &error));
  return request;
}

static void synthesis(speech_engine *engine, int i) {
  speech_request *request = mixed_request(i);
  if (i % 10 == 7) {
    cancelled(engine, request);
  } else if (i % 10 == 3) {
    refused(engine);
    streamed(engine, request);
  } else if (i % 2 == 0) {
    streamed(engine, request);
  } else {
    whole(engine, request);
  }
  speech_request_free(request);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  int count = atoi(argv[2]);
  CHECK(count >= 100);
  speech_engine *engine = load(argv[1]);
  size_t objects = speech_object_count();
  double settled = 0;
  double highest = 0;
  for (int i = 0; i < count; i++) {
    synthesis(engine, i);
    CHECK(speech_object_count() == objects);
    // The first tenth fills the arenas with what the longest text needs.
    if (i + 1 == count / 10) {
      settled = resident_mb();
    } else if (i + 1 > count / 10) {
      double resident = resident_mb();
      highest = resident > highest ? resident : highest;
    }
    if ((i + 1) % (count / 10) == 0) {
      printf("%6d syntheses  %8.1f MB\n", i + 1, resident_mb());
      fflush(stdout);
    }
  }
  double grown = highest - settled;
  printf("grew by %.1f MB after the first %d\n", grown, count / 10);
  speech_engine_free(engine);
  // What a leak of one short sentence's samples, 20 kB, in each synthesis would be.
  double allowed = 0.02 * (count - count / 10);
  allowed = allowed > 8 ? allowed : 8;
  if (grown > allowed) {
    fprintf(stderr, "memory grew by %.1f MB, more than %.1f MB\n", grown, allowed);
    return 1;
  }
  return finish();
}
