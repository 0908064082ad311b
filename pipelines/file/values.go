package file

import (
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/extract"

	"pipeline/pipelines"
)

// This file says what the text of a value may be, for flags and for files.

// ParseLength reads a length of time of more than nothing.
func ParseLength(text string) (time.Duration, error) {
	d, err := str2duration.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, usage("%q is no duration; write 30m, 1h or 45m30s", text)
	}
	return d, nil
}

// ParseKeep reads how long a publication is kept, as Options have it: less than 0 for not at all.
func ParseKeep(text string) (time.Duration, error) {
	keep, err := str2duration.ParseDuration(text)
	switch {
	case err == nil && keep == 0:
		return -1, nil // Options take 0 for the default
	case err != nil || keep < 0:
		return 0, usage("%q is no duration; write 1h, 7d or 0", text)
	}
	return keep, nil
}

// ParseRetry reads how long a run that was busy is tried again; 0: not at all.
func ParseRetry(text string) (time.Duration, error) {
	d, err := str2duration.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, usage("%q is no duration; write 30m, 2h or 0", text)
	}
	return d, nil
}

// When the command at the end of a run is run.
const (
	NotifyAlways  = "always"
	NotifyFailure = "failure"
	NotifyChange  = "change" // the exit code is another than that of the run before
)

// LogNone stands in the place of a file where there is to be no log.
const LogNone = "none"

func notifyWhen() []string { return []string{NotifyAlways, NotifyFailure, NotifyChange} }

// ParseNotifyWhen reads one of these words.
func ParseNotifyWhen(text string) (string, error) {
	if !slices.Contains(notifyWhen(), text) {
		return "", usage("%q is none of %s", text, strings.Join(notifyWhen(), ", "))
	}
	return text, nil
}

// ParseMemory reads how many bytes a run may take.
func ParseMemory(text string) (int64, error) {
	size, err := humanize.ParseBytes(text)
	if err != nil || size > math.MaxInt64 {
		return 0, usage("%q is no size; write 512MB or 2GB", text)
	}
	if size < pipelines.MinMemory {
		return 0, usage("%s is too little: a run needs %s", text, humanize.Bytes(pipelines.MinMemory))
	}
	return int64(size), nil
}

// rawLevels are the words for extract.RawLevel, in its order.
func rawLevels() []string { return []string{"tables", "all", "none"} }

// ParseRaw reads which rows every version is kept of.
func ParseRaw(text string) (extract.RawLevel, error) {
	i := slices.Index(rawLevels(), text)
	if i < 0 {
		return 0, usage("%q is none of %s", text, strings.Join(rawLevels(), ", "))
	}
	return []extract.RawLevel{extract.RawTables, extract.RawAll, extract.RawNone}[i], nil
}

// A kind is what the text of a value may be.
type kind struct {
	check   func(text string, now time.Time) error
	wants   string   // what is asked for where something else stands
	number  bool     // a bare number is one too
	pattern string   // what a JSON schema can say of it: every text that check takes matches
	oneOf   []string // or these
}

const (
	namePattern     = `^[A-Za-z0-9_][A-Za-z0-9._-]*$`
	durationPattern = `^\+?([0-9]*\.?[0-9]*(ns|us|µs|μs|ms|s|m|h|d|w))+$`
	keepPattern     = `^[-+]?(0|([0-9]*\.?[0-9]*(ns|us|µs|μs|ms|s|m|h|d|w))+)$`
	pingPattern     = `^[hH][tT][tT][pP][sS]?://[^/?#]`
	sizePattern     = `^[0-9.,]+ *([kKmMgGtTpPeE][iI]?)?[bB]? *$`
)

