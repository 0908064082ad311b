package storetest

import (
	"regexp"
	"strings"
)

// opening finds the first line of a text that is not blank, and no more than 80 characters of it.
var opening = regexp.MustCompile(`^\s*(\S[^\r\n]{0,79})`)

// displayTitle is what conversations.display_title must be; "" for NULL.
func (c *conversation) displayTitle() string {
	if strings.TrimSpace(c.title) != "" {
		return c.title
	}
	for _, m := range c.ordered() {
		if m.role != "user" {
			continue
		}
		if found := opening.FindStringSubmatch(m.wantText()); found != nil {
			return strings.TrimRight(found[1], " \t") // no text of a plan is cut at a space
		}
	}
	return ""
}

// titleCases are about conversations without a title, and about those without a message.
var titleCases = []namedCase{
	{name: "blank_composer", plan: func(b *caseBuilder) {
		c := b.chat()
		c.title, c.status = "", "none"
		b.expect(composer(c, "json_extract(value, '$.isDraft') IS NOT 1"), 1,
			"SELECT (SELECT count(*) FROM live_conversations WHERE conversation_id = "+sqlText(c.id)+
				") || (SELECT count(*) FROM list_conversations(max_rows := 1000000) WHERE id = "+sqlText(c.id)+
				") || (SELECT count(session_id) FROM conversations WHERE conversation_id = "+sqlText(c.id)+")", "100")
	}},
	{name: "untitled", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.title = ""
		c.msgs[0].text = "\n \t\r\n  Größe: " + strings.Repeat("ä日", 60) + "\nThe second line"
		b.expect(bubble(c, c.msgs[0], "instr(value, 'Gr')"), 1, ofConversation(c, "display_title"),
			"Größe: "+strings.Repeat("ä日", 36)+"ä")
	}},
	{name: "untitled_without_text", bubble: "1", conversation: "coalesce(display_title, 'NULL')", want: "NULL",
		plan: func(b *caseBuilder) {
			b.c.title = ""
			b.c.msgs[0].text = ""
		}},
}
