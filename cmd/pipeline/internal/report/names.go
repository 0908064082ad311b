package report

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"pipeline/load/reader"
)

// A project is one that the page names.
type project struct {
	Label string `json:"label"`
	URI   string `json:"uri"` // "": no project
}

// projects are those of a page, in the order of their URIs; the last one stands for what has no project.
type projects struct {
	list []project
	at   map[string]int // by URI
}

// askProjects finds the projects of a period and gives each a label of its own.
func (a *asker) askProjects(ctx context.Context, p period) error {
	q, err := a.ask(ctx, "names", p)
	if err != nil {
		return err
	}
	change := a.Redact
	if change == nil {
		change = func(text string) string { return text }
	}
	var names, uris []string
	a.names = projects{at: map[string]int{}}
	for i := range q.rows {
		uri, _ := q.value(i, "project_uri").(string)
		a.names.at[uri] = i
		names, uris = append(names, q.text(i, "project")), append(uris, change(uri))
	}
	for i, label := range labels(names, uris) {
		a.names.list = append(a.names.list, project{label, uris[i]})
	}
	a.names.list = append(a.names.list, project{Label: noProject})
	return nil
}

// index is the place of the project with a URI; nil is that of no project.
func (p projects) index(uri any) int {
	if text, ok := uri.(string); ok {
		if i, known := p.at[text]; known {
			return i
		}
	}
	return len(p.list) - 1
}

func (p projects) label(uri any) string {
	if len(p.list) == 0 {
		return noProject
	}
	return p.list[p.index(uri)].Label
}

// labels are the names of projects. Names that several have get the folders above them, as many as tell them apart.
func labels(names, uris []string) []string {
	out := append([]string{}, names...)
	for depth := 1; depth < 12; depth++ {
		count := map[string]int{noProject: 1}
		for _, label := range out {
			count[label]++
		}
		same := false
		for i, label := range out {
			if count[label] > 1 {
				out[i], same = names[i]+" ("+above(uris[i], depth)+")", true
			}
		}
		if !same {
			return out
		}
	}
	used := map[string]int{noProject: 1}
	for i, label := range out {
		if used[label]++; used[label] > 1 {
			out[i] = fmt.Sprintf("%s %d", label, used[label])
		}
	}
	return out
}

// above are the folders above the last part of a URI, at most so many of them; from the fourth on, the whole URI
// without its last part, so that other hosts differ, too.
func above(uri string, depth int) string {
	u, err := url.Parse(uri)
	if err != nil || depth > 3 {
		return uri
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	parts = parts[:max(len(parts)-1, 0)]
	return strings.Join(parts[max(len(parts)-depth, 0):], "/")
}

// conversationName is what a conversation is called: by its title, or by its start where it has none or titles are not
// wanted.
func conversationName(title, started any) string {
	if text, ok := title.(string); ok && strings.TrimSpace(text) != "" {
		if runes := []rune(text); len(runes) > longTitle {
			return string(runes[:longTitle-1]) + "…"
		}
		return text
	}
	if started == nil {
		return "conversation without a time"
	}
	return "conversation of " + reader.Text(started)[:len("2006-01-02 15:04")]
}

// longTitle is the number of characters of which a title is cut.
const longTitle = 100

// A unit says how the values of a column are written.
type unit string

const (
	unitText    unit = ""
	unitCount   unit = "count"
	unitShare   unit = "share"   // a share of 1, written in percent
	unitMillis  unit = "millis"  // a duration
	unitCents   unit = "cents"   // hundredths of a US dollar
	unitShort   unit = "short"   // a count in few characters
	unitDay     unit = "day"     // a date
	unitTime    unit = "time"    // a date and the time of day
	unitWeekday unit = "weekday" // 1 Monday to 7 Sunday
	unitHour    unit = "hour"    // hour of the day, 0 to 23
	unitID      unit = "id"      // a number that is no count
	unitTitle   unit = "title"   // the name of a conversation, which conversationName makes
	unitShow    unit = "show"    // the id of a conversation, written as the command that shows it
)

// notRecorded is shown for NULL.
const notRecorded = "—"

// nbsp keeps a number and its unit on one line.
const nbsp = "\u00a0"

// numeric reports whether values are aligned to the right.
func (u unit) numeric() bool {
	return u == unitCount || u == unitShare || u == unitMillis || u == unitCents || u == unitID
}

// class is the CSS class of a cell; numbers need none.
func (c column) class() string {
	switch {
	case c.Unit.numeric():
		return ""
	case c.Long:
		return "long"
	}
	return "t"
}

// cell is a value as text for people.
func (c column) cell(v any) string {
	if v == nil {
		if c.Nobody != "" {
			return c.Nobody
		}
		return notRecorded
	}
	switch c.Unit {
	case unitTime:
		return cutTo(v, len("2006-01-02 15:04"))
	case unitDay:
		return cutTo(v, len(time.DateOnly))
	}
	n, isNumber := number(v)
	if !isNumber {
		return reader.Text(v)
	}
	switch c.Unit {
	case unitCount:
		return count(int64(n))
	case unitShare:
		return percent(n)
	case unitMillis:
		return duration(int64(n))
	case unitCents:
		return dollars(n)
	case unitShort:
		return short(n)
	case unitWeekday:
		return time.Weekday(int(n) % 7).String()
	case unitHour:
		return fmt.Sprintf("%02d:00", int(n))
	}
	return reader.Text(v)
}

// cutTo shortens a time to the parts that people need.
func cutTo(v any, length int) string {
	text := reader.Text(v)
	return text[:min(length, len(text))]
}

func count(n int64) string { return humanize.Comma(n) }

// percent writes a share, with one decimal below ten percent. It never rounds to 0 % or 100 %. Here and below numbers
// are rounded as page/numbers.js does it: the page writes the same.
func percent(share float64) string {
	p := share * 100
	switch {
	case p > 0 && p < 0.1:
		return "below 0.1" + nbsp + "%"
	case p > 99.9 && p < 100:
		return "above 99.9" + nbsp + "%"
	case p < 10 || p > 99:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", math.Round(p*10)/10), ".0") + nbsp + "%"
	}
	return fmt.Sprintf("%.0f", math.Round(p)) + nbsp + "%"
}

// duration writes milliseconds as hours and minutes.
func duration(ms int64) string {
	minutes := int64(math.Round(float64(ms) / 60000))
	switch {
	case ms > 0 && ms < 30000:
		return "below 1" + nbsp + "min"
	case minutes < 60:
		return fmt.Sprint(minutes) + nbsp + "min"
	case minutes >= 100*60:
		return count(int64(math.Round(float64(minutes)/60))) + nbsp + "h"
	case minutes%60 == 0:
		return count(minutes/60) + nbsp + "h"
	}
	return count(minutes/60) + nbsp + "h" + nbsp + fmt.Sprint(minutes%60) + nbsp + "min"
}

func dollars(cents float64) string {
	if cents != 0 && math.Abs(cents) < 1 {
		return "below $0.01"
	}
	whole := int64(math.Round(math.Abs(cents)))
	sign := ""
	if cents < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s$%s.%02d", sign, count(whole/100), whole%100)
}

// short writes a large number in few characters.
func short(n float64) string {
	switch {
	case n >= 999_500_000:
		return fmt.Sprintf("%.1f", math.Round(n/1e8)/10) + nbsp + "billion"
	case n >= 99_950_000:
		return fmt.Sprintf("%.0f", math.Round(n/1e6)) + nbsp + "million"
	case n >= 999_500:
		return fmt.Sprintf("%.1f", math.Round(n/1e5)/10) + nbsp + "million"
	}
	return count(int64(n))
}
