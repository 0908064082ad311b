package search

import (
	"context"
	dbsql "database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/textindex"
	"pipeline/load/tool/sqlrows"
)

// This file searches without an index.

// scannedAtMost is how many messages that may match are looked at, the newest ones.
const scannedAtMost = 1_000

// scan finds the messages that match a query (see textindex.Parse) without an index: what was said before what tools
// were given and gave back, whole words before beginnings, and of equals the newest first. It reads the texts of all
// messages, so it takes time in proportion to the warehouse: callers bound it with the context. It shows what Cursor
// has now, whatever the options say of deleted messages.
func scan(ctx context.Context, r *reader.Reader, text string, o Options) (out Found, err error) {
	out.Hits = []Hit{}
	query, err := textindex.Parse(text)
	if err != nil {
		return out, err
	}
	loose, isLoose := query.Loose()
	if !isLoose {
		loose = query
	}
	statement, args := o.candidates(loose)
	looked := 0
	var ranked [4][]Hit
	err = sqlrows.Each(ctx, r.Conn(), statement, func(rows *dbsql.Rows) error {
		var h Hit
		var at *int64
		var fields textindex.Fields
		if err := rows.Scan(&h.SourceID, &h.ConversationID, &h.MessageID, &at, &h.Position, &h.Role, &h.Kind, &h.Title,
			&h.Project, &h.Tool, &fields[0], &fields[1], &fields[2], &fields[3], &fields[4]); err != nil {
			return err
		}
		looked++
		fields[3], fields[4] = textindex.Leaves(fields[3]), textindex.Leaves(fields[4])
		all := o.searched(fields)
		said := all[:len(all)-o.ofTools()]
		var rank int
		switch { // as textindex.Index.Find ranks
		case query.Matches(said...):
		case loose.Matches(said...):
			rank = 1
		case query.Matches(all...):
			rank = 2
		case loose.Matches(all...):
			rank = 3
		default:
			return nil
		}
		if at != nil {
			created := time.UnixMilli(*at).UTC().Format(hitTime)
			h.Created = &created
		}
		found := query
		if rank%2 == 1 {
			found = loose
		}
		h.FoundIn, h.Snippet = o.bestSnippet(found, fields)
		ranked[rank] = append(ranked[rank], h)
		return nil
	}, args...)
	for r, of := range ranked { // as an index does it
		if r%2 == 0 || len(out.Hits) < min(o.Limit, textindex.Few) {
			out.Hits = append(out.Hits, of...)
		}
	}
	out.Matches = int64(len(out.Hits))
	out.More = len(out.Hits) > o.Limit || looked == scannedAtMost
	out.Hits = out.Hits[:min(len(out.Hits), o.Limit)]
	return out, err
}

// ofTools is how many of the searched fields are those of tools.
func (o Options) ofTools() (n int) {
	for i, name := range Fields() {
		if i >= textindex.FirstFields && (len(o.In) == 0 || slices.Contains(o.In, name)) {
			n++
		}
	}
	return n
}

// searched are the fields of a message that are looked into.
func (o Options) searched(fields textindex.Fields) (out []string) {
	for i, name := range Fields() {
		if len(o.In) == 0 || slices.Contains(o.In, name) {
			out = append(out, fields[i])
		}
	}
	return out
}

