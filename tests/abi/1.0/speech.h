/*
 * libspeech: speech synthesis that runs inside the application.
 *
 * Turns text in English (en-US) and Hindi (hi-IN) into natural speech in five voices, as mono
 * samples at 22,050 Hz or another rate. Runs on the CPU, offline. A whole program:
 *
 *   #include <speech.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     speech_engine *engine = NULL;
 *     speech_request *request = NULL;
 *     speech_audio *audio = NULL;
 *     speech_error *error = NULL;
 *     int status = 1;
 *
 *     if (speech_engine_load(NULL, &engine, &error) != SPEECH_OK ||
 *         speech_request_new("Hello, world.", SPEECH_NUL_TERMINATED, &request, &error) != SPEECH_OK ||
 *         speech_engine_synthesize(engine, request, NULL, &audio, &error) != SPEECH_OK) {
 *       fprintf(stderr, "%s\n", speech_error_message(error));
 *     } else {
 *       size_t length = 0;
 *       const uint8_t *wav = speech_audio_wav(audio, &length);
 *       FILE *file = fopen("hello.wav", "wb");
 *       if (file != NULL) {
 *         status = fwrite(wav, 1, length, file) != length;
 *         status |= fclose(file) != 0;
 *       }
 *     }
 *     speech_audio_free(audio);
 *     speech_request_free(request);
 *     speech_engine_free(engine);
 *     speech_error_free(error);
 *     return status;
 *   }
 *
 * CONVENTIONS
 *
 * Names. Functions are speech_<object>_<verb>. Inputs come first, then outputs (pointers to
 *   variables that receive results), then the output for an error.
 *
 * Handles. Pointers to the opaque types below are handles, not addresses: each is the number of an
 *   object in the library's table, with a pointer type so that the compiler distinguishes them. Do
 *   not dereference them. The library looks every handle up, so a use after free, a second free or
 *   a handle of another type is not undefined behavior: the call fails with SPEECH_INVALID_REQUEST,
 *   and a message such as "not a live engine: it was freed or never existed". A debugger shows a
 *   handle as a small odd number, such as 0x1d, and cannot print the object behind it: print
 *   speech_error_message(error), or the object's getters. A memory checker does not report objects
 *   that were not freed, because the table refers to them: speech_object_count() counts those.
 *
 * Errors. Every function that can fail returns a speech_status: SPEECH_OK, which is 0, or the kind
 *   of failure. Its last argument, which may be NULL, is an output for an error object with
 *   details. On failure the output receives a new error, which the caller frees with
 *   speech_error_free(), and no other output is written. On success it is not written. The previous
 *   value of an output is not read: in a loop that continues after a failure, free the error and
 *   set its variable to NULL first.
 *   At the end of a stream speech_stream_next() returns SPEECH_END, which is not a failure: nothing
 *   is written.
 *   Every function with a status can fail with SPEECH_INVALID_REQUEST for a wrong argument (NULL, a
 *   handle that is not live, text that is not UTF-8) and with SPEECH_INTERNAL; its comment names
 *   other failures. The library never ends the process, never prints, and lets no panic or
 *   exception out. (Two things do end the process: exhausted memory, and truncation of a mapped
 *   voice bundle, see speech_engine_options_set_map_bundle().)
 *
 * Getters. A function that can fail only because of a wrong handle returns its value directly: 0,
 *   false, "" or an empty array for a handle that is NULL or not live. The output `count` receives
 *   the length of an array; an empty array is NULL.
 *
 * Ownership. A function that writes a handle to an output, or returns one from _new(), makes a new
 *   object. The caller owns it and frees it once, with the _free() function of its type.
 *   _free(NULL), and a second _free(), do nothing. Objects do not depend on each other: an engine
 *   may be freed before its streams, and a stream before its audio.
 *   Pointers returned by a function (strings, samples, arrays) belong to the object that they were
 *   read from. They become invalid when it is freed, and their targets do not change before, unless
 *   the comment says otherwise; static ones never become invalid. Arguments are copied, unless the
 *   comment says otherwise, and must not change during the call.
 *
 * Threads. Every function is thread-safe: it may be called from any thread, also with an object
 *   that other threads are using. An object that is freed during a call is destroyed after the
 *   call. Not thread-safe: reading through a pointer that a function returned while another thread
 *   frees its object. Not async-signal-safe: do not call the library from signal handlers. The
 *   library has its own threads: those of an engine, which sleep when idle, and one per stream from
 *   the first call of speech_stream_next() until the stream ends or is freed. A calling thread
 *   needs 128 KiB of stack. Once loaded, the library is not unloaded: dlclose() has no effect.
 *
 * Processes. A handle belongs to the process that made it. In a child of fork(), a handle of the
 *   parent is not live, and no callback of the parent is called. The child makes its own options,
 *   engines and requests, and never waits for threads of the parent. Pointers that were read before
 *   the fork stay valid.
 *
 * Determinism. The same request with the same voice bundle, kernels and precision gives the same
 *   samples, for any number of threads and concurrent requests. The last bits differ between
 *   kernels and between precisions.
 *
 * NULL. An output must not be NULL, unless the comment says that it may. (NULL, 0) is an empty text
 *   or array. Names and paths end with their first NUL byte. Where options or a cancel token may be
 *   NULL, NULL means none.
 *
 * Text. UTF-8 without NUL characters; anything else is SPEECH_INVALID_REQUEST. Spans are bytes of
 *   the text as sent. Logs and error messages contain no part of a text.
 *
 * Choices. A closed set is an enumeration, such as speech_quality. An open one, such as voices and
 *   languages, is a string. A newer library may return numbers and strings that this header does
 *   not name.
 *
 * Versions. A program compiled with this header runs with every later library of the same
 *   SPEECH_ABI_MAJOR. SPEECH_ABI_CHECK(&error) checks that at run time. Within a major version
 *   functions and values of enumerations are added, and nothing else changes. In particular no
 *   structure changes: it has no size and no reserved fields, because additional data about a word,
 *   say, comes from another function with its own structure.
 *
 * Environment. speech_engine_load() reads SPEECH_BUNDLE and SPEECH_THREADS for options that are not
 *   set: do not change the environment on another thread during that call.
 */

#ifndef SPEECH_H
#define SPEECH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of this header; speech_version() returns the library's.
#define SPEECH_VERSION "0.1.0"
#define SPEECH_VERSION_MAJOR 0
#define SPEECH_VERSION_MINOR 1
#define SPEECH_VERSION_PATCH 0

// Checks that the running library is compatible with this header: see speech_abi_check().
#define SPEECH_ABI_CHECK(error) speech_abi_check(SPEECH_ABI_MAJOR, SPEECH_ABI_MINOR, (error))

// The length of a text that ends at its first NUL byte.
#define SPEECH_NUL_TERMINATED SIZE_MAX

// On Windows, imports functions from a DLL. Define SPEECH_STATIC to link statically.
#if defined(_WIN32) && !defined(SPEECH_STATIC)
#define SPEECH_API __declspec(dllimport)
#else
#define SPEECH_API
#endif

// Annotations for Swift and Objective-C: whether a pointer may be NULL (by default it must not,
// except values received by outputs), and the names of enumerations in Swift.
#if defined(__OBJC__) && defined(__clang__)
#define SPEECH_NULLABLE _Nullable
#define SPEECH_NONNULL _Nonnull
#define SPEECH_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define SPEECH_DECLARATIONS_BEGIN \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wnullability-completeness\"") \
  _Pragma("clang diagnostic ignored \"-Wnullability-extension\"") _Pragma("clang assume_nonnull begin")
#define SPEECH_DECLARATIONS_END _Pragma("clang assume_nonnull end") _Pragma("clang diagnostic pop")
#else
#define SPEECH_NULLABLE
#define SPEECH_NONNULL
#define SPEECH_SWIFT_NAME(name)
#define SPEECH_DECLARATIONS_BEGIN
#define SPEECH_DECLARATIONS_END
#endif

