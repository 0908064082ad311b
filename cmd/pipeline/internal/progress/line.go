// Package progress shows how far a command has come: on a terminal in one line that is redrawn, elsewhere with one line
// for each phase.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

const (
	firstDrawn = 250 * time.Millisecond // a shorter command needs no line
	drawnEvery = 125 * time.Millisecond // slow enough for a bad connection, and to save processor time
)

// A Line shows the present phase. Other output must go through its Write, so that it does not mix with the line.
type Line struct {
	w     io.Writer
	width func() int // columns of the terminal; nil if w is no terminal

	mu          sync.Mutex
	phase       string
	done, total int
	began       time.Time
	turn        int // state of the spinner
	drawn       int // columns of the line that is on the terminal now
	closed      bool

	stop, stopped chan struct{}
}

// Start shows progress on w until Close. With silent it shows nothing if w is no terminal.
func Start(w io.Writer, silent bool) *Line {
	l := &Line{w: w, began: time.Now()}
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) && isWatched() {
		l.width = func() int {
			width, _, _ := term.GetSize(int(f.Fd())) // 0 if unknown
			return cmp.Or(width, 80)
		}
		l.stop, l.stopped = make(chan struct{}), make(chan struct{})
		go l.draws()
	} else if silent {
		l.closed = true
	}
	return l
}

// isWatched reports whether a person may look at the terminal. Some services that build and test programs (CI) have one
// and keep all that is written to it.
func isWatched() bool {
	ci := os.Getenv("CI")
	return os.Getenv("TERM") != "dumb" && (ci == "" || ci == "false" || ci == "0")
}

// Phase begins a phase with a name for people. If a line is on the terminal, it shows even a short phase.
func (l *Line) Phase(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.phase, l.done, l.total = name, 0, 0
	if l.width == nil && !l.closed {
		fmt.Fprintln(l.w, name)
	}
	if l.drawn > 0 {
		l.draw(time.Since(l.began))
	}
}

// Count says how much of the phase is done; a total of 0 means unknown.
func (l *Line) Count(done, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done, l.total = min(done, total), total
}

// Write implements io.Writer for other output in whole lines.
func (l *Line) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	return l.w.Write(text)
}

// Close removes the line. After it, only other output is shown.
func (l *Line) Close() {
	l.mu.Lock()
	over := l.closed
	l.closed = true
	l.erase()
	l.mu.Unlock()
	if !over && l.stop != nil {
		close(l.stop)
		<-l.stopped
	}
}

// draws redraws the line until it is closed.
func (l *Line) draws() {
	defer close(l.stopped)
	next := time.NewTimer(firstDrawn)
	defer next.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-next.C:
			l.mu.Lock()
			l.draw(time.Since(l.began))
			l.mu.Unlock()
			next.Reset(drawnEvery)
		}
	}
}

// draw overwrites the previous line in a single write, which avoids flicker. It uses only blanks and a carriage return,
// which every terminal knows.
func (l *Line) draw(elapsed time.Duration) {
	if l.closed || l.phase == "" {
		return
	}
	room := l.width() - 1 // terminals begin a new line after the last column
	text := l.text(elapsed, room)
	// an error has nowhere to go
	_, _ = io.WriteString(l.w, "\r"+text+strings.Repeat(" ", max(0, min(l.drawn, room)-len(text))))
	l.drawn = len(text)
	l.turn++
}

// erase clears the line.
func (l *Line) erase() {
	if l.drawn > 0 {
		_, _ = io.WriteString(l.w, "\r"+strings.Repeat(" ", min(l.drawn, l.width()-1))+"\r")
		l.drawn = 0
	}
}

const (
	spinner  = `|/-\`
	barWidth = 20
)

// text is the line. If there is not enough room, parts are left out, the bar first.
func (l *Line) text(elapsed time.Duration, room int) string {
	head := string(spinner[l.turn%len(spinner)]) + " " + l.phase
	bar, count, clock := "", "", "  "+elapsed.Truncate(time.Second).String()
	if l.total > 0 {
		full := barWidth * l.done / l.total
		bar = "  [" + strings.Repeat("=", full) + strings.Repeat(" ", barWidth-full) + "]"
		count = fmt.Sprintf("  %s of %s (%d%%)", humanize.Comma(int64(l.done)), humanize.Comma(int64(l.total)),
			100*l.done/l.total)
	}
	for _, text := range []string{head + bar + count + clock, head + count + clock, head + clock} {
		if len(text) <= room {
			return text
		}
	}
	return head[:max(0, min(len(head), room))]
}
