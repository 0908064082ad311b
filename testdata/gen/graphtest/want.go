package graphtest

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file says what a reader must find.

// modes are names of numbers, as the descriptors have them.
var modes = []string{"", "agent", "ask", "plan", "debug", "triage", "project"}

// Line joins names and values to a line of a truth: those without a value are left out.
func Line(what string, pairs ...string) string {
	var b strings.Builder
	b.WriteString(what)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			b.WriteString(" " + pairs[i] + "=" + pairs[i+1])
		}
	}
	return b.String()
}

// Number is a number as a line has it; "" for none.
func Number(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// Set is a number that is written only if it is not 0.
func Set(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// Want is what a reader must find, one thing a line.
func (c Chat) Want() []string {
	lines := []string{"is " + c.completeness()}
	add := func(what string, pairs ...string) { lines = append(lines, Line(what, pairs...)) }
	add("root", "mode", modes[c.Mode], "used", Set(c.Used), "max", Set(c.Max), "started", Set(c.StartedAt), "zone",
		c.TimeZone, "summary", Optional(c.Summary))
	for _, w := range c.Workspaces {
		add("workspace " + w)
	}
	if c.Used != 0 {
		for _, p := range c.Parts {
			add("part "+p.ID, "label", Quoted(p.Label), "tokens", Set(p.Tokens))
		}
	}
	for i, t := range c.Turns {
		lines = append(lines, t.want(i-c.LostTurns, i, c)...)
	}
	for _, b := range c.Branches {
		add("branch "+b[0], "name", b[1])
	}
	for _, p := range c.PlanPaths {
		add("plan "+p[0], "path", p[1])
	}
	if c.Archived > 0 && !c.NoMessages {
		add("archive", "summary", Optional(c.Summarized))
	}
	for _, s := range c.Subagents {
		add("subagent " + s.ID)
	}
	for _, r := range c.Runs {
		add("subagent " + r.Subagent)
	}
	if c.Unknown {
		lines = append(lines, "unknown state.61 1", "unknown state.62 1")
		if n := len(c.Turns); n > 0 {
			lines = append(lines, fmt.Sprintf("unknown user_message.40 %d", n))
		}
	}
	return append(lines, c.want...)
}

// completeness is what a sound graph is.
func (c Chat) completeness() string {
	if len(c.Pending) > 0 {
		return "in_progress"
	}
	if n := len(c.Turns); n > 0 {
		for _, t := range c.Turns {
			if slices.ContainsFunc(t.Steps, func(s Step) bool { return s.Kind == "bad" }) {
				return "partial"
			}
		}
		if m := len(c.Turns[n-1].Steps); m > 0 {
			s := c.Turns[n-1].Steps[m-1]
			if s.Call != nil && s.Call.NoResult && s.To == 0 && !s.Call.Unsaid {
				return "in_progress"
			}
		}
	}
	return "complete"
}

// fromMessages reports whether a turn is known from messages only.
func (c Chat) fromMessages(i int) bool { return c.NoTurns || i < c.LostTurns }

// want are the lines of a turn. place is its position in the root's list.
func (t Turn) want(place, i int, c Chat) []string {
	if c.fromMessages(i) {
		return t.wantFromMessages()
	}
	if t.Shell != nil {
		return []string{Line("turn "+strconv.Itoa(place), "shell", Quoted(t.Shell.Command), "out", Quoted(t.Shell.Out),
			"err", Quoted(t.Shell.Err), "exit", strconv.FormatInt(t.Shell.Exit, 10))}
	}
	model := t.Model
	if c.NoMessages || t.Request == "" || !t.spoke() {
		model = ""
	}
	duration := ""
	if len(c.Timings) == len(c.Turns) && len(c.Timings) > 0 {
		duration = Set(c.Timings[i][0])
	}
	lines := []string{Line("turn "+strconv.Itoa(place), "request", t.Request, "routed", t.Routed, "model", model,
		"duration", duration)}
	tagged := ""
	if t.Request != "" && !c.NoMessages {
		tagged = Set(t.User.TagAt)
	}
	lines = append(lines, Line("user", "id", t.User.ID, "text", Quoted(t.User.Text), "simulated",
		OptionalFlag(t.User.Simulated || t.User.Notice && tagged != ""), "at", Set(t.User.At), "tagged", tagged, "mode",
		"agent"))
	for _, f := range t.User.Files {
		lines = append(lines, Line("attachment file", "path", f, "text", Quoted("body of "+f)))
	}
	for n, s := range t.Steps {
		lines = append(lines, s.want(n, t, c))
	}
	return lines
}

// spoke reports whether messages have anything from the model.
func (t Turn) spoke() bool {
	for _, s := range t.Steps {
		if s.Kind != "bad" && (s.Kind != "tool" || !s.Call.Unsaid) {
			return true
		}
	}
	return false
}

// want is the line of a step.
func (s Step) want(n int, t Turn, c Chat) string {
	what, at := "step "+strconv.Itoa(n), Set(s.From)+"-"+Set(s.To)
	switch s.Kind {
	case "beside":
		return Line(what+" assistant", "text", Quoted(s.Text), "at", "-")
	case "assistant":
		return Line(what+" assistant", "text", Quoted(s.Text), "at", at)
	case "thinking":
		return Line(what+" thinking", "text", Quoted(s.Text), "at", at, "duration", Set(s.Duration))
	case "sealed":
		return Line(what+" sealed", "at", "-")
	case "bad":
		return problem("bad_node", "step", sha256.Sum256([]byte(s.Text)))
	}
	return s.Call.want(what, at, t.Model, c.NoMessages)
}

// want is the line of a call of a step.
func (c *Call) want(what, at, model string, noMessages bool) string {
	said := !c.Unsaid && !noMessages
	id := c.ID
	if c.IDIn == "none" && !said {
		id = ""
	}
	t := c.Tool
	if c.NoResult {
		t.Outcome, t.WantResult, t.Exit, t.Added, t.Removed, t.Agent = "", "", nil, nil, nil, ""
	}
	args, result, argsFrom, name, isError := t.WantArgs, t.WantResult, "variant", "", ""
	if said {
		args, argsFrom, name = c.Args, "message", c.Name
		if !c.NoResult {
			t = c.Told.On(t)
			isError = OptionalFlag(c.IsError || c.Told.Kind == "error")
			result = c.Result
		}
	} else {
		model = ""
	}
	return Line(what+" tool", "id", Optional(id), "name", name, "variant",
		t.Name+"/"+strconv.Itoa(t.Number), "args", Canonical(args), "argsfrom", argsFrom, "result", Canonical(result),
		"vargs", Canonical(t.WantArgs), "vresult", Canonical(t.WantResult), "outcome",
		t.Outcome, "iserror", isError, "exit", Number(t.Exit), "added", Number(t.Added), "removed", Number(t.Removed),
		"agent", t.Agent, "model", model, "at", at)
}

// wantFromMessages are the lines of a turn that is known from messages only.
func (t Turn) wantFromMessages() []string {
	model := ""
	if t.spoke() {
		model = t.Model
	}
	lines := []string{Line("turn -1", "request", t.Request, "model", model),
		Line("user", "text", Quoted(t.User.Text), "simulated", OptionalFlag(t.User.Notice), "tagged",
			Set(t.User.TagAt))}
	n := 0
	for _, s := range t.Steps {
		what := "step " + strconv.Itoa(n)
		switch s.Kind {
		case "assistant", "beside":
			lines = append(lines, Line(what+" assistant", "text", Quoted(s.Text), "at", "-"))
		case "thinking":
			lines = append(lines, Line(what+" thinking", "text", Quoted(s.Text), "at", "-"))
		case "sealed":
			lines = append(lines, Line(what+" sealed", "at", "-"))
		case "tool":
			if s.Call.Unsaid {
				continue
			}
			lines = append(lines, s.Call.wantFromMessage(what, t.Model))
		}
		n++
	}
	return lines
}

// wantFromMessage is the line of a call that is known from messages only.
func (c *Call) wantFromMessage(what, model string) string {
	var t Tool
	result := ""
	if !c.NoResult {
		result, t = Canonical(c.Result), c.Told.On(t)
	}
	return Line(what+" tool", "id", Quoted(c.ID), "name", c.Name, "variant", "/0", "args",
		Canonical(c.Args), "argsfrom", "message", "result", result, "outcome", t.Outcome, "iserror",
		OptionalFlag(c.IsError || c.Told.Kind == "error"), "exit", Number(t.Exit), "model", model, "at", "-")
}
