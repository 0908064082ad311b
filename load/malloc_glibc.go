//go:build linux && cgo

package load

/*
#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
static void one_arena(void) { mallopt(M_ARENA_MAX, 1); }
#else
static void one_arena(void) {}
#endif
*/
import "C"

// oneArena has all threads allocate from one arena. The engine allocates and frees blocks on every thread that calls it: with an arena for each,
// what one has freed is not there for the others, and the same load takes a tenth more memory.
func oneArena() { C.one_arena() }