// An open enumeration with 32-bit values on every platform: values may be unknown to this header.
#if defined(__cplusplus)
#define SPEECH_ENUM(name, swift) enum SPEECH_SWIFT_NAME(swift) name : int32_t
#elif defined(__OBJC__)
#define SPEECH_ENUM(name, swift) \
  typedef enum __attribute__((enum_extensibility(open))) SPEECH_SWIFT_NAME(swift) name : int32_t name; \
  enum name : int32_t
#else
#define SPEECH_ENUM(name, swift) typedef int32_t name; enum name
#endif

SPEECH_DECLARATIONS_BEGIN

// The major number of the binary interface: programs compiled with another one are incompatible.
#define SPEECH_ABI_MAJOR 1

// The minor number of the binary interface: it increases with additions.
#define SPEECH_ABI_MINOR 0

// The default sample rate, in hertz.
#define SPEECH_SAMPLE_RATE 22050

// The longest text of one request, in characters: Unicode scalar values.
#define SPEECH_MAX_CHARACTERS 1000

// The longest audio of one request, in seconds, pauses included.
#define SPEECH_MAX_SECONDS 1200

// The longest total of the pauses in one request, in seconds.
#define SPEECH_MAX_PAUSE_SECONDS 300

// The result of every function that can fail: SPEECH_OK, SPEECH_END, or the kind of failure.
//
// A newer library may return numbers that this header does not name: treat them as
// SPEECH_INTERNAL. Numbers never change their meaning. The numbers 10 to 20 are for services built
// on the library; no function here returns them.
SPEECH_ENUM(speech_status, SpeechStatus) {
  // Success.
  SPEECH_OK SPEECH_SWIFT_NAME(ok) = 0,
  // The text is empty or only whitespace.
  SPEECH_EMPTY_TEXT SPEECH_SWIFT_NAME(emptyText) = 1,
  // The text is over the limit of 1,000 characters.
  SPEECH_TEXT_TOO_LONG SPEECH_SWIFT_NAME(textTooLong) = 2,
  // An unsupported language, voice or format, a malformed request, or a wrong argument: NULL, a
  // freed handle, text that is not UTF-8, an option out of range.
  SPEECH_INVALID_REQUEST SPEECH_SWIFT_NAME(invalidRequest) = 3,
  // A latency tier that this deployment cannot serve, or an unknown tier.
  SPEECH_INVALID_TIER SPEECH_SWIFT_NAME(invalidTier) = 4,
  // A missing or wrong API key.
  SPEECH_UNAUTHORIZED SPEECH_SWIFT_NAME(unauthorized) = 10,
  // No such resource.
  SPEECH_NOT_FOUND SPEECH_SWIFT_NAME(notFound) = 11,
  // The resource does not support this method.
  SPEECH_METHOD_NOT_ALLOWED SPEECH_SWIFT_NAME(methodNotAllowed) = 12,
  // The request body is over the limit.
  SPEECH_REQUEST_TOO_LARGE SPEECH_SWIFT_NAME(requestTooLarge) = 13,
  // The media type of the request body is not supported.
  SPEECH_UNSUPPORTED_MEDIA_TYPE SPEECH_SWIFT_NAME(unsupportedMediaType) = 14,
  // A queue is full: try again later.
  SPEECH_OVERLOADED SPEECH_SWIFT_NAME(overloaded) = 20,
  // The voice bundle is missing, damaged or of the wrong version.
  SPEECH_MODEL_ERROR SPEECH_SWIFT_NAME(modelError) = 30,
  // Any other fault of the library.
  SPEECH_INTERNAL SPEECH_SWIFT_NAME(internal) = 31,
  // The caller stopped the synthesis.
  SPEECH_CANCELLED SPEECH_SWIFT_NAME(cancelled) = 40,
  // The end of a stream: not a failure, so there is no error object.
  SPEECH_END SPEECH_SWIFT_NAME(end) = 100,
};

// The level of a log message.
SPEECH_ENUM(speech_log_level, SpeechLogLevel) {
  // A failure, which a call also returns.
  SPEECH_LOG_ERROR SPEECH_SWIFT_NAME(error) = 1,
  // A problem despite which the library continues.
  SPEECH_LOG_WARNING SPEECH_SWIFT_NAME(warning) = 2,
  // The loaded components.
  SPEECH_LOG_INFO SPEECH_SWIFT_NAME(info) = 3,
  // The duration of each step.
  SPEECH_LOG_DEBUG SPEECH_SWIFT_NAME(debug) = 4,
};

// The latency of a stream's first chunk.
SPEECH_ENUM(speech_latency, SpeechLatency) {
  // A sentence is returned when all of it is computed; the default.
  SPEECH_LATENCY_STANDARD SPEECH_SWIFT_NAME(standard) = 0,
  // The first half second of a long first sentence is returned before the rest is computed.
  SPEECH_LATENCY_LOW SPEECH_SWIFT_NAME(low) = 1,
};

// The networks that compute the speech.
SPEECH_ENUM(speech_quality, SpeechQuality) {
  // The first of the qualities below that the voice bundle has for the voice and the language;
  // the default.
  SPEECH_QUALITY_AUTO SPEECH_SWIFT_NAME(auto) = 0,
  // The reference quality.
  SPEECH_QUALITY_FULL SPEECH_SWIFT_NAME(full) = 1,
  // The timings and the melody of SPEECH_QUALITY_FULL with less computation.
  SPEECH_QUALITY_FAST SPEECH_SWIFT_NAME(fast) = 2,
  // The least computation.
  SPEECH_QUALITY_LIGHT SPEECH_SWIFT_NAME(light) = 3,
};

// The encoding of samples as bytes. Every encoding is made from the same 16-bit samples.
SPEECH_ENUM(speech_encoding, SpeechEncoding) {
  // A 16-bit integer, little-endian; the default.
  SPEECH_ENCODING_PCM16 SPEECH_SWIFT_NAME(pcm16) = 0,
  // A 32-bit float from -1 to 1, little-endian.
  SPEECH_ENCODING_FLOAT32 SPEECH_SWIFT_NAME(float32) = 1,
  // The nearest 8-bit mu-law code (ITU-T G.711).
  SPEECH_ENCODING_MULAW SPEECH_SWIFT_NAME(mulaw) = 2,
  // The nearest 8-bit A-law code (ITU-T G.711).
  SPEECH_ENCODING_ALAW SPEECH_SWIFT_NAME(alaw) = 3,
};

// The kind of a diagnostic. A newer library may have kinds that this header does not name.
SPEECH_ENUM(speech_diagnostic_kind, SpeechDiagnosticKind) {
  // Characters that were not spoken, such as emoji and control characters.
  SPEECH_DIAGNOSTIC_SKIPPED SPEECH_SWIFT_NAME(skipped) = 1,
};

// A latency tier: how much audio lookahead an encoder may use before it commits to text.
SPEECH_ENUM(speech_tier, SpeechTier) {
  // 80 ms of lookahead.
  SPEECH_TIER_ULTRA SPEECH_SWIFT_NAME(ultra) = 1,
  // 320 ms of lookahead.
  SPEECH_TIER_TURBO SPEECH_SWIFT_NAME(turbo) = 2,
  // 560 ms of lookahead; the default.
  SPEECH_TIER_STANDARD SPEECH_SWIFT_NAME(standard) = 3,
  // 1.12 s of lookahead.
  SPEECH_TIER_ECONOMY SPEECH_SWIFT_NAME(economy) = 4,
};

