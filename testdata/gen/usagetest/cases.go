package usagetest

import (
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// A Case is a named shape of a file, written by hand.
type Case struct {
	Name string
	Text []byte
	Want []string // what a reader must find
}

// Cases are all shapes by name.
func Cases() (all []Case) {
	for _, c := range cases {
		if c.make != nil {
			c.text, c.want = c.make()
		}
		all = append(all, Case{c.name, []byte(c.text), c.want})
	}
	return all
}

// body is a text of lines.
func body(all ...string) string { return strings.Join(all, "\n") + "\n" }

const (
	v1 = `Date,Model,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output Tokens,Total Tokens,Cost,Cost to you`
	v2 = `Date,Kind,Model,Max Mode,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output Tokens,Total Tokens,Cost`
	v3 = `Date,User,Cloud Agent ID,Automation ID,Kind,Model,Max Mode,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output Tokens,Total Tokens,Cost`
	// short has no counts but one.
	short = `Date,Model,Output Tokens,Cost`
)

// told is an event of which little is recorded.
func told(origin string, line int, set func(*Told)) string {
	e := Told{Origin: origin, Line: line, Fresh: None, Write: None, Read: None, Output: None, Cost: None, Charged: None}
	set(&e)
	return e.String()
}

// july is a time, and at the same as an export has it.
const (
	july = 1783116900123
	at   = "2026-07-03T22:15:00.123Z"
)

// brief is an event of the columns in short.
func brief(line int, output, cost int64) string {
	return told("csv", line, func(e *Told) { e.At, e.Model, e.Output, e.Cost = july, "m", output, cost })
}

// rows is a text of lines, in which a T before a separator stands for july.
func rows(all ...string) string {
	return strings.NewReplacer("T,", at+",", "T;", at+";").Replace(body(all...))
}

var cases = []struct {
	name, text string
	want       []string
	make       func() (text string, want []string) // instead of these
}{
	{name: "usage_csv_v1", text: body(v1, `2026-07-03T22:15:00.123Z,gpt-5,10,20,30,40,100,$0.29,$0`), want: []string{
		told("csv", 2, func(e *Told) {
			e.At, e.Model, e.Write, e.Fresh, e.Read, e.Output, e.Cost, e.Charged = july, "gpt-5", 10, 20, 30, 40,
				290_000, 0
		}),
	}},
	{name: "usage_csv_v2", text: body(v2,
		`"2026-07-03T22:15:00.123Z","On-Demand","gpt-5","Yes","0","21174","98521","3728","123423","0.07"`),
		want: []string{told("csv", 2, func(e *Told) {
			e.At, e.Kind, e.Model, e.Max, e.Write, e.Fresh, e.Read, e.Output, e.Cost = july, "On-Demand", "gpt-5",
				"true", 0, 21174, 98521, 3728, 70_000
		})}},
	{name: "usage_csv_v3", text: body(v3,
		`"2026-07-03T22:15:00.123Z","ann@example.com","bc-019f","","Included","grok","No","9541","117382","1383578","13232","1523733","Included"`),
		want: []string{told("csv", 2, func(e *Told) {
			e.At, e.Kind, e.Model, e.Max, e.Bc, e.Write, e.Fresh, e.Read, e.Output = july, "Included", "grok",
				"false", "bc-019f", 9541, 117382, 1383578, 13232
			e.Person = "ann@example.com"
		})}},
	{name: "usage_csv_failed", text: body(v2, `"`+at+`","Errored, No Charge","m","No","","","","","","Free"`,
		`"`+at+`","Aborted, Not Charged","m","No","1","2","3","4","10","0"`,
		`"`+at+`","Errored, No Charge","m","No","","","","","","$1"`),
		want: []string{
			told("csv", 2, func(e *Told) {
				e.At, e.Kind, e.Model, e.Max, e.FailedAndFree = july, "Errored, No Charge", "m", "false", true
			}),
			told("csv", 3, func(e *Told) {
				e.At, e.Kind, e.Model, e.Max, e.Write, e.Fresh, e.Read, e.Output, e.Cost, e.FailedAndFree = july,
					"Aborted, Not Charged", "m", "false", 1, 2, 3, 4, 0, true
			}),
			told("csv", 4, func(e *Told) {
				e.At, e.Kind, e.Model, e.Max, e.Cost = july, "Errored, No Charge", "m", "false", 1_000_000
			}),
		}},
	{name: "usage_csv_numbers", text: rows(short,
		`T,m,"1,234,567","$1,234.50"`, `T,m,7.0,0.1`, `T,m, 8 ,-$0.10`, `T,m,-,Included`,
		`T,m,0,free`, `T,m,,-`, `T,m,1,`, `T,m,2,1e-2`, `T,m,3,.5`), want: []string{
		brief(2, 1234567, 1_234_500_000), brief(3, 7, 100_000),
		strings.Replace(brief(4, 8, 100_000), "cost=10", "cost=-10", 1), brief(5, None, None), brief(6, 0, None),
		brief(7, None, None), brief(8, 1, None), brief(9, 2, 10_000), brief(10, 3, 500_000),
	}},
	{name: "usage_csv_bad_numbers", text: rows(short,
		`T,m,"12,34",1`, `T,m,-5,1`, `T,m,1.5,1`, `T,m,x,1`, `T,m,1,$`, `T,m,1,EUR 5`, `T,m,1,0x10`,
		`T,m,1,NaN`, `T,m,1e30,1`, `T,m,1,$$2`, `T,m,",123",1`, `T,m,1,--2`, `T,m,9,2`), want: []string{
		brief(2, None, 1_000_000), brief(3, None, 1_000_000), brief(4, None, 1_000_000), brief(5, None, 1_000_000),
		brief(6, 1, None), brief(7, 1, None), brief(8, 1, None), brief(9, 1, None), brief(10, None, 1_000_000),
		brief(11, 1, None), brief(12, None, 1_000_000), brief(13, 1, None), brief(14, 9, 2_000_000),
		`problem bad_number 2 output tokens`, `problem bad_number 3 output tokens`,
		`problem bad_number 4 output tokens`, `problem bad_number 5 output tokens`, `problem bad_number 6 cost`,
		`problem bad_number 7 cost`, `problem bad_number 8 cost`, `problem bad_number 9 cost`,
		`problem bad_number 10 output tokens`, `problem bad_number 11 cost`, `problem bad_number 12 output tokens`,
		`problem bad_number 13 cost`,
	}},
	{name: "usage_csv_costs_that_are_none", text: rows(short,
		`T,m,1,NaN`, `T,m,2,US$0.05`, `T,m,3,"0,05 €"`, `T,m,4,Included in Pro`,
		`T,m,5,"Errored, No Charge"`, `T,m,6,N/A`, `T,m,7,-`, `T,m,8,FREE credit`, `T,m,9,$0.05`), want: []string{
		brief(2, 1, None), brief(3, 2, None), brief(4, 3, None), brief(5, 4, None), brief(6, 5, None),
		brief(7, 6, None), brief(8, 7, None), brief(9, 8, None), brief(10, 9, 50_000), "problem bad_number 2 cost",
		"problem bad_number 3 cost", "problem bad_number 4 cost", "problem bad_number 7 cost",
	}},
	{name: "usage_csv_thousands_with_a_dot", make: func() (string, []string) {
		line := `2026-07-03T22:15:00.123Z,m,`
		event := func(n int, set func(*Told)) string {
			return told("csv", n, func(e *Told) { e.At, e.Model = july, "m"; set(e) })
		}
		return body(v1, line+`1.000,1.000,1.000,1.000,4.000,$1.234,-`, line+`"1,000",7.0,12.345,0,8.0,-,-`), []string{
			event(2, func(e *Told) { e.Cost = 1_234_000 }),
			event(3, func(e *Told) { e.Write, e.Fresh, e.Output = 1000, 7, 0 }),
			"problem bad_number 2 input (w/o cache write)", "problem bad_number 2 input (w/ cache write)",
			"problem bad_number 2 cache read", "problem bad_number 2 output tokens",
			"problem bad_number 2 total tokens", "problem bad_number 3 cache read",
		}
	}},
	{name: "usage_csv_semicolons", text: rows("sep=;", "Date;Model;Output Tokens;Cost",
		`T;m;"1,000";0,05`, `T;a;1;"$1.234,50"`,
		`T;m;1.000;0.25`, `T;m;2;1,234`, `T;m;3;1.234`, `T;m;4;0,291`, `T;m;5;12,5`, `T;m;6;1,234.50`), want: []string{
		brief(3, 1000, 50_000), strings.Replace(brief(4, 1, 1_234_500_000), `model="m"`, `model="a"`, 1),
		brief(5, None, 250_000), brief(6, 2, None), brief(7, 3, None), brief(8, 4, 291_000),
		brief(9, 5, 12_500_000), brief(10, 6, 1_234_500_000), "problem bad_number 5 output tokens",
		"problem bad_number 6 cost", "problem bad_number 7 cost",
	}},
	{name: "usage_csv_tabs", text: string(encoded("#TYPE Selected.System.Object\r\n\"Date\"\t\"Model\"\t\"Output "+
		"Tokens\"\t\"Cost\"\r\n\"2026-07-03T22:15:00.123Z\"\t\"m\"\t\"5\"\t\"0,05\"\r\n", "UTF-16LE")),
		want: []string{brief(3, 5, 50_000)}},
	{name: "usage_csv_august_2025", text: body(`Date,User,Kind,Max Mode,Model,Tokens,Cost ($)`,
		`"2026-07-03T22:15:00.123Z","Ann@Example.com","Included in Pro","No","m","123,456","Included"`,
		`"2026-07-03T22:15:00.123Z","","On-Demand","Yes","m","7","0.04"`), want: []string{
		told("csv", 2, func(e *Told) {
			e.At, e.Person, e.Kind, e.Max, e.Model, e.Total = july, "ann@example.com", "Included in Pro",
				"false", "m", 123456
		}),
		told("csv", 3, func(e *Told) {
			e.At, e.Kind, e.Max, e.Model, e.Total, e.Cost = july, "On-Demand", "true", "m", 7, 40_000
		}),
	}},
	{name: "usage_csv_september_2025", text: body(
		`Date,User,Kind,Max Mode,Model,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output,Total Tokens,Cost ($)`, `2026-07-03T22:15:00.123Z,ann@example.com,Usage-based,No,m,1,2,3,4,10,0.04`),
		want: []string{told("csv", 2, func(e *Told) {
			e.At, e.Person, e.Kind, e.Max, e.Model, e.Write, e.Fresh, e.Read, e.Output, e.Cost = july,
				"ann@example.com", "Usage-based", "false", "m", 1, 2, 3, 4, 40_000
		})}},
	{name: "usage_api_utf_16", make: func() (string, []string) {
		page :=
			`{"usageEvents":[{"timestamp":"1783116900123","model":"m","user":"Ann@example.com","tokenUsage":{"inputTokens":1}}]}`
		want := told("api", 1, func(e *Told) {
			e.At, e.Model, e.Person, e.Fresh, e.Write, e.Read, e.Output = july, "m", "ann@example.com", 1, 0, 0, 0
		})
		return string(encoded(page, "UTF-16BE")), []string{want}
	}},
	{name: "usage_csv_times", make: func() (string, []string) {
		want := []string{}
		lines := []string{short}
		for i, s := range []string{"2026-07-03T22:15:00.123Z", "2026-07-04T00:15:00.123+02:00",
			"2026-07-03T17:15:00.123-0500", "2026-07-03 22:15:00.123", "2026-07-03 22:15:00.123 UTC",
			"2026-07-04 03:45:00.123 +05:30", "1783116900123", "2026-07-03T22:15:00.123"} {
			lines = append(lines, s+",m,1,")
			want = append(want, brief(i+2, 1, None))
		}
		lines = append(lines, "2026-07-03,m,1,", ",m,1,", "yesterday,m,1,", "1970-01-01T00:00:00Z,m,1,",
			"2026-13-01T00:00:00Z,m,1,", "NaN,m,1,")
		return body(lines...), append(want, told("csv", 10,
			func(e *Told) { e.At, e.Model, e.Output = 1783036800000, "m", 1 }),
			"problem bad_date 11 date", "problem bad_date 12 date", "problem bad_date 13 date",
			"problem bad_date 14 date", "problem bad_date 15 date")
	}},
	{name: "usage_csv_columns", text: "\uFEFF\r\n" +
		strings.Join([]string{`"Cost", MODEL ,"Output  Tokens",Region,Region,ann@example.com,date,`,
			`"$2","m","5","eu","us","x","2026-07-03T22:15:00.123Z",`,
			`"$2","m","5","eu","us","x","2026-07-03T22:15:00.123Z"`}, "\r\n"),
		want: []string{brief(3, 5, 2_000_000), "problem bad_line 4 ", "unknown (other) 1", "unknown column.Region 1"}},
	{name: "usage_csv_names_of_programs", text: body( // of a command that folds names, then of a program for tables
		`date,user,kind,model,max_mode,input_w_cache_write,input_w_o_cache_write,cache_read,output_tokens,total_tokens,cost,cost_to_you`,
		`2026-07-03T22:15:00.123Z,ann@example.com,Included,m,No,1,2,3,4,10,0.04,0`,
		`timestamp,modelName,model,input_with_cache_write,Input Tokens,cacheReadTokens,Output,Total,API Cost`,
		`2026-07-03T22:15:00.123Z,x,m,1,2,3,4,10,0.04`,
		`Date,Model,Input Tokens,Input (w/o Cache Write),Output Tokens`, `2026-07-03T22:15:00.123Z,m,9,2,4`),
		want: []string{
			told("csv", 2, func(e *Told) {
				e.At, e.Person, e.Kind, e.Max, e.Model, e.Write, e.Fresh, e.Read, e.Output, e.Cost, e.Charged = july,
					"ann@example.com", "Included", "false", "m", 1, 2, 3, 4, 40_000, 0
			}),
			told("csv", 4, func(e *Told) {
				e.At, e.Model, e.Write, e.Fresh, e.Read, e.Output, e.Cost = july, "m", 1, 2, 3, 4, 40_000
			}),
			told("csv", 6, func(e *Told) { e.At, e.Model, e.Fresh, e.Output = july, "m", 2, 4 }),
			"unknown column.modelName 1"}},
	{name: "usage_csv_quotes", text: body(short,
		"2026-07-03T22:15:00.123Z,\"a, \"\"b\"\"\nc\",1,", `2026-07-03T22:15:00.123Z,a"b,1,`,
		`2026-07-03T22:15:00.123Z,m,"2,`, `2026-07-03T22:15:00.123Z,m,3,`, "  ",
		`2026-07-03T22:15:00.123Z,m,4,`, ",,,", `2026-07-03T22:15:00.123Z,m,5`,
		`2026-07-03T22:15:00.123Z,m,6,,,`, `2026-07-03T22:15:00.123Z,m,7,,x`, `2026-07-03T22:15:00.123Z,m,"8`),
		want: []string{
			told("csv", 2, func(e *Told) { e.At, e.Model, e.Output = july, "a, \"b\"\nc", 1 }),
			brief(6, 3, None), brief(8, 4, None), brief(11, 6, None),
			"problem bad_line 4 ", "problem bad_line 5 ", "problem bad_line 10 ", "problem bad_line 12 ",
			"problem bad_line 13 ",
		}},
	{name: "usage_csv_joined", text: body(short, `2026-07-03T22:15:00.123Z,m,1,2`, `Model,Date,Cost,Output Tokens`,
		`m,2026-07-03T22:15:00.123Z,2,1`), want: []string{brief(2, 1, 2_000_000), brief(4, 1, 2_000_000)}},
	{name: "usage_csv_total", text: body(v1, `2026-07-03T22:15:00.123Z,m,10,10,30,40,80,-,-`,
		`2026-07-03T22:15:00.123Z,m,,10,30,40,81,-,-`), want: []string{
		told("csv", 2, func(e *Told) {
			e.At, e.Model, e.Write, e.Fresh, e.Read, e.Output = july, "m", 10, 10, 30, 40
		}),
		told("csv", 3, func(e *Told) { e.At, e.Model, e.Fresh, e.Read, e.Output = july, "m", 10, 30, 40 }),
		"problem total_differs 2 total tokens",
	}},
	{name: "usage_api_dashboard", text: `{"totalUsageEventsCount": 120, "usageEventsDisplay": [{"timestamp":"1783116900123","model":"gpt-5","kind":"USAGE_EVENT_KIND_USAGE_BASED","maxMode":true,"requestsCosts":3.5,"usageBasedCosts":"$1.66","isTokenBasedCall":true,` +
		`"tokenUsage":{"inputTokens":5,"outputTokens":6,"cacheWriteTokens":7,"cacheReadTokens":8,"totalCents":165.6824},"owningUser":"9","isFreeBugbot":false,"cursorTokenFee":39.0061,"isChargeable":true,"isHeadless":false,"chargedCents":204.6885,"conversationId":"c1","cloudAgentId":"bc-1"}]}`,
		want: []string{told("api", 1, func(e *Told) {
			e.At, e.Model, e.Kind, e.Max, e.Headless, e.Conversation, e.Bc = july, "gpt-5",
				"USAGE_EVENT_KIND_USAGE_BASED", "true", "false", "c1", "bc-1"
			e.Fresh, e.Output, e.Write, e.Read, e.Cost, e.Charged = 5, 6, 7, 8, 1_656_824, 2_046_885
		})}},
	{name: "usage_api_admin", text: `{"totalUsageEventsCount":1,"pagination":{"numPages":1},"period":{"startDate":1},"usageEvents":[` +
		"\n" +
		`{"timestamp":"1783116900123","userEmail":"ann@example.com","userId":"u1","model":"m","kind":"Included in Business","chargedCents":0}` + "\n]}",
		want: []string{told("api", 2, func(e *Told) {
			e.At, e.Model, e.Person, e.Kind, e.Charged = july, "m", "ann@example.com", "Included in Business", 0
		})}},
	{name: "usage_api_pages", make: func() (string, []string) {
		event := func(tokens string) string {
			return `{"timestamp":1783116900123,"model":"m","tokenUsage":{"inputTokens":"` + tokens + `"}}`
		}
		return body(`{"totalUsageEventsCount":3,"usageEventsDisplay":[`+event("1")+
				`]}{"totalUsageEventsCount":"4","usageEventsDisplay":[`+event("2"), `]}`,
				`[{"usageEvents":[`+event("3")+`]},`, `  {"usageEvents":[`+event("4")+`]}]`, event("5"),
				`{"totalUsageEventsCount":5}`),
			[]string{api(1, 1), api(1, 2), api(3, 3), api(4, 4), api(5, 5)}
	}},
	{name: "usage_api_lines", make: func() (string, []string) {
		event := `{"timestamp":"2026-07-03T22:15:00.123Z","model":"m","tokenUsage":{"inputTokens":1}}`
		return body(event, "", `{"timestamp":"x","model":"m"}`, event[:30], event), []string{api(1, 1), api(5, 1),
			"problem bad_date 3 timestamp", "problem bad_line 4 "}
	}},
	{name: "usage_api_cut_off", make: func() (string, []string) {
		event := `{"timestamp":"1783116900123","model":"m","tokenUsage":{"inputTokens":1}}`
		return "{\n\"usageEventsDisplay\": [\n" + event + ",\n" + event + ",\n{\"timestamp\":\"17\n" + event +
			"\n", []string{api(3, 1), api(4, 1), api(6, 1), "problem bad_line 5 "}
	}},
	{name: "usage_api_mixed", make: func() (string, []string) {
		event := `{"timestamp":"1783116900","model":"m","tokenUsage":{"inputTokens":1}}`
		want := []string{api(1, 1), api(2, 1), api(4, 1), api(5, 1)}
		for i := range want { // seconds
			want[i] = strings.Replace(want[i], "900123", "900000", 1)
		}
		return body("["+event+",", event, "]", event, event), want
	}},
	{name: "usage_api_kinds", make: func() (string, []string) {
		event := func(rest string) string {
			return `{"timestamp":"1783116900123","model":"m",` + rest + `}`
		}
		return body(event(`"kind":"USAGE_EVENT_KIND_ERRORED_NOT_CHARGED"`),
				event(`"kind":"USAGE_EVENT_KIND_ABORTED_NOT_CHARGED","chargedCents":1`),
				event(`"kind":7,"usageBasedCosts":"$0.5"`),
				event(`"kind":{"a":"ann@example.com"},"usageBasedCosts":"-","tokenUsage":{}`)),
			[]string{
				told("api", 1, func(e *Told) {
					e.At, e.Model, e.Kind, e.FailedAndFree = july, "m", "USAGE_EVENT_KIND_ERRORED_NOT_CHARGED", true
				}),
				told("api", 2, func(e *Told) {
					e.At, e.Model, e.Kind, e.Charged = july, "m", "USAGE_EVENT_KIND_ABORTED_NOT_CHARGED", 10_000
				}),
				told("api", 3, func(e *Told) { e.At, e.Model, e.Kind, e.Cost = july, "m", "7", 500_000 }),
				told("api", 4, func(e *Told) { e.At, e.Model = july, "m" }),
			}
	}},
	{name: "usage_api_unknown", text: `{"usageEvents":[{"timestamp":"1783116900123","model":"m","region":"eu","tokenUsage":{"inputTokens":1,"thinkingTokens":5}},{"timestamp":"1783116900123","model":"m","tokenUsage":{"inputTokens":"many"}},7],"next":"x"}`,
		want: []string{api(1, 1), told("api", 1, func(e *Told) { e.At, e.Model = july, "m" }),
			"problem bad_number 1 inputTokens", "problem bad_line 1 ", "unknown event.region 1",
			"unknown page.next 1", "unknown tokenUsage.thinkingTokens 1"}},
	{name: "usage_hooks", make: func() (string, []string) {
		hook :=
			`{"conversation_id":"c1","generation_id":"be67193a-ff4d-4e19-852c-bdd92ebf448d","model":"composer-2.5","hook_event_name":`
		counts := `"input_tokens":25758,"output_tokens":26,"cache_read_tokens":16563,"cache_write_tokens":0}`
		return body(hook+`"beforeSubmitPrompt","prompt":"hi"}`,
				hook+`"stop","status":"completed","loop_count":0,`+counts,
				strings.Replace(hook, "448d", "448d-0-6ati", 1)+`"afterAgentResponse","text":"yes",`+counts),
			[]string{hooked(2, func(e *Told) { e.Kind = "completed" })}
	}},
	{name: "usage_hooks_split", make: func() (string, []string) {
		stop := func(counts string) string {
			return `{"hook_event_name":"stop","session_id":"c1","output_tokens":1,` + counts + "}"
		}
		event := func(line int, fresh, read, write int64) string {
			return told("hook", line, func(e *Told) {
				e.Conversation, e.Fresh, e.Read, e.Write, e.Output = "c1", fresh, read, write, 1
			})
		}
		return body(stop(`"input_tokens":10,"cache_read_tokens":6,"cache_write_tokens":4`),
				stop(`"input_tokens":10,"cache_read_tokens":6,"cache_write_tokens":5`), stop(`"input_tokens":10`),
				stop(`"cache_read_tokens":6`), stop(`"input_tokens":10,"cache_read_tokens":6`)),
			[]string{event(1, 0, 6, 4), event(2, 10, None, None), event(3, 10, None, None), event(4, None, 6, None),
				event(5, 4, 6, None)}
	}},
	{name: "usage_hooks_wrapped", make: func() (string, []string) {
		payload :=
			`{"conversation_id":"c1","generation_id":"be67193a-ff4d-4e19-852c-bdd92ebf448d","model":"composer-2.5","status":"completed","input_tokens":25758,"output_tokens":26,"cache_read_tokens":16563,"cache_write_tokens":0}`
		other := func(n string) string { return strings.Replace(payload, "be67", "be6"+n, 1) }
		event := func(line int, n string, at int64) string {
			return hooked(line, func(e *Told) {
				e.Kind, e.At, e.Request = "completed", at, strings.Replace(e.Request, "be67", "be6"+n, 1)
			})
		}
		return body("11:39:44\t"+other("1"), "stop\t"+other("2"), "2026-07-03T22:15:00.123Z\tstop\t"+other("3"),
				`{"ts":"2026-07-03T22:15:00.123Z","payload":`+other("4")+`}`,
				`{"started_at":1783116900123,"hook_event_name":"stop","stdin_preview":`+graphtest.Quoted(other("5"))+`}`,
				`{"hook_event_name":"preToolUse","stdin_preview":"{\"cut"}`, `{"hook_event_name":"stop","stdin":"{\"cut"}`,
				"stop\tcut", `preToolUse`+"\t"+`{"tool_name":"Read"}`, `{"payload":{"payload":{"payload":{"payload":{}}}}}`,
				`{"timestamp":"2026-07-04T00:15:00.123+02:00","event":{"hook_event_name":"stop",`+other("6")[1:]+`}`,
				`{"event":{"hook_event_name":"beforeSubmitPrompt"}}`,
				`{"ts":"2026-07-03T22:15:00.123Z","event":"stop","hook_event_name":"stop",`+other("8")[1:],
				`{"hook_event_name":"stop","event":{"hook_event_name":"beforeSubmitPrompt"},`+other("9")[1:]),
			[]string{event(1, "1", 0), event(2, "2", 0), event(3, "3", july), event(4, "4", july),
				event(5, "5", july), event(11, "6", july), event(13, "8", july), event(14, "9", 0),
				"problem bad_line 7 ", "problem bad_line 8 ", "problem too_deep 10 ",
			}
	}},
	{name: "usage_hooks_of_an_audit", make: func() (string, []string) {
		payload := func(name string) string {
			return `{"conversation_id":"c1","generation_id":"be67193a-ff4d-4e19-852c-bdd92ebf448d","model":"composer-2.5","hook_event_name":"` +
				name + `","input_tokens":25758,"output_tokens":26,"cache_read_tokens":16563,"cache_write_tokens":0}`
		}
		other := strings.Replace(payload("stop"), "be67", "be61", 1)
		return body("[2026-07-04 00:15:00] "+payload("beforeSubmitPrompt"), "[2026-07-04 00:15:00] "+payload("stop"),
				"["+at+"] "+other, "["+at+`] {"cut`,
				"[2026-07-04 00:15:00] [unknown] "+strings.Replace(other, "be61", "be62", 1)),
			[]string{hooked(2, func(*Told) {}), hooked(3, func(e *Told) {
				e.At, e.Request = july, strings.Replace(e.Request, "be67", "be61", 1)
			}), hooked(5, func(e *Told) { e.Request = strings.Replace(e.Request, "be67", "be62", 1) }),
				"problem bad_line 4 "}
	}},
	{name: "usage_hooks_of_cursors_log", make: func() (string, []string) {
		call := func(name, input string) string {
			rule := strings.Repeat("═", 87)
			return body("[2026-07-03T22:14:59.001Z] Hook step requested: "+name,
				"["+at+"] Running hook 1 with timeout 60000ms", rule, name, rule,
				`Command: "/bin/audit" (42ms) exit code: 0`, "", "INPUT:", input, "", "OUTPUT:", `{"permission": "allow"}`,
				"", "STDERR:", "warning {1}", rule, "")
		}
		stop := body("{", `  "conversation_id": "c1",`, `  "generation_id": "be67193a-ff4d-4e19-852c-bdd92ebf448d",`,
			`  "model": "composer-2.5",`, `  "status": "completed",`, `  "input_tokens": 25758,`,
			`  "output_tokens": 26,`, `  "cache_read_tokens": 16563,`, `  "cache_write_tokens": 0,`,
			`  "hook_event_name": "stop",`, `  "workspace_roots": [`, `    "/w"`, "  ]", "}")
		prompt := `{"hook_event_name": "beforeSubmitPrompt", "prompt": "INPUT:\n{"}`
		text := strings.Join([]string{call("beforeSubmitPrompt", prompt), call("stop", stop), call("stop", stop),
			call("stop", "{\n  \"cut")}, "")
		stopped := hooked(57, func(e *Told) { e.At, e.Kind = july, "completed" })
		return strings.ReplaceAll(text, "\n", "\r\n"), []string{stopped, "problem bad_line 88 "}
	}},
	{name: "usage_hooks_log_without_calls", text: body("["+at+"] Loaded 0 user hook(s) for steps: ",
		"["+at+"] Hook step requested: stop")},
	{name: "usage_hooks_stop_of_the_next_turn", make: func() (string, []string) {
		hook := func(name, id string, output string) string {
			return `{"conversation_id":"c1","generation_id":"` + id + `","model":"composer-2.5","hook_event_name":"` + name +
				`","input_tokens":25758,"output_tokens":` + output + `,"cache_read_tokens":16563,"cache_write_tokens":0}`
		}
		event := func(line int, id string, output int64) string {
			return hooked(line, func(e *Told) { e.Request, e.Output = id, output })
		}
		return body(hook("afterAgentResponse", "a", "26"), hook("stop", "b", "26"), hook("stop", "b", "26"),
				hook("afterAgentResponse", "b", "27"), hook("stop", "b", "27"),
				hook("afterAgentResponse", "c", "27"), hook("stop", "c", "27"), hook("stop", "d", "28")),
			[]string{event(3, "a", 26), event(5, "b", 27), event(7, "c", 27), event(8, "d", 28)}
	}},
	{name: "usage_hooks_without_tokens", make: func() (string, []string) {
		hook :=
			`{"conversation_id":"c1","generation_id":"be67193a-ff4d-4e19-852c-bdd92ebf448d","model":"composer-2.5","hook_event_name":`
		counts := `"input_tokens":25758,"output_tokens":26,"cache_read_tokens":16563,"cache_write_tokens":0`
		return body(hook+`"afterAgentResponse",`+counts+`}`, hook+`"stop","status":"aborted","reason":"x"}`,
				hook+`"stop","input_tokens":"few"}`),
			[]string{hooked(1, func(*Told) {}), "problem bad_number 3 input_tokens",
				"unknown hook.reason 1"}
	}},
	{name: "usage_stream", make: func() (string, []string) {
		result :=
			`{"type":"result","subtype":"success","duration_ms":2778,"is_error":false,"result":"PONG","session_id":"s1","request_id":"r1","usage":{"inputTokens":74,"outputTokens":26,"cacheReadTokens":12664,"cacheWriteTokens":0,"fee":1}}`
		return body(`{"type":"system","subtype":"init","cwd":"/w","session_id":"s1","model":"Composer 2.5"}`,
				`{"type":"thinking","subtype":"delta","session_id":"s1","timestamp_ms":1783116900123}`, result, result,
				`{"type":"result","subtype":"error","session_id":"s1"}`),
			[]string{told("stream", 4, func(e *Told) {
				e.At, e.Model, e.Kind, e.Conversation, e.Request, e.Headless, e.Fresh, e.Output, e.Read, e.Write = july,
					"Composer 2.5", "success", "s1", "r1", "true", 74, 26, 12664, 0
			}), "unknown usage.fee 2"}
	}},
	{name: "usage_stream_alone",
		text: "{\n  \"type\": \"result\",\n  \"session_id\": \"s1\",\n  \"usage\": {\"inputTokens\": 1}\n" +
			"}\n",
		want: []string{told("stream", 1, func(e *Told) { e.Conversation, e.Headless, e.Fresh = "s1", "true", 1 })}},
	{name: "usage_other_csv", text: "\nName,Age\nAnn,7\n", want: []string{"problem unknown_form 2 "}},
	{name: "usage_other_json", text: `{"name":"pipeline"}`, want: []string{"problem unknown_form 1 "}},
	{name: "usage_header_only", text: v3},
	{name: "usage_empty", text: "\uFEFF\r\n\n"},
}
