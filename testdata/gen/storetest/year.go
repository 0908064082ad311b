package storetest

import (
	"net/url"
	"time"
)

// YearOptions say what year to plan.
type YearOptions struct {
	Seed     uint64
	Messages int       // how many messages, about; 0 means 15,000
	Until    time.Time // the day after the last one; zero: yearEnd
	Root     string    // the folder with the projects' folders: an absolute path with slashes
	WAL      bool      // as Options.WAL
}

// A Year is a year of one developer, planned: the stores of the editor, and what is beside them. There is nothing odd
// in it: what happens is what happens to everybody.
type Year struct {
	*Plan
	Plans   []YearPlan
	Commits []Commit
	Talks   []Talk // conversations of the command line

	root     string
	projects []*yearProject
	named    map[int]bool // ids that are given
	terminal bool         // the conversation that is planned is one of the command line
}

// A YearPlan is a plan of the agent, and when its file was written.
type YearPlan struct {
	PlanFile
	At int64
}

// messagesEach is how many messages a conversation has, about.
const messagesEach = 20

// NewYear plans a year. It writes nothing.
func NewYear(o YearOptions) *Year {
	if o.Messages <= 0 {
		o.Messages = 15_000
	}
	if o.Until.IsZero() {
		o.Until = yearEnd
	}
	p := &Plan{o: Options{Seed: o.Seed, Messages: o.Messages, WAL: o.WAL, NoCases: true}, r: newRNG(o.Seed, 50),
		bad: map[string]int{}, nulls: map[string]int{}, isYear: true}
	y := &Year{Plan: p, root: o.Root, projects: yearProjects(), named: map[int]bool{}}
	for _, project := range y.projects {
		path := y.root + "/" + project.name
		project.w = p.folder(p.r.hex(32), (&url.URL{Scheme: "file", Path: rooted(path)}).String(),
			"file://"+rooted(path), project.name, "local")
	}
	days := calendar(newRNG(o.Seed, 51), o.Until)
	y.beginRepositories(newRNG(o.Seed, 54), days[0].at)
	y.work(newRNG(o.Seed, 52), days, float64(o.Messages)/messagesEach)
	y.rare(newRNG(o.Seed, 53))
	y.items(days)
	p.planTail()
	p.planHeadersItem()
	return y
}

// rooted is a path as a file's URI has it: that of Windows gets a slash before its drive.
func rooted(path string) string {
	if path == "" || path[0] != '/' {
		return "/" + path
	}
	return path
}

// work plans the conversations of all days, about n of them.
func (y *Year) work(r rng, days []workday, n float64) {
	var all float64
	for _, d := range days {
		all += d.share
	}
	left := 0.0
	focus, until := y.projects[0], 0
	for i, d := range days {
		if i >= until {
			focus, until = y.projects[r.IntN(min(4, len(y.projects)))], i+r.between(14, 35)
		}
		left += d.share / all * n
		if isOff(d.at) && !r.chance(0.1) {
			continue
		}
		y.alone(r, d.at)
		k := newClock(r, d.at)
		p := y.project(r, focus)
		for left >= 1 && !k.over() {
			left--
			if r.chance(0.35) {
				p = y.project(r, focus)
			}
			if y.terminal = eraOf(k.at).style > 0 && r.chance(0.09); y.terminal {
				t := y.talk(r, p, k.at)
				y.Talks = append(y.Talks, t.spoken())
				k.pause(t.at)
				continue
			}
			t := y.talk(r, p, k.at)
			y.add(t.c)
			k.pause(t.at)
			y.commit(r, t)
		}
		left = min(left, 3)
	}
}

// add adds a conversation to the store.
func (y *Year) add(c *conversation) { y.chats = append(y.chats, c) }

// project is the one that a conversation is about: mostly that of these weeks.
func (y *Year) project(r rng, focus *yearProject) *yearProject {
	if r.chance(0.6) {
		return focus
	}
	n := 0
	for _, p := range y.projects {
		n += p.weight
	}
	n = r.IntN(n)
	for _, p := range y.projects {
		if n -= p.weight; n < 0 {
			return p
		}
	}
	return focus
}

// items plans the statistics of days, the prompts of workspaces, and the lists that name conversations.
func (y *Year) items(days []workday) {
	perDay := map[string]int{}
	for _, c := range y.chats {
		perDay[isoText(c.created.ms)[:10]] += len(c.msgs)
	}
	for _, d := range days {
		date := d.at.Format(time.DateOnly)
		n := perDay[date]
		if n == 0 {
			continue
		}
		y.days++
		y.Plan.items = append(y.Plan.items, Row{ItemTable, "aiCodeTracking.dailyStats.v1.5." + date,
			`{"date":"` + date + `","tabSuggestedLines":` + itoa(60+5*n) + `,"tabAcceptedLines":` +
				itoa((60+5*n)*(26+(7*d.at.Day()+n)%29)/100) + `,"composerSuggestedLines":` + itoa(8*n) +
				`,"composerAcceptedLines":` + itoa(8*n*(58+(11*d.at.Day()+n)%37)/100) + `}`})
	}
	for _, c := range y.chats {
		c.enlist()
		if len(c.msgs) > 0 && c.parent == nil && c.project != nil && len(c.project.typed) < 60 {
			c.project.typed = append(c.project.typed, typed{c.msgs[0].text, c.msgs[0].finish})
		}
	}
	for _, w := range y.workspaces {
		w.prompts, w.products = len(w.typed), len(w.typed)
	}
}
