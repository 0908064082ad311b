package transform

import (
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// attachmentFields lists the members that hold attachments. Their order is the order of the attachments' ordinals.
var attachmentFields = []struct{ kind, name string }{
	{"file", "fileSelections"}, {"current_file", "currentFileLocationData"},
	{"folder", "folderSelections"}, {"folder", "attachedFolders"}, {"folder", "attachedFoldersNew"},
	{"selection", "selections"},
	{"code_chunk", "attachedCodeChunks"}, {"code_chunk", "codebaseContextChunks"}, {"code_chunk", "codeChunks"},
	{"doc", "selectedDocs"}, {"doc", "docsReferences"}, {"doc", "docs"},
	{"rule", "cursorRules"},
	{"commit", "selectedCommits"}, {"commit", "commits"},
	{"pull_request", "selectedPullRequests"}, {"pull_request", "pullRequests"},
	{"image", "selectedImages"}, {"image", "images"}, {"image", "image"},
	{"link", "externalLinks"}, {"link", "webReferences"}, {"link", "links"},
	{"terminal", "terminalSelections"}, {"terminal", "terminalFiles"},
	{"git_diff", "gitDiffs"},
	{"notepad", "notepads"},
	{"quote", "quotes"},
	{"lint", "lints"}, {"lint", "approximateLintErrors"}, {"lint", "multiFileLinterErrors"},
	{"todo", "todos"},
	{"file", "relevantFiles"}, {"file", "recentlyViewedFiles"}, {"file", "attachedFileCodeChunksUris"},
	{"code_chunk", "attachedFileCodeChunksMetadataOnly"},
	{"doc", "documentationSelections"},
	{"pull_request", "gitPRDiffSelections"},
	{"link", "aiWebSearchResults"},
	{"other", "uiElementPicked"}, {"other", "uiElementSelections"}, {"other", "consoleLogs"},
	{"other", "browserSelections"}, {"other", "knowledgeItems"}, {"other", "cursorCommands"},
	{"other", "subagentSelections"}, {"other", "composers"}, {"other", "pastChats"}, {"other", "summarizedComposers"},
	{"file", "selectedDocuments"}, {"other", "selectedVideos"},
	{"git_diff", "gitDiff"}, {"git_diff", "gitDiffFromBranchToMain"},
}

// holdsBytes are those whose elements may hold the bytes of a file.
var holdsBytes = map[string]bool{"selectedImages": true, "images": true, "image": true, "selectedDocuments": true,
	"selectedVideos": true}

// attachmentKinds has the index in attachmentFields of each member's name.
var attachmentKinds = func() *jsondoc.Picker {
	var names []string
	for _, f := range attachmentFields {
		names = append(names, f.name)
	}
	return jsondoc.NewNames(names)
}()

// attachments reads the attachments of one object (a bubble, a context, a messageRequestContext) and appends them to
// out. The caller sets ordinals, message and conversation.
func attachments(o jsondoc.Value, out []schema.Attachment) []schema.Attachment {
	var found [64]jsondoc.Value // by index in attachmentFields; most members are empty arrays
	any := false
	for at, v := range o.Picked(attachmentKinds) {
		if !givesNothing(v) {
			found[at], any = v, true
		}
	}
	if !any {
		return out
	}
	for at, v := range found[:len(attachmentFields)] {
		if !v.Exists() {
			continue
		}
		field := attachmentFields[at]
		v = v.Unquoted()
		if !v.IsArray() {
			out = appendAttachment(out, field.kind, field.name, v)
			continue
		}
		for _, element := range v.Array() {
			out = appendAttachment(out, field.kind, field.name, element.Unquoted())
		}
	}
	return out
}

// givesNothing reports whether a member that may hold attachments has none: gitDiff may be a switch.
func givesNothing(v jsondoc.Value) bool { return jsondoc.IsEmpty(v) || string(v.Raw()) == "false" }

func appendAttachment(out []schema.Attachment, kind, name string, v jsondoc.Value) []schema.Attachment {
	if jsondoc.IsEmpty(v) {
		return out
	}
	a := schema.Attachment{Kind: kind}
	if holdsBytes[name] {
		a.Detail = imageDetail(v)
	} else {
		a.Detail = v.JSON()
	}
	if isData := strings.HasPrefix(v.Text(), "data:"); isData {
		return append(out, a)
	}
	if v.IsString() {
		a.Path = v.Str()
		if a.Path != nil && strings.Contains(*a.Path, "://") {
			a.URI = a.Path
		}
		return append(out, a)
	}
	o := v.Object()
	a.URI, a.Path = uriOf(o.First("uri", "url", "fileUri", "prUrl"))
	if strings.HasPrefix(deref(a.URI), "data:") {
		a.URI, a.Path = nil, nil
	}
	isURI := a.URI == nil && o.Get("scheme").Exists() // the element itself
	if isURI {
		a.URI, a.Path = uriOf(v)
	}
	p := o.First("relativeWorkspacePath", "relativePath", "path", "filePath", "fileName", "filename", "name", "title")
	if p.Str() != nil && !(isURI && string(p.Name()) == "path") {
		a.Path = p.Str()
	}
	a.StartLine, a.EndLine = lineRange(o)
	return append(out, a)
}

// lineRange reads the lines of a selection, under the names of every era.
func lineRange(o jsondoc.Value) (start, end *int64) {
	r := o.Get("range").Object()
	if !r.HasMembers() {
		r = o.Get("selection").Object()
	}
	if !r.HasMembers() {
		r = o
	}
	startNames := []string{"startLineNumber", "selectionStartLineNumber", "startLine", "start_line", "line",
		"lineNumber"}
	endNames := []string{"endLineNumber", "positionLineNumber", "endLine", "end_line", "endLineNumberExclusive",
		"endLineNumberInclusive", "endLineInclusive"}
	start, end = r.First(startNames...).Count(), r.First(endNames...).Count()
	s, e := r.First("start", "startPosition").Get("line").Count(), r.First("end", "endPosition").Get("line").Count()
	if start == nil && s != nil {
		start, end = s, e
	}
	return start, end
}
