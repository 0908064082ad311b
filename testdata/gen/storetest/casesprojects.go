package storetest

// subagentCases are about conversations that others started.
var subagentCases = []namedCase{
	{name: "superseded_subagent", plan: func(b *caseBuilder) {
		c, m := b.talk()
		first, second := b.child(c, "info"), b.child(c, "info")
		t := b.call(m, taskTool)
		t.subagent, t.superseded = second.id, first.id
		b.expect(bubble(c, m, "json_extract(value, "+
			"'$.toolFormerData.additionalData.supersededSubagentComposerIds[0]') = '"+first.id+"'"), 1,
			"SELECT count(*) FROM conversations WHERE is_subagent AND parent_conversation_id = "+sqlText(c.id), "2")
	}},
	{name: "subagent_in_list", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		child := b.child(c, "list")
		c.fields = []string{"subagentComposerIds", list([]string{quoted(child.id)})}
		b.expect(composer(c, "json_extract(value, '$.subagentComposerIds[0]') = '"+child.id+"'"), 1,
			ofConversation(child, "parent_conversation_id"), c.id)
	}},
	{name: "subagent_in_table", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.parentBy, c.subagent = "table", true
		b.expect("SELECT count(*) FROM composerHeaders WHERE isSubagent = 1 AND composerId = "+sqlText(c.id), 1,
			ofConversation(c, "is_subagent || coalesce(session_id, '-')"), "true-")
	}},
	{name: "subagent_inherits_project", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.link, c.project = "composer", b.project("inherited")
		child := b.child(c, "info")
		b.expect(composer(child, "json_type(value, '$.workspaceIdentifier') IS NULL"), 1,
			ofConversation(child, "project_source || ':' || project"), "parent:inherited")
	}},
	{name: "tombstone_header", plan: func(b *caseBuilder) {
		id := b.id()
		b.p.tombstones = append(b.p.tombstones,
			map[string]any{"composerId": id, "createdAt": b.at, "isArchived": int64(1), "isSubagent": int64(0),
				"recency": b.at, "value": `{"type":"head","composerId":"` + id +
					`","isArchived":true,"isDraft":false}`})
		b.expect("SELECT count(*) FROM composerHeaders WHERE isArchived = 1 AND composerId = '"+id+"'", 1,
			"SELECT count(*) FROM conversations WHERE conversation_id = '"+id+"'", "0")
	}},
}

// child adds a conversation that c started: it starts a little later, and ends before c does.
func (b *caseBuilder) child(c *conversation, by string) *conversation {
	k, _ := b.talk()
	k.parent, k.parentBy, k.link = c, by, "parent"
	k.created = number(b.at + 30_000)
	for i, m := range k.msgs {
		m.finish = b.at + 60_000 + int64(i)
		m.own = iso(m.finish)
	}
	return k
}

