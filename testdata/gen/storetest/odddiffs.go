package storetest

import (
	"fmt"
	"strings"
)

// A patch is a difference in text, and the lines that it was made to add and remove.
type patch struct {
	text           string
	added, removed int
}

// patch makes a difference of hunks with lines of every kind: also such that look like the names of files, or like
// other differences.
func (r rng) patch(named bool, newline string) (p patch) {
	var b strings.Builder
	line := func(s string) { b.WriteString(s + newline) }
	if named {
		line("diff --git a/x.sql b/x.sql")
		line("--- a/x.sql")
		line("+++ b/x.sql")
	}
	for range r.between(1, 3) {
		line("@@ -1,7 +1,9 @@ func main() {")
		for range r.between(1, 9) {
			content := r.pick([]string{"", "x := 1", "-- a comment of SQL", "- a point", "++ y", "++x;",
				"@@ not a hunk", " indented", "größer", "--- a/x.sql"})
			switch r.IntN(3) {
			case 0:
				line("+" + content)
				p.added++
			case 1:
				line("-" + content)
				p.removed++
			default:
				line(" " + content)
			}
		}
	}
	if r.chance(0.3) {
		line(`\ No newline at end of file`)
	}
	p.text = b.String()
	return p
}

// differences is a conversation of edits whose results show what they changed: by figures, by differences, by both, by
// neither.
func (o *Odd) differences() {
	const id = "odd-differences"
	r := newRNG(1, 77)
	var headers []string
	edit := func(member string, added, removed any) {
		n := fmt.Sprintf("m%03d", len(headers))
		headers = append(headers, `{"bubbleId":"`+n+`","type":2}`)
		o.add("bubbleId:"+id+":"+n, `{"bubbleId":"`+n+
			`","type":2,"toolFormerData":{"tool":38,"name":"edit_file_v2","status":"completed",`+member+`}}`)
		o.want("lines of edits",
			`SELECT message_id, lines_added, lines_removed FROM tool_calls WHERE conversation_id = 'odd-differences'`,
			n, added, removed)
	}
	result := func(chunks ...string) string { return `"result":` + quoted(`{"diff":{"chunks":`+list(chunks)+`}}`) }
	shown := func(p patch) string { return `{"diffString":` + quoted(p.text) + `,"oldStart":1,"newStart":1}` }
	for i := range 24 {
		p, q := r.patch(i%3 == 0, "\n"), r.patch(i%2 == 0, "\r\n")
		if p.added+p.removed == 0 || q.added+q.removed == 0 {
			continue // it says nothing
		}
		edit(result(shown(p)), p.added, p.removed)
		edit(result(shown(p), shown(q)), p.added+q.added, p.removed+q.removed)
		edit(result(`{"linesAdded":3,"linesRemoved":0,"diffString":`+quoted(p.text)+`}`, shown(q)), 3+q.added,
			q.removed)
		edit(result(`{"linesAdded":3,"diffString":`+quoted(p.text)+`}`), 3, p.removed)
		edit(result(shown(p), `{"oldStart":1}`), p.added, p.removed)
		edit(strings.Replace(result(shown(p)), `"result":`, `"result":null,"extra":`, 1), "", "")
	}
	for _, none := range []string{`{"oldStart":1,"newStart":1}`, `{}`, `{"diffString":""}`,
		`{"diffString":"func main() {}"}`, `{"diffString":7}`, `{"diffString":null}`, `{"diffString":{"text":"+a"}}`,
		`{"diffString":" kept\n kept"}`, `{"linesAdded":null,"linesRemoved":"many"}`} {
		edit(result(none), "", "")
	}
	edit(result(), "", "")
	edit(result(`{"linesAdded":0,"linesRemoved":0}`), 0, 0)
	edit(`"result":"no JSON"`, "", "")
	edit(`"status2":"no result"`, "", "")
	edit(`"additionalData":{"precomputedDiff":{"lines":[]}}`, 0, 0)
	edit(`"additionalData":{"precomputedDiff":{"lines":[{"content":"x"}]}}`, "", "")
	for i := range 4 {
		var lines []string
		count := map[string]int{}
		for range 5 * (i + 1) {
			kind := r.pick([]string{"added", "removed", "unchanged"})
			count[kind]++
			lines = append(lines, `{"type":"`+kind+`","content":"x"}`)
		}
		edit(`"additionalData":{"precomputedDiff":{"lines":`+list(lines)+`}}`, count["added"], count["removed"])
	}
	o.add("composerData:"+id, `{"_v":13,"composerId":"`+id+`","createdAt":1741597200000,"fullConversationHeadersOnly":`+
		list(headers)+`}`)
}
