// Texts, voices and tiers: what needs no engine.
#include "check.h"

static void texts(void) {
  size_t count = 0;
  OK(speech_text_characters("naïve", SPEECH_NUL_TERMINATED, &count, &error));
  CHECK(count == 5);
  OK(speech_text_characters("naïve", 4, &count, &error));
  CHECK(count == 3);
  OK(speech_text_characters(NULL, 0, &count, &error));
  CHECK(count == 0);
  FAILS(speech_text_characters(NULL, SPEECH_NUL_TERMINATED, &count, &error), SPEECH_INVALID_REQUEST,
        "text is NULL");
  FAILS(speech_text_characters("a", SIZE_MAX - 1, &count, &error), SPEECH_INVALID_REQUEST,
        "length of text is out of range");
  FAILS(speech_text_characters("a\0b", 3, &count, &error), SPEECH_INVALID_REQUEST,
        "NUL character at byte 1");
  FAILS(speech_text_characters("na\xc3", 3, &count, &error), SPEECH_INVALID_REQUEST,
        "not UTF-8 at byte 2");

  static const char *const expected[] = {"One sentence.", "And a second one,", "with a clause."};
  speech_text_parts *parts = NULL;
  OK(speech_text_split("One sentence. And a second one, with a clause.", SPEECH_NUL_TERMINATED, 20,
                       &parts, &error));
  OK(speech_text_parts_count(parts, &count, &error));
  CHECK(count == 3);
  for (size_t i = 0; i < count; i++) {
    const char *part = NULL;
    OK(speech_text_parts_get(parts, i, &part, &error));
    CHECK(strcmp(part, expected[i]) == 0);
  }
  speech_text_parts_free(parts);
  OK(speech_text_split(" ", 1, 20, &parts, &error));
  OK(speech_text_parts_count(parts, &count, &error));
  CHECK(count == 0);
  speech_text_parts_free(parts);
  speech_text_parts_free(parts);
}

// A text in pieces: sentences as they are decided, whatever the pieces.
static void pieces(void) {
  static const char text[] = "Dr. Smith paid $3.50. He left! \"Why?\" asked Ann.";
  static const char *const expected[] = {"Dr. Smith paid $3.50.", "He left!", "\"Why?\" asked Ann."};
  speech_segmenter *segmenter = NULL;
  OK(speech_segmenter_new(&segmenter, &error));
  for (size_t length = 1; length < sizeof text; length += 5) {
    size_t found = 0;
    for (size_t at = 0; at < sizeof text; at += length) {
      speech_text_parts *parts = NULL;
      size_t count = 0;
      size_t rest = sizeof text - 1 - at;
      if (rest == 0) {
        break;
      }
      OK(speech_segmenter_push(segmenter, text + at, rest < length ? rest : length, &parts, &error));
      OK(speech_text_parts_count(parts, &count, &error));
      for (size_t i = 0; i < count; i++) {
        const char *sentence = NULL;
        OK(speech_text_parts_get(parts, i, &sentence, &error));
        CHECK(strcmp(sentence, expected[found++]) == 0);
      }
      speech_text_parts_free(parts);
    }
    CHECK(found == 2);
    speech_text_parts *last = NULL;
    const char *sentence = NULL;
    FAILS(speech_segmenter_push(segmenter, "\xff", 1, &last, &error), SPEECH_INVALID_REQUEST,
          "piece is not UTF-8");
    OK(speech_segmenter_finish(segmenter, &last, &error));
    OK(speech_text_parts_get(last, 0, &sentence, &error));
    CHECK(strcmp(sentence, expected[2]) == 0);
    FAILS(speech_text_parts_get(last, 1, &sentence, &error), SPEECH_INVALID_REQUEST, "no part 1");
    speech_text_parts_free(last);
  }
  speech_segmenter_free(segmenter);
  speech_segmenter_free(segmenter);
}

static void voices(void) {
  speech_voices *voices = NULL;
  const char *string = NULL;
  const char *name = NULL;
  size_t count = 0;
  uint32_t rate = 0;
  OK(speech_voices_new(&voices, &error));
  OK(speech_voices_language_count(voices, &count, &error));
  CHECK(count == 2);
  OK(speech_voices_language(voices, 1, &string, &error));
  CHECK(strcmp(string, "hi-IN") == 0);
  OK(speech_voices_count(voices, &count, &error));
  CHECK(count == 5);
  OK(speech_voices_get(voices, 4, &string, &name, &error));
  CHECK(strcmp(string, "sofia") == 0 && strcmp(name, "Sofia") == 0);
  OK(speech_voices_get(voices, 4, NULL, NULL, &error));
  OK(speech_voices_default(voices, &string, &error));
  CHECK(strcmp(string, "aria") == 0);
  OK(speech_voices_sample_rate(voices, &rate, &error));
  CHECK(rate == SPEECH_SAMPLE_RATE && rate == 22050);
  OK(speech_voices_max_characters(voices, &count, &error));
  CHECK(count == SPEECH_MAX_CHARACTERS && count == 1000);
  // Read by the test, which compares it with the core's.
  OK(speech_voices_json(voices, &string, &error));
  printf("%s\n", string);
  speech_voices_free(voices);
  speech_voices_free(voices);
}

