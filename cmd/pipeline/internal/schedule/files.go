package schedule

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf16"

	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
)

// A File is a file that the system's timer reads.
type File struct {
	Path  string      `json:"path"`
	Mode  fs.FileMode `json:"-"`
	UTF16 bool        `json:"-"` // the file is written in UTF-16, as Windows writes XML; Text is UTF-8
	Text  string      `json:"text"`
}

// A FileState is what was found in the place of a File.
type FileState string

// States of files.
const (
	Missing FileState = "missing"
	Same    FileState = "as it should be"    // equal to the byte
	Ours    FileState = "made by this tool"  // for another job, or by another version
	Altered FileState = "changed by hand"    // changed since this tool made it
	Foreign FileState = "not from this tool" // it has no marker
)

// noSum takes the checksum's place in the marker while the checksum is computed.
const noSum = "0000000000000000"

var marker = regexp.MustCompile(`Made by 'pipeline schedule install', sum ([0-9a-f]{16})\b`)

// marked puts the marker above a text, but below lines that must come first. It names the tool, and has a checksum that
// shows changes by hand.
func marked(comment, first, text string) string {
	line := fmt.Sprintf(comment, "Made by 'pipeline schedule install', sum "+noSum+
		"; 'pipeline schedule remove' removes it.")
	text = first + line + text
	return strings.Replace(text, noSum, sum(text), 1)
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:len(noSum)/2])
}

// Look returns the state of a file. want is the expected text; "" means any file of ours.
func Look(path, want string) (FileState, error) {
	b, err := outpath.Read(path, outpath.SmallFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing, nil
	case err != nil:
		return "", err
	}
	text := decoded(b)
	found := marker.FindStringSubmatchIndex(text)
	switch {
	case text == want:
		return Same, nil
	case found == nil || strings.Count(text[:found[0]], "\n") > 1: // the marker is within the first two lines
		return Foreign, nil
	case sum(text[:found[2]]+noSum+text[found[3]:]) != text[found[2]:found[3]]:
		return Altered, nil
	}
	return Ours, nil
}

// Write writes the file, whole or not at all.
func (f File) Write() (err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Path), ".pipeline-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = temp.Close()
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	if _, err := temp.Write(f.encoded()); err != nil {
		return err
	}
	if err := errors.Join(temp.Chmod(f.Mode), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return atomicfile.Move(temp.Name(), f.Path)
}

func (f File) encoded() []byte {
	if !f.UTF16 {
		return []byte(f.Text)
	}
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(f.Text, "\n", "\r\n"))) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

// decoded is the text of a file in UTF-8 or UTF-16.
func decoded(b []byte) string {
	rest, ok := bytes.CutPrefix(b, []byte{0xff, 0xfe})
	if !ok {
		return string(b)
	}
	units := make([]uint16, len(rest)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(rest[2*i:])
	}
	return strings.ReplaceAll(string(utf16.Decode(units)), "\r\n", "\n")
}

// Exec runs commands on the system.
type Exec struct{}

// Run implements Runner. Its variables ask systems to print times in UTC and text in English.
func (Exec) Run(ctx context.Context, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C")
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil {
		said := strings.Join(strings.Fields(errs.String()+" "+out.String()), " ")
		err = fmt.Errorf("%s: %w: %s", Command{Args: args}, err, said)
	}
	return out.String(), err
}

// Names lists the jobs that this tool has made on this machine.
func Names(s System) []string {
	const any = "*"
	pattern := s.Undo(any).Files[0]
	before, after, _ := strings.Cut(filepath.Base(pattern), any)
	found, _ := os.ReadDir(filepath.Dir(pattern)) // a missing folder has no jobs
	var names []string
	for _, e := range found {
		name, ok := strings.CutPrefix(e.Name(), before)
		if name, ok2 := strings.CutSuffix(name, after); ok && ok2 && CheckName(name) == nil {
			if c, err := Look(filepath.Join(filepath.Dir(pattern), e.Name()), ""); err == nil && c != Foreign {
				names = append(names, name)
			}
		}
	}
	return names
}
