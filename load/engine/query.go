package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// Literal is a text as SQL has it.
func Literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Identifier is a name as SQL has it.
func Identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// FirstLine is a text up to the end of its first line that says something.
func FirstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i > 0 {
		s = s[:i] + " ..."
	}
	return s
}

// SetMemory is the statement that sets the engine's limit.
func SetMemory(bytes int64) string { return fmt.Sprintf("SET memory_limit = '%dB'", bytes) }

// IsInvalidated reports an engine that has met a fatal error, as where a disk fails in the middle of a commit. It answers nothing more, and to close it (1.4.1)
// may end the process by a signal: it is left as it is, and the system lets go of its files when the process ends.
func IsInvalidated(conn *sql.Conn) bool {
	_, err := conn.ExecContext(context.Background(), `SELECT 1`)
	return err != nil && strings.Contains(err.Error(), "invalidated")
}

// Sandbox forbids everything but reading the file that is open: other files, the network, extensions, and last of all settings. Days and hours are those
// of a time zone: in UTC an answer has the same ones wherever it is asked for; "" is the zone of the program.
func Sandbox(zone string) []string {
	statements := []string{"SET enable_external_access = false", "SET allow_community_extensions = false"}
	if zone != "" {
		statements = append(statements, "SET TimeZone = "+Literal(zone))
	}
	return append(statements, "SET lock_configuration = true")
}

// Version is the version of the engine in the program.
func Version(ctx context.Context) (version string, err error) {
	db, conn, err := Open(ctx, "", false)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	err = conn.QueryRowContext(ctx, `SELECT version()`).Scan(&version)
	return version, err
}
