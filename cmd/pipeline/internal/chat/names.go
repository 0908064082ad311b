package chat

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/sql/schema"
)

// FileName is the name of the file for an exported conversation: YYYY-MM-DD_title_beginning of its id-hash.ending. It
// depends only on the conversation. The hash of its source and id makes the name unique. It has only letters, digits,
// -, _ and one dot, so it cannot leave the folder. It begins with a digit or "undated", so no system reserves it.
func FileName(c *schema.Conversation, ending string) string {
	day := "undated"
	for _, t := range []*schema.Millis{c.CreatedAt, c.FirstMessageAt, c.UpdatedAt} {
		if t != nil {
			day = time.UnixMilli(int64(*t)).UTC().Format(time.DateOnly)
			break
		}
	}
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, c.ConversationID)
	sum := sha256.Sum256([]byte(c.SourceID + "\x00" + c.ConversationID))
	return day + "_" + slug(term.OrEmpty(c.DisplayTitle)) + "_" + firstRunes(id, idRunes) + "-" +
		hex.EncodeToString(sum[:])[:hashHex] + ending
}

// FolderName is the name of a folder for the conversations of a project.
func FolderName(project string) string {
	if project == "" {
		return "no-project"
	}
	if name := slug(project); filepath.IsLocal(name) {
		return name
	}
	return "project-" + slug(project) // a system reserves the name
}

// FileEnding is the ending of a format's files.
func FileEnding(format string) string {
	switch format {
	case Markdown:
		return ".md"
	case HTML:
		return ".html"
	case OpenAI:
		return ".openai.jsonl"
	}
	return ".jsonl"
}

// The formats of an exported conversation.
const (
	Markdown = "markdown"
	HTML     = "html"
	Lines    = "jsonl"
	OpenAI   = "openai"
)

// Frame is what a document of several conversations has before, between and after them.
func Frame(format string) (open, between, end string, err error) {
	switch format {
	case Markdown:
		between = "\n---\n\n"
	case HTML:
		var before, after strings.Builder
		err = errors.Join(openHTML(&before, "Conversations", true), writePart(&after, "close", nil))
		open, end = before.String(), after.String()
	}
	return open, between, end, err
}

// Parts of a file's name, in bytes: with the day, the two hashes and the ending a name stays below a hundred bytes,
// which every file system allows.
const (
	slugBytes = 48
	idRunes   = 8
	hashHex   = 12
)

// slug makes a part of a file's name from a title: its letters and digits in lower case, with one - for everything
// between.
func slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !(unicode.IsMark(r) && b.Len() > 0 && !gap) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		if gap = false; b.Len()+utf8.RuneLen(r) > slugBytes {
			break
		}
		b.WriteRune(r)
	}
	if out := strings.TrimRight(b.String(), "-"); out != "" {
		return out
	}
	return "untitled"
}

func firstRunes(s string, n int) string {
	r := []rune(s)
	return string(r[:min(n, len(r))])
}
