// Package usage reads files that say what Cursor has counted and billed (docs/formats.md, Usage exports and hooks):
// exports of the dashboard, events of its API, logs of hooks, and what the command line prints.
//
// What is in a file is told from its content, never from its name. Nothing is fatal: what cannot be read is named in
// File.Problems, and the rest is read. The package is pure: the same bytes give the same events. It keeps no address
// and no name of a person, not even in a problem: a hash with a key tells persons apart.
package usage

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Where an event is from.
const (
	CSV    = "csv"    // an export of the dashboard
	API    = "api"    // JSON of the dashboard or of the Admin API
	Hook   = "hook"   // a log of hooks
	Stream = "stream" // output of the command line
)

// File is what a file says.
type File struct {
	Form     string    // CSV, API, Hook, Stream: of the first thing that was known; "" if nothing was
	Events   []Event   // by line
	Problems []Problem // what could not be read, the first 1,000

	MoreProblems int64 // problems beyond those in Problems
	// columns and fields that no reader knows, and how often: column.NAME, event.NAME, tokenUsage.NAME, page.NAME,
	// hook.NAME, usage.NAME
	Unknown map[string]int64
}

// Event is one request, or one turn, that was counted. A nil is not recorded: it is not zero. As JSON it is a row of
// the raw layer.
type Event struct {
	// ID is the same for the same event in every file of its origin: 32 hex digits. Two exports that overlap give the
	// same ids, and one may say more of an event than the other.
	ID     string `json:"-"`
	Line   int    `json:"line"`   // where it begins in the file, from 1
	Origin string `json:"origin"` // CSV, API, Hook, Stream

	OccurredAt *int64 `json:"occurredAt,omitempty"` // milliseconds since 1970, UTC. nil only for hooks and streams
	Model      string `json:"model,omitempty"`      // as recorded
	// as recorded: CSV "Included", API USAGE_EVENT_KIND_..., the status of a hook's stop, the subtype of a stream's
	// result
	Kind           string `json:"kind,omitempty"`
	ConversationID string `json:"conversationId,omitempty"` // "" if none is recorded, as in CSV
	// of the turn: a hook's generation_id without its suffix, a stream's request_id
	RequestID    string `json:"requestId,omitempty"`
	CloudAgentID string `json:"cloudAgentId,omitempty"` // bc-...
	Person       string `json:"person,omitempty"`       // keyed hash of who asked; "" if none is recorded

	// input that is neither read from the cache nor written to it. Of a hook without a split: the whole input
	FreshInputTokens *int64 `json:"freshInput,omitempty"`
	CacheWriteTokens *int64 `json:"cacheWrite,omitempty"`
	CacheReadTokens  *int64 `json:"cacheRead,omitempty"`
	OutputTokens     *int64 `json:"output,omitempty"`
	TotalTokens      *int64 `json:"total,omitempty"` // as recorded: an export may have no other count
	// what the tokens are worth, in US cents, whether paid or included in the plan: column "Cost" of a CSV, totalCents
	// of the API
	CostCents *float64 `json:"costCents,omitempty"`
	// what was charged, in US cents, as recorded: column "Cost to you" of a CSV, chargedCents of the API. Events that
	// the plan includes may have it, too
	ChargedCents *float64 `json:"chargedCents,omitempty"`

	IsHeadless *bool `json:"isHeadless,omitempty"` // asked without an editor
	MaxMode    *bool `json:"maxMode,omitempty"`
	IsCounted  bool  `json:"isCounted"` // false for an event that failed and cost nothing
}

// Problem is something that could not be read: a line, or one value of it. It has none of the file's text: a row may
// name a person.
type Problem struct {
	// Reason is bad_line (no JSON, no CSV, or nothing that is known), bad_number, bad_date, total_differs (the row's
	// own total is not the sum of its counts; the event stays), too_large (a line or a value beyond the limit),
	// too_deep, too_many (the file ends here for this reader), or unknown_form (the whole file is none of those that
	// are known).
	Reason string `json:"reason"`
	Line   int    `json:"line"`            // from 1
	Field  string `json:"field,omitempty"` // name of the column or field, "" if it is the whole line
}

