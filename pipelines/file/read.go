package file

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"pipeline/pipelines"
)

// maxPipeline is how large a pipeline's file may be: what is larger is another file.
const maxPipeline = 64 << 10

// A Reading is what a file is read by.
type Reading struct {
	Name string    // of the file in messages
	Dir  string    // the folder that its paths are seen from
	Home string    // what ~ stands for
	Now  time.Time // since and until are compared as of then
}

// reader reads one file and gathers what is wrong with it.
type reader struct {
	Reading
	lines []string
	out   *Pipeline
	err   *Error
}

// Read reads a pipeline's file, strictly: what it does not understand is an error, a *Error with all that is wrong.
func (r Reading) Read(data []byte) (*Pipeline, error) {
	data = bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	d := &reader{Reading: r, lines: strings.Split(string(data), "\n"), err: &Error{File: r.Name}}
	d.out = &Pipeline{File: r.Name, Lines: map[string]int{}, Text: string(data)}
	if body := d.parse(data); body != nil {
		d.mapping(body, reflect.ValueOf(d.out).Elem(), Key{})
	}
	if len(d.err.Problems) == 0 {
		d.together()
	}
	if len(d.err.Problems) > 0 {
		return nil, d.err.sorted()
	}
	return d.out, nil
}

// parse is the file's one document; nil if something is wrong with it.
func (d *reader) parse(data []byte) ast.Node {
	if !d.isText(data) {
		return nil
	}
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax):
		d.syntax(syntax)
		return nil
	case err != nil:
		d.whole("is no YAML: " + err.Error())
		return nil
	}
	var bodies []ast.Node
	for _, doc := range file.Docs {
		if directive, ok := doc.Body.(*ast.DirectiveNode); ok {
			d.at(directive.GetToken(), "a directive (%%) has no place here: leave the line out")
		} else if doc.Body != nil {
			bodies = append(bodies, doc.Body)
		}
	}
	switch {
	case len(d.err.Problems) > 0:
	case len(bodies) == 0:
		d.whole("is empty: write at least 'description: ...'; 'pipeline pipelines show nightly --yaml' prints one to begin with")
	case len(file.Docs) > 1:
		d.at(first(file.Docs[1]), "here a second document begins: a file holds one pipeline; make a file of its own for the other")
	default:
		return bodies[0]
	}
	return nil
}

// first is the token that a document begins with.
func first(doc *ast.DocumentNode) *token.Token {
	if doc.Start != nil {
		return doc.Start
	}
	if doc.Body == nil {
		return nil
	}
	return firstOf(doc.Body)
}

