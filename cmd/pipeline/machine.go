package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"pipeline/load/tool/outpath"
	"pipeline/pipelines"
)

// This file identifies this machine, and makes the options that every run on it shares.

// defaultOptions are the options that every run on this machine shares. If writes is false, no machine id is made.
func defaultOptions(writes bool) pipelines.Options {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return pipelines.Options{ToolVersion: version, Host: host, MachineID: machineID(host, writes),
		Phase: phaseMarker(os.Getenv("PIPELINE_PHASE_FILE"))}
}

// phaseMarker keeps the present phase of a run in a file, so that a program that kills the run can tell the phase. A
// single write of the same length replaces the word, so the file never holds half a word.
func phaseMarker(file string) func(phase string) {
	if file == "" {
		return nil
	}
	return func(phase string) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return // an error of the marker must not fail the load
		}
		_, _ = f.WriteAt(fmt.Appendf(nil, "%-8s\n", phase), 0)
		_ = f.Close()
	}
}

// machineID identifies this machine. It is the operating system's own id if there is a file with it. Else an id is made
// once and kept in the data directory, since a host's name changes with the network. Else it is the host's name.
func machineID(host string, make bool) string {
	for _, file := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if b, err := outpath.Read(file, outpath.SmallFile); err == nil && len(strings.TrimSpace(string(b))) > 0 {
			return strings.TrimSpace(string(b))
		}
	}
	file := filepath.Join(xdg.DataHome, "pipeline", "machine-id")
	if b, err := outpath.Read(file, outpath.SmallFile); err == nil && len(b) > 0 {
		return strings.TrimSpace(string(b))
	}
	if !make {
		return host
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return host
	}
	text := hex.EncodeToString(id[:])
	if errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), writeOwn(file, text+"\n")) != nil {
		return host
	}
	return text
}

// writeOwn writes a file of this program's own, which is no link and no pipe.
func writeOwn(file, text string) error {
	f, err := outpath.Open(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// programPath is the path by which this program was called. It may be a link that an installer updates: the link still
// works after an upgrade, while its present target may be gone.
func programPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program's own path: %w", err)
	}
	called, err := exec.LookPath(os.Args[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return self, nil
	}
	if called, err = filepath.Abs(called); err != nil {
		return self, nil
	}
	a, err1 := os.Stat(called)
	b, err2 := os.Stat(self)
	if err1 != nil || err2 != nil || !os.SameFile(a, b) {
		return self, nil
	}
	return called, nil
}
