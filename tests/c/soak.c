// Synthesizes texts of mixed lengths until standard input is closed. tools/soak checks that memory,
// descriptors and threads stay flat. Usage: `soak BUNDLE`. Prints the process id, and the
// milliseconds of each operation.
#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <time.h>
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

static double now_ms(void) {
  struct timespec now;
  CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

// Whether standard input is still open. The program ends when it is closed.
static int goes_on(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) == 0;
}

static void *cancel_soon(void *token) {
  usleep(20000);
  speech_cancel_token_cancel(token, NULL);
  return NULL;
}

static void whole(speech_engine *engine, const speech_request *request) {
  speech_audio *audio = NULL;
  size_t count = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  CHECK(speech_audio_samples_f32(audio, &count) != NULL);
  CHECK(speech_audio_wav(audio, &count) != NULL && count > 2000);
  speech_audio_free(audio);
}

static void streamed(speech_engine *engine, const speech_request *request) {
  speech_stream *stream = NULL;
  speech_audio *chunk = NULL;
  OK(speech_engine_stream(engine, request, NULL, &stream, &error));
  while (speech_stream_next(stream, &chunk, &error) == SPEECH_OK) {
    speech_audio_free(chunk);
  }
  CHECK(error == NULL);
  speech_stream_free(stream);
}

static void cancelled(speech_engine *engine, const speech_request *request) {
  speech_audio *audio = NULL;
  pthread_t thread;
  speech_cancel_token *token = speech_cancel_token_new();
  CHECK(pthread_create(&thread, NULL, cancel_soon, token) == 0);
  speech_status status = speech_engine_synthesize(engine, request, token, &audio, &error);
  CHECK(status == SPEECH_OK || status == SPEECH_CANCELLED);
  CHECK(pthread_join(thread, NULL) == 0);
  speech_error_free(error);
  error = NULL;
  speech_audio_free(audio);
  speech_cancel_token_free(token);
}

// Live text with settings; every second time the stream is abandoned after the first chunk.
static void live(speech_engine *engine, int is_left) {
  speech_request *request = request_for("");
  speech_stream *stream = NULL;
  speech_audio *chunk = NULL;
  OK(speech_request_set_rate(request, 1.3, &error));
  OK(speech_request_set_pitch(request, -1, &error));
  OK(speech_request_set_latency(request, SPEECH_LATENCY_LOW, &error));
  OK(speech_engine_live(engine, request, NULL, &stream, &error));
  for (size_t i = 0; i < SENTENCES; i += 2) {
    OK(speech_stream_push(stream, sentences[i], SPEECH_NUL_TERMINATED, &error));
    OK(speech_stream_push(stream, " ", 1, &error));
  }
  OK(speech_stream_finish(stream, &error));
  while (speech_stream_next(stream, &chunk, &error) == SPEECH_OK) {
    speech_audio_free(chunk);
    if (is_left) {
      break;
    }
  }
  CHECK(error == NULL);
  size_t heard = speech_stream_heard_at(stream, 1e9);
  CHECK(heard > 0);
  if (is_left) {
    OK(speech_stream_cancel(stream, &error));
  }
  speech_stream_free(stream);
  speech_request_free(request);
}

// An SSML document with all timestamps.
static void document(speech_engine *engine) {
  speech_request *request =
      request_for("<speak>One <mark name='m'/><break time='1s'/> <prosody pitch='+10%'>two.</prosody></speak>");
  speech_audio *audio = NULL;
  size_t counts[4] = {0};
  OK(speech_request_set_ssml(request, true, &error));
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  speech_audio_phonemes(audio, &counts[0]);
  speech_audio_visemes(audio, &counts[1]);
  speech_audio_sentences(audio, &counts[2]);
  speech_audio_marks(audio, &counts[3]);
  CHECK(counts[0] > 4 && counts[1] > 4 && counts[2] == 1 && counts[3] == 1);
  speech_audio_free(audio);
  speech_request_free(request);
}

static void refused(speech_engine *engine) {
  speech_request *request = request_for(" ");
  speech_audio *audio = NULL;
  FAILS(speech_engine_synthesize(engine, request, NULL, &audio, &error), SPEECH_EMPTY_TEXT, "");
  speech_request_free(request);
}

// One to three sentences, with a different voice each time.
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

static const char *operation(speech_engine *engine, int i) {
  const char *name = "whole";
  speech_request *request = mixed_request(i);
  if (i % 10 == 7) {
    name = "cancelled";
    cancelled(engine, request);
  } else if (i % 10 == 3) {
    name = "refused";
    refused(engine);
  } else if (i % 10 == 5) {
    name = "live";
    live(engine, i % 20 == 5);
  } else if (i % 10 == 9) {
    name = "document";
    document(engine);
  } else if (i % 2 == 0) {
    name = "stream";
    streamed(engine, request);
  } else {
    whole(engine, request);
  }
  speech_request_free(request);
  return name;
}

// The same short text each time.
static void probe(speech_engine *engine) {
  speech_request *request = request_for(sentences[0]);
  whole(engine, request);
  speech_request_free(request);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  printf("pid %d\n", (int)getpid());
  fflush(stdout);
  speech_engine *engine = load(argv[1]);
  size_t objects = speech_object_count();
  for (int i = 0; goes_on(); i++) {
    double begin = now_ms();
    const char *name = operation(engine, i);
    printf("%s %.1f\n", name, now_ms() - begin);
    if (i % 10 == 0) {
      begin = now_ms();
      probe(engine);
      printf("probe %.1f\n", now_ms() - begin);
    }
    if (i % 100 == 99) {
      begin = now_ms();
      speech_engine_free(engine);
      engine = load(argv[1]);
      printf("engine %.1f\n", now_ms() - begin);
    }
    CHECK(speech_object_count() == objects);
    fflush(stdout);
  }
  speech_engine_free(engine);
  return finish();
}
