package chat

import (
	"context"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"

	"pipeline/cmd/pipeline/internal/csp"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// This file prints conversations as a page for a browser. The page is whole in itself and has no script. Its policy
// allows its own style alone, by its hash, so it asks nobody for anything, whatever a text holds.

//go:embed page/transcript.html page/transcript.css
var htmlFiles embed.FS

// htmlParts are the templates of the page. page/transcript.html has them.
var htmlParts = sync.OnceValues(func() (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{"visible": visible}).ParseFS(htmlFiles, "page/transcript.html")
})

// writePart fills a template of the page.
func writePart(w io.Writer, name string, data any) error {
	t, err := htmlParts()
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, name, data)
}

// openHTML writes what comes before the conversations: of one, or of many.
func openHTML(w io.Writer, title string, many bool, links ...Link) error {
	style, err := htmlFiles.ReadFile("page/transcript.css")
	if err != nil {
		return err
	}
	return writePart(w, "open", map[string]any{
		"Title": title, "Many": many, "Links": links, "Style": template.CSS(style),
		"Policy": "default-src 'none'; style-src " + csp.Source(string(style)) +
			"; base-uri 'none'; form-action 'none'",
	})
}

// A Link leads to another page.
type Link struct{ Text, Address string }

// WriteHTMLPage writes a page of one conversation, message by message.
func WriteHTMLPage(ctx context.Context, w io.Writer, c *Conversation, full bool) error {
	return WriteServedPage(ctx, w, c, full, "")
}

// WriteServedPage writes that page with times of the local time zone, which has that name, and links at its head. A
// page in a file has UTC, so that it is the same for every reader: its zone is "".
func WriteServedPage(ctx context.Context, w io.Writer, c *Conversation, full bool, zone string, links ...Link) error {
	if err := openHTML(w, Title(c.Conversation.DisplayTitle), false, links...); err != nil {
		return err
	}
	p := &htmlPrinter{full: full, at: utcMillis, zone: zone}
	if zone != "" {
		p.at = LocalTime
	}
	if err := p.write(ctx, w, c); err != nil {
		return err
	}
	return writePart(w, "close", nil)
}

// WriteHTML writes a conversation as a part of a page: of its own, or of one of many, on which it is folded.
func WriteHTML(ctx context.Context, w io.Writer, c *Conversation, full, many bool) error {
	return (&htmlPrinter{full: full, many: many, at: utcMillis}).write(ctx, w, c)
}

func (p *htmlPrinter) write(ctx context.Context, w io.Writer, c *Conversation) error {
	levels := 2
	if p.many {
		p.prefix, levels = anchor(c.Conversation.ConversationID)+"/", 3
	}
	p.text = renderedMarkdown(levels)
	if err := writePart(w, "conversation", p.head(c)); err != nil {
		return err
	}
	err := c.messages(ctx, func(before, m *reader.MessageRows) error {
		return writePart(w, "message", p.message(before, m, m.MessageID == c.Marked))
	})
	if err != nil {
		return err
	}
	left := ""
	if c.abandoned+c.deleted+c.later > 0 {
		left = fmt.Sprintf("Not shown: %d abandoned, %d deleted, %d later.", c.abandoned, c.deleted, c.later)
	}
	return writePart(w, "end", map[string]any{"Many": p.many, "Left": left})
}

// An htmlPrinter makes the data of the templates.
type htmlPrinter struct {
	full, many bool
	at         func(*schema.Millis) string // writes times
	zone       string                      // name of their time zone; "" for UTC
	prefix     string                      // of the names of places in the page
	text       func(string) template.HTML  // the text of a message
}

type htmlHead struct {
	head
	Many   bool
	Anchor string
	Line   string // for a conversation that is folded
}

func (p *htmlPrinter) head(c *Conversation) *htmlHead {
	out := &htmlHead{head: headOf(c, p.at, p.zone), Many: p.many, Anchor: strings.TrimSuffix(p.prefix, "/")}
	h := &c.Conversation
	out.Line = strings.Join(known(term.OrEmpty(h.Project), utcMillis(h.LastActivityAt),
		term.Plural(len(c.Shown), "message")), " · ")
	return out
}

