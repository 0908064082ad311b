package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/chat"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/tool/sqlrows"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file keeps a folder with a Markdown file for each conversation (--markdown).

// markdownNote is the file in the folder that says what was written.
const markdownNote = ".pipeline-markdown.json"

// markdownState is what the note has. A conversation whose state is the same is not read again.
type markdownState struct {
	Version  string                  `json:"version"` // of the program
	Redacted bool                    `json:"redacted"`
	Files    map[string]markdownFile `json:"files"` // by source and conversation

	root *os.Root
	now  map[load.RowKey]markdownFile // states, and folders in place of paths
}

type markdownFile struct {
	Path  string `json:"path"`
	State string `json:"state"`
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
	s := &markdownState{now: map[load.RowKey]markdownFile{}}
	if s.root, err = exportFolder(dir, "--markdown"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.root.Close()) }()
	r, err := reader.Open(ctx, warehouse)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	s.read(redact)
	e := &conversationExport{format: chat.Markdown, reader: r}
	if e.heads, err = s.changed(ctx, r); err != nil {
		return 0, err
	}
	if redact {
		if err := e.withoutSecrets(ctx); err != nil {
			return 0, err
		}
	}
	if err := e.each(ctx, func(c *chat.Conversation) (int, error) { return s.write(ctx, e, c) }); err != nil {
		return 0, err
	}
	return e.result.Written, s.note()
}

// read reads the note. Without one that can be read, and where it is of another version or the files are to be
// redacted otherwise, everything is written again.
func (s *markdownState) read(redacted bool) {
	if text, err := s.root.ReadFile(markdownNote); err == nil {
		_ = json.Unmarshal(text, s)
	}
	if s.Files == nil {
		s.Files = map[string]markdownFile{}
	}
	if s.Version != version || s.Redacted != redacted {
		for key, had := range s.Files {
			s.Files[key] = markdownFile{Path: had.Path}
		}
	}
	s.Version, s.Redacted = version, redacted
}

// changed lists the conversations to write.
func (s *markdownState) changed(ctx context.Context, r *reader.Reader) ([]reader.Head, error) {
	err := sqlrows.Each(ctx, r.Conn(), `SELECT source_id, conversation_id, coalesce(project, ''),
			md5(concat_ws('|', epoch_us(changed_at), status, project_uri, project, display_title, is_subagent, parent_conversation_id))
		FROM all_conversations`, func(rows *sql.Rows) error {
		var key load.RowKey
		var project, state string
		err := rows.Scan(&key.SourceID, &key.ConversationID, &project, &state)
		s.now[key] = markdownFile{chat.FolderName(project), state}
		return err
	})
	if err != nil {
		return nil, err
	}
	heads, err := r.Heads(ctx, reader.Filter{}, false)
	return slices.DeleteFunc(heads, func(h reader.Head) bool {
		return h.Copy || h.Messages == 0 || s.Files[markdownKey(h.RowKey)].State == s.now[h.RowKey].State
	}), err
}

func markdownKey(key load.RowKey) string { return key.SourceID + "/" + key.ConversationID }

// write writes a conversation's file, and removes the one that it had under another name.
func (s *markdownState) write(ctx context.Context, e *conversationExport, c *chat.Conversation) (int, error) {
	key := load.RowKey{SourceID: c.Conversation.SourceID, ConversationID: c.Conversation.ConversationID}
	now := s.now[key]
	if err := s.root.MkdirAll(now.Path, 0o700); err != nil {
		return 0, err
	}
	name := path.Join(now.Path, chat.FileName(&c.Conversation, chat.FileEnding(chat.Markdown)))
	messages, err := e.intoFile(ctx, s.root, name, c)
	if err != nil || messages == 0 {
		return 0, err
	}
	if had := s.Files[markdownKey(key)].Path; had != "" && had != name {
		if err := s.root.Remove(had); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	s.Files[markdownKey(key)] = markdownFile{name, now.State}
	return messages, nil
}

// note writes down what the folder has now.
func (s *markdownState) note() error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = writeChanged(s.root, markdownNote, func(w io.Writer) (bool, error) {
		_, err := w.Write(text)
		return true, err
	})
	return err
}
