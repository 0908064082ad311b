// Package runlog keeps a note of every run of a warehouse, beside it: also of those that failed, or were killed, and left no row in it.
//
// It knows what a run says of itself when it begins and when it ends, and must never know what a run does, or when one is due.
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
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"

	"pipeline/load/outpath"
)

// Run is a run as the log has it. One that has not ended is under way, or was killed.
type Run struct {
	ID         string     `json:"id"`
	Pipeline   string     `json:"pipeline"` // as it was named; "" for a run of flags alone
	Trigger    string     `json:"trigger"`  // who began it: one of the words below
	StartedAt  time.Time  `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	ExitCode   *int       `json:"exit_code"`
	Attempts   int        `json:"attempts"` // more than one where the cause of a failure was passing
	Error      string     `json:"error"`    // what was said last; "" for a run that went well
	LoadID     int64      `json:"load_id"`  // 0: nothing was loaded
	New        int64      `json:"conversations_new"`
	Changed    int64      `json:"conversations_changed"`
	Deleted    int64      `json:"conversations_deleted"`
	Messages   int64      `json:"messages_loaded"`
}

// Who begins runs.
const (
	ByHand     = "hand"     // somebody, or a timer that does not say so
	BySchedule = "schedule" // it was due
	ByCatchUp  = "catch-up" // it had been due while the machine slept or was off
	ByWatch    = "watch"    // a store changed
)

// Exit codes of runs that who starts them has to know.
const (
	Busy        = 75  // another run or a writer holds the warehouse, or no polite snapshot could be had: a passing cause
	Interrupted = 130 // it was told to stop, and left nothing half done
)

// Path is the log of a warehouse: a line of JSON when a run begins, and one when it ends.
func Path(warehouse string) string { return warehouse + ".runs" }

// older has what was in the log before it grew too large.
func older(path string) string { return path + ".1" }

const (
	maxLog   = 1 << 20 // bytes, some thousand runs
	maxError = 2000    // bytes of an error's text
)

// NewID names a run that begins now in this process.
func NewID(now time.Time) string {
	return strconv.FormatInt(now.UnixNano(), 36) + "-" + strconv.Itoa(os.Getpid())
}

// Append writes a run's line: first when it begins, then, with the same ID, when it has ended.
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

// putAside renames a log that has grown too large. Of two runs that begin at once one does it: the file that the other finds is a new one then.
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
		return nil // the next run does it
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if !large() {
		return nil
	}
	return os.Rename(path, older(path))
}

// afterWhole is what a line has to begin with: a line break where the one before was cut off by a kill or a full disk.
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

// cut shortens a text to so many bytes at most, between two characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.TrimSpace(text[:most]) + " ..."
}

// Read returns the last n runs of a warehouse, the latest first. Without a log there are none. A line that was cut off is passed over.
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

// Code is the exit code of a run that has ended; ok is false for another.
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
	Killed   State = "killed" // it did not come to its own end
)

// States are those of runs as Read returns them. A run that has not ended is under way as long as its process is there: one that is there only because
// the number was given anew is told by a later run that had the same, or is taken for it.
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

// PID is the process of a run, which its ID ends with; 0 where it does not.
func (r Run) PID() int {
	_, text, _ := strings.Cut(r.ID, "-")
	pid, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return pid
}
