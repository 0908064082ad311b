package term

import (
	"fmt"
	"strings"
)

// ShellQuote is a word as a shell reads it, for lines that are printed to be pasted.
func ShellQuote(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:", r))
	}) < 0 {
		return s
	}
	if Printable(s) == s {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	quoted := "$'" // what would steer the terminal, or is no text, as bash and zsh read it
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