// projectCases are about workspace folders and about how a conversation is linked to one.
var projectCases = []namedCase{
	uriCase("uri_windows", "headers_table", "file:///C%3A/Work/My%20App/", "file:///c:/Work/My App", "My App", "local"),
	uriCase("uri_unc", "composer", "file://nas01/projects/site%20two", "file://nas01/projects/site two", "site two",
		"local"),
	uriCase("uri_wsl", "headers_item", "vscode-remote://wsl%2BDebian/home/mira/w%C3%B6rter",
		"vscode-remote://wsl+debian/home/mira/wörter", "wörter", "wsl"),
	uriCase("uri_wsl_share", "headers_table", "file://wsl.localhost/Debian/home/mira/tides",
		"file://wsl.localhost/Debian/home/mira/tides", "tides", "local"),
	uriCase("uri_wsl_older_share", "composer", "file://wsl%24/Debian/home/mira/moon",
		"file://wsl$/Debian/home/mira/moon", "moon", "local"),
	uriCase("uri_ssh_in_hex", "headers_table", "vscode-remote://ssh-remote%2B"+
		"7b22686f73744e616d65223a226765656b646976655f6c6f63616c32227d/srv/geek",
		"vscode-remote://ssh-remote+geekdive_local2/srv/geek", "geek", "ssh"),
	uriCase("uri_ssh", "pane", "vscode-remote://ssh-remote%2Bbox.example.org/srv/app",
		"vscode-remote://ssh-remote+box.example.org/srv/app", "app", "ssh"),
	uriCase("uri_dev_container", "workspace_list", "vscode-remote://dev-container%2B7b2261223a317d/workspaces/kit",
		"vscode-remote://dev-container+7b2261223a317d/workspaces/kit", "kit", "dev_container"),
	{name: "code_workspace", plan: func(b *caseBuilder) {
		uri := "file:///home/mira/src/both.code-workspace"
		w := b.folder(uri, uri, "both.code-workspace", "multi_root")
		w.field = "workspace"
		c, _ := b.talk()
		c.link, c.project = "workspace_list", w
		c.enlist()
		b.expectIn("workspace:"+w.id, holds(c.id), 1, ofConversation(c, "project_uri"), uri)
	}},
	{name: "empty_window", plan: func(b *caseBuilder) {
		w := &workspace{id: "empty-window", kind: "empty_window"}
		b.p.workspaces = append(b.p.workspaces, w)
		c, _ := b.talk()
		c.link, c.project = "composer", w
		b.expect(composer(c, "json_extract(value, '$.workspaceIdentifier.id') = 'empty-window'"), 1,
			ofConversation(c, "coalesce(project_uri, '-') || coalesce(project_source, '-')"), "--")
	}},
	{name: "window_id_13_digits", plan: func(b *caseBuilder) {
		w := &workspace{id: "1733222333444", kind: "empty_window"}
		b.p.workspaces = append(b.p.workspaces, w)
		c, _ := b.talk()
		w.pane = []string{c.id}
		b.expectIn("workspace:"+w.id, holds(c.id), 1,
			"SELECT kind FROM workspaces WHERE workspace_id = '1733222333444'", "empty_window")
	}},
	{name: "identifier_of_unknown_folder",
		composer:     "json_extract(value, '$.workspaceIdentifier.uri.external') = 'file:///home/mira/src/gone'",
		conversation: "project_uri", want: "file:///home/mira/src/gone", plan: func(b *caseBuilder) {
			b.c.link = "composer"
			b.c.project = &workspace{id: "ca5e0000000000000000000000000bad", field: "folder",
				uri: "file:///home/mira/src/gone", want: "file:///home/mira/src/gone", name: "gone"}
		}},
	{name: "workspace_column_only", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.link, c.bare, c.project = "headers_table", true, b.p.workspaces[0]
		b.expect("SELECT count(*) FROM composerHeaders WHERE instr(value, 'workspaceIdentifier') = 0 AND workspaceId "+
			"IS NOT NULL AND composerId = "+sqlText(c.id), 1,
			ofConversation(c, "project_uri"), c.project.want)
	}},
	{name: "named_by_two_workspaces", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		none := &workspace{id: "1733222333000", kind: "empty_window", pane: []string{c.id}}
		b.p.workspaces = append(b.p.workspaces, none)
		one := b.project("first")
		two := b.project("second")
		one.pane, two.pane = []string{c.id}, []string{c.id}
		c.link, c.project = "pane", one
		b.expectIn("workspace:"+two.id, holds(c.id), 1, ofConversation(c, "project"), "first")
	}},
	{name: "project_of_a_list_of_views", plan: func(b *caseBuilder) {
		w := b.project("views")
		c, _ := b.talk()
		c.link, c.project = "pane", w
		w.items = []Row{{ItemTable, "workbench.panel.composerChatViewPane." + w.id[:8] + ".hidden",
			`[{"id":"workbench.panel.aichat.view.` + c.id + `","isHidden":false}]`}}
		b.expectIn("workspace:"+w.id, holds(c.id), 1, ofConversation(c, "project_source || ' ' || project"),
			"pane views")
	}},
	{name: "broken_workspace_json", plan: func(b *caseBuilder) {
		w := b.folder("", "", "", "")
		w.json, w.noStore = `{"folder": "file:///home/mira/`, true
		b.p.bad["bad_json"]++
		b.expect("SELECT 1", 1, "SELECT coalesce(kind, 'NULL') FROM workspaces WHERE workspace_id = '"+w.id+"'", "NULL")
	}},
	{name: "folder_without_store", plan: func(b *caseBuilder) {
		w := b.project("unopened")
		w.noStore = true
		b.expect("SELECT 1", 1, "SELECT project FROM workspaces WHERE workspace_id = '"+w.id+"'", "unopened")
	}},
}

// holds counts the values of a workspace's ItemTable that name the id.
func holds(id string) string {
	return "SELECT count(*) FROM ItemTable WHERE instr(value, " + sqlText(id) + ") > 0"
}

// uriCase is a folder with a URI, and a conversation that is linked to it in one of the ways.
func uriCase(name, link, uri, want, last, kind string) namedCase {
	return namedCase{name: name, plan: func(b *caseBuilder) {
		w := b.folder(uri, want, last, kind)
		c, _ := b.talk()
		c.link, c.project = link, w
		warehouse := ofConversation(c, "project_source || ' ' || project_uri")
		switch link {
		case "headers_table":
			b.expect("SELECT count(*) FROM composerHeaders WHERE workspaceId = '"+w.id+"'", 1, warehouse, link+" "+want)
		case "headers_item":
			b.expect(holds(c.id)+" AND key = 'composer.composerHeaders'", 1, warehouse, link+" "+want)
		case "composer":
			b.expect(composer(c, "json_extract(value, '$.workspaceIdentifier.id') = '"+w.id+"'"), 1, warehouse,
				link+" "+want)
		default:
			c.enlist()
			b.expectIn("workspace:"+w.id, holds(c.id), 1, warehouse, link+" "+want)
		}
	}}
}
