package file

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"pipeline/pipelines"
)

// maxPipeline is the largest size of a pipeline's file: a larger file is something else.
const maxPipeline = 64 << 10

// A Reading is what is needed to read a file.
type Reading struct {
	Name string    // name of the file in messages
	Dir  string    // folder for relative paths
	Home string    // the folder for ~
	Data string    // the folder for data:
	Now  time.Time // time for comparing since and until
}

// reader reads one file and collects its errors.
type reader struct {
	Reading
	lines []string
	out   *Pipeline
	err   *Error
}

// Read reads a pipeline's file strictly: everything that is not understood is an error. The *Error has all of them.
func (r Reading) Read(data []byte) (*Pipeline, error) {
	data = bytes.ReplaceAll(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	d := &reader{Reading: r, lines: strings.Split(string(data), "\n"), err: &Error{File: r.Name}}
	p := &Pipeline{File: r.Name, Values: map[string][]string{}, Lines: map[string]int{}, Text: string(data)}
	d.out = p
	if body := d.parse(data); body != nil {
		d.keys("", nil, body)
	}
	if len(d.err.Problems) == 0 {
		d.together()
	}
	if len(d.err.Problems) > 0 {
		return nil, d.err.sorted()
	}
	p.Name, p.Description = p.value("name"), p.value("description")
	if p.Lines["schedule"] > 0 {
		p.Schedule = &Schedule{p.value("schedule.cron"), p.value("schedule.timezone"), p.value("schedule.jitter")}
	}
	return p, nil
}

// parse returns the file's one document; nil if there are errors.
func (d *reader) parse(data []byte) ast.Node {
	if !d.isText(data) {
		return nil
	}
	// keys reports a duplicate with the line of the first
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		d.syntax(err)
		return nil
	}
	for _, doc := range file.Docs {
		if directive, ok := doc.Body.(*ast.DirectiveNode); ok {
			d.at(directive.GetToken(), "a directive (%%) has no place here: leave the line out")
		} else if doc.Body != nil {
			ast.Walk(d, doc.Body)
		}
	}
	docs := slices.DeleteFunc(file.Docs, func(doc *ast.DocumentNode) bool { return doc.Body == nil })
	switch {
	case len(d.err.Problems) > 0:
	case len(docs) == 0:
		d.at(nil, "is empty: write at least 'description: ...'; 'pipeline pipelines show nightly --yaml' prints one "+
			"to start from")
	case len(file.Docs) > 1:
		d.at(file.Docs[1].Start, "a second document begins here: a file holds one pipeline; put the other into a file "+
			"of its own")
	default:
		return docs[0].Body
	}
	return nil
}

// isText reports a file that is no text, before the parser fails on it.
func (d *reader) isText(data []byte) bool {
	switch {
	case len(data) > maxPipeline:
		d.at(nil, "is larger than %d kB: that is no pipeline", maxPipeline>>10)
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		d.at(nil, "is UTF-16: save it as UTF-8")
	default:
		control, tab := regexp.MustCompile(`[\x00-\x08\x0a-\x1f\x7f]`), regexp.MustCompile(`^ *\t\s*\S`)
		for i, line := range d.lines {
			if !utf8.ValidString(line) {
				d.problem(i+1, 1, utf8.RuneCountInString(line), "the line is no UTF-8: save the file as UTF-8")
			} else if at := control.FindStringIndex(line); at != nil {
				d.problem(i+1, utf8.RuneCountInString(line[:at[0]])+1, 1,
					"a control character (%U) has no place here: remove it", line[at[0]])
			} else if tab.MatchString(line) {
				d.problem(i+1, strings.IndexByte(line, '\t')+1, 1,
					"the line is indented with a tab: YAML takes spaces only")
			}
		}
	}
	return len(d.err.Problems) == 0
}

// bareText matches a line with a text that needs quotes and has none.
var bareText = regexp.MustCompile("^[ -]*([\\w-]+: +)([*&@%`].*|[^\\s'\"\\[{].*: .*)$")

// syntax reports the parser's error, or its most frequent cause: a text without quotes.
func (d *reader) syntax(err error) {
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		d.at(nil, "is no YAML: %v", err)
		return
	}
	at, message := syntax.GetToken(), syntax.GetMessage()
	if at != nil && at.Position.Line <= len(d.lines) {
		if bare := bareText.FindStringSubmatch(d.lines[at.Position.Line-1]); bare != nil {
			message = fmt.Sprintf("the text needs quotes: %s'%s'", bare[1],
				strings.ReplaceAll(strings.TrimSpace(bare[2]), "'", "''"))
		}
	}
	d.at(at, "%s", maskedURLs(message))
}

// Visit reports parts of YAML that are not supported.
func (d *reader) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		d.at(n.GetToken(), "anchors (&), aliases (*), merge keys (<<) and tags (!) are not read here: write the value "+
			"itself")
	}
	return d
}

