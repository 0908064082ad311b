package main

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"pipeline/testdata/gen/storetest"
)

// TestTerminal: whatever a chat, a key or a name holds, no command sends a character to a terminal that steers it.
// Programs get it as it is.
func TestTerminal(t *testing.T) {
	w := newCLITest(t)
	const evil = "\x1b]0;title\x07\x1b[31mred\x1b[2J\r\b\x7f\u009b31m\u202e=cmd()"
	quoted := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\r", `\r`, "\b", `\b`, "\x7f", `\u007f`).
		Replace(evil)
	rows := []storetest.Row{{Key: "composerData:evil" + evil,
		Value: `{"name":"` + quoted + `","createdAt":1760000000000,"fullConversationHeadersOnly":[{"bubbleId":"m"}]}`},
		{Key: "bubbleId:evil" + evil + ":m", Value: `{"type":1,"text":"` + quoted + `"}`},
		{Key: "bubbleId:evil" + evil + ":bad", Value: evil}}
	w.store(rows, storetest.StoreOptions{Exec: []string{`CREATE TABLE "` + evil + `" (x)`}})
	w.user = strings.TrimSuffix(w.user, "/")
	all := ""
	hear := func(printed, said string) { all += printed + said }
	hear(w.run(0, "--dry-run"))
	hear(w.run(0))
	hear(w.does(0, "sql", "--warehouse", w.warehouse, "--max-width", "0",
		"FROM list_messages('evil"+strings.ReplaceAll(evil, "'", "''")+"')"))
	hear(w.does(0, "sql", "--warehouse", w.warehouse, "--max-width", "0", "SELECT key, head FROM quarantine"))
	hear(w.does(1, "sql", "--warehouse", w.warehouse, "SELECT "+evil))
	hear(w.does(0, "search", "--warehouse", w.warehouse, "red cmd"))
	hear(w.does(0, "show", "--warehouse", w.warehouse, "--last"))
	hear(w.does(0, "history", "--warehouse", w.warehouse, "evil"+evil))
	hear(w.does(0, "history", "--warehouse", w.warehouse, "bubbleId:evil"+evil+":bad"))
	hear(w.does(1, "history", "--warehouse", w.warehouse, "nothing"+evil))
	hear(w.does(0, "check", "--deep", "--warehouse", w.warehouse, "--source", "test="+w.user))
	hear(w.does(2, "run", "--project", evil, "--source", "test="+w.user, "--warehouse", w.warehouse))
	hear(w.does(3, "run", "--source", filepath.Join(w.dir, evil), "--warehouse", w.warehouse))
	hear(w.does(2, evil))
	if at := strings.IndexFunc(all, func(r rune) bool {
		return r != '\n' && unicode.IsControl(r) || r == 0x202e
	}); at >= 0 {
		t.Errorf("printed: %q", all[max(0, at-200):min(len(all), at+60)])
	}
	if !strings.Contains(all, "␛[31mred") {
		t.Error("the text is not shown at all")
	}
	// asked for, byte for byte
	printed, _ := w.does(0, "history", "--warehouse", w.warehouse, "bubbleId:evil"+evil+":bad", "--show", "last")
	w.same("the value", evil, strings.TrimSuffix(printed, "\n"))
	printed, _ = w.does(0, "sql", "--warehouse", w.warehouse, "--json", "SELECT text FROM live_messages")
	if strings.ContainsRune(printed, '\x1b') || !strings.Contains(printed, `\u001b[31mred`) {
		t.Errorf("as JSON: %q", printed)
	}
}
