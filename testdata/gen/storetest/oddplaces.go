package storetest

import "fmt"

// oddPlaces are URIs of folders: as workspace.json has them; the kind, "" for NULL; and the project's URI, name and
// path. By docs/dictionary.md, workspaces, the URI is decoded, has the drive's letter in lower case, no slash at its
// end and its authority, and names no folder twice (`..`).
var oddPlaces = [][5]string{
	{"vscode-vfs://github/org/repo", "virtual", "vscode-vfs://github/org/repo", "repo", "/org/repo"},
	{"vscode-vfs://github%2B7b2276223a317d/org/two%20words/", "virtual",
		"vscode-vfs://github+7b2276223a317d/org/two words", "two words", "/org/two words"},
	{"vscode-vfs://azurerepos/org/p/_git/r", "virtual", "vscode-vfs://azurerepos/org/p/_git/r", "r", "/org/p/_git/r"},
	{"memfs:/sample", "virtual", "memfs:///sample", "sample", "/sample"},
	{"memfs:///sample/b", "virtual", "memfs:///sample/b", "b", "/sample/b"},
	{"vsls:/shared", "virtual", "vsls:///shared", "shared", "/shared"},
	{"vscode-remote://tunnel%2Bmy-box/home/mira/a", "tunnel", "vscode-remote://tunnel+my-box/home/mira/a", "a",
		"/home/mira/a"},
	{"vscode-remote://codespaces%2Bfuzzy-name/workspaces/b", "codespaces",
		"vscode-remote://codespaces+fuzzy-name/workspaces/b", "b", "/workspaces/b"},
	{"vscode-remote://attached-container%2B7b2263/srv/c", "attached_container",
		"vscode-remote://attached-container+7b2263/srv/c", "c", "/srv/c"},
	{"vscode-remote://k8s-container%2Bcontext%3Dx/srv/d", "attached_container",
		"vscode-remote://k8s-container+context=x/srv/d", "d", "/srv/d"},
	{"vscode-remote://dev-container%2B7b22/workspaces/e", "dev_container",
		"vscode-remote://dev-container+7b22/workspaces/e", "e", "/workspaces/e"},
	{"vscode-remote://background-composer%2B1/workspace", "", "vscode-remote://background-composer+1/workspace",
		"workspace", "/workspace"},
	{"vscode-remote:///nobody", "", "vscode-remote:///nobody", "nobody", "/nobody"},
	{"untitled:Untitled-1", "", "untitled:Untitled-1", "Untitled-1", "Untitled-1"},
	{"untitled:/home/mira/new", "", "untitled:///home/mira/new", "new", "/home/mira/new"},
	{"x-future.1+a://host/p", "", "x-future.1+a://host/p", "p", "/p"},
	{"git-graph://host/p/q", "", "git-graph://host/p/q", "q", "/p/q"},
	{"file:///home/mira/src/../lib/./kit/", "local", "file:///home/mira/lib/kit", "kit", "/home/mira/lib/kit"},
	{"file:///home/mira/%2E%2E/noor", "local", "file:///home/noor", "noor", "/home/noor"},
	{"file:///../../etc/x", "local", "file:///etc/x", "x", "/etc/x"},
	{"file:///home/mira/.../y", "local", "file:///home/mira/.../y", "y", "/home/mira/.../y"},
	{"file:///home/mira/..z", "local", "file:///home/mira/..z", "..z", "/home/mira/..z"},
	{"file:///C:/../../x", "local", "file:///c:/x", "x", `c:\x`},
	{"file:///c%3A/Work/../App", "local", "file:///c:/App", "App", `c:\App`},
	{"vscode-remote://ssh-remote%2Bbox/srv/../opt/a", "ssh", "vscode-remote://ssh-remote+box/opt/a", "a", "/opt/a"},
	{"vscode-remote://wsl%2BUbuntu/home/mira/./w", "wsl", "vscode-remote://wsl+ubuntu/home/mira/w", "w",
		"/home/mira/w"},
	{"vscode-remote://ssh-remote%2B7b22686f73744e616d65223a22646576626f782e6c616e222c2275736572223a226f776e6572227d/o",
		"ssh", "vscode-remote://ssh-remote+owner@devbox.lan/o", "o", "/o"},
	{"vscode-remote://ssh-remote%2B7b22706f7274223a32327d/srv/p", "ssh",
		"vscode-remote://ssh-remote+7b22706f7274223a32327d/srv/p", "p", "/srv/p"},
	{"vscode-remote://wsl%2BUbuntu/", "wsl", "vscode-remote://wsl+ubuntu", "wsl+ubuntu", ""},
	{"file://wsl.localhost/", "local", "file://wsl.localhost", "wsl.localhost", `\\wsl.localhost`},
}

// places is a workspace for each URI, without a store, and a conversation that names it.
func (o *Odd) places() {
	o.want("workspaces", oddWorkspaces, "odd", "empty_window", "", "", "", "") // that of the lists
	for i, place := range oddPlaces {
		id := fmt.Sprintf("place-%02d", i)
		o.workspaces = append(o.workspaces, &workspace{id: id, field: "folder", uri: place[0], noStore: true})
		o.want("workspaces", oddWorkspaces, id, place[1], place[0], place[2], place[3], place[4])
		o.add("composerData:odd-in-"+id, `{"_v":13,"composerId":"odd-in-`+id+
			`","createdAt":1741597200000,"workspaceIdentifier":{"id":"`+id+`"},"fullConversationHeadersOnly":[]}`)
		o.want("projects",
			`SELECT conversation_id, project_uri, project, project_path FROM conversations WHERE conversation_id LIKE 'odd-in-%'`, "odd-in-"+id, place[2], place[3], place[4])
	}
}

const oddWorkspaces = "SELECT workspace_id, kind, uri, project_uri, project, project_path FROM workspaces"
