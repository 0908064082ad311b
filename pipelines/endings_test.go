package pipelines_test

import (
	"fmt"
	"strings"

	"pipeline/pipelines"
)

// endings are turns behind whose end Cursor wrote something of its own: a notice, a compaction, an offer. They end as
// they did before that.
func endings(s *story) {
	const (
		answer = `"type":2,"text":"Done."`
		notice = `"type":2,"text":"","serviceStatusUpdate":{"message":"Setting up worktree"}`
		offer  = `"errorDetails":{"error":{"details":{"title":"T","additionalInfo":{"hideIcon":"true"}}}}`
	)
	night, headers, want := baseUserDir(), []string(nil), [][]string(nil)
	for turn, c := range []struct{ outcome, waited, bubbles string }{
		{"answered", "1000", answer + ";" + notice},
		{"answered", "1000", answer + `;"type":2,"text":"Chat context summarized.","capabilityType":22`},
		{"answered", "1000", answer + "," + offer},
		{"failed", "2000", answer + `;"type":2,"errorDetails":{"error":"ERROR_OPENAI"}`},
		{"unknown", "NULL", notice},
		{"failed", "1000", `"type":2,"capabilityType":22,"errorDetails":{"error":"ERROR_OPENAI","message":"No"}`},
	} {
		for i, bubble := range strings.Split(`"type":1,"text":"Ask";`+c.bubbles, ";") {
			id := fmt.Sprintf("t%db%d", turn, i)
			headers = append(headers, `{"bubbleId":"`+id+`"}`)
			night = night.with("bubbleId:ends:"+id,
				fmt.Sprintf(`{%s,"createdAt":"2026-05-01T10:%02d:%02dZ"}`, bubble, turn, i))
		}
		want = append(want, []string{fmt.Sprint(turn + 1), c.outcome, c.waited})
	}
	s.run(night.with("composerData:ends", `{"composerId":"ends","fullConversationHeadersOnly":[`+
		strings.Join(headers, ",")+`]}`), pipelines.ConversationCount{New: 4})
	same(s.t, "how turns ended", want, s.book.ask(`SELECT turn, outcome, coalesce(waited_ms::VARCHAR, 'NULL') FROM turns
		WHERE conversation_id = 'ends' ORDER BY turn`))
}
