package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/hooks"
	"pipeline/cmd/pipeline/internal/schedule"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/engine"
	"pipeline/load/filelock"
	"pipeline/load/outpath"
	"pipeline/load/reader"
)

func uninstallCommand() *cli.Command {
	return &cli.Command{
		Name:  "uninstall",
		Usage: "remove what this program has put on this machine, but not the history",
		Description: `Stops and removes timers, takes this program's lines out of Cursor's hooks.json, and removes published tables, logs, notes of runs and the search index.
It lists all of it with its size, and asks before it begins; without a terminal it needs --yes.

The warehouse and its raw layer stay: what Cursor has overwritten or deleted exists nowhere else. --data removes them, too, with what hooks have written down.
Cursor's own files are never touched. Nothing is removed that this program has not made: your pipelines, a timer that was changed by hand, a file that somebody
has put into a folder of published tables. The program itself is removed as it was installed.

Examples:
   pipeline uninstall --dry-run         # list every file, remove nothing
   pipeline uninstall --data --dry-run  # with the warehouse and its raw layer
   pipeline uninstall --yes             # do not ask

Exit codes: 0 done, 1 failed, or not confirmed, 2 usage, 75 a run is under way.`,
		Flags: slices.Concat([]cli.Flag{warehouseFlag()}, folderFlags("also remove the %s that was published in `DIR`"), []cli.Flag{
			&cli.BoolFlag{Name: "data", Usage: "also remove the warehouse and its raw layer: the only copy of what Cursor has overwritten"},
			&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "list what would be removed, file by file, and remove nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
			jsonFlag(),
		}),
		Action: uninstallAction,
	}
}

// uninstalled is what uninstall prints as JSON.
type uninstalled struct {
	Removed bool       `json:"removed"` // false: nothing was changed
	Remove  []location `json:"remove"`
	Keep    []location `json:"keep"` // with what is there and stays
	Bytes   int64      `json:"bytes"`
}

func uninstallAction(c *cli.Context) error {
	path, err := warehousePath(c)
	if err != nil {
		return err
	}
	all, err := placesOf(c, path)
	if err != nil {
		return err
	}
	u := uninstalled{Remove: []location{}, Keep: []location{}}
	if c.Bool("data") {
		if err := keepForeign(c.Context, path, all); err != nil {
			return err
		}
	}
	for _, p := range all {
		switch {
		case !p.There:
		case p.Group == always, p.Group == taken, p.Group == whenAsked && c.Bool("data"):
			u.Remove, u.Bytes = append(u.Remove, p), u.Bytes+p.Bytes
		default:
			u.Keep = append(u.Keep, p)
		}
	}
	if !c.Bool("json") {
		u.print(c)
	}
	if !c.Bool("dry-run") && len(u.Remove) > 0 {
		question := "Remove all of this?"
		if c.Bool("data") {
			question = "Remove all of this, with the only copy of what Cursor has overwritten?"
		}
		if err := confirmed(c, question); err != nil {
			return err
		}
		if err := u.carryOut(c, path); err != nil {
			return err
		}
		u.Removed = true
	}
	switch {
	case c.Bool("json"):
		return term.PrintJSON(c.App.Writer, u)
	case u.Removed:
		fmt.Fprintf(c.App.Writer, "\nRemoved: %s.\n", humanize.Bytes(uint64(max(0, u.Bytes))))
	case c.Bool("dry-run"):
		fmt.Fprintln(c.App.Writer, "\nDry run: nothing was changed.")
	}
	return nil
}

// keepForeign keeps the data if the file at the warehouse's path is no warehouse.
func keepForeign(ctx context.Context, path string, all []location) error {
	if _, err := os.Lstat(path); err != nil {
		return nil // there is none
	}
	_, err := reader.Query(ctx, path, "SELECT value FROM _meta WHERE key = 'schema_version'")
	switch {
	case err == nil:
		return nil
	case errors.Is(err, engine.ErrBusy), ctx.Err() != nil:
		return err
	}
	for i := range all {
		if all[i].Group == whenAsked && strings.HasPrefix(all[i].Path, path) {
			all[i].Group, all[i].Note = never, "not known to be a warehouse of this program: remove it yourself"
		}
	}
	return nil
}

