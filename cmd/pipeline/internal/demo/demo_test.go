package demo

import (
	"archive/tar"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"pipeline/testdata/gen/yeartest"
)

var update = flag.Bool("update", false, "pack the year anew")

// packedYear is the year that is packed, with its projects in a folder. This seed gives a year with something to say to
// every question.
func packedYear(root string) yeartest.Options {
	return yeartest.Options{Seed: 9, Messages: 3000, Root: root}
}

// pack is the year as a tar archive: its files in the order of their names, each with the time of its last change if
// that is a part of the year.
func pack(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	must(t, yeartest.Write(dir, packedYear(placeholder)))
	var packed bytes.Buffer
	archive := tar.NewWriter(&packed)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		at := info.ModTime()
		if filepath.Ext(path) != ".md" {
			at = yearEnd
		}
		if err := archive.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: int64(info.Mode().Perm()),
			Size: int64(len(data)), ModTime: at}); err != nil {
			return err
		}
		_, err = archive.Write(data)
		return err
	})
	if err == nil {
		err = archive.Close()
	}
	must(t, err)
	return packed.Bytes()
}

// yearEnd is the time of files whose own says nothing.
var yearEnd = time.Date(2026, 6, 30, 18, 0, 0, 0, time.UTC)

// TestPacked: the packed year is the one that the generator writes. With -update it is packed anew.
func TestPacked(t *testing.T) {
	want := pack(t)
	if *update {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
			zstd.WithWindowSize(zstd.MaxWindowSize>>2))
		must(t, err)
		must(t, os.WriteFile("year.tar.zst", w.EncodeAll(want, nil), 0o644))
		return
	}
	r, err := zstd.NewReader(nil)
	must(t, err)
	defer r.Close()
	if got, err := r.DecodeAll(year, nil); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the packed year is another one (%v): run go generate ./cmd/pipeline/internal/demo", err)
	}
}

// TestWrite: in any folder the year is what the generator writes there: the same files, and stores with the same rows.
func TestWrite(t *testing.T) {
	dir, generated := filepath.Join(t.TempDir(), "demo"), t.TempDir()
	must(t, Write(t.Context(), dir))
	must(t, yeartest.Write(generated, packedYear(filepath.ToSlash(filepath.Join(dir, src)))))
	stores := 0
	err := fs.WalkDir(os.DirFS(generated), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := os.ReadFile(filepath.Join(generated, name))
		if err != nil {
			return err
		}
		place := name
		if chat := strings.Split(name, "/"); len(chat) > 3 && chat[1] == "chats" {
			// the folder's name is a hash of the projects' place
			found, err := filepath.Glob(filepath.Join(dir, chat[0], chat[1], "*", chat[3], chat[4]))
			if err != nil || len(found) != 1 {
				t.Errorf("%s: %v, %v", name, found, err)
				return err
			}
			place, _ = filepath.Rel(dir, found[0])
		}
		got, err := os.ReadFile(filepath.Join(dir, place))
		if err != nil {
			return err
		}
		if bytes.HasPrefix(want, []byte("SQLite format 3\x00")) && !bytes.Equal(want, got) {
			stores++
			want, got = dump(t, filepath.Join(generated, name)), dump(t, filepath.Join(dir, place))
		}
		if !bytes.Equal(want, got) || bytes.Contains(got, []byte(placeholder)) {
			t.Errorf("%s is not what the generator writes", place)
		}
		return nil
	})
	if err != nil || stores == 0 {
		t.Errorf("%d stores differ in their bytes: %v", stores, err)
	}
}

// TestWriteOdd: in a folder whose name a URI escapes, the folders that workspaces name are those of the projects. One
// that JSON escapes is refused.
func TestWriteOdd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a demo, 100% ü")
	must(t, Write(t.Context(), dir))
	found, err := filepath.Glob(filepath.Join(dir, "User", "workspaceStorage", "*", "workspace.json"))
	if err != nil || len(found) < 6 {
		t.Fatalf("workspaces: %v, %v", found, err)
	}
	for _, file := range found {
		var workspace struct{ Folder string }
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &workspace)
		}
		folder, parsed := url.Parse(workspace.Folder)
		if err := errors.Join(err, parsed); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if _, err := os.Stat(filepath.Join(folder.Path, ".git")); err != nil {
			t.Error(err)
		}
	}
	if err := Write(t.Context(), filepath.Join(t.TempDir(), `a "demo"`)); err == nil {
		t.Error("a quote in the path is taken")
	}
}

// dump has every row of a store's tables, with the types of its values.
func dump(t *testing.T, file string) (all []byte) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	must(t, err)
	defer db.Close()
	conn, err := db.Conn(t.Context())
	must(t, err)
	defer conn.Close()
	columns, err := texts(t.Context(), conn,
		`SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1`)
	must(t, err)
	for _, column := range columns {
		table, name, _ := strings.Cut(column, ".")
		values, err := texts(t.Context(), conn,
			fmt.Sprintf(
				`SELECT rowid || ' ' || typeof(%[2]q) || ' ' || coalesce(hex(%[2]q), '') FROM %[1]q ORDER BY rowid`,
				table, name))
		must(t, err)
		all = append(all, (column + "\n" + strings.Join(values, "\n"))...)
	}
	return all
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
