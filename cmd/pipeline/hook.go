package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/hooks"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
)

// hookCommand is the group of commands about Cursor's hooks.
func hookCommand() *cli.Command {
	const all = "pipeline hook install, pipeline hook remove"
	return &cli.Command{
		Name:  "hook",
		Usage: "have Cursor tell how many tokens each turn took",
		Description: `Cursor's stores no longer record tokens, but its hooks say them at the end of each turn. 'pipeline hook install' adds two lines to
~/.cursor/hooks.json that call this program, which writes down ids, the model, tokens and how the turn ended: no prompt, no answer, no path. The next
'pipeline run' reads them by itself, into table usage_events.

Examples:
   pipeline hook install --dry-run  # show what would be written
   pipeline hook install
   pipeline hook remove`,
		Subcommands: []*cli.Command{hookInstallCommand(), hookRemoveCommand(), hookLogCommand()},
		Action:      wantsSubcommand("say what to do: "+all, "hook does not know %q; there is: "+all),
	}
}

func hookInstallCommand() *cli.Command {
	return &cli.Command{
		Name:  "install",
		Usage: "add this program to Cursor's hooks",
		Description: `Shows the lines, and writes them to ~/.cursor/hooks.json. What is there stays. Done again, as after this program has moved, it writes the new path.
Cursor reads the file when it starts.

Examples:
   pipeline hook install --dry-run  # show what would be written
   pipeline hook install

Exit codes: 0 written, or nothing to write, 1 failed (the file is no valid JSON, or this program is in a folder for temporary files; nothing was changed), 2 no home
is known.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "dry-run", Usage: "show what would be written"}},
		Action: func(c *cli.Context) error {
			program, err := programPath()
			if err != nil {
				return err
			}
			if why := temporary(program); why != nil && c.Bool("dry-run") {
				fmt.Fprintln(c.App.ErrWriter, "note: without --dry-run this fails: "+term.PrintableLines(why.Error()))
			} else if why != nil {
				return why
			}
			command := hooks.Command(program, hookFolder(), runtime.GOOS)
			return changeHooks(c, func(text []byte) ([]byte, string, error) {
				out, err := hooks.Install(text, command)
				if err == nil && bytes.Equal(out, text) {
					return nil, "is there already: " + command, nil
				}
				return out, "calls, at the end of a turn: " + command, err
			})
		},
	}
}

func hookRemoveCommand() *cli.Command {
	return &cli.Command{
		Name:  "remove",
		Usage: "take this program out of Cursor's hooks",
		Description: `What else is in ~/.cursor/hooks.json stays, and so does what was written down. A file that 'hook install' has made goes, unless something else is in it.

Examples:
   pipeline hook remove --dry-run  # say what would be removed
   pipeline hook remove

Exit codes: 0 removed, or nothing was there, 1 failed (the file is no valid JSON; nothing was changed), 2 no home is known.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "dry-run", Usage: "say what would be removed"}},
		Action: func(c *cli.Context) error {
			return changeHooks(c, func(text []byte) ([]byte, string, error) {
				out, n, err := hooks.Remove(text)
				if err == nil && n == 0 {
					return nil, "has no line of this program", nil
				}
				return out, "loses " + term.Plural(n, "line") + " of this program", err
			})
		},
	}
}

// hookLogCommand stands in the list of commands; hooks.Called does it, before anything else of the program begins.
func hookLogCommand() *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "write down a turn; Cursor calls this", ArgsUsage: "FOLDER", Hidden: true,
		Action: wantsSubcommand("Cursor calls 'pipeline hook log FOLDER'",
			"Cursor calls 'pipeline hook log FOLDER', not with %q"),
	}
}

// hookFolder has what the hooks have told.
func hookFolder() string { return filepath.Join(xdg.DataHome, "pipeline", "hooks") }

// hooksFile is the file in which Cursor finds its hooks.
func hooksFile() string { return filepath.Join(xdg.Home, ".cursor", "hooks.json") }

// changeHooks changes Cursor's file and says what it did. change returns nil if there is nothing to do.
func changeHooks(c *cli.Context, change func(text []byte) (out []byte, said string, err error)) error {
	if home, err := os.UserHomeDir(); err != nil || !filepath.IsAbs(home) {
		return usage("where Cursor's hooks.json is cannot be told: this account's home is not known; set HOME")
	}
	path := hooksFile()
	text, err := outpath.Read(path, outpath.SmallFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	isLink := false
	if target, err := filepath.EvalSymlinks(path); err == nil && target != path {
		path, isLink = target, true // the link stays
	}
	out, said, err := change(text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	goes := out != nil && hooks.IsEmpty(out) && !isLink
	if goes {
		said += ", and goes: nothing else is in it"
	}
	switch {
	case out == nil || c.Bool("dry-run"):
	case goes:
		err = os.Remove(path)
	default:
		err = replaceFile(path, out)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s %s\n", term.Printable(path), said)
	if c.Bool("dry-run") && out != nil && !goes {
		fmt.Fprintf(c.App.Writer, "It would be:\n%s", out)
	}
	return nil
}

// goneHooks are the programs that Cursor's hooks call and that are not there.
func goneHooks() (gone []string) {
	text, err := outpath.Read(hooksFile(), outpath.SmallFile)
	if err != nil {
		return nil
	}
	for _, program := range hooks.Programs(text) {
		if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, program)
		}
	}
	return gone
}

// replaceFile writes a file anew, at once: whoever reads it sees the old text or the new one. It keeps the file's mode.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unfinished := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d", atomicfile.Scratch, os.Getpid()))
	err := atomicfile.Write(unfinished, text)
	if info, is := os.Stat(path); err == nil && is == nil {
		err = os.Chmod(unfinished, info.Mode().Perm())
	}
	if err == nil {
		err = errors.Join(atomicfile.Sync(unfinished), atomicfile.Rename(unfinished, path))
	}
	if err != nil {
		_ = os.Remove(unfinished) // it has no use
	}
	return err
}
