package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/tool/outpath"
	"pipeline/load/tool/sqlrows"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file keeps a folder with a Markdown file for each conversation (--markdown).

// markdownNote is the file in the folder that says what was written.
const markdownNote = ".pipeline-markdown.json"

// markdownState is what the note has. A conversation whose state is the same is not read again.
type markdownState struct {
	Version  string                 `json:"version"` // of the program
	Redacted bool                   `json:"redacted"`
	Files    map[string][2]string   `json:"files"` // by source and conversation: path and state
	now      map[load.RowKey]string // states
	folders  map[load.RowKey]string // of projects
	changed  []reader.Head          // whose state differs
	next     map[string][2]string   // Files after this run
	root     *os.Root
}

// markdownLoaded writes the conversations that changed after a load; nil if no folder is given. A failure is printed,
// but does not fail the load: the next one makes up for it.
func markdownLoaded(c *cli.Context, m file.Markdown, opt pipelines.Options) *pipelines.Markdown {
	if m.Dir == "" {
		return nil
	}
	if opt.Phase != nil {
		opt.Phase(pipelines.PhaseMarkdown)
	}
	dir, err := filepath.Abs(m.Dir)
	written := 0
	if err == nil {
		written, err = writeMarkdown(c.Context, opt.Warehouse, dir, m.Redact)
	}
	if err != nil {
		term.Warnings(c.App.ErrWriter)("Markdown was not written to %s; the next run does it: %v", dir, err)
		return nil
	}
	return &pipelines.Markdown{Dir: dir, Written: written, Redacted: m.Redact}
}

// writeMarkdown writes the files of conversations that differ from what the folder has, DIR/PROJECT/DATE_TITLE_ID.md.
// It removes none but those that have another name now: what Cursor deletes stays.
func writeMarkdown(ctx context.Context, warehouse, dir string, redact bool) (written int, err error) {
	if err := outpath.Folder(dir); err != nil {
		return 0, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	s := &markdownState{next: map[string][2]string{}}
	if s.root, err = os.OpenRoot(dir); err != nil { // nothing is written outside the folder, whatever a name holds
		return 0, err
	}
	defer func() { err = errors.Join(err, s.root.Close()) }()
	r, err := reader.Open(ctx, warehouse)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := s.compare(ctx, r, redact); err != nil {
		return 0, err
	}
	e := &conversationExport{format: chat.Markdown, reader: r, heads: s.changed}
	if redact {
		people, err := peopleOf(ctx, r)
		if err != nil {
			return 0, err
		}
		e.redact = func(text, _ string) string { return people.Text(text) }
	}
	if err := e.each(ctx, func(c *chat.Conversation) (int, error) { return s.write(ctx, e, c) }); err != nil {
		return 0, err
	}
	return e.result.Written, s.note(redact)
}

// compare finds the conversations to write.
func (s *markdownState) compare(ctx context.Context, r *reader.Reader, redacted bool) error {
	if text, err := s.root.ReadFile(markdownNote); err == nil {
		_ = json.Unmarshal(text, s) // a note that cannot be read has everything written again
	}
	if s.Version != version || s.Redacted != redacted {
		for key, had := range s.Files {
			s.Files[key] = [2]string{had[0], ""}
		}
	}
	s.now, s.folders = map[load.RowKey]string{}, map[load.RowKey]string{}
	err := sqlrows.Each(ctx, r.Conn(), `SELECT source_id, conversation_id, coalesce(project, ''),
			md5(concat_ws('|', epoch_us(changed_at), status, project_uri, project, display_title, is_subagent, parent_conversation_id))
		FROM all_conversations`, func(rows *sql.Rows) error {
		var key load.RowKey
		var project, state string
		err := rows.Scan(&key.SourceID, &key.ConversationID, &project, &state)
		s.now[key], s.folders[key] = state, chat.FolderName(project)
		return err
	})
	if err != nil {
		return err
	}
	heads, err := r.Heads(ctx, reader.Filter{}, false)
	if err != nil {
		return err
	}
	for key, had := range s.Files {
		s.next[key] = had
	}
	for _, h := range heads {
		if !h.Copy && h.Messages > 0 && s.Files[markdownKey(h.RowKey)][1] != s.now[h.RowKey] {
			s.changed = append(s.changed, h)
		}
	}
	return nil
}

func markdownKey(key load.RowKey) string { return key.SourceID + "/" + key.ConversationID }

// write writes a conversation's file, and removes the one that it had under another name.
func (s *markdownState) write(ctx context.Context, e *conversationExport, c *chat.Conversation) (int, error) {
	key := load.RowKey{SourceID: c.Conversation.SourceID, ConversationID: c.Conversation.ConversationID}
	name := path.Join(s.folders[key], chat.FileName(&c.Conversation, chat.FileEnding(chat.Markdown)))
	had := s.Files[markdownKey(key)][0]
	if err := s.root.MkdirAll(s.folders[key], 0o700); err != nil {
		return 0, err
	}
	f := openChangedFile(s.root, name)
	messages, err := e.write(ctx, f, c)
	written, finishErr := f.finish(err == nil && messages > 0)
	if err = errors.Join(err, finishErr); err != nil {
		return 0, fmt.Errorf("write %s: %w", name, err)
	}
	if messages == 0 {
		return 0, nil
	}
	e.count(written)
	if had != "" && had != name {
		if err := s.root.Remove(had); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	s.next[markdownKey(key)] = [2]string{name, s.now[key]}
	return messages, nil
}

// note writes down what the folder has now.
func (s *markdownState) note(redacted bool) error {
	text, err := json.Marshal(markdownState{Version: version, Redacted: redacted, Files: s.next})
	if err != nil {
		return err
	}
	f := openChangedFile(s.root, markdownNote)
	_, err = f.Write(text)
	_, finishErr := f.finish(err == nil)
	return errors.Join(err, finishErr)
}
