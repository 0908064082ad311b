package pipelines_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// publishing has a run publish Parquet in a folder.
func publishing(dir string) func(*pipelines.Options) {
	return func(o *pipelines.Options) { o.Publish = parquetIn(dir) }
}

// mcpCalls are the calls of MCP tools, with their servers.
const mcpCalls = `SELECT conversation_id, message_id, name, mcp_server, mcp_tool, mcp_server_source FROM `

// publishedRows are the rows of a query (up to its FROM, and what follows the table) over a table of a folder's files.
func publishedRows(t *testing.T, folder, query, table, where string) (out [][]string) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	must(t, err)
	rows, err := db.Query(query + "read_parquet('" + filepath.Join(folder, "current", table, "**", "*.parquet") +
		"') " + where)
	must(t, err)
	columns, err := rows.Columns()
	must(t, err)
	for rows.Next() {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		must(t, rows.Scan(into...))
		row := make([]string, len(cells))
		for i, c := range cells {
			if row[i] = c.String; !c.Valid {
				row[i] = "NULL"
			}
		}
		out = append(out, row)
	}
	must(t, errors.Join(rows.Err(), rows.Close(), db.Close()))
	return out
}

// TestMcpServers: a server that a call's name begins with is found when another conversation or the settings name it in
// a later night, and forgotten when nothing names it any more. The live rows are always those of a first load, and
// those that are published.
func TestMcpServers(t *testing.T) {
	long(t)
	t.Parallel()
	all, user := filepath.Join(t.TempDir(), "all"), filepath.Join(t.TempDir(), "mira")
	must(t, storetest.New(storetest.Options{Seed: 3, Messages: 60}).Write(all))
	must(t, os.CopyFS(user, os.DirFS(all)))
	const naming = "key LIKE 'bubbleId:%' AND (value LIKE '%:\\\"ida-pro\\\"%' OR value LIKE '%\"post-gres\"%' OR " +
		"value LIKE '%server\\\":\\\"acme-docs%')"
	from := "SELECT * FROM whole."
	nights := [][]string{
		{"DELETE FROM cursorDiskKV WHERE " + naming, "DELETE FROM ItemTable WHERE key = 'mcpService.knownServerIds'"},
		{"ATTACH '" + filepath.Join(all, "globalStorage", "state.vscdb") + "' AS whole",
			"INSERT INTO cursorDiskKV " + from + "cursorDiskKV WHERE " + naming},
		{"ATTACH '" + filepath.Join(all, "globalStorage", "state.vscdb") + "' AS whole",
			"INSERT INTO ItemTable " + from + "ItemTable WHERE key = 'mcpService.knownServerIds'"},
		{"DELETE FROM cursorDiskKV WHERE " + naming},
		{"DELETE FROM ItemTable WHERE key = 'mcpService.knownServerIds'"},
	}
	published := filepath.Join(t.TempDir(), "published")
	l := newFixture(t)
	var servers []string
	for night, statements := range nights {
		storeOps(t, user, statements...)
		l.run(nil, fromUsers(t, user), publishing(published))
		first := newFixture(t)
		ahead := filepath.Join(t.TempDir(), fmt.Sprint("ahead", night))
		first.run(nil, fromUsers(t, user), publishing(ahead))
		const live = "tool_calls WHERE deleted_at IS NULL AND tool_kind = 'mcp' ORDER BY ALL"
		same(t, fmt.Sprint("night ", night, ": a first load"), first.ask(mcpCalls+live), l.ask(mcpCalls+live))
		for folder, of := range map[string]*fixture{published: l, ahead: first} {
			same(t, fmt.Sprint("night ", night, ": published in ", filepath.Base(folder)),
				of.ask(mcpCalls+"tool_calls WHERE tool_kind = 'mcp' ORDER BY ALL"),
				publishedRows(t, folder, mcpCalls, "tool_calls", "WHERE tool_kind = 'mcp' ORDER BY ALL"))
		}
		var now string
		for _, name := range []string{"mcp-ida-pro-decompile", "mcp_post-gres_query", "mcp-acme-docs-search",
			"mcp_figma-dev_get_frame"} {
			for _, row := range l.ask("SELECT DISTINCT mcp_server FROM tool_calls WHERE deleted_at IS NULL AND " +
				"params IN ('{}', '{\"tools\":[]}') AND name = '" + name + "'") {
				now += row[0] + " "
			}
		}
		servers = append(servers, now)
	}
	want := []string{"ida post acme figma ", "ida-pro post-gres acme-docs figma ",
		"ida-pro post-gres acme-docs figma-dev ", "ida post acme figma-dev ", "ida post acme figma "}
	if !slices.Equal(servers, want) {
		t.Errorf("the servers by night:\n%q, want\n%q", servers, want)
	}
	if r := l.run(nil, fromUsers(t, user)); r.Conversations.Changed != 0 {
		t.Errorf("a run without changes: %+v", r.Conversations)
	}
}
