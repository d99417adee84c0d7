// Functions and macros for the test programs: checks that print the failing line.
//
// Usage of each program: `program BUNDLE HUM`, with the directories of the voice bundle and of the
// fake model's bundle. The test that compiles the programs generates `counted.h`, which counts the
// called functions.
#ifndef CHECK_H
#define CHECK_H

#include <speech.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counted.h"

// The error output of every call; on success it must not be written.
static _Thread_local speech_error *error;

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

// Checks that a call succeeds.
#define OK(call)                                                           \
  do {                                                                     \
    speech_status status_ = (call);                                        \
    if (status_ != SPEECH_OK) {                                            \
      fprintf(stderr, "%s:%d: %s: %d %s\n", __FILE__, __LINE__, #call,     \
              (int)status_, speech_error_message(error));                  \
      exit(1);                                                             \
    }                                                                      \
    CHECK(error == NULL);                                                  \
  } while (0)

// Checks that a call fails with a status, and that the message contains `part`.
#define FAILS(call, status, part)                                          \
  do {                                                                     \
    speech_status status_ = (call);                                        \
    if (status_ != (status) || strstr(speech_error_message(error), (part)) == NULL) { \
      fprintf(stderr, "%s:%d: %s: %d \"%s\"\n", __FILE__, __LINE__, #call, \
              (int)status_, speech_error_message(error));                  \
      exit(1);                                                             \
    }                                                                      \
    CHECK(speech_error_status(error) == status_);                          \
    speech_error_free(error);                                              \
    error = NULL;                                                          \
  } while (0)

static inline speech_engine *load(const char *bundle) {
  speech_engine_options *options = NULL;
  speech_engine *engine = NULL;
  options = speech_engine_options_new();
  OK(speech_engine_options_set_bundle_path(options, bundle, &error));
  OK(speech_engine_options_set_threads(options, 1, &error));
  OK(speech_engine_load(options, &engine, &error));
  speech_engine_options_free(options);
  return engine;
}

static inline speech_request *request_for(const char *text) {
  speech_request *request = NULL;
  OK(speech_request_new(text, SPEECH_NUL_TERMINATED, &request, &error));
  return request;
}

// The end of every program: checks that all objects were freed.
static inline int finish(void) {
  CHECK(error == NULL);
  if (speech_object_count() != 0) {
    fprintf(stderr, "%zu objects were not freed\n", speech_object_count());
    return 1;
  }
  return 0;
}

#endif
