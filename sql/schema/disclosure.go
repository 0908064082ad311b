package schema

import "regexp"

// Disclosure says what a column tells of a person's work, for those who pass rows on.
type Disclosure int

const (
	// Texts are paths, addresses, and what people, models and programs write. A column of text without another
	// declaration has them.
	Texts Disclosure = iota
	// Figures are numbers, times and ids.
	Figures
	// Words are those of which the format has a list: models, tools, statuses. A store may have anything there; IsWord
	// says whether it is one.
	Words
	// Projects are names and places of projects.
	Projects
)

// IsShared reports whether a table's rows may be passed on to other machines.
func (t Table) IsShared() bool { return t.Scope != Internal && !t.Is(Private) }

// word is what a word of a list looks like; a kind of usage has up to four with capitals, such as Errored, No Charge.
var word = regexp.MustCompile(`^[A-Za-z0-9_.(][A-Za-z0-9_.:+/()\[\]*-]{0,63}(,? ([A-Z][A-Za-z-]{1,15}|in)){0,3}$`)

// ownTool begins the name of a tool that a user's own server has: it names the server.
var ownTool = regexp.MustCompile(`^(?i)mcp[_-]`)

// IsWord reports whether a value of a column of Words is one, and no text.
func IsWord(value string) bool {
	return value == "" || word.MatchString(value) && !ownTool.MatchString(value)
}
