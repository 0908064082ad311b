package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// transcript writes the page that a command prints.
func (b *browser) transcript(w *cliTest, args ...string) (file string) {
	b.Helper()
	file = filepath.Join(b.TempDir(), "chats.html")
	printed, _ := w.does(0, append(args, "--warehouse", w.warehouse)...)
	b.must(os.WriteFile(file, []byte(printed), 0o600))
	return file
}

// messages is what the page says of each message, by its place in the page.
func (b *browser) messages() map[string]string {
	b.Helper()
	return evaluate[map[string]string](b,
		`Object.fromEntries([...document.querySelectorAll('section.message')].map(s => [s.querySelector('h2, h3').id, s.textContent]))`)
}

// dead checks that a page did nothing: it asked for nothing, no script ran, and there is nothing in it that could do
// something.
func (b *browser) dead(file, title string) {
	b.Helper()
	if said := b.heard(); said != "" {
		b.Errorf("the page said:\n%.2000s", said)
	}
	for _, url := range b.requests {
		if !strings.HasPrefix(url, "file://"+file) {
			b.Errorf("the page asked for %.300s", url)
		}
	}
	if got := evaluate[string](b,
		`document.title + '|' + (document.documentElement.dataset.alive ?? '')`); got != title+"|" {
		b.Errorf("the page is named %q, want %q", got, title+"|")
	}
	b.none("alive",
		`[...document.querySelectorAll('script, img, svg, iframe, object, embed, link, base, form, input, video, audio, math, template, [style], body style')].map(e => e.outerHTML.slice(0, 200))
		.concat([...document.querySelectorAll('*')].flatMap(e => [...e.attributes].filter(a => /^on|^(src|srcset|action|background|poster|ping|target)$/i.test(a.name)).map(a => e.tagName + ' ' + a.name)))`)
	b.none("links",
		`[...document.querySelectorAll('a')].filter(a => !(a.getAttribute('href').startsWith('#') || /^(https?|mailto):$/.test(a.protocol) && a.rel === 'noopener noreferrer nofollow')).map(a => a.outerHTML.slice(0, 200))`)
}

// laidOut checks how a page looks: nothing is too wide, at three widths, nothing is pale, in two schemes, and headings
// and places are in order.
func (b *browser) laidOut() {
	b.Helper()
	evaluate[bool](b, `(document.querySelectorAll('details').forEach(d => d.open = true), true)`)
	for _, width := range []int64{1280, 800, 400} {
		b.resize(width)
		b.none(fmt.Sprint("width at ", width),
			strings.Replace(tooWide, ".scroll,", ".scroll, table, .message > h2, .message > h3,", 1))
	}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		b.none("contrast in "+scheme, pale)
	}
	b.none("headings",
		`(() => { let last = 0; return [...document.querySelectorAll('h1, h2, h3')].filter(h => !h.closest('.text')).flatMap(h => {
		const level = Number(h.tagName[1]), jump = level > last + 1; last = level; return jump ? [h.textContent.slice(0, 60)] : []; }); })()`)
	b.none("places",
		`(() => { const seen = new Set(); return [...document.querySelectorAll('[id]')].flatMap(e => seen.has(e.id) || /\s/.test(e.id) ? [e.id] : (seen.add(e.id), [])); })()`)
	b.none("links to places",
		`[...document.querySelectorAll('a.number')].filter(a => document.getElementById(decodeURIComponent(a.hash.slice(1))) !== a.closest('section')).map(a => a.hash)`)
	if got := evaluate[string](b,
		`[document.documentElement.lang, document.querySelectorAll('main').length, document.querySelectorAll('h1').length].join(' ')`); got != "en 1 1" {
		b.Errorf("language, main parts and titles: %s", got)
	}
}

// pageID is the name of a message's place in a page of many conversations, in SQL.
const pageID = `regexp_replace(conversation_id || '/id-' || message_id, '\s', '_', 'g')`

// letters are those of a text: Markdown takes its marks, and a page may break lines elsewhere.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, text)
}

