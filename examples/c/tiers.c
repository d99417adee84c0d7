// The latency tiers of the audio-to-text side: what a deployment offers, and what it charges. It needs no
// voices.
//
//     tiers [TIER] [SECONDS]

#include <inttypes.h>
#include <speech.h>
#include <stdio.h>
#include <stdlib.h>

// What this deployment can run: pairs of left and right context, in encoder frames.
static const uint32_t CONTEXTS[] = {70, 3, 70, 6};

static bool print_catalogue(const speech_tiers *tiers, speech_error **error) {
  size_t count = 0;
  if (speech_tiers_count(tiers, &count, error) != SPEECH_OK) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    speech_tier tier = 0;
    double usd = 0;
    uint32_t latency_ms = 0;
    bool available = false;
    const char *name = NULL;
    if (speech_tiers_get(tiers, i, &tier, NULL, &usd, &latency_ms, &available, error) != SPEECH_OK ||
        speech_tier_name(tier, &name, error) != SPEECH_OK) {
      return false;
    }
    printf("%-8s  %4" PRIu32 " ms  %.6f USD a second  %s\n", name, latency_ms, usd,
           available ? "available" : "not available");
  }
  return true;
}

static bool print_ranked(const speech_tiers *tiers, speech_use_case use, speech_error **error) {
  speech_tier ranked[8];
  const size_t capacity = sizeof ranked / sizeof *ranked;
  size_t count = 0;
  if (speech_tiers_ranked(tiers, use, ranked, capacity, &count, error) != SPEECH_OK) {
    return false;
  }
  printf("while a person waits in mid-sentence:");
  for (size_t i = 0; i < count && i < capacity; i++) {
    const char *name = NULL;
    if (speech_tier_name(ranked[i], &name, error) != SPEECH_OK) {
      return false;
    }
    printf(" %s", name);
  }
  printf("\n");
  return true;
}

// The tier that was asked for, or a refusal: never another tier in its place.
static bool print_charge(const speech_tiers *tiers, const char *name, uint64_t seconds,
                         speech_error **error) {
  speech_tier tier = 0;
  uint64_t micros = 0;
  if (speech_tiers_resolve(tiers, name, &tier, error) != SPEECH_OK ||
      speech_tier_charge(tier, seconds * 1000000000, &micros, error) != SPEECH_OK) {
    return false;
  }
  printf("%" PRIu64 " s in %s: %" PRIu64 " millionths of a US dollar\n", seconds, name, micros);
  return true;
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "turbo";
  const char *number = argc > 2 ? argv[2] : "60";
  char *end = NULL;
  const long seconds = strtol(number, &end, 10);
  if (argc > 3 || end == number || *end != '\0' || seconds < 0 || seconds > INT32_MAX) {
    fprintf(stderr, "usage: tiers [TIER] [SECONDS]\n");
    return 2;
  }

  speech_tiers *tiers = NULL;
  speech_error *error = NULL;
  const bool ok = SPEECH_ABI_CHECK(&error) == SPEECH_OK &&
                  speech_tiers_new(CONTEXTS, 2, &tiers, &error) == SPEECH_OK &&
                  print_catalogue(tiers, &error) &&
                  print_ranked(tiers, SPEECH_USE_CASE_MID_SENTENCE, &error) &&
                  print_charge(tiers, name, (uint64_t)seconds, &error);
  if (!ok) {
    fprintf(stderr, "%s\n", speech_error_json(error));
  }
  speech_error_free(error);
  speech_tiers_free(tiers);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