// The use that a tier is chosen for.
SPEECH_ENUM(speech_use_case, SpeechUseCase) {
  // A person waits in mid-sentence: live captions, a voice agent, interpreting.
  SPEECH_USE_CASE_MID_SENTENCE SPEECH_SWIFT_NAME(midSentence) = 1,
  // A person waits for a whole utterance: voice search, dictation.
  SPEECH_USE_CASE_WHOLE_UTTERANCE SPEECH_SWIFT_NAME(wholeUtterance) = 2,
  // Nothing waits: recorded calls, archives, subtitles.
  SPEECH_USE_CASE_NOTHING_WAITS SPEECH_SWIFT_NAME(nothingWaits) = 3,
  // Anything else.
  SPEECH_USE_CASE_OTHER SPEECH_SWIFT_NAME(other) = 4,
};

// Speech, mono, at the sample rate of the request: a whole text (speech_engine_synthesize()) or a
// chunk (speech_stream_next()), which is one sentence with the pause after it, or a part of one.
// Immutable.
typedef struct speech_audio speech_audio;

// Stops one or more syntheses. One token may be used for any number of calls; once cancelled it
// stays cancelled.
typedef struct speech_cancel_token speech_cancel_token;

// A loaded voice bundle, ready to synthesize. Load one and share it: calls of any number of
// threads run in parallel, and the samples do not depend on their number.
typedef struct speech_engine speech_engine;

// Options for loading an engine, each with a default. One object may load any number of engines.
typedef struct speech_engine_options speech_engine_options;

// The reason why a call failed. Immutable.
typedef struct speech_error speech_error;

// Words and their pronunciations. Immutable; any number of requests may share one.
typedef struct speech_lexicon speech_lexicon;

// A text to speak and its settings. It may be used for any number of calls, and changed between
// them; running calls are not affected.
typedef struct speech_request speech_request;

// Splits a text that arrives in pieces, such as the tokens of a language model, into sentences.
typedef struct speech_segmenter speech_segmenter;

// The speech of a text, one sentence at a time.
typedef struct speech_stream speech_stream;

// The parts of a text, in order. Immutable.
typedef struct speech_text_parts speech_text_parts;

// The tiers, and which of them one deployment can run. Immutable.
typedef struct speech_tiers speech_tiers;

// Called once, when the library no longer needs the memory. May be called from any thread. It must
// not throw or longjmp, and must not call the library.
typedef void (*speech_release_callback)(void *SPEECH_NULLABLE userdata, const uint8_t *data, size_t length);

// Receives a log message of the library: one line of UTF-8, without a line feed, never with any of
// the spoken text. The message is valid only during the call.
//
// Called from any thread, possibly concurrently. It must not throw or longjmp. It may call the
// library; messages logged during those calls are dropped.
typedef void (*speech_log_callback)(void *SPEECH_NULLABLE userdata,
                                    speech_log_level level,
                                    const char *message);

// A byte range of the text as sent.
typedef struct {
  // The first byte.
  size_t begin;
  // The byte after the last.
  size_t end;
} speech_span;

// The timestamp of a word, in seconds from the start of the whole speech, also in a chunk. A
// number such as "12" is one word, however many words it is read as.
typedef struct {
  // The word in the text.
  speech_span span;
  // The start.
  double start_seconds;
  // The end.
  double end_seconds;
} speech_word;

// The timestamp of a phoneme, in seconds from the start of the whole speech, also in a chunk.
typedef struct {
  // The phoneme in IPA, preceded by the stress mark if stressed.
  const char *ipa;
  // The phoneme's word in the text.
  speech_span span;
  // The start.
  double start_seconds;
  // The end.
  double end_seconds;
} speech_phoneme;

// The timestamp of a viseme, in seconds from the start of the whole speech, also in a chunk. There
// are no gaps between visemes.
typedef struct {
  // The name, one of the 15 of OVR LipSync: "sil", "PP", "aa" and so on.
  const char *name;
  // The viseme ID, 0 to 21, of Azure Speech.
  uint32_t azure;
  // The start.
  double start_seconds;
  // The end.
  double end_seconds;
} speech_viseme;

// The timestamp of a sentence, from its first word to the end of its last, in seconds from the
// start of the whole speech, also in a chunk.
typedef struct {
  // The sentence in the text.
  speech_span span;
  // The start.
  double start_seconds;
  // The end.
  double end_seconds;
} speech_sentence;

// The timestamp of an SSML mark, in seconds from the start of the whole speech, also in a chunk.
typedef struct {
  // The `name` of the element.
  const char *name;
  // The time.
  double seconds;
} speech_mark;

// A part of the text that was not spoken as written.
typedef struct {
  // The kind.
  speech_diagnostic_kind kind;
  // The part of the text.
  speech_span span;
} speech_diagnostic;

// A voice.
typedef struct {
  // The identifier used in requests, such as "aria".
  const char *id;
  // The display name, such as "Aria".
  const char *name;
} speech_voice;

// An entry of a deployment's catalog of tiers.
typedef struct {
  // The tier.
  speech_tier tier;
  // The price in millionths of a US dollar per second of audio.
  uint32_t rate_micros;
  // The price in US dollars per second of audio.
  double rate_usd_per_second;
  // The lookahead: the latency without network time and the client's frame length.
  uint32_t latency_ms;
  // The left context of `att_context_size`, in encoder frames of 80 ms.
  uint32_t left_context;
  // The right context of `att_context_size`, in encoder frames of 80 ms.
  uint32_t right_context;
  // Whether this deployment can run the tier.
  bool available;
} speech_tier_entry;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ---- VERSIONS ---- */

// The version of the running library, such as "0.1.0". Compare it with SPEECH_VERSION, the version
// of this header. The string is static.
SPEECH_API const char *speech_version(void);

// The binary interface of the running library: the major number times 65,536 plus the minor
// number.
SPEECH_API uint32_t speech_abi_version(void);

// The version of the voice bundle format that the library reads.
SPEECH_API uint32_t speech_bundle_format_version(void);

// Checks whether a program compiled with this header can use the running library: the major
// numbers must be equal, and the minor number must not be newer than the library's. Call it once
// at the start, as `SPEECH_ABI_CHECK(&error)`, which passes the header's numbers.
//
// Fails with SPEECH_INVALID_REQUEST; the message tells whether the header or the library is too
// old.
SPEECH_API
speech_status speech_abi_check(uint32_t header_major,
                               uint32_t header_minor,
                               speech_error **SPEECH_NULLABLE error);

/* ---- ERRORS ---- */

// The status returned with the error; SPEECH_OK if `error` is NULL or was freed.
SPEECH_API speech_status speech_error_status(const speech_error *SPEECH_NULLABLE error);

// The contract's machine-readable type, such as "text_too_long": the result of
// speech_status_type() for the status. The string is static. "" if `error` is NULL or was freed.
SPEECH_API const char *speech_error_type(const speech_error *SPEECH_NULLABLE error);

// The message for people: one line, in English, without any of the request's text. "" if `error`
// is NULL or was freed.
SPEECH_API const char *speech_error_message(const speech_error *SPEECH_NULLABLE error);

// The exact cause, as a key: `bundle_not_found`, `file_missing`, `file_damaged`,
// `file_unreadable`, `bundle_too_old`, `bundle_too_new`, `incompatible_model`,
// `unsupported_backend`, `latency_needs_stream` or `quality_not_in_bundle`. A newer library may
// have more. "" if there is no detail beyond the type, or if `error` is NULL or was freed.
SPEECH_API const char *speech_error_detail(const speech_error *SPEECH_NULLABLE error);

// The file of the voice bundle at fault. "" if there is none, or if `error` is NULL or was freed.
SPEECH_API const char *speech_error_path(const speech_error *SPEECH_NULLABLE error);

// Advice for the user, as a key that your program translates into its own words: `install_voices`,
// `reinstall_voices`, `update_voices`, `update_library`, `check_bundle_path`, `use_stream` or
// `split_text`. A newer library may have more. "" if there is no advice, or if `error` is NULL or
// was freed.
SPEECH_API const char *speech_error_advice(const speech_error *SPEECH_NULLABLE error);

