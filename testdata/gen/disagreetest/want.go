package disagreetest

import (
	"slices"
	"strconv"
	"strings"
)

// Want is what a warehouse must hold of a chat. A field that is "" is not decided by any rule.
type Want struct {
	ID          string
	Orphan      bool
	Open        bool   // nothing says which of these messages are there: each at most once
	Kept        bool   // the document went after a load: what is left is there once, and nothing more is said of it
	Title       string // display_title; FirstPrompt: the first line of the first prompt that a person typed
	Parent      string // of a subagent
	Best        string // the parent of a try
	IsSubagent  string
	Messages    []Message
	Order       [][]string // keys of messages, each list in the order of their positions
	Missing     [2]int     // the least and the most headers without a message
	HeaderCount string
}

// FirstPrompt is the title of a chat that nobody named.
const FirstPrompt = "(first prompt)"

// Message is what a warehouse must hold of a message.
type Message struct {
	Key, ID, Origin, Role, Kind, Simulated, Listed, At, Source string
	Call                                                       *Call
}

// Call is what a warehouse must hold of a tool call.
type Call struct {
	ID, Status, Command, File, ExitCode, Started, Duration, HasResult string
	Outcomes, Errors                                                  []string // one of these
	Said                                                              string   // what each place says of it
}

// Key finds a message by what it says, whatever id and kind a warehouse gives it: by its words, else by its call, else
// by its id.
func Key(words, call, id string) string {
	switch {
	case call != "":
		return "call " + call
	case strings.TrimSpace(words) != "":
		return "said " + strings.TrimSpace(words)
	}
	return "id " + id
}

// key is that of a message of ours.
func (m *message) key() string {
	if m.call != nil {
		return Key("", m.call.id, "")
	}
	return Key(m.words, "", m.id)
}

// there tells whether a place still has a message.
func (c *Chat) there(m *message) bool { return c.has(m) || c.inGraph(m) && m.kind != "sealed" }

func (c *Chat) want() Want {
	w := Want{ID: c.ID, Orphan: !c.readable(), IsSubagent: "false", Kept: c.headless}
	w.Open = !c.readable() && !slices.ContainsFunc(c.said, func(m *message) bool { return m.row })
	switch {
	case c.readable() && c.Title == "":
		w.Title = FirstPrompt
	case c.readable() || c.Shape.Table == "head" && c.Title != "":
		w.Title = c.Title
	}
	switch {
	case c.parent == nil:
	case c.Shape.Group == "subagent":
		w.IsSubagent, w.Parent = "true", c.parent.ID
	case c.listed:
		w.Best = c.parent.ID
	}
	k := c.known()
	for _, m := range c.said {
		if c.there(m) {
			w.Messages = append(w.Messages, k.wantMessage(m))
		}
	}
	w.Order = k.order()
	w.Missing = k.missing()
	if len(k.headers) == 0 {
		w.HeaderCount = "0"
	}
	return w
}

// known is a chat with what its list of headers says.
type known struct {
	*Chat
	headers []*message        // a nil stands for a header that names nothing
	named   map[*message]bool // by a header; the message need not be there
	list    []*message        // the messages that are there and that the list of headers, or the array, names
	inList  map[*message]bool // those of list
	said    map[string]int    // how many messages have a key
}

func (c *Chat) known() *known {
	k := &known{Chat: c, headers: c.named(), list: c.list(), named: map[*message]bool{}, inList: map[*message]bool{},
		said: map[string]int{}}
	for _, m := range k.headers {
		k.named[m] = true
	}
	for _, m := range k.list {
		k.inList[m] = true
	}
	for _, m := range c.said {
		k.said[m.key()]++
	}
	return k
}

// list are the messages that the list of headers, or the array, names and that are there.
func (c *Chat) list() (all []*message) {
	if c.readable() && (c.Shape.Form == "array" || c.Shape.Form == "rows and array") {
		for _, m := range c.said {
			if m.inside {
				all = append(all, m)
			}
		}
		return all
	}
	for _, m := range c.named() {
		if m != nil && c.has(m) {
			all = append(all, m)
		}
	}
	return all
}

