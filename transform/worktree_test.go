package transform

import (
	"testing"

	"pipeline/extract"
)

// TestWorktree: a conversation in a git worktree belongs to the repository, on the machine where the worktree is.
func TestWorktree(t *testing.T) {
	t.Parallel()
	const tree = "/home/u/.cursor/worktrees/shop/ab12"
	in := func(uri string) string { return `"workspaceIdentifier":{"id":"w","uri":{"external":"` + uri + `"}}` }
	for _, test := range []struct{ name, head, message, want string }{
		{"the repository that the location names",
			in("file://"+tree) + `,"isWorktree":true,"agentLocation":{"type":"worktree","worktreePath":"` + tree +
				`","sourceRepoRootPath":"/home/u/shop"},"trackedGitRepos":[{"repoPath":"/home/u/other"}]`, `{}`,
			"file:///home/u/shop | shop | repo | w | " + tree},
		{"the repository that Cursor tracks", in("file://"+tree) + `,"trackedGitRepos":[{"repoPath":"/home/u/shop"}]`,
			`{}`, "file:///home/u/shop | shop | repo | w | " + tree},
		{"a folder in the worktree", in("file://"+tree+"/web/app") + `,"trackedGitRepos":[{"repoPath":"/home/u/shop"}]`,
			`{}`, "file:///home/u/shop | shop | repo | w | " + tree},
		{"of several repositories that of its name",
			in("file://"+tree) + `,"trackedGitRepos":[{"repoPath":"/home/u/api"},{"repoPath":"/home/u/shop"}]`, `{}`,
			"file:///home/u/shop | shop | repo | w | " + tree},
		{"several repositories of other names",
			in("file://"+tree) + `,"trackedGitRepos":[{"repoPath":"/home/u/api"},{"repoPath":"/home/u/web"}]`, `{}`,
			"file://" + tree + " | ab12 | composer | w | " + tree},
		{"the tracked repository is the worktree",
			in("file://"+tree) + `,"trackedGitRepos":[{"repoPath":"` + tree + `"},{"repoPath":"/home/u/shop"}]`, `{}`,
			"file:///home/u/shop | shop | repo | w | " + tree},
		{"no repository", in("file://" + tree), `{}`, "file://" + tree + " | ab12 | composer | w | " + tree},
		{"a message names the worktree", `"trackedGitRepos":[{"repoPath":"/home/u/shop"}]`,
			`{"workspaceProjectDir":"` + tree + `"}`, "file:///home/u/shop | shop | repo | NULL | " + tree},
		{"only a path of git", in("file:///src/trees/a") +
			`,"gitWorktree":{"worktreePath":"/src/trees/a","commitHash":"0a"},"trackedGitRepos":[{"repoPath":"/src/shop"}]`, `{}`, "file:///src/shop | shop | repo | w | /src/trees/a"},
		{"it was a worktree", in("file:///src/other") +
			`,"isWorktree":false,"gitWorktree":{"worktreePath":"/src/trees/a"},"trackedGitRepos":[{"repoPath":"/src/shop"}]`, `{}`, "file:///src/other | other | composer | w | NULL"},
		{"a root of its own", in("file:///big/trees/shop/a/web") + `,"trackedGitRepos":[{"repoPath":"/src/shop"}]`,
			`{}`, "file:///src/shop | shop | repo | w | /big/trees/shop/a"},
		{"Windows", in("file:///c%3A/Users/u/.cursor/worktrees/shop/ab12") +
			`,"isWorktree":true,"agentLocation":{"worktreePath":"c:\\Users\\u\\.cursor\\worktrees\\shop\\ab12","sourceRepoRootPath":"C:\\Users\\u\\My shop"}`, `{}`,
			`file:///c:/Users/u/My shop | My shop | repo | w | c:\Users\u\.cursor\worktrees\shop\ab12`},
		{"a folder in a worktree on Windows",
			in("file:///c%3A/Users/u/.cursor/worktrees/shop/ab12/web") +
				`,"trackedGitRepos":[{"repoPath":"C:\\Users\\u\\shop"},{"repoPath":"C:\\Users\\u\\api"}]`, `{}`,
			`file:///c:/Users/u/shop | shop | repo | w | c:\Users\u\.cursor\worktrees\shop\ab12`},
		{"WSL", in("vscode-remote://wsl%2Bubuntu"+tree) + `,"trackedGitRepos":[{"repoPath":"/home/u/a%20#b"}]`, `{}`,
			"vscode-remote://wsl+ubuntu/home/u/a%20#b | a%20#b | repo | w | " + tree},
		{"ssh, and the location is a path", in("vscode-remote://ssh-remote%2Bbox/home/u/x") +
			`,"isWorktree":true,"agentLocation":{"worktreePath":"` + tree + `","sourceRepoRootPath":"/srv/shop"}`, `{}`,
			"vscode-remote://ssh-remote+box/srv/shop | shop | repo | w | " + tree},
		{"ssh to Windows", in("vscode-remote://ssh-remote%2Bwin/c%3A/Users/u/.cursor/worktrees/shop/a") +
			`,"trackedGitRepos":[{"repoPath":"C:\\src\\shop"}]`, `{}`,
			`vscode-remote://ssh-remote+win/c:/src/shop | shop | repo | w | c:\Users\u\.cursor\worktrees\shop\a`},
		{"a share", in("file://nas/home/.cursor/worktrees/shop/a") +
			`,"trackedGitRepos":[{"repoPath":"\\\\nas\\src\\shop"}]`, `{}`,
			`file://nas/src/shop | shop | repo | w | \\nas\home\.cursor\worktrees\shop\a`},
	} {
		n := &Normalizer{SourceID: "s", Shared: ReadShared("s", &extract.Shared{}, nil), Worktrees: "/big/trees/"}
		conv := conversationOf("c", `{"fullConversationHeadersOnly":[{"bubbleId":"a"}],`+test.head+`}`,
			bubble("a", test.message))
		row := collect(t, n, conv).Conversations[0]
		if got := shows(row.ProjectURI, row.Project, row.ProjectSource, row.WorkspaceID,
			row.WorktreePath); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if uri, _, _ := n.Project(conv); uri != deref(row.ProjectURI) {
			t.Errorf("%s: project %s, and %s in the row", test.name, uri, show(row.ProjectURI))
		}
	}
}
