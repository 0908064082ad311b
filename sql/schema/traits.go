package schema

import "slices"

// Scope says how a load replaces the rows of a table.
type Scope int

const (
	// ByConversation tables are replaced conversation by conversation. Rows that the store no longer has keep their
	// values.
	ByConversation Scope = iota
	// BySource tables are read whole in each run and replaced source by source.
	BySource
	// ByLoad tables only grow: each run appends.
	ByLoad
	// ByModel tables are built by the SQL models.
	ByModel
	// Internal tables hold what the warehouse needs for later loads; their names begin with an underscore.
	Internal
)

// A Trait is what sets a table apart for those who pass its rows on.
type Trait int

const (
	// Private tables are about this machine's files: nobody else has a use for their rows.
	Private Trait = 1 << iota
	// OfRun tables have what runs note of themselves: a rebuild notes less.
	OfRun
	// OfNobody tables have lists, and sums over all that the machine has: no row is of a project or a conversation.
	OfNobody
	// OwnMonth tables are published by the month of created_at, in UTC.
	OwnMonth
	// MessageMonth tables are published by the month of the message that a row belongs to.
	MessageMonth
	// Live tables are published with the column is_live.
	Live
)

// HasOwnMonth reports whether the table is published by the month of its rows' own times.
func (t Table) HasOwnMonth() bool { return t.Is(OwnMonth) }

// ByMonth reports whether the table is published in a folder of its own, with files for each month.
func (t Table) ByMonth() bool { return t.Is(OwnMonth) || t.Is(MessageMonth) }

// HasDocuments reports whether the table has columns of JSON, whose values may be large.
func (t Table) HasDocuments() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Type == "JSON" })
}

// isLive is the column that published files have beside those of the warehouse.
var isLive = Column{Name: "is_live", Type: "BOOLEAN",
	Doc: "Cursor has it now: neither it nor its conversation is deleted, and the conversation is no orphan, and no " +
		"copy that a further source has."}

// Published returns the table as its published files have it.
func (t Table) Published() Table {
	if t.Is(Live) {
		t.Columns = append(slices.Clone(t.Columns), isLive)
	}
	return t
}

// Is reports whether the table has a trait.
func (t Table) Is(trait Trait) bool { return t.Traits&trait != 0 }
