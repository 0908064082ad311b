package main

import (
	"context"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"pipeline/load/reader"
	"pipeline/testdata/gen/storetest"
)

// Scripts that look for faults in the page; each returns a list of what it found.
const (
	// notDrawn: a card shows a chart with marks in it, a table, or says why there is none.
	notDrawn = `[...document.querySelectorAll('article')].flatMap(card => {
		const chart = card.querySelector('.plot:not([hidden]) [data-chart]'), absent = card.querySelector('.absent:not([hidden])');
		if (card.closest('details:not([open])')) return [card.id + ' is folded'];
		if (!chart) return absent || card.querySelector('.rows tbody tr') ? [] : [card.id + ' is empty'];
		const marks = [...chart.querySelectorAll('svg path')].filter(p => /^var\(--(c\d|h\d|other)\)$/.test(p.getAttribute('fill')) && p.getBoundingClientRect().width > 0 && p.getBoundingClientRect().height > 0);
		return absent ? [card.id + ' has a chart and says that it has none'] : marks.length ? [] : [card.id + ' has no marks'];
	})`

	// misplaced: labels of a chart that lie over each other or are cut.
	misplaced = `[...document.querySelectorAll('[data-chart]')].flatMap(chart => {
		const frame = chart.getBoundingClientRect(), texts = [...chart.querySelectorAll('svg text')].filter(t => t.textContent.trim()).map(t => [t.textContent, t.getBoundingClientRect()]);
		const cut = texts.filter(([, r]) => r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 || r.bottom > frame.bottom + 1).map(([t]) => chart.dataset.chart + ': cut: ' + t);
		const over = texts.flatMap(([a, r], i) => texts.slice(i + 1).filter(([, s]) => Math.min(r.right, s.right) - Math.max(r.left, s.left) > 1 && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > 1).map(([b]) => chart.dataset.chart + ': ' + a + ' lies over ' + b));
		return [...cut, ...over];
	})`

	// pale: texts with a contrast below 4.5 to what is behind them, by WCAG 2.
	pale = `(() => {
		const parse = c => (c.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
		const light = c => { const [r, g, b] = parse(c).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, p = parse(c); if (p.length < 4 || p[3] > 0) return c; } return 'rgb(255, 255, 255)'; };
		document.querySelectorAll('details').forEach(d => d.open = true);
		let seen = 0;
		const found = [...document.querySelectorAll('body *')].flatMap(e => {
			if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(e.tagName)) return [];
			const inChart = e instanceof SVGElement, style = getComputedStyle(e), ink = inChart ? style.fill : style.color;
			const a = light(ink), b = light(behind(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) * (inChart ? Number(style.fillOpacity) * Number(style.opacity) : 1);
			seen++;
			return ratio >= 4.5 ? [] : [e.textContent.trim().slice(0, 40) + ' in ' + ink + ': ' + ratio.toFixed(2)];
		});
		return seen > 100 ? found : [...found, 'only ' + seen + ' texts were found'];
	})()`

	// tooWide: what reaches beyond the window, but for what scrolls by itself.
	tooWide = `(document.documentElement.scrollWidth > innerWidth ? ['the page is ' + document.documentElement.scrollWidth + ' wide'] : []).concat(
		[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, pre, svg, script, noscript') && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + ' ' + e.className + ' ' + e.textContent.trim().slice(0, 40)))`
)

// whole checks what must hold of every page, in two schemes and three widths.
func (b *browser) whole(file string) {
	b.Helper()
	b.open(file, 1280, "light")
	if evaluate[string](b, `document.documentElement.dataset.ready ?? ''`) != "yes" {
		b.Errorf("the script did not come to its end")
	}
	b.Logf("labels are drawn in %s", b.font())
	b.Logf("ready after %v ms", evaluate[float64](b,
		`performance.timing.loadEventEnd - performance.timing.navigationStart`))
	evaluate[bool](b, `document.querySelector('.folded').open = true`)
	for _, width := range []int64{1280, 800, 400} {
		b.resize(width)
		b.none(fmt.Sprint("drawn at ", width), notDrawn)
		b.none(fmt.Sprint("labels at ", width), misplaced)
		b.none(fmt.Sprint("width at ", width), tooWide)
	}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		b.none("contrast in "+scheme, pale)
	}
	b.resize(400)
	b.none("width with everything open", tooWide)
	if said := b.heard(); said != "" {
		b.Errorf("the page said:\n%s", said)
	}
	for _, url := range b.requests {
		if url != "file://"+file {
			b.Errorf("the page asked for %s", url)
		}
	}
	if len(b.requests) != 1 {
		b.Errorf("%d requests were seen, not only that for the page", len(b.requests))
	}
	// The ear works: what the policy refuses is heard.
	evaluate[bool](b,
		`(document.body.setAttribute('style', 'color: red'), new Image().src = 'https://nowhere.invalid/x.png', true)`)
	b.resize(500)
	if said := b.heard(); strings.Count(said, "Content Security Policy") != 2 {
		b.Errorf("a style attribute and an image were not both refused: %q", said)
	}
}

