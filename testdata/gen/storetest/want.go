package storetest

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Want is what a warehouse made of the planned directory must hold, by the data dictionary (docs/dictionary.md). It is
// made from the plan alone. "" in a text stands for NULL, as a warehouse knows no empty texts; a time is in
// milliseconds, 0 for NULL. Queries gives the same as rows to compare.
type Want struct {
	Conversations []ConversationWant // by id
	Messages      []MessageWant      // by conversation, position
	ToolCalls     []ToolCallWant
	Sessions      []PeriodWant
	Periods       []PeriodWant

	Quarantine   map[string]int // unusable rows, by reason
	NullRows     map[string]int // rows that hold nothing, by family
	Attachments  map[string]int // by kind
	Loose        int            // attachments without a message
	Checkpoints  int
	Files        int // of all checkpoints
	Edits        []EditWant
	Diffs        int
	BareDiffs    int // diffs without a conversation
	Usage        []UsageWant
	Parts        []PartWant
	Windows      int // conversations that know how full their context window is
	WindowTokens int64
	WindowLimits int64
	LineTotals   int // conversations with totals of their lines
	LinesAdded   int64
	LinesRemoved int64
	Days         int            // rows of daily_edit_stats
	Prompts      map[string]int // by kind
	Workspaces   map[string]int // by kind, "" for NULL
	Placeholders int            // toolFormerData that is no tool call
	Refused      int            // keys that are never read
	Unknown      int            // keys of no known family
}

// ConversationWant is a row of conversations.
type ConversationWant struct {
	ID, Title, Project, ProjectURI, ProjectSource string
	DisplayTitle                                  string
	Format, Status, Mode, Model, Parent           string
	ForkedFrom, BestOf                            string
	Subagent                                      bool
	Created, Updated, First, Last, LastActivity   int64
	Messages, User, Assistant, ToolCalls          int
	Missing, Unlisted                             int
	HasTokens                                     bool
	Input, Output                                 int64
	// sha256 over the texts in position order, each followed by byte 0x1f; "" without messages
	TextHash     string
	SessionStart int64 // start of its session, 0 for none
	empty        bool  // no message, and none is missing
	told         bool  // what its parent's agent told it was counted
}

// MessageWant is a row of messages.
type MessageWant struct {
	Conversation, ID  string
	Position, Turn    int
	Listed            bool
	Role, Kind, Model string
	Text, Thinking    string
	ThinkingMS        *int64
	TurnMS            int64
	Created           int64
	CreatedSource     string
	HasTokens         bool
	Input, Output     int64
	Orphan, Repeat    bool
	request           string
	real              int64
}

// ToolCallWant is a row of tool_calls.
type ToolCallWant struct {
	Conversation, Message, CallID string
	Number                        int // 0 for NULL
	Tool, Kind, Name, Status      string
	IsError, Decision, Server     string // IsError: true, false or ""
	ExitCode                      string // "" for NULL
	ServerTool                    string // "" for NULL
}

// PeriodWant is a session or a period of activity.
type PeriodWant struct {
	ProjectURI    string
	Start, End    int64
	Conversations int   // of a session, subagents apart
	Messages      int   // of a period
	latest        int64 // start of the conversations
}

// EditWant is a row of code_edits.
type EditWant struct {
	ID, Conversation, Message, Status, Accepted string
	HasLines                                    bool
	Added, Removed                              int
}

// PartWant is a row of context_parts.
type PartWant struct {
	Conversation, Part string
	Tokens             int64
}

// UsageWant is a row of model_usage.
type UsageWant struct {
	Conversation, Model string
	Cents, Requests     int64
}

// Want is what the warehouse must hold.
func (p *Plan) Want() Want {
	w := Want{Quarantine: p.bad, NullRows: p.nulls, Attachments: map[string]int{}, Prompts: map[string]int{},
		Workspaces: map[string]int{}, Days: p.days, Refused: p.refused, Unknown: p.unknown}
	for _, c := range p.chats {
		w.addConversation(c)
		w.addFamilies(c)
	}
	for _, ws := range p.workspaces {
		w.Workspaces[ws.kind]++
		if ws.prompts > 0 {
			w.Prompts["prompt"] += ws.prompts
			w.Prompts["generation"] += ws.products
		}
	}
	slices.SortFunc(w.Conversations, func(a, b ConversationWant) int { return strings.Compare(a.ID, b.ID) })
	w.forks()
	w.sessions()
	w.periods()
	return w
}