// The identifier of the failed request, a UUID, for the log. "" if `error` is NULL or was freed.
SPEECH_API const char *speech_error_request_id(const speech_error *SPEECH_NULLABLE error);

// The error as JSON, for a service's response:
// `{"error": {"type": ..., "message": ..., "request_id": ...}}`. "" if `error` is NULL or was
// freed.
SPEECH_API const char *speech_error_json(const speech_error *SPEECH_NULLABLE error);

// Whether the same request may succeed later: true for SPEECH_OVERLOADED, which no function here
// returns. False if `error` is NULL or was freed.
SPEECH_API bool speech_error_is_retryable(const speech_error *SPEECH_NULLABLE error);

// Frees an error with its strings.
SPEECH_API void speech_error_free(speech_error *SPEECH_NULLABLE error);

// The contract's name of a status, such as "text_too_long"; "ok" for SPEECH_OK, "end" for
// SPEECH_END, and NULL for an unknown number. The string is static.
SPEECH_API const char *SPEECH_NULLABLE speech_status_type(speech_status status);

/* ---- ENGINE OPTIONS ---- */

// Makes options with default values. Free them with speech_engine_options_free().
SPEECH_API speech_engine_options *speech_engine_options_new(void);

// Sets the voice bundle's path: its directory, or an uncompressed tar file of the same content.
// The default is the value of the environment variable SPEECH_BUNDLE, or
// `../share/libspeech/voices` relative to the library's folder. The path is copied, and read when
// an engine is loaded. The bundle must not change during that; if it is mapped, not until the
// engines loaded from it, and their streams, are freed: see
// speech_engine_options_set_map_bundle().
//
// Of the three options for the bundle the last one set counts.
SPEECH_API
speech_status speech_engine_options_set_bundle_path(speech_engine_options *options,
                                                    const char *path,
                                                    speech_error **SPEECH_NULLABLE error);

// Sets a voice bundle in memory: an uncompressed tar file of `length` bytes. It is not copied: it
// must stay valid and unchanged until `release` is called with `userdata`, `data` and `length`.
// That happens at the latest when the options, the engines loaded from them and their streams are
// freed. `release` may be NULL: then the memory must stay valid until those are freed and no call
// is inside them.
//
// Of the three options for the bundle the last one set counts. If this fails, `release` is not
// called.
SPEECH_API
speech_status speech_engine_options_set_bundle_memory(speech_engine_options *options,
                                                      const uint8_t *data,
                                                      size_t length,
                                                      speech_release_callback SPEECH_NULLABLE release,
                                                      void *SPEECH_NULLABLE userdata,
                                                      speech_error **SPEECH_NULLABLE error);

// Sets a voice bundle in an open file: an uncompressed tar file of `length` bytes from `offset`,
// or up to the end if `length` is 0. An uncompressed asset of an Android application is such a
// range. The file descriptor is duplicated, and the caller still owns it. The file must be a
// regular file.
//
// Of the three options for the bundle the last one set counts. Fails with SPEECH_INVALID_REQUEST
// if the descriptor is not open, and on Windows.
SPEECH_API
speech_status speech_engine_options_set_bundle_fd(speech_engine_options *options,
                                                  int fd,
                                                  uint64_t offset,
                                                  uint64_t length,
                                                  speech_error **SPEECH_NULLABLE error);

// Sets whether the bundle's large files (86 MB) are mapped into memory (true) or read (false).
// Mapped files are shared by processes, and the system may evict unused pages; but if a file is
// truncated, or its disk or network fails, while an engine or one of its streams lives, the
// process dies (SIGBUS). Files that are read are memory of the process, shared by its engines;
// later changes to the files do not matter. By default files are mapped on Windows, which refuses
// to truncate a mapped file, and on Android and iOS, where they are in the application's package;
// elsewhere they are read. This option has no effect on a bundle in memory.
SPEECH_API
speech_status speech_engine_options_set_map_bundle(speech_engine_options *options,
                                                   bool map,
                                                   speech_error **SPEECH_NULLABLE error);

// Sets the number of threads that compute one sentence: 1 to 256. The default is the value of the
// environment variable SPEECH_THREADS, or the number of processor cores, but at most 4. The
// samples do not depend on it.
//
// speech_engine_load() rejects a number out of range.
SPEECH_API
speech_status speech_engine_options_set_threads(speech_engine_options *options,
                                                size_t threads,
                                                speech_error **SPEECH_NULLABLE error);

// Sets the number of sentences that may be computed at once, for different calls: 1 to 256, by
// default 1. Others wait in a queue. Each needs memory. All share the engine's threads if it has
// more than one; with one thread, each is computed on its own thread.
//
// speech_engine_load() rejects a number out of range.
SPEECH_API
speech_status speech_engine_options_set_max_concurrency(speech_engine_options *options,
                                                        size_t max_concurrency,
                                                        speech_error **SPEECH_NULLABLE error);

// Sets the kernels (the instruction set) by name: `auto` (the default: the fastest that the
// processor supports), `portable`, which every processor supports, or another. The message for an
// unknown name lists them. The difference is inaudible, but the last bits of the samples differ
// between sets.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() rejects a set that
// the processor does not support.
SPEECH_API
speech_status speech_engine_options_set_kernels(speech_engine_options *options,
                                                const char *kernels,
                                                speech_error **SPEECH_NULLABLE error);

// Sets the precision of the vocoder's products by name: `auto` (the default), `fp32`, `int16` or
// `bf16`. `auto` is the fastest that the processor supports: bf16 with AMX or Armv8.6, int16 with
// AVX512-VNNI or AVX2, otherwise fp32. The difference is inaudible.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() rejects a precision
// that the processor does not support.
SPEECH_API
speech_status speech_engine_options_set_precision(speech_engine_options *options,
                                                  const char *precision,
                                                  speech_error **SPEECH_NULLABLE error);

// Adds a pronunciation to the engine's lexicon, or replaces an earlier one for the same words. It
// applies wherever the words occur as whole words, including possessives. The longest match wins,
// and a match in the same case wins over one in another case. `reading` is IPA between slashes, as
// in dictionaries or in Kokoro's symbols (`/ˈfoʊni/`), or other words to read instead. Both
// strings are copied.
//
// Fails with SPEECH_INVALID_REQUEST if a string is empty or longer than 200 bytes, or the IPA has
// an unknown symbol, whose position the message gives.
SPEECH_API
speech_status speech_engine_options_add_pronunciation(speech_engine_options *options,
                                                      const char *words,
                                                      const char *reading,
                                                      speech_error **SPEECH_NULLABLE error);

// Sets the size in bytes of the engine's cache of sentence audio, for requests that repeat
// sentences: 0, the default, disables it, and 256 MiB hold 46 minutes. A cached sentence has the
// same bytes as a computed one, and waits for no other request. The least recently used sentence
// is evicted first; speech_engine_trim() empties the cache.
SPEECH_API
speech_status speech_engine_options_set_cache(speech_engine_options *options,
                                              size_t bytes,
                                              speech_error **SPEECH_NULLABLE error);

// Sets the callback for log messages of `level` and more serious ones. By default, and with NULL,
// nothing is logged; the library writes its log nowhere else. Each engine's callback receives the
// messages of all engines.
//
// The callback and its userdata must be valid while speech_engine_load() runs with these options,
// and until speech_engine_free() of each engine loaded with them has returned; it is not called
// after that. (Only an engine freed inside a log callback, its own or another engine's, does not
// wait for other threads in its callback.)
SPEECH_API
speech_status speech_engine_options_set_log_callback(speech_engine_options *options,
                                                     speech_log_callback SPEECH_NULLABLE callback,
                                                     void *SPEECH_NULLABLE userdata,
                                                     speech_log_level level,
                                                     speech_error **SPEECH_NULLABLE error);

// Frees options. Engines loaded with them are not affected.
SPEECH_API void speech_engine_options_free(speech_engine_options *SPEECH_NULLABLE options);

