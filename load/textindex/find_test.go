package textindex_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pipeline/load/textindex"
	"pipeline/load/tool/sqlrows"
)

var fields = textindex.Fields{"said", "named", "thought", "asked", "got"}

func open(t *testing.T, path string) *textindex.Index {
	t.Helper()
	x, err := textindex.Open(context.Background(), path, fields)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func all(texts []textindex.Text) iter.Seq2[*textindex.Text, error] {
	return func(yield func(*textindex.Text, error) bool) {
		for i := range texts {
			if !yield(&texts[i], nil) {
				return
			}
		}
	}
}

func update(t interface {
	Helper()
	Fatal(...any)
}, x *textindex.Index, state string, gone []textindex.Owner, texts ...textindex.Text) {
	t.Helper()
	changed := map[textindex.Owner]string{}
	for _, text := range texts {
		changed[text.Owner] = state
	}
	if err := x.Update(context.Background(), state, gone, changed, all(texts)); err != nil {
		t.Fatal(err)
	}
}

func find(t interface {
	Helper()
	Fatalf(string, ...any)
}, x *textindex.Index, query string, narrow textindex.Narrow) []string {
	t.Helper()
	q, err := textindex.Parse(query)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	shown := map[string]int{}
	found, err := x.Find(context.Background(), q, narrow,
		1000, func(hit textindex.Hit, note string, _ textindex.Fields) error {
			shown[hit.Owner.ID+"/"+hit.ID]++
			if note != "note of "+hit.Owner.ID+"/"+hit.ID {
				t.Fatalf("%q: %s/%s has the note %q", query, hit.Owner.ID, hit.ID, note)
			}
			return nil
		})
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	var ids []string
	for _, h := range found.Hits {
		ids = append(ids, h.Owner.ID+"/"+h.ID)
	}
	if int64(len(ids)) != found.Matches || len(shown) != len(ids) {
		t.Fatalf("%q: %d hits, %d of them shown, and %d matches", query, len(ids), len(shown), found.Matches)
	}
	slices.Sort(ids)
	return ids
}

func text(owner, id string, at int64, facets string, parts ...string) textindex.Text {
	out := textindex.Text{Owner: textindex.Owner{SourceID: "s", ID: owner}, ID: id, At: at,
		Facets: strings.Fields(facets), Note: "note of " + owner + "/" + id}
	for i, part := range parts {
		out.Fields[[...]int{0, 2, 3, 4}[i]] = part // no name
	}
	return out
}

// TestFind asks everything that a query can say.
func TestFind(t *testing.T) {
	t.Parallel()
	x := open(t, filepath.Join(t.TempDir(), "index"))
	update(t, x, "1", nil,
		text("a", "1", 1_760_000_000_000, "live role:user", "The quick-brown fox, jumps_over the dog", "", "", ""),
		text("a", "2", 1_760_000_000_500, "live role:assistant", "Brown bread", "is it quick?", "fox.go", ""),
		text("a", "3", 0, "role:user", "接続エラー: 再接続します 🎉", "", "", "exit status 1"),
		text("b", "1", 1_760_000_001_000, "live role:user", "Größe Ελλάδα quickly", "", "",
			"NOT AND OR \"quoted\" facets live"),
		text("b", "2", 1_760_000_000_999, "live role:user", "", "", "", ""),
	)
	since, until := int64(1_760_000_000_500), int64(1_760_000_001_000)
	for _, test := range []struct {
		query  string
		narrow textindex.Narrow
		want   string
	}{
		{query: "QUICK", want: "a/1 a/2 b/1"}, // few have the word: so do those in which one begins with it
		{query: `"quick"`, want: "a/1 a/2"},
		{query: "fox quick", want: "a/1 a/2"},
		{query: "bre", want: "a/2"},
		{query: "br", want: ""}, // too short
		{query: "quick*", want: "a/1 a/2 b/1"},
		{query: "quick fox", want: "a/1 a/2"},
		{query: `"quick brown"`, want: "a/1"},
		{query: `"brown quick"`, want: ""},
		{query: "quick-brown jumps_over", want: "a/1"},
		{query: "fox -bread", want: "a/1"},
		{query: `fox -"quick brown"`, want: "a/2"},
		{query: "dog OR bread", want: "a/1 a/2"},
		{query: "quick dog OR bread", want: "a/1 a/2"},
		{query: "dog OR bread jumps", want: "a/1"},
		{query: "dog OR bread -thought OR", want: "a/1 a/2"},
		{query: "エラー", want: "a/3"},
		{query: "接続", want: "a/3"},
		{query: "続接", want: ""},
		{query: "🎉", want: "a/3"},
		{query: "GRÖSSE ελλαδα", want: "b/1"},
		{query: `not and "or quoted"`, want: "b/1"},
		{query: "live", want: "b/1"}, // a word that stands there, not the facet
		{query: "facets:live", want: "b/1"},
		{query: "quick", narrow: textindex.Narrow{Fields: []string{"thought"}}, want: "a/2"},
		{query: "fox", narrow: textindex.Narrow{Fields: []string{"asked"}}, want: "a/2"},
		{query: "brown OR エラー", narrow: textindex.Narrow{Facets: [][]string{{"role:user"}}}, want: "a/1 a/3"},
		{query: "brown OR エラー", narrow: textindex.Narrow{Facets: [][]string{{"role:user"}, {"live"}}}, want: "a/1"},
		{query: "brown OR エラー", narrow: textindex.Narrow{Facets: [][]string{{"role:user", "role:assistant"}, {"live"}}},
			want: "a/1 a/2"},
		{query: "brown OR エラー", narrow: textindex.Narrow{Without: []string{"live", "never"}}, want: "a/3"},
		{query: "brown OR bread", narrow: textindex.Narrow{Facets: [][]string{{"live"}},
			Without: []string{"role:user"}}, want: "a/2"},
		{query: "quick* OR エラー", narrow: textindex.Narrow{Since: &since}, want: "a/2 b/1"},
		{query: "quick* OR エラー", narrow: textindex.Narrow{Since: &until}, want: "b/1"},
		{query: "quick* OR エラー", narrow: textindex.Narrow{Until: &until}, want: "a/1 a/2"},
		{query: "quick* OR エラー", narrow: textindex.Narrow{Since: &since, Until: &until}, want: "a/2"},
	} {
		if diff := cmp.Diff(strings.Fields(test.want), find(t, x, test.query, test.narrow),
			cmp.Transformer("list", func(s []string) string { return strings.Join(s, " ") })); diff != "" {
			t.Errorf("%s %+v: %s", test.query, test.narrow, diff)
		}
	}
	for _, query := range []string{"", "  ", "!?", "-fox", `""`, "*", "OR", "- -"} {
		if _, err := textindex.Parse(query); !errors.Is(err, textindex.ErrNoWords) {
			t.Errorf("%q: %v", query, err)
		}
	}
}

// TestFindBest: rare words count more than common ones, short texts more than long ones, what was said comes before
// what tools gave back, a name before that, words that are close together before others, whole words before beginnings,
// and of equals the newer is first.
func TestFindBest(t *testing.T) {
	t.Parallel()
	x := open(t, filepath.Join(t.TempDir(), "index"))
	long := strings.Repeat("and so on ", 50)
	texts := []textindex.Text{
		text("a", "said", 5000, "", "needle", "", "", ""), text("a", "result", 5000, "", "", "", "", "needle"),
		text("a", "long", 5000, "", "needle "+long, "", "", ""), text("a", "old", 1000, "", "twin", "", "", ""),
		text("a", "new", 9000, "", "twin", "", "", ""), text("a", "rare", 5000, "", "hay rare", "", "", ""),
		text("a", "common", 5000, "", "hay usual", "", "", ""), text("a", "begun", 9999, "", "needles", "", "", ""),
		text("a", "apart", 5000, "", "", "rate "+long+"limit", "", ""),
		text("a", "given", 5000, "", "", "", "rate limit", ""),
		{Owner: textindex.Owner{SourceID: "s", ID: "a"}, ID: "named", At: 5000,
			Fields: textindex.Fields{"", "thimble"}},
		text("a", "gave", 5000, "", "", "", "", "thimble"),
		text("a", "close", 5000, "", "the rate of a limit "+long, "", "", ""),
		text("a", "limits", 5000, "", "rate limiting"),
	}
	for i := range 30 {
		texts = append(texts, text("b", fmt.Sprint(i), 5000, "", "usual "+fmt.Sprint(i), "", "", ""))
	}
	update(t, x, "1", nil, texts...)
	// of a search for one hit the others are counted, but not those that need another form of a word
	matches := map[string]int64{"needle": 3, "rate limit": 3, "twin": 2, "hay rare OR usual": 2, "thimble": 2}
	for query, want := range map[string]string{"needle": "said long begun result",
		"rate limit": "close apart limits given", "twin": "new old",
		"hay rare OR usual": "rare common", "thimble": "named gave"} {
		q, err := textindex.Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		found, err := x.Find(context.Background(), q, textindex.Narrow{}, 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range found.Hits {
			got = append(got, h.ID)
		}
		if best, err := x.Find(context.Background(), q, textindex.Narrow{}, 1, nil); err != nil ||
			len(best.Hits) != 1 || best.Hits[0].ID != got[0] || best.Matches != matches[query] || best.More {
			t.Errorf("%s: the best is %v of %d, %v", query, best.Hits, best.Matches, err)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// TestUpdate: what is gone is not found, what came is, and a failed update changes nothing.
func TestUpdate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "index")
	x := open(t, path)
	update(t, x, "1", nil, text("a", "1", 5000, "", "old apple"), text("a", "2", 5000, "", "old pear"),
		text("b", "1", 5000, "", "old plum"))
	update(t, x, "2", []textindex.Owner{{SourceID: "s", ID: "b"}}, text("a", "1", 5000, "", "new apple"),
		text("c", "1", 5000, "", "new cherry"))
	want := func(query string, ids ...string) {
		t.Helper()
		if diff := cmp.Diff(ids, find(t, x, query, textindex.Narrow{})); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	want("old")
	want("new", "a/1", "c/1")
	broken := errors.New("broken")
	err := x.Update(context.Background(), "3", []textindex.Owner{{SourceID: "s", ID: "a"}},
		map[textindex.Owner]string{{SourceID: "s", ID: "c"}: "3"},
		func(yield func(*textindex.Text, error) bool) {
			late := text("c", "9", 0, "", "late cherry")
			_ = yield(&late, nil) && yield(nil, broken)
		})
	if !errors.Is(err, broken) {
		t.Fatal(err)
	}
	want("late")
	want("new", "a/1", "c/1")
	if state, err := x.State(context.Background()); err != nil || state != "2" {
		t.Errorf("state %q, %v", state, err)
	}
	signatures, err := x.Signatures(context.Background())
	if diff := cmp.Diff(map[textindex.Owner]string{{SourceID: "s", ID: "a"}: "2", {SourceID: "s", ID: "c"}: "2"},
		signatures); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestUpdateParts: of an owner that has changed, a text that is as it was stays where it is, whatever else of it came,
// changed or went, and nothing is left of what went.
func TestUpdateParts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "index")
	x := open(t, path)
	places := func() map[string]int64 {
		t.Helper()
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		places, err := sqlrows.Map[string, int64](t.Context(), db, `SELECT text_id || ' ' || at, page FROM texts
			UNION ALL SELECT 'page ' || id, id FROM pages`)
		if err != nil {
			t.Fatal(err)
		}
		return places
	}
	update(t, x, "1", nil, text("a", "1", 5000, "", "apple"), text("a", "2", 6000, "", "pear"),
		text("a", "3", 7000, "", "plum"))
	for i, c := range []struct {
		texts []textindex.Text
		want  map[string]int64
	}{
		{[]textindex.Text{text("a", "1", 5000, "", "apple"), text("a", "2", 6000, "", "peach"),
			text("a", "4", 6000, "", "pear")},
			map[string]int64{"1 5000": 1, "2 6000": 2, "4 6000": 2, "page 1": 1, "page 2": 2}},
		{[]textindex.Text{text("a", "4", 6000, "", "pear"), text("a", "1", 5001, "", "apple")},
			map[string]int64{"1 5001": 3, "4 6000": 2, "page 2": 2, "page 3": 3}},
	} {
		update(t, x, strconv.Itoa(i+2), nil, c.texts...)
		if diff := cmp.Diff(c.want, places()); diff != "" {
			t.Errorf("update %d: %s", i, diff)
		}
	}
	for query, ids := range map[string][]string{"apple": {"a/1"}, "pear": {"a/4"}, "peach": nil, "plum": nil} {
		if diff := cmp.Diff(ids, find(t, x, query, textindex.Narrow{})); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	if n, err := x.Texts(t.Context()); n != 2 || err != nil {
		t.Errorf("%d texts, %v", n, err)
	}
}

// TestOpenDamaged: a file that is no index, or one of another version, is made anew.
func TestOpenDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "in dex?#%41")
	for _, damage := range []func() error{
		func() error { return nil },
		func() error { return os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600) },
		func() error { // the version, and a page of the tables
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b[63] = 99
			return os.WriteFile(path, b, 0o600)
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		x, err := textindex.Open(context.Background(), path, fields)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := x.Texts(context.Background()); err != nil || n != 0 {
			t.Errorf("%d texts, %v", n, err)
		}
		update(t, x, "1", nil, text("a", "1", 5000, "", "apple"))
		if got := find(t, x, "apple", textindex.Narrow{}); len(got) != 1 {
			t.Errorf("found %v", got)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

// letters are what the texts of TestFindAll are made of.
var letters = []string{"a", "B", "ab", "é", "1", " ", " ", "-", "\n", "漢", "字", "🎉", "ж", "\"", "*"}

// TestFindAll compares the index with a scan of every text, after each of some updates.
func TestFindAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		x, err := textindex.Open(context.Background(), filepath.Join(dir, fmt.Sprint(n)), fields)
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = x.Close() }()
		now := map[string]textindex.Text{}
		for round := range 3 {
			var changed []textindex.Text
			for _, owner := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 2,
				rapid.ID[string]).Draw(rt, "owners") {
				maps.DeleteFunc(now, func(_ string, t textindex.Text) bool { return t.Owner.ID == owner })
				for i := range rapid.IntRange(1, 4).Draw(rt, "texts") {
					made := text(owner, fmt.Sprint(i), int64(rapid.IntRange(0, 3).Draw(rt, "second"))*1000, "",
						someText(rt), someText(rt))
					now[owner+"/"+made.ID] = made
					changed = append(changed, made)
				}
			}
			update(rt, x, fmt.Sprint(round), nil, changed...)
			term := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "e", "1", "漢", "字", "漢字", "🎉", "ж"}), 1,
				3).Draw(rt, "term")
			var want []string
			for id, text := range now {
				if slices.ContainsFunc(text.Fields[:],
					func(f string) bool { return strings.Contains(apart(f), apart(strings.Join(term, " "))) }) {
					want = append(want, id)
				}
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, find(rt, x, `"`+strings.Join(term, " ")+`"`, textindex.Narrow{})); diff != "" {
				rt.Fatalf("%q: %s\nin %+v", term, diff, now)
			}
			var begin []string
			for id, text := range now {
				if slices.ContainsFunc(text.Fields[:], func(f string) bool {
					return strings.Contains(apart(f), strings.TrimSuffix(apart(strings.Join(term, " ")), "|"))
				}) {
					begin = append(begin, id)
				}
			}
			slices.Sort(begin)
			if diff := cmp.Diff(begin, find(rt, x, `"`+strings.Join(term, " ")+`"*`, textindex.Narrow{})); diff != "" {
				rt.Fatalf("%q*: %s\nin %+v", term, diff, now)
			}
		}
	})
}

