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
	// SampleRate is how many samples a second the audio of a request has that names no other rate.
	SampleRate = C.SPEECH_SAMPLE_RATE
	// MaxCharacters is the longest text of one request, in characters (Unicode scalar values). [Engine.StreamLong], [Engine.Live]
	// and [Engine.SpeakLive] take texts of any length.
	MaxCharacters = C.SPEECH_MAX_CHARACTERS
	// MaxSeconds is the longest sound of one request, with its pauses.
	MaxSeconds = C.SPEECH_MAX_SECONDS
	// MaxPauseSeconds is the longest that the pauses of one request may be together.
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

// Latency says how soon a stream gives its first chunk.
type Latency string

const (
	// LatencyStandard gives a sentence when all of it is computed. It is the default.
	LatencyStandard Latency = "standard"
	// LatencyLow gives the first half second of a long first sentence before the rest is computed. A live text also
	// begins a sentence before its end is known. [Engine.Synthesize] refuses it.
	LatencyLow Latency = "low"
)

// Quality says which networks compute the speech.
type Quality string

const (
	// QualityAuto is the best that the voice bundle has for the voice and the language. It is the default.
	QualityAuto Quality = "auto"
	// QualityFull is the reference.
	QualityFull Quality = "full"
	// QualityFast has the timings and the melody of QualityFull, for less computation.
	QualityFast Quality = "fast"
	// QualityLight has the least computation.
	QualityLight Quality = "light"
)

// Encoding says what a sample is in [Audio.Bytes] and [Audio.WAV]. Every encoding is made of the same 16-bit samples.
type Encoding string

const (
	// EncodingPCM16 is a 16-bit integer, little-endian. It is the default.
	EncodingPCM16 Encoding = "pcm16"
	// EncodingFloat32 is a 32-bit float from -1 to 1, little-endian.
	EncodingFloat32 Encoding = "float32"
	// EncodingMulaw is the nearest of the 8-bit codes of mu-law (ITU-T G.711).
	EncodingMulaw Encoding = "mulaw"
	// EncodingAlaw is the nearest of the 8-bit codes of A-law (ITU-T G.711).
	EncodingAlaw Encoding = "alaw"
)

// Format is what a service answers a request with. The engine does not read it: audio gives both.
type Format string

const (
	// FormatWAV is one RIFF/WAVE file.
	FormatWAV Format = "wav"
	// FormatPCM is raw samples that are streamed.
	FormatPCM Format = "pcm"
)

// The zero value of a choice is its default, which has a name too.
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

// number gives the number of a choice, or an error of a kind for one that this package does not know.
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

// Request is a text and how it is spoken. The zero value of every field but Text is its default. [ParseRequest] reads the
// JSON of a service, whose fields have other names.
type Request struct {
	// Text is UTF-8 without NUL: 1 to MaxCharacters characters, not only white space.
	Text     string
	Language Language
	Voice    Voice
	Latency  Latency
	Quality  Quality
	// SampleRate is the samples of a second: 8000, 16000, 22050, 24000, 44100 or 48000. 0 stands for 22050.
	SampleRate int
	Encoding   Encoding
	// Rate is a factor of the voice's own speed, 0.5 to 2. 0 stands for 1.
	Rate float64
	// Pitch is how much higher than the voice's own the speech is, in semitones, -6 to 6.
	Pitch float64
	// Volume is how much louder than the voice's own the speech is, in decibels, -40 to 12.
	Volume float64
	// SSML says that Text is a document of SSML 1.1.
	SSML bool
	// NoPauses says that [pause 500ms] in the text is read as it stands, and is not a pause.
	NoPauses bool
	// ReadEmoji says that emoji are read by their names. By default they are skipped, and in the diagnostics.
	ReadEmoji bool
	// NoRomanizedHindi says that Hindi in Latin letters ("kal milte hain") is read as English. By default it is read as Hindi.
	NoRomanizedHindi bool
	// Pronunciations are words and how they are read in this request. They come before those of [Options]. At most 200, of 16,384
	// bytes together.
	Pronunciations map[string]string
	// Lexicons come after the Pronunciations, and before the pronunciations of the engine.
	Lexicons []*Lexicon
}

// ParseRequest reads the JSON body of a service's request, {"text": ..., "voice": ..., ...}, and checks it as
// [Request.Validate] does. Unknown fields are ignored. The format is [FormatWAV] if the body names none.
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

// Validate checks the request as [Engine.Stream] does, without an engine, and gives the number of characters of the text,
// which is the metered quantity.
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

// set gives the request all settings that are not the defaults.
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
	// These cannot fail: whether a number is out of range is checked when the request is used.
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
