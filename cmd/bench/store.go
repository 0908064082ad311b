package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"pipeline/extract"
	"pipeline/testdata/gen/storetest"
)

// messages are those of a heavy user.
const messages = 37_000

// The kinds of stores.
const (
	storeReal   = "real"   // like those that people have
	storeSmooth = "smooth" // with the families of a real one, and nothing that is odd
)

// store is a generated Cursor user directory.
type store struct {
	kind  string
	scale float64
	dir   string // the user directory
	file  string // the global store
	bytes int64
}

// family is a part of a store.
type family struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

// wanted are the families of the store at scale 1, after a real one. Rows 0: they are not asked for.
var wanted = []struct {
	name   string
	rows   float64
	bytes  float64
	people string
}{
	{extract.FamilyBubble, 35_500, 152e6, "messages"},
	{extract.FamilyCheckpoint, 12_100, 33e6, "checkpoints"},
	{extract.FamilyComposer, 0, 33e6, "conversations"},
	{extract.FamilyContext, 2_800, 28e6, "contexts"},
	{extract.FamilyDiff, 4_050, 19e6, "diffs"},
}

// tolerance is how far a family may be from what is wanted.
const tolerance = 0.10

// storeAt is where the store of a kind and a scale is, made or not.
func (b *bench) storeAt(kind string, scale float64) store {
	name := fmt.Sprintf("store-%g-%d-%g", scale, b.seed, b.skew)
	if kind == storeReal {
		name = fmt.Sprintf("real-%g-%d", scale, b.seed)
	}
	dir := filepath.Join(b.dir, name, "User")
	return store{kind: kind, scale: scale, dir: dir, file: globalStore(dir)}
}

func globalStore(userDir string) string {
	return filepath.Join(userDir, "globalStorage", "state.vscdb")
}

// makeStore generates the store of a kind and a scale, once: it is kept for the next benchmark.
func (b *bench) makeStore(ctx context.Context, kind string, scale float64) (store, error) {
	s := b.storeAt(kind, scale)
	place := filepath.Dir(s.dir)
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		b.progress("generating the %s store of about %.0f messages", kind, scale*messages)
		made := place + ".tmp" // a store that is cut short never gets the name
		if err := os.RemoveAll(made); err != nil {
			return s, err
		}
		task := "generate"
		if kind == storeReal {
			task = "real"
		}
		if _, err := b.task(ctx, false, task, "-dir", filepath.Join(made, "User"), "-messages",
			strconv.Itoa(max(1, int(scale*messages))), "-seed", strconv.FormatUint(b.seed, 10), "-skew",
			fmt.Sprint(b.skew)); err != nil {
			return s, fmt.Errorf("generate the store: %w", err)
		}
		if err := os.Rename(made, place); err != nil {
			return s, err
		}
	}
	info, err := os.Stat(s.file)
	if err != nil {
		return s, fmt.Errorf("the store is not whole; remove %s and run again: %w", place, err)
	}
	s.bytes = info.Size()
	return s, nil
}

// generate is the task that writes a store.
func generate(o taskOptions) error {
	plan := storetest.New(storetest.Options{Seed: o.seed, Messages: o.messages, Skew: o.skew, NoCases: true})
	return plan.Write(o.dir)
}

// checkStore puts the store's families into the report, beside those wanted, and fails if one is too far off.
func (b *bench) checkStore(ctx context.Context, s store) error {
	r, err := b.task(ctx, false, "families", "-dir", s.dir)
	if err != nil {
		return fmt.Errorf("count the store's rows: %w", err)
	}
	t := sheet{title: fmt.Sprintf("The %s store, %gx", s.kind, s.scale),
		header: []string{"family", "rows", "wanted", "MB", "wanted MB", "off"}}
	off := deviations(r.Families, s.scale)
	for i, w := range wanted {
		have := r.Families[w.name]
		if s.kind == storeReal {
			t.add(w.people+" ("+w.name+")", count(have.Rows), "-", megabytes(have.Bytes), "-", "-")
			continue
		}
		rows := "-"
		if w.rows > 0 {
			rows = count(int64(w.rows * s.scale))
		}
		t.add(w.people+" ("+w.name+")", count(have.Rows), rows, megabytes(have.Bytes),
			megabytes(int64(w.bytes*s.scale)), fmt.Sprintf("%.0f %%", off[i]*100))
	}
	t.note = fmt.Sprintf("Generated with seed %d and skew %g, %g times the store of a heavy user: %s MB in the file "+
		"of the global store.", b.seed, b.skew, s.scale, megabytes(s.bytes))
	b.report.add(t)
	for i, w := range wanted {
		if off[i] > tolerance && s.scale >= 1 && b.skew == 0 && s.kind == storeSmooth {
			return fmt.Errorf("the store is not what it should be: %s is %.0f %% off, more than %.0f %%; the "+
				"generator has changed\n%s", w.name, off[i]*100, tolerance*100, t.text())
		}
	}
	return nil
}

// deviations are how far the families are from what is wanted at a scale, in rows or bytes, whichever is worse.
func deviations(have map[string]family, scale float64) []float64 {
	off := make([]float64, len(wanted))
	for i, w := range wanted {
		off[i] = math.Abs(float64(have[w.name].Bytes)/(w.bytes*scale) - 1)
		if w.rows > 0 {
			off[i] = max(off[i], math.Abs(float64(have[w.name].Rows)/(w.rows*scale)-1))
		}
	}
	return off
}

// families is the task that counts a store's rows and bytes.
func families(ctx context.Context, o taskOptions) (r result, err error) {
	db, err := openSQLite(globalStore(o.dir), true)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	r.Families = map[string]family{}
	for _, w := range wanted {
		var f family
		err := db.QueryRowContext(ctx, "SELECT count(*), coalesce(sum(octet_length(value)), 0) FROM cursorDiskKV "+
			"WHERE key >= ? AND key < ?",
			w.name+":", w.name+";").Scan(&f.Rows, &f.Bytes)
		if err != nil {
			return r, err
		}
		r.Families[w.name] = f
	}
	return r, nil
}

// openSQLite opens a store past package extract: to count, to scan barely, to change a copy.
func openSQLite(path string, readOnly bool) (*sql.DB, error) {
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	if readOnly {
		dsn += "?mode=ro&immutable=1"
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}
