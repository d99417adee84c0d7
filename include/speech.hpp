/*
 * libspeech for C++: the functions of speech.h as classes. Needs C++17 and no other library. A whole program:
 *
 *   #include <speech.hpp>
 *   #include <fstream>
 *   #include <iostream>
 *
 *   int main() {
 *     try {
 *       const speech::Engine engine = speech::Engine::load();
 *       const speech::Audio audio = engine.synthesize(speech::Request("Hello, world.").voice("leo"));
 *       const auto wav = audio.wav();
 *       std::ofstream("hello.wav", std::ios::binary)
 *           .write(reinterpret_cast<const char *>(wav.data()), static_cast<std::streamsize>(wav.size()));
 *     } catch (const speech::Error &error) {
 *       std::cerr << error.type() << ": " << error.message() << '\n';
 *     }
 *   }
 *
 * CONVENTIONS, in addition to those of speech.h
 *
 * Errors. A failure throws speech::Error. The only other exception is std::bad_alloc, from functions that
 *   make a string or a vector.
 *
 * Ownership. Objects can be moved but not copied, and free what they own. They do not depend on each other: an
 *   engine may be destroyed before its streams. A type that says so may be empty, after a move or without
 *   arguments: every function of an empty object throws Status::invalid_request, and it may be assigned to.
 *   Texts are UTF-8 and are copied; samples and bytes are views that are valid while their object lives.
 *
 * Threads. As in the standard library, several threads may call const functions of one object concurrently;
 *   synthesis is const. The other functions of Stream are thread-safe too: concurrent calls of next(), and
 *   increments of an iterator, run one after another. No thread may move, assign or destroy an object that
 *   another thread is using.
 *
 * Spans are std::span if the compiler has it, else a small class with the same interface. Translation units
 *   of both kinds can be linked into one program.
 */

#ifndef SPEECH_HPP
#define SPEECH_HPP

#include <speech.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

namespace speech {

/// The cause of a failure. A newer library may have numbers that are not named here: treat them as
/// `internal`.
enum class Status : std::int32_t {
  ok = SPEECH_OK,
  empty_text = SPEECH_EMPTY_TEXT,
  text_too_long = SPEECH_TEXT_TOO_LONG,
  invalid_request = SPEECH_INVALID_REQUEST,
  invalid_tier = SPEECH_INVALID_TIER,
  unauthorized = SPEECH_UNAUTHORIZED,
  not_found = SPEECH_NOT_FOUND,
  method_not_allowed = SPEECH_METHOD_NOT_ALLOWED,
  request_too_large = SPEECH_REQUEST_TOO_LARGE,
  unsupported_media_type = SPEECH_UNSUPPORTED_MEDIA_TYPE,
  overloaded = SPEECH_OVERLOADED,
  model_error = SPEECH_MODEL_ERROR,
  internal = SPEECH_INTERNAL,
  cancelled = SPEECH_CANCELLED,
  end = SPEECH_END,
};

/// The level of a log message.
enum class LogLevel : std::int32_t {
  error = SPEECH_LOG_ERROR,
  warning = SPEECH_LOG_WARNING,
  info = SPEECH_LOG_INFO,
  debug = SPEECH_LOG_DEBUG,
};

/// The latency of the first chunk of a stream.
enum class Latency : std::int32_t {
  /// A sentence is returned when all of it is computed; the default.
  standard = SPEECH_LATENCY_STANDARD,
  /// The first half second of a long first sentence is returned before the rest is computed, and sounds
  /// slightly different.
  low = SPEECH_LATENCY_LOW,
};

/// The networks that compute the speech.
enum class Quality : std::int32_t {
  /// The best of the following that the voice bundle has for the voice and the language; the default.
  automatic = SPEECH_QUALITY_AUTO,
  /// The reference.
  full = SPEECH_QUALITY_FULL,
  /// The timings and the melody of `full`, with less computation.
  fast = SPEECH_QUALITY_FAST,
  /// The least computation.
  light = SPEECH_QUALITY_LIGHT,
};

/// The format of a sample in bytes. All encodings are converted from the same 16-bit samples.
enum class Encoding : std::int32_t {
  /// A 16-bit integer, little-endian; the default.
  pcm16 = SPEECH_ENCODING_PCM16,
  /// A 32-bit float from -1 to 1, little-endian.
  float32 = SPEECH_ENCODING_FLOAT32,
  /// The nearest 8-bit code of mu-law (ITU-T G.711).
  mulaw = SPEECH_ENCODING_MULAW,
  /// The nearest 8-bit code of A-law (ITU-T G.711).
  alaw = SPEECH_ENCODING_ALAW,
};

/// The kind of a diagnostic. A newer library may have kinds that are not named here.
enum class DiagnosticKind : std::int32_t {
  /// Characters that were not spoken, such as emoji and control characters.
  skipped = SPEECH_DIAGNOSTIC_SKIPPED,
};

/// A latency tier: how much audio lookahead an encoder may use before it commits to text.
enum class Tier : std::int32_t {
  ultra = SPEECH_TIER_ULTRA,
  turbo = SPEECH_TIER_TURBO,
  standard = SPEECH_TIER_STANDARD,
  economy = SPEECH_TIER_ECONOMY,
};

/// The use of a transcript that a tier is chosen for.
enum class UseCase : std::int32_t {
  mid_sentence = SPEECH_USE_CASE_MID_SENTENCE,
  whole_utterance = SPEECH_USE_CASE_WHOLE_UTTERANCE,
  nothing_waits = SPEECH_USE_CASE_NOTHING_WAITS,
  other = SPEECH_USE_CASE_OTHER,
};

/// The name of a status for services, such as `text_too_long`; empty for an unknown number.
inline std::string_view status_type(Status status) noexcept {
  const char *type = speech_status_type(static_cast<speech_status>(status));
  return type == nullptr ? std::string_view() : std::string_view(type);
}

/// An error. Its strings are valid while it or a copy of it lives, and end with a NUL byte.
class Error : public std::runtime_error {
public:
  /// An error made by the caller, which has no request identifier and no JSON.
  Error(Status status, const std::string &message) : std::runtime_error(message), status_(status) {}

  /// An error that a function of speech.h returned.
  explicit Error(std::shared_ptr<const speech_error> error)
      : std::runtime_error(speech_error_message(error.get())),
        status_(static_cast<Status>(speech_error_status(error.get()))), error_(std::move(error)) {}

