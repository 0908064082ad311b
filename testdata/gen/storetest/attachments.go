package storetest

import "strings"

// attachmentFields maps the fields that hold attachments to their kind in the warehouse. The lists of a
// messageRequestContext have the names of a bubble's lists.
var attachmentFields = []struct{ field, kind, element string }{
	{"fileSelections", "file",
		`{"uri":{"fsPath":"/home/mira/src/tide-api/@","external":"file:///home/mira/src/tide-api/@","path":"/home/mira/src/tide-api/@","scheme":"file"},"addedWithoutMention":false}`},
	{"currentFileLocationData", "current_file", ``},
	{"folderSelections", "folder",
		`{"relativePath":"src","uri":{"path":"/home/mira/src/tide-api/src","scheme":"file"}}`},
	{"attachedFolders", "folder", `{"relativePath":"docs"}`},
	{"selections", "selection",
		`{"uri":{"path":"/home/mira/src/tide-api/@","scheme":"file"},"range":{"selectionStartLineNumber":3,"positionLineNumber":9},"text":"const x = 1;"}`},
	{"attachedCodeChunks", "code_chunk",
		`{"relativeWorkspacePath":"@","startLineNumber":4,"lines":["a := 1","b := 2"]}`},
	{"codebaseContextChunks", "code_chunk", `"{\"relativeWorkspacePath\":\"@\",\"contents\":\"return nil\"}"`},
	{"selectedDocs", "doc", `{"docId":"d1","name":"DuckDB","url":"https://duckdb.org/docs/"}`},
	{"docsReferences", "doc", `{"title":"Guide","url":"https://example.org/guide"}`},
	{"cursorRules", "rule", `{"filename":"style.mdc"}`},
	{"selectedCommits", "commit", `{"sha":"0a1b2c3d","message":"Fix the month end"}`},
	{"commits", "commit", `"{\"sha\":\"4e5f6071\",\"message\":\"Add tests\"}"`},
	{"selectedPullRequests", "pull_request", `{"number":17,"title":"Month end"}`},
	{"pullRequests", "pull_request", `"{\"number\":18,\"title\":\"Charts\"}"`},
	{"selectedImages", "image", `{"uuid":"i1","path":"/tmp/shot.png"}`},
	{"images", "image", `{"uuid":"i2","dimension":{"width":640,"height":480}}`},
	{"image", "image", `{"path":"/tmp/old.png"}`}, // of old chats, not a list
	{"externalLinks", "link", `{"url":"https://example.org/@","uuid":"l1"}`},
	{"webReferences", "link", `{"title":"A page","url":"https://example.org/page"}`},
	{"terminalSelections", "terminal", `{"text":"$ make\nok","startLine":1}`},
	{"terminalFiles", "terminal", `{"path":"/home/mira/.cursor/projects/tide/terminals/1.txt","tail":"ok"}`},
	{"gitDiffs", "git_diff", `{"diff":"--- a\n+++ b","path":"@"}`},
	{"notepads", "notepad", `{"notepadId":"n1","name":"Ideas"}`},
	{"quotes", "quote", `{"markdown":"as you said"}`},
	{"lints", "lint", `{"relativeWorkspacePath":"@","message":"unused variable","severity":2}`},
	{"approximateLintErrors", "lint", `{"message":"missing semicolon","range":{"startLine":7}}`},
	{"multiFileLinterErrors", "lint", `{"relativeWorkspacePath":"@","errors":[{"message":"unknown name"}]}`},
	{"relevantFiles", "file", `"src/@"`},
	{"recentlyViewedFiles", "file", `{"relativeWorkspacePath":"@","isCurrentFile":false}`},
	{"attachedFileCodeChunksUris", "file", `{"path":"/home/mira/src/tide-api/@","scheme":"file"}`},
	{"attachedFileCodeChunksMetadataOnly", "code_chunk",
		`{"relativeWorkspacePath":"@","startLineNumber":4,"totalLines":9}`},
	{"documentationSelections", "doc", `{"docId":"d2","name":"Parquet"}`},
	{"gitPRDiffSelections", "pull_request", `{"prUrl":"https://example.org/pull/19","number":19}`},
	{"aiWebSearchResults", "link", `{"title":"A result","url":"https://example.org/@"}`},
	{"uiElementPicked", "other", `{"element":"button","text":"Save"}`},
	{"uiElementSelections", "other", `{"element":"input"}`},
	{"consoleLogs", "other", `{"message":"undefined is not a function","level":"error"}`},
	{"knowledgeItems", "other", `{"title":"Month end","knowledge":"Closes on day 3"}`},
	{"cursorCommands", "other", `{"name":"review","filePath":"/home/mira/.cursor/commands/review.md"}`},
	{"browserSelections", "other", `{"url":"https://example.org/shop"}`},
	{"subagentSelections", "other", `{"name":"explore"}`},
	{"composers", "other", `{"composerId":"0a1b","name":"An earlier chat"}`},
	{"pastChats", "other", `{"composerId":"0a1c","name":"Another chat"}`},
	{"todos", "todo", `"{\"id\":\"1\",\"content\":\"write the test\",\"status\":\"pending\",\"dependencies\":[]}"`},
}

// attachmentKind is the warehouse's kind for the elements of a field.
func attachmentKind(field string) string {
	for _, f := range attachmentFields {
		if f.field == field {
			return f.kind
		}
	}
	panic("storetest: no kind for " + field)
}

// writeAttachments adds the fields that belong in the given object: the bubble itself, or its context.
func writeAttachments(o *object, r rng, as []attachment, in, of string) {
	for _, a := range as {
		if a.in != in {
			continue
		}
		for _, f := range attachmentFields {
			if f.field != a.field {
				continue
			}
			elements := make([]string, a.n)
			for i := range elements {
				elements[i] = replaceAt(f.element, r.pick(fileNames))
				if folder, file, ok := strings.Cut(of, "@"); ok {
					elements[i] = strings.ReplaceAll(replaceAt(f.element, file), "/home/mira/src/tide-api", folder)
				}
			}
			value := list(elements)
			if a.field == "image" {
				value = elements[0]
			}
			o.raw(a.field, value)
		}
	}
}

func replaceAt(element, file string) string {
	b := make([]byte, 0, len(element)+2*len(file))
	for i := range len(element) {
		if element[i] == '@' {
			b = append(b, file...)
		} else {
			b = append(b, element[i])
		}
	}
	return string(b)
}

var contextTemplate = newTemplate(emptyFields(
	`notepads composers quotes selectedCommits selectedPullRequests selectedImages
	folderSelections fileSelections selections terminalSelections selectedDocs cursorRules externalLinks consoleLogs uiElementSelections`, "[]",
	`mentions`, `{}`))

// contextJSON is the context of a bubble or of a composer.
func contextJSON(r rng, as []attachment, of string) string {
	o := object{mask: contextTemplate}
	writeAttachments(&o, r, as, "context", of)
	return o.String()
}
