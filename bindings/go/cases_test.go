package speech_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"libspeech.io/speech"
)

// requestCase is a row of the tables of requests.
type requestCase struct {
	Name, JSON, Error, Message string
	Characters, Skipped        int
}

// body is the request, with the placeholders of long texts filled in.
func (c requestCase) body() []byte {
	text := strings.Repeat("Ten chars. ", 200)
	return []byte(strings.NewReplacer("@1001", text[:1001], "@1000", text[:1000]).Replace(c.JSON))
}

// outcome is the expected result of a row.
func (c requestCase) outcome() string {
	if c.Error != "" {
		return c.Error + ": " + c.Message
	}
	return fmt.Sprintf("%d characters, %d skipped", c.Characters, c.Skipped)
}

func outcome(characters, skipped int, err error) string {
	if found, ok := err.(*speech.Error); ok {
		return string(found.Kind) + ": " + found.Message
	}
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d characters, %d skipped", characters, skipped)
}

func synthesized(engine *speech.Engine, request speech.Request) string {
	audio, err := engine.Synthesize(context.Background(), request)
	if err != nil {
		return outcome(0, 0, err)
	}
	if len(audio.Samples) == 0 {
		return "no samples"
	}
	return outcome(audio.Characters, len(audio.Diagnostics), nil)
}

// streamed speaks a stream. Without low latency its bytes must equal those of the whole speech.
func streamed(engine *speech.Engine, request speech.Request) string {
	stream, err := engine.Stream(context.Background(), request)
	if err != nil {
		return outcome(0, 0, err)
	}
	defer stream.Close()
	var data []byte
	for chunk, err := range stream.All() {
		if err != nil {
			return outcome(0, 0, err)
		}
		data = append(data, chunk.Bytes()...)
	}
	if request.Latency != speech.LatencyLow {
		whole, err := engine.Synthesize(context.Background(), request)
		if err != nil || !bytes.Equal(data, whole.Bytes()) {
			return fmt.Sprint("other bytes than those of the whole: ", err)
		}
	}
	return outcome(stream.Characters(), len(stream.Diagnostics()), nil)
}

func TestCases(t *testing.T) {
	engine := fake(t)
	speakers := map[string]func(*speech.Engine, speech.Request) string{
		"requests": synthesized, "requests streamed": streamed, "streams": streamed,
	}
	for how, speak := range speakers {
		table := strings.Fields(how)[0]
		for _, row := range rows[requestCase](t, table) {
			if strings.HasPrefix(row.Message, "latency low is for streams") && how != "requests" {
				continue
			}
			t.Run(how+"/"+row.Name, func(t *testing.T) {
				request, _, err := speech.ParseRequest(row.body())
				got := outcome(0, 0, err)
				if err == nil {
					got = speak(engine, request)
				}
				if got != row.outcome() {
					t.Errorf("%s, not %s", got, row.outcome())
				}
			})
		}
	}
}

// As structures, for the rows whose fields have the right types.
func TestCasesAsStructures(t *testing.T) {
	engine := fake(t)
	compared := 0
	for _, row := range slices.Concat(rows[requestCase](t, "requests"), rows[requestCase](t, "streams")) {
		var fields struct {
			Text                              *string
			Language, Voice, Latency, Quality string
			Format                            speech.Format
			Rate, Pitch, Volume               float64
			SSML                              bool
			ReadPauses                        *bool `json:"read_pauses"`
			ReadEmoji                         bool  `json:"read_emoji"`
			SampleRate                        int   `json:"sample_rate"`
			Encoding                          speech.Encoding
			Pronunciations                    map[string]string
		}
		body := string(row.body())
		isTyped := json.Unmarshal([]byte(body), &fields) == nil && fields.Text != nil && !strings.Contains(body, "null")
		// 0 stands for the default, Go strings cannot hold half a surrogate pair, and a structure has no
		// format.
		if !isTyped || strings.Contains(body, `"rate": 0}`) || strings.Contains(body, `\ud83d"`) || fields.Format == "mp3" {
			continue
		}
		request := speech.Request{
			Text: *fields.Text, Language: speech.Language(fields.Language), Voice: speech.Voice(fields.Voice),
			Latency: speech.Latency(fields.Latency), Quality: speech.Quality(fields.Quality),
			Rate: fields.Rate, Pitch: fields.Pitch, Volume: fields.Volume, SSML: fields.SSML,
			NoPauses: fields.ReadPauses != nil && !*fields.ReadPauses, ReadEmoji: fields.ReadEmoji,
			SampleRate: fields.SampleRate, Encoding: fields.Encoding, Pronunciations: fields.Pronunciations,
		}
		speak := synthesized
		if fields.Format == speech.FormatPCM {
			speak = streamed
		}
		compared++
		kind, _, _ := strings.Cut(row.outcome(), ": ")
		if got, _, _ := strings.Cut(speak(engine, request), ": "); got != kind {
			t.Errorf("%s: %s, not %s", row.Name, got, kind)
		}
	}
	if compared < 40 {
		t.Errorf("only %d rows were compared", compared)
	}
}

