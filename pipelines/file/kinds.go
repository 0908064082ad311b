package file

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/extract"
	"pipeline/pipelines"
)

// This file says what the value of a setting may be.

// When the command at the end of a run is run.
const (
	NotifyAlways  = "always"
	NotifyFailure = "failure"
	NotifyChange  = "change" // the exit code is another than that of the run before
)

// LogNone stands in the place of a file where there is to be no log.
const LogNone = "none"

// A Shape is how a value is written.
type Shape int

// Shapes of values. A Group has no value: other keys are below it.
const (
	Text Shape = iota
	Path
	List
	Bool
	Group
)

// A form is what may be written after a key of a file.
type form struct {
	Shape   Shape
	wants   string                                 // what is asked for where something else is written
	number  bool                                   // a bare number is one too
	pattern string                                 // what a JSON schema can say of it: every text that is taken matches
	oneOf   []string                               // or these
	check   func(text string, now time.Time) error // what a file asks of it, where nothing is expanded by a shell
	place   func(r Reading, text string) string    // the text with its path made absolute
}

// A kind is what a value may be: its form, and how its text is read. The text of a flag is read by it too.
type kind[T any] struct {
	form
	read func(string) (T, error)
}

// A value is a kind, and where in a Run the value goes.
type value struct {
	form
	set func(*Run, string) error
}

// to is a value that goes to a field.
func (k kind[T]) to(field func(*Run) *T) value {
	return value{k.form, func(r *Run, text string) error {
		v, err := k.read(text)
		if err == nil {
			*field(r) = v
		}
		return err
	}}
}

// list is a value that goes to a list; an empty text is none.
func (k kind[T]) list(field func(*Run) *[]T) value {
	k.Shape = List
	return value{k.form, func(r *Run, text string) error {
		v, err := k.read(text)
		if err == nil && text != "" {
			*field(r) = append(*field(r), v)
		}
		return err
	}}
}

// inFile is a value that only the file's reader needs.
func (k kind[T]) inFile() value { return k.to(func(*Run) *T { return new(T) }) }

// orNone is the kind of what is none where the text is empty.
func (k kind[T]) orNone() kind[T] {
	read := k.read
	k.read = func(text string) (none T, _ error) {
		if text == "" {
			return none, nil
		}
		return read(text)
	}
	return k
}

const (
	namePattern     = `^[A-Za-z0-9_][A-Za-z0-9._-]*$`
	durationPattern = `^\+?([0-9]*\.?[0-9]*(ns|us|µs|μs|ms|s|m|h|d|w))+$`
	keepPattern     = `^[-+]?(0|([0-9]*\.?[0-9]*(ns|us|µs|μs|ms|s|m|h|d|w))+)$`
	pingPattern     = `^[hH][tT][tT][pP][sS]?://[^/?#]`
	sizePattern     = `^[0-9.,]+ *([kKmMgGtTpPeE][iI]?)?[bB]? *$`
)

