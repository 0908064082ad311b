// Package report makes one page about a warehouse: charts, figures and the age of the data, in one file that needs no
// network.
//
// It knows the views of schema report and how to show them. It must never know flags, stores, or where the page goes.
// The page depends only on the warehouse and the options. It holds no text of messages. It has the titles of
// conversations unless Options say no.
//
// Its numbers are made twice: here by SQL for the period that it shows first, and in the page for any other period and
// project, from the facts that it carries. The page cannot make the first ones too: where scripts are off, in the
// preview of a mail for example, they are all that is shown; and a long history has more facts than a page has room
// for, while its sums are whole. A test compares both in a browser.
package report

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

// Options select the content of the page.
type Options struct {
	Now         time.Time                // the time of the page
	Since       *time.Time               // first day of the period; nil: 90 days up to the last recorded activity
	Until       *time.Time               // the period ends before it; nil: today
	ProjectURIs []string                 // only these; nil: all
	Projects    string                   // the names that the user gave them
	NoTitles    bool                     // leave out titles of conversations
	Version     string                   // version of the program
	Redact      func(text string) string // takes secrets out of every text; nil: they stay
	Show        string                   // what is before its id in the line that shows a conversation
	Chats       string                   // what is before its id in the address of a conversation's page; "": none
}

// A Reader queries the warehouse.
type Reader interface {
	Query(ctx context.Context, query string) (*reader.Answer, error)
}

// Summary describes a page.
type Summary struct {
	From string `json:"from"` // the period's first day
	To   string `json:"to"`   // and its last
	Zone string `json:"zone"` // time zone of days and hours
}

// Write writes the page.
func Write(ctx context.Context, w io.Writer, r Reader, o Options) (*Summary, error) {
	p, s, err := build(ctx, r, o)
	if err != nil {
		return nil, err
	}
	return s, p.write(w)
}

// An asker runs the queries of a page.
type asker struct {
	Options
	reader   Reader
	messages int64  // number of messages of the chosen projects
	inPeriod int64  // of these, the messages in the period
	first    string // their first day; "": none
	events   string // the first day of which Cursor's count is known; "": none
	names    projects
}

// everFrom is a day before all others: the first day of what a page carries that is not limited to a period.
var everFrom = time.Unix(0, 0).UTC()

// build runs all queries of the page.
func build(ctx context.Context, r Reader, o Options) (*page, *Summary, error) {
	if o.Redact != nil {
		o.Projects, o.Show = o.Redact(o.Projects), o.Redact(o.Show)
	}
	a := &asker{Options: o, reader: r}
	fresh, err := a.ask(ctx, "freshness", period{})
	if err != nil {
		return nil, nil, err
	}
	name := strings.Replace(fresh.text(0, "zone"), "Etc/UTC", "UTC", 1)
	zone, err := time.LoadLocation(name)
	if err != nil {
		name, zone = "UTC", time.UTC
	}
	chosen, upTo, undated, err := a.period(ctx, zone)
	if err != nil {
		return nil, nil, err
	}
	all := period{everFrom, chosen.to}
	if o.Since != nil {
		all.from = chosen.from // what was left out is not carried either
	}
	if err := a.askProjects(ctx, all); err != nil {
		return nil, nil, err
	}
	p := &page{Title: "Your work with Cursor", Period: chosen.words(), Zone: name,
		PeriodFrom: term.Plural(chosen.days(), "day") + " up to " + upTo,
		Projects:   o.Projects, Titles: !o.NoTitles, Version: o.Version,
		Made: o.Now.In(zone).Format("2 January 2006, 15:04"), Fresh: freshness(fresh)}
	if undated > 0 {
		p.Undated = term.Plural(undated, "message") + " without any time are in no period."
	}
	if err := a.figures(ctx, p, chosen); err != nil {
		return nil, nil, err
	}
	for _, c := range charts() {
		made, err := a.makeCard(ctx, c, chosen)
		if err != nil {
			return nil, nil, err
		}
		p.add(made)
	}
	if a.events > chosen.to.Format(time.DateOnly) {
		a.events = "" // the page carries no later day
	}
	p.Payload = a.payload(chosen, upTo, name)
	room, err := p.room()
	if err != nil {
		return nil, nil, err
	}
	if err := a.carry(ctx, p.Payload, all, room); err != nil {
		return nil, nil, err
	}
	return p, &Summary{From: chosen.from.Format(time.DateOnly), To: chosen.to.Format(time.DateOnly), Zone: name}, nil
}

// figures asks for the numbers at the head of the page, of the period and of the one before.
func (a *asker) figures(ctx context.Context, p *page, chosen period) error {
	now, err := a.ask(ctx, "figures", chosen)
	if err != nil {
		return err
	}
	before, err := a.ask(ctx, "figures", chosen.before())
	if err != nil {
		return err
	}
	a.inPeriod = int64(now.sum("messages"))
	var comparable bool
	if p.Compared, comparable = compared(chosen, a.first); !comparable {
		before = nil
	}
	p.Figures, p.FiguresSQL = figures(now, before, begin(chosen.before(), a.first)), now.SQL
	return nil
}

