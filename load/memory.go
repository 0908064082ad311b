package load

import "pipeline/load/engine"

// Memory is how many bytes a load may hold at a time. A zero field stands for its default.
type Memory struct {
	Engine int64 // the engine's limit: what it counts, which is most of what it takes
	Few    int64 // the same while the load has few rows (engine.ManyRows): other parts take less then
	Alone  int64 // the same while nothing else holds rows: it merges, checks, writes Parquet
	Batch  int64 // rows of one table on their way into the engine, which does not count them
	Group  int64 // rows of the raw layer that are compressed and written at once
	Spare  bool  // there is room for memory that the engine has just freed
}

// OrDefault returns m with the default for each zero field.
func (m Memory) OrDefault() Memory {
	d := func(n *int64, standard int64) {
		if *n == 0 {
			*n = standard
		}
	}
	d(&m.Engine, engine.MemoryLimit)
	m.Few = max(m.Few, m.Engine)
	d(&m.Alone, m.Engine)
	d(&m.Batch, 8<<20)
	d(&m.Group, 8<<20)
	return m
}
