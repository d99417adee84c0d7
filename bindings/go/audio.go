package speech

// #include <speech.h>
import "C"

import (
	"cmp"
	"encoding/binary"
	"math"
	"sync"
	"time"
	"unsafe"
)

// Audio is mono speech: a whole text, or a chunk of a stream, which is one sentence with the pause
// after it, or a part of one. Times are from the start of the whole speech, also in a chunk.
type Audio struct {
	// Samples are 16-bit integers.
	Samples []int16
	// SampleRate is the sample rate in hertz. 0 stands for the default.
	SampleRate int
	// Encoding is the encoding of Bytes and WAV, as set in the request. "" stands for the default.
	Encoding Encoding
	// Span is the spoken part of the text.
	Span      Span
	Words     []Word
	Phonemes  []Phoneme
	Visemes   []Viseme
	Sentences []Sentence
	// Marks are the timestamps of SSML marks.
	Marks []Mark
	// Diagnostics list skipped text of the whole text; of a live or a long text, so far.
	Diagnostics []Diagnostic
	// RequestID identifies the request: a UUID.
	RequestID string
	// Characters is the metered quantity: the number of characters in the whole text; in a live text,
	// so far.
	Characters int
	// Kernels and Precision are those that computed the audio.
	Kernels, Precision string
}

// Span is a range of bytes of the text: text[Begin:End].
type Span struct{ Begin, End int }

// Word is the timestamp of a word. A number such as "12" is one word, however many words it is read
// as.
type Word struct {
	Span       Span
	Start, End time.Duration
}

// Phoneme is the timestamp of a phoneme.
type Phoneme struct {
	// IPA is the phoneme in IPA, preceded by the stress mark if stressed.
	IPA string
	// Span is its word in the text.
	Span       Span
	Start, End time.Duration
}

// Viseme is the timestamp of a viseme. There are no gaps between visemes.
type Viseme struct {
	// Name is one of the 15 of OVR LipSync: "sil", "PP", "aa" and so on.
	Name string
	// Azure is the viseme ID, 0 to 21, of Azure Speech.
	Azure      int
	Start, End time.Duration
}

// Sentence is the timestamp of a sentence, from its first word to the end of its last. A stream has
// it in the last chunk of the sentence.
type Sentence struct {
	Span       Span
	Start, End time.Duration
}

// Mark is the timestamp of an SSML mark.
type Mark struct {
	Name string
	At   time.Duration
}

// Diagnostic is a part of the text that was not spoken as written.
type Diagnostic struct {
	Kind DiagnosticKind
	Span Span
}

// DiagnosticKind is the kind of a diagnostic. A newer library may have more kinds.
type DiagnosticKind int

// DiagnosticSkipped means characters that were not spoken, such as emoji and control characters.
const DiagnosticSkipped DiagnosticKind = C.SPEECH_DIAGNOSTIC_SKIPPED

// Duration returns the duration of the audio.
func (a *Audio) Duration() time.Duration {
	rate, _ := a.output()
	return time.Duration(len(a.Samples)) * time.Second / time.Duration(rate)
}

func (a *Audio) output() (rate int, encoding Encoding) {
	return cmp.Or(a.SampleRate, SampleRate), cmp.Or(a.Encoding, EncodingPCM16)
}

// Bytes returns the samples as bytes in Encoding, little-endian; nil for an unknown Encoding.
func (a *Audio) Bytes() []byte {
	switch _, encoding := a.output(); encoding {
	case EncodingPCM16:
		return a.PCM()
	case EncodingFloat32:
		bytes := make([]byte, 0, 4*len(a.Samples))
		for _, sample := range a.Floats() {
			bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(sample))
		}
		return bytes
	case EncodingMulaw:
		return coded(a.Samples, mulawCodes())
	case EncodingAlaw:
		return coded(a.Samples, alawCodes())
	}
	return nil
}

// coded returns the code of each sample.
func coded(samples []int16, codes *[1 << 16]byte) []byte {
	bytes := make([]byte, len(samples))
	for i, sample := range samples {
		bytes[i] = codes[uint16(sample)]
	}
	return bytes
}

// mulawCodes and alawCodes are the G.711 codes, indexed by the 16 bits of a sample. In mu-law all
// bits are inverted, in A-law the even ones.
var (
	mulawCodes = sync.OnceValue(func() *[1 << 16]byte {
		value := func(segment, place int) int { return (8*place+132)<<segment - 132 }
		return codes(value, 0x7f)
	})
	alawCodes = sync.OnceValue(func() *[1 << 16]byte {
		value := func(segment, place int) int {
			if segment == 0 {
				return 16*place + 8
			}
			return (16*place + 264) << (segment - 1)
		}
		return codes(value, 0x55)
	})
)

// codes computes for each sample the code of the nearest level; of two equally near levels, the one
// farther from zero. A level is a position in one of eight segments; the steps of each segment are
// twice as long as those of the segment below. For negative samples the first bit is 0, and mask
// selects the inverted bits.
func codes(value func(segment, place int) int, mask byte) *[1 << 16]byte {
	var levels [128]int
	for level := range levels {
		levels[level] = value(level>>4, level&15)
	}
	result, level := new([1 << 16]byte), 0
	for magnitude := 0; magnitude <= 0x8000; magnitude++ {
		for level < 127 && 2*magnitude >= levels[level]+levels[level+1] {
			level++
		}
		if magnitude < 0x8000 {
			result[magnitude] = byte(level) ^ mask | 0x80
		}
		if magnitude > 0 {
			result[1<<16-magnitude] = byte(level) ^ mask
		}
	}
	return result
}

