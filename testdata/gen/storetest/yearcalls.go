package storetest

import (
	"math"
	"strings"
)

// This file plans the tools that are called in a year.

// call adds a call of the first of these tools that the era has.
func (k *yearTalk) call(after int64, wants ...string) *message {
	specs := oldTools
	if k.e.modern {
		specs = newTools
	}
	for _, want := range wants {
		for _, s := range append(specs[:len(specs):len(specs)], taskTool) {
			if s.want == want && s.number != 0 {
				m := k.add("assistant", "2", "", after)
				m.tool = k.r.callOf(s)
				m.tool.exit = 0
				if m.start != 0 {
					m.start = k.at - min(after, took(s, m.seed))
				}
				return m
			}
		}
	}
	panic("storetest: no tool is called " + strings.Join(wants, " or "))
}

// durations are how long calls take, in milliseconds: most are nearer to the lower one. Tools without an entry take as
// long as the last.
var durations = map[string][2]float64{
	"run_terminal_command": {400, 60_000}, "edit_file": {700, 9_000}, "codebase_search": {500, 3_500},
	"web_search": {900, 5_000}, "mcp": {400, 7_000}, "task": {15_000, 200_000}, "read_lints": {150, 1_800},
	"create_plan": {900, 4_000}, "": {25, 450},
}

// took is how long a call took.
func took(s toolSpec, seed uint64) int64 {
	d, ok := durations[s.want]
	if !ok {
		d = durations[""]
	}
	part := float64(seed%10_000) / 10_000
	return int64(d[0] * math.Pow(d[1]/d[0], part*part))
}

// fail makes a call one that failed.
func (t *tool) fail(why string) { t.status, t.failed, t.failure = "error", true, why }

// read reads a file. Now and then there is none.
func (k *yearTalk) read(file string) {
	t := k.call(k.r.ms(2_000, 20_000), "read_file").tool
	n := k.r.between(8, 40)
	t.body = strings.Join(k.p.codeLines(k.r, k.t.symbol, n), "\n")
	if k.r.chance(0.035) {
		folder, name := "", file
		if i := strings.LastIndexByte(file, '/'); i >= 0 {
			folder, name = file[:i+1], file[i+1:]
		}
		file = folder + "legacy/" + name
		t.fail("File not found: " + file)
	}
	var o object
	o.str("targetFile", file)
	o.int("startLineOneIndexed", 1)
	o.int("endLineOneIndexedInclusive", int64(n))
	t.params = o.String()
}

// search looks for a symbol.
func (k *yearTalk) search(symbol string) {
	if k.r.chance(0.25) {
		t := k.call(k.r.ms(2_000, 9_000), "codebase_search").tool
		t.params, t.body = `{"query":`+quoted("where is "+symbol+" used")+`,"targetDirectories":[]}`,
			k.t.file+"\n"+k.t.other
		return
	}
	t := k.call(k.r.ms(1_000, 6_000), "ripgrep_search", "ripgrep_raw_search").tool
	t.params, t.body = `{"pattern":`+quoted(symbol)+`,"path":"","caseInsensitive":false}`,
		k.t.file+":12\n"+k.t.other+":40"
}

// edit changes a file, and says whether the change was kept.
func (k *yearTalk) edit(file string) (kept bool) {
	r := k.r
	m := k.call(r.ms(20_000, 230_000), "edit_file")
	t := m.tool
	for _, line := range k.p.codeLines(r, k.t.symbol, r.between(4, 22)) {
		t.lines = append(t.lines, r.pick([]string{"+", "+", "+", "-", " "})+line)
	}
	t.lines = append(t.lines, "+"+k.p.codeLines(r, k.t.symbol, 1)[0])
	t.body = strings.Join(t.lines, "\n")
	var o object
	o.str("relativeWorkspacePath", file)
	o.str("instructions", k.t.filled(k.p, "Change {symbol}: {fix}."))
	o.str("streamingContent", strings.Join(t.lines, "\n"))
	t.params = o.String()
	if r.chance(0.05) {
		t.fail("The text to replace was not found in " + file + ". Read the file again.")
		k.read(file)
		return k.edit(file)
	}
	e := edit{id: r.uuid(), msg: m.id, uri: k.p.w.want + "/" + file, block: true, status: "completed", at: m.finish}
	t.block = e.id
	added, removed := t.changed()
	switch x := r.IntN(100); {
	case x < 58:
		e.status, kept = "accepted", true
	case x < 74:
		e.status = "rejected"
	case x < 78:
		e.status = "aborted"
	default:
		kept = true // nobody pressed a button: it stays
	}
	if e.status == "rejected" && k.e.modern && r.chance(0.3) {
		t.review = "rejectAndTellWhatToDoDifferently"
	}
	if e.status != "completed" && e.status != "aborted" && r.chance(0.6) {
		e.fates = []fate{{e.status, int(added), int(removed)}}
	}
	if r.chance(0.8) {
		k.c.edits = append(k.c.edits, e)
	} else {
		t.block = ""
	}
	if kept {
		k.added, k.removed = k.added+added, k.removed+removed
		k.keep(file)
	}
	return kept
}

