package speech

// #include <speech.h>
import "C"

// Version is the version of the library that is running, such as "1.0.0".
func Version() string { return C.GoString(C.speech_version()) }

// ABIVersion is the binary interface of the library that is running.
func ABIVersion() (major, minor int) {
	version := C.speech_abi_version()
	return int(version >> 16), int(version & 0xffff)
}

// BundleFormatVersion is the version of the voice bundle format that the library reads.
func BundleFormatVersion() int { return int(C.speech_bundle_format_version()) }

// ObjectCount is the number of objects of the C library that are not freed yet, for tests that look for leaks.
func ObjectCount() int { return int(C.speech_object_count()) }

// checkABI says whether the library that is running fits the header that this package was compiled with.
func checkABI() error {
	var object *C.speech_error
	return failure(C.speech_abi_check(C.SPEECH_ABI_MAJOR, C.SPEECH_ABI_MINOR, &object), object)
}
