// Engines: every option, all forms of the bundle, the log, and whole synthesis.
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#ifndef _WIN32
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#ifdef _WIN32
#define MISSING "/nowhere/at/all\\bundle.json"
#else
#define MISSING "/nowhere/at/all/bundle.json"
#endif

#define TEXT "Good morning. It is 10:30 \xf0\x9f\x98\x80!"

static speech_engine_options *new_options(void) {
  speech_engine_options *options = speech_engine_options_new();
  OK(speech_engine_options_set_threads(options, 1, &error));
  return options;
}

// The wav file of a text, which the caller frees.
static uint8_t *speak(speech_engine *engine, const char *text, size_t *length) {
  speech_request *request = request_for(text);
  speech_audio *audio = NULL;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  const uint8_t *wav = speech_audio_wav(audio, length);
  uint8_t *copy = malloc(*length);
  CHECK(copy != NULL);
  memcpy(copy, wav, *length);
  speech_audio_free(audio);
  speech_request_free(request);
  return copy;
}

static void same_sound(speech_engine *one, speech_engine *other) {
  size_t lengths[2] = {0, 0};
  uint8_t *wavs[2] = {speak(one, "Hi.", &lengths[0]), speak(other, "Hi.", &lengths[1])};
  CHECK(lengths[0] == lengths[1] && lengths[0] > 1000);
  CHECK(memcmp(wavs[0], wavs[1], lengths[0]) == 0);
  free(wavs[0]);
  free(wavs[1]);
}

static void failures(const char *bundle) {
  speech_engine_options *options = new_options();
  speech_engine *engine = NULL;
  OK(speech_engine_options_set_bundle_path(options, "/nowhere/at/all", &error));
  CHECK(speech_engine_load(options, &engine, &error) == SPEECH_MODEL_ERROR);
  CHECK(strcmp(speech_error_detail(error), "file_missing") == 0);
  CHECK(strcmp(speech_error_path(error), MISSING) == 0);
  CHECK(strcmp(speech_error_advice(error), "check_bundle_path") == 0);
  speech_error_free(error);
  CHECK(strcmp(speech_error_detail(error), "") == 0 && strcmp(speech_error_path(NULL), "") == 0);
  CHECK(strcmp(speech_error_advice(NULL), "") == 0);
  error = NULL;
  FAILS(speech_engine_load(options, &engine, &error), SPEECH_MODEL_ERROR,
        MISSING " is missing");
  OK(speech_engine_options_set_bundle_memory(options, (const uint8_t *)"no tar", 6, NULL, NULL, &error));
  FAILS(speech_engine_load(options, &engine, &error), SPEECH_MODEL_ERROR, "bundle in memory");
  FAILS(speech_engine_options_set_bundle_memory(options, NULL, 1, NULL, NULL, &error),
        SPEECH_INVALID_REQUEST, "data is NULL");
  FAILS(speech_engine_options_set_bundle_memory(options, NULL, 0, NULL, NULL, &error),
        SPEECH_INVALID_REQUEST, "data is empty");
  FAILS(speech_engine_options_set_bundle_path(options, NULL, &error), SPEECH_INVALID_REQUEST,
        "path is NULL");
  FAILS(speech_engine_options_set_bundle_path(options, "\xff", &error), SPEECH_INVALID_REQUEST,
        "path is not UTF-8");
  FAILS(speech_engine_options_set_log_callback(options, NULL, NULL, 9, &error),
        SPEECH_INVALID_REQUEST, "no log level 9");
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  OK(speech_engine_options_set_threads(options, 0, &error));
  FAILS(speech_engine_load(options, &engine, &error), SPEECH_INVALID_REQUEST, "from 1 to 256");
  OK(speech_engine_options_set_threads(options, SIZE_MAX, &error));
  FAILS(speech_engine_load(options, &engine, &error), SPEECH_INVALID_REQUEST, "from 1 to 256");
  OK(speech_engine_options_set_threads(options, 1, &error));
  OK(speech_engine_options_set_max_concurrency(options, 257, &error));
  FAILS(speech_engine_load(options, &engine, &error), SPEECH_INVALID_REQUEST, "from 1 to 256");
  OK(speech_engine_options_set_max_concurrency(options, 1, &error));
  CHECK(engine == NULL);
  OK(speech_engine_load(options, &engine, &error));
  speech_engine_free(engine);
  speech_engine_options_free(options);
  speech_engine_options_free(options);
}

