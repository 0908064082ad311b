package transform

import (
	"cmp"
	"encoding/json"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file makes the row of a cloud agent, of which the editor keeps a copy once it was opened there (docs/formats.md,
// Cloud agents).

// whyUnusable is the reason why a row cannot be used; "" for one that can.
func (a *assembly) whyUnusable(d *extract.Document) (why string) {
	if d.Family != extract.FamilyCloud {
		_, why = a.object(d)
	} else if !Usable(d) {
		why = cmp.Or(d.Problem, badRoot)
	}
	return why
}

// isCloud reports whether the conversation is a cloud agent that no composer shows under the same id.
func (a *assembly) isCloud() bool { return !a.head.Exists() && a.agent.cloud != nil }

// cloudHead is what a head calls what an element of the list of cloud agents has. Its status is a number of another
// enumeration.
var cloudHead = []struct {
	name string
	from []string
}{
	{"name", []string{"name"}}, {"createdAt", []string{"createdAt"}}, {"isArchived", []string{"isArchived"}},
	{"lastUpdatedAt", []string{"lastMessageActivityAtMs", "updatedAt"}}, {"activeBranch", []string{"branchName"}},
	{"modelConfig", []string{"modelDetails"}},
}

// cloudAgents reads the list of the cloud agents of a user: heads.
func (s *Shared) cloudAgents(d *extract.Document, list jsondoc.Value) {
	count := s.censusOf(d.Store).of(censusKey{d.Family, "[]"})
	count.Seen += elementsAt(list, "[]")
	for _, element := range list.Array() {
		agent := element.Object()
		id := agent.Get("bcId").Text()
		if !extract.IsConversationID(id) {
			s.withoutID(d, element, count)
			continue
		}
		head := map[string]json.RawMessage{}
		for _, member := range cloudHead {
			if v := agent.First(member.from...); v.Exists() {
				head[member.name] = v.Raw()
			}
		}
		count.Rows++
		if f := s.of(id); !f.listHead.Exists() {
			f.listHead, _ = jsondoc.ParseObject(marshal(head)) // its parts are valid
			f.listStore = d.Store
		}
	}
}

// cloudRow is the row of a cloud agent, as far as rows of others name it. cloudFacts fills the rest.
func (a *assembly) cloudRow() schema.Conversation {
	row := a.n.Shared.conversationRow(a.n.SourceID, a.conv.ID, jsondoc.Value{}, a.facts)
	a.n.Shared.project(a.facts, jsondoc.Value{}).apply(&row)
	return row
}

// cloudFacts fills what the state of a cloud agent says.
func (a *assembly) cloudFacts(row *schema.Conversation) {
	c := a.agent.cloud
	if c == nil {
		return
	}
	if !a.head.Exists() {
		row.Title = cmp.Or(text(c.Name), row.Title)
	}
	row.Title, row.GitBranch, row.Summary = cmp.Or(row.Title, text(c.Name)), cmp.Or(row.GitBranch, text(c.Branch)),
		cmp.Or(row.Summary, text(c.Summary))
	row.CreatedAt, row.UpdatedAt = cmp.Or(row.CreatedAt, plausibleTime(c.RequestedAt)), latestOf(row.UpdatedAt, c.at)
}

// cloudPlaces are the places of the conversation that are kept copies of a cloud agent: one under its own id, and the
// one that its document names. kind is the store that its rows are from.
func (a *assembly) cloudPlaces(kind string) {
	add := func(id string) {
		a.rows.Sources = append(a.rows.Sources,
			schema.ConversationSource{SourceID: a.n.SourceID, ConversationID: a.conv.ID, StoreKind: storeCloud,
				Path: schema.CleanText(extract.CloudKey(id))})
	}
	for _, d := range a.agent.roots {
		if d.Family == extract.FamilyCloud && kind != storeCloud {
			add(a.conv.ID)
		}
	}
	if id := cloudAgentOf(a.head); id != "" && id != a.conv.ID {
		add(id)
	}
}

// cloudAgentOf is the id of the cloud agent that a composer shows; "" for none.
func cloudAgentOf(head jsondoc.Value) string {
	from := head.Get("createdFromBackgroundAgent").Unquoted()
	return cmp.Or(head.Get("bcId").Text(), from.Text(), from.Object().Get("bcId").Text())
}
