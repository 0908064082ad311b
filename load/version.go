package load

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pipeline/sql/schema"
)

// Names in _meta.
const (
	metaVersion = "schema_version"
	metaGap     = "session_gap_ms"
	metaWindow  = "commit_window_ms"
)

func metaInt(ctx context.Context, conn *sql.Conn, key string) (int64, error) {
	var text string
	if err := conn.QueryRowContext(ctx, `SELECT value FROM _meta WHERE key = ?`, key).Scan(&text); err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// CheckVersion refuses a file that is no warehouse of this version.
func CheckVersion(ctx context.Context, path string) (err error) {
	db, conn, err := openEngine(ctx, path, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return checkVersion(ctx, conn, path)
}

// versionError is a warehouse of another version of the schema.
type versionError struct {
	path    string
	version int64
}

func (e *versionError) Error() string {
	if e.version > schema.Version {
		return fmt.Sprintf("%s has schema version %d, this tool knows %d: use the version of the tool that wrote it, or another --warehouse", e.path, e.version, schema.Version)
	}
	return fmt.Sprintf("%s has schema version %d, this tool reads %d: 'pipeline run' brings it up to date, and keeps it as it is in %s",
		e.path, e.version, schema.Version, copyOf(e.path, e.version))
}

// checkVersion refuses a file that is no warehouse, one of a newer tool, and one that a load has to bring up to date first.
func checkVersion(ctx context.Context, conn *sql.Conn, path string) error {
	version, err := versionOf(ctx, conn, path)
	if err == nil && version < schema.Version {
		return &versionError{path, version}
	}
	return err
}

// versionOf reads the version of a warehouse's schema. It refuses a file that is no warehouse, and one of a newer tool.
func versionOf(ctx context.Context, conn *sql.Conn, path string) (int64, error) {
	version, err := metaInt(ctx, conn, metaVersion)
	if err != nil {
		return 0, fmt.Errorf("%s is not a warehouse of this tool; move it away or name another with --warehouse: %w", path, err)
	}
	if version > schema.Version {
		return 0, &versionError{path, version}
	}
	return version, nil
}

// outdated reports a warehouse whose tables are not yet what is declared: its version is an earlier one, or it lacks a table that was declared since.
func outdated(ctx context.Context, conn *sql.Conn, version int64) (bool, error) {
	if version < schema.Version {
		return true, nil
	}
	var names []string
	for _, t := range schema.Tables() {
		names = append(names, literal(t.Name))
	}
	var found int
	err := conn.QueryRowContext(ctx, `SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'main'
		AND table_name IN (`+strings.Join(names, ", ")+`)`).Scan(&found)
	return err == nil && found < len(names), err
}
