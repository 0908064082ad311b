package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// usage is what the operating system counted of a process, or of a part of one.
type usage struct {
	CPU  float64 // seconds, user and system
	Wall float64 // seconds
	RSS  int64   // bytes at the peak; of whole processes only
}

// command is a program to measure.
type command struct {
	args   []string
	env    []string // in addition to this process's
	pinned bool     // to one core
}

// run runs a command to its end. A failure says what the program said.
func (b *bench) run(ctx context.Context, c command) (u usage, stdout []byte, err error) {
	args := c.args
	if c.pinned && b.core != "" {
		args = append([]string{"taskset", "-c", b.core}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(cleanEnv(os.Environ()), c.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err = cmd.Run()
	u.Wall = time.Since(began).Seconds()
	if cmd.ProcessState != nil {
		u.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		u.RSS = peakRSS(cmd.ProcessState)
	}
	for line := range strings.Lines(errs.String()) { // what a run warns of may explain its figures
		if strings.HasPrefix(line, "warning:") {
			b.progress("  %s", strings.TrimSpace(line))
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(c.args, " "), err, lastLines(errs.String(), 20))
	}
	return u, out.Bytes(), err
}

// cleanEnv leaves out the settings by which a run would find another warehouse or source than it is given, and its log.
func cleanEnv(env []string) []string {
	out := []string{"PIPELINE_LOG=none"}
	for _, v := range env {
		if !strings.HasPrefix(v, "PIPELINE_") && !strings.HasPrefix(v, "GOGC=") &&
			!strings.HasPrefix(v, "GOMEMLIMIT=") {
			out = append(out, v)
		}
	}
	return out
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// result is what a task says of itself.
type result struct {
	// of the work, without what came before and after it; RSS is the process's
	Part     usage             `json:"part"`
	Phases   map[string]usage  `json:"phases,omitempty"` // of a run
	Rows     int64             `json:"rows"`
	Bytes    int64             `json:"bytes"`
	Families map[string]family `json:"families,omitempty"`
	Counts   map[string]int64  `json:"counts,omitempty"`
}

// task runs a part of this program as a process of its own.
func (b *bench) task(ctx context.Context, pinned bool, name string, flags ...string) (r result, err error) {
	u, out, err := b.run(ctx, command{args: append([]string{b.self, "task", name}, flags...), pinned: pinned,
		env: []string{childMark + "=1"}})
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, fmt.Errorf("read what the task %s printed: %w", name, err)
	}
	r.Part.RSS = u.RSS
	return r, nil
}

// childMark tells a test's binary that it is to do a task.
const childMark = "BENCH_TASK"

// stopwatch adds up the CPU and wall time of some stretches of this process.
type stopwatch struct {
	total usage
	cpu   float64 // when it was started
	began time.Time
}

func (s *stopwatch) start() (err error) {
	s.began = time.Now()
	s.cpu, err = ownCPU()
	return err
}

func (s *stopwatch) stop() error {
	cpu, err := ownCPU()
	s.total.CPU += cpu - s.cpu
	s.total.Wall += time.Since(s.began).Seconds()
	return err
}

// timed measures f.
func timed(f func() error) (usage, error) {
	var watch stopwatch
	if err := watch.start(); err != nil {
		return usage{}, err
	}
	err := f()
	err = errors.Join(err, watch.stop())
	return watch.total, err
}

// pinTo is the core to pin to: the wanted one, else the first that this process may use; "" where taskset is missing.
func pinTo(wanted string) string {
	if _, err := exec.LookPath("taskset"); err != nil {
		return ""
	}
	if wanted != "" {
		return wanted
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(status)) {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			first, _, _ := strings.Cut(strings.TrimSpace(list), ",")
			first, _, _ = strings.Cut(first, "-")
			return first
		}
	}
	return ""
}

// machine describes this machine, without anything that names it.
func machine(ctx context.Context) string {
	model := "unknown CPU"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	} else if text := output(ctx, "sysctl", "-n", "machdep.cpu.brand_string"); text != "" {
		model = text
	}
	kernel := output(ctx, "uname", "-sr")
	if kernel == "" {
		kernel = runtime.GOOS
	}
	return fmt.Sprintf("%d cores (%s), %s, %s", runtime.NumCPU(), model, kernel, runtime.Version())
}

func output(ctx context.Context, args ...string) string {
	out, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// loadAverage is how busy the machine is: figures of a busy one are no good.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return "unknown"
	}
	return strings.Join(fields[:3], " ")
}
