package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/search"
	"pipeline/load/textindex"
	"pipeline/sql/schema"
)

// This file makes the list of chats: the latest first, or by words the best first.

// listedChats is how many chats a page lists, and listedHits how many messages that have the words.
const (
	listedChats = 100
	listedHits  = 100
)

// wanted is what the form of the list asks for.
type wanted struct {
	Words, Project, From, To string // Project: a URI; From, To: days, both included
	Gone                     bool   // also what Cursor no longer has
	page                     int    // from 0
	since, until             *schema.Millis
	query                    url.Values
}

func wantedOf(q url.Values) (w wanted, err error) {
	w = wanted{Words: strings.TrimSpace(q.Get("words")), Project: q.Get("project"), From: q.Get("from"),
		To: q.Get("to"), Gone: q.Get("gone") != "", query: q}
	if page := q.Get("page"); page != "" {
		if w.page, err = strconv.Atoi(page); err != nil || w.page < 1 || w.page > 1_000_000 {
			return w, badRequest("page is a number from 1 on")
		}
		w.page--
	}
	if w.since, err = dayAt(w.From, 0); err == nil {
		w.until, err = dayAt(w.To, 1)
	}
	return w, err
}

// dayAt is the start of a day in the local time zone, some days later; nil without a day.
func dayAt(day string, later int) (*schema.Millis, error) {
	if day == "" {
		return nil, nil
	}
	t, err := time.ParseInLocation(time.DateOnly, day, time.Local)
	if err != nil {
		return nil, badRequest("from and to are days such as 2026-03-01")
	}
	ms := schema.Millis(t.AddDate(0, 0, later).UnixMilli())
	return &ms, nil
}

// address is that of another page of the list.
func (w wanted) address(page int) string {
	q := maps.Clone(w.query)
	if q.Del("page"); page > 0 {
		q.Set("page", strconv.Itoa(page+1))
	}
	return "./?" + q.Encode()
}

// shown is the data for page/list.html.
type shown struct {
	Style    template.CSS
	Wanted   wanted
	Projects []project
	Heading  string
	Months   []month
	Newer    string // address of the page before; "": this is the first
	Older    string
	Notes    []string
}

type project struct {
	URI, Name string
	Chosen    bool
}

// A month is a part of the list. Found chats are in one part, without a name.
type month struct {
	Name  string
	Chats []listedChat
}

type listedChat struct {
	Address, Title, Project, Time, Messages string
	Gone                                    bool
	Hits                                    []hit
}

// A hit is a message that has the words.
type hit struct {
	Address, Who string
	Pieces       []textindex.Piece // of its text
}

func (s *site) listed(ctx context.Context, w wanted) (*shown, error) {
	out := &shown{Style: style, Wanted: w}
	heads, err := s.heads(ctx, w, out)
	if err != nil {
		return nil, err
	}
	if w.Words != "" {
		return out, s.find(ctx, w, out)
	}
	if w.page > 0 {
		out.Newer = w.address(w.page - 1)
	}
	if len(heads) > listedChats {
		heads, out.Older = heads[:listedChats], w.address(w.page+1)
	}
	for _, h := range heads {
		name, at := "Without a time", ""
		if h.LastActivityAt != nil {
			t := time.UnixMilli(int64(*h.LastActivityAt)).Local()
			name, at = t.Format("January 2006"), t.Format("Mon 2 15:04")
		}
		if n := len(out.Months); n == 0 || out.Months[n-1].Name != name {
			out.Months = append(out.Months, month{Name: name})
		}
		last := &out.Months[len(out.Months)-1]
		last.Chats = append(last.Chats, listedChat{Address: ChatPath(h.ConversationID), Title: chat.Title(h.Title),
			Project: term.OrEmpty(h.Project), Time: at, Messages: term.Plural(h.Messages, "message"),
			Gone: h.Gone})
	}
	if len(heads) == 0 {
		out.Notes = append(out.Notes, "No chat matches.")
	}
	return out, nil
}

// heads reads what the list needs of the warehouse: the projects, and without words the chats.
func (s *site) heads(ctx context.Context, w wanted, out *shown) (heads []reader.Head, err error) {
	r, err := reader.Open(ctx, s.Warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if r.IsCopy() {
		out.Notes = append(out.Notes, "A run is under way: this is the state before it.")
	}
	projects, err := r.Projects(ctx)
	if err != nil {
		return nil, err
	}
	out.Projects = choices(projects, w.Project)
	if w.Words != "" {
		return nil, nil
	}
	return r.Chats(ctx, w.filter(), w.Gone, w.page*listedChats, listedChats+1)
}

func (w wanted) filter() reader.Filter {
	f := reader.Filter{Since: w.since, Until: w.until}
	if w.Project != "" {
		f.ProjectURIs = []string{w.Project}
	}
	return f
}

// choices are the projects of the form, by name. Projects of one name are told apart by their paths.
func choices(projects []load.Project, chosen string) (out []project) {
	byURI, named := map[string]load.Project{}, map[string]int{}
	for _, p := range projects { // one for each URI that conversations were recorded with
		if _, seen := byURI[p.URI]; !seen {
			byURI[p.URI] = p
			named[p.Name]++
		}
	}
	for _, p := range byURI {
		name := cmp.Or(p.Name, p.Path, p.URI)
		if named[p.Name] > 1 {
			name = fmt.Sprintf("%s (%s)", name, cmp.Or(p.Path, p.URI))
		}
		out = append(out, project{p.URI, name, p.URI == chosen})
	}
	slices.SortFunc(out, func(a, b project) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.URI, b.URI))
	})
	return out
}

// find lists the chats with messages that have the words, the chat of the best message first.
func (s *site) find(ctx context.Context, w wanted, out *shown) error {
	found, how, err := search.Soon(ctx, s.Warehouse, w.Words, search.Options{Filter: w.filter(), Deleted: w.Gone,
		Limit: listedHits})
	if errors.Is(err, search.ErrNoWords) {
		out.Notes = append(out.Notes, err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	at, one := map[load.RowKey]int{}, month{}
	for _, h := range found.Hits {
		key := load.RowKey{SourceID: h.SourceID, ConversationID: h.ConversationID}
		address := ChatPath(h.ConversationID)
		i, seen := at[key]
		if !seen {
			i = len(one.Chats)
			at[key] = i
			one.Chats = append(one.Chats, listedChat{Address: address, Title: chat.Title(h.Title),
				Project: term.OrEmpty(h.Project), Time: chat.LocalTime(h.CreatedAt()), Gone: h.Deleted})
		}
		who := h.Role
		if h.FoundIn != "text" {
			who = h.FoundIn
		}
		one.Chats[i].Hits = append(one.Chats[i].Hits, hit{Who: who, Pieces: h.Snippet.Pieces(),
			Address: address + "?message=" + url.QueryEscape(h.MessageID) + "#" + chat.MessageAnchor(h.MessageID)})
	}
	switch {
	case len(found.Hits) == 0:
		out.Heading = "No message matches"
	case found.More || int64(len(found.Hits)) < found.Matches:
		out.Heading = fmt.Sprintf("The best %d messages of %s", len(found.Hits), term.Plural(len(at), "chat"))
	default:
		out.Heading = term.Plural(found.Matches, "message") + " of " + term.Plural(len(at), "chat")
	}
	out.Months, out.Notes = []month{one}, append(out.Notes, "Searched "+how+".")
	return nil
}
