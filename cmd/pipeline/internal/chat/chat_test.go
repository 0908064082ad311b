package chat

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	mdtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"pipeline/cmd/pipeline/internal/chattest"
	"pipeline/sql/schema"
)

// TestHarmlessMarkdown: texts that would break the document they are put into.
func TestHarmlessMarkdown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"plain", "Just *this*.", "Just *this*."},
		{"a tag", "Hi <script>alert(1)</script>", "Hi &lt;script>alert(1)&lt;/script>"},
		{"code keeps its tags", "Use `<b>`:\n\n```html\n<div>\n```", "Use `<b>`:\n\n```html\n<div>\n```"},
		{"less than is no tag", "a < b and c<d", "a < b and c<d"},
		{"a link", "<https://example.org>", "<https://example.org>"},
		{"a heading", "# One\n\n## Two\ntext", "### One\n\n#### Two\ntext"},
		{"the deepest", "##### Five", "###### Five"},
		{"underlined", "Title\n=====\n\nSub\n---\nx", "### Title\n\n#### Sub\nx"},
		{"in code", "```sh\n# comment\n```", "```sh\n# comment\n```"},
		{"an open fence", "```go\nfunc f() {", "```go\nfunc f() {\n```"},
		{"a longer open fence", "`````\n```\n", "`````\n```\n\n`````"},
		{"an open tilde fence", "~~~\n<b>", "~~~\n<b>\n~~~"},
		{"a block of HTML", "<div>\n# x\n</div>", "&lt;div>\n### x\n&lt;/div>"},
		{"a comment that is not ended", "<!-- \n\n# all else", "&lt;!-- \n\n### all else"},
		{"an end of ours", "</details>\n\nout", "&lt;/details>\n\nout"},
	} {
		if got := harmlessMarkdown(test.in); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestNothingComesAlive puts parts that would do harm together in every order: no HTML comes alive, and what follows a
// text is not part of it.
func TestNothingComesAlive(t *testing.T) {
	t.Parallel()
	parts := []string{"<script>", "</script>", "<!--", "-->", "`", "``", "```", "````", "~~~", "\n", "\n\n", "    ",
		"  ", "- ", "> ", "1. ", "# ", "===", "---", "|", "\\", "<b>", "<details>", "</details>",
		"<img src=x onerror=y>", "[a](<b>)", "word", "&lt;", "<?php", "<![CDATA[", "]]>", "<div", ">", "\t",
		"| a | b |\n|---|---|\n", "<https://x.org/`>", "\r"}
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 24).Draw(t, "parts"), "")
		harmless := harmlessMarkdown(source)
		out := chattest.HTML(t, harmless+"\n\n## Next\n")
		if found := chattest.Live(out); found != "" {
			t.Fatalf("%q became %q, in which %s is alive:\n%s", source, harmless, found, out)
		}
		if !strings.HasSuffix(out, "<h2>Next</h2>\n") {
			t.Fatalf("%q became %q, and the next heading is part of it:\n%s", source, harmless, out)
		}
		if strings.Count(harmless, "word") != strings.Count(source, "word") {
			t.Fatalf("%q became %q: a word is lost", source, harmless)
		}
		document := chattest.Markdown().Parser().Parse(mdtext.NewReader([]byte(harmless)))
		for n := document.FirstChild(); n != nil; n = n.NextSibling() { // those in quotes and lists are within these
			if h, ok := n.(*ast.Heading); ok && h.Level <= headingLevels {
				t.Fatalf("%q became %q, whose headings are not below ours:\n%s", source, harmless, out)
			}
		}
	})
}

// TestFenced: no text ends the code that it is put into.
func TestFenced(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"plain", "```\n</details><script>", "`````", "~~~", "", "a\r```\r<b>"} {
		out := chattest.HTML(t, detailsElement("</summary><script>", fenced(body))+"\n\n## Next\n")
		if strings.Contains(out, "<script>") || strings.Contains(out, "<b>") ||
			!strings.Contains(out, "<h2>Next</h2>") || strings.Count(out, "</details>") != 1 {
			t.Errorf("%q: %s", body, out)
		}
	}
	for _, span := range []string{"a`b", "``", "`", "x|y", " ", "<script>"} {
		if out := chattest.HTML(t, "- "+codeSpan(span)+" end"); strings.Contains(out, "<script>") ||
			!strings.Contains(out, "</code> end") {
			t.Errorf("%q: %s", span, out)
		}
	}
}

// TestConversationFile: whatever a title or an id holds, the name is harmless, the same each time, and another for
// another conversation.
func TestConversationFile(t *testing.T) {
	t.Parallel()
	at := schema.Millis(1741597200000)
	name := func(source, id, title string) string {
		return FileName(&schema.Conversation{SourceID: source, ConversationID: id, DisplayTitle: &title,
			CreatedAt: &at}, ".md")
	}
	if got := name("s", "5a1cdd1b-0000", "Fix the parser!"); !strings.HasPrefix(got,
		"2025-03-10_fix-the-parser_5a1cdd1b-") {
		t.Error(got)
	}
	hostile := []string{"../../etc/passwd", "/etc/passwd", `C:\Windows\x`, "CON", "nul.txt", "a\x00b", "\u202egnp.exe",
		strings.Repeat("👩‍👩‍👧", 60), strings.Repeat("字", 200), "", " . ", "...", "-rf", "a\nb", "日付の表示", "Étape: cache",
		"İstanbul", "हिन्दी", "e\u0301"}
	seen := map[string]string{}
	for _, title := range hostile {
		for _, id := range hostile {
			got := name(title, id, title) // in a source of its own: another conversation
			if !utf8.ValidString(got) || !chattest.IsFileName(got) {
				t.Errorf("title %q, id %q: %q of %d bytes", title, id, got, len(got))
			}
			if other, taken := seen[strings.ToLower(got)]; taken {
				t.Errorf("%q and %q: both %s", title+id, other, got)
			}
			seen[strings.ToLower(got)] = title + id
		}
	}
	if name("s", "x", "t") == name("r", "x", "t") {
		t.Error("the same id in two sources has one name")
	}
	if got := FileName(&schema.Conversation{}, FileEnding(OpenAI)); !chattest.IsFileName(got) ||
		!strings.HasPrefix(got, "undated_untitled_-") {
		t.Error(got)
	}
}