  Status status() const noexcept { return status_; }

  /// The machine-readable type for services, such as `text_too_long`.
  std::string_view type() const noexcept {
    return error_ == nullptr ? status_type(status_) : std::string_view(speech_error_type(error_.get()));
  }

  /// The message for people: one line in English, without any part of the text. The same as what().
  std::string_view message() const noexcept { return what(); }

  /// The exact cause, as a key such as `file_damaged`; "" if there is no detail beyond the type.
  std::string_view detail() const noexcept { return speech_error_detail(error_.get()); }

  /// The file of the voice bundle at fault; "" if there is none.
  std::string_view path() const noexcept { return speech_error_path(error_.get()); }

  /// A remedy, as a key for which a program has its own words, such as `install_voices`; "" if there is
  /// none.
  std::string_view advice() const noexcept { return speech_error_advice(error_.get()); }

  /// The identifier of the failed request, a UUID, for the log.
  std::string_view request_id() const noexcept { return speech_error_request_id(error_.get()); }

  /// The error as JSON for a service's response: `{"error": {"type": ..., "message": ..., "request_id":
  /// ...}}`.
  std::string_view json() const noexcept { return speech_error_json(error_.get()); }

  /// Whether the same request may succeed later.
  bool retryable() const noexcept { return speech_error_is_retryable(error_.get()); }

private:
  Status status_;
  std::shared_ptr<const speech_error> error_;
};

// Functions with spans differ between the standards, so their symbols have different namespaces.
#ifdef __cpp_lib_span
inline namespace cxx20 {

/// A view of elements that another object owns.
template <class T>
using Span = std::span<T>;

#else
inline namespace cxx17 {

/// A view of elements that another object owns, as std::span of C++20.
template <class T>
class Span {
public:
  constexpr Span() noexcept = default;
  constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t Size>
  constexpr Span(T (&array)[Size]) noexcept : data_(array), size_(Size) {}

  /// The elements of a container, which must outlive the span.
  template <class Container, class = decltype(std::declval<const Container &>().size()),
            class = std::enable_if_t<std::is_convertible_v<
                std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[], T (*)[]>>>
  constexpr Span(Container &&container) noexcept : data_(container.data()), size_(container.size()) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t index) const { return data_[index]; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

#endif

/// A time in seconds.
using Seconds = std::chrono::duration<double>;

/// Receives a log message: one line, valid only during the call, never with any part of a text. Called from
/// any thread, also concurrently; exceptions are ignored.
using Log = std::function<void(LogLevel, std::string_view)>;

/// The bytes from `begin` to `end` (exclusive) of the text as sent.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  /// These bytes of `text`, the text as sent.
  constexpr std::string_view in(std::string_view text) const noexcept {
    const std::size_t last = end < text.size() ? end : text.size();
    const std::size_t first = begin < last ? begin : last;
    return std::string_view(text.data() + first, last - first);
  }
};

/// The timestamps of a word, from the start of the audio or the stream. A number such as "12" is one word,
/// however many words it is read as.
struct Word {
  TextSpan span;
  Seconds start{};
  Seconds end{};
};

/// The timestamps of a phoneme, from the start of the audio or the stream.
struct Phoneme {
  /// The phoneme in IPA, preceded by the stress mark if stressed.
  std::string ipa;
  /// The phoneme's word in the text.
  TextSpan span;
  Seconds start{};
  Seconds end{};
};

/// The timestamps of a viseme, from the start of the audio or the stream.
struct Viseme {
  /// The name, one of the 15 of OVR LipSync: `sil`, `PP`, `aa` and so on. The string is static.
  std::string_view name;
  /// The viseme ID, 0 to 21, of Azure Speech.
  std::uint32_t azure = 0;
  Seconds start{};
  Seconds end{};
};

/// The timestamps of a sentence, from its first word to the end of its last, from the start of the audio or
/// the stream.
struct Sentence {
  TextSpan span;
  Seconds start{};
  Seconds end{};
};

/// The timestamp of an SSML mark, from the start of the audio or the stream.
struct Mark {
  std::string name;
  Seconds time{};
};

/// A part of the text that was not spoken as written.
struct Diagnostic {
  DiagnosticKind kind{};
  TextSpan span;
};

/// A voice: the identifier for requests, and the name to show to people.
struct Voice {
  std::string id;
  std::string name;
};

/// The left and the right context of an encoder, in frames of 80 ms.
struct AttContext {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// A tier with its price.
struct TierEntry {
  Tier tier{};
  /// The setting of `att_context_size`.
  AttContext context{};
  /// Millionths of a US dollar per second of audio.
  std::uint32_t rate_micros = 0;
  double rate_usd_per_second = 0;
  /// The lookahead alone, without network time and the frame length of the client.
  std::chrono::milliseconds latency{};
  /// Whether this deployment can run it.
  bool available = false;
};

namespace detail {

[[noreturn]] inline void fail(speech_status status, speech_error *error) {
  if (error == nullptr) {
    throw Error(static_cast<Status>(status), "the library returned no error object");
  }
  throw Error(std::shared_ptr<const speech_error>(error, [](const speech_error *owned) {
    speech_error_free(const_cast<speech_error *>(owned));
  }));
}

/// Calls a function whose last parameter is the output for an error.
template <class... Parameters, class... Arguments>
void call(speech_status (*function)(Parameters...), Arguments... arguments) {
  speech_error *error = nullptr;
  const speech_status status = function(arguments..., &error);
  if (status != SPEECH_OK) {
    fail(status, error);
  }
}

/// Calls a function with one result.
template <class Value, class Function, class... Arguments>
Value get(Function function, Arguments... arguments) {
  Value value{};
  call(function, arguments..., &value);
  return value;
}

/// Reads an array that belongs to `handle`.
template <class T, class Handle>
Span<const T> view(const T *(*function)(const Handle *, std::size_t *), const Handle *handle) {
  std::size_t size = 0;
  const T *data = function(handle, &size);
  return Span<const T>(data, size);
}

/// Converts each element of an array to a value of this header.
template <class Value, class T, class Make>
std::vector<Value> copies(Span<const T> all, Make make) {
  std::vector<Value> made;
  made.reserve(all.size());
  for (const T &one : all) {
    made.push_back(make(one));
  }
  return made;
}

inline TextSpan text_span(const speech_span &span) noexcept { return TextSpan{span.begin, span.end}; }

inline std::vector<Diagnostic> diagnostics(Span<const speech_diagnostic> all) {
  return copies<Diagnostic>(all, [](const speech_diagnostic &one) {
    return Diagnostic{static_cast<DiagnosticKind>(one.kind), text_span(one.span)};
  });
}

/// A string for a function that reads up to a NUL byte. Throws for a text with a NUL character.
inline std::string terminated(std::string_view text) {
  get<std::size_t>(speech_text_characters, text.data(), text.size());
  return std::string(text);
}

struct Free {
  void operator()(speech_audio *handle) const noexcept { speech_audio_free(handle); }
  void operator()(speech_cancel_token *handle) const noexcept { speech_cancel_token_free(handle); }
  void operator()(speech_engine *handle) const noexcept { speech_engine_free(handle); }
  void operator()(speech_engine_options *handle) const noexcept { speech_engine_options_free(handle); }
  void operator()(speech_segmenter *handle) const noexcept { speech_segmenter_free(handle); }
  void operator()(speech_lexicon *handle) const noexcept { speech_lexicon_free(handle); }
  void operator()(speech_request *handle) const noexcept { speech_request_free(handle); }
  void operator()(speech_stream *handle) const noexcept { speech_stream_free(handle); }
  void operator()(speech_text_parts *handle) const noexcept { speech_text_parts_free(handle); }
  void operator()(speech_tiers *handle) const noexcept { speech_tiers_free(handle); }
};

/// Frees an engine, and then its log function.
struct FreeEngine : Free {
  std::shared_ptr<const Log> log;
};

/// An object of the library, or none.
template <class T, class Deleter = Free>
class Object {
public:
  Object() = default;

  /// Takes ownership of an object that a function of speech.h returned.
  explicit Object(T *handle, Deleter deleter = {}) noexcept : handle_(handle, std::move(deleter)) {}

  /// Whether there is an object.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

  /// The object, for functions of speech.h. The caller must not free it.
  T *handle() const noexcept { return handle_.get(); }

protected:
  /// The object for a getter of speech.h, which would return 0 for NULL. Throws if there is none.
  T *required() const {
    if (handle_ == nullptr) {
      throw Error(Status::invalid_request, "the object is empty");
    }
    return handle_.get();
  }

private:
  std::unique_ptr<T, Deleter> handle_;
};

} // namespace detail

/// The version of the running library, such as "0.1.0"; SPEECH_VERSION is that of the headers.
inline std::string_view version() noexcept { return speech_version(); }

/// The binary interface of the running library: the major number times 65,536 plus the minor number.
inline std::uint32_t abi_version() noexcept { return speech_abi_version(); }

/// The version of the voice bundle format that the library reads.
inline std::uint32_t bundle_format_version() noexcept { return speech_bundle_format_version(); }

/// Throws Status::invalid_request if the running library is not compatible with these headers; the message
/// says which of the two is too old. Engine::load() calls it first.
inline void check_abi() {
  detail::call(speech_abi_check, std::uint32_t{SPEECH_ABI_MAJOR}, std::uint32_t{SPEECH_ABI_MINOR});
}

/// The number of objects of the library that have not been freed, for leak checks in tests. An Error owns
/// one.
inline std::size_t object_count() noexcept { return speech_object_count(); }

/// The voices, the same for every engine.
inline std::vector<Voice> voices() {
  std::size_t size = 0;
  const speech_voice *all = speech_voices_list(&size);
  return detail::copies<Voice>(Span<const speech_voice>(all, size),
                               [](const speech_voice &voice) { return Voice{voice.id, voice.name}; });
}

/// The languages, as BCP 47 tags such as `en-US`.
inline std::vector<std::string> languages() {
  std::size_t size = 0;
  const char *const *all = speech_voices_languages(&size);
  return std::vector<std::string>(all, all + size);
}

/// The identifier of the voice of a request that names none. The string is static.
inline std::string_view default_voice() noexcept { return speech_voices_default(); }

/// The voices, the languages and the limits of a request, as JSON for a service's response. The string is
/// static.
inline std::string_view voices_json() noexcept { return speech_voices_json(); }

/// The number of characters in a text as counted by the limit and the meter: Unicode scalar values.
inline std::size_t count_characters(std::string_view text) {
  return detail::get<std::size_t>(speech_text_characters, text.data(), text.size());
}

namespace detail {

inline std::vector<std::string> strings(speech_text_parts *handle) {
  const Object<speech_text_parts> parts(handle);
  const auto all = view<const char *, speech_text_parts>(speech_text_parts_strings, handle);
  return std::vector<std::string>(all.begin(), all.end());
}

}  // namespace detail

/// Splits a text into parts of at most `max_characters` characters, in order: after sentences if possible,
/// otherwise after clauses, otherwise between words, and inside a word only if the word alone exceeds the
/// limit.
inline std::vector<std::string> split_text(std::string_view text, std::size_t max_characters) {
  return detail::strings(
      detail::get<speech_text_parts *>(speech_text_split, text.data(), text.size(), max_characters));
}

/// Splits a text into parts that fit into one request each.
inline std::vector<std::string> split_text(std::string_view text) {
  return split_text(text, SPEECH_MAX_CHARACTERS);
}

/// Splits a text that arrives in pieces, such as the tokens of a language model, into sentences. Holds back
/// text whose sentence is not decided. The sentences do not depend on how the text is divided into pieces.
class Segmenter : public detail::Object<speech_segmenter> {
public:
  /// A segmenter at the start of a text.
  Segmenter() : Object(speech_segmenter_new()) {}

  /// Takes the next piece, which must be whole UTF-8 characters, and returns the sentences that are now
  /// decided.
  std::vector<std::string> push(std::string_view piece) {
    return detail::strings(
        detail::get<speech_text_parts *>(speech_segmenter_push, handle(), piece.data(), piece.size()));
  }

  /// Ends the text, and returns the remaining sentences; another text may follow.
  std::vector<std::string> finish() {
    return detail::strings(detail::get<speech_text_parts *>(speech_segmenter_finish, handle()));
  }
};

/// Cancels one or more syntheses. One token may serve any number of calls, and stays cancelled. It may be
/// destroyed before the calls that use it, which can then no longer be cancelled by it.
class CancelToken : public detail::Object<speech_cancel_token> {
public:
  CancelToken() : Object(speech_cancel_token_new()) {}
  using Object::Object;

  /// Cancels every synthesis that uses this token, now or later, even inside a running inference. Returns
  /// at once. Thread-safe, but not async-signal-safe.
  void cancel() const { detail::call(speech_cancel_token_cancel, handle()); }

  bool is_cancelled() const { return speech_cancel_token_is_cancelled(required()); }
};

/// Words and their readings. Immutable; any number of requests may share it.
class Lexicon : public detail::Object<speech_lexicon> {
public:
  explicit Lexicon(speech_lexicon *handle) noexcept : Object(handle) {}

  /// Parses at most 5,000 entries, one per line: words and their reading, separated by a tab. For an
  /// invalid line, throws Status::invalid_request with its number.
  static Lexicon parse(std::string_view text) {
    return Lexicon(detail::get<speech_lexicon *>(speech_lexicon_parse, text.data(), text.size()));
  }

  /// Parses a lexicon in the Pronunciation Lexicon Specification 1.0, as speech_lexicon_from_pls() does.
  static Lexicon from_pls(std::string_view document) {
    return Lexicon(
        detail::get<speech_lexicon *>(speech_lexicon_from_pls, document.data(), document.size()));
  }

  /// The number of entries.
  std::size_t entries() const { return speech_lexicon_entries(handle()); }
};

/// A text and the settings for speaking it. It may be used for any number of calls, and changed between
/// them.
class Request : public detail::Object<speech_request> {
public:
  /// A request to speak a text in `en-US`, by `aria`; the setters change these. The limits of the text are
  /// checked on synthesis, or by validate().
  explicit Request(std::string_view text)
      : Object(detail::get<speech_request *>(speech_request_new, text.data(), text.size())) {}
  explicit Request(speech_request *handle) noexcept : Object(handle) {}

  /// A request from a service's JSON: `{"text": ..., "language": ..., "voice": ..., "format": ...,
  /// "latency": ..., "quality": ..., ...}`, with the fields that speech_request_from_json() lists.
  static Request from_json(std::string_view json) {
    return Request(detail::get<speech_request *>(speech_request_from_json, json.data(), json.size()));
  }

  /// Sets the language, a BCP 47 tag: `en-US` or `hi-IN`.
  Request &language(std::string_view tag) & { return set(speech_request_set_language, tag); }
  Request language(std::string_view tag) && { return std::move(language(tag)); }

  /// Sets the voice by its identifier: `aria`, `jason`, `john`, `leo` or `sofia`.
  Request &voice(std::string_view id) & { return set(speech_request_set_voice, id); }
  Request voice(std::string_view id) && { return std::move(voice(id)); }

  /// Sets the latency of the first chunk of a stream. With Latency::low a long first sentence comes as
  /// three chunks with the same span. Engine::synthesize() rejects Latency::low.
  Request &latency(Latency latency) & {
    return set(speech_request_set_latency, static_cast<speech_latency>(latency));
  }
  Request latency(Latency latency) && { return std::move(this->latency(latency)); }

  /// Sets the networks that compute the speech. An engine throws Status::invalid_request for a quality that
  /// its bundle lacks: see Engine::has_quality().
  Request &quality(Quality quality) & {
    return set(speech_request_set_quality, static_cast<speech_quality>(quality));
  }
  Request quality(Quality quality) && { return std::move(this->quality(quality)); }

  /// Sets the sample rate in hertz: 8000, 16000, 22050 (the default), 24000, 44100 or 48000. It is checked
  /// when the request is used, or by validate().
  Request &sample_rate(std::uint32_t hertz) & { return set(speech_request_set_sample_rate, hertz); }
  Request sample_rate(std::uint32_t hertz) && { return std::move(sample_rate(hertz)); }

  /// Sets the encoding of Audio::bytes() and Audio::wav().
  Request &encoding(Encoding encoding) & {
    return set(speech_request_set_encoding, static_cast<speech_encoding>(encoding));
  }
  Request encoding(Encoding encoding) && { return std::move(this->encoding(encoding)); }

  /// Sets the speaking rate, a factor of the voice's natural rate: 0.5 to 2; 1 by default.
  Request &rate(double factor) & { return set(speech_request_set_rate, factor); }
  Request rate(double factor) && { return std::move(rate(factor)); }

  /// Sets the pitch in semitones relative to the voice's own, -6 to 6; 0 by default.
  Request &pitch(double semitones) & { return set(speech_request_set_pitch, semitones); }
  Request pitch(double semitones) && { return std::move(pitch(semitones)); }

  /// Sets the volume in decibels relative to the voice's own, -40 to 12; 0 by default. Every sentence gets
  /// the same gain, and a limiter prevents clipping.
  Request &volume(double decibels) & { return set(speech_request_set_volume, decibels); }
  Request volume(double decibels) && { return std::move(volume(decibels)); }

  /// Sets whether the text is an SSML 1.1 document; by default it is plain text.
  Request &ssml(bool ssml = true) & { return set(speech_request_set_ssml, ssml); }
  Request ssml(bool is_ssml = true) && { return std::move(ssml(is_ssml)); }

  /// Sets whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. On by default.
  Request &read_pauses(bool read = true) & { return set(speech_request_set_read_pauses, read); }
  Request read_pauses(bool read = true) && { return std::move(read_pauses(read)); }

  /// Sets whether emoji are read by name; by default they are skipped.
  Request &read_emoji(bool read = true) & { return set(speech_request_set_read_emoji, read); }
  Request read_emoji(bool read = true) && { return std::move(read_emoji(read)); }

  /// Sets whether romanized Hindi is read as Hindi. On by default.
  Request &read_romanized_hindi(bool read = true) & {
    return set(speech_request_set_read_romanized_hindi, read);
  }
  Request read_romanized_hindi(bool read = true) && { return std::move(read_romanized_hindi(read)); }

  /// Adds a pronunciation to this request, with precedence over the engine's: IPA between slashes, or other
  /// words. At most 200, together at most 16,384 bytes.
  Request &pronunciation(std::string_view words, std::string_view reading) & {
    detail::call(speech_request_add_pronunciation, handle(), detail::terminated(words).c_str(),
                 detail::terminated(reading).c_str());
    return *this;
  }
  Request pronunciation(std::string_view words, std::string_view reading) && {
    return std::move(pronunciation(words, reading));
  }

  /// Adds a lexicon to the request. It is searched after the request's pronunciations and earlier lexicons.
  Request &lexicon(const Lexicon &lexicon) & {
    detail::call(speech_request_add_lexicon, handle(), lexicon.handle());
    return *this;
  }
  Request lexicon(const Lexicon &added) && { return std::move(lexicon(added)); }

  /// The metered quantity: the number of Unicode scalar values in the text. Throws what Engine::stream()
  /// would throw for this request: Status::empty_text, text_too_long or invalid_request. Only an engine
  /// checks the quality.
  std::size_t validate() const { return detail::get<std::size_t>(speech_request_validate, handle()); }

private:
  template <class Function>
  Request &set(Function function, std::string_view value) {
    detail::call(function, handle(), detail::terminated(value).c_str());
    return *this;
  }

  template <class Function, class Value,
            class = std::enable_if_t<std::is_arithmetic_v<Value> || std::is_enum_v<Value>>>
  Request &set(Function function, Value value) {
    detail::call(function, handle(), value);
    return *this;
  }
};

/// Mono speech at the sample rate of the request: a whole text, or a chunk of a stream, which is one
/// sentence with the pause after it, or a part of one. It may be empty.
class Audio : public detail::Object<speech_audio> {
public:
  using Object::Object;

  /// The samples as 16-bit integers in native byte order. Without low latency, the concatenated chunks of a
  /// stream equal the audio of the whole text, sample for sample.
  Span<const std::int16_t> samples() const & { return view(speech_audio_samples); }
  Span<const std::int16_t> samples() const && = delete;

  /// The samples as 32-bit floats from -1 to 1. Computed on the first call.
  Span<const float> samples_f32() const & { return view(speech_audio_samples_f32); }
  Span<const float> samples_f32() const && = delete;

  /// The samples as bytes in the encoding of the request. Computed on the first call.
  Span<const std::uint8_t> bytes() const & { return view(speech_audio_bytes); }
  Span<const std::uint8_t> bytes() const && = delete;

  /// A RIFF/WAVE file of the samples in the encoding of the request. Computed on the first call.
  Span<const std::uint8_t> wav() const & { return view(speech_audio_wav); }
  Span<const std::uint8_t> wav() const && = delete;

  /// The sample rate of the request in hertz, 22,050 by default.
  std::uint32_t sample_rate() const { return speech_audio_sample_rate(required()); }

  /// The encoding of bytes() and wav(), as set in the request.
  Encoding encoding() const { return static_cast<Encoding>(speech_audio_encoding(required())); }

  Seconds duration() const { return Seconds(speech_audio_duration(required())); }

  /// The byte range of the text that the audio speaks: the whole text, or the sentence of a chunk.
  TextSpan span() const { return detail::text_span(speech_audio_span(required())); }

  /// The metered quantity: the number of Unicode scalar values in the whole text as sent.
  std::size_t characters() const { return speech_audio_characters(required()); }

  /// The identifier of the request, a UUID.
  std::string request_id() const { return speech_audio_request_id(required()); }

  /// The name of the kernels (the instruction set) that computed the audio, such as `avx2` or `portable`.
  std::string_view kernels() const { return speech_audio_kernels(required()); }

  /// The precision of the vocoder's products: `fp32`, `int16` or `bf16`.
  std::string_view precision() const { return speech_audio_precision(required()); }

  /// The timestamps of the words, from the start of the whole speech, also in a chunk.
  std::vector<Word> words() const {
    return detail::copies<Word>(view(speech_audio_words), [](const speech_word &word) {
      return Word{detail::text_span(word.span), Seconds(word.start_seconds), Seconds(word.end_seconds)};
    });
  }

  /// The timestamps of the phonemes.
  std::vector<Phoneme> phonemes() const {
    return detail::copies<Phoneme>(view(speech_audio_phonemes), [](const speech_phoneme &phoneme) {
      return Phoneme{phoneme.ipa, detail::text_span(phoneme.span), Seconds(phoneme.start_seconds),
                     Seconds(phoneme.end_seconds)};
    });
  }

  /// The timestamps of the visemes, without gaps.
  std::vector<Viseme> visemes() const {
    return detail::copies<Viseme>(view(speech_audio_visemes), [](const speech_viseme &viseme) {
      return Viseme{viseme.name, viseme.azure, Seconds(viseme.start_seconds), Seconds(viseme.end_seconds)};
    });
  }

  /// The timestamps of the sentences. In a stream, a sentence is in the last of its chunks.
  std::vector<Sentence> sentences() const {
    return detail::copies<Sentence>(view(speech_audio_sentences), [](const speech_sentence &sentence) {
      return Sentence{detail::text_span(sentence.span), Seconds(sentence.start_seconds),
                      Seconds(sentence.end_seconds)};
    });
  }

  /// The timestamps of SSML marks.
  std::vector<Mark> marks() const {
    return detail::copies<Mark>(view(speech_audio_marks),
                                [](const speech_mark &mark) { return Mark{mark.name, Seconds(mark.seconds)}; });
  }

  /// The skipped text of the whole text; in a live or a long text, so far.
  std::vector<Diagnostic> diagnostics() const { return detail::diagnostics(view(speech_audio_diagnostics)); }

private:
  template <class T>
  Span<const T> view(const T *(*function)(const speech_audio *, std::size_t *)) const {
    return detail::view<T, speech_audio>(function, required());
  }
};

/// A text that is spoken one sentence at a time. It may be empty. Destroying it stops the computation ahead, and
/// waits until nothing of the stream is running. To iterate over the remaining chunks:
///
///     for (const speech::Audio &chunk : stream) { ... }
///
/// Without `const`, a chunk may be moved out and kept.
class Stream : public detail::Object<speech_stream> {
public:
  using Object::Object;

  /// The end of a stream.
  struct End {};

  /// A position in a stream with its chunk: a move-only input iterator.
  class Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Audio;
    using difference_type = std::ptrdiff_t;
    using pointer = Audio *;
    using reference = Audio &;

    Iterator() = default;

    Audio &operator*() const noexcept { return audio_; }
    Audio *operator->() const noexcept { return &audio_; }

    Iterator &operator++() {
      audio_ = next_of(stream_);
      done_ = !audio_;
      return *this;
    }
    void operator++(int) { ++*this; }

    friend bool operator==(const Iterator &iterator, End) noexcept { return iterator.done_; }
    friend bool operator!=(const Iterator &iterator, End) noexcept { return !iterator.done_; }
    friend bool operator==(End, const Iterator &iterator) noexcept { return iterator.done_; }
    friend bool operator!=(End, const Iterator &iterator) noexcept { return !iterator.done_; }

  private:
    friend class Stream;
    explicit Iterator(speech_stream *stream) : stream_(stream) { ++*this; }

    speech_stream *stream_ = nullptr;
    mutable Audio audio_;
    bool done_ = true;
  };

  /// Returns the next chunk as soon as it is computed; an empty object at the end:
  ///
  ///     while (speech::Audio chunk = stream.next()) { ... }
  ///
  /// From the first call on, a thread of the stream computes one sentence ahead of the last one returned. With
  /// low latency the first sentence may come as three chunks with the same span.
  ///
  /// Throws Status::cancelled if the token was cancelled, Status::invalid_request once it is known that the
  /// speech (in a live or a long text, one sentence) would be longer than SPEECH_MAX_SECONDS, or
  /// Status::internal; then every later call throws the same.
  Audio next() { return next_of(handle()); }

  /// Takes the next chunk, as each increment of the iterator does. Both throw as next() does.
  Iterator begin() { return Iterator(handle()); }
  End end() const noexcept { return {}; }

  /// Adds a piece of text to a stream of Engine::live(): a token, half a word, a page. It must not end
  /// inside a character. Thread-safe. Throws Status::invalid_request after finish(), and for a stream that
  /// takes no text.
  void push(std::string_view piece) { detail::call(speech_stream_push, handle(), piece.data(), piece.size()); }

  /// Speaks everything pushed so far, as if a sentence ended there. More text may follow.
  void flush() { detail::call(speech_stream_flush, handle()); }

  /// Ends the text of a stream of Engine::live(): the rest is spoken, and then the stream ends.
  void finish() { detail::call(speech_stream_finish, handle()); }

  /// The position, in bytes, in the text of a stream of Engine::live() or Engine::stream_long() up to which
  /// words have been heard when playback is at this time from the start of the stream.
  std::size_t heard_at(Seconds time) const { return speech_stream_heard_at(required(), time.count()); }

  /// Whether a stream of Engine::live() has more than 16 KiB of text waiting to be spoken. A source that is
  /// faster than speech should then pause.
  bool is_full() const { return speech_stream_is_full(required()); }

  /// Stops the stream: calls inside it, and later ones, throw Status::cancelled shortly after. Thread-safe.
  void cancel() { detail::call(speech_stream_cancel, handle()); }

  /// The identifier of the request, a UUID.
  std::string request_id() const { return speech_stream_request_id(required()); }

  /// The sample rate of its chunks in hertz, as set in the request, 22,050 by default.
  std::uint32_t sample_rate() const { return speech_stream_sample_rate(required()); }

  /// The encoding of the bytes of its chunks, as set in the request.
  Encoding encoding() const { return static_cast<Encoding>(speech_stream_encoding(required())); }

  /// The metered quantity: the number of Unicode scalar values in the whole text as sent; for a live text,
  /// those pushed so far.
  std::size_t characters() const { return speech_stream_characters(required()); }

  /// The skipped text of the whole text. In a stream of Engine::live() or Engine::stream_long(), so far;
  /// then no other thread may be inside next().
  std::vector<Diagnostic> diagnostics() const {
    return detail::diagnostics(detail::view<speech_diagnostic, speech_stream>(speech_stream_diagnostics, required()));
  }

private:
  static Audio next_of(speech_stream *stream) {
    speech_audio *audio = nullptr;
    speech_error *error = nullptr;
    const speech_status status = speech_stream_next(stream, &audio, &error);
    if (status != SPEECH_OK && status != SPEECH_END) {
      detail::fail(status, error);
    }
    return Audio(audio);
  }
};

/// The options for loading an engine. Every option has a default. One object may load any number of
/// engines.
class EngineOptions : public detail::Object<speech_engine_options> {
public:
  EngineOptions() : Object(speech_engine_options_new()) {}
  using Object::Object;

  /// Sets the voice bundle: its directory, or one uncompressed tar file of its files. Nothing may change it
  /// while engines use it. Of the options for the bundle the last one counts.
  EngineOptions &bundle_path(std::string_view path) & {
    return set(speech_engine_options_set_bundle_path, detail::terminated(path).c_str());
  }
  EngineOptions bundle_path(std::string_view path) && { return std::move(bundle_path(path)); }

  /// Sets a voice bundle in memory: an uncompressed tar file. Move it in to save a copy.
  EngineOptions &bundle_memory(std::vector<std::uint8_t> bytes) & {
    const auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    return bundle_view(*owner, owner);
  }
  EngineOptions bundle_memory(std::vector<std::uint8_t> bytes) && {
    return std::move(bundle_memory(std::move(bytes)));
  }

  /// Sets a voice bundle in memory that the caller owns: an uncompressed tar file. It must stay valid and
  /// unchanged until these options, the engines loaded with them and their streams are destroyed. `owner`
  /// is kept until then, or until the memory is no longer needed. Its destructor may run on any thread, and
  /// must not call the library.
  EngineOptions &bundle_view(Span<const std::uint8_t> bytes, std::shared_ptr<const void> owner = nullptr) & {
    using Owner = std::shared_ptr<const void>;
    auto kept = std::make_unique<Owner>(std::move(owner));
    const auto release = [](void *userdata, const std::uint8_t *, std::size_t) noexcept {
      delete static_cast<Owner *>(userdata);
    };
    set(speech_engine_options_set_bundle_memory, bytes.data(), bytes.size(), +release, kept.get());
    static_cast<void>(kept.release());
    return *this;
  }
  EngineOptions bundle_view(Span<const std::uint8_t> bytes, std::shared_ptr<const void> owner = nullptr) && {
    return std::move(bundle_view(bytes, std::move(owner)));
  }

  /// Sets a voice bundle in an open file: an uncompressed tar file of `length` bytes at `offset`, or up to
  /// the end if `length` is 0. The descriptor is duplicated; the caller keeps its own.
  EngineOptions &bundle_fd(int fd, std::uint64_t offset = 0, std::uint64_t length = 0) & {
    return set(speech_engine_options_set_bundle_fd, fd, offset, length);
  }
  EngineOptions bundle_fd(int fd, std::uint64_t offset = 0, std::uint64_t length = 0) && {
    return std::move(bundle_fd(fd, offset, length));
  }

  /// Sets whether large files of the voice bundle are mapped into memory instead of read into it: see
  /// speech_engine_options_set_map_bundle().
  EngineOptions &map_bundle(bool map) & { return set(speech_engine_options_set_map_bundle, map); }
  EngineOptions map_bundle(bool map) && { return std::move(map_bundle(map)); }

  /// Sets the number of threads that compute one sentence, 1 to 256. The samples do not depend on it.
  EngineOptions &threads(std::size_t count) & { return set(speech_engine_options_set_threads, count); }
  EngineOptions threads(std::size_t count) && { return std::move(threads(count)); }

  /// Sets the number of sentences that are computed concurrently for different calls, 1 to 256; 1 by
  /// default. Others wait in a queue. Each takes memory.
  EngineOptions &max_concurrency(std::size_t count) & {
    return set(speech_engine_options_set_max_concurrency, count);
  }
  EngineOptions max_concurrency(std::size_t count) && { return std::move(max_concurrency(count)); }

  /// Sets the kernels (the instruction set) that compute speech: `auto` (the default: the fastest that the
  /// processor supports), `portable`, or another name; the message for an unknown name lists all. The last
  /// bits of the samples differ between them. Engine::load() throws Status::invalid_request for kernels
  /// that the processor does not support.
  EngineOptions &kernels(std::string_view name) & {
    return set(speech_engine_options_set_kernels, detail::terminated(name).c_str());
  }
  EngineOptions kernels(std::string_view name) && { return std::move(kernels(name)); }

  /// Sets the precision of the vocoder's products: `auto` (the default: the fastest that the processor
  /// supports), `fp32`, `int16` or `bf16`. Engine::load() rejects unsupported ones, as for kernels().
  EngineOptions &precision(std::string_view name) & {
    return set(speech_engine_options_set_precision, detail::terminated(name).c_str());
  }
  EngineOptions precision(std::string_view name) && { return std::move(precision(name)); }

  /// Adds a pronunciation to the engine: words, and IPA between slashes or other words.
  EngineOptions &pronunciation(std::string_view words, std::string_view reading) & {
    return set(speech_engine_options_add_pronunciation, detail::terminated(words).c_str(),
               detail::terminated(reading).c_str());
  }
  EngineOptions pronunciation(std::string_view words, std::string_view reading) && {
    return std::move(pronunciation(words, reading));
  }

  /// Sets the size of the cache of sentence audio, in bytes, for requests that repeat sentences: 0, the
  /// default, disables it; 256 MiB hold 46 minutes. A cached sentence has the same bytes as a computed one.
  EngineOptions &cache(std::size_t bytes) & { return set(speech_engine_options_set_cache, bytes); }
  EngineOptions cache(std::size_t bytes) && { return std::move(cache(bytes)); }

  /// Sets the function that receives log messages of `level` and above; by default, and with an empty
  /// function, nothing is logged. Each engine's function receives the messages of all engines. These
  /// options and the engines loaded with them keep the function; it must not destroy an engine that has a
  /// log function.
  EngineOptions &log(Log function, LogLevel level = LogLevel::info) & {
    auto kept = function == nullptr ? nullptr : std::make_shared<const Log>(std::move(function));
    set(speech_engine_options_set_log_callback, kept == nullptr ? nullptr : &receive,
        const_cast<Log *>(kept.get()), static_cast<speech_log_level>(level));
    log_ = std::move(kept);
    return *this;
  }
  EngineOptions log(Log function, LogLevel level = LogLevel::info) && {
    return std::move(log(std::move(function), level));
  }

private:
  friend class Engine;

  template <class Function, class... Arguments>
  EngineOptions &set(Function function, Arguments... arguments) {
    detail::call(function, handle(), arguments...);
    return *this;
  }

  static void receive(void *userdata, speech_log_level level, const char *message) noexcept {
    try {
      (*static_cast<const Log *>(userdata))(static_cast<LogLevel>(level), message);
    } catch (...) {
    }
  }

  std::shared_ptr<const Log> log_;
};

/// A loaded voice bundle, ready to speak. Load one and share it: any number of threads may use it
/// concurrently, and the samples do not depend on how many do. It may be empty.
class Engine : public detail::Object<speech_engine, detail::FreeEngine> {
public:
  using Object::Object;

  /// Loads an engine, and reads the whole voice bundle to verify it: in 0.05 to 0.2 s on an idle server
  /// that has cached the files. Throws Status::model_error if the bundle is missing, damaged or of the wrong
  /// version; the message names the file.
  static Engine load() {
    check_abi();
    return Engine(detail::get<speech_engine *>(speech_engine_load, nullptr));
  }
  static Engine load(const EngineOptions &options) {
    // What would be NULL stands for the defaults in speech.h.
    if (!options) {
      throw Error(Status::invalid_request, "the options are empty");
    }
    check_abi();
    detail::FreeEngine deleter;
    deleter.log = options.log_;
    return Engine(detail::get<speech_engine *>(speech_engine_load, options.handle()), std::move(deleter));
  }

  /// The number of threads that compute one sentence.
  std::size_t threads() const { return speech_engine_threads(required()); }

  /// The name of the kernels (the instruction set) that compute speech, such as `avx2` or `portable`.
  std::string_view kernels() const { return speech_engine_kernels(required()); }

  /// The precision of the vocoder's products: `fp32`, `int16` or `bf16`.
  std::string_view precision() const { return speech_engine_precision(required()); }

  /// Synthesizes a few words and discards them, so that the first request finds everything in memory. If
  /// the engine's cache has these words, it computes nothing.
  void warm_up() const { detail::call(speech_engine_warm_up, handle()); }

  /// Frees the scratch memory kept for the next request, and empties the cache; the voices stay loaded.
  void trim() const { detail::call(speech_engine_trim, handle()); }

  /// Whether the voice bundle has a quality for a voice in a language; Quality::automatic stands for any.
  bool has_quality(std::string_view voice, std::string_view language, Quality quality) const {
    return detail::get<bool>(speech_engine_has_quality, handle(), detail::terminated(voice).c_str(),
                             detail::terminated(language).c_str(), static_cast<speech_quality>(quality));
  }

  /// Synthesizes a whole text. Throws Status::empty_text, text_too_long, invalid_request or internal.
  Audio synthesize(const Request &request) const { return speak(request, nullptr); }

  /// As above; cancelling the token, from any thread, makes the call throw Status::cancelled.
  Audio synthesize(const Request &request, const CancelToken &cancel) const {
    return speak(request, token(cancel));
  }

  /// Starts a stream of a text, one sentence at a time. It stays valid after the engine and the request are
  /// destroyed. Throws as Request::validate() does, and Status::invalid_request for a quality that the
  /// voice bundle lacks. Nothing is computed yet.
  Stream stream(const Request &request) const { return open(speech_engine_stream, request, nullptr); }

  /// As above; cancelling the token, from any thread, makes the stream throw Status::cancelled.
  Stream stream(const Request &request, const CancelToken &cancel) const {
    return open(speech_engine_stream, request, token(cancel));
  }

  /// Starts a stream of a live text, which arrives in pieces, with the settings of a request.
  /// Stream::push() adds pieces from another thread; the text of the request, which may be empty, is the
  /// first piece. Throws Status::invalid_request for settings out of range, for a quality that the voice
  /// bundle lacks, and for SSML.
  Stream live(const Request &request) const { return open(speech_engine_live, request, nullptr); }

  /// As above; cancelling the token, from any thread, makes the stream throw Status::cancelled.
  Stream live(const Request &request, const CancelToken &cancel) const {
    return open(speech_engine_live, request, token(cancel));
  }

  /// Starts a stream of a text of any length, one sentence at a time; spans refer to the whole text. Throws
  /// as live() does, and Status::empty_text.
  Stream stream_long(const Request &request) const { return open(speech_engine_stream_long, request, nullptr); }

  /// As above; cancelling the token, from any thread, makes the stream throw Status::cancelled.
  Stream stream_long(const Request &request, const CancelToken &cancel) const {
    return open(speech_engine_stream_long, request, token(cancel));
  }

private:
  /// The handle of a token; throws for a token that was moved from, because NULL means no token in
  /// speech.h.
  static const speech_cancel_token *token(const CancelToken &cancel) {
    static_cast<void>(cancel.is_cancelled());
    return cancel.handle();
  }

  Audio speak(const Request &request, const speech_cancel_token *cancel) const {
    return Audio(detail::get<speech_audio *>(speech_engine_synthesize, handle(), request.handle(), cancel));
  }

  template <class Function>
  Stream open(Function function, const Request &request, const speech_cancel_token *cancel) const {
    return Stream(detail::get<speech_stream *>(function, handle(), request.handle(), cancel));
  }
};

/// The latency tiers of one deployment, and which of them it can run.
class Tiers : public detail::Object<speech_tiers> {
public:
  /// The catalog of a deployment that can run these settings of `att_context_size`. Settings that no tier
  /// uses are ignored.
  explicit Tiers(Span<const AttContext> contexts) : Tiers(make(contexts)) {}
  Tiers(std::initializer_list<AttContext> contexts)
      : Tiers(Span<const AttContext>(contexts.begin(), contexts.size())) {}
  explicit Tiers(speech_tiers *handle) noexcept : Object(handle) {}

  /// The priced tiers; some of them may not be available.
  std::vector<TierEntry> entries() const {
    const auto all = detail::view<speech_tier_entry, speech_tiers>(speech_tiers_entries, required());
    return detail::copies<TierEntry>(all, [](const speech_tier_entry &entry) {
      return TierEntry{static_cast<Tier>(entry.tier),
                       AttContext{entry.left_context, entry.right_context},
                       entry.rate_micros,
                       entry.rate_usd_per_second,
                       std::chrono::milliseconds(entry.latency_ms),
                       entry.available};
    });
  }

  /// The catalog as JSON, for a service's response.
  std::string json() const { return speech_tiers_json(required()); }

  /// The tier with the name given in a request. Never returns another tier: throws Status::invalid_tier if
  /// the name is unknown or the tier is not available here.
  Tier resolve(std::string_view name) const {
    return static_cast<Tier>(
        detail::get<speech_tier>(speech_tiers_resolve, handle(), detail::terminated(name).c_str()));
  }

  /// The available tiers, the most suitable for a use case first, from which a client chooses in advance.
  std::vector<Tier> ranked(UseCase use) const {
    std::size_t size = 0;
    const speech_tier *ranked = speech_tiers_ranked(required(), static_cast<speech_use_case>(use), &size);
    return detail::copies<Tier>(Span<const speech_tier>(ranked, size),
                                [](speech_tier tier) { return static_cast<Tier>(tier); });
  }

private:
  static speech_tiers *make(Span<const AttContext> contexts) {
    std::vector<std::uint32_t> numbers;
    for (const AttContext &context : contexts) {
      numbers.insert(numbers.end(), {context.left, context.right});
    }
    return detail::get<speech_tiers *>(speech_tiers_new, numbers.data(), contexts.size());
  }
};

/// The tier of a request that names none, whether or not it is available.
inline Tier default_tier() noexcept { return static_cast<Tier>(speech_tier_default()); }

/// The name of a tier as used in requests, such as `turbo`; empty for an unknown number.
inline std::string_view tier_name(Tier tier) noexcept {
  const char *name = speech_tier_name(static_cast<speech_tier>(tier));
  return name == nullptr ? std::string_view() : std::string_view(name);
}

/// The price of a duration of audio in a tier, in millionths of a US dollar, before any rebate: exact, and
/// rounded up to a whole micro-dollar once, at the end. Charge a whole recording at once, not its parts.
inline std::uint64_t charge(Tier tier, std::chrono::nanoseconds audio) {
  if (audio.count() < 0) {
    throw Error(Status::invalid_request, "the duration is negative");
  }
  const auto nanoseconds = static_cast<std::uint64_t>(audio.count());
  return detail::get<std::uint64_t>(speech_tier_charge, static_cast<speech_tier>(tier), nanoseconds);
}

/// As charge(), for a number of samples at a sample rate in hertz, whose duration need not be a whole
/// number of nanoseconds.
inline std::uint64_t charge_samples(Tier tier, std::uint64_t samples, std::uint32_t sample_rate) {
  return detail::get<std::uint64_t>(speech_tier_charge_samples, static_cast<speech_tier>(tier), samples,
                                    sample_rate);
}

} // inline namespace cxx17 or cxx20
} // namespace speech

#endif // SPEECH_HPP
