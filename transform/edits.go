package transform

import (
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

func readFate(id string, o jsondoc.Value) fate {
	f := fate{id: id}
	for hunk := range o.Get("fates").Unquoted().Elements {
		switch name := strings.ToLower(hunk.Get("fate").Text()); {
		case strings.HasPrefix(name, "accept"):
			f.accepted++
		case strings.HasPrefix(name, "reject"):
			f.rejected++
		default:
			f.other++
		}
		f.added, f.removed = plus(f.added, hunk.Get("addedLines").Listed()),
			plus(f.removed, hunk.Get("removedLines").Listed())
	}
	return f
}

// names maps ids to the first message that names them.
type names struct {
	checkpoints map[string]*string
	codeblocks  map[string]*pendingMessage
	summary     *string // of the latest message that has one
}

func (a *assembly) namesOf(order []*pendingMessage) names {
	n := names{checkpoints: map[string]*string{}, codeblocks: map[string]*pendingMessage{}}
	for _, s := range order {
		if s.named == nil {
			continue
		}
		for _, id := range []string{s.named.checkpoint, s.named.after} {
			if id != "" && n.checkpoints[id] == nil {
				n.checkpoints[id] = &s.id
			}
		}
		if id := s.named.codeblock; id != "" && n.codeblocks[id] == nil {
			n.codeblocks[id] = s
		}
		if s.named.summary != nil {
			n.summary = s.named.summary
		}
	}
	return n
}

// edits makes the rows of code_edits: the union of the conversation document's codeBlockData and the fates rows, by
// code block id.
func (a *assembly) edits(n names) {
	edits := a.codeBlocks()
	at := map[string]int{}
	for i := range edits {
		at[edits[i].EditID] = i
	}
	for _, f := range a.fates {
		a.census.document(extract.FamilyFate).Rows++
		i, known := at[f.id]
		if !known {
			i = len(edits)
			at[f.id] = i
			edits = append(edits, schema.CodeEdit{EditID: f.id})
		}
		f.apply(&edits[i])
	}
	for i := range edits {
		e := &edits[i]
		e.SourceID, e.ConversationID = a.n.SourceID, a.conv.ID
		if s := n.codeblocks[e.EditID]; s != nil {
			if e.MessageID == nil {
				e.MessageID = &s.id
			}
			if e.Path == nil {
				e.Path = s.named.filePath
			}
		}
	}
	a.rows.CodeEdits = edits
}

func (f fate) apply(e *schema.CodeEdit) {
	e.LinesAdded, e.LinesRemoved = f.added, f.removed
	switch {
	case f.accepted+f.rejected+f.other == 0: // no hunk: like no row of fates
	case f.rejected+f.other == 0:
		e.IsAccepted = ptr(true)
	case f.accepted+f.other == 0:
		e.IsAccepted = ptr(false)
	default:
		e.IsAccepted = nil
	}
}

// codeBlocks reads codeBlockData of the conversation and of a workspace's copy: {uri: {id: block}} or {uri: [block]}
// (docs/formats.md, Code blocks). If there is none, it reads the user's responses.
func (a *assembly) codeBlocks() []schema.CodeEdit {
	var edits []schema.CodeEdit
	seen := map[string]bool{}
	var count *schema.LoadElement // of the document's blocks
	var doc *extract.Document
	add := func(uri, key string, index int, element jsondoc.Value) {
		block := element.Object()
		if !block.Exists() {
			a.setAside(doc, element, count, []byte(listBlocks), []byte(uri), []byte(key), fmtInt(int64(index)))
			return
		}
		id := block.Get("codeblockId").Text()
		if id == "" {
			id = key
		}
		if id == "" {
			id = a.conv.ID + ":" + uri + "#" + string(fmtInt(int64(index)))
		}
		if seen[id] {
			count.Duplicates++
			return
		}
		if seen[id] = true; block.HasMembers() {
			count.Rows++
		}
		edits = append(edits, codeEdit(id, uri, block))
	}
	documents := a.documents()
	for i, d := range documents {
		head := d.head
		doc, count = d.doc, a.ofDocument(a.head.Exists() && i == 0, listBlocks)
		for file := range head.Get("codeBlockData").Unquoted().Members {
			blocks, i := file.Unquoted(), 0
			for element := range blocks.Inside {
				id := ""
				if blocks.IsObject() {
					id = string(element.Name())
				}
				add(string(file.Name()), id, i, element)
				i++
			}
		}
	}
	for i, d := range documents {
		head := d.head
		list := head.Get("userResponsesToSuggestedCodeBlocks").Unquoted()
		count = a.ofDocument(a.head.Exists() && i == 0, listResponses)
		if len(edits) == 0 {
			edits = a.responses(d.doc, list, count)
		} else { // the blocks tell more, or the other document had them
			count.Duplicates += elementsAt(list, "[]")
		}
	}
	return edits
}

// headed is a document of the conversation, or one that holds it, and the conversation in it.
type headed struct {
	doc  *extract.Document
	head jsondoc.Value
}

// documents are the conversation's own document and a workspace's copy of it, as far as there are any.
func (a *assembly) documents() (out []headed) {
	if a.head.Exists() {
		out = append(out, headed{a.conv.Head, a.head})
	}
	if a.copy != nil {
		out = append(out, headed{a.copy.doc, a.copyHead})
	}
	return out
}

// responses reads userResponsesToSuggestedCodeBlocks: what the user did about suggestions that no block describes
// (docs/formats.md, Responses to suggestions).
func (a *assembly) responses(d *extract.Document, list jsondoc.Value, count *schema.LoadElement) []schema.CodeEdit {
	var edits []schema.CodeEdit
	for i, element := range list.Array() {
		response := element.Unquoted().Object()
		if !response.Exists() {
			a.setAside(d, element, count, []byte(listResponses), fmtInt(int64(i)))
		}
		if !response.HasMembers() {
			continue
		}
		count.Rows++
		e := schema.CodeEdit{EditID: a.conv.ID + ":response#" + string(fmtInt(int64(len(edits)))),
			Path: response.Get("filePath").Str()}
		if number := response.Get("userResponseType").Scalar(); number != nil {
			e.Status = ptr("response " + *number)
		}
		edits = append(edits, e)
	}
	return edits
}

func codeEdit(id, uri string, block jsondoc.Value) schema.CodeEdit {
	e := schema.CodeEdit{
		EditID: id, MessageID: block.Get("bubbleId").Str(), Language: block.Get("languageId").Str(),
		Status: block.Get("status").Scalar(), CreatedAt: timeOf(block.Get("createdAt")),
		DiffID: block.First("diffId", "latestDiffId").Str(),
	}
	if _, path := uriOf(block.Get("uri")); path != nil {
		e.Path = path
	} else if uri != "" {
		e.Path = ptr(pathOfURI(uri))
	}
	switch deref(e.Status) {
	case "accepted":
		e.IsAccepted = ptr(true)
	case "rejected":
		e.IsAccepted = ptr(false)
	}
	return e
}

func checkpoint(id string, o jsondoc.Value) schema.Checkpoint {
	files := o.Get("files").Unquoted()
	return schema.Checkpoint{CheckpointID: id, FileCount: files.Length(), Files: files.JSON()}
}

// codeDiff counts the hunks of newModelDiffWrtV0: {original{startLineNumber, endLineNumberExclusive}, modified[]}
// (docs/formats.md, Differences).
func codeDiff(id string, o jsondoc.Value) schema.CodeDiff {
	d := schema.CodeDiff{DiffID: id}
	hunks := o.Get("newModelDiffWrtV0").Unquoted()
	if !hunks.IsArray() {
		return d
	}
	d.Hunks = new(int64)
	for hunk := range hunks.Elements {
		*d.Hunks++
		d.LinesAdded = plus(d.LinesAdded, hunk.Get("modified").Listed())
		original := hunk.Get("original")
		from, to := original.Get("startLineNumber").Count(), original.Get("endLineNumberExclusive").Count()
		if from != nil && to != nil {
			d.LinesRemoved = plus(d.LinesRemoved, ptr(max(*to-*from, 0)))
		}
	}
	if *d.Hunks == 0 { // a difference without hunks changes nothing
		d.LinesAdded, d.LinesRemoved = new(int64), new(int64)
	}
	return d
}
