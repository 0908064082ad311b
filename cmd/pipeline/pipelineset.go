package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/pipelines/file"
)

// A pipelineSet has the pipelines that are served, by the present content of their files.
type pipelineSet struct {
	c      *cli.Context
	names  []string // names from the command line; none: the user's own pipelines
	watch  bool
	jitter *time.Duration // overrides the files

	listed   bool                      // the pipelines have been read since the files had this stamp
	stamp    string                    // of the files at the last look; "" if there are none
	sourced  time.Time                 // when sources were last looked for
	served   []serve.Pipeline          // sorted by name
	last     map[string]serve.Pipeline // the last valid version of each pipeline
	problems map[string]bool           // errors that have been reported
}

// sourcesEvery is how often new stores are looked for.
const sourcesEvery = time.Minute

// open reads all pipelines for the first time. Pipelines that were named must exist.
func (s *pipelineSet) open() error {
	s.problems = map[string]bool{}
	lib, err := library()
	if err != nil {
		return err
	}
	for i, name := range s.names {
		p, err := lib.Find(name)
		if err != nil {
			return err
		}
		if err := s.checkRuns(p); err != nil {
			return err
		}
		if file.IsFile(name) {
			if s.names[i], err = filepath.Abs(name); err != nil {
				return err
			}
		}
	}
	_, problems := s.look()
	if len(s.served) == 0 {
		return s.nothingToServe(problems)
	}
	for _, err := range problems {
		fmt.Fprintln(s.c.App.ErrWriter, "warning: "+term.PrintableLines(err.Error()))
	}
	var names []string
	for _, p := range s.served {
		if slices.Contains(names, p.Name) {
			return usage("two of the pipelines are called %q: give one of them another name", p.Name)
		}
		names = append(names, p.Name)
	}
	return nil
}

// nothingToServe is the error if no pipeline would be served: such a server would wait forever, and look as if all were
// well.
func (s *pipelineSet) nothingToServe(problems []error) error {
	none := errors.New("there is no pipeline to serve: fix the problems above, or name one: pipeline serve nightly")
	if len(problems) == 0 {
		none = usage("there is no pipeline to serve; name one: pipeline serve nightly")
	}
	return errors.Join(append(problems, none)...)
}

// checkRuns returns an error if a pipeline would never run.
func (s *pipelineSet) checkRuns(p *file.Pipeline) error {
	switch {
	case p.Schedule != nil || s.watch && !p.Full():
		return nil
	case s.watch:
		return usage("%s has no schedule, and a change starts no run that loads everything (full): add the key "+
			"schedule to it", p.Name)
	}
	return usage("%s has no schedule, and would never run: add the key schedule to it, or --watch", p.Name)
}

// look returns the pipelines, read again if a file has changed, and the new errors. A pipeline that can no longer be
// read stays as it was.
func (s *pipelineSet) look() ([]serve.Pipeline, []error) {
	lib, err := library()
	if err != nil {
		return s.served, s.untold(err)
	}
	stamp, now := s.filesStamp(lib), time.Now()
	if stamp != s.stamp {
		s.stamp, s.listed, s.problems = stamp, false, map[string]bool{}
	}
	if s.listed && (!s.watch || now.Sub(s.sourced).Abs() < sourcesEvery) {
		return s.served, nil
	}
	all, err := s.list(lib)
	if err != nil { // the next look tries again
		return s.served, s.untold(err)
	}
	s.listed, s.sourced = true, now
	var errs []error
	var out []serve.Pipeline
	for _, l := range all {
		p, err := s.servedAs(l)
		if before, ok := s.last[l.Name]; err != nil && ok {
			errs, p = append(errs, fmt.Errorf("%w\n%s is still served as before", err, l.Name)), before
		} else if err != nil {
			errs = append(errs, fmt.Errorf("%w\n%s is not served until that is fixed", err, l.Name))
			continue
		}
		s.last[l.Name] = p
		out = append(out, p)
	}
	for _, p := range s.served {
		if !slices.ContainsFunc(out, func(o serve.Pipeline) bool { return o.Arg == p.Arg }) {
			delete(s.last, p.Arg)
			errs = append(errs, fmt.Errorf("%s is not served any more: its file is gone, or has no schedule", p.Name))
		}
	}
	s.served = out
	return slices.Clone(out), s.untold(errs...)
}

// untold returns the errors that have not been reported since the files changed.
func (s *pipelineSet) untold(errs ...error) (out []error) {
	for _, err := range errs {
		if !s.problems[err.Error()] {
			s.problems[err.Error()] = true
			out = append(out, err)
		}
	}
	return out
}

