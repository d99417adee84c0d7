// A child of fork(): calls with objects of its parent fail and never block, and it can load its own
// engine. Usage: `fork BUNDLE FAKE_MODEL [ROUNDS]`; the fake model makes many children possible.
#include "check.h"

#ifdef _WIN32

int main(void) {
  return finish();
}

#else

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

// A child may find the locks of AddressSanitizer's allocator held forever, unlike those of the
// system allocator. With it, no other thread of the parent runs during a fork.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#if !defined IS_SANITIZED && defined __SANITIZE_ADDRESS__
#define IS_SANITIZED true
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

#define TEXT "One. Two. Three."
#define BUSY 4
// A timeout in seconds after which the system ends a child that hangs. It is far longer than
// needed, also under valgrind.
#define HANGS 300

static const char *bundle;

// The parent's objects of every type, and its results.
static struct parent {
  speech_engine_options *options;
  speech_engine *engine;
  speech_request *request;
  speech_cancel_token *token;
  speech_audio *audio;
  speech_stream *begun;
  speech_stream *fresh;
  speech_stream *live;
  speech_segmenter *segmenter;
  speech_error *error;
  const int16_t *samples;
  size_t count;
} parent;

static atomic_bool stop;

static void count_line(void *userdata, speech_log_level level, const char *message) {
  (void)level, (void)message;
  atomic_fetch_add((atomic_long *)userdata, 1);
}

static atomic_long lines;

static speech_engine_options *options_with_log(void) {
  speech_engine_options *options = speech_engine_options_new();
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  OK(speech_engine_options_set_threads(options, 2, &error));
  OK(speech_engine_options_set_max_concurrency(options, 2, &error));
  OK(speech_engine_options_set_log_callback(options, count_line, &lines, SPEECH_LOG_DEBUG, &error));
  return options;
}

// Speaks with an engine of this process, whole and as a stream, and compares the results with the
// parent's.
static void speak(void) {
  speech_engine_options *options = options_with_log();
  speech_engine *engine = NULL;
  speech_request *request = request_for(TEXT);
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  size_t count = 0;
  const long before = atomic_load(&lines);
  speech_cancel_token *token = speech_cancel_token_new();
  OK(speech_engine_load(options, &engine, &error));
  CHECK(atomic_load(&lines) > before);
  OK(speech_engine_synthesize(engine, request, token, &audio, &error));
  const int16_t *samples = speech_audio_samples(audio, &count);
  CHECK(parent.samples == NULL ||
        (count == parent.count && memcmp(samples, parent.samples, count * sizeof *samples) == 0));
  speech_audio_free(audio);

  size_t chunks = 0;
  OK(speech_engine_live(engine, request, token, &stream, &error));
  OK(speech_stream_push(stream, " Four.", SPEECH_NUL_TERMINATED, &error));
  OK(speech_stream_finish(stream, &error));
  for (; speech_stream_next(stream, &audio, &error) == SPEECH_OK; chunks++) {
    speech_audio_free(audio);
  }
  CHECK(chunks == 4 && error == NULL);
  speech_stream_free(stream);
  speech_cancel_token_free(token);
  speech_request_free(request);
  speech_engine_free(engine);
  speech_engine_options_free(options);
}

#define OF_PARENT(call) FAILS(call, SPEECH_INVALID_REQUEST, "before fork()")

// Every call with an object of the parent fails, and freeing it does nothing.
static void refuse(void) {
  speech_engine *engine = NULL;
  speech_request *request = request_for(TEXT);
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  size_t size = 0;
  // Changes this process's copy of the variables.
  struct parent own = parent;
  OF_PARENT(speech_engine_load(own.options, &engine, &error));
  OF_PARENT(speech_engine_options_set_threads(own.options, 1, &error));
  OF_PARENT(speech_engine_warm_up(own.engine, &error));
  OF_PARENT(speech_engine_trim(own.engine, &error));
  OF_PARENT(speech_engine_synthesize(own.engine, request, NULL, &audio, &error));
  OF_PARENT(speech_engine_stream(own.engine, request, NULL, &stream, &error));
  OF_PARENT(speech_engine_live(own.engine, request, NULL, &stream, &error));
  OF_PARENT(speech_engine_stream_long(own.engine, request, NULL, &stream, &error));
  OF_PARENT(speech_request_validate(own.request, &size, &error));
  OF_PARENT(speech_cancel_token_cancel(own.token, &error));
  // Getters return empty values.
  CHECK(speech_engine_threads(own.engine) == 0 && !speech_cancel_token_is_cancelled(own.token));
  CHECK(speech_audio_words(own.audio, &size) == NULL && size == 0);
  speech_stream *const streams[] = {own.begun, own.fresh, own.live};
  for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
    OF_PARENT(speech_stream_next(streams[i], &audio, &error));
    OF_PARENT(speech_stream_cancel(streams[i], &error));
    OF_PARENT(speech_stream_push(streams[i], "x", 1, &error));
    OF_PARENT(speech_stream_finish(streams[i], &error));
    speech_stream_free(streams[i]);
  }
  CHECK(speech_error_status(own.error) == SPEECH_OK && strcmp(speech_error_message(own.error), "") == 0);
  speech_engine_free(own.engine);
  speech_engine_options_free(own.options);
  speech_request_free(own.request);
  speech_cancel_token_free(own.token);
  speech_audio_free(own.audio);
  speech_segmenter_free(own.segmenter);
  speech_error_free(own.error);
  speech_request_free(request);
  // Data that the parent read from its audio is still valid.
  CHECK(own.count > 0 && own.samples[0] == parent.samples[0]);
}