// at reports a problem at a token; nil: in the file as a whole.
func (d *reader) at(t *token.Token, format string, args ...any) {
	if t == nil || t.Position == nil {
		d.err.Problems = append(d.err.Problems, Problem{Message: fmt.Sprintf(format, args...)})
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

// NoRetention says why nothing can be said about how long versions are kept.
const NoRetention = "every version of every row is kept; leave it out"

// keys reads the keys below a key at a token; of is "" for the keys at the top.
func (d *reader) keys(of string, at *token.Token, n ast.Node) {
	settings, before := below(of), len(d.err.Problems)
	pairs, ok := n.(ast.MapNode)
	switch {
	case !ok && of == "":
		d.at(n.GetToken(), "a pipeline is made of keys and values: write 'since: 7d', a key in each line")
		return
	case !ok:
		_, first := settings[0].parts()
		d.at(n.GetToken(), "%s has keys of its own: write '%s:' below it, indented", of, first)
		return
	}
	for pair := pairs.MapRange(); pair.Next(); {
		key := pair.Key().GetToken()
		i := slices.IndexFunc(settings, func(s Setting) bool {
			return s.Key == strings.TrimPrefix(of+"."+key.Value, ".")
		})
		if i < 0 {
			d.at(key, "there is no key %q%s", key.Value, hint(key.Value, of, settings))
			continue
		}
		s := settings[i]
		if line := d.out.Lines[s.Key]; line > 0 {
			d.at(key, "the key %q is there twice, first in line %d: leave one out", key.Value, line)
			continue
		}
		d.out.Lines[s.Key] = key.Position.Line
		d.value(s, key, pair.Value())
	}
	for _, s := range settings {
		if s.Needed && d.out.Lines[s.Key] == 0 && len(d.err.Problems) == before {
			_, name := s.parts()
			d.at(at, "%s needs the key %s", of, name)
		}
	}
}

// hint suggests what to write in place of an unknown key.
func hint(name, of string, settings []Setting) string {
	var names []string
	for _, s := range settings {
		_, own := s.parts()
		names = append(names, own)
	}
	for _, s := range Settings() {
		group, own := s.parts()
		switch {
		case of != "":
		case name == "retention":
			return ": " + NoRetention
		case s.Key == "" && s.Flag == name:
			return ": " + s.Doc
		case s.Shape == List && s.Flag == name:
			return fmt.Sprintf(": write %s:, a list", s.Key)
		case group != "" && own == name:
			return fmt.Sprintf(": write it below %s:", group)
		case group != "" && s.Flag == name:
			return fmt.Sprintf(": write %s: below %s:", own, group)
		}
	}
	where := ""
	if of != "" {
		where = " in " + of
	}
	if meant := pipelines.DidYouMean(name, names); meant != "" {
		return where + meant
	}
	return where + "; the keys are: " + strings.Join(names, ", ")
}

// value reads the value of a key.
func (d *reader) value(s Setting, key *token.Token, n ast.Node) {
	list, isList := n.(*ast.SequenceNode)
	elements := []ast.Node{n}
	switch null, isNull := n.(*ast.NullNode); {
	case isNull && null.GetToken().Value == "~":
		d.at(null.GetToken(), "a bare ~ is no value in YAML; for your home folder write '~/'")
		return
	case n == nil || isNull:
		d.at(key, "%s has no value: write one, or leave the key out", key.Value)
		return
	case s.Shape == Group:
		d.keys(s.Key, key, n)
		return
	case s.Shape == List && !isList:
		d.at(n.GetToken(), "%s is a list: write it as [%s], or each below the key in a line that begins with '- '",
			key.Value, n.GetToken().Value)
		return
	case s.Shape == List && len(list.Values) == 0:
		d.at(n.GetToken(), "%s is empty: write at least one, or leave the key out", key.Value)
		return
	case s.Shape == List:
		elements = list.Values
	}
	for _, element := range elements {
		text, ok := s.text(element)
		if !ok {
			d.at(element.GetToken(), "%s takes %s", key.Value, s.wants)
		} else if err := s.valid(text, d.Now); err != nil {
			d.at(element.GetToken(), "%s: %v", key.Value, err)
			d.hide(s, text)
		} else if text = s.Placed(text, d.Reading); slices.Contains(d.out.Values[s.Key], text) {
			d.at(element.GetToken(), "%s has %q twice: leave one out", key.Value, element.GetToken().Value)
		} else {
			d.out.Values[s.Key] = append(d.out.Values[s.Key], text)
		}
	}
}

// text is the text of a value, if it has the right form.
func (f form) text(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, f.Shape != Bool
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value), f.Shape != Bool
	case *ast.BoolNode:
		return strconv.FormatBool(n.Value), f.Shape == Bool
	case *ast.IntegerNode:
		return n.GetToken().Value, f.number
	}
	return "", false
}

// valid returns the error of a text.
func (v value) valid(text string, now time.Time) error {
	if v.check != nil {
		if err := v.check(text, now); err != nil {
			return err
		}
	}
	return v.set(new(Run), text)
}

// hide masks a secret in the line that the last problem shows.
func (d *reader) hide(s Setting, text string) {
	if last := &d.err.Problems[len(d.err.Problems)-1]; s.Secret && text != "" {
		last.source = strings.ReplaceAll(last.source, text, stars(text))
	}
}

// together reports values that contradict each other.
func (d *reader) together() {
	from, to := d.out.value("since"), d.out.value("until")
	now := d.Now
	if zone, err := time.LoadLocation(d.out.value("timezone")); err == nil && d.out.value("timezone") != "" {
		now = now.In(zone)
	}
	since, err := ParseTime(from, now, nil) // the start of the last run is unknown here: 'pipeline run' checks it
	until, err2 := ParseTime(to, now, nil)
	if err == nil && err2 == nil && !since.Before(until) {
		d.problem(d.out.Lines["until"], 1, len("until"),
			"until (%s) is not after since (%s): no conversation can be between them", to, from)
	}
}
