// Many threads call everything concurrently: a shared engine, cancellation, frees while other
// threads are inside, double frees. Usage: `threads BUNDLE FAKE_MODEL [ROUNDS]`; the fake model
// makes many rounds possible.
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define THREADS 8
// Long enough to be cancelled inside one inference.
#define LONG_TEXT "on and on and on and on and on and on and on and on and on and on and on and on and on"

struct shared {
  speech_engine *engine;
  speech_request *request;
  speech_cancel_token *token;
  speech_stream *stream;
  size_t samples;
  atomic_int cancelled;
  atomic_int spoken;
  atomic_int gone;
};

// Synthesizes until an object is freed or the token is cancelled; every outcome must be a
// documented one.
static void *speak(void *argument) {
  struct shared *shared = argument;
  for (int i = 0; i < 4; i++) {
    speech_audio *audio = NULL;
    speech_status status =
        speech_engine_synthesize(shared->engine, shared->request, shared->token, &audio, &error);
    if (status == SPEECH_OK) {
      size_t count = 0;
      speech_audio_samples(audio, &count);
      CHECK(count == shared->samples);
      speech_audio_free(audio);
      atomic_fetch_add(&shared->spoken, 1);
      continue;
    }
    CHECK(audio == NULL);
    CHECK(status == SPEECH_CANCELLED || status == SPEECH_INVALID_REQUEST);
    atomic_fetch_add(status == SPEECH_CANCELLED ? &shared->cancelled : &shared->gone, 1);
    speech_error_free(error);
    error = NULL;
  }
  return NULL;
}

// Several threads pull one stream.
static void *pull(void *argument) {
  struct shared *shared = argument;
  for (;;) {
    speech_audio *chunk = NULL;
    speech_status status = speech_stream_next(shared->stream, &chunk, &error);
    if (status != SPEECH_OK) {
      CHECK(status == SPEECH_END || status == SPEECH_CANCELLED || status == SPEECH_INVALID_REQUEST);
      speech_error_free(error);
      error = NULL;
      return NULL;
    }
    speech_audio_free(chunk);
    atomic_fetch_add(&shared->spoken, 1);
  }
}

static void *set_voices(void *argument) {
  struct shared *shared = argument;
  for (int i = 0; i < 200; i++) {
    // The request may have been freed; no other failure is possible.
    speech_status status = speech_request_set_voice(shared->request, i % 2 ? "aria" : "leo", NULL);
    CHECK(status == SPEECH_OK || status == SPEECH_INVALID_REQUEST);
  }
  return NULL;
}

static void *cancel(void *argument) {
  struct shared *shared = argument;
  usleep(3000);
  speech_cancel_token_cancel(shared->token, NULL);
  return NULL;
}

static void *free_all(void *argument) {
  struct shared *shared = argument;
  usleep(3000);
  speech_engine_free(shared->engine);
  speech_request_free(shared->request);
  speech_cancel_token_free(shared->token);
  speech_stream_free(shared->stream);
  return NULL;
}

typedef void *work(void *);

// Runs the given functions concurrently; a NULL stands for one more of the first.
static void beside(struct shared *shared, work *const works[THREADS]) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    work *each = works[i] != NULL ? works[i] : works[0];
    CHECK(pthread_create(&threads[i], NULL, each, shared) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
}

static void start(struct shared *shared, const char *bundle) {
  speech_audio *audio = NULL;
  memset(shared, 0, sizeof *shared);
  speech_engine_options *options = speech_engine_options_new();
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  OK(speech_engine_options_set_threads(options, 1, &error));
  OK(speech_engine_options_set_max_concurrency(options, 3, &error));
  OK(speech_engine_load(options, &shared->engine, &error));
  speech_engine_options_free(options);
  shared->request = request_for(LONG_TEXT);
  shared->token = speech_cancel_token_new();
  OK(speech_engine_synthesize(shared->engine, shared->request, shared->token, &audio, &error));
  speech_audio_samples(audio, &shared->samples);
  speech_audio_free(audio);
  speech_request *sentences = request_for("One. Two. Three. Four. Five. Six. Seven. Eight. Nine. Ten.");
  OK(speech_engine_stream(shared->engine, sentences, shared->token, &shared->stream, &error));
  speech_request_free(sentences);
}

static void stop(struct shared *shared) {
  free_all(shared);
  free_all(shared);
}

int main(int argc, char **argv) {
  CHECK(argc >= 3);
  int rounds = argc > 3 ? atoi(argv[3]) : 3;
  struct shared shared;
  int cancelled = 0;
  int gone = 0;
  for (int round = 0; round < rounds; round++) {
    start(&shared, argv[2]);
    beside(&shared, (work *const[THREADS]){speak, set_voices, pull, pull});
    CHECK(shared.spoken == 10 + 4 * (THREADS - 3));
    stop(&shared);

    start(&shared, argv[2]);
    beside(&shared, (work *const[THREADS]){speak, cancel, pull, pull, cancel});
    CHECK(shared.gone == 0);
    cancelled += shared.cancelled;
    stop(&shared);

    start(&shared, argv[2]);
    beside(&shared, (work *const[THREADS]){speak, free_all, pull, pull, set_voices, free_all});
    CHECK(shared.cancelled == 0);
    gone += shared.gone;
    stop(&shared);
  }
  // The race did happen: some calls were stopped, and some came too late.
  CHECK(cancelled > 0 && gone > 0);
  return finish();
}
