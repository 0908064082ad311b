// Package hooks has Cursor tell of each turn: lines in its hooks.json that call this program, and a log of the figures
// that such calls bring.
package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
	"github.com/tidwall/pretty"
	"github.com/tidwall/sjson"
)

// events are the hooks that bring the tokens of a turn (docs/formats.md, Usage exports and hooks). The second comes
// where the first does not: a turn that is not yet over has it, too.
var events = []string{"stop", "afterAgentResponse"}

// mark is in each command that this package writes: the words behind the program's path. See isOurs.
const mark = " hook log "

// Command is the command that Cursor is to call: a program, and the folder of its log. On Windows Cursor gives it to
// PowerShell (docs/formats.md, Hooks), for which a text in quotes at the beginning is no command. A plain path needs
// none, and is the same to every shell.
func Command(program, folder, goos string) string {
	switch {
	case goos != "windows":
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		return quote(program) + mark + quote(folder)
	case isPlain(program) && isPlain(folder):
		return program + mark + folder
	}
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	return "& " + quote(program) + mark + quote(folder)
}

// isPlain reports whether a path of Windows means the same to every shell without quotes.
func isPlain(path string) bool {
	return !strings.ContainsFunc(path, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`\/:._-`, r)
	})
}

// entry is an element of a list of hooks.
type entry struct {
	Command string `json:"command"`
}

// empty is a file that has nothing but what Cursor asks for.
const empty = "{\n  \"version\": 1\n}\n"

// IsEmpty reports whether a text is that of a file which Install has made, without its commands.
func IsEmpty(text []byte) bool { return string(text) == empty }

// orderMark may begin a file that a program for Windows has written. JSON has none, so it goes when the file is
// changed.
var orderMark = []byte("\uFEFF")

// Install returns the text of hooks.json with the command in it, once for each event. What else is there stays as it is
// written. An empty text is a file that is not there.
func Install(text []byte, command string) ([]byte, error) {
	out := bytes.TrimPrefix(text, orderMark)
	if len(bytes.TrimSpace(out)) == 0 {
		out = []byte(empty)
	}
	if err := check(out); err != nil {
		return nil, err
	}
	tidy := isTidy(out)
	raw, err := json.Marshal(entry{command})
	if err != nil {
		return nil, err
	}
	if !gjson.GetBytes(out, "version").Exists() { // Cursor rejects a file without it
		if out, err = sjson.SetRawBytes(out, "version", []byte("1")); err != nil {
			return nil, err
		}
	}
	for _, event := range events {
		if mine, same := ours(out, event, command); same {
			continue
		} else if len(mine) > 0 {
			if out, err = sjson.SetRawBytes(out, fmt.Sprintf("hooks.%s.%d", event, mine[0]), raw); err != nil {
				return nil, err
			}
			continue
		}
		if out, err = sjson.SetRawBytes(out, "hooks."+event+".-1", raw); err != nil {
			return nil, err
		}
	}
	return finished(out, tidy)
}

// Remove returns the text of hooks.json without the commands of this package, and how many there were. Lists and
// objects that have become empty go, too.
func Remove(text []byte) (out []byte, removed int, err error) {
	out = bytes.TrimPrefix(text, orderMark)
	if len(bytes.TrimSpace(out)) == 0 {
		return text, 0, nil
	}
	if err := check(out); err != nil {
		return nil, 0, err
	}
	tidy := isTidy(out)
	for _, event := range events {
		mine, _ := ours(out, event, "")
		for i := len(mine) - 1; i >= 0; i-- {
			if out, err = sjson.DeleteBytes(out, fmt.Sprintf("hooks.%s.%d", event, mine[i])); err != nil {
				return nil, 0, err
			}
			removed++
		}
		if list := gjson.GetBytes(out, "hooks."+event); len(mine) > 0 && len(list.Array()) == 0 {
			if out, err = sjson.DeleteBytes(out, "hooks."+event); err != nil {
				return nil, 0, err
			}
		}
	}
	if removed == 0 {
		return text, 0, nil
	}
	if hooks := gjson.GetBytes(out, "hooks"); len(hooks.Map()) == 0 {
		if out, err = sjson.DeleteBytes(out, "hooks"); err != nil {
			return nil, 0, err
		}
	}
	out, err = finished(out, tidy)
	return out, removed, err
}

