package file

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// This file reads the values of a pipeline's file.

// value reads the value of a key.
func (d *reader) value(k Key, pair *ast.MappingValueNode, into reflect.Value) {
	v := pair.Value
	switch into.Interface().(type) {
	case string:
		if text, ok := d.text(k, v, pair); ok {
			into.SetString(text)
		}
	case bool:
		d.flag(k, v, pair, into)
	case []string:
		d.list(k, v, pair, into)
	default: // keys below it
		if d.missing(k, v, pair) {
			return
		}
		into.Set(reflect.New(into.Type().Elem()))
		d.mapping(v, into.Elem(), k)
	}
}

// missing reports a key without a value. In YAML a bare ~ is none, too.
func (d *reader) missing(k Key, v ast.Node, pair *ast.MappingValueNode) bool {
	if _, ok := v.(*ast.NullNode); !ok && v != nil {
		return false
	}
	if v != nil && v.GetToken().Value == "~" {
		d.at(v.GetToken(), "a bare ~ is no value in YAML; for your home folder write '~/'")
	} else {
		d.at(pair.Key.GetToken(), "%s has no value: write one, or leave the key out", k.Name)
	}
	return true
}

// flag reads true or false.
func (d *reader) flag(k Key, v ast.Node, pair *ast.MappingValueNode, into reflect.Value) {
	b, ok := v.(*ast.BoolNode)
	switch {
	case ok:
		into.SetBool(b.Value)
	case d.missing(k, v, pair):
	case isReference(v):
		d.reference(v)
	default:
		d.at(firstOf(v), "%s takes true or false, without quotes", k.Name)
	}
}

// list reads a list of texts.
func (d *reader) list(k Key, v ast.Node, pair *ast.MappingValueNode, into reflect.Value) {
	s, ok := v.(*ast.SequenceNode)
	switch {
	case d.missing(k, v, pair):
		return
	case isReference(v):
		d.reference(v)
		return
	case !ok:
		d.at(firstOf(v), "%s is a list: write it as [%s], or each below the key in a line that begins with '- '", k.Name, strings.TrimSpace(firstOf(v).Origin))
		return
	case len(s.Values) == 0:
		d.at(v.GetToken(), "%s is empty: write at least one, or leave the key out", k.Name)
	}
	var out []string
	for _, element := range s.Values {
		text, ok := d.text(k, element, pair)
		if ok && slices.Contains(out, text) {
			d.at(element.GetToken(), "%s has %q twice: leave one out", k.Name, element.GetToken().Value)
		}
		out = append(out, text)
	}
	into.Set(reflect.ValueOf(out))
}

// text reads one text of a kind.
func (d *reader) text(k Key, v ast.Node, pair *ast.MappingValueNode) (string, bool) {
	kind := kindOf(k.Kind)
	var text string
	switch n := v.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = strings.TrimSpace(n.Value.Value)
	case *ast.IntegerNode:
		if text = n.GetToken().Value; !kind.number {
			d.at(n.GetToken(), "%s: %s is a number, and not %s", k.Name, text, kind.wants)
			return "", false
		}
	default:
		switch {
		case d.missing(k, v, pair):
		case isReference(v):
			d.reference(v)
		default:
			d.at(firstOf(v), "%s takes %s", k.Name, kind.wants)
		}
		return "", false
	}
	if err := kind.check(text, d.Now); err != nil {
		d.at(v.GetToken(), "%s: %v", k.Name, err)
		d.hide(k, text)
		return "", false
	}
	return d.place(k.Kind, text), true
}

// hide takes a secret out of the line that is shown with the last problem.
func (d *reader) hide(k Key, text string) {
	if last := &d.err.Problems[len(d.err.Problems)-1]; k.Secret && text != "" {
		last.source = strings.ReplaceAll(last.source, text, stars(text))
	}
}

// place is a text with its path made absolute.
func (d *reader) place(kind, text string) string {
	if kind == "log" && text == LogNone {
		return text
	}
	switch kind {
	case "log":
		return d.absolute(text)
	case "path":
		return d.absolute(text)
	case "source":
		name, rest := splitSource(text)
		if name == "" || exists(d.absolute(text)) { // a folder with a = in its name
			return d.absolute(text)
		}
		return name + "=" + d.absolute(rest)
	}
	return text
}

func (d *reader) absolute(place string) string {
	if rest, ok := strings.CutPrefix(place, "~"); ok && (rest == "" || rest[0] == '/') {
		return filepath.Join(d.Home, rest)
	}
	if filepath.IsAbs(place) {
		return filepath.Clean(place)
	}
	return filepath.Join(d.Dir, place)
}

func isReference(n ast.Node) bool {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		return true
	}
	return false
}

// reference reports what would make a file say less than it means.
func (d *reader) reference(n ast.Node) {
	d.at(n.GetToken(), "anchors (&), aliases (*), merge keys (<<) and tags (!) are not read here: write the value itself")
}