/* ---- ENGINES ---- */

// Loads an engine, and reads the whole voice bundle to verify it: in 0.05 to 0.2 s on an idle
// server that has cached the files. `options` may be NULL for the defaults.
//
// Free it with speech_engine_free(). Fails with SPEECH_MODEL_ERROR if the bundle is missing,
// damaged or of the wrong version (the message names the file), and with SPEECH_INVALID_REQUEST if
// an option is out of range, or the processor does not support the kernels or the precision that
// it names.
SPEECH_API
speech_status speech_engine_load(const speech_engine_options *SPEECH_NULLABLE options,
                                 speech_engine **SPEECH_NONNULL engine,
                                 speech_error **SPEECH_NULLABLE error);

// The number of threads that compute one sentence.
SPEECH_API size_t speech_engine_threads(const speech_engine *engine);

// Synthesizes a few words and discards them, so that the first request finds everything in memory.
// Call it once after speech_engine_load(), if there is time: it takes about as long as a short
// sentence. If the engine's cache has these words, it computes nothing.
SPEECH_API
speech_status speech_engine_warm_up(const speech_engine *engine,
                                    speech_error **SPEECH_NULLABLE error);

// Frees the scratch memory kept for the next request (up to about 64 MB), and empties the cache.
// Call it when no request is expected for a while, or when the system is short of memory. The
// voices stay loaded, and the next request is a little slower. Running requests keep the memory
// they use.
SPEECH_API
speech_status speech_engine_trim(const speech_engine *engine,
                                 speech_error **SPEECH_NULLABLE error);

// The name of the kernels (the instruction set) in use, such as "avx2" or "portable", never
// "auto". The string is static.
SPEECH_API const char *speech_engine_kernels(const speech_engine *engine);

// The precision of the vocoder's products: "fp32", "int16" or "bf16", never "auto". The string is
// static.
SPEECH_API const char *speech_engine_precision(const speech_engine *engine);

// Whether the voice bundle has a quality for a voice in a language. SPEECH_QUALITY_AUTO stands for
// any quality: false means that the bundle lacks the voice in this language.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown voice, language or quality.
SPEECH_API
speech_status speech_engine_has_quality(const speech_engine *engine,
                                        const char *voice,
                                        const char *language,
                                        speech_quality quality,
                                        bool *has,
                                        speech_error **SPEECH_NULLABLE error);

// Synthesizes a whole text. A text with nothing speakable in it, such as an emoji alone, gives a
// short silence. Rejects a request for low latency, which is for streams.
//
// `cancel` may be NULL; otherwise cancelling it, from any thread, ends the call with
// SPEECH_CANCELLED.
//
// `audio` receives a new object: free it with speech_audio_free(). Fails with SPEECH_EMPTY_TEXT,
// SPEECH_TEXT_TOO_LONG, SPEECH_INVALID_REQUEST, SPEECH_CANCELLED or SPEECH_INTERNAL.
SPEECH_API
speech_status speech_engine_synthesize(const speech_engine *engine,
                                       const speech_request *request,
                                       const speech_cancel_token *SPEECH_NULLABLE cancel,
                                       speech_audio **SPEECH_NONNULL audio,
                                       speech_error **SPEECH_NULLABLE error);

// Starts a stream of a text, from which speech_stream_next() returns one sentence at a time.
//
// `cancel` may be NULL; otherwise cancelling it, from any thread, ends the stream with
// SPEECH_CANCELLED.
//
// `stream` receives a new object: free it with speech_stream_free(). It stays valid after the
// engine or the request is freed. Fails as speech_request_validate() does, and with
// SPEECH_INVALID_REQUEST for a quality that the voice bundle lacks. Nothing is computed yet.
SPEECH_API
speech_status speech_engine_stream(const speech_engine *engine,
                                   const speech_request *request,
                                   const speech_cancel_token *SPEECH_NULLABLE cancel,
                                   speech_stream **SPEECH_NONNULL stream,
                                   speech_error **SPEECH_NULLABLE error);

// Starts a stream of a live text, which arrives in pieces such as the tokens of a language model.
// speech_stream_push() adds pieces, and speech_stream_next() returns chunks as soon as they are
// computed, on another thread. The text of the request, which may be empty, is the first piece.
// With low latency, the beginning of a sentence is spoken before the rest has arrived if no other
// audio is left to play. The text may have any length; at most one chunk is computed ahead of the
// last one taken.
//
// `cancel` may be NULL; otherwise cancelling it, from any thread, ends the stream with
// SPEECH_CANCELLED.
//
// `stream` receives a new object: free it with speech_stream_free(). It stays valid after the
// engine or the request is freed. Fails with SPEECH_INVALID_REQUEST for settings out of range, for
// a quality that the voice bundle lacks, and for SSML, which must be complete.
SPEECH_API
speech_status speech_engine_live(const speech_engine *engine,
                                 const speech_request *request,
                                 const speech_cancel_token *SPEECH_NULLABLE cancel,
                                 speech_stream **SPEECH_NONNULL stream,
                                 speech_error **SPEECH_NULLABLE error);

// Starts a stream of a text of any length, one sentence at a time: as speech_engine_live(), with
// the whole text available. Spans count bytes of the whole text, so a chunk's span end divided by
// the text's length is the progress.
//
// `cancel` may be NULL; it and `stream` are as for speech_engine_live(). Fails as that function
// does, with SPEECH_EMPTY_TEXT, and with SPEECH_INVALID_REQUEST for pauses whose total exceeds
// SPEECH_MAX_PAUSE_SECONDS for each started 1,000 characters of text.
SPEECH_API
speech_status speech_engine_stream_long(const speech_engine *engine,
                                        const speech_request *request,
                                        const speech_cancel_token *SPEECH_NULLABLE cancel,
                                        speech_stream **SPEECH_NONNULL stream,
                                        speech_error **SPEECH_NULLABLE error);

// Frees an engine. Calls inside it on other threads finish normally, and its streams stay valid;
// the last of them releases its memory. When this returns, its log callback is no longer called.
SPEECH_API void speech_engine_free(speech_engine *SPEECH_NULLABLE engine);

/* ---- CANCELLATION ---- */

// Makes a new token. Free it with speech_cancel_token_free().
SPEECH_API speech_cancel_token *speech_cancel_token_new(void);

// Stops every synthesis that uses this token, now or later, even inside a running inference.
// Returns at once; the stopped calls return SPEECH_CANCELLED shortly after. Further calls do
// nothing.
//
// Thread-safe. Not async-signal-safe.
SPEECH_API
speech_status speech_cancel_token_cancel(const speech_cancel_token *token,
                                         speech_error **SPEECH_NULLABLE error);

// Whether the token has been cancelled.
SPEECH_API bool speech_cancel_token_is_cancelled(const speech_cancel_token *token);

// Frees a token. Calls that use it continue, and can no longer be stopped by it.
SPEECH_API void speech_cancel_token_free(speech_cancel_token *SPEECH_NULLABLE token);

// Parses a lexicon of at most 5,000 entries from `text`, which is `length` bytes, or ends with a
// NUL byte if `length` is SPEECH_NUL_TERMINATED. Each line is an entry: words and their reading,
// separated by a tab, as for speech_engine_options_add_pronunciation(). Empty lines and lines that
// begin with `#` are comments; of two entries for the same words the later counts.
//
// Free it with speech_lexicon_free(). Fails with SPEECH_INVALID_REQUEST; the message gives the
// line.
SPEECH_API
speech_status speech_lexicon_parse(const char *text,
                                   size_t length,
                                   speech_lexicon **SPEECH_NONNULL lexicon,
                                   speech_error **SPEECH_NULLABLE error);

