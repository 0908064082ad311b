package transform

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseProjectURI(t *testing.T) {
	tests := []struct{ raw, uri, name, path, kind string }{
		{"file:///home/me/src/api", "file:///home/me/src/api", "api", "/home/me/src/api", KindLocal},
		{"file:///home/me/src/api/", "file:///home/me/src/api", "api", "/home/me/src/api", KindLocal},
		{"file:///home/me/src/api//", "file:///home/me/src/api", "api", "/home/me/src/api", KindLocal},
		{"FILE://localhost/home/me/src/api", "file:///home/me/src/api", "api", "/home/me/src/api", KindLocal},
		{"/home/me/src/api", "file:///home/me/src/api", "api", "/home/me/src/api", KindLocal},
		{" file:///home/me/src/api\n", "file:///home/me/src/api", "api", "/home/me/src/api", KindLocal},
		{"file:///", "file:///", "/", "/", KindLocal},

		{"file:///c%3A/Users/me/My%20App", "file:///c:/Users/me/My App", "My App", `c:\Users\me\My App`, KindLocal},
		{"file:///C%3A/Users/me/My%20App/", "file:///c:/Users/me/My App", "My App", `c:\Users\me\My App`, KindLocal},
		{"file:///C:/Users/me/My App", "file:///c:/Users/me/My App", "My App", `c:\Users\me\My App`, KindLocal},
		{`file://C:\Users\me\My App`, "file:///c:/Users/me/My App", "My App", `c:\Users\me\My App`, KindLocal},
		{`file:///C:/Users/me/a\b`, `file:///c:/Users/me/a\b`, `a\b`, `c:\Users\me\a\b`, KindLocal},
		{`c:\Users\me\My App\`, "file:///c:/Users/me/My App", "My App", `c:\Users\me\My App`, KindLocal},
		{"file:///C%3A/", "file:///c:", "c:", `c:\`, KindLocal},
		{"file:///C:", "file:///c:", "c:", `c:\`, KindLocal},
		{"file:///cc:/x", "file:///cc:/x", "x", "/cc:/x", KindLocal},

		{"file://server/share/x", "file://server/share/x", "x", `\\server\share\x`, KindLocal},
		{"file://SERVER/share/x/", "file://server/share/x", "x", `\\server\share\x`, KindLocal},
		{"file:////server/share/x", "file://server/share/x", "x", `\\server\share\x`, KindLocal},
		{`file://\\Server\share\x`, "file://server/share/x", "x", `\\server\share\x`, KindLocal},
		{`\\server\share\x`, "file://server/share/x", "x", `\\server\share\x`, KindLocal},

		{"file:///home/me/%D0%BA%D0%B0%D1%80%D1%82%D1%8B", "file:///home/me/карты", "карты", "/home/me/карты",
			KindLocal},
		{"file:///home/me/c%23%3F", "file:///home/me/c#?", "c#?", "/home/me/c#?", KindLocal},
		{"file:///home/me/c#?", "file:///home/me/c#?", "c#?", "/home/me/c#?", KindLocal},
		{"file:///home/me/100%25", "file:///home/me/100%", "100%", "/home/me/100%", KindLocal},
		{"file:///home/me/100%/%zz/%4", "file:///home/me/100%/%zz/%4", "%4", "/home/me/100%/%zz/%4", KindLocal},
		{"file:///home/me/caf%e9/x%00", "file:///home/me/caf%E9/x%00", "x%00", "/home/me/caf%E9/x%00", KindLocal},
		{"file:///home/me/+a&b=c", "file:///home/me/+a&b=c", "+a&b=c", "/home/me/+a&b=c", KindLocal},

		// letters stay: on Linux these are other folders, and where a store is from its URIs do not say (--alias can)
		{"file:///home/me/src/API", "file:///home/me/src/API", "API", "/home/me/src/API", KindLocal},
		{"file:///c%3A/users/ME/my%20app", "file:///c:/users/ME/my app", "my app", `c:\users\ME\my app`, KindLocal},
		{"file:///Users/me/caf%C3%A9", "file:///Users/me/caf\u00e9", "caf\u00e9", "/Users/me/caf\u00e9", KindLocal},
		{"file:///Users/me/cafe%CC%81", "file:///Users/me/cafe\u0301", "cafe\u0301", "/Users/me/cafe\u0301", KindLocal},

		{"file:///C:/../../x", "file:///c:/x", "x", `c:\x`, KindLocal},
		{"file:///home/me/../you/./x/..", "file:///home/you", "you", "/home/you", KindLocal},
		{"file:///home/me/%2e%2e/%2E/x", "file:///home/x", "x", "/home/x", KindLocal},
		{"file:///../..", "file:///", "/", "/", KindLocal},
		{`c:\a\..\..\b`, "file:///c:/b", "b", `c:\b`, KindLocal},
		{"file:///home/me/.config/..x/...", "file:///home/me/.config/..x/...", "...", "/home/me/.config/..x/...",
			KindLocal},
		{"vscode-remote://ssh-remote%2Bhost/srv/a/../x/", "vscode-remote://ssh-remote+host/srv/x", "x", "/srv/x",
			KindSSH},

		{"vscode-remote://wsl%2BUbuntu/home/me/x", "vscode-remote://wsl+ubuntu/home/me/x", "x", "/home/me/x", KindWSL},
		{"vscode-remote://wsl+Ubuntu/home/me/x/", "vscode-remote://wsl+ubuntu/home/me/x", "x", "/home/me/x", KindWSL},
		{"vscode-remote://wsl%2bUbuntu/", "vscode-remote://wsl+ubuntu", "wsl+ubuntu", "", KindWSL},
		{"vscode-remote://ssh-remote%2Bhost/srv/x", "vscode-remote://ssh-remote+host/srv/x", "x", "/srv/x", KindSSH},
		{"vscode-remote://ssh-remote%2Bme%40host%3A22/c%3A/x", "vscode-remote://ssh-remote+me@host:22/c:/x", "x",
			`c:\x`, KindSSH},
		{"vscode-remote://SSH-Remote+box/x", "vscode-remote://ssh-remote+box/x", "x", "/x", KindSSH},
		{`vscode-remote://ssh-remote+7b22686f73744e616d65223a22626f78222c2275736572223a226d65222c22706f7274223a22227d/x`,
			"vscode-remote://ssh-remote+me@box/x", "x", "/x", KindSSH},
		{"vscode-remote://ssh-remote+7b22686f73744e616d65223a22626f78222c22706f7274223a307d/x",
			"vscode-remote://ssh-remote+box/x", "x", "/x", KindSSH},
		{"vscode-remote://ssh-remote+7b22686f73744e616d65223a22626f78222c22706f7274223a323232327d/x",
			"vscode-remote://ssh-remote+box:2222/x", "x", "/x", KindSSH},
		{"vscode-remote://dev-container%2B7b22686f737450617468223a222f686f6d652f6d652f78227d/w/x",
			"vscode-remote://dev-container+2f686f6d652f6d652f78/w/x", "x", "/w/x", KindDevContainer},
		{`vscode-remote://dev-container+7b2273657474696e6754797065223a22636f6e666967222c22776f726b737061636550617468223a222f686f6d652f6d652f78227d/w/x`,
			"vscode-remote://dev-container+2f686f6d652f6d652f78/w/x", "x", "/w/x", KindDevContainer},
		{"vscode-remote://Dev-Container+2f686f6d652f6d652f78@ssh-remote+7b22686f73744e616d65223a22626f78227d/w/x",
			"vscode-remote://dev-container+2f686f6d652f6d652f78@ssh-remote+box/w/x", "x", "/w/x", KindDevContainer},
		{"vscode-remote://dev-container+7b22636f6e7461696e65724964223a2265227d/w/x",
			"vscode-remote://dev-container+7b22636f6e7461696e65724964223a2265227d/w/x", "x", "/w/x", KindDevContainer},
		{"vscode-remote://dev-container+7b22686f737450617468223a317d/w/x",
			"vscode-remote://dev-container+7b22686f737450617468223a317d/w/x", "x", "/w/x", KindDevContainer},
		{"vscode-remote://ssh-remote+7b22686f73744e616d65223a22612f62227d/x",
			"vscode-remote://ssh-remote+7b22686f73744e616d65223a22612f62227d/x", "x", "/x", KindSSH},
		{`\\wsl.localhost\Ubuntu\home\me\x`, "file://wsl.localhost/Ubuntu/home/me/x", "x",
			`\\wsl.localhost\Ubuntu\home\me\x`, KindLocal},
		{"vscode-remote://dev-container%2B7b22/workspaces/x", "vscode-remote://dev-container+7b22/workspaces/x", "x",
			"/workspaces/x", KindDevContainer},
		{"vscode-remote://attached-container%2B7b22/workspaces/x",
			"vscode-remote://attached-container+7b22/workspaces/x", "x", "/workspaces/x", KindAttached},
		{"vscode-remote://k8s-container%2Bcontext/x", "vscode-remote://k8s-container+context/x", "x", "/x",
			KindAttached},
		{"vscode-remote://tunnel%2Bbox/srv/x", "vscode-remote://tunnel+box/srv/x", "x", "/srv/x", KindTunnel},
		{"vscode-remote://Codespaces%2Bname/workspaces/x", "vscode-remote://Codespaces+name/workspaces/x", "x",
			"/workspaces/x", KindCodespaces},
		{"vscode-remote://background-composer%2Bx/w", "vscode-remote://background-composer+x/w", "w", "/w", ""},

		{"vscode-vfs://github/owner/repo", "vscode-vfs://github/owner/repo", "repo", "/owner/repo", KindVirtual},
		{"vscode-vfs://github/owner/repo/?ref=v1#top", "vscode-vfs://github/owner/repo?ref=v1#top", "repo",
			"/owner/repo", KindVirtual},
		{"memfs:/sample/x", "memfs:///sample/x", "x", "/sample/x", KindVirtual},
		{"future+scheme://a/b", "future+scheme://a/b", "b", "/b", ""},
		{"untitled:Untitled-1", "untitled:Untitled-1", "Untitled-1", "Untitled-1", ""},
	}
	for _, test := range tests {
		p, ok := ParseProjectURI(test.raw)
		if want := (Project{test.uri, test.name, test.path, test.kind}); !ok || p != want {
			t.Errorf("%q:\n%+v, %v; want\n%+v", test.raw, p, ok, want)
		}
	}
	for _, raw := range []string{"", " ", "relative/path", "no scheme", ":", "file:", "file://", "1x:y", "http:"} {
		if p, ok := ParseProjectURI(raw); ok {
			t.Errorf("%q is %+v, want nothing", raw, p)
		}
	}
}

func TestParseWorkspaceJSON(t *testing.T) {
	for _, test := range []struct{ json, uri, project, kind string }{
		{`{"folder":"file:///c%3A/x"}`, "file:///c%3A/x", "file:///c:/x", KindLocal},
		{"\ufeff{\n  \"folder\": \"vscode-remote://wsl%2BUbuntu/x\"\n}", "vscode-remote://wsl%2BUbuntu/x",
			"vscode-remote://wsl+ubuntu/x", KindWSL},
		{`{"workspace":"file:///home/me/all.code-workspace"}`, "file:///home/me/all.code-workspace",
			"file:///home/me/all.code-workspace", KindMultiRoot},
		{`{"workspace":"vscode-remote://ssh-remote%2Bh/all.code-workspace"}`,
			"vscode-remote://ssh-remote%2Bh/all.code-workspace", "vscode-remote://ssh-remote+h/all.code-workspace",
			KindMultiRoot},
		{`{"configuration":"file:///all.code-workspace","more":1}`, "file:///all.code-workspace",
			"file:///all.code-workspace", KindMultiRoot},
	} {
		uri, p, err := parseWorkspaceJSON([]byte(test.json))
		if err != nil || uri != test.uri || p.URI != test.project || p.Kind != test.kind {
			t.Errorf("%s: %q, %+v, %v; want %+v", test.json, uri, p, err, test)
		}
	}
	for _, test := range []struct{ json, uri, err string }{
		{"", "", "JSON"}, {"{", "", "JSON"}, {"[]", "", "array"}, {"null", "", "neither"}, {"{}", "", "neither"},
		{`{"folder":1}`, "", "number"}, {`{"folder":""}`, "", "not a URI"},
		{`{"folder":"somewhere"}`, "somewhere", "not a URI"}, {`{"folder":"file:///x",}`, "", "invalid character"},
	} {
		uri, _, err := parseWorkspaceJSON([]byte(test.json))
		if err == nil || !strings.Contains(err.Error(), test.err) || uri != test.uri {
			t.Errorf("%s: %q, %v; want %q and an error with %q", test.json, uri, err, test.uri, test.err)
		}
	}
}

// Whatever is read: the result is text, and the identity does not depend on a slash at the end.
func FuzzParseProjectURI(f *testing.F) {
	for _, raw := range []string{"file:///c%3A/x", "vscode-remote://wsl%2BUbuntu/x", "file:////s/x", `file://\\s\x`,
		"untitled:x", "a:%%2", "file:///%2F", "ab://%2f/?"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		p, ok := ParseProjectURI(raw)
		if !ok {
			return
		}
		if p.URI == "" || p.Name == "" {
			t.Errorf("%q gives %+v", raw, p)
		}
		if utf8.ValidString(raw) && !utf8.ValidString(p.URI+p.Name+p.Path) {
			t.Errorf("%q gives text that is no UTF-8: %+v", raw, p)
		}
		if len(raw) > 8 && strings.HasPrefix(raw, "file:///") && raw[8] != '/' && strings.TrimSpace(raw) == raw {
			if q, ok := ParseProjectURI(raw + "/"); !ok || q.URI != p.URI {
				t.Errorf("%q and the same with a slash: %q, %q", raw, p.URI, q.URI)
			}
		}
	})
}
