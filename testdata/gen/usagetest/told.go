// Package usagetest writes usage exports, logs of hooks and output of the command line, and says what a reader must
// find in them. It shares no code with the reader.
package usagetest

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
)

// Told is what a reader must find in one event.
type Told struct {
	Origin                     string
	Line                       int
	At                         int64  // 0 for none
	Model, Kind, Person        string // the person as the file names them
	Conversation, Request, Bc  string
	Fresh, Write, Read, Output int64  // none for not recorded
	Total                      int64  // of an event of which no other count is recorded; 0 for none
	Cost, Charged              int64  // millionths of a dollar; none for not recorded
	Headless, Max              string // true, false, "" for not recorded
	FailedAndFree              bool
}

// None is a count or an amount that is not recorded.
const None = -1 << 62

// String writes an event on one line, as tests write what the reader found.
func (e Told) String() string {
	at := "-"
	if e.At != 0 {
		at = strconv.FormatInt(e.At, 10)
	}
	total := ""
	if e.Total != 0 {
		total = " total=" + tokens(e.Total)
	}
	return fmt.Sprintf("event %d %s at=%s model=%q kind=%q conversation=%q request=%q cloud=%q person=%q fresh=%s "+
		"write=%s read=%s output=%s%s cost=%s charged=%s headless=%s max=%s counted=%t",
		e.Line, e.Origin, at, e.Model, e.Kind, e.Conversation, e.Request, e.Bc, hashOf(e.Person), tokens(e.Fresh),
		tokens(e.Write), tokens(e.Read), tokens(e.Output), total, cents(e.Cost), cents(e.Charged), flag(e.Headless),
		flag(e.Max), !e.FailedAndFree)
}

// Key is the key of the hashes that tell persons apart.
var Key = []byte("a key of the tests")

// hashOf is how a reader with that key tells a person from others: the same for each way to write the name.
func hashOf(name string) string {
	if name == "" {
		return ""
	}
	h := hmac.New(sha256.New, Key)
	h.Write([]byte(strings.ToLower(name)))
	return fmt.Sprintf("%x", h.Sum(nil))[:32]
}

func tokens(n int64) string {
	if n == None {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

// cents are cents with up to four digits behind the point, of millionths of a dollar.
func cents(n int64) string {
	if n == None {
		return "-"
	}
	s := fmt.Sprintf("%d.%04d", n/10_000, n%10_000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// dollars are dollars with up to six digits behind the point.
func dollars(n int64) string {
	s := fmt.Sprintf("%d.%06d", n/1_000_000, n%1_000_000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func flag(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// file is a file that is being written.
type file struct {
	strings.Builder
	line int // number of the line that is written next
}

func newFile() *file { return &file{line: 1} }

// add writes a text.
func (f *file) add(s string) {
	f.WriteString(s)
	f.line += strings.Count(s, "\n")
}

// api is an event of a page with one count.
func api(line int, fresh int64) string {
	return told("api", line, func(e *Told) {
		e.At, e.Model, e.Fresh, e.Write, e.Read, e.Output = july, "m", fresh, 0, 0,
			0
	})
}

// hooked is an event of a hook with the counts of a recording.
func hooked(line int, set func(*Told)) string {
	return told("hook", line, func(e *Told) {
		e.Model, e.Conversation, e.Request = "composer-2.5", "c1", "be67193a-ff4d-4e19-852c-bdd92ebf448d"
		e.Fresh, e.Read, e.Write, e.Output = 25758-16563, 16563, 0, 26
		set(e)
	})
}