// An htmlMessage is the data of a message.
type htmlMessage struct {
	Many, Opens, Marked        bool // Opens: the speaker is another one than before
	Role, Who, Model, Branch   string
	Time, Stamp                string // for people, for programs
	Number, Anchor, NameAnchor string
	ID                         string // only in full
	Attached                   []string
	Thought                    *named // without a text its name alone is shown
	Text                       template.HTML
	Shell                      []named // a command, and what it printed
	Calls                      []htmlCall
	Error                      string
	Failed                     string // exit code of a command of the user
	Empty                      bool
}

type htmlCall struct {
	Name, What, Outcome, Error string
	ID                         string // only in full, as are the parts
	Failed                     bool
	Parts                      []named // folded
}

func (p *htmlPrinter) message(before, m *reader.MessageRows, marked bool) *htmlMessage {
	who := speaker(&m.Message)
	out := &htmlMessage{Many: p.many, Opens: before == nil || opensGroup(before, m), Marked: marked, Role: "other",
		Who: strings.ToUpper(who[:1]) + who[1:], Model: term.OrEmpty(m.Model),
		NameAnchor: p.prefix + MessageAnchor(m.MessageID), Error: errorOf(&m.Message), Empty: m.Kind == "empty"}
	if who == "user" || who == "assistant" {
		out.Role = who
	}
	if m.Branch != reader.BranchActive {
		out.Branch = m.Branch
	}
	if m.Position != nil {
		out.Number = fmt.Sprint(*m.Position)
		out.Anchor = p.prefix + "m" + out.Number
	}
	if m.CreatedAt != nil {
		out.Time = map[bool]string{false: "about "}[realTime(&m.Message)] + p.at(m.CreatedAt)
		out.Stamp = time.UnixMilli(int64(*m.CreatedAt)).UTC().Format(time.RFC3339)
	}
	if p.full {
		out.ID = m.MessageID
	}
	for _, a := range m.Attachments {
		if p.full || a.Path != nil || a.URI != nil {
			out.Attached = append(out.Attached, attachmentLine(&a))
		}
	}
	p.body(out, m)
	for i := range m.ToolCalls {
		out.Calls = append(out.Calls, p.call(&m.ToolCalls[i]))
	}
	return out
}

// body adds what a message says, and what was thought before.
func (p *htmlPrinter) body(out *htmlMessage, m *reader.MessageRows) {
	if thoughts := strings.TrimSpace(term.OrEmpty(m.Thinking)); thoughts != "" {
		out.Thought = &named{Name: "thought"}
		if m.ThinkingDurationMs != nil {
			out.Thought.Name += " for " + duration(*m.ThinkingDurationMs)
		}
		if p.full {
			out.Thought.Value = thoughts
		}
	}
	switch {
	case m.Kind == "shell":
		r := shellRun(&m.Message)
		if r.command != "" {
			out.Shell = append(out.Shell, named{"command", r.command})
		}
		for _, printed := range r.printed {
			out.Shell = append(out.Shell, named{"output", printed})
		}
		out.Failed = r.failed
	case hasText(m):
		out.Text = p.text(strings.Trim(*m.Text, "\r\n"))
	}
}

// call is a tool call in a line. In full, its parameters and result are folded below it.
func (p *htmlPrinter) call(call *schema.ToolCall) htmlCall {
	name, what, outcome := callParts(call)
	out := htmlCall{Name: name, What: term.Cut(what, 200), Outcome: outcome,
		Failed: call.IsError != nil && *call.IsError}
	if call.Error != nil {
		out.Error = plainError(*call.Error)
	}
	if !p.full {
		return out
	}
	out.ID = term.OrEmpty(call.ToolCallID)
	shown := *call
	shown.ToolCallID = nil // it is no text to fold
	out.Parts = callDetails(&shown)
	return out
}

// MessageAnchor is the name of a message's place in the page of its conversation.
func MessageAnchor(id string) string { return "id-" + anchor(id) }

// anchor makes a name of a place in the page from an id: it may hold anything but spaces.
func anchor(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return '_'
		}
		return r
	}, id)
}
