/*
 * libspeech: speech synthesis that runs inside the application.
 *
 * Text goes in, natural speech comes out: on the CPU, offline, in English (en-US) and Hindi (hi-IN), by
 * five voices, as mono samples at 22,050 Hz or another rate. A whole program:
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
 * Names. Functions are speech_<object>_<verb>. Inputs come first, then outputs (pointers to where results are
 *   written), then the output for an error.
 *
 * Handles. The pointers to the opaque types below are handles, not addresses. Each is the number of an object in a table of
 *   the library, with the type of a pointer so that the compiler tells them apart: do not dereference them. The library looks
 *   every handle up, so a use after free, a second free or a handle of another type is not undefined behavior:
 *   the call fails with SPEECH_INVALID_REQUEST, and a message such as "not a live engine: it was freed, or never was one".
 *   A debugger shows a handle as a small odd number, such as 0x1d, and cannot print what is behind it: print
 *   speech_error_message(error) instead, or the getters of the object. A memory checker does not report an object that was
 *   not freed, because the table refers to it: speech_object_count() counts those.
 *
 * Errors. Every function that can fail returns a speech_status: SPEECH_OK, which is 0, or why it failed. Its
 *   last argument is an output for an error object, which says more; it may be NULL. On failure it receives a
 *   new error, which the caller frees with speech_error_free(), and no other output is written. On success it is
 *   not written. What an output held before is not read: in a loop that goes on after a failure, free the error
 *   and set its variable to NULL first.
 *   At the end of a stream speech_stream_next() returns SPEECH_END, which is not a failure: nothing is written.
 *   Every function with a status can fail with SPEECH_INVALID_REQUEST for a wrong argument (NULL, a handle that is not live,
 *   a text that is not UTF-8) and with SPEECH_INTERNAL; its comment names what else. The library never ends the process,
 *   never prints, and lets no panic or exception out. (Two things do end it: exhausted memory, and a mapped voice bundle that is
 *   truncated, see speech_engine_options_set_map_bundle().)
 *
 * Getters. A function that can fail in no other way than by a wrong handle returns the value: for a handle that is NULL or
 *   not live 0, false, "" or an empty array. An array comes with its length, which `count` receives; an empty one is NULL.
 *
 * Ownership. A function that writes a handle to an output, or returns one from _new(), makes a new object. The caller owns it
 *   and frees it once, with the _free() function of its type. _free(NULL), and a second _free(), do nothing. Objects do not
 *   depend on each other: an engine may be freed before its streams, a stream before the audio that it gave.
 *   Pointers returned by a function (strings, samples, arrays) belong to the object that they were read from. They become
 *   invalid when it is freed, and do not change before, unless the comment says otherwise; static ones never become invalid.
 *   What is passed in is copied, unless the comment says otherwise, and must not be changed during the call.
 *
 * Threads. Every function is thread-safe: it may be called from any thread, also with an object that other threads are using.
 *   An object that is freed during a call is destroyed after the call. Not thread-safe: reading through a pointer that
 *   a function returned while another thread frees its object. Not async-signal-safe: do not call the library from signal
 *   handlers. The library has threads of its own: those of an engine, which sleep when there is nothing to
 *   compute, and one of each stream from the first call of speech_stream_next() until the stream ends or is freed.
 *   A thread that calls needs 128 KiB of stack. Once loaded, the library is not unloaded: dlclose() has no effect.
 *
 * Processes. A handle belongs to the process that made it. In a child of fork(), a handle of the parent is not live, and no
 *   callback of the parent is called: the child makes its own options, engines and requests, and nothing waits for what
 *   threads of the parent were doing. Pointers that were read before stay valid.
 *
 * Sound. The same request to the same voice bundle, kernels and precision gives the same samples, alone or among
 *   others, whatever the number of threads. The last bits differ between kernels and between precisions.
 *
 * NULL. An output must not be NULL, unless the comment says that it may. (NULL, 0) is an empty text or array.
 *   Names and paths end with their first NUL byte. Where options or a cancel token may be NULL, NULL means none.
 *
 * Text. UTF-8 without NUL characters; anything else is SPEECH_INVALID_REQUEST. Spans are bytes of the text
 *   as it was sent. No part of a text is logged, or in an error message.
 *
 * Choices. A closed set is an enumeration, such as speech_quality. An open one, such as voices and languages, is a string.
 *   A newer library may return numbers and strings that this header does not name.
 *
 * Versions. A program that was compiled with this header runs with every later library of the same SPEECH_ABI_MAJOR.
 *   SPEECH_ABI_CHECK(&error) checks that when the program runs. Within a major version functions and values of enumerations
 *   are added, and nothing else changes. In particular no structure changes: it has no size and no reserved fields, because
 *   more about a word, say, comes from another function with a structure of its own.
 *
 * Environment. SPEECH_BUNDLE and SPEECH_THREADS are read by speech_engine_load() for options that are not
 *   set: do not change the environment on another thread meanwhile.
 */

#ifndef SPEECH_H
#define SPEECH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of this header; speech_version() is that of the library.
#define SPEECH_VERSION "0.1.0"
#define SPEECH_VERSION_MAJOR 0
#define SPEECH_VERSION_MINOR 1
#define SPEECH_VERSION_PATCH 0

// Whether the library that is running fits this header: see speech_abi_check().
#define SPEECH_ABI_CHECK(error) speech_abi_check(SPEECH_ABI_MAJOR, SPEECH_ABI_MINOR, (error))

// The length of a text that ends at its first NUL byte.
#define SPEECH_NUL_TERMINATED SIZE_MAX

// Functions of a DLL are declared so on Windows. Define SPEECH_STATIC to link statically.
#if defined(_WIN32) && !defined(SPEECH_STATIC)
#define SPEECH_API __declspec(dllimport)
#else
#define SPEECH_API
#endif

// What Swift and Objective-C see: whether a pointer may be NULL (those without a word must not, but for what an output receives)
// and the names of enumerations in Swift.
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

// An enumeration whose values have 32 bits everywhere, and may be ones that this header does not name.
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

// The major number of the binary interface: programs that were compiled with another do not fit.
#define SPEECH_ABI_MAJOR 1

// The minor number of the binary interface: it grows when something is added.
#define SPEECH_ABI_MINOR 0

// Samples a second of speech whose request names no other rate, in hertz.
#define SPEECH_SAMPLE_RATE 22050

// The longest text of one request, in characters: Unicode scalar values.
#define SPEECH_MAX_CHARACTERS 1000

// The longest sound of one request, in seconds, with its pauses.
#define SPEECH_MAX_SECONDS 1200

// The longest that the pauses of one request may be together, in seconds.
#define SPEECH_MAX_PAUSE_SECONDS 300

