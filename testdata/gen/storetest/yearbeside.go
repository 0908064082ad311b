package storetest

import (
	"slices"
	"strings"
	"time"
)

// This file plans what a year leaves beside the editor's stores: commits, and conversations of the command line.

// A Commit is a commit of a project's repository.
type Commit struct {
	Project, Author, Email, Message string
	At                              int64             // ms
	Files                           map[string]string // texts of the files that it changes, by path
	Conversation                    string            // that led to it; "" for none
}

// commit plans what a conversation leads to: half of those that changed something to a commit of its files, some
// minutes later. Now and then a colleague commits.
func (y *Year) commit(r rng, k *yearTalk) {
	if len(k.edited) > 0 && r.chance(0.55) {
		c := Commit{Project: k.p.name, Author: "Mira Holm", Email: "mira@example.org", Message: k.text("commit"),
			At: k.at + r.ms(2, 14)*60_000, Conversation: k.c.id}
		c.Files = k.p.changed(r, k.t.symbol, k.edited...)
		y.Commits = append(y.Commits, c)
	}
	if t := k.p.topics[r.IntN(len(k.p.topics))]; r.chance(0.12) {
		y.Commits = append(y.Commits, Commit{Project: k.p.name, Author: "Jonas Berg", Email: "jonas@example.org",
			Message: t.filled(k.p, r.pick(yearTexts["commit"])), At: k.at + r.ms(15, 50)*60_000,
			Files: k.p.changed(r, t.symbol, t.file)})
	}
}

// alone plans a commit that no conversation led to, on some days.
func (y *Year) alone(r rng, day time.Time) {
	if !r.chance(0.22) {
		return
	}
	p := y.project(r, y.projects[0])
	t := p.topics[r.IntN(len(p.topics))]
	path := []string{t.file, t.other, "README.md"}[r.IntN(3)]
	y.Commits = append(y.Commits, Commit{Project: p.name, Author: "Mira Holm", Email: "mira@example.org",
		Message: t.filled(p,
			r.pick([]string{"Bump version", "Fix a typo in {other}", "Tidy {symbol}", "Update the README"})),
		At: day.UnixMilli() + r.ms(330, 1200)*60_000, Files: p.changed(r, t.symbol, path)})
}

// beginRepositories plans the first commit of each project, some months before the year: it has the files of all
// topics.
func (y *Year) beginRepositories(r rng, first time.Time) {
	for _, p := range y.projects {
		c := Commit{Project: p.name, Author: "Mira Holm", Email: "mira@example.org", Message: "Begin " + p.name,
			At: first.AddDate(0, -r.between(2, 9), 0).UnixMilli() + 9*3600_000, Files: map[string]string{}}
		for _, t := range p.topics {
			for _, path := range []string{t.file, t.other} {
				if p.files[path] == nil {
					p.files[path] = p.codeLines(r, t.symbol, r.between(40, 160))
					c.Files[path] = strings.Join(p.files[path], "\n") + "\n"
				}
			}
		}
		y.Commits = append(y.Commits, c)
	}
}

// changed changes some files of the repository, and returns their texts.
func (p *yearProject) changed(r rng, symbol string, paths ...string) map[string]string {
	texts := map[string]string{}
	for _, path := range paths {
		lines := p.files[path]
		if n := len(lines); n > 8 {
			lines = slices.Delete(slices.Clone(lines), n-r.between(1, 6), n)
		}
		p.files[path] = append(lines, p.codeLines(r, symbol, r.between(6, 26))...)
		texts[path] = strings.Join(p.files[path], "\n") + "\n"
	}
	return texts
}

// A Talk is a conversation of the command line.
type Talk struct {
	ID, Title, Project, Folder, Model string
	Turns                             []TalkTurn
}

// A TalkTurn is a prompt with what came of it.
type TalkTurn struct {
	Request, ID, Text string
	At                int64
	Steps             []TalkStep
}

// A TalkStep is one thing that the agent did: it thought, said something, or called a tool.
type TalkStep struct {
	Kind           string // thinking, assistant, read, edit, shell or other
	Text           string
	At             int64
	Call           string
	Path           string // of a file that is read or edited
	Added, Removed int64
	Command        string
	Exit           int64
}

// spoken is the conversation as the command line keeps it.
func (k *yearTalk) spoken() Talk {
	t := Talk{ID: k.c.id, Title: k.c.title, Project: k.p.name, Folder: k.y.root + "/" + k.p.name, Model: *k.c.model}
	for _, m := range k.c.msgs {
		if m.role == "user" {
			t.Turns = append(t.Turns, TalkTurn{Request: m.request, ID: m.id, Text: m.text, At: m.finish})
			continue
		}
		turn := &t.Turns[len(t.Turns)-1]
		s := TalkStep{Kind: "assistant", Text: m.text, At: m.finish}
		switch {
		case m.tool != nil:
			s = m.tool.step(m.finish)
		case m.thinking != "":
			s.Kind, s.Text = "thinking", m.thinking
		}
		if s.Text != "" || s.Call != "" {
			turn.Steps = append(turn.Steps, s)
		}
	}
	return t
}

// step is a call as the command line keeps it.
func (t *tool) step(at int64) TalkStep {
	s := TalkStep{At: at, Call: t.callID, Text: t.body, Kind: "other"}
	switch {
	case t.want == "read_file":
		s.Kind, s.Path = "read", jsonField(t.params, "targetFile")
	case t.want == "edit_file":
		s.Kind, s.Path = "edit", jsonField(t.params, "relativeWorkspacePath")
		s.Added, s.Removed = t.changed()
	case t.kind == "shell":
		s.Kind, s.Command, s.Exit = "shell", jsonField(t.params, "command"), int64(t.exit)
	}
	return s
}

// jsonField is a text of an object that this package wrote, without escapes in it.
func jsonField(document, name string) string {
	_, rest, _ := strings.Cut(document, quoted(name)+`:"`)
	return before(rest, `"`)
}
