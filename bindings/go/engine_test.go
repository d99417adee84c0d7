package speech_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"libspeech.io/speech"
)

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func speak(t testing.TB, engine *speech.Engine, request speech.Request) *speech.Audio {
	t.Helper()
	return must(engine.Synthesize(context.Background(), request))(t)
}

func TestVersions(t *testing.T) {
	major, minor := speech.ABIVersion()
	if !regexp.MustCompile(`^\d+\.\d+\.\d+`).MatchString(speech.Version()) || major < 1 || minor < 0 {
		t.Error(speech.Version(), major, minor)
	}
	if speech.BundleFormatVersion() < 1 {
		t.Error(speech.BundleFormatVersion())
	}
}

// The package calls every function of the header, and has every kind of its errors.
func TestHeader(t *testing.T) {
	header := string(must(os.ReadFile(variable(t, "SPEECH_HEADER")))(t))
	var sources strings.Builder
	comment := regexp.MustCompile("//.*")
	for _, path := range must(filepath.Glob("*.go"))(t) {
		if !strings.HasSuffix(path, "_test.go") {
			sources.Write(comment.ReplaceAll(must(os.ReadFile(path))(t), nil))
		}
	}
	// Functions that Go implements itself: conversions of samples, and the state of errors and tokens.
	without := []string{
		"speech_audio_bytes", "speech_audio_samples_f32", "speech_audio_wav", "speech_audio_duration",
		"speech_error_status", "speech_status_type", "speech_cancel_token_is_cancelled",
	}
	functions := regexp.MustCompile(`SPEECH_API\s[^;]*?\b(speech_\w+)\(`).FindAllStringSubmatch(header, -1)
	if len(functions) < 90 {
		t.Errorf("%d functions were found", len(functions))
	}
	for _, function := range functions {
		isCalled := regexp.MustCompile(`\b` + function[1] + `\(`).MatchString(sources.String())
		if isCalled == slices.Contains(without, function[1]) {
			t.Errorf("%s: %v", function[1], isCalled)
		}
	}
	_, statuses, _ := strings.Cut(header, "SPEECH_ENUM(speech_status,")
	statuses, _, _ = strings.Cut(statuses, "};")
	for _, status := range regexp.MustCompile(`(?m)^  SPEECH_(\w+) .*= \d+,`).FindAllStringSubmatch(statuses, -1) {
		name := strings.ToLower(status[1])
		isKind := strings.Contains(sources.String(), `Kind = "`+name+`"`)
		if isKind == slices.Contains([]string{"ok", "end"}, name) {
			t.Errorf("%s: %v", name, isKind)
		}
	}
}

