// Package chart tests the Helm chart of the service: Helm renders it, and the types of Kubernetes
// read the result.
package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
)

const chart = "../../chart"

// A kind with its version, and a new value of its type. The kinds of KEDA and of the Prometheus
// operator have no type here.
var kinds = map[string]func() any{
	"apps/v1 Deployment":                      func() any { return new(apps.Deployment) },
	"autoscaling/v2 HorizontalPodAutoscaler":  func() any { return new(autoscaling.HorizontalPodAutoscaler) },
	"batch/v1 Job":                            func() any { return new(batch.Job) },
	"keda.sh/v1alpha1 ScaledObject":           func() any { return new(map[string]any) },
	"monitoring.coreos.com/v1 ServiceMonitor": func() any { return new(map[string]any) },
	"networking.k8s.io/v1 NetworkPolicy":      func() any { return new(networking.NetworkPolicy) },
	"policy/v1 PodDisruptionBudget":           func() any { return new(policy.PodDisruptionBudget) },
	"v1 Service":                              func() any { return new(core.Service) },
}

// With each file of values, the chart has no fault, and each document has only known fields.
func TestDocumentsHaveKnownFields(t *testing.T) {
	seen := map[string]bool{}
	for _, values := range valueFiles(t) {
		helm(t, "lint", "--strict", chart, "--values", values)
		for kind := range documents(t, values) {
			seen[kind] = true
		}
	}
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("no values make a %s", kind)
		}
	}
}

func TestUnknownAndInvalidValuesAreRejected(t *testing.T) {
	for _, set := range []string{"slot=2", "autoscaling.by=memory", "slots=0", "ledger.url=usage.db", "autoscaling.target=2"} {
		command := exec.Command("go", "tool", "helm", "template", "speech", chart, "--set", set)
		if output, err := command.CombinedOutput(); err == nil {
			t.Errorf("%s is accepted: %s", set, output)
		}
	}
}

// The program that the chart runs knows all options. `SPEECH_HTTP_PROGRAM` and `SPEECH_PROGRAM` are the programs.
func TestProgramsKnowTheOptions(t *testing.T) {
	option := regexp.MustCompile(`^--[a-z-]+`)
	check := func(program, command string, arguments []string) {
		help, err := exec.Command(os.Getenv(program), command, "--help").Output()
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		for _, argument := range arguments {
			if name := option.FindString(argument); name != "" && !bytes.Contains(help, []byte(name)) {
				t.Errorf("%s %s has no %s", program, command, name)
			}
		}
	}
	for _, values := range valueFiles(t) {
		documents := documents(t, values)
		service := documents["apps/v1 Deployment"].(*apps.Deployment).Spec.Template.Spec.Containers[0]
		check("SPEECH_HTTP_PROGRAM", "serve", service.Args)
		if job, ok := documents["batch/v1 Job"].(*batch.Job); ok && job.Spec.CompletionMode != nil {
			shard := job.Spec.Template.Spec.Containers[0]
			check("SPEECH_PROGRAM", "batch", append(shard.Command, shard.Args...))
		}
	}
}

func TestTheVersionIsThatOfTheProject(t *testing.T) {
	read := func(file, pattern string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(regexp.MustCompile(`(?m)^` + pattern + `$`).FindSubmatch(text)[1])
	}
	project := read("../../../Cargo.toml", `version = "(.*)"`)
	for _, name := range []string{"version", "appVersion"} {
		if version := read(filepath.Join(chart, "Chart.yaml"), name+": (.*)"); version != project {
			t.Errorf("%s is %s, not %s", name, version, project)
		}
	}
}

// A pod is killed only after the service has had its time, and Kubernetes shares the load of the
// target over the replicas.
func TestTimesAndTargets(t *testing.T) {
	documents := documents(t, "values/demand.yaml", "--set", "drain=7,grace=20,slots=8")
	pod := documents["apps/v1 Deployment"].(*apps.Deployment).Spec.Template.Spec
	if grace := *pod.TerminationGracePeriodSeconds; grace != 37 {
		t.Errorf("killed after %d seconds", grace)
	}
	for _, argument := range []string{"--drain=7", "--grace=20", "--max-concurrency=8"} {
		if !slices.Contains(pod.Containers[0].Args, argument) {
			t.Errorf("no %s", argument)
		}
	}
	scaled, err := json.Marshal(documents["keda.sh/v1alpha1 ScaledObject"])
	if err != nil || !bytes.Contains(scaled, []byte(`"targetValue":"4.8"`)) {
		t.Errorf("another target: %s", scaled)
	}
}

func valueFiles(t *testing.T) []string {
	files, err := filepath.Glob("values/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files of values")
	}
	return append(files, filepath.Join(chart, "values.yaml"))
}

func helm(t *testing.T, arguments ...string) []byte {
	command := exec.Command("go", append([]string{"tool", "helm"}, arguments...)...)
	var errors bytes.Buffer
	command.Stderr = &errors
	output, err := command.Output()
	if err != nil {
		t.Fatalf("helm %s: %v\n%s%s", strings.Join(arguments, " "), err, output, errors.Bytes())
	}
	return output
}

// The documents that the chart makes of a file of values, by their kinds.
func documents(t *testing.T, values string, more ...string) map[string]any {
	arguments := append([]string{"template", "speech", chart, "--namespace", "voice", "--values", values}, more...)
	decoder := yaml.NewDecoder(bytes.NewReader(helm(t, arguments...)))
	found := map[string]any{}
	for {
		var document map[string]any
		if err := decoder.Decode(&document); err != nil {
			if len(found) == 0 {
				t.Fatalf("%s: %v", values, err)
			}
			return found
		}
		if document == nil {
			continue
		}
		kind := fmt.Sprint(document["apiVersion"], " ", document["kind"])
		make, known := kinds[kind]
		if !known {
			t.Fatalf("%s: unexpected %s", values, kind)
		}
		object := make()
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		strict := json.NewDecoder(bytes.NewReader(text))
		strict.DisallowUnknownFields()
		if err := strict.Decode(object); err != nil {
			t.Errorf("%s: %s: %v", values, kind, err)
		}
		found[kind] = object
	}
}
