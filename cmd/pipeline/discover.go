package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/pipelines/file"
)

func discoverCommand() *cli.Command {
	return &cli.Command{
		Name:  "discover",
		Usage: "list the Cursor stores that a run would read",
		Description: `Looks in the usual folders of every system, WSL and remote servers included, and changes nothing.

Examples:
   pipeline discover
   pipeline discover --json`,
		Flags:  []cli.Flag{sourceFlag(), userDataDirFlag(), jsonFlag()},
		Action: discoverAction,
	}
}

// discovered is a source as it is printed.
type discovered struct {
	Name        string   `json:"name,omitempty"`
	UserDir     string   `json:"user_dir"`
	OS          string   `json:"os"`
	App         string   `json:"app"`
	Global      string   `json:"global,omitempty"`
	Workspaces  int      `json:"workspaces"`
	Stores      []string `json:"workspace_stores"`
	Error       string   `json:"error,omitempty"`
	Read        bool     `json:"read"` // true: a run reads it; false: it is only listed
	Chats       int      `json:"chats,omitempty"`
	Transcripts int      `json:"transcripts,omitempty"`
	Plans       int      `json:"plans,omitempty"`
	Tracking    string   `json:"tracking,omitempty"` // database in which Cursor attributes lines

	Home *extract.HomeLook `json:"home,omitempty"` // of the command line
}

func discoverAction(c *cli.Context) error {
	run, err := flagsOf(c, false)
	if err != nil {
		return err
	}
	found, looked, err := sources(run)
	if len(found) == 0 {
		if err != nil {
			return err
		}
		return noSource(run, looked)
	}
	list := make([]discovered, 0, len(found))
	for _, s := range found {
		d, before := describe(s), found[:len(list)]
		if shares(before, s, extract.PlansOf) {
			d.Plans = 0
		}
		if shares(before, s, extract.TrackingOf) {
			d.Tracking = ""
		}
		list = append(list, d)
	}
	beside := unreadHere(run)
	for _, u := range beside {
		list = append(list, discovered{UserDir: u.Dir, OS: runtime.GOOS, App: extract.AppCLI, Stores: []string{},
			Transcripts: u.Transcripts})
	}
	return cmp.Or(printed(c, map[string][]discovered{"sources": list}, func(w io.Writer) {
		for _, d := range list[:len(found)] {
			printDiscovered(w, d)
		}
		for _, u := range elsewhere(beside, found) {
			fmt.Fprintln(w, "Found, but not read by this version: "+unreadWords(u))
		}
	}), err)
}

// shares reports whether the path that belongs to a source is that of one before, as the editor and the command line of
// a home have the same.
func shares(before []extract.Source, s extract.Source, pathOf func(extract.Source) string) bool {
	return slices.ContainsFunc(before, func(b extract.Source) bool { return extract.SameFolder(pathOf(b), pathOf(s)) })
}

// printDiscovered prints a source for people.
func printDiscovered(w io.Writer, d discovered) {
	fmt.Fprintf(w, "%s (%s)\n", term.Printable(d.UserDir),
		strings.Join(slices.DeleteFunc([]string{d.App, d.OS}, func(s string) bool { return s == "" }), ", "))
	if d.Home != nil {
		printHome(w, d.Home)
	} else {
		fmt.Fprintf(w, "  global store      %s\n", cmp.Or(term.Printable(d.Global), "none"))
		fmt.Fprintf(w, "  workspaces        %s, %s\n", term.Plural(d.Workspaces, "folder"),
			term.Plural(len(d.Stores), "store"))
	}
	if d.Plans > 0 {
		fmt.Fprintf(w, "  plans             %s\n", term.Plural(d.Plans, "file"))
	}
	if d.Tracking != "" {
		fmt.Fprintf(w, "  who wrote what    %s\n", term.Printable(d.Tracking))
	}
	if d.Error != "" {
		fmt.Fprintf(w, "  unreadable        %s\n", term.Printable(d.Error))
	}
}

// printHome prints what a home of the command line has.
func printHome(w io.Writer, h *extract.HomeLook) {
	others := ""
	if h.ACPChats > 0 {
		others = fmt.Sprintf(" (%s of them started by other editors)", humanize.Comma(int64(h.ACPChats)))
	}
	fmt.Fprintf(w, "  command line      %s%s, %s\n", term.Plural(h.Chats, "chat"), others,
		term.Plural(h.Transcripts, "transcript"))
	for i, left := range leftWords(h) {
		name := "not read"
		if i > 0 {
			name = ""
		}
		fmt.Fprintf(w, "  %-17s %s\n", name, left)
	}
	if h.Newer > 0 {
		fmt.Fprintf(w, "  newer             %s\n", newerWords(h))
	}
}

// leftWords says what a home of the command line has that a run does not read.
func leftWords(h *extract.HomeLook) (words []string) {
	for _, left := range []struct {
		n         int
		one, many string
	}{
		{h.NoDatabase, "chat whose store is encrypted, damaged or of another kind",
			"chats whose stores are encrypted, damaged or of another kind"},
		{h.NoStore, "folder of a chat without a store", "folders of chats without a store"},
		{h.OtherFiles, "file of an unknown kind beside a chat", "files of unknown kinds beside chats"},
		{h.UnknownTranscripts, "transcript in an unknown place", "transcripts in unknown places"},
	} {
		if left.n > 0 {
			words = append(words, term.Plural(left.n, left.one, left.many))
		}
	}
	return words
}

// newerWords says how many chats are of a version that is not known.
func newerWords(h *extract.HomeLook) string {
	return term.Plural(h.Newer, "chat") + " of a newer version; what is known of it is read"
}

// elsewhere are the folders that are no source: what a source does not read is said of the source.
func elsewhere(beside []extract.Unread, found []extract.Source) []extract.Unread {
	return slices.DeleteFunc(slices.Clone(beside), func(u extract.Unread) bool {
		return slices.ContainsFunc(found, func(s extract.Source) bool { return extract.SameFolder(s.UserDir, u.Dir) })
	})
}

func describe(s extract.Source) discovered {
	d := discovered{Name: s.Name, UserDir: s.UserDir, OS: s.OS, App: s.App, Global: s.Global,
		Workspaces: len(s.Workspaces), Stores: []string{}, Read: true}
	for _, w := range s.Workspaces {
		if w.DB != "" {
			d.Stores = append(d.Stores, w.DB)
		}
	}
	d.Plans, d.Tracking = extract.CountPlans(s), s.Tracking
	if s.App == extract.AppCLI {
		h := extract.LookAtHome(s.UserDir)
		d.Home, d.Chats, d.Transcripts = &h, h.Chats, h.Transcripts
	}
	if s.Err != nil {
		d.Error = s.Err.Error()
	}
	return d
}

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
	return term.Plural(u.Transcripts, "transcript") + " in an unknown place below " + term.Printable(u.Dir)
}

// seenUnread lists such files if there is no store; "" if there are none.
func seenUnread(run *file.Run) (text string) {
	for _, u := range unreadHere(run) {
		text += "\nFound, but not read by this version: " + unreadWords(u)
	}
	return text
}
