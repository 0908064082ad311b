// Package yeartest writes a year of one developer as it would be found in a home: the stores of the editor, chats of
// the command line, plans, the projects' repositories, and beside them the files in which Cursor tells what it counted.
//
// What happens is planned by storetest, and clitest writes the chats. Both say what a warehouse must hold of it, so
// this package decides nothing that a figure depends on.
package yeartest

import (
	"cmp"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"pipeline/testdata/gen/storetest"
)

// Places of a year, below its folder.
const (
	User  = "User"    // user directory of the editor
	Usage = "usage"   // what Cursor counted
	Dot   = ".cursor" // home of the command line, and the plans
	Src   = "src"     // projects
)

// Options say what year to write.
type Options struct {
	Seed     uint64
	Messages int
	Until    time.Time
	Root     string // the folder of the projects as stores name it; "": that of the year
}

// Plan plans the year that Write writes into a folder. The projects' folders are in it, so their names have its path.
func Plan(dir string, o Options) (*storetest.Year, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root := cmp.Or(o.Root, filepath.ToSlash(filepath.Join(dir, Src)))
	return storetest.NewYear(storetest.YearOptions{Seed: o.Seed, Messages: o.Messages, Until: o.Until, Root: root}), nil
}

// Write writes a year into a folder.
func Write(dir string, o Options) error {
	year, err := Plan(dir, o)
	if err != nil {
		return err
	}
	err = errors.Join(year.Write(filepath.Join(dir, User)), year.WriteUsage(filepath.Join(dir, Usage)),
		Home(year).Write(filepath.Join(dir, Dot)))
	for _, p := range year.Plans {
		err = errors.Join(err, storetest.WritePlan(filepath.Join(dir, Dot, "plans"), p.PlanFile, time.UnixMilli(p.At)))
	}
	commits := map[string][]storetest.Commit{}
	for _, c := range year.Commits {
		commits[c.Project] = append(commits[c.Project], c)
	}
	var scored []scoredCommit
	for _, project := range slices.Sorted(maps.Keys(commits)) {
		all, writeErr := writeRepository(filepath.Join(dir, Src, project), commits[project])
		scored, err = append(scored, all...), errors.Join(err, writeErr)
	}
	return errors.Join(err, writeTracking(filepath.Join(dir, Dot, "ai-tracking", "ai-code-tracking.db"), year, scored))
}