// Parses a lexicon in the W3C's Pronunciation Lexicon Specification 1.0 for texts in the language
// of its `xml:lang`: at most 5,000 graphemes, with phonemes in the alphabet `ipa` or
// `cmu-arpabet`. `document` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is
// SPEECH_NUL_TERMINATED.
//
// Free it with speech_lexicon_free(). Fails with SPEECH_INVALID_REQUEST for unsupported content;
// the message gives its line and column.
SPEECH_API
speech_status speech_lexicon_from_pls(const char *document,
                                      size_t length,
                                      speech_lexicon **SPEECH_NONNULL lexicon,
                                      speech_error **SPEECH_NULLABLE error);

// The number of entries.
SPEECH_API size_t speech_lexicon_entries(const speech_lexicon *lexicon);

// Frees a lexicon. Requests that use it keep it.
SPEECH_API void speech_lexicon_free(speech_lexicon *SPEECH_NULLABLE lexicon);

/* ---- REQUESTS ---- */

// Makes a request to speak a text in `en-US`, by `aria`; the setters change these.
//
// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
// It is copied. Its limits (1 to 1,000 characters, not only whitespace) are checked on synthesis,
// or by speech_request_validate().
//
// Free it with speech_request_free().
SPEECH_API
speech_status speech_request_new(const char *text,
                                 size_t length,
                                 speech_request **SPEECH_NONNULL request,
                                 speech_error **SPEECH_NULLABLE error);

// Makes a request from a service's JSON, which is `length` bytes, or ends with a NUL byte if
// `length` is SPEECH_NUL_TERMINATED: `{"text": ..., "language": ..., "voice": ..., "format": ...,
// "latency": ..., "quality": ..., "sample_rate": ..., "encoding": ..., "rate": ..., "pitch": ...,
// "volume": ..., "ssml": ..., "read_pauses": ..., "read_emoji": ..., "read_romanized_hindi": ...,
// "pronunciations": {words: reading, ...}}`, of which only the text is required. Unknown fields
// are ignored. The format, `wav` or `pcm`, is checked and otherwise ignored: an audio object
// provides both.
//
// Free it with speech_request_free(). Fails with SPEECH_INVALID_REQUEST if the JSON is malformed,
// has no text, or a field has the wrong type (null is wrong for every field) or an unsupported
// value. A text with an escaped NUL is rejected on synthesis, or by speech_request_validate().
SPEECH_API
speech_status speech_request_from_json(const char *json,
                                       size_t length,
                                       speech_request **SPEECH_NONNULL request,
                                       speech_error **SPEECH_NULLABLE error);

// Sets the language, a BCP 47 tag: `en-US` (the default) or `hi-IN`.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown language; the message lists the tags.
SPEECH_API
speech_status speech_request_set_language(speech_request *request,
                                          const char *language,
                                          speech_error **SPEECH_NULLABLE error);

// Sets the voice by its identifier: `aria` (the default), `jason`, `john`, `leo` or `sofia`.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown voice; the message lists the voices.
SPEECH_API
speech_status speech_request_set_voice(speech_request *request,
                                       const char *voice,
                                       speech_error **SPEECH_NULLABLE error);

// Sets whether emoji are read by name ("red heart"). By default they are skipped, and listed in
// the diagnostics.
SPEECH_API
speech_status speech_request_set_read_emoji(speech_request *request,
                                            bool read,
                                            speech_error **SPEECH_NULLABLE error);

// Sets whether romanized Hindi ("kal milte hain") is read as Hindi. On by default; if off, its
// words are read as English.
SPEECH_API
speech_status speech_request_set_read_romanized_hindi(speech_request *request,
                                                      bool read,
                                                      speech_error **SPEECH_NULLABLE error);

// Sets the speaking rate, a factor of the voice's natural rate: 0.5 to 2; 1 by default. Vowels and
// pauses are stretched more than consonants. The range is checked when the request is used, or by
// speech_request_validate().
SPEECH_API
speech_status speech_request_set_rate(speech_request *request,
                                      double factor,
                                      speech_error **SPEECH_NULLABLE error);

// Sets the pitch in semitones relative to the voice's own, -6 to 6; 0 by default. Formants are not
// shifted. The range is checked when the request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_pitch(speech_request *request,
                                       double semitones,
                                       speech_error **SPEECH_NULLABLE error);

// Sets the volume in decibels relative to the voice's own, -40 to 12; 0 by default. Every sentence
// gets the same gain. A limiter keeps peaks at or below -0.3 dBFS, so nothing is clipped; from
// about 6 dB on, it reduces the effective gain. The range is checked when the request is used, or
// by speech_request_validate().
SPEECH_API
speech_status speech_request_set_volume(speech_request *request,
                                        double decibels,
                                        speech_error **SPEECH_NULLABLE error);

// Sets whether the text is an SSML 1.1 document. By default it is plain text. It is checked when
// the request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_ssml(speech_request *request,
                                      bool ssml,
                                      speech_error **SPEECH_NULLABLE error);

// Sets whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. On by default.
SPEECH_API
speech_status speech_request_set_read_pauses(speech_request *request,
                                             bool read,
                                             speech_error **SPEECH_NULLABLE error);

// Adds a pronunciation to this request, or replaces an earlier one for the same words: as
// speech_engine_options_add_pronunciation(), and with precedence over those. At most 200, together
// at most 16,384 bytes. Both strings are copied.
//
// Fails with SPEECH_INVALID_REQUEST as that function does, and beyond these limits.
SPEECH_API
speech_status speech_request_add_pronunciation(speech_request *request,
                                               const char *words,
                                               const char *reading,
                                               speech_error **SPEECH_NULLABLE error);

// Adds a lexicon to the request. It is searched after the request's own pronunciations and earlier
// lexicons, and before the engine's pronunciations.
SPEECH_API
speech_status speech_request_add_lexicon(speech_request *request,
                                         const speech_lexicon *lexicon,
                                         speech_error **SPEECH_NULLABLE error);

// Sets the latency of a stream's first chunk.
//
// With SPEECH_LATENCY_LOW, the first half second of a stream's first sentence is returned before
// the rest is computed, if the sentence lasts longer than about a second: it comes as three chunks
// with the same span. That half second sounds slightly different, because it is computed with the
// voice's average statistics, and fades into the rest, which sounds as with
// SPEECH_LATENCY_STANDARD. A shorter first sentence, such as a single word, is computed in a sixth
// less time, and sounds slightly different. speech_engine_synthesize() rejects a request with low
// latency.
SPEECH_API
speech_status speech_request_set_latency(speech_request *request,
                                         speech_latency latency,
                                         speech_error **SPEECH_NULLABLE error);

// Sets the networks that compute the speech. speech_engine_has_quality() tells which ones an
// engine has; it rejects others, and never substitutes one.
SPEECH_API
speech_status speech_request_set_quality(speech_request *request,
                                         speech_quality quality,
                                         speech_error **SPEECH_NULLABLE error);

// Sets the sample rate in hertz: 8000, 16000, 22050 (the default), 24000, 44100 or 48000. Speech
// is computed at 24,000 Hz with frequencies up to 12,000 Hz, and resampled once to other rates.
// Frequencies reach 3,400 Hz at a rate of 8,000 Hz, 7,200 Hz at 16,000 Hz, and 10,000 Hz at other
// rates. The rate is checked when the request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_sample_rate(speech_request *request,
                                             uint32_t hertz,
                                             speech_error **SPEECH_NULLABLE error);

// Sets the encoding of speech_audio_bytes() and speech_audio_wav().
//
// Fails with SPEECH_INVALID_REQUEST for an unknown number.
SPEECH_API
speech_status speech_request_set_encoding(speech_request *request,
                                          speech_encoding encoding,
                                          speech_error **SPEECH_NULLABLE error);

