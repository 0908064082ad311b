package pipelines

import (
	"cmp"
	"runtime/debug"

	"github.com/dustin/go-humanize"

	"pipeline/load"
)

// DefaultMemory is the memory that a run may take where nothing else is asked for, in bytes.
const DefaultMemory = 512 * 1000 * 1000

// MinMemory is the least that a run can do with: the engine needs that much to write its largest table.
const MinMemory = 256 * 1000 * 1000

// budget is a run's memory, split among those who hold rows at the same time. The rest is the program itself and what the engine does not count.
type budget struct {
	engine load.Memory // the warehouse's engine and what is on its way there
	heap   int64       // of this program: the collector works harder near it
	buffer int64       // the largest conversation that is handed to a worker; a larger one is streamed while it is read
	rows   int64       // rows of a conversation that are held until their order is known; what is over that is read a second time
}

// split shares out the memory of a run.
func split(opt Options) budget {
	memory := cmp.Or(opt.Memory, DefaultMemory)
	return budget{
		engine: load.Memory{Engine: (memory * 36 / 100) << opt.grown, Batch: memory / 64, Group: memory / 64},
		heap:   memory * 20 / 100, buffer: memory / 32, rows: memory / 16,
	}
}

// published is what the engine may take while it writes Parquet: nothing else holds rows then.
func (b budget) published() load.Memory {
	b.engine.Engine = b.engine.Engine * 3 / 2
	return b.engine
}

// mostGrown is how often the engine's share may double.
const mostGrown = 4

// grow doubles the engine's share after it did not suffice, and reports whether another try may do: rows that are larger than others need what
// they need, and a budget is no reason to lose them.
func (o *Options) grow(err error) bool {
	if !load.OutOfMemory(err) || o.grown == mostGrown {
		return false
	}
	o.grown++
	o.Warn("the warehouse's engine needs more memory than its share of --memory; trying with %s for it", humanize.Bytes(uint64(split(*o).engine.Engine)))
	return true
}

// limitHeap has the garbage of rows collected more often when the heap nears its share. It returns what undoes that.
func (b budget) limitHeap() (undo func()) {
	limit := debug.SetMemoryLimit(-1)
	if b.heap < limit { // the environment may have set a lower one
		debug.SetMemoryLimit(b.heap)
	}
	return func() { debug.SetMemoryLimit(limit) }
}
