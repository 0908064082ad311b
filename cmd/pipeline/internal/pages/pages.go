// Package pages shows a warehouse in a browser: its chats by time, project and words, each chat, and the report. It
// changes nothing but the search index. A page has its own style and loads nothing; only the report has scripts.
//
// It knows which pages there are and how they lead to each other. It must never know flags, stores, or on which address
// it is served.
package pages

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"errors"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/csp"
	"pipeline/cmd/pipeline/internal/report"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/tool/outpath"
)

// Options say what is shown.
type Options struct {
	Warehouse string
	Version   string // of the program
	Show      string // what is before its id in the line that shows a conversation in a terminal
}

// ChatPath is the path of a conversation's page. It stays the same as long as the conversation has its id.
func ChatPath(id string) string { return chats + url.PathEscape(id) }

const chats = "chat/"

// Timeout is the time limit for a page: the report of a large warehouse takes some seconds.
const Timeout = 2 * time.Minute

// A site answers one request at a time: while a process reads the warehouse, nothing else in it may open and close the
// file, because that ends the system's lock on it.
type site struct {
	Options
	mu sync.Mutex
}

// Handler answers with the pages, by paths below /. Links between them are relative, so it may be served below another
// path.
func Handler(o Options) http.Handler {
	s := &site{Options: o}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.alone(s.list))
	mux.HandleFunc("GET /"+chats+"{id}", s.alone(s.chat))
	mux.HandleFunc("GET /report", s.alone(s.report))
	return mux
}

// A refusal is an answer without a page.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string { return e.message }

func badRequest(message string) error { return &refusal{http.StatusBadRequest, message} }

// alone answers with a page, or with why there is none. A page that breaks in the middle ends the connection.
func (s *site) alone(answer func(ctx context.Context, w io.Writer, r *http.Request, h http.Header) error,
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), Timeout)
		defer cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		out := &pageWriter{ResponseWriter: w}
		err := badRequest("an address is UTF-8")
		if query, _ := url.QueryUnescape(r.URL.RawQuery); utf8.ValidString(r.URL.Path) && utf8.ValidString(query) {
			err = answer(ctx, out, r, w.Header())
		}
		var refused *refusal
		switch {
		case err == nil || r.Context().Err() != nil:
		case out.begun:
			panic(http.ErrAbortHandler)
		case errors.As(err, &refused):
			http.Error(w, refused.message, refused.status)
		case errors.Is(err, os.ErrNotExist):
			http.Error(w, "There is no warehouse yet: 'pipeline run' makes it.", http.StatusServiceUnavailable)
		case errors.Is(err, engine.ErrBusy):
			w.Header().Set("Retry-After", "10")
			http.Error(w, "Another program writes the warehouse: ask again in a moment.", http.StatusServiceUnavailable)
		default:
			http.Error(w, "The page could not be made: "+err.Error(), http.StatusInternalServerError)
		}
	}
}

// A pageWriter notes that something was written.
type pageWriter struct {
	http.ResponseWriter
	begun bool
}

func (b *pageWriter) Write(p []byte) (int, error) {
	if !b.begun {
		b.begun = true
		b.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	return b.ResponseWriter.Write(p)
}

// report answers with the report.
func (s *site) report(ctx context.Context, w io.Writer, _ *http.Request, h http.Header) (err error) {
	warehouse, err := reader.OpenLocal(ctx, s.Warehouse)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, warehouse.Close()) }()
	h.Set("Content-Security-Policy", framing) // the page has a policy of its own
	_, err = report.Write(ctx, w, warehouse, report.Options{Now: time.Now(), Version: s.Version, Show: s.Show,
		Chats: chats})
	return err
}

// framing is the policy that a page cannot declare for itself.
const framing = "frame-ancestors 'none'"

