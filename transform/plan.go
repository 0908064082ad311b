package transform

import (
	"fmt"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// This file reads the plans of Cursor's agent: Markdown with a head of YAML (docs/formats.md, Plans).

// planEnd is how the names of their files end.
const planEnd = ".plan.md"

// maxPlanHead is the largest head that is parsed.
const maxPlanHead = 256 << 10

// plan reads a plan. A head that cannot be used is quarantined, and the rest is read.
func (a *assembly) plan(file string, o value) {
	p := schema.Plan{SourceID: a.n.SourceID, PlanID: strings.TrimSuffix(file, planEnd), ReadAs: a.conv.ID, Path: file, UpdatedAt: o.get("modifiedAt").time()}
	head, body := cutHead(o.get("text").text())
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
	todos, _ := fields["todos"].([]any)
	for _, element := range todos {
		todo, ok := element.(map[string]any)
		if !ok {
			continue
		}
		t := schema.PlanTodo{SourceID: a.n.SourceID, PlanID: p.PlanID, Ordinal: p.TodoCount, ReadAs: a.conv.ID, TodoID: yamlText(todo["id"]), Content: yamlText(todo["content"]), Status: yamlText(todo["status"])}
		p.TodoCount++
		if deref(t.Status) == "completed" {
			p.CompletedTodoCount++
		}
		a.rows.PlanTodos = append(a.rows.PlanTodos, t)
	}
	a.rows.Plans = append(a.rows.Plans, p)
}

// cutHead cuts a file into its head, which is between two lines of three dashes at the beginning, and the rest.
func cutHead(text string) (head, body string) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\uFEFF")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text
	}
	if after, ok := strings.CutPrefix(rest, "---\n"); ok {
		return "", after
	}
	head, body, ok = strings.Cut(rest+"\n", "\n---\n")
	if !ok {
		return "", text
	}
	return head, strings.TrimSuffix(body, "\n")
}

// parseHead reads a head: names and values. It reports false if it is none.
func parseHead(head string) (fields map[string]any, ok bool) {
	if strings.TrimSpace(head) == "" {
		return nil, true
	}
	if len(head) > maxPlanHead {
		return nil, false
	}
	fields, err := parseYAML(head)
	return fields, err == nil
}

// quarantineHead notes a head that is no YAML of names and values.
func (a *assembly) quarantineHead(file, head string) {
	a.quarantine(&extract.Document{Store: extract.PlansStore, Family: extract.FamilyPlan, Key: file, KeyType: extract.KeyText, Type: "text", Bytes: int64(len(head)), Value: []byte(head)},
		errNotObject.Error())
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