// PCM returns the samples as 16-bit little-endian bytes, independent of the encoding; services call
// this audio/L16.
func (a *Audio) PCM() []byte {
	bytes := make([]byte, 0, 2*len(a.Samples))
	for _, sample := range a.Samples {
		bytes = binary.LittleEndian.AppendUint16(bytes, uint16(sample))
	}
	return bytes
}

// wavFormats is the RIFF/WAVE format code of each encoding, and the bytes per sample.
var wavFormats = map[Encoding]struct{ number, bytes uint16 }{
	EncodingPCM16: {1, 2}, EncodingFloat32: {3, 4}, EncodingMulaw: {7, 1}, EncodingAlaw: {6, 1},
}

// WAV returns a RIFF/WAVE file of the samples in Encoding.
func (a *Audio) WAV() []byte {
	rate, encoding := a.output()
	format, data := wavFormats[encoding], a.Bytes()
	// Formats other than integer PCM have an empty extension, and the number of samples.
	isPCM := encoding == EncodingPCM16
	header, formatLength := 58, uint32(18)
	if isPCM {
		header, formatLength = 44, 16
	}
	padding := len(data) % 2
	file := make([]byte, 0, header+len(data)+padding)
	little := binary.LittleEndian
	file = little.AppendUint32(append(file, "RIFF"...), uint32(header-8+len(data)+padding))
	file = little.AppendUint32(append(file, "WAVEfmt "...), formatLength)
	file = little.AppendUint16(file, format.number)
	file = little.AppendUint16(file, 1) // mono
	file = little.AppendUint32(file, uint32(rate))
	file = little.AppendUint32(file, uint32(rate)*uint32(format.bytes))
	file = little.AppendUint16(file, format.bytes)
	file = little.AppendUint16(file, 8*format.bytes)
	if !isPCM {
		file = little.AppendUint32(append(file, "\x00\x00fact"...), 4)
		file = little.AppendUint32(file, uint32(len(a.Samples)))
	}
	file = little.AppendUint32(append(file, "data"...), uint32(len(data)))
	return append(append(file, data...), make([]byte, padding)...)
}

// Floats returns the samples as floats from -1 to 1: the integers divided by 32,768.
func (a *Audio) Floats() []float32 {
	floats := make([]float32, len(a.Samples))
	for i, sample := range a.Samples {
		floats[i] = float32(sample) / 32768
	}
	return floats
}

// takeAudio copies an audio object of the C library, and frees it.
func takeAudio(object *C.speech_audio) *Audio {
	defer C.speech_audio_free(object)
	var count C.size_t
	audio := &Audio{
		Span:       span(C.speech_audio_span(object)),
		SampleRate: int(C.speech_audio_sample_rate(object)),
		Encoding:   encodingOf(C.speech_audio_encoding(object)),
		RequestID:  C.GoString(C.speech_audio_request_id(object)),
		Characters: int(C.speech_audio_characters(object)),
		Kernels:    C.GoString(C.speech_audio_kernels(object)),
		Precision:  C.GoString(C.speech_audio_precision(object)),
	}
	samples := C.speech_audio_samples(object, &count)
	audio.Samples = make([]int16, count)
	copy(audio.Samples, unsafe.Slice((*int16)(samples), count))
	words := C.speech_audio_words(object, &count)
	audio.Words = converted(words, count, func(w C.speech_word) Word {
		return Word{span(w.span), seconds(w.start_seconds), seconds(w.end_seconds)}
	})
	phonemes := C.speech_audio_phonemes(object, &count)
	audio.Phonemes = converted(phonemes, count, func(p C.speech_phoneme) Phoneme {
		return Phoneme{C.GoString(p.ipa), span(p.span), seconds(p.start_seconds), seconds(p.end_seconds)}
	})
	visemes := C.speech_audio_visemes(object, &count)
	audio.Visemes = converted(visemes, count, func(v C.speech_viseme) Viseme {
		return Viseme{C.GoString(v.name), int(v.azure), seconds(v.start_seconds), seconds(v.end_seconds)}
	})
	sentences := C.speech_audio_sentences(object, &count)
	audio.Sentences = converted(sentences, count, func(s C.speech_sentence) Sentence {
		return Sentence{span(s.span), seconds(s.start_seconds), seconds(s.end_seconds)}
	})
	marks := C.speech_audio_marks(object, &count)
	audio.Marks = converted(marks, count, func(m C.speech_mark) Mark {
		return Mark{C.GoString(m.name), seconds(m.seconds)}
	})
	diagnostics := C.speech_audio_diagnostics(object, &count)
	audio.Diagnostics = converted(diagnostics, count, diagnostic)
	return audio
}

func encodingOf(native C.speech_encoding) Encoding {
	for name, number := range encodings {
		if number == native && name != "" {
			return name
		}
	}
	return EncodingPCM16
}

func span(s C.speech_span) Span { return Span{int(s.begin), int(s.end)} }

func diagnostic(d C.speech_diagnostic) Diagnostic {
	return Diagnostic{DiagnosticKind(d.kind), span(d.span)}
}

func seconds(s C.double) time.Duration {
	return time.Duration(math.Round(float64(s) * float64(time.Second)))
}
