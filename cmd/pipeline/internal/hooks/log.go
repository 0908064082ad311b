package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// What is kept of a call, by name: ids, the model, figures, how it ended. There is no prompt, no answer, no path and no address among it.
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
	maxLog     = 8 << 20  // a log of this size gets another name, and a new one begins
	maxCall    = 64 << 20 // of a call; an answer is in it
	maxText    = 200      // of an id or a name
	maxNumber  = 24
	timeLayout = "2006-01-02T15:04:05.000Z"
)

// Log adds the figures of a call to the log in a folder, in one write: several may be under way.
func Log(folder string, call io.Reader, now time.Time) error {
	var f figures
	if err := json.NewDecoder(io.LimitReader(call, maxCall)).Decode(&f); err != nil {
		return fmt.Errorf("read the call: %w", err)
	}
	for _, text := range []*string{&f.Event, &f.ConversationID, &f.GenerationID, &f.Model, &f.CursorVersion, &f.Status} {
		if len(*text) > maxText {
			*text = ""
		}
	}
	for _, n := range []*json.RawMessage{&f.LoopCount, &f.DurationMs, &f.InputTokens, &f.OutputTokens, &f.CacheReadTokens, &f.CacheWriteTokens} {
		if !isNumber(*n) {
			*n = nil
		}
	}
	line, err := json.Marshal(record{now.UTC().Format(timeLayout), f})
	if err != nil {
		return err
	}
	return add(folder, append(line, '\n'), now)
}

// isNumber reports whether a value is a number of a usual length.
func isNumber(v json.RawMessage) bool {
	return len(v) > 0 && len(v) <= maxNumber && (v[0] == '-' || v[0] >= '0' && v[0] <= '9')
}

// add writes a line at the end of the log. Where an earlier line was cut off, as on a full disk, it begins a new one.
func add(folder string, line []byte, now time.Time) (err error) {
	path := filepath.Join(folder, logName)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.Size() >= maxLog {
		// Another call may do the same: each line is in one of the files in any case.
		_ = os.Rename(path, filepath.Join(folder, fmt.Sprintf("turns-%d.jsonl", now.UnixNano())))
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

// Called does what Cursor calls this program for, if the arguments say so. Whatever happens, Cursor must not notice: there is no output, and no error.
func Called(args []string, in io.Reader, now time.Time) bool {
	if len(args) != 4 || args[1] != "hook" || args[2] != "log" {
		return false
	}
	defer func() { _ = recover() }()
	_ = Log(args[3], in, now)
	return true
}
