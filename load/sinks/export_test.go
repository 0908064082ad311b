package sinks

// Tables returns the tables of which rows were written ahead, after End.
func (a *Ahead) Tables() (tables []string) {
	<-a.done
	for p := range a.files {
		tables = append(tables, p.table)
	}
	return tables
}