// chat answers with the page of a conversation: /chat/ID. With ?message=ID that message is marked, with full=1
// thinking, parameters and results are in the page, with all=1 the messages that edited prompts left behind.
func (s *site) chat(ctx context.Context, w io.Writer, r *http.Request, h http.Header) (err error) {
	id, q := r.PathValue("id"), r.URL.Query()
	warehouse, err := reader.Open(ctx, s.Warehouse)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, warehouse.Close()) }()
	found, err := warehouse.HeadsOf(ctx, id, "")
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(h reader.Head) bool { return h.ConversationID != id })
	if len(found) == 0 {
		return &refusal{http.StatusNotFound, "There is no chat " + term.Printable(id) + " in this warehouse."}
	}
	head := found[max(0, slices.IndexFunc(found, func(h reader.Head) bool { return !h.Copy }))]
	rows, err := warehouse.Conversation(ctx, head.RowKey)
	if err != nil {
		return err
	}
	full, all, message := q.Get("full") != "", q.Get("all") != "", q.Get("message")
	aside := slices.ContainsFunc(rows.Places, func(p reader.Place) bool { return p.Branch != reader.BranchActive })
	all = all || slices.ContainsFunc(rows.Places, func(p reader.Place) bool {
		return p.MessageID == message && p.Branch != reader.BranchActive
	})
	c := chat.Choose(rows, all)
	c.Marked = message
	links := []chat.Link{{Text: "Chats", Address: "../"}, {Text: "Report", Address: "../report"},
		other(q, "full", full, "With thinking, parameters and results", "Without thinking, parameters and results")}
	if aside {
		links = append(links, other(q, "all", all, "With what edited prompts left behind",
			"Without what edited prompts left behind"))
	}
	zone, err := warehouse.Zone(ctx)
	if err != nil {
		return err
	}
	h.Set("Content-Security-Policy", framing) // the page has a policy of its own
	return term.Buffered(w, func(w io.Writer) error { return chat.WriteServedPage(ctx, w, c, full, zone, links...) })
}

// other is the link to the same page with a choice turned round.
func other(q url.Values, name string, on bool, with, without string) chat.Link {
	turned, text := maps.Clone(q), with
	if turned.Set(name, "1"); on {
		turned.Del(name)
		text = without
	}
	return chat.Link{Text: text, Address: "?" + turned.Encode()}
}

//go:embed page/list.html page/list.css
var files embed.FS

// listTemplate is the template of the list, with its style and the policy that allows it.
var listTemplate = sync.OnceValues(func() (*template.Template, error) {
	return template.New("list.html").Funcs(template.FuncMap{"printable": term.Printable, "flat": term.Flat}).
		ParseFS(files, "page/list.html")
})

// style is the style of the list, and policy allows it alone, and a form that asks this server.
var style, policy = func() (template.CSS, string) {
	text, _ := files.ReadFile("page/list.css") // it is embedded
	return template.CSS(text), "default-src 'none'; style-src " + csp.Source(string(text)) +
		"; form-action 'self'; base-uri 'none'; " + framing
}()

// list answers with the list of chats.
func (s *site) list(ctx context.Context, w io.Writer, r *http.Request, h http.Header) error {
	wanted, err := wantedOf(r.URL.Query())
	if err != nil {
		return err
	}
	shown, err := s.listed(ctx, wanted)
	if err != nil {
		return err
	}
	t, err := listTemplate()
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := t.Execute(&page, shown); err != nil {
		return err
	}
	h.Set("Content-Security-Policy", policy)
	_, err = page.WriteTo(w)
	return err
}

// Token returns what addresses of a warehouse's pages begin with. The pages have what people wrote, and every user and
// program of a machine reaches its loopback addresses; only its user can read the token's file. It is made once, so
// that addresses stay the same. Where no file can be made, the token holds for this process alone.
func Token(warehouse string) string {
	file, made := warehouse+".token", rand.Text()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(made)
		err = errors.Join(err, f.Close())
	}
	if errors.Is(err, fs.ErrExist) {
		if text, err := outpath.Read(file, outpath.SmallFile); err == nil && len(text) == len(made) && isPlain(text) {
			return string(text)
		}
	}
	return made
}

// isPlain reports whether a text is one that rand.Text makes.
func isPlain(text []byte) bool {
	return strings.Trim(string(text), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Guard passes on requests whose path begins with the token, without it.
func Guard(token string, next http.Handler) http.Handler {
	inner := http.StripPrefix("/"+token, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _, below := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if !below || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			http.Error(w, "This page has what you wrote, so it opens by an address with a token alone: 'pipeline "+
				"open' prints it.", http.StatusForbidden)
			return
		}
		inner.ServeHTTP(w, r)
	})
}