// run runs a command that ends with a code and prints something.
func (k *yearTalk) run(command, output string, code int, after int64) *tool {
	t := k.call(after, "run_terminal_command").tool
	var o object
	o.str("command", command)
	o.str("cwd", "")
	o.str("commandDescription", "")
	o.raw("requestedSandboxPolicy", `{"type":"TYPE_INSECURE_NONE"}`)
	t.params, t.body, t.exit = o.String(), output, code
	if output == "" {
		t.body = "(no output)"
	}
	return t
}

// tests runs the tests, which fail as long as something is broken, and now and then besides.
func (k *yearTalk) tests() (passed bool) {
	passed = k.broken == 0 && !k.r.chance(0.03)
	k.broken = max(k.broken-1, 0)
	said := outputs[k.p.language]
	if passed {
		k.run(k.p.command, k.t.filled(k.p, said[0]), 0, k.r.ms(20_000, 330_000))
		return true
	}
	k.run(k.p.command, k.t.filled(k.p, said[1]), 1, k.r.ms(20_000, 330_000))
	return false
}

// command runs another command.
func (k *yearTalk) command() {
	c := commands[k.r.IntN(len(commands))]
	out, code := c.good, 0
	if k.r.chance(0.09) {
		out, code = c.bad, c.code
	}
	t := k.run(k.t.filled(k.p, c.command), k.t.filled(k.p, out), code, k.r.ms(1_500, 20_000))
	switch x := k.r.IntN(100); {
	case x < 4 && k.e.modern:
		t.review, t.answer, t.refused = "skip", `{"rejected":true}`, true
	case x < 6:
		t.status = "cancelled"
	}
}

// ticket asks a server of MCP. Servers are down now and then.
func (k *yearTalk) ticket() {
	t := k.call(k.r.ms(2_000, 12_000), "mcp").tool
	n := itoa(k.r.between(100, 940))
	tools := [][3]string{{"linear", "get_issue", "TIDE-" + n}, {"linear", "list_issues", "mine"},
		{"github", "get_pull_request", n}, {"sentry", "find_errors", k.t.symbol},
		{"postgres", "query", "SELECT count(*) FROM stations"}}
	if !k.e.modern {
		tools = tools[2:3]
	}
	x := tools[k.r.IntN(len(tools))]
	t.server, t.name = x[0], "mcp-"+x[0]+"-"+x[1]
	if !k.e.modern {
		t.name = "mcp_" + x[0] + "_" + x[1]
	}
	t.params = `{"tools":[{"name":"` + x[1] + `","parameters":` + quoted(`{"id":"`+x[2]+`"}`) + `,"serverName":"` +
		x[0] + `"}]}`
	t.body = x[2] + ": " + k.t.bug
	if k.r.chance(map[string]float64{"sentry": 0.22, "linear": 0.07, "postgres": 0.1}[x[0]] + 0.02) {
		t.fail("MCP server " + x[0] + " did not answer within 30 s")
	}
}

// web looks something up.
func (k *yearTalk) web() {
	t := k.call(k.r.ms(3_000, 15_000), "web_search").tool
	t.params, t.body = `{"searchTerm":`+quoted(k.t.area+" "+k.p.language+" best practice")+`}`,
		"3 results about "+k.t.area
	if k.r.chance(0.08) {
		t.fail("The search did not answer: 429 Too Many Requests")
	}
}

// lint reads what the editor has to say of a file.
func (k *yearTalk) lint(file string) {
	if !k.e.modern {
		return
	}
	t := k.call(k.r.ms(800, 4_000), "read_lints").tool
	t.params, t.body = `{"paths":[`+quoted(file)+`]}`, "No linter errors found."
}

// todos writes the list of tasks.
func (k *yearTalk) todos() {
	if !k.e.modern {
		return
	}
	k.todoList()
	t := k.call(k.r.ms(2_000, 7_000), "todo_write").tool
	var items []string
	for _, x := range k.c.told.todos {
		items = append(items, `{"id":`+quoted(x.id)+`,"content":`+quoted(x.content)+`,"status":`+quoted(x.status)+`}`)
	}
	t.params, t.body = `{"todos":`+list(items)+`,"merge":false}`, itoa(len(items))+" tasks"
}
