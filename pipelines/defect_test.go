package pipelines_test

import (
	"fmt"
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
)

// stumbleAt makes the program fail over a conversation when its rows are read for the n-th time in an attempt.
func stumbleAt(id string, n int) func(*pipelines.Options) {
	return func(o *pipelines.Options) {
		o.Hold(1)
		o.Meet(func(conv *extract.Conversation) {
			if conv.ID != id {
				return
			}
			parts, passes := conv.Parts, 0
			conv.Parts = func(yield func(*extract.Document, error) bool) {
				if passes++; passes == n {
					var none []int
					_ = none[passes]
				}
				parts(yield)
			}
		})
	}
}

// TestDefect: a conversation that makes this program fail, while it is read or while its rows are made, stays as it
// was, and everything else loads. Once the program can read it, the warehouse is that of a first load.
func TestDefect(t *testing.T) {
	t.Parallel()
	for pass, name := range []string{1: "reading", 2: "making rows"} {
		if pass == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			l.run(damageUserDir(0))
			before := l.ask(`SELECT text FROM live_messages WHERE conversation_id = 'conv-07' ORDER BY ALL`)
			changed := damageUserDir(1)
			for _, id := range []string{"conv-07", "conv-08"} {
				changed = changed.with("bubbleId:"+id+":new", `{"_v":3,"type":1,"bubbleId":"new","text":"new"}`)
			}
			r := l.run(changed, full, stumbleAt("conv-07", pass))
			if len(r.Errors()) != 1 || r.Conversations.Deleted != 0 {
				t.Fatalf("%+v, errors %v", r.Conversations, r.Errors())
			}
			says(t, r.Errors()[0], "conv-07", "an error in this program", "index out of range", "stays as it was")
			same(t, "the conversation", before,
				l.ask(`SELECT text FROM live_messages WHERE conversation_id = 'conv-07' ORDER BY ALL`))
			same(t, "another", [][]string{{"new"}},
				l.ask(`SELECT text FROM live_messages WHERE conversation_id = 'conv-08' AND message_id = 'new'`))
			same(t, "the load", [][]string{{"partial"}},
				l.ask(fmt.Sprintf(`SELECT status FROM loads WHERE load_id = %d`, r.LoadID)))
			l.run(nil)
			later := newFixture(t)
			same(t, "once it can be read", later.live(changed), l.ask(liveMessages))
		})
	}
}

// TestDefectOfWorker: a worker that fails ends with an error that names the conversation, and its rows with it.
func TestDefectOfWorker(t *testing.T) {
	t.Parallel()
	err := pipelines.WorkWithoutNormalizer(t.Context(), "conv-07")
	if err == nil {
		t.Fatal("no error")
	}
	says(t, err, "conversation conv-07 of store global of source s", "an error in this program", "at transform.")
}
