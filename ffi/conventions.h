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
