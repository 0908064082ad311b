package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestChangedFile: whatever was there and whatever is written, in whatever pieces, the file is what was written; it is
// touched where it differs only.
func TestChangedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	path := filepath.Join(dir, "f")
	for _, test := range []struct {
		had  any // nil: nothing
		want string
	}{
		{nil, "abc"}, {nil, ""}, {"", "abc"}, {"abc", "abc"}, {"abc", "abd"}, {"abc", "ab"}, {"ab", "abc"}, {"abc", ""},
		{"xbc", "abc"},
	} {
		for size := 1; size <= 3; size++ {
			_ = os.Remove(path)
			if had, ok := test.had.(string); ok {
				must(t, os.WriteFile(path, []byte(had), 0o600))
			}
			written, err := writeChanged(root, "f", func(w io.Writer) (bool, error) {
				for at := 0; at < len(test.want); at += size {
					if _, err := io.WriteString(w, test.want[at:min(at+size, len(test.want))]); err != nil {
						return false, err
					}
				}
				return true, nil
			})
			got, readErr := os.ReadFile(path)
			if err != nil || readErr != nil || string(got) != test.want || written != (test.had != any(test.want)) {
				t.Errorf("%v became %q by pieces of %d, written: %t; want %q; %v %v", test.had, got, size, written,
					test.want, err, readErr)
			}
		}
	}
	written, err := writeChanged(root, "f", func(w io.Writer) (bool, error) {
		_, err := io.WriteString(w, "torn")
		return false, err
	})
	if written || err != nil || len(folder(t, dir)) != 1 {
		t.Errorf("what is not kept: written %t, %v, %v", written, err, folder(t, dir))
	}
}

// TestLongConversation: a conversation of more messages than are held is shown and exported whole, in its order, in
// every format, and a second export finds its file as it is.
func TestLongConversation(t *testing.T) {
	long(t)
	w := newCLITest(t)
	const messages, lost = 3000, 7
	w.must(storetest.Long{Messages: messages, Lost: lost}.Write(w.user))
	w.run(0)
	var object struct {
		Messages []struct {
			ID       string `json:"message_id"`
			Position int    `json:"position"`
			Calls    []any  `json:"tool_calls"`
		} `json:"messages"`
		LeftOut struct {
			Abandoned int `json:"abandoned"`
		} `json:"left_out"`
	}
	printed, _ := w.does(0, "show", "--last", "--json", "--warehouse", w.warehouse)
	w.must(json.Unmarshal([]byte(printed), &object))
	calls := 0
	for i, m := range object.Messages {
		if calls += len(m.Calls); m.ID != (storetest.Long{}).MessageID(i) || m.Position != i {
			t.Fatalf("message %d is %s at %d", i, m.ID, m.Position)
		}
	}
	w.same("messages, left behind, calls", fmt.Sprint(messages, lost, messages*4/10),
		fmt.Sprint(len(object.Messages), object.LeftOut.Abandoned, calls))
	var compact bytes.Buffer
	w.must(json.Compact(&compact, []byte(printed)))
	line, _ := w.does(0, "export", "conversations", "--format", "jsonl", "--warehouse", w.warehouse)
	// a file of many lines has no version in each
	w.same("the line and the object", strings.Replace(compact.String(), `"schema_version":1,`, "", 1)+"\n", line)
	for range 2 {
		said, _ := w.does(0, "export", "conversations", "--format", "jsonl", "--out", filepath.Join(w.dir, "chats"),
			"--warehouse", w.warehouse)
		t.Log(said)
	}
	page, _ := w.does(0, "show", "--last", "--html", "--warehouse", w.warehouse)
	for i := range messages {
		if at := strings.Index(page, `<section class="message `); at < 0 ||
			!strings.Contains(page[at:at+300], `id="id-`+(storetest.Long{}).MessageID(i)+`"`) {
			t.Fatalf("the page has another message than %d", i)
		} else {
			page = page[at+1:]
		}
	}
	for _, text := range folder(t, filepath.Join(w.dir, "chats")) {
		w.same("the file and the line", line, text)
	}
}
