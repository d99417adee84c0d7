//go:build libspeech_static

package speech

// #cgo pkg-config: libspeech-static
import "C"
