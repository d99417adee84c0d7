package speech

// #include <speech.h>
import "C"

// VoiceInfo is an entry of the listing of voices.
type VoiceInfo struct {
	// ID is the identifier used in requests.
	ID Voice
	// Name is the display name, such as "Aria".
	Name string
}

// Voices lists the voices, which are the same for every engine.
func Voices() []VoiceInfo {
	var count C.size_t
	array := C.speech_voices_list(&count)
	return converted(array, count, func(v C.speech_voice) VoiceInfo {
		return VoiceInfo{Voice(C.GoString(v.id)), C.GoString(v.name)}
	})
}

// Languages lists the languages.
func Languages() []Language {
	var count C.size_t
	array := C.speech_voices_languages(&count)
	return converted(array, count, func(tag *C.char) Language { return Language(C.GoString(tag)) })
}

// DefaultVoice is the voice of a request that names none.
func DefaultVoice() Voice { return Voice(C.GoString(C.speech_voices_default())) }

// VoicesJSON is the listing of voices, languages and limits as JSON, for a service's response.
func VoicesJSON() string { return C.GoString(C.speech_voices_json()) }
