package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// homeWords are where to look for a home folder.
var homeWords = []string{"home", "homes", "users", "root", "media"}

// roots are folders that have homes in them as / has. A star is any folder: a volume, a disk, a server.
var roots = func() (all [][]string) {
	for _, root := range strings.Fields(
		`var usr export data srv nfs efs storage tank host hostfs rootfs private run/host run/host/var
		System/Volumes/Data System/Volumes/* Volumes/* mnt mnt/* media/* media/*/* run/media/*/* net/* nfs/* vol/* volume1 volume2 volume3`) {
		all = append(all, strings.Split(root, "/"))
	}
	return all
}()

// sites are folders that pages of the web have in /media, and machines.
var sites = set(strings.Fields("images image img css js fonts video videos audio files uploads upload static assets " +
	"icons logo cdrom floppy usb data"))

// rootBefore is where a folder begins that has homes in it and ends at a place, without the separator before it; -1 if
// there is none.
func rootBefore(s string, end int, separator string) int {
	found := -1
	for _, root := range roots {
		i := end
		for n := len(root) - 1; n >= 0 && i >= 0; n-- {
			if i -= len(separator); i < 0 || !strings.HasPrefix(s[i:], separator) {
				i = -1
				break
			}
			if root[n] == "*" {
				from := strings.LastIndex(s[max(0, i-maxName):i], separator)
				if from < 0 || strings.ContainsAny(s[max(0, i-maxName)+from+len(separator):i], "/\\\n\"'<>") {
					i = -1
					break
				}
				i = max(0, i-maxName) + from + len(separator)
				continue
			}
			if !strings.HasSuffix(s[:i], root[n]) {
				i = -1
				break
			}
			i -= len(root[n])
		}
		if i >= 0 && (found < 0 || i < found) && (i == 0 || !isWord(s[i-1]) || escapeEnds(s, i)) {
			found = i
		}
	}
	return found
}

// Names longer than this are none; addresses of hosts before a path neither.
const (
	maxName      = 128
	maxAuthority = 256
)

// homeAt is the home folder that the word s[start:end] is a part of, with everything that says where homes are: the
// drive and the name.
func homeAt(s string, start, end int) (span, bool) {
	left := separatorBefore(s, start)
	if h, ok := encodedHome(s, start, end); ok {
		return h, true
	}
	if left == "" {
		return span{}, false
	}
	begin := start - len(left)
	if root := rootBefore(s, start, left); root >= len(left) && strings.HasSuffix(s[:root], left) &&
		beginsPath(s, root-len(left)) {
		begin = root - len(left)
	}
	slash := left[0] != '\\' || left == `\/`
	switch word := s[start:end]; {
	case word == "root":
		return span{begin, end}, slash && beginsPath(s, begin) && rootEnds(s, begin, end)
	case word == "media":
		inRun := strings.HasSuffix(s[:begin], left+"run")
		if inRun {
			begin -= len(left) + len("run")
		}
		if name := strings.TrimPrefix(s[end:], left); !slash || !beginsPath(s, begin) ||
			!inRun && (sites[name[:wordLength(name, 0, left)]] ||
				!strings.HasPrefix(name[wordLength(name, 0, left):], left)) {
			return span{}, false
		}
	case word == "home" || word == "homes":
		if !(slash && beginsPath(s, begin)) && !isWSL(s, begin) {
			return span{}, false
		}
	case strings.EqualFold(word, "users"):
		if drive := driveBefore(s, begin); drive >= 0 {
			begin = drive
		} else if word != "Users" || !beginsPath(s, begin) {
			return span{}, false
		}
	default:
		return span{}, false
	}
	name := end + len(left)
	if !strings.HasPrefix(s[end:], left) || !slash && name < len(s) && s[name] == '\\' {
		return span{}, false
	}
	if length := nameLength(s, begin, name, left); length > 0 {
		return span{begin, name + length}, true
	}
	return span{}, false
}

