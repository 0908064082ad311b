package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/latin-modern/lmsans10regular"
	"github.com/go-fonts/liberation/liberationsansregular"
)

// testFonts differ in what labels of charts depend on: how wide letters are, and how far a line reaches above and below
// them.
var testFonts = []struct {
	family string
	file   []byte
}{
	{"DejaVu Sans", dejavusans.TTF},
	{"Liberation Sans", liberationsansregular.TTF},
	{"Latin Modern Sans", lmsans10regular.TTF},
}

// onlyFont gives a browser one font and no other.
func onlyFont(t *testing.T, file []byte) chromedp.ExecAllocatorOption {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "fonts.conf")
	for path, content := range map[string]string{
		filepath.Join(dir, "only.otf"): string(file),
		config: fmt.Sprintf(
			"<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM "+
				"\"fonts.dtd\"><fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>", dir, t.TempDir()),
	} {
		must(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return chromedp.Env("FONTCONFIG_FILE=" + config)
}

// font is the font in which the browser draws the labels of charts.
func (b *browser) font() string {
	b.Helper()
	_, err := chromedp.Call(b.ctx, dom.Enable, dom.EnableParams{})
	b.must(err)
	_, err = chromedp.Call(b.ctx, css.Enable, cdp.Empty{})
	b.must(err)
	document, err := chromedp.Call(b.ctx, dom.GetDocument, dom.GetDocumentParams{})
	b.must(err)
	label, err := chromedp.Call(b.ctx, dom.QuerySelector,
		dom.QuerySelectorParams{NodeID: document.Root.NodeID, Selector: "[data-chart] svg text"})
	b.must(err)
	used, err := chromedp.Call(b.ctx, css.GetPlatformFontsForNode,
		css.GetPlatformFontsForNodeParams{NodeID: label.NodeID})
	b.must(err)
	var names []string
	for _, f := range used.Fonts {
		names = append(names, f.FamilyName)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// TestReportFonts: no label of a chart lies over another or is cut, whichever font a machine has; with short and with
// long names, for a quarter and for years.
func TestReportFonts(t *testing.T) {
	long(t)
	warehouse := demoWarehouse(t)
	for _, font := range testFonts {
		t.Run(font.family, func(t *testing.T) {
			b := newBrowser(t, onlyFont(t, font.file))
			for _, since := range []string{"2024-10-01", "2025-08-01"} {
				b.open(b.report(warehouse, "--since", since), 1280, "light")
				evaluate[bool](b, `document.querySelector('.folded').open = true`)
				if got := b.font(); got != font.family {
					t.Fatalf("labels are drawn in %s, not in %s", got, font.family)
				}
				for _, width := range []int64{1280, 800, 400, 320} {
					b.resize(width)
					b.none(fmt.Sprintf("since %s, drawn at %d", since, width), notDrawn)
					b.none(fmt.Sprintf("since %s, labels at %d", since, width), misplaced)
					b.none(fmt.Sprintf("since %s, width at %d", since, width), tooWide)
				}
			}
		})
	}
}
