package speech

// #include <speech.h>
import "C"

// Version is the version of the running library, such as "1.0.0".
func Version() string { return C.GoString(C.speech_version()) }

// ABIVersion is the binary interface of the running library.
func ABIVersion() (major, minor int) {
	version := C.speech_abi_version()
	return int(version >> 16), int(version & 0xffff)
}

// BundleFormatVersion is the version of the voice bundle format that the library reads.
func BundleFormatVersion() int { return int(C.speech_bundle_format_version()) }

// ObjectCount is the number of C library objects that have not been freed, for leak tests.
func ObjectCount() int { return int(C.speech_object_count()) }

// checkABI checks that the running library is compatible with the header that this package was
// compiled with.
func checkABI() error {
	var object *C.speech_error
	return failure(C.speech_abi_check(C.SPEECH_ABI_MAJOR, C.SPEECH_ABI_MINOR, &object), object)
}
