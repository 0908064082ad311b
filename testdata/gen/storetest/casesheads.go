package storetest

import (
	"crypto/sha256"
	"encoding/hex"
)

// headCases are about what lists and heads say of a conversation.
var headCases = []namedCase{
	{name: "tab_without_id", plan: func(b *caseBuilder) {
		// Two chats that begin with the same text.
		w := b.plainFolder("no-tab-id")
		first, second := b.oldChat(w), b.oldChat(w)
		first.withoutID("workbench.panel.aichat.view.aichat.chatdata", "1")
		second.withoutID("workbench.panel.aichat.view.aichat.chatdata", "2")
		first.enlist()
		second.enlist()
		b.expectIn("workspace:"+w.id,
			`SELECT count(*) FROM ItemTable i, json_each(i.value, '$.tabs') e WHERE json_extract(e.value, '$.tabId') = ''`, 2, ofConversation(second, "format || message_count"), "chat_tab2")
	}},
	{name: "composer_without_id", plan: func(b *caseBuilder) {
		w := b.plainFolder("no-composer-id")
		c := b.unlistedLocal(w)
		c.withoutID("composer.composerData", "1")
		c.enlist()
		b.expectIn("workspace:"+w.id, `SELECT count(*) FROM ItemTable i, json_each(i.value, '$.allComposers') e
WHERE json_type(e.value, '$.conversation') = 'array' AND json_type(e.value, '$.composerId') IS NULL`, 1,
			ofConversation(c, "title || message_count"), c.title+"2")
	}},
	{name: "head_without_id", plan: func(b *caseBuilder) {
		// Twice the same: no message, and nothing that says which conversation it is.
		w := b.plainFolder("no-head-id")
		w.heads = append(w.heads, `{"type":"head","name":"Whose?"}`, `{"type":"head","name":"Whose?"}`)
		b.p.bad["no_id"] += 2
		b.expectIn("workspace:"+w.id, holds("Whose?"), 1,
			"SELECT count(DISTINCT value_hash) FROM quarantine WHERE reason = 'no_id' AND contains(head, 'Whose?')",
			"2")
	}},
	{name: "code_edits_of_a_copy", plan: func(b *caseBuilder) {
		w := b.plainFolder("copied-edits")
		c := b.unlistedLocal(w)
		for i, status := range []string{"accepted", "rejected", "outdated"} {
			e := edit{id: b.id(), uri: "file:///home/mira/src/copied-edits/" + itoa(i) + ".ts", msg: c.msgs[1].id,
				block: true, status: status, at: b.at}
			c.edits = append(c.edits, e)
		}
		// one of the blocks
		c.fields = []string{"userResponsesToSuggestedCodeBlocks", `[{"userResponseType":1,"filePath":"src/app.ts"}]`}
		c.enlist()
		b.expectIn("workspace:"+w.id,
			`SELECT count(*) FROM ItemTable i, json_each(i.value, '$.allComposers[0].codeBlockData') e
WHERE i.key = 'composer.composerData'`, 3, "SELECT string_agg(status || ' ' || coalesce(CAST(is_accepted AS VARCHAR), "+
				"'-'), ', ' ORDER BY edit_id) FROM code_edits WHERE conversation_id = "+sqlText(c.id),
			"accepted true, rejected false, outdated -")
	}},
	{name: "responses_without_blocks", plan: func(b *caseBuilder) {
		w := b.plainFolder("responses")
		c := b.unlistedLocal(w)
		c.fields = []string{"userResponsesToSuggestedCodeBlocks",
			`[{"userResponseType":1,"filePath":"src/app.ts"},{"userResponseType":2,"filePath":"src/main.ts"}]`}
		for i := range 2 {
			c.edits = append(c.edits, edit{id: c.id + ":response#" + itoa(i), answer: true,
				status: "response " + itoa(i+1)})
		}
		c.enlist()
		b.expectIn("workspace:"+w.id, "SELECT json_array_length(value, "+
			"'$.allComposers[0].userResponsesToSuggestedCodeBlocks') FROM ItemTable WHERE key = "+
			"'composer.composerData'", 2,
			"SELECT string_agg(path || ': ' || status, ', ' ORDER BY edit_id) FROM code_edits WHERE conversation_id = "+
				sqlText(c.id),
			"src/app.ts: response 1, src/main.ts: response 2")
	}},
	{name: "orphan_in_a_list", plan: func(b *caseBuilder) {
		w := b.project("listed-orphan")
		c, _ := b.talk()
		b.orphan(c)
		c.title, c.mode, c.link, c.project = "Named by a list", "agent", "workspace_list", w
		c.enlist()
		b.expectIn("workspace:"+w.id, holds(c.id), 1,
			ofConversation(c, "status || ':' || title || ':' || mode || ':' || project || ':' || project_source"),
			"orphaned:Named by a list:agent:listed-orphan:workspace_list")
	}},
	{name: "orphan_in_the_table", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		b.orphan(c)
		c.title, c.link, c.project = "Named by the table", "headers_table", b.p.workspaces[0]
		b.expect("SELECT count(*) FROM composerHeaders WHERE instr(value, 'Named by the table') > 0", 1,
			ofConversation(c, "status || ':' || title || ':' || project_source"),
			"orphaned:Named by the table:headers_table")
	}},
	branchCase("branch_active", "now", "activeBranch", `{"branchName":"now","lastInteractionAt":1}`, "branches",
		`[{"branchName":"first"},{"branchName":"last"}]`),
	branchCase("branch_last_of_the_list", "last", "committedToBranch", `"main"`, "branches",
		`[{"branchName":"first"},{"branchName":"last"}]`),
	branchCase("branch_committed_to", "main", "committedToBranch", `"main"`, "branches", "[]"),
	branchCase("branch_created_on", "old"),
	{name: "branches_kept", composer: "json_array_length(value, '$.branches') = 2",
		conversation: "json_array_length(branches) || ':' || (branches->>'$[0].branchName')", want: "2:first",
		plan: func(b *caseBuilder) {
			b.c.fields = []string{"branches", `[{"branchName":"first"},{"branchName":"last"}]`}
		}},
	{name: "subagent_type", plan: func(b *caseBuilder) {
		c, m := b.talk()
		child := b.child(c, "list")
		c.fields = []string{"subagentComposerIds", list([]string{quoted(child.id)})}
		child.fields = []string{"subagentInfo",
			`{"subagentType":3,"subagentTypeName":"explore","parentComposerId":` + quoted(c.id) +
				`,"toolCallId":"toolu_of_` + m.id + `"}`}
		b.expect(composer(child, "json_extract(value, '$.subagentInfo.subagentTypeName') = 'explore'"), 1,
			ofConversation(child, "subagent_type || ':' || subagent_tool_call_id"), "explore:toolu_of_"+m.id)
	}},
	{name: "worktree_and_backend", composer: "json_extract(value, '$.agentBackend') = 'cursor-agent'",
		conversation: "is_worktree || ':' || agent_backend", want: "true:cursor-agent",
		plan: func(b *caseBuilder) { b.c.fields = []string{"isWorktree", "true", "agentBackend", `"cursor-agent"`} }},
	{name: "command_type", plan: func(b *caseBuilder) {
		w := b.project("commands")
		w.prompts, w.products = 1, 1
		b.expectIn("workspace:"+w.id, "SELECT count(*) FROM ItemTable WHERE key = 'aiService.prompts' AND "+
			"json_extract(value, '$[0].commandType') = 4", 1,
			"SELECT string_agg(kind || ' ' || command_type, ', ' ORDER BY kind) FROM prompts WHERE workspace_id = '"+
				w.id+"'", "generation composer, prompt 4")
	}},
	{name: "attachments_of_every_list", plan: func(b *caseBuilder) {
		c, m := b.talk()
		for _, f := range attachmentFields[len(attachmentFields)-17 : len(attachmentFields)-1] {
			m.attach = append(m.attach, attachment{f.field, 1, ""})
		}
		b.expect(bubble(c, m, "json_array_length(value, '$.relevantFiles') = 1 AND json_array_length(value, "+
			"'$.pastChats') = 1"), 1,
			"SELECT string_agg(DISTINCT kind, ' ' ORDER BY kind) || ':' || count(*) || ':' || count(*) FILTER (WHERE "+
				"uri LIKE '%/pull/19') || ':' || bool_or(path LIKE 'src/%') FROM attachments WHERE message_id = "+
				sqlText(m.id),
			"code_chunk doc file link other pull_request:16:1:true")
	}},
	{name: "project_of_a_message", bubble: "json_array_length(value, '$.workspaceUris') = 2",
		conversation: "project_source || ' ' || project", want: "message of-message", plan: func(b *caseBuilder) {
			b.c.link, b.c.project = "message", unlistedProject("of-message")
			// a name made of a path, and no path
			b.c.msgs[0].fields = []string{"workspaceProjectDir", `"/home/mira/.cursor/projects/home-mira-src-of-message"`}
			b.m.fields = []string{"workspaceUris", `["file:///home/mira/src/of-message","file:///home/mira/src/second"]`}
		}},
	{name: "project_folder_of_a_message", bubble: "json_extract(value, '$.workspaceProjectDir') LIKE '%of-message'",
		conversation: "project_source || ' ' || project", want: "message folder-of-message",
		plan: func(b *caseBuilder) {
			b.c.link, b.c.project = "message", unlistedProject("folder-of-message")
			b.m.fields = []string{"workspaceProjectDir", `"/home/mira/src/folder-of-message"`}
		}},
	{name: "project_of_the_sidebar", plan: func(b *caseBuilder) {
		w := b.project("in-sidebar")
		byID, _ := b.talk()
		byURI, _ := b.talk()
		byID.link, byID.project = "glass", w
		byURI.link, byURI.project = "glass", unlistedProject("sidebar-only")
		b.p.items = append(b.p.items,
			Row{ItemTable, "glass.localAgentProjects.v1",
				`[{"id":"p1","name":"in-sidebar","workspace":{"id":` + quoted(w.id) + `}},` +
					`{"id":"p2","name":"sidebar-only","workspace":{"id":"0","uri":{"external":"file:///home/mira/src/sidebar-only","scheme":"file"}},"isArchived":false}]`},
			Row{ItemTable, "glass.localAgentProjectMembership.v1",
				`{` + quoted(byID.id) + `:"p1",` + quoted(byURI.id) + `:"p2"}`})
		b.expect("SELECT count(*) FROM ItemTable WHERE key LIKE 'glass.localAgentProject%'", 2,
			"SELECT string_agg(project_source || ' ' || project, ', ' ORDER BY project) FROM conversations WHERE "+
				"conversation_id IN ("+sqlText(byID.id)+", "+sqlText(byURI.id)+")",
			"glass in-sidebar, glass sidebar-only")
	}},
	{name: "project_of_cloud_agents", plan: func(b *caseBuilder) {
		w := b.project("from-the-phone")
		c, _ := b.talk()
		c.link, c.project = "glass", w
		b.p.items = append(b.p.items,
			Row{ItemTable, "glass.cloudAgentProjects.v1",
				`[{"id":"p9","name":"Phone","workspace":{"id":` + quoted(w.id) + `},"createdAt":1767571200000}]`},
			Row{ItemTable, "glass.cloudAgentProjectMembership.v1", `{` + quoted(c.id) + `:"p9"}`})
		b.expect("SELECT count(*) FROM ItemTable WHERE key LIKE 'glass.cloudAgentProject%'", 2,
			ofConversation(c, "project_source || ' ' || project"), "glass from-the-phone")
	}},
	{name: "worktree", composer: "json_extract(value, '$.agentLocation.worktreeId') = 'ab12'",
		conversation: "project_source || ' ' || project || ' ' || worktree_path",
		want:         "repo checked-out /home/mira/.cursor/worktrees/checked-out/ab12", plan: func(b *caseBuilder) {
			b.c.link, b.c.project = "repo", unlistedProject("checked-out")
			b.c.fields = []string{"isWorktree", "true", "agentLocation",
				`{"type":"worktree","worktreeId":"ab12","worktreePath":"/home/mira/.cursor/worktrees/checked-out/ab12","sourceRepoRootPath":"/home/mira/src/checked-out"}`}
		}},
	{name: "project_of_a_repository",
		composer:     "json_extract(value, '$.trackedGitRepos[0].repoPath') = '/home/mira/src/tracked'",
		conversation: "project_source || ' ' || project", want: "repo tracked", plan: func(b *caseBuilder) {
			b.c.link, b.c.project = "repo", unlistedProject("tracked")
			b.c.fields = []string{"trackedGitRepos",
				`[{"repoPath":"/home/mira/src/tracked","branches":[{"branchName":"main","lastInteractionAt":1767571200000}]}]`}
		}},
}

