package extract

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// tree makes files under a new folder: "path" an empty file, "path=content" one with content, "path/" a folder,
// "path->target" a link.
func tree(t *testing.T, entries ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir()) // on macOS the temporary directory is behind a link
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		link, target, isLink := strings.Cut(e, "->")
		path, content, _ := strings.Cut(link, "=")
		full := filepath.Join(root, filepath.FromSlash(path))
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		switch {
		case isLink:
			err = errors.Join(err, os.Symlink(target, full))
		case strings.HasSuffix(path, "/"):
			err = errors.Join(err, os.MkdirAll(full, 0o755))
		default:
			err = errors.Join(err, os.WriteFile(full, []byte(content), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// summary is a source in one line: app, system, user directory below root, G for a global store, ids of workspaces (+
// with a store).
func summary(root string, s Source) string {
	rel := func(path string) string {
		r, err := filepath.Rel(root, path)
		if err != nil {
			return path
		}
		return filepath.ToSlash(r)
	}
	line := fmt.Sprintf("%s|%s|%s|", s.App, s.OS, rel(s.UserDir))
	if s.Global != "" {
		line += "G"
	}
	for _, w := range s.Workspaces {
		line += " " + w.ID
		if w.DB != "" {
			line += "+"
		}
	}
	if s.Name != "" {
		line = s.Name + ": " + line
	}
	if s.Err != nil {
		line += " error"
	}
	return line
}

func summaries(root string, sources []Source) []string {
	var lines []string
	for _, s := range sources {
		lines = append(lines, summary(root, s))
	}
	return lines
}

func TestDiscover(t *testing.T) {
	const linux = "home/u/.config/Cursor/User/globalStorage/state.vscdb"
	tests := []struct {
		name    string
		os      string
		home    string
		env     map[string]string
		dataDir string
		tree    []string
		want    []string
		looked  string // a place that must be among those looked at
		fails   bool
	}{
		{name: "nothing", os: "linux", home: "/home/u", tree: []string{"home/u/"},
			looked: "home/u/.config/Cursor/User"},
		{name: "no home", os: "linux"},
		{name: "linux", os: "linux", home: "/home/u",
			tree: []string{linux, "home/u/.config/Cursor/User/workspaceStorage/b/workspace.json",
				"home/u/.config/Cursor/User/workspaceStorage/a/state.vscdb",
				"home/u/.config/Cursor/User/workspaceStorage/notes.txt",
				"home/u/.config/Code/User/globalStorage/state.vscdb"},
			want:   []string{"Cursor|linux|home/u/.config/Cursor/User|G a+ b"},
			looked: "home/u/.config/Cursor Nightly/User"},
		{name: "XDG and the default", os: "linux", home: "/home/u",
			env:  map[string]string{"XDG_CONFIG_HOME": "/data/config"},
			tree: []string{linux, "data/config/Cursor/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|linux|data/config/Cursor/User|G", "Cursor|linux|home/u/.config/Cursor/User|G"}},
		{name: "XDG not absolute", os: "linux", home: "/home/u", env: map[string]string{"XDG_CONFIG_HOME": "config"},
			tree: []string{linux}, want: []string{"Cursor|linux|home/u/.config/Cursor/User|G"}},
		{name: "an empty user directory is none", os: "linux", home: "/home/u",
			tree: []string{"home/u/.config/Cursor/User/globalStorage/",
				"home/u/.config/Cursor/User/workspaceStorage/"}},
		{name: "workspaces alone", os: "linux", home: "/home/u",
			tree: []string{"home/u/.config/Cursor/User/workspaceStorage/a/state.vscdb"},
			want: []string{"Cursor|linux|home/u/.config/Cursor/User| a+"}},
		{name: "nightly", os: "linux", home: "/home/u",
			tree: []string{linux, "home/u/.config/Cursor Nightly/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|linux|home/u/.config/Cursor/User|G",
				"Cursor Nightly|linux|home/u/.config/Cursor Nightly/User|G"}},
		{name: "remote server", os: "linux", home: "/home/u",
			tree: []string{"home/u/.cursor-server/data/User/workspaceStorage/a/state.vscdb"},
			want: []string{"cursor-server|linux|home/u/.cursor-server/data/User| a+"}},
		{name: "profiles", os: "linux", home: "/home/u",
			tree: []string{linux, "home/u/.config/Cursor/User/profiles/7f3/globalStorage/state.vscdb",
				"home/u/.config/Cursor/User/profiles/none/settings.json"},
			want: []string{"Cursor|linux|home/u/.config/Cursor/User|G",
				"Cursor|linux|home/u/.config/Cursor/User/profiles/7f3|G"}},
		{name: "a link is the same directory", os: "linux", home: "/home/u",
			env: map[string]string{"XDG_CONFIG_HOME": "/xdg"}, tree: []string{linux, "xdg->home/u/.config"},
			want: []string{"Cursor|linux|home/u/.config/Cursor/User|G"}},
		{name: "a link to itself", os: "linux", home: "/home/u", tree: []string{"home/u/.config/Cursor/User->User"},
			fails: true},
		{name: "macOS", os: "darwin", home: "/Users/u",
			tree: []string{"Users/u/Library/Application Support/Cursor/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|darwin|Users/u/Library/Application Support/Cursor/User|G"}},
		{name: "windows", os: "windows", home: "/c/Users/u",
			env:  map[string]string{"APPDATA": "/c/Users/u/AppData/Roaming"},
			tree: []string{"c/Users/u/AppData/Roaming/Cursor/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|windows|c/Users/u/AppData/Roaming/Cursor/User|G"}},
		{name: "windows without APPDATA", os: "windows", home: "/c/Users/u",
			tree: []string{"c/Users/u/AppData/Roaming/Cursor/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|windows|c/Users/u/AppData/Roaming/Cursor/User|G"}},
		{name: "Scoop", os: "windows", home: "/c/Users/u",
			tree:   []string{"c/Users/u/scoop/persist/cursor/data/user-data/User/globalStorage/state.vscdb"},
			want:   []string{"|windows|c/Users/u/scoop/persist/cursor/data/user-data/User|G"},
			looked: "c/Users/u/AppData/Roaming/Cursor/User"},
		{name: "$SCOOP", os: "windows", home: "/c/Users/u", env: map[string]string{"SCOOP": "/d/scoop"},
			tree: []string{"d/scoop/persist/cursor/data/user-data/User/globalStorage/state.vscdb"},
			want: []string{"|windows|d/scoop/persist/cursor/data/user-data/User|G"}},
		{name: "Insiders", os: "darwin", home: "/Users/u",
			tree: []string{"Users/u/Library/Application Support/Cursor - Insiders/User/globalStorage/state.vscdb"},
			want: []string{
				"Cursor - Insiders|darwin|Users/u/Library/Application Support/Cursor - Insiders/User|G"}},
		{name: "WSL", os: "linux", home: "/home/u",
			tree: []string{linux, "mnt/c/Users/Mira/AppData/Roaming/Cursor/User/globalStorage/state.vscdb",
				"mnt/c/Users/Public/AppData/Roaming/Cursor/User/globalStorage/state.vscdb",
				"mnt/c/Users/Default/AppData/Roaming/Cursor/User/globalStorage/state.vscdb",
				"mnt/c/Users/All Users->../Users/Public", "mnt/c/Users/desktop.ini"},
			want: []string{"Cursor|linux|home/u/.config/Cursor/User|G",
				"Cursor|windows|mnt/c/Users/Mira/AppData/Roaming/Cursor/User|G"},
			looked: "mnt/c/Users/Mira/AppData/Roaming/Cursor Nightly/User"},
		{name: "WSL without its mount", os: "linux", home: "/home/u",
			env: map[string]string{"WSL_DISTRO_NAME": "Ubuntu"}, tree: []string{"home/u/"},
			looked: "mnt/c/Users/*/AppData/Roaming/Cursor/User"},
		{name: "WSL with another root", os: "linux", home: "/home/u",
			tree: []string{"etc/wsl.conf=[boot]\nroot = /wrong\n[automount]\nenabled=true\nroot = \"/win/\"\n" +
				"[user]\nroot=/no\n",
				"win/c/Users/Mira/AppData/Roaming/Cursor/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|windows|win/c/Users/Mira/AppData/Roaming/Cursor/User|G"}},
		{name: "WSL with the disks at the root", os: "linux", home: "/home/u",
			tree: []string{"etc/wsl.conf=[automount]\r\nroot=/\r\n",
				"c/Users/Mira/AppData/Roaming/Cursor/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|windows|c/Users/Mira/AppData/Roaming/Cursor/User|G"}},
		{name: "Flatpak and Snap", os: "linux", home: "/home/u",
			tree: []string{"home/u/.var/app/com.cursor.Cursor/config/Cursor/User/globalStorage/state.vscdb",
				"home/u/.var/app/org.other.App/config/",
				"home/u/snap/cursor/12/.config/Cursor/User/globalStorage/state.vscdb",
				"home/u/snap/cursor/current->12",
				"home/u/snap/cursor/common/.config/Cursor Nightly/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|linux|home/u/.var/app/com.cursor.Cursor/config/Cursor/User|G",
				"Cursor|linux|home/u/snap/cursor/12/.config/Cursor/User|G",
				"Cursor Nightly|linux|home/u/snap/cursor/common/.config/Cursor Nightly/User|G"},
			looked: "home/u/snap/cursor/current/.config/Cursor/User"},
		{name: "--user-data-dir", os: "linux", home: "/home/u", dataDir: "/portable/data",
			tree:   []string{linux, "portable/data/User/globalStorage/state.vscdb"},
			want:   []string{"Cursor|linux|home/u/.config/Cursor/User|G", "|linux|portable/data/User|G"},
			looked: "portable/data/User"},
		{name: "--user-data-dir is not there", os: "linux", home: "/home/u", dataDir: "/portable/data",
			tree: []string{linux}, want: []string{"Cursor|linux|home/u/.config/Cursor/User|G"}, fails: true},
		{name: "$CURSOR_USER_DATA_DIR", os: "linux", home: "/home/u",
			env:  map[string]string{"CURSOR_USER_DATA_DIR": "/elsewhere"},
			tree: []string{"elsewhere/User/globalStorage/state.vscdb"}, want: []string{"|linux|elsewhere/User|G"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, test.tree...)
			env := Env{OS: test.os, Home: test.home, Root: root, UserDataDir: test.dataDir,
				Getenv: func(name string) string { return test.env[name] }}
			found, looked, err := Discover(env)
			if (err != nil) != test.fails {
				t.Errorf("error %v, want one: %v", err, test.fails)
			}
			if got := summaries(root, found); !slices.Equal(got, test.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if test.looked != "" && !slices.Contains(looked, filepath.Join(root, filepath.FromSlash(test.looked))) {
				t.Errorf("looked at\n%s\nbut not at %s", strings.Join(looked, "\n"), test.looked)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	const u = "home/.config/Cursor/User/"
	one := []string{u + "globalStorage/state.vscdb", u + "workspaceStorage/a/state.vscdb",
		u + "workspaceStorage/a/workspace.json={}"}
	const want = "Cursor|linux|home/.config/Cursor/User|G a+"
	tests := []struct {
		name, arg string // {} in arg is the root
		tree      []string
		want      []string
		err       string
	}{
		{name: "user directory", arg: "{}/home/.config/Cursor/User", tree: one, want: []string{want}},
		{name: "slash at the end", arg: "{}/home/.config/Cursor/User/", tree: one, want: []string{want}},
		{name: "folder above", arg: "{}/home/.config/Cursor", tree: one, want: []string{want}},
		{name: "home", arg: "{}/home", tree: one, want: []string{want}},
		{name: "~", arg: "~/.config", tree: one, want: []string{want}},
		{name: "globalStorage", arg: "{}/" + u + "globalStorage", tree: one, want: []string{want}},
		{name: "workspaceStorage", arg: "{}/" + u + "workspaceStorage", tree: one, want: []string{want}},
		{name: "workspaceStorage without more", arg: "{}/backup/workspaceStorage",
			tree: []string{"backup/workspaceStorage/a/state.vscdb"}, want: []string{"|linux|backup| a+"}},
		{name: "file", arg: "{}/" + u + "globalStorage/state.vscdb", tree: one,
			want: []string{"file|linux|home/.config/Cursor/User/globalStorage/state.vscdb|G"}},
		{name: "file of another name", arg: "{}/old.db", tree: []string{"old.db"},
			want: []string{"file|linux|old.db|G"}},
		{name: "folder with a store", arg: "{}/" + u + "workspaceStorage/a", tree: one,
			want: []string{"file|linux|home/.config/Cursor/User/workspaceStorage/a/state.vscdb|G"}},
		{name: "folder .cursor with a store", arg: "x={}/home/.cursor",
			tree: []string{"home/.cursor/state.vscdb",
				"home/.cursor/projects/p/agent-transcripts/7e3a0000-0000-4000-8000-000000000001.jsonl={}"},
			want: []string{"x: file|linux|home/.cursor/state.vscdb|G", "x.cursor-cli: cursor-cli|linux|home/.cursor|"}},
		{name: "link", arg: "{}/link", tree: append([]string{"link->home/.config/Cursor"}, one...),
			want: []string{want}},
		{name: "two below", arg: "{}/home/.config",
			tree: append([]string{"home/.config/Cursor Nightly/User/globalStorage/state.vscdb"}, one...),
			want: []string{want, "Cursor Nightly|linux|home/.config/Cursor Nightly/User|G"}},
		{name: "portable install", arg: "{}/cursor",
			tree: []string{"cursor/data/user-data/User/globalStorage/state.vscdb"},
			want: []string{"|linux|cursor/data/user-data/User|G"}},
		{name: "mac backup", arg: "{}/mac",
			tree: []string{"mac/Library/Application Support/Cursor/User/globalStorage/state.vscdb"},
			want: []string{"Cursor|darwin|mac/Library/Application Support/Cursor/User|G"}},
		{name: "NAME", arg: "old-mac.2=" + "{}/home", tree: one, want: []string{"old-mac.2: " + want}},
		{name: "NAME and ~", arg: "x=~/.config", tree: one, want: []string{"x: " + want}},
		{name: "NAME and a profile", arg: "x={}/home",
			tree: append([]string{u + "profiles/7 f/globalStorage/state.vscdb"}, one...),
			want: []string{"x: " + want, "x.7_f: Cursor|linux|home/.config/Cursor/User/profiles/7 f|G"}},
		{name: "NAME of two", arg: "x={}/home/.config",
			tree: append([]string{"home/.config/Cursor Nightly/User/globalStorage/state.vscdb"}, one...),
			err:  "one user directory"},
		// tree makes a file a of it
		{name: "no NAME", arg: "{}/a=b", tree: []string{"a=b/User/globalStorage/state.vscdb"},
			err: "nothing of this name"},
		{name: "missing", arg: "{}/home/.config/Cursr/User", tree: one, err: "did you mean {}/home/.config/Cursor?"},
		{name: "missing, nothing alike", arg: "{}/home/Documents", tree: one, err: "it holds .config"},
		{name: "nothing in it", arg: "{}/empty", tree: []string{"empty/x.txt"}, err: "it holds x.txt"},
		{name: "empty", arg: "", err: "the path is empty"},
		{name: "empty after NAME", arg: "x=", err: "the path is empty"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, test.tree...)
			in := func(s string) string { return strings.ReplaceAll(s, "{}", root) }
			found, err := Resolve(in(test.arg), Env{OS: "linux", Home: filepath.Join(root, "home")})
			if test.err == "" && err != nil ||
				test.err != "" && (err == nil || !strings.Contains(err.Error(), in(test.err))) {
				t.Fatalf("error %v, want %q", err, in(test.err))
			}
			var known *StoreError
			if err != nil && test.name != "NAME of two" && (!errors.As(err, &known) || known.Kind != KindMissing) {
				t.Errorf("%v is not KindMissing", err)
			}
			if err == nil && !slices.Equal(summaries(root, found), test.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(summaries(root, found), "\n"),
					strings.Join(test.want, "\n"))
			}
		})
	}
}

// A path that exists with its '=' is a path.
func TestResolveEquals(t *testing.T) {
	root := tree(t)
	t.Chdir(root)
	if err := os.MkdirAll("name=path/User/workspaceStorage/a", 0o755); err != nil {
		t.Fatal(err)
	}
	found, err := Resolve("name=path", Env{OS: "linux"})
	if err != nil {
		t.Fatal(err)
	}
	if got := summaries(root, found); !slices.Equal(got, []string{"|linux|name=path/User| a"}) {
		t.Errorf("found %q", got)
	}
}

func TestCheckDistinct(t *testing.T) {
	root := tree(t, "a/User/globalStorage/state.vscdb", "a/User/workspaceStorage/w/state.vscdb",
		"b/User/globalStorage/state.vscdb", "link->a/User/workspaceStorage/w/state.vscdb")
	for _, test := range []struct {
		args     []string
		distinct bool
	}{
		{[]string{"a", "b"}, true},
		{[]string{"a", "a/User/globalStorage/state.vscdb"}, false},
		{[]string{"b", "link", "a"}, false},
		{[]string{"b", "link"}, true},
		{[]string{"a", "a"}, true},
		{[]string{"one=a", "one=a"}, true},
		{[]string{"one=a", "other=a"}, false},
		{[]string{"one=a", "a"}, false},
	} {
		var all []Source
		for _, arg := range test.args {
			name, path, isNamed := strings.Cut(arg, "=")
			if path = filepath.Join(root, path); isNamed {
				path = name + "=" + path
			} else {
				path = filepath.Join(root, arg)
			}
			found, err := Resolve(path, Env{OS: "linux"})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, found...)
		}
		if err := CheckDistinct(all); (err == nil) != test.distinct {
			t.Errorf("%v: %v, want distinct %v", test.args, err, test.distinct)
		}
	}
}

func TestWorkspaces(t *testing.T) {
	root := tree(t,
		"w/none/", "w/store/state.vscdb", `w/json/workspace.json={"folder":"file:///x"}`, "w/empty-json/workspace.json",
		"w/json-is-folder/workspace.json/", "w/big/workspace.json="+strings.Repeat(" ", maxWorkspaceJSON+1), "w/file",
		"w/loop->loop", "w/linked->../elsewhere", "elsewhere/state.vscdb", "w/db-is-folder/state.vscdb/")
	want := map[string]string{ // id: store, JSON, error
		"none": "", "store": "store", "json": `{"folder":"file:///x"}`, "empty-json": "empty",
		"json-is-folder": "error", "big": "error", "linked": "store", "db-is-folder": "",
	}
	if runtime.GOOS == "linux" {
		if err := os.Mkdir(filepath.Join(root, "w", "caf\xe9"), 0o755); err != nil {
			t.Fatal(err)
		}
		want["caf%E9"] = ""
	}
	found, err := workspacesIn(filepath.Join(root, "w"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, w := range found {
		switch {
		case w.DB != "":
			got[w.ID] = "store"
		case w.JSONErr != nil:
			got[w.ID] = "error"
		case w.JSON != nil && len(w.JSON) == 0:
			got[w.ID] = "empty"
		default:
			got[w.ID] = string(w.JSON)
		}
	}
	for id := range want {
		if g, ok := got[id]; !ok || g != want[id] {
			t.Errorf("%s: %q, want %q", id, g, want[id])
		}
	}
	if len(got) != len(want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if !slices.IsSortedFunc(found, func(a, b Workspace) int { return strings.Compare(a.ID, b.ID) }) {
		t.Error("not sorted by id")
	}
}

func TestManyWorkspaces(t *testing.T) {
	root := tree(t, "User/globalStorage/state.vscdb")
	const n = 10_000
	for i := range n {
		dir := filepath.Join(root, "User", "workspaceStorage", fmt.Sprintf("%032x", i*7919%n))
		if err := errors.Join(os.MkdirAll(dir, 0o755),
			os.WriteFile(filepath.Join(dir, "workspace.json"), []byte(`{"folder":"file:///x"}`), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Resolve(root, Env{OS: "linux"})
	if err != nil || len(found) != 1 || len(found[0].Workspaces) != n {
		t.Fatalf("%d sources, error %v", len(found), err)
	}
	if w := found[0].Workspaces[n-1]; w.ID != fmt.Sprintf("%032x", n-1) || len(w.JSON) == 0 {
		t.Errorf("the last workspace is %s %q", w.ID, w.JSON)
	}
}
