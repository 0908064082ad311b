package sinks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pipeline/load/digest"
	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// This file publishes texts without their secrets, for people who may not see them. How a secret is found is the
// caller's business.

// A Redaction takes secrets out of texts.
type Redaction struct {
	// a text of a column, such as messages.text, without secrets. JSON must stay JSON. Several goroutines may call it
	Text    func(text, column string) string
	Version int64 // of Text, above 0: another one may write other texts
}

// tables are the published tables. Those about this machine's files are left out where secrets are: nobody else has a
// use for them, and they have pieces of files.
func (t Target) tables() (out []schema.Table) {
	for _, table := range publishedTables() {
		if t.Redaction == nil || table.IsShared() {
			out = append(out, table)
		}
	}
	return out
}

// columns returns the expressions with which a table's columns are published.
func (t Target) columns(table schema.Table) []string {
	out := digest.Columns(table)
	if table.Is(schema.Live) {
		out = append(out, isLive)
	}
	for i, c := range table.Columns {
		if t.Redaction != nil && c.Discloses != schema.Figures {
			out[i] = fmt.Sprintf("_redact(CAST(%[1]q AS VARCHAR), %[2]s) AS %[1]q", c.Name,
				engine.Literal(table.Name+"."+c.Name))
		}
	}
	return out
}

// redaction is the version of the target's redaction; 0 for none.
func (t Target) redaction() int64 {
	if t.Redaction == nil {
		return 0
	}
	return t.Redaction.Version
}

// define gives the engine the function that columns calls.
func (p *publisher) define(ctx context.Context) error {
	if p.Redaction == nil {
		return nil
	}
	return engine.DefineText(ctx, p.conn, "_redact",
		func(text, column string) (string, error) { return p.Redaction.Text(text, column), nil })
}

// checkRedaction returns an error if the folder has publications with secrets and this one is to be without, or the
// other way round: whoever may read one of them must not find the other beside it.
func (t Target) checkRedaction() error {
	entries, err := os.ReadDir(t.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look into the %s folder: %w", t.title(), err)
	}
	for _, e := range entries {
		if !publicationName.MatchString(e.Name()) {
			continue
		}
		m, err := readManifest(filepath.Join(t.Dir, e.Name()))
		switch {
		case err != nil: // no publication, or one that is replaced or left as it is
		case m.Redaction == 0 && t.Redaction != nil:
			return fmt.Errorf("%s has a publication that is not redacted, %s: name another folder for those that are",
				t.Dir, e.Name())
		case m.Redaction != 0 && t.Redaction == nil:
			return fmt.Errorf("%s has redacted publications, such as %s: publish there with --redact, or name another "+
				"folder", t.Dir, e.Name())
		}
	}
	return nil
}
