package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pipeline/cmd/pipeline/internal/report"
	"pipeline/load/reader"
)

// Scripts that read and use the page.
const (
	// numbersShown are the figures, and the cells and sentences of each card about a period.
	numbersShown = `JSON.stringify({
		figures: [...document.querySelectorAll('#figures > div')].map(d => [...d.children].map(e => e.textContent)),
		before: document.querySelector('#before').textContent,
		period: document.querySelector('#period').textContent,
		cards: Object.fromEntries([...document.querySelectorAll('article')].filter(a => !a.closest('.folded')).map(a => [a.id, {
			rows: [...a.querySelector('table').tBodies[0].rows].map(r => [...r.cells].map(c => (c.querySelector('code') ?? c).textContent.trim())),
			says: [...a.querySelectorAll(':scope > p, .knowns p')].filter(p => !p.hidden).map(p => p.textContent),
			sql: a.querySelector('.sql code').textContent,
		}])),
	})`
	pressPeriod   = `(() => { const b = [...document.querySelectorAll('.periods button')].find(b => b.textContent === %q); b.click(); return b.value; })()`
	chooseProject = `(() => { const s = document.querySelector('#choice select'), o = [...s.options].find(o => o.text === %q); s.value = o.value; s.dispatchEvent(new Event('change')); return o.value; })()`
)

// pageDay has much activity in the invented history, whose later days hold a case or two.
var pageDay = time.Date(2026, 1, 24, 12, 0, 0, 0, time.UTC)

// shownNumbers are what numbersShown reads.
type shownNumbers struct {
	Figures        [][]string
	Before, Period string
	Cards          map[string]struct {
		Rows [][]string
		Says []string
		SQL  string
	}
}

func (b *browser) numbers() (out shownNumbers) {
	b.Helper()
	b.must(json.Unmarshal([]byte(evaluate[string](b, numbersShown)), &out))
	if len(out.Cards) < 15 {
		b.Fatalf("only %d cards are about a period", len(out.Cards))
	}
	return out
}

// pageOf writes a page as if its last day of activity were today, so that the period from since ends where the page's
// buttons do.
func (b *browser) pageOf(r *reader.Reader, o report.Options) (file string) {
	b.Helper()
	var out bytes.Buffer
	_, err := report.Write(b.Context(), &out, r, o)
	b.must(err)
	file = filepath.Join(b.TempDir(), "page.html")
	b.must(os.WriteFile(file, out.Bytes(), 0o600))
	return file
}

