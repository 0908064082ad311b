// What the C++ library that is linked into the program for Linux asks newer versions of glibc for: the same by what 2.28 has.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

char __libc_single_threaded = 0; // of 2.32: there may be other threads

uint32_t arc4random(void) { // of 2.36
	uint32_t number;
	if (getentropy(&number, sizeof number)) abort();
	return number;
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) { // of 2.38
	return strtoul(text, end, base);
}
