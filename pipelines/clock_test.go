package pipelines_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"pipeline/load/warehouse"
	"pipeline/pipelines"
)

// TestClockSetBack: loads are in the order of their numbers, whatever the clock says: set back by days, standing still,
// an hour twice as in autumn. No version is lost or told in another order, and what keeps its rowid is still found.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("there is no time zone database")
	}
	first := time.Date(2025, 10, 26, 0, 30, 0, 0, time.UTC) // half past two in Berlin, the first time
	clocks := []time.Time{first, first.Add(time.Hour) /* half past two once more */, first.AddDate(10, 0, 0),
		time.Unix(86400, 0), time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC), first.Add(time.Hour),
		first.Add(-72 * time.Hour), first.Add(-72 * time.Hour)}
	var story []string
	for i, now := range clocks {
		text := fmt.Sprintf(`{"_v":2,"type":2,"bubbleId":"a2","text":"version %d","createdAt":"2025-10-09T08:55:20Z"}`,
			i)
		story = append(story, "text "+text)
		r := l.run(baseUserDir().with(keyA2, text), func(o *pipelines.Options) {
			calls := 0
			o.Now = func() time.Time { // within a run it jumps, too: an hour back, and back again
				calls++
				return now.Add(-time.Duration(calls/2%2) * time.Hour).In(berlin)
			}
			o.Publish = parquetIn(filepath.Join(l.dir, "parquet"))
		})
		same(t, "the load", int64(i+1), r.LoadID)
		same(t, "the text", [][]string{{fmt.Sprintf("version %d", i)}},
			l.ask(`SELECT text FROM messages WHERE message_id = 'a2'`))
		link, err := filepath.EvalSymlinks(filepath.Join(l.dir, "parquet", "current"))
		must(t, err)
		same(t, "the publication", fmt.Sprintf("v-%08d", i+1), filepath.Base(link))
	}
	same(t, "the story of the row", story, l.stories(0)["global "+keyA2])
	last, err := warehouse.LastGood(t.Context(), l.warehouse(), true)
	must(t, err)
	if last == nil || last.Sub(clocks[len(clocks)-1]).Abs() > time.Hour {
		t.Errorf("the last run was at %v", last)
	}
	l.rebuilt()
	// the part that is read in full is due again when the clock goes on from where it is
	changeInPlace["UPDATE"](l, keyA2, bubbleA2)
	for i := range 8 {
		l.run(nil, func(o *pipelines.Options) {
			o.Now = func() time.Time { return clocks[len(clocks)-1].Add(time.Duration(i) * 21 * time.Hour) }
		})
	}
	same(t, "the text", [][]string{{"An answer"}}, l.ask(`SELECT text FROM messages WHERE message_id = 'a2'`))
}