// Pronunciations of an engine's user in a lexicon and inline, and invalid ones.
static void pronunciations(const char *bundle) {
  speech_engine_options *options = new_options();
  speech_engine *engines[2] = {load(bundle), NULL};
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  FAILS(speech_engine_options_add_pronunciation(options, "Siobhan", "/\xca\x83\xc9\xaa" "9/", &error),
        SPEECH_INVALID_REQUEST, "character 3 of it is not a phoneme symbol");
  FAILS(speech_engine_options_add_pronunciation(options, "Siobhan", "", &error), SPEECH_INVALID_REQUEST,
        "neither IPA between slashes nor words");
  FAILS(speech_engine_options_add_pronunciation(options, "", "/a/", &error), SPEECH_INVALID_REQUEST,
        "needs words");
  FAILS(speech_engine_options_add_pronunciation(options, NULL, "/a/", &error), SPEECH_INVALID_REQUEST,
        "words is NULL");
  FAILS(speech_engine_options_add_pronunciation(options, "a", NULL, &error), SPEECH_INVALID_REQUEST,
        "reading is NULL");
  OK(speech_engine_options_add_pronunciation(options, "kubectl", "cube control", &error));
  OK(speech_engine_options_set_cache(options, 1 << 20, &error));
  OK(speech_engine_load(options, &engines[1], &error));
  size_t lengths[3] = {0, 0, 0};
  uint8_t *wavs[3] = {speak(engines[1], "kubectl", &lengths[0]), speak(engines[0], "cube control", &lengths[1]),
                      speak(engines[0], "[x](/kjub kəntɹˈOl/)", &lengths[2])};
  CHECK(lengths[0] == lengths[1] && memcmp(wavs[0], wavs[1], lengths[0]) == 0);
  CHECK(lengths[2] > 1000 && lengths[2] != lengths[0]);
  for (int i = 0; i < 3; i++) {
    free(wavs[i]);
  }
  speech_lexicon *lexicon = NULL;
  FAILS(speech_lexicon_parse("x", SPEECH_NUL_TERMINATED, &lexicon, &error), SPEECH_INVALID_REQUEST, "line 1: no tab");
  FAILS(speech_lexicon_from_pls("<lexicon/>", SPEECH_NUL_TERMINATED, &lexicon, &error), SPEECH_INVALID_REQUEST,
        "PLS line 1, column 1: 'lexicon' needs the attribute 'version'");
  CHECK(lexicon == NULL && speech_lexicon_entries(NULL) == 0);
  OK(speech_lexicon_parse("y\tcube\nz\tcube\n", SPEECH_NUL_TERMINATED, &lexicon, &error));
  CHECK(speech_lexicon_entries(lexicon) == 2);
  speech_request *request = request_for("y z");
  OK(speech_request_add_lexicon(request, lexicon, &error));
  OK(speech_request_add_pronunciation(request, "z", "control", &error));
  FAILS(speech_request_add_pronunciation(request, "z", "/9/", &error), SPEECH_INVALID_REQUEST,
        "the pronunciation: character 1 of it is not a phoneme symbol");
  speech_lexicon_free(lexicon);
  FAILS(speech_request_add_lexicon(request, lexicon, &error), SPEECH_INVALID_REQUEST, "lexicon");
  speech_audio *audio = NULL;
  OK(speech_engine_synthesize(engines[0], request, NULL, &audio, &error));
  size_t length = 0;
  const uint8_t *wav = speech_audio_wav(audio, &length);
  uint8_t *expected = speak(engines[0], "cube control", &lengths[0]);
  CHECK(length == lengths[0] && memcmp(wav, expected, length) == 0);
  free(expected);
  speech_audio_free(audio);
  speech_request_free(request);
  OK(speech_lexicon_from_pls("<lexicon version='1.0' xml:lang='en'><lexeme><grapheme>z</grapheme><alias>a</alias></lexeme>"
                             "</lexicon>", SPEECH_NUL_TERMINATED, &lexicon, &error));
  speech_lexicon_free(lexicon);
  request = request_for("ab [c](/k7/)");
  FAILS(speech_request_validate(request, NULL, &error), SPEECH_INVALID_REQUEST,
        "the pronunciation at character 4: character 2 of it is not a phoneme symbol");
  speech_request_free(request);
  speech_engine_options_free(options);
  speech_engine_free(engines[0]);
  speech_engine_free(engines[1]);
}

