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
)

// A File is one that the system reads.
type File struct {
	Path  string      `json:"path"`
	Mode  fs.FileMode `json:"-"`
	UTF16 bool        `json:"-"` // as Windows writes XML itself; Text is UTF-8 all the same
	Text  string      `json:"text"`
}

// A Condition is how a file is found.
type Condition string

// Conditions.
const (
	Missing Condition = "missing"
	Same    Condition = "as it should be"    // to the byte
	Ours    Condition = "made by this tool"  // for another job, or by another version
	Altered Condition = "changed by hand"    // since this tool made it
	Foreign Condition = "not from this tool" // it has no marker
)

// noSum stands in the marker while the checksum is taken.
const noSum = "0000000000000000"

var marker = regexp.MustCompile(`Made by 'pipeline schedule install', sum ([0-9a-f]{16})\b`)

// marked puts the marker above a text, below what must come first. It names the tool, and has a checksum by which a change by hand is seen.
func marked(comment, first, text string) string {
	line := fmt.Sprintf(comment, "Made by 'pipeline schedule install', sum "+noSum+"; 'pipeline schedule remove' removes it.")
	text = first + line + text
	return strings.Replace(text, noSum, sum(text), 1)
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:len(noSum)/2])
}

// condition looks at a file; want may be "" where any of ours will do.
func condition(path, want string) (Condition, error) {
	b, err := os.ReadFile(path)
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
	case found == nil || strings.Count(text[:found[0]], "\n") > 1: // within the first two lines
		return Foreign, nil
	case sum(text[:found[2]]+noSum+text[found[3]:]) != text[found[2]:found[3]]:
		return Altered, nil
	}
	return Ours, nil
}

// Look says how the file is found.
func (f File) Look() (Condition, error) { return condition(f.Path, f.Text) }

// Look says how a file of some job is found.
func Look(path string) (Condition, error) { return condition(path, "") }

// Write puts the file in its place: whole or not at all.
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
	return os.Rename(temp.Name(), f.Path)
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

// decoded is the text of a file, whichever way it is written.
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

// Exec runs commands for real.
type Exec struct{}

// Run implements Runner. Systems print times in UTC and words in English then, where they heed these variables.
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

// Names lists the jobs that this tool has made here.
func Names(s System) []string {
	const any = "*"
	pattern := s.Undo(any).Files[0]
	before, after, _ := strings.Cut(filepath.Base(pattern), any)
	found, _ := os.ReadDir(filepath.Dir(pattern)) // no folder, no job
	var names []string
	for _, e := range found {
		name, ok := strings.CutPrefix(e.Name(), before)
		if name, ok2 := strings.CutSuffix(name, after); ok && ok2 && CheckName(name) == nil {
			if c, err := Look(filepath.Join(filepath.Dir(pattern), e.Name())); err == nil && c != Foreign {
				names = append(names, name)
			}
		}
	}
	return names
}
