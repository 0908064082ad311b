package clitest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"pipeline/testdata/gen/transcripttest"
)

// Spoken is a home with one transcript for each named shape, and some chats.
func Spoken() *Home {
	h := &Home{Editor: map[string]bool{idOf("in_an_editor"): true, idOf("child_in_an_editor"): true}}
	for n, named := range metaCases {
		if slices.Contains([]string{"modern", "acp", "nothing_said", "unknown_folder"}, named.name) {
			c := chat(named.name, n)
			named.make(c)
			c.Keep = true
			h.Chats = append(h.Chats, c)
		}
	}
	for n, c := range transcriptCases {
		t := spoken(c.name, n)
		c.make(t)
		h.Transcripts = append(h.Transcripts, t)
	}
	return h
}

// spoken is a transcript of today, with two turns.
func spoken(name string, n int) *Transcript {
	at := base + int64(n)*24*hour
	prompt := func(n int, text string) transcripttest.Item {
		at := at + int64(n)*10*minute
		return transcripttest.Item{Role: "user", Tag: tag(at, 2), TagAt: at, Query: true,
			Pieces: []transcripttest.Piece{{Text: text}}}
	}
	answer := func(pieces ...transcripttest.Piece) transcripttest.Item {
		return transcripttest.Item{Role: "assistant", Pieces: pieces}
	}
	said := func(s string) transcripttest.Piece { return transcripttest.Piece{Text: s} }
	return &Transcript{Name: name, ID: idOf(name), CWD: "/home/u/talks/" + name, Layout: "nested", Form: "jsonl",
		Keep: true, Talk: transcripttest.Talk{
			prompt(0, "Fix "+name+"."), answer(said("I look at "+name+"."),
				called("Read", "path", "/w/"+name+".go", "limit", "20")),
			answer(called("Shell", "command", "go test ./"+name)), answer(said(name + " is fixed.")),
			{Type: "turn_ended", Status: "error"}, prompt(1, "Is "+name+" done?"),
			answer(said("Yes, " + name + " is done.")), {Type: "turn_ended", Status: "success"}}}
}

// called is a call with its arguments, and a result that only text files have.
func called(name string, args ...string) transcripttest.Piece {
	c := &transcripttest.Call{Name: name, HasResult: true, Result: "Result of " + name}
	for i := 0; i < len(args); i += 2 {
		c.Args = append(c.Args, transcripttest.Arg{Key: args[i], Value: args[i+1]})
	}
	return transcripttest.Piece{Call: c}
}

// first is what the assistant answers first.
func (t *Transcript) first() *transcripttest.Item { return &t.Talk[1] }

// A spokenCase changes a transcript of today into the shape that it is named for.
type spokenCase struct {
	name string
	make func(t *Transcript)
}

var transcriptCases = []spokenCase{
	{"folder", func(*Transcript) {}},
	{"flat", func(t *Transcript) { t.Layout = "flat" }},
	{"notification", func(t *Transcript) { t.Talk[5].Notice = true }},
	{"known_project", func(t *Transcript) { t.CWD = "/home/u/work/modern" }},
	{"words_alone", func(t *Transcript) { t.Form, t.Layout = "alone", "flat" }},
	{"words_inline", func(t *Transcript) { t.Form, t.Layout = "inline", "flat" }},
	{"array", func(t *Transcript) { t.Form, t.Layout = "array", "flat" }},
	{"array_and_text", func(t *Transcript) { t.Form, t.Layout = "array", "flat" }},
	{"text_beside_array", func(t *Transcript) { t.ID, t.Form, t.Layout = idOf("array_and_text"), "alone", "flat" }},
	{"text_in_a_folder", func(t *Transcript) { t.Form = "alone" }},
	{"child", func(t *Transcript) { t.Layout, t.Parent = "child", idOf("folder") }},
	{"child_of_a_chat", func(t *Transcript) { t.Layout, t.Parent = "child", idOf("modern") }},
	{"child_with_a_chat", func(t *Transcript) { t.Layout, t.Parent, t.ID = "child", idOf("modern"), idOf("acp") }},
	{"child_in_an_editor", func(t *Transcript) { t.Layout, t.Parent = "child", idOf("in_an_editor") }},
	{"child_of_nobody", func(t *Transcript) { t.Layout, t.Parent = "child", idOf("nobody") }},
	{"chat", func(t *Transcript) { t.ID = idOf("modern") }},
	{"chat_without_a_store", func(t *Transcript) { t.ID = idOf("nothing_said") }},
	{"in_an_editor", func(*Transcript) {}},
	{"two_files", func(*Transcript) {}},
	{"two_files_text", func(t *Transcript) { t.ID, t.Form, t.Layout = idOf("two_files"), "alone", "flat" }},
	{"two_folders", func(*Transcript) {}},
	{"two_longer_folders", func(t *Transcript) {
		t.ID, t.Talk = idOf("two_folders"), append(t.Talk,
			transcripttest.Item{Role: "assistant", Pieces: []transcripttest.Piece{{Text: "More."}}})
	}},
	{"bad_lines", func(t *Transcript) { t.Bad = []string{"[]", `{"role":"user"}`, "\x00"} }},
	{"text_before_a_speaker", func(t *Transcript) { t.Form, t.Bad = "alone", []string{"Transcript of 2025"} }},
	{"cut_off", func(t *Transcript) { t.Cut = true }},
	{"nothing_but_a_bad_line", func(t *Transcript) { t.Talk, t.Cut = nil, true }},
	{"empty_file", func(t *Transcript) { t.Talk = nil }},
	{"without_tags", func(t *Transcript) {
		for i := range t.Talk {
			t.Talk[i].Tag, t.Talk[i].TagAt = "", 0
		}
	}},
	{"tag_later", func(t *Transcript) { t.Talk[0].Tag, t.Talk[0].TagAt = "", 0 }},
	{"aborted", func(t *Transcript) { t.Talk[len(t.Talk)-1].Status = "aborted" }},
	{"error_last", func(t *Transcript) {
		t.Talk[len(t.Talk)-1] =
			transcripttest.Item{Type: "error", Error: "no network"}
	}},
	{"no_end", func(t *Transcript) {
		t.Talk = slices.DeleteFunc(t.Talk, func(it transcripttest.Item) bool { return it.Role == "" })
	}},
	{"thoughts", func(t *Transcript) {
		t.first().Pieces = []transcripttest.Piece{{Thought: "Hm."}, {Text: "I look."}, {Thought: "Oh."}}
		t.Talk[3].Pieces = []transcripttest.Piece{{Thought: "Only a thought."}}
	}},
	{"nothing_in_a_message", func(t *Transcript) { t.first().Pieces = nil }},
	{"parts_of_new_types", func(t *Transcript) {
		t.first().Pieces = append(t.first().Pieces, transcripttest.Piece{Unknown: "image"})
	}},
	{"calls_of_every_name", func(t *Transcript) {
		t.first().Pieces = nil
		for _, tool := range []string{"Read", "StrReplace", "Shell", "Grep", "Glob", "Subagent", "Delete", "LS",
			"TodoWrite", "WebSearch", "CallMcpTool", "mcp_github_search", "Unheard"} {
			t.first().Pieces = append(t.first().Pieces, called(tool))
		}
		t.first().Pieces[0].Call.ID = "toolu_1"
	}},
	{"odd_texts", func(t *Transcript) {
		t.Talk[0].Pieces[0].Text = "\"quoted\" \\ \u2028 \U0001F600 a\x00b <b>it</b>"
		t.first().Pieces = append(t.first().Pieces, called("Shell", "command", "printf 'a\\n' \u2028\x00\nx"))
	}},
}