// TestReportChoice: what the page computes for another period or project is what SQL answers for it: a page that is
// made for that period and project from the start has the same numbers, sentences and SQL, and nothing was asked of a
// network.
func TestReportChoice(t *testing.T) {
	b := newBrowser(t)
	w := demoTest(t)
	// the count begins within the year
	w.change("DELETE FROM usage_events WHERE occurred_at < TIMESTAMPTZ '2025-06-01'")
	r := openWarehouse(t, w.warehouse)
	type choice struct{ period, project string }
	choices := []choice{{"7 days", "All projects"}, {"30 days", "tide-api"}, {"Year", "atlas notes"},
		{"All", "tide-web"}, {"All", "All projects"}, {"90 days", "All projects"}}
	computed, from := map[choice]shownNumbers{}, map[choice]time.Time{}
	b.open(b.pageOf(r, report.Options{Show: "pipeline show ", Now: pageDay}), 1280, "light")
	evaluate[bool](b, `document.querySelector('.folded').open = true`)
	for _, c := range choices {
		evaluate[string](b, fmt.Sprintf(chooseProject, c.project))
		var err error
		from[c], err = time.Parse(time.DateOnly, evaluate[string](b, fmt.Sprintf(pressPeriod, c.period)))
		b.must(err)
		computed[c] = b.numbers()
		b.none(fmt.Sprint("drawn for ", c), notDrawn)
	}
	compared, begun := 0, 0
	for _, c := range choices {
		since, got := from[c], computed[c]
		o := report.Options{Show: "pipeline show ", Now: pageDay, Since: &since}
		if c.project != "All projects" {
			o.Projects, o.ProjectURIs = c.project, b.uris(r, c.project)
		}
		b.open(b.pageOf(r, o), 1280, "light") // its numbers are SQL's: nothing was chosen in it
		want := b.numbers()
		if fmt.Sprint(got.Figures, got.Before, got.Period) != fmt.Sprint(want.Figures, want.Before, want.Period) {
			t.Errorf("%v: the figures are\n%s, %s, %s\nSQL's are\n%s, %s, %s", c, got.Figures, got.Before, got.Period,
				want.Figures, want.Before, want.Period)
		}
		for name, w := range want.Cards {
			g := got.Cards[name]
			compared += len(w.Rows)
			begun += strings.Count(fmt.Sprint(w.Says), "Events are known from ")
			if fmt.Sprint(g.Rows) != fmt.Sprint(w.Rows) || fmt.Sprint(g.Says) != fmt.Sprint(w.Says) || g.SQL != w.SQL {
				t.Errorf("%v: %s:\n%s %q\n%s\nSQL has\n%s %q\n%s", c, name, g.Rows, g.Says, g.SQL, w.Rows, w.Says,
					w.SQL)
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d rows were compared", compared)
	}
	if begun == 0 {
		t.Error("no page says since when events are known")
	}
	if said := b.heard(); said != "" {
		t.Errorf("the page said:\n%s", said)
	}
}

// uris are those of the project with a name.
func (b *browser) uris(r *reader.Reader, name string) (out []string) {
	b.Helper()
	answer, err := r.Query(b.Context(), "SELECT DISTINCT project_uri FROM report.activity WHERE project = '"+name+"'")
	b.must(err)
	for _, row := range answer.Rows {
		out = append(out, row[0].(string))
	}
	if len(out) != 1 {
		b.Fatalf("%d projects are called %s", len(out), name)
	}
	return out
}

// TestReportDrill: a click on a bar, and Enter on it, list its conversations, each with the line that shows it.
func TestReportDrill(t *testing.T) {
	b := newBrowser(t)
	warehouse := demoWarehouse(t)
	r := openWarehouse(t, warehouse)
	b.open(b.pageOf(r, report.Options{Show: "pipeline show ", Now: pageDay}), 1280, "light")
	for _, test := range []struct{ chart, mark, where string }{
		{"projects", "tide-api", "project = 'tide-api'"},
		{"tools", "run_terminal_command", "list_contains(tools, 'run_terminal_command')"},
		{"activity", "Friday, 23 January 2026", "day = '2026-01-23'"},
		{"weeks", "Week of 19 January 2026", "date_trunc('week', day) = '2026-01-19'"},
		{"billed_models", "default", "list_contains(billed_models, 'default')"},
	} {
		answer, err := r.Query(t.Context(),
			`SELECT DISTINCT 'pipeline show ' || conversation_id FROM report.conversations
			WHERE day BETWEEN DATE '2025-10-27' AND DATE '2026-01-24' AND `+test.where+` ORDER BY ALL`)
		b.must(err)
		var want []string
		for _, row := range answer.Rows {
			want = append(want, row[0].(string))
		}
		if len(want) == 0 {
			t.Fatalf("%s: nothing to list", test.where)
		}
		const lines = `JSON.stringify([...document.querySelectorAll('#%s .drill code')].map(c => c.textContent).sort())`
		var got []string
		// With the keyboard alone: Tab comes to one bar, End and arrows to the others.
		evaluate[bool](b,
			fmt.Sprintf(`(() => { document.querySelector('#%s .marks button[tabindex="0"]').focus(); return true; })()`,
				test.chart))
		b.press("Home")
		for range 200 {
			if strings.HasPrefix(evaluate[string](b, `document.activeElement.getAttribute('aria-label')`),
				test.mark+":") {
				break
			}
			b.press(map[bool]string{true: "ArrowDown", false: "ArrowRight"}[test.chart != "weeks"])
		}
		b.press("Enter")
		b.must(json.Unmarshal([]byte(evaluate[string](b, fmt.Sprintf(lines, test.chart))), &got))
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("Enter on %s of %s lists\n%s\nwant\n%s", test.mark, test.chart, strings.Join(got, "\n"),
				strings.Join(want, "\n"))
		}
		if at := evaluate[string](b, `document.activeElement.tagName`); at != "H4" {
			t.Errorf("after Enter on %s the focus is at %s, not the heading of the list", test.chart, at)
		}
		b.press("Escape")
		if at := evaluate[string](b, `document.activeElement.getAttribute('aria-label') ?? ''`); !strings.HasPrefix(at,
			test.mark+":") {
			t.Errorf("after Escape the focus is at %q, not on the bar", at)
		}
		if left := evaluate[int](b, `document.querySelectorAll('.drill').length`); left != 0 {
			t.Errorf("Escape leaves %d lists", left)
		}
		evaluate[bool](b, `(() => { document.activeElement.scrollIntoView({ block: 'center' }); return true; })()`)
		at := evaluate[[]float64](b,
			`(() => { const r = document.activeElement.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`)
		b.must(chromedp.Do(b.ctx, chromedp.MouseClickXY(at[0], at[1])))
		b.must(json.Unmarshal([]byte(evaluate[string](b, fmt.Sprintf(lines, test.chart))), &got))
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("a click on %s of %s lists %d conversations, want %d", test.mark, test.chart, len(got), len(want))
		}
		b.press("Escape")
	}
	if said := b.heard(); said != "" {
		t.Errorf("the page said:\n%s", said)
	}
}

var keys = map[string]string{"Home": kb.Home, "ArrowDown": kb.ArrowDown, "ArrowRight": kb.ArrowRight, "Enter": kb.Enter,
	"Escape": kb.Escape, "Tab": kb.Tab}

// press presses a key as a user does.
func (b *browser) press(key string) {
	b.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.KeyEvent(keys[key])))
}
