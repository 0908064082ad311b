package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"
)

// This file reads the names of folders and files.

// File is what the path of a transcript says.
type File struct {
	Slug   string // name of the project's folder: see Slugs
	ID     string // id of the conversation
	Parent string // id of the conversation whose agent started it; "" for none
	Form   Form
}

// Locate reads a path relative to the folder projects, with slashes. It reports false for a file that is no transcript.
// The layouts are, each with .jsonl and .txt: SLUG/agent-transcripts/ID.jsonl, SLUG/agent-transcripts/ID/ID.jsonl,
// SLUG/agent-transcripts/ID/transcript.jsonl and SLUG/agent-transcripts/PARENT/subagents/ID.jsonl.
func Locate(path string) (File, bool) {
	names := strings.Split(path, "/")
	if len(names) < 3 || names[1] != "agent-transcripts" || !utf8.ValidString(path) {
		return File{}, false
	}
	f := File{Slug: names[0]}
	last := names[len(names)-1]
	id, isJSONL := strings.CutSuffix(last, ".jsonl")
	if !isJSONL {
		var ok bool
		if id, ok = strings.CutSuffix(last, ".txt"); !ok {
			return File{}, false
		}
		f.Form = Text
	}
	f.ID = id
	switch {
	case len(names) == 3:
	case len(names) == 4 && (names[2] == id || id == "transcript"):
		f.ID = names[2]
	case len(names) == 5 && names[3] == "subagents" && names[2] != id:
		f.Parent = names[2]
	default:
		return File{}, false
	}
	for _, name := range names { // copies by macOS add hidden files
		if name == "" || name[0] == '.' {
			return File{}, false
		}
	}
	return f, true
}

// Slugs are the names that the folder of a project may have, the likeliest first; none for the root. A name cannot be
// turned back into a path. Windows without a folder have others: empty-window, or a time in milliseconds.
func Slugs(path string) (all []string) {
	trimmed := strings.TrimLeft(path, `/\`)
	spellings := []string{path}
	if len(trimmed) >= 2 && trimmed[1] == ':' && isLetter(trimmed[0]) { // the letter of a drive is seen in both cases
		spellings = []string{trimmed, string(trimmed[0]^0x20) + trimmed[1:]}
	}
	for _, separates := range []func(rune) bool{notPlain, isSeparator} {
		for _, s := range spellings {
			if name := strings.Join(strings.FieldsFunc(s, separates), "-"); name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	for _, name := range all {
		if letters := []rune(name); len(letters) > maxSlug { // a later version cuts it
			sum := sha256.Sum256([]byte(path))
			if name = string(letters[:maxSlug]) + "-" + hex.EncodeToString(sum[:])[:7]; !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// maxSlug is how much of a long name stays before the digits of a hash.
const maxSlug = 84

// notPlain reports whether a character is neither a letter nor a digit of ASCII. One hyphen stands for all in a row.
func notPlain(c rune) bool {
	return c >= utf8.RuneSelf || !isLetter(byte(c)) && (c < '0' || c > '9')
}

// isSeparator reports whether a character is one of those that a hyphen replaces in the view of other readers.
func isSeparator(c rune) bool { return strings.ContainsRune(`/\.:`, c) }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
