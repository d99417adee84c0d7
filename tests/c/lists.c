// Texts, voices and tiers: functions that need no engine.
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
  const char *const *strings = speech_text_parts_strings(parts, &count);
  CHECK(count == 3);
  for (size_t i = 0; i < count; i++) {
    CHECK(strcmp(strings[i], expected[i]) == 0);
  }
  speech_text_parts_free(parts);
  OK(speech_text_split(" ", 1, 20, &parts, &error));
  CHECK(speech_text_parts_strings(parts, &count) == NULL && count == 0);
  speech_text_parts_free(parts);
  speech_text_parts_free(parts);
}

// A text in pieces. The sentences do not depend on the pieces.
static void pieces(void) {
  static const char text[] = "Dr. Smith paid $3.50. He left! \"Why?\" asked Ann.";
  static const char *const expected[] = {"Dr. Smith paid $3.50.", "He left!", "\"Why?\" asked Ann."};
  speech_segmenter *segmenter = speech_segmenter_new();
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
      const char *const *sentences = speech_text_parts_strings(parts, &count);
      for (size_t i = 0; i < count; i++) {
        CHECK(strcmp(sentences[i], expected[found++]) == 0);
      }
      speech_text_parts_free(parts);
    }
    CHECK(found == 2);
    speech_text_parts *last = NULL;
    size_t count = 0;
    FAILS(speech_segmenter_push(segmenter, "\xff", 1, &last, &error), SPEECH_INVALID_REQUEST,
          "piece is not UTF-8");
    OK(speech_segmenter_finish(segmenter, &last, &error));
    CHECK(strcmp(speech_text_parts_strings(last, &count)[0], expected[2]) == 0 && count == 1);
    speech_text_parts_free(last);
  }
  speech_segmenter_free(segmenter);
  speech_segmenter_free(segmenter);
}

static void voices(void) {
  size_t count = 0;
  const char *const *languages = speech_voices_languages(&count);
  CHECK(count == 2 && strcmp(languages[1], "hi-IN") == 0);
  const speech_voice *voices = speech_voices_list(&count);
  CHECK(count == 5 && strcmp(voices[4].id, "sofia") == 0 && strcmp(voices[4].name, "Sofia") == 0);
  CHECK(strcmp(speech_voices_default(), "aria") == 0);
  CHECK(SPEECH_SAMPLE_RATE == 22050 && SPEECH_MAX_CHARACTERS == 1000);
  // The test compares this output with the core's.
  printf("%s\n", speech_voices_json());
  CHECK(voices == speech_voices_list(&count));
}

static void catalogue(void) {
  static const uint32_t contexts[] = {70, 0, 70, 6};
  speech_tiers *tiers = NULL;
  speech_tier tier = SPEECH_TIER_ECONOMY;
  size_t count = 0;
  OK(speech_tiers_new(contexts, 2, &tiers, &error));
  const speech_tier_entry *entries = speech_tiers_entries(tiers, &count);
  CHECK(count == 4);
  CHECK(entries[1].tier == SPEECH_TIER_TURBO && entries[1].rate_micros == 100 && !entries[1].available);
  CHECK(entries[1].latency_ms == 320 && entries[3].latency_ms == 1120 && entries[2].available);
  CHECK(entries[1].rate_usd_per_second > 0.0000999 && entries[1].rate_usd_per_second < 0.0001001);
  CHECK(entries[3].left_context == 70 && entries[3].right_context == 13);
  CHECK(speech_tier_default() == SPEECH_TIER_STANDARD);
  OK(speech_tiers_resolve(tiers, "ultra", &tier, &error));
  CHECK(tier == SPEECH_TIER_ULTRA);
  FAILS(speech_tiers_resolve(tiers, "turbo", &tier, &error), SPEECH_INVALID_TIER, "\"turbo\"");
  FAILS(speech_tiers_resolve(tiers, "best", &tier, &error), SPEECH_INVALID_TIER, "\"best\"");
  FAILS(speech_tiers_resolve(tiers, "\xff", &tier, &error), SPEECH_INVALID_REQUEST, "not UTF-8");
  CHECK(tier == SPEECH_TIER_ULTRA);

  const speech_tier *ranked = speech_tiers_ranked(tiers, SPEECH_USE_CASE_WHOLE_UTTERANCE, &count);
  CHECK(count == 2 && ranked[0] == SPEECH_TIER_STANDARD && ranked[1] == SPEECH_TIER_ULTRA);
  ranked = speech_tiers_ranked(tiers, SPEECH_USE_CASE_MID_SENTENCE, &count);
  CHECK(count == 2 && ranked[0] == SPEECH_TIER_ULTRA && ranked[1] == SPEECH_TIER_STANDARD);
  CHECK(speech_tiers_ranked(tiers, 77, &count) == NULL && count == 0);
  // The test compares this output with the core's.
  printf("%s\n", speech_tiers_json(tiers));
  speech_tiers_free(tiers);
  speech_tiers_free(tiers);
}

static void tier(void) {
  uint64_t micros = 0;
  CHECK(strcmp(speech_tier_name(SPEECH_TIER_ECONOMY), "economy") == 0);
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
    CHECK(speech_tier_name(none[i]) == NULL);
    FAILS(speech_tier_charge(none[i], 1, &micros, &error), SPEECH_INVALID_TIER, "does not exist");
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
