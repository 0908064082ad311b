package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// opened is 'pipeline open' in a process of its own.
type opened struct {
	*cliTest
	address, base string       // what it printed, and that up to the token
	said          bytes.Buffer // complete when it has ended
	cmd           *exec.Cmd
}

// open starts it over the test's warehouse.
func (w *cliTest) open(args ...string) *opened {
	t := w.t
	t.Helper()
	o := &opened{cliTest: w, cmd: exec.Command("pipeline", append([]string{"open", "--no-browser", "--port", "0",
		"--warehouse", w.warehouse}, args...)...)}
	o.cmd.Stderr = &o.said
	out, err := o.cmd.StdoutPipe()
	w.must(err)
	w.must(o.cmd.Start())
	t.Cleanup(func() { _ = o.cmd.Process.Kill() })
	if o.address, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("%v, %v: %s", err, o.cmd.Wait(), o.said.String())
	}
	o.address = strings.TrimSpace(o.address)
	at, err := url.Parse(o.address)
	w.must(err)
	_, path, _ := strings.Cut(at.Path, "/")
	token, _, _ := strings.Cut(path, "/")
	o.base = "http://" + at.Host + "/" + token
	return o
}

// asks asks for a page.
func (o *opened) asks(want int, method, address string, header ...string) string {
	o.t.Helper()
	r, err := http.NewRequest(method, address, nil)
	o.must(err)
	for i := 0; i < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	o.must(err)
	body, err := io.ReadAll(answer.Body)
	o.must(err)
	o.must(answer.Body.Close())
	if answer.StatusCode != want {
		o.t.Errorf("%s %s %q: status %d, want %d: %.300s", method, address, header, answer.StatusCode, want, body)
	}
	return string(body)
}

func (o *opened) get(path string) string { o.t.Helper(); return o.asks(200, "GET", o.base+path) }

var chatLinks = regexp.MustCompile(`<p class="title"><a href="chat/([^"]*)"`)

// chats are the ids that a list has, in order.
func chatsListed(page string) (ids []string) {
	for _, m := range chatLinks.FindAllStringSubmatch(page, -1) {
		id, _ := url.PathUnescape(html.UnescapeString(m[1]))
		ids = append(ids, id)
	}
	return ids
}

var olderLink = regexp.MustCompile(`<a href="\.(/[^"]*)" rel="next"`)

// all are the ids of a list and of the lists to which that leads.
func (o *opened) all(path string) (ids []string) {
	o.t.Helper()
	for {
		page := o.get(path)
		ids = append(ids, chatsListed(page)...)
		next := olderLink.FindStringSubmatch(page)
		if next == nil {
			return ids
		}
		path = html.UnescapeString(next[1])
	}
}

// first is the first column of rows.
func first(rows [][]string) (out []string) {
	for _, row := range rows {
		out = append(out, row[0])
	}
	return out
}

// beside are the names in the folder of the warehouse, and what is in that.
func (w *cliTest) beside() (out []string) {
	w.t.Helper()
	entries, err := os.ReadDir(filepath.Dir(w.warehouse))
	w.must(err)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	text, err := os.ReadFile(w.warehouse)
	w.must(err)
	return append(out, fmt.Sprintf("%x", sha256.Sum256(text)))
}

// change changes the warehouse.
func (w *cliTest) change(query string) {
	w.t.Helper()
	w.must(execDuckDB(w.warehouse, query))
}

// listOrder selects the conversations that have a message, in the order of the list.
const listOrder = `SELECT conversation_id FROM all_conversations c SEMI JOIN messages m USING (source_id, conversation_id)
	ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k USING (source_id, conversation_id) WHERE %s
	ORDER BY last_activity_at DESC NULLS LAST, source_id, conversation_id`

const stillThere = `deleted_at IS NULL AND status IS DISTINCT FROM 'orphaned'`

