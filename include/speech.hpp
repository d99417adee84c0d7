/*
 * libspeech for C++: speech.h as classes. It needs C++17 and nothing but the library. A whole program:
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
 * CONVENTIONS, beside those of speech.h
 *
 * Failures are thrown as speech::Error. The functions throw nothing else, but for std::bad_alloc where they
 *   make a string or a vector, and for what a callable that was handed to Stream::for_each() throws.
 *
 * Ownership. Objects are moved, not copied, and free what they hold. None depends on another: an engine may
 *   go before its streams. An object that was moved from, or made without arguments, is empty where its type
 *   says so: every function of it throws Status::invalid_request, and it may be assigned to. Texts are UTF-8
 *   and are copied in and out; samples and bytes are views that are valid while their object lives.
 *
 * Threads. As in the standard library: several threads may call const functions of one object at once, and
 *   synthesis is one. Those of Stream that are not const may also run on several threads: one waits for the
 *   other. No thread may move, assign or destroy an object that another is using.
 *
 * Spans are std::span where the compiler has it, and a small type of the same shape in C++17. Translation
 *   units of both kinds may be linked into one program.
 */

#ifndef SPEECH_HPP
#define SPEECH_HPP

#include <speech.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
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

/// Why a call failed. A newer library may have numbers that are not named here: treat them as `internal`.
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
};

/// The level of a log message.
enum class LogLevel : std::int32_t {
  error = SPEECH_LOG_ERROR,
  warning = SPEECH_LOG_WARNING,
  info = SPEECH_LOG_INFO,
  debug = SPEECH_LOG_DEBUG,
};

/// What a callable answers.
enum class Flow : std::int32_t {
  go_on = SPEECH_CONTINUE,
  stop = SPEECH_STOP,
};

/// What a diagnostic is about. A newer library may have kinds that are not named here.
enum class DiagnosticKind : std::int32_t {
  /// Not said: emoji, control characters and the like.
  skipped = SPEECH_DIAGNOSTIC_SKIPPED,
};

/// A latency tier: how much audio lookahead an encoder may use before it commits to text.
enum class Tier : std::int32_t {
  ultra = SPEECH_TIER_ULTRA,
  turbo = SPEECH_TIER_TURBO,
  standard = SPEECH_TIER_STANDARD,
  economy = SPEECH_TIER_ECONOMY,
};

/// What waits for the text, which is what a tier is chosen by.
enum class UseCase : std::int32_t {
  mid_sentence = SPEECH_USE_CASE_MID_SENTENCE,
  whole_utterance = SPEECH_USE_CASE_WHOLE_UTTERANCE,
  nothing_waits = SPEECH_USE_CASE_NOTHING_WAITS,
  other = SPEECH_USE_CASE_OTHER,
};

/// The name of a status in the contract, such as `text_too_long`; empty for a number that is no status.
inline std::string_view status_type(Status status) noexcept {
  const char *type = speech_status_type(static_cast<speech_status>(status));
  return type == nullptr ? std::string_view() : std::string_view(type);
}

/// Why a call failed. Its strings are valid while it or a copy of it lives, and end with a NUL byte.
class Error : public std::runtime_error {
public:
  /// An error of the caller's own: it has no request identifier and no JSON.
  Error(Status status, const std::string &message) : std::runtime_error(message), status_(status) {}

  /// An error that a function of speech.h gave.
  explicit Error(std::shared_ptr<const speech_error> error)
      : std::runtime_error(speech_error_message(error.get())),
        status_(static_cast<Status>(speech_error_status(error.get()))), error_(std::move(error)) {}

  Status status() const noexcept { return status_; }

  /// The machine-readable type of the contract, such as `text_too_long`.
  std::string_view type() const noexcept {
    return error_ == nullptr ? status_type(status_) : std::string_view(speech_error_type(error_.get()));
  }

  /// The message for people: one line, in English, without the text that was to be spoken; as what().
  std::string_view message() const noexcept { return what(); }

  /// What exactly went wrong, as a key to act on, such as `file_damaged`; "" if the type says it all.
  std::string_view detail() const noexcept { return speech_error_detail(error_.get()); }

  /// The file of the voice bundle that is to blame; "" if there is none.
  std::string_view path() const noexcept { return speech_error_path(error_.get()); }

  /// What helps, as a key for which a program has its own words, such as `install_voices`; "" if nothing is known.
  std::string_view advice() const noexcept { return speech_error_advice(error_.get()); }

  /// The identifier of the request that failed, a UUID, for the log.
  std::string_view request_id() const noexcept { return speech_error_request_id(error_.get()); }

  /// The JSON envelope of the contract: `{"error": {"type": ..., "message": ..., "request_id": ...}}`.
  std::string_view json() const noexcept { return speech_error_json(error_.get()); }

  /// Whether the same request may succeed if it is made again later.
  bool retryable() const noexcept { return speech_error_is_retryable(error_.get()); }

private:
  Status status_;
  std::shared_ptr<const speech_error> error_;
};

