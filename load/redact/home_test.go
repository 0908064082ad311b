package redact_test

import (
	"strings"
	"testing"

	"pipeline/load/redact"
)

// TestRedactHomes: whose home it is must not be seen, in whatever way a path is written.
func TestRedactHomes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"/home/bob":                             "~",
		"/home/bob/x and /home/eve.":            "~/x and ~.",
		"see (/Users/bob.smith/src/a.go:3)":     "see (~/src/a.go:3)",
		"/root":                                 "~",
		"cd /root/x; ls /root":                  "cd ~/x; ls ~",
		`C:\Users\bob\x`:                        `~\x`,
		`c:\users\Bob`:                          `~`,
		`C:/Users/bob/x`:                        `~/x`,
		`"C:\\Users\\bob\\x"`:                   `"~\\x"`,
		`"{\"p\":\"C:\\\\Users\\\\bob\\\\x\"}"`: `"{\"p\":\"~\\\\x\"}"`,
		`{"p":"C:\\Users\\bob\nnew"}`:           `{"p":"~\nnew"}`,
		`{"t":"in\n/home/bob/x\n/Users/eve/y"}`: `{"t":"in\n~/x\n~/y"}`,
		`{"p":"\/home\/bob\/x"}`:                `{"p":"~\/x"}`,
		`{"p":"/home/j\u00fcrgen/x"}`:           `{"p":"~/x"}`,
		"file:///home/bob/x":                    "file://~/x",
		"file:///Users/bob/x":                   "file://~/x",
		"file:///c%3A/Users/bob/x":              "file://~/x",
		"file:///C:/Users/Anna%20Maria/x":       "file://~/x",
		"vscode-remote://ssh-remote%2Bhost.example.com/home/bob/x": "vscode-remote://ssh-remote%2Bhost.example.com~/x",
		"vscode-remote://wsl+ubuntu/home/bob/x":                    "vscode-remote://wsl+ubuntu~/x",
		"/srv/.cursor/projects/home-bob-src-x/agent":               "/srv/.cursor/projects/~-src-x/agent",
		"~/.cursor/projects/c-Users-bob-src":                       "~/.cursor/projects/~-src",
		"~/.claude/projects/-Users-bob-src":                        "~/.claude/projects/~-src",
		`{"p":"~\\.claude\\projects\\C--Users-bob-src"}`:           `{"p":"~\\.claude\\projects\\~-src"}`,
		"c%3A%5CUsers%5Cbob%5Cx":                                   "~%5Cx",
		"path=%2Fhome%2Fbob-x&y=1":                                 "path=~&y=1",
		"folder=%2Fhome%2Fbob%2Fx":                                 "folder=~%2Fx",
		"file%3A%2F%2F%2Fhome%2Fbob%2Fx":                           "file%3A%2F%2F~%2Fx",
		`\\wsl$\Ubuntu\home\bob\x`:                                 `\\wsl$\Ubuntu~\x`,
		"file://wsl.localhost/Ubuntu/home/bob/x":                   "file://wsl.localhost/Ubuntu~/x",
		"file://WSL%24/Ubuntu/home/bob/x":                          "file://WSL%24/Ubuntu~/x",
		"/mnt/c/Users/bob/x /c/Users/eve":                          "~/x ~",
		"git@host:/home/bob/x.git":                                 "git@host:~/x.git",
		"gcc -I/home/bob/inc -L /home/bob":                         "gcc -I~/inc -L ~",
		"\x1b[32m/home/bob/x\x1b[0m":                               "\x1b[32m~/x\x1b[0m",
		"PATH=/usr/bin:/home/bob/bin:/bin":                         "PATH=/usr/bin:~/bin:/bin",
		"/home/用户/文件":                                              "~/文件",
		"/Users/jürgen/x":                                          "~/x",
		"/Users/Anna Maria/x":                                      "~/x",
		`"/Users/Anna Maria"`:                                      `"~"`,
		`"/Users/anna maria lind/x"`:                               `"~/x"`,
		`/Users/anna\ maria/x`:                                     `~/x`,
		`C:\Users\anna maria\x`:                                    `~\x`,
		"/home/bob and /tmp/x":                                     "~ and /tmp/x",
		"@/home/bob/x":                                             "@~/x",
		"/home/bob\n/home/eve":                                     "~\n~",
		"/var/home/bob/x /usr/home/bob/x /export/home/bob":         "~/x ~/x ~",
		"/data/home/bob/x and /run/host/home/bob/x":                "~/x and ~/x",
		"/System/Volumes/Data/Users/bob/x":                         "~/x",
		"/Volumes/Macintosh HD/Users/bob/x":                        "~/x",
		"/Volumes/Work/Users/bob/x":                                "~/x",
		"/run/media/bob/disk/x /media/bob/disk/x":                  "~/disk/x ~/disk/x",
		"/mnt/disk2/home/bob/x /volume1/homes/bob/x":               "~/x ~/x",
		`{"p":"\/var\/home\/bob\/x"}`:                              `{"p":"~\/x"}`,
		"file:///var/home/bob/x folder=%2Fvar%2Fhome%2Fbob%2Fx":    "file://~/x folder=~%2Fx",
		"/srv/.cursor/projects/var-home-bob-src-x/agent":           "/srv/.cursor/projects/~-src-x/agent",
		"~/.claude/projects/-var-home-bob-src":                     "~/.claude/projects/~-src",
		"~/.claude/projects/-Volumes-Work-Users-bob-src":           "~/.claude/projects/~-src",
	} {
		if got := holds(t, in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// TestRedactNoHomes: what only looks so stays.
func TestRedactNoHomes(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"/home", "/home/", "/Users", "/Users/", `C:\Users`, `C:\Users\`, "/home is a page", "src/home/index.ts",
		"./home/bob", "../Users/x", "~/home/bob", "$X/home/bob", "${X}/home/bob", "https://example.com/home/bob",
		"http://localhost:3000/Users/bob", "GET /users/42", "/rootfs/x", "/root.txt", "</root>", "a/root", "/home/...",
		"/home/$USER/x", "/home/<name>/x", "/home/*/x", `C:\Program Files\x`, `\nhome\nbob`, "projects/home-page-x",
		"src/home-page/a.css", "--home-dir", "x/.cursor/projects/homework-a", "homes and users", "root",
		"https://example.com/root", "/media/images/a.png", "/media/cdrom", "https://example.com/media/bob/a.png",
		"src/var/home/x", "/variable/home/x", "/var/homework/x",
	} {
		if got := redact.Text(in); got != in {
			t.Errorf("%q became %q", in, got)
		}
	}
	long := "/home/" + strings.Repeat("a", 1000)
	if got := redact.Text(long); strings.HasPrefix(got, "/home/") {
		t.Errorf("a long name stays: %.80q", got)
	}
}