// TestOpen: the pages show what the warehouse has, to those who have the token, and change nothing.
func TestOpen(t *testing.T) {
	w := demoTest(t)
	o := w.open()
	before := w.beside()
	for _, path := range []string{"/", "/chat/x", "/report", "/nowhere", "/AAAAAAAAAAAAAAAAAAAAAAAAAA/"} {
		o.asks(403, "GET", o.base[:strings.LastIndex(o.base, "/")]+path)
	}
	o.asks(200, "GET", o.address)
	o.asks(403, "GET", o.base+"/", "Host", "evil.example")
	o.asks(403, "GET", o.base+"/", "Origin", "http://evil.example")
	o.asks(403, "GET", o.base+"/", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors")
	o.asks(405, "POST", o.base+"/")
	for path, want := range map[string]int{"/nowhere": 404, "/chat/nobody": 404, "/?from=May": 400, "/?page=0": 400,
		"/chat/%ff":     400,
		"/?project=%ff": 400} {
		o.asks(want, "GET", o.base+path)
	}

	want := first(w.ask(fmt.Sprintf(listOrder, stillThere)))
	w.same("all chats", want, o.all("/"))
	w.same("with those that are gone", first(w.ask(fmt.Sprintf(listOrder, "true"))), o.all("/?gone=1"))
	project := w.ask(`SELECT project_uri FROM live_conversations WHERE project_uri IS NOT NULL AND message_count > 0
		GROUP BY 1 ORDER BY count(*) LIMIT 1`)[0][0]
	w.same("of a project", first(w.ask(fmt.Sprintf(listOrder, stillThere+" AND project_uri = "+quoted(project)))),
		chatsListed(o.get("/?project="+url.QueryEscape(project))))
	day := w.ask(`SELECT CAST(last_activity_at AS DATE) FROM live_conversations WHERE message_count > 0 GROUP BY 1
		ORDER BY count(*) DESC, 1 LIMIT 1`)[0][0][:len(time.DateOnly)]
	w.same("of a day", first(w.ask(fmt.Sprintf(listOrder, stillThere+" AND CAST(last_activity_at AS DATE) = "+
		quoted(day)))), chatsListed(o.get("/?from="+day+"&to="+day)))

	for _, row := range w.ask(`SELECT conversation_id, coalesce(display_title, ''), any_value(message_id) FROM live_messages m
		JOIN live_conversations c USING (source_id, conversation_id) GROUP BY ALL ORDER BY 1 LIMIT 3`) {
		page := o.get("/chat/" + url.PathEscape(row[0]) + "?message=" + url.QueryEscape(row[2]))
		for _, want := range []string{html.EscapeString(row[1]) + "</h1>", `<h2 id="id-` + row[2] + `"`,
			`<a href="../">Chats</a>`, `<a href="../report">Report</a>`} {
			if !strings.Contains(page, want) {
				t.Errorf("the page of %s lacks %q: %.2000s", row[0], want, page[strings.Index(page, "<main>"):])
			}
		}
	}
	said := w.ask(`SELECT conversation_id, regexp_extract(text, '\w{7,}'), message_id FROM live_messages m
		SEMI JOIN live_conversations USING (source_id, conversation_id)
		WHERE role = 'user' AND regexp_matches(text, '\w{7,}') ORDER BY length(text), 1 LIMIT 1`)[0]
	o.get("/?words=" + said[1]) // without an index
	if found := o.get("/?words=" + said[1] + "&gone=1"); !strings.Contains(found, "#id-"+said[2]+`"`) ||
		!slices.Contains(chatsListed(found), said[0]) {
		t.Errorf("%q is not found in %s: %s", said[1], said[0], found[strings.Index(found, "</form>"):])
	}
	if page := o.get("/report"); !strings.Contains(page, `"chats":"chat/"`) {
		t.Error("the report does not lead to chats")
	}
	w.same("what is beside the warehouse", before, w.beside())

	id := want[slices.IndexFunc(want, func(id string) bool { return !strings.HasPrefix(id, "ca5e") })]
	begin := id[:len(id)-1]
	if one := w.open(begin); !strings.HasSuffix(one.address, "/chat/"+url.PathEscape(id)) ||
		filepath.Base(one.base) != filepath.Base(o.base) {
		t.Errorf("open %s opens %s, and the list was at %s", begin, one.address, o.address)
	}
	w.does(exitUsage, "open", "nobody", "--warehouse", w.warehouse)
	w.does(exitUsage, "open", "a", "b", "--warehouse", w.warehouse)
	w.does(exitUsage, "open", "--port", "65536", "--warehouse", w.warehouse)
	w.does(exitSource, "open", "--warehouse", w.dir+"/none.duckdb")
	w.must(o.cmd.Process.Signal(os.Interrupt))
	if err := o.cmd.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v: %s", err, o.said.String())
	}
}