func TestParsedFields(t *testing.T) {
	body := `{"text": "a", "language": "hi-IN", "voice": "leo", "format": "pcm", "latency": "low", "quality": "full",
		"sample_rate": 8000, "encoding": "mulaw",
		"rate": 1.5, "pitch": -1, "volume": 2, "ssml": false, "read_pauses": false, "read_emoji": true,
		"read_romanized_hindi": false, "pronunciations": {"a": "b"}, "Text": 7, "other": null}`
	request, format, err := speech.ParseRequest([]byte(body))
	expected := speech.Request{
		Text: "a", Language: speech.HindiIndia, Voice: speech.Leo, Latency: speech.LatencyLow, Quality: speech.QualityFull,
		SampleRate: 8000, Encoding: speech.EncodingMulaw, Rate: 1.5, Pitch: -1, Volume: 2, NoPauses: true, ReadEmoji: true, NoRomanizedHindi: true,
		Pronunciations: map[string]string{"a": "b"},
	}
	if err != nil || !reflect.DeepEqual(request, expected) || format != speech.FormatPCM {
		t.Errorf("%+v, %s, %v", request, format, err)
	}
	request, format, err = speech.ParseRequest([]byte(`{"text": "a"}`))
	if err != nil || !reflect.DeepEqual(request, speech.Request{Text: "a"}) || format != speech.FormatWAV {
		t.Errorf("%+v, %s, %v", request, format, err)
	}
}

func TestSplits(t *testing.T) {
	for _, row := range rows[struct {
		Text          string
		MaxCharacters int `json:"max_characters"`
		Parts         []string
	}](t, "splits") {
		parts, err := speech.Split(row.Text, row.MaxCharacters)
		if err != nil || !slices.Equal(parts, row.Parts) {
			t.Errorf("%q: %q, %v", row.Text, parts, err)
		}
	}
}

func TestTierCases(t *testing.T) {
	for _, row := range rows[struct {
		Contexts          [][2]uint32
		Name, Tier, Error string
	}](t, "tiers") {
		var contexts []speech.AttentionContext
		for _, context := range row.Contexts {
			contexts = append(contexts, speech.AttentionContext{Left: context[0], Right: context[1]})
		}
		tier, err := must(speech.NewTiers(contexts...))(t).Resolve(row.Name)
		if row.Error != "" {
			refused(t, err, speech.Kind(row.Error), row.Name)
		} else if err != nil || tier != speech.Tier(row.Tier) {
			t.Errorf("%s: %s, %v", row.Name, tier, err)
		}
	}
	for _, row := range rows[struct {
		Tier        speech.Tier
		Nanoseconds int64
		Micros      uint64
	}](t, "charges") {
		charge, err := row.Tier.Charge(time.Duration(row.Nanoseconds))
		samples, samplesErr := row.Tier.ChargeSamples(uint64(row.Nanoseconds), 1_000_000_000)
		if err != nil || samplesErr != nil || charge != row.Micros || samples != row.Micros {
			t.Errorf("%+v: %d, %d, %v, %v", row, charge, samples, err, samplesErr)
		}
	}
}

// Errors contain no part of a text.
func TestSecrets(t *testing.T) {
	const secret = "ZQXMARKER"
	check := func(name string, err error, expected string) {
		got, _, _ := strings.Cut(outcome(0, 0, err), ": ")
		if (expected == "") != (err == nil) || (err != nil && got != expected) {
			t.Errorf("%s: %v, not %s", name, err, expected)
		}
		if strings.Contains(strings.ToUpper(fmt.Sprintf("%+v %#v", err, err)), secret) {
			t.Errorf("%s tells: %#v", name, err)
		}
	}
	engine := fake(t)
	for _, row := range rows[requestCase](t, "secrets") {
		request, _, err := speech.ParseRequest(row.body())
		if err == nil {
			_, err = engine.Synthesize(context.Background(), request)
		}
		check(row.Name, err, row.Error)
	}
	for _, row := range rows[struct{ Name, Words, Reading string }](t, "secret_pronunciations") {
		_, err := speech.Load(speech.Options{
			Bundle: variable(t, "SPEECH_FAKE_MODEL"), Pronunciations: map[string]string{row.Words: row.Reading},
		})
		check(row.Name, err, "invalid_request")
	}
	for name, text := range map[string]string{"a NUL": secret + "\x00", "no UTF-8": secret + "\xff"} {
		_, err := engine.Synthesize(context.Background(), speech.Request{Text: text})
		check(name, err, "invalid_request")
		_, err = speech.Split(text, 10)
		check(name, err, "invalid_request")
		_, err = speech.Characters(text)
		check(name, err, "invalid_request")
		_, err = speech.NewSegmenter().Push(text)
		check(name, err, "invalid_request")
		live, stream, err := engine.Live(context.Background(), speech.Request{})
		check(name, err, "")
		_, err = live.WriteString(text)
		check(name, err, "invalid_request")
		stream.Close()
	}
}
