/* Simulates a full disk or a power failure, for tests. Preloaded into a program (LD_PRELOAD).
 *
 * It interposes calls for files whose names begin with $DISK_FILES, except shared memory (`-shm`) and locks.
 *
 * Full disk: while the file $DISK_FULL exists, writes that would make a file longer fail with ENOSPC.
 *
 * Power failure: the power fails at operation number $DISK_CUT, which is a write, a truncation or a synchronization. Of the
 * data written since the last synchronization of a file, any part may be on the disk, in any order, with torn sectors;
 * $DISK_SEED chooses. The files are left in that state, and the process is killed. At a regular exit, the number of
 * operations is written to $DISK_COUNT. Creating, renaming and deleting a file takes effect on the disk at once.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, MAX_FILES = 16, MAX_DESCRIPTORS = 65536 };

/* A write; a truncation if `data` is NULL. */
struct operation {
    struct operation *next;
    off_t offset;
    size_t length;
    char *data;
};

struct file {
    char *path;
    /* The content at the last synchronization, which is on the disk. */
    char *synced;
    size_t length;
    /* The operations since then, in order. */
    struct operation *first, **last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file files[MAX_FILES];
static struct file *of_descriptor[MAX_DESCRIPTORS];
static unsigned long operations, cut;
static uint64_t seed;
static const char *prefix, *full;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_unlink)(const char *);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

static unsigned long number(const char *name) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
    *(void **)&real_open = real("open");
    *(void **)&real_close = real("close");
    *(void **)&real_unlink = real("unlink");
    *(void **)&real_pwrite = real("pwrite");
    *(void **)&real_ftruncate = real("ftruncate");
    *(void **)&real_fsync = real("fsync");
    full = getenv("DISK_FULL");
    cut = number("DISK_CUT");
    seed = number("DISK_SEED") * 2 + 1;
    prefix = getenv("DISK_FILES");
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("DISK_COUNT");
    FILE *count = path ? fopen(path, "w") : NULL;
    if (!count) return;
    fprintf(count, "%lu", operations);
    fclose(count);
}

/* xorshift64* (Vigna, 2016). */
static uint64_t chance(uint64_t below) {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return ((seed * UINT64_C(2685821657736338717)) >> 33) % below;
}

static void *grown(void *memory, size_t length) {
    memory = realloc(memory, length ? length : 1);
    if (!memory) abort();
    return memory;
}

static void resize(struct file *file, size_t length) {
    file->synced = grown(file->synced, length);
    if (length > file->length) memset(file->synced + file->length, 0, length - file->length);
    file->length = length;
}

static void apply(struct file *file, const struct operation *operation, size_t from, size_t to) {
    if (!operation->data) {
        resize(file, (size_t)operation->offset);
        return;
    }
    size_t end = (size_t)operation->offset + to;
    if (end > file->length) resize(file, end);
    memcpy(file->synced + operation->offset + from, operation->data + from, to - from);
}

static void forget(struct file *file) {
    while (file->first) {
        struct operation *next = file->first->next;
        free(file->first->data);
        free(file->first);
        file->first = next;
    }
    file->last = &file->first;
}

/* Applies a part of the unsynchronized operations: none, all up to some operation, or some sectors. */
static void lose(struct file *file) {
    uint64_t how = chance(3), until = chance(64);
    for (struct operation *it = file->first; it; it = it->next) {
        if (how == 0 || (how == 1 && until-- == 0)) return;
        if (how == 1 || !it->data) {
            if (how == 1 || chance(2)) apply(file, it, 0, it->length);
            continue;
        }
        for (size_t from = 0; from < it->length;) {
            size_t to = from + SECTOR - ((size_t)it->offset + from) % SECTOR;
            if (to > it->length) to = it->length;
            if (chance(2)) apply(file, it, from, to);
            from = to;
        }
    }
}

static void cut_power(void) {
    for (struct file *file = files; file < files + MAX_FILES && file->path; file++) {
        struct stat status;
        /* A deleted file stays deleted. */
        if (stat(file->path, &status)) continue;
        lose(file);
        int descriptor = real_open(file->path, O_WRONLY | O_TRUNC);
        if (descriptor < 0 || real_pwrite(descriptor, file->synced, file->length, 0) != (ssize_t)file->length)
            abort();
    }
    kill(getpid(), SIGKILL);
    pause();
}

