package term

import (
	"fmt"
	"strings"
)

// ShellQuote quotes a word for a shell, for lines that people paste.
func ShellQuote(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:", r))
	}) < 0 {
		return s
	}
	if Printable(s) == s {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	quoted := "$'" // control characters and invalid UTF-8, in a form that bash and zsh know
	for _, r := range []byte(s) {
		switch {
		case r == '\'' || r == '\\':
			quoted += `\` + string(rune(r))
		case r < 0x20 || r >= 0x7f:
			quoted += fmt.Sprintf(`\x%02x`, r)
		default:
			quoted += string(rune(r))
		}
	}
	return quoted + "'"
}
