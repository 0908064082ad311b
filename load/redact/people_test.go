package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
)

// people are those of two homes.
func people() *redact.People {
	return redact.NewPeople([]string{"file:///home/mirabel/src/x", `C:\Users\John.Doe\x`, "/srv/x", "/home/bob/short",
		"/home/ubuntu/x", "vscode-remote://ssh-remote%2Bh/home/quinn_b/x"})
}

// TestRedactLogins: a login that a home folder has told is taken out where nothing but a login stands.
func TestRedactLogins(t *testing.T) {
	t.Parallel()
	p := people()
	for in, want := range map[string]string{
		"mirabel@devbox:~/src$ ls":                   "~@devbox:~/src$ ls",
		"[mirabel@devbox src]$ ls":                   "[~@devbox src]$ ls",
		"(venv) mirabel@host.example.org:/srv$ make": "(venv) ~@host.example.org:/srv$ make",
		"ssh mirabel@build7":                         "ssh ~@build7",
		"scp a.txt quinn_b@10.0.0.7:/tmp/":           "scp a.txt ~@10.0.0.7:/tmp/",
		"\x1b[01;32mmirabel@devbox\x1b[00m:\x1b[01;34m~/src\x1b[00m$ pwd": "" +
			"\x1b[01;32m~@devbox\x1b[00m:\x1b[01;34m~/src\x1b[00m$ pwd",
		"drwxr-xr-x  2 mirabel mirabel 4096 Mar  1 09:00 src": "drwxr-xr-x  2 ~ ~ 4096 Mar  1 09:00 src",
		"-rw-r--r--@ 1 mirabel  staff  12 Mar 1 09:00 a.go": "-rw-r--r--@ 1 ~  staff  12 Mar 1 09:00 " +
			"a.go",
		"uid=1000(mirabel) gid=1000(mirabel) groups=1000(mirabel),27(sudo)": "uid=1000(~) gid=1000(~) " +
			"groups=1000(~),27(sudo)",
		"USER=mirabel\nLOGNAME=mirabel\n":    "USER=~\nLOGNAME=~\n",
		"Host x\n  User mirabel\n":           "Host x\n  User ~\n",
		"sudo chown -R mirabel:mirabel /srv": "sudo chown -R ~:~ /srv",
		"mirabel   4711  0.3  1.2 123456 7890 ? S 09:00 0:01 code": "~   4711  0.3  1.2 123456 7890 ? S " +
			"09:00 0:01 code",
		"projects/-home-mirabel-src-x":         "projects/~-src-x",
		"cd -Users-mirabel-src":                "cd ~-src",
		"the folder C--Users-John-Doe-src-app": "the folder ~-src-app",
		"home-mirabel-src":                     "~-src",
		`{"out":"a\nmirabel@devbox:~$ ls\n-rw-r--r-- 1 mirabel mirabel 1"}`: `{"out":"a\n~@devbox:~$ ls\n-rw-r--r-- 1 ~ ~ 1"}`,
		`{"p":"a\nhome-mirabel-src"}`:                                       `{"p":"a\n~-src"}`,
		"in /home/mirabel/x as mirabel@devbox:":                             "in ~/x as ~@devbox:",
	} {
		if got := p.Text(in); got != want || p.Text(got) != got || json.Valid([]byte(in)) != json.Valid([]byte(got)) {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
		if len(p.Find(in)) < strings.Count(want, "~")-strings.Count(in, "~") {
			t.Errorf("of %q was found %v", in, p.Find(in))
		}
	}
	var nobody *redact.People
	for _, in := range []string{"mirabel@devbox:~$ ls", "home-mirabel-src"} {
		if got := nobody.Text(in); got != in {
			t.Errorf("nobody is known, and %q became %q", in, got)
		}
	}
}

// TestRedactNoLogins: elsewhere a login is a word, and what is no login stays anywhere.
func TestRedactNoLogins(t *testing.T) {
	t.Parallel()
	p := people()
	for _, in := range []string{
		"Mirabel and mirabel are names; mirabel@example.com is an address.",
		"mirabel's branch, feature/mirabel, @mirabel", "xmirabel@devbox:~$", "mirabel_2@devbox:~$", "mirabel := 7",
		"User stories of mirabel", "bob@devbox:~$ ls", "ubuntu@ip-10-0-0-7:~$ ls", "drwxr-xr-x 2 ubuntu ubuntu 4096",
		"import { mirabel } from 'home-page'", "away-from-home-mirabelle", "1 mirabel 4096",
		"John Doe, john.doe@example.com", "git log --author=mirabel", "https://example.com/mirabel", "groups(mirabel)",
	} {
		if got := p.Text(in); got != in {
			t.Errorf("%q became %q", in, got)
		}
	}
}

// TestRedactPeopleLinear: of six times the text, six times as much time is no assertion, but that it ends is.
func TestRedactPeopleLinear(t *testing.T) {
	t.Parallel()
	p, size := people(), 200<<10
	if testing.Short() {
		size = 40 << 10
	}
	for _, part := range []string{"mirabel", "mirabel ", "mirabel@", "mirabel@a.", "-home-mirabel", "chown mirabel:",
		"drwxr-xr-x 1 mirabel "} {
		text := strings.Repeat(part, size/len(part))
		if once := p.Text(text); p.Text(once) != once {
			t.Errorf("%q many times changes twice", part)
		}
	}
}

// TestPart: however a text is taken apart, its parts together are the text without its secrets, and none has a piece of
// one.
func TestPart(t *testing.T) {
	t.Parallel()
	p := redact.NewPeople([]string{"/home/marianne/src"})
	for _, s := range redacttest.Secrets(3) {
		text := "before " + s.Text + " behind /home/marianne/src/größe.go, and more of it\n"
		if got, want := p.Part(text, 0, len(text)), p.Text(text); got != want {
			t.Errorf("%s: %q, want %q", s.Kind, got, want)
		}
		for _, length := range []int{9, 40} {
			if testing.Short() && length == 9 {
				continue // make test-all takes both
			}
			var all strings.Builder
			for from := 0; from < len(text); from += length {
				all.WriteString(p.Part(text, from, min(from+length, len(text))))
			}
			if leaks := redacttest.Leaks(all.String(), []redacttest.Secret{s}); len(leaks) > 0 {
				t.Errorf("%s, in parts of %d: %v in %q", s.Kind, length, leaks, all.String())
			}
		}
	}
}

// TestRedactOwnHome: a home that is said to be one goes wherever it is, and however it is written.
func TestRedactOwnHome(t *testing.T) {
	t.Parallel()
	p := redact.NewPeople(nil, "/corp/people/marisol", `D:\profiles\Marisol.V`, "/", "/x", "")
	for in, want := range map[string]string{
		"/corp/people/marisol/x and /corp/people/marisol":     "~/x and ~",
		`{"p":"\/corp\/people\/marisol\/x"}`:                  `{"p":"~\/x"}`,
		"%2Fcorp%2Fpeople%2Fmarisol%2Fx":                      "~%2Fx",
		`{"p":"D:\\profiles\\Marisol.V\\x"}`:                  `{"p":"~\\x"}`,
		"~/.cursor/projects/corp-people-marisol-src":          "~/.cursor/projects/~-src",
		"file:///corp/people/marisol/x marisol@box:~$":        "file://~/x ~@box:~$",
		"/corp/people/marisols/x /x /y ./corp/people/marisol": "/corp/people/marisols/x /x /y ./corp/people/marisol",
	} {
		if got := p.Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