/* Called with the lock held, before each operation. */
static void count(void) {
    if (++operations == cut) cut_power();
}

static void note(struct file *file, off_t offset, const void *data, size_t length) {
    struct operation *operation = grown(NULL, sizeof *operation);
    *operation = (struct operation){NULL, offset, length, NULL};
    if (data) operation->data = memcpy(grown(NULL, length), data, length);
    *file->last = operation;
    file->last = &operation->next;
}

static int is_watched(const char *path) {
    if (!prefix || strncmp(path, prefix, strlen(prefix))) return 0;
    const char *rest = path + strlen(prefix);
    return !strcmp(rest, "") || !strcmp(rest, "-wal") || !strcmp(rest, "-journal");
}

/* The content of a file at its first opening is on the disk. */
static struct file *watched(const char *path, int descriptor) {
    struct file *file = files;
    for (; file->path; file++) {
        if (!strcmp(file->path, path)) return file;
        if (file + 1 == files + MAX_FILES) abort();
    }
    file->path = strdup(path);
    file->last = &file->first;
    struct stat status;
    if (fstat(descriptor, &status)) abort();
    resize(file, (size_t)status.st_size);
    int reading = real_open(path, O_RDONLY);
    for (size_t at = 0; at < file->length;) {
        ssize_t got = pread(reading, file->synced + at, file->length - at, (off_t)at);
        if (got <= 0) abort();
        at += (size_t)got;
    }
    real_close(reading);
    return file;
}

static struct file *file_of(int descriptor) {
    return descriptor >= 0 && descriptor < MAX_DESCRIPTORS ? of_descriptor[descriptor] : NULL;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    int descriptor = real_open(path, flags, mode);
    if (descriptor < 0 || descriptor >= MAX_DESCRIPTORS || !is_watched(path)) return descriptor;
    pthread_mutex_lock(&lock);
    of_descriptor[descriptor] = watched(path, descriptor);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int close(int descriptor) {
    pthread_mutex_lock(&lock);
    if (file_of(descriptor)) of_descriptor[descriptor] = NULL;
    pthread_mutex_unlock(&lock);
    return real_close(descriptor);
}

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    for (struct file *file = files; file < files + MAX_FILES && file->path; file++) {
        if (strcmp(file->path, path)) continue;
        forget(file);
        resize(file, 0);
    }
    int result = real_unlink(path);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
    struct file *file = file_of(descriptor);
    if (!file) return real_pwrite(descriptor, data, length, offset);
    pthread_mutex_lock(&lock);
    count();
    struct stat status;
    ssize_t written = -1;
    if (full && !access(full, F_OK) && !fstat(descriptor, &status) && offset + (off_t)length > status.st_size) {
        errno = ENOSPC;
    } else {
        written = real_pwrite(descriptor, data, length, offset);
        if (written > 0) note(file, offset, data, (size_t)written);
    }
    pthread_mutex_unlock(&lock);
    return written;
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off_t offset)
    __attribute__((alias("pwrite")));

ssize_t write(int descriptor, const void *data, size_t length) {
    static ssize_t (*real_write)(int, const void *, size_t);
    if (!real_write) *(void **)&real_write = real("write");
    if (!file_of(descriptor)) return real_write(descriptor, data, length);
    ssize_t written = pwrite(descriptor, data, length, lseek(descriptor, 0, SEEK_CUR));
    if (written > 0) lseek(descriptor, written, SEEK_CUR);
    return written;
}

int ftruncate(int descriptor, off_t length) {
    struct file *file = file_of(descriptor);
    if (!file) return real_ftruncate(descriptor, length);
    pthread_mutex_lock(&lock);
    count();
    int result = real_ftruncate(descriptor, length);
    if (!result) note(file, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate64(int descriptor, off_t length) __attribute__((alias("ftruncate")));

int fsync(int descriptor) {
    struct file *file = file_of(descriptor);
    if (!file) return real_fsync(descriptor);
    pthread_mutex_lock(&lock);
    count();
    for (struct operation *it = file->first; it; it = it->next) apply(file, it, 0, it->length);
    forget(file);
    /* The real disk need not synchronize: the simulation decides what is kept. */
    pthread_mutex_unlock(&lock);
    return 0;
}

int fdatasync(int descriptor) __attribute__((alias("fsync")));
