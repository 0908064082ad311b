package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	browserlog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A browser is a real one without a window, showing one page.
type browser struct {
	*testing.T
	ctx context.Context

	mu       sync.Mutex
	said     []string // messages of the console, refusals of the policy and exceptions
	requests []string // addresses asked for
	dialogs  []string
}

// newBrowser starts the browser of this machine, set up by options; the test skips where there is none.
func newBrowser(t *testing.T, options ...chromedp.ExecAllocatorOption) *browser {
	long(t)
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("no browser is installed here: apt-get install chromium")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	options = append([]chromedp.ExecAllocatorOption{chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir())}, options...)
	ctx, stop := chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(options...))
	t.Cleanup(stop)
	b := &browser{T: t, ctx: ctx}
	b.must(chromedp.Listen(ctx, b.hear))
	for _, enable := range []cdp.Command[cdp.Empty, cdp.Empty]{browserlog.Enable, runtime.Enable} {
		_, err := chromedp.Call(ctx, enable, cdp.Empty{})
		b.must(err)
	}
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	b.must(err)
	return b
}

// hear keeps what the page says. It must not ask the browser anything.
func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, arg := range e.Args {
			b.said = append(b.said, fmt.Sprintf("console: %s %s", arg.Value, arg.Description))
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		b.said = append(b.said, "exception: "+text)
	case *browserlog.EventEntryAdded:
		b.said = append(b.said, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *page.EventJavascriptDialogOpening:
		b.dialogs = append(b.dialogs, e.Message)
	}
}

// heard is what was said so far.
func (b *browser) heard() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(append(append([]string{}, b.said...), b.dialogs...), "\n")
}

func (b *browser) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// open shows a file in a window of that width.
func (b *browser) open(file string, width int64, scheme string) {
	b.Helper()
	b.scheme(scheme)
	b.must(chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+file)))
}

// scheme is what the user prefers: light or dark.
func (b *browser) scheme(name string) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: name},
		}})
	b.must(err)
}

// resize gives the window another width, and the page time to draw anew.
func (b *browser) resize(width int64) {
	b.Helper()
	b.must(chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900)))
	_, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[bool](
			`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`,
			chromedp.EvalAwaitPromise))
	b.must(err)
}

// evaluate runs a script in the page.
func evaluate[T any](b *browser, script string) T {
	b.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script))
	b.must(err)
	return got
}

// none fails for each finding of a script that returns a list of them.
func (b *browser) none(what, script string) {
	b.Helper()
	for _, found := range evaluate[[]string](b, script) {
		b.Errorf("%s: %s", what, found)
	}
}