// What every function that can fail returns: SPEECH_OK, SPEECH_END, or why it failed.
//
// A newer library may return numbers that this header does not name: treat them as SPEECH_INTERNAL.
// Numbers are never given another meaning. The numbers 10 to 20 are for services that are built on the
// library; no function here returns them.
SPEECH_ENUM(speech_status, SpeechStatus) {
  // Success.
  SPEECH_OK SPEECH_SWIFT_NAME(ok) = 0,
  // The text is empty or only white space.
  SPEECH_EMPTY_TEXT SPEECH_SWIFT_NAME(emptyText) = 1,
  // The text is over the limit of 1,000 characters.
  SPEECH_TEXT_TOO_LONG SPEECH_SWIFT_NAME(textTooLong) = 2,
  // An unsupported language, voice or format, a malformed request, or a wrong argument: a NULL, a
  // handle that was freed, text that is not UTF-8, an option out of range.
  SPEECH_INVALID_REQUEST SPEECH_SWIFT_NAME(invalidRequest) = 3,
  // A latency tier that this deployment cannot serve, or an unknown tier.
  SPEECH_INVALID_TIER SPEECH_SWIFT_NAME(invalidTier) = 4,
  // A missing or wrong API key.
  SPEECH_UNAUTHORIZED SPEECH_SWIFT_NAME(unauthorized) = 10,
  // No such resource.
  SPEECH_NOT_FOUND SPEECH_SWIFT_NAME(notFound) = 11,
  // The resource does not answer to this method.
  SPEECH_METHOD_NOT_ALLOWED SPEECH_SWIFT_NAME(methodNotAllowed) = 12,
  // The request body is over the limit.
  SPEECH_REQUEST_TOO_LARGE SPEECH_SWIFT_NAME(requestTooLarge) = 13,
  // The request body is not of a type that is read.
  SPEECH_UNSUPPORTED_MEDIA_TYPE SPEECH_SWIFT_NAME(unsupportedMediaType) = 14,
  // A queue is full: try again later.
  SPEECH_OVERLOADED SPEECH_SWIFT_NAME(overloaded) = 20,
  // The voice bundle is missing, damaged or of the wrong version.
  SPEECH_MODEL_ERROR SPEECH_SWIFT_NAME(modelError) = 30,
  // Anything else that is the library's fault.
  SPEECH_INTERNAL SPEECH_SWIFT_NAME(internal) = 31,
  // The caller stopped the synthesis.
  SPEECH_CANCELLED SPEECH_SWIFT_NAME(cancelled) = 40,
  // The end of a stream: not a failure, so there is no error object.
  SPEECH_END SPEECH_SWIFT_NAME(end) = 100,
};

// The level of a log message.
SPEECH_ENUM(speech_log_level, SpeechLogLevel) {
  // Something failed; a call returns it too.
  SPEECH_LOG_ERROR SPEECH_SWIFT_NAME(error) = 1,
  // Something is wrong, and the library goes on.
  SPEECH_LOG_WARNING SPEECH_SWIFT_NAME(warning) = 2,
  // What was loaded.
  SPEECH_LOG_INFO SPEECH_SWIFT_NAME(info) = 3,
  // The time of each step.
  SPEECH_LOG_DEBUG SPEECH_SWIFT_NAME(debug) = 4,
};

// How soon a stream gives its first chunk.
SPEECH_ENUM(speech_latency, SpeechLatency) {
  // A sentence is given when all of it is computed; the default.
  SPEECH_LATENCY_STANDARD SPEECH_SWIFT_NAME(standard) = 0,
  // The first half second of a long first sentence is given before the rest is computed.
  SPEECH_LATENCY_LOW SPEECH_SWIFT_NAME(low) = 1,
};

// Which networks compute the speech.
SPEECH_ENUM(speech_quality, SpeechQuality) {
  // The first of those below that the voice bundle has for the voice and the language; the default.
  SPEECH_QUALITY_AUTO SPEECH_SWIFT_NAME(auto) = 0,
  // The reference.
  SPEECH_QUALITY_FULL SPEECH_SWIFT_NAME(full) = 1,
  // The timings and the melody of SPEECH_QUALITY_FULL, for less computation.
  SPEECH_QUALITY_FAST SPEECH_SWIFT_NAME(fast) = 2,
  // The least computation.
  SPEECH_QUALITY_LIGHT SPEECH_SWIFT_NAME(light) = 3,
};

// What a sample is in bytes. Every encoding is made of the same 16-bit samples.
SPEECH_ENUM(speech_encoding, SpeechEncoding) {
  // A 16-bit integer, little-endian; the default.
  SPEECH_ENCODING_PCM16 SPEECH_SWIFT_NAME(pcm16) = 0,
  // A 32-bit float from -1 to 1, little-endian.
  SPEECH_ENCODING_FLOAT32 SPEECH_SWIFT_NAME(float32) = 1,
  // The nearest of the 8-bit codes of mu-law (ITU-T G.711).
  SPEECH_ENCODING_MULAW SPEECH_SWIFT_NAME(mulaw) = 2,
  // The nearest of the 8-bit codes of A-law (ITU-T G.711).
  SPEECH_ENCODING_ALAW SPEECH_SWIFT_NAME(alaw) = 3,
};

