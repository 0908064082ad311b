package main

import (
	"errors"
	"os"
	"strings"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/pipelines/file"
)

// This file finds the sources that a command reads, and lists where it looked.

// env is the machine to look at. PIPELINE_ROOT is a prefix of every path, for tests and mounted disks.
func env(run *file.Run) extract.Env {
	e := extract.HostEnv(run.UserDataDir)
	e.Root = os.Getenv("PIPELINE_ROOT")
	return e
}

// sources returns the sources that a run names, or every Cursor on this machine.
func sources(run *file.Run) (found []extract.Source, looked []string, err error) {
	if len(run.Sources) == 0 {
		return extract.Discover(env(run))
	}
	for _, arg := range run.Sources {
		s, err := extract.Resolve(arg, env(run))
		if err != nil {
			return nil, nil, err
		}
		for _, one := range s {
			if len(one.Name) > mostName {
				return nil, nil, usage("the name of a source has at most %d characters, and %.20s… has %d", mostName,
					one.Name, len(one.Name))
			}
		}
		found = append(found, s...)
	}
	if err := extract.CheckDistinct(found); err != nil {
		return nil, nil, usage("%s", err)
	}
	return found, run.Sources, nil
}

// mostName is how long the name of a source may be: files of the raw layer are called by it.
const mostName = 100

// noSource is the error without any source: it lists where the program looked, and says what to do.
func noSource(run *file.Run, looked []string) error {
	return &exitError{exitSource, errors.New("no Cursor store was found. Looked in:\n  " +
		strings.Join(looked, "\n  ") + seenUnread(run) +
		"\nIf Cursor keeps its data elsewhere, name the folder: pipeline run --source PATH (the 'User' folder, or " +
		"the state.vscdb itself)." +
		"\nTo try the tool without Cursor: pipeline demo --out demo && pipeline run --source demo --warehouse " +
		"demo.duckdb")}
}

// unreadHere lists files on this machine that this version cannot read, if sources are found by discovery.
func unreadHere(run *file.Run) []extract.Unread {
	if len(run.Sources) > 0 {
		return nil
	}
	return extract.FindUnread(env(run))
}

// unreadWords describes the content of one such folder.
func unreadWords(u extract.Unread) string {
	return term.Plural(int64(u.Transcripts), "transcript") + " in an unknown place below " + term.Printable(u.Dir)
}

// seenUnread lists such files if there is no store; "" if there are none.
func seenUnread(run *file.Run) (text string) {
	for _, u := range unreadHere(run) {
		text += "\nFound, but not read by this version: " + unreadWords(u)
	}
	return text
}