// Kernels and precision: set by name, checked against the processor, and reported by the results.
static void kernels(const char *bundle) {
  speech_engine_options *options = new_options();
  speech_engine *engine = NULL;
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  FAILS(speech_engine_options_set_kernels(options, "sse", &error), SPEECH_INVALID_REQUEST,
        "unsupported kernels \"sse\"; use auto, portable, avx2, avx512, ");
  FAILS(speech_engine_options_set_kernels(options, NULL, &error), SPEECH_INVALID_REQUEST, "kernels is NULL");
  FAILS(speech_engine_options_set_precision(options, "FP32", &error), SPEECH_INVALID_REQUEST,
        "unsupported precision \"FP32\"; use auto, fp32, bf16, int16");
  FAILS(speech_engine_options_set_precision(options, "\xff", &error), SPEECH_INVALID_REQUEST, "precision is not UTF-8");
  // No processor supports both these and those of x86.
  OK(speech_engine_options_set_kernels(options, "neon", &error));
  speech_status neon = speech_engine_load(options, &engine, NULL);
  speech_engine_free(engine);
  engine = NULL;
  OK(speech_engine_options_set_kernels(options, "avx2", &error));
  speech_status avx2 = speech_engine_load(options, &engine, NULL);
  speech_engine_free(engine);
  engine = NULL;
  CHECK(neon == SPEECH_INVALID_REQUEST || avx2 == SPEECH_INVALID_REQUEST);

  OK(speech_engine_options_set_kernels(options, "portable", &error));
  OK(speech_engine_options_set_precision(options, "fp32", &error));
  OK(speech_engine_load(options, &engine, &error));
  OK(speech_engine_warm_up(engine, &error));
  OK(speech_engine_trim(engine, &error));
  OK(speech_engine_trim(engine, &error));
  speech_request *request = request_for("Hi.");
  speech_audio *audio = NULL;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  // The names are static strings.
  const char *const names[] = {speech_engine_kernels(engine), speech_audio_kernels(audio),
                               speech_engine_precision(engine), speech_audio_precision(audio)};
  speech_audio_free(audio);
  speech_request_free(request);
  speech_engine_free(engine);
  for (int i = 0; i < 4; i++) {
    CHECK(strcmp(names[i], i < 2 ? "portable" : "fp32") == 0);
  }

  OK(speech_engine_options_set_kernels(options, "auto", &error));
  OK(speech_engine_options_set_precision(options, "auto", &error));
  OK(speech_engine_load(options, &engine, &error));
  CHECK(strcmp(speech_engine_kernels(engine), "auto") != 0);
  speech_engine_free(engine);
  speech_engine_options_free(options);
}

// Reads romanized Hindi as Hindi, or as English.
static void romanized_hindi(const char *bundle) {
  speech_engine *engine = load(bundle);
  speech_request *request = request_for("kal milte hain");
  size_t lengths[2] = {0, 0};
  OK(speech_request_set_language(request, "hi-IN", &error));
  for (int read = 0; read < 2; read++) {
    speech_audio *audio = NULL;
    OK(speech_request_set_read_romanized_hindi(request, read, &error));
    OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
    speech_audio_samples(audio, &lengths[read]);
    speech_audio_free(audio);
  }
  CHECK(lengths[0] != lengths[1]);
  speech_request_free(request);
  speech_engine_free(engine);
}

