package redact

import (
	"regexp"
	"slices"
	"strings"
)

// This file takes login names out of texts. A login may be any word, so it is taken out only if a home folder has told
// that it is one, and only where nothing but a login stands: ~ stands for it there, too.

// People are those whose login names are taken out of texts, beside what Text takes out. nil is nobody. Several
// goroutines may use it.
type People struct {
	logins  []string
	encoded []string // as they are in names of folders that Cursor and others make of a path
	homes   []string // folders that are homes wherever they are, in all ways to write them
}

// leastLogin is how many characters a login has: shorter ones are words and parts of words.
const leastLogin = 4

// shared are homes of no person: machines come with them.
var shared = map[string]bool{
	"admin": true, "administrator": true, "public": true, "shared": true, "default": true, "guest": true, "user": true,
	"users": true, "home": true, "test": true, "node": true, "ubuntu": true, "debian": true, "ec2-user": true,
	"runner": true, "vscode": true, "codespace": true, "docker": true, "jenkins": true, "vagrant": true,
	"postgres": true, "linuxbrew": true, "runneradmin": true, "containeruser": true,
}

// NewPeople makes People of those whose home folders are in texts such as paths. More folders may be said to be homes,
// such as that of who runs the program.
func NewPeople(texts []string, homes ...string) *People {
	p := &People{}
	for _, home := range homes {
		p.addHome(home)
	}
	for _, text := range texts {
		for _, f := range Find(text) {
			if f.Rule == Home {
				p.add(text[f.Start:f.End])
			}
		}
	}
	return p
}

// leastHome is how long the path of a home is: a shorter one is a part of many.
const leastHome = 5