static void catalogue(void) {
  static const uint32_t contexts[] = {70, 0, 70, 6};
  speech_tiers *tiers = NULL;
  const char *json = NULL;
  speech_tier tier = SPEECH_TIER_ECONOMY;
  size_t count = 0;
  OK(speech_tiers_new(contexts, 2, &tiers, &error));
  OK(speech_tiers_count(tiers, &count, &error));
  CHECK(count == 4);
  uint32_t micros = 0;
  uint32_t latency = 0;
  double rate = 0;
  bool available = false;
  OK(speech_tiers_get(tiers, 1, &tier, &micros, &rate, &latency, &available, &error));
  CHECK(tier == SPEECH_TIER_TURBO && micros == 100 && latency == 320 && !available);
  CHECK(rate > 0.0000999 && rate < 0.0001001);
  OK(speech_tiers_default(tiers, &tier, &error));
  CHECK(tier == SPEECH_TIER_STANDARD);
  OK(speech_tiers_resolve(tiers, "ultra", &tier, &error));
  CHECK(tier == SPEECH_TIER_ULTRA);
  FAILS(speech_tiers_resolve(tiers, "turbo", &tier, &error), SPEECH_INVALID_TIER, "\"turbo\"");
  FAILS(speech_tiers_resolve(tiers, "best", &tier, &error), SPEECH_INVALID_TIER, "\"best\"");
  FAILS(speech_tiers_resolve(tiers, "\xff", &tier, &error), SPEECH_INVALID_REQUEST, "not UTF-8");
  CHECK(tier == SPEECH_TIER_ULTRA);

  speech_tier ranked[4] = {0, 0, 0, 0};
  OK(speech_tiers_ranked(tiers, SPEECH_USE_CASE_WHOLE_UTTERANCE, ranked, 4, &count, &error));
  CHECK(count == 2 && ranked[0] == SPEECH_TIER_STANDARD && ranked[1] == SPEECH_TIER_ULTRA);
  CHECK(ranked[2] == 0);
  OK(speech_tiers_ranked(tiers, SPEECH_USE_CASE_MID_SENTENCE, ranked, 1, &count, &error));
  CHECK(count == 2 && ranked[0] == SPEECH_TIER_ULTRA && ranked[1] == SPEECH_TIER_ULTRA);
  OK(speech_tiers_ranked(tiers, SPEECH_USE_CASE_OTHER, NULL, 0, &count, &error));
  FAILS(speech_tiers_ranked(tiers, SPEECH_USE_CASE_OTHER, NULL, 1, &count, &error),
        SPEECH_INVALID_REQUEST, "ranked is NULL");
  FAILS(speech_tiers_ranked(tiers, 77, ranked, 4, &count, &error), SPEECH_INVALID_REQUEST, "77");
  // Read by the test, which compares it with the core's.
  OK(speech_tiers_json(tiers, &json, &error));
  printf("%s\n", json);
  speech_tiers_free(tiers);
  speech_tiers_free(tiers);
}

static void tier(void) {
  const char *name = NULL;
  uint32_t left = 0;
  uint32_t right = 0;
  uint32_t milliseconds = 0;
  uint64_t micros = 0;
  OK(speech_tier_name(SPEECH_TIER_ECONOMY, &name, &error));
  CHECK(strcmp(name, "economy") == 0);
  OK(speech_tier_att_context_size(SPEECH_TIER_ECONOMY, &left, &right, &error));
  CHECK(left == 70 && right == 13);
  OK(speech_tier_lookahead_ms(SPEECH_TIER_ECONOMY, &milliseconds, &error));
  CHECK(milliseconds == 1120);
  OK(speech_tier_charge(SPEECH_TIER_STANDARD, UINT64_C(3600000000000), &micros, &error));
  CHECK(micros == 219600);
  OK(speech_tier_charge(SPEECH_TIER_ULTRA, UINT64_MAX, &micros, &error));
  CHECK(micros == UINT64_C(2564097426246));
  OK(speech_tier_charge_samples(SPEECH_TIER_ECONOMY, 22051, 22050, &micros, &error));
  CHECK(micros == 43);
  FAILS(speech_tier_charge_samples(SPEECH_TIER_ULTRA, UINT64_MAX, 1, &micros, &error),
        SPEECH_INVALID_REQUEST, "does not fit");
  FAILS(speech_tier_charge_samples(SPEECH_TIER_ULTRA, 1, 0, &micros, &error),
        SPEECH_INVALID_REQUEST, "sample rate is 0");
  static const speech_tier none[] = {0, 5, -1};
  for (size_t i = 0; i < 3; i++) {
    FAILS(speech_tier_name(none[i], &name, &error), SPEECH_INVALID_TIER, "does not exist");
    FAILS(speech_tier_att_context_size(none[i], &left, &right, &error), SPEECH_INVALID_TIER, "");
    FAILS(speech_tier_lookahead_ms(none[i], &milliseconds, &error), SPEECH_INVALID_TIER, "");
    FAILS(speech_tier_charge(none[i], 1, &micros, &error), SPEECH_INVALID_TIER, "");
    FAILS(speech_tier_charge_samples(none[i], 1, 1, &micros, &error), SPEECH_INVALID_TIER, "");
  }
  CHECK(micros == 43);
}

int main(void) {
  texts();
  pieces();
  voices();
  catalogue();
  tier();
  return finish();
}