// Skips emoji and lists them in the diagnostics, or reads them.
static void emoji(const char *bundle) {
  speech_engine *engine = load(bundle);
  speech_request *request = request_for("Yes \xf0\x9f\x98\x80");
  for (int read = 0; read < 2; read++) {
    OK(speech_request_set_read_emoji(request, read, &error));
    speech_audio *audio = NULL;
    size_t words = 0;
    size_t diagnostics = 0;
    OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
    speech_audio_words(audio, &words);
    speech_audio_diagnostics(audio, &diagnostics);
    CHECK(words == (read ? 2U : 1U) && diagnostics == (read ? 0U : 1U));
    speech_audio_free(audio);
  }
  speech_request_free(request);
  speech_engine_free(engine);
}

static atomic_int released;

static void release(void *userdata, const uint8_t *data, size_t length) {
  CHECK(userdata == &released);
  CHECK(data != NULL && length > 0);
  free((void *)(uintptr_t)data);
  atomic_fetch_add(&released, 1);
}

// The contents of a file, which the caller frees.
static uint8_t *contents(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
  long end = ftell(file);
  CHECK(end > 0 && fseek(file, 0, SEEK_SET) == 0);
  *length = (size_t)end;
  uint8_t *data = malloc(*length);
  CHECK(data != NULL && fread(data, 1, *length, file) == *length);
  fclose(file);
  return data;
}

#ifdef _WIN32
static void bundle_in_file(speech_engine *expected, const char *archive, const char *padded) {
  (void)expected, (void)archive, (void)padded;
  speech_engine_options *options = new_options();
  FAILS(speech_engine_options_set_bundle_fd(options, 0, 0, 0, &error), SPEECH_INVALID_REQUEST,
        "not supported");
  speech_engine_options_free(options);
}
#else
static void bundle_in_file(speech_engine *expected, const char *archive, const char *padded) {
  speech_engine_options *options = new_options();
  speech_engine *engine = NULL;
  int fd = open(padded, O_RDONLY);
  CHECK(fd >= 0);
  OK(speech_engine_options_set_bundle_fd(options, fd, 1000, 0, &error));
  OK(speech_engine_options_set_map_bundle(options, false, &error));
  close(fd);
  OK(speech_engine_load(options, &engine, &error));
  same_sound(expected, engine);
  speech_engine_free(engine);

  fd = open(archive, O_RDONLY);
  struct stat status;
  CHECK(fd >= 0 && fstat(fd, &status) == 0);
  uint64_t length = (uint64_t)status.st_size;
  OK(speech_engine_options_set_bundle_fd(options, fd, 0, length, &error));
  OK(speech_engine_options_set_map_bundle(options, true, &error));
  OK(speech_engine_load(options, &engine, &error));
  speech_engine_free(engine);
  FAILS(speech_engine_options_set_bundle_fd(options, -1, 0, 0, &error), SPEECH_INVALID_REQUEST,
        "-1 is not an open file descriptor");
  FAILS(speech_engine_options_set_bundle_fd(options, 9999, 0, 0, &error), SPEECH_INVALID_REQUEST,
        "9999 is not an open file descriptor");
  OK(speech_engine_options_set_bundle_fd(options, fd, 0, length + 1, &error));
  FAILS(speech_engine_load(options, &engine, &error), SPEECH_MODEL_ERROR, "is truncated");
  close(fd);
  speech_engine_options_free(options);
}
#endif

// `archive` is the bundle in `directory` as one tar file; `padded` contains it from byte 1000 to
// its end.
static void bundles(const char *directory, const char *archive, const char *padded) {
  speech_engine *expected = load(directory);
  speech_engine *engine = load(archive);
  same_sound(expected, engine);
  speech_engine_free(engine);
  bundle_in_file(expected, archive, padded);

  speech_engine_options *options = new_options();
  size_t length = 0;
  uint8_t *data = contents(archive, &length);
  OK(speech_engine_options_set_bundle_memory(options, data, length, release, &released, &error));
  OK(speech_engine_load(options, &engine, &error));
  CHECK(released == 0);
  speech_engine_options_free(options);
  same_sound(expected, engine);
  speech_engine_free(engine);
  CHECK(released == 1);
  speech_engine_free(expected);
}

