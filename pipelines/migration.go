package pipelines

import "pipeline/load"

// tellMigration says what became of a warehouse of an earlier version before anything was loaded into it.
func (o Options) tellMigration(m *load.Migration) {
	switch {
	case m == nil:
		return
	case m.From == m.To:
		o.Note("added to the warehouse the tables and columns that this version has and it had not; it is kept as it was in %s", m.Copy)
	default:
		o.Note("brought the warehouse from schema version %d to %d; it is kept as it was in %s", m.From, m.To, m.Copy)
	}
	o.Note("everything is read again now, to fill what is new in it; 'pipeline rebuild' fills it also for what Cursor has deleted")
}
