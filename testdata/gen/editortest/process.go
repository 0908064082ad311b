package editortest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// The environment of an editor process.
const (
	envStore   = "EDITORTEST_STORE"
	envOptions = "EDITORTEST_OPTIONS" // as JSON
)

// A report is what an editor process tells of by a JSON object on its standard output: that the store could not be
// opened, that it is open, or how a transaction ended.
type report struct {
	Opened      bool `json:",omitempty"`
	FailedOpens int  `json:",omitempty"`
	Replaced    bool `json:",omitempty"` // by its backup, or by an empty store
	RowsLost    int  `json:",omitempty"`

	Committed bool      `json:",omitempty"`
	Failures  []failure `json:",omitempty"`

	Messages int           // in the growing conversations, by now
	Took     time.Duration // opening, or the transaction
}

// A failure is a statement of a transaction that failed.
type failure struct {
	Transaction int
	Statement   string // BEGIN, INSERT, END
	Text        string
}

// Main turns this process into an editor if Start or Prepare began it, and does not return then.
func Main() {
	path := os.Getenv(envStore)
	if path == "" {
		return
	}
	var o Options
	err := json.Unmarshal([]byte(os.Getenv(envOptions)), &o)
	if err == nil {
		err = edit(path, o, os.Stdin, json.NewEncoder(os.Stdout))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// edit waits for a line on stdin, opens the store and commits until stdin is closed.
func edit(path string, o Options, stdin io.Reader, out *json.Encoder) (err error) {
	lines := bufio.NewReader(stdin)
	if _, err := lines.ReadByte(); err != nil {
		return nil // closed: it was never to open the store
	}
	ctx := context.Background()
	began := time.Now()
	s, opened, err := openStorage(ctx, path, o.WAL, func(times int) {
		_ = out.Encode(report{FailedOpens: times}) // where nobody listens any more, the next report fails
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	opened.Took = time.Since(began)
	e := &editor{storage: s, ballast: strings.Repeat("b", o.Ballast)}
	if err := e.resume(ctx); err != nil {
		return err
	}
	opened.Messages = e.done
	if err := out.Encode(opened); err != nil {
		return err
	}
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, lines) // closed, or broken: both mean stop
		close(stop)
	}()
	if o.Limit < 0 {
		<-stop
		return nil
	}
	for made := 1; ; made++ {
		if err := out.Encode(e.transaction(ctx)); err != nil {
			return err
		}
		if made == o.Limit {
			<-stop
			return nil
		}
		select {
		case <-stop:
			return nil
		case <-time.After(o.Pause):
		}
	}
}