// Reasons of problems.
const (
	badLine      = "bad_line"
	badNumber    = "bad_number"
	badDate      = "bad_date"
	totalDiffers = "total_differs"
	tooLarge     = "too_large"
	tooDeep      = "too_deep"
	tooMany      = "too_many"
	unknownForm  = "unknown_form"
)

// Options bound what one file may cost. A limit of 0 is the one given here.
type Options struct {
	Line   int    // bytes of a line, or of an event: 16 MiB
	Events int    // 1,000,000
	Depth  int    // of JSON in JSON: 100
	Key    []byte // of the hashes of persons
}

const (
	maxProblems = 1000
	maxNames    = 200 // names in Unknown; those beyond are counted as (other)
	maxName     = 80  // bytes of a name
)

// reader reads one file.
type reader struct {
	*File
	limits   Options
	seen     map[string]int     // how often events with the same key were read
	turns    map[string]turn    // events by what names their turn
	sessions map[string]session // of streams
	answers  map[string]Event   // of hooks: the last by its conversation
	nested   int                // pages and arrays around what is read
	full     bool               // there are too many events
}

// Parse reads a file. It does not change the bytes, and what it returns does not refer to them.
func Parse(text []byte, limits Options) *File {
	if limits.Line == 0 {
		limits.Line = 16 << 20
	}
	if limits.Events == 0 {
		limits.Events = 1_000_000
	}
	if limits.Depth == 0 {
		limits.Depth = 100
	}
	r := &reader{File: &File{}, limits: limits, seen: map[string]int{}, turns: map[string]turn{},
		sessions: map[string]session{}, answers: map[string]Event{}}
	r.read(asUTF8(text))
	slices.SortStableFunc(r.Events, func(a, b Event) int { return a.Line - b.Line })
	return r.File
}

// read tells what the file is, and reads it.
func (r *reader) read(text []byte) {
	begin := bytes.TrimLeft(text, " \t\r\n")
	comma, isTable := separator(begin)
	switch {
	case len(begin) == 0:
	case isTable:
		r.csv(text, comma)
	case isHookLog(begin):
		r.hookLog(text)
	case byLine(text):
		r.jsonLines(text)
	case begin[0] == '{' || begin[0] == '[':
		r.jsonValues(text)
	}
	other := func(p Problem) bool { return p.Reason != badLine }
	if r.Form == "" && len(begin) > 0 && !slices.ContainsFunc(r.Problems, other) {
		r.MoreProblems = 0
		r.Problems = []Problem{{unknownForm, 1 + bytes.Count(text[:len(text)-len(begin)], []byte("\n")), ""}}
	}
}

// asUTF8 is a text in UTF-8 without a byte order mark. Windows PowerShell writes UTF-16 where a text is redirected to a
// file: the mark says so, else the zeros of its first letter.
func asUTF8(text []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}) || len(text) > 1 && text[0] != 0 && text[1] == 0:
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}) || len(text) > 1 && text[0] == 0 && text[1] != 0:
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(text, []byte("\uFEFF"))
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\uFEFF"))
}

// refused names the values of a line that could not be read.
func (r *reader) refused(v *values, line int) {
	for _, p := range v.bad {
		r.problem(p.Reason, line, p.Field)
	}
}

// problem names something that could not be read.
func (r *reader) problem(reason string, line int, field string) {
	if len(r.Problems) == maxProblems {
		r.MoreProblems++
		return
	}
	r.Problems = append(r.Problems, Problem{reason, line, shortName(field)})
}

// is says what the file is. The first word holds.
func (r *reader) is(form string) {
	if r.Form == "" {
		r.Form = form
	}
}

// unknown counts a column or a field that is left out. A name that may be an address is not kept.
func (r *reader) unknown(what, name string) {
	name = what + "." + shortName(name)
	if r.Unknown == nil {
		r.Unknown = map[string]int64{}
	}
	if _, ok := r.Unknown[name]; !ok && (len(r.Unknown) >= maxNames || strings.Contains(name, "@")) {
		name = "(other)"
	}
	r.Unknown[name]++
}

// shortName is a name that is not too long. It is a copy, and ends between two characters.
func shortName(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if len(name) > maxName {
		cut := maxName
		for !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut]
	}
	return strings.Clone(name)
}
