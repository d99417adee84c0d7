// Rate, pitch and volume; timestamps; live text.
#include "check.h"

#include <math.h>
#include <pthread.h>
#include <unistd.h>

#define TEXT "It is 10:30. Then, [pause 300ms] he left!"

static double seconds_of(speech_engine *engine, speech_request *request) {
  speech_audio *audio = NULL;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  double seconds = speech_audio_duration(audio);
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
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  speech_request_free(request);
  double seconds = speech_audio_duration(audio);

  size_t count = 0;
  double at = 0;
  const speech_phoneme *phonemes = speech_audio_phonemes(audio, &count);
  CHECK(count > 10);
  for (size_t i = 0; i < count; i++) {
    const speech_phoneme phoneme = phonemes[i];
    CHECK(phoneme.ipa[0] != '\0' && phoneme.span.begin < phoneme.span.end && phoneme.span.end <= strlen(TEXT));
    CHECK(phoneme.start_seconds >= at - 1e-6 && phoneme.start_seconds <= phoneme.end_seconds);
    at = phoneme.end_seconds;
  }
  const speech_viseme *visemes = speech_audio_visemes(audio, &count);
  at = 0;
  for (size_t i = 0; i < count; i++) {
    const speech_viseme viseme = visemes[i];
    CHECK(strlen(viseme.name) > 0 && viseme.azure <= 21);
    CHECK((strcmp(viseme.name, "sil") == 0) == (viseme.azure == 0));
    CHECK(fabs(viseme.start_seconds - at) < 1e-9 && viseme.start_seconds < viseme.end_seconds);
    at = viseme.end_seconds;
  }
  CHECK(fabs(at - seconds) < 1e-9);
  const speech_sentence *sentences = speech_audio_sentences(audio, &count);
  CHECK(count == 2);
  CHECK(sentences[1].span.begin == strlen("It is 10:30. ") && sentences[1].span.end == strlen(TEXT));
  CHECK(speech_audio_marks(audio, &count) == NULL && count == 0);
  speech_audio_free(audio);

  request = request_for("<speak>One <mark name='two'/> two.</speak>");
  OK(speech_request_set_ssml(request, true, &error));
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  speech_request_free(request);
  const speech_mark *marks = speech_audio_marks(audio, &count);
  CHECK(count == 1 && strcmp(marks[0].name, "two") == 0);
  const speech_word *words = speech_audio_words(audio, &count);
  CHECK(count == 2 && fabs(marks[0].seconds - words[1].start_seconds) < 1e-6);
  speech_audio_free(audio);
}

static speech_stream *live(speech_engine *engine, speech_cancel_token *token) {
  speech_request *request = request_for("");
  speech_stream *stream = NULL;
  OK(speech_engine_live(engine, request, token, &stream, &error));
  speech_request_free(request);
  return stream;
}

// Pushes the text byte by byte on another thread.
static void *push(void *argument) {
  speech_stream *stream = argument;
  for (size_t i = 0; i < strlen(TEXT); i++) {
    if (speech_stream_push(stream, &TEXT[i], 1, NULL) != SPEECH_OK) {
      return (void *)"a piece was refused";
    }
  }
  return speech_stream_finish(stream, NULL) == SPEECH_OK ? NULL : (void *)"it cannot be finished";
}

// Reads the rest of a stream, and returns the number of its samples.
static size_t pull(speech_stream *stream) {
  speech_audio *chunk = NULL;
  speech_status status = SPEECH_OK;
  size_t spoken = 0;
  while ((status = speech_stream_next(stream, &chunk, &error)) == SPEECH_OK) {
    size_t count = 0;
    CHECK(speech_audio_samples(chunk, &count) != NULL);
    spoken += count;
    speech_audio_free(chunk);
  }
  CHECK(status == SPEECH_END && error == NULL);
  return spoken;
}

