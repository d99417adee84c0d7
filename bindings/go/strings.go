package speech

// #include <speech.h>
// #include <stdlib.h>
import "C"

import (
	"strings"
	"unsafe"
)

// text passes the bytes of a string to a C function, which copies them during the call.
func text(s string) (*C.char, C.size_t) {
	if s == "" {
		return nil, 0
	}
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

// withName calls a function with a NUL-terminated string. A NUL inside would end it early, and is
// rejected.
func withName(what, s string, call func(*C.char, **C.speech_error) C.speech_status) error {
	if strings.ContainsRune(s, 0) {
		return refused(ErrInvalidRequest, what+" has a NUL character")
	}
	name := C.CString(s)
	defer C.free(unsafe.Pointer(name))
	var object *C.speech_error
	return failure(call(name, &object), object)
}

// withNames is withName for two strings.
func withNames(what, a, b string, call func(a, b *C.char, object **C.speech_error) C.speech_status) error {
	if strings.ContainsRune(b, 0) {
		return refused(ErrInvalidRequest, what+" has a NUL character")
	}
	second := C.CString(b)
	defer C.free(unsafe.Pointer(second))
	return withName(what, a, func(first *C.char, object **C.speech_error) C.speech_status {
		return call(first, second, object)
	})
}

// ownMemory makes an object large enough not to share memory with others: the cleanup of a tiny object may wait for
// those forever.
type ownMemory [8]byte

// converted copies an array of the C library. It is nil if the array is empty.
func converted[From, To any](array *From, count C.size_t, convert func(From) To) []To {
	if count == 0 {
		return nil
	}
	result := make([]To, count)
	for i, element := range unsafe.Slice(array, count) {
		result[i] = convert(element)
	}
	return result
}