// lists reports whether a header or an array names a message.
func (c *conversation) lists() bool {
	return slices.ContainsFunc(c.msgs, func(m *message) bool { return !m.unlisted })
}

// ordered are the messages by position: the listed, then the unlisted by (own time, NULL last, id).
func (c *conversation) ordered() []*message {
	ms := c.listed()
	var rest []*message
	for _, m := range c.msgs {
		if m.unlisted {
			rest = append(rest, m)
		}
	}
	slices.SortFunc(rest, func(a, b *message) int {
		x, y := a.ownTime(), b.ownTime()
		if (x == 0) != (y == 0) {
			if x == 0 {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a.id, b.id))
	})
	return append(ms, rest...)
}

// isOrphan reports whether nothing tells where its messages belong: those of a subagent belong to a call.
func (c *conversation) isOrphan() bool { return c.orphan && c.parentBy != "call" }

func (w *Want) addConversation(c *conversation) {
	v := ConversationWant{ID: c.id, Title: c.title, ProjectSource: c.link, Format: c.format(), Status: c.status,
		Mode: c.mode, Model: auto(c.model), Subagent: c.parent != nil || c.subagent, Missing: len(c.missing),
		Created: c.created.ms, Updated: max(c.updated.ms, c.checkpoint, c.tableTime)}
	if c.isOrphan() {
		v.Status = "orphaned"
	}
	if c.parent != nil {
		v.Parent = c.parent.id
	}
	if c.bestOf != nil {
		v.BestOf = c.bestOf.id
	}
	if from := c.linked(); from != nil {
		v.ProjectURI, v.Project = from.want, from.name
	} else {
		v.ProjectSource = ""
	}
	hash := sha256.New()
	var earlier int64 // the nearest earlier real time
	for i, m := range c.ordered() {
		mw := m.want(c, &v, i)
		if mw.real != 0 {
			earlier = mw.real
		} else if mw.CreatedSource == "" && earlier != 0 {
			mw.Created, mw.CreatedSource = earlier, "previous"
		} else if fallback := cmp.Or(v.Created, v.Updated); fallback != 0 {
			mw.Created, mw.CreatedSource = fallback, "conversation"
		}
		hash.Write([]byte(mw.Text + "\x1f"))
		w.Messages = append(w.Messages, mw)
		w.addCall(c, m, &v)
	}
	if v.Messages > 0 {
		v.TextHash = hex.EncodeToString(hash.Sum(nil))
	}
	v.empty = v.Messages == 0 && v.Missing == 0
	v.DisplayTitle = c.displayTitle()
	v.LastActivity = max(v.Created, v.Updated, v.Last)
	w.Conversations = append(w.Conversations, v)
}

// want is the message at a position, without the times that it takes from others; it counts in v.
func (m *message) want(c *conversation, v *ConversationWant, position int) MessageWant {
	listed := !m.unlisted || !c.lists() // where no header names any message, all are listed
	mw := MessageWant{Conversation: c.id, ID: m.id, Position: position, Listed: listed, Role: m.role, Kind: m.kind(),
		Model: auto(m.model), Text: m.wantText(), Thinking: stored(m.thinking), Orphan: c.isOrphan(),
		request: m.request}
	v.Messages++
	switch {
	case m.role == "user" && v.Subagent && !v.told:
		v.told = true // its parent's agent wrote it
	case m.textIn == aNotice: // Cursor wrote it
	case m.role == "user":
		v.User++
	case m.role == "assistant":
		v.Assistant++
	}
	mw.Turn = v.User
	if !listed {
		v.Unlisted++
	}
	if m.thinkMS != nil && *m.thinkMS >= 0 {
		mw.ThinkingMS = m.thinkMS
	}
	if c.style >= 2 && !m.unlisted && !m.inCopy && !c.orphan && !c.override {
		mw.TurnMS = m.turnDuration()
	}
	mw.TurnMS = cmp.Or(mw.TurnMS, m.turnMS)
	if m.tokens && (m.in != 0 || m.out != 0) {
		mw.HasTokens, mw.Input, mw.Output = true, m.in, m.out
		v.HasTokens, v.Input, v.Output = true, v.Input+m.in, v.Output+m.out
	}
	if t, source := m.real(); t != 0 {
		mw.Created, mw.CreatedSource, mw.real = t, source, t
		v.Last = max(v.Last, t)
		if v.First == 0 || t < v.First {
			v.First = t
		}
	}
	return mw
}