struct log {
  pthread_mutex_t lock;
  char text[65536];
  size_t length;
  int lowest;
};

static void log_line(void *userdata, speech_log_level level, const char *message) {
  struct log *log = userdata;
  CHECK(strchr(message, '\n') == NULL);
  // A log callback may call the library; messages of such calls are dropped.
  CHECK(speech_engine_load(NULL, NULL, NULL) == SPEECH_INVALID_REQUEST);
  pthread_mutex_lock(&log->lock);
  int written = snprintf(log->text + log->length, sizeof log->text - log->length, "%s\n", message);
  CHECK(written > 0 && log->length + (size_t)written < sizeof log->text);
  log->length += (size_t)written;
  if (level > log->lowest) {
    log->lowest = level;
  }
  pthread_mutex_unlock(&log->lock);
}

static void logs(const char *bundle) {
  static struct log info = {.lock = PTHREAD_MUTEX_INITIALIZER};
  static struct log debug = {.lock = PTHREAD_MUTEX_INITIALIZER};
  speech_engine_options *options = new_options();
  speech_engine *engines[2] = {NULL, NULL};
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  OK(speech_engine_options_set_log_callback(options, log_line, &info, SPEECH_LOG_INFO, &error));
  OK(speech_engine_load(options, &engines[0], &error));
  OK(speech_engine_options_set_log_callback(options, log_line, &debug, SPEECH_LOG_DEBUG, &error));
  OK(speech_engine_load(options, &engines[1], &error));
  size_t length = 0;
  free(speak(engines[0], "Walrus.", &length));
  CHECK(strstr(info.text, "engine loaded in ") != NULL && info.lowest == SPEECH_LOG_INFO);
  CHECK(strstr(debug.text, " tokens: prosody ") != NULL && debug.lowest == SPEECH_LOG_DEBUG);
  CHECK(strstr(debug.text, bundle) != NULL);
  CHECK(strstr(debug.text, "alrus") == NULL);
  // The callback of a freed engine is no longer called; that of the other engine still is.
  speech_engine_free(engines[1]);
  debug.length = 0;
  debug.text[0] = '\0';
  OK(speech_engine_options_set_log_callback(options, NULL, NULL, SPEECH_LOG_INFO, &error));
  size_t before = info.length;
  OK(speech_engine_load(options, &engines[1], &error));
  CHECK(debug.length == 0 && info.length > before);
  speech_engine_free(engines[0]);
  speech_engine_free(engines[1]);
  speech_engine_options_free(options);
}

static void free_other(void *userdata, speech_log_level level, const char *message) {
  CHECK(level >= SPEECH_LOG_ERROR && message[0] != '\0');
  speech_engine_free(*(speech_engine **)userdata);
}

// An engine freed inside another engine's log callback is not waited for, and receives no more
// messages.
static void freed_while_logging(const char *bundle) {
  static struct log log = {.lock = PTHREAD_MUTEX_INITIALIZER};
  speech_engine_options *options = new_options();
  speech_engine *other = NULL;
  speech_engine *engine = NULL;
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  OK(speech_engine_options_set_log_callback(options, log_line, &log, SPEECH_LOG_DEBUG, &error));
  OK(speech_engine_load(options, &other, &error));
  OK(speech_engine_options_set_log_callback(options, free_other, &other, SPEECH_LOG_INFO, &error));
  OK(speech_engine_load(options, &engine, &error));
  CHECK(speech_engine_threads(other) == 0);
  const size_t before = log.length;
  size_t length = 0;
  free(speak(engine, "Hi.", &length));
  CHECK(log.length == before);
  speech_engine_free(engine);
  speech_engine_options_free(options);
}

