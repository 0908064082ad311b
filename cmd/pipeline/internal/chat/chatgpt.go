package chat

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// This file writes a conversation as ChatGPT's data export has it: an element of the array that is conversations.json.
// The messages are the nodes of a tree, each with its parent and its children, and current_node is the last message of
// the branch that is shown. The tree has a root without a message. Cursor does not record where an edited prompt left
// messages behind, so each other branch begins at the root. Thinking is a message of its own, before the text that it
// led to. That export has no form for the calls of other tools, so calls are part of the text.

// ChatGPTFile is the name that the file has in the export, and that programs look for.
const ChatGPTFile = "conversations.json"

// WriteChatGPT writes a conversation as an object in one line, message by message, and returns the number of its nodes
// that have a message. It writes nothing if there are none.
func WriteChatGPT(ctx context.Context, w io.Writer, c *Conversation, omitted *Omitted) (int, error) {
	g := &chatGPTWriter{w: w, conversation: &c.Conversation, omitted: omitted, waiting: map[string]*chatGPTNode{}, taken: map[string]bool{}}
	for i := range c.Places {
		g.taken[c.Places[i].MessageID] = true
	}
	g.root.ID = g.free("root")
	err := c.messages(ctx, func(_, m *reader.MessageRows) error { return g.add(m) })
	if err == nil {
		err = g.close()
	}
	return g.written, err
}

type chatGPTNode struct {
	ID       string          `json:"id"`
	Message  *chatGPTMessage `json:"message"`
	Parent   *string         `json:"parent"`
	Children []string        `json:"children"`
}

type chatGPTMessage struct {
	ID         string          `json:"id"`
	Author     chatGPTAuthor   `json:"author"`
	CreateTime *float64        `json:"create_time"`
	UpdateTime *float64        `json:"update_time"`
	Content    any             `json:"content"`
	Status     string          `json:"status"`
	EndTurn    *bool           `json:"end_turn"` // null for a message of the user
	Weight     float64         `json:"weight"`
	Metadata   chatGPTMetadata `json:"metadata"`
	Recipient  string          `json:"recipient"`
	Channel    *string         `json:"channel"`
}

type chatGPTAuthor struct {
	Role     string   `json:"role"`
	Name     *string  `json:"name"` // tells a prompt of the program from those of the user
	Metadata struct{} `json:"metadata"`
}

type chatGPTMetadata struct {
	Model       string              `json:"model_slug,omitempty"`
	Attachments []chatGPTAttachment `json:"attachments,omitempty"`
}

type chatGPTAttachment struct {
	Name string `json:"name"`
}

type chatGPTText struct {
	Type  string   `json:"content_type"`
	Parts []string `json:"parts"`
}

type chatGPTThoughts struct {
	Type     string           `json:"content_type"`
	Thoughts []chatGPTThought `json:"thoughts"`
	Source   string           `json:"source_analysis_msg_id"`
}

type chatGPTThought struct {
	Summary  string   `json:"summary"`
	Content  string   `json:"content"`
	Chunks   []string `json:"chunks"`
	Finished bool     `json:"finished"`
}

// A chatGPTWriter writes the nodes of a conversation. A node names its children, so the writer holds back the last node
// of each branch until it has the next one. The root comes last.
type chatGPTWriter struct {
	w            io.Writer
	conversation *schema.Conversation
	omitted      *Omitted
	taken        map[string]bool // the ids of messages and of nodes
	root         chatGPTNode
	branches     []string // those that have a node
	waiting      map[string]*chatGPTNode
	written      int
	piece        bytes.Buffer
}

// free makes an id that no message has, and no other node.
func (g *chatGPTWriter) free(id string) string {
	for g.taken[id] {
		id += "_"
	}
	g.taken[id] = true
	return id
}

// add adds the nodes of a message, if the format can hold it.
func (g *chatGPTWriter) add(m *reader.MessageRows) error {
	thinking, text := strings.TrimSpace(term.OrEmpty(m.Thinking)), chatGPTBody(m)
	switch {
	case m.Role != "user" && m.Role != "assistant":
		g.omitted.UnknownRole++
		return nil
	case thinking == "" && text == "":
		g.omitted.Empty++
		return nil
	case thinking != "":
		id := m.MessageID
		if text != "" {
			id = g.free("thoughts-" + id)
		}
		thought := chatGPTThought{Content: thinking, Chunks: []string{}, Finished: true}
		if err := g.next(m, id, chatGPTThoughts{"thoughts", []chatGPTThought{thought}, m.MessageID}); err != nil || text == "" {
			return err
		}
	}
	return g.next(m, m.MessageID, chatGPTText{"text", []string{text}})
}

