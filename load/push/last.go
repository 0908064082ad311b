package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
)

// Last is what is known here of the pushes to one store, without asking it.
type Last struct {
	Target  string     `json:"target"` // as it was named: s3://BUCKET[/PREFIX], or a folder
	At      *time.Time `json:"at"`     // of the last push that had nothing more to do; nil: none yet
	Seq     int64      `json:"seq"`    // number of the last commit
	Machine string     `json:"machine"`
	Level   string     `json:"level"`
	Units   int        `json:"units"`           // that the machine has there
	Failed  *time.Time `json:"failed"`          // when the push after it failed; nil: it did not
	Error   string     `json:"error,omitempty"` // why
}

// lastName is the file of a Last, beside the copies of the commits.
const lastName = "last.json"

// Lasts are the pushes of a warehouse by their stores, the latest first.
func Lasts(warehouse string) (out []Last, err error) {
	folders, err := os.ReadDir(Dir(warehouse))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for the last push: %w", err)
	}
	for _, folder := range folders {
		if last := readLast(filepath.Join(Dir(warehouse), folder.Name())); last.Target != "" {
			out = append(out, last)
		}
	}
	slices.SortFunc(out, func(a, b Last) int { return b.latest().Compare(a.latest()) })
	return out, nil
}

// latest is when the last push was tried.
func (l Last) latest() (at time.Time) {
	for _, t := range []*time.Time{l.At, l.Failed} {
		if t != nil && t.After(at) {
			at = *t
		}
	}
	return at
}

// readLast reads what is known of a store. It is empty if nothing is, or if the file is damaged: the next push writes
// it.
func readLast(folder string) (last Last) {
	text, err := outpath.Read(filepath.Join(folder, lastName), outpath.SmallFile)
	if err != nil || json.Unmarshal(text, &last) != nil {
		return Last{}
	}
	return last
}

// keepLast notes how a push ended.
func (p *pusher) keepLast(failed error) error {
	if p.cache == "" || p.o.DryRun || errors.Is(failed, context.Canceled) {
		return nil
	}
	last := readLast(p.cache)
	last.Target, last.Machine = p.o.Store.String(), p.id.Machine
	if failed != nil {
		last.Failed, last.Error = &p.o.Now, failed.Error()
	} else {
		last.At, last.Level, last.Units, last.Failed, last.Error = &p.o.Now, p.o.Level, p.out.Known, nil, ""
		last.Seq = max(last.Seq, p.out.Seq)
	}
	text, err := json.MarshalIndent(last, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Replace(filepath.Join(p.cache, lastName), append(text, '\n'))
}
