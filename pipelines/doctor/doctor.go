// Package doctor looks at everything that a run needs, and reports problems. It is a list of probes; each of them looks
// at one thing.
//
// It takes no lock, and writes only private temporary files. It knows what may be wrong and what to do about it. It
// must never know how a run is done, and it repairs nothing.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"pipeline/extract"
	"pipeline/load/figures"
	"pipeline/load/inspect"
	"pipeline/pipelines"
)

// A Checkup says what to look at before a run.
type Checkup struct {
	pipelines.Options
	NotFound []error  // errors for sources that were asked for and are not in Options
	Looked   []string // where Cursor was looked for
	NoPlan   bool     // do not read the stores' indexes to say what a run would do
}

// Diagnosis is everything that was found.
type Diagnosis struct {
	Verdict   Verdict       `json:"verdict"`
	Findings  []Finding     `json:"findings"`
	Sources   []SourceLook  `json:"sources"`
	Editor    EditorLook    `json:"editor"`
	Scratch   ScratchLook   `json:"scratch"`
	Warehouse WarehouseLook `json:"warehouse"`
	Plan      *Plan         `json:"plan"` // nil: not asked for
}

// A Finding is the result of looking at one thing, as a sentence.
type Finding struct {
	Topic   string  `json:"topic"` // one of the topics
	Level   Level   `json:"level"`
	Verdict Verdict `json:"verdict,omitempty"` // only for a problem
	Text    string  `json:"text"`
	Remedy  string  `json:"remedy,omitempty"` // what to do
}

// Level says how serious a finding is.
type Level string

// The levels of findings.
const (
	LevelOK      Level = "ok"
	LevelNote    Level = "note" // good to know; a run works all the same
	LevelProblem Level = "problem"
)

// Topics of findings, in the order in which they are printed.
const (
	topicSources   = "sources"
	topicEditor    = "editor"
	topicScratch   = "scratch"
	topicWarehouse = "warehouse"
	topicPlan      = "plan"
)

// Verdict says what keeps a run from working.
type Verdict string

// The verdicts. If there are several problems, the first verdict here counts.
const (
	VerdictSource  Verdict = "source" // a source is missing or cannot be read
	VerdictBusy    Verdict = "busy"   // something is in use: a later run will work
	VerdictProblem Verdict = "problem"
	VerdictWell    Verdict = "well"
)

// SourceLook describes a source and its stores.
type SourceLook struct {
	Name    string      `json:"name"`
	UserDir string      `json:"user_dir"`
	OS      string      `json:"os"`
	App     string      `json:"app"`
	Folders int         `json:"workspaces"`
	Stores  []StoreLook `json:"stores"`
	Error   string      `json:"error,omitempty"` // why a part of it could not be listed

	err error
}

// StoreLook describes a store, and how it would be read now.
type StoreLook struct {
	Store string `json:"store"`
	extract.StoreLook
	OpenIn []extract.Process `json:"open_in"` // other processes that have it open; null: unknown
	Error  string            `json:"error,omitempty"`
}

// EditorLook says whether Cursor is running on this machine.
type EditorLook struct {
	Running   *bool             `json:"running"` // null: unknown
	Processes []extract.Process `json:"processes"`
}

// ScratchLook describes the folder for private copies of stores.
type ScratchLook struct {
	Folder  string `json:"folder"`
	Free    int64  `json:"free_bytes"`
	Largest int64  `json:"largest_store_bytes"`
	Needed  int64  `json:"needed_bytes"` // size of the largest store that would be copied
	Clones  *bool  `json:"clones"`       // whether every store can be cloned; null: unknown

	err error
}

// WarehouseLook describes a warehouse, seen from outside.
type WarehouseLook struct {
	*inspect.Look
	Free   int64             `json:"free_bytes"`
	OpenIn []extract.Process `json:"open_in"` // other processes that have it open; null: unknown
	Error  string            `json:"error,omitempty"`
}