// What a diagnostic is about. A newer library may have kinds that this header does not name.
SPEECH_ENUM(speech_diagnostic_kind, SpeechDiagnosticKind) {
  // These characters were not said: emoji, control characters and the like.
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

// What waits for the text, which is what a tier is chosen by.
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

// Speech, mono, at the sample rate of the request: of a whole text, which speech_engine_synthesize() gives, or a chunk of
// it, which speech_stream_next() gives: one sentence with the pause after it, or a part of one. It does not change.
typedef struct speech_audio speech_audio;

// Stops one or more syntheses. One token may serve any number of calls; once cancelled it stays so.
typedef struct speech_cancel_token speech_cancel_token;

// A loaded voice bundle, ready to synthesize. Load one and share it: the calls of any number of threads run in
// parallel, and the samples do not depend on how many there are.
typedef struct speech_engine speech_engine;

// How to load an engine. Every option has a default. One object may load any number of engines.
typedef struct speech_engine_options speech_engine_options;

// Why a call failed. It does not change.
typedef struct speech_error speech_error;

// Words and how they are read. It does not change, and any number of requests may share it.
typedef struct speech_lexicon speech_lexicon;

// A text to speak and how to speak it. It may be used for any number of calls, and changed between them: calls that
// are already running are not affected.
typedef struct speech_request speech_request;

// Cuts a text that arrives in pieces, such as the tokens of a language model, into sentences.
typedef struct speech_segmenter speech_segmenter;

// The speech of a text, a sentence at a time.
typedef struct speech_stream speech_stream;

// The parts of a text, in order. They do not change.
typedef struct speech_text_parts speech_text_parts;

// The tiers of one deployment, and which of them it can run. They do not change.
typedef struct speech_tiers speech_tiers;

// Called once, when the library does not need the memory any more. It may be called from any thread, must not
// throw or longjmp, and must not call the library.
typedef void (*speech_release_callback)(void *SPEECH_NULLABLE userdata, const uint8_t *data, size_t length);

// Receives a message of the library: one line of UTF-8, without a line feed, never with any of the text
// that is spoken. The message is valid only during the call.
//
// It is called from any thread, several at once, and must not throw or longjmp. It may call the library;
// what the library logs in those calls is dropped.
typedef void (*speech_log_callback)(void *SPEECH_NULLABLE userdata,
                                    speech_log_level level,
                                    const char *message);

// A range of bytes of the text that was sent.
typedef struct {
  // The first byte.
  size_t begin;
  // The byte after the last.
  size_t end;
} speech_span;

// When a word is heard, in seconds from the start of the whole speech, also in a chunk. A number such as "12" is one
// word, however many words it is read as.
typedef struct {
  // The word in the text.
  speech_span span;
  // When it begins.
  double start_seconds;
  // When it ends.
  double end_seconds;
} speech_word;

// When a phoneme is heard, in seconds from the start of the whole speech, also in a chunk.
typedef struct {
  // The sound in IPA, with the mark of stress before it.
  const char *ipa;
  // The word that it belongs to.
  speech_span span;
  // When it begins.
  double start_seconds;
  // When it ends.
  double end_seconds;
} speech_phoneme;

// When the mouth has a shape, in seconds from the start of the whole speech, also in a chunk. There are no gaps
// between shapes.
typedef struct {
  // The name among the 15 of OVR LipSync: "sil", "PP", "aa" and so on.
  const char *name;
  // The number in Azure's table: 0 to 21.
  uint32_t azure;
  // When it begins.
  double start_seconds;
  // When it ends.
  double end_seconds;
} speech_viseme;

// When a sentence is heard, from its first word to the end of its last, in seconds from the start of the whole
// speech, also in a chunk.
typedef struct {
  // The sentence in the text.
  speech_span span;
  // When it begins.
  double start_seconds;
  // When it ends.
  double end_seconds;
} speech_sentence;

// When a mark of SSML is reached, in seconds from the start of the whole speech, also in a chunk.
typedef struct {
  // The `name` of the element.
  const char *name;
  // When it is reached.
  double seconds;
} speech_mark;

// A part of the text that was not spoken as it stands.
typedef struct {
  // What it is about.
  speech_diagnostic_kind kind;
  // The part of the text.
  speech_span span;
} speech_diagnostic;

// A voice.
typedef struct {
  // The identifier that requests name, such as "aria".
  const char *id;
  // The name to show to people, such as "Aria".
  const char *name;
} speech_voice;

// A tier of a deployment.
typedef struct {
  // The tier.
  speech_tier tier;
  // Millionths of a US dollar for a second of audio.
  uint32_t rate_micros;
  // The same in US dollars.
  double rate_usd_per_second;
  // The lookahead: the latency without network time and the frame length of the client.
  uint32_t latency_ms;
  // The left context of `att_context_size`, in encoder frames of 80 ms.
  uint32_t left_context;
  // The right context.
  uint32_t right_context;
  // Whether this deployment can run it.
  bool available;
} speech_tier_entry;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ---- VERSIONS ---- */

// The version of the library that is running, such as "0.1.0". Compare it with SPEECH_VERSION, the
// version of this header. The string is static.
SPEECH_API const char *speech_version(void);

// The binary interface of the library that is running: the major number times 65,536 plus the minor one.
SPEECH_API uint32_t speech_abi_version(void);

// The version of the voice bundle format that the library reads.
SPEECH_API uint32_t speech_bundle_format_version(void);

// Whether a program that was compiled with the header of this interface can use the library that is
// running: the same major number, and no newer minor number than the library's. Call it once at the start,
// as `SPEECH_ABI_CHECK(&error)`, which passes the numbers of the header.
//
// Fails with SPEECH_INVALID_REQUEST; the message says whether the header or the library is
// too old.
SPEECH_API
speech_status speech_abi_check(uint32_t header_major,
                               uint32_t header_minor,
                               speech_error **SPEECH_NULLABLE error);

/* ---- ERRORS ---- */

// The status that came with the error; SPEECH_OK if `error` is NULL or was freed.
SPEECH_API speech_status speech_error_status(const speech_error *SPEECH_NULLABLE error);

// The machine-readable type of the contract, such as "text_too_long": what speech_status_type() gives for the
// status. The string is static. "" if `error` is NULL or was freed.
SPEECH_API const char *speech_error_type(const speech_error *SPEECH_NULLABLE error);

// The message for people: one line, in English, without the text that was to be spoken. "" if `error` is NULL or
// was freed.
SPEECH_API const char *speech_error_message(const speech_error *SPEECH_NULLABLE error);

// The cause in more detail than the type, as a key: `bundle_not_found`, `file_missing`, `file_damaged`,
// `file_unreadable`, `bundle_too_old`, `bundle_too_new`, `incompatible_model`, `unsupported_backend`,
// `latency_needs_stream` or `quality_not_in_bundle`. A newer library may have more. "" if the type says it all, or if
// `error` is NULL or was freed.
SPEECH_API const char *speech_error_detail(const speech_error *SPEECH_NULLABLE error);

// The file of the voice bundle that caused the error. "" if there is none, or if `error` is NULL or was freed.
SPEECH_API const char *speech_error_path(const speech_error *SPEECH_NULLABLE error);

// What to do about it, as a key that your program translates into its own words: `install_voices`,
// `reinstall_voices`, `update_voices`, `update_library`, `check_bundle_path`, `use_stream` or `split_text`. A newer
// library may have more. "" if there is no advice, or if `error` is NULL or was freed.
SPEECH_API const char *speech_error_advice(const speech_error *SPEECH_NULLABLE error);

// The identifier of the request that failed, a UUID, for the log. "" if `error` is NULL or was freed.
SPEECH_API const char *speech_error_request_id(const speech_error *SPEECH_NULLABLE error);

// The JSON envelope of the contract: `{"error": {"type": ..., "message": ..., "request_id": ...}}`. "" if `error` is
// NULL or was freed.
SPEECH_API const char *speech_error_json(const speech_error *SPEECH_NULLABLE error);

// Whether the same request may succeed if it is made again later: true for SPEECH_OVERLOADED, which no function here
// returns. False if `error` is NULL or was freed.
SPEECH_API bool speech_error_is_retryable(const speech_error *SPEECH_NULLABLE error);

// Frees an error, with its strings.
SPEECH_API void speech_error_free(speech_error *SPEECH_NULLABLE error);

// The name of a status as the contract has it, such as "text_too_long"; "ok" for SPEECH_OK, "end" for SPEECH_END, and
// NULL for a number that is no status. The string is static.
SPEECH_API const char *SPEECH_NULLABLE speech_status_type(speech_status status);

/* ---- ENGINE OPTIONS ---- */

// Makes options that are all at their defaults. Free them with speech_engine_options_free().
SPEECH_API speech_engine_options *speech_engine_options_new(void);

// Sets where the voice bundle is: its directory, or one uncompressed tar file of what is in it. Without
// this, it is what the environment variable SPEECH_BUNDLE names, or `../share/libspeech/voices` relative to the
// folder of the library. The path is copied, and read when an engine is loaded. The bundle must not be changed
// meanwhile; if it is mapped, until the engines that were loaded from it, and their streams, are freed: see
// speech_engine_options_set_map_bundle().
//
// Of the three options for the bundle the last one that was set counts.
SPEECH_API
speech_status speech_engine_options_set_bundle_path(speech_engine_options *options,
                                                    const char *path,
                                                    speech_error **SPEECH_NULLABLE error);

// Sets a voice bundle in memory: an uncompressed tar file of `length` bytes. It is not copied: it must stay
// valid and unchanged until `release` is called with `userdata`, `data` and `length`, which is when the
// options that name it and the engines that were loaded from it, with their streams, are freed, or earlier.
// `release` may be NULL: then the memory must stay valid until those are freed and no call is inside them.
//
// Of the three options for the bundle the last one that was set counts. If this fails `release` is not called.
SPEECH_API
speech_status speech_engine_options_set_bundle_memory(speech_engine_options *options,
                                                      const uint8_t *data,
                                                      size_t length,
                                                      speech_release_callback SPEECH_NULLABLE release,
                                                      void *SPEECH_NULLABLE userdata,
                                                      speech_error **SPEECH_NULLABLE error);

// Sets a voice bundle in an open file: an uncompressed tar file that takes `length` bytes from `offset`,
// or all to the end if `length` is 0. An asset that an Android application keeps uncompressed is one.
// The file descriptor is duplicated, and the caller still owns it. The file must be a regular one.
//
// Of the three options for the bundle the last one that was set counts. Fails with SPEECH_INVALID_REQUEST if the
// descriptor is not open, and on Windows.
SPEECH_API
speech_status speech_engine_options_set_bundle_fd(speech_engine_options *options,
                                                  int fd,
                                                  uint64_t offset,
                                                  uint64_t length,
                                                  speech_error **SPEECH_NULLABLE error);

// Sets whether the large files of the voice bundle, 86 MB, are mapped into memory (true), or read into it (false). Mapped,
// processes share them, and the system may drop what is not in use; but if one is truncated, or the disk or the network that
// it is on fails, while an engine or a stream of it lives, the process ends (SIGBUS). Read, they are memory of the
// process, which its engines share, and what happens to the files later does not matter. By default they are mapped
// on Windows, which refuses to truncate a mapped file, and on Android and iOS, where they are in the package of an
// application; elsewhere they are read. It does not matter for a bundle in memory.
SPEECH_API
speech_status speech_engine_options_set_map_bundle(speech_engine_options *options,
                                                   bool map,
                                                   speech_error **SPEECH_NULLABLE error);

// Sets how many threads compute one sentence: 1 to 256. Without this, it is the value of the environment
// variable SPEECH_THREADS, else the number of processor cores, but 4 at most. The samples do not depend on it.
//
// speech_engine_load() refuses a number out of range.
SPEECH_API
speech_status speech_engine_options_set_threads(speech_engine_options *options,
                                                size_t threads,
                                                speech_error **SPEECH_NULLABLE error);

// Sets how many sentences may be computed at once, for different calls: 1 to 256, by default 1. Others
// wait in a queue. Each costs memory. All share the threads of the engine if it has more than one; with one
// thread each is computed on a thread of its own.
//
// speech_engine_load() refuses a number out of range.
SPEECH_API
speech_status speech_engine_options_set_max_concurrency(speech_engine_options *options,
                                                        size_t max_concurrency,
                                                        speech_error **SPEECH_NULLABLE error);

// Sets the kernels (the instruction set) that compute speech, by their name: `auto` (the default: the fastest that
// the processor has), `portable`, which every processor has, or another. The message for an unknown name lists
// them. Nobody can hear a difference, but the last bits of the samples differ between sets.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() refuses a set that the processor does
// not have.
SPEECH_API
speech_status speech_engine_options_set_kernels(speech_engine_options *options,
                                                const char *kernels,
                                                speech_error **SPEECH_NULLABLE error);

// Sets the precision of the products of the vocoder, by its name: `auto` (the default), `fp32`,
// `int16` or `bf16`. `auto` is the fastest that the processor has: bf16 with AMX or Armv8.6, int16 with
// AVX512-VNNI or AVX2, else fp32. Nobody can hear a difference.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown name; speech_engine_load() refuses a precision that the processor
// does not have.
SPEECH_API
speech_status speech_engine_options_set_precision(speech_engine_options *options,
                                                  const char *precision,
                                                  speech_error **SPEECH_NULLABLE error);

// Adds words to the lexicon of the engine, or replaces what was added for the same words: how it reads them
// wherever they stand as whole words, possessives included. The longest that fit count, and those in the
// same case before those in another. `reading` is IPA between slashes, as dictionaries write it or in
// Kokoro's symbols (`/ˈfoʊni/`), or other words to read in place of these. Both are copied.
//
// Fails with SPEECH_INVALID_REQUEST if a string is empty or longer than 200 bytes, or the IPA has an unknown symbol,
// whose place the message says.
SPEECH_API
speech_status speech_engine_options_add_pronunciation(speech_engine_options *options,
                                                      const char *words,
                                                      const char *reading,
                                                      speech_error **SPEECH_NULLABLE error);

// Sets how many bytes of the sound of sentences the engine keeps, for requests that have the same sentences again: 0, the
// default, keeps none, and 256 MiB keep 46 minutes. A sentence that is kept is the same, byte for byte, as if it were computed, and waits
// for nobody. What was not used for longest makes room; speech_engine_trim() forgets all.
SPEECH_API
speech_status speech_engine_options_set_cache(speech_engine_options *options,
                                              size_t bytes,
                                              speech_error **SPEECH_NULLABLE error);

// Sets the callback that receives the log: messages of `level` and more serious ones. By default, and with NULL,
// nothing is logged. The library writes its log nowhere else. Each engine's callback receives the messages of
// all engines.
//
// The callback and its userdata must be valid while speech_engine_load() runs with these options, and until
// speech_engine_free() of each engine it loaded has returned; it is not called after that. (Only an engine
// that is freed inside a log callback, its own or that of another engine, does not wait for other threads in its callback.)
SPEECH_API
speech_status speech_engine_options_set_log_callback(speech_engine_options *options,
                                                     speech_log_callback SPEECH_NULLABLE callback,
                                                     void *SPEECH_NULLABLE userdata,
                                                     speech_log_level level,
                                                     speech_error **SPEECH_NULLABLE error);

// Frees options. Engines that were loaded with them are not touched.
SPEECH_API void speech_engine_options_free(speech_engine_options *SPEECH_NULLABLE options);

/* ---- ENGINES ---- */

// Loads an engine, which takes about a second, and reads the whole voice bundle to verify it. `options` may
// be NULL: then all are at their defaults.
//
// Free it with speech_engine_free(). Fails with SPEECH_MODEL_ERROR if the bundle is missing,
// damaged or of the wrong version (the message names the file), and with SPEECH_INVALID_REQUEST if an option
// is out of range, or the processor cannot compute with the kernels or the precision that it names.
SPEECH_API
speech_status speech_engine_load(const speech_engine_options *SPEECH_NULLABLE options,
                                 speech_engine **SPEECH_NONNULL engine,
                                 speech_error **SPEECH_NULLABLE error);

// The number of threads that compute one sentence.
SPEECH_API size_t speech_engine_threads(const speech_engine *engine);

// Synthesizes a few words and discards them, so that the first request finds everything in memory: call it once
// after speech_engine_load(), where there is time. It takes about as long as a short sentence. An engine with a cache
// that has these words computes nothing.
SPEECH_API
speech_status speech_engine_warm_up(const speech_engine *engine,
                                    speech_error **SPEECH_NULLABLE error);

// Returns the working memory to the system that the engine keeps for the next request, up to some 64 MB, and empties its cache:
// call it when nothing is going to be said for a while, or when the system is short of memory. The voices stay loaded, and the
// next request is a little slower. Requests that run keep what they use.
SPEECH_API
speech_status speech_engine_trim(const speech_engine *engine,
                                 speech_error **SPEECH_NULLABLE error);

// The name of the kernels (the instruction set) that compute speech, such as "avx2" or "portable": never "auto". The
// string is static.
SPEECH_API const char *speech_engine_kernels(const speech_engine *engine);

// The precision of the products of the vocoder: "fp32", "int16" or "bf16", never "auto". The string is static.
SPEECH_API const char *speech_engine_precision(const speech_engine *engine);

// Whether the voice bundle has a quality for a voice in a language. SPEECH_QUALITY_AUTO stands for any: false if the
// bundle does not have the voice in this language.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown voice, language or quality.
SPEECH_API
speech_status speech_engine_has_quality(const speech_engine *engine,
                                        const char *voice,
                                        const char *language,
                                        speech_quality quality,
                                        bool *has,
                                        speech_error **SPEECH_NULLABLE error);

// Synthesizes a whole text. A text with nothing in it that can be said, such as an emoji alone, gives a short
// silence. A request for low latency is refused: that is for streams.
//
// `cancel` may be NULL; else cancelling it, from any thread, ends the call with SPEECH_CANCELLED.
//
// `audio` receives a new object: free it with speech_audio_free(). Fails with
// SPEECH_EMPTY_TEXT, SPEECH_TEXT_TOO_LONG, SPEECH_INVALID_REQUEST, SPEECH_CANCELLED or SPEECH_INTERNAL.
SPEECH_API
speech_status speech_engine_synthesize(const speech_engine *engine,
                                       const speech_request *request,
                                       const speech_cancel_token *SPEECH_NULLABLE cancel,
                                       speech_audio **SPEECH_NONNULL audio,
                                       speech_error **SPEECH_NULLABLE error);

// Starts to synthesize a text, a sentence at a time, which speech_stream_next() gives.
//
// `cancel` may be NULL; else cancelling it, from any thread, ends the stream with SPEECH_CANCELLED.
//
// `stream` receives a new object: free it with speech_stream_free(). It stays valid if the engine or
// the request is freed. Fails as speech_request_validate() does, and with SPEECH_INVALID_REQUEST for a quality that
// the voice bundle does not have; nothing is computed yet.
SPEECH_API
speech_status speech_engine_stream(const speech_engine *engine,
                                   const speech_request *request,
                                   const speech_cancel_token *SPEECH_NULLABLE cancel,
                                   speech_stream **SPEECH_NONNULL stream,
                                   speech_error **SPEECH_NULLABLE error);

// Starts to synthesize a text that arrives in pieces, such as the tokens of a language model: speech_stream_push() adds
// them, and speech_stream_next() gives chunks as soon as they are computed, on another thread. The text of the request,
// which may be empty, is the first piece. With low latency the beginning of a sentence may be spoken before the rest of it
// has arrived, if nothing else is left to be heard. A text of any length may be pushed; one chunk is computed ahead of the
// one that was taken last, and no more.
//
// `cancel` may be NULL; else cancelling it, from any thread, ends the stream with SPEECH_CANCELLED.
//
// `stream` receives a new object: free it with speech_stream_free(). It stays valid if the engine or
// the request is freed. Fails with SPEECH_INVALID_REQUEST for settings out of range, for a
// quality that the voice bundle does not have, and for SSML, which is read as a whole.
SPEECH_API
speech_status speech_engine_live(const speech_engine *engine,
                                 const speech_request *request,
                                 const speech_cancel_token *SPEECH_NULLABLE cancel,
                                 speech_stream **SPEECH_NONNULL stream,
                                 speech_error **SPEECH_NULLABLE error);

// Starts to synthesize a text of any length, a sentence at a time, as speech_engine_live() with all of its text there.
// The spans are those of the whole text: the end of a chunk's span over the length of the text is the progress.
//
// `cancel` may be NULL; it and `stream` are as for speech_engine_live(). Fails as that does, with SPEECH_EMPTY_TEXT, and
// with SPEECH_INVALID_REQUEST for pauses that are together longer than SPEECH_MAX_PAUSE_SECONDS for each 1,000 characters
// that the text begins.
SPEECH_API
speech_status speech_engine_stream_long(const speech_engine *engine,
                                        const speech_request *request,
                                        const speech_cancel_token *SPEECH_NULLABLE cancel,
                                        speech_stream **SPEECH_NONNULL stream,
                                        speech_error **SPEECH_NULLABLE error);

// Frees an engine. Calls that are inside it on other threads finish as if it were not freed, and its streams
// stay valid; its memory is released with the last of them. Its log callback is not called any more
// when this returns.
SPEECH_API void speech_engine_free(speech_engine *SPEECH_NULLABLE engine);

/* ---- CANCELLATION ---- */

// Makes a token that is not cancelled. Free it with speech_cancel_token_free().
SPEECH_API speech_cancel_token *speech_cancel_token_new(void);

// Stops what runs with this token, inside a running inference too, and all that will. It returns at once;
// the calls that are stopped return SPEECH_CANCELLED soon after. Cancelling again does nothing.
//
// Thread-safe. Not async-signal-safe.
SPEECH_API
speech_status speech_cancel_token_cancel(const speech_cancel_token *token,
                                         speech_error **SPEECH_NULLABLE error);

// Whether the token was cancelled.
SPEECH_API bool speech_cancel_token_is_cancelled(const speech_cancel_token *token);

// Frees a token. Calls that run with it go on, and can no longer be stopped by it.
SPEECH_API void speech_cancel_token_free(speech_cancel_token *SPEECH_NULLABLE token);

// Reads a lexicon of at most 5,000 entries from text, `length` bytes of it, or up to a NUL byte if `length` is
// SPEECH_NUL_TERMINATED: an entry a line, the words and how they are read with a tab between, as
// speech_engine_options_add_pronunciation() takes them. Empty lines and lines that begin with `#` are comments; of two entries
// for the same words the later counts.
//
// Free it with speech_lexicon_free(). Fails with SPEECH_INVALID_REQUEST; the message names the line.
SPEECH_API
speech_status speech_lexicon_parse(const char *text,
                                   size_t length,
                                   speech_lexicon **SPEECH_NONNULL lexicon,
                                   speech_error **SPEECH_NULLABLE error);

// Reads a lexicon in the Pronunciation Lexicon Specification 1.0 of the W3C, for texts in the language of its `xml:lang`: at most
// 5,000 graphemes, whose phonemes are in the alphabet `ipa` or `cmu-arpabet`. `document` is UTF-8 of `length` bytes, or ends with a
// NUL byte if `length` is SPEECH_NUL_TERMINATED.
//
// Free it with speech_lexicon_free(). Fails with SPEECH_INVALID_REQUEST for what is not supported; the message names its line and
// column.
SPEECH_API
speech_status speech_lexicon_from_pls(const char *document,
                                      size_t length,
                                      speech_lexicon **SPEECH_NONNULL lexicon,
                                      speech_error **SPEECH_NULLABLE error);

// The number of its entries.
SPEECH_API size_t speech_lexicon_entries(const speech_lexicon *lexicon);

// Frees a lexicon. Requests that have it keep it.
SPEECH_API void speech_lexicon_free(speech_lexicon *SPEECH_NULLABLE lexicon);

/* ---- REQUESTS ---- */

// Makes a request to speak a text in `en-US`, by `aria`: the setters change these.
//
// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED. It is
// copied. Whether it may be spoken (1 to 1,000 characters, not only white space) is checked when it is
// synthesized, or by speech_request_validate().
//
// Free it with speech_request_free().
SPEECH_API
speech_status speech_request_new(const char *text,
                                 size_t length,
                                 speech_request **SPEECH_NONNULL request,
                                 speech_error **SPEECH_NULLABLE error);

// Makes a request from the contract's JSON, `length` bytes of it, or up to a NUL byte if `length` is
// SPEECH_NUL_TERMINATED: `{"text": ..., "language": ..., "voice": ..., "format": ..., "latency": ...,
// "quality": ..., "sample_rate": ..., "encoding": ..., "rate": ..., "pitch": ..., "volume": ..., "ssml": ...,
// "read_pauses": ..., "read_emoji": ..., "read_romanized_hindi": ..., "pronunciations": {words: reading, ...}}`, all
// but the text optional. Unknown fields are
// ignored. The format, `wav` or `pcm`, is checked and else ignored: an audio object gives both.
//
// Free it with speech_request_free(). Fails with SPEECH_INVALID_REQUEST if the JSON is
// malformed, has no text, or a field is of the wrong type (null is, for every field) or has an unsupported
// value. A text with an escaped NUL is refused when it is synthesized, or by speech_request_validate().
SPEECH_API
speech_status speech_request_from_json(const char *json,
                                       size_t length,
                                       speech_request **SPEECH_NONNULL request,
                                       speech_error **SPEECH_NULLABLE error);

// Sets the language, a BCP 47 tag: `en-US` (the default) or `hi-IN`.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown one; the message lists the tags.
SPEECH_API
speech_status speech_request_set_language(speech_request *request,
                                          const char *language,
                                          speech_error **SPEECH_NULLABLE error);

// Sets the voice by its identifier: `aria` (the default), `jason`, `john`, `leo` or `sofia`.
//
// Fails with SPEECH_INVALID_REQUEST for an unknown one; the message lists the voices.
SPEECH_API
speech_status speech_request_set_voice(speech_request *request,
                                       const char *voice,
                                       speech_error **SPEECH_NULLABLE error);

// Sets whether emoji are read by their names, "red heart". By default they are skipped, and listed in the
// diagnostics.
SPEECH_API
speech_status speech_request_set_read_emoji(speech_request *request,
                                            bool read,
                                            speech_error **SPEECH_NULLABLE error);

// Sets whether Hindi that is typed in Latin letters, "kal milte hain", is read as Hindi. By default it is; else its
// words are read as English ones.
SPEECH_API
speech_status speech_request_set_read_romanized_hindi(speech_request *request,
                                                      bool read,
                                                      speech_error **SPEECH_NULLABLE error);

// Sets how fast the text is read: a factor of the voice's own speed, 0.5 to 2; 1 by default. Vowels and pauses bear more of
// it than other sounds do. The range is checked when the request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_rate(speech_request *request,
                                      double factor,
                                      speech_error **SPEECH_NULLABLE error);

