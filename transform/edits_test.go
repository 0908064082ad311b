package transform

import (
	"slices"
	"strings"
	"testing"

	"pipeline/extract"
)

func fates(id, list string) part {
	return part{extract.FamilyFate + "/" + id, `{"fates":` + list + `}`}
}

// code_edits: the union of codeBlockData, in both its shapes, and the fates, by code block id.
func TestCodeEdits(t *testing.T) {
	t.Parallel()
	const accepted, rejected = `{"fate":"accepted","addedLines":["a","b"],"removedLines":["c"]}`,
		`{"fate":"rejected","addedLines":["d"],"removedLines":[]}`
	for _, test := range []struct {
		name, head string
		parts      []part
		want       []string // id, path, status, accepted, added, removed
	}{
		{"by id",
			`{"codeBlockData":{"file:///src/x.go":{"e1":{"status":"accepted","languageId":"go"},"e2":{"codeblockId":"own","status":"rejected"}}}}`, nil, []string{"e1 | /src/x.go | accepted | true | NULL | NULL",
				"own | /src/x.go | rejected | false | NULL | NULL"}},
		{"by place",
			`{"codeBlockData":{"file:///src/x.go":[{"status":"accepted"},{"codeblockId":"e","status":"none"},{}]}}`,
			nil, []string{"c:file:///src/x.go#0 | /src/x.go | accepted | true | NULL | NULL",
				"c:file:///src/x.go#2 | /src/x.go | NULL | NULL | NULL | NULL",
				"e | /src/x.go | none | NULL | NULL | NULL"}},
		{"in strings", `{"codeBlockData":"{\"file:///x\":{\"e\":{\"status\":\"accepted\"}}}"}`, nil,
			[]string{"e | /x | accepted | true | NULL | NULL"}},
		{"all accepted", `{}`, []part{fates("e", "["+accepted+","+accepted+"]")},
			[]string{"e | NULL | NULL | true | 4 | 2"}},
		{"all rejected", `{}`, []part{fates("e", "["+rejected+"]")}, []string{"e | NULL | NULL | false | 1 | 0"}},
		{"mixed", `{}`, []part{fates("e", "["+accepted+","+rejected+"]")}, []string{"e | NULL | NULL | NULL | 3 | 1"}},
		{"one undecided", `{}`, []part{fates("e", "["+accepted+`,{"fate":"pending"}]`)},
			[]string{"e | NULL | NULL | NULL | 2 | 1"}},
		{"no lines in it", `{}`, []part{fates("e", `[{"fate":"accepted"},{"fate":"accepted","addedLines":["a"]}]`)},
			[]string{"e | NULL | NULL | true | 1 | NULL"}},
		{"no fate in it", `{}`, []part{fates("e", "[]")}, []string{"e | NULL | NULL | NULL | NULL | NULL"}},
		{"fates say more than the status", `{"codeBlockData":{"file:///x":{"e":{"status":"accepted"}}}}`,
			[]part{fates("e", "["+rejected+"]")}, []string{"e | /x | accepted | false | 1 | 0"}},
		{"mixed fates, status accepted", `{"codeBlockData":{"file:///x":{"e":{"status":"accepted"}}}}`,
			[]part{fates("e", "["+accepted+","+rejected+"]")}, []string{"e | /x | accepted | NULL | 3 | 1"}},
		{"no fate, status rejected", `{"codeBlockData":{"file:///x":{"e":{"status":"rejected"}}}}`,
			[]part{fates("e", "[]")}, []string{"e | /x | rejected | false | NULL | NULL"}},
		{"both, and one alone", `{"codeBlockData":{"file:///x":{"e":{"status":"none"}}}}`,
			[]part{fates("e", "["+accepted+"]"), fates("f", "["+rejected+"]")},
			[]string{"e | /x | none | true | 2 | 1", "f | NULL | NULL | false | 1 | 0"}},
		{"the path of the call that made it", `{}`,
			[]part{
				bubble("b",
					`{"toolFormerData":{"tool":38,"params":{"relativeWorkspacePath":"p.go"},"additionalData":{"codeblockId":"e"}}}`), fates("e", "["+accepted+"]"),
			}, []string{"e | p.go | NULL | true | 2 | 1"}},
	} {
		rows := normalized(t, conversationOf("c", test.head, test.parts...))
		var got []string
		for _, e := range rows.CodeEdits {
			got = append(got, shows(e.EditID, e.Path, e.Status, e.IsAccepted, e.LinesAdded, e.LinesRemoved))
			if e.SourceID != "s" || e.ConversationID != "c" {
				t.Errorf("%s: %+v", test.name, e)
			}
			if len(test.parts) == 2 && test.parts[0].key == "bubbleId/b" && deref(e.MessageID) != "b" {
				t.Errorf("%s: of message %s", test.name, show(e.MessageID))
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}

// code_edits of a workspace's copy: the blocks that the conversation's own document lacks.
func TestCodeEditsOfACopy(t *testing.T) {
	t.Parallel()
	const copied = `{"allComposers":[{"composerId":"c","conversation":[],"codeBlockData":{"file:///x":{"e":{"status":"accepted"},"f":{"status":"rejected"}}},"userResponsesToSuggestedCodeBlocks":[{"userResponseType":1}]}]}`
	const responses = `{"allComposers":[{"composerId":"c","conversation":[],"codeBlockData":{},"userResponsesToSuggestedCodeBlocks":[{"userResponseType":2,"filePath":"x.go"},{},{"filePath":"y.go"}]}]}`
	for _, test := range []struct{ head, item, want string }{
		{"", copied, "e accepted true, f rejected false"},
		{`{"codeBlockData":{"file:///x":{"e":{"status":"none"}}}}`, copied, "e none NULL, f rejected false"},
		{"", responses, "c:response#0 response 2 NULL, c:response#1 NULL NULL"},
		{`{"codeBlockData":{"file:///x":{"e":{"status":"none"}}}}`, responses, "e none NULL"},
	} {
		var got []string
		for _, e := range collect(t, &Normalizer{SourceID: "s", Shared: sharedOf(test.item, "")},
			conversationOf("c", test.head)).CodeEdits {
			got = append(got, strings.ReplaceAll(shows(e.EditID, e.Status, e.IsAccepted), " | ", " "))
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s, %s:\n got %s\nwant %s", test.head, test.item, strings.Join(got, ", "), test.want)
		}
	}
}

func TestCheckpointsAndDiffs(t *testing.T) {
	t.Parallel()
	head := `{"fullConversationHeadersOnly":[{"bubbleId":"b"},{"bubbleId":"a"}]}`
	rows := normalized(t, conversationOf("c", head, bubble("a", `{"checkpointId":"k"}`),
		bubble("b", `{"afterCheckpointId":"k"}`), part{extract.FamilyCheckpoint + "/k", `{"files":[{"a":1},{"b":2}]}`},
		part{extract.FamilyCheckpoint + "/l", `{}`}, part{extract.FamilyDiff + "/d",
			`{"newModelDiffWrtV0":[{"original":{"startLineNumber":3,"endLineNumberExclusive":5},"modified":["x","y","z"]},{"original":{"startLineNumber":9,"endLineNumberExclusive":9},"modified":["w"]}]}`},
		part{extract.FamilyDiff + "/e", `{}`},
		part{extract.FamilyDiff + "/f",
			`{"newModelDiffWrtV0":[{"original":{"startLineNumber":9223372036854775807,"endLineNumberExclusive":-1}}]}`},
		part{extract.FamilyDiff + "/g", `{"newModelDiffWrtV0":[]}`}))
	var got []string
	for _, c := range rows.Checkpoints {
		got = append(got, shows(c.CheckpointID, c.MessageID, c.FileCount, c.Files))
	}
	for _, d := range rows.CodeDiffs {
		got = append(got, shows(d.DiffID, d.ConversationID, d.Hunks, d.LinesAdded, d.LinesRemoved))
	}
	want := []string{`k | b | 2 | [{"a":1},{"b":2}]`, `l | NULL | 0 | NULL`, "d | c | 2 | 4 | 2",
		"e | c | NULL | NULL | NULL", "f | c | 1 | NULL | NULL", "g | c | 0 | 0 | 0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	group := conversationOf("", "", part{extract.FamilyDiff + "/d", `{}`})
	group.Loose = true
	loose := normalized(t, group)
	if len(loose.CodeDiffs) != 1 || loose.CodeDiffs[0].ConversationID != nil || loose.CodeDiffs[0].KeyedBy != "" ||
		len(loose.Conversations) != 0 {
		t.Errorf("a diff of no conversation: %+v", loose)
	}
}
