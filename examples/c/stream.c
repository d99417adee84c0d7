// Speaks a text one sentence at a time, and writes raw samples (16-bit, mono, 22,050 Hz) as soon as
// they are ready.
//
//     stream [--cancel-after MILLISECONDS] [--output FILE] [TEXT] | aplay -f S16_LE -r 22050
//
// Ctrl-C stops it. A thread waits for the signals, because the library must not be called from a
// signal handler. It needs POSIX.

#define _XOPEN_SOURCE 700

#include <pthread.h>
#include <signal.h>
#include <speech.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static const char *const TEXT =
    "The first sentence is heard while the others are computed. That takes a moment each. "
    "Nobody has to wait for the whole text. It goes on until there is nothing left to say.";

enum { EXIT_CANCELLED = 130, EXIT_USAGE = 2 };

struct arguments {
  long cancel_after_ms;
  const char *output;
  const char *text;
};

static bool parse(int argc, char **argv, struct arguments *arguments) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--cancel-after") == 0 && i + 1 < argc) {
      char *end = NULL;
      arguments->cancel_after_ms = strtol(argv[++i], &end, 10);
      if (*end != '\0' || arguments->cancel_after_ms <= 0) {
        return false;
      }
    } else if (strcmp(argv[i], "--output") == 0 && i + 1 < argc) {
      arguments->output = argv[++i];
    } else if (argv[i][0] != '-' && i + 1 == argc) {
      arguments->text = argv[i];
    } else {
      return false;
    }
  }
  return true;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// The signals that cancel, and SIGUSR1, which ends the watcher.
static sigset_t watched_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGALRM);
  sigaddset(&signals, SIGUSR1);
  return signals;
}

static void *watch(void *token) {
  const sigset_t signals = watched_signals();
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && signal != SIGUSR1) {
    speech_cancel_token_cancel(token, NULL);
  }
  return NULL;
}

// Schedules SIGALRM; 0 means never.
static bool alarm_after(long milliseconds) {
  const struct itimerval timer = {
      .it_value = {.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000}};
  return setitimer(ITIMER_REAL, &timer, NULL) == 0;
}

// Writes one sentence, and adds the number of its samples to `total`.
static bool write_chunk(const speech_audio *chunk, FILE *file, size_t *total) {
  size_t count = 0;
  const int16_t *samples = speech_audio_samples(chunk, &count);
  *total += count;
  if (fwrite(samples, sizeof *samples, count, file) != count || fflush(file) != 0) {
    perror("write");
    return false;
  }
  return true;
}

static bool speak(const speech_engine *engine, const speech_request *request,
                  const speech_cancel_token *token, FILE *file, speech_error **error) {
  const double start = now();
  speech_stream *stream = NULL;
  if (speech_engine_stream(engine, request, token, &stream, error) != SPEECH_OK) {
    return false;
  }
  size_t total = 0;
  bool written = true;
  speech_audio *chunk = NULL;
  speech_status status = SPEECH_OK;
  while (written && (status = speech_stream_next(stream, &chunk, error)) == SPEECH_OK) {
    if (total == 0) {
      fprintf(stderr, "first audio after %.2f s\n", now() - start);
    }
    written = write_chunk(chunk, file, &total);
    speech_audio_free(chunk);
  }
  fprintf(stderr, "%.2f s of audio in %.2f s\n", (double)total / SPEECH_SAMPLE_RATE, now() - start);
  speech_stream_free(stream);
  return status == SPEECH_END;
}

int main(int argc, char **argv) {
  struct arguments arguments = {.text = TEXT};
  if (!parse(argc, argv, &arguments)) {
    fprintf(stderr, "usage: stream [--cancel-after MILLISECONDS] [--output FILE] [TEXT]\n");
    return EXIT_USAGE;
  }
  FILE *file = arguments.output == NULL ? stdout : fopen(arguments.output, "wb");
  if (file == NULL) {
    perror(arguments.output);
    return EXIT_FAILURE;
  }

  // Before other threads start: they inherit the blocked signals, so that only the watcher gets
  // these.
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, NULL);

  speech_engine *engine = NULL;
  speech_request *request = NULL;
  speech_cancel_token *token = speech_cancel_token_new();
  speech_error *error = NULL;
  pthread_t watcher;
  const bool watching = pthread_create(&watcher, NULL, watch, token) == 0;
  if (!watching) {
    fprintf(stderr, "no thread could be made\n");
  }
  bool ok = watching && SPEECH_ABI_CHECK(&error) == SPEECH_OK &&
            speech_engine_load(NULL, &engine, &error) == SPEECH_OK &&
            speech_request_new(arguments.text, SPEECH_NUL_TERMINATED, &request, &error) == SPEECH_OK &&
            alarm_after(arguments.cancel_after_ms) && speak(engine, request, token, file, &error);

  const bool cancelled = speech_error_status(error) == SPEECH_CANCELLED;
  if (error != NULL) {
    fprintf(stderr, "%s: %s\n", speech_error_type(error), speech_error_message(error));
  }
  if (watching) {
    pthread_kill(watcher, SIGUSR1);
    pthread_join(watcher, NULL);
  }
  speech_error_free(error);
  speech_cancel_token_free(token);
  speech_request_free(request);
  speech_engine_free(engine);
  if (fclose(file) != 0) {
    perror("close");
    ok = false;
  }
  return ok ? EXIT_SUCCESS : cancelled ? EXIT_CANCELLED : EXIT_FAILURE;
}