// Sets how much higher than the voice's own the pitch is, in semitones, -6 to 6; 0 by default. The range is checked when the
// request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_pitch(speech_request *request,
                                       double semitones,
                                       speech_error **SPEECH_NULLABLE error);

// Sets how much louder than the voice's own the speech is, in decibels, -40 to 12; 0 by default. Every sentence gets the
// same gain. A limiter keeps peaks at -0.3 dBFS or below, so nothing is clipped; from about 6 on it takes away a part of
// the gain. The range is checked when the request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_volume(speech_request *request,
                                        double decibels,
                                        speech_error **SPEECH_NULLABLE error);

// Sets whether the text is a document of SSML 1.1, which says itself what is to be read how. By default it is plain text. It
// is checked when the request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_ssml(speech_request *request,
                                      bool ssml,
                                      speech_error **SPEECH_NULLABLE error);

// Sets whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. By default they are.
SPEECH_API
speech_status speech_request_set_read_pauses(speech_request *request,
                                             bool read,
                                             speech_error **SPEECH_NULLABLE error);

// Adds words and how they are read in this request, or replaces what was added for the same words: as
// speech_engine_options_add_pronunciation(), before whose words they come. At most 200, together at most 16,384 bytes. Both strings are
// copied.
//
// Fails with SPEECH_INVALID_REQUEST as that does, and for more than these.
SPEECH_API
speech_status speech_request_add_pronunciation(speech_request *request,
                                               const char *words,
                                               const char *reading,
                                               speech_error **SPEECH_NULLABLE error);

