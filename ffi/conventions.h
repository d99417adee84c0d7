/*
 * libspeech: speech synthesis that runs inside the application.
 *
 * Text goes in, natural speech comes out: on the CPU, offline, in English (en-US) and Hindi (hi-IN), by
 * five voices, as mono samples at 22,050 Hz. A whole program:
 *
 *   #include <speech.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     speech_engine *engine = NULL;
 *     speech_request *request = NULL;
 *     speech_audio *audio = NULL;
 *     speech_error *error = NULL;
 *     const uint8_t *wav = NULL;
 *     size_t length = 0;
 *     int status = 1;
 *
 *     if (speech_engine_load(NULL, &engine, &error) != SPEECH_OK ||
 *         speech_request_new("Hello, world.", SPEECH_NUL_TERMINATED, &request, &error) != SPEECH_OK ||
 *         speech_engine_synthesize(engine, request, NULL, &audio, &error) != SPEECH_OK ||
 *         speech_audio_wav(audio, &wav, &length, &error) != SPEECH_OK) {
 *       fprintf(stderr, "%s\n", speech_error_message(error));
 *     } else {
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
 * Errors. Every function that can fail returns a speech_status: SPEECH_OK, which is 0, or why it failed. Its
 *   last argument is an output for an error object, which says more; it may be NULL. On failure it receives a
 *   new error, which the caller frees with speech_error_free(), and no other output is written. On success it is
 *   not written. What an output held before is not read: in a loop that goes on after a failure, free the error
 *   and set its variable to NULL first. SPEECH_OVERLOADED aside, the same call fails again.
 *   Every function can fail with SPEECH_INVALID_REQUEST for a wrong argument and with SPEECH_INTERNAL; its
 *   comment names what else. The library never ends the process, never prints, and lets no panic or exception
 *   out. (Exhausted memory is different: it ends the process.)
 *
 * Ownership. What a function writes to an output that is a pointer to a handle is a new object, which the caller
 *   owns and frees once, with the _free function of its type. Objects do not depend on each other: an engine may
 *   be freed before its streams, a stream before the audio that it gave. A const pointer that a function gives (a
 *   string, samples, bytes) belongs to the object that it was read from, and is valid and unchanged until that is
 *   freed. What is passed in is copied, unless the comment says otherwise, and no thread may change it during the
 *   call.
 *
 * Handles. The pointers to the types below are handles, not addresses: do not follow them. A handle is live from
 *   when it is given until it is freed. The library detects one that is not live: using it is
 *   SPEECH_INVALID_REQUEST, freeing it does nothing. Freeing an object while another thread is inside a call with
 *   it is defined: the call goes on with the object, which is destroyed afterwards. (The value of a handle is not
 *   used again; where a pointer has 32 bits, only after two billion objects.)
 *
 * Threads. Every function may be called from any thread at any time, without locks of the caller's. Calls with one
 *   engine run in parallel. A comment that says more has it after "Threads". Do not call the library from signal
 *   handlers. Once it is loaded it is not unloaded: dlclose() has no effect. The library has threads of its own:
 *   those of an engine, which sleep when there is nothing to compute, and one of each stream from the first call of
 *   speech_stream_next() until the stream ends or is freed. A thread that calls needs 128 KiB of stack.
 *
 * Processes. A handle belongs to the process that made it. In a child of fork(), using one of the parent is
 *   SPEECH_INVALID_REQUEST, freeing it does nothing, and no callback of the parent is called: the child makes its own
 *   options, engines and requests, and nothing waits for what threads of the parent were doing. Pointers that were read
 *   before stay valid.
 *
 * Sound. The same request to the same voice bundle, kernels and precision gives the same samples, alone or among
 *   others, whatever the number of threads. The last bits differ between kernels and between precisions.
 *
 * NULL. An output must not be NULL, unless the comment says that it may. (NULL, 0) is an empty text or array.
 *   Names and paths end with their first NUL byte. Where options or a cancel token may be NULL, NULL means none:
 *   check that making them succeeded, or the call cannot be cancelled.
 *
 * Text. UTF-8 without NUL characters; anything else is SPEECH_INVALID_REQUEST. Spans are bytes of the text
 *   as it was sent. No part of a text is logged, or in an error message.
 *
 * Versions. A program that was compiled with this header runs with every later library of the same
 *   SPEECH_ABI_MAJOR. SPEECH_ABI_CHECK(&error) checks that when the program runs.
 *
 * Environment. SPEECH_BUNDLE and SPEECH_THREADS are read by speech_engine_load() for options that are not
 *   set: do not change the environment on another thread meanwhile.
 */
