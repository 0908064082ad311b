// Package transcript reads the transcripts that Cursor's agent writes beside its stores (docs/formats.md, Transcripts).
//
// A transcript has what was said and which tools were called. It has no ids of messages, no models, no tokens, and no
// times but the one in a prompt's tag; only the older files, of text or of one array, have results of tools. So it
// stands in where no store has the conversation.
//
// Nothing in a transcript is fatal: what cannot be read is named in Transcript.Problems, and the rest is read. The
// package is pure: the same bytes give the same transcript.
package transcript

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Form is how a transcript is written.
type Form int

// The forms of transcripts.
const (
	JSONL Form = iota // an object on each line
	Text              // .txt of 2025: speakers at the beginning of lines, in one of two ways
	Array             // .json of early 2026: one array
)

// Transcript is what a file says. Every text is valid UTF-8: other bytes have become U+FFFD. U+0000 stays, and so do
// escapes in JSON.
type Transcript struct {
	Messages []Message // in order
	Ends     []End     // in order; only JSONL has them
	Problems []Problem // what could not be read, the first 1,000

	MoreProblems int64 // problems beyond those in Problems
	// how often something of a type was seen that no reader knows: line.TYPE, part.TYPE. It was left out
	UnknownTypes map[string]int64
	ResultLines  int64 // lines, or elements, that have results of tools and nothing else: they are no messages
}

// Message is what the user or the agent said. In JSONL it is one line.
type Message struct {
	Line int    // number of its first line in the file, from 1; blank lines count, too. Of an array, its element's
	Role string // user, assistant; another role as stored
	Text string // text parts, joined by line ends. Of a user: what the user wrote
	// time of the tag around a prompt, in milliseconds since 1970, UTC: exact to a minute. nil if there is none
	TaggedAt *int64
	Thinking string     // thoughts, joined by line ends
	Calls    []ToolCall // in order
	Notice   bool       // no person wrote it: it says that a task in the background ended
	Ended    string     // status of the end of a turn that is a part of the message; "" for none
}

// ID is the message's id in the warehouse: # and the number of its line. A transcript that is continued keeps the lines
// that it has.
func (m Message) ID() string { return "#" + strconv.Itoa(m.Line) }

// ToolCall is a call of a tool.
type ToolCall struct {
	ID   string // "" if none is recorded
	Name string // as the model called it, such as Read
	// valid JSON; nil for none. A text file has texts only: an object of them, or a string if they have no names
	Args   json.RawMessage
	Result *string // what the tool answered. nil if it is not recorded, as nearly always in JSONL

	IsError *bool // whether the tool failed; nil if it is not recorded
}

// End is the end of a turn, or an error.
type End struct {
	Line   int    // like Message.Line
	Status string // success, error, aborted; "" for none
	Error  string // text of the error; JSON if it is no text
}

// Problem is something that could not be read.
type Problem struct {
	// Reason is bad_line (no JSON, JSON without a meaning, or a text before the first speaker) or too_large: a line
	// beyond the limit was left out, or the file has too many messages, and ends for this reader with the line.
	Reason string
	Line   int    // like Message.Line
	Begin  string // what the line begins with
}

// Limits bound what one transcript may cost. A limit of 0 is the one given here.
type Limits struct {
	Line     int // bytes of a line: 16 MiB
	Messages int // messages and ends: 1,000,000
}

const (
	maxProblems = 1000
	maxTypes    = 200 // names in UnknownTypes; those beyond are counted as (other)
	maxBegin    = 80  // bytes of Problem.Begin
)

// Reasons of problems.
const (
	badLine  = "bad_line"
	tooLarge = "too_large"
)

// reader reads one transcript.
type reader struct {
	*Transcript
	limits Limits
	calls  map[string]place // by id; of two with one id the last counts
}

// Parse reads a transcript. It does not change the bytes, and what it returns does not refer to them.
func Parse(text []byte, form Form, limits Limits) *Transcript {
	if limits.Line == 0 {
		limits.Line = 16 << 20
	}
	if limits.Messages == 0 {
		limits.Messages = 1_000_000
	}
	r := &reader{&Transcript{}, limits, map[string]place{}}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	switch form {
	case Text:
		r.text(text)
	case Array:
		r.array(text)
	default:
		r.jsonl(text)
	}
	return r.Transcript
}

// lines are the lines of a file by their numbers, without their ends. One that is too large is named and empty.
func (r *reader) lines(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for n := 1; len(text) > 0; n++ {
			var line []byte
			line, text, _ = bytes.Cut(text, []byte("\n"))
			line = bytes.TrimSuffix(line, []byte("\r"))
			if len(line) > r.limits.Line {
				r.problem(tooLarge, n, line)
				line = nil
			}
			if !yield(n, line) {
				return
			}
		}
	}
}

// full reports whether there is no room for another message, and names the line that is left out with all behind it.
func (r *reader) full(line int, begin []byte) bool {
	if len(r.Messages)+len(r.Ends) < r.limits.Messages {
		return false
	}
	r.problem(tooLarge, line, begin)
	return true
}

// problem names something that could not be read.
func (r *reader) problem(reason string, line int, text []byte) {
	if len(r.Problems) == maxProblems {
		r.MoreProblems++
		return
	}
	r.Problems = append(r.Problems, Problem{reason, line, begin(text)})
}

// unknown counts something that is left out.
func (r *reader) unknown(what, name string) {
	name = what + "." + begin([]byte(name))
	if r.UnknownTypes == nil {
		r.UnknownTypes = map[string]int64{}
	}
	if _, ok := r.UnknownTypes[name]; !ok && len(r.UnknownTypes) >= maxTypes {
		name = "(other)"
	}
	r.UnknownTypes[name]++
}

// begin is the beginning of a text. It ends between two characters.
func begin(text []byte) string {
	if len(text) > maxBegin {
		text = text[:maxBegin]
		for cut := 1; cut < utf8.UTFMax; cut++ {
			if at := len(text) - cut; utf8.RuneStart(text[at]) {
				if !utf8.FullRune(text[at:]) {
					text = text[:at]
				}
				break
			}
		}
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}
