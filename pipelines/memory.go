package pipelines

import (
	"cmp"
	"context"
	"runtime/debug"
	"strings"

	"github.com/dustin/go-humanize"

	"pipeline/load"
	"pipeline/load/engine"
)

// DefaultMemory is the memory of a run without --memory, in bytes.
const DefaultMemory = 512 * 1000 * 1000

// MinMemory is the least memory that a run needs: the engine needs it to write its largest table.
const MinMemory = 256 * 1000 * 1000

// leastAlone is what the engine needs to merge, check and publish: most of MinMemory. From a larger budget it gets a
// smaller share, as it does not count everything that it allocates, and what it frees lingers: with 42 % of the budget a
// load of 100,000 conversations took 503 MB, with 36 % 458.
const leastAlone = MinMemory * 60 / 100

// Budget splits a run's memory, in bytes, between the parts that hold rows at the same time. The rest is for the
// program itself and for what the engine does not count.
type Budget struct {
	Engine load.Memory // the warehouse's engine, and rows on their way to it
	Heap   int64       // limit of this program's heap: near it the garbage collector works harder
	Buffer int64       // the largest conversation that is passed to a worker whole; a larger one is streamed
	Ahead  int64       // rows that wait to be written as Parquet beside a first load
	Rows   int64       // rows of a conversation that are held until their order is known; if there are more, all wait in a file
}

// Split splits the memory of a run; 0 means DefaultMemory.
func Split(memory int64) Budget {
	memory = cmp.Or(memory, DefaultMemory)
	return Budget{
		Engine: load.Memory{Engine: memory * 22 / 100, Alone: min(memory*60/100, max(memory*36/100, leastAlone)), Batch: memory / 64, Group: memory / 64, Spare: memory >= DefaultMemory},
		Heap:   memory * 30 / 100, Buffer: memory / 8, Ahead: memory / 128, Rows: memory / 64,
	}
}

// memory is the memory of a run, with what its engine got in addition.
type memory struct {
	Budget
	grown int // number of times that the engine's share was doubled
	warn  func(format string, args ...any)
}

func (o Options) memory() *memory {
	m := &memory{Budget: Split(o.Memory), warn: o.Warn}
	if o.held > 0 {
		m.Buffer, m.Rows = o.held, o.held
	}
	return m
}

// mostGrown limits how often the engine's share is doubled.
const mostGrown = 4

// grow calls do, and again with twice the engine's share while memory runs out: some rows are much larger than others,
// and a budget is no reason to lose them.
func (m *memory) grow(ctx context.Context, do func() error) error {
	for {
		err := do()
		if err == nil || ctx.Err() != nil || !engine.OutOfMemory(err) || m.grown == mostGrown {
			return err
		}
		m.grown++
		m.Engine.Engine *= 2
		m.Engine.Alone *= 2
		why, _, _ := strings.Cut(err.Error(), "\n")
		m.warn("the warehouse's engine needs more memory than its share of --memory; trying with %s for it (%s)", humanize.Bytes(uint64(m.Engine.Alone)), why)
	}
}

// collectLess is for work that keeps few of the values that it reads: a small heap would be collected again and again, although
// it is far from its limit. The limit stays. The result undoes the change.
func collectLess() (undo func()) {
	before := debug.SetGCPercent(800)
	return func() { debug.SetGCPercent(before) }
}

// limitHeap makes the garbage collector run more often when the heap nears its share. The result undoes that.
func (b Budget) limitHeap() (undo func()) {
	limit := debug.SetMemoryLimit(-1)
	if b.Heap < limit { // the environment may have set a lower limit
		debug.SetMemoryLimit(b.Heap)
	}
	return func() { debug.SetMemoryLimit(limit) }
}
