// Package runlog keeps a log of every run beside a warehouse, including runs that failed or were killed and left no row
// in it.
//
// It knows what a run says about its beginning and its end. It must never know what a run does, or when one is due.
package runlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"

	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
)

// Run is a run in the log. A run that has not ended is under way, or was killed.
type Run struct {
	ID         string     `json:"id"`
	Pipeline   string     `json:"pipeline"` // the given name; "" for a run without a pipeline
	Trigger    string     `json:"trigger"`  // who started it: one of the words below
	StartedAt  time.Time  `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	ExitCode   *int       `json:"exit_code"`
	Attempts   int        `json:"attempts"` // number of tries; more than one after a temporary failure
	Error      string     `json:"error"`    // the error; "" for a successful run
	LoadID     int64      `json:"load_id"`  // 0: nothing was loaded
	New        int64      `json:"conversations_new"`
	Changed    int64      `json:"conversations_changed"`
	Deleted    int64      `json:"conversations_deleted"`
	Messages   int64      `json:"messages_loaded"`
}

// Who starts runs.
const (
	ByHand     = "hand"     // a person, or a timer that does not say so
	BySchedule = "schedule" // its schedule
	ByCatchUp  = "catch-up" // a schedule whose time had passed while the machine was asleep or off
	ByWatch    = "watch"    // a change of a store
	ByQuestion = "question" // a question of an agent
)

// Exit codes of runs that the caller must know.
const (
	// another run or a writer holds the warehouse, or a store could not be read without disturbing Cursor: a temporary
	// cause
	Busy        = 75
	Interrupted = 130 // it was told to stop, and left nothing half done
)

// Path is the log of a warehouse: a line of JSON when a run begins, and one when it ends.
func Path(warehouse string) string { return warehouse + ".runs" }

// older is the file with the lines from before the last rotation.
func older(path string) string { return path + ".1" }

const (
	maxLog   = 1 << 20 // bytes; some thousand runs
	maxError = 2000    // largest size of an error's text, in bytes
)

// NewID makes the id of a run that begins now in this process.
func NewID(now time.Time) string {
	return strconv.FormatInt(now.UnixNano(), 36) + "-" + strconv.Itoa(os.Getpid())
}

// Append writes a line about a run: once when it begins, and again, with the same ID, when it has ended.
func Append(warehouse string, r Run) (err error) {
	path := Path(warehouse)
	r.Error = cut(r.Error, maxError)
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := putAside(path); err != nil {
		return fmt.Errorf("put the log of runs aside: %w", err)
	}
	f, err := outpath.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open the log of runs: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(append(afterWhole(f), append(line, '\n')...)); err != nil {
		return fmt.Errorf("write the log of runs: %w", err)
	}
	return nil
}

// putAside rotates a log that is too large. If two runs begin at once, only one does it: the other finds a new file.
func putAside(path string) (err error) {
	large := func() bool {
		info, err := os.Lstat(path)
		return err == nil && info.Mode().IsRegular() && info.Size() > maxLog
	}
	if !large() {
		return nil
	}
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY|outpath.Unwaiting))
	held, err := lock.TryLock()
	if err != nil || !held {
		return nil // the next run will do it
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if !large() {
		return nil
	}
	if runtime.GOOS == "windows" { // it renames nothing that is open
		if err := lock.Unlock(); err != nil {
			return err
		}
	}
	return atomicfile.Move(path, older(path))
}

// afterWhole is the beginning of a new line: a line break, if a kill or a full disk cut off the last line.
func afterWhole(f *os.File) []byte {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return nil
	}
	return []byte{'\n'}
}

// cut shortens a text to a number of bytes, between two characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.TrimSpace(text[:most]) + " ..."
}

// Read returns the last n runs of a warehouse, the latest first; none without a log. It skips lines that were cut off.
func Read(warehouse string, n int) ([]Run, error) {
	at := map[string]int{}
	var runs []Run
	path := Path(warehouse)
	for _, name := range []string{older(path), path} {
		text, err := read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the log of runs: %w", err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, maxLog)
		for lines.Scan() {
			var r Run
			if json.Unmarshal(lines.Bytes(), &r) != nil || r.ID == "" {
				continue
			}
			if i, ok := at[r.ID]; ok {
				runs[i] = r
				continue
			}
			at[r.ID] = len(runs)
			runs = append(runs, r)
		}
	}
	slices.Reverse(runs)
	return runs[:min(n, len(runs))], nil
}

// read reads a log.
func read(path string) (_ []byte, err error) {
	f, err := outpath.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(f)
}

// Code is the exit code of a run that has ended; else ok is false.
func (r Run) Code() (code int, ok bool) {
	if r.ExitCode == nil {
		return 0, false
	}
	return *r.ExitCode, true
}

// A State is how far a run has come.
type State string

// States.
const (
	Ended    State = "ended"
	UnderWay State = "under way"
	Killed   State = "killed" // its process ended before the run did
)

// States returns the states of runs from Read. A run that has not ended is under way as long as its process exists. The
// system may give the same process id to another program: if a later run had it, the earlier run was killed. Otherwise
// the run is taken to be under way.
func States(runs []Run) []State {
	out, later := make([]State, len(runs)), map[int]bool{os.Getpid(): true}
	for i, r := range runs {
		pid := r.PID()
		switch {
		case r.ExitCode != nil:
			out[i] = Ended
		case pid > 0 && !later[pid] && processAlive(pid):
			out[i] = UnderWay
		default:
			out[i] = Killed
		}
		later[pid] = true
	}
	return out
}

// PID is the process id of a run, from the end of its ID; 0 if the ID has none.
func (r Run) PID() int {
	_, text, _ := strings.Cut(r.ID, "-")
	pid, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return pid
}