// Kinds of values. The path of a source and that of a log are paths with a word more.
var (
	group    = value{form: form{Shape: Group}}
	yesKind  = kind[bool]{form{Shape: Bool, wants: "true or false, without quotes"}, strconv.ParseBool}
	nameKind = kind[string]{form{check: checkName, wants: "a name: write letters, digits, '.', '_' or '-', in quotes where they look like a number", pattern: namePattern}, asIs}
	textKind = kind[string]{form{check: checkText, wants: "a text: put it in quotes"}, asIs}
	pathKind = kind[string]{form{Shape: Path, check: checkPath, place: Reading.absolute, wants: "a path: write it as text, in quotes where it looks like a number"}, asIs}
	logKind  = kind[string]{form{Shape: Path, check: checkPath, place: Reading.log, wants: "a path, or none: write it as text, in quotes where it looks like a number"}, asIs}

	sourceKind  = kind[string]{form{check: checkPath, place: Reading.source, wants: "a path, or NAME=PATH: write it as text, in quotes where it looks like a number"}, asIs}
	projectKind = kind[string]{form{check: checkProject, wants: "a project: write its URI, path or name, in quotes where it looks like a number"}, asIs}
	momentKind  = kind[string]{form{check: checkTime, wants: "a time: write 7d, 36h, yesterday, last-run, 2026-03-01 or 2026-03-01T09:00:00Z"}, readMoment}
	cronKind    = kind[string]{form{check: checkCron, wants: "a schedule: " + cronForm}, asIs}
	zoneKind    = kind[string]{form{check: checkZone, wants: "the name of a time zone, such as Europe/Berlin or UTC"}, asIs}

	durationKind = kind[time.Duration]{form{wants: "a duration: write 30m, 1h or 45m30s", pattern: durationPattern}, ParseLength}
	keepKind     = kind[time.Duration]{form{wants: "a duration: write 1h, 7d or 0", number: true, pattern: keepPattern}, readKeep}
	retryKind    = kind[time.Duration]{form{wants: "a duration: write 30m, 2h or 0", number: true, pattern: keepPattern}, readRetry}
	sizeKind     = kind[int64]{form{wants: "a size: write 512MB or 2GB", pattern: sizePattern}, readMemory}
	pingKind     = kind[*url.URL]{form{wants: "a URL: put it in quotes", pattern: pingPattern}, readPing}

	rawKind  = oneOf([]string{"tables", "all", "none"}, []extract.RawLevel{extract.RawTables, extract.RawAll, extract.RawNone})
	whenKind = oneOf([]string{NotifyAlways, NotifyFailure, NotifyChange}, []string{NotifyAlways, NotifyFailure, NotifyChange})
)

func asIs(text string) (string, error) { return text, nil }

// oneOf is the kind of one of some words, each with its value.
func oneOf[T any](words []string, values []T) kind[T] {
	all := strings.Join(words, ", ")
	return kind[T]{form{wants: "one of " + all, oneOf: words}, func(text string) (v T, err error) {
		i := slices.Index(words, text)
		if i < 0 {
			return v, usage("%q is none of %s", text, all)
		}
		return values[i], nil
	}}
}

// readLength reads a length of time; examples are what else could be written.
func readLength(text string, least time.Duration, examples string) (time.Duration, error) {
	d, err := str2duration.ParseDuration(text)
	if err != nil || d < least {
		return 0, usage("%q is no duration; write %s", text, examples)
	}
	return d, nil
}

// ParseLength reads a length of time of more than nothing.
func ParseLength(text string) (time.Duration, error) { return readLength(text, 1, "30m, 1h or 45m30s") }

// readRetry reads how long a run that was busy is tried again; 0: not at all.
func readRetry(text string) (time.Duration, error) { return readLength(text, 0, "30m, 2h or 0") }

// readKeep reads how long a publication is kept, as Options have it: less than 0 for not at all, since 0 is the default there.
func readKeep(text string) (time.Duration, error) {
	d, err := readLength(text, 0, "1h, 7d or 0")
	if err == nil && d == 0 {
		d = -1
	}
	return d, err
}

// readMemory reads how many bytes a run may take.
func readMemory(text string) (int64, error) {
	size, err := humanize.ParseBytes(text)
	switch {
	case err != nil || size > math.MaxInt64:
		return 0, usage("%q is no size; write 512MB or 2GB", text)
	case size < pipelines.MinMemory:
		return 0, usage("%s is too little: a run needs %s", text, humanize.Bytes(pipelines.MinMemory))
	}
	return int64(size), nil
}

// readMoment leaves a time as it is: what it means is known when the run begins.
func readMoment(text string) (string, error) {
	if text == "" {
		return "", usage("needs a time: 7d, yesterday, 2026-03-01")
	}
	return text, nil
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

// absolute is a path of a file, which may begin with ~/ or be seen from the file's folder.
func (r Reading) absolute(place string) string {
	if rest, ok := strings.CutPrefix(place, "~"); ok && (rest == "" || rest[0] == '/') {
		return filepath.Join(r.Home, rest)
	}
	if filepath.IsAbs(place) {
		return filepath.Clean(place)
	}
	return filepath.Join(r.Dir, place)
}

func (r Reading) log(place string) string {
	if place == LogNone {
		return place
	}
	return r.absolute(place)
}

func (r Reading) source(text string) string {
	name, place := splitSource(text)
	if name == "" || exists(r.absolute(text)) { // a folder with a = in its name
		return r.absolute(text)
	}
	return name + "=" + r.absolute(place)
}
