package clitest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pipeline/testdata/gen/transcripttest"
)

// Transcript describes a file below the folder projects. Chats of the home, and conversations of an editor, may have
// the same id.
type Transcript struct {
	Name   string // of the case
	ID     string
	Parent string // id of the conversation that started it; "" for none
	CWD    string // its project, of which the folder's name is made
	Slug   string // name of that folder; "" for the usual one
	Layout string // nested, flat, child
	Form   string // jsonl; array, whose Layout is flat; alone, inline: the generations of text files
	Talk   transcripttest.Talk
	Bad    []string // lines that cannot be read, before the talk
	Cut    bool     // the last line is cut off
	Keep   bool     // Night leaves it as it is
}

// path is the file's path, from the home, with slashes.
func (t *Transcript) path() string {
	name, end := t.ID, ".txt"
	switch t.Form {
	case "jsonl":
		end = ".jsonl"
	case "array":
		end = ".json"
	}
	folder := "projects/" + cmp.Or(t.Slug, slugOf(t.CWD)) + "/agent-transcripts/"
	switch t.Layout {
	case "nested":
		folder += name + "/"
	case "child":
		folder += t.Parent + "/subagents/"
	}
	return folder + name + end
}

// slugOf is the name of a project's folder.
func slugOf(cwd string) string {
	var b strings.Builder
	for _, c := range cwd {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			b.WriteRune(c)
		} else if s := b.String(); s != "" && s[len(s)-1] != '-' {
			b.WriteByte('-')
		}
	}
	return strings.TrimRight(b.String(), "-")
}

// cutLine is what is left of a line that was cut off.
const cutLine = `{"role":"assistant","message":{"content":[{"type":"text","te`

// text is what is in the file.
func (t *Transcript) text() []byte {
	var b strings.Builder
	for _, line := range t.Bad {
		b.WriteString(line + "\n")
	}
	switch t.Form {
	case "jsonl":
		b.Write(t.Talk.JSONL())
	case "array":
		b.Write(t.Talk.Array())
	default:
		b.Write(t.Talk.Text(t.Form == "alone"))
	}
	if t.Cut {
		b.WriteString(cutLine)
	}
	return []byte(b.String())
}

// writeTranscripts makes the files agree with the description. What agrees already is not touched.
func (h *Home) writeTranscripts(dir string) error {
	described := map[string]bool{}
	for _, t := range h.Transcripts {
		path := filepath.Join(dir, filepath.FromSlash(t.path()))
		described[path] = true
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := replace(path, t.text()); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	for _, pattern := range []string{"*", "*/*", "*/subagents/*"} {
		found, err := filepath.Glob(filepath.Join(dir, "projects", "*", "agent-transcripts",
			filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, path := range found {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if info.Mode().IsRegular() && !described[path] {
				if err := os.Remove(path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
