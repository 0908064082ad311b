package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/engine"
	"pipeline/load/push"
	"pipeline/load/reader"
	"pipeline/load/redact"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file says what a push would take out of texts, and where the texts are.

// A redaction is what a rule takes out of the texts of a column, in a message or a conversation if the row is of one.
type redaction struct {
	Rule           redact.Rule `json:"rule"`
	Column         string      `json:"column"` // with its table, such as messages.text
	ConversationID string      `json:"conversation_id,omitempty"`
	MessageID      string      `json:"message_id,omitempty"`
	Begins         string      `json:"begins"` // the first characters of what is taken out
	Count          int         `json:"count"`
}

// shownPush is what --json prints with --show-redactions.
type shownPush struct {
	*push.Result
	Redactions []redaction `json:"redactions"`
}

// redactions collects what is taken out. A push redacts texts and does not say of which row one is, so the rows are
// looked for when it has ended.
type redactions struct {
	people *redact.People
	mu     sync.Mutex
	found  map[string]map[textSum][]redaction // by column, and by the text that something was found in
	hidden map[redaction]int                  // names of denied projects
}

type textSum [sha256.Size]byte

// shownOfSecret is how many characters of a secret are shown at most.
const shownOfSecret = 4

// beginning is what is shown of something that is taken out: no more than a third.
func beginning(text string) string {
	all := []rune(text)
	return string(all[:min(shownOfSecret, len(all)/3)])
}

// hide notes that the name of a denied project is taken out.
func (f *redactions) hide(name, column string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.hidden == nil {
		f.hidden = map[redaction]int{}
	}
	f.hidden[redaction{Rule: "project", Column: column, Begins: beginning(name)}]++
}

// take is a text without secrets. What is taken out of it is noted.
func (f *redactions) take(text, column string) string {
	var taken []redaction
	for _, found := range f.people.Find(text) {
		taken = append(taken, redaction{Rule: found.Rule, Column: column,
			Begins: beginning(text[found.Start:found.End])})
	}
	if taken == nil {
		return text
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.found == nil {
		f.found = map[string]map[textSum][]redaction{}
	}
	if f.found[column] == nil {
		f.found[column] = map[textSum][]redaction{}
	}
	f.found[column][sha256.Sum256([]byte(text))] = taken
	return f.people.Text(text)
}

// places says in which rows of the warehouse the texts are, but for rows of projects that are not allowed. A row that
// was pushed before is among them if it has a text that is to be pushed now.
func (f *redactions) places(ctx context.Context, warehouse string, allowed func(push.Project) bool) (out []redaction,
	err error) {
	out = []redaction{}
	if len(f.found)+len(f.hidden) == 0 {
		return out, nil
	}
	r, err := reader.Open(ctx, warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	denied, count := map[string]bool{}, map[redaction]int{}
	maps.Copy(count, f.hidden)
	if err := sqlrows.Each(ctx, r.Conn(),
		`SELECT conversation_id, coalesce(project_uri, ''), coalesce(project_path, ''), coalesce(project, '') FROM conversations`, func(rows *sql.Rows) error {
			var id string
			var p push.Project
			err := rows.Scan(&id, &p.URI, &p.Path, &p.Name)
			denied[id] = denied[id] || !allowed(p)
			return err
		}); err != nil {
		return nil, err
	}
	for column, texts := range f.found {
		if err := sqlrows.Each(ctx, r.Conn(), rowsWith(column), func(rows *sql.Rows) error {
			var at redaction
			var text string
			err := rows.Scan(&at.ConversationID, &at.MessageID, &text)
			for _, taken := range texts[sha256.Sum256([]byte(text))] {
				if taken.ConversationID, taken.MessageID = at.ConversationID, at.MessageID; !denied[at.ConversationID] {
					count[taken]++
				}
			}
			return err
		}); err != nil {
			return nil, err
		}
	}
	for at, n := range count {
		at.Count = n
		out = append(out, at)
	}
	slices.SortFunc(out, func(a, b redaction) int {
		return cmp.Or(strings.Compare(a.Rule, b.Rule), strings.Compare(a.Column, b.Column),
			strings.Compare(a.ConversationID, b.ConversationID), strings.Compare(a.MessageID, b.MessageID),
			strings.Compare(a.Begins, b.Begins))
	})
	return out, nil
}

// rowsWith is a query for the texts of a column, with the ids of their conversations and messages; "" where there is
// none.
func rowsWith(column string) string {
	table, name, _ := strings.Cut(column, ".")
	t, _ := schema.Lookup(table)
	id := func(column string) string {
		if t.Has(column) {
			return "coalesce(" + column + ", '')"
		}
		return "''"
	}
	name = engine.Identifier(name)
	return fmt.Sprintf("SELECT %s, %s, CAST(%s AS VARCHAR) FROM %s WHERE %s IS NOT NULL", id("conversation_id"),
		id("message_id"), name, table, name)
}

// printRedactions says what is taken out, a line for each place. Home folders are in most conversations, and no
// secrets: of them a line for each column is enough.
func printRedactions(w io.Writer, all []redaction) {
	homes, columns := map[string]int{}, []string(nil)
	for _, r := range all {
		if r.Rule == redact.Home {
			if homes[r.Column] == 0 {
				columns = append(columns, r.Column)
			}
			homes[r.Column] += r.Count
			continue
		}
		fmt.Fprintf(w, "  redacted       %s in %s: %s...", r.Rule, r.Column, term.Printable(r.Begins))
		for _, of := range [][2]string{{"conversation", r.ConversationID}, {"message", r.MessageID}} {
			if of[1] != "" {
				fmt.Fprintf(w, ", %s %s", of[0], term.Printable(of[1]))
			}
		}
		if r.Count > 1 {
			fmt.Fprintf(w, ", %d times", r.Count)
		}
		fmt.Fprintln(w)
	}
	for _, column := range columns {
		fmt.Fprintf(w, "  redacted       %s in %s: %s\n", redact.Home, column, term.Plural(homes[column], "place"))
	}
}
