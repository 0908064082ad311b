package transform

import (
	"slices"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// Shared is the content of a source's shared rows: its workspaces, and facts about conversations that are not in the
// conversations' own rows.
type Shared struct {
	Workspaces []schema.Workspace
	DailyStats []schema.DailyEditStats
	Prompts    []schema.Prompt
	McpServers []schema.McpServer
	Quarantine []schema.Quarantine // shared rows that cannot be used

	workspaces map[string]schema.Workspace
	facts      map[string]*Facts
	earlier    Earlier
	replaced   map[*extract.Document]*extract.Document // unusable rows and the earlier versions that were read instead
	promptIDs  map[[2]string]int                       // number of prompts by workspace and id
	nameless   map[[3]string]int                       // number of equal elements without an id, by store, key and hash
	fields     map[string]*fieldCounts                 // by store
	censuses   map[string]*census                      // by store
	sidebar    map[string]jsondoc.Value                // workspaces of the sidebar's projects, by the project's id
}

// Facts are what the shared rows contain about one conversation. The zero value is a conversation without any.
type Facts struct {
	tableValue   jsondoc.Value // composerHeaders.value
	tableColumns jsondoc.Value // the row's columns
	itemHead     jsondoc.Value // an element of ItemTable composer.composerHeaders
	listHead     jsondoc.Value // an element of a workspace's allComposers
	itemStore    string        // the store that itemHead is from
	listStore    string        // the store that listHead is from
	panes, lists []string      // workspaces whose pane or list has it
	copies       []copied      // the whole conversation, in workspace stores of 2024
	sidebar      string        // its project in the sidebar
	plans        []string      // paths of the plans that it made, edited or built
}

// Of returns the facts about a conversation.
func (s *Shared) Of(id string) *Facts {
	if f := s.facts[id]; f != nil {
		return f
	}
	return &Facts{}
}

// Store is the store that holds a copied conversation.
func (f *Facts) Store() string {
	if c := f.bestCopy(); c != nil {
		return c.doc.Store
	}
	return ""
}

func (s *Shared) of(id string) *Facts {
	if s.facts[id] == nil {
		s.facts[id] = &Facts{}
	}
	return s.facts[id]
}

// setAside puts an element of a list in a shared row into quarantine that is none.
func (s *Shared) setAside(d *extract.Document, element jsondoc.Value, count *schema.LoadElement, place []byte) {
	if jsondoc.IsEmpty(element.Unquoted()) {
		return
	}
	s.Quarantine = append(s.Quarantine, elementRow("", d, element, place))
	count.Quarantined++
}

func (s *Shared) quarantine(d *extract.Document, err error) {
	s.Quarantine = append(s.Quarantine, quarantineRow("", d, err.Error()))
}

// censusOf returns the counts for a store's shared rows.
func (s *Shared) censusOf(store string) *census {
	if s.censuses[store] == nil {
		s.censuses[store] = &census{}
	}
	return s.censuses[store]
}

// Elements returns the counts of the lists in the shared rows of some stores, but not those of messages. A row of
// schema.SharedRows says of each store that it was counted.
func (s *Shared) Elements(sourceID string, stores []string) (out []schema.LoadElement) {
	for _, store := range slices.Sorted(slices.Values(stores)) {
		rows := append(s.censuses[store].rows(sourceID),
			schema.LoadElement{SourceID: sourceID, Family: schema.SharedRows})
		for i := range rows {
			rows[i].Store = store
		}
		out = append(out, rows...)
	}
	return out
}

// copied is a whole conversation inside a workspace's ItemTable.
type copied struct {
	workspace string
	doc       *extract.Document // the row that holds it, without its value
	format    string            // inline or chat_tab
	text      packed            // of the element
	messages  int64             // in its list
	activity  schema.Millis     // its latest time, 0 for none
	isEarlier bool              // from an earlier version of its row: the present one cannot be used
}

// bestCopy chooses one copy of a conversation: the one with the latest activity, then the one of the smaller workspace.
func (f *Facts) bestCopy() *copied {
	var best *copied
	for i := range f.copies {
		c := &f.copies[i]
		if best == nil || c.activity > best.activity || c.activity == best.activity && c.workspace < best.workspace {
			best = c
		}
	}
	return best
}

// UnknownFields returns the unknown fields in the shared rows of some stores.
func (s *Shared) UnknownFields(sourceID string, stores []string) (out []schema.UnknownField) {
	for _, store := range slices.Sorted(slices.Values(stores)) {
		out = append(out, s.fields[store].rows(sourceID)...)
	}
	return out
}

// fieldsOf returns the counts for a store's shared rows.
func (s *Shared) fieldsOf(store string) *fieldCounts {
	if s.fields[store] == nil {
		s.fields[store] = &fieldCounts{}
	}
	return s.fields[store]
}

// Earlier returns the last usable version of a shared row that an earlier load has read, by its store, table and key;
// nil if there is none.
type Earlier func(*extract.Document) *extract.Document

// useEarlier reads the earlier version of a row that cannot be used. If that version cannot be read either, the row is
// left out.
func (s *Shared) useEarlier(bad *extract.Document, read func(last *extract.Document) error) {
	if s.earlier == nil {
		return
	}
	if last := s.earlier(bad); last != nil && !last.HoldsNothing() && read(last) == nil {
		s.replaced[bad] = last
	}
}

// EarlierVersions returns the earlier versions that were read instead of unusable rows. They have the rows' stores,
// tables and keys.
func (s *Shared) EarlierVersions() []*extract.Document {
	var out []*extract.Document
	for _, last := range s.replaced {
		out = append(out, last)
	}
	return out
}

// IsEarlier reports whether a copied conversation comes from an earlier version of its row, because the present version
// cannot be used.
func (f *Facts) IsEarlier() bool {
	c := f.bestCopy()
	return c != nil && c.isEarlier
}
