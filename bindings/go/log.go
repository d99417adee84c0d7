package speech

/*
#include <speech.h>
#include <stdint.h>

extern void libspeechGoLog(uintptr_t id, speech_log_level level, char *message);

static inline void log_to_go(void *id, speech_log_level level, const char *message) {
  libspeechGoLog((uintptr_t)id, level, (char *)message);
}

static inline speech_status set_log(speech_engine_options *options, uintptr_t id, speech_log_level level,
                                    speech_error **error) {
  return speech_engine_options_set_log_callback(options, log_to_go, (void *)id, level, error);
}
*/
import "C"

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
)

// loggerID identifies a logger to the C library: the key of its entry in loggers, or 0 for none.
type loggerID uintptr

var (
	loggers    sync.Map // loggerID to *slog.Logger
	lastLogger atomic.Uintptr
)

func (id loggerID) remove() { loggers.Delete(id) }

// logLevels are the levels of the library, the most serious first.
var logLevels = []struct {
	native C.speech_log_level
	level  slog.Level
}{
	{C.SPEECH_LOG_ERROR, slog.LevelError},
	{C.SPEECH_LOG_WARNING, slog.LevelWarn},
	{C.SPEECH_LOG_INFO, slog.LevelInfo},
	{C.SPEECH_LOG_DEBUG, slog.LevelDebug},
}

// setLogger makes the library log the levels for which the logger is enabled.
func setLogger(options *C.speech_engine_options, logger *slog.Logger) (loggerID, error) {
	var least C.speech_log_level
	for _, known := range logLevels {
		if logger.Enabled(context.Background(), known.level) {
			least = known.native
		}
	}
	if least == 0 {
		return 0, nil
	}
	id := loggerID(lastLogger.Add(1))
	loggers.Store(id, logger)
	var object *C.speech_error
	return id, failure(C.set_log(options, C.uintptr_t(id), least, &object), object)
}

//export libspeechGoLog
func libspeechGoLog(id C.uintptr_t, level C.speech_log_level, message *C.char) {
	// A panic of the handler must not unwind frames of the library.
	defer func() { _ = recover() }()
	logger, ok := loggers.Load(loggerID(id))
	if !ok {
		return
	}
	for _, known := range logLevels {
		if known.native == level {
			logger.(*slog.Logger).Log(context.Background(), known.level, C.GoString(message))
		}
	}
}