// Runs a function in a child, which must exit by itself without a failure.
static void in_child(void (*body)(void)) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(HANGS);
    CHECK(speech_object_count() == 0);
    body();
    // Skips the parent's exit handlers.
    _exit(finish());
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  if (status != 0) {
    fprintf(stderr, "a child ended with %#x%s\n", (unsigned)status,
            WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? ": it hung" : "");
    exit(1);
  }
}

static void in_grandchild(void) {
  refuse();
  in_child(speak);
  speak();
  in_child(refuse);
}

// Creates and frees objects of every type, speaks, and loads engines, so that at each fork a thread
// is inside the library.
static void *be_busy(void *argument) {
  const int kind = *(const int *)argument;
  while (!atomic_load(&stop)) {
    if (kind == 0) {
      speak();
      continue;
    }
    speech_request *request = request_for(TEXT);
    speech_audio *audio = NULL;
    speech_stream *stream = NULL;
    if (kind == 1) {
      OK(speech_engine_synthesize(parent.engine, request, parent.token, &audio, &error));
    } else {
      OK(speech_engine_stream(parent.engine, request, parent.token, &stream, &error));
      OK(speech_stream_next(stream, &audio, &error));
    }
    speech_stream_free(stream);
    speech_audio_free(audio);
    speech_request_free(request);
  }
  return NULL;
}

static void *speak_once(void *argument) {
  (void)argument;
  speak();
  return NULL;
}

static void make(void) {
  parent.options = options_with_log();
  parent.request = request_for(TEXT);
  OK(speech_engine_load(parent.options, &parent.engine, &error));
  parent.token = speech_cancel_token_new();
  parent.segmenter = speech_segmenter_new();
  CHECK(speech_request_set_voice(parent.request, "nobody", &parent.error) == SPEECH_INVALID_REQUEST);
  OK(speech_engine_synthesize(parent.engine, parent.request, parent.token, &parent.audio, &error));
  parent.samples = speech_audio_samples(parent.audio, &parent.count);
  OK(speech_engine_stream(parent.engine, parent.request, parent.token, &parent.begun, &error));
  OK(speech_engine_stream(parent.engine, parent.request, parent.token, &parent.fresh, &error));
  OK(speech_engine_live(parent.engine, parent.request, parent.token, &parent.live, &error));
  speech_audio *chunk = NULL;
  OK(speech_stream_next(parent.begun, &chunk, &error));
  speech_audio_free(chunk);
  OK(speech_stream_next(parent.live, &chunk, &error));
  speech_audio_free(chunk);
}

// The children do not affect the parent: its streams continue.
static void go_on(speech_stream *stream, size_t left) {
  speech_audio *chunk = NULL;
  for (size_t i = 0; i < left; i++) {
    OK(speech_stream_next(stream, &chunk, &error));
    CHECK(chunk != NULL);
    speech_audio_free(chunk);
  }
  CHECK(speech_stream_next(stream, &chunk, &error) == SPEECH_END);
  speech_stream_free(stream);
}

// Forks while a thread uses the library for the first time, when lazy values may be half computed.
static void fork_at_first_use(int rounds) {
  pthread_t first;
  CHECK(pthread_create(&first, NULL, speak_once, NULL) == 0);
  for (int i = 0; i < rounds; i++) {
    in_child(speak);
  }
  CHECK(pthread_join(first, NULL) == 0);
}

static void fork_while_busy(int rounds) {
  pthread_t busy[BUSY];
  static const int kinds[BUSY] = {0, 1, 2, 2};
  for (int i = 0; i < BUSY; i++) {
    CHECK(pthread_create(&busy[i], NULL, be_busy, (void *)(uintptr_t)&kinds[i]) == 0);
  }
  for (int i = 0; i < rounds; i++) {
    in_child(refuse);
    in_child(speak);
  }
  atomic_store(&stop, true);
  for (int i = 0; i < BUSY; i++) {
    CHECK(pthread_join(busy[i], NULL) == 0);
  }
}

int main(int argc, char **argv) {
  CHECK(argc >= 3);
  bundle = argv[2];
  const int rounds = argc > 3 ? atoi(argv[3]) : 3;

  if (!IS_SANITIZED) {
    fork_at_first_use(rounds);
  }
  make();
  in_child(in_grandchild);
  if (!IS_SANITIZED) {
    fork_while_busy(2 * rounds);
  }
  OK(speech_stream_finish(parent.live, &error));
  go_on(parent.begun, 2);
  go_on(parent.fresh, 3);
  go_on(parent.live, 2);
  speech_engine_free(parent.engine);
  speech_engine_options_free(parent.options);
  speech_request_free(parent.request);
  speech_cancel_token_free(parent.token);
  speech_audio_free(parent.audio);
  speech_segmenter_free(parent.segmenter);
  speech_error_free(parent.error);
  return finish();
}

#endif
