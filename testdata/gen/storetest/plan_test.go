package storetest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// hash is a hash of every file of the directory that would be written, without writing it.
func (p *Plan) hash() string {
	h := sha256.New()
	for r := range p.globalRows() {
		fmt.Fprintf(h, "%q %T %q\n", r.Key, r.Value, r.Value)
	}
	for r := range p.tailRows() {
		fmt.Fprintf(h, "%q %T %q\n", r.Key, r.Value, r.Value)
	}
	for _, w := range p.workspaces {
		fmt.Fprintf(h, "%q %q %q\n", w.id, w.workspaceJSON(), w.rows())
	}
	fmt.Fprintf(h, "%v", p.headerRows())
	return hex.EncodeToString(h.Sum(nil))
}

func TestSameSeedSameStore(t *testing.T) {
	a, b, c := New(Options{Seed: 1}), New(Options{Seed: 1}), New(Options{Seed: 2})
	if a.hash() != b.hash() {
		t.Error("the same seed gave two stores")
	}
	if a.hash() == c.hash() {
		t.Error("two seeds gave the same store")
	}
	if !reflect.DeepEqual(a.Want().Queries(), b.Want().Queries()) ||
		!reflect.DeepEqual(a.Want().Queries(), a.Want().Queries()) {
		t.Error("the same seed gave different figures")
	}
	if !reflect.DeepEqual(a.Cases()[10], c.Cases()[10]) {
		t.Error("the cases depend on the seed")
	}
}

// paths of the stores of a written directory, by the names that cases give them
func storePath(dir, store string) string {
	if id, ok := strings.CutPrefix(store, "workspace:"); ok {
		return filepath.Join(dir, "workspaceStorage", id, "state.vscdb")
	}
	return filepath.Join(dir, "globalStorage", "state.vscdb")
}

func TestEveryCaseIsInTheStore(t *testing.T) {
	for _, o := range []Options{{Seed: 1}, {Seed: 2, WAL: true}, {Seed: 3, PrimaryKey: true, Messages: 1500}} {
		p := New(o)
		dir := t.TempDir()
		if err := p.Write(dir); err != nil {
			t.Fatal(err)
		}
		if len(p.Cases()) != len(caseTable) {
			t.Errorf("%d cases, %d in the table", len(p.Cases()), len(caseTable))
		}
		seen := map[string]bool{}
		for _, c := range p.Cases() {
			if seen[c.Name] {
				t.Errorf("two cases are called %s", c.Name)
			}
			seen[c.Name] = true
			if got := value(t, openRead(t, storePath(dir, c.Store)), c.StoreSQL); got != fmt.Sprint(c.StoreCount) {
				t.Errorf("%+v: case %s is there %s times, want %d\n%s", o, c.Name, got, c.StoreCount, c.StoreSQL)
			}
		}
	}
}

func TestWALRowsAreNowhereElse(t *testing.T) {
	dir := t.TempDir()
	if err := New(Options{Seed: 5, WAL: true}).Write(dir); err != nil {
		t.Fatal(err)
	}
	var query string
	for _, c := range New(Options{Messages: 1}).Cases() {
		if c.Name == "wal_only_rows" {
			query = c.StoreSQL
		}
	}
	path := storePath(dir, "global")
	if got := value(t, openRead(t, path), query); got != "3" {
		t.Errorf("with the -wal: %s rows, want 3", got)
	}
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(t.TempDir(), "state.vscdb")
	if err := os.WriteFile(alone, main, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := value(t, openRead(t, alone), query); got != "1" {
		t.Errorf("without the -wal: %s rows, want 1", got)
	}
}

// TestValuesAreJSON: all that is not a case is valid JSON, names no field twice and keeps its texts.
func TestValuesAreJSON(t *testing.T) {
	p := New(Options{Seed: 11, Messages: 1200, NoCases: true})
	n := 0
	for r := range p.globalRows() {
		key, _ := r.Key.(string)
		s, ok := r.Value.(string)
		if !ok || strings.HasPrefix(key, "composer.content.") || strings.HasPrefix(key, "ofsContent:") {
			continue
		}
		n++
		if err := noTwins(json.NewDecoder(strings.NewReader(s))); err != nil {
			t.Fatalf("%s: %v\n%.400s", key, err, s)
		}
	}
	if n < 1000 {
		t.Errorf("only %d values were looked at", n)
	}
	for _, c := range p.chats {
		for _, m := range c.msgs {
			var got map[string]any
			if err := json.Unmarshal(m.json(nil), &got); err != nil {
				t.Fatal(err)
			}
			field := m.textIn
			if field == "" {
				field = "text"
			}
			if got[field] != m.text {
				t.Fatalf("text %q came out as %q", m.text, got[field])
			}
			if len(got) < 60 {
				t.Fatalf("a bubble with %d fields", len(got))
			}
		}
	}
}

// noTwins reads one value, and fails where it is not JSON or an object names a field twice.
func noTwins(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := t.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[any]bool{}
	for d.More() {
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			if seen[name] {
				return fmt.Errorf("%v is there twice", name)
			}
			seen[name] = true
		}
		if err := noTwins(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

func TestCanariesAreInTheStore(t *testing.T) {
	dir := t.TempDir()
	if err := New(Options{Seed: 1}).Write(dir); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(storePath(dir, "global"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Canaries() {
		if !strings.Contains(string(file), c) {
			t.Errorf("%s is not in the store", c)
		}
	}
}

func TestDistribution(t *testing.T) {
	w := New(Options{Seed: 4, Messages: 20_000, NoCases: true}).Want()
	share := func(of string, f func(MessageWant) bool) float64 {
		n := 0
		for _, m := range w.Messages {
			if f(m) {
				n++
			}
		}
		t.Logf("%s: %d of %d", of, n, len(w.Messages))
		return float64(n) / float64(len(w.Messages))
	}
	within := func(got, want, tolerance float64, of string) {
		if got < want-tolerance || got > want+tolerance {
			t.Errorf("%s: %.3f, want %.3f", of, got, want)
		}
	}
	within(share("tool calls", func(m MessageWant) bool { return m.Kind == "tool_call" }), 0.39, 0.02, "tool calls")
	within(share("user", func(m MessageWant) bool { return m.Role == "user" }), 0.05, 0.01, "user")
	within(share("thinking", func(m MessageWant) bool { return m.Thinking != "" }), 0.27, 0.03, "thinking")
	within(float64(w.Placeholders)/float64(w.Placeholders+len(w.ToolCalls)), 0.36, 0.03,
		"placeholders among toolFormerData")
	for _, f := range []string{"chat_tab", "inline", "map", "rows"} {
		if !slices.ContainsFunc(w.Conversations, func(c ConversationWant) bool { return c.Format == f }) {
			t.Errorf("no conversation of format %s", f)
		}
	}
	for _, s := range []string{"message", "header", "timing", "previous", "conversation"} {
		if share(s, func(m MessageWant) bool { return m.CreatedSource == s }) == 0 {
			t.Errorf("no message has its time from %s", s)
		}
	}
	for _, s := range []string{"headers_table", "composer", "headers_item", "pane", "workspace_list", "parent"} {
		if !slices.ContainsFunc(w.Conversations, func(c ConversationWant) bool { return c.ProjectSource == s }) {
			t.Errorf("no conversation has its project from %s", s)
		}
	}
}
