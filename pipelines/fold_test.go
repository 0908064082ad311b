package pipelines_test

import (
	"testing"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
)

// TestFold: which version stands in for a row that was lost, and for one that is there and unusable.
func TestFold(t *testing.T) {
	t.Parallel()
	const first, second, broken, emptied = `{"n":1}`, `{"n":2}`, `{"n":`, "\x00"
	version := func(value string) schema.RawRow {
		return schema.RawRow{Store: extract.GlobalStore, Table: extract.KeyValueTable, Family: extract.FamilyComposer,
			Key: "composerData:alpha", KeyType: extract.KeyText, Value: []byte(value), ValueType: "text",
			ValueBytes: int64(len(value))}
	}
	for _, test := range []struct {
		name   string
		before []string // the newest first
		lost   string   // what stands in for a row that was lost; "" for nothing
		bad    string   // what stands in for one that is there and unusable
	}{
		{"never seen", nil, "", ""},
		{"usable", []string{second, first}, second, second},
		{"the newest is unusable", []string{broken, second, first}, broken, second},
		{"none is usable", []string{broken}, broken, ""},
		{"emptied since", []string{emptied, second}, emptied, ""},
		{"emptied before it was unusable", []string{broken, emptied, second}, broken, ""},
		{"emptied long ago", []string{broken, second, emptied, first}, broken, second},
	} {
		var before []schema.RawRow
		for _, value := range test.before {
			before = append(before, version(value))
		}
		for now, want := range map[*extract.Document]string{nil: test.lost, raw.Document(version(`[`)): test.bad} {
			got := ""
			if d := pipelines.Fold(now, before); d != nil {
				got = string(d.Raw)
			}
			if got != want {
				t.Errorf("%s: %q stands in, want %q", test.name, got, want)
			}
		}
	}
}
