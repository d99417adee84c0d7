package speech

/*
#include <speech.h>
#include <stdlib.h>

static void release(void *userdata, const uint8_t *data, size_t length) {
  (void)userdata, (void)length;
  free((void *)data);
}

static speech_status set_memory(speech_engine_options *options, uint8_t *data, size_t length, speech_error **error) {
  return speech_engine_options_set_bundle_memory(options, data, length, release, NULL, error);
}
*/
import "C"

import (
	"log/slog"
	"maps"
	"os"
	"slices"
)

// Options are the options for loading an [Engine]. The zero value is the default of every option.
type Options struct {
	// Bundle is the path of the voice bundle: its folder, or an uncompressed tar file of the same
	// content. By default it is the value of the environment variable SPEECH_BUNDLE, or the voices of
	// the C package.
	Bundle string
	// BundleData is a voice bundle in memory, an uncompressed tar file, for example from [embed]. It
	// is copied.
	BundleData []byte
	// BundleFile is an open file with a voice bundle, an uncompressed tar file. The engine duplicates
	// its descriptor.
	BundleFile *os.File
	// BundleOffset and BundleLength give the range of the bundle in BundleFile. A length of 0 means to
	// the end.
	BundleOffset, BundleLength int64
	// Mapping selects whether the large files of the bundle are mapped into memory or read.
	Mapping Mapping
	// Threads is the number of threads that compute one sentence, 1 to 256. By default it is the value
	// of SPEECH_THREADS, or the number of cores, but at most 4. The samples do not depend on it.
	Threads int
	// MaxConcurrency is the number of sentences computed at once, 1 to 256, and 1 by default. Other
	// calls wait. Each needs memory.
	MaxConcurrency int
	// Kernels is the instruction set, such as "avx2"; "auto" by default.
	Kernels string
	// Precision is the precision of the vocoder's products: "auto" (the default), "fp32", "int16" or
	// "bf16".
	Precision string
	// Pronunciations map words to readings: IPA between slashes ("/ˈfoʊni/"), or other words.
	Pronunciations map[string]string
	// Cache is the size in bytes of the cache of sentence audio, for requests that repeat sentences:
	// 256 MiB hold 46 minutes. A cached sentence has the same bytes as a computed one. By default it
	// is disabled.
	Cache int
	// Logger receives the log, from the least serious level for which it is enabled. The log contains
	// no text of a request. Load asks it once which levels it is enabled for. Threads of the library
	// call its handler, and speech waits for it: it must not close a stream. The logger of one engine
	// receives the messages of all.
	Logger *slog.Logger
}

// Mapping selects how the files of a voice bundle are loaded.
type Mapping int

const (
	// MapDefault maps on Windows, Android and iOS, and reads elsewhere.
	MapDefault Mapping = iota
	// MapAlways maps the files, which processes then share. The process dies with SIGBUS if one is
	// truncated meanwhile.
	MapAlways
	// MapNever reads the files.
	MapNever
)

// native makes the options of the C library, which the caller frees. The logger gets an entry in
// the table of loggers.
func (o Options) native() (options *C.speech_engine_options, logger loggerID, err error) {
	options = C.speech_engine_options_new()
	defer func() {
		if err != nil {
			C.speech_engine_options_free(options)
			logger.remove()
		}
	}()
	if err = o.setBundle(options); err != nil {
		return
	}
	var object *C.speech_error
	if o.Mapping != MapDefault {
		status := C.speech_engine_options_set_map_bundle(options, o.Mapping == MapAlways, &object)
		if err = failure(status, object); err != nil {
			return
		}
	}
	if o.Threads != 0 {
		status := C.speech_engine_options_set_threads(options, count(o.Threads), &object)
		if err = failure(status, object); err != nil {
			return
		}
	}
	if o.MaxConcurrency != 0 {
		status := C.speech_engine_options_set_max_concurrency(options, count(o.MaxConcurrency), &object)
		if err = failure(status, object); err != nil {
			return
		}
	}
	if o.Cache < 0 {
		err = refused(ErrInvalidRequest, "Cache must not be negative")
		return
	}
	// This cannot fail.
	C.speech_engine_options_set_cache(options, C.size_t(o.Cache), nil)
	if err = o.setNames(options); err != nil {
		return
	}
	if o.Logger != nil {
		logger, err = setLogger(options, o.Logger)
	}
	return
}

// count passes a number to the C library, which rejects 0.
func count(number int) C.size_t { return C.size_t(max(number, 0)) }

func (o Options) setBundle(options *C.speech_engine_options) error {
	given := 0
	for _, isGiven := range []bool{o.Bundle != "", o.BundleData != nil, o.BundleFile != nil} {
		if isGiven {
			given++
		}
	}
	var object *C.speech_error
	switch {
	case given > 1:
		return refused(ErrInvalidRequest, "Bundle, BundleData and BundleFile exclude each other")
	case o.Bundle != "":
		return withName("Bundle", o.Bundle, func(path *C.char, object **C.speech_error) C.speech_status {
			return C.speech_engine_options_set_bundle_path(options, path, object)
		})
	case o.BundleData != nil:
		data := C.CBytes(o.BundleData)
		status := C.set_memory(options, (*C.uint8_t)(data), C.size_t(len(o.BundleData)), &object)
		if status != C.SPEECH_OK {
			C.free(data)
		}
		return failure(status, object)
	case o.BundleFile != nil:
		offset, length := o.BundleOffset, o.BundleLength
		if offset < 0 || length < 0 {
			return refused(ErrInvalidRequest, "BundleOffset and BundleLength must not be negative")
		}
		connection, err := o.BundleFile.SyscallConn()
		if err != nil {
			return closedFile(err)
		}
		var status C.speech_status
		err = connection.Control(func(fd uintptr) {
			status = C.speech_engine_options_set_bundle_fd(options, C.int(fd), C.uint64_t(offset), C.uint64_t(length), &object)
		})
		if err != nil {
			return closedFile(err)
		}
		return failure(status, object)
	}
	return nil
}

// closedFile is the error for a BundleFile without a descriptor.
func closedFile(err error) error {
	return &Error{Kind: ErrInvalidRequest, Message: "BundleFile: " + err.Error(), cause: err}
}

func (o Options) setNames(options *C.speech_engine_options) error {
	if o.Kernels != "" {
		err := withName("Kernels", o.Kernels, func(name *C.char, object **C.speech_error) C.speech_status {
			return C.speech_engine_options_set_kernels(options, name, object)
		})
		if err != nil {
			return err
		}
	}
	if o.Precision != "" {
		err := withName("Precision", o.Precision, func(name *C.char, object **C.speech_error) C.speech_status {
			return C.speech_engine_options_set_precision(options, name, object)
		})
		if err != nil {
			return err
		}
	}
	for _, words := range slices.Sorted(maps.Keys(o.Pronunciations)) {
		reading := o.Pronunciations[words]
		err := withNames("a pronunciation", words, reading, func(words, reading *C.char, object **C.speech_error) C.speech_status {
			return C.speech_engine_options_add_pronunciation(options, words, reading, object)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