// Adds a lexicon that the request is read with: after its own pronunciations and the lexicons that were added before, and before
// the pronunciations of the engine.
SPEECH_API
speech_status speech_request_add_lexicon(speech_request *request,
                                         const speech_lexicon *lexicon,
                                         speech_error **SPEECH_NULLABLE error);

// Sets how soon a stream gives its first chunk.
//
// With SPEECH_LATENCY_LOW, the first half second of a stream's first sentence is given before the rest of it is
// computed, if it sounds for longer than a second or so: it comes as three chunks with the same span. That half second
// sounds a little different (it is made with average statistics of the voice) and fades into the rest, which
// sounds as with SPEECH_LATENCY_STANDARD. A shorter first sentence, such as a word, is computed in a sixth less time and
// sounds a little different. speech_engine_synthesize() refuses a request with low latency.
SPEECH_API
speech_status speech_request_set_latency(speech_request *request,
                                         speech_latency latency,
                                         speech_error **SPEECH_NULLABLE error);

// Sets which networks compute the speech. speech_engine_has_quality() says which an engine has; it refuses the others,
// and never replaces one.
SPEECH_API
speech_status speech_request_set_quality(speech_request *request,
                                         speech_quality quality,
                                         speech_error **SPEECH_NULLABLE error);

// Sets the samples of a second of the speech, in hertz: 8000, 16000, 22050 (the default), 24000, 44100 or 48000. Speech is
// computed at 24,000 Hz, and has sounds up to 12,000 Hz. At 24,000 Hz its samples are those of the model; to another rate they
// are converted once. At 8,000 Hz there are sounds up to 3,400 Hz, at 16,000 Hz up to 7,200 Hz, else up to 10,000 Hz. The rate is
// checked when the request is used, or by speech_request_validate().
SPEECH_API
speech_status speech_request_set_sample_rate(speech_request *request,
                                             uint32_t hertz,
                                             speech_error **SPEECH_NULLABLE error);