// compared says with what a period is compared, and whether anything is recorded there. first is the first day with a
// record, or empty.
func compared(chosen period, first string) (says string, is bool) {
	if first == "" || first >= chosen.from.Format(time.DateOnly) {
		return "Nothing is recorded before this period that it could be compared with.", false
	}
	return fmt.Sprintf("Each is compared with the %s before, %s.", term.Plural(chosen.days(), "day"),
		chosen.before().words()), true
}

// period finds the last activity. A time in the future comes from a wrong clock and is ignored.
func (a *asker) period(ctx context.Context, zone *time.Location) (p period, upTo string, undated int64, err error) {
	q, err := a.ask(ctx, "days", period{to: a.lastDay(zone)})
	if err != nil {
		return p, "", 0, err
	}
	a.messages = int64(q.sum("messages"))
	if q.value(0, "first_day") != nil {
		a.first = cutTo(q.value(0, "first_day"), len(time.DateOnly))
	}
	if q.value(0, "first_event") != nil {
		a.events = cutTo(q.value(0, "first_event"), len(time.DateOnly))
	}
	var last *time.Time
	if t, err := time.Parse(time.DateOnly, q.text(0, "last_day")); err == nil {
		last = &t
	}
	p, upTo = periodOf(a.Options, zone, last)
	return p, upTo, int64(q.sum("without_day")), nil
}

// ofProjects names the chosen projects in a sentence; "" for all.
func (a *asker) ofProjects() string {
	if a.ProjectURIs == nil {
		return ""
	}
	return " in project " + a.Projects
}

// freshness says when the warehouse was loaded, and how recent its data is.
func freshness(q *question) []string {
	var out []string
	good, last := moment(q, "last_good_load"), moment(q, "last_load")
	switch status := q.text(0, "last_load_status"); {
	case last == "":
		return []string{"Nothing was loaded yet: pipeline run does it."}
	case good == last:
		out = append(out, "Loaded "+good+", status "+status+".")
	case good == "":
		out = append(out, fmt.Sprintf("No load was whole yet; the last one, %s, ended with status %s.", last, status))
	default:
		out = append(out, fmt.Sprintf("The last whole load was %s; the last one, %s, ended with status %s.", good, last,
			status))
	}
	if newest := moment(q, "newest_message"); newest != "" {
		out = append(out, "Newest message "+newest+".")
	} else {
		out = append(out, "No message records its own time.")
	}
	stores, unread := int64(q.sum("stores")), int64(q.sum("unread_stores"))
	read := "all read"
	if unread > 0 {
		read = count(unread) + " could not be read whole"
	}
	return append(out, fmt.Sprintf("%s, %s, %s.", term.Plural(int64(q.sum("sources")), "source"),
		term.Plural(stores, "store"), read))
}

// moment writes a time for people; "" if there is none.
func moment(q *question, name string) string {
	t, err := time.Parse("2006-01-02 15:04", cutTo(q.value(0, name), len("2006-01-02 15:04")))
	if err != nil {
		return ""
	}
	return t.Format("2 January 2006, 15:04")
}

// usualDays is the default length of the period.
const usualDays = 90

// A period is a range of whole days, both ends included. Its times are midnights in UTC that stand for days in the
// reader's time zone.
type period struct{ from, to time.Time }

// day is the day of a time in a zone.
func day(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func (p period) days() int { return int(p.to.Sub(p.from).Hours()/24) + 1 }

// before is the period of the same length just before.
func (p period) before() period {
	return period{p.from.AddDate(0, 0, -p.days()), p.from.AddDate(0, 0, -1)}
}

// condition is the SQL condition for the period's rows of a view with a column day.
func (p period) condition() string {
	return fmt.Sprintf("day BETWEEN DATE '%s' AND DATE '%s'", p.from.Format(time.DateOnly), p.to.Format(time.DateOnly))
}

// words are the period's first and last day for people.
func (p period) words() string {
	first := "2 January 2006"
	if p.from.Year() == p.to.Year() {
		first = "2 January"
	}
	return p.from.Format(first) + " to " + p.to.Format("2 January 2006")
}

// lastDay is the last day that a period may have: today, or the last one before Until.
func (o Options) lastDay(zone *time.Location) time.Time {
	today := day(o.Now, zone)
	if o.Until != nil {
		if last := day(o.Until.Add(-time.Millisecond), zone); last.Before(today) {
			return last
		}
	}
	return today
}

// periodOf returns the period of the page, and words for its last day.
func periodOf(o Options, zone *time.Location, last *time.Time) (p period, upTo string) {
	end, until := o.lastDay(zone), "today"
	if end.Before(day(o.Now, zone)) {
		until = end.Format("2 January 2006")
	}
	switch {
	case o.Since != nil:
		return period{day(*o.Since, zone), end}, until
	case last == nil:
		return period{end.AddDate(0, 0, 1-usualDays), end}, until + ": no activity is recorded"
	case until != "today":
		return period{last.AddDate(0, 0, 1-usualDays), *last}, "the last recorded activity until " + until
	}
	return period{last.AddDate(0, 0, 1-usualDays), *last}, "the last recorded activity"
}
