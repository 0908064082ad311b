package storetest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Long is a user directory with one conversation of very many messages. Each message is made from its number alone,
// so that none is held. Of ten messages the first is a prompt, the second a thought, four are texts and four are tool
// calls.
type Long struct {
	Messages int
	// further messages, written first, that the conversation does not list: an edited prompt left them behind
	Lost int
}

// longID is the id of that conversation.
const longID = "10a9c0de-0000-4000-8000-000000000001"

// Write makes the user directory.
func (l Long) Write(userDir string) error {
	path := globalStore(userDir)
	rows := func(yield func(Row) bool) {
		for i := -l.Lost; i < l.Messages; i++ {
			if !yield(l.row(i)) {
				return
			}
		}
		yield(l.conversation())
	}
	return writeStore(path, nothing, rows, StoreOptions{})
}

// Add writes so many messages more into the user directory, as Cursor does: rows of their own, and the conversation's
// row anew.
func (l Long) Add(userDir string, messages int) error {
	longer := Long{l.Messages + messages, l.Lost}
	var rows []Row
	for i := l.Messages; i < longer.Messages; i++ {
		rows = append(rows, longer.row(i))
	}
	rows = append(rows, longer.conversation())
	return withStore(globalStore(userDir), func(s *store) error { return s.insert(slices.Values(rows)) })
}

func globalStore(userDir string) string {
	return filepath.Join(userDir, "globalStorage", "state.vscdb")
}

// MessageID is the id of a message. Their order is not that of the messages.
func (l Long) MessageID(i int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(i)*2654435761, uint32(i))
}

// at is when a message was written. One that was left behind is of a time between two that are listed: what is before
// all of them would be the beginning of a list that was cut.
func (l Long) at(i int) int64 {
	if i < 0 {
		return l.at(-i) + 10_000
	}
	return base + int64(i)*20_000
}

// conversation is its row.
func (l Long) conversation() Row {
	var headers strings.Builder
	for i := range l.Messages {
		if i > 0 {
			headers.WriteByte(',')
		}
		fmt.Fprintf(&headers, `{"bubbleId":"%s","type":%s}`, l.MessageID(i), l.role(i))
	}
	return Row{Key: "composerData:" + longID, Value: fmt.Sprintf(
		`{"_v":10,"composerId":"%s","name":"A long conversation","status":"completed","unifiedMode":"agent","createdAt":%d,"lastUpdatedAt":%d,"fullConversationHeadersOnly":[%s]}`,
		longID, l.at(0), l.at(l.Messages), headers.String())}
}

// role is the type of a message.
func (l Long) role(i int) string {
	if i%10 == 0 {
		return "1"
	}
	return "2"
}

// row is that of a message.
func (l Long) row(i int) Row {
	r, o := newRNG(uint64(uint32(i)), 2), object{}
	o.int("_v", 2)
	o.raw("type", l.role(i))
	o.str("bubbleId", l.MessageID(i))
	o.str("createdAt", time.UnixMilli(l.at(i)).UTC().Format("2006-01-02T15:04:05.000Z"))
	switch {
	case i%10 == 0:
		o.str("text", "Prompt "+strconv.Itoa(i)+". "+r.prose(prompts, 2))
	case i%10 == 1:
		o.raw("thinking", `{"text":`+quoted(r.prose(thoughts, 3))+`}`)
		o.int("thinkingDurationMs", 1500)
	case i%2 == 0:
		o.str("text", "")
		o.raw("toolFormerData", `{"tool":15,"name":"run_terminal_cmd","toolCallId":"call_`+strconv.Itoa(i)+
			`","status":"completed","params":`+
			quoted(`{"command":`+quoted("go test ./"+r.pick(fileNames))+`}`)+`,"result":`+
			quoted(`{"output":`+quoted(r.code(300))+`}`)+`}`)
	default:
		o.str("text", "Answer "+strconv.Itoa(i)+". "+r.prose(answers, 4))
	}
	return Row{Key: "bubbleId:" + longID + ":" + l.MessageID(i), Value: o.String()}
}
