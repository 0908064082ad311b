package disagreetest

import "slices"

// order are lists of keys, each in the order that the messages' positions must have.
func (c *known) order() (all [][]string) {
	list := c.list
	if !c.readable() && c.headless {
		return nil
	}
	add := func(messages ...*message) {
		var keys []string
		for _, m := range messages {
			if c.said[m.key()] == 1 {
				keys = append(keys, m.key())
			}
		}
		if len(keys) > 1 {
			all = append(all, keys)
		}
	}
	if len(list) == 0 {
		var timed []*message
		for _, m := range c.Chat.said {
			if c.has(m) && m.own {
				timed = append(timed, m)
			}
		}
		add(timed...)
	} else {
		add(list...)
		last, timed := list[len(list)-1], []*message{list[len(list)-1]}
		for _, m := range c.Chat.said {
			if !c.has(m) || c.inList[m] {
				continue
			}
			switch c.isListed(m) {
			case "true":
				add(m, list[0]) // the beginning that the list lost
			case "false":
				add(last, m)
				if m.own {
					timed = append(timed, m)
				}
			}
		}
		add(timed...)
	}
	add(c.graphOrder()...)
	return all
}

// graphOrder are the messages that must have the order of the graph.
func (c *known) graphOrder() (all []*message) {
	if len(c.list) > 0 && (c.Shape.List == "shuffled" || c.Shape.List == "holes") {
		return nil
	}
	apart := false // the graph has a message that no list names
	for _, m := range c.Chat.said {
		if !c.inGraph(m) || m.kind == "sealed" {
			continue
		}
		listed := c.isListed(m)
		if c.has(m) && (listed != "true" || len(c.list) == 0 && !m.own) {
			apart = true
			continue
		}
		all = append(all, m)
	}
	if apart {
		all = slices.DeleteFunc(all, func(m *message) bool { return !c.has(m) })
		if len(c.list) == 0 {
			return nil
		}
	}
	return all
}
