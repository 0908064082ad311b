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
	for _, p := range h.Snippet.Pieces() {
		switch text := term.Flat(p.Text); {
		case !p.Found:
			b.WriteString(text)
		case color == nil:
			b.WriteString("«" + text + "»")
		default:
			b.WriteString(color.Sprint(text))
		}
	}
	return b.String()
}

// timeText is a time in the local time zone, for people.
func timeText(t *schema.Millis) string {
	if t == nil {
		return "no time"
	}
	return time.UnixMilli(int64(*t)).Local().Format("2006-01-02 15:04")
}
