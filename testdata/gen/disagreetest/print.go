package disagreetest

import (
	"fmt"
	"strings"
)

// String is what was said in each chat of a group, and which places know it.
func (g *Group) String() string {
	var b strings.Builder
	for _, c := range g.Chats {
		fmt.Fprintf(&b, "chat %s %q: %s\n", c.ID, c.Title, c.Shape)
		k := c.known()
		for _, m := range c.said {
			who, places := "agent", []string{}
			if m.user {
				who = "user"
			}
			for _, p := range []struct {
				name string
				is   bool
			}{{"branch", m.branch}, {"ghost", m.ghost}, {"row", m.row}, {"document", m.inside}, {"unusable row", m.bad},
				{"placeholder", m.holder}, {"header", k.named[m]}, {"graph as " + m.nodeID, m.node},
				{"missing blob", m.lost}, {"time", m.own}, {"stored as " + m.stored, m.stored != ""},
				{"simulated by " + m.mark, m.mark != ""}} {
				if p.is {
					places = append(places, p.name)
				}
			}
			fmt.Fprintf(&b, "  %d, turn %d, %s, %d, %s %s %q: %s\n", m.n, m.turn, m.id, m.at, who, m.kind, m.words,
				strings.Join(places, ", "))
			if call := m.call; call != nil {
				fmt.Fprintf(&b, "     %s\n", call)
			}
		}
	}
	return b.String()
}
