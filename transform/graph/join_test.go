package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"pipeline/testdata/gen/graphtest"
	"pipeline/transform/graph"
)

// prompt and call write prompt messages.
func prompt(request, text string) []byte {
	return fmt.Appendf(nil,
		`{"role":"user","content":"<user_query>%s</user_query>","providerOptions":{"cursor":{"requestId":%q}}}`, text,
		request)
}

func call(id string) []byte {
	return fmt.Appendf(nil,
		`{"role":"assistant","content":[{"type":"tool-call","toolCallId":%q,"toolName":"Read","args":{"id":%[1]q}}]}`,
		id)
}

// TestGraphGuesses: what is guessed is guessed only where it is likely.
func TestGraphGuesses(t *testing.T) {
	t.Parallel()
	blobs := map[[32]byte][]byte{}
	read := put(blobs, node(2, node(8, node(1, node(1, []byte("/a"))))))
	user := put(blobs, node(1, []byte("third")))
	turn := put(blobs, node(1, node(1, user, 2, read, 3, []byte("r3"))))
	say := func(texts ...[]byte) (root []byte) {
		for _, b := range texts {
			root = append(root, node(1, put(blobs, b))...)
		}
		return append(root, node(8, turn)...)
	}
	ids := func(c *graph.Conversation) (all []string) {
		for _, turn := range c.Turns {
			all = append(all, turn.User.Text)
			for _, s := range turn.Steps {
				if s.Call != nil {
					all = append(all, "call "+s.Call.ID)
				}
			}
		}
		return all
	}
	for _, test := range []struct {
		what string
		root []byte
		want []string
	}{
		{"one call, one step", say(prompt("r3", "x"), call("a")), []string{"third", "call a"}},
		{"two calls, one step", say(prompt("r3", "x"), call("a"), call("b")), []string{"third", "call "}},
		{"a head", say(prompt("r1", "first"), call("a"), prompt("r2", "second"), prompt("r3", "x"), call("b")),
			[]string{"first", "call a", "second", "third", "call "}},
		{"the same prompt by its text", say(prompt("", "first"), prompt("", "third")),
			[]string{"first", "third", "call "}},
		{"a prompt behind the turns", say(prompt("r3", "x"), prompt("r4", "fourth")), []string{"third", "call "}},
		{"no prompt is that of a turn", say(prompt("r8", "x"), call("a"), call("b")), []string{"third", "call "}},
		{"as many turns as prompts", append(say(prompt("r1", "first"), prompt("r3", "x")), node(8, turn)...),
			[]string{"third", "call ", "third", "call "}},
		{"a command is no prompt", append(say(prompt("r1", "first"), prompt("r3", "x")),
			node(8, put(blobs, node(2, node(1, put(blobs, node(1, []byte("ls")))))))...),
			[]string{"first", "third", "call "}},
		{"the first turn is lost", append(node(8, make([]byte, 32)), say(prompt("r1", "first"), prompt("r3", "x"))...),
			[]string{"first", "third", "call "}},
		{"all turns are lost", node(1, put(blobs, prompt("r1", "first")), 8, make([]byte, 32)), []string{"first"}},
	} {
		c := decode(t, test.root, blobs)
		c.Turns = slices.DeleteFunc(c.Turns, func(t graph.Turn) bool { return t.Shell != nil })
		if got := ids(c); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
	timed := decode(t, append(say(), node(14, []byte{8, 5}, 14, []byte{8, 6})...), blobs)
	if timed.Turns[0].DurationMS != nil {
		t.Error("one of two timings was taken for one turn")
	}
	summary := fmt.Appendf(nil,
		`{"role":"user","content":"<user_query>what was said</user_query>","providerOptions":{"cursor":{"isSummary":true}}}`)
	result := fmt.Appendf(nil,
		`{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","experimental_content":[{"type":"text","text":"x"}]}]}`)
	compacted := decode(t, say(summary, prompt("r3", "x"), call("a"), result), blobs)
	if got := ids(compacted); !slices.Equal(got, []string{"third", "call a"}) {
		t.Errorf("a summary opened a turn: %q", got)
	}
	if got := string(compacted.Turns[0].Steps[0].Call.Result); got != `[{"type":"text","text":"x"}]` {
		t.Errorf("a result in another member: %s", got)
	}
	archive := put(blobs, node(4, put(blobs, summary)))
	if a := decode(t, node(13, archive, 11, archive), blobs).Summaries; len(a) != 1 ||
		a[0] != "<user_query>what was said</user_query>" {
		t.Errorf("a summary in a message of its own: %+v", a)
	}
	plain := decode(t, node(1, put(blobs, []byte(`{"role":"user","content":"<user_info>x</user_info>"}`)), 1,
		put(blobs, []byte(`{"role":"user","content":["hello"]}`))), blobs)
	if len(plain.Turns) != 1 || plain.Turns[0].User.Text != "hello" {
		t.Errorf("a message without tags: %+v", plain.Turns)
	}
}

// TestGraphOddities: results with two outcomes, references that are too long, a call with an empty id, and
// roots that are not inline ones.
func TestGraphOddities(t *testing.T) {
	t.Parallel()
	blobs := map[[32]byte][]byte{}
	user := put(blobs, node(1, []byte("hi")))
	two := put(blobs, node(2, node(8, node(1, empty(), 2, node(1, empty(), 2, empty())))))
	turn := put(blobs, node(1, node(1, user, 2, two)))
	c := decode(t, node(8, turn), blobs)
	if call := c.Turns[0].Steps[0].Call; call.Outcome != "" || call.Variant != 8 {
		t.Errorf("a result with two fields: %+v", call)
	}
	c = decode(t, node(8, append(slices.Clone(turn), 1), 8, turn), blobs)
	if got := reasons(c); !slices.Equal(got, []string{"bad_root"}) || len(c.Turns) != 1 {
		t.Errorf("a reference of 33 bytes: %v", got)
	}
	message := put(blobs, []byte(`{"role":"assistant","content":[{"type":"tool-call","toolName":"Read","args":{"a":"`+
		"\xff"+`"}},{"type":"tool-call","toolCallId":7}]}`))
	opens := put(blobs, prompt("r", "hi"))
	c = decode(t, node(1, opens, 1, message), blobs)
	if len(c.Turns) != 1 || len(c.Turns[0].Steps) != 2 || c.Turns[0].Steps[0].Call.Name != "Read" ||
		string(c.Turns[0].Steps[0].Call.Args) != "{\"a\":\"\uFFFD\"}" {
		t.Errorf("a call without an id: %+v", c.Turns)
	}
	for text, want := range map[string]bool{"": false, "CiA=": false, "~": true, "CgA=": true, "CgA": true,
		"0a00": true, "0A00": true, "0a": false, "no root": false, "face": false, "~CiA=": true, "~CiA": true,
		"~C!A=": false} {
		if _, ok := graph.InlineRoot(text); ok != want {
			t.Errorf("%q is an inline root: %v", text, ok)
		}
	}
}

func empty() []byte { return []byte{} }

// TestGraphOwnsItsMemory: what was decoded stays, whatever becomes of the bytes that it was decoded from.
func TestGraphOwnsItsMemory(t *testing.T) {
	t.Parallel()
	for _, c := range graphtest.Cases() {
		got := decode(t, c.Graph.Root, c.Graph.Blobs)
		before := lines(got)
		for _, b := range c.Graph.Blobs {
			clear(b)
		}
		clear(c.Graph.Root)
		if !slices.Equal(lines(got), before) {
			t.Errorf("%s has changed with the bytes of its blobs", c.Name)
		}
	}
}