// unlistedProject is a folder that no workspace is of.
func unlistedProject(name string) *workspace {
	uri := "file:///home/mira/src/" + name
	return &workspace{uri: uri, want: uri, name: name}
}

// branchCase is a conversation with these fields beside createdOnBranch, and its branch.
func branchCase(name, branch string, fields ...string) namedCase {
	return namedCase{name: name, composer: "json_extract(value, '$.createdOnBranch') = 'old'",
		conversation: "git_branch", want: branch,
		plan: func(b *caseBuilder) { b.c.fields = append([]string{"createdOnBranch", `"old"`}, fields...) }}
}

// project is a workspace with a folder of the name.
func (b *caseBuilder) project(name string) *workspace {
	uri := "file:///home/mira/src/" + name
	return b.folder(uri, uri, name, "local")
}

// plainFolder is one with a store as in 2024.
func (b *caseBuilder) plainFolder(name string) *workspace {
	w := b.project(name)
	w.plain = true
	return w
}

// unlistedLocal is a conversation that lives in the workspace's store, which does not list it yet.
func (b *caseBuilder) unlistedLocal(w *workspace) *conversation {
	c, _ := b.talk()
	c.form, c.v, c.store, c.link, c.project = "inline", "", w, "workspace_list", w
	return c
}

// oldChat is an old chat in the workspace's store, which does not list it yet.
func (b *caseBuilder) oldChat(w *workspace) *conversation {
	c, m := b.talk()
	c.form, c.v, c.link, c.project, c.store = "chat_tab", "", "workspace_list", w, w
	c.updated, c.created, c.status, c.mode = c.created, stamp{}, "", ""
	m.typ, m.textIn = `"ai"`, "rawText"
	c.msgs[0].typ = `"user"`
	return c
}

// withoutID takes the conversation's id away. The warehouse makes one from the workspace, the key of the list, the
// first text, and how often a chat of the list began with this text so far.
func (c *conversation) withoutID(key, nth string) {
	sum := sha256.Sum256([]byte(c.store.id + "\x00" + key + "\x00" + c.msgs[0].text + "\x00" + nth))
	c.noID, c.id = true, "#"+hex.EncodeToString(sum[:8])
}
