// Package demo writes an invented year of one developer to try the program on: stores of the editor, chats of the
// command line, plans, the projects' repositories, and beside them what Cursor counted.
//
// It must never know what a row means: the year is packed, and only the place of the projects is written into it.
package demo

import (
	"archive/tar"
	"bytes"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver of the stores

	"pipeline/load/tool/sqlrows"
)

// Places of a year, below its folder.
const (
	Usage = "usage" // what Cursor counted
	src   = "src"   // projects
)

//go:generate go test . -run ^TestPacked$ -update

// year is the year, a tar archive compressed by zstd. In it the projects are in placeholder.
//
//go:embed year.tar.zst
var year []byte

// placeholder is the folder of the projects in the packed year.
const placeholder = "/home/ada/src"

// Write writes the year into a folder, which must be missing or empty.
func Write(ctx context.Context, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	root := path.Join(filepath.ToSlash(dir), src)
	if strings.ContainsAny(root, "\"\\\n\r\t") {
		return fmt.Errorf("%s has a character in its path that JSON escapes: name another folder", dir)
	}
	put := moved(root)
	unpacked, err := zstd.NewReader(bytes.NewReader(year))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	for archive := tar.NewReader(unpacked); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := writeFile(ctx, filepath.Join(dir, filepath.FromSlash(h.Name)), h, archive, put); err != nil {
			return fmt.Errorf("write %s: %w", h.Name, err)
		}
	}
}

// moved returns what replaces the placeholder: pairs of texts, in their order. A URI has its characters escaped.
func moved(root string) *strings.Replacer {
	rooted := "/" + strings.TrimPrefix(root, "/") // that of a drive has no slash before it
	uri := (&url.URL{Scheme: "file", Path: rooted}).String()
	return strings.NewReplacer("file://"+placeholder, uri, placeholder, root)
}

// writeFile writes one file of the archive, with its time.
func writeFile(ctx context.Context, to string, h *tar.Header, from io.Reader, put *strings.Replacer) error {
	data, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	isStore := bytes.HasPrefix(data, []byte("SQLite format 3\x00"))
	if !isStore && !strings.Contains(h.Name, "/.git/") {
		data = []byte(put.Replace(string(data)))
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777),
		os.WriteFile(to, data, h.FileInfo().Mode())); err != nil {
		return err
	}
	if isStore && bytes.Contains(data, []byte(placeholder)) {
		if err := moveStore(ctx, to, put); err != nil {
			return err
		}
	}
	return os.Chtimes(to, h.ModTime, h.ModTime)
}

// moveStore writes the place of the projects into a store. A row's value stays text or bytes, and rows keep their
// rowids.
func moveStore(ctx context.Context, file string, put *strings.Replacer) (err error) {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(file)+
		"?_pragma=journal_mode(memory)&_pragma=synchronous(off)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	columns, err := texts(ctx, conn,
		`SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1`)
	if err != nil {
		return err
	}
	for _, column := range columns {
		table, name, _ := strings.Cut(column, ".")
		statement := fmt.Sprintf(
			`UPDATE %[1]q SET %[2]q = CASE typeof(%[2]q) WHEN 'blob' THEN CAST(%[3]s AS BLOB) ELSE %[3]s END WHERE instr(CAST(%[2]q AS TEXT), ?) > 0`, table, name,
			fmt.Sprintf(`replace(replace(CAST(%q AS TEXT), ?, ?), ?, ?)`, name))
		uri, plain := "file://"+placeholder, placeholder
		pairs := []any{uri, put.Replace(uri), plain, put.Replace(plain)}
		if _, err := conn.ExecContext(ctx, statement, append(append(pairs, pairs...), plain)...); err != nil {
			return err
		}
	}
	return nil
}

// texts returns the values of a query with one column.
func texts(ctx context.Context, conn *sql.Conn, query string) (all []string, err error) {
	err = sqlrows.Each(ctx, conn, query, func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		all = append(all, text)
		return err
	})
	return all, err
}
