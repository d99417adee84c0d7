package speech

// #include <speech.h>
// #include <stdlib.h>
import "C"

import (
	"strings"
	"unsafe"
)

// text gives the bytes of a string to a C function, which copies them during the call.
func text(s string) (*C.char, C.size_t) {
	if s == "" {
		return nil, 0
	}
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.size_t(len(s))
}

// withName calls a function with a string that ends with a NUL byte. A NUL inside would end it early, and is refused.
func withName(what, s string, call func(*C.char, **C.speech_error) C.speech_status) error {
	if strings.ContainsRune(s, 0) {
		return refused(ErrInvalidRequest, what+" has a NUL character")
	}
	name := C.CString(s)
	defer C.free(unsafe.Pointer(name))
	var object *C.speech_error
	return failure(call(name, &object), object)
}

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
