package transform

import (
	"testing"

	"pipeline/extract"
)

// Where no head and no list names a project, the messages do, then the sidebar, then the tracked repositories.
func TestLaterProject(t *testing.T) {
	t.Parallel()
	const repo, sidebar = `{"trackedGitRepos":[{"repoPath":""},{"repoPath":"/src/repo"}]}`, `{"c":"p"}`
	for _, test := range []struct{ name, head, members, first, second, want string }{
		{"the first message in order", repo, sidebar, `{"workspaceUris":["file:///src/first"]}`,
			`{"workspaceProjectDir":"/src/second"}`, "file:///src/first | message"},
		{"one that names nothing is passed over", repo, sidebar, `{"workspaceProjectDir":"","workspaceUris":[]}`,
			`{"workspaceProjectDir":"/src/second"}`, "file:///src/second | message"},
		{"the directory before the list", `{}`, "",
			`{"workspaceProjectDir":"c:\\src\\one","workspaceUris":["file:///src/first"]}`, `{}`,
			"file:///c:/src/one | message"},
		{"no path", `{}`, "", `{"workspaceProjectDir":"C:\\Users\\m\\.cursor\\projects\\c-src-one"}`,
			`{"workspaceUris":["nothing"]}`, "NULL | NULL"},
		{"the sidebar before repositories", repo, sidebar, `{}`, `{}`, "file:///src/side | glass"},
		{"a project that is not there", repo, `{"c":"q"}`, `{}`, `{}`, "file:///src/repo | repo"},
		{"a workspace before messages", `{"workspaceIdentifier":{"id":"w"}}`, sidebar,
			`{"workspaceUris":["file:///src/first"]}`, `{}`, "file:///src/a | composer"},
	} {
		raw := &extract.Shared{Workspaces: []extract.Workspace{{ID: "w", JSON: []byte(`{"folder":"file:///src/a"}`)}}}
		item := func(family, value string) {
			raw.Items = append(raw.Items, &extract.Document{Store: extract.GlobalStore, Table: "ItemTable",
				Family: family, Key: family + ".v1", Type: "text", Value: []byte(value)})
		}
		if test.members != "" {
			item("glass.localAgentProjectMembership", test.members)
			item("glass.localAgentProjects", `[{"id":"p","workspace":{"uri":"file:///src/side"}}]`)
		}
		n := &Normalizer{SourceID: "s", Shared: ReadShared("s", raw, nil)}
		conv := conversationOf("c", test.head[:1]+
			`"fullConversationHeadersOnly":[{"bubbleId":"z"},{"bubbleId":"a"}],"_v":1`+
			map[bool]string{true: "}", false: "," + test.head[1:]}[test.head == "{}"],
			bubble("a", test.second), bubble("z", test.first))
		row := collect(t, n, conv).Conversations[0]
		if got := shows(row.ProjectURI, row.ProjectSource); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if uri, _, _ := n.Project(conv); uri != deref(row.ProjectURI) {
			t.Errorf("%s: project %s, and %s in the row", test.name, uri, show(row.ProjectURI))
		}
	}
}
