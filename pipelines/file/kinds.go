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
	"unicode"

	"github.com/dustin/go-humanize"
	"github.com/xhit/go-str2duration/v2"

	"pipeline/load/objects"
	"pipeline/load/push"
	"pipeline/pipelines"
)

// This file defines the kinds of values of settings.

// When the command after a run is run.
const (
	NotifyAlways  = "always"
	NotifyFailure = "failure"
	NotifyChange  = "change" // the exit code differs from that of the run before
)

// LogNone is the value for no log, in place of a file.
const LogNone = "none"

// A Shape is the YAML form of a value.
type Shape int

// Shapes of values. A Group has no value of its own, but keys below it.
const (
	Text Shape = iota
	Path
	List
	Bool
	Group
)

// A form describes what may be written after a key of a file.
type form struct {
	Shape   Shape
	wants   string                                 // what the error asks for
	number  bool                                   // a bare number is accepted, too
	pattern string                                 // for the JSON schema: it matches every accepted text
	oneOf   []string                               // the accepted words, instead of a pattern
	check   func(text string, now time.Time) error // additional check for a file, where no shell expands the text
	place   func(r Reading, text string) string    // returns the text with its path made absolute
}

// A kind is a kind of value: its form, and how its text is parsed, in a file and in a flag.
type kind[T any] struct {
	form
	read func(string) (T, error)
}

// A value is a kind, and the field of a Run that it sets.
type value struct {
	form
	set func(*Run, string) error
}

// to is a value that sets a field.
func (k kind[T]) to(field func(*Run) *T) value {
	return value{k.form, func(r *Run, text string) error {
		v, err := k.read(text)
		if err == nil {
			*field(r) = v
		}
		return err
	}}
}

// list is a value that appends to a list; an empty text adds nothing.
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

// inFile is a value that sets no field of a Run.
func (k kind[T]) inFile() value { return k.to(func(*Run) *T { return new(T) }) }

// Placed is a text of a value with its paths made absolute.
func (v value) Placed(text string, r Reading) string {
	if v.place == nil {
		return text
	}
	return v.place(r, text)
}

// orNone is the kind that also accepts an empty text, for none.
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

// Kinds of values. The path of a source may have a name before it, and that of a log may be the word none.
var (
	group    = value{form: form{Shape: Group}}
	yesKind  = kind[bool]{form{Shape: Bool, wants: "true or false, without quotes"}, strconv.ParseBool}
	nameKind = kind[string]{form{check: checkName,
		wants:   "a name: write letters, digits, '.', '_' or '-', in quotes where they look like a number",
		pattern: namePattern}, asIs}
	textKind = kind[string]{form{check: checkText, wants: "a text: put it in quotes"}, asIs}
	pathKind = kind[string]{form{Shape: Path, check: checkPath, place: Reading.absolute,
		wants: "a path: write it as text, in quotes where it looks like a number"}, asIs}
	logKind = kind[string]{form{Shape: Path, check: checkPath, place: Reading.log,
		wants: "a path, or none: write it as text, in quotes where it looks like a number"}, asIs}

	pushKind = kind[string]{form{Shape: Path, check: checkTarget, place: Reading.target,
		wants: "s3://BUCKET, or a folder: write it as text"}, asIs}
	serverKind = kind[string]{form{check: checkEndpoint, wants: "https://HOST[:PORT]: put it in quotes"}, asIs}
	jitterKind = kind[time.Duration]{form{wants: "a duration of at most 24h: write 10m or 1h",
		pattern: durationPattern}, readJitter}
	levelKind = oneOf(push.Levels, push.Levels)

	sourceKind = kind[string]{form{check: checkPath, place: Reading.source,
		wants: "a path, or NAME=PATH: write it as text, in quotes where it looks like a number"}, asIs}
	aliasKind = kind[pipelines.Alias]{form{check: checkAlias, place: Reading.alias,
		wants: "OLD=NEW, two paths or URIs of projects: write it as text"}, readAlias}
	projectKind = kind[string]{form{check: checkProject,
		wants: "a project: write its URI, path or name, in quotes where it looks like a number"}, asIs}
	momentKind = kind[string]{form{check: checkTime,
		wants: "a time: write 7d, 36h, yesterday, last-run, 2026-03-01 or 2026-03-01T09:00:00Z"}, readMoment}
	cronKind = kind[string]{form{check: checkCron, wants: "a schedule: " + cronForm}, asIs}
	zoneKind = kind[string]{form{check: checkZone, wants: "the name of a time zone, such as Europe/Berlin or UTC"},
		asIs}

	durationKind = kind[time.Duration]{form{wants: "a duration: write 30m, 1h or 45m30s", pattern: durationPattern},
		ParseLength}
	keepKind = kind[time.Duration]{form{wants: "a duration: write 1h, 7d or 0", number: true, pattern: keepPattern},
		readKeep}
	retryKind = kind[time.Duration]{form{wants: "a duration: write 30m, 2h or 0", number: true,
		pattern: keepPattern}, readRetry}
	sizeKind = kind[int64]{form{wants: "a size: write 512MB or 2GB", pattern: sizePattern}, readMemory}
	pingKind = kind[*url.URL]{form{wants: "a URL: put it in quotes", pattern: pingPattern}, readPing}

	whenKind = oneOf([]string{NotifyAlways, NotifyFailure, NotifyChange},
		[]string{NotifyAlways, NotifyFailure, NotifyChange})
)

