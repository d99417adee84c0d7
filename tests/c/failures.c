// Fault injection: makes each call to the operating system fail, once and permanently. Every
// function of the library must then succeed or return a clear error, and leave no descriptor,
// thread or object behind. Usage: `failures BUNDLE FAKE`. If FAKE is "", the library finds the
// bundle and counts the processors itself.
//
// The functions below interpose those of the C library: the dynamic linker searches the program
// first. Memory allocation is excluded, because Rust ends the process when it fails.
#include "check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The functions that fail, and their results.
#define FUNCTIONS(X)            \
  X(open, EMFILE)               \
  X(open64, EMFILE)             \
  X(statx, EACCES)              \
  X(mmap64, ENOMEM)             \
  X(lseek64, EIO)               \
  X(read, EIO)                  \
  X(pread64, EIO)               \
  X(readlink, EACCES)           \
  X(realpath, EACCES)           \
  X(getcwd, ENOENT)             \
  X(fcntl, EMFILE)              \
  X(sched_getaffinity, EPERM)   \
  X(sysconf, EINVAL)            \
  X(madvise, ENOMEM)            \
  X(syscall, EINTR)             \
  X(getrandom, ENOSYS)          \
  X(clock_gettime, EPERM)       \
  X(pthread_key_create, EAGAIN) \
  X(pthread_attr_setstacksize, EINVAL) \
  X(pthread_create, EAGAIN)

#define NUMBER(name, error) CALL_##name,
#define NAME(name, error) #name,
#define ERRNO(name, error) error,
enum { FUNCTIONS(NUMBER) CALLS };
static const char *const names[CALLS] = {FUNCTIONS(NAME)};
static const int errors[CALLS] = {FUNCTIONS(ERRNO)};

// The index of the failing function (none if negative), the number of the failing call, and whether
// all later calls fail too.
static atomic_int failing = -1;
static atomic_long calls_left;
static atomic_bool lasting;
static atomic_long fired;

static bool fails(int call) {
  if (atomic_load(&failing) != call) {
    return false;
  }
  long left = atomic_fetch_sub(&calls_left, 1) - 1;
  if (left > 0 || (left < 0 && !atomic_load(&lasting))) {
    return false;
  }
  atomic_fetch_add(&fired, 1);
  errno = errors[call];
  return true;
}

// The interposed function of the C library.
static void *original(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) {
    abort();
  }
  return found;
}

