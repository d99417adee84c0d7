/* The module as C sees it: compiled with all warnings as errors. */

#include <LibSpeech/speech.h>

uint32_t version(void);

uint32_t version(void) {
  speech_error *error = NULL;
  speech_status status = SPEECH_ABI_CHECK(&error);
  speech_error_free(error);
  return status == SPEECH_OK ? speech_abi_version() : 0;
}