// kindOf is the kind that a key names.
func kindOf(name string) kind {
	switch name {
	case "name":
		return kind{check: checkName, wants: "a name: write letters, digits, '.', '_' or '-', in quotes where they look like a number", pattern: namePattern}
	case "text":
		return kind{check: checkText, wants: "a text: put it in quotes"}
	case "source":
		return kind{check: checkPath, wants: "a path, or NAME=PATH: write it as text, in quotes where it looks like a number"}
	case "path":
		return kind{check: checkPath, wants: "a path: write it as text, in quotes where it looks like a number"}
	case "time":
		return kind{check: checkTime, wants: "a time: write 7d, 36h, yesterday, last-run, 2026-03-01 or 2026-03-01T09:00:00Z"}
	case "project":
		return kind{check: checkProject, wants: "a project: write its URI, path or name, in quotes where it looks like a number"}
	case "keep":
		return kind{check: checked(ParseKeep), wants: "a duration: write 1h, 7d or 0", number: true, pattern: keepPattern}
	case "duration":
		return kind{check: checked(ParseLength), wants: "a duration: write 30m, 1h or 45m30s", pattern: durationPattern}
	case "size":
		return kind{check: checked(ParseMemory), wants: "a size: write 512MB or 2GB", pattern: sizePattern}
	case "raw":
		return kind{check: checked(ParseRaw), wants: "one of " + strings.Join(rawLevels(), ", "), oneOf: rawLevels()}
	case "retry":
		return kind{check: checked(ParseRetry), wants: "a duration: write 30m, 2h or 0", number: true, pattern: keepPattern}
	case "ping":
		return kind{check: checkPing, wants: "a URL: put it in quotes", pattern: pingPattern}
	case "when":
		return kind{check: checked(ParseNotifyWhen), wants: "one of " + strings.Join(notifyWhen(), ", "), oneOf: notifyWhen()}
	case "log":
		return kind{check: checkPath, wants: "a path, or none: write it as text, in quotes where it looks like a number"}
	case "cron":
		return kind{check: checkCron, wants: "a schedule: " + cronForm}
	case "zone":
		return kind{check: checkZone, wants: "the name of a time zone, such as Europe/Berlin or UTC"}
	}
	panic("pipelines: no kind " + name) // a slip in the declaration, which every test meets
}

// checked makes a check of what reads a value.
func checked[T any](parse func(string) (T, error)) func(string, time.Time) error {
	return func(text string, _ time.Time) error {
		_, err := parse(text)
		return err
	}
}

func checkName(text string, _ time.Time) error {
	if !regexp.MustCompile(namePattern).MatchString(text) {
		return fmt.Errorf("%q is no name; write letters, digits, '.', '_' or '-'", text)
	}
	return nil
}

func checkText(text string, _ time.Time) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("is empty: write something, or leave the key out")
	}
	return nil
}

// checkPath reports a path that would not be what its writer means: a file says where things are, without a shell.
func checkPath(text string, now time.Time) error {
	if err := checkText(text, now); err != nil {
		return err
	}
	_, place := splitSource(text)
	switch {
	case strings.HasPrefix(place, "$") || strings.Contains(place, "${") || regexp.MustCompile(`^%\w+%`).MatchString(place):
		return fmt.Errorf("%q: environment variables are not expanded; write the folder itself, ~/ for your home", text)
	case strings.HasPrefix(place, "~") && place != "~" && !strings.HasPrefix(place, "~/"):
		return fmt.Errorf("%q: only your own home has a short form, ~/; write the folder itself", text)
	}
	return nil
}

// splitSource parts the name of a source from its path.
func splitSource(text string) (name, place string) {
	before, after, ok := strings.Cut(text, "=")
	if ok && regexp.MustCompile(namePattern).MatchString(before) {
		return before, after
	}
	return "", text
}

func checkTime(text string, now time.Time) error {
	_, err := ParseTime(text, now, &now)
	return err
}

func checkProject(text string, now time.Time) error {
	if err := checkText(text, now); err != nil {
		return err
	}
	if _, err := path.Match(text, ""); err != nil {
		return fmt.Errorf("%q is no glob: * and ? stand for letters, and a [ needs its ]; write \\[ for the sign itself", text)
	}
	return nil
}
