package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
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
		list = append(list, describe(s))
	}
	beside := unreadHere(run)
	for _, u := range beside {
		list = append(list, discovered{UserDir: u.Dir, OS: runtime.GOOS, App: extract.AppCLI, Stores: []string{}, Transcripts: u.Transcripts})
	}
	if c.Bool("json") {
		if err := term.PrintJSON(c.App.Writer, list); err != nil {
			return err
		}
		return err
	}
	for _, d := range list[:len(found)] {
		fmt.Fprintf(c.App.Writer, "%s (%s)\n", term.Printable(d.UserDir), strings.Join(slices.DeleteFunc([]string{d.App, d.OS}, func(s string) bool { return s == "" }), ", "))
		if d.App == extract.AppCLI {
			fmt.Fprintf(c.App.Writer, "  command line      %s, %s\n", term.Plural(int64(d.Chats), "chat"), term.Plural(int64(d.Transcripts), "transcript"))
		} else if d.Global != "" {
			fmt.Fprintf(c.App.Writer, "  global store      %s\n", term.Printable(d.Global))
		} else {
			fmt.Fprintf(c.App.Writer, "  global store      none\n")
		}
		if d.App != extract.AppCLI {
			fmt.Fprintf(c.App.Writer, "  workspaces        %s, %s\n", term.Plural(int64(d.Workspaces), "folder"), term.Plural(int64(len(d.Stores)), "store"))
		}
		if d.Error != "" {
			fmt.Fprintf(c.App.Writer, "  unreadable        %s\n", term.Printable(d.Error))
		}
	}
	for _, u := range beside {
		fmt.Fprintln(c.App.Writer, "Found, but not read by this version: "+unreadWords(u))
	}
	return err
}

func describe(s extract.Source) discovered {
	d := discovered{Name: s.Name, UserDir: s.UserDir, OS: s.OS, App: s.App, Global: s.Global, Workspaces: len(s.Workspaces), Stores: []string{}, Read: true}
	for _, w := range s.Workspaces {
		if w.DB != "" {
			d.Stores = append(d.Stores, w.DB)
		}
	}
	if s.App == extract.AppCLI {
		d.Chats, d.Transcripts = extract.CountChats(s.UserDir), extract.CountTranscripts(s.UserDir)
	}
	if s.Err != nil {
		d.Error = s.Err.Error()
	}
	return d
}
