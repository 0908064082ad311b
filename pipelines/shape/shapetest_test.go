package shape_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/extract"
	"pipeline/pipelines/shape"
	"pipeline/testdata/gen/shapetest"
	"pipeline/testdata/gen/storetest"
)

// described is the shape of a user directory.
func described(t *testing.T, user string) *shape.Shape {
	t.Helper()
	found, err := extract.Resolve(user, extract.Env{})
	must(t, err)
	s, err := shape.Of(context.Background(), found)
	must(t, err)
	return s
}

// newerUserDir is a user directory with what no list has: a family, a field in many messages, names that are data, and
// states that are new.
func newerUserDir(t *testing.T) string {
	t.Helper()
	user := filepath.Join(t.TempDir(), "User")
	rows := []storetest.Row{{Key: "composerData:c",
		Value: `{"_v":99,"composerId":"c","status":"resting","conversationMap":{"x y":{"text":"a","type":1}}}`}}
	for i := range 60 {
		text := fmt.Sprintf(
			`{"_v":9,"bubbleId":"b%d","type":2,"text":"word %d","brandNew":{"acme":null},"toolFormerData":{"status":"resting","tool":77,"params":"{\"path\":\"/p\"}"}}`, i, i)
		rows = append(rows, storetest.Row{Key: fmt.Sprintf("bubbleId:c:b%d", i), Value: text},
			storetest.Row{Key: fmt.Sprintf("brandNewFamily:%d", i), Value: []byte(`[1,null,"x"]`)},
			storetest.Row{Key: fmt.Sprintf("bubbleId:gone:b%d", i)},
			storetest.Row{Key: fmt.Sprintf("ofsContent:%d", i), Value: "no document"})
	}
	must(t, storetest.WriteStore(filepath.Join(user, "globalStorage", "state.vscdb"), rows,
		storetest.StoreOptions{UserVersion: 3}))
	return user
}

// TestStoreOfShape: a store that is made out of a description has the same description.
func TestStoreOfShape(t *testing.T) {
	t.Parallel()
	planned := filepath.Join(t.TempDir(), "User")
	must(t, storetest.New(storetest.Options{Seed: 4, Messages: 300, NoCases: true}).Write(planned))
	for _, user := range []string{newerUserDir(t), planned} {
		want := described(t, user)
		text, err := json.Marshal(want)
		must(t, err)
		file := filepath.Join(t.TempDir(), "shape.json")
		must(t, os.WriteFile(file, text, 0o600))
		made, err := shapetest.Write(file, t.TempDir())
		must(t, err)
		got := described(t, made[0])
		if diff := cmp.Diff(want.Sources[0].Families, got.Sources[0].Families); diff != "" {
			t.Errorf("%s", diff)
		}
	}
}

// TestShapeSays: by hand, what is said of what no list has.
func TestShapeSays(t *testing.T) {
	t.Parallel()
	s := described(t, newerUserDir(t))
	got := map[string]string{}
	for _, f := range s.Sources[0].Families {
		got[f.Family] = fmt.Sprint(f.Rows, f.Stored)
		for _, field := range f.Fields {
			got[f.Family+" "+field.Path] = fmt.Sprint(field.Types, field.Null, field.Values)
		}
	}
	for what, want := range map[string]string{
		"bubbleId":                                "120 map[null:60 text:60]",
		"bubbleId $.brandNew":                     "map[object:60] 0 map[]",
		"bubbleId $.brandNew.*":                   "map[null:60] 1 map[]",
		"bubbleId $.toolFormerData.status":        "map[text:60] 0 map[resting:60]",
		"bubbleId $.toolFormerData.tool":          "map[number:60] 0 map[77:60]",
		"bubbleId $.toolFormerData.params{}.path": "map[text:60] 0 map[]",
		"key brandNewFamily:<number>":             "60 map[blob:60]",
		"key brandNewFamily:<number> $[]":         "map[null:60 number:60 text:60] 0.33 map[]",
		"composerData $.status":                   "map[text:1] 0 map[*:1]",
		"composerData $.conversationMap.*.text":   "map[text:1] 0 map[]",
	} {
		if got[what] != want {
			t.Errorf("%s: %q, want %q", what, got[what], want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}