static void pieces(speech_engine *engine) {
  speech_request *request = request_for(TEXT);
  speech_audio *audio = NULL;
  size_t whole = 0;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  CHECK(speech_audio_samples(audio, &whole) != NULL);
  speech_audio_free(audio);

  // One thread pulls while another pushes.
  speech_stream *stream = live(engine, NULL);
  pthread_t pusher;
  void *problem = NULL;
  CHECK(pthread_create(&pusher, NULL, push, stream) == 0);
  CHECK(pull(stream) == whole);
  CHECK(pthread_join(pusher, &problem) == 0 && problem == NULL);
  CHECK(speech_stream_heard_at(stream, 0) == 0);
  CHECK(speech_stream_heard_at(stream, 1000) == strlen(TEXT) - 1);
  CHECK(speech_stream_characters(stream) == strlen(TEXT));
  FAILS(speech_stream_push(stream, "x", 1, &error), SPEECH_INVALID_REQUEST, "the text is finished");
  OK(speech_stream_finish(stream, &error));
  speech_stream_free(stream);

  // The diagnostics of a live text grow; those of an earlier chunk do not change.
  stream = live(engine, NULL);
  speech_audio *chunks[2] = {NULL, NULL};
  size_t count = 0;
  OK(speech_stream_push(stream, "One \xf0\x9f\x98\x80 is. Two", SPEECH_NUL_TERMINATED, &error));
  OK(speech_stream_next(stream, &chunks[0], &error));
  CHECK(speech_stream_diagnostics(stream, &count)[0].span.begin == 4 && count == 1);
  OK(speech_stream_push(stream, " \xf0\x9f\x98\x80 are.", SPEECH_NUL_TERMINATED, &error));
  OK(speech_stream_finish(stream, &error));
  OK(speech_stream_next(stream, &chunks[1], &error));
  CHECK(speech_stream_diagnostics(stream, &count)[1].span.end == 21 && count == 2);
  CHECK(speech_audio_diagnostics(chunks[0], &count) != NULL && count == 1);
  CHECK(speech_audio_diagnostics(chunks[1], &count) != NULL && count == 2);
  speech_audio_free(chunks[0]);
  speech_audio_free(chunks[1]);
  speech_stream_free(stream);

  // A text over the limit of a request, and a stream that accepts no more text.
  const size_t sentences = SPEECH_MAX_CHARACTERS / 8 + 1;
  char *book = malloc(8 * sentences + 1);
  CHECK(book != NULL);
  for (size_t i = 0; i < sentences; i++) {
    memcpy(book + 8 * i, "It is. \n", 8);
  }
  book[8 * sentences] = '\0';
  speech_request *book_request = request_for(book);
  OK(speech_engine_stream_long(engine, book_request, NULL, &stream, &error));
  CHECK(pull(stream) > sentences * 2000);
  speech_stream_free(stream);
  speech_request_free(book_request);

  // The diagnostics of a long text grow too.
  book_request = request_for("One \xf0\x9f\x98\x80 is.");
  OK(speech_engine_stream_long(engine, book_request, NULL, &stream, &error));
  CHECK(speech_stream_diagnostics(stream, &count) == NULL && count == 0);
  OK(speech_stream_next(stream, &chunks[0], &error));
  CHECK(speech_stream_diagnostics(stream, &count)[0].span.begin == 4 && count == 1);
  speech_audio_free(chunks[0]);
  speech_stream_free(stream);
  speech_request_free(book_request);

  // More text than a source should push ahead of the audio.
  stream = live(engine, NULL);
  CHECK(!speech_stream_is_full(stream));
  for (size_t pushed = 0; pushed <= 16384 + 8 * sentences; pushed += 8 * sentences) {
    OK(speech_stream_push(stream, book, SPEECH_NUL_TERMINATED, &error));
  }
  CHECK(speech_stream_is_full(stream));
  speech_stream_free(stream);
  free(book);
  OK(speech_engine_stream(engine, request, NULL, &stream, &error));
  FAILS(speech_stream_push(stream, "x", 1, &error), SPEECH_INVALID_REQUEST, "takes no more text");
  FAILS(speech_stream_flush(stream, &error), SPEECH_INVALID_REQUEST, "takes no more text");
  FAILS(speech_stream_finish(stream, &error), SPEECH_INVALID_REQUEST, "takes no more text");
  CHECK(speech_stream_heard_at(stream, 1000) == 0);
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
