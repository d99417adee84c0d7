// A host that loads the library at run time, like a plug-in, and closes it again.
// Usage: `unload LIBRARY`.
#include <stdio.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

typedef const char *version(void);
typedef int engine_load(void *options, void **engine, void **error);

// Converts through a union, because C has no cast from an object pointer to a function pointer.
union function {
  void *object;
  version *version;
  engine_load *load;
};

#ifdef _WIN32
static void *open_library(const char *path) { return (void *)LoadLibraryA(path); }
static int close_library(void *library) { return FreeLibrary((HMODULE)library) ? 0 : 1; }

static union function find(void *library, const char *name) {
  union function function;
  FARPROC found = GetProcAddress((HMODULE)library, name);
  memcpy(&function, &found, sizeof function);
  return function;
}
#else
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static int close_library(void *library) { return dlclose(library); }

static union function find(void *library, const char *name) {
  union function function = {.object = dlsym(library, name)};
  return function;
}
#endif

int main(int argc, char **argv) {
  void *library = argc == 2 ? open_library(argv[1]) : NULL;
  version *first = library != NULL ? find(library, "speech_version").version : NULL;
  if (first == NULL) {
    fprintf(stderr, "the library cannot be opened\n");
    return 1;
  }
  // An engine's threads run code of the library. On Windows it stays loaded once a call has created
  // threads.
  void *engine = NULL;
  find(library, "speech_engine_load").load(NULL, &engine, NULL);
  if (close_library(library) != 0) {
    fprintf(stderr, "the library cannot be closed\n");
    return 1;
  }
  // The library is still loaded, at the same address.
  library = first()[0] != '\0' ? open_library(argv[1]) : NULL;
  return library != NULL && find(library, "speech_version").version == first ? 0 : 1;
}