static void whole(const char *bundle) {
  speech_engine *engine = load(bundle);
  size_t count = speech_engine_threads(engine);
  CHECK(count == 1);
  speech_request *request = request_for(TEXT);
  OK(speech_request_set_language(request, "en-US", &error));
  OK(speech_request_set_voice(request, "leo", &error));
  OK(speech_request_validate(request, NULL, &error));
  OK(speech_request_validate(request, &count, &error));
  CHECK(count == 28);

  speech_audio *audio = NULL;
  OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
  speech_request_free(request);
  size_t samples_count = 0;
  size_t length = 0;
  const int16_t *samples = speech_audio_samples(audio, &samples_count);
  const float *floats = speech_audio_samples_f32(audio, &count);
  CHECK(count == samples_count && count > 11025);
  int peak = 0;
  for (size_t i = 0; i < count; i++) {
    CHECK(floats[i] == (float)samples[i] / 32768.0F);
    peak = abs(samples[i]) > peak ? abs(samples[i]) : peak;
  }
  CHECK(peak > 1000);
  const uint8_t *wav = speech_audio_wav(audio, &length);
  CHECK(length == 44 + 2 * count && memcmp(wav, "RIFF", 4) == 0);
  CHECK(memcmp(wav + 44, samples, 2 * count) == 0);
  uint32_t rate = speech_audio_sample_rate(audio);
  CHECK(rate == 22050);
  double seconds = speech_audio_duration(audio);
  CHECK((size_t)(seconds * rate + 0.5) == count);
  count = speech_audio_characters(audio);
  CHECK(count == 28);
  const char *id = speech_audio_request_id(audio);
  CHECK(strlen(id) == 36);

  const speech_word *words = speech_audio_words(audio, &count);
  CHECK(count == 5 && words == speech_audio_words(audio, &count));
  CHECK(strncmp(&TEXT[words[4].span.begin], "10:30", words[4].span.end - words[4].span.begin) == 0);
  CHECK(words[4].start_seconds < words[4].end_seconds && words[4].end_seconds <= seconds);
  CHECK(speech_audio_span(audio).begin == 0 && speech_audio_span(audio).end == strlen(TEXT));

  const speech_diagnostic *diagnostics = speech_audio_diagnostics(audio, &count);
  CHECK(count == 1 && diagnostics[0].kind == SPEECH_DIAGNOSTIC_SKIPPED);
  CHECK(diagnostics[0].span.begin == 26 && diagnostics[0].span.end == 30);
  // An empty array is NULL, and the output for the length is optional.
  CHECK(speech_audio_marks(audio, &count) == NULL && count == 0);
  CHECK(speech_audio_words(audio, NULL) == words);
  // The data of an audio object outlives the engine.
  speech_engine_free(engine);
  CHECK(memcmp(wav, "RIFF", 4) == 0 && floats[0] == (float)samples[0] / 32768.0F);
  speech_audio_free(audio);
  speech_audio_free(audio);
}

static void refusals(const char *bundle) {
  speech_engine *engine = load(bundle);
  speech_audio *audio = NULL;
  char longest[1002];
  memset(longest, 'a', 1001);
  longest[1001] = '\0';
  for (int i = 0; i < 3; i++) {
    speech_request *request = request_for(i == 0 ? "" : i == 1 ? " \t" : longest);
    // An unknown name fails at once, and changes nothing.
    FAILS(speech_request_set_voice(request, "nobody", &error), SPEECH_INVALID_REQUEST, "nobody");
    FAILS(speech_request_set_language(request, "xx-XX", &error), SPEECH_INVALID_REQUEST, "xx-XX");
    FAILS(speech_request_set_latency(request, 9, &error), SPEECH_INVALID_REQUEST, "no latency 9");
    FAILS(speech_request_set_quality(request, -1, &error), SPEECH_INVALID_REQUEST, "no quality -1");
    FAILS(speech_request_set_encoding(request, 4, &error), SPEECH_INVALID_REQUEST, "no encoding 4");
    speech_status expected = i < 2 ? SPEECH_EMPTY_TEXT : SPEECH_TEXT_TOO_LONG;
    const char *part = i < 2 ? "text is" : "the limit is 1000";
    speech_stream *stream = NULL;
    FAILS(speech_request_validate(request, NULL, &error), expected, part);
    FAILS(speech_engine_synthesize(engine, request, NULL, &audio, &error), expected, part);
    FAILS(speech_engine_stream(engine, request, NULL, &stream, &error), expected, part);
    speech_request_free(request);
    speech_request_free(request);
  }
  CHECK(audio == NULL);
  speech_engine_free(engine);
}

