package transform

// nameTable has the places of some member names in a list. Most members of a document are in no list, so it is quick to say
// that a name is not there.
type nameTable struct {
	at  map[string]int
	may [64]uint64 // by the length of a name: a bit for each pair of first and last letter that a name has
}

func newNameTable(names []string) *nameTable {
	t := &nameTable{at: map[string]int{}}
	for i, name := range names {
		t.at[name] = i
		t.may[len(name)] |= ends([]byte(name))
	}
	return t
}

// index returns the place of a name.
func (t *nameTable) index(name []byte) (at int, ok bool) {
	if len(name) == 0 || len(name) >= len(t.may) || t.may[len(name)]&ends(name) == 0 {
		return 0, false
	}
	at, ok = t.at[string(name)]
	return at, ok
}

func ends(name []byte) uint64 { return 1 << ((name[0]*7 + name[len(name)-1]) & 63) }
