package speech

// #include <speech.h>
import "C"

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unsafe"
)

const (
	// SampleRate is the default sample rate, in hertz.
	SampleRate = C.SPEECH_SAMPLE_RATE
	// MaxCharacters is the longest text of one request, in characters (Unicode scalar values).
	// [Engine.StreamLong], [Engine.Live] and [Engine.SpeakLive] take texts of any length.
	MaxCharacters = C.SPEECH_MAX_CHARACTERS
	// MaxSeconds is the longest audio of one request, in seconds, pauses included.
	MaxSeconds = C.SPEECH_MAX_SECONDS
	// MaxPauseSeconds is the longest total of the pauses in one request, in seconds.
	MaxPauseSeconds = C.SPEECH_MAX_PAUSE_SECONDS
)

// Voice is the identifier of a voice; [Voices] lists them.
type Voice string

// The voices. The default is Aria.
const (
	Aria  Voice = "aria"
	Jason Voice = "jason"
	John  Voice = "john"
	Leo   Voice = "leo"
	Sofia Voice = "sofia"
)

// Language is a BCP 47 tag; [Languages] lists them. Every voice speaks every language.
type Language string

// The languages. The default is EnglishUS.
const (
	EnglishUS  Language = "en-US"
	HindiIndia Language = "hi-IN"
)

// Latency is the latency of a stream's first chunk.
type Latency string

const (
	// LatencyStandard returns a sentence when all of it is computed. It is the default.
	LatencyStandard Latency = "standard"
	// LatencyLow returns the first half second of a long first sentence before the rest is computed.
	// In a live text it also begins a sentence before its end is known. [Engine.Synthesize] rejects
	// it.
	LatencyLow Latency = "low"
)

// Quality selects the networks that compute the speech.
type Quality string

const (
	// QualityAuto is the best quality that the voice bundle has for the voice and the language. It is
	// the default.
	QualityAuto Quality = "auto"
	// QualityFull is the reference quality.
	QualityFull Quality = "full"
	// QualityFast has the timings and the melody of QualityFull with less computation.
	QualityFast Quality = "fast"
	// QualityLight has the least computation.
	QualityLight Quality = "light"
)

// Encoding is the encoding of samples in [Audio.Bytes] and [Audio.WAV]. Every encoding is made from
// the same 16-bit samples.
type Encoding string

const (
	// EncodingPCM16 is a 16-bit integer, little-endian. It is the default.
	EncodingPCM16 Encoding = "pcm16"
	// EncodingFloat32 is a 32-bit float from -1 to 1, little-endian.
	EncodingFloat32 Encoding = "float32"
	// EncodingMulaw is the nearest 8-bit mu-law code (ITU-T G.711).
	EncodingMulaw Encoding = "mulaw"
	// EncodingAlaw is the nearest 8-bit A-law code (ITU-T G.711).
	EncodingAlaw Encoding = "alaw"
)

// Format is the format of a service's response. The engine ignores it: audio provides both.
type Format string

const (
	// FormatWAV is one RIFF/WAVE file.
	FormatWAV Format = "wav"
	// FormatPCM is raw, streamed samples.
	FormatPCM Format = "pcm"
)

// The zero value of a choice is its default, which also has a name.
var (
	latencies = map[Latency]C.speech_latency{
		"": C.SPEECH_LATENCY_STANDARD, LatencyStandard: C.SPEECH_LATENCY_STANDARD, LatencyLow: C.SPEECH_LATENCY_LOW,
	}
	qualities = map[Quality]C.speech_quality{
		"": C.SPEECH_QUALITY_AUTO, QualityAuto: C.SPEECH_QUALITY_AUTO, QualityFull: C.SPEECH_QUALITY_FULL,
		QualityFast: C.SPEECH_QUALITY_FAST, QualityLight: C.SPEECH_QUALITY_LIGHT,
	}
	encodings = map[Encoding]C.speech_encoding{
		"": C.SPEECH_ENCODING_PCM16, EncodingPCM16: C.SPEECH_ENCODING_PCM16, EncodingFloat32: C.SPEECH_ENCODING_FLOAT32,
		EncodingMulaw: C.SPEECH_ENCODING_MULAW, EncodingAlaw: C.SPEECH_ENCODING_ALAW,
	}
)