func (w *Want) addCall(c *conversation, m *message, v *ConversationWant) {
	t := m.tool
	if t == nil {
		if m.stub {
			w.Placeholders++
		}
		return
	}
	v.ToolCalls++
	w.ToolCalls = append(w.ToolCalls, ToolCallWant{c.id, m.id, t.callID, t.number, t.want, t.kind, t.name, t.status,
		t.isError(), t.userDecision(), t.server, t.exitCode(), t.mcpTool()})
}

// format is what conversations.format must be: a composer without any message is format rows.
func (c *conversation) format() string {
	switch {
	case c.form == "chat_tab":
		return "chat_tab"
	case len(c.msgs) == 0:
		return "rows"
	case c.form == "tabs":
		return "inline"
	}
	return c.form
}

// linked is the workspace that gives the conversation its project, nil for none.
func (c *conversation) linked() *workspace {
	from := c
	if c.link == "parent" {
		from = c.parent
	}
	if from.project == nil || from.project.want == "" {
		return nil
	}
	return from.project
}

// addFamilies counts what hangs on the conversation.
func (w *Want) addFamilies(c *conversation) {
	attach := func(as []attachment, loose bool) {
		for _, a := range as {
			w.Attachments[attachmentKind(a.field)] += a.n
			if loose {
				w.Loose += a.n
			}
		}
	}
	attach(c.attach, true)
	if n := len(c.todos()); n > 0 {
		w.Attachments["todo"] += n
		w.Loose += n
	}
	for _, m := range c.msgs {
		attach(m.attach, false)
	}
	for _, x := range c.contexts {
		attach(x.attach, x.msg == nil)
	}
	for _, cp := range c.checkpoints {
		if !cp.null {
			w.Checkpoints++
			w.Files += cp.files
		}
	}
	for _, d := range c.diffs {
		w.Diffs++
		if d.bare {
			w.BareDiffs++
		}
	}
	for _, e := range c.edits {
		w.Edits = append(w.Edits, e.want(c))
	}
	if x := c.lines(); x != nil {
		w.LineTotals++
		w.LinesAdded += x.added
		w.LinesRemoved += x.removed
	}
	if x := c.window(); x != nil {
		w.Windows++
		w.WindowTokens += x.used()
		w.WindowLimits += x.limit
		for _, part := range x.parts {
			w.Parts = append(w.Parts, PartWant{c.id, part.id, part.tokens})
		}
	}
	for _, u := range c.usage {
		w.Usage = append(w.Usage, UsageWant{c.id, u.model, u.cents, u.amount})
	}
}

// want is the edit as code_edits must have it: the fates decide where there are any, and they alone know lines.
func (e edit) want(c *conversation) EditWant {
	v := EditWant{ID: e.id, Conversation: c.id}
	if e.block || e.answer {
		v.Status, v.Message = e.status, e.msg
	}
	accepted := 0
	for _, f := range e.fates {
		v.HasLines = true
		v.Added += f.added
		v.Removed += f.removed
		if f.fate == "accepted" {
			accepted++
		}
	}
	switch {
	case len(e.fates) > 0 && accepted == len(e.fates), len(e.fates) == 0 && e.status == "accepted":
		v.Accepted = "true"
	case len(e.fates) > 0 && accepted == 0, len(e.fates) == 0 && e.status == "rejected":
		v.Accepted = "false"
	}
	return v
}
