package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file plans how conversations go, by what they are for.

// A script is a purpose of conversations. Weights are shares among them.
type script struct {
	purpose string
	weight  int
	title   string
	play    func(*yearTalk)
}

// scripts is filled by init, as scripts name functions that use it.
var scripts = []script{
	{"fix", 32, "{bug}", (*yearTalk).playFix},
	{"wish", 26, "{wish}", (*yearTalk).playWish},
	{"test", 10, "Tests of the {area}", (*yearTalk).playTest},
	{"tidy", 8, "Tidy {symbol}", (*yearTalk).playTidy},
	{"explain", 9, "{Area}: how it works", (*yearTalk).playExplain},
	{"review", 6, "Review of the {area}", (*yearTalk).playReview},
	{"plan", 5, "Plan: {wish}", (*yearTalk).playPlan},
	{"chore", 6, "", (*yearTalk).playChore},
}

// named are the purposes whose first conversation has an id that documents can name: de300001 and so on.
var named = []string{"fix", "explain"}

// chores are the titles of conversations about the project as a whole, in the order of their texts.
var chores = []string{"CI is red on main", "Upgrade the dependencies", "Release notes of the week",
	"Faster image build", "Warnings of the linter"}

// talk plans a conversation of a project: what it is about, and how it goes.
func (y *Year) talk(r rng, p *yearProject, at int64) *yearTalk {
	n := 0
	for _, s := range scripts {
		n += s.weight
	}
	n = r.IntN(n)
	var s script
	for _, s = range scripts {
		if n -= s.weight; n < 0 {
			break
		}
	}
	t := p.topics[r.IntN(len(p.topics))]
	for range 6 { // what was done least comes first
		if other := p.topics[r.IntN(len(p.topics))]; p.used[s.purpose+other.area] < p.used[s.purpose+t.area] {
			t = other
		}
	}
	title, asked := p.title(r, s, t)
	k := y.begin(r, p, t, title, at)
	k.asked = asked
	if n := slices.Index(named, s.purpose) + 1; n > 0 && !y.named[n] {
		y.named[n] = true
		k.c.id = fmt.Sprintf("de3%05d-0000-4000-8000-%012d", n, n)
	}
	s.play(k)
	k.finish()
	return k
}

// title is the title of a conversation about a topic, and what is asked in it, "" for one of the texts of its purpose.
// Work that is done again is named so.
func (p *yearProject) title(r rng, s script, t *topic) (title, asked string) {
	title = t.filled(p, s.title)
	again := p.used[s.purpose+t.area]
	p.used[s.purpose+t.area]++
	others := variants[s.purpose]
	switch {
	case s.purpose == "chore":
		return chores[r.IntN(len(chores))], ""
	case again == 0:
		return title, ""
	case again <= len(others):
		v := others[(again+len(t.area))%len(others)]
		return t.filled(p, v[0]), t.filled(p, v[1])
	case others != nil:
		return []string{"Follow-up: ", "Again: ", "Loose ends: "}[again%3] + title, ""
	}
	return title + []string{", part two", ", once more", ", the rest"}[(again-1)%3], ""
}

// first is what the first prompt asks.
func (k *yearTalk) first(purpose string) string {
	return cmp.Or(k.asked, k.text(purpose))
}

// last is what the model says when that is done.
func (k *yearTalk) last(purpose string) string {
	if k.asked != "" {
		purpose += "2"
	}
	return k.text(purpose)
}

func (k *yearTalk) playFix() {
	k.ask(k.first("fix"))
	k.think()
	if k.r.chance(0.3) {
		k.ticket()
	}
	k.say(k.text("look"))
	k.search(k.t.symbol)
	k.read(k.t.file)
	if k.r.chance(0.6) {
		k.read(k.t.other)
	}
	k.think()
	if k.r.chance(0.32) {
		k.broken = 1
		k.tests()
	}
	k.change()
	k.say(k.last("found"))
	if k.r.chance(0.07) {
		k.loop()
	}
	k.goOn(k.r.between(0, 4))
}