func asIs(text string) (string, error) { return text, nil }

// oneOf is a kind that accepts some words, each for a value.
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

// readLength parses a duration. examples are named in the error.
func readLength(text string, least time.Duration, examples string) (time.Duration, error) {
	d, err := str2duration.ParseDuration(text)
	if err != nil || d < least {
		return 0, usage("%q is not a duration; write %s", text, examples)
	}
	return d, nil
}

// ParseLength parses a duration above 0.
func ParseLength(text string) (time.Duration, error) { return readLength(text, 1, "30m, 1h or 45m30s") }

// readRetry parses the time for which a busy run is tried again; 0: not at all.
func readRetry(text string) (time.Duration, error) { return readLength(text, 0, "30m, 2h or 0") }

// readKeep parses how long a publication is kept, for Options: below 0 means not at all, since 0 is the default there.
func readKeep(text string) (time.Duration, error) {
	d, err := readLength(text, 0, "1h, 7d or 0")
	if err == nil && d == 0 {
		d = -1
	}
	return d, err
}

// readMemory parses the memory of a run, in bytes.
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

// readMoment checks a time and returns it as text: it is computed when the run begins.
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

// checkPath refuses a path that would not mean what its author expects: no shell expands a path in a file.
func checkPath(text string, now time.Time) error {
	if err := checkText(text, now); err != nil {
		return err
	}
	_, place := splitSource(text)
	switch {
	case strings.HasPrefix(place, "$") || strings.Contains(place, "${") ||
		regexp.MustCompile(`^%\w+%`).MatchString(place):
		return fmt.Errorf("%q: environment variables are not expanded; write the folder itself, ~/ for your home", text)
	case strings.HasPrefix(place, "~") && place != "~" && !strings.HasPrefix(place, "~/"):
		return fmt.Errorf("%q: only your own home has a short form, ~/; write the folder itself", text)
	}
	return nil
}

// checkTarget refuses a store that is none.
func checkTarget(text string, now time.Time) error {
	if strings.Contains(text, "://") && !strings.HasPrefix(text, "s3://") && !strings.HasPrefix(text, "file://") {
		// a URL may have a password
		return errors.New("write s3://BUCKET, s3://BUCKET/PREFIX or a folder; another server than Amazon's is named " +
			"by push.endpoint")
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("%q has a line end or another control character, which no store has in its name", text)
	}
	return checkPath(text, now)
}

// checkEndpoint refuses what is no server's URL.
func checkEndpoint(text string, now time.Time) error {
	if err := checkText(text, now); err != nil {
		return err
	}
	return objects.CheckEndpoint(text)
}

// mostJitter is the longest delay of a schedule: what waits longer begins with the next day's.
const mostJitter = 24 * time.Hour

func readJitter(text string) (time.Duration, error) {
	d, err := ParseLength(text)
	if err == nil && d > mostJitter {
		return 0, usage("%q is too long for a delay: write at most 24h", text)
	}
	return d, err
}

// splitSource separates the name of a source from its path.
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
		return fmt.Errorf("%q is no glob: * and ? stand for letters, and a [ needs its ]; write \\[ for the sign "+
			"itself", text)
	}
	return nil
}

// inData begins a path below the folder of the default warehouse.
const inData = "data:"

// absolute makes a path of a file absolute. It may begin with ~/ or data:, or be relative to the file's folder.
func (r Reading) absolute(place string) string {
	if rest, ok := strings.CutPrefix(place, inData); ok && r.Data != "" {
		return filepath.Join(r.Data, rest)
	}
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

func (r Reading) target(text string) string {
	if strings.Contains(text, "://") {
		return text
	}
	return r.absolute(text)
}

func (r Reading) source(text string) string {
	name, place := splitSource(text)
	if name == "" || exists(r.absolute(text)) { // a folder with a = in its name
		return r.absolute(text)
	}
	return name + "=" + r.absolute(place)
}
