package schema

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
	// ByMonth tables are published in a folder of their own, with a file for each month.
	ByMonth
	// Live tables are published a second time, without the rows that Cursor has deleted.
	Live
)

// Is reports whether the table has a trait.
func (t Table) Is(trait Trait) bool { return t.Traits&trait != 0 }