// Plan is what a plain run would do.
type Plan struct {
	Conversations pipelines.ConversationCount `json:"conversations"`
	Reasons       map[string]int64            `json:"reasons"`
	LeftOut       int64                       `json:"conversations_left_out"`
	Bytes         int64                       `json:"bytes_to_read"`
	Failures      []figures.CheckFailure      `json:"check_failures"`
	Skipped       string                      `json:"skipped,omitempty"` // why no plan was made
	Error         string                      `json:"error,omitempty"`   // why the run would fail

	err    error
	failed map[string]*extract.StoreError // by path
	errs   []error                        // errors that concern no store
}

// A probe looks at one thing that a run needs, and reports on it. All probes look before the first one reports: a dry
// run learns more about a store than a look.
type probe struct {
	topic string
	look  func(e *exam, ctx context.Context) error // an error ends the examination; a problem of the thing is no error
	tell  func(e *exam)
}

// probes lists all probes, in the order in which they look and report.
func probes() []probe {
	return []probe{
		{topicSources, (*exam).lookAtSources, (*exam).tellSources},
		{topicEditor, (*exam).lookForEditor, (*exam).tellEditor},
		{topicScratch, (*exam).lookAtScratch, (*exam).tellScratch},
		{topicWarehouse, (*exam).lookAtWarehouse, (*exam).tellWarehouse},
		{topicPlan, (*exam).lookAhead, (*exam).tellPlan},
	}
}

// exam is one examination.
type exam struct {
	*Diagnosis
	asked Checkup
	topic string // topic of the probe that reports now
}

// Examine looks at everything that a run needs: the stores, the editor, scratch space, the warehouse, and, unless told
// not to, what a run would do. It takes no lock, and writes only private temporary files.
func Examine(ctx context.Context, c Checkup) (*Diagnosis, error) {
	extract.SweepScratch()
	if c.Now == nil {
		c.Now = time.Now
	}
	e := &exam{Diagnosis: &Diagnosis{Findings: []Finding{}, Sources: []SourceLook{}}, asked: c}
	for _, p := range probes() {
		if err := p.look(e, ctx); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil { // findings after an interrupt may be wrong
		return nil, err
	}
	for _, p := range probes() {
		e.topic = p.topic
		p.tell(e)
	}
	e.Verdict = e.worst()
	return e.Diagnosis, nil
}

func (e *exam) add(f Finding) {
	f.Topic = e.topic
	e.Findings = append(e.Findings, f)
}

func (e *exam) ok(format string, args ...any) {
	e.add(Finding{Level: LevelOK, Text: fmt.Sprintf(format, args...)})
}

func (e *exam) note(remedy, format string, args ...any) {
	e.add(Finding{Level: LevelNote, Text: fmt.Sprintf(format, args...), Remedy: remedy})
}

func (e *exam) problem(v Verdict, remedy, format string, args ...any) {
	e.add(Finding{Level: LevelProblem, Verdict: v, Text: fmt.Sprintf(format, args...), Remedy: remedy})
}

// worst is the verdict of all findings.
func (d *Diagnosis) worst() Verdict {
	if first := d.First(); first != nil {
		return first.Verdict
	}
	return VerdictWell
}

// First is the problem to solve first; nil if there is none.
func (d *Diagnosis) First() *Finding {
	for _, v := range []Verdict{VerdictSource, VerdictBusy, VerdictProblem} {
		for i := range d.Findings {
			if d.Findings[i].Verdict == v {
				return &d.Findings[i]
			}
		}
	}
	return nil
}

// Count is the number of findings of a level.
func (d *Diagnosis) Count(level Level) (n int) {
	for _, f := range d.Findings {
		if f.Level == level {
			n++
		}
	}
	return n
}

func size(bytes int64) string { return humanize.Bytes(uint64(max(0, bytes))) }

func plural(n int, one, many string) string {
	return humanize.Comma(int64(n)) + " " + english.PluralWord(n, one, many)
}
