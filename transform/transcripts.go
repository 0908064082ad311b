package transform

import (
	"bytes"
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
	"pipeline/transform/transcript"
)

// This file makes rows of the agent's transcripts (docs/formats.md, Transcripts in a warehouse). A transcript is a
// conversation only where no store has it, or the store of its chat says nothing: no message of it can be read. Else it
// is one more place of the conversation.

// What a conversation out of a transcript is.
const (
	formatTranscript = "transcript"
	storeTranscript  = "transcript"
	originTranscript = "transcript"
	lossy            = "lossy"
)

// parsed is what a transcript says.
func parsed(d *extract.Document) *transcript.Transcript {
	return transcript.Parse(d.Value, formOf(d), transcript.Limits{})
}

func formOf(d *extract.Document) transcript.Form {
	switch path.Ext(d.Key) {
	case ".txt":
		return transcript.Text
	case ".json":
		return transcript.Array
	}
	return transcript.JSONL
}

// saysAnything: a line of the transcript can be read. One that was cut to nothing, or overwritten with zeros, is no
// shorter conversation.
func saysAnything(d *extract.Document) bool {
	if _, _, ok := extract.LocateTranscript(d.Key); !ok {
		return true
	}
	said := parsed(d)
	return len(said.Messages)+len(said.Ends) > 0 || len(said.Problems) == 0 && len(d.Value) > 0
}

// saysAnything: a turn or a call of the graph can be read.
func (g *agent) saysAnything() bool {
	return g.graph != nil && len(g.graph.Turns)+len(g.graph.Pending) > 0
}

// readTranscripts reads the transcripts of the conversation.
func (a *assembly) readTranscripts() {
	s := &a.agent.said
	whatSays := map[*extract.Document]*transcript.Transcript{}
	for _, d := range s.files {
		if d.Problem == "" {
			whatSays[d] = parsed(d)
		}
	}
	slices.SortFunc(s.files, func(x, y *extract.Document) int {
		return cmp.Or(cmp.Compare(rank(whatSays[y], y), rank(whatSays[x], x)), cmp.Compare(y.Bytes, x.Bytes),
			strings.Compare(x.Key, y.Key))
	})
	isOwn := !a.conv.Elsewhere &&
		(extract.IsTranscript(a.conv.Store) || extract.IsChatStore(a.conv.Store) && !a.agent.saysAnything())
	for _, d := range s.files {
		_, parent, ok := extract.LocateTranscript(d.Key)
		if !ok {
			continue
		}
		place := schema.ConversationSource{SourceID: a.n.SourceID, ConversationID: a.conv.ID,
			StoreKind: storeTranscript, Path: d.Key}
		if d.Problem != "" {
			if isOwn {
				a.quarantine(d, d.Problem)
			}
			s.places = append(s.places, place)
			continue
		}
		said := whatSays[d]
		var calls int64
		for i := range said.Messages {
			calls += int64(len(said.Messages[i].Calls))
		}
		place.MessageCount, place.ToolCallCount = ptr(int64(len(said.Messages)+len(failures(said)))), ptr(calls)
		if isOwn {
			s.parent = cmp.Or(s.parent, parent)
		}
		if place.IsPrimary = isOwn && s.own == nil; place.IsPrimary {
			s.own = said
			place.ProjectPath = a.trustedProject().Path
			a.quarantineLines(d)
			a.takeMessages()
			a.censusTranscript(d)
			a.fields.lookInParts(extract.FamilyTranscript, said.UnknownTypes, unknownType)
		}
		s.places = append(s.places, place)
	}
}

// rank is how much a transcript is worth, of several: the conversation's rows are made of the one with most, and of
// equal ones of the largest. It has a message; JSONL says more than an array, and that more than text, but not where it
// can be read in part: it may be cut off. said is nil for one that cannot be read.
func rank(said *transcript.Transcript, d *extract.Document) (n int) {
	if said == nil {
		return 0
	}
	if len(said.Messages) > 0 {
		n += 3
	}
	switch form := formOf(d); {
	case form == transcript.JSONL:
		n += 2
	case form == transcript.Array && len(said.Problems) == 0:
		n++
	}
	return n + 1
}

// quarantineLines puts lines that cannot be used into quarantine.
func (a *assembly) quarantineLines(d *extract.Document) {
	for _, p := range a.agent.said.own.Problems {
		line := *d
		line.Key, line.Value, line.Bytes = d.Key+"#"+strconv.Itoa(p.Line), []byte(p.Begin), int64(len(p.Begin))
		a.quarantine(&line, p.Reason)
	}
}

// failures are the ends of turns that name an error. An end right behind an error that says the same is no other one.
func failures(said *transcript.Transcript) (all []transcript.End) {
	for i, end := range said.Ends {
		again := i > 0 && said.Ends[i-1].Line == end.Line-1 && said.Ends[i-1].Error == end.Error
		if end.Error != "" && !again {
			all = append(all, end)
		}
	}
	return all
}

// takeMessages adds the messages of the transcript, and the errors that it names, in the order of their lines.
func (a *assembly) takeMessages() {
	said := a.agent.said.own
	failed := failures(said)
	failedBefore := func(line int) {
		for len(failed) > 0 && failed[0].Line < line {
			a.takeSpoken(failureBody(&failed[0]), nil)
			failed = failed[1:]
		}
	}
	for i := range said.Messages {
		m := &said.Messages[i]
		failedBefore(m.Line)
		a.takeSpoken(spokenBody(m), m.TaggedAt)
	}
	failedBefore(math.MaxInt)
}

