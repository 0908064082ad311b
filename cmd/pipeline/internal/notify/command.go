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

// A Command is a shell command line that is run after a run.
type Command struct {
	Line   string
	Output io.Writer     // for the command's output
	Limit  time.Duration // time limit; 0: one minute
}

const (
	CommandLimit = time.Minute // time limit of a command
	maxFact      = 4 << 10     // largest size of a variable: systems limit them
)

// Run runs the line, without input. The facts are environment variables, besides those of this program. Variables in
// leave are not passed on.
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
		return fmt.Errorf("the command at the end did not finish in %v and was stopped", limit)
	case errors.As(err, &exit):
		return fmt.Errorf("the command at the end failed: %s", exit.ProcessState)
	case err != nil:
		return fmt.Errorf("the command at the end could not be run: %w", err)
	}
	return nil
}

// shell runs the line with the system's shell.
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
