package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/sinks"
	"pipeline/pipelines/file"
)

// This file has what the commands that publish share.

// folderFlags are flags for the folder of each sink, for a command that reads publications.
func folderFlags(usage string) (flags []cli.Flag) {
	for _, s := range sinks.All() {
		flags = append(flags, settingFlagAs(s.About().Name, strings.ReplaceAll(usage, "%s", s.About().Title), ""))
	}
	return flags
}

// targets are the folders in which a run publishes. Two sinks must not have the same folder: they would replace each
// other's publications.
func targets(run *file.Run) (out []sinks.Target, err error) {
	taken := map[string]string{}
	for _, t := range run.Targets {
		name := t.Sink.About().Name
		if t.Dir, err = publicationFolder(t.Dir); err != nil {
			return nil, err
		}
		if t.Dir == "" {
			continue
		}
		if other := taken[t.Dir]; other != "" {
			return nil, usage("--%s and --%s name the same folder, %s: choose another for one of them", other, name,
				t.Dir)
		}
		taken[t.Dir] = name
		out = append(out, t)
	}
	return out, nil
}

// publicationFolder is the given folder of publications; "" for none.
func publicationFolder(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, sinks.CheckFolder(dir)
}

// publishedLine describes a publication in one line.
func publishedLine(dir string, p *sinks.Published) string {
	line := term.Printable(sinks.CurrentName(dir))
	if p.Unchanged {
		return fmt.Sprintf("%s, %s, was there already", line, term.Plural(int64(p.Files), "file"))
	}
	line += fmt.Sprintf(", %s of %s, %d written", term.Plural(int64(p.Files), "file"),
		humanize.Bytes(uint64(max(0, p.Bytes))), p.Written)
	if p.Removed > 0 {
		line += ", " + term.Plural(int64(p.Removed), "older publication") + " removed"
	}
	return line
}
