package chat

import (
	"bytes"
	"html/template"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// This file makes HTML of the Markdown in a message. The HTML is inert: tags in a message are shown as text, links lead
// to http, https and mailto alone, and an image becomes a link. Nothing is hidden: where a link is refused, its address
// is shown.

// Texts above these limits are shown as they are: Markdown of a strange shape costs time by the square of its size.
const (
	renderedBytes = 64 << 10
	renderedDepth = 100 // characters before a line's first word that can open quotes and lists
)

// renderedMarkdown makes HTML of texts. Their headings move down by levels.
func renderedMarkdown(levels int) func(text string) template.HTML {
	tables := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	own := renderer.WithNodeRenderers(util.Prioritized(&harmlessHTML{levels}, 1))
	md := goldmark.New(
		goldmark.WithParser(parser.NewParser( // without definitions of links, which would not be shown
			parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithInlineParsers(parser.DefaultInlineParsers()...))),
		goldmark.WithExtensions(tables, extension.Strikethrough),
		goldmark.WithRendererOptions(html.WithHardWraps(), own))
	return func(text string) template.HTML {
		text = visible(lineFeeds(text))
		var out bytes.Buffer
		if len(text) > renderedBytes || tooDeep(text) || md.Convert([]byte(text), &out) != nil {
			return template.HTML(`<pre class="plain">` + template.HTMLEscapeString(text) + "</pre>\n")
		}
		return template.HTML(visible(out.String())) // again, as &#8238; is a character by now
	}
}

// visible makes control characters symbols, and replaces those that change the direction of the text around them or
// that write in secret. Tabs and line feeds stay.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case r < 0xa0 && r >= 0x80, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			r >= 0xe0000 && r <= 0xe007f, r == 0x2028, r == 0x2029:
			return unicode.ReplacementChar
		}
		return r
	}, validText(text))
}

// tooDeep reports a line that opens, or may open, very many quotes and lists.
func tooDeep(text string) bool {
	for line := range strings.Lines(text) {
		if word := strings.TrimLeft(line, " \t>-*+0123456789.)"); len(line)-len(word) > renderedDepth &&
			strings.TrimSpace(word) != "" || strings.Count(line[:len(line)-len(word)], ">") > renderedDepth {
			return true
		}
	}
	return false
}

// harmlessHTML writes those parts of Markdown that could do harm, or hide something.
type harmlessHTML struct{ levels int }

// RegisterFuncs is for goldmark.
func (h *harmlessHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, h.heading)
	r.Register(ast.KindLink, h.link)
	r.Register(ast.KindImage, h.image)
	r.Register(ast.KindAutoLink, h.autoLink)
	r.Register(ast.KindRawHTML, h.rawHTML)
	r.Register(ast.KindHTMLBlock, h.htmlBlock)
	r.Register(ast.KindCodeBlock, h.code)
	r.Register(ast.KindFencedCodeBlock, h.code)
}

func escaped(w util.BufWriter, text []byte) { template.HTMLEscape(w, text) }

func (h *harmlessHTML) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "h" + string(rune('0'+min(6, n.(*ast.Heading).Level+h.levels))) + ">"
	if !entering {
		tag = "/" + tag
	}
	_, err := w.WriteString("<" + tag)
	return ast.WalkContinue, err
}

// leadsOut reports an address that may be a link.
func leadsOut(address []byte) bool {
	lower := strings.ToLower(string(address))
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") ||
		strings.HasPrefix(lower, "mailto:")
}

func openLink(w util.BufWriter, address []byte) {
	_, _ = w.WriteString(`<a rel="noopener noreferrer nofollow" href="`)
	escaped(w, util.URLEscape(address, true))
	_, _ = w.WriteString(`">`)
}

// link writes a link, or its text and its address.
func (h *harmlessHTML) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	address := n.(*ast.Link).Destination
	switch {
	case leadsOut(address) && entering:
		openLink(w, address)
	case leadsOut(address):
		_, _ = w.WriteString("</a>")
	case !entering && len(address) > 0:
		escaped(w, []byte(" ("+string(address)+")"))
	}
	return ast.WalkContinue, nil
}

// image writes an image as a link with its text, or as its text and its address.
func (h *harmlessHTML) image(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	address := n.(*ast.Image).Destination
	within := false
	for up := n.Parent(); up != nil; up = up.Parent() {
		within = within || up.Kind() == ast.KindLink || up.Kind() == ast.KindImage
	}
	links := leadsOut(address) && !within
	switch {
	case links && entering:
		openLink(w, address)
		if n.FirstChild() == nil {
			escaped(w, address)
		}
	case links:
		_, _ = w.WriteString("</a>")
	case !entering:
		escaped(w, []byte(" ("+string(address)+")"))
	}
	return ast.WalkContinue, nil
}

// autoLink writes <https://example.org>.
func (h *harmlessHTML) autoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	address := n.URL(source)
	if n.AutoLinkType == ast.AutoLinkEmail && !leadsOut(address) {
		address = append([]byte("mailto:"), address...)
	}
	if !leadsOut(address) {
		escaped(w, []byte("<"+string(n.Label(source))+">"))
		return ast.WalkContinue, nil
	}
	openLink(w, address)
	escaped(w, n.Label(source))
	_, err := w.WriteString("</a>")
	return ast.WalkContinue, err
}

// rawHTML writes HTML within a line as the text that it is.
func (h *harmlessHTML) rawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		for _, s := range n.(*ast.RawHTML).Segments.Sliced(0, n.(*ast.RawHTML).Segments.Len()) {
			escaped(w, s.Value(source))
		}
	}
	return ast.WalkSkipChildren, nil
}

// htmlBlock writes lines of HTML as the text that they are.
func (h *harmlessHTML) htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus,
	error) {
	n := node.(*ast.HTMLBlock)
	if entering {
		_, _ = w.WriteString(`<pre class="plain">`)
		escaped(w, n.Lines().Value(source))
		if n.HasClosure() {
			escaped(w, n.ClosureLine.Value(source))
		}
		_, _ = w.WriteString("</pre>\n")
	}
	return ast.WalkContinue, nil
}

// code writes a block of code, with the words after its fence above it.
func (h *harmlessHTML) code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Info != nil {
		_, _ = w.WriteString(`<p class="language">`)
		escaped(w, fenced.Info.Value(source))
		_, _ = w.WriteString("</p>\n")
	}
	_, _ = w.WriteString(`<pre tabindex="0"><code>`)
	escaped(w, n.Lines().Value(source))
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}
