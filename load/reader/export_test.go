package reader

import (
	"maps"
	"slices"
	"testing"
	"time"
)

// Impatient makes readers of a test wait for nobody.
func Impatient(t *testing.T) {
	before := busyWait
	busyWait = time.Nanosecond
	t.Cleanup(func() { busyWait = before })
}

// Hold sets the most messages of a conversation that are held.
func (r *Reader) Hold(messages int) { r.held = messages }

// Rules names the tables that have a rule of their own.
func Rules() []string { return slices.Sorted(maps.Keys(narrowedTables)) }
