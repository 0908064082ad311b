//go:build (linux || darwin) && cgo

package early

/*
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// end ends the program as main does when it is interrupted: nothing has begun yet. Go's runtime calls it, too, where it has no handler of its own for a signal.
static void end(int signal) {
	(void)signal;
	_exit(130);
}

// ends has a signal do that, unless whoever started the program has it ignored.
static void ends(int signal) {
	struct sigaction now;
	if (sigaction(signal, NULL, &now) || now.sa_handler != SIG_DFL) return;
	memset(&now, 0, sizeof now);
	now.sa_handler = end;
	now.sa_flags = SA_ONSTACK | SA_RESTART;
	sigfillset(&now.sa_mask);
	sigaction(signal, &now, NULL);
}

// is_memory says whether the runtime understands a value of GOMEMLIMIT: off, or a number of bytes with a unit or without.
static int is_memory(const char *text) {
	static const char *const units[] = {"", "B", "KiB", "MiB", "GiB", "TiB"};
	static const int shifts[] = {0, 0, 10, 20, 30, 40};
	unsigned long long n = 0, most = 0x7fffffffffffffffULL;
	if (!*text || !strcmp(text, "off")) return 1;
	if (*text < '0' || *text > '9') return 0;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (n > (most - (*text - '0')) / 10) return 0;
		n = 10 * n + (*text - '0');
	}
	for (int i = 0; i < 6; i++)
		if (!strcmp(text, units[i])) return n <= most >> shifts[i];
	return 0;
}

// needs ends the program if a limit of the system is so low that the runtime or the engine would fail in the middle.
static void needs(int limit, unsigned long long least, const char *what, const char *remedy) {
	struct rlimit now;
	if (getrlimit(limit, &now) || now.rlim_cur == RLIM_INFINITY || now.rlim_cur >= least) return;
	fprintf(stderr, "pipeline: %s is limited to %llu kB here, and must be at least %llu kB: nothing was done\nRaise it: %s %llu\n", what, (unsigned long long)now.rlim_cur >> 10, least >> 10, remedy,
		least >> 10);
	_exit(1);
}

__attribute__((constructor)) static void begin(void) {
	ends(SIGTERM);
	ends(SIGINT);
	ends(SIGHUP);
	const char *memory = getenv("GOMEMLIMIT");
	if (memory && !is_memory(memory)) {
		fputs("pipeline: the variable GOMEMLIMIT is not understood: it must be a size such as 500MiB, or off\nUnset it: pipeline needs none, see --memory of 'pipeline run'\n", stderr);
		_exit(2);
	}
	needs(RLIMIT_STACK, 256ULL << 10, "the stack", "ulimit -s");
#ifdef __linux__
	needs(RLIMIT_AS, 2000000000ULL, "the address space (not the memory)", "ulimit -v");
#endif
}
*/
import "C"
