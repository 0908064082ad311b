package engine

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"pipeline/load/tool/sqlrows"
)

// Literal returns a text as an SQL literal.
func Literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Literals returns texts as a list of SQL literals.
func Literals(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = Literal(text)
	}
	return strings.Join(list, ", ")
}

var patternSigns = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")

// Pattern returns the pattern that matches a path alone. The engine takes the name of a file to read for a pattern: in
// a folder called a*, it would read those of its neighbours, too.
func Pattern(path string) string { return patternSigns.Replace(path) }

// Patterns returns the pattern of each path.
func Patterns(paths []string) []string {
	list := make([]string, len(paths))
	for i, path := range paths {
		list[i] = Pattern(path)
	}
	return list
}

// Identifier returns a name as a quoted SQL identifier.
func Identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// FirstLine returns the first line of a text that is not blank, with "..." if more lines follow.
func FirstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i > 0 {
		s = s[:i] + " ..."
	}
	return s
}

// SetMemory returns the statement that sets the engine's memory limit.
func SetMemory(bytes int64) string { return fmt.Sprintf("SET memory_limit = '%dB'", bytes) }

// IsInvalidated reports whether the engine has met a fatal error, such as a failed disk in a commit. Then it answers no
// more queries, and to close it (1.4.1) may kill the process by a signal. So it must be left open; the system closes
// its files when the process ends.
func IsInvalidated(conn *sql.Conn) bool {
	_, err := conn.ExecContext(context.Background(), `SELECT 1`)
	return err != nil && strings.Contains(err.Error(), "invalidated")
}

// Sandbox returns the statements that forbid everything but reading the open file: other files, the network,
// extensions, and last of all settings. zone is the time zone of days and hours. With UTC, an answer is the same
// everywhere; "" is the zone that the engine finds: that of TZ, else the machine's.
func Sandbox(zone string) []string {
	statements := []string{"SET enable_external_access = false", "SET allow_community_extensions = false"}
	if zone != "" {
		statements = append(statements, "SET TimeZone = "+Literal(zone))
	}
	return append(statements, "SET lock_configuration = true")
}

// Zones returns the names of the time zones that the engine knows.
func Zones(ctx context.Context) (names []string, err error) {
	err = Reading(ctx, "", func(conn *sql.Conn) (err error) {
		names, err = sqlrows.All[string](ctx, conn, `SELECT name FROM pg_timezone_names() ORDER BY name`)
		return err
	})
	return names, err
}

// Version returns the version of the engine in the program.
func Version(ctx context.Context) (version string, err error) {
	err = Reading(ctx, "", func(conn *sql.Conn) error {
		return conn.QueryRowContext(ctx, `SELECT version()`).Scan(&version)
	})
	return version, err
}