static uint32_t little_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// The same second of speech at every rate, and its samples in each encoding.
static void rates_and_encodings(const char *bundle) {
  static const uint32_t rates[] = {8000, 16000, 22050, 24000, 44100, 48000};
  static const speech_encoding encodings[] = {SPEECH_ENCODING_PCM16, SPEECH_ENCODING_FLOAT32, SPEECH_ENCODING_MULAW,
                                              SPEECH_ENCODING_ALAW};
  static const size_t bytes_per_sample[] = {2, 4, 1, 1};
  static const uint8_t formats[] = {1, 3, 7, 6};
  speech_engine *engine = load(bundle);
  speech_request *request = request_for("Hello, world.");
  double duration = 0;
  for (size_t rate = 0; rate < 6; rate++) {
    for (size_t encoding = 0; encoding < 4; encoding++) {
      OK(speech_request_set_sample_rate(request, rates[rate], &error));
      OK(speech_request_set_encoding(request, encodings[encoding], &error));
      speech_audio *audio = NULL;
      OK(speech_engine_synthesize(engine, request, NULL, &audio, &error));
      size_t count = 0;
      size_t length = 0;
      size_t wav_length = 0;
      speech_audio_samples(audio, &count);
      const uint8_t *bytes = speech_audio_bytes(audio, &length);
      const uint8_t *wav = speech_audio_wav(audio, &wav_length);
      CHECK(speech_audio_sample_rate(audio) == rates[rate] && speech_audio_encoding(audio) == encodings[encoding]);
      duration = duration == 0 ? speech_audio_duration(audio) : duration;
      CHECK(fabs(speech_audio_duration(audio) - (double)count / rates[rate]) < 1e-9);
      CHECK(fabs(speech_audio_duration(audio) - duration) < 0.001);
      CHECK(length == count * bytes_per_sample[encoding] && wav[20] == formats[encoding]);
      CHECK(little_endian(wav + 24) == rates[rate] && little_endian(wav + 4) == wav_length - 8);
      CHECK(memcmp(wav + (encoding == 0 ? 44 : 58), bytes, length) == 0);
      if (encoding == 1) {
        const float *floats = speech_audio_samples_f32(audio, &count);
        CHECK(memcmp(floats, bytes, length) == 0);
      }
      speech_audio_free(audio);
      speech_stream *streams[2] = {NULL, NULL};
      OK(speech_engine_stream(engine, request, NULL, &streams[0], &error));
      OK(speech_engine_stream_long(engine, request, NULL, &streams[1], &error));
      for (size_t i = 0; i < 2; i++) {
        CHECK(speech_stream_sample_rate(streams[i]) == rates[rate] && speech_stream_encoding(streams[i]) == encodings[encoding]);
        speech_stream_free(streams[i]);
      }
    }
  }
  OK(speech_request_set_sample_rate(request, 11025, &error));
  const char *part = "sample_rate is 11025; it must be 8000, 16000, 22050, 24000, 44100 or 48000";
  speech_audio *audio = NULL;
  speech_stream *stream = NULL;
  FAILS(speech_request_validate(request, NULL, &error), SPEECH_INVALID_REQUEST, part);
  FAILS(speech_engine_synthesize(engine, request, NULL, &audio, &error), SPEECH_INVALID_REQUEST, part);
  FAILS(speech_engine_live(engine, request, NULL, &stream, &error), SPEECH_INVALID_REQUEST, part);
  FAILS(speech_engine_stream_long(engine, request, NULL, &stream, &error), SPEECH_INVALID_REQUEST, part);
  CHECK(audio == NULL && stream == NULL);
  speech_request_free(request);
  speech_engine_free(engine);
}

