// Package failpoint has moments at which a test lets a program fail.
//
// It knows how a program fails at one, and must never know what it was about to do: each package names the moments of
// its own work.
package failpoint

import (
	"fmt"
	"os"
)

// A Point is a moment of a run.
type Point string

// enabled is only set in a program that is a test's.
var enabled bool

// Enable lets the program fail as the environment says: with PIPELINE_FAILPOINT=NAME=kill it kills itself at a moment,
// with NAME=error Reach returns an error. Only tests call it.
func Enable() { enabled = true }

// Reach fails if the program is a test's and its environment says so.
func (p Point) Reach() error {
	if !enabled {
		return nil
	}
	switch os.Getenv("PIPELINE_FAILPOINT") {
	case string(p) + "=kill":
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {} // until the signal is there
	case string(p) + "=error":
		return fmt.Errorf("the failpoint %s", p)
	}
	return nil
}
