package engine

import (
	"context"
	"database/sql"
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
