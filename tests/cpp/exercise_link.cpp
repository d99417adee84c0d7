// A second translation unit with speech.hpp, which may be of another standard: what passes between them is of
// speech.h, or an Error.

#include <speech.hpp>

void fail_in_another_translation_unit();

void fail_in_another_translation_unit() { static_cast<void>(speech::Tiers{{70, 3}}.resolve("ultra")); }
