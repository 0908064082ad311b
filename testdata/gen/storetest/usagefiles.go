package storetest

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file writes what Cursor counted into the three kinds of files that tell of it. They overlap: of a turn there may
// be all three.

// Names of the files of WriteUsage.
const (
	usageExport = "usage-events-2026.csv"
	usagePage   = "usage-events-page.json"
	usageLog    = "hooks.jsonl"
)

// WriteUsage writes what Cursor has counted of the latest conversations into a folder: an export of the dashboard, a
// page of events of its API, a log of hooks.
func (p *Plan) WriteUsage(dir string) error {
	u := p.usage()
	err := os.MkdirAll(dir, 0o777)
	for name, text := range map[string]string{usageExport: u.export, usagePage: u.page, usageLog: u.log} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	if err == nil && p.o.Plant != nil {
		err = p.o.Plant.files(dir)
	}
	return err
}

// usageFiles are all that was counted, the files that tell of it, and what their events are.
type usageFiles struct {
	turns             []*usageTurn
	export, page, log string
	events            []UsageEventWant
}

// usage makes the files.
func (p *Plan) usage() usageFiles {
	u := usageFiles{turns: p.usageTurns()}
	var exported, paged []usageEvent
	var log strings.Builder
	for _, t := range u.turns {
		for _, q := range t.requests {
			if t.inExport {
				exported = append(exported, usageEvent{t, q})
			}
			if t.inPage {
				paged = append(paged, usageEvent{t, q})
			}
		}
		if t.hook {
			t.writeHooks(&log)
			w := t.want(t.end, usageLog, strings.Count(log.String(), "\n"))
			w.Named, w.Join = t.chat, "id"
			u.events = append(u.events, w)
		}
	}
	latest := func(a, b usageEvent) int { return cmp.Compare(b.q.at, a.q.at) }
	slices.SortStableFunc(exported, latest)
	slices.SortStableFunc(paged, latest)
	var rows, events []string
	for i, e := range exported {
		rows = append(rows, e.row())
		u.events = append(u.events, e.want(u.turns, usageExport, i+2))
	}
	for i, e := range paged {
		events = append(events, e.json())
		u.events = append(u.events, e.want(u.turns, usagePage, i+3))
	}
	u.export = usageHead + "\n" + strings.Join(append(rows, ""), "\n")
	u.page = `{"totalUsageEventsCount":` + itoa(len(paged)) + ",\n\"usageEventsDisplay\":[\n" +
		strings.Join(events, ",\n") + "\n]}\n"
	u.log = log.String()
	return u
}

// A usageEvent is a request of a turn.
type usageEvent struct {
	t *usageTurn
	q usageRequest
}

const usageHead = "Date,Cloud Agent ID,Automation ID,Kind,Model,Max Mode,Input (w/ Cache Write),Input (w/o Cache " +
	"Write),Cache Read,Output Tokens,Total Tokens,Cost"

// row is the event in an export: its cost is to the cent, and only there if it is to be paid.
func (e usageEvent) row() string {
	q := e.q
	fields := []string{isoText(q.at), "", "", q.kind.csv, e.t.model, e.t.max(), "", "", "", "", "", "-"}
	if q.tokens {
		for i, n := range []int64{q.write, q.fresh, q.read, q.output, q.write + q.fresh + q.read + q.output} {
			fields[6+i] = itoa64(n)
		}
		fields[11] = "Included"
	}
	if q.kind.paid {
		fields[11] = "$" + strconv.FormatFloat(float64(q.cents())/100, 'f', 2, 64)
	}
	return `"` + strings.Join(fields, `","`) + `"`
}

// max says whether it was in MAX mode.
func (t *usageTurn) max() string {
	if t.c != nil && t.c.max {
		return "Yes"
	}
	return "No"
}

// folders are those that the window of a turn has open.
func (t *usageTurn) folders() string {
	folder := "/home/mira/src/tide-api"
	if t.c != nil && t.c.told != nil && t.c.project != nil {
		folder = strings.TrimPrefix(t.c.project.want, "file://")
	}
	return list([]string{quoted(folder)})
}

// cents is the cost to the cent.
func (q usageRequest) cents() int64 { return (q.worth + 50) / 100 }

// json is the event in a page of the API.
func (e usageEvent) json() string {
	var o, tokens object
	q := e.q
	o.str("timestamp", itoa64(q.at))
	o.str("model", e.t.model)
	o.str("kind", q.kind.api)
	o.bool("isHeadless", false)
	if e.t.named {
		o.str("conversationId", e.t.chat)
	}
	if q.tokens {
		tokens.int("inputTokens", q.fresh)
		tokens.int("outputTokens", q.output)
		tokens.int("cacheWriteTokens", q.write)
		tokens.int("cacheReadTokens", q.read)
		tokens.raw("totalCents", q.price())
		o.bool("isTokenBasedCall", true)
		o.raw("tokenUsage", tokens.String())
	}
	if q.kind.paid {
		o.raw("chargedCents", q.price())
	}
	return o.String()
}

// price is the cost in cents.
func (q usageRequest) price() string { return strconv.FormatFloat(float64(q.worth)/100, 'f', -1, 64) }

// writeHooks writes what hooks said of a turn: their input includes the cache, and an answer repeats what the end says.
func (t *usageTurn) writeHooks(b *strings.Builder) {
	all := t.sum()
	say := func(at int64, event, suffix string, more func(*object)) {
		var o, line object
		o.str("conversation_id", t.chat)
		o.str("generation_id", t.request+suffix)
		o.str("model", t.model)
		o.str("hook_event_name", event)
		o.str("cursor_version", "3.1.15")
		o.raw("workspace_roots", t.folders())
		more(&o)
		line.str("ts", isoText(at))
		line.raw("payload", o.String())
		b.WriteString(line.String() + "\n")
	}
	counts := func(o *object) {
		o.int("input_tokens", all.fresh+all.write+all.read)
		o.int("output_tokens", all.output)
		o.int("cache_read_tokens", all.read)
		o.int("cache_write_tokens", all.write)
	}
	say(t.end-900, "beforeSubmitPrompt", "", func(o *object) { o.raw("attachments", "[]") })
	say(t.end, "afterAgentResponse", "-0-6ati", func(o *object) { o.str("text", "Done."); counts(o) })
	if !t.noStop {
		say(t.end, "stop", "", func(o *object) { o.str("status", "completed"); o.int("loop_count", 0); counts(o) })
	}
}

// sum are the tokens of the turn.
func (t *usageTurn) sum() (all usageRequest) {
	for _, q := range t.requests {
		all.fresh, all.write, all.read, all.output = all.fresh+q.fresh, all.write+q.write, all.read+q.read,
			all.output+q.output
	}
	return all
}