// firstOf is the token that a node begins with; the library's own of a mapping is its colon.
func firstOf(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if len(n.Values) > 0 && !n.IsFlowStyle {
			return n.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

// isText reports a file that is no text, before the parser stumbles over it.
func (d *reader) isText(data []byte) bool {
	switch {
	case len(data) > maxPipeline:
		d.whole(fmt.Sprintf("is larger than %d kB: that is no pipeline", maxPipeline>>10))
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		d.whole("is UTF-16: save it as UTF-8")
	default:
		for i, line := range d.lines {
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			control := strings.IndexFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
			switch tab := strings.IndexByte(indent, '\t'); {
			case !utf8.ValidString(line):
				d.problem(i+1, 1, utf8.RuneCountInString(line), "the line is no UTF-8: save the file as UTF-8")
			case control >= 0:
				d.problem(i+1, utf8.RuneCountInString(line[:control])+1, 1, "a control character (%U) has no place here: remove it", line[control])
			case tab >= 0 && strings.TrimSpace(line) != "":
				d.problem(i+1, tab+1, 1, "the line is indented with a tab: YAML takes spaces only")
			}
		}
	}
	return len(d.err.Problems) == 0
}

// syntax says what the parser says, and what is the cause most often.
func (d *reader) syntax(err yaml.Error) {
	message, at := err.GetMessage(), err.GetToken()
	if d.bareCron(at) {
		return
	}
	for _, sign := range []string{"alias", "reserved character", "not allowed in this context", "directive", "anchor"} {
		if strings.Contains(message, sign) {
			message += "; a text with a colon in it, or that begins with * & @ or %, needs quotes"
			break
		}
	}
	d.at(at, "%s", message)
}

// bareCron reports a schedule without quotes: its stars mean something else in YAML, and the parser's words are about that.
func (d *reader) bareCron(at *token.Token) bool {
	if at == nil || at.Position == nil || at.Position.Line < 1 || at.Position.Line > len(d.lines) {
		return false
	}
	line := d.lines[at.Position.Line-1]
	before, schedule, ok := strings.Cut(line, "cron:")
	if schedule = strings.TrimSpace(schedule); !ok || strings.TrimSpace(before) != "" || schedule == "" || strings.ContainsAny(schedule, `'"`) {
		return false
	}
	column := utf8.RuneCountInString(line[:strings.Index(line, schedule)]) + 1
	d.problem(at.Position.Line, column, utf8.RuneCountInString(schedule), "a schedule needs quotes: cron: '%s'", schedule)
	return true
}

// whole reports a problem of the file as a whole.
func (d *reader) whole(message string) {
	d.err.Problems = append(d.err.Problems, Problem{Message: message})
}

// at reports a problem at a token.
func (d *reader) at(t *token.Token, format string, args ...any) {
	if t == nil || t.Position == nil {
		d.whole(fmt.Sprintf(format, args...))
		return
	}
	text, _, _ := strings.Cut(strings.TrimSpace(t.Origin), "\n")
	d.problem(t.Position.Line, t.Position.Column, utf8.RuneCountInString(text), format, args...)
}

func (d *reader) problem(line, column, width int, format string, args ...any) {
	p := Problem{Line: line, Column: column, Message: fmt.Sprintf(format, args...), width: width}
	if line >= 1 && line <= len(d.lines) {
		p.source = maskedURLs(strings.ToValidUTF8(d.lines[line-1], "\ufffd"))
	}
	d.err.Problems = append(d.err.Problems, p)
}

// mapping reads the keys and values of a struct that stands below a key, or below none.
func (d *reader) mapping(n ast.Node, into reflect.Value, of Key) {
	keys, seen, before := keysOf(into.Type(), of), map[string]int{}, len(d.err.Problems)
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		d.mapWanted(n, keys, of)
		return
	}
	for _, pair := range pairs {
		t := pair.Key.GetToken()
		k, ok := d.key(pair.Key, keys, of)
		if !ok {
			continue
		}
		if line, twice := seen[k.Name]; twice {
			d.at(t, "the key %q is there twice, first in line %d: leave one out", k.Name, line)
			continue
		}
		seen[k.Name] = t.Position.Line
		d.out.Lines[k.Path] = t.Position.Line
		d.value(k, pair, into.Field(k.field[len(k.field)-1]))
	}
	for _, k := range keys {
		if k.Needed && seen[k.Name] == 0 && len(d.err.Problems) == before {
			d.at(firstOf(n), "%s needs the key %s", of.Path, k.Name)
		}
	}
}

// mapWanted says what to write instead of something that has no keys.
func (d *reader) mapWanted(n ast.Node, keys []Key, of Key) {
	if isReference(n) {
		d.reference(n)
	} else if of.Path == "" {
		d.at(n.GetToken(), "a pipeline is made of keys and values: write 'since: 7d', a key in each line")
	} else {
		d.at(n.GetToken(), "%s has keys of its own: write '%s:' below it, indented", of.Path, keys[0].Name)
	}
}

// key finds what a key of the file is.
func (d *reader) key(n ast.MapKeyNode, keys []Key, of Key) (Key, bool) {
	t := n.GetToken()
	name := t.Value
	var names []string
	for _, k := range keys {
		if _, text := n.(*ast.StringNode); text && k.Name == name {
			return k, true
		}
		names = append(names, k.Name)
	}
	where := ""
	if of.Path != "" {
		where = " in " + of.Path
	}
	switch n.(type) {
	case *ast.MergeKeyNode, *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		d.reference(n)
		return Key{}, false
	case *ast.MappingKeyNode:
		d.at(t, "a key is written in front of a colon: 'since: 7d'")
		return Key{}, false
	}
	if why, ok := notInFiles()[name]; ok && of.Path == "" {
		d.at(t, "there is no key %q: %s", name, why)
		return Key{}, false
	}
	nearest := pipelines.Nearest(name, slices.Clone(names))[0]
	if !pipelines.Similar(name, nearest) {
		d.at(t, "there is no key %q%s; the keys are: %s", name, where, strings.Join(names, ", "))
	} else {
		d.at(t, "there is no key %q%s; did you mean %q?", name, where, nearest)
	}
	return Key{}, false
}

// notInFiles are words that people may try as keys, and why they are none.
func notInFiles() map[string]string {
	out := map[string]string{
		"source": "write sources:, a list", "project": "write projects:, a list",
		"accept-deletes": "that is said once, by who has looked: pipeline run --accept-deletes", "dry-run": "give it to pipeline run", "json": "give it to pipeline run",
		"quiet": "give it to pipeline run", "no-raw": "write 'raw: none'", "user-data-dir": "name the folder in sources:",
	}
	for _, k := range Keys() {
		of := strings.TrimSuffix(k.Path, "."+k.Name)
		if of == k.Path {
			continue
		}
		out[k.Name] = "write it below " + of + ":"
		if k.Flag != "" && k.Flag != k.Name {
			out[k.Flag] = fmt.Sprintf("write %s: below %s:", k.Name, of)
		}
	}
	return out
}

// together reports values that contradict each other.
func (d *reader) together() {
	p := d.out
	if p.Since == "" || p.Until == "" || strings.EqualFold(strings.TrimSpace(p.Since), lastRun) || strings.EqualFold(strings.TrimSpace(p.Until), lastRun) {
		return // when the last run was is not known here: 'pipeline run' looks
	}
	since, err := ParseTime(p.Since, d.Now, nil)
	until, err2 := ParseTime(p.Until, d.Now, nil)
	if line := p.Lines["until"]; errors.Join(err, err2) == nil && !since.Before(until) {
		d.problem(line, 1, len("until"), "until (%s) is not after since (%s): no conversation can be between them", p.Until, p.Since)
	}
}
