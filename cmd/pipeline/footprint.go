package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/hooks"
	"pipeline/cmd/pipeline/internal/runlog"
	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/outpath"
	"pipeline/load/push"
	"pipeline/load/rawlog"
	"pipeline/load/search"
	"pipeline/load/sinks"
	"pipeline/load/warehouse"
	"pipeline/pipelines/file"
	"pipeline/sql/schema"
)

// This file finds what the program has put on this machine: for 'pipeline places', which lists it, and 'pipeline
// uninstall', which removes it.

// What uninstall does with a place.
const (
	whenAsked = "data"   // it is removed only with --data: it cannot be made again
	always    = "made"   // it is removed: this program has made it, and can make it again
	never     = "yours"  // it stays: a person has made it, or it is the program itself
	taken     = "edited" // a file of another program, in which this program has lines: they are taken out
)

// lockKind is the place of the lock that a run holds.
const lockKind = "lock"

// A location is where something of this program is, or would be.
type location struct {
	Kind  string   `json:"kind"` // what it is, in a word or two
	Path  string   `json:"path"`
	There bool     `json:"there"`
	Bytes int64    `json:"bytes"`
	Files []string `json:"files"` // what is there: files, and folders that are removed as a whole
	Group string   `json:"group"` // what uninstall does with it: data, made, yours or edited
	Note  string   `json:"note"`  // what else is to be known of it; "" for nothing

	target *sinks.Target // of a publication
	timer  string        // name of a timer
}

// placesOf are all places, for a warehouse, whether or not something is there.
func placesOf(c *cli.Context, path string) ([]location, error) {
	out := warehousePlaces(path)
	data, state := filepath.Join(xdg.DataHome, "pipeline"), filepath.Join(xdg.StateHome, "pipeline")
	out = append(out,
		filesPlace("log of hooks", hookFolder(), whenAsked, hookLogs()...),
		filesPlace("machine id", filepath.Join(data, "machine-id"), whenAsked, filepath.Join(data, "machine-id")),
		filesPlace("log", filepath.Join(state, "pipeline.log"), always, logsIn(state)...))
	lib, err := library()
	if err != nil {
		return nil, err
	}
	own, _ := filepath.Glob(filepath.Join(lib.Folder, "*.y*ml")) // a missing folder has none
	out = append(out, filesPlace("pipelines", lib.Folder, never, own...))
	published, err := publicationPlaces(c)
	if err != nil {
		return nil, err
	}
	return slices.Concat(out, published, timerPlaces(), helperPlaces(c), outsidePlaces()), nil
}

// warehousePlaces are the warehouse and what is beside it.
func warehousePlaces(path string) []location {
	index := search.Path(path)
	var earlier []string // copies that were made before the tables were brought up to date
	for v := range schema.Version {
		copies := catalog.Copies(path, int64(v+1))
		earlier = append(earlier, copies[:len(copies)-1]...) // the last name is free
	}
	return []location{
		filesPlace("warehouse", path, whenAsked, append([]string{path, engine.LogOf(path)}, earlier...)...),
		rawPlace(rawlog.Dir(path)),
		filesPlace("notes of pushes", push.Dir(path), whenAsked, pushNotes(push.Dir(path))...),
		filesPlace("notes of runs", runlog.Path(path), always, runlog.Path(path), runlog.Path(path)+".1"),
		filesPlace("search index", index, always, index, index+"-wal", index+"-journal", index+".lock"),
		filesPlace(lockKind, path+".lock", always, append([]string{path + ".lock"}, warehouse.NewFiles(path)...)...),
	}
}

// globbed is a path as a pattern that matches only it.
func globbed(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

// filesPlace is a place with the files that are there of some.
func filesPlace(kind, path, group string, files ...string) location {
	p := location{Kind: kind, Path: path, Group: group, Files: []string{}}
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil {
			p.There, p.Bytes, p.Files = true, p.Bytes+info.Size(), append(p.Files, file)
		}
	}
	return p
}

// pushNote matches the names of these files.
var pushNote = regexp.MustCompile(`^(lock|attempt|last\.json|(hashes-[0-9a-f]+|[0-9]+)\.parquet)$`)

// pushNotes are the files that pushes keep beside a warehouse.
func pushNotes(dir string) (files []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // what cannot be looked at stays
		if err == nil && d.Type().IsRegular() && pushNote.MatchString(d.Name()) {
			files = append(files, path)
		}
		return nil
	})
	return files
}

func sizeBelow(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // what cannot be looked at is not counted
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}

// rawPlace is the raw layer. It may be a link to another disk.
func rawPlace(dir string) location {
	p := location{Kind: "raw layer", Path: dir, Group: whenAsked, Files: []string{}}
	if _, err := os.Stat(dir); err != nil {
		return p
	}
	p.There = true
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		p.Note = "a link to " + real
		dir = real
	}
	p.Bytes = sizeBelow(dir)
	files, _ := filepath.Glob(filepath.Join(globbed(dir), "*", "*.parquet"))
	p.Files = append(p.Files, files...)
	return p
}

