// A library that says it is an ONNX Runtime of a version that reports to its maker. Nothing else of it may
// be called.
#include <stdint.h>
#include <stdlib.h>

struct api_base {
  const void *(*get_api)(uint32_t version);
  const char *(*get_version_string)(void);
};

const struct api_base *OrtGetApiBase(void);

static const void *get_api(uint32_t version) {
  (void)version;
  abort();
}

static const char *get_version_string(void) { return "1.31.1"; }

const struct api_base *OrtGetApiBase(void) {
  static const struct api_base base = {get_api, get_version_string};
  return &base;
}
