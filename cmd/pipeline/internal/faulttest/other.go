//go:build !(linux && amd64)

package faulttest

import (
	"fmt"
	"os/exec"
)

func run(*exec.Cmd, []Kind, func(Call) Answer) (int, string, error) {
	return 0, "", fmt.Errorf("%w: that takes Linux on amd64", ErrUnsupported)
}

func become(string) {}