// isListed tells whether a message counts as listed.
func (c *known) isListed(m *message) string {
	prompt := c.prompt(m)
	switch {
	case len(c.list) == 0 || c.inList[m]:
		return "true"
	case !c.has(m):
		return "" // as the row beside it: the test looks at that
	case c.Shape.List == "holes":
		return ""
	case m.branch && c.graph() && c.Shape.Times != "all":
		return "" // nothing says where it begins
	case m.branch && c.graph() && m.turn == c.trimmed && c.trimmed > 0 && (prompt == nil || !c.has(prompt)):
		return "" // before the list begins, what follows an edited prompt that is gone could be of the turn before
	case m.turn >= c.trimmed || m.ghost:
		return "false"
	case prompt == nil || !c.there(prompt) || !m.own || !prompt.own && !c.inGraph(prompt):
		return "" // nothing says whose turn it is
	case m.kind == "sealed" && !c.has(prompt):
		return "" // nor whose this is
	case c.graph() && !m.row:
		return "" // an entry of the map is no row
	case c.graph():
		return strconv.FormatBool(c.inGraph(prompt))
	case c.Shape.List == "long":
		return strconv.FormatBool(!m.branch)
	}
	return "false"
}

func (c *known) wantMessage(m *message) Message {
	w := Message{Key: m.key(), ID: m.id, Origin: "bubble", Role: "assistant", Kind: m.kind, Listed: c.isListed(m),
		Simulated: c.simulated(m)}
	if !c.has(m) {
		w.ID, w.Origin = m.nodeID, "graph"
		if m.kind == "shell" && c.Shape.Damage == "turns" {
			w.ID = "" // its number among the turns, of which some are missing
		}
	}
	if m.user {
		w.Role = "user"
	}
	if m.kind == "sealed" {
		w.Kind = "thinking"
	}
	w.At, w.Source = c.time(m)
	if m.call != nil {
		w.Call = c.wantCall(m)
	}
	return w
}

// simulated tells whether something says that the program wrote a message.
func (c *known) simulated(m *message) string {
	said := false
	switch m.mark {
	case "bubble", "plan", "spawn":
		said = c.has(m)
	case "header":
		if said = c.named[m]; said && !c.has(m) {
			return ""
		}
	}
	return strconv.FormatBool(said || c.inGraph(m) && m.saidByGraph())
}

// time is when a message was said, and which place says so.
func (c *known) time(m *message) (at, source string) {
	ms := func(n int64) string { return strconv.FormatInt(n, 10) }
	if c.has(m) {
		if m.own {
			return ms(m.at), "message"
		}
		if c.named[m] {
			header := c.headerOf(m)
			if header["createdAt"] != nil {
				return ms(m.at), "header"
			}
			if header["startedAtMs"] != nil {
				return ms(m.call.start + 7), "header"
			}
		}
		if m.call != nil && (m.call.starts != "" || m.call.binary != "") {
			return "", ""
		}
	}
	switch {
	case !c.inGraph(m) || m.kind == "shell" || m.kind == "sealed":
		return "", ""
	case m.call != nil:
		return ms(m.call.start + 5), "graph"
	}
	return ms(m.at + 1), "graph"
}

func (c *known) wantCall(m *message) *Call {
	k, row, node := m.call, c.has(m), c.inGraph(m)
	w := &Call{ID: k.id, Outcomes: k.outcomes(row, node), ExitCode: k.exitCode(row, node), Command: "", File: ""}
	if w.Said = k.String() + "; no row"; row {
		w.Said = k.String()
	}
	if !node {
		w.Said += "; not in the graph"
	}
	for _, outcome := range w.Outcomes {
		w.Errors = append(w.Errors, isError(outcome))
	}
	if row && k.row.args != "none" || row && k.binary != "" || node {
		w.Command, w.File = k.command, k.file
	}
	if row && k.row.status != "" && k.row.status != "loading" && k.row.status != "pending" {
		w.Status = k.row.status
	}
	ended := func(end string) bool { return end != "" && end != "pending" }
	w.HasResult = strconv.FormatBool(row && (k.row.result != "none" || ended(k.binary)) || node && ended(k.node))
	start := int64(0)
	switch {
	case row && c.named[m] && k.startsIn("header"):
		start, w.Duration = k.start+7, strconv.FormatInt(k.end-k.start, 10)
	case row && (k.startsIn("bubble") || k.startsIn("additional")):
		start = k.start
	case row && k.binary != "":
		start, w.Duration = k.start+3, k.took(k.binary)
	case node:
		start, w.Duration = k.start+5, k.took(k.node)
	}
	if w.Started = null; start != 0 {
		w.Started = strconv.FormatInt(start, 10)
	}
	return w
}

// missing are the least and the most headers of which no message is there.
func (c *known) missing() [2]int {
	n, elsewhere := 0, 0
	for _, m := range c.headers {
		if m == nil || !c.has(m) {
			n++
		}
		if m != nil && !c.has(m) && c.there(m) {
			elsewhere++
		}
	}
	switch {
	case !c.graph():
		return [2]int{n, n}
	case n == elsewhere && c.Shape.List != "shuffled":
		// in another order than the graph's nothing says which header is whose
		return [2]int{0, 0}
	}
	return [2]int{0, n}
}
