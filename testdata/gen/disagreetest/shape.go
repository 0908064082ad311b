package disagreetest

import (
	"fmt"
	"maps"
	"slices"
)

// Shape says what each place knows of a chat.
type Shape struct {
	// rows; map or array: the document holds the messages; rows and map, rows and array: some here, some there, some in
	// both
	Form string
	Head string // whole; else what is in place of the document: none, null, zero, list, broken
	// headers: whole, absent, empty, gone (only ids that no row has), trimmed, long (the last 1,000 of more), shuffled,
	// holes
	List  string
	Graph string // none; state: in the document; hex or bare: the older forms of it; pointer: a row names the root
	Table string // the chat's row in composerHeaders: none, head, tombstone
	Group string // alone, subagent, tries (of best-of-N)

	Lost        int    // percent of the rows that are gone
	Damage      string // of the graph: "" none, steps, turns: some of these blobs are gone
	Late        int    // so many turns at the end are not in the graph yet
	Times       string // own times of rows: all, some, none
	Branch      bool   // an edited prompt left messages
	Simulated   bool   // the program wrote some prompts
	Holders     bool   // placeholders stand for some steps
	Odd         bool   // types and texts have odd forms
	Repeats     bool   // some texts are equal
	ByStored    bool   // some headers name a row by the id in its body
	Twice       bool   // some headers are there twice
	GoneHeaders bool   // some headers name nothing
	Bad         bool   // some rows cannot be used
	Titled      bool
}

// random shapes: every place has each of its states with every state of the others, as far as they can be together.
func anyShape(r random) Shape {
	s := Shape{
		Form: r.pick("rows", "rows", "rows", "rows", "rows", "rows", "map", "array", "rows and map",
			"rows and array"),
		Head: r.pick("whole", "whole", "whole", "whole", "whole", "whole", "whole", "none", "null",
			r.pick("zero", "list", "broken")),
		List: r.pick("whole", "whole", "whole", "whole", "absent", "empty", "gone", "trimmed", "trimmed",
			r.pick("shuffled", "holes", "whole")),
		Graph: r.pick("none", "none", "none", "state", "state", "state", "state", "pointer", "pointer",
			r.pick("hex", "bare")),
		Table:  r.pick("none", "head", "head", "tombstone"),
		Group:  r.pick("alone", "alone", "alone", "alone", "alone", "alone", "alone", "alone", "subagent", "tries"),
		Damage: r.pick("", "", "", "", "", "steps", "turns"), Times: r.pick("all", "all", "all", "some", "none"),
		Branch: r.chance(30), Simulated: r.chance(40), Holders: r.chance(15), Odd: r.chance(25), Repeats: r.chance(20),
		ByStored: r.chance(10), Twice: r.chance(10), GoneHeaders: r.chance(15), Bad: r.chance(5), Titled: r.chance(60),
	}
	switch r.IntN(10) {
	case 0:
		s.Lost = 100
	case 1, 2, 3:
		s.Lost = 30
	case 4:
		s.Lost = 5
	}
	if r.chance(25) {
		s.Late = 1 + r.IntN(2)
	}
	if r.IntN(300) == 0 {
		s.List, s.Lost = "long", 0
	}
	return s
}

// possible takes out what cannot be together.
func (s Shape) possible() Shape {
	if s.Group != "alone" {
		s.Head, s.Form = "whole", "rows"
	}
	if s.List == "long" {
		s.Head, s.Form, s.Group, s.Lost, s.Times, s.Holders, s.Bad, s.Repeats = "whole", "rows", "alone", 0, "all",
			false, false, false
	}
	if s.Head != "whole" {
		s.Form, s.List = "rows", "absent"
		if s.Graph != "none" {
			s.Graph = "pointer"
		}
	}
	if s.Form == "array" || s.Form == "rows and array" {
		s.List, s.ByStored = "absent", false
	}
	if s.Graph == "none" {
		s.Damage, s.Late = "", 0
	}
	if s.Damage != "" || s.Graph != "none" && (s.Lost > 0 || s.Late > 0) {
		s.Repeats = false // equal steps are one blob; and nobody can tell which of two equal answers is lost
	}
	if s.Graph != "none" && s.Branch && s.Times != "all" {
		s.Repeats = false // an answer of the branch may be an equal one that only the graph has
	}
	return s
}