// candidates returns a statement for the messages that have the words of a query somewhere, as parts of longer words,
// too.
func (o Options) candidates(query textindex.Query) (statement string, args []any) {
	var conditions []string
	add := func(condition string, more ...any) {
		conditions, args = append(conditions, condition), append(args, more...)
	}
	said := o.Filter
	said.Since, said.Until, said.Tool = nil, nil, "" // in OfConversations, the times are those of a conversation
	conversations, more := said.OfConversations("c")
	add(conversations, more...)
	messages, more := said.OfMessages("m", "")
	add(messages, more...)
	if o.Tool != "" {
		add(calledWith("t.tool = ? OR t.name = ?"), o.Tool, o.Tool)
	}
	if o.SourceID != "" {
		add("m.source_id = ?", o.SourceID)
	}
	if o.Since != nil {
		add("epoch_ms(m.created_at) >= ?", int64(*o.Since))
	}
	if o.Until != nil {
		add("epoch_ms(m.created_at) < ?", int64(*o.Until))
	}
	for _, group := range query.Groups {
		add("(" + hasAny(group, "m.text", firstTitle, "m.thinking") + " OR " +
			calledWith(hasAny(group, "t.params", "t.result")) + ")")
	}
	return fmt.Sprintf(`WITH found AS (
			SELECT m.source_id, m.conversation_id, m.message_id, m.created_at, m.position, m.role, m.kind, c.display_title, c.project, m.text, `+firstTitle+` AS named, m.thinking
			FROM live_messages m
			JOIN live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
			WHERE %[2]s ORDER BY m.created_at DESC NULLS LAST, m.source_id, m.conversation_id, m.position DESC LIMIT %[3]d),
		called AS (
			SELECT t.source_id, t.conversation_id, t.message_id, first(coalesce(t.tool, t.name) ORDER BY t.call_index) AS tool,
				to_json(list(t.params ORDER BY t.call_index)) AS params, to_json(list(t.result ORDER BY t.call_index)) AS result
			FROM live_tool_calls t SEMI JOIN found f ON t.source_id = f.source_id AND t.conversation_id = f.conversation_id AND t.message_id = f.message_id
			GROUP BY ALL)
		SELECT f.source_id, f.conversation_id, f.message_id, epoch_ms(f.created_at), f.position, f.role, f.kind, f.display_title, f.project, t.tool,
			coalesce(left(f.text, %[1]d), ''), coalesce(f.named, ''), coalesce(left(f.thinking, %[1]d), ''), coalesce(left(CAST(t.params AS VARCHAR), %[1]d), ''), coalesce(left(CAST(t.result AS VARCHAR), %[1]d), '')
		FROM found f
		LEFT JOIN called t ON t.source_id = f.source_id AND t.conversation_id = f.conversation_id AND t.message_id = f.message_id
		ORDER BY f.created_at DESC NULLS LAST, f.source_id, f.conversation_id, f.position DESC`,
		searchedLength, strings.Join(conditions, " AND "), scannedAtMost), args
}

// firstTitle is the title of a conversation, for its first message.
const firstTitle = "CASE WHEN m.position = 0 THEN c.display_title END"

// calledWith is the condition that a message has a tool call for which a condition holds.
func calledWith(condition string) string {
	return "(m.source_id, m.conversation_id, m.message_id) IN (SELECT (t.source_id, t.conversation_id, t.message_id) " +
		"FROM live_tool_calls t WHERE " + condition + ")"
}

// hasAny is the condition that some fields together have the words of one of some phrases. Words that are not ASCII are
// not looked for: there are many ways to write them.
func hasAny(phrases []textindex.Phrase, fields ...string) string {
	var one []string
	for _, p := range phrases {
		all := []string{"true"}
		for _, word := range p.Words {
			if !isASCII(word) {
				continue
			}
			var anywhere []string
			for _, field := range fields {
				anywhere = append(anywhere, "regexp_matches(CAST("+field+" AS VARCHAR), "+engine.Literal(pattern(word))+
					")")
			}
			all = append(all, "coalesce("+strings.Join(anywhere, ", false) OR coalesce(")+", false)")
		}
		one = append(one, "("+strings.Join(all, ") AND (")+")")
	}
	return "((" + strings.Join(one, ") OR (") + "))"
}

// pattern is a regular expression for a folded word of ASCII characters, however it is written. The engine finds it six
// times faster than the word in a text without accents, which it would have to make first.
func pattern(word string) string {
	var b strings.Builder
	b.WriteString("(?i)")
	for i := 0; i < len(word); i++ {
		if two := spellings()[word[i:min(i+2, len(word))]]; len(two) > 1 && i+1 < len(word) {
			b.WriteString("(?:" + letterPattern(word[i:i+1]) + letterPattern(word[i+1:i+2]) + "|[" + two + "])")
			i++
			continue
		}
		b.WriteString(letterPattern(word[i : i+1]))
	}
	return b.String()
}

// letterPattern is a regular expression for a letter with any accents.
func letterPattern(c string) string { return "[" + c + spellings()[c] + "]" + `\p{M}*` }

// spellings are the characters that are folded to one or two letters or digits, by these.
var spellings = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, some := range [][2]rune{{0xc0, 0x250}, {0x1e00, 0x1f00}, {0xfb00, 0xfb07}, {0xff10, 0xff5b}} {
		// Latin letters with accents, ligatures, wide characters
		for r := some[0]; r < some[1]; r++ {
			textindex.Words(string(r), func(w textindex.Word) bool {
				if len(w.Folded) <= 2 && isASCII(w.Folded) {
					out[w.Folded] += string(r)
				}
				return true
			})
		}
	}
	return out
})

func isASCII(word string) bool {
	for i := range len(word) {
		if word[i] >= 0x80 {
			return false
		}
	}
	return true
}