// takeSpoken adds a message of the transcript behind those that are there. tagged is its time in milliseconds, nil for
// none.
func (a *assembly) takeSpoken(b *body, tagged *int64) {
	s := newPendingMessage(b)
	s.from = inTranscript
	if at := plausibleTime(tagged); at != nil {
		s.graph = &graphTimes{tagged: at}
	}
	a.pending[b.id] = s
	a.inline = append(a.inline, b.id)
	a.allCalls += int64(len(b.calls))
	a.mcpNamed(b)
}

// failureBody is an error that ended a turn, or that a turn met.
func failureBody(end *transcript.End) *body {
	b := &body{id: transcript.Message{Line: end.Line}.ID(), ownRole: true}
	b.message.MessageID, b.message.Origin, b.message.Role, b.message.Kind = b.id, ptr(originTranscript), "assistant",
		kindError
	if v := parsedOrNone([]byte(end.Error)); v.IsObject() {
		b.message.ErrorCode, b.message.Error = messageError(v)
	}
	if b.message.ErrorCode == nil && b.message.Error == nil {
		b.message.Error = text(end.Error)
	}
	return b
}

// spokenBody is a message of a transcript.
func spokenBody(m *transcript.Message) *body {
	b := &body{id: m.ID(), ownRole: true}
	row := &b.message
	row.MessageID, row.Origin, row.Role = b.id, ptr(originTranscript), m.Role
	if m.Role != "user" && m.Role != "assistant" {
		row.Role = "unknown"
	}
	row.Text, row.Thinking, row.IsSimulated = text(m.Text), text(m.Thinking), m.Notice
	for i := range m.Calls {
		call := spokenCall(&m.Calls[i])
		call.MessageID, call.CallIndex = b.id, int64(i)
		b.calls = append(b.calls, call)
	}
	return b
}

// spokenCall is a tool call of a transcript. How it ended is recorded only with a result that says it.
func spokenCall(c *transcript.ToolCall) (call schema.ToolCall) {
	raw := parsedOrNone(c.Args)
	if call.RawArgs = text(string(c.Args)); raw.IsString() { // a patch, for example
		call.RawArgs = raw.Str()
	}
	called, raw, server := dynamic(c.Name, raw)
	tool := graphTool(called)
	call.ToolCallID, call.Name, call.Tool, call.ToolKind = text(c.ID), text(c.Name), text(tool), kindByName(tool)
	if c.IsError != nil {
		call.Status = ptr("success")
		if *c.IsError {
			call.Status = ptr("error")
		}
	}
	if c.Result != nil {
		call.Result, call.ResultBytes = graphResult([]byte(*c.Result))
		call.ResultOrigin = ptr(originTranscript)
	}
	if call.ToolKind == "mcp" {
		graphServer(&call, jsondoc.Value{}, raw.Unquoted().Object(), server)
	}
	readArguments(&call, jsondoc.Value{}, raw)
	conclude(&call)
	return call
}

// spokenRow is the row of a conversation that only a transcript has. Nothing says when the file was written: a copy of
// it is newer than what was said.
func (a *assembly) spokenRow() schema.Conversation {
	s := &a.agent.said
	row := schema.Conversation{SourceID: a.n.SourceID, ConversationID: a.conv.ID}
	for i := range s.own.Messages {
		if row.CreatedAt = plausibleTime(s.own.Messages[i].TaggedAt); row.CreatedAt != nil {
			break
		}
	}
	row.Status = text(lastEnd(s.own))
	if deref(row.Status) == "success" {
		row.Status = ptr("completed")
	}
	if s.parent != "" {
		a.claim(a.conv.ID, 0, &s.parent)
	}
	return row
}

// lastEnd is how the last turn that says it ended: its end is a line, or a part of a message.
func lastEnd(said *transcript.Transcript) (status string) {
	line := 0
	for _, m := range said.Messages {
		if m.Ended != "" {
			line, status = m.Line, m.Ended
		}
	}
	for _, end := range said.Ends {
		if end.Status != "" && end.Line > line {
			line, status = end.Line, end.Status
		}
	}
	return status
}

// censusTranscript counts the lines of a transcript, or the elements of an array, and what became of them. In a text
// file a message has several lines: there, and in an array with something bad or bytes that are no UTF-8, messages are
// counted.
func (a *assembly) censusTranscript(d *extract.Document) {
	said := a.agent.said.own
	n := a.census.of(origins[inTranscript])
	bad := int64(len(said.Problems)) + said.MoreProblems
	n.Quarantined += bad
	failed := int64(len(failures(said)))
	n.Skipped += int64(len(said.Ends)) - failed + said.ResultLines
	for name, times := range said.UnknownTypes {
		if strings.HasPrefix(name, "line.") {
			n.Skipped += times
		}
	}
	accounted := int64(len(said.Messages)) + failed + n.Quarantined + n.Skipped
	if formOf(d) == transcript.Array && bad == 0 {
		if array := parsedOrNone(bytes.TrimPrefix(d.Value, []byte("\uFEFF"))); array.IsArray() {
			n.Seen += array.Length()
			return
		}
	}
	if formOf(d) != transcript.JSONL || slices.ContainsFunc(said.Problems,
		func(p transcript.Problem) bool { return p.Reason == extract.ProblemTooLarge }) ||
		said.UnknownTypes["(other)"] > 0 {
		n.Seen += accounted // nothing else says how many there are
		return
	}
	for line := range bytes.Lines(bytes.TrimPrefix(d.Value, []byte("\uFEFF"))) {
		if len(bytes.TrimSpace(line)) > 0 {
			n.Seen++
		}
	}
}
