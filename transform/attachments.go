package transform

import (
	"strings"

	"pipeline/sql/schema"
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
	{"image", "selectedImages"}, {"image", "images"},
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
}

// attachmentKinds has the index in attachmentFields of each member's name.
var attachmentKinds = func() *picker {
	var names []string
	for _, f := range attachmentFields {
		names = append(names, f.name)
	}
	return newNames(names)
}()

// attachments reads the attachments of one object (a bubble, a context, a messageRequestContext) and appends them to
// out. The caller sets ordinals, message and conversation.
func attachments(o value, out []schema.Attachment) []schema.Attachment {
	var found [64]value // by index in attachmentFields; most members are empty arrays
	any := false
	for at, v := range o.picked(attachmentKinds) {
		if !isEmpty(v) {
			found[at], any = v, true
		}
	}
	if !any {
		return out
	}
	for at, v := range found[:len(attachmentFields)] {
		if !v.exists() {
			continue
		}
		kind := attachmentFields[at].kind
		v = v.unquoted()
		if !v.isArray() {
			out = appendAttachment(out, kind, v)
			continue
		}
		for _, element := range v.array() {
			out = appendAttachment(out, kind, element.unquoted())
		}
	}
	return out
}

func appendAttachment(out []schema.Attachment, kind string, v value) []schema.Attachment {
	if isEmpty(v) {
		return out
	}
	a := schema.Attachment{Kind: kind}
	if kind == "image" {
		a.Detail = imageDetail(v)
	} else {
		a.Detail = v.json()
	}
	if isData := strings.HasPrefix(v.text(), "data:"); isData {
		return append(out, a)
	}
	if v.isString() {
		a.Path = v.str()
		if a.Path != nil && strings.Contains(*a.Path, "://") {
			a.URI = a.Path
		}
		return append(out, a)
	}
	o := v.object()
	a.URI, a.Path = uriOf(o.first("uri", "url", "fileUri", "prUrl"))
	if strings.HasPrefix(deref(a.URI), "data:") {
		a.URI, a.Path = nil, nil
	}
	if a.URI == nil && o.get("scheme").exists() { // the element itself is a URI
		a.URI, a.Path = uriOf(v)
	}
	if p := o.first("relativeWorkspacePath", "relativePath", "path", "filePath", "fileName", "filename", "name",
		"title").str(); p != nil {
		a.Path = p
	}
	a.StartLine, a.EndLine = lineRange(o)
	return append(out, a)
}

// uriOf reads a VS Code URI: a string, or {external, scheme, path, fsPath}.
func uriOf(v value) (uri, path *string) {
	if v.isString() {
		uri = v.str()
		if uri != nil {
			if p := pathOfURI(*uri); p != "" { // a link to a host has none
				path = &p
			}
		}
		return uri, path
	}
	o := v.object()
	path = o.first("fsPath", "path").str()
	switch {
	case o.get("external").str() != nil:
		uri = o.get("external").str()
	case o.get("scheme").str() != nil && o.get("path").str() != nil:
		uri = ptr(o.get("scheme").text() + "://" + o.get("authority").text() + o.get("path").text())
	case o.get("fsPath").str() != nil:
		uri = ptr(fileURI(o.get("fsPath").text()))
	}
	return uri, path
}

// fileURI returns the file:// URI of a Unix or Windows path.
func fileURI(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + path
}

func pathOfURI(uri string) string {
	if p, ok := ParseProjectURI(uri); ok {
		return p.Path
	}
	return uri
}

// lineRange reads the lines of a selection, under the names of every era.
func lineRange(o value) (start, end *int64) {
	r := o.get("range").object()
	if !r.hasMembers() {
		r = o.get("selection").object()
	}
	if !r.hasMembers() {
		r = o
	}
	startNames := []string{"startLineNumber", "selectionStartLineNumber", "startLine", "start_line", "line",
		"lineNumber"}
	endNames := []string{"endLineNumber", "positionLineNumber", "endLine", "end_line", "endLineNumberExclusive"}
	start, end = r.first(startNames...).count(), r.first(endNames...).count()
	if s, e := r.get("start").get("line").count(), r.get("end").get("line").count(); start == nil && s != nil {
		start, end = s, e
	}
	return start, end
}
