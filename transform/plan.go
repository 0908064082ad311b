package transform

import (
	"fmt"
	"regexp"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file reads the plans of Cursor's agent: Markdown with a head of YAML (docs/formats.md, Plans).

// planEnd is how the names of their files end.
const planEnd = ".plan.md"

// maxPlanHead is the largest head that is parsed.
const maxPlanHead = 256 << 10

// plan reads a plan. A head of which a value cannot be read is quarantined, and the rest is read.
func (a *assembly) plan(file string, o jsondoc.Value) {
	p := schema.Plan{SourceID: a.n.SourceID, PlanID: strings.TrimSuffix(file, planEnd), ReadAs: a.owner, Path: file,
		UpdatedAt: timeOf(o.Get("modifiedAt"))}
	head, body := cutHead(o.Get("text").Text())
	if strings.TrimSpace(body) != "" {
		p.Body = &body
	}
	fields, ok := parseHead(head)
	if !ok {
		a.quarantineHead(file, head)
	}
	p.Name, p.Overview = yamlText(fields["name"]), yamlText(fields["overview"])
	if is, ok := fields["isProject"].(bool); ok {
		p.IsProject = &is
	}
	todos := todosOf(fields)
	if head == "" {
		if name, boxes, ok := oldPlan(body); ok {
			p.Name, todos = text(name), boxes
		}
	}
	for _, todo := range todos {
		t := schema.PlanTodo{SourceID: a.n.SourceID, PlanID: p.PlanID, Ordinal: p.TodoCount, ReadAs: a.owner,
			TodoID: yamlText(todo["id"]), Content: yamlText(todo["content"]), Status: yamlText(todo["status"])}
		if todo["status"] == nil {
			t.Status = ptr("pending")
		}
		p.TodoCount++
		if deref(t.Status) == "completed" {
			p.CompletedTodoCount++
		}
		a.rows.PlanTodos = append(a.rows.PlanTodos, t)
	}
	a.rows.Plans = append(a.rows.Plans, p)
}

// todosOf are the tasks of a head: its own, then those of its phases.
func todosOf(fields map[string]any) (todos []map[string]any) {
	lists := []any{fields["todos"]}
	phases, _ := fields["phases"].([]any)
	for _, phase := range phases {
		phase, _ := phase.(map[string]any)
		lists = append(lists, phase["todos"])
	}
	for _, list := range lists {
		list, _ := list.([]any)
		for _, element := range list {
			if todo, ok := element.(map[string]any); ok {
				todos = append(todos, todo)
			}
		}
	}
	return todos
}

var (
	planTitle = regexp.MustCompile(`(?m)^#[ \t]+(.*?)[ \t]*$`)
	planTodos = regexp.MustCompile(`(?mi)^#+[ \t]+to-?dos[ \t]*$`)
	planBox   = regexp.MustCompile(`(?m)^[ \t]*[-*][ \t]+\[([ xX])\][ \t]+(.*?)[ \t]*$`)
)

// oldPlan reads a plan of the oldest form, which has no head: a comment with ids, a heading, and tasks as a list of
// boxes, below a heading of their own. ok is false for another text.
func oldPlan(body string) (name string, todos []map[string]any, ok bool) {
	list := body
	if at := planTodos.FindStringIndex(body); at != nil {
		list = body[at[1]:]
	} else if !strings.HasPrefix(strings.TrimSpace(body), "<!--") {
		return "", nil, false
	}
	if title := planTitle.FindStringSubmatch(body); title != nil {
		name = title[1]
	}
	for _, box := range planBox.FindAllStringSubmatch(list, -1) {
		status := "completed"
		if box[1] == " " {
			status = "pending"
		}
		todos = append(todos, map[string]any{"content": box[2], "status": status})
	}
	return name, todos, true
}

// cutHead cuts a file into its head, which is between two lines of three dashes at the beginning, and the rest.
func cutHead(text string) (head, body string) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\uFEFF")
	line, rest, _ := strings.Cut(text, "\n")
	if !isDashes(line) {
		return "", text
	}
	for at := 0; at < len(rest); {
		line, _, _ := strings.Cut(rest[at:], "\n")
		end := min(at+len(line)+1, len(rest))
		if isDashes(line) {
			return rest[:at], rest[end:]
		}
		at = end
	}
	return "", text
}

// isDashes reports whether a line begins or ends a head.
func isDashes(line string) bool { return strings.TrimRight(line, " \t") == "---" }

// parseHead reads a head: names and values. It reports false if a value, or all of it, could not be read.
func parseHead(head string) (fields map[string]any, ok bool) {
	if strings.TrimSpace(head) == "" {
		return nil, true
	}
	if len(head) > maxPlanHead {
		return nil, false
	}
	r := headReader{}
	fields, ok = r.read(strings.Split(head, "\n"), 0).(map[string]any)
	return fields, ok && !r.lost
}

// quarantineHead notes a head of which something could not be read.
func (a *assembly) quarantineHead(file, head string) {
	a.quarantine(&extract.Document{Store: extract.PlansStore, Family: extract.FamilyPlan, Key: file,
		KeyType: extract.KeyText, Type: "text", Bytes: int64(len(head)), Value: []byte(head)},
		jsondoc.ErrNotObject.Error())
}

// yamlText is a value of a head as a text; nil for none, and for a list or names.
func yamlText(v any) *string {
	switch v := v.(type) {
	case string:
		return text(v)
	case bool, int64, uint64, float64, int:
		return ptr(fmt.Sprint(v))
	}
	return nil
}
