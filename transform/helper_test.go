package transform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// part is one row of a conversation: family/id, and its value.
type part struct{ key, value string }

func bubble(id, value string) part { return part{extract.FamilyBubble + "/" + id, value} }

func document(family, key, id, value string) *extract.Document {
	return &extract.Document{Store: extract.GlobalStore, Table: "cursorDiskKV", Family: family, Key: key, ID: id,
		Type: "text", Bytes: int64(len(value)), Value: []byte(value)}
}

// conversationOf makes a raw conversation; head "" is none.
func conversationOf(id, head string, parts ...part) *extract.Conversation {
	c := &extract.Conversation{Store: extract.GlobalStore, ID: id}
	if head != "" {
		c.Head = document(extract.FamilyComposer, "composerData:"+id, "", head)
	}
	c.Parts = func(yield func(*extract.Document, error) bool) {
		for _, p := range parts {
			family, partID, _ := strings.Cut(p.key, "/")
			if !yield(document(family, family+":"+id+":"+partID, partID, p.value), nil) {
				return
			}
		}
	}
	return c
}

// collect takes all batches of a conversation's rows and puts them in an order that does not depend on the batches.
func collect(t testing.TB, n *Normalizer, c *extract.Conversation) *schema.Rows {
	t.Helper()
	all := &schema.Rows{}
	for rows, err := range n.Normalize(c) {
		if err != nil {
			t.Fatal(err)
		}
		from, to := reflect.ValueOf(rows).Elem(), reflect.ValueOf(all).Elem()
		for i := range from.NumField() {
			to.Field(i).Set(reflect.AppendSlice(to.Field(i), from.Field(i)))
		}
	}
	slices.SortFunc(all.Messages, func(a, b schema.Message) int {
		return cmp.Compare(deref(a.Position), deref(b.Position))
	})
	slices.SortStableFunc(all.ToolCalls, func(a, b schema.ToolCall) int {
		return cmp.Or(cmp.Compare(deref(a.Position), deref(b.Position)), cmp.Compare(a.CallIndex, b.CallIndex))
	})
	slices.SortStableFunc(all.Attachments, func(a, b schema.Attachment) int {
		return cmp.Or(cmp.Compare(orNull(a.MessageID), orNull(b.MessageID)), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return all
}

func orNull(s *string) string {
	if s == nil {
		return "\x00"
	}
	return *s
}

// normalized is collect for a source whose shared rows say nothing.
func normalized(t testing.TB, c *extract.Conversation) *schema.Rows {
	t.Helper()
	return collect(t, &Normalizer{SourceID: "s", Shared: ReadShared("s", &extract.Shared{}, nil)}, c)
}

// show is a value as a test names it: what a pointer points to, or NULL.
func show(v any) string {
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Pointer && r.IsNil(), r.Kind() == reflect.Slice && r.IsNil():
		return "NULL"
	case r.Kind() == reflect.Pointer:
		return fmt.Sprint(r.Elem().Interface())
	case r.Kind() == reflect.Slice:
		return string(r.Bytes())
	}
	return fmt.Sprint(v)
}

func shows(values ...any) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = show(v)
	}
	return strings.Join(out, " | ")
}

// val parses a JSON value; "" is an absent one.
func val(t testing.TB, s string) jsondoc.Value {
	t.Helper()
	if s == "" {
		return jsondoc.Value{}
	}
	v, err := jsondoc.Parse([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

// checkClean fails for a string that the warehouse cannot hold and for JSON that is none.
func checkClean(t testing.TB, v reflect.Value) {
	t.Helper()
	switch {
	case v.Type() == reflect.TypeFor[schema.JSON]():
		if !v.IsNil() && (!json.Valid(v.Bytes()) || !utf8.Valid(v.Bytes())) {
			t.Errorf("not JSON: %q", v.Bytes())
		}
		if strings.Contains(strings.ReplaceAll(string(v.Bytes()), `\\`, ""), `\u0000`) {
			t.Errorf("JSON holds U+0000: %q", v.Bytes())
		}
	case v.Kind() == reflect.String:
		if strings.ContainsRune(v.String(), 0) || !utf8.ValidString(v.String()) {
			t.Errorf("not text: %q", v.String())
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		checkClean(t, v.Elem())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			checkClean(t, v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			checkClean(t, v.Field(i))
		}
	}
}
