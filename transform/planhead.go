package transform

import (
	"regexp"
	"slices"
	"strings"
)

// This file reads the head of a plan as Cursor does: what YAML refuses costs a value, not the head, and a value with a
// colon that nobody quoted is a text (docs/formats.md, Plans).

// maxPlanDepth is how deep a head is taken apart: the tasks of a phase are at depth 4.
const maxPlanDepth = 4

// headReader takes a head apart where YAML refuses the whole.
type headReader struct {
	lost bool // a value could not be read
}

// read reads lines. What YAML takes is as it says. Else each element of the list, or each value of the names, is read
// by itself.
func (r *headReader) read(lines []string, depth int) any {
	if value, err := parseYAML(strings.Join(lines, "\n")); err == nil {
		return value
	}
	pieces := piecesOf(lines)
	if depth == maxPlanDepth || pieces == nil {
		r.lost = true
		return nil
	}
	var list []any
	names := map[string]any{}
	for _, piece := range pieces {
		if item, ok := strings.CutPrefix(piece[0]+" ", "- "); ok {
			list = append(list, r.read(append([]string{"  " + strings.TrimRight(item, " ")}, piece[1:]...), depth+1))
		} else if name, value, ok := r.named(piece, depth); !ok {
			r.lost = true
		} else if _, ok := names[name]; !ok { // of two values of one name the first counts
			names[name] = value
		}
	}
	if list != nil {
		return list
	}
	return names
}

// planName is a line that begins with a name.
var planName = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_-]*):(?:[ \t]+(.*))?$`)

// named reads a name and its value, which goes on in the lines that are indented.
func (r *headReader) named(piece []string, depth int) (name string, value any, ok bool) {
	parts := planName.FindStringSubmatch(piece[0])
	if parts == nil {
		return "", nil, false
	}
	if one, err := parseYAML(strings.Join(piece, "\n")); err == nil {
		if fields, ok := one.(map[string]any); ok && len(fields) == 1 {
			return parts[1], fields[parts[1]], true
		}
	}
	switch said := strings.TrimSpace(parts[2]); {
	case said == "":
		return parts[1], r.read(piece[1:], depth+1), true
	case strings.ContainsRune(`[{"'|>&!#`, rune(said[0])): // it begins as something else than a text
		return "", nil, false
	default:
		for _, line := range piece[1:] {
			said += " " + strings.TrimSpace(line)
		}
		return parts[1], strings.TrimSpace(said), true
	}
}

// piecesOf cuts lines into those of each name or element: it begins at the least indentation, which is taken off, and
// the lines that are deeper belong to it. A list may be as deep as its name. There are none where the first line is not
// one of the least indentation, or names and elements are mixed.
func piecesOf(lines []string) (pieces [][]string) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#")
	})
	if len(lines) == 0 {
		return nil
	}
	indent := len(lines[0]) - len(strings.TrimLeft(lines[0], " "))
	isList := strings.HasPrefix(lines[0][indent:]+" ", "- ")
	for _, line := range lines {
		deep := len(line) - len(strings.TrimLeft(line, " "))
		if deep < indent {
			return nil
		}
		line = line[indent:]
		isItem := strings.HasPrefix(line+" ", "- ")
		switch {
		case deep == indent && isItem == isList:
			pieces = append(pieces, []string{line})
		case deep == indent && isList:
			return nil
		default:
			pieces[len(pieces)-1] = append(pieces[len(pieces)-1], line)
		}
	}
	return pieces
}
