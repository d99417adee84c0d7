package speech

// #include <speech.h>
import "C"

import (
	"math"
	"runtime"
	"time"
	"unsafe"
)

// Tier is a latency tier of the audio-to-text side: how much audio an encoder may look ahead before
// it commits to text.
type Tier string

// The tiers.
const (
	TierUltra    Tier = "ultra"
	TierTurbo    Tier = "turbo"
	TierStandard Tier = "standard"
	TierEconomy  Tier = "economy"
)

var tierNumbers = map[Tier]C.speech_tier{
	TierUltra: C.SPEECH_TIER_ULTRA, TierTurbo: C.SPEECH_TIER_TURBO,
	TierStandard: C.SPEECH_TIER_STANDARD, TierEconomy: C.SPEECH_TIER_ECONOMY,
}

// DefaultTier is the tier of a request that names none, whether or not it is available.
func DefaultTier() Tier { return tier(C.speech_tier_default()) }

func tier(number C.speech_tier) Tier { return Tier(C.GoString(C.speech_tier_name(number))) }

// Charge returns the price of audio in a tier, in millionths of a US dollar, before any rebate:
// exact, and rounded up once. Charge a whole recording at once, not its parts.
func (t Tier) Charge(audio time.Duration) (micros uint64, err error) {
	if audio < 0 {
		return 0, refused(ErrInvalidRequest, "the duration is negative")
	}
	tier, err := number(tierNumbers, t, "tier", ErrInvalidTier)
	if err != nil {
		return 0, err
	}
	var charge C.uint64_t
	var object *C.speech_error
	status := C.speech_tier_charge(tier, C.uint64_t(audio), &charge, &object)
	return uint64(charge), failure(status, object)
}

// ChargeSamples is Charge for a number of samples at a sample rate in hertz.
func (t Tier) ChargeSamples(samples uint64, sampleRate int) (micros uint64, err error) {
	if sampleRate < 0 || sampleRate > math.MaxUint32 {
		return 0, refused(ErrInvalidRequest, "the sample rate is out of range")
	}
	tier, err := number(tierNumbers, t, "tier", ErrInvalidTier)
	if err != nil {
		return 0, err
	}
	var charge C.uint64_t
	var object *C.speech_error
	status := C.speech_tier_charge_samples(tier, C.uint64_t(samples), C.uint32_t(sampleRate), &charge, &object)
	return uint64(charge), failure(status, object)
}

// UseCase is the use that a tier is chosen for.
type UseCase int

const (
	// UseCaseMidSentence means that a person waits in mid-sentence: live captions, a voice agent,
	// interpreting.
	UseCaseMidSentence UseCase = iota + 1
	// UseCaseWholeUtterance means that a person waits for a whole utterance: voice search, dictation.
	UseCaseWholeUtterance
	// UseCaseNothingWaits is for recorded calls, archives and subtitles.
	UseCaseNothingWaits
	// UseCaseOther is anything else.
	UseCaseOther
)

// AttentionContext is a setting of att_context_size, in encoder frames of 80 ms.
type AttentionContext struct{ Left, Right uint32 }

// TierEntry is an entry of a deployment's catalog.
type TierEntry struct {
	Tier Tier
	// RateMicros and RateUSD are the price per second of audio, in millionths of a US dollar and in US
	// dollars.
	RateMicros int
	RateUSD    float64
	// Latency is the lookahead alone, without network time and the client's frame length.
	Latency time.Duration
	Context AttentionContext
	// Available reports whether this deployment can run the tier.
	Available bool
}

// Tiers is the catalog of one deployment.
type Tiers struct {
	handle *C.speech_tiers
	_      ownMemory
}

// NewTiers makes the catalog of a deployment that can run these settings.
func NewTiers(contexts ...AttentionContext) (*Tiers, error) {
	tiers := &Tiers{}
	var object *C.speech_error
	first := (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(contexts)))
	status := C.speech_tiers_new(first, C.size_t(len(contexts)), &tiers.handle, &object)
	if err := failure(status, object); err != nil {
		return nil, err
	}
	runtime.AddCleanup(tiers, func(t Tiers) { C.speech_tiers_free(t.handle) }, *tiers)
	return tiers, nil
}

// Entries are the priced tiers.
func (t *Tiers) Entries() []TierEntry {
	defer runtime.KeepAlive(t)
	var count C.size_t
	array := C.speech_tiers_entries(t.handle, &count)
	return converted(array, count, func(e C.speech_tier_entry) TierEntry {
		return TierEntry{
			Tier:       tier(e.tier),
			RateMicros: int(e.rate_micros),
			RateUSD:    float64(e.rate_usd_per_second),
			Latency:    time.Duration(e.latency_ms) * time.Millisecond,
			Context:    AttentionContext{uint32(e.left_context), uint32(e.right_context)},
			Available:  bool(e.available),
		}
	})
}

// Resolve returns the tier with the name given in a request. It never returns another tier, and
// fails with [ErrInvalidTier] if the name is unknown or the tier is not available.
func (t *Tiers) Resolve(name string) (Tier, error) {
	defer runtime.KeepAlive(t)
	var found C.speech_tier
	err := withName("the tier", name, func(name *C.char, object **C.speech_error) C.speech_status {
		return C.speech_tiers_resolve(t.handle, name, &found, object)
	})
	if err != nil {
		return "", err
	}
	return tier(found), nil
}

// Ranked returns the available tiers, the most suitable for a use case first, from which a client
// chooses in advance.
func (t *Tiers) Ranked(use UseCase) []Tier {
	defer runtime.KeepAlive(t)
	var count C.size_t
	array := C.speech_tiers_ranked(t.handle, C.speech_use_case(use), &count)
	return converted(array, count, tier)
}

// JSON is the catalog as JSON, for a service's response.
func (t *Tiers) JSON() string {
	defer runtime.KeepAlive(t)
	return C.GoString(C.speech_tiers_json(t.handle))
}