// Sets what a sample is in speech_audio_bytes() and speech_audio_wav().
//
// Fails with SPEECH_INVALID_REQUEST for a number that is none.
SPEECH_API
speech_status speech_request_set_encoding(speech_request *request,
                                          speech_encoding encoding,
                                          speech_error **SPEECH_NULLABLE error);

// Checks a request without synthesizing it: whether speech_engine_stream() would refuse it, and why. Whether the voice bundle
// has its quality is checked by the engine alone.
//
// `characters`, which may be NULL, receives the metered quantity: the Unicode scalar values of the text.
//
// Fails with SPEECH_EMPTY_TEXT, SPEECH_TEXT_TOO_LONG or SPEECH_INVALID_REQUEST.
SPEECH_API
speech_status speech_request_validate(const speech_request *request,
                                      size_t *SPEECH_NULLABLE characters,
                                      speech_error **SPEECH_NULLABLE error);

// Frees a request.
SPEECH_API void speech_request_free(speech_request *SPEECH_NULLABLE request);

/* ---- AUDIO: a whole text, or a chunk of a stream ---- */

// The samples as 16-bit integers in the byte order of the machine. The chunks of a stream one after another
// are, sample for sample, the audio of the whole text, unless the request asks for low latency.
SPEECH_API
const int16_t *SPEECH_NULLABLE speech_audio_samples(const speech_audio *audio,
                                                    size_t *count);

