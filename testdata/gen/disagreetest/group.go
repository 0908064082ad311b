package disagreetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pipeline/testdata/gen/storetest"
)

// Group is a chat with those that belong to it: its subagents, or the tries of best-of-N.
type Group struct {
	Seed  uint64
	Shape Shape
	Chats []*Chat // the parent first
	r     random
}

// named is the first seed of those that have a named shape, a thousand for each.
const named = 1_000_000

// Any is a group that a seed decides.
func Any(seed uint64) *Group {
	if seed >= named {
		return newGroup(seed, shapes[Names()[(seed-named)/1000]].whole())
	}
	return newGroup(seed, anyShape(newRandom(seed, 1)))
}

// Named is the n-th group of a named shape.
func Named(name string, n int) *Group {
	i, ok := slices.BinarySearch(Names(), name)
	if !ok {
		panic("disagreetest: there is no shape " + name)
	}
	return Any(uint64(named + i*1000 + n))
}

func newGroup(seed uint64, s Shape) *Group {
	g := &Group{Seed: seed, Shape: s.possible(), r: newRandom(seed, 2)}
	parent := g.add(nil, g.Shape)
	if g.Shape.Group == "alone" {
		return g
	}
	for i := range g.r.between(1, 2) {
		own := anyShape(g.r)
		own.Group, own.List = g.Shape.Group, strings.Replace(own.List, "long", "whole", 1)
		child := g.add(parent, own.possible())
		parent.children = append(parent.children, child)
		child.listed, child.marked, child.claims = true, g.r.chance(80), g.r.chance(50)
		if i == 0 && g.Shape.Group == "subagent" {
			parent.spawned.call.agent = child.ID
		}
		if g.Shape.Group == "tries" && child.marked && child.claims && g.r.chance(20) {
			child.listed = false
		}
	}
	return g
}

// add makes a chat of the group.
func (g *Group) add(parent *Chat, s Shape) *Chat {
	part := len(g.Chats)
	c := &Chat{ID: fmt.Sprintf("d15a%04x-0000-4000-8000-%012d", part, g.Seed), Shape: s, seed: g.Seed, part: part,
		parent: parent}
	c.r = newRandom(g.Seed, uint64(10+part))
	c.clock = began + int64(g.Seed%2000)*3600_000 + int64(part)*60_000
	c.created, c.hashed, c.status = c.clock, c.r.chance(20),
		c.r.pick("completed", "completed", "none", "aborted", "generating")
	if s.Titled {
		c.Title = fmt.Sprintf("Chat %d.%d", g.Seed, part)
	}
	g.Chats = append(g.Chats, c)
	c.invent()
	c.place(0)
	return c
}

// Has tells whether a chat is of the group.
func (g *Group) Has(id string) bool {
	return slices.ContainsFunc(g.Chats, func(c *Chat) bool { return c.ID == id })
}

// SeedOf is the seed of the group that a chat is of.
func SeedOf(id string) (seed uint64) {
	seed, _ = strconv.ParseUint(strings.TrimLeft(id[len(id)-12:], "0"), 10, 64)
	return seed
}

// Rows are those of the group in cursorDiskKV.
func (g *Group) Rows() (all []storetest.Row) {
	for _, c := range g.Chats {
		all = append(all, c.rows()...)
	}
	return all
}

// Heads are the rows of the group in composerHeaders.
func (g *Group) Heads() (all []map[string]any) {
	for _, c := range g.Chats {
		if row := c.tableRow(); row != nil {
			all = append(all, row)
		}
	}
	return all
}

// Want is what a warehouse must hold of the group. It is right after Rows was called.
func (g *Group) Want() (all []Want) {
	for _, c := range g.Chats {
		all = append(all, c.want())
	}
	return all
}
