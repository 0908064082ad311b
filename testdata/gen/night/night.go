// Package night says what part of their work the longest tests do in this night's make endurance: each night they draw
// another one, so that some nights together try what one would take too long for.
package night

import (
	"os"
	"strconv"
)

// On is false outside of make endurance.
func On() bool { return os.Getenv("PIPELINE_ENDURANCE") != "" }

// Number counts the nights since 1970, or is what NIGHT of make endurance says: so a test that failed draws the same
// again.
func Number() int {
	n, _ := strconv.Atoi(os.Getenv("PIPELINE_ENDURANCE"))
	return n
}

// Draws says whether it is this night that tries the i-th of many things; so many nights try all.
func Draws(i, nights int) bool { return On() && (i+Number())%nights == 0 }