// report writes a page of a warehouse.
func (b *browser) report(warehouse string, args ...string) (file string) {
	b.Helper()
	file = filepath.Join(b.TempDir(), "report.html")
	w := cliTest{t: b.T}
	w.does(0, append([]string{"report", "--warehouse", warehouse, "--output", file}, args...)...)
	return file
}

// TestReportPage: the page of the invented history is drawn whole, and needs nothing but itself.
func TestReportPage(t *testing.T) {
	b := newBrowser(t)
	warehouse := demoWarehouse(t)
	file := b.report(warehouse)
	if info, err := os.Stat(file); err != nil || info.Size() > 1<<20 {
		t.Errorf("the page is too large: %v %v", info.Size(), err)
	}
	b.whole(file)
	if got := evaluate[int](b, `document.querySelectorAll('[data-chart]').length`); got < 12 {
		t.Errorf("only %d charts are drawn", got)
	}
	if got := evaluate[string](b, `document.querySelector('#funnel .known:last-child').textContent`); !strings.Contains(
		got, "--git") {
		t.Errorf("without a repository the funnel says %q", got)
	}
	b.printed()
	b.open(b.report(warehouse, "--since", "2024-10-01"), 400, "light") // years, on a telephone
	evaluate[bool](b, `document.querySelector('.folded').open = true`)
	b.resize(400)
	b.none("drawn", notDrawn)
	b.none("labels", misplaced)
	b.none("width", tooWide)
}

// printed checks what paper gets, also from who prefers dark: light, charts that fit, tables closed.
func (b *browser) printed() {
	b.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print",
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	b.must(err)
	b.resize(500)
	got := evaluate[string](b, `(() => {
		const widest = () => Math.max(...[...document.querySelectorAll('[data-chart] svg')].map(s => Number(s.getAttribute('width'))));
		const before = widest();
		dispatchEvent(new Event('beforeprint'));
		const paper = widest();
		dispatchEvent(new Event('afterprint'));
		return [before > 0 && before === widest(), paper, getComputedStyle(document.querySelector('.muted')).color, [...document.querySelectorAll('details, .choice, .copy')].filter(d => d.offsetHeight > 0).length].join(' ');
	})()`)
	if want := "true 640 rgb(90, 90, 85) 0"; got != want {
		b.Errorf("in print: %s, want %s", got, want)
	}
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	b.must(err)
}

// TestReportEmpty: a page of an empty warehouse has no empty boxes.
func TestReportEmpty(t *testing.T) {
	b := newBrowser(t)
	w := newCLITest(t)
	w.store(nil, storetest.StoreOptions{})
	w.does(0, "run", "--quiet", "--source", w.user, "--warehouse", w.warehouse)
	b.whole(b.report(w.warehouse))
	if got := evaluate[int](b, `document.querySelectorAll('article > .absent:not([hidden])').length`); got < 13 {
		t.Errorf("only %d cards say what is not there", got)
	}
	if got := evaluate[string](b,
		`[...document.querySelectorAll('.figures .value')].map(e => e.textContent).join(' ')`); got != "— — — — — —" {
		t.Errorf("the figures of nothing are %q", got)
	}
}

// hostile is a name as nobody would want it.
const hostile = "</script><img src=x onerror=alert(1)>'\"{failed}<!--\u2028\n\\"

// TestReportHostile: names from the warehouse stay text, wherever they stand.
func TestReportHostile(t *testing.T) {
	b := newBrowser(t)
	w := demoTest(t)
	for _, column := range []string{"conversations.project", "conversations.title", "conversations.model",
		"sessions.project", "activity_periods.project", "messages.model", "tool_calls.tool", "tool_calls.file_path",
		"code_edits.path", "quarantine.family"} {
		table, name, _ := strings.Cut(column, ".")
		w.change(fmt.Sprintf("UPDATE %[1]s SET %[2]s = %[3]s || %[2]s WHERE %[2]s IS NOT NULL", table, name,
			quoted(hostile)))
	}
	file := b.report(w.warehouse, "--since", "2024-10-01")
	b.whole(file)
	if got := evaluate[int](b, `document.images.length`); got != 0 {
		t.Errorf("%d images came from names", got)
	}
	b.resize(1280)
	evaluate[bool](b, `document.querySelector('.folded').open = true`)
	for _, chart := range []string{"projects", "tools", "fullest", "edits", "files", "quarantine"} {
		b.hover(chart)
		if got := evaluate[string](b, `document.querySelector('#`+chart+
			` .tip')?.textContent ?? ''`); !strings.Contains(got, `</script><img src=x onerror=alert(1)>`) {
			t.Errorf("the tooltip of %s is %q", chart, got)
		}
	}
	if got := evaluate[int](b, `document.images.length`); got != 0 {
		t.Errorf("%d images came from tooltips", got)
	}
}

