package chat

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// TestIndenter: pieces of JSON, cut anywhere, come out as the library lays the whole out.
func TestIndenter(t *testing.T) {
	t.Parallel()
	value := rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(3) })
	rapid.Check(t, func(t *rapid.T) {
		compact, err := json.Marshal(value.Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		var got, want bytes.Buffer
		if err := json.Indent(&want, compact, "", "  "); err != nil {
			t.Fatal(err)
		}
		i := &indenter{w: &got}
		for len(compact) > 0 {
			n := rapid.IntRange(1, len(compact)).Draw(t, "cut")
			if _, err := i.Write(compact[:n]); err != nil {
				t.Fatal(err)
			}
			compact = compact[n:]
		}
		if got.String() != want.String() {
			t.Fatalf("%s\nwant\n%s", got.String(), want.String())
		}
	})
}

// anyJSON is a value with texts that look like JSON.
func anyJSON(depth int) *rapid.Generator[any] {
	text := rapid.StringMatching(`[a{}\[\],:"\\ é\n]{0,6}`)
	plain := []*rapid.Generator[any]{text.AsAny(), rapid.Int64().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil)}
	if depth > 0 {
		deeper := rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(depth - 1) })
		plain = append(plain, rapid.SliceOfN(deeper, 0, 3).AsAny(), rapid.MapOfN(text, deeper, 0, 3).AsAny())
	}
	return rapid.OneOf(plain...)
}
