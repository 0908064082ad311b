package main

import (
	"testing"

	"pipeline/load/push"
)

// TestIsProject: what an administrator writes in a policy matches a project however deep its folder is, and however it is spelled.
func TestIsProject(t *testing.T) {
	t.Parallel()
	secret := push.Project{URI: "file:///home/ann/src/Secret-Project-2", Path: "/home/ann/src/Secret-Project-2", Name: "Secret-Project-2"}
	windows := push.Project{URI: "file:///c%3A/src/secret-project", Path: `C:\src\secret-project`, Name: "secret-project"}
	for wanted, want := range map[string][2]bool{
		"*/secret-project*": {true, true}, "secret-project-2": {true, false}, "secret-project": {false, true}, "/home/ann/*": {true, false}, `C:\src\*`: {false, true},
		"*secret*": {true, true}, "/home/ann/src/secret-project-2": {true, false}, "file:///home/*/secret-project-?": {true, false}, "/home/bob/*": {false, false}, "secret": {false, false}, "": {false, false},
	} {
		if got := [2]bool{isProject(wanted, secret), isProject(wanted, windows)}; got != want {
			t.Errorf("%q: %v, want %v", wanted, got, want)
		}
	}
	if isProject("*", push.Project{}) {
		t.Error("a glob matches rows without a project")
	}
}
