package warehouse

import (
	"context"
	"errors"
	"runtime"

	"github.com/klauspost/compress/zstd"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/session"
	"pipeline/sql/schema"
)

// TemplateOf says what the template was made of; TemplateFor what it would be made of now.
var TemplateOf = templateOf

func TemplateFor(engine string) string { return madeBy(engine) }

// WithoutTemplate has warehouses made by statements until the function that it returns is called.
func WithoutTemplate() (undo func()) {
	before := templateOf
	templateOf = ""
	return func() { templateOf = before }
}

// PackTemplate is a file as the template has it.
func PackTemplate(file []byte) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(file, nil), encoder.Close()
}

// Templated reports that a warehouse was made out of the template.
func Templated(w *Warehouse) bool { return w.templated }

// CommitOnly commits a load and leaves it in the log, as a kill before the log is folded in does.
func CommitOnly(ctx context.Context, t *Load, run load.Run) error {
	return errors.Join(appendRows(t, []schema.Load{run.Load}), t.closeAppenders(), t.dropStages(ctx),
		t.exec(ctx, `COMMIT`))
}

// ID is that of the load.
func (t *Load) ID() int64 { return t.settings.LoadID }

// ObjectsDiffer reports that the views, macros and comments of a warehouse are not what its last load left.
func ObjectsDiffer(ctx context.Context, path string) (_ bool, err error) {
	db, conn, err := engine.Open(ctx, path, true)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	there, err := catalogued(ctx, conn)
	if err != nil {
		return false, err
	}
	var left string
	err = conn.QueryRowContext(ctx, `SELECT value FROM internal._meta WHERE key = ?`, metaObjects).Scan(&left)
	return left != madeOf()+" "+there, err
}

// Untouched reports that nobody has written to the file since this program has closed it.
func Untouched(w *Warehouse) bool { return w.untouched }

// SyncsBeside syncs a file as a load does that made it, until it is as said or the syncs have failed, and returns their
// error.
func SyncsBeside(file string, until func() bool) error {
	w := &Warehouse{path: file + "-in-place", s: &session.Session{File: file}}
	end := w.syncBeside()
	for !until() {
		runtime.Gosched()
	}
	err := end()
	return errors.Join(err, end(), w.release()) // a second end is no other one
}
