package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"pipeline/testdata/gen/graphtest"
	"pipeline/transform/graph"
)

// handmade are blobs that are written out: hex digits and 'texts', {name} is the hash of a blob before it. They follow
// the field numbers of docs/formats.md, Nodes of the graph. Neither the decoder nor the generator had a part in them.
type handmade struct {
	blobs map[[32]byte][]byte
	names map[string]string // hex digits of hashes
}

func newHandmade() *handmade {
	return &handmade{blobs: map[[32]byte][]byte{}, names: map[string]string{}}
}

// bytes reads what is written out.
func (h *handmade) bytes(t *testing.T, written string) (b []byte) {
	t.Helper()
	for i, piece := range strings.Split(written, "'") {
		if i%2 == 1 {
			b = append(b, piece...)
			continue
		}
		for name, digits := range h.names {
			piece = strings.ReplaceAll(piece, "{"+name+"}", digits)
		}
		more, err := hex.DecodeString(strings.Join(strings.Fields(piece), ""))
		if err != nil {
			t.Fatalf("%q: %v", written, err)
		}
		b = append(b, more...)
	}
	return b
}

// add adds a blob.
func (h *handmade) add(t *testing.T, name, written string) []byte {
	t.Helper()
	b := h.bytes(t, written)
	sum := sha256.Sum256(b)
	h.blobs[sum] = b
	h.names[name] = hex.EncodeToString(sum[:])
	return b
}

// TestGraphGolden: a conversation of one turn, byte by byte. The hashes of its nodes begin as they were published.
func TestGraphGolden(t *testing.T) {
	t.Parallel()
	h := newHandmade()
	h.add(t, "user", "0a 02 'hi'  12 02 'm1'  20 01  c8 01 80b0ebe88434") // text, id, mode 1, field 25 = 1788000000000
	h.add(t, "step", "0a 16 0a 06 'Hello.'  10 e8b7ebe88434  18 d0bfebe88434")
	h.add(t, "turn", "0a 48 0a 20 {user}  12 20 {step}  1a 02 'r1'")
	for name, begin := range map[string]string{"user": "51dd", "step": "dd75", "turn": "e510"} {
		if !strings.HasPrefix(h.names[name], begin) {
			t.Errorf("the hash of %s is %s, published was %s", name, h.names[name], begin)
		}
	}
	h.add(t, "system", `'{"role":"system","content":"x"}'`)
	root := h.add(t, "root", "0a 20 {system}  42 20 {turn}  2a 07 08 b009 10 c09a0c  4a 09 'file:///w'")
	c := decode(t, root, h.blobs)
	compare(t, []string{"is complete", "root used=1200 max=200000", "workspace file:///w", "turn 0 request=r1",
		`user id=m1 text="hi" at=1788000000000 mode=agent`,
		`step 0 assistant text="Hello." at=1788000001000-1788000002000`}, c)
	inline, ok := graph.InlineRoot("~CiA=")
	if !ok || string(inline) != "\x0a\x20" {
		t.Errorf("the inline root is %x, %v", inline, ok)
	}
}

// TestGraphGoldenSteps: a step that was seen in a store of 2025, a call with the id in field 57 and times in 59 and 60,
// a call of before with the id in its arguments, and a truncated step.
func TestGraphGoldenSteps(t *testing.T) {
	t.Parallel()
	h := newHandmade()
	h.add(t, "user", "0a 01 'x'")
	h.add(t, "seen", "0a28 0a26 4927 6c6c 2072 756e 2074 6865 2077 6f72 6b73 7061 6365 2074 7970 6520 6368 6563 6b20 "+
		"6e6f 772e 1a00")
	// Tool call, field 8: path /a; result: success with content; c2 -> id, times 59 and 60.
	h.add(t, "read", "12 2a  42 13  0a 04 0a 02 '/a'  12 0b 0a 09 0a 03 'abc' 20 02 28 03  ca 03 02 't1'  d8 03 "+
		"80b0ebe88434  e0 03 e8b7ebe88434")
	// Tool call, field 1: command ls, field 4 is the id; result: field 4 is rejected, its field 3 the reason.
	h.add(t, "shell", "12 14  0a 12  0a 08 0a 02 'ls' 22 02 't2'  12 06 22 04 1a 02 'no'")
	// Tool call, field 34: the original is the step before.
	h.add(t, "short", "12 25  92 02 22  0a 20 {read}")
	h.add(t, "turn", "0a aa01  0a 20 {user}  12 20 {seen}  12 20 {read}  12 20 {shell}  12 20 {short}")
	root := h.add(t, "root", "42 20 {turn}")
	compare(t, []string{"is complete", "root", "turn 0", `user text="x"`,
		`step 0 assistant text="I'll run the workspace type check now." at=-`,
		`step 1 tool id="t1" variant=read/8 args={"path":"/a"} argsfrom=variant result={"content":"abc","file_size":3,"total_lines":2} vargs={"path":"/a"} vresult={"content":"abc","file_size":3,"total_lines":2} outcome=success at=1788000000000-1788000001000`,
		`step 2 tool id="t2" variant=shell/1 args={"command":"ls"} argsfrom=variant result={"reason":"no"} vargs={"command":"ls"} vresult={"reason":"no"} outcome=rejected at=-`,
		`step 3 tool id="t1" variant=read/8 args={"path":"/a"} argsfrom=variant result={"content":"abc","file_size":3,"total_lines":2} vargs={"path":"/a"} vresult={"content":"abc","file_size":3,"total_lines":2} outcome=success at=1788000000000-1788000001000`,
	}, decode(t, root, h.blobs))
}