// number returns the number of a choice, or an error of a kind for one that this package does not
// know.
func number[Choice ~string, Number any](numbers map[Choice]Number, choice Choice, what string, kind Kind) (Number, error) {
	number, ok := numbers[choice]
	if !ok {
		var names []string
		for name := range numbers {
			if name != "" {
				names = append(names, string(name))
			}
		}
		slices.Sort(names)
		return number, refused(kind, fmt.Sprintf("unsupported %s %q; use %s", what, choice, strings.Join(names, ", ")))
	}
	return number, nil
}

// Request is a text and its settings. The zero value of every field except Text is its default.
// [ParseRequest] parses a service's JSON, whose fields have other names.
type Request struct {
	// Text is UTF-8 without NUL: 1 to MaxCharacters characters, not only whitespace.
	Text     string
	Language Language
	Voice    Voice
	Latency  Latency
	Quality  Quality
	// SampleRate is the sample rate in hertz: 8000, 16000, 22050, 24000, 44100 or 48000. 0 stands for
	// 22050.
	SampleRate int
	Encoding   Encoding
	// Rate is the speaking rate as a factor of the voice's natural rate, 0.5 to 2. 0 stands for 1.
	Rate float64
	// Pitch is the pitch relative to the voice's own, in semitones, -6 to 6.
	Pitch float64
	// Volume is the volume relative to the voice's own, in decibels, -40 to 12.
	Volume float64
	// SSML means that Text is an SSML 1.1 document.
	SSML bool
	// NoPauses means that [pause 500ms] in the text is read as ordinary text, not as a pause.
	NoPauses bool
	// ReadEmoji means that emoji are read by name. By default they are skipped, and listed in the
	// diagnostics.
	ReadEmoji bool
	// NoRomanizedHindi means that romanized Hindi ("kal milte hain") is read as English. By default it
	// is read as Hindi.
	NoRomanizedHindi bool
	// Pronunciations map words to readings in this request. They take precedence over those of
	// [Options]. At most 200, together at most 16,384 bytes.
	Pronunciations map[string]string
	// Lexicons are searched after the Pronunciations, and before the pronunciations of the engine.
	Lexicons []*Lexicon
}

// ParseRequest parses the JSON body of a service's request, {"text": ..., "voice": ..., ...}, and
// checks it as [Request.Validate] does. Unknown fields are ignored. The format is [FormatWAV] if
// the body names none.
func ParseRequest(body []byte) (Request, Format, error) {
	var native *C.speech_request
	var object *C.speech_error
	data, length := text(unsafe.String(unsafe.SliceData(body), len(body)))
	if err := failure(C.speech_request_from_json(data, length, &native, &object), object); err != nil {
		return Request{}, "", err
	}
	defer C.speech_request_free(native)
	if err := failure(C.speech_request_validate(native, nil, &object), object); err != nil {
		return Request{}, "", err
	}
	// The library has checked the types of all fields.
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return Request{}, "", refused(ErrInvalidRequest, "the body is not valid JSON")
	}
	request, format, pauses, romanized := Request{}, FormatWAV, true, true
	for name, field := range map[string]any{
		"text": &request.Text, "language": &request.Language, "voice": &request.Voice, "format": &format,
		"latency": &request.Latency, "quality": &request.Quality,
		"sample_rate": &request.SampleRate, "encoding": &request.Encoding,
		"rate": &request.Rate, "pitch": &request.Pitch, "volume": &request.Volume,
		"ssml": &request.SSML, "read_pauses": &pauses, "read_emoji": &request.ReadEmoji, "read_romanized_hindi": &romanized,
		"pronunciations": &request.Pronunciations,
	} {
		if value, ok := fields[name]; ok {
			if err := json.Unmarshal(value, field); err != nil {
				return Request{}, "", refused(ErrInvalidRequest, name+" is not of its type")
			}
		}
	}
	request.NoPauses, request.NoRomanizedHindi = !pauses, !romanized
	return request, format, nil
}

