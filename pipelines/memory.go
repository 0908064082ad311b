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

// DefaultMemory is the memory that a run may take where nothing else is asked for, in bytes.
const DefaultMemory = 512 * 1000 * 1000

// MinMemory is the least that a run can do with: the engine needs that much to write its largest table.
const MinMemory = 256 * 1000 * 1000

// leastAlone is what the engine needs to merge, check and publish: most of MinMemory. Of a larger budget it gets a smaller part, as it does not count all
// that it takes: with three fifths of it a load of 37,000 messages took 509 MB, with two fifths 491.
const leastAlone = MinMemory * 60 / 100

// Budget is a run's memory in bytes, split among those who hold rows at the same time. What it does not name is the program itself and what the
// engine takes uncounted.
type Budget struct {
	Engine load.Memory // the warehouse's engine and what is on its way there
	Heap   int64       // of this program: the collector works harder near it
	Buffer int64       // the largest conversation that is handed to a worker; a larger one is streamed while it is read
	Rows   int64       // rows of a conversation that are held until their order is known; what is over that is read a second time
}

// Split shares out the memory of a run; 0 is DefaultMemory.
func Split(memory int64) Budget {
	memory = cmp.Or(memory, DefaultMemory)
	return Budget{
		Engine: load.Memory{Engine: memory * 34 / 100, Alone: min(memory*60/100, max(memory*42/100, leastAlone)), Batch: memory / 64, Group: memory / 64},
		Heap:   memory * 26 / 100, Buffer: memory / 64, Rows: memory / 16,
	}
}

// memory is what a run may take, with what its engine was granted meanwhile.
type memory struct {
	Budget
	grown int // how often the engine's share was doubled
	warn  func(format string, args ...any)
}

func (o Options) memory() *memory { return &memory{Budget: Split(o.Memory), warn: o.Warn} }

// mostGrown is how often the engine's share may double.
const mostGrown = 4

// grow does something, and does it again with twice the engine's share as long as that does not suffice: rows that are larger than others need what
// they need, and a budget is no reason to lose them.
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

// collectLess is for a pass over values of which nothing is held: a small heap would be collected after every few of them, which costs more than the
// pass. The limit of the heap stays. It returns what undoes that.
func collectLess() (undo func()) {
	before := debug.SetGCPercent(800)
	return func() { debug.SetGCPercent(before) }
}

// limitHeap has the garbage of rows collected more often when the heap nears its share. It returns what undoes that.
func (b Budget) limitHeap() (undo func()) {
	limit := debug.SetMemoryLimit(-1)
	if b.Heap < limit { // the environment may have set a lower one
		debug.SetMemoryLimit(b.Heap)
	}
	return func() { debug.SetMemoryLimit(limit) }
}
