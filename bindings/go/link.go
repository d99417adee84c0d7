package speech

// #cgo !libspeech_static pkg-config: libspeech
// #cgo libspeech_static pkg-config: libspeech-static
import "C"