static bool has_quality(const speech_engine *engine, const char *voice, const char *language, speech_quality quality) {
  bool has = false;
  OK(speech_engine_has_quality(engine, voice, language, quality, &has, &error));
  return has;
}

// The fake model has `light` for aria in English, `fast` for aria, and `full` for all voices.
static void qualities(const char *bundle) {
  speech_engine *engine = load(bundle);
  CHECK(has_quality(engine, "aria", "en-US", SPEECH_QUALITY_LIGHT) && has_quality(engine, "aria", "hi-IN", SPEECH_QUALITY_FAST));
  CHECK(!has_quality(engine, "aria", "hi-IN", SPEECH_QUALITY_LIGHT) && !has_quality(engine, "leo", "en-US", SPEECH_QUALITY_FAST));
  CHECK(has_quality(engine, "leo", "hi-IN", SPEECH_QUALITY_FULL) && has_quality(engine, "leo", "hi-IN", SPEECH_QUALITY_AUTO));
  bool has = false;
  FAILS(speech_engine_has_quality(engine, "nobody", "en-US", SPEECH_QUALITY_FULL, &has, &error), SPEECH_INVALID_REQUEST, "nobody");
  FAILS(speech_engine_has_quality(engine, "aria", "xx-XX", SPEECH_QUALITY_FULL, &has, &error), SPEECH_INVALID_REQUEST, "xx-XX");
  FAILS(speech_engine_has_quality(engine, "aria", "en-US", 9, &has, &error), SPEECH_INVALID_REQUEST, "no quality 9");

  speech_request *request = request_for("Hello, world.");
  static const speech_quality all[] = {SPEECH_QUALITY_AUTO, SPEECH_QUALITY_FULL, SPEECH_QUALITY_LIGHT};
  speech_audio *audio[] = {NULL, NULL, NULL};
  const int16_t *samples[] = {NULL, NULL, NULL};
  size_t counts[] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    OK(speech_request_set_quality(request, all[i], &error));
    OK(speech_engine_synthesize(engine, request, NULL, &audio[i], &error));
    samples[i] = speech_audio_samples(audio[i], &counts[i]);
  }
  CHECK(counts[0] == counts[1] && memcmp(samples[0], samples[1], counts[0] * sizeof **samples) == 0);
  CHECK(counts[0] != counts[2] || memcmp(samples[0], samples[2], counts[0] * sizeof **samples) != 0);
  for (int i = 0; i < 3; i++) {
    speech_audio_free(audio[i]);
  }

  OK(speech_request_set_voice(request, "leo", &error));
  OK(speech_request_validate(request, NULL, &error));
  speech_audio *none = NULL;
  speech_stream *stream = NULL;
  CHECK(speech_engine_synthesize(engine, request, NULL, &none, &error) == SPEECH_INVALID_REQUEST);
  CHECK(strcmp(speech_error_detail(error), "quality_not_in_bundle") == 0);
  speech_error_free(error);
  error = NULL;
  const char *part = "does not have quality light for leo in en-US; it has full";
  FAILS(speech_engine_stream(engine, request, NULL, &stream, &error), SPEECH_INVALID_REQUEST, part);
  FAILS(speech_engine_live(engine, request, NULL, &stream, &error), SPEECH_INVALID_REQUEST, part);
  FAILS(speech_engine_stream_long(engine, request, NULL, &stream, &error), SPEECH_INVALID_REQUEST, part);
  CHECK(none == NULL && stream == NULL);
  speech_request_free(request);
  speech_engine_free(engine);
}

int main(int argc, char **argv) {
  CHECK(argc == 5);
  failures(argv[2]);
  // The real bundle if the test passes it, else the fake model.
  whole(argv[1]);
  bundles(argv[2], argv[3], argv[4]);
  logs(argv[2]);
  freed_while_logging(argv[2]);
  refusals(argv[2]);
  rates_and_encodings(argv[2]);
  qualities(argv[2]);
  pronunciations(argv[2]);
  emoji(argv[2]);
  romanized_hindi(argv[2]);
  kernels(argv[2]);
  return finish();
}
