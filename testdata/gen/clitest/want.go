package clitest

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// Want is what a warehouse of the home must hold: live rows, as column and text. Null stands for NULL, times are
// milliseconds since 1970, columns of JSON are in the form of graphtest.Canonical. A row lacks the columns of which the
// description does not say what they must hold.
type Want struct {
	Conversations []map[string]string // by id
	Messages      []map[string]string // by conversation and position
	ToolCalls     []map[string]string // by conversation, and the position of their message
	Sources       []map[string]string // places: those of chats without counts
	Quarantine    []map[string]string // lines of transcripts
}

// Want is the truth of the home.
func (h *Home) Want() *Want {
	w := &Want{}
	chats := slices.Clone(h.Chats)
	slices.SortFunc(chats, func(a, b *Chat) int { return cmp.Compare(a.ID, b.ID) })
	for _, c := range chats {
		if c.NoStore {
			continue
		}
		row := c.conversation(h.known())
		w.Conversations = append(w.Conversations, row)
		if c.readable() {
			t := teller{chat: c, of: row, want: w, running: map[string]bool{}}
			for _, p := range c.pendingCalls() {
				t.running[p.ToolCallID] = true
			}
			t.tell()
		}
	}
	w.Sources = h.sources()
	h.tellTranscripts(w)
	return w
}

// known are the working directories that meta.json files name, by the names of their folders.
func (h *Home) known() map[string]string {
	all := map[string]string{}
	for _, c := range h.Chats {
		if c.File != nil && c.File.CWD != "" && !c.NoStore {
			all[folderOf(c.File.CWD)] = c.File.CWD
		}
	}
	return all
}

// readable reports whether there is a graph, and it can be read.
func (c *Chat) readable() bool { return !c.Sealed && !c.NoRoot }

// modes are the names of a root's modes.
var modes = []string{"", "agent", "ask", "plan", "debug", "triage", "project"}

// conversation is the row of a chat.
func (c *Chat) conversation(known map[string]string) map[string]string {
	g := c.Graph
	if !c.readable() {
		g = graphtest.Chat{} // nothing is known of it
	}
	title, created, updated, fileTitle := c.Meta.Title, c.Meta.Created, int64(0), ""
	if title == "New Agent" {
		title = ""
	}
	if c.File != nil {
		fileTitle = c.File.Title
		if !c.ACP {
			created, updated = cmp.Or(created, c.File.Created), c.File.Updated // that of an ACP session has no times
		}
	}
	kind := "cli_store"
	if c.ACP {
		kind = "acp_store"
	}
	row := map[string]string{
		"conversation_id": c.ID, "title": orNull(cmp.Or(title, fileTitle)),
		"mode": orNull(cmp.Or(modes[g.Mode], c.Meta.Mode)), "model": orNull(c.Meta.Model),
		"created_at": number(cmp.Or(created, g.StartedAt)), "updated_at": number(updated),
		"root_blob": orNull(c.rootBlob()), "started_time_zone": orNull(g.TimeZone), "store_kind": kind,
		"format": "graph", "summary": orNull(summary(g)), "context_tokens_used": Null, "context_token_limit": Null,
	}
	if g.Used != 0 {
		row["context_tokens_used"], row["context_token_limit"] = number(g.Used), number(g.Max)
	}
	c.project(row, g, known)
	c.state(row)
	return row
}

// summary is the text of the archive, else that of the root.
func summary(g graphtest.Chat) string {
	said := func(t graphtest.Turn) bool { return t.Shell == nil } // no message is about a command of the user
	if !g.NoMessages && slices.ContainsFunc(g.Turns[:g.Archived], said) {
		return cmp.Or(g.Summarized, g.Summary)
	}
	return g.Summary
}

// state says how complete the conversation is, and whether it has ended.
func (c *Chat) state(row map[string]string) {
	switch {
	case c.NoRoot:
		return
	case c.Sealed:
		row["completeness"] = "unreadable"
		return
	}
	row["completeness"], row["status"] = "complete", "completed"
	if c.damaged() {
		row["completeness"] = "partial"
	}
	if c.running() {
		row["completeness"], row["status"] = "in_progress", "in_progress"
	}
}

// damaged reports whether a node of the graph cannot be read.
func (c *Chat) damaged() bool {
	return len(c.Lost) > 0 || slices.ContainsFunc(c.Graph.Turns, func(t graphtest.Turn) bool {
		return slices.ContainsFunc(t.Steps, func(s graphtest.Step) bool { return s.Kind == "bad" })
	})
}

// running reports whether a call is pending, or the last tool step has no result.
func (c *Chat) running() bool {
	for _, t := range slices.Backward(c.Graph.Turns) {
		for _, s := range slices.Backward(t.Steps) {
			if s.Kind == "tool" {
				return len(c.Graph.Pending) > 0 || s.Call.NoResult && s.To == 0
			}
		}
	}
	return len(c.Graph.Pending) > 0
}

// project is where the chat was held, by meta.json, else by the root, else by another chat with the same working
// directory.
func (c *Chat) project(row map[string]string, g graphtest.Chat, known map[string]string) {
	row["project_path"], row["project_uri"], row["project_source"], row["git_branch"] = Null, Null, Null, Null
	cwd, source := "", ""
	switch {
	case c.File != nil && c.File.CWD != "":
		cwd, source = c.File.CWD, "cli_meta"
	case len(g.Workspaces) > 0:
		path, err := url.PathUnescape(strings.TrimPrefix(g.Workspaces[0], "file://"))
		if err != nil {
			panic(err)
		}
		cwd, source = path, "graph"
	case !c.ACP && known[folderOf(c.CWD)] != "":
		cwd, source = c.CWD, "slug"
	}
	if cwd != "" {
		row["project_path"], row["project_uri"], row["project_source"] = cwd, "file://"+cwd, source
	}
	for _, b := range g.Branches {
		if b[0] == cwd {
			row["git_branch"] = b[1]
		}
	}
}

// orNull is a text, or Null for the empty one: a warehouse has no empty texts.
func orNull(s string) string { return cmp.Or(s, Null) }

// number is a number as text, or Null for 0: Cursor does not write a 0.
func number(n int64) string {
	if n == 0 {
		return Null
	}
	return strconv.FormatInt(n, 10)
}