// encodedHome is the home in the name of a folder that Cursor and Claude make of a path: .cursor/projects/home-bob-src,
// .claude/projects/-home-bob-src, C--Users-bob-src. A login with a hyphen is cut there, unless it is known (people.go).
func encodedHome(s string, start, end int) (span, bool) {
	word := s[start:end]
	if word != "home" && !strings.EqualFold(word, "users") || end == len(s) || s[end] != '-' {
		return span{}, false
	}
	begin := start
	if root := rootBefore(s, start, "-"); root >= 0 {
		begin = root
	}
	if begin > 0 && s[begin-1] == '-' {
		begin--
		if begin > 1 && s[begin-1] == '-' && isLetter(s[begin-2]) {
			begin -= 2
		} else if begin > 0 && isLetter(s[begin-1]) && (begin == 1 || !isWord(s[begin-2])) {
			begin--
		}
	}
	path := strings.TrimRight(s[max(0, begin-maxName):begin], `/\`)
	if !strings.HasSuffix(path, "projects") || path == s[max(0, begin-maxName):begin] {
		return span{}, false
	}
	path = strings.TrimRight(strings.TrimSuffix(path, "projects"), `/\`)
	name := end + 1
	for name < len(s) && (isWord(s[name]) || s[name] == '.') {
		name++
	}
	return span{begin, name}, name > end+1 && (strings.HasSuffix(path, ".cursor") || strings.HasSuffix(path, ".claude"))
}

// separatorBefore is what parts a path before a place: a slash, also escaped or in an address, or backslashes, twice as
// many for each string they are in.
func separatorBefore(s string, i int) string {
	if i == 0 {
		return ""
	}
	switch {
	case s[i-1] == '/':
		if backslashes(s, i-1)%2 == 1 {
			return s[i-2 : i]
		}
		return s[i-1 : i]
	case s[i-1] == '\\':
		n := min(backslashes(s, i), 8)
		return s[i-n : i]
	case i >= 3 && (strings.EqualFold(s[i-3:i], "%2F") || strings.EqualFold(s[i-3:i], "%5C")):
		return s[i-3 : i]
	}
	return ""
}

// beginsPath says whether a path begins at its separator: nothing is before it that a relative path or the address of a
// page would have.
func beginsPath(s string, i int) bool {
	if i == 0 || escapeEnds(s, i) {
		return true
	}
	switch c := s[i-1]; {
	case c == '/' || c == 'F' || c == 'f':
		// file:///home, and as a parameter file%3A%2F%2F%2Fhome
		before := s[max(0, i-9):i]
		if strings.HasSuffix(before, "://") || strings.HasSuffix(before, `:\/\/`) ||
			strings.HasSuffix(strings.ToUpper(before), "%3A%2F%2F") {
			return true
		}
		return c == '/' && (i == 1 || isSpace(s[i-2]) || isQuote(s[i-2])) || c != '/' && afterWord(s, i)
	case isWord(c):
		return afterWord(s, i)
	case strings.IndexByte(".~-%$*}+", c) >= 0:
		return hasAuthority(s, i)
	case c == '<':
		return !strings.HasPrefix(s[i:], "/root>")
	}
	return true
}

// afterWord: the word before a path is an option (-I/home), the colour of a terminal (ESC[0m/home), or the host of an
// address.
func afterWord(s string, i int) bool {
	if i >= 2 && s[i-2] == '-' && isLetter(s[i-1]) && (i == 2 || isSpace(s[i-3]) || isQuote(s[i-3])) {
		return true
	}
	return afterColour(s, i) || hasAuthority(s, i)
}

// afterColour: a terminal's colour ends before a place, as in ESC[01;32m.
func afterColour(s string, i int) bool {
	if i == 0 || s[i-1] != 'm' {
		return false
	}
	n := i - 1
	for n > max(0, i-16) && (isDigit(s[n-1]) || s[n-1] == ';') {
		n--
	}
	return n > 0 && s[n-1] == '['
}

// hasAuthority: a scheme and a host are before the path, as in vscode-remote://ssh-remote+host/home. On the web, /home
// is a page.
func hasAuthority(s string, i int) bool {
	n := i
	for n > max(0, i-maxAuthority) && s[n-1] != '/' && !isSpace(s[n-1]) && !isQuote(s[n-1]) {
		n--
	}
	scheme, ok := strings.CutSuffix(s[:n], "://")
	if !ok {
		scheme, ok = strings.CutSuffix(s[:n], `:\/\/`)
	}
	return ok && !strings.HasSuffix(scheme, "http") && !strings.HasSuffix(scheme, "https")
}

// isWSL: Windows shows the homes of its Linux as \\wsl$\Ubuntu\home, and addresses of files have //wsl%24/Ubuntu/home.
func isWSL(s string, i int) bool {
	share, n := strings.ReplaceAll(strings.ToLower(s[max(0, i-64):i]), `\`, "/"), -1
	for _, server := range []string{"//wsl$/", "//wsl%24/", "//wsl.localhost/"} {
		n = max(n, strings.LastIndex(share, server))
	}
	return n >= 0 && !strings.ContainsAny(share[n:], " \t\r\n\"'`")
}

// driveBefore is where the drive begins that is before a path, with the slash that addresses and other shells have
// before it; -1 if there is none.
func driveBefore(s string, i int) int {
	n := i
	switch {
	case n >= 2 && s[n-1] == ':':
		n--
	case n >= 4 && strings.EqualFold(s[n-3:n], "%3A"):
		n -= 3
	case n >= 2 && s[i] == '/' && s[n-2] == '/': // /c/Users, /mnt/c/Users
		for _, root := range []string{"/mnt", "/cygdrive"} {
			if at := n - 2 - len(root); strings.HasSuffix(s[:n-2], root) && isLetter(s[n-1]) && beginsPath(s, at) {
				return at
			}
		}
	default:
		return -1
	}
	if n--; !isLetter(s[n]) {
		return -1
	}
	if left := separatorBefore(s, n); left != "" && left[0] != '\\' && beginsPath(s, n-len(left)) {
		return n - len(left)
	}
	if s[n+1] == '/' || n > 0 && isWord(s[n-1]) && !escapeEnds(s, n) {
		return -1
	}
	return n
}

// rootEnds: /root is a whole name, and no page of a site or element of XML.
func rootEnds(s string, begin, end int) bool {
	if end == len(s) {
		return true
	}
	c := s[end]
	return !isWord(c) && c != '-' && c < utf8.RuneSelf && (c != '.' || end+1 == len(s) || !isWord(s[end+1])) &&
		(c != '>' || begin == 0 || s[begin-1] != '<')
}

// nameLength is how long the name of a person is, which begins at a place and ends at the separator or at the end of
// the path; 0 if there is none. A name may have spaces where the separator shows its end: in a quoted path, on Windows,
// and where each of its words begins with a capital.
func nameLength(s string, begin, i int, separator string) int {
	first := wordLength(s, i, separator)
	if first == 0 || strings.Trim(s[i:i+first], ".") == "" {
		return 0
	}
	quoted, windows, capitals := begin > 0 && isQuote(s[begin-1]), separator[0] == '\\' && separator != `\/`, true
	for end := i + first; end < len(s) && end-i <= maxName; {
		behind := end + len(separator)
		if strings.HasPrefix(s[end:], separator) && !(windows && behind < len(s) && s[behind] == '\\') ||
			quoted && capitals && s[end] == s[begin-1] {
			return end - i
		}
		next := wordLength(s, end+1, separator)
		if s[end] != ' ' || next == 0 {
			break
		}
		c, _ := utf8.DecodeRuneInString(s[end+1:])
		if capitals = capitals && (unicode.IsUpper(c) || c >= utf8.RuneSelf); !capitals && !quoted && !windows {
			break
		}
		end += 1 + next
	}
	return len(strings.TrimRight(s[i:i+first], "."))
}

// wordLength is how far a name goes without a space: letters of all scripts, digits and some signs, also as an address
// or JSON has them, or as a shell a space.
func wordLength(s string, i int, separator string) int {
	n := i
	for n < len(s) && n-i <= maxName {
		c, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case c == '%' && (strings.EqualFold(s[n:min(len(s), n+3)], "%2F") ||
			strings.EqualFold(s[n:min(len(s), n+3)], "%5C")):
			return n - i
		case c == '%' && n+2 < len(s) && isHex(s[n+1]) && isHex(s[n+2]):
		case c == '&' && (separator[0] != '\\' || separator == `\/`): // the next parameter of an address
			return n - i
		case c == '\\' && separator != `\`:
			length, r := escapeLength(s[n:])
			if strings.HasPrefix(s[n:], `\ `) {
				length = 2
			} else if length != 6 || r < utf8.RuneSelf {
				return n - i
			}
			size = length
		case c == '.' || c == '-' || c == '_' || c == '+' || c == '@' || c == '&' || unicode.IsLetter(c) ||
			unicode.IsDigit(c) || unicode.IsMark(c):
		default:
			return n - i
		}
		n += size
	}
	return n - i
}
