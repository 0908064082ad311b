package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
)

// A conversationExport writes conversations to a stream or a folder.
type conversationExport struct {
	format      string
	full        bool
	allBranches bool
	many        bool                             // the page, of format html, has many conversations
	redact      func(text, column string) string // takes secrets out; nil: they stay
	terminal    bool                             // the stream goes to a terminal
	reader      *reader.Reader
	heads       []reader.Head
	report      func(done, total int)
	result      exported
}

// intoTerminal reports whether the conversations are printed on a terminal.
func (e *conversationExport) intoTerminal(c *cli.Context) bool {
	return c.Path("out") == "" && (c.Path("output") == "" || c.Path("output") == "-") && term.IsTerminal(c.App.Writer)
}

// each calls write for each conversation. Conversations without a message in the format are left out.
func (e *conversationExport) each(ctx context.Context,
	write func(c *chat.Conversation) (messages int, err error)) error {
	done := 0
	for rows, err := range e.reader.Conversations(ctx, e.heads) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if e.redact != nil {
			rows.Redact(e.redact)
		}
		messages, err := write(chat.Choose(rows, e.allBranches))
		if err != nil {
			return err
		}
		if done++; e.report != nil {
			e.report(done, len(e.heads))
		}
		if messages == 0 {
			e.result.Empty++
			continue
		}
		e.result.Conversations++
		e.result.Messages += messages
	}
	return nil
}

// write writes a conversation in the format, and returns its number of messages. If there are none it writes nothing.
func (e *conversationExport) write(ctx context.Context, w io.Writer, c *chat.Conversation) (int, error) {
	switch {
	case e.format == chat.OpenAI:
		return chat.WriteOpenAI(ctx, w, c, e.result.Omitted)
	case len(c.Shown) == 0:
		return 0, nil
	case e.format == chat.Markdown:
		return len(c.Shown), chat.WriteMarkdown(ctx, w, c, e.full)
	case e.format == chat.HTML && e.many:
		return len(c.Shown), chat.WriteHTML(ctx, w, c, e.full, true)
	case e.format == chat.HTML:
		return len(c.Shown), chat.WriteHTMLPage(ctx, w, c, e.full)
	}
	return len(c.Shown), chat.WriteJSON(ctx, w, c, false)
}

// intoStream writes all conversations into one stream.
func (e *conversationExport) intoStream(c *cli.Context, warehouse string) error {
	signal.Ignore(syscall.SIGPIPE) // if the reader closes the pipe, that is no error
	o := outputTo(c)
	e.result.Place = o.File
	e.terminal = e.intoTerminal(c)
	harmless := term.HarmlessJSON
	if e.format == chat.Markdown || e.format == chat.HTML {
		harmless = term.HarmlessText
	}
	return term.IgnoreBrokenPipe(o.Deliver(warehouse, func(w io.Writer) error {
		return term.Buffered(w, func(w io.Writer) error {
			return e.all(c.Context, harmless(w, e.terminal))
		})
	}))
}

// all writes all conversations, one after the other, as one document. A single one has a page to itself.
func (e *conversationExport) all(ctx context.Context, w io.Writer) error {
	e.many = len(e.heads) != 1
	var open, between, end string
	var err error
	if e.format != chat.HTML || e.many {
		open, between, end, err = chat.Frame(e.format)
	}
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, open); err != nil {
		return err
	}
	err = e.each(ctx, func(c *chat.Conversation) (int, error) {
		if e.result.Conversations > 0 && len(c.Shown) > 0 { // otherwise nothing is written
			if _, err := io.WriteString(w, between); err != nil {
				return 0, err
			}
		}
		return e.write(ctx, w, c)
	})
	if err == nil {
		_, err = io.WriteString(w, end)
	}
	return err
}

// intoFolder writes a file for each conversation that is new or has changed.
func (e *conversationExport) intoFolder(ctx context.Context, dir string) (err error) {
	root, err := exportFolder(dir, "--out")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	e.result.Place = dir
	names := map[string]load.RowKey{}
	return e.each(ctx, func(c *chat.Conversation) (int, error) {
		key := load.RowKey{SourceID: c.Conversation.SourceID, ConversationID: c.Conversation.ConversationID}
		name := chat.FileName(&c.Conversation, chat.FileEnding(e.format))
		if other, taken := names[strings.ToLower(name)]; taken {
			return 0, fmt.Errorf("conversations %s and %s would both be %s: export them one by one with --conversation",
				other.ConversationID, key.ConversationID, name)
		}
		messages, err := e.intoFile(ctx, root, name, c)
		if messages > 0 {
			names[strings.ToLower(name)] = key
		}
		return messages, err
	})
}

