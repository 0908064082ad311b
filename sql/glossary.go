package sql

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"pipeline/sql/schema"
)

// glossaryText says what the columns of views mean; its first lines say how it is read.
//
//go:embed glossary.txt
var glossaryText string

// Glossary is the text from which Meaning is taken.
func Glossary() string { return glossaryText }

// glossary is the glossary's entries by what they explain.
var glossary = sync.OnceValue(func() map[string]string {
	entries := map[string]string{}
	for line := range strings.Lines(glossaryText) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, meaning, ok := strings.Cut(line, ": ")
		if _, twice := entries[name]; !ok || twice {
			// the text is part of the program
			panic(fmt.Sprintf("sql: glossary.txt: %q explains nothing, or what is explained already", line))
		}
		entries[name] = meaning
	}
	return entries
})

// Meaning is what a column of the view means; "" if neither the glossary nor the tables say it.
func (f File) Meaning(column string) string {
	return meaning(glossary(), f.Schema+"."+f.Name, column, func(string) {})
}

// meaning looks a column of a view up: its own entry, else what the view passes on, else the entry of the name. It
// tells used which entries it took. What a table says of a column of that name is no meaning unless an entry says so:
// the reason of a conversation's end is none of those of a row in quarantine.
func meaning(entries map[string]string, view, column string, used func(entry string)) string {
	if text := specific(entries, view, column, used); text != "" {
		return text
	}
	return entry(entries, column, used)
}

// specific is what the glossary says of a column of this view alone.
func specific(entries map[string]string, view, column string, used func(entry string)) string {
	if text := entry(entries, view+"."+column, used); text != "" {
		return text
	}
	for _, from := range strings.Fields(entries[view+".*"]) {
		if text := passedOn(entries, from, column, used); text != "" {
			used(view + ".*")
			return text
		}
	}
	return ""
}

// entry is what the glossary says of a name, itself or by naming another column.
func entry(entries map[string]string, name string, used func(entry string)) string {
	text, ok := entries[name]
	if ok {
		used(name)
	}
	same, ok := strings.CutPrefix(text, "= ")
	if !ok {
		return text
	}
	dot := strings.LastIndex(same, ".")
	return passedOn(entries, same[:dot], same[dot+1:], used)
}

// passedOn is what a column of a table or of another view means.
func passedOn(entries map[string]string, from, column string, used func(entry string)) string {
	said, ok := tableMeanings()[from]
	if !ok {
		return specific(entries, from, column, used)
	}
	return said[column]
}

// tableMeanings is what the columns of each table mean.
var tableMeanings = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, t := range schema.Tables() {
		all[t.Name] = map[string]string{}
		for _, c := range t.Columns {
			all[t.Name][c.Name] = t.InView(c)
		}
	}
	return all
})