// TestOpenBrowser: a person reads with the keyboard, on a small screen, in the dark, in chats with hostile names, from
// a word to its message and from a bar of the report to a chat, without a script but for the charts.
func TestOpenBrowser(t *testing.T) {
	b := newBrowser(t)
	w := demoTest(t)
	w.change("UPDATE conversations SET title = " + quoted(hostileTexts[2].text+hostileTexts[7].text) + ` || title, display_title = ` +
		quoted(hostileTexts[2].text+hostileTexts[7].text) + ` || display_title, project = ` + quoted(hostileTexts[2].text) + ` || project
		WHERE hash(conversation_id) % 3 = 0`)
	o := w.open()
	b.scheme("light")
	b.must(chromedp.Do(b.ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(o.address)))
	if got := evaluate[bool](b, `document.body.textContent.includes('\u202e') || document.querySelector('main script, main svg, main style') !== null`); got {
		t.Error("a hostile name does something")
	}
	for _, path := range []string{"/", "/?words=error", "/?gone=1&page=2"} {
		b.must(chromedp.Do(b.ctx, chromedp.Navigate(o.base+path)))
		b.looks(path)
	}

	word := w.ask(`SELECT regexp_extract(text, '\w{7,}') FROM live_messages SEMI JOIN live_conversations USING (source_id, conversation_id)
		WHERE role = 'user' AND regexp_matches(text, '\w{7,}') ORDER BY length(text), 1 LIMIT 1`)[0][0]
	b.must(chromedp.Do(b.ctx, chromedp.Navigate(o.base+"/")))
	b.tabTo(`document.activeElement.name === 'words'`)
	b.must(chromedp.Do(b.ctx, chromedp.KeyEvent(word)))
	b.enter()
	b.tabTo(`document.activeElement.closest('.hits') !== null`)
	want := evaluate[string](b, `decodeURIComponent(document.activeElement.hash.slice(1))`)
	b.enter()
	if got := evaluate[string](b, `document.querySelector('section.marked:target h2, section.marked h2')?.id ?? ''`); got != want || want == "" {
		t.Errorf("the hit %s leads to the message %q of %s", want, got, evaluate[string](b, `location.href`))
	}
	b.looks("a chat")
	b.tabTo(`document.activeElement.textContent === 'Report'`)
	b.enter()
	b.none("bars", `document.querySelectorAll('#hours .marks button, .marks button').length ? [] : ['there is none']`)
	evaluate[bool](b, `(document.querySelector('.marks button').click(), true)`)
	to := evaluate[string](b, `document.querySelector('.drill a.title').getAttribute('href')`)
	evaluate[bool](b, `(document.querySelector('.drill a.title').focus(), true)`)
	b.enter()
	if got := evaluate[string](b, `location.pathname + '|' + (document.querySelector('section.message') !== null)`); !strings.HasSuffix(got, "/"+to+"|true") {
		t.Errorf("a bar's chat leads to %s, want /%s", got, to)
	}
	if said := b.heard(); said != "" {
		t.Errorf("the pages said:\n%.2000s", said)
	}
	for _, asked := range b.requests {
		if !strings.HasPrefix(asked, o.base+"/") && !strings.HasPrefix(asked, "data:image/svg+xml;") {
			// it is not the browser's own picture
			t.Errorf("the pages asked for %.300s", asked)
		}
	}
}

// TestOpenMany: of very many chats each page of the list is as small.
func TestOpenMany(t *testing.T) {
	long(t)
	w := demoTest(t)
	const copies = 1000
	w.change(fmt.Sprintf(`INSERT INTO conversations SELECT * EXCLUDE (i) REPLACE (conversation_id || '-' || i AS conversation_id)
		FROM conversations, range(%d) t(i)`, copies))
	w.change(fmt.Sprintf(`INSERT INTO messages SELECT * EXCLUDE (i) REPLACE (conversation_id || '-' || i AS conversation_id)
		FROM (FROM messages WHERE message_id IN (SELECT min(message_id) FROM messages GROUP BY source_id, conversation_id)), range(%d) t(i)`, copies))
	all := first(w.ask(fmt.Sprintf(listOrder, stillThere)))
	if len(all) < 100_000 {
		t.Fatalf("there are only %d chats", len(all))
	}
	o := w.open()
	o.asks(200, "GET", o.address)
	for _, page := range []int{1, 2, len(all)/100 - 1} {
		started := time.Now()
		got := o.get(fmt.Sprintf("/?page=%d", page))
		t.Logf("page %d of %d chats took %s, %d bytes", page, len(all), time.Since(started), len(got))
		w.same(fmt.Sprintf("page %d", page), all[(page-1)*100:page*100], chatsListed(got))
	}
}

// looks checks how a page looks.
func (b *browser) looks(page string) {
	b.Helper()
	for _, width := range []int64{1280, 800, 400} {
		b.resize(width)
		b.none(fmt.Sprint(page, ": width at ", width), strings.Replace(tooWide, ".scroll,",
			".scroll, select, table, .message > h2,", 1))
	}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		b.none(page+": contrast in "+scheme, strings.Replace(pale, "seen > 100", "seen > 5", 1))
	}
	b.scheme("light")
	b.resize(1280)
	if got := evaluate[string](b, `[document.documentElement.lang, document.querySelectorAll('main').length, document.querySelectorAll('h1').length].join(' ')`); got != "en 1 1" {
		b.Errorf("%s: language, main parts and titles: %s", page, got)
	}
}

// tabTo presses Tab until a script says that the focus is where it is wanted.
func (b *browser) tabTo(there string) {
	b.Helper()
	for range 60 {
		b.must(chromedp.Do(b.ctx, chromedp.KeyEvent(kb.Tab)))
		if evaluate[bool](b, there) {
			return
		}
	}
	b.Fatalf("Tab does not come to %s", there)
}

// enter presses Enter, and waits for the page to which that leads.
func (b *browser) enter() {
	b.Helper()
	_, err := chromedp.RunResponse(b.ctx, chromedp.KeyEvent(kb.Enter))
	b.must(err)
}
