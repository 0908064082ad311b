//go:build failpoints

package failpoint

import (
	"fmt"
	"os"
)

// Reach fails as the environment variable says.
func (p Point) Reach() error {
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