// Interposes a function: returns `failed` on the chosen call, otherwise the result of the original.
#define STANDS_BEFORE(type, name, failed, parameters, arguments)          \
  type name parameters;                                                   \
  type name parameters {                                                  \
    static _Atomic(type(*) parameters) next;                              \
    if (fails(CALL_##name)) {                                             \
      return failed;                                                      \
    }                                                                     \
    if (atomic_load(&next) == NULL) {                                     \
      void *found = original(#name);                                      \
      type(*function) parameters;                                         \
      memcpy(&function, &found, sizeof found);                            \
      atomic_store(&next, function);                                      \
    }                                                                     \
    return atomic_load(&next) arguments;                                  \
  }

typedef void *(*start)(void *);

STANDS_BEFORE(int, open, -1, (const char *path, int flags, ...), (path, flags, 0600))
STANDS_BEFORE(int, open64, -1, (const char *path, int flags, ...), (path, flags, 0600))
STANDS_BEFORE(int, statx, -1,
              (int dir, const char *restrict path, int flags, unsigned mask, struct statx *restrict into),
              (dir, path, flags, mask, into))
STANDS_BEFORE(void *, mmap64, MAP_FAILED,
              (void *at, size_t length, int protection, int flags, int fd, off64_t offset),
              (at, length, protection, flags, fd, offset))
STANDS_BEFORE(off64_t, lseek64, -1, (int fd, off64_t offset, int whence), (fd, offset, whence))
STANDS_BEFORE(ssize_t, read, -1, (int fd, void *into, size_t size), (fd, into, size))
STANDS_BEFORE(ssize_t, pread64, -1, (int fd, void *into, size_t size, off64_t offset), (fd, into, size, offset))
STANDS_BEFORE(ssize_t, readlink, -1, (const char *restrict path, char *restrict into, size_t size),
              (path, into, size))
STANDS_BEFORE(char *, realpath, NULL, (const char *restrict path, char *restrict into), (path, into))
STANDS_BEFORE(char *, getcwd, NULL, (char *into, size_t size), (into, size))
STANDS_BEFORE(int, sched_getaffinity, -1, (pid_t process, size_t size, cpu_set_t *set), (process, size, set))
STANDS_BEFORE(long, sysconf, -1, (int name), (name))
STANDS_BEFORE(int, madvise, -1, (void *at, size_t length, int advice), (at, length, advice))
STANDS_BEFORE(ssize_t, getrandom, -1, (void *into, size_t size, unsigned flags), (into, size, flags))
STANDS_BEFORE(int, clock_gettime, -1, (clockid_t clock, struct timespec *into), (clock, into))
STANDS_BEFORE(int, pthread_key_create, EAGAIN, (pthread_key_t *key, void (*end)(void *)), (key, end))
STANDS_BEFORE(int, pthread_attr_setstacksize, EINVAL, (pthread_attr_t *attributes, size_t size), (attributes, size))
STANDS_BEFORE(int, pthread_create, EAGAIN,
              (pthread_t *restrict thread, const pthread_attr_t *restrict attributes, start begin, void *restrict with),
              (thread, attributes, begin, with))

// These two functions are variadic; the library passes word-sized arguments.
#define WORDS(last, count)                       \
  long words[count];                             \
  va_list list;                                  \
  va_start(list, last);                          \
  for (int i = 0; i < (count); i++) {            \
    words[i] = va_arg(list, long);               \
  }                                              \
  va_end(list)

int fcntl(int fd, int command, ...) {
  WORDS(command, 1);
  int (*next)(int, int, ...);
  void *found = original("fcntl");
  memcpy(&next, &found, sizeof found);
  return fails(CALL_fcntl) ? -1 : next(fd, command, words[0]);
}

long syscall(long number, ...) {
  WORDS(number, 6);
  long (*next)(long, ...);
  void *found = original("syscall");
  memcpy(&next, &found, sizeof found);
  // Waking cannot fail, and waiting may end at any time.
  bool wakes = number == SYS_futex && (words[1] & ~FUTEX_PRIVATE_FLAG) != FUTEX_WAIT_BITSET;
  return !wakes && fails(CALL_syscall) ? -1 : next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

// The number of entries in a directory of /proc: open descriptors, or running threads.
static int entries(const char *path) {
  DIR *dir = opendir(path);
  CHECK(dir != NULL);
  int count = 0;
  while (readdir(dir) != NULL) {
    count++;
  }
  CHECK(closedir(dir) == 0);
  return count;
}

// Waits until ended threads are no longer listed.
static void expect_threads(int expected) {
  for (int i = 0; i < 1000 && entries("/proc/self/task") != expected; i++) {
    usleep(10000);
  }
  CHECK(entries("/proc/self/task") == expected);
}

// The last status in a round other than success.
static speech_status ended;
static char message[512];

// Whether a call succeeded. After a failure, checks that there is an error, and frees it.
static bool went_well(speech_status status) {
  if (status == SPEECH_OK || status == SPEECH_END) {
    CHECK(error == NULL);
    return status == SPEECH_OK;
  }
  // The caller made no mistake, so no other status is correct.
  CHECK(status == SPEECH_MODEL_ERROR || status == SPEECH_INTERNAL);
  CHECK(speech_error_status(error) == status && *speech_error_message(error) != 0);
  bool found = strcmp(speech_error_detail(error), "bundle_not_found") != 0;
  CHECK(status != SPEECH_MODEL_ERROR || !found || *speech_error_path(error) != 0);
  ended = status;
  snprintf(message, sizeof message, "%s", speech_error_message(error));
  speech_error_free(error);
  error = NULL;
  return false;
}

static void whole(speech_engine *engine, const speech_request *request) {
  speech_audio *audio = NULL;
  size_t count = 0;
  if (went_well(speech_engine_synthesize(engine, request, NULL, &audio, &error))) {
    CHECK(speech_audio_samples_f32(audio, &count) != NULL && count > 1000);
  }
  speech_audio_free(audio);
}

static void streamed(speech_engine *engine, const speech_request *request) {
  speech_stream *stream = NULL;
  speech_audio *chunk = NULL;
  bool going = went_well(speech_engine_stream(engine, request, NULL, &stream, &error));
  while (going) {
    going = went_well(speech_stream_next(stream, &chunk, &error));
    speech_audio_free(chunk);
  }
  speech_stream_free(stream);
}

// Loads an engine, speaks and frees the engine.
static void use(const char *bundle) {
  speech_engine *engine = NULL;
  speech_request *request = request_for("Hi. Ho.");
  speech_engine_options *options = speech_engine_options_new();
  if (*bundle != 0) {
    OK(speech_engine_options_set_bundle_path(options, bundle, &error));
    OK(speech_engine_options_set_threads(options, 2, &error));
  }
  OK(speech_engine_options_set_kernels(options, "portable", &error));
  if (went_well(speech_engine_load(options, &engine, &error))) {
    whole(engine, request);
    streamed(engine, request);
  }
  speech_engine_free(engine);
  speech_engine_options_free(options);
  speech_request_free(request);
}

// Calls `use`, and checks for leaks. An alarm ends a round that hangs, which is a failure.
static void round_of(const char *bundle) {
  int descriptors = entries("/proc/self/fd");
  int threads = entries("/proc/self/task");
  ended = SPEECH_OK;
  alarm(120);
  use(bundle);
  atomic_store(&failing, -1);
  alarm(0);
  CHECK(entries("/proc/self/fd") == descriptors);
  CHECK(speech_object_count() == 0);
  expect_threads(threads);
}

// Fails each call of a function, one per round, until there are no more. Prints the number of
// calls, and how many of the failures the caller saw as an error.
static void fail_each(int call, const char *bundle) {
  for (int lasts = 0; lasts < 2; lasts++) {
    int rounds = 0;
    int refused = 0;
    // Every one of the first calls; for a frequent function, such as waiting, only some of the
    // later ones.
    for (long turn = 1;; turn += turn < 15 ? 1 : turn / 3) {
      atomic_store(&fired, 0);
      atomic_store(&lasting, lasts != 0);
      atomic_store(&calls_left, turn);
      atomic_store(&failing, call);
      round_of(bundle);
      if (atomic_load(&fired) == 0) {
        CHECK(ended == SPEECH_OK);
        break;
      }
      rounds++;
      refused += ended != SPEECH_OK;
    }
    printf("%s %s: %d rounds, %d errors: %s\n", names[call], lasts ? "from then on" : "once", rounds, refused,
           refused ? message : "none");
    fflush(stdout);
  }
  round_of(bundle);
  CHECK(ended == SPEECH_OK);
}

// Limits the descriptors of the process. With a higher limit the library gets further, until it
// works.
static void run_out_of_descriptors(const char *bundle) {
  struct rlimit before;
  CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
  int refused = 0;
  for (rlim_t limit = 3;; limit++) {
    struct rlimit low = {limit, before.rlim_max};
    int descriptors = entries("/proc/self/fd");
    CHECK(setrlimit(RLIMIT_NOFILE, &low) == 0);
    ended = SPEECH_OK;
    use(bundle);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(entries("/proc/self/fd") == descriptors && speech_object_count() == 0);
    if (ended == SPEECH_OK) {
      break;
    }
    CHECK(ended == SPEECH_MODEL_ERROR);
    refused++;
  }
  CHECK(refused > 0);
  printf("descriptors: %d errors: %s\n", refused, message);
}

int main(int argc, char **argv) {
  CHECK(argc == 3);
  // Initializes everything that is created once per process.
  round_of(argv[2]);
  CHECK(ended == SPEECH_OK);
  for (int call = 0; call < CALLS; call++) {
    fail_each(call, argv[2]);
  }
  run_out_of_descriptors(argv[2]);
  return finish();
}
