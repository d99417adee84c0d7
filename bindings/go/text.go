package speech

// #include <speech.h>
import "C"

import "runtime"

// Characters counts the characters of a text as the limit and the meter do: its Unicode scalar
// values. It fails with [ErrInvalidRequest] for invalid UTF-8 or a NUL.
func Characters(s string) (int, error) {
	var number C.size_t
	var object *C.speech_error
	data, length := text(s)
	err := failure(C.speech_text_characters(data, length, &number, &object), object)
	return int(number), err
}

// Split cuts a text into parts of at most maxCharacters characters, in order: after sentences if
// possible, otherwise after clauses, otherwise between words. Whitespace around the parts is
// dropped. A request's limit is [MaxCharacters].
func Split(s string, maxCharacters int) ([]string, error) {
	var parts *C.speech_text_parts
	var object *C.speech_error
	data, length := text(s)
	status := C.speech_text_split(data, length, count(maxCharacters), &parts, &object)
	if err := failure(status, object); err != nil {
		return nil, err
	}
	return takeParts(parts), nil
}

// takeParts copies the parts of a text, and frees them.
func takeParts(parts *C.speech_text_parts) []string {
	defer C.speech_text_parts_free(parts)
	var count C.size_t
	array := C.speech_text_parts_strings(parts, &count)
	return converted(array, count, func(part *C.char) string { return C.GoString(part) })
}

// Segmenter splits a text that arrives in pieces, such as the tokens of a language model, into
// sentences. It is safe for concurrent use.
type Segmenter struct {
	handle *C.speech_segmenter
	_      ownMemory
}

// NewSegmenter makes a segmenter at the start of a text.
func NewSegmenter() *Segmenter {
	segmenter := &Segmenter{handle: C.speech_segmenter_new()}
	runtime.AddCleanup(segmenter, func(s Segmenter) { C.speech_segmenter_free(s.handle) }, *segmenter)
	return segmenter
}

// Push takes the next piece, and returns the sentences that are now decided, each suitable for a
// request. The piece must not end inside a character.
func (s *Segmenter) Push(piece string) ([]string, error) {
	defer runtime.KeepAlive(s)
	var parts *C.speech_text_parts
	var object *C.speech_error
	data, length := text(piece)
	if err := failure(C.speech_segmenter_push(s.handle, data, length, &parts, &object), object); err != nil {
		return nil, err
	}
	return takeParts(parts), nil
}

// Finish ends the text, and returns the remaining sentences. The segmenter is then ready for
// another text.
func (s *Segmenter) Finish() ([]string, error) {
	defer runtime.KeepAlive(s)
	var parts *C.speech_text_parts
	var object *C.speech_error
	if err := failure(C.speech_segmenter_finish(s.handle, &parts, &object), object); err != nil {
		return nil, err
	}
	return takeParts(parts), nil
}
