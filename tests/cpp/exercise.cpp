// Tests all of speech.hpp with the fake model. The argument is the path of its bundle as a tar
// file.
//
// Compile it as C++17 and as C++20; exercise_link.cpp may use the other standard.

#include <speech.hpp>
#include <speech.hpp>

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>
#ifdef __cpp_lib_ranges
#include <ranges>
#endif

using namespace std::chrono_literals;
using speech::Status;

void fail_in_another_translation_unit();

namespace {

int failures = 0;
std::string tar;

#define CHECK(condition) check(static_cast<bool>(condition), #condition, __LINE__)
#define THROWS(expected, expression) \
  check(thrown([&] { static_cast<void>(expression); }) == (expected), #expression, __LINE__)

void check(bool condition, const char *what, int line) {
  if (!condition) {
    std::fprintf(stderr, "exercise.cpp:%d: %s\n", line, what);
    ++failures;
  }
}

/// The status that a callable throws, after checking all fields of the error; `ok` if it throws
/// nothing.
template <class Callable>
Status thrown(Callable callable) {
  try {
    callable();
    return Status::ok;
  } catch (const speech::Error &error) {
    CHECK(!error.message().empty() && error.message() == error.what());
    CHECK(error.type() == speech::status_type(error.status()));
    return error.status();
  }
}

// ---- Code that must not compile, and moves.

template <class T, class = void>
struct samples_of_temporary : std::false_type {};
template <class T>
struct samples_of_temporary<T, std::void_t<decltype(std::declval<T>().samples())>> : std::true_type {};
template <class T, class = void>
struct floats_of_temporary : std::false_type {};
template <class T>
struct floats_of_temporary<T, std::void_t<decltype(std::declval<T>().samples_f32())>> : std::true_type {};
template <class T, class = void>
struct wav_of_temporary : std::false_type {};
template <class T>
struct wav_of_temporary<T, std::void_t<decltype(std::declval<T>().wav())>> : std::true_type {};

static_assert(samples_of_temporary<speech::Audio &>::value && floats_of_temporary<speech::Audio &>::value);
static_assert(!samples_of_temporary<speech::Audio>::value);
static_assert(!samples_of_temporary<const speech::Audio>::value);
static_assert(!floats_of_temporary<speech::Audio>::value && !wav_of_temporary<speech::Audio>::value);

template <class T>
constexpr bool moves_only = std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T> &&
                            !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>;
template <class... Types>
constexpr bool move_only = (moves_only<Types> && ...);
static_assert(move_only<speech::Engine, speech::EngineOptions, speech::Request, speech::Audio, speech::Stream, speech::CancelToken, speech::Tiers>);
static_assert(std::is_nothrow_copy_constructible_v<speech::Error>);
static_assert(!std::is_convertible_v<std::string_view, speech::Request>);
#ifdef __cpp_lib_ranges
static_assert(std::ranges::input_range<speech::Stream>);
static_assert(std::is_same_v<std::ranges::range_reference_t<speech::Stream>, speech::Audio &>);
#endif

const char *const four = "One two. Three four. Five six. Seven eight.";

speech::Engine load() { return speech::Engine::load(speech::EngineOptions().bundle_path(tar).threads(1)); }

std::vector<std::uint8_t> read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void versions() {
  CHECK(speech::version() == SPEECH_VERSION);
  CHECK(speech::abi_version() == SPEECH_ABI_MAJOR * 65536u + SPEECH_ABI_MINOR);
  CHECK(speech::bundle_format_version() == 7);
  speech::check_abi();
}

void statuses() {
  using Row = std::pair<Status, std::string_view>;
  const std::array<Row, 15> rows{{
      {Status::ok, "ok"},
      {Status::empty_text, "empty_text"},
      {Status::text_too_long, "text_too_long"},
      {Status::invalid_request, "invalid_request"},
      {Status::invalid_tier, "invalid_tier"},
      {Status::unauthorized, "unauthorized"},
      {Status::not_found, "not_found"},
      {Status::method_not_allowed, "method_not_allowed"},
      {Status::request_too_large, "request_too_large"},
      {Status::unsupported_media_type, "unsupported_media_type"},
      {Status::overloaded, "overloaded"},
      {Status::model_error, "model_error"},
      {Status::internal, "internal"},
      {Status::cancelled, "cancelled"},
      {Status::end, "end"},
  }};
  for (const auto &[status, type] : rows) {
    CHECK(speech::status_type(status) == type);
  }
  // A kind of the library that Status lacks would be an extra row here.
  std::size_t known = 0;
  for (std::int32_t number = -1; number <= 1000; ++number) {
    known += !speech::status_type(static_cast<Status>(number)).empty();
  }
  CHECK(known == rows.size());
}

void errors() {
  try {
    speech::Request("  ").validate();
    CHECK(false);
  } catch (const speech::Error &error) {
    const speech::Error copy = error;
    CHECK(copy.status() == Status::empty_text && copy.type() == "empty_text");
    CHECK(copy.request_id().size() == 36 && !copy.retryable());
    CHECK(copy.json().find(copy.request_id()) != std::string_view::npos);
    CHECK(std::strlen(copy.json().data()) == copy.json().size());
  }
  try {
    speech::Engine::load(speech::EngineOptions().bundle_path("/nonexistent"));
    CHECK(false);
  } catch (const speech::Error &error) {
    CHECK(error.detail() == "file_missing");
    CHECK(std::filesystem::path(error.path()) == std::filesystem::path("/nonexistent") / "bundle.json");
    CHECK(error.advice() == "check_bundle_path");
  }
  const speech::Error own(Status::overloaded, "later");
  CHECK(own.detail().empty() && own.path().empty() && own.advice().empty());
  CHECK(own.type() == "overloaded" && own.message() == "later" && own.request_id().empty());
  CHECK(own.json().empty() && !own.retryable());
  const speech::Error unknown(static_cast<Status>(999), "new");
  CHECK(unknown.type().empty() && unknown.status() == static_cast<Status>(999));
  THROWS(Status::invalid_tier, fail_in_another_translation_unit());
  try {
    throw own;
  } catch (const std::runtime_error &error) {
    CHECK(error.what() == std::string("later"));
  }
}

void requests() {
  auto request = speech::Request("Hello.").language("en-US").voice("leo");
  CHECK(request.validate() == 6);
  // An unknown name fails at once, and changes nothing.
  THROWS(Status::invalid_request, request.voice("nobody"));
  THROWS(Status::invalid_request, request.language("xx-XX"));
  request.voice("sofia").language("hi-IN");
  CHECK(request.validate() == 6);

  CHECK(speech::Request::from_json(R"({"text": "नमस्ते", "language": "hi-IN"})").validate() == 6);
  THROWS(Status::invalid_request, speech::Request::from_json("{"));
  THROWS(Status::empty_text, speech::Request("").validate());
  THROWS(Status::empty_text, speech::Request(std::string_view()).validate());
  THROWS(Status::text_too_long, speech::Request(std::string(1001, 'a')).validate());
  THROWS(Status::invalid_request, speech::Request("\xff"));
  THROWS(Status::invalid_request, speech::Request(std::string_view("a\0b", 3)));
  // The text is not truncated at the NUL character.
  THROWS(Status::invalid_request, request.voice(std::string_view("leo\0x", 5)));
  THROWS(Status::invalid_request, request.language("\xff"));
  CHECK(request.validate() == 6);
}

void texts() {
  CHECK(speech::count_characters("") == 0 && speech::count_characters("a👋") == 2);
  THROWS(Status::invalid_request, speech::count_characters("\xff"));
  CHECK(speech::split_text("").empty());
  CHECK((speech::split_text("One. Two.", 5) == std::vector<std::string>{"One.", "Two."}));
  CHECK(speech::split_text(std::string(2500, 'a')).size() == 3);
  const speech::TextSpan span{2, 4};
  CHECK(span.in("abcdef") == "cd" && span.in("abc") == "c" && span.in("").empty());
}

void pieces() {
  speech::Segmenter segmenter;
  CHECK(segmenter.push("Dr").empty() && segmenter.push(". Smith paid $3").empty());
  CHECK(segmenter.push(".50. He") == std::vector<std::string>{"Dr. Smith paid $3.50."});
  THROWS(Status::invalid_request, segmenter.push("\xff"));
  CHECK(segmenter.finish() == std::vector<std::string>{"He"} && segmenter.finish().empty());
}

void listing() {
  const auto languages = speech::languages();
  CHECK((languages == std::vector<std::string>{"en-US", "hi-IN"}) ||
        (languages == std::vector<std::string>{"hi-IN", "en-US"}));
  const auto voices = speech::voices();
  CHECK(voices.size() == 5 && voices.front().id == "aria" && voices.front().name == "Aria");
  CHECK(speech::default_voice() == "aria");
  CHECK(speech::voices_json().find("\"default_voice\"") != std::string_view::npos);
}

void tiers() {
  using speech::Tier;
  using speech::UseCase;
  const speech::Tiers tiers{{70, 3}, {70, 6}};
  const auto entries = tiers.entries();
  CHECK(entries.size() == 4 && entries[0].tier == Tier::ultra && !entries[0].available);
  CHECK(entries[1].available && entries[1].rate_micros == 100 && entries[1].latency == 320ms);
  CHECK(std::abs(entries[1].rate_usd_per_second - 0.0001) < 1e-12);
  CHECK(tiers.resolve("turbo") == Tier::turbo);
  THROWS(Status::invalid_tier, tiers.resolve("ultra"));
  THROWS(Status::invalid_tier, tiers.resolve("warp"));
  THROWS(Status::invalid_request, tiers.resolve(std::string_view("turbo\0", 6)));
  CHECK((tiers.ranked(UseCase::mid_sentence) == std::vector<Tier>{Tier::turbo, Tier::standard}));
  for (const auto use : {UseCase::whole_utterance, UseCase::nothing_waits, UseCase::other}) {
    CHECK(tiers.ranked(use).size() == 2);
  }
  CHECK(tiers.ranked(static_cast<UseCase>(9)).empty());
  CHECK(tiers.json().find("\"default\"") != std::string::npos);

  const std::vector<speech::AttContext> one{{70, 0}};
  CHECK(speech::Tiers(one).resolve("ultra") == Tier::ultra);
  const speech::AttContext array[] = {{70, 13}};
  CHECK(speech::Tiers(array).resolve("economy") == Tier::economy);
  CHECK(speech::Tiers({}).ranked(UseCase::other).empty());

  CHECK(speech::tier_name(Tier::economy) == "economy" && speech::default_tier() == Tier::standard);
  CHECK(entries[2].context.left == 70 && entries[2].context.right == 6 && entries[3].latency == 1120ms);
  CHECK(speech::charge(Tier::turbo, 1min) == 6000 && speech::charge(Tier::turbo, 1ns) == 1);
  CHECK(speech::charge_samples(Tier::ultra, 16000, 16000) == 139);
  THROWS(Status::invalid_request, speech::charge(Tier::turbo, -1ns));
  THROWS(Status::invalid_request, speech::charge_samples(Tier::ultra, 1, 0));
  THROWS(Status::invalid_request, speech::charge_samples(Tier::ultra, UINT64_MAX, 1));
  CHECK(speech::tier_name(static_cast<Tier>(9)).empty());
  THROWS(Status::invalid_tier, speech::charge(static_cast<Tier>(9), 1s));
}

void audio(const speech::Engine &engine) {
  const std::string text = "Two words 👋 12.";
  const auto audio = engine.synthesize(speech::Request(text).voice("leo"));
  const auto samples = audio.samples();
  const auto floats = audio.samples_f32();
  CHECK(!samples.empty() && samples.size() == floats.size());
  CHECK(floats[samples.size() / 2] == static_cast<float>(samples[samples.size() / 2]) / 32768.0f);
  CHECK(audio.wav().size() == samples.size_bytes() + 44 && audio.wav()[0] == 'R');
  CHECK(audio.sample_rate() == 22050 && audio.characters() == 15 && audio.request_id().size() == 36);
  CHECK(std::abs(audio.duration().count() - static_cast<double>(samples.size()) / 22050) < 1e-9);
  const auto words = audio.words();
  CHECK(words.size() == 3 && words[0].span.in(text) == "Two" && words[2].span.in(text) == "12");
  CHECK(words[0].start < words[0].end && words[2].end <= audio.duration());
  CHECK(audio.span().begin == 0 && audio.span().end == text.size());
  const auto diagnostics = audio.diagnostics();
  CHECK(diagnostics.size() == 1 && diagnostics[0].kind == speech::DiagnosticKind::skipped);
  CHECK(diagnostics[0].span.in(text) == "👋");
  THROWS(Status::text_too_long, engine.synthesize(speech::Request(std::string(1001, 'a'))));
}

void events(const speech::Engine &engine) {
  const std::string text = "Two words. Then 12.";
  const auto audio = engine.synthesize(speech::Request(text).rate(0.8).pitch(1).volume(-2).read_pauses(false));
  const auto words = audio.words();
  const auto phonemes = audio.phonemes();
  CHECK(!phonemes.empty() && !phonemes[0].ipa.empty() && phonemes[0].span.in(text) == "Two");
  CHECK(std::abs((phonemes[0].start - words[0].start).count()) < 1e-9);
  const auto visemes = audio.visemes();
  CHECK(visemes.front().name == "sil" && visemes.front().azure == 0 && visemes.front().start == 0s);
  CHECK(std::abs((visemes.back().end - audio.duration()).count()) < 1e-9);
  const auto sentences = audio.sentences();
  CHECK(sentences.size() == 2 && sentences[1].span.in(text) == "Then 12." && sentences[0].end < sentences[1].start);
  const std::string ssml = "<speak>One <mark name='two'/> two.</speak>";
  const auto marks = engine.synthesize(speech::Request(ssml).ssml()).marks();
  CHECK(marks.size() == 1 && marks[0].name == "two" && marks[0].time > 0s);
  THROWS(Status::invalid_request, engine.synthesize(speech::Request(text).rate(9)));
}

void live(const speech::Engine &engine) {
  const auto whole = engine.synthesize(speech::Request(four));
  auto stream = engine.live(speech::Request(""));
  std::thread pusher([&stream] {
    for (const char *at = four; *at != '\0'; ++at) {
      stream.push(std::string_view(at, 1));
    }
    stream.flush();
    stream.finish();
  });
  std::size_t samples = 0;
  for (const speech::Audio &chunk : stream) {
    samples += chunk.samples().size();
  }
  pusher.join();
  CHECK(samples == whole.samples().size() && stream.characters() == std::strlen(four));
  CHECK(stream.heard_at(0s) == 0 && stream.heard_at(1h) > std::strlen(four) / 2);
  CHECK(!stream.is_full());
  THROWS(Status::invalid_request, stream.push("more"));

  const std::string book = std::string(four) + " " + std::string(2000, ' ') + four;
  std::size_t chunks = 0;
  for (const speech::Audio &chunk : engine.stream_long(speech::Request(book))) {
    chunks += chunk.span().end <= book.size();
  }
  CHECK(chunks == 8);
  THROWS(Status::empty_text, engine.stream_long(speech::Request(" ")));
  THROWS(Status::invalid_request, engine.stream(speech::Request(four)).push("x"));

  auto stopped = engine.live(speech::Request("And then"));
  stopped.cancel();
  THROWS(Status::cancelled, stopped.next());
  speech::CancelToken cancel;
  auto cancelled = engine.live(speech::Request("And then"), cancel);
  auto cancelled_too = engine.stream_long(speech::Request(book), cancel);
  cancel.cancel();
  THROWS(Status::cancelled, cancelled.next());
  THROWS(Status::cancelled, cancelled_too.next());
}

void streams(const speech::Engine &engine) {
  const speech::Request request(four);
  const auto whole = engine.synthesize(request);
  const std::vector<std::int16_t> expected(whole.samples().begin(), whole.samples().end());

  std::vector<std::int16_t> pulled;
  std::size_t words = 0;
  std::size_t end = 0;
  for (const speech::Audio &chunk : engine.stream(request)) {
    const auto samples = chunk.samples();
    pulled.insert(pulled.end(), samples.begin(), samples.end());
    CHECK(chunk.samples_f32().size() == samples.size());
    CHECK(chunk.span().begin >= end && chunk.span().end > chunk.span().begin);
    end = chunk.span().end;
    words += chunk.words().size();
    CHECK(chunk.wav().size() == samples.size_bytes() + 44 && chunk.duration() < whole.duration());
    CHECK(chunk.characters() == std::strlen(four) && chunk.request_id().size() == 36 && chunk.diagnostics().empty());
  }
  CHECK(pulled == expected && words == 8 && end == std::strlen(four));

  auto stream = engine.stream(request);
  CHECK(stream.characters() == std::strlen(four) && stream.request_id().size() == 36);
  CHECK(stream.diagnostics().empty() && engine.stream(speech::Request("👋 a")).diagnostics().size() == 1);
  for (int sentence = 0; sentence < 4; ++sentence) {
    CHECK(stream.next());
  }
  CHECK(!stream.next() && !stream.next() && stream.begin() == stream.end());

  // Audio outlives the stream, the engine and the iterator.
  std::vector<speech::Audio> kept;
  for (speech::Audio &chunk : engine.stream(request)) {
    kept.push_back(std::move(chunk));
  }
  std::size_t samples_kept = 0;
  for (const speech::Audio &chunk : kept) {
    samples_kept += chunk.samples().size();
  }
  CHECK(kept.size() == 4 && samples_kept == expected.size());

  // A stream that is moved during iteration.
  auto first = engine.stream(request);
  auto place = first.begin();
  const auto second = std::move(first);
  ++place;
  place++;
  CHECK(place != speech::Stream::End{} && place->span().in(four) == "Five six.");
  CHECK(!(speech::Stream::Iterator() != second.end()) && second.end() == speech::Stream::Iterator());

  // A stream without its engine and its request.
  auto orphan = [] { return load().stream(speech::Request("One. Two.")); }();
  std::size_t chunks = 0;
  while (const speech::Audio chunk = orphan.next()) {
    ++chunks;
  }
  CHECK(chunks == 2);
  THROWS(Status::empty_text, engine.stream(speech::Request(" ")));

#ifdef __cpp_lib_ranges
  std::size_t visited = 0;
  std::ranges::for_each(engine.stream(request), [&visited](const speech::Audio &) { ++visited; });
  CHECK(visited == 4);
#endif
}

void cancellation(const speech::Engine &engine) {
  const speech::Request request(four);
  speech::CancelToken cancel;
  CHECK(!cancel.is_cancelled());
  auto stream = engine.stream(request, cancel);
  CHECK(stream.next());
  std::thread([&cancel] { cancel.cancel(); }).join();
  CHECK(cancel.is_cancelled());
  cancel.cancel();
  THROWS(Status::cancelled, stream.next());
  THROWS(Status::cancelled, stream.next());
  THROWS(Status::cancelled, engine.synthesize(request, cancel));

  // During synthesis.
  std::string longest;
  while (longest.size() < 990) {
    longest += "word ";
  }
  const speech::CancelToken token;
  auto running = std::async(std::launch::async, [&] {
    return thrown([&] { engine.synthesize(speech::Request(longest), token); });
  });
  std::this_thread::sleep_for(2ms);
  token.cancel();
  CHECK(running.get() == Status::cancelled);

  // A moved-from token is not the same as no token.
  const speech::CancelToken moved = std::move(cancel);
  THROWS(Status::invalid_request, engine.synthesize(request, cancel));
  THROWS(Status::invalid_request, engine.stream(request, cancel));
  THROWS(Status::invalid_request, cancel.cancel());
  cancel = speech::CancelToken();
  CHECK(!cancel.is_cancelled() && moved.is_cancelled());
  // Destroying a token does not stop anything.
  CHECK(engine.stream(request, speech::CancelToken()).next());
}

template <class T>
void move_around(T object) {
  T &same = object;
  same = std::move(object);
  CHECK(same.handle() != nullptr && static_cast<bool>(same));
  T other = std::move(same);
  CHECK(!object && object.handle() == nullptr && other);
  object = std::move(other);
  CHECK(object && !other);
  std::swap(object, other);
  CHECK(!object && other);
  object = T(std::move(other));
  CHECK(object);
}

void moves(const speech::Engine &engine) {
  const speech::Request request("One. Two.");
  move_around(load());
  move_around(speech::EngineOptions().log([](speech::LogLevel, std::string_view) {}));
  move_around(speech::Request("Hello."));
  move_around(engine.synthesize(request));
  move_around(engine.stream(request));
  move_around(engine.stream(request).next());
  move_around(speech::CancelToken());
  move_around(speech::Tiers{{70, 3}});
}

void empties(const speech::Engine &engine) {
  const speech::Request request("Hello.");
  const speech::Engine no_engine;
  THROWS(Status::invalid_request, no_engine.threads());
  THROWS(Status::invalid_request, no_engine.synthesize(request));
  THROWS(Status::invalid_request, no_engine.stream(request));
  const speech::Audio no_audio;
  THROWS(Status::invalid_request, no_audio.samples());
  THROWS(Status::invalid_request, no_audio.bytes());
  THROWS(Status::invalid_request, no_audio.wav());
  THROWS(Status::invalid_request, no_audio.request_id());
  THROWS(Status::invalid_request, no_audio.words());
  speech::Stream no_stream;
  THROWS(Status::invalid_request, no_stream.next());
  THROWS(Status::invalid_request, no_stream.begin());
  THROWS(Status::invalid_request, no_stream.characters());
  THROWS(Status::invalid_request, no_stream.diagnostics());
  THROWS(Status::invalid_request, no_audio.span());
  speech::Request from("Hello.");
  const speech::Request to = std::move(from);
  THROWS(Status::invalid_request, from.validate());
  THROWS(Status::invalid_request, from.voice("leo"));
  THROWS(Status::invalid_request, engine.synthesize(from));
  speech::EngineOptions options;
  const speech::EngineOptions moved = std::move(options);
  THROWS(Status::invalid_request, options.threads(1));
  THROWS(Status::invalid_request, speech::Engine::load(options));
}

void options() {
  auto wrong = speech::EngineOptions().bundle_path(tar).threads(0);
  THROWS(Status::invalid_request, speech::Engine::load(wrong));
  wrong.threads(1).max_concurrency(257);
  THROWS(Status::invalid_request, speech::Engine::load(wrong));
  THROWS(Status::model_error, speech::Engine::load(speech::EngineOptions().bundle_path("/nonexistent")));
  THROWS(Status::invalid_request, speech::EngineOptions().bundle_path(std::string_view("a\0b", 3)));
  THROWS(Status::invalid_request, speech::EngineOptions().bundle_fd(-1));
  auto right = speech::EngineOptions().bundle_path(tar).max_concurrency(2);
  right.threads(2).map_bundle(false);
  CHECK(speech::Engine::load(right).threads() == 2);
}

void kernels() {
  auto named = speech::EngineOptions().bundle_path(tar).map_bundle(true).threads(1).kernels("portable").precision("fp32");
  THROWS(Status::invalid_request, named.kernels("fastest"));
  THROWS(Status::invalid_request, named.precision(""));
  const auto engine = speech::Engine::load(named);
  engine.warm_up();
  engine.trim();
  const auto request = speech::Request("Two words.").latency(speech::Latency::low);
  CHECK(engine.kernels() == "portable" && engine.precision() == "fp32");
  THROWS(Status::invalid_request, engine.synthesize(request));
  const auto audio = engine.synthesize(speech::Request("Two words."));
  CHECK(audio.kernels() == "portable" && audio.precision() == "fp32");
  CHECK(load().kernels() != "auto" && load().precision() != "auto");
  THROWS(Status::invalid_request, speech::Request("Two words.").latency(static_cast<speech::Latency>(9)));
  THROWS(Status::invalid_request, speech::Engine().warm_up());
  THROWS(Status::invalid_request, speech::Engine().trim());
  named.kernels("auto").precision("auto");
  CHECK(speech::Engine::load(named).kernels() == load().kernels());
}

// The fake model has `light` for aria in English, and `full` for all voices.
void qualities() {
  using speech::Quality;
  const auto engine = load();
  CHECK(engine.has_quality("aria", "en-US", Quality::light) && engine.has_quality("leo", "en-US", Quality::automatic));
  CHECK(!engine.has_quality("leo", "en-US", Quality::light) && !engine.has_quality("aria", "hi-IN", Quality::light));
  THROWS(Status::invalid_request, engine.has_quality("aria", "en-US", static_cast<Quality>(9)));
  THROWS(Status::invalid_request, speech::Engine().has_quality("aria", "en-US", Quality::full));
  THROWS(Status::invalid_request, speech::Request("Hi.").quality(static_cast<Quality>(9)));
  auto request = speech::Request("Two words.").quality(Quality::light);
  const auto light = engine.synthesize(request);
  const auto full = engine.synthesize(request.quality(Quality::full));
  const auto samples = full.samples();
  const auto others = light.samples();
  CHECK(!std::equal(samples.begin(), samples.end(), others.begin(), others.end()));
  request.voice("leo").quality(Quality::light);
  THROWS(Status::invalid_request, engine.synthesize(request));
  THROWS(Status::invalid_request, engine.stream(request));
  try {
    static_cast<void>(engine.live(request));
    CHECK(false);
  } catch (const speech::Error &error) {
    CHECK(error.detail() == "quality_not_in_bundle");
  }
}

void rates_and_encodings() {
  using speech::Encoding;
  const auto engine = load();
  THROWS(Status::invalid_request, speech::Request("Hi.").encoding(static_cast<Encoding>(4)));
  THROWS(Status::invalid_request, engine.synthesize(speech::Request("Hi.").sample_rate(11025)));
  const auto telephone = speech::Request("Two words.").sample_rate(8000).encoding(Encoding::mulaw);
  const auto audio = engine.synthesize(telephone);
  CHECK(audio.sample_rate() == 8000 && audio.encoding() == Encoding::mulaw);
  CHECK(audio.bytes().size() == audio.samples().size() && audio.wav()[20] == 7);
  CHECK(std::abs(audio.duration().count() - static_cast<double>(audio.samples().size()) / 8000) < 1e-9);
  std::vector<std::uint8_t> streamed;
  auto call = engine.stream(telephone);
  CHECK(call.sample_rate() == 8000 && call.encoding() == Encoding::mulaw);
  for (const speech::Audio &chunk : call) {
    streamed.insert(streamed.end(), chunk.bytes().begin(), chunk.bytes().end());
  }
  CHECK(std::equal(streamed.begin(), streamed.end(), audio.bytes().begin(), audio.bytes().end()));
  const auto floats = engine.synthesize(speech::Request("Two words.").encoding(Encoding::float32));
  CHECK(floats.sample_rate() == 22050 && floats.bytes().size() == floats.samples_f32().size_bytes());
}

void pronunciations() {
  auto named = speech::EngineOptions().bundle_path(tar).threads(1).pronunciation("kubectl", "cube control").cache(1 << 20);
  THROWS(Status::invalid_request, named.pronunciation("a", "/9/"));
  const auto engine = speech::Engine::load(named);
  const auto length = [](const speech::Engine &with, const char *text) {
    const auto audio = with.synthesize(speech::Request(text));
    return audio.samples().size();
  };
  CHECK(length(engine, "kubectl") == length(engine, "cube control"));
  CHECK(length(load(), "kubectl") != length(engine, "kubectl"));
  const auto lexicon = speech::Lexicon::parse("x\tcube");
  const auto pls = speech::Lexicon::from_pls("<lexicon version='1.0' xml:lang='en'/>");
  CHECK(lexicon.entries() == 1 && pls.entries() == 0);
  THROWS(Status::invalid_request, speech::Lexicon::parse("x"));
  const auto own = speech::Request("x y").lexicon(pls).lexicon(lexicon).pronunciation("y", "control");
  const auto with_own = engine.synthesize(own);
  CHECK(with_own.samples().size() == length(engine, "cube control"));
  const auto skipped = engine.synthesize(speech::Request("Yes \xf0\x9f\x98\x80"));
  const auto read = engine.synthesize(speech::Request("Yes \xf0\x9f\x98\x80").read_emoji());
  CHECK(skipped.diagnostics().size() == 1 && read.diagnostics().empty());
  const auto romanized = [] { return speech::Request("kal milte hain").language("hi-IN"); };
  const auto as_hindi = engine.synthesize(romanized());
  const auto as_english = engine.synthesize(romanized().read_romanized_hindi(false));
  CHECK(as_hindi.samples().size() != as_english.samples().size());
}

void bundles() {
  const speech::Request request("Hello.");
  const auto bytes = read_file(tar);
  const auto copied = speech::EngineOptions().bundle_memory(bytes);
  CHECK(speech::Engine::load(copied).synthesize(request).characters() == 6);
  THROWS(Status::model_error, speech::Engine::load(speech::EngineOptions().bundle_memory({1, 2, 3})));
  THROWS(Status::invalid_request, speech::EngineOptions().bundle_memory({}));
  {
    const auto engine = speech::Engine::load(speech::EngineOptions().bundle_view(bytes));
    CHECK(engine.synthesize(request).characters() == 6);
  }

  auto owner = std::make_shared<std::vector<std::uint8_t>>(bytes);
  const std::weak_ptr<const void> alive = owner;
  auto options = std::make_unique<speech::EngineOptions>();
  options->bundle_view(*owner, owner);
  owner.reset();
  CHECK(!alive.expired());
  auto engine = speech::Engine::load(*options);
  CHECK(engine.synthesize(request).characters() == 6);
  options.reset();
  auto stream = engine.stream(request);
  engine = speech::Engine();
  CHECK(stream.next());
  stream = speech::Stream();
  CHECK(alive.expired());

  auto refused = std::make_shared<std::vector<std::uint8_t>>();
  const std::weak_ptr<const void> unwanted = refused;
  THROWS(Status::invalid_request, speech::EngineOptions().bundle_view(*refused, refused));
  refused.reset();
  CHECK(unwanted.expired());

#ifndef _WIN32
  const int fd = open(tar.c_str(), O_RDONLY);
  auto from_fd = speech::EngineOptions().bundle_fd(fd);
  CHECK(close(fd) == 0);
  CHECK(speech::Engine::load(from_fd).synthesize(request).characters() == 6);
#endif
}

void logs() {
  const speech::Request request("Hello.");
  std::atomic<int> messages{0};
  auto witness = std::make_shared<int>(0);
  const std::weak_ptr<int> alive = witness;
  auto options = std::make_unique<speech::EngineOptions>();
  options->bundle_path(tar).log(
      [&messages, witness](speech::LogLevel level, std::string_view message) {
        CHECK(level >= speech::LogLevel::error && level <= speech::LogLevel::debug && !message.empty());
        CHECK(message.find('\n') == std::string_view::npos);
        ++messages;
        throw std::runtime_error("dropped");
      },
      speech::LogLevel::debug);
  witness.reset();
  auto engine = speech::Engine::load(*options);
  CHECK(messages > 0);
  auto silent = speech::Engine::load(options->log(nullptr));
  options.reset();
  CHECK(!alive.expired());
  const int before = messages;
  engine.synthesize(request);
  CHECK(messages > before);
  const speech::Engine moved = std::move(engine);
  moved.synthesize(request);
  CHECK(!alive.expired());
  engine = speech::Engine();
  CHECK(!alive.expired());
  const auto ignore = [](speech::LogLevel, std::string_view) {};
  THROWS(Status::invalid_request, speech::EngineOptions().log(ignore, static_cast<speech::LogLevel>(9)));

  // Engines are created and destroyed while others log.
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&request, &messages] {
      for (int round = 0; round < 3; ++round) {
        auto local = speech::Engine::load(speech::EngineOptions().bundle_path(tar).threads(1).log(
            [&messages, text = std::string(100, 'x')](speech::LogLevel, std::string_view) {
              messages += text.size() == 100;
            },
            speech::LogLevel::debug));
        local.synthesize(request);
        local = speech::Engine();
      }
    });
  }
  for (auto &thread : threads) {
    thread.join();
  }
}

