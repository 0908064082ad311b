package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// attachmentOrder are the members in the order of their ordinals, and the kind of each.
const attachmentOrder = `fileSelections file, currentFileLocationData current_file, folderSelections folder, attachedFolders folder, attachedFoldersNew folder,
	selections selection, attachedCodeChunks code_chunk, codebaseContextChunks code_chunk, codeChunks code_chunk, selectedDocs doc, docsReferences doc, docs doc,
	cursorRules rule, selectedCommits commit, commits commit, selectedPullRequests pull_request, pullRequests pull_request, selectedImages image, images image,
	externalLinks link, webReferences link, links link, terminalSelections terminal, terminalFiles terminal, gitDiffs git_diff, notepads notepad, quotes quote,
	lints lint, approximateLintErrors lint, multiFileLinterErrors lint, todos todo, relevantFiles file, recentlyViewedFiles file,
	attachedFileCodeChunksUris file, attachedFileCodeChunksMetadataOnly code_chunk, documentationSelections doc, gitPRDiffSelections pull_request,
	aiWebSearchResults link, uiElementPicked other, uiElementSelections other, consoleLogs other, browserSelections other, knowledgeItems other,
	cursorCommands other, subagentSelections other, composers other, pastChats other, summarizedComposers other,
	selectedDocuments file, selectedVideos other, gitDiff git_diff, gitDiffFromBranchToMain git_diff`