// What has to do with spans differs between the standards, so its symbols do.
#ifdef __cpp_lib_span
inline namespace cxx20 {

/// Elements that another object owns.
template <class T>
using Span = std::span<T>;

#else
inline namespace cxx17 {

/// Elements that another object owns: what std::span is from C++20 on.
template <class T>
class Span {
public:
  constexpr Span() noexcept = default;
  constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t Size>
  constexpr Span(T (&array)[Size]) noexcept : data_(array), size_(Size) {}

  /// The elements of a container, which must outlive this.
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

/// Receives a message of the library: one line, valid only during the call, never with any of the text that
/// is spoken. It is called from any thread, several at once; what it throws is dropped.
using Log = std::function<void(LogLevel, std::string_view)>;

/// The bytes `begin` to `end` (exclusive) of the text that was sent.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  /// These bytes of `text`, which is the text that was sent.
  constexpr std::string_view in(std::string_view text) const noexcept {
    const std::size_t last = end < text.size() ? end : text.size();
    const std::size_t first = begin < last ? begin : last;
    return std::string_view(text.data() + first, last - first);
  }
};

/// When a word is heard: from the start of the audio or of the stream. A number such as "12" is one word,
/// however many words it is read as.
struct Word {
  TextSpan span;
  Seconds start{};
  Seconds end{};
};

/// When a sound is heard: from the start of the audio or of the stream.
struct Phoneme {
  /// The sound in IPA, with the mark of stress before it.
  std::string ipa;
  /// The word that it belongs to.
  TextSpan span;
  Seconds start{};
  Seconds end{};
};

/// When the mouth has a shape: from the start of the audio or of the stream.
struct Viseme {
  /// The name of the shape among the 15 of OVR LipSync: `sil`, `PP`, `aa` and so on. The string is the library's own.
  std::string_view name;
  /// The number of the shape in Azure's table: 0 to 21.
  std::uint32_t azure = 0;
  Seconds start{};
  Seconds end{};
};

/// When a sentence is heard, from its first word to its last: from the start of the audio or of the stream.
struct Sentence {
  TextSpan span;
  Seconds start{};
  Seconds end{};
};

/// When a mark of SSML is reached: from the start of the audio or of the stream.
struct Mark {
  std::string name;
  Seconds time{};
};

/// What was not said.
struct Diagnostic {
  DiagnosticKind kind{};
  TextSpan span;
};

/// A voice: the identifier that requests name, and the name to show to people.
struct Voice {
  std::string id;
  std::string name;
};

/// The left and the right context of an encoder, in frames of 80 ms.
struct AttContext {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// A tier as it is priced.
struct TierEntry {
  Tier tier{};
  /// Millionths of a US dollar for a second of audio.
  std::uint32_t rate_micros = 0;
  double rate_usd_per_second = 0;
  /// The lookahead: without network time and the frame length of the client.
  std::chrono::milliseconds latency{};
  /// Whether this deployment can run it.
  bool available = false;
};

namespace detail {

[[noreturn]] inline void fail(speech_status status, speech_error *error) {
  if (error == nullptr) {
    throw Error(static_cast<Status>(status), "libspeech gave no reason");
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

/// Calls a function that gives one result.
template <class Value, class Function, class... Arguments>
Value get(Function function, Arguments... arguments) {
  Value value{};
  call(function, arguments..., &value);
  return value;
}

/// Calls a function that gives elements which belong to `handle`.
template <class T, class Function, class Handle>
Span<const T> view(Function function, Handle handle) {
  const T *data = nullptr;
  std::size_t size = 0;
  call(function, handle, &data, &size);
  return Span<const T>(data, size);
}

template <class Count, class Item, class Handle>
std::vector<Diagnostic> diagnostics(Count count, Item item, Handle handle) {
  std::vector<Diagnostic> all(get<std::size_t>(count, handle));
  for (std::size_t index = 0; index < all.size(); ++index) {
    speech_diagnostic_kind kind{};
    Diagnostic &diagnostic = all[index];
    call(item, handle, index, &kind, &diagnostic.span.begin, &diagnostic.span.end);
    diagnostic.kind = static_cast<DiagnosticKind>(kind);
  }
  return all;
}

/// A string for a function that reads up to a NUL byte: one with a NUL character in it is refused.
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
  void operator()(speech_request *handle) const noexcept { speech_request_free(handle); }
  void operator()(speech_stream *handle) const noexcept { speech_stream_free(handle); }
  void operator()(speech_text_parts *handle) const noexcept { speech_text_parts_free(handle); }
  void operator()(speech_tiers *handle) const noexcept { speech_tiers_free(handle); }
  void operator()(speech_voices *handle) const noexcept { speech_voices_free(handle); }
};

/// Frees an engine, and after that the function it logs to.
struct FreeEngine : Free {
  std::shared_ptr<const Log> log;
};

/// An object of the library's, or none.
template <class T, class Deleter = Free>
class Object {
public:
  Object() = default;

  /// Takes over an object that a function of speech.h gave.
  explicit Object(T *handle, Deleter deleter = {}) noexcept : handle_(handle, std::move(deleter)) {}

  /// Whether there is an object.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

  /// The object, for functions of speech.h. It is not the caller's to free.
  T *handle() const noexcept { return handle_.get(); }

protected:
  std::unique_ptr<T, Deleter> handle_;
};

} // namespace detail

/// The version of the library that is running, such as "0.1.0"; SPEECH_VERSION is that of the headers.
inline std::string_view version() noexcept { return speech_version(); }

/// The binary interface of the library that is running: the major number times 65,536 plus the minor one.
inline std::uint32_t abi_version() noexcept { return speech_abi_version(); }

/// The version of the voice bundle format that the library reads.
inline std::uint32_t bundle_format_version() noexcept { return speech_bundle_format_version(); }

/// Throws Status::invalid_request if the library that is running does not fit these headers; the message
/// says which of the two is too old. Engine::load() asks this first.
inline void check_abi() {
  detail::call(speech_abi_check, std::uint32_t{SPEECH_ABI_MAJOR}, std::uint32_t{SPEECH_ABI_MINOR});
}

/// How many objects of the library are not freed yet, for the leak checks of tests. An Error holds one.
inline std::size_t object_count() noexcept { return speech_object_count(); }

/// The voices, the languages, and the limits of every request: the same for every engine.
class Voices : public detail::Object<speech_voices> {
public:
  Voices() : Object(detail::get<speech_voices *>(speech_voices_new)) {}
  using Object::Object;

  /// The languages, as BCP 47 tags such as `en-US`.
  std::vector<std::string> languages() const {
    std::vector<std::string> all(detail::get<std::size_t>(speech_voices_language_count, handle()));
    for (std::size_t index = 0; index < all.size(); ++index) {
      all[index] = detail::get<const char *>(speech_voices_language, handle(), index);
    }
    return all;
  }

  std::vector<Voice> voices() const {
    std::vector<Voice> all(detail::get<std::size_t>(speech_voices_count, handle()));
    for (std::size_t index = 0; index < all.size(); ++index) {
      const char *id = nullptr;
      const char *name = nullptr;
      detail::call(speech_voices_get, handle(), index, &id, &name);
      all[index] = Voice{id, name};
    }
    return all;
  }

  /// The identifier of the voice of a request that names none.
  std::string default_voice() const { return detail::get<const char *>(speech_voices_default, handle()); }

  /// Samples a second of all audio, in hertz: 22,050.
  std::uint32_t sample_rate() const {
    return detail::get<std::uint32_t>(speech_voices_sample_rate, handle());
  }

  /// The longest text of one request, in characters: 1,000.
  std::size_t max_characters() const {
    return detail::get<std::size_t>(speech_voices_max_characters, handle());
  }

  /// The listing as the contract's JSON.
  std::string json() const { return detail::get<const char *>(speech_voices_json, handle()); }
};

/// The characters of a text as the limit and the meter count them: its Unicode scalar values.
inline std::size_t count_characters(std::string_view text) {
  return detail::get<std::size_t>(speech_text_characters, text.data(), text.size());
}

namespace detail {

inline std::vector<std::string> strings(speech_text_parts *handle) {
  const Object<speech_text_parts> parts(handle);
  std::vector<std::string> all(get<std::size_t>(speech_text_parts_count, parts.handle()));
  for (std::size_t index = 0; index < all.size(); ++index) {
    all[index] = get<const char *>(speech_text_parts_get, parts.handle(), index);
  }
  return all;
}

}  // namespace detail

/// Cuts a text into parts of at most `max_characters` characters, in order: after sentences if it can, else
/// after clauses, else between words, and inside a word only if the word alone is over the limit.
inline std::vector<std::string> split_text(std::string_view text, std::size_t max_characters) {
  return detail::strings(
      detail::get<speech_text_parts *>(speech_text_split, text.data(), text.size(), max_characters));
}

/// Cuts a text into parts that each fit one request.
inline std::vector<std::string> split_text(std::string_view text) {
  return split_text(text, Voices().max_characters());
}

/// Cuts a text that arrives in pieces, such as the tokens of a language model, into sentences. What is not
/// decided is held back; however the text is cut into pieces, the sentences are the same.
class Segmenter : public detail::Object<speech_segmenter> {
public:
  /// A segmenter at the start of a text.
  Segmenter() : Object(detail::get<speech_segmenter *>(speech_segmenter_new)) {}

  /// Takes the next piece, whole UTF-8 characters, and gives the sentences that are now decided.
  std::vector<std::string> push(std::string_view piece) {
    return detail::strings(
        detail::get<speech_text_parts *>(speech_segmenter_push, handle(), piece.data(), piece.size()));
  }

  /// Ends the text and gives the sentences that are left; another text may follow.
  std::vector<std::string> finish() {
    return detail::strings(detail::get<speech_text_parts *>(speech_segmenter_finish, handle()));
  }
};

/// Stops one or more syntheses. One token may serve any number of calls; once cancelled it stays so. It may
/// go before what runs with it, which then can no longer be stopped by it.
class CancelToken : public detail::Object<speech_cancel_token> {
public:
  CancelToken() : Object(detail::get<speech_cancel_token *>(speech_cancel_token_new)) {}
  using Object::Object;

  /// Stops what runs with this token, inside a running inference too, and all that will. It returns at once.
  /// From any thread, but not from a signal handler.
  void cancel() const { detail::call(speech_cancel_token_cancel, handle()); }

  bool is_cancelled() const { return detail::get<bool>(speech_cancel_token_is_cancelled, handle()); }
};

/// A text to speak and how to speak it. It may be used for any number of calls, and changed between them.
class Request : public detail::Object<speech_request> {
public:
  /// A request to speak a text in `en-US`, by `aria`, as `wav`: the setters change these. Whether it may be
  /// spoken is checked when it is to be, or by validate().
  explicit Request(std::string_view text)
      : Object(detail::get<speech_request *>(speech_request_new, text.data(), text.size())) {}
  explicit Request(speech_request *handle) noexcept : Object(handle) {}

  /// A request from the contract's JSON: `{"text": ..., "language": ..., "voice": ..., "format": ...,
  /// "latency": ..., "quality": ...}`.
  static Request from_json(std::string_view json) {
    return Request(detail::get<speech_request *>(speech_request_from_json, json.data(), json.size()));
  }

  /// Sets the language, a BCP 47 tag: `en-US` or `hi-IN`.
  Request &language(std::string_view tag) & { return set(speech_request_set_language, tag); }
  Request language(std::string_view tag) && { return std::move(language(tag)); }

  /// Sets the voice by its identifier: `aria`, `jason`, `john`, `leo` or `sofia`.
  Request &voice(std::string_view id) & { return set(speech_request_set_voice, id); }
  Request voice(std::string_view id) && { return std::move(voice(id)); }

  /// Sets the format by its name, `wav` or `pcm`, for services that answer as the contract says.
  Request &format(std::string_view name) & { return set(speech_request_set_format, name); }
  Request format(std::string_view name) && { return std::move(format(name)); }

  /// Sets when the first sound of a stream comes: `standard` (the default) or `low`. With `low`, the first half
  /// second of a long first sentence comes as chunks of its own, given before the rest is computed, and sounds a little
  /// different. Engine::synthesize() refuses `low`.
  Request &latency(std::string_view name) & { return set(speech_request_set_latency, name); }
  Request latency(std::string_view name) && { return std::move(latency(name)); }

  /// Sets which networks compute the speech: `full`, `fast` (for less computation), `light` (for the least) or `auto` (the
  /// default: the first of these that the voice bundle has for the voice and the language). An engine throws
  /// Status::invalid_request for one that its bundle does not have: see Engine::has_quality().
  Request &quality(std::string_view name) & { return set(speech_request_set_quality, name); }
  Request quality(std::string_view name) && { return std::move(quality(name)); }

  /// Sets how fast the text is read: a factor of the voice's own speed, 0.5 to 2; 1 by default.
  Request &rate(double factor) & { return set(speech_request_set_rate, factor); }
  Request rate(double factor) && { return std::move(rate(factor)); }

  /// Sets how much higher than the voice's own the pitch is, in semitones, -6 to 6; 0 by default.
  Request &pitch(double semitones) & { return set(speech_request_set_pitch, semitones); }
  Request pitch(double semitones) && { return std::move(pitch(semitones)); }

  /// Sets how much louder than the voice's own the speech is, in decibels, -40 to 12; 0 by default. Every sentence gets the
  /// same gain, and a limiter keeps peaks from being clipped.
  Request &volume(double decibels) & { return set(speech_request_set_volume, decibels); }
  Request volume(double decibels) && { return std::move(volume(decibels)); }

  /// Sets whether the text is a document of SSML 1.1; by default it is plain text.
  Request &ssml(bool ssml = true) & { return set(speech_request_set_ssml, ssml); }
  Request ssml(bool is_ssml = true) && { return std::move(ssml(is_ssml)); }

  /// Sets whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses; by default they are.
  Request &read_pauses(bool read = true) & { return set(speech_request_set_read_pauses, read); }
  Request read_pauses(bool read = true) && { return std::move(read_pauses(read)); }

  /// Sets whether emoji are read by their names; by default they are skipped.
  Request &read_emoji(bool read = true) & { return set(speech_request_set_read_emoji, read); }
  Request read_emoji(bool read = true) && { return std::move(read_emoji(read)); }

  /// Sets whether Hindi that is typed in Latin letters is read as Hindi; by default it is.
  Request &read_romanized_hindi(bool read = true) & {
    return set(speech_request_set_read_romanized_hindi, read);
  }
  Request read_romanized_hindi(bool read = true) && { return std::move(read_romanized_hindi(read)); }

  /// The metered quantity: the Unicode scalar values of the text. Throws what each call with this request
  /// would: Status::empty_text, text_too_long or invalid_request. It does not know which qualities an engine has.
  std::size_t validate() const { return detail::get<std::size_t>(speech_request_validate, handle()); }

private:
  template <class Function>
  Request &set(Function function, std::string_view value) {
    detail::call(function, handle(), detail::terminated(value).c_str());
    return *this;
  }

  template <class Function, class Value, class = std::enable_if_t<std::is_arithmetic_v<Value>>>
  Request &set(Function function, Value value) {
    detail::call(function, handle(), value);
    return *this;
  }
};

/// Speech, mono, 22,050 samples a second: of a whole text, or a chunk of a stream, which is one sentence with the
/// pause after it. It may be empty.
class Audio : public detail::Object<speech_audio> {
public:
  using Object::Object;

  /// The samples as 16-bit integers in the byte order of the machine. The chunks of a stream one after another are,
  /// sample for sample, the audio of the whole text, unless the request asks for low latency.
  Span<const std::int16_t> samples() const & {
    return detail::view<std::int16_t>(speech_audio_samples, handle());
  }
  Span<const std::int16_t> samples() const && = delete;

  /// The samples as 32-bit floats from -1 to 1. They are made by the first call.
  Span<const float> samples_f32() const & {
    return detail::view<float>(speech_audio_samples_f32, handle());
  }
  Span<const float> samples_f32() const && = delete;

  /// The bytes of a RIFF/WAVE file (16-bit PCM) of the samples. They are made by the first call.
  Span<const std::uint8_t> wav() const & {
    return detail::view<std::uint8_t>(speech_audio_wav, handle());
  }
  Span<const std::uint8_t> wav() const && = delete;

  /// Samples a second, in hertz: 22,050.
  std::uint32_t sample_rate() const {
    return detail::get<std::uint32_t>(speech_audio_sample_rate, handle());
  }

  Seconds duration() const { return Seconds(detail::get<double>(speech_audio_duration, handle())); }

  /// The bytes of the text that it speaks: all, or those of the sentence of a stream.
  TextSpan span() const {
    TextSpan span;
    detail::call(speech_audio_span, handle(), &span.begin, &span.end);
    return span;
  }

  /// The metered quantity: the Unicode scalar values of the whole text as it was sent.
  std::size_t characters() const { return detail::get<std::size_t>(speech_audio_characters, handle()); }

  /// The identifier of the request, a UUID.
  std::string request_id() const { return detail::get<const char *>(speech_audio_request_id, handle()); }

  /// The name of the kernels (the instruction set) that computed it, such as `avx2` or `portable`.
  std::string_view kernels() const { return detail::get<const char *>(speech_audio_kernels, handle()); }

  /// The precision of the products of the vocoder: `fp32`, `int16` or `bf16`.
  std::string_view precision() const { return detail::get<const char *>(speech_audio_precision, handle()); }

  /// The words, with times from the start of the whole speech, also in a chunk.
  std::vector<Word> words() const {
    return events<Word>(speech_audio_word_count, [this](std::size_t index, Word &word, double &start, double &end) {
      detail::call(speech_audio_word, handle(), index, &word.span.begin, &word.span.end, &start, &end);
    });
  }

  /// The sounds, with times in the same way.
  std::vector<Phoneme> phonemes() const {
    return events<Phoneme>(
        speech_audio_phoneme_count, [this](std::size_t index, Phoneme &phoneme, double &start, double &end) {
          const char *ipa = nullptr;
          detail::call(speech_audio_phoneme, handle(), index, &ipa, &phoneme.span.begin, &phoneme.span.end, &start,
                       &end);
          phoneme.ipa = ipa;
        });
  }

  /// The shapes of the mouth, without gaps, with times in the same way.
  std::vector<Viseme> visemes() const {
    return events<Viseme>(
        speech_audio_viseme_count, [this](std::size_t index, Viseme &viseme, double &start, double &end) {
          const char *name = nullptr;
          detail::call(speech_audio_viseme, handle(), index, &name, &viseme.azure, &start, &end);
          viseme.name = name;
        });
  }

  /// The sentences, with times in the same way. A stream has one in its last chunk.
  std::vector<Sentence> sentences() const {
    return events<Sentence>(
        speech_audio_sentence_count, [this](std::size_t index, Sentence &sentence, double &start, double &end) {
          detail::call(speech_audio_sentence, handle(), index, &sentence.span.begin, &sentence.span.end, &start, &end);
        });
  }

  /// The marks of SSML, with times in the same way.
  std::vector<Mark> marks() const {
    std::vector<Mark> all(detail::get<std::size_t>(speech_audio_mark_count, handle()));
    for (std::size_t index = 0; index < all.size(); ++index) {
      const char *name = nullptr;
      double seconds = 0;
      detail::call(speech_audio_mark, handle(), index, &name, &seconds);
      all[index] = Mark{name, Seconds(seconds)};
    }
    return all;
  }

  /// What was not said, of the whole text.
  std::vector<Diagnostic> diagnostics() const {
    return detail::diagnostics(speech_audio_diagnostic_count, speech_audio_diagnostic, handle());
  }

private:
  /// What has a start and an end: `read` fills in one.
  template <class Event, class Count, class Read>
  std::vector<Event> events(Count count, Read read) const {
    std::vector<Event> all(detail::get<std::size_t>(count, handle()));
    for (std::size_t index = 0; index < all.size(); ++index) {
      double start = 0;
      double end = 0;
      read(index, all[index], start, end);
      all[index].start = Seconds(start);
      all[index].end = Seconds(end);
    }
    return all;
  }
};

namespace detail {

/// Audio that the library owns during a callback, and frees after it.
class BorrowedAudio : public Audio {
public:
  explicit BorrowedAudio(const speech_audio *audio) noexcept : Audio(const_cast<speech_audio *>(audio)) {}
  BorrowedAudio(const BorrowedAudio &) = delete;
  BorrowedAudio &operator=(const BorrowedAudio &) = delete;
  ~BorrowedAudio() { static_cast<void>(handle_.release()); }
};

/// A callable behind a speech_audio_callback: nothing that it throws gets into the library.
template <class Callback>
class Visit {
public:
  explicit Visit(Callback &callback) noexcept : callback_(std::addressof(callback)) {}

  static speech_flow receive(void *userdata, const speech_audio *chunk) noexcept {
    auto &visit = *static_cast<Visit *>(userdata);
    const BorrowedAudio audio(chunk);
    try {
      visit.flow_ = visit.flow(audio);
    } catch (...) {
      visit.flow_ = Flow::stop;
      visit.exception_ = std::current_exception();
    }
    return static_cast<speech_flow>(visit.flow_);
  }

  bool stopped() const noexcept { return flow_ != Flow::go_on; }

  void rethrow() const {
    if (exception_ != nullptr) {
      std::rethrow_exception(exception_);
    }
  }

private:
  Flow flow(const Audio &audio) {
    using Result = std::invoke_result_t<Callback &, const Audio &>;
    static_assert(std::is_void_v<Result> || std::is_same_v<Result, bool> || std::is_same_v<Result, Flow>,
                  "the callable returns nothing, speech::Flow, or a bool that says whether to go on");
    if constexpr (std::is_void_v<Result>) {
      std::invoke(*callback_, audio);
      return Flow::go_on;
    } else if constexpr (std::is_same_v<Result, bool>) {
      return std::invoke(*callback_, audio) ? Flow::go_on : Flow::stop;
    } else {
      return std::invoke(*callback_, audio);
    }
  }

  Callback *callback_;
  Flow flow_ = Flow::go_on;
  std::exception_ptr exception_;
};

} // namespace detail

/// A text that is being spoken a sentence at a time. It may be empty. Destroying it stops what is computed
/// ahead, and waits until nothing of it runs. To go through what is not yet spoken:
///
///     for (const speech::Audio &chunk : stream) { ... }
///
/// Without `const`, a chunk may be moved out and kept.
class Stream : public detail::Object<speech_stream> {
public:
  using Object::Object;

  /// The end of a stream.
  struct End {};

  /// A position in a stream, with the audio that is there: a move-only input iterator.
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

  /// Gives the next sentence as soon as it is computed; an empty object when all is spoken:
  ///
  ///     while (speech::Audio chunk = stream.next()) { ... }
  ///
  /// From the first call on, the sentences are computed on a thread of the stream's own, one ahead of the one
  /// that was given last. With low latency the first sentence may come as three chunks with the same span.
  ///
  /// Throws Status::cancelled if the token was cancelled, or Status::internal; then every later call throws
  /// the same.
  Audio next() { return next_of(handle()); }

  /// Takes the next chunk; so does each increment of what this returns. Both throw as next().
  Iterator begin() { return Iterator(handle()); }
  End end() const noexcept { return {}; }

  /// Speaks the rest, and calls `callback` with each chunk in order, on this thread. A chunk is valid
  /// during the call only. The callable returns nothing, speech::Flow, or a bool that says whether to go on.
  ///
  /// False if the callable stopped; the stream can be pulled on then. Throws as next(), and what the callable
  /// throws, which stops too.
  template <class Callback>
  bool for_each(Callback &&callback) {
    using Visit = detail::Visit<std::remove_reference_t<Callback>>;
    Visit visit(callback);
    try {
      detail::call(speech_stream_for_each, handle(), &Visit::receive, &visit);
    } catch (const Error &) {
      if (!visit.stopped()) {
        throw;
      }
    }
    visit.rethrow();
    return !visit.stopped();
  }

  /// Adds a piece of text to a stream of Engine::live(), from any thread: a token, half a word, a page. It must not end inside a
  /// character. Throws Status::invalid_request after finish(), and for a stream that takes no text.
  void push(std::string_view piece) { detail::call(speech_stream_push, handle(), piece.data(), piece.size()); }

  /// Has everything spoken that was pushed, as if a sentence ended there.
  void flush() { detail::call(speech_stream_flush, handle()); }

  /// Ends the text of a stream of Engine::live(): what is left is spoken, and then the stream ends.
  void finish() { detail::call(speech_stream_finish, handle()); }

  /// The byte of the text of a stream of Engine::live() up to which words have been said when playback is at this time from
  /// the start of the stream.
  std::size_t heard(Seconds time) const {
    return detail::get<std::size_t>(speech_stream_heard, handle(), time.count());
  }

  /// Stops the stream, from any thread: calls that are inside it, and later ones, throw Status::cancelled soon.
  void cancel() { detail::call(speech_stream_cancel, handle()); }

  /// The identifier of the request, a UUID.
  std::string request_id() const { return detail::get<const char *>(speech_stream_request_id, handle()); }

  /// The metered quantity: the Unicode scalar values of the whole text as it was sent.
  std::size_t characters() const { return detail::get<std::size_t>(speech_stream_characters, handle()); }

  /// The name of the kernels (the instruction set) that compute it, such as `avx2` or `portable`.
  std::string_view kernels() const { return detail::get<const char *>(speech_stream_kernels, handle()); }

  /// The precision of the products of the vocoder: `fp32`, `int16` or `bf16`.
  std::string_view precision() const { return detail::get<const char *>(speech_stream_precision, handle()); }

  /// What is not said, of the whole text.
  std::vector<Diagnostic> diagnostics() const {
    return detail::diagnostics(speech_stream_diagnostic_count, speech_stream_diagnostic, handle());
  }

private:
  static Audio next_of(speech_stream *stream) {
    return Audio(detail::get<speech_audio *>(speech_stream_next, stream));
  }
};

/// How to load an engine. Every option has a default. One object may load any number of engines.
class EngineOptions : public detail::Object<speech_engine_options> {
public:
  EngineOptions() : Object(detail::get<speech_engine_options *>(speech_engine_options_new)) {}
  using Object::Object;

  /// Sets where the voice bundle is: its directory, or one uncompressed tar file of what is in it, which must
  /// not be changed while engines use it. Of the options for the bundle the last one counts.
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

  /// Sets a voice bundle in memory that stays where it is: an uncompressed tar file. It must stay valid and
  /// unchanged until these options and the engines that were loaded with them, with their streams, are gone.
  /// `owner` is kept until then, or until the memory is needed no longer. What it does when it is destroyed
  /// may happen on any thread, and must not call the library.
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

  /// Sets a voice bundle in an open file: an uncompressed tar file that takes `length` bytes from `offset`,
  /// or all to the end if `length` is 0. The descriptor is duplicated, and remains the caller's.
  EngineOptions &bundle_fd(int fd, std::uint64_t offset = 0, std::uint64_t length = 0) & {
    return set(speech_engine_options_set_bundle_fd, fd, offset, length);
  }
  EngineOptions bundle_fd(int fd, std::uint64_t offset = 0, std::uint64_t length = 0) && {
    return std::move(bundle_fd(fd, offset, length));
  }

  /// Sets whether the large files of the voice bundle are mapped into memory, or else read into it: see
  /// `speech_engine_options_set_map_bundle`.
  EngineOptions &map_bundle(bool map) & { return set(speech_engine_options_set_map_bundle, map); }
  EngineOptions map_bundle(bool map) && { return std::move(map_bundle(map)); }

  /// Sets how many threads compute one sentence: 1 to 256. The samples do not depend on it.
  EngineOptions &threads(std::size_t count) & { return set(speech_engine_options_set_threads, count); }
  EngineOptions threads(std::size_t count) && { return std::move(threads(count)); }

  /// Sets how many sentences may be computed at once, for different calls: 1 to 256, by default 1. Others
  /// wait in a queue. Each costs memory.
  EngineOptions &max_concurrency(std::size_t count) & {
    return set(speech_engine_options_set_max_concurrency, count);
  }
  EngineOptions max_concurrency(std::size_t count) && { return std::move(max_concurrency(count)); }

  /// Sets the kernels (the instruction set) that compute speech: `auto` (the default: the fastest that the processor
  /// has), `portable`, or another that the message lists for a name that is none. The last bits of the samples
  /// differ between them. Engine::load() throws Status::invalid_request for one that the processor does not have.
  EngineOptions &kernels(std::string_view name) & {
    return set(speech_engine_options_set_kernels, detail::terminated(name).c_str());
  }
  EngineOptions kernels(std::string_view name) && { return std::move(kernels(name)); }

  /// Sets the precision of the products of the vocoder: `auto` (the default: the fastest that the
  /// processor has), `fp32`, `int16` or `bf16`. Refused as kernels() are.
  EngineOptions &precision(std::string_view name) & {
    return set(speech_engine_options_set_precision, detail::terminated(name).c_str());
  }
  EngineOptions precision(std::string_view name) && { return std::move(precision(name)); }

  /// Adds words to the lexicon of the engine, and how they are read: IPA between slashes, or other words.
  EngineOptions &pronunciation(std::string_view words, std::string_view reading) & {
    return set(speech_engine_options_add_pronunciation, detail::terminated(words).c_str(),
               detail::terminated(reading).c_str());
  }
  EngineOptions pronunciation(std::string_view words, std::string_view reading) && {
    return std::move(pronunciation(words, reading));
  }

  /// Sets who receives the log: messages of `level` and above. By default, and with an empty function, nobody
  /// does. With several engines, each receives the messages of all. These options and the engines that are
  /// loaded with them keep the function; it must not destroy any of those engines.
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

/// A loaded voice bundle, ready to speak. Load one and share it: any number of threads may use it at once,
/// and what it answers does not depend on how many do. It may be empty.
class Engine : public detail::Object<speech_engine, detail::FreeEngine> {
public:
  using Object::Object;

  /// Loads an engine, which takes about a second. Throws Status::model_error if the bundle is missing, damaged
  /// or of the wrong version; the message names the file.
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
  std::size_t threads() const { return detail::get<std::size_t>(speech_engine_threads, handle()); }

  /// The name of the kernels (the instruction set) that compute speech, such as `avx2` or `portable`.
  std::string_view kernels() const { return detail::get<const char *>(speech_engine_kernels, handle()); }

  /// The precision of the products of the vocoder: `fp32`, `int16` or `bf16`.
  std::string_view precision() const { return detail::get<const char *>(speech_engine_precision, handle()); }

  /// Speaks a few words and forgets them, so that the first request finds everything in memory.
  void warm_up() const { detail::call(speech_engine_warm_up, handle()); }

  /// Returns the working memory to the system that is kept for the next request; the voices stay loaded.
  void trim() const { detail::call(speech_engine_trim, handle()); }

  /// Whether the voice bundle has a quality for a voice in a language: `full`, `fast` or `light`, or any of these for `auto`.
  bool has_quality(std::string_view voice, std::string_view language, std::string_view quality) const {
    return detail::get<bool>(speech_engine_has_quality, handle(), detail::terminated(voice).c_str(),
                             detail::terminated(language).c_str(), detail::terminated(quality).c_str());
  }

  /// Speaks a whole text. Throws Status::empty_text, text_too_long, invalid_request or internal.
  Audio synthesize(const Request &request) const { return speak(request, nullptr); }

  /// As above, and can be stopped from any thread: then it throws Status::cancelled.
  Audio synthesize(const Request &request, const CancelToken &cancel) const {
    return speak(request, token(cancel));
  }

  /// Starts to speak a text, a sentence at a time. The stream goes on without the engine and the request.
  /// Throws as Request::validate(), and Status::invalid_request for a quality that the voice bundle does not have; nothing is
  /// computed yet.
  Stream stream(const Request &request) const { return open(speech_engine_stream, request, nullptr); }

  /// As above, and can be stopped from any thread: then the stream throws Status::cancelled.
  Stream stream(const Request &request, const CancelToken &cancel) const {
    return open(speech_engine_stream, request, token(cancel));
  }

  /// Starts to speak a text that arrives in pieces, with the settings of a request: Stream::push() adds them, from another
  /// thread. The text of the request, which may be empty, is the first piece. Throws Status::invalid_request for settings out of
  /// range, for a quality that the voice bundle does not have, and for SSML.
  Stream live(const Request &request) const { return open(speech_engine_live, request, nullptr); }

  /// As above, and can be stopped from any thread: then the stream throws Status::cancelled.
  Stream live(const Request &request, const CancelToken &cancel) const {
    return open(speech_engine_live, request, token(cancel));
  }

  /// Starts to speak a text of any length, a sentence at a time, with spans of the whole text. Throws as live(), and
  /// Status::empty_text.
  Stream stream_long(const Request &request) const { return open(speech_engine_stream_long, request, nullptr); }

  /// As above, and can be stopped from any thread: then the stream throws Status::cancelled.
  Stream stream_long(const Request &request, const CancelToken &cancel) const {
    return open(speech_engine_stream_long, request, token(cancel));
  }

private:
  /// A token that was moved from would be NULL, which stands for none in speech.h.
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
  /// The catalogue of a deployment that can run these settings of `att_context_size`. A setting that no tier
  /// uses changes nothing.
  explicit Tiers(Span<const AttContext> contexts) : Tiers(make(contexts)) {}
  Tiers(std::initializer_list<AttContext> contexts)
      : Tiers(Span<const AttContext>(contexts.begin(), contexts.size())) {}
  explicit Tiers(speech_tiers *handle) noexcept : Object(handle) {}

  /// All that are priced; not all of them may be available.
  std::vector<TierEntry> entries() const {
    std::vector<TierEntry> all(detail::get<std::size_t>(speech_tiers_count, handle()));
    for (std::size_t index = 0; index < all.size(); ++index) {
      TierEntry &entry = all[index];
      speech_tier tier{};
      std::uint32_t latency_ms = 0;
      detail::call(speech_tiers_get, handle(), index, &tier, &entry.rate_micros, &entry.rate_usd_per_second,
                   &latency_ms, &entry.available);
      entry.tier = static_cast<Tier>(tier);
      entry.latency = std::chrono::milliseconds(latency_ms);
    }
    return all;
  }

  /// The catalogue as the contract's JSON.
  std::string json() const { return detail::get<const char *>(speech_tiers_json, handle()); }

  /// The tier of a name that a request gives. It never answers with another tier: throws Status::invalid_tier
  /// if the name is unknown or the tier is not available here.
  Tier resolve(std::string_view name) const {
    return static_cast<Tier>(
        detail::get<speech_tier>(speech_tiers_resolve, handle(), detail::terminated(name).c_str()));
  }

  /// The tier of a request that names none, whether it is available or not.
  Tier default_tier() const { return static_cast<Tier>(detail::get<speech_tier>(speech_tiers_default, handle())); }

  /// The tiers that are available, the most suitable for a use first: for a client's own choice, in advance.
  std::vector<Tier> ranked(UseCase use) const {
    const auto number = static_cast<speech_use_case>(use);
    std::vector<speech_tier> ranked(detail::get<std::size_t>(speech_tiers_count, handle()));
    std::size_t count = 0;
    detail::call(speech_tiers_ranked, handle(), number, ranked.data(), ranked.size(), &count);
    ranked.resize(count);
    std::vector<Tier> all;
    for (const speech_tier tier : ranked) {
      all.push_back(static_cast<Tier>(tier));
    }
    return all;
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

/// The name of a tier as requests give it, such as `turbo`.
inline std::string_view tier_name(Tier tier) {
  return detail::get<const char *>(speech_tier_name, static_cast<speech_tier>(tier));
}

/// The context of a tier.
inline AttContext att_context_size(Tier tier) {
  AttContext context;
  detail::call(speech_tier_att_context_size, static_cast<speech_tier>(tier), &context.left, &context.right);
  return context;
}

/// The lookahead of a tier: its latency, without network time and the frame length of the client.
inline std::chrono::milliseconds lookahead(Tier tier) {
  return std::chrono::milliseconds(
      detail::get<std::uint32_t>(speech_tier_lookahead_ms, static_cast<speech_tier>(tier)));
}

/// What audio costs in a tier, in millionths of a US dollar, before any rebate: exact, and rounded up to a
/// whole one once, at the end. Charge a whole recording at once, not its pieces.
inline std::uint64_t charge(Tier tier, std::chrono::nanoseconds audio) {
  if (audio.count() < 0) {
    throw Error(Status::invalid_request, "the duration is negative");
  }
  const auto nanoseconds = static_cast<std::uint64_t>(audio.count());
  return detail::get<std::uint64_t>(speech_tier_charge, static_cast<speech_tier>(tier), nanoseconds);
}

/// As charge(), for a number of samples at a sample rate in hertz, which need not make a whole number of
/// nanoseconds.
inline std::uint64_t charge_samples(Tier tier, std::uint64_t samples, std::uint32_t sample_rate) {
  return detail::get<std::uint64_t>(speech_tier_charge_samples, static_cast<speech_tier>(tier), samples,
                                    sample_rate);
}

} // inline namespace cxx17 or cxx20
} // namespace speech

#endif // SPEECH_HPP