// exportFolder opens the folder that a flag names, and makes it if need be. Nothing is written outside of it, whatever
// a name holds.
func exportFolder(dir, flag string) (*os.Root, error) {
	if err := outpath.Folder(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the export: %w; name another with %s", err, flag)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of the export: %w; name another with %s", err, flag)
	}
	return root, nil
}

// intoFile writes a conversation to a file, unless that is as it should be, and returns its number of messages. If
// there are none it writes nothing.
func (e *conversationExport) intoFile(ctx context.Context, root *os.Root, name string,
	c *chat.Conversation) (messages int, err error) {
	written, err := writeChanged(root, name, func(w io.Writer) (bool, error) {
		messages, err = e.write(ctx, w, c)
		return messages > 0, err
	})
	switch {
	case err != nil:
		return 0, fmt.Errorf("write %s: %w", filepath.Join(root.Name(), name), err)
	case written:
		e.result.Written++
	case messages > 0:
		e.result.Unchanged++
	}
	return messages, nil
}

// withoutSecrets takes the secrets that are recognised out of what is written.
func (e *conversationExport) withoutSecrets(ctx context.Context) error {
	people, err := peopleOf(ctx, e.reader)
	e.redact = func(text, _ string) string { return people.Text(text) }
	return err
}

// keepsSecrets is said of what was written for others to read, perhaps.
const keepsSecrets = "Secrets are in it as they were written; --redact takes out those that are recognised."

// conclude prints what was written.
func (e *conversationExport) conclude(c *cli.Context) error {
	r, stderr := &e.result, c.App.ErrWriter
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, r)
	}
	if c.Bool("quiet") {
		return nil
	}
	if o := r.Omitted; o != nil && *o != (chat.Omitted{}) {
		fmt.Fprintf(stderr, "left out, as the format has no place for them: %s of thinking, %s of unknown role, %s "+
			"without a text\n",
			term.Plural(o.Thinking, "message"), term.Plural(o.UnknownRole, "message"),
			term.Plural(o.Empty, "message"))
	}
	if e.redact == nil && r.Conversations > 0 && r.Place != "" {
		fmt.Fprintln(term.Fitted(stderr), keepsSecrets)
	}
	if r.Conversations == 0 {
		fmt.Fprintln(stderr, "no conversation matches; --gone adds deleted and orphaned ones")
	}
	switch {
	case c.Path("out") != "":
		fmt.Fprintf(c.App.Writer, "%s, %s: %s written to %s, %d unchanged\n",
			term.Plural(r.Conversations, "conversation"), term.Plural(r.Messages, "message"),
			term.Plural(r.Written, "file"), term.Printable(r.Place), r.Unchanged)
	case r.Place != "":
		fmt.Fprintf(c.App.Writer, "%s, %s: %s\n", term.Plural(r.Conversations, "conversation"),
			term.Plural(r.Messages, "message"), term.Printable(r.Place))
	}
	return nil
}

// exported is what was written.
type exported struct {
	Format        string        `json:"format"`
	Place         string        `json:"to"`
	Conversations int           `json:"conversations"`
	Messages      int           `json:"messages"`
	Written       int           `json:"files_written"`
	Unchanged     int           `json:"files_unchanged"`
	Empty         int           `json:"without_messages"`
	Omitted       *chat.Omitted `json:"messages_left_out,omitempty"`
}

// writeChanged has a file written beside the one that has the name, and puts it in its place, whole, if it is to be
// kept and differs. Only the owner may read it, as with the warehouse.
func writeChanged(root *os.Root, name string, write func(io.Writer) (keep bool, err error)) (written bool, err error) {
	temp := path.Join(path.Dir(name), "."+path.Base(name)+".tmp")
	_ = root.Remove(temp) // left by an export that was killed
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	out := bufio.NewWriterSize(f, 64<<10)
	keep, err := write(out)
	err = errors.Join(err, out.Flush(), f.Close())
	if info, had := root.Stat(name); had == nil && info.Mode().IsRegular() && err == nil {
		keep = keep && !atomicfile.Same(filepath.Join(root.Name(), temp), filepath.Join(root.Name(), name))
	}
	if keep && err == nil {
		if err = atomicfile.Retry(func() error { return root.Rename(temp, name) }); err == nil {
			return true, nil
		}
	}
	return false, errors.Join(err, root.Remove(temp))
}
