package transform

import "iter"

// picker picks members by their names, and gives each a number.
type picker struct {
	pick func(name []byte) (number int, ok bool)
}

// newNames makes a picker of names in a list: the number of a name is its place there.
func newNames(names []string) *picker {
	at := map[string]int{}
	for i, name := range names {
		at[name] = i
	}
	return &picker{func(name []byte) (int, bool) {
		i, ok := at[string(name)]
		return i, ok
	}}
}

// picked iterates over the members that a picker picks, with their numbers. There are none if v is no object.
func (v value) picked(p *picker) iter.Seq2[int, value] {
	return func(yield func(int, value) bool) {
		for member := range v.members {
			if number, ok := p.pick(member.name()); ok && !yield(number, member) {
				return
			}
		}
	}
}