// Every member gives its kind; ordinals follow attachmentOrder, whatever the order in the document.
func TestAttachmentKinds(t *testing.T) {
	t.Parallel()
	var members, want []string
	for i, item := range strings.Split(attachmentOrder, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(item), " ")
		members = append(members, fmt.Sprintf(`%q:[{"n":%d},{"n":%d}]`, name, 2*i, 2*i+1))
		want = append(want, fmt.Sprintf(`%d %s {"n":%d}`, 2*i, kind, 2*i),
			fmt.Sprintf(`%d %s {"n":%d}`, 2*i+1, kind, 2*i+1))
	}
	slices.Reverse(members)
	rows := normalized(t, conversationOf("c", `{}`, bubble("b", "{"+strings.Join(members, ",")+"}")))
	var got []string
	for _, a := range rows.Attachments {
		got = append(got, fmt.Sprint(a.Ordinal, " ", a.Kind, " ", show(a.Detail)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A message's attachments are those of the bubble, its context, then its messageRequestContext: by message id, else by
// request id, else they are the conversation's.
func TestAttachmentPlaces(t *testing.T) {
	t.Parallel()
	context := func(id, name string) part {
		return part{extract.FamilyContext + "/" + id, `{"quotes":["` + name + `"]}`}
	}
	rows := normalized(t, conversationOf("c", `{"context":{"quotes":["head"]}}`,
		bubble("a", `{"requestId":"r1","context":{"quotes":["a2"]},"quotes":["a1"]}`),
		bubble("b", `{"requestId":"r1"}`), bubble("d", `{"context":"{\"quotes\":[\"d1\"]}"}`), context("a", "a3"),
		context("nobody", "loose"), context("r1", "a4")))
	var got []string
	for _, a := range rows.Attachments {
		got = append(got, shows(a.MessageID, a.Ordinal, a.Detail))
	}
	want := []string{`NULL | 0 | "head"`, `NULL | 1 | "loose"`, `a | 0 | "a1"`, `a | 1 | "a2"`, `a | 2 | "a3"`,
		`a | 3 | "a4"`, `d | 0 | "d1"`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// What an attachment names.
func TestAttachmentFields(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{ // path, uri, first and last line
		{`{"uri":{"external":"file:///c%3A/x.go","fsPath":"c:\\x.go","path":"/c:/x.go","scheme":"file"}}`,
			`c:\x.go | file:///c%3A/x.go | NULL | NULL`},
		{`{"uri":{"scheme":"file","path":"/src/x.go"}}`, "/src/x.go | file:///src/x.go | NULL | NULL"},
		{`{"uri":{"$mid":1,"path":"/C:/my%20src/x.go","scheme":"file","_sep":1}}`,
			`c:\my%20src\x.go | file:///C:/my%20src/x.go | NULL | NULL`},
		{`{"scheme":"file","authority":"nas","path":"/src/x.go"}`, `\\nas\src\x.go | file://nas/src/x.go | NULL | NULL`},
		{`{"scheme":"file","path":"/C:/src/x.go","relativePath":"x.go"}`, "x.go | file:///C:/src/x.go | NULL | NULL"},
		{`{"scheme":"untitled","fileName":"x.go"}`, "x.go | NULL | NULL | NULL"},
		{`{"uri":{"fsPath":"/src/x.go"}}`, "/src/x.go | file:///src/x.go | NULL | NULL"},
		{`{"uri":"file:///src/x.go"}`, "/src/x.go | file:///src/x.go | NULL | NULL"},
		{`{"relativeWorkspacePath":"x.go","startLineNumber":3,"endLineNumber":5}`, "x.go | NULL | 3 | 5"},
		{`{"uri":{"fsPath":"/x"},"range":{"selectionStartLineNumber":2,"positionLineNumber":9}}`,
			"/x | file:///x | 2 | 9"},
		{`{"uri":{"fsPath":"/x"},"range":{"start":{"line":2},"end":{"line":9}}}`, "/x | file:///x | 2 | 9"},
		{`{"relativeWorkspacePath":"x.go","range":{"startPosition":{"line":2,"column":1},"endPosition":{"line":9}}}`,
			"x.go | NULL | 2 | 9"},
		{`{"path":"x.go","range":{"startLineNumber":2,"endLineNumberInclusive":9}}`, "x.go | NULL | 2 | 9"},
		{`{"path":"x.go","range":{"startLine":2,"endLineInclusive":9}}`, "x.go | NULL | 2 | 9"},
		{`"plain text"`, "plain text | NULL | NULL | NULL"},
		{`"https://x.dev/a"`, "https://x.dev/a | https://x.dev/a | NULL | NULL"},
		{`"{\"relativeWorkspacePath\":\"in.go\"}"`, "in.go | NULL | NULL | NULL"},
		{`{"url":"https://x.dev/a","title":"A"}`, "A | https://x.dev/a | NULL | NULL"},
		{`{"url":"https://example.org"}`, "NULL | https://example.org | NULL | NULL"},
		{`{"prUrl":"https://example.org","title":""}`, "NULL | https://example.org | NULL | NULL"},
	} {
		found := attachments(val(t, `{"docs":[`+test.in+`]}`).Object(), nil)
		if len(found) != 1 {
			t.Errorf("%s gives %d attachments", test.in, len(found))
			continue
		}
		if got := shows(found[0].Path, found[0].URI, found[0].StartLine, found[0].EndLine); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, test.want)
		}
	}
	for _, in := range []string{`{"docs":[]}`, `{"docs":{}}`, `{"docs":null}`, `{"docs":""}`,
		`{"docs":[{},"",null,[]]}`, `{"other":[1]}`, `{}`, `{"gitDiff":false,"gitDiffFromBranchToMain":null}`} {
		if found := attachments(val(t, in).Object(), nil); len(found) != 0 {
			t.Errorf("%s gives %d attachments", in, len(found))
		}
	}
	if found := attachments(
		val(t,
			`{"docs":"[{\"name\":\"a\"},{\"name\":\"b\"}]","currentFileLocationData":{"relativeWorkspacePath":"x"}}`).
			Object(), []schema.Attachment{{Kind: "before"}}); len(found) != 4 || found[1].Kind != "current_file" {
		t.Errorf("an array in a string and an object: %+v", found)
	}
	upload := `{"uuid":"u","filename":"a.pdf","mimeType":"application/pdf","data":"` + strings.Repeat("JVBE", 30) + `"}`
	found := attachments(val(t, `{"gitDiff":true,"selectedDocuments":[`+upload+`]}`).Object(), nil)
	if len(found) != 2 || shows(found[0].Kind, found[0].Path, found[1].Kind, found[1].Detail) !=
		"file | a.pdf | git_diff | true" || strings.Contains(show(found[0].Detail), "JVBE") {
		t.Errorf("a document and a switch: %+v", found)
	}
}