// TestTranscriptPage: a page of all conversations has every message of the warehouse, with what was said, thought,
// asked of tools and answered; a page of one conversation has all of it without --full but what is folded.
func TestTranscriptPage(t *testing.T) {
	b := newBrowser(t)
	w := demoTest(t)
	file := b.transcript(w, "export", "conversations", "--format", "html", "--full", "--gone", "--all-branches")
	b.open(file, 1280, "light")
	page, missing := b.messages(), 0
	rows := w.ask(`SELECT ` + pageID +
		`, coalesce(text, ''), coalesce(thinking, ''), coalesce(error, '') FROM messages`)
	for _, row := range append(rows, w.ask(`SELECT `+pageID+
		`, coalesce(tool, name, '') FROM live_tool_calls WHERE tool <> 'mcp'
		UNION ALL SELECT `+pageID+`, coalesce(command, file_path, '') FROM live_tool_calls
		UNION ALL SELECT `+pageID+`, coalesce(result ->> 'contents', result ->> 'output', '') FROM live_tool_calls
		UNION ALL SELECT `+pageID+`, coalesce(path, uri, '') FROM attachments WHERE message_id IS NOT NULL`)...) {
		said, ok := page[row[0]]
		for _, want := range row[1:] {
			if (!ok || !strings.Contains(letters(said), letters(want))) && missing < 10 {
				t.Errorf("%s is on the page: %v; it does not say %.300q but %.600q", row[0], ok, want, said)
				missing++
			}
		}
	}
	w.same("messages", len(rows), len(page))
	b.dead(file, "Conversations")
	b.laidOut()
	if got, want := evaluate[int](b, `document.querySelectorAll('details.conversation').length`),
		w.ask(`SELECT count(DISTINCT conversation_id) FROM messages`)[0][0]; fmt.Sprint(got) != want {
		t.Errorf("%d conversations, want %s", got, want)
	}

	const one = "d70f5723" // the longest of those that are short
	if got, err := os.ReadFile(b.transcript(w, "show", one, "--html", "--to", "5")); err != nil ||
		strings.Count(string(got), "<section ") != 6 || !strings.Contains(string(got), "deleted, 115 later.") {
		t.Errorf("up to the fifth message there are %d: %v", strings.Count(string(got), "<section "), err)
	}
	file = b.transcript(w, "show", one, "--html")
	b.requests = nil
	b.open(file, 400, "dark")
	title := w.ask(`SELECT title FROM conversations WHERE starts_with(conversation_id, '` + one + `')`)[0][0]
	b.dead(file, title)
	if got, want := fmt.Sprint(len(b.messages())),
		w.ask(`SELECT count(*) FROM message_branches WHERE branch = 'active' AND starts_with(conversation_id, '` + one +
			`')`)[0][0]; got != want {
		t.Errorf("the page of one conversation has %s messages, want %s", got, want)
	}
	if got := evaluate[string](b,
		`document.querySelector('h1').textContent + '|' + document.querySelectorAll('details').length`); got != title+
		"|0" {
		t.Errorf("the page of one conversation is %q", got)
	}
	b.laidOut()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print",
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	b.must(err)
	if got := evaluate[string](b,
		`[getComputedStyle(document.querySelector('.message')).color, getComputedStyle(document.querySelector('.number')).display].join(' ')`); got != "rgb(29, 29, 27) none" {
		t.Errorf("in print: %s", got)
	}
}

// A hostileText is one that would do something, and how the page shows it.
type hostileText struct{ text, shown string }

const wake = `document.title='alive';document.documentElement.dataset.alive=1;alert(1)`

// hostileTexts are those that messages, calls and titles begin with.
var hostileTexts = []hostileText{
	{"<script>" + wake + "</script>", "<script>" + wake + "</script>"},
	{`<img src=x onerror="` + wake + `">`, `<img src=x onerror="` + wake + `">`},
	{`</style></title></pre></code></details></section></main><svg onload="` + wake +
		`"><style>*{display:none}</style>`, `</title></pre></code></details></section></main><svg onload="`},
	{`<iframe src="https://nowhere.invalid/a"></iframe><link rel=stylesheet href=https://nowhere.invalid/b.css>`,
		`<iframe src="https://nowhere.invalid/a"></iframe><link rel=`},
	{`<meta http-equiv=refresh content="0;url=https://nowhere.invalid/c"><base href=https://nowhere.invalid/>`,
		`<meta http-equiv=refresh content="0;url=https://nowhere.invalid/c"><base href=`},
	{"![pixel](https://nowhere.invalid/d.png) [e](javascript:" + wake + ") <javascript:alert(2)>", ""},
	{"[f](data:text/html,&lt;script&gt;alert(3)&lt;/script&gt;) [g](https://nowhere.invalid/g)", ""},
	{"\x1b]0;x\x07\u202egnp.exe\u2066 &#8238; {{.Title}} <!-- -->", "␛]0;x␇\ufffdgnp.exe\ufffd "},
	{strings.Repeat("> ", 5000) + "deep", "deep"},
	{strings.Repeat("- ", 5000) + "deep", "deep"},
	{strings.Repeat("[", 5000) + "deep" + strings.Repeat("](x)", 5000), "deep"},
	{"wide" + strings.Repeat("W", 1_000_000), strings.Repeat("W", 1_000_000)},
}

