// Rate, pitch and volume; what is heard when; text that is spoken while it arrives.
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <unistd.h>

#define TEXT "It is 10:30. Then, [pause 300ms] he left!"

static double seconds_of(speech_engine *engine, speech_request *request) {
  speech_audio *audio = NULL;
  double seconds = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  OK(speech_audio_duration(audio, &seconds, &error));
  speech_audio_free(audio);
  return seconds;
}

static void settings(speech_engine *engine) {
  speech_request *request = request_for(TEXT);
  const double plain = seconds_of(engine, request);
  OK(speech_request_set_rate(request, 0.5, &error));
  OK(speech_request_set_pitch(request, 2, &error));
  OK(speech_request_set_volume(request, -3, &error));
  CHECK(seconds_of(engine, request) > plain);
  OK(speech_request_set_read_pauses(request, false, &error));
  CHECK(seconds_of(engine, request) != plain);

  speech_audio *audio = NULL;
  const struct {
    speech_status (*set)(speech_request *, double, speech_error **);
    double value;
    double normal;
    const char *message;
  } refused[] = {
      {speech_request_set_rate, 0.1, 1, "rate is 0.1; it must be a number from 0.5 to 2"},
      {speech_request_set_rate, NAN, 1, "rate is NaN; it must be a number from 0.5 to 2"},
      {speech_request_set_pitch, 7, 0, "pitch is 7; it must be a number from -6 to 6"},
      {speech_request_set_volume, INFINITY, 0, "volume is out of range; it must be a number from -40 to 12"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    OK(refused[i].set(request, refused[i].value, &error));
    FAILS(speech_engine_synthesize(engine, request, NULL, &audio, &error), SPEECH_INVALID_REQUEST,
          refused[i].message);
    OK(refused[i].set(request, refused[i].normal, &error));
  }
  speech_request_free(request);
}

static void events(speech_engine *engine) {
  speech_request *request = request_for(TEXT);
  speech_audio *audio = NULL;
  double seconds = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  speech_request_free(request);
  OK(speech_audio_duration(audio, &seconds, &error));

  size_t count = 0;
  double at = 0;
  OK(speech_audio_phoneme_count(audio, &count, &error));
  CHECK(count > 10);
  for (size_t i = 0; i < count; i++) {
    const char *ipa = NULL;
    size_t begin = 0;
    size_t end = 0;
    double start_seconds = 0;
    double end_seconds = 0;
    OK(speech_audio_phoneme(audio, i, &ipa, &begin, &end, &start_seconds, &end_seconds, &error));
    CHECK(ipa[0] != '\0' && begin < end && end <= strlen(TEXT));
    CHECK(start_seconds >= at - 1e-6 && start_seconds <= end_seconds);
    at = end_seconds;
  }
  OK(speech_audio_viseme_count(audio, &count, &error));
  at = 0;
  for (size_t i = 0; i < count; i++) {
    const char *name = NULL;
    uint32_t azure = 99;
    double start_seconds = 0;
    double end_seconds = 0;
    OK(speech_audio_viseme(audio, i, &name, &azure, &start_seconds, &end_seconds, &error));
    CHECK(strlen(name) > 0 && azure <= 21);
    CHECK((strcmp(name, "sil") == 0) == (azure == 0));
    CHECK(fabs(start_seconds - at) < 1e-9 && start_seconds < end_seconds);
    at = end_seconds;
  }
  CHECK(fabs(at - seconds) < 1e-9);
  OK(speech_audio_sentence_count(audio, &count, &error));
  CHECK(count == 2);
  size_t begin = 0;
  size_t end = 0;
  OK(speech_audio_sentence(audio, 1, &begin, &end, NULL, NULL, &error));
  CHECK(begin == strlen("It is 10:30. ") && end == strlen(TEXT));
  OK(speech_audio_mark_count(audio, &count, &error));
  CHECK(count == 0);
  speech_audio_free(audio);

  request = request_for("<speak>One <mark name='two'/> two.</speak>");
  const char *name = NULL;
  double mark = 0;
  double word = 0;
  OK(speech_request_set_ssml(request, true, &error));
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  speech_request_free(request);
  OK(speech_audio_mark_count(audio, &count, &error));
  CHECK(count == 1);
  OK(speech_audio_mark(audio, 0, &name, &mark, &error));
  OK(speech_audio_word(audio, 1, NULL, NULL, &word, NULL, &error));
  CHECK(strcmp(name, "two") == 0 && fabs(mark - word) < 1e-6);
  speech_audio_free(audio);
}

static speech_stream *live(speech_engine *engine, speech_cancel_token *token) {
  speech_request *request = request_for("");
  speech_stream *stream = NULL;
  OK(speech_engine_live(engine, request, token, &stream, &error));
  speech_request_free(request);
  return stream;
}

// Pushes the text byte by byte, from a thread of its own.
static void *push(void *argument) {
  speech_stream *stream = argument;
  for (size_t i = 0; i < strlen(TEXT); i++) {
    if (speech_stream_push(stream, &TEXT[i], 1, NULL) != SPEECH_OK) {
      return (void *)"a piece was refused";
    }
  }
  return speech_stream_finish(stream, NULL) == SPEECH_OK ? NULL : (void *)"it cannot be finished";
}

static speech_flow add(void *userdata, const speech_audio *chunk) {
  const int16_t *samples = NULL;
  size_t count = 0;
  CHECK(speech_audio_samples(chunk, &samples, &count, NULL) == SPEECH_OK);
  *(size_t *)userdata += count;
  return SPEECH_CONTINUE;
}

static void pieces(speech_engine *engine) {
  speech_request *request = request_for(TEXT);
  speech_audio *audio = NULL;
  const int16_t *samples = NULL;
  size_t whole = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  OK(speech_audio_samples(audio, &samples, &whole, &error));
  speech_audio_free(audio);

  // Pulled while another thread pushes, and called back.
  for (int called_back = 0; called_back < 2; called_back++) {
    speech_stream *stream = live(engine, NULL);
    pthread_t pusher;
    size_t spoken = 0;
    size_t heard = 99;
    void *problem = NULL;
    CHECK(pthread_create(&pusher, NULL, push, stream) == 0);
    if (called_back) {
      OK(speech_stream_for_each(stream, add, &spoken, &error));
    } else {
      speech_audio *chunk = NULL;
      OK(speech_stream_next(stream, &chunk, &error));
      while (chunk != NULL) {
        add(&spoken, chunk);
        speech_audio_free(chunk);
        OK(speech_stream_next(stream, &chunk, &error));
      }
    }
    CHECK(pthread_join(pusher, &problem) == 0 && problem == NULL);
    CHECK(spoken == whole);
    OK(speech_stream_heard(stream, 0, &heard, &error));
    CHECK(heard == 0);
    OK(speech_stream_heard(stream, 1000, &heard, &error));
    CHECK(heard == strlen(TEXT) - 1);
    OK(speech_stream_characters(stream, &heard, &error));
    CHECK(heard == strlen(TEXT));
    FAILS(speech_stream_push(stream, "x", 1, &error), SPEECH_INVALID_REQUEST, "the text is finished");
    OK(speech_stream_finish(stream, &error));
    speech_stream_free(stream);
  }

  // A text over the limit of a request, and one that takes no more text.
  const size_t sentences = SPEECH_MAX_CHARACTERS / 8 + 1;
  char *book = malloc(8 * sentences + 1);
  CHECK(book != NULL);
  for (size_t i = 0; i < sentences; i++) {
    memcpy(book + 8 * i, "It is. \n", 8);
  }
  book[8 * sentences] = '\0';
  speech_request *book_request = request_for(book);
  speech_stream *stream = NULL;
  size_t spoken = 0;
  OK(speech_engine_stream_long(engine, book_request, NULL, &stream, &error));
  OK(speech_stream_for_each(stream, add, &spoken, &error));
  CHECK(spoken > sentences * 2000);
  speech_stream_free(stream);
  speech_request_free(book_request);
  free(book);
  OK(speech_engine_stream(engine, request, NULL, &stream, &error));
  FAILS(speech_stream_push(stream, "x", 1, &error), SPEECH_INVALID_REQUEST, "takes no more text");
  FAILS(speech_stream_flush(stream, &error), SPEECH_INVALID_REQUEST, "takes no more text");
  FAILS(speech_stream_finish(stream, &error), SPEECH_INVALID_REQUEST, "takes no more text");
  FAILS(speech_stream_heard(stream, 0, &spoken, &error), SPEECH_INVALID_REQUEST, "takes no more text");
  speech_stream_free(stream);
  speech_request_free(request);
}

static void *cancel_soon(void *argument) {
  usleep(20000);
  return speech_stream_cancel(argument, NULL) == SPEECH_OK ? NULL : argument;
}

static void interrupted(speech_engine *engine) {
  speech_stream *stream = live(engine, NULL);
  speech_audio *chunk = NULL;
  pthread_t canceller;
  void *problem = NULL;
  OK(speech_stream_push(stream, "And then", SPEECH_NUL_TERMINATED, &error));
  CHECK(pthread_create(&canceller, NULL, cancel_soon, stream) == 0);
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "");
  CHECK(pthread_join(canceller, &problem) == 0 && problem == NULL);
  FAILS(speech_stream_next(stream, &chunk, &error), SPEECH_CANCELLED, "");
  speech_stream_free(stream);

  // Freed while it waits for text.
  stream = live(engine, NULL);
  OK(speech_stream_push(stream, "It is so. And then", SPEECH_NUL_TERMINATED, &error));
  OK(speech_stream_next(stream, &chunk, &error));
  CHECK(chunk != NULL);
  speech_audio_free(chunk);
  speech_stream_free(stream);

  // A flush ends a sentence.
  stream = live(engine, NULL);
  OK(speech_stream_push(stream, "It costs $3", SPEECH_NUL_TERMINATED, &error));
  OK(speech_stream_flush(stream, &error));
  OK(speech_stream_next(stream, &chunk, &error));
  CHECK(chunk != NULL);
  speech_audio_free(chunk);
  FAILS(speech_stream_push(stream, NULL, 1, &error), SPEECH_INVALID_REQUEST, "NULL");
  FAILS(speech_stream_push(stream, "\xff", 1, &error), SPEECH_INVALID_REQUEST, "UTF-8");
  speech_stream_free(stream);

  speech_request *request = request_for("<speak>x</speak>");
  OK(speech_request_set_ssml(request, true, &error));
  FAILS(speech_engine_live(engine, request, NULL, &stream, &error), SPEECH_INVALID_REQUEST, "SSML");
  speech_request_free(request);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  speech_engine *engine = load(argv[2]);
  settings(engine);
  events(engine);
  pieces(engine);
  interrupted(engine);
  speech_engine_free(engine);
  return finish();
}