// TestGraphGoldenRest: what else a root names: a long text, a shell turn, an archive, a task, a subagent in each map,
// and messages joined by the id of a call.
func TestGraphGoldenRest(t *testing.T) {
	t.Parallel()
	h := newHandmade()
	h.add(t, "text", "'long'")
	h.add(t, "user", "9201 20 {text}  28 01  10 05") // 18 text, 5 simulated; field 2 should be a text
	h.add(t, "step", "12 0d  7a 0b  0a 09 0a 03 's-t' 1a 02 't1'")
	h.add(t, "agent", "0a 44 0a 20 {user} 12 20 {step}")
	h.add(t, "command", "0a 02 'ls'")
	h.add(t, "output", "0a 01 'a'  18 02")
	h.add(t, "shell", "12 44 0a 20 {command} 12 20 {output}")
	h.add(t, "call",
		`'{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t1","toolName":"mcp_s_t","args":{"q":1}}]}'`)
	h.add(t, "result", `'{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","result":"found"}]}'`)
	h.add(t, "archive", "0a 20 {call}  12 03 'sum'  18 05")
	h.add(t, "todo", "0a 01 'a'  12 02 'do'  18 04")
	h.add(t, "sub", "0a 02 50 02  10 80b0ebe88434  22 06 1a 04 0a 02 'cr'")
	root := h.add(t, "root", `0a 20 {result}  1a 20 {todo}  42 20 {agent}  42 20 {shell}  6a 20 {archive}
		8201 0b 0a 02 's1' 12 05 2a 03 'gpt'
		fa01 26 0a 02 's2' 12 20 {sub}
		d001 80b0ebe88434  da01 03 'UTC'`)
	compare(t, []string{"is complete", "root started=1788000000000 zone=UTC", "turn 0",
		`user text="long" simulated=true`,
		`step 0 tool id="t1" name=mcp_s_t variant=mcp/15 args={"q":1} argsfrom=message result="found" vargs={"name":"s-t"} at=-`, `turn 1 shell="ls" out="a" err="" exit=2`, `archive summary="sum"`,
		"subagent s1", "subagent s2", "unknown user_message.2/0 1"},
		decode(t, root, h.blobs))
}

// TestGraphTags: the time of a prompt's tag, and what a prompt is without its tags.
func TestGraphTags(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"Sunday, Apr 26, 2026, 9:53 PM (UTC-4)":    "1777254780000",
		"Monday, Apr 27, 2026, 7:23 AM (UTC+5:30)": "1777254780000",
		"Monday, Apr 27, 2026, 1:53 AM (UTC)":      "1777254780000", "Sunday, Apr 26, 2026 (UTC-4)": "",
		"Sunday, Apr 26, 2026, 9:53 PM": "", "Sunday, Apr 26, 2026, 9:53 PM (UTC-99)": "",
		"Sunday, Apr 26, 2026, 9:53 PM (UTCx)": "", "": "",
	} {
		h := newHandmade()
		h.add(t, "m", `'{"role":"user","content":"<timestamp>`+tag+`</timestamp>\n<user_query>\n hi \n</user_query>"}'`)
		c := decode(t, h.bytes(t, "0a 20 {m}"), h.blobs)
		compare(t, []string{"is complete", "root", "turn -1",
			graphtest.Line("user", "text", `"hi"`, "tagged", want)}, c)
	}
}
