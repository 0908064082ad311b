package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// keptOpen is a writer that needs no closing.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// TestLinesWithoutMessages: what is no message is answered with an error of the protocol, and the server goes on.
func TestLinesWithoutMessages(t *testing.T) {
	t.Parallel()
	const invalid, parse = -32600.0, -32700.0
	bad := []struct {
		line string
		code float64
		id   any
	}{
		{`hello`, parse, nil}, {`{"jsonrpc":"2.0","id":1`, parse, nil}, {`{} {}`, parse, nil}, {"\x00", parse, nil},
		{`[]`, invalid, nil}, {`7`, invalid, nil}, {`"x"`, invalid, nil}, {`null`, invalid, nil}, {`[1]`, invalid, nil},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, invalid, nil},
		{`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, invalid, nil},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, invalid, nil},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, invalid, nil},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, invalid, nil},
		{`{"jsonrpc":"2.0","id":1e300,"method":"ping"}`, invalid, nil},
		{`{"jsonrpc":"1.0","id":"a","method":"ping"}`, invalid, "a"}, {`{"id":4,"method":"ping"}`, invalid, 4.0},
		{`{"jsonrpc":"2.0","id":5,"method":7}`, invalid, 5.0}, {`{}`, invalid, nil},
		{strings.Repeat("x", lineLimit+1), invalid, nil},
	}
	read, in := io.Pipe()
	out, write := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(t.Context(), Options{}, read, keptOpen{write}) }()
	answers := json.NewDecoder(out)
	ask := func(line string) (answer map[string]any) {
		t.Helper()
		go func() { _, _ = io.WriteString(in, line+"\n") }()
		if err := answers.Decode(&answer); err != nil {
			t.Fatalf("%.60s: %v", line, err)
		}
		return answer
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	for _, b := range bad {
		answer := ask(b.line)
		problem, _ := answer["error"].(map[string]any)
		if problem["code"] != b.code || answer["id"] != b.id {
			t.Errorf("%.60s: %v", b.line, answer)
		}
		if answer := ask("\r\n" + `{"jsonrpc":"2.0","id":9,"method":"ping"}`); answer["id"] != 9.0 ||
			answer["error"] != nil {
			t.Errorf("after %.60s: %v", b.line, answer)
		}
	}
	if answer := ask(`[{"jsonrpc":"2.0","id":"one","method":"ping"}]`); answer["id"] != "one" {
		t.Errorf("a list: %v", answer)
	}
	if err := errors.Join(in.Close(), <-ended); err != nil {
		t.Error(err)
	}
}

// TestTimeHolds: an answer goes out in time, even if what works on it does not stop; the next question is told of that,
// and the one after it is answered.
func TestTimeHolds(t *testing.T) {
	t.Parallel()
	warehouse := filepath.Join(t.TempDir(), "w.duckdb")
	s := &server{Options: Options{Warehouse: warehouse, Time: 50 * time.Millisecond, Missing: "none"},
		turn: make(chan struct{}, 1)}
	release := make(chan struct{})
	slow := func() error {
		_, err := timed(t.Context(), s, func(context.Context) (int, error) { <-release; return 0, nil })
		return err
	}
	began := time.Now()
	if err := slow(); err == nil || !strings.Contains(err.Error(), "took more than") {
		t.Errorf("a question without end: %v", err)
	}
	if err := slow(); err == nil || !strings.Contains(err.Error(), "still has the warehouse") {
		t.Errorf("the one behind it: %v", err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("they took %v", took)
	}
	close(release)
	if _, err := ask(t.Context(), s, func(context.Context, *question) (int, error) { return 0, nil }); err == nil ||
		err.Error() != "none" {
		t.Errorf("the next one: %v", err)
	}
	if _, err := os.Stat(warehouse); err == nil {
		t.Error("a warehouse was made")
	}
}

// TestNullArguments: an argument that is null is one that is not given.
func TestNullArguments(t *testing.T) {
	t.Parallel()
	line := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_conversations","arguments":{"query":null,"limit":null,"cursor":null}}}` + "\n"
	start :=
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	var out bytes.Buffer
	read, in := io.Pipe()
	answers, write := io.Pipe()
	go func() {
		_ = Serve(t.Context(), Options{Warehouse: filepath.Join(t.TempDir(), "w"), Missing: "there is none"}, read,
			keptOpen{write})
	}()
	go func() { _, _ = io.WriteString(in, start+line) }()
	d := json.NewDecoder(io.TeeReader(answers, &out))
	for range 2 {
		var answer json.RawMessage
		if err := d.Decode(&answer); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(out.String(), "there is none") || strings.Contains(out.String(), "want") {
		t.Error(out.String())
	}
	_ = in.Close()
}

// TestPanic: a panic over a question is its answer, and the next question is answered.
func TestPanic(t *testing.T) {
	t.Parallel()
	s := &server{Options: Options{Time: time.Minute, Full: true}, turn: make(chan struct{}, 1)}
	for range 2 {
		if _, err := timed(t.Context(), s, func(context.Context) (int, error) { panic("a mistake") }); err == nil ||
			!strings.Contains(err.Error(), "an error in this program: a mistake, at ") {
			t.Errorf("%v", err)
		}
	}
}
