package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"pipeline/pipelines"
)

// This file says what machine this is, and what every run on it shares.

// defaultOptions are what every run on this machine shares. One that is to write nothing makes no id for a machine that has none.
func defaultOptions(writes bool) pipelines.Options {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return pipelines.Options{ToolVersion: version, Host: host, MachineID: machineID(host, writes), Phase: phaseMarker(os.Getenv("PIPELINE_PHASE_FILE"))}
}

// phaseMarker keeps the present phase of a run in a file, so that whoever kills the run knows where it was. Each word takes the place of the
// one before by a single write of the same length: the file never holds half a word.
func phaseMarker(file string) func(phase string) {
	if file == "" {
		return nil
	}
	return func(phase string) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return // a load does not fail for its marker
		}
		_, _ = f.WriteAt(fmt.Appendf(nil, "%-8s\n", phase), 0)
		_ = f.Close()
	}
}

// machineID identifies this machine: the operating system's own id where it has a file for it, else one that is made once and kept in the
// data directory (a host's name changes with the network), else the host's name.
func machineID(host string, make bool) string {
	for _, file := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if b, err := os.ReadFile(file); err == nil && len(strings.TrimSpace(string(b))) > 0 {
			return strings.TrimSpace(string(b))
		}
	}
	file := filepath.Join(xdg.DataHome, "pipeline", "machine-id")
	if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
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
	if errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text+"\n"), 0o600)) != nil {
		return host
	}
	return text
}