func TestOptions(t *testing.T) {
	bundle := variable(t, "SPEECH_FAKE_MODEL")
	archive := filepath.Join(t.TempDir(), "bundle.tar")
	if output, err := exec.Command("tar", "-cf", archive, "-C", bundle, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	data := must(os.ReadFile(archive))(t)
	padded := archive + ".padded"
	if err := os.WriteFile(padded, slices.Concat(make([]byte, 1000), data, make([]byte, 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	file := must(os.Open(padded))(t)
	defer file.Close()
	expected := speak(t, fake(t), speech.Request{Text: three})
	for name, options := range map[string]speech.Options{
		"a tar file":  {Bundle: archive},
		"memory":      {BundleData: bytes.Clone(data)},
		"part of it":  {BundleFile: file, BundleOffset: 1000, BundleLength: int64(len(data))},
		"mapped":      {Bundle: bundle, Mapping: speech.MapAlways},
		"read":        {Bundle: bundle, Mapping: speech.MapNever},
		"settings":    {Bundle: bundle, Threads: 2, MaxConcurrency: 2, Kernels: "auto", Precision: "auto"},
		"environment": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SPEECH_BUNDLE", bundle)
			t.Setenv("SPEECH_THREADS", "2")
			engine := load(t, options)
			if options.BundleData != nil {
				clear(options.BundleData)
			}
			if engine.Threads() != 2 || !slices.Equal(speak(t, engine, speech.Request{Text: three}).Samples, expected.Samples) {
				t.Error(engine.Threads())
			}
		})
	}
	portable := load(t, speech.Options{Bundle: bundle, Kernels: "portable", Precision: "fp32"})
	audio := speak(t, portable, speech.Request{Text: three})
	if portable.Kernels() != "portable" || portable.Precision() != "fp32" || audio.Kernels != "portable" || audio.Precision != "fp32" {
		t.Error(portable.Kernels(), portable.Precision(), audio.Kernels, audio.Precision)
	}
	closed := must(os.Open(padded))(t)
	closed.Close()
	before := speech.ObjectCount()
	for _, row := range []struct {
		message string
		options speech.Options
	}{
		{"threads must be", speech.Options{Threads: -1}},
		{"threads must be", speech.Options{Threads: 257}},
		{"max_concurrency must be", speech.Options{MaxConcurrency: 1000}},
		{`kernels "none"`, speech.Options{Kernels: "none"}},
		{`precision "none"`, speech.Options{Precision: "none"}},
		{"Kernels has a NUL", speech.Options{Kernels: "auto\x00"}},
		{"a pronunciation has a NUL", speech.Options{Pronunciations: map[string]string{"GHz\x00": "gigahertz"}}},
		{"a pronunciation has a NUL", speech.Options{Pronunciations: map[string]string{"GHz": "gigahertz\x00x"}}},
		{"character 1 of", speech.Options{Pronunciations: map[string]string{"phoney": "/9/"}}},
	} {
		row.options.Bundle = bundle
		_, err := speech.Load(row.options)
		refused(t, err, speech.ErrInvalidRequest, row.message)
	}
	_, err := speech.Load(speech.Options{Bundle: bundle, BundleData: data})
	refused(t, err, speech.ErrInvalidRequest, "exclude each other")
	_, err = speech.Load(speech.Options{BundleFile: file, BundleOffset: -1})
	refused(t, err, speech.ErrInvalidRequest, "negative")
	_, err = speech.Load(speech.Options{BundleFile: closed})
	refused(t, err, speech.ErrInvalidRequest, "closed file")
	_, err = speech.Load(speech.Options{BundleData: []byte("This is no tar.")})
	refused(t, err, speech.ErrModel, "in memory")
	if after := speech.ObjectCount(); after != before {
		t.Errorf("%d objects, then %d", before, after)
	}
}

func TestDamagedBundles(t *testing.T) {
	for name, row := range map[string]struct {
		damage               func(bundle string) error
		detail, file, advice string
	}{
		"it is not there": {os.RemoveAll, "file_missing", "bundle.json", "check_bundle_path"},
		"a file is missing": {
			func(bundle string) error { return os.Remove(filepath.Join(bundle, "voices.safetensors")) },
			"file_missing", "voices.safetensors", "check_bundle_path",
		},
		"a file is truncated": {
			func(bundle string) error { return os.Truncate(filepath.Join(bundle, "vocoder.safetensors"), 100) },
			"file_damaged", "vocoder.safetensors", "reinstall_voices",
		},
	} {
		t.Run(name, func(t *testing.T) {
			bundle := filepath.Join(t.TempDir(), "bundle")
			if err := os.CopyFS(bundle, os.DirFS(variable(t, "SPEECH_FAKE_MODEL"))); err != nil {
				t.Fatal(err)
			}
			if err := row.damage(bundle); err != nil {
				t.Fatal(err)
			}
			_, err := speech.Load(speech.Options{Bundle: bundle})
			found := refused(t, err, speech.ErrModel, row.file)
			if found.Detail != row.detail || found.Path != filepath.Join(bundle, row.file) || found.Advice != row.advice {
				t.Errorf("%+v", found)
			}
			if found.Retryable || !uuid.MatchString(found.RequestID) || !strings.Contains(found.JSON, `"model_error"`) {
				t.Errorf("%+v", found)
			}
			if found.Error() != "speech: model_error: "+found.Message || errors.Is(err, speech.ErrInternal) {
				t.Error(found)
			}
		})
	}
	_, err := fake(t).Synthesize(context.Background(), speech.Request{Text: "a", Latency: speech.LatencyLow})
	if found := refused(t, err, speech.ErrInvalidRequest, ""); found.Detail != "latency_needs_stream" || found.Advice != "use_stream" {
		t.Errorf("%+v", found)
	}
}

func TestPronunciations(t *testing.T) {
	bundle := variable(t, "SPEECH_FAKE_MODEL")
	engine := load(t, speech.Options{Bundle: bundle, Pronunciations: map[string]string{"phoney": "/ˈɑːɑːɑː/", "GHz": "gigahertz"}})
	phonemes := func(engine *speech.Engine, text string) string {
		var all string
		for _, phoneme := range speak(t, engine, speech.Request{Text: text}).Phonemes {
			all += phoneme.IPA
		}
		return all
	}
	if got := phonemes(engine, "phoney"); strings.Count(got, "ɑ") != 3 {
		t.Error(got)
	}
	if phonemes(engine, "GHz") != phonemes(engine, "gigahertz") {
		t.Error("it is not read as the words")
	}
	document := `<lexicon version="1.0" xml:lang="en"><lexeme><grapheme>GHz</grapheme><alias>one</alias></lexeme></lexicon>`
	pls := must(speech.ParsePLS(document))(t)
	lexicon := must(speech.ParseLexicon("GHz\tgiga\nphoney\tgiga"))(t)
	if pls.Entries() != 1 || lexicon.Entries() != 2 {
		t.Error(pls.Entries(), lexicon.Entries())
	}
	own := speech.Request{
		Text: "phoney GHz MHz", Pronunciations: map[string]string{"MHz": "two"}, Lexicons: []*speech.Lexicon{pls, lexicon},
	}
	if !slices.Equal(speak(t, engine, own).Samples, speak(t, engine, speech.Request{Text: "giga one two"}).Samples) {
		t.Error("it is not read with the lexicons of the request")
	}
	for message, request := range map[string]speech.Request{
		"a lexicon is nil": {Text: "a", Lexicons: []*speech.Lexicon{nil}},
		"character 1 of":   {Text: "a", Pronunciations: map[string]string{"phoney": "/9/"}},
		"has a NUL":        {Text: "a", Pronunciations: map[string]string{"phoney": "a\x00"}},
	} {
		_, err := engine.Stream(context.Background(), request)
		refused(t, err, speech.ErrInvalidRequest, message)
	}
	_, err := speech.ParsePLS("<lexicon/>")
	refused(t, err, speech.ErrInvalidRequest, "PLS line 1, column 1: 'lexicon' needs the attribute 'version'")
	_, err = speech.ParseLexicon("GHz")
	refused(t, err, speech.ErrInvalidRequest, "line 1: no tab")
}

func TestCache(t *testing.T) {
	bundle := variable(t, "SPEECH_FAKE_MODEL")
	log := &records{level: slog.LevelDebug}
	engine := load(t, speech.Options{Bundle: bundle, Cache: 1 << 20, Logger: slog.New(log)})
	first := speak(t, engine, speech.Request{Text: three})
	inferences := func() int { return strings.Count(strings.Join(log.messages, "\n"), " tokens: ") }
	before := inferences()
	if !slices.Equal(speak(t, engine, speech.Request{Text: three}).Samples, first.Samples) {
		t.Error("the samples are others")
	}
	if before == 0 || inferences() != before {
		t.Errorf("%d inferences, then %d", before, inferences()-before)
	}
	_, err := speech.Load(speech.Options{Bundle: bundle, Cache: -1})
	refused(t, err, speech.ErrInvalidRequest, "Cache must not be negative")
}

func TestEngine(t *testing.T) {
	engine := fake(t)
	for _, err := range []error{engine.WarmUp(), engine.Trim()} {
		if err != nil {
			t.Error(err)
		}
	}
	of := func(voice speech.Voice, language speech.Language) []speech.Quality {
		return must(engine.Qualities(voice, language))(t)
	}
	all := []speech.Quality{speech.QualityFull, speech.QualityFast, speech.QualityLight}
	if !slices.Equal(of("", ""), all) || !slices.Equal(of(speech.Leo, ""), all[:1]) {
		t.Errorf("other qualities: %v, %v", of("", ""), of(speech.Leo, ""))
	}
	_, err := engine.Qualities("nobody", "")
	refused(t, err, speech.ErrInvalidRequest, `"nobody"`)
	_, err = engine.Qualities("", "xx")
	refused(t, err, speech.ErrInvalidRequest, `"xx"`)
	_, err = engine.Qualities("", "en-US\x00junk")
	refused(t, err, speech.ErrInvalidRequest, "NUL")

	stream := must(engine.Stream(context.Background(), speech.Request{Text: three}))(t)
	defer stream.Close()
	must(stream.Next())(t)
	for range 2 {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}
	if rest := chunks(t, stream); len(rest) != 2 {
		t.Errorf("%d chunks after the engine was closed", len(rest))
	}
	_, err = engine.Synthesize(context.Background(), speech.Request{Text: "a"})
	refused(t, err, speech.ErrInvalidRequest, "freed")
	_, err = engine.Stream(context.Background(), speech.Request{Text: "a"})
	refused(t, err, speech.ErrInvalidRequest, "freed")
	refused(t, engine.WarmUp(), speech.ErrInvalidRequest, "freed")
	if engine.Threads() != 0 || engine.Kernels() != "" || engine.Precision() != "" {
		t.Error("it is not closed")
	}
}

func TestValidate(t *testing.T) {
	if characters := must(speech.Request{Text: mixed}.Validate())(t); characters != len([]rune(mixed)) {
		t.Error(characters)
	}
	_, err := speech.Request{Text: strings.Repeat("a", 1001)}.Validate()
	if found := refused(t, err, speech.ErrTextTooLong, "1001"); found.Advice != "split_text" {
		t.Errorf("%+v", found)
	}
	_, err = speech.Request{Text: "a", Language: "hi\x00IN"}.Validate()
	refused(t, err, speech.ErrInvalidRequest, "NUL")
	_, err = speech.Request{Text: "a", Quality: "best"}.Validate()
	refused(t, err, speech.ErrInvalidRequest, `quality "best"`)
	_, err = speech.Request{Text: "a", Encoding: "g722"}.Validate()
	refused(t, err, speech.ErrInvalidRequest, `unsupported encoding "g722"; use alaw, float32, mulaw, pcm16`)
	_, err = speech.Request{Text: "a", SampleRate: 11025}.Validate()
	refused(t, err, speech.ErrInvalidRequest, "sample_rate is 11025; it must be 8000, 16000, 22050, 24000, 44100 or 48000")
	_, err = speech.Request{Text: "a", SampleRate: -8000}.Validate()
	refused(t, err, speech.ErrInvalidRequest, "sample_rate must be a positive whole number")
	_, err = speech.Request{Text: "a", Latency: "none"}.Validate()
	refused(t, err, speech.ErrInvalidRequest, `latency "none"`)
	_, err = speech.Request{Text: "a\x00"}.Validate()
	refused(t, err, speech.ErrInvalidRequest, "NUL")
	_, err = speech.Request{Text: "a\xff"}.Validate()
	refused(t, err, speech.ErrInvalidRequest, "UTF-8")
}

func TestSettings(t *testing.T) {
	engine := fake(t)
	plain := speak(t, engine, speech.Request{Text: mixed}).Samples
	for name, request := range map[string]speech.Request{
		"language": {Language: speech.HindiIndia}, "voice": {Voice: speech.Sofia}, "quality": {Quality: speech.QualityLight},
		"rate": {Rate: 2}, "pitch": {Pitch: 3}, "volume": {Volume: -12}, "emoji": {ReadEmoji: true},
	} {
		request.Text = mixed
		if slices.Equal(speak(t, engine, request).Samples, plain) {
			t.Errorf("%s changes nothing", name)
		}
	}
	for text, literal := range map[string]speech.Request{
		"One. [pause 300ms] Two.": {NoPauses: true}, "kal milte hain": {NoRomanizedHindi: true},
	} {
		literal.Text = text
		if slices.Equal(speak(t, engine, literal).Samples, speak(t, engine, speech.Request{Text: text}).Samples) {
			t.Errorf("%q is the same", text)
		}
	}
}

func TestAudio(t *testing.T) {
	engine := fake(t)
	audio := speak(t, engine, speech.Request{Text: mixed})
	at := func(span speech.Span) string { return mixed[span.Begin:span.End] }
	if at(audio.Span) != mixed || !uuid.MatchString(audio.RequestID) || audio.Characters != len([]rune(mixed)) {
		t.Errorf("%+v, %s, %d", audio.Span, audio.RequestID, audio.Characters)
	}
	last := strings.LastIndex(mixed, "😀")
	skipped := speech.Diagnostic{Kind: speech.DiagnosticSkipped, Span: speech.Span{Begin: last, End: last + len("😀")}}
	if len(audio.Diagnostics) != 2 || audio.Diagnostics[1] != skipped {
		t.Errorf("%+v", audio.Diagnostics)
	}
	var words []string
	for i, word := range audio.Words {
		words = append(words, at(word.Span))
		if word.Start >= word.End || word.End > audio.Duration() || (i > 0 && word.Start < audio.Words[i-1].End) {
			t.Errorf("%+v", word)
		}
	}
	if !slices.Equal(words, []string{"Café", "noir", "यह", "दूसरा", "है", "The", "🎉", "end", "and", "the", "last"}) {
		t.Errorf("%q", words)
	}
	if len(audio.Sentences) != 3 || at(audio.Sentences[2].Span) != "The 🎉 end, and the 😀 last." {
		t.Errorf("%+v", audio.Sentences)
	}
	if len(audio.Phonemes) < len(words) || audio.Phonemes[0].IPA == "" || at(audio.Phonemes[0].Span) != "Café" {
		t.Errorf("%+v", audio.Phonemes)
	}
	var end time.Duration
	for _, viseme := range audio.Visemes {
		if viseme.Start != end || (viseme.Azure == 0) != (viseme.Name == "sil") || viseme.Azure > 21 {
			t.Errorf("%+v after %s", viseme, end)
		}
		end = viseme.End
	}
	if difference := end - audio.Duration(); difference.Abs() > time.Microsecond {
		t.Error(end, audio.Duration())
	}
	marked := speak(t, engine, speech.Request{Text: "<speak>One <mark name='two'/> two.</speak>", SSML: true})
	if len(marked.Marks) != 1 || marked.Marks[0].Name != "two" || marked.Marks[0].At != marked.Words[1].Start {
		t.Errorf("%+v", marked.Marks)
	}
	if floats := audio.Floats(); len(floats) != len(audio.Samples) || floats[5000] != float32(audio.Samples[5000])/32768 {
		t.Error("other floats")
	}
	if wav := audio.WAV(); !bytes.Equal(wav[44:], audio.PCM()) || len(wav) != 44+2*len(audio.Samples) {
		t.Error("other samples in the file")
	}
}

// The same speech at every rate, and its samples in each encoding.
func TestRatesAndEncodings(t *testing.T) {
	engine := fake(t)
	duration := speak(t, engine, speech.Request{Text: three}).Duration()
	sizes := map[speech.Encoding]int{
		speech.EncodingPCM16: 2, speech.EncodingFloat32: 4, speech.EncodingMulaw: 1, speech.EncodingAlaw: 1,
	}
	for _, rate := range []int{8000, 16000, 22050, 24000, 44100, 48000} {
		samples := speak(t, engine, speech.Request{Text: three, SampleRate: rate}).Samples
		for encoding, size := range sizes {
			request := speech.Request{Text: three, SampleRate: rate, Encoding: encoding}
			audio := speak(t, engine, request)
			if audio.SampleRate != rate || audio.Encoding != encoding || !slices.Equal(audio.Samples, samples) {
				t.Errorf("%d Hz, %s: %d Hz, %s", rate, encoding, audio.SampleRate, audio.Encoding)
			}
			if (audio.Duration()-duration).Abs() > time.Millisecond || len(audio.Bytes()) != size*len(samples) {
				t.Errorf("%d Hz, %s: %s, %d bytes", rate, encoding, audio.Duration(), len(audio.Bytes()))
			}
			stream := must(engine.Stream(context.Background(), request))(t)
			if streamed := must(io.ReadAll(stream))(t); !bytes.Equal(streamed, audio.Bytes()) {
				t.Errorf("%d Hz, %s: the stream has other bytes", rate, encoding)
			}
			stream.Close()
			// They are known before the first chunk, and after the end.
			long := must(engine.StreamLong(context.Background(), request))(t)
			for _, stream := range []*speech.Stream{stream, long} {
				if stream.SampleRate() != rate || stream.Encoding() != encoding {
					t.Errorf("%d Hz, %s: a stream of %d Hz, %s", rate, encoding, stream.SampleRate(), stream.Encoding())
				}
			}
			long.Close()
		}
	}
}

// Bytes, WAV and Duration use the current fields, also of an Audio that the library did not make.
func TestAudioOfACaller(t *testing.T) {
	samples := []int16{0, -1, 32767, -32768}
	for encoding, expected := range map[speech.Encoding][]byte{
		"":                     {0, 0, 0xff, 0xff, 0xff, 0x7f, 0, 0x80},
		speech.EncodingFloat32: {0, 0, 0, 0, 0, 0, 0, 0xb8, 0, 0xfe, 0x7f, 0x3f, 0, 0, 0x80, 0xbf},
		speech.EncodingMulaw:   {0xff, 0x7f, 0x80, 0},
		speech.EncodingAlaw:    {0xd5, 0x55, 0xaa, 0x2a},
		"g722":                 nil,
	} {
		audio := speech.Audio{Samples: samples, SampleRate: 8000, Encoding: encoding}
		if found := audio.Bytes(); !bytes.Equal(found, expected) {
			t.Errorf("%q: % x", encoding, found)
		}
	}
	var all []int16
	for sample := math.MinInt16; sample <= math.MaxInt16; sample++ {
		all = append(all, int16(sample))
	}
	// The digests of the core's tests, made with an independent decoder.
	for encoding, expected := range map[speech.Encoding]string{
		speech.EncodingMulaw: "4167e3114d8b24c3410329dcbfe2a6a58ba4ee4d2ec2165762f3d4a0721f8ed3",
		speech.EncodingAlaw:  "a4c874ea5467e60befc3ca8ddaddba3877eb5b012f7cc8f54949cf0837c6ef7f",
	} {
		audio := speech.Audio{Samples: all, Encoding: encoding}
		if found := fmt.Sprintf("%x", sha256.Sum256(audio.Bytes())); found != expected {
			t.Errorf("%s: %s", encoding, found)
		}
	}
	audio := speak(t, fake(t), speech.Request{Text: three, SampleRate: 8000, Encoding: speech.EncodingMulaw})
	audio.Samples = samples
	if wav := audio.WAV(); !bytes.Equal(wav[58:], []byte{0xff, 0x7f, 0x80, 0}) {
		t.Errorf("% x", wav)
	}
}

// The file equals that of the command-line program.
func TestWAV(t *testing.T) {
	for _, request := range []speech.Request{
		{Text: three}, {Text: three, SampleRate: 8000, Encoding: speech.EncodingMulaw},
		{Text: three, SampleRate: 48000, Encoding: speech.EncodingFloat32},
	} {
		file := filepath.Join(t.TempDir(), "a.wav")
		arguments := []string{"say", "--bundle", variable(t, "SPEECH_FAKE_MODEL"), "-o", file}
		if request.SampleRate != 0 {
			arguments = append(arguments, "--sample-rate", strconv.Itoa(request.SampleRate), "--encoding", string(request.Encoding))
		}
		command := exec.Command(variable(t, "SPEECH_PROGRAM"), append(arguments, "--", three)...)
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		if !bytes.Equal(speak(t, fake(t), request).WAV(), must(os.ReadFile(file))(t)) {
			t.Errorf("another file: %d Hz, %s", request.SampleRate, request.Encoding)
		}
	}
}

// records is a handler that stores log records.
type records struct {
	mutex    sync.Mutex
	level    slog.Level
	messages []string
	panics   bool
}

func (r *records) Enabled(_ context.Context, level slog.Level) bool { return level >= r.level }
func (r *records) WithAttrs([]slog.Attr) slog.Handler               { return r }
func (r *records) WithGroup(string) slog.Handler                    { return r }

func (r *records) Handle(_ context.Context, record slog.Record) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.messages = append(r.messages, record.Level.String()+" "+record.Message)
	if r.panics {
		panic("a handler that is wrong")
	}
	return nil
}

func TestLog(t *testing.T) {
	debug, info, none := &records{level: slog.LevelDebug}, &records{level: slog.LevelInfo}, &records{level: slog.LevelError + 1}
	wrong := &records{level: slog.LevelDebug, panics: true}
	var engines []*speech.Engine
	for _, handler := range []*records{debug, info, none, wrong} {
		engines = append(engines, load(t, speech.Options{Bundle: variable(t, "SPEECH_FAKE_MODEL"), Logger: slog.New(handler)}))
	}
	speak(t, engines[0], speech.Request{Text: "Swordfish."})
	for _, engine := range engines {
		engine.Close()
	}
	has := func(r *records, level string) bool {
		return slices.ContainsFunc(r.messages, func(message string) bool { return strings.HasPrefix(message, level) })
	}
	if !has(debug, "DEBUG") || !has(debug, "INFO") || has(info, "DEBUG") || !has(info, "INFO") || len(none.messages) > 0 || !has(wrong, "DEBUG") {
		t.Error(debug.messages, info.messages, none.messages)
	}
	if strings.Contains(strings.ToLower(strings.Join(debug.messages, "")), "swordfish") {
		t.Error(debug.messages)
	}
	count := len(debug.messages)
	speak(t, fake(t), speech.Request{Text: "Hello."})
	if len(debug.messages) != count {
		t.Error("a closed engine logs")
	}
}

func TestListings(t *testing.T) {
	voices := speech.Voices()
	if len(voices) != 5 || voices[0] != (speech.VoiceInfo{ID: speech.Aria, Name: "Aria"}) || speech.DefaultVoice() != speech.Aria {
		t.Error(voices)
	}
	for i, voice := range []speech.Voice{speech.Aria, speech.Jason, speech.John, speech.Leo, speech.Sofia} {
		if voices[i].ID != voice {
			t.Error(voices[i])
		}
	}
	if languages := speech.Languages(); !slices.Equal(slices.Sorted(slices.Values(languages)), []speech.Language{speech.EnglishUS, speech.HindiIndia}) {
		t.Error(languages)
	}
	if !strings.Contains(speech.VoicesJSON(), `"default_voice"`) {
		t.Error(speech.VoicesJSON())
	}
}

func TestTiers(t *testing.T) {
	tiers := must(speech.NewTiers(speech.AttentionContext{Left: 70, Right: 0}, speech.AttentionContext{Left: 70, Right: 6}))(t)
	entries := tiers.Entries()
	if len(entries) != 4 || entries[1] != (speech.TierEntry{
		Tier: speech.TierTurbo, RateMicros: 100, RateUSD: 0.0001, Latency: 320 * time.Millisecond,
		Context: speech.AttentionContext{Left: 70, Right: 3},
	}) || !entries[0].Available || entries[3].Tier != speech.TierEconomy {
		t.Errorf("%+v", entries)
	}
	for use, first := range map[speech.UseCase]speech.Tier{
		speech.UseCaseMidSentence: speech.TierUltra, speech.UseCaseWholeUtterance: speech.TierStandard,
		speech.UseCaseNothingWaits: speech.TierStandard, speech.UseCaseOther: speech.TierStandard,
	} {
		if ranked := tiers.Ranked(use); len(ranked) == 0 || ranked[0] != first {
			t.Errorf("%d: %v", use, ranked)
		}
	}
	if len(tiers.Ranked(99)) != 0 || speech.DefaultTier() != speech.TierStandard || !strings.Contains(tiers.JSON(), `"tiers"`) {
		t.Error("other tiers")
	}
	_, err := speech.Tier("none").Charge(time.Second)
	refused(t, err, speech.ErrInvalidTier, `"none"`)
	_, err = speech.Tier("none").ChargeSamples(1, 1)
	refused(t, err, speech.ErrInvalidTier, `"none"`)
	_, err = speech.TierUltra.Charge(-1)
	refused(t, err, speech.ErrInvalidRequest, "negative")
	for _, rate := range []int{0, -1, 1 << 40} {
		_, err = speech.TierUltra.ChargeSamples(1, rate)
		refused(t, err, speech.ErrInvalidRequest, "")
	}
}

func TestTexts(t *testing.T) {
	if characters := must(speech.Characters(mixed))(t); characters != len([]rune(mixed)) {
		t.Error(characters)
	}
	if parts := must(speech.Split("", 10))(t); len(parts) != 0 {
		t.Error(parts)
	}
	if parts := must(speech.Split("ab", -1))(t); !slices.Equal(parts, []string{"a", "b"}) {
		t.Error(parts)
	}
	segmenter := speech.NewSegmenter()
	var sentences []string
	for _, piece := range []string{"It cost $3", ".5", "0. Dr", ". No paid", " it."} {
		sentences = append(sentences, must(segmenter.Push(piece))(t)...)
	}
	if !slices.Equal(sentences, []string{"It cost $3.50."}) {
		t.Errorf("%q", sentences)
	}
	if rest := must(segmenter.Finish())(t); !slices.Equal(rest, []string{"Dr. No paid it."}) {
		t.Errorf("%q", rest)
	}
}
