package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestNights: a night touches the rows that it is named for, in as many conversations as it says, and no others.
func TestNights(t *testing.T) {
	long(t)
	t.Parallel()
	user := filepath.Join(t.TempDir(), "User")
	if _, err := real(context.Background(), taskOptions{dir: user, messages: realMessages, seed: 3}); err != nil {
		t.Fatal(err)
	}
	before := keyed(t, user)
	bubbles := 0
	for key := range before {
		if strings.HasPrefix(key, "bubbleId:") {
			bubbles++
		}
	}
	for mark, test := range []struct {
		task                    string
		heads, bubbles, changed func(n int) bool
	}{
		{"rename", is(1), is(0), is(1)},
		{"write", is(realChats), is(realChats), is(realChats)}, // there are fewer than longChats
		{"work", is(realChats), is(realChats), is(realChats)},
		{"spread", is(0), func(n int) bool { return n > 0 && n <= bubbles/50 }, is(realChats / 3)},
	} {
		r, err := tasks[test.task](context.Background(), taskOptions{dir: user, share: 1. / 3, mark: mark + 1})
		if err != nil {
			t.Fatal(err)
		}
		after, heads, rows, touched := keyed(t, user), 0, 0, map[string]bool{}
		for key, row := range after {
			if row == before[key] {
				continue
			}
			touched[chatOf(key)] = true
			switch {
			case strings.HasPrefix(key, "composerData:"):
				heads++
			case strings.HasPrefix(key, "bubbleId:"):
				rows++
			default:
				t.Errorf("%s has touched %s", test.task, key)
			}
		}
		if !test.heads(heads) || !test.bubbles(rows) || !test.changed(len(touched)) ||
			r.Counts["changed"] != int64(len(touched)) || r.Rows != int64(heads+rows) ||
			len(after)-len(before) != int(r.Counts["messages"]) {
			t.Errorf("%s has touched %d documents and %d messages of %d conversations; it says %+v", test.task,
				heads, rows, len(touched), r)
		}
		before = after
	}
}

func is(want int) func(int) bool { return func(n int) bool { return n == want } }
