package transcript

import "strings"

// This file reads text files. A speaker's word is at the beginning of a line, and what the speaker said goes on to the
// next speaker.

// textReader reads a text file.
type textReader struct {
	*reader
	all    []string // lines
	speaks func(line string) (role, rest string, ok bool)
	open   openCalls
}

// text reads a file.
func (r *reader) text(file []byte) {
	t := &textReader{reader: r}
	for _, line := range r.lines(file) {
		t.all = append(t.all, strings.ToValidUTF8(string(line), "\uFFFD"))
	}
	t.speaks = generation(t.all)
	lost := false
	for i := 0; i < len(t.all); {
		role, rest, ok := t.speaks(t.all[i])
		if !ok { // only before the first speaker
			if !lost && !blank(t.all[i]) {
				t.problem(badLine, i+1, []byte(t.all[i]))
				lost = true
			}
			i++
			continue
		}
		if t.full(i+1, []byte(t.all[i])) {
			return
		}
		end := t.end(i, role)
		t.all[i] = rest
		t.Messages = append(t.Messages, Message{Line: i + 1, Role: role})
		m := &t.Messages[len(t.Messages)-1]
		if role == "assistant" {
			t.assistant(m, t.all[i:end])
		} else {
			t.open = openCalls{}
			m.say(joined(t.all[i:end]))
		}
		i = end
	}
}

// generation says how speakers are written. In one generation the words user: and assistant: are alone on their lines.
// In the other, what is said begins behind the word, and the assistant's is A: or assistant:. A file is of the first if
// it begins so and does not have A: instead.
func generation(all []string) func(string) (role, rest string, ok bool) {
	first, alone, short := "", false, false
	for _, line := range all {
		if first == "" {
			first = strings.TrimRight(line, " \t")
		}
		role, _, _ := speakerAlone(line)
		_, _, isInline := speakerInline(line)
		alone = alone || role == "assistant"
		short = short || isInline && strings.HasPrefix(line, "A:")
	}
	if _, _, ok := speakerAlone(first); ok && (alone || !short) {
		return speakerAlone
	}
	return speakerInline
}

// speakerAlone reads a line that is a speaker's word.
func speakerAlone(line string) (role, rest string, ok bool) {
	switch strings.TrimRight(line, " \t") {
	case "user:":
		return "user", "", true
	case "assistant:":
		return "assistant", "", true
	}
	return "", "", false
}

// speakerInline reads a line that begins with a speaker's word.
func speakerInline(line string) (role, rest string, ok bool) {
	word, rest, ok := strings.Cut(line, ":")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", "", false
	}
	switch word {
	case "user":
		return "user", strings.TrimLeft(rest, " \t"), true
	case "A", "assistant":
		return "assistant", strings.TrimLeft(rest, " \t"), true
	}
	return "", "", false
}

// end is the index of the line behind a message. A speaker's word in a query is text that the user wrote, if the query
// has an end.
func (t *textReader) end(i int, role string) int {
	const from, to = "<user_query>", "</user_query>"
	inside := func(i int) int {
		for j := i + 1; j < len(t.all) && !strings.Contains(t.all[j], from); j++ {
			if strings.Contains(t.all[j], to) {
				return j
			}
		}
		return i
	}
	for j := i; j < len(t.all); j++ {
		if _, _, ok := t.speaks(t.all[j]); ok && j > i {
			return j
		}
		if role == "user" && strings.Contains(t.all[j], from) && !strings.Contains(t.all[j], to) {
			j = inside(j)
		}
	}
	return len(t.all)
}

// assistant reads what the assistant said, thought and called. What belongs to a mark is indented, and ends at the next
// line that is not.
func (t *textReader) assistant(m *Message, all []string) {
	var texts, thoughts []string
	for i := 0; i < len(all); {
		what, name := marked(all[i])
		j := i + 1
		if what == "" {
			for j < len(all) {
				if next, _ := marked(all[j]); next != "" {
					break
				}
				j++
			}
			texts = appendText(texts, unmarked(joined(all[i:j])))
			i = j
			continue
		}
		for j < len(all) && (blank(all[j]) || isIndented(all[j])) {
			j++
		}
		body := dedented(trimmed(all[i+1 : j]))
		switch what {
		case thinking:
			thoughts = appendText(appendText(thoughts, name), strings.Join(body, "\n"))
		case toolCall:
			name, first := named(name)
			m.Calls = append(m.Calls, ToolCall{Name: name, Args: args(append(first, body...))})
			t.open.add(name, place{len(t.Messages) - 1, len(m.Calls) - 1})
		case toolResult:
			t.answer(&t.open, name, ptr(strings.Join(body, "\n")))
		}
		i = j
	}
	m.Text, m.Thinking = strings.Join(texts, "\n"), strings.Join(thoughts, "\n")
}

// Marks at the beginning of lines.
const (
	thinking   = "[Thinking]"
	toolCall   = "[Tool call]"
	toolResult = "[Tool result]"
)

// marked is the mark that a line begins with, and what is behind it.
func marked(line string) (what, rest string) {
	for _, what := range []string{thinking, toolCall, toolResult} {
		if rest, ok := strings.CutPrefix(line, what); ok && (rest == "" || isIndented(rest)) {
			return what, strings.TrimSpace(rest)
		}
	}
	return "", ""
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func isIndented(line string) bool { return line != "" && (line[0] == ' ' || line[0] == '\t') }

func appendText(to []string, text string) []string {
	if text == "" {
		return to
	}
	return append(to, text)
}

// trimmed are lines without blank ones at both ends.
func trimmed(all []string) []string {
	for len(all) > 0 && blank(all[0]) {
		all = all[1:]
	}
	for len(all) > 0 && blank(all[len(all)-1]) {
		all = all[:len(all)-1]
	}
	return all
}

// joined is the text of lines, without blank ones at both ends.
func joined(all []string) string { return strings.Join(trimmed(all), "\n") }

// dedented are lines without the indentation that all have which are not blank. Blank ones become empty.
func dedented(all []string) []string {
	common := -1
	for _, line := range all {
		if n := len(line) - len(strings.TrimLeft(line, " \t")); !blank(line) && (common < 0 || n < common) {
			common = n
		}
	}
	out := make([]string, len(all))
	for i, line := range all {
		if !blank(line) {
			out[i] = line[common:]
		}
	}
	return out
}
