// Package progress says how far a command has come: on a terminal in one line that is drawn again and again, elsewhere in a line for each phase.
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
	firstDrawn = 250 * time.Millisecond // what is done sooner needs no line
	drawnEvery = 125 * time.Millisecond // slow enough for a bad connection, and for the processor
)

// A Line shows the phase that is under way. What others print goes through its Write: then the line and their text do not run into each other.
type Line struct {
	w     io.Writer
	width func() int // of the terminal, in columns; nil where w is none

	mu          sync.Mutex
	phase       string
	done, total int
	began       time.Time
	turn        int // of the spinner
	drawn       int // columns of the line that stands on the terminal
	closed      bool

	stop, stopped chan struct{}
}

// Start shows progress on w until Close. silent shows none where w is no terminal.
func Start(w io.Writer, silent bool) *Line {
	l := &Line{w: w, began: time.Now()}
	if f, ok := w.(*os.File); ok && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(f.Fd()) {
		l.width = func() int {
			width, _, _ := term.GetSize(int(f.Fd())) // unknown: 0
			return cmp.Or(width, 80)
		}
		l.stop, l.stopped = make(chan struct{}), make(chan struct{})
		go l.draws()
	} else if silent {
		l.closed = true
	}
	return l
}

// Phase begins a phase, by the name that people read. However short it is, a line that stands on the terminal says so.
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

// Count says how much of the phase is done; a total of 0 is not known.
func (l *Line) Count(done, total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done, l.total = min(done, total), total
}

// Write implements io.Writer for whole lines of others.
func (l *Line) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	return l.w.Write(text)
}

// Close takes the line away. Nothing is shown after it, but for what others write.
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

// draws draws until the line is closed.
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

// draw draws the line over the one before, in a single write: nothing flickers. Only blanks and a carriage return are used, which every terminal knows.
func (l *Line) draw(elapsed time.Duration) {
	if l.closed || l.phase == "" {
		return
	}
	room := l.width() - 1 // in the last column terminals begin another line
	text := l.text(elapsed, room)
	_, _ = io.WriteString(l.w, "\r"+text+strings.Repeat(" ", max(0, min(l.drawn, room)-len(text)))) // nobody waits for it
	l.drawn = len(text)
	l.turn++
}

// erase leaves an empty line.
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

// text is the line: what has no room is left out, the bar first.
func (l *Line) text(elapsed time.Duration, room int) string {
	head := string(spinner[l.turn%len(spinner)]) + " " + l.phase
	bar, count, clock := "", "", "  "+elapsed.Truncate(time.Second).String()
	if l.total > 0 {
		full := barWidth * l.done / l.total
		bar = "  [" + strings.Repeat("=", full) + strings.Repeat(" ", barWidth-full) + "]"
		count = fmt.Sprintf("  %s of %s (%d%%)", humanize.Comma(int64(l.done)), humanize.Comma(int64(l.total)), 100*l.done/l.total)
	}
	for _, text := range []string{head + bar + count + clock, head + count + clock, head + clock} {
		if len(text) <= room {
			return text
		}
	}
	return head[:max(0, min(len(head), room))]
}
