package extract

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file looks at other processes from outside: at names and open files, never at arguments or environments, which
// may hold secrets.

// Process is another process of this machine.
type Process struct {
	PID  int    `json:"pid"`
	Name string `json:"name"` // path of the program's file, or its name alone
}

const proc = "/proc"

// listPatience is the time limit for the system's program that lists processes.
const listPatience = 5 * time.Second

// Editors lists the processes of Cursor that run on this machine, sorted by process id. The error is not nil if they
// cannot be listed.
func Editors(ctx context.Context) ([]Process, error) {
	if runtime.GOOS == "linux" {
		return editorsIn(proc)
	}
	name, args, read := "ps", []string{"-axo", "pid=,comm="}, readPS
	if runtime.GOOS == "windows" {
		name, args, read = "tasklist", []string{"/fo", "csv", "/nh"}, readTasklist
	}
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(read(string(out)), func(p Process) bool { return !isEditor(p.Name) }), nil
}

// isEditor reports whether a program, by its path or its name alone, is Cursor's: the editor, its helper processes, its
// AppImage, its remote server.
func isEditor(program string) bool {
	path := strings.ToLower(strings.ReplaceAll(program, `\`, "/"))
	// Linux says so if an update replaced the file of a running program
	path = strings.TrimSuffix(strings.TrimSuffix(path, " (deleted)"), ".exe")
	if strings.Contains(path, "/.cursor-server/") || strings.Contains(path, "/cursor.app/") ||
		strings.Contains(path, "/cursor nightly.app/") {
		return true
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch name {
	case "cursor", "cursor nightly", "cursor-nightly":
		return true
	}
	return strings.HasPrefix(name, "cursor") && strings.HasSuffix(name, ".appimage")
}

// editorsIn finds Cursor's processes in a proc file system.
func editorsIn(root string) ([]Process, error) {
	var found []Process
	return found, eachProcess(root, func(p Process, _ string) {
		if isEditor(p.Name) {
			p.Name = filepath.Base(p.Name)
			found = append(found, p)
		}
	})
}

// eachProcess calls f for every process but this one. Its name is the path of its program, or its short name if the
// path may not be seen.
func eachProcess(root string, f func(p Process, dir string)) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		dir := filepath.Join(root, e.Name())
		name, err := os.Readlink(filepath.Join(dir, "exe"))
		if err != nil {
			short, err := os.ReadFile(filepath.Join(dir, "comm"))
			if err != nil {
				continue // it has ended
			}
			name = strings.TrimSpace(string(short))
		}
		f(Process{pid, name}, dir)
	}
	return nil
}

// Holders finds the other processes that have one of these files open, by path without symlinks. It sees other users'
// processes only if run as root. The error is not nil if the system does not tell.
func Holders(paths []string) (holders map[string][]Process, err error) {
	if runtime.GOOS != "linux" {
		return nil, errors.ErrUnsupported
	}
	wanted := map[string]bool{}
	for _, path := range paths {
		wanted[path] = true
	}
	holders = map[string][]Process{}
	err = eachProcess(proc, func(p Process, dir string) {
		p.Name = filepath.Base(p.Name)
		files, _ := os.ReadDir(filepath.Join(dir, "fd")) // it has ended, or belongs to another user
		for _, f := range files {
			target, err := os.Readlink(filepath.Join(dir, "fd", f.Name()))
			if err == nil && wanted[target] && !slices.Contains(holders[target], p) {
				holders[target] = append(holders[target], p)
			}
		}
	})
	return holders, err
}

// readPS parses lines of a process id and a program's path.
func readPS(out string) (found []Process) {
	for line := range strings.Lines(out) {
		number, program, _ := strings.Cut(strings.TrimSpace(line), " ")
		if pid, err := strconv.Atoi(number); err == nil {
			found = append(found, Process{pid, strings.TrimSpace(program)})
		}
	}
	return found
}

// readTasklist parses lines of a program's name, a process id, and more fields, all quoted.
func readTasklist(out string) (found []Process) {
	r := csv.NewReader(strings.NewReader(out))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		return nil
	}
	for _, cells := range lines {
		if len(cells) < 2 {
			continue
		}
		if pid, err := strconv.Atoi(cells[1]); err == nil {
			found = append(found, Process{pid, cells[0]})
		}
	}
	return found
}
