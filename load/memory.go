package load

import (
	"context"

	"pipeline/load/engine"
)

// Memory is what a load may hold at a time, in bytes; a zero field stands for its default.
type Memory struct {
	Engine int64 // the engine's limit: what it counts, which is most of what it takes
	Alone  int64 // the same while nothing else holds rows: it merges, checks, writes Parquet
	Batch  int64 // rows of one table on their way into the engine, which does not count them
	Group  int64 // rows of the raw layer that are compressed and written at once
}

func (m Memory) orDefault() Memory {
	d := func(n *int64, standard int64) {
		if *n == 0 {
			*n = standard
		}
	}
	d(&m.Engine, engine.MemoryLimit)
	d(&m.Alone, m.Engine)
	d(&m.Batch, 8<<20)
	d(&m.Group, 8<<20)
	return m
}

// alone gives the engine what it may have now that every row is written, and a large load every core.
func (t *transaction) alone(ctx context.Context) error {
	err := t.exec(ctx, engine.SetMemory(t.settings.Memory.Alone))
	if err == nil && t.rows > engine.ManyRows {
		err = t.exec(ctx, engine.SetThreads())
	}
	return err
}
