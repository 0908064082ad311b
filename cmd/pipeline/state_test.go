package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/parquet/file"

	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// state is what a warehouse holds.
type state struct {
	loads, last int64            // how many, and the highest number
	rows        map[string]int64 // by table
	all         string           // rows and hash of each table
	live        string           // rows and hash of what is live, without the loads' own times
	raw         map[string]int64 // sizes of the files of the raw layer
	kept        string           // rows and hash of each table that a rebuild makes as it was
}

// ofRuns are tables that say what a run did, or what the next one may trust: a rebuild has others.
var ofRuns = []string{"loads", "load_stores", "raw_files", "key_families", "load_elements", "_owners",
	"_known_stores", "_meta", "_changes"}

// rawPrefix begins the lines of an answer that are no table's but a file's.
const rawPrefix = "raw file "

// look opens a warehouse, which must succeed.
func look(t *testing.T, warehouse string, say sayer) *state {
	t.Helper()
	var parts []string
	for _, table := range schema.Tables() {
		parts = append(parts, digest(table.Name, table.Name))
	}
	live := map[string]string{
		"live conversations": "(SELECT * EXCLUDE (first_seen_at, changed_at) FROM live_conversations)",
		"live messages":      "live_messages", "live tool calls": "live_tool_calls",
		"all sessions": "sessions", "all activity": "activity_periods",
	}
	for name, from := range live {
		parts = append(parts, digest(name, from))
	}
	parts = append(parts, "SELECT 'last load', coalesce(max(load_id), 0), '' FROM loads",
		"SELECT '"+rawPrefix+"' || path, bytes, '' FROM raw_files")
	answer, err := reader.Query(t.Context(), warehouse, strings.Join(parts, "\nUNION ALL ")+"\nORDER BY 1")
	if err != nil {
		say("the warehouse does not open: %v", err)
		t.FailNow()
	}
	s := &state{rows: map[string]int64{}, raw: map[string]int64{}}
	for _, row := range answer.Rows {
		name, n := row[0].(string), row[1].(int64)
		line := fmt.Sprintf("%s %d %s\n", name, n, reader.Text(row[2]))
		file, isFile := strings.CutPrefix(name, rawPrefix)
		switch {
		case name == "last load":
			s.last = n
		case isFile:
			s.raw[file] = n
		case live[name] != "":
			s.live += line
		default:
			s.all += line
			s.rows[name] = n
			if !slices.Contains(ofRuns, name) {
				s.kept += line
			}
		}
	}
	s.loads = s.rows["loads"]
	return s
}

// digest asks for the number of rows and for a hash that their order does not change.
func digest(name, from string) string {
	return fmt.Sprintf("SELECT '%s', count(*), coalesce(sum(hash(t)::HUGEINT), 0)::VARCHAR FROM %s t", name, from)
}

// checkPublication: DIR/current, if there is one, is a whole publication of one of the loads.
func checkPublication(t *testing.T, l *lineage, say sayer) {
	t.Helper()
	link, err := os.Readlink(filepath.Join(l.dest.parquet, "current"))
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	must(t, err)
	var number int64
	if _, err := fmt.Sscanf(link, "v-%d", &number); err != nil || l.loads[number] == nil {
		say("current is %s, of no load", link)
		return
	}
	for _, table := range schema.Tables() {
		if table.Scope == schema.Internal {
			continue
		}
		rows := int64(0)
		for _, path := range publishedFiles(t, filepath.Join(l.dest.parquet, "current"), table.Name) {
			f, err := file.OpenParquetFile(path, false)
			if err != nil {
				say("the publication %s: %v", link, err)
				continue
			}
			rows += f.NumRows()
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
		if rows != l.loads[number][table.Name] {
			say("the publication %s has %d rows of %s, its load %d", link, rows, table.Name,
				l.loads[number][table.Name])
		}
	}
}

// publishedFiles are a table's files in a publication, by their names alone: one for the table, or one a month.
func publishedFiles(t *testing.T, folder, table string) []string {
	t.Helper()
	one, err := filepath.Glob(filepath.Join(folder, table+".parquet"))
	months, err2 := filepath.Glob(filepath.Join(folder, table, "month=*", "*.parquet"))
	must(t, errors.Join(err, err2))
	return append(one, months...)
}

// checkRaw: the files that the warehouse names as its raw layer are there and whole. A run that ended well leaves none
// unfinished beside them.
func checkRaw(t *testing.T, warehouse string, now *state, endedWell bool, say sayer) {
	t.Helper()
	if len(now.raw) == 0 {
		return
	}
	folder := warehouse + ".raw"
	for name, size := range now.raw {
		switch info, err := os.Stat(filepath.Join(folder, name)); {
		case err != nil:
			say("the raw layer: %v", err)
		case info.Size() != size:
			say("the raw layer: %s has %d bytes, want %d", name, info.Size(), size)
		}
	}
	if !endedWell {
		return
	}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".pipeline-tmp-") {
			say("the raw layer: %s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// leftovers are the files in the folders of a warehouse and a publication that a finished run does not leave.
func leftovers(t *testing.T, dest place) (left []string) {
	t.Helper()
	name := filepath.Base(dest.warehouse)
	for folder, ours := range map[string]func(string) bool{
		filepath.Dir(dest.warehouse): func(s string) bool {
			return s == name || s == name+".lock" || s == name+".raw" || s == name+".runs" || s == "parquet"
		},
		dest.parquet: func(s string) bool {
			return s == "current" || s == ".pipeline-lock" ||
				strings.HasPrefix(s, "v-")
		},
	} {
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !ours(e.Name()) {
				left = append(left, e.Name())
			}
		}
	}
	return left
}

// files maps each file below dir, but -shm files, to its size and hash, and a link to its target.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, "-shm") {
			return err
		}
		if d.IsDir() {
			out[path] = "folder"
			return nil
		}
		if d.Type() == fs.ModeSymlink {
			out[path], err = os.Readlink(path)
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%d %x", len(b), sha256.Sum256(b))
		return err
	})
	must(t, err)
	return out
}
