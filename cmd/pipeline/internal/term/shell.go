package term

import (
	"fmt"
	"runtime"
	"strings"
)

// ShellQuote quotes a word for a shell of this system, for lines that people paste.
func ShellQuote(s string) string {
	if runtime.GOOS == "windows" {
		return windowsQuote(s)
	}
	if strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("/._-+:", r))
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

// windowsQuote quotes a word as both shells of Windows and the programs that they start read it, if it has no quotation
// mark: no path has one there. A backslash means itself but before the closing quotation mark.
func windowsQuote(s string) string {
	s = Printable(s)
	if s != "" && !strings.ContainsAny(s, " \t&|<>()[]{}^=;!'+,`~%$@#*?\"") {
		return s
	}
	end := len(s) - len(strings.TrimRight(s, `\`))
	return `"` + strings.ReplaceAll(s, `"`, `\"`) + strings.Repeat(`\`, end) + `"`
}
