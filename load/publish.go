package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"pipeline/sql/schema"
)

// Publish writes every table of the committed warehouse as zstd Parquet into dir/v-<load_id>/ and then switches dir/current to that folder
// by one rename. A reader that resolves current once reads one whole publication.
func Publish(ctx context.Context, warehouse, dir string, loadID int64, memory Memory) (err error) {
	name := fmt.Sprintf("v-%08d", loadID)
	final := filepath.Join(dir, name)
	if published(ctx, warehouse, final) {
		return switchTo(dir, name)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the Parquet folder: %w", err)
	}
	if err := sweepScratch(dir); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(dir, scratchPrefix)
	if err != nil {
		return fmt.Errorf("make a folder in %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if err := writeParquet(ctx, warehouse, scratch, memory.orDefault()); err != nil {
		return err
	}
	if err := errors.Join(syncFile(scratch), afterParquet.Reach()); err != nil {
		return err
	}
	if err := replaceable(final); err != nil {
		return err
	}
	if err := os.Rename(final, scratch+"-old"); err != nil && !errors.Is(err, os.ErrNotExist) { // another warehouse's, of the same number
		return fmt.Errorf("move an older Parquet folder away: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch+"-old")) }()
	if err := os.Rename(scratch, final); err != nil {
		return fmt.Errorf("put the Parquet folder in place: %w", err)
	}
	if err := beforeSwitch.Reach(); err != nil {
		return err
	}
	return switchTo(dir, name)
}

// replaceable refuses a folder of a publication's name that holds anything but Parquet files.
func replaceable(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look into %s: %w", folder, err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".parquet") {
			return fmt.Errorf("%s is in the way of a publication and holds %s, which is not ours: move it, or name another folder with --parquet", folder, e.Name())
		}
	}
	return nil
}

// scratchPrefix begins the names of folders that are not published yet.
const scratchPrefix = ".pipeline-tmp-"

// linkPrefix begins the names of links that are to become current.
const linkPrefix = ".current-"

// sweepScratch removes what killed runs left.
func sweepScratch(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("look into the Parquet folder: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), scratchPrefix) || strings.HasPrefix(e.Name(), linkPrefix) && e.Type() == os.ModeSymlink {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("remove what an interrupted run left: %w", err)
			}
		}
	}
	return nil
}

// published reports that a folder holds a publication of this warehouse in its present state: its loads are those of the warehouse.
// One of the same number may be left from a warehouse that was thrown away.
func published(ctx context.Context, warehouse, folder string) bool {
	loads := filepath.Join(folder, "loads.parquet")
	if _, err := os.Stat(loads); err != nil {
		return false
	}
	db, conn, err := openEngine(ctx, warehouse, true)
	if err != nil {
		return false
	}
	defer func() { _ = errors.Join(conn.Close(), db.Close()) }()
	const compare = `SELECT count(*) FROM (
		(FROM (SELECT load_id, started_at FROM loads) EXCEPT SELECT load_id, started_at FROM read_parquet($1))
		UNION ALL (SELECT load_id, started_at FROM read_parquet($1) EXCEPT SELECT load_id, started_at FROM loads))`
	differences := 1
	err = conn.QueryRowContext(ctx, compare, loads).Scan(&differences)
	return err == nil && differences == 0
}

func writeParquet(ctx context.Context, warehouse, dir string, memory Memory) (err error) {
	db, conn, err := openEngine(ctx, warehouse, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if _, err := conn.ExecContext(ctx, setMemory(memory.Alone)); err != nil {
		return err
	}
	for _, t := range schema.Tables() {
		if t.Scope == schema.Internal {
			continue
		}
		file := filepath.Join(dir, t.Name+".parquet")
		if _, err := conn.ExecContext(ctx, parquetQuery(t, file)); err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
		if err := syncFile(file); err != nil {
			return err
		}
	}
	return nil
}

// Rows of a row group: the engine holds one in memory several times over while it writes it, and what tools were told and gave back is large.
const (
	manyGroupRows = 16384
	fewGroupRows  = 4096
)

// parquetQuery copies a table.
func parquetQuery(t schema.Table, file string) string {
	rows := manyGroupRows
	if slices.ContainsFunc(t.Columns, func(c schema.Column) bool { return c.Type == "JSON" }) {
		rows = fewGroupRows
	}
	return fmt.Sprintf("COPY (SELECT %s FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE %d)", strings.Join(publishedColumns(t), ", "), t.Name, literal(file), rows)
}

// publishedColumns are a table's columns as they are published: JSON as text (readers know no JSON type), times as UTC microseconds.
func publishedColumns(t schema.Table) []string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = fmt.Sprintf("%q", c.Name)
		if c.Type == "JSON" {
			columns[i] = fmt.Sprintf("CAST(%q AS VARCHAR) AS %q", c.Name, c.Name)
		}
	}
	return columns
}

// currentFolder is the publication that a folder's current names.
func currentFolder(dir string) (string, error) {
	if runtime.GOOS != "windows" {
		return filepath.EvalSymlinks(filepath.Join(dir, "current"))
	}
	text, err := os.ReadFile(filepath.Join(dir, "current.json"))
	if err != nil {
		return "", err
	}
	var current struct {
		Folder string `json:"folder"`
	}
	return filepath.Join(dir, current.Folder), json.Unmarshal(text, &current)
}

// switchTo makes current name a publication: a symbolic link, or where those need rights that people do not have, current.json.
func switchTo(dir, name string) error {
	if runtime.GOOS == "windows" {
		return maybe.WriteFile(filepath.Join(dir, "current.json"), fmt.Appendf(nil, "{\"folder\": %q}\n", name), 0o600)
	}
	link := filepath.Join(dir, linkPrefix+name)
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove what an interrupted run left: %w", err)
	}
	err := errors.Join(os.Symlink(name, link), afterLink.Reach())
	if err == nil {
		err = os.Rename(link, filepath.Join(dir, "current"))
	}
	if err != nil {
		_ = os.Remove(link) // if it stays, the next run sweeps it
		return fmt.Errorf("switch %s/current: %w", dir, err)
	}
	return errors.Join(syncFile(dir), afterSwitch.Reach())
}
