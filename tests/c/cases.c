// Executes the command on each line of standard input, and prints its result. The commands are the
// table of cases, which tests every language. Usage: `cases BUNDLE FAKE_MODEL`.
//
//   request JSON          speaks the request as a whole
//   stream JSON           streams the request by sentences
//   split MAX TEXT        splits a text into parts
//   tier NAME LEFT RIGHT  resolves a tier for a deployment that can run these contexts
//   charge TIER NANOSECONDS
//   pronounce WORDS READING   adds an entry to an engine's lexicon; WORDS contains no space
//
// The library logs at the most detailed level: no line may contain the secret word.
#include "check.h"

#include <inttypes.h>

static void print_error(void) {
  printf("%s: %s\n", speech_error_type(error), speech_error_message(error));
  speech_error_free(error);
  error = NULL;
}

// FNV-1a, which the test also computes from the core's results.
#define FNV_START UINT64_C(0xcbf29ce484222325)

static uint64_t digest(uint64_t hash, const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  }
  return hash;
}

static uint64_t digest_text(uint64_t hash, const char *text) {
  return digest(hash, (const uint8_t *)text, strlen(text));
}

static uint64_t digest_span(uint64_t hash, speech_span span) {
  const uint64_t both[] = {span.begin, span.end};
  return digest(hash, (const uint8_t *)both, sizeof both);
}

static uint64_t digest_times(uint64_t hash, double start, double end) {
  const double both[] = {start, end};
  return digest(hash, (const uint8_t *)both, sizeof both);
}

// Adds all timestamps of an audio object to the hash.
static uint64_t digest_timings(uint64_t hash, const speech_audio *audio) {
  size_t count = 0;
  const speech_word *words = speech_audio_words(audio, &count);
  for (size_t i = 0; i < count; i++) {
    hash = digest_times(digest_span(hash, words[i].span), words[i].start_seconds, words[i].end_seconds);
  }
  const speech_phoneme *phonemes = speech_audio_phonemes(audio, &count);
  for (size_t i = 0; i < count; i++) {
    hash = digest_span(digest_text(hash, phonemes[i].ipa), phonemes[i].span);
    hash = digest_times(hash, phonemes[i].start_seconds, phonemes[i].end_seconds);
  }
  const speech_viseme *visemes = speech_audio_visemes(audio, &count);
  for (size_t i = 0; i < count; i++) {
    hash = digest_times(digest_text(hash, visemes[i].name), visemes[i].start_seconds, visemes[i].end_seconds);
  }
  const speech_sentence *sentences = speech_audio_sentences(audio, &count);
  for (size_t i = 0; i < count; i++) {
    hash = digest_times(digest_span(hash, sentences[i].span), sentences[i].start_seconds, sentences[i].end_seconds);
  }
  const speech_mark *marks = speech_audio_marks(audio, &count);
  for (size_t i = 0; i < count; i++) {
    hash = digest_times(digest_text(hash, marks[i].name), marks[i].seconds, marks[i].seconds);
  }
  return hash;
}

static void speak(speech_engine *engine, const char *json) {
  speech_request *request = NULL;
  speech_audio *audio = NULL;
  if (speech_request_from_json(json, strlen(json), &request, &error) != SPEECH_OK ||
      speech_engine_synthesize(engine, request, NULL, &audio, &error) != SPEECH_OK) {
    print_error();
  } else {
    size_t length = 0;
    size_t skipped = 0;
    const uint8_t *wav = speech_audio_wav(audio, &length);
    size_t characters = speech_audio_characters(audio);
    speech_audio_diagnostics(audio, &skipped);
    printf("%zu characters, %zu skipped, %016" PRIx64 ", %016" PRIx64 "\n", characters, skipped,
           digest(FNV_START, wav, length), digest_timings(FNV_START, audio));
  }
  speech_audio_free(audio);
  speech_request_free(request);
}

static void stream(speech_engine *engine, const char *json) {
  speech_request *request = NULL;
  speech_stream *made = NULL;
  speech_audio *chunk = NULL;
  if (speech_request_from_json(json, strlen(json), &request, &error) != SPEECH_OK ||
      speech_engine_stream(engine, request, NULL, &made, &error) != SPEECH_OK) {
    print_error();
  } else {
    uint64_t hash = FNV_START;
    uint64_t timings = FNV_START;
    size_t skipped = 0;
    speech_status status = SPEECH_OK;
    while ((status = speech_stream_next(made, &chunk, &error)) == SPEECH_OK) {
      size_t length = 0;
      const uint8_t *bytes = speech_audio_bytes(chunk, &length);
      hash = digest(hash, bytes, length);
      timings = digest_timings(timings, chunk);
      speech_audio_free(chunk);
    }
    CHECK(status == SPEECH_END && error == NULL);
    size_t characters = speech_stream_characters(made);
    speech_stream_diagnostics(made, &skipped);
    printf("%zu characters, %zu skipped, %016" PRIx64 ", %016" PRIx64 "\n", characters, skipped, hash, timings);
  }
  speech_stream_free(made);
  speech_request_free(request);
}

