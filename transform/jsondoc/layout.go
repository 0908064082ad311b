package jsondoc

import (
	"iter"
	"math/bits"
)

// This file remembers which names objects have. Most objects of a kind have the same names in the same order, so that
// what there is to know of a name is looked up once for all of them.

// layout is the names of an object's members, in their order. The garbage collector visits it often, so that it is made
// of few parts.
type layout struct {
	names []string // parts of one text, as far as they have no escapes
	// of a hash table: the place of a name, from 1; 0 is a free slot. There are more than twice as many as names
	slots  []uint16
	picked []picked
}

// layouts are those of the documents of one memory.
type layouts struct {
	known map[string]*layout // by the names as they stand in the text, each with its last quote
	names []byte             // of the object that is looked for
}

// Picker picks members by their names, and gives each a number.
type Picker struct {
	Pick func(name []byte) (number int, ok bool)
}

// NewNames makes a picker of names in a list: the number of a name is its place there.
func NewNames(names []string) *Picker {
	at := map[string]int{}
	for i, name := range names {
		at[name] = i
	}
	return &Picker{func(name []byte) (int, bool) {
		i, ok := at[string(name)]
		return i, ok
	}}
}

// picked is what a picker picks from a layout.
type picked struct {
	by  *Picker
	all []pick
}

type pick struct{ place, number uint16 }

// laidOut is an object, as its layout and the nodes of its members.
type laidOut struct {
	*layout
	members []uint32
}

const (
	// are remembered; then all are forgotten, because names that are data must not fill the memory
	mostLayouts = 1 << 10
	mostMembers = 256        // has an object with a layout; the names of a larger one are data
	fewValues   = 4          // has an object in which a member is found faster without a layout
	unlaid      = ^uint32(0) // stands for the number of an object that has too many members
)

// laidOut returns an object with its layout; nil if v is no object, or is read without one.
func (v Value) laidOut() *laidOut {
	if !v.IsObject() || v.in.of == nil {
		return nil
	}
	n := v.node()
	if n.laid == 0 && n.size > fewValues {
		n.laid = v.in.layOut(v.at)
	}
	if n.laid == 0 || n.laid == unlaid {
		return nil
	}
	return &v.in.laid[n.laid-1]
}

// layOut finds the layout of the object of a node, and returns the object's number.
func (d *parsed) layOut(of uint32) uint32 {
	ls, from := &d.of.layouts, len(d.members)
	ls.names = ls.names[:0]
	for at, end := of+1, of+d.nodes[of].size; at < end; at += d.nodes[at].size {
		if len(d.members)-from == mostMembers {
			return unlaid
		}
		d.members = append(d.members, at)
		ls.names = append(ls.names, d.text[d.nodes[at].name:d.nodes[at].nameEnd+1]...)
	}
	members := d.members[from:len(d.members):len(d.members)]
	l := ls.known[string(ls.names)]
	if l == nil {
		if ls.known == nil || len(ls.known) == mostLayouts {
			ls.known = map[string]*layout{}
		}
		names := string(ls.names)
		l = newLayout(d, members, names)
		ls.known[names] = l
	}
	d.laid = append(d.laid, laidOut{l, members})
	return uint32(len(d.laid))
}

// newLayout makes the layout of an object with these members and names.
func newLayout(d *parsed, members []uint32, names string) *layout {
	l := &layout{names: make([]string, len(members)), slots: make([]uint16, 2<<bits.Len(uint(len(members))))}
	for place, at := range members {
		n := &d.nodes[at]
		size := n.nameEnd - n.name
		if l.names[place] = names[:size]; n.nameEscaped {
			l.names[place] = string(Value{d, at}.Name())
		}
		names = names[size+1:]
		*l.slot(l.names[place]) = uint16(place + 1)
	}
	return l
}

// slot returns the slot of a name, or the free one where it would be.
func (l *layout) slot(name string) *uint16 {
	hash := uint(len(name))
	if name != "" {
		hash += 7*uint(name[0]) + 31*uint(name[hash/2]) + 61*uint(name[hash-1])
	}
	for ; ; hash++ {
		slot := &l.slots[hash&uint(len(l.slots)-1)]
		if *slot == 0 || l.names[*slot-1] == name {
			return slot
		}
	}
}

// last returns the last place of a name, -1 if there is none.
func (l *layout) last(name string) int { return int(*l.slot(name)) - 1 }

// pickedBy returns what a picker picks.
func (l *layout) pickedBy(p *Picker) []pick {
	for i := range l.picked {
		if l.picked[i].by == p {
			return l.picked[i].all
		}
	}
	var all []pick
	for place, name := range l.names {
		if number, ok := p.Pick([]byte(name)); ok {
			all = append(all, pick{uint16(place), uint16(number)})
		}
	}
	l.picked = append(l.picked, picked{p, all})
	return all
}

// Picked iterates over the members that a picker picks, with their numbers. There are none if v is no object.
func (v Value) Picked(p *Picker) iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if o := v.laidOut(); o != nil {
			for _, one := range o.pickedBy(p) {
				if !yield(int(one.number), Value{v.in, o.members[one.place]}) {
					return
				}
			}
			return
		}
		for member := range v.Members {
			if number, ok := p.Pick(member.Name()); ok && !yield(number, member) {
				return
			}
		}
	}
}
