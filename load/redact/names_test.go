package redact_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pipeline/load/redact"
)

// TestNames: a name that is hidden is found as it is written, and a word that only looks like it stays.
func TestNames(t *testing.T) {
	t.Parallel()
	names := redact.NewNames([]redact.Project{
		{URI: "file:///home/ann/src/secret-project", Path: "/home/ann/src/secret-project", Name: "secret-project"},
		{URI: "file:///home/ann/src/api", Path: "/home/ann/src/api", Name: "api"},
		{URI: "file:///c%3A/Work/Blue%20Note", Path: `C:\Work\Blue Note`, Name: "Blue Note"},
		{URI: "file:///srv/Überlauf", Path: "/srv/Überlauf", Name: "Überlauf"},
		{URI: "file:///w/x/party🎉house.code-workspace"},
		{URI: "file:///old/shared-name", Path: "/old/shared-name", Name: "shared-name"},
		{URI: "file:///", Path: "/"}, {},
	}, []redact.Project{{URI: "file:///new/shared-name", Path: "/new/shared-name", Name: "shared-name"}})
	const m = "[redacted:project]"
	for text, want := range map[string]string{
		"see secret-project, or Secret-Project.":                "see " + m + ", or " + m + ".",
		"secret-project2 secret-projects asecret-project":       m + "2 secret-projects asecret-project",
		"/home/ann/src/secret-project/a.go":                     m + "/a.go",
		"file:///home/ann/src/secret-project":                   m,
		"~/src/secret-project":                                  m,
		"git@example.org:ann/secret-project.git":                "git@example.org:ann/" + m + ".git",
		"\x1b[31msecret-project\x1b[0m":                         "\x1b[31m" + m + "\x1b[0m",
		"an api, /v1/api, /home/ann/src/api-docs, my-src/api":   "an api, /v1/api, /home/ann/src/api-docs, my-src/api",
		"~/src/api/x, /home/ann/src/api.git, /home/ann/src/api": m + "/x, " + m + ".git, " + m,
		`C:\Work\Blue Note\a.txt`:                               m + `\a.txt`,
		`"c:\\Work\\Blue Note\\a.txt"`:                          `"` + m + `\\a.txt"`,
		"file:///c%3A/Work/Blue%20Note/a":                       m + "/a",
		`{"a":"x\nBlue Note\tsecret-project\\n"}`:               `{"a":"x\n` + m + `\t` + m + `\\n"}`,
		"Überlauf": m,
		"party🎉house party🎉house.code-workspace":   m + " " + m,
		"/old/shared-name is not /new/shared-name": m + " is not /new/shared-name",
		"nothing of it at 100% or a\\":             "nothing of it at 100% or a\\",
		"":                                         "",
	} {
		if got := names.Text(text); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
	if got := (*redact.Names)(nil).Text("secret-project"); got != "secret-project" ||
		redact.NewNames([]redact.Project{{URI: "file:///"}}, nil) != nil {
		t.Errorf("without names: %q", got)
	}
}

// TestNamesInJSON: however deep a name is in JSON of JSON, it is taken out, and what is left is JSON.
func TestNamesInJSON(t *testing.T) {
	t.Parallel()
	names := redact.NewNames([]redact.Project{{Path: `C:\nightly`, URI: "file:///c:/nightly", Name: "nightly"},
		{Name: "täglich"}}, nil)
	for _, inner := range []string{`C:\nightly`, "in nightly there", "\nnightly\ttäglich\u0001nightly",
		`\nightly\\nightly`, "file:///c%3A/nightly/x/", `"nightly"`, `\/nightly\/x`} {
		text := inner
		for depth := range 4 {
			if got := names.Text(text); strings.Contains(strings.ToLower(got), "nightly") ||
				strings.Contains(got, "glich") || !strings.Contains(got, "[redacted:project]") {
				t.Errorf("%q: %q", text, got)
			} else if depth > 0 {
				var read string
				if err := json.Unmarshal([]byte(got), &read); err != nil {
					t.Errorf("%q: %q is no JSON: %v", text, got, err)
				}
				for range depth - 1 {
					if err := json.Unmarshal([]byte(read), &read); err != nil {
						t.Errorf("%q: within %q there is no JSON: %v", text, got, err)
						break
					}
				}
			}
			quoted, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			text = string(quoted)
		}
	}
}

// TestNamesTwice: what was taken out stays out, the marks of secrets stay as they are, and the sum tells other names.
func TestNamesTwice(t *testing.T) {
	t.Parallel()
	one := redact.NewNames([]redact.Project{{Name: "github"}, {Name: "nightingale"}}, nil)
	const want = "[redacted:github-pat] [redacted:project] [redacted:project]"
	if got := one.Text(one.Text("[redacted:github-pat] github nightingale")); got != want {
		t.Errorf("twice: %q", got)
	}
	same, other := redact.NewNames([]redact.Project{{Name: "nightingale"}, {Name: "github"}}, nil),
		redact.NewNames([]redact.Project{{Name: "nightingale"}}, nil)
	if one.Sum() != same.Sum() || one.Sum() == other.Sum() || one.Sum() == "" || (*redact.Names)(nil).Sum() != "" {
		t.Errorf("sums: %q, %q, %q", one.Sum(), same.Sum(), other.Sum())
	}
}

func BenchmarkNames(b *testing.B) {
	var hidden []redact.Project
	for n := range 50 {
		name := fmt.Sprintf("project-number-%c%c", 'a'+n/26, 'a'+n%26)
		hidden = append(hidden, redact.Project{URI: "file:///home/ann/src/" + name, Path: "/home/ann/src/" + name,
			Name: name})
	}
	names := redact.NewNames(hidden, nil)
	text := strings.Repeat(
		`{"path":"/home/ann/src/other/main.go","content":"func main() {\n\tfmt.Println(\"project\")\n}"} `, 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		names.Text(text)
	}
}
