package notify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Command is a line for the shell that is run when a run has ended.
type Command struct {
	Line   string
	Output io.Writer     // of what it prints
	Limit  time.Duration // after which it is ended; 0: one minute
}

const (
	CommandLimit = time.Minute // of a command at the end
	maxFact      = 4 << 10     // bytes of a variable: the system has little room for them
)

// Run runs the line with the facts as environment variables beside those of this program, and without an input. The variables of leave are not handed on.
func (c Command) Run(facts map[string]string, leave ...string) error {
	limit := c.Limit
	if limit == 0 {
		limit = CommandLimit
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := shell(ctx, c.Line)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Output, c.Output, time.Second
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if _, fact := facts[name]; !fact && !slices.Contains(leave, name) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	for name, value := range facts {
		value = strings.ReplaceAll(value, "\x00", " ")
		cmd.Env = append(cmd.Env, name+"="+strings.ToValidUTF8(value[:min(len(value), maxFact)], ""))
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("the command at the end did not come to its own end in %v and was stopped", limit)
	case errors.As(err, &exit):
		return fmt.Errorf("the command at the end failed: %s", exit.ProcessState)
	case err != nil:
		return fmt.Errorf("the command at the end could not be run: %w", err)
	}
	return nil
}

// shell is the line as the system's shell reads it.
func shell(ctx context.Context, line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		cmd := exec.CommandContext(ctx, "cmd")
		shellLine(cmd, line)
		return cmd
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	ownGroup(cmd)
	return cmd
}