func (k *yearTalk) playWish() {
	if k.e.modern && !k.y.terminal && k.r.chance(0.17) {
		k.explored()
	} else {
		k.ask(k.first("wish"))
		k.think()
	}
	if k.r.chance(0.25) {
		k.ticket()
	}
	if k.r.chance(0.35) {
		k.todos()
	}
	if k.r.chance(0.28) {
		k.web()
	}
	k.search(k.t.symbol)
	k.read(k.t.other)
	k.read(k.t.file)
	k.change()
	if k.r.chance(0.6) {
		k.edit(k.t.other)
		k.lint(k.t.other)
	}
	k.say(k.last("built"))
	k.goOn(k.r.between(1, 6))
}

func (k *yearTalk) playTest() {
	k.ask(k.text("test"))
	k.read(k.t.file)
	k.read(k.p.testFile(k.t.file))
	k.edit(k.p.testFile(k.t.file))
	k.untilPassed(k.p.testFile(k.t.file))
	k.say(k.text("tested"))
	k.goOn(k.r.between(0, 3))
}

func (k *yearTalk) playTidy() {
	k.ask(k.text("tidy"))
	k.think()
	k.read(k.t.file)
	k.search(k.t.symbol)
	k.edit(k.t.file)
	k.edit(k.t.other)
	k.untilPassed(k.t.file)
	k.say(k.text("tidied"))
	k.goOn(k.r.between(0, 3))
}

func (k *yearTalk) playExplain() {
	k.c.mode = "chat"
	asked := k.r.Perm(len(yearTexts["explain"]))
	k.ask(k.t.filled(k.p, yearTexts["explain"][asked[0]]))
	k.search(k.t.symbol)
	k.read(k.t.file)
	k.read(k.t.other)
	k.think()
	k.say(k.t.filled(k.p, yearTexts["explained"][asked[0]]))
	for _, i := range asked[1:k.r.between(1, 3)] {
		k.ask(k.t.filled(k.p, yearTexts["explain"][i]))
		k.read(k.t.other)
		k.say(k.t.filled(k.p, yearTexts["explained"][i]))
	}
}

func (k *yearTalk) playReview() {
	k.ask(k.text("review"))
	k.run("git diff main --stat", k.t.file+" | 31 ++++++++++-----", 0, 3_000)
	k.read(k.t.file)
	k.think()
	k.say(k.text("reviewed"))
	k.goOn(k.r.between(0, 2))
}

func (k *yearTalk) playChore() {
	for i, title := range chores {
		if title == k.c.title {
			k.ask(yearTexts["chore"][i])
			k.think()
			k.command()
			k.tests()
			k.command()
			if k.r.chance(0.4) {
				k.edit(k.t.file)
			}
			k.tests()
			k.say(yearTexts["chored"][i])
		}
	}
	k.goOn(k.r.between(0, 2))
}

// playPlan makes a plan, which is built in the next turn if the era has plans.
func (k *yearTalk) playPlan() {
	k.ask(k.text("plan"))
	k.search(k.t.symbol)
	k.read(k.t.file)
	k.think()
	if k.e.modern {
		k.c.mode = "plan"
		k.todoList()
		k.plan()
	}
	k.say(k.t.filled(k.p, "The plan has three steps: {fix}, test {test}, then update `{other}`. Shall I build it?"))
	k.ask("Build it.")
	k.change()
	k.say(k.text("built"))
	k.goOn(k.r.between(0, 3))
}

// change changes the topic's file until the tests pass. Where the user rejects it, the model is told why and tries
// again.
func (k *yearTalk) change() {
	if !k.edit(k.t.file) && k.r.chance(0.5) {
		k.say(k.text("done"))
		k.ask(k.text("no"))
		k.think()
		k.edit(k.t.file)
	}
	k.lint(k.t.file)
	if k.r.chance(0.11) {
		k.broken = 1
	}
	k.untilPassed(k.t.file)
}

// untilPassed runs the tests, and changes a file for each time that they fail.
func (k *yearTalk) untilPassed(file string) {
	for range 3 {
		if k.tests() {
			return
		}
		k.say(k.text("failed"))
		k.edit(file)
	}
}

