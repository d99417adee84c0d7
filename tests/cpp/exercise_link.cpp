// A second translation unit with speech.hpp, possibly in another C++ standard. The two exchange
// only types of speech.h, and Error.

#include <speech.hpp>

void fail_in_another_translation_unit();

void fail_in_another_translation_unit() { static_cast<void>(speech::Tiers{{70, 3}}.resolve("ultra")); }
