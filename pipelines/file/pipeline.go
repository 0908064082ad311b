// Package file has the settings of a run, in one declaration, and pipelines: YAML files with such settings.
//
// It knows the keys, flags and variables of the settings, their values, and the errors in a file. It must never know
// how a run is done, or how a command line is parsed.
package file

import (
	"embed"
	"slices"
	"time"
)

// A Pipeline is a run that is described by a YAML file: when it runs, what it reads, and where it writes.
type Pipeline struct {
	Name        string
	Description string
	Schedule    *Schedule           // nil: it runs only when somebody starts it
	Values      map[string][]string // values by key, in the form of the flags; paths are absolute

	File    string         // path of the file; "" for a shipped pipeline
	Shipped bool           // it is part of the program
	Lines   map[string]int // line of each key in the file, from 1; a nested key by its path
	Text    string         // text of the file
}

// A Schedule has the values of the keys below schedule.
type Schedule struct{ Cron, Timezone, Jitter string }

// Full reports whether the pipeline loads every conversation, changed or not.
func (p *Pipeline) Full() bool { return slices.Contains(p.Values["full"], "true") }

// value is the value of a key; "" for none.
func (p *Pipeline) value(key string) string {
	if v := p.Values[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// shipped are the pipelines that every copy of the program has.
//
//go:embed *.yaml
var shipped embed.FS

// Next returns the next n start times of the pipeline, in the time zone of its schedule; none without a schedule.
func (p *Pipeline) Next(now time.Time, n int) ([]time.Time, error) {
	if p.Schedule == nil {
		return nil, nil
	}
	times, err := p.Schedule.times()
	if err != nil {
		return nil, err
	}
	var out []time.Time
	for range n {
		if now = times.Next(now); now.IsZero() {
			break
		}
		out = append(out, now)
	}
	return out, nil
}