// print lists what is removed and what stays. A dry run lists each file.
func (u uninstalled) print(c *cli.Context) {
	w := c.App.Writer
	if len(u.Remove) == 0 {
		fmt.Fprintln(w, "There is nothing to remove.")
	}
	for _, p := range u.Remove {
		verb := "remove"
		if p.Group == taken {
			verb = "edit"
		}
		fmt.Fprintln(w, p.line(verb))
		if !c.Bool("dry-run") || len(p.Files) == 1 && p.Files[0] == p.Path {
			continue
		}
		for _, file := range p.Files {
			size := int64(0)
			if info, err := os.Lstat(file); err == nil && info.IsDir() {
				size = sizeBelow(file)
			} else if err == nil {
				size = info.Size()
			}
			fmt.Fprintf(w, "%-26s %9s    %s\n", "", humanize.Bytes(uint64(size)), term.Printable(shortPath(file)))
		}
	}
	for _, p := range u.Keep {
		fmt.Fprintln(w, p.line("keep"))
	}
	if slices.ContainsFunc(u.Keep, func(p location) bool { return p.Group == whenAsked }) {
		fmt.Fprintln(w, "\nThe warehouse and its raw layer stay, as they have what Cursor has overwritten; --data\nremoves them, too.")
	}
}

// carryOut removes it. While it does, no run begins.
func (u uninstalled) carryOut(c *cli.Context, path string) (err error) {
	unlock := func() error { return nil }
	if _, err := os.Stat(path + ".lock"); err == nil {
		lock := filelock.New(path + ".lock")
		switch held, err := lock.TryLock(); {
		case err != nil && !errors.Is(err, errors.ErrUnsupported):
			return err
		case err == nil && !held:
			return fmt.Errorf("%w: a run is under way; nothing was removed", engine.ErrBusy)
		}
		defer func() { _ = lock.Close() }()
		unlock = lock.Close
	}
	// First what would start a run; last the lock, which some systems do not remove while it is held.
	slices.SortStableFunc(u.Remove, func(a, b location) int { return a.turn() - b.turn() })
	for _, p := range u.Remove {
		if p.Kind == lockKind {
			_ = unlock() // what is left to do is to remove it
		}
		if err := p.remove(c); err != nil {
			return fmt.Errorf("remove %s: %w; run it again when that is mended", p.Path, err)
		}
	}
	removeEmpty(filepath.Join(xdg.DataHome, "pipeline"), filepath.Join(xdg.StateHome, "pipeline"))
	return nil
}

// turn is when a place's turn comes.
func (p location) turn() int {
	switch {
	case p.timer != "":
		return 0
	case p.Group == taken:
		return 1
	case p.Kind == lockKind:
		return 3
	}
	return 2
}

// remove removes what is in a place.
func (p location) remove(c *cli.Context) error {
	switch {
	case p.target != nil:
		return p.target.Remove(c.Context)
	case p.timer != "":
		return takeAway(c, schedule.For(runtime.GOOS, schedulePlace()).Undo(p.timer), p.Files)
	case p.Group == taken:
		text, err := outpath.Read(p.Path, outpath.SmallFile)
		if err != nil {
			return err
		}
		out, _, err := hooks.Remove(text)
		if err != nil {
			return err
		}
		target, err := filepath.EvalSymlinks(p.Path)
		if err != nil {
			return err
		}
		return replaceFile(target, out)
	}
	for _, file := range p.Files {
		if err := os.Remove(file); err != nil && !notThere(err) {
			return err
		}
		if file != p.Path {
			removeEmpty(filepath.Dir(file))
		}
	}
	if info, err := os.Lstat(p.Path); err == nil && (info.IsDir() || info.Mode()&os.ModeSymlink != 0 && p.Kind == "raw layer") {
		_ = os.Remove(p.Path) // it stays if something else is in it
	}
	return nil
}

// removeEmpty removes folders in which nothing is left.
func removeEmpty(folders ...string) {
	for _, folder := range folders {
		_ = os.Remove(folder) // it stays if something is in it
	}
}