void log_goes_with_its_engine() {
  auto witness = std::make_shared<int>(0);
  const std::weak_ptr<int> alive = witness;
  {
    const auto engine = speech::Engine::load(
        speech::EngineOptions().bundle_path(tar).log([witness](speech::LogLevel, std::string_view) {}));
    witness.reset();
    CHECK(!alive.expired());
  }
  CHECK(alive.expired());
}

void threads(const speech::Engine &engine) {
  const speech::Request request(four);
  const auto alone = engine.synthesize(request);
  std::vector<std::future<bool>> same;
  for (int thread = 0; thread < 4; ++thread) {
    same.push_back(std::async(std::launch::async, [&] {
      const auto audio = engine.synthesize(request);
      return audio.samples().size() == alone.samples().size() &&
             std::equal(audio.samples().begin(), audio.samples().end(), alone.samples().begin());
    }));
  }
  for (auto &result : same) {
    CHECK(result.get());
  }
}

void adopted(const speech::Engine &engine) {
  speech_audio *handle = nullptr;
  const speech::Request request("Hello.");
  CHECK(speech_engine_synthesize(engine.handle(), request.handle(), nullptr, &handle, nullptr) == SPEECH_OK);
  const speech::Audio audio(handle);
  CHECK(audio.handle() == handle && audio.characters() == 6);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: exercise BUNDLE.tar\n");
    return 2;
  }
  tar = argv[1];
  {
    versions();
    statuses();
    errors();
    requests();
    texts();
    pieces();
    listing();
    tiers();
    const auto engine = load();
    CHECK(engine.threads() == 1);
    audio(engine);
    events(engine);
    live(engine);
    streams(engine);
    cancellation(engine);
    moves(engine);
    empties(engine);
    options();
    kernels();
    qualities();
    rates_and_encodings();
    pronunciations();
    bundles();
    logs();
    log_goes_with_its_engine();
    threads(engine);
    adopted(engine);
  }
  CHECK(speech::object_count() == 0);
  if (failures == 0) {
    std::puts("all of speech.hpp works");
  }
  return failures == 0 ? 0 : 1;
}