// Checks a request without synthesizing it: fails if speech_engine_stream() would reject it. Only
// the engine checks whether the voice bundle has its quality.
//
// `characters`, which may be NULL, receives the metered quantity: the number of Unicode scalar
// values in the text.
//
// Fails with SPEECH_EMPTY_TEXT, SPEECH_TEXT_TOO_LONG or SPEECH_INVALID_REQUEST.
SPEECH_API
speech_status speech_request_validate(const speech_request *request,
                                      size_t *SPEECH_NULLABLE characters,
                                      speech_error **SPEECH_NULLABLE error);

// Frees a request.
SPEECH_API void speech_request_free(speech_request *SPEECH_NULLABLE request);

/* ---- AUDIO: a whole text, or a chunk of a stream ---- */

// The samples as 16-bit integers in native byte order. Without low latency, the concatenated
// chunks of a stream equal the audio of the whole text, sample for sample.
SPEECH_API
const int16_t *SPEECH_NULLABLE speech_audio_samples(const speech_audio *audio,
                                                    size_t *count);

// The samples as 32-bit floats from -1 to 1: the integers divided by 32,768. Computed on the first
// call.
SPEECH_API
const float *SPEECH_NULLABLE speech_audio_samples_f32(const speech_audio *audio,
                                                      size_t *count);

// The samples as bytes in the encoding of the request, see speech_encoding. Computed on the first
// call.
SPEECH_API
const uint8_t *SPEECH_NULLABLE speech_audio_bytes(const speech_audio *audio,
                                                  size_t *length);

// A complete RIFF/WAVE file of the samples in the encoding of the request. Computed on the first
// call.
SPEECH_API
const uint8_t *SPEECH_NULLABLE speech_audio_wav(const speech_audio *audio,
                                                size_t *length);

// The sample rate of the request in hertz, SPEECH_SAMPLE_RATE by default.
SPEECH_API uint32_t speech_audio_sample_rate(const speech_audio *audio);

// The encoding of the request, used by speech_audio_bytes() and speech_audio_wav().
SPEECH_API speech_encoding speech_audio_encoding(const speech_audio *audio);

// The duration in seconds.
SPEECH_API double speech_audio_duration(const speech_audio *audio);

// The byte range of the request's text that the audio speaks: for a chunk, its sentence; the whole
// text if it contains nothing speakable.
SPEECH_API speech_span speech_audio_span(const speech_audio *audio);

// The timestamps of the words.
SPEECH_API
const speech_word *SPEECH_NULLABLE speech_audio_words(const speech_audio *audio,
                                                      size_t *count);

// The timestamps of the phonemes.
SPEECH_API
const speech_phoneme *SPEECH_NULLABLE speech_audio_phonemes(const speech_audio *audio,
                                                            size_t *count);

// The timestamps of the visemes.
SPEECH_API
const speech_viseme *SPEECH_NULLABLE speech_audio_visemes(const speech_audio *audio,
                                                          size_t *count);

// The timestamps of the sentences. In a stream, a sentence is in the last of its chunks.
SPEECH_API
const speech_sentence *SPEECH_NULLABLE speech_audio_sentences(const speech_audio *audio,
                                                              size_t *count);

// The timestamps of SSML marks.
SPEECH_API
const speech_mark *SPEECH_NULLABLE speech_audio_marks(const speech_audio *audio,
                                                      size_t *count);

// The diagnostics of the whole text: skipped text. In a chunk of a live or a long text, those so
// far.
SPEECH_API
const speech_diagnostic *SPEECH_NULLABLE speech_audio_diagnostics(const speech_audio *audio,
                                                                  size_t *count);

// The identifier of the request, a UUID.
SPEECH_API const char *speech_audio_request_id(const speech_audio *audio);

// The metered quantity: the number of Unicode scalar values in the whole text as sent.
SPEECH_API size_t speech_audio_characters(const speech_audio *audio);

// The name of the kernels (the instruction set) that computed the audio, such as "avx2" or
// "portable", never "auto". The string is static.
SPEECH_API const char *speech_audio_kernels(const speech_audio *audio);

// The precision of the vocoder's products: "fp32", "int16" or "bf16", never "auto". The string is
// static.
SPEECH_API const char *speech_audio_precision(const speech_audio *audio);

// Frees an audio object with its samples, arrays and strings.
SPEECH_API void speech_audio_free(speech_audio *SPEECH_NULLABLE audio);

/* ---- STREAMS: a text, one sentence at a time ---- */

// Returns the next chunk, one sentence or a part of it, as soon as it is computed. At the end it
// returns SPEECH_END, which is not a failure: there is then no error object and no chunk.
//
// From the first call on, a thread of the stream computes one sentence ahead of the last one
// returned; nothing is computed before that. A sentence that lasts over 16 s comes in parts of at
// most that length. A silence of over one second comes separately, one second at a time. With low
// latency (see speech_request_set_latency()) the first sentence may come as three chunks, all with
// the same span.
//
// `audio` receives a new object: free it with speech_audio_free(). Thread-safe: concurrent calls
// run one after another. Fails with SPEECH_CANCELLED if the stream's token is cancelled or the
// stream is freed during the call, with SPEECH_INVALID_REQUEST once it is known that the speech
// (in a live or a long text, one sentence) would be longer than SPEECH_MAX_SECONDS, or with
// SPEECH_INTERNAL. After a failure every later call fails the same way.
SPEECH_API
speech_status speech_stream_next(speech_stream *stream,
                                 speech_audio **SPEECH_NONNULL audio,
                                 speech_error **SPEECH_NULLABLE error);

// Adds a piece of text to a stream of speech_engine_live(): a token, half a word, a page. A
// sentence is spoken once it is decided; the rest is held back, as in speech_segmenter_push().
// Returns at once.
//
// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is
// SPEECH_NUL_TERMINATED; it must not end inside a character.
//
// Thread-safe, also while another thread is inside speech_stream_next(). Fails with
// SPEECH_INVALID_REQUEST for a stream that takes no text, or no more; the piece is then not taken.
SPEECH_API
speech_status speech_stream_push(speech_stream *stream,
                                 const char *piece,
                                 size_t length,
                                 speech_error **SPEECH_NULLABLE error);

// Speaks everything pushed so far into a stream of speech_engine_live(), as if a sentence ended
// there. More text may follow.
//
// Thread-safe, also while another thread is inside speech_stream_next().
SPEECH_API
speech_status speech_stream_flush(speech_stream *stream,
                                  speech_error **SPEECH_NULLABLE error);

// Ends the text of a stream of speech_engine_live(): the rest is spoken, and then the stream ends.
//
// Thread-safe, also while another thread is inside speech_stream_next().
SPEECH_API
speech_status speech_stream_finish(speech_stream *stream,
                                   speech_error **SPEECH_NULLABLE error);

// The position, in bytes, in the text of a stream of speech_engine_live() or
// speech_engine_stream_long() up to which words have been heard when playback is at `seconds` from
// the start of the stream: for example, when the user interrupts an agent. 0 for other streams.
SPEECH_API
size_t speech_stream_heard_at(const speech_stream *stream,
                              double seconds);

// Whether a stream of speech_engine_live() has more than 16 KiB of text waiting to be spoken. A
// source that is faster than speech should then pause, and check again some milliseconds later;
// speech_stream_push() still accepts text.
SPEECH_API bool speech_stream_is_full(const speech_stream *stream);

// Stops a stream: calls inside it, and later ones, fail with SPEECH_CANCELLED shortly after.
//
// Thread-safe, also while another thread is inside speech_stream_next().
SPEECH_API
speech_status speech_stream_cancel(speech_stream *stream,
                                   speech_error **SPEECH_NULLABLE error);

// The identifier of the request, a UUID.
SPEECH_API const char *speech_stream_request_id(const speech_stream *stream);

// The sample rate of the stream's audio in hertz, as set by the request; SPEECH_SAMPLE_RATE by
// default.
SPEECH_API uint32_t speech_stream_sample_rate(const speech_stream *stream);

// The encoding of the bytes of the stream's audio, as set by the request.
SPEECH_API speech_encoding speech_stream_encoding(const speech_stream *stream);

