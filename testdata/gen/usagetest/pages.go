package usagetest

import (
	"fmt"
	"strconv"
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// PageStyle is how events of the API are written.
type PageStyle struct {
	// page: one page on one line; pretty: one on many lines; pages: one after another; array: pages in an array; lines:
	// an event on each line
	Form     string
	Admin    bool // the Admin API: no conversations, and a user
	Texts    bool // numbers are texts
	Sparse   bool // zeros are left out
	PageSize int
}

// Pages writes events of the API, and says what is in them.
func Pages(requests []Request, s PageStyle) ([]byte, []Told) {
	f, told := newFile(), []Told(nil)
	event := func(q Request) {
		e := q.inAPI(s)
		e.Line = f.line
		told = append(told, e)
		f.add(q.event(s))
	}
	if s.Form == "lines" {
		for _, q := range requests {
			event(q)
			f.add("\n")
		}
		return []byte(f.String()), told
	}
	list, gap := "usageEventsDisplay", ""
	if s.Admin {
		list = "usageEvents"
	}
	if s.Form == "pretty" {
		gap = "\n  "
	}
	if s.Form == "array" {
		f.add("[")
	}
	for from := 0; from == 0 || from < len(requests); from += s.PageSize {
		if from > 0 {
			f.add(map[bool]string{true: ",\n", false: "\n"}[s.Form == "array"])
		}
		f.add("{" + gap + fmt.Sprintf(`"totalUsageEventsCount":%d,`, len(requests)) + gap + graphtest.Quoted(list) + ": [" + gap)
		for i, q := range requests[from:min(from+s.PageSize, len(requests))] {
			if i > 0 {
				f.add("," + gap)
			}
			event(q)
		}
		f.add(gap + "]" + gap + "}")
	}
	if s.Form == "array" {
		f.add("]\n")
	}
	return []byte(f.String()), told
}

// inAPI is what the API says of a request.
func (q Request) inAPI(s PageStyle) Told {
	e := Told{
		Origin: "api", At: q.At, Model: q.Model, Kind: q.Kind.API, Conversation: q.Conversation, Bc: q.Bc,
		Fresh: q.Fresh, Write: q.Write, Read: q.Read, Output: q.Output, Cost: None, Charged: None,
		Headless: strconv.FormatBool(q.Headless), Max: strconv.FormatBool(q.Max), FailedAndFree: q.Kind.Failed,
	}
	if s.Admin {
		e.Conversation, e.Person = "", q.User
	}
	if s.Sparse && !q.Max {
		e.Max = ""
	}
	if q.Tokens && s.Sparse && q.Fresh == 0 && q.Write == 0 && q.Read == 0 && q.Output == 0 {
		e.Fresh, e.Write, e.Read, e.Output = None, None, None, None
	}
	if q.Tokens {
		e.Cost = q.Worth
	}
	if !q.Kind.Failed {
		e.Charged = q.Worth
	}
	return e
}

// event is a request as an event.
func (q Request) event(s PageStyle) string {
	number := func(n string) string {
		if s.Texts {
			return graphtest.Quoted(n)
		}
		return n
	}
	members := []string{`"timestamp":` + graphtest.Quoted(strconv.FormatInt(q.At, 10)), `"model":` + graphtest.Quoted(q.Model),
		`"kind":` + graphtest.Quoted(q.Kind.API), `"requestsCosts":1`, fmt.Sprintf(`"isHeadless":%t`, q.Headless)}
	if !s.Sparse || q.Max {
		members = append(members, fmt.Sprintf(`"maxMode":%t`, q.Max))
	}
	if s.Admin {
		members = append(members, `"userEmail":`+graphtest.Quoted(strings.ToUpper(q.User)), `"userId":"user_1"`)
	} else {
		members = append(members, `"owningUser":"7"`, `"conversationId":`+graphtest.Quoted(q.Conversation))
	}
	if q.Bc != "" {
		members = append(members, `"cloudAgentId":`+graphtest.Quoted(q.Bc))
	}
	if !q.Kind.Failed {
		members = append(members, `"chargedCents":`+number(cents(q.Worth)))
	}
	if q.Tokens {
		var counts []string
		for _, c := range []struct {
			name string
			n    int64
		}{{"inputTokens", q.Fresh}, {"outputTokens", q.Output}, {"cacheWriteTokens", q.Write},
			{"cacheReadTokens", q.Read}} {
			if !s.Sparse || c.n != 0 {
				counts = append(counts, graphtest.Quoted(c.name)+":"+number(strconv.FormatInt(c.n, 10)))
			}
		}
		counts = append(counts, `"totalCents":`+number(cents(q.Worth)))
		members = append(members, `"tokenUsage":{`+strings.Join(counts, ",")+"}")
	}
	return "{" + strings.Join(members, ",") + "}"
}
