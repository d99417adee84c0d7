// The latency tiers of the audio-to-text side: the tiers of a deployment, and their prices.
// It needs no voices.
//
//     tiers [TIER] [SECONDS]

#include <inttypes.h>
#include <speech.h>
#include <stdio.h>
#include <stdlib.h>

// The context settings of this deployment: pairs of left and right context, in encoder frames.
static const uint32_t CONTEXTS[] = {70, 3, 70, 6};

static void print_catalogue(const speech_tiers *tiers) {
  size_t count = 0;
  const speech_tier_entry *entries = speech_tiers_entries(tiers, &count);
  for (size_t i = 0; i < count; i++) {
    printf("%-8s  %4" PRIu32 " ms  %.6f USD a second  %s\n", speech_tier_name(entries[i].tier),
           entries[i].latency_ms, entries[i].rate_usd_per_second,
           entries[i].available ? "available" : "not available");
  }
}

static void print_ranked(const speech_tiers *tiers, speech_use_case use) {
  size_t count = 0;
  const speech_tier *ranked = speech_tiers_ranked(tiers, use, &count);
  printf("while a person waits in mid-sentence:");
  for (size_t i = 0; i < count; i++) {
    printf(" %s", speech_tier_name(ranked[i]));
  }
  printf("\n");
}

// Resolves the requested tier, or fails: another tier never replaces it.
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
  bool ok = SPEECH_ABI_CHECK(&error) == SPEECH_OK && speech_tiers_new(CONTEXTS, 2, &tiers, &error) == SPEECH_OK;
  if (ok) {
    print_catalogue(tiers);
    print_ranked(tiers, SPEECH_USE_CASE_MID_SENTENCE);
    ok = print_charge(tiers, name, (uint64_t)seconds, &error);
  }
  if (!ok) {
    fprintf(stderr, "%s\n", speech_error_json(error));
  }
  speech_error_free(error);
  speech_tiers_free(tiers);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
