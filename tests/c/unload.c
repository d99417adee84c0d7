// A host that loads the library at run time, as plug-ins do, and closes it again. Called as `unload LIBRARY`.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef const char *version(void);

static version *find(const char *path, void **library) {
  // A function pointer through a union: C has no cast from an object pointer.
  union {
    void *object;
    version *function;
  } symbol = {NULL};
  *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (*library != NULL) {
    symbol.object = dlsym(*library, "speech_version");
  }
  return symbol.function;
}

int main(int argc, char **argv) {
  void *library = NULL;
  version *first = argc == 2 ? find(argv[1], &library) : NULL;
  if (first == NULL || dlclose(library) != 0) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  // It is still there, and in the same place.
  return first()[0] != '\0' && find(argv[1], &library) == first ? 0 : 1;
}
