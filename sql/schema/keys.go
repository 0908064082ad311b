package schema

import (
	"slices"
	"strings"
	"sync"
)

// This file says how tables are joined. They declare no PRIMARY KEY and no FOREIGN KEY (see DDL), so their comments say
// it, and both follow from the options key of the columns: a column with the name of another table's key refers to that
// table, if the rest of the key is there as well.

// keyed are the tables whose keys other tables have under the same names: the last column of the key names the row.
var keyed = sync.OnceValue(func() (list []Table) {
	for _, t := range Tables() {
		key := t.Key()
		if last := key[len(key)-1]; t.Scope != Internal && (strings.HasSuffix(last, "_id") || last == "commit_hash") {
			list = append(list, t)
		}
	}
	// of keys that end alike the shortest one names the row
	slices.SortStableFunc(list, func(a, b Table) int { return len(a.Key()) - len(b.Key()) })
	return list
})

// Refers says of which other table the column is the key, and with which columns: "with source_id the key of
// conversations". It is "" for a column that refers to none. The tag ref of a field says it where names do not.
func (t Table) Refers(c Column) string {
	if to, ok := t.keyedBy(c); c.Ref == "" && ok && to.Name != t.Name {
		return keyOf(to)
	}
	return c.Ref
}

// keyedBy returns the table that the column's name is the key of, with other columns of this table or without.
func (t Table) keyedBy(c Column) (Table, bool) {
	for _, to := range keyed() {
		key := to.Key()
		if last := len(key) - 1; key[last] == c.Name &&
			!slices.ContainsFunc(key[:last], func(name string) bool { return !t.Has(name) }) {
			return to, true
		}
	}
	return Table{}, false
}

func keyOf(t Table) string {
	key := t.Key()
	if len(key) == 1 {
		return "the key of " + t.Name
	}
	return "with " + strings.Join(key[:len(key)-1], " and ") + " the key of " + t.Name
}

// InView is what the column means in a view that passes it on, where it refers to its own table, too.
func (t Table) InView(c Column) string {
	if to, ok := t.keyedBy(c); c.Ref == "" && ok {
		return sentence(c.Doc, keyOf(to))
	}
	return sentence(c.Doc, c.Ref)
}

// Meaning is what a column means, with the table that it refers to.
func (t Table) Meaning(c Column) string { return sentence(c.Doc, t.Refers(c)) }

// Comment is the comment of the table in a warehouse: what a row is, and the key.
func (t Table) Comment() string { return sentence(t.Doc, "key: "+strings.Join(t.Key(), ", ")) }

// ColumnComment is the comment of a column in a warehouse: what it means, whether it is part of the key, and the table
// that it refers to.
func (t Table) ColumnComment(c Column) string {
	switch part := "part of the key"; {
	case !c.Key:
		return t.Meaning(c)
	case len(t.Key()) == 1:
		return sentence(c.Doc, "the key")
	case t.Refers(c) == "":
		return sentence(c.Doc, part)
	default:
		return sentence(c.Doc, part+"; "+t.Refers(c))
	}
}

// sentence adds a sentence to a text.
func sentence(text, more string) string {
	if more == "" {
		return text
	}
	return text + " " + strings.ToUpper(more[:1]) + more[1:] + "."
}