// The samples as 32-bit floats from -1 to 1: each is the integer divided by 32,768. The first call makes them.
SPEECH_API
const float *SPEECH_NULLABLE speech_audio_samples_f32(const speech_audio *audio,
                                                      size_t *count);

// The bytes of the samples in the encoding of the request, as speech_encoding says. The first call makes them.
SPEECH_API
const uint8_t *SPEECH_NULLABLE speech_audio_bytes(const speech_audio *audio,
                                                  size_t *length);

// The bytes of a RIFF/WAVE file of the samples in the encoding of the request: write them to a file as they are. The
// first call makes them.
SPEECH_API
const uint8_t *SPEECH_NULLABLE speech_audio_wav(const speech_audio *audio,
                                                size_t *length);

// The sample rate in hertz: that of the request, SPEECH_SAMPLE_RATE by default.
SPEECH_API uint32_t speech_audio_sample_rate(const speech_audio *audio);

// The encoding of speech_audio_bytes() and speech_audio_wav(): that of the request.
SPEECH_API speech_encoding speech_audio_encoding(const speech_audio *audio);

// The duration in seconds.
SPEECH_API double speech_audio_duration(const speech_audio *audio);

// The bytes of the text that was sent which the audio speaks. A chunk has the bytes of its sentence, or all if
// there was nothing to say.
SPEECH_API speech_span speech_audio_span(const speech_audio *audio);

// The words.
SPEECH_API
const speech_word *SPEECH_NULLABLE speech_audio_words(const speech_audio *audio,
                                                      size_t *count);

// The phonemes.
SPEECH_API
const speech_phoneme *SPEECH_NULLABLE speech_audio_phonemes(const speech_audio *audio,
                                                            size_t *count);

// The visemes.
SPEECH_API
const speech_viseme *SPEECH_NULLABLE speech_audio_visemes(const speech_audio *audio,
                                                          size_t *count);

// The sentences. A stream has each in the last of the chunks of that sentence.
SPEECH_API
const speech_sentence *SPEECH_NULLABLE speech_audio_sentences(const speech_audio *audio,
                                                              size_t *count);

// The marks of SSML.
SPEECH_API
const speech_mark *SPEECH_NULLABLE speech_audio_marks(const speech_audio *audio,
                                                      size_t *count);

// The diagnostics of the whole text: what was not said. In a chunk of a live or a long text, those so far.
SPEECH_API
const speech_diagnostic *SPEECH_NULLABLE speech_audio_diagnostics(const speech_audio *audio,
                                                                  size_t *count);

// The identifier of the request, a UUID.
SPEECH_API const char *speech_audio_request_id(const speech_audio *audio);

// The metered quantity: the Unicode scalar values of the whole text as it was sent.
SPEECH_API size_t speech_audio_characters(const speech_audio *audio);

// The name of the kernels (the instruction set) that computed it, such as "avx2" or "portable": never "auto". The
// string is static.
SPEECH_API const char *speech_audio_kernels(const speech_audio *audio);

// The precision of the products of the vocoder: "fp32", "int16" or "bf16", never "auto". The string is static.
SPEECH_API const char *speech_audio_precision(const speech_audio *audio);

// Frees an audio object, with its samples, arrays and strings.
SPEECH_API void speech_audio_free(speech_audio *SPEECH_NULLABLE audio);

/* ---- STREAMS: a text a sentence at a time ---- */

// Gives the next chunk, one sentence or a part of it, as soon as it is computed. At the end it returns SPEECH_END,
// which is not a failure: there is no error object then, and no chunk.
//
// From the first call on, a thread of the stream computes one sentence ahead of the one that was given last;
// nothing is computed before that. A sentence that takes over 16 s to say comes in parts of at most that, a silence of
// over a second by itself and a second at a time, and with low latency (see speech_request_set_latency()) the first
// sentence may come as three chunks, all with the same span.
//
// `audio` receives a new object: free it with speech_audio_free(). Thread-safe: concurrent calls run one after
// another. Fails with SPEECH_CANCELLED if the stream's token was cancelled or the stream was freed meanwhile, with
// SPEECH_INVALID_REQUEST once it is known that the speech would be longer than SPEECH_MAX_SECONDS (in a live or a long
// text, that of one sentence), or with SPEECH_INTERNAL; then every later call fails in the same way.
SPEECH_API
speech_status speech_stream_next(speech_stream *stream,
                                 speech_audio **SPEECH_NONNULL audio,
                                 speech_error **SPEECH_NULLABLE error);

// Adds a piece of text to a stream of speech_engine_live(): a token, half a word, a page. A sentence is spoken when it is
// decided: what is not is held back, as speech_segmenter_push() says. It returns at once.
//
// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED; it must
// not end inside a character.
//
// Thread-safe, also while another thread is inside speech_stream_next(). Fails with SPEECH_INVALID_REQUEST for a
// stream that takes no text, or no more; then nothing is taken.
SPEECH_API
speech_status speech_stream_push(speech_stream *stream,
                                 const char *piece,
                                 size_t length,
                                 speech_error **SPEECH_NULLABLE error);

// Has everything spoken that was pushed into a stream of speech_engine_live(), as if a sentence ended there.
//
// Thread-safe, also while another thread is inside speech_stream_next().
SPEECH_API
speech_status speech_stream_flush(speech_stream *stream,
                                  speech_error **SPEECH_NULLABLE error);

// Ends the text of a stream of speech_engine_live(): what is left is spoken, and then the stream ends.
//
// Thread-safe, also while another thread is inside speech_stream_next().
SPEECH_API
speech_status speech_stream_finish(speech_stream *stream,
                                   speech_error **SPEECH_NULLABLE error);

// The byte of the text of a stream of speech_engine_live() or speech_engine_stream_long() up to which words have been
// said when playback is at `seconds` from the start of the stream: what the user of an agent has heard when he
// interrupts it. 0 for another stream.
SPEECH_API
size_t speech_stream_heard_at(const speech_stream *stream,
                              double seconds);

// Whether a stream of speech_engine_live() has more than 16 KiB of text that is not spoken yet: a source that is faster than
// speech should wait then, and look again some milliseconds later. speech_stream_push() takes text all the same.
SPEECH_API bool speech_stream_is_full(const speech_stream *stream);

// Stops a stream: calls that are inside it, and later ones, fail with SPEECH_CANCELLED soon.
//
// Thread-safe, also while another thread is inside speech_stream_next().
SPEECH_API
speech_status speech_stream_cancel(speech_stream *stream,
                                   speech_error **SPEECH_NULLABLE error);

// The identifier of the request, a UUID.
SPEECH_API const char *speech_stream_request_id(const speech_stream *stream);

// The sample rate of its audio in hertz: that of the request, SPEECH_SAMPLE_RATE by default.
SPEECH_API uint32_t speech_stream_sample_rate(const speech_stream *stream);

// The encoding of the bytes of its audio: that of the request.
SPEECH_API speech_encoding speech_stream_encoding(const speech_stream *stream);

// The metered quantity: the Unicode scalar values of the whole text as it was sent; of a live text, those so far.
SPEECH_API size_t speech_stream_characters(const speech_stream *stream);

