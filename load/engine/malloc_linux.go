//go:build linux && cgo

package engine

/*
#include <features.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#ifdef __GLIBC__
#include <malloc.h>
static void one_arena(void) { mallopt(M_ARENA_MAX, 1); }
#else
static void one_arena(void) {}
#endif

// The engine brings an allocator of its own. A build without it has no such symbol.
extern int duckdb_je_mallctl(const char *name, void *old, size_t *old_size, void *value, size_t size) __attribute__((weak));

static void set_decay(const char *name) {
	ssize_t at_once = 0;
	duckdb_je_mallctl(name, NULL, NULL, &at_once, sizeof at_once);
}

static void give_back(void) {
	unsigned arenas = 0;
	size_t size = sizeof arenas;
	if (!duckdb_je_mallctl || duckdb_je_mallctl("arenas.narenas", &arenas, &size, NULL, 0)) return;
	set_decay("arenas.dirty_decay_ms"); // of arenas to come
	set_decay("arenas.muzzy_decay_ms");
	for (unsigned i = 0; i < arenas; i++) { // those that no thread uses yet refuse it
		char name[64];
		snprintf(name, sizeof name, "arena.%u.dirty_decay_ms", i);
		set_decay(name);
		snprintf(name, sizeof name, "arena.%u.muzzy_decay_ms", i);
		set_decay(name);
	}
}
*/
import "C"

// oneArena limits the C library to one arena for all threads, because memory that one thread has freed is not used by others in their own arenas.
func oneArena() { C.one_arena() }

// returnFreed makes the engine's own allocator (jemalloc) return freed memory at once. By default it keeps it for a second and more, uncounted: a fifth of all
// memory in a large load. In a small load, returning it costs a sixth of the time.
func returnFreed() { C.give_back() }
