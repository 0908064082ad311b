package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/push"
	"pipeline/pipelines/file"
)

// TestIsProject: what an administrator writes in a policy matches a project however deep its folder is, and however it
// is spelled.
func TestIsProject(t *testing.T) {
	t.Parallel()
	secret := push.Project{URI: "file:///home/ann/src/Secret-Project-2", Path: "/home/ann/src/Secret-Project-2",
		Name: "Secret-Project-2"}
	windows := push.Project{URI: "file:///c%3A/src/secret-project", Path: `C:\src\secret-project`,
		Name: "secret-project"}
	for wanted, want := range map[string][2]bool{
		"*/secret-project*": {true, true}, "secret-project-2": {true, false}, "secret-project": {false, true},
		"/home/ann/*": {true, false}, `C:\src\*`: {false, true}, "*secret*": {true, true},
		"/home/ann/src/secret-project-2": {true, false}, "file:///home/*/secret-project-?": {true, false},
		"/home/bob/*": {false, false}, "secret": {false, false}, "": {false, false},
	} {
		if got := [2]bool{isProject(wanted, secret), isProject(wanted, windows)}; got != want {
			t.Errorf("%q: %v, want %v", wanted, got, want)
		}
	}
	if isProject("*", push.Project{}) {
		t.Error("a glob matches rows without a project")
	}
}

// TestObey: a push denies what the user denies and what the policy does, sends only what the user asks for, and knows
// the names that both write out.
func TestObey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "v1"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "v1", "policy.json"),
		[]byte(`{"deny": ["*/secret-project*", "*/Hidden-One"]}`), 0o600))
	store, err := objects.Open(dir, "", "")
	must(t, err)
	o := push.Options{Store: store}
	unmet, err := obey(t.Context(), &o, file.Push{Projects: []string{"open-*"},
		Deny: []string{"mine", "/home/ann/Own", "*any*"}})
	must(t, err)
	for _, test := range []struct {
		p            push.Project
		denied, only bool
	}{
		{push.Project{URI: "file:///src/secret-project-2"}, true, false},
		{push.Project{Path: "/src/hidden-one"}, true, false}, {push.Project{Name: "mine"}, true, false},
		{push.Project{Name: "open-mine"}, false, true}, {push.Project{Name: "other"}, false, false},
		{push.Project{}, false, false},
	} {
		if denied, only := o.Deny(test.p), o.Only(test.p); denied != test.denied || only != test.only {
			t.Errorf("%+v: denied %v, only %v", test.p, denied, only)
		}
	}
	if want := []push.Project{{Name: "mine"}, {URI: "/home/ann/Own"}, {Name: "hidden-one"}}; !reflect.DeepEqual(o.Named,
		want) {
		t.Errorf("named: %q, want %q", o.Named, want)
	}
	if got := unmet(); !reflect.DeepEqual(got, []string{"/home/ann/Own", "*any*"}) {
		t.Errorf("unmet: %q", got)
	}
	free := push.Options{Store: store}
	must(t, os.Remove(filepath.Join(dir, "v1", "policy.json")))
	if _, err := obey(t.Context(), &free, file.Push{}); err != nil || free.Deny != nil || free.Only != nil ||
		free.Named != nil {
		t.Errorf("without a choice: %+v, %v", free, err)
	}
}
