package transform

import (
	"bytes"
	"encoding/hex"
	"maps"
	"slices"
	"unicode"

	"pipeline/extract"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
)

// This file finds the agent's graph of a conversation and decodes it (docs/formats.md, The agent's graph).

// graphLimits bound the graph of one conversation: its blobs are in memory while its rows are made.
var graphLimits = graph.Limits{Blob: 16 << 20, Graph: 64 << 20}

// graphRoot is where a graph begins.
type graphRoot struct {
	graph.Root
	at *int64            // time of a cloud agent's state
	in *extract.Document // the row that has the root or names it
}

// FindNodes finds the nodes of a conversation's graph (extract.Graph).
func FindNodes(own []*extract.Document, fetch func(name string) (*extract.Document, error)) error {
	root, ok := findRoot(own)
	if !ok {
		return nil
	}
	return root.Walk(func(h graph.Hash) (graph.Blob, error) {
		d, err := fetch(h.String())
		if err != nil {
			return graph.Blob{}, err
		}
		return blobOf(d)
	}, graphLimits)
}

// blobOf is a row as a blob; nil is a row that is not there. One that could not be read counts as missing.
func blobOf(d *extract.Document) (graph.Blob, error) {
	if d == nil || d.Problem == extract.ProblemTooLarge || d.Problem == extract.ProblemCorrupt {
		return graph.Blob{}, graph.ErrMissing
	}
	return graph.Blob{Bytes: d.Value, Checked: d.Problem == ""}, nil
}

// findRoot finds where a conversation's graph begins: in its own document, else in the row that names its root.
func findRoot(own []*extract.Document) (root graphRoot, ok bool) {
	for _, d := range own {
		if d.Problem != "" || d.HoldsNothing() {
			continue
		}
		root = graphRoot{}
		switch d.Family {
		case extract.FamilyComposer:
			root.Root, ok = rootIn(rootText(d, "conversationState"))
		case extract.FamilyCLIMeta:
			root.Root, ok = rootIn(rootText(d, "latestRootBlobId"))
		case extract.FamilyRoot:
			var name graph.Hash
			name, ok = hashOf(d.Value)
			root.Blob = &name
		case extract.FamilyCloud:
			var row graph.CloudRow
			row, ok = graph.ReadCloudRow(d.Value)
			root.Blob, root.IsCloud, root.at = &row.State, true, row.At
		}
		if ok {
			root.in = d
			return root, true
		}
	}
	return root, false
}

// rootText returns the field of a document that has the root of its graph, or names it; nil if it has none. Most have
// none, and are not parsed for it.
func rootText(d *extract.Document, field string) []byte {
	if d.Parsed {
		return d.Root
	}
	if !mayHave(d.Value, field) {
		return nil
	}
	memory := jsondoc.Borrow() // what is returned does not refer to it
	defer memory.GiveBack()
	o, err := memory.ParseObject(d.Value)
	if err != nil {
		return nil
	}
	return o.Get(field).TextBytes()
}

// mayHave reports whether a document has the name of a field somewhere. It looks for the name's last word: a capital
// letter is rarer than a quote.
func mayHave(document []byte, field string) bool {
	name := []byte(`"` + field + `"`)
	word := name[bytes.LastIndexFunc(name, unicode.IsUpper):]
	for at := 0; ; {
		i := bytes.Index(document[at:], word)
		if i < 0 {
			return false
		}
		if at += i + len(word); bytes.HasSuffix(document[:at], name) {
			return true
		}
	}
}

// rootIn reads the text of a field that has a root, or names it.
func rootIn(text []byte) (root graph.Root, ok bool) {
	if name, ok := hashOf(text); ok {
		return graph.Root{Blob: &name}, true
	}
	root.Bytes, ok = graph.InlineRoot(string(text))
	return root, ok && len(root.Bytes) > 0
}

// hashOf reads a name: 64 hex digits, or 32 bytes.
func hashOf(v []byte) (h graph.Hash, ok bool) {
	switch len(v) {
	case len(h):
		return graph.Hash(v), true
	case 2 * len(h):
		_, err := hex.Decode(h[:], v)
		return h, err == nil
	}
	return h, false
}

// takeForGraph keeps a row that is for the graph and for nothing else, or a transcript, and reports whether it is one.
func (a *assembly) takeForGraph(d *extract.Document) bool {
	switch {
	case d.IsNode():
		a.agent.nodes[d.ID] = d
	case d.Family == extract.FamilyRoot:
		if _, ok := hashOf(d.Value); !ok && !d.HoldsNothing() && d.Problem == "" {
			a.quarantine(d, badRoot)
			a.agent.badRoot = true
		}
		a.agent.roots = append(a.agent.roots, d)
	case d.Family == extract.FamilyTranscript:
		a.agent.said.files = append(a.agent.said.files, d)
	case d.Family == extract.FamilyTrusted:
		if o, err := jsondoc.ParseObject(d.Value); err == nil {
			a.agent.trusted = o.Get("workspacePath").Text()
		}
	case d.Family == extract.FamilyCLICopy:
		a.agent.copies = append(a.agent.copies, d.Key)
	case d.Family == extract.FamilyCloud:
		a.takeCloudRow(d)
	case d.Family == extract.FamilyCLIFile:
		var err error
		if a.agent.file, err = jsondoc.ParseObject(d.Value); err != nil {
			a.quarantine(d, err.Error())
		}
	default:
		return false
	}
	return true
}

