package sinks

// All returns the sinks, in the order in which people see them. TestSinks runs against every one.
func All() []Sink {
	return []Sink{
		parquet{},
		csv{},
	}
}
