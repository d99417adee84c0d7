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
