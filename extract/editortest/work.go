package editortest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// The probe conversations: Probes of them, ProbeID names each, and their tokens always sum up to ProbeSum.
const (
	Probes   = 16
	ProbeSum = Probes * 1000
)

// perConversation is after how many messages a new conversation is begun.
const perConversation = 100

// ProbeID is the id of the i-th probe conversation, ConversationID that of the i-th growing one.
func ProbeID(i int) string { return fmt.Sprintf("probe-%02d", i) }

// ConversationID is the id of the i-th growing conversation.
func ConversationID(i int) string { return fmt.Sprintf("growing-%04d", i) }

// editor is the state of an editor process.
type editor struct {
	conn    *sql.Conn
	tokens  [Probes]int
	headers []string // of the growing conversation
	done    int      // transactions
}

// edit commits until stdin is closed, and writes a line for each commit.
func edit(path string, o Options, stdin io.Reader, out io.Writer) (err error) {
	mode := "delete"
	if o.WAL {
		mode = "wal"
	}
	// VS Code waits one second for a lock (design, Snapshot).
	uri := url.URL{Scheme: "file", OmitHost: true, Path: path,
		RawQuery: "_pragma=busy_timeout(1000)&_pragma=journal_mode(" + mode + ")&_pragma=synchronous(normal)&_txlock=immediate"}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx := context.Background()
	e := &editor{}
	if e.conn, err = db.Conn(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.conn.Close()) }()
	if err := e.setUp(ctx); err != nil {
		return err
	}
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, stdin) // closed, or broken: both mean stop
		close(stop)
	}()
	for {
		if err := e.transaction(ctx); err != nil {
			return fmt.Errorf("transaction %d: %w", e.done+1, err)
		}
		if _, err := fmt.Fprintln(out, e.done); err != nil {
			return err
		}
		if e.done == o.Limit {
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

// setUp makes the tables (atlas 1.1) and the probes.
func (e *editor) setUp(ctx context.Context) error {
	for _, s := range []string{
		"PRAGMA user_version = 1",
		"CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
		"CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
	} {
		if _, err := e.conn.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return e.inTx(ctx, func(put func(key, value string) error) error {
		for i := range Probes {
			e.tokens[i] = ProbeSum / Probes
			if err := e.putProbe(i, put); err != nil {
				return err
			}
		}
		return nil
	})
}

// transaction makes one commit: one message more, and tokens moved from one probe to another far from it in key order.
func (e *editor) transaction(ctx context.Context) error {
	n := e.done
	from, to := n%Probes, (n*7+5)%Probes
	amount := n%50 + 1
	e.tokens[from] -= amount
	e.tokens[to] += amount
	if n%perConversation == 0 {
		e.headers = nil
	}
	err := e.inTx(ctx, func(put func(key, value string) error) error {
		id, bubble := ConversationID(n/perConversation), fmt.Sprintf("b%06d", n)
		e.headers = append(e.headers, fmt.Sprintf(`{"bubbleId":"%s","type":%d}`, bubble, n%2+1))
		return errors.Join(
			e.putProbe(from, put),
			put("bubbleId:"+id+":"+bubble, fmt.Sprintf(`{"_v":3,"type":%d,"bubbleId":"%s","text":"message %d","createdAt":%d}`, n%2+1, bubble, n, at(n))),
			put("composerData:"+id, fmt.Sprintf(`{"_v":13,"composerId":"%s","name":"growing","createdAt":%d,"fullConversationHeadersOnly":[%s]}`,
				id, at(n/perConversation*perConversation), strings.Join(e.headers, ","))),
			e.putProbe(to, put))
	})
	if err == nil {
		e.done++
	}
	return err
}

// at is the time of the n-th message in ms: one a second from a fixed day on.
func at(n int) int64 { return 1_760_000_000_000 + int64(n)*1000 }

func (e *editor) putProbe(i int, put func(key, value string) error) error {
	id := ProbeID(i)
	return errors.Join(
		put("composerData:"+id, fmt.Sprintf(`{"_v":13,"composerId":"%s","name":"probe","createdAt":%d,"contextTokensUsed":%d,"fullConversationHeadersOnly":[{"bubbleId":"p","type":2}]}`,
			id, at(0), e.tokens[i])),
		put("bubbleId:"+id+":p", fmt.Sprintf(`{"_v":3,"type":2,"bubbleId":"p","text":"%d","createdAt":%d,"tokenCount":{"inputTokens":%d,"outputTokens":1}}`,
			e.tokens[i], at(0), e.tokens[i])))
}

func (e *editor) inTx(ctx context.Context, work func(put func(key, value string) error) error) (err error) {
	tx, err := e.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	err = work(func(key, value string) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO cursorDiskKV (key, value) VALUES (?, ?)", key, value)
		return err
	})
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