// next adds a node to the end of its branch, and writes the node before it.
func (g *chatGPTWriter) next(m *reader.MessageRows, id string, content any) error {
	message := &chatGPTMessage{ID: id, Author: chatGPTAuthor{Role: m.Role}, CreateTime: seconds(m.CreatedAt), Content: content, Status: "finished_successfully", Weight: 1, Recipient: "all"}
	if isProgram(&m.Message) {
		name := program
		message.Author.Name = &name
	}
	message.Metadata.Model = term.OrEmpty(m.Model)
	for _, a := range m.Attachments {
		if name := cmp.Or(term.OrEmpty(a.Path), term.OrEmpty(a.URI)); name != "" {
			message.Metadata.Attachments = append(message.Metadata.Attachments, chatGPTAttachment{name})
		}
	}
	node, before := &chatGPTNode{ID: id, Message: message, Parent: &g.root.ID, Children: []string{}}, g.waiting[m.Branch]
	g.waiting[m.Branch] = node
	if before == nil {
		g.branches = append(g.branches, m.Branch)
		g.root.Children = append(g.root.Children, id)
		return nil
	}
	parent := before.ID // a pointer into the node before would hold all nodes before it
	node.Parent, before.Children = &parent, []string{id}
	return g.write(before, m.Role == "user")
}

// write writes a node with a message. ends says whether the turn of the assistant ends with it.
func (g *chatGPTWriter) write(node *chatGPTNode, ends bool) error {
	if node.Message.Author.Role == "assistant" {
		node.Message.EndTurn = &ends
	}
	if g.written == 0 {
		if err := g.open(); err != nil {
			return err
		}
	}
	g.written++
	if err := g.member(node); err != nil {
		return err
	}
	g.piece.WriteByte(',') // the root follows
	_, err := g.piece.WriteTo(g.w)
	return err
}

// member writes a node as a member of the mapping.
func (g *chatGPTWriter) member(node *chatGPTNode) error {
	if err := term.AppendJSON(&g.piece, node.ID); err != nil {
		return err
	}
	g.piece.WriteByte(':')
	return term.AppendJSON(&g.piece, node)
}

// open writes what comes before the mapping.
func (g *chatGPTWriter) open() error {
	h := g.conversation
	head := struct {
		Title      string   `json:"title"`
		CreateTime *float64 `json:"create_time"`
		UpdateTime *float64 `json:"update_time"`
	}{Title(h.DisplayTitle), seconds(cmp.Or(h.CreatedAt, h.FirstMessageAt)), seconds(cmp.Or(h.LastActivityAt, h.UpdatedAt))}
	if err := term.AppendJSON(&g.piece, head); err != nil {
		return err
	}
	g.piece.Truncate(g.piece.Len() - 1) // drop the closing brace: more members follow
	g.piece.WriteString(`,"mapping":{`)
	return nil
}

// close writes the last node of each branch, the root, and what comes after the mapping.
func (g *chatGPTWriter) close() error {
	if len(g.branches) == 0 {
		return nil
	}
	for _, branch := range g.branches {
		if err := g.write(g.waiting[branch], true); err != nil {
			return err
		}
	}
	current := g.waiting[reader.BranchActive]
	if current == nil {
		current = g.waiting[g.branches[0]]
	}
	if err := g.member(&g.root); err != nil {
		return err
	}
	h := g.conversation
	g.piece.WriteString("},")
	tail := bytes.Buffer{}
	if err := term.AppendJSON(&tail, struct {
		Moderation  []string `json:"moderation_results"`
		CurrentNode string   `json:"current_node"`
		ID          string   `json:"conversation_id"`
		Archived    bool     `json:"is_archived"`
		Model       *string  `json:"default_model_slug"`
		SameID      string   `json:"id"`
	}{[]string{}, current.ID, h.ConversationID, h.IsArchived != nil && *h.IsArchived, h.Model, h.ConversationID}); err != nil {
		return err
	}
	g.piece.Write(tail.Bytes()[1:]) // without its opening brace
	_, err := g.piece.WriteTo(g.w)
	return err
}

// chatGPTBody is the text of a message, with its tool calls and its error; "" if there is nothing.
func chatGPTBody(m *reader.MessageRows) string {
	var blocks []string
	switch {
	case m.Kind == "shell":
		if text := shellText(&m.Message); text != nil {
			blocks = append(blocks, *text)
		}
	case hasText(m):
		blocks = append(blocks, *m.Text)
	}
	for i := range m.ToolCalls {
		blocks = append(blocks, chatGPTCall(&m.ToolCalls[i]))
	}
	if problem := errorOf(&m.Message); problem != "" {
		blocks = append(blocks, "Error: "+problem)
	}
	return strings.Join(blocks, "\n\n")
}

// chatGPTCall is a tool call as Markdown: a line, then its error, its parameters and its result, whole.
func chatGPTCall(call *schema.ToolCall) string {
	shown := *call
	shown.ToolCallID = nil // a number for programs, in a text for people
	blocks := []string{markdownCall(&shown, false)}
	for _, part := range callDetails(&shown) {
		blocks = append(blocks, strings.ToUpper(part.name[:1])+part.name[1:]+":\n\n"+fenced(part.body))
	}
	return strings.Join(blocks, "\n\n")
}

// seconds is a time as that export has it, in seconds since 1970; nil if it is unknown.
func seconds(t *schema.Millis) *float64 {
	if t == nil {
		return nil
	}
	s := float64(*t) / 1000
	return &s
}
