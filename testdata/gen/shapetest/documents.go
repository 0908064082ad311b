package shapetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maker makes documents. Their texts are letters.
type maker struct {
	used map[[32]byte]bool // names of blobs
}

// tree is a path with what is below it, and how many values of each type are left to make.
type tree struct {
	name     string
	left     []string // types, one for each value that is to be made
	words    []string
	sizes    []int
	members  []*tree
	elements *tree
	inside   *tree
}

// spread repeats each name as often as it counts.
func spread(counts map[string]int) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		for range counts[name] {
			out = append(out, name)
		}
	}
	return out
}

func treeOf(fields []field) *tree {
	at := map[string]*tree{}
	for _, f := range fields {
		t := &tree{left: spread(f.Types), words: spread(f.Values)}
		for _, size := range spread(f.Sizes) {
			n, _ := strconv.Atoi(size)
			t.sizes = append(t.sizes, n)
		}
		at[f.Path] = t
		switch {
		case f.Path == "$":
		case strings.HasSuffix(f.Path, "[]"):
			at[strings.TrimSuffix(f.Path, "[]")].elements = t
		case strings.HasSuffix(f.Path, "{}"):
			at[strings.TrimSuffix(f.Path, "{}")].inside = t
		default:
			i := strings.LastIndexByte(f.Path, '.')
			t.name = f.Path[i+1:]
			at[f.Path[:i]].members = append(at[f.Path[:i]].members, t)
		}
	}
	return at["$"]
}

// documents makes the documents of a family. There is none of a family whose values are not described.
func (m *maker) documents(f family) (out [][]byte, err error) {
	if len(f.Fields) == 0 {
		return nil, nil
	}
	root := treeOf(f.Fields)
	values := root.make(len(root.left))
	for _, v := range values {
		if b, ok := v.(blob); ok {
			out = append(out, b)
			continue
		}
		var text bytes.Buffer
		to := json.NewEncoder(&text)
		to.SetEscapeHTML(false)
		if err := to.Encode(v); err != nil {
			return nil, err
		}
		out = append(out, bytes.TrimSpace(text.Bytes()))
	}
	return out, nil
}

// blob is a value that is no document.
type blob []byte

// make makes values and everything that is below them: what is below is spread over the objects, arrays and texts that
// can hold it.
func (t *tree) make(n int) []any {
	var objects []map[string]any
	var arrays, texts []int
	out := make([]any, n)
	sizes, words := slices.Clone(t.sizes), t.words
	for _, word := range words { // those of words are not left for other texts
		if i := slices.Index(sizes, powerOfTwo(len(word))); i >= 0 && word != "*" {
			sizes = slices.Delete(sizes, i, i+1)
		}
	}
	isWord := make([]bool, n)
	for i, kind := range t.left[:n] { // an enumeration
		if kind != "text" && kind != "number" || len(words) == 0 {
			continue
		}
		if word := words[0]; word != "*" {
			out[i], isWord[i] = word, true
			if number, err := strconv.Atoi(word); err == nil && kind == "number" {
				out[i] = number
			}
		}
		words = words[1:]
	}
	text := func() string {
		size := 0
		if len(sizes) > 0 {
			size, sizes = sizes[0], sizes[1:]
		}
		return strings.Repeat("Z", size) // no word of an enumeration, and no hex digit
	}
	for i, kind := range t.left[:n] {
		if isWord[i] {
			continue
		}
		switch kind {
		case "object":
			o := map[string]any{}
			objects, out[i] = append(objects, o), o
		case "array":
			arrays = append(arrays, i)
		case "json":
			texts = append(texts, i)
		case "boolean":
			out[i] = i%2 == 0
		case "number":
			out[i] = 1_760_000_000_000 + i
		case "text":
			out[i] = text()
		case "bytes":
			b := blob(text())
			copy(b, fmt.Sprintf("Z%d", i)) // no two are the same
			out[i] = b
		}
	}
	t.fill(out, objects, arrays, texts)
	return out
}

// powerOfTwo is the next power of two.
func powerOfTwo(n int) int {
	power := 1
	for power < n {
		power *= 2
	}
	return power
}

// fill puts what is below into the values that can hold it.
func (t *tree) fill(out []any, objects []map[string]any, arrays, texts []int) {
	for _, m := range t.members {
		for i, v := range m.make(len(m.left)) {
			name := m.name
			if name == "*" { // names that no list has, and that are no words
				name = fmt.Sprintf("#%d", i/max(len(objects), 1)+1)
			}
			objects[i%len(objects)][name] = v
		}
	}
	lists := make([][]any, len(arrays))
	if t.elements != nil {
		for i, v := range t.elements.make(len(t.elements.left)) {
			lists[i%len(lists)] = append(lists[i%len(lists)], v)
		}
	}
	for i, at := range arrays {
		if out[at] = lists[i]; lists[i] == nil {
			out[at] = []any{}
		}
	}
	if t.inside != nil {
		for i, v := range t.inside.make(len(t.inside.left)) {
			text, _ := json.Marshal(v)
			out[texts[i]] = string(text)
		}
	}
}
