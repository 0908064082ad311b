package report

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"pipeline/load/reader"
)

// A project is one that the page names.
type project struct {
	Label string `json:"label"`
	URI   string `json:"uri"` // "": no project
}

// projects are those of a page, in the order of their URIs; the last one stands for what has no project.
type projects struct {
	list []project
	at   map[string]int // by URI
}

// askProjects finds the projects of a period and gives each a label of its own.
func (a *asker) askProjects(ctx context.Context, p period) error {
	q, err := a.ask(ctx, "names", p)
	if err != nil {
		return err
	}
	change := a.Redact
	if change == nil {
		change = func(text string) string { return text }
	}
	var names, uris []string
	a.names = projects{at: map[string]int{}}
	for i := range q.rows {
		uri, _ := q.value(i, "project_uri").(string)
		a.names.at[uri] = i
		names, uris = append(names, q.text(i, "project")), append(uris, change(uri))
	}
	for i, label := range labels(names, uris) {
		a.names.list = append(a.names.list, project{label, uris[i]})
	}
	a.names.list = append(a.names.list, project{Label: noProject})
	return nil
}

// index is the place of the project with a URI; nil is that of no project.
func (p projects) index(uri any) int {
	if text, ok := uri.(string); ok {
		if i, known := p.at[text]; known {
			return i
		}
	}
	return len(p.list) - 1
}

func (p projects) label(uri any) string {
	if len(p.list) == 0 {
		return noProject
	}
	return p.list[p.index(uri)].Label
}

// labels are the names of projects. Names that several have get the folders above them, as many as tell them apart.
func labels(names, uris []string) []string {
	out := append([]string{}, names...)
	for depth := 1; depth < 12; depth++ {
		count := map[string]int{noProject: 1}
		for _, label := range out {
			count[label]++
		}
		same := false
		for i, label := range out {
			if count[label] > 1 {
				out[i], same = names[i]+" ("+above(uris[i], depth)+")", true
			}
		}
		if !same {
			return out
		}
	}
	used := map[string]int{noProject: 1}
	for i, label := range out {
		if used[label]++; used[label] > 1 {
			out[i] = fmt.Sprintf("%s %d", label, used[label])
		}
	}
	return out
}

// above are the folders above the last part of a URI, at most so many of them; from the fourth on, the whole URI
// without its last part, so that other hosts differ, too.
func above(uri string, depth int) string {
	u, err := url.Parse(uri)
	if err != nil || depth > 3 {
		return uri
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	parts = parts[:max(len(parts)-1, 0)]
	return strings.Join(parts[max(len(parts)-depth, 0):], "/")
}

// conversationName is what a conversation is called: by its title, or by its start where it has none or titles are not
// wanted.
func conversationName(title, started any) string {
	if text, ok := title.(string); ok && strings.TrimSpace(text) != "" {
		if runes := []rune(text); len(runes) > longTitle {
			return string(runes[:longTitle-1]) + "…"
		}
		return text
	}
	if started == nil {
		return "conversation without a time"
	}
	return "conversation of " + reader.Text(started)[:len("2006-01-02 15:04")]
}

// longTitle is the number of characters of which a title is cut.
const longTitle = 100
