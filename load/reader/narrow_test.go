package reader_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/warehouse"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// march is a moment of March 2025.
func march(day, hour, minute int) *schema.Millis {
	return ptr(schema.Millis(time.Date(2025, 3, day, hour, minute, 0, 0, time.UTC).UnixMilli()))
}

// narrowWarehouse has two conversations of shop, one on 3 March that goes on on the 12th, and one on the 12th, and one
// of blog on the 4th. Each prompt is followed by an answer two minutes later that calls tool go; the call fails on the
// 12th. A last message of the second has no time.
func narrowWarehouse(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w.duckdb")
	rows := &schema.Rows{}
	talk := func(id, project string, times ...*schema.Millis) {
		c := schema.Conversation{SourceID: "s", ConversationID: id, Title: &id, ProjectURI: ptr("file:///" + project),
			Project: &project, ProjectSource: ptr("workspace"), Format: "rows", CreatedAt: times[0]}
		for i, at := range times {
			for n, role := range []string{"user", "assistant"} {
				m := schema.Message{SourceID: "s", ConversationID: id, MessageID: fmt.Sprint(role, i),
					Position: ptr(int64(2*i + n)), IsListed: true, Role: role, Kind: "text", Text: &role,
					CreatedAtSource: ptr("message")}
				if at == nil {
					m.CreatedAtSource = nil
				} else {
					m.CreatedAt = ptr(*at + schema.Millis(n*120_000))
				}
				if rows.Messages = append(rows.Messages, m); n == 0 {
					continue
				}
				rows.ToolCalls = append(rows.ToolCalls,
					schema.ToolCall{SourceID: "s", ConversationID: id, MessageID: m.MessageID, Position: m.Position,
						Tool: ptr("go"), ToolKind: "shell", Name: ptr("go"),
						IsError: ptr(at != nil && *at >= *march(12, 0, 0))})
			}
		}
		c.HeaderCount = int64(2 * len(times))
		rows.Conversations = append(rows.Conversations, c)
	}
	talk("old", "shop", march(3, 9, 0), march(12, 9, 0), march(12, 9, 20))
	talk("new", "shop", march(12, 9, 10), nil)
	talk("post", "blog", march(4, 9, 0))
	w, err := warehouse.Open(t.Context(), path)
	must(t, err)
	tx, err := w.Begin(t.Context(), load.Settings{LoadID: 1, StartedAt: 1700000000000, SessionGapMs: 1_800_000})
	must(t, err)
	for _, c := range rows.Conversations {
		tx.Replace(schema.OwnerNamed(c.SourceID, "global", c.ConversationID))
	}
	must(t, tx.Write(rows))
	_, err = tx.Finish(t.Context())
	must(t, err)
	must(t, tx.Commit(t.Context(),
		load.Run{Load: schema.Load{LoadID: 1, StartedAt: 1700000000000, Status: "ok", Mode: "first",
			SchemaVersion: schema.Version}}))
	must(t, w.Close())
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// answerNamed is an answer or a short form.
func answerNamed(t *testing.T, name string) sql.File {
	t.Helper()
	all := slices.Concat(sql.Answers(), sql.Shorts())
	i := slices.IndexFunc(all, func(f sql.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no answer %s", name)
	}
	return all[i]
}

// TestNarrowed: an answer of a period, or of a project, counts what is in it.
func TestNarrowed(t *testing.T) {
	t.Parallel()
	path := narrowWarehouse(t)
	blog := []string{"file:///blog"}
	for _, c := range []struct {
		answer, columns string
		filter          reader.Filter
		want, left      string
	}{
		{"tool_failures_short", "tool, calls, failed, failed_percent, known", reader.Filter{}, "go 6 3 50 6", ""},
		{"tool_failures_short", "tool, calls, failed, failed_percent, known", reader.Filter{Since: march(12, 0, 0)},
			"go 3 3 100 3", "[{messages 2}]"},
		{"tool_failures", "tool, format_version, calls, failed", reader.Filter{Until: march(12, 0, 0)}, "go <nil> 2 0",
			"[{messages 2}]"},
		// the end is not in it
		{"tool_failures_short", "tool, calls, failed", reader.Filter{Since: march(12, 9, 2), Until: march(12, 9, 12)},
			"go 1 1", "[{messages 2}]"},
		{"tool_failures_short", "tool, calls, failed", reader.Filter{ProjectURIs: blog}, "go 1 0", ""},
		{"tool_failures_short", "tool, calls, failed", reader.Filter{ProjectURIs: blog, Since: march(12, 0, 0)}, "",
			""},
		// 9:00 to 9:22 on the 12th; the messages of the 3rd and the 4th are two minutes each
		{"hours_by_project", "project, active_ms, prompts", reader.Filter{}, "shop 1440000 5; blog 120000 1", ""},
		// from then on: 9:11 to 9:22
		{"hours_by_project", "project, active_ms, prompts", reader.Filter{Since: march(12, 9, 11)}, "shop 660000 1",
			"[{messages 2}]"},
		{"hours_by_project", "project, active_ms, prompts", reader.Filter{Until: march(12, 9, 1)},
			"shop 180000 2; blog 120000 1", "[{messages 2}]"},
		// the older conversation goes on in the week of the 10th, and does not begin in it
		{"sessions_per_week_short", "strftime(week, '%d'), conversations, prompts",
			reader.Filter{Since: march(11, 0, 0)}, "10 1 3", "[{messages 2}]"},
		{"sessions_per_week_short", "strftime(week, '%d'), conversations, prompts",
			reader.Filter{Until: march(9, 0, 0)}, "03 2 2", "[{messages 2}]"},
		{"session_lengths_short", "project, prompts", reader.Filter{Since: march(4, 0, 0), ProjectURIs: blog}, "blog 1",
			""},
	} {
		r, left, err := reader.OpenNarrowed(t.Context(), path, answerNamed(t, c.answer), c.filter)
		if err != nil {
			t.Fatalf("%s: %v", c.answer, err)
		}
		got, err := r.Query(t.Context(), "SELECT "+c.columns+" FROM "+reader.NarrowedView)
		if err != nil {
			t.Fatalf("%s: %v", c.answer, err)
		}
		var lines []string
		for _, row := range got.Rows {
			lines = append(lines, strings.TrimSuffix(fmt.Sprintln(row...), "\n"))
		}
		if diff := cmp.Diff(c.want, strings.Join(lines, "; ")); diff != "" {
			t.Errorf("%s of %+v (-want +got)\n%s", c.answer, c.filter, diff)
		}
		if text := fmt.Sprint(left); text != c.left && (left != nil || c.left != "") {
			t.Errorf("%s of %+v leaves out %s, not %s", c.answer, c.filter, text, c.left)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNarrowable: a rule is of a table, and an answer about the store or about runs is refused, as is one of a project
// whose rows belong to none.
func TestNarrowable(t *testing.T) {
	t.Parallel()
	for _, name := range reader.Rules() {
		if !slices.ContainsFunc(schema.Tables(), func(table schema.Table) bool { return table.Object() == name }) {
			t.Errorf("narrowtables.go has %s, which is no table", name)
		}
	}
	since, project := reader.Filter{Since: march(1, 0, 0)}, reader.Filter{ProjectURIs: []string{"file:///shop"}}
	var refused, withoutProject []string
	for _, answer := range sql.Answers() {
		if reader.Narrowable(answer, since) != nil {
			refused = append(refused, answer.Name)
		} else if reader.Narrowable(answer, project) != nil {
			withoutProject = append(withoutProject, answer.Name)
		}
	}
	if diff := cmp.Diff("storage_by_conversation storage_by_family storage_by_project storage_growth "+
		"changes_since_last_run row_changes", strings.Join(refused, " ")); diff != "" {
		t.Errorf("cannot be narrowed (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff("edit_acceptance_per_day commit_attribution", strings.Join(withoutProject, " ")); diff != "" {
		t.Errorf("not by project (-want +got)\n%s", diff)
	}
}