func someText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), 0, 12).Draw(t, "text"), "")
}

// apart writes a text made of letters as its words, a bar before and after each.
func apart(text string) string {
	text = strings.NewReplacer("é", "e", "B", "b", "漢", " 漢 ", "字", " 字 ", "🎉", " 🎉 ", "-", " ", "\"", " ", "*", " ").
		Replace(text)
	return "|" + strings.Join(strings.Fields(text), "||") + "|"
}

// TestFindCommon: of a word that stands in more texts than are weighed, the newest are.
func TestFindCommon(t *testing.T) {
	t.Parallel()
	x := open(t, filepath.Join(t.TempDir(), "index"))
	var texts []textindex.Text
	for i := range 6000 {
		texts = append(texts, text("a", fmt.Sprint(i), int64(1_760_000_000+i%3000)*1000, "", "common", "", "",
			strings.Repeat("long ", 50-i%50)))
	}
	texts[2].Fields[0], texts[2998].Fields[0] = "common rare", "common rare"
	update(t, x, "1", nil, texts...)
	q, err := textindex.Parse("common")
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Find(context.Background(), q, textindex.Narrow{}, 6000, nil)
	if err != nil || len(found.Hits) != 5000 || found.Matches != 5000 || !found.More {
		t.Fatalf("%d hits of %d, more: %v; %v", len(found.Hits), found.Matches, found.More, err)
	}
	var seconds []int
	for _, h := range found.Hits {
		var i int
		if _, err := fmt.Sscan(h.ID, &i); err != nil {
			t.Fatal(err)
		}
		seconds = append(seconds, i%3000)
	}
	if oldest := slices.Min(seconds); oldest != 500 {
		t.Errorf("the oldest is of second %d, want 500", oldest)
	}
	if found.Hits[0].Score < found.Hits[len(found.Hits)-1].Score {
		t.Error("the best is not the first")
	}
	if got := find(t, x, "common rare", textindex.Narrow{}); len(got) != 2 {
		t.Errorf("rare: %v", got)
	}
}
