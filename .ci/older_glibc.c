// The C++ library that is linked into the program for Linux asks glibc 2.36 for random numbers. This is the same of what glibc 2.25 has, so that the
// program runs on the systems of 2021 and later.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t arc4random(void) {
	uint32_t number;
	if (getentropy(&number, sizeof number)) abort();
	return number;
}
