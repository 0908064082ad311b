package chat

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestRenderedMarkdown: Markdown is laid out; what could do harm, or would be hidden, stands there as a text.
func TestRenderedMarkdown(t *testing.T) {
	t.Parallel()
	const out = `<a rel="noopener noreferrer nofollow" href="`
	for _, test := range []struct{ name, in, want string }{
		{"plain", "Just *this*, `a<b>`\nand **that**.",
			"<p>Just <em>this</em>, <code>a&lt;b&gt;</code><br>\nand <strong>that</strong>.</p>\n"},
		{"headings are below ours", "# One\n\nSix\n---", "<h3>One</h3><h4>Six</h4>"},
		{"code", "```go title=\"<x>\"\na := \"<b>\"\n```",
			"<p class=\"language\">go title=&#34;&lt;x&gt;&#34;</p>\n<pre tabindex=\"0\"><code>a := " +
				"&#34;&lt;b&gt;&#34;\n</code></pre>\n"},
		{"a table", "|a|b|\n|-|-:|\n|1|2|", "<table>\n<thead>\n<tr>\n<th>a</th>\n" +
			"<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n" +
			"<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table>\n"},
		{"a tag", "Hi <script>alert(1)</script>", "<p>Hi &lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		{"a block of tags", "<style>\n* { display: none }\n</style>",
			"<pre class=\"plain\">&lt;style&gt;\n* { display: none }\n&lt;/style&gt;</pre>\n"},
		{"a comment", "a <!-- b --> c", "<p>a &lt;!-- b --&gt; c</p>\n"},
		{"a link with quotes", "[a](https://example.org/?a='1'&b=\"2\")",
			"<p>" + out + "https://example.org/?a=&#39;1&#39;&amp;b=%222%22\">a</a></p>\n"},
		{"a link", "[a *b*](HTTPS://example.org/?a=1&b=2)",
			"<p>" + out + "HTTPS://example.org/?a=1&amp;b=2\">a <em>b</em></a></p>\n"},
		{"a script as a link", "[a](javascript:alert(1))", "<p>a (javascript:alert(1))</p>\n"},
		{"a script in disguise", "[a](&#106;avascript&colon;alert(1)) [b](\x01javascript:alert(1))",
			"<p>a (&amp;#106;avascript&amp;colon;alert(1)) b (\u2401javascript:alert(1))</p>\n"},
		{"data as a link", "[a](<data:text/html,<script>alert(1)</script>>)",
			"<p>[a](&lt;data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;&gt;)</p>\n"},
		{"a file as a link", "[main.go](src/main.go)", "<p>main.go (src/main.go)</p>\n"},
		{"an image", "![cat](https://example.org/cat.png)",
			"<p>" + out + "https://example.org/cat.png\">cat</a></p>\n"},
		{"an image without a text", "![](https://example.org/cat.png)",
			"<p>" + out + "https://example.org/cat.png\">https://example.org/cat.png</a></p>\n"},
		{"an image of data", "![cat](data:image/png;base64,AAAA)", "<p>cat (data:image/png;base64,AAAA)</p>\n"},
		{"an image that is a link", "[![cat](https://example.org/cat.png)](https://example.org)",
			"<p>" + out + "https://example.org\">cat (https://example.org/cat.png)</a></p>\n"},
		{"an address", "<https://example.org> <mira@example.org> <file:///etc/passwd>",
			"<p>" + out + "https://example.org\">https://example.org</a> " + out +
				"mailto:mira@example.org\">mira@example.org</a> &lt;file:///etc/passwd&gt;</p>\n"},
		{"a definition of a link", "[a]: javascript:alert(1)\n[a]", "<p>[a]: javascript:alert(1)<br>\n[a]</p>\n"},
		{"what steers", "\x1b[2J\u202eevil &#8238;\x00 &#27;", "<p>␛[2J\ufffdevil \ufffd␀ ␛</p>\n"},
		{"bytes that are no text", "a\xff\xfeb", "<p>a\ufffdb</p>\n"},
		{"quotes in quotes", strings.Repeat(">", 101) + "a",
			"<pre class=\"plain\">" + strings.Repeat("&gt;", 101) + "a</pre>\n"},
		{"lists in lists", strings.Repeat("- ", 60) + "a",
			"<pre class=\"plain\">" + strings.Repeat("- ", 60) + "a</pre>\n"},
		{"very long", strings.Repeat("*", 70_000) + "<b>",
			"<pre class=\"plain\">" + strings.Repeat("*", 70_000) + "&lt;b&gt;</pre>\n"},
	} {
		if got := string(renderedMarkdown(2)(test.in)); got != test.want {
			t.Errorf("%s: %.500q, want %.500q", test.name, got, test.want)
		}
	}
}

// ownTag is a tag that Markdown makes here.
var ownTag = regexp.MustCompile(
	`^</?(p|h[3-6]|ul|ol|li|blockquote|pre|code|em|strong|del|hr|br|table|thead|tbody|tr|th|td|a)>|` +
		`^<(ol start="[0-9]+"|pre class="plain"|pre tabindex="0"|p class="language"|t[hd] align="(left|right|center)"|a rel="noopener noreferrer nofollow" href="(https?://|mailto:)[^"<>]*")>`)

// TestNothingRenderedIsAlive puts parts that would do harm together in every order: each tag of the page is one that
// Markdown makes, tags are closed in their order, and no word is lost.
func TestNothingRenderedIsAlive(t *testing.T) {
	t.Parallel()
	parts := []string{"<script>", "</script>", "<!--", "-->", "`", "```", "~~~", "~~", "\n", "\n\n", "    ", "  ", "- ",
		"> ", "12. ", "# ", "===", "---", "|", "\\", "<b onclick=x>", "</pre>", "</details>", "<img src=x onerror=y>",
		"[a](<b>)", "[a](javascript:x)", "![", "[", "](https://x.org/'\"<>)", "](https://x.org)", "word", "word",
		"&lt;", "&#60;", "&#x202e;", "<?php", "<![CDATA[", "]]>", "<div", ">", "\t", "\"", "| a | b |\n|---|:--|\n",
		"<https://x.org/`>", "<javascript:x>", "\r", "\x00", "\xff", "*", "_", "[word]: x\n", "\u202e", "</style>"}
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 30).Draw(t, "parts"), "")
		page := string(renderedMarkdown(2)(source))
		var open []string
		var text strings.Builder
		for rest := page; rest != ""; {
			if rest[0] != '<' {
				n := strings.IndexByte(rest+"<", '<')
				text.WriteString(html.UnescapeString(rest[:n]))
				rest = rest[n:]
				continue
			}
			tag := ownTag.FindString(rest)
			name := strings.Fields(strings.Trim(tag, "</>") + " ?")[0]
			switch {
			case tag == "":
				t.Fatalf("%q became %q: %.60q is alive", source, page, rest)
			case name == "br" || name == "hr":
			case tag[1] != '/':
				open = append(open, name)
			case len(open) == 0 || open[len(open)-1] != name:
				t.Fatalf("%q became %q: %s closes %v", source, page, tag, open)
			default:
				open = open[:len(open)-1]
			}
			rest = rest[len(tag):]
		}
		if len(open) > 0 {
			t.Fatalf("%q became %q: %v stay open", source, page, open)
		}
		if strings.Count(text.String(), "word") != strings.Count(source, "word") {
			t.Fatalf("%q became %q: a word is lost", source, page)
		}
		if strings.ContainsAny(page, "\u202e\x00\r") || !utf8.ValidString(page) {
			t.Fatalf("%q became %q, which steers", source, page)
		}
	})
}
