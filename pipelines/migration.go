package pipelines

import "pipeline/load"

// tellMigration reports the migration of a warehouse of an earlier version, before anything is loaded into it.
func (o Options) tellMigration(m *load.Migration) {
	switch {
	case m == nil:
		return
	case m.From == m.To:
		o.Note("added the tables and columns that this version has and the warehouse lacked; a copy of the old warehouse is in %s", m.Copy)
	default:
		o.Note("brought the warehouse from schema version %d to %d; a copy of the old one is in %s", m.From, m.To, m.Copy)
	}
	o.Note("everything is read again now, to fill what is new in the warehouse; 'pipeline rebuild' also fills it for what Cursor has deleted")
}
