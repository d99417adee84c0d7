package speech_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Runs the Go code of the repository's README and documentation, as a new user builds and runs it.
func TestPages(t *testing.T) {
	pages := string(must(os.ReadFile(variable(t, "SPEECH_PAGES")))(t))
	readme := string(must(os.ReadFile("README.md"))(t))
	programs := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(pages+readme, -1)
	if len(programs) < 4 {
		t.Errorf("%d programs were found", len(programs))
	}
	module := must(filepath.Abs("."))(t)
	for i, program := range programs {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			folder := t.TempDir()
			manifest := "module example\n\ngo 1.24\n\nrequire libspeech.io/speech v0.0.0\n\nreplace libspeech.io/speech => " + module + "\n"
			for name, text := range map[string]string{"go.mod": manifest, "main.go": program[1]} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			formatted, err := exec.Command("gofmt", "-l", folder).CombinedOutput()
			if err != nil || len(formatted) > 0 {
				t.Errorf("gofmt: %v\n%s", err, formatted)
			}
			run := exec.Command("go", "run", ".")
			if strings.Contains(os.Getenv("GOFLAGS"), "libspeech_static") {
				t.Skip("with the shared library alone")
			}
			run.Dir = folder
			var stdout, stderr bytes.Buffer
			run.Stdout, run.Stderr = &stdout, &stderr
			if err := run.Run(); err != nil || stderr.Len() > 0 {
				t.Fatalf("%v\n%s", err, stderr.Bytes())
			}
			for _, promise := range regexp.MustCompile(`(?m)fmt\.Print.*// (.+)$`).FindAllStringSubmatch(program[1], -1) {
				if !strings.Contains("\n"+stdout.String(), "\n"+promise[1]+"\n") {
					t.Errorf("%q was not printed:\n%s", promise[1], stdout.Bytes())
				}
			}
			sounds := stdout.Len() > 0
			for _, file := range must(filepath.Glob(filepath.Join(folder, "*.wav")))(t) {
				sounds = len(must(os.ReadFile(file))(t)) > 22_050
			}
			if !sounds {
				t.Error("it does nothing")
			}
		})
	}
}
