package raw

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/load/versions"
	"pipeline/sql/schema"
)

// memoryLayer is a raw layer of one owner in memory. It counts how many rows it told of at once.
type memoryLayer struct {
	Layer
	rows []schema.RawRow // that are known
	put  []string
	most int
}

// known are the rows whose keys are in a range.
func (l *memoryLayer) known(span keyRange) versions.Rows {
	out := versions.Rows{}
	for _, row := range l.rows {
		if span.has(row.Key) {
			out.Observe(row)
		}
	}
	l.most = max(l.most, len(out))
	return out
}

func (l *memoryLayer) KnownRange(_ context.Context, _ schema.OwnerKey, after, to string) (versions.Rows, error) {
	return l.known(keyRange{after, to}), nil
}

func (l *memoryLayer) Bounds(_ context.Context, _ schema.OwnerKey, n int) (out []string, _ error) {
	var keys []string
	for _, row := range l.rows {
		keys = append(keys, row.Key)
	}
	slices.Sort(keys)
	for i := 3; i < len(keys); i += 4 { // every fourth: tests have few rows
		out = append(out, keys[i])
	}
	return slices.Compact(out), nil
}

func (l *memoryLayer) Put(row schema.RawRow) error {
	l.put = append(l.put, fmt.Sprintf("%s %s %q", row.Key, row.ValueType, row.Value))
	return nil
}

// believing is a snapshot whose indexes are sound.
type believing struct{ extract.Snapshot }

func (believing) CheckIndex(context.Context, string) error { return nil }

// TestRawPages: pages give the raw layer what a look at everything at once gives it, whatever was added, changed, or
// went: also for keys that the warehouse holds in another form, and in stores of another order.
func TestRawPages(t *testing.T) {
	t.Parallel()
	owner := schema.OwnerKey{SourceID: "s", Store: extract.GlobalStore, Kind: schema.KindConversation, ID: "c"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		known, now := randomRows(r, owner), randomRows(r, owner)
		if seed%5 == 0 {
			r.Shuffle(len(now), func(i, j int) { now[i], now[j] = now[j], now[i] })
		}
		var rows []schema.RawRow
		for _, d := range known {
			rows = append(rows, Row(owner, d))
		}
		keeper := func(l *memoryLayer) *Keeper {
			return &Keeper{Layer: l, Snapshot: believing{}, Failed: func(_ string, err error) error { return err }}
		}
		whole := &memoryLayer{rows: rows}
		must(t, Drain(keeper(whole).Keep(t.Context(), owner, whole.known(keyRange{}), yielding(now))))
		paged := &memoryLayer{rows: rows}
		pages, err := keeper(paged).Pages(t.Context(), owner, yielding(now))
		must(t, err)
		must(t, Drain(pages))
		slices.Sort(whole.put)
		slices.Sort(paged.put)
		if !slices.Equal(whole.put, paged.put) {
			t.Fatalf("seed %d: pages put\n%s\nwant\n%s", seed, strings.Join(paged.put, "\n"),
				strings.Join(whole.put, "\n"))
		}
		if paged.most > 5 { // bounds lie four rows apart, and one more row may have the key of a bound
			t.Fatalf("seed %d: the layer told of %d rows at once", seed, paged.most)
		}
	}
}

// yielding yields documents as a conversation does.
func yielding(docs []*extract.Document) iter.Seq2[*extract.Document, error] {
	return func(yield func(*extract.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// randomRows are some rows of a conversation in the order in which a store gives them.
func randomRows(r *rand.Rand, owner schema.OwnerKey) []*extract.Document {
	families := extract.ConversationFamilies()
	rows := map[string]*extract.Document{}
	for range r.IntN(60) {
		family := families[r.IntN(len(families))]
		key := family + ":" + owner.ID
		if family != extract.FamilyComposer {
			key += fmt.Sprintf(":%x", r.IntN(20))
			if r.IntN(10) == 0 {
				key += "\x00" + fmt.Sprint(r.IntN(2))
			}
		}
		value := fmt.Sprintf(`{"n":%d}`, r.IntN(3))
		rows[key] = extract.Restore(extract.Document{Store: owner.Store, Table: extract.KeyValueTable, Key: key,
			KeyType: extract.KeyText, RowID: r.Int64N(1000), Type: "text", Bytes: int64(len(value)),
			Raw: []byte(value)})
	}
	return slices.SortedFunc(maps.Values(rows), func(a, b *extract.Document) int {
		return cmp.Or(slices.Index(families, a.Family)-slices.Index(families, b.Family), cmp.Compare(a.Key, b.Key))
	})
}