// hover holds the mouse over a mark of a chart.
func (b *browser) hover(chart string) {
	b.Helper()
	at := evaluate[[]float64](b, `(() => {
		const holder = document.querySelector('#`+chart+` [data-chart]');
		holder.scrollIntoView({ block: 'center' });
		const boxes = [...holder.querySelectorAll('svg path')].filter(p => /^var\(--(c\d|h\d|other)\)$/.test(p.getAttribute('fill'))).map(p => p.getBoundingClientRect()).sort((a, b) => b.width - a.width);
		return [boxes[0].left + boxes[0].width / 2, boxes[0].top + boxes[0].height / 2];
	})()`)
	b.must(chromedp.Do(b.ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1])))
	b.resize(1280)
}

// TestReportText: what was said is not in the page; titles are, unless they are not wanted.
func TestReportText(t *testing.T) {
	long(t)
	b := &browser{T: t}
	warehouse := demoWarehouse(t)
	texts := func(query string) (out []string) {
		answer, err := reader.Query(context.Background(), warehouse, query)
		b.must(err)
		for _, row := range answer.Rows {
			out = append(out, row[0].(string))
		}
		if len(out) < 20 {
			t.Fatalf("only %d texts: %s", len(out), query)
		}
		return out
	}
	titles := texts("SELECT DISTINCT title FROM live_conversations WHERE title LIKE '% %' AND length(title) > 10")
	said := texts("SELECT DISTINCT left(trim(text), 40) FROM messages WHERE length(trim(text)) > 40 UNION SELECT " +
		"DISTINCT left(trim(thinking), 40) FROM messages WHERE length(trim(thinking)) > 40")
	for _, with := range []bool{false, true} {
		args := []string{"--since", "2024-10-01"}
		if !with {
			args = append(args, "--no-titles")
		}
		file, err := os.ReadFile(b.report(warehouse, args...))
		b.must(err)
		// As HTML and as JSON: the page carries what its script computes with.
		page, shown := html.UnescapeString(string(file))+unescaped.Replace(string(file)), 0
		for _, text := range said {
			if strings.Contains(page, text) {
				t.Errorf("with titles %v: the page holds what was said: %s", with, text)
			}
		}
		for _, title := range titles {
			if strings.Contains(page, title) {
				shown++
			}
		}
		if with && shown < len(titles)*9/10 || !with && shown > 0 {
			t.Errorf("with titles %v: %d of %d titles are in the page", with, shown, len(titles))
		}
	}
}

// unescaped reads the escapes of JSON in a page.
var unescaped = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u0027`, "'", `\"`, `"`, `\\`, `\`)

var shownSQL = regexp.MustCompile(
	`(?s)<details[^>]*><summary>SQL[^\n]*?</summary><pre tabindex="0"><code>(.*?)</code></pre>`)

// TestReportSQL: the SQL under each chart is what pipeline sql answers with the rows of its table; make test asks some.
func TestReportSQL(t *testing.T) {
	b := &browser{T: t}
	warehouse := demoWarehouse(t)
	text, err := os.ReadFile(b.report(warehouse, "--since", "2025-01-01", "--project", "tide-api"))
	b.must(err)
	found := shownSQL.FindAllSubmatch(text, -1)
	if want := strings.Count(string(text), "<article ") + 1; len(found) != want {
		t.Fatalf("%d queries for %d charts and figures", len(found), want)
	}
	cards, opened := strings.Split(string(text), "<article "), openWarehouse(t, warehouse)
	for i, match := range found {
		query := html.UnescapeString(string(match[1]))
		if strings.Contains(query, "true /*") {
			t.Errorf("a choice is missing in\n%s", query)
		}
		if testing.Short() && i%3 > 0 {
			continue
		}
		answer, err := opened.Query(t.Context(), query)
		if err != nil {
			t.Errorf("%v\n%s", err, query)
			continue
		}
		_, body, hasTable := strings.Cut(cards[i], "<tbody>")
		if rows := strings.Count(body, `<tr><th scope="row"`); hasTable && rows != len(answer.Rows) &&
			!strings.Contains(cards[i], "are shown; the query has all") {
			t.Errorf("the table has %d rows, the query %d:\n%s", rows, len(answer.Rows), query)
		}
	}
}
