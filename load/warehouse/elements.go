package warehouse

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"pipeline/sql/schema"
)

// This file keeps the table load_elements: what the documents of a load held, and what became of it.

// elementKey names a row of load_elements of this load.
type elementKey struct{ source, store, family, list string }

// elementNotes are the counts of the rows that a load wrote.
type elementNotes struct {
	rows    map[elementKey]*schema.LoadElement
	counted map[string]bool // sources whose documents were counted
}

// writtenMessages is the family of the row that compares the messages that documents became with those written.
const writtenMessages = "messages"

// add adds the counts of some documents.
func (n *elementNotes) add(rows []schema.LoadElement) {
	for _, row := range rows {
		if n.counted == nil {
			n.counted = map[string]bool{}
		}
		n.counted[row.SourceID] = true
		have := n.of(elementKey{row.SourceID, row.Store, row.Family, row.List})
		have.Seen += row.Seen
		have.Rows += row.Rows
		have.Quarantined += row.Quarantined
		have.Duplicates += row.Duplicates
		have.Skipped += row.Skipped
		if schema.IsMessageList(row.Family, row.List) {
			n.of(elementKey{source: row.SourceID, family: writtenMessages}).Seen += row.Rows
		}
	}
}

func (n *elementNotes) of(key elementKey) *schema.LoadElement {
	if n.rows == nil {
		n.rows = map[elementKey]*schema.LoadElement{}
	}
	if n.rows[key] == nil {
		n.rows[key] = &schema.LoadElement{SourceID: key.source, Store: key.store, Family: key.family, List: key.list}
	}
	return n.rows[key]
}

// take adds the counts of a batch, and the messages in it, which are all of one source.
func (n *elementNotes) take(rows *schema.Rows) {
	n.add(rows.Elements)
	if len(rows.Messages) > 0 {
		n.of(elementKey{source: rows.Messages[0].SourceID, family: writtenMessages}).Rows += int64(len(rows.Messages))
	}
	rows.Elements = nil // they are written when all are counted
}

// writeElements writes the counts of this load.
func (t *Load) writeElements() error {
	var rows []schema.LoadElement
	for _, row := range slices.SortedFunc(maps.Values(t.elements.rows), func(a, b *schema.LoadElement) int {
		return cmp.Or(strings.Compare(a.SourceID, b.SourceID), strings.Compare(a.Store, b.Store),
			strings.Compare(a.Family, b.Family), strings.Compare(a.List, b.List))
	}) {
		if t.elements.counted[row.SourceID] {
			row.LoadID = t.settings.LoadID
			rows = append(rows, *row)
		}
	}
	if err := appendRows(t, rows); err != nil {
		return err
	}
	return t.closeAppenders()
}
