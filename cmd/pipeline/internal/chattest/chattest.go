// Package chattest judges what is printed of conversations: whether a document does harm where it is read, and whether
// a file's name is one that every system takes. It is for tests.
package chattest

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// Markdown is a reader that lets all HTML through.
func Markdown() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
}

// HTML is a document as that reader shows it.
func HTML(t interface {
	Helper()
	Fatal(args ...any)
}, document string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Markdown().Convert([]byte(document), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var live = regexp.MustCompile(`(?i)<(script|img src=x|b>|details|/details|!--|div|iframe|svg|style|\?php|!\[CDATA)`)

// Live is the first HTML of a page that Markdown itself does not make; "" where there is none.
func Live(page string) string { return live.FindString(page) }

var fileName = regexp.MustCompile(
	`^([0-9]{4}-[0-9]{2}-[0-9]{2}|undated)_[\pL\pN\pM-]+_[A-Za-z0-9]{0,8}-[0-9a-f]{12}\.(md|html|jsonl|openai\.jsonl)$`)

// IsFileName reports a name that every file system takes: no separators, no reserved names, no leading or trailing dot
// or space, at most 100 bytes.
func IsFileName(name string) bool { return len(name) <= 100 && fileName.MatchString(name) }
