package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/redact/redacttest"
	"pipeline/testdata/gen/storetest"
)

// A listedSecret is a row of pipeline secrets --json.
type listedSecret struct {
	CreatedAt      string `json:"created_at"`
	Rule           string `json:"rule"`
	Begins         string `json:"begins"`
	Count          int    `json:"count"`
	FoundIn        string `json:"found_in"`
	ConversationID string `json:"conversation_id"`
	Title          string `json:"title"`
	MessageID      string `json:"message_id"`
	SourceID       string `json:"source_id"`
}

// secrets lists what the command finds.
func (w *cliTest) secrets(args ...string) (rows []listedSecret) {
	w.t.Helper()
	printed, _ := w.does(0, append([]string{"secrets", "--json", "--warehouse", w.warehouse}, args...)...)
	var found struct {
		Rows  []listedSecret `json:"rows"`
		Total int            `json:"total_rows"`
	}
	w.must(json.Unmarshal([]byte(printed), &found))
	if found.Total != len(found.Rows) {
		w.t.Errorf("%d rows of %d", len(found.Rows), found.Total)
	}
	return found.Rows
}

// TestSecrets: each secret is listed with where it is, once for a text; a title that ends within one shows nothing of
// it; the flags choose texts.
func TestSecrets(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	key := "AK" + "IA" + "QX5ZNB7MDK3WTRJ2"
	rows := slices.Concat(talk("old", "nothing here"), talk("new", "my key is "+key+", again "+key, "it works"))
	for i := range rows {
		rows[i].Value = strings.NewReplacer(`"name":"new"`, `"name":"Why does `+key[:9]+`"`,
			`"name":"old"`, `"name":"the old one"`).Replace(rows[i].Value.(string))
		if rows[i].Key == "bubbleId:old:old-a" {
			rows[i].Value = `{"type":2,"createdAt":"2025-03-01T10:00:00.000Z","toolFormerData":{"tool":15,` +
				`"name":"run_terminal_cmd","status":"completed","params":"{\"command\":\"redis-cli -a q7xkw93hfb ping\"}"}}`
		}
	}
	w.store(rows, storetest.StoreOptions{})
	w.run(0, "--quiet")
	got := w.secrets()
	for i := range got {
		w.same("source", w.ask("FROM (SELECT DISTINCT source_id FROM conversations)")[0][0], got[i].SourceID)
		got[i].SourceID = ""
	}
	const then, now = "2025-03-01T10:00:00Z", "2025-10-09T08:53:20Z"
	w.same("the list", []listedSecret{
		{now, "aws-access-token", "AKIA", 2, "messages.text", "new", "Why does [redacted:aws-access-token]", "new-a",
			""},
		{then, "command-login", "q7x", 1, "tool_calls.command", "old", "the old one", "old-a", ""},
		{then, "command-login", "q7x", 1, "tool_calls.params", "old", "the old one", "old-a", ""},
	}, got)
	for args, want := range map[string]int{"--since 2025-06-01": 1, "--until 2025-06-01": 2,
		"--since 2026-01-01": 0} {
		if n := len(w.secrets(strings.Fields(args)...)); n != want {
			t.Errorf("%s: %d places, want %d", args, n, want)
		}
	}
	table, _ := w.does(0, "secrets", "--warehouse", w.warehouse)
	if !strings.Contains(table, "\n2 secrets in 3 texts\n") {
		t.Errorf("no total: %s", table)
	}
	if table, _ = w.does(0, "secrets", "--warehouse", w.warehouse, "--since", "2026-01-01"); !strings.Contains(table,
		"(0 rows)\nNo secret is recognised.\n") {
		t.Errorf("of no secret it says %s", table)
	}
	w.does(exitUsage, "secrets", "--warehouse", w.warehouse, "--source", "nobody")
}

// TestSecretsAreNotShown: of every kind of secret that redaction takes out, no output has more than four characters.
func TestSecretsAreNotShown(t *testing.T) {
	long(t)
	w := newCLITest(t)
	secrets := redacttest.Secrets(9)
	w.plantedStore(secrets, storetest.Options{Seed: 4, Messages: 20})
	w.run(0, "--quiet")
	rows := w.secrets()
	here := map[string]int{}
	for _, row := range rows {
		here[row.FoundIn+row.MessageID+row.ConversationID]++
		if len([]rune(row.Begins)) > 4 {
			t.Errorf("%s shows %q", row.Rule, row.Begins)
		}
	}
	most := 0
	for _, n := range here {
		most = max(most, n)
	}
	if most < len(secrets)*3/4 { // some are the beginning of others, or beside another in one
		t.Errorf("the text that has one of each of %d kinds has %d", len(secrets), most)
	}
	all := ""
	for _, format := range []string{"table", "csv"} {
		file := filepath.Join(w.dir, "secrets."+format)
		w.does(0, "secrets", "--format", format, "--max-width", "0", "-o", file, "--warehouse", w.warehouse)
		text, err := os.ReadFile(file)
		w.must(err)
		all += string(text)
		if format == "csv" {
			lines, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
			w.must(err)
			w.same("rows of CSV", len(rows)+1, len(lines))
		}
	}
	for kind, around := range redacttest.Leaks(all, secrets) {
		t.Errorf("%s: %q", kind, around)
	}
	shown := map[string]bool{}
	for i := 0; i+8 <= len(all); i++ {
		shown[all[i:i+8]] = true
	}
	for _, s := range secrets {
		for i := 0; i+8 <= len(s.Secret); i++ {
			if piece := s.Secret[i : i+8]; shown[piece] && !strings.Contains(piece, "--") && piece != "https://" {
				t.Errorf("%s: %q is shown", s.Kind, piece)
				break
			}
		}
	}
	project := w.ask(`SELECT project_uri FROM conversations WHERE project_uri IS NOT NULL GROUP BY ALL
		ORDER BY count(*) DESC LIMIT 1`)[0][0]
	of := map[string]bool{}
	for _, row := range w.ask(fmt.Sprintf(
		"SELECT source_id || conversation_id FROM conversations WHERE project_uri = '%s'", project)) {
		of[row[0]] = true
	}
	want := slices.DeleteFunc(slices.Clone(rows), func(row listedSecret) bool {
		return !of[row.SourceID+row.ConversationID]
	})
	w.same("those of a project", want, w.secrets("--project", project))
}
