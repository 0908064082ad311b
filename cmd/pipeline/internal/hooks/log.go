package hooks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// What is kept of a call, by name: ids, the model, figures, how it ended. There is no prompt, no answer, no path and no
// address among it.
type figures struct {
	Event            string          `json:"hook_event_name,omitempty"`
	ConversationID   string          `json:"conversation_id,omitempty"`
	GenerationID     string          `json:"generation_id,omitempty"`
	Model            string          `json:"model,omitempty"`
	CursorVersion    string          `json:"cursor_version,omitempty"`
	Status           string          `json:"status,omitempty"`
	LoopCount        json.RawMessage `json:"loop_count,omitempty"`
	DurationMs       json.RawMessage `json:"duration_ms,omitempty"`
	InputTokens      json.RawMessage `json:"input_tokens,omitempty"`
	OutputTokens     json.RawMessage `json:"output_tokens,omitempty"`
	CacheReadTokens  json.RawMessage `json:"cache_read_tokens,omitempty"`
	CacheWriteTokens json.RawMessage `json:"cache_write_tokens,omitempty"`
}

// record is a line of the log.
type record struct {
	At      string  `json:"ts"`
	Payload figures `json:"payload"`
}

const (
	logName    = "turns.jsonl"
	otherName  = "turns-2.jsonl" // where the place of the first has something that is no file
	begin      = `{"ts":`        // of a line, and so of a log
	maxLog     = 8 << 20         // a log of this size gets another name, and a new one begins
	maxCall    = 64 << 20        // of a call; an answer is in it
	maxText    = 200             // of an id or a name
	maxNumber  = 24
	timeLayout = "2006-01-02T15:04:05.000Z"
)

// Cursor waits for the call.
const (
	patience = 5 * time.Second        // to get a whole payload, and to write it down
	grace    = 100 * time.Millisecond // for what is behind the payload: who writes it must not find the pipe closed
)

// Log adds the figures of a call to the log in a folder, in one write: several may be under way. It is an error if the
// call does not tell of a turn.
func Log(folder string, call io.Reader, now time.Time) error {
	in := bufio.NewReader(io.LimitReader(call, maxCall))
	for b, err := in.Peek(1); err == nil && b[0] >= utf8.RuneSelf; b, err = in.Peek(1) {
		_, _ = in.Discard(1) // marks of the order of bytes: on Windows there are one or two
	}
	var f figures
	var otherType *json.UnmarshalTypeError // of a member, which stays empty; the others are read
	if err := json.NewDecoder(in).Decode(&f); err != nil && !errors.As(err, &otherType) {
		return fmt.Errorf("read the call: %w", err)
	}
	if !f.tell() {
		return errors.New("the call does not tell of a turn")
	}
	for _, text := range []*string{&f.Event, &f.ConversationID, &f.GenerationID, &f.Model, &f.CursorVersion,
		&f.Status} {
		if len(*text) > maxText {
			*text = ""
		}
	}
	for _, n := range []*json.RawMessage{&f.LoopCount, &f.DurationMs, &f.InputTokens, &f.OutputTokens,
		&f.CacheReadTokens, &f.CacheWriteTokens} {
		*n = number(*n)
	}
	line, err := json.Marshal(record{now.UTC().Format(timeLayout), f})
	if err != nil {
		return err
	}
	return add(folder, append(line, '\n'), now)
}

// tell reports whether figures are those of a turn. Without the event's name, an id tells.
func (f *figures) tell() bool {
	if f.Event == "" {
		return f.GenerationID != "" || f.ConversationID != ""
	}
	return slices.Contains(events, f.Event)
}

// number is a value if it is a number of a usual length, or a text of one; nil for others.
func number(v json.RawMessage) json.RawMessage {
	v = bytes.Trim(v, `"`)
	if len(v) == 0 || len(v) > maxNumber || v[0] != '-' && (v[0] < '0' || v[0] > '9') || !json.Valid(v) {
		return nil
	}
	return v
}

// add writes a line at the end of the log. Where an earlier line was cut off, as on a full disk, it begins a new one.
func add(folder string, line []byte, now time.Time) (err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	path, err := place(folder, now)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		last := []byte{'\n'}
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err = f.Write(line)
	return err
}

// place is the log to write to: a file, since a run reads no others. One that is full is set aside, and so is one that
// does not begin as a log: whoever reads it takes it for something else, with all that is behind.
func place(folder string, now time.Time) (string, error) {
	for _, name := range []string{logName, otherName} {
		path := filepath.Join(folder, name)
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, nil
		case err != nil:
			return "", err
		case !info.Mode().IsRegular():
			continue
		case info.Size() >= maxLog || !isLog(path):
			// Another call may do the same: each line is in one of the files in any case, and no two files have one
			// name.
			_ = os.Rename(path, filepath.Join(folder, fmt.Sprintf("turns-%d-%d.jsonl", now.UnixNano(), os.Getpid())))
		}
		return path, nil
	}
	return "", errors.New("there is no place for a log")
}

// isLog reports whether a file begins as a log does; one that is cut off may.
func isLog(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // what it is, nobody knows
	}
	defer f.Close()
	head := make([]byte, len(begin))
	n, _ := io.ReadFull(f, head) // it may be shorter
	return strings.HasPrefix(begin, string(head[:n]))
}

// Called does what Cursor calls this program for, if the arguments say so. Whatever happens, Cursor must not notice:
// there is no output, no error, and no long wait.
func Called(args []string, in io.Reader, now time.Time) bool {
	if len(args) != 4 || args[1] != "hook" || args[2] != "log" {
		return false
	}
	logged, ended := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { _ = recover() }()
		logged <- Log(args[3], in, now)
		_, _ = io.Copy(io.Discard, in)
	}()
	limit := time.After(patience)
	select {
	case <-ended:
	case <-limit: // Cursor may leave its end of the pipe open
	case err := <-logged:
		if err == nil {
			limit = time.After(grace)
		}
		select {
		case <-ended:
		case <-limit:
		}
	}
	return true
}
