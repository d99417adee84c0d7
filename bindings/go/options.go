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

// Options says how to load an [Engine]. The zero value is the default of every option.
type Options struct {
	// Bundle is the path of the voice bundle: its folder, or one uncompressed tar file of what is in it. By default it is what
	// the environment variable SPEECH_BUNDLE names, or the voices of the C package.
	Bundle string
	// BundleData is a voice bundle in memory, an uncompressed tar file, such as [embed] gives. It is copied.
	BundleData []byte
	// BundleFile is an open file with a voice bundle, an uncompressed tar file. The engine keeps a descriptor of its own.
	BundleFile *os.File
	// BundleOffset and BundleLength say which part of BundleFile is the bundle. A length of 0 is all to the end.
	BundleOffset, BundleLength int64
	// Mapping says whether the large files of the bundle are mapped into memory or read.
	Mapping Mapping
	// Threads is how many threads compute one sentence, 1 to 256. By default it is what SPEECH_THREADS says, or else the number
	// of cores, but 4 at most. The samples do not depend on it.
	Threads int
	// MaxConcurrency is how many sentences are computed at once, 1 to 256, and 1 by default. Other calls wait. Each
	// costs memory.
	MaxConcurrency int
	// Kernels is the instruction set that computes, such as "avx2"; "auto" by default.
	Kernels string
	// Precision is that of the products of the vocoder: "auto" (the default), "fp32", "int16" or "bf16".
	Precision string
	// Pronunciations are words and how they are read: as IPA between slashes ("/ˈfoʊni/"), or as other words.
	Pronunciations map[string]string
	// Cache is how many bytes of sound are kept for requests that repeat a sentence: 256 MiB hold 46 minutes. A cached sentence has
	// the same bytes as a computed one. By default nothing is kept.
	Cache int
	// Logger receives the log, from the least serious level that it is enabled for. There is no text of a request in it.
	// Load asks it once which levels it is enabled for. Its handler is called by threads of the library, on which speech waits:
	// it must not close a stream. A logger of one engine receives the messages of all.
	Logger *slog.Logger
}

// Mapping says how the files of a voice bundle come into memory.
type Mapping int

const (
	// MapDefault maps on Windows, Android and iOS, and reads elsewhere.
	MapDefault Mapping = iota
	// MapAlways maps the files, which processes then share. The process ends with SIGBUS if one is truncated meanwhile.
	MapAlways
	// MapNever reads the files.
	MapNever
)

// native makes the options of the C library, which the caller frees. The logger gets an entry in the table of loggers.
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
	// It cannot fail.
	C.speech_engine_options_set_cache(options, C.size_t(o.Cache), nil)
	if err = o.setNames(options); err != nil {
		return
	}
	if o.Logger != nil {
		logger, err = setLogger(options, o.Logger)
	}
	return
}

// count gives a number to the C library, which refuses 0.
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

// closedFile is the error for a BundleFile that has no descriptor.
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