// ours are the places of this package's commands in an event's list. same reports that there is one, and it is the
// wanted one.
func ours(text []byte, event, command string) (places []int, same bool) {
	for i, e := range gjson.GetBytes(text, "hooks."+event).Array() {
		have := e.Get("command").String()
		if isOurs(have) {
			places = append(places, i)
			same = have == command
		}
	}
	return places, same && len(places) == 1
}

// isOurs reports whether a command is one that Command makes, for this program or one of its name in another folder.
// The words of the mark alone tell nothing: other programs have such words, too.
func isOurs(command string) bool { return programOf(command) != "" }

// programOf is the program that a command of this package calls; "" for a command of others.
func programOf(command string) string {
	program, _, marked := strings.Cut(strings.TrimPrefix(command, "& "), mark)
	if inner, quoted := strings.CutPrefix(program, "'"); quoted {
		program = strings.NewReplacer(`'\''`, "'", "''", "'").Replace(strings.TrimSuffix(inner, "'"))
	} else if strings.ContainsAny(program, " \t") {
		return ""
	}
	name := strings.TrimSuffix(program[strings.LastIndexAny(program, `/\`)+1:], ".exe")
	self, err := os.Executable()
	if marked && (name == "pipeline" || err == nil && name == strings.TrimSuffix(filepath.Base(self), ".exe")) {
		return program
	}
	return ""
}

// Programs are the programs that the commands of this package call in a text of hooks.json.
func Programs(text []byte) (programs []string) {
	text = bytes.TrimPrefix(text, orderMark)
	for _, event := range events {
		for _, e := range gjson.GetBytes(text, "hooks."+event).Array() {
			if p := programOf(e.Get("command").String()); p != "" && !slices.Contains(programs, p) {
				programs = append(programs, p)
			}
		}
	}
	return programs
}

// check returns an error for a text that cannot be changed safely.
func check(text []byte) error {
	if !json.Valid(text) {
		return errors.New("it is no valid JSON (comments are none): mend it by hand first")
	}
	whole := gjson.ParseBytes(text)
	if err := checkKeys(text, whole); err != nil {
		return err
	}
	if !whole.IsObject() {
		return errors.New("it is no JSON object: mend it by hand first")
	}
	if v := whole.Get("version"); v.Type == gjson.String {
		return fmt.Errorf("its version is the text %s, and Cursor takes a number: write \"version\": 1", v.Raw)
	} else if v.Exists() && v.Num != 1 {
		return fmt.Errorf("its version is %s, and only version 1 is known", v.Raw)
	}
	hooks := whole.Get("hooks")
	if hooks.Exists() && !hooks.IsObject() {
		return errors.New("its hooks are no object: mend it by hand first")
	}
	for _, event := range events {
		if list := hooks.Get(event); list.Exists() && !list.IsArray() {
			return fmt.Errorf("its hooks of %s are no list: mend it by hand first", event)
		}
	}
	return nil
}

// checkKeys returns an error for a key that an object has twice: this package would change the first, and Cursor reads
// the last. in is a part of the text.
func checkKeys(text []byte, in gjson.Result) (err error) {
	keys := map[string]bool{}
	in.ForEach(func(key, value gjson.Result) bool {
		if in.IsObject() && keys[key.Str] {
			err = fmt.Errorf("line %d has the key %q for a second time: leave one of them",
				1+bytes.Count(text[:key.Index], []byte("\n")), key.Str)
		} else if value.IsObject() || value.IsArray() {
			err = checkKeys(text, value)
		}
		keys[key.Str] = true
		return err == nil
	})
	return err
}

// tidied is a text as most programs write it.
func tidied(text []byte) []byte {
	return pretty.PrettyOptions(text, &pretty.Options{Width: 0, Indent: "  "})
}

// isTidy reports whether a text is written like that, so that it may be again.
func isTidy(text []byte) bool {
	return bytes.Equal(bytes.TrimSpace(tidied(text)), bytes.TrimSpace(text))
}

// finished is a text that was changed, tidy if it was. It is valid JSON.
func finished(text []byte, tidy bool) ([]byte, error) {
	if tidy {
		text = tidied(text)
	}
	if err := check(text); err != nil {
		return nil, fmt.Errorf("the changed text is wrong: %w", err)
	}
	return text, nil
}