// The metered quantity: the number of Unicode scalar values in the whole text as sent; for a live
// text, those pushed so far.
SPEECH_API size_t speech_stream_characters(const speech_stream *stream);

// The diagnostics of the whole text: skipped text. In a stream of speech_engine_live() or
// speech_engine_stream_long(), those so far, at most 10,000; they may include a sentence that is
// computed ahead.
//
// In such a stream, pointers returned by this function become invalid when speech_stream_next() is
// called; in every stream, when it is freed.
SPEECH_API
const speech_diagnostic *SPEECH_NULLABLE speech_stream_diagnostics(const speech_stream *stream,
                                                                   size_t *count);

// Frees a stream. Stops the computation ahead, and waits some milliseconds for it to end: when
// this returns, nothing of the stream is running. (Inside a log callback it may not wait.) A call
// inside the stream on another thread is stopped, and returns SPEECH_CANCELLED; then that call
// waits, and this one does not. Audio returned by the stream stays valid.
SPEECH_API void speech_stream_free(speech_stream *SPEECH_NULLABLE stream);

/* ---- TEXTS ---- */

// The number of characters in a text as counted by the limit and the meter: Unicode scalar values.
//
// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
SPEECH_API
speech_status speech_text_characters(const char *text,
                                     size_t length,
                                     size_t *characters,
                                     speech_error **SPEECH_NULLABLE error);

// Splits a text into parts of at most `max_characters` characters, in order: after sentences if
// possible, otherwise after clauses, otherwise between words, and inside a word only if the word
// alone exceeds the limit. Whitespace around the parts is dropped. A request's limit is 1,000; 0
// counts as 1.
//
// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
//
// `parts` receives a new object: free it with speech_text_parts_free().
SPEECH_API
speech_status speech_text_split(const char *text,
                                size_t length,
                                size_t max_characters,
                                speech_text_parts **SPEECH_NONNULL parts,
                                speech_error **SPEECH_NULLABLE error);

// The parts as NUL-terminated strings; none if the text is empty or only whitespace.
SPEECH_API
const char *const *SPEECH_NULLABLE speech_text_parts_strings(const speech_text_parts *parts,
                                                             size_t *count);

// Frees the parts with their strings.
SPEECH_API void speech_text_parts_free(speech_text_parts *SPEECH_NULLABLE parts);

// Makes a segmenter at the start of a text. Free it with speech_segmenter_free().
SPEECH_API speech_segmenter *speech_segmenter_new(void);

// Takes the next piece of the text, and returns the sentences that are now decided, each suitable
// for a request. The rest is held back: a text that ends in "Dr." or "3." may continue either way.
// The sentences do not depend on how the text is divided into pieces.
//
// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is
// SPEECH_NUL_TERMINATED; it must not end inside a character. `sentences` receives a new object,
// which may contain no sentence: free it with speech_text_parts_free().
//
// Thread-safe: concurrent calls run one after another. On failure the piece is not taken.
SPEECH_API
speech_status speech_segmenter_push(speech_segmenter *segmenter,
                                    const char *piece,
                                    size_t length,
                                    speech_text_parts **SPEECH_NONNULL sentences,
                                    speech_error **SPEECH_NULLABLE error);

// Ends the text, and returns the remaining sentences; the segmenter is then ready for another
// text.
//
// `sentences` receives a new object: free it with speech_text_parts_free().
SPEECH_API
speech_status speech_segmenter_finish(speech_segmenter *segmenter,
                                      speech_text_parts **SPEECH_NONNULL sentences,
                                      speech_error **SPEECH_NULLABLE error);

// Frees a segmenter and the text it holds back.
SPEECH_API void speech_segmenter_free(speech_segmenter *SPEECH_NULLABLE segmenter);

/* ---- VOICES ---- */

// The voices, the same for every engine. The array and its strings are static.
SPEECH_API const speech_voice *SPEECH_NULLABLE speech_voices_list(size_t *count);

// The languages, as BCP 47 tags such as "en-US". The array and its strings are static.
SPEECH_API const char *const *SPEECH_NULLABLE speech_voices_languages(size_t *count);

// The identifier of the voice of a request that names none. The string is static.
SPEECH_API const char *speech_voices_default(void);

// The voices, the languages and the limits of a request, as JSON for a service's response. The
// string is static.
SPEECH_API const char *speech_voices_json(void);

/* ---- LATENCY TIERS of the audio-to-text side ---- */

// Makes the catalog of a deployment that can run these `att_context_size` settings: `count`
// pairs of left and right context in encoder frames, as an array of 2 x `count` integers. Settings
// that no tier uses are ignored. (NULL, 0) is a deployment that can run none.
//
// `tiers` receives a new object: free it with speech_tiers_free().
SPEECH_API
speech_status speech_tiers_new(const uint32_t *SPEECH_NULLABLE contexts,
                               size_t count,
                               speech_tiers **SPEECH_NONNULL tiers,
                               speech_error **SPEECH_NULLABLE error);

// The priced tiers; some of them may not be available.
SPEECH_API
const speech_tier_entry *SPEECH_NULLABLE speech_tiers_entries(const speech_tiers *tiers,
                                                              size_t *count);

// The available tiers, the most suitable for a use case first, from which a client chooses in
// advance. Empty for an unknown use case.
SPEECH_API
const speech_tier *SPEECH_NULLABLE speech_tiers_ranked(const speech_tiers *tiers,
                                                       speech_use_case use_case,
                                                       size_t *count);

// The catalog as JSON, for a service's response.
SPEECH_API const char *speech_tiers_json(const speech_tiers *tiers);

// The tier with the name given in a request. Never returns another tier.
//
// Fails with SPEECH_INVALID_TIER if the name is unknown or the tier is not available here; the
// message names the tier.
SPEECH_API
speech_status speech_tiers_resolve(const speech_tiers *tiers,
                                   const char *name,
                                   speech_tier *tier,
                                   speech_error **SPEECH_NULLABLE error);

// Frees a catalog with its arrays and its JSON.
SPEECH_API void speech_tiers_free(speech_tiers *SPEECH_NULLABLE tiers);

// The tier of a request that names none, whether or not it is available.
SPEECH_API speech_tier speech_tier_default(void);

// The name of a tier as used in requests, such as "turbo", and NULL for an unknown number. The
// string is static.
SPEECH_API const char *SPEECH_NULLABLE speech_tier_name(speech_tier tier);

// The price of `nanoseconds` of audio in a tier, in millionths of a US dollar, before any rebate:
// exact, and rounded up to a whole micro-dollar once, at the end. Charge a whole recording at
// once, not its parts.
//
// Fails with SPEECH_INVALID_TIER for an unknown tier.
SPEECH_API
speech_status speech_tier_charge(speech_tier tier,
                                 uint64_t nanoseconds,
                                 uint64_t *micros,
                                 speech_error **SPEECH_NULLABLE error);

// As speech_tier_charge(), for a number of samples at a sample rate in hertz, whose duration need
// not be a whole number of nanoseconds.
//
// Fails with SPEECH_INVALID_TIER for an unknown tier, and with SPEECH_INVALID_REQUEST if the
// sample rate is 0 or the charge exceeds 64 bits.
SPEECH_API
speech_status speech_tier_charge_samples(speech_tier tier,
                                         uint64_t samples,
                                         uint32_t sample_rate,
                                         uint64_t *micros,
                                         speech_error **SPEECH_NULLABLE error);

/* ---- FOR TESTS ---- */

// The number of objects of all types that have not been freed: 0 at the end of a program that
// frees everything. For leak checks in your tests: memory checkers do not report objects that were
// not freed, because the library's registry still refers to them. In a child of fork(), only the
// child's own objects count.
SPEECH_API size_t speech_object_count(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

SPEECH_DECLARATIONS_END

#endif  /* SPEECH_H */
