package graph_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/transform/graph"
)

// s is a text as bytes.
func s(text string) []byte { return []byte(text) }

// n is a field with a number below 128.
func n(field, value byte) []byte { return []byte{field << 3, value} }

// TestGraphFacts: facts that only some graphs have, written by their field numbers.
func TestGraphFacts(t *testing.T) {
	t.Parallel()
	blobs := map[[32]byte][]byte{}
	context := slices.Concat(
		node(1, node(1, make([]byte, 32), 2, s("u"), 3, s("/i.png"), 7, s("image/png"))), node(2, s("not read")),
		node(9, node(1, s("https://x"), 5, s("x.pdf"))), node(10, node(1, node(1, s("/r.mdc"), 2, s("rule")))),
		node(12, node(1, s("/review"), 2, s("do it"))), node(21, node(2, s("https://pr"), 3, s("PR"))),
		node(14, node(1, s("button"), 2, s("//b"), 3, s("Save"))), node(15, node(1, s("undefined"), 3, s("error"))),
		node(23, node(2, s("u"), 3, s("/v.mp4"), 10, s("v.mp4"))),
		node(24, node(1, s("b"), 2, s("http://l"), 3, s("T"))),
		node(25, node(8, s("%PDF"), 3, s("a.pdf"), 4, s("application/pdf"))),
		node(26, node(1, s("/s/SKILL.md"), 2, s("body"), 3, s("does it"))), node(27, s("not read")))
	user := put(blobs, slices.Concat(node(1, s("hi"), 3, context, 27, s("agent-1")), n(5, 1), n(9, 3), n(4, 9)))
	short := put(blobs, node(2, node(34, node(1, make([]byte, 32), 3, node(2, node(1, s("too long")))), 57, s("t1"))))
	content := put(blobs, s("from a blob"))
	read := put(blobs, node(2, node(8, node(1, node(1, s("/a")), 2, node(1, node(10, content))))))
	none := put(blobs, node(2, node(57, s("t2"))))
	empty := put(blobs, node(1, []byte{}))
	turn := put(blobs, node(1, node(1, user, 2, short, 2, read, 2, none, 2, empty)))
	todo := put(blobs, slices.Concat(node(1, s("a"), 6, s("b"), 6, s("c")), n(3, 7), n(5, 100)))
	root := slices.Concat(node(8, turn, 3, todo),
		node(30,
			node(1, s("call"), 2, slices.Concat(node(2, s("sub"), 5, s("T"), 6, s("D"), 7, s("/t"), 8, s("/o")),
				n(4, 5)))), node(16, node(1, s("a"), 2, node(8, s("bc-2")))), node(4, s("no JSON")), n(10, 77))
	c := decode(t, root, blobs)
	for what, pair := range map[string][2]any{
		"attachments": {c.Turns[0].User.Attachments,
			[]graph.Attachment{{"image", "/i.png", "image/png", ""}, {"link", "https://x", "x.pdf", ""},
				{"rule", "/r.mdc", "", "rule"}, {"command", "", "/review", "do it"},
				{"pull_request", "https://pr", "PR", ""}, {"ui_element", "", "button", "Save"},
				{"console_log", "", "", "undefined"}, {"video", "/v.mp4", "v.mp4", ""},
				{"browser", "http://l", "T", ""}, {"document", "", "a.pdf", ""}, {"skill", "/s/SKILL.md", "", "body"}}},
		"subagents": {c.Subagents, []string{"a", "sub"}},
		"mode":      {c.Mode, "77"}, "mode of a prompt": {c.Turns[0].User.Mode, "9"},
		"problems": {reasons(c), []string{"blob_missing", "bad_node"}}, "how complete": {c.Completeness, "partial"},
	} {
		if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
			t.Errorf("%s: want (-) and got (+) differ:\n%s", what, diff)
		}
	}
	steps := c.Turns[0].Steps
	if len(steps) != 4 || steps[0].Call.Error != "too long" || steps[0].Call.Outcome != "error" ||
		steps[0].Call.ID != "t1" || string(steps[1].Call.Result) != `{"content":"from a blob"}` ||
		steps[2].Call.ID != "t2" || steps[2].Call.Variant != 0 ||
		steps[3].Kind != "assistant" || steps[3].Text != "" {
		t.Errorf("steps %+v", steps)
	}
}

// TestGraphValues: arguments of mcp in every form, and those of a tool whose fields are not known.
func TestGraphValues(t *testing.T) {
	t.Parallel()
	nan := append([]byte{2<<3 | 1}, 1, 0, 0, 0, 0, 0, 0xf8, 0x7f)
	half := append([]byte{2<<3 | 1}, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f)
	args := []byte{}
	for _, pair := range [][2][]byte{{s("nan"), nan}, {s("half"), half}, {s("json"), s(`{"a":[1]}`)},
		{s("text"), s("\x00\xff?")}, {s("no"), n(4, 0)}, {s("empty"), {}}} {
		args = append(args, node(2, node(1, pair[0], 2, pair[1]))...)
	}
	blobs := map[[32]byte][]byte{}
	user := put(blobs, node(1, s("hi")))
	guessed := slices.Concat(node(1, s("a")), node(1, s("b")), node(1, []byte{0xff, 0xfe}), n(2, 5), n(2, 6),
		node(3, node(4, s("deep"))), []byte{5<<3 | 5, 1, 0, 0, 0})
	turn := put(blobs,
		node(1, node(1, user, 2, put(blobs, node(2, node(15, node(1, args)))), 2,
			put(blobs, node(2, node(4, node(1, guessed)))), 2,
			put(blobs, node(2, node(9, node(1, slices.Concat(node(77, s("x")), n(2, 1)))))))))
	c := decode(t, node(8, turn), blobs)
	var got []string
	for _, step := range c.Turns[0].Steps {
		got = append(got, string(step.Call.Args))
	}
	want := []string{`{"args":{"empty":null,"half":0.5,"json":{"a":[1]},"nan":null,"no":false,"text":"` +
		"\\u0000\uFFFD?" + `"}}`, `{"1":["a","b","//4="],"2":[5,6],"3":{"4":"deep"},"5":1}`, `{"merge":true}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"update_todos_args.77": 1}, c.UnknownFields); diff != "" {
		t.Error(diff)
	}
}

// TestGraphOutcomes: fields of results that are neither 1 nor an error.
func TestGraphOutcomes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		variant, field int
		want           string
	}{
		{37, 1, "success"}, {37, 2, "error"}, {37, 3, "rejected"}, {40, 3, "rejected"}, {40, 4, ""}, {40, 5, ""},
		{41, 3, "rejected"}, {42, 1, "success"}, {42, 2, ""}, {42, 3, "error"}, {42, 4, "success"},
		{63, 3, "rejected"}, {64, 3, "rejected"}, {68, 3, "rejected"},
	} {
		blobs := map[[32]byte][]byte{}
		user := put(blobs, node(1, s("hi")))
		step := put(blobs, node(2, node(test.variant, node(2, node(test.field, empty())))))
		c := decode(t, node(8, put(blobs, node(1, node(1, user, 2, step)))), blobs)
		if got := c.Turns[0].Steps[0].Call.Outcome; got != test.want {
			t.Errorf("variant %d, field %d: %q, want %q", test.variant, test.field, got, test.want)
		}
	}
}
