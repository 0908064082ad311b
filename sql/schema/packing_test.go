package schema

import (
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPacking: a row that was packed is the same row, whatever is in it, and what follows it is not touched.
func TestPacking(t *testing.T) {
	t.Parallel()
	packs(t, NewPacking[Message]())
	packs(t, NewPacking[ToolCall]())
	packs(t, NewPacking[Attachment]())
}

func packs[R any](t *testing.T, p Packing[R]) {
	t.Helper()
	texts := []string{"", "x", "a\x00b\n\xff", string(make([]byte, 70_000))}
	numbers := []int64{0, 1, -1, 300, math.MaxInt64, math.MinInt64}
	for n := range 8 { // 0: nothing is set; else each pointer points to something, the first time to a zero
		var row R
		fields := reflect.ValueOf(&row).Elem()
		for i := range fields.NumField() {
			if n == 0 || n > 5 && i%n != 0 {
				continue
			}
			field := fields.Field(i)
			if field.Kind() == reflect.Pointer {
				field.Set(reflect.New(field.Type().Elem()))
				field = field.Elem()
			}
			switch k := n - 1 + min(n-1, 1)*i; field.Kind() {
			case reflect.String:
				field.SetString(texts[k%len(texts)])
			case reflect.Int64:
				field.SetInt(numbers[k%len(numbers)])
			case reflect.Bool:
				field.SetBool(k%2 == 1)
			default:
				field.SetBytes([]byte(texts[k%len(texts)]))
			}
		}
		packed := append(p.Append([]byte("before"), &row), "after"...)
		var got R
		if rest := p.Read(packed[len("before"):], &got); string(rest) != "after" {
			t.Fatalf("row %d of %T: %d bytes follow", n, row, len(rest))
		}
		if diff := cmp.Diff(row, got); diff != "" {
			t.Errorf("row %d of %T: another row:\n%.2000s", n, row, diff)
		}
		if n == 0 && len(packed) != len("before")+1+len("after") {
			t.Errorf("a row of nothing takes %d bytes", len(packed))
		}
	}
}

// TestPackingKnows: the rows of messages have no column that cannot be packed; a table that has one is refused.
func TestPackingKnows(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a list was packed")
		}
	}()
	NewPacking[struct{ Texts []string }]()
}
