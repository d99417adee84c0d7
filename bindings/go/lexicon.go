package speech

// #include <speech.h>
import "C"

import "runtime"

// Lexicon is a set of words and their pronunciations. It is immutable: any number of requests, in
// any number of goroutines, may share one.
type Lexicon struct {
	handle *C.speech_lexicon
	_      ownMemory
}

// ParseLexicon parses at most 5,000 entries, one per line: words and their reading, separated by a
// tab. Empty lines and lines that begin with # are comments; of two entries for the same words the
// later counts. The error gives the line.
func ParseLexicon(s string) (*Lexicon, error) {
	var handle *C.speech_lexicon
	var object *C.speech_error
	data, length := text(s)
	if err := failure(C.speech_lexicon_parse(data, length, &handle, &object), object); err != nil {
		return nil, err
	}
	return newLexicon(handle), nil
}

// ParsePLS parses a lexicon in the Pronunciation Lexicon Specification 1.0, for texts in the
// language of its xml:lang: at most 5,000 graphemes, with phonemes in the alphabet ipa or
// cmu-arpabet. The error gives the line and the column of unsupported content.
func ParsePLS(document string) (*Lexicon, error) {
	var handle *C.speech_lexicon
	var object *C.speech_error
	data, length := text(document)
	if err := failure(C.speech_lexicon_from_pls(data, length, &handle, &object), object); err != nil {
		return nil, err
	}
	return newLexicon(handle), nil
}

func newLexicon(handle *C.speech_lexicon) *Lexicon {
	lexicon := &Lexicon{handle: handle}
	runtime.AddCleanup(lexicon, func(l Lexicon) { C.speech_lexicon_free(l.handle) }, *lexicon)
	return lexicon
}

// Entries returns the number of entries.
func (l *Lexicon) Entries() int {
	defer runtime.KeepAlive(l)
	return int(C.speech_lexicon_entries(l.handle))
}

// add adds it to a request, which keeps it.
func (l *Lexicon) add(request *C.speech_request) error {
	if l == nil {
		return refused(ErrInvalidRequest, "a lexicon is nil")
	}
	defer runtime.KeepAlive(l)
	var object *C.speech_error
	return failure(C.speech_request_add_lexicon(request, l.handle, &object), object)
}