// readGraph decodes the conversation's graph, if it has one, and notes what could not be read of it.
func (a *assembly) readGraph() error {
	own := a.agent.roots
	if a.conv.Head != nil {
		own = append([]*extract.Document{a.conv.Head}, own...)
	}
	root, ok := findRoot(own)
	if !ok || root.in != a.conv.Head {
		a.quarantineHeadRoot()
	}
	if !ok {
		return nil
	}
	c, err := root.Decode(func(h graph.Hash) (graph.Blob, error) { return blobOf(a.agent.nodes[h.String()]) },
		graphLimits)
	if err != nil {
		return err
	}
	if c.Cloud != nil {
		a.agent.cloud = &cloudAgent{c.Cloud, plausibleTime(root.at)}
	}
	a.agent.graph, a.agent.calls = c, map[string]*graph.ToolCall{}
	for i := range c.Turns {
		for j := range c.Turns[i].Steps {
			if call := c.Turns[i].Steps[j].Call; call != nil && call.ID != "" {
				a.agent.calls[graph.CallKey(call.ID)] = call
			}
		}
	}
	a.quarantineNodes(root)
	a.fields.lookInParts(nodeFamily(root.in), c.UnknownFields, protobufType)
	a.censusGraph(c)
	return nil
}

// headRoot is the field of the conversation's own document that has the root of its graph, or names it.
func (a *assembly) headRoot() jsondoc.Value {
	if a.agent.about.Exists() {
		return a.agent.about.Get("latestRootBlobId")
	}
	return a.head.Get("conversationState")
}

// noteRoot notes that field for whoever looks for the nodes of the graph: the document of a large conversation is
// large.
func (a *assembly) noteRoot() {
	if d := a.conv.Head; !d.Parsed {
		d.Parsed, d.Root = true, a.headRoot().TextBytes()
	}
}

// quarantineHeadRoot puts that field into quarantine if it neither has a root nor names one.
func (a *assembly) quarantineHeadRoot() {
	root := a.headRoot()
	text := root.TextBytes()
	_, isName := hashOf(text)
	if _, isRoot := graph.InlineRoot(string(text)); len(text) > 0 && !isName && !isRoot {
		a.badRoot(root)
	}
}

// badRoot puts a root that a document has in a field into quarantine. The rest of the document is usable.
func (a *assembly) badRoot(root jsondoc.Value) {
	a.agent.badRoot = true
	q := elementRow(a.n.SourceID, a.conv.Head, root)
	q.Reason, q.ConversationID = badRoot, ptr(a.conv.ID)
	a.rows.Quarantine = append(a.rows.Quarantine, q)
}

// quarantineNodes puts what could not be read of a graph into quarantine. root is where the graph begins.
func (a *assembly) quarantineNodes(root graphRoot) {
	in := root.in
	seen := map[[2]string]bool{}
	for _, p := range a.agent.graph.Problems {
		name := p.Blob.String()
		if seen[[2]string{name, p.Reason}] {
			continue
		}
		seen[[2]string{name, p.Reason}] = true
		if root.Blob == nil && p.Blob == a.agent.graph.Root && p.Reason == badRoot {
			a.badRoot(a.headRoot())
			continue
		}
		d := a.agent.nodes[name]
		if d == nil {
			d = &extract.Document{Store: in.Store, Family: nodeFamily(in), Key: name, KeyType: extract.KeyText,
				Type: "blob"}
		}
		q := quarantineRow(a.n.SourceID, d, p.Reason)
		q.Key, q.ValueHash, q.ConversationID = ptr(name), hash128([]byte(name), []byte(p.Reason), []byte(a.conv.ID)),
			ptr(a.conv.ID)
		a.rows.Quarantine = append(a.rows.Quarantine, q)
	}
}

// nodeFamily is the family of the nodes of a graph that begins in a row.
func nodeFamily(in *extract.Document) string {
	if in.Family == extract.FamilyCLIMeta {
		return extract.FamilyCLINode
	}
	return extract.FamilyNode
}

// lookInParts counts what no reader knows in a part that is no document: fields of nodes, and types of what a
// transcript says.
func (c *fieldCounts) lookInParts(family string, unknown map[string]int64, types uint8) {
	if c == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		key := fieldKey{family, "$." + name}
		n := c.counts[key]
		if n == nil {
			n = &fieldCount{types: types}
			if c.counts == nil {
				c.counts, c.distinct = map[fieldKey]*fieldCount{}, map[string]int{}
			}
			c.counts[key] = n
		}
		n.rows += unknown[name]
	}
}

// censusGraph counts what the turns of a graph have, by what was decoded.
func (a *assembly) censusGraph(c *graph.Conversation) {
	n := a.census.of(origins[inGraph])
	for i := range c.Turns {
		t := &c.Turns[i]
		n.Seen += int64(len(t.Steps))
		if t.Shell != nil || t.User != nil {
			n.Seen++
		}
	}
	n.Seen += int64(len(c.Pending))
}

// badRoot is the reason of the quarantine for a row or a field that should have the root of a graph or name it, and
// does not.
const badRoot = "bad_root"

// takeCloudRow keeps the row that names the state of a cloud agent.
func (a *assembly) takeCloudRow(d *extract.Document) {
	if d.HoldsNothing() {
		return
	}
	if why := a.whyUnusable(d); why != "" {
		a.quarantine(d, why)
		return
	}
	a.agent.roots = append(a.agent.roots, d)
}
