//go:build linux && cgo

package engine

/*
// Nothing is loaded into the program that would look for its names: without their list it is 6 MB smaller.
#cgo LDFLAGS: -Wl,--no-export-dynamic
#include <features.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#ifdef __GLIBC__
#include <malloc.h>

// One arena for all threads, as memory that one thread has freed is not used by others in their own arenas. It is set before main: a thread takes its arena when
// it begins. It grows by megabytes, not by pages. Small pieces that are freed are joined at once: else each larger one that is freed goes through the list of all
// small ones, and a catalogue of a hundred views has many.
__attribute__((constructor)) static void one_arena(void) {
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MXFAST, 0);
	mallopt(M_TOP_PAD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 4 << 20);
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif

// The engine brings an allocator of its own. A build without it has no such symbol.
extern int duckdb_je_mallctl(const char *name, void *old, size_t *old_size, void *value, size_t size) __attribute__((weak));

static void set_decay(const char *name, ssize_t ms) {
	duckdb_je_mallctl(name, NULL, NULL, &ms, sizeof ms);
}

static void give_back_after(ssize_t ms) {
	unsigned arenas = 0;
	size_t size = sizeof arenas;
	if (!duckdb_je_mallctl || duckdb_je_mallctl("arenas.narenas", &arenas, &size, NULL, 0)) return;
	set_decay("arenas.dirty_decay_ms", ms); // of arenas to come
	set_decay("arenas.muzzy_decay_ms", ms);
	for (unsigned i = 0; i < arenas; i++) { // those that no thread uses yet refuse it
		char name[64];
		snprintf(name, sizeof name, "arena.%u.dirty_decay_ms", i);
		set_decay(name, ms);
		snprintf(name, sizeof name, "arena.%u.muzzy_decay_ms", i);
		set_decay(name, ms);
	}
}

// freed returns how many bytes it holds that are freed and not returned; -1: nobody knows. 4096 stands for all arenas.
static long long freed(void) {
	unsigned long long epoch = 1; // the figures are taken anew
	size_t page = 0, pages = 0, size = sizeof page;
	if (!duckdb_je_mallctl || duckdb_je_mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) || duckdb_je_mallctl("arenas.page", &page, &size, NULL, 0) ||
	    duckdb_je_mallctl("stats.arenas.4096.pdirty", &pages, &size, NULL, 0))
		return -1;
	return (long long)page * pages;
}

static void give_back(void) {
	if (duckdb_je_mallctl) duckdb_je_mallctl("arena.4096.purge", NULL, NULL, NULL, 0);
}
*/
import "C"

// returnFreed makes the engine's own allocator (jemalloc) return freed memory after some milliseconds. By default it
// keeps it for a second and more, uncounted: a fifth of all memory in a large load. To return it at once costs a tenth
// of the time.
func returnFreed(ms int) { C.give_back_after(C.ssize_t(ms)) }

// freed is how many bytes it holds that are freed and not returned, or -1 if it does not say so.
func freed() int { return int(C.freed()) }

// returnAll makes it return all of them.
func returnAll() { C.give_back() }

// Trim returns what the C library holds of freed memory.
func Trim() { C.trim() }