// The diagnostics of the whole text: what is not said. In a stream of speech_engine_live() or speech_engine_stream_long()
// those so far, 10,000 at most; a sentence that is computed ahead may be among them.
//
// In such a stream pointers returned by this function become invalid when speech_stream_next() is called, in every stream
// when it is freed.
SPEECH_API
const speech_diagnostic *SPEECH_NULLABLE speech_stream_diagnostics(const speech_stream *stream,
                                                                   size_t *count);

// Frees a stream. It stops what is computed ahead and waits for that, some milliseconds: when this returns,
// nothing of the stream runs any more. (Inside a log callback it may not wait.) A call that is inside the stream
// on another thread is stopped, and returns SPEECH_CANCELLED; then that call waits, and this does not. The audio
// that the stream gave stays valid.
SPEECH_API void speech_stream_free(speech_stream *SPEECH_NULLABLE stream);

/* ---- TEXTS ---- */

// The characters of a text as the limit and the meter count them: its Unicode scalar values.
//
// `text` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED.
SPEECH_API
speech_status speech_text_characters(const char *text,
                                     size_t length,
                                     size_t *characters,
                                     speech_error **SPEECH_NULLABLE error);

// Cuts a text into parts of at most `max_characters` characters, in order: after sentences if it can, else
// after clauses, else between words, and inside a word only if the word alone is over the limit. White
// space around the parts is left out. 1,000 is what a request may have; 0 counts as 1.
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

// The parts: strings that end with a NUL byte. There are none if the text was empty or only white space.
SPEECH_API
const char *const *SPEECH_NULLABLE speech_text_parts_strings(const speech_text_parts *parts,
                                                             size_t *count);

// Frees the parts, with their strings.
SPEECH_API void speech_text_parts_free(speech_text_parts *SPEECH_NULLABLE parts);

// Makes a segmenter at the start of a text. Free it with speech_segmenter_free().
SPEECH_API speech_segmenter *speech_segmenter_new(void);

// Takes the next piece of the text and gives the sentences that are now decided, each fit for a request.
// What is not decided is held back: a text that ends in "Dr." or "3." may go on either way. However the
// text is cut into pieces, the sentences are the same.
//
// `piece` is UTF-8 of `length` bytes, or ends with a NUL byte if `length` is SPEECH_NUL_TERMINATED; it must
// not end inside a character. `sentences` receives a new object, which may have no sentence in it: free it
// with speech_text_parts_free().
//
// Thread-safe: concurrent calls run one after another. On failure nothing is taken.
SPEECH_API
speech_status speech_segmenter_push(speech_segmenter *segmenter,
                                    const char *piece,
                                    size_t length,
                                    speech_text_parts **SPEECH_NONNULL sentences,
                                    speech_error **SPEECH_NULLABLE error);

// Ends the text and gives the sentences that are left; the segmenter is then at the start of another text.
//
// `sentences` receives a new object: free it with speech_text_parts_free().
SPEECH_API
speech_status speech_segmenter_finish(speech_segmenter *segmenter,
                                      speech_text_parts **SPEECH_NONNULL sentences,
                                      speech_error **SPEECH_NULLABLE error);

// Frees a segmenter, with what it holds back.
SPEECH_API void speech_segmenter_free(speech_segmenter *SPEECH_NULLABLE segmenter);

/* ---- VOICES ---- */

// The voices: the same for every engine. The array and its strings are static.
SPEECH_API const speech_voice *SPEECH_NULLABLE speech_voices_list(size_t *count);

// The languages, as BCP 47 tags such as "en-US". The array and its strings are static.
SPEECH_API const char *const *SPEECH_NULLABLE speech_voices_languages(size_t *count);

// The identifier of the voice of a request that names none. The string is static.
SPEECH_API const char *speech_voices_default(void);

// The voices, the languages and the limits of every request, as the contract's JSON. The string is static.
SPEECH_API const char *speech_voices_json(void);

/* ---- LATENCY TIERS of the audio-to-text side ---- */

// Makes the catalogue of a deployment that can run these settings of `att_context_size`: `count` pairs of
// left and right context, in encoder frames, so an array of 2 x `count` integers. A setting that no tier
// uses changes nothing. (NULL, 0) is a deployment that can run none.
//
// `tiers` receives a new object: free it with speech_tiers_free().
SPEECH_API
speech_status speech_tiers_new(const uint32_t *SPEECH_NULLABLE contexts,
                               size_t count,
                               speech_tiers **SPEECH_NONNULL tiers,
                               speech_error **SPEECH_NULLABLE error);

// The tiers that are priced; not all of them may be available.
SPEECH_API
const speech_tier_entry *SPEECH_NULLABLE speech_tiers_entries(const speech_tiers *tiers,
                                                              size_t *count);

// The tiers that are available, the most suitable for a use case first: for a client's own choice, in advance. There
// are none for a use case that this library does not know.
SPEECH_API
const speech_tier *SPEECH_NULLABLE speech_tiers_ranked(const speech_tiers *tiers,
                                                       speech_use_case use_case,
                                                       size_t *count);

// The catalogue as the contract's JSON.
SPEECH_API const char *speech_tiers_json(const speech_tiers *tiers);

// The tier of a name that a request gives. It never answers with another tier.
//
// Fails with SPEECH_INVALID_TIER if the name is unknown or the tier is not available here; the message names it.
SPEECH_API
speech_status speech_tiers_resolve(const speech_tiers *tiers,
                                   const char *name,
                                   speech_tier *tier,
                                   speech_error **SPEECH_NULLABLE error);

// Frees a catalogue, with its arrays and its JSON.
SPEECH_API void speech_tiers_free(speech_tiers *SPEECH_NULLABLE tiers);

// The tier of a request that names none, whether it is available or not.
SPEECH_API speech_tier speech_tier_default(void);

// The name of a tier as requests give it, such as "turbo", and NULL for a number that is no tier. The string is static.
SPEECH_API const char *SPEECH_NULLABLE speech_tier_name(speech_tier tier);

// What `nanoseconds` of audio cost in a tier, in millionths of a US dollar, before any rebate: exact, and
// rounded up to a whole one once, at the end. Charge a whole recording at once, not its pieces.
//
// Fails with SPEECH_INVALID_TIER if there is no such tier.
SPEECH_API
speech_status speech_tier_charge(speech_tier tier,
                                 uint64_t nanoseconds,
                                 uint64_t *micros,
                                 speech_error **SPEECH_NULLABLE error);

// As speech_tier_charge(), for a number of samples at a sample rate in hertz, which need not make a whole
// number of nanoseconds.
//
// Fails with SPEECH_INVALID_TIER if there is no such tier, and with SPEECH_INVALID_REQUEST if the
// sample rate is 0 or the charge does not fit 64 bits.
SPEECH_API
speech_status speech_tier_charge_samples(speech_tier tier,
                                         uint64_t samples,
                                         uint32_t sample_rate,
                                         uint64_t *micros,
                                         speech_error **SPEECH_NULLABLE error);

/* ---- FOR TESTS ---- */

// The number of objects of this library, of every type, that are not freed yet: 0 at the end of a program that
// frees everything. It is for the leak checks of your own tests: a memory checker does not report an object that
// was not freed as a leak, because the registry of the library still refers to it. In a child of fork() those that it made.
SPEECH_API size_t speech_object_count(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

SPEECH_DECLARATIONS_END

#endif  /* SPEECH_H */
