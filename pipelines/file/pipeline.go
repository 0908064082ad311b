// Package file has what can be said of a run: the one declaration of all settings, and pipelines, which are runs that are written down as YAML.
//
// It knows the settings: their keys, flags and variables, what may be written as their values, and what is wrong with a file. It never knows how a run
// is done, nor how a command line is read.
package file

import (
	"embed"
	"slices"
	"time"
)

// A Pipeline is a run that is written down: a YAML file says when it runs, what it reads, and where it puts it.
type Pipeline struct {
	Name        string
	Description string
	Schedule    *Schedule           // nil: it runs when somebody runs it
	Values      map[string][]string // of each key that the file has, by its path, as the flag takes them; paths are absolute

	File    string         // where it was read; "" for one that is shipped
	Shipped bool           // it is part of the program
	Lines   map[string]int // the line of each key that the file has, from 1; a key below another by its path
	Text    string         // the file as it is
}

// A Schedule is when a pipeline runs, as the keys below schedule say it.
type Schedule struct{ Cron, Timezone, Jitter string }

// Full reports a pipeline that loads every conversation, changed or not.
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

// Next are the next n times that the pipeline runs, in the time zone of its schedule; none without a schedule.
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