// shapes are shapes by name: what public reports tell of, each by itself.
var shapes = map[string]Shape{
	"rows_alone":                  {},
	"graph_alone":                 {Graph: "state", Lost: 100},
	"graph_beside_whole_rows":     {Graph: "state", Simulated: true},
	"graph_beside_lost_rows":      {Graph: "state", Lost: 30, Branch: true},
	"graph_with_missing_blobs":    {Graph: "state", Lost: 30, Damage: "steps"},
	"graph_with_missing_turns":    {Graph: "state", Lost: 30, Damage: "turns"},
	"graph_by_a_pointer":          {Graph: "pointer", Lost: 30},
	"graph_state_in_hex":          {Graph: "hex", Lost: 30},
	"graph_state_without_mark":    {Graph: "bare", Lost: 30},
	"graph_behind_the_rows":       {Graph: "state", Late: 2, Lost: 30},
	"emptied_headers":             {List: "empty", Branch: true},
	"emptied_headers_with_graph":  {List: "empty", Graph: "state", Lost: 30},
	"no_headers_with_graph":       {List: "absent", Graph: "state", Lost: 30, Branch: true},
	"headers_of_gone_rows":        {List: "gone", Graph: "state", Lost: 30},
	"headers_of_gone_rows_alone":  {List: "gone"},
	"trimmed_headers":             {List: "long"},
	"trimmed_headers_with_branch": {List: "long", Branch: true},
	"trimmed_headers_with_graph":  {List: "trimmed", Graph: "state", Lost: 30, Branch: true},
	"short_list_without_graph":    {List: "trimmed", Branch: true},
	"headers_by_stored_id":        {ByStored: true, Twice: true, GoneHeaders: true},
	"shuffled_headers":            {List: "shuffled", Graph: "state"},
	"map_beside_rows":             {Form: "rows and map", Lost: 30},
	"map_without_headers":         {Form: "map", List: "empty"},
	"array_beside_rows":           {Form: "rows and array", Lost: 30},
	"tombstone":                   {Head: "null", Table: "tombstone", Branch: true},
	"tombstone_with_graph":        {Head: "null", Table: "tombstone", Graph: "pointer", Lost: 30},
	"orphans":                     {Head: "none", Table: "head"},
	"orphans_of_a_broken_head":    {Head: "broken", Graph: "pointer", Lost: 30},
	"orphans_of_a_zero":           {Head: "zero"},
	"placeholders":                {Holders: true, Graph: "state"},
	"placeholders_alone":          {Holders: true},
	"simulated_prompts":           {Simulated: true},
	"subagents":                   {Group: "subagent", Graph: "state", Lost: 5},
	"best_of_n":                   {Group: "tries"},
	"odd_types_and_texts":         {Odd: true, Times: "some", Graph: "state"},
	"equal_texts":                 {Repeats: true, Graph: "state"},
	"unusable_rows":               {Bad: true, Graph: "state"},
}

// Names are those of the named shapes.
func Names() []string { return slices.Sorted(maps.Keys(shapes)) }

// whole is a named shape with what it leaves out.
func (s Shape) whole() Shape {
	for _, f := range []struct {
		field *string
		is    string
	}{{&s.Form, "rows"}, {&s.Head, "whole"}, {&s.List, "whole"}, {&s.Graph, "none"}, {&s.Table, "head"},
		{&s.Group, "alone"}, {&s.Times, "all"}} {
		if *f.field == "" {
			*f.field = f.is
		}
	}
	return s
}

// String is a shape in a line, without what is as usual.
func (s Shape) String() string {
	text := fmt.Sprintf("%s, head %s, list %s, graph %s, table %s, %s, times %s", s.Form, s.Head, s.List, s.Graph,
		s.Table, s.Group, s.Times)
	for _, f := range []struct {
		name string
		is   bool
	}{{"branch", s.Branch}, {"simulated", s.Simulated}, {"placeholders", s.Holders}, {"odd", s.Odd},
		{"equal texts", s.Repeats}, {"stored ids", s.ByStored}, {"headers twice", s.Twice},
		{"headers of nothing", s.GoneHeaders}, {"bad rows", s.Bad}} {
		if f.is {
			text += ", " + f.name
		}
	}
	if s.Lost > 0 {
		text += fmt.Sprintf(", %d %% of rows lost", s.Lost)
	}
	if s.Damage != "" {
		text += ", " + s.Damage + " missing"
	}
	if s.Late > 0 {
		text += fmt.Sprintf(", %d turns late", s.Late)
	}
	return text
}
