package transform

import (
	"fmt"
	"maps"
	"time"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
	"pipeline/transform/usage"
)

// This file makes rows of what Cursor has counted and billed. A file becomes events as it is read, and only these are
// kept: its text may name people.

// usageFile is what else a file says, as JSON.
type usageFile struct {
	Unknown map[string]int64 `json:"unknown"`
	More    int64            `json:"moreProblems"` // beyond those that are told one by one
	// of an export or a page; a log grows, and what it said before stays
	Written int64 `json:"writtenAt,omitempty"`
}

// UsageRows reads files of usage, with the key of the hashes of persons.
func UsageRows(key []byte) extract.UsageParser {
	return func(_ string, written time.Time, text []byte) []extract.UsageRow {
		return usageRows(usage.Parse(text, usage.Options{Key: key}), written)
	}
}

// UsagePerson is the hash by which the rows of events tell a person, of their name or address.
func UsagePerson(key []byte, name string) string { return usage.Person(key, name) }

func usageRows(file *usage.File, written time.Time) (rows []extract.UsageRow) {
	for i := range file.Events {
		rows = append(rows, extract.UsageRow{Family: extract.FamilyUsageEvent, Key: file.Events[i].ID,
			Value: &file.Events[i]})
	}
	told := map[usage.Problem]bool{}
	for i, p := range file.Problems {
		if told[p] {
			continue // another one of its line, of which nothing else is known
		}
		told[p] = true
		rows = append(rows, extract.UsageRow{Family: extract.FamilyUsageProblem, Key: fmt.Sprintf("problem %d", i),
			Value: p})
	}
	about := usageFile{Unknown: maps.Clone(file.Unknown), More: file.MoreProblems}
	if file.Form == usage.CSV || file.Form == usage.API {
		about.Written = written.UnixMilli()
	}
	if len(file.Unknown) > 0 || file.MoreProblems > 0 || about.Written != 0 {
		rows = append(rows, extract.UsageRow{Family: extract.FamilyUsageFile, Key: "file", Value: about})
	}
	return rows
}

// usageRecord makes the row of an event.
func (a *assembly) usageRecord(id string, o jsondoc.Value) {
	a.rows.UsageRecords = append(a.rows.UsageRecords,
		schema.UsageRecord{SourceID: a.n.SourceID, ReadAs: a.owner, File: a.conv.ID, EventID: id,
			Line: deref(o.Get("line").Count()), Origin: o.Get("origin").Text(), OccurredAt: timeOf(o.Get("occurredAt")),
			Model: o.Get("model").Str(), Kind: o.Get("kind").Str(), ConversationID: o.Get("conversationId").Str(),
			RequestID: o.Get("requestId").Str(), CloudAgentID: o.Get("cloudAgentId").Str(),
			Person: o.Get("person").Str(), FreshInputTokens: o.Get("freshInput").Count(),
			CacheWriteTokens: o.Get("cacheWrite").Count(), CacheReadTokens: o.Get("cacheRead").Count(),
			OutputTokens: o.Get("output").Count(), TotalTokens: o.Get("total").Count(),
			CostCents: costIn(o.Get("costCents")), ChargedCents: costIn(o.Get("chargedCents")),
			IsHeadless: o.Get("isHeadless").Boolean(), MaxMode: o.Get("maxMode").Boolean(),
			IsCounted: o.Get("isCounted").IsTrue()})
}

// usageProblem puts a line into quarantine that could not be read. Its text is not kept.
func (a *assembly) usageProblem(o jsondoc.Value) {
	reason := o.Get("reason").Text()
	key := "#" + deref(o.Get("line").Scalar())
	if field := o.Get("field").Text(); field != "" {
		key += " " + field
	}
	a.quarantineUsage(key, reason)
}

// quarantineUsage notes what is behind a file's name in the key.
func (a *assembly) quarantineUsage(key, reason string) {
	key = a.conv.ID + key
	a.quarantine(&extract.Document{Store: extract.UsageStore, Table: extract.UsageStore,
		Family: extract.FamilyUsageProblem, Key: key, KeyType: extract.KeyText, Type: "text"}, reason)
}

// usageFile reads when a file was written, names the columns and fields of it that no reader knows, and says how many
// lines more could not be read.
func (a *assembly) usageFile(o jsondoc.Value) {
	a.usageWritten = timeOf(o.Get("writtenAt"))
	if more := deref(o.Get("moreProblems").Count()); more > 0 {
		a.quarantineUsage(fmt.Sprintf(" and %d lines more", more), "bad_line")
	}
	unknown := map[string]int64{}
	for v := range o.Get("unknown").Inside {
		unknown[string(v.Name())] = deref(v.Count())
	}
	a.fields.lookInParts(extract.FamilyUsageFile, unknown, unknownType)
}