// loop is a developer who says again and again that it does not work.
func (k *yearTalk) loop() {
	for _, text := range yearTexts["again"] {
		k.ask(k.t.filled(k.p, text))
		k.broken = 1
		k.tests()
		k.edit(k.t.file)
		k.say(k.text("failed"))
	}
	k.untilPassed(k.t.file)
	k.say(k.text("found"))
}

// goOn adds n turns, what a developer asks for when the first thing is done. Nothing is asked for twice.
func (k *yearTalk) goOn(n int) {
	for _, i := range k.r.Perm(len(nextTurns))[:n] {
		next := nextTurns[i]
		k.ask(k.t.filled(k.p, next.asks))
		if k.r.chance(0.02) {
			k.add("assistant", "2", "", 4_000).err = true
			continue
		}
		k.answer(next.does)
		k.say(k.t.filled(k.p, next.says))
	}
}

// answer does what a turn asks for.
func (k *yearTalk) answer(does string) {
	switch does {
	case "test":
		k.edit(k.p.testFile(k.t.file))
		k.untilPassed(k.p.testFile(k.t.file))
		return
	case "run":
		k.untilPassed(k.t.file)
		return
	case "words":
		if k.r.chance(0.4) {
			k.command()
		}
		return
	}
	file := k.t.file
	if does == "there" {
		file = k.t.other
	}
	if k.r.chance(0.5) {
		k.think()
	}
	k.read(file)
	k.edit(file)
	if k.r.chance(0.3) {
		k.command()
	}
	if k.r.chance(0.5) {
		k.tests()
	}
}

// explored begins with a subagent that looks around.
func (k *yearTalk) explored() {
	k.ask(k.first("wish"))
	m := k.call(k.r.ms(3_000, 8_000), "task")
	s := k.y.begin(newRNG(m.seed, 40), k.p, k.t, "Explore the "+k.t.area, k.at)
	s.c.parent, s.c.parentBy, s.c.link, s.c.model = k.c, "info", "parent", k.c.model
	text := k.t.filled(k.p, "Find every use of {symbol} in {project}, and how {other} handles {test}.")
	s.ask(text)
	s.search(k.t.symbol)
	for range s.r.between(2, 5) {
		s.read(s.r.pick([]string{k.t.file, k.t.other, k.p.testFile(k.t.file)}))
	}
	s.say(k.t.filled(k.p, "{symbol} is used in {other} only. {test}: not handled."))
	s.finish()
	s.c.title, s.c.titleIn, s.c.tableTime, s.c.status = "Explore the "+k.t.area, "", 0, "completed"
	m.tool.subagent = s.c.id
	m.tool.params = `{"description":` + quoted(s.c.title) + `,"prompt":` + quoted(text) + `,"subagentType":"explore"}`
	m.tool.body = s.c.msgs[len(s.c.msgs)-1].text
	k.at = s.at
	k.y.add(s.c)
}

// plan makes a plan of the agent, which is a file of its own too.
func (k *yearTalk) plan() {
	t := k.call(k.r.ms(8_000, 30_000), "create_plan").tool
	body := k.t.filled(k.p, "# {Wish}\n\n{Area} in `{file}`: {how}.\n\n1. {fix}\n2. Test {test}\n3. Update `{other}`\n")
	name := strings.ToLower(strings.Join(strings.FieldsFunc(k.t.wish,
		func(c rune) bool { return c == ' ' || c == ',' || c == '.' || c == '-' }), "_")) + "_" + k.r.hex(8)
	text := "---\nname: " + quoted(k.t.wish) + "\noverview: " + quoted(k.t.filled(k.p, "{how} ({project})")) +
		"\ntodos:\n"
	var todos [][]string
	for i, x := range k.c.told.todos {
		text += "  - id: step-" + x.id + "\n    content: " + quoted(x.content) + "\n    status: " + x.status + "\n"
		todos = append(todos, []string{name, itoa(i), "step-" + x.id, x.content, x.status})
	}
	k.y.Plans = append(k.y.Plans,
		YearPlan{PlanFile{Case: name, Name: name + ".plan.md", Text: text + "isProject: false\n---\n\n" + body,
			Todos: todos}, k.at})
	t.params, t.body = `{"name":`+quoted(k.t.wish)+`,"plan":`+quoted(body)+`}`, "The plan is in "+name+".plan.md"
}