// filesStamp changes when a file is written, added or removed.
func (s *pipelineSet) filesStamp(lib file.Library) string {
	// the pattern is valid, and a missing folder has no files
	files, _ := filepath.Glob(filepath.Join(globQuoted(lib.Folder), "*.y*ml"))
	files = append(files, s.names...)
	var b strings.Builder
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintln(&b, file, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// globQuoted quotes the special characters of a glob.
func globQuoted(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// list returns the pipelines to serve, and the errors of those that cannot be read.
func (s *pipelineSet) list(lib file.Library) ([]file.Listed, error) {
	if len(s.names) > 0 {
		var out []file.Listed
		for _, name := range s.names {
			p, err := lib.Find(name)
			out = append(out, file.Listed{Name: name, Pipeline: p, Err: err})
		}
		return out, nil
	}
	all, err := lib.List()
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(slices.Clone(all), func(l file.Listed) bool {
		return l.Err == nil && (l.Pipeline.Shipped || l.Pipeline.Schedule == nil)
	})
	if slices.ContainsFunc(own, func(l file.Listed) bool { return l.Err == nil || s.last[l.Name].Name != "" }) {
		return own, nil
	}
	nightly, err := lib.Find("nightly")
	if err != nil { // a broken pipeline of the user's own is in own already
		return own, nil
	}
	return append(own, file.Listed{Name: "nightly", Pipeline: nightly}), nil
}

// servedAs makes the served form of a pipeline. Its warehouse and sources are those that 'pipeline run' would use.
func (s *pipelineSet) servedAs(l file.Listed) (serve.Pipeline, error) {
	p := l.Pipeline
	if l.Err != nil {
		return serve.Pipeline{}, l.Err
	}
	if err := s.checkRuns(p); err != nil {
		return serve.Pipeline{}, err
	}
	out := serve.Pipeline{Name: p.Name, Description: p.Description, Arg: l.Name, Watched: s.watch && !p.Full()}
	if p.Schedule != nil {
		out.Schedule, out.When = p.Schedule, strings.TrimSpace(p.Schedule.Cron+" "+p.Schedule.Timezone)
		if p.Schedule.Jitter != "" {
			d, err := file.ParseLength(p.Schedule.Jitter)
			if err != nil {
				return out, err
			}
			out.Jitter = d
		}
	}
	if s.jitter != nil {
		out.Jitter = *s.jitter
	}
	var found []extract.Source
	var err error
	if out.Warehouse, found, err = whatRunFinds(s.c.Context, l.Name, out.Watched); err != nil {
		return out, fmt.Errorf("%s: %w", l.Name, err)
	}
	for _, source := range found {
		out.Stores, out.Folders = append(out.Stores, storesOf(source)...), append(out.Folders, foldersOf(source)...)
	}
	return out, nil
}

// summary is the text that is printed at the start.
func (s *pipelineSet) summary(at string) string {
	now := time.Now()
	var b strings.Builder
	b.WriteString(at)
	for _, p := range s.served {
		fmt.Fprintf(&b, "\n  %-14s ", p.Name)
		var when []string
		if p.Schedule != nil {
			when = append(when, nextStart(p, now))
		}
		if p.Watched {
			when = append(when, fmt.Sprintf("when one of %s changes", term.Plural(len(p.Stores), "store")))
		}
		b.WriteString(strings.Join(when, "; "))
	}
	return b.String()
}

// nextStart describes a pipeline's schedule.
func nextStart(p serve.Pipeline, now time.Time) string {
	next, err := p.Schedule.Next(now)
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%s; next %s", p.When, next.Format("Mon 2006-01-02 15:04 MST"))
	if p.Jitter > 0 {
		text += fmt.Sprintf(" and up to %s more", p.Jitter)
	}
	return text
}

// whatRunFinds returns the warehouse that 'pipeline run NAME' would write, and what it would read, by the default
// flags, the environment and the file. A missing source is looked for again in a minute, and the run reports it.
func whatRunFinds(ctx context.Context, name string, withSources bool) (warehouse string, found []extract.Source,
	err error) {
	app := newApp(io.Discard, io.Discard)
	app.Command("run").Action = func(c *cli.Context) error {
		p, err := namedPipeline(c)
		if err != nil {
			return err
		}
		needed := slices.DeleteFunc(choices(c, p), func(ch choice) bool {
			return !slices.Contains([]string{"warehouse", "sources", "user-data-dir"}, ch.Key)
		})
		run, err := runOf(needed, false)
		if warehouse = run.Options.Warehouse; err == nil && withSources {
			found, _, _ = sources(run)
		}
		return err
	}
	return warehouse, found, app.RunContext(context.WithoutCancel(ctx), []string{"pipeline", "run", name})
}

// storesOf lists the SQLite files of a source.
func storesOf(s extract.Source) (out []string) {
	for _, path := range append([]string{s.Global, s.Tracking}, workspaceStores(s)...) {
		if path != "" {
			out = append(out, path)
		}
	}
	return out
}

func workspaceStores(s extract.Source) (out []string) {
	for _, w := range s.Workspaces {
		out = append(out, w.DB)
	}
	return out
}

// foldersOf lists the folders in which new stores of a source appear.
func foldersOf(s extract.Source) []string {
	if s.App == extract.AppFile {
		return nil
	}
	out := map[string]bool{s.UserDir: true, filepath.Join(s.UserDir, "workspaceStorage"): true}
	for _, w := range s.Workspaces {
		out[w.Dir] = true // its store may be made later
	}
	return slices.Sorted(maps.Keys(out))
}