// hookLogs are what the hooks have written down.
func hookLogs() []string {
	files, _ := filepath.Glob(filepath.Join(globbed(hookFolder()), "turns*.jsonl"))
	return files
}

// logName matches the names of logs: of runs, of runs before the log was rotated, of timers.
var logName = regexp.MustCompile(`^(pipeline(-[0-9T.-]+)?\.log|schedule-[A-Za-z0-9_.-]+\.log(\.1)?)$`)

// logsIn are the log of runs in the state folder, its older parts, and the logs of timers.
func logsIn(state string) (files []string) {
	entries, _ := os.ReadDir(state) // a missing folder has none
	for _, e := range entries {
		if logName.MatchString(e.Name()) {
			files = append(files, filepath.Join(state, e.Name()))
		}
	}
	return files
}

// publicationPlaces are the folders that pipelines, variables and flags name for publications.
func publicationPlaces(c *cli.Context) (out []location, err error) {
	run, err := flagsOf(c, false)
	if err != nil {
		return nil, err
	}
	targets := run.Options.Publish
	lib, err := library()
	if err != nil {
		return nil, err
	}
	all, err := lib.List()
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if l.Err != nil {
			continue
		}
		for _, s := range sinks.All() {
			for _, dir := range publicationOf(l.Pipeline, s.About().Name) {
				targets = append(targets, sinks.Target{Sink: s, Dir: dir})
			}
		}
	}
	seen := map[string]bool{}
	for _, t := range targets {
		if seen[t.Dir] {
			continue
		}
		seen[t.Dir] = true
		p := location{Kind: t.Sink.About().Title, Path: t.Dir, Group: always, Files: []string{}, target: &t}
		made, err := t.Made()
		if err != nil {
			p.Note = err.Error()
		}
		p.There, p.Bytes, p.Files = len(made.Publications) > 0, made.Bytes, append(p.Files, made.Publications...)
		if len(made.Foreign) > 0 {
			p.Note = "stays, as it is not ours: " + strings.Join(made.Foreign, ", ")
		}
		out = append(out, p)
	}
	return out, nil
}

// publicationOf are the folders in which a pipeline publishes with a sink: where it does now, and where it did before.
func publicationOf(p *file.Pipeline, sink string) []string {
	return append(slices.Clone(valuesOf(p, sink)), p.Values[sink]...)
}

// timerPlaces are the timers of 'pipeline schedule'.
func timerPlaces() (out []location) {
	system := schedule.For(runtime.GOOS, schedulePlace())
	if system == nil {
		return nil
	}
	for _, name := range schedule.Names(system) {
		undo := system.Undo(name)
		p := filesPlace("timer "+name, undo.Files[0], always, undo.Files...)
		p.timer = name
		for _, file := range undo.Files {
			if found, err := schedule.Look(file); err == nil && found == schedule.Altered {
				p.Group, p.Note = never, "changed by hand: pipeline schedule remove --force"+nameArg(name)
			}
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		out = append(out, location{Kind: "timer", Path: system.Undo("nightly").Files[0], Group: always, Files: []string{}})
	}
	return out
}

// helperPlaces are the manual page and the completions that people copy by install.md. One that is not as this program prints it is not ours to remove.
func helperPlaces(c *cli.Context) (out []location) {
	config, data := xdg.ConfigHome, xdg.DataHome
	for _, h := range []struct{ kind, path, text string }{
		{"manual page", filepath.Join(data, "man", "man1", "pipeline.1"), manPage(c.App, thisBuild())},
		{"completion", filepath.Join(data, "bash-completion", "completions", "pipeline"), completions["bash"]},
		{"completion", filepath.Join(config, "fish", "completions", "pipeline.fish"), completions["fish"]},
	} {
		p := filesPlace(h.kind, h.path, always, h.path)
		if text, err := outpath.Read(h.path, outpath.SmallFile); err == nil && string(text) != h.text {
			p.Group, p.Note = never, "not as this version prints it"
		}
		if p.There {
			out = append(out, p)
		}
	}
	return out
}

// outsidePlaces are files of other programs that name this one, and this program.
func outsidePlaces() (out []location) {
	if text, err := outpath.Read(hooksFile(), outpath.SmallFile); err == nil {
		if _, n, err := hooks.Remove(text); err == nil && n > 0 {
			p := filesPlace("hooks of Cursor", hooksFile(), taken, hooksFile())
			p.Note = "only the lines of this program"
			out = append(out, p)
		}
	}
	for _, file := range []string{filepath.Join(xdg.Home, ".cursor", "mcp.json"), filepath.Join(xdg.Home, ".claude.json")} {
		if text, err := outpath.Read(file, 256<<20); err == nil && strings.Contains(string(text), `"pipeline"`) {
			p := filesPlace("MCP client", file, never, file)
			p.Note = `names a server "pipeline": take it out yourself`
			out = append(out, p)
		}
	}
	if program, err := programPath(); err == nil {
		p := filesPlace("program", program, never, program)
		p.Note = "remove it as you have installed it"
		out = append(out, p)
	}
	return out
}

// notThere reports that a file or folder is gone already.
func notThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
