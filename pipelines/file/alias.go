package file

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"pipeline/pipelines"
)

// This file reads aliases of projects, OLD=NEW.

// splitAlias separates the two names. A = inside a name is written as %3D, in a URI.
func splitAlias(text string) (old, now string, ok bool) {
	old, now, ok = strings.Cut(text, "=")
	return strings.TrimSpace(old), strings.TrimSpace(now), ok && strings.TrimSpace(old) != ""
}

// readAlias reads an alias. A path may begin with ~/, which a shell leaves as it is after a =, or be relative.
func readAlias(text string) (a pipelines.Alias, err error) {
	old, now, ok := splitAlias(text)
	if !ok {
		return a, usage("%q is not OLD=NEW: write the old and the new folder of a project, such as "+
			"~/src/old=~/src/new, or ~/src/old= to take it back", text)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "~"
	}
	dir, err := os.Getwd()
	if err != nil {
		return a, err
	}
	here := Reading{Home: home, Dir: dir}
	return pipelines.ParseAlias(here.project(old), here.project(now))
}

func checkAlias(text string, now time.Time) error {
	if err := checkText(text, now); err != nil {
		return err
	}
	_, err := readAlias(text)
	return err
}

// alias makes the paths of an alias absolute.
func (r Reading) alias(text string) string {
	old, now, _ := splitAlias(text)
	return r.project(old) + "=" + r.project(now)
}

// project makes the path of a project absolute. A URI, and the path of another system, stay.
func (r Reading) project(name string) string {
	if name == "" || strings.Contains(name, "://") || strings.HasPrefix(name, `\\`) || len(name) > 1 && name[1] == ':' {
		return name
	}
	return filepath.ToSlash(r.absolute(name))
}
