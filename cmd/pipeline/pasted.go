package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf8"

	"pipeline/cmd/pipeline/internal/term"
)

// askColumns is the usual width of a terminal.
const askColumns = 80

// lineFor is a command for a warehouse, to paste, printed after the given number of columns. If the terminal would wrap
// it, the path is on a line of its own.
func lineFor(command, warehouse string, behind int) string {
	line := inLine(command, warehouse)
	if line == command || behind+utf8.RuneCountInString(line) <= askColumns || runtime.GOOS == "windows" {
		return line
	}
	return command + " \\\n" + strings.Repeat(" ", behind) + strings.TrimPrefix(line, command+" ")
}

// inLine is a command for a warehouse, to paste, within a line.
func inLine(command, warehouse string) string {
	if warehouse == defaultWarehouse() {
		return command
	}
	return command + " --warehouse " + shortest(warehouse)
}

// shortest is the shortest form of a path for a shell: absolute, relative to the present folder, or relative to the
// home folder.
func shortest(path string) string {
	best := term.ShellQuote(path)
	below := func(dir string, err error, prefix string) {
		rel, relErr := filepath.Rel(dir, path)
		if err != nil || relErr != nil || !filepath.IsLocal(rel) || strings.HasPrefix(rel, "-") {
			return
		}
		if named := prefix + term.ShellQuote(rel); len(named) < len(best) {
			best = named
		}
	}
	here, err := os.Getwd()
	below(here, err, "")
	if runtime.GOOS != "windows" {
		home, err := os.UserHomeDir()
		below(home, err, "~/")
	}
	return best
}

// warehouseArg is the flag to add to a line that can be pasted; "" for the default warehouse.
func warehouseArg(path string) string {
	if path == defaultWarehouse() {
		return ""
	}
	return "--warehouse " + term.ShellQuote(path) + " "
}

// showCommandLine is the line that shows a conversation of a warehouse, up to its id.
func showCommandLine(warehouse string) string { return "pipeline show " + warehouseArg(warehouse) }
