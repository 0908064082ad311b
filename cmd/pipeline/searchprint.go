package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/text"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/load/search"
	"pipeline/sql/schema"
)

// noneFound suggests what to try if nothing was found.
func noneFound(ctx context.Context, s *search.Search, path string, words []string, o search.Options) string {
	query, wide := strings.Join(words, " "), o
	wide.Filter, wide.In, wide.Limit = reader.Filter{}, nil, 1
	if all, err := s.Find(ctx, query, wide); err == nil && all.Matches > 0 {
		return fmt.Sprintf("nothing found; without the filters %s", matches(all.Matches))
	}
	wide.Deleted = true
	if all, err := s.Find(ctx, query, wide); err == nil && all.Matches > 0 {
		return fmt.Sprintf("nothing found; with --deleted %s", matches(all.Matches))
	}
	if word := search.Unstarred(query); word != "" {
		return "nothing found; a star finds words with that beginning: " +
			inLine("pipeline search "+term.ShellQuote(word+"*"), path)
	}
	return "nothing found"
}

// printFound prints the hits for people.
func printFound(w io.Writer, found search.Found, warehouse string) {
	title, hit, dim := text.Colors{text.Bold}, text.Colors{text.Bold, text.FgHiYellow}, text.Colors{text.Faint}
	if !term.IsTerminal(w) || !term.ColoursWanted() {
		title, hit, dim = nil, nil, nil
	}
	head := matches(found.Matches)
	switch n := int64(len(found.Hits)); {
	case found.More:
		head = fmt.Sprintf("more than %s; the best %d of the newest of them", matches(found.Matches), n)
	case n < found.Matches:
		head += fmt.Sprintf("; the best %d", n)
	}
	fmt.Fprintln(w, head+":")
	for _, h := range found.Hits {
		fmt.Fprintln(w)
		fmt.Fprintln(w, wrapped(title.Sprint(term.Printable(hitTitle(h))), term.Width(w)))
		fmt.Fprintln(w, "  "+strings.ReplaceAll(wrapped(marked(h, hit), term.Width(w)-2), "\n", "\n  "))
		// whole: a terminal that breaks it still gives one line to paste
		fmt.Fprintln(w, "  "+dim.Sprint("pipeline show "+warehouse+term.ShellQuote(h.ConversationID+"/"+h.MessageID)))
	}
}

// wrapped breaks a text at spaces, also one with colours, so that it fits a terminal; one of no width gets it whole.
func wrapped(s string, width int) string {
	if width <= 0 {
		return s
	}
	return text.WrapSoft(s, width)
}

func matches(n int64) string {
	if n == 1 {
		return "1 message matches"
	}
	return humanize.Comma(n) + " messages match"
}

// hitTitle is the heading of a hit: when, where and by whom.
func hitTitle(h search.Hit) string {
	parts := []string{timeText(h.CreatedAt()), cmp.Or(term.OrEmpty(h.Project), "no project"),
		cmp.Or(term.OrEmpty(h.Title), "no title")}
	who := h.Role
	if h.Tool != nil && *h.Tool != "" {
		who = *h.Tool
	}
	if h.FoundIn != "" && h.FoundIn != "text" {
		who += " " + h.FoundIn
	}
	if parts = append(parts, who); h.Deleted {
		parts = append(parts, "deleted")
	}
	return strings.Join(parts, " · ")
}

// marked is the snippet with the matching words highlighted.
func marked(h search.Hit, color text.Colors) string {
	var b strings.Builder
	if h.Snippet.Before {
		b.WriteString("… ")
	}
	at := 0
	for _, hit := range h.Snippet.Hits {
		b.WriteString(flat(h.Snippet.Text[at:hit[0]]))
		if word := flat(h.Snippet.Text[hit[0]:hit[1]]); color == nil {
			b.WriteString("«" + word + "»")
		} else {
			b.WriteString(color.Sprint(word))
		}
		at = hit[1]
	}
	b.WriteString(flat(h.Snippet.Text[at:]))
	if h.Snippet.After {
		b.WriteString(" …")
	}
	return b.String()
}

// flat is a text in one line, without control characters.
func flat(s string) string {
	words := strings.Fields(s)
	out := strings.Join(words, " ")
	if len(words) > 0 && strings.TrimLeft(s, " \t\r\n") != s {
		out = " " + out
	}
	if len(words) == 0 && s != "" || len(words) > 0 && strings.TrimRight(s, " \t\r\n") != s {
		out += " "
	}
	return term.Printable(out)
}

// timeText is a time in the local time zone, for people.
func timeText(t *schema.Millis) string {
	if t == nil {
		return "no time"
	}
	return time.UnixMilli(int64(*t)).Local().Format("2006-01-02 15:04")
}