// Validate checks the request as [Engine.Stream] does, without an engine, and returns the number of
// characters of the text, which is the metered quantity.
func (r Request) Validate() (characters int, err error) {
	native, err := r.native()
	if err != nil {
		return 0, err
	}
	defer C.speech_request_free(native)
	var number C.size_t
	var object *C.speech_error
	err = failure(C.speech_request_validate(native, &number, &object), object)
	return int(number), err
}

// native makes the request of the C library, which the caller frees.
func (r Request) native() (request *C.speech_request, err error) {
	var object *C.speech_error
	data, length := text(r.Text)
	if err := failure(C.speech_request_new(data, length, &request, &object), object); err != nil {
		return nil, err
	}
	if err := r.set(request); err != nil {
		C.speech_request_free(request)
		return nil, err
	}
	return request, nil
}

// set applies all settings that differ from the defaults.
func (r Request) set(request *C.speech_request) error {
	if r.Language != "" {
		err := withName("the language", string(r.Language), func(tag *C.char, object **C.speech_error) C.speech_status {
			return C.speech_request_set_language(request, tag, object)
		})
		if err != nil {
			return err
		}
	}
	if r.Voice != "" {
		err := withName("the voice", string(r.Voice), func(id *C.char, object **C.speech_error) C.speech_status {
			return C.speech_request_set_voice(request, id, object)
		})
		if err != nil {
			return err
		}
	}
	latency, err := number(latencies, r.Latency, "latency", ErrInvalidRequest)
	if err != nil {
		return err
	}
	quality, err := number(qualities, r.Quality, "quality", ErrInvalidRequest)
	if err != nil {
		return err
	}
	encoding, err := number(encodings, r.Encoding, "encoding", ErrInvalidRequest)
	if err != nil {
		return err
	}
	if r.SampleRate < 0 || r.SampleRate > math.MaxInt32 {
		return refused(ErrInvalidRequest, "sample_rate must be a positive whole number")
	}
	// These cannot fail: ranges are checked when the request is used.
	C.speech_request_set_latency(request, latency, nil)
	C.speech_request_set_quality(request, quality, nil)
	C.speech_request_set_encoding(request, encoding, nil)
	if r.SampleRate != 0 {
		C.speech_request_set_sample_rate(request, C.uint32_t(r.SampleRate), nil)
	}
	if r.Rate != 0 {
		C.speech_request_set_rate(request, C.double(r.Rate), nil)
	}
	if r.Pitch != 0 {
		C.speech_request_set_pitch(request, C.double(r.Pitch), nil)
	}
	if r.Volume != 0 {
		C.speech_request_set_volume(request, C.double(r.Volume), nil)
	}
	if r.SSML {
		C.speech_request_set_ssml(request, true, nil)
	}
	if r.NoPauses {
		C.speech_request_set_read_pauses(request, false, nil)
	}
	if r.ReadEmoji {
		C.speech_request_set_read_emoji(request, true, nil)
	}
	if r.NoRomanizedHindi {
		C.speech_request_set_read_romanized_hindi(request, false, nil)
	}
	for _, words := range slices.Sorted(maps.Keys(r.Pronunciations)) {
		reading := r.Pronunciations[words]
		err := withNames("a pronunciation", words, reading, func(words, reading *C.char, object **C.speech_error) C.speech_status {
			return C.speech_request_add_pronunciation(request, words, reading, object)
		})
		if err != nil {
			return err
		}
	}
	for _, lexicon := range r.Lexicons {
		if err := lexicon.add(request); err != nil {
			return err
		}
	}
	return nil
}