static void split(const char *arguments) {
  char *text = NULL;
  const size_t max_characters = (size_t)strtoul(arguments, &text, 10);
  speech_text_parts *parts = NULL;
  size_t count = 0;
  OK(speech_text_split(text + 1, SPEECH_NUL_TERMINATED, max_characters, &parts, &error));
  const char *const *strings = speech_text_parts_strings(parts, &count);
  for (size_t i = 0; i < count; i++) {
    printf("[%s]", strings[i]);
  }
  printf("\n");
  speech_text_parts_free(parts);
}

static speech_status resolve(const char *name, const uint32_t *contexts, size_t count,
                             speech_tier *tier) {
  speech_tiers *tiers = NULL;
  OK(speech_tiers_new(contexts, count, &tiers, &error));
  speech_status status = speech_tiers_resolve(tiers, name, tier, &error);
  speech_tiers_free(tiers);
  return status;
}

static void resolve_tier(char *arguments) {
  const char *name = strtok(arguments, " ");
  uint32_t contexts[16];
  size_t count = 0;
  for (const char *number = strtok(NULL, " "); number != NULL; number = strtok(NULL, " ")) {
    CHECK(count < 16);
    contexts[count++] = (uint32_t)strtoul(number, NULL, 10);
  }
  speech_tier tier = 0;
  if (resolve(name, contexts, count / 2, &tier) != SPEECH_OK) {
    print_error();
    return;
  }
  printf("%s\n", speech_tier_name(tier));
}

static void charge(char *arguments) {
  static const uint32_t all[] = {70, 0, 70, 3, 70, 6, 70, 13};
  const char *name = strtok(arguments, " ");
  const char *nanoseconds = strtok(NULL, " ");
  speech_tier tier = 0;
  uint64_t micros = 0;
  CHECK(nanoseconds != NULL);
  CHECK(resolve(name, all, 4, &tier) == SPEECH_OK);
  OK(speech_tier_charge(tier, strtoull(nanoseconds, NULL, 10), &micros, &error));
  printf("%" PRIu64 "\n", micros);
}

static void pronounce(char *arguments) {
  char *reading = strchr(arguments, ' ');
  CHECK(reading != NULL);
  *reading++ = '\0';
  speech_engine_options *options = speech_engine_options_new();
  CHECK(speech_engine_options_add_pronunciation(options, arguments, reading, &error) != SPEECH_OK);
  print_error();
  speech_engine_options_free(options);
}

// The number of log messages.
static _Atomic size_t logged;

static void on_log(void *userdata, speech_log_level level, const char *message) {
  (void)userdata;
  (void)level;
  logged++;
  CHECK(strstr(message, "ZQXMARKER") == NULL);
}

static speech_engine *load_with_log(const char *bundle) {
  speech_engine *engine = NULL;
  speech_engine_options *options = speech_engine_options_new();
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  OK(speech_engine_options_set_threads(options, 1, &error));
  OK(speech_engine_options_set_log_callback(options, on_log, NULL, SPEECH_LOG_DEBUG, &error));
  OK(speech_engine_load(options, &engine, &error));
  speech_engine_options_free(options);
  return engine;
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  speech_engine *engine = load_with_log(argv[2]);
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *arguments = strchr(line, ' ');
    CHECK(arguments != NULL);
    *arguments++ = '\0';
    if (strcmp(line, "request") == 0) {
      speak(engine, arguments);
    } else if (strcmp(line, "stream") == 0) {
      stream(engine, arguments);
    } else if (strcmp(line, "split") == 0) {
      split(arguments);
    } else if (strcmp(line, "tier") == 0) {
      resolve_tier(arguments);
    } else if (strcmp(line, "pronounce") == 0) {
      pronounce(arguments);
    } else {
      CHECK(strcmp(line, "charge") == 0);
      charge(arguments);
    }
  }
  CHECK(logged > 0);
  speech_engine_free(engine);
  return finish();
}