// TestTranscriptHostile: what would do something stays a text, wherever it stands, and the rest of the page is whole
// around it.
func TestTranscriptHostile(t *testing.T) {
	b := newBrowser(t)
	w := demoTest(t)
	for i, h := range hostileTexts {
		// Each text stands in messages, one kind after the other; those that are very long in one message of each kind
		// only.
		which := fmt.Sprintf("hash(m.message_id) %% %d = %d", len(hostileTexts), i)
		if len(h.text) > 4096 {
			which = fmt.Sprintf("m.message_id IN (SELECT unnest(max_by(message_id, hash(message_id || '%d'), 2)) FROM "+
				"messages WHERE text IS NOT NULL AND length(text) < 4000 GROUP BY role)", i)
		}
		w.change("UPDATE messages m SET text = " + quoted(h.text+"\n\n") + " || m.text WHERE length(m.text) < 4096 " +
			"AND " + which)
	}
	for _, column := range []string{"conversations.title", "conversations.display_title", "conversations.project",
		"conversations.model", "messages.model", "messages.thinking", "messages.error", "tool_calls.tool",
		"tool_calls.command", "tool_calls.file_path", "tool_calls.error", "tool_calls.user_decision",
		"attachments.path", "attachments.kind"} {
		table, name, _ := strings.Cut(column, ".")
		w.change(fmt.Sprintf("UPDATE %s SET %s = %s || %s WHERE %s IS NOT NULL", table, name,
			quoted(hostileTexts[2].text+hostile), name, name))
	}
	for _, name := range []string{"params", "result"} {
		w.change(fmt.Sprintf("UPDATE tool_calls SET %s = json_object('output', %s, 'was', %s) WHERE %s IS NOT NULL",
			name, quoted(hostileTexts[2].text+"\n"+hostileTexts[7].text), name, name))
	}
	rows := map[string]string{}
	for _, row := range w.ask(`SELECT ` + pageID + `, coalesce(text, '') FROM messages`) {
		rows[row[0]] = row[1]
	}
	file := b.transcript(w, "export", "conversations", "--format", "html", "--full", "--gone", "--all-branches")
	b.open(file, 1280, "light")
	b.dead(file, "Conversations")
	page, found := b.messages(), make([]int, len(hostileTexts))
	w.same("messages", len(rows), len(page))
	for id, text := range rows {
		for i, h := range hostileTexts {
			if strings.HasPrefix(text, h.text) {
				if found[i]++; !strings.Contains(page[id], h.shown) {
					t.Errorf("%s does not show %.300q, but %.600q", id, h.shown, page[id])
				}
			}
		}
	}
	for i, n := range found {
		if n == 0 {
			t.Errorf("no message has the text %d", i)
		}
	}
	if got := evaluate[int](b,
		`[...document.querySelectorAll('.call')].filter(c => c.textContent.includes('</style></title></pre>')).length`); got < 500 {
		t.Errorf("only %d calls show what they hold", got)
	}
	b.laidOut()
	b.dead(file, "Conversations")
	// The ear works: what the policy refuses is heard.
	evaluate[bool](b,
		`(document.body.insertAdjacentHTML('beforeend', '<img src=https://nowhere.invalid/x.png><p style="color: red" onclick="alert(1)">x</p>'), true)`)
	b.resize(500)
	if said := b.heard(); strings.Count(said, "Content Security Policy") < 2 {
		t.Errorf("an image and a style attribute were not both refused: %q", said)
	}

	single := filepath.Join(t.TempDir(), "chats") // each conversation in a file of its own
	w.does(0, "export", "conversations", "--format", "html", "--out", single, "--conversation", "d70f5723",
		"--warehouse", w.warehouse)
	for name := range folder(t, single) {
		second := newBrowser(t)
		second.open(filepath.Join(single, name), 400, "light")
		second.dead(filepath.Join(single, name), evaluate[string](second, `document.title`))
		if got := evaluate[string](second, `document.querySelector('h1').textContent`); !strings.HasPrefix(got,
			"</style></title></pre>") {
			t.Errorf("the title is %q", got)
		}
		second.laidOut()
	}
}