// addHome adds a folder in all ways to write it.
func (p *People) addHome(home string) {
	home = strings.TrimRight(home, `/\`)
	if len(home) < leastHome || strings.Count(home, "/")+strings.Count(home, `\`) == 0 ||
		slices.Contains(p.homes, home) {
		return
	}
	p.add(home)
	for _, separator := range []string{"/", `\/`, `\\/`, "%2F", "%2f", `\`, `\\`, `\\\\`} {
		p.homes = append(p.homes, strings.NewReplacer("/", separator, `\`, separator).Replace(home))
	}
	if slug := strings.Trim(notInSlug.ReplaceAllString(home, "-"), "-"); strings.Contains(slug, "-") {
		p.homes = append(p.homes, slug)
	}
}

// notInSlug is what names of folders that are made of a path have a hyphen for.
var notInSlug = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// loginName is what a login may be.
var loginName = regexp.MustCompile(`^[A-Za-z_][\w.-]{3,31}$`)

func (p *People) add(home string) {
	name := home[strings.LastIndexAny(home, `/\`)+1:]
	if n := max(strings.LastIndex(strings.ToUpper(name), "%2F"),
		strings.LastIndex(strings.ToUpper(name), "%5C")); n >= 0 {
		name = name[n+3:]
	}
	if len(name) < leastLogin || !loginName.MatchString(name) || shared[strings.ToLower(name)] {
		return
	}
	for _, login := range []string{name, strings.ToLower(name)} {
		if !slices.Contains(p.logins, login) {
			p.logins = append(p.logins, login)
		}
		if slug := strings.NewReplacer(".", "-", "_", "-").Replace(login); !slices.Contains(p.encoded, slug) {
			p.encoded = append(p.encoded, slug)
		}
	}
}

// Text is Text without the logins of these people.
func (p *People) Text(s string) string {
	out, _ := redact(s, p)
	return out
}

// Find is what Text replaces, in order; no two overlap.
func (p *People) Find(s string) []Found { return find(s, p) }

// around is how much of a text is looked at before and behind a login.
const around = 96

// find adds the logins in a text.
func (p *People) find(s string, found []finding) []finding {
	if p == nil {
		return found
	}
	for _, home := range p.homes {
		eachWord(s, home, func(start, end int) {
			inPath := start > 0 && (s[start-1] == '.' || s[start-1] == '/') && !strings.HasSuffix(s[:start], "://")
			if isSlug := home[0] != '/' && isWord(home[0]); !inPath || isSlug {
				if isSlug && start > 0 && s[start-1] == '-' {
					start--
				}
				found = append(found, finding{rule: Home, start: start, end: end})
			}
		})
	}
	for _, login := range p.logins {
		eachWord(s, login, func(start, end int) {
			if standsAlone(s, start, end) {
				found = append(found, finding{rule: Home, start: start, end: end})
			}
		})
	}
	for _, slug := range p.encoded {
		eachWord(s, slug, func(start, end int) {
			if begin := slugBegins(s, start, end); begin >= 0 {
				found = append(found, finding{rule: Home, start: begin, end: end})
			}
		})
	}
	return found
}

// eachWord calls hit for each place where a word stands that no letter, digit or underscore goes on.
func eachWord(s, word string, hit func(start, end int)) {
	for from := 0; ; {
		n := strings.Index(s[from:], word)
		if n < 0 {
			return
		}
		start, end := from+n, from+n+len(word)
		from = end
		if (start == 0 || !isWord(s[start-1]) || escapeEnds(s, start) || afterColour(s, start)) &&
			(end == len(s) || !isWord(s[end])) {
			hit(start, end)
		}
	}
}

// These are what is before a login, and behind it.
var (
	// ls -l, and its group
	beforeOwner = regexp.MustCompile(
		`(?:^|[^\w-]|\\[nrt])[-dlbcpsD][-rwxsStT]{9}[.+@]?\s+\d+\s+(?:[\w.+-]+\s+|~\s+)?$`)
	beforeID      = regexp.MustCompile(`(?:uid=|gid=|groups=|,)\d+\($`)
	beforeSetting = regexp.MustCompile(
		`\b(?:USER|LOGNAME|USERNAME|SUDO_USER)=["']?$|\b(?:sudo -u|su -|su|ssh -l|User)\s+$|\bchown(?:\s+-\w+)*\s+(?:[\w.~-]+:)?$`)
	// a prompt, or where ssh goes: an address for mail has a dot
	behindMachine = regexp.MustCompile(
		`^@(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*:[^\s\\]|[A-Za-z0-9-]+(?:[^\w.@-]|\.?$|\.[^\w]))`)
	behindProcess = regexp.MustCompile(`^\s+\d+\s+\d+\.\d+\s+\d+\.\d+\s`)
)

// standsAlone says whether nothing but a login can stand at a place.
func standsAlone(s string, start, end int) bool {
	before, behind := s[max(0, start-around):start], s[end:min(len(s), end+around)]
	spaced := behind == "" || isSpace(behind[0])
	switch last := before[max(0, len(before)-1):]; {
	case strings.HasPrefix(behind, "@"):
		return behindMachine.MatchString(behind) && (last == "" || !strings.Contains("./+-", last))
	case last == "(":
		return strings.HasPrefix(behind, ")") && beforeID.MatchString(before)
	case spaced && (last == "" || last == "\n" || escapeEnds(s, start)) && behindProcess.MatchString(behind):
		return true
	case last == "" || isWord(last[0]):
		return false
	case spaced && isSpace(last[0]) && beforeOwner.MatchString(before):
		return true
	}
	return (spaced || isQuote(behind[0]) || strings.IndexByte(`:;,)\`, behind[0]) >= 0) &&
		beforeSetting.MatchString(before)
}

// slugHome is what is before the login in a name that is made of a path: -home-alice-src, C--Users-alice-src,
// home-alice-src.
var slugHome = regexp.MustCompile(
	`(?:[A-Za-z]-{1,2}|-)?(?:(?:var|usr|export|data|run-host|System-Volumes-Data|(?:Volumes|mnt)-\w+)-)?(?:homes?|[Uu]sers)-$`)

// slugBegins is where such a name begins; -1 if there is none.
func slugBegins(s string, start, end int) int {
	if start == 0 || s[start-1] != '-' {
		return -1
	}
	from := max(0, start-around)
	at := slugHome.FindStringIndex(s[from:start])
	if at == nil {
		return -1
	}
	begin := from + at[0]
	if isLetter(s[begin]) && s[begin+1] == '-' && begin > 0 && (isWord(s[begin-1]) || backslashes(s, begin)%2 == 1) {
		// it is no drive, but the end of a word or of an escape
		begin++
	}
	if begin > 0 && (isWord(s[begin-1]) || s[begin-1] == '~') && !escapeEnds(s, begin) ||
		end+1 < len(s) && s[end] == '.' && isWord(s[end+1]) {
		return -1
	}
	return begin
}

// Part is what Text makes of a part of a text, from one byte to another. What is to be replaced is found in the whole
// text; its mark stands in each part that has some of it.
func (p *People) Part(s string, from, to int) string {
	_, found := redact(s, p)
	var out strings.Builder
	at := from
	for _, f := range found {
		if f.end <= from || f.start >= to {
			continue
		}
		if f.start > at {
			out.WriteString(s[at:f.start])
		}
		out.WriteString(f.mark())
		at = min(f.end, to)
	}
	out.WriteString(s[at:to])
	return out.String()
}
