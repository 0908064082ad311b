package pipelines

import (
	"cmp"
	"context"
	"os"
	"runtime"
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

// Budget splits a run's memory, in bytes, between the parts that hold rows at the same time. The rest is for the
// program itself and for what the engine does not count.
type Budget struct {
	Engine load.Memory // the warehouse's engine, and rows on their way to it
	Heap   int64       // limit of this program's heap: near it the garbage collector works harder
	Buffer int64       // the largest conversation that is passed to a worker whole; a larger one is streamed
	// rows of a conversation that are held until their order is known; if there are more, all wait in a file
	Rows int64
}

// Split splits the memory of a run; 0 means DefaultMemory.
//
// The engine does not count everything that it allocates, and what it frees lingers: it takes a smaller share of a
// large budget. With 42 % of the budget for the merge, the checks and the publication a load of 100,000 conversations
// took 503 MB, with 36 % 458. With 22 % for the engine and 38 % for the heap before that, a load of 3 GB took 469 to
// 490 MB, with 16 % and 34 % 402 to 446. A load of few rows ends before other parts have grown: 26 % take 5 %
// less time and 30 MB more than 22 %, with which the engine puts texts into a file that it reads again at the commit.
//
// Of a small budget it takes more, as rows with long results of tools need so much whatever the budget is: with less,
// the load begins again with twice as much (grow). With 16 and 44 % of 256 MB a load of 2 GB of agents' chats took 89
// CPU seconds and 362 MB, with 25 and 56 % 68 and 310. With an eighth for a conversation that is held, a load of 3 GB
// with 256 MB took 296 MB, with a sixteenth 279; with 512 MB there is room for the eighth, which saves reading such a
// conversation twice.
func Split(memory int64) Budget {
	memory = cmp.Or(memory, DefaultMemory)
	least := min(memory, MinMemory)
	b := Budget{
		Engine: load.Memory{Engine: max(memory*16/100, least*25/100), Few: max(memory*26/100, least*25/100),
			Alone: max(memory*36/100, least*56/100),
			Batch: memory / 64, Group: memory / 64, Spare: memory >= DefaultMemory},
		Heap: memory * 34 / 100, Buffer: memory / 16, Rows: memory / 64,
	}
	if b.Engine.Spare {
		b.Buffer = memory / 8
	}
	return b
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
		m.warn("the warehouse's engine needs more memory than its share of --memory; trying with %s for it (%s)",
			humanize.Bytes(uint64(m.Engine.Alone)), why)
	}
}

// othersHeap is what the heap of a command that is no run should not exceed, in bytes.
const othersHeap = 200 * 1000 * 1000

// LimitHeap bounds the program's heap: beside other programs the collector is late, and a heap grows by half. A run has
// a limit of its own.
func LimitHeap() {
	if !limitedOutside() {
		debug.SetMemoryLimit(othersHeap)
	}
}

// limitedOutside reports whether the environment limits the heap.
func limitedOutside() bool { return os.Getenv("GOMEMLIMIT") != "" }

// limitHeap makes the garbage collector run more often when the heap nears its share, and seldom before: most of what
// is read is kept for a moment only, and a small heap would be collected again and again. The result undoes that.
func (b Budget) limitHeap() (undo func()) {
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(800)
	if b.Heap < limit || !limitedOutside() {
		debug.SetMemoryLimit(b.Heap)
	}
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// returnHeap returns memory that is no longer needed to the system, for the engine's largest sorts and texts, which
// come next. To return little is not worth a collection, unless memory is short.
func (b Budget) returnHeap() {
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); !b.Engine.Spare || int64(m.HeapSys-m.HeapReleased) > b.Heap/2 {
		debug.FreeOSMemory()
		engine.Trim()
	}
}
