package redact

import "strings"

// commandBytes is how long the line of a command may be.
const commandBytes = 400

// newCommands are flags by the programs that have them.
func newCommands(lines []string) map[string][]string {
	out := map[string][]string{}
	for _, line := range lines {
		name, flag := cutFlag(line)
		out[name] = append(out[name], flag)
	}
	return out
}

// cutFlag reads a line such as "redis-cli -a": the last word is the flag, and may have a sign behind it that its value
// has.
func cutFlag(line string) (name, flag string) {
	n := strings.LastIndexByte(line, ' ')
	return line[:n], line[n+1:]
}

// command finds what the command s[start:end] logs in with.
func (c *scanner) command(s string, start, end int) {
	if start > 0 && (isWord(s[start-1]) || s[start-1] == '-') && !escapeEnds(s, start) || end == len(s) ||
		!isSpace(s[end]) && !isQuote(s[end]) && s[end] != '\\' && s[end] != '.' {
		return
	}
	line := s[end:commandEnd(s, end)]
	for _, flag := range c.commands[strings.ToLower(s[start:end])] {
		sign := ""
		if n := len(flag) - 1; strings.IndexByte("@%,", flag[n]) >= 0 {
			flag, sign = flag[:n], flag[n:]
		}
		for from := 0; ; {
			n := strings.Index(line[from:], flag)
			if n < 0 {
				break
			}
			from += n + len(flag)
			if before := from - len(flag) - 1; before < 0 || line[before] != ' ' && !isQuote(line[before]) {
				continue
			}
			if value, ok := argument(line, from); ok &&
				strings.Contains(line[value.start:value.end], strings.ReplaceAll(sign, "@", ":")) {
				c.found = append(c.found, finding{rule: commandPassword, start: end + value.start,
					end: end + value.end})
			}
		}
	}
}

// commandEnd is where the line of a command ends.
func commandEnd(s string, i int) int {
	limit := min(len(s), i+commandBytes)
	for n := i; n < limit; n++ {
		switch c := s[n]; {
		case c == '\n' && (n == 0 || s[n-1] != '\\'):
			return n
		case c == '\\' && n+1 < limit && s[n+1] == 'n' && (n == 0 || s[n-1] != '\\'):
			return n
		}
	}
	return limit
}

// argument is the value of a flag: behind it, a space, a sign or a quote.
func argument(line string, i int) (span, bool) {
	for i < len(line) && (strings.IndexByte(` =,\`, line[i]) >= 0 ||
		isQuote(line[i]) && strings.Contains(line[i:min(len(line), i+8)], ",")) {
		i++
	}
	quoted := i < len(line) && isQuote(line[i])
	if quoted {
		i++
	}
	if i >= len(line) {
		return span{}, false
	}
	end := i
	for end < len(line) && (quoted && line[end] != line[i-1] ||
		!quoted && !isSpace(line[end]) && !isQuote(line[end])) && line[end] != '\\' {
		end++
	}
	value := line[i:end]
	m := measure(value)
	if len(value) < 4 || m.digits == 0 && !strings.ContainsAny(value, symbols) ||
		strings.IndexByte("$-<{/.%", value[0]) >= 0 || m.digits == len(value) {
		return span{}, false
	}
	return span{i, end}, true
}