// RandomSpoken is a home with chats and transcripts that a seed gives.
func RandomSpoken(seed uint64) *Home {
	r := rand.New(rand.NewPCG(seed, 815))
	h := Random(seed)
	h.Chats, h.Editor = h.Chats[:4], map[string]bool{}
	for _, c := range h.Chats {
		c.Keep = true
	}
	for n := range 8 + r.IntN(5) {
		h.speak(r, fmt.Sprintf("spoken-%d-%d", seed, n))
	}
	return h
}

// speak adds a transcript. It may be of a chat, of a conversation in an editor, of a subagent, or of one that has a
// transcript already.
func (h *Home) speak(r *rand.Rand, name string) {
	t := &Transcript{Name: name, ID: idOf(name), CWD: "/home/u/talks/" + name,
		Layout: []string{"nested", "flat"}[r.IntN(2)], Form: []string{"jsonl", "jsonl", "alone", "inline"}[r.IntN(4)],
		Talk: talkOf(r)}
	if r.IntN(3) == 0 {
		t.CWD = h.Chats[0].CWD
	}
	if r.IntN(6) == 0 {
		t.Form, t.Layout = "array", "flat"
	}
	switch r.IntN(8) {
	case 0:
		t.ID = h.Chats[r.IntN(len(h.Chats))].ID
	case 1:
		h.Editor[t.ID] = true
	case 2:
		if t.Form == "array" {
			t.Form = "jsonl"
		}
		t.Layout, t.Parent = "child", h.Chats[r.IntN(len(h.Chats))].ID
	case 3:
		if len(h.Transcripts) > 0 {
			t.ID = h.Transcripts[r.IntN(len(h.Transcripts))].ID
		}
	}
	if t.Form == "jsonl" {
		t.Cut = r.IntN(4) == 0
		for range r.IntN(3) {
			t.Bad = append(t.Bad, []string{"null", "{", strings.Repeat("x", 50)}[r.IntN(3)])
		}
	}
	if !slices.ContainsFunc(h.Transcripts, func(o *Transcript) bool { return o.path() == t.path() }) {
		h.Transcripts = append(h.Transcripts, t)
	}
}

// talkOf is a talk. It begins with a prompt: a text file tells its generation by its beginning.
func talkOf(r *rand.Rand) transcripttest.Talk {
	talk := transcripttest.Random(r.Uint64N(1e6))
	return append(spoken("any", r.IntN(300)).Talk[:4:4], talk...)
}

// SpokenNight changes transcripts as a night of work does: a talk goes on, a file is rewritten, moved, cut off or
// removed, and a conversation comes to an editor or goes.
func (h *Home) SpokenNight(r *rand.Rand, night int) {
	h.speak(r, fmt.Sprintf("night-%d-%d", night, r.Uint64N(1e9)))
	some := func() *Transcript { return h.Transcripts[r.IntN(len(h.Transcripts))] }
	t := some()
	t.Talk = append(t.Talk[:len(t.Talk):len(t.Talk)], talkOf(r)...)
	some().Talk = talkOf(r)
	some().Cut = false
	if t = some(); t.Form == "jsonl" {
		t.Cut, t.Bad = true, append(t.Bad, "{")
	}
	if t = some(); t.Layout != "child" && t.Form != "array" {
		moved := *t
		moved.Layout = map[string]string{"flat": "nested", "nested": "flat"}[t.Layout]
		if !slices.ContainsFunc(h.Transcripts, func(o *Transcript) bool { return o.path() == moved.path() }) {
			*t = moved
		}
	}
	if id := some().ID; h.Editor[id] {
		delete(h.Editor, id)
	} else {
		h.Editor[id] = true
	}
	gone := some()
	h.Transcripts = slices.DeleteFunc(h.Transcripts, func(t *Transcript) bool { return t == gone })
}
